#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/export_format.hpp>
#include <ferry/core/log.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/recipes/auto_exporters.hpp>
#include <ferry/recipes/default_exporters.hpp>
#include <ferry/tree/context.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace ferry {

/// A configuration of whichever backend: `AutoExportConfig<>::from_dict(dict)` gives that which the dict's "export_format" names.
template <class Exporters = default_exporters>
class AutoExportConfig;

template <class... Exporters>
class AutoExportConfig<auto_exporters<Exporters...>> {
    using List = auto_exporters<Exporters...>;

public:
    using Any = std::variant<typename Exporters::Config...>;

    template <class Config>
        requires contains_v<type_list<typename Exporters::Config...>, Config>
    AutoExportConfig(Config config) : any_(std::move(config)) {}
    /// With its defaults.
    explicit AutoExportConfig(std::string_view format) : any_(default_of(format)) {}
    explicit AutoExportConfig(ExportFormat format) : AutoExportConfig(name_of(format)) {}

    [[nodiscard]] static AutoExportConfig from_dict(const tree::Context& dict) {
        AutoExportConfig made(named_in(dict));
        std::visit([&]<class Config>(Config& config) { config = Config::from_dict(dict); }, made.any_);
        return made;
    }
    [[nodiscard]] tree::Context to_dict() const {
        return std::visit([](const auto& config) { return config.to_dict(); }, any_);
    }

    [[nodiscard]] std::string_view format() const noexcept { return List::names[any_.index()]; }
    /// For std::visit.
    [[nodiscard]] const Any& any() const noexcept { return any_; }
    /// Null: it is another backend's.
    template <class Config>
    [[nodiscard]] const Config* get_if() const noexcept {
        return std::get_if<Config>(&any_);
    }
    /// How the model is captured, before the backend sees it.
    [[nodiscard]] DynamoConfig dynamo() const {
        return std::visit(
            [](const auto& config) -> DynamoConfig {
                if constexpr (requires { DynamoConfig(config.dynamo()); })
                    return config.dynamo();
                else
                    return {};
            },
            any_);
    }

    /// Whether from_dict would find a backend; a warning says why it would not.
    [[nodiscard]] static bool supports_export_format(const tree::Context& dict) {
        const tree::Context* given = dict.find("export_format");
        if (given == nullptr || given->is_none()) {
            warn("the export config has no 'export_format'; there are: " + List::all_names());
            return false;
        }
        if (given->is_text() && List::place_of(given->text()) < List::size) return true;
        for (const std::string_view known : export_format_names)
            if (given->is_text() && given->text() == known) {
                warn("the export format '" + given->text() + "' has a config and no exporter among these: " +
                     List::all_names() + "; add its exporter to auto_exporters<...>");
                return false;
            }
        warn("there is no export format " + tree::python_repr(*given) + "; there are: " + List::all_names());
        return false;
    }

private:
    static void warn(const std::string& message) { log(LogLevel::warning, message); }

    [[nodiscard]] static std::string_view named_in(const tree::Context& dict) {
        const tree::Context* given = dict.find("export_format");
        if (given == nullptr || !given->is_text())
            throw Error(ErrorKind::invalid_input,
                        given == nullptr ? "the export config has no 'export_format'"
                                         : "'export_format' is " + tree::python_repr(*given) + ", and no name",
                        {.hint = "set it to one of: " + List::all_names()});
        return given->text();
    }
    [[nodiscard]] static Any default_of(std::string_view format) {
        using Make = Any (*)();
        constexpr std::array<Make, sizeof...(Exporters)> makers{
            []() -> Any { return typename Exporters::Config(); }...};
        const std::size_t place = List::place_of(format);
        if (place == makers.size())
            throw Error(ErrorKind::invalid_input, "there is no export format '" + std::string(format) + "'",
                        {.hint = "there are: " + List::all_names()});
        return makers[place]();
    }

    Any any_;
};

}  // namespace ferry
