#pragma once

#include <ferry/capture/body.hpp>
#include <ferry/graph/interpreter.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

/// What a decomposition may ask beyond the tensors that it is given: those are fakes, of one size out of many.
namespace ferry::decomposed {

/// Where the tensor is when the program runs: a fake one itself says meta.
[[nodiscard]] inline at::Device real_device(const at::Tensor& tensor) {
    capture::Tracer* tracer = capture::current_tracer();
    return tracer != nullptr ? tracer->device_of(tensor) : tensor.device();
}

/// A number as a tensor, to take part in an op that has no place for numbers.
[[nodiscard]] inline at::Tensor number_like(const at::Tensor& self, const at::Scalar& value,
                                            std::optional<at::ScalarType> dtype = {}) {
    return at::full({}, value, dtype.value_or(self.scalar_type()), std::nullopt, real_device(self), std::nullopt);
}

/// Kernels compute half precision in single precision, and so must what stands for them.
[[nodiscard]] inline at::Tensor wide(const at::Tensor& self) {
    return c10::isReducedFloatingType(self.scalar_type()) ? self.to(at::kFloat) : self;
}
[[nodiscard]] inline at::Tensor cast(const at::Tensor& self, at::ScalarType dtype) {
    return self.scalar_type() == dtype ? self : self.to(dtype);
}
template <class Function>
[[nodiscard]] at::Tensor widely(const at::Tensor& self, Function&& function) {
    return cast(function(wide(self)), self.scalar_type());
}

namespace detail {

inline thread_local const RunWatch* running = nullptr;

}  // namespace detail

/// While it lives, decompositions of this thread are of the nodes that this watch sees.
class RunningScope {
public:
    explicit RunningScope(const RunWatch& watch) : before_(std::exchange(detail::running, &watch)) {}
    RunningScope(const RunningScope&) = delete;
    RunningScope& operator=(const RunningScope&) = delete;
    ~RunningScope() { detail::running = before_; }

private:
    const RunWatch* before_;
};

/// Whether a size of the tensor that the running node has as this argument may be another one in another run of the program.
[[nodiscard]] inline bool may_vary(std::string_view argument, std::int64_t dim) {
    if (detail::running == nullptr || detail::running->node == nullptr) return false;
    const Argument* given = detail::running->node->find(argument);
    const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
    if (value == nullptr) return false;
    const auto& sizes = detail::running->graph->info(*value).tensor.sizes;
    return !sizes.at(static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(sizes.size()) : dim))
                .is_constant();
}

}  // namespace ferry::decomposed
