#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/new_tensors.hpp>
#include <ferry/executorch/decompositions/random.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

#include <optional>
#include <tuple>

namespace ferry::executorch::parts {
namespace detail {

/// From 0 to 1, for as many elements as a tensor has.
[[nodiscard]] inline at::Tensor uniform_numbers(const at::Tensor& self) {
    return at::rand(self.sizes(), beside(self, at::kFloat));
}

}  // namespace detail

FERRY_INLINE at::Tensor rand_like::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                                             std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>,
                                             std::optional<at::MemoryFormat>) {
    return at::rand(self.sizes(), detail::beside(self, dtype.value_or(self.scalar_type())));
}
FERRY_INLINE at::Tensor randn_like::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                                              std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>,
                                              std::optional<at::MemoryFormat>) {
    return at::randn(self.sizes(), detail::beside(self, dtype.value_or(self.scalar_type())));
}

FERRY_INLINE at::Tensor bernoulli::decompose(const at::Tensor& chances, const std::optional<at::Generator>&) {
    return detail::uniform_numbers(chances).lt(chances).to(chances.scalar_type());
}
FERRY_INLINE at::Tensor bernoulli_of_number::decompose(const at::Tensor& self, double chance,
                                                       const std::optional<at::Generator>&) {
    return detail::uniform_numbers(self).lt(chance).to(self.scalar_type());
}

FERRY_INLINE at::Tensor uniform::decompose(const at::Tensor& self, double from, double to,
                                           const std::optional<at::Generator>&) {
    return decomposed::cast(detail::uniform_numbers(self) * (to - from) + from, self.scalar_type());
}
FERRY_INLINE at::Tensor normal::decompose(const at::Tensor& self, double mean, double deviation,
                                          const std::optional<at::Generator>&) {
    const at::Tensor drawn = at::randn(self.sizes(), detail::beside(self, at::kFloat));
    return decomposed::cast(drawn * deviation + mean, self.scalar_type());
}

/// What is left is scaled up, so that sums stay what they were on the average.
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> dropout::decompose(const at::Tensor& input, double chance,
                                                                   std::optional<bool> train) {
    if (!train.value_or(true) || chance == 0)
        return {input.clone(), at::full(input.sizes(), true, detail::beside(input, at::kBool))};
    const at::Tensor kept = detail::uniform_numbers(input).ge(chance);
    const double scale = chance < 1 ? 1 / (1 - chance) : 0;
    return {input * kept.to(input.scalar_type()) * scale, kept};
}

}  // namespace ferry::executorch::parts
