#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/diagonal.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// Of two dimensions, which are brought to the front; the diagonal itself is torch's last dimension.
struct Diagonal {
    Ref self;       ///< both dimensions first
    Ref positions;  ///< pairs of a row and a column
    std::vector<std::int64_t> order{};
    SymExpr length{};
};
inline Diagonal diagonal_of(Translation& t, SymExpr length) {
    const Ref self = t.tensor("self");
    const std::int64_t rank = t.rank(self), row = t.dim("dim1", rank), column = t.dim("dim2", rank);
    Diagonal made{.self = self, .positions = {}, .order = {row, column}, .length = std::move(length)};
    for (std::int64_t dim = 0; dim < rank; ++dim)
        if (dim != row && dim != column) made.order.push_back(dim);
    made.self = t.permute(self, made.order);
    const std::int64_t offset = t.integer("offset");
    const Ref shifts = t.ints({std::max<std::int64_t>(-offset, 0), std::max<std::int64_t>(offset, 0)});
    made.positions = t.add("Add", {t.unsqueeze(counted(t, made.length), {1}), shifts});
    return made;
}
FERRY_INLINE Ref diagonal::translate(Translation& t) {
    const Diagonal how = diagonal_of(t, t.result_sizes().back());
    Sizes sizes{how.length};
    sizes.insert(sizes.end(), t.sizes(how.self).begin() + 2, t.sizes(how.self).end());
    std::vector<std::int64_t> last(sizes.size());
    std::iota(last.begin(), last.end(), 1);
    last.back() = 0;
    return t.permute(t.with_sizes(t.add("GatherND", {how.self, how.positions}), std::move(sizes)), last);
}
FERRY_INLINE Ref diagonal_scatter::translate(Translation& t) {
    const Ref source = t.operand("src", t.result_dtype());
    const Diagonal how = diagonal_of(t, t.sizes(source).back());
    std::vector<std::int64_t> first(t.sizes(source).size());
    std::iota(first.begin(), first.end(), -1);
    first.front() = t.rank(source) - 1;
    const Ref put = t.add("ScatterND", {how.self, how.positions, t.permute(source, first)});
    std::vector<std::int64_t> back(how.order.size());
    for (std::size_t i = 0; i < back.size(); ++i)
        back[static_cast<std::size_t>(how.order[i])] = static_cast<std::int64_t>(i);
    return t.permute(t.like(put, how.self), back);
}

/// Each matrix between the columns of those before and behind it.
FERRY_INLINE Ref block_diag::translate(Translation& t) {
    std::vector<Ref> rows;
    SymExpr before = 0;
    for (Ref block : t.tensors("tensors")) {
        block = t.cast(block, t.result_dtype());
        for (std::int64_t rank = t.rank(block); rank < 2; ++rank) block = t.unsqueeze(block, {0});
        const SymExpr width = t.sizes(block)[1];
        const Ref pads = t.shape({SymExpr(0), before, SymExpr(0), t.result_sizes()[1] - before - width});
        rows.push_back(t.add("Pad", {block, pads}));
        before = before + width;
    }
    return t.add("Concat", std::move(rows), {{"axis", 0}});
}

}  // namespace ferry::onnx::translated
