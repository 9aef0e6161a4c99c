#pragma once

#include <ferry/dynamo/exporter.hpp>
#include <ferry/executorch/config.hpp>
#include <ferry/executorch/export_program.hpp>
#include <ferry/executorch/pipeline.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/rules.hpp>
#include <ferry/fwd.hpp>

#include <concepts>
#include <string_view>
#include <utility>

namespace ferry {

/// From a model or a program to ExecuTorch: `ExecutorchExporter{}.export_model(model, inputs).save("model.pte")`.
template <class Pipeline = executorch_pipeline>
class ExecutorchExporter {
public:
    using Config = ExecutorchConfig;
    static constexpr std::string_view suffix = ".pte";

    template <class Model>
    [[nodiscard]] ExecutorchProgram export_model(Model&& model, Inputs inputs,
                                                 const ExecutorchConfig& config = {}) const {
        config.check();
        return executorch::export_program(
            DynamoExporter<Pipeline>{}.export_model(std::forward<Model>(model), std::move(inputs), config.dynamo()),
            config, executorch::rules_of<Pipeline>);
    }

    /// With what an observer has seen: its inputs, and what varied among them unless the config says what varies.
    template <class Model, std::same_as<InputObserver> Observer>
    [[nodiscard]] ExecutorchProgram export_model(Model&& model, const Observer& observer,
                                                 const ExecutorchConfig& config = {}) const {
        return export_model(std::forward<Model>(model), observer.infer_arguments(), observer.with_shapes(config));
    }

    /// Wherever the program came from.
    [[nodiscard]] ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config = {}) const {
        return executorch::export_program(std::move(program), config, executorch::rules_of_loaded<Pipeline>);
    }
};

}  // namespace ferry
