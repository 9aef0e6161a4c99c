#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

/// Casts, and other shapes of the same numbers. Target shapes come from what is known of the result, not from arguments.
namespace ferry::onnx {
namespace translated {

/// In a graph without writes a copy or an alias is the thing itself; the result's dtype does the rest. detach_ writes no numbers.
struct same {
    static constexpr auto target =
        op("aten::clone", "aten::contiguous", "aten::alias", "aten::detach", "aten::detach_", "aten::lift_fresh",
           "aten::lift_fresh_copy", "aten::_to_copy", "aten::to.dtype", "aten::to.dtype_layout", "aten::to.device",
           "aten::to.other", "aten::type_as", "aten::positive", "aten::view.dtype");
    static Ref translate(Translation& t) {
        if (t.node().op() == "aten::view.dtype" && t.result_dtype() != t.dtype(t.tensor("self")))
            t.refuse("numbers are read as another type of the same bits, which ONNX has no op for");
        return t.tensor("self");
    }
};
struct dropout {
    static constexpr auto target = op("aten::dropout", "aten::feature_dropout", "aten::alpha_dropout");
    static Ref translate(Translation& t) {
        if (t.flag("train") && t.real("p") != 0)
            t.refuse("the model was exported in training mode, with dropout on", "call eval() on the model first");
        return t.tensor("input");
    }
};
struct native_dropout {
    static constexpr auto target = op("aten::native_dropout");
    static void translate(Translation& t) {
        if (t.flag("train") && t.real("p") != 0)
            t.refuse("the model was exported in training mode, with dropout on", "call eval() on the model first");
        t.result(t.tensor("input"), 0);
        t.result(t.filled(t.result_sizes(1), true, DType::boolean), 1);
    }
};
struct copy {
    static constexpr auto target = op("aten::copy");
    static Ref translate(Translation& t) {
        return t.expand(t.cast(t.tensor("src"), t.result_dtype()), t.result_sizes());
    }
};

struct reshape {
    static constexpr auto target =
        op("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_as", "aten::reshape_as",
           "aten::flatten.using_ints", "aten::unflatten.int", "aten::_reshape_alias", "aten::view_copy");
    static Ref translate(Translation& t) { return t.reshape(t.tensor("self"), t.result_sizes()); }
};
struct unsqueeze {
    static constexpr auto target = op("aten::unsqueeze");
    static Ref translate(Translation& t) {
        return t.unsqueeze(t.tensor("self"), {t.wrapped(t.integer("dim"), t.result_rank())});
    }
};
struct squeeze {
    static constexpr auto target = op("aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::int64_t rank = t.rank(self);
        std::vector<std::int64_t> dims;
        if (t.node().op() == "aten::squeeze") {
            dims.resize(static_cast<std::size_t>(rank));
            std::iota(dims.begin(), dims.end(), 0);
        } else if (rank > 0) {
            dims = t.dims("dim", rank);
        }
        std::erase_if(dims,
                      [&](std::int64_t dim) { return !t.sizes(self)[static_cast<std::size_t>(dim)].is_constant(1); });
        return t.squeeze(self, std::move(dims));
    }
};
struct expand {
    static constexpr auto target = op("aten::expand", "aten::expand_as", "aten::broadcast_to", "aten::expand_copy");
    static Ref translate(Translation& t) { return t.expand(t.tensor("self"), t.result_sizes()); }
};
struct permute {
    static constexpr auto target = op("aten::permute");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        return t.permute(self, t.dims("dims", t.rank(self)));
    }
};
struct transpose {
    static constexpr auto target = op("aten::transpose.int", "aten::swapaxes", "aten::swapdims");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const bool by_axis = t.node().op() == "aten::swapaxes";
        const std::int64_t rank = t.rank(self);
        if (rank == 0) return self;
        return t.transpose(self, t.dim(by_axis ? "axis0" : "dim0", rank), t.dim(by_axis ? "axis1" : "dim1", rank));
    }
};
struct t_op {
    static constexpr auto target = op("aten::t", "aten::numpy_T", "aten::mT");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::int64_t rank = t.rank(self);
        if (rank < 2) return self;
        if (t.node().op() == "aten::mT") return t.transpose(self, rank - 2, rank - 1);
        std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
        std::iota(order.rbegin(), order.rend(), 0);
        return t.permute(self, order);
    }
};

}  // namespace translated

using view_translations =
    translations<translated::same, translated::dropout, translated::native_dropout, translated::copy,
                 translated::reshape, translated::unsqueeze, translated::squeeze, translated::expand,
                 translated::permute, translated::transpose, translated::t_op>;

}  // namespace ferry::onnx
