#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_native_batch_norm_legit.h>
#include <ATen/ops/_native_batch_norm_legit_no_training.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

/// Layers whose composite form in libtorch asks for a device's fast kernel.
namespace ferry {
namespace decomposed {

struct attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static at::Tensor decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                const std::optional<at::Tensor>& mask, double dropout, bool causal,
                                std::optional<double> scale, bool grouped) {
        std::optional<at::Tensor> added = mask;
        if (mask && mask->defined() && mask->scalar_type() == at::kBool) {  // the op underneath only adds
            const auto options = at::TensorOptions().dtype(query.scalar_type());
            added = at::where(*mask, at::scalar_tensor(0.0, options),
                              at::scalar_tensor(-std::numeric_limits<double>::infinity(), options));
        }
        return std::get<0>(at::_scaled_dot_product_attention_math(query, key, value, added, dropout, causal,
                                                                  std::nullopt, scale, grouped));
    }
};
struct batch_norm {
    static constexpr auto target = op("aten::batch_norm");
    static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Tensor>& weight,
                                const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& mean,
                                const std::optional<at::Tensor>& variance, bool training, double momentum,
                                double epsilon, bool /*fast*/) {
        if (!training)
            return std::get<0>(
                at::_native_batch_norm_legit_no_training(self, weight, bias, *mean, *variance, momentum, epsilon));
        return std::get<0>(
            at::_native_batch_norm_legit(self, weight, bias, training, momentum,
                                         epsilon));  // statistics that are written were made explicit by the capture
    }
};
struct rms_norm {
    static constexpr auto target = op("aten::rms_norm");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shape, const std::optional<at::Tensor>& weight,
                                std::optional<double> epsilon) {
        const bool is_small = self.scalar_type() == at::kHalf || self.scalar_type() == at::kBFloat16;
        const at::Tensor wide = is_small ? self.to(at::kFloat) : self;
        std::vector<std::int64_t> dims(shape.size());
        std::iota(dims.begin(), dims.end(), self.dim() - static_cast<std::int64_t>(shape.size()));
        const double smallest = wide.scalar_type() == at::kDouble ? std::numeric_limits<double>::epsilon()
                                                                  : std::numeric_limits<float>::epsilon();
        at::Tensor normal =
            wide * (wide.pow(2).mean(at::OptionalIntArrayRef(dims), true) + epsilon.value_or(smallest)).rsqrt();
        if (weight && weight->defined()) normal = normal * *weight;
        return is_small ? normal.to(self.scalar_type()) : normal;
    }
};

}  // namespace decomposed

using network_decompositions = decompositions<decomposed::attention, decomposed::batch_norm, decomposed::rms_norm>;

}  // namespace ferry
