#pragma once

#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace ferry {

/// factor * symbol + offset: a size that tells what its symbol is.
struct AffineSize {
    std::string symbol;
    std::int64_t factor = 1;
    std::int64_t offset = 0;

    /// The symbol, if `size` is one that it can give.
    [[nodiscard]] std::optional<std::int64_t> solve(std::int64_t size) const noexcept {
        std::int64_t rest = 0;
        if (__builtin_sub_overflow(size, offset, &rest) || rest % factor != 0) return std::nullopt;
        return rest / factor;
    }
    /// What the symbol is at least if the size is in this range.
    [[nodiscard]] ValueRange least(const ValueRange& sizes) const {
        if (sizes.min == ValueRange::no_min) return {};
        return ValueRange::at_least(detail::checked_neg(
            detail::checked_floor_div(detail::checked_add(offset, detail::checked_neg(sizes.min)), factor)));
    }
};

[[nodiscard]] inline std::optional<AffineSize> as_affine(const SymExpr& size) {
    if (size.is_symbol()) return AffineSize{size.name()};
    if (size.op() != SymOp::sum || size.terms().size() != 1) return std::nullopt;
    const SymTerm& term = size.terms()[0];
    if (term.factors.size() != 1 || term.factors[0].exponent != 1 || !term.factors[0].base.is_symbol() ||
        term.coefficient <= 0)
        return std::nullopt;
    return AffineSize{term.factors[0].base.name(), term.coefficient, size.value()};
}

}  // namespace ferry
