#pragma once

#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ferry {

/// Which inputs of a graph its in-place ops write to, directly or through views, those inside its bodies too.
[[nodiscard]] std::vector<bool> written_inputs(const Graph& graph);

namespace detail {

/// Follows the alias annotations of schemas: every value belongs to the memory of the value that it may be a view of.
class WrittenInputs {
public:
    explicit WrittenInputs(const Graph& graph) : graph_(graph), memory_(graph.num_values()) {
        std::iota(memory_.begin(), memory_.end(), 0U);
        written_.resize(graph.num_values(), false);
        for (const Node& node : graph.nodes())
            node.op().starts_with("higher_order::") ? visit_bodies(node) : visit(node);
    }

    [[nodiscard]] bool is_written(Value value) const { return written_[memory_[value.index]]; }
    /// The number of the first value that has this memory.
    [[nodiscard]] std::uint32_t memory_of(Value value) const { return memory_[value.index]; }
    [[nodiscard]] bool share_memory(Value a, Value b) const { return memory_[a.index] == memory_[b.index]; }

private:
    void visit(const Node& node) {
        const auto [found, is_new] =
            schemas_.try_emplace(node.op().data(), nullptr);  // interned: one address for each op
        if (is_new)
            if (const auto op = find_op(node.op())) found->second = &op->schema();
        if (found->second == nullptr) return;
        const c10::FunctionSchema& schema = *found->second;
        Value viewed;
        for (const NamedArgument& argument : node.arguments()) {
            const auto index = schema.argumentIndexWithName(argument.name);
            if (!index) continue;
            const c10::AliasInfo* alias = schema.arguments()[static_cast<std::size_t>(*index)].alias_info();
            if (alias == nullptr) continue;
            for_each_value(argument.value, [&](Value value) {
                if (alias->isWrite()) written_[memory_[value.index]] = true;
                if (!viewed) viewed = value;
            });
        }
        if (!viewed) return;
        for (std::size_t i = 0; i < node.outputs().size() && i < schema.returns().size(); ++i)
            if (schema.returns()[i].alias_info() != nullptr)
                for (const Value value : node.outputs()[i].values) memory_[value.index] = memory_[viewed.index];
    }

    void visit_bodies(const Node& node) {
        std::vector<Value> operands;
        for (const NamedArgument& argument : node.arguments())
            for_each_value(argument.value, [&](Value value) { operands.push_back(value); });
        for (const NamedArgument& argument : node.arguments()) {
            const auto* body = argument.value.get_if<Subgraph>();
            if (body == nullptr) continue;
            const Graph& inner = graph_.subgraph(*body);
            const WrittenInputs inside(inner);
            const auto inputs = inner.inputs();
            const std::size_t count = std::min(inputs.size(), operands.size());
            for (std::size_t i = 1; i <= count; ++i) {  // from the end: what decides or configures comes first
                const Value operand = operands[operands.size() - i];
                const Value input = inputs[inputs.size() - i];
                if (inside.is_written(input)) written_[memory_[operand.index]] = true;
                for (std::size_t k = 0; k < inner.outputs().size(); ++k) {
                    const auto* output = inner.outputs()[k].get_if<Value>();
                    const Value result = node.output(k);
                    if (output != nullptr && result && inside.share_memory(*output, input))
                        memory_[result.index] = memory_[operand.index];
                }
            }
        }
    }

    const Graph& graph_;
    std::vector<std::uint32_t> memory_;
    std::vector<bool> written_;
    std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;
};

}  // namespace detail

inline std::vector<bool> written_inputs(const Graph& graph) {
    const detail::WrittenInputs found(graph);
    std::vector<bool> written;
    written.reserve(graph.inputs().size());
    for (const Value input : graph.inputs()) written.push_back(found.is_written(input));
    return written;
}

}  // namespace ferry
