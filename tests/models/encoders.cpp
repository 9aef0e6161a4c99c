// Encoders of texts from checkpoints of transformers: the same results, and exports that give them too.
#include <ferry/models/encoders.hpp>
#include <ferry/models/from_pretrained.hpp>

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

namespace encoder_tests {

using ferry_test::copy_with, ferry_test::Expected, ferry_test::Folder, ferry_test::message_of;

using Named = std::vector<std::pair<const char*, at::Tensor>>;

std::filesystem::path checkpoints() { return ferry_test::checkpoints("encoders"); }

template <class Kind>
auto model_of(const std::filesystem::path& folder) {
    return ferry::models::from_checkpoint<Kind>(ferry::models::Checkpoint(folder));
}

/// Calls with the type that config.json names.
template <class... Kinds, class Call>
bool with_kind(ferry::type_list<Kinds...>, const std::string& architecture, const Call& call) {
    const auto is = [&]<class Kind>(const Kind* kind) {
        if (Kind::architecture != architecture) return false;
        call(kind);
        return true;
    };
    return (is(static_cast<const Kinds*>(nullptr)) || ...);
}

Named named(const ferry::LogitsOutput& output) { return {{"logits", output.logits}}; }
Named named(const ferry::HiddenOutput& output) { return {{"last_hidden_state", output.last_hidden_state}}; }
Named named(const ferry::PooledOutput& output) {
    return {{"last_hidden_state", output.last_hidden_state}, {"pooler_output", output.pooler_output}};
}

/// The inputs that transformers had, in order.
std::vector<at::Tensor> inputs_of(const Expected& expected) {
    std::vector<at::Tensor> made{expected["input_ids"], expected["attention_mask"]};
    if (expected.has("token_type_ids")) made.push_back(expected["token_type_ids"]);
    return made;
}

bool is_close(const at::Tensor& found, const at::Tensor& wanted) { return at::allclose(found, wanted, 1e-5, 1e-5); }

/// Exported in every format at other sizes than those of the checkpoint's inputs.
template <class Kind>
void check_exports(const char* name) {
    CAPTURE(name);
    const std::filesystem::path folder = checkpoints() / name;
    const auto model = model_of<Kind>(folder);
    const Expected expected(folder);
    const std::vector<at::Tensor> given = inputs_of(expected);
    const at::Tensor wanted = expected[expected.has("logits") ? "logits" : "last_hidden_state"];
    ferry::Inputs sample =
        ferry::inputs("input_ids", at::full({3, 6}, 7, at::kLong), "attention_mask", at::ones({3, 6}, at::kLong));
    if (given.size() == 3) sample.set("token_type_ids", at::zeros({3, 6}, at::kLong));

    const auto program = ferry::DynamoExporter{}.export_model(model, sample, {.dynamic = true});
    CHECK(is_close(program.module()(given).leaves.at(0).tensor(), wanted));

    const Folder made;
    ferry::OnnxExporter{}.export_program(program).save(made / "model.onnx");
    CHECK(is_close(ferry::runtime::OnnxSession(made / "model.onnx").run(given).at(0), wanted));

#ifdef FERRY_RUNS_EXECUTORCH  // else there is no runtime that can be loaded into a program
    const auto executorch = ferry::ExecutorchExporter{}.export_program(program);
    CHECK(is_close(ferry::runtime::ExecutorchSession(executorch.buffer()).run(given).at(0), wanted));
#endif
}

}  // namespace encoder_tests

TEST_CASE("encoders of checkpoints give transformers' results") {
    using namespace encoder_tests;
    std::size_t count = 0;
    const at::NoGradGuard no_grad;
    for (const auto& folder : std::filesystem::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const Expected expected(folder.path());
        const ferry::models::Checkpoint checkpoint(folder.path());
        const auto check = [&]<class Kind>(const Kind*) {
            const auto model = ferry::models::from_checkpoint<Kind>(checkpoint);
            const auto of_all = [&] {
                if constexpr (Kind::Model::forward_parameters.each.size() == 3)
                    return model->forward(expected["input_ids"], expected["attention_mask"],
                                          expected["token_type_ids"]);
                else
                    return model->forward(expected["input_ids"], expected["attention_mask"]);
            };
            for (const auto& [name, tensor] : named(of_all())) CHECK(is_close(tensor, expected[name]));
            for (const auto& [name, tensor] : named(model->forward(expected["input_ids"])))
                CHECK(is_close(tensor, expected[(std::string("alone.") + name).c_str()]));
        };
        CHECK(with_kind(ferry::models::encoder_models{}, checkpoint.architecture(), check));
        ++count;
    }
    CHECK(count == 29);
}

TEST_CASE("encoders, exported, give transformers' results in each runtime") {
    using namespace encoder_tests;
    check_exports<ferry::models::BertForMaskedLm>("BertForMaskedLM");
    check_exports<ferry::models::RobertaModel>("RobertaModel");
    check_exports<ferry::models::ModernBertForSequenceClassification>("modernbert_biased");
}

TEST_CASE("an encoder's checkpoint that is not known in all is refused") {
    using namespace encoder_tests;
    const Folder folder;
    const auto says = [&]<class Kind>(const Kind*, const std::string& text, const std::string& other,
                                      const std::string& wanted) {
        copy_with(checkpoints() / std::string(Kind::architecture), folder / "changed", text, other);
        const std::string message = message_of([&] { return model_of<Kind>(folder / "changed"); });
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    const ferry::models::BertModel* bert = nullptr;
    says(bert, "\"is_decoder\": false", "\"is_decoder\": true", "'is_decoder' is True");
    says(bert, "{", "{\"position_embedding_type\": \"relative_key\",", "only 'absolute' is supported");
    says(bert, "{", "{\"rotary_value\": true,", "rotary_value: True");
    says(bert, "\"num_attention_heads\": 4", "\"num_attention_heads\": 5", "cannot be shared by 5 heads");
    says(bert, "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3", "encoder.layer.2.attention.self.query.weight");
    const ferry::models::ModernBertForSequenceClassification* modernbert = nullptr;
    says(modernbert, "\"classifier_pooling\": \"cls\"", "\"classifier_pooling\": \"max\"", "only 'mean' is supported");
    says(modernbert, "\"rope_type\": \"default\"", "\"rope_type\": \"spiral\"", "'spiral'");
    const ferry::models::AlbertForTokenClassification* albert = nullptr;
    says(albert, "\"num_hidden_groups\": 2", "\"num_hidden_groups\": 0", "must be positive");
}
