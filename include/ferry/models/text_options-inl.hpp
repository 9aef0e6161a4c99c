#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/llama.hpp>
#include <ferry/models/mistral.hpp>
#include <ferry/models/qwen.hpp>
#include <ferry/models/text_options.hpp>
#include <ferry/tree/context.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::models {
namespace detail {

struct TextKind {
    std::string_view type;
    DecoderOptions (*options)(ConfigReader& config);
    std::int64_t vocabulary, inner, key_heads;  ///< by default
};
inline constexpr std::array<TextKind, 4> text_kinds{
    TextKind{"llama", &Llama::options, 32000, 11008, 32}, TextKind{"mistral", &Mistral::options, 32000, 14336, 8},
    TextKind{"qwen2", &Qwen2::options, 151936, 22016, 32}, TextKind{"qwen3", &Qwen3::options, 151936, 22016, 32}};

/// Older versions of transformers left out sizes that are as by default, and only in a config inside of another.
[[nodiscard]] inline tree::Context with_default_sizes(const tree::Context& given, const TextKind& kind) {
    std::vector<std::string> fields = given.keys();
    std::vector<tree::Context> values = given.items();
    const auto add = [&](std::string_view field, std::int64_t value) {
        if (given.find(field) != nullptr) return;
        fields.emplace_back(field);
        values.emplace_back(value);
    };
    if (given.find("num_attention_heads") == nullptr) add("num_key_value_heads", kind.key_heads);
    add("vocab_size", kind.vocabulary);
    add("hidden_size", 4096);
    add("intermediate_size", kind.inner);
    add("num_hidden_layers", 32);
    add("num_attention_heads", 32);
    return tree::Context::dict(std::move(fields), std::move(values));
}

}  // namespace detail

FERRY_INLINE DecoderOptions text_options(ConfigReader& config) {
    const std::string type = config.section("text_config").text("model_type", "llama");
    const tree::Context& given = *config.find("text_config");
    std::string known;
    for (const detail::TextKind& kind : detail::text_kinds) {
        known.append(known.empty() ? "" : ", ").append(kind.type);
        if (kind.type != type) continue;
        const tree::Context all = detail::with_default_sizes(given, kind);
        ConfigReader text(all);
        DecoderOptions made = kind.options(text);
        text.finish();
        return made;
    }
    throw Error(ErrorKind::unsupported, "config.json: a language model of the type '" + type + "' cannot be inside",
                {.hint = "there are: " + known});
}

}  // namespace ferry::models
