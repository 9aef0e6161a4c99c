#pragma once

#include <ferry/capture/gradient_regions.hpp>
#include <ferry/capture/real_nodes.hpp>
#include <ferry/capture/size_nodes.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::capture {

/// From runs laid side by side to one graph, in which sizes that differ are computed from those of the inputs.
class GraphBuilder {
public:
    explicit GraphBuilder(Unifier& unifier)
        : first_(unifier.first()), unifier_(unifier), gradients_(first_), made_(first_.values.size()) {}

    /// Makes an input of the graph for a value of the trace; to be called for all of them, in order, before build().
    Value add_input(std::string_view name, Value traced) {
        return made_[traced.index] = graph_.add_input(name, describe(traced));
    }
    /// The same for one whose sizes are promised in other terms than those that the runs hold for: see check_ranges, check_equal.
    Value add_input(std::string_view name, Value traced, std::vector<SymExpr> sizes);
    /// An integer that the program is given.
    Value add_number_input(std::string_view name, const SymExpr& number) {
        return graph_.add_input(name, {.name = {}, .kind = ValueKind::sym_int, .symbol = number});
    }
    /// An input that no run has used.
    Value add_unused_input(std::string_view name, const at::Tensor& tensor);
    /// Symbols that hold for part of their values only.
    void check_ranges(std::vector<std::pair<std::string, ValueRange>> ranges) {
        sizes_.check_ranges(std::move(ranges));
    }
    /// Sizes of inputs that must be what others give.
    void check_equal(std::vector<std::pair<std::string, SymExpr>> equal) { sizes_.check_equal(std::move(equal)); }
    /// The nodes; outputs are set by the caller, from of().
    void build();

    [[nodiscard]] const std::string& name_of(Value made) const { return graph_.info(made).name; }
    [[nodiscard]] Value of(Value traced) const { return made_[traced.index]; }
    [[nodiscard]] Argument output(std::size_t position);
    [[nodiscard]] Graph finish() && { return std::move(graph_); }

private:
    [[nodiscard]] ValueInfo describe(Value traced);
    [[nodiscard]] Argument convert(const Argument& argument, std::vector<std::size_t>& path, std::size_t op);
    void add_node(std::size_t index);
    void add_subgraphs(std::size_t index, std::vector<NamedArgument>& arguments);
    [[nodiscard]] std::vector<NamedArgument> arguments_of(std::size_t index);
    void check_told(const std::vector<Value>& results, const ToldSize& told, const SymExpr& size);
    void add_check(std::size_t index);
    void add_real(std::size_t index);
    [[nodiscard]] DType operand_dtype(std::size_t index) const;
    [[nodiscard]] std::string_view name_with(const TraceOp& op, const std::vector<NamedArgument>& arguments);
    [[nodiscard]] Value without_history(Value traced);
    [[nodiscard]] const std::vector<Argument>& defaults(const c10::FunctionSchema& schema);

    const Trace& first_;
    Unifier& unifier_;
    GradientRegions gradients_;
    Graph graph_;
    SizeNodes sizes_{graph_};
    RealNodes reals_{graph_, sizes_};
    std::vector<Value> made_;
    std::unordered_map<std::uint32_t, Value> detached_;
    std::set<std::string_view> placed_;  // arguments whose subgraph is made
    std::unordered_map<const c10::FunctionSchema*, std::vector<Argument>> defaults_;
};

inline ValueInfo GraphBuilder::describe(Value traced) {
    const TraceValue& value = first_.values[traced.index];
    ValueInfo info{.name = {}, .kind = value.kind};
    if (value.kind != ValueKind::tensor) return info;
    info.tensor = {.dtype = to_dtype(value.tensor.scalar_type()),
                   .layout = to_layout(value.tensor.layout()),
                   .device = to_device(value.device),
                   .sizes = unifier_.sizes(traced)};
    info.tensor.strides = unifier_.strides(traced, info.tensor.sizes);
    return info;
}

