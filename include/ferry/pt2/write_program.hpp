#pragma once

#include <ferry/capture/libtorch.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/pt2/json.hpp>
#include <ferry/pt2/schema.hpp>
#include <ferry/pt2/target_names.hpp>
#include <ferry/pt2/write_arguments.hpp>
#include <ferry/pt2/write_graph.hpp>
#include <ferry/pt2/write_symbols.hpp>
#include <ferry/tree/spec_json.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace ferry::pt2 {

/// models/<name>.json: graph, signature, tree specs and ranges.
class ProgramWriter {
public:
    explicit ProgramWriter(const ExportedProgram& program)
        : program_(program),
          targets_(program),
          symbols_(program),
          arguments_(program.graph, [](Subgraph) { return Json(); }) {}

    [[nodiscard]] Json write() const {
        Json graph_module = Json::object();
        graph_module.put("graph", GraphWriter(program_.graph, symbols_).write(graph_inputs()));
        graph_module.put("signature", Json{{"input_specs", inputs()}, {"output_specs", outputs()}});
        graph_module.put("module_call_graph",
                         Json::array_of(std::array{Json{{"fqn", ""}, {"signature", call_signature()}}}));
        graph_module.put("metadata", metadata());
        graph_module.put("treespec_namedtuple_fields", Json::object());
        Json made = Json::object();
        made.put("graph_module", graph_module);
        made.put("opset_version", Json{{"aten", 10}});
        made.put("range_constraints", symbols_.ranges(program_.ranges));
        made.put("schema_version", Json{{"major", schema_version.major}, {"minor", schema_version.minor}});
        made.put("verifiers", Json::array_of(std::array{"TRAINING"}));  // the dialect that allows all that ATen has
        made.put("torch_version", to_string(capture::libtorch_found));
        made.put("guards_code", guards());
        return made;
    }

    [[nodiscard]] const SymbolWriter& symbols() const noexcept { return symbols_; }
    [[nodiscard]] const TargetNames& targets() const noexcept { return targets_; }

private:
    [[nodiscard]] Json metadata() const {
        const bool matters = !program_.takes_small_sizes && algo::any_of(program_.ranges, [](const auto& each) {
            return each.second.min == 1 || each.second.min == 2;
        });
        return matters ? Json{{least_sizes_key, "checked"}} : Json::object();
    }

    [[nodiscard]] Json guards() const {
        Json made = Json::array();
        for (const Guard& guard : program_.guards) made.push_back(guard.text);
        return made;
    }

    [[nodiscard]] Json graph_inputs() const {
        Json made = Json::array();
        for (const InputSpec& input : program_.signature.inputs) made.push_back(arguments_.argument(input.argument));
        return made;
    }

    [[nodiscard]] Json by_name(const Argument& argument, std::string_view what) const {
        const auto* value = argument.get_if<Value>();
        if (value == nullptr)
            throw Error(ErrorKind::internal, "a part of the signature that must be a tensor is none",
                        {.where = {.path = std::string(what)}});
        return tagged("name", program_.graph.info(*value).name);
    }

    [[nodiscard]] Json input(const InputSpec& input) const {
        switch (input.kind) {
            case InputKind::user_input:
                if (input.argument.is<Value>())
                    return tagged("user_input", tagged("arg", arguments_.argument(input.argument)));
                return tagged("constant_input",
                              Json{{"name", input.name}, {"value", arguments_.argument(input.argument)}});
            case InputKind::parameter:
                return tagged("parameter", Json{{"arg", by_name(input.argument, input.target)},
                                                {"parameter_name", targets_(input.target)}});
            case InputKind::buffer:
                return tagged("buffer", Json{{"arg", by_name(input.argument, input.target)},
                                             {"buffer_name", targets_(input.target)},
                                             {"persistent", input.persistent}});
            case InputKind::constant_tensor:
                return tagged("tensor_constant", Json{{"arg", by_name(input.argument, input.target)},
                                                      {"tensor_constant_name", targets_(input.target)}});
            case InputKind::custom_object:
            case InputKind::token: break;
        }
        throw Error(ErrorKind::unsupported, "custom objects and effect tokens are not written to .pt2 files",
                    {.where = {.path = input.name}});
    }

    [[nodiscard]] Json output(const OutputSpec& output) const {
        const auto mutation = [&](const char* kind, const char* key, const std::string& target) {
            return tagged(kind, Json{{"arg", by_name(output.argument, output.target)}, {key, target}});
        };
        switch (output.kind) {
            case OutputKind::user_output:
                return tagged("user_output", tagged("arg", arguments_.argument(output.argument)));
            case OutputKind::loss_output: return tagged("loss_output", tagged("arg", by_name(output.argument, "loss")));
            case OutputKind::buffer_mutation:
                return mutation("buffer_mutation", "buffer_name", targets_(output.target));
            case OutputKind::parameter_mutation:
                return mutation("parameter_mutation", "parameter_name", targets_(output.target));
            case OutputKind::user_input_mutation:
                return mutation("user_input_mutation", "user_input_name", output.target);
            case OutputKind::token: break;
        }
        throw Error(ErrorKind::unsupported, "effect tokens are not written to .pt2 files");
    }

    [[nodiscard]] Json inputs() const {
        Json made = Json::array();
        for (const InputSpec& each : program_.signature.inputs) made.push_back(input(each));
        return made;
    }
    [[nodiscard]] Json outputs() const {
        Json made = Json::array();
        for (const OutputSpec& each : program_.signature.outputs) made.push_back(output(each));
        return made;
    }

    [[nodiscard]] Json call_signature() const {
        Json names;
        if (!program_.input_names.empty()) {
            names = Json::array_of(program_.input_names);
        } else if (program_.in_spec.children().size() == 2 && program_.in_spec.children()[0].children().empty()) {
            names = Json::array_of(program_.in_spec.children()[1].child_names());
        }
        return Json{{"inputs", Json::array()},
                    {"outputs", Json::array()},
                    {"in_spec", tree::treespec_dumps(program_.in_spec)},
                    {"out_spec", tree::treespec_dumps(program_.out_spec)},
                    {"forward_arg_names", names}};
    }

    const ExportedProgram& program_;
    TargetNames targets_;
    SymbolWriter symbols_;
    ArgumentWriter arguments_;
};

}  // namespace ferry::pt2
