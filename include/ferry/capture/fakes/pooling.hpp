#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <tuple>

namespace ferry::fake_ops {

struct max_unpool2d {
    static constexpr auto target = op("aten::max_unpool2d");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef output_size);
};

struct max_unpool3d {
    static constexpr auto target = op("aten::max_unpool3d");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef output_size,
                           at::IntArrayRef, at::IntArrayRef);
};

struct adaptive_avg_pool {
    static constexpr auto target = op("aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef output_size);
};

struct max_pool3d {
    static constexpr auto target = op("aten::max_pool3d_with_indices");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::IntArrayRef kernel,
                                                   at::IntArrayRef stride, at::IntArrayRef padding,
                                                   at::IntArrayRef dilation, bool ceil_mode);
};

}  // namespace ferry::fake_ops

namespace ferry {

using pooling_fakes =
    fakes<fake_ops::max_unpool2d, fake_ops::max_unpool3d, fake_ops::adaptive_avg_pool, fake_ops::max_pool3d>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/pooling-inl.hpp>
#endif
