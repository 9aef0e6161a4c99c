// A backend by its name.
#include <ferry/recipes/auto_exporter.hpp>

#include <ferry/core/log.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/tree/context_json.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>

#include "../python_peer.hpp"
#include "printing_backend.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace auto_exporter_tests {

namespace fs = std::filesystem;
using ferry::tree::Context;
using WithPrinter = ferry::concat_t<ferry::default_exporters, ferry::auto_exporters<printing::PrintExporter>>;
using Auto = ferry::AutoExporter<>;
using Config = ferry::AutoExportConfig<>;

static_assert(ferry::exporter<ferry::DynamoExporter<>> && ferry::exporter<ferry::OnnxExporter<>> &&
              ferry::exporter<ferry::ExecutorchExporter<>> && ferry::exporter<printing::PrintExporter>);
static_assert(!ferry::exporter<printing::Text> && !ferry::export_config<printing::PrintExporter>);

inline constexpr auto model = [](const at::Tensor& x) { return (x * 2).relu(); };

inline Context dict(const char* json) { return ferry::tree::from_json(json); }

template <class Call>
std::string message_of(const Call& call) {
    try {
        static_cast<void>(call());
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "no error";
}

/// What is logged as long as it lives.
struct Warnings {
    static inline std::string said;
    Warnings() {
        said.clear();
        before = ferry::set_log_sink([](ferry::LogLevel, std::string_view message) { said += message; });
    }
    ~Warnings() { ferry::set_log_sink(before); }
    ferry::LogSink before;
};

}  // namespace auto_exporter_tests

TEST_CASE("a config of whichever backend, by the name in its dict") {
    using namespace auto_exporter_tests;
    for (const ferry::ExportFormat format :
         {ferry::ExportFormat::dynamo, ferry::ExportFormat::onnx, ferry::ExportFormat::executorch}) {
        const Config made(format);
        CHECK(made.format() == name_of(format));
        CHECK(Config::from_dict(made.to_dict()).to_dict() == made.to_dict());
        CHECK(Config(name_of(format)).to_dict() == made.to_dict());
    }
    const Config onnx = Config::from_dict(dict(R"({"export_format": "onnx", "opset_version": 20, "dynamic": true})"));
    REQUIRE(onnx.get_if<ferry::OnnxConfig>() != nullptr);
    CHECK(onnx.get_if<ferry::OnnxConfig>()->opset_version == 20);
    CHECK(onnx.get_if<ferry::DynamoConfig>() == nullptr);
    CHECK(onnx.dynamo().dynamic);
    CHECK(Config(ferry::ExecutorchConfig{.backend = "portable"}).to_dict().find("backend")->text() == "portable");
}

TEST_CASE("what names no backend lists those that there are") {
    using namespace auto_exporter_tests;
    const auto refused = [](const char* json, const char* says) {
        CAPTURE(json);
        const std::string message = message_of([&] { return Config::from_dict(dict(json)); });
        CHECK(message.find(says) != std::string::npos);
        CHECK(message == message_of([&] { return Auto::from_config(dict(json)); }));
    };
    refused(R"({"dynamic": true})", "has no 'export_format'\n  hint: set it to one of: dynamo, onnx, executorch");
    refused(R"({"export_format": 3})", "'export_format' is 3, and no name");
    refused(R"({"export_format": "openvino"})",
            "no export format 'openvino'\n  hint: there are: dynamo, onnx, executorch");
    refused(R"({"export_format": "onnx", "opset": 20})", "there is no such setting (at opset)");
    refused(R"([1])", "has no 'export_format'");

    const Warnings log;
    CHECK(Auto::supports_export_format(dict(R"({"export_format": "onnx"})")));
    CHECK(Warnings::said.empty());
    CHECK_FALSE(Auto::supports_export_format(dict("{}")));
    CHECK(Warnings::said == "the export config has no 'export_format'; there are: dynamo, onnx, executorch");
    Warnings::said.clear();
    CHECK_FALSE(Auto::supports_export_format(dict(R"({"export_format": "mine"})")));
    CHECK(Warnings::said == "there is no export format 'mine'; there are: dynamo, onnx, executorch");
    Warnings::said.clear();
    using Few = ferry::AutoExporter<ferry::auto_exporters<ferry::DynamoExporter<>>>;
    CHECK_FALSE(Few::supports_export_format(dict(R"({"export_format": "onnx"})")));
    CHECK(Warnings::said.find("has a config and no exporter among these: dynamo") != std::string::npos);
}

