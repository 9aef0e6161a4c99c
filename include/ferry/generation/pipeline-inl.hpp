#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/merge_features.hpp>
#include <ferry/generation/modality.hpp>
#include <ferry/generation/pipeline.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::generation {
namespace detail {

/// Tensors that are carried from call to call, under this name whatever the model calls them.
inline constexpr std::string_view carried = "past_key_values";

}  // namespace detail

FERRY_INLINE Pipeline::Pipeline(std::map<std::string, Part> parts, PlaceholderTokens placeholders,
                                PrepareInputs prepare)
    : parts_(std::move(parts)), placeholders_(placeholders), prepare_(std::move(prepare)) {
    if (!has("decode") || !(has("prefill") || has("language_model")))
        throw Error(ErrorKind::invalid_input,
                    "a pipeline needs the parts 'prefill' and 'decode', or 'language_model' and 'decode'",
                    {.hint = "give all parts that export_for_generation has made"});
}

FERRY_INLINE bool Pipeline::takes(std::string_view parameter) const {
    if (parameter == detail::carried) return true;
    return algo::any_of(parts_, [&](const auto& part) { return algo::contains(part.second.inputs, parameter); });
}

FERRY_INLINE void Pipeline::begin(Inputs& inputs, const GenerationOptions&) {
    is_first_ = true;
    if (prepare_) inputs = prepare_(std::move(inputs));
    if (has("encoder") && !inputs.contains("encoder_hidden_states"))
        inputs.set("encoder_hidden_states", run("encoder", inputs).at(0));
}

FERRY_INLINE Inputs Pipeline::forward(const Inputs& inputs) {
    const bool is_first = std::exchange(is_first_, false);
    std::vector<at::Tensor> found = !is_first        ? run("decode", inputs)
                                    : has("prefill") ? run("prefill", inputs)
                                                     : run_multimodal(inputs);
    const at::Tensor logits = found.at(0);
    found.erase(found.begin());
    return ferry::inputs("logits", logits, detail::carried, found);
}

FERRY_INLINE std::vector<at::Tensor> Pipeline::run(std::string_view part, const Inputs& inputs) const {
    std::vector<at::Tensor> others, given;
    for (const auto& [name, value] : inputs)
        if (!value.is_leaf())
            for (const Leaf& leaf : value.leaves) others.push_back(leaf.tensor());
    std::size_t taken = 0;
    const Part& it = parts_.at(std::string(part));
    for (const std::string& name : it.inputs) {
        const Tree* named = inputs.find(name);
        if (named != nullptr && named->is_leaf() && named->leaves[0].is_tensor())
            given.push_back(named->leaves[0].tensor());
        else if (taken < others.size())
            given.push_back(others[taken++]);
        else
            throw Error(ErrorKind::invalid_input,
                        "there is nothing for the input '" + name + "' of the part '" + std::string(part) + "'");
    }
    return it.run(given);
}

FERRY_INLINE at::Tensor Pipeline::run_one(std::string_view part, const at::Tensor& given) const {
    if (!has(part)) throw Error(ErrorKind::invalid_input, "the part '" + std::string(part) + "' is missing");
    return parts_.at(std::string(part)).run({given}).at(0);
}

FERRY_INLINE at::Tensor Pipeline::merged(const Inputs& inputs) const {
    const auto ids = inputs.get<at::Tensor>("input_ids");
    at::Tensor embedded = run_one("token_embedding", ids);
    for (const Modality& each : modalities) {
        if (!has(each.encoder) || !inputs.contains(each.input)) continue;
        at::Tensor features = run(each.encoder, inputs).at(0);
        for (const std::string_view projector : each.projectors)
            if (has(projector)) features = run_one(projector, features);
        embedded = with_features(embedded, ids, placeholders_.of(each), features);
    }
    return embedded;
}

FERRY_INLINE std::vector<at::Tensor> Pipeline::run_multimodal(Inputs inputs) const {
    inputs.set("inputs_embeds", merged(inputs));
    std::vector<at::Tensor> found = run("language_model", inputs);
    if (has("lm_head")) found.at(0) = run_one("lm_head", found[0]);
    return found;
}

}  // namespace ferry::generation
