#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/observe/infer_arguments.hpp>
#include <ferry/observe/infer_dynamic_shapes.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ferry::observe {

FERRY_INLINE std::vector<Leaf> without_gaps(const AlignedCalls& calls, std::vector<Leaf> leaves) {
    const std::vector<Leaf> form = calls.fullest().inputs.tree().leaves;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (!leaves[i].is_absent()) continue;
        const std::vector<at::Tensor> tensors = calls.tensors_at(i);
        if (tensors.empty()) {  // a constant, or None in all calls
            leaves[i] = form[i];
            continue;
        }
        const at::Tensor& last = tensors.back();
        if (last.numel() == 0) {
            leaves[i] = last;
            continue;
        }
        std::vector<std::int64_t> sizes = last.sizes().vec();
        if (const std::vector<std::size_t> dims = varying_dims(calls, i); !dims.empty()) sizes[dims.back()] = 0;
        leaves[i] = at::zeros(sizes, last.options());
    }
    return leaves;
}

FERRY_INLINE Inputs as_inputs(const AlignedCalls& calls, std::vector<Leaf> leaves) {
    Inputs made = tree::unflatten<Inputs>(Tree(calls.spec(), std::move(leaves)));
    for (const auto& [name, value] : calls.fullest().constants) made.set(name, value);
    return made;
}

}  // namespace ferry::observe
