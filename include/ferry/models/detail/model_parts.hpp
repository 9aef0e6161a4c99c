#pragma once

#include <ferry/models/any_model.hpp>

#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

/// Which members of a model have which role in generation, by the names that models of transformers have for them. They are public, and
/// hold a module each: std::shared_ptr, a holder of torch's or ferry::submodule.
namespace ferry::detail {

template <class Get>
struct PartMember {
    std::string_view role;
    Get get;
};
template <class Get>
PartMember(const char*, Get) -> PartMember<Get>;

inline constexpr std::tuple part_members{
    PartMember{"encoder", [](auto& model) -> decltype((model.encoder)) { return model.encoder; }},

    PartMember{"image_encoder", [](auto& model) -> decltype((model.vision_tower)) { return model.vision_tower; }},
    PartMember{"image_encoder", [](auto& model) -> decltype((model.visual)) { return model.visual; }},
    PartMember{"image_encoder", [](auto& model) -> decltype((model.vision_model)) { return model.vision_model; }},
    PartMember{"image_encoder", [](auto& model) -> decltype((model.vision_encoder)) { return model.vision_encoder; }},
    PartMember{"image_encoder", [](auto& model) -> decltype((model.image_tower)) { return model.image_tower; }},

    PartMember{"audio_encoder", [](auto& model) -> decltype((model.audio_tower)) { return model.audio_tower; }},
    PartMember{"audio_encoder", [](auto& model) -> decltype((model.audio_encoder)) { return model.audio_encoder; }},
    PartMember{"audio_encoder", [](auto& model) -> decltype((model.speech_encoder)) { return model.speech_encoder; }},

    PartMember{"multi_modal_projector",
               [](auto& model) -> decltype((model.multi_modal_projector)) { return model.multi_modal_projector; }},
    PartMember{"connector", [](auto& model) -> decltype((model.connector)) { return model.connector; }},
    PartMember{"embed_vision", [](auto& model) -> decltype((model.embed_vision)) { return model.embed_vision; }},
    PartMember{"embed_audio", [](auto& model) -> decltype((model.embed_audio)) { return model.embed_audio; }},

    PartMember{"token_embedding", [](auto& model) -> decltype((model.embed_tokens)) { return model.embed_tokens; }},
    PartMember{"language_model", [](auto& model) -> decltype((model.language_model)) { return model.language_model; }},
    PartMember{"language_model", [](auto& model) -> decltype((model.text_model)) { return model.text_model; }},
    PartMember{"language_model", [](auto& model) -> decltype((model.decoder)) { return model.decoder; }},
    PartMember{"language_model", [](auto& model) -> decltype((model.text_decoder)) { return model.text_decoder; }},
    PartMember{"lm_head", [](auto& model) -> decltype((model.lm_head)) { return model.lm_head; }}};

/// The module that a member holds.
template <class Holder>
[[nodiscard]] std::optional<AnyModel> held_model(const Holder& holder) {
    if constexpr (requires { holder.ptr(); }) {  // a holder of torch's
        if (!holder.is_empty()) return AnyModel(holder.ptr());
    } else if constexpr (requires { typename Holder::element_type; }) {
        if (holder != nullptr) return AnyModel(std::shared_ptr<typename Holder::element_type>(holder));
    }
    return std::nullopt;
}

template <class Model>
[[nodiscard]] std::optional<AnyModel> model_part(Model& model, std::string_view role) {
    std::optional<AnyModel> found;
    const auto look = [&](const auto& member) {
        if constexpr (std::invocable<decltype(member.get), Model&>)
            if (!found && member.role == role) found = held_model(member.get(model));
    };
    std::apply([&](const auto&... member) { (look(member), ...); }, part_members);
    return found;
}

}  // namespace ferry::detail
