#include "onnx_file.hpp"

#include <ferry/program/pick_inputs.hpp>
#include <ferry/verify/onnx_runtime.hpp>

namespace cli {

std::vector<at::Tensor> run_onnx(const std::filesystem::path& path, const ferry::NamedTensors& inputs) {
    const ferry::runtime::OnnxSession session(path);
    std::vector<ferry::InputSlot> slots;
    for (const std::string& name : session.input_names()) slots.push_back({.path = name});
    return session.run(ferry::pick_inputs(slots, inputs));
}

}  // namespace cli
