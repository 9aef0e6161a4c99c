#pragma once

#include <ferry/capture/emitter.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A write to a view changes what it is a view of. Each entry says, for a family of view ops, how the base looks after its
/// view has become `written`.
namespace ferry::capture {

struct ViewWrite {
    OpEmitter& graph;
    const TraceOp& view;
    std::size_t output;  ///< which of the view op's outputs was written to
    Value base;
    Value written;

    [[nodiscard]] std::int64_t integer(std::size_t argument, std::int64_t otherwise) const {
        const auto* number =
            argument < view.arguments.size() ? view.arguments[argument].get_if<std::int64_t>() : nullptr;
        return number != nullptr ? *number : otherwise;
    }
    /// A dimension of the base, counted from the front.
    [[nodiscard]] std::int64_t dimension(std::size_t argument, std::int64_t otherwise) const {
        const std::int64_t dim = integer(argument, otherwise);
        return dim < 0 ? dim + graph.value(base).tensor.dim() : dim;
    }
    [[nodiscard]] Value emit(std::string_view op, std::vector<Argument> arguments) const {
        return graph.emit(op, std::move(arguments)).at(0);
    }
};

namespace view_inverses {

struct select {
    static constexpr auto target = op("aten::select.int");
    static Value invert(const ViewWrite& w) {
        return w.emit("aten::select_scatter", {w.base, w.written, w.view.arguments[1], w.view.arguments[2]});
    }
};

struct slice {
    static constexpr auto target = op("aten::slice.Tensor");
    static Value invert(const ViewWrite& w) {
        std::vector<Argument> arguments{w.base, w.written};
        arguments.insert(arguments.end(), w.view.arguments.begin() + 1, w.view.arguments.end());
        return w.emit("aten::slice_scatter", std::move(arguments));
    }
};

struct narrow {
    static constexpr auto target = op("aten::narrow");
    static Value invert(const ViewWrite& w) {
        std::int64_t start = w.integer(2, 0);
        if (start < 0) start += w.graph.value(w.base).tensor.size(w.dimension(1, 0));  // or the end may be at zero
        return w.emit("aten::slice_scatter", {w.base, w.written, w.view.arguments[1], start, start + w.integer(3, 0)});
    }
};

struct diagonal {
    static constexpr auto target = op("aten::diagonal");
    static Value invert(const ViewWrite& w) {
        std::vector<Argument> arguments{w.base, w.written};
        arguments.insert(arguments.end(), w.view.arguments.begin() + 1, w.view.arguments.end());
        return w.emit("aten::diagonal_scatter", std::move(arguments));
    }
};

struct as_strided {
    static constexpr auto target = op("aten::as_strided");
    static Value invert(const ViewWrite& w) {
        std::vector<Argument> arguments{w.base, w.written};
        arguments.insert(arguments.end(), w.view.arguments.begin() + 1, w.view.arguments.end());
        return w.emit("aten::as_strided_scatter", std::move(arguments));
    }
};

/// The same elements in the same order, in other words a reshape.
struct reshape {
    static constexpr auto target =
        op("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_as", "aten::reshape_as",
           "aten::flatten.using_ints", "aten::unflatten.int", "aten::squeeze", "aten::squeeze.dim",
           "aten::squeeze.dims", "aten::unsqueeze", "aten::ravel", "aten::_reshape_alias", "aten::atleast_1d",
           "aten::atleast_2d", "aten::atleast_3d");
    static Value invert(const ViewWrite& w) {
        ArgumentList sizes;
        for (const std::int64_t size : w.graph.value(w.base).tensor.sizes()) sizes.emplace_back(size);
        return w.emit("aten::reshape", {w.written, std::move(sizes)});
    }
};

/// Another name for the same tensor.
struct alias {
    static constexpr auto target = op(
        "aten::alias", "aten::detach", "aten::contiguous", "aten::to.dtype", "aten::to.device", "aten::to.dtype_layout",
        "aten::to.other", "aten::type_as", "aten::float", "aten::expand_as", "aten::expand", "aten::broadcast_to",
        "aten::view_as_real_copy", "aten::lift_fresh", "aten::resolve_conj", "aten::resolve_neg", "aten::positive");
    static Value invert(const ViewWrite& w) {
        if (w.graph.value(w.base).tensor.sizes() == w.graph.value(w.written).tensor.sizes()) return w.written;
        throw Error(ErrorKind::unsupported,
                    "forward writes in place to an expanded tensor, whose elements share memory",
                    {.hint = "clone() it before writing", .where = {.op = std::string(w.view.name)}});
    }
};

struct transpose {
    static constexpr auto target = op("aten::transpose.int", "aten::swapaxes", "aten::swapdims");
    static Value invert(const ViewWrite& w) {
        return w.emit("aten::transpose.int", {w.written, w.view.arguments[1], w.view.arguments[2]});
    }
};

struct matrix_transpose {
    static constexpr auto target =
        op("aten::t", "aten::numpy_T", "aten::mT", "aten::mH", "aten::adjoint", "aten::matrix_H");
    static Value invert(const ViewWrite& w) { return w.emit(w.view.name, {w.written}); }
};

struct permute {
    static constexpr auto target = op("aten::permute");
    static Value invert(const ViewWrite& w) {
        const auto& order = *w.view.arguments[1].get_if<ArgumentList>();
        const auto rank = static_cast<std::int64_t>(order.size());
        ArgumentList inverse(order.size());
        for (std::int64_t i = 0; i < rank; ++i) {
            const std::int64_t from = *order[static_cast<std::size_t>(i)].get_if<std::int64_t>();
            inverse[static_cast<std::size_t>(from < 0 ? from + rank : from)] = i;
        }
        return w.emit("aten::permute", {w.written, std::move(inverse)});
    }
};

struct movedim {
    static constexpr auto target =
        op("aten::movedim.int", "aten::moveaxis.int", "aten::movedim.intlist", "aten::moveaxis.intlist");
    static Value invert(const ViewWrite& w) {
        return w.emit(w.view.name, {w.written, w.view.arguments[2], w.view.arguments[1]});
    }
};

/// Parts that lie one after the other along a dimension.
struct split {
    static constexpr auto target = op("aten::split.Tensor", "aten::split.sizes", "aten::split_with_sizes",
                                      "aten::chunk", "aten::tensor_split.sections", "aten::tensor_split.indices",
                                      "aten::unsafe_split.Tensor", "aten::unsafe_chunk");
    static Value invert(const ViewWrite& w) {
        const std::int64_t dim = w.dimension(2, 0);
        std::int64_t start = 0;
        const auto& parts = w.view.outputs.at(0).values;
        for (std::size_t part = 0; part < w.output; ++part) start += w.graph.value(parts[part]).tensor.size(dim);
        const std::int64_t end = start + w.graph.value(parts[w.output]).tensor.size(dim);
        return w.emit("aten::slice_scatter", {w.base, w.written, dim, start, end});
    }
};

struct unbind {
    static constexpr auto target = op("aten::unbind.int");
    static Value invert(const ViewWrite& w) {
        return w.emit("aten::select_scatter",
                      {w.base, w.written, w.dimension(1, 0), static_cast<std::int64_t>(w.output)});
    }
};

struct complex_as_real {
    static constexpr auto target = op("aten::view_as_real");
    static Value invert(const ViewWrite& w) { return w.emit("aten::view_as_complex", {w.written}); }
};

struct real_as_complex {
    static constexpr auto target = op("aten::view_as_complex");
    static Value invert(const ViewWrite& w) { return w.emit("aten::view_as_real", {w.written}); }
};

/// Halves of complex numbers, in view_as_real()'s last dimension.
struct real_part {
    static constexpr auto target = op("aten::real");
    static Value invert(const ViewWrite& w) { return invert_half(w, 0); }
    static Value invert_half(const ViewWrite& w, std::int64_t half) {
        if (!w.graph.value(w.base).tensor.is_complex()) return w.written;  // its own real part
        const Value both = w.emit("aten::view_as_real", {w.base});
        return w.emit("aten::view_as_complex",
                      {w.emit("aten::select_scatter", {both, w.written, std::int64_t{-1}, half})});
    }
};

struct imaginary_part {
    static constexpr auto target = op("aten::imag");
    static Value invert(const ViewWrite& w) { return real_part::invert_half(w, 1); }
};

struct conjugate {
    static constexpr auto target = op("aten::conj", "aten::_conj");
    static Value invert(const ViewWrite& w) { return w.emit("aten::conj_physical", {w.written}); }
};

struct negative {
    static constexpr auto target = op("aten::_neg_view");
    static Value invert(const ViewWrite& w) { return w.emit("aten::neg", {w.written}); }
};

using all =
    type_list<select, slice, narrow, diagonal, as_strided, reshape, alias, transpose, matrix_transpose, permute,
              movedim, split, unbind, complex_as_real, real_as_complex, real_part, imaginary_part, conjugate, negative>;

template <class Entry>
struct bind {
    static constexpr auto value = &Entry::invert;
};

}  // namespace view_inverses

[[nodiscard]] inline Value invert_view(const ViewWrite& write) {
    using table = op_table<view_inverses::all>;
    static_assert(table::no_clash);
    const auto invert = table::function<Value (*)(const ViewWrite&), view_inverses::bind>(write.view.name);
    if (invert != nullptr) return invert(write);
    throw Error(ErrorKind::unsupported,
                "forward writes in place to a view of another tensor, and how this view is undone is not known",
                {.hint = "write to a clone(), or to the whole tensor", .where = {.op = std::string(write.view.name)}});
}

}  // namespace ferry::capture
