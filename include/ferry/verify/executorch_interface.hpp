#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ferry::runtime {

/// What executorch_plugin.hpp offers to executorch_runtime.hpp. Errors are thrown.
struct ExecutorchInterface {
    /// The file's bytes are read as long as the method lives.
    void* (*open)(std::span<const std::byte> file, const std::string& method);
    std::vector<at::Tensor> (*run)(void* method, const std::vector<at::Tensor>& inputs);
    void (*close)(void* method);
};

/// The one function that is looked for, `ferry_executorch_interface`.
using FindExecutorchInterface = const ExecutorchInterface*();

}  // namespace ferry::runtime
