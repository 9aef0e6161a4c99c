#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/files/json_writer.hpp>
#include <ferry/verify/discrepancy_report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace ferry {
namespace artifacts {

[[nodiscard]] inline std::string short_number(std::optional<double> number) {
    if (!number) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", *number);
    return text;
}

/// Infinities are no numbers in JSON.
[[nodiscard]] inline files::Json number_or_null(std::optional<double> number) {
    return number && std::isfinite(*number) ? files::Json(*number) : files::Json();
}

/// The first line alone: an error in a table is a reason to look at the JSON.
[[nodiscard]] inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace artifacts

FERRY_INLINE std::string to_table(const Discrepancies& rows) {
    using Line = std::array<std::string, 10>;
    std::vector<Line> lines{
        {"call", "success", "absolute", "relative", "model s", "artifact s", "inputs", "missing", "empty", "error"}};
    for (const Discrepancy& row : rows)
        lines.push_back({std::to_string(row.index), row.success ? "yes" : "no", artifacts::short_number(row.absolute),
                         artifacts::short_number(row.relative), artifacts::short_number(row.model_seconds),
                         artifacts::short_number(row.artifact_seconds), std::to_string(row.n_inputs),
                         std::to_string(row.n_none), std::to_string(row.n_empty), artifacts::first_line(row.error)});
    std::array<std::size_t, 10> widths{};
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    std::string text;
    for (const Line& line : lines) {
        std::string made;
        for (std::size_t i = 0; i < line.size(); ++i) made.append(line[i]).append(widths[i] - line[i].size() + 2, ' ');
        text.append(made, 0, made.find_last_not_of(' ') + 1).append("\n");
    }
    return text;
}

FERRY_INLINE std::string to_json(const Discrepancies& rows) {
    files::Json list = files::Json::array();
    for (const Discrepancy& row : rows)
        list.push_back({{"index", row.index},
                        {"success", row.success},
                        {"absolute", artifacts::number_or_null(row.absolute)},
                        {"relative", artifacts::number_or_null(row.relative)},
                        {"error", row.error.empty() ? files::Json() : files::Json(row.error)},
                        {"model_seconds", row.model_seconds},
                        {"artifact_seconds", row.artifact_seconds},
                        {"n_inputs", row.n_inputs},
                        {"n_none", row.n_none},
                        {"n_empty", row.n_empty}});
    return list.text();
}

}  // namespace ferry
