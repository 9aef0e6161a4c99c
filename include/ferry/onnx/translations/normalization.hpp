#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

/// Numbers scaled by their mean and variance.
namespace ferry::onnx {
namespace translated {

/// A weight, or what changes nothing in its place.
inline Ref weight_or(Translation& t, std::string_view name, const Sizes& sizes, DType dtype, int otherwise) {
    return t.has(name) ? t.operand(name, dtype) : t.filled(sizes, otherwise, dtype);
}

struct layer_norm {
    static constexpr auto target = op("aten::layer_norm", "aten::native_layer_norm");
    static void translate(Translation& t) {
        const DType dtype = t.wide(t.result_dtype());
        const Ref input = t.operand("input", dtype);
        const Sizes over = t.symbolics("normalized_shape");
        std::vector<Ref> inputs{input, weight_or(t, "weight", over, dtype, 1)};
        if (t.has("bias")) inputs.push_back(t.operand("bias", dtype));
        const std::size_t count = t.num_results() > 1 && (t.is_wanted(1) || t.is_wanted(2)) ? 3 : 1;
        const auto made =
            t.add_many("LayerNormalization", std::move(inputs),
                       {{"axis", -static_cast<std::int64_t>(over.size())}, {"epsilon", t.real("eps")}}, count);
        for (std::size_t i = 0; i < count; ++i) t.result(made[i], i);
    }
};

struct rms_norm {
    static constexpr auto target = op("aten::rms_norm");
    static Ref translate(Translation& t) {
        const DType dtype = t.wide(t.result_dtype());
        const Ref input = t.operand("input", dtype);
        const Sizes over = t.symbolics("normalized_shape");
        const double smallest = t.result_dtype() == DType::float64 ? std::numeric_limits<double>::epsilon()
                                                                   : std::numeric_limits<float>::epsilon();
        const double epsilon = t.has("eps") ? t.real("eps") : smallest;
        const auto axis = -static_cast<std::int64_t>(over.size());
        if (t.opset() >= 23)
            return t.add("RMSNormalization", {input, weight_or(t, "weight", over, dtype, 1)},
                         {{"axis", axis}, {"epsilon", epsilon}});
        std::vector<std::int64_t> dims(over.size());
        std::iota(dims.begin(), dims.end(), t.rank(input) + axis);
        const Ref square = t.like(t.add("Mul", {input, input}), input);
        const Ref mean = reduce(t, "ReduceMean", square, {dims, false, true});
        const Ref root = t.add("Sqrt", {t.add("Add", {mean, t.number_like(epsilon, input)})});
        const Ref scaled = t.add("Div", {input, root});
        return t.has("weight") ? t.add("Mul", {scaled, t.operand("weight", dtype)}) : scaled;
    }
};

/// Along the channels, which stand in the second place.
inline Ref along_channels(Translation& t, Ref weight, std::int64_t rank) {
    std::vector<std::int64_t> behind;
    for (std::int64_t dim = 2; dim < rank; ++dim) behind.push_back(dim - 1);
    return t.unsqueeze(weight, std::move(behind));
}
inline void batch_normalized(Translation& t, bool training, double epsilon) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref input = t.operand("input", dtype);
    const std::int64_t rank = t.rank(input);
    const Sizes channels{t.sizes(input).at(1)};
    const Ref weight = weight_or(t, "weight", channels, dtype, 1), bias = weight_or(t, "bias", channels, dtype, 0);
    if (!training) {
        const Ref mean = t.operand("running_mean", dtype), variance = t.operand("running_var", dtype);
        return t.result(t.add("BatchNormalization", {input, weight, bias, mean, variance}, {{"epsilon", epsilon}}));
    }
    std::vector<std::int64_t> dims{0};
    for (std::int64_t dim = 2; dim < rank; ++dim) dims.push_back(dim);
    const Reduced how{dims, false, true};
    const Ref apart = t.like(t.add("Sub", {input, reduce(t, "ReduceMean", input, how)}), input);
    const Ref square = t.like(t.add("Mul", {apart, apart}), input);
    const Ref variance = reduce(t, "ReduceMean", square, how);
    const Ref root = t.add("Sqrt", {t.add("Add", {variance, t.number_like(epsilon, input)})});
    const Ref scaled = t.add("Mul", {t.add("Div", {apart, root}), along_channels(t, weight, rank)});
    t.result(t.add("Add", {scaled, along_channels(t, bias, rank)}));
}
/// The statistics that training keeps are not computed.
inline void refuse_statistics(Translation& t) {
    for (std::size_t i = 1; i < t.num_results(); ++i)
        if (t.is_wanted(i)) t.refuse("the statistics of a batch normalization are used");
}
struct batch_norm {
    static constexpr auto target = op("aten::batch_norm");
    static void translate(Translation& t) {
        const bool training = t.flag("training") || !t.has("running_mean");
        if (t.flag("training") && t.has("running_mean"))
            t.refuse("a batch normalization in training mode changes its statistics", "call eval() on the model first");
        batch_normalized(t, training, t.real("eps"));
    }
};
struct native_batch_norm {
    static constexpr auto target =
        op("aten::_native_batch_norm_legit_no_training", "aten::_native_batch_norm_legit.no_stats");
    static void translate(Translation& t) {
        refuse_statistics(t);
        const bool training = t.node().op() == "aten::_native_batch_norm_legit.no_stats";
        batch_normalized(t, training, t.real("eps"));
    }
};

/// Each group of channels as one channel of an instance normalization.
inline Ref group_normalized(Translation& t, std::string_view groups_name, double epsilon) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref input = t.operand("input", dtype);
    const SymExpr groups = t.integer(groups_name);
    const Sizes& sizes = t.sizes(input);
    SymExpr length = floor_div(sizes.at(1), groups);
    for (std::size_t i = 2; i < sizes.size(); ++i) length = length * sizes[i];
    const Ref grouped = t.reshape(input, {sizes[0], groups, length});
    const Ref normal =
        t.add("InstanceNormalization", {grouped, t.filled({groups}, 1, dtype), t.filled({groups}, 0, dtype)},
              {{"epsilon", epsilon}});
    Ref made = t.reshape(t.like(normal, grouped), sizes);
    if (t.has("weight")) made = t.add("Mul", {made, along_channels(t, t.operand("weight", dtype), t.rank(input))});
    if (t.has("bias")) made = t.add("Add", {made, along_channels(t, t.operand("bias", dtype), t.rank(input))});
    return made;
}
struct group_norm {
    static constexpr auto target = op("aten::group_norm");
    static Ref translate(Translation& t) { return group_normalized(t, "num_groups", t.real("eps")); }
};
struct native_group_norm {
    static constexpr auto target = op("aten::native_group_norm");
    static void translate(Translation& t) {
        refuse_statistics(t);
        t.result(group_normalized(t, "group", t.real("eps")));
    }
};

}  // namespace translated

using normalization_translations =
    translations<translated::layer_norm, translated::rms_norm, translated::batch_norm, translated::native_batch_norm,
                 translated::group_norm, translated::native_group_norm>;

}  // namespace ferry::onnx
