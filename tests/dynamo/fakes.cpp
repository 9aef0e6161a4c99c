// Fake tensors: what a capture says of an op's result is what eager gives, and nothing is computed to find it out.
#include "support.hpp"

#include <ferry/graph/c10_types.hpp>

#include <ATen/ATen.h>
#include <torch/types.h>

#include <functional>
#include <tuple>

using namespace ferry_test;
using at::Tensor;
using ferry::inputs;

namespace {

using Function = std::function<Tensor(Tensor)>;

ferry::ExportedProgram captured(const Function& function, const Tensor& x) {
    const AnyModel model{[&](const ferry::Inputs& given) {
                             return ferry::Tree(ferry::Leaf(function(given.begin()->second.leaves.at(0).tensor())));
                         },
                         {}};
    return export_any(model, inputs("x", x), {});
}

const ferry::TensorMeta& result(const ferry::ExportedProgram& program) {
    return program.graph.info(*program.graph.outputs().back().get_if<ferry::Value>()).tensor;
}

Sizes numbers(const std::vector<ferry::SymExpr>& constants) {
    Sizes made;
    for (const ferry::SymExpr& each : constants) made.push_back(each.value());
    return made;
}

/// Sizes, dtype and strides against eager; then with 2^40 elements in the first dimension, where nobody can compute.
void check_fake(const char* name, const Function& function, const Sizes& sizes, bool can_be_huge = true) {
    INFO("op: ", std::string(name));
    at::manual_seed(1);
    const Tensor x = at::rand(sizes);
    const Tensor expected = function(x.clone());
    try {
        const auto program = captured(function, x);
        const ferry::TensorMeta& found = result(program);
        CHECK(found.dtype == ferry::to_dtype(expected.scalar_type()));
        CHECK(numbers(found.sizes) == expected.sizes().vec());
        CHECK(numbers(found.strides) == expected.strides().vec());
        if (!can_be_huge) return;
        Sizes huge = sizes;
        huge[0] = std::int64_t{1} << 40;
        static_cast<void>(captured(function, at::empty(huge, at::kMeta)));
    } catch (const std::exception& error) {
        FAIL_CHECK("the capture failed: ", std::string(error.what()));
    }
}

Tensor like(const Tensor& x, at::IntArrayRef sizes, float value = 0) { return at::full(sizes, value, x.options()); }

}  // namespace

TEST_CASE("element by element") {
    check_fake("relu", [](Tensor x) { return at::relu(x); }, {4, 3});
    check_fake("relu of a transposed", [](Tensor x) { return at::relu(x.t()); }, {4, 3});
    check_fake("relu6", [](Tensor x) { return at::relu6(x); }, {4, 3});
    check_fake("hardtanh", [](Tensor x) { return at::hardtanh(x.t()); }, {4, 3});
    check_fake("hardswish", [](Tensor x) { return at::hardswish(x); }, {4, 3});
    check_fake("logit", [](Tensor x) { return at::logit(x); }, {4, 3});
    check_fake("log_sigmoid", [](Tensor x) { return at::log_sigmoid(x); }, {4, 3});
    check_fake("prelu", [](Tensor x) { return at::prelu(x, like(x, {3})); }, {4, 3, 2});
    check_fake("nan_to_num", [](Tensor x) { return at::nan_to_num(x); }, {4, 3});
    check_fake("isnan", [](Tensor x) { return at::isnan(x.t()); }, {4, 3});
    check_fake("isfinite", [](Tensor x) { return at::isfinite(x); }, {4, 3});
    check_fake("abs of complex numbers", [](Tensor x) { return at::abs(at::complex(x, x).t()); }, {4, 3});
    check_fake("polar, angle", [](Tensor x) { return at::angle(at::polar(x, x)); }, {4, 3});
    check_fake("floor_divide", [](Tensor x) { return at::floor_divide((x > 0).to(at::kLong), 3); }, {4, 3});
    check_fake("where", [](Tensor x) { return at::where(x[0] > 0, x.to(at::kDouble), x.sum()); }, {4, 3});
    check_fake("where of a number", [](Tensor x) { return at::where(x.t() > 0, x.t(), 1.5); }, {4, 3});
    check_fake("where of an integer", [](Tensor x) { return at::where(x > 0, (x > 0).to(at::kInt), 2.5); }, {4, 3});
}

