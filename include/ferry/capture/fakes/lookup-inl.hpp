#pragma once

#include <ferry/capture/fakes/lookup.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <c10/core/WrapDimMinimal.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace ferry::fake_ops {

/// Has no Meta kernel in C++, and embedding goes through it.
FERRY_INLINE at::Tensor index_select::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index) {
    TORCH_CHECK(index.dim() <= 1, "index_select: the index has ", index.dim(), " dimensions instead of one");
    std::vector<std::int64_t> sizes = self.sizes().vec();
    if (!sizes.empty()) sizes.at(static_cast<std::size_t>(c10::maybe_wrap_dim(dim, self.dim()))) = index.numel();
    return at::empty(sizes, self.options());
}

FERRY_INLINE at::Tensor embedding::fake(const at::Tensor& weight, const at::Tensor& indices, std::int64_t, bool, bool) {
    TORCH_CHECK(weight.dim() == 2, "embedding: the weight has ", weight.dim(), " dimensions instead of two");
    TORCH_CHECK(indices.scalar_type() == at::kLong || indices.scalar_type() == at::kInt, "embedding: indices of type ",
                indices.scalar_type());
    std::vector<std::int64_t> sizes = indices.sizes().vec();
    sizes.push_back(weight.size(1));
    return at::empty(sizes, weight.options());
}

FERRY_INLINE at::Tensor take::fake(const at::Tensor& self, const at::Tensor& index) {
    TORCH_CHECK(index.scalar_type() == at::kLong, "take: an index of type ", index.scalar_type());
    TORCH_CHECK_INDEX(self.numel() > 0 || index.numel() == 0, "take: nothing to take from");
    return at::empty(index.sizes(), self.options());
}

/// Rows of each bag summed, averaged, or their largest. The other results are for the gradients; which of them has elements is up to
/// the kernel that libtorch takes on the CPU.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> embedding_bag::fake(
    const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool, std::int64_t mode, bool,
    const std::optional<at::Tensor>& weights, bool include_last_offset, std::int64_t padding_idx) {
    TORCH_CHECK(weight.dim() == 2 && indices.dim() == 1 && offsets.dim() == 1, "embedding_bag: a weight of ",
                weight.sizes(), ", indices of ", indices.sizes(), ", offsets of ", offsets.sizes());
    const std::int64_t bags = offsets.size(0) - (include_last_offset ? 1 : 0);
    TORCH_CHECK(bags >= 0, "embedding_bag: no last offset");
    constexpr std::int64_t sum = 0, max = 2;
    const auto is_fast_type = weight.scalar_type() == at::kFloat || weight.scalar_type() == at::kHalf ||
                              weight.scalar_type() == at::kBFloat16;
    const bool is_fast = is_fast_type && weight.stride(1) == 1 && padding_idx < 0 &&
                         (!weights || !weights->defined() || weights->stride(0) == 1);
    const auto counts = offsets.options();
    const at::Tensor bag_of_index = at::empty({mode == sum && is_fast ? 0 : indices.size(0)}, counts);
    return {at::empty({bags, weight.size(1)}, weight.options()), bag_of_index, at::empty({bags}, counts),
            mode == max ? at::empty({bags, weight.size(1)}, counts) : at::empty({bags}, counts)};
}

}  // namespace ferry::fake_ops
