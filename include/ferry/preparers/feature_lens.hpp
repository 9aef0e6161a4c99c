#pragma once

#include <ferry/preparers/added_inputs.hpp>
#include <ferry/preparers/audio_chunks.hpp>
#include <ferry/tree/inputs.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace ferry::preparers {

/// Calls `Entry::add_all` for a model that says how it takes sounds apart.
template <class Entry>
struct preparer_of_sounds {
    template <class Model>
    static void prepare(Model& model, Inputs& inputs) {
        if constexpr (requires {
                          { model.audio_chunks() } -> std::convertible_to<AudioChunks>;
                      })
            Entry::add_all(AddedInputs::of<std::remove_const_t<Model>>(inputs), model.audio_chunks());
    }
};

/// Of `input_features` [width, frames], sounds one after the other, and their `feature_lens` it makes `padded_feature`,
/// `chunk_lengths`, `cu_seqlens`, `max_seqlen`, `valid_indices`, `pool_indices`.
struct feature_lens : preparer_of_sounds<feature_lens> {
    static constexpr std::string_view input = "feature_lens";

    static void add_all(AddedInputs inputs, const AudioChunks& chunks);
};

/// Of `input_features_mask` [sounds, frames], 1 where there is sound, it makes `cu_seqlens`, `max_seqlen`.
struct features_mask : preparer_of_sounds<features_mask> {
    static constexpr std::string_view input = "input_features_mask";

    static void add_all(AddedInputs inputs, const AudioChunks& chunks);
};

}  // namespace ferry::preparers

#ifndef FERRY_COMPILED
#include <ferry/preparers/feature_lens-inl.hpp>
#endif
