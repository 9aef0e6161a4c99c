#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/onnx/complex_numbers.hpp>

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

/// What the node that is up was called with, and what its results are. Arguments are asked for by their names in the op's schema, and are
/// what the schema says where the call leaves them out.
class NodeArguments {
public:
    [[nodiscard]] const Graph& graph() const noexcept { return *graph_; }
    [[nodiscard]] const ferry::Node& node() const noexcept { return *node_; }

    // Arguments.
    [[nodiscard]] Argument argument(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return !argument(name).is_none(); }
    [[nodiscard]] bool is_tensor(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const { return as_integer(argument(name), name); }
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    /// A number that may follow a size, and a list of them.
    [[nodiscard]] SymExpr symbolic(std::string_view name) const { return as_symbolic(argument(name), name); }
    [[nodiscard]] std::vector<SymExpr> symbolics(std::string_view name) const;
    /// A dimension of a tensor of so many, counted from the front.
    [[nodiscard]] std::int64_t dim(std::string_view name, std::int64_t rank) const {
        return wrapped(integer(name), rank);
    }
    [[nodiscard]] std::vector<std::int64_t> dims(std::string_view name, std::int64_t rank) const;
    [[nodiscard]] static std::int64_t wrapped(std::int64_t dim, std::int64_t rank) {
        return dim < 0 ? dim + std::max<std::int64_t>(rank, 1) : dim;
    }
    /// torch::result_type of some arguments.
    [[nodiscard]] DType promoted(std::initializer_list<std::string_view> names) const;

    // Results.
    [[nodiscard]] std::size_t num_results() const;
    [[nodiscard]] const ValueInfo& result_info(std::size_t position = 0) const;
    /// Of complex numbers that of their parts.
    [[nodiscard]] DType result_dtype(std::size_t position = 0) const {
        return stored_dtype(result_info(position).tensor.dtype);
    }
    [[nodiscard]] const std::vector<SymExpr>& result_sizes(std::size_t position = 0) const {
        return result_info(position).tensor.sizes;
    }
    [[nodiscard]] std::int64_t result_rank(std::size_t position = 0) const {
        return static_cast<std::int64_t>(result_sizes(position).size());
    }
    [[nodiscard]] bool is_wanted(std::size_t position) const {
        const Value value = node_->output(position);
        return value && graph_->is_used(value);
    }

    /// What ONNX cannot express; the message says what, the place is this node's.
    [[noreturn]] void refuse(const std::string& what, std::string hint = {}) const {
        throw Error(
            ErrorKind::unsupported, what,
            {.hint = std::move(hint),
             .where = {
                 .stage = "translations", .op = std::string(node_->op()), .path = std::string(node_->module_path())}});
    }

protected:
    /// The graph whose nodes are up next; gives the one before.
    const Graph* set_graph(const Graph* graph) { return std::exchange(graph_, graph); }
    [[nodiscard]] const ferry::Node* current_node() const noexcept { return node_; }
    void set_current_node(const ferry::Node& node);
    [[noreturn]] void wrong_argument(std::string_view name, std::string_view wanted) const {
        refuse("the argument '" + std::string(name) + "' is not " + std::string(wanted));
    }

private:
    [[nodiscard]] std::int64_t as_integer(const Argument& argument, std::string_view name) const;
    [[nodiscard]] SymExpr as_symbolic(const Argument& argument, std::string_view name) const;

    const Graph* graph_ = nullptr;
    const ferry::Node* node_ = nullptr;
    const c10::FunctionSchema* schema_ = nullptr;
    std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;  // by the op's interned name
};

inline void NodeArguments::set_current_node(const ferry::Node& node) {
    node_ = &node;
    const auto [found, is_new] = schemas_.try_emplace(node.op().data(), nullptr);
    if (is_new)
        if (const auto op = find_op(node.op())) found->second = &op->schema();
    schema_ = found->second;
}

inline Argument NodeArguments::argument(std::string_view name) const {
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

inline bool NodeArguments::is_tensor(std::string_view name) const {
    const Argument given = argument(name);
    const auto* value = given.get_if<Value>();
    return value != nullptr && graph_->info(*value).kind == ValueKind::tensor;
}

inline std::int64_t NodeArguments::as_integer(const Argument& argument, std::string_view name) const {
    if (const auto* number = argument.get_if<std::int64_t>()) return *number;
    if (const auto* flag = argument.get_if<bool>()) return *flag ? 1 : 0;
    if (const auto* value = argument.get_if<Value>())
        if (const SymExpr& symbol = graph_->info(*value).symbol; symbol.is_constant()) return symbol.value();
    wrong_argument(name, "a constant integer");
}

inline double NodeArguments::real(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* number = given.get_if<double>()) return *number;
    return static_cast<double>(as_integer(given, name));
}

inline bool NodeArguments::flag(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* flag = given.get_if<bool>()) return *flag;
    if (given.is_none()) return false;
    return as_integer(given, name) != 0;
}

inline std::string NodeArguments::text(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* text = given.get_if<std::string>()) return *text;
    wrong_argument(name, "a text");
}

inline std::vector<std::int64_t> NodeArguments::integers(std::string_view name) const {
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

inline SymExpr NodeArguments::as_symbolic(const Argument& argument, std::string_view name) const {
    if (const auto* value = argument.get_if<Value>())
        if (const ValueInfo& info = graph_->info(*value); info.kind == ValueKind::sym_int) return info.symbol;
    return as_integer(argument, name);
}

inline std::vector<SymExpr> NodeArguments::symbolics(std::string_view name) const {
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

inline std::vector<std::int64_t> NodeArguments::dims(std::string_view name, std::int64_t rank) const {
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

inline DType NodeArguments::promoted(std::initializer_list<std::string_view> names) const {
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

inline std::size_t NodeArguments::num_results() const {
    std::size_t count = 0;
    for (const Output& output : node_->outputs()) count += output.values.size();
    return count;
}

inline const ValueInfo& NodeArguments::result_info(std::size_t position) const {
    return graph_->info(node_->output(position));
}

}  // namespace ferry::onnx
