#pragma once

#include <ferry/models/blocks/encoder_attention.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace ferry::models {

struct EncoderEmbeddingsOptions {
    std::int64_t vocabulary = 0, positions = 0, width = 0;
    std::int64_t types = 0;                  ///< of segments; none: the model does not tell them apart
    double epsilon = 1e-12;
    std::optional<std::int64_t> padding{};  ///< positions count from behind this number, and only what is another token
};

/// What a token is, where it stands and which segment it belongs to, added and normalized.
class EncoderEmbeddings : public torch::nn::Module {
public:
    EncoderEmbeddings(const Weights& weights, const EncoderEmbeddingsOptions& options) : padding_(options.padding) {
        const auto add = [&](const char* name, std::int64_t count) {
            return register_module(name, std::make_shared<Embedding>(weights / name, count, options.width));
        };
        words_ = add("word_embeddings", options.vocabulary);
        positions_ = add("position_embeddings", options.positions);
        if (options.types > 0) types_ = add("token_type_embeddings", options.types);
        norm_ = register_module("LayerNorm",
                                std::make_shared<LayerNorm>(weights / "LayerNorm", options.width, options.epsilon));
        weights.ignore("position_ids");  // older checkpoints have this list of numbers
    }

    [[nodiscard]] const at::Tensor& words() const noexcept { return words_->weight; }

    [[nodiscard]] at::Tensor forward(const at::Tensor& input_ids, const MaybeTensor& token_type_ids) const {
        at::Tensor x = words_->forward(input_ids);
        if (types_) x = x + (is_given(token_type_ids) ? types_->forward(*token_type_ids) : types_->weight.select(0, 0));
        return norm_->forward(x + positions_of(input_ids));
    }

private:
    [[nodiscard]] at::Tensor positions_of(const at::Tensor& input_ids) const {
        if (!padding_) return positions_->weight.slice(0, 0, input_ids.size(1));
        const at::Tensor is_token = input_ids.ne(*padding_).to(at::kLong);
        return positions_->forward(is_token.cumsum(1) * is_token + *padding_);
    }

    std::optional<std::int64_t> padding_;
    std::shared_ptr<Embedding> words_, positions_, types_;
    std::shared_ptr<LayerNorm> norm_;
};

}  // namespace ferry::models
