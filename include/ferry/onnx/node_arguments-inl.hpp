#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/onnx/node_arguments.hpp>

#include <ATen/core/function_schema.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::onnx {

FERRY_INLINE void NodeArguments::set_current_node(const ferry::Node& node) {
    node_ = &node;
    const auto [found, is_new] = schemas_.try_emplace(node.op().data(), nullptr);
    if (is_new)
        if (const auto op = find_op(node.op())) found->second = &op->schema();
    schema_ = found->second;
}

FERRY_INLINE void NodeArguments::refuse(const std::string& what, std::string hint) const {
    throw Error(
        ErrorKind::unsupported, what,
        {.hint = std::move(hint),
         .where = {
             .stage = "translations", .op = std::string(node_->op()), .path = std::string(node_->module_path())}});
}
FERRY_INLINE void NodeArguments::wrong_argument(std::string_view name, std::string_view wanted) const {
    refuse("the argument '" + std::string(name) + "' is not " + std::string(wanted));
}

FERRY_INLINE bool NodeArguments::is_wanted(std::size_t position) const {
    const Value value = node_->output(position);
    return value && graph_->is_used(value);
}
FERRY_INLINE bool NodeArguments::has(std::string_view name) const { return !argument(name).is_none(); }
FERRY_INLINE std::int64_t NodeArguments::integer(std::string_view name) const {
    return as_integer(argument(name), name);
}
FERRY_INLINE SymExpr NodeArguments::symbolic(std::string_view name) const { return as_symbolic(argument(name), name); }

FERRY_INLINE Argument NodeArguments::argument(std::string_view name) const {
    if (const Argument* given = node_->find(name)) return *given;
    if (schema_ == nullptr) return {};
    for (const c10::Argument& each : schema_->arguments())
        if (each.name() == name)
            return each.default_value()
                       ? to_argument(*each.default_value(), ferry::detail::element_kind(each.real_type().get()),
                                     [](const at::Tensor&) { return Value(); })
                       : Argument();
    throw Error(ErrorKind::internal, "the op has no argument '" + std::string(name) + "'",
                {.where = {.stage = "translations", .op = std::string(node_->op())}});
}

FERRY_INLINE bool NodeArguments::is_tensor(std::string_view name) const {
    const Argument given = argument(name);
    const auto* value = given.get_if<Value>();
    return value != nullptr && graph_->info(*value).kind == ValueKind::tensor;
}

FERRY_INLINE std::int64_t NodeArguments::as_integer(const Argument& argument, std::string_view name) const {
    if (const auto* number = argument.get_if<std::int64_t>()) return *number;
    if (const auto* flag = argument.get_if<bool>()) return *flag ? 1 : 0;
    if (const auto* value = argument.get_if<Value>())
        if (const SymExpr& symbol = graph_->info(*value).symbol; symbol.is_constant()) return symbol.value();
    wrong_argument(name, "a constant integer");
}

FERRY_INLINE double NodeArguments::real(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* number = given.get_if<double>()) return *number;
    return static_cast<double>(as_integer(given, name));
}

FERRY_INLINE bool NodeArguments::flag(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* flag = given.get_if<bool>()) return *flag;
    if (given.is_none()) return false;
    return as_integer(given, name) != 0;
}

FERRY_INLINE std::string NodeArguments::text(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* text = given.get_if<std::string>()) return *text;
    wrong_argument(name, "a text");
}

FERRY_INLINE std::vector<std::int64_t> NodeArguments::integers(std::string_view name) const {
    const Argument given = argument(name);
    std::vector<std::int64_t> all;
    if (const auto* list = given.get_if<ArgumentList>()) {
        all.reserve(list->size());
        for (const Argument& item : *list) all.push_back(as_integer(item, name));
    } else if (!given.is_none()) {
        all.push_back(as_integer(given, name));
    }
    return all;
}

FERRY_INLINE SymExpr NodeArguments::as_symbolic(const Argument& argument, std::string_view name) const {
    if (const auto* value = argument.get_if<Value>())
        if (const ValueInfo& info = graph_->info(*value); info.kind == ValueKind::sym_int) return info.symbol;
    return as_integer(argument, name);
}

FERRY_INLINE std::vector<SymExpr> NodeArguments::symbolics(std::string_view name) const {
    const Argument given = argument(name);
    std::vector<SymExpr> all;
    if (const auto* list = given.get_if<ArgumentList>()) {
        all.reserve(list->size());
        for (const Argument& item : *list) all.push_back(as_symbolic(item, name));
    } else if (!given.is_none()) {
        all.push_back(as_symbolic(given, name));
    }
    return all;
}

FERRY_INLINE std::vector<std::int64_t> NodeArguments::dims(std::string_view name, std::int64_t rank) const {
    std::vector<std::int64_t> all = integers(name);
    for (std::int64_t& each : all) each = wrapped(each, rank);
    return all;
}

namespace detail {

/// torch's rule: a type of a higher category (tensors with dimensions, those without, numbers) gives way only to another class of numbers.
[[nodiscard]] inline std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
    if (!higher) return lower;
    if (!lower || is_complex(*higher) || (is_floating_point(*higher) && !is_complex(*lower))) return higher;
    if (*higher == DType::boolean || is_floating_point(*lower) || is_complex(*lower))
        return to_dtype(c10::promoteTypes(to_c10(*higher), to_c10(*lower)));
    return higher;
}

}  // namespace detail

FERRY_INLINE DType NodeArguments::promoted(std::initializer_list<std::string_view> names) const {
    std::optional<DType> categories[3];
    const auto join = [&](std::size_t category, DType dtype) {
        auto& place = categories[category];
        place = place ? to_dtype(c10::promoteTypes(to_c10(*place), to_c10(dtype))) : dtype;
    };
    for (const std::string_view name : names) {
        const Argument given = argument(name);
        if (const auto* value = given.get_if<Value>()) {
            const ValueInfo& info = graph_->info(*value);
            if (info.kind == ValueKind::tensor)
                join(info.tensor.sizes.empty() ? 1 : 0, info.tensor.dtype);
            else
                join(2, info.kind == ValueKind::sym_int    ? DType::int64
                        : info.kind == ValueKind::sym_bool ? DType::boolean
                                                           : DType::float32);
        } else if (given.is<double>()) {
            join(2, DType::float32);
        } else if (given.is<bool>()) {
            join(2, DType::boolean);
        } else if (given.is<std::int64_t>()) {
            join(2, DType::int64);
        }
    }
    return detail::combine(categories[0], detail::combine(categories[1], categories[2])).value_or(DType::float32);
}

FERRY_INLINE std::size_t NodeArguments::num_results() const {
    std::size_t count = 0;
    for (const Output& output : node_->outputs()) count += output.values.size();
    return count;
}

}  // namespace ferry::onnx
