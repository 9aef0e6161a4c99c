#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/executorch/views.hpp>
#include <ferry/executorch/xnnpack/fwd.hpp>

/// The same elements in other places.
namespace ferry::executorch::delegated {

struct reshapes {
    static constexpr auto target = always_views::target;
    static void define(xnnpack::Definition& d);
};

struct permutations {
    static constexpr auto target = op("aten::permute", "aten::permute_copy", "aten::transpose.int",
                                      "aten::transpose_copy.int", "aten::t", "aten::t_copy");
    static void define(xnnpack::Definition& d);
};

struct expansion {
    static constexpr auto target = op("aten::expand", "aten::expand_copy");
    static void define(xnnpack::Definition& d);
};

struct slices {
    static constexpr auto target =
        op("aten::slice.Tensor", "aten::slice_copy.Tensor", "aten::select.int", "aten::select_copy.int");
    static void define(xnnpack::Definition& d);
};

struct splits {
    static constexpr auto target =
        op("aten::split.Tensor", "aten::split_copy.Tensor", "aten::split_with_sizes", "aten::split_with_sizes_copy",
           "aten::chunk", "aten::unsafe_split.Tensor", "aten::unsafe_chunk");
    static void define(xnnpack::Definition& d);
};

struct concatenation {
    static constexpr auto target = op("aten::cat");
    static void define(xnnpack::Definition& d);
};

struct padding {
    static constexpr auto target = op("aten::constant_pad_nd");
    static void define(xnnpack::Definition& d);
};

}  // namespace ferry::executorch::delegated

namespace ferry {

using shape_delegations =
    delegations<executorch::delegated::reshapes, executorch::delegated::permutations, executorch::delegated::expansion,
                executorch::delegated::slices, executorch::delegated::splits, executorch::delegated::concatenation,
                executorch::delegated::padding>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/ops/shape-inl.hpp>
#endif
