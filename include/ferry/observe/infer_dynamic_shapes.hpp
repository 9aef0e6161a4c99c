#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/observe/aligned_calls.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace ferry {

/// Inputs whose first dimension varies, whatever the calls had there.
struct BatchedInputs {
    bool all = false;
    std::set<std::string> names{};
};

namespace observe {

/// Which dimensions of a leaf vary.
[[nodiscard]] std::vector<std::size_t> varying_dims(const AlignedCalls& calls, std::size_t leaf,
                                                    const BatchedInputs& batched = {});

/// Every dimension that varied must vary: Dim::DYNAMIC. Down to nothing, where a call had nothing there.
[[nodiscard]] DynamicShapes infer_dynamic_shapes(const AlignedCalls& calls, const BatchedInputs& batched = {});

}  // namespace observe
}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/observe/infer_dynamic_shapes-inl.hpp>
#endif
