#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/resampling.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// The factors that a call gives; torch computes with these, and not with the quotient of the sizes.
[[nodiscard]] inline std::vector<double> scale_factors(Translation& t, std::size_t spatial) {
    std::vector<double> factors;
    if (t.node().op().ends_with(".vec")) {
        const Argument given = t.argument("scale_factors");
        if (const auto* list = given.get_if<ArgumentList>())
            for (const Argument& item : *list)
                if (const auto* factor = item.get_if<double>()) factors.push_back(*factor);
        return factors;
    }
    static constexpr std::string_view names[] = {"scales_d", "scales_h", "scales_w"};
    for (std::size_t i = 3 - spatial; i < 3; ++i) {
        const std::string_view name = spatial == 1 ? "scales" : names[i];
        if (t.has(name)) factors.push_back(t.real(name));
    }
    return factors.size() == spatial ? factors : std::vector<double>();
}

/// ONNX Runtime resizes four dimensions; three are four of which one is not changed.
inline Ref resized(Translation& t, DType dtype, std::vector<Attribute> attributes) {
    Ref input = t.operand(t.node().op().ends_with(".vec") ? "input" : "self", dtype);
    const auto spatial = static_cast<std::size_t>(t.rank(input) - 2);
    const std::vector<double> factors = scale_factors(t, spatial);
    if (spatial == 1) input = t.unsqueeze(input, {2});
    Ref made;
    if (factors.empty()) {
        Sizes sizes = t.result_sizes();
        if (spatial == 1) sizes.insert(sizes.begin() + 2, SymExpr(1));
        made = t.add("Resize", {input, Ref(), Ref(), t.shape(sizes)}, std::move(attributes));
    } else {
        at::Tensor scales = at::zeros({spatial == 1 ? 4 : t.rank(input)}, at::TensorOptions(at::kFloat));
        auto* numbers = static_cast<float*>(scales.mutable_data_ptr());
        const auto count = static_cast<std::size_t>(scales.numel());
        for (std::size_t i = 0; i < count; ++i)
            numbers[i] = i + spatial < count ? 1.0F : static_cast<float>(factors[i + spatial - count]);
        made = t.add("Resize", {input, Ref(), t.constant(scales)}, std::move(attributes));
    }
    return spatial == 1 ? t.add("Squeeze", {made, t.ints({2})}) : made;
}
/// Between elements there are values that bytes do not have: they are rounded, which ONNX Runtime itself would not do.
inline Ref interpolated(Translation& t, std::vector<Attribute> attributes) {
    if (t.result_dtype() != DType::uint8) return resized(t, t.wide(t.result_dtype()), std::move(attributes));
    constexpr DType dtype = DType::float32;
    const Ref whole = t.add("Round", {resized(t, dtype, std::move(attributes))});
    return t.add("Clip", {whole, t.number(0.0, dtype), t.number(255.0, dtype)});
}

FERRY_INLINE Ref upsample_nearest::translate(Translation& t) {
    const DType dtype = t.result_dtype();
    return resized(t, dtype == DType::uint8 ? dtype : t.wide(dtype),
                   {{"mode", "nearest"}, {"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}});
}
inline const char* corners(Translation& t) { return t.flag("align_corners") ? "align_corners" : "half_pixel"; }
FERRY_INLINE Ref upsample_linear::translate(Translation& t) {
    return interpolated(t, {{"mode", "linear"}, {"coordinate_transformation_mode", corners(t)}});
}
FERRY_INLINE Ref upsample_bicubic::translate(Translation& t) {
    return interpolated(t,
                        {{"mode", "cubic"}, {"coordinate_transformation_mode", corners(t)}, {"cubic_coeff_a", -0.75}});
}
FERRY_INLINE Ref upsample_antialiased::translate(Translation& t) {
    if (t.flag("align_corners")) t.refuse("antialiasing with aligned corners", "resize without align_corners");
    const bool cubic = t.node().op().find("bicubic") != std::string_view::npos;
    return interpolated(t, {{"mode", cubic ? "cubic" : "linear"},
                            {"coordinate_transformation_mode", corners(t)},
                            {"cubic_coeff_a", -0.5},
                            {"exclude_outside", 1},
                            {"antialias", 1}});
}

FERRY_INLINE Ref grid_sampler::translate(Translation& t) {
    static constexpr const char* modes[] = {"linear", "nearest", "cubic"};
    static constexpr const char* old_modes[] = {"bilinear", "nearest", "bicubic"};
    static constexpr const char* paddings[] = {"zeros", "border", "reflection"};
    const auto mode = static_cast<std::size_t>(t.integer("interpolation_mode"));
    const auto padding = static_cast<std::size_t>(t.integer("padding_mode"));
    if (mode > 2 || padding > 2) t.refuse("a way of interpolation that ONNX does not have");
    const DType dtype = t.wide(t.result_dtype());
    return t.add("GridSample", {t.operand("input", dtype), t.operand("grid", dtype)},
                 {{"mode", t.opset() >= 20 ? modes[mode] : old_modes[mode]},
                  {"padding_mode", paddings[padding]},
                  {"align_corners", std::int64_t{t.flag("align_corners")}}});
}

/// The places of so many points between -1 and 1: at both ends, or half a step inside of them.
inline Ref coordinates(Translation& t, const SymExpr& count, bool at_ends, DType dtype) {
    const Ref one = t.ints({1}), size = t.size(count), steps = t.add("Sub", {size, one});
    const Ref doubled = t.add("Mul", {counted(t, count), t.ints({2})});
    const Ref divisor = at_ends ? t.add("Max", {steps, one}) : size;
    return t.add("Div", {t.cast(t.add("Sub", {doubled, steps}), dtype), t.cast(divisor, dtype)});
}
/// x * first column + y * second column + ... + last column, the last spatial dimension being x.
FERRY_INLINE Ref affine_grid::translate(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref theta = t.operand("theta", dtype);
    const Sizes size = t.symbolics("size");
    const std::size_t spatial = size.size() - 2;
    const auto column = [&](std::size_t which) {
        const Ref taken =
            t.add("Gather", {theta, t.number(static_cast<std::int64_t>(which), DType::int64)}, {{"axis", 2}});
        Sizes sizes(spatial + 2, SymExpr(1));
        sizes.front() = size[0];
        sizes.back() = static_cast<std::int64_t>(spatial);
        return t.reshape(t.with_sizes(taken, {sizes.front(), sizes.back()}), sizes);
    };
    Ref grid = column(spatial);
    for (std::size_t i = 0; i < spatial; ++i) {
        const SymExpr& count = size[size.size() - 1 - i];
        Sizes along(i + 2, SymExpr(1));
        along.front() = count;
        const Ref places = t.with_sizes(coordinates(t, count, t.flag("align_corners"), dtype), {count});
        grid = t.add("Add", {grid, t.add("Mul", {t.reshape(places, along), column(i)})});
    }
    return grid;
}

}  // namespace ferry::onnx::translated
