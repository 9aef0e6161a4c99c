#pragma once

#include <ferry/capture/fit.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

/// How runs at different sizes stop doing the same.
enum class Parting {
    other_steps,     ///< the model's code calls something else
    other_rank,      ///< an op returns tensors of another number of dimensions
    other_constant,  ///< a tensor that forward fills through its data pointer is another one
    fails,           ///< the model throws
};

/// Where runs at different sizes stop doing the same.
struct Divergence {
    std::size_t op = 0;       ///< position in the trace
    std::string name{};       ///< the op, in the first run
    std::string reason{};     ///< e.g. "the other run calls aten::cat"
    std::size_t run = 0;      ///< the first run that differs
    std::uint32_t memory = Lifted::not_made;  ///< of a tensor made by this call of empty()
    Parting how = Parting::other_steps;
    std::string_view module{};  ///< path of the module that calls the op, as far as known
};

/// In one line.
[[nodiscard]] inline std::string place_and_reason(const Divergence& why) {
    constexpr std::size_t most = 240;
    std::string reason = why.reason.substr(0, std::min(why.reason.find('\n'), most));
    return (why.name.empty() ? "" : "at " + why.name + ", ") + std::move(reason);
}

/// Where a run leaves the steps of another one, integers aside; nothing when it does not.
[[nodiscard]] std::optional<Divergence> compare_steps(const Trace& first, const Trace& other);

/// What stands for a number that is no integer and differs between runs.
struct RealSource {
    std::optional<Value> computed{};  ///< the runs have computed it,
    RealFit fit{};                    ///< or it follows from sizes
};

/// Ops whose number may be a tensor without dimensions instead: "aten::mul.Scalar" is "aten::mul.Tensor" then.
[[nodiscard]] inline bool has_tensor_form(std::string_view op) {
    for (const std::string_view base : {"aten::mul.", "aten::div.", "aten::add.", "aten::sub."})
        if (op.starts_with(base) && (op.substr(base.size()) == "Scalar" || op.substr(base.size()) == "Tensor"))
            return true;
    return false;
}

/// Runs of one model at different sizes, laid side by side.
class Unifier {
public:
    Unifier(std::vector<const Trace*> traces, Fitter& fitter)
        : traces_(std::move(traces)), fitter_(fitter), observed_(traces_.size()) {}
    Unifier(std::span<const Trace> traces, Fitter& fitter) : Unifier(pointers_to(traces), fitter) {}

    /// The same for the runs inside one op of these runs: a branch or body of a higher-order op.
    [[nodiscard]] Unifier inside(std::size_t op, std::size_t subtrace) const {
        std::vector<const Trace*> inner;
        inner.reserve(traces_.size());
        for (const Trace* trace : traces_) inner.push_back(trace->ops[op].subtraces[subtrace].get());
        return {std::move(inner), fitter_};
    }
    [[nodiscard]] const Trace& first() const noexcept { return *traces_[0]; }

    /// Where the runs part, if they do: other ops, or arguments that no expression over the sizes explains. The visitors are told of
    /// all numbers on the way, as those of for_each_number.
    template <class Visit, class VisitReal>
    [[nodiscard]] std::optional<Divergence> find_divergence(Visit&& visit, VisitReal&& visit_real);

    /// Whether some integer has more than one explanation so far: the fitter knows at which sizes they differ.
    [[nodiscard]] bool needs_more_points() const noexcept { return needs_more_points_; }

    /// What stands for an integer that `pick` finds in each run.
    template <class Pick>
    [[nodiscard]] SymExpr size(Pick&& pick) {
        bool same = true;
        for (std::size_t run = 0; run < traces_.size(); ++run) {
            observed_[run] = pick(*traces_[run]);
            same = same && observed_[run] == observed_[0];
        }
        if (same) return observed_[0];
        const Fit& fit = fitter_.fit(observed_);
        if (fit.status == FitStatus::none) throw Unexplained{};
        needs_more_points_ = needs_more_points_ || fit.status == FitStatus::needs_more_points;
        return fit.expr;
    }

    [[nodiscard]] std::vector<SymExpr> sizes(Value value) {
        return shape(value, [](const at::Tensor& t) { return t.sizes(); });
    }
    /// Of a value with these sizes. Empty where no expressions give them: nothing that a graph computes depends on strides.
    [[nodiscard]] std::vector<SymExpr> strides(Value value, const std::vector<SymExpr>& sizes);

