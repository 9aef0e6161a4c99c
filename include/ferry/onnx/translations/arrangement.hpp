#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

/// Numbers in another order: repeated, turned round, between others.
namespace ferry::onnx {
namespace translated {

struct repeat {
    static constexpr auto target = op("aten::repeat");
    static Ref translate(Translation& t);
};
struct repeat_interleave {
    static constexpr auto target = op("aten::repeat_interleave.self_int");
    static Ref translate(Translation& t);
};
struct flip {
    static constexpr auto target = op("aten::flip");
    static Ref translate(Translation& t);
};
struct tril {
    static constexpr auto target = op("aten::tril");
    static Ref translate(Translation& t);
};
struct triu {
    static constexpr auto target = op("aten::triu");
    static Ref translate(Translation& t);
};
struct constant_pad_nd {
    static constexpr auto target = op("aten::constant_pad_nd");
    static Ref translate(Translation& t);
};
struct pad {
    static constexpr auto target = op("aten::pad");
    static Ref translate(Translation& t);
};

}  // namespace translated

using arrangement_translations =
    translations<translated::repeat, translated::repeat_interleave, translated::flip, translated::tril,
                 translated::triu, translated::constant_pad_nd, translated::pad>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/arrangement-inl.hpp>
#endif
