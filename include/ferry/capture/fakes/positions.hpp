#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>

/// Parts of a tensor at a position that may be the value of another tensor (`cache.narrow(1, position.item(), 1)`). Where such a value
/// was asked for, a capture has no position to check: the result is as large at any, and the kernel checks when the program runs.
namespace ferry::fake_ops {

struct narrow {
    static constexpr auto target = op("aten::narrow");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& start,
                           const c10::SymInt& length);
};

struct select {
    static constexpr auto target = op("aten::select.int");
    static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& index);
};

struct select_scatter {
    static constexpr auto target = op("aten::select_scatter");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
                           const c10::SymInt& index);
};

struct slice_scatter {
    static constexpr auto target = op("aten::slice_scatter");
    static at::Tensor fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
                           const std::optional<c10::SymInt>& start, const std::optional<c10::SymInt>& end,
                           const c10::SymInt& step);
};

}  // namespace ferry::fake_ops

namespace ferry {

using position_fakes = fakes<fake_ops::narrow, fake_ops::select, fake_ops::select_scatter, fake_ops::slice_scatter>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/positions-inl.hpp>
#endif
