#pragma once

#include <ferry/executorch/program.hpp>
#include <ferry/tree/context.hpp>

namespace ferry::executorch {

/// A number or a text as what a constant method gives; of lists and dicts their values one behind the other, but for None.
[[nodiscard]] ConstantMethod constant_method(const tree::Context& value);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/constant_method-inl.hpp>
#endif