inline Value GraphBuilder::add_input(std::string_view name, Value traced, std::vector<SymExpr> sizes) {
    ValueInfo info = describe(traced);
    info.tensor.strides = unifier_.strides(traced, sizes);
    info.tensor.sizes = std::move(sizes);
    return made_[traced.index] = graph_.add_input(name, std::move(info));
}

inline Value GraphBuilder::add_unused_input(std::string_view name, const at::Tensor& tensor) {
    ValueInfo info;
    info.tensor = {.dtype = to_dtype(tensor.scalar_type()),
                   .layout = to_layout(tensor.layout()),
                   .device = to_device(tensor.device())};
    info.tensor.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
    info.tensor.strides.assign(tensor.strides().begin(), tensor.strides().end());
    return graph_.add_input(name, std::move(info));
}

inline void GraphBuilder::build() {
    sizes_.read_inputs();
    for (std::size_t i = 0; i < first_.ops.size(); ++i) add_node(i);
}

inline const std::vector<Argument>& GraphBuilder::defaults(const c10::FunctionSchema& schema) {
    const auto [found, is_new] = defaults_.try_emplace(&schema);
    if (is_new)
        for (const c10::Argument& argument : schema.arguments())
            found->second.push_back(argument.default_value()
                                        ? to_argument(*argument.default_value(),
                                                      ferry::detail::element_kind(argument.real_type().get()),
                                                      [](const at::Tensor&) { return Value(); })
                                        : Argument(Value()));  // equal to no argument that a call has
    return found->second;
}

inline Argument GraphBuilder::convert(const Argument& argument, std::vector<std::size_t>& path, std::size_t op) {
    if (const auto* value = argument.get_if<Value>())
        return first_.ops[op].gradients ? without_history(*value) : of(*value);
    if (argument.is<std::int64_t>()) return sizes_.of(unifier_.integer(op, path));
    if (argument.is<double>())
        if (const auto source = unifier_.real(op, path))
            return source->computed ? of(*source->computed) : reals_.of(source->fit, operand_dtype(op));
    if (const auto* list = argument.get_if<ArgumentList>()) {
        ArgumentList made;
        made.reserve(list->size());
        for (std::size_t i = 0; i < list->size(); ++i) {
            path.push_back(i);
            made.push_back(convert((*list)[i], path, op));
            path.pop_back();
        }
        return made;
    }
    return argument;
}

/// Left out like in Python: keywords at their default, and positional ones behind the last that is not.
inline std::vector<NamedArgument> GraphBuilder::arguments_of(std::size_t index) {
    const TraceOp& op = first_.ops[index];
    std::vector<NamedArgument> arguments;
    std::vector<std::size_t> path;
    if (op.schema == nullptr) {
        const auto names = higher_order_arguments(op.name);
        for (std::size_t i = 0; i < op.arguments.size(); ++i) {
            path.assign(1, i);
            arguments.push_back({.name = names[i], .value = convert(op.arguments[i], path, index)});
        }
        add_subgraphs(index, arguments);
        return arguments;
    }
    const auto& schema = op.schema->arguments();
    const std::vector<Argument>& usual = defaults(*op.schema);
    std::size_t last_positional = 0;
    for (std::size_t i = 0; i < schema.size(); ++i)
        if (!schema[i].kwarg_only() && !(op.arguments[i] == usual[i])) last_positional = i + 1;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        if (schema[i].kwarg_only() ? op.arguments[i] == usual[i] : i >= last_positional) continue;
        path.assign(1, i);
        arguments.push_back({.name = graph_.intern(schema[i].name()),
                             .value = convert(op.arguments[i], path, index),
                             .keyword = schema[i].kwarg_only()});
    }
    return arguments;
}

