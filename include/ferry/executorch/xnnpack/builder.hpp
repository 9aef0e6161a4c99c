#pragma once

#include <ferry/executorch/xnnpack/delegate.hpp>
#include <ferry/executorch/xnnpack/program_facts.hpp>
#include <ferry/graph/graph.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::executorch::xnnpack {

/// Makes a delegate. Images may lie with their channels last, as XNNPACK computes them: a value is brought into the order that is asked
/// for when it is, once.
class Builder {
public:
    Builder(const Graph& graph, const ProgramFacts& facts) : graph_(graph), facts_(facts) {}

    [[nodiscard]] const Graph& graph() const noexcept { return graph_; }
    [[nodiscard]] const ProgramFacts& facts() const noexcept { return facts_; }
    [[nodiscard]] const TensorMeta& meta(Value value) const { return graph_.info(value).tensor; }
    [[nodiscard]] Sizes sizes(Value value) const { return sizes(meta(value).sizes); }
    [[nodiscard]] Sizes sizes(const std::vector<SymExpr>& all) const;

    // Values of the graph.
    [[nodiscard]] Ref plain(Value value);
    [[nodiscard]] Ref channels_last(Value value);
    /// It was made or taken before.
    [[nodiscard]] bool has(Value value) const { return places_.contains(value.index); }
    /// It is there with its channels last, and not otherwise.
    [[nodiscard]] bool is_channels_last(Value value) const;
    /// It can be had with its channels last, by a transposition at most.
    [[nodiscard]] bool can_be_channels_last(Value value) const;
    void bind(Value value, Ref ref) { places_[value.index].plain = ref; }
    void bind_channels_last(Value value, Ref ref) { places_[value.index].channels_last = ref; }

    // Operands and operations.
    [[nodiscard]] Ref add(Sizes sizes);
    [[nodiscard]] Ref weights(at::Tensor tensor, std::string name);
    [[nodiscard]] Ref constant(at::Tensor tensor);
    [[nodiscard]] Ref number(double value);
    [[nodiscard]] const Sizes& sizes_of(Ref ref) const { return delegate_.operands[ref].sizes; }
    [[nodiscard]] Ref apply(Operation operation, Sizes sizes);
    [[nodiscard]] Ref transpose(Ref ref, Sizes order);
    /// The operation that makes an operand, or null.
    [[nodiscard]] Operation* producer(Ref ref);
    [[nodiscard]] Weights& weights_of(Ref ref) { return delegate_.weights[delegate_.operands[ref].constant - 1]; }

    /// These values leave it.
    [[nodiscard]] Delegate finish(const std::vector<Value>& outputs);

private:
    struct Places {
        Ref plain = nothing, channels_last = nothing;
    };
    [[nodiscard]] Ref take(Given given, Sizes sizes);
    void remove_unused(const std::vector<Ref>& outputs);

    const Graph& graph_;
    const ProgramFacts& facts_;
    Delegate delegate_;
    std::unordered_map<std::uint32_t, Places> places_;
    std::unordered_map<double, Ref> numbers_;
};

}  // namespace ferry::executorch::xnnpack

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/builder-inl.hpp>
#endif
