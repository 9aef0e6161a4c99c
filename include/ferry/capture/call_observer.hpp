#pragma once

#include <ferry/capture/module_calls.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/type_name.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Is told what models are called with, and what comes out. While a model is captured nobody is told.
class CallObserver {
public:
    CallObserver() = default;
    CallObserver(const CallObserver&) = delete;
    CallObserver& operator=(const CallObserver&) = delete;
    virtual ~CallObserver() = default;

    /// Modules are known by their most derived objects.
    [[nodiscard]] virtual bool wants(const void* module) const = 0;
    virtual void called(const void* module, const Inputs& inputs) = 0;
    /// Of the calls that were told, the last that has not ended.
    virtual void returned(const void* /*module*/, const Tree& /*outputs*/) {}
    virtual void failed(const void* /*module*/) noexcept {}
};

class CallObserverScope;

namespace detail {

inline thread_local CallObserverScope* call_observers = nullptr;  // the first of a list

}  // namespace detail

/// While it lives, an observer is told of the calls on this thread. Scopes may end in any order, on the thread that they began on.
class CallObserverScope {
public:
    explicit CallObserverScope(CallObserver& observer) noexcept
        : observer_(observer), next_(std::exchange(detail::call_observers, this)) {}
    CallObserverScope(const CallObserverScope&) = delete;
    CallObserverScope& operator=(const CallObserverScope&) = delete;
    ~CallObserverScope() {
        CallObserverScope** place = &detail::call_observers;
        while (*place != nullptr && *place != this) place = &(*place)->next_;
        if (*place != nullptr) *place = next_;
    }

    [[nodiscard]] CallObserver& observer() const noexcept { return observer_; }
    [[nodiscard]] const CallObserverScope* next() const noexcept { return next_; }

private:
    CallObserver& observer_;
    CallObserverScope* next_;
};

/// Those that want to know of calls of a module.
[[nodiscard]] inline std::vector<CallObserver*> observers_of(const void* module) {
    std::vector<CallObserver*> found;
    if (module_calls() != nullptr) return found;
    for (const CallObserverScope* scope = detail::call_observers; scope != nullptr; scope = scope->next())
        if (scope->observer().wants(module)) found.push_back(&scope->observer());
    return found;
}

/// Arguments under the names of the parameters, or under their positions where there are no names.
template <class Names, class... Args>
[[nodiscard]] Inputs named_arguments(const Names& names, const Args&... args) {
    if constexpr ((flattenable<Args> && ...)) {
        std::vector<Inputs::Item> items;
        const auto add = [&](Tree value) {
            const std::size_t at = items.size();
            items.emplace_back(at < names.size() ? std::string(names[at]) : std::to_string(at), std::move(value));
        };
        (add(tree::flatten(args)), ...);
        return Inputs(std::move(items));
    } else {
        throw Error(ErrorKind::unsupported, "a model is called with what is no tree of tensors and numbers",
                    {.hint = "describe its types: specialise ferry::tree_node"});
    }
}

/// Calls a model and tells those that want to know.
template <class MakeInputs, class Run>
auto observed_call(const void* module, const MakeInputs& make_inputs, Run&& run) -> decltype(run()) {
    const std::vector<CallObserver*> observers = observers_of(module);
    if (observers.empty()) return run();
    using Result = decltype(run());
    if constexpr (flattenable<std::remove_cvref_t<Result>>) {
        const Inputs& inputs = make_inputs();
        std::size_t told = 0;
        try {
            for (; told < observers.size(); ++told) observers[told]->called(module, inputs);
            Result result = run();
            const Tree outputs = tree::flatten(result);
            for (; told > 0; --told) observers[told - 1]->returned(module, outputs);
            return std::forward<Result>(result);
        } catch (...) {
            for (; told > 0; --told) observers[told - 1]->failed(module);
            throw;
        }
    } else {
        throw Error(ErrorKind::unsupported, "a model gives what is no tree of tensors and numbers",
                    {.hint = "describe the type: specialise ferry::tree_node",
                     .where = {.op = std::string(type_name<std::remove_cvref_t<Result>>())}});
    }
}

}  // namespace ferry::capture
