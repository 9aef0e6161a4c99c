// Files that are damaged, made up, or from another version.
#include <ferry/pt2/load.hpp>

#include <ferry/files/output_file.hpp>
#include <ferry/files/zip_reader.hpp>
#include <ferry/files/zip_writer.hpp>
#include <ferry/program/decompositions/core_aten.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/run_decompositions.hpp>

#include "../mutate.hpp"
#include "../python_peer.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::vector<std::string> programs{"nested_inputs", "condition", "buffers_not_saved"};

const fs::path& exported() {
    static const ferry_test::Folder folder;
    static const bool ran = [] {
        std::vector<std::string> arguments{folder.path.string()};
        arguments.insert(arguments.end(), programs.begin(), programs.end());
        return ferry_test::run_python(FERRY_PYTHON, FERRY_EXPORT_FEATURES, arguments);
    }();
    REQUIRE(ran);
    return folder.path;
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A copy of an archive in which entries ending so have another text, or are left out; checksums are right again.
void repack(const fs::path& from, const fs::path& to, const std::string& ending,
            const std::function<std::optional<std::string>(std::string)>& change) {
    auto bytes = ferry_test::read_bytes(from);
    const ferry::files::ZipReader reader(bytes);
    ferry::files::OutputFile file(to);
    ferry::files::ZipWriter writer(file);
    for (const auto& entry : reader.entries()) {
        std::optional<std::string> text = text_of(entry.stored);
        if (entry.name.ends_with(ending)) text = change(*text);
        if (text) writer.add(entry.name, *text);
    }
    writer.finish();
    file.commit();
}

/// On its examples, where it has any: what a damaged program does then is anybody's guess, but no crash.
void run(ferry::ProgramModule& module) {
    const auto& examples = module.program().example_inputs;
    const auto elements = [](const ferry::Leaf& leaf) {
        return leaf.is_tensor() && leaf.tensor().defined() ? leaf.tensor().numel() : 0;
    };
    constexpr std::int64_t most = 1 << 20;
    if (std::ranges::none_of(examples, [&](const ferry::Leaf& leaf) { return elements(leaf) > most; }))
        static_cast<void>(module.run(examples));
}

/// What reading it, running it and taking it apart says: nothing, or the error, which is one of ours.
std::string outcome(const fs::path& path) {
    try {
        const ferry::ExportedProgram program = ferry::load(path);
        ferry::ProgramModule module = program.module();
        run(module);
        static_cast<void>(program.run_decompositions<ferry::core_aten_decompositions>());
    } catch (const ferry::Error& error) {
        CHECK(error.kind() != ferry::ErrorKind::internal);
        CHECK(std::string(error.what()).find("Exception raised from") == std::string::npos);  // a backtrace
        return error.what();
    }
    return {};
}

/// Every place of a document where a value stands.
void collect(json& value, std::vector<json*>& into) {
    into.push_back(&value);
    if (value.is_structured())
        for (json& each : value) collect(each, into);
}

}  // namespace

TEST_CASE("bytes of a .pt2 file may be anything") {
    const ferry_test::Folder folder;
    for (const std::string& name : programs) {
        const auto whole = ferry_test::read_bytes(exported() / (name + ".pt2"));
        std::size_t refused = 0;
        for (std::uint32_t seed = 0; seed < 400; ++seed) {
            CAPTURE(seed);
            ferry_test::write_bytes(folder / "a.pt2", ferry_test::damaged(whole, seed));
            refused += outcome(folder / "a.pt2").empty() ? 0 : 1;
        }
        CHECK(refused > 100);
    }
}

TEST_CASE("the JSON of a .pt2 file may be anything, behind right checksums") {
    const ferry_test::Folder folder;
    for (const std::string& name : programs)
        for (const std::string ending : {"models/model.json", "_weights_config.json", "_constants_config.json"})
            for (std::uint32_t seed = 0; seed < 60; ++seed) {
                CAPTURE(name);
                CAPTURE(ending);
                CAPTURE(seed);
                repack(exported() / (name + ".pt2"), folder / "a.pt2", ending, [&](const std::string& text) {
                    const auto bytes = std::as_bytes(std::span(text));
                    return text_of(ferry_test::damaged({bytes.begin(), bytes.end()}, seed));
                });
                static_cast<void>(outcome(folder / "a.pt2"));
            }
}

TEST_CASE("any value of the JSON may be another one") {
    const ferry_test::Folder folder;
    const std::vector<json> others{nullptr,
                                   -1,
                                   0,
                                   1,
                                   INT64_MAX,
                                   INT64_MIN,
                                   UINT64_MAX,
                                   1.5,
                                   "",
                                   "x",
                                   "s0",
                                   true,
                                   json::array(),
                                   json::object(),
                                   json{{"as_int", 3}},
                                   json{{"as_tensor", {{"name", "x"}}}},
                                   json{{"as_none", true}},
                                   json::array({1, 2})};
    std::size_t refused = 0, total = 0;
    for (const std::string& name : programs)
        for (const std::string ending : {"models/model.json", "_weights_config.json", "_constants_config.json"})
            for (std::uint32_t seed = 0; seed < 150; ++seed) {
                CAPTURE(name);
                CAPTURE(seed);
                std::mt19937 random(seed);
                repack(exported() / (name + ".pt2"), folder / "a.pt2", ending, [&](const std::string& text) {
                    json document = json::parse(text);
                    std::vector<json*> places;
                    collect(document, places);
                    json& place = *places[random() % places.size()];
                    if (random() % 4 == 0 && place.is_structured() && !place.empty())
                        place.is_array() ? place.erase(random() % place.size())
                                         : static_cast<void>(place.erase(place.begin().key()));
                    else
                        place = others[random() % others.size()];
                    return document.dump();
                });
                ++total;
                refused += outcome(folder / "a.pt2").empty() ? 0 : 1;
            }
    CHECK(refused > total / 3);
}

