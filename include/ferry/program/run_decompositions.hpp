#pragma once

#include <ferry/capture/control_flow.hpp>
#include <ferry/capture/dim.hpp>
#include <ferry/capture/fakes/default_fakes.hpp>
#include <ferry/capture/op_classes.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/rules.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_call.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/capture_program.hpp>
#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/decompositions/of_program.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// A program in terms of smaller ops: it is captured once more, by running it, with each op that is to go taken apart while
/// the tracer looks on.
namespace ferry {
namespace detail {

/// Composite ops that core ATen keeps whole, as Python's default table does; and those whose parts are a loop over a size, which
/// only a list can take apart. Packed sequences (*.data) are of lengths that stand in a tensor.
struct kept_whole {
    static constexpr auto target =
        op("aten::upsample_nearest2d.vec", "aten::upsample_bilinear2d.vec", "aten::_assert_tensor_metadata",
           "aten::lstm.input", "aten::lstm.data", "aten::gru.input", "aten::gru.data", "aten::rnn_tanh.input",
           "aten::rnn_tanh.data", "aten::rnn_relu.input", "aten::rnn_relu.data");
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

/// Sizes to decompose a program at. It holds for all of its ranges already; what is small or just as large as something else
/// may take a way of its own through an op's parts (a view where there is a copy otherwise), so that is left out: the ordinary
/// way is right for all sizes.
class OrdinarySizes {
public:
    /// Symbols that the program checks stay as the example has them: there the checks hold.
    OrdinarySizes(const ExportedProgram& program, const std::set<std::string>& checked) {
        std::size_t leaf = 0;
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const Leaf& example = program.example_inputs.at(leaf++);
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr) continue;
            const auto& sizes = program.graph.info(*value).tensor.sizes;
            for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
                const auto symbols = free_symbols(sizes[dim]);
                for (const std::string& symbol : symbols) {
                    std::optional<std::int64_t> kept;
                    if (symbols.size() == 1 && checked.contains(symbol))
                        kept = capture::solve(sizes[dim], symbol, example.tensor().sizes()[dim]);
                    add(symbol, program.ranges.find(symbol), kept);
                }
            }
        }
    }

    [[nodiscard]] const std::map<std::string, ValueRange>& ranges() const noexcept { return ranges_; }
    [[nodiscard]] const SymBindings& sample() const noexcept { return sample_; }

private:
    void add(const std::string& symbol, const ValueRange* given, std::optional<std::int64_t> kept) {
        if (ranges_.contains(symbol)) return;
        ValueRange range = given != nullptr ? *given : ValueRange::at_least(2);
        constexpr std::int64_t least = 8, room = 24;
        if (!kept && range.max - room >= least) range.min = std::max(range.min, least);
        const auto step = static_cast<std::int64_t>(3 + 2 * ranges_.size());
        sample_.set(symbol, kept.value_or(std::min(range.min + step, range.max)));
        ranges_.emplace(symbol, range);
    }

    std::map<std::string, ValueRange> ranges_;
    SymBindings sample_;
};

/// The program's inputs at those sizes, with what it says of the sizes in the words of an export.
struct OrdinaryInputs {
    std::vector<Leaf> leaves{};
    DynamicShapes shapes{};

    OrdinaryInputs(const ExportedProgram& program, const OrdinarySizes& ordinary, const std::vector<std::string>& paths)
        : leaves(program.example_inputs) {
        std::size_t leaf = 0;
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const std::size_t at = leaf++;
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr) continue;
            const auto& sizes = program.graph.info(*value).tensor.sizes;
            std::vector<std::int64_t> concrete;
            concrete.reserve(sizes.size());
            for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
                concrete.push_back(evaluate(sizes[dim], ordinary.sample()));
                if (sizes[dim].is_constant()) continue;
                std::map<std::string, ValueRange> ranges;
                for (const std::string& symbol : free_symbols(sizes[dim]))
                    ranges.emplace(symbol, ordinary.ranges().at(symbol));
                shapes[paths.at(at)].emplace(static_cast<std::int64_t>(dim), Dim::of(sizes[dim], std::move(ranges)));
            }
            const at::Tensor& example = leaves[at].tensor();
            if (example.sizes() != at::IntArrayRef(concrete))
                leaves[at] =
                    Leaf(at::empty_strided(concrete, capture::strides_like(example, concrete), example.options()));
        }
    }
};

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

/// Control flow of a program that runs under a capture becomes control flow of the new program. Numbers among the operands
/// are sizes of this run: inside of a body they are found out anew.
[[nodiscard]] inline BoxedValues record_higher_order(std::string_view op, const std::vector<BoxedValues>& arguments,
                                                     const RunSubgraph& run) {
    capture::Tracer* tracer = capture::current_tracer();
    if (tracer == nullptr) return run_higher_order(op, arguments, run);
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
            return capture::record_cond(*tracer, arguments.at(0).at(0).toTensor(), operands,
                                        body(0, arguments.at(1), nothing, 0), body(1, arguments.at(1), nothing, 0));
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
        throw Error(ErrorKind::unsupported, "this higher-order op cannot be decomposed",
                    {.where = {.op = std::string(op)}});
    }();
    BoxedValues values;
    values.reserve(results.leaves.size());
    for (const Leaf& leaf : results.leaves) values.emplace_back(leaf.tensor());
    return values;
}

