#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/pick_inputs.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/spec.hpp>
#include <ferry/tree/tree.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// One of the values that a program is called with.
struct Parameter {
    std::string name{};
    TreeSpec spec{};
    bool is_none = false;  ///< it was None in the export, and may be left out
};

/// What a program is called with, in the order of its inputs: positional ones first. One that no signature names goes by the name
/// that the graph has for it, or by its position if it is nested.
[[nodiscard]] inline std::vector<Parameter> parameters_of(const ExportedProgram& program) {
    std::vector<Parameter> made;
    const auto& parts = program.in_spec.children();
    if (parts.size() != 2) return made;
    std::vector<const InputSpec*> leaves;
    for (const InputSpec& input : program.signature.inputs)
        if (input.kind == InputKind::user_input) leaves.push_back(&input);
    std::size_t leaf = 0;
    const auto add = [&](std::string name, const TreeSpec& spec) {
        const std::size_t end = std::min(leaf + spec.num_leaves(), leaves.size());
        if (name.empty()) name = spec.is_leaf() && leaf < end ? leaves[leaf]->name : std::to_string(made.size());
        bool is_none = leaf < end;
        for (; leaf < end; ++leaf) is_none = is_none && leaves[leaf]->argument.is_none();
        made.push_back({std::move(name), spec, is_none});
    };
    for (const TreeSpec& each : parts[0].children())
        add(made.size() < program.input_names.size() ? program.input_names[made.size()] : "", each);
    for (std::size_t i = 0; i < parts[1].children().size(); ++i) add(parts[1].child_name(i), parts[1].children()[i]);
    return made;
}

namespace detail {

/// Appends the leaves of `given` in the order of `wanted`; false when they are not nested alike. Keys decide in dicts, not their
/// order: a std::map sorts them, Python does not.
[[nodiscard]] inline bool append_in_order(const TreeSpec& wanted, const Tree& given, std::vector<Leaf>& leaves) {
    if (wanted == given.spec) {
        leaves.insert(leaves.end(), given.leaves.begin(), given.leaves.end());
        return true;
    }
    const bool by_key = wanted.kind() == TreeSpec::Kind::dict || wanted.kind() == TreeSpec::Kind::ordered_dict;
    if (wanted.kind() != given.spec.kind() || wanted.type() != given.spec.type() || wanted.is_leaf() ||
        wanted.children().size() != given.size() || (!by_key && !(wanted.context() == given.spec.context())))
        return false;
    const std::vector<Tree> children = given.children();
    for (std::size_t i = 0; i < children.size(); ++i) {
        std::size_t from = i;
        if (by_key) {
            const auto found = algo::find(given.spec.keys(), wanted.keys()[i]);
            if (found == given.spec.keys().end()) return false;
            from = static_cast<std::size_t>(found - given.spec.keys().begin());
        }
        if (!append_in_order(wanted.children()[i], children[from], leaves)) return false;
    }
    return true;
}

inline void append_argument(const Parameter& parameter, const Tree& given, std::vector<Leaf>& leaves) {
    if (append_in_order(parameter.spec, given, leaves)) return;
    throw Error(ErrorKind::invalid_input, "an input is not nested like that of the export",
                {.hint = "expected " + parameter.spec.str() + "\n  found " + given.spec.str(),
                 .where = {.path = parameter.name}});
}

inline void append_none(const Parameter& parameter, std::vector<Leaf>& leaves) {
    leaves.resize(leaves.size() + parameter.spec.num_leaves());
}

}  // namespace detail

/// The leaves of inputs that are given by name, in the program's order. Names decide, wherever they stand; all that are missing or
/// unknown are one Error.
[[nodiscard]] inline std::vector<Leaf> leaves_by_name(const std::vector<Parameter>& parameters, const Inputs& given) {
    detail::NameList missing, unknown, known;
    for (const Parameter& each : parameters) {
        known.add(each.name);
        if (!each.is_none && given.find(each.name) == nullptr) missing.add(each.name);
    }
    for (const auto& [name, value] : given)
        if (!algo::contains(parameters, name, &Parameter::name)) unknown.add(name);
    std::string wrong;
    for (const auto& [what, names] : {std::pair{"missing: ", &missing}, {"unknown: ", &unknown}})
        if (!names->empty()) wrong.append(wrong.empty() ? "" : "; ").append(what).append(names->text());
    if (!wrong.empty())
        throw Error(ErrorKind::invalid_input, "the inputs given are not those of the program; " + wrong,
                    {.hint = "its inputs are: " + (known.empty() ? "none" : known.text())});
    std::vector<Leaf> leaves;
    for (const Parameter& each : parameters)
        if (const Tree* value = given.find(each.name))
            detail::append_argument(each, *value, leaves);
        else
            detail::append_none(each, leaves);
    return leaves;
}

}  // namespace ferry
