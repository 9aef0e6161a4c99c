#pragma once

#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/encoder_attention.hpp>
#include <ferry/models/blocks/linear.hpp>
#include <ferry/models/blocks/module_name.hpp>
#include <ferry/models/blocks/norms.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ferry::models {

/// What a checkpoint calls the parts of a layer.
struct EncoderLayerNames {
    std::string_view query, key, value, output, attention_norm, up, down, norm;
};

struct EncoderLayerOptions {
    EncoderLayerNames names{};
    std::int64_t width = 0, inner = 0, heads = 0;
    std::string activation = "gelu";
    double epsilon = 1e-12;
};

/// Attention and an MLP, with a norm behind each.
class EncoderLayer : public torch::nn::Module {
public:
    EncoderLayer(const Weights& weights, const EncoderLayerOptions& options)
        : heads_(options.heads),
          head_size_(head_size(options.width, options.heads)),
          activation_(activation(options.activation)) {
        const auto add = [&](std::string_view name, std::int64_t from, std::int64_t to) {
            return register_module(module_name(name), std::make_shared<Linear>(weights / name, from, to, true));
        };
        const auto add_norm = [&](std::string_view name) {
            return register_module(module_name(name),
                                   std::make_shared<LayerNorm>(weights / name, options.width, options.epsilon));
        };
        query_ = add(options.names.query, options.width, options.width);
        key_ = add(options.names.key, options.width, options.width);
        value_ = add(options.names.value, options.width, options.width);
        output_ = add(options.names.output, options.width, options.width);
        attention_norm_ = add_norm(options.names.attention_norm);
        up_ = add(options.names.up, options.width, options.inner);
        down_ = add(options.names.down, options.inner, options.width);
        norm_ = add_norm(options.names.norm);
    }

    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const MaybeTensor& seen) const {
        const auto heads = [&](const Linear& projection) {
            return in_heads(projection.forward(x), heads_, head_size_);
        };
        const at::Tensor found = attended(heads(*query_), heads(*key_), heads(*value_), seen);
        const at::Tensor between = attention_norm_->forward(output_->forward(found) + x);
        return norm_->forward(down_->forward(activation_(up_->forward(between))) + between);
    }

private:
    std::int64_t heads_, head_size_;
    Activation activation_;
    std::shared_ptr<Linear> query_, key_, value_, output_, up_, down_;
    std::shared_ptr<LayerNorm> attention_norm_, norm_;
};

}  // namespace ferry::models
