#pragma once

#include <ferry/capture/fakes/rearrange.hpp>
#include <ferry/core/linkage.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ferry::fake_ops {

FERRY_INLINE at::Tensor flip::fake(const at::Tensor& self, at::IntArrayRef dims) {
    for (const std::int64_t dim : dims) static_cast<void>(self.size(dim));  // throws where there is none
    return at::empty_like(self);
}

FERRY_INLINE at::Tensor roll::fake(const at::Tensor& self, c10::SymIntArrayRef shifts, at::IntArrayRef dims) {
    TORCH_CHECK(shifts.size() == dims.size() || (dims.empty() && shifts.size() == 1), "roll: ", shifts.size(),
                " shifts for ", dims.size(), " dimensions");
    for (const std::int64_t dim : dims) static_cast<void>(self.size(dim));
    return at::empty(self.sizes(), self.options());
}

/// How many blocks of a kernel there are along each side.
[[nodiscard]] inline std::int64_t blocks(at::IntArrayRef size, at::IntArrayRef kernel, at::IntArrayRef dilation,
                                         at::IntArrayRef padding, at::IntArrayRef stride) {
    std::int64_t count = 1;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto of = [&](at::IntArrayRef list) { return list[list.size() == 1 ? 0 : i]; };
        const std::int64_t room = size[i] + 2 * of(padding) - of(dilation) * (of(kernel) - 1) - 1;
        TORCH_CHECK(room >= 0, "a kernel of ", kernel, " is larger than ", size, " with its padding");
        count *= room / of(stride) + 1;
    }
    return count;
}

FERRY_INLINE at::Tensor im2col::fake(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
                                     at::IntArrayRef padding, at::IntArrayRef stride) {
    TORCH_CHECK(self.dim() == 3 || self.dim() == 4, "im2col: an input of ", self.dim(), " dimensions");
    std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 2);
    sizes.back() *= kernel[0] * kernel[kernel.size() - 1];
    sizes.push_back(blocks(self.sizes().slice(self.sizes().size() - 2), kernel, dilation, padding, stride));
    return at::empty(sizes, self.options());
}

FERRY_INLINE at::Tensor col2im::fake(const at::Tensor& self, c10::SymIntArrayRef output_size, at::IntArrayRef kernel,
                                     at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride) {
    TORCH_CHECK(self.dim() == 2 || self.dim() == 3, "col2im: an input of ", self.dim(), " dimensions");
    std::vector<std::int64_t> image;
    for (const c10::SymInt& each : output_size) image.push_back(each.expect_int());
    const std::int64_t area = kernel[0] * kernel[kernel.size() - 1];
    TORCH_CHECK(image.size() == 2 && area > 0 && self.size(-2) % area == 0 &&
                    self.size(-1) == blocks(image, kernel, dilation, padding, stride),
                "col2im: an input of ", self.sizes(), " does not make an image of ", image);
    std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
    sizes.back() /= area;
    sizes.insert(sizes.end(), image.begin(), image.end());
    return at::empty(sizes, self.options());
}

/// Only this one of the reflections has no Meta kernel in C++.
FERRY_INLINE at::Tensor reflection_pad2d::fake(const at::Tensor& self, c10::SymIntArrayRef padding) {
    TORCH_CHECK(padding.size() == 4, "reflection_pad2d: ", padding.size(), " paddings instead of 4");
    const bool batched = self.dim() == 4;
    TORCH_CHECK(batched || self.dim() == 3, "reflection_pad2d: an input of ", self.dim(), " dimensions");
    std::vector<std::int64_t> sizes = self.sizes().vec();
    for (std::size_t d = batched ? 1 : 0; d < sizes.size(); ++d)
        TORCH_CHECK(sizes[d] > 0, "reflection_pad2d: an input of sizes ", self.sizes());
    for (std::size_t i = 0; i < 2; ++i) {
        std::int64_t& size = sizes[sizes.size() - 1 - i];
        const std::int64_t before = padding[2 * i].expect_int(), after = padding[2 * i + 1].expect_int();
        TORCH_CHECK(before < size && after < size, "reflection_pad2d: a padding of ", before, " and ", after,
                    " is not less than the size ", size);
        size += before + after;
    }
    TORCH_CHECK(sizes.back() >= 1 && sizes[sizes.size() - 2] >= 1, "reflection_pad2d: nothing is left of ",
                self.sizes());
    return at::empty(sizes, self.options(), batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous);
}

