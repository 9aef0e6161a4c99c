#pragma once

#include <ferry/capture/autocast.hpp>
#include <ferry/capture/control_flow.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/run_higher_order.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::detail {

[[nodiscard]] inline std::vector<at::Tensor> tensors_among(const BoxedValues& values) {
    std::vector<at::Tensor> tensors;
    tensors.reserve(values.size());
    for (const c10::IValue& value : values)
        if (value.isTensor()) tensors.push_back(value.toTensor());
    return tensors;
}
[[nodiscard]] inline Tree tree_of(std::span<const at::Tensor> tensors) {
    std::vector<Tree> leaves;
    leaves.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) leaves.emplace_back(Leaf(tensor));
    return Tree::list(std::move(leaves));
}

/// The body's calls as autocast has them: what it casts becomes part of the graph.
[[nodiscard]] inline BoxedValues record_autocast(const std::vector<BoxedValues>& arguments, const RunSubgraph& run) {
    const auto device = c10::Device(arguments.at(0).at(0).toStringRef()).type();
    const c10::IValue& dtype = arguments.at(1).at(0);
    const capture::AutocastRegion region{.device = device,
                                         .dtype = dtype.isNone() ? at::autocast::get_autocast_dtype(device)
                                                                 : static_cast<c10::ScalarType>(dtype.toInt()),
                                         .enabled = arguments.at(2).at(0).toBool()};
    const capture::AutocastScope scope(&region);
    return run(0, from(arguments, 4));
}

/// Control flow of a program that runs under a capture becomes control flow of the new program. Numbers among the operands
/// are sizes of this run: inside of a body they are found out anew.
[[nodiscard]] inline BoxedValues record_higher_order(std::string_view op, const std::vector<BoxedValues>& arguments,
                                                     const RunSubgraph& run) {
    capture::Tracer* tracer = capture::current_tracer();
    if (tracer == nullptr) return run_higher_order(op, arguments, run);
    if (op == "higher_order::invoke_subgraph" || op == "higher_order::wrap_with_set_grad_enabled")
        return run_higher_order(op, arguments, run);  // without a trace of the wrapper
    if (op == "higher_order::wrap_with_autocast") return record_autocast(arguments, run);
    /// A body over tensors that fills in everything else as it was given outside, `carried` being what comes from the tensors.
    const auto body = [&](std::size_t which, const BoxedValues& carried, const BoxedValues& rest, std::size_t split) {
        return capture::RunBody([&run, which, &carried, &rest, split](std::span<const at::Tensor> tensors) {
            BoxedValues given;
            std::size_t next = 0;
            for (const c10::IValue& value : carried)
                given.push_back(value.isTensor() ? c10::IValue(tensors[next++]) : value);
            const auto results = tensors_among(run(which, joined(std::move(given), rest)));
            if (split == 0) return tree_of(results);
            const std::span<const at::Tensor> all(results);
            return Tree::tuple({tree_of(all.first(split)), tree_of(all.subspan(split))});
        });
    };
    const auto results = [&]() -> Tree {
        const BoxedValues nothing;
        if (op == "higher_order::cond") {
            const Tree operands = tree_of(tensors_among(arguments.at(1)));
            const c10::IValue& predicate = arguments.at(0).at(0);
            if (!predicate.isTensor())
                throw Error(ErrorKind::unsupported, "a branch that is chosen by sizes cannot be decomposed",
                            {.hint = "export with a tensor as the predicate", .where = {.op = std::string(op)}});
            return capture::record_cond(*tracer, predicate.toTensor(), operands, body(0, arguments.at(1), nothing, 0),
                                        body(1, arguments.at(1), nothing, 0));
        }
        if (op == "higher_order::while_loop") {
            const Tree carried = tree_of(tensors_among(arguments.at(0)));
            return capture::record_while_loop(*tracer, carried, body(0, arguments.at(0), arguments.at(1), 0),
                                              body(1, arguments.at(0), arguments.at(1), 0));
        }
        if (op == "higher_order::scan") {
            const BoxedValues slices = joined(arguments.at(0), arguments.at(1));
            const auto initial = tensors_among(arguments.at(0)), sequences = tensors_among(arguments.at(1));
            return capture::record_scan(*tracer, tree_of(initial), tree_of(sequences),
                                        body(0, slices, arguments.at(2), initial.size()));
        }
        if (op == "higher_order::map_impl") {
            const auto sequences = tensors_among(arguments.at(0));
            return capture::record_map(*tracer, tree_of(sequences), body(0, arguments.at(0), arguments.at(1), 0));
        }
        throw Error(ErrorKind::unsupported, "this higher-order op cannot be decomposed",
                    {.where = {.op = std::string(op)}});
    }();
    BoxedValues values;
    values.reserve(results.leaves.size());
    for (const Leaf& leaf : results.leaves) values.emplace_back(leaf.tensor());
    return values;
}

}  // namespace ferry::detail
