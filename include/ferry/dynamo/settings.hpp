#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/export_format.hpp>
#include <ferry/dynamo/dynamic_shapes_dict.hpp>
#include <ferry/tree/context.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {

/// A configuration as a dict, for files: which key stands for which member of it.
class Settings {
public:
    using Place = std::variant<bool*, DynamicShapes*, std::string*, std::optional<std::filesystem::path>*,
                               std::optional<std::int64_t>*>;

    Settings(std::string_view format, std::vector<std::pair<std::string_view, Place>> places)
        : format_(format), places_(std::move(places)) {}
    Settings(ExportFormat format, std::vector<std::pair<std::string_view, Place>> places)
        : Settings(name_of(format), std::move(places)) {}

    [[nodiscard]] tree::Context to_dict() const;
    /// Keys that are left out keep what the configuration has; one that there is not is an Error.
    void read(const tree::Context& dict) const;

private:
    [[nodiscard]] static tree::Context written(const Place& place);
    static void read_one(const std::string& key, const Place& place, const tree::Context& value);

    std::string_view format_;
    std::vector<std::pair<std::string_view, Place>> places_;
};

inline tree::Context Settings::written(const Place& place) {
    if (const auto* flag = std::get_if<bool*>(&place)) return **flag;
    if (const auto* shapes = std::get_if<DynamicShapes*>(&place)) return to_setting(**shapes);
    if (const auto* text = std::get_if<std::string*>(&place)) return **text;
    if (const auto* path = std::get_if<std::optional<std::filesystem::path>*>(&place))
        return **path ? tree::Context((*path)->value().string()) : tree::Context();
    const auto& number = *std::get<std::optional<std::int64_t>*>(place);
    return number ? tree::Context(*number) : tree::Context();
}

inline tree::Context Settings::to_dict() const {
    std::vector<std::string> keys{"export_format"};
    std::vector<tree::Context> values{format_};
    for (const auto& [key, place] : places_) {
        keys.emplace_back(key);
        values.push_back(written(place));
    }
    return tree::Context::dict(std::move(keys), std::move(values));
}

inline void Settings::read_one(const std::string& key, const Place& place, const tree::Context& value) {
    if (const auto* flag = std::get_if<bool*>(&place)) {
        const auto given = value.as_boolean();
        if (!given) refuse_setting(key, "true or false");
        **flag = *given;
    } else if (const auto* shapes = std::get_if<DynamicShapes*>(&place)) {
        **shapes = read_dynamic_shapes(key, value);
    } else if (const auto* text = std::get_if<std::string*>(&place)) {
        if (!value.is_text()) refuse_setting(key, "a text");
        **text = value.text();
    } else if (const auto* path = std::get_if<std::optional<std::filesystem::path>*>(&place)) {
        if (!value.is_none() && !value.is_text()) refuse_setting(key, "a path");
        **path = value.is_text() ? std::optional<std::filesystem::path>(value.text()) : std::nullopt;
    } else {
        if (!value.is_none() && !value.as_integer()) refuse_setting(key, "a number");
        *std::get<std::optional<std::int64_t>*>(place) = value.is_none() ? std::nullopt : value.as_integer();
    }
}

inline void Settings::read(const tree::Context& dict) const {
    if (!dict.is_dict()) refuse_setting("", "a dict");
    for (std::size_t i = 0; i < dict.keys().size(); ++i) {
        const std::string& key = dict.keys()[i];
        const tree::Context& value = dict.items()[i];
        if (key == "export_format") {
            if (!value.is_text() || value.text() != format_) refuse_setting(key, '"' + std::string(format_) + '"');
            continue;
        }
        const auto found = algo::find(places_, key, &std::pair<std::string_view, Place>::first);
        if (found == places_.end())
            throw Error(ErrorKind::invalid_input, "there is no such setting", {.where = {.path = key}});
        read_one(key, found->second, value);
    }
}

}  // namespace ferry
