// Checkpoints whose config.json says something else than their weights: a model or an error, and neither takes long.
#include <ferry/models.hpp>

#include <sys/resource.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "checkpoints.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace hostile_configs {

namespace fs = std::filesystem;
using nlohmann::json;

inline std::vector<fs::path> all_checkpoints() {
    std::vector<fs::path> found;
    for (const auto& each : fs::recursive_directory_iterator(ferry_test::checkpoints("")))
        if (each.path().filename() == "config.json") found.push_back(each.path().parent_path());
    std::sort(found.begin(), found.end());
    return found;
}

/// Every value of a document but the document itself.
inline void collect(json& value, std::vector<json*>& places) {
    for (json& each : value) {
        places.push_back(&each);
        if (each.is_structured()) collect(each, places);
    }
}

/// The same weights, by links.
inline void link_all_but_config(const fs::path& from, const fs::path& to) {
    fs::remove_all(to);
    fs::create_directories(to);
    for (const auto& each : fs::directory_iterator(from))
        if (each.path().filename() != "config.json") fs::create_symlink(each.path(), to / each.path().filename());
}

/// One value replaced, often by a number near or far from it; its place, for a test that fails.
inline std::string mutate(json& config, std::mt19937& random) {
    static const std::vector<json> others{0,
                                          10000,
                                          -1,
                                          1,
                                          2,
                                          3,
                                          7,
                                          64,
                                          1000000000,
                                          99999999999999,
                                          -5,
                                          "x",
                                          true,
                                          0.5,
                                          1e-30,
                                          1e300,
                                          "gelu",
                                          "",
                                          nullptr,
                                          json::array(),
                                          json::object(),
                                          {1, 2},
                                          {"full_attention"},
                                          {{"x", 1}},
                                          INT64_MAX,
                                          INT64_MIN};
    std::vector<json*> places;
    collect(config, places);
    json& place = *places[random() % places.size()];
    const std::string before = place.dump();
    if (place.is_number_integer() && random() % 4 == 0)
        place = place.get<std::int64_t>() * 2 - static_cast<std::int64_t>(random() % 3);
    else
        place = others[random() % others.size()];
    return before + " became " + place.dump();
}

inline std::int64_t peak_megabytes() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;
}

/// With the inputs that transformers was given.
inline void run(const ferry::AnyModel& model, const fs::path& folder) {
    const auto known = ferry::safetensors::load(folder / "expected.safetensors");
    ferry::Inputs given;
    for (const auto& [name, tensor] : known.tensors)
        if (model.takes(name)) given.set(name, tensor);
    const at::NoGradGuard no_grad;
    static_cast<void>(model(model.prepare_inputs(given)));
}

}  // namespace hostile_configs

TEST_CASE("any value of config.json may be another one: a model or an error, in little time and memory") {
    namespace hostile = hostile_configs;
    using Clock = std::chrono::steady_clock;
    const ferry_test::Folder folder;
    const auto checkpoints = hostile::all_checkpoints();
    REQUIRE(checkpoints.size() > 80);
    std::mt19937 random(19);
    std::size_t models = 0, errors = 0;
    const std::int64_t megabytes = hostile::peak_megabytes();
    for (std::size_t i = 0; i < 2000; ++i) {
        const auto& from = checkpoints[i % checkpoints.size()];
        CAPTURE(from);
        hostile::link_all_but_config(from, folder / "model");
        std::ifstream file(from / "config.json");
        hostile::json config = hostile::json::parse(file);
        std::string change = hostile::mutate(config, random);
        if (random() % 3 == 0) change += ", " + hostile::mutate(config, random);
        CAPTURE(change);
        std::ofstream(folder / "model/config.json") << config;
        const auto start = Clock::now();
        try {
            const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder / "model");
            ++models;
            try {
                hostile::run(model, folder / "model");
            } catch (const std::exception&) {  // libtorch's, of tensors that do not fit
            }
        } catch (const ferry::Error&) {
            ++errors;
        } catch (const std::exception& error) {
            FAIL_CHECK("from_pretrained: " << std::string(error.what()));
        }
        CHECK(std::chrono::duration<double>(Clock::now() - start).count() < 5);
    }
    CHECK(models > 300);
    CHECK(errors > 300);
    CHECK(hostile::peak_megabytes() < megabytes + 1000);
}
