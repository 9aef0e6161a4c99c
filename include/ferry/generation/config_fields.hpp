#pragma once

#include <ferry/generation/options.hpp>
#include <ferry/generation/pipeline.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

/// What a checkpoint's config.json and generation_config.json say to who generates. A config may be none.
namespace ferry::generation {

/// The first of these fields that is there and not none. Several, as models have several names for one thing.
[[nodiscard]] const tree::Context* config_field(const tree::Context& config,
                                                std::initializer_list<std::string_view> names);
[[nodiscard]] std::optional<std::int64_t> config_integer(const tree::Context& config,
                                                         std::initializer_list<std::string_view> names);

/// The tokens at which texts begin and end, or what stands for padding: generation_config.json says it first, then the model's own config,
/// then that of the language model in it.
[[nodiscard]] const tree::Context* special_token(const tree::Context& config, const tree::Context& generation_config,
                                                 std::string_view name);

/// With the tokens that these speak of; the rest as by default.
[[nodiscard]] GenerationOptions generation_options(const tree::Context& config, const tree::Context& generation_config);

[[nodiscard]] PlaceholderTokens placeholder_tokens(const tree::Context& config);

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/config_fields-inl.hpp>
#endif
