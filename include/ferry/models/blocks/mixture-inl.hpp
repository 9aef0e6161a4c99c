#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/mixture.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_grouped_mm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace ferry::models {

FERRY_INLINE Experts::Experts(const Weights& weights, const MixtureOptions& options)
    : inner_(options.inner), count_(options.experts), activation_(activation(options.activation)) {
    if (weights.has("gate_up_proj")) {
        gate_up_ = weights.take("gate_up_proj", {count_, 2 * inner_, options.width});
        down_ = weights.take("down_proj", {count_, options.width, inner_});
    } else {
        stack(weights, options);
    }
    register_parameter("gate_up_proj", gate_up_, /*requires_grad=*/false);
    register_parameter("down_proj", down_, false);
}

FERRY_INLINE void Experts::stack(const Weights& weights, const MixtureOptions& options) {
    const std::int64_t width = options.width;
    const auto put = [](at::Tensor& all, const at::Tensor& one, at::IntArrayRef sizes, const auto& place) {
        if (!all.defined()) all = at::empty(sizes, one.options());
        if (!all.is_meta() && !one.is_meta()) place(all).copy_(one);  // one that is missing is told of later
    };
    for (std::int64_t i = 0; i < count_; ++i) {
        const auto take = [&](const std::string& name, std::int64_t to, std::int64_t from) {
            return (weights / i / name).take("weight", {to, from});
        };
        const auto rows = [&](std::int64_t first) {
            return [this, i, first](const at::Tensor& all) { return all.select(0, i).narrow(0, first, inner_); };
        };
        put(gate_up_, take(options.gate, inner_, width), {count_, 2 * inner_, width}, rows(0));
        put(gate_up_, take(options.up, inner_, width), {count_, 2 * inner_, width}, rows(inner_));
        put(down_, take(options.down, width, inner_), {count_, width, inner_},
            [i](const at::Tensor& all) { return all.select(0, i); });
    }
}

FERRY_INLINE at::Tensor Experts::gated(const at::Tensor& both, std::int64_t dim) const {
    return activation_(both.slice(dim, 0, inner_)) * both.slice(dim, inner_, 2 * inner_);
}

FERRY_INLINE at::Tensor Experts::batched(const at::Tensor& x, const at::Tensor& chosen,
                                         const at::Tensor& shares) const {
    // Tokens are the columns here: the experts' matrices stay as they lie.
    const at::Tensor made = at::bmm(down_, gated(at::matmul(gate_up_, x.t()), 1));
    const at::Tensor of_all = at::zeros({x.size(0), count_}, shares.options()).scatter(1, chosen, shares);
    return (made * of_all.t().unsqueeze(1)).sum(0).t();
}

FERRY_INLINE at::Tensor Experts::grouped(const at::Tensor& x, const at::Tensor& chosen,
                                         const at::Tensor& shares) const {
    const std::int64_t each = chosen.size(1);
    const at::Tensor experts = chosen.flatten();
    const at::Tensor order = at::argsort(experts, /*stable=*/true, /*dim=*/0);
    const at::Tensor all = at::arange(count_, experts.options());
    const at::Tensor ends = (experts.unsqueeze(1) <= all).sum(0).to(at::kInt);
    const auto product = [&](const at::Tensor& rows, const at::Tensor& matrices) {
        return at::_grouped_mm(rows, matrices.transpose(1, 2), ends);
    };
    const at::Tensor rows = x.index_select(0, order.floor_divide(each));
    const at::Tensor made = product(gated(product(rows, gate_up_), 1), down_);
    const at::Tensor back = at::argsort(order, true, 0);
    return (made.index_select(0, back) * shares.flatten().unsqueeze(1)).unflatten(0, {-1, each}).sum(1);
}

FERRY_INLINE at::Tensor Experts::gathered(const at::Tensor& x, const at::Tensor& chosen,
                                          const at::Tensor& shares) const {
    const std::int64_t each = chosen.size(1);
    const at::Tensor experts = chosen.flatten();
    const auto product = [&](const at::Tensor& matrices, const at::Tensor& columns) {
        return at::bmm(matrices.index_select(0, experts), columns);
    };
    const at::Tensor columns = x.unsqueeze(1).expand({-1, each, -1}).flatten(0, 1).unsqueeze(2);
    const at::Tensor made = product(down_, gated(product(gate_up_, columns), 1)).squeeze(2);
    return (made * shares.flatten().unsqueeze(1)).unflatten(0, {-1, each}).sum(1);
}

FERRY_INLINE at::Tensor Experts::forward(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& shares,
                                         ExpertCompute compute) const {
    switch (compute) {
        case ExpertCompute::grouped: return grouped(x, chosen, shares);
        case ExpertCompute::gathered: return gathered(x, chosen, shares);
        case ExpertCompute::batched: break;
    }
    return batched(x, chosen, shares);
}

FERRY_INLINE Mixture::Mixture(const Weights& layer, MixtureOptions options) : options_(std::move(options)) {
    if (options_.chosen < 1 || options_.chosen > options_.experts)
        throw Error(ErrorKind::bad_file, "config.json: " + std::to_string(options_.chosen) + " of " +
                                             std::to_string(options_.experts) + " experts cannot be chosen");
    const auto named = std::find_if(options_.names.begin(), options_.names.end(),
                                    [&](const std::string& name) { return (layer / name / "gate").has("weight"); });
    const Weights weights = layer / (named != options_.names.end() ? *named : options_.names.back());
    router_ = register_parameter("gate", (weights / "gate").take("weight", {options_.experts, options_.width}), false);
    experts_ = register_module("experts", std::make_shared<Experts>(weights / "experts", options_));
}

FERRY_INLINE at::Tensor Mixture::forward(const at::Tensor& x) const {
    const at::Tensor tokens = x.flatten(0, 1);
    auto [shares, chosen] = at::topk(at::softmax(at::linear(tokens, router_), -1, at::kFloat), options_.chosen);
    if (options_.normalizes) shares = shares / shares.sum(-1, /*keepdim=*/true);
    if (options_.rounds_shares) shares = shares.to(x.scalar_type());
    const at::Tensor made = experts_->forward(tokens, chosen, shares, options_.compute);
    return made.to(x.scalar_type()).unflatten(0, {x.size(0), x.size(1)});
}

FERRY_INLINE void Mixture::set_compute(ExpertCompute compute) {
    constexpr std::int64_t alignment = 16;
    const auto is_aligned = [&](std::int64_t elements) { return elements * router_.element_size() % alignment == 0; };
    if (compute == ExpertCompute::grouped && !(is_aligned(options_.width) && is_aligned(options_.inner)))
        throw Error(ErrorKind::unsupported,
                    "experts cannot be grouped: rows of " + std::to_string(options_.width) + " and " +
                        std::to_string(options_.inner) + " elements are no multiples of 16 bytes",
                    {.hint = "leave them batched"});
    options_.compute = compute;
}

FERRY_INLINE void set_expert_compute(torch::nn::Module& model, ExpertCompute compute) {
    for (const auto& each : model.modules(/*include_self=*/false))
        if (auto* mixture = dynamic_cast<Mixture*>(each.get())) mixture->set_compute(compute);
}

}  // namespace ferry::models
