#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/node_fixes/pieces.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::executorch::fixed {
namespace detail {

[[nodiscard]] inline Value slice(Rewriter& writer, Value self, const Argument& dim, const Argument& start,
                                 const Argument& end, const std::vector<SymExpr>& sizes) {
    return writer.call("aten::slice.Tensor", {self, dim, start, end, 1}, sizes, writer.meta(self).dtype);
}

}  // namespace detail

/// One slice behind the other. Where the lengths vary they are among the arguments; the last one may be longer than what is left.
FERRY_INLINE bool split::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    const Value self = node.input(0);
    const Argument dim = writer.given("dim", 0);
    const std::size_t at = writer.dim(dim, writer.meta(self).sizes.size());
    const std::vector<Value> pieces = node.outputs()[0].values;
    Argument given = writer.given("split_size");
    if (given.is_none()) given = writer.given("split_sizes");
    const auto length = [&](std::size_t i) -> Argument {
        const SymExpr& known = writer.meta(pieces[i]).sizes[at];
        if (known.is_constant()) return known.value();
        if (const auto* list = given.get_if<ArgumentList>()) return list->at(i);
        return given;
    };
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (length(i).is_none()) return false;
    Argument start = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::vector<SymExpr> sizes = writer.meta(pieces[i]).sizes;
        const Argument end = writer.add(start, length(i));
        writer.replace(i, detail::slice(writer, self, dim, start, end, sizes));
        start = end;
    }
    return writer.finish();
}

FERRY_INLINE bool unbind::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    const Value self = node.input(0);
    const Argument dim = writer.given("dim", 0);
    const std::vector<Value> pieces = node.outputs()[0].values;
    std::vector<SymExpr> sizes = writer.meta(self).sizes;
    sizes[writer.dim(dim, sizes.size())] = 1;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const Value piece = detail::slice(writer, self, dim, at, at + 1, sizes);
        writer.replace(i, writer.view(piece, writer.meta(pieces[i]).sizes));
    }
    return writer.finish();
}

FERRY_INLINE bool narrow::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    const Value self = node.input(0);
    const Argument dim = writer.given("dim"), start = writer.given("start");
    if (const auto* value = start.get_if<Value>(); value != nullptr && graph.info(*value).kind == ValueKind::tensor)
        return false;
    Argument end = writer.add(start, writer.given("length"));
    if (const auto* first = start.get_if<std::int64_t>(); first != nullptr && *first < 0)
        if (const auto* last = end.get_if<std::int64_t>(); last != nullptr && *last == 0) end = INT64_MAX;
    return writer.replace(detail::slice(writer, self, dim, start, end, writer.meta().sizes));
}

}  // namespace ferry::executorch::fixed
