#pragma once

#include <typeinfo>
#include <utility>
#include <vector>

/// Which submodules of a model are running on this thread, as ferry::submodule announces them. Without a capture there is nobody
/// to tell, and announcing costs one comparison.
namespace ferry::capture {

/// A function of some type that the caller knows.
using AnyFunction = void (*)();

struct ModuleCalls {
    std::vector<const void*> running{};  ///< most derived objects, the innermost last
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
