#pragma once

#include <ferry/capture/fakes/fft.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <c10/core/WrapDimMinimal.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::fake_ops {

/// Its sizes with another one in the last of the dimensions that are transformed.
[[nodiscard]] inline std::vector<std::int64_t> resized(const at::Tensor& self, std::int64_t dim, std::int64_t size) {
    std::vector<std::int64_t> sizes = self.sizes().vec();
    sizes.at(static_cast<std::size_t>(c10::maybe_wrap_dim(dim, self.dim()))) = size;
    return sizes;
}

FERRY_INLINE at::Tensor fft_c2c::fake(const at::Tensor& self, c10::SymIntArrayRef, std::int64_t, bool) {
    TORCH_CHECK(self.is_complex(), "fft: complex numbers are expected, not ", self.scalar_type());
    return at::empty(self.sizes(), self.options());
}

FERRY_INLINE at::Tensor fft_r2c::fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, bool onesided) {
    TORCH_CHECK(self.is_floating_point(), "fft: real numbers are expected, not ", self.scalar_type());
    const std::int64_t size = self.size(dim.back());
    return at::empty(resized(self, dim.back(), onesided ? size / 2 + 1 : size),
                     self.options().dtype(c10::toComplexType(self.scalar_type())));
}

FERRY_INLINE at::Tensor fft_c2r::fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t,
                                      const c10::SymInt& size) {
    TORCH_CHECK(self.is_complex(), "fft: complex numbers are expected, not ", self.scalar_type());
    return at::empty(resized(self, dim.back(), size.expect_int()),
                     self.options().dtype(c10::toRealValueType(self.scalar_type())));
}

}  // namespace ferry::fake_ops
