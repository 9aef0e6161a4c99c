#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

struct huber_loss {
    static constexpr auto target = op("aten::huber_loss");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, std::int64_t reduction, double);
};

struct binary_cross_entropy {
    static constexpr auto target = op("aten::binary_cross_entropy");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor&, const std::optional<at::Tensor>&,
                           std::int64_t reduction);
};

struct nll_loss2d {
    static constexpr auto target = op("aten::nll_loss2d_forward");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& classes,
                                                   const std::optional<at::Tensor>&, std::int64_t reduction,
                                                   const c10::SymInt&);
};

}  // namespace ferry::fake_ops

namespace ferry {

using loss_fakes = fakes<fake_ops::huber_loss, fake_ops::binary_cross_entropy, fake_ops::nll_loss2d>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/losses-inl.hpp>
#endif
