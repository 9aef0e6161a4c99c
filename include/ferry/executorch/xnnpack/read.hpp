#pragma once

#include <cstddef>
#include <span>

namespace ferry::executorch::xnnpack {

/// How many nodes a delegate's data has, which may be anybody's. Data that is damaged is an Error.
[[nodiscard]] std::size_t count_nodes(std::span<const std::byte> data);

}  // namespace ferry::executorch::xnnpack

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/read-inl.hpp>
#endif
