// Numbers drawn by chance, in ONNX Runtime. How they are distributed is in op_cases/random.txt.
#include "support.hpp"

#include <ferry/tree/inputs.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <ATen/ops/equal.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/zeros.h>
#include <doctest/doctest.h>

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
