#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/attention.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

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

class Attention {
public:
    explicit Attention(Translation& t)
        : t_(t),
          dtype_(t.wide(t.result_dtype())),
          query_(t.operand("query", dtype_)),
          key_(t.operand("key", dtype_)),
          value_(t.operand("value", dtype_)),
          rows_(from_end(query_, 2)),
          columns_(from_end(key_, 2)) {}

    [[nodiscard]] Ref translate() { return has_op() ? by_op() : by_parts(); }

private:
    [[nodiscard]] const SymExpr& from_end(Ref value, std::size_t place) const {
        return t_.sizes(value)[t_.sizes(value).size() - place];
    }

    /// What ONNX Runtime's kernel is right for. A single row does not count as the first one there, but as the last; no row at all is refused.
    [[nodiscard]] bool has_op() const {
        if (t_.opset() < 23 || dtype_ != DType::float32) return false;
        for (const Ref each : {query_, key_, value_}) {
            const Sizes& sizes = t_.sizes(each);
            if (sizes.size() != 4 || sizes[0] != t_.sizes(query_)[0]) return false;
            if (!algo::all_of(sizes, [&](const SymExpr& size) { return t_.is_positive(size); })) return false;
        }
        if (!t_.flag("enable_gqa") && from_end(key_, 3) != from_end(query_, 3)) return false;
        const bool has_scale = !t_.has("scale") || t_.argument("scale").is<double>();
        return from_end(value_, 3) == from_end(key_, 3) && has_scale && (!t_.flag("is_causal") || rows_ == columns_);
    }
    [[nodiscard]] Ref by_op() {
        std::vector<Attribute> attributes;
        if (t_.flag("is_causal")) attributes.emplace_back("is_causal", 1);
        if (t_.has("scale")) attributes.emplace_back("scale", t_.real("scale"));
        std::vector<Ref> inputs{query_, key_, value_};
        if (!t_.has("attn_mask")) return t_.add("Attention", std::move(inputs), std::move(attributes));
        const Ref mask = whole_mask();
        inputs.push_back(mask);
        const Ref made = t_.add("Attention", std::move(inputs), std::move(attributes));
        const bool is_condition = t_.dtype(mask) == DType::boolean;
        const Ref highest =
            t_.add("ReduceMax", {is_condition ? t_.cast(mask, DType::uint8) : mask, t_.ints({-1})}, {{"keepdims", 1}});
        const Ref nothing =
            is_condition ? t_.add("Not", {t_.cast(highest, DType::boolean)}) : t_.add("Equal", {highest, lowest()});
        return t_.add("Where", {nothing, t_.number(0, dtype_), made});
    }
    /// The kernel takes no mask that is one row for all.
    [[nodiscard]] Ref whole_mask() {
        Ref mask = t_.tensor("attn_mask");
        if (t_.dtype(mask) != DType::boolean) mask = t_.cast(mask, dtype_);
        Sizes sizes = t_.sizes(mask);
        sizes[sizes.size() - 2] = rows_;
        sizes[sizes.size() - 1] = columns_;
        return t_.expand(mask, sizes);
    }

    [[nodiscard]] Ref by_parts() {
        if (t_.flag("enable_gqa")) {
            key_ = repeat_heads(t_, key_, from_end(query_, 3));
            value_ = repeat_heads(t_, value_, from_end(query_, 3));
        }
        const std::int64_t last = t_.rank(key_) - 1;
        Ref scores = t_.add("MatMul", {t_.add("Mul", {query_, scale()}), t_.transpose(key_, last - 1, last)});
        if (t_.flag("is_causal")) scores = t_.add("Where", {causal_mask(t_, rows_, columns_), scores, lowest()});
        if (!t_.has("attn_mask")) return t_.add("MatMul", {t_.add("Softmax", {scores}, {{"axis", -1}}), value_});
        const Ref mask = t_.tensor("attn_mask");
        scores = t_.dtype(mask) == DType::boolean ? t_.add("Where", {mask, scores, lowest()})
                                                  : t_.add("Add", {scores, t_.cast(mask, dtype_)});
        const Ref highest = t_.add("ReduceMax", {scores, t_.ints({-1})}, {{"keepdims", 1}});
        const Ref weights = t_.add("Where", {t_.add("Equal", {highest, lowest()}), t_.number(0, dtype_),
                                             t_.add("Softmax", {scores}, {{"axis", -1}})});
        return t_.add("MatMul", {weights, value_});
    }
    [[nodiscard]] Ref scale() {
        if (t_.has("scale")) return t_.operand("scale", dtype_);
        const SymExpr& width = from_end(query_, 1);
        if (width.is_constant()) return t_.number(1 / std::sqrt(static_cast<double>(width.value())), dtype_);
        return t_.add("Reciprocal", {t_.add("Sqrt", {t_.cast(t_.scalar_of(t_.size(width)), dtype_)})});
    }
    [[nodiscard]] Ref lowest() { return t_.number(-std::numeric_limits<double>::infinity(), dtype_); }

    Translation& t_;
    DType dtype_;
    Ref query_;
    Ref key_;
    Ref value_;
    SymExpr rows_;
    SymExpr columns_;
};

FERRY_INLINE Ref scaled_dot_product_attention::translate(Translation& t) {
    if (t.real("dropout_p") != 0) t.refuse("attention with dropout", "call eval() on the model first");
    return Attention(t).translate();
}

}  // namespace ferry::onnx::translated
