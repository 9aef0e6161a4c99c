#include "executorch_file.hpp"

#include <ferry/executorch/summary.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

using ferry::executorch::MethodSlot;
using ferry::executorch::MethodSummary;

ferry::ValueSummary describe(const MethodSlot& slot, const std::string& name, std::size_t& tensors) {
    ferry::ValueSummary made{.path = name, .name = name, .type = slot.type, .dtype = slot.dtype};
    if (slot.type != "Tensor") return made;
    made.position = tensors++;
    made.shape.emplace();
    for (std::size_t i = 0; i < slot.sizes.size(); ++i) made.shape->emplace_back(slot.sizes[i]);
    return made;
}

template <class NameOf>
std::vector<ferry::ValueSummary> describe(const std::vector<MethodSlot>& slots, const NameOf& name_of) {
    std::vector<ferry::ValueSummary> made;
    std::size_t tensors = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) made.push_back(describe(slots[i], name_of(i), tensors));
    return made;
}

}  // namespace

void describe_executorch(const std::filesystem::path& path, Description& description) {
    ferry::executorch::FileSummary file = ferry::executorch::summarize(path);
    std::set<std::string> backends;
    for (const MethodSummary& each : file.methods) {
        description.methods.push_back(each.name);
        for (const auto& [backend, count] : each.backends) backends.insert(backend);
    }
    description.delegates.assign(backends.begin(), backends.end());
    description.program.weights.bytes = file.data_bytes;
    description.executorch = std::move(file.methods);
    if (description.executorch.empty()) return;
    const auto forward = std::ranges::find(description.executorch, "forward", &MethodSummary::name);
    const MethodSummary& shown = forward == description.executorch.end() ? description.executorch[0] : *forward;
    description.program.inputs = describe(shown.inputs, input_name);
    description.program.outputs = describe(shown.outputs, [](std::size_t i) { return "output_" + std::to_string(i); });
    description.program.ops = shown.kernels;
}

}  // namespace cli
