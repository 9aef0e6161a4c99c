#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// What has come together up to each element. The runtime has that of sums; others are reduced in a triangle, each row one element longer.
namespace ferry::executorch::parts {

struct cumprod {
    static constexpr auto target = op("aten::cumprod");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, std::optional<at::ScalarType> dtype);
};

struct cummax {
    static constexpr auto target = op("aten::cummax");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim);
};

struct cummin {
    static constexpr auto target = op("aten::cummin");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim);
};

struct logcumsumexp {
    static constexpr auto target = op("aten::logcumsumexp");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_running_decompositions = decompositions<executorch::parts::cumprod, executorch::parts::cummax,
                                                         executorch::parts::cummin, executorch::parts::logcumsumexp>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/running-inl.hpp>
#endif
