#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/SymInt.h>

#include <cstddef>
#include <cstdint>
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

struct max_unpool2d {
    static constexpr auto target = op("aten::max_unpool2d");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef output_size) {
        return unpooled(self, indices, output_size, 2);
    }
};

struct max_unpool3d {
    static constexpr auto target = op("aten::max_unpool3d");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef output_size,
                           at::IntArrayRef, at::IntArrayRef) {
        return unpooled(self, indices, output_size, 3);
    }
};

/// As many outputs as the caller says, over channels (and a batch).
struct adaptive_avg_pool {
    static constexpr auto target = op("aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef output_size) {
        const auto spatial = static_cast<std::ptrdiff_t>(output_size.size());
        const bool batched = self.dim() == spatial + 2;
        TORCH_CHECK(batched || self.dim() == spatial + 1, "adaptive_avg_pool: an input of ", self.dim(),
                    " dimensions for ", spatial, " output sizes");
        for (std::int64_t d = 1; d <= spatial; ++d)
            TORCH_CHECK(self.size(-d) > 0, "adaptive_avg_pool: an input of sizes ", self.sizes());
        std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - spatial);
        for (const c10::SymInt& each : output_size) sizes.push_back(each.expect_int());
        return at::empty(sizes, self.options(), batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous);
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using pooling_fakes = fakes<fake_ops::max_unpool2d, fake_ops::max_unpool3d, fake_ops::adaptive_avg_pool>;
}  // namespace ferry
