#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/modality.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace ferry::generation {
namespace detail {

/// One number, or a list of them.
[[nodiscard]] inline std::vector<std::int64_t> integers_in(const tree::Context* value) {
    std::vector<std::int64_t> made;
    if (value == nullptr) return made;
    if (const auto one = value->as_integer()) made.push_back(*one);
    if (value->is_list())
        for (const tree::Context& each : value->items())
            if (const auto one = each.as_integer()) made.push_back(*one);
    return made;
}

}  // namespace detail

FERRY_INLINE const tree::Context* config_field(const tree::Context& config,
                                               std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (const tree::Context* found = config.find(name); found != nullptr && !found->is_none()) return found;
    return nullptr;
}

FERRY_INLINE std::optional<std::int64_t> config_integer(const tree::Context& config,
                                                        std::initializer_list<std::string_view> names) {
    const tree::Context* found = config_field(config, names);
    return found == nullptr ? std::nullopt : found->as_integer();
}

FERRY_INLINE const tree::Context* special_token(const tree::Context& config, const tree::Context& generation_config,
                                                std::string_view name) {
    const tree::Context* const text = config_field(config, {"text_config"});
    for (const tree::Context* each : {&generation_config, &config, text})
        if (each != nullptr)
            if (const tree::Context* found = config_field(*each, {name})) return found;
    return nullptr;
}

FERRY_INLINE GenerationOptions generation_options(const tree::Context& config, const tree::Context& generation_config) {
    GenerationOptions made;
    const auto tokens = [&](std::string_view name) {
        return detail::integers_in(special_token(config, generation_config, name));
    };
    made.eos_token_ids = tokens("eos_token_id");
    for (const char* name : {"bos_token_id", "decoder_start_token_id"})
        if (const auto start = tokens(name); !start.empty()) made.decoder_start_token_id = start[0];
    if (const auto padding = tokens("pad_token_id"); !padding.empty())
        made.pad_token_id = padding[0];
    else if (!made.eos_token_ids.empty())  // as transformers does
        made.pad_token_id = made.eos_token_ids[0];
    return made;
}

FERRY_INLINE PlaceholderTokens placeholder_tokens(const tree::Context& config) {
    PlaceholderTokens made;
    for (const Modality& each : modalities)
        if (const auto token = config_integer(config, {each.token_fields[0], each.token_fields[1]}))
            made.of(each) = *token;
    return made;
}

}  // namespace ferry::generation
