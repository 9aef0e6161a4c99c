#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/window_attention.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/roll.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::models {
namespace detail {

/// Which row of the table speaks of each two places of a window.
[[nodiscard]] inline at::Tensor distances(std::int64_t window) {
    const at::Tensor line = at::arange(window, at::TensorOptions(at::kLong));
    const at::Tensor apart = line.unsqueeze(1) - line + (window - 1);
    // [row, column, other row, other column]
    const at::Tensor down = apart.unsqueeze(1).unsqueeze(3), right = apart.unsqueeze(0).unsqueeze(2);
    return (down * (2 * window - 1) + right).flatten();
}

}  // namespace detail

FERRY_INLINE WindowAttention::WindowAttention(const Weights& weights, std::string_view table, std::int64_t heads,
                                              std::int64_t window, bool is_shifted)
    : window_(window), shift_(is_shifted ? window / 2 : 0) {
    const std::int64_t reach = 2 * window - 1;
    table_ = register_parameter("relative_position_bias_table", weights.take(table, {reach * reach, heads}), false);
    if (!table_.is_meta())  // else it does not fit, and the window may be any
        index_ = register_buffer("relative_position_index", detail::distances(window));
}

FERRY_INLINE at::Tensor WindowAttention::in_windows(const at::Tensor& image) const {
    return image.unflatten(2, {image.size(2) / window_, window_})
        .unflatten(1, {image.size(1) / window_, window_})
        .transpose(2, 3)
        .flatten(3, 4)
        .flatten(0, 2);
}

FERRY_INLINE at::Tensor WindowAttention::from_windows(const at::Tensor& windows, PatchGrid grid) const {
    return windows.unflatten(1, {window_, window_})
        .unflatten(0, {-1, grid.rows / window_, grid.columns / window_})
        .transpose(2, 3)
        .flatten(3, 4)
        .flatten(1, 2);
}

FERRY_INLINE at::Tensor WindowAttention::bias() const {
    const std::int64_t places = window_ * window_;
    return table_.index_select(0, index_).unflatten(0, {places, places}).permute({2, 0, 1}).unsqueeze(0);
}

FERRY_INLINE at::Tensor WindowAttention::edges(PatchGrid grid, const at::Tensor& like) const {
    // A shifted image has up to three parts in each direction that are not neighbours.
    const auto part = [&](std::int64_t size) {
        const at::Tensor line = at::arange(size, like.options().dtype(at::kLong));
        return (line >= size - window_).to(at::kLong) + (line >= size - shift_).to(at::kLong);
    };
    const at::Tensor parts = part(grid.rows).unsqueeze(1) * 3 + part(grid.columns);
    const at::Tensor places = in_windows(parts.unsqueeze(0).unsqueeze(-1));
    return places.ne(places.transpose(1, 2)).to(like.scalar_type()) * -100;
}

FERRY_INLINE at::Tensor WindowAttention::forward(const VisionAttention& attention, const at::Tensor& x,
                                                 PatchGrid grid) const {
    const std::int64_t shorter = std::min(grid.rows, grid.columns);
    if (shorter < window_)
        throw Error(ErrorKind::invalid_input,
                    "an image of " + std::to_string(grid.rows) + " by " + std::to_string(grid.columns) +
                        " patches has no room for a window of " + std::to_string(window_),
                    {.hint = "give larger images"});
    const std::int64_t shift = shorter == window_ ? 0 : shift_;
    const std::int64_t below = (window_ - grid.rows % window_) % window_,
                       right = (window_ - grid.columns % window_) % window_;
    at::Tensor image = x.unflatten(1, {grid.rows, grid.columns});
    if (below > 0 || right > 0) image = at::constant_pad_nd(image, {0, 0, 0, right, 0, below});
    if (shift > 0) image = at::roll(image, {-shift, -shift}, {1, 2});
    const PatchGrid whole{grid.rows + below, grid.columns + right};
    at::Tensor added = bias();
    if (shift > 0)  // in each image the same
        added = (added + edges(whole, x).unsqueeze(1)).unsqueeze(0).expand({x.size(0), -1, -1, -1, -1}).flatten(0, 1);
    image = from_windows(attention.forward(in_windows(image), added), whole);
    if (shift > 0) image = at::roll(image, {shift, shift}, {1, 2});
    if (below > 0) image = image.slice(1, 0, grid.rows);
    if (right > 0) image = image.slice(2, 0, grid.columns);
    return image.flatten(1, 2);
}

}  // namespace ferry::models
