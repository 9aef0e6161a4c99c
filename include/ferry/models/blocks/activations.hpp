#pragma once

#include <ferry/core/error.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>

#include <string>
#include <string_view>

namespace ferry::models {

using Activation = at::Tensor (*)(const at::Tensor&);

/// Under the names of transformers.
[[nodiscard]] inline Activation activation(std::string_view name) {
    if (name == "silu" || name == "swish") return [](const at::Tensor& x) { return at::silu(x); };
    if (name == "gelu") return [](const at::Tensor& x) { return at::gelu(x); };
    if (name == "gelu_pytorch_tanh" || name == "gelu_new" || name == "gelu_fast")
        return [](const at::Tensor& x) { return at::gelu(x, "tanh"); };
    if (name == "relu") return [](const at::Tensor& x) { return at::relu(x); };
    throw Error(ErrorKind::unsupported, "there is no activation '" + std::string(name) + "'",
                {.hint = "there are silu, gelu, gelu_pytorch_tanh, gelu_new, gelu_fast, relu"});
}

}  // namespace ferry::models
