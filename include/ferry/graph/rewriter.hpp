#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// Writes nodes in front of one that they replace.
class Rewriter {
public:
    Rewriter(Graph& graph, Node& node) : graph_(graph), node_(node) {}

    [[nodiscard]] const TensorMeta& meta(Value value) const { return graph_.info(value).tensor; }
    [[nodiscard]] const TensorMeta& meta() const { return meta(node_.output()); }
    /// An argument of the node, as an integer where it is one.
    [[nodiscard]] Argument given(std::string_view name, const Argument& otherwise = {}) const {
        const Argument* found = node_.find(name);
        return found != nullptr ? *found : otherwise;
    }
    [[nodiscard]] SymExpr number(const Argument& argument) const {
        if (const auto* constant = argument.get_if<std::int64_t>()) return *constant;
        if (const auto* value = argument.get_if<Value>()) return graph_.info(*value).symbol;
        throw Error(ErrorKind::internal, "an argument is no integer", {.where = {.op = std::string(node_.op())}});
    }
    /// Counted from the end where it is negative.
    [[nodiscard]] std::size_t dim(const Argument& argument, std::size_t dims) const {
        const std::int64_t at = number(argument).value();
        return static_cast<std::size_t>(at < 0 ? at + static_cast<std::int64_t>(dims) : at);
    }

    /// A call of an op with one tensor as its result; arguments in the order of its schema.
    [[nodiscard]] Value call(std::string_view op, std::vector<Argument> arguments, std::vector<SymExpr> sizes,
                             DType dtype) {
        const auto found = find_op(op);
        if (!found) throw Error(ErrorKind::internal, "there is no such op", {.where = {.op = std::string(op)}});
        std::vector<NamedArgument> named;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const c10::Argument& wanted = found->schema().arguments().at(i);
            named.push_back({graph_.intern(wanted.name()), std::move(arguments[i]), wanted.kwarg_only()});
        }
        TensorMeta made = meta();
        made.dtype = dtype;
        made.sizes = std::move(sizes);
        made.strides.assign(made.sizes.size(), 1);
        for (std::size_t i = made.sizes.size(); i-- > 1;) made.strides[i - 1] = made.strides[i] * made.sizes[i];
        return insert(op, std::move(named), {.name = {}, .kind = ValueKind::tensor, .tensor = std::move(made)});
    }
    /// The same elements with other sizes. Of those one may be neither of the tensor nor of an argument of the node.
    [[nodiscard]] Value view(Value value,
                             std::vector<SymExpr> sizes) {  // a copy: they may be of this graph, which grows
        ArgumentList list;
        for (const SymExpr& size : sizes)
            list.push_back(size.is_constant() ? Argument(size.value()) : find_size(size, value).value_or(-1));
        return call("aten::view", {value, std::move(list)}, std::move(sizes), meta(value).dtype);
    }
    /// The size of a tensor along one dimension.
    [[nodiscard]] Argument size(Value value, std::size_t dim) {
        const SymExpr& known = meta(value).sizes.at(dim);
        if (known.is_constant()) return known.value();
        return insert("aten::sym_size.int", {{"self", value}, {"dim", static_cast<std::int64_t>(dim)}},
                      {.name = {}, .kind = ValueKind::sym_int, .symbol = known});
    }
    /// The sum of two integers, of which either may depend on sizes.
    [[nodiscard]] Argument add(const Argument& a, const Argument& b) {
        const SymExpr sum = number(a) + number(b);
        if (sum.is_constant()) return sum.value();
        return insert("_operator::add", {{"a", a}, {"b", b}}, {.name = {}, .kind = ValueKind::sym_int, .symbol = sum});
    }

    /// What the node gave is this from now on.
    bool replace(std::size_t output, Value value) {
        graph_.replace_uses(node_.output(output), value);
        return true;
    }
    bool finish() {
        graph_.erase(node_);
        return true;
    }
    bool replace(Value value) { return replace(0, value) && finish(); }

private:
    [[nodiscard]] std::optional<Argument> find_size(const SymExpr& size, Value value) {
        const auto find_in = [&](Value tensor) -> std::optional<Argument> {
            const std::vector<SymExpr>& sizes = meta(tensor).sizes;
            for (std::size_t dim = 0; dim < sizes.size(); ++dim)
                if (sizes[dim] == size) return this->size(tensor, dim);
            return std::nullopt;
        };
        std::optional<Argument> found = find_in(value);
        for (const NamedArgument& argument : node_.arguments())
            for_each_value(argument.value, [&](Value each) {
                if (!found && graph_.info(each).kind == ValueKind::tensor) found = find_in(each);
            });
        return found;
    }
    [[nodiscard]] Value insert(std::string_view op, std::vector<NamedArgument> arguments, ValueInfo info) {
        const std::string_view base = op.substr(op.find("::") + 2);
        const Value made = graph_.new_value(base.substr(0, base.find('.')), std::move(info));
        graph_.insert_before(&node_, op, std::move(arguments), {{.values = {made}}})
            .set_module_path(node_.module_path());
        return made;
    }

    Graph& graph_;
    Node& node_;
};

}  // namespace ferry
