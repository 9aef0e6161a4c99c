#pragma once

#include <ferry/core/forward_parameters.hpp>
#include <ferry/dynamo/state_guard.hpp>
#include <ferry/observe/signature.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/parameters.hpp>

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ferry {

/// The signature of a kind of model. This one is for C++ modules, for callables, and for what knows its parameters when it runs, as
/// AnyModel does; others are specialisations, each in the header that knows the kind (observe/torchscript.hpp).
template <class Model>
struct model_signature {
    [[nodiscard]] static Signature of(const Model& model) {
        if constexpr (requires {
                          { model.signature() } -> std::convertible_to<Signature>;
                      })
            return model.signature();
        else if constexpr (requires {
                               { model.parameters() } -> std::same_as<std::span<const std::string_view>>;
                           })
            return named(model.parameters());
        else
            return named(detail::parameter_names<std::remove_cvref_t<decltype(detail::innermost(model))>>());
    }

private:
    [[nodiscard]] static Signature named(std::span<const std::string_view> names) {
        return {.names{names.begin(), names.end()}};
    }
};

template <>
struct model_signature<ProgramModule> {
    [[nodiscard]] static Signature of(const ProgramModule& module) {
        Signature made;
        for (Parameter& each : parameters_of(module.program())) made.names.push_back(std::move(each.name));
        return made;
    }
};

}  // namespace ferry
