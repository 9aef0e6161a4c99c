#include "generate.hpp"

#include "checkpoint.hpp"
#include "generation_files.hpp"
#include "program_file.hpp"
#include "refuse.hpp"

#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/models/checkpoint.hpp>

#include <ATen/ops/full.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {
namespace {

using Ids = std::vector<std::int64_t>;

struct GenerateOptions {
    std::string folder, tensors;
    std::vector<std::string> prompts;
    Ids eos;
    ferry::GenerationOptions generation;
    bool as_json = false;
};

/// "5,17,42", or with spaces.
Ids parse_ids(const std::string& text) {
    Ids made;
    const char *at = text.data(), *const end = text.data() + text.size();
    while (true) {
        std::int64_t id = 0;
        const auto [behind, error] = std::from_chars(at, end, id);
        if (error != std::errc{} || id < 0 || (behind != end && *behind != ',' && *behind != ' '))
            throw CLI::ValidationError("--prompt-ids", "'" + text + "' is no list of tokens, such as 5,17,42");
        made.push_back(id);
        if (behind == end) return made;
        at = behind + 1;
    }
}

GenerationConfigs configs_of(const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder / "config.json")) return {};
    const ferry::models::Checkpoint files(folder);
    return {files.config(), files.generation_config()};
}

GenerationFiles open(const std::filesystem::path& folder, const GenerationConfigs& configs) {
    if (!std::filesystem::is_directory(folder))
        refuse("'" + folder.string() + "' is no folder", "give a checkpoint, or what `ferry export` has made of one");
    if (has_task_file(folder)) return open_task_file(folder, configs);
    if (has_parts(folder)) return open_parts(folder, configs);
    if (configs.config.is_none())
        refuse("there is nothing in '" + folder.string() + "' that generates: no checkpoint, no parts, no model.pte",
               "give the folder that save_pretrained or `ferry export` has written");
    return {.model = load_generative(folder),
            .options = ferry::generation::generation_options(configs.config, configs.generation_config)};
}

void check_vocabulary(const std::vector<Ids>& prompts, const ferry::tree::Context& config) {
    const ferry::tree::Context* text = ferry::generation::config_field(config, {"text_config"});
    const auto size = ferry::generation::config_integer(text != nullptr ? *text : config, {"vocab_size"});
    for (const Ids& prompt : prompts)
        for (const std::int64_t id : prompt)
            if (size && id >= *size)
                refuse("there is no token " + std::to_string(id) + ": the model has " + std::to_string(*size),
                       "give the ids of its own tokenizer");
}

/// Texts of one length and a mask; shorter ones have padding before them, or behind where an encoder reads them.
void set_texts(ferry::Inputs& inputs, const std::vector<Ids>& prompts, std::int64_t padding, bool is_behind) {
    std::size_t longest = 0;
    for (const Ids& each : prompts) longest = std::max(longest, each.size());
    const auto count = static_cast<std::int64_t>(prompts.size()), length = static_cast<std::int64_t>(longest);
    const at::Tensor ids = at::full({count, length}, padding, at::TensorOptions(at::kLong));
    const at::Tensor mask = at::zeros({count, length}, at::TensorOptions(at::kLong));
    for (std::int64_t i = 0; i < count; ++i) {
        const Ids& text = prompts[static_cast<std::size_t>(i)];
        const auto size = static_cast<std::int64_t>(text.size());
        const std::int64_t first = is_behind ? 0 : length - size;
        ids[i].narrow(0, first, size).copy_(at::tensor(text, at::TensorOptions(at::kLong)));
        mask[i].narrow(0, first, size).fill_(1);
    }
    inputs.set("input_ids", ids);
    inputs.set("attention_mask", mask);
}

/// What generate is given for these texts and what comes with them.
ferry::Inputs inputs_of(const ferry::generation::Generative& model, const std::vector<Ids>& prompts,
                        const ferry::NamedTensors& others, std::int64_t padding) {
    ferry::Inputs made;
    for (const auto& [name, tensor] : others) made.set(name, tensor);
    const bool has_encoder = model.takes("decoder_input_ids");
    if (prompts.empty()) return made;
    if (!has_encoder || !made.contains("input_features")) {
        set_texts(made, prompts, padding, has_encoder);
        return made;
    }
    ferry::Inputs text;  // the encoder hears; the decoder goes on with a text
    set_texts(text, prompts, padding, /*is_behind=*/false);
    if (!text.get<at::Tensor>("attention_mask").all().item<bool>())
        refuse("texts behind sounds must be of one length", "give them one by one");
    made.set("decoder_input_ids", text.get<at::Tensor>("input_ids"));
    return made;
}

/// Without prompts, there are as many texts as there are sounds.
std::size_t items_in(const ferry::NamedTensors& others) {
    const bool has_items = !others.empty() && others[0].second.dim() > 0;
    return has_items ? static_cast<std::size_t>(others[0].second.size(0)) : 1;
}

/// What belongs to one of several texts: one image or sound for each.
ferry::NamedTensors of_text(const ferry::NamedTensors& others, std::size_t index, std::size_t count) {
    ferry::NamedTensors made;
    for (const auto& [name, tensor] : others) {
        if (count > 1 && (tensor.dim() == 0 || tensor.size(0) != static_cast<std::int64_t>(count)))
            refuse("'" + name + "' does not have one item for each of " + std::to_string(count) + " texts",
                   "give the texts one by one");
        made.emplace_back(name, count > 1 ? tensor.narrow(0, static_cast<std::int64_t>(index), 1) : tensor);
    }
    return made;
}

