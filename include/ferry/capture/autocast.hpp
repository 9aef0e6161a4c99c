#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/dispatch.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/autocast_guard.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

/// What autocast does to a call, found out by asking libtorch: fake tensors are on no device that autocast knows, so the call is
/// made with one-element tensors in their place, as far as the op that autocast ends up with.
namespace ferry::capture {

/// A part of a captured program that runs under autocast, or with autocast off.
struct AutocastRegion {
    c10::DeviceType device = c10::kCPU;
    c10::ScalarType dtype = c10::kBFloat16;
    bool enabled = true;
};

namespace detail {

inline thread_local const AutocastRegion* autocast_region = nullptr;

}  // namespace detail

[[nodiscard]] inline bool is_in_autocast() noexcept {
    return detail::autocast_region != nullptr && detail::autocast_region->enabled;
}

/// While it lives, calls of this thread's capture are in the region; in none if that is null.
class AutocastScope {
public:
    explicit AutocastScope(const AutocastRegion* region) : before_(std::exchange(detail::autocast_region, region)) {}
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;
    ~AutocastScope() { detail::autocast_region = before_; }

private:
    const AutocastRegion* before_;
};

namespace detail {

[[nodiscard]] inline c10::DispatchKey autocast_key(c10::DeviceType device) {
    switch (device) {
        case c10::kCPU: return c10::DispatchKey::AutocastCPU;
        case c10::kCUDA: return c10::DispatchKey::AutocastCUDA;
        case c10::kXPU: return c10::DispatchKey::AutocastXPU;
        case c10::kMPS: return c10::DispatchKey::AutocastMPS;
        default: return c10::DispatchKey::Undefined;
    }
}

/// Takes the calls that autocast's kernel makes: casts, and then the op.
class AutocastQuestion final : public OpHandler {
public:
    struct Answered : std::exception {};

    AutocastQuestion(const AutocastRegion& region, std::function<c10::Device(const at::Tensor&)> device_of)
        : OpHandler([](OpHandler& self, const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
              static_cast<AutocastQuestion&>(self).take(op, *stack);
          }),
          region_(region),
          device_of_(std::move(device_of)) {}

    /// The call that is made instead, its casts made for real.
    [[nodiscard]] std::pair<c10::OperatorHandle, torch::jit::Stack> ask(const c10::OperatorHandle& op,
                                                                        std::span<const c10::IValue> arguments) {
        torch::jit::Stack stack;
        stack.reserve(arguments.size());
        for (const c10::IValue& argument : arguments)
            stack.push_back(exchange_tensors(argument, [&](const at::Tensor& tensor) { return stand_in_for(tensor); }));
        try {
            const TraceScope scope(*this);
            const AutocastGuard on(region_.device, true, region_.dtype, /*caches=*/false);
            op.callBoxed(stack);
        } catch (const Answered&) {
            for (c10::IValue& value : answer_)
                value = exchange_tensors(value, [&](const at::Tensor& tensor) { return original_of(tensor); });
            return {*op_, std::move(answer_)};
        }
        return {op, torch::jit::Stack(arguments.begin(), arguments.end())};
    }

private:
    struct Origin {
        at::Tensor stand_in;
        at::Tensor tensor;
        std::optional<c10::ScalarType> cast{};
    };

    [[nodiscard]] at::Tensor make(const at::Tensor& original, c10::ScalarType dtype, bool is_there,
                                  std::optional<c10::ScalarType> cast) {
        const UntracedScope below;
        at::Tensor made = at::empty({}, at::TensorOptions(dtype).device(is_there ? at::kCPU : at::kMeta));
        if (!cast && original.unsafeGetTensorImpl()->is_wrapped_number())
            made.unsafeGetTensorImpl()->set_wrapped_number(true);
        origins_.emplace(made.unsafeGetTensorImpl(), Origin{made, original, cast});
        return made;
    }
    [[nodiscard]] at::Tensor stand_in_for(const at::Tensor& tensor) {
        if (!tensor.defined()) return tensor;
        return make(tensor, tensor.scalar_type(), device_of_(tensor).type() == region_.device, std::nullopt);
    }
    [[nodiscard]] at::Tensor original_of(const at::Tensor& stand_in) const {
        const auto found = origins_.find(stand_in.unsafeGetTensorImpl());
        if (found == origins_.end()) return stand_in;
        const auto& [kept, tensor, cast] = found->second;
        return cast ? tensor.to(*cast) : tensor;
    }

    void take(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
        const auto given = last(stack, op.schema().arguments().size());
        const std::string& name = op.schema().name();
        if (name == "aten::to" && op.schema().overload_name() == "dtype") {
            const auto dtype = static_cast<c10::ScalarType>(given[1].toInt());
            const at::Tensor from = given[0].toTensor();
            const at::Tensor made = make(origins_.at(from.unsafeGetTensorImpl()).tensor, dtype, from.is_cpu(), dtype);
            stack.resize(stack.size() - given.size());
            stack.emplace_back(made);
            return;
        }
        op_ = op;
        answer_.assign(given.begin(), given.end());
        throw Answered{};
    }

    AutocastRegion region_;
    std::function<c10::Device(const at::Tensor&)> device_of_;
    std::unordered_map<const c10::TensorImpl*, Origin> origins_;
    std::optional<c10::OperatorHandle> op_;
    torch::jit::Stack answer_;
};

}  // namespace detail

/// Inside of a region, makes the call as autocast has it. False: autocast has nothing to say about it.
inline bool call_under_autocast(const c10::OperatorHandle& op, torch::jit::Stack& stack,
                                const std::function<c10::Device(const at::Tensor&)>& device_of) {
    const AutocastRegion* region = detail::autocast_region;
    const c10::DispatchKey key = detail::autocast_key(region->device);
    if (key == c10::DispatchKey::Undefined || !op.hasKernelForDispatchKey(key)) return false;
    const auto arguments = detail::last(stack, op.schema().arguments().size());
    bool concerned = false;
    for (const c10::IValue& argument : arguments)
        detail::for_each_tensor(argument, [&](const at::Tensor& tensor) {
            concerned = concerned || device_of(tensor).type() == region->device;
        });
    if (!concerned) return false;
    if (region->device != c10::kCPU)
        throw Error(ErrorKind::unsupported, "a program that uses autocast on another device than the CPU is captured",
                    {.hint = "export the model on the CPU", .where = {.op = c10::toString(op.operator_name())}});
    const AutocastScope inside(nullptr);  // what the op consists of is not cast again
    auto [called, given] = detail::AutocastQuestion(*region, device_of).ask(op, arguments);
    stack.resize(stack.size() - arguments.size());
    stack.insert(stack.end(), given.begin(), given.end());
    called.callBoxed(stack);
    return true;
}

}  // namespace ferry::capture
