#pragma once

#include <ferry/executorch/method.hpp>

namespace ferry::executorch {

/// Gives each buffer of a method its place in one arena, where those that are never in use together may overlap.
void plan_memory(Method& method);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/memory_plan-inl.hpp>
#endif
