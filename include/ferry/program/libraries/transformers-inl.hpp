#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/program/libraries/transformers.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/where.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ferry::transformers_library {

/// Rows that belong together are multiplied by a matrix of their own: group i is what lies between offs[i - 1] and offs[i], rows
/// behind the last one are zero. Experts, in models that are exported in another dtype than bfloat16.
FERRY_INLINE at::Tensor grouped_mm_fallback::call(const at::Tensor& input, const at::Tensor& weight,
                                                  const at::Tensor& offs) {
    TORCH_CHECK(input.dim() == 2 && weight.dim() == 3 && offs.dim() == 1 && offs.size(0) == weight.size(0),
                "transformers::grouped_mm_fallback takes (rows, in), (groups, in, out) and (groups), got ",
                input.sizes(), ", ", weight.sizes(), " and ", offs.sizes());
    const at::Tensor ends = offs.to(at::kCPU, at::kLong).contiguous();
    std::vector<at::Tensor> parts;
    parts.reserve(static_cast<std::size_t>(weight.size(0)) + 1);
    std::int64_t start = 0;
    for (std::int64_t group = 0; group < weight.size(0); ++group) {
        const std::int64_t end = ends.const_data_ptr<std::int64_t>()[group];
        TORCH_CHECK(start <= end && end <= input.size(0), "transformers::grouped_mm_fallback: group ", group,
                    " ends at row ", end, ", which is not between ", start, " and ", input.size(0));
        if (start == end) continue;
        parts.push_back(at::mm(input.slice(0, start, end), weight.select(0, group)));
        start = end;
    }
    parts.push_back(input.new_zeros({input.size(0) - start, weight.size(2)}));
    return at::cat(parts);
}
/// All rows by all matrices, since nothing in a graph may depend on how large the groups are; then each row takes its own.
FERRY_INLINE at::Tensor grouped_mm_fallback::decompose(const at::Tensor& input, const at::Tensor& weight,
                                                       const at::Tensor& offs) {
    const std::int64_t groups = weight.size(0);
    const at::Tensor ends = offs.to(at::kLong);
    const at::Tensor starts = at::constant_pad_nd(ends.slice(0, 0, groups - 1), {1, 0});
    const at::Tensor rows = at::arange(input.size(0), ends.options()).unsqueeze(0);
    const at::Tensor is_own = at::bitwise_and(rows >= starts.unsqueeze(1), rows < ends.unsqueeze(1));
    const at::Tensor products = at::bmm(input.unsqueeze(0).expand({groups, -1, -1}), weight);
    return at::where(is_own.unsqueeze(2), products, 0).sum(0);
}

}  // namespace ferry::transformers_library
