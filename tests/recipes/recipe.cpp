// How a model is exported, as a file beside its weights.
#include <ferry/recipes.hpp>

#include <ferry/core/names.hpp>
#include <ferry/tree/context_json.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <torch/nn/module.h>

#include "../mutate.hpp"
#include "../python_peer.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace recipe_files {

namespace fs = std::filesystem;
using nlohmann::json;
using Auto = ferry::AutoExporter<>;

/// Small enough to be exported two thousand times.
struct Masked : torch::nn::Module {
    static constexpr auto forward_parameters = ferry::names("input_ids", "attention_mask");
    at::Tensor forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) {
        return input_ids * attention_mask;
    }
};

inline void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline ferry::Inputs inputs() {
    const at::Tensor ids = at::ones({2, 7}, at::TensorOptions(at::kLong));
    return ferry::inputs("input_ids", ids, "attention_mask", ids);
}

/// With all that there may be in one.
inline ferry::ExportRecipe full_recipe() {
    const ferry::Dim batch("batch", 1, 8), length("length", 2, 64);
    const ferry::DynamicShapes shapes{{"input_ids", {{0, batch}, {1, length}}},
                                      {"attention_mask", {{0, batch}, {1, length}}}};
    ferry::ExportRecipe made = ferry::ExportRecipe::of(ferry::OnnxConfig{.opset_version = 21}, inputs());
    made.set_part("model", ferry::OnnxConfig{.dynamic_shapes = shapes, .opset_version = 21}.to_dict());
    made.dtype = at::kFloat;
    return made;
}

template <class Call>
std::string message_of(const Call& call) {
    try {
        static_cast<void>(call());
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "no error";
}

inline void collect(json& value, std::vector<json*>& places) {
    for (json& each : value) {
        places.push_back(&each);
        if (each.is_structured()) collect(each, places);
    }
}

/// A value exchanged, a key renamed or taken away.
inline void mutate(json& document, std::mt19937& random) {
    static const std::vector<json> others{0,
                                          -1,
                                          1,
                                          2,
                                          "x",
                                          "auto",
                                          "../x.safetensors",
                                          "/etc/passwd",
                                          "n + n*n",
                                          "Mod(n, 0)",
                                          nullptr,
                                          true,
                                          1e300,
                                          INT64_MAX,
                                          INT64_MIN,
                                          json::array(),
                                          json::object(),
                                          {1, "auto", nullptr},
                                          {{"0", "auto"}},
                                          {{"name", "n"}, {"min", 3}, {"max", 1}},
                                          {{"size", "2*n"}, {"of", {{{"name", "n"}}}}},
                                          "onnx",
                                          "executorch",
                                          std::string(3000, '('),
                                          99999999999999};
    std::vector<json*> places;
    collect(document, places);
    json& place = *places[random() % places.size()];
    const std::string key = place.is_object() && !place.empty() ? place.begin().key() : "";
    switch (random() % 4) {
        case 0:
            if (key.empty()) break;
            place[key + "x"] = place[key];
            place.erase(key);
            return;
        case 1:
            if (key.empty()) break;
            place[key] = others[random() % others.size()];
            return;
        default: break;
    }
    place = others[random() % others.size()];
}

}  // namespace recipe_files

TEST_CASE("a recipe is read as it was written") {
    namespace files = recipe_files;
    const ferry_test::Folder folder;
    const ferry::ExportRecipe written = files::full_recipe();
    written.save(folder / "export_config.json");
    CHECK(files::fs::exists(folder / "export_config_inputs.safetensors"));
    const auto read = ferry::ExportRecipe::from_pretrained(folder.path);
    CHECK(read.to_dict("x") == written.to_dict("x"));
    CHECK(read.format() == "onnx");
    CHECK(read.dtype == at::kFloat);
    REQUIRE(read.inputs.size() == 2);
    CHECK(read.inputs[0].first == "input_ids");
    CHECK(at::equal(read.inputs[0].second, written.inputs[0].second));
    const auto exporter = files::Auto::from_pretrained(folder.path);
    const auto* config = exporter.config_of("model").get_if<ferry::OnnxConfig>();
    REQUIRE(config != nullptr);
    CHECK(config->opset_version == 21);
    CHECK(config->dynamic_shapes.at("input_ids").at(1).ranges().at("length").max == 64);
    CHECK(exporter.config().get_if<ferry::OnnxConfig>()->dynamic_shapes.empty());
}

TEST_CASE("an exporter has the recipe of what it does, but not where to") {
    namespace files = recipe_files;
    const ferry_test::Folder folder;
    const auto exporter =
        files::Auto::from_config(ferry::OnnxConfig{.output_path = folder / "x.onnx", .opset_version = 20});
    exporter.recipe().save(folder / "export_config.json");
    const auto read = files::Auto::from_pretrained(folder.path);
    CHECK(read.config().get_if<ferry::OnnxConfig>()->opset_version == 20);
    CHECK_FALSE(read.config().get_if<ferry::OnnxConfig>()->output_path.has_value());
}

