#pragma once

#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_map.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>

#include <string>
#include <unordered_map>

namespace ferry::executorch::xnnpack {

/// What of a program is known before it runs.
class ProgramFacts {
public:
    explicit ProgramFacts(const ExportedProgram& program);

    struct Constant {
        const at::Tensor* tensor = nullptr;
        std::string_view name{};
    };
    /// A tensor that no run changes; null where it may be another one.
    [[nodiscard]] Constant constant(const Graph& graph, Value value) const {
        if (&graph != &program_.graph) return {};
        const auto found = constants_.find(value.index);
        return found != constants_.end() ? found->second : Constant{};
    }
    /// The example's sizes, or some that could be.
    [[nodiscard]] const SymBindings& sizes() const noexcept { return sizes_; }
    [[nodiscard]] const SymRanges& ranges() const noexcept { return program_.ranges; }

private:
    const ExportedProgram& program_;
    std::unordered_map<std::uint32_t, Constant> constants_;
    SymBindings sizes_;
};

}  // namespace ferry::executorch::xnnpack

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/program_facts-inl.hpp>
#endif
