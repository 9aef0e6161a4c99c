// Models that ask tensors for their values: what code branches on is refused, and what is fixed is taken for what it is.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/nn/module.h>
#include <torch/types.h>

using namespace ferry_test;
using at::Tensor;
using doctest::Contains;
using ferry::inputs;

namespace {

ferry::Inputs with(std::int64_t number, const Sizes& sizes = {4, 3}) {
    return inputs("x", at::randn(sizes), "m", at::scalar_tensor(number, at::kLong));
}

/// Static and dynamic alike.
template <class Model>
void check_refused(const char* name, Model model, std::int64_t number) {
    INFO("model: ", std::string(name));
    for (const bool dynamic : {false, true}) {
        const std::string text = refusal(model, with(number), {.dynamic = dynamic});
        INFO(text);
        CHECK(text.c_str() == Contains("ferry::cond"));
        CHECK(text.c_str() == Contains("ferry::while_loop"));
        CHECK(text.c_str() == Contains("aten::item"));
    }
}

template <class Model>
ferry::ExportedProgram check_right(const char* name, Model model, std::int64_t number,
                                   std::initializer_list<std::int64_t> others) {
    INFO("model: ", std::string(name));
    std::vector<ferry::Inputs> same_sizes, other_sizes;
    for (const std::int64_t other : others)
        same_sizes.push_back(with(other)), other_sizes.push_back(with(other, {7, 3}));
    check_capture(model, with(number), {}, same_sizes);
    return check_capture(model, with(number), dynamic(), other_sizes);
}

std::int64_t number_in(const Tensor& m) { return m.item<std::int64_t>(); }

bool has_note(const ferry::ExportedProgram& program, const std::string& text) {
    for (const std::string& note : program.notes)
        if (note.find(text) != std::string::npos) return true;
    return false;
}

struct Clipped : torch::nn::Module {
    Clipped() {
        clip = register_buffer("clip", torch::tensor(0.5f));
        counts = register_buffer("counts", torch::tensor({3, 1}, at::kInt));
        enabled = register_buffer("enabled", torch::tensor(true));
        scale = register_parameter("scale", torch::tensor({1.5f, 2.5f}));
    }
    Tensor forward(Tensor x) {
        x = x.clamp(-clip.item<float>(), clip.item<float>());
        for (int i = 0; i < counts[0].item<int>(); ++i) x = x * 2 + scale[1].item<float>();
        if (enabled.item<bool>()) x = x.tanh();
        return x + counts.max().item<std::int64_t>();
    }
    Tensor clip, counts, enabled, scale;
};

struct Counter : torch::nn::Module {
    Counter() { count = register_buffer("count", at::zeros({}, at::kLong)); }
    Tensor forward(const Tensor& x) {
        count.add_(1);
        return x * count.item<std::int64_t>();
    }
    Tensor count;
};

}  // namespace

TEST_CASE("an integer that steers code is refused, at the sample too") {
    check_refused(
        "loop",
        [](Tensor x, Tensor m) {
            for (std::int64_t i = 0, n = number_in(m); i < n; ++i) x = x + 1;
            return x;
        },
        3);
    check_refused("equal to one", [](Tensor x, Tensor m) { return number_in(m) == 1 ? x * 2 : x + 1; }, 1);
    check_refused(
        "equal to one, sample of another", [](Tensor x, Tensor m) { return number_in(m) == 1 ? x * 2 : x + 1; }, 5);
    check_refused("none", [](Tensor x, Tensor m) { return number_in(m) == 0 ? x * 2 : x + 1; }, 5);
    check_refused("many", [](Tensor x, Tensor m) { return number_in(m) > 90 ? x * 2 : x + 1; }, 5);
    check_refused(
        "the sample's own, and no other", [](Tensor x, Tensor m) { return number_in(m) == 3141 ? x * 2 : x + 1; },
        3141);
    check_refused("below zero", [](Tensor x, Tensor m) { return number_in(m) < 0 ? x * 2 : x + 1; }, 5);
    check_refused(
        "switch",
        [](Tensor x, Tensor m) {
            switch (number_in(m)) {
                case 2: return x.sin();
                case 3: return x.cos();
                default: return x.exp();
            }
        },
        7);
    check_refused(
        "a decoder that stops at a token",
        [](Tensor x, Tensor m) {
            Tensor token = m;
            for (int step = 0; step < 4; ++step) {
                x = x + token;
                token = (x.sum() + step).abs().to(at::kLong).remainder(5);
                if (token.item<std::int64_t>() == 2) break;
            }
            return x;
        },
        1);
    check_refused(
        "another argument", [](Tensor x, Tensor m) { return x.sum(number_in(m) % 2 == 0 ? 0 : 1, number_in(m) > 3); },
        2);
}

