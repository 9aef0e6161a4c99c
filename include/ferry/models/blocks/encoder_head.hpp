#pragma once

#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/encoder_attention.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/outputs.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What stands behind an encoder's last layer. Names are those of the whole checkpoint.
namespace ferry::models {

struct TransformOptions {
    std::string dense{}, norm{};  ///< names; no norm: there is none
    std::int64_t from = 0, to = 0;
    std::string activation = "tanh";
    double epsilon = 1e-12;
    bool has_bias = true, has_norm_bias = true;
};

/// One more layer before the result.
class Transform : public torch::nn::Module {
public:
    Transform(const Weights& weights, const TransformOptions& options) : activation_(activation(options.activation)) {
        dense_ = register_module(
            "dense", std::make_shared<Linear>(weights / options.dense, options.from, options.to, options.has_bias));
        if (!options.norm.empty())
            norm_ = register_module("norm", std::make_shared<LayerNorm>(weights / options.norm, options.to,
                                                                        options.epsilon, options.has_norm_bias));
    }
    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
        const at::Tensor made = activation_(dense_->forward(x));
        return norm_ ? norm_->forward(made) : made;
    }

private:
    Activation activation_;
    std::shared_ptr<Linear> dense_;
    std::shared_ptr<LayerNorm> norm_;
};

/// Which of the tokens' vectors a head works on.
enum class Pooling : std::uint8_t { none, first, mean };

[[nodiscard]] at::Tensor pooled(const at::Tensor& tokens, const MaybeTensor& attention_mask, Pooling pooling);

/// Numbers for each word or class.
class LogitsHead : public torch::nn::Module {
public:
    struct Options {
        Pooling pooling = Pooling::none;
        std::optional<TransformOptions> transform{};
        std::string output{};      ///< the matrix, and its bias
        std::string other_bias{};  ///< where the bias may stand as well
        std::int64_t from = 0, to = 0;
        bool has_bias = true;
        bool ties_words = false;            ///< the matrix is that of the words, unless there is another
        std::vector<std::string> unused{};  ///< what a checkpoint may have beside, for other heads
    };

    LogitsHead(const Weights& weights, const Options& options, const at::Tensor& words);

    [[nodiscard]] LogitsOutput forward(const at::Tensor& tokens, const MaybeTensor& attention_mask) const;

private:
    Pooling pooling_;
    std::shared_ptr<Transform> transform_;
    at::Tensor weight_, bias_;
};

/// The tokens' vectors, and one for all, made of the first.
class PoolingHead : public torch::nn::Module {
public:
    using Options = TransformOptions;

    PoolingHead(const Weights& weights, const Options& options, const at::Tensor& /*words*/)
        : transform_(register_module("transform", std::make_shared<Transform>(weights, options))) {}

    [[nodiscard]] PooledOutput forward(const at::Tensor& tokens, const MaybeTensor& attention_mask) const {
        return {tokens, transform_->forward(pooled(tokens, attention_mask, Pooling::first))};
    }

private:
    std::shared_ptr<Transform> transform_;
};

/// The tokens' vectors.
class NoHead : public torch::nn::Module {
public:
    struct Options {};

    NoHead(const Weights& /*weights*/, const Options& /*options*/, const at::Tensor& /*words*/) {}

    [[nodiscard]] HiddenOutput forward(const at::Tensor& tokens, const MaybeTensor& /*attention_mask*/) const {
        return {tokens};
    }
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/encoder_head-inl.hpp>
#endif
