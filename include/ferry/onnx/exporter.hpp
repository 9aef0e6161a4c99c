#pragma once

#include <ferry/dynamo/exporter.hpp>
#include <ferry/fwd.hpp>
#include <ferry/onnx/config.hpp>
#include <ferry/onnx/export_program.hpp>
#include <ferry/onnx/pipeline.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/onnx/rules.hpp>

#include <concepts>
#include <string_view>
#include <utility>

namespace ferry {

/// From a model or a program to ONNX: `OnnxExporter{}.export_model(model, inputs, {.dynamic = true}).save("model.onnx")`.
template <class Pipeline = onnx_pipeline>
class OnnxExporter {
public:
    using Config = OnnxConfig;
    static constexpr std::string_view suffix = ".onnx";

    template <class Model>
    [[nodiscard]] OnnxProgram export_model(Model&& model, Inputs inputs, const OnnxConfig& config = {}) const {
        config.check();
        return onnx::export_program(
            DynamoExporter<Pipeline>{}.export_model(std::forward<Model>(model), std::move(inputs), config.dynamo()),
            config, onnx::rules_of<Pipeline>);
    }

    /// With what an observer has seen: its inputs, and what varied among them unless the config says what varies.
    template <class Model, std::same_as<InputObserver> Observer>
    [[nodiscard]] OnnxProgram export_model(Model&& model, const Observer& observer,
                                           const OnnxConfig& config = {}) const {
        return export_model(std::forward<Model>(model), observer.infer_arguments(), observer.with_shapes(config));
    }

    /// Wherever the program came from.
    [[nodiscard]] OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config = {}) const {
        return onnx::export_program(std::move(program), config, onnx::rules_of_loaded<Pipeline>);
    }
};

}  // namespace ferry
