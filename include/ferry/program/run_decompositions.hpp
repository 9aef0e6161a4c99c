#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/fakes/default_fakes.hpp>
#include <ferry/capture/op_classes.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/rules.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/capture_program.hpp>
#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// A program in terms of smaller ops: it is captured once more, by running it, with each op that is to go taken apart while
/// the tracer looks on.
namespace ferry {
namespace detail {

/// Composite ops that core ATen keeps whole, as Python's default table does; and those whose parts are a loop over a size.
struct kept_whole {
    static constexpr auto target =
        op("aten::upsample_nearest1d.vec", "aten::upsample_nearest2d.vec", "aten::upsample_nearest3d.vec",
           "aten::upsample_linear1d.vec", "aten::upsample_bilinear2d.vec", "aten::upsample_trilinear3d.vec",
           "aten::upsample_bicubic2d.vec", "aten::_assert_tensor_metadata", "aten::lstm.input", "aten::lstm.data",
           "aten::gru.input", "aten::gru.data", "aten::rnn_tanh.input", "aten::rnn_relu.input");
};

inline void take_apart(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, *stack);
}

/// For ops that libtorch itself defines by others, on all devices.
[[nodiscard]] inline const c10::KernelFunction* composite_decomposition(std::string_view name) {
    static const auto kernel = c10::KernelFunction::makeFromBoxedFunction<&take_apart>();
    if (op_table<type_list<kept_whole>>::contains(name) || capture::class_of(name) != capture::OpClass::ordinary)
        return nullptr;
    const auto op = find_op(name);
    return op && op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) ? &kernel : nullptr;
}

template <class Entry>
struct bind_decomposition {
    static constexpr capture::detail::Boxed value = &capture::detail::boxed<&Entry::decompose>;
};

template <class List>
[[nodiscard]] const c10::KernelFunction* find_decomposition(std::string_view op) {
    const c10::KernelFunction* listed = capture::detail::find_kernel<List, bind_decomposition>(op);
    return listed != nullptr ? listed : composite_decomposition(op);
}

/// What the program says of its inputs' sizes, in the words of an export.
[[nodiscard]] inline DynamicShapes shapes_of(const ExportedProgram& program, const std::vector<std::string>& paths) {
    DynamicShapes shapes;
    std::size_t leaf = 0;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind != InputKind::user_input) continue;
        const std::string& path = paths.at(leaf++);
        const auto* value = input.argument.get_if<Value>();
        if (value == nullptr) continue;
        const auto& sizes = program.graph.info(*value).tensor.sizes;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
            if (sizes[dim].is_constant()) continue;
            std::map<std::string, ValueRange> ranges;
            for (const std::string& symbol : free_symbols(sizes[dim])) {
                const ValueRange* range = program.ranges.find(symbol);
                ranges.emplace(symbol, range != nullptr ? *range : ValueRange::at_least(2));
            }
            shapes[path].emplace(static_cast<std::int64_t>(dim), Dim::of(sizes[dim], std::move(ranges)));
        }
    }
    return shapes;
}

[[nodiscard]] inline ModelState state_of_program(const ExportedProgram& program) {
    ModelState state;
    for (const InputSpec& input : program.signature.inputs)
        for (const auto* named : {&program.state, &program.constants})
            for (const auto& [name, tensor] : *named) {
                if (input.kind == InputKind::user_input || name != input.target) continue;
                if (input.kind == InputKind::parameter) state.parameters.emplace_back(name, tensor);
                if (input.kind == InputKind::buffer) state.buffers.emplace_back(name, tensor);
                if (input.kind == InputKind::constant_tensor) state.constants.emplace_back(name, tensor);
            }
    return state;
}

