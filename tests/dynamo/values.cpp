// Kinds of numbers and of ops: constants made in forward, dtypes, complex numbers, sorting, random numbers.
#include "support.hpp"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <torch/fft.h>
#include <torch/types.h>

using namespace ferry_test;
using at::Tensor;
using ferry::inputs;

TEST_CASE("constants made in forward") {
    at::manual_seed(1);
    const auto check = [&](const char* name, auto model) { check_sizes(name, model, {4, 6}, {{7, 9}, {5, 12}}); };
    check("arange", [](Tensor x) { return x + at::arange(x.size(1)); });
    check("arange of reals", [](Tensor x) { return at::arange(0.5, 3.0, 0.25) * x.mean(); });
    check("full, ones, zeros, eye", [](Tensor x) {
        return at::full({x.size(0), 1}, 2.5) * at::ones({1, x.size(1)}) + at::zeros_like(x) + at::eye(x.size(0)).sum();
    });
    check("tril, triu", [](Tensor x) {
        return at::ones({x.size(1), x.size(1)}).tril() + at::full({x.size(1), x.size(1)}, -1.0).triu(1);
    });
    check("tril_indices", [](Tensor x) { return at::tril_indices(x.size(1), x.size(1)); });
    check("torch::tensor",
          [](Tensor x) { return x.index_select(1, torch::tensor({0, 2, 1})) * torch::tensor({1.5, 2.5, 3.5}); });
    check("a scalar tensor", [](Tensor x) { return x * torch::tensor(2.0f) + at::scalar_tensor(3) + at::tensor(1); });
    check("where x is", [](Tensor x) {
        return x.narrow(1, 0, 3) * torch::tensor({1.5f, 2.5f, 3.5f}).to(x.device()) +
               torch::tensor({1.f, 2.f, 3.f}, x.options()) + torch::full({}, 2.0, x.device());
    });
    check("from_blob", [](Tensor x) {
        static float data[] = {1, 2, 3};
        return x.narrow(1, 0, 3) * torch::from_blob(data, {3});
    });
    check("empty, then filled", [](Tensor x) { return x + at::empty({6}).fill_(2.0).sum(); });
    check("empty of a dynamic size, then filled", [](Tensor x) {
        return x + at::empty({x.size(0), 1}).fill_(2.0) + at::empty_like(x).zero_() + x.new_empty(x.sizes()).fill_(1);
    });
    check("empty, then written in parts", [](Tensor x) {
        Tensor y = at::empty({x.size(0), 2});
        y.select(1, 0).copy_(x.select(1, 0));
        y.select(1, 1).copy_(x.select(1, 2));
        return y;
    });
    check("constants that are computed", [](Tensor x) { return x * (torch::tensor({1.0, 2.0}) * 3).sum(); });
    check("new_zeros, new_full", [](Tensor x) { return x.new_zeros({x.size(1)}) + x.new_full({x.size(1)}, 2); });
    check("a table",
          [table = at::randn({50, 6})](Tensor x) { return table.narrow(0, 0, x.size(0)).sum(1) + x.sum(1); });
    check("linspace, logspace",
          [](Tensor x) { return at::linspace(0, 1, 5).unsqueeze(1) * x.sum() + at::logspace(0, 1, 5); });
}

