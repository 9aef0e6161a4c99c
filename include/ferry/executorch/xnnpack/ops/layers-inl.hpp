#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/xnnpack/definition.hpp>
#include <ferry/executorch/xnnpack/ops/layers.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch::delegated {
namespace detail {

using xnnpack::Op;
using xnnpack::Ref;
using xnnpack::Sizes;

[[nodiscard]] inline std::uint32_t count(std::int64_t number) { return static_cast<std::uint32_t>(number); }

/// Rows times weights that never change.
[[nodiscard]] inline Ref fully_connected(xnnpack::Definition& d, Ref rows, Ref weights, Ref bias, std::uint32_t flags) {
    Sizes sizes = d.builder().sizes_of(rows);
    sizes.back() = d.builder().sizes_of(weights)[flags == xnnpack::transposed_weights ? 1 : 0];
    return d.apply({.op = Op::XNNFullyConnected, .inputs = {rows, weights, bias}, .flags = flags}, std::move(sizes));
}

/// Over the last dimension, which becomes one: a product with a vector of equal numbers.
[[nodiscard]] inline Ref sum_of_rows(xnnpack::Definition& d, Ref rows, std::int64_t size, double factor) {
    const at::Tensor equal = at::full({1, size}, factor, at::TensorOptions().dtype(at::kFloat));
    return fully_connected(d, rows, d.weights(equal, "equal numbers"), xnnpack::nothing, 0);
}

/// What a tensor was before its last two dimensions changed places, if a node of this delegate did just that.
[[nodiscard]] inline Value rows_before_transposition(xnnpack::Definition& d, Value tensor) {
    const Node* node = d.builder().graph().info(tensor).producer;
    if (node == nullptr || !d.builder().has(tensor) ||
        (node->op() != "aten::transpose.int" && node->op() != "aten::permute"))
        return {};
    const std::size_t rank = d.rank(tensor);
    xnnpack::Definition transposition(d.builder(), *node);
    std::vector<std::int64_t> order = transposition.integers("dims");
    if (node->op() == "aten::transpose.int") {
        order.resize(rank);
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[d.dim(transposition.integer("dim0"), tensor)],
                  order[d.dim(transposition.integer("dim1"), tensor)]);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t wanted = i + 2 < rank ? i : i + 2 == rank ? rank - 1 : rank - 2;
        if (d.dim(order[i], tensor) != wanted) return {};
    }
    return transposition.is_declined() || order.size() != rank ? Value() : node->input(0);
}

}  // namespace detail

FERRY_INLINE void products::define(xnnpack::Definition& d) {
    using detail::Op, detail::fully_connected, detail::rows_before_transposition;
    const std::string_view op = d.node().op();
    const bool is_linear = op == "aten::linear", is_sum = op == "aten::addmm";
    const Value rows = d.tensor(is_linear ? "input" : is_sum ? "mat1" : "self");
    const Value by = d.tensor(is_linear ? "weight" : is_sum ? "mat2" : op == "aten::matmul" ? "other" : "mat2");
    const Value bias = d.has("bias") ? d.tensor("bias") : is_sum ? d.tensor("self") : Value();
    d.require(d.rank(rows) >= 2 && d.rank(by) >= 2 && d.real("beta", 1) == 1 && d.real("alpha", 1) == 1);
    d.require(!bias || (d.rank(bias) == 1 && d.is_constant(bias)));
    if (d.is_declined()) return;
    if (d.rank(by) == 2 && d.is_constant(by)) {
        const auto bias_weights = bias ? d.weights(*d.constant(bias).tensor, d.constant(bias).name) : xnnpack::nothing;
        const auto weights = d.weights(*d.constant(by).tensor, d.constant(by).name);
        return d.give(
            fully_connected(d, d.plain(rows), weights, bias_weights, is_linear ? 0 : xnnpack::transposed_weights));
    }
    d.require(!is_linear && !is_sum);
    if (d.is_declined()) return;
    const Value columns = rows_before_transposition(d, by);
    d.give(d.apply({.op = Op::XNNBatchMatrixMultiply,
                    .inputs = {d.plain(rows), d.plain(columns ? columns : by)},
                    .flags = columns ? xnnpack::transposed_weights : 0},
                   d.builder().sizes(d.output())));
}

namespace detail {

/// Height and width. What has one dimension is an image without height.
[[nodiscard]] inline std::vector<std::int64_t> height_and_width(xnnpack::Definition& d, std::string_view name,
                                                                std::int64_t otherwise, bool is_flat) {
    std::vector<std::int64_t> numbers = d.pair(name, {otherwise, otherwise});
    if (is_flat) numbers[0] = otherwise;
    return numbers;
}

/// Batch, channels, length: with a height of one.
[[nodiscard]] inline Ref as_image(xnnpack::Definition& d, Value flat) {
    const std::vector<SymExpr> sizes = d.sizes(flat);
    return d.builder().transpose(d.reshape(d.plain(flat), {sizes[0], sizes[1], 1, sizes[2]}), {0, 2, 3, 1});
}

}  // namespace detail

