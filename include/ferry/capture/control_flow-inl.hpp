#pragma once

#include <ferry/capture/body.hpp>
#include <ferry/capture/control_flow.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/tracer.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

FERRY_INLINE Tracer* current_tracer() {
    OpHandler* const handler = TraceScope::current();
    return handler != nullptr && handler->records() ? static_cast<Tracer*>(handler) : nullptr;
}

FERRY_INLINE std::vector<at::Tensor> tensors_of(const Tree& tree) {
    std::vector<at::Tensor> tensors;
    tensors.reserve(tree.leaves.size());
    for (const Leaf& leaf : tree.leaves) tensors.push_back(leaf.tensor());
    return tensors;
}

FERRY_INLINE Tree with_tensors(const TreeSpec& spec, std::span<const at::Tensor> tensors) {
    return {spec, {tensors.begin(), tensors.end()}};
}

[[nodiscard]] inline ArgumentList values_of(Tracer& tracer, std::span<const at::Tensor> tensors) {
    ArgumentList values;
    for (const at::Tensor& each : tensors) values.emplace_back(tracer.value_of(each));
    return values;
}

[[nodiscard]] inline std::vector<std::shared_ptr<const Trace>> traces_of(std::vector<Body>& bodies) {
    std::vector<std::shared_ptr<const Trace>> traces;
    traces.reserve(bodies.size());
    for (Body& body : bodies) traces.push_back(std::make_shared<Trace>(std::move(body.trace)));
    return traces;
}

/// What a body takes of sequences at each step.
[[nodiscard]] inline std::vector<at::Tensor> slices_of(std::span<const at::Tensor> sequences) {
    const UntracedScope below;
    std::vector<at::Tensor> slices;
    slices.reserve(sequences.size());
    for (const at::Tensor& each : sequences) slices.push_back((each.is_meta() ? each : fake_like(each)).select(0, 0));
    return slices;
}

/// What becomes of a body's results when there is one for each step.
[[nodiscard]] inline std::vector<at::Tensor> stacked(std::span<const at::Tensor> steps,
                                                     const std::vector<at::Tensor>& sequences) {
    const UntracedScope below;
    std::vector<at::Tensor> whole;
    for (const at::Tensor& each : steps) {
        std::vector<std::int64_t> sizes = each.sizes().vec();
        sizes.insert(sizes.begin(), sequences.at(0).size(0));
        whole.push_back(each.new_empty(sizes));
    }
    return whole;
}

FERRY_INLINE Tree record_cond(Tracer& tracer, const at::Tensor& predicate, const Tree& operands, const RunBody& then,
                              const RunBody& otherwise) {
    constexpr std::string_view op = "higher_order::cond";
    const auto given = tensors_of(operands);
    std::vector<Body> bodies;
    for (const RunBody* branch : {&then, &otherwise}) bodies.push_back(record_body(tracer, op, given, *branch));
    require_same_outputs(bodies[0].output, bodies[1].output, op, "the results of the two branches of cond");
    ArgumentList all = values_of(tracer, given);
    for (Argument& outer : share_outer_tensors(tracer, bodies)) all.push_back(std::move(outer));
    const auto results =
        tracer.call_higher_order(op, {tracer.value_of(predicate), Subgraph{0}, Subgraph{1}, std::move(all)},
                                 traces_of(bodies), tensors_of(bodies[0].output));
    return with_tensors(bodies[0].output.spec, results);
}

FERRY_INLINE Tree record_while_loop(Tracer& tracer, const Tree& carried, const RunBody& condition,
                                    const RunBody& body) {
    constexpr std::string_view op = "higher_order::while_loop";
    const auto given = tensors_of(carried);
    std::vector<Body> bodies;
    for (const RunBody* part : {&condition, &body}) bodies.push_back(record_body(tracer, op, given, *part));
    require_same_outputs(carried, bodies[1].output, op, "what a while_loop carries and what its body returns");
    ArgumentList values = values_of(tracer, given);
    ArgumentList outer = share_outer_tensors(tracer, bodies);
    const auto results = tracer.call_higher_order(op, {Subgraph{0}, Subgraph{1}, std::move(values), std::move(outer)},
                                                  traces_of(bodies), given);
    return with_tensors(carried.spec, results);
}

FERRY_INLINE Tree record_scan(Tracer& tracer, const Tree& initial, const Tree& sequences, const RunBody& run) {
    constexpr std::string_view op = "higher_order::scan";
    const auto carry = tensors_of(initial);
    const auto whole = tensors_of(sequences);
    std::vector<at::Tensor> like = carry;
    for (at::Tensor& each : slices_of(whole)) like.push_back(std::move(each));
    std::vector<Body> bodies;
    bodies.push_back(record_body(tracer, op, like, run));
    const TreeSpec spec = bodies[0].output.spec;
    const auto steps = tensors_of(bodies[0].output);
    std::vector<at::Tensor> results(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(carry.size()));
    require_same_outputs(initial, with_tensors(spec.children().at(0), results), op,
                         "what a scan carries and what its body returns");
    for (at::Tensor& each : stacked(std::span(steps).subspan(carry.size()), whole)) results.push_back(std::move(each));
    ArgumentList initial_values = values_of(tracer, carry), sequence_values = values_of(tracer, whole);
    ArgumentList outer = share_outer_tensors(tracer, bodies);
    const auto made = tracer.call_higher_order(
        op, {Subgraph{0}, std::move(initial_values), std::move(sequence_values), std::move(outer)}, traces_of(bodies),
        results);
    return with_tensors(spec, made);
}

FERRY_INLINE Tree record_map(Tracer& tracer, const Tree& sequences, const RunBody& run) {
    constexpr std::string_view op = "higher_order::map_impl";
    const auto whole = tensors_of(sequences);
    std::vector<Body> bodies;
    bodies.push_back(record_body(tracer, op, slices_of(whole), run));
    const std::vector<at::Tensor> results = stacked(tensors_of(bodies[0].output), whole);
    ArgumentList values = values_of(tracer, whole);
    ArgumentList outer = share_outer_tensors(tracer, bodies);
    const auto made =
        tracer.call_higher_order(op, {Subgraph{0}, std::move(values), std::move(outer)}, traces_of(bodies), results);
    return with_tensors(bodies[0].output.spec, made);
}

}  // namespace ferry::capture
