#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Pools without a kernel: of three dimensions, and the largest of windows that share a size out. The runtime has lookups and reductions.
namespace ferry::executorch::parts {

struct avg_pool3d {
    static constexpr auto target = op("aten::avg_pool3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef stride,
                                at::IntArrayRef padding, bool ceil_mode, bool counts_padding,
                                std::optional<std::int64_t> divisor);
};

struct adaptive_avg_pool3d {
    static constexpr auto target = op("aten::_adaptive_avg_pool3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes);
};

struct max_pool3d {
    static constexpr auto target = op("aten::max_pool3d_with_indices");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::IntArrayRef kernel,
                                                        at::IntArrayRef stride, at::IntArrayRef padding,
                                                        at::IntArrayRef dilation, bool ceil_mode);
};

struct adaptive_max_pool {
    static constexpr auto target = op("aten::adaptive_max_pool2d", "aten::adaptive_max_pool3d");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::IntArrayRef sizes);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_pooling_decompositions =
    decompositions<executorch::parts::avg_pool3d, executorch::parts::adaptive_avg_pool3d, executorch::parts::max_pool3d,
                   executorch::parts::adaptive_max_pool>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/pooling-inl.hpp>
#endif
