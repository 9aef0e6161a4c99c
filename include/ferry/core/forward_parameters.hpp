#pragma once

#include <ferry/core/names.hpp>

#include <span>
#include <string_view>
#include <type_traits>

/// What forward's parameters are called, which C++ does not tell: `static constexpr auto forward_parameters =
/// ferry::names("input_ids", "attention_mask");` in a model. Inputs then go to them by name, in any order.
namespace ferry::detail {

template <class Model>
concept names_forward_parameters =
    requires { requires is_names<std::remove_cvref_t<decltype(Model::forward_parameters)>>; };
/// Short, and hides Module::parameters().
template <class Model>
concept names_parameters = requires { requires is_names<std::remove_cvref_t<decltype(Model::parameters)>>; };

/// Empty where the model does not say.
template <class Model>
[[nodiscard]] constexpr std::span<const std::string_view> parameter_names() {
    if constexpr (names_forward_parameters<Model>)
        return Model::forward_parameters.each;
    else if constexpr (names_parameters<Model>)
        return Model::parameters.each;
    else
        return {};
}

}  // namespace ferry::detail
