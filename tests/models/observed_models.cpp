// Models that are observed while they generate, exported with what was seen, and checked against it in each runtime.
#include <ferry/models.hpp>

#include <ferry/dynamo/exporter.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/pt2.hpp>
#include <ferry/verify/discrepancies.hpp>
#include <ferry/verify/discrepancy_report.hpp>
#include <ferry/verify/executorch_artifact.hpp>
#include <ferry/verify/onnx_artifact.hpp>

#include <doctest/doctest.h>
#include <torch/torch.h>

#include "../python_peer.hpp"
#include "checkpoints.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace observed_model_tests {

using ferry::AnyModel;
using ferry::InputObserver;

AnyModel load(const char* kind, const char* name) {
    return ferry::AutoModel<>::from_pretrained(ferry_test::checkpoints(kind) / name);
}

/// All calls, and none of them without numbers.
void check_rows(const char* format, const ferry::Discrepancies& rows, const InputObserver& observer) {
    const std::string found = ferry::to_table(rows);
    const std::string where = format;
    CAPTURE(where);
    CAPTURE(found);
    CHECK(rows.size() == observer.num_calls());
    for (const ferry::Discrepancy& row : rows) {
        CHECK(row.success);
        CHECK(row.absolute.value_or(1) < 1e-4);
    }
}

void check_formats(const AnyModel& model, const InputObserver& observer) {
    const ferry_test::Folder folder;
    const ferry::ExportedProgram program = ferry::DynamoExporter{}.export_model(model, observer);
    check_rows("program", ferry::check_discrepancies(program, observer), observer);
    ferry::save(program, folder / "model.pt2");
    check_rows("file of a program", ferry::check_discrepancies(ferry::load(folder / "model.pt2"), observer), observer);

    const ferry::OnnxProgram onnx = ferry::OnnxExporter{}.export_model(model, observer);
    check_rows("ONNX", ferry::check_discrepancies(onnx, observer), observer);
    onnx.save(folder / "model.onnx");
    check_rows("ONNX file", ferry::check_discrepancies(ferry::onnx_artifact(folder / "model.onnx"), observer),
               observer);

#ifdef FERRY_RUNS_EXECUTORCH
    const ferry::ExecutorchProgram executorch = ferry::ExecutorchExporter{}.export_model(model, observer);
    check_rows("ExecuTorch", ferry::check_discrepancies(executorch, observer), observer);
    executorch.save(folder / "model.pte");
    check_rows("ExecuTorch file",
               ferry::check_discrepancies(ferry::executorch_artifact(folder / "model.pte"), observer), observer);
#endif
}

/// The dimensions that vary of an input, all of which are to be tried from there on.
std::set<std::int64_t> dims_of(const ferry::DynamicShapes& shapes, const std::string& path) {
    std::set<std::int64_t> dims;
    REQUIRE(shapes.contains(path));
    for (const auto& [place, dim] : shapes.at(path)) dims.insert(place);
    return dims;
}

}  // namespace observed_model_tests

TEST_CASE("a language model is exported with what was observed, and gives the same in each runtime") {
    using namespace observed_model_tests;
    const AnyModel model = load("language_models", "llama");
    const ferry_test::Expected expected(ferry_test::checkpoints("language_models") / "llama");
    InputObserver observer;
    {
        const auto observed = observer(model, {.store_n_calls = 4});
        static_cast<void>(ferry::generate(
            model, ferry::inputs("input_ids", expected["input_ids"], "attention_mask", expected["attention_mask"]),
            {.max_new_tokens = 6}));
    }
    static_cast<void>(ferry::generate(model, ferry::inputs("input_ids", expected["input_ids"]), {.max_new_tokens = 2}));
    REQUIRE(observer.num_calls() == 4);
    const ferry::DynamicShapes shapes = observer.infer_dynamic_shapes();
    CHECK(dims_of(shapes, "input_ids") == std::set<std::int64_t>{1});
    CHECK(dims_of(shapes, "attention_mask") == std::set<std::int64_t>{1});
    CHECK(dims_of(shapes, "past_key_values.keys.0") == std::set<std::int64_t>{2});
    const ferry::Inputs arguments =
        observer.infer_arguments();  // of the first call, which has a cache, though an empty one
    CHECK(arguments.get<at::Tensor>("input_ids").sizes() == expected["input_ids"].sizes());
    CHECK(arguments.get<at::Tensor>("past_key_values.keys.0").size(2) == 0);
    check_formats(model, observer);
}

TEST_CASE("encoder and decoder of one generation are observed at once") {
    using namespace observed_model_tests;
    for (const char* name : {"t5", "whisper"}) {
        CAPTURE(name);
        const AnyModel model = load("encoder_decoders", name), encoder = *model.part("encoder");
        const ferry_test::Expected expected(ferry_test::checkpoints("encoder_decoders") / name);
        InputObserver of_encoder, of_prefill, of_decode;
        for (const std::int64_t batch : {2, 3}) {
            const auto first = of_encoder(encoder);
            const auto second = of_prefill(model, {.store_n_calls = 1});
            const auto third = of_decode(model, {.store_n_calls = 2, .skip_n_calls = 1});
            const at::Tensor ids = at::ones({batch, 3 + batch}, at::kLong);
            const ferry::Inputs prompt =
                expected.has("input_features")
                    ? ferry::inputs("input_features", expected["input_features"].narrow(0, 0, 1).repeat({batch, 1, 1}))
                    : ferry::inputs("input_ids", ids, "attention_mask", ids);
            static_cast<void>(ferry::generate(model, prompt, {.max_new_tokens = 4}));
        }
        CHECK(of_encoder.num_calls() == 2);
        CHECK(of_prefill.num_calls() == 2);
        CHECK(of_decode.num_calls() == 4);
        check_formats(encoder, of_encoder);
        check_formats(model, of_prefill);
        check_formats(model, of_decode);
    }
}

TEST_CASE("pixel values in the first call, a cache in the later ones: one model for both") {
    using namespace observed_model_tests;
    const AnyModel model = load("multimodal_models", "llava");
    const ferry_test::Expected expected(ferry_test::checkpoints("multimodal_models") / "llava");
    const at::Tensor pixels = expected["pixel_values"];
    const ferry::Inputs prompt = ferry::inputs("input_ids", expected["input_ids"], "attention_mask",
                                               expected["attention_mask"], "pixel_values", pixels);
    const auto observe = [&](ferry::Inputs missing) {
        InputObserver observer(std::move(missing));
        const auto observed = observer(model);
        static_cast<void>(ferry::generate(model, prompt, {.max_new_tokens = 3}));
        return observer;
    };
    const InputObserver without = observe({});
    CHECK(ferry_test::message_of([&] { return without.infer_arguments(); }).find("value_if_missing") !=
          std::string::npos);

    const InputObserver observer = observe(ferry::inputs("pixel_values", pixels.slice(0, 0, 0)));
    CHECK(dims_of(observer.infer_dynamic_shapes(), "pixel_values") == std::set<std::int64_t>{0});
    CHECK(observer.infer_arguments(1).get<at::Tensor>("pixel_values").size(0) == 0);
    check_formats(model, observer);
}
