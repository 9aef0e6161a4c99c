#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/strided.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ferry::onnx::translated {

[[nodiscard]] inline bool is_view(std::string_view op) {
    const auto found = find_op(op);
    if (!found || found->schema().returns().size() != 1) return false;
    const auto* alias = found->schema().returns()[0].alias_info();
    return alias != nullptr && !alias->isWrite();
}
/// Behind the start of the memory that a value is a view of.
inline SymExpr start_in_memory(Translation& t, Value value) {
    const ferry::Node* node = t.graph().info(value).producer;
    if (node == nullptr || !is_view(node->op())) return 0;
    const Argument* of = node->find("self");
    const Value* base = of != nullptr ? of->get_if<Value>() : nullptr;
    if (base == nullptr)
        t.refuse("as_strided of a view whose place in memory is not known", "make it contiguous before");
    const TensorMeta& meta = t.graph().info(*base).tensor;
    SymExpr start = start_in_memory(t, *base);
    const auto moved = [&](std::string_view name) {
        const Argument* first = node->find(name);
        const Argument* dim = node->find("dim");
        const auto rank = static_cast<std::int64_t>(meta.sizes.size());
        const auto* number = dim != nullptr ? dim->get_if<std::int64_t>() : nullptr;
        const auto* position = first != nullptr ? first->get_if<std::int64_t>() : nullptr;
        if (first == nullptr || first->is_none()) return start;
        if (position == nullptr)
            t.refuse("as_strided of a view at a position that varies", "make it contiguous before");
        const auto place = static_cast<std::size_t>(t.wrapped(number != nullptr ? *number : 0, rank));
        const SymExpr from = *position < 0 ? meta.sizes.at(place) + SymExpr(*position) : SymExpr(*position);
        return start + from * meta.strides.at(place);
    };
    if (node->op() == "aten::select.int") return moved("index");
    if (node->op() == "aten::slice.Tensor" || node->op() == "aten::narrow") return moved("start");
    return start;
}
/// Where size, stride and offset point to in memory: those of a tensor that lies there in the order of its dimensions.
inline Ref strided_places(Translation& t) {
    const Value self = *t.argument("self").get_if<Value>();
    const TensorMeta& meta = t.graph().info(self).tensor;
    SymExpr step = 1;
    for (std::size_t dim = meta.strides.size(); dim-- > 0;) {
        if (!meta.sizes[dim].is_constant(1) && !(meta.strides[dim] == step))
            t.refuse("as_strided of a view has no meaning in ONNX, which has no memory",
                     "make it contiguous before, or index it");
        step = step * meta.sizes[dim];
    }
    const Sizes sizes = t.symbolics("size"), strides = t.symbolics("stride");
    Ref place = t.size(t.has("storage_offset") ? t.symbolic("storage_offset") - start_in_memory(t, self) : SymExpr(0));
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        Sizes column(sizes.size() - dim, SymExpr(1));
        column[0] = sizes[dim];
        const Ref steps = t.add("Mul", {counted(t, sizes[dim]), t.size(strides[dim])});
        place = t.add("Add", {place, t.reshape(t.with_sizes(steps, {sizes[dim]}), column)});
    }
    return t.with_sizes(sizes.empty() ? t.scalar_of(place) : place, sizes);
}
FERRY_INLINE Ref as_strided::translate(Translation& t) {
    const Ref places = strided_places(t);
    return t.add("Gather", {flattened(t, t.tensor("self")), places}, {{"axis", 0}});
}
FERRY_INLINE Ref as_strided_scatter::translate(Translation& t) {
    const Ref self = t.tensor("self"), places = strided_places(t);
    const Ref written =
        t.add("ScatterElements", {flattened(t, self), flattened(t, places), flattened(t, t.tensor("src"))});
    return t.reshape(t.like(written, flattened(t, self)), t.sizes(self));
}

}  // namespace ferry::onnx::translated
