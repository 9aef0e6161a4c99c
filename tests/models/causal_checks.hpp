// What every language model of a checkpoint is checked for.
#pragma once

#include <ferry/generation/cache.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"

namespace ferry_test {

inline ferry::Inputs causal_prompt(const Expected& expected) {
    return ferry::inputs("input_ids", expected["input_ids"], "attention_mask", expected["attention_mask"]);
}

/// The logits of one call.
inline at::Tensor causal_logits(const ferry::AnyModel& model, const at::Tensor& ids, const at::Tensor& mask) {
    const at::NoGradGuard no_grad;
    const at::Tensor positions = (mask.cumsum(1) - 1).clamp_min(0);
    return model(ferry::inputs("input_ids", ids, "attention_mask", mask, "position_ids", positions, "past_key_values",
                               ferry::DynamicCache{}))
        .leaf("logits")
        .tensor();
}

/// transformers' logits where there is a token, and its tokens, with either cache.
inline void check_causal(const ferry::AnyModel& model, const Expected& expected) {
    const at::Tensor ids = expected["input_ids"], mask = expected["attention_mask"], real = mask.to(at::kBool);
    const at::Tensor logits = causal_logits(model, ids, mask).index({real}), wanted = expected["logits"].index({real});
    CAPTURE((logits - wanted).abs().max().item<double>());
    CHECK(at::allclose(logits, wanted, 1e-5, 1e-5));
    const ferry::Inputs prompt = causal_prompt(expected);
    CHECK(at::equal(ferry::generate(model, prompt), expected["tokens"]));
    CHECK(at::equal(ferry::generate(model, prompt, {.static_cache_length = 40}), expected["tokens"]));
}

}  // namespace ferry_test
