#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/core/log.hpp>
#include <ferry/executorch/largest_size.hpp>
#include <ferry/executorch/size_limits.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/program/example_sizes.hpp>
#include <ferry/program/exported_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ferry::executorch {
namespace detail {

inline constexpr std::int64_t usual_limit = 1024;
inline constexpr std::int64_t small_limit = 64;
inline constexpr std::int64_t batch_limit = 8;
inline constexpr std::uint64_t large_tensor = 64U << 20U;
inline constexpr std::uint64_t huge_tensor = 1U << 30U;
inline constexpr std::uint64_t impossible_tensor = std::uint64_t{8} << 30U;

/// Of the largest tensor.
[[nodiscard]] inline std::uint64_t most_bytes(const Graph& graph, const SymRanges& limits) {
    std::uint64_t most = 0;
    const auto look_at = [&](Value value) {
        const ValueInfo& info = graph.info(value);
        if (info.kind != ValueKind::tensor) return;
        double bytes = ferry::info(info.tensor.dtype).bytes;
        bool is_dynamic = false;
        for (const SymExpr& size : info.tensor.sizes) {
            bytes *= static_cast<double>(largest_size(size, limits));
            is_dynamic = is_dynamic || !size.is_constant();
        }
        if (is_dynamic) most = std::max(most, static_cast<std::uint64_t>(std::min(bytes, 1e18)));
    };
    for (const Value input : graph.inputs()) look_at(input);
    for (const Node& node : graph.nodes())
        for (const Output& output : node.outputs())
            for (const Value value : output.values) look_at(value);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
        most = std::max(most, most_bytes(graph.subgraph({i}), limits));
    return most;
}

/// Symbols that stand in a graph's shapes.
inline void collect_symbols(const Graph& graph, std::set<std::string>& symbols) {
    const auto look_at = [&](Value value) {
        for (const SymExpr& size : graph.info(value).tensor.sizes)
            for (const std::string& symbol : free_symbols(size)) symbols.insert(symbol);
    };
    for (const Value input : graph.inputs()) look_at(input);
    for (const Node& node : graph.nodes())
        for (const Output& output : node.outputs())
            for (const Value value : output.values) look_at(value);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_symbols(graph.subgraph({i}), symbols);
}

/// The tensor among whose elements a node looks for some, if it does.
[[nodiscard]] inline Value searched_tensor(const Graph& graph, const Node& node) {
    if (node.op() == "aten::nonzero" || node.op() == "aten::masked_select") return node.input(0);
    if (node.op() != "aten::index.Tensor") return {};
    Value mask;
    for_each_value(*node.find("indices"), [&](Value index) {
        if (graph.info(index).tensor.dtype == DType::boolean) mask = index;
    });
    return mask;
}

/// There are no more elements to be found than a tensor has; `counts` are the symbols that say how many there are.
inline void limit_found_elements(const Graph& graph, SymRanges& limits, std::set<std::string>& counts) {
    for (const Node& node : graph.nodes()) {
        const Value searched = searched_tensor(graph, node);
        if (!searched || graph.info(node.output()).tensor.sizes.empty()) continue;
        const SymExpr& found = graph.info(node.output()).tensor.sizes[0];
        if (!found.is_symbol() || !is_unbacked_name(found.name())) continue;
        ValueRange range = bounds(found, limits);
        std::int64_t elements = 1;
        for (const SymExpr& size : graph.info(searched).tensor.sizes)
            elements =
                std::min<std::int64_t>(elements * std::max<std::int64_t>(bounds(size, limits).max, 0), INT32_MAX);
        range.min = std::max<std::int64_t>(range.min, 0);
        range.max = elements;
        limits.set(found.name(), range);
        counts.insert(found.name());
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) limit_found_elements(graph.subgraph({i}), limits, counts);
}

/// A size that is limited by what tensors it makes.
struct OpenSize {
    std::string symbol;
    ValueRange range;    ///< that it has
    std::int64_t least;  ///< what it must be able to be
};

/// Halves the sizes until no tensor is too large by them, though not below twice what the example has.
inline void find_limits(const Graph& graph, const std::vector<OpenSize>& open, SymRanges& limits,
                        std::set<std::string>& counts) {
    for (std::int64_t limit = usual_limit;; limit /= 2) {
        for (const OpenSize& size : open) {
            const std::int64_t enough = std::max(limit, size.least * (limit > small_limit ? 4 : 2));
            limits.set(size.symbol, {std::max<std::int64_t>(size.range.min, 0), std::min(enough, size.range.max)});
        }
        limit_found_elements(graph, limits, counts);
        const std::uint64_t most = most_bytes(graph, limits);
        if (limit == 1 || most <= (limit > batch_limit ? large_tensor : huge_tensor)) return;
    }
}

}  // namespace detail

/// A limit that the program itself has is respected, unless it makes tensors that no memory holds.
FERRY_INLINE SymRanges size_limits(const ExportedProgram& program) {
    SymRanges limits;
    const SymBindings seen = ferry::detail::sizes_of_example(program);
    std::set<std::string> symbols, counts;
    detail::collect_symbols(program.graph, symbols);
    for (const auto& [symbol, range] : program.ranges) {
        limits.set(symbol, range);
        symbols.insert(symbol);
    }
    std::vector<detail::OpenSize> open;
    const auto open_those_above = [&](std::int64_t end) {
        open.clear();
        for (const std::string& symbol : symbols) {
            const ValueRange* known = program.ranges.find(symbol);
            const ValueRange range = known != nullptr ? *known : ValueRange::at_least(0);
            const std::int64_t* example = seen.find(symbol);
            const auto least = std::max<std::int64_t>({range.min, example != nullptr ? *example : 0, 1});
            if (range.max > end) open.push_back({symbol, range, least});
        }
    };
    open_those_above(std::numeric_limits<std::int32_t>::max() - 1);  // the runtime's sizes have 31 bits
    if (!open.empty()) detail::find_limits(program.graph, open, limits, counts);
    if (detail::most_bytes(program.graph, limits) > detail::impossible_tensor) {
        open_those_above(detail::usual_limit);
        detail::find_limits(program.graph, open, limits, counts);
    }
    std::string told;
    for (const detail::OpenSize& size : open) {
        if (counts.contains(size.symbol)) continue;
        told.append(told.empty() ? "" : ", ")
            .append(size.symbol)
            .append(" at most ")
            .append(std::to_string(limits.find(size.symbol)->max));
    }
    if (!told.empty())
        log(LogLevel::warning, "memory is planned for the largest sizes, and nothing limits these; taken are " + told +
                                   " (give each dimension a largest size: Dim(name, min, max))");
    return limits;
}

}  // namespace ferry::executorch
