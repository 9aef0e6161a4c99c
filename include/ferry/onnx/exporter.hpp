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

[[nodiscard]] inline bool is_never_patched(std::string_view) { return false; }
template <class Pipeline>
[[nodiscard]] bool is_patched(std::string_view op) {
    return capture::rules_of<Pipeline>.patch(op) != nullptr;
}
template <class Pipeline>
[[nodiscard]] const c10::KernelFunction* find_patch_or_parts(std::string_view op) {
    const c10::KernelFunction* const patch = capture::rules_of<Pipeline>.patch(op);
    return patch != nullptr ? patch : find_parts<Pipeline>(op);
}
template <class Pipeline>
[[nodiscard]] ExportedProgram patch_and_take_apart(const ExportedProgram& program) {
    return ferry::detail::retrace(program,
                                  {.fake = capture::rules_of<Pipeline>.fake, .patch = &find_patch_or_parts<Pipeline>});
}

}  // namespace detail

/// For what this pipeline has captured.
template <class Pipeline>
inline constexpr ExportRules rules_of{
    .translation = &detail::find_translation<typename Pipeline::template stage<translations>>,
    .is_patched = &detail::is_never_patched,
    .has_parts = &detail::has_parts<Pipeline>,
    .take_apart = &detail::take_apart<Pipeline>,
    .fix_node = &detail::fix_node<typename Pipeline::template stage<node_fixes>>,
    .fix_model = &detail::model_fixes<typename Pipeline::template stage<ir_fixes>>::run};

/// For programs from elsewhere, which have not met the pipeline's patches.
template <class Pipeline>
inline constexpr ExportRules rules_of_loaded = [] {
    ExportRules rules = rules_of<Pipeline>;
    rules.is_patched = &detail::is_patched<Pipeline>;
    rules.take_apart = &detail::patch_and_take_apart<Pipeline>;
    return rules;
}();

}  // namespace onnx

/// From a model or a program to ONNX: `OnnxExporter{}.export_model(model, inputs, {.dynamic = true}).save("model.onnx")`.
template <class Pipeline = onnx_pipeline>
class OnnxExporter {
public:
    template <class Model>
    [[nodiscard]] OnnxProgram export_model(Model&& model, Inputs inputs, const OnnxConfig& config = {}) const {
        config.check();
        return onnx::export_program(
            DynamoExporter<Pipeline>{}.export_model(std::forward<Model>(model), std::move(inputs), config.dynamo()),
            config, onnx::rules_of<Pipeline>);
    }

    /// Wherever the program came from.
    [[nodiscard]] OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config = {}) const {
        return onnx::export_program(std::move(program), config, onnx::rules_of_loaded<Pipeline>);
    }
};

}  // namespace ferry
