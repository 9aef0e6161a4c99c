#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/dispatch.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/unbacked.hpp>
#include <ferry/core/error.hpp>

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <exception>
#include <string_view>
#include <utility>

namespace ferry::capture {

/// Thrown when a composite op cannot be one node: it depends on values, or writes unseen.
struct NeedsParts : std::exception {};

/// Runs ops on fake tensors: by a rule, by libtorch's Meta kernel, or on zeros.
class FakeRunner {
public:
    /// `sizes` answers what depends on values.
    void run(OpInfo& info, torch::jit::Stack& stack, SizeSource& sizes);

    /// Whether a composite op runs on zeros at the moment; its parts are to be handed to watch().
    [[nodiscard]] bool is_watching() const noexcept { return watching_; }
    static void watch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

private:
    void run_watched(const OpInfo& info, torch::jit::Stack& stack);

    bool watching_ = false;
};

/// Some composite ops reach an op without a Meta kernel only inside: that is learnt once.
inline void FakeRunner::run(OpInfo& info, torch::jit::Stack& stack, SizeSource& sizes) {
    if (info.fake != nullptr) {
        const SizeSourceScope scope(sizes);
        return info.fake->callBoxed(info.op, c10::DispatchKeySet(c10::DispatchKey::Meta), &stack);
    }
    if (!info.without_meta) {
        const std::size_t count = info.op.schema().arguments().size();
        const torch::jit::Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
        const std::size_t below = stack.size() - count;
        try {
            return info.op.callBoxed(stack);
        } catch (const c10::Error& error) {
            // Some Meta kernels compute on the data after all.
            const bool has_kernel = dynamic_cast<const c10::NotImplementedError*>(&error) == nullptr;
            if (has_kernel && std::string_view(error.what_without_backtrace()).find(no_data) == std::string_view::npos)
                throw;
            info.without_meta = true;
            stack.resize(below);
            stack.insert(stack.end(), arguments.begin(), arguments.end());
        }
    }
    run_watched(info, stack);
}

/// On zeros, unless that would give what only zeros give.
inline void FakeRunner::run_watched(const OpInfo& info, torch::jit::Stack& stack) {
    if (depends_on_values(info.op))
        throw Error(
            ErrorKind::unsupported,
            "forward calls an op whose result is as large as the values of its arguments say, and no rule says how large",
            {.hint = "give the pipeline a fake of it: ferry::extend<Pipeline, ferry::fakes<my_fake>>",
             .where = {.op = info.name}});
    if (!info.is_composite) return run_on_zeros(info.op, stack);
    c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    keys.excluded_ = keys.excluded_.remove(trace_key);
    const c10::impl::ForceDispatchKeyGuard traced_again(keys);
    struct Watch {
        bool& on;
        bool before = std::exchange(on, true);
        ~Watch() { on = before; }
    };
    const Watch watching{watching_};
    run_on_zeros(info.op, stack);
}

inline void FakeRunner::watch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    if (depends_on_values(op)) {
        bool by_value = op.schema().name() != "aten::index";
        if (!by_value)
            for (const c10::IValue& value : detail::last(*stack, op.schema().arguments().size()))
                if (!value.isTensor())
                    detail::for_each_tensor(value, [&](const at::Tensor& index) {
                        by_value = by_value || index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
                    });
        if (by_value) throw NeedsParts{};
    }
    op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, trace_key), stack);
}

}  // namespace ferry::capture
