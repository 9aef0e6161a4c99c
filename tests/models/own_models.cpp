// Models that Ferry knows nothing of: with a cache of their own, or with a loop of their own.
#include <ferry/capture/submodule.hpp>
#include <ferry/core/names.hpp>
#include <ferry/models.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"
#include "exported_parts.hpp"

namespace own_models {

/// What was seen so far, as a sum.
struct Memory {
    std::vector<at::Tensor> sums{};
};

struct Spoken {
    at::Tensor logits;
    Memory memory;
};

}  // namespace own_models

template <>
struct ferry::tree_node<own_models::Memory> {
    using leaves = members<&own_models::Memory::sums>;
};
template <>
struct ferry::tree_node<own_models::Spoken> {
    using leaves = members<&own_models::Spoken::logits, &own_models::Spoken::memory>;
};

namespace own_models {

/// Says what comes next by the sum of all that came before.
class Talker : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = ferry::names("input_ids", "memory");

    Talker() {
        torch::manual_seed(3);
        words_ = register_module("words", torch::nn::Embedding(31, 12));
        out_ = register_module("out", torch::nn::Linear(12, 31));
    }
    Spoken forward(const at::Tensor& input_ids, Memory memory) {
        at::Tensor sums = words_(input_ids).cumsum(1);
        if (!memory.sums.empty()) sums = sums + memory.sums[0];
        memory.sums = {sums.slice(1, -1)};
        return {out_(sums.sin()), std::move(memory)};
    }

private:
    torch::nn::Embedding words_{nullptr};
    torch::nn::Linear out_{nullptr};
};

/// Without any memory: all tokens again for each new one.
at::Tensor from_the_beginning(Talker& model, at::Tensor ids, int count) {
    const at::NoGradGuard no_grad;
    for (int i = 0; i < count; ++i)
        ids = at::cat({ids, model.forward(ids, {}).logits.select(1, -1).argmax(-1, true)}, 1);
    return ids;
}

/// Generates by itself.
class Conversation : public torch::nn::Module {
public:
    Conversation() { talker = register_module("talker", std::make_shared<Talker>()); }

    void generate(const at::Tensor& ids, bool goes_past) {
        Spoken last = goes_past ? talker->forward(ids, {}) : talker(ids, Memory{});
        for (int i = 0; i < 3; ++i) {
            const at::Tensor next = last.logits.slice(1, -1).argmax(-1);
            last = goes_past ? talker->forward(next, last.memory) : talker(next, last.memory);
        }
    }

    ferry::submodule<Talker> talker;
};

class Nameless : public torch::nn::Module {
public:
    at::Tensor forward(const at::Tensor& ids) { return ids; }
};

}  // namespace own_models

TEST_CASE("a cache of one's own is a struct description") {
    const auto model = std::make_shared<own_models::Talker>();
    const at::Tensor ids = at::tensor({3, 9, 27, 4, 5, 8, 1, 30}, at::kLong).view({2, 4});
    const at::Tensor tokens = own_models::from_the_beginning(*model, ids, 20);
    const ferry::Inputs prompt = ferry::inputs("input_ids", ids);
    CHECK(at::equal(ferry::generate(model, prompt), tokens));
    CHECK(at::equal(ferry::generate(*model, prompt), tokens));
    ferry_test::check_parts(model, ferry::inputs("input_ids", at::ones({3, 6}, at::kLong)), {"prefill", "decode"},
                            prompt, tokens);
}

TEST_CASE("a decode part for several tokens at once") {
    const auto model = std::make_shared<own_models::Talker>();
    const ferry::Inputs prompt = ferry::inputs("input_ids", at::arange(8).view({2, 4}));
    const auto parts = ferry::export_for_generation(ferry::DynamoExporter{}, model, prompt,
                                                    ferry::DynamoConfig{.dynamic = true}, {.multi_token_decode = true});
    const at::NoGradGuard no_grad;
    const at::Tensor first = at::arange(10).view({2, 5}), second = at::arange(6).view({2, 3}) + 7;
    const own_models::Spoken before = model->forward(first, {});
    const ferry::Tree found = parts.at(1).second.module()(ferry::inputs("input_ids", second, "memory", before.memory));
    CHECK(at::allclose(found.leaf("logits").tensor(), model->forward(second, before.memory).logits));
}

TEST_CASE("a loop of one's own is followed through ferry::submodule") {
    own_models::Conversation conversation;
    const at::Tensor ids = at::arange(10).view({2, 5});
    const auto parts =
        ferry::decompose_prefill_decode(conversation.talker, [&] { conversation.generate(ids, /*goes_past=*/false); });
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].name == "prefill");
    CHECK(at::equal(parts[0].inputs.get<at::Tensor>("input_ids"), ids));
    CHECK(parts[0].inputs.get<own_models::Memory>("memory").sums.empty());
    CHECK(parts[1].inputs.get<at::Tensor>("input_ids").sizes() == at::IntArrayRef{2, 1});
    CHECK(parts[1].inputs.get<own_models::Memory>("memory").sums.size() == 1);

    const std::string message = ferry_test::message_of([&] {
        return ferry::decompose_prefill_decode(conversation.talker, [&] { conversation.generate(ids, true); });
    });
    CHECK(message.find("goes past it") != std::string::npos);
}

TEST_CASE("what cannot generate says why") {
    const auto talker = std::make_shared<own_models::Talker>();
    const auto says = [](const auto& call, const std::string& wanted) {
        const std::string message = ferry_test::message_of(call);
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    const ferry::Inputs prompt = ferry::inputs("input_ids", at::ones({2, 4}, at::kLong));
    says([&] { return ferry::generate(talker, ferry::inputs("ids", at::ones({2, 4}, at::kLong))); }, "'input_ids'");
    says([&] { return ferry::generate(talker, ferry::inputs("input_ids", at::ones({2, 4}))); }, "int64");
    says([&] { return ferry::generate(talker, prompt, {.static_cache_length = 30}); }, "has no static cache");
    says([&] { return ferry::generate(std::make_shared<own_models::Nameless>(), prompt); }, "forward_parameters");
    says([&] { return ferry::decompose_multimodal(talker, prompt); }, "is not multimodal");
    const std::map<std::string, ferry::DynamoConfig> configs{{"prefill", {}}};
    says([&] { return ferry::export_for_generation(ferry::DynamoExporter{}, talker, prompt, configs); },
         "no config for the part decode");
    says(
        [&] {
            return ferry::export_for_generation(ferry::DynamoExporter{}, talker, ferry::inputs("input", 1),
                                                ferry::DynamoConfig{});
        },
        "could not generate from [input]");
    says([] { return ferry::generation::Pipeline({}).takes("input_ids"); }, "'prefill' and 'decode'");
}
