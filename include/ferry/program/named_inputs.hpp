#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/program/pick_inputs.hpp>
#include <ferry/tree/leaf.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace ferry {
namespace detail {

[[nodiscard]] constexpr std::string_view python_type(Leaf::Kind kind) noexcept {
    constexpr std::string_view names[] = {"None", "bool", "int", "float", "str", "Tensor"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace detail

/// What the user may give, in the order of the program's inputs.
[[nodiscard]] std::vector<InputSlot> input_slots(const ExportedProgram& program);

/// What ProgramModule::run takes, from tensors by name or position. An input that is no tensor is what it was in the export,
/// unless a tensor of one element is given under its name.
[[nodiscard]] std::vector<Leaf> leaves_from(const ExportedProgram& program, const NamedTensors& given);

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/named_inputs-inl.hpp>
#endif
