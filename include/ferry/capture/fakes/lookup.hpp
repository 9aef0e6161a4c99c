#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace ferry::fake_ops {

struct index_select {
    static constexpr auto target = op("aten::index_select");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index);
};

struct embedding {
    static constexpr auto target = op("aten::embedding");
    static at::Tensor fake(const at::Tensor& weight, const at::Tensor& indices, std::int64_t, bool, bool);
};

struct take {
    static constexpr auto target = op("aten::take");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& index);
};

struct embedding_bag {
    static constexpr auto target = op("aten::_embedding_bag", "aten::_embedding_bag_forward_only");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> fake(
        const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool, std::int64_t mode, bool,
        const std::optional<at::Tensor>& weights, bool include_last_offset, std::int64_t padding_idx);
};

}  // namespace ferry::fake_ops

namespace ferry {

using lookup_fakes = fakes<fake_ops::index_select, fake_ops::embedding, fake_ops::take, fake_ops::embedding_bag>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/lookup-inl.hpp>
#endif