TEST_CASE("pickled examples may be anything, and nothing in them is run") {
    const ferry_test::Folder folder;
    const fs::path from = exported() / "nested_inputs.pt2", to = folder / "a.pt2";
    CHECK(ferry::load(from).example_inputs.size() == 4);
    std::size_t skipped = 0;
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        repack(from, to, "sample_inputs/model.pt", [&](const std::string& text) {
            const auto bytes = std::as_bytes(std::span(text));
            std::vector<std::byte> archive(bytes.begin(), bytes.end());
            if (seed % 2 == 0) return text_of(ferry_test::damaged(archive, seed));
            ferry_test::write_bytes(folder / "inner", archive);  // the code alone, behind a right checksum
            repack(folder / "inner", folder / "inner", "data.pkl", [&](const std::string& code) {
                const auto steps = std::as_bytes(std::span(code));
                return text_of(ferry_test::damaged({steps.begin(), steps.end()}, seed));
            });
            return text_of(ferry_test::read_bytes(folder / "inner"));
        });
        skipped += ferry::load(to).example_inputs.empty() ? 1 : 0;
    }
    CHECK(skipped > 200);
    repack(from, to, "sample_inputs/model.pt", [&](const std::string& text) {
        const auto bytes = std::as_bytes(std::span(text));
        ferry_test::write_bytes(folder / "inner", bytes);
        repack(folder / "inner", folder / "inner", "data.pkl", [&](const std::string&) {
            using namespace std::string_literals;
            return "\x80\x02"s + "cos\nsystem\n(X\0\0\0\0tR."s;
        });
        return text_of(ferry_test::read_bytes(folder / "inner"));
    });
    CHECK(ferry::load(to).example_inputs.empty());
}

TEST_CASE("another version is refused by its number, and what is missing by its name") {
    const ferry_test::Folder folder;
    const fs::path from = exported() / "condition.pt2", to = folder / "a.pt2";
    const auto says = [&](const std::string& what) {
        const std::string message = outcome(to);
        INFO(message);
        CHECK(message.find(what) != std::string::npos);
    };
    const auto with = [&](const std::function<void(json&)>& change) {
        repack(from, to, "models/model.json", [&](const std::string& text) {
            json document = json::parse(text);
            change(document);
            return document.dump();
        });
    };
    const auto version = [&](int major, int minor) {
        with([&](json& document) { document["schema_version"] = {{"major", major}, {"minor", minor}}; });
    };
    version(8, 99);
    says("schema version is 8.99, Ferry knows up to 8.20");
    version(9, 0);
    says("schema version is 9.0, Ferry knows up to 8.20");
    version(7, 1);
    says("torch 2.9 or newer");
    version(8, 5);
    CHECK(outcome(to).empty());
    with([](json& document) {
        document["graph_module"]["graph"]["nodes"][0]["target"] = "torch.ops.mylib.twist.default";
    });
    says("mylib::twist");
    with([](json& document) { document["graph_module"]["graph"]["nodes"][0]["target"] = "os.system"; });
    says("os.system");
    repack(from, to, "archive_format", [](const std::string&) { return "zip"; });
    says("no .pt2 program");
    repack(from, to, "archive_version", [](const std::string&) { return "3"; });
    says("version is 3");
    repack(from, to, "models/model.json", [](const std::string&) { return std::nullopt; });
    says("0 programs");
    repack(from, to, "models/model.json", [](const std::string&) { return std::string(5000, '['); });
    says("deeply");
    repack(exported() / "buffers_not_saved.pt2", to, "data/weights/weight_0",
           [](const std::string&) { return std::nullopt; });
    says("weight_0");
    repack(exported() / "buffers_not_saved.pt2", to, "data/weights/weight_0",
           [](const std::string& text) { return text.substr(4); });
    says("beyond the bytes");
}

TEST_CASE("classes that only Python has stay containers of their name") {
    const ferry_test::Folder folder;
    repack(exported() / "nested_inputs.pt2", folder / "a.pt2", "models/model.json", [](const std::string& text) {
        json document = json::parse(text);
        json& spec = document["graph_module"]["module_call_graph"][0]["signature"]["out_spec"];
        std::string inner = spec.get<std::string>();
        const std::string dict = "\"type\": \"builtins.dict\", \"context\": \"[\\\"y\\\", \\\"parts\\\"]\"";
        const auto at = inner.find(dict);
        REQUIRE(at != std::string::npos);
        inner.replace(at, dict.size(),
                      "\"type\": \"somewhere.modeling:Output\", \"context\": \"[\\\"y\\\", \\\"parts\\\"]\"");
        spec = inner;
        return document.dump();
    });
    const auto program = ferry::load(folder / "a.pt2");
    CHECK(program.out_spec.kind() == ferry::TreeSpec::Kind::opaque);
    CHECK(program.out_spec.type() == "somewhere.modeling:Output");
    CHECK(program.out_spec.leaf_paths()[0] == "y");
    const auto data = at::randn({5, 4});
    const ferry::Tree result = program.module()(std::vector<at::Tensor>{data, data, at::randn({4}), data});
    CHECK(result.leaf("y").tensor().sizes() == data.sizes());
}
