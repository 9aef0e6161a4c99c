#pragma once

#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_map.hpp>
#include <ferry/program/exported_program.hpp>

#include <cstddef>
#include <vector>

namespace ferry::detail {

/// What a program says of the sizes of an input: those of a tensor, or the one that an integer is.
[[nodiscard]] inline std::vector<SymExpr> sizes_of(const ExportedProgram& program, const InputSpec& input) {
    const auto* value = input.argument.get_if<Value>();
    if (value == nullptr) return {};
    const ValueInfo& info = program.graph.info(*value);
    return info.kind == ValueKind::tensor ? info.tensor.sizes : std::vector{info.symbol};
}

/// The symbols as they were in the export, as far as known.
[[nodiscard]] inline SymBindings sizes_of_example(const ExportedProgram& program) {
    SymBindings sizes = program.hints;
    std::size_t leaf = 0;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind != InputKind::user_input) continue;
        if (leaf == program.example_inputs.size()) break;
        const Leaf& example = program.example_inputs[leaf++];
        if (!example.is_tensor() || !example.tensor().defined()) continue;
        const auto expected = sizes_of(program, input);
        const auto given = example.tensor().sizes();
        for (std::size_t dim = 0; dim < expected.size() && dim < given.size(); ++dim)
            if (const auto affine = as_affine(expected[dim]))
                if (const auto solved = affine->solve(given[dim])) sizes.set(affine->symbol, *solved);
    }
    return sizes;
}

}  // namespace ferry::detail
