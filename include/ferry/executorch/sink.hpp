#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace ferry::executorch {

/// Takes the bytes of a file, in order.
using Sink = std::function<void(std::span<const std::byte>)>;

}  // namespace ferry::executorch
