// The GPT family from checkpoints of transformers: the same logits, the same tokens, and exports that give them too.
#include <ferry/models.hpp>
#include <ferry/models/gpt_models.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "causal_checks.hpp"
#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <filesystem>
#include <string>

namespace gpt_tests {

using Auto = ferry::AutoModel<ferry::models::gpt_models>;

std::filesystem::path checkpoints() { return ferry_test::checkpoints("gpt_models"); }

}  // namespace gpt_tests

TEST_CASE("GPT models of checkpoints give transformers' logits and tokens") {
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(gpt_tests::checkpoints())) {
        CAPTURE(folder.path().filename().string());
        ferry_test::check_causal(gpt_tests::Auto::from_pretrained(folder.path(), at::kFloat),
                                 ferry_test::Expected(folder.path()));
        ++count;
    }
    CHECK(count == 11);
}

TEST_CASE("prefill and decode of GPT models, exported, give transformers' tokens in each runtime" *
          doctest::test_suite("every export")) {
    for (const char* name : {"gpt2", "gpt_neox", "gptj"}) {
        CAPTURE(name);
        const std::filesystem::path folder = gpt_tests::checkpoints() / name;
        const ferry_test::Expected expected(folder);
        const at::Tensor sample = at::ones({3, 5}, at::kLong);
        ferry_test::check_parts(gpt_tests::Auto::from_pretrained(folder),
                                ferry::inputs("input_ids", sample, "attention_mask", sample), {"prefill", "decode"},
                                ferry_test::causal_prompt(expected), expected["tokens"]);
    }
}

TEST_CASE("a GPT checkpoint that the model does not know all of is refused, with what it is") {
    const ferry_test::Folder folder;
    const auto says = [&](const char* name, const std::string& text, const std::string& other,
                          const std::string& wanted) {
        ferry_test::copy_with(gpt_tests::checkpoints() / name, folder / "changed", text, other);
        const std::string message =
            ferry_test::message_of([&] { return gpt_tests::Auto::from_pretrained(folder / "changed"); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("gpt2", "\"add_cross_attention\": false", "\"add_cross_attention\": true", "add_cross_attention");
    says("gpt2", "\"n_head\": 4", "\"n_head\": 5", "5 heads cannot share a width of 32");
    says("gpt2", "\"n_layer\": 3", "\"n_layer\": 4", "transformer.h.3.attn.c_attn.weight");
    says("gptj", "\"rotary_dim\": 4", "\"rotary_dim\": 5", "'rotary_dim' is 5");
    says("gpt_neox", "\"rope_type\": \"default\"", "\"rope_type\": \"snake\"", "'snake'");
}
