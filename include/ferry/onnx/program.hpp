#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/onnx/config.hpp>
#include <ferry/onnx/ir/emit.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/names.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry {
namespace onnx {

class Runner;  // what runs a model, in verify/run_onnx.hpp
/// Makes the runner once, whichever thread and whichever copy of a program comes first.
struct FirstRun {
    std::once_flag once{};
    std::shared_ptr<Runner> runner{};
};

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
    OnnxProgram(onnx::Model model, onnx::Interface interface, OnnxConfig config)
        : model_(std::move(model)), interface_(std::move(interface)), config_(std::move(config)) {}

    [[nodiscard]] std::vector<std::string> input_names() const;
    /// The user's outputs, then what is new of mutated inputs and buffers.
    [[nodiscard]] std::vector<std::string> output_names() const;
    [[nodiscard]] const onnx::Interface& interface() const noexcept { return interface_; }
    [[nodiscard]] const onnx::Model& model() const noexcept { return model_; }
    [[nodiscard]] std::size_t num_nodes() const noexcept { return model_.num_nodes(); }

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

    onnx::Model model_;
    onnx::Interface interface_;
    OnnxConfig config_;
    std::shared_ptr<onnx::FirstRun> first_run_ = std::make_shared<onnx::FirstRun>();
};

inline std::vector<std::string> OnnxProgram::input_names() const {
    std::vector<std::string> names;
    for (const onnx::Ref each : model_.main().inputs) names.push_back(model_[each].name);
    return names;
}

inline std::vector<std::string> OnnxProgram::output_names() const {
    std::vector<std::string> names;
    for (const onnx::Ref each : model_.main().outputs) names.push_back(model_[each].name);
    return names;
}

inline std::uint64_t OnnxProgram::weight_bytes() const {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < model_.num_values(); ++i)
        if (const at::Tensor& tensor = model_[onnx::Ref{i}].constant; tensor.defined()) total += tensor.nbytes();
    return total;
}

inline ::ONNX_NAMESPACE::ModelProto OnnxProgram::model_proto() const {
    constexpr std::uint64_t most = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 26);
    if (weight_bytes() > most)
        throw Error(ErrorKind::unsupported, "a message of protobuf cannot hold more than two gigabytes",
                    {.hint = "save() it with external_data, and load the file"});
    return onnx::emit(model_, onnx::Weights::inside, {}, config_.keep_initializers_as_inputs).proto;
}

inline void OnnxProgram::save(const std::filesystem::path& path) const {
    std::filesystem::path beside = path;
    beside += ".data";
    onnx::Emitted emitted;
    if (config_.external_data)
        emitted =
            onnx::emit(model_, onnx::Weights::outside, beside.filename().string(), config_.keep_initializers_as_inputs);
    else
        emitted.proto = model_proto();
    std::string bytes;
    if (!emitted.proto.SerializeToString(&bytes))
        throw Error(ErrorKind::unsupported, "the model cannot be written as one message of protobuf",
                    {.hint = "turn external_data on", .where = {.path = path.string()}});
    files::OutputFile file(path);
    file.write(std::as_bytes(std::span(bytes)));
    std::optional<files::OutputFile> weights;
    if (!emitted.external.empty()) {
        weights.emplace(beside);
        static constexpr std::byte gap[4096]{};
        for (const onnx::ExternalTensor& each : emitted.external) {
            weights->write(std::span(gap).first(each.offset - weights->size()));
            const at::Tensor dense = each.tensor.contiguous();
            weights->write({static_cast<const std::byte*>(dense.const_data_ptr()), each.length});
        }
        weights->commit();
    }
    file.commit();
}

}  // namespace ferry
