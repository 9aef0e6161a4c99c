#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/generate.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/multinomial.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace ferry::generation {

FERRY_INLINE TokenLoop::TokenLoop(at::Tensor ids, at::Tensor attention_mask, const GenerationOptions& options)
    : ids_(std::move(ids)), mask_(std::move(attention_mask)), options_(options) {
    if (ids_.dim() != 2 || mask_.sizes() != ids_.sizes() || ids_.scalar_type() != at::kLong)
        throw Error(ErrorKind::invalid_input,
                    "generate takes token ids as int64 [batch, tokens], and a mask of the same sizes");
    if (options_.do_sample && !(options_.temperature > 0 && options_.top_p > 0))
        throw Error(ErrorKind::invalid_input, "temperature and top_p must be above zero to sample");
    ended_ = at::zeros({ids_.size(0), 1}, ids_.options().dtype(at::kBool));
    if (options_.do_sample) generator_ = at::detail::createCPUGenerator(options_.seed);
}

FERRY_INLINE bool TokenLoop::is_done() const { return made_ >= options_.max_new_tokens || ended_.all().item<bool>(); }

FERRY_INLINE at::Tensor TokenLoop::input_ids() const { return made_ == 0 ? ids_ : ids_.slice(1, ids_.size(1) - 1); }

FERRY_INLINE at::Tensor TokenLoop::position_ids() const {
    const at::Tensor all = (mask_.cumsum(1) - 1).clamp_min(0);
    return made_ == 0 ? all : all.slice(1, all.size(1) - 1);
}

FERRY_INLINE void TokenLoop::add(const at::Tensor& logits) {
    at::Tensor next = choose(logits.select(1, logits.size(1) - 1).to(at::kFloat));
    next = at::where(ended_, at::full_like(next, options_.pad_token_id), next);
    ids_ = at::cat({ids_, next}, 1);
    mask_ = at::cat({mask_, at::ones_like(next, mask_.options())}, 1);
    for (const std::int64_t end : options_.eos_token_ids) ended_ = ended_.logical_or(next == end);
    ++made_;
}

FERRY_INLINE at::Tensor TokenLoop::choose(const at::Tensor& logits) {
    if (!options_.do_sample) return logits.argmax(-1, /*keepdim=*/true);
    constexpr double never = -std::numeric_limits<double>::infinity();
    at::Tensor scores = logits / options_.temperature;
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
