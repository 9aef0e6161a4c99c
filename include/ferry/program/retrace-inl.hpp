#pragma once

#include <ferry/capture/fakes/default_fakes.hpp>
#include <ferry/capture/op_classes.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/rules.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/capture_program.hpp>
#include <ferry/program/check_guards.hpp>
#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/decompositions/of_program.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace.hpp>
#include <ferry/program/retrace/ordinary_sizes.hpp>
#include <ferry/program/retrace/program_runner.hpp>
#include <ferry/program/retrace/settle_checks.hpp>
#include <ferry/program/retrace/settle_guards.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/alias.h>

#include <algorithm>
#include <exception>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::detail {

/// Composite ops that core ATen keeps whole, as Python's default table does; and those whose parts are a loop over a size, which
/// only a list can take apart. Packed sequences (*.data) are of lengths that stand in a tensor.
struct kept_whole {
    static constexpr auto target =
        op("aten::upsample_nearest2d.vec", "aten::upsample_bilinear2d.vec", "aten::_assert_tensor_metadata",
           "aten::lstm.input", "aten::lstm.data", "aten::gru.input", "aten::gru.data", "aten::rnn_tanh.input",
           "aten::rnn_tanh.data", "aten::rnn_relu.input", "aten::rnn_relu.data");
};

/// Composite ops that refuse tensors of different devices, as fakes and constants are.
struct of_one_device {
    static constexpr auto target = op("aten::stft", "aten::stft.center");
};

inline void take_apart(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, *stack);
}

inline void take_apart_on_fakes(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    for (c10::IValue& each : *stack)
        if (each.isTensor() && each.toTensor().defined() && !each.toTensor().is_meta())
            each = at::alias(each.toTensor());
    take_apart(op, keys, stack);
}

FERRY_INLINE capture::Kernel composite_decomposition(std::string_view name) {
    if (op_table<type_list<kept_whole>>::contains(name) || capture::class_of(name) != capture::OpClass::ordinary)
        return nullptr;
    const auto op = find_op(name);
    if (!op || !op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) return nullptr;
    return op_table<type_list<of_one_device>>::contains(name) ? &take_apart_on_fakes : &take_apart;
}

FERRY_INLINE capture::Kernel find_core_decomposition(std::string_view op) {
    const capture::Kernel listed =
        list_finder<core_aten_decompositions, capture::Kernel, capture::detail::bind_decomposition>::find(op);
    return listed != nullptr ? listed : composite_decomposition(op);
}

/// How many outputs the new program has in front of the old one's: what that wrote in place.
[[nodiscard]] inline std::size_t new_mutations(const ExportedProgram& made, const ExportedProgram& program) {
    if (made.signature.outputs.size() < program.signature.outputs.size())
        throw Error(ErrorKind::internal, "a decomposed program has fewer outputs than before");
    return made.signature.outputs.size() - program.signature.outputs.size();
}

/// What the old program's signature says beyond what a capture finds out. The graph's outputs are what they were, one for one, with
/// what was written in place in front of them.
inline void take_over_signature(ExportedProgram& made, const ExportedProgram& program) {
    const std::size_t first = new_mutations(made, program);
    const auto& outputs = program.signature.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        OutputSpec& output = made.signature.outputs[first + i];
        output.kind = outputs[i].kind;
        output.target = outputs[i].target;
        const auto same = std::span(made.signature.outputs).first(first);
        if (output.kind != OutputKind::user_output && algo::contains(same, output.target, &OutputSpec::target))
            throw Error(ErrorKind::unsupported, "the program writes to a tensor in place and returns its new value too",
                        {.where = {.path = output.target}});
    }
    for (InputSpec& input : made.signature.inputs) {  // buffers that are not saved
        if (input.kind != InputKind::buffer) continue;
        const auto old = algo::find_if(program.signature.inputs, [&](const InputSpec& each) {
            return each.kind == input.kind && each.target == input.target;
        });
        if (old == program.signature.inputs.end() || old->persistent) continue;
        input.persistent = false;
        const auto kept = algo::find(made.state, input.target, &NamedTensors::value_type::first);
        if (kept != made.state.end()) {
            made.constants.push_back(*kept);
            made.state.erase(kept);
        }
    }
    for (const auto& [symbol, range] : program.ranges)
        if (!is_unbacked_name(symbol) || made.ranges.find(symbol) != nullptr) made.ranges.set(symbol, range);
    made.narrowed = program.narrowed;
    made.takes_small_sizes = program.takes_small_sizes;
    made.guards = program.guards;
    made.hints = program.hints;
    made.input_names = program.input_names;
    made.in_spec = program.in_spec;
    made.out_spec = program.out_spec;
    made.example_inputs = program.example_inputs;
    made.notes = program.notes;
}

