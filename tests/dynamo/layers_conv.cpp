// Convolutions, pools, resampling, padding, fold: one image or sequence in.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace ferry_test;
namespace nn = torch::nn;
namespace f = torch::nn::functional;
using torch::Tensor;

TEST_CASE("convolutions") {
    torch::manual_seed(1);
    check_sizes("Conv1d", nn::Conv1d(nn::Conv1dOptions(3, 4, 3).stride(2).padding(1)), {2, 3, 11},
                {{3, 3, 17}, {5, 3, 8}});
    check_sizes("Conv1d same", nn::Conv1d(nn::Conv1dOptions(3, 6, 4).padding(torch::kSame).groups(3)), {2, 3, 11},
                {{3, 3, 17}, {1 + 1, 3, 8}});
    check_sizes("Conv1d reflect", nn::Conv1d(nn::Conv1dOptions(3, 4, 3).padding(2).padding_mode(torch::kReflect)),
                {2, 3, 11}, {{3, 3, 17}});
    check_sizes("Conv2d", nn::Conv2d(nn::Conv2dOptions(3, 4, {3, 2}).stride({1, 2}).dilation(2).bias(false)),
                {2, 3, 9, 12}, {{3, 3, 14, 9}, {2, 3, 20, 21}});
    check_sizes("Conv2d circular", nn::Conv2d(nn::Conv2dOptions(3, 4, 3).padding(1).padding_mode(torch::kCircular)),
                {2, 3, 9, 12}, {{3, 3, 14, 9}});
    check_sizes("Conv3d", nn::Conv3d(nn::Conv3dOptions(2, 3, 2).padding(1)), {2, 2, 4, 5, 6}, {{3, 2, 6, 4, 9}});
    check_sizes("ConvTranspose1d", nn::ConvTranspose1d(nn::ConvTranspose1dOptions(3, 4, 3).stride(2).output_padding(1)),
                {2, 3, 11}, {{3, 3, 17}});
    check_sizes("ConvTranspose2d",
                nn::ConvTranspose2d(nn::ConvTranspose2dOptions(4, 4, 3).stride(2).padding(1).groups(2)), {2, 4, 5, 6},
                {{3, 4, 7, 4}});
    check_sizes("ConvTranspose3d", nn::ConvTranspose3d(nn::ConvTranspose3dOptions(2, 3, 2)), {2, 2, 4, 5, 6},
                {{3, 2, 6, 4, 9}});
}

TEST_CASE("pools") {
    torch::manual_seed(2);
    check_sizes("MaxPool1d", nn::MaxPool1d(nn::MaxPool1dOptions(3).stride(2).ceil_mode(true)), {2, 3, 11},
                {{3, 4, 18}});
    check_sizes("MaxPool2d", nn::MaxPool2d(nn::MaxPool2dOptions(2).padding(1)), {2, 3, 9, 12},
                {{3, 5, 14, 9}, {4, 2, 15, 16}});
    check_sizes("MaxPool3d", nn::MaxPool3d(2), {2, 3, 6, 8, 10}, {{3, 2, 7, 9, 4}});
    check_sizes("max_pool2d with indices",
                [](Tensor x) { return f::max_pool2d_with_indices(x, f::MaxPool2dFuncOptions(2)); }, {2, 3, 9, 12},
                {{3, 5, 14, 9}});
    check_sizes("AvgPool1d", nn::AvgPool1d(nn::AvgPool1dOptions(3).stride(2)), {2, 3, 11}, {{3, 4, 18}});
    check_sizes("AvgPool2d", nn::AvgPool2d(nn::AvgPool2dOptions(3).stride(2).padding(1).count_include_pad(false)),
                {2, 3, 9, 12}, {{3, 5, 14, 9}});
    check_sizes("AvgPool3d", nn::AvgPool3d(2), {2, 3, 6, 8, 10}, {{3, 2, 7, 9, 4}});
    check_sizes("LPPool1d", nn::LPPool1d(nn::LPPool1dOptions(2, 3)), {2, 3, 11}, {{3, 4, 18}});
    check_sizes("LPPool2d", nn::LPPool2d(nn::LPPool2dOptions(2, 3).stride(2)), {2, 3, 9, 12}, {{3, 5, 14, 9}});
    check_sizes("AdaptiveAvgPool1d", nn::AdaptiveAvgPool1d(4), {2, 3, 11}, {{3, 4, 18}});
    check_sizes("AdaptiveAvgPool2d", nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({3, 2})), {2, 3, 9, 12},
                {{3, 5, 14, 9}});
    check_sizes("AdaptiveAvgPool3d", nn::AdaptiveAvgPool3d(2), {2, 3, 6, 8, 10}, {{3, 2, 7, 9, 4}});
    check_sizes("AdaptiveMaxPool1d", nn::AdaptiveMaxPool1d(4), {2, 3, 11}, {{3, 4, 18}});
    check_sizes("AdaptiveMaxPool2d", nn::AdaptiveMaxPool2d(3), {2, 3, 9, 12}, {{3, 5, 14, 9}});
    check_sizes("AdaptiveMaxPool3d", nn::AdaptiveMaxPool3d(2), {2, 3, 6, 8, 10}, {{3, 2, 7, 9, 4}});
    check_sizes("FractionalMaxPool2d", nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(2).output_size(3)),
                {2, 3, 9, 12}, {{3, 5, 14, 9}});
    check_sizes("FractionalMaxPool2d ratio",
                nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(2).output_ratio(std::vector<double>{0.5, 0.5})),
                {2, 3, 10, 12}, {});
    check_sizes("FractionalMaxPool3d", nn::FractionalMaxPool3d(nn::FractionalMaxPool3dOptions(2).output_size(3)),
                {2, 3, 9, 12, 8}, {{3, 5, 14, 9, 10}});
}

