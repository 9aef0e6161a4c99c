#pragma once

#include <ferry/capture/fakes/positions.hpp>
#include <ferry/capture/unbacked.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/narrow.h>
#include <ATen/ops/select.h>
#include <ATen/ops/select_scatter.h>
#include <ATen/ops/slice_scatter.h>

#include <cstdint>
#include <optional>

namespace ferry::fake_ops {

/// A position that is there, in place of one that a probe has made up.
[[nodiscard]] inline std::int64_t possible_position(const at::Tensor& self, std::int64_t dim, std::int64_t position,
                                                    std::int64_t length) {
    if (!capture::size_source().has_told_values() || dim < -self.dim() || dim >= self.dim()) return position;
    const std::int64_t size = self.size(dim);
    if (length < 0 || length > size) return position;
    const bool is_there = position >= -size && (position < 0 ? position + size : position) <= size - length;
    if (is_there) return position;
    const std::int64_t places = size - length + 1;
    return (position % places + places) % places;  // another one for another position
}

FERRY_INLINE at::Tensor narrow::fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& start,
                                     const c10::SymInt& length) {
    const std::int64_t size = length.expect_int();
    return at::narrow(self, dim, possible_position(self, dim, start.expect_int(), size), size);
}

FERRY_INLINE at::Tensor select::fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& index) {
    return at::select(self, dim, possible_position(self, dim, index.expect_int(), 1));
}

FERRY_INLINE at::Tensor select_scatter::fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
                                             const c10::SymInt& index) {
    return at::select_scatter(self, source, dim, possible_position(self, dim, index.expect_int(), 1));
}

/// What a write to a narrow() becomes.
FERRY_INLINE at::Tensor slice_scatter::fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
                                            const std::optional<c10::SymInt>& start,
                                            const std::optional<c10::SymInt>& end, const c10::SymInt& step) {
    std::optional<std::int64_t> from, to;
    if (start) from = start->expect_int();
    if (end) to = end->expect_int();
    std::int64_t length = 0;
    if (from && to && *from <= *to && !__builtin_sub_overflow(*to, *from, &length) && length <= self.size(dim) &&
        step.expect_int() == 1) {
        const std::int64_t possible = possible_position(self, dim, *from, length);
        if (possible != *from) to = possible + length;
        from = possible;
    }
    return at::slice_scatter(self, source, dim, from, to, step.expect_int());
}

}  // namespace ferry::fake_ops
