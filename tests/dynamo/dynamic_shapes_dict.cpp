// Dynamic shapes in the form that Python has for them.
#include <ferry/dynamo/dynamic_shapes_dict.hpp>

#include <ferry/dynamo/config.hpp>
#include <ferry/tree/context_json.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace ferry;
using doctest::Contains;

namespace {

DynamicShapes read(const char* json) { return read_dynamic_shapes("dynamic_shapes", tree::from_json(json)); }

/// In the plainest form: a path for each input, a number for each dimension.
std::string plain(const char* json) { return tree::to_json(to_setting(read(json))); }

}  // namespace

TEST_CASE("dimensions by number, or one after the other") {
    const auto plainly = [](const char* json, const char* expected) {
        INFO(json);
        CHECK(plain(json) == tree::to_json(tree::from_json(expected)));
        CHECK(plain(expected) == plain(json));
    };
    plainly(R"({"x": {"0": {"name": "n", "min": 1, "max": 9}, "-1": "DYNAMIC"}})",
            R"({"x": {"-1": "dynamic", "0": {"name": "n", "min": 1, "max": 9}}})");
    plainly(R"({"x": [{"name": "n"}, null, 4, "AUTO", "STATIC"]})",
            R"({"x": {"0": {"name": "n"}, "1": "static", "2": 4, "3": "auto", "4": "static"}})");
    plainly(R"({"x": {"0": null, "1": "auto"}})", R"({"x": {"0": "static", "1": "auto"}})");
    plainly(R"({"x": null, "y": [null, null], "z": {"0": null}})", R"({"x": {}, "y": {}, "z": {}})");
    plainly(R"({"x": [{"size": "2*n", "of": [{"name": "n"}]}]})",
            R"({"x": {"0": {"size": "2*n", "of": [{"name": "n"}]}}})");
    plainly(R"({"x": ["dynamic:0", "dynamic"]})", R"({"x": {"0": "dynamic:0", "1": "dynamic"}})");
    CHECK(read(R"({"x": ["dynamic:0"]})").at("x").at(0).tried_from() == 0);
    CHECK_THROWS_AS(static_cast<void>(read(R"({"x": ["dynamic:-1"]})")), Error);
    CHECK(read("null").empty());
    CHECK(read(R"({"x": [null, 4]})").at("x").at(1).fixed_size() == 4);
}

TEST_CASE("what is nested is nested as the inputs are") {
    const auto same = [](const char* json, const char* expected) {
        INFO(json);
        CHECK(plain(json) == tree::to_json(tree::from_json(expected)));
    };
    same(R"({"past": [{"keys": {"2": "auto"}, "values": [null, "auto"]}, null]})",
         R"({"past.0.keys": {"2": "auto"}, "past.0.values": {"0": "static", "1": "auto"}, "past.1": {}})");
    same(R"({"pair": [["auto"], {"0": 3}]})", R"({"pair.0": {"0": "auto"}, "pair.1": {"0": 3}})");
    same(R"({"named": {"name": ["auto"], "size": null}})", R"({"named.name": {"0": "auto"}, "named.size": {}})");
    same(R"({"past.*.keys": ["auto"]})", R"({"past.*.keys": {"0": "auto"}})");
}

TEST_CASE("what is no dynamic shape is refused where it stands") {
    const auto refused = [](const char* json, const char* where, const char* what) {
        INFO(json);
        CHECK_THROWS_WITH_AS(static_cast<void>(read(json)), Contains(where), Error);
        CHECK_THROWS_WITH_AS(static_cast<void>(read(json)), Contains(what), Error);
    };
    refused(R"(["auto"])", "dynamic_shapes", "a dict of inputs");
    refused(R"({"x": "auto"})", "dynamic_shapes.x", "dimensions");
    refused(R"({"x": {"first": "auto"}})", "dynamic_shapes.x.first", "the number of a dimension");
    refused(R"({"x": {"0": "sometimes"}})", "dynamic_shapes.x.0", "auto, dynamic, static");
    refused(R"({"x": ["auto", ["auto"]]})", "dynamic_shapes.x.1", "auto, dynamic, static");
    refused(R"({"x": {"0": {"name": "n", "min": "one"}}})", "dynamic_shapes.x.0.min", "a whole number");
    refused(R"({"x": [true]})", "dynamic_shapes.x.0", "dimensions");
}

TEST_CASE("a configuration as Python's dict, both ways") {
    const Dim rows("rows", 2, 9);
    const DynamoConfig config{.dynamic_shapes = {{"x", {{0, rows}, {1, Dim::AUTO}}}}, .strict = true};
    const auto dict = config.to_dict();
    CHECK(dict.find("export_format")->text() == "dynamo");
    CHECK(DynamoConfig::from_dict(tree::from_json(tree::to_json(dict))).to_dict() == dict);
    CHECK(DynamoConfig::from_dict(tree::from_json("{}")).to_dict() == DynamoConfig{}.to_dict());
    CHECK(DynamoConfig::from_dict(tree::from_json(R"({"dynamic": true})")).dynamic);
    CHECK_THROWS_WITH(static_cast<void>(DynamoConfig::from_dict(tree::from_json(R"({"dynamics": true})"))),
                      Contains("there is no such setting (at dynamics)"));
    CHECK_THROWS_WITH(static_cast<void>(DynamoConfig::from_dict(tree::from_json(R"({"export_format": "onnx"})"))),
                      Contains("the setting is not \"dynamo\""));
    CHECK(export_format("onnx") == ExportFormat::onnx);
    CHECK_THROWS_WITH(static_cast<void>(export_format("tflite")), Contains("there are: dynamo, onnx, executorch"));
}
