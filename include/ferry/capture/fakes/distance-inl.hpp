#pragma once

#include <ferry/capture/fakes/broadcast.hpp>
#include <ferry/capture/fakes/distance.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ferry::fake_ops {

FERRY_INLINE at::Tensor cdist::fake(const at::Tensor& x1, const at::Tensor& x2, double, std::optional<std::int64_t>) {
    TORCH_CHECK(x1.dim() >= 2 && x2.dim() >= 2 && x1.size(-1) == x2.size(-1), "cdist: rows of ", x1.sizes(), " and ",
                x2.sizes());
    TORCH_CHECK(x1.is_floating_point() && x2.is_floating_point(), "cdist: rows of ", x1.scalar_type(), " and ",
                x2.scalar_type());
    const auto batch = [](const at::Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 2); };
    std::vector<std::int64_t> sizes = broadcast(batch(x1), batch(x2));
    sizes.push_back(x1.size(-2));
    sizes.push_back(x2.size(-2));
    return at::empty(sizes, x1.options());
}

FERRY_INLINE at::Tensor pdist::fake(const at::Tensor& self, double) {
    TORCH_CHECK(self.dim() == 2, "pdist: a matrix is expected, not ", self.sizes());
    const std::int64_t rows = self.size(0);
    return at::empty({rows <= 1 ? 0 : rows * (rows - 1) / 2}, self.options());
}

}  // namespace ferry::fake_ops