FERRY_INLINE void convolutions::define(xnnpack::Definition& d) {
    using detail::Op, detail::Ref, detail::Sizes, detail::as_image, detail::count, detail::height_and_width;
    const Value input = d.tensor("input"), weight = d.tensor("weight"), made = d.output();
    const bool has_bias = d.has("bias"), is_flat = d.rank(input) == 3;
    d.require((d.rank(input) == 4 || is_flat) && d.rank(weight) == d.rank(input));
    d.require(d.is_constant(weight) && (!has_bias || d.is_constant(d.tensor("bias"))));
    const bool is_transposed = d.node().op() == "aten::conv_transpose2d.input" || d.flag("transposed", false);
    const auto stride = height_and_width(d, "stride", 1, is_flat), padding = height_and_width(d, "padding", 0, is_flat),
               dilation = height_and_width(d, "dilation", 1, is_flat),
               adjustment = height_and_width(d, "output_padding", 0, is_flat);
    const std::int64_t groups = d.integer("groups", 1);
    if (d.is_declined()) return;
    const Ref image = is_flat ? as_image(d, input) : d.builder().channels_last(input);
    if (d.is_declined()) return;
    const at::Tensor given = d.constant(weight).tensor->detach(), kernel = is_flat ? given.unsqueeze(2) : given;
    const std::int64_t first = kernel.size(0), second = kernel.size(1);
    const std::int64_t group_inputs = is_transposed ? first / groups : second;
    const std::int64_t group_outputs = is_transposed ? second : first / groups;
    const bool is_depthwise = !is_transposed && groups > 1 && group_inputs == 1;
    d.require(!is_transposed || groups == 1);
    if (d.is_declined()) return;
    xnnpack::Window window{
        .groups = count(groups), .group_inputs = count(group_inputs), .group_outputs = count(group_outputs)};
    for (std::size_t i = 0; i < 2; ++i) {
        window.kernel[i] = count(kernel.size(static_cast<std::int64_t>(i) + 2));
        window.stride[i] = count(stride[i]);
        window.padding[i] = count(padding[i]);
        window.dilation[i] = count(dilation[i]);
        window.adjustment[i] = count(adjustment[i]);
    }
    // Outputs, height, width, inputs; of one that takes each channel by itself inputs, height, width, outputs.
    const at::Tensor ordered =
        kernel.permute(is_transposed || is_depthwise ? at::IntArrayRef{1, 2, 3, 0} : at::IntArrayRef{0, 2, 3, 1});
    const std::string name(d.constant(weight).name);
    const Ref weights = d.weights(ordered, name);
    const Ref bias = has_bias ? d.weights(*d.constant(d.tensor("bias")).tensor, d.constant(d.tensor("bias")).name)
                              : xnnpack::nothing;
    Sizes sizes = d.builder().sizes(made);
    if (is_flat) sizes.insert(sizes.begin() + 2, 1);
    const Ref ref = d.apply({.op = is_transposed  ? Op::XNNConvTranspose2d
                                   : is_depthwise ? Op::XNNDepthwiseConv2d
                                                  : Op::XNNConv2d,
                             .inputs = {image, weights, bias},
                             .window = window},
                            {sizes[0], sizes[2], sizes[3], sizes[1]});
    if (is_flat)
        d.give(d.reshape(d.builder().transpose(ref, {0, 3, 1, 2}), d.sizes(made)));
    else
        d.builder().bind_channels_last(made, ref);
}

