#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/json_depth.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

/// Reading the JSON of a file that nobody vouches for: whatever is missing or of another type is ErrorKind::bad_file.
namespace ferry::pt2 {

using Parsed = nlohmann::json;

[[noreturn]] inline void damaged(const std::string& what, std::string_view where = {}) {
    throw Error(ErrorKind::bad_file, "the program in the file is damaged: " + what,
                {.where = {.path = std::string(where)}});
}

[[nodiscard]] inline Parsed parse_json(std::span<const std::byte> bytes, std::string_view where) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    files::check_json_depth(text);
    Parsed made = Parsed::parse(text, nullptr, /*allow_exceptions=*/false);
    if (made.is_discarded()) damaged("this is not JSON", where);
    return made;
}

/// The member of an object.
[[nodiscard]] inline const Parsed& member(const Parsed& object, const char* key) {
    if (!object.is_object()) damaged(std::string("an object with '") + key + "' is expected");
    const auto found = object.find(key);
    if (found == object.end()) damaged(std::string("'") + key + "' is missing");
    return *found;
}
/// Null where the object has it not, or has null.
[[nodiscard]] inline const Parsed* optional_member(const Parsed& object, const char* key) {
    if (!object.is_object()) damaged(std::string("an object with '") + key + "' is expected");
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}
[[nodiscard]] inline const Parsed::array_t& list_of(const Parsed& value) {
    if (!value.is_array()) damaged("a list is expected");
    return value.get_ref<const Parsed::array_t&>();
}
[[nodiscard]] inline const Parsed::object_t& object_of(const Parsed& value) {
    if (!value.is_object()) damaged("an object is expected");
    return value.get_ref<const Parsed::object_t&>();
}
[[nodiscard]] inline const std::string& text_of(const Parsed& value) {
    if (!value.is_string()) damaged("a text is expected");
    return value.get_ref<const std::string&>();
}
[[nodiscard]] inline std::int64_t integer_of(const Parsed& value) {
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)))
        damaged("an integer of 64 bits is expected");
    return value.get<std::int64_t>();
}
/// Python's integers have no end, and bounds of sizes that it computes may lie behind that of ours.
[[nodiscard]] inline bool is_beyond_64_bits(const Parsed& value) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    return value.is_number_float() && std::abs(value.get<double>()) >= 0x1p63;
}
[[nodiscard]] inline bool flag_of(const Parsed& value) {
    if (!value.is_boolean()) damaged("true or false is expected");
    return value.get<bool>();
}
[[nodiscard]] inline double real_of(const Parsed& value) {
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) {  // numbers that JSON does not have
        const auto& word = value.get_ref<const std::string&>();
        if (word == "Infinity") return std::numeric_limits<double>::infinity();
        if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
        if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
    }
    damaged("a number is expected");
}

/// A union: {tag: value}.
struct Tagged {
    const std::string& tag;
    const Parsed& value;
};
[[nodiscard]] inline Tagged tagged_of(const Parsed& value) {
    const auto& object = object_of(value);
    if (object.size() != 1) damaged("an object with one key is expected");
    return {object.begin()->first, object.begin()->second};
}

}  // namespace ferry::pt2
