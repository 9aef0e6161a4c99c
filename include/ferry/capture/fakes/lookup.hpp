#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <vector>

namespace ferry::fake_ops {

/// Has no Meta kernel in C++, and embedding goes through it.
struct index_select {
    static constexpr auto target = op("aten::index_select");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index) {
        TORCH_CHECK(index.dim() <= 1, "index_select: the index has ", index.dim(), " dimensions instead of one");
        std::vector<std::int64_t> sizes = self.sizes().vec();
        if (!sizes.empty()) sizes.at(static_cast<std::size_t>(dim < 0 ? dim + self.dim() : dim)) = index.numel();
        return at::empty(sizes, self.options());
    }
};

struct embedding {
    static constexpr auto target = op("aten::embedding");
    static at::Tensor fake(const at::Tensor& weight, const at::Tensor& indices, std::int64_t, bool, bool) {
        TORCH_CHECK(weight.dim() == 2, "embedding: the weight has ", weight.dim(), " dimensions instead of two");
        TORCH_CHECK(indices.scalar_type() == at::kLong || indices.scalar_type() == at::kInt,
                    "embedding: indices of type ", indices.scalar_type());
        std::vector<std::int64_t> sizes = indices.sizes().vec();
        sizes.push_back(weight.size(1));
        return at::empty(sizes, weight.options());
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using lookup_fakes = fakes<fake_ops::index_select, fake_ops::embedding>;
}  // namespace ferry
