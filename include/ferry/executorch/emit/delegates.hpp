#pragma once

#include <ferry/executorch/emit/emitter.hpp>
#include <ferry/executorch/xnnpack/delegate.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

/// Parts of a graph that XNNPACK computes.
namespace ferry::executorch::detail {

inline void Emitter::emit_delegate(const xnnpack::Step& step) {
    const auto delegate =
        std::make_shared<const xnnpack::Delegate>(delegation_->delegate(graph(), step.nodes, step.outputs));
    std::vector<std::uint32_t> weights;
    for (const xnnpack::Weights& each : delegate->weights)
        weights.push_back(shared_.weights.add(each.tensor, each.name));
    std::vector<Id> args;
    for (const xnnpack::Given& given : delegate->inputs) {
        if (given.value) {
            args.push_back(id_of(given.value));
            continue;
        }
        TensorValue made{.constant = shared_.constants.add(given.constant, {})};
        for (const std::int64_t size : given.constant.sizes()) made.sizes.push_back(static_cast<std::int32_t>(size));
        args.push_back(builder_.method().add(std::move(made)));
    }
    for (const Value value : delegate->outputs) args.push_back(new_tensor(value));
    builder_.call({delegate, std::move(weights)}, std::move(args));
    for (const Value value : delegate->outputs) sizes_.know_tensor(id_of(value), info_of(value).tensor.sizes);
}

}  // namespace ferry::executorch::detail
