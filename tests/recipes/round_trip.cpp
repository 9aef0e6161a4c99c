// A model is exported; by the recipe of that, and what lies beside it, it is exported again: to the same bytes.
#include <ferry/models.hpp>
#include <ferry/recipes.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/randint.h>
#include <doctest/doctest.h>

#include "checkpoints.hpp"
#include "printing_backend.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace round_trip {

namespace fs = std::filesystem;
using ferry::Dim, ferry::DynamicShapes;
using WithPrinter = ferry::concat_t<ferry::default_exporters, ferry::auto_exporters<printing::PrintExporter>>;
using Auto = ferry::AutoExporter<WithPrinter>;

inline ferry::Inputs prompt() {
    const at::Tensor ids = at::randint(1, 97, {2, 7}, at::TensorOptions(at::kLong));
    return ferry::inputs("input_ids", ids, "attention_mask", at::ones_like(ids));
}

template <class Config>
Config with(DynamicShapes shapes) {
    Config made;
    if constexpr (requires { made.capture; })
        made.capture.dynamic_shapes = std::move(shapes);
    else
        made.dynamic_shapes = std::move(shapes);
    return made;
}

inline std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& each : fs::directory_iterator(folder)) names.push_back(each.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

template <class Parts>
void save_all(const Parts& parts, std::string_view suffix, const fs::path& folder) {
    fs::create_directories(folder);
    for (const auto& [name, program] : parts) program.save(folder / (name + std::string(suffix)));
}

/// All files of both folders, weights beside them too.
inline void check_same_files(const fs::path& one, const fs::path& other, std::size_t least) {
    const auto names = names_in(one);
    CHECK(names.size() >= least);
    REQUIRE(names == names_in(other));
    for (const std::string& name : names) {
        CAPTURE(name);
        const bool is_same = ferry_test::read_bytes(one / name) == ferry_test::read_bytes(other / name);
        CHECK(is_same);
    }
}

/// From the folder alone.
inline void export_again(const fs::path& folder, const fs::path& to) {
    const auto exporter = Auto::from_pretrained(folder);
    const auto model = ferry::AutoModel<>::from_pretrained(folder, exporter.recipe().dtype);
    for (const auto& [name, program] : exporter.export_parts(model)) {
        fs::create_directories(to);
        program.save(to / (name + std::string(program.suffix())));
    }
}

template <class Exporter>
void check_encoder() {
    using Config = typename Exporter::Config;
    const ferry_test::Folder folder;
    recipe_tests::copy_checkpoint("bert", folder / "bert");
    const Dim batch("batch", 1, 8), length("length", 2, 64);
    const auto config =
        with<Config>({{"input_ids", {{0, batch}, {1, length}}}, {"attention_mask", {{0, batch}, {1, length}}}});
    const ferry::Inputs inputs = prompt();
    fs::create_directories(folder / "first");
    Exporter{}
        .export_model(ferry::AutoModel<>::from_pretrained(folder / "bert"), inputs, config)
        .save(folder / ("first/model" + std::string(Exporter::suffix)));
    ferry::ExportRecipe::of(config, inputs).save(folder / "bert/export_config.json");
    export_again(folder / "bert", folder / "second");
    check_same_files(folder / "first", folder / "second", 1);
}

template <class Exporter>
void check_generative(const ferry::GenerationOptions& options) {
    using Config = typename Exporter::Config;
    const ferry_test::Folder folder;
    recipe_tests::copy_checkpoint("llama", folder / "llama");
    const Dim length("length", 1, 64), seen("seen", 1, 127);
    std::map<std::string, Config> configs{{"prefill", with<Config>({{"input_ids", {{1, length}}},
                                                                    {"attention_mask", {{1, length}}},
                                                                    {"position_ids", {{1, length}}}})},
                                          {"decode", Config{}}};
    if (options.static_cache_length == 0)
        configs["decode"] = with<Config>({{"past_key_values", {{2, seen}}}, {"attention_mask", {{1, seen + 1}}}});
    else
        configs["prefill"] = with<Config>({});
    const ferry::Inputs inputs = prompt();
    save_all(ferry::export_for_generation(Exporter{}, ferry::AutoModel<>::from_pretrained(folder / "llama"), inputs,
                                          configs, options),
             Exporter::suffix, folder / "first");
    ferry::ExportRecipe::of(configs, inputs, options).save(folder / "llama/export_config.json");
    export_again(folder / "llama", folder / "second");
    check_same_files(folder / "first", folder / "second", 2);
}

}  // namespace round_trip

TEST_CASE_TEMPLATE("an encoder by its recipe: the same file", Exporter, ferry::DynamoExporter<>, ferry::OnnxExporter<>,
                   ferry::ExecutorchExporter<>, printing::PrintExporter) {
    round_trip::check_encoder<Exporter>();
}

TEST_CASE_TEMPLATE("the parts of a generative model by their recipe: the same files", Exporter, ferry::DynamoExporter<>,
                   ferry::OnnxExporter<>, ferry::ExecutorchExporter<>, printing::PrintExporter) {
    round_trip::check_generative<Exporter>({});
    round_trip::check_generative<Exporter>({.static_cache_length = 32});
}
