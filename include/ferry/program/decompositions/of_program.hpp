#pragma once

#include <ferry/capture/body.hpp>
#include <ferry/capture/control_flow.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/sym_eval.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <c10/core/DefaultDtype.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

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

/// A factor of whole numbers is one too, as it is in the kernels.
[[nodiscard]] inline at::Scalar factor_of(const at::Tensor& self, const at::Scalar& factor) {
    const bool is_cut = factor.isFloatingPoint() && c10::isIntegralType(self.scalar_type(), /*includeBool=*/true);
    return is_cut ? at::Scalar(static_cast<std::int64_t>(factor.toDouble())) : factor;
}

/// Kernels compute half precision in single precision, and so must what stands for them.
[[nodiscard]] inline at::Tensor wide(const at::Tensor& self) {
    return c10::isReducedFloatingType(self.scalar_type()) ? self.to(at::kFloat) : self;
}
[[nodiscard]] inline at::Tensor cast(const at::Tensor& self, at::ScalarType dtype) {
    return self.scalar_type() == dtype ? self : self.to(dtype);
}
/// Whole numbers become floats, as in kernels of functions that are not whole.
[[nodiscard]] inline at::ScalarType as_float_type(const at::Tensor& self) {
    return c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
               ? c10::typeMetaToScalarType(c10::get_default_dtype())
               : self.scalar_type();
}
[[nodiscard]] inline at::Tensor as_float(const at::Tensor& self) { return cast(self, as_float_type(self)); }

template <class Function>
[[nodiscard]] at::Tensor widely(const at::Tensor& self, Function&& function) {
    return cast(function(wide(self)), self.scalar_type());
}

/// Which tensors had to be copied in some run before they could be seen with other sizes, in the order in which a run comes to them. How
/// a tensor lies in memory may depend on its sizes; runs at all sizes must do the same.
class CopiesNeeded {
public:
    void begin_run() noexcept {
        next_ = 0;
        has_run_ = has_run_ || !needed_.empty();
        is_new_ = false;
    }
    /// For the next tensor.
    [[nodiscard]] bool is_needed(bool is_needed_here) {
        if (next_ == needed_.size()) needed_.push_back(false);
        is_new_ = is_new_ || (is_needed_here && !needed_[next_]);
        needed_[next_] = needed_[next_] || is_needed_here;
        return needed_[next_++];
    }
    /// This run has copied what earlier ones did not.
    [[nodiscard]] bool has_learnt() const noexcept { return has_run_ && is_new_; }

private:
    std::vector<bool> needed_;
    std::size_t next_ = 0;
    bool has_run_ = false;
    bool is_new_ = false;
};

namespace detail {

struct Running {
    const RunWatch* watch = nullptr;
    const std::unordered_set<const Node*>* plain_views = nullptr;
    CopiesNeeded* copies = nullptr;

    [[nodiscard]] const Node* node() const noexcept { return watch == nullptr ? nullptr : watch->node; }
};
inline thread_local Running running{};

}  // namespace detail

/// While it lives, decompositions of this thread are of the nodes that this watch sees.
class RunningScope {
public:
    RunningScope(const RunWatch& watch, const std::unordered_set<const Node*>& plain_views,
                 CopiesNeeded* copies = nullptr)
        : before_(std::exchange(detail::running, {&watch, &plain_views, copies})) {}
    RunningScope(const RunningScope&) = delete;
    RunningScope& operator=(const RunningScope&) = delete;
    ~RunningScope() { detail::running = before_; }

private:
    detail::Running before_;
};

/// Whether what the running node gives may be a copy where it is a view: nothing is written to that memory.
[[nodiscard]] inline bool may_copy() {
    return detail::running.plain_views != nullptr && detail::running.plain_views->contains(detail::running.node());
}

/// Whether a tensor is to be copied that must be, or must not be, to be seen with other sizes here.
[[nodiscard]] inline bool must_copy(bool is_needed_here) {
    return detail::running.copies != nullptr ? detail::running.copies->is_needed(is_needed_here) : is_needed_here;
}

/// Whether the tensor that the running node has as this argument lies in memory as the program says.
[[nodiscard]] inline bool is_laid_out_as_said(const at::Tensor& tensor, std::string_view argument) {
    const Argument* given = detail::running.node()->find(argument);
    const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
    if (value == nullptr) return false;
    const TensorMeta& said = detail::running.watch->graph->info(*value).tensor;
    if (std::cmp_not_equal(said.sizes.size(), tensor.dim()) || said.strides.size() != said.sizes.size()) return false;
    SymBindings sizes;
    for (std::size_t dim = 0; dim < said.sizes.size(); ++dim)
        if (said.sizes[dim].is_symbol()) sizes.set(said.sizes[dim].name(), tensor.sizes()[dim]);
    for (std::size_t dim = 0; dim < said.strides.size(); ++dim) {
        for (const std::string& symbol : free_symbols(said.strides[dim]))
            if (sizes.find(symbol) == nullptr) return tensor.is_contiguous();
        if (tensor.sizes()[dim] > 1 && evaluate(said.strides[dim], sizes) != tensor.strides()[dim]) return false;
    }
    return true;
}

/// Whether the running node has complex numbers as this argument, for which pairs of real ones stand.
[[nodiscard]] inline bool is_paired(std::string_view argument) {
    const Argument* given = detail::running.node()->find(argument);
    const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
    return value != nullptr && is_complex_value(*detail::running.watch->graph, *value);
}

/// Whether a size of the tensor that the running node has as this argument may be another one in another run of the program.
[[nodiscard]] inline bool may_vary(std::string_view argument, std::int64_t dim) {
    const Node* node = detail::running.node();
    if (node == nullptr) return false;
    const Argument* given = node->find(argument);
    const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
    if (value == nullptr) return false;
    const auto& sizes = detail::running.watch->graph->info(*value).tensor.sizes;
    return !sizes.at(static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(sizes.size()) : dim))
                .is_constant();
}

}  // namespace ferry::decomposed
