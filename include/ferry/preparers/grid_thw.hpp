#pragma once

#include <ferry/core/names.hpp>
#include <ferry/preparers/added_inputs.hpp>
#include <ferry/preparers/vision_grid.hpp>
#include <ferry/tree/inputs.hpp>

#include <concepts>
#include <type_traits>

namespace ferry::preparers {

/// Of `grid_thw` [images, 3] it makes `cu_seqlens`, `max_seqlen`, `position_ids`; where the tower has windows, `window_index`,
/// `cu_window_seqlens`, `max_window_seqlen`; where it has a table, `interp_indices`, `interp_weights`. A model that gets images and
/// videos at once has them all with `image_` or `video_` in front.
struct grid_thw {
    static constexpr auto input = names("grid_thw", "image_grid_thw", "video_grid_thw");

    template <class Model>
    static void prepare(Model& model, Inputs& inputs) {
        VisionGrid tower;
        if constexpr (requires {
                          { model.vision_grid() } -> std::convertible_to<VisionGrid>;
                      })
            tower = model.vision_grid();
        add_all(AddedInputs::of<std::remove_const_t<Model>>(inputs), tower);
    }

private:
    static void add_all(const AddedInputs& inputs, const VisionGrid& tower);
};

}  // namespace ferry::preparers

#ifndef FERRY_COMPILED
#include <ferry/preparers/grid_thw-inl.hpp>
#endif
