#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf.hpp>

#include <ATen/core/Tensor.h>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ferry::artifacts {

/// Something exported, ready to run: inputs named and nested as in the export, and what comes out in order.
struct Artifact {
    std::function<std::vector<Leaf>(const Inputs&)> run;
    /// Refuses inputs that can never be its, such as too few of them.
    std::function<void(const Inputs&)> check = [](const Inputs&) {};
};

/// A tensor or a number, which has no dimensions.
[[nodiscard]] at::Tensor as_tensor(const Leaf& leaf);

/// The tensors among the inputs as a runtime takes them: by the names that it has for them, if these are the paths of the inputs, else in
/// order. Another number of them is an Error.
[[nodiscard]] std::vector<at::Tensor> tensors_for(const std::vector<std::string>& names, const Inputs& inputs);

}  // namespace ferry::artifacts

namespace ferry {

[[nodiscard]] inline artifacts::Artifact artifact_of(const ExportedProgram& program) {
    return {.run = [module = std::make_shared<ProgramModule>(program.module())](const Inputs& inputs) {
        return (*module)(inputs).leaves;
    }};
}

/// Whatever takes tensors in the order of its inputs and knows what these are called, as a generation::Part does.
template <class Part>
    requires requires(const Part& part, const std::vector<at::Tensor>& tensors) {
        { part.inputs } -> std::convertible_to<const std::vector<std::string>&>;
        { part.run(tensors) } -> std::convertible_to<std::vector<at::Tensor>>;
    }
[[nodiscard]] artifacts::Artifact artifact_of(const Part& part) {
    return {.run =
                [part](const Inputs& inputs) {
                    const std::vector<at::Tensor> outputs = part.run(artifacts::tensors_for(part.inputs, inputs));
                    return std::vector<Leaf>(outputs.begin(), outputs.end());
                },
            .check = [part](const Inputs& inputs) { static_cast<void>(artifacts::tensors_for(part.inputs, inputs)); }};
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/verify/artifact-inl.hpp>
#endif
