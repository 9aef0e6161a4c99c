#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/loop.hpp>
#include <ferry/onnx/translations/random.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

namespace ferry::onnx::translated {

/// Coin tosses are the digits of a number. From opset 22 on ONNX Runtime has no kernel for the random ops but for Dropout, whose mask is such
/// tosses.
inline Ref tossed_numbers(Translation& t, Sizes sizes, DType dtype) {
    const std::int64_t digits = dtype == DType::float64 ? 53 : 24;
    sizes.emplace_back(digits);
    const std::vector<Ref> inputs{t.filled(sizes, 1, dtype), t.number(0.5, DType::float32),
                                  t.number(true, DType::boolean)};
    const Ref tosses = t.add_typed("Dropout", inputs, {}, {dtype, DType::boolean})[1];
    const at::Tensor values = at::arange(-1, -1 - digits, -1, at::TensorOptions(at::kDouble)).exp2();
    const Ref kept = t.add("Where", {tosses, t.constant(values.to(to_c10(dtype))), t.number(0, dtype)});
    const auto last = static_cast<std::int64_t>(sizes.size()) - 1;
    return t.add("ReduceSum", {kept, t.ints({last})}, {{"keepdims", 0}});
}
/// From 0 to 1, without 1.
inline Ref uniform_numbers(Translation& t, const Sizes& sizes, DType dtype) {
    const Ref made =
        t.opset() < 22 ? t.add("RandomUniformLike", {t.filled(sizes, 0, dtype)}) : tossed_numbers(t, sizes, dtype);
    return t.with_sizes(made, sizes);
}
/// Of two uniform numbers one is the length and one the angle of a point whose coordinates are normal.
inline Ref normal_numbers(Translation& t, const Sizes& sizes, DType dtype) {
    if (t.opset() < 22) return t.add("RandomNormalLike", {t.filled(sizes, 0, dtype)});
    const auto number = [&](double value) { return t.number(value, dtype); };
    const Ref height = t.add("Sub", {number(1), uniform_numbers(t, sizes, dtype)});
    const Ref length = t.add("Sqrt", {t.add("Mul", {t.add("Log", {height}), number(-2)})});
    const Ref angle = t.add("Mul", {uniform_numbers(t, sizes, dtype), number(2 * std::numbers::pi)});
    return t.add("Mul", {length, t.add("Sin", {angle})});
}
/// As many as the result has, in a type that is exact enough for it.
[[nodiscard]] inline DType drawn_dtype(Translation& t) {
    const DType dtype = t.wide(t.result_dtype());
    return is_floating_point(dtype) ? dtype : DType::float32;
}
inline Ref uniform_result(Translation& t) { return uniform_numbers(t, t.result_sizes(), drawn_dtype(t)); }
inline Ref normal_result(Translation& t) { return normal_numbers(t, t.result_sizes(), drawn_dtype(t)); }

FERRY_INLINE Ref rand::translate(Translation& t) { return uniform_result(t); }
FERRY_INLINE Ref randn::translate(Translation& t) { return normal_result(t); }
/// From a lower end, or zero, to an upper one, which is not among them.
inline Ref whole_numbers(Translation& t, std::string_view low, std::string_view high) {
    const Ref uniform = uniform_result(t);
    const DType dtype = t.dtype(uniform);
    const Ref least = low.empty() ? t.number(0, dtype) : t.operand(low, dtype);
    const Ref width = t.add("Sub", {t.operand(high, dtype), least});
    return t.add("Add", {t.add("Floor", {t.add("Mul", {uniform, width})}), least});
}
FERRY_INLINE Ref randint::translate(Translation& t) {
    const bool from_zero = t.node().op() == "aten::randint" || t.node().op() == "aten::randint_like";
    return whole_numbers(t, from_zero ? "" : "low", "high");
}
FERRY_INLINE Ref random_between::translate(Translation& t) {
    return whole_numbers(t, t.node().op() == "aten::random.to" ? "" : "from", "to");
}
FERRY_INLINE Ref uniform::translate(Translation& t) {
    const Ref made = uniform_result(t);
    const double low = t.real("from"), high = t.real("to");
    return t.add("Add", {t.add("Mul", {made, t.number_like(high - low, made)}), t.number_like(low, made)});
}
FERRY_INLINE Ref exponential::translate(Translation& t) {
    const Ref made = t.add("Neg", {t.add("Log", {uniform_result(t)})});
    return t.add("Div", {made, t.number_like(t.real("lambd"), made)});
}
FERRY_INLINE Ref normal::translate(Translation& t) {
    const Ref made = normal_result(t);
    const DType dtype = t.dtype(made);
    return t.add("Add", {t.add("Mul", {made, t.operand("std", dtype)}), t.operand("mean", dtype)});
}
FERRY_INLINE Ref bernoulli::translate(Translation& t) {
    const Ref made = uniform_result(t);
    return t.add("Less", {made, t.operand(t.node().op() == "aten::bernoulli" ? "self" : "p", t.dtype(made))});
}
FERRY_INLINE Ref log_normal::translate(Translation& t) {
    const Ref made = normal_result(t);
    const Ref spread = t.add("Mul", {made, t.number_like(t.real("std"), made)});
    return t.add("Exp", {t.add("Add", {spread, t.number_like(t.real("mean"), made)})});
}
/// How often something happens, where the logarithm of the chance that it never does is given, and by what the chance of one time more is
/// larger. The place of one uniform number among their sums: draws in a loop's turns would hang together, as ONNX Runtime seeds them.
template <class Ratio>
Ref number_of_events(Translation& t, Ref log_of_none, Ratio&& one_more) {
    const auto number = [&](double value) { return t.number(value, DType::float64); };
    const Sizes sizes = t.result_sizes();
    const Ref height = uniform_numbers(t, sizes, DType::float64), none = t.filled(sizes, 0, DType::float64);
    const Ref logs = t.like(t.add("Add", {log_of_none, none}), none);
    return repeated(t, Ref(), {logs, none, none}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
        const Ref chance = t.add("Exp", {carried[0]}), sum = t.add("Add", {carried[1], chance});
        const Ref ratio = one_more(t.cast(step, DType::float64));
        const Ref grows = t.add("GreaterOrEqual", {ratio, number(1)});
        const Ref counts = t.add("Or", {grows, t.add("Greater", {chance, number(1e-18)})});  // sums may end below 1
        const Ref is_more = t.cast(t.add("And", {t.add("GreaterOrEqual", {height, sum}), counts}), DType::float64);
        const Ref any = t.add("ReduceMax", {is_more}, {{"keepdims", 0}});
        return {
            .carried = {t.add("Add", {carried[0], t.add("Log", {ratio})}), sum, t.add("Add", {carried[2], is_more})},
            .collected = {},
            .goes_on = t.cast(any, DType::boolean)};
    })[2];
}
FERRY_INLINE Ref poisson::translate(Translation& t) {
    const Ref rate = t.operand("self", DType::float64);
    return number_of_events(t, t.add("Neg", {rate}), [&](Ref step) {
        return t.add("Div", {rate, t.add("Add", {step, t.number_like(1, step)})});
    });
}
/// Of the rarer of hits and misses.
FERRY_INLINE Ref binomial::translate(Translation& t) {
    const Ref tries = t.operand("count", DType::float64), chance = t.operand("prob", DType::float64);
    const Ref one = t.number_like(1, chance), miss = t.add("Sub", {one, chance});
    const Ref rarer = t.add("Min", {chance, miss}), other = t.add("Sub", {one, rarer});
    const Ref odds = t.add("Div", {rarer, other});
    const Ref found = number_of_events(t, t.add("Mul", {tries, t.add("Log", {other})}), [&](Ref step) {
        const Ref left = t.add("Max", {t.add("Sub", {tries, step}), t.number_like(0, step)});
        return t.add("Mul", {t.add("Div", {left, t.add("Add", {step, one})}), odds});
    });
    return t.add("Where", {t.add("Greater", {chance, miss}), t.add("Sub", {tries, found}), found});
}
/// How many tries until the first hit, which is the logarithm of a uniform number.
FERRY_INLINE Ref geometric::translate(Translation& t) {
    const Ref heights = t.add("Log", {uniform_result(t)});
    return t.add("Ceil", {t.add("Div", {heights, t.number_like(std::log1p(-t.real("p")), heights)})});
}
FERRY_INLINE Ref cauchy::translate(Translation& t) {
    const Ref uniform = uniform_result(t);
    const Ref angle =
        t.add("Mul", {t.add("Sub", {uniform, t.number_like(0.5, uniform)}), t.number_like(std::numbers::pi, uniform)});
    const Ref spread = t.add("Mul", {t.add("Tan", {angle}), t.number_like(t.real("sigma"), uniform)});
    return t.add("Add", {spread, t.number_like(t.real("median"), uniform)});
}
struct Dropped {
    Ref kept;  ///< a condition
    Ref made;
};
inline Ref kept_by_chance(Translation& t, const Sizes& sizes, double chance) {
    const Ref drawn_for_each = uniform_numbers(t, sizes, drawn_dtype(t));
    return t.add("GreaterOrEqual", {drawn_for_each, t.number_like(chance, drawn_for_each)});
}
/// What is left is scaled up, so that sums stay what they were on the average.
inline Ref scaled_up(Translation& t, Ref input, Ref kept, double chance) {
    const Ref left = t.add("Mul", {input, t.cast(kept, t.dtype(input))});
    return t.add("Mul", {left, t.number_like(chance < 1 ? 1 / (1 - chance) : 0, input)});
}
inline Dropped dropped(Translation& t, Ref input, double chance) {
    if (chance == 0) return {t.filled(t.sizes(input), true, DType::boolean), input};
    const Ref kept = kept_by_chance(t, t.sizes(input), chance);
    return {kept, scaled_up(t, input, kept, chance)};
}
FERRY_INLINE Ref dropout::translate(Translation& t) {
    return dropped(t, t.tensor("input"), t.flag("train") ? t.real("p") : 0).made;
}
/// Of whole channels; or, for layers that keep their mean and variance, with what such a layer ends at in place of zeros.
FERRY_INLINE Ref dropout_of_other_kinds::translate(Translation& t) {
    const Ref input = t.tensor("input");
    const double chance = t.flag("train") ? t.real("p") : 0;
    if (chance == 0) return input;
    Sizes sizes = t.sizes(input);
    for (std::size_t dim = 2; t.node().op() != "aten::alpha_dropout" && dim < sizes.size(); ++dim) sizes[dim] = 1;
    const Ref kept = kept_by_chance(t, sizes, chance);
    if (t.node().op() == "aten::feature_dropout" || chance == 1) return scaled_up(t, input, kept, chance);
    const double end = -1.7580993408473766;
    const double scale = 1 / std::sqrt((end * end * chance + 1) * (1 - chance));
    const Ref left = t.add("Where", {kept, input, t.number_like(end, input)});
    return t.add("Add",
                 {t.add("Mul", {left, t.number_like(scale, input)}), t.number_like(-end * scale * chance, input)});
}
/// The slope below zero, by chance in training and the mean of its limits otherwise.
FERRY_INLINE void rrelu::translate(Translation& t) {
    const Ref self = t.tensor("self");
    const double low = t.real("lower"), high = t.real("upper");
    if (!t.flag("training")) {
        t.result(t.add("LeakyRelu", {self}, {{"alpha", (low + high) / 2}}), 0);
        return t.result(t.tensor("noise"), 1);
    }
    const Ref uniform = t.cast(uniform_numbers(t, t.sizes(self), drawn_dtype(t)), t.dtype(self));
    const Ref drawn =
        t.add("Add", {t.add("Mul", {uniform, t.number_like(high - low, self)}), t.number_like(low, self)});
    const Ref slopes =
        t.add("Where", {t.add("LessOrEqual", {self, t.number_like(0, self)}), drawn, t.number_like(1, self)});
    t.result(t.add("Mul", {self, slopes}), 0);
    t.result(slopes, 1);
}
FERRY_INLINE void native_dropout::translate(Translation& t) {
    const bool drops = !t.has("train") || t.flag("train");
    const Dropped found = dropped(t, t.tensor("input"), drops ? t.real("p") : 0);
    t.result(found.made, 0);
    t.result(found.kept, 1);
}
/// The order that random numbers have.
FERRY_INLINE Ref randperm::translate(Translation& t) {
    const Ref keys = uniform_numbers(t, t.result_sizes(), DType::float32);
    return t.add_many("TopK", {keys, t.size(t.result_sizes()[0])}, {{"axis", 0}}, 2)[1];
}

