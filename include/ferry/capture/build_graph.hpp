#pragma once

#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
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
    explicit GraphBuilder(Unifier& unifier) : first_(unifier.first()), unifier_(unifier), made_(first_.values.size()) {}

    /// Makes an input of the graph for a value of the trace; to be called for all of them, in order, before build().
    Value add_input(std::string_view name, Value traced) {
        return made_[traced.index] = graph_.add_input(name, describe(traced));
    }
    /// An input that no run has used.
    Value add_unused_input(std::string_view name, const at::Tensor& tensor);
    /// A size that the graph is given from outside: those of a subgraph.
    void add_symbol_input(const std::string& symbol);
    /// Symbols that come into being in the graph and hold for part of their values only.
    void check_ranges(std::vector<std::pair<std::string, ValueRange>> ranges) { checked_ = std::move(ranges); }
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
    void find_symbols();
    void define_symbol(std::string_view name, Value tensor, std::size_t dim);
    void solve_symbol(const AffineSize& affine, Value tensor, std::size_t dim);
    void check_symbol(std::string_view name);
    [[nodiscard]] Argument size(const SymExpr& expression);
    [[nodiscard]] Value compute(const SymExpr& expression);
    [[nodiscard]] Value call(std::string_view op, std::string_view name, std::vector<Argument> operands,
                             const SymExpr& result);
    [[nodiscard]] const std::vector<Argument>& defaults(const c10::FunctionSchema& schema);

    const Trace& first_;
    Unifier& unifier_;
    Graph graph_;
    std::vector<Value> made_;
    std::map<std::string, Value, std::less<>> symbols_;
    std::map<SymExpr, Value> computed_;
    std::vector<std::pair<std::string, ValueRange>> checked_;
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
                   .sizes = unifier_.sizes(traced),
                   .strides = unifier_.strides(traced)};
    return info;
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

inline void GraphBuilder::define_symbol(std::string_view name, Value tensor, std::size_t dim) {
    if (symbols_.contains(name)) return;
    const SymExpr symbol = SymExpr::symbol(name);
    const Value value = graph_.new_value("sym_size_int", {.name = {}, .kind = ValueKind::sym_int, .symbol = symbol});
    graph_.append("aten::sym_size.int",
                  {{.name = "self", .value = tensor}, {.name = "dim", .value = static_cast<std::int64_t>(dim)}},
                  {{.values = {value}}});
    symbols_.emplace(name, value);
    computed_.emplace(symbol, value);
    check_symbol(name);
}

/// A value that the runs do not hold for stops the program, as torch.export's programs do.
inline void GraphBuilder::check_symbol(std::string_view name) {
    for (const auto& [symbol, range] : checked_) {
        if (symbol != name) continue;
        const Value value = symbols_.find(name)->second;
        const auto check = [&](std::string_view op, std::string_view base, std::int64_t end, std::string_view sign) {
            const Value holds = graph_.new_value(base, {.name = {}, .kind = ValueKind::sym_bool});
            graph_.append(op, {{.name = "a", .value = value}, {.name = "b", .value = end}}, {{.values = {holds}}});
            graph_.append(
                "aten::_assert_scalar",
                {{.name = "self", .value = holds},
                 {.name = "assert_msg",
                  .value = "Runtime assertion failed for expression " + std::string(name) + std::string(sign) +
                           std::to_string(end) + " on node '" + graph_.info(holds).name + "'"}},
                {});
        };
        if (range.min != ValueRange::no_min) check("_operator::ge", "ge", range.min, " >= ");
        if (range.max != ValueRange::no_max) check("_operator::le", "le", range.max, " <= ");
    }
}

/// torch.export reads all sizes of inputs before anything else.
inline void GraphBuilder::find_symbols() {
    const std::vector<Value> inputs(graph_.inputs().begin(), graph_.inputs().end());
    for (const Value input : inputs) {
        const auto sizes = graph_.info(input).tensor.sizes;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim)
            if (sizes[dim].is_symbol()) define_symbol(sizes[dim].name(), input, dim);
    }
    for (const Value input : inputs) {  // symbols of which there are only multiples
        const auto sizes = graph_.info(input).tensor.sizes;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim)
            if (const auto affine = as_affine(sizes[dim]); affine && !symbols_.contains(affine->symbol))
                solve_symbol(*affine, input, dim);
    }
}

inline void GraphBuilder::solve_symbol(const AffineSize& affine, Value tensor, std::size_t dim) {
    const SymExpr symbol = SymExpr::symbol(affine.symbol);
    const SymExpr multiple = symbol * SymExpr(affine.factor);
    const SymExpr size = multiple + SymExpr(affine.offset);
    Value value = graph_.new_value("sym_size_int", {.name = {}, .kind = ValueKind::sym_int, .symbol = size});
    graph_.append("aten::sym_size.int",
                  {{.name = "self", .value = tensor}, {.name = "dim", .value = static_cast<std::int64_t>(dim)}},
                  {{.values = {value}}});
    computed_.emplace(size, value);
    if (affine.offset != 0) value = call("_operator::sub", "sub", {value, affine.offset}, multiple);
    if (affine.factor != 1) value = call("_operator::floordiv", "floordiv", {value, affine.factor}, symbol);
    symbols_.emplace(affine.symbol, value);
}

