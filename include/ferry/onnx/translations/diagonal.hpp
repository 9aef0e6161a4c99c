#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/factory.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Diagonals, as places in the two dimensions laid out flat.
namespace ferry::onnx {
namespace translated {

/// A tensor with its two dimensions at the end, as one.
struct Flattened {
    Ref flat;
    std::vector<std::int64_t> order;  ///< of the original's dimensions: all others, then the two
    Sizes sizes;                      ///< in this order
};
inline Flattened flattened(Translation& t, Ref self) {
    const std::int64_t rank = t.rank(self), first = t.dim("dim1", rank), second = t.dim("dim2", rank);
    Flattened made;
    for (std::int64_t dim = 0; dim < rank; ++dim)
        if (dim != first && dim != second) made.order.push_back(dim);
    made.order.push_back(first);
    made.order.push_back(second);
    for (const std::int64_t dim : made.order) made.sizes.push_back(t.sizes(self)[static_cast<std::size_t>(dim)]);
    Sizes flat(made.sizes.begin(), made.sizes.end() - 2);
    flat.push_back(made.sizes.end()[-2] * made.sizes.back());
    made.flat = t.reshape(t.permute(self, made.order), flat);
    return made;
}
inline Ref places_on_diagonal(Translation& t, const Flattened& of, const SymExpr& length) {
    const std::int64_t offset = t.integer("offset");
    const SymExpr columns = of.sizes.back();
    const SymExpr start = offset >= 0 ? SymExpr(offset) : SymExpr(-offset) * columns;
    const Ref steps = t.add("Mul", {counted(t, length), t.size(columns + SymExpr(1))});
    return t.with_sizes(t.add("Add", {steps, t.size(start)}), {length});
}

struct diagonal {
    static constexpr auto target = op("aten::diagonal", "aten::diagonal_copy");
    static Ref translate(Translation& t) {
        const Flattened self = flattened(t, t.tensor("self"));
        const Ref places = places_on_diagonal(t, self, t.result_sizes().back());
        return t.add("Gather", {self.flat, places}, {{"axis", -1}});
    }
};
struct diagonal_scatter {
    static constexpr auto target = op("aten::diagonal_scatter");
    static Ref translate(Translation& t) {
        const Flattened self = flattened(t, t.tensor("self"));
        const Ref source = t.operand("src", t.result_dtype());
        const Ref places = t.expand(places_on_diagonal(t, self, t.sizes(source).back()), t.sizes(source));
        const Ref written = t.like(t.add("ScatterElements", {self.flat, places, source}, {{"axis", -1}}), self.flat);
        std::vector<std::int64_t> back(self.order.size());
        for (std::size_t i = 0; i < back.size(); ++i)
            back[static_cast<std::size_t>(self.order[i])] = static_cast<std::int64_t>(i);
        return t.permute(t.reshape(written, self.sizes), back);
    }
};

}  // namespace translated

using diagonal_translations = translations<translated::diagonal, translated::diagonal_scatter>;

}  // namespace ferry::onnx
