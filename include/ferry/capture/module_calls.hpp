#pragma once

#include <ferry/fwd.hpp>

#include <typeinfo>
#include <utility>
#include <vector>

/// Which submodules of a model are running on this thread, as ferry::submodule announces them. Without a capture there is nobody
/// to tell, and announcing costs one comparison.
namespace ferry::capture {

/// A function of some type that the caller knows.
using AnyFunction = void (*)();

/// Is told what modules are called with.
class CallObserver {
public:
    CallObserver() = default;
    CallObserver(const CallObserver&) = delete;
    CallObserver& operator=(const CallObserver&) = delete;
    virtual ~CallObserver() = default;

    /// Modules are known by their most derived objects.
    [[nodiscard]] virtual bool wants(const void* module) const = 0;
    virtual void called(const void* module, const Inputs& inputs) = 0;
};

struct ModuleCalls {
    std::vector<const void*> running{};  ///< most derived objects, the innermost last
    CallObserver* observer = nullptr;
    AnyFunction (*patch)(const std::type_info& module) = nullptr;
};

namespace detail {

inline thread_local ModuleCalls* module_calls = nullptr;

}  // namespace detail

/// Null when this thread captures nothing.
[[nodiscard]] inline ModuleCalls* module_calls() noexcept { return detail::module_calls; }

class ModuleCallsScope {
public:
    explicit ModuleCallsScope(ModuleCalls* calls) noexcept : before_(std::exchange(detail::module_calls, calls)) {}
    ModuleCallsScope(const ModuleCallsScope&) = delete;
    ModuleCallsScope& operator=(const ModuleCallsScope&) = delete;
    ~ModuleCallsScope() { detail::module_calls = before_; }

private:
    ModuleCalls* before_;
};

}  // namespace ferry::capture
