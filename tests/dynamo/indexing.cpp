// Tensor indexing in all forms, read and written.
#include "support.hpp"

#include <ATen/ATen.h>
#include <ATen/TensorIndexing.h>
#include <doctest/doctest.h>

using namespace ferry_test;
using namespace at::indexing;
using at::Tensor;
using ferry::inputs;

TEST_CASE("reading by index") {
    at::manual_seed(1);
    const Sizes sample{5, 6, 7};
    const std::initializer_list<Sizes> others{{8, 9, 10}, {6, 13, 8}};
    const auto check = [&](const char* name, auto model) { check_sizes(name, model, sample, others); };
    check("an integer", [](Tensor x) { return x[1]; });
    check("a negative integer", [](Tensor x) { return x.index({-2, Ellipsis, -1}); });
    check("slices", [](Tensor x) { return x.index({Slice(1, 4), Slice(None, -1), Slice(2)}); });
    check("slices with steps",
          [](Tensor x) { return x.index({Slice(None, None, 2), Slice(1, None, 3), Slice(0, -1, 2)}); });
    check("an ellipsis", [](Tensor x) { return x.index({Ellipsis, Slice(None, 3)}); });
    check("new axes", [](Tensor x) { return x.index({None, Slice(), None, 0}); });
    check("true and false", [](Tensor x) { return std::make_pair(x.index({true}), x.index({false, Ellipsis}).sum()); });
    check("half of it", [](Tensor x) {
        return x.index({Ellipsis, Slice(None, x.size(-1) / 2)}) -
               x.index({Ellipsis, Slice(x.size(-1) / 2 * 1, x.size(-1) / 2 * 2)});
    });
    check("the last size - 1", [](Tensor x) { return x.select(1, x.size(1) - 1); });
    check("narrow, split, chunk, unbind", [](Tensor x) {
        const auto parts = x.tensor_split(2, 1);
        return std::make_tuple(x.narrow(2, 1, x.size(2) - 2), parts[0].sum() + parts[1].sum(),
                               x.split_with_sizes({2, x.size(0) - 2}, 0)[1], x.chunk(2, 0)[0]);
    });
    check("an index tensor", [](Tensor x) { return x.index({at::arange(0, 4)}); });
    check("index tensors side by side",
          [](Tensor x) { return x.index({at::arange(0, 4), Slice(), at::arange(3, -1, -1)}); });
    check("index tensors that broadcast",
          [](Tensor x) { return x.index({at::arange(x.size(0)).unsqueeze(1), at::arange(x.size(1)).unsqueeze(0)}); });
    check("an index tensor behind a slice",
          [](Tensor x) { return x.index({Slice(1, None), at::arange(0, 3), None, Slice(None, None, 2)}); });
    check("take, gather, index_select", [](Tensor x) {
        const Tensor order = x.argsort(/*dim=*/2, /*descending=*/false);
        return std::make_tuple(x.gather(2, order), x.index_select(1, at::arange(x.size(1) - 1, -1, -1)), x.take(order),
                               at::take_along_dim(x, order, 2));
    });
    check("flip, roll, diagonal", [](Tensor x) {
        return std::make_tuple(x.flip({0, 2}), x.roll(2, 1), x.diagonal(0, 1, 2), x.unfold(2, 3, 2));
    });
}

TEST_CASE("index tensors as inputs") {
    at::manual_seed(2);
    const auto make = [](int64_t n, int64_t m, int64_t k) {
        return inputs("x", at::randn({n, m}), "rows", at::randint(0, 4, {k}, at::kLong), "columns",
                      at::randint(0, 4, {k}, at::kLong));
    };
    const auto check = [&](auto model) {
        check_capture(model, make(5, 6, 7), dynamic(), {make(8, 9, 3), make(4, 5, 12)});
    };
    check([](Tensor x, Tensor rows, Tensor columns) { return x.index({rows, columns}); });
    check([](Tensor x, Tensor rows, Tensor columns) { return x.index({rows}).index({Slice(), columns}); });
    check([](Tensor x, Tensor rows, Tensor columns) {
        x = x.clone();
        x.index_put_({rows, columns}, at::ones({1}), /*accumulate=*/true);
        return x;
    });
    check([](Tensor x, Tensor rows, Tensor) {
        x = x.clone();
        x.index_put_({rows, 0}, 2.5);
        return x;
    });
    check([](Tensor x, Tensor rows, Tensor columns) {
        return at::zeros_like(x)
            .index_put({rows, columns}, rows.to(at::kFloat), true)
            .scatter_add(0, rows.unsqueeze(1).expand({-1, 2}), at::ones({rows.size(0), 2}));
    });
    check([](Tensor x, Tensor rows, Tensor) { return at::zeros({4, x.size(1)}).index_add(0, rows, x.index({rows})); });
    check([](Tensor x, Tensor rows, Tensor) {
        return x.index_fill(0, rows, 3).index_copy(0, at::arange(2), x.narrow(0, 1, 2));
    });
}

TEST_CASE("writing by index") {
    at::manual_seed(3);
    const Sizes sample{5, 6, 7};
    const std::initializer_list<Sizes> others{{8, 9, 10}, {6, 13, 8}};
    const auto check = [&](const char* name, auto write) {
        check_sizes(
            name,
            [&](Tensor x) {
                Tensor y = x.clone();
                write(y, x);
                return y;
            },
            sample, others);
        check_sizes(
            name,
            [&](Tensor x) {
                write(x, x * 2);
                return x.sum();
            },
            sample, others);  // the input itself
    };
    check("a number", [](Tensor y, Tensor) { y.index_put_({1, Slice(2, 4)}, 3.5); });
    check("a tensor",
          [](Tensor y, Tensor x) { y.index_put_({Slice(None, None, 2), 0}, x.index({Slice(None, None, 2), 1})); });
    check("all", [](Tensor y, Tensor) { y.index_put_({Ellipsis}, 1); });
    check("broadcast",
          [](Tensor y, Tensor x) { y.index_put_({Slice(1, None), Slice(), 0}, x.select(0, 0).select(1, 2)); });
    check("a mask", [](Tensor y, Tensor x) { y.index_put_({x > 0.3}, -1.0); });
    check("a mask of the front", [](Tensor y, Tensor x) { y.index_put_({x.select(2, 0) > 0}, 2.0); });
    check("a mask and a slice",
          [](Tensor y, Tensor x) { y.index_put_({x.select(2, 0).select(1, 0) > 0, Slice(1, 3)}, 2.0); });
    check("an index tensor", [](Tensor y, Tensor) { y.index_put_({at::arange(0, 3), Slice(), at::arange(0, 3)}, 5); });
    check("the other types", [](Tensor y, Tensor) { y.index_put_({0}, at::ones({}, at::kDouble)); });
    check("masked_fill_, where", [](Tensor y, Tensor x) { y.masked_fill_(x > 0, 0.5).copy_(at::where(y > 0, y, x)); });
    check("masked_scatter", [](Tensor y, Tensor x) { y.copy_(y.masked_scatter(x > 0, x.abs())); });
    check("fill_diagonal_", [](Tensor y, Tensor) { y.select(0, 1).fill_diagonal_(4); });
}
