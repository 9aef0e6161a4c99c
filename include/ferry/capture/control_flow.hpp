#pragma once

#include <ferry/capture/run_body.hpp>
#include <ferry/core/error.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>

#include <cstddef>
#include <cstdint>
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

class Tracer;

/// The capture that runs on this thread, if one does.
[[nodiscard]] Tracer* current_tracer();

[[nodiscard]] Tree record_cond(Tracer& tracer, const at::Tensor& predicate, const Tree& operands, const RunBody& then,
                               const RunBody& otherwise);
[[nodiscard]] Tree record_while_loop(Tracer& tracer, const Tree& carried, const RunBody& condition,
                                     const RunBody& body);
/// `run` takes the carry and one slice of each sequence; gives (carry, one slice of each output).
[[nodiscard]] Tree record_scan(Tracer& tracer, const Tree& initial, const Tree& sequences, const RunBody& run);
/// `run` takes one slice of each sequence; its results come back stacked.
[[nodiscard]] Tree record_map(Tracer& tracer, const Tree& sequences, const RunBody& run);

[[nodiscard]] std::vector<at::Tensor> tensors_of(const Tree& tree);
[[nodiscard]] Tree with_tensors(const TreeSpec& spec, std::span<const at::Tensor> tensors);

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

#ifndef FERRY_COMPILED
#include <ferry/capture/control_flow-inl.hpp>
#endif
