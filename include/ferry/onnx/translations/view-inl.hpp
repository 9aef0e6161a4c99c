#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/view.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// In a graph without writes a copy or an alias is the thing itself; the result's dtype does the rest. detach_ writes no numbers.
FERRY_INLINE Ref same::translate(Translation& t) {
    if (t.node().op() == "aten::view.dtype" && t.result_dtype() != t.dtype(t.tensor("self")))
        t.refuse("numbers are read as another type of the same bits, which ONNX has no op for");
    return t.tensor("self");
}
FERRY_INLINE Ref copy::translate(Translation& t) {
    return t.expand(t.cast(t.tensor("src"), t.result_dtype()), t.result_sizes());
}

FERRY_INLINE Ref reshape::translate(Translation& t) { return t.reshape(t.tensor("self"), t.result_sizes()); }
FERRY_INLINE Ref unsqueeze::translate(Translation& t) {
    return t.unsqueeze(t.tensor("self"), {t.wrapped(t.integer("dim"), t.result_rank())});
}
FERRY_INLINE Ref squeeze::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::int64_t rank = t.rank(self);
    std::vector<std::int64_t> dims;
    if (t.node().op() == "aten::squeeze") {
        dims.resize(static_cast<std::size_t>(rank));
        std::iota(dims.begin(), dims.end(), 0);
    } else if (rank > 0) {
        dims = t.dims("dim", rank);
    }
    std::erase_if(dims, [&](std::int64_t dim) { return !t.sizes(self)[static_cast<std::size_t>(dim)].is_constant(1); });
    return t.squeeze(self, std::move(dims));
}
FERRY_INLINE Ref expand::translate(Translation& t) { return t.expand(t.tensor("self"), t.result_sizes()); }
FERRY_INLINE Ref permute::translate(Translation& t) {
    const Ref self = t.tensor("self");
    return t.permute(self, t.dims("dims", t.rank(self)));
}
FERRY_INLINE Ref transpose::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const bool by_axis = t.node().op() == "aten::swapaxes";
    const std::int64_t rank = t.rank(self);
    if (rank == 0) return self;
    return t.transpose(self, t.dim(by_axis ? "axis0" : "dim0", rank), t.dim(by_axis ? "axis1" : "dim1", rank));
}
FERRY_INLINE Ref t_op::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const std::int64_t rank = t.rank(self);
    if (rank < 2) return self;
    if (t.node().op() == "aten::mT") return t.transpose(self, rank - 2, rank - 1);
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
    std::iota(order.rbegin(), order.rend(), 0);
    return t.permute(self, order);
}

}  // namespace ferry::onnx::translated
