#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/export_format.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace ferry {

struct OnnxConfig {
    // As in DynamoConfig.
    bool dynamic = false;
    DynamicShapes dynamic_shapes{};
    bool strict = false;
    bool prefer_deferred_runtime_asserts_over_guards = false;
    Progress progress{};

    std::optional<std::filesystem::path> output_path{};  ///< saved there as well
    std::optional<std::int64_t> opset_version{};         ///< ONNX's operator set; see `opset_range`
    bool external_data = true;   ///< weights in a file of their own beside the model, `<name>.onnx.data`
    bool optimize = true;        ///< the entries of the last stage that only make a model smaller or faster
    bool export_params = true;   ///< false: parameters and buffers are further inputs of the model
    bool keep_initializers_as_inputs = false;  ///< weights are inputs too, with themselves as defaults

    static constexpr ExportFormat format = ExportFormat::onnx;
    static constexpr std::int64_t default_opset = 23;
    static constexpr std::int64_t default_opset_of_random =
        21;  ///< ONNX Runtime has no newer kernels for random numbers
    static constexpr std::pair<std::int64_t, std::int64_t> opset_range{18, 24};

    [[nodiscard]] DynamoConfig dynamo() const {
        return {.dynamic = dynamic,
                .dynamic_shapes = dynamic_shapes,
                .strict = strict,
                .prefer_deferred_runtime_asserts_over_guards = prefer_deferred_runtime_asserts_over_guards,
                .progress = progress};
    }
    /// The newest that ONNX Runtime runs well, unless another one is wanted.
    [[nodiscard]] std::int64_t opset(bool draws_random_numbers = false) const {
        return opset_version.value_or(draws_random_numbers ? default_opset_of_random : default_opset);
    }

    /// Refuses what no export could do, before one starts.
    void check() const;
    /// Under the names that Python's OnnxConfig has; dimensions as in dynamic_shapes_dict.hpp.
    [[nodiscard]] tree::Context to_dict() const;
    [[nodiscard]] static OnnxConfig from_dict(const tree::Context& dict);
    /// Which key stands for what.
    [[nodiscard]] Settings settings();
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/onnx/config-inl.hpp>
#endif
