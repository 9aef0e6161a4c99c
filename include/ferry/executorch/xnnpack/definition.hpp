#pragma once

#include <ferry/executorch/xnnpack/builder.hpp>
#include <ferry/executorch/xnnpack/fwd.hpp>
#include <ferry/graph/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch::xnnpack {

/// One node of the graph on its way into a delegate: reads its arguments, writes operations. A node that XNNPACK cannot compute is
/// declined; what was written till then is not used.
class Definition {
public:
    Definition(Builder& builder, const Node& node) : builder_(builder), node_(node) {}

    void decline() noexcept { is_declined_ = true; }
    /// Goes on only if this is so.
    void require(bool condition) noexcept { is_declined_ = is_declined_ || !condition; }
    [[nodiscard]] bool is_declined() const noexcept { return is_declined_; }

    // Arguments. Where one is not what is asked for, the node is declined.
    [[nodiscard]] const Node& node() const noexcept { return node_; }
    [[nodiscard]] bool has(std::string_view name) const {
        const Argument* found = node_.find(name);
        return found != nullptr && !found->is_none();
    }
    [[nodiscard]] Value tensor(std::string_view name);
    [[nodiscard]] std::vector<Value> tensors(std::string_view name);
    [[nodiscard]] double real(std::string_view name, std::optional<double> otherwise = {});
    [[nodiscard]] std::int64_t integer(std::string_view name, std::optional<std::int64_t> otherwise = {});
    [[nodiscard]] bool flag(std::string_view name, bool otherwise);
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise = {});
    /// Two numbers, of which one may stand for both.
    [[nodiscard]] std::vector<std::int64_t> pair(std::string_view name, std::vector<std::int64_t> otherwise);
    /// A dimension of a tensor, counted from its front.
    [[nodiscard]] std::size_t dim(std::int64_t at, Value of) const;

    // What is known of tensors.
    [[nodiscard]] const std::vector<SymExpr>& sizes(Value value) const { return builder_.meta(value).sizes; }
    [[nodiscard]] std::size_t rank(Value value) const { return sizes(value).size(); }
    [[nodiscard]] std::int64_t fixed_size(Value value, std::size_t dim);
    [[nodiscard]] ProgramFacts::Constant constant(Value value) {
        const auto found = builder_.facts().constant(builder_.graph(), value);
        require(found.tensor != nullptr);
        return found;
    }
    [[nodiscard]] bool is_constant(Value value) const {
        return builder_.facts().constant(builder_.graph(), value).tensor != nullptr;
    }
    /// The only output that is used; there may be others.
    [[nodiscard]] Value output();

    // Operations.
    [[nodiscard]] Builder& builder() noexcept { return builder_; }
    [[nodiscard]] Ref plain(Value value) { return builder_.plain(value); }
    [[nodiscard]] Ref number(double value) { return builder_.number(value); }
    [[nodiscard]] Ref weights(const at::Tensor& tensor, std::string_view name) {
        return builder_.weights(tensor, std::string(name));
    }
    /// An operation whose result has the sizes of a value.
    [[nodiscard]] Ref apply(Op op, std::vector<Ref> inputs, Sizes sizes) {
        return builder_.apply({.op = op, .inputs = std::move(inputs)}, std::move(sizes));
    }
    [[nodiscard]] Ref apply(Operation operation, Sizes sizes) {
        return builder_.apply(std::move(operation), std::move(sizes));
    }
    [[nodiscard]] Ref reshape(Ref ref, const std::vector<SymExpr>& sizes);
    void give(Ref ref) { builder_.bind(output(), ref); }

    /// Element by element, in whatever order the image lies. An operand is a tensor or a number.
    struct Item {
        Value value{};
        double number = 0;
    };
    [[nodiscard]] Item item(std::string_view name);
    void elementwise(Operation operation, const std::vector<Item>& items);
    /// For several operations, one behind the other, each with results of these sizes.
    struct Operands {
        std::vector<Ref> refs{};
        Sizes sizes{};
        bool is_channels_last = false;
    };
    [[nodiscard]] Operands operands(const std::vector<Item>& items);
    void give(const Operands& operands, Ref ref);
    [[nodiscard]] Ref elementwise(Op op, Ref a, Ref b);

private:
    Builder& builder_;
    const Node& node_;
    bool is_declined_ = false;
};

/// Writes a node into a delegate, if that can be done.
[[nodiscard]] bool try_define(Builder& builder, const Node& node, Define define);

}  // namespace ferry::executorch::xnnpack

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/definition-inl.hpp>
#endif