inline void GraphBuilder::build() {
    find_symbols();
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
    if (const auto* value = argument.get_if<Value>()) return of(*value);
    if (argument.is<std::int64_t>()) return size(unifier_.integer(op, path));
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
    for (std::size_t k = 0; k < op.subtraces.size(); ++k)
        unifier_.inside(index, k).for_each_size([&](const SymExpr& size) {
            for (const std::string& symbol : free_symbols(size)) needed.insert(symbol);
        });
    for (std::size_t k = 0; k < op.subtraces.size(); ++k) {
        Unifier inner = unifier_.inside(index, k);
        GraphBuilder body(inner);
        for (std::size_t i = 0; i < inner.first().inputs.size(); ++i)
            body.add_input("arg" + std::to_string(i) + "_1", inner.first().inputs[i]);
        for (const std::string& symbol : needed) body.add_symbol_input(symbol);
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
    for (const std::string& symbol : needed) operands.emplace_back(compute(SymExpr::symbol(symbol)));
}

inline void GraphBuilder::add_symbol_input(const std::string& symbol) {
    const SymExpr expression = SymExpr::symbol(symbol);
    const Value value = graph_.add_input(symbol, {.name = {}, .kind = ValueKind::sym_int, .symbol = expression});
    symbols_.emplace(symbol, value);
    computed_.emplace(expression, value);
}

inline void GraphBuilder::add_node(std::size_t index) {
    const TraceOp& op = first_.ops[index];
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
    graph_.append(op.name, std::move(arguments), std::move(outputs)).set_module_path(graph_.intern(op.module));
    for (const Value result : results) {  // sizes that came into being here
        const ValueInfo info = graph_.info(result);
        if (info.kind == ValueKind::sym_int && info.symbol.is_symbol()) {
            symbols_.emplace(info.symbol.name(), result);
            computed_.emplace(info.symbol, result);
            check_symbol(info.symbol.name());
        }
        for (std::size_t dim = 0; dim < info.tensor.sizes.size(); ++dim)
            if (info.tensor.sizes[dim].is_symbol()) define_symbol(info.tensor.sizes[dim].name(), result, dim);
    }
}

inline Argument GraphBuilder::size(const SymExpr& expression) {
    if (expression.is_constant()) return expression.value();
    return compute(expression);
}

inline Value GraphBuilder::call(std::string_view op, std::string_view name, std::vector<Argument> operands,
                                const SymExpr& result) {
    std::vector<NamedArgument> arguments;
    arguments.reserve(operands.size());
    for (Argument& operand : operands)
        arguments.push_back({.name = arguments.empty() ? "a" : "b", .value = std::move(operand)});
    const Value value = graph_.new_value(name, {.name = {}, .kind = ValueKind::sym_int, .symbol = result});
    graph_.append(op, std::move(arguments), {{.values = {value}}});
    computed_.emplace(result, value);
    return value;
}

inline Value GraphBuilder::compute(const SymExpr& expression) {
    if (const auto known = computed_.find(expression); known != computed_.end()) return known->second;
    const auto binary = [&](std::string_view op, std::string_view name) {
        Argument result = size(expression.args()[0]);
        SymExpr so_far = expression.args()[0];
        for (std::size_t i = 1; i < expression.args().size(); ++i) {
            const bool last = i + 1 == expression.args().size();
            so_far = last ? expression
                          : (op == "torch::sym_max" ? sym_max({so_far, expression.args()[i]})
                                                    : sym_min({so_far, expression.args()[i]}));
            result = call(op, name, {result, size(expression.args()[i])}, so_far);
        }
        return *result.get_if<Value>();
    };
    switch (expression.op()) {
        case SymOp::sum: {
            std::optional<Argument> sum;
            SymExpr so_far;
            const auto add = [&](Argument part, const SymExpr& meaning) {
                so_far = so_far + meaning;
                sum = sum ? Argument(call("_operator::add", "add", {*sum, std::move(part)}, so_far)) : std::move(part);
            };
            for (const SymTerm& term : expression.terms()) {
                std::optional<Argument> product;
                SymExpr meaning = 1;
                const auto multiply = [&](Argument factor, const SymExpr& by) {
                    meaning = meaning * by;
                    product = product ? Argument(call("_operator::mul", "mul", {*product, std::move(factor)}, meaning))
                                      : std::move(factor);
                };
                for (const SymFactor& factor : term.factors)
                    for (std::int32_t i = 0; i < factor.exponent; ++i) multiply(size(factor.base), factor.base);
                if (term.coefficient != 1) multiply(Argument(term.coefficient), SymExpr(term.coefficient));
                add(*product, meaning);
            }
            if (expression.value() != 0) add(Argument(expression.value()), SymExpr(expression.value()));
            return *sum->get_if<Value>();
        }
        case SymOp::floor_div: return binary("_operator::floordiv", "floordiv");
        case SymOp::mod: return binary("_operator::mod", "mod");
        case SymOp::max: return binary("torch::sym_max", "sym_max");
        case SymOp::min: return binary("torch::sym_min", "sym_min");
        default:
            throw Error(ErrorKind::internal, "a size that no graph can compute",
                        {.where = {.stage = "dynamic shapes"}});
    }
}

inline Argument GraphBuilder::output(std::size_t position) {
    std::vector<std::size_t> path{position};
    const Argument& argument = first_.outputs[position];
    if (const auto* value = argument.get_if<Value>()) return of(*value);
    if (argument.is<std::int64_t>()) return size(unifier_.output_integer(path));
    return argument;
}

}  // namespace ferry::capture
