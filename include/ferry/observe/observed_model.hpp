#pragma once

#include <ferry/capture/call_observer.hpp>
#include <ferry/dynamo/bind.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/state_guard.hpp>
#include <ferry/observe/model_signature.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace ferry {
namespace observe {

/// As AnyModel and ferry::submodule do.
template <class Model>
concept tells_of_calls = requires { requires Model::tells_of_calls; };

/// Is called with Inputs itself, as a ProgramModule is; holders are not asked, whose call operators answer with compile errors.
template <class Model>
concept takes_inputs =
    std::same_as<std::remove_reference_t<decltype(detail::innermost(std::declval<Model&>()))>, Model> &&
    requires(Model& model, const Inputs& inputs) {
        { model(inputs) } -> std::same_as<Tree>;
    };

/// What calls of a model are known by: the most derived object, behind holders and pointers.
template <class Model>
[[nodiscard]] const void* object_of(Model& model) {
    auto& inner = detail::innermost(model);
    using Inner = std::remove_reference_t<decltype(inner)>;
    if constexpr (std::is_function_v<Inner>)
        return reinterpret_cast<const void*>(&inner);
    else if constexpr (std::is_polymorphic_v<Inner>)
        return dynamic_cast<const void*>(&inner);
    else
        return std::addressof(inner);
}

}  // namespace observe

/// A model, called as before, and whoever observes it is told: with C++ values as forward takes them, or with Inputs by name.
template <class Model>
class ObservedModel {
public:
    ObservedModel(InputObserver& observer, Model& model, const ObserveOptions& options)
        : model_(model),
          signature_(model_signature<std::remove_const_t<Model>>::of(model)),
          scope_((observer.set_signature(signature_), observer), observe::object_of(model), options) {}

    template <class... Args>
    decltype(auto) operator()(Args&&... args) {
        if constexpr (sizeof...(Args) == 1 && (std::same_as<std::remove_cvref_t<Args>, Inputs> && ...))
            return call(args...);
        else if constexpr (observe::tells_of_calls<Model>)
            return model_(std::forward<Args>(args)...);
        else
            return capture::observed_call(
                observe::object_of(model_), [&] { return capture::named_arguments(signature_.names, args...); },
                [&]() -> decltype(auto) {
                    if constexpr (std::is_invocable_v<Model&, Args...>)
                        return model_(std::forward<Args>(args)...);
                    else
                        return detail::innermost(model_).forward(std::forward<Args>(args)...);
                });
    }

private:
    [[nodiscard]] Tree call(const Inputs& inputs) {
        if constexpr (observe::tells_of_calls<Model> && detail::has_plain_call<std::remove_const_t<Model>>)
            return model_(inputs);
        else
            return capture::observed_call(
                observe::object_of(model_), [&]() -> const Inputs& { return inputs; },
                [&] {
                    if constexpr (observe::takes_inputs<Model>)
                        return model_(inputs);
                    else
                        return model_adapter<Model>::template call<pytrees<>>(model_, inputs);
                });
    }

    Model& model_;
    Signature signature_;
    observe::Scope scope_;
};

template <class Model>
ObservedModel<Model> InputObserver::operator()(Model& model, ObserveOptions options) {
    return {*this, model, options};
}

}  // namespace ferry
