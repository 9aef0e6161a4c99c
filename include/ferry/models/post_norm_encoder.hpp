#pragma once

#include <ferry/models/blocks/encoder_attention.hpp>
#include <ferry/models/blocks/encoder_embeddings.hpp>
#include <ferry/models/blocks/encoder_layer.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ferry::models {

/// BERT and its kin: embeddings, and layers with a norm behind each part.
class PostNormEncoder : public torch::nn::Module {
public:
    struct Options {
        EncoderEmbeddingsOptions embeddings{};
        EncoderLayerOptions layer{};
        std::string widening{};  ///< the name of what widens embeddings for the layers; empty: nothing does
        std::vector<std::string> layers{};  ///< their names
        std::vector<std::size_t> steps{};  ///< which layer works at each step; empty: each once

        /// The fields that most of them have.
        [[nodiscard]] static Options read(ConfigReader& config);
        void add_layers(const std::string& name, std::int64_t count);
    };

    PostNormEncoder(const Weights& weights, const Options& options);

    /// The embeddings of words, which a head may share.
    [[nodiscard]] const at::Tensor& words() const noexcept { return embeddings_->words(); }

    [[nodiscard]] at::Tensor forward(const at::Tensor& input_ids, const MaybeTensor& attention_mask,
                                     const MaybeTensor& token_type_ids = {}) const;

private:
    std::shared_ptr<EncoderEmbeddings> embeddings_;
    std::shared_ptr<Linear> widening_;
    std::vector<std::shared_ptr<EncoderLayer>> steps_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/post_norm_encoder-inl.hpp>
#endif
