#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

/// Casts, and what moves numbers without changing them. Target shapes come from what is known of the result, not from arguments.
namespace ferry::onnx {
namespace translated {

inline constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

/// In a graph without writes a copy or an alias is the thing itself; the result's dtype does the rest.
struct same {
    static constexpr auto target =
        op("aten::clone", "aten::contiguous", "aten::alias", "aten::detach", "aten::lift_fresh",
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

// Parts.

/// One end of a slice, or what stands for it where it is left out.
inline Ref slice_end(Translation& t, std::string_view name, std::int64_t otherwise) {
    return t.has(name) ? t.size(t.symbolic(name)) : t.ints({otherwise});
}
struct slice {
    static constexpr auto target = op("aten::slice.Tensor", "aten::slice_copy.Tensor");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        if (t.sizes(self) == t.result_sizes() && t.integer("step") == 1) return self;
        const std::int64_t dim = t.dim("dim", t.rank(self));
        return t.slice(self, dim, slice_end(t, "start", 0), slice_end(t, "end", to_the_end), t.integer("step"));
    }
};
struct narrow {
    static constexpr auto target = op("aten::narrow");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const SymExpr start = t.symbolic("start");
        const std::int64_t dim = t.dim("dim", t.rank(self));
        const Ref length = t.size(t.symbolic("length"));
        if (!start.is_constant() || start.value() < 0)
            t.refuse("a start that is no constant, or is counted from the end");
        return t.slice(self, dim, t.size(start), t.add("Add", {t.size(start), length}));
    }
};
struct select {
    static constexpr auto target = op("aten::select.int", "aten::select_copy.int");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const SymExpr index = t.symbolic("index");
        const Ref position = index.is_constant() ? t.number(index.value(), DType::int64) : t.scalar_of(t.size(index));
        return t.add("Gather", {self, position}, {{"axis", t.dim("dim", t.rank(self))}});
    }
};
/// Everything before, the new part, everything behind.
inline Ref spliced(Translation& t, Ref self, Ref source, std::int64_t dim, Ref start, Ref end) {
    const Ref before = t.slice(self, dim, t.ints({0}), start);
    const Ref after = t.slice(self, dim, end, t.ints({to_the_end}));
    return t.add("Concat", {before, source, after}, {{"axis", dim}});
}
struct select_scatter {
    static constexpr auto target = op("aten::select_scatter");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::int64_t dim = t.dim("dim", t.rank(self));
        const Ref source = t.unsqueeze(t.cast(t.tensor("src"), t.result_dtype()), {dim});
        SymExpr index = t.symbolic("index");
        if (index.is_constant() && index.value() < 0) index = index + t.sizes(self)[static_cast<std::size_t>(dim)];
        return spliced(t, self, source, dim, t.size(index), t.size(index + SymExpr(1)));
    }
};
struct slice_scatter {
    static constexpr auto target = op("aten::slice_scatter");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::int64_t dim = t.dim("dim", t.rank(self));
        const std::int64_t step = t.integer("step");
        const Ref start = slice_end(t, "start", 0), end = slice_end(t, "end", to_the_end);
        const Ref given = t.cast(t.tensor("src"), t.result_dtype());
        if (step == 1) return spliced(t, self, given, dim, start, end);
        // By index: the positions are those that the same slice takes out of 0, 1, 2, ...
        const SymExpr length = t.sizes(self)[static_cast<std::size_t>(dim)];
        Ref positions = t.slice(counted(t, length), 0, start, end, step);
        Sizes column(static_cast<std::size_t>(t.rank(self)), SymExpr(1));
        const SymExpr count = t.sizes(given)[static_cast<std::size_t>(dim)];
        column[static_cast<std::size_t>(dim)] = count;
        positions = t.expand(t.reshape(t.with_sizes(positions, {count}), column), t.sizes(given));
        return t.add("ScatterElements", {self, positions, given}, {{"axis", dim}});
    }
};

// Several.

struct cat {
    static constexpr auto target = op("aten::cat", "aten::concat", "aten::concatenate");
    static Ref translate(Translation& t) {
        std::vector<Ref> parts;
        for (const Ref part : t.tensors("tensors")) {
            const bool is_legacy_empty = t.rank(part) == 1 && t.sizes(part)[0].is_constant(0) && t.result_rank() != 1;
            if (!is_legacy_empty) parts.push_back(t.cast(part, t.result_dtype()));
        }
        if (parts.size() == 1) return parts[0];
        return t.add("Concat", std::move(parts), {{"axis", t.dim("dim", t.result_rank())}});
    }
};
struct stack {
    static constexpr auto target = op("aten::stack");
    static Ref translate(Translation& t) {
        const std::int64_t dim = t.dim("dim", t.result_rank());
        std::vector<Ref> parts;
        for (const Ref part : t.tensors("tensors")) parts.push_back(t.unsqueeze(t.cast(part, t.result_dtype()), {dim}));
        return t.add("Concat", std::move(parts), {{"axis", dim}});
    }
};
/// As long as the results are.
struct split {
    static constexpr auto target =
        op("aten::split.Tensor", "aten::split_with_sizes", "aten::chunk", "aten::unsafe_split.Tensor",
           "aten::unsafe_split_with_sizes", "aten::unsafe_chunk", "aten::split.sizes", "aten::split_with_sizes_copy",
           "aten::split_copy.Tensor");
    static void translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::size_t count = t.num_results();
        if (count == 1) return t.result(self);
        const std::int64_t dim = t.dim("dim", t.rank(self));
        Sizes lengths;
        for (std::size_t i = 0; i < count; ++i) lengths.push_back(t.result_sizes(i)[static_cast<std::size_t>(dim)]);
        const auto parts = t.add_many("Split", {self, t.shape(lengths)}, {{"axis", dim}}, count);
        for (std::size_t i = 0; i < count; ++i) t.result(parts[i], i);
    }
};
struct unbind {
    static constexpr auto target = op("aten::unbind.int", "aten::unbind_copy.int");
    static void translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::size_t count = t.num_results();
        const std::int64_t dim = t.dim("dim", t.rank(self));
        if (count == 0) return;
        if (count == 1) return t.result(t.squeeze(self, {dim}));
        const Sizes ones(count, SymExpr(1));
        const auto parts = t.add_many("Split", {self, t.shape(ones)}, {{"axis", dim}}, count);
        for (std::size_t i = 0; i < count; ++i) t.result(t.add("Squeeze", {parts[i], t.ints({dim})}), i);
    }
};

