#pragma once

#include <ferry/capture/build_graph.hpp>
#include <ferry/capture/libtorch.hpp>
#include <ferry/capture/module_names.hpp>
#include <ferry/capture/plan_shapes.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/capture/unbacked_ranges.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/passes/dead_code.hpp>
#include <ferry/graph/passes/linear.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/tree/inputs.hpp>

#include <c10/core/Layout.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// A placeholder's name, as torch.export derives it.
[[nodiscard]] inline std::string placeholder_name(std::string_view prefix, std::string_view path) {
    std::string name(prefix);
    for (const char c : path)
        name += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
    return name;
}

/// Inputs of the graph in torch.export's order: parameters, buffers, constants, then the user's.
class ProgramAssembler {
public:
    ProgramAssembler(const capture::Probed& probed, capture::GraphBuilder& builder, ExportedProgram& program)
        : probed_(probed), builder_(builder), program_(program) {}

    void add_state(const ModelState& state) {
        std::map<const void*, Value> lifted;
        for (const capture::Lifted& each : probed_.traces[0].lifted)
            lifted.emplace(each.tensor.unsafeGetTensorImpl(), each.value);
        add_named(state.parameters, InputKind::parameter, "p_", lifted);
        add_named(state.buffers, InputKind::buffer, "b_", lifted);
        add_named(state.constants, InputKind::constant_tensor, "c_", lifted);
        std::size_t count = 0;
        for (const capture::Lifted& each : probed_.traces[0].lifted) {
            if (seen_.contains(each.tensor.unsafeGetTensorImpl())) continue;
            std::string target;
            do target = "lifted_tensor_" + std::to_string(count++);
            while (algo::contains(program_.constants, target, &NamedTensors::value_type::first));
            add({.kind = InputKind::constant_tensor, .target = target}, "c_" + target, each.value);
            program_.constants.emplace_back(target, each.tensor.detach());
        }
    }

    void add_user_inputs(const std::vector<Leaf>& leaves, const std::vector<std::string>& paths) {
        std::size_t tensor = 0;
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            const std::string name = placeholder_name("", paths[i]);
            if (leaves[i].is_tensor() && leaves[i].tensor().defined()) {
                add({.kind = InputKind::user_input}, name, probed_.traces[0].inputs[tensor++], asked_sizes(i));
                continue;
            }
            InputSpec spec{.kind = InputKind::user_input, .argument = to_argument(leaves[i]), .name = name};
            if (!probed_.plan.sizes[i].empty()) {
                const auto asked = asked_sizes(i);
                const Value number =
                    builder_.add_number_input(name, asked.empty() ? probed_.plan.sizes[i][0] : asked[0]);
                spec.argument = number;
                spec.name = builder_.name_of(number);
            }
            program_.signature.inputs.push_back(std::move(spec));
        }
    }

    void add_outputs() {
        const capture::Trace& trace = probed_.traces[0];
        std::vector<Argument> outputs;
        // In the order of the inputs, as torch.export has them.
        std::vector<capture::Mutation> mutations = trace.mutations;
        algo::sort(mutations, {},
                   [&](const capture::Mutation& mutation) { return by_value_.at(mutation.before.index); });
        for (const capture::Mutation& mutation : mutations) {
            const InputSpec& input = *by_value_.at(mutation.before.index);
            const OutputKind kind = input.kind == InputKind::user_input  ? OutputKind::user_input_mutation
                                    : input.kind == InputKind::parameter ? OutputKind::parameter_mutation
                                                                         : OutputKind::buffer_mutation;
            outputs.emplace_back(builder_.of(mutation.after));
            program_.signature.outputs.push_back(
                {.kind = kind,
                 .argument = outputs.back(),
                 .target = kind == OutputKind::user_input_mutation ? input.name : input.target});
        }
        for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
            outputs.push_back(builder_.output(i));
            program_.signature.outputs.push_back({.kind = OutputKind::user_output, .argument = outputs.back()});
        }
        program_.graph = std::move(builder_).finish();
        program_.graph.set_outputs(std::move(outputs));
    }

    /// by_value_ points into the signature, which must not grow any more once outputs are looked up.
    void index_inputs() {
        for (const InputSpec& input : program_.signature.inputs)
            if (const auto found = traced_.find(input.name); found != traced_.end())
                by_value_[found->second.index] = &input;
    }

