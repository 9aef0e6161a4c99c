#pragma once

#include <ferry/core/error.hpp>
#include <ferry/generation/decompose.hpp>
#include <ferry/generation/options.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/program/exporter.hpp>
#include <ferry/tree/inputs.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ferry {
namespace generation {

/// A config for each part, or an error that says for which there is none.
template <class Config>
void require_all(const GenerationParts& parts, const std::map<std::string, Config>& configs) {
    std::string missing, all;
    for (const GenerationPart& part : parts) {
        all.append(all.empty() ? "" : ", ").append(part.name);
        if (!configs.contains(part.name)) missing.append(missing.empty() ? "" : ", ").append(part.name);
    }
    if (!missing.empty())
        throw Error(ErrorKind::invalid_input, "there is no config for the part " + missing,
                    {.hint = "give one for each of: " + all});
}

template <exporter<AnyModel> Exporter, class ConfigOf>
[[nodiscard]] auto export_parts(const Exporter& exporter, GenerationParts parts, const ConfigOf& config_of) {
    using Exported = decltype(exporter.export_model(parts[0].model, parts[0].inputs, config_of(parts[0].name)));
    std::vector<std::pair<std::string, Exported>> made;
    for (GenerationPart& part : parts) try {
            made.emplace_back(part.name,
                              exporter.export_model(part.model, std::move(part.inputs), config_of(part.name)));
        } catch (const Error& error) {
            throw Error(error.kind(),
                        "the export failed on the part '" + part.name + "' (" + std::string(part.model.type()) +
                            "): " + error.message(),
                        {.hint = error.hint(), .where = error.where()});
        }
    return made;
}

}  // namespace generation

/// Each part of a generative model through an exporter, by name, all with one config or each with its own.
template <exporter<AnyModel> Exporter, class Config>
[[nodiscard]] auto export_for_generation(const Exporter& exporter, const AnyModel& model, const Inputs& inputs,
                                         const Config& config, const GenerationOptions& options = {}) {
    return generation::export_parts(exporter, decompose_for_generation(model, inputs, options),
                                    [&](const std::string&) -> const Config& { return config; });
}

template <exporter<AnyModel> Exporter, class Config>
[[nodiscard]] auto export_for_generation(const Exporter& exporter, const AnyModel& model, const Inputs& inputs,
                                         const std::map<std::string, Config>& configs,
                                         const GenerationOptions& options = {}) {
    GenerationParts parts = decompose_for_generation(model, inputs, options);
    generation::require_all(parts, configs);
    return generation::export_parts(exporter, std::move(parts),
                                    [&](const std::string& name) -> const Config& { return configs.at(name); });
}

}  // namespace ferry