TEST_CASE("a recipe may stand in config.json, and a plain config is one") {
    namespace files = recipe_files;
    const ferry_test::Folder folder;
    CHECK_FALSE(ferry::ExportRecipe::is_in(folder.path));
    files::write(folder / "config.json", R"({"model_type": "bert"})");
    CHECK_FALSE(ferry::ExportRecipe::is_in(folder.path));
    CHECK(files::message_of([&] { return files::Auto::from_pretrained(folder.path); }).find("has no export recipe") !=
          std::string::npos);
    files::write(folder / "config.json",
                 R"({"export_config": {"export_format": "executorch", "backend": "portable"}})");
    CHECK(ferry::ExportRecipe::is_in(folder.path));
    CHECK(files::Auto::from_pretrained(folder.path).config().get_if<ferry::ExecutorchConfig>()->backend == "portable");
    files::write(folder / "export_config.json",
                 R"({"version": 1, "export_format": "dynamo", "config": {"dynamic": true}})");
    CHECK(files::Auto::from_pretrained(folder.path).config().get_if<ferry::DynamoConfig>()->dynamic);
}

TEST_CASE("what is wrong with a recipe is told before anything is exported") {
    namespace files = recipe_files;
    const ferry_test::Folder folder;
    const auto refused = [&](const char* json, const char* says) {
        CAPTURE(json);
        files::write(folder / "export_config.json", json);
        const std::string message = files::message_of([&] { return files::Auto::from_pretrained(folder.path); });
        CAPTURE(message);
        CHECK(message.find(says) != std::string::npos);
    };
    refused(R"({"version": 2, "export_format": "onnx", "new": 1})", "is of version 2, and this Ferry knows up to 1");
    refused(R"({"version": "1", "export_format": "onnx"})", "'version' is not a number from 1");
    refused(R"({"version": 1, "export_format": "onnx", "shapes": {}})", "has an unknown key, 'shapes'");
    refused(R"({"version": 1, "export_format": "onnx", "config": {"opset": 3}})",
            "there is no such setting (at opset)");
    refused(R"({"version": 1, "config": {}})", "has no 'export_format'");
    refused(R"({"version": 1, "export_format": "tflite"})", "there are: dynamo, onnx, executorch");
    refused(R"({"version": 1, "export_format": "onnx", "config": {"opset_version": 3}})", "opset 3");
    refused(R"({"version": 1, "export_format": "onnx", "parts": {"decode": {"export_format": "dynamo"}}})",
            "one format");
    refused(R"({"version": 1, "export_format": "onnx", "parts": {}})", "with a part or more");
    refused(R"({"version": 1, "export_format": "onnx", "dtype": "int8"})", "float32, float16 or bfloat16");
    refused(R"({"version": 1, "export_format": "onnx", "static_cache_length": 99999999999})", "a number of tokens");
    for (const char* path : {"../x.safetensors", "/etc/passwd", "..", "", "a/b"})
        refused(
            (R"({"version": 1, "export_format": "onnx", "inputs": {"file": ")" + std::string(path) + "\"}}").c_str(),
            "'inputs.file' is not the name of a file in its folder");
    refused(R"({"version": 1, "export_format": "onnx", "inputs": {"file": "none.safetensors"}})", "cannot be opened");
    for (const char* where : {R"("config": {"output_path": "/tmp/x"})", R"("parts": {"decode": {"output_path": "x"}})"})
        refused((R"({"version": 1, "export_format": "onnx", )" + std::string(where) + "}").c_str(),
                "says where its files go");
    refused(R"({"export_format": "onnx", "output_path": "/tmp/x"})", "says where its files go");
    refused(R"([1])", "is no JSON object");
    refused(R"({"version": )", "is no JSON");

    files::write(folder / "export_config.json",
                 R"({"version": 1, "export_format": "dynamo", "parts": {"decode": {}}})");
    const auto exporter = files::Auto::from_pretrained(folder.path);
    const auto model = std::make_shared<files::Masked>();
    CHECK(files::message_of([&] { return exporter.export_parts(model); }).find("there are: model") !=
          std::string::npos);
    CHECK(files::message_of([] {
              return ferry::ExportRecipe::of(ferry::DynamoConfig{}, ferry::inputs("x", 3));
          }).find("'x' is none") != std::string::npos);
}

TEST_CASE("hostile recipes end in an error or an export, and nothing else") {
    namespace files = recipe_files;
    using Clock = std::chrono::steady_clock;
    const ferry_test::Folder folder;
    const auto model = std::make_shared<files::Masked>();
    files::full_recipe().save(folder / "export_config.json");
    const auto bytes = ferry_test::read_bytes(folder / "export_config.json");
    const files::json document =
        files::json::parse(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    std::size_t exported = 0, refused = 0;
    std::mt19937 random(19);
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        if (seed % 3 == 0) {
            ferry_test::write_bytes(folder / "export_config.json", ferry_test::damaged(bytes, seed));
        } else {
            files::json other = document;
            files::mutate(other, random);
            if (seed % 3 == 1) files::mutate(other, random);
            files::write(folder / "export_config.json", other.dump());
        }
        const auto start = Clock::now();
        try {
            static_cast<void>(files::Auto::from_pretrained(folder.path).export_parts(model));
            ++exported;
        } catch (const ferry::Error& error) {
            CHECK(error.kind() != ferry::ErrorKind::internal);
            ++refused;
        } catch (const std::exception& error) {
            FAIL_CHECK("not ours: " << std::string(error.what()));
        }
        CHECK(std::chrono::duration<double>(Clock::now() - start).count() < 5);
    }
    CHECK(exported > 50);
    CHECK(refused > 500);
}
