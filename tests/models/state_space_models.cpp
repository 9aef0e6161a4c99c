// State space models from checkpoints of transformers: the same logits, the same tokens, and exports that give them too.
#include <ferry/models.hpp>
#include <ferry/models/mamba.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <filesystem>
#include <memory>

namespace state_space_tests {

std::filesystem::path checkpoints() { return ferry_test::checkpoints("state_space_models"); }

std::shared_ptr<ferry::models::MambaDecoder> mamba(const std::filesystem::path& folder) {
    return ferry::from_pretrained<ferry::models::Mamba>(folder);
}

ferry::Inputs prompt_of(const ferry_test::Expected& expected) {
    return ferry::inputs("input_ids", expected["input_ids"], "attention_mask", expected["attention_mask"]);
}

}  // namespace state_space_tests

TEST_CASE("state space models of checkpoints give transformers' logits and tokens") {
    using namespace state_space_tests;
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const auto model = mamba(folder.path());
        const ferry_test::Expected expected(folder.path());
        const at::NoGradGuard no_grad;
        const at::Tensor logits = model->forward(expected["input_ids"], expected["attention_mask"], {}).logits;
        CHECK(at::allclose(logits, expected["logits"], 1e-5, 1e-5));
        CHECK(at::equal(ferry::generate(model, prompt_of(expected)), expected["tokens"]));
        ++count;
    }
    CHECK(count == 4);
}

TEST_CASE("a text in pieces leaves the state that the whole leaves") {
    using namespace state_space_tests;
    const auto model = mamba(checkpoints() / "mamba");
    const at::NoGradGuard no_grad;
    const at::Tensor ids = at::randint(97, {2, 11}, at::kLong);
    const ferry::MambaOutput whole = model->forward(ids, {}, {});
    ferry::MambaOutput piece = model->forward(ids.slice(1, 0, 2), {}, {});  // shorter than the kernel
    piece = model->forward(ids.slice(1, 2, 8), {}, piece.cache_params);
    CHECK(at::allclose(piece.logits, whole.logits.slice(1, 2, 8), 1e-5, 1e-5));
    piece = model->forward(ids.slice(1, 8), {}, piece.cache_params);
    CHECK(at::allclose(piece.logits, whole.logits.slice(1, 8), 1e-5, 1e-5));
    CHECK(at::allclose(piece.cache_params.ssm_states[2], whole.cache_params.ssm_states[2], 1e-5, 1e-5));
    CHECK(at::allclose(piece.cache_params.conv_states[2], whole.cache_params.conv_states[2], 1e-5, 1e-5));
}

TEST_CASE("the scan over a text and its single step, exported, give transformers' tokens in each runtime" *
          doctest::test_suite("every export")) {
    using namespace state_space_tests;
    const at::Tensor sample = at::ones({3, 5}, at::kLong);
    for (const char* name : {"mamba", "mamba_untied"}) {
        CAPTURE(name);
        const ferry_test::Expected expected(checkpoints() / name);
        ferry_test::check_parts(mamba(checkpoints() / name),
                                ferry::inputs("input_ids", sample, "attention_mask", sample), {"prefill", "decode"},
                                prompt_of(expected), expected["tokens"]);
    }
}

TEST_CASE("a state space model that does other things is refused") {
    using namespace state_space_tests;
    const ferry_test::Folder folder;
    const auto says = [&](const std::string& text, const std::string& other, const std::string& wanted) {
        ferry_test::copy_with(checkpoints() / "mamba", folder / "changed", text, other);
        const std::string message = ferry_test::message_of([&] { return mamba(folder / "changed"); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("\"hidden_act\"", "\"mixer_rms_eps\": 1e-6, \"hidden_act\"", "mixer_rms_eps");
    says("\"state_size\": 8", "\"state_size\": 4", "[64, 8] instead of [64, 4]");
    says("\"use_bias\": false", "\"use_bias\": true", "backbone.layers.0.mixer.in_proj.bias");
}
