#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

struct multinomial {
    static constexpr auto target = op("aten::multinomial");
    static at::Tensor fake(const at::Tensor& self, std::int64_t samples, bool replacement,
                           const std::optional<at::Generator>&);
};

struct sample {
    static constexpr auto target = op("aten::poisson", "aten::_standard_gamma", "aten::_sample_dirichlet");
    static at::Tensor fake(const at::Tensor& self, const std::optional<at::Generator>&);
};

struct dropout_with_mask {
    static constexpr auto target = op("aten::native_dropout");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& input, double, std::optional<bool>);
};

struct rrelu {
    static constexpr auto target = op("aten::rrelu");
    static at::Tensor fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&, bool,
                           const std::optional<at::Generator>&);
};
struct rrelu_with_noise {
    static constexpr auto target = op("aten::rrelu_with_noise_functional");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& noise, const at::Scalar&,
                                                   const at::Scalar&, bool, const std::optional<at::Generator>&);
};

}  // namespace ferry::fake_ops

namespace ferry {

using random_fakes = fakes<fake_ops::multinomial, fake_ops::sample, fake_ops::dropout_with_mask, fake_ops::rrelu,
                           fake_ops::rrelu_with_noise>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/random-inl.hpp>
#endif
