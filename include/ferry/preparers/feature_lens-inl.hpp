#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/preparers/feature_lens.hpp>
#include <ferry/preparers/segments.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace ferry::preparers {
namespace detail {

inline void check_chunks(const AudioChunks& chunks) {
    if (chunks.n_window >= 1 && (chunks.n_window_infer == 0 || chunks.n_window_infer >= chunks.chunk())) return;
    throw Error(ErrorKind::invalid_input, "the model's audio_chunks() cannot be: n_window is " +
                                              std::to_string(chunks.n_window) + ", n_window_infer " +
                                              std::to_string(chunks.n_window_infer));
}

inline void add_bounds(AddedInputs& inputs, const at::Tensor& bounds, const at::Device& device) {
    inputs.add("cu_seqlens", [&] { return bounds.to(device); });
    inputs.add("max_seqlen", [&] { return longest_segment(bounds); });
}

/// The sums of the rows of [rows, columns], as numbers.
[[nodiscard]] inline std::vector<std::int64_t> row_sums(const at::Tensor& mask) {
    return numbers_of(mask.ne(0).sum(-1));
}

}  // namespace detail

FERRY_INLINE void feature_lens::add_all(AddedInputs inputs, const AudioChunks& chunks) {
    const at::Tensor features = inputs.tensor("input_features");
    if (!features.defined()) return;
    detail::check_chunks(chunks);
    const at::Device device = features.device();
    const std::vector<std::int64_t> frames = audio::read_lengths(inputs.tensor("feature_lens"), "feature_lens");
    const std::int64_t all = std::accumulate(frames.begin(), frames.end(), std::int64_t{0});
    if (features.dim() != 2 || features.size(1) != all)
        throw Error(ErrorKind::invalid_input,
                    "'feature_lens' says that there are " + std::to_string(all) +
                        " frames, and 'input_features' must be [width, frames] with as many",
                    {.hint = "take both from one call of the processor"});
    const std::vector<std::int64_t> lengths = audio::chunk_lengths(frames, chunks);
    inputs.add("padded_feature", [&] { return audio::padded_chunks(features, lengths); });
    inputs.add("chunk_lengths", [&] { return at::tensor(lengths, at::TensorOptions(at::kLong)).to(device); });
    detail::add_bounds(inputs, audio::segment_bounds(frames, lengths, chunks), device);
    inputs.add("valid_indices", [&] { return audio::valid_indices(lengths, chunks).to(device); });
    inputs.add("pool_indices", [&] { return audio::pool_indices(frames).to(device); });
    inputs.drop("input_features");
    inputs.drop("feature_lens");
}

FERRY_INLINE void features_mask::add_all(AddedInputs inputs, const AudioChunks& chunks) {
    const at::Tensor mask = inputs.tensor("input_features_mask");
    if (!inputs.has("input_features") || chunks.n_window_infer == 0) return;
    detail::check_chunks(chunks);
    if (mask.dim() != 2 || mask.size(1) % chunks.chunk() != 0)
        throw Error(ErrorKind::invalid_input,
                    "'input_features_mask' must be [sounds, frames], and the frames a multiple of " +
                        std::to_string(chunks.chunk()));
    const std::vector<std::int64_t> lengths = detail::row_sums(mask.reshape({-1, chunks.chunk()}));
    detail::add_bounds(inputs, audio::segment_bounds(detail::row_sums(mask), lengths, chunks), mask.device());
    inputs.drop("input_features_mask");
}

}  // namespace ferry::preparers
