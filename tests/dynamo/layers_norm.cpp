// Norms and activations, in training too.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace ferry_test;
namespace nn = torch::nn;
using torch::Tensor;

namespace {

template <class Layer>
void check_both_modes(const char* name, Layer layer, const Sizes& sample, std::initializer_list<Sizes> others) {
    const torch::NoGradGuard no_gradients;
    for (auto& buffer : layer->buffers())
        if (buffer.is_floating_point()) buffer.uniform_(0.5, 1.5);
    for (const bool training : {false, true}) {
        INFO(std::string(training ? "training" : "evaluating"));
        layer->train(training);
        check_sizes(name, layer, sample, others);
    }
}

}  // namespace

TEST_CASE("norms, train and eval") {
    torch::manual_seed(1);
    check_both_modes("BatchNorm1d", nn::BatchNorm1d(5), {4, 5}, {{7, 5}});
    check_both_modes("BatchNorm1d of sequences", nn::BatchNorm1d(5), {4, 5, 6}, {{7, 5, 3}});
    check_both_modes("BatchNorm2d", nn::BatchNorm2d(5), {4, 5, 6, 7}, {{3, 5, 8, 4}});
    check_both_modes("BatchNorm2d plain", nn::BatchNorm2d(nn::BatchNorm2dOptions(5).affine(false)), {4, 5, 6, 7},
                     {{3, 5, 8, 4}});
    check_both_modes("BatchNorm2d without statistics",
                     nn::BatchNorm2d(nn::BatchNorm2dOptions(5).track_running_stats(false)), {4, 5, 6, 7},
                     {{3, 5, 8, 4}});
    check_both_modes("BatchNorm3d", nn::BatchNorm3d(5), {2, 5, 3, 4, 6}, {{3, 5, 4, 2, 5}});
    check_both_modes("InstanceNorm1d", nn::InstanceNorm1d(5), {4, 5, 6}, {{7, 5, 3}});
    check_both_modes("InstanceNorm2d", nn::InstanceNorm2d(nn::InstanceNorm2dOptions(5).affine(true)), {4, 5, 6, 7},
                     {{3, 5, 8, 4}});
    check_both_modes("InstanceNorm2d with statistics",
                     nn::InstanceNorm2d(nn::InstanceNorm2dOptions(5).track_running_stats(true)), {4, 5, 6, 7},
                     {{3, 5, 8, 4}});
    check_both_modes("InstanceNorm3d", nn::InstanceNorm3d(5), {2, 5, 3, 4, 6}, {{3, 5, 4, 2, 5}});
    check_both_modes("LayerNorm", nn::LayerNorm(nn::LayerNormOptions({6, 7})), {4, 5, 6, 7}, {{3, 2, 6, 7}});
    check_both_modes("GroupNorm", nn::GroupNorm(nn::GroupNormOptions(2, 6)), {4, 6, 5, 7}, {{3, 6, 8, 2}});
    check_both_modes("LocalResponseNorm", nn::LocalResponseNorm(3), {4, 6, 5, 7}, {{3, 5, 8, 2}});
    check_both_modes("CrossMapLRN2d", nn::CrossMapLRN2d(3), {4, 6, 5, 7}, {{3, 6, 8, 2}});
    check_sizes("rms_norm", [w = torch::randn({7})](Tensor x) { return at::rms_norm(x, {7}, w, 1e-6); }, {4, 5, 7},
                {{2, 9, 7}});
    check_sizes("normalize",
                [](Tensor x) { return nn::functional::normalize(x, nn::functional::NormalizeFuncOptions().dim(-1)); },
                {4, 5}, {{2, 9}});
}

TEST_CASE("batch norm called twice updates its statistics twice") {
    torch::manual_seed(2);
    nn::BatchNorm1d norm(5);
    struct Twice : nn::Module {
        nn::BatchNorm1d norm;
        explicit Twice(nn::BatchNorm1d n) : norm(register_module("norm", n)) {}
        Tensor forward(Tensor x) { return norm(norm(x) + x); }
    } model(norm);
    const auto program = check_sizes("twice", model, {4, 5}, {{7, 5}});
    std::size_t mutated = 0;
    for (const auto& output : program.signature.outputs)
        mutated += output.kind == ferry::OutputKind::buffer_mutation ? 1 : 0;
    CHECK(mutated == 3);
}

