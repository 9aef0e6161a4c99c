#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace ferry::fake_ops {

/// Zeros are no distribution to draw from.
struct multinomial {
    static constexpr auto target = op("aten::multinomial");
    static at::Tensor fake(const at::Tensor& self, std::int64_t samples, bool replacement,
                           const std::optional<at::Generator>&) {
        TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "multinomial: one or two dimensions are expected, not ",
                    self.dim());
        TORCH_CHECK(replacement || samples <= self.size(-1), "multinomial: ", samples,
                    " samples without replacement from ", self.size(-1));
        std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
        sizes.push_back(samples);
        return at::empty(sizes, self.options().dtype(at::kLong));
    }
};

/// One number for each parameter of a distribution.
struct sample {
    static constexpr auto target = op("aten::poisson", "aten::_standard_gamma", "aten::_sample_dirichlet");
    static at::Tensor fake(const at::Tensor& self, const std::optional<at::Generator>&) {
        return at::empty(self.sizes(), self.options());
    }
};

struct dropout_with_mask {
    static constexpr auto target = op("aten::native_dropout");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& input, double, std::optional<bool>) {
        return {at::empty_like(input), at::empty_like(input, input.options().dtype(at::kBool))};
    }
};

/// A slope drawn for each element.
struct rrelu {
    static constexpr auto target = op("aten::rrelu");
    static at::Tensor fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&, bool,
                           const std::optional<at::Generator>&) {
        return at::empty(self.sizes(), self.options());
    }
};
struct rrelu_with_noise {
    static constexpr auto target = op("aten::rrelu_with_noise_functional");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& noise, const at::Scalar&,
                                                   const at::Scalar&, bool, const std::optional<at::Generator>&) {
        return {at::empty(self.sizes(), self.options()), at::empty_like(noise)};
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using random_fakes = fakes<fake_ops::multinomial, fake_ops::sample, fake_ops::dropout_with_mask, fake_ops::rrelu,
                           fake_ops::rrelu_with_noise>;
}  // namespace ferry
