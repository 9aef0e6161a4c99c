// Mixtures of experts from checkpoints of transformers: the same logits and tokens, and exports that give them too.
#include <ferry/models.hpp>
#include <ferry/models/mixture_models.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "causal_checks.hpp"
#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <filesystem>
#include <string>

namespace mixture_tests {

using Auto = ferry::AutoModel<ferry::models::mixture_models>;

std::filesystem::path checkpoints() { return ferry_test::checkpoints("mixture_models"); }

}  // namespace mixture_tests

TEST_CASE("mixtures of experts give transformers' logits and tokens, whichever way experts are computed") {
    using ferry::models::ExpertCompute, ferry::models::set_expert_compute;
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(mixture_tests::checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const ferry_test::Expected expected(folder.path());
        const ferry::AnyModel model = mixture_tests::Auto::from_pretrained(folder.path(), at::kFloat);
        for (const ExpertCompute compute : {ExpertCompute::batched, ExpertCompute::grouped, ExpertCompute::gathered}) {
            set_expert_compute(*model, compute);
            ferry_test::check_causal(model, expected);
        }
        ++count;
    }
    CHECK(count == 6);
}

TEST_CASE("prefill and decode of mixtures, exported, give transformers' tokens in each runtime" *
          doctest::test_suite("every export")) {
    using ferry::models::ExpertCompute;
    const auto check = [](const char* name, ExpertCompute compute) {
        CAPTURE(name);
        const std::filesystem::path folder = mixture_tests::checkpoints() / name;
        const ferry_test::Expected expected(folder);
        const ferry::AnyModel model = mixture_tests::Auto::from_pretrained(folder);
        ferry::models::set_expert_compute(*model, compute);
        const at::Tensor sample = at::ones({3, 5}, at::kLong);
        ferry_test::check_parts(model, ferry::inputs("input_ids", sample, "attention_mask", sample),
                                {"prefill", "decode"}, ferry_test::causal_prompt(expected), expected["tokens"]);
    };
    check("mixtral", ExpertCompute::batched);
    check("mixtral_stacked", ExpertCompute::grouped);
    check("qwen3_moe_stacked", ExpertCompute::gathered);
}

TEST_CASE("a mixture's checkpoint that the model does not know all of is refused, with what it is") {
    const ferry_test::Folder folder;
    const auto says = [&](const char* name, const std::string& text, const std::string& other,
                          const std::string& wanted) {
        ferry_test::copy_with(mixture_tests::checkpoints() / name, folder / "changed", text, other);
        const std::string message =
            ferry_test::message_of([&] { return mixture_tests::Auto::from_pretrained(folder / "changed"); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("mixtral", "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 5", "5 of 4 experts cannot be chosen");
    says("mixtral", "\"num_local_experts\": 4", "\"num_local_experts\": 5", "block_sparse_moe.experts.4.w1.weight");
    says("mixtral", "\"num_local_experts\": 4", "\"num_local_experts\": 3", "that the model does not have");
    says("qwen3_moe", "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 0", "0 of 6 experts cannot be chosen");
    says("qwen3_moe", "\"decoder_sparse_step\": 2", "\"decoder_sparse_step\": 0", "'decoder_sparse_step'");
}
