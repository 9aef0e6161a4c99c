#pragma once

#include <ferry/graph/argument.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>

#include <complex>
#include <optional>

/// Numbers where an op takes a tensor (`x + 1` is add.Tensor): libtorch makes a tensor of them that takes no part in the result's
/// dtype, which a tensor of the graph would. So they stay numbers in the graph, as Python writes them.
namespace ferry::capture {

[[nodiscard]] inline bool is_wrapped_number(const at::Tensor& tensor) {
    return tensor.defined() && !tensor.is_meta() && tensor.unsafeGetTensorImpl()->is_wrapped_number();
}

/// The number, if it is one.
[[nodiscard]] inline std::optional<Argument> wrapped_number(const c10::IValue& value) {
    if (!value.isTensor() || !is_wrapped_number(value.toTensor())) return std::nullopt;
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.is_cpu()) return std::nullopt;
    switch (tensor.scalar_type()) {
        case at::kLong: return Argument(*tensor.const_data_ptr<std::int64_t>());
        case at::kDouble: return Argument(*tensor.const_data_ptr<double>());
        case at::kBool: return Argument(*tensor.const_data_ptr<bool>());
        case at::kComplexDouble: {
            const auto number = *tensor.const_data_ptr<c10::complex<double>>();
            return Argument(std::complex<double>(number.real(), number.imag()));
        }
        default: return std::nullopt;
    }
}

/// One without data that counts for as little.
[[nodiscard]] inline at::Tensor fake_number(const at::Tensor& number) {
    const at::Tensor fake = at::empty({}, number.options().device(at::kMeta));
    fake.unsafeGetTensorImpl()->set_wrapped_number(true);
    return fake;
}

}  // namespace ferry::capture
