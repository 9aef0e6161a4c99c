#pragma once

#include <ferry/core/error.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace ferry::generation {

/// Those of the inputs that a model takes.
[[nodiscard]] inline Inputs inputs_for(const AnyModel& model, const Inputs& inputs) {
    Inputs taken;
    for (const auto& [name, value] : inputs)
        if (model.takes(name)) taken.set(name, value);
    return taken;
}

/// The first tensor of a model's result.
[[nodiscard]] inline at::Tensor first_tensor(const Tree& result, std::string_view whose) {
    if (result.leaves.empty() || !result.leaves[0].is_tensor())
        throw Error(ErrorKind::invalid_input, "the first that the " + std::string(whose) + " gives is no tensor");
    return result.leaves[0].tensor();
}

/// What the one input is called of a model that takes one.
[[nodiscard]] inline std::string_view only_input(const AnyModel& model) {
    return model.parameters().empty() ? "input" : model.parameters()[0];
}

/// A model with one input, such as a projector.
[[nodiscard]] inline at::Tensor run_on(const AnyModel& model, const at::Tensor& input) {
    Inputs given;
    given.set(only_input(model), input);
    return first_tensor(model(given), model.type());
}

}  // namespace ferry::generation
