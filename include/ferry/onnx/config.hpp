#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/tree/context.hpp>

#include <array>
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
    static constexpr std::pair<std::int64_t, std::int64_t> opset_range{18, 24};

    [[nodiscard]] DynamoConfig dynamo() const {
        return {.dynamic = dynamic,
                .dynamic_shapes = dynamic_shapes,
                .strict = strict,
                .prefer_deferred_runtime_asserts_over_guards = prefer_deferred_runtime_asserts_over_guards,
                .progress = progress};
    }
    [[nodiscard]] std::int64_t opset() const { return opset_version.value_or(default_opset); }

    /// Refuses what no export could do, before one starts.
    void check() const;
    /// Under the names that Python's OnnxConfig has. Dimensions are "auto", "static", or {"name", "min", "max"} (derived ones: {"size": "2*s"}).
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

namespace detail {

[[nodiscard]] inline tree::Context to_context(const Dim& dim) {
    if (dim.kind() == Dim::AUTO) return "auto";
    if (dim.kind() == Dim::STATIC) return "static";
    std::vector<std::string> keys;
    std::vector<tree::Context> values;
    const auto put = [&](std::string key, tree::Context value) {
        keys.push_back(std::move(key));
        values.push_back(std::move(value));
    };
    if (!dim.size().is_symbol()) put("size", to_string(dim.size()));
    std::vector<tree::Context> ranges;
    for (const auto& [name, range] : dim.ranges()) {
        std::vector<std::string> names{"name"};
        std::vector<tree::Context> bounds{name};
        if (range.min != ValueRange::no_min) names.push_back("min"), bounds.emplace_back(range.min);
        if (range.max != ValueRange::no_max) names.push_back("max"), bounds.emplace_back(range.max);
        if (dim.size().is_symbol()) return tree::Context::dict(std::move(names), std::move(bounds));
        ranges.push_back(tree::Context::dict(std::move(names), std::move(bounds)));
    }
    put("of", tree::Context::list(std::move(ranges)));
    return tree::Context::dict(std::move(keys), std::move(values));
}

[[noreturn]] inline void wrong_setting(const std::string& key, const std::string& wanted) {
    throw Error(ErrorKind::invalid_input, "the setting is not " + wanted, {.where = {.path = key}});
}

[[nodiscard]] inline std::pair<std::string, ValueRange> to_range(const std::string& path, const tree::Context& given) {
    const auto* name = given.find("name");
    if (name == nullptr || !name->is_text()) wrong_setting(path, "a dimension with a name");
    ValueRange range;
    if (const auto* min = given.find("min"); min != nullptr && min->as_integer()) range.min = *min->as_integer();
    if (const auto* max = given.find("max"); max != nullptr && max->as_integer()) range.max = *max->as_integer();
    return {name->text(), range};
}

[[nodiscard]] inline Dim to_dim(const std::string& path, const tree::Context& given) {
    if (given.is_text() && given.text() == "auto") return Dim::AUTO;
    if (given.is_text() && given.text() == "static") return Dim::STATIC;
    if (!given.is_dict()) wrong_setting(path, "\"auto\", \"static\" or a dimension with a name");
    std::map<std::string, ValueRange> ranges;
    const auto* size = given.find("size");
    if (size == nullptr) {
        ranges.insert(to_range(path, given));
        return Dim::of(SymExpr::symbol(ranges.begin()->first), std::move(ranges));
    }
    if (const auto* of = given.find("of"); of != nullptr)
        for (const tree::Context& each : of->items()) ranges.insert(to_range(path, each));
    return Dim::of(parse_sym_expr(size->text()), std::move(ranges));
}

}  // namespace detail

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
    tree::Context shapes;
    if (!dynamic_shapes.empty()) {
        std::vector<std::string> inputs;
        std::vector<tree::Context> dims;
        for (const auto& [input, of] : dynamic_shapes) {
            std::vector<std::string> places;
            std::vector<tree::Context> each;
            for (const auto& [place, dim] : of) {
                places.push_back(std::to_string(place));
                each.push_back(detail::to_context(dim));
            }
            inputs.push_back(input);
            dims.push_back(tree::Context::dict(std::move(places), std::move(each)));
        }
        shapes = tree::Context::dict(std::move(inputs), std::move(dims));
    }
    std::vector<tree::Context> values{"onnx",
                                      dynamic,
                                      strict,
                                      std::move(shapes),
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
    if (!dict.is_dict()) detail::wrong_setting("", "a dict");
    for (std::size_t i = 0; i < dict.keys().size(); ++i) {
        const std::string& key = dict.keys()[i];
        const tree::Context& value = dict.items()[i];
        const auto* flag = std::ranges::find(flags, key, &std::pair<std::string_view, bool*>::first);
        if (flag != std::end(flags)) {
            const auto given = value.as_boolean();
            if (!given) detail::wrong_setting(key, "true or false");
            *flag->second = *given;
        } else if (key == "export_format") {
            if (value.text() != "onnx") detail::wrong_setting(key, "\"onnx\"");
        } else if (key == "output_path") {
            if (!value.is_none() && !value.is_text()) detail::wrong_setting(key, "a path");
            if (value.is_text()) made.output_path = value.text();
        } else if (key == "opset_version") {
            if (!value.is_none() && !value.as_integer()) detail::wrong_setting(key, "a number");
            if (!value.is_none()) made.opset_version = value.as_integer();
        } else if (key == "dynamic_shapes") {
            for (std::size_t k = 0; k < value.keys().size(); ++k) {
                const tree::Context& dims = value.items()[k];
                auto& of = made.dynamic_shapes[value.keys()[k]];
                for (std::size_t n = 0; n < dims.keys().size(); ++n)
                    of.insert_or_assign(std::stoll(dims.keys()[n]),
                                        detail::to_dim(key + "." + value.keys()[k], dims.items()[n]));
            }
        } else {
            throw Error(ErrorKind::invalid_input, "there is no such setting", {.where = {.path = key}});
        }
    }
    made.check();
    return made;
}

}  // namespace ferry
