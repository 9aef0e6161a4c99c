#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/preparers/feature_lens.hpp>
#include <ferry/preparers/grid_thw.hpp>
#include <ferry/preparers/rope_index.hpp>
#include <ferry/preparers/target_sizes.hpp>

namespace ferry {

/// What models that see and hear need besides what a processor gives: `extend<onnx_pipeline, multimodal_preparers>`. The tokens'
/// positions come first, as they are of the sizes that the others use up.
struct multimodal_preparers : input_preparers<preparers::rope_index, preparers::grid_thw, preparers::target_sizes,
                                              preparers::feature_lens, preparers::features_mask>,
                              own_list {};

}  // namespace ferry
