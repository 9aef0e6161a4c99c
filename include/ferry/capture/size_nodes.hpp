#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

namespace detail {

/// A comparison as sympy prints it.
[[nodiscard]] inline std::string comparison_text(std::string a, std::string_view comparison, const std::string& b) {
    if (comparison == "eq" || comparison == "ne") return (comparison == "eq" ? "Eq(" : "Ne(") + a + ", " + b + ")";
    return std::move(a) +
           (comparison == "ge"   ? " >= "
            : comparison == "le" ? " <= "
            : comparison == "gt" ? " > "
                                 : " < ") +
           b;
}

}  // namespace detail

/// A function over numbers, whose operands are `a` and `b` as in Python's operator module.
[[nodiscard]] inline Value append_function(Graph& graph, std::string_view op, std::string_view name,
                                           std::vector<Argument> operands, ValueInfo result) {
    std::vector<NamedArgument> arguments;
    arguments.reserve(operands.size());
    for (Argument& operand : operands)
        arguments.push_back({.name = arguments.empty() ? "a" : "b", .value = std::move(operand)});
    const Value value = graph.new_value(name, std::move(result));
    graph.append(op, std::move(arguments), {{.values = {value}}});
    return value;
}

/// The part of a graph that computes sizes: `sym_size` of tensors, arithmetic on them, and checks.
class SizeNodes {
public:
    explicit SizeNodes(Graph& graph) : graph_(graph) {}

    /// Symbols that hold for part of their values only.
    void check_ranges(std::vector<std::pair<std::string, ValueRange>> ranges) { checked_ = std::move(ranges); }
    /// Sizes of inputs that must be what others give.
    void check_equal(std::vector<std::pair<std::string, SymExpr>> equal) { equal_ = std::move(equal); }
    /// torch.export reads all sizes of inputs before anything else.
    void read_inputs();
    /// A size that the graph is given from outside: those of a subgraph.
    void add_input(const std::string& symbol);
    /// Symbols that come into being with the result of an op.
    void read_result(Value result);

    /// Stops the program unless a number that comes with the result of an op is what others give.
    void tie(Value own, const std::string& name, const SymExpr& size);
    /// A size of a tensor.
    [[nodiscard]] Value read(Value tensor, std::size_t dim, const SymExpr& size);

    /// A number, or the value that it is in the graph.
    [[nodiscard]] Argument of(const SymExpr& expression) {
        if (expression.is_constant()) return expression.value();
        return compute(expression);
    }
    [[nodiscard]] Value compute(const SymExpr& expression);
    /// Stops the program unless `a` compares so with `b`, as torch.export's programs do. A check is made once.
    void require(const SymExpr& a, std::string_view comparison, const SymExpr& b, std::string_view why = {});

private:
    void define(std::string_view name, Value tensor, std::size_t dim);
    void solve(const AffineSize& affine, Value size);
    void meet(std::string_view name, Value value);
    void check(const Argument& a, std::string_view comparison, const Argument& b, const std::string& message);
    [[nodiscard]] Value call(std::string_view op, std::string_view name, std::vector<Argument> operands,
                             const SymExpr& result);
    [[nodiscard]] Value sum(const SymExpr& expression);
    [[nodiscard]] Value chain(const SymExpr& expression, std::string_view op, std::string_view name);

    Graph& graph_;
    std::map<std::string, Value, std::less<>> symbols_;
    std::map<SymExpr, Value> computed_;
    std::vector<std::pair<std::string, ValueRange>> checked_;
    std::vector<std::pair<std::string, SymExpr>> equal_;
    std::set<std::string> made_checks_;
};

inline Value SizeNodes::read(Value tensor, std::size_t dim, const SymExpr& size) {
    const Value value = graph_.new_value("sym_size_int", {.name = {}, .kind = ValueKind::sym_int, .symbol = size});
    graph_.append("aten::sym_size.int",
                  {{.name = "self", .value = tensor}, {.name = "dim", .value = static_cast<std::int64_t>(dim)}},
                  {{.values = {value}}});
    computed_.emplace(size, value);
    return value;
}

inline void SizeNodes::meet(std::string_view name, Value value) {
    symbols_.emplace(name, value);
    computed_.emplace(SymExpr::symbol(name), value);
    for (const auto& [symbol, range] : checked_) {
        if (symbol != name) continue;
        const SymExpr size = SymExpr::symbol(name);
        if (range.min == range.max) {
            require(size, "eq", range.min);
            continue;
        }
        if (range.min != ValueRange::no_min) require(size, "ge", range.min);
        if (range.max != ValueRange::no_max) require(size, "le", range.max);
    }
}

inline void SizeNodes::require(const SymExpr& a, std::string_view comparison, const SymExpr& b, std::string_view why) {
    if (a.is_constant() && b.is_constant()) return;
    if (a == b && (comparison == "eq" || comparison == "le" || comparison == "ge")) return;
    std::string message = detail::comparison_text(to_string(a), comparison, to_string(b));
    if (!made_checks_.insert(message).second) return;
    if (why.starts_with(message))  // of a program that is captured again
        message = why;
    else if (!why.empty())
        message += " (" + std::string(why) + ")";
    const Argument left = of(a), right = of(b);
    check(left, comparison, right, message);
}

inline void SizeNodes::check(const Argument& a, std::string_view comparison, const Argument& b,
                             const std::string& message) {
    const Value holds = graph_.new_value(comparison, {.name = {}, .kind = ValueKind::sym_bool});
    graph_.append("_operator::" + std::string(comparison), {{.name = "a", .value = a}, {.name = "b", .value = b}},
                  {{.values = {holds}}});
    graph_.append("aten::_assert_scalar",
                  {{.name = "self", .value = holds},
                   {.name = "assert_msg",
                    .value = "Runtime assertion failed for expression " + message + " on node '" +
                             graph_.info(holds).name + "'"}},
                  {});
}

