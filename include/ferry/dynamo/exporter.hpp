#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/dynamo/capture_program.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/print.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {

/// From a model to an ExportedProgram: `DynamoExporter{}.export_model(model, inputs, {.dynamic = true})`. The model is a
/// torch::nn::Module, its holder or shared_ptr, or anything callable over tensors and nested values of them.
template <class Pipeline = dynamo_pipeline>
class DynamoExporter {
public:
    template <class Model>
    [[nodiscard]] ExportedProgram export_model(Model&& model, const Inputs& inputs,
                                               const DynamoConfig& config = {}) const {
        using Pytrees = typename Pipeline::template stage<pytrees>;
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
        return capture_program(std::move(run), inputs, Adapter::state(model), config, capture::rules_of<Pipeline>,
                               Adapter::running_module(model));
    }
};

}  // namespace ferry
