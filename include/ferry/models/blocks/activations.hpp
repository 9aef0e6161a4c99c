#pragma once

#include <ferry/core/error.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/relu6.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>

#include <array>
#include <string>
#include <string_view>

namespace ferry::models {

using Activation = at::Tensor (*)(const at::Tensor&);

namespace detail {

struct NamedActivation {
    std::string_view name;
    Activation function;
};

[[nodiscard]] inline at::Tensor gelu_by_erf(const at::Tensor& x) { return at::gelu(x); }
[[nodiscard]] inline at::Tensor gelu_by_tanh(const at::Tensor& x) { return at::gelu(x, "tanh"); }
[[nodiscard]] inline at::Tensor silu(const at::Tensor& x) { return at::silu(x); }

/// Under the names of transformers.
inline constexpr std::array<NamedActivation, 20> activations{{
    {"silu", &silu},
    {"swish", &silu},
    {"gelu", &gelu_by_erf},
    {"gelu_python", &gelu_by_erf},
    {"gelu_10", [](const at::Tensor& x) { return at::gelu(x).clamp(-10, 10); }},
    {"gelu_pytorch_tanh", &gelu_by_tanh},
    {"gelu_python_tanh", &gelu_by_tanh},
    {"gelu_new", &gelu_by_tanh},
    {"gelu_fast", &gelu_by_tanh},
    {"gelu_accurate", &gelu_by_tanh},
    {"quick_gelu", [](const at::Tensor& x) { return x * at::sigmoid(1.702 * x); }},
    {"relu", [](const at::Tensor& x) { return at::relu(x); }},
    {"relu2", [](const at::Tensor& x) { return at::relu(x).square(); }},
    {"relu6", [](const at::Tensor& x) { return at::relu6(x); }},
    {"leaky_relu", [](const at::Tensor& x) { return at::leaky_relu(x); }},
    {"mish", [](const at::Tensor& x) { return at::mish(x); }},
    {"hardswish", [](const at::Tensor& x) { return at::hardswish(x); }},
    {"sigmoid", [](const at::Tensor& x) { return at::sigmoid(x); }},
    {"tanh", [](const at::Tensor& x) { return at::tanh(x); }},
    {"linear", [](const at::Tensor& x) { return x; }},
}};

}  // namespace detail

[[nodiscard]] inline Activation activation(std::string_view name) {
    std::string known;
    for (const detail::NamedActivation& each : detail::activations) {
        if (each.name == name) return each.function;
        known.append(known.empty() ? "" : ", ").append(each.name);
    }
    throw Error(ErrorKind::unsupported, "there is no activation '" + std::string(name) + "'",
                {.hint = "there are " + known});
}

}  // namespace ferry::models
