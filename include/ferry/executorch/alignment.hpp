#pragma once

#include <cstdint>

namespace ferry::executorch {

/// So many bytes, and what they lack to a multiple of the alignment.
[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace ferry::executorch
