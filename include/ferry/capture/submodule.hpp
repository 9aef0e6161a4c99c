#pragma once

#include <ferry/capture/module_calls.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/forward_parameters.hpp>
#include <ferry/core/type_name.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

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

/// Tells an observer of a call, under the names of forward's parameters.
template <class Module, class... Args>
void tell_observer(capture::CallObserver& observer, const void* module, const Args&... args) {
    if constexpr ((flattenable<Args> && ...)) {
        constexpr std::span<const std::string_view> names = parameter_names<Module>();
        std::vector<Inputs::Item> items;
        const auto add = [&](Tree value) {
            const std::size_t at = items.size();
            items.emplace_back(at < names.size() ? std::string(names[at]) : std::to_string(at), std::move(value));
        };
        (add(tree::flatten(args)), ...);
        observer.called(module, Inputs(std::move(items)));
    } else {
        throw Error(ErrorKind::unsupported, "a module is called with what is no tree of tensors and numbers",
                    {.hint = "describe its types: specialise ferry::tree_node",
                     .where = {.op = std::string(type_name<Module>())}});
    }
}

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

    template <class... Args>
    decltype(auto) operator()(Args&&... args) const {
        return forward(std::forward<Args>(args)...);
    }

    template <class... Args>
    auto forward(Args&&... args) const -> decltype(std::declval<Module&>().forward(std::forward<Args>(args)...)) {
        Module& module = *const_cast<submodule&>(*this);
        capture::ModuleCalls* const calls = capture::module_calls();
        if (calls == nullptr) return module.forward(std::forward<Args>(args)...);
        const void* const object = dynamic_cast<const void*>(&module);
        if (calls->observer != nullptr && calls->observer->wants(object))
            detail::tell_observer<Module>(*calls->observer, object, args...);
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
