#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_call.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry {

/// Throws Error(internal) naming the node and what is wrong, unless every value is defined once and before its uses, names
/// are unique, producers, users and outputs agree, and arguments are of a kind that can stand there; inner graphs too.
void verify(const Graph& graph);

namespace detail {

class GraphVerifier {
public:
    GraphVerifier(const Graph& graph, std::string where) : graph_(graph), where_(std::move(where)) {}

    void run() {
        defined_.assign(graph_.num_values(), false);
        output_uses_.assign(graph_.num_values(), 0);
        names_.reserve(graph_.num_values());
        for (const Value input : graph_.inputs()) {
            define(input, nullptr);
            if (graph_.info(input).producer != nullptr)
                fail("input '" + graph_.info(input).name + "' has a node that produces it");
        }
        const Node* previous = nullptr;
        std::size_t count = 0;
        for (const Node& node : graph_.nodes()) {
            node_ = &node;
            if (node.previous() != previous) fail("the node's neighbours disagree about their order");
            if (++count > graph_.num_nodes()) fail("there are more nodes than the graph counts");
            check_arguments(node);
            for (const Output& output : node.outputs()) {
                if (!output.is_list && output.values.size() > 1) fail("an output that is no list has several values");
                for (const Value value : output.values) define(value, &node);
            }
            if (find_sym_call(node.op()) != nullptr) check_sym_call(node);
            previous = &node;
        }
        node_ = nullptr;
        if (count != graph_.num_nodes())
            fail("the graph counts " + std::to_string(graph_.num_nodes()) + " nodes and has " + std::to_string(count));
        if (graph_.last() != previous) fail("the last node is not the end of the list");
        for (const Argument& output : graph_.outputs())
            for_each_value(output, [&](Value value) {
                check_use(value);
                ++output_uses_[value.index];
            });
        check_users();
        for (std::uint32_t i = 0; i < graph_.num_subgraphs(); ++i)
            GraphVerifier(graph_.subgraph({i}), where_ + (where_.empty() ? "" : ".") + graph_.subgraph_name({i})).run();
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        std::string text = "the graph is broken: " + what;
        if (node_ != nullptr) text += ", at node " + describe(*node_);
        if (!where_.empty()) text += ", in subgraph '" + where_ + "'";
        throw Error(ErrorKind::internal, text,
                    {.hint = "report this, with the pass or fix that ran last",
                     .where = {.stage = "verify",
                               .op = node_ != nullptr ? std::string(node_->op()) : std::string(),
                               .path = node_ != nullptr ? std::string(node_->module_path()) : std::string()}});
    }

    [[nodiscard]] std::string describe(const Node& node) const {
        const Value first = node.output();
        return first && first.index < graph_.num_values() ? "'" + graph_.info(first).name + "'" : "without outputs";
    }

    void check_known(Value value) const {
        if (!value) fail("a value that stands for nothing is used");
        if (value.index >= graph_.num_values()) fail("value " + std::to_string(value.index) + " is not of this graph");
    }

    void check_use(Value value) const {
        check_known(value);
        if (defined_[value.index]) return;
        const ValueInfo& info = graph_.info(value);
        fail("'" + info.name + "' is used " +
             (info.producer == nullptr ? "but nothing defines it" : "before it is defined"));
    }

    void define(Value value, const Node* producer) {
        check_known(value);
        const ValueInfo& info = graph_.info(value);
        if (defined_[value.index]) fail("'" + info.name + "' is defined twice");
        defined_[value.index] = true;
        if (info.name.empty()) fail("value " + std::to_string(value.index) + " has no name");
        if (!names_.insert(info.name).second) fail("two values are called '" + info.name + "'");
        if (info.producer != producer) fail("'" + info.name + "' names another node as its producer");
        if (info.kind == ValueKind::tensor) {
            const auto& [dtype, layout, requires_grad, device, sizes, strides] = info.tensor;
            if (!strides.empty() && strides.size() != sizes.size())
                fail("'" + info.name + "' has another number of strides than of sizes");
            for (const auto* list : {&sizes, &strides})
                if (algo::any_of(*list, [](const SymExpr& size) { return size.type() != SymType::integer; }))
                    fail("'" + info.name + "' has a size that is no integer");
        } else if (info.kind == ValueKind::sym_int && info.symbol.type() != SymType::integer) {
            fail("'" + info.name + "' is an integer with an expression that is none");
        }
    }

