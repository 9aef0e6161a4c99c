#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <cstdint>

/// The three transforms that all others of torch.fft come down to.
namespace ferry::fake_ops {

struct fft_c2c {
    static constexpr auto target = op("aten::_fft_c2c");
    static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef, std::int64_t, bool);
};

struct fft_r2c {
    static constexpr auto target = op("aten::_fft_r2c");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, bool onesided);
};

struct fft_c2r {
    static constexpr auto target = op("aten::_fft_c2r");
    static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, const c10::SymInt& size);
};

}  // namespace ferry::fake_ops

namespace ferry {

using fft_fakes = fakes<fake_ops::fft_c2c, fake_ops::fft_r2c, fake_ops::fft_c2r>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/fakes/fft-inl.hpp>
#endif
