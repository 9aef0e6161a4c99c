#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// Parts of tensors, and tensors put together.
namespace ferry::onnx {
namespace translated {

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
/// A position that may count from the end.
inline Ref from_front(Translation& t, const SymExpr& position, const SymExpr& size) {
    if (t.is_size(position)) return t.size(position);
    if (position.is_constant()) return t.size(size + position);
    const Ref given = t.size(position);
    return t.add("Where", {t.add("Less", {given, t.ints({0})}), t.add("Add", {given, t.size(size)}), given});
}
struct narrow {
    static constexpr auto target = op("aten::narrow");
    static Ref translate(Translation& t) {
        const Ref self = t.tensor("self");
        const std::int64_t dim = t.dim("dim", t.rank(self));
        const Ref start = from_front(t, t.symbolic("start"), t.sizes(self)[static_cast<std::size_t>(dim)]);
        return t.slice(self, dim, start, t.add("Add", {start, t.size(t.symbolic("length"))}));
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
        const Ref place = from_front(t, t.symbolic("index"), t.sizes(self)[static_cast<std::size_t>(dim)]);
        return spliced(t, self, source, dim, place, t.add("Add", {place, t.ints({1})}));
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

}  // namespace translated

using parts_translations =
    translations<translated::slice, translated::narrow, translated::select, translated::select_scatter,
                 translated::slice_scatter, translated::cat, translated::stack, translated::split, translated::unbind>;

}  // namespace ferry::onnx
