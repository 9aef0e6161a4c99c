#pragma once

#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/program/retrace/program_checks.hpp>
#include <ferry/program/retrace/record_higher_order.hpp>
#include <ferry/tree/tree.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ferry::detail {

[[nodiscard]] inline ModelState state_of_program(const ExportedProgram& program) {
    std::unordered_map<std::string_view, at::Tensor> tensors;
    for (const auto* named : {&program.state, &program.constants})
        for (const auto& [name, tensor] : *named) tensors.emplace(name, tensor);
    ModelState state;
    for (const InputSpec& input : program.signature.inputs) {
        const auto found = input.kind == InputKind::user_input ? tensors.end() : tensors.find(input.target);
        if (found == tensors.end()) continue;
        if (input.kind == InputKind::parameter) state.parameters.emplace_back(input.target, found->second);
        if (input.kind == InputKind::buffer) state.buffers.emplace_back(input.target, found->second);
        if (input.kind == InputKind::constant_tensor) state.constants.emplace_back(input.target, found->second);
    }
    return state;
}

/// A program as a model: leaves in, what its graph returns out.
class ProgramRunner {
public:
    explicit ProgramRunner(const ExportedProgram& program)
        : program_(program), state_(state_of_program(program)), interpreter_(program.graph), checks_(program) {
        watch_.on_numbers = [this](const Node& node, std::span<const SymNumber> numbers) {
            checks_.meet(node, numbers);
        };
        for (const auto* named : {&state_.parameters, &state_.buffers, &state_.constants})
            for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
    }

    ProgramRunner(const ProgramRunner&) = delete;
    ProgramRunner& operator=(const ProgramRunner&) = delete;

    [[nodiscard]] const ModelState& state() const noexcept { return state_; }
    [[nodiscard]] const RunWatch& watch() const noexcept { return watch_; }
    [[nodiscard]] const ProgramChecks& checks() const noexcept { return checks_; }

    [[nodiscard]] Tree run(const std::vector<Leaf>& leaves) {
        std::vector<c10::IValue> values;
        values.reserve(program_.signature.inputs.size());
        std::size_t leaf = 0;
        for (const InputSpec& input : program_.signature.inputs) {
            if (input.kind != InputKind::user_input)
                values.emplace_back(tensors_.at(input.target));
            else if (const Leaf& given = leaves.at(leaf++); input.argument.is<Value>())
                values.emplace_back(given.tensor());
        }
        const auto found = interpreter_.run(values, &watch_);
        std::vector<Tree> results;
        results.reserve(found.size());
        for (const c10::IValue& each : found) results.emplace_back(to_leaf(each));
        watch_.node = nullptr;
        return Tree::list(std::move(results));
    }

private:
    const ExportedProgram& program_;
    ModelState state_;
    Interpreter interpreter_;
    ProgramChecks checks_;
    std::unordered_map<std::string, at::Tensor> tensors_;
    RunWatch watch_{.higher_order = &record_higher_order};
};

}  // namespace ferry::detail
