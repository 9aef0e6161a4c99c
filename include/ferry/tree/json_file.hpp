#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/context_json.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ferry::tree {

/// A file with a JSON object.
[[nodiscard]] inline Context read_json_object(const std::filesystem::path& path) {
    const auto file = files::MappedFile::open(path);
    const std::span<const std::byte> bytes = file->bytes();
    try {
        Context dict = from_json(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        if (dict.is_dict()) return dict;
    } catch (const Error& error) {
        throw Error(ErrorKind::bad_file, path.filename().string() + " is no JSON: " + error.message(),
                    {.where = {.path = path.string()}});
    }
    throw Error(ErrorKind::bad_file, path.filename().string() + " is no JSON object",
                {.where = {.path = path.string()}});
}

}  // namespace ferry::tree
