#pragma once

#include <ferry/core/export_format.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <concepts>
#include <filesystem>
#include <string_view>
#include <utility>

/// What a backend is, Ferry's or a user's.
namespace ferry {

/// What there is to choose in an export; it has a name, and can be kept in a file.
template <class Type>
concept export_config =
    std::default_initializable<Type> && std::copyable<Type> && requires(const Type& config, const tree::Context& dict) {
        { name_of(Type::format) } -> std::convertible_to<std::string_view>;
        { config.to_dict() } -> std::same_as<tree::Context>;
        { Type::from_dict(dict) } -> std::same_as<Type>;
    };

/// What an export gives.
template <class Type>
concept exported_model = requires(const Type& model, const std::filesystem::path& path) { model.save(path); };

namespace detail {

struct any_callable {
    at::Tensor operator()(const at::Tensor&) const;
};

}  // namespace detail

/// From models of a type, and from programs that were captured before.
template <class Type, class Model = detail::any_callable>
concept exporter = std::default_initializable<Type> && export_config<typename Type::Config> &&
                   requires(const Type& each, Model& model, Inputs inputs, ExportedProgram program,
                            const typename Type::Config& config) {
                       { Type::suffix } -> std::convertible_to<std::string_view>;
                       { each.export_model(model, std::move(inputs), config) } -> exported_model;
                       { each.export_program(std::move(program), config) } -> exported_model;
                   };

/// The same with a sentence for each requirement, for lists of exporters: a concept would only say that it is not met.
template <class Type>
struct require_exporter {
    static_assert(
        requires { typename Type::Config; },
        "ferry: an exporter needs `using Config = ...;`, the configuration that it takes");
    static_assert(
        requires { name_of(Type::Config::format); },
        "ferry: an exporter's Config needs its name: `static constexpr std::string_view format = \"mine\";`");
    static_assert(export_config<typename Type::Config>,
                  "ferry: an exporter's Config needs `tree::Context to_dict() const` and `static Config "
                  "from_dict(const tree::Context&)`, and must be default constructible and copyable");
    static_assert(
        requires { std::string_view(Type::suffix); },
        "ferry: an exporter needs `static constexpr std::string_view suffix = \".mine\";`, the ending of its files");
    static_assert(
        exporter<Type>,
        "ferry: an exporter needs `export_model(model, Inputs, const Config&) const` and `export_program(ExportedProgram, "
        "const Config&) const`; what they give needs `save(const std::filesystem::path&) const`");
    static constexpr bool ok = true;
};

}  // namespace ferry
