#pragma once

#include <ferry/executorch/kernels.hpp>

#include <string_view>

namespace ferry::executorch {

/// Those that have been looked for so far.
[[nodiscard]] Kernels& runtime_kernels();

/// Whether a method can call it, or does without: a kernel, a view, a function over numbers.
[[nodiscard]] bool runs_as_it_is(std::string_view op);
/// Whether it is not to be taken apart by running the program again: a node fix does that, unless a delegate takes it whole.
[[nodiscard]] bool stays_whole(std::string_view op);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/runnable-inl.hpp>
#endif
