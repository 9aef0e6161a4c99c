#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/decompositions/new_tensors.hpp>
#include <ferry/executorch/decompositions/pooling.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace ferry::executorch::parts {
namespace detail {

/// The windows along one dimension: where each begins and ends, in a row for each, and no more elements than `width`.
struct Windows {
    at::Tensor first, end;
    std::int64_t count, width;

    [[nodiscard]] at::Tensor positions() const { return first + count_up_to(first, width); }
};

/// A size in so many parts, which may overlap, and of which some may be one element longer than others.
[[nodiscard]] inline Windows shared_out(const at::Tensor& self, std::int64_t size, std::int64_t count) {
    const at::Tensor number = count_up_to(self, count).unsqueeze(1);
    return {.first = (number * size).floor_divide(count),
            .end = (number * size + (size + count - 1)).floor_divide(count),
            .count = count,
            .width = (size + count - 1) / count + 1};
}

struct Stepping {
    std::int64_t kernel, stride, padding;
    bool ceil_mode;
};
[[nodiscard]] inline std::vector<Stepping> stepping(at::IntArrayRef kernel, at::IntArrayRef stride,
                                                    at::IntArrayRef padding, bool ceil_mode) {
    const auto of = [](at::IntArrayRef list, std::size_t dim) { return list.size() == 1 ? list[0] : list[dim]; };
    std::vector<Stepping> all;
    all.reserve(3);
    for (std::size_t dim = 0; dim < 3; ++dim)
        all.push_back({of(kernel, dim), of(stride.empty() ? kernel : stride, dim), of(padding, dim), ceil_mode});
    return all;
}
/// In steps of one size, over the padding too.
[[nodiscard]] inline Windows in_steps(const at::Tensor& self, std::int64_t size, const Stepping& by) {
    const std::int64_t room = size + 2 * by.padding - by.kernel;
    std::int64_t count = (room + (by.ceil_mode ? by.stride - 1 : 0)) / by.stride + 1;
    if (by.ceil_mode && (count - 1) * by.stride >= size + by.padding) --count;
    const at::Tensor first = (count_up_to(self, count) * by.stride - by.padding).unsqueeze(1);
    return {.first = first, .end = first + by.kernel, .count = count, .width = by.kernel};
}

/// The elements at these positions of a dimension, in two: the windows, and what is in each.
[[nodiscard]] inline at::Tensor taken_apart(const at::Tensor& self, std::int64_t dim, const Windows& windows,
                                            const at::Tensor& positions) {
    at::DimVector sizes(self.sizes());
    sizes[static_cast<std::size_t>(dim)] = windows.count;
    sizes.insert(sizes.begin() + dim + 1, windows.width);
    return self.index_select(dim, positions.reshape(-1)).reshape(sizes);
}

/// Sums of each window along one dimension, each number over `share`.
[[nodiscard]] inline at::Tensor sums_along(const at::Tensor& self, std::int64_t dim, const Windows& windows,
                                           const std::optional<at::Tensor>& share) {
    const std::int64_t size = self.size(dim);
    const at::Tensor at = windows.positions();
    const at::Tensor is_in = at.ge(0).logical_and(at.lt(windows.end.clamp_max(size)));
    at::Tensor weight = is_in.to(self.scalar_type());
    if (share) weight = weight / *share;
    at::DimVector sizes(static_cast<std::size_t>(self.dim()) + 1, 1);
    sizes[static_cast<std::size_t>(dim)] = windows.count;
    sizes[static_cast<std::size_t>(dim) + 1] = windows.width;
    return (taken_apart(self, dim, windows, at.clamp(0, size - 1)) * weight.reshape(sizes)).sum(dim + 1);
}

/// The largest number of each window, and where it stands in its image. Windows are filled up with an element that they have.
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> largest_of(const at::Tensor& self,
                                                                   const std::vector<Windows>& windows) {
    const auto dims = static_cast<std::int64_t>(windows.size()), first = self.dim() - dims;
    at::Tensor taken = self, places = decomposed::number_like(self, 0, at::kLong);
    std::vector<std::int64_t> order(static_cast<std::size_t>(first));
    std::iota(order.begin(), order.end(), 0);
    for (const std::int64_t part : {0, 1})
        for (std::int64_t i = 0; i < dims; ++i) order.push_back(first + 2 * i + part);
    for (std::int64_t i = 0; i < dims; ++i) {
        const Windows& along = windows[static_cast<std::size_t>(i)];
        const std::int64_t size = self.size(first + i);
        const at::Tensor at = along.positions().minimum(along.end.clamp_max(size) - 1).clamp_min(0);
        taken = taken_apart(taken, first + 2 * i, along, at);
        at::DimVector sizes(2 * windows.size(), 1);
        sizes[static_cast<std::size_t>(i)] = along.count;
        sizes[static_cast<std::size_t>(dims + i)] = along.width;
        places = places * size + at.reshape(sizes);
    }
    at::DimVector flat(self.sizes().slice(0, static_cast<std::size_t>(first)));
    std::int64_t width = 1;
    for (const Windows& along : windows) {
        flat.push_back(along.count);
        width *= along.width;
    }
    flat.push_back(width);
    taken = taken.permute(order).reshape(flat);
    places = places.reshape(at::IntArrayRef(flat).slice(static_cast<std::size_t>(first))).expand(flat);
    return {taken.amax(-1), places.gather(-1, taken.argmax(-1, true)).squeeze(-1)};
}

}  // namespace detail