private:
    /// Where less holds than was asked for, the input is promised as it was asked for, and the graph checks the rest.
    [[nodiscard]] std::vector<SymExpr> asked_sizes(std::size_t leaf) const {
        std::vector<SymExpr> sizes = probed_.plan.sizes[leaf];
        bool differs = false;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim)
            if (const SymExpr& asked = probed_.asked.sizes[leaf][dim]; probed_.deferred.concerns(asked))
                sizes[dim] = asked, differs = true;
        return differs ? sizes : std::vector<SymExpr>();
    }

    void add(InputSpec spec, const std::string& name, Value traced, std::vector<SymExpr> sizes = {}) {
        spec.argument =
            sizes.empty() ? builder_.add_input(name, traced) : builder_.add_input(name, traced, std::move(sizes));
        spec.name = builder_.name_of(*spec.argument.get_if<Value>());
        traced_[spec.name] = traced;
        program_.signature.inputs.push_back(std::move(spec));
    }

    void add_named(const std::vector<std::pair<std::string, at::Tensor>>& named, InputKind kind,
                   std::string_view prefix, const std::map<const void*, Value>& lifted) {
        for (const auto& [target, tensor] : named) {
            if (!tensor.defined() || !seen_.insert(tensor.unsafeGetTensorImpl()).second)
                continue;  // tied: one input for all its names
            (kind == InputKind::constant_tensor ? program_.constants : program_.state).emplace_back(target, tensor);
            InputSpec spec{.kind = kind, .target = target};
            const std::string name = placeholder_name(prefix, target);
            if (const auto used = lifted.find(tensor.unsafeGetTensorImpl()); used != lifted.end()) {
                add(std::move(spec), name, used->second);
            } else {
                spec.argument = builder_.add_unused_input(name, tensor);
                spec.name = builder_.name_of(*spec.argument.get_if<Value>());
                program_.signature.inputs.push_back(std::move(spec));
            }
        }
    }

    const capture::Probed& probed_;
    capture::GraphBuilder& builder_;
    ExportedProgram& program_;
    std::set<const void*> seen_;
    std::map<std::string, Value> traced_;
    std::map<std::uint32_t, const InputSpec*> by_value_;
};

/// What the graph checks when it runs: numbers that depend on values, and sizes for which the model does not hold.
inline void add_checks(capture::GraphBuilder& builder, const capture::Probed& probed) {
    auto checked = capture::ranges_to_check(probed.plan, probed.traces[0]);
    for (const ProbeDim& asked : probed.asked.symbols)
        for (const ProbeDim& held : probed.plan.symbols)
            if (held.name == asked.name && probed.deferred.ranges.contains(held.name))
                checked.emplace_back(held.name, capture::beyond(asked.range, held.range));
    builder.check_ranges(std::move(checked));
    builder.check_equal(probed.deferred.equal);
}

[[nodiscard]] inline SymMap<ValueRange> promised_ranges(const capture::Probed& probed) {
    SymMap<ValueRange> ranges;
    for (const ProbeDim& symbol : probed.plan.symbols) ranges.set(symbol.name, symbol.range);
    for (const ProbeDim& asked : probed.asked.symbols)
        if (probed.deferred.concerns(SymExpr::symbol(asked.name))) ranges.set(asked.name, asked.range);
    return ranges;
}

/// What the program holds for only as long as nobody changes that tensor. Constants of a script are part of its code.
inline void note_fixed_values(ExportedProgram& program, const capture::Trace& trace,
                              const capture::GraphBuilder& builder, bool is_script) {
    for (const Value traced : trace.fixed)
        for (const InputSpec& input : program.signature.inputs) {
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr || *value != builder.of(traced)) continue;
            if (is_script && input.kind == InputKind::constant_tensor) continue;
            program.notes.push_back("the value of '" + input.target +
                                    "' is fixed in the program, since forward asks for it as a number");
        }
}

