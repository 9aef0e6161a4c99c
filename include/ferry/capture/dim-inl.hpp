#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <cstdint>
#include <utility>

namespace ferry {

FERRY_INLINE Dim Dim::derived(SymExpr size, const Dim& a, const Dim& b) {
    Dim made(Kind::named);
    made.size_ = std::move(size);
    made.ranges_ = a.ranges_;
    made.ranges_.insert(b.ranges_.begin(), b.ranges_.end());
    return made;
}

FERRY_INLINE Dim operator+(const Dim& a, const Dim& b) { return Dim::derived(a.size_ + b.size_, a, b); }
FERRY_INLINE Dim operator*(const Dim& a, const Dim& b) { return Dim::derived(a.size_ * b.size_, a, b); }
FERRY_INLINE Dim operator+(const Dim& a, std::int64_t b) { return Dim::derived(a.size_ + SymExpr(b), a, a); }
FERRY_INLINE Dim operator*(const Dim& a, std::int64_t b) { return Dim::derived(a.size_ * SymExpr(b), a, a); }

}  // namespace ferry