TEST_CASE("dtypes") {
    at::manual_seed(2);
    const auto check = [&](at::ScalarType type, auto model) {
        const auto make = [&](int64_t n, int64_t m) { return inputs("x", (at::rand({n, m}) * 20 - 10).to(type)); };
        INFO("dtype: ", std::string(c10::toString(type)));
        check_capture(model, make(4, 6), dynamic(), {make(7, 9)});
    };
    const auto arithmetic = [](Tensor x) {
        return std::make_tuple(x + 1, x * x, x.sum(), x.to(at::kFloat) / 3, x > 2, x.abs().amax(1));
    };
    for (const auto type :
         {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong})
        check(type, arithmetic);
    for (const auto type : {at::kHalf, at::kBFloat16, at::kDouble})
        check(type,
              [](Tensor x) { return std::make_tuple(x.softmax(-1), at::matmul(x, x.t()), x.mean(), x.exp().log()); });
    check(at::kBool, [](Tensor x) {
        return std::make_tuple(x.logical_not(), x.any(1), x.all(), x & x.roll(1, 0), x.sum(), x | true);
    });
    check(at::kLong, [](Tensor x) {
        return std::make_tuple(x / 2, at::floor_divide(x, 3), x % 3, x & 7, x.to(at::kDouble),
                               at::bitwise_xor(x, x * 2));
    });
    check(at::kFloat, [](Tensor x) {
        return std::make_tuple(x.to(at::kHalf), x.to(at::kInt), x.to(at::kBool),
                               x.type_as(at::zeros({1}, at::kDouble)));
    });
}

TEST_CASE("empty and 0-d tensors") {
    check_sizes("0-d", [](Tensor x) { return x * 2 + 1; }, {}, {{}});
    check_sizes("empty", [](Tensor x) { return std::make_tuple(x.sum(), at::cat({x, at::ones({2, 3})}), x.size(0)); },
                {0, 3}, {});
    check_sizes("an empty part", [](Tensor x) { return at::cat({x.narrow(0, 0, 0), x, at::empty({0})}); }, {4}, {{7}});
    check_sizes("sums to 0-d", [](Tensor x) { return x.sum() * x.mean() + x.flatten().select(0, 0); }, {4, 5},
                {{7, 3}});
    check_sizes("ones", [](Tensor x) { return x.expand({3, 4}) + x.squeeze(); }, {1, 1}, {});
}

TEST_CASE("complex numbers and FFT") {
    at::manual_seed(3);
    const auto check = [&](const char* name, auto model) { check_sizes(name, model, {4, 8}, {{7, 10}, {5, 16}}); };
    check("rotary", [](Tensor x) {
        const Tensor z = at::view_as_complex(x.reshape({x.size(0), -1, 2}).contiguous());
        const Tensor angles =
            at::arange(x.size(0), at::kFloat).unsqueeze(1) * at::arange(x.size(1) / 2, at::kFloat).unsqueeze(0);
        return at::view_as_real(z * at::polar(at::ones_like(angles), angles)).flatten(1);
    });
    check("parts", [](Tensor x) {
        const Tensor z = at::complex(x, x * 2);
        return std::make_tuple(z, at::real(z), at::imag(z), z.abs(), z.angle(), z.conj() * 1);
    });
    check("fft", [](Tensor x) {
        return std::make_tuple(torch::fft::fft(x), torch::fft::ifft(torch::fft::fft(x)), torch::fft::fft2(x));
    });
    check("rfft", [](Tensor x) { return torch::fft::irfft(torch::fft::rfft(x) * 2, x.size(1)); });
    check("fftshift", [](Tensor x) { return torch::fft::fftshift(torch::fft::fftn(x)).abs(); });
    check("stft", [](Tensor x) {
        return at::view_as_real(
            at::stft(x, 4, std::nullopt, std::nullopt, at::hann_window(4), false, std::nullopt, true));
    });
}

