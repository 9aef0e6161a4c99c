// Models that see or hear, from checkpoints of transformers: the same logits, the same tokens, and parts that give them when exported.
#include <ferry/models.hpp>
#include <ferry/models/multimodal.hpp>

#include <ferry/tree/unflatten.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <filesystem>
#include <string>

namespace multimodal_tests {

constexpr std::int64_t placeholder = 96;

std::filesystem::path checkpoints() { return ferry_test::checkpoints("multimodal_models"); }

ferry::AnyModel model_of(const std::filesystem::path& folder) {
    return ferry::AutoModel<ferry::models::multimodal_models>::from_pretrained(folder);
}

ferry::Inputs prompt_of(const ferry_test::Expected& expected) {
    ferry::Inputs made =
        ferry::inputs("input_ids", expected["input_ids"], "attention_mask", expected["attention_mask"]);
    for (const char* other : {"pixel_values", "input_features", "image_grid_thw", "mm_token_type_ids"})
        if (expected.has(other)) made.set(other, expected[other]);
    return made;
}

/// A prompt of other sizes, with nine features each.
ferry::Inputs sample_with(const char* other, const at::Tensor& value) {
    const at::Tensor ids = at::ones({value.size(0), 11}, at::kLong);
    ids.slice(1, 1, 10).fill_(placeholder);
    return ferry::inputs("input_ids", ids, "attention_mask", at::ones_like(ids), other, value);
}

}  // namespace multimodal_tests

TEST_CASE("models that see or hear give transformers' logits and tokens") {
    using namespace multimodal_tests;
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const ferry::AnyModel model = model_of(folder.path());
        const ferry_test::Expected expected(folder.path());
        const at::Tensor mask = expected["attention_mask"], real = mask.to(at::kBool);
        ferry::Inputs given = model.prepare_inputs(prompt_of(expected));
        if (!given.contains("position_ids")) given.set("position_ids", (mask.cumsum(1) - 1).clamp_min(0));
        given.set("past_key_values", ferry::DynamicCache{});
        const at::NoGradGuard no_grad;
        const at::Tensor logits = ferry::tree::unflatten<ferry::Inputs>(model(given)).get<at::Tensor>("logits");
        CHECK(at::allclose(logits.index({real}), expected["logits"].index({real}), 1e-5, 1e-5));
        CHECK(at::equal(ferry::generate(model, prompt_of(expected)), expected["tokens"]));
        ++count;
    }
    CHECK(count == 6);
}

TEST_CASE("the parts of a model that sees, exported, give transformers' tokens in each runtime") {
    using namespace multimodal_tests;
    const ferry_test::Expected expected(checkpoints() / "llava");
    ferry_test::check_parts(
        model_of(checkpoints() / "llava"), sample_with("pixel_values", at::randn({3, 3, 12, 12})),
        {"image_encoder", "multi_modal_projector", "token_embedding", "language_model", "lm_head", "decode"},
        prompt_of(expected), expected["tokens"], {.placeholders = {.image = placeholder}});
}

TEST_CASE("the parts of a model that sees images of any sizes, exported, give transformers' tokens in each runtime") {
    using namespace multimodal_tests;
    const ferry_test::Expected expected(checkpoints() / "qwen2_vl");
    const ferry::AnyModel model = model_of(checkpoints() / "qwen2_vl");
    const at::Tensor ids = at::ones({1, 13}, at::kLong), grids = at::tensor({1, 4, 6}).unsqueeze(0);
    ids.slice(1, 5, 11).fill_(placeholder);
    ferry_test::check_parts(model,
                            ferry::inputs("input_ids", ids, "attention_mask", at::ones_like(ids), "pixel_values",
                                          at::randn({24, 96}), "image_grid_thw", grids),
                            {"image_encoder", "token_embedding", "language_model", "lm_head", "decode"},
                            prompt_of(expected), expected["tokens"],
                            {.options = {.multi_token_decode = true},
                             .placeholders = {.image = placeholder},
                             .prepare = ferry::models::ImageGridInputs{.image_token = placeholder, .merged = 2}});
}

