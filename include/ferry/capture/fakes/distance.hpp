#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

/// Between all rows.
namespace ferry::fake_ops {

struct cdist {
    static constexpr auto target = op("aten::cdist", "aten::_cdist_forward");
    static at::Tensor fake(const at::Tensor& x1, const at::Tensor& x2, double, std::optional<std::int64_t>);
};

struct pdist {
    static constexpr auto target = op("aten::pdist", "aten::_pdist_forward");
    static at::Tensor fake(const at::Tensor& self, double);
};

}  // namespace ferry::fake_ops

namespace ferry {

using distance_fakes = fakes<fake_ops::cdist, fake_ops::pdist>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/distance-inl.hpp>
#endif
