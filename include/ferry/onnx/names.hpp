#pragma once

#include <ferry/onnx/ir/model.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/parameters.hpp>
#include <ferry/tree/spec.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

/// What the inputs and outputs of a model are called: after the paths in the user's trees.
namespace ferry::onnx {

struct InterfaceInput {
    std::string name{};
    std::string path{};  ///< what the user calls it: the same, but for what has one name on both sides
    std::size_t leaf = 0;  ///< of the inputs, flat
    bool is_complex = false;  ///< in the model pairs of numbers
};
/// An input that the program was captured for: not in the model.
struct FixedInput {
    std::string name{};
    std::size_t leaf = 0;
    Argument value{};
};
struct InterfaceOutput {
    std::string name{};
    ValueKind kind = ValueKind::tensor;
    bool is_complex = false;
    Argument constant{};
    bool is_constant = false;  ///< not in the model: always this
};
struct MutatedOutput {
    std::string name{};
    std::string target{};  ///< the input or buffer whose new value it is
    bool is_complex = false;
};

/// How a user's values meet a model's tensors.
struct Interface {
    std::vector<Parameter> parameters{};
    TreeSpec out_spec{};
    std::vector<InterfaceInput> inputs{};
    std::vector<FixedInput> fixed{};
    std::vector<std::string> weights{};  ///< further inputs, where weights are left out of the model
    std::vector<InterfaceOutput> outputs{};
    std::vector<MutatedOutput> mutated{};  ///< behind the outputs
};

/// ONNX names its values in one space: those that are only numbers say of what.
[[nodiscard]] inline std::string name_with_prefix(std::string name, std::string_view prefix) {
    if (name.empty()) return std::string(prefix);
    return name.front() >= '0' && name.front() <= '9' ? std::string(prefix).append(".").append(name) : name;
}

/// One for each leaf of the inputs: `input_ids`, `past_key_values.0.keys`.
[[nodiscard]] inline std::vector<std::string> input_names(const std::vector<Parameter>& parameters) {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters)
        for (const std::string& path : parameter.spec.leaf_paths()) {
            std::string& name = names.emplace_back(name_with_prefix(parameter.name, "input"));
            if (!path.empty()) name.append(".").append(path);
        }
    return names;
}

/// One for each leaf of the outputs: `logits`, `past_key_values.0.keys`; those without names of their own are `output.0`, or `output`.
[[nodiscard]] inline std::vector<std::string> output_names(const ExportedProgram& program) {
    std::vector<std::string> names = program.out_spec.leaf_paths();
    for (std::string& name : names) name = name_with_prefix(std::move(name), "output");
    return names;
}

/// What goes in and comes out again, a cache say, has one name on both sides: `input.<name>` and `output.<name>` in a model. Names of
/// what is not in it are empty.
inline void tell_apart(std::vector<std::string>& inputs, std::vector<std::string>& outputs) {
    const std::unordered_set<std::string> given(inputs.begin(), inputs.end());
    std::unordered_set<std::string> both;
    for (std::string& name : outputs)
        if (!name.empty() && given.contains(name)) {
            both.insert(name);
            name.insert(0, "output.");
        }
    for (std::string& name : inputs)
        if (both.contains(name)) name.insert(0, "input.");
}

/// An input of the graph by the name that the user has for it.
[[nodiscard]] inline std::string name_of_input(const ExportedProgram& program, std::string_view graph_name,
                                               const Interface& interface) {
    std::size_t leaf = 0;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind != InputKind::user_input) continue;
        if (input.name == graph_name)
            for (const InterfaceInput& each : interface.inputs)
                if (each.leaf == leaf) return each.path;
        ++leaf;
    }
    return std::string(graph_name);
}

/// Every value gets a name of its own. Inputs, outputs and weights keep theirs.
inline void name_values(Model& model) {
    std::unordered_set<std::string> taken;
    std::vector<bool> is_kept(model.num_values());
    const auto number = [&](const std::string& base) {
        std::string name = base;
        for (std::size_t i = 1; !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
        return name;
    };
    const auto keep = [&](Ref value) {
        if (is_kept[value.index]) return;
        is_kept[value.index] = true;
        model[value].name = number(model[value].name.empty() ? "value" : model[value].name);
    };
    for (const Ref each : model.main().inputs) keep(each);
    for (const Ref each : model.main().outputs) keep(each);
    for (std::uint32_t i = 0; i < model.num_values(); ++i)
        if (model[Ref{i}].constant.defined() && !model[Ref{i}].name.empty()) keep(Ref{i});
    for (std::uint32_t i = 0; i < model.num_values(); ++i) {
        if (is_kept[i]) continue;
        ValueData& value = model[Ref{i}];
        value.name = number(!value.name.empty() ? value.name
                                                : (value.constant.defined() ? "constant_" : "v") + std::to_string(i));
    }
}

}  // namespace ferry::onnx
