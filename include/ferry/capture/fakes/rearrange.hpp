#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <string_view>

/// The same elements, or some of them several times, in other places.
namespace ferry::fake_ops {

struct flip {
    static constexpr auto target = op("aten::flip");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dims);
};

struct roll {
    static constexpr auto target = op("aten::roll");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef shifts, at::IntArrayRef dims);
};

struct im2col {
    static constexpr auto target = op("aten::im2col");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
                           at::IntArrayRef padding, at::IntArrayRef stride);
};

struct col2im {
    static constexpr auto target = op("aten::col2im");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef output_size, at::IntArrayRef kernel,
                           at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride);
};

struct reflection_pad2d {
    static constexpr auto target = op("aten::reflection_pad2d");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef padding);
};

struct grid_sampler {
    static constexpr auto target = op("aten::grid_sampler_2d", "aten::grid_sampler_3d");
    static at::Tensor fake(const at::Tensor& input, const at::Tensor& grid, std::int64_t, std::int64_t, bool);
};

struct bucketize {
    static constexpr auto target = op("aten::bucketize.Tensor");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& boundaries, bool as_int, bool);
};

struct bucketize_number {
    static constexpr auto target = op("aten::bucketize.Scalar");
    static at::Tensor fake(const at::Scalar&, const at::Tensor& boundaries, bool as_int, bool);
};

struct searchsorted {
    static constexpr auto target = op("aten::searchsorted.Tensor");
    static at::Tensor fake(const at::Tensor& sorted, const at::Tensor& self, bool as_int, bool,
                           std::optional<std::string_view>, const std::optional<at::Tensor>&);
};

struct searchsorted_number {
    static constexpr auto target = op("aten::searchsorted.Scalar");
    static at::Tensor fake(const at::Tensor& sorted, const at::Scalar&, bool as_int, bool,
                           std::optional<std::string_view>, const std::optional<at::Tensor>&);
};

struct channel_shuffle {
    static constexpr auto target = op("aten::channel_shuffle");
    static at::Tensor fake(const at::Tensor& self, const c10::SymInt& groups);
};

}  // namespace ferry::fake_ops

namespace ferry {

using rearranging_fakes =
    fakes<fake_ops::flip, fake_ops::roll, fake_ops::im2col, fake_ops::col2im, fake_ops::grid_sampler,
          fake_ops::bucketize, fake_ops::bucketize_number, fake_ops::searchsorted, fake_ops::searchsorted_number,
          fake_ops::channel_shuffle, fake_ops::reflection_pad2d>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/rearrange-inl.hpp>
#endif
