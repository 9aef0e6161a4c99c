#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace ferry::detail {

[[noreturn]] inline void contradiction(const std::string& symbol) {
    throw Error(ErrorKind::bad_file,
                "what the program says of its sizes is a contradiction: '" + symbol + "' can have no value");
}

/// `a` is zero or more: says that of a range, if it is about one symbol.
inline void narrow_range(SymMap<ValueRange>& ranges, const SymExpr& a) {
    const auto up = as_affine(a), down = as_affine(-a);
    const auto& affine = up ? up : down;
    if (!affine) return;
    const ValueRange* known = ranges.find(affine->symbol);
    ValueRange range = known != nullptr                   ? *known
                       : is_unbacked_name(affine->symbol) ? ValueRange{}
                                                          : ValueRange{.min = 0};
    // factor * symbol + offset >= 0, or <= 0.
    if (up)
        range.min = std::max(range.min, checked_neg(checked_floor_div(affine->offset, affine->factor)));
    else
        range.max = std::min(range.max, checked_floor_div(checked_neg(affine->offset), affine->factor));
    if (range.empty()) contradiction(affine->symbol);
    ranges.set(affine->symbol, range);
}

}  // namespace ferry::detail
