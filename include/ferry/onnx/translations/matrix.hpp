#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Products of matrices.
namespace ferry::onnx {
namespace translated {

struct matmul {
    static constexpr auto target = op("aten::matmul", "aten::mv", "aten::dot");
    static Ref translate(Translation& t);
};
struct mm {
    static constexpr auto target = op("aten::mm", "aten::bmm");
    static Ref translate(Translation& t);
};
struct linear {
    static constexpr auto target = op("aten::linear");
    static Ref translate(Translation& t);
};
struct addmm {
    static constexpr auto target = op("aten::addmm");
    static Ref translate(Translation& t);
};
struct baddbmm {
    static constexpr auto target = op("aten::baddbmm");
    static Ref translate(Translation& t);
};
struct addbmm {
    static constexpr auto target = op("aten::addbmm");
    static Ref translate(Translation& t);
};
struct addmv {
    static constexpr auto target = op("aten::addmv");
    static Ref translate(Translation& t);
};
struct outer {
    static constexpr auto target = op("aten::outer");
    static Ref translate(Translation& t);
};
struct einsum {
    static constexpr auto target = op("aten::einsum");
    static Ref translate(Translation& t);
    static Ref of(Translation& t, std::vector<Ref> operands);
};
struct determinant {
    static constexpr auto target = op("aten::_linalg_det");
    static void translate(Translation& t);
};

struct bilinear {
    static constexpr auto target = op("aten::bilinear");
    static Ref translate(Translation& t);
};

}  // namespace translated

using matrix_translations = translations<translated::matmul, translated::mm, translated::linear, translated::addmm,
                                         translated::baddbmm, translated::addbmm, translated::addmv, translated::outer,
                                         translated::einsum, translated::determinant, translated::bilinear>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/matrix-inl.hpp>
#endif
