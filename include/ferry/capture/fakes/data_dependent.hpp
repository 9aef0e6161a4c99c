#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

/// Ops whose result is as large as the values say. Zeros would give the size that zeros have, so each has a rule.
namespace ferry::fake_ops {

struct nonzero {
    static constexpr auto target = op("aten::nonzero", "aten::argwhere");
    static at::Tensor fake(const at::Tensor& self);
};

struct nonzero_static {
    static constexpr auto target = op("aten::nonzero_static");
    static at::Tensor fake(const at::Tensor& self, const c10::SymInt& size, std::int64_t);
};

struct masked_select {
    static constexpr auto target = op("aten::masked_select");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& mask);
};

struct index {
    static constexpr auto target = op("aten::index.Tensor");
    [[nodiscard]] static bool is_mask(const at::Tensor& tensor);
    static at::Tensor fake(const at::Tensor& self, const c10::List<std::optional<at::Tensor>>& indices);
};

struct repeat_interleave {
    static constexpr auto target = op("aten::repeat_interleave.Tensor");
    static at::Tensor fake(const at::Tensor& repeats, std::optional<c10::SymInt> output_size);
};

struct bincount {
    static constexpr auto target = op("aten::bincount");
    static at::Tensor fake(const at::Tensor& self, const std::optional<at::Tensor>& weights, std::int64_t least);
};

struct one_hot {
    static constexpr auto target = op("aten::one_hot");
    static at::Tensor fake(const at::Tensor& self, std::int64_t classes);
};

// What is not asked for is empty.

struct unique_flat {
    static constexpr auto target = op("aten::_unique2");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, bool, bool inverse, bool counts);
};

struct unique_pair {
    static constexpr auto target = op("aten::_unique");
    static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, bool, bool inverse);
};

struct unique_dim {
    static constexpr auto target = op("aten::unique_dim");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool, bool,
                                                               bool);
};

struct unique_dim_consecutive {
    static constexpr auto target = op("aten::unique_dim_consecutive");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool, bool);
};

struct unique_consecutive {
    static constexpr auto target = op("aten::unique_consecutive");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, bool inverse, bool counts,
                                                               std::optional<std::int64_t> dim);
};

}  // namespace ferry::fake_ops

namespace ferry {

using data_dependent_fakes =
    fakes<fake_ops::nonzero, fake_ops::nonzero_static, fake_ops::masked_select, fake_ops::index,
          fake_ops::repeat_interleave, fake_ops::bincount, fake_ops::one_hot, fake_ops::unique_flat,
          fake_ops::unique_pair, fake_ops::unique_dim, fake_ops::unique_dim_consecutive, fake_ops::unique_consecutive>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/data_dependent-inl.hpp>
#endif
