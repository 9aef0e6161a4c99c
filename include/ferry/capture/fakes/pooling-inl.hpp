#pragma once

#include <ferry/capture/fakes/pooling.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ferry::fake_ops {

/// Sizes as the caller says: nothing to run for.
[[nodiscard]] inline at::Tensor unpooled(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef size,
                                         std::size_t spatial) {
    TORCH_CHECK(size.size() == spatial, "max_unpool: ", spatial, " output sizes are expected, not ", size.size());
    TORCH_CHECK(self.sizes() == indices.sizes(), "max_unpool: values of ", self.sizes(), " and indices of ",
                indices.sizes());
    TORCH_CHECK(indices.scalar_type() == at::kLong, "max_unpool: indices of type ", indices.scalar_type());
    std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - static_cast<std::ptrdiff_t>(spatial));
    for (const c10::SymInt& each : size) sizes.push_back(each.expect_int());
    return at::empty(sizes, self.options());
}

FERRY_INLINE at::Tensor max_unpool2d::fake(const at::Tensor& self, const at::Tensor& indices,
                                           c10::SymIntArrayRef output_size) {
    return unpooled(self, indices, output_size, 2);
}

FERRY_INLINE at::Tensor max_unpool3d::fake(const at::Tensor& self, const at::Tensor& indices,
                                           c10::SymIntArrayRef output_size, at::IntArrayRef, at::IntArrayRef) {
    return unpooled(self, indices, output_size, 3);
}

/// As many outputs as the caller says, over channels (and a batch).
FERRY_INLINE at::Tensor adaptive_avg_pool::fake(const at::Tensor& self, c10::SymIntArrayRef output_size) {
    const auto spatial = static_cast<std::ptrdiff_t>(output_size.size());
    const bool batched = self.dim() == spatial + 2;
    TORCH_CHECK(batched || self.dim() == spatial + 1, "adaptive_avg_pool: an input of ", self.dim(), " dimensions for ",
                spatial, " output sizes");
    for (std::int64_t d = 1; d <= spatial; ++d)
        TORCH_CHECK(self.size(-d) > 0, "adaptive_avg_pool: an input of sizes ", self.sizes());
    std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - spatial);
    for (const c10::SymInt& each : output_size) sizes.push_back(each.expect_int());
    return at::empty(sizes, self.options(), batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous);
}

/// Those over one and two dimensions have a Meta kernel.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> max_pool3d::fake(const at::Tensor& self, at::IntArrayRef kernel,
                                                                 at::IntArrayRef stride, at::IntArrayRef padding,
                                                                 at::IntArrayRef dilation, bool ceil_mode) {
    const bool batched = self.dim() == 5;
    TORCH_CHECK(batched || self.dim() == 4, "max_pool3d: an input of ", self.dim(), " dimensions");
    std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto of = [&](at::IntArrayRef list) { return list[list.size() == 1 ? 0 : i]; };
        const std::int64_t in = self.size(static_cast<std::int64_t>(i) - 3), before = of(padding);
        const std::int64_t step = of(stride.empty() ? kernel : stride);
        TORCH_CHECK(step > 0 && of(kernel) > 0 && of(dilation) > 0, "max_pool3d: a kernel of ", kernel, ", strides of ",
                    stride, ", dilations of ", dilation);
        TORCH_CHECK(before >= 0 && before <= (of(dilation) * (of(kernel) - 1) + 1) / 2, "max_pool3d: a padding of ",
                    before, " for a kernel of ", of(kernel));
        const std::int64_t room = in + 2 * before - of(dilation) * (of(kernel) - 1) - 1;
        std::int64_t out = room < 0 && !ceil_mode ? 0 : (room + (ceil_mode ? step - 1 : 0)) / step + 1;
        if (ceil_mode && (out - 1) * step >= in + before) --out;  // the last window begins inside
        TORCH_CHECK(in > 0 && out > 0, "max_pool3d: an input of ", self.sizes(), " is too small for a kernel of ",
                    kernel);
        sizes.push_back(out);
    }
    const auto format = batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous;
    return {at::empty(sizes, self.options(), format), at::empty(sizes, self.options().dtype(at::kLong), format)};
}

}  // namespace ferry::fake_ops
