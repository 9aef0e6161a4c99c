#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/linspace.h>
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
struct new_full {
    static constexpr auto target = op("aten::new_full");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, const at::Scalar& fill, Dtype dtype,
                                Layout layout, Device device, Pinned pinned) {
        return at::full(size, fill, dtype.value_or(self.scalar_type()), layout, device ? device : real_device(self),
                        pinned);
    }
};
struct new_ones {
    static constexpr auto target = op("aten::new_ones");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
                                Pinned pinned) {
        return new_full::decompose(self, size, 1, dtype, layout, device, pinned);
    }
};
struct new_zeros {
    static constexpr auto target = op("aten::new_zeros");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
                                Pinned pinned) {
        return new_full::decompose(self, size, 0, dtype, layout, device, pinned);
    }
};
/// What is in it is anybody's guess, and nothing reads it: zeros will do, and are the same in every run.
struct new_empty {
    static constexpr auto target = op("aten::new_empty");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
                                Pinned pinned) {
        return new_full::decompose(self, size, 0, dtype, layout, device, pinned);
    }
};
struct empty_like {
    static constexpr auto target = op("aten::empty_like");
    static at::Tensor decompose(const at::Tensor& self, Dtype dtype, Layout layout, Device device, Pinned pinned,
                                std::optional<at::MemoryFormat> format) {
        return at::full_like(self, 0, dtype, layout, device, pinned, format);
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
struct fill_tensor {
    static constexpr auto target = op("aten::fill.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& value) {
        return cast(value, self.scalar_type()).expand(self.sizes()).clone();
    }
};
struct zero {
    static constexpr auto target = op("aten::zero");
    static at::Tensor decompose(const at::Tensor& self) { return at::full_like(self, 0); }
};

[[nodiscard]] inline at::Tensor count_to(std::int64_t end, Device device) {
    return at::arange(0, end, 1, at::kLong, std::nullopt, device, std::nullopt);
}
/// Column less row, for each element of a matrix.
[[nodiscard]] inline at::Tensor offsets_from_diagonal(std::int64_t rows, std::int64_t columns, Device device) {
    return count_to(columns, device) - count_to(rows, device).unsqueeze(-1);
}
[[nodiscard]] inline at::Tensor offsets_from_diagonal(const at::Tensor& self) {
    return offsets_from_diagonal(self.size(-2), self.size(-1), real_device(self));
}
struct tril {
    static constexpr auto target = op("aten::tril");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t diagonal) {
        return at::where(offsets_from_diagonal(self).le(diagonal), self, number_like(self, 0));
    }
};
struct triu {
    static constexpr auto target = op("aten::triu");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t diagonal) {
        return at::where(offsets_from_diagonal(self).ge(diagonal), self, number_like(self, 0));
    }
};
struct eye_rectangular {
    static constexpr auto target = op("aten::eye.m");
    static at::Tensor decompose(std::int64_t rows, std::int64_t columns, Dtype dtype, Layout, Device device, Pinned) {
        return offsets_from_diagonal(rows, columns, device).eq(0).to(or_default(dtype));
    }
};
struct eye {
    static constexpr auto target = op("aten::eye");
    static at::Tensor decompose(std::int64_t size, Dtype dtype, Layout layout, Device device, Pinned pinned) {
        return eye_rectangular::decompose(size, size, dtype, layout, device, pinned);
    }
};
/// From both ends to the middle, as the kernel counts: so the last element is `end` itself.
struct linspace {
    static constexpr auto target = op("aten::linspace");
    static at::Tensor decompose(const at::Scalar& start, const at::Scalar& end, std::int64_t steps, Dtype dtype,
                                Layout layout, Device device, Pinned pinned) {
        const at::ScalarType wanted = or_default(dtype);
        if (c10::isComplexType(wanted)) return at::linspace(start, end, steps, dtype, layout, device, pinned);
        if (steps < 2) return at::full({steps}, start, wanted, layout, device, pinned);
        const at::ScalarType computed =
            wanted == at::kDouble || c10::isIntegralType(wanted, true) ? at::kDouble : at::kFloat;
        const at::Tensor forth = count_to(steps, device), back = forth.neg().add(steps - 1);
        const auto number = [&](const at::Scalar& value) {
            return at::full({}, value, computed, std::nullopt, device, std::nullopt);
        };
        const at::Tensor step = number(end.toDouble() - start.toDouble()) / number(steps - 1);
        const at::Tensor first = forth.to(computed).mul(step).add(start),
                         last = back.to(computed).mul(step).neg().add(end);
        return at::where(forth.lt(back), first, last).to(wanted);
    }
};

}  // namespace decomposed

using factory_decompositions =
    decompositions<decomposed::arange_end, decomposed::arange_start, decomposed::ones, decomposed::zeros,
                   decomposed::new_full, decomposed::new_ones, decomposed::new_zeros, decomposed::new_empty,
                   decomposed::empty_like, decomposed::ones_like, decomposed::zeros_like, decomposed::fill,
                   decomposed::fill_tensor, decomposed::zero, decomposed::tril, decomposed::triu,
                   decomposed::eye_rectangular, decomposed::eye, decomposed::linspace>;

}  // namespace ferry
