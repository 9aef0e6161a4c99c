#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/factory.hpp>
#include <ferry/program/decompositions/indexing.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Images and sequences at other sizes: weights and places are computed, elements picked by index.
namespace ferry {
namespace decomposed {

using Scale = std::optional<double>;

/// One dimension of an image that is resized.
struct Axis {
    std::int64_t size, wanted;
    bool align_corners;
    Scale scale;
    at::Device device;
    at::ScalarType dtype;

    /// Sizes may be symbols, so a ratio of them is computed by tensors.
    [[nodiscard]] at::Tensor ratio() const {
        const auto number = [&](const at::Scalar& value) {
            return at::full({}, value, dtype, std::nullopt, device, std::nullopt);
        };
        if (align_corners) return wanted > 1 ? number(size - 1) / number(wanted - 1) : number(0);
        return scale && *scale > 0 ? number(1.0 / *scale) : number(size) / number(wanted);
    }
    /// Where each wanted element lies in the image, in fractions of an element.
    [[nodiscard]] at::Tensor places() const {
        const at::Tensor counted = count_to(wanted, device).to(dtype);
        return align_corners ? counted * ratio() : (counted + 0.5) * ratio() - 0.5;
    }
};

[[nodiscard]] inline at::ScalarType weight_type(const at::Tensor& image) {
    return image.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

/// Bytes are resampled as real numbers, and rounded after each dimension: the last one is the first, as in the kernels.
[[nodiscard]] inline at::Tensor as_reals(const at::Tensor& image) { return wide(as_float(image)); }
[[nodiscard]] inline at::Tensor rounded_for(const at::Tensor& image, at::ScalarType dtype) {
    return dtype == at::kByte ? image.round().clamp(0, 255) : image;
}

/// Between two neighbours, along one dimension after the other: fewer elements are picked than by all dimensions at once.
[[nodiscard]] inline at::Tensor resample_linearly(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners,
                                                  const std::vector<Scale>& scales) {
    require_items(sizes, scales.size(), "output_size");
    const auto dims = static_cast<std::int64_t>(sizes.size());
    at::Tensor image = as_reals(self);
    for (std::int64_t i = dims - 1; i >= 0; --i) {
        const std::int64_t dim = self.dim() - dims + i, last = self.size(dim) - 1;
        const auto at = static_cast<std::size_t>(i);
        const Axis axis{self.size(dim), sizes[at], align_corners, scales[at], real_device(self), weight_type(self)};
        const at::Tensor place = axis.places().clamp_min(0), lower = place.to(at::kLong);
        at::Tensor share = (place - lower).clamp(0, 1);
        for (std::int64_t behind = i + 1; behind < dims; ++behind) share = share.unsqueeze(-1);
        const at::Tensor a = at::index(image, at_dim(image, dim, lower)),
                         b = at::index(image, at_dim(image, dim, (lower + 1).clamp_max(last)));
        image = rounded_for(a + (b - a) * share, self.scalar_type());
    }
    return cast(image, self.scalar_type());
}
struct upsample_linear1d {
    static constexpr auto target = op("aten::upsample_linear1d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale scale) {
        return resample_linearly(self, sizes, align_corners, {scale});
    }
};
struct upsample_bilinear2d {
    static constexpr auto target = op("aten::upsample_bilinear2d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale height,
                                Scale width) {
        return resample_linearly(self, sizes, align_corners, {height, width});
    }
};
struct upsample_trilinear3d {
    static constexpr auto target = op("aten::upsample_trilinear3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale depth,
                                Scale height, Scale width) {
        return resample_linearly(self, sizes, align_corners, {depth, height, width});
    }
};

/// Weights of the four neighbours: Keys' cubic convolution with a = -0.75.
[[nodiscard]] inline std::array<at::Tensor, 4> cubic_weights(const at::Tensor& t) {
    constexpr double a = -0.75;
    const auto near = [](const at::Tensor& x) { return ((x * (a + 2)) - (a + 3)) * x * x + 1; };
    const auto far = [](const at::Tensor& x) { return ((x * a - 5 * a) * x + 8 * a) * x - 4 * a; };
    const at::Tensor back = t * -1 + 1;
    return {far(t + 1), near(t), near(back), far(back + 1)};
}
struct upsample_bicubic2d {
    static constexpr auto target = op("aten::upsample_bicubic2d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale height,
                                Scale width) {
        require_items(sizes, 2, "output_size");
        at::Tensor image = as_reals(self);
        for (const std::int64_t dim : {3, 2}) {
            const Axis axis{self.size(dim),    sizes[static_cast<std::size_t>(dim - 2)],
                            align_corners,     dim == 2 ? height : width,
                            real_device(self), weight_type(self)};
            const at::Tensor place = axis.places(), lower = place.floor();
            const auto weights = cubic_weights(place - lower);
            at::Tensor sum;
            for (std::int64_t i = 0; i < 4; ++i) {
                const at::Tensor from = (lower.to(at::kLong) + (i - 1)).clamp(0, axis.size - 1);
                const at::Tensor& weight = weights[static_cast<std::size_t>(i)];
                const at::Tensor part =
                    at::index(image, at_dim(image, dim, from)) * (dim == 2 ? weight.unsqueeze(-1) : weight);
                sum = i == 0 ? part : sum + part;
            }
            image = rounded_for(sum, self.scalar_type());
        }
        return cast(image, self.scalar_type());
    }
};

/// The nearest element: of the kernels `exact` ones look at the middle of an element, the older ones at its beginning.
[[nodiscard]] inline at::Tensor resample_nearest(const at::Tensor& self, at::IntArrayRef sizes, bool exact,
                                                 const std::vector<Scale>& scales) {
    require_items(sizes, scales.size(), "output_size");
    const auto dims = static_cast<std::int64_t>(sizes.size());
    at::Tensor image = self;
    for (std::int64_t i = 0; i < dims; ++i) {
        const std::int64_t dim = self.dim() - dims + i;
        const auto at = static_cast<std::size_t>(i);
        const Axis axis{self.size(dim), sizes[at], false, scales[at], real_device(self), at::kFloat};
        const at::Tensor counted = count_to(axis.wanted, axis.device).to(at::kFloat);
        const at::Tensor place = ((exact ? counted + 0.5 : counted) * axis.ratio()).to(at::kLong);
        image = at::index(image, at_dim(image, dim, place.clamp_max(axis.size - 1)));
    }
    return image;
}
struct upsample_nearest1d {
    static constexpr auto target = op("aten::upsample_nearest1d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale scale) {
        return resample_nearest(self, sizes, false, {scale});
    }
};
struct upsample_nearest2d {
    static constexpr auto target = op("aten::upsample_nearest2d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale height, Scale width) {
        return resample_nearest(self, sizes, false, {height, width});
    }
};
struct upsample_nearest3d {
    static constexpr auto target = op("aten::upsample_nearest3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale depth, Scale height, Scale width) {
        return resample_nearest(self, sizes, false, {depth, height, width});
    }
};
struct upsample_exact1d {
    static constexpr auto target = op("aten::_upsample_nearest_exact1d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale scale) {
        return resample_nearest(self, sizes, true, {scale});
    }
};
struct upsample_exact2d {
    static constexpr auto target = op("aten::_upsample_nearest_exact2d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale height, Scale width) {
        return resample_nearest(self, sizes, true, {height, width});
    }
};
struct upsample_exact3d {
    static constexpr auto target = op("aten::_upsample_nearest_exact3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale depth, Scale height, Scale width) {
        return resample_nearest(self, sizes, true, {depth, height, width});
    }
};

}  // namespace decomposed

using resampling_decompositions =
    decompositions<decomposed::upsample_linear1d, decomposed::upsample_bilinear2d, decomposed::upsample_trilinear3d,
                   decomposed::upsample_bicubic2d, decomposed::upsample_nearest1d, decomposed::upsample_nearest2d,
                   decomposed::upsample_nearest3d, decomposed::upsample_exact1d, decomposed::upsample_exact2d,
                   decomposed::upsample_exact3d>;

}  // namespace ferry