/// What is written to one tensor would have to be seen through the other.
inline void refuse_shared_writes(const ExportedProgram& made) {
    std::unordered_map<std::string_view, const at::Tensor*> tensors;
    for (const auto* named : {&made.state, &made.constants})
        for (const auto& [name, tensor] : *named) tensors.emplace(name, &tensor);
    for (const OutputSpec& output : made.signature.outputs) {
        const auto written = tensors.find(output.target);
        if (written == tensors.end() || written->second->nbytes() == 0 || written->second->is_meta()) continue;
        for (const InputSpec& input : made.signature.inputs) {
            const auto other = input.target == output.target ? tensors.end() : tensors.find(input.target);
            if (other == tensors.end() || other->second->is_meta() ||
                other->second->storage().data() != written->second->storage().data() ||
                !made.graph.is_used(*input.argument.get_if<Value>()))
                continue;
            throw Error(
                ErrorKind::unsupported,
                "the program writes to '" + output.target + "', which shares memory with '" + input.target + "'",
                {.hint = "give each its own memory before the export", .where = {.path = output.target}});
        }
    }
}

/// Of a program that is another one where sizes are small.
struct SmallSizesDiffer : Error {
    using Error::Error;
};

[[nodiscard]] inline std::string refusal_of(const std::string& symbol, std::int64_t size, const std::string& why) {
    return "the decomposed program does not hold where the program does: at " + symbol + " = " + std::to_string(size) +
           ", " + why;
}

/// Runs the new program, on fakes, at the sizes that were left out, or cut off: it must do so, and give what the old one says. Sizes
/// below its range, which Python's programs take unchecked, are refused from now on where it does not.
inline void check_other_sizes(ExportedProgram& made, ProgramRunner& old, const ExportedProgram& program,
                              const std::vector<Leaf>& leaves, const capture::Probed& probed,
                              const capture::StatedSizes& stated, capture::OpRules rules) {
    rules.patch = capture::OpRules{}.patch;
    ProgramRunner runner(made);
    const decomposed::RunningScope nodes(runner.watch(), runner.views());
    capture::Session session([&](const std::vector<Leaf>& given) { return runner.run(given); }, leaves, rules);
    capture::Session before([&](const std::vector<Leaf>& given) { return old.run(given); }, leaves, rules);
    session.set_ops_alone(true);
    before.set_ops_alone(true);
    before.set_stated(stated);
    capture::StatedSizes stated_again = stated;
    stated_again.of = runner.stated();
    session.set_stated(stated_again);
    const auto runs_before = [&](const ProbePoint& point) {
        try {
            static_cast<void>(before.run(probed.plan, point));
            return true;
        } catch (const std::exception&) {
            return false;
        }
    };
    const std::size_t first = new_mutations(made, program);
    /// What is wrong at a point; empty: nothing, or the old program does not run there.
    const auto difference_at = [&](const ProbePoint& point) -> std::string {
        if (!runs_before(point)) return {};
        const SymBindings sizes = probed.plan.bindings_at(point);
        if (algo::any_of(program.guards, [&](const Guard& guard) { return is_broken(guard, sizes); })) return {};
        Tree found;
        try {
            found = session.run(probed.plan, point).output;
        } catch (const Error& error) {
            return error.message();
        } catch (const c10::Error& error) {
            return error.what_without_backtrace();
        }
        for (std::size_t k = 0; k < program.graph.outputs().size(); ++k) {
            const auto* value = program.graph.outputs()[k].get_if<Value>();
            const Leaf& given = found.leaves.at(first + k);
            if (value == nullptr || !given.is_tensor() || !given.tensor().defined()) continue;
            const auto& wanted = program.graph.info(*value).tensor.sizes;
            for (std::size_t dim = 0; dim < wanted.size(); ++dim) {
                const bool known = algo::all_of(free_symbols(wanted[dim]),
                                                [&](const std::string& each) { return sizes.find(each) != nullptr; });
                if (known && evaluate(wanted[dim], sizes) != given.tensor().size(static_cast<std::int64_t>(dim)))
                    return "output " + std::to_string(k) + " has another size";
            }
        }
        return {};
    };
    for (std::size_t i = 0; i < probed.plan.symbols.size(); ++i) {
        const std::string& symbol = probed.plan.symbols[i].name;
        const ValueRange* range = program.ranges.find(symbol);
        if (range == nullptr || is_unbacked_name(symbol)) continue;
        if (runner.checks().symbols().contains(symbol) || old.checks().symbols().contains(symbol))
            continue;  // the program says for itself where it holds
        auto point = probed.sample_point();
        const auto refusal_at = [&](std::int64_t size) {
            point[i] = size;
            const std::string what = difference_at(point);
            return what.empty() ? what : refusal_of(symbol, size, what);
        };
        const ErrorDetails way_out{.hint = "export with a range that leaves this size out"};
        const ValueRange& held = probed.plan.symbols[i].range;
        if (held.max < range->max)
            if (const std::string why = refusal_at(held.max + 1); !why.empty())
                throw Error(ErrorKind::unsupported, why, way_out);
        point[i] = std::max<std::int64_t>(range->min, 0);
        if (range->min < held.min)
            if (const std::string why = refusal_at(point[i]); !why.empty())
                throw SmallSizesDiffer(ErrorKind::unsupported, why, way_out);
        while (made.takes_small_sizes && range->min <= 2 && --point[i] >= 0)
            made.takes_small_sizes = difference_at(point).empty();
    }
}

