// Encoder-decoder models from checkpoints of transformers: the same logits, the same tokens, and exports that give them too.
#include <ferry/models.hpp>

#include <ferry/models/encoder_decoders.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <filesystem>
#include <string>

namespace encoder_decoder_tests {

using ferry_test::Expected;

std::filesystem::path checkpoints() { return ferry_test::checkpoints("encoder_decoders"); }

ferry::AnyModel load(const std::filesystem::path& folder) {
    return ferry::AutoModel<ferry::models::encoder_decoder_models>::from_pretrained(folder);
}

/// What the encoder takes.
ferry::Inputs prompt_of(const Expected& expected) {
    if (expected.has("input_features")) return ferry::inputs("input_features", expected["input_features"]);
    return ferry::inputs("input_ids", expected["input_ids"], "attention_mask", expected["attention_mask"]);
}

ferry::GenerationOptions options_of(const Expected& expected) {
    return {.decoder_start_token_id = expected["tokens"][0][0].item<std::int64_t>()};
}

bool is_close(const at::Tensor& found, const at::Tensor& wanted) { return at::allclose(found, wanted, 1e-5, 1e-5); }

TEST_CASE("encoder-decoder models of checkpoints give transformers' logits and tokens") {
    const at::NoGradGuard no_grad;
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        ++count;
        const ferry::AnyModel model = load(folder.path());
        const Expected expected(folder.path());
        const ferry::Inputs prompt = prompt_of(expected);
        const ferry::AnyModel encoder = model.part("encoder").value_or(model);
        const at::Tensor encoded = encoder(prompt).leaf("last_hidden_state").tensor();
        CHECK(is_close(encoded, expected["last_hidden_state"]));
        if (!expected.has("logits")) continue;

        // All tokens at once, and some after others.
        const at::Tensor ids = expected["decoder_input_ids"], logits = expected["logits"];
        ferry::Inputs inputs =
            ferry::inputs("encoder_hidden_states", encoded, "past_key_values", ferry::AnyEncoderDecoderCache{});
        if (expected.has("attention_mask")) inputs.set("attention_mask", expected["attention_mask"]);
        const auto run = [&](const at::Tensor& some) {
            inputs.set("decoder_input_ids", some);
            return ferry::tree::unflatten<ferry::Inputs>(model(inputs));
        };
        CHECK(is_close(run(ids).get<at::Tensor>("logits"), logits));
        const ferry::Inputs first = run(ids.slice(1, 0, 4));
        CHECK(is_close(first.get<at::Tensor>("logits"), logits.slice(1, 0, 4)));
        inputs.set("past_key_values", *first.find("past_key_values"));
        CHECK(is_close(run(ids.slice(1, 4)).get<at::Tensor>("logits"), logits.slice(1, 4)));

        ferry::GenerationOptions options = options_of(expected);
        CHECK(at::equal(ferry::generate(model, prompt, options), expected["tokens"]));
        options.static_cache_length = 30;
        CHECK(at::equal(ferry::generate(model, prompt, options), expected["tokens"]));
    }
    CHECK(count == 6);
}

TEST_CASE("encoder, prefill and decode, exported, give transformers' tokens in each runtime" *
          doctest::test_suite("every export")) {
    const at::Tensor sample = at::ones({3, 5}, at::kLong);
    const ferry::Inputs texts = ferry::inputs("input_ids", sample, "attention_mask", sample);
    const ferry::Inputs sounds = ferry::inputs("input_features", at::ones({3, 6, 20}));
    const auto check = [](const char* name, const ferry::Inputs& inputs, std::int64_t static_cache_length) {
        CAPTURE(name);
        const std::filesystem::path folder = checkpoints() / name;
        const Expected expected(folder);
        ferry::GenerationOptions options = options_of(expected);
        options.static_cache_length = static_cache_length;
        ferry_test::check_parts(load(folder), inputs, {"encoder", "prefill", "decode"}, prompt_of(expected),
                                expected["tokens"], {.options = options});
    };
    check("t5_gated", texts, 0);
    check("whisper", sounds, 0);
    check("whisper_untied", sounds, 30);
}

TEST_CASE("an encoder-decoder checkpoint that the model does not know all of is refused, with what it is") {
    const ferry_test::Folder folder;
    const auto says = [&](const char* name, const std::string& text, const std::string& other,
                          const std::string& wanted) {
        ferry_test::copy_with(checkpoints() / name, folder / "changed", text, other);
        const std::string message = ferry_test::message_of([&] { return load(folder / "changed"); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("t5", "\"d_kv\"", "\"attention_scale\": 2, \"d_kv\"", "attention_scale: 2");
    says("t5", "\"is_decoder\": false", "\"is_decoder\": true", "'is_decoder' is True");
    says("t5", "\"relative_attention_max_distance\": 12", "\"relative_attention_max_distance\": 2", "are too few");
    says("whisper", "\"decoder_attention_heads\": 2", "\"decoder_attention_heads\": 5", "32 cannot be shared by 5");
    says("whisper_untied", "\"decoder_layers\": 3", "\"decoder_layers\": 4", "model.decoder.layers.3.fc1.weight");
    const Expected expected(checkpoints() / "whisper");
    CHECK(ferry_test::message_of([&] {
              const ferry::AnyModel model = load(checkpoints() / "whisper");
              return ferry::generate(model, ferry::inputs("input_features", at::ones({1, 6, 18})));
          }).find("takes 20 frames, not 18") != std::string::npos);
}

}  // namespace encoder_decoder_tests
