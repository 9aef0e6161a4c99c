#pragma once

#include <ferry/capture/fakes/grouped.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ferry::fake_ops {

/// Products of groups of rows with one matrix each, as mixtures of experts have them. It refuses the strides of expanded zeros.
FERRY_INLINE at::Tensor grouped_mm::fake(const at::Tensor& self, const at::Tensor& other,
                                         const std::optional<at::Tensor>& ends, const std::optional<at::Tensor>&,
                                         std::optional<at::ScalarType> out) {
    TORCH_CHECK((self.dim() == 2 || self.dim() == 3) && (other.dim() == 2 || other.dim() == 3),
                "_grouped_mm: matrices or batches of them are expected, not ", self.sizes(), " and ", other.sizes());
    TORCH_CHECK(self.size(-1) == other.size(-2), "_grouped_mm: ", self.sizes(), " does not go with ", other.sizes());
    const bool by_rows = self.dim() == 2, by_columns = other.dim() == 2;
    const bool has_ends = ends && ends->defined();
    TORCH_CHECK(has_ends == (by_rows || by_columns),
                "_grouped_mm: where groups end is needed unless both sides are batches");
    const std::int64_t groups = by_rows && by_columns ? ends->size(0) : by_rows ? other.size(0) : self.size(0);
    TORCH_CHECK(!has_ends || ends->size(0) == groups, "_grouped_mm: ", ends->size(0), " ends for ", groups, " groups");
    TORCH_CHECK(by_rows || by_columns || other.size(0) == groups, "_grouped_mm: ", groups, " and ", other.size(0),
                " groups");
    std::vector<std::int64_t> sizes{self.size(-2), other.size(-1)};
    if (by_rows == by_columns) sizes.insert(sizes.begin(), groups);
    return at::empty(sizes, self.options().dtype(out.value_or(self.scalar_type())));
}

}  // namespace ferry::fake_ops