/// The bodies of a higher-order op. Sizes that they need come as further operands, the last argument of every such op.
inline void GraphBuilder::add_subgraphs(std::size_t index, std::vector<NamedArgument>& arguments) {
    const TraceOp& op = first_.ops[index];
    std::set<std::string> needed;
    const auto need = [&](const SymExpr& size) {
        for (const std::string& symbol : free_symbols(size)) needed.insert(symbol);
    };
    for (std::size_t k = 0; k < op.subtraces.size(); ++k)
        unifier_.inside(index, k).for_each_number(need, [&](const std::optional<RealSource>& source, double) {
            if (source && !source->computed) need(source->fit.of);
        });
    for (std::size_t k = 0; k < op.subtraces.size(); ++k) {
        Unifier inner = unifier_.inside(index, k);
        GraphBuilder body(inner);
        for (std::size_t i = 0; i < inner.first().inputs.size(); ++i)
            body.add_input("arg" + std::to_string(i) + "_1", inner.first().inputs[i]);
        for (const std::string& symbol : needed) body.sizes_.add_input(symbol);
        body.build();
        std::vector<Argument> outputs;
        outputs.reserve(inner.first().outputs.size());
        for (std::size_t i = 0; i < inner.first().outputs.size(); ++i) outputs.push_back(body.output(i));
        Graph graph = std::move(body).finish();
        graph.set_outputs(std::move(outputs));
        const Subgraph made = graph_.add_subgraph(
            subgraph_name(op.name, k) + "_" + std::to_string(graph_.num_subgraphs()), std::move(graph));
        for (NamedArgument& argument : arguments)
            if (const auto* wanted = argument.value.get_if<Subgraph>();
                wanted != nullptr && wanted->index == k && !placed_.contains(argument.name)) {
                argument.value = made;
                placed_.insert(argument.name);
                break;
            }
    }
    placed_.clear();
    auto& operands = *arguments.back().value.get_if<ArgumentList>();
    for (const std::string& symbol : needed) operands.emplace_back(sizes_.compute(SymExpr::symbol(symbol)));
}

/// Of the tensor that a number is computed with.
inline DType GraphBuilder::operand_dtype(std::size_t index) const {
    for (const Argument& argument : first_.ops[index].arguments)
        if (const auto* value = argument.get_if<Value>())
            if (const at::Tensor& tensor = first_.values[value->index].tensor; tensor.defined())
                return to_dtype(tensor.scalar_type());
    return DType::float32;
}

/// Whose number has become a tensor, has another overload for that.
inline std::string_view GraphBuilder::name_with(const TraceOp& op, const std::vector<NamedArgument>& arguments) {
    if (!op.name.ends_with(".Scalar") || !has_tensor_form(op.name) || arguments.size() < 2) return op.name;
    const auto* other = arguments[1].value.get_if<Value>();
    if (other == nullptr || graph_.info(*other).kind != ValueKind::tensor) return op.name;
    return graph_.intern(std::string(op.name.substr(0, op.name.size() - 6)) + "Tensor");
}

inline void GraphBuilder::add_node(std::size_t index) {
    const TraceOp& op = first_.ops[index];
    if (op.name == size_check) return add_check(index);
    if (op.outputs.size() == 1 && op.outputs[0].values.size() == 1 &&
        first_.values[op.outputs[0].values[0].index].kind == ValueKind::sym_float && op.schema == nullptr)
        return add_real(index);
    std::vector<NamedArgument> arguments = arguments_of(index);
    const auto colons = op.name.find("::");
    const std::string_view base = op.name.substr(colons + 2, op.name.find('.') - colons - 2);
    const bool several = op.outputs.size() > 1 || (op.outputs.size() == 1 && op.outputs[0].is_list);
    std::vector<Output> outputs;
    for (const Output& output : op.outputs) {
        outputs.push_back({.is_list = output.is_list});
        for (const Value value : output.values) {
            ValueInfo info = describe(value);
            if (info.kind == ValueKind::sym_int)
                info.symbol = unifier_.size([&](const Trace& trace) { return trace.values[value.index].number; });
            outputs.back().values.push_back(made_[value.index] =
                                                graph_.new_value(several ? "getitem" : base, std::move(info)));
        }
    }
    std::vector<Value> results;
    for (const Output& output : outputs) results.insert(results.end(), output.values.begin(), output.values.end());
    const std::string_view name = name_with(op, arguments);
    graph_.append(name, std::move(arguments), std::move(outputs)).set_module_path(graph_.intern(op.module));
    for (const Value result : results) sizes_.read_result(result);
    for (std::size_t i = 0; i < op.told.size(); ++i) check_told(results, op.told[i], unifier_.told(index, i));
}

