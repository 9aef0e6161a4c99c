#pragma once

#include <ferry/files/zip_reader.hpp>

#include <string>

namespace ferry::files {

/// Everything that torch writes to a zip archive lies in one folder: its name, with the slash.
[[nodiscard]] inline std::string torch_root(const ZipReader& zip) {
    if (zip.entries().empty()) return {};
    const std::string& first = zip.entries()[0].name;
    return first.substr(0, first.find('/') + 1);
}

/// Programs were another archive then, not always with a folder.
[[nodiscard]] inline bool is_program_before_2_9(const ZipReader& zip) {
    const std::string mark = "serialized_exported_program.json";
    return zip.find(mark) != nullptr || zip.find(torch_root(zip) + mark) != nullptr;
}

}  // namespace ferry::files