/// No further than there is room for.
void limit(ferry::GenerationOptions& options, const ferry::Inputs& inputs, std::int64_t room, bool has_encoder) {
    const char* const name = has_encoder ? "decoder_input_ids" : "input_ids";
    const std::int64_t given = inputs.contains(name) ? inputs.get<at::Tensor>(name).size(-1) : 1;
    const std::int64_t most = room - given + 1;                               // the last token is never read
    if (room == 0 || given > room || options.max_new_tokens <= most) return;  // a prompt without room is refused
    std::fprintf(stderr, "there is room for %lld tokens behind a text of %lld: no more are generated\n",
                 static_cast<long long>(most), static_cast<long long>(given));
    options.max_new_tokens = most;
}

void append_rows(const at::Tensor& tokens, std::vector<Ids>& rows) {
    const at::Tensor dense = tokens.contiguous();
    for (std::int64_t i = 0; i < dense.size(0); ++i) {
        const auto* const first = dense.const_data_ptr<std::int64_t>() + i * dense.size(1);
        rows.emplace_back(first, first + dense.size(1));
    }
}

void print(const std::vector<Ids>& rows, bool as_json) {
    std::string out = as_json ? "{\"tokens\": [" : "";
    for (const Ids& row : rows) {
        if (as_json) out += &row == rows.data() ? "[" : ", [";
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i != 0) out += as_json ? ", " : " ";
            out += std::to_string(row[i]);
        }
        out += as_json ? "]" : "\n";
    }
    if (as_json) out += "]}\n";
    std::fputs(out.c_str(), stdout);
}

void run(const GenerateOptions& options, const std::vector<Ids>& prompts) {
    const GenerationConfigs configs = configs_of(options.folder);
    check_vocabulary(prompts, configs.config);
    GenerationFiles files = open(options.folder, configs);
    const auto others = options.tensors.empty() ? ferry::NamedTensors{} : load_tensors(options.tensors);
    ferry::GenerationOptions settings = options.generation;
    settings.eos_token_ids = options.eos.empty() ? files.options.eos_token_ids : options.eos;
    settings.pad_token_id = files.options.pad_token_id;
    if (!options.eos.empty() && !configs.have("pad_token_id"))
        settings.pad_token_id = options.eos[0];  // as transformers does
    settings.decoder_start_token_id = files.options.decoder_start_token_id;
    const bool has_encoder = files.model->takes("decoder_input_ids");
    const bool has_start = files.has_start || configs.have("decoder_start_token_id") || configs.have("bos_token_id");

    std::vector<Ids> rows;
    const auto generate = [&](const std::vector<Ids>& texts, const ferry::NamedTensors& given) {
        ferry::Inputs inputs = inputs_of(*files.model, texts, given, settings.pad_token_id);
        if (!has_encoder && !inputs.contains("input_ids")) refuse("there is no prompt", "give --prompt-ids 5,17,42");
        if (has_encoder && !inputs.contains("decoder_input_ids") && !has_start)
            refuse("no file says which token the decoder begins with: 'decoder_start_token_id' is missing",
                   "add it to generation_config.json");
        ferry::GenerationOptions limited = settings;
        limit(limited, inputs, files.max_seq_len, has_encoder);
        append_rows(ferry::generate(*files.model, std::move(inputs), limited), rows);
    };
    const std::size_t count = prompts.empty() ? items_in(others) : prompts.size();
    if (files.is_one_text)
        for (std::size_t i = 0; i < count; ++i)
            generate(prompts.empty() ? prompts : std::vector<Ids>{prompts[i]}, of_text(others, i, count));
    else
        generate(prompts, others);
    print(rows, options.as_json);
}

}  // namespace

void add_generate(CLI::App& app) {
    const auto options = std::make_shared<GenerateOptions>();
    auto* command = app.add_subcommand("generate", "Let a model go on with texts, and print their tokens");
    command
        ->add_option("DIR", options->folder,
                     "A checkpoint, or the folder that `ferry export` has made of one: its parts, or a model.pte of a "
                     "--task")
        ->required();
    command
        ->add_option(
            "--prompt-ids", options->prompts,
            "The tokens of a text: 5,17,42; again for further texts. Behind an encoder of texts, what that reads")
        ->type_name("IDS")
        ->allow_extra_args(false);
    command->add_option("--inputs", options->tensors,
                        "What comes with the texts, a .safetensors file: pixel_values, input_features, ...");
    command->add_option("--max-new-tokens", options->generation.max_new_tokens, "How many there are at most")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--eos", options->eos, "Tokens that end a text; else those that the model's files say")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_flag("--json", options->as_json, "Print {\"tokens\": [[...], ...]}");
    constexpr auto chance = "By chance";
    command->add_flag("--sample", options->generation.do_sample, "Choose tokens by chance, not the likeliest")
        ->group(chance);
    command->add_option("--temperature", options->generation.temperature, "Above 1: less likely tokens more often")
        ->group(chance);
    command->add_option("--top-k", options->generation.top_k, "Only among so many of the likeliest")->group(chance);
    command->add_option("--top-p", options->generation.top_p, "Only among the likeliest with so much of the chance")
        ->group(chance);
    command->add_option("--seed", options->generation.seed, "The same seed chooses the same tokens")->group(chance);
    command->callback([options] {
        std::vector<Ids> prompts;
        for (const std::string& each : options->prompts) prompts.push_back(parse_ids(each));
        run(*options, prompts);
    });
}

}  // namespace cli
