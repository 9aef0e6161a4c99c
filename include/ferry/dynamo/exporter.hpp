#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/default_rules.hpp>
#include <ferry/dynamo/export_program.hpp>
#include <ferry/dynamo/member_guard.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/dynamo/prepare_for_export.hpp>
#include <ferry/fwd.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/print.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {

/// From a model to an ExportedProgram: `DynamoExporter{}.export_model(model, inputs, {.dynamic = true})`. The model is a
/// torch::nn::Module, its holder or shared_ptr, or anything callable over tensors and nested values of them.
template <class Pipeline = dynamo_pipeline>
class DynamoExporter {
public:
    using Config = DynamoConfig;
    static constexpr std::string_view suffix = ".pt2";

    template <class Model>
    [[nodiscard]] ExportedProgram export_model(Model&& model, Inputs inputs, const DynamoConfig& config = {}) const {
        using Pytrees = typename Pipeline::template stage<pytrees>;
        // No output flag is dropped and nothing cast: forward's parameters are bound by position, and a flag may be one of them.
        // Whoever wants that calls prepare_for_export first.
        detail::prepare_inputs<Pipeline>(model, inputs);
        const TreeSpec spec = inputs.spec();
        using Adapter = model_adapter<std::remove_reference_t<Model>>;
        auto state = Adapter::guard(model);
        MemberGuard<typename Pipeline::template stage<stateful_member_list>> members(detail::innermost(model));
        capture::RunModel run = [&](std::vector<Leaf> leaves) {
            const detail::PutBack at_end{state};
            const detail::PutBack members_too{members};
            Tree result =
                Adapter::template call<Pytrees>(model, tree::unflatten<Inputs>(Tree(spec, std::move(leaves))));
            state.keep_changes();
            return result;
        };
        return ferry::export_program(run, inputs, Adapter::state(model), config, capture::rules_of<Pipeline>,
                                     Adapter::running_module(model));
    }

    /// A program is what it is: its shapes are those of the capture that it came from.
    [[nodiscard]] ExportedProgram export_program(ExportedProgram program, const DynamoConfig& = {}) const {
        return program;
    }

    /// With what an observer has seen: its inputs, and what varied among them unless the config says what varies.
    template <class Model, std::same_as<InputObserver> Observer>
    [[nodiscard]] ExportedProgram export_model(Model&& model, const Observer& observer,
                                               const DynamoConfig& config = {}) const {
        return export_model(std::forward<Model>(model), observer.infer_arguments(), observer.with_shapes(config));
    }
};

}  // namespace ferry
