#pragma once

#include <ferry/core/op_name.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/graph/graph.hpp>

/// Ops that give the elements of their first argument in the same order. All tensors of a method are contiguous and nothing is written
/// in place, so that each of these is the same memory, seen with other sizes.
namespace ferry::executorch {

struct always_views {
    static constexpr auto target =
        op("aten::view", "aten::view_copy", "aten::_unsafe_view", "aten::reshape", "aten::_reshape_copy",
           "aten::_reshape_alias", "aten::view_as", "aten::reshape_as", "aten::ravel", "aten::flatten.using_ints",
           "aten::unflatten.int", "aten::unsqueeze", "aten::unsqueeze_copy", "aten::squeeze", "aten::squeeze.dim",
           "aten::squeeze.dims", "aten::squeeze_copy", "aten::squeeze_copy.dim", "aten::squeeze_copy.dims",
           "aten::alias", "aten::alias_copy", "aten::detach", "aten::detach_copy", "aten::clone", "aten::contiguous",
           "aten::lift", "aten::lift_fresh", "aten::lift_fresh_copy", "aten::positive");
};

/// Where nothing changes but perhaps the memory.
struct sometimes_views {
    static constexpr auto target = op("aten::expand", "aten::expand_copy", "aten::expand_as", "aten::_to_copy",
                                      "aten::to.dtype", "aten::to.dtype_layout", "aten::to.device", "aten::to.other",
                                      "aten::type_as", "aten::conj", "aten::resolve_conj", "aten::resolve_neg");
};

[[nodiscard]] inline bool is_view(const Graph& graph, const Node& node) {
    if (op_table<type_list<always_views>>::contains(node.op())) return true;
    if (!op_table<type_list<sometimes_views>>::contains(node.op())) return false;
    const TensorMeta &given = graph.info(node.input(0)).tensor, &made = graph.info(node.output()).tensor;
    return given.dtype == made.dtype && given.sizes == made.sizes && !is_complex(given.dtype);
}

}  // namespace ferry::executorch
