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

FERRY_INLINE Tree record_cond(Tracer& tracer, const at::Tensor& predicate, const Tree& operands, const RunBody& then,
                              const RunBody& otherwise) {
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

FERRY_INLINE Tree record_while_loop(Tracer& tracer, const Tree& carried, const RunBody& condition,
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

FERRY_INLINE Tree record_scan(Tracer& tracer, const Tree& initial, const Tree& sequences, const RunBody& run) {
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

FERRY_INLINE Tree record_map(Tracer& tracer, const Tree& sequences, const RunBody& run) {
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

}  // namespace ferry::capture
