#pragma once

#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/named_inputs.hpp>

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

/// What is in a program, for people and tools that look at it from outside.
namespace ferry {

struct ValueSummary {
    std::string path{};                           ///< what the user calls it; empty: the only output
    std::string name{};                           ///< what the graph calls it
    std::string type{};                           ///< "Tensor", or Python's word for what else it is
    std::optional<std::size_t> position{};        ///< among the tensors
    std::optional<DType> dtype{};                 ///< of a tensor
    std::optional<std::vector<SymExpr>> shape{};  ///< of a tensor, where it is known
    std::optional<SymExpr> symbol{};              ///< of an integer that may vary
    std::optional<Leaf> value{};                  ///< of what the export has fixed
};

/// Tensors of one kind. Those that share memory count as if they did not.
struct TensorCount {
    std::size_t tensors = 0;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;

    void add(const at::Tensor& tensor) {
        ++tensors;
        elements += static_cast<std::uint64_t>(tensor.numel());
        bytes += static_cast<std::uint64_t>(tensor.numel()) * tensor.element_size();
    }
};

struct WeightSummary {
    TensorCount parameters{}, buffers{}, constants{};
    std::uint64_t bytes = 0;  ///< of all, what is shared once

    void add(TensorCount& kind, const at::Tensor& tensor) {
        kind.add(tensor);
        if (tensor.has_storage() && seen_.insert(tensor.storage().unsafeGetStorageImpl()).second)
            bytes += tensor.storage().nbytes();
    }

private:
    std::set<const void*> seen_;
};

struct ProgramSummary {
    std::vector<ValueSummary> inputs{};
    std::vector<ValueSummary> outputs{};
    std::vector<std::pair<std::string, std::string>> mutations{};  ///< kind, as in the signature, and what is changed
    std::vector<std::pair<std::string, ValueRange>> ranges{};  ///< of dynamic sizes
    std::vector<std::string> guards{};  ///< what else must be true of the sizes
    std::map<std::string, std::size_t> ops{};  ///< how often each is called, in inner graphs too
    WeightSummary weights{};
};

namespace detail {

inline void count_ops(const Graph& graph, std::map<std::string, std::size_t>& ops) {
    for (const Node& node : graph.nodes()) ++ops[std::string(node.op())];
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) count_ops(graph.subgraph({i}), ops);
}

[[nodiscard]] inline ValueSummary summarize(const Graph& graph, const Argument& argument, std::size_t& tensors) {
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

[[nodiscard]] inline ProgramSummary summarize(const ExportedProgram& program) {
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
