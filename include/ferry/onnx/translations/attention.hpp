#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

/// Attention in smaller ops. A row of which every score is masked gives zeros, as libtorch does; a plain Softmax gives NaNs there.
namespace ferry::onnx {
namespace translated {

/// Keys and values of fewer heads, each for several heads of the query.
inline Ref repeat_heads(Translation& t, Ref value, const SymExpr& heads) {
    const Sizes& sizes = t.sizes(value);
    const std::size_t at = sizes.size() - 3;
    if (sizes[at] == heads) return value;
    Sizes grown = sizes, joined = sizes;
    grown.insert(grown.begin() + static_cast<std::ptrdiff_t>(at + 1), floor_div(heads, sizes[at]));
    joined[at] = heads;
    const Ref apart = t.unsqueeze(value, {static_cast<std::int64_t>(at + 1)});
    return t.reshape(t.expand(apart, grown), joined);
}

/// Row i sees the columns up to i.
inline Ref causal_mask(Translation& t, const SymExpr& rows, const SymExpr& columns) {
    return t.add("GreaterOrEqual", {t.unsqueeze(counted(t, rows), {1}), counted(t, columns)});
}

struct scaled_dot_product_attention {
    static constexpr auto target = op("aten::scaled_dot_product_attention");
    static Ref translate(Translation& t) {
        if (t.real("dropout_p") != 0) t.refuse("attention with dropout", "call eval() on the model first");
        const DType dtype = t.wide(t.result_dtype());
        const Ref query = t.operand("query", dtype);
        Ref key = t.operand("key", dtype), value = t.operand("value", dtype);
        const Sizes& sizes = t.sizes(query);
        const std::size_t rank = sizes.size();
        if (t.flag("enable_gqa")) {
            key = repeat_heads(t, key, sizes[rank - 3]);
            value = repeat_heads(t, value, sizes[rank - 3]);
        }
        Ref scale;
        if (t.has("scale")) {
            scale = t.operand("scale", dtype);
        } else if (const SymExpr& width = sizes[rank - 1]; width.is_constant()) {
            scale = t.number(1 / std::sqrt(static_cast<double>(width.value())), dtype);
        } else {
            scale = t.add("Reciprocal", {t.add("Sqrt", {t.cast(t.scalar_of(t.size(width)), dtype)})});
        }
        const auto last = static_cast<std::int64_t>(t.sizes(key).size());
        Ref scores = t.add("MatMul", {t.add("Mul", {query, scale}), t.transpose(key, last - 2, last - 1)});
        const Ref lowest = t.number(-std::numeric_limits<double>::infinity(), dtype);
        bool may_mask_all = false;
        if (t.flag("is_causal")) {
            const Ref mask = causal_mask(t, sizes[rank - 2], t.sizes(key)[t.sizes(key).size() - 2]);
            scores = t.add("Where", {mask, scores, lowest});
        } else if (t.has("attn_mask")) {
            const Ref mask = t.tensor("attn_mask");
            may_mask_all = true;
            scores = t.dtype(mask) == DType::boolean ? t.add("Where", {mask, scores, lowest})
                                                     : t.add("Add", {scores, t.cast(mask, dtype)});
        }
        Ref weights = t.add("Softmax", {scores}, {{"axis", -1}});
        if (may_mask_all) {
            const Ref highest = t.add("ReduceMax", {scores, t.ints({-1})}, {{"keepdims", 1}});
            const Ref nothing = t.add("Equal", {highest, lowest});
            weights = t.add("Where", {nothing, t.number(0, dtype), weights});
        }
        return t.add("MatMul", {weights, value});
    }
};

}  // namespace translated

using attention_translations = translations<translated::scaled_dot_product_attention>;

}  // namespace ferry::onnx