/// Sizes that a program compares before it goes on. Run under a capture they are mere numbers, so the capture is told.
class ProgramChecks {
public:
    explicit ProgramChecks(const ExportedProgram& program) { collect(program.graph); }

    /// Symbols that the checks are about.
    [[nodiscard]] const std::set<std::string>& symbols() const noexcept { return symbols_; }

    void meet(const Node& node, std::span<const SymNumber> numbers) const {
        const auto found = messages_.find(&node);
        capture::Tracer* tracer = capture::current_tracer();
        if (found == messages_.end() || tracer == nullptr) return;
        tracer->add_check(integer_of(numbers[0]), node.op().substr(node.op().find("::") + 2), integer_of(numbers[1]),
                          found->second);
    }

private:
    void collect(const Graph& graph) {
        for (const Node& node : graph.nodes()) {
            const auto* checked =
                node.op() == "aten::_assert_scalar" ? node.arguments()[0].value.get_if<Value>() : nullptr;
            if (checked == nullptr) continue;
            const Node* comparison = graph.info(*checked).producer;
            if (comparison == nullptr || !compares(*comparison))
                throw Error(ErrorKind::unsupported, "a program with a check that is no comparison cannot be decomposed",
                            {.where = {.op = comparison == nullptr ? "" : std::string(comparison->op()),
                                       .path = std::string(node.module_path())}});
            messages_.emplace(comparison, expression_of(node));
            for (const NamedArgument& argument : comparison->arguments())
                if (const auto* value = argument.value.get_if<Value>())
                    for (const std::string& symbol : free_symbols(graph.info(*value).symbol)) symbols_.insert(symbol);
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect(graph.subgraph({i}));
    }

    [[nodiscard]] static bool compares(const Node& node) {
        constexpr std::string_view comparisons[] = {"_operator::eq", "_operator::ne", "_operator::lt",
                                                    "_operator::le", "_operator::gt", "_operator::ge"};
        return std::ranges::find(comparisons, node.op()) != std::end(comparisons);
    }
    /// What the message says between torch.export's words.
    [[nodiscard]] static std::string expression_of(const Node& assertion) {
        const Argument* message = assertion.find("assert_msg");
        const auto* text = message == nullptr ? nullptr : message->get_if<std::string>();
        constexpr std::string_view before = "for expression ", after = " on node '";
        const auto start = text == nullptr ? std::string::npos : text->find(before);
        if (start == std::string::npos) return {};
        const auto end = text->rfind(after);
        const auto from = start + before.size();
        return text->substr(from, end == std::string::npos ? end : end - from);
    }

    std::unordered_map<const Node*, std::string> messages_;
    std::set<std::string> symbols_;
};

/// A program as a model: leaves in, what its graph returns out.
class ProgramRunner {
public:
    explicit ProgramRunner(const ExportedProgram& program)
        : program_(program), state_(state_of_program(program)), interpreter_(program.graph), checks_(program) {
        watch_.on_numbers = [this](const Node& node, std::span<const SymNumber> numbers) {
            checks_.meet(node, numbers);
        };
        for (const auto* named : {&state_.parameters, &state_.buffers, &state_.constants})
            for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
    }

    ProgramRunner(const ProgramRunner&) = delete;
    ProgramRunner& operator=(const ProgramRunner&) = delete;

    [[nodiscard]] const ModelState& state() const noexcept { return state_; }
    [[nodiscard]] const RunWatch& watch() const noexcept { return watch_; }
    [[nodiscard]] const ProgramChecks& checks() const noexcept { return checks_; }

