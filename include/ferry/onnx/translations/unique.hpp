#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Different numbers, or different rows. How many there are only shows at run time.
namespace ferry::onnx {
namespace translated {

struct unique {
    static constexpr auto target = op("aten::_unique2", "aten::_unique");
    static void translate(Translation& t);
};
struct unique_dim {
    static constexpr auto target = op("aten::unique_dim");
    static void translate(Translation& t);
};
struct unique_consecutive {
    static constexpr auto target = op("aten::unique_consecutive", "aten::unique_dim_consecutive");
    static void translate(Translation& t);
};

}  // namespace translated

using unique_translations = translations<translated::unique, translated::unique_dim, translated::unique_consecutive>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/unique-inl.hpp>
#endif
