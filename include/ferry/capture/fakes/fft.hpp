#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/SymInt.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// The three transforms that all others of torch.fft come down to.
namespace ferry::fake_ops {

/// Its sizes with another one in the last of the dimensions that are transformed.
[[nodiscard]] inline std::vector<std::int64_t> resized(const at::Tensor& self, std::int64_t dim, std::int64_t size) {
    std::vector<std::int64_t> sizes = self.sizes().vec();
    sizes.at(static_cast<std::size_t>(dim < 0 ? dim + self.dim() : dim)) = size;
    return sizes;
}

struct fft_c2c {
    static constexpr auto target = op("aten::_fft_c2c");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef, std::int64_t, bool) {
        TORCH_CHECK(self.is_complex(), "fft: complex numbers are expected, not ", self.scalar_type());
        return at::empty(self.sizes(), self.options());
    }
};

struct fft_r2c {
    static constexpr auto target = op("aten::_fft_r2c");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, bool onesided) {
        TORCH_CHECK(self.is_floating_point(), "fft: real numbers are expected, not ", self.scalar_type());
        const std::int64_t size = self.size(dim.back());
        return at::empty(resized(self, dim.back(), onesided ? size / 2 + 1 : size),
                         self.options().dtype(c10::toComplexType(self.scalar_type())));
    }
};

struct fft_c2r {
    static constexpr auto target = op("aten::_fft_c2r");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, const c10::SymInt& size) {
        TORCH_CHECK(self.is_complex(), "fft: complex numbers are expected, not ", self.scalar_type());
        return at::empty(resized(self, dim.back(), size.expect_int()),
                         self.options().dtype(c10::toRealValueType(self.scalar_type())));
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using fft_fakes = fakes<fake_ops::fft_c2c, fake_ops::fft_r2c, fake_ops::fft_c2r>;
}  // namespace ferry
