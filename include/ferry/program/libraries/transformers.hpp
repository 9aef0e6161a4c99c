#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <string_view>

/// Ops of Hugging Face transformers.
namespace ferry {
namespace transformers_library {

struct grouped_mm_fallback {
    static constexpr auto target = op("transformers::grouped_mm_fallback");
    static constexpr std::string_view schema = "(Tensor input, Tensor weight, Tensor offs) -> Tensor";
    static at::Tensor call(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs);
    static at::Tensor decompose(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs);
};

}  // namespace transformers_library

using transformers_ops = library_ops<transformers_library::grouped_mm_fallback>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/libraries/transformers-inl.hpp>
#endif
