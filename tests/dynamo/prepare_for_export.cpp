#include <ferry/dynamo/prepare_for_export.hpp>

#include <ferry/core/extend.hpp>
#include <ferry/dynamo/exporter.hpp>

#include <torch/nn/module.h>
#include <torch/types.h>

#include <algorithm>
#include <functional>
#include <optional>

#include <doctest/doctest.h>

using namespace ferry;
using at::Tensor;

namespace {

struct lengths_of_pixels {
    static constexpr std::string_view input = "pixel_values";
    static void prepare(Inputs& inputs) {
        inputs.set("lengths", inputs.get<Tensor>("pixel_values").sum(1).to(at::kLong));
    }
};
struct never_called {
    static constexpr std::string_view input = "audio";
    static void prepare(Inputs& inputs) { inputs.set("wrong", 1); }
};
struct Scaled {
    double factor = 3;
    Tensor operator()(const Tensor& x, const Tensor& scale) const { return x * scale; }
};
struct scale_of_model {
    static constexpr auto input = names("x", "frames");
    static void prepare(Scaled& model, Inputs& inputs) { inputs.set("scale", at::full({1}, model.factor)); }
};
struct marks_any_model {
    static constexpr std::string_view input = "marked";
    template <class Model>
    static void prepare(Model&, Inputs& inputs) {
        inputs.set("mark", std::string("any"));
    }
};
using with_model_preparers = extend<dynamo_pipeline, input_preparers<scale_of_model, marks_any_model>>;
using with_preparers = extend<dynamo_pipeline, input_preparers<lengths_of_pixels, never_called>>;

struct Named : torch::nn::Module {
    static constexpr auto forward_parameters = names("input_ids", "mask", "scale", "shift");
    Tensor forward(const Tensor& ids, std::optional<Tensor> mask, double scale = 2, std::int64_t shift = 1) {
        return (mask ? ids * *mask : ids) * scale + shift;
    }
};

ModelState half_model() { return {.parameters = {{"weight", at::ones({2}, at::kHalf)}}}; }

std::string failure_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("inputs come to the model's dtype; integers stay, nested ones come along") {
    ModelState state = half_model();
    const auto made =
        prepare_for_export(state, inputs("ids", at::ones({3}, at::kLong), "cache",
                                         tree::list_of(at::ones({2}), at::ones({2}, at::kBool)), "scale", 2.0));
    CHECK((made.inputs.get<Tensor>("ids").scalar_type() == at::kLong));
    CHECK((made.inputs.at("cache").leaves[0].tensor().scalar_type() == at::kHalf));
    CHECK((made.inputs.at("cache").leaves[1].tensor().scalar_type() == at::kBool));
    CHECK(made.inputs.get<double>("scale") == 2.0);
    CHECK(made.inputs.size() == 3);
    ModelState none;
    CHECK((prepare_for_export(none, inputs("x", at::ones({2}, at::kDouble))).inputs.get<Tensor>("x").scalar_type() ==
           at::kDouble));
}

TEST_CASE("output flags are taken out and handed back") {
    ModelState state = half_model();
    const auto made = prepare_for_export(
        state, inputs("use_cache", false, "ids", at::ones({3}, at::kLong), "return_dict", true, "return_loss", false));
    CHECK(made.inputs.size() == 1);
    CHECK(made.output_flags.size() == 3);
    CHECK(made.output_flags.get<bool>("return_dict"));
    CHECK(!made.output_flags.get<bool>("use_cache"));
}

TEST_CASE("labels: absent ones are dropped, others refused") {
    ModelState state = half_model();
    CHECK(prepare_for_export(state, inputs("labels", std::optional<Tensor>(), "x", at::ones({2}))).inputs.size() == 1);
    CHECK(failure_of([&] {
              static_cast<void>(prepare_for_export(state, inputs("labels", at::ones({2}))));
          }).find("(at labels, stage signature)") != std::string::npos);
    CHECK(failure_of([&] {
              static_cast<void>(prepare_for_export(state, inputs("return_loss", true)));
          }).find("a loss is asked for") != std::string::npos);
}

TEST_CASE("a preparer runs when its input is there") {
    ModelState state = half_model();
    const auto made = prepare_for_export<with_preparers>(state, inputs("pixel_values", at::ones({2, 3})));
    CHECK(at::equal(made.inputs.get<Tensor>("lengths"), at::full({2}, 3, at::kLong)));
    CHECK(!made.inputs.contains("wrong"));
    CHECK(!prepare_for_export<with_preparers>(state, inputs("x", at::ones({2}))).inputs.contains("lengths"));
}

TEST_CASE("a preparer may ask the model, have several inputs, and does not run for None") {
    Scaled model;
    const auto prepared = [](auto& of, const Inputs& given) {
        return prepare_for_export<with_model_preparers>(of, given).inputs;
    };
    CHECK(prepared(model, inputs("x", at::ones({2}))).get<Tensor>("scale").item<double>() == 3);
    CHECK(prepared(model, inputs("frames", at::ones({2}))).contains("scale"));
    CHECK(!prepared(model, inputs("y", at::ones({2}))).contains("scale"));
    CHECK(!prepared(model, inputs("x", std::nullopt)).contains("scale"));
    CHECK(prepared(model, inputs("marked", 1)).contains("mark"));
    const auto other = [](const Tensor& x) { return x; };
    CHECK(!prepared(other, inputs("x", at::ones({2}))).contains("scale"));
    CHECK(prepared(other, inputs("marked", 1)).contains("mark"));
    ModelState state;
    CHECK(!prepared(state, inputs("x", at::ones({2}), "marked", 1)).contains("scale"));
    const auto program =
        DynamoExporter<with_model_preparers>{}.export_model(model, inputs("x", at::ones({2})), {.dynamic = true});
    CHECK(at::equal(program.module().call<Tensor>(at::ones({4}), at::full({1}, 5.0)), at::full({4}, 5.0)));
}

TEST_CASE("forward's parameters have names, and defaults where they are left out") {
    Named model;
    const Tensor ids = at::randn({2, 3}), mask = at::randn({2, 3});
    const auto run = [&](const Inputs& given) {
        return DynamoExporter{}.export_model(model, given, {.dynamic = true}).module()(given).leaves[0].tensor();
    };
    CHECK(at::allclose(run(inputs("mask", mask, "input_ids", ids)), ids * mask * 2 + 1));
    CHECK(at::allclose(run(inputs("input_ids", ids)), ids * 2 + 1));
    CHECK(at::allclose(run(inputs("input_ids", ids, "mask", std::nullopt)), ids * 2 + 1));
    CHECK(at::allclose(run(inputs("scale", 3.0, "input_ids", ids)), ids * 3 + 1));
    CHECK(failure_of([&] {
              static_cast<void>(run(inputs("ids", ids)));
          }).find("forward has no parameter 'ids'; its parameters are: input_ids, mask, scale, shift") !=
          std::string::npos);
    CHECK(failure_of([&] {
              static_cast<void>(run(inputs("input_ids", ids, "shift", 3)));
          }).find("forward needs its parameter 'scale'") != std::string::npos);
    const auto by_position = [](const Tensor& x, double factor = 4) { return x * factor; };
    CHECK(
        at::allclose(DynamoExporter{}.export_model(by_position, inputs("x", ids)).module().call<Tensor>(ids), ids * 4));
}

TEST_CASE("an export runs the preparers of its pipeline, and refuses labels") {
    const auto model = [](Tensor pixels, std::optional<Tensor> lengths) {
        return lengths ? pixels.sum(1) + *lengths : pixels.sum(1);
    };
    const Tensor pixels = at::randn({2, 3});
    const auto program =
        DynamoExporter<with_preparers>{}.export_model(model, inputs("pixel_values", pixels), {.dynamic = true});
    CHECK(std::ranges::count(program.signature.inputs, InputKind::user_input, &InputSpec::kind) == 2);
    const Tensor other = at::randn({5, 4}), lengths = at::full({5}, 9, at::kLong);
    CHECK(at::allclose(program.module().call<Tensor>(other, lengths), other.sum(1) + 9));
    const auto plain = DynamoExporter{}.export_model(model, inputs("pixel_values", pixels));
    CHECK(std::ranges::count(plain.signature.inputs, InputKind::user_input, &InputSpec::kind) == 1);

    const auto with_labels = [](Tensor x, Tensor labels) { return x - labels; };
    CHECK(failure_of([&] {
              static_cast<void>(DynamoExporter{}.export_model(with_labels, inputs("x", pixels, "labels", pixels)));
          }).find("a loss cannot be exported") != std::string::npos);
    const auto absent = [](Tensor x, std::optional<Tensor> labels) { return labels ? x - *labels : x * 2; };
    CHECK(at::equal(DynamoExporter{}
                        .export_model(absent, inputs("x", pixels, "labels", std::optional<Tensor>()))
                        .module()
                        .call<Tensor>(pixels),
                    pixels * 2));
}

TEST_CASE("an export leaves flags and dtypes alone: they are bound by position") {
    const auto model = [](Tensor x, bool use_cache, Tensor y) { return use_cache ? x + y : x - y; };
    const Tensor x = at::randn({3}, at::kDouble), y = at::randn({3}, at::kFloat);
    const auto program = DynamoExporter{}.export_model(model, inputs("x", x, "use_cache", true, "y", y));
    CHECK(at::equal(program.module().call<Tensor>(x, true, y), x + y));
}
