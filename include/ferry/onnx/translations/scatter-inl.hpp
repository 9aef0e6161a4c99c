#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/arithmetic-inl.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/indexing-inl.hpp>
#include <ferry/onnx/translations/scatter.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

struct Scatter {
    Ref self;
    Ref index;   ///< as large as the source
    Ref source;
    std::int64_t dim = 0;

    [[nodiscard]] Ref operator()(Translation& t, Ref into, Ref from, const std::string& reduction = {}) const {
        std::vector<Attribute> attributes{{"axis", dim}};
        if (!reduction.empty()) attributes.emplace_back("reduction", reduction);
        return t.like(t.add("ScatterElements", {into, index, from}, std::move(attributes)), into);
    }
};
/// The source may be larger than the index. ONNX Runtime adds no half precision.
inline Scatter scatter_of(Translation& t, Ref source) {
    const Scatter how{.self = at_least_1d(t, t.operand("self", t.dtype(source))),
                      .index = at_least_1d(t, t.operand("index", DType::int64)),
                      .source = at_least_1d(t, source),
                      .dim = t.dim("dim", t.result_rank())};
    Ref cut = how.source;
    const Sizes& wanted = t.sizes(how.index);
    for (std::size_t dim = 0; dim < wanted.size(); ++dim) {
        if (t.sizes(cut)[dim] == wanted[dim]) continue;
        Sizes sizes = t.sizes(cut);
        sizes[dim] = wanted[dim];
        cut = t.with_sizes(t.slice(cut, static_cast<std::int64_t>(dim), t.ints({0}), t.size(wanted[dim])), sizes);
    }
    return {how.self, how.index, cut, how.dim};
}
/// A number in place of the source.
inline Ref value_as_source(Translation& t, DType dtype) {
    return t.expand(t.operand("value", dtype), t.sizes(t.tensor("index")));
}
inline Ref scattered(Translation& t, const Scatter& how, const std::string& reduction) {
    return back_to_rank(t, how(t, how.self, how.source, reduction));
}

FERRY_INLINE Ref scatter::translate(Translation& t) {
    if (t.node().op() == "aten::scatter_add") return scattered(t, scatter_of(t, t.wide_operand("src")), "add");
    return scattered(t, scatter_of(t, t.operand("src", t.result_dtype())), "");
}
FERRY_INLINE Ref scatter_value::translate(Translation& t) {
    return scattered(t, scatter_of(t, value_as_source(t, t.result_dtype())), "");
}

/// What changes nothing: no number is below the lowest.
[[nodiscard]] inline c10::Scalar lowest_number(DType dtype) {
    switch (dtype) {
        case DType::uint8: return 0;
        case DType::int8: return std::int64_t{std::numeric_limits<std::int8_t>::min()};
        case DType::int16: return std::int64_t{std::numeric_limits<std::int16_t>::min()};
        case DType::int32: return std::int64_t{std::numeric_limits<std::int32_t>::min()};
        case DType::int64: return std::numeric_limits<std::int64_t>::min();
        default: return -std::numeric_limits<double>::infinity();
    }
}
[[nodiscard]] inline c10::Scalar highest_number(DType dtype) {
    switch (dtype) {
        case DType::uint8: return std::int64_t{std::numeric_limits<std::uint8_t>::max()};
        case DType::int8: return std::int64_t{std::numeric_limits<std::int8_t>::max()};
        case DType::int16: return std::int64_t{std::numeric_limits<std::int16_t>::max()};
        case DType::int32: return std::int64_t{std::numeric_limits<std::int32_t>::max()};
        case DType::int64: return std::numeric_limits<std::int64_t>::max();
        default: return std::numeric_limits<double>::infinity();
    }
}

struct ScatterReduction {
    std::string_view onnx;
    c10::Scalar neutral;
    bool is_mean = false;
};
[[nodiscard]] inline ScatterReduction scatter_reduction(Translation& t, DType dtype) {
    const std::string name = t.text("reduce");
    if (name == "sum" || name == "add") return {"add", 0};
    if (name == "mean") return {"add", 0, true};
    if (name == "prod" || name == "multiply") return {"mul", 1};
    if (name == "amax") return {"max", lowest_number(dtype)};
    if (name == "amin") return {"min", highest_number(dtype)};
    t.refuse("the reduction '" + name + "' is none of ONNX's");
}
/// What was there before counts, or gives way to what changes nothing first.
inline Ref scatter_reduced(Translation& t, const Scatter& how, bool include_self) {
    const DType dtype = t.dtype(how.self);
    const ScatterReduction reduction = scatter_reduction(t, dtype);
    const auto all = [&](Ref like, const c10::Scalar& value) { return t.filled(t.sizes(like), value, dtype); };
    const Ref start = include_self ? how.self : how(t, how.self, all(how.index, reduction.neutral));
    const Ref made = how(t, start, how.source, std::string(reduction.onnx));
    if (!reduction.is_mean) return made;
    const Ref counts = how(t, all(how.self, include_self ? 1 : 0), all(how.index, 1), "add");
    const Ref divisor = t.add("Max", {counts, t.number(1, dtype)});
    return is_floating_point(dtype) ? t.add("Div", {made, divisor}) : t.floor_div(made, divisor);
}
FERRY_INLINE Ref scatter_reduce::translate(Translation& t) {
    const Scatter how = scatter_of(t, t.wide_operand("src"));
    return back_to_rank(t, scatter_reduced(t, how, t.flag("include_self")));
}
FERRY_INLINE Ref scatter_reduce_old::translate(Translation& t) {
    const bool has_source = t.node().op() == "aten::scatter.reduce";
    const Ref source = has_source ? t.wide_operand("src") : value_as_source(t, t.wide(t.result_dtype()));
    return back_to_rank(t, scatter_reduced(t, scatter_of(t, source), true));
}
/// One index for a whole row of the source.
inline Scatter scatter_of_rows(Translation& t) {
    const Ref source = at_least_1d(t, t.wide_operand("source"));
    const std::int64_t dim = t.dim("dim", t.result_rank());
    Sizes column(t.sizes(source).size(), SymExpr(1));
    column[static_cast<std::size_t>(dim)] = t.sizes(source)[static_cast<std::size_t>(dim)];
    const Ref index = t.reshape(t.operand("index", DType::int64), column);
    return {at_least_1d(t, t.wide_operand("self")), t.expand(index, t.sizes(source)), source, dim};
}
FERRY_INLINE Ref index_reduce::translate(Translation& t) {
    return back_to_rank(t, scatter_reduced(t, scatter_of_rows(t), t.flag("include_self")));
}
FERRY_INLINE Ref index_add::translate(Translation& t) {
    const Scatter how = scatter_of_rows(t);
    return back_to_rank(t, how(t, how.self, t.like(scaled(t, how.source, "alpha"), how.source), "add"));
}
/// By places among all numbers.
FERRY_INLINE Ref put::translate(Translation& t) {
    const Scatter how{flattened(t, t.wide_operand("self")), flattened(t, t.operand("index", DType::int64)),
                      flattened(t, t.wide_operand("source"))};
    return t.reshape(how(t, how.self, how.source, t.flag("accumulate") ? "add" : ""), t.result_sizes());
}

}  // namespace ferry::onnx::translated
