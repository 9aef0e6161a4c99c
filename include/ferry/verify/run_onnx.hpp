#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry {
namespace onnx {

/// A program as ONNX Runtime has it. Models are handed over in memory, so those past protobuf's two gigabytes must be saved and loaded.
class Runner {
public:
    explicit Runner(const OnnxProgram& program, runtime::SessionOptions options = {})
        : session_(as_bytes(program.model_proto().SerializeAsString()), options) {}

    [[nodiscard]] const runtime::OnnxSession& session() const noexcept { return session_; }

private:
    [[nodiscard]] static std::span<const std::byte> as_bytes(const std::string& text) {
        return std::as_bytes(std::span(text));
    }
    runtime::OnnxSession session_;
};

}  // namespace onnx

inline Tree OnnxProgram::operator()(const Inputs& inputs) const {
    if (!runner_) runner_ = std::make_shared<onnx::Runner>(*this);
    const Tree given = inputs.tree();
    const TreeSpec& wanted = interface_.in_spec.children().at(1);
    const bool by_place = !interface_.in_spec.children().at(0).children().empty();
    if (!by_place && !(given.spec == wanted))
        throw Error(ErrorKind::invalid_input, "the inputs are not nested like those of the export",
                    {.hint = "expected " + wanted.str() + "\n  found " + given.spec.str()});
    if (!interface_.weights.empty())
        throw Error(ErrorKind::invalid_input,
                    "the model was exported without its weights, and cannot run without them");
    std::vector<at::Tensor> tensors;
    tensors.reserve(interface_.inputs.size());
    for (const onnx::InterfaceInput& input : interface_.inputs) {
        if (input.leaf >= given.leaves.size())
            throw Error(ErrorKind::invalid_input, "an input is not given", {.where = {.path = input.name}});
        const Leaf& leaf = given.leaves[input.leaf];
        if (leaf.is_tensor() && leaf.tensor().defined())
            tensors.push_back(leaf.tensor());
        else if (const auto* number = leaf.get_if<std::int64_t>())
            tensors.push_back(at::scalar_tensor(*number, at::TensorOptions(at::kLong)).reshape({1}));
        else
            throw Error(ErrorKind::invalid_input, "an input is not a tensor", {.where = {.path = input.name}});
    }
    std::vector<at::Tensor> results = runner_->session().run(tensors);
    std::vector<Leaf> leaves;
    leaves.reserve(interface_.outputs.size());
    std::size_t at = 0;
    for (const onnx::InterfaceOutput& output : interface_.outputs) {
        if (output.is_constant) {
            leaves.push_back(to_leaf(output.constant));
            continue;
        }
        at::Tensor& result = results.at(at++);
        if (output.kind == ValueKind::tensor)
            leaves.emplace_back(std::move(result));
        else if (output.kind == ValueKind::sym_int)
            leaves.emplace_back(result.item<std::int64_t>());
        else if (output.kind == ValueKind::sym_float)
            leaves.emplace_back(result.item<double>());
        else
            leaves.emplace_back(result.item<bool>());
    }
    return {interface_.out_spec, std::move(leaves)};
}

}  // namespace ferry
