#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>
#include <ATen/ops/where.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

/// Sums over dimensions, those of matrix products included.
namespace ferry {
namespace decomposed {

struct sum_all {
    static constexpr auto target = op("aten::sum");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype) {
        return at::sum(self, at::OptionalIntArrayRef(at::IntArrayRef{}), false, dtype);
    }
};
struct mean_all {
    static constexpr auto target = op("aten::mean");
    static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype) {
        std::vector<std::int64_t> dims(static_cast<std::size_t>(self.dim()));
        std::iota(dims.begin(), dims.end(), 0);
        return at::mean(self, at::OptionalIntArrayRef(dims), false, dtype);
    }
};
struct std_correction {
    static constexpr auto target = op("aten::std.correction");
    static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                const std::optional<at::Scalar>& correction, bool keep) {
        return at::var(self, dim, correction, keep).sqrt();
    }
};
struct all_of {
    static constexpr auto target = op("aten::all");
    static at::Tensor decompose(const at::Tensor& self) { return self.logical_not().any().logical_not(); }
};
struct all_of_dim {
    static constexpr auto target = op("aten::all.dim");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, bool keep) {
        return self.logical_not().any(dim, keep).logical_not();
    }
};
struct logsumexp {
    static constexpr auto target = op("aten::logsumexp");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, bool keep) {
        const at::Tensor most = self.amax(dims, /*keepdim=*/true);
        const at::Tensor shift =
            at::where(most.abs().eq(std::numeric_limits<double>::infinity()), at::full_like(most, 0), most);
        const at::Tensor sum = (self - shift).exp().sum(dims, /*keepdim=*/true).log() + shift;
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
        at::Tensor product = at::bmm(a, b);
        if (!alpha.equal(1)) product = product * alpha;
        if (beta.equal(0)) return product;
        return beta.equal(1) ? self + product : self * beta + product;
    }
};
struct matrix_vector {
    static constexpr auto target = op("aten::mv");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& vector) {
        return (self * vector).sum(at::IntArrayRef(1));
    }
};
struct dot {
    static constexpr auto target = op("aten::dot");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
        return (self * other).sum(at::IntArrayRef(0));
    }
};

}  // namespace decomposed

using reduction_decompositions =
    decompositions<decomposed::sum_all, decomposed::mean_all, decomposed::std_correction, decomposed::all_of,
                   decomposed::all_of_dim, decomposed::logsumexp, decomposed::safe_softmax, decomposed::baddbmm,
                   decomposed::matrix_vector, decomposed::dot>;

}  // namespace ferry
