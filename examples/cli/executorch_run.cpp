#include "executorch_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/executorch/summary.hpp>
#include <ferry/program/pick_inputs.hpp>
#include <ferry/verify/executorch_artifact.hpp>
#include <ferry/verify/executorch_runtime.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace cli {
namespace {

using ferry::executorch::MethodSlot;
using ferry::executorch::MethodSummary;

ferry::InputSlot slot_of(const MethodSlot& slot, std::size_t index) {
    ferry::InputSlot made{.path = input_name(index), .type = slot.type};
    if (slot.type != "Tensor") made.kind = ferry::InputSlot::Kind::number;
    return made;
}

const MethodSummary& method_called(const std::string& name, const std::vector<MethodSummary>& methods) {
    const auto found = std::ranges::find(methods, name, &MethodSummary::name);
    if (found != methods.end()) return *found;
    std::string known;
    for (const MethodSummary& each : methods) known.append(known.empty() ? "" : ", ").append(each.name);
    throw ferry::Error(ferry::ErrorKind::invalid_input, "the file has no method '" + name + "'",
                       {.hint = "it has " + (known.empty() ? "none" : known) + ": choose one with --model"});
}

}  // namespace

std::vector<at::Tensor> run_executorch(const std::filesystem::path& path, const std::string& method,
                                       const ferry::NamedTensors& inputs) {
    const ferry::executorch::FileSummary file = ferry::executorch::summarize(path);
    const MethodSummary& called = method_called(method.empty() ? "forward" : method, file.methods);
    std::vector<ferry::InputSlot> slots;
    for (const MethodSlot& each : called.inputs) slots.push_back(slot_of(each, slots.size()));
    return ferry::runtime::ExecutorchSession(path, called.name).run(ferry::pick_inputs(slots, inputs));
}

ferry::artifacts::Artifact executorch_file_artifact(const std::filesystem::path& path, const std::string& method) {
    return ferry::executorch_artifact(path, method.empty() ? "forward" : method);
}

}  // namespace cli