/// Everything that does not depend on the list.
[[nodiscard]] inline ExportedProgram retrace(const ExportedProgram& program, capture::OpRules rules) {
    if (program.graph.num_subgraphs() != 0)
        throw Error(ErrorKind::unsupported, "a program with control flow cannot be decomposed",
                    {.hint = "decompose before control flow comes in, or export without it"});
    for (const Node& node : program.graph.nodes()) {
        // A run at sizes that differ would say nothing of the check: it is a number by then.
        const auto* checked = node.op() == "aten::_assert_scalar" ? node.arguments()[0].value.get_if<Value>() : nullptr;
        const Node* made_by = checked != nullptr ? program.graph.info(*checked).producer : nullptr;
        if (made_by != nullptr && made_by->op() == "_operator::ne")
            throw Error(ErrorKind::unsupported, "a program that checks that sizes differ cannot be decomposed",
                        {.hint = "replace the model's question whether tensors are equal",
                         .where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
    }
    const TreeSpec& by_name = program.in_spec.children().at(1);
    if (program.example_inputs.size() != by_name.num_leaves())
        throw Error(ErrorKind::invalid_input,
                    "a program is decomposed by running it, and this one has no example inputs");
    const ModelState state = state_of_program(program);
    std::unordered_map<std::string, at::Tensor> tensors;
    for (const auto* named : {&state.parameters, &state.buffers, &state.constants})
        for (const auto& [name, tensor] : *named) tensors.emplace(name, tensor);

    const Interpreter interpreter(program.graph);
    const Node* running = nullptr;
    capture::RunModel run = [&](std::vector<Leaf> leaves) {
        std::vector<c10::IValue> values;
        std::size_t leaf = 0;
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input)
                values.emplace_back(tensors.at(input.target));
            else if (const Leaf& given = leaves.at(leaf++); input.argument.is<Value>())
                values.emplace_back(given.tensor());
        }
        std::vector<Tree> results;
        for (const c10::IValue& result : interpreter.run(values, &running)) results.emplace_back(to_leaf(result));
        running = nullptr;
        return Tree::list(std::move(results));
    };
    const auto inputs = tree::unflatten<Inputs>(Tree(by_name, program.example_inputs));
    // Where the program checks its sizes it stops at some of those that it promises to take: they are checked again.
    const CaptureOptions options{.shapes = shapes_of(program, by_name.leaf_paths()), .defers_checks = true};
    const auto running_module = [&] { return std::string(running == nullptr ? "" : running->module_path()); };
    ExportedProgram made = capture_program(run, inputs, state, options, rules, running_module).program;

    // The graph's outputs are what they were, one for one: so is what they mean.
    if (made.signature.outputs.size() != program.signature.outputs.size())
        throw Error(ErrorKind::internal, "a decomposed program has other outputs than before");
    for (std::size_t i = 0; i < made.signature.outputs.size(); ++i) {
        made.signature.outputs[i].kind = program.signature.outputs[i].kind;
        made.signature.outputs[i].target = program.signature.outputs[i].target;
    }
    for (InputSpec& input : made.signature.inputs) {  // buffers that are not saved
        if (input.kind != InputKind::buffer) continue;
        const auto old = std::ranges::find_if(program.signature.inputs, [&](const InputSpec& each) {
            return each.kind == input.kind && each.target == input.target;
        });
        if (old == program.signature.inputs.end() || old->persistent) continue;
        input.persistent = false;
        const auto kept = std::ranges::find(made.state, input.target, &NamedTensors::value_type::first);
        if (kept != made.state.end()) {
            made.constants.push_back(*kept);
            made.state.erase(kept);
        }
    }
    made.ranges = program.ranges;
    made.in_spec = program.in_spec;
    made.out_spec = program.out_spec;
    made.notes = program.notes;
    return made;
}

}  // namespace detail

template <class List, class Fakes>
ExportedProgram ExportedProgram::run_decompositions() const {
    static_assert(entry_list<List>, "ferry: run_decompositions takes a list, e.g. decompositions<my_silu>");
    static_assert(entry_list<Fakes>, "ferry: the second list of run_decompositions is one of fakes<...>");
    using AllFakes = concat_t<default_fakes, Fakes>;
    return detail::retrace(*this, {.fake = &capture::detail::find_kernel<AllFakes, capture::detail::bind_fake>,
                                   .patch = &detail::find_decomposition<List>});
}

}  // namespace ferry
