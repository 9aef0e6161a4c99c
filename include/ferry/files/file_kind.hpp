#pragma once

#include <ferry/files/mapped_file.hpp>
#include <ferry/files/torch_zip.hpp>
#include <ferry/files/zip_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ferry::files {

/// What a file holds.
enum class FileKind : std::uint8_t {
    pt2,
    torchscript,
    torch_pickle,  ///< what torch.save writes: objects of Python
    other_zip,
    onnx,
    executorch,
    safetensors,
    unknown,
};

namespace detail {

[[nodiscard]] inline FileKind zip_kind(std::span<std::byte> bytes) {
    const ZipReader zip(bytes);
    if (zip.entries().empty()) return FileKind::other_zip;
    const std::string root = torch_root(zip);
    const auto has = [&](const char* name) { return zip.find(root + name) != nullptr; };
    if (has("archive_format") || is_program_before_2_9(zip)) return FileKind::pt2;
    if (has("constants.pkl")) return FileKind::torchscript;
    return has("data.pkl") ? FileKind::torch_pickle : FileKind::other_zip;
}

/// A ModelProto begins with its version; protobuf has no other mark. The next field is one of those that a model has.
[[nodiscard]] inline bool looks_like_onnx(std::string_view text) noexcept {
    constexpr std::string_view next = "\x12\x1a\x22\x28\x32\x3a\x42";
    return text.size() > 3 && text[0] == '\x08' && text[1] > 0 && text[1] < 64 &&
           next.find(text[2]) != std::string_view::npos;
}

[[nodiscard]] inline bool looks_like_safetensors(std::string_view text) noexcept {
    std::uint64_t header = 0;
    if (text.size() < sizeof header + 2) return false;
    std::memcpy(&header, text.data(), sizeof header);
    return header >= 2 && header <= text.size() - sizeof header && text[sizeof header] == '{';
}

}  // namespace detail

/// By the content. A zip archive that cannot be read is an Error.
[[nodiscard]] inline FileKind file_kind(std::span<std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return detail::zip_kind(bytes);
    if (text.size() > 8 && text.substr(4, 2) == "ET" && text.find_first_not_of("0123456789", 6) > 7)
        return FileKind::executorch;
    if (detail::looks_like_safetensors(text)) return FileKind::safetensors;
    return detail::looks_like_onnx(text) ? FileKind::onnx : FileKind::unknown;
}

/// By the content, and where that says nothing by the suffix of formats that need not have a mark.
[[nodiscard]] inline FileKind file_kind(const std::filesystem::path& path) {
    const FileKind kind = file_kind(MappedFile::open(path)->bytes());
    if (kind != FileKind::unknown) return kind;
    if (path.extension() == ".onnx") return FileKind::onnx;
    return path.extension() == ".pte" ? FileKind::executorch : FileKind::unknown;
}

}  // namespace ferry::files
