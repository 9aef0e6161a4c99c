// Fake tensors: what a capture says of an op's result is what eager gives, and nothing is computed to find it out.
#include "support.hpp"

#include <ferry/core/log.hpp>
#include <ferry/graph/c10_types.hpp>

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <torch/library.h>
#include <torch/types.h>

#include <functional>
#include <string>
#include <tuple>

using namespace ferry_test;
using at::Tensor;
using ferry::inputs;

namespace {

using Function = std::function<Tensor(Tensor)>;

AnyModel model_of(const Function& function) {
    return {[&](const ferry::Inputs& given) {
                return ferry::Tree(ferry::Leaf(function(given.begin()->second.leaves.at(0).tensor())));
            },
            {}};
}

ferry::ExportedProgram captured(const Function& function, const Tensor& x) {
    return export_any(model_of(function), inputs("x", x), {});
}

/// What the log says of ops that a capture has run for real.
std::string real_runs;

struct Listening {
    ferry::LogSink before = ferry::set_log_sink([](ferry::LogLevel, std::string_view message) {
        if (message.find("on real kernels") != std::string_view::npos) real_runs += message;
    });
    Listening() { real_runs.clear(); }
    ~Listening() { ferry::set_log_sink(before); }
};

const ferry::TensorMeta& result(const ferry::ExportedProgram& program) {
    return program.graph.info(*program.graph.outputs().back().get_if<ferry::Value>()).tensor;
}

Sizes numbers(const std::vector<ferry::SymExpr>& constants) {
    Sizes made;
    for (const ferry::SymExpr& each : constants) made.push_back(each.value());
    return made;
}

/// Sizes, dtype and strides against eager; then a dynamic program at another size, and 2^40 elements in the first dimension, where
/// nobody can compute.
void check_fake(const char* name, const Function& function, const Sizes& sizes, bool can_be_huge = true) {
    INFO("op: ", std::string(name));
    const Listening listening;
    at::manual_seed(1);
    const Tensor x = at::rand(sizes);
    const Tensor expected = function(x.clone());
    try {
        const auto program = captured(function, x);
        const ferry::TensorMeta& found = result(program);
        CHECK(found.dtype == ferry::to_dtype(expected.scalar_type()));
        CHECK(numbers(found.sizes) == expected.sizes().vec());
        CHECK(numbers(found.strides) == expected.strides().vec());
        CHECK(real_runs == "");
        if (!can_be_huge) return;
        Sizes other = sizes;
        other[0] += 2;
        const AnyModel model = model_of(function);
        check_same(model, export_any(model, inputs("x", x), {.dynamic_shapes = {{"x", {{0, ferry::Dim{"n"}}}}}}),
                   inputs("x", at::rand(other)));
        CHECK(real_runs == "");
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
    check_fake("logical_not", [](Tensor x) { return at::logical_not(x.t()); }, {4, 3});
    check_fake("logical_and", [](Tensor x) { return at::logical_and(x.t(), at::logical_xor(x[0], x[1]).unsqueeze(1)); },
               {4, 3});
    check_fake("shifts", [](Tensor x) { return at::__lshift__(x.to(at::kInt), at::__rshift__(x.to(at::kLong), 1)); },
               {4, 3});
    check_fake("rsub", [](Tensor x) { return at::rsub(x, x.to(at::kDouble).sum(0), 2); }, {4, 3});
    check_fake("remainder of a number", [](Tensor x) { return at::remainder(at::Scalar(7), x.to(at::kLong) + 2); },
               {4, 3});
    check_fake("frexp", [](Tensor x) { return std::get<1>(at::frexp(x.t())); }, {4, 3});
    check_fake("_conj_physical", [](Tensor x) { return at::conj_physical(at::complex(x, x).t()); }, {4, 3});
    check_fake("dropout with a mask", [](Tensor x) { return std::get<1>(at::native_dropout(x.t(), 0.5, true)); },
               {4, 3});
    check_fake("rrelu", [](Tensor x) { return at::rrelu(x.t(), 0.1, 0.3, true); }, {4, 3});
    check_fake("poisson", [](Tensor x) { return at::poisson(x.t()); }, {4, 3});
    check_fake("fake quantization", [](Tensor x) { return at::fake_quantize_per_tensor_affine(x.t(), 0.1, 0, 0, 255); },
               {4, 3});
    check_fake("fake quantization by channel",
               [](Tensor x) {
                   return at::fake_quantize_per_channel_affine(x, like(x, {3}, 0.1F), at::zeros({3}, at::kInt), 1, 0,
                                                               255);
               },
               {4, 3});
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
    check_fake("norm of a batch, as libtorch calls it",
               [](Tensor x) {
                   return std::get<0>(
                       at::_batch_norm_impl_index(x, {}, {}, like(x, {3}), like(x, {3}, 1), false, 0.1, 1e-5, false));
               },
               {4, 3, 2});
    check_fake("trace", [](Tensor x) { return at::trace((x > 0).to(at::kInt)); }, {4, 3});
    check_fake("histc", [](Tensor x) { return at::histc(x, 7, 0, 1); }, {4, 3});
    check_fake("cummax", [](Tensor x) { return std::get<1>(at::cummax(x.t(), 0)); }, {4, 3});
    check_fake("cummin", [](Tensor x) { return std::get<0>(at::cummin(x, 1)); }, {4, 3});
    check_fake("logcumsumexp", [](Tensor x) { return at::logcumsumexp(x.t(), 1); }, {4, 3});
    check_fake("huber_loss", [](Tensor x) { return at::huber_loss(x, x * 2, at::Reduction::None); }, {4, 3});
    check_fake("binary_cross_entropy", [](Tensor x) { return at::binary_cross_entropy(x, x); }, {4, 3});
    check_fake("nll_loss2d",
               [](Tensor x) { return at::nll_loss2d(x, (x.select(1, 0) * 3).to(at::kLong), {}, at::Reduction::None); },
               {2, 3, 4, 5});
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

TEST_CASE("windows and borders") {
    const auto channels_last = [](const Tensor& x) {
        return x.contiguous(x.dim() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast);
    };
    check_fake("_convolution",
               [](Tensor x) {
                   return at::_convolution(x, like(x, {4, 3, 3, 2}, 1), like(x, {4}), {2, 1}, {1, 0}, {1, 2}, false,
                                           {0, 0}, 1, false, false, true, true);
               },
               {2, 3, 5, 6});
    check_fake("_convolution of channels last",
               [=](Tensor x) {
                   return at::_convolution(channels_last(x), channels_last(like(x, {6, 1, 3, 3}, 1)), {}, {1, 1},
                                           {1, 1}, {1, 1}, false, {0, 0}, 3, false, false, true, true);
               },
               {2, 3, 5, 6});
    check_fake("_convolution, transposed",
               [](Tensor x) {
                   return at::_convolution(x, like(x, {3, 4, 3}, 1), {}, {2}, {1}, {1}, true, {1}, 1, false, false,
                                           true, true);
               },
               {2, 3, 5});
    check_fake("_convolution, of old files",
               [](Tensor x) {
                   return at::_convolution(x, like(x, {4, 3, 1, 1, 1}, 1), {}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, false,
                                           {0, 0, 0}, 1, false, false, true);
               },
               {2, 3, 5, 6, 7});
    check_fake("max_pool3d", [](Tensor x) { return at::max_pool3d(x, 2); }, {2, 3, 4, 5, 6});
    check_fake(
        "max_pool3d of channels last",
        [=](Tensor x) {
            return std::get<1>(at::max_pool3d_with_indices(channels_last(x), {3, 2, 2}, {2, 2, 3}, 1, {1, 1, 2}, true));
        },
        {2, 3, 4, 5, 6});
    check_fake("max_pool2d", [](Tensor x) { return at::max_pool2d(x, 3, 2, 1, 1, true); }, {2, 3, 5, 6});
    check_fake("adaptive_max_pool2d", [](Tensor x) { return std::get<1>(at::adaptive_max_pool2d(x, {2, 3})); },
               {2, 3, 5, 6});
    check_fake("reflection_pad2d", [](Tensor x) { return at::reflection_pad2d(x, {1, 2, 0, 3}); }, {2, 3, 5, 6});
    check_fake("reflection_pad2d of channels last",
               [=](Tensor x) { return at::reflection_pad2d(channels_last(x), {1, 2, 0, -1}); }, {2, 3, 5, 6});
    check_fake("upsample_bicubic2d", [](Tensor x) { return at::upsample_bicubic2d(x, {7, 8}, false); }, {2, 3, 5, 6});
}

TEST_CASE("between rows and in tables") {
    check_fake("cdist", [](Tensor x) { return at::cdist(x, like(x, {2, 1, 5, 3}), 1); }, {4, 6, 3});
    check_fake("pdist", [](Tensor x) { return at::pdist(x, 1); }, {4, 3}, /*can_be_huge=*/false);
    check_fake("dot", [](Tensor x) { return at::dot(x, x) + at::vdot(x, x); }, {4});
    check_fake("addbmm",
               [](Tensor x) { return at::addbmm(like(x, {5}), x, like(x, {1, 3, 5}, 1).expand({x.size(0), 3, 5})); },
               {4, 2, 3});
    check_fake("take", [](Tensor x) { return at::take(like(x, {9}, 2), x.t().to(at::kLong)); }, {4, 3});
    for (const std::int64_t mode : {0, 1, 2})
        for (const std::int64_t padding : {-1, 2})
            check_fake("embedding_bag",
                       [=](Tensor x) {
                           const Tensor bags = at::arange(3) * 2;
                           const auto all = at::embedding_bag(like(x, {9, 5}, 2), x.to(at::kLong), bags, false, mode,
                                                              false, {}, false, padding);
                           return std::get<0>(all) + std::get<1>(all).sum() + std::get<2>(all).unsqueeze(1);
                       },
                       {6});
    check_fake("bucketize of a number",
               [](Tensor x) { return at::bucketize(2, x, true) + at::searchsorted(x, 1, false, true); }, {4});
    check_fake("nonzero_static", [](Tensor x) { return at::nonzero_static(x, 5, -1); }, {4, 3});
}

TEST_CASE("attention") {
    const auto weight = [](const Tensor& x, at::IntArrayRef sizes) { return like(x, sizes, 0.1F); };
    check_fake(
        "_native_multi_head_attention",
        [=](Tensor x) {
            return std::get<0>(at::_native_multi_head_attention(x, x, x, 8, 2, weight(x, {24, 8}), weight(x, {24}),
                                                                weight(x, {8, 8}), weight(x, {8}), {}, false));
        },
        {2, 5, 8});
    for (const bool average : {true, false})
        check_fake("weights of _native_multi_head_attention",
                   [=](Tensor x) {
                       return std::get<1>(at::_native_multi_head_attention(x, x, x, 8, 2, weight(x, {24, 8}),
                                                                           weight(x, {24}), weight(x, {8, 8}),
                                                                           weight(x, {8}), {}, true, average));
                   },
                   {2, 5, 8});
    check_fake("_transformer_encoder_layer_fwd",
               [=](Tensor x) {
                   const Tensor norm = weight(x, {8});
                   return at::_transformer_encoder_layer_fwd(
                       x, 8, 2, weight(x, {24, 8}), weight(x, {24}), weight(x, {8, 8}), norm, true, false, 1e-5, norm,
                       norm, norm, norm, weight(x, {16, 8}), weight(x, {16}), weight(x, {8, 16}), norm);
               },
               {2, 5, 8});
    check_fake("_scaled_dot_product_flash_attention_for_cpu",
               [](Tensor x) { return std::get<0>(at::_scaled_dot_product_flash_attention_for_cpu(x, x, x)); },
               {2, 3, 5, 8});
    check_fake("its sums",
               [](Tensor x) { return std::get<1>(at::_scaled_dot_product_flash_attention_for_cpu(x, x, x)); },
               {2, 3, 5, 8});
    check_fake("_safe_softmax", [](Tensor x) { return at::_safe_softmax(x, -1); }, {4, 3});
}

TEST_CASE("matrices") {
    const auto square = [](const Tensor& x) { return at::matmul(x, x.mT()) + at::eye(x.size(-2)); };
    check_fake(
        "linalg_eig", [=](Tensor x) { return std::get<1>(at::linalg_eig(square(x))); }, {2, 3, 3},
        /*can_be_huge=*/false);
    check_fake(
        "linalg_eigvals", [=](Tensor x) { return at::linalg_eigvals(square(x)); }, {2, 3, 3},
        /*can_be_huge=*/false);
    check_fake("linalg_solve_triangular",
               [=](Tensor x) { return at::linalg_solve_triangular(square(x), x.select(0, 0), false); }, {2, 3, 4});
    check_fake("linalg_solve_triangular from the right",
               [=](Tensor x) { return at::linalg_solve_triangular(square(x), x.mT(), true, false); }, {2, 3, 4});
    check_fake("cholesky_solve", [=](Tensor x) { return at::cholesky_solve(x, at::linalg_cholesky(square(x))); },
               {2, 3, 4});
    check_fake("cholesky", [=](Tensor x) { return at::cholesky(square(x), true); }, {2, 3, 4});
    check_fake("cholesky_inverse", [=](Tensor x) { return at::cholesky_inverse(square(x)); }, {2, 3, 4});
    check_fake("householder_product",
               [](Tensor x) {
                   const auto [factors, scales] = at::geqrf(x);
                   return at::linalg_householder_product(factors, scales);
               },
               {2, 4, 3});
    check_fake("matrix_exp", [=](Tensor x) { return at::linalg_matrix_exp(square(x)); }, {2, 3, 4});
}

TEST_CASE("of numbers alone") {
    for (const std::int64_t offset : {-9, -2, 0, 1, 3, 9})
        check_fake("indices of triangles",
                   [=](Tensor x) {
                       return at::tril_indices(x.size(1), 3, offset, x.options().dtype(at::kLong)).sum() +
                              at::triu_indices(x.size(1), 7, offset, x.options().dtype(at::kLong)).sum() + x;
                   },
                   {4, 5});
    check_fake("randperm", [](Tensor x) { return at::randperm(x.size(0), at::kInt); }, {4, 3});
}

TORCH_LIBRARY(ferry_fakes, library) {
    library.def("without_rule(Tensor self) -> Tensor");
    library.impl("without_rule", c10::DispatchKey::CPU, [](const Tensor& self) { return self.clone(); });
}

TEST_CASE("an op that runs for real is named in the log") {
    const Listening listening;
    const auto op =
        c10::Dispatcher::singleton().findSchemaOrThrow("ferry_fakes::without_rule", "").typed<Tensor(const Tensor&)>();
    const auto program = captured([&](Tensor x) { return op.call(op.call(x)); }, at::rand({4, 3}));
    CHECK(numbers(result(program).sizes) == Sizes{4, 3});
    CHECK(real_runs.find("ferry_fakes::without_rule (") != std::string::npos);
}

TEST_CASE("sizes that an op refuses are no reason to compute") {
    const Listening listening;
    const Function function = [](Tensor x) {
        x = at::prelu(at::batch_norm(x, {}, {}, like(x, {3}), like(x, {3}, 1), false, 0.1, 1e-5, false), like(x, {3}));
        return at::layer_norm(at::adaptive_avg_pool2d(x, {2, 5}), {5}, like(x, {5}), like(x, {5}));
    };
    const AnyModel model = model_of(function);
    const auto program = export_any(model, inputs("x", at::rand({2, 3, 6, 7})), {.dynamic = true});
    check_same(model, program, inputs("x", at::rand({5, 3, 8, 4})));
    CHECK(real_runs == "");
}
