#pragma once

#include <ferry/capture/body.hpp>
#include <ferry/capture/control_flow.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_call.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace/required_comparisons.hpp>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ferry::detail {

/// Sizes that a program compares before it goes on. Run under a capture they are mere numbers, so the capture is told.
class ProgramChecks {
public:
    explicit ProgramChecks(const ExportedProgram& program) {
        ForEachRequired([&](const RequiredComparison& each) { add(each); }, [](const Node& node) { refuse(node); })
            .go_through(program.graph);
    }

    /// Symbols that are checked without regard to numbers that depend on values.
    [[nodiscard]] const std::set<std::string>& symbols() const noexcept { return symbols_; }
    /// What they want, as far as it is about symbols.
    [[nodiscard]] const std::vector<SymExpr>& conditions() const noexcept { return conditions_; }

    void meet(const Node& node, std::span<const SymNumber> numbers) const {
        const auto found = checks_.find(&node);
        capture::Tracer* tracer = capture::current_tracer();
        if (found == checks_.end() || tracer == nullptr) return;
        if (holds_real(numbers[0]) || holds_real(numbers[1])) refuse(node);
        tracer->add_check(integer_of(numbers[0]), found->second.comparison, integer_of(numbers[1]),
                          found->second.message);
    }

private:
    void add(const RequiredComparison& comparison) {
        checks_.emplace(comparison.node, Check{comparison.name, expression_of(*comparison.assertion)});
        const auto condition = comparison.condition();
        if (!condition) return;
        conditions_.push_back(*condition);
        const auto symbols = free_symbols(*condition);
        if (algo::none_of(symbols, [](const std::string& symbol) { return is_unbacked_name(symbol); }))
            symbols_.insert(symbols.begin(), symbols.end());
    }

    [[noreturn]] static void refuse(const Node& node) {
        throw Error(ErrorKind::unsupported,
                    "a program with a check that is no comparison of integers cannot be decomposed",
                    {.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
    }

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
    std::vector<SymExpr> conditions_;
};

}  // namespace ferry::detail
