#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/normalization.hpp>
#include <ferry/onnx/translations/reduction-inl.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

namespace ferry::onnx::translated {

/// A weight, or what changes nothing in its place.
inline Ref weight_or(Translation& t, std::string_view name, const Sizes& sizes, DType dtype, int otherwise) {
    return t.has(name) ? t.operand(name, dtype) : t.filled(sizes, otherwise, dtype);
}

FERRY_INLINE void layer_norm::translate(Translation& t) {
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

FERRY_INLINE Ref rms_norm::translate(Translation& t) {
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

/// Along the channels, which stand in the second place.
inline Ref along_channels(Translation& t, Ref weight, std::int64_t rank) {
    std::vector<std::int64_t> behind;
    for (std::int64_t dim = 2; dim < rank; ++dim) behind.push_back(dim - 1);
    return t.unsqueeze(weight, std::move(behind));
}
/// Of each channel, with all dimensions kept.
struct BatchStatistics {
    Ref mean{}, variance{}, root{};
    Ref apart{};  ///< the input less the mean
};
inline BatchStatistics batch_statistics(Translation& t, Ref input, double epsilon) {
    Reduced how{{0}, false, true};
    for (std::int64_t dim = 2; dim < t.rank(input); ++dim) how.dims.push_back(dim);
    BatchStatistics made{.mean = reduce(t, "ReduceMean", input, how)};
    made.apart = t.like(t.add("Sub", {input, made.mean}), input);
    made.variance = reduce(t, "ReduceMean", t.like(t.add("Mul", {made.apart, made.apart}), input), how);
    made.root = t.add("Sqrt", {t.add("Add", {made.variance, t.number_like(epsilon, input)})});
    return made;
}
inline Ref scaled_by(Translation& t, const BatchStatistics& found, Ref weight, Ref bias) {
    const std::int64_t rank = t.rank(found.apart);
    const Ref scaled = t.add("Mul", {t.add("Div", {found.apart, found.root}), along_channels(t, weight, rank)});
    return t.add("Add", {scaled, along_channels(t, bias, rank)});
}
inline void batch_normalized(Translation& t, bool training) {
    const double epsilon = t.real("eps");
    const DType dtype = t.wide(t.result_dtype());
    const Ref input = t.operand("input", dtype);
    const Sizes channels{t.sizes(input).at(1)};
    const Ref weight = weight_or(t, "weight", channels, dtype, 1), bias = weight_or(t, "bias", channels, dtype, 0);
    if (training) return t.result(scaled_by(t, batch_statistics(t, input, epsilon), weight, bias));
    const Ref mean = t.operand("running_mean", dtype), variance = t.operand("running_var", dtype);
    t.result(t.add("BatchNormalization", {input, weight, bias, mean, variance}, {{"epsilon", epsilon}}));
}
/// In training mode: the statistics of the batch, and what they make of those kept so far.
inline void batch_normalized_in_training(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    const Ref input = t.operand("input", dtype);
    const Sizes& sizes = t.sizes(input);
    const Sizes channels{sizes.at(1)};
    const BatchStatistics found = batch_statistics(t, input, t.real("eps"));
    t.result(scaled_by(t, found, weight_or(t, "weight", channels, dtype, 1), weight_or(t, "bias", channels, dtype, 0)));
    const auto flat = [&](Ref kept) { return t.add("Reshape", {kept, t.shape(channels)}); };
    const Ref mean = flat(found.mean);
    t.result(mean, 1);
    t.result(flat(t.add("Reciprocal", {found.root})), 2);
    SymExpr count = sizes[0];
    for (std::size_t i = 2; i < sizes.size(); ++i) count = count * sizes[i];
    const Ref number = t.scalar_of(t.cast(t.size(count), dtype));
    const Ref unbiased = t.add("Div", {number, t.add("Sub", {number, t.number(1, dtype)})});
    const double momentum = t.real("momentum");
    const auto moved = [&](std::string_view kept, Ref now) {
        return t.add("Add", {t.add("Mul", {t.operand(kept, dtype), t.number(1 - momentum, dtype)}),
                             t.add("Mul", {now, t.number(momentum, dtype)})});
    };
    t.result(moved("running_mean", mean), 3);
    t.result(moved("running_var", t.add("Mul", {flat(found.variance), unbiased})), 4);
}
/// The statistics that training keeps are not computed.
inline void refuse_statistics(Translation& t) {
    for (std::size_t i = 1; i < t.num_results(); ++i)
        if (t.is_wanted(i)) t.refuse("the statistics of a batch normalization are used");
}
FERRY_INLINE void batch_norm::translate(Translation& t) {
    const bool training = t.flag("training") || !t.has("running_mean");
    if (t.flag("training") && t.has("running_mean"))
        t.refuse("a batch normalization in training mode changes its statistics", "call eval() on the model first");
    batch_normalized(t, training);
}
FERRY_INLINE void native_batch_norm::translate(Translation& t) {
    refuse_statistics(t);
    const bool training = t.node().op() == "aten::_native_batch_norm_legit.no_stats";
    batch_normalized(t, training);
}
/// What training mode becomes where nothing is written to.
FERRY_INLINE void functional_batch_norm::translate(Translation& t) {
    if (t.flag("training")) return batch_normalized_in_training(t);
    batch_normalized(t, false);
    const DType dtype = t.dtype(t.tensor("running_mean"));
    for (const std::size_t unused : {1, 2}) t.result(t.filled({0}, 0, dtype), unused);
    t.result(t.tensor("running_mean"), 3);
    t.result(t.tensor("running_var"), 4);
}

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
FERRY_INLINE Ref group_norm::translate(Translation& t) { return group_normalized(t, "num_groups", t.real("eps")); }
FERRY_INLINE void native_group_norm::translate(Translation& t) {
    refuse_statistics(t);
    t.result(group_normalized(t, "group", t.real("eps")));
}

}  // namespace ferry::onnx::translated
