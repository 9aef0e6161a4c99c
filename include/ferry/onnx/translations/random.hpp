#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting.hpp>

#include <cstdint>
#include <string_view>

/// Numbers drawn by chance. None of libtorch's, which has another generator: only how they are distributed is the same.
namespace ferry::onnx {
namespace translated {

inline Ref drawn(Translation& t, std::string_view op, const Sizes& sizes) {
    const DType dtype = t.wide(t.result_dtype());
    return t.with_sizes(t.add(op, {t.filled(sizes, 0, is_floating_point(dtype) ? dtype : DType::float32)}), sizes);
}
/// From 0 to 1, without 1.
inline Ref uniform_numbers(Translation& t, const Sizes& sizes) { return drawn(t, "RandomUniformLike", sizes); }
inline Ref normal_numbers(Translation& t) { return drawn(t, "RandomNormalLike", t.result_sizes()); }

struct rand {
    static constexpr auto target = op("aten::rand", "aten::rand_like");
    static Ref translate(Translation& t) { return uniform_numbers(t, t.result_sizes()); }
};
struct randn {
    static constexpr auto target = op("aten::randn", "aten::randn_like");
    static Ref translate(Translation& t) { return normal_numbers(t); }
};
/// From a lower end, or zero, to an upper one, which is not among them.
inline Ref whole_numbers(Translation& t, std::string_view low, std::string_view high) {
    const Ref uniform = uniform_numbers(t, t.result_sizes());
    const DType dtype = t.dtype(uniform);
    const Ref least = low.empty() ? t.number(0, dtype) : t.operand(low, dtype);
    const Ref width = t.add("Sub", {t.operand(high, dtype), least});
    return t.add("Add", {t.add("Floor", {t.add("Mul", {uniform, width})}), least});
}
struct randint {
    static constexpr auto target =
        op("aten::randint", "aten::randint.low", "aten::randint_like", "aten::randint_like.low_dtype");
    static Ref translate(Translation& t) {
        const bool from_zero = t.node().op() == "aten::randint" || t.node().op() == "aten::randint_like";
        return whole_numbers(t, from_zero ? "" : "low", "high");
    }
};
struct random_between {
    static constexpr auto target = op("aten::random.to", "aten::random.from");
    static Ref translate(Translation& t) {
        return whole_numbers(t, t.node().op() == "aten::random.to" ? "" : "from", "to");
    }
};
struct uniform {
    static constexpr auto target = op("aten::uniform");
    static Ref translate(Translation& t) {
        const Ref made = uniform_numbers(t, t.result_sizes());
        const double low = t.real("from"), high = t.real("to");
        return t.add("Add", {t.add("Mul", {made, t.number_like(high - low, made)}), t.number_like(low, made)});
    }
};
struct exponential {
    static constexpr auto target = op("aten::exponential");
    static Ref translate(Translation& t) {
        const Ref made = t.add("Neg", {t.add("Log", {uniform_numbers(t, t.result_sizes())})});
        return t.add("Div", {made, t.number_like(t.real("lambd"), made)});
    }
};
struct normal {
    static constexpr auto target =
        op("aten::normal.Tensor_float", "aten::normal.float_Tensor", "aten::normal.Tensor_Tensor",
           "aten::normal.float_float", "aten::normal_functional");
    static Ref translate(Translation& t) {
        const Ref made = normal_numbers(t);
        const DType dtype = t.dtype(made);
        return t.add("Add", {t.add("Mul", {made, t.operand("std", dtype)}), t.operand("mean", dtype)});
    }
};
struct bernoulli {
    static constexpr auto target = op("aten::bernoulli", "aten::bernoulli.p", "aten::bernoulli.Tensor");
    static Ref translate(Translation& t) {
        const Ref made = uniform_numbers(t, t.result_sizes());
        return t.add("Less", {made, t.operand(t.node().op() == "aten::bernoulli" ? "self" : "p", t.dtype(made))});
    }
};
struct log_normal {
    static constexpr auto target = op("aten::log_normal");
    static Ref translate(Translation& t) {
        const Ref made = normal_numbers(t);
        const Ref spread = t.add("Mul", {made, t.number_like(t.real("std"), made)});
        return t.add("Exp", {t.add("Add", {spread, t.number_like(t.real("mean"), made)})});
    }
};
struct Dropped {
    Ref kept;  ///< a condition
    Ref made;
};
/// What is left is scaled up, so that sums stay what they were on the average.
inline Dropped dropped(Translation& t, Ref input, double chance) {
    if (chance == 0) return {t.filled(t.sizes(input), true, DType::boolean), input};
    const Ref drawn_for_each = uniform_numbers(t, t.sizes(input));
    const Ref kept = t.add("GreaterOrEqual", {drawn_for_each, t.number_like(chance, drawn_for_each)});
    const Ref left = t.add("Mul", {input, t.cast(kept, t.dtype(input))});
    return {kept, t.add("Mul", {left, t.number_like(chance < 1 ? 1 / (1 - chance) : 0, input)})};
}
struct dropout {
    static constexpr auto target = op("aten::dropout");
    static Ref translate(Translation& t) {
        return dropped(t, t.tensor("input"), t.flag("train") ? t.real("p") : 0).made;
    }
};
/// Of whole channels, or with other means: only where it does nothing.
struct dropout_of_other_kinds {
    static constexpr auto target = op("aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout");
    static Ref translate(Translation& t) {
        if (t.flag("train") && t.real("p") != 0)
            t.refuse("the model was exported in training mode, with such a dropout on",
                     "call eval() on the model first");
        return t.tensor("input");
    }
};
struct native_dropout {
    static constexpr auto target = op("aten::native_dropout");
    static void translate(Translation& t) {
        const bool drops = !t.has("train") || t.flag("train");
        const Dropped found = dropped(t, t.tensor("input"), drops ? t.real("p") : 0);
        t.result(found.made, 0);
        t.result(found.kept, 1);
    }
};
/// The order that random numbers have.
struct randperm {
    static constexpr auto target = op("aten::randperm");
    static Ref translate(Translation& t) {
        const Ref keys = t.add("RandomUniformLike", {t.filled(t.result_sizes(), 0, DType::float32)});
        return t.add_many("TopK", {keys, t.size(t.result_sizes()[0])}, {{"axis", 0}}, 2)[1];
    }
};

/// With replacement the place of a random number among the sums of the weights; without, the largest weights over exponential numbers.
struct multinomial {
    static constexpr auto target = op("aten::multinomial");
    static Ref translate(Translation& t) {
        const DType dtype = t.wide(t.dtype(t.tensor("self")));
        const Ref weights = t.operand("self", dtype);
        const SymExpr count = t.symbolic("num_samples");
        const auto uniform = [&](const Sizes& sizes) {
            return t.with_sizes(t.add("RandomUniformLike", {t.filled(sizes, 0, dtype)}), sizes);
        };
        if (!t.flag("replacement")) {
            const Ref exponential = t.add("Neg", {t.add("Log", {uniform(t.sizes(weights))})});
            return t.add_many("TopK", {t.add("Div", {weights, exponential}), t.size(count)}, {{"axis", -1}}, 2)[1];
        }
        const std::int64_t last = t.rank(weights) - 1;
        const Ref sums = t.like(t.add("CumSum", {weights, t.number(last, DType::int64)}), weights);
        const Ref total = t.add("ReduceSum", {weights, t.ints({-1})}, {{"keepdims", 1}});
        const Ref height = t.with_sizes(t.add("Mul", {uniform(t.result_sizes()), total}), t.result_sizes());
        const Ref behind = t.size(t.sizes(weights).back() - SymExpr(1));
        return t.add("Min", {places_among(t, sums, height, /*right=*/true), behind});
    }
};

}  // namespace translated

using random_translations =
    translations<translated::rand, translated::randn, translated::randint, translated::random_between,
                 translated::uniform, translated::exponential, translated::normal, translated::bernoulli,
                 translated::log_normal, translated::dropout, translated::dropout_of_other_kinds,
                 translated::native_dropout, translated::randperm, translated::multinomial>;

}  // namespace ferry::onnx
