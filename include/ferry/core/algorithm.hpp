#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// What Ferry uses of std::ranges, by the same names. The standard's own check a dozen concepts wherever they are called, which a
/// user's compiler would do some two hundred times over.
namespace ferry::algo {

struct itself {
    template <class T>
    constexpr T&& operator()(T&& value) const noexcept {
        return static_cast<T&&>(value);
    }
};

/// An iterator into a temporary would be of no use.
template <class Range>
inline constexpr bool outlives_the_call =
    std::is_lvalue_reference_v<Range> || std::ranges::enable_borrowed_range<std::remove_cv_t<Range>>;

template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr auto find_if(Range&& range, Condition&& condition, Projection&& of = {}) {
    static_assert(outlives_the_call<Range>);
    auto at = std::begin(range);
    for (const auto end = std::end(range); at != end; ++at)
        if (std::invoke(condition, std::invoke(of, *at))) break;
    return at;
}
template <class Range, class Value, class Projection = itself>
[[nodiscard]] constexpr auto find(Range&& range, const Value& value, Projection&& of = {}) {
    static_assert(outlives_the_call<Range>);
    auto at = std::begin(range);
    for (const auto end = std::end(range); at != end; ++at)
        if (std::invoke(of, *at) == value) break;
    return at;
}

template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr bool any_of(Range&& range, Condition&& condition, Projection&& of = {}) {
    for (auto&& each : range)
        if (std::invoke(condition, std::invoke(of, each))) return true;
    return false;
}
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr bool none_of(Range&& range, Condition&& condition, Projection&& of = {}) {
    return !any_of(range, condition, of);
}
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr bool all_of(Range&& range, Condition&& condition, Projection&& of = {}) {
    for (auto&& each : range)
        if (!std::invoke(condition, std::invoke(of, each))) return false;
    return true;
}
template <class Range, class Value, class Projection = itself>
[[nodiscard]] constexpr bool contains(Range&& range, const Value& value, Projection&& of = {}) {
    for (auto&& each : range)
        if (std::invoke(of, each) == value) return true;
    return false;
}

template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr std::ptrdiff_t count_if(Range&& range, Condition&& condition, Projection&& of = {}) {
    std::ptrdiff_t count = 0;
    for (auto&& each : range) count += std::invoke(condition, std::invoke(of, each)) ? 1 : 0;
    return count;
}
template <class Range, class Value, class Projection = itself>
[[nodiscard]] constexpr std::ptrdiff_t count(Range&& range, const Value& value, Projection&& of = {}) {
    std::ptrdiff_t count = 0;
    for (auto&& each : range) count += std::invoke(of, each) == value ? 1 : 0;
    return count;
}

/// How `less` orders what `of` makes of two elements.
template <class Less, class Projection>
[[nodiscard]] constexpr auto order_by(Less& less, Projection& of) {
    return [&less, &of](const auto& a, const auto& b) -> bool {
        return std::invoke(less, std::invoke(of, a), std::invoke(of, b));
    };
}
template <class Range, class Less = std::less<>, class Projection = itself>
constexpr void sort(Range&& range, Less less = {}, Projection of = {}) {
    std::sort(std::begin(range), std::end(range), order_by(less, of));
}
/// Not by std::stable_sort: newer clang++ warns of what libstdc++ 12 does in there.
template <class Range, class Less = std::less<>, class Projection = itself>
void stable_sort(Range&& range, Less less = {}, Projection of = {}) {
    const auto first = std::begin(range);
    std::vector<std::size_t> order(static_cast<std::size_t>(std::end(range) - first));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto before = order_by(less, of);
    const auto element = [&](std::size_t i) -> decltype(auto) { return first[static_cast<std::ptrdiff_t>(i)]; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (before(element(a), element(b))) return true;
        return a < b && !before(element(b), element(a));
    });
    std::vector<typename std::iterator_traits<decltype(std::begin(range))>::value_type> sorted;
    sorted.reserve(order.size());
    for (const std::size_t i : order) sorted.push_back(std::move(element(i)));
    std::move(sorted.begin(), sorted.end(), first);
}
template <class Range>
[[nodiscard]] constexpr bool is_sorted(const Range& range) {
    return std::is_sorted(std::begin(range), std::end(range));
}
template <class Range, class Less = std::less<>, class Projection = itself>
[[nodiscard]] constexpr auto max_element(Range&& range, Less less = {}, Projection of = {}) {
    static_assert(outlives_the_call<Range>);
    return std::max_element(std::begin(range), std::end(range), order_by(less, of));
}

template <class First, class Second, class Same = std::equal_to<>>
[[nodiscard]] constexpr bool equal(const First& first, const Second& second, Same same = {}) {
    return std::equal(std::begin(first), std::end(first), std::begin(second), std::end(second), same);
}

}  // namespace ferry::algo
