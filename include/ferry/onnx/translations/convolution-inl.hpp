#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/convolution.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// One number stands for all dimensions; none means the default.
[[nodiscard]] inline std::vector<std::int64_t> per_dim(std::vector<std::int64_t> given, std::size_t count,
                                                       std::int64_t otherwise) {
    if (given.empty()) given.push_back(otherwise);
    if (given.size() == 1) given.resize(count, given[0]);
    return given;
}
/// All fronts and then all backs.
[[nodiscard]] inline std::vector<std::int64_t> both_sides(const std::vector<std::int64_t>& pads) {
    std::vector<std::int64_t> all = pads;
    all.insert(all.end(), pads.begin(), pads.end());
    return all;
}

struct Convolution {
    std::vector<std::int64_t> pads{};  ///< of both sides
    std::vector<std::int64_t> output_padding{};
    bool transposed = false;
};
inline Ref convolve(Translation& t, Convolution how) {
    const DType dtype = t.wide(t.result_dtype());
    Ref input = t.operand("input", dtype);
    const Ref weight = t.operand("weight", dtype);
    const bool is_batch = t.rank(input) == t.rank(weight);
    if (!is_batch) input = t.unsqueeze(input, {0});
    const auto spatial = static_cast<std::size_t>(t.rank(weight) - 2);
    const auto strides = per_dim(t.integers("stride"), spatial, 1);
    const auto dilations = per_dim(t.integers("dilation"), spatial, 1);
    std::vector<Attribute> attributes{
        {"strides", strides}, {"dilations", dilations}, {"pads", how.pads}, {"group", t.integer("groups")}};
    if (how.transposed) attributes.emplace_back("output_padding", how.output_padding);
    std::vector<Ref> inputs{input, weight};
    if (t.has("bias")) inputs.push_back(t.operand("bias", dtype));
    const Ref made = t.add(how.transposed ? "ConvTranspose" : "Conv", std::move(inputs), std::move(attributes));
    return is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
}
[[nodiscard]] inline std::size_t spatial_dims(Translation& t) {
    return static_cast<std::size_t>(t.rank(t.tensor("weight")) - 2);
}

FERRY_INLINE Ref conv::translate(Translation& t) {
    return convolve(t, {.pads = both_sides(per_dim(t.integers("padding"), spatial_dims(t), 0))});
}
FERRY_INLINE Ref conv_padding::translate(Translation& t) {
    const std::size_t spatial = spatial_dims(t);
    std::vector<std::int64_t> pads(2 * spatial, 0);
    if (t.text("padding") == "same") {
        const auto dilations = per_dim(t.integers("dilation"), spatial, 1);
        const Sizes& kernel = t.sizes(t.tensor("weight"));
        for (std::size_t i = 0; i < spatial; ++i) {
            if (!kernel[i + 2].is_constant()) t.refuse("padding 'same' with a kernel of a size that varies");
            const std::int64_t total = dilations[i] * (kernel[i + 2].value() - 1);
            pads[i] = total / 2;
            pads[spatial + i] = total - total / 2;
        }
    }
    return convolve(t, {.pads = std::move(pads)});
}
FERRY_INLINE Ref conv_transpose::translate(Translation& t) {
    const std::size_t spatial = spatial_dims(t);
    return convolve(t, {.pads = both_sides(per_dim(t.integers("padding"), spatial, 0)),
                        .output_padding = per_dim(t.integers("output_padding"), spatial, 0),
                        .transposed = true});
}
FERRY_INLINE Ref convolution::translate(Translation& t) {
    const std::size_t spatial = spatial_dims(t);
    return convolve(t, {.pads = both_sides(per_dim(t.integers("padding"), spatial, 0)),
                        .output_padding = per_dim(t.integers("output_padding"), spatial, 0),
                        .transposed = t.flag("transposed")});
}

/// Windows put back where they came from; those that overlap are added.
FERRY_INLINE Ref col2im::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const bool is_batch = t.rank(self) == 3;
    const Ref made = t.add("Col2Im",
                           {is_batch ? self : t.unsqueeze(self, {0}), t.shape(t.symbolics("output_size")),
                            t.ints(t.integers("kernel_size"))},
                           {{"dilations", t.integers("dilation")},
                            {"pads", both_sides(t.integers("padding"))},
                            {"strides", t.integers("stride")}});
    return is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
}

}  // namespace ferry::onnx::translated
