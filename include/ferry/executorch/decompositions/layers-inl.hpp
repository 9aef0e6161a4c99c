#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/layers.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <optional>

namespace ferry::executorch::parts {

FERRY_INLINE at::Tensor grouped_product::decompose(const at::Tensor& self, const at::Tensor& weights,
                                                   const std::optional<at::Tensor>& ends,
                                                   const std::optional<at::Tensor>&,
                                                   std::optional<at::ScalarType> dtype) {
    const at::ScalarType made = dtype.value_or(self.scalar_type());
    if (self.dim() == 3 && weights.dim() == 3) return decomposed::cast(at::bmm(self, weights), made);
    TORCH_CHECK(self.dim() == 2 && weights.dim() == 3 && ends && ends->defined(),
                "_grouped_mm: groups of the first matrix's rows are supported, not those of its columns");
    const at::Tensor row =
        at::arange(self.size(0), at::TensorOptions().dtype(at::kInt).device(decomposed::real_device(self)))
            .unsqueeze(1);
    at::Tensor total;
    for (std::int64_t group = 0; group < weights.size(0); ++group) {
        const at::Tensor product = at::mm(self, weights.select(0, group));
        if (!total.defined()) {
            total = product;
            continue;
        }
        total = at::where(row.ge(ends->select(0, group - 1)), product, total);
    }
    return decomposed::cast(total, made);
}

FERRY_INLINE at::Tensor view::decompose(const at::Tensor& self, at::IntArrayRef size) { return self.reshape(size); }

}  // namespace ferry::executorch::parts
