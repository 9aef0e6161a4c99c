#pragma once

#include <ferry/capture/fitting_points.hpp>
#include <ferry/capture/stated_sizes.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace/program_checks.hpp>
#include <ferry/program/retrace/settle_checks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a program states of sizes that depend on values, for a capture of the program.
namespace ferry::detail {

/// What the node that is up says of such a number: it is that of the program, or, where the op is only a part of what the node is
/// taken apart to, the one that the node brings in.
[[nodiscard]] inline std::optional<SymExpr> stated_size(const RunWatch& watch, std::string_view op,
                                                        std::span<const capture::ResultSize> places) {
    if (watch.node == nullptr) return std::nullopt;
    const Graph& graph = *watch.graph;
    const auto outputs = watch.node->outputs();
    const auto result = [&](std::size_t i) -> const ValueInfo* {
        return i < outputs.size() && !outputs[i].is_list && !outputs[i].values.empty()
                   ? &graph.info(outputs[i].values[0])
                   : nullptr;
    };
    if (watch.node->op() == op)
        for (const auto& [i, dim] : places)
            if (const ValueInfo* info = result(i); info != nullptr && dim < info->tensor.sizes.size())
                return info->tensor.sizes[dim];
    if (const ValueInfo* info = result(0); places.empty() && info != nullptr && info->kind == ValueKind::sym_int)
        return info->symbol;
    std::set<std::string> given;
    const auto each_size = [&](Value value, auto&& visit) {
        visit(graph.info(value).symbol);
        for (const SymExpr& size : graph.info(value).tensor.sizes) visit(size);
    };
    for (const NamedArgument& argument : watch.node->arguments())
        for_each_value(argument.value, [&](Value value) {
            each_size(value, [&](const SymExpr& size) {
                for (std::string& symbol : free_symbols(size)) given.insert(std::move(symbol));
            });
        });
    std::set<SymExpr> found;
    for (const Output& output : outputs)
        for (const Value value : output.values)
            each_size(value, [&](const SymExpr& size) {
                const bool is_new = algo::any_of(free_symbols(size), [&](const std::string& symbol) {
                    return is_unbacked_name(symbol) && !given.contains(symbol);
                });
                if (is_new) found.insert(size);
            });
    return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

/// Sizes of tensors that are no symbols must not be negative; nor, as ordinary sizes are, 0 or 1.
[[nodiscard]] inline std::vector<SymExpr> least_sizes(const Graph& graph, std::int64_t least) {
    std::set<SymExpr> sizes;
    for (std::uint32_t i = 0; i < graph.num_values(); ++i)
        for (const SymExpr& size : graph.info({i}).tensor.sizes)
            if (!size.is_symbol() &&
                algo::any_of(free_symbols(size), [](const auto& symbol) { return is_unbacked_name(symbol); }))
                sizes.insert(size);
    std::vector<SymExpr> conditions;
    conditions.reserve(sizes.size());
    for (const SymExpr& size : sizes) conditions.push_back(ge(size, SymExpr(least)));
    return conditions;
}

/// `sample` are sizes of the inputs; others are found where these do not go with what the program states.
[[nodiscard]] inline capture::StatedSizes stated_sizes(const ExportedProgram& program, const ProgramChecks& checks,
                                                       std::vector<ProbeDim> inputs, SymBindings& sample) {
    capture::StatedSizes stated{.unused = unused_symbol(program)};
    std::vector<ProbeDim> dims = std::move(inputs);
    const std::size_t of_inputs = dims.size();
    for (const std::string& symbol : unbacked_symbols(program.graph)) {
        const ValueRange* known = program.ranges.find(symbol);
        ValueRange range = known != nullptr ? *known : ValueRange{};
        if (range.max >= ValueRange::no_max - 1) range.max = ValueRange::no_max;
        stated.ranges.set(symbol, range);
        const ValueRange usual = intersect(range, ValueRange::at_least(0));
        if (!usual.empty()) range = usual;
        dims.push_back({symbol, range, std::clamp<std::int64_t>(2, range.min, range.max)});
    }
    ProbePoint point;
    for (const ProbeDim& dim : dims) point.push_back(dim.sample);
    std::vector<SymExpr> must = checks.conditions();
    for (const Guard& guard : program.guards) must.push_back(guard.condition);
    std::erase_if(must, [&](const SymExpr& condition) { return decide(condition, program.ranges) == true; });
    for (const std::int64_t least : {2, 0}) {
        stated.conditions = must;
        for (SymExpr& condition : least_sizes(program.graph, least)) stated.conditions.push_back(std::move(condition));
        const auto found = capture::FittingPoints(dims, stated.conditions).near(point);
        if (!found) continue;
        point = *found;
        break;
    }
    for (std::size_t i = 0; i < dims.size(); ++i) (i < of_inputs ? sample : stated.sample).set(dims[i].name, point[i]);
    return stated;
}

}  // namespace ferry::detail
