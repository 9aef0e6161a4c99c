#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <optional>
#include <span>

/// The tensors among boxed values, alone or in lists.
namespace ferry::capture::detail {

/// Those that are defined.
template <class Visit>
void for_each_tensor(const c10::IValue& value, Visit&& visit) {
    if (value.isTensor()) {
        if (value.toTensor().defined()) visit(value.toTensor());
    } else if (value.isTensorList()) {
        for (const at::Tensor& tensor : value.toTensorVector())
            if (tensor.defined()) visit(tensor);
    } else if (value.isOptionalTensorList()) {
        for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
            if (tensor && tensor->defined()) visit(*tensor);
    }
}

/// The same value with other tensors in it.
template <class Exchange>
[[nodiscard]] c10::IValue exchange_tensors(const c10::IValue& value, Exchange&& exchange) {
    if (value.isTensor()) return exchange(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> made;
        for (const at::Tensor& tensor : value.toTensorVector()) made.push_back(exchange(tensor));
        return made;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> made;
        for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
            made.push_back(tensor ? std::optional(exchange(*tensor)) : std::nullopt);
        return made;
    }
    return value;
}

[[nodiscard]] inline std::span<c10::IValue> last(torch::jit::Stack& stack, std::size_t count) {
    return std::span(stack).last(count);
}

}  // namespace ferry::capture::detail
