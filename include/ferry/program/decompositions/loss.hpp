#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace ferry {
namespace decomposed {

[[nodiscard]] inline at::Tensor reduced(const at::Tensor& loss, std::int64_t reduction) {
    if (reduction == at::Reduction::None) return loss;
    return reduction == at::Reduction::Mean ? loss.mean() : loss.sum();
}

struct mse_loss {
    static constexpr auto target = op("aten::mse_loss");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction) {
        return reduced((self - wanted).pow(2), reduction);
    }
};
struct huber_loss {
    static constexpr auto target = op("aten::huber_loss");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction,
                                double delta) {
        const at::Tensor off = (self - wanted).abs();
        return reduced(at::where(off.le(delta), off * off * 0.5, (off - 0.5 * delta) * delta), reduction);
    }
};
struct smooth_l1_loss {
    static constexpr auto target = op("aten::smooth_l1_loss");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction, double beta) {
        const at::Tensor off = (self - wanted).abs();
        if (beta == 0) return reduced(off, reduction);
        return reduced(at::where(off.lt(beta), off * off * 0.5 / beta, off - 0.5 * beta), reduction);
    }
};
struct soft_margin_loss {
    static constexpr auto target = op("aten::soft_margin_loss");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction) {
        return reduced((self * wanted).neg().exp().log1p(), reduction);
    }
};
/// Logarithms end at -100, as in the kernel.
struct binary_cross_entropy {
    static constexpr auto target = op("aten::binary_cross_entropy");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted,
                                const std::optional<at::Tensor>& weight, std::int64_t reduction) {
        const at::Tensor loss = (wanted - 1) * self.neg().log1p().clamp_min(-100) - wanted * self.log().clamp_min(-100);
        return reduced(weight && weight->defined() ? loss * *weight : loss, reduction);
    }
};
struct binary_cross_entropy_with_logits {
    static constexpr auto target = op("aten::binary_cross_entropy_with_logits");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted,
                                const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& positive,
                                std::int64_t reduction) {
        const at::Tensor smallest = self.neg().clamp_min(0);  // log(sigmoid(x)), without overflow
        const at::Tensor logarithm = smallest + (smallest.neg().exp() + (self.neg() - smallest).exp()).log();
        const at::Tensor rest = (wanted * -1 + 1) * self;
        const at::Tensor loss =
            positive && positive->defined() ? rest + ((*positive - 1) * wanted + 1) * logarithm : rest + logarithm;
        return reduced(weight && weight->defined() ? loss * *weight : loss, reduction);
    }
};

/// Log-probabilities of the wanted classes, which stand in dimension 1 or, of one sample, 0: (loss, sum of the weights).
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> negative_log_likelihood(const at::Tensor& self,
                                                                                const at::Tensor& wanted,
                                                                                const std::optional<at::Tensor>& weight,
                                                                                std::int64_t reduction,
                                                                                std::int64_t ignored) {
    const std::int64_t dim = self.dim() < 2 ? 0 : 1;
    const at::Tensor counts = wanted.ne(ignored);
    const at::Tensor classes = at::where(counts, wanted, number_like(wanted, 0)).unsqueeze(dim);
    at::Tensor picked = self.gather(dim, classes).squeeze(at::IntArrayRef(dim)).neg();
    at::Tensor weights = cast(counts, self.scalar_type());
    if (weight && weight->defined()) {
        const at::Tensor of_classes = weight->index_select(0, classes.reshape({-1})).reshape(wanted.sizes());
        weights = at::where(counts, of_classes, number_like(self, 0));
        picked = picked * of_classes;
    }
    const at::Tensor loss = at::where(counts, picked, number_like(self, 0));
    const at::Tensor total = weights.sum();
    if (reduction == at::Reduction::None) return {loss, number_like(self, 0)};
    return {reduction == at::Reduction::Mean ? loss.sum() / total : loss.sum(), total};
}
struct nll_loss {
    static constexpr auto target = op("aten::nll_loss_forward", "aten::nll_loss2d_forward");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, const at::Tensor& wanted,
                                                        const std::optional<at::Tensor>& weight, std::int64_t reduction,
                                                        std::int64_t ignored) {
        return negative_log_likelihood(self, wanted, weight, reduction, ignored);
    }
};

}  // namespace decomposed

using loss_decompositions = decompositions<decomposed::mse_loss, decomposed::huber_loss, decomposed::smooth_l1_loss,
                                           decomposed::soft_margin_loss, decomposed::binary_cross_entropy,
                                           decomposed::binary_cross_entropy_with_logits, decomposed::nll_loss>;

}  // namespace ferry