/// An image looked up at the places that a grid names.
FERRY_INLINE at::Tensor grid_sampler::fake(const at::Tensor& input, const at::Tensor& grid, std::int64_t, std::int64_t,
                                           bool) {
    const std::int64_t spatial = input.dim() - 2;
    TORCH_CHECK(grid.dim() == input.dim() && grid.size(0) == input.size(0) && grid.size(-1) == spatial &&
                    input.scalar_type() == grid.scalar_type(),
                "grid_sampler: a grid of ", grid.sizes(), " for an input of ", input.sizes());
    for (std::int64_t d = 2; d < input.dim(); ++d)
        TORCH_CHECK(input.size(d) > 0, "grid_sampler: an input of ", input.sizes());
    std::vector<std::int64_t> sizes{input.size(0), input.size(1)};
    for (std::int64_t d = 1; d <= spatial; ++d) sizes.push_back(grid.size(d));
    return at::empty(sizes, input.options());
}

/// Where in a sorted sequence each value would go.
FERRY_INLINE at::Tensor bucketize::fake(const at::Tensor& self, const at::Tensor& boundaries, bool as_int, bool) {
    TORCH_CHECK(boundaries.dim() == 1, "bucketize: boundaries of ", boundaries.dim(), " dimensions");
    return at::empty(self.sizes(), self.options().dtype(as_int ? at::kInt : at::kLong));
}

FERRY_INLINE at::Tensor bucketize_number::fake(const at::Scalar&, const at::Tensor& boundaries, bool as_int, bool) {
    TORCH_CHECK(boundaries.dim() == 1, "bucketize: boundaries of ", boundaries.dim(), " dimensions");
    return at::empty({}, boundaries.options().dtype(as_int ? at::kInt : at::kLong));
}

FERRY_INLINE at::Tensor searchsorted::fake(const at::Tensor& sorted, const at::Tensor& self, bool as_int, bool,
                                           std::optional<std::string_view>, const std::optional<at::Tensor>&) {
    const bool fits = sorted.dim() == 1 || (sorted.dim() == self.dim() && sorted.sizes().slice(0, sorted.dim() - 1) ==
                                                                              self.sizes().slice(0, self.dim() - 1));
    TORCH_CHECK(fits, "searchsorted: sequences of ", sorted.sizes(), " and values of ", self.sizes());
    return at::empty(self.sizes(), self.options().dtype(as_int ? at::kInt : at::kLong));
}

FERRY_INLINE at::Tensor searchsorted_number::fake(const at::Tensor& sorted, const at::Scalar&, bool as_int, bool,
                                                  std::optional<std::string_view>, const std::optional<at::Tensor>&) {
    TORCH_CHECK(sorted.dim() == 1, "searchsorted: one number in sequences of ", sorted.sizes());
    return at::empty({}, sorted.options().dtype(as_int ? at::kInt : at::kLong));
}

FERRY_INLINE at::Tensor channel_shuffle::fake(const at::Tensor& self, const c10::SymInt& groups) {
    TORCH_CHECK(self.dim() > 2 && groups.expect_int() > 0 && self.size(1) % groups.expect_int() == 0,
                "channel_shuffle: ", groups.expect_int(), " groups of an input of ", self.sizes());
    return at::empty(self.sizes(), self.options(), self.suggest_memory_format());
}

}  // namespace ferry::fake_ops