inline void SizeNodes::tie(Value own, const std::string& name, const SymExpr& size) {
    if (!algo::all_of(free_symbols(size), [&](const auto& symbol) { return symbols_.contains(symbol); }))
        throw Error(ErrorKind::unsupported, "a size is stated in terms of values that come later: " + to_string(size),
                    {.where = {.stage = "dynamic shapes"}});
    if (!size.is_symbol()) computed_.erase(size);  // or it would be compared with itself
    check(own, "eq", of(size), detail::comparison_text(name, "eq", to_string(size)));
}

inline void SizeNodes::define(std::string_view name, Value tensor, std::size_t dim) {
    if (!symbols_.contains(name)) meet(name, read(tensor, dim, SymExpr::symbol(name)));
}

inline void SizeNodes::solve(const AffineSize& affine, Value size) {
    const SymExpr symbol = SymExpr::symbol(affine.symbol);
    const SymExpr multiple = symbol * SymExpr(affine.factor);
    Value value = size;
    if (affine.offset != 0) value = call("_operator::sub", "sub", {value, affine.offset}, multiple);
    if (affine.factor != 1) value = call("_operator::floordiv", "floordiv", {value, affine.factor}, symbol);
    meet(affine.symbol, value);
}

inline void SizeNodes::read_inputs() {
    const std::vector<Value> inputs(graph_.inputs().begin(), graph_.inputs().end());
    for (const Value input : inputs) {
        const ValueInfo info = graph_.info(input);
        if (info.kind == ValueKind::sym_int && info.symbol.is_symbol() && !symbols_.contains(info.symbol.name()))
            meet(info.symbol.name(), input);
        const auto& sizes = info.tensor.sizes;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim)
            if (sizes[dim].is_symbol()) define(sizes[dim].name(), input, dim);
    }
    for (const Value input : inputs) {  // symbols of which there are only multiples
        const auto sizes = graph_.info(input).tensor.sizes;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim)
            if (const auto affine = as_affine(sizes[dim]); affine && !symbols_.contains(affine->symbol))
                solve(*affine, read(input, dim, sizes[dim]));
    }
    for (const auto& [symbol, expected] : equal_) require(SymExpr::symbol(symbol), "eq", expected);
}

inline void SizeNodes::add_input(const std::string& symbol) {
    const SymExpr expression = SymExpr::symbol(symbol);
    const Value value = graph_.add_input(symbol, {.name = {}, .kind = ValueKind::sym_int, .symbol = expression});
    symbols_.emplace(symbol, value);
    computed_.emplace(expression, value);
}

inline void SizeNodes::read_result(Value result) {
    const ValueInfo info = graph_.info(result);
    const auto is_new = [&](const std::optional<AffineSize>& affine) {
        return affine && is_unbacked_name(affine->symbol) && !symbols_.contains(affine->symbol);
    };
    if (info.kind == ValueKind::sym_int && info.symbol.is_symbol()) meet(info.symbol.name(), result);
    if (info.kind == ValueKind::sym_int)
        if (const auto affine = as_affine(info.symbol); is_new(affine)) solve(*affine, result);
    for (std::size_t dim = 0; dim < info.tensor.sizes.size(); ++dim)
        if (const SymExpr& size = info.tensor.sizes[dim]; size.is_symbol())
            define(size.name(), result, dim);
        else if (const auto affine = as_affine(size); is_new(affine))
            solve(*affine, read(result, dim, size));
}

inline Value SizeNodes::call(std::string_view op, std::string_view name, std::vector<Argument> operands,
                             const SymExpr& result) {
    const Value value = append_function(graph_, op, name, std::move(operands),
                                        {.name = {}, .kind = ValueKind::sym_int, .symbol = result});
    computed_.emplace(result, value);
    return value;
}

inline Value SizeNodes::compute(const SymExpr& expression) {
    if (const auto known = computed_.find(expression); known != computed_.end()) return known->second;
    switch (expression.op()) {
        case SymOp::sum: return sum(expression);
        case SymOp::floor_div: return chain(expression, "_operator::floordiv", "floordiv");
        case SymOp::mod: return chain(expression, "_operator::mod", "mod");
        case SymOp::max: return chain(expression, "torch::sym_max", "sym_max");
        case SymOp::min: return chain(expression, "torch::sym_min", "sym_min");
        default:
            throw Error(ErrorKind::internal, "a size that no graph can compute",
                        {.where = {.stage = "dynamic shapes"}});
    }
}

/// Two operands at a time.
inline Value SizeNodes::chain(const SymExpr& expression, std::string_view op, std::string_view name) {
    Argument result = of(expression.args()[0]);
    SymExpr so_far = expression.args()[0];
    for (std::size_t i = 1; i < expression.args().size(); ++i) {
        const bool last = i + 1 == expression.args().size();
        so_far = last ? expression
                      : (op == "torch::sym_max" ? sym_max({so_far, expression.args()[i]})
                                                : sym_min({so_far, expression.args()[i]}));
        result = call(op, name, {result, of(expression.args()[i])}, so_far);
    }
    return *result.get_if<Value>();
}

inline Value SizeNodes::sum(const SymExpr& expression) {
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
            for (std::int32_t i = 0; i < factor.exponent; ++i) multiply(of(factor.base), factor.base);
        if (term.coefficient != 1) multiply(Argument(term.coefficient), SymExpr(term.coefficient));
        add(*product, meaning);
    }
    if (expression.value() != 0) add(Argument(expression.value()), SymExpr(expression.value()));
    return *sum->get_if<Value>();
}

}  // namespace ferry::capture
