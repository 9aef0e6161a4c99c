#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/arguments.hpp>
#include <ferry/program/decompositions/factory.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_cdist_forward.h>
#include <ATen/ops/_native_batch_norm_legit.h>
#include <ATen/ops/_native_batch_norm_legit_no_training.h>
#include <ATen/ops/_safe_softmax.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/norm_except_dim.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

/// Layers whose composite form in libtorch asks for a device's fast kernel.
namespace ferry {
namespace decomposed {

/// As _scaled_dot_product_attention_math has it: both factors take the root of the scale, so that neither product overflows.
struct attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static at::Tensor decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                const std::optional<at::Tensor>& mask, double dropout, bool causal,
                                std::optional<double> scale, bool grouped) {
        const auto spread = [&](const at::Tensor& each) {
            const std::int64_t heads = query.size(-3), own = each.size(-3);
            return grouped && heads != own ? each.repeat_interleave(checked_floor_div(heads, own), -3) : each;
        };
        const at::Tensor scores =
            at::matmul(scaled(query, query, scale), scaled(spread(key), query, scale).transpose(-2, -1));
        at::Tensor weights = scores;
        if (causal) {
            const at::Tensor seen = offsets_from_diagonal(query.size(-2), key.size(-2), real_device(query)).le(0);
            weights = scores + bias_of(seen, query);
        } else if (mask && mask->defined()) {
            weights = scores + (mask->scalar_type() == at::kBool ? bias_of(*mask, query) : *mask);
        }
        weights = at::_safe_softmax(weights, -1);
        if (dropout > 0) weights = at::dropout(weights, dropout, /*train=*/true);
        return at::matmul(cast(weights, query.scalar_type()), spread(value));
    }

private:
    [[nodiscard]] static at::Tensor bias_of(const at::Tensor& allowed, const at::Tensor& query) {
        return at::where(allowed, number_like(query, 0.0),
                         number_like(query, -std::numeric_limits<double>::infinity()));
    }
    [[nodiscard]] static at::Tensor scaled(const at::Tensor& self, const at::Tensor& query,
                                           std::optional<double> scale) {
        if (!scale && may_vary("query", -1))  // one over the fourth root of a symbol
            return self * number_like(query, query.size(-1)).sqrt().rsqrt();
        return self * std::sqrt(scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1)))));
    }
};
struct batch_norm {
    static constexpr auto target = op("aten::batch_norm");
    static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Tensor>& weight,
                                const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& mean,
                                const std::optional<at::Tensor>& variance, bool training, double momentum,
                                double epsilon, bool /*fast*/) {
        if (!training && !(mean && variance))
            throw Error(ErrorKind::invalid_input, "a batch norm in evaluation has no mean or no variance");
        if (!training)
            return std::get<0>(
                at::_native_batch_norm_legit_no_training(self, weight, bias, *mean, *variance, momentum, epsilon));
        if (!mean || !mean->defined() || !variance)
            return std::get<0>(at::_native_batch_norm_legit(self, weight, bias, training, momentum, epsilon));
        at::Tensor means = *mean, variances = *variance;  // written to
        return std::get<0>(
            at::_native_batch_norm_legit(self, weight, bias, means, variances, training, momentum, epsilon));
    }
};
struct rms_norm {
    static constexpr auto target = op("aten::rms_norm");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shape, const std::optional<at::Tensor>& weight,
                                std::optional<double> epsilon) {
        const at::Tensor x = wide(self);
        std::vector<std::int64_t> dims(shape.size());
        std::iota(dims.begin(), dims.end(), self.dim() - static_cast<std::int64_t>(shape.size()));
        const double smallest = x.scalar_type() == at::kDouble
                                    ? std::numeric_limits<double>::epsilon()
                                    : static_cast<double>(std::numeric_limits<float>::epsilon());
        at::Tensor normal =
            x * (x.pow(2).mean(at::OptionalIntArrayRef(dims), true) + epsilon.value_or(smallest)).rsqrt();
        if (weight && weight->defined()) normal = normal * *weight;
        return cast(normal, self.scalar_type());
    }
};

/// By one way at all sizes, where libtorch takes a matrix product for more than 25 rows.
struct distances {
    static constexpr auto target = op("aten::cdist");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other, double p,
                                std::optional<std::int64_t> /*mode*/) {
        constexpr std::int64_t never_by_product = 2;
        return at::_cdist_forward(self, other, p, never_by_product);
    }
};

/// The kernel that libtorch prefers to the ops themselves.
struct weight_norm {
    static constexpr auto target = op("aten::_weight_norm_interface");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& v, const at::Tensor& g, std::int64_t dim) {
        const at::Tensor norm = at::norm_except_dim(v, 2, dim);
        return {v * (g / norm), norm};
    }
};

}  // namespace decomposed

using network_decompositions = decompositions<decomposed::attention, decomposed::batch_norm, decomposed::rms_norm,
                                              decomposed::distances, decomposed::weight_norm>;

}  // namespace ferry
