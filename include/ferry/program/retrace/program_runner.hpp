#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/program/retrace/paired_numbers.hpp>
#include <ferry/program/retrace/plain_views.hpp>
#include <ferry/program/retrace/program_checks.hpp>
#include <ferry/program/retrace/program_sizes.hpp>
#include <ferry/program/retrace/record_higher_order.hpp>
#include <ferry/tree/tree.hpp>

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::detail {

/// A program as a model: leaves in, what its graph returns out.
class ProgramRunner {
public:
    /// With a way to find entries for ops on complex numbers, pairs of real ones stand for these.
    explicit ProgramRunner(const ExportedProgram& program,
                           capture::Kernel (*find_paired)(std::string_view op) = nullptr)
        : program_(program), interpreter_(program.graph), checks_(program), views_(plain_views(program.graph)) {
        take_state();
        if (find_paired != nullptr) watch_.call = PairedCall(watch_, find_paired);
        watch_.on_numbers = [this](const Node& node, std::span<const SymNumber> numbers, const SymNumber& result) {
            checks_.meet(node, numbers);
            if (holds_real(result)) record_real(node, numbers, real_of(result));
        };
    }

    ProgramRunner(const ProgramRunner&) = delete;
    ProgramRunner& operator=(const ProgramRunner&) = delete;

    /// From now on complex numbers are what they are.
    void stop_pairing() { watch_.call = nullptr; }

    [[nodiscard]] const ModelState& state() const noexcept { return state_; }
    [[nodiscard]] const RunWatch& watch() const noexcept { return watch_; }
    /// What its nodes say of sizes that depend on values, as they run.
    [[nodiscard]] auto stated() const {
        return [this](std::string_view op, std::span<const capture::ResultSize> places) {
            return stated_size(watch_, op, places);
        };
    }
    [[nodiscard]] const PlainViews& views() const noexcept { return views_; }
    [[nodiscard]] const ProgramChecks& checks() const noexcept { return checks_; }

    [[nodiscard]] Tree run(const std::vector<Leaf>& leaves) {
        std::vector<c10::IValue> values;
        values.reserve(program_.signature.inputs.size());
        std::size_t leaf = 0, kept = 0;
        for (const InputSpec& input : program_.signature.inputs) {
            if (input.kind != InputKind::user_input)
                values.emplace_back(kept_[kept++]);
            else if (const Leaf& given = leaves.at(leaf++); input.argument.is<Value>())
                values.push_back(to_ivalue(given));
        }
        const auto found = with_our_errors([&] { return run_graph(std::move(values)); }, [&] { return watch_.node; });
        std::vector<Tree> results;
        results.reserve(found.size());
        for (const c10::IValue& each : found) results.emplace_back(to_leaf(each));
        watch_.node = nullptr;
        return Tree::list(std::move(results));
    }

private:
    [[nodiscard]] std::vector<c10::IValue> run_graph(std::vector<c10::IValue> values) {
        if (!watch_.call) return interpreter_.run(values, &watch_);
        const Graph& graph = program_.graph;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (is_complex_value(graph, graph.inputs()[i])) values[i] = at::view_as_real(values[i].toTensor());
        std::vector<c10::IValue> found = interpreter_.run(values, &watch_);
        for (std::size_t i = 0; i < found.size(); ++i)
            if (const auto* value = graph.outputs()[i].get_if<Value>();
                value != nullptr && is_complex_value(graph, *value))
                found[i] = at::view_as_complex(found[i].toTensor().contiguous());
        return found;
    }

    /// What is computed from sizes and is no integer is computed in the new program too.
    void record_real(const Node& node, std::span<const SymNumber> numbers, double result) const {
        capture::Tracer* tracer = capture::current_tracer();
        if (tracer == nullptr) return;
        std::vector<Argument> arguments;
        arguments.reserve(numbers.size());
        for (const SymNumber& number : numbers)
            arguments.push_back(std::visit([](auto value) { return Argument(value); }, number));
        const SymExpr& meaning = watch_.graph->info(node.output()).symbol;
        const bool has_names =
            algo::none_of(free_symbols(meaning), [](const std::string& symbol) { return is_unbacked_name(symbol); });
        tracer->add_real(node.op(), std::move(arguments), result, has_names ? meaning : SymExpr());
    }

    void take_state() {
        std::unordered_map<std::string_view, at::Tensor> tensors;
        for (const auto* named : {&program_.state, &program_.constants})
            for (const auto& [name, tensor] : *named) tensors.emplace(name, tensor);
        for (const InputSpec& input : program_.signature.inputs) {
            if (input.kind == InputKind::user_input) continue;
            const at::Tensor& tensor = kept_.emplace_back(tensors.at(input.target));
            if (input.kind == InputKind::parameter) state_.parameters.emplace_back(input.target, tensor);
            if (input.kind == InputKind::buffer) state_.buffers.emplace_back(input.target, tensor);
            if (input.kind == InputKind::constant_tensor) state_.constants.emplace_back(input.target, tensor);
        }
    }

    const ExportedProgram& program_;
    ModelState state_;
    std::vector<at::Tensor> kept_;  // by input that is no user's
    Interpreter interpreter_;
    ProgramChecks checks_;
    PlainViews views_;
    RunWatch watch_{.higher_order = &record_higher_order};
};

}  // namespace ferry::detail
