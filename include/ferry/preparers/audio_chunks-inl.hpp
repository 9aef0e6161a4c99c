#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/preparers/audio_chunks.hpp>
#include <ferry/preparers/segments.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry {

FERRY_INLINE std::int64_t AudioChunks::features_of(std::int64_t frames) const {
    const auto halved = [](std::int64_t length) { return (length + 1) / 2; };
    if (n_window_infer == 0) return halved(frames);
    const auto eighth = [&](std::int64_t length) { return halved(halved(halved(length))); };
    return frames / chunk() * eighth(chunk()) + eighth(frames % chunk());
}

namespace audio {
namespace detail {

/// Of the chunk that has the most.
[[nodiscard]] inline std::int64_t most_features(const std::vector<std::int64_t>& lengths, const AudioChunks& chunks) {
    std::int64_t most = 0;
    for (const std::int64_t length : lengths) most = std::max(most, chunks.features_of(length));
    return most;
}

}  // namespace detail

FERRY_INLINE std::vector<std::int64_t> chunk_lengths(const std::vector<std::int64_t>& frames,
                                                     const AudioChunks& chunks) {
    std::vector<std::int64_t> made;
    for (const std::int64_t sound : frames)
        for (std::int64_t at = 0; at < sound; at += chunks.chunk())
            made.push_back(std::min(chunks.chunk(), sound - at));
    return made;
}

FERRY_INLINE at::Tensor padded_chunks(const at::Tensor& features, const std::vector<std::int64_t>& lengths) {
    const std::int64_t longest = lengths.empty() ? 0 : *std::ranges::max_element(lengths);
    const auto count = static_cast<std::int64_t>(lengths.size());
    const at::Tensor made = at::zeros({count, features.size(0), longest}, features.options());
    std::int64_t from = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        made[static_cast<std::int64_t>(i)].narrow(1, 0, lengths[i]).copy_(features.narrow(1, from, lengths[i]));
        from += lengths[i];
    }
    return made;
}

FERRY_INLINE at::Tensor segment_bounds(const std::vector<std::int64_t>& frames,
                                       const std::vector<std::int64_t>& lengths, const AudioChunks& chunks) {
    std::vector<std::int64_t> bounds{0};
    if (chunks.n_window_infer == 0) {
        for (const std::int64_t length : lengths) bounds.push_back(bounds.back() + chunks.features_of(length));
        return bounds_tensor(bounds);
    }
    const std::int64_t window = detail::most_features(lengths, chunks) * (chunks.n_window_infer / chunks.chunk());
    for (const std::int64_t sound : frames) {
        const std::int64_t end = bounds.back() + chunks.features_of(sound);
        while (bounds.back() < end) bounds.push_back(std::min(bounds.back() + window, end));
    }
    return bounds_tensor(bounds);
}

FERRY_INLINE at::Tensor valid_indices(const std::vector<std::int64_t>& lengths, const AudioChunks& chunks) {
    const std::int64_t longest = detail::most_features(lengths, chunks);
    std::vector<std::int64_t> made;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        for (std::int64_t at = 0; at < chunks.features_of(lengths[i]); ++at)
            made.push_back(static_cast<std::int64_t>(i) * longest + at);
    return at::tensor(made, at::TensorOptions(at::kLong));
}

FERRY_INLINE at::Tensor pool_indices(const std::vector<std::int64_t>& frames) {
    std::vector<std::int64_t> made;
    std::int64_t first = 0;
    for (const std::int64_t sound : frames) {
        const std::int64_t features = (sound + 1) / 2;
        for (std::int64_t pair = 0; pair < features / 2; ++pair) made.push_back(first + 2 * pair);
        first += features;
    }
    return at::tensor(made, at::TensorOptions(at::kLong));
}

FERRY_INLINE std::vector<std::int64_t> read_lengths(const at::Tensor& lengths, const std::string& name) {
    if (!lengths.defined() || lengths.dim() != 1 || !at::isIntegralType(lengths.scalar_type(), /*includeBool=*/false))
        throw Error(ErrorKind::invalid_input, "'" + name + "' must be integers, one for each sound");
    std::vector<std::int64_t> made = numbers_of(lengths);
    for (const std::int64_t each : made)
        if (each < 1)
            throw Error(ErrorKind::invalid_input, "'" + name + "' has a sound of " + std::to_string(each) + " frames");
    return made;
}

}  // namespace audio
}  // namespace ferry
