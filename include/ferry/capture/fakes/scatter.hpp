#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>

/// Slices written to where an index says. libtorch's Meta kernels ask whether the tensors share memory, which those without data
/// cannot tell.
namespace ferry::fake_ops {

struct index_add {
    static constexpr auto target = op("aten::index_add");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source,
                           const at::Scalar&);
};

struct index_copy {
    static constexpr auto target = op("aten::index_copy");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source);
};

struct index_reduce {
    static constexpr auto target = op("aten::index_reduce");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source,
                           std::string_view, bool);
};

}  // namespace ferry::fake_ops

namespace ferry {

using scatter_fakes = fakes<fake_ops::index_add, fake_ops::index_copy, fake_ops::index_reduce>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/scatter-inl.hpp>
#endif
