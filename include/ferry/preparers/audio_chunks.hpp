#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ferry {

/// How an encoder takes sounds apart. A model says it by `AudioChunks audio_chunks() const`; the names are those of its config.json.
struct AudioChunks {
    std::int64_t n_window = 0;        ///< half of the frames of a chunk
    std::int64_t n_window_infer =
        0;  ///< frames that see one another; 0: those of a chunk, halved once, then pooled in pairs

    [[nodiscard]] std::int64_t chunk() const { return 2 * n_window; }
    /// What the encoder's convolutions leave of as many frames: half, or an eighth where there is an `n_window_infer`.
    [[nodiscard]] std::int64_t features_of(std::int64_t frames) const;
};

/// What encoders would compute of the lengths of sounds, which are data and would steer what a graph does.
namespace audio {

/// The lengths of the chunks of all sounds; the last of each sound may be shorter.
[[nodiscard]] std::vector<std::int64_t> chunk_lengths(const std::vector<std::int64_t>& frames,
                                                      const AudioChunks& chunks);

/// Sounds one after the other, [width, frames], as [chunks, width, longest chunk], with zeros behind the shorter ones.
[[nodiscard]] at::Tensor padded_chunks(const at::Tensor& features, const std::vector<std::int64_t>& lengths);

/// [segments + 1] 32-bit integers: where the features that see one another begin, and where the last ones end.
[[nodiscard]] at::Tensor segment_bounds(const std::vector<std::int64_t>& frames,
                                        const std::vector<std::int64_t>& lengths, const AudioChunks& chunks);

/// Which of the padded chunks' features are no padding.
[[nodiscard]] at::Tensor valid_indices(const std::vector<std::int64_t>& lengths, const AudioChunks& chunks);

/// The first of each two features that are pooled, within each sound.
[[nodiscard]] at::Tensor pool_indices(const std::vector<std::int64_t>& frames);

/// Lengths [sounds] as numbers, each at least 1; `name` is what errors call them.
[[nodiscard]] std::vector<std::int64_t> read_lengths(const at::Tensor& lengths, const std::string& name);

}  // namespace audio
}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/preparers/audio_chunks-inl.hpp>
#endif
