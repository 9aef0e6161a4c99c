#pragma once

#include <ferry/core/op_name.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>

/// Ops that a capture treats apart from the rest, by the reason why.
namespace ferry::capture {

/// Answer with a number that follows from the shapes and dtypes alone: asked while the model runs, never part of a graph.
struct asks_for_shape {
    static constexpr auto target =
        op("aten::size.int", "aten::size", "aten::sym_size.int", "aten::sym_size", "aten::stride.int", "aten::stride",
           "aten::sym_stride.int", "aten::sym_stride", "aten::numel", "aten::sym_numel", "aten::dim",
           "aten::sym_storage_offset", "aten::storage_offset", "aten::is_same_size", "aten::is_complex",
           "aten::is_floating_point", "aten::is_signed", "aten::is_contiguous", "aten::is_contiguous.memory_format",
           "aten::is_conj", "aten::is_neg", "aten::is_inference", "aten::is_nested", "aten::is_pinned",
           "aten::result_type.Tensor", "aten::result_type.Scalar", "aten::result_type.Scalar_Tensor",
           "aten::result_type.Scalar_Scalar", "aten::can_cast", "aten::promote_types", "aten::is_leaf",
           "aten::retains_grad", "aten::_version", "aten::output_nr", "aten::_has_compatible_shallow_copy_type",
           "aten::_is_zerotensor", "aten::get_device", "aten::_use_cudnn_ctc_loss", "aten::_debug_has_internal_overlap",
           "aten::_fused_sdp_choice");
};

/// Give a tensor's value to C++ code. An integer may be used as a size, so it becomes a symbol of its own.
struct asks_for_value {
    static constexpr auto target = op("aten::item", "aten::_local_scalar_dense");
};

/// Stops a run, or does nothing. What it is told is a number by now: checks of sizes come with the numbers that they compare.
struct checks_a_number {
    static constexpr auto target = op("aten::_assert_scalar");
};

/// Whether two tensors have the same sizes and values.
struct asks_for_equality {
    static constexpr auto target = op("aten::equal");
};

/// torch::tensor() and friends fill what these return through its data pointer, which no capture can see. So the tensor stays
/// real, and whoever reads it reads a constant.
struct makes_memory {
    static constexpr auto target = op("aten::empty.memory_format");
};

/// Change how a tensor is seen, in place, but none of its elements.
struct changes_geometry {
    static constexpr auto target =
        op("aten::unsqueeze_", "aten::squeeze_", "aten::squeeze_.dim", "aten::squeeze_.dims", "aten::t_",
           "aten::transpose_", "aten::swapaxes_", "aten::swapdims_", "aten::as_strided_");
};

/// Change how large a tensor is, in place.
struct changes_size {
    static constexpr auto target = op("aten::resize_", "aten::resize_as_");
};

/// Change what autograd knows of a tensor, in place; to a graph it is the same tensor.
struct changes_nothing {
    static constexpr auto target = op("aten::detach_", "aten::requires_grad_", "aten::retain_grad", "aten::set_data");
};

using op_classes = op_table<type_list<asks_for_shape, asks_for_value, checks_a_number, asks_for_equality, makes_memory,
                                      changes_geometry, changes_size, changes_nothing>>;
enum class OpClass : std::uint8_t {
    shape_query,
    value_query,
    check,
    equality_query,
    memory,
    geometry,
    size,
    nothing,
    ordinary
};

[[nodiscard]] constexpr OpClass class_of(std::string_view op) noexcept {
    return static_cast<OpClass>(op_classes::find(op));
}

static_assert(class_of("aten::item") == OpClass::value_query && class_of("aten::add.Tensor") == OpClass::ordinary);

}  // namespace ferry::capture
