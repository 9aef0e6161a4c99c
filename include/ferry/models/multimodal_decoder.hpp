#pragma once

#include <ferry/capture/submodule.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/causal_output.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/projector.hpp>
#include <ferry/models/decoder.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <optional>

namespace ferry::models {

struct MultimodalOptions {
    DecoderOptions text{};
    std::optional<ProjectorOptions> projector{};  ///< none: the encoder's features are as the text has them
    std::int64_t placeholder = -1;  ///< the token that stands for one vector from elsewhere
};

/// Where a checkpoint has the parts of such a model.
struct MultimodalWeights {
    Weights tower, projector, text, head;

    /// Of transformers today (`model.language_model`), and as it writes files (`language_model.model`, or `model` alone).
    [[nodiscard]] static MultimodalWeights find(const Weights& weights, std::string_view tower);
};

/// A language model that reads what an encoder saw or heard between the tokens of a text. Generation takes it apart, hence the names.
class MultimodalDecoder : public torch::nn::Module {
public:
    [[nodiscard]] StaticCache static_cache(std::int64_t batch, std::int64_t length) const {
        return language_model->static_cache(batch, length);
    }

    submodule<Projector> multi_modal_projector;
    submodule<Embedding> embed_tokens;
    submodule<DecoderBody> language_model;
    submodule<Linear> lm_head;

protected:
    MultimodalDecoder(const MultimodalWeights& weights, const MultimodalOptions& options);

    /// The encoder's features go where the placeholders are, in order.
    [[nodiscard]] CausalOutput answer(const at::Tensor& input_ids, const std::optional<at::Tensor>& features,
                                      const at::Tensor& attention_mask, const at::Tensor& position_ids,
                                      Cache past_key_values) const;

private:
    std::int64_t placeholder_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/multimodal_decoder-inl.hpp>
#endif
