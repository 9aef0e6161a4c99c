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
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ferry::observe {

/// The size that a dimension of an absent tensor has where another input, in all calls that have both, goes with it.
[[nodiscard]] inline std::optional<std::int64_t> size_beside(const AlignedCalls& calls, const std::vector<Leaf>& leaves,
                                                             std::size_t leaf, std::int64_t dim) {
    const auto tensor_in = [](const std::vector<Leaf>& of_call, std::size_t at) -> const at::Tensor* {
        return of_call[at].is_tensor() && !of_call[at].is_absent() ? &of_call[at].tensor() : nullptr;
    };
    for (std::size_t other = 0; other < leaves.size(); ++other) {
        const at::Tensor* given = tensor_in(leaves, other);
        for (std::int64_t place = 0; given != nullptr && place < given->dim(); ++place) {
            std::set<std::int64_t> sizes;
            bool goes_with = true;
            for (std::size_t call = 0; call < calls.size(); ++call) {
                const at::Tensor *a = tensor_in(calls.leaves_of(call), leaf),
                                 *b = tensor_in(calls.leaves_of(call), other);
                if (a == nullptr || b == nullptr) continue;
                goes_with = goes_with && place < b->dim() && a->size(dim) == b->size(place);
                sizes.insert(a->size(dim));
            }
            if (goes_with && sizes.size() > 1) return given->size(place);
        }
    }
    return std::nullopt;
}

FERRY_INLINE std::vector<Leaf> without_gaps(const AlignedCalls& calls, std::vector<Leaf> leaves) {
    const std::vector<Leaf> given = leaves;
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
        const std::vector<std::size_t> dims = varying_dims(calls, i);
        for (const std::size_t dim : dims)
            sizes[dim] = dim == dims.back()
                             ? 0
                             : size_beside(calls, given, i, static_cast<std::int64_t>(dim)).value_or(sizes[dim]);
        leaves[i] = at::zeros(sizes, last.options());
    }
    return leaves;
}

FERRY_INLINE Inputs as_inputs(const AlignedCalls& calls, std::vector<Leaf> leaves) {
    auto made = tree::unflatten<Inputs>(Tree(calls.spec(), std::move(leaves)));
    for (const auto& [name, value] : calls.fullest().constants) made.set(name, value);
    return made;
}

}  // namespace ferry::observe
