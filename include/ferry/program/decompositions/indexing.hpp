#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/arguments.hpp>
#include <ferry/program/decompositions/factory.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/any.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/where.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

/// Elements picked and placed by number: index and index_put are core ATen.
namespace ferry {
namespace decomposed {

using Indices = c10::List<std::optional<at::Tensor>>;

/// x[:, :, index] with the index at `dim`.
[[nodiscard]] inline Indices at_dim(const at::Tensor& self, std::int64_t dim, const at::Tensor& index) {
    Indices indices;
    for (std::int64_t i = from_front(dim, self.dim()); i > 0; --i) indices.push_back(std::nullopt);
    indices.push_back(index);
    return indices;
}

/// A scalar is a list of one.
[[nodiscard]] inline at::Tensor listed(const at::Tensor& self) { return self.dim() == 0 ? self.unsqueeze(0) : self; }

struct index_add {
    static constexpr auto target = op("aten::index_add");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Tensor& source, const at::Scalar& alpha) {
        const at::Scalar factor = factor_of(source, alpha);
        const at::Tensor x = listed(self), added = factor.equal(1) ? source : source * factor;
        const at::Tensor made = at::index_put(x, at_dim(x, dim, listed(index)), added, /*accumulate=*/true);
        return self.dim() == 0 ? made.squeeze(at::IntArrayRef(0)) : made;
    }
};
struct index_copy {
    static constexpr auto target = op("aten::index_copy");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Tensor& source) {
        const at::Tensor x = listed(self);
        const at::Tensor made = at::index_put(x, at_dim(x, dim, listed(index)), source);
        return self.dim() == 0 ? made.squeeze(at::IntArrayRef(0)) : made;
    }
};
struct index_fill_tensor {
    static constexpr auto target = op("aten::index_fill.int_Tensor");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Tensor& value) {
        const at::Tensor x = listed(self);
        const at::Tensor made = at::index_put(x, at_dim(x, dim, listed(index)), cast(value, self.scalar_type()));
        return self.dim() == 0 ? made.squeeze(at::IntArrayRef(0)) : made;
    }
};
struct index_fill_scalar {
    static constexpr auto target = op("aten::index_fill.int_Scalar");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Scalar& value) {
        return index_fill_tensor::decompose(self, dim, index, number_like(self, value));
    }
};
struct unsafe_index {
    static constexpr auto target = op("aten::_unsafe_index.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const Indices& indices) { return at::index(self, indices); }
};
struct unsafe_index_put {
    static constexpr auto target = op("aten::_unsafe_index_put");
    static at::Tensor decompose(const at::Tensor& self, const Indices& indices, const at::Tensor& values, bool add) {
        return at::index_put(self, indices, values, add);
    }
};
struct take {
    static constexpr auto target = op("aten::take");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& index) {
        return at::index(self.reshape({-1}), Indices({index}));
    }
};

/// Each against each: sizes of both may be any, and no order has to be made.
struct isin_tensors {
    static constexpr auto target = op("aten::isin.Tensor_Tensor");
    static at::Tensor decompose(const at::Tensor& elements, const at::Tensor& wanted, bool /*unique*/, bool invert) {
        const at::Tensor found = elements.unsqueeze(-1).eq(wanted.reshape({-1})).any(-1);
        return invert ? found.logical_not() : found;
    }
};
struct isin_scalar {
    static constexpr auto target = op("aten::isin.Tensor_Scalar");
    static at::Tensor decompose(const at::Tensor& elements, const at::Scalar& wanted, bool /*unique*/, bool invert) {
        return invert ? elements.ne(wanted) : elements.eq(wanted);
    }
};

/// Places of the elements under each position of a sliding window: (window, place).
struct Windows {
    std::int64_t size, kernel, dilation, padding, stride;

    [[nodiscard]] std::int64_t count() const {
        require_positive(stride, "stride");
        const std::int64_t whole = checked_add(size, checked_mul(2, padding)),
                           window = checked_add(checked_mul(dilation, checked_add(kernel, -1)), 1);
        return checked_floor_div(checked_add(whole, checked_neg(window)), stride) + 1;
    }
    [[nodiscard]] at::Tensor places(at::Device device) const {
        const std::int64_t windows = count();  // first: it refuses numbers that are out of all bounds
        return count_to(kernel, device).mul(dilation).unsqueeze(-1) + count_to(windows, device).mul(stride);
    }
};

struct image_to_columns {
    static constexpr auto target = op("aten::im2col");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
                                at::IntArrayRef padding, at::IntArrayRef stride) {
        require_items(kernel, 2, "kernel_size");
        require_items(dilation, 2, "dilation");
        require_items(padding, 2, "padding");
        require_items(stride, 2, "stride");
        const at::Tensor image = self.dim() == 3 ? self.unsqueeze(0) : self;
        const Windows rows{image.size(2), kernel[0], dilation[0], padding[0], stride[0]};
        const Windows columns{image.size(3), kernel[1], dilation[1], padding[1], stride[1]};
        const at::Tensor padded = at::constant_pad_nd(image, {padding[1], padding[1], padding[0], padding[0]}, 0);
        const at::Device device = real_device(self);
        const at::Tensor picked =
            at::index(padded, Indices({std::nullopt, std::nullopt, rows.places(device).unsqueeze(-1).unsqueeze(-1),
                                       columns.places(device)}));
        const at::Tensor made =
            picked.permute({0, 1, 2, 4, 3, 5})
                .reshape({image.size(0), checked_mul(image.size(1), checked_mul(kernel[0], kernel[1])),
                          checked_mul(rows.count(), columns.count())});
        return self.dim() == 3 ? made.squeeze(at::IntArrayRef(0)) : made;
    }
};

/// Padding by elements of the tensor itself; the last dimension comes first in `padding`.
template <class Place>
[[nodiscard]] at::Tensor pad_by_index(const at::Tensor& self, at::IntArrayRef padding, Place&& place) {
    at::Tensor padded = self;
    const std::size_t dims = padding.size() / 2;
    for (std::size_t i = 0; i < dims; ++i) {
        const std::int64_t dim = self.dim() - static_cast<std::int64_t>(dims - i), size = self.size(dim);
        const std::int64_t left = padding[2 * (dims - 1 - i)], right = padding[2 * (dims - 1 - i) + 1];
        const at::Tensor wanted = count_to(checked_add(checked_add(left, size), right), real_device(self)).sub(left);
        padded = at::index(padded, at_dim(padded, dim, place(wanted, size)));
    }
    return padded;
}
struct reflection_pad {
    static constexpr auto target = op("aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef padding) {
        return pad_by_index(self, padding, [](const at::Tensor& wanted, std::int64_t size) {
            return wanted.abs().neg().add(size - 1).abs().neg().add(size - 1);
        });
    }
};
struct replication_pad {
    static constexpr auto target = op("aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef padding) {
        return pad_by_index(self, padding,
                            [](const at::Tensor& wanted, std::int64_t size) { return wanted.clamp(0, size - 1); });
    }
};

}  // namespace decomposed

using indexing_decompositions =
    decompositions<decomposed::index_add, decomposed::index_copy, decomposed::index_fill_tensor,
                   decomposed::index_fill_scalar, decomposed::unsafe_index, decomposed::unsafe_index_put,
                   decomposed::take, decomposed::isin_tensors, decomposed::isin_scalar, decomposed::image_to_columns,
                   decomposed::reflection_pad, decomposed::replication_pad>;

}  // namespace ferry
