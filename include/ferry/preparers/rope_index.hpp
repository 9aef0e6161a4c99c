#pragma once

#include <ferry/core/names.hpp>
#include <ferry/preparers/added_inputs.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <concepts>
#include <type_traits>
#include <utility>

namespace ferry::preparers {

/// `position_ids`, as a model says by `at::Tensor rope_index(const Inputs&) const`. Only of a text from its beginning: later tokens
/// are where the loop of generation says.
struct rope_index {
    static constexpr auto input = names("input_ids", "inputs_embeds", "attention_mask");

    template <class Model>
    static void prepare(Model& model, Inputs& inputs) {
        if constexpr (requires {
                          { model.rope_index(std::as_const(inputs)) } -> std::convertible_to<at::Tensor>;
                      }) {
            AddedInputs added = AddedInputs::of<std::remove_const_t<Model>>(inputs);
            if (begins(added.tensor("input_ids"), added.tensor("attention_mask")))
                added.add("position_ids", [&] { return at::Tensor(model.rope_index(std::as_const(inputs))); });
        }
    }

    /// What is looked at has as many places as the text has tokens.
    [[nodiscard]] static bool begins(const at::Tensor& input_ids, const at::Tensor& attention_mask) {
        return !input_ids.defined() || !attention_mask.defined() ||
               (input_ids.dim() == 2 && attention_mask.dim() == 2 && input_ids.size(1) == attention_mask.size(1));
    }
};

}  // namespace ferry::preparers
