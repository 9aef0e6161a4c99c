#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <tuple>

/// Rounded to what few bits can hold, and where that was possible.
namespace ferry::fake_ops {

struct fake_quantize {
    static constexpr auto target = op("aten::fake_quantize_per_tensor_affine_cachemask");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, double, std::int64_t, std::int64_t,
                                                   std::int64_t);
};

struct fake_quantize_by_channel {
    static constexpr auto target = op("aten::fake_quantize_per_channel_affine_cachemask");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& scale, const at::Tensor&,
                                                   std::int64_t axis, std::int64_t, std::int64_t);
};

}  // namespace ferry::fake_ops

namespace ferry {

using quantization_fakes = fakes<fake_ops::fake_quantize, fake_ops::fake_quantize_by_channel>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/quantization-inl.hpp>
#endif
