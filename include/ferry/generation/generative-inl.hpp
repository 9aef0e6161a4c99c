#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/encode.hpp>
#include <ferry/generation/generative.hpp>
#include <ferry/tree/unflatten.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::generation {

FERRY_INLINE void GenerativeModel::begin(Inputs& inputs, const GenerationOptions& options) {
    if (model_.parameters().empty())
        throw Error(ErrorKind::invalid_input,
                    std::string(model_.type()) + " does not say what forward's parameters are",
                    {.hint = "add `static constexpr auto forward_parameters = ferry::names(\"input_ids\", ...)`"});
    inputs = model_.prepare_inputs(std::move(inputs));
    if (takes("encoder_hidden_states") && !inputs.contains("encoder_hidden_states")) {
        const std::optional<AnyModel> encoder = model_.part("encoder");
        if (!encoder)
            throw Error(
                ErrorKind::invalid_input,
                std::string(model_.type()) + " has no member 'encoder' for what it takes as encoder_hidden_states");
        inputs.set("encoder_hidden_states", first_tensor((*encoder)(inputs_for(*encoder, inputs)), "encoder"));
    }
    if (options.static_cache_length > 0) {
        const char* const batched = takes("encoder_hidden_states") ? "encoder_hidden_states" : "input_ids";
        std::optional<Tree> cache =
            model_.static_cache(inputs.get<at::Tensor>(batched).size(0), options.static_cache_length);
        if (!cache || !takes("past_key_values"))
            throw Error(ErrorKind::unsupported, std::string(model_.type()) + " has no static cache");
        inputs.set("past_key_values", *cache);
    }
    for (const std::string_view parameter : model_.parameters())
        if (!inputs.contains(parameter))
            if (const std::optional<Tree> value = model_.initial(parameter)) inputs.set(parameter, *value);
}

FERRY_INLINE Inputs GenerativeModel::forward(const Inputs& inputs) {
    return tree::unflatten<Inputs>(model_(inputs_for(model_, inputs)));
}

}  // namespace ferry::generation
