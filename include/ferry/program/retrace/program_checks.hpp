#pragma once

#include <ferry/capture/body.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_call.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/exported_program.hpp>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ferry::detail {

/// Sizes that a program compares before it goes on. Run under a capture they are mere numbers, so the capture is told.
class ProgramChecks {
public:
    explicit ProgramChecks(const ExportedProgram& program) { collect(program.graph); }

    /// Symbols that the checks are about.
    [[nodiscard]] const std::set<std::string>& symbols() const noexcept { return symbols_; }

    void meet(const Node& node, std::span<const SymNumber> numbers) const {
        const auto found = checks_.find(&node);
        capture::Tracer* tracer = capture::current_tracer();
        if (found == checks_.end() || tracer == nullptr) return;
        if (holds_real(numbers[0]) || holds_real(numbers[1])) refuse(node);
        tracer->add_check(integer_of(numbers[0]), found->second.comparison, integer_of(numbers[1]),
                          found->second.message);
    }

private:
    void collect(const Graph& graph) {
        for (const Node& node : graph.nodes()) {
            const auto* checked =
                node.op() == "aten::_assert_scalar" ? node.arguments()[0].value.get_if<Value>() : nullptr;
            if (checked != nullptr) require(graph, *checked, true, node);
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect(graph.subgraph({i}));
    }

    /// That a condition is true, or false: down to the comparisons that it consists of.
    void require(const Graph& graph, Value condition, bool holds, const Node& assertion) {
        const Node* node = graph.info(condition).producer;
        if (node == nullptr) refuse(assertion);
        const bool both = node->op() == (holds ? "_operator::and_" : "_operator::or_");
        if (both || node->op() == "torch::sym_not") {
            for (const NamedArgument& argument : node->arguments())
                if (const auto* value = argument.value.get_if<Value>())
                    require(graph, *value, both == holds, assertion);
            return;
        }
        const auto comparison = std::ranges::find(comparisons, node->op(), &Comparison::op);
        if (comparison == std::end(comparisons)) refuse(*node);
        checks_.emplace(node, Check{holds ? comparison->name : comparison->opposite, expression_of(assertion)});
        for (const NamedArgument& argument : node->arguments())
            if (const auto* value = argument.value.get_if<Value>())
                for (const std::string& symbol : free_symbols(graph.info(*value).symbol)) symbols_.insert(symbol);
    }

    [[noreturn]] static void refuse(const Node& node) {
        throw Error(ErrorKind::unsupported,
                    "a program with a check that is no comparison of integers cannot be decomposed",
                    {.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
    }

    struct Comparison {
        std::string_view op, name, opposite;
    };
    static constexpr Comparison comparisons[] = {{"_operator::eq", "eq", "ne"}, {"_operator::ne", "ne", "eq"},
                                                 {"_operator::lt", "lt", "ge"}, {"_operator::le", "le", "gt"},
                                                 {"_operator::gt", "gt", "le"}, {"_operator::ge", "ge", "lt"}};
    struct Check {
        std::string_view comparison;
        std::string message;
    };

    /// What the message says between torch.export's words.
    [[nodiscard]] static std::string expression_of(const Node& assertion) {
        const Argument* message = assertion.find("assert_msg");
        const auto* text = message == nullptr ? nullptr : message->get_if<std::string>();
        constexpr std::string_view before = "for expression ", after = " on node '";
        const auto start = text == nullptr ? std::string::npos : text->find(before);
        if (start == std::string::npos) return {};
        const auto end = text->rfind(after);
        const auto from = start + before.size();
        return text->substr(from, end == std::string::npos ? end : end - from);
    }

    std::unordered_map<const Node*, Check> checks_;
    std::set<std::string> symbols_;
};

}  // namespace ferry::detail
