#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/token_choice.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/multinomial.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace ferry::generation {

FERRY_INLINE TokenChoice::TokenChoice(GenerationOptions options) : options_(std::move(options)) {
    if (!options_.do_sample) return;
    if (!(options_.temperature > 0 && options_.top_p > 0))
        throw Error(ErrorKind::invalid_input, "temperature and top_p must be above zero to sample");
    generator_ = at::detail::createCPUGenerator(options_.seed);
}

FERRY_INLINE at::Tensor TokenChoice::choose(const at::Tensor& logits, bool may_end) {
    constexpr double never = -std::numeric_limits<double>::infinity();
    at::Tensor scores = logits.to(at::kFloat);
    if (!may_end && !options_.eos_token_ids.empty()) {
        scores = scores.clone();
        for (const std::int64_t end : options_.eos_token_ids) scores.select(-1, end).fill_(never);
    }
    if (!options_.do_sample) return scores.argmax(-1, /*keepdim=*/true);
    scores = scores / options_.temperature;
    if (options_.top_k > 0) {
        const std::int64_t count = std::min(options_.top_k, scores.size(-1));
        const at::Tensor least = std::get<0>(scores.topk(count)).slice(-1, count - 1);
        scores = scores.masked_fill(scores < least, never);
    }
    if (options_.top_p < 1) {
        const auto [sorted, order] = scores.sort(-1, /*descending=*/true);
        const at::Tensor shares = sorted.softmax(-1);
        const at::Tensor beyond = shares.cumsum(-1) - shares >= options_.top_p;  // the first one always stays
        scores = scores.masked_fill(at::zeros_like(beyond).scatter(-1, order, beyond), never);
    }
    return at::multinomial(scores.softmax(-1), 1, /*replacement=*/false, generator_);
}

}  // namespace ferry::generation
