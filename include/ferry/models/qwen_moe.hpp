#pragma once

#include <ferry/core/error.hpp>
#include <ferry/models/blocks/mixture.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace ferry::models {

struct Qwen3Moe {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Qwen3MoeForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = DecoderOptions::read(config);
        made.attention.has_bias = made.attention.has_output_bias = config.flag("attention_bias", false);
        made.attention.head_norms = HeadNorms::each_head;
        const std::optional<std::int64_t> window = config.maybe_integer("sliding_window");
        if (config.flag("use_sliding_window", false)) made.window = window;
        const std::int64_t experts = config.integer("num_experts", 128);
        const MixtureOptions mixture{.width = made.width,
                                     .inner = config.integer("moe_intermediate_size", 768),
                                     .experts = config.integer("num_local_experts", experts),
                                     .chosen = config.integer("num_experts_per_tok", 8),
                                     .activation = made.mlp.activation,
                                     .normalizes = config.flag("norm_topk_prob", false),
                                     .rounds_shares = true};
        const std::int64_t step = config.integer("decoder_sparse_step", 1);
        if (step < 1) throw Error(ErrorKind::bad_file, "config.json: 'decoder_sparse_step' must be 1 or more");
        const std::vector<std::int64_t> plain = config.integers("mlp_only_layers");
        config.ignore({"max_window_layers", "output_router_logits", "router_aux_loss_coef"});
        made.make_feed_forward = [mixture, step, plain](const Weights& layer, const DecoderOptions& options,
                                                        std::int64_t index) -> std::shared_ptr<FeedForward> {
            const bool is_mixture = mixture.experts > 0 && (index + 1) % step == 0 &&
                                    std::find(plain.begin(), plain.end(), index) == plain.end();
            if (!is_mixture) return gated_mlp(layer, options, index);
            return std::make_shared<Mixture>(layer, mixture);
        };
        return made;
    }
};

}  // namespace ferry::models