    void check_arguments(const Node& node) {
        const auto arguments = node.arguments();
        bool keywords = false;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const NamedArgument& argument = arguments[i];
            if (argument.name.empty()) fail("argument " + std::to_string(i) + " has no name");
            for (std::size_t k = 0; k < i; ++k)
                if (arguments[k].name == argument.name)
                    fail("argument '" + std::string(argument.name) + "' is given twice");
            if (keywords && !argument.keyword)
                fail("argument '" + std::string(argument.name) + "' stands behind a keyword");
            keywords = argument.keyword;
            for_each_value(argument.value, [&](Value value) {
                check_use(value);
                uses_.emplace_back(value.index, &node);
            });
            check_subgraphs(argument.value);
        }
    }

    void check_subgraphs(const Argument& argument) const {
        if (const auto* inner = argument.get_if<Subgraph>()) {
            if (inner->index >= graph_.num_subgraphs()) fail("there is no subgraph " + std::to_string(inner->index));
        } else if (const auto* list = argument.get_if<ArgumentList>()) {
            for (const Argument& item : *list) check_subgraphs(item);
        }
    }

    /// Functions over sizes have no schema that could be asked.
    void check_sym_call(const Node& node) const {
        if (node.arguments().empty()) fail("a function over sizes is called without any");
        for (const NamedArgument& argument : node.arguments()) {
            const auto* value = argument.value.get_if<Value>();
            const bool number = value != nullptr ? graph_.info(*value).kind != ValueKind::tensor
                                                 : argument.value.is<std::int64_t>() || argument.value.is<double>() ||
                                                       argument.value.is<bool>();
            if (!number) fail("argument '" + std::string(argument.name) + "' of a function over sizes is no number");
        }
        const Value result = node.output();
        if (node.outputs().size() != 1 || !result || graph_.info(result).kind == ValueKind::tensor)
            fail("a function over sizes gives one number");
    }

    void check_users() {
        std::vector<std::pair<std::uint32_t, const Node*>> users;
        users.reserve(uses_.size());
        for (std::uint32_t i = 0; i < graph_.num_values(); ++i) {
            const ValueInfo& info = graph_.info(Value{i});
            for (const Node* user : info.users) users.emplace_back(i, user);
            if (info.output_uses != output_uses_[i])
                fail("'" + info.name + "' is an output " + std::to_string(output_uses_[i]) + " times, not " +
                     std::to_string(info.output_uses));
        }
        const auto order = [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : std::less<const Node*>{}(a.second, b.second);
        };
        algo::sort(users, order);
        algo::sort(uses_, order);
        const auto [use, user] = std::mismatch(uses_.begin(), uses_.end(), users.begin(), users.end());
        if (use == uses_.end() && user == users.end()) return;
        const bool missing = user == users.end() || (use != uses_.end() && order(*use, *user));
        node_ = missing ? use->second : nullptr;  // the other one may be gone
        fail(missing ? "'" + graph_.info(Value{use->first}).name + "' does not know of one of its users"
                     : "'" + graph_.info(Value{user->first}).name + "' has a user that does not use it");
    }

    const Graph& graph_;
    std::string where_;
    const Node* node_ = nullptr;
    std::vector<bool> defined_;
    std::vector<std::uint32_t> output_uses_;
    std::unordered_set<std::string_view> names_;
    std::vector<std::pair<std::uint32_t, const Node*>> uses_;
};

#ifdef NDEBUG
static constexpr bool debug_build = false;
#else
static constexpr bool debug_build = true;
#endif

}  // namespace detail

inline void verify(const Graph& graph) { detail::GraphVerifier(graph, {}).run(); }

/// What passes call when they are done. A template, so that sources compiled with and without NDEBUG have different ones.
template <bool Enabled = detail::debug_build>
void debug_verify(const Graph& graph) {
    if constexpr (Enabled) verify(graph);
}

}  // namespace ferry
