#pragma once

#include <ferry/executorch/xnnpack/delegate.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::executorch::xnnpack {

/// As the runtime's XNNPACK backend reads it. Weights are not in it: they are named, in the order that the delegate has them.
[[nodiscard]] std::vector<std::byte> write(const Delegate& delegate, const std::vector<std::string>& weight_names);

}  // namespace ferry::executorch::xnnpack

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/write-inl.hpp>
#endif
