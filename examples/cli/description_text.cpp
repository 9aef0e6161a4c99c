#include "description.hpp"

#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/program/check_inputs.hpp>

#include <algorithm>
#include <utility>

namespace cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
    return text.empty() ? "none" : text;
}

std::string size_text(std::uint64_t bytes) {
    constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " bytes";
    std::size_t unit = 1;
    std::uint64_t tenths = bytes * 10 / 1024;
    for (; tenths >= 10240 && unit < 4; ++unit) tenths /= 1024;
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + ' ' + units[unit];
}

std::string about(const ferry::ValueSummary& value) {
    std::string text;
    if (value.value) return value.value->is_none() ? "None" : value.type + " = " + ferry::detail::text_of(*value.value);
    if (value.symbol) return value.type + " = " + ferry::to_string(*value.symbol);
    if (!value.dtype || !value.shape) return value.type;
    text.append(ferry::info(*value.dtype).torch_name).append(" [");
    for (std::size_t i = 0; i < value.shape->size(); ++i)
        text.append(i == 0 ? "" : ", ").append(ferry::to_string((*value.shape)[i]));
    return text += ']';
}

using Rows = std::vector<std::vector<std::string>>;

/// Columns side by side.
void append(std::string& out, const std::string& title, const Rows& rows) {
    out.append(title).append(rows.empty() ? ": none\n" : ":\n");
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : rows) {
        std::string line = " ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line.append(" ").append(row[i]).append(widths[i] - row[i].size() + 1, ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        out.append(line) += '\n';
    }
}

Rows rows_of(const std::vector<ferry::ValueSummary>& values) {
    Rows rows;
    for (const ferry::ValueSummary& value : values)
        rows.push_back({value.position ? std::to_string(*value.position) : "-",
                        value.path.empty() ? value.name : value.path, about(value)});
    return rows;
}

}  // namespace

std::string to_text(const Description& description) {
    const ferry::ProgramSummary& program = description.program;
    std::string out = description.file + ": " + description.format + ", " + size_text(description.bytes) +
                      "\nmethods: " + joined(description.methods) + "\ndelegates: " + joined(description.delegates) +
                      '\n';
    append(out, "inputs", rows_of(program.inputs));
    append(out, "outputs", rows_of(program.outputs));
    Rows rows;
    for (const auto& [kind, target] : program.mutations) rows.push_back({target, kind});
    if (!rows.empty()) append(out, "changes", std::exchange(rows, {}));
    for (const auto& [name, range] : program.ranges) rows.push_back({name, ferry::to_string(range)});
    if (!rows.empty()) append(out, "sizes", std::exchange(rows, {}));
    for (const std::string& guard : program.guards) rows.push_back({guard});
    if (!rows.empty()) append(out, "holds where", std::exchange(rows, {}));
    const auto count = [&](const char* name, const ferry::TensorCount& kind) {
        rows.push_back({name, std::to_string(kind.tensors) + " tensors", std::to_string(kind.elements) + " elements",
                        size_text(kind.bytes)});
    };
    count("parameters", program.weights.parameters);
    count("buffers", program.weights.buffers);
    count("constants", program.weights.constants);
    append(out, "weights, " + size_text(program.weights.bytes) + " in all", std::exchange(rows, {}));
    std::vector<std::pair<std::string, std::size_t>> ops(program.ops.begin(), program.ops.end());
    std::ranges::stable_sort(ops, std::greater<>{}, [](const auto& op) { return op.second; });
    for (const auto& [name, calls] : ops) rows.push_back({std::to_string(calls), name});
    append(out, "ops", std::exchange(rows, {}));
    for (const ferry::executorch::MethodSummary& method : description.executorch)
        rows.push_back(
            {method.name, std::to_string(method.kernel_calls) + " kernel calls",
             std::to_string(method.delegates) + " delegates with " + std::to_string(method.delegated_nodes) + " nodes",
             size_text(method.planned_bytes) + " planned"});
    if (!rows.empty()) append(out, "computed by", rows);
    return out;
}

}  // namespace cli
