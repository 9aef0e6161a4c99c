#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Inverses, factors and solutions, of which ONNX has none: loops over the columns of a matrix, with all rows and all matrices of a batch at
/// once in each step.
namespace ferry::onnx {
namespace translated {

struct inverse {
    static constexpr auto target = op("aten::linalg_inv_ex");
    static void translate(Translation& t);
};
struct solution {
    static constexpr auto target = op("aten::_linalg_solve_ex");
    static void translate(Translation& t);
};
struct lu_factors {
    static constexpr auto target = op("aten::linalg_lu_factor_ex");
    static void translate(Translation& t);
};
struct signed_log_determinant {
    static constexpr auto target = op("aten::_linalg_slogdet");
    static void translate(Translation& t);
};
struct cholesky {
    static constexpr auto target = op("aten::linalg_cholesky_ex");
    static void translate(Translation& t);
};
struct solve_triangular {
    static constexpr auto target = op("aten::linalg_solve_triangular");
    static Ref translate(Translation& t);
};
struct cholesky_solve {
    static constexpr auto target = op("aten::cholesky_solve");
    static Ref translate(Translation& t);
};

}  // namespace translated

using linear_system_translations =
    translations<translated::inverse, translated::solution, translated::lu_factors, translated::signed_log_determinant,
                 translated::cholesky, translated::solve_triangular, translated::cholesky_solve>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/linear_systems-inl.hpp>
#endif