TEST_CASE("norms and reductions") {
    check_fake("layer_norm", [](Tensor x) { return at::layer_norm(x, {3}, like(x, {3}), like(x, {3})); }, {4, 2, 3});
    check_fake("group_norm", [](Tensor x) { return at::group_norm(x, 2); }, {2, 4, 3});
    check_fake(
        "batch_norm",
        [](Tensor x) { return at::batch_norm(x, {}, {}, like(x, {3}), like(x, {3}, 1), false, 0.1, 1e-5, false); },
        {2, 3, 4, 5});
    check_fake("batch_norm of the batch",
               [](Tensor x) { return at::batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false); }, {4, 3, 2});
    check_fake("instance_norm", [](Tensor x) { return at::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false); },
               {4, 3, 2});
    check_fake("var", [](Tensor x) { return at::var(x, at::IntArrayRef{0, 1}, true, true); }, {4, 3, 2});
    check_fake("std", [](Tensor x) { return at::std(x); }, {4, 3, 2});
    check_fake("var_mean", [](Tensor x) { return std::get<1>(at::var_mean(x, 1)); }, {4, 3, 2});
    check_fake("max", [](Tensor x) { return at::max(x) - at::min(x) + at::median(x); }, {4, 3});
    check_fake("median", [](Tensor x) { return std::get<1>(at::median(x, 1, true)); }, {4, 3});
    check_fake("kthvalue", [](Tensor x) { return std::get<0>(at::kthvalue(x, 2, 0)); }, {4, 3});
    check_fake("prod", [](Tensor x) { return at::prod((x > 0).to(at::kInt)); }, {4, 3});
    check_fake("logsumexp", [](Tensor x) { return at::logsumexp(x, at::IntArrayRef{1}); }, {4, 3});
    check_fake("count_nonzero", [](Tensor x) { return at::count_nonzero(x, at::IntArrayRef{0}); }, {4, 3});
    check_fake("nansum", [](Tensor x) { return at::nansum(x, 1, true); }, {4, 3});
}

TEST_CASE("in other places") {
    check_fake("flip", [](Tensor x) { return at::flip(x.t(), {0}); }, {4, 3});
    check_fake("roll", [](Tensor x) { return at::roll(x.t(), {1}, {0}); }, {4, 3});
    check_fake("adaptive_avg_pool1d", [](Tensor x) { return at::adaptive_avg_pool1d(x, 2); }, {4, 3, 5});
    check_fake("adaptive_avg_pool2d", [](Tensor x) { return at::adaptive_avg_pool2d(x, {2, 3}); }, {4, 3, 5, 6});
    check_fake("im2col", [](Tensor x) { return at::im2col(x, {2, 3}, {1, 1}, {1, 0}, {2, 1}); }, {4, 3, 5, 6});
    check_fake("col2im", [](Tensor x) { return at::col2im(x, {4, 4}, {2, 2}, {1, 1}, {0, 0}, {1, 1}); }, {4, 12, 9});
    check_fake(
        "grid_sampler", [](Tensor x) { return at::grid_sampler(x, like(x, {2, 5, 6, 2}), 0, 0, false); }, {2, 3, 4, 4},
        /*can_be_huge=*/false);
    check_fake("bucketize", [](Tensor x) { return at::bucketize(x, like(x, {3}), true); }, {4, 3});
    check_fake("searchsorted", [](Tensor x) { return at::searchsorted(like(x, {3}), x); }, {4, 3});
    check_fake("fft", [](Tensor x) { return at::real(at::fft_fftn(x)); }, {4, 3});
    check_fake("rfft", [](Tensor x) { return at::fft_irfft(at::fft_rfft(x)); }, {4, 6});
    check_fake("channel_shuffle", [](Tensor x) { return at::channel_shuffle(x, 2); }, {2, 4, 3, 3});
}
