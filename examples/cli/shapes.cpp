#include "shapes.hpp"

#include "calls.hpp"

#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/dynamic_shapes_dict.hpp>
#include <ferry/tree/context_json.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cli {
namespace {

struct ShapesOptions {
    CallFiles calls;
    std::vector<std::string> batched;
    bool all_batched = false, json = false;
};

/// The dimensions of a tensor that vary, as --dim takes them.
std::vector<std::string> dims_text(const std::map<std::int64_t, ferry::Dim>& dims) {
    std::vector<std::string> made;
    for (const auto& [place, dim] : dims) {
        const auto least = dim.tried_from();
        made.push_back("." + std::to_string(place) + "=DYNAMIC" + (least ? ":" + std::to_string(*least) : ""));
    }
    return made;
}

/// Tensors of one input that vary alike go by its name.
std::vector<std::string> words_of(const ferry::DynamicShapes& shapes) {
    std::map<std::string, std::set<std::vector<std::string>>> of_input;
    for (const auto& [path, dims] : shapes) of_input[path.substr(0, path.find('.'))].insert(dims_text(dims));
    std::vector<std::string> words;
    std::set<std::string> done;
    for (const auto& [path, dims] : shapes) {
        const std::string input = path.substr(0, path.find('.'));
        const std::string& name = of_input.at(input).size() == 1 ? input : path;
        if (!done.insert(name).second) continue;
        for (const std::string& each : dims_text(dims)) words.push_back(name + each);
    }
    return words;
}

void print_shapes(const ShapesOptions& options) {
    const ferry::InputObserver observer = observe_calls(options.calls);
    const ferry::DynamicShapes shapes = observer.infer_dynamic_shapes(
        {.all = options.all_batched, .names{options.batched.begin(), options.batched.end()}});
    if (options.json) {
        const std::vector<ferry::tree::Context> values{ferry::to_setting(shapes)};
        std::printf("%s\n", ferry::tree::to_json(ferry::tree::Context::dict({"dynamic_shapes"}, values)).c_str());
        return;
    }
    for (const std::string& word : words_of(shapes)) std::printf("--dim %s\n", word.c_str());
}

}  // namespace

void add_shapes(CLI::App& app) {
    const auto options = std::make_shared<ShapesOptions>();
    auto* command = app.add_subcommand("shapes", "Say which dimensions of the inputs vary, as `ferry export` takes it");
    command
        ->add_option("MODEL", options->calls.model,
                     "A .pt2 program, a TorchScript module, or the folder of a checkpoint")
        ->required();
    command
        ->add_option("--calls", options->calls.calls,
                     "A .safetensors file for each call, with keys as for `ferry run`; an input may be absent in some")
        ->required()
        ->expected(-1);
    command->add_option("--value-if-missing", options->calls.missing,
                        "A .safetensors file with what stands for inputs that never meet in one call");
    command->add_option("--batch", options->batched, "Inputs whose first dimension varies, whatever the calls have");
    command->add_flag("--all-batched", options->all_batched, "The first dimension of every input varies");
    command->add_flag("--json", options->json, "Print JSON, for --config");
    command->callback([options] { print_shapes(*options); });
}

}  // namespace cli
