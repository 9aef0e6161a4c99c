#include "script_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/script_inputs.hpp>
#include <ferry/dynamo/torchscript.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/observe/torchscript.hpp>

#include <c10/core/GradMode.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/serialization/import.h>

#include <exception>
#include <map>
#include <optional>
#include <utility>

namespace cli {

struct ScriptFile::Module {
    torch::jit::Module script;

    [[nodiscard]] const c10::FunctionSchema& schema() const {
        const auto method = script.find_method("forward");
        if (!method)
            throw ferry::Error(ferry::ErrorKind::invalid_input, "the TorchScript module has no method forward");
        return method->function().getSchema();
    }
};

namespace {

torch::jit::Module load(const std::filesystem::path& path) {
    try {
        return torch::jit::load(path.string(), at::kCPU);
    } catch (const std::exception& error) {
        throw ferry::Error(
            ferry::ErrorKind::bad_file, "libtorch cannot load this TorchScript file: " + ferry::message_of(error),
            {.hint = "if it comes from torch.jit.optimize_for_inference, which gives what no file can hold: save the "
                     "module as it was before that",
             .where = {.path = path.string()}});
    }
}

void count_ops(const torch::jit::Block& block, std::map<std::string, std::size_t>& ops) {
    for (const torch::jit::Node* node : block.nodes()) {
        const auto* schema = node->maybeSchema();
        if (schema != nullptr && !node->kind().is_prim()) {
            const std::string overload = schema->overload_name();
            ++ops[schema->name() + (overload.empty() ? "" : '.' + overload)];
        }
        for (const torch::jit::Block* inner : node->blocks()) count_ops(*inner, ops);
    }
}

/// What comes out, as far as the types tell: behind a list or something optional the positions are not known.
void describe_outputs(const c10::TypePtr& type, const std::string& path, std::optional<std::size_t>& tensors,
                      std::vector<ferry::ValueSummary>& outputs) {
    if (const auto tuple = type->cast<c10::TupleType>()) {
        for (std::size_t i = 0; i < tuple->elements().size(); ++i)
            describe_outputs(tuple->elements()[i], path + (path.empty() ? "" : ".") + std::to_string(i), tensors,
                             outputs);
        return;
    }
    ferry::ValueSummary& made = outputs.emplace_back();
    made.path = path;
    made.type = type->annotation_str();
    if (type->kind() == c10::TypeKind::TensorType) {
        made.position = tensors;
        if (tensors) ++*tensors;
    } else if (type->containedTypeSize() != 0) {
        tensors.reset();
    }
}

}  // namespace

ScriptFile::ScriptFile(const std::filesystem::path& path) : module_(new Module{load(path)}) {}
ScriptFile::~ScriptFile() = default;

ferry::ExportedProgram ScriptFile::capture(const ferry::NamedTensors& inputs, const ferry::DynamoConfig& config) {
    return ferry::DynamoExporter{}.export_model(module_->script, ferry::script_inputs(module_->schema(), inputs),
                                                config);
}

std::vector<at::Tensor> ScriptFile::run(const ferry::NamedTensors& inputs) {
    const c10::NoGradGuard no_gradients;
    const ferry::Tree result = ferry::model_adapter<torch::jit::Module>::call<ferry::pytrees<>>(
        module_->script, ferry::script_inputs(module_->schema(), inputs));
    std::vector<at::Tensor> tensors;
    for (const ferry::Leaf& leaf : result.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined()) tensors.push_back(leaf.tensor());
    return tensors;
}

void ScriptFile::observe(const std::vector<ferry::NamedTensors>& calls, ferry::InputObserver& observer) {
    auto observed = observer(module_->script, {.store_n_calls = calls.size()});
    for (const ferry::NamedTensors& call : calls)
        static_cast<void>(observed(ferry::script_inputs(module_->schema(), call)));
}

ferry::ProgramSummary ScriptFile::summary() const {
    ferry::ProgramSummary made;
    const c10::FunctionSchema& schema = module_->schema();
    std::size_t position = 0;
    for (const ferry::InputSlot& slot : ferry::script_slots(schema)) {
        ferry::ValueSummary& input = made.inputs.emplace_back();
        input.path = input.name = slot.path;
        input.type = slot.type;
        if (slot.kind == ferry::InputSlot::Kind::tensor) input.position = position++;
    }
    std::optional<std::size_t> tensors = 0;
    for (const c10::Argument& result : schema.returns()) describe_outputs(result.type(), "", tensors, made.outputs);
    const auto graph = module_->script.get_method("forward").graph()->copy();
    torch::jit::Inline(*graph);
    count_ops(*graph->block(), made.ops);
    for (const auto& item : module_->script.named_parameters(true))
        made.weights.add(made.weights.parameters, item.value);
    for (const auto& item : module_->script.named_buffers(true)) made.weights.add(made.weights.buffers, item.value);
    return made;
}

std::vector<std::string> ScriptFile::methods() const {
    std::vector<std::string> names;
    for (const auto& method : module_->script.get_methods()) names.push_back(method.name());
    return names;
}

}  // namespace cli
