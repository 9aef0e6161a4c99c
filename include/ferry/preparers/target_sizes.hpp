#pragma once

#include <ferry/preparers/added_inputs.hpp>
#include <ferry/tree/inputs.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ferry {

/// How a tower looks at single images whose sizes are `target_sizes`. A model says it by `PackedImages packed_images() const`; the
/// names are those of its config.json.
struct PackedImages {
    std::int64_t num_patches_per_side = 0;                   ///< of the table of positions; 0: there is none
    std::array<std::int64_t, 2> window_kernel_size{0, 0};  ///< patches that are merged, down and across; 0: none are
};

namespace preparers {

/// Of `target_sizes` [images, 2], rows and columns of patches, it makes `position_ids`; where patches are merged, `window_index`,
/// `cu_window_seqlens`, `max_seqlen`, and `merged_shape`, for which all images must be of one size.
struct target_sizes {
    static constexpr std::string_view input = "target_sizes";

    template <class Model>
    static void prepare(Model& model, Inputs& inputs) {
        if constexpr (requires {
                          { model.packed_images() } -> std::convertible_to<PackedImages>;
                      })
            add_all(AddedInputs::of<std::remove_const_t<Model>>(inputs), model.packed_images());
    }

private:
    static void add_all(AddedInputs inputs, const PackedImages& images);
};

}  // namespace preparers
}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/preparers/target_sizes-inl.hpp>
#endif
