#pragma once

#include <ferry/capture/boxed_tensors.hpp>

#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/from_blob.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>

/// Tensors with a shape and no data, and how an op runs on them.
namespace ferry::capture {

/// What code is told that asks for the data of a fake tensor. Each such tensor has a copy of its own: this fits into a string as it is.
inline constexpr const char* no_data = "ferry: no data";

/// Makes code that asks for the data of a fake tensor fail with a sentence instead of reading address zero.
inline void forbid_data(const at::Tensor& fake) {
    fake.unsafeGetTensorImpl()
        ->unsafe_storage()
        .unsafeGetStorageImpl()
        ->release_data_and_set_meta_custom_data_ptr_error_msg_(no_data);
}

/// Of each parameter in each run: so without a detour through the dispatcher.
[[nodiscard]] inline at::Tensor make_fake(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type) {
    at::Tensor fake(at::detail::empty_strided_meta(sizes, strides, type));
    forbid_data(fake);
    return fake;
}
[[nodiscard]] inline at::Tensor fake_like(const at::Tensor& real) {
    return make_fake(real.sizes(), real.strides(), real.scalar_type());
}

namespace detail {

/// A tensor of that shape whose memory is zeros and takes no room until somebody writes to it. There is enough of it for kernels
/// that do not look at strides.
[[nodiscard]] inline at::Tensor as_zeros(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.is_meta()) return tensor;
    const auto bytes = std::max<std::size_t>(
        {1, tensor.nbytes(),
         at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.dtype().itemsize())});
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return at::from_blob(
        memory, tensor.sizes(), tensor.strides(), [bytes](void* at) { ::munmap(at, bytes); },
        tensor.options().device(at::kCPU));
}

[[nodiscard]] inline at::Tensor as_meta(const at::Tensor& tensor) {
    return tensor.defined() && !tensor.is_meta() ? fake_like(tensor) : tensor;
}

}  // namespace detail

/// Runs an op whose Meta kernel libtorch keeps in Python: on zeros, for the sizes that come out.
inline void run_on_zeros(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const auto& arguments = op.schema().arguments();
    const std::size_t first = stack.size() - arguments.size();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        c10::IValue& value = stack[first + i];
        if (value.isDevice())
            value = c10::Device(c10::kCPU);
        else
            value = detail::exchange_tensors(value, detail::as_zeros);
    }
    op.callBoxed(stack);
    for (std::size_t i = first; i < stack.size(); ++i) stack[i] = detail::exchange_tensors(stack[i], detail::as_meta);
}

}  // namespace ferry::capture
