#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <optional>
#include <tuple>

/// One element at a time. libtorch has no Meta kernels in C++ for these: where the result is not simply like the argument, another op
/// of the same shape and dtype stands in, which has one.
namespace ferry::fake_ops {

struct like_self {
    static constexpr auto target = op("aten::relu", "aten::hardswish", "aten::_conj_physical");
    static at::Tensor fake(const at::Tensor& self);
};

struct hardtanh {
    static constexpr auto target = op("aten::hardtanh");
    static at::Tensor fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&);
};

struct logit {
    static constexpr auto target = op("aten::logit");
    static at::Tensor fake(const at::Tensor& self, std::optional<double>);
};

struct nan_to_num {
    static constexpr auto target = op("aten::nan_to_num");
    static at::Tensor fake(const at::Tensor& self, std::optional<double>, std::optional<double>, std::optional<double>);
};

struct test {
    static constexpr auto target = op("aten::isnan", "aten::logical_not");
    static at::Tensor fake(const at::Tensor& self);
};

struct logical {
    static constexpr auto target = op("aten::logical_and", "aten::logical_or", "aten::logical_xor");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};

struct shift {
    static constexpr auto target = op("aten::__lshift__.Tensor", "aten::__rshift__.Tensor");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};

struct shift_by_number {
    static constexpr auto target = op("aten::__lshift__.Scalar", "aten::__rshift__.Scalar");
    static at::Tensor fake(const at::Tensor& self, const at::Scalar& other);
};

struct sum_with_factor {
    static constexpr auto target = op("aten::rsub.Tensor", "aten::_add_relu.Tensor");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);
};

struct remainder_of_number {
    static constexpr auto target = op("aten::remainder.Scalar_Tensor");
    static at::Tensor fake(const at::Scalar& self, const at::Tensor& other);
};

struct mantissa_and_exponent {
    static constexpr auto target = op("aten::frexp.Tensor");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};

struct magnitude {
    static constexpr auto target = op("aten::abs");
    static at::Tensor fake(const at::Tensor& self);
};

struct angle {
    static constexpr auto target = op("aten::angle");
    static at::Tensor fake(const at::Tensor& self);
};

struct complex {
    static constexpr auto target = op("aten::complex", "aten::polar");
    static at::Tensor fake(const at::Tensor& first, const at::Tensor& second);
};

struct log_sigmoid_forward {
    static constexpr auto target = op("aten::log_sigmoid_forward");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};

struct floor_divide {
    static constexpr auto target = op("aten::floor_divide");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};

struct where {
    static constexpr auto target = op("aten::where.self");
    static at::Tensor fake(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other);
};

struct prelu_kernel {
    static constexpr auto target = op("aten::_prelu_kernel");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& weight);
};

}  // namespace ferry::fake_ops

namespace ferry {

using pointwise_fakes =
    fakes<fake_ops::like_self, fake_ops::hardtanh, fake_ops::logit, fake_ops::nan_to_num, fake_ops::test,
          fake_ops::magnitude, fake_ops::angle, fake_ops::complex, fake_ops::log_sigmoid_forward,
          fake_ops::floor_divide, fake_ops::where, fake_ops::prelu_kernel, fake_ops::logical, fake_ops::shift,
          fake_ops::shift_by_number, fake_ops::sum_with_factor, fake_ops::remainder_of_number,
          fake_ops::mantissa_and_exponent>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/pointwise-inl.hpp>
#endif
