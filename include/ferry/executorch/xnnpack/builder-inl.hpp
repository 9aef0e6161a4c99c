#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/xnnpack/builder.hpp>
#include <ferry/graph/sym_eval.hpp>

#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ferry::executorch::xnnpack {

FERRY_INLINE Sizes Builder::sizes(const std::vector<SymExpr>& all) const {
    Sizes made;
    made.reserve(all.size());
    for (const SymExpr& size : all)
        made.push_back(static_cast<std::uint32_t>(std::max<std::int64_t>(evaluate(size, facts_.sizes()), 1)));
    return made;
}

FERRY_INLINE Ref Builder::add(Sizes sizes) {
    delegate_.operands.push_back({.sizes = std::move(sizes)});
    return static_cast<Ref>(delegate_.operands.size() - 1);
}

FERRY_INLINE Ref Builder::take(Given given, Sizes sizes) {
    const Ref made = add(std::move(sizes));
    delegate_.operands[made].external = static_cast<Ref>(delegate_.inputs.size());
    delegate_.inputs.push_back(std::move(given));
    return made;
}

FERRY_INLINE Ref Builder::weights(at::Tensor tensor, std::string name) {
    Sizes sizes;
    for (const std::int64_t size : tensor.sizes()) sizes.push_back(static_cast<std::uint32_t>(size));
    const Ref made = add(std::move(sizes));
    delegate_.weights.push_back({std::move(tensor), std::move(name)});
    delegate_.operands[made].constant = static_cast<std::uint32_t>(delegate_.weights.size());
    return made;
}

FERRY_INLINE Ref Builder::constant(at::Tensor tensor) {
    Sizes sizes;
    for (const std::int64_t size : tensor.sizes()) sizes.push_back(static_cast<std::uint32_t>(size));
    return take({.constant = std::move(tensor)}, std::move(sizes));
}

FERRY_INLINE Ref Builder::number(double value) {
    const auto [known, is_new] = numbers_.try_emplace(value, nothing);
    if (is_new) known->second = constant(at::scalar_tensor(value, at::TensorOptions().dtype(at::kFloat)));
    return known->second;
}

FERRY_INLINE Ref Builder::apply(Operation operation, Sizes sizes) {
    operation.output = add(std::move(sizes));
    delegate_.operations.push_back(std::move(operation));
    return delegate_.operations.back().output;
}

FERRY_INLINE Ref Builder::transpose(Ref ref, Sizes order) {
    Sizes sizes;
    for (const std::uint32_t dim : order) sizes.push_back(sizes_of(ref)[dim]);
    return apply({.op = Op::XNNStaticTranspose, .inputs = {ref}, .list = std::move(order)}, std::move(sizes));
}

FERRY_INLINE Ref Builder::plain(Value value) {
    Places& places = places_[value.index];
    if (places.plain == nothing)
        places.plain = places.channels_last != nothing ? transpose(places.channels_last, {0, 3, 1, 2})
                                                       : take({.value = value}, sizes(value));
    return places.plain;
}

FERRY_INLINE Ref Builder::channels_last(Value value) {
    if (const Places& known = places_[value.index]; known.channels_last != nothing) return known.channels_last;
    const at::Tensor* tensor = facts_.constant(graph_, value).tensor;
    if (tensor == nullptr) {
        const Ref ref = transpose(plain(value), {0, 2, 3, 1});
        places_[value.index].channels_last = ref;
        return ref;
    }
    at::Tensor image = tensor->detach();
    while (image.dim() < 4) image = image.unsqueeze(0);
    return places_[value.index].channels_last = constant(image.permute({0, 2, 3, 1}));
}

FERRY_INLINE bool Builder::is_channels_last(Value value) const {
    const auto found = places_.find(value.index);
    return found != places_.end() && found->second.channels_last != nothing && found->second.plain == nothing;
}

FERRY_INLINE bool Builder::can_be_channels_last(Value value) const {
    const std::size_t dims = meta(value).sizes.size();
    return dims == 4 || (dims < 4 && facts_.constant(graph_, value).tensor != nullptr);
}

FERRY_INLINE Operation* Builder::producer(Ref ref) {
    for (std::size_t i = delegate_.operations.size(); i-- > 0;)
        if (delegate_.operations[i].output == ref) return &delegate_.operations[i];
    return nullptr;
}

/// Operations whose result nobody needs, and then arguments and weights.
FERRY_INLINE void Builder::remove_unused(const std::vector<Ref>& outputs) {
    std::vector<bool> is_needed(delegate_.operands.size(), false);
    for (const Ref ref : outputs) is_needed[ref] = true;
    std::vector<Operation>& operations = delegate_.operations;
    for (std::size_t i = operations.size(); i-- > 0;)
        if (is_needed[operations[i].output])
            for (const Ref ref : operations[i].inputs)
                if (ref != nothing) is_needed[ref] = true;
    std::erase_if(operations, [&](const Operation& each) { return !is_needed[each.output]; });

    std::vector<Given> inputs;
    std::vector<Weights> weights;
    std::vector<Operand> operands;
    std::vector<Ref> renumbered(is_needed.size(), nothing);
    for (Ref ref = 0; ref < is_needed.size(); ++ref) {
        if (!is_needed[ref]) continue;
        Operand& operand = delegate_.operands[ref];
        if (operand.external != nothing) {
            inputs.push_back(std::move(delegate_.inputs[operand.external]));
            operand.external = static_cast<Ref>(inputs.size() - 1);
        }
        if (operand.constant != 0) {
            weights.push_back(std::move(delegate_.weights[operand.constant - 1]));
            operand.constant = static_cast<std::uint32_t>(weights.size());
        }
        renumbered[ref] = static_cast<Ref>(operands.size());
        operands.push_back(std::move(operand));
    }
    for (Operation& each : operations) {
        for (Ref& ref : each.inputs)
            if (ref != nothing) ref = renumbered[ref];
        each.output = renumbered[each.output];
    }
    for (auto& [value, places] : places_) {
        if (places.plain != nothing) places.plain = renumbered[places.plain];
        if (places.channels_last != nothing) places.channels_last = renumbered[places.channels_last];
    }
    delegate_.inputs = std::move(inputs);
    delegate_.weights = std::move(weights);
    delegate_.operands = std::move(operands);
}

FERRY_INLINE Delegate Builder::finish(const std::vector<Value>& outputs) {
    std::vector<Ref> refs;
    refs.reserve(outputs.size());
    for (const Value value : outputs) refs.push_back(plain(value));
    remove_unused(refs);
    auto place = static_cast<Ref>(delegate_.inputs.size());
    for (const Value value : outputs) {
        Operand& operand = delegate_.operands[plain(value)];
        operand.is_output = true;
        operand.external = place++;
    }
    delegate_.outputs = outputs;
    return std::move(delegate_);
}

}  // namespace ferry::executorch::xnnpack
