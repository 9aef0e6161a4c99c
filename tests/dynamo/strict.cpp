#include "support.hpp"

#include <ferry/dynamo/check_against_model.hpp>

#include <doctest/doctest.h>

using namespace ferry;
using namespace ferry_test;
using at::Tensor;

namespace {

bool says(const std::string& text, std::string_view part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    return true;
}

const DynamoConfig strict{.dynamic = true, .strict = true};

}  // namespace

TEST_CASE("strict lets a right program through, and leaves the model and the random numbers as they were") {
    Tensor seen = at::zeros({3});
    auto model = [&](Tensor x, Tensor ids) {
        seen.add_(x.sum(0));
        x.mul_(2);
        return at::dropout(x, 0.5, true) + seen + ids.sum();
    };
    AnyModel any = any_model(model);
    any.state.buffers.emplace_back("seen", seen);
    at::manual_seed(4);
    const Tensor expected = at::rand({3});
    at::manual_seed(4);
    const ExportedProgram program =
        export_any(any, inputs("x", at::ones({4, 3}), "ids", at::ones({5}, at::kLong)), strict);
    CHECK(at::equal(at::rand({3}), expected));
    CHECK(at::equal(seen, at::zeros({3})));
    CHECK(program.signature.outputs.size() == 3);
}

TEST_CASE("strict finds what a capture cannot see") {
    int calls = 0;
    const auto counting = [&](Tensor x) { return x * (calls > 40 ? 2.0 : 1.0); };
    const auto table = [](Tensor ids) {
        return at::embedding(at::ones({16, 2}), at::arange(ids.size(0))) + ids.unsqueeze(1);
    };
    AnyModel any = any_model(counting);
    const auto call = any.call;
    any.call = [&](const Inputs& given) {
        // Real values come only after the capture.
        calls = given.get<Tensor>("x").is_meta() ? 0 : 100;
        return call(given);
    };
    says(refusal_of(any, inputs("x", at::randn({4, 3})), strict),
         "the program does not do what the model does at s0 = ");
    says(refusal_of(any, inputs("x", at::randn({4, 3})), strict), "its output is off by up to");
    CHECK(refusal_of(any, inputs("x", at::randn({4, 3}))) == "no refusal");
    says(refusal(table, inputs("ids", at::ones({4}, at::kLong)), strict), "the model itself fails at s0 = ");
    says(refusal(table, inputs("ids", at::ones({4}, at::kLong)),
                 {.dynamic_shapes = {{"ids", {{0, Dim{"n", 2, 16}}}}}, .strict = true}),
         "no refusal");
    says(refusal(table, inputs("ids", at::ones({4}, at::kLong).to(at::kMeta)), strict), "strict needs real inputs");
}

TEST_CASE("values are like the sample's") {
    CHECK(ferry::detail::random_like(at::arange(3, 7), {50}).min().item<int>() >= 3);
    CHECK(ferry::detail::random_like(at::arange(3, 7), {50}).max().item<int>() <= 6);
    CHECK(at::equal(ferry::detail::random_like(at::ones({4}, at::kLong), {9}), at::ones({9}, at::kLong)));
    CHECK(ferry::detail::random_like(at::rand({9}), {50}).min().item<float>() >= 0);
    CHECK((ferry::detail::random_like(at::rand({9}).to(at::kHalf), {50}).scalar_type() == at::kHalf));
    CHECK((ferry::detail::random_like(at::ones({2}, at::kBool), {50}).scalar_type() == at::kBool));
}

TEST_CASE("a range that has 0 or 1 in it must hold there") {
    const auto plain = [](Tensor x) { return x.relu() + x.sum(0, true); };
    const auto branching = [](Tensor x) { return x.size(0) == 1 ? x * 2 : x + 1; };
    const auto nonempty = [](Tensor x) { return x.numel() == 0 ? x * 1 : x + 1; };
    const auto padded = [](Tensor x) { return at::ones({std::max<std::int64_t>(x.size(0), 2)}) + x.sum(); };
    const auto config = [](std::int64_t min, std::int64_t max) {
        return DynamoConfig{.dynamic_shapes = {{"x", {{0, Dim{"b", min, max}}}}}};
    };
    const Inputs sample = inputs("x", at::randn({4, 3}));

    const ExportedProgram program = check_any(any_model(plain), sample, config(0, 8),
                                              {inputs("x", at::randn({1, 3})), inputs("x", at::randn({0, 3}))});
    CHECK((*program.ranges.find("b") == ValueRange{0, 8}));

    says(refusal(branching, sample, config(1, 64)), "'b' holds for VR[2, 64] only: at 1");
    says(refusal(branching, sample, config(1, 64)), "ask for Dim{\"b\", 2, 64}");
    CHECK(refusal(branching, sample, config(2, 64)) == "no refusal");
    says(refusal(nonempty, sample, config(0, 64)), "'b' holds for VR[1, 64] only: at 0");
    CHECK(refusal(nonempty, sample, config(1, 64)) == "no refusal");
    // The same steps, and a size for which the larger ones alone would give another expression.
    check_any(any_model(padded), sample, config(1, 64),
              {inputs("x", at::randn({1, 3})), inputs("x", at::randn({2, 3}))});

    // Without a range, what holds is found.
    const ExportedProgram open = export_any(any_model(branching), sample, {.dynamic_shapes = {{"x", {{0, Dim{"b"}}}}}});
    CHECK((*open.ranges.find("b") == ValueRange::at_least(2)));
    REQUIRE(!open.notes.empty());
    says(open.notes.back(), "'b' holds for VR[2, int_oo] only");
}