/// Numbers by their places in memory: those of a tensor that lies there in the order of its dimensions.
struct as_strided {
    static constexpr auto target = op("aten::as_strided", "aten::as_strided_copy");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const TensorMeta& meta = t.graph().info(*t.argument("self").get_if<Value>()).tensor;
        SymExpr step = 1;
        for (std::size_t dim = meta.strides.size(); dim-- > 0;) {
            if (!meta.sizes[dim].is_constant(1) && !(meta.strides[dim] == step))
                t.refuse("as_strided of a view has no meaning in ONNX, which has no memory",
                         "make it contiguous before, or index it");
            step = step * meta.sizes[dim];
        }
        const Sizes sizes = t.symbolics("size"), strides = t.symbolics("stride");
        Ref place = t.size(t.has("storage_offset") ? t.symbolic("storage_offset") : SymExpr(0));
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
            Sizes column(sizes.size() - dim, SymExpr(1));
            column[0] = sizes[dim];
            const Ref steps = t.add("Mul", {counted(t, sizes[dim]), t.size(strides[dim])});
            place = t.add("Add", {place, t.reshape(t.with_sizes(steps, {sizes[dim]}), column)});
        }
        if (sizes.empty()) place = t.scalar_of(place);
        return t.add("Gather", {t.reshape(self, {step}), place}, {{"axis", 0}});
    }
};

// Repeated and turned round.

struct repeat {
    static constexpr auto target = op("aten::repeat");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        std::vector<std::int64_t> front(static_cast<std::size_t>(t.result_rank() - t.rank(self)));
        std::iota(front.begin(), front.end(), 0);
        return t.add("Tile", {t.unsqueeze(self, std::move(front)), t.shape(t.symbolics("repeats"))});
    }
};
struct repeat_interleave {
    static constexpr auto target = op("aten::repeat_interleave.self_int");
    static Ref translate(Translation& t) {
        Ref self = t.tensor("self");
        std::int64_t dim = 0;
        if (t.has("dim")) {
            dim = t.dim("dim", t.rank(self));
        } else {
            self = flattened(t, self);
        }
        const Ref column = t.unsqueeze(self, {dim + 1});
        Sizes grown = t.sizes(column);
        grown[static_cast<std::size_t>(dim + 1)] = t.symbolic("repeats");
        return t.reshape(t.expand(column, grown), t.result_sizes());
    }
};
struct flip {
    static constexpr auto target = op("aten::flip");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const auto dims = t.dims("dims", t.rank(self));
        if (dims.empty() || t.rank(self) == 0) return self;
        const std::vector<std::int64_t> backwards(dims.size(), -1);
        const std::vector<std::int64_t> beyond(dims.size(), std::numeric_limits<std::int64_t>::min());
        return t.add("Slice", {self, t.ints(backwards), t.ints(beyond), t.ints(dims), t.ints(backwards)});
    }
};
inline Ref triangle(Translation& t, bool upper) {
    return t.add("Trilu", {t.tensor("self"), t.number(t.integer("diagonal"), DType::int64)},
                 {{"upper", std::int64_t{upper}}});
}
struct tril {
    static constexpr auto target = op("aten::tril");
    static Ref translate(Translation& t) { return triangle(t, false); }
};
struct triu {
    static constexpr auto target = op("aten::triu");
    static Ref translate(Translation& t) { return triangle(t, true); }
};
/// Pairs from the last dimension on, where ONNX has all fronts and then all backs.
struct constant_pad_nd {
    static constexpr auto target = op("aten::constant_pad_nd");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const Sizes pairs = t.symbolics("pad");
        const auto rank = static_cast<std::size_t>(t.rank(self));
        Sizes pads(2 * rank, SymExpr(0));
        for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
            pads[rank - 1 - i] = pairs[2 * i];
            pads[2 * rank - 1 - i] = pairs[2 * i + 1];
        }
        const DType dtype = t.dtype(self);
        const DType computed = computing_type(kernel_types("Pad")->dtypes, dtype);
        return t.add("Pad", {t.cast(self, computed), t.shape(pads), t.operand("value", computed)});
    }
};

}  // namespace translated

using view_translations =
    translations<translated::same, translated::dropout, translated::native_dropout, translated::copy,
                 translated::reshape, translated::unsqueeze, translated::squeeze, translated::expand,
                 translated::permute, translated::transpose, translated::t_op, translated::slice, translated::narrow,
                 translated::select, translated::select_scatter, translated::slice_scatter, translated::cat,
                 translated::stack, translated::split, translated::unbind, translated::repeat,
                 translated::repeat_interleave, translated::flip, translated::tril, translated::triu,
                 translated::constant_pad_nd, translated::as_strided>;

}  // namespace ferry::onnx