inline void refuse_sparse(const std::vector<Leaf>& leaves, const std::vector<std::string>& paths) {
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (leaves[i].is_tensor() && leaves[i].tensor().defined() && leaves[i].tensor().layout() != c10::kStrided)
            throw Error(ErrorKind::invalid_input, "an input is a sparse tensor, which a program cannot take",
                        {.hint = "pass it dense, or pass its indices and values", .where = {.path = paths[i]}});
}

}  // namespace detail

/// A program, and the runs that it was made from.
struct CapturedProgram {
    ExportedProgram program{};
    capture::Probed probed{};
};

/// What a capture is asked for; see DynamoConfig.
struct CaptureOptions {
    DynamicShapes shapes{};
    bool all_dynamic = false;
    bool defers_checks = false;
    bool ops_alone = false;  ///< the model is no code that may write to memory behind the ops' backs, but a program
    const capture::StatedSizes* stated = nullptr;  ///< what is known of sizes that depend on values
    std::vector<SymExpr> known_sizes{};  ///< expressions that the model is known to use for its sizes
    capture::LeftBehindWatch* watch = nullptr;
    Progress progress{};
};

/// Runs a model at several sizes and makes a program of what they have in common.
[[nodiscard]] inline CapturedProgram capture_program(const capture::RunModel& run, const Inputs& inputs,
                                                     const ModelState& state, const CaptureOptions& options,
                                                     capture::OpRules rules,
                                                     std::function<std::string()> running_module = {}) {
    capture::meet_libtorch();
    const capture::OutsideScope outside;
    const capture::ModuleCallsScope silent(nullptr);
    const Tree given = inputs.tree();
    const std::vector<std::string> paths = given.spec.leaf_paths();
    detail::refuse_sparse(given.leaves, paths);
    capture::ModuleNames names;
    for (const auto* named : {&state.parameters, &state.buffers})
        for (const auto& [name, tensor] : *named) names.add_tensor(tensor, name);
    for (const auto& [path, module] : state.modules) names.add_module(module, path);
    const bool is_script = running_module != nullptr;
    names.set_interpreter(std::move(running_module));
    capture::Session session(run, given.leaves, rules, std::move(names));
    session.set_ops_alone(options.ops_alone);
    session.set_watch(options.watch);
    std::vector<at::Tensor> buffers;
    buffers.reserve(state.buffers.size());
    for (const auto& [name, tensor] : state.buffers) buffers.push_back(tensor);
    const auto has_data = [](const auto& named) { return !named.second.defined() || !named.second.is_meta(); };
    session.set_state(std::move(buffers),
                      algo::all_of(state.parameters, has_data) && algo::all_of(state.buffers, has_data));
    if (options.stated != nullptr) session.set_stated(*options.stated);
    const capture::ShapeWishes wishes(
        options.shapes, paths,
        {.all_dynamic = options.all_dynamic, .defers = options.defers_checks, .known_sizes = options.known_sizes});
    capture::Probed probed = capture::ShapePlanner(session, wishes, options.progress).plan();
    capture::spread_modules(probed.traces[0], session.names());

    Fitter fitter(probed.plan.symbols, probed.points, options.known_sizes);
    capture::Unifier unifier(probed.traces, fitter);
    capture::GraphBuilder builder(unifier);
    ExportedProgram program;
    detail::ProgramAssembler assembler(probed, builder, program);
    assembler.add_state(state);
    assembler.add_user_inputs(given.leaves, paths);
    assembler.index_inputs();
    detail::add_checks(builder, probed);
    const std::size_t ops = probed.traces[0].ops.size();
    report(options.progress, {.stage = "graph", .done = 0, .total = ops});
    builder.build();
    detail::note_fixed_values(program, probed.traces[0], builder, is_script);
    assembler.add_outputs();
    remove_dead_code(program.graph);
    restore_linear(program.graph);
    program.renew_outputs();

    program.ranges = detail::promised_ranges(probed);
    for (const auto& [symbol, range] : probed.narrowed) program.narrowed.set(symbol, range);
    program.in_spec = TreeSpec::tuple({TreeSpec::tuple({}), given.spec});
    program.out_spec = probed.output.spec;
    program.example_inputs = given.leaves;
    program.notes.insert(program.notes.begin(), probed.notes.begin(), probed.notes.end());
    report(options.progress, {.stage = "graph", .done = ops, .total = ops});
    return {std::move(program), std::move(probed)};
}

}  // namespace ferry
