#pragma once

#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

namespace ferry {

/// One call of an observed model, with tensors of its own.
struct ObservedCall {
    Inputs inputs{};     ///< what holds tensors, in the order of the signature
    Inputs constants{};  ///< numbers and texts, but those that are the default
    Tree outputs{};
    double seconds = 0;  ///< what it took
};

}  // namespace ferry
