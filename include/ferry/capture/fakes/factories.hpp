#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>

/// Tensors made of numbers alone.
namespace ferry::fake_ops {

struct tril_indices {
    static constexpr auto target = op("aten::tril_indices");
    static at::Tensor fake(std::int64_t row, std::int64_t col, std::int64_t offset, std::optional<at::ScalarType> dtype,
                           std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>);
};

struct triu_indices {
    static constexpr auto target = op("aten::triu_indices");
    static at::Tensor fake(std::int64_t row, std::int64_t col, std::int64_t offset, std::optional<at::ScalarType> dtype,
                           std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>);
};

struct randperm {
    static constexpr auto target = op("aten::randperm");
    static at::Tensor fake(const c10::SymInt& n, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                           std::optional<at::Device>, std::optional<bool>);
};

}  // namespace ferry::fake_ops

namespace ferry {

using factory_fakes = fakes<fake_ops::tril_indices, fake_ops::triu_indices, fake_ops::randperm>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/factories-inl.hpp>
#endif