TEST_CASE("unpools") {
    torch::manual_seed(3);
    check_sizes("MaxUnpool1d",
                [](Tensor x) {
                    auto [y, at] = f::max_pool1d_with_indices(x, f::MaxPool1dFuncOptions(2));
                    return f::max_unpool1d(y, at, f::MaxUnpool1dFuncOptions(2));
                },
                {2, 3, 12}, {{3, 4, 18}});
    check_sizes("MaxUnpool2d",
                [](Tensor x) {
                    auto [y, at] = f::max_pool2d_with_indices(x, f::MaxPool2dFuncOptions(2));
                    return f::max_unpool2d(y, at, f::MaxUnpool2dFuncOptions(2).output_size(x.sizes().vec()));
                },
                {2, 3, 8, 12}, {{3, 4, 9, 7}});
    check_sizes("MaxUnpool3d",
                [](Tensor x) {
                    auto [y, at] = f::max_pool3d_with_indices(x, f::MaxPool3dFuncOptions(2));
                    return f::max_unpool3d(y, at, f::MaxUnpool3dFuncOptions(2));
                },
                {2, 3, 8, 12, 6}, {{3, 4, 10, 6, 4}});
}

TEST_CASE("upsampling in all modes") {
    torch::manual_seed(4);
    using Options = nn::UpsampleOptions;
    const auto scale = [](double by, int dims) {
        return Options().scale_factor(std::vector<double>(static_cast<std::size_t>(dims), by));
    };
    check_sizes("nearest 1d", nn::Upsample(scale(2, 1).mode(torch::kNearest)), {2, 3, 7}, {{3, 4, 10}});
    check_sizes("nearest 2d", nn::Upsample(scale(2, 2).mode(torch::kNearest)), {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("nearest 3d", nn::Upsample(scale(2, 3).mode(torch::kNearest)), {2, 3, 4, 5, 6}, {{3, 4, 5, 6, 7}});
    check_sizes("linear", nn::Upsample(scale(2, 1).mode(torch::kLinear).align_corners(false)), {2, 3, 7}, {{3, 4, 10}});
    check_sizes("bilinear", nn::Upsample(scale(3, 2).mode(torch::kBilinear).align_corners(true)), {2, 3, 7, 6},
                {{3, 4, 10, 5}});
    check_sizes("bicubic", nn::Upsample(scale(2, 2).mode(torch::kBicubic).align_corners(false)), {2, 3, 7, 6},
                {{3, 4, 10, 5}});
    check_sizes("trilinear", nn::Upsample(scale(2, 3).mode(torch::kTrilinear).align_corners(false)), {2, 3, 4, 5, 6},
                {{3, 4, 5, 6, 7}});
    check_sizes("to a size",
                nn::Upsample(Options().size(std::vector<int64_t>{9, 5}).mode(torch::kBilinear).align_corners(false)),
                {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("scale 1.5", nn::Upsample(scale(1.5, 1).mode(torch::kNearest)), {2, 3, 8}, {{3, 4, 11}});
    check_sizes("antialiased", [](Tensor x) { return at::_upsample_bilinear2d_aa(x, {4, 5}, false); }, {2, 3, 7, 6},
                {{3, 4, 10, 5}});
    check_sizes(
        "nearest exact",
        [](Tensor x) {
            return f::interpolate(
                x, f::InterpolateFuncOptions().size(std::vector<int64_t>{x.size(2) * 2, 9}).mode(torch::kNearestExact));
        },
        {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("area",
                [](Tensor x) {
                    return f::interpolate(
                        x, f::InterpolateFuncOptions().size(std::vector<int64_t>{3, 2}).mode(torch::kArea));
                },
                {2, 3, 7, 6}, {{3, 4, 10, 5}});
}

TEST_CASE("grids") {
    torch::manual_seed(5);
    const auto model = [](Tensor x, Tensor theta) {
        const Tensor grid = f::affine_grid(theta, x.sizes(), false);
        return f::grid_sample(
            x, grid,
            f::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kZeros).align_corners(false));
    };
    check_capture(model, ferry::inputs("x", torch::randn({2, 3, 7, 6}), "theta", torch::randn({2, 2, 3})), dynamic(),
                  {ferry::inputs("x", torch::randn({3, 4, 9, 5}), "theta", torch::randn({3, 2, 3}))});
}

TEST_CASE("pixels, padding, fold") {
    torch::manual_seed(6);
    check_sizes("PixelShuffle", nn::PixelShuffle(2), {2, 8, 3, 4}, {{3, 8, 5, 7}});
    check_sizes("PixelUnshuffle", nn::PixelUnshuffle(2), {2, 3, 6, 8}, {{3, 4, 10, 4}});
    check_sizes("channel_shuffle", [](Tensor x) { return at::channel_shuffle(x, 2); }, {2, 8, 3, 4}, {{3, 8, 5, 7}});
    check_sizes("ReflectionPad1d", nn::ReflectionPad1d(2), {2, 3, 7}, {{3, 4, 10}});
    check_sizes("ReflectionPad2d", nn::ReflectionPad2d(nn::ReflectionPad2dOptions({1, 2, 0, 1})), {2, 3, 7, 6},
                {{3, 4, 10, 5}});
    check_sizes("ReflectionPad3d", nn::ReflectionPad3d(1), {2, 3, 4, 5, 6}, {{3, 4, 5, 6, 7}});
    check_sizes("ReplicationPad1d", nn::ReplicationPad1d(2), {2, 3, 7}, {{3, 4, 10}});
    check_sizes("ReplicationPad2d", nn::ReplicationPad2d(2), {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("ReplicationPad3d", nn::ReplicationPad3d(1), {2, 3, 4, 5, 6}, {{3, 4, 5, 6, 7}});
    check_sizes("ZeroPad1d", nn::ZeroPad1d(2), {2, 3, 7}, {{3, 4, 10}});
    check_sizes("ZeroPad2d", nn::ZeroPad2d(nn::ZeroPad2dOptions({1, -1, 2, 0})), {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("ZeroPad3d", nn::ZeroPad3d(1), {2, 3, 4, 5, 6}, {{3, 4, 5, 6, 7}});
    check_sizes("ConstantPad1d", nn::ConstantPad1d(2, 1.5), {2, 3, 7}, {{3, 4, 10}});
    check_sizes("ConstantPad2d", nn::ConstantPad2d(2, 1.5), {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("ConstantPad3d", nn::ConstantPad3d(1, -1), {2, 3, 4, 5, 6}, {{3, 4, 5, 6, 7}});
    check_sizes("pad to a multiple",
                [](Tensor x) { return f::pad(x, f::PadFuncOptions({0, (8 - x.size(-1) % 8) % 8})); }, {2, 3, 7},
                {{3, 4, 10}, {2, 2, 16}});
    check_sizes("Unfold", nn::Unfold(nn::UnfoldOptions({2, 3}).padding(1)), {2, 3, 7, 6}, {{3, 4, 10, 5}});
    check_sizes("Fold", [](Tensor x) { return f::fold(x, f::FoldFuncOptions({5, 6}, {2, 2}).stride({1, 2})); },
                {2, 12, 12}, {{3, 8, 12}});
}
