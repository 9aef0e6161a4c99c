#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Numbers drawn by chance. None of libtorch's, which has another generator: only how they are distributed is the same.
namespace ferry::onnx {
namespace translated {

struct rand {
    static constexpr auto target = op("aten::rand", "aten::rand_like");
    static Ref translate(Translation& t);
};
struct randn {
    static constexpr auto target = op("aten::randn", "aten::randn_like");
    static Ref translate(Translation& t);
};
struct randint {
    static constexpr auto target =
        op("aten::randint", "aten::randint.low", "aten::randint_like", "aten::randint_like.low_dtype");
    static Ref translate(Translation& t);
};
struct random_between {
    static constexpr auto target = op("aten::random.to", "aten::random.from");
    static Ref translate(Translation& t);
};
struct uniform {
    static constexpr auto target = op("aten::uniform");
    static Ref translate(Translation& t);
};
struct exponential {
    static constexpr auto target = op("aten::exponential");
    static Ref translate(Translation& t);
};
struct normal {
    static constexpr auto target =
        op("aten::normal.Tensor_float", "aten::normal.float_Tensor", "aten::normal.Tensor_Tensor",
           "aten::normal.float_float", "aten::normal_functional");
    static Ref translate(Translation& t);
};
struct bernoulli {
    static constexpr auto target = op("aten::bernoulli", "aten::bernoulli.p", "aten::bernoulli.Tensor");
    static Ref translate(Translation& t);
};
struct log_normal {
    static constexpr auto target = op("aten::log_normal");
    static Ref translate(Translation& t);
};
struct poisson {
    static constexpr auto target = op("aten::poisson");
    static Ref translate(Translation& t);
};
struct binomial {
    static constexpr auto target = op("aten::binomial");
    static Ref translate(Translation& t);
};
struct geometric {
    static constexpr auto target = op("aten::geometric");
    static Ref translate(Translation& t);
};
struct cauchy {
    static constexpr auto target = op("aten::cauchy");
    static Ref translate(Translation& t);
};
struct dropout {
    static constexpr auto target = op("aten::dropout");
    static Ref translate(Translation& t);
};
struct dropout_of_other_kinds {
    static constexpr auto target = op("aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout");
    static Ref translate(Translation& t);
};
struct rrelu {
    static constexpr auto target = op("aten::rrelu_with_noise_functional");
    static void translate(Translation& t);
};
struct native_dropout {
    static constexpr auto target = op("aten::native_dropout");
    static void translate(Translation& t);
};
struct randperm {
    static constexpr auto target = op("aten::randperm");
    static Ref translate(Translation& t);
};

struct multinomial {
    static constexpr auto target = op("aten::multinomial");
    static Ref translate(Translation& t);
};

}  // namespace translated

using random_translations =
    translations<translated::rand, translated::randn, translated::randint, translated::random_between,
                 translated::uniform, translated::exponential, translated::normal, translated::bernoulli,
                 translated::log_normal, translated::poisson, translated::binomial, translated::geometric,
                 translated::cauchy, translated::dropout, translated::dropout_of_other_kinds, translated::rrelu,
                 translated::native_dropout, translated::randperm, translated::multinomial>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/random-inl.hpp>
#endif
