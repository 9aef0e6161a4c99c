#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstdint>
#include <tuple>

/// What has come so far, along a dimension.
namespace ferry::fake_ops {

/// libtorch allocates the results, and fills them with an op that writes.
struct extreme_so_far {
    static constexpr auto target = op("aten::cummax", "aten::cummin");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim) {
        if (self.dim() > 0) static_cast<void>(self.size(dim));  // throws where there is none
        return {at::empty(self.sizes(), self.options()), at::empty(self.sizes(), self.options().dtype(at::kLong))};
    }
};

struct logcumsumexp {
    static constexpr auto target = op("aten::_logcumsumexp");
    static at::Tensor fake(const at::Tensor& self, std::int64_t) { return at::empty(self.sizes(), self.options()); }
};

}  // namespace ferry::fake_ops

namespace ferry {
using cumulative_fakes = fakes<fake_ops::extreme_so_far, fake_ops::logcumsumexp>;
}  // namespace ferry
