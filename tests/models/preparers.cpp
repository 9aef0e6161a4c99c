// Inputs that are made of other inputs: beside what transformers' exporters make, and as exports take them.
#include <ferry/preparers.hpp>

#include <ferry/core/extend.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/prepare_for_export.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/models/from_pretrained.hpp>
#include <ferry/models/qwen2_vl.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/verify/executorch_runtime.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace preparer_tests {

using at::Tensor;
using ferry::extend;
using ferry::Inputs;
using ferry::names;

using prepared_pipeline = extend<ferry::dynamo_pipeline, ferry::multimodal_preparers>;

/// A file of make_preparers.py.
struct Case {
    ferry::safetensors::Contents contents;

    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t otherwise = 0) const {
        const Tensor* const found = contents.find("model." + name);
        return found == nullptr ? otherwise : found->flatten()[0].item<std::int64_t>();
    }
    [[nodiscard]] Inputs given() const {
        Inputs made;
        for (const auto& [name, tensor] : contents.tensors)
            if (name.starts_with("in.")) made.set(name.substr(3), tensor);
        return made;
    }
};

/// Says all that the case's model says, and takes all that there is.
struct AnyTower {
    static constexpr auto forward_parameters =
        names("grid_thw", "merge_sizes", "target_sizes", "input_features", "feature_lens", "input_features_mask",
              "cu_seqlens", "max_seqlen", "position_ids", "window_index", "cu_window_seqlens", "max_window_seqlen",
              "interp_indices", "interp_weights", "merged_shape", "padded_feature", "chunk_lengths", "valid_indices",
              "pool_indices");
    const Case* of;

    [[nodiscard]] ferry::VisionGrid vision_grid() const {
        return {.spatial_merge_size = of->number("spatial_merge_size", 1),
                .has_time_axis = of->number("axis_dim") > 0,
                .window_size = of->number("window_size"),
                .patch_size = of->number("patch_size"),
                .num_grid_per_side = of->number("num_grid_per_side"),
                .interpolation = {.is_bicubic = of->number("interpolation_mode") > 0,
                                  .align_corners = of->number("interpolation_align_corners") > 0,
                                  .pads_zeros = of->number("interpolation_padding") > 0}};
    }
    [[nodiscard]] ferry::PackedImages packed_images() const {
        const std::int64_t window = of->number("window_kernel_size");
        return {.num_patches_per_side = of->number("num_patches_per_side"), .window_kernel_size = {window, window}};
    }
    [[nodiscard]] ferry::AudioChunks audio_chunks() const {
        return {.n_window = of->number("n_window"), .n_window_infer = of->number("n_window_infer")};
    }
};

Tensor tensor_of(const ferry::Tree& value) {
    if (value.leaves.size() == 1 && value.leaves[0].is_tensor()) return value.leaves[0].tensor();
    std::vector<std::int64_t> numbers;
    for (const ferry::Leaf& leaf : value.leaves) numbers.push_back(*leaf.get_if<std::int64_t>());
    return value.leaves.size() == 1 ? at::scalar_tensor(numbers[0], at::kLong) : at::tensor(numbers, at::kLong);
}

void check_case(const std::filesystem::path& path) {
    const Case each{ferry::safetensors::load(path)};
    const std::string file = path.filename().string();
    CAPTURE(file);
    AnyTower tower{&each};
    Inputs made = each.given();
    ferry::detail::run_preparers<ferry::multimodal_preparers::list>::run(tower, made);
    for (const auto& [name, expected] : each.contents.tensors) {
        if (!name.starts_with("out.")) continue;
        CAPTURE(name);
        REQUIRE(made.contains(name.substr(4)));
        const Tensor found = tensor_of(made.at(name.substr(4)));
        CHECK(found.sizes() == expected.sizes());
        CHECK((found.scalar_type() == expected.scalar_type()));
        if (found.sizes() == expected.sizes())
            CHECK(at::allclose(found.to(at::kDouble), expected.to(at::kDouble), 0, 1e-6));
    }
}

/// Which segment each of `count` places is in.
Tensor segments_of(const Tensor& bounds, const Tensor& places) {
    return places.unsqueeze(1).ge(bounds.slice(0, 1)).sum(1);
}

/// Patches see those of their window; where they are comes from a table that is stretched over each image.
struct WindowTower : torch::nn::Module {
    static constexpr auto forward_parameters =
        names("hidden_states", "position_ids", "window_index", "cu_window_seqlens", "interp_indices", "interp_weights");
    torch::nn::Linear mixed = register_module("mixed", torch::nn::Linear(6, 6));
    Tensor table = register_parameter("table", torch::randn({9, 6}));

