#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_call.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ferry {

/// What a call does besides giving its results; each one includes those before it.
enum class Effect : std::uint8_t {
    none,    ///< may be dropped, repeated, or merged with an equal one
    random,  ///< gives something else each time, and moves the generator on
    acts,    ///< writes, checks, prints, or is unknown
};

/// Checks that return a tensor, so that a graph without writes can order them: nothing in their schema shows it.
struct checks_and_returns {
    static constexpr auto target =
        op("aten::_functional_assert_async.msg", "aten::_functional_assert_scalar",
           "aten::_functional_sym_constrain_range", "aten::_functional_sym_constrain_range_for_size");
};

/// The effects of nodes, from their ops' schemas; an op is looked up once.
class OpEffects {
public:
    [[nodiscard]] Effect of(const Graph& graph, const Node& node) {
        const auto [found, is_new] =
            ops_.try_emplace(node.op().data());  // interned: one address for each op of a graph
        if (is_new) found->second = look_up(node.op());
        switch (found->second) {
            case OpKind::pure: return Effect::none;
            case OpKind::acts: return Effect::acts;
            case OpKind::random: return draws(node) ? Effect::random : Effect::none;
            case OpKind::has_bodies: return of_bodies(graph, node);
        }
        return Effect::acts;
    }

private:
    enum class OpKind : std::uint8_t { pure, random, acts, has_bodies };

    [[nodiscard]] static OpKind look_up(std::string_view name) {
        if (name.starts_with("higher_order::")) return OpKind::has_bodies;
        if (find_sym_call(name) != nullptr) return OpKind::pure;
        const auto op = find_op(name);
        if (!op || op_table<type_list<checks_and_returns>>::contains(name)) return OpKind::acts;
        const c10::FunctionSchema& schema = op->schema();
        // Conservative: a function registered without a schema of its own, of which torch knows nothing.
        if (schema.returns().empty() || schema.is_mutable() ||
            schema.aliasAnalysis() == c10::AliasAnalysisKind::CONSERVATIVE)
            return OpKind::acts;
        if (op->hasTag(at::Tag::nondeterministic_seeded)) return OpKind::random;
        const bool drops = algo::any_of(schema.arguments(),
                                        [](const c10::Argument& argument) { return argument.name() == "dropout_p"; });
        return drops ? OpKind::random : OpKind::pure;
    }

    /// Dropout, and what has one inside, draws no numbers when it is not training or its probability is zero.
    [[nodiscard]] static bool draws(const Node& node) {
        for (const std::string_view name : {"train", "training"})
            if (const Argument* flag = node.find(name)) {
                const bool* on = flag->get_if<bool>();
                return on == nullptr || *on;
            }
        for (const std::string_view name : {"dropout_p", "dropout"})
            if (const Argument* share = node.find(name)) return !(*share == Argument(0.0));
        return !node.op().starts_with(
            "aten::scaled_dot_product_attention");  // its dropout_p is zero where it is left out
    }

    [[nodiscard]] Effect of_bodies(const Graph& graph, const Node& node) {
        Effect worst = Effect::none;
        bool any = false;
        const auto visit = [&](const auto& self, const Argument& argument) -> void {
            if (const auto* list = argument.get_if<ArgumentList>())
                for (const Argument& item : *list) self(self, item);
            if (const auto* inner = argument.get_if<Subgraph>()) {
                any = true;
                const Graph& body = graph.subgraph(*inner);
                for (const Node& each : body.nodes()) worst = std::max(worst, of(body, each));
            }
        };
        for (const NamedArgument& argument : node.arguments()) visit(visit, argument.value);
        return any ? worst : Effect::acts;
    }

    std::unordered_map<const char*, OpKind> ops_;
};

}  // namespace ferry
