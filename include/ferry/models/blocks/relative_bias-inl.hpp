#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/relative_bias.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/where.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace ferry::models {
namespace detail {

/// What the dtype has below all others: where nothing is seen, all is seen alike instead of giving nan.
[[nodiscard]] inline double lowest_of(at::ScalarType dtype) {
    if (dtype == at::kHalf) return static_cast<double>(std::numeric_limits<c10::Half>::lowest());
    if (dtype == at::kBFloat16) return static_cast<double>(std::numeric_limits<c10::BFloat16>::lowest());
    return static_cast<double>(std::numeric_limits<float>::lowest());
}

}  // namespace detail

FERRY_INLINE at::Tensor relative_buckets(const RelativeBiasOptions& options) {
    const std::int64_t count = options.looks_ahead ? options.buckets / 2 : options.buckets, exact = count / 2;
    constexpr std::int64_t farthest = 1 << 20;  // a table has a row for each
    if (exact < 1 || options.max_distance <= exact || options.max_distance > farthest)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(options.buckets) +
                                             " buckets of distances up to " + std::to_string(options.max_distance) +
                                             " are too few, or too many");
    const at::Tensor relative = at::arange(-options.max_distance, options.looks_ahead ? options.max_distance + 1 : 1);
    const at::Tensor distance = relative.abs();
    // In float32 and in this order, as the checkpoint was trained: one distance is all that rounding could move.
    const double span = std::log(static_cast<double>(options.max_distance) / static_cast<double>(exact));
    const at::Tensor far = (distance.to(at::kFloat) / exact).log() / span * (count - exact);
    const at::Tensor shared = (far.clamp_min(0).to(at::kLong) + exact).clamp_max(count - 1);
    const at::Tensor bucket = at::where(distance < exact, distance, shared);
    return options.looks_ahead ? bucket + (relative > 0).to(at::kLong) * count : bucket;
}

FERRY_INLINE RelativeBias::RelativeBias(const Weights& weights, const RelativeBiasOptions& options)
    : weight(register_parameter("weight", weights.take("weight", {options.buckets, options.heads}), false)),
      options_(options),
      buckets_(register_buffer("buckets", relative_buckets(options))) {}

FERRY_INLINE at::Tensor RelativeBias::forward(const at::Tensor& places, std::int64_t all) const {
    const at::Tensor every = at::arange(all, at::TensorOptions(places.device()));
    const at::Tensor relative =
        (every - places.unsqueeze(1)).clamp(-options_.max_distance, options_.looks_ahead ? options_.max_distance : 0);
    const at::Tensor by_distance = at::embedding(weight, buckets_);
    return at::embedding(by_distance, relative + options_.max_distance).permute({2, 0, 1}).unsqueeze(0);
}

FERRY_INLINE at::Tensor only_seen(const at::Tensor& bias, const at::Tensor& seen) {
    return at::where(seen, bias, detail::lowest_of(bias.scalar_type()));
}

}  // namespace ferry::models
