#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/onnx/config.hpp>
#include <ferry/onnx/exported_model.hpp>
#include <ferry/onnx/ir/emit.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/names.hpp>
#include <ferry/onnx/program.hpp>
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

FERRY_INLINE OnnxProgram::OnnxProgram(onnx::Model model, onnx::Interface interface, OnnxConfig config)
    : exported_(std::make_shared<onnx::ExportedModel>(std::move(model), std::move(interface), std::move(config))) {}

FERRY_INLINE const onnx::Interface& OnnxProgram::interface() const noexcept { return exported_->interface; }
FERRY_INLINE const onnx::Model& OnnxProgram::model() const noexcept { return exported_->model; }
FERRY_INLINE std::size_t OnnxProgram::num_nodes() const noexcept { return model().num_nodes(); }

FERRY_INLINE std::vector<std::string> OnnxProgram::input_names() const {
    std::vector<std::string> names;
    for (const onnx::Ref each : model().main().inputs) names.push_back(model()[each].name);
    return names;
}

FERRY_INLINE std::vector<std::string> OnnxProgram::output_names() const {
    std::vector<std::string> names;
    for (const onnx::Ref each : model().main().outputs) names.push_back(model()[each].name);
    return names;
}

FERRY_INLINE std::uint64_t OnnxProgram::weight_bytes() const {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < model().num_values(); ++i)
        if (const at::Tensor& tensor = model()[onnx::Ref{i}].constant; tensor.defined()) total += tensor.nbytes();
    return total;
}

FERRY_INLINE ::ONNX_NAMESPACE::ModelProto OnnxProgram::model_proto() const {
    constexpr std::uint64_t most = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 26);
    if (weight_bytes() > most)
        throw Error(ErrorKind::unsupported, "a message of protobuf cannot hold more than two gigabytes",
                    {.hint = "save() it with external_data, and load the file"});
    return onnx::emit(model(), onnx::Weights::inside, {}, exported_->config.keep_initializers_as_inputs).proto;
}

FERRY_INLINE void OnnxProgram::save(const std::filesystem::path& path) const {
    std::filesystem::path beside = path;
    beside += ".data";
    onnx::Emitted emitted;
    if (exported_->config.external_data)
        emitted = onnx::emit(model(), onnx::Weights::outside, beside.filename().string(),
                             exported_->config.keep_initializers_as_inputs);
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
