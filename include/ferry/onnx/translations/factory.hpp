#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Tensors made from numbers.
namespace ferry::onnx {
namespace translated {

struct zeros {
    static constexpr auto target =
        op("aten::zeros", "aten::zeros_like", "aten::new_zeros", "aten::zero", "aten::empty.memory_format",
           "aten::empty_like", "aten::new_empty", "aten::empty_permuted", "aten::empty_strided");
    static Ref translate(Translation& t);
};
struct ones {
    static constexpr auto target = op("aten::ones", "aten::ones_like", "aten::new_ones");
    static Ref translate(Translation& t);
};
struct full {
    static constexpr auto target = op("aten::full", "aten::full_like", "aten::new_full");
    static Ref translate(Translation& t);
};
struct fill {
    static constexpr auto target = op("aten::fill.Scalar", "aten::fill.Tensor");
    static Ref translate(Translation& t);
};
struct scalar_tensor {
    static constexpr auto target = op("aten::scalar_tensor");
    static Ref translate(Translation& t);
};
struct arange {
    static constexpr auto target = op("aten::arange", "aten::arange.start", "aten::arange.start_step");
    static Ref translate(Translation& t);
};

}  // namespace translated

using factory_translations = translations<translated::zeros, translated::ones, translated::full, translated::fill,
                                          translated::scalar_tensor, translated::arange>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/factory-inl.hpp>
#endif
