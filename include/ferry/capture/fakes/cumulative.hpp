#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <tuple>

/// What has come so far, along a dimension.
namespace ferry::fake_ops {

struct extreme_so_far {
    static constexpr auto target = op("aten::cummax", "aten::cummin");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim);
};

struct logcumsumexp {
    static constexpr auto target = op("aten::_logcumsumexp");
    static at::Tensor fake(const at::Tensor& self, std::int64_t);
};

}  // namespace ferry::fake_ops

namespace ferry {

using cumulative_fakes = fakes<fake_ops::extreme_so_far, fake_ops::logcumsumexp>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/cumulative-inl.hpp>
#endif