TEST_CASE("the exporter that a config names exports, from models and from programs") {
    using namespace auto_exporter_tests;
    const ferry_test::Folder folder;
    const at::Tensor x = at::randn({3, 4});
    const auto program = ferry::DynamoExporter<>{}.export_model(model, ferry::inputs("x", x));
    for (const char* name : {"dynamo", "onnx", "executorch"}) {
        CAPTURE(name);
        const auto exporter = Auto::from_config(Config(std::string_view(name)));
        const auto made = exporter.export_model(model, ferry::inputs("x", x));
        CHECK(made.format() == name);
        const bool is_program = made.get_if<ferry::ExportedProgram>() != nullptr,
                   is_onnx = made.get_if<ferry::OnnxProgram>() != nullptr,
                   is_executorch = made.get_if<ferry::ExecutorchProgram>() != nullptr;
        CHECK(is_program == (made.format() == "dynamo"));
        CHECK(is_onnx == (made.format() == "onnx"));
        CHECK(is_executorch == (made.format() == "executorch"));
        made.save(folder / ("model" + std::string(made.suffix())));
        const auto again = exporter.export_program(program);
        again.save(folder / ("program" + std::string(again.suffix())));
        CHECK(ferry_test::read_bytes(folder / ("model" + std::string(made.suffix()))).size() > 100);
    }
    CHECK(fs::exists(folder / "model.pt2"));
    CHECK(fs::exists(folder / "program.onnx"));
    CHECK(fs::exists(folder / "program.pte"));
}

TEST_CASE("a user's backend is a type in the list") {
    using namespace auto_exporter_tests;
    using Mine = ferry::AutoExporter<WithPrinter>;
    const auto exporter = Mine::from_config(dict(R"({"export_format": "print", "title": "mine", "dynamic": true})"));
    const auto made = exporter.export_model(model, ferry::inputs("x", at::randn({3, 4})));
    REQUIRE(made.get_if<printing::Text>() != nullptr);
    CHECK(made.suffix() == ".txt");
    const std::string& text = made.get_if<printing::Text>()->text;
    CHECK(text.starts_with("mine\n"));
    CHECK(text.find("relu") != std::string::npos);
    CHECK(text.find("s0") != std::string::npos);
    CHECK(message_of([] { return Mine::from_config(dict(R"({"export_format": "x"})")); }).find("executorch, print") !=
          std::string::npos);
    // In place of Ferry's, with a pipeline of one's own.
    using Shorter = ferry::replace_t<WithPrinter, ferry::OnnxExporter<>,
                                     ferry::OnnxExporter<ferry::extend<ferry::onnx_pipeline, ferry::ir_fixes<>>>>;
    CHECK(ferry::AutoExportConfig<Shorter>(ferry::ExportFormat::onnx).format() == "onnx");
}

TEST_CASE("dicts mean what they mean to transformers") {
    using namespace auto_exporter_tests;
    const ferry_test::Folder folder;
    const char* dicts =
        R"([{}, {"export_format": null}, {"export_format": "onnx"}, {"export_format": "dynamo", "dynamic": true},
            {"export_format": "executorch", "backend": "xnnpack"}, {"export_format": "ONNX"}, {"export_format": 3},
            {"export_format": "onnx", "opset": 20}, {"export_format": "onnx", "opset_version": 20, "optimize": false},
            {"export_format": "dynamo", "opset_version": 20}, {"dynamic": true}, {"export_format": "tflite"}])";
    std::ofstream(folder / "dicts.json") << dicts;
    REQUIRE(ferry_test::run_python(FERRY_PYTHON, FERRY_RECIPE_TESTS "/peer_auto.py",
                                   {(folder / "dicts.json").string(), (folder / "outcomes.json").string()}));
    std::ifstream file(folder / "outcomes.json");
    const Context outcomes = dict(std::string{std::istreambuf_iterator<char>(file), {}}.c_str()), given = dict(dicts);
    const Warnings log;
    const auto name_of_class = [](const Context& each) -> std::string {
        try {
            const std::string_view format = Config::from_dict(each).format();
            return format == "onnx" ? "OnnxConfig" : format == "dynamo" ? "DynamoConfig" : "ExecutorchConfig";
        } catch (const ferry::Error&) {
            return "error";
        }
    };
    REQUIRE(outcomes.items().size() == given.items().size());
    for (std::size_t i = 0; i < given.items().size(); ++i) {
        const Context& each = given.items()[i];
        CAPTURE(ferry::tree::to_json(each));
        CHECK(name_of_class(each) == outcomes.items()[i].items()[0].text());
        CHECK(Auto::supports_export_format(each) == *outcomes.items()[i].items()[1].as_boolean());
    }
}
