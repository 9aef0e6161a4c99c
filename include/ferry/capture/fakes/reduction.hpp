#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Many elements to one: another reduction has a Meta kernel, and gives the same shape.
namespace ferry::fake_ops {

struct extreme {
    static constexpr auto target = op("aten::max", "aten::min");
    static at::Tensor fake(const at::Tensor& self);
};

struct median {
    static constexpr auto target = op("aten::median", "aten::nanmedian");
    static at::Tensor fake(const at::Tensor& self);
};

struct prod {
    static constexpr auto target = op("aten::prod");
    static at::Tensor fake(const at::Tensor& self, std::optional<at::ScalarType> dtype);
};

struct nansum {
    static constexpr auto target = op("aten::nansum");
    static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
                           std::optional<at::ScalarType> dtype);
};

struct trace {
    static constexpr auto target = op("aten::trace");
    static at::Tensor fake(const at::Tensor& self);
};

struct histc {
    static constexpr auto target = op("aten::histc");
    static at::Tensor fake(const at::Tensor& self, std::int64_t bins, const at::Scalar&, const at::Scalar&);
};

struct pick {
    static constexpr auto target = op("aten::median.dim", "aten::nanmedian.dim", "aten::mode");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool keepdim);
};

struct kthvalue {
    static constexpr auto target = op("aten::kthvalue");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const c10::SymInt& k, std::int64_t dim,
                                                   bool keepdim);
};

struct count_nonzero {
    static constexpr auto target = op("aten::count_nonzero.dim_IntList");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim);
};

struct variance {
    static constexpr auto target = op("aten::var.correction", "aten::std.correction");
    static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, const std::optional<at::Scalar>&,
                           bool keepdim);
};

struct variance_and_mean {
    static constexpr auto target = op("aten::var_mean.correction", "aten::std_mean.correction");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::OptionalIntArrayRef dim,
                                                   const std::optional<at::Scalar>&, bool keepdim);
};

}  // namespace ferry::fake_ops

namespace ferry {

using reduction_fakes =
    fakes<fake_ops::extreme, fake_ops::median, fake_ops::prod, fake_ops::nansum, fake_ops::pick, fake_ops::kthvalue,
          fake_ops::count_nonzero, fake_ops::variance, fake_ops::variance_and_mean, fake_ops::trace, fake_ops::histc>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/reduction-inl.hpp>
#endif
