#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/onnx/export_program.hpp>
#include <ferry/onnx/pipeline.hpp>
#include <ferry/program/run_decompositions.hpp>

#include <string_view>
#include <utility>

namespace ferry {
namespace onnx {
namespace detail {

/// The pipeline's own decompositions come before Ferry's; what has a translation stays whole.
template <class Pipeline>
[[nodiscard]] const c10::KernelFunction* find_parts(std::string_view op) {
    if (find_translation<typename Pipeline::template stage<translations>>(op) != nullptr) return nullptr;
    using Own = typename Pipeline::template stage<decompositions>;
    if (const auto* own = capture::detail::find_kernel<Own, ferry::detail::bind_decomposition>(op)) return own;
    return ferry::detail::find_decomposition<core_aten_decompositions>(op);
}
template <class Pipeline>
[[nodiscard]] bool has_parts(std::string_view op) {
    return find_parts<Pipeline>(op) != nullptr;
}
template <class Pipeline>
[[nodiscard]] ExportedProgram take_apart(const ExportedProgram& program) {
    return ferry::detail::retrace(program, {.fake = capture::rules_of<Pipeline>.fake, .patch = &find_parts<Pipeline>});
}

}  // namespace detail

template <class Pipeline>
inline constexpr ExportRules rules_of{
    .translation = &detail::find_translation<typename Pipeline::template stage<translations>>,
    .has_parts = &detail::has_parts<Pipeline>,
    .take_apart = &detail::take_apart<Pipeline>,
    .fix_node = &detail::fix_node<typename Pipeline::template stage<node_fixes>>,
    .fix_model = &detail::model_fixes<typename Pipeline::template stage<ir_fixes>>::run};

}  // namespace onnx

/// From a model or a program to ONNX: `OnnxExporter{}.export_model(model, inputs, {.dynamic = true}).save("model.onnx")`.
template <class Pipeline = onnx_pipeline>
class OnnxExporter {
public:
    template <class Model>
    [[nodiscard]] OnnxProgram export_model(Model&& model, Inputs inputs, const OnnxConfig& config = {}) const {
        config.check();
        return export_program(
            DynamoExporter<Pipeline>{}.export_model(std::forward<Model>(model), std::move(inputs), config.dynamo()),
            config);
    }

    /// Wherever the program came from.
    [[nodiscard]] OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config = {}) const {
        return onnx::export_program(std::move(program), config, onnx::rules_of<Pipeline>);
    }
};

}  // namespace ferry