FERRY_INLINE at::Tensor avg_pool3d::decompose(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef stride,
                                              at::IntArrayRef padding, bool ceil_mode, bool counts_padding,
                                              std::optional<std::int64_t> divisor) {
    return decomposed::widely(self, [&](at::Tensor made) {
        std::int64_t dim = self.dim() - 3;
        for (const detail::Stepping& by : detail::stepping(kernel, stride, padding, ceil_mode)) {
            const std::int64_t size = made.size(dim);
            const detail::Windows windows = detail::in_steps(self, size, by);
            const std::int64_t around = counts_padding ? by.padding : 0;
            const at::Tensor share = windows.end.clamp_max(size + around) - windows.first.clamp_min(-around);
            made = detail::sums_along(made, dim++, windows, divisor ? std::nullopt : std::optional(share));
        }
        return divisor ? made / *divisor : made;
    });
}

FERRY_INLINE at::Tensor adaptive_avg_pool3d::decompose(const at::Tensor& self, at::IntArrayRef sizes) {
    return decomposed::widely(self, [&](at::Tensor made) {
        std::int64_t dim = self.dim() - 3;
        for (const std::int64_t count : sizes) {
            const detail::Windows windows = detail::shared_out(self, made.size(dim), count);
            made = detail::sums_along(made, dim++, windows, windows.end - windows.first);
        }
        return made;
    });
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> max_pool3d::decompose(const at::Tensor& self, at::IntArrayRef kernel,
                                                                      at::IntArrayRef stride, at::IntArrayRef padding,
                                                                      at::IntArrayRef dilation, bool ceil_mode) {
    for (const std::int64_t each : dilation)
        TORCH_CHECK(each == 1, "max_pool3d: a dilation is not supported for ExecuTorch");
    std::vector<detail::Windows> windows;
    std::int64_t dim = self.dim() - 3;
    for (const detail::Stepping& by : detail::stepping(kernel, stride, padding, ceil_mode))
        windows.push_back(detail::in_steps(self, self.size(dim++), by));
    return detail::largest_of(self, windows);
}

FERRY_INLINE std::tuple<at::Tensor, at::Tensor> adaptive_max_pool::decompose(const at::Tensor& self,
                                                                             at::IntArrayRef sizes) {
    std::vector<detail::Windows> windows;
    std::int64_t dim = self.dim() - static_cast<std::int64_t>(sizes.size());
    for (const std::int64_t count : sizes) windows.push_back(detail::shared_out(self, self.size(dim++), count));
    return detail::largest_of(self, windows);
}

}  // namespace ferry::executorch::parts
