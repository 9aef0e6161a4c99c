#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/node_fixes/layers.hpp>
#include <ferry/executorch/node_fixes/precision.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/rewriter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch::fixed {
namespace detail {

/// The numbers of a list, all of them constants.
[[nodiscard]] inline std::vector<std::int64_t> numbers(const Argument& list) {
    std::vector<std::int64_t> all;
    for (const Argument& each : *list.get_if<ArgumentList>()) all.push_back(*each.get_if<std::int64_t>());
    return all;
}
[[nodiscard]] inline Argument list_of(const std::vector<std::int64_t>& numbers) {
    return ArgumentList(numbers.begin(), numbers.end());
}

}  // namespace detail

FERRY_INLINE bool linear::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    const Value input = node.input(0);
    const std::vector<SymExpr> sizes = writer.meta(input).sizes, made = writer.meta().sizes;
    if (sizes.size() != 1) return false;
    const Value row = writer.view(input, {1, sizes[0]});
    const SymExpr& width = made.at(0);
    const Value product = writer.call("aten::linear", {row, writer.given("weight"), writer.given("bias")}, {1, width},
                                      writer.meta().dtype);
    return writer.replace(writer.view(product, made));
}

FERRY_INLINE bool matrix_product::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    const std::vector<SymExpr> made = writer.meta().sizes;
    const DType dtype = writer.meta().dtype;
    Value a = node.input(0), b = node.input(1);
    if (writer.meta(a).sizes.size() == 1) a = writer.view(a, {1, writer.meta(a).sizes[0]});
    if (writer.meta(b).sizes.size() == 1) b = writer.view(b, {writer.meta(b).sizes[0], 1});
    const std::vector<SymExpr> first = writer.meta(a).sizes, second = writer.meta(b).sizes;
    const SymExpr &rows = first[first.size() - 2], &inner = first.back(), &columns = second.back();
    const auto product_of = [](const std::vector<SymExpr>& sizes, std::size_t count) {
        SymExpr product = 1;
        for (std::size_t i = 0; i < count; ++i) product = product * sizes[i];
        return product;
    };
    if (second.size() == 2) {
        const SymExpr all_rows = product_of(first, first.size() - 1);
        const Value flat = first.size() == 2 ? a : writer.view(a, {all_rows, inner});
        return writer.replace(writer.view(writer.call("aten::mm", {flat, b}, {all_rows, columns}, dtype), made));
    }
    const std::size_t batch_dims = std::max(first.size(), second.size()) - 2;
    const SymExpr batches = product_of(made, batch_dims);  // those come first, whatever else is left out
    const auto stacked = [&](Value matrices, Value other) {
        const std::vector<SymExpr> have = writer.meta(matrices).sizes, others = writer.meta(other).sizes;
        const std::size_t skipped = batch_dims + 2 - have.size();
        ArgumentList list;
        std::vector<SymExpr> sizes;
        bool is_expanded = false;
        for (std::size_t i = 0; i < batch_dims; ++i) {
            const bool is_there = i >= skipped && have[i - skipped] == made[i];
            const std::size_t in_other = i + others.size() - batch_dims - 2;
            list.push_back(is_there ? Argument(-1) : writer.size(other, in_other));
            sizes.push_back(made[i]);
            is_expanded = is_expanded || !is_there;
        }
        for (std::size_t i = have.size() - 2; i < have.size(); ++i) {
            list.emplace_back(-1);
            sizes.push_back(have[i]);
        }
        const Value all =
            is_expanded ? writer.call("aten::expand", {matrices, std::move(list)}, sizes, dtype) : matrices;
        return writer.view(all, {batches, have[have.size() - 2], have.back()});
    };
    const Value left = stacked(a, b), right = stacked(b, a);
    return writer.replace(writer.view(writer.call("aten::bmm", {left, right}, {batches, rows, columns}, dtype), made));
}

