#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <tuple>

/// What LAPACK does has its results in LAPACK's order: column after column.
namespace ferry::fake_ops {

struct eig {
    static constexpr auto target = op("aten::linalg_eig");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};

struct eigvals {
    static constexpr auto target = op("aten::linalg_eigvals", "aten::_linalg_eigvals");
    static at::Tensor fake(const at::Tensor& self);
};

struct solve_triangular {
    static constexpr auto target = op("aten::linalg_solve_triangular");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& right, bool, bool left, bool);
};

struct cholesky_solve {
    static constexpr auto target = op("aten::_cholesky_solve_helper");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor&, bool);
};

struct cholesky {
    static constexpr auto target = op("aten::cholesky", "aten::cholesky_inverse");
    static at::Tensor fake(const at::Tensor& self, bool);
};

struct geqrf {
    static constexpr auto target = op("aten::geqrf");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};

struct householder_product {
    static constexpr auto target = op("aten::linalg_householder_product");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& tau);
};

struct matrix_exp {
    static constexpr auto target = op("aten::linalg_matrix_exp");
    static at::Tensor fake(const at::Tensor& self);
};

}  // namespace ferry::fake_ops

namespace ferry {

using linalg_fakes = fakes<fake_ops::eig, fake_ops::eigvals, fake_ops::solve_triangular, fake_ops::cholesky_solve,
                           fake_ops::cholesky, fake_ops::geqrf, fake_ops::householder_product, fake_ops::matrix_exp>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/linalg-inl.hpp>
#endif
