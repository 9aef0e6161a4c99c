#pragma once

#include <ferry/models/blocks/mixture.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace ferry::models {

struct Mixtral {
    using Model = Decoder;
    static constexpr std::string_view architecture = "MixtralForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions made = DecoderOptions::read(config, {.rotary = {.theta = 1000000}, .norm = {.epsilon = 1e-5}});
        made.window = config.maybe_integer("sliding_window");
        const MixtureOptions mixture{.width = made.width,
                                     .inner = made.mlp.inner,
                                     .experts = config.integer("num_local_experts", 8),
                                     .chosen = config.integer("num_experts_per_tok", 2),
                                     .activation = made.mlp.activation,
                                     .names = {"block_sparse_moe", "mlp"},
                                     .gate = "w1",
                                     .up = "w3",
                                     .down = "w2"};
        config.ignore({"router_jitter_noise", "output_router_logits", "router_aux_loss_coef"});
        made.make_feed_forward = [mixture](const Weights& layer, const DecoderOptions&, std::int64_t) {
            return std::make_shared<Mixture>(layer, mixture);
        };
        return made;
    }
};

}  // namespace ferry::models
