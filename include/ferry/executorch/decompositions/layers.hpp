#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Layers without a kernel, and what is between them.
namespace ferry::executorch::parts {

/// Rows of a matrix, each times the matrix of its group: one product for each group, of which its rows are taken.
struct grouped_product {
    static constexpr auto target = op("aten::_grouped_mm");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& weights,
                                const std::optional<at::Tensor>& ends, const std::optional<at::Tensor>& bias,
                                std::optional<at::ScalarType> dtype);
};

/// Without infinities and without a choice by element, so that XNNPACK computes all of it: what is hidden counts next to nothing, and
/// a row that sees nothing is multiplied by zero.
struct attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static at::Tensor decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                const std::optional<at::Tensor>& mask, double dropout, bool causal,
                                std::optional<double> scale, bool grouped);
};

/// The places that an affine map takes those of an image to, from -1 to 1.
struct affine_grid {
    static constexpr auto target = op("aten::affine_grid_generator");
    static at::Tensor decompose(const at::Tensor& maps, at::IntArrayRef sizes, bool align_corners);
};

/// Without a choice by element, for the same reason.
struct prelu {
    static constexpr auto target = op("aten::_prelu_kernel");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& weight);
};

/// With the moments of the batch, and those of all batches brought up to date.
struct batch_norm_in_training {
    using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
    static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
    static Results decompose(const at::Tensor& input, const std::optional<at::Tensor>& weight,
                             const std::optional<at::Tensor>& bias, const at::Tensor& running_mean,
                             const at::Tensor& running_variance, bool training, double momentum, double epsilon);
};

/// Tensors of a method are contiguous, whatever they were where the program was captured: any one can be seen with other sizes.
struct view {
    static constexpr auto target = op("aten::view");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_layer_decompositions =
    decompositions<executorch::parts::grouped_product, executorch::parts::attention, executorch::parts::affine_grid,
                   executorch::parts::prelu, executorch::parts::batch_norm_in_training, executorch::parts::view>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/layers-inl.hpp>
#endif
