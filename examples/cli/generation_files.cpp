#include "generation_files.hpp"

#include "executorch_file.hpp"
#include "program_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/executorch/summary.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/part.hpp>
#include <ferry/generation/runner.hpp>
#include <ferry/models/image_grid_inputs.hpp>
#include <ferry/verify/executorch_runtime.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {
namespace {

namespace generation = ferry::generation;
using ferry::executorch::MethodSlot;
using ferry::executorch::MethodSummary;

constexpr std::array<const char*, 3> suffixes{".pt2", ".onnx", ".pte"};

/// What a file's methods give that compute nothing.
using Constants = std::map<std::string, std::vector<ferry::tree::Context>>;

Constants constants_of(const std::vector<MethodSummary>& methods) {
    Constants made;
    for (const MethodSummary& each : methods)
        if (each.is_constant())
            for (const MethodSlot& slot : each.outputs) made[each.name].push_back(slot.value);
    return made;
}

/// Which constants ExecuTorch's own exports have for the tokens that generate goes by.
void take_constants(const Constants& constants, ferry::GenerationOptions& options) {
    const auto integers = [&](const char* name, auto&& take) {
        if (const auto found = constants.find(name); found != constants.end())
            for (const ferry::tree::Context& each : found->second)
                if (const auto number = each.as_integer()) take(*number);
    };
    std::vector<std::int64_t> ends;
    integers("get_eos_id", [&](std::int64_t id) { ends.push_back(id); });
    if (!ends.empty()) options.eos_token_ids = ends;
    integers("decoder_start_token_id", [&](std::int64_t id) { options.decoder_start_token_id = id; });
}

std::int64_t integer_of(const Constants& constants, const char* name, std::int64_t otherwise) {
    const auto found = constants.find(name);
    return found == constants.end() || found->second.empty() ? otherwise
                                                             : found->second[0].as_integer().value_or(otherwise);
}

const MethodSummary* method_of(const std::vector<MethodSummary>& methods, std::string_view name) {
    const auto found = std::ranges::find(methods, name, &MethodSummary::name);
    return found == methods.end() ? nullptr : &*found;
}

/// How many tokens it takes at a call: the last input is where they are.
std::int64_t tokens_at_once(const std::vector<MethodSummary>& methods, const std::filesystem::path& file) {
    for (const char* name : {"text_decoder", "forward"})
        if (const MethodSummary* method = method_of(methods, name))
            if (method->inputs.size() >= 2 && method->inputs.back().sizes.size() == 1)
                return method->inputs.back().sizes[0];
    throw ferry::Error(ferry::ErrorKind::invalid_input,
                       "the file has no method that takes tokens and their places: it was not exported to generate",
                       {.hint = "`ferry export` it with a --task that generates; `ferry run` runs any file",
                        .where = {.path = file.string()}});
}

generation::Part open_part(const std::filesystem::path& file) {
    const std::filesystem::path suffix = file.extension();
    if (suffix == ".pt2") return generation::part_of(load_program(file, {}));
    if (suffix == ".onnx") return generation::part_of(std::make_shared<ferry::runtime::OnnxSession>(file));
    std::vector<std::string> names;
    const Constants constants = constants_of(ferry::executorch::summarize(file).methods);
    if (const auto found = constants.find(std::string(input_names_method)); found != constants.end())
        for (const ferry::tree::Context& each : found->second) names.push_back(each.text());
    if (names.empty())
        throw ferry::Error(
            ferry::ErrorKind::invalid_input,
            "the file does not say what its inputs are: it has no method '" + std::string(input_names_method) + "'",
            {.hint = "export the checkpoint again", .where = {.path = file.string()}});
    return generation::part_of(std::make_shared<ferry::runtime::ExecutorchSession>(file), std::move(names));
}

/// The suffix of the files in a folder that are parts; empty: none are.
std::string suffix_of_parts(const std::filesystem::path& folder) {
    std::string found;
    for (const char* suffix : suffixes)
        if (std::filesystem::exists(folder / ("decode" + std::string(suffix)))) {
            if (!found.empty())
                throw ferry::Error(ferry::ErrorKind::invalid_input,
                                   "the folder has parts in two formats, " + found + " and " + suffix,
                                   {.hint = "leave those of one", .where = {.path = folder.string()}});
            found = suffix;
        }
    return found;
}

/// Images of sizes of their own take more than their pixels.
generation::PrepareInputs preparation(const ferry::tree::Context& config) {
    const ferry::tree::Context* vision = generation::config_field(config, {"vision_config"});
    const auto merged = vision == nullptr ? std::nullopt : generation::config_integer(*vision, {"spatial_merge_size"});
    if (!merged) return {};
    return ferry::models::ImageGridInputs{.image_token = generation::placeholder_tokens(config).image,
                                          .merged = *merged};
}

}  // namespace

bool has_task_file(const std::filesystem::path& folder) { return std::filesystem::exists(folder / "model.pte"); }

GenerationFiles open_task_file(const std::filesystem::path& folder, const GenerationConfigs& configs) {
    const std::filesystem::path file = folder / "model.pte";
    const std::vector<MethodSummary> methods = ferry::executorch::summarize(file).methods;
    const Constants constants = constants_of(methods);
    generation::RunnerProgram program{.methods = {}, .max_tokens_at_once = tokens_at_once(methods, file)};
    program.max_seq_len = integer_of(constants, "get_max_seq_len", program.max_tokens_at_once + 1);
    program.placeholders = generation::placeholder_tokens(configs.config);
    program.placeholders.image = integer_of(constants, "vision_token_id", program.placeholders.image);
    program.placeholders.audio = integer_of(constants, "audio_token_id", program.placeholders.audio);
    for (const MethodSummary& each : methods)
        if (!each.is_constant())
            program.methods.emplace(
                each.name,
                generation::part_of(std::make_shared<ferry::runtime::ExecutorchSession>(file, each.name), {}));

    GenerationFiles made{.model = nullptr,
                         .options = generation::generation_options(configs.config, configs.generation_config),
                         .max_seq_len = program.max_seq_len,
                         .is_one_text = true};
    take_constants(constants, made.options);
    made.has_start = constants.contains("decoder_start_token_id");
    made.model = std::make_unique<generation::Runner>(std::move(program));
    return made;
}

bool has_parts(const std::filesystem::path& folder) { return !suffix_of_parts(folder).empty(); }

GenerationFiles open_parts(const std::filesystem::path& folder, const GenerationConfigs& configs) {
    const std::string suffix = suffix_of_parts(folder);
    std::map<std::string, generation::Part> parts;
    for (const auto& each : std::filesystem::directory_iterator(folder))
        if (each.path().extension() == suffix) parts.emplace(each.path().stem().string(), open_part(each.path()));
    return {.model = std::make_unique<generation::Pipeline>(
                std::move(parts), generation::placeholder_tokens(configs.config), preparation(configs.config)),
            .options = generation::generation_options(configs.config, configs.generation_config)};
}

}  // namespace cli
