#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/program/check_guards.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/named_inputs.hpp>
#include <ferry/program/summary.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

inline void count_ops(const Graph& graph, std::map<std::string, std::size_t>& ops) {
    for (const Node& node : graph.nodes()) ++ops[std::string(node.op())];
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) count_ops(graph.subgraph({i}), ops);
}

FERRY_INLINE ValueSummary summarize(const Graph& graph, const Argument& argument, std::size_t& tensors) {
    ValueSummary made;
    const auto* value = argument.get_if<Value>();
    if (value == nullptr) {
        made.value = to_leaf(argument);
        made.type = python_type(made.value->kind());
        return made;
    }
    const ValueInfo& about = graph.info(*value);
    made.name = about.name;
    switch (about.kind) {
        case ValueKind::tensor:
            made.type = "Tensor";
            made.position = tensors++;
            made.dtype = about.tensor.dtype;
            made.shape = about.tensor.sizes;
            break;
        case ValueKind::sym_int:
            made.type = "int";
            made.symbol = about.symbol;
            break;
        case ValueKind::sym_float: made.type = "float"; break;
        case ValueKind::sym_bool: made.type = "bool"; break;
    }
    return made;
}

}  // namespace detail

FERRY_INLINE ProgramSummary summarize(const ExportedProgram& program) {
    ProgramSummary made;
    const auto slots = input_slots(program);
    std::size_t tensors = 0;
    std::map<std::string_view, const at::Tensor*> named;
    for (const auto* each : {&program.state, &program.constants})
        for (const auto& [name, tensor] : *each) named.emplace(name, &tensor);
    std::set<std::string_view> counted;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind == InputKind::user_input) {
            ValueSummary about = detail::summarize(program.graph, input.argument, tensors);
            about.path = slots.at(made.inputs.size()).path;
            about.name = input.name;
            made.inputs.push_back(std::move(about));
            continue;
        }
        const auto found = named.find(input.target);
        if (found == named.end() || !counted.insert(input.target).second) continue;
        made.weights.add(input.kind == InputKind::parameter ? made.weights.parameters
                         : input.kind == InputKind::buffer  ? made.weights.buffers
                                                            : made.weights.constants,
                         *found->second);
    }
    const auto paths = program.out_spec.leaf_paths();
    tensors = 0;
    for (const OutputSpec& output : program.signature.outputs) {
        if (output.kind != OutputKind::user_output) {
            made.mutations.emplace_back(to_string(output.kind), output.target);
            continue;
        }
        ValueSummary about = detail::summarize(program.graph, output.argument, tensors);
        about.path = paths.at(made.outputs.size());
        made.outputs.push_back(std::move(about));
    }
    made.ranges.assign(program.ranges.begin(), program.ranges.end());
    for (const Guard& guard : program.guards)
        if (decide(guard.condition, program.ranges) != true) made.guards.push_back(in_words(guard));
    detail::count_ops(program.graph, made.ops);
    return made;
}

}  // namespace ferry
