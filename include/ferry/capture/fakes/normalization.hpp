#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

struct batch_norm_functional {
    static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> fake(
        const at::Tensor& input, const std::optional<at::Tensor>&, const std::optional<at::Tensor>&,
        const at::Tensor& mean, const at::Tensor& variance, bool training, double, double);
};

struct native_batch_norm {
    static constexpr auto target = op("aten::native_batch_norm");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
                                                               const std::optional<at::Tensor>& weight,
                                                               const std::optional<at::Tensor>& bias,
                                                               const std::optional<at::Tensor>& mean,
                                                               const std::optional<at::Tensor>& variance, bool training,
                                                               double, double);
};

struct batch_norm_of_inference {
    static constexpr auto target = op("aten::_native_batch_norm_legit_no_training");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
                                                               const std::optional<at::Tensor>& weight,
                                                               const std::optional<at::Tensor>& bias,
                                                               const at::Tensor& mean, const at::Tensor& variance,
                                                               double, double);
};

struct batch_norm_without_statistics {
    static constexpr auto target = op("aten::_native_batch_norm_legit.no_stats");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
                                                               const std::optional<at::Tensor>& weight,
                                                               const std::optional<at::Tensor>& bias, bool training,
                                                               double, double);
};

struct group_norm {
    static constexpr auto target = op("aten::native_group_norm");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
                                                               const std::optional<at::Tensor>& weight,
                                                               const std::optional<at::Tensor>&, std::int64_t batch,
                                                               std::int64_t channels, std::int64_t, std::int64_t groups,
                                                               double);
};

struct weight_norm {
    static constexpr auto target = op("aten::_weight_norm");
    static at::Tensor fake(const at::Tensor& v, const at::Tensor&, std::int64_t);
};
struct weight_norm_kernel {
    static constexpr auto target = op("aten::_weight_norm_interface");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& v, const at::Tensor& g, std::int64_t);
};

}  // namespace ferry::fake_ops

namespace ferry {

using normalization_fakes = fakes<fake_ops::batch_norm_functional, fake_ops::native_batch_norm,
                                  fake_ops::batch_norm_of_inference, fake_ops::batch_norm_without_statistics,
                                  fake_ops::group_norm, fake_ops::weight_norm, fake_ops::weight_norm_kernel>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/normalization-inl.hpp>
#endif
