#pragma once

#include <ferry/capture/module_calls.hpp>

#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>

#include <string_view>
#include <typeinfo>

namespace c10 {
class OperatorHandle;
}

namespace ferry::capture {

/// What an op does instead of what libtorch has for it, on its arguments as the dispatcher keeps them.
using Kernel = void (*)(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*);

/// Entries of a pipeline, as the tracer calls them. A kernel that is null: there is none.
struct OpRules {
    Kernel (*fake)(std::string_view op) = [](std::string_view) -> Kernel { return nullptr; };
    Kernel (*patch)(std::string_view op) = [](std::string_view) -> Kernel { return nullptr; };
    AnyFunction (*model_patch)(const std::type_info& module) = nullptr;  ///< see submodule
};

}  // namespace ferry::capture
