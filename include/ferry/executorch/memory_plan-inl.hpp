#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/alignment.hpp>
#include <ferry/executorch/memory_plan.hpp>
#include <ferry/executorch/method.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ferry::executorch {
namespace detail {

inline constexpr std::uint64_t memory_alignment = 16;
[[nodiscard]] constexpr std::uint64_t bytes_taken(const Buffer& buffer) {
    return aligned(buffer.bytes, memory_alignment);
}

/// The holes in an arena that grows at its end. A buffer gets the smallest hole that is large enough.
class Arena {
public:
    [[nodiscard]] std::uint64_t take(std::uint64_t bytes) {
        const auto hole = by_size_.lower_bound({bytes, 0});
        if (hole == by_size_.end()) return grow(bytes);
        const auto [size, offset] = *hole;
        remove(offset, size);
        if (size > bytes) add(offset + bytes, size - bytes);
        return offset;
    }
    void give_back(std::uint64_t offset, std::uint64_t bytes) {
        auto next = by_offset_.lower_bound(offset);
        if (next != by_offset_.end() && offset + bytes == next->first) {
            const auto [after, size] = *next;
            remove(after, size);
            bytes += size;
            next = by_offset_.lower_bound(offset);
        }
        if (next != by_offset_.begin())
            if (const auto [before, size] = *std::prev(next); before + size == offset) {
                remove(before, size);
                offset = before;
                bytes += size;
            }
        add(offset, bytes);
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return end_; }

private:
    [[nodiscard]] std::uint64_t grow(std::uint64_t bytes) {
        std::uint64_t offset = end_;
        if (!by_offset_.empty())
            if (const auto [last, size] = *by_offset_.rbegin(); last + size == end_) {  // a hole that is too small
                remove(last, size);
                offset = last;
            }
        end_ = offset + bytes;
        return offset;
    }
    void add(std::uint64_t offset, std::uint64_t size) {
        by_offset_.emplace(offset, size);
        by_size_.emplace(size, offset);
    }
    void remove(std::uint64_t offset, std::uint64_t size) {
        by_offset_.erase(offset);
        by_size_.erase({size, offset});
    }

    std::map<std::uint64_t, std::uint64_t> by_offset_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
    std::uint64_t end_ = 0;
};

/// In the order in which they come into use: takes time as the number of buffers and its logarithm.
[[nodiscard]] inline std::uint64_t place_in_order(std::vector<Buffer>& buffers) {
    std::vector<std::size_t> starts, ends;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].is_planned && buffers[i].bytes != 0) starts.push_back(i);
    ends = starts;
    algo::stable_sort(starts, {}, [&](std::size_t i) { return buffers[i].first; });
    algo::stable_sort(ends, {}, [&](std::size_t i) { return buffers[i].last; });
    Arena arena;
    std::size_t ended = 0;
    for (const std::size_t each : starts) {
        Buffer& buffer = buffers[each];
        for (; buffers[ends[ended]].last < buffer.first; ++ended)
            arena.give_back(buffers[ends[ended]].offset, bytes_taken(buffers[ends[ended]]));
        buffer.offset = arena.take(bytes_taken(buffer));
    }
    return arena.size();
}

/// The largest first, each as low as it fits: often tighter, and quadratic.
[[nodiscard]] inline std::uint64_t place_by_size(std::vector<Buffer>& buffers) {
    std::vector<Buffer*> order, placed;
    for (Buffer& buffer : buffers)
        if (buffer.is_planned && buffer.bytes != 0) order.push_back(&buffer);
    algo::stable_sort(order, std::greater<>{}, &Buffer::bytes);
    std::uint64_t end = 0;
    for (Buffer* buffer : order) {
        std::uint64_t offset = 0;
        const std::uint64_t bytes = bytes_taken(*buffer);
        for (const Buffer* other : placed) {  // sorted by offset
            if (other->last < buffer->first || buffer->last < other->first) continue;
            if (offset + bytes <= other->offset) break;
            offset = std::max(offset, other->offset + bytes_taken(*other));
        }
        buffer->offset = offset;
        end = std::max(end, offset + bytes);
        placed.insert(std::upper_bound(placed.begin(), placed.end(), buffer,
                                       [](const Buffer* a, const Buffer* b) { return a->offset < b->offset; }),
                      buffer);
    }
    return end;
}

}  // namespace detail

FERRY_INLINE void plan_memory(Method& method) {
    constexpr std::size_t few = 2000;
    method.planned_bytes = detail::place_in_order(method.buffers);
    if (method.buffers.size() > few) return;
    std::vector<Buffer> tighter = method.buffers;
    const std::uint64_t bytes = detail::place_by_size(tighter);
    if (bytes >= method.planned_bytes) return;
    method.buffers = std::move(tighter);
    method.planned_bytes = bytes;
}

}  // namespace ferry::executorch
