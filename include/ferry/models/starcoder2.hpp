#pragma once

#include <ferry/models/blocks/feed_forward.hpp>
#include <ferry/models/blocks/mlp.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>
#include <ferry/models/weights.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace ferry::models {

struct Starcoder2 {
    using Model = Decoder;
    static constexpr std::string_view architecture = "Starcoder2ForCausalLM";

    [[nodiscard]] static DecoderOptions options(ConfigReader& config) {
        DecoderOptions defaults{
            .make_feed_forward = &plain_mlp, .norm = {.kind = NormKind::layer}, .ties_embeddings = true};
        defaults.mlp.activation = "gelu_pytorch_tanh";
        DecoderOptions made = DecoderOptions::read(config, std::move(defaults));
        made.norm.epsilon = config.real("norm_epsilon", 1e-5);
        made.attention.has_bias = made.attention.has_output_bias = made.mlp.has_bias = config.flag("use_bias", true);
        made.window = config.maybe_integer("sliding_window");
        config.expect("mlp_type", "default");
        config.expect("norm_type", "layer_norm");
        config.expect("scale_attn_weights", true);
        // Of the model's first code, and not read since.
        config.ignore({"activation_function", "attention_softmax_in_fp32", "layer_norm_epsilon",
                       "scale_attention_softmax_in_fp32"});
        return made;
    }

private:
    [[nodiscard]] static std::shared_ptr<FeedForward> plain_mlp(const Weights& layer, const DecoderOptions& options,
                                                                std::int64_t /*index*/) {
        return std::make_shared<Mlp>(layer / "mlp" / "c_fc", layer / "mlp" / "c_proj", options.mlp);
    }
};

}  // namespace ferry::models
