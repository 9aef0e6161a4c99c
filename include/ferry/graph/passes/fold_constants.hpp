#pragma once

#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_call.hpp>
#include <ferry/graph/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace ferry {
namespace detail {

/// The size that a sym_size node asks for, where it is a number.
[[nodiscard]] inline std::optional<Argument> known_size(const Graph& graph, const Node& node) {
    const Argument* self = node.find("self");
    const Argument* dim = node.find("dim");
    const Value* tensor = self != nullptr ? self->get_if<Value>() : nullptr;
    const std::int64_t* wanted = dim != nullptr ? dim->get_if<std::int64_t>() : nullptr;
    if (tensor == nullptr || wanted == nullptr) return std::nullopt;
    const auto& sizes = graph.info(*tensor).tensor.sizes;
    const auto count = static_cast<std::int64_t>(sizes.size());
    const std::int64_t at = *wanted < 0 ? *wanted + count : *wanted;
    if (at < 0 || at >= count || !sizes[static_cast<std::size_t>(at)].is_constant()) return std::nullopt;
    return sizes[static_cast<std::size_t>(at)].value();
}

[[nodiscard]] inline std::optional<Argument> known_number(const Node& node) {
    const SymCall call = find_sym_call(node.op());
    if (call == nullptr) return std::nullopt;
    std::vector<SymNumber> numbers;
    for (const NamedArgument& argument : node.arguments()) {
        if (const auto* integer = argument.value.get_if<std::int64_t>())
            numbers.emplace_back(*integer);
        else if (const auto* real = argument.value.get_if<double>())
            numbers.emplace_back(*real);
        else if (const auto* flag = argument.value.get_if<bool>())
            numbers.emplace_back(*flag);
        else
            return std::nullopt;
    }
    try {
        return std::visit([](auto number) { return Argument(number); }, call(numbers));
    } catch (const Error&) {
        return std::nullopt;  // a division by zero: an error where it is run, if it ever is
    }
}

}  // namespace detail

/// Sizes that are known, and what is computed from them alone, become numbers where they are used, and asserts that they
/// hold go away; returns how many nodes went. Needs no torch: tensors are folded by program/fold_constants.hpp.
inline std::size_t fold_constants(Graph& graph) {
    std::size_t folded = 0;
    for (Node& node : graph.nodes()) {
        if (node.op() == "aten::_assert_scalar") {
            const Argument* condition = node.find("self");
            if (condition == nullptr || !(*condition == Argument(true))) continue;
        } else {
            const auto number =
                node.op() == "aten::sym_size.int" ? detail::known_size(graph, node) : detail::known_number(node);
            if (!number) continue;
            graph.replace_by_constant(node.output(), *number);
        }
        graph.erase(node);
        ++folded;
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) folded += fold_constants(graph.subgraph({i}));
    debug_verify(graph);
    return folded;
}

}  // namespace ferry
