#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/convolution.hpp>

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Windows reduced to one number each.
namespace ferry::onnx {
namespace translated {

/// The input with a batch in front, and what takes it off again.
struct Pooled {
    Ref input;
    bool is_batch = true;
    std::vector<Attribute> attributes{};

    void set(std::string_view name, AttributeValue value) {
        const auto found = std::ranges::find(attributes, name, &Attribute::name);
        if (found != attributes.end())
            found->value = std::move(value);
        else
            attributes.push_back({std::string(name), std::move(value)});
    }
};
inline Pooled with_batch(Translation& t, std::size_t spatial) {
    Pooled made{.input = t.tensor("self")};
    made.is_batch = t.rank(made.input) == static_cast<std::int64_t>(spatial) + 2;
    if (!made.is_batch) made.input = t.unsqueeze(made.input, {0});
    return made;
}
inline Pooled pooled(Translation& t, std::size_t spatial) {
    Pooled made = with_batch(t, spatial);
    const auto kernel = per_dim(t.integers("kernel_size"), spatial, 1);
    auto strides = t.integers("stride");
    strides = strides.empty() ? kernel : per_dim(std::move(strides), spatial, 1);
    made.attributes = {{"kernel_shape", kernel},
                       {"strides", strides},
                       {"pads", both_sides(per_dim(t.integers("padding"), spatial, 0))},
                       {"ceil_mode", std::int64_t{t.flag("ceil_mode")}}};
    return made;
}
[[nodiscard]] inline std::size_t dims_in_name(Translation& t) {
    const auto at = t.node().op().find_first_of("123");
    return static_cast<std::size_t>(t.node().op()[at] - '0');
}
/// Without the batch that pooled() put in front.
inline Ref unpooled(Translation& t, const Pooled& how, Ref made) {
    return how.is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
}
/// Of the largest numbers within their own planes; ONNX counts through the whole tensor.
inline Ref places_in_planes(Translation& t, const Pooled& how, Ref places, std::size_t spatial) {
    const Sizes& sizes = t.sizes(how.input);
    SymExpr plane = 1;
    for (std::size_t i = sizes.size() - spatial; i < sizes.size(); ++i) plane = plane * sizes[i];
    return t.add("Mod", {places, t.size(plane)});
}
struct max_pool {
    static constexpr auto target =
        op("aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d", "aten::max_pool1d_with_indices",
           "aten::max_pool2d_with_indices", "aten::max_pool3d_with_indices");
    static void translate(Translation& t) {
        const std::size_t spatial = dims_in_name(t);
        Pooled how = pooled(t, spatial);
        how.set("dilations", per_dim(t.integers("dilation"), spatial, 1));
        const bool with_places = t.num_results() > 1 && t.is_wanted(1);
        const auto made = t.add_many("MaxPool", {how.input}, how.attributes, with_places ? 2 : 1);
        t.result(unpooled(t, how, made[0]));
        if (with_places) t.result(unpooled(t, how, places_in_planes(t, how, made[1], spatial)), 1);
    }
};
/// With its padding as part of the input. libtorch counts what it pads with, but not what windows of ceil_mode have beyond that; and
/// no window begins in the padding behind.
inline Ref average_with_counted_padding(Translation& t, Pooled how, const std::vector<std::int64_t>& padding) {
    std::vector<std::int64_t> pads(2, 0);
    pads.insert(pads.end(), padding.begin(), padding.end());
    const Ref padded = t.add("Pad", {how.input, t.ints(both_sides(pads))});
    how.set("pads", both_sides(std::vector<std::int64_t>(padding.size(), 0)));
    Ref made = t.add("AveragePool", {padded}, std::move(how.attributes));
    const Sizes wanted = t.result_sizes();
    for (std::size_t i = 0; i < padding.size(); ++i)
        made = t.slice(made, static_cast<std::int64_t>(2 + i), t.ints({0}),
                       t.size(wanted[wanted.size() - padding.size() + i]));
    return made;
}
struct avg_pool {
    static constexpr auto target = op("aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d");
    static Ref translate(Translation& t) {
        const std::size_t spatial = dims_in_name(t);
        Pooled how = pooled(t, spatial);
        const auto padding = per_dim(t.integers("padding"), spatial, 0);
        const bool is_padded = std::ranges::any_of(padding, [](std::int64_t each) { return each > 0; });
        const bool has_divisor = spatial > 1 && t.has("divisor_override");
        if (has_divisor && t.flag("ceil_mode"))
            t.refuse("an average by another divisor than the count, with ceil_mode");
        Ref made;
        if (is_padded && t.flag("ceil_mode") && t.flag("count_include_pad")) {
            made = average_with_counted_padding(t, how, padding);
        } else {
            const bool counts_padding = has_divisor || (is_padded && t.flag("count_include_pad"));
            how.set("count_include_pad", std::int64_t{counts_padding});
            made = t.add("AveragePool", {how.input}, how.attributes);
        }
        if (has_divisor) {
            double window = 1;
            for (const std::int64_t each : per_dim(t.integers("kernel_size"), spatial, 1))
                window *= static_cast<double>(each);
            made = t.add("Mul", {made, t.number_like(window / t.real("divisor_override"), made)});
        }
        return unpooled(t, how, made);
    }
};

/// Which of `size` numbers go into which of `count` averages, and with what weight.
[[nodiscard]] inline at::Tensor averaging_matrix(std::int64_t size, std::int64_t count) {
    at::Tensor matrix = at::zeros({count, size}, at::TensorOptions(at::kDouble));
    auto* numbers = static_cast<double*>(matrix.mutable_data_ptr());
    for (std::int64_t row = 0; row < count; ++row) {
        const std::int64_t start = row * size / count, end = ((row + 1) * size + count - 1) / count;
        for (std::int64_t i = start; i < end; ++i) numbers[row * size + i] = 1.0 / static_cast<double>(end - start);
    }
    return matrix;
}
/// One dimension in `count` windows, which overlap where the size is no multiple: each reduced by itself. The size may vary.
inline Ref reduced_windows(Translation& t, std::string_view reduction, Ref value, std::int64_t dim,
                           std::int64_t count) {
    const SymExpr size = t.sizes(value)[static_cast<std::size_t>(dim)];
    std::vector<Ref> windows;
    for (std::int64_t i = 0; i < count; ++i) {
        const SymExpr start = floor_div(size * SymExpr(i), SymExpr(count));
        const SymExpr end = floor_div(size * SymExpr(i + 1) + SymExpr(count - 1), SymExpr(count));
        const Ref window = t.slice(value, dim, t.size(start), t.size(end));
        windows.push_back(t.add(reduction, {window, t.ints({dim})}, {{"keepdims", 1}}));
    }
    return windows.size() == 1 ? windows[0] : t.add("Concat", std::move(windows), {{"axis", dim}});
}
/// By a matrix, for a size that is known.
inline Ref averaged_by_matrix(Translation& t, Ref value, std::int64_t dim, std::int64_t count) {
    const std::int64_t last = t.rank(value) - 1;
    const SymExpr size = t.sizes(value)[static_cast<std::size_t>(dim)];
    const at::Tensor matrix = averaging_matrix(size.value(), count).to(to_c10(t.dtype(value)));
    const Ref turned = dim == last ? value : t.transpose(value, dim, last);
    Sizes pooled = t.sizes(turned);
    pooled.back() = count;
    const Ref product = t.with_sizes(t.add("MatMul", {turned, t.constant(matrix.t().contiguous())}), pooled);
    return dim == last ? product : t.transpose(product, dim, last);
}
/// To sizes that do not depend on those of the input: dimension by dimension.
template <class Pool>
Ref pooled_to_sizes(Translation& t, Ref value, Pool&& pool) {
    const auto spatial = static_cast<std::int64_t>(t.symbolics("output_size").size());
    for (std::int64_t dim = t.rank(value) - spatial; dim < t.rank(value); ++dim) {
        const auto place = static_cast<std::size_t>(dim);
        const SymExpr size = t.sizes(value)[place], count = t.result_sizes()[place];
        if (size == count) continue;
        if (!count.is_constant()) t.refuse("a pooling to a size that varies", "export with a fixed output size");
        Sizes after = t.sizes(value);
        after[place] = count;
        value = t.with_sizes(pool(value, dim, size, count.value()), after);
    }
    return value;
}
struct adaptive_avg_pool {
    static constexpr auto target =
        op("aten::adaptive_avg_pool1d", "aten::adaptive_avg_pool2d", "aten::adaptive_avg_pool3d",
           "aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d");
    static Ref translate(Translation& t) {
        return pooled_to_sizes(
            t, t.wide_operand("self"), [&](Ref value, std::int64_t dim, const SymExpr& size, std::int64_t count) {
                return size.is_constant() && count > 1 ? averaged_by_matrix(t, value, dim, count)
                                                       : reduced_windows(t, "ReduceMean", value, dim, count);
            });
    }
};
/// The places of the largest numbers are known only where all windows are alike.
struct adaptive_max_pool {
    static constexpr auto target =
        op("aten::adaptive_max_pool1d", "aten::adaptive_max_pool2d", "aten::adaptive_max_pool3d");
    static void translate(Translation& t) {
        if (t.is_wanted(1)) return with_places(t);
        t.result(
            pooled_to_sizes(t, t.tensor("self"), [&](Ref value, std::int64_t dim, const SymExpr&, std::int64_t count) {
                return reduced_windows(t, "ReduceMax", value, dim, count);
            }));
    }

private:
    static void with_places(Translation& t) {
        const std::size_t spatial = dims_in_name(t);
        Pooled how = with_batch(t, spatial);
        std::vector<std::int64_t> windows;
        for (std::size_t i = 0; i < spatial; ++i) {
            const SymExpr size = t.sizes(how.input)[2 + i],
                          count = t.result_sizes().rbegin()[static_cast<std::ptrdiff_t>(spatial - 1 - i)];
            if (!size.is_constant() || !count.is_constant() || count.value() == 0 || size.value() % count.value() != 0)
                t.refuse("the places of the largest numbers in windows of different sizes");
            windows.push_back(size.value() / count.value());
        }
        how.attributes = {{"kernel_shape", windows}, {"strides", windows}};
        const auto made = t.add_many("MaxPool", {how.input}, how.attributes, 2);
        t.result(unpooled(t, how, made[0]), 0);
        t.result(unpooled(t, how, places_in_planes(t, how, made[1], spatial)), 1);
    }
};

}  // namespace translated

using pooling_translations = translations<translated::max_pool, translated::avg_pool, translated::adaptive_avg_pool,
                                          translated::adaptive_max_pool>;

}  // namespace ferry::onnx
