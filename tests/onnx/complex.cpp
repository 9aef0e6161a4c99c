// Complex numbers and Fourier transforms: pairs of real numbers in ONNX Runtime, against libtorch.
#include <ferry/verify/run_onnx.hpp>

#include "../complex_functions.hpp"
#include "support.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/randn.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

TEST_CASE("complex numbers") {
    for (const ferry_test::ComplexFunction& each : ferry_test::complex_functions()) {
        CAPTURE(each.name);
        std::vector<std::vector<at::Tensor>> inputs;
        for (const std::int64_t size : each.sizes) inputs.push_back({at::randn({size, each.columns})});
        const auto program = ferry_test::capture(each.function, inputs[0], {{"tensors.0", {{0, ferry::Dim("n")}}}});
        for (const std::int64_t opset : {18, 20, 23}) {
            CAPTURE(opset);
            const auto model = ferry_test::to_onnx(program, {.opset_version = opset});
            for (const auto& given : inputs) {
                const auto expected = each.function(given);
                const ferry::Tree found = model(ferry::inputs("tensors", given));
                REQUIRE(found.leaves.size() == expected.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    REQUIRE(found.leaves[i].tensor().sizes() == expected[i].sizes());
                    CHECK(at::allclose(found.leaves[i].tensor(), expected[i], 1e-4, 1e-4));
                }
            }
        }
    }
}
