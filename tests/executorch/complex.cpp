// Complex numbers and Fourier transforms in ExecuTorch's runtime, against eager libtorch.
#include "../complex_functions.hpp"
#include "support.hpp"

#include <ferry/executorch/config.hpp>

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using at::Tensor;
using ferry_test::TensorFunction;

namespace {

void check(const TensorFunction& function, const std::vector<std::vector<Tensor>>& inputs) {
    const auto program =
        ferry_test::capture_for_executorch(function, inputs[0], {{"tensors.0", {{0, ferry::Dim("n", 1, 16)}}}});
    for (const char* backend : {"portable", "xnnpack"}) {
        CAPTURE(backend);
        std::vector<ferry_test::RuntimeRun> runs;
        for (const auto& given : inputs) runs.push_back({.inputs = given});
        ferry_test::run_in_executorch({ferry_test::to_executorch(program, {.backend = backend})}, runs);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            CAPTURE(i);
            CHECK(runs[i].error == "");
            const std::vector<Tensor> expected = function(inputs[i]);
            REQUIRE(runs[i].outputs.size() == expected.size());
            for (std::size_t k = 0; k < expected.size(); ++k) {
                CAPTURE(k);
                REQUIRE(runs[i].outputs[k].sizes() == expected[k].sizes());
                CHECK(at::allclose(runs[i].outputs[k], expected[k].resolve_conj(), 1e-4, 1e-4));
            }
        }
    }
}

}  // namespace

TEST_CASE("complex numbers as pairs of real ones") {
    for (const ferry_test::ComplexFunction& each : ferry_test::complex_functions()) {
        CAPTURE(each.name);
        std::vector<std::vector<Tensor>> inputs;
        for (const std::int64_t size : each.sizes) inputs.push_back({at::randn({size, each.columns})});
        check(each.function, inputs);
    }
}

TEST_CASE("complex numbers that come in, that are kept, and that go out") {
    const Tensor kept = at::polar(at::ones({4}), at::arange(4, at::kFloat));
    const auto function = [kept](const std::vector<Tensor>& in) {
        const Tensor turned = in[0] * kept;
        return std::vector<Tensor>{turned, at::view_as_real(turned).sum(0), turned.pow(2) + 1.0};
    };
    const auto make = [](std::int64_t n) { return std::vector<Tensor>{at::randn({n, 4}, at::kComplexFloat)}; };
    check(function, {make(3), make(7)});
}
