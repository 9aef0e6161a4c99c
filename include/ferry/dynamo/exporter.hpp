#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/dynamo/check_against_model.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/dynamo/prepare_for_export.hpp>
#include <ferry/program/capture_program.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/print.hpp>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {

/// Everything of an export that does not depend on the model's type.
[[nodiscard]] inline ExportedProgram export_program(const capture::RunModel& run, const Inputs& inputs,
                                                    const ModelState& state, const DynamoConfig& config,
                                                    capture::OpRules rules,
                                                    std::function<std::string()> running_module = {}) {
    CapturedProgram captured = capture_program(run, inputs, state,
                                               {.shapes = config.dynamic_shapes,
                                                .all_dynamic = config.dynamic,
                                                .defers_checks = config.prefer_deferred_runtime_asserts_over_guards,
                                                .progress = config.progress},
                                               rules, std::move(running_module));
    if (config.strict) check_against_model(captured.program, run, state, captured.probed, config.progress);
    return std::move(captured.program);
}

/// From a model to an ExportedProgram: `DynamoExporter{}.export_model(model, inputs, {.dynamic = true})`. The model is a
/// torch::nn::Module, its holder or shared_ptr, or anything callable over tensors and nested values of them.
template <class Pipeline = dynamo_pipeline>
class DynamoExporter {
public:
    template <class Model>
    [[nodiscard]] ExportedProgram export_model(Model&& model, Inputs inputs, const DynamoConfig& config = {}) const {
        using Pytrees = typename Pipeline::template stage<pytrees>;
        // No output flag is dropped and nothing cast: forward's parameters are bound by position, and a flag may be one of them.
        // Whoever wants that calls prepare_for_export first.
        detail::prepare_inputs<Pipeline>(inputs);
        const TreeSpec spec = inputs.spec();
        using Adapter = model_adapter<std::remove_reference_t<Model>>;
        auto state = Adapter::guard(model);
        capture::RunModel run = [&](std::vector<Leaf> leaves) {
            const detail::PutBack at_end{state};
            Tree result =
                Adapter::template call<Pytrees>(model, tree::unflatten<Inputs>(Tree(spec, std::move(leaves))));
            state.keep_changes();
            return result;
        };
        return export_program(run, inputs, Adapter::state(model), config, capture::rules_of<Pipeline>,
                              Adapter::running_module(model));
    }
};

}  // namespace ferry
