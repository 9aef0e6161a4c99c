#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/dynamo/bind.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/dynamo/state_guard.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Stage 1, signature: what is done to inputs before the model sees them.
namespace ferry {

struct PreparedInputs {
    Inputs inputs{};
    Inputs
        output_flags{};  ///< taken out: they say what the model returns, which is for the model's configuration to know
};

namespace detail {

template <class Entry>
[[nodiscard]] bool concerns(const Inputs& inputs) {
    if constexpr (is_names<std::remove_cvref_t<decltype(Entry::input)>>)
        return algo::any_of(Entry::input.each, [&](std::string_view name) { return inputs.has(name); });
    else
        return inputs.has(Entry::input);
}

/// Where only the state of a model is known: preparers that want the model itself do not run.
struct NoModel {};

template <class List>
struct run_preparers;
template <template <class...> class Kind, class... Entries>
struct run_preparers<Kind<Entries...>> {
    template <class Model>
    static void run([[maybe_unused]] Model& model, [[maybe_unused]] Inputs& inputs) {
        const c10::AutoGradMode no_gradients(false);
        (run_one<Entries>(model, inputs), ...);
    }

private:
    template <class Entry, class Model>
    static void run_one([[maybe_unused]] Model& model, Inputs& inputs) {
        if (!concerns<Entry>(inputs)) return;
        if constexpr (!prepares_with_model<Entry>)
            Entry::prepare(inputs);
        else if constexpr (!std::same_as<Model, NoModel> && requires { Entry::prepare(model, inputs); })
            Entry::prepare(model, inputs);
    }
};

/// A model may know what forward takes of what a user has: `Inputs prepare_inputs(Inputs) const`.
template <class Model>
void prepare_by_model([[maybe_unused]] Model& model, [[maybe_unused]] Inputs& inputs) {
    if constexpr (requires {
                      { model.prepare_inputs(std::move(inputs)) } -> std::same_as<Inputs>;
                  })
        inputs = model.prepare_inputs(std::move(inputs));
    else if constexpr (std::is_class_v<Model> &&
                       requires { requires std::is_class_v<std::remove_cvref_t<decltype(*model)>>; })
        prepare_by_model(*model, inputs);
}

/// Losses are no part of a program.
inline void refuse_labels(const Inputs& inputs) {
    for (const std::string_view name : {"labels", "future_values"})
        if (inputs.has(name))
            throw Error(ErrorKind::invalid_input, "labels are among the inputs, and a loss cannot be exported",
                        {.hint = "leave this input out", .where = {.stage = "signature", .path = std::string(name)}});
    if (!inputs.contains("return_loss")) return;
    const Tree asked = inputs.at("return_loss");
    if (asked.leaves.size() == 1 && asked.leaves[0] == Leaf(true))
        throw Error(ErrorKind::invalid_input, "a loss is asked for, and cannot be exported",
                    {.hint = "leave this input out", .where = {.stage = "signature", .path = "return_loss"}});
}

/// To the model's device, and what is floating point to its dtype: a cache made before the model was moved is the usual case.
[[nodiscard]] inline Inputs cast_inputs(const Inputs& inputs, const ModelState& state) {
    std::optional<at::Tensor> first;
    for (const auto& [name, parameter] : state.parameters)
        if (!first && parameter.defined()) first = parameter;
    if (!first) return inputs;
    Tree all = inputs.tree();
    for (Leaf& leaf : all.leaves) {
        if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
        const at::Tensor& tensor = leaf.tensor();
        const bool casts = tensor.is_floating_point() && first->is_floating_point();
        leaf = tensor.to(
            tensor.options().device(first->device()).dtype(casts ? first->scalar_type() : tensor.scalar_type()));
    }
    return tree::unflatten<Inputs>(all);
}

/// What every export does with its inputs first.
template <class Pipeline, class Model>
void prepare_inputs(Model& model, Inputs& inputs) {
    refuse_labels(inputs);
    prepare_by_model(model, inputs);
    run_preparers<typename Pipeline::template stage<input_preparers>>::run(innermost(model), inputs);
}

template <class Pipeline, class Model>
[[nodiscard]] PreparedInputs prepare_all(Model& model, const ModelState& state, Inputs inputs) {
    refuse_labels(inputs);
    PreparedInputs prepared;
    for (const std::string_view label : {"labels", "future_values"}) inputs.erase(label);
    for (const std::string_view flag :
         {"use_cache", "output_attentions", "output_hidden_states", "return_dict", "return_loss"}) {
        if (!inputs.contains(flag)) continue;
        prepared.output_flags.set(flag, inputs.at(flag));
        inputs.erase(flag);
    }
    prepare_by_model(model, inputs);
    run_preparers<typename Pipeline::template stage<input_preparers>>::run(innermost(model), inputs);
    prepared.inputs = cast_inputs(inputs, state);
    return prepared;
}

}  // namespace detail

/// Inputs as an export takes them: without labels and output flags, with what the pipeline's input preparers make of them, in the
/// model's dtype and on its device.
template <class Pipeline = dynamo_pipeline>
[[nodiscard]] PreparedInputs prepare_for_export(const ModelState& state, Inputs inputs) {
    detail::NoModel none;
    return detail::prepare_all<Pipeline>(none, state, std::move(inputs));
}

template <class Pipeline = dynamo_pipeline, class Model>
    requires(!std::same_as<std::remove_cv_t<Model>, ModelState>)
[[nodiscard]] PreparedInputs prepare_for_export(Model& model, Inputs inputs) {
    return detail::prepare_all<Pipeline>(model, state_of(model), std::move(inputs));
}

}  // namespace ferry