[[nodiscard]] inline std::set<std::string> ops_of(const Graph& graph) {
    std::set<std::string> ops;
    for (const Node& node : graph.nodes()) ops.emplace(node.op());
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) ops.merge(ops_of(graph.subgraph({i})));
    return ops;
}

[[nodiscard]] inline ExportedProgram retrace_at(const ExportedProgram& program, capture::OpRules rules,
                                                bool all_sizes) {
    // What is written into a part of a tensor would not be seen in the whole: a part of pairs is a copy.
    const bool pairs_numbers = rules.patch("complex::view_as_complex") != nullptr &&
                               has_complex_values(program.graph) && !writes(program.graph);
    ProgramRunner runner(program, pairs_numbers ? rules.patch : nullptr);
    std::set<std::string> checked = runner.checks().symbols();
    checked.merge(guarded_symbols(program));
    OrdinarySizes sizes(program, runner.checks(), checked, all_sizes);
    sizes.stated().of = runner.stated();
    const OrdinaryInputs ordinary(program, sizes);
    decomposed::CopiesNeeded copies;
    const decomposed::RunningScope nodes(runner.watch(), runner.views(), &copies);
    const auto run = [&](const std::vector<Leaf>& leaves) {
        copies.begin_run();
        Tree made = runner.run(leaves);
        if (copies.has_learnt()) throw capture::StartAgain{};
        return made;
    };
    const auto running_module = [&] {
        const Node* node = runner.watch().node;
        return std::string(node == nullptr ? "" : node->module_path());
    };
    CapturedProgram captured =
        capture_program(run, ordinary.named(), runner.state(),
                        // Where the program checks its sizes it stops at some of those that it promises to take.
                        {.shapes = ordinary.shapes(),
                         .defers_checks = true,
                         .ops_alone = true,
                         .stated = &sizes.stated(),
                         .known_sizes = known_sizes(program.graph)},
                        rules, running_module);
    take_over_signature(captured.program, program);
    refuse_shared_writes(captured.program);
    runner.stop_pairing();
    check_other_sizes(captured.program, runner, program, ordinary.leaves(), captured.probed, sizes.stated(), rules);
    return std::move(captured.program);
}

[[nodiscard]] inline ExportedProgram retrace_once(const ExportedProgram& program, capture::OpRules rules) {
    try {
        return retrace_at(program, rules, /*all_sizes=*/false);
    } catch (const SmallSizesDiffer&) {
        return retrace_at(program, rules, /*all_sizes=*/true);
    }
}

/// What an op writes in place inside of another one comes as an op of the new program, in turn to be taken apart.
FERRY_INLINE ExportedProgram retrace(const ExportedProgram& program, capture::OpRules rules) {
    const auto retraced = [&] {
        std::set<std::string> before = ops_of(program.graph);
        ExportedProgram made = retrace_once(settled(program), rules);
        for (;;) {
            std::set<std::string> now = ops_of(made.graph);
            const bool is_done = algo::none_of(
                now, [&](const std::string& op) { return !before.contains(op) && rules.patch(op) != nullptr; });
            if (is_done) return made;
            settle_checks(made);
            made = retrace_once(made, rules);
            before = std::move(now);
        }
    };
    return with_our_errors(retraced, [] { return nullptr; });
}

}  // namespace ferry::detail
