#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/layers.hpp>
#include <ferry/executorch/decompositions/new_tensors.hpp>
#include <ferry/program/decompositions/network.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

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

FERRY_INLINE at::Tensor attention::decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                             const std::optional<at::Tensor>& mask, double dropout, bool causal,
                                             std::optional<double> scale, bool grouped) {
    const bool has_mask = mask && mask->defined();
    if (query.scalar_type() != at::kFloat || dropout > 0 || (!scale && decomposed::may_vary("query", -1)))
        return decomposed::attention::decompose(query, key, value, mask, dropout, causal, scale, grouped);
    constexpr double hidden = -1e30;
    const auto spread = [&](const at::Tensor& each) {
        const std::int64_t heads = query.size(-3), own = each.size(-3);
        return grouped && heads != own ? each.repeat_interleave(heads / own, -3) : each;
    };
    const auto bias_of = [&](const at::Tensor& allowed) {
        return at::where(allowed, decomposed::number_like(query, 0.0), decomposed::number_like(query, hidden));
    };
    const double factor = scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1))));
    const at::Tensor scores = at::matmul(query * factor, spread(key).transpose(-2, -1));
    const auto weights = [&]() -> at::Tensor {
        if (causal) {
            const at::Tensor seen =
                decomposed::offsets_from_diagonal(query.size(-2), key.size(-2), decomposed::real_device(query)).le(0);
            return at::softmax(scores + bias_of(seen), -1);
        }
        if (!has_mask) return at::softmax(scores, -1);
        const bool is_choice = mask->scalar_type() == at::kBool;
        const at::Tensor bias = is_choice ? bias_of(*mask) : mask->clamp_min(hidden);
        const at::Tensor seen = (is_choice ? *mask : mask->gt(-std::numeric_limits<double>::infinity())).any(-1, true);
        return at::softmax(scores + bias, -1) * seen.to(at::kFloat);
    };
    return at::matmul(weights(), spread(value));
}

FERRY_INLINE at::Tensor affine_grid::decompose(const at::Tensor& maps, at::IntArrayRef sizes, bool align_corners) {
    const at::IntArrayRef image = sizes.slice(2);
    const auto dims = static_cast<std::int64_t>(image.size());
    return decomposed::widely(maps, [&](const at::Tensor& map) {
        at::DimVector of_map(image.size() + 2, 1);
        of_map.front() = map.size(0);
        of_map.back() = dims;
        at::Tensor made = map.select(-1, dims).reshape(of_map);  // where the middle goes
        for (std::int64_t dim = 0; dim < dims; ++dim) {
            const std::int64_t size = image[static_cast<std::size_t>(dim)];
            const at::Tensor number = detail::count_up_to(map, size).to(map.scalar_type()) * 2;
            const at::Tensor at = align_corners ? number / std::max<std::int64_t>(size - 1, 1) - (size > 1 ? 1 : 0)
                                                : (number + 1) / size - 1;
            at::DimVector along(image.size() + 2, 1);
            along[static_cast<std::size_t>(dim) + 1] = size;
            made = made + at.reshape(along) * map.select(-1, dims - 1 - dim).reshape(of_map);
        }
        return made;
    });
}

FERRY_INLINE at::Tensor prelu::decompose(const at::Tensor& self, const at::Tensor& weight) {
    return self.clamp_min(0) + weight * self.clamp_max(0);
}

FERRY_INLINE batch_norm_in_training::Results batch_norm_in_training::decompose(
    const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
    const at::Tensor& running_mean, const at::Tensor& running_variance, bool training, double momentum,
    double epsilon) {
    const at::Tensor x = decomposed::wide(input);
    std::vector<std::int64_t> others, channels(static_cast<std::size_t>(x.dim()), 1);
    for (std::int64_t dim = 0; dim < x.dim(); ++dim)
        if (dim != 1) others.push_back(dim);
    channels[1] = running_mean.size(0);
    const auto along = [&](const at::Tensor& each) { return decomposed::wide(each).reshape(channels); };
    const at::Tensor mean = training ? x.mean(others) : decomposed::wide(running_mean);
    const at::Tensor variance = training ? x.var(others, false) : decomposed::wide(running_variance);
    const at::Tensor inverse = (variance + epsilon).rsqrt();
    at::Tensor made = (x - along(mean)) * along(inverse);
    if (weight && weight->defined()) made = made * along(*weight);
    if (bias && bias->defined()) made = made + along(*bias);
    made = decomposed::cast(made, input.scalar_type());
    if (!training) return {made, mean, inverse, running_mean, running_variance};
    const auto renewed = [&](const at::Tensor& old, const at::Tensor& now) {
        return decomposed::cast(decomposed::wide(old) * (1 - momentum) + now * momentum, old.scalar_type());
    };
    return {made, mean, inverse, renewed(running_mean, mean), renewed(running_variance, x.var(others, true))};
}

FERRY_INLINE at::Tensor view::decompose(const at::Tensor& self, at::IntArrayRef size) { return self.reshape(size); }

}  // namespace ferry::executorch::parts