TEST_CASE("the parts of a model that hears, exported, give transformers' tokens in each runtime") {
    using namespace multimodal_tests;
    const ferry_test::Expected expected(checkpoints() / "voxtral");
    ferry_test::check_parts(
        model_of(checkpoints() / "voxtral"), sample_with("input_features", at::randn({3, 8, 36})),
        {"audio_encoder", "multi_modal_projector", "token_embedding", "language_model", "lm_head", "decode"},
        prompt_of(expected), expected["tokens"], {.placeholders = {.audio = placeholder}});
}

TEST_CASE("a model with images of any sizes is exported with what a processor gives") {
    using namespace multimodal_tests;
    const auto model = ferry::from_pretrained<ferry::models::Qwen2Vl>(checkpoints() / "qwen2_vl_tied");
    const ferry_test::Expected expected(checkpoints() / "qwen2_vl_tied");
    const at::Tensor ids = at::ones({5, 4}, at::kLong), grid = at::tensor({1, 3, 6});
    ids.slice(1, 1, 3).fill_(placeholder);
    const ferry::ExportedProgram program = ferry::DynamoExporter{}.export_model(
        model,
        ferry::inputs("input_ids", ids, "attention_mask", at::ones_like(ids), "pixel_values", at::randn({90, 48}),
                      "image_grid_thw", grid.repeat({5, 1}), "past_key_values", ferry::DynamicCache{}),
        {.dynamic = true});
    ferry::Inputs given = model->prepare_inputs(prompt_of(expected));
    given.set("past_key_values", ferry::DynamicCache{});
    const at::Tensor real = expected["attention_mask"].to(at::kBool);
    const at::Tensor logits = program.module()(given).leaves.at(0).tensor();
    CHECK(at::allclose(logits.index({real}), expected["logits"].index({real}), 1e-5, 1e-5));
}

TEST_CASE("images that do not fit to their sizes are refused") {
    using namespace multimodal_tests;
    const ferry::AnyModel model = model_of(checkpoints() / "qwen2_vl");
    const ferry::Inputs prompt = prompt_of(ferry_test::Expected(checkpoints() / "qwen2_vl"));
    const auto says = [&](const char* name, const at::Tensor& value, const std::string& wanted) {
        ferry::Inputs changed = prompt;
        changed.set(name, value);
        const std::string message = ferry_test::message_of([&] { return ferry::generate(model, changed); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("video_grid_thw", at::tensor({1, 2, 2}).unsqueeze(0), "videos");
    says("pixel_values", at::randn({7, 96}), "[56, elements of a patch]");
    says("image_grid_thw", at::tensor({1, 7, 8}).unsqueeze(0), "7 x 8 patches");
    says("image_grid_thw", at::tensor({1, 4, 14}).unsqueeze(0), "tokens for images");
    says("image_grid_thw", at::tensor({1, 4, 14}), "[images, 3]");
    ferry::Inputs sizeless = prompt;
    sizeless.erase("image_grid_thw");
    CHECK(ferry_test::message_of([&] { return ferry::generate(model, sizeless); }).find("image_grid_thw") !=
          std::string::npos);
}

TEST_CASE("a model that sees in another way is refused") {
    using namespace multimodal_tests;
    const ferry_test::Folder folder;
    std::string name = "llava";
    const auto says = [&](const std::string& text, const std::string& other, const std::string& wanted) {
        ferry_test::copy_with(checkpoints() / name, folder / "changed", text, other);
        const std::string message = ferry_test::message_of([&] { return model_of(folder / "changed"); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("\"clip_vision_model\"", "\"pixtral\"", "'pixtral'");
    says("\"model_type\": \"llama\"", "\"model_type\": \"phi\"", "'phi'");
    says("\"text_config\"", "\"texts\"", "'text_config' is missing");
    says("\"hidden_size\": 32,", "", "[97, 32] instead of [97, 4096]");  // as by default
    says("\"image_token_index\"", "\"image_grid_pinpoints\": 3, \"image_token_index\"", "image_grid_pinpoints");
    name = "qwen2_vl";
    says("\"axial\"", "\"default\"", "only 'axial' is supported");
    says("\"mrope_section\": [", "\"mrope_section\": [1,", "does not divide 8 pairs");
    says("\"num_heads\": 2", "\"num_heads\": 8", "8 heads of 16 elements");
    says("\"depth\"", "\"window_size\": 112, \"depth\"", "window_size");
}