    [[nodiscard]] Tree run(const std::vector<Leaf>& leaves) {
        std::vector<c10::IValue> values;
        values.reserve(program_.signature.inputs.size());
        std::size_t leaf = 0;
        for (const InputSpec& input : program_.signature.inputs) {
            if (input.kind != InputKind::user_input)
                values.emplace_back(tensors_.at(input.target));
            else if (const Leaf& given = leaves.at(leaf++); input.argument.is<Value>())
                values.emplace_back(given.tensor());
        }
        const auto found = interpreter_.run(values, &watch_);
        std::vector<Tree> results;
        results.reserve(found.size());
        for (const c10::IValue& each : found) results.emplace_back(to_leaf(each));
        watch_.node = nullptr;
        return Tree::list(std::move(results));
    }

private:
    const ExportedProgram& program_;
    ModelState state_;
    Interpreter interpreter_;
    ProgramChecks checks_;
    std::unordered_map<std::string, at::Tensor> tensors_;
    RunWatch watch_{.higher_order = &record_higher_order};
};

/// What the old program's signature says beyond what a capture finds out. The graph's outputs are what they were, one for one.
inline void take_over_signature(ExportedProgram& made, const ExportedProgram& program) {
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
    for (const auto& [symbol, range] : program.ranges) made.ranges.set(symbol, range);
    made.in_spec = program.in_spec;
    made.out_spec = program.out_spec;
    made.example_inputs = program.example_inputs;
    made.notes = program.notes;
}

/// Runs the new program, on fakes, at the sizes that were left out: it must do so, and give what the old one says that it gives.
inline void check_small_sizes(const ExportedProgram& made, const ExportedProgram& program,
                              const std::vector<Leaf>& leaves, const capture::Probed& probed, capture::OpRules rules) {
    rules.patch = capture::OpRules{}.patch;
    ProgramRunner runner(made);
    const decomposed::RunningScope nodes(runner.watch());
    capture::Session session([&](std::vector<Leaf> given) { return runner.run(given); }, leaves, rules);
    session.set_constants_stay_real(false);
    for (std::size_t i = 0; i < probed.plan.symbols.size(); ++i) {
        const std::string& symbol = probed.plan.symbols[i].name;
        const ValueRange* range = program.ranges.find(symbol);
        if (range == nullptr || range->min >= probed.plan.symbols[i].range.min || is_unbacked_name(symbol)) continue;
        if (runner.checks().symbols().contains(symbol)) continue;  // the program says for itself where it holds
        auto point = probed.sample_point();
        point[i] = std::max<std::int64_t>(range->min, 0);
        SymBindings sizes;
        for (std::size_t k = 0; k < point.size(); ++k) sizes.set(probed.plan.symbols[k].name, point[k]);
        const auto refuse = [&](const std::string& what) {
            throw Error(ErrorKind::unsupported,
                        "the decomposed program does not hold where the program does: at " + symbol + " = " +
                            std::to_string(point[i]) + ", " + what,
                        {.hint = "export with a range that leaves this size out"});
        };
        Tree found;
        try {
            found = session.run(probed.plan, point).output;
        } catch (const Error& error) {
            refuse(error.message());
        } catch (const c10::Error& error) {
            refuse(error.what_without_backtrace());
        }
        for (std::size_t k = 0; k < found.leaves.size(); ++k) {
            const auto* value = program.graph.outputs()[k].get_if<Value>();
            if (value == nullptr || !found.leaves[k].is_tensor() || !found.leaves[k].tensor().defined()) continue;
            const auto& wanted = program.graph.info(*value).tensor.sizes;
            for (std::size_t dim = 0; dim < wanted.size(); ++dim) {
                const bool known = std::ranges::all_of(
                    free_symbols(wanted[dim]), [&](const std::string& each) { return sizes.find(each) != nullptr; });
                if (known &&
                    evaluate(wanted[dim], sizes) != found.leaves[k].tensor().size(static_cast<std::int64_t>(dim)))
                    refuse("output " + std::to_string(k) + " has another size");
            }
        }
    }
}

[[nodiscard]] inline std::set<std::string> ops_of(const Graph& graph) {
    std::set<std::string> ops;
    for (const Node& node : graph.nodes()) ops.emplace(node.op());
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) ops.merge(ops_of(graph.subgraph({i})));
    return ops;
}

[[nodiscard]] inline ExportedProgram retrace_once(const ExportedProgram& program, capture::OpRules rules) {
    const TreeSpec& by_name = program.in_spec.children().at(1);
    if (program.example_inputs.size() != by_name.num_leaves())
        throw Error(ErrorKind::invalid_input,
                    "a program is decomposed by running it, and this one has no example inputs");
    ProgramRunner runner(program);
    const OrdinaryInputs ordinary(program, OrdinarySizes(program, runner.checks().symbols()), by_name.leaf_paths());
    const decomposed::RunningScope nodes(runner.watch());
    const auto inputs = tree::unflatten<Inputs>(Tree(by_name, ordinary.leaves));
    const auto running_module = [&] {
        const Node* node = runner.watch().node;
        return std::string(node == nullptr ? "" : node->module_path());
    };
    CapturedProgram captured =
        capture_program([&](std::vector<Leaf> leaves) { return runner.run(leaves); }, inputs, runner.state(),
                        // Where the program checks its sizes it stops at some of those that it promises to take.
                        {.shapes = ordinary.shapes, .defers_checks = true, .ops_alone = true}, rules, running_module);
    take_over_signature(captured.program, program);
    check_small_sizes(captured.program, program, ordinary.leaves, captured.probed, rules);
    return std::move(captured.program);
}

/// Everything that does not depend on the list. What an op writes in place inside of another one comes as an op of the new
/// program, in turn to be taken apart.
[[nodiscard]] inline ExportedProgram retrace(const ExportedProgram& program, capture::OpRules rules) {
    std::set<std::string> before = ops_of(program.graph);
    ExportedProgram made = retrace_once(program, rules);
    for (;;) {
        std::set<std::string> now = ops_of(made.graph);
        const bool is_done = std::ranges::none_of(
            now, [&](const std::string& op) { return !before.contains(op) && rules.patch(op) != nullptr; });
        if (is_done) return made;
        made = retrace_once(made, rules);
        before = std::move(now);
    }
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
