#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/arrangement.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

FERRY_INLINE Ref repeat::translate(Translation& t) {
    const Ref self = t.tensor("self");
    std::vector<std::int64_t> front(static_cast<std::size_t>(t.result_rank() - t.rank(self)));
    std::iota(front.begin(), front.end(), 0);
    return t.add("Tile", {t.unsqueeze(self, std::move(front)), t.shape(t.symbolics("repeats"))});
}
FERRY_INLINE Ref repeat_interleave::translate(Translation& t) {
    Ref self = t.tensor("self");
    std::int64_t dim = 0;
    if (t.has("dim")) {
        dim = t.dim("dim", t.rank(self));
    } else {
        self = flattened(t, self);
    }
    const Ref column = t.unsqueeze(self, {dim + 1});
    Sizes grown = t.sizes(column);
    grown[static_cast<std::size_t>(dim + 1)] = t.symbolic("repeats");
    return t.reshape(t.expand(column, grown), t.result_sizes());
}
FERRY_INLINE Ref flip::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const auto dims = t.dims("dims", t.rank(self));
    if (dims.empty() || t.rank(self) == 0) return self;
    const std::vector<std::int64_t> backwards(dims.size(), -1);
    const std::vector<std::int64_t> beyond(dims.size(), std::numeric_limits<std::int64_t>::min());
    return t.add("Slice", {self, t.ints(backwards), t.ints(beyond), t.ints(dims), t.ints(backwards)});
}
inline Ref triangle(Translation& t, bool upper) {
    return t.add("Trilu", {t.tensor("self"), t.number(t.integer("diagonal"), DType::int64)},
                 {{"upper", std::int64_t{upper}}});
}
FERRY_INLINE Ref tril::translate(Translation& t) { return triangle(t, false); }
FERRY_INLINE Ref triu::translate(Translation& t) { return triangle(t, true); }
/// Front and back of each dimension, from the last one on.
inline Sizes pad_pairs(Translation& t, std::int64_t rank) {
    Sizes pairs = t.symbolics("pad");
    if (std::cmp_greater(pairs.size(), 2 * rank)) t.refuse("more padding than there are dimensions");
    return pairs;
}
/// Where ONNX has all fronts and then all backs. With its dimensions named, ONNX Runtime does not make zeros in front of a MaxPool that
/// pool's own padding, which is none of its numbers. All of them in order: where ONNX Runtime moves a transposition behind a Pad,
/// it takes no notice of their names.
inline Ref padded(Translation& t, std::string_view mode, std::string_view value) {
    const Ref self = t.tensor("self");
    const Sizes pairs = pad_pairs(t, t.rank(self));
    if (algo::all_of(pairs, [](const SymExpr& width) { return width.is_constant(0); })) return self;
    const auto rank = static_cast<std::size_t>(t.rank(self));
    Sizes pads(2 * rank, SymExpr(0));
    for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
        pads[rank - 1 - i] = pairs[2 * i];
        pads[2 * rank - 1 - i] = pairs[2 * i + 1];
    }
    std::vector<std::int64_t> dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    const DType dtype = computing_type(kernel_types("Pad")->dtypes, t.dtype(self));
    std::vector<Ref> inputs{t.cast(self, dtype), t.shape(pads)};
    const bool is_constant = mode == "constant";
    inputs.push_back(!is_constant ? Ref() : t.has(value) ? t.operand(value, dtype) : t.number(0, dtype));
    inputs.push_back(t.ints(dims));
    return is_constant ? t.add("Pad", std::move(inputs))
                       : t.add("Pad", std::move(inputs), {{"mode", std::string(mode)}});
}
FERRY_INLINE Ref constant_pad_nd::translate(Translation& t) { return padded(t, "constant", "value"); }
/// From either end on with the other one. ONNX's own mode for this is younger than its oldest opset here.
inline Ref padded_around(Translation& t) {
    Ref value = t.tensor("self");
    const Sizes pairs = pad_pairs(t, t.rank(value));
    for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
        const std::int64_t dim = t.rank(value) - 1 - static_cast<std::int64_t>(i);
        Sizes sizes = t.sizes(value);
        SymExpr& size = sizes[static_cast<std::size_t>(dim)];
        const auto number = [&](const SymExpr& each) { return t.scalar_of(t.size(each)); };
        const Ref places = t.add(
            "Range", {number(SymExpr(0) - pairs[2 * i]), number(size + pairs[2 * i + 1]), t.number(1, DType::int64)});
        const Ref index = t.add("Mod", {places, number(size)});
        size = size + pairs[2 * i] + pairs[2 * i + 1];
        value = t.with_sizes(t.add("Gather", {value, index}, {{"axis", dim}}), std::move(sizes));
    }
    return value;
}
FERRY_INLINE Ref pad::translate(Translation& t) {
    const std::string mode = t.text("mode");
    return mode == "circular" ? padded_around(t) : padded(t, mode == "replicate" ? "edge" : mode, "value");
}

}  // namespace ferry::onnx::translated
