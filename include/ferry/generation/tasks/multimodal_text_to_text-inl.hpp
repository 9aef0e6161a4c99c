#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/decompose.hpp>
#include <ferry/generation/encode.hpp>
#include <ferry/generation/modality.hpp>
#include <ferry/generation/tasks/cached_decoder.hpp>
#include <ferry/generation/tasks/metadata.hpp>
#include <ferry/generation/tasks/multimodal_text_to_text.hpp>
#include <ferry/generation/tasks/new_tokens.hpp>
#include <ferry/generation/tasks/samples.hpp>
#include <ferry/generation/tasks/source_encoder.hpp>

#include <ATen/core/grad_mode.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {
namespace detail {

/// The one thing that the model takes beside texts; null: none, or several.
[[nodiscard]] inline const Modality* only_modality(const AnyModel& model) {
    const Modality* found = nullptr;
    for (const Modality& each : modalities)
        if (model.part(each.encoder)) {
            if (found != nullptr) return nullptr;
            found = &each;
        }
    return found;
}

[[nodiscard]] inline std::shared_ptr<SourceEncoder> encoder_of(const TaskSource& source, const Modality& modality) {
    AnyModel encoder = source.model.part(modality.encoder).value();
    if (encoder.parameters().size() > 1)
        throw Error(ErrorKind::unsupported,
                    source.architecture + " has an encoder that takes more than '" + std::string(modality.input) +
                        "', and runners give nothing else",
                    {.hint = "export it without a task: its parts take what they need"});
    std::vector<AnyModel> projectors;
    for (const std::string_view each : modality.projectors)
        if (std::optional<AnyModel> projector = source.model.part(each)) projectors.push_back(*std::move(projector));
    return std::make_shared<SourceEncoder>(std::move(encoder), std::move(projectors));
}

[[nodiscard]] inline std::int64_t placeholder_of(const TaskSource& source, const Modality& modality) {
    const std::int64_t token = placeholder_tokens(source.config).of(modality);
    if (token < 0)
        throw Error(ErrorKind::bad_file, "config.json does not say which token stands for images or sounds: no '" +
                                             std::string(modality.token_fields[0]) + "'");
    return token;
}

}  // namespace detail

FERRY_INLINE bool multimodal_text_to_text::fits(const TaskSource& source) {
    return is_multimodal(source.model) && is_generative(source.model) && detail::only_modality(source.model) != nullptr;
}

FERRY_INLINE Inputs multimodal_text_to_text::sample(const TaskSource& source) {
    constexpr std::int64_t count = 2, around = 2;
    const Modality& modality = *detail::only_modality(source.model);
    const at::NoGradGuard no_grad;
    const at::Tensor seen = sample_source(source, modality.input, count);
    const at::Tensor features = detail::encoder_of(source, modality)->forward(seen);
    const std::int64_t vectors = features.numel() / features.size(-1) / count;
    const at::Tensor ids = sample_ids(count, vectors + around);
    ids.slice(1, 1, 1 + vectors).fill_(detail::placeholder_of(source, modality));
    Inputs made = inputs("input_ids", ids, "attention_mask", sample_ids(count, vectors + around));
    made.set(modality.input, seen);
    return made;
}

FERRY_INLINE TaskProgram multimodal_text_to_text::program(const TaskSource& source, const TaskOptions& options) {
    constexpr std::int64_t most_sounds = 10;
    const Modality& modality = *detail::only_modality(source.model);
    const std::int64_t room = room_of_text(source, options);
    const NewTokens tokens(room, options.is_dynamic);
    const AnyModel embedding = source.model.part("token_embedding").value();
    const std::string ids(only_input(embedding));
    const at::NoGradGuard no_grad;

    TaskMethod embed{"token_embedding", embedding, {}, tokens.shapes({{ids, 1}})};
    embed.inputs.set(ids, sample_ids(1, tokens.count()));
    TaskMethod decode{
        "text_decoder",
        std::make_shared<TextDecoder>(source.model.part("language_model").value(), source.model.part("lm_head"), room),
        inputs("inputs_embeds", run_on(embedding, sample_ids(1, tokens.count())), "cache_position", tokens.places()),
        tokens.shapes({{"inputs_embeds", 1}, {"cache_position", 0}})};
    // Long sounds come as several of the one length that the encoder takes.
    const bool is_sound = modality.runner_name == "audio";
    TaskMethod encode{std::string(modality.runner_name) + "_encoder", detail::encoder_of(source, modality), {}};
    encode.inputs.set(modality.input, sample_source(source, modality.input, is_sound && options.is_dynamic ? 2 : 1));
    if (is_sound && options.is_dynamic)
        encode.dynamic_shapes[std::string(modality.input)].emplace(0, Dim("enc_batch_size_dim", 1, most_sounds));

    TaskMetadata metadata = cache_metadata(source, room, options.is_dynamic);
    metadata.emplace_back("modality", modality.runner_name);
    metadata.emplace_back(std::string(modality.runner_name) + "_token_id", detail::placeholder_of(source, modality));
    add_all(metadata, source.processor_config);
    return {{std::move(decode), std::move(encode), std::move(embed)}, std::move(metadata)};
}

}  // namespace ferry::generation
