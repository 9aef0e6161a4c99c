#pragma once

#include <ferry/capture/body.hpp>
#include <ferry/core/error.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Control flow on the values of tensors. Outside a capture these run like the if or loop that they stand for; inside, both
/// branches or the body become graphs of the program.
namespace ferry {
namespace capture {

[[nodiscard]] inline Tree record_cond(Tracer& tracer, const at::Tensor& predicate, const Tree& operands,
                                      const RunBody& then, const RunBody& otherwise) {
    constexpr std::string_view op = "higher_order::cond";
    const auto given = tensors_of(operands);
    std::vector<Body> bodies;
    bodies.push_back(record_body(tracer, op, given, then));
    bodies.push_back(record_body(tracer, op, given, otherwise));
    require_same_outputs(bodies[0].output, bodies[1].output, op, "the results of the two branches of cond");
    ArgumentList all;
    for (const at::Tensor& each : given) all.emplace_back(tracer.value_of(each));
    for (Argument& outer : share_outer_tensors(tracer, bodies)) all.push_back(std::move(outer));
    const auto like = tensors_of(bodies[0].output);
    const auto results = tracer.call_higher_order(
        op, {tracer.value_of(predicate), Subgraph{0}, Subgraph{1}, std::move(all)},
        {std::make_shared<Trace>(std::move(bodies[0].trace)), std::make_shared<Trace>(std::move(bodies[1].trace))},
        like);
    return with_tensors(bodies[0].output.spec, results);
}

[[nodiscard]] inline Tree record_while_loop(Tracer& tracer, const Tree& carried, const RunBody& condition,
                                            const RunBody& body) {
    constexpr std::string_view op = "higher_order::while_loop";
    const auto given = tensors_of(carried);
    std::vector<Body> bodies;
    bodies.push_back(record_body(tracer, op, given, condition));
    bodies.push_back(record_body(tracer, op, given, body));
    require_same_outputs(carried, bodies[1].output, op, "what a while_loop carries and what its body returns");
    ArgumentList values;
    for (const at::Tensor& each : given) values.emplace_back(tracer.value_of(each));
    ArgumentList outer = share_outer_tensors(tracer, bodies);
    const auto results = tracer.call_higher_order(
        op, {Subgraph{0}, Subgraph{1}, std::move(values), std::move(outer)},
        {std::make_shared<Trace>(std::move(bodies[0].trace)), std::make_shared<Trace>(std::move(bodies[1].trace))},
        given);
    return with_tensors(carried.spec, results);
}

/// `run` takes the carry and one slice of each sequence; gives (carry, one slice of each output).
[[nodiscard]] inline Tree record_scan(Tracer& tracer, const Tree& initial, const Tree& sequences, const RunBody& run) {
    constexpr std::string_view op = "higher_order::scan";
    const auto carry = tensors_of(initial);
    const auto whole = tensors_of(sequences);
    std::vector<at::Tensor> like = carry;
    {
        const UntracedScope below;
        for (const at::Tensor& each : whole) like.push_back((each.is_meta() ? each : fake_like(each)).select(0, 0));
    }
    std::vector<Body> bodies;
    bodies.push_back(record_body(tracer, op, like, run));
    const TreeSpec spec = bodies[0].output.spec;
    const auto steps = tensors_of(bodies[0].output);
    const Tree next = with_tensors(spec.children().at(0), std::span(steps).first(carry.size()));
    require_same_outputs(initial, next, op, "what a scan carries and what its body returns");
    std::vector<at::Tensor> results(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(carry.size()));
    {
        const UntracedScope below;
        for (std::size_t i = carry.size(); i < steps.size(); ++i) {
            std::vector<std::int64_t> sizes = steps[i].sizes().vec();
            sizes.insert(sizes.begin(), whole.at(0).size(0));
            results.push_back(steps[i].new_empty(sizes));
        }
    }
    ArgumentList initial_values, sequence_values;
    for (const at::Tensor& each : carry) initial_values.emplace_back(tracer.value_of(each));
    for (const at::Tensor& each : whole) sequence_values.emplace_back(tracer.value_of(each));
    ArgumentList outer = share_outer_tensors(tracer, bodies);
    const auto made = tracer.call_higher_order(
        op, {Subgraph{0}, std::move(initial_values), std::move(sequence_values), std::move(outer)},
        {std::make_shared<Trace>(std::move(bodies[0].trace))}, results);
    return with_tensors(spec, made);
}

/// `run` takes one slice of each sequence; its results come back stacked.
[[nodiscard]] inline Tree record_map(Tracer& tracer, const Tree& sequences, const RunBody& run) {
    constexpr std::string_view op = "higher_order::map_impl";
    const auto whole = tensors_of(sequences);
    std::vector<at::Tensor> like;
    like.reserve(whole.size());
    {
        const UntracedScope below;
        for (const at::Tensor& each : whole) like.push_back((each.is_meta() ? each : fake_like(each)).select(0, 0));
    }
    std::vector<Body> bodies;
    bodies.push_back(record_body(tracer, op, like, run));
    std::vector<at::Tensor> results;
    {
        const UntracedScope below;
        for (const at::Tensor& each : tensors_of(bodies[0].output)) {
            std::vector<std::int64_t> sizes = each.sizes().vec();
            sizes.insert(sizes.begin(), whole.at(0).size(0));
            results.push_back(each.new_empty(sizes));
        }
    }
    ArgumentList values;
    for (const at::Tensor& each : whole) values.emplace_back(tracer.value_of(each));
    ArgumentList outer = share_outer_tensors(tracer, bodies);
    const auto made = tracer.call_higher_order(op, {Subgraph{0}, std::move(values), std::move(outer)},
                                               {std::make_shared<Trace>(std::move(bodies[0].trace))}, results);
    return with_tensors(bodies[0].output.spec, made);
}

namespace detail {

/// A body over C++ values as one over tensors.
template <class Parameters, class Function>
[[nodiscard]] RunBody as_body(Function& function, TreeSpec spec) {
    return [&function, spec = std::move(spec)](std::span<const at::Tensor> tensors) {
        return tree::flatten(std::apply(function, tree::unflatten<Parameters>(with_tensors(spec, tensors))));
    };
}

}  // namespace detail
}  // namespace capture

/// `predicate ? then(operands...) : otherwise(operands...)`, where both give the same kind of value.
template <class Then, class Else, class... Operands>
[[nodiscard]] auto cond(const at::Tensor& predicate, Then&& then, Else&& otherwise, const Operands&... operands) {
    using Result = std::remove_cvref_t<std::invoke_result_t<Then&, const Operands&...>>;
    static_assert(std::is_same_v<Result, std::remove_cvref_t<std::invoke_result_t<Else&, const Operands&...>>>,
                  "ferry: the branches of cond must return the same type");
    capture::Tracer* tracer = capture::current_tracer();
    if (tracer == nullptr) return predicate.item<bool>() ? Result(then(operands...)) : Result(otherwise(operands...));
    using Parameters = std::tuple<std::remove_cvref_t<Operands>...>;
    const Tree given = tree::flatten(Parameters(operands...));
    return tree::unflatten<Result>(capture::record_cond(*tracer, predicate, given,
                                                        capture::detail::as_body<Parameters>(then, given.spec),
                                                        capture::detail::as_body<Parameters>(otherwise, given.spec)));
}

/// `while (condition(carried...)) carried = body(carried...)`; the body returns a tuple of what is carried, of unchanging shapes.
template <class Condition, class Function, class... Carried>
[[nodiscard]] std::tuple<Carried...> while_loop(Condition&& condition, Function&& body, Carried... carried) {
    using State = std::tuple<Carried...>;
    static_assert(std::is_convertible_v<std::invoke_result_t<Function&, const Carried&...>, State>,
                  "ferry: the body of while_loop must return a tuple of what it carries");
    State state(std::move(carried)...);
    capture::Tracer* tracer = capture::current_tracer();
    if (tracer == nullptr) {
        while (std::apply(condition, state).template item<bool>()) state = std::apply(body, state);
        return state;
    }
    const Tree given = tree::flatten(state);
    return tree::unflatten<State>(capture::record_while_loop(*tracer, given,
                                                             capture::detail::as_body<State>(condition, given.spec),
                                                             capture::detail::as_body<State>(body, given.spec)));
}

/// Walks along the first dimension of the sequences: `body(carry, slice)` returns a pair of the next carry and an output; the outputs
/// come back stacked, beside the last carry.
template <class Function, class Carry, class Sequences>
[[nodiscard]] auto scan(Function&& body, Carry carry, const Sequences& sequences) {
    using Step = std::remove_cvref_t<std::invoke_result_t<Function&, const Carry&, const Sequences&>>;
    static_assert(
        requires(Step step) {
            step.first;
            step.second;
        }, "ferry: the body of scan must return a pair of the next carry and an output");
    capture::Tracer* tracer = capture::current_tracer();
    const Tree initial = tree::flatten(carry);
    const Tree whole = tree::flatten(sequences);
    if (tracer != nullptr) {
        const capture::RunBody run = [&](std::span<const at::Tensor> tensors) {
            const auto split = initial.leaves.size();
            return tree::flatten(
                body(tree::unflatten<Carry>(capture::with_tensors(initial.spec, tensors.first(split))),
                     tree::unflatten<Sequences>(capture::with_tensors(whole.spec, tensors.subspan(split)))));
        };
        return tree::unflatten<Step>(capture::record_scan(*tracer, initial, whole, run));
    }
    const auto tensors = capture::tensors_of(whole);
    std::vector<std::vector<at::Tensor>> outputs;
    TreeSpec output_spec;
    for (std::int64_t i = 0; i < tensors.at(0).size(0); ++i) {
        std::vector<at::Tensor> slices;
        slices.reserve(tensors.size());
        for (const at::Tensor& each : tensors) slices.push_back(each.select(0, i));
        Step step = body(std::as_const(carry), tree::unflatten<Sequences>(capture::with_tensors(whole.spec, slices)));
        carry = std::move(step.first);
        const Tree output = tree::flatten(step.second);
        output_spec = output.spec;
        const auto parts = capture::tensors_of(output);
        outputs.resize(parts.size());
        for (std::size_t k = 0; k < parts.size(); ++k) outputs[k].push_back(parts[k]);
    }
    if (outputs.empty())
        throw Error(ErrorKind::invalid_input, "scan over sequences of length zero",
                    {.hint = "its outputs would have no shape", .where = {.op = "higher_order::scan"}});
    std::vector<at::Tensor> stacked;
    stacked.reserve(outputs.size());
    for (const auto& parts : outputs) stacked.push_back(at::stack(parts));
    return Step{std::move(carry), tree::unflatten<decltype(Step::second)>(capture::with_tensors(output_spec, stacked))};
}

}  // namespace ferry
