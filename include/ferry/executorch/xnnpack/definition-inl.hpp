#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/xnnpack/definition.hpp>
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ferry::executorch::xnnpack {

FERRY_INLINE Value Definition::tensor(std::string_view name) {
    const Argument* found = node_.find(name);
    const auto* value = found != nullptr ? found->get_if<Value>() : nullptr;
    const bool is_tensor = value != nullptr && builder_.graph().info(*value).kind == ValueKind::tensor;
    require(is_tensor);
    return is_tensor ? *value : node_.output();
}

FERRY_INLINE std::vector<Value> Definition::tensors(std::string_view name) {
    const Argument* found = node_.find(name);
    std::vector<Value> values;
    if (found != nullptr) for_each_value(*found, [&](Value value) { values.push_back(value); });
    require(!values.empty());
    return values;
}

FERRY_INLINE double Definition::real(std::string_view name, std::optional<double> otherwise) {
    const Argument* found = node_.find(name);
    if (found == nullptr || found->is_none()) {
        require(otherwise.has_value());
        return otherwise.value_or(0);
    }
    if (const auto* number = found->get_if<double>()) return *number;
    if (const auto* number = found->get_if<std::int64_t>()) return static_cast<double>(*number);
    decline();
    return 0;
}

FERRY_INLINE std::int64_t Definition::integer(std::string_view name, std::optional<std::int64_t> otherwise) {
    const Argument* found = node_.find(name);
    if (found == nullptr || found->is_none()) {
        require(otherwise.has_value());
        return otherwise.value_or(0);
    }
    const auto* number = found->get_if<std::int64_t>();
    require(number != nullptr);
    return number != nullptr ? *number : 0;
}

FERRY_INLINE bool Definition::flag(std::string_view name, bool otherwise) {
    const Argument* found = node_.find(name);
    const auto* given = found != nullptr ? found->get_if<bool>() : nullptr;
    return given != nullptr ? *given : otherwise;
}

FERRY_INLINE std::vector<std::int64_t> Definition::integers(std::string_view name,
                                                            std::vector<std::int64_t> otherwise) {
    const Argument* found = node_.find(name);
    if (found == nullptr || found->is_none()) return otherwise;
    std::vector<std::int64_t> numbers;
    if (const auto* number = found->get_if<std::int64_t>()) return {*number};
    const auto* list = found->get_if<ArgumentList>();
    require(list != nullptr);
    if (list == nullptr) return otherwise;
    for (const Argument& item : *list) {
        const auto* number = item.get_if<std::int64_t>();
        require(number != nullptr);
        numbers.push_back(number != nullptr ? *number : 0);
    }
    return numbers;
}

FERRY_INLINE std::vector<std::int64_t> Definition::pair(std::string_view name, std::vector<std::int64_t> otherwise) {
    std::vector<std::int64_t> numbers = integers(name);
    if (numbers.empty()) numbers = std::move(otherwise);
    if (numbers.size() == 1) numbers.push_back(numbers[0]);
    const bool is_pair = numbers.size() == 2 && numbers[0] >= 0 && numbers[1] >= 0;
    require(is_pair);
    return is_pair ? numbers : std::vector<std::int64_t>{0, 0};
}

FERRY_INLINE std::size_t Definition::dim(std::int64_t at, Value of) const {
    return static_cast<std::size_t>(at < 0 ? at + static_cast<std::int64_t>(rank(of)) : at);
}

FERRY_INLINE std::int64_t Definition::fixed_size(Value value, std::size_t dim) {
    const bool is_fixed = dim < rank(value) && sizes(value)[dim].is_constant();
    require(is_fixed);
    return is_fixed ? sizes(value)[dim].value() : 1;
}

FERRY_INLINE Value Definition::output() {
    for (std::size_t i = 1; node_.output(i); ++i) require(!builder_.graph().is_used(node_.output(i)));
    return node_.output();
}

/// XNNPACK finds out one size by itself.
FERRY_INLINE Ref Definition::reshape(Ref ref, const std::vector<SymExpr>& wanted) {
    const auto dynamic = algo::count_if(wanted, [](const SymExpr& size) { return !size.is_constant(); });
    require(dynamic <= 1);
    Sizes list;
    for (const SymExpr& size : wanted)
        list.push_back(size.is_constant() ? static_cast<std::uint32_t>(size.value()) : 0);
    return builder_.apply({.op = Op::XNNStaticReshape, .inputs = {ref}, .list = std::move(list)},
                          builder_.sizes(wanted));
}

FERRY_INLINE Definition::Item Definition::item(std::string_view name) {
    const Argument* found = node_.find(name);
    if (found != nullptr && found->is<Value>()) return {.value = tensor(name)};
    return {.number = real(name)};
}

FERRY_INLINE Definition::Operands Definition::operands(const std::vector<Item>& items) {
    const Value made = output();
    const auto lies_last = [&](const Item& each) { return each.value && builder_.is_channels_last(each.value); };
    const auto can_lie_last = [&](const Item& each) {
        return !each.value || rank(each.value) == 0 || builder_.can_be_channels_last(each.value);
    };
    const bool is_last = rank(made) == 4 && algo::any_of(items, lies_last) && algo::all_of(items, can_lie_last);
    Operands found{.sizes = builder_.sizes(made), .is_channels_last = is_last};
    for (const Item& each : items)
        found.refs.push_back(!each.value                        ? number(each.number)
                             : is_last && rank(each.value) != 0 ? builder_.channels_last(each.value)
                                                                : plain(each.value));
    if (is_last) found.sizes = {found.sizes[0], found.sizes[2], found.sizes[3], found.sizes[1]};
    return found;
}

FERRY_INLINE void Definition::give(const Operands& operands, Ref ref) {
    operands.is_channels_last ? builder_.bind_channels_last(output(), ref) : builder_.bind(output(), ref);
}

FERRY_INLINE void Definition::elementwise(Operation operation, const std::vector<Item>& items) {
    const Operands given = operands(items);
    operation.inputs = given.refs;
    give(given, builder_.apply(std::move(operation), given.sizes));
}

FERRY_INLINE Ref Definition::elementwise(Op op, Ref a, Ref b) {
    const Sizes &first = builder_.sizes_of(a), &second = builder_.sizes_of(b);
    Sizes sizes = first.size() >= second.size() ? first : second;
    const Sizes& other = first.size() >= second.size() ? second : first;
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::uint32_t& size = sizes[sizes.size() - other.size() + i];
        size = std::max(size, other[i]);
    }
    return builder_.apply({.op = op, .inputs = {a, b}}, std::move(sizes));
}

namespace detail {

/// Numbers of other types, more dimensions and tensors without elements are not for XNNPACK.
[[nodiscard]] inline bool is_fit(const Builder& builder, Value value) {
    const ValueInfo& info = builder.graph().info(value);
    return info.kind == ValueKind::tensor && info.tensor.dtype == DType::float32 &&
           info.tensor.sizes.size() <= most_dims && algo::all_of(info.tensor.sizes, [&](const SymExpr& size) {
               return size.is_constant() ? size.value() > 0 : bounds(size, builder.facts().ranges()).min > 0;
           });
}

}  // namespace detail

FERRY_INLINE bool try_define(Builder& builder, const Node& node, Define define) {
    bool is_fit = static_cast<bool>(node.output()) && detail::is_fit(builder, node.output());
    for (const NamedArgument& argument : node.arguments())
        for_each_value(argument.value, [&](Value value) {
            if (builder.graph().info(value).kind == ValueKind::tensor)
                is_fit = is_fit && detail::is_fit(builder, value);
        });
    if (!is_fit) return false;
    Definition definition(builder, node);
    define(definition);
    return !definition.is_declined();
}

}  // namespace ferry::executorch::xnnpack
