#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/observe/infer_dynamic_shapes.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::observe {

FERRY_INLINE std::vector<std::size_t> varying_dims(const AlignedCalls& calls, std::size_t leaf,
                                                   const BatchedInputs& batched) {
    std::vector<std::size_t> dims;
    const std::vector<at::Tensor> tensors = calls.tensors_at(leaf);
    if (tensors.empty()) return dims;
    for (const at::Tensor& each : tensors)
        if (each.dim() != tensors[0].dim())
            throw Error(ErrorKind::invalid_input,
                        "an input must have the same rank in all calls, and has " + std::to_string(tensors[0].dim()) +
                            " and " + std::to_string(each.dim()) + " dimensions",
                        {.where = {.path = calls.paths()[leaf]}});
    const bool is_batched = batched.all || batched.names.contains(calls.input_of(leaf));
    for (std::int64_t dim = 0; dim < tensors[0].dim(); ++dim)
        if ((dim == 0 && is_batched) ||
            algo::any_of(tensors, [&](const at::Tensor& each) { return each.size(dim) != tensors[0].size(dim); }))
            dims.push_back(static_cast<std::size_t>(dim));
    return dims;
}

FERRY_INLINE DynamicShapes infer_dynamic_shapes(const AlignedCalls& calls, const BatchedInputs& batched) {
    DynamicShapes made;
    for (std::size_t leaf = 0; leaf < calls.paths().size(); ++leaf) {
        const std::vector<at::Tensor> tensors = calls.tensors_at(leaf);
        if (tensors.empty()) continue;
        auto& of_leaf = made[calls.paths()[leaf]];
        const std::vector<std::size_t> dims = varying_dims(calls, leaf, batched);
        for (const std::size_t dim : dims) {
            const auto place = static_cast<std::int64_t>(dim);
            const bool was_empty = algo::any_of(tensors, [&](const at::Tensor& each) { return each.size(place) == 0; });
            const bool becomes_empty = dim == dims.back() && tensors.size() < calls.size();  // see infer_arguments
            of_leaf.emplace(place, was_empty || becomes_empty ? Dim::dynamic_from(0) : Dim(Dim::DYNAMIC));
        }
    }
    return made;
}

}  // namespace ferry::observe
