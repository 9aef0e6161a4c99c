#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/onnx/exported_model.hpp>
#include <ferry/onnx/ir/emit.hpp>
#include <ferry/onnx/names.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/program/parameters.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry {
namespace onnx {

/// A program as ONNX Runtime has it. The model is handed over in memory and its weights beside it, so that they may be of any size.
class Runner {
public:
    explicit Runner(const OnnxProgram& program, runtime::SessionOptions options = {})
        : Runner(emit(program.model(), Weights::outside, "weights"), options) {}

    [[nodiscard]] const runtime::OnnxSession& session() const noexcept { return session_; }

private:
    Runner(const Emitted& emitted, runtime::SessionOptions options)
        : session_(as_bytes(emitted.proto.SerializeAsString()), options, weights_of(emitted)) {}

    [[nodiscard]] static std::span<const std::byte> as_bytes(const std::string& text) {
        return std::as_bytes(std::span(text));
    }
    [[nodiscard]] static runtime::NamedWeights weights_of(const Emitted& emitted) {
        runtime::NamedWeights weights;
        weights.reserve(emitted.external.size());
        for (const ExternalTensor& each : emitted.external) weights.emplace_back(each.name, each.tensor);
        return weights;
    }

    runtime::OnnxSession session_;
};

namespace detail {

[[nodiscard]] inline at::Tensor to_input(const InterfaceInput& input, const Leaf& leaf) {
    if (leaf.is_tensor() && leaf.tensor().defined())
        return input.is_complex ? at::view_as_real(leaf.tensor().resolve_conj()) : leaf.tensor();
    const auto one = [](const c10::Scalar& value, at::ScalarType dtype) {
        return at::scalar_tensor(value, at::TensorOptions(dtype)).reshape({1});
    };
    if (const auto* flag = leaf.get_if<bool>()) return one(*flag, at::kBool);
    if (const auto* number = leaf.get_if<std::int64_t>()) return one(*number, at::kLong);
    if (const auto* number = leaf.get_if<double>()) return one(*number, at::kDouble);
    throw Error(ErrorKind::invalid_input, "an input is not a tensor or number", {.where = {.path = input.name}});
}

[[nodiscard]] inline at::Tensor to_result(const at::Tensor& result, bool is_complex) {
    return is_complex ? at::view_as_complex(result) : result;
}

[[nodiscard]] inline Leaf to_leaf(const InterfaceOutput& output, const at::Tensor& result) {
    switch (output.kind) {
        case ValueKind::tensor: return to_result(result, output.is_complex);
        case ValueKind::sym_int: return result.item<std::int64_t>();
        case ValueKind::sym_float: return result.item<double>();
        default: return result.item<bool>();
    }
}

/// An input that is no tensor was part of the export; another value would be left out of the results in silence.
inline void check_fixed(const FixedInput& input, const Leaf& given) {
    if (given.is_absent() ? input.value.is_none() : !given.is_tensor() && to_argument(given) == input.value) return;
    throw Error(ErrorKind::invalid_input, "an input is not the value that the model was exported with",
                {.hint = "export it again with the value that is wanted", .where = {.path = input.name}});
}

/// All that are wanted; an Error names those that are not there.
inline void append_weights(const std::vector<std::string>& wanted, const NamedTensors& given,
                           std::vector<at::Tensor>& tensors) {
    std::string missing;
    for (const std::string& name : wanted) {
        const auto found = algo::find(given, name, &NamedTensors::value_type::first);
        if (found == given.end())
            missing.append(missing.empty() ? "" : ", ").append(name);
        else
            tensors.push_back(found->second.detach());
    }
    if (!missing.empty())
        throw Error(ErrorKind::invalid_input,
                    "the model was exported without its weights, and these are not given: " + missing,
                    {.hint = "hand them over: run(inputs, program.state)"});
}

}  // namespace detail
}  // namespace onnx

FERRY_INLINE OnnxResults OnnxProgram::run(const Inputs& inputs, const NamedTensors& weights) const {
    std::call_once(exported_->once, [&] { exported_->runner = std::make_shared<onnx::Runner>(*this); });
    const std::vector<Leaf> given = leaves_by_name(interface().parameters, inputs);
    for (const onnx::FixedInput& input : interface().fixed) onnx::detail::check_fixed(input, given.at(input.leaf));
    std::vector<at::Tensor> tensors;
    tensors.reserve(interface().inputs.size());
    for (const onnx::InterfaceInput& input : interface().inputs)
        tensors.push_back(onnx::detail::to_input(input, given.at(input.leaf)));
    onnx::detail::append_weights(interface().weights, weights, tensors);

    const std::vector<at::Tensor> results = exported_->runner->session().run(tensors);
    std::size_t at = 0;
    std::vector<Leaf> leaves;
    leaves.reserve(interface().outputs.size());
    for (const onnx::InterfaceOutput& output : interface().outputs)
        leaves.push_back(output.is_constant ? to_leaf(output.constant)
                                            : onnx::detail::to_leaf(output, results.at(at++)));
    OnnxResults made{.outputs = {interface().out_spec, std::move(leaves)}};
    for (const onnx::MutatedOutput& each : interface().mutated)
        made.mutated.emplace(each.target, onnx::detail::to_result(results.at(at++), each.is_complex));
    return made;
}

}  // namespace ferry
