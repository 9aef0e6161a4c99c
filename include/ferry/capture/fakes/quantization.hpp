#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>

#include <cstdint>
#include <tuple>

/// Rounded to what few bits can hold, and where that was possible.
namespace ferry::fake_ops {

[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> rounded(const at::Tensor& self) {
    return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kBool))};
}

struct fake_quantize {
    static constexpr auto target = op("aten::fake_quantize_per_tensor_affine_cachemask");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, double, std::int64_t, std::int64_t,
                                                   std::int64_t) {
        return rounded(self);
    }
};

struct fake_quantize_by_channel {
    static constexpr auto target = op("aten::fake_quantize_per_channel_affine_cachemask");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& scale, const at::Tensor&,
                                                   std::int64_t axis, std::int64_t, std::int64_t) {
        TORCH_CHECK(scale.dim() == 1 && scale.size(0) == self.size(axis), "fake_quantize: scales of ", scale.sizes(),
                    " along dimension ", axis, " of ", self.sizes());
        return rounded(self);
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using quantization_fakes = fakes<fake_ops::fake_quantize, fake_ops::fake_quantize_by_channel>;
}  // namespace ferry
