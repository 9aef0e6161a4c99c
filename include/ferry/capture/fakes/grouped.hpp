#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <optional>

namespace ferry::fake_ops {

struct grouped_mm {
    static constexpr auto target = op("aten::_grouped_mm");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, const std::optional<at::Tensor>& ends,
                           const std::optional<at::Tensor>&, std::optional<at::ScalarType> out);
};

}  // namespace ferry::fake_ops

namespace ferry {

using grouped_fakes = fakes<fake_ops::grouped_mm>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/grouped-inl.hpp>
#endif
