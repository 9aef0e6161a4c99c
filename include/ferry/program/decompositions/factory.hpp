#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/where.h>
#include <c10/core/DefaultDtype.h>

#include <cstdint>
#include <optional>

/// Tensors made from nothing: `full` and `arange.start_step` are core ATen's only ones.
namespace ferry {
namespace decomposed {

using Dtype = std::optional<at::ScalarType>;
using Layout = std::optional<at::Layout>;
using Device = std::optional<at::Device>;
using Pinned = std::optional<bool>;

[[nodiscard]] inline at::ScalarType or_default(Dtype dtype) {
    return dtype.value_or(c10::typeMetaToScalarType(c10::get_default_dtype()));
}

struct arange_end {
    static constexpr auto target = op("aten::arange");
    static at::Tensor decompose(const at::Scalar& end, Dtype dtype, Layout layout, Device device, Pinned pinned) {
        return at::arange(0, end, 1, dtype, layout, device, pinned);
    }
};
struct arange_start {
    static constexpr auto target = op("aten::arange.start");
    static at::Tensor decompose(const at::Scalar& start, const at::Scalar& end, Dtype dtype, Layout layout,
                                Device device, Pinned pinned) {
        return at::arange(start, end, 1, dtype, layout, device, pinned);
    }
};

struct ones {
    static constexpr auto target = op("aten::ones");
    static at::Tensor decompose(at::IntArrayRef size, Dtype dtype, Layout layout, Device device, Pinned pinned) {
        return at::full(size, 1, or_default(dtype), layout, device, pinned);
    }
};
struct zeros {
    static constexpr auto target = op("aten::zeros");
    static at::Tensor decompose(at::IntArrayRef size, Dtype dtype, Layout layout, Device device, Pinned pinned) {
        return at::full(size, 0, or_default(dtype), layout, device, pinned);
    }
};
/// The device of a fake `self` is meta: what it stands on comes out of the new_* op itself, so no device is named here.
struct new_full {
    static constexpr auto target = op("aten::new_full");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, const at::Scalar& fill, Dtype dtype,
                                Layout layout, Device device, Pinned pinned) {
        return at::full(size, fill, dtype.value_or(self.scalar_type()), layout, device, pinned);
    }
};
struct new_ones {
    static constexpr auto target = op("aten::new_ones");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
                                Pinned pinned) {
        return at::full(size, 1, dtype.value_or(self.scalar_type()), layout, device, pinned);
    }
};
struct new_zeros {
    static constexpr auto target = op("aten::new_zeros");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
                                Pinned pinned) {
        return at::full(size, 0, dtype.value_or(self.scalar_type()), layout, device, pinned);
    }
};
struct ones_like {
    static constexpr auto target = op("aten::ones_like");
    static at::Tensor decompose(const at::Tensor& self, Dtype dtype, Layout layout, Device device, Pinned pinned,
                                std::optional<at::MemoryFormat> format) {
        return at::full_like(self, 1, dtype, layout, device, pinned, format);
    }
};
struct zeros_like {
    static constexpr auto target = op("aten::zeros_like");
    static at::Tensor decompose(const at::Tensor& self, Dtype dtype, Layout layout, Device device, Pinned pinned,
                                std::optional<at::MemoryFormat> format) {
        return at::full_like(self, 0, dtype, layout, device, pinned, format);
    }
};
struct fill {
    static constexpr auto target = op("aten::fill.Scalar");
    static at::Tensor decompose(const at::Tensor& self, const at::Scalar& value) { return at::full_like(self, value); }
};

/// Column less row, for each element of the last two dimensions.
[[nodiscard]] inline at::Tensor offsets_from_diagonal(const at::Tensor& self) {
    return at::arange(0, self.size(-1), 1, at::kLong) - at::arange(0, self.size(-2), 1, at::kLong).unsqueeze(-1);
}
struct tril {
    static constexpr auto target = op("aten::tril");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t diagonal) {
        return at::where(offsets_from_diagonal(self).le(diagonal), self, at::full({}, 0, self.scalar_type()));
    }
};
struct triu {
    static constexpr auto target = op("aten::triu");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t diagonal) {
        return at::where(offsets_from_diagonal(self).ge(diagonal), self, at::full({}, 0, self.scalar_type()));
    }
};

}  // namespace decomposed

using factory_decompositions =
    decompositions<decomposed::arange_end, decomposed::arange_start, decomposed::ones, decomposed::zeros,
                   decomposed::new_full, decomposed::new_ones, decomposed::new_zeros, decomposed::ones_like,
                   decomposed::zeros_like, decomposed::fill, decomposed::tril, decomposed::triu>;

}  // namespace ferry