    /// An integer argument of op `op`, found by walking the same way in every run.
    [[nodiscard]] SymExpr integer(std::size_t op, std::span<const std::size_t> path) {
        return size(
            [&](const Trace& trace) { return *walk(trace.ops[op].arguments, path).template get_if<std::int64_t>(); });
    }
    [[nodiscard]] SymExpr output_integer(std::span<const std::size_t> path) {
        return size([&](const Trace& trace) { return *walk(trace.outputs, path).template get_if<std::int64_t>(); });
    }
    /// What a size that op `op` was told is.
    [[nodiscard]] SymExpr told(std::size_t op, std::size_t which) {
        return size([&](const Trace& trace) { return trace.ops[op].told[which].number; });
    }
    /// The number, computed from sizes, that a floating-point argument is in every run; nothing for one that never changes.
    [[nodiscard]] std::optional<RealSource> real(std::size_t op, std::span<const std::size_t> path) const {
        const auto source =
            real([&](const Trace& trace) { return *walk(trace.ops[op].arguments, path).template get_if<double>(); });
        if (source && takes_tensor(*source) && !has_tensor_form(first().ops[op].name)) throw Unexplained{};
        return source;
    }
    [[nodiscard]] std::optional<RealSource> output_real(std::span<const std::size_t> path) const {
        const auto source =
            real([&](const Trace& trace) { return *walk(trace.outputs, path).template get_if<double>(); });
        if (source && takes_tensor(*source)) throw Unexplained{};
        return source;
    }

    /// Calls `visit` with every size and integer of the runs, as an expression; and `visit_real` with every other number: where it
    /// comes from, and what it is in the first run.
    template <class Visit, class VisitReal>
    void for_each_number(Visit&& visit, VisitReal&& visit_real);

private:
    struct Unexplained : std::exception {};

    [[nodiscard]] static const Argument& walk(const std::vector<Argument>& arguments,
                                              std::span<const std::size_t> path) {
        const Argument* at = &arguments[path[0]];
        for (const std::size_t step : path.subspan(1)) at = &(*at->get_if<ArgumentList>())[step];
        return *at;
    }

    /// No graph computes a logarithm of a size but with tensors.
    [[nodiscard]] static bool takes_tensor(const RealSource& source) {
        return !source.computed && source.fit.function == RealFunction::logarithm;
    }

    template <class Pick>
    [[nodiscard]] std::optional<RealSource> real(Pick&& pick) const {
        const auto is_everywhere = [&](auto&& number) {
            return algo::all_of(traces_, [&](const Trace* trace) {
                const double given = pick(*trace), found = number(*trace);
                return given == found || (std::isnan(given) && std::isnan(found));
            });
        };
        const double constant = pick(*traces_[0]);
        if (is_everywhere([&](const Trace&) { return constant; })) return std::nullopt;
        for (const Value value : traces_[0]->reals)
            if (is_everywhere([&](const Trace& trace) { return trace.values[value.index].real; }))
                return RealSource{.computed = value};
        std::vector<double> numbers;
        numbers.reserve(traces_.size());
        for (const Trace* trace : traces_) numbers.push_back(pick(*trace));
        if (auto found = fitter_.fit(numbers)) return RealSource{.fit = *std::move(found)};
        throw Unexplained{};
    }

    template <class Get>
    [[nodiscard]] std::vector<SymExpr> shape(Value value, Get&& get) {
        std::vector<SymExpr> made;
        const std::size_t rank = get(traces_[0]->values[value.index].tensor).size();
        made.reserve(rank);
        for (std::size_t dim = 0; dim < rank; ++dim)
            made.push_back(size([&](const Trace& trace) { return get(trace.values[value.index].tensor)[dim]; }));
        return made;
    }

    [[nodiscard]] static std::vector<const Trace*> pointers_to(std::span<const Trace> traces) {
        std::vector<const Trace*> pointers;
        for (const Trace& trace : traces) pointers.push_back(&trace);
        return pointers;
    }

    std::vector<const Trace*> traces_;
    Fitter& fitter_;
    std::vector<std::int64_t> observed_;
    std::size_t at_ = 0;  // the op that is looked at
    bool needs_more_points_ = false;
};

