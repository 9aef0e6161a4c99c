#pragma once

#include <ferry/capture/fakes/broadcast.hpp>
#include <ferry/capture/fakes/data_dependent.hpp>
#include <ferry/capture/unbacked.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/sym_range.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/index.h>
#include <c10/core/WrapDimMinimal.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ferry::fake_ops {

using capture::size_source;

[[nodiscard]] inline at::Tensor indices_of_size(const at::Tensor& like, at::IntArrayRef sizes) {
    return at::empty(sizes, like.options().dtype(at::kLong));
}

/// In memory the rows lie behind one another, as eager has it.
FERRY_INLINE at::Tensor nonzero::fake(const at::Tensor& self) {
    const std::int64_t count = size_source().count(self);
    return at::empty_strided({count, self.dim()}, {1, std::max<std::int64_t>(count, 1)},
                             self.options().dtype(at::kLong));
}

/// As many of them as the caller says.
FERRY_INLINE at::Tensor nonzero_static::fake(const at::Tensor& self, const c10::SymInt& size, std::int64_t) {
    return indices_of_size(self, {size.expect_int(), self.dim()});
}

FERRY_INLINE at::Tensor masked_select::fake(const at::Tensor& self, const at::Tensor& mask) {
    TORCH_CHECK(mask.scalar_type() == at::kBool, "masked_select: the mask is of type ", mask.scalar_type(),
                " instead of bool");
    const bool whole = broadcast(self.sizes(), mask.sizes()) == mask.sizes();  // else its elements count several times
    return at::empty({whole ? size_source().count(mask) : size_source().fresh(ValueRange::at_least(0))},
                     self.options());
}

/// A mask counts as the index tensors that its nonzero() gives. Where others index beside it, all must broadcast: they are of
/// its size or of size one, so that the size that is known is the result's.
FERRY_INLINE bool index::is_mask(const at::Tensor& tensor) {
    return tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte;
}
FERRY_INLINE at::Tensor index::fake(const at::Tensor& self, const c10::List<std::optional<at::Tensor>>& indices) {
    std::vector<std::int64_t> others;  // what the index tensors that are no masks broadcast to
    std::vector<at::Tensor> masks;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::optional<at::Tensor> each = indices.get(i);
        if (!each || !each->defined()) continue;
        if (is_mask(*each))
            masks.push_back(*each);
        else
            others = broadcast(others, each->sizes());
    }
    if (masks.empty()) return at::index(self, indices);
    const bool known = !others.empty() && others.back() != 1;
    const std::int64_t count = known               ? others.back()
                               : masks.size() == 1 ? size_source().count(masks[0])
                                                   : size_source().fresh(ValueRange::at_least(0));
    c10::List<std::optional<at::Tensor>> plain;
    std::int64_t dim = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::optional<at::Tensor> each = indices.get(i);
        if (!each || !each->defined() || !is_mask(*each)) {
            plain.push_back(each);
            ++dim;
            continue;
        }
        TORCH_CHECK_INDEX(dim + each->dim() <= self.dim(), "too many indices for a tensor of ", self.dim(),
                          " dimensions");
        for (std::int64_t d = 0; d < each->dim(); ++d, ++dim) {
            TORCH_CHECK_INDEX(each->size(d) == self.size(dim), "a mask of sizes ", each->sizes(),
                              " does not fit dimension ", dim, " of a tensor of sizes ", self.sizes());
            plain.push_back(indices_of_size(self, {count}));
        }
    }
    return at::index(self, plain);
}

FERRY_INLINE at::Tensor repeat_interleave::fake(const at::Tensor& repeats, std::optional<c10::SymInt> output_size) {
    TORCH_CHECK(repeats.dim() == 1, "repeat_interleave: repeats has ", repeats.dim(), " dimensions instead of one");
    const std::int64_t size =
        output_size ? output_size->guard_int(__FILE__, __LINE__) : size_source().fresh(ValueRange::at_least(0));
    return at::empty({size}, repeats.options());
}

FERRY_INLINE at::Tensor bincount::fake(const at::Tensor& self, const std::optional<at::Tensor>& weights,
                                       std::int64_t least) {
    const std::int64_t minimum = std::max<std::int64_t>(least, 0);
    const bool weighted = weights && weights->defined();
    const auto dtype = !weighted ? at::kLong : weights->scalar_type() == at::kFloat ? at::kFloat : at::kDouble;
    return at::empty({size_source().fresh(ValueRange::at_least(minimum))}, self.options().dtype(dtype));
}

FERRY_INLINE at::Tensor one_hot::fake(const at::Tensor& self, std::int64_t classes) {
    std::vector<std::int64_t> sizes = self.sizes().vec();
    sizes.push_back(classes >= 0 ? classes : size_source().fresh(ValueRange::at_least(1)));
    return at::empty(sizes, self.options());
}
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor, at::Tensor> flat_unique(const at::Tensor& self, bool inverse,
                                                                                bool counts) {
    const std::int64_t size = size_source().fresh(ValueRange::at_least(0));
    return {at::empty({size}, self.options()),
            inverse ? indices_of_size(self, self.sizes()) : indices_of_size(self, {0}),
            indices_of_size(self, {counts ? size : 0})};
}

[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_along(const at::Tensor& self,
                                                                                 std::int64_t dim) {
    std::vector<std::int64_t> sizes = self.sizes().vec();
    std::int64_t& along = sizes.at(static_cast<std::size_t>(c10::maybe_wrap_dim(dim, self.dim())));
    const std::int64_t before = std::exchange(along, size_source().fresh(ValueRange::at_least(0)));
    return {at::empty(sizes, self.options()), indices_of_size(self, {before}), indices_of_size(self, {along})};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_flat::fake(const at::Tensor& self, bool,
                                                                              bool inverse, bool counts) {
    return flat_unique(self, inverse, counts);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> unique_pair::fake(const at::Tensor& self, bool, bool inverse) {
    auto [values, places, counts] = flat_unique(self, inverse, false);
    return {values, places};
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_dim::fake(const at::Tensor& self, std::int64_t dim,
                                                                             bool, bool, bool) {
    return unique_along(self, dim);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_dim_consecutive::fake(const at::Tensor& self,
                                                                                         std::int64_t dim, bool, bool) {
    return unique_along(self, dim);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_consecutive::fake(const at::Tensor& self,
                                                                                     bool inverse, bool counts,
                                                                                     std::optional<std::int64_t> dim) {
    return dim ? unique_along(self, *dim) : flat_unique(self, inverse, counts);
}

}  // namespace ferry::fake_ops
