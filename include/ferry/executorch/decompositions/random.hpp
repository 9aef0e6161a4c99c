#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <optional>
#include <tuple>

/// Numbers by chance. The runtime draws uniform and normal ones.
namespace ferry::executorch::parts {

struct rand_like {
    static constexpr auto target = op("aten::rand_like");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                                std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat>);
};

struct randn_like {
    static constexpr auto target = op("aten::randn_like");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                                std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat>);
};

struct bernoulli {
    static constexpr auto target = op("aten::bernoulli");
    static at::Tensor decompose(const at::Tensor& chances, const std::optional<at::Generator>&);
};

struct bernoulli_of_number {
    static constexpr auto target = op("aten::bernoulli.p");
    static at::Tensor decompose(const at::Tensor& self, double chance, const std::optional<at::Generator>&);
};

struct uniform {
    static constexpr auto target = op("aten::uniform");
    static at::Tensor decompose(const at::Tensor& self, double from, double to, const std::optional<at::Generator>&);
};

struct normal {
    static constexpr auto target = op("aten::normal_functional");
    static at::Tensor decompose(const at::Tensor& self, double mean, double deviation,
                                const std::optional<at::Generator>&);
};

struct dropout {
    static constexpr auto target = op("aten::native_dropout");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& input, double chance,
                                                        std::optional<bool> train);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_random_decompositions =
    decompositions<executorch::parts::rand_like, executorch::parts::randn_like, executorch::parts::bernoulli,
                   executorch::parts::bernoulli_of_number, executorch::parts::uniform, executorch::parts::normal,
                   executorch::parts::dropout>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/random-inl.hpp>
#endif
