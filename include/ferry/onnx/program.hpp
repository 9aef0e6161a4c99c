#pragma once

#include <ferry/core/error.hpp>
#include <ferry/onnx/config.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

// The message itself is in <onnx/onnx_pb.h>, for those who ask for it.
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
namespace ONNX_NAMESPACE {
class ModelProto;
}

namespace ferry {
namespace onnx {

class Model;
struct Interface;
struct ExportedModel;

}  // namespace onnx

/// What a run of a model gives.
struct OnnxResults {
    Tree outputs{};  ///< nested as the model returns them
    std::map<std::string, at::Tensor>
        mutated{};  ///< the new values of inputs and buffers that the model writes to, by their names
};

/// An exported model: checked, in memory, its weights still those of the program that it came from.
class OnnxProgram {
public:
    OnnxProgram(onnx::Model model, onnx::Interface interface, OnnxConfig config);

    [[nodiscard]] std::vector<std::string> input_names() const;
    /// The user's outputs, then what is new of mutated inputs and buffers.
    [[nodiscard]] std::vector<std::string> output_names() const;
    [[nodiscard]] const onnx::Interface& interface() const noexcept;
    [[nodiscard]] const onnx::Model& model() const noexcept;
    [[nodiscard]] std::size_t num_nodes() const noexcept;

    /// Everything in one message, weights copied into it: for models below protobuf's two gigabytes.
    [[nodiscard]] ::ONNX_NAMESPACE::ModelProto model_proto() const;
    /// Writes the model, and beside it its weights unless the configuration wants them inside. Whole or not at all.
    void save(const std::filesystem::path& path) const;

    /// Runs it in ONNX Runtime, with inputs named and nested as in the export, in any order. In verify/run_onnx.hpp.
    /// `weights`: those that a model without them wants, by their names; of the program that it came from, say.
    [[nodiscard]] OnnxResults run(const Inputs& inputs, const NamedTensors& weights = {}) const;
    [[nodiscard]] Tree operator()(const Inputs& inputs) const { return run(inputs).outputs; }

private:
    [[nodiscard]] std::uint64_t weight_bytes() const;

    std::shared_ptr<onnx::ExportedModel> exported_;  // shared by copies, which are the same model
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/onnx/program-inl.hpp>
#endif
