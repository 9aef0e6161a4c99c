#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/generation/export_for_generation.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/recipes/auto_config.hpp>
#include <ferry/recipes/auto_exporters.hpp>
#include <ferry/recipes/auto_program.hpp>
#include <ferry/recipes/default_exporters.hpp>
#include <ferry/recipes/recipe.hpp>
#include <ferry/recipes/recipe_parts.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/inputs.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {

/// An exporter that is chosen at run time, by the name in its configuration or by a recipe that lies beside a model's weights:
///
///     auto exporter = AutoExporter<>::from_pretrained("Qwen3-0.6B");
///     auto model = AutoModel<>::from_pretrained("Qwen3-0.6B", exporter.recipe().dtype);
///     for (auto& [name, part] : exporter.export_parts(model)) part.save(name + std::string(part.suffix()));
template <class Exporters = default_exporters>
class AutoExporter;

template <class... Exporters>
class AutoExporter<auto_exporters<Exporters...>> {
public:
    using Config = AutoExportConfig<auto_exporters<Exporters...>>;
    using Program = AutoProgram<auto_exporters<Exporters...>>;

    [[nodiscard]] static AutoExporter from_config(const Config& config) {
        return AutoExporter(config, std::visit([](const auto& own) { return ExportRecipe::of(own); }, config.any()));
    }
    [[nodiscard]] static AutoExporter from_config(const tree::Context& dict) {
        return from_config(Config::from_dict(dict));
    }
    /// Every configuration of it is read here: what is wrong with one is told before anything is exported.
    [[nodiscard]] static AutoExporter from_recipe(ExportRecipe recipe) {
        const Config config = Config::from_dict(recipe.config);
        AutoExporter made(config, std::move(recipe));
        for (const auto& [name, settings] : made.recipe_.parts) made.read_part(name);
        return made;
    }
    /// By the recipe in a checkpoint's folder.
    [[nodiscard]] static AutoExporter from_pretrained(const std::filesystem::path& folder) {
        return from_recipe(ExportRecipe::from_pretrained(folder));
    }
    /// Whether a dict names one of these backends; a warning says why it does not.
    [[nodiscard]] static bool supports_export_format(const tree::Context& dict) {
        return Config::supports_export_format(dict);
    }

    [[nodiscard]] const Config& config() const noexcept { return config_; }
    /// What a part of a generative model is exported with.
    [[nodiscard]] const Config& config_of(const std::string& part) const {
        const auto found = parts_.find(part);
        return found != parts_.end() ? found->second : config_;
    }
    [[nodiscard]] const ExportRecipe& recipe() const noexcept { return recipe_; }

    template <class Model>
    [[nodiscard]] Program export_model(Model&& model, Inputs inputs) const {
        return with_exporter<Program>(config_, [&]<class Exporter>(const Exporter& exporter, const auto& config) {
            return Program::template of<Exporter>(
                exporter.export_model(std::forward<Model>(model), std::move(inputs), config));
        });
    }
    /// Wherever the program came from.
    [[nodiscard]] Program export_program(ExportedProgram program) const {
        return with_exporter<Program>(config_, [&]<class Exporter>(const Exporter& exporter, const auto& config) {
            return Program::template of<Exporter>(exporter.export_program(std::move(program), config));
        });
    }
    /// The parts of a model that generates, or the model as the only one, "model": all that the recipe asks for. Without `inputs`,
    /// with the recipe's, or a sample of the model's own.
    [[nodiscard]] std::vector<std::pair<std::string, Program>> export_parts(const AnyModel& model,
                                                                            const Inputs& inputs = {}) const {
        using Parts = std::vector<std::pair<std::string, Program>>;
        return with_exporter<Parts>(config_, [&]<class Exporter>(const Exporter& exporter, const auto&) {
            const auto config_for = [&](const std::string& name) -> const typename Exporter::Config& {
                return *config_of(name).template get_if<typename Exporter::Config>();
            };
            Parts made;
            for (auto& [name, program] :
                 generation::export_parts(exporter, parts_for(recipe_, model, inputs), config_for))
                made.emplace_back(std::move(name), Program::template of<Exporter>(std::move(program)));
            return made;
        });
    }

private:
    AutoExporter(Config config, ExportRecipe recipe) : config_(std::move(config)), recipe_(std::move(recipe)) {}

    void read_part(const std::string& name) try {
        const Config config = Config::from_dict(recipe_.config_of(name));
        if (config.format() != config_.format())
            throw Error(ErrorKind::invalid_input, "the parts of one recipe are exported to one format");
        parts_.emplace(name, config);
    } catch (const Error& error) {
        throw Error(error.kind(), "the export recipe's part '" + name + "': " + error.message(),
                    {.hint = error.hint(), .where = error.where()});
    }

    /// The exporter that belongs to a configuration, which only the run knows.
    template <class Result, class Use>
    [[nodiscard]] static Result with_exporter(const Config& config, const Use& use) {
        return std::visit(
            [&]<class Own>(const Own& own) -> Result {
                using Place = type_list<typename Exporters::Config...>;
                return use(at_t<index_of_v<Place, Own>, type_list<Exporters...>>(), own);
            },
            config.any());
    }

    Config config_;
    std::map<std::string, Config> parts_{};
    ExportRecipe recipe_;
};

}  // namespace ferry
