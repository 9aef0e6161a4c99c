#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Images to a number of windows that is given: window i of n is from floor(i * size / n) to ceil((i + 1) * size / n).
namespace ferry::onnx {
namespace translated {

struct adaptive_avg_pool {
    static constexpr auto target =
        op("aten::adaptive_avg_pool1d", "aten::adaptive_avg_pool2d", "aten::adaptive_avg_pool3d",
           "aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d");
    static Ref translate(Translation& t);
};

struct adaptive_max_pool {
    static constexpr auto target = op("aten::adaptive_max_pool2d", "aten::adaptive_max_pool3d");
    static void translate(Translation& t);

private:
    using Lengths = std::vector<std::int64_t>;
    static void pool_by_slices(Translation& t, Ref value, std::size_t spatial);
    static void pool_evenly(Translation& t, Ref self, const Lengths& sizes, const Lengths& counts);
    static at::Tensor places_in_windows(const Lengths& sizes, const Lengths& counts);
    static void pool_by_places(Translation& t, Ref self, const Lengths& sizes, const Lengths& counts);
};

}  // namespace translated

using adaptive_pooling_translations = translations<translated::adaptive_avg_pool, translated::adaptive_max_pool>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/adaptive_pooling-inl.hpp>
#endif
