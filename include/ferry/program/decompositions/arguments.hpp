#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>

#include <c10/core/WrapDimMinimal.h>

#include <cstddef>
#include <cstdint>
#include <string>

/// Of arguments that no kernel has looked at: a file may have any number there.
namespace ferry::decomposed {

using ferry::detail::checked_add;
using ferry::detail::checked_floor_div;
using ferry::detail::checked_mod;
using ferry::detail::checked_mul;
using ferry::detail::checked_neg;

[[nodiscard]] inline std::int64_t from_front(std::int64_t dim, std::int64_t rank) {
    return c10::maybe_wrap_dim(dim, rank);
}

/// A list that must have so many items.
template <class List>
void require_items(const List& list, std::size_t count, const char* name) {
    if (list.size() != count)
        throw Error(ErrorKind::invalid_input, std::string(name) + " has " + std::to_string(list.size()) +
                                                  " items where " + std::to_string(count) + " are needed");
}

inline void require_positive(std::int64_t number, const char* name) {
    if (number <= 0) throw Error(ErrorKind::invalid_input, std::string(name) + " is " + std::to_string(number));
}

/// How many nodes one may become.
inline void require_few(std::int64_t parts) {
    constexpr std::int64_t most = 1 << 16;
    if (parts > most)
        throw Error(ErrorKind::unsupported, "an op has " + std::to_string(parts) + " results, each of its own node");
}

}  // namespace ferry::decomposed
