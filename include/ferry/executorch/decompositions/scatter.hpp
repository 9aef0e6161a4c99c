#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

/// Numbers that come together where an index says. The runtime has that of sums.
namespace ferry::executorch::parts {

struct scatter_reduce {
    static constexpr auto target = op("aten::scatter_reduce.two");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Tensor& source, std::string_view how, bool with_self);
};

struct scatter_by_name {
    static constexpr auto target = op("aten::scatter.reduce");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Tensor& source, std::string_view how);
};

struct scatter_of_number {
    static constexpr auto target = op("aten::scatter.value_reduce");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
                                const at::Scalar& value, std::string_view how);
};

struct diagonal_scatter {
    static constexpr auto target = op("aten::diagonal_scatter");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& source, std::int64_t offset,
                                std::int64_t dim1, std::int64_t dim2);
};

/// Sums, means or maxima of the rows that each bag looks up.
struct embedding_bag {
    using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
    static constexpr auto target = op("aten::_embedding_bag", "aten::_embedding_bag_forward_only");
    static Results decompose(const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool,
                             std::int64_t mode, bool, const std::optional<at::Tensor>& factors,
                             bool ends_with_last_offset, std::int64_t padding_index);
};

/// An image, of patches that overlap.
struct col2im {
    static constexpr auto target = op("aten::col2im");
    static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef kernel,
                                at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_scatter_decompositions =
    decompositions<executorch::parts::scatter_reduce, executorch::parts::scatter_by_name,
                   executorch::parts::scatter_of_number, executorch::parts::diagonal_scatter,
                   executorch::parts::embedding_bag, executorch::parts::col2im>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/scatter-inl.hpp>
#endif
