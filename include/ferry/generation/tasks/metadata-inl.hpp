#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/tasks/metadata.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

namespace ferry::generation {
namespace detail {

[[nodiscard]] inline std::optional<std::int64_t> head_size(const tree::Context& text) {
    if (const auto told = config_integer(text, {"head_dim", "d_kv"})) return told;
    const auto width = config_integer(text, {"hidden_size", "n_embd", "d_model", "dim"});
    const auto heads =
        config_integer(text, {"num_attention_heads", "n_head", "num_heads", "n_heads", "encoder_attention_heads"});
    if (!width || !heads || *heads <= 0) return std::nullopt;
    return *width / *heads;
}

/// ExecuTorch's numbers of types; its runners know of these two.
[[nodiscard]] inline std::int64_t dtype_number(const TaskSource& source) {
    constexpr std::int64_t half = 5, single = 6;
    for (const at::Tensor& each : source.model->parameters())
        if (each.is_floating_point()) return each.scalar_type() == at::kHalf ? half : single;
    return single;
}

}  // namespace detail

FERRY_INLINE TaskMetadata model_metadata(const TaskSource& source, std::optional<std::int64_t> max_seq_len) {
    const tree::Context& text = source.text_config();
    TaskMetadata made;
    const auto add = [&](const char* name, const tree::Context* value) {
        if (value != nullptr) made.emplace_back(name, *value);
    };
    const auto add_number = [&](const char* name, std::optional<std::int64_t> value) {
        if (value) made.emplace_back(name, *value);
    };
    const auto token = [&](const char* name) { return special_token(source.config, source.generation_config, name); };
    add_number("get_dtype", detail::dtype_number(source));
    add("get_bos_id", token("bos_token_id"));
    add("get_eos_id", token("eos_token_id"));
    add_number("get_head_dim", detail::head_size(text));
    add_number("get_n_kv_heads", config_integer(text, {"num_key_value_heads"}));
    add_number("get_n_layers",
               config_integer(text, {"num_hidden_layers", "n_layer", "num_layers", "n_layers", "encoder_layers"}));
    add_number("get_vocab_size", config_integer(text, {"vocab_size"}));
    add_number("get_max_batch_size", 1);
    add_number("get_max_seq_len", max_seq_len);
    add_number("sliding_window", config_integer(text, {"sliding_window"}));
    add("decoder_start_token_id", token("decoder_start_token_id"));
    return made;
}

FERRY_INLINE TaskMetadata cache_metadata(const TaskSource& source, std::int64_t max_seq_len, bool is_dynamic) {
    TaskMetadata made = model_metadata(source, max_seq_len);
    made.emplace_back("use_kv_cache", true);
    made.emplace_back("use_sdpa_with_kv_cache", false);
    made.emplace_back("enable_dynamic_shape", is_dynamic);
    return made;
}

FERRY_INLINE void add_all(TaskMetadata& metadata, const tree::Context& dict) {
    for (std::size_t i = 0; i < dict.keys().size(); ++i)
        if (!dict.items()[i].is_none() && !algo::contains(metadata, dict.keys()[i], &TaskMetadata::value_type::first))
            metadata.emplace_back(dict.keys()[i], dict.items()[i]);
}

FERRY_INLINE std::int64_t room_for(std::optional<std::int64_t> asked, std::optional<std::int64_t> most,
                                   std::int64_t otherwise) {
    const std::int64_t room = asked.value_or(std::min(otherwise, most.value_or(otherwise)));
    if (room < 4)
        throw Error(ErrorKind::invalid_input,
                    "a cache of " + std::to_string(room) + " tokens is too short: four are the least");
    if (most && room > *most)
        throw Error(ErrorKind::invalid_input,
                    "the model has " + std::to_string(*most) + " positions, fewer than the " + std::to_string(room) +
                        " tokens asked for",
                    {.hint = "ask for no more than it has"});
    return room;
}

FERRY_INLINE std::int64_t room_of_text(const TaskSource& source, const TaskOptions& options) {
    constexpr std::int64_t otherwise = 2048;
    return room_for(options.max_seq_len,
                    config_integer(source.text_config(), {"max_position_embeddings", "n_positions"}), otherwise);
}

}  // namespace ferry::generation