namespace detail {

/// Two runs each make their own, and whoever reads it reads that of the first run.
[[nodiscard]] inline bool same_constant(const at::Tensor& a, const at::Tensor& b) {
    if (a.is_same(b)) return true;
    if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
    if (a.is_meta() || b.is_meta() || a.numel() == 0) return true;
    if (!a.is_contiguous() || !b.is_contiguous() || !a.is_cpu() || !b.is_cpu())
        return a.const_data_ptr() == b.const_data_ptr();
    return std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

/// Whether a number may be a function of an input's sizes: of a size, one less or more, or the product of two.
[[nodiscard]] inline bool follows_from_sizes(double mine, double theirs, const Trace& first, const Trace& other) {
    const std::array both{mine, theirs};
    const double tolerance = ferry::detail::real_tolerance(both);
    const auto follows = [&](std::int64_t x, std::int64_t y) {
        return x != y && algo::any_of(real_functions, [&](RealFunction function) {
                   return ferry::detail::same_ratio(function, x, y, mine, theirs, tolerance);
               });
    };
    for (const Value input : first.inputs) {
        const auto a = first.values[input.index].tensor.sizes(), b = other.values[input.index].tensor.sizes();
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (follows(a[i], b[i]) || follows(a[i] - 1, b[i] - 1) || follows(a[i] + 1, b[i] + 1)) return true;
            for (std::size_t k = i + 1; k < a.size(); ++k)
                if (follows(a[i] * a[k], b[i] * b[k])) return true;
        }
    }
    return false;
}

/// What is different about an argument, if anything but an integer is, or a number that both runs have computed.
[[nodiscard]] inline std::string difference(const Argument& first, const Argument& other, const Trace& mine,
                                            const Trace& theirs) {
    if (first.variant().index() != other.variant().index()) return "an argument is of another kind";
    if (const auto* list = first.get_if<ArgumentList>()) {
        const auto& others = *other.get_if<ArgumentList>();
        if (list->size() != others.size())
            return "a list has " + std::to_string(others.size()) + " items instead of " + std::to_string(list->size());
        for (std::size_t i = 0; i < list->size(); ++i)
            if (std::string found = difference((*list)[i], others[i], mine, theirs); !found.empty()) return found;
        return {};
    }
    if (first.is<std::int64_t>() || first == other) return {};
    const auto* real = first.get_if<double>();
    if (real != nullptr && std::isnan(*real) && std::isnan(*other.get_if<double>())) return {};
    const bool computed =
        real != nullptr && algo::any_of(mine.reals, [&](Value value) {
            return mine.values[value.index].real == *real && theirs.values[value.index].real == *other.get_if<double>();
        });
    if (computed || (real != nullptr && follows_from_sizes(*real, *other.get_if<double>(), mine, theirs))) return {};
    if (real != nullptr)
        return "a floating-point argument is " + std::to_string(*other.get_if<double>()) + " instead of " +
               std::to_string(*real);
    return first.is<Value>() ? "another tensor is passed" : "an argument that is no size differs";
}

}  // namespace detail

inline std::vector<SymExpr> Unifier::strides(Value value, const std::vector<SymExpr>& sizes) {
    // Usually the same order of dimensions in all runs, each as far apart as the one within it is long, or a multiple of that where it
    // is part of something larger: then the sizes say it all. Where a dimension is 1 its stride says nothing.
    const at::Tensor& sample = traces_[0]->values[value.index].tensor;
    const bool is_same = algo::all_of(
        traces_, [&](const Trace* trace) { return trace->values[value.index].tensor.strides() == sample.strides(); });
    if (is_same) return {sample.strides().begin(), sample.strides().end()};
    std::vector<std::size_t> order(static_cast<std::size_t>(sample.dim()));
    for (std::size_t dim = 0; dim < order.size(); ++dim) order[dim] = dim;
    algo::stable_sort(order, [&](std::size_t a, std::size_t b) { return sample.strides()[a] > sample.strides()[b]; });
    std::vector<SymExpr> found(sizes.size());
    SymExpr next = 1;
    observed_.assign(traces_.size(), 1);  // what `next` is in each run
    const auto factor_of = [&](std::size_t dim) -> std::optional<std::int64_t> {
        std::optional<std::int64_t> factor;
        for (std::size_t run = 0; run < traces_.size(); ++run) {
            const at::Tensor& tensor = traces_[run]->values[value.index].tensor;
            if (tensor.sizes()[dim] == 1) continue;
            const std::int64_t stride = tensor.strides()[dim];
            if (!factor && stride % observed_[run] == 0) factor = stride / observed_[run];
            if (!factor || *factor * observed_[run] != stride) return std::nullopt;
        }
        return factor.value_or(1);
    };
    std::size_t left = order.size();
    for (; left > 0; --left) {
        const std::size_t dim = order[left - 1];
        const auto factor = factor_of(dim);
        if (!factor) break;
        found[dim] = *factor == 1 ? next : next * SymExpr(*factor);
        if (*factor == 0 || left == 1) continue;
        next = found[dim] * (sizes[dim].is_constant(0) ? SymExpr(1) : sizes[dim]);
        for (std::size_t run = 0; run < traces_.size(); ++run)
            observed_[run] *=
                *factor * std::max<std::int64_t>(traces_[run]->values[value.index].tensor.sizes()[dim], 1);
    }
    if (left == 0) return found;
    const bool needed = needs_more_points_;
    needs_more_points_ = false;
    std::vector<SymExpr> made;
    try {
        made = shape(value, [](const at::Tensor& t) { return t.strides(); });
        if (needs_more_points_) made.clear();
    } catch (const Unexplained&) {
        made.clear();
    }
    needs_more_points_ = needed;
    return made;
}

