#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/forward_parameters.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Stage 1, signature: named inputs become the parameters of the model's forward, in order, each in the type that it takes.
namespace ferry {
namespace detail {

template <class Function>
struct forward_types;
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...)> {
    using types = std::tuple<std::decay_t<Args>...>;
};
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...) const> : forward_types<Result (Class::*)(Args...)> {};
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...) noexcept> : forward_types<Result (Class::*)(Args...)> {};
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...) const noexcept> : forward_types<Result (Class::*)(Args...)> {};
template <class Result, class... Args>
struct forward_types<Result (*)(Args...)> {
    using types = std::tuple<std::decay_t<Args>...>;
};

template <class Model>
concept has_plain_forward = requires { typename forward_types<decltype(&Model::forward)>::types; };
template <class Model>
concept has_plain_call = requires { typename forward_types<decltype(&Model::operator())>::types; };
template <class Model>
concept is_function = std::is_function_v<Model>;
template <class Model>
concept points_to_model = requires(Model& model) {
    { *model };
    requires std::is_class_v<std::remove_cvref_t<decltype(*model)>>;
};

/// What keeps the elements of a parameter that only refers to them.
template <class Type>
struct owner_of {
    using type = Type;
};
template <class Item>
struct owner_of<c10::ArrayRef<Item>> {
    using type = std::vector<Item>;
};
template <>
struct owner_of<std::string_view> {
    using type = std::string;
};
template <class Type>
struct owner_of<std::optional<Type>> {
    using type = std::optional<typename owner_of<Type>::type>;
};

/// What is wrong inside of an input, with the input's name in front of the place.
[[noreturn]] inline void fail_inside(const std::string& input, const Error& error) {
    ErrorDetails details{.hint = error.hint(), .where = error.where()};
    const std::string& inside = error.where().path;
    details.where.path = inside.empty() || inside == "<root>" ? input : input + "." + inside;
    throw Error(error.kind(), error.message(), std::move(details));
}

/// The inputs in the order of forward's parameters; null for those that are left out.
using BoundInputs = std::vector<const Inputs::Item*>;

/// By name where the model names its parameters, else in order.
[[nodiscard]] inline BoundInputs bind_inputs(const Inputs& inputs, std::size_t count,
                                             std::span<const std::string_view> names) {
    BoundInputs bound(count);
    if (!names.empty()) {
        for (const Inputs::Item& item : inputs) {
            const auto at = algo::find(names, item.first);
            if (at == names.end()) {
                std::string known;
                for (const std::string_view name : names) known.append(known.empty() ? "" : ", ").append(name);
                throw Error(ErrorKind::invalid_input,
                            "forward has no parameter '" + item.first + "'; its parameters are: " + known,
                            {.where = {.stage = "signature", .path = item.first}});
            }
            bound[static_cast<std::size_t>(at - names.begin())] = &item;
        }
        return bound;
    }
    if (inputs.size() > count)
        throw Error(ErrorKind::invalid_input,
                    "forward takes " + std::to_string(count) + " parameters, there are " +
                        std::to_string(inputs.size()) + " inputs",
                    {.where = {.stage = "signature"}});
    std::size_t position = 0;
    for (const Inputs::Item& item : inputs) bound[position++] = &item;
    return bound;
}

[[noreturn]] inline void refuse_absent(std::size_t position, std::span<const std::string_view> names) {
    throw Error(ErrorKind::invalid_input,
                names.empty() ? "forward takes more parameters than there are inputs"
                              : "forward needs its parameter '" + std::string(names[position]) + "'",
                {.hint = "give an input for each parameter that has no default and is neither a tensor nor optional",
                 .where = {.stage = "signature"}});
}

/// One parameter from the inputs; what was not given is None where the type allows it.
template <class Type, class Pytrees>
[[nodiscard]] Type parameter(const BoundInputs& bound, std::size_t position, std::span<const std::string_view> names) {
    if (bound[position] != nullptr) {
        const auto& [name, given] = *bound[position];
        if constexpr (std::same_as<Type, at::Tensor>) {
            if (given.is_leaf() && given.leaves[0].is_none()) return {};
        }
        try {
            return tree::unflatten<Type, Pytrees>(given);
        } catch (const Error& error) {
            fail_inside(name, error);
        }
    }
    if constexpr (std::same_as<Type, at::Tensor> || requires { Type(std::nullopt); })
        return {};
    else
        refuse_absent(position, names);
}

