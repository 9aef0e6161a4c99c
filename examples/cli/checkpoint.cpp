#include "checkpoint.hpp"

#include "calls.hpp"

#include <ferry/core/error.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/models.hpp>
#include <ferry/observe/observed_model.hpp>

#include <ATen/ops/ones.h>

#include <map>
#include <optional>
#include <string_view>

namespace cli {
namespace {

std::optional<at::ScalarType> dtype_of(const std::string& name) {
    if (name.empty()) return std::nullopt;
    const std::map<std::string, at::ScalarType> known{
        {"float32", at::kFloat}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16}};
    return known.at(name);
}

/// Two texts, where texts are all that a model takes.
ferry::Inputs sample_of(const ferry::AnyModel& model) {
    const ferry::AnyModel reader = model.part("encoder").value_or(model);
    ferry::Inputs made;
    for (const char* name : {"input_ids", "attention_mask"})
        if (reader.takes(name)) made.set(name, at::ones({2, 8}, at::TensorOptions(at::kLong)));
    if (!made.contains("input_ids"))
        throw ferry::Error(ferry::ErrorKind::invalid_input, std::string(model.type()) + " does not take texts alone",
                           {.hint = "give sample inputs with --inputs F.safetensors"});
    return made;
}

/// Whether forward gives something back that the next call takes.
bool generates(const ferry::AnyModel& model) {
    for (const std::string_view parameter : model.parameters())
        if (model.initial(parameter)) return true;
    return false;
}

}  // namespace

bool is_checkpoint(const std::filesystem::path& path) { return std::filesystem::is_directory(path); }

std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(const std::filesystem::path& folder,
                                                                               const ferry::NamedTensors& inputs,
                                                                               const ferry::DynamoConfig& config,
                                                                               const CheckpointOptions& options) {
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder, dtype_of(options.dtype));
    ferry::Inputs given;
    for (const auto& [name, tensor] : inputs) given.set(name, tensor);
    if (given.empty()) given = sample_of(model);
    const ferry::DynamoExporter<> exporter;
    if (generates(model))
        return ferry::export_for_generation(exporter, model, given, config,
                                            {.static_cache_length = options.static_cache_length});
    if (options.static_cache_length > 0)
        throw ferry::Error(ferry::ErrorKind::invalid_input, std::string(model.type()) + " has no cache",
                           {.hint = "leave --static-cache out"});
    std::vector<std::pair<std::string, ferry::ExportedProgram>> made;
    made.emplace_back("model", exporter.export_model(model, given, config));
    return made;
}

void observe_checkpoint(const std::filesystem::path& folder, const std::vector<ferry::NamedTensors>& calls,
                        ferry::InputObserver& observer) {
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
    auto observed = observer(model, {.store_n_calls = calls.size()});
    for (const ferry::NamedTensors& call : calls) {
        ferry::Inputs inputs = model.prepare_inputs(nested_inputs(call));
        for (const std::string_view parameter : model.parameters())
            if (!inputs.contains(parameter))
                if (const auto initial = model.initial(parameter)) inputs.set(parameter, *initial);
        static_cast<void>(observed(inputs));
    }
}

}  // namespace cli
