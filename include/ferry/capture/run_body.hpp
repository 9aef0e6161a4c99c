#pragma once

#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>

namespace ferry::capture {

/// A branch or body, on the tensors of its operands.
using RunBody = std::function<Tree(std::span<const at::Tensor>)>;

}  // namespace ferry::capture
