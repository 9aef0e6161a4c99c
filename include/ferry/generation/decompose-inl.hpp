#pragma once

#include <ferry/capture/call_observer.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/decompose.hpp>
#include <ferry/generation/encode.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/generation/generative.hpp>
#include <ferry/tree/leaf_tensors.hpp>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {
namespace generation {

[[nodiscard]] inline std::string names_of(const Inputs& inputs) {
    std::string names;
    for (const auto& [name, value] : inputs) names.append(names.empty() ? "" : ", ").append(name);
    return names;
}

/// Keeps what models are given, as AnyModel and ferry::submodule tell.
class RecordedCalls final : public capture::CallObserver {
public:
    explicit RecordedCalls(const std::vector<AnyModel>& models) {
        for (const AnyModel& model : models) calls_[object_of(model)];
    }
    [[nodiscard]] bool wants(const void* module) const override { return calls_.contains(module); }
    void called(const void* module, const Inputs& inputs) override {
        calls_[module].push_back(clone_leaf_tensors(inputs));
    }

    [[nodiscard]] std::vector<Inputs>& of(const AnyModel& model) { return calls_[object_of(model)]; }

    template <class Run>
    void during(const Run& run) {
        const at::NoGradGuard no_grad;
        const capture::CallObserverScope scope(*this);
        run();
    }

private:
    [[nodiscard]] static const void* object_of(const AnyModel& model) { return dynamic_cast<const void*>(&*model); }

    std::unordered_map<const void*, std::vector<Inputs>> calls_;
};

/// Two calls with a token each, as one with both.
[[nodiscard]] inline Inputs in_one_call(const Inputs& first, const Inputs& second) {
    Inputs both = first;
    for (const auto& [name, value] : second) {
        const bool is_of_tokens = name == "input_ids" || name == "decoder_input_ids" || name == "position_ids";
        if (name == "attention_mask")
            both.set(name, value);
        else if (is_of_tokens)
            both.set(name, at::cat({first.get<at::Tensor>(name), second.get<at::Tensor>(name)}, -1));
    }
    return both;
}

[[nodiscard]] inline GenerationParts prefill_and_decode(const AnyModel& model, std::vector<Inputs> calls) {
    if (calls.size() < 2)
        throw Error(ErrorKind::invalid_input,
                    "two calls of forward of " + std::string(model.type()) + " were expected, and there were " +
                        std::to_string(calls.size()) + ": what generates goes past it, to an inner model, say",
                    {.hint = "call the model through a ferry::submodule, twice or more"});
    return {{"prefill", model, std::move(calls[0])}, {"decode", model, std::move(calls[1])}};
}

/// In the order in which they run.
inline constexpr std::array<std::string_view, 9> multimodal_roles{
    "image_encoder", "audio_encoder",   "multi_modal_projector", "connector", "embed_vision",
    "embed_audio",   "token_embedding", "language_model",        "lm_head"};

}  // namespace generation

FERRY_INLINE GenerationParts decompose_prefill_decode(const AnyModel& model, const Inputs& inputs,
                                                      const GenerationOptions& options) {
    generation::RecordedCalls recorded({model});
    GenerationOptions two = options;
    two.max_new_tokens = two.min_new_tokens = options.multi_token_decode ? 3 : 2;
    try {
        recorded.during([&] { static_cast<void>(generate(model, clone_leaf_tensors(inputs), two)); });
    } catch (const Error& error) {
        throw Error(error.kind(),
                    std::string(model.type()) + " could not generate from [" + generation::names_of(inputs) +
                        "]: " + error.message(),
                    {.hint = error.hint(), .where = error.where()});
    }
    std::vector<Inputs>& calls = recorded.of(model);
    if (options.multi_token_decode && calls.size() > 2) calls[1] = generation::in_one_call(calls[1], calls[2]);
    GenerationParts parts = generation::prefill_and_decode(model, std::move(calls));
    if (const auto encoder = model.part("encoder"); encoder && model.takes("encoder_hidden_states"))
        parts.insert(parts.begin(), {"encoder", *encoder, generation::inputs_for(*encoder, inputs)});
    return parts;
}

FERRY_INLINE GenerationParts decompose_prefill_decode(const AnyModel& model, const std::function<void()>& generates) {
    generation::RecordedCalls recorded({model});
    recorded.during(generates);
    return generation::prefill_and_decode(model, std::move(recorded.of(model)));
}

FERRY_INLINE bool is_generative(const AnyModel& model) {
    return algo::any_of(model.parameters(), [&](std::string_view each) { return model.initial(each).has_value(); });
}

FERRY_INLINE bool is_multimodal(const AnyModel& model) {
    return (model.part("image_encoder") || model.part("audio_encoder")) && model.part("language_model");
}

FERRY_INLINE GenerationParts decompose_multimodal(const AnyModel& model, const Inputs& inputs) {
    if (!is_multimodal(model))
        throw Error(ErrorKind::invalid_input,
                    std::string(model.type()) +
                        " is not multimodal: it has no encoder for images or sounds with a "
                        "language model behind it",
                    {.hint = "such members are public and called vision_tower, audio_tower, language_model, or as "
                             "transformers calls them"});
    std::vector<std::pair<std::string, AnyModel>> found;
    std::vector<AnyModel> models;
    for (const std::string_view role : generation::multimodal_roles)
        if (const std::optional<AnyModel> part = model.part(role)) {
            found.emplace_back(role, *part);
            models.push_back(*part);
        }
    generation::RecordedCalls recorded(models);
    recorded.during([&] { static_cast<void>(model(clone_leaf_tensors(model.prepare_inputs(inputs)))); });
    GenerationParts parts;
    for (auto& [name, part] : found)
        if (std::vector<Inputs>& calls = recorded.of(part); !calls.empty())
            parts.push_back({std::move(name), part, std::move(calls.back())});
    return parts;
}

FERRY_INLINE GenerationParts decompose_for_generation(const AnyModel& model, const Inputs& inputs,
                                                      const GenerationOptions& options) {
    GenerationParts parts = decompose_prefill_decode(model, inputs, options);
    if (!is_multimodal(model)) return parts;
    GenerationParts by_mode;
    for (GenerationPart& part : parts) {
        if (part.name != "prefill") {
            by_mode.push_back(std::move(part));
            continue;
        }
        for (GenerationPart& each : decompose_multimodal(model, part.inputs)) by_mode.push_back(std::move(each));
    }
    return by_mode;
}

}  // namespace ferry
