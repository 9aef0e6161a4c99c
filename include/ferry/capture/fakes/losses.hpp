#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/sub.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

inline constexpr std::int64_t no_reduction = 0;

[[nodiscard]] inline at::Tensor reduced(const at::Tensor& loss, std::int64_t reduction) {
    return reduction == no_reduction ? loss : at::empty({}, loss.options());
}

struct huber_loss {
    static constexpr auto target = op("aten::huber_loss");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, std::int64_t reduction, double) {
        return reduced(at::sub(self, other), reduction);
    }
};

struct binary_cross_entropy {
    static constexpr auto target = op("aten::binary_cross_entropy");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor&, const std::optional<at::Tensor>&,
                           std::int64_t reduction) {
        return reduced(at::empty_like(self), reduction);
    }
};

struct nll_loss2d {
    static constexpr auto target = op("aten::nll_loss2d_forward");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& classes,
                                                   const std::optional<at::Tensor>&, std::int64_t reduction,
                                                   const c10::SymInt&) {
        TORCH_CHECK(self.dim() == 4 && classes.dim() == 3 && self.size(0) == classes.size(0) &&
                        self.sizes().slice(2) == classes.sizes().slice(1),
                    "nll_loss2d: classes of ", classes.sizes(), " for an input of ", self.sizes());
        return {reduced(at::empty(classes.sizes(), self.options()), reduction), at::empty({}, self.options())};
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using loss_fakes = fakes<fake_ops::huber_loss, fake_ops::binary_cross_entropy, fake_ops::nll_loss2d>;
}  // namespace ferry
