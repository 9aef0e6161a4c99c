#pragma once

#include <ferry/core/export_format.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/recipes/auto_config.hpp>
#include <ferry/recipes/auto_exporters.hpp>
#include <ferry/tree/context.hpp>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

/// What `ferry export` asks of a backend, whose configuration it has as a dict.
struct ExportBackend {
    std::string_view name, suffix;
    /// All settings, with the defaults of those that are not given; what is none is an Error.
    ferry::tree::Context (*complete)(const ferry::tree::Context& config);
    /// How the model is captured.
    ferry::DynamoConfig (*capture)(const ferry::tree::Context& config);
    void (*write)(ferry::ExportedProgram program, const ferry::tree::Context& config,
                  const std::filesystem::path& output);
};
using ExportBackends = std::vector<ExportBackend>;

template <class Exporter>
[[nodiscard]] ExportBackend backend_of() {
    using Config = ferry::AutoExportConfig<ferry::auto_exporters<Exporter>>;
    using Dict = ferry::tree::Context;
    return {ferry::name_of(Exporter::Config::format), Exporter::suffix,
            [](const Dict& config) { return Config::from_dict(config).to_dict(); },
            [](const Dict& config) { return Config::from_dict(config).dynamo(); },
            [](ferry::ExportedProgram program, const Dict& config, const std::filesystem::path& output) {
                Exporter{}.export_program(std::move(program), Exporter::Config::from_dict(config)).save(output);
            }};
}

/// The backends of a list: `backends_of(ferry::default_exporters{})`.
template <class... Exporters>
[[nodiscard]] ExportBackends backends_of(ferry::auto_exporters<Exporters...>) {
    return {backend_of<Exporters>()...};
}

}  // namespace cli
