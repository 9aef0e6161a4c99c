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

/// Runs ops on fake tensors: by a rule, by libtorch's Meta kernel, by the ops that it consists of, or on zeros.
class FakeRunner {
public:
    explicit FakeRunner(OpInfos& infos) : infos_(infos) {}

    /// `sizes` answers what depends on values.
    void run(OpInfo& info, torch::jit::Stack& stack, SizeSource& sizes);

    /// Whether an op runs by its parts at the moment; they are to be handed to run_part().
    [[nodiscard]] bool in_parts() const noexcept { return in_parts_; }
    void run_part(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

private:
    struct NeedsData : std::exception {};  // a part writes to its arguments, and has no kernel for fake ones

    void run_whole_on_zeros(const OpInfo& info, torch::jit::Stack& stack);
    template <class Run>
    void watch_parts(Run&& run);

    OpInfos& infos_;
    bool in_parts_ = false;
};

/// What an op cannot do on fake tensors is learnt once: each attempt costs an exception.
inline void FakeRunner::run(OpInfo& info, torch::jit::Stack& stack, SizeSource& sizes) {
    const SizeSourceScope scope(sizes);
    if (info.fake != nullptr) return info.fake(info.op, c10::DispatchKeySet(c10::DispatchKey::Meta), &stack);
    const std::size_t count = info.op.schema().arguments().size();
    const std::size_t below = stack.size() - count;
    const torch::jit::Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
    const auto start_again = [&] {
        stack.resize(below);
        stack.insert(stack.end(), arguments.begin(), arguments.end());
    };
    if (info.runs_as == FakeRun::on_meta) {
        try {
            return info.op.callBoxed(stack);
        } catch (const c10::Error& error) {
            // Some Meta kernels compute on the data after all.
            const bool has_kernel = dynamic_cast<const c10::NotImplementedError*>(&error) == nullptr;
            if (has_kernel && std::string_view(error.what_without_backtrace()).find(no_data) == std::string_view::npos)
                throw;
            info.runs_as = FakeRun::by_parts;
            start_again();
        }
    }
    if (depends_on_values(info.op))
        throw Error(
            ErrorKind::unsupported,
            "forward calls an op whose result is as large as the values of its arguments say, and no rule says how large",
            {.hint = "give the pipeline a fake of it: ferry::extend<Pipeline, ferry::fakes<my_fake>>",
             .where = {.op = info.name}});
    if (info.runs_as == FakeRun::by_parts) {
        try {
            return watch_parts([&] { info.op.callBoxed(stack); });
        } catch (const NeedsParts&) {
            if (info.is_composite) throw;
            start_again();
        } catch (const NeedsData&) {
            start_again();
        } catch (const c10::Error&) {  // of a part that cannot do without data, or the model's fault: zeros will tell
            start_again();
        }
    }
    run_whole_on_zeros(info, stack);
    info.runs_as = FakeRun::on_zeros;
}

/// Of a composite op it is seen when one of its parts depends on values: what zeros have is not what the model's tensors have.
inline void FakeRunner::run_whole_on_zeros(const OpInfo& info, torch::jit::Stack& stack) {
    infos_.real_runs().measure(info.name, [&] {
        if (!info.is_composite) return run_on_zeros(info.op, stack);
        watch_parts([&] { run_on_zeros(info.op, stack); });
    });
}

/// With the ops that `run` calls seen by the tracer once more, which hands them to run_part().
template <class Run>
void FakeRunner::watch_parts(Run&& run) {
    c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    keys.excluded_ = keys.excluded_.remove(trace_key);
    const c10::impl::ForceDispatchKeyGuard traced_again(keys);
    struct Watch {
        bool& on;
        bool before = std::exchange(on, true);
        ~Watch() { on = before; }
    };
    const Watch watching{in_parts_};
    run();
}

inline void FakeRunner::run_part(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    bool is_fake = false;
    bool has_mask = false;
    for (const c10::IValue& value : detail::last(*stack, op.schema().arguments().size()))
        detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
            is_fake = is_fake || tensor.is_meta();
            has_mask = has_mask ||
                       (!value.isTensor() && (tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte));
        });
    if (depends_on_values(op) && (has_mask || op.schema().name() != "aten::index")) throw NeedsParts{};
    const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, trace_key);
    const OpInfo& info = infos_.of(op);
    if (is_fake && info.fake != nullptr) {
        const UntracedScope untraced;
        return info.fake(op, below, stack);
    }
    if (is_fake && info.runs_as == FakeRun::on_zeros && !info.is_composite) {
        if (!info.written.empty()) throw NeedsData{};
        const UntracedScope untraced;
        return infos_.real_runs().measure(info.name, [&] { run_on_zeros(op, *stack); });
    }
    op.redispatchBoxed(below, stack);
}

}  // namespace ferry::capture
