#pragma once

#include <ferry/capture/fakes/broadcast.hpp>
#include <ferry/capture/fakes/linalg.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace ferry::fake_ops {

[[nodiscard]] inline at::Tensor by_columns(std::vector<std::int64_t> sizes, const at::TensorOptions& options) {
    std::swap(sizes.end()[-1], sizes.end()[-2]);
    return at::empty(sizes, options).transpose(-2, -1);
}

inline void require_square(const char* op, const at::Tensor& matrix) {
    TORCH_CHECK(matrix.dim() >= 2 && matrix.size(-1) == matrix.size(-2), op, ": square matrices are expected, not ",
                matrix.sizes());
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> eig::fake(const at::Tensor& self) {
    require_square("linalg_eig", self);
    const auto options = self.options().dtype(c10::toComplexType(self.scalar_type()));
    return {at::empty(self.sizes().slice(0, self.sizes().size() - 1), options),
            by_columns(self.sizes().vec(), options)};
}

FERRY_INLINE at::Tensor eigvals::fake(const at::Tensor& self) { return std::get<0>(eig::fake(self)); }

FERRY_INLINE at::Tensor solve_triangular::fake(const at::Tensor& self, const at::Tensor& right, bool, bool left, bool) {
    require_square("linalg_solve_triangular", self);
    TORCH_CHECK(right.dim() >= 2 && right.size(left ? -2 : -1) == self.size(-1),
                "linalg_solve_triangular: ", self.sizes(), " does not go with ", right.sizes());
    const auto batch = [](const at::Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 2); };
    std::vector<std::int64_t> sizes = broadcast(batch(self), batch(right));
    sizes.push_back(right.size(-2));
    sizes.push_back(right.size(-1));
    return by_columns(std::move(sizes), right.options());
}

FERRY_INLINE at::Tensor cholesky_solve::fake(const at::Tensor& self, const at::Tensor&, bool) {
    return by_columns(self.sizes().vec(), self.options());
}

FERRY_INLINE at::Tensor cholesky::fake(const at::Tensor& self, bool) {
    require_square("cholesky", self);
    return by_columns(self.sizes().vec(), self.options());
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> geqrf::fake(const at::Tensor& self) {
    TORCH_CHECK(self.dim() >= 2, "geqrf: matrices are expected, not ", self.sizes());
    std::vector<std::int64_t> factors(self.sizes().begin(), self.sizes().end() - 1);
    factors.back() = std::min(self.size(-2), self.size(-1));
    return {by_columns(self.sizes().vec(), self.options()), at::empty(factors, self.options())};
}

FERRY_INLINE at::Tensor householder_product::fake(const at::Tensor& self, const at::Tensor& tau) {
    TORCH_CHECK(self.dim() >= 2 && self.size(-2) >= self.size(-1) && self.size(-1) >= tau.size(-1),
                "linalg_householder_product: ", self.sizes(), " and ", tau.sizes());
    return by_columns(self.sizes().vec(), self.options());
}

FERRY_INLINE at::Tensor matrix_exp::fake(const at::Tensor& self) {
    require_square("linalg_matrix_exp", self);
    return at::empty(self.sizes(), self.options());
}

}  // namespace ferry::fake_ops
