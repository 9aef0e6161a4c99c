#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>
#include <c10/core/SymInt.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Many elements to one: another reduction has a Meta kernel, and gives the same shape.
namespace ferry::fake_ops {

struct extreme {
    static constexpr auto target = op("aten::max", "aten::min");
    static at::Tensor fake(const at::Tensor& self) {
        TORCH_CHECK(self.numel() > 0, "max or min of a tensor without elements");
        return at::empty({}, self.options());
    }
};

struct median {
    static constexpr auto target = op("aten::median", "aten::nanmedian");
    static at::Tensor fake(const at::Tensor& self) { return at::empty({}, self.options()); }
};

struct prod {
    static constexpr auto target = op("aten::prod");
    static at::Tensor fake(const at::Tensor& self, std::optional<at::ScalarType> dtype) { return at::sum(self, dtype); }
};

struct nansum {
    static constexpr auto target = op("aten::nansum");
    static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
                           std::optional<at::ScalarType> dtype) {
        return at::sum(self, dim, keepdim, dtype);
    }
};

struct trace {
    static constexpr auto target = op("aten::trace");
    static at::Tensor fake(const at::Tensor& self) {
        TORCH_CHECK(self.dim() == 2, "trace: a matrix is expected, not ", self.sizes());
        return at::sum(self);
    }
};

struct histc {
    static constexpr auto target = op("aten::histc");
    static at::Tensor fake(const at::Tensor& self, std::int64_t bins, const at::Scalar&, const at::Scalar&) {
        TORCH_CHECK(bins > 0, "histc: ", bins, " bins");
        return at::empty({bins}, self.options());
    }
};

/// One element along a dimension, and where it is.
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> picked(const at::Tensor& self, std::int64_t dim, bool keepdim) {
    const at::Tensor shape = at::sum(self, dim, keepdim, self.scalar_type());
    return {at::empty(shape.sizes(), self.options()), at::empty(shape.sizes(), self.options().dtype(at::kLong))};
}

struct pick {
    static constexpr auto target = op("aten::median.dim", "aten::nanmedian.dim", "aten::mode");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool keepdim) {
        TORCH_CHECK(self.numel() > 0, "median or mode of a tensor without elements");
        return picked(self, dim, keepdim);
    }
};

struct kthvalue {
    static constexpr auto target = op("aten::kthvalue");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const c10::SymInt& k, std::int64_t dim,
                                                   bool keepdim) {
        TORCH_CHECK(self.dim() == 0 || (k.expect_int() >= 1 && k.expect_int() <= self.size(dim)), "kthvalue: no ",
                    k.expect_int(), "th among ", self.sizes());
        return picked(self, dim, keepdim);
    }
};

struct count_nonzero {
    static constexpr auto target = op("aten::count_nonzero.dim_IntList");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim) { return at::sum(self, dim, false, at::kLong); }
};

/// Of complex numbers they are real.
[[nodiscard]] inline at::Tensor spread(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim) {
    const at::Tensor mean = at::mean(self, dim, keepdim);
    return at::empty(mean.sizes(), mean.options().dtype(c10::toRealValueType(mean.scalar_type())));
}

struct variance {
    static constexpr auto target = op("aten::var.correction", "aten::std.correction");
    static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, const std::optional<at::Scalar>&,
                           bool keepdim) {
        return spread(self, dim, keepdim);
    }
};

struct variance_and_mean {
    static constexpr auto target = op("aten::var_mean.correction", "aten::std_mean.correction");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                                   const std::optional<at::Scalar>&, bool keepdim) {
        return {spread(self, dim, keepdim), at::mean(self, dim, keepdim)};
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using reduction_fakes =
    fakes<fake_ops::extreme, fake_ops::median, fake_ops::prod, fake_ops::nansum, fake_ops::pick, fake_ops::kthvalue,
          fake_ops::count_nonzero, fake_ops::variance, fake_ops::variance_and_mean, fake_ops::trace, fake_ops::histc>;
}  // namespace ferry
