#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/dynamic_shapes_dict.hpp>
#include <ferry/tree/context.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
};

inline void OnnxConfig::check() const {
    const auto [oldest, newest] = opset_range;
    if (opset() < oldest || opset() > newest)
        throw Error(ErrorKind::invalid_input, "there is no export to opset " + std::to_string(opset()),
                    {.hint = "opset_version may be " + std::to_string(oldest) + " to " + std::to_string(newest)});
    if (output_path && (output_path->empty() || std::filesystem::is_directory(*output_path)))
        throw Error(ErrorKind::invalid_input, "output_path is not the path of a file",
                    {.where = {.path = output_path->string()}});
}

inline tree::Context OnnxConfig::to_dict() const {
    std::vector<std::string> keys{"export_format",
                                  "dynamic",
                                  "strict",
                                  "dynamic_shapes",
                                  "prefer_deferred_runtime_asserts_over_guards",
                                  "output_path",
                                  "opset_version",
                                  "external_data",
                                  "optimize",
                                  "export_params",
                                  "keep_initializers_as_inputs"};
    std::vector<tree::Context> values{"onnx",
                                      dynamic,
                                      strict,
                                      to_setting(dynamic_shapes),
                                      prefer_deferred_runtime_asserts_over_guards,
                                      output_path ? tree::Context(output_path->string()) : tree::Context(),
                                      opset_version ? tree::Context(*opset_version) : tree::Context(),
                                      external_data,
                                      optimize,
                                      export_params,
                                      keep_initializers_as_inputs};
    return tree::Context::dict(std::move(keys), std::move(values));
}

inline OnnxConfig OnnxConfig::from_dict(const tree::Context& dict) {
    OnnxConfig made;
    const std::pair<std::string_view, bool*> flags[] = {
        {"dynamic", &made.dynamic},
        {"strict", &made.strict},
        {"prefer_deferred_runtime_asserts_over_guards", &made.prefer_deferred_runtime_asserts_over_guards},
        {"external_data", &made.external_data},
        {"optimize", &made.optimize},
        {"export_params", &made.export_params},
        {"keep_initializers_as_inputs", &made.keep_initializers_as_inputs}};
    if (!dict.is_dict()) refuse_setting("", "a dict");
    for (std::size_t i = 0; i < dict.keys().size(); ++i) {
        const std::string& key = dict.keys()[i];
        const tree::Context& value = dict.items()[i];
        const auto* flag = std::ranges::find(flags, key, &std::pair<std::string_view, bool*>::first);
        if (flag != std::end(flags)) {
            const auto given = value.as_boolean();
            if (!given) refuse_setting(key, "true or false");
            *flag->second = *given;
        } else if (key == "export_format") {
            if (!value.is_text() || value.text() != "onnx") refuse_setting(key, "\"onnx\"");
        } else if (key == "output_path") {
            if (!value.is_none() && !value.is_text()) refuse_setting(key, "a path");
            if (value.is_text()) made.output_path = value.text();
        } else if (key == "opset_version") {
            if (!value.is_none() && !value.as_integer()) refuse_setting(key, "a number");
            if (!value.is_none()) made.opset_version = value.as_integer();
        } else if (key == "dynamic_shapes") {
            made.dynamic_shapes = read_dynamic_shapes(key, value);
        } else {
            throw Error(ErrorKind::invalid_input, "there is no such setting", {.where = {.path = key}});
        }
    }
    made.check();
    return made;
}

}  // namespace ferry
