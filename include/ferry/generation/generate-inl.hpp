#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/generation/token_choice.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ferry {
namespace generation {

/// What only the call with the whole prompt takes: what stands for images and sounds is in the cache from then on.
inline constexpr std::array<std::string_view, 14> prompt_only{
    "pixel_values",        "pixel_values_videos",    "pixel_attention_mask", "pixel_mask",
    "image_sizes",         "image_grid_thw",         "video_grid_thw",       "input_features",
    "input_features_mask", "feature_attention_mask", "second_per_grid_ts",   "token_type_ids",
    "image_position_ids",  "image_cu_seqlens"};

/// Texts, growing token by token, and what forward is given for that.
class TextLoop {
public:
    TextLoop(Generative& model, Inputs inputs, const GenerationOptions& options)
        : model_(model), options_(options), choice_(options), inputs_(std::move(inputs)) {
        has_encoder_ = model_.takes("decoder_input_ids");
        ids_name_ = has_encoder_ ? "decoder_input_ids" : "input_ids";
        model_.begin(inputs_, options_);
        begin_texts();
        ended_ = at::zeros({ids_.size(0), 1}, ids_.options().dtype(at::kBool));
    }

    [[nodiscard]] at::Tensor run() {
        for (std::int64_t made = 0; made < options_.max_new_tokens && !ended_.all().item<bool>(); ++made) {
            const Inputs outputs = model_.forward(inputs_);
            const auto logits = outputs.get<at::Tensor>("logits");
            append(choice_.choose(logits.select(1, logits.size(1) - 1), made >= options_.min_new_tokens));
            prepare_next(outputs);
        }
        return ids_;
    }

private:
    void begin_texts() {
        if (has_encoder_ && !inputs_.contains(ids_name_)) {
            const auto encoded = inputs_.get<at::Tensor>("encoder_hidden_states");
            ids_ = at::full({encoded.size(0), 1}, options_.decoder_start_token_id, encoded.options().dtype(at::kLong));
        } else if (inputs_.contains(ids_name_)) {
            ids_ = inputs_.get<at::Tensor>(ids_name_);
        }
        if (!ids_.defined() || ids_.dim() != 2 || ids_.size(1) == 0 || ids_.scalar_type() != at::kLong)
            throw Error(ErrorKind::invalid_input,
                        "generate takes '" + std::string(ids_name_) + "', token ids as int64 [batch, tokens]");
        inputs_.set(ids_name_, ids_);
        if (has_encoder_) return;
        mask_ = inputs_.contains("attention_mask") ? inputs_.get<at::Tensor>("attention_mask") : at::ones_like(ids_);
        if (mask_.sizes() != ids_.sizes())
            throw Error(ErrorKind::invalid_input, "generate takes a mask of the same sizes as the token ids");
        if (!model_.takes("attention_mask") && !mask_.all().item<bool>())
            throw Error(ErrorKind::invalid_input, "the model takes no attention mask, so that texts cannot be padded",
                        {.hint = "export it with a sample that has padding"});
        if (const std::int64_t more = options_.static_cache_length - mask_.size(1); more > 0)
            mask_ = at::cat({mask_, at::ones({mask_.size(0), more}, mask_.options())}, 1);
        if (const std::int64_t over = ids_.size(1) + options_.max_new_tokens - 1 - options_.static_cache_length;
            options_.static_cache_length > 0 && over > 0)
            throw Error(ErrorKind::invalid_input,
                        "the static cache is too short by " + std::to_string(over) + " tokens",
                        {.hint = "static_cache_length counts the prompt and max_new_tokens, but the last"});
        if (model_.takes("position_ids") && inputs_.contains("position_ids")) begin_positions();
        set_mask_and_positions(0);
    }

    /// Those given are the prompt's; texts go on behind the last place that a token has in them, on all axes that there are.
    void begin_positions() {
        const auto given = inputs_.get<at::Tensor>("position_ids");
        if (given.dim() < 2 || given.size(-1) != ids_.size(1))
            throw Error(ErrorKind::invalid_input, "generate takes positions of as many tokens as there are ids");
        const at::Tensor is_padding = mask_.slice(1, 0, ids_.size(1)) == 0;
        const at::Tensor last = given.masked_fill(is_padding, 0).amax(-1, /*keepdim=*/true);
        next_positions_ = (last.dim() > 2 ? last.amax(0, /*keepdim=*/true).expand_as(last) : last) + 1;
    }

    /// Padding has no place in a text.
    void set_mask_and_positions(std::int64_t first) {
        if (model_.takes("attention_mask")) inputs_.set("attention_mask", mask_);
        if (!model_.takes("position_ids")) return;
        if (next_positions_.defined()) {
            if (first == 0) return;
            inputs_.set("position_ids", next_positions_);
            next_positions_ = next_positions_ + 1;
            return;
        }
        const at::Tensor places = (mask_.cumsum(1) - 1).clamp_min(0);
        inputs_.set("position_ids", places.slice(1, first, ids_.size(1)));
    }

    void append(at::Tensor next) {
        next = at::where(ended_, at::full_like(next, options_.pad_token_id), next);
        ids_ = at::cat({ids_, next}, 1);
        for (const std::int64_t end : options_.eos_token_ids) ended_ = ended_.logical_or(next == end);
    }

    void prepare_next(const Inputs& outputs) {
        for (const auto& [name, value] : outputs)
            if (name != "logits" && model_.takes(name)) inputs_.set(name, value);
        for (const std::string_view name : prompt_only) inputs_.erase(name);
        const std::int64_t last = ids_.size(1) - 1;
        inputs_.set(ids_name_, ids_.slice(1, last));
        if (!mask_.defined()) return;
        if (mask_.size(1) < ids_.size(1)) mask_ = at::cat({mask_, at::ones({mask_.size(0), 1}, mask_.options())}, 1);
        set_mask_and_positions(last);
    }

    Generative& model_;
    GenerationOptions options_;
    TokenChoice choice_;
    Inputs inputs_;
    std::string_view ids_name_;
    bool has_encoder_ = false;
    at::Tensor ids_, mask_, ended_, next_positions_;
};

}  // namespace generation

FERRY_INLINE at::Tensor generate(generation::Generative& model, Inputs inputs, const GenerationOptions& options) {
    const at::NoGradGuard no_grad;
    return generation::TextLoop(model, std::move(inputs), options).run();
}

}  // namespace ferry