TEST_CASE("sorting, counting, reducing") {
    at::manual_seed(4);
    const auto check = [&](const char* name, auto model) { check_sizes(name, model, {6, 8}, {{7, 10}, {9, 16}}); };
    check("sort", [](Tensor x) { return std::make_tuple(x.sort(1), x.argsort(0, true)); });
    check("topk", [](Tensor x) { return std::make_tuple(x.topk(3), x.topk(x.size(1) / 2, 1, false)); });
    check("kthvalue, median, mode",
          [](Tensor x) { return std::make_tuple(x.kthvalue(2, 1), x.median(1), x.round().mode(1)); });
    check("max, min, arg", [](Tensor x) {
        return std::make_tuple(x.max(1), x.min(0), x.argmax(1), x.argmin(), x.amax({0, 1}), at::aminmax(x),
                               at::maximum(x, -x));
    });
    check("cumulative", [](Tensor x) {
        return std::make_tuple(x.cumsum(1), x.cumprod(0), at::cummax(x, 1), at::logcumsumexp(x, 1), x.diff(1, 1));
    });
    check("statistics", [](Tensor x) {
        return std::make_tuple(x.var(1), x.std(0, false), at::var_mean(x), x.norm(2, 1), x.logsumexp(1), x.prod(1),
                               at::quantile(x, 0.3, 1));
    });
    check("searchsorted, bucketize", [](Tensor x) {
        const Tensor edges = at::linspace(-1, 1, 5);
        return std::make_tuple(at::bucketize(x, edges), at::searchsorted(edges, x));
    });
    check("histc, bincount of a fixed size", [](Tensor x) { return at::histc(x, 5, -1, 1); });
    check("einsum", [](Tensor x) {
        return std::make_tuple(at::einsum("ij,kj->ik", {x, x}), at::einsum("ij->ji", {x}),
                               at::einsum("ij,ij->", {x, x}), at::einsum("...j,j->...", {x, x[0]}));
    });
    check("products", [](Tensor x) {
        return std::make_tuple(at::mm(x, x.t()), at::mv(x, x[0]), at::dot(x[0], x[1]), at::outer(x[0], x[1]),
                               at::kron(x[0], x[1]), at::tensordot(x, x, {1}, {1}),
                               at::baddbmm(x.unsqueeze(0), x.unsqueeze(0), at::eye(x.size(1)).unsqueeze(0)));
    });
    check("linear algebra", [](Tensor x) {
        const Tensor a = at::matmul(x, x.t()) + 20 * at::eye(x.size(0));
        return std::make_tuple(at::linalg_inv(a), at::linalg_solve(a, x), at::linalg_cholesky(a),
                               at::linalg_det(a / 30), at::linalg_vector_norm(x));
    });
    check("triangles and masks", [](Tensor x) {
        return std::make_tuple(x.tril(), x.triu(1), x.masked_fill(x > 0, 0), at::where(x > 0, x, -x), at::isnan(x),
                               at::clamp(x, -1, 1), at::nan_to_num(x));
    });
    check("meshgrid, cartesian",
          [](Tensor x) { return at::meshgrid({at::arange(x.size(0)), at::arange(x.size(1))}, "ij"); });
}

TEST_CASE("random numbers follow the seed") {
    const auto check = [&](const char* name, auto model) { check_sizes(name, model, {6, 8}, {{7, 10}, {9, 16}}); };
    check("rand, randn",
          [](Tensor x) { return std::make_tuple(at::rand({x.size(0), 3}), at::randn_like(x), at::rand_like(x)); });
    check("randint, randperm", [](Tensor x) {
        return std::make_tuple(at::randint(10, {x.size(1)}), at::randint(2, 5, {x.size(0)}), at::randperm(x.size(0)));
    });
    check("dropout in training",
          [](Tensor x) { return std::make_tuple(at::dropout(x, 0.5, true), at::native_dropout(x, 0.5, true)); });
    check("bernoulli, normal", [](Tensor x) {
        return std::make_tuple(at::bernoulli(x.sigmoid()), at::normal(0.0, 1.0, {x.size(0)}), at::normal(x, 1.0));
    });
    check("multinomial", [](Tensor x) { return at::multinomial(x.softmax(-1), 3); });
    check("in place", [](Tensor x) {
        Tensor y = x.clone();
        y.uniform_(0, 1);
        y[0].normal_();
        y.select(1, 1).bernoulli_(0.5);
        return y;
    });
    check("exponential, cauchy", [](Tensor x) {
        return std::make_tuple(at::empty_like(x).exponential_(), x.clone().random_(5), x.clone().log_normal_(),
                               at::poisson(x.abs()));
    });
}
