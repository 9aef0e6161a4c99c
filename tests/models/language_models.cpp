// Language models from checkpoints of transformers: the same logits, the same tokens, and exports that give them too.
#include <ferry/models.hpp>
#include <ferry/tree/unflatten.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "causal_checks.hpp"
#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace language_model_tests {

using ferry_test::causal_logits, ferry_test::causal_prompt, ferry_test::copy_with, ferry_test::Expected,
    ferry_test::Folder;

std::filesystem::path checkpoints() { return ferry_test::checkpoints("language_models"); }

std::string message_of(const std::filesystem::path& folder) {
    return ferry_test::message_of([&] { return ferry::AutoModel<>::from_pretrained(folder); });
}

TEST_CASE("language models of checkpoints give transformers' logits and tokens") {
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder.path());
        ferry_test::check_causal(model, Expected(folder.path()));
        ++count;
    }
    CHECK(count == 31);
}

TEST_CASE("prefill and decode, exported, give transformers' tokens in each runtime") {
    for (const char* name : {"gemma2", "phi3", "glm4"}) {
        CAPTURE(name);
        const std::filesystem::path folder = checkpoints() / name;
        const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
        const Expected expected(folder);
        const at::Tensor sample = at::ones({3, 5}, at::kLong);
        ferry_test::check_parts(model, ferry::inputs("input_ids", sample, "attention_mask", sample),
                                {"prefill", "decode"}, causal_prompt(expected), expected["tokens"]);
    }
}

/// How many keys each layer holds, call by call: the prompt, then a token of `tokens` each time.
std::vector<std::vector<std::int64_t>> held_keys(const ferry::AnyModel& model, const Expected& expected, int calls) {
    const at::NoGradGuard no_grad;
    std::vector<std::vector<std::int64_t>> held;
    at::Tensor ids = expected["input_ids"], mask = expected["attention_mask"];
    ferry::Tree cache = *model.initial("past_key_values");
    for (int call = 0; call < calls; ++call) {
        const at::Tensor positions = (mask.cumsum(1) - 1).clamp_min(0).slice(1, -ids.size(1));
        const ferry::Inputs found = ferry::tree::unflatten<ferry::Inputs>(model(ferry::inputs(
            "input_ids", ids, "attention_mask", mask, "position_ids", positions, "past_key_values", cache)));
        cache = found.at("past_key_values");
        held.emplace_back();
        for (std::size_t i = 0; i < cache.leaves.size() / 2; ++i) {
            held.back().push_back(cache.leaves[i].tensor().size(2));
            CHECK(cache.leaves[i].tensor().sizes() == cache.leaves[cache.leaves.size() / 2 + i].tensor().sizes());
        }
        ids = expected["tokens"].slice(1, mask.size(1), mask.size(1) + 1);
        mask = at::cat({mask, at::ones({mask.size(0), 1}, at::kLong)}, 1);
    }
    return held;
}

TEST_CASE("layers with a window keep the keys that the next token sees, and forget the others") {
    const auto held = [](const char* name, int calls) {
        const std::filesystem::path folder = checkpoints() / name;
        return held_keys(ferry::AutoModel<>::from_pretrained(folder), Expected(folder), calls);
    };
    using Held = std::vector<std::vector<std::int64_t>>;
    CHECK(held("mistral", 2) == Held{{3, 3, 3}, {3, 3, 3}});
    CHECK(held("mistral_crossed", 4) == Held{{9, 9, 9}, {10, 10, 10}, {11, 11, 11}, {11, 11, 11}});
    CHECK(held("gemma3", 2) == Held{{9, 3, 9}, {10, 3, 10}});
    CHECK(held("qwen2", 2) == Held{{9, 2, 2}, {10, 2, 2}});
}

TEST_CASE("exports of models with windows give transformers' tokens below and above them, whatever the sample") {
    const auto check = [](const char* name, std::int64_t sample_length) {
        CAPTURE(name);
        const std::filesystem::path folder = checkpoints() / name;
        const Expected expected(folder);
        const at::Tensor sample = at::ones({2, sample_length}, at::kLong);
        ferry_test::check_parts(ferry::AutoModel<>::from_pretrained(folder),
                                ferry::inputs("input_ids", sample, "attention_mask", sample), {"prefill", "decode"},
                                causal_prompt(expected), expected["tokens"]);
    };
    check("mistral", 2);           // a window of 4, and a prompt of 9
    check("mistral_crossed", 14);  // of 12
    check("gemma3_crossed", 5);
}

TEST_CASE("a static cache keeps its memory, exported too") {
    const std::filesystem::path folder = checkpoints() / "qwen2";
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
    const Expected expected(folder);
    const at::Tensor sample = at::ones({3, 5}, at::kLong);
    const ferry::Inputs inputs = ferry::inputs("input_ids", sample, "attention_mask", sample);
    const ferry::GenerationOptions options{.static_cache_length = 40};
    const auto programs =
        ferry::export_for_generation(ferry::DynamoExporter{}, model, inputs, ferry::DynamoConfig{}, options);
    const auto written = std::ranges::count(programs.at(1).second.signature.outputs,
                                            ferry::OutputKind::user_input_mutation, &ferry::OutputSpec::kind);
    CHECK(written == 2 * 3 + 1);
    ferry_test::check_parts(model, inputs, {"prefill", "decode"}, causal_prompt(expected), expected["tokens"],
                            {.options = options});
}

