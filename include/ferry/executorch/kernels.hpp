#pragma once

#include <ferry/graph/graph.hpp>

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ferry::executorch {

/// A kernel of the runtime, which writes to its last arguments.
struct Kernel {
    std::string name;  ///< "aten::add.out"
    const c10::FunctionSchema* schema = nullptr;
};

/// What the tensor says that a kernel writes to, and what is the same for all tensors of a method.
[[nodiscard]] constexpr bool is_of_the_output(std::string_view argument) {
    constexpr std::array<std::string_view, 5> names{"dtype", "layout", "device", "pin_memory", "memory_format"};
    return std::find(names.begin(), names.end(), argument) != names.end();
}

/// Of the tensors that a node takes and gives: a type that its kernel does not compute. None: it computes them all.
[[nodiscard]] std::optional<DType> type_without_kernel(const Graph& graph, const Node& node, const Kernel& kernel);

/// From an op to the kernel that computes it. No table says which: the kernel of that name, or of the one with "_copy" behind it, whose
/// arguments are those of the op.
class Kernels {
public:
    /// Null: the runtime has none.
    [[nodiscard]] const Kernel* find(std::string_view op);

private:
    std::map<std::string, Kernel, std::less<>> known_;
};

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/kernels-inl.hpp>
#endif
