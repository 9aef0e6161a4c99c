#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Rows of a table by number, one by one or in bags.
namespace ferry::onnx {
namespace translated {

struct embedding {
    static constexpr auto target = op("aten::embedding");
    static Ref translate(Translation& t);
};

struct embedding_bag {
    static constexpr auto target = op("aten::_embedding_bag", "aten::_embedding_bag_forward_only");
    static void translate(Translation& t);
};

}  // namespace translated

using embedding_translations = translations<translated::embedding, translated::embedding_bag>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/embedding-inl.hpp>
#endif
