#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// A model's parameters and buffers by name, if it has any.
struct ModelState {
    std::vector<std::pair<std::string, at::Tensor>> parameters{};
    std::vector<std::pair<std::string, at::Tensor>> buffers{};
    std::vector<std::pair<std::string, at::Tensor>> constants{};  ///< of a model that is a program already
    std::vector<std::pair<std::string, const void*>> modules{};  ///< most derived objects, without the model itself
};

}  // namespace ferry
