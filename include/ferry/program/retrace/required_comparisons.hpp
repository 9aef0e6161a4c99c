#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ferry::detail {

/// Two numbers that a program compares, and that must compare so for it to go on.
struct RequiredComparison {
    const Graph* graph;
    const Node* node;
    const Node* assertion;
    std::string_view name;  ///< as in Python's operator
    SymOp op;

    /// The same over the graph's symbols; nothing where a number has no meaning there.
    [[nodiscard]] std::optional<SymExpr> condition() const {
        std::vector<SymExpr> operands;
        for (const NamedArgument& argument : node->arguments()) {
            if (const auto* value = argument.value.get_if<Value>()) operands.push_back(graph->info(*value).symbol);
            if (const auto* integer = argument.value.get_if<std::int64_t>()) operands.emplace_back(*integer);
        }
        if (operands.size() != 2) return std::nullopt;
        for (const SymExpr& operand : operands)
            if (operand.type() != SymType::integer) return std::nullopt;
        return compare(op, operands[0], operands[1]);
    }
};

/// Calls `visit` with each comparison that the checks of a graph and its bodies consist of, and `other` with each node of a check
/// that is something else.
template <class Visit, class Other>
class ForEachRequired {
public:
    ForEachRequired(Visit visit, Other other) : visit_(std::move(visit)), other_(std::move(other)) {}

    void go_through(const Graph& graph) {
        for (const Node& node : graph.nodes()) {
            if (node.op() != "aten::_assert_scalar" || node.arguments().empty()) continue;
            if (const auto* checked = node.arguments()[0].value.get_if<Value>()) require(graph, *checked, true, node);
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) go_through(graph.subgraph({i}));
    }

private:
    struct Comparison {
        std::string_view op, name, opposite;
        SymOp meaning;
    };
    static constexpr auto comparisons = std::to_array<Comparison>({{"_operator::eq", "eq", "ne", SymOp::eq},
                                                                   {"_operator::ne", "ne", "eq", SymOp::ne},
                                                                   {"_operator::lt", "lt", "ge", SymOp::lt},
                                                                   {"_operator::le", "le", "gt", SymOp::le},
                                                                   {"_operator::gt", "gt", "le", SymOp::gt},
                                                                   {"_operator::ge", "ge", "lt", SymOp::ge}});

    /// That a condition is true, or false: down to the comparisons that it consists of.
    void require(const Graph& graph, Value condition, bool holds, const Node& assertion) {
        const Node* node = graph.info(condition).producer;
        if (node == nullptr) return other_(assertion);
        const bool both = node->op() == (holds ? "_operator::and_" : "_operator::or_");
        if (both || node->op() == "torch::sym_not") {
            for (const NamedArgument& argument : node->arguments())
                if (const auto* value = argument.value.get_if<Value>())
                    require(graph, *value, both == holds, assertion);
            return;
        }
        const auto found = algo::find(comparisons, node->op(), &Comparison::op);
        if (found == comparisons.end()) return other_(*node);
        visit_(RequiredComparison{&graph, node, &assertion, holds ? found->name : found->opposite,
                                  holds ? found->meaning : opposite(found->meaning)});
    }

    Visit visit_;
    Other other_;
};

}  // namespace ferry::detail