/// With replacement the place of a random number among the sums of the weights; without, the largest weights over exponential numbers.
FERRY_INLINE Ref multinomial::translate(Translation& t) {
    const DType dtype = t.wide(t.dtype(t.tensor("self")));
    const Ref weights = t.operand("self", dtype);
    const SymExpr count = t.symbolic("num_samples");
    if (!t.flag("replacement")) {
        const Ref exponential = t.add("Neg", {t.add("Log", {uniform_numbers(t, t.sizes(weights), dtype)})});
        return t.add_many("TopK", {t.add("Div", {weights, exponential}), t.size(count)}, {{"axis", -1}}, 2)[1];
    }
    const std::int64_t last = t.rank(weights) - 1;
    const Ref sums = t.like(t.add("CumSum", {weights, t.number(last, DType::int64)}), weights);
    const Ref total = t.add("ReduceSum", {weights, t.ints({-1})}, {{"keepdims", 1}});
    const Ref height =
        t.with_sizes(t.add("Mul", {uniform_numbers(t, t.result_sizes(), dtype), total}), t.result_sizes());
    const Ref behind = t.size(t.sizes(weights).back() - SymExpr(1));
    return t.add("Min", {places_among(t, sums, height, /*right=*/true), behind});
}

}  // namespace ferry::onnx::translated
