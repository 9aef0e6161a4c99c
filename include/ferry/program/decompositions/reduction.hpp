#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/any.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>
#include <ATen/ops/vdot.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>

/// Sums over dimensions, those of matrix products included.
namespace ferry {
namespace decomposed {

/// beta * self + alpha * product, as addmm has it: what is multiplied by zero does not count, not even a NaN.
[[nodiscard]] inline at::Tensor scaled_sum(const at::Tensor& self, at::Tensor product, const at::Scalar& beta,
                                           const at::Scalar& alpha) {
    const at::Scalar share = factor_of(self, beta), factor = factor_of(product, alpha);
    if (!factor.equal(1)) product = product * factor;
    if (share.equal(0)) return product;
    return share.equal(1) ? self + product : self * share + product;
}

struct sum_all {
    static constexpr auto target = op("aten::sum");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype) {
        return at::sum(self, at::OptionalIntArrayRef(at::IntArrayRef{}), false, dtype);
    }
};
struct std_correction {
    static constexpr auto target = op("aten::std.correction");
    static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                const std::optional<at::Scalar>& correction, bool keep) {
        return at::var(self, dim, correction, keep).sqrt();
    }
};
/// Bytes stay bytes, as libtorch has it.
[[nodiscard]] inline at::Tensor as_truth_of(const at::Tensor& self, const at::Tensor& truth) {
    return cast(truth, self.scalar_type() == at::kByte ? at::kByte : at::kBool);
}
struct all_of {
    static constexpr auto target = op("aten::all");
    static at::Tensor decompose(const at::Tensor& self) {
        return as_truth_of(self, self.logical_not().any().logical_not());
    }
};
struct all_of_dim {
    static constexpr auto target = op("aten::all.dim");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, bool keep) {
        return as_truth_of(self, self.logical_not().any(dim, keep).logical_not());
    }
};
struct all_of_dims {
    static constexpr auto target = op("aten::all.dims");
    static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dims, bool keep) {
        return as_truth_of(self, at::any(self.logical_not(), dims, keep).logical_not());
    }
};
struct std_mean {
    static constexpr auto target = op("aten::std_mean.correction");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                                        const std::optional<at::Scalar>& correction, bool keep) {
        return {at::var(self, dim, correction, keep).sqrt(), at::mean(self, dim, keep)};
    }
};
struct var_mean {
    static constexpr auto target = op("aten::var_mean.correction");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                                        const std::optional<at::Scalar>& correction, bool keep) {
        return {at::var(self, dim, correction, keep), at::mean(self, dim, keep)};
    }
};
struct aminmax {
    static constexpr auto target = op("aten::aminmax");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::optional<std::int64_t> dim,
                                                        bool keep) {
        const auto dims = dim ? at::IntArrayRef(*dim) : at::IntArrayRef{};
        return {self.amin(dims, keep), self.amax(dims, keep)};
    }
};
struct nansum {
    static constexpr auto target = op("aten::nansum");
    static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keep,
                                std::optional<at::ScalarType> dtype) {
        return at::sum(at::where(self.isnan(), number_like(self, 0), self), dim, keep, dtype);
    }
};
struct count_nonzero {
    static constexpr auto target = op("aten::count_nonzero.dim_IntList");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims) { return self.ne(0).sum(dims); }
};
struct count_nonzero_in {
    static constexpr auto target = op("aten::count_nonzero");
    static at::Tensor decompose(const at::Tensor& self, std::optional<std::int64_t> dim) {
        return self.ne(0).sum(dim ? at::IntArrayRef(*dim) : at::IntArrayRef{});
    }
};
/// Norms of all overloads are those of vectors; a dtype says what to compute in.
struct norm_all {
    static constexpr auto target = op("aten::norm.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& p) {
        return at::linalg_vector_norm(self, p, std::nullopt, false, std::nullopt);
    }
};
struct norm_all_dtype {
    static constexpr auto target = op("aten::norm.ScalarOpt_dtype");
    static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Scalar>& p, at::ScalarType dtype) {
        return at::linalg_vector_norm(self, p.value_or(2), std::nullopt, false, dtype);
    }
};
struct norm_dim {
    static constexpr auto target = op("aten::norm.ScalarOpt_dim");
    static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Scalar>& p, at::IntArrayRef dims,
                                bool keep) {
        return at::linalg_vector_norm(self, p.value_or(2), dims, keep, std::nullopt);
    }
};
struct norm_dim_dtype {
    static constexpr auto target = op("aten::norm.ScalarOpt_dim_dtype");
    static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Scalar>& p, at::IntArrayRef dims,
                                bool keep, at::ScalarType dtype) {
        return at::linalg_vector_norm(self, p.value_or(2), dims, keep, dtype);
    }
};
struct logsumexp {
    static constexpr auto target = op("aten::logsumexp");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, bool keep) {
        const at::Tensor real = as_float(self);
        const at::Tensor most = real.amax(dims, /*keepdim=*/true);
        const at::Tensor shift =
            at::where(most.abs().eq(std::numeric_limits<double>::infinity()), number_like(most, 0), most);
        const at::Tensor sum = (real - shift).exp().sum(dims, /*keepdim=*/true).log() + shift;
        return keep ? sum : sum.squeeze(dims);
    }
};
/// Rows that are masked all over give zeros instead of NaN.
struct safe_softmax {
    static constexpr auto target = op("aten::_safe_softmax");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, std::optional<at::ScalarType> dtype) {
        const at::Tensor result = at::_softmax(dtype ? self.to(*dtype) : self, dim, false);
        const at::Tensor masked =
            self.eq(-std::numeric_limits<double>::infinity()).logical_not().any(dim, true).logical_not();
        return at::where(masked, at::full_like(result, 0), result);
    }
};
struct baddbmm {
    static constexpr auto target = op("aten::baddbmm");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
                                const at::Scalar& beta, const at::Scalar& alpha) {
        return scaled_sum(self, at::bmm(a, b), beta, alpha);
    }
};
struct outer_sum {
    static constexpr auto target = op("aten::addr");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
                                const at::Scalar& beta, const at::Scalar& alpha) {
        return scaled_sum(self, a.unsqueeze(1) * b, beta, alpha);
    }
};
struct addmv {
    static constexpr auto target = op("aten::addmv");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& matrix, const at::Tensor& vector,
                                const at::Scalar& beta, const at::Scalar& alpha) {
        return scaled_sum(self, (matrix * vector).sum(at::IntArrayRef(1), false, matrix.scalar_type()), beta, alpha);
    }
};
struct matrix_vector {
    static constexpr auto target = op("aten::mv");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& vector) {
        return (self * vector).sum(at::IntArrayRef(1), false, self.scalar_type());
    }
};
struct dot {
    static constexpr auto target = op("aten::dot");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
        return (self * other).sum(at::IntArrayRef(0), false, self.scalar_type());
    }
};
struct vdot {
    static constexpr auto target = op("aten::vdot");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
        return self.is_complex() ? at::vdot(self, other) : dot::decompose(self, other);
    }
};
struct trace {
    static constexpr auto target = op("aten::trace");
    static at::Tensor decompose(const at::Tensor& self) { return self.diagonal().sum(at::IntArrayRef(0)); }
};
struct cross {
    static constexpr auto target = op("aten::linalg_cross");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other, std::int64_t dim) {
        const auto turned = [dim](const at::Tensor& x, std::int64_t by) {
            return at::cat({x.slice(dim, by, 3), x.slice(dim, 0, by)}, dim);
        };
        return turned(self, 1) * turned(other, 2) - turned(self, 2) * turned(other, 1);
    }
};

}  // namespace decomposed

using reduction_decompositions =
    decompositions<decomposed::sum_all, decomposed::std_correction, decomposed::all_of, decomposed::all_of_dim,
                   decomposed::all_of_dims, decomposed::std_mean, decomposed::var_mean, decomposed::aminmax,
                   decomposed::nansum, decomposed::count_nonzero, decomposed::count_nonzero_in, decomposed::norm_all,
                   decomposed::norm_all_dtype, decomposed::norm_dim, decomposed::norm_dim_dtype, decomposed::logsumexp,
                   decomposed::safe_softmax, decomposed::baddbmm, decomposed::outer_sum, decomposed::addmv,
                   decomposed::matrix_vector, decomposed::dot, decomposed::vdot, decomposed::trace, decomposed::cross>;

}  // namespace ferry
