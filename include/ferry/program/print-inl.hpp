#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/print.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/print.hpp>
#include <ferry/program/signature.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ferry {

FERRY_INLINE std::string to_string(const GraphSignature& signature, const Graph& graph, std::string_view margin) {
    std::string out;
    const auto start = [&] { out.append("\n").append(margin); };
    const auto target_of = [&](const std::string& target) {
        if (!target.empty()) out.append(" target='").append(target) += '\'';
    };
    start();
    out += "# inputs";
    for (const InputSpec& input : signature.inputs) {
        start();
        out.append(input.name).append(": ").append(to_string(input.kind));
        target_of(input.target);
        if (input.kind == InputKind::buffer) out.append(" persistent=").append(input.persistent ? "True" : "False");
    }
    start();
    start();
    out += "# outputs";
    for (const OutputSpec& output : signature.outputs) {
        start();
        if (const auto* value = output.argument.get_if<Value>()) out += graph.info(*value).name;
        out.append(": ").append(to_string(output.kind));
        target_of(output.target);
    }
    start();
    return out;
}

FERRY_INLINE std::string ExportedProgram::print() const {
    std::vector<detail::PrintedInput> inputs;
    for (const InputSpec& input : signature.inputs) {
        const auto* value = input.argument.get_if<Value>();
        inputs.push_back({input.name, value != nullptr ? *value : Value()});
    }
    std::string out = "ExportedProgram:\n";
    detail::GraphPrinter(out, 4).print(graph, "GraphModule", inputs);
    out.append("    \nGraph signature: ").append(to_string(signature, graph, "    "));
    out += "\nRange constraints: {";
    std::string_view separator;
    for (const auto& [name, range] : ranges) {
        out.append(separator).append(name).append(": ").append(to_string(range));
        separator = ", ";
    }
    return out += "}\n";
}

}  // namespace ferry