    [[nodiscard]] static ferry::VisionGrid vision_grid() {
        return {.window_size = 8, .patch_size = 4, .num_grid_per_side = 3};
    }
    Tensor forward(const Tensor& hidden_states, const Tensor& position_ids, const Tensor& window_index,
                   const Tensor& cu_window_seqlens, const Tensor& interp_indices, const Tensor& interp_weights) {
        const Tensor places = (at::embedding(table, interp_indices) * interp_weights.unsqueeze(-1)).sum(1);
        const Tensor x = (hidden_states + places + position_ids.sum(1, true) * 0.1).index_select(0, window_index);
        const Tensor segment = segments_of(cu_window_seqlens, at::arange(x.size(0)));
        const Tensor seen = segment.unsqueeze(0).eq(segment.unsqueeze(1));
        const Tensor scores = at::matmul(mixed(x), x.t()).masked_fill(seen.logical_not(), -1e9);
        return at::matmul(at::softmax(scores, -1), x);
    }
};

/// Chunks of sounds, halved by a convolution; what is padding goes, the rest is pooled in pairs.
struct SoundEncoder : torch::nn::Module {
    static constexpr auto forward_parameters = names("padded_feature", "valid_indices", "pool_indices");
    torch::nn::Conv1d halving =
        register_module("halving", torch::nn::Conv1d(torch::nn::Conv1dOptions(3, 5, 3).stride(2).padding(1)));

    [[nodiscard]] static ferry::AudioChunks audio_chunks() { return {.n_window = 4}; }
    Tensor forward(const Tensor& padded_feature, const Tensor& valid_indices, const Tensor& pool_indices) {
        const Tensor features = halving(padded_feature).transpose(1, 2).flatten(0, 1).index_select(0, valid_indices);
        return (features.index_select(0, pool_indices) + features.index_select(0, pool_indices + 1)) * 0.5;
    }
};

struct Small {
    static constexpr auto forward_parameters = names("hidden_states", "cu_seqlens", "position_ids");
};
struct Silent {};
struct Clips {
    static constexpr auto forward_parameters = names("video_cu_seqlens", "image_cu_seqlens");
    [[nodiscard]] static ferry::VisionGrid vision_grid() { return {.merges_frames = true}; }
};
struct Turning {
    static constexpr auto forward_parameters = names("input_ids", "attention_mask", "position_ids");
    [[nodiscard]] static Tensor rope_index(const Inputs& inputs) { return inputs.get<Tensor>("input_ids") + 7; }
};

/// As the model gives it for what a processor gives: in the order of forward's parameters.
template <class Model>
Tensor answer_of(Model& model, const Inputs& prepared) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return model.forward(prepared.get<Tensor>(Model::forward_parameters.each[I])...);
    }(std::make_index_sequence<Model::forward_parameters.each.size()>());
}

/// Exported with what a processor gives for `sample`; each runtime gives what the model gives, for `others` too.
template <class Model>
void check_exports(Model& model, const Inputs& sample, const std::vector<Inputs>& others) {
    const torch::NoGradGuard no_gradients;
    const auto program = ferry::DynamoExporter<prepared_pipeline>{}.export_model(model, sample, {.dynamic = true});
    const auto onnx = ferry::OnnxExporter<extend<ferry::onnx_pipeline, ferry::multimodal_preparers>>{}.export_model(
        model, sample, {.dynamic = true});
#ifdef FERRY_RUNS_EXECUTORCH
    const auto executorch =
        ferry::ExecutorchExporter<extend<ferry::executorch_pipeline, ferry::multimodal_preparers>>{}.export_model(
            model, sample, {.dynamic = true});
#endif
    for (const Inputs& each : others) {
        const Inputs given = ferry::prepare_for_export<prepared_pipeline>(model, each).inputs;
        const Tensor expected = answer_of(model, given);
        CHECK(at::allclose(program.module()(given).leaves.at(0).tensor(), expected, 1e-4, 1e-4));
        CHECK(at::allclose(onnx(given).leaves.at(0).tensor(), expected, 1e-4, 1e-4));
#ifdef FERRY_RUNS_EXECUTORCH
        std::vector<Tensor> in_order;
        for (const auto& [name, value] : given) in_order.push_back(value.leaves.at(0).tensor());
        CHECK(at::allclose(executorch(in_order).at(0), expected, 1e-4, 1e-4));
#endif
    }
}

Inputs images(const std::vector<std::int64_t>& sizes) {
    const Tensor grids = at::tensor(sizes, at::kLong).view({-1, 3});
    return ferry::inputs("hidden_states", at::randn({grids.prod(1).sum().item<std::int64_t>(), 6}), "grid_thw", grids);
}

Inputs sounds(const std::vector<std::int64_t>& lengths) {
    const Tensor frames = at::tensor(lengths, at::kLong);
    return ferry::inputs("input_features", at::randn({3, frames.sum().item<std::int64_t>()}), "feature_lens", frames);
}

}  // namespace preparer_tests

TEST_CASE("preparers make what transformers' exporters make") {
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(ferry_test::checkpoints("preparers"))) {
        preparer_tests::check_case(file.path());
        ++count;
    }
    CHECK(count == 72);
}

TEST_CASE("a tower with windows and a table is exported with what a processor gives, for images of any sizes") {
    using namespace preparer_tests;
    torch::manual_seed(1);
    WindowTower tower;
    check_exports(tower, images({1, 5, 3, 1, 4, 4}),
                  {images({1, 5, 3, 1, 4, 4}), images({2, 3, 7}), images({1, 1, 1})});
}

