#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/graph/sym_ops.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/convolution-inl.hpp>
#include <ferry/onnx/translations/pooling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// torch drops a window that starts behind the image, ONNX's ceil_mode only does so in newer opsets. Where the sizes are known, padding at
/// the end says how many windows there are.
struct Pooling {
    Ref input;  ///< with a batch in front
    bool is_batch = true;
    bool rounds_up = false;
    std::vector<std::int64_t> kernel{}, strides{}, dilations{}, fronts{}, backs{};

    [[nodiscard]] std::vector<std::int64_t> pads() const {
        std::vector<std::int64_t> all = fronts;
        all.insert(all.end(), backs.begin(), backs.end());
        return all;
    }
    [[nodiscard]] std::vector<Attribute> attributes() const {
        return {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads()}, {"ceil_mode", rounds_up ? 1 : 0}};
    }
    [[nodiscard]] Ref without_batch(Translation& t, Ref made) const {
        return is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
    }
};

inline Pooling pooling(Translation& t, std::size_t spatial, std::vector<std::int64_t> dilations) {
    Pooling made{.input = t.tensor("self"), .rounds_up = t.flag("ceil_mode"), .dilations = std::move(dilations)};
    made.is_batch = t.rank(made.input) == static_cast<std::int64_t>(spatial) + 2;
    if (!made.is_batch) made.input = t.unsqueeze(made.input, {0});
    made.kernel = per_dim(t.integers("kernel_size"), spatial, 1);
    made.strides = t.integers("stride");
    made.strides = made.strides.empty() ? made.kernel : per_dim(std::move(made.strides), spatial, 1);
    made.fronts = made.backs = per_dim(t.integers("padding"), spatial, 0);
    const Sizes& sizes = t.sizes(made.input);
    const bool is_known =
        std::all_of(sizes.begin() + 2, sizes.end(), [](const SymExpr& size) { return size.is_constant(); });
    if (!made.rounds_up || !is_known) return made;
    made.rounds_up = false;
    const std::size_t first = t.result_sizes().size() - spatial;
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t windows = t.result_sizes()[first + i].value();
        const std::int64_t reach = (windows - 1) * made.strides[i] + made.dilations[i] * (made.kernel[i] - 1) + 1;
        made.backs[i] = std::max(made.backs[i], reach - sizes[i + 2].value() - made.fronts[i]);
    }
    return made;
}
[[nodiscard]] inline std::size_t dims_in_name(Translation& t) {
    const auto at = t.node().op().find_first_of("123");
    return static_cast<std::size_t>(t.node().op()[at] - '0');
}
/// ONNX counts places through all images, torch within each.
inline Ref places_in_image(Translation& t, Ref places, Ref image, std::size_t spatial) {
    const Sizes& sizes = t.sizes(image);
    SymExpr count = 1;
    for (std::size_t i = sizes.size() - spatial; i < sizes.size(); ++i) count = count * sizes[i];
    return t.add("Mod", {places, t.size(count)});
}

FERRY_INLINE void max_pool::translate(Translation& t) {
    const std::size_t spatial = dims_in_name(t);
    const Pooling how = pooling(t, spatial, per_dim(t.integers("dilation"), spatial, 1));
    std::vector<Attribute> attributes = how.attributes();
    attributes.emplace_back("dilations", how.dilations);
    const std::size_t count = t.num_results() > 1 && t.is_wanted(1) ? 2 : 1;
    const auto made = t.add_many("MaxPool", {how.input}, std::move(attributes), count);
    t.result(how.without_batch(t, made[0]), 0);
    if (count == 2) t.result(how.without_batch(t, places_in_image(t, made[1], how.input, spatial)), 1);
}

/// One image of ones: its average says which part of a window counts.
inline Ref image_of_ones(Translation& t, const Pooling& how) {
    Sizes sizes = t.sizes(how.input);
    sizes[0] = sizes[1] = 1;
    return t.filled(sizes, 1, t.dtype(how.input));
}
/// Averages over windows of full size: of a number in the padding that was asked for, and of zeros behind it.
inline Ref whole_windows(Translation& t, const Pooling& how, Ref image, int in_padding) {
    const std::size_t spatial = how.kernel.size(), first = t.result_sizes().size() - spatial;
    const std::vector<std::int64_t> asked = per_dim(t.integers("padding"), spatial, 0);
    Sizes around(2 * (spatial + 2), SymExpr(0)), behind = around;
    for (std::size_t i = 0; i < spatial; ++i) {
        around[2 + i] = around[spatial + 4 + i] = asked[i];
        const SymExpr steps = (t.result_sizes()[first + i] - SymExpr(1)) * SymExpr(how.strides[i]);
        const SymExpr size = t.sizes(how.input)[i + 2] + SymExpr(2 * asked[i]);
        behind[spatial + 4 + i] = sym_max({steps + SymExpr(how.kernel[i]) - size, SymExpr(0)});
    }
    const Ref inner = t.add("Pad", {image, t.shape(around), t.number_like(in_padding, image)});
    const Ref padded = t.add("Pad", {inner, t.shape(behind), t.number_like(0, image)});
    return t.add("AveragePool", {padded}, {{"kernel_shape", how.kernel}, {"strides", how.strides}});
}
/// What is divided by is the size of the window, of the part of it that is not padding, or a number that is given.
FERRY_INLINE Ref avg_pool::translate(Translation& t) {
    const std::size_t spatial = dims_in_name(t);
    Pooling how = pooling(t, spatial, std::vector<std::int64_t>(spatial, 1));
    how.input = t.cast(how.input, t.wide(t.result_dtype()));
    const bool has_divisor = spatial > 1 && t.has("divisor_override");
    const bool is_uneven = how.rounds_up || how.fronts != how.backs;
    const bool counts_padding = has_divisor || t.flag("count_include_pad");
    Ref made;
    if (is_uneven && !has_divisor && (counts_padding || how.rounds_up)) {
        made = t.add(
            "Div", {whole_windows(t, how, how.input, 0), whole_windows(t, how, image_of_ones(t, how), counts_padding)});
    } else if (how.rounds_up) {
        made = whole_windows(t, how, how.input, 0);
    } else {
        std::vector<Attribute> attributes = how.attributes();
        attributes.emplace_back("count_include_pad", std::int64_t{counts_padding});
        made = t.add("AveragePool", {how.input}, std::move(attributes));
    }
    if (has_divisor) {
        const auto area = std::accumulate(how.kernel.begin(), how.kernel.end(), std::int64_t{1}, std::multiplies<>());
        made = t.add("Mul", {made, t.number_like(static_cast<double>(area) / t.real("divisor_override"), made)});
    }
    return how.without_batch(t, made);
}

/// Numbers back to the places that a pooling took them from, zeros elsewhere.
FERRY_INLINE Ref max_unpool::translate(Translation& t) {
    const auto flat = [&](Sizes sizes) {
        SymExpr count = 1;
        for (std::size_t i = 0; i < dims_in_name(t); ++i) {
            count = count * sizes.back();
            sizes.pop_back();
        }
        sizes.push_back(count);
        return sizes;
    };
    const Ref self = t.tensor("self");
    const Sizes given = flat(t.sizes(self));
    const Ref empty = t.filled(flat(t.result_sizes()), 0, t.result_dtype());
    const Ref placed = t.add("ScatterElements", {empty, t.reshape(t.tensor("indices"), given), t.reshape(self, given)},
                             {{"axis", -1}});
    return t.reshape(placed, t.result_sizes());
}

}  // namespace ferry::onnx::translated
