#include "stages.hpp"

#include <ferry/core/stage_table.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/executorch/pipeline.hpp>
#include <ferry/onnx/pipeline.hpp>

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace cli {
namespace {

struct Backend {
    std::string_view name;
    std::vector<ferry::StageInfo> (*describe)();
};

template <class Pipeline>
constexpr Backend backend() {
    return {Pipeline::stages::backend, &ferry::describe_stages<Pipeline>};
}

constexpr std::array backends{backend<ferry::dynamo_pipeline>(), backend<ferry::onnx_pipeline>(),
                              backend<ferry::executorch_pipeline>()};

void print(const std::string& name, bool with_ops) {
    for (const Backend& backend : backends) {
        if (backend.name != name) continue;
        const auto stages = backend.describe();
        std::fputs(ferry::stage_table(stages).c_str(), stdout);
        if (with_ops) std::fputs(ferry::op_list(stages).c_str(), stdout);
    }
}

}  // namespace

void add_stages(CLI::App& app) {
    static std::string chosen;
    static bool with_ops = false;
    auto* command = app.add_subcommand("stages", "Print a backend's stages with the entries that each of them runs");
    std::vector<std::string> names;
    for (const Backend& backend : backends) names.emplace_back(backend.name);
    command->add_option("backend", chosen, "Which backend")->required()->check(CLI::IsMember(names));
    command->add_flag("--ops", with_ops, "Also list the ops of every entry");
    command->callback([] { print(chosen, with_ops); });
}

}  // namespace cli