TEST_CASE("an integer that is only computed with") {
    check_right("factor", [](Tensor x, Tensor m) { return x * number_in(m) + 2 * number_in(m); }, 3,
                {0, 1, 2, 5, 77, -4});
    check_right("at least one", [](Tensor x, Tensor m) { return x * std::max<std::int64_t>(number_in(m), 1); }, 3,
                {0, 1, 2, 90});
    check_right("length", [](Tensor x, Tensor m) { return at::arange(number_in(m)).sum() + x; }, 3, {0, 1, 2, 50});
    check_right("repeated", [](Tensor x, Tensor m) { return x.repeat({number_in(m), 1}); }, 2, {1, 3, 8});
}

TEST_CASE("the value of a buffer or a constant that forward does not write is what it is") {
    Clipped model;
    const auto program =
        check_capture(model, inputs("x", at::randn({4, 3})), dynamic(), {inputs("x", at::randn({7, 5}))});
    for (const char* name : {"clip", "counts", "enabled", "scale"}) {
        CAPTURE(name);
        CHECK(has_note(program, name));
    }
    CHECK(has_note(program, "fixed"));
    check_sizes("of torch::tensor",
                [](Tensor x) {
                    const Tensor t = torch::tensor({1.5, 2.5, 3.5});
                    x = x + t.sum();
                    return x * t[1].item<float>() + t.max().item<double>() +
                           torch::tensor({4, 5})[1].item<std::int64_t>();
                },
                {4, 3}, {{7, 5}});
    check_sizes("a filterbank",
                [filters = at::rand({5, 4})](Tensor x) {
                    return x.clamp_min(filters.min().item<float>()) / filters.sum().item<float>();
                },
                {4, 3}, {{7, 5}});
    check_sizes("numbers made of sizes",
                [](Tensor x) {
                    const auto n = torch::tensor(x.size(0)).mul(2).add(1).item<std::int64_t>();
                    const auto half = torch::tensor(x.size(1)).floor_divide(2).item<std::int64_t>();
                    return at::ones({n, half});
                },
                {4, 6}, {{7, 9}});
}

TEST_CASE("the value of a buffer that forward writes is not") {
    Counter model;
    const auto given = inputs("x", at::ones({4, 3}));
    auto program = export_any(any_model(model), given, {});
    CHECK(!has_note(program, "fixed"));
    auto module = program.module();
    for (int call = 1; call <= 4; ++call) CHECK(module(given).leaves[0].tensor().equal(at::full({4, 3}, 1.0 * call)));
    CHECK(model.count.item<std::int64_t>() == 0);
}

TEST_CASE("a size that code branches on is refused where it depends on values") {
    const auto mean = [](Tensor x) {
        const Tensor y = x.index({x.sum(1) > 0});
        return y.size(0) == 0 ? x.sum() : y.mean();
    };
    CHECK(refusal(mean, inputs("x", at::ones({6, 5}))).c_str() == Contains("ferry::cond"));
    const auto some = [](Tensor x) {
        const Tensor y = x.masked_select(x > 0);
        return y.size(0) == 3 ? y * 2 : y;
    };
    CHECK(refusal(some, inputs("x", at::ones({6, 5}))).c_str() == Contains("ferry::cond"));
}

TEST_CASE("a real run for values leaves the model as it was") {
    struct Model : torch::nn::Module {
        Model() { total = register_buffer("total", at::zeros({})); }
        Tensor forward(const Tensor& x, const Tensor& m) {
            total.add_(x.sum());
            return x * m.item<std::int64_t>() + at::rand({}) * 0 + total;
        }
        Tensor total;
    } model;
    const auto given = with(3);
    at::manual_seed(5);
    const Tensor expected = at::rand({3});
    at::manual_seed(5);
    static_cast<void>(export_any(any_model(model), given, dynamic()));
    CHECK(at::rand({3}).equal(expected));
    CHECK(model.total.equal(at::zeros({})));
}
