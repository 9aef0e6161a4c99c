#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/xnnpack/program_facts.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/program/example_sizes.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace ferry::executorch::xnnpack {
namespace detail {

inline void add_symbols(const Graph& graph, std::set<std::string>& symbols) {
    for (std::uint32_t i = 0; i < graph.num_values(); ++i)
        for (const SymExpr& size : graph.info({i}).tensor.sizes)
            if (!size.is_constant())
                for (const std::string& symbol : free_symbols(size)) symbols.insert(symbol);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) add_symbols(graph.subgraph({i}), symbols);
}

}  // namespace detail

FERRY_INLINE ProgramFacts::ProgramFacts(const ExportedProgram& program)
    : program_(program), sizes_(ferry::detail::sizes_of_example(program)) {
    std::set<std::string> symbols;
    detail::add_symbols(program.graph, symbols);
    for (const std::string& symbol : symbols) {
        if (sizes_.find(symbol) != nullptr) continue;
        constexpr std::int64_t usual = 8;
        const ValueRange* range = program.ranges.find(symbol);
        sizes_.set(symbol, range != nullptr ? std::clamp(usual, std::max<std::int64_t>(range->min, 1),
                                                         std::max<std::int64_t>(range->max, 1))
                                            : usual);
    }
    std::set<std::string_view> written;
    for (const OutputSpec& output : program.signature.outputs) written.insert(output.target);
    std::unordered_map<std::string_view, const at::Tensor*> tensors;
    for (const NamedTensors* named : {&program.state, &program.constants})
        for (const auto& [name, tensor] : *named) tensors.emplace(name, &tensor);
    for (const InputSpec& input : program.signature.inputs) {
        const auto* value = input.argument.get_if<Value>();
        if (input.kind == InputKind::user_input || value == nullptr || written.contains(input.target)) continue;
        if (const auto found = tensors.find(input.target); found != tensors.end())
            constants_.emplace(value->index, Constant{found->second, input.target});
    }
}

}  // namespace ferry::executorch::xnnpack
