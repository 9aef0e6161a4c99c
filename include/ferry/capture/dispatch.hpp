#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/library.h>

#include <cstdint>
#include <memory>
#include <mutex>

/// How a capture sees every ATen call of its thread: a boxed fallback on a dispatch key that libtorch leaves unused, idle
/// unless that thread's capture has switched the key on.
namespace ferry::capture {

inline constexpr c10::DispatchKey trace_key = c10::DispatchKey::Fake;

/// Something that takes the ops of a thread. Not by virtual functions: a vtable, and the whole tracer with it, would be compiled
/// into every object whose source includes this, used or not.
class OpHandler {
public:
    void handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
        handle_(*this, op, keys, stack);
    }
    /// Whether it makes a trace of them: a Tracer.
    [[nodiscard]] bool records() const noexcept { return records_; }

protected:
    using Handle = void (*)(OpHandler&, const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*);
    explicit OpHandler(Handle handle, bool records = true) noexcept : handle_(handle), records_(records) {}
    ~OpHandler() = default;

private:
    Handle handle_;
    bool records_;
};

namespace detail {

// A process may hold several copies of Ferry, each inside another shared library, but a key has one fallback. So the
// fallback of whichever copy came first finds the running capture through libc10, of which there is only one, and calls it
// through a function pointer that the capture's own copy has put there. This layout is a contract between the copies.
struct CaptureSlot final : c10::DebugInfoBase {
    static constexpr std::uint64_t mark = 0x6665727279'01;  // "ferry", layout 1
    using Call = void (*)(void*, const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*);

    std::uint64_t written = mark;
    Call call = nullptr;
    void* handler = nullptr;
};
inline constexpr auto slot_kind = c10::DebugInfoKind::TEST_INFO_2;

inline void fall_back(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    auto* slot = static_cast<CaptureSlot*>(c10::ThreadLocalDebugInfo::get(slot_kind));
    if (slot == nullptr || slot->written != CaptureSlot::mark) {
        const c10::impl::ExcludeDispatchKeyGuard below{c10::DispatchKeySet(trace_key)};
        op.callBoxed(stack);
    } else {
        slot->call(slot->handler, op, keys, stack);
    }
}

/// Another copy may have registered, or may have been unloaded since: the dispatcher knows.
inline void ensure_fallback() {
    static std::mutex mutex;
    static std::unique_ptr<torch::Library> library;
    const std::scoped_lock lock(mutex);
    if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(trace_key)) return;
    try {
        library = std::make_unique<torch::Library>(torch::Library::IMPL, "_", trace_key, __FILE__, __LINE__);
        library->fallback(torch::CppFunction::makeFromBoxedFunction<&fall_back>());
    } catch (const c10::Error&) {  // another copy was faster
        library.reset();
        if (!c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(trace_key)) throw;
    }
}

}  // namespace detail

/// While it lives, every op of this thread goes to `handler`, composite ops whole.
class TraceScope {
public:
    explicit TraceScope(OpHandler& handler)
        : slot_((detail::ensure_fallback(), detail::slot_kind), slot_for(handler)) {}

    /// The handler of this thread's innermost scope; null when nothing is captured, or by another copy of Ferry.
    [[nodiscard]] static OpHandler* current() {
        const auto* slot = static_cast<const detail::CaptureSlot*>(c10::ThreadLocalDebugInfo::get(detail::slot_kind));
        const bool ours = slot != nullptr && slot->written == detail::CaptureSlot::mark && slot->call == &call;
        return ours ? static_cast<OpHandler*>(slot->handler) : nullptr;
    }

private:
    static void call(void* handler, const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
        static_cast<OpHandler*>(handler)->handle(op, keys, stack);
    }
    static std::shared_ptr<c10::DebugInfoBase> slot_for(OpHandler& handler) {
        auto slot = std::make_shared<detail::CaptureSlot>();
        slot->handler = &handler;
        slot->call = &call;
        return slot;
    }

    c10::DebugInfoGuard slot_;
    at::AutoDispatchBelowADInplaceOrView below_autograd_;
    c10::impl::IncludeDispatchKeyGuard traced_{c10::DispatchKeySet(trace_key)};
};

/// While it lives, this thread is outside of any capture, and may start another one: a model that exports inside of its forward.
class OutsideScope {
    [[nodiscard]] static c10::impl::LocalDispatchKeySet without_trace() {
        auto keys = c10::impl::tls_local_dispatch_key_set();
        keys.included_ = keys.included_.remove(trace_key);
        return keys;
    }
    c10::impl::ForceDispatchKeyGuard outside_{without_trace()};
};

/// While it lives, ops of this thread run as if there were no capture.
class UntracedScope {
    c10::impl::ExcludeDispatchKeyGuard untraced_{c10::DispatchKeySet(trace_key)};
};

}  // namespace ferry::capture
