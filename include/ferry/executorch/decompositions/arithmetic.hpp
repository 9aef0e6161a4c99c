#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

/// Functions of numbers and norms.
namespace ferry::executorch::parts {

struct vector_norm {
    static constexpr auto target = op("aten::linalg_vector_norm");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& order, at::OptionalIntArrayRef dim, bool keep,
                                std::optional<at::ScalarType> dtype);
};

struct exp2 {
    static constexpr auto target = op("aten::exp2");
    static at::Tensor decompose(const at::Tensor& self);
};

struct erfc {
    static constexpr auto target = op("aten::erfc");
    static at::Tensor decompose(const at::Tensor& self);
};

/// Numbers go before what is none.
struct fmax {
    static constexpr auto target = op("aten::fmax");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct fmin {
    static constexpr auto target = op("aten::fmin");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};

struct hypot {
    static constexpr auto target = op("aten::hypot");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_arithmetic_decompositions =
    decompositions<executorch::parts::vector_norm, executorch::parts::exp2, executorch::parts::erfc,
                   executorch::parts::fmax, executorch::parts::fmin, executorch::parts::hypot>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/arithmetic-inl.hpp>
#endif
