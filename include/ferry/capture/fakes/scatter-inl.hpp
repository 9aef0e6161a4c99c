#pragma once

#include <ferry/capture/fakes/scatter.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <c10/core/WrapDimMinimal.h>

#include <cstdint>
#include <string_view>

namespace ferry::fake_ops {

[[nodiscard]] inline at::Tensor with_slices_written(std::string_view op, const at::Tensor& self, std::int64_t dim,
                                                    const at::Tensor& index, const at::Tensor& source) {
    TORCH_CHECK(index.dim() <= 1, op, ": the index has ", index.dim(), " dimensions instead of one");
    TORCH_CHECK(index.scalar_type() == at::kLong || index.scalar_type() == at::kInt, op, ": an index of type ",
                index.scalar_type());
    TORCH_CHECK(self.scalar_type() == source.scalar_type(), op, ": self is of type ", self.scalar_type(),
                ", source of ", source.scalar_type());
    if (self.dim() > 0 && source.dim() > 0) {
        TORCH_CHECK(self.dim() == source.dim(), op, ": self has ", self.dim(), " dimensions, source has ",
                    source.dim());
        const std::int64_t along = c10::maybe_wrap_dim(dim, self.dim());
        for (std::int64_t d = 0; d < self.dim(); ++d)
            TORCH_CHECK(source.size(d) == (d == along ? index.numel() : self.size(d)), op, ": a source of sizes ",
                        source.sizes(), " and an index of ", index.numel(), " do not fit self of sizes ", self.sizes());
    }
    return at::empty(self.sizes(), self.options());
}

FERRY_INLINE at::Tensor index_add::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                        const at::Tensor& source, const at::Scalar&) {
    return with_slices_written("index_add", self, dim, index, source);
}

FERRY_INLINE at::Tensor index_copy::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                         const at::Tensor& source) {
    return with_slices_written("index_copy", self, dim, index, source);
}

FERRY_INLINE at::Tensor index_reduce::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                           const at::Tensor& source, std::string_view, bool) {
    return with_slices_written("index_reduce", self, dim, index, source);
}

}  // namespace ferry::fake_ops
