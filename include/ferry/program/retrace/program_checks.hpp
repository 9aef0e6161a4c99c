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
        const auto found = messages_.find(&node);
        capture::Tracer* tracer = capture::current_tracer();
        if (found == messages_.end() || tracer == nullptr) return;
        tracer->add_check(integer_of(numbers[0]), node.op().substr(node.op().find("::") + 2), integer_of(numbers[1]),
                          found->second);
    }

private:
    void collect(const Graph& graph) {
        for (const Node& node : graph.nodes()) {
            const auto* checked =
                node.op() == "aten::_assert_scalar" ? node.arguments()[0].value.get_if<Value>() : nullptr;
            if (checked == nullptr) continue;
            const Node* comparison = graph.info(*checked).producer;
            if (comparison == nullptr || !compares(*comparison))
                throw Error(ErrorKind::unsupported, "a program with a check that is no comparison cannot be decomposed",
                            {.where = {.op = comparison == nullptr ? "" : std::string(comparison->op()),
                                       .path = std::string(node.module_path())}});
            messages_.emplace(comparison, expression_of(node));
            for (const NamedArgument& argument : comparison->arguments())
                if (const auto* value = argument.value.get_if<Value>())
                    for (const std::string& symbol : free_symbols(graph.info(*value).symbol)) symbols_.insert(symbol);
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect(graph.subgraph({i}));
    }

    [[nodiscard]] static bool compares(const Node& node) {
        constexpr std::string_view comparisons[] = {"_operator::eq", "_operator::ne", "_operator::lt",
                                                    "_operator::le", "_operator::gt", "_operator::ge"};
        return std::ranges::find(comparisons, node.op()) != std::end(comparisons);
    }
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

    std::unordered_map<const Node*, std::string> messages_;
    std::set<std::string> symbols_;
};

}  // namespace ferry::detail
