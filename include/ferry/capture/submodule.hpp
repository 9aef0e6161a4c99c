#pragma once

#include <ferry/capture/call_observer.hpp>
#include <ferry/capture/module_calls.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/forward_parameters.hpp>
#include <ferry/core/type_name.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace ferry {
namespace detail {

template <class Type>
concept points_to_module = requires(const Type& pointer) {
    { *pointer };
    { pointer.operator->() };
};

template <class Type>
struct held_by {
    using type = std::shared_ptr<Type>;
};
template <points_to_module Type>
struct held_by<Type> {
    using type = Type;
};

/// The type of a module's forward as a function over the module, if it is neither a template nor overloaded.
template <class Module, class Function>
struct free_forward;
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...)> {
    using type = Result (*)(Module&, Args...);
};
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...) const> : free_forward<Module, Result (Class::*)(Args...)> {};
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...) noexcept> : free_forward<Module, Result (Class::*)(Args...)> {};
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...) const noexcept>
    : free_forward<Module, Result (Class::*)(Args...)> {};

template <class Module>
using forward_of = typename free_forward<Module, decltype(&Module::forward)>::type;

template <class Module>
concept has_one_forward = requires { typename forward_of<Module>; };

/// While it lives, the module is known to run.
class ModuleCall {
public:
    ModuleCall(capture::ModuleCalls& calls, const void* module) : calls_(calls) { calls_.running.push_back(module); }
    ModuleCall(const ModuleCall&) = delete;
    ModuleCall& operator=(const ModuleCall&) = delete;
    ~ModuleCall() { calls_.running.pop_back(); }

private:
    capture::ModuleCalls& calls_;
};

}  // namespace detail

/// A module holder that announces its calls, so that a capture knows the module path of every op and model patches apply:
/// `ferry::submodule<torch::nn::Linear> fc{nullptr};` instead of `torch::nn::Linear fc{nullptr};`, registered and assigned as
/// before. For a module without a holder, `ferry::submodule<MyModule>` is a shared pointer. Calls are `fc(x)` or `fc.forward(x)`;
/// `fc->forward(x)` goes past it to the module itself.
template <class Type>
class submodule : public detail::held_by<Type>::type {
    using Holder = typename detail::held_by<Type>::type;

public:
    using Holder::Holder;
    submodule() = default;
    submodule(const Holder& holder) : Holder(holder) {}
    submodule(Holder&& holder) noexcept : Holder(std::move(holder)) {}

    using Module = std::remove_reference_t<decltype(*std::declval<Holder&>())>;
    static constexpr bool tells_of_calls = true;  ///< to whoever observes

    template <class... Args>
    decltype(auto) operator()(Args&&... args) const {
        return forward(std::forward<Args>(args)...);
    }

    template <class... Args>
    // NOLINTNEXTLINE(modernize-use-nodiscard): a module may be called for what it does to its arguments
    auto forward(Args&&... args) const -> decltype(std::declval<Module&>().forward(std::forward<Args>(args)...)) {
        Module& module = *const_cast<submodule&>(*this);
        capture::ModuleCalls* const calls = capture::module_calls();
        if (calls == nullptr && capture::detail::call_observers == nullptr)
            return module.forward(std::forward<Args>(args)...);
        const void* const object = dynamic_cast<const void*>(&module);
        if (calls == nullptr)
            return capture::observed_call(
                object, [&] { return capture::named_arguments(detail::parameter_names<Module>(), args...); },
                [&]() -> decltype(auto) { return module.forward(std::forward<Args>(args)...); });
        const detail::ModuleCall running(*calls, object);
        if constexpr (detail::has_one_forward<Module>) {
            using Forward = detail::forward_of<Module>;
            if (const capture::AnyFunction patch = calls->patch != nullptr ? calls->patch(typeid(Module)) : nullptr) {
                if constexpr (std::is_invocable_v<Forward, Module&, Args...>)
                    return reinterpret_cast<Forward>(patch)(module, std::forward<Args>(args)...);
                else
                    throw Error(ErrorKind::unsupported,
                                "a module whose forward is patched is called with less than all its arguments",
                                {.hint = "spell out the defaults where it is called",
                                 .where = {.stage = "model patches", .op = std::string(type_name<Module>())}});
            }
        }
        return module.forward(std::forward<Args>(args)...);
    }
};

}  // namespace ferry
