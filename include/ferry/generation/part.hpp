#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {

/// An exported part, ready to run: tensors in the order of its inputs, and of its outputs.
struct Part {
    std::vector<std::string> inputs;  ///< what they are called
    std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)> run;
};

/// What the tensors among a part's inputs are called, in order: "input_ids", "past_key_values.keys.0".
[[nodiscard]] inline std::vector<std::string> tensor_names(const Inputs& inputs) {
    const Tree all = inputs.tree();
    std::vector<std::string> paths = all.spec.leaf_paths(), names;
    for (std::size_t i = 0; i < paths.size(); ++i)
        if (all.leaves[i].is_tensor()) names.push_back(std::move(paths[i]));
    return names;
}

/// A program, run right here.
[[nodiscard]] inline Part part_of(const ExportedProgram& program) {
    std::vector<std::string> names;
    for (const InputSpec& input : program.signature.inputs)
        if (input.kind == InputKind::user_input && input.argument.is<Value>()) names.push_back(input.name);
    return {std::move(names),
            [module = std::make_shared<ProgramModule>(program.module())](const std::vector<at::Tensor>& given) {
                std::vector<at::Tensor> found;
                for (const Leaf& leaf : (*module)(given).leaves)
                    if (leaf.is_tensor()) found.push_back(leaf.tensor());
                return found;
            }};
}

/// A session of a runtime that knows what its inputs are called, as that of ONNX does.
template <class Session>
    requires requires(const Session& session) { session.input_names(); }
[[nodiscard]] Part part_of(std::shared_ptr<Session> session) {
    return {session->input_names(), [session](const std::vector<at::Tensor>& given) { return session->run(given); }};
}

/// One that does not, as that of ExecuTorch.
template <class Session>
[[nodiscard]] Part part_of(std::shared_ptr<Session> session, std::vector<std::string> inputs) {
    return {std::move(inputs), [session](const std::vector<at::Tensor>& given) { return session->run(given); }};
}

}  // namespace ferry::generation
