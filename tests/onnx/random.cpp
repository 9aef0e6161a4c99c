// Numbers drawn by chance, in ONNX Runtime. Their means and deviations are in op_cases/random.txt.
#include "support.hpp"

#include <ferry/tree/inputs.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <ATen/ops/binomial.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/poisson.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/zeros.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

TEST_CASE("what is drawn twice differs, in one run and from run to run") {
    const std::vector<at::Tensor> sample{at::zeros({20})};
    const auto twice = [](const std::vector<at::Tensor>& tensors) {
        return std::vector<at::Tensor>{at::rand_like(tensors[0]), at::rand_like(tensors[0])};
    };
    const auto program = ferry_test::capture(twice, sample);
    for (const std::int64_t opset : {18, 23}) {
        CAPTURE(opset);
        const auto model = ferry_test::to_onnx(program, {.opset_version = opset});
        const ferry::Tree first = model(ferry::inputs("tensors", sample));
        const ferry::Tree second = model(ferry::inputs("tensors", sample));
        CHECK_FALSE(at::equal(first.leaves[0].tensor(), first.leaves[1].tensor()));
        CHECK_FALSE(at::equal(first.leaves[0].tensor(), second.leaves[0].tensor()));
    }
}

TEST_CASE("events are as frequent as they should be") {
    constexpr std::int64_t draws = 40'000;
    const std::vector<at::Tensor> sample{at::full({draws}, 2.0), at::full({draws}, 6.0), at::full({draws}, 0.7)};
    const auto events = [](const std::vector<at::Tensor>& tensors) {
        return std::vector<at::Tensor>{at::poisson(tensors[0]), at::binomial(tensors[1], tensors[2])};
    };
    const auto program = ferry_test::capture(events, sample);
    for (const std::int64_t opset : {18, 23}) {
        CAPTURE(opset);
        const ferry::Tree found =
            ferry_test::to_onnx(program, {.opset_version = opset})(ferry::inputs("tensors", sample));
        double poisson = std::exp(-2), binomial = std::pow(0.3, 6);
        for (int times = 0; times <= 6; ++times) {
            CAPTURE(times);
            const auto share = [&](std::size_t output) {
                return found.leaves[output].tensor().eq(times).to(at::kDouble).mean().item<double>();
            };
            CHECK(std::abs(share(0) - poisson) < 0.015);  // six standard errors
            CHECK(std::abs(share(1) - binomial) < 0.015);
            poisson *= 2.0 / (times + 1);
            binomial *= (6.0 - times) / (times + 1) * 0.7 / 0.3;
        }
    }
}