/// That what depends on values is what is known of it.
inline void GraphBuilder::check_told(const std::vector<Value>& results, const ToldSize& told, const SymExpr& size) {
    bool found = false;
    const auto tie = [&](Value own) {
        found = true;
        sizes_.tie(own, told.name, size);
    };
    for (const Value result : results) {
        const ValueInfo info = graph_.info(result);
        if (info.kind == ValueKind::sym_int && info.symbol == size) tie(result);
        for (std::size_t dim = 0; dim < info.tensor.sizes.size(); ++dim)
            if (info.tensor.sizes[dim] == size) tie(sizes_.read(result, dim, size));
    }
    if (!found)
        throw Error(ErrorKind::internal, "a size that depends on values is in no result",
                    {.where = {.stage = "dynamic shapes"}});
}

inline void GraphBuilder::add_check(std::size_t index) {
    const auto& arguments = first_.ops[index].arguments;
    const SymExpr a = unifier_.integer(index, std::vector<std::size_t>{0});
    const SymExpr b = unifier_.integer(index, std::vector<std::size_t>{1});
    sizes_.require(a, *arguments[2].get_if<std::string>(), b, *arguments[3].get_if<std::string>());
}

/// A function over sizes whose result is no integer.
inline void GraphBuilder::add_real(std::size_t index) {
    const TraceOp& op = first_.ops[index];
    std::vector<NamedArgument> arguments;
    arguments.reserve(op.arguments.size());
    std::vector<std::size_t> path;
    for (std::size_t i = 0; i < op.arguments.size(); ++i) {
        path.assign(1, i);
        arguments.push_back({.name = i == 0   ? "a"
                                     : i == 1 ? "b"
                                              : "c",
                             .value = convert(op.arguments[i], path, index)});
    }
    const Value traced = op.outputs[0].values[0];
    const Value made =
        graph_.new_value(op.name.substr(op.name.find("::") + 2),
                         {.name = {}, .kind = ValueKind::sym_float, .symbol = first_.values[traced.index].meaning});
    made_[traced.index] = made;
    graph_.append(op.name, std::move(arguments), {{.values = {made}}});
}

/// The same value, detached if it was made with gradients off.
inline Value GraphBuilder::without_history(Value traced) {
    if (!gradients_.must_detach(traced)) return of(traced);
    const auto [found, is_new] = detached_.try_emplace(traced.index);
    if (is_new) {
        found->second = graph_.new_value("detach", describe(traced));
        graph_.append("aten::detach", {{.name = "self", .value = of(traced)}}, {{.values = {found->second}}});
    }
    return found->second;
}

inline Argument GraphBuilder::output(std::size_t position) {
    std::vector<std::size_t> path{position};
    const Argument& argument = first_.outputs[position];
    if (const auto* value = argument.get_if<Value>()) return without_history(*value);
    if (argument.is<std::int64_t>()) return sizes_.of(unifier_.output_integer(path));
    if (argument.is<double>())
        if (const auto source = unifier_.output_real(path))
            return source->computed ? of(*source->computed) : reals_.of(source->fit, DType::float32);
    return argument;
}

}  // namespace ferry::capture
