// What is read of .pte files, also of those that are damaged.
#include <ferry/executorch/summary.hpp>

#include <ferry/core/error.hpp>

#include "support.hpp"

#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/topk.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace ferry_test;
using ferry::executorch::summarize;

namespace {

/// With weights, a delegate, and a kernel behind it.
ferry::ExecutorchProgram small_program() {
    const at::Tensor weight = at::ones({8, 4});
    const auto function = [&](const std::vector<at::Tensor>& x) -> std::vector<at::Tensor> {
        return {std::get<1>(at::topk(at::relu(at::linear(at::relu(at::linear(x[0], weight)), weight.t())), 2))};
    };
    return to_executorch(
        capture_for_executorch(function, {at::ones({3, 4})}, {{"tensors.0", {{0, ferry::Dim("n", 1, 9)}}}}));
}

std::span<const std::byte> bytes_of(const std::string& file) { return std::as_bytes(std::span(file)); }

}  // namespace

TEST_CASE("a file says what its methods take, give and call") {
    const ferry::ExecutorchProgram program = small_program();
    const std::string file = program.buffer();
    const ferry::executorch::FileSummary summary = summarize(bytes_of(file));
    CHECK((summary.methods == program.inspect()));
    REQUIRE(summary.methods.size() == 1);
    const ferry::executorch::MethodSummary& method = summary.methods[0];
    CHECK(method.name == "forward");
    using Slots = std::vector<ferry::executorch::MethodSlot>;
    CHECK((method.inputs ==
           Slots{{.type = "Tensor", .dtype = ferry::DType::float32, .sizes = {9, 4}, .is_dynamic = true}}));
    CHECK((method.outputs ==
           Slots{{.type = "Tensor", .dtype = ferry::DType::int64, .sizes = {9, 2}, .is_dynamic = true}}));
    CHECK((method.kernels == std::map<std::string, std::size_t>{{"aten::topk.values", 1}}));
    CHECK((method.backends == std::map<std::string, std::size_t>{{"XnnpackBackend", 1}}));
    CHECK(method.delegated_nodes >= 4);
    CHECK(summary.data_bytes >= 8 * 4 * sizeof(float));
}

TEST_CASE("a file tells the constants that its methods give") {
    using Constants = std::vector<ferry::executorch::ConstantValue>;
    const ferry::ExecutorchProgram program = ferry::ExecutorchProgram::combine(
        {{"forward", small_program()}},
        {{"length", 128}, {"name", "it"}, {"flag", true}, {"mean", Constants{0.5, std::int64_t{2}, std::string("x")}}});
    std::map<std::string, std::vector<ferry::tree::Context>> told;
    for (const auto& method : program.inspect())
        if (method.is_constant())
            for (const auto& each : method.outputs) told[method.name].push_back(each.value);
    CHECK((told == std::map<std::string, std::vector<ferry::tree::Context>>{
                       {"length", {128}}, {"name", {"it"}}, {"flag", {true}}, {"mean", {0.5, 2, "x"}}}));
}

TEST_CASE("files that are cut off or damaged are errors, or read without harm") {
    const std::string good = small_program().buffer();
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{39}, good.size() / 2, good.size() - 64})
        CHECK_THROWS_AS(static_cast<void>(summarize(bytes_of(good.substr(0, size)))), ferry::Error);
    std::mt19937 chance(1);
    const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(chance); };
    std::size_t refused = 0;
    constexpr std::size_t count = 2000;
    for (std::size_t i = 0; i < count; ++i) {
        std::string bad = good;
        for (std::size_t change = below(8) + 1; change-- > 0;) {
            const std::size_t at = below(std::min<std::size_t>(bad.size(), 4096));
            if (i % 2 == 0)
                bad[at] = static_cast<char>(below(256));
            else
                std::fill_n(bad.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(4, bad.size() - at),
                            i % 3 == 0 ? '\xff' : '\0');
        }
        try {
            static_cast<void>(summarize(bytes_of(bad)));
        } catch (const ferry::Error& error) {
            CHECK(error.kind() == ferry::ErrorKind::bad_file);
            ++refused;
        }
    }
    CHECK(refused > count / 4);
}
