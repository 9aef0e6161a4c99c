#include "onnx_file.hpp"

#include <ferry/program/pick_inputs.hpp>
#include <ferry/verify/onnx_artifact.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace cli {

std::vector<at::Tensor> run_onnx(const std::filesystem::path& path, const ferry::NamedTensors& inputs) {
    const ferry::runtime::OnnxSession session(path);
    std::vector<ferry::InputSlot> slots;
    const auto& outputs = session.output_names();
    const std::string prefix = "input.";
    for (const std::string& name : session.input_names()) {
        // What goes in and comes out again, which both have one name for.
        const std::string path = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
        const bool is_both = path != name && std::ranges::find(outputs, "output." + path) != outputs.end();
        slots.push_back(is_both ? ferry::InputSlot{.path = path, .alias = name} : ferry::InputSlot{.path = name});
    }
    return session.run(ferry::pick_inputs(slots, inputs));
}

ferry::artifacts::Artifact onnx_file_artifact(const std::filesystem::path& path) { return ferry::onnx_artifact(path); }

}  // namespace cli
