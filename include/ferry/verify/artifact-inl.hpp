#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/tree/leaf_tensors.hpp>
#include <ferry/verify/artifact.hpp>

#include <ATen/ops/scalar_tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::artifacts {

FERRY_INLINE at::Tensor as_tensor(const Leaf& leaf) {
    if (leaf.is_tensor()) return leaf.tensor();
    if (const auto* flag = leaf.get_if<bool>()) return at::scalar_tensor(*flag, at::TensorOptions(at::kBool));
    if (const auto* number = leaf.get_if<std::int64_t>())
        return at::scalar_tensor(*number, at::TensorOptions(at::kLong));
    if (const auto* number = leaf.get_if<double>()) return at::scalar_tensor(*number, at::TensorOptions(at::kDouble));
    throw Error(ErrorKind::unsupported, "a text is no tensor");
}

FERRY_INLINE std::vector<at::Tensor> tensors_for(const std::vector<std::string>& names, const Inputs& inputs) {
    const LeafTensors given(inputs.tree());
    if (given.size() != names.size())
        throw Error(ErrorKind::invalid_input, "there are " + std::to_string(given.size()) +
                                                  " tensors but the model expects " + std::to_string(names.size()));
    std::vector<at::Tensor> in_order, by_name;
    for (const auto& [path, tensor] : given) in_order.push_back(tensor);
    for (const std::string& name : names) {
        // What goes in and comes out again under one name is input.<name> in ONNX.
        const std::string without = name.starts_with("input.") ? name.substr(6) : name;
        if (!given.contains(name) && !given.contains(without)) return in_order;
        by_name.push_back(given.at(given.contains(name) ? name : without));
    }
    return by_name;
}

}  // namespace ferry::artifacts