FERRY_INLINE bool pad::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    const Argument given = writer.given("pad");
    const auto* list = given.get_if<ArgumentList>();
    const auto cuts = [](const Argument& each) {
        const auto* number = each.get_if<std::int64_t>();
        return number != nullptr && *number < 0;
    };
    if (list == nullptr || algo::none_of(*list, cuts)) return false;
    Value self = node.input(0);
    ArgumentList kept;
    std::vector<SymExpr> sizes = writer.meta(self).sizes;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const bool is_cut = cuts((*list)[i]);
        kept.push_back(is_cut ? Argument(0) : (*list)[i]);
        if (!is_cut) continue;
        const std::int64_t by = *(*list)[i].get_if<std::int64_t>();
        const std::size_t dim = sizes.size() - 1 - i / 2;
        sizes[dim] = sizes[dim] + by;
        const bool from_start = i % 2 == 0;
        self = writer.call(
            "aten::slice.Tensor",
            {self, static_cast<std::int64_t>(dim), from_start ? -by : 0, from_start ? std::int64_t{INT64_MAX} : by, 1},
            sizes, writer.meta().dtype);
    }
    const Argument value = writer.given("value", 0);
    return writer.replace(
        writer.call("aten::constant_pad_nd", {self, std::move(kept), value}, writer.meta().sizes, writer.meta().dtype));
}

FERRY_INLINE bool convolution::fix(Graph& graph, Node& node) {
    Rewriter writer(graph, node);
    Value input = node.input(0);
    std::vector<SymExpr> in = writer.meta(input).sizes;
    const std::vector<SymExpr> out = writer.meta().sizes;
    if (in.size() != 5 || *writer.given("transposed").get_if<bool>()) return compute_in_single_precision(graph, node);
    const DType dtype = writer.meta().dtype;
    const Value weight = *writer.given("weight").get_if<Value>();
    const std::vector<SymExpr> kernel = writer.meta(weight).sizes;
    const auto along = [&](std::string_view name) { return detail::numbers(writer.given(name)); };
    const auto behind_depth = [](const std::vector<std::int64_t>& three) {
        return detail::list_of({three[1], three[2]});
    };
    const std::vector<std::int64_t> stride = along("stride"), padding = along("padding"), dilation = along("dilation");
    const std::int64_t step = stride[0], spread = dilation[0];
    if (padding[0] != 0) {
        in[2] = in[2] + 2 * padding[0];
        input = writer.call("aten::constant_pad_nd", {input, detail::list_of({0, 0, 0, 0, padding[0], padding[0]}), 0},
                            in, dtype);
    }
    const SymExpr planes = in[0] * out[2];
    const Argument depth_second = detail::list_of({0, 2, 1, 3, 4});
    Value total;
    for (std::int64_t k = 0; k < kernel[2].value(); ++k) {
        const std::int64_t end = (kernel[2].value() - 1 - k) * spread;  // so many planes are left to the later steps
        Value part =
            writer.call("aten::slice.Tensor",
                        {input, 2, k * spread, end == 0 ? Argument(std::int64_t{INT64_MAX}) : Argument(-end), step},
                        {in[0], in[1], out[2], in[3], in[4]}, dtype);
        part = writer.call("aten::permute", {part, depth_second}, {in[0], out[2], in[1], in[3], in[4]}, dtype);
        part = writer.view(part, {planes, in[1], in[3], in[4]});
        const Value plane =
            writer.call("aten::select.int", {weight, 2, k}, {kernel[0], kernel[1], kernel[3], kernel[4]}, dtype);
        const std::vector<SymExpr> made{planes, out[1], out[3], out[4]};
        part = writer.call(
            "aten::convolution",
            {part, plane, k == 0 ? writer.given("bias") : Argument(), behind_depth(stride), behind_depth(padding),
             behind_depth(dilation), false, detail::list_of({0, 0}), writer.given("groups", 1)},
            made, dtype);
        total = total ? writer.call("aten::add.Tensor", {total, part}, made, dtype) : part;
    }
    total = writer.view(total, {out[0], out[2], out[1], out[3], out[4]});
    return writer.replace(writer.call("aten::permute", {total, depth_second}, out, dtype));
}

FERRY_INLINE bool fourier::fix(Graph& graph, Node& node) {
    std::vector<std::int64_t> dims = detail::numbers(*node.find("dim"));
    if (algo::none_of(dims, [](std::int64_t dim) { return dim < 0; })) return false;
    const auto rank = static_cast<std::int64_t>(graph.info(node.input(0)).tensor.sizes.size());
    for (std::int64_t& dim : dims) dim += dim < 0 ? rank : 0;
    graph.set_argument(node, "dim", detail::list_of(dims));
    return true;
}

}  // namespace ferry::executorch::fixed
