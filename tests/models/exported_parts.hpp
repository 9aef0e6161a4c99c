// The parts of a generative model, exported to every format and driven by the loop again, in the real runtimes.
#pragma once

#include <ferry/dynamo/exporter.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/generation/export_for_generation.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/generation/pipeline.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/verify/executorch_runtime.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <ATen/core/Tensor.h>

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry_test {

struct PartsCheck {
    ferry::GenerationOptions options{};
    ferry::generation::PlaceholderTokens placeholders{};
    ferry::generation::PrepareInputs prepare{};
    bool dynamic = true;
};

/// Exported with `sample`, dynamically; each format's parts, in its runtime, make `tokens` of `prompt`.
inline void check_parts(const ferry::AnyModel& model, const ferry::Inputs& sample,
                        const std::vector<std::string>& names, const ferry::Inputs& prompt, const at::Tensor& tokens,
                        const PartsCheck& check = {}) {
    using Parts = std::map<std::string, ferry::generation::Part>;
    const auto gives_tokens = [&](Parts parts) {
        ferry::generation::Pipeline pipeline(std::move(parts), check.placeholders, check.prepare);
        ferry::Inputs given = prompt;
        if (const std::int64_t length = check.options.static_cache_length; length > 0)
            given.set("past_key_values", *model.static_cache(tokens.size(0), length));
        return at::equal(ferry::generate(pipeline, given, check.options), tokens);
    };

    Parts programs;
    const auto exported = ferry::export_for_generation(ferry::DynamoExporter{}, model, sample,
                                                       ferry::DynamoConfig{.dynamic = check.dynamic}, check.options);
    REQUIRE(exported.size() == names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(exported[i].first == names[i]);
        programs.emplace(names[i], ferry::generation::part_of(exported[i].second));
    }
    CHECK(gives_tokens(programs));

    Parts sessions;
    const Folder folder;
    for (const auto& [name, program] : ferry::export_for_generation(
             ferry::OnnxExporter{}, model, sample, ferry::OnnxConfig{.dynamic = check.dynamic}, check.options)) {
        program.save(folder / (name + ".onnx"));
        sessions.emplace(
            name, ferry::generation::part_of(std::make_shared<ferry::runtime::OnnxSession>(folder / (name + ".onnx"))));
    }
    CHECK(gives_tokens(sessions));

#ifdef FERRY_RUNS_EXECUTORCH  // else there is no runtime that can be loaded into a program
    Parts methods;
    for (const auto& [name, program] :
         ferry::export_for_generation(ferry::ExecutorchExporter{}, model, sample,
                                      ferry::ExecutorchConfig{.dynamic = check.dynamic}, check.options))
        methods.emplace(
            name, ferry::generation::part_of(std::make_shared<ferry::runtime::ExecutorchSession>(program.buffer()),
                                             programs.at(name).inputs));
    CHECK(gives_tokens(methods));
#endif
}

}  // namespace ferry_test
