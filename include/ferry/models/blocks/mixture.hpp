#pragma once

#include <ferry/models/blocks/activations.hpp>
#include <ferry/models/blocks/feed_forward.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::models {

/// How the experts that a token goes through are computed.
enum class ExpertCompute {
    batched,  ///< every expert for every token, in products of fixed sizes; what was not chosen counts nothing
    grouped,  ///< the chosen ones only, in products of as many rows as there are tokens for an expert
    gathered,  ///< the chosen ones only, with a copy of an expert's matrices for each token: for few tokens and many experts
};

struct MixtureOptions {
    std::int64_t width = 0, inner = 0, experts = 0;
    std::int64_t chosen = 0;  ///< how many a token goes through
    std::string activation = "silu";
    bool normalizes = true;  ///< what the chosen ones count for is 1 together
    bool rounds_shares = false;  ///< what they count for is rounded to the type of the weights
    ExpertCompute compute = ExpertCompute::batched;
    std::vector<std::string> names{"mlp"};  ///< of the mixture in a checkpoint; older ones first
    std::string gate = "gate_proj", up = "up_proj", down = "down_proj";  ///< of an expert, where each has its own
};

/// Gated MLPs, all in two tensors.
class Experts : public torch::nn::Module {
public:
    Experts(const Weights& weights, const MixtureOptions& options);

    /// Tokens, [tokens, width]; which experts each goes through, and what each of these counts for, [tokens, chosen] both.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& shares,
                                     ExpertCompute compute) const;

private:
    void stack(const Weights& weights, const MixtureOptions& options);
    [[nodiscard]] at::Tensor gated(const at::Tensor& both, std::int64_t dim) const;
    [[nodiscard]] at::Tensor batched(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& shares) const;
    [[nodiscard]] at::Tensor grouped(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& shares) const;
    [[nodiscard]] at::Tensor gathered(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& shares) const;

    std::int64_t inner_, count_;
    Activation activation_;
    at::Tensor gate_up_, down_;  // [experts, 2 * inner, width], [experts, width, inner]
};

/// Of several MLPs, each token goes through those that a router chooses for it.
class Mixture : public FeedForward {
public:
    /// From the weights of the layer.
    Mixture(const Weights& layer, MixtureOptions options);

    [[nodiscard]] at::Tensor forward(const at::Tensor& x) const override;

    /// Grouped products need rows of a multiple of 16 bytes.
    void set_compute(ExpertCompute compute);

private:
    MixtureOptions options_;
    at::Tensor router_;
    std::shared_ptr<Experts> experts_;
};

/// For all mixtures of a model.
void set_expert_compute(torch::nn::Module& model, ExpertCompute compute);

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/blocks/mixture-inl.hpp>
#endif