inline std::optional<Divergence> compare_steps(const Trace& first, const Trace& other) {
    for (std::size_t i = 0; i < first.ops.size(); ++i) {
        const TraceOp& mine = first.ops[i];
        const auto differs = [&](std::string reason) {
            return Divergence{
                .op = i, .name = std::string(mine.name), .reason = std::move(reason), .module = mine.module};
        };
        if (i >= other.ops.size()) return differs("the other run ends before it");
        const TraceOp& theirs = other.ops[i];
        if (theirs.name != mine.name) return differs("the other run calls " + std::string(theirs.name) + " instead");
        for (std::size_t k = 0; k < mine.subtraces.size(); ++k)
            if (auto inner = compare_steps(*mine.subtraces[k], *theirs.subtraces[k]))
                return differs("inside it, at " + inner->name + ", " + inner->reason);
        for (std::size_t k = 0; k < mine.arguments.size(); ++k)
            if (std::string found = detail::difference(mine.arguments[k], theirs.arguments[k], first, other);
                !found.empty())
                return differs(std::move(found));
        if (theirs.told.size() != mine.told.size()) return differs("another number of its sizes is known beforehand");
        for (std::size_t k = 0; k < mine.outputs.size(); ++k) {
            if (theirs.outputs[k].values.size() != mine.outputs[k].values.size())
                return differs("it returns another number of tensors");
            for (const Value value : mine.outputs[k].values)
                if (first.values[value.index].tensor.defined() &&
                    first.values[value.index].tensor.dim() != other.values[value.index].tensor.dim()) {
                    Divergence found = differs("its result has another number of dimensions");
                    found.how = Parting::other_rank;
                    return found;
                }
        }
    }
    const auto at_end = [&](std::string op, std::string reason) {
        return Divergence{.op = first.ops.size(), .name = std::move(op), .reason = std::move(reason)};
    };
    if (other.ops.size() > first.ops.size())
        return at_end(std::string(other.ops[first.ops.size()].name), "only the other run calls it");
    if (other.outputs.size() != first.outputs.size()) return at_end({}, "it returns another number of outputs");
    for (std::size_t i = 0; i < first.outputs.size(); ++i)
        if (std::string found = detail::difference(first.outputs[i], other.outputs[i], first, other); !found.empty())
            return at_end({}, "an output differs: " + found);
    for (std::size_t i = 0; i < first.lifted.size() && i < other.lifted.size(); ++i)
        if (!detail::same_constant(first.lifted[i].tensor, other.lifted[i].tensor)) {
            Divergence found = at_end({}, "a tensor that forward fills through its data pointer is another one");
            found.memory = first.lifted[i].memory;
            found.how = Parting::other_constant;
            return found;
        }
    return std::nullopt;
}

