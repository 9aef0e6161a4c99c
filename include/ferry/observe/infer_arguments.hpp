#pragma once

#include <ferry/observe/aligned_calls.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf.hpp>

#include <vector>

namespace ferry::observe {

/// Something in each place where some call had a tensor. In place of a tensor that is not there: an empty one that another call had;
/// zeros, where the sizes never vary; else one without elements, by its last dimension that varies. Its other sizes that vary are those
/// of an input that always had the same there, such as a batch.
[[nodiscard]] std::vector<Leaf> without_gaps(const AlignedCalls& calls, std::vector<Leaf> leaves);

/// Leaves as inputs again, with the constants behind them.
[[nodiscard]] Inputs as_inputs(const AlignedCalls& calls, std::vector<Leaf> leaves);

}  // namespace ferry::observe

#ifndef FERRY_COMPILED
#include <ferry/observe/infer_arguments-inl.hpp>
#endif
