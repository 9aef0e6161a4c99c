#pragma once

#include <ferry/capture/fake.hpp>
#include <ferry/capture/run_body.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Branches and bodies of control flow, recorded as runs of their own inside the run of the model.
namespace ferry::capture {

struct Body {
    Trace trace{};
    Tree output{};  ///< its tensors are fake
};

/// Runs a body on fake tensors like `like`. Tensors from outside that it uses are its `lifted` ones.
[[nodiscard]] inline Body record_body(Tracer& outer, std::string_view op, std::span<const at::Tensor> like,
                                      const RunBody& run) {
    Tracer tracer = outer.nested();
    std::vector<at::Tensor> arguments;
    for (const at::Tensor& each : like) arguments.push_back(tracer.add_input(fake_like(each), outer.device_of(each)));
    Body body;
    {
        const TraceScope scope(tracer);
        body.output = run(arguments);
        for (const Leaf& leaf : body.output.leaves) {
            if (!leaf.is_tensor() || !leaf.tensor().defined())
                throw Error(ErrorKind::unsupported, "what a branch or body returns must be tensors",
                            {.where = {.op = std::string(op)}});
            tracer.add_output(leaf.tensor());
        }
    }
    body.trace = tracer.finish();
    if (!body.trace.mutations.empty())
        throw Error(ErrorKind::unsupported, "a branch or body writes in place to a tensor from outside",
                    {.hint = "return the new value and assign it outside", .where = {.op = std::string(op)}});
    for (const TraceValue& value : body.trace.values)
        if (value.kind == ValueKind::sym_int)
            throw Error(ErrorKind::unsupported, "a branch or body asks a tensor for its value",
                        {.where = {.op = std::string(op)}});
    return body;
}

/// Gives bodies the same further inputs: whatever any of them uses from outside. Their values outside come back.
[[nodiscard]] inline ArgumentList share_outer_tensors(Tracer& outer, std::span<Body> bodies) {
    std::vector<at::Tensor> used;
    for (const Body& body : bodies)
        for (const Lifted& lifted : body.trace.lifted)
            if (algo::none_of(used, [&](const at::Tensor& known) { return known.is_same(lifted.tensor); }))
                used.push_back(lifted.tensor);
    ArgumentList values;
    for (const at::Tensor& tensor : used) {
        values.emplace_back(outer.value_of(tensor));
        for (Body& body : bodies) {
            const auto found =
                algo::find_if(body.trace.lifted, [&](const Lifted& each) { return each.tensor.is_same(tensor); });
            if (found != body.trace.lifted.end()) {
                body.trace.inputs.push_back(found->value);
            } else {
                body.trace.values.push_back(
                    {.tensor = tensor.is_meta() ? tensor : fake_like(tensor), .device = tensor.device()});
                body.trace.inputs.push_back({static_cast<std::uint32_t>(body.trace.values.size() - 1)});
            }
        }
    }
    for (Body& body : bodies) body.trace.lifted.clear();
    return values;
}

/// Both must give the same kind of thing.
inline void require_same_outputs(const Tree& first, const Tree& second, std::string_view op, const std::string& what) {
    const auto refuse = [&](const std::string& how) {
        throw Error(ErrorKind::invalid_input, what + " differ in " + how, {.where = {.op = std::string(op)}});
    };
    if (!(first.spec == second.spec)) refuse("structure");
    for (std::size_t i = 0; i < first.leaves.size(); ++i) {
        const at::Tensor& a = first.leaves[i].tensor();
        const at::Tensor& b = second.leaves[i].tensor();
        if (a.scalar_type() != b.scalar_type()) refuse("the dtype of tensor " + std::to_string(i));
        if (a.sizes() != b.sizes()) refuse("the shape of tensor " + std::to_string(i));
    }
}

}  // namespace ferry::capture
