#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/control_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

inline const Graph& body_of(Translation& t, std::string_view name) {
    const Argument given = t.argument(name);
    const auto* body = given.get_if<Subgraph>();
    if (body == nullptr) t.refuse("the argument '" + std::string(name) + "' is no graph");
    return t.graph().subgraph(*body);
}
/// Tensors and sizes as they are in the graph: a size stays a tensor of one element.
inline std::vector<Ref> operands_of(Translation& t, std::string_view name) {
    std::vector<Ref> all;
    const Argument given = t.argument(name);
    if (const auto* list = given.get_if<ArgumentList>())
        for (const Argument& item : *list) {
            if (const auto* value = item.get_if<Value>())
                all.push_back(t.ref(*value));
            else if (const auto* number = item.get_if<std::int64_t>())
                all.push_back(t.ints({*number}));
            else
                t.refuse("an operand that is neither a tensor nor a size");
        }
    return all;
}
inline std::vector<DType> result_dtypes(Translation& t) {
    std::vector<DType> dtypes;
    dtypes.reserve(t.num_results());
    for (std::size_t i = 0; i < t.num_results(); ++i)
        dtypes.push_back(t.result_info(i).kind == ValueKind::tensor ? t.result_dtype(i) : DType::int64);
    return dtypes;
}
inline void set_results(Translation& t, const std::vector<Ref>& made) {
    for (std::size_t i = 0; i < t.num_results(); ++i) t.result(made[i], i);
}
/// A condition without dimensions.
inline Ref condition(Translation& t, Ref value) {
    return t.rank(value) == 0 ? t.cast(value, DType::boolean) : t.scalar_of(t.cast(value, DType::boolean));
}
/// An input of a body, like one of the graph that it is for.
inline Ref body_input(Translation& t, const Graph& graph, std::size_t position, DType dtype) {
    const ValueInfo& info = graph.info(graph.inputs()[position]);
    return t.add_body_input(
        {.name = {}, .dtype = dtype, .sizes = info.kind == ValueKind::tensor ? info.tensor.sizes : Sizes{1}});
}

FERRY_INLINE void cond::translate(Translation& t) {
    const Argument pred = t.argument("pred");
    if (pred.is<bool>()) t.refuse("a condition that is a constant");
    const Ref holds = condition(t, t.ref(*pred.get_if<Value>()));
    const std::vector<Ref> operands = operands_of(t, "operands");
    const auto branch = [&](std::string_view name) {
        return t.make_body(std::string(name), [&] {
            for (const Ref output : t.run(body_of(t, name), operands)) t.add_body_output(output);
        });
    };
    const BodyRef when_true = branch("true_fn"), when_false = branch("false_fn");
    set_results(
        t, t.add_typed("If", {holds}, {{"then_branch", when_true}, {"else_branch", when_false}}, result_dtypes(t)));
}

FERRY_INLINE void while_loop::translate(Translation& t) {
    const std::vector<Ref> carried = operands_of(t, "carried_inputs"), others = operands_of(t, "additional_inputs");
    const Graph &test = body_of(t, "cond_fn"), &step = body_of(t, "body_fn");
    const auto with_others = [&](std::vector<Ref> values) {
        values.insert(values.end(), others.begin(), others.end());
        return values;
    };
    const Ref start = condition(t, t.run(test, with_others(carried)).at(0));
    const BodyRef body = t.make_body("while_loop", [&] {
        t.add_body_input({.name = {}, .dtype = DType::int64, .sizes = Sizes()});
        t.add_body_input({.name = {}, .dtype = DType::boolean, .sizes = Sizes()});
        std::vector<Ref> given;
        given.reserve(carried.size());
        for (std::size_t i = 0; i < carried.size(); ++i) given.push_back(body_input(t, step, i, t.dtype(carried[i])));
        std::vector<Ref> next = t.run(step, with_others(given));
        for (std::size_t i = 0; i < next.size(); ++i) next[i] = t.cast(next[i], t.dtype(carried[i]));
        t.add_body_output(condition(t, t.run(test, with_others(next)).at(0)));
        for (const Ref value : next) t.add_body_output(value);
    });
    std::vector<Ref> inputs{Ref(), start};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    set_results(t, t.add_typed("Loop", std::move(inputs), {{"body", body}}, result_dtypes(t)));
}

/// Once for each row of `xs`, with what is carried from step to step.
inline void scanned(Translation& t, const Graph& step, const std::vector<Ref>& carried, const std::vector<Ref>& xs,
                    const std::vector<Ref>& others) {
    const BodyRef body = t.make_body("scan", [&] {
        std::vector<Ref> given;
        for (const auto* part : {&carried, &xs})
            for (const Ref each : *part) given.push_back(body_input(t, step, given.size(), t.dtype(each)));
        given.insert(given.end(), others.begin(), others.end());
        const std::vector<Ref> next = t.run(step, given);
        for (std::size_t i = 0; i < next.size(); ++i)
            t.add_body_output(i < carried.size() ? t.cast(next[i], t.dtype(carried[i])) : next[i]);
    });
    std::vector<Ref> inputs = carried;
    inputs.insert(inputs.end(), xs.begin(), xs.end());
    set_results(
        t, t.add_typed("Scan", std::move(inputs),
                       {{"body", body}, {"num_scan_inputs", static_cast<std::int64_t>(xs.size())}}, result_dtypes(t)));
}
FERRY_INLINE void scan::translate(Translation& t) {
    scanned(t, body_of(t, "combine_fn"), operands_of(t, "init"), operands_of(t, "xs"),
            operands_of(t, "additional_inputs"));
}
FERRY_INLINE void map::translate(Translation& t) {
    scanned(t, body_of(t, "f"), {}, operands_of(t, "xs"), operands_of(t, "pos_args"));
}

/// What only says how gradients or autocast are set: its body stands in its place.
FERRY_INLINE void wrapped_body::translate(Translation& t) {
    const bool is_call = t.node().op() == "higher_order::invoke_subgraph";
    std::vector<Ref> operands;
    for (const NamedArgument& each : t.node().arguments())
        if (const auto* value = each.value.get_if<Value>()) operands.push_back(t.ref(*value));
    set_results(t, t.run(body_of(t, is_call ? "subgraph" : "wrapped_func"), operands));
}

}  // namespace ferry::onnx::translated