/// Whether the numbers of one op, or of the outputs behind the last, are others in another run.
[[nodiscard]] inline bool differs_at(const Trace& first, const Trace& other, std::size_t op) {
    if (op >= first.ops.size()) return first.outputs != other.outputs;
    if (first.ops[op].arguments != other.ops[op].arguments) return true;
    for (const Output& output : first.ops[op].outputs)
        for (const Value value : output.values)
            if (const at::Tensor& made = first.values[value.index].tensor;
                made.defined() && made.sizes() != other.values[value.index].tensor.sizes())
                return true;
    return false;
}

namespace detail {

/// Calls `visit` with every number of a run, in one order: `size` with each tensor, `integer` and `real` with the place of an argument
/// or an output (the op behind the last), `told` with each size that an op was told, `body` with each run inside an op.
template <class Visitor>
void walk_numbers(const Trace& trace, Visitor&& visit) {
    std::vector<std::size_t> path;
    const auto walk = [&](const auto& self, std::size_t op, const Argument& argument) -> void {
        if (const auto* number = argument.get_if<std::int64_t>()) visit.integer(op, path, *number);
        if (const auto* number = argument.get_if<double>()) visit.real(op, path, *number);
        if (const auto* list = argument.get_if<ArgumentList>())
            for (std::size_t i = 0; i < list->size(); ++i) {
                path.push_back(i);
                self(self, op, (*list)[i]);
                path.pop_back();
            }
    };
    for (const Value input : trace.inputs) visit.size(0, input);
    for (std::size_t at = 0; at < trace.ops.size(); ++at) {
        const TraceOp& op = trace.ops[at];
        for (std::size_t k = 0; k < op.subtraces.size(); ++k) visit.body(at, k);
        for (std::size_t i = 0; i < op.arguments.size(); ++i) {
            path.assign(1, i);
            walk(walk, at, op.arguments[i]);
        }
        for (std::size_t i = 0; i < op.told.size(); ++i) visit.told(at, i, op.told[i].number);
        for (const Output& output : op.outputs)
            for (const Value value : output.values)
                if (trace.values[value.index].kind == ValueKind::tensor) visit.size(at, value);
    }
    for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
        if (trace.outputs[i].is<ArgumentList>()) continue;
        path.assign(1, i);
        walk(walk, trace.ops.size(), trace.outputs[i]);
    }
}

}  // namespace detail

template <class Visit, class VisitReal>
void Unifier::for_each_number(Visit&& visit, VisitReal&& visit_real) {
    struct Visitor {
        Unifier& runs;
        Visit& visit;
        VisitReal& visit_real;
        using Path = std::vector<std::size_t>;

        [[nodiscard]] bool is_output(std::size_t op) const { return op == runs.first().ops.size(); }
        void size(std::size_t op, Value value) {
            runs.at_ = op;
            for (const SymExpr& each : runs.sizes(value)) visit(each);
        }
        void integer(std::size_t op, const Path& path, std::int64_t) {
            runs.at_ = op;
            visit(is_output(op) ? runs.output_integer(path) : runs.integer(op, path));
        }
        void real(std::size_t op, const Path& path, double number) {
            runs.at_ = op;
            visit_real(is_output(op) ? runs.output_real(path) : runs.real(op, path), number);
        }
        void told(std::size_t op, std::size_t which, std::int64_t) {
            runs.at_ = op;
            visit(runs.told(op, which));
        }
        void body(std::size_t op, std::size_t which) {
            runs.at_ = op;
            Unifier inner = runs.inside(op, which);
            inner.for_each_number(visit, visit_real);
            runs.needs_more_points_ = runs.needs_more_points_ || inner.needs_more_points_;
        }
    };
    detail::walk_numbers(first(), Visitor{*this, visit, visit_real});
}

template <class Visit, class VisitReal>
std::optional<Divergence> Unifier::find_divergence(Visit&& visit, VisitReal&& visit_real) {
    const Trace& first = *traces_[0];
    for (std::size_t run = 1; run < traces_.size(); ++run)
        if (auto found = compare_steps(first, *traces_[run])) {
            found->run = run;
            return found;
        }
    try {
        for_each_number(visit, visit_real);
    } catch (const Unexplained&) {
        std::string values;
        for (const std::int64_t number : observed_)
            values.append(values.empty() ? "" : ", ").append(std::to_string(number));
        return Divergence{.op = at_,
                          .name = at_ < first.ops.size() ? std::string(first.ops[at_].name) : "",
                          .reason = "no expression over the dynamic sizes gives the integers " + values};
    }
    return std::nullopt;
}

}  // namespace ferry::capture