FERRY_INLINE void pooling::define(xnnpack::Definition& d) {
    using detail::Op, detail::Sizes, detail::count;
    const Value self = d.tensor("self"), made = d.output();
    const bool is_average = d.node().op() == "aten::avg_pool2d";
    const auto kernel = d.pair("kernel_size", {});
    const auto stride = d.pair("stride", kernel), padding = d.pair("padding", {0, 0}),
               dilation = d.pair("dilation", {1, 1});
    d.require(d.rank(self) == 4 && kernel[0] * kernel[1] > 1);
    d.require(stride[0] <= kernel[0] && stride[1] <= kernel[1]);
    d.require(!is_average ||
              ((padding[0] + padding[1] == 0 || !d.flag("count_include_pad", true)) && !d.has("divisor_override")));
    if (d.is_declined()) return;
    xnnpack::Window window;
    for (std::size_t i = 0; i < 2; ++i) {
        window.kernel[i] = count(kernel[i]);
        window.stride[i] = count(stride[i]);
        window.padding[i] = count(padding[i]);
        window.dilation[i] = count(dilation[i]);
        if (!d.flag("ceil_mode", false)) continue;
        // The last window may go beyond the end. Padding does not count, so that there may be more of it.
        const std::int64_t needed = (d.fixed_size(made, i + 2) - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1;
        window.more_behind[i] = count(std::max<std::int64_t>(needed - d.fixed_size(self, i + 2) - 2 * padding[i], 0));
    }
    if (d.is_declined()) return;
    const Sizes sizes = d.builder().sizes(made);
    d.builder().bind_channels_last(made, d.apply({.op = is_average ? Op::XNNAvgPooling2d : Op::XNNMaxPooling2d,
                                                  .inputs = {d.builder().channels_last(self)},
                                                  .window = window},
                                                 {sizes[0], sizes[2], sizes[3], sizes[1]}));
}

/// Of an image's height and width, or of the last dimension.
FERRY_INLINE void means::define(xnnpack::Definition& d) {
    using detail::Op, detail::Ref, detail::Sizes, detail::sum_of_rows;
    const Value self = d.tensor("self"), made = d.output();
    const std::size_t rank = d.rank(self);
    const bool is_pool = d.node().op().ends_with("adaptive_avg_pool2d");
    const bool is_sum = d.node().op() == "aten::sum.dim_IntList";
    const bool keeps = is_pool || d.flag("keepdim", false);
    std::vector<std::size_t> dims;
    if (is_pool) {
        d.require(rank == 4 && d.integers("output_size") == std::vector<std::int64_t>{1, 1});
        dims = {2, 3};
    } else {
        for (const std::int64_t each : d.integers("dim")) dims.push_back(d.dim(each, self));
    }
    std::sort(dims.begin(), dims.end());
    if (d.is_declined()) return;
    if (rank == 4 && dims == std::vector<std::size_t>{2, 3} && !is_sum) {
        Sizes sizes = d.builder().sizes(self);
        const Ref image = d.builder().channels_last(self);
        if (keeps) {
            d.builder().bind_channels_last(
                made, d.apply({.op = Op::XNNGlobalAvgPooling2d, .inputs = {image}, .flags = xnnpack::keep_dims},
                              {sizes[0], 1, 1, sizes[1]}));
        } else {
            d.give(d.apply(Op::XNNGlobalAvgPooling2d, {image}, {sizes[0], sizes[1]}));
        }
        return;
    }
    d.require(dims.size() == 1 && rank >= 2 && dims[0] == rank - 1);
    const std::int64_t size = d.fixed_size(self, rank - 1);
    if (d.is_declined()) return;
    const Ref total = sum_of_rows(d, d.plain(self), size, is_sum ? 1 : 1 / static_cast<double>(size));
    d.give(keeps ? total : d.reshape(total, d.sizes(made)));
}

FERRY_INLINE void softmax::define(xnnpack::Definition& d) {
    using detail::Op, detail::Ref, detail::Sizes;
    const Value self = d.tensor("self");
    const std::size_t rank = d.rank(self), dim = d.dim(d.integer("dim"), self);
    d.require(rank >= 1 && dim < rank);
    if (d.is_declined()) return;
    Sizes order(rank);
    std::iota(order.begin(), order.end(), 0U);
    std::swap(order[dim], order[rank - 1]);
    const bool is_last = dim == rank - 1;
    const Ref rows = is_last ? d.plain(self) : d.builder().transpose(d.plain(self), order);
    const Ref made = d.apply(Op::XNNSoftmax, {rows}, d.builder().sizes_of(rows));
    d.give(is_last ? made : d.builder().transpose(made, order));
}

FERRY_INLINE void layer_norm::define(xnnpack::Definition& d) {
    using detail::Op, detail::Ref, detail::sum_of_rows;
    const Value input = d.tensor("input");
    const std::size_t rank = d.rank(input);
    d.require(rank >= 2 && d.integers("normalized_shape").size() == 1);
    const std::int64_t size = d.fixed_size(input, rank - 1);
    static_cast<void>(d.output());
    if (d.is_declined()) return;
    const double share = 1 / static_cast<double>(size);
    const Ref rows = d.plain(input);
    const Ref centered = d.elementwise(Op::XNNSubtract, rows, sum_of_rows(d, rows, size, share));
    const Ref squares = d.apply(Op::XNNSquare, {centered}, d.builder().sizes_of(centered));
    const Ref variance = d.elementwise(Op::XNNAdd, sum_of_rows(d, squares, size, share), d.number(d.real("eps", 1e-5)));
    const Ref scale = d.apply(Op::XNNReciprocalSquareRoot, {variance}, d.builder().sizes_of(variance));
    Ref made = d.elementwise(Op::XNNMultiply, centered, scale);
    if (d.has("weight")) made = d.elementwise(Op::XNNMultiply, made, d.plain(d.tensor("weight")));
    if (d.has("bias")) made = d.elementwise(Op::XNNAdd, made, d.plain(d.tensor("bias")));
    d.give(made);
}

namespace detail {

/// A convolution that nothing else needs does the work.
[[nodiscard]] inline bool fold_into_convolution(xnnpack::Definition& d, Ref image, const at::Tensor& scale,
                                                const at::Tensor& shift) {
    const ValueInfo& info = d.builder().graph().info(d.tensor("input"));
    xnnpack::Operation* convolution = d.builder().producer(image);
    if (convolution == nullptr || info.users.size() != 1 || info.output_uses != 0) return false;
    const bool is_depthwise = convolution->op == Op::XNNDepthwiseConv2d;
    if (!is_depthwise && convolution->op != Op::XNNConv2d && convolution->op != Op::XNNConvTranspose2d) return false;
    at::Tensor& kernel = d.builder().weights_of(convolution->inputs[1]).tensor;
    kernel = (kernel * scale.view(is_depthwise ? at::IntArrayRef{1, 1, 1, -1} : at::IntArrayRef{-1, 1, 1, 1}))
                 .to(at::kFloat);
    const Ref bias = convolution->inputs[2];
    if (bias == xnnpack::nothing) {
        const Ref made = d.weights(shift.to(at::kFloat), "a bias");
        convolution->inputs[2] = made;
    } else {
        at::Tensor& known = d.builder().weights_of(bias).tensor;
        known = (known * scale + shift).to(at::kFloat);
    }
    return true;
}

}  // namespace detail

FERRY_INLINE void batch_norm::define(xnnpack::Definition& d) {
    using detail::Op, detail::Ref, detail::fold_into_convolution;
    const Value input = d.tensor("input");
    const std::size_t rank = d.rank(input);
    d.require(rank >= 2 && rank <= 4);
    const auto given = [&](std::string_view name) {
        const at::Tensor* tensor = d.has(name) ? d.constant(d.tensor(name)).tensor : nullptr;
        return tensor != nullptr ? tensor->detach().to(at::kDouble) : at::Tensor();
    };
    const at::Tensor mean = given("running_mean"), variance = given("running_var"), weight = given("weight"),
                     bias = given("bias");
    d.require(mean.defined() && variance.defined());
    static_cast<void>(d.output());
    if (d.is_declined()) return;
    at::Tensor scale = (variance + d.real("eps")).rsqrt();
    if (weight.defined()) scale = scale * weight;
    at::Tensor shift = -mean * scale;
    if (bias.defined()) shift = shift + bias;
    if (rank != 4) {
        const auto by_channel = [&](const at::Tensor& each) {
            return d.builder().constant(
                each.to(at::kFloat).view(rank == 3 ? at::IntArrayRef{-1, 1} : at::IntArrayRef{-1}));
        };
        const Ref scaled = d.elementwise(Op::XNNMultiply, d.plain(input), by_channel(scale));
        return d.give(d.elementwise(Op::XNNAdd, scaled, by_channel(shift)));
    }
    const Ref image = d.builder().channels_last(input);
    if (fold_into_convolution(d, image, scale, shift)) return d.builder().bind_channels_last(d.output(), image);
    const Ref scaled = d.elementwise(Op::XNNMultiply, image, d.builder().constant(scale.to(at::kFloat)));
    d.builder().bind_channels_last(d.output(),
                                   d.elementwise(Op::XNNAdd, scaled, d.builder().constant(shift.to(at::kFloat))));
}

FERRY_INLINE void resizing::define(xnnpack::Definition& d) {
    using detail::Op, detail::Sizes, detail::count;
    const Value self = d.tensor(d.node().find("input") != nullptr ? "input" : "self"), made = d.output();
    d.require(d.rank(self) == 4);
    const std::int64_t height = d.fixed_size(made, 2), width = d.fixed_size(made, 3);
    if (d.has("scale_factors") || d.has("scales_h") || d.has("scales_w"))  // they decide, not the sizes
        d.require(height % d.fixed_size(self, 2) == 0 && width % d.fixed_size(self, 3) == 0);
    if (d.is_declined()) return;
    const Sizes sizes = d.builder().sizes(made);
    d.builder().bind_channels_last(made, d.apply({.op = Op::XNNStaticResizeBilinear2D,
                                                  .inputs = {d.builder().channels_last(self)},
                                                  .flags = d.flag("align_corners", false) ? xnnpack::align_corners : 0,
                                                  .list = {count(height), count(width)}},
                                                 {sizes[0], sizes[2], sizes[3], sizes[1]}));
}

}  // namespace ferry::executorch::delegated
