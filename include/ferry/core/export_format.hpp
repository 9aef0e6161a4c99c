#pragma once

#include <ferry/core/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry {

/// What an export makes, by the names that Python's ExportFormat has.
enum class ExportFormat : std::uint8_t { dynamo, onnx, executorch };

inline constexpr std::array<std::string_view, 3> export_format_names{"dynamo", "onnx", "executorch"};

[[nodiscard]] constexpr std::string_view name_of(ExportFormat format) noexcept {
    return export_format_names[static_cast<std::size_t>(format)];
}
/// A user's backend is no ExportFormat: its configuration's `format` is the name itself.
[[nodiscard]] constexpr std::string_view name_of(std::string_view format) noexcept { return format; }

[[nodiscard]] inline ExportFormat export_format(std::string_view name) {
    std::string known;
    for (std::size_t i = 0; i < export_format_names.size(); ++i) {
        if (export_format_names[i] == name) return static_cast<ExportFormat>(i);
        known.append(known.empty() ? "" : ", ").append(export_format_names[i]);
    }
    throw Error(ErrorKind::invalid_input, "there is no export format '" + std::string(name) + "'",
                {.hint = "there are: " + known});
}

}  // namespace ferry