TEST_CASE("an encoder of sounds is exported with what a processor gives, for sounds of any lengths") {
    using namespace preparer_tests;
    torch::manual_seed(2);
    SoundEncoder encoder;
    check_exports(encoder, sounds({19, 8, 11}), {sounds({19, 8, 11}), sounds({30, 9}), sounds({8})});
}

TEST_CASE("the tower of a checkpoint is exported alone with the sizes of its images") {
    using namespace preparer_tests;
    const auto model =
        ferry::from_pretrained<ferry::models::Qwen2Vl>(ferry_test::checkpoints("multimodal_models") / "qwen2_vl");
    const auto patches = [](const Tensor& grids) {
        return ferry::inputs("pixel_values", at::randn({grids.prod(1).sum().item<std::int64_t>(), 96}),
                             "image_grid_thw", grids);
    };
    check_exports(*model->visual, patches(at::tensor({1, 4, 6, 1, 2, 2}).view({2, 3})),
                  {patches(at::tensor({1, 8, 2}).view({1, 3})), patches(at::tensor({2, 4, 4, 1, 6, 2}).view({2, 3}))});
}

TEST_CASE("what is given stays, what forward does not take is not added, and a model that says nothing is left alone") {
    using namespace preparer_tests;
    const auto prepared = [](auto model, Inputs given) {
        ferry::detail::run_preparers<ferry::multimodal_preparers::list>::run(model, given);
        return given;
    };
    Inputs given = images({1, 2, 3});
    given.set("position_ids", at::zeros({1}));
    const Inputs made = prepared(Small{}, given);
    CHECK(made.get<Tensor>("position_ids").numel() == 1);
    CHECK(at::equal(made.get<Tensor>("cu_seqlens"), at::tensor({0, 6}, at::kInt)));
    CHECK(made.size() == 3);
    CHECK(prepared(Silent{}, given).size() == given.size());
}

TEST_CASE("videos have inputs of their own, whose frames may see one another") {
    using namespace preparer_tests;
    Clips model;
    Inputs made = ferry::inputs("video_grid_thw", at::tensor({2, 2, 3, 1, 1, 2}).view({2, 3}), "image_grid_thw",
                                at::tensor({2, 1, 2}).view({1, 3}));
    ferry::detail::run_preparers<ferry::multimodal_preparers::list>::run(model, made);
    CHECK(at::equal(made.get<Tensor>("video_cu_seqlens"), at::tensor({0, 12, 14}, at::kInt)));
    CHECK(at::equal(made.get<Tensor>("image_cu_seqlens"), at::tensor({0, 4}, at::kInt)));
    CHECK(made.size() == 2);
}

TEST_CASE("tokens are where the model says, in a text from its beginning only") {
    using namespace preparer_tests;
    const auto positions = [](const Inputs& given) {
        Turning model;
        Inputs made = given;
        ferry::detail::run_preparers<ferry::multimodal_preparers::list>::run(model, made);
        return made.contains("position_ids");
    };
    const Tensor ids = at::ones({2, 3}, at::kLong);
    CHECK(positions(ferry::inputs("input_ids", ids)));
    CHECK(positions(ferry::inputs("input_ids", ids, "attention_mask", at::ones_like(ids))));
    CHECK(!positions(ferry::inputs("input_ids", ids, "attention_mask", at::ones({2, 5}))));
}

TEST_CASE("sizes and lengths that cannot be are refused") {
    using namespace preparer_tests;
    WindowTower tower;
    SoundEncoder encoder;
    const auto says = [](auto& model, const Inputs& given, const std::string& wanted) {
        const std::string message =
            ferry_test::message_of([&] { return ferry::prepare_for_export<prepared_pipeline>(model, given); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    const auto grid = [](const Tensor& sizes) {
        return ferry::inputs("hidden_states", at::randn({6, 6}), "grid_thw", sizes);
    };
    says(tower, grid(at::tensor({1, 2, 3})), "[images, 3]");
    says(tower, grid(at::rand({1, 3})), "[images, 3]");
    says(tower, grid(at::tensor({1, 0, 3}).unsqueeze(0)), "1 x 0 x 3 patches");
    says(tower, grid(at::full({1, 3}, std::int64_t{1} << 40, at::kLong)), "patches");
    says(tower, grid(at::tensor({1, 2, 4}).unsqueeze(0)), "'hidden_states' are of the sizes [6, 6]");
    says(encoder, ferry::inputs("input_features", at::randn({3, 9}), "feature_lens", at::tensor({4, 4})), "8 frames");
    says(encoder, ferry::inputs("input_features", at::randn({3, 4}), "feature_lens", at::tensor({4, 0})),
         "a sound of 0 frames");
    says(encoder, ferry::inputs("input_features", at::randn({3, 4}), "feature_lens", at::rand({1})),
         "one for each sound");
}
