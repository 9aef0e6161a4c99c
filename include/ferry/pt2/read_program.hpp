#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/verify.hpp>
#include <ferry/graph/verify_schema.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/pt2/read_graph.hpp>
#include <ferry/pt2/read_guards.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/read_symbols.hpp>
#include <ferry/pt2/schema.hpp>
#include <ferry/tree/spec_json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// models/<name>.json, without its tensors.
class ProgramReader {
public:
    explicit ProgramReader(const Parsed& json, ProvideOp provide = nullptr)
        : json_(json), module_(checked_module(json)), graph_(member(module_, "graph"), symbols_, provide) {}

    [[nodiscard]] ExportedProgram read() {
        ExportedProgram program;
        program.graph = graph_.read();
        const Parsed& signature = member(module_, "signature");
        for (const Parsed& each : list_of(member(signature, "input_specs")))
            program.signature.inputs.push_back(input(each, program.graph));
        for (const Parsed& each : list_of(member(signature, "output_specs")))
            program.signature.outputs.push_back(output(each));
        read_specs(program);
        program.ranges = SymbolReader::ranges(member(json_, "range_constraints"));
        program.takes_small_sizes = optional_member(member(module_, "metadata"), least_sizes_key) == nullptr;
        program.hints = symbols_.hints();
        check(program);
        if (const Parsed* guards = optional_member(json_, "guards_code")) {
            const GuardReader reader(program);
            for (const Parsed& guard : list_of(*guards))
                program.guards.push_back(reader.read(std::string(text_of(guard))));
        }
        return program;
    }

private:
    /// The version first: another one may have anything in it.
    [[nodiscard]] static const Parsed& checked_module(const Parsed& json) {
        const Parsed& version = member(json, "schema_version");
        check_version({integer_of(member(version, "major")), integer_of(member(version, "minor"))});
        return member(json, "graph_module");
    }

    [[nodiscard]] InputSpec lifted(InputKind kind, const Parsed& value, const char* target, const Graph& graph) {
        const Value found = graph_.find(text_of(member(member(value, "arg"), "name")));
        return {.kind = kind,
                .argument = found,
                .name = graph.info(found).name,
                .target = std::string(text_of(member(value, target)))};
    }

    [[nodiscard]] InputSpec input(const Parsed& json, const Graph& graph) {
        const auto [tag, value] = tagged_of(json);
        if (tag == "user_input") {
            InputSpec made{.kind = InputKind::user_input, .argument = graph_.argument(member(value, "arg"))};
            if (const auto* found = made.argument.get_if<Value>()) made.name = graph.info(*found).name;
            return made;
        }
        if (tag == "constant_input")
            return {.kind = InputKind::user_input,
                    .argument = graph_.argument(member(value, "value")),
                    .name = std::string(text_of(member(value, "name")))};
        if (tag == "parameter") return lifted(InputKind::parameter, value, "parameter_name", graph);
        if (tag == "buffer") {
            InputSpec made = lifted(InputKind::buffer, value, "buffer_name", graph);
            made.persistent = flag_of(member(value, "persistent"));
            return made;
        }
        if (tag == "tensor_constant") return lifted(InputKind::constant_tensor, value, "tensor_constant_name", graph);
        if (tag == "custom_obj" || tag == "token")
            throw Error(ErrorKind::unsupported,
                        "the program has a " + std::string(tag == "token" ? "token of side effects" : "custom object") +
                            " among its inputs");
        damaged("an input of the unknown kind '" + std::string(tag) + "'");
    }

    [[nodiscard]] OutputSpec output(const Parsed& json) {
        const auto [tag, value] = tagged_of(json);
        const auto mutation = [&](OutputKind kind, const char* target) -> OutputSpec {
            return {kind, graph_.find(text_of(member(member(value, "arg"), "name"))),
                    std::string(text_of(member(value, target)))};
        };
        if (tag == "user_output") return {OutputKind::user_output, graph_.argument(member(value, "arg"))};
        if (tag == "loss_output")
            return {OutputKind::loss_output, graph_.find(text_of(member(member(value, "arg"), "name")))};
        if (tag == "buffer_mutation") return mutation(OutputKind::buffer_mutation, "buffer_name");
        if (tag == "parameter_mutation") return mutation(OutputKind::parameter_mutation, "parameter_name");
        if (tag == "user_input_mutation") return mutation(OutputKind::user_input_mutation, "user_input_name");
        if (tag == "token" || tag == "gradient_to_parameter" || tag == "gradient_to_user_input")
            throw Error(ErrorKind::unsupported, "the program has an output of the kind " + std::string(tag));
        damaged("an output of the unknown kind '" + std::string(tag) + "'");
    }

    void read_specs(ExportedProgram& program) const {
        for (const Parsed& entry : list_of(member(module_, "module_call_graph"))) {
            if (!text_of(member(entry, "fqn")).empty()) continue;
            const Parsed& signature = member(entry, "signature");
            program.in_spec = tree::treespec_loads(text_of(member(signature, "in_spec")));
            program.out_spec = tree::treespec_loads(text_of(member(signature, "out_spec")));
            const auto& parts = program.in_spec.children();
            if (parts.size() != 2 || !parts[1].is_mapping())
                damaged("the tree of the inputs is not (positional, by name)");
            if (const Parsed* names = optional_member(signature, "forward_arg_names"))
                for (const Parsed& name : list_of(*names)) program.input_names.emplace_back(text_of(name));
            return;
        }
        damaged("the tree of the inputs is missing");
    }

    /// What everything that works on programs relies on.
    static void check(ExportedProgram& program) {
        std::vector<Value> wanted;
        std::size_t user_inputs = 0, user_outputs = 0;
        std::vector<std::string> names;
        for (const InputSpec& input : program.signature.inputs) {
            if (const auto* value = input.argument.get_if<Value>()) wanted.push_back(*value);
            if (input.kind == InputKind::user_input)
                ++user_inputs;
            else
                names.push_back(input.target);
        }
        if (!algo::equal(wanted, program.graph.inputs())) damaged("the signature has other inputs than the graph");
        if (user_inputs != program.in_spec.num_leaves())
            damaged("the tree of the inputs has another number of leaves than the signature");
        if (program.signature.outputs.size() != program.graph.outputs().size())
            damaged("the signature has other outputs than the graph");
        for (std::size_t i = 0; i < program.graph.outputs().size(); ++i) {
            const OutputSpec& output = program.signature.outputs[i];
            if (!(output.argument == program.graph.outputs()[i]))
                damaged("the signature has other outputs than the graph");
            if (output.kind == OutputKind::user_output) ++user_outputs;
            const bool is_state =
                output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation;
            if (is_state && !algo::contains(names, output.target))
                damaged("the signature changes a tensor that the program does not have", output.target);
        }
        if (user_outputs != program.out_spec.num_leaves())
            damaged("the tree of the outputs has another number of leaves than the signature");
        try {
            verify(program.graph);
            verify_schemas(program.graph, /*from_python=*/true);
        } catch (const Error& error) {
            throw Error(ErrorKind::bad_file, error.message(), {.where = error.where()});
        }
    }

    const Parsed& json_;
    const Parsed& module_;
    SymbolReader symbols_;
    GraphReader graph_;
};

}  // namespace ferry::pt2
