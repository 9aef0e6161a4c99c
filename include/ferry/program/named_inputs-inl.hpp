#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/check_inputs.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/named_inputs.hpp>
#include <ferry/program/parameters.hpp>
#include <ferry/program/pick_inputs.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

FERRY_INLINE std::vector<InputSlot> input_slots(const ExportedProgram& program) {
    std::vector<InputSlot> slots;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind != InputKind::user_input) continue;
        InputSlot& slot = slots.emplace_back(InputSlot{.alias = input.name});
        if (const auto* value = input.argument.get_if<Value>()) {
            const ValueKind kind = program.graph.info(*value).kind;
            if (kind == ValueKind::tensor) continue;
            slot.kind = InputSlot::Kind::number;
            slot.type = kind == ValueKind::sym_int ? "int" : kind == ValueKind::sym_float ? "float" : "bool";
        } else {
            const Leaf fixed = to_leaf(input.argument);
            const bool is_number = !fixed.is_none() && fixed.kind() != Leaf::Kind::text;
            slot.kind = is_number ? InputSlot::Kind::number : InputSlot::Kind::fixed;
            slot.type = detail::python_type(fixed.kind());
            slot.note = "in the export " + detail::text_of(fixed);
        }
        slot.required = false;
    }
    std::size_t at = 0;
    for (const Parameter& parameter : parameters_of(program))
        for (const std::string& path : parameter.spec.leaf_paths())
            slots.at(at++).path = path.empty() ? parameter.name : parameter.name + "." + path;
    return slots;
}

namespace detail {

/// The number that an input was in the export.
[[nodiscard]] inline Leaf exported_number(const ExportedProgram& program, const ValueInfo& about, std::size_t leaf,
                                          const std::string& path) {
    if (leaf < program.example_inputs.size() && !program.example_inputs[leaf].is_tensor())
        return program.example_inputs[leaf];
    if (about.kind == ValueKind::sym_int && algo::all_of(free_symbols(about.symbol), [&](const auto& symbol) {
            return program.hints.find(symbol) != nullptr;
        }))
        return evaluate(about.symbol, program.hints);
    throw Error(ErrorKind::invalid_input, "this input is a number, and the file does not say what it was in the export",
                {.hint = "give it by name, as a tensor of one element", .where = {.path = path}});
}

}  // namespace detail

FERRY_INLINE std::vector<Leaf> leaves_from(const ExportedProgram& program, const NamedTensors& given) {
    const std::vector<InputSlot> slots = input_slots(program);
    const std::vector<at::Tensor> picked = pick_inputs(slots, given);
    std::vector<Leaf> leaves;
    leaves.reserve(slots.size());
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind != InputKind::user_input) continue;
        const std::size_t at = leaves.size();
        const auto* value = input.argument.get_if<Value>();
        if (slots[at].kind == InputSlot::Kind::tensor)
            leaves.emplace_back(picked[at]);
        else if (picked[at].defined())
            leaves.push_back(number_in(picked[at], slots[at].path));
        else if (value == nullptr)
            leaves.push_back(to_leaf(input.argument));
        else
            leaves.push_back(detail::exported_number(program, program.graph.info(*value), at, slots[at].path));
    }
    return leaves;
}

}  // namespace ferry