/// Calls with the first so many parameters: those behind the last input have what forward itself says, if it says something.
template <std::size_t Count, class Types, class Pytrees, class Call>
[[nodiscard]] decltype(auto) call_with_first(const BoundInputs& bound, std::span<const std::string_view> names,
                                             Call& call) {
    constexpr std::size_t all = std::tuple_size_v<Types>;
    const auto with = [&]<std::size_t... Index>(std::index_sequence<Index...>) -> decltype(auto) {
        return call(
            parameter<typename owner_of<std::tuple_element_t<Index, Types>>::type, Pytrees>(bound, Index, names)...);
    };
    if constexpr (Count == all) {
        return with(std::make_index_sequence<Count>{});
    } else {
        constexpr bool is_enough = []<std::size_t... Index>(std::index_sequence<Index...>) {
            return std::is_invocable_v<Call&, typename owner_of<std::tuple_element_t<Index, Types>>::type...>;
        }(std::make_index_sequence<Count>{});
        if constexpr (is_enough)
            if (std::all_of(bound.begin() + Count, bound.end(), [](const auto* item) { return item == nullptr; }))
                return with(std::make_index_sequence<Count>{});
        return call_with_first<Count + 1, Types, Pytrees>(bound, names, call);
    }
}

template <class Types, class Pytrees, class Call>
[[nodiscard]] decltype(auto) call_with(const Inputs& inputs, std::span<const std::string_view> names, Call&& call) {
    const BoundInputs bound = bind_inputs(inputs, std::tuple_size_v<Types>, names);
    return call_with_first<0, Types, Pytrees>(bound, names, call);
}

template <class Model>
struct require_forward {
    static_assert(
        sizeof(Model) == 0,
        "ferry: a model needs one `forward` that is neither a template nor overloaded, or to be callable likewise; wrap it "
        "in a lambda over tensors otherwise");
};

}  // namespace detail

/// Calls any kind of model and flattens what it returns.
template <class Pytrees, class Model>
[[nodiscard]] Tree call_model(Model& model, const Inputs& inputs) {
    const auto flat = [](auto&& result) { return tree::flatten<Pytrees>(std::forward<decltype(result)>(result)); };
    if constexpr (detail::is_function<Model>) {
        return flat(
            detail::call_with<typename detail::forward_types<std::decay_t<Model>>::types, Pytrees>(inputs, {}, model));
    } else if constexpr (detail::has_plain_forward<Model>) {
        using types = typename detail::forward_types<decltype(&Model::forward)>::types;
        constexpr std::span<const std::string_view> names = detail::parameter_names<Model>();
        static_assert(names.empty() || names.size() == std::tuple_size_v<types>,
                      "ferry: forward_parameters names each parameter of forward, in order");
        return flat(detail::call_with<types, Pytrees>(
            inputs, names, [&](auto&&... args) -> decltype(model.forward(std::forward<decltype(args)>(args)...)) {
                return model.forward(std::forward<decltype(args)>(args)...);
            }));
    } else if constexpr (detail::points_to_model<Model>) {  // std::shared_ptr and torch's module holders
        return call_model<Pytrees>(*model, inputs);
    } else if constexpr (requires {
                             model.forward(at::Tensor());
                         }) {  // a template over its arguments: torch::nn::Sequential
        return flat(detail::call_with<std::tuple<at::Tensor>, Pytrees>(
            inputs, {}, [&](at::Tensor input) { return model.forward(std::move(input)); }));
    } else if constexpr (detail::has_plain_call<Model>) {
        using types = typename detail::forward_types<decltype(&Model::operator())>::types;
        return flat(detail::call_with<types, Pytrees>(inputs, {}, model));
    } else {
        static_cast<void>(detail::require_forward<Model>{});
        return {};
    }
}

/// Of a torch::nn::Module, without naming it; of anything else nothing.
template <class Model>
[[nodiscard]] ModelState state_of(Model& model) {
    ModelState state;
    if constexpr (requires {
                      model.named_parameters(true);
                      model.named_buffers(true);
                  }) {
        for (const auto& item : model.named_parameters(true)) state.parameters.emplace_back(item.key(), item.value());
        for (const auto& item : model.named_buffers(true)) state.buffers.emplace_back(item.key(), item.value());
        if constexpr (requires { model.named_modules(std::string(), false); })
            for (const auto& item : model.named_modules(std::string(), false))
                state.modules.emplace_back(item.key(), dynamic_cast<const void*>(item.value().get()));
    } else if constexpr (detail::points_to_model<Model>) {
        return state_of(*model);
    }
    return state;
}

}  // namespace ferry