TEST_CASE("dropouts in eval are nothing") {
    nn::Dropout dropout(0.5);
    nn::Dropout2d dropout2(0.5);
    nn::Dropout3d dropout3(0.5);
    nn::AlphaDropout alpha(0.5);
    nn::FeatureAlphaDropout feature(0.5);
    for (nn::Module* each :
         std::initializer_list<nn::Module*>{dropout.get(), dropout2.get(), dropout3.get(), alpha.get(), feature.get()})
        each->eval();
    check_sizes("Dropout", dropout, {4, 5}, {{7, 6}});
    check_sizes("Dropout2d", dropout2, {4, 5, 6, 7}, {{7, 6, 3, 4}});
    check_sizes("Dropout3d", dropout3, {2, 3, 4, 5, 6}, {{3, 4, 2, 5, 4}});
    check_sizes("AlphaDropout", alpha, {4, 5}, {{7, 6}});
    check_sizes("FeatureAlphaDropout", feature, {4, 5}, {{7, 6}});
}

TEST_CASE("activations") {
    torch::manual_seed(3);
    const std::initializer_list<Sizes> others{{7, 4, 5}, {2, 10, 3}};
    const Sizes sample{3, 4, 6};
    check_sizes("ELU", nn::ELU(nn::ELUOptions().alpha(0.7)), sample, others);
    check_sizes("ELU in place", nn::ELU(nn::ELUOptions().inplace(true)), sample, others);
    check_sizes("SELU", nn::SELU(), sample, others);
    check_sizes("SELU in place", nn::SELU(true), sample, others);
    check_sizes("Hardshrink", nn::Hardshrink(0.3), sample, others);
    check_sizes("Hardtanh", nn::Hardtanh(nn::HardtanhOptions().min_val(-0.5).max_val(0.4)), sample, others);
    check_sizes("Hardtanh in place", nn::Hardtanh(nn::HardtanhOptions().inplace(true)), sample, others);
    check_sizes("LeakyReLU", nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)), sample, others);
    check_sizes("LeakyReLU in place", nn::LeakyReLU(nn::LeakyReLUOptions().inplace(true)), sample, others);
    check_sizes("LogSigmoid", nn::LogSigmoid(), sample, others);
    check_sizes("Softmax", nn::Softmax(1), sample, others);
    check_sizes("Softmin", nn::Softmin(-1), sample, others);
    check_sizes("LogSoftmax", nn::LogSoftmax(-1), sample, others);
    check_sizes("Softmax2d", nn::Softmax2d(), {2, 3, 4, 5}, {{3, 4, 5, 2}});
    check_sizes("PReLU", nn::PReLU(), sample, others);
    check_sizes("PReLU by channel", nn::PReLU(nn::PReLUOptions().num_parameters(4)), sample, {{7, 4, 5}});
    check_sizes("ReLU", nn::ReLU(), sample, others);
    check_sizes("ReLU in place", nn::ReLU(true), sample, others);
    check_sizes("ReLU6", nn::ReLU6(), sample, others);
    check_sizes("ReLU6 in place", nn::ReLU6(true), sample, others);
    check_sizes(
        "RReLU",
        [layer =
             [] {
                 nn::RReLU made;
                 made->eval();
                 return made;
             }()](Tensor x) mutable { return layer(x); },
        sample, others);
    check_sizes("CELU", nn::CELU(nn::CELUOptions().alpha(0.7)), sample, others);
    check_sizes("GLU", nn::GLU(2), sample, {{7, 4, 8}, {2, 10, 4}});
    check_sizes("GELU", nn::GELU(), sample, others);
    check_sizes("GELU tanh", nn::GELU(nn::GELUOptions().approximate("tanh")), sample, others);
    check_sizes("SiLU", nn::SiLU(), sample, others);
    check_sizes("Mish", nn::Mish(), sample, others);
    check_sizes("Sigmoid", nn::Sigmoid(), sample, others);
    check_sizes("Softplus", nn::Softplus(nn::SoftplusOptions().beta(0.7)), sample, others);
    check_sizes("Softshrink", nn::Softshrink(0.3), sample, others);
    check_sizes("Softsign", nn::Softsign(), sample, others);
    check_sizes("Tanh", nn::Tanh(), sample, others);
    check_sizes("Tanhshrink", nn::Tanhshrink(), sample, others);
    check_sizes("Threshold", nn::Threshold(0.1, 20), sample, others);
    check_sizes("Hardswish", [](Tensor x) { return at::hardswish(x) + at::hardsigmoid(x); }, sample, others);
    check_sizes(
        "gumbel_softmax",
        [](Tensor x) {
            return nn::functional::gumbel_softmax(x, nn::functional::GumbelSoftmaxFuncOptions().dim(-1)).sum(-1);
        },
        sample, others);
}
