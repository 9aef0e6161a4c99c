#pragma once

#include <ferry/capture/fakes/random.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/core/Generator.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace ferry::fake_ops {

/// Zeros are no distribution to draw from.
FERRY_INLINE at::Tensor multinomial::fake(const at::Tensor& self, std::int64_t samples, bool replacement,
                                          const std::optional<at::Generator>&) {
    TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "multinomial: one or two dimensions are expected, not ",
                self.dim());
    TORCH_CHECK(replacement || samples <= self.size(-1), "multinomial: ", samples, " samples without replacement from ",
                self.size(-1));
    std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
    sizes.push_back(samples);
    return at::empty(sizes, self.options().dtype(at::kLong));
}

/// One number for each parameter of a distribution.
FERRY_INLINE at::Tensor sample::fake(const at::Tensor& self, const std::optional<at::Generator>&) {
    return at::empty(self.sizes(), self.options());
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> dropout_with_mask::fake(const at::Tensor& input, double,
                                                                        std::optional<bool>) {
    return {at::empty_like(input), at::empty_like(input, input.options().dtype(at::kBool))};
}

/// A slope drawn for each element.
FERRY_INLINE at::Tensor rrelu::fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&, bool,
                                    const std::optional<at::Generator>&) {
    return at::empty(self.sizes(), self.options());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> rrelu_with_noise::fake(const at::Tensor& self, const at::Tensor& noise,
                                                                       const at::Scalar&, const at::Scalar&, bool,
                                                                       const std::optional<at::Generator>&) {
    return {at::empty(self.sizes(), self.options()), at::empty_like(noise)};
}

}  // namespace ferry::fake_ops