TEST_CASE("a checkpoint that the model does not know all of is refused, with what it is") {
    const Folder folder;
    const std::filesystem::path llama = checkpoints() / "llama";
    const auto says = [&](const std::string& text, const std::string& other, const std::string& wanted) {
        copy_with(llama, folder / "changed", text, other);
        const std::string message = message_of(folder / "changed");
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("\"hidden_act\"", "\"final_logit_softcapping\": 30.0, \"hidden_act\"", "final_logit_softcapping: 30.0");
    says("\"rope_type\": \"default\"", "\"rope_type\": \"proportional\"", "'proportional'");
    says("\"rope_type\": \"default\"", "\"partial_rotary_factor\": 0.5, \"rope_type\": \"default\"",
         "turn whole heads");
    says("\"hidden_act\"", "\"attn_implementation\": \"flash_attention_2\", \"hidden_act\"", "kernels of its own");
    says("\"rope_type\": \"default\"", "\"rope_type\": \"default\", \"beta\": 2", "beta: 2");
    says("\"hidden_size\": 32", "\"hidden_size\": \"32\"", "'hidden_size' is '32'");
    says("LlamaForCausalLM", "LlamaForTokens", "there are: LlamaForCausalLM, Mistral");
    says("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", "cannot share 3");
    says("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 4", "model.layers.3.self_attn.q_proj.weight");
    says("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2", "that the model does not have");
    says("\"intermediate_size\": 48", "\"intermediate_size\": 64", "[48, 32] instead of [64, 32]");
    says("\"hidden_act\": \"silu\"", "\"hidden_act\": \"snake\"", "no activation 'snake'");
    says("{", "", "config.json is no JSON");
    CHECK(message_of(folder / "nothing").find("it has no config.json") != std::string::npos);
}

/// What README shows.
struct MyModel {
    using Model = ferry::models::Decoder;
    static constexpr std::string_view architecture = "MyForCausalLM";
    static ferry::models::DecoderOptions options(ferry::models::ConfigReader& config) {
        auto made = ferry::models::DecoderOptions::read(config);
        made.attention.has_bias = config.flag("qkv_bias", true);
        return made;
    }
};
using MyAuto = ferry::AutoModel<ferry::concat_t<ferry::models::all_models, ferry::type_list<MyModel>>>;

TEST_CASE("a user's model joins the others in a list") {
    const Folder folder;
    const std::filesystem::path from = checkpoints() / "mistral_without_window";
    copy_with(from, folder / "named", "MistralForCausalLM", "MyForCausalLM");
    CHECK(message_of(folder / "named").find("no model for checkpoints of 'MyForCausalLM'") != std::string::npos);
    copy_with(folder / "named", folder / "mine", "\"vocab_size\"", "\"qkv_bias\": false, \"vocab_size\"");
    const Expected expected(from);
    const ferry::AnyModel model = MyAuto::from_pretrained(folder / "mine");
    CHECK(at::equal(ferry::generate(model, causal_prompt(expected)), expected["tokens"]));
}

TEST_CASE("another dtype is a copy, the same one is the file's memory; sampling goes by its seed") {
    const std::filesystem::path folder = checkpoints() / "llama_tied";
    const Expected expected(folder);
    const ferry::Inputs prompt = causal_prompt(expected);
    const auto half = ferry::from_pretrained<ferry::models::Llama>(folder, at::kBFloat16);
    for (const auto& parameter : half->parameters()) CHECK((parameter.scalar_type() == at::kBFloat16));
    const at::Tensor logits = causal_logits(half, expected["input_ids"], expected["attention_mask"]);
    CHECK(at::allclose(logits[0].to(at::kFloat), expected["logits"][0], 0.1, 0.1));

    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
    const auto sampled = [&](std::uint64_t seed) {
        return ferry::generate(
            model, prompt,
            {.max_new_tokens = 12, .do_sample = true, .temperature = 2, .top_k = 40, .top_p = 0.9, .seed = seed});
    };
    CHECK(at::equal(sampled(1), sampled(1)));
    CHECK(!at::equal(sampled(1), sampled(2)));
    CHECK(at::equal(ferry::generate(model, prompt, {.do_sample = true, .top_k = 1}), expected["tokens"]));
    const at::Tensor first = expected["tokens"][0].slice(0, 9);
    const std::int64_t end = first[3].item<std::int64_t>();
    const std::int64_t last = 9 + first.eq(end).nonzero()[0].item<std::int64_t>();
    const at::Tensor ended = ferry::generate(model, prompt, {.eos_token_ids = {end}, .pad_token_id = 96});
    CHECK(at::equal(ended[0].slice(0, 0, last + 1), expected["tokens"][0].slice(0, 0, last + 1)));
    CHECK(ended[0].slice(0, last + 1).eq(96).all().item<bool>());
}

}  // namespace language_model_tests
