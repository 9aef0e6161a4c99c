#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

/// Reading the JSON of a file that nobody vouches for: whatever is missing or of another type is ErrorKind::bad_file.
namespace ferry::pt2 {

using Parsed = files::JsonValue;
using Kind = Parsed::Kind;

[[noreturn]] inline void damaged(const std::string& what, std::string_view where = {}) {
    throw Error(ErrorKind::bad_file, "the program in the file is damaged: " + what,
                {.where = {.path = std::string(where)}});
}

[[nodiscard]] inline files::JsonDocument parse_json(std::span<const std::byte> bytes, std::string_view where) try {
    return files::JsonDocument(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
} catch (const Error& error) {
    damaged(error.message(), where);
}

/// The member of an object.
[[nodiscard]] inline const Parsed& member(const Parsed& object, const char* key) {
    if (!object.is(Kind::object)) damaged(std::string("an object with '") + key + "' is expected");
    const Parsed* found = object.find(key);
    if (found == nullptr) damaged(std::string("'") + key + "' is missing");
    return *found;
}
/// Null where the object has it not, or has null.
[[nodiscard]] inline const Parsed* optional_member(const Parsed& object, const char* key) {
    if (!object.is(Kind::object)) damaged(std::string("an object with '") + key + "' is expected");
    const Parsed* found = object.find(key);
    return found == nullptr || found->is(Kind::null) ? nullptr : found;
}
[[nodiscard]] inline std::span<const Parsed> list_of(const Parsed& value) {
    if (!value.is(Kind::list)) damaged("a list is expected");
    return value.items();
}
[[nodiscard]] inline const Parsed& object_of(const Parsed& value) {
    if (!value.is(Kind::object)) damaged("an object is expected");
    return value;
}
[[nodiscard]] inline std::string_view text_of(const Parsed& value) {
    if (!value.is(Kind::text)) damaged("a text is expected");
    return value.text();
}
[[nodiscard]] inline std::int64_t integer_of(const Parsed& value) {
    if (!value.is(Kind::integer)) damaged("an integer of 64 bits is expected");
    return value.integer();
}
/// Python's integers have no end, and bounds of sizes that it computes may lie behind that of ours.
[[nodiscard]] inline bool is_beyond_64_bits(const Parsed& value) {
    return value.is(Kind::real) && std::abs(value.real()) >= 0x1p63;
}
[[nodiscard]] inline bool flag_of(const Parsed& value) {
    if (!value.is(Kind::boolean)) damaged("true or false is expected");
    return value.boolean();
}
[[nodiscard]] inline double real_of(const Parsed& value) {
    if (value.is(Kind::real)) return value.real();
    if (value.is(Kind::integer)) return static_cast<double>(value.integer());
    if (value.is(Kind::text)) {  // numbers that JSON does not have
        const std::string_view word = value.text();
        if (word == "Infinity") return std::numeric_limits<double>::infinity();
        if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
        if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
    }
    damaged("a number is expected");
}

/// A union: {tag: value}.
struct Tagged {
    std::string_view tag;
    const Parsed& value;
};
[[nodiscard]] inline Tagged tagged_of(const Parsed& value) {
    const auto members = object_of(value).members();
    if (members.size() != 1) damaged("an object with one key is expected");
    return {members[0].key, members[0].value};
}

}  // namespace ferry::pt2
