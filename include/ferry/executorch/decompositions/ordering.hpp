#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

/// Elements in order, and where one would stand among them. The runtime has topk and comparisons.
namespace ferry::executorch::parts {

struct sort {
    static constexpr auto target = op("aten::sort");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim, bool descending);
};

struct stable_sort {
    static constexpr auto target = op("aten::sort.stable");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::optional<bool>, std::int64_t dim,
                                                        bool descending);
};

struct kthvalue {
    static constexpr auto target = op("aten::kthvalue");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t k, std::int64_t dim,
                                                        bool keepdim);
};

struct median_along {
    static constexpr auto target = op("aten::median.dim");
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim, bool keepdim);
};

struct median {
    static constexpr auto target = op("aten::median");
    static at::Tensor decompose(const at::Tensor& self);
};

struct bucketize {
    static constexpr auto target = op("aten::bucketize.Tensor");
    static at::Tensor decompose(const at::Tensor& self, const at::Tensor& boundaries, bool out_int32, bool right);
};

struct searchsorted {
    static constexpr auto target = op("aten::searchsorted.Tensor");
    static at::Tensor decompose(const at::Tensor& sorted, const at::Tensor& self, bool out_int32, bool right,
                                std::optional<std::string_view> side, const std::optional<at::Tensor>& sorter);
};

struct histogram {
    static constexpr auto target = op("aten::histc");
    static at::Tensor decompose(const at::Tensor& self, std::int64_t bins, const at::Scalar& min,
                                const at::Scalar& max);
};

}  // namespace ferry::executorch::parts

namespace ferry {

using executorch_ordering_decompositions =
    decompositions<executorch::parts::sort, executorch::parts::stable_sort, executorch::parts::kthvalue,
                   executorch::parts::median_along, executorch::parts::median, executorch::parts::bucketize,
                   executorch::parts::searchsorted, executorch::parts::histogram>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/decompositions/ordering-inl.hpp>
#endif
