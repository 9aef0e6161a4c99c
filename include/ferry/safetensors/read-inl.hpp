#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/files/json.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/safetensors/dtypes.hpp>
#include <ferry/safetensors/mapped_tensor.hpp>
#include <ferry/safetensors/read.hpp>

#include <ATen/core/Tensor.h>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::safetensors {
namespace detail {

inline constexpr std::uint64_t max_header = 100'000'000;  ///< the format's own limit

struct Described {
    std::string name;
    DType dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin, end;
};

[[noreturn]] inline void damaged(const std::string& what, const std::string& name = {}) {
    throw Error(ErrorKind::bad_file, "this is not a readable .safetensors file: " + what, {.where = {.path = name}});
}

[[nodiscard]] inline files::JsonDocument parse_header(std::string_view text, const std::filesystem::path& path) try {
    return files::JsonDocument(text, 8);
} catch (const Error& error) {
    damaged("its header: " + error.message(), path.string());
}

using Kind = files::JsonValue::Kind;

[[nodiscard]] inline std::uint64_t unsigned_of(const files::JsonValue& number, const std::string& name) {
    if (!number.is(Kind::integer) || number.integer() < 0)
        damaged("a shape or offset is not a number of zero or more", name);
    return static_cast<std::uint64_t>(number.integer());
}

[[nodiscard]] inline Described describe(const std::string& name, const files::JsonValue& entry) {
    if (!entry.is(Kind::object)) damaged("the description of a tensor is not an object", name);
    const auto *dtype = entry.find("dtype"), *shape = entry.find("shape"), *offsets = entry.find("data_offsets");
    if (dtype == nullptr || !dtype->is(Kind::text) || shape == nullptr || !shape->is(Kind::list) ||
        offsets == nullptr || !offsets->is(Kind::list) || offsets->items().size() != 2)
        damaged("a tensor needs dtype, shape and two data_offsets", name);
    const auto known = dtype_of(dtype->text());
    if (!known)
        throw Error(ErrorKind::unsupported, "a tensor of the unknown type '" + std::string(dtype->text()) + "'",
                    {.where = {.path = name}});
    Described made{name, *known, {}, unsigned_of(offsets->items()[0], name), unsigned_of(offsets->items()[1], name)};
    if (made.begin > made.end) damaged("a tensor ends before it begins", name);
    std::uint64_t size = info(*known).bytes;
    made.shape.reserve(shape->items().size());
    for (const files::JsonValue& each : shape->items()) {
        const std::uint64_t extent = unsigned_of(each, name);
        made.shape.push_back(static_cast<std::int64_t>(extent));
        if (__builtin_mul_overflow(size, extent, &size)) damaged("a shape is too large", name);
    }
    if (size != made.end - made.begin) damaged("a tensor's shape and its number of bytes do not agree", name);
    return made;
}

[[nodiscard]] inline std::map<std::string, std::string> read_metadata(const files::JsonValue& entry) {
    std::map<std::string, std::string> metadata;
    if (!entry.is(Kind::object)) damaged("__metadata__ is not an object");
    for (const auto& [key, value] : entry.members()) {
        if (!value.is(Kind::text)) damaged("__metadata__ has a value that is no text", std::string(key));
        metadata.emplace(key, value.text());
    }
    return metadata;
}

}  // namespace detail

FERRY_INLINE Contents load(const std::filesystem::path& path) {
    const auto file = files::MappedFile::open(path);
    const auto bytes = file->bytes();
    std::uint64_t header_size = 0;
    if (bytes.size() < sizeof header_size) detail::damaged("it is too short", path.string());
    std::memcpy(&header_size, bytes.data(), sizeof header_size);
    if (header_size > detail::max_header || header_size > bytes.size() - sizeof header_size)
        detail::damaged("its header is longer than the file, or than the format allows", path.string());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof header_size,
                                static_cast<std::size_t>(header_size));
    const files::JsonDocument document = detail::parse_header(text, path);
    const files::JsonValue& header = document.root();
    if (!header.is(detail::Kind::object)) detail::damaged("its header is not a JSON object", path.string());

    Contents contents;
    std::vector<detail::Described> described;
    described.reserve(header.members().size());
    for (const auto& [key, entry] : header.members()) {
        const std::string name(key);
        if (name == "__metadata__")
            contents.metadata = detail::read_metadata(entry);
        else
            described.push_back(detail::describe(name, entry));
    }
    algo::stable_sort(described, {}, [](const auto& each) { return std::pair(each.begin, each.end); });
    const auto data = bytes.subspan(sizeof header_size + static_cast<std::size_t>(header_size));
    std::uint64_t expected = 0;
    contents.tensors.reserve(described.size());
    for (const auto& [name, dtype, shape, begin, end] : described) {
        if (begin != expected || end > data.size())
            detail::damaged("tensors overlap, leave a gap, or lie outside the file", name);
        expected = end;
        const auto part = data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        contents.tensors.emplace_back(name, files::tensor_over(part, dtype, file).view(shape));
    }
    if (expected != data.size()) detail::damaged("bytes follow that belong to no tensor", path.string());
    return contents;
}

}  // namespace ferry::safetensors
