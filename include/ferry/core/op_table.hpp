#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/core/type_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace ferry {

/// Exists to be printed: the compiler names both entries and the op.
template <class First, class Second, fixed_string Op>
struct two_entries_for_one_op {
    static_assert(sizeof(First) == 0,
                  "ferry: two entries of one stage claim the same op; keep one, or override on purpose with "
                  "replace<Pipeline, Old, New>");
    static constexpr bool ok = false;
};

namespace detail {

/// FNV-1a. Ordering by it is cheap for the compiler, and at run time leaves one comparison of strings per look-up.
constexpr std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

struct claim {
    std::uint64_t hash = 0;
    std::string_view op;
    std::uint16_t owner = 0;

    friend constexpr bool operator<(const claim& left, const claim& right) noexcept {
        return left.hash != right.hash ? left.hash < right.hash : left.op < right.op;
    }
};

consteval std::size_t total_size(std::span<const std::span<const op_name>> targets) {
    std::size_t total = 0;
    for (const auto target : targets) total += target.size();
    return total;
}

template <class... Entries>
consteval auto sorted_claims() {
    static_assert(sizeof...(Entries) <= std::numeric_limits<decltype(claim::owner)>::max());
    constexpr std::array<std::span<const op_name>, sizeof...(Entries)> targets{Entries::target...};
    std::array<claim, total_size(targets)> claims{};
    std::size_t filled = 0;
    for (std::size_t owner = 0; owner < targets.size(); ++owner)
        for (const op_name op : targets[owner])
            claims[filled++] = {hash_of(op.text()), op.text(), static_cast<std::uint16_t>(owner)};
    std::sort(claims.begin(), claims.end());
    return claims;
}

/// Index of the first of two equal neighbours, or the size.
constexpr std::size_t first_clash(std::span<const claim> sorted) noexcept {
    std::size_t at = 0;
    while (at + 1 < sorted.size() && sorted[at].op != sorted[at + 1].op) ++at;
    return at + 1 < sorted.size() ? at : sorted.size();
}

/// One body for all tables: the typed shell around it only says which claims. An index, or the size: g++ compares no address
/// with null in a constant expression where sanitizers check pointers.
constexpr std::size_t find_claim(std::span<const claim> sorted, std::string_view op) noexcept {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), claim{hash_of(op), op});
    const auto at = static_cast<std::size_t>(found - sorted.begin());
    return at < sorted.size() && sorted[at].op == op ? at : sorted.size();
}

}  // namespace detail

/// From a run-time op name to the entry that targets it: sorted at compile time, searched by halving. No registration, no
/// initialisation order, no allocation.
template <class List>
struct op_table : op_table<plain_t<List>> {};

template <template <class...> class Kind, class... Entries>
struct op_table<Kind<Entries...>> {
    static constexpr auto claims = detail::sorted_claims<Entries...>();
    static constexpr std::size_t size = claims.size();
    static constexpr std::size_t npos = sizeof...(Entries);

    static constexpr bool no_clash = [] {
        constexpr std::size_t at = detail::first_clash(claims);
        if constexpr (at < size) {
            constexpr std::string_view op = claims[at].op;
            using all = type_list<Entries...>;
            return two_entries_for_one_op<at_t<std::min(claims[at].owner, claims[at + 1].owner), all>,
                                          at_t<std::max(claims[at].owner, claims[at + 1].owner), all>,
                                          fixed_string<op.size()>(op)>::ok;
        } else {
            return true;
        }
    }();

    /// Position in the list of the entry for `op`, or npos.
    [[nodiscard]] static constexpr std::size_t find(std::string_view op) noexcept {
        const std::size_t at = detail::find_claim(claims, op);
        return at < size ? claims[at].owner : npos;
    }

    [[nodiscard]] static constexpr bool contains(std::string_view op) noexcept { return find(op) != npos; }

    /// The entry's function for `op` as a plain pointer, or null; `Bind<Entry>::value` makes it, of one type for all.
    template <class Function, template <class> class Bind>
    [[nodiscard]] static constexpr Function function(std::string_view op) noexcept {
        return functions<Function, Bind>[find(op)];
    }

private:
    template <class Function, template <class> class Bind>
    static constexpr std::array<Function, sizeof...(Entries) + 1> functions{Bind<Entries>::value..., nullptr};
};

}  // namespace ferry
