// Vision models from checkpoints of transformers: the same outputs, and exports that give them too.
#include <ferry/models/from_pretrained.hpp>
#include <ferry/models/vision.hpp>

#include <ferry/dynamo/exporter.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/program/module.hpp>
#include <ferry/verify/executorch_runtime.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "checkpoints.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace vision_tests {

namespace fs = std::filesystem;
namespace models = ferry::models;
using ferry_test::Expected, ferry_test::Folder;
using Named = std::vector<std::pair<const char*, at::Tensor>>;

inline fs::path checkpoints() { return ferry_test::checkpoints("vision"); }

inline Named named(const ferry::LogitsOutput& made) { return {{"logits", made.logits}}; }
inline Named named(const ferry::PooledOutput& made) {
    return {{"last_hidden_state", made.last_hidden_state}, {"pooler_output", made.pooler_output}};
}
inline Named named(const ferry::DistilledOutput& made) {
    return {
        {"logits", made.logits}, {"cls_logits", made.cls_logits}, {"distillation_logits", made.distillation_logits}};
}

inline void check_same(const at::Tensor& made, const at::Tensor& expected) {
    REQUIRE(made.sizes() == expected.sizes());
    CHECK((made.scalar_type() == expected.scalar_type()));
    const double tolerance = expected.scalar_type() == at::kFloat ? 1e-5 : 3e-2;
    CHECK(at::allclose(made, expected, tolerance, tolerance));
}

/// Calls `use` with the model that the checkpoint is of.
template <class... Kinds, class Use>
bool with_model(ferry::type_list<Kinds...>, const fs::path& folder, const Use& use) {
    const models::Checkpoint checkpoint(folder);
    const std::string name = checkpoint.architecture();
    return ((Kinds::architecture == name && (use(models::from_checkpoint<Kinds>(checkpoint)), true)) || ...);
}

template <class Kind>
std::string message_of(const fs::path& folder) {
    return ferry_test::message_of([&] { return models::from_checkpoint<Kind>(models::Checkpoint(folder)); });
}

TEST_CASE("vision models of checkpoints give transformers' outputs") {
    std::size_t count = 0;
    for (const auto& folder : fs::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const Expected expected(folder.path());
        const at::NoGradGuard no_grad;
        const bool is_known = with_model(models::vision_models{}, folder.path(), [&](const auto& model) {
            const at::Tensor images = expected["pixel_values"];
            for (const auto& [name, made] : named(model->forward(images))) {
                CAPTURE(name);
                CHECK(made.defined() == expected.has(name));
                if (made.defined()) check_same(made, expected[name]);
            }
            if constexpr (requires { model->hidden_states(images); }) {
                const std::vector<at::Tensor> states = model->hidden_states(images);
                CHECK(states.size() == 4);
                for (std::size_t i = 0; i < states.size(); ++i) {
                    const auto number = static_cast<std::int64_t>(i);
                    check_same(states[i], expected[("hidden_states_" + std::to_string(i)).c_str()]);
                    CHECK(at::equal(model->hidden_state(images, number), states[i]));
                    CHECK(at::equal(model->hidden_state(images, number - 4), states[i]));
                }
                CHECK(ferry_test::message_of([&] {
                          return model->hidden_state(images, 4);
                      }).find("no hidden state 4, but 4 of them") != std::string::npos);
            }
        });
        CHECK(is_known);
        ++count;
    }
    CHECK(count == 15);
}

TEST_CASE("vision models, exported, give transformers' outputs in each runtime") {
    for (const char* name :
         {"vit_classifier", "deit_teacher", "swin_padded", "clip", "siglip", "siglip_without_head"}) {
        CAPTURE(name);
        const Expected expected(checkpoints() / name);
        const at::Tensor images = expected["pixel_values"];
        with_model(models::vision_models{}, checkpoints() / name, [&](const auto& model) {
            const at::NoGradGuard no_grad;
            const Named outputs = named(model->forward(images));
            const auto check = [&](const std::vector<at::Tensor>& made) {
                std::size_t next = 0;
                for (const auto& [output, tensor] : outputs)
                    if (tensor.defined() && next < made.size()) check_same(made[next++], expected[output]);
                CHECK(next == made.size());
                CHECK(next > 0);
            };
            const auto inputs = ferry::inputs("pixel_values", images.slice(0, 0, 2).contiguous());

            auto program = ferry::DynamoExporter{}.export_model(model, inputs, {.dynamic = true});
            std::vector<at::Tensor> found;
            for (const ferry::Leaf& leaf : program.module()(images).leaves)
                if (!leaf.is_absent()) found.push_back(leaf.tensor());
            check(found);

            const Folder folder;
            ferry::OnnxExporter{}.export_model(model, inputs, {.dynamic = true}).save(folder / "model.onnx");
            check(ferry::runtime::OnnxSession(folder / "model.onnx").run({images}));

#ifdef FERRY_RUNS_EXECUTORCH  // else there is no runtime that can be loaded into a program
            const auto executorch = ferry::ExecutorchExporter{}.export_model(model, inputs, {.dynamic = true});
            check(ferry::runtime::ExecutorchSession(executorch.buffer()).run({images}));
#endif
        });
    }
}

TEST_CASE("images and checkpoints that a vision model does not take are refused, with what it is") {
    const auto refused = [](const char* name, at::IntArrayRef sizes) {
        std::string message;
        with_model(models::vision_models{}, checkpoints() / name, [&](const auto& model) {
            message = ferry_test::message_of([&] { return model->forward(at::zeros(sizes)); });
        });
        return message;
    };
    CHECK(refused("vit", {1, 3, 32, 24}).find("32 rows and 24 columns, and the model is made for 24 and 24") !=
          std::string::npos);
    CHECK(refused("siglip", {1, 3, 25, 24}).find("25 rows and 24 columns") != std::string::npos);
    CHECK(refused("clip", {1, 1, 24, 24}).find("[1, 1, 24, 24], and the model takes [batch, 3, rows, columns]") !=
          std::string::npos);
    CHECK(refused("swin", {3, 24, 24}).find("[3, 24, 24]") != std::string::npos);
    CHECK(refused("swin", {1, 3, 8, 20}).find("2 by 5 patches has no room for a window of 3") != std::string::npos);
    CHECK(refused("swin_classifier", {1, 3, 36, 24}).find("36 rows and 24 columns") != std::string::npos);

    const Folder folder;
    const auto says = [&]<class Kind>(const Kind*, const char* name, const std::string& text, const std::string& other,
                                      const std::string& wanted) {
        ferry_test::copy_with(checkpoints() / name, folder / "changed", text, other);
        const std::string message = message_of<Kind>(folder / "changed");
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    const auto vit = static_cast<const models::VitModel*>(nullptr);
    says(vit, "vit", "\"patch_size\": 8", "\"patch_size\": 0", "'patch_size' is 0, which is no size");
    says(vit, "vit", "\"patch_size\": 8", "\"patch_size\": [8, 8, 8]", "[8, 8, 8], which is no size");
    says(vit, "vit", "\"patch_size\": 8", "\"patch_size\": 6", "[1, 10, 32] instead of [1, 17, 32]");
    says(vit, "vit", "\"num_attention_heads\": 4", "\"num_attention_heads\": 0", "32 elements cannot be in 0 heads");
    says(vit, "vit", "\"hidden_act\"", "\"layer_scale\": 0.1, \"hidden_act\"", "layer_scale: 0.1");
    says(static_cast<const models::SwinModel*>(nullptr), "swin", "\"window_size\": 3", "\"window_size\": 0",
         "a window");
}

}  // namespace vision_tests
