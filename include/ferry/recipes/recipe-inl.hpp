#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/files/file_name.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/recipes/recipe.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/safetensors/write.hpp>
#include <ferry/tree/context_json.hpp>
#include <ferry/tree/dict_builder.hpp>
#include <ferry/tree/json_file.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {
namespace recipes {

[[noreturn]] inline void refuse(const std::string& key, const std::string& wanted) {
    throw Error(ErrorKind::bad_file, "the export recipe's '" + key + "' is not " + wanted);
}

/// For people: a line for each key of the outer dicts.
inline void append_lines(std::string& out, const tree::Context& value, std::size_t depth = 0) {
    constexpr std::size_t deepest = 3;
    if (!value.is_dict() || value.items().empty() || depth == deepest) {
        tree::detail::append_json(out, value);
        return;
    }
    const std::string indent(2 * depth, ' ');
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        out.append(i == 0 ? "{\n  " : ",\n  ").append(indent);
        tree::detail::append_json(out, value.keys()[i]);
        out += ": ";
        append_lines(out, value.items()[i], depth + 1);
    }
    out.append("\n").append(indent).append("}");
}

/// A recipe says how, and whoever follows it says where: it may not make files elsewhere.
inline void refuse_output_path(const tree::Context& config) {
    const tree::Context* path = config.find("output_path");
    if (path != nullptr && !path->is_none())
        throw Error(ErrorKind::bad_file, "the export recipe says where its files go, 'output_path'",
                    {.hint = "remove it: that is for those who follow the recipe"});
}

[[nodiscard]] inline const tree::Context& dict_at(const std::string& key, const tree::Context& value) {
    if (!value.is_dict()) refuse(key, "an object");
    return value;
}

[[nodiscard]] inline NamedTensors read_inputs(const tree::Context& given, const std::filesystem::path& folder) {
    for (const std::string& key : dict_at("inputs", given).keys())
        if (key != "file" && key != "names")
            throw Error(ErrorKind::bad_file, "the export recipe's 'inputs' have an unknown key, '" + key + "'",
                        {.hint = "there are: file, names"});
    const tree::Context* file = given.find("file");
    if (file == nullptr || !file->is_text() || !files::is_plain_name(file->text()))
        refuse("inputs.file", "the name of a file in its folder");
    safetensors::Contents contents = safetensors::load(folder / file->text());
    const tree::Context* names = given.find("names");
    if (names == nullptr) return std::move(contents.tensors);
    if (!names->is_list()) refuse("inputs.names", "a list of names");
    NamedTensors made;
    for (const tree::Context& name : names->items()) {
        const at::Tensor* found = name.is_text() ? contents.find(name.text()) : nullptr;
        if (found == nullptr)
            throw Error(ErrorKind::bad_file, "'" + file->text() + "' has no tensor " + tree::python_repr(name),
                        {.where = {.path = folder.string()}});
        made.emplace_back(name.text(), *found);
    }
    return made;
}

inline constexpr std::array<std::pair<std::string_view, at::ScalarType>, 3> weight_dtypes{
    {{"float32", at::kFloat}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16}}};

/// One key of a recipe.
inline void read_key(ExportRecipe& made, const std::string& key, const tree::Context& value,
                     const std::filesystem::path& folder) {
    constexpr std::int64_t longest = 1 << 20;  // a recipe of somebody else must not take all memory
    if (key == "version" || key == "export_format" || key == "config" || value.is_none()) return;
    if (key == "parts") {
        if (dict_at(key, value).items().empty()) refuse(key, "an object with a part or more");
        for (std::size_t i = 0; i < value.items().size(); ++i)
            made.parts.emplace_back(value.keys()[i], dict_at("parts." + value.keys()[i], value.items()[i]));
    } else if (key == "static_cache_length") {
        made.static_cache_length = value.as_integer().value_or(-1);
        if (made.static_cache_length < 0 || made.static_cache_length > longest)
            refuse(key, "a number of tokens, 0 to " + std::to_string(longest));
    } else if (key == "multi_token_decode") {
        if (!value.as_boolean()) refuse(key, "true or false");
        made.multi_token_decode = *value.as_boolean();
    } else if (key == "dtype") {
        made.dtype = value.is_text() ? weight_dtype(value.text()) : std::nullopt;
        if (!made.dtype) refuse(key, "float32, float16 or bfloat16");
    } else if (key == "inputs") {
        made.inputs = read_inputs(value, folder);
    } else {
        throw Error(ErrorKind::bad_file, "the export recipe has an unknown key, '" + key + "'",
                    {.hint = "there are: version, export_format, config, parts, static_cache_length, "
                             "multi_token_decode, dtype, inputs"});
    }
}

}  // namespace recipes

FERRY_INLINE std::optional<at::ScalarType> weight_dtype(std::string_view name) {
    for (const auto& [known, dtype] : recipes::weight_dtypes)
        if (known == name) return dtype;
    return std::nullopt;
}

FERRY_INLINE ExportRecipe ExportRecipe::make(const tree::Context& config, const Inputs& inputs,
                                             const GenerationOptions& options) {
    tree::DictBuilder settings(config);
    settings.erase("output_path");
    ExportRecipe made{.config = settings.take(),
                      .static_cache_length = options.static_cache_length,
                      .multi_token_decode = options.multi_token_decode};
    for (const auto& [name, value] : inputs) {
        if (value.leaves.size() != 1 || !value.spec.is_leaf() || !value.leaves[0].is_tensor())
            throw Error(ErrorKind::unsupported, "a recipe keeps inputs that are tensors, and '" + name + "' is none",
                        {.hint = "leave it out, if the model has a default for it"});
        made.inputs.emplace_back(name, value.leaves[0].tensor());
    }
    return made;
}

FERRY_INLINE ExportRecipe ExportRecipe::from_dict(const tree::Context& dict, const std::filesystem::path& folder) {
    if (!dict.is_dict()) throw Error(ErrorKind::bad_file, "an export recipe is a JSON object");
    ExportRecipe made;
    const tree::Context* version = dict.find("version");
    if (version == nullptr) {
        recipes::refuse_output_path(dict);
        made.config = dict;
        return made;
    }
    const auto number = version->as_integer();
    if (!number || *number < 1) recipes::refuse("version", "a number from 1");
    if (*number > newest_version)
        throw Error(ErrorKind::bad_file,
                    "the export recipe is of version " + std::to_string(*number) + ", and this Ferry knows up to " +
                        std::to_string(newest_version),
                    {.hint = "take a newer Ferry"});
    for (std::size_t i = 0; i < dict.keys().size(); ++i)
        recipes::read_key(made, dict.keys()[i], dict.items()[i], folder);
    tree::DictBuilder config;
    if (const tree::Context* format = dict.find("export_format")) config.put("export_format", *format);
    if (const tree::Context* settings = dict.find("config"); settings != nullptr && !settings->is_none())
        config.put_all(recipes::dict_at("config", *settings));
    made.config = config.take();
    recipes::refuse_output_path(made.config);
    for (const auto& [name, settings] : made.parts) recipes::refuse_output_path(settings);
    return made;
}

FERRY_INLINE ExportRecipe ExportRecipe::load(const std::filesystem::path& file) {
    const tree::Context dict = tree::read_json_object(file);
    try {
        return from_dict(dict, file.parent_path());
    } catch (const Error& error) {
        throw Error(error.kind(), file.filename().string() + ": " + error.message(),
                    {.hint = error.hint(), .where = error.where()});
    }
}

FERRY_INLINE bool ExportRecipe::is_in(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / file_name)) return true;
    if (!std::filesystem::exists(folder / "config.json")) return false;
    const tree::Context config = tree::read_json_object(folder / "config.json");
    const tree::Context* found = config.find(field);
    return found != nullptr && !found->is_none();
}

FERRY_INLINE ExportRecipe ExportRecipe::from_pretrained(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / file_name)) return load(folder / file_name);
    if (!is_in(folder))
        throw Error(
            ErrorKind::invalid_input,
            "'" + folder.string() + "' has no export recipe: neither " + std::string(file_name) + " nor '" +
                std::string(field) + "' in config.json",
            {.hint =
                 "say how it is to be exported, or write a recipe: ExportRecipe::save, `ferry export --save-recipe`"});
    return from_dict(*tree::read_json_object(folder / "config.json").find(field), folder);
}

FERRY_INLINE std::string_view ExportRecipe::format() const {
    const tree::Context* found = config.find("export_format");
    return found != nullptr && found->is_text() ? std::string_view(found->text()) : std::string_view();
}

FERRY_INLINE tree::Context ExportRecipe::config_of(std::string_view part) const {
    tree::DictBuilder made(config);
    for (const auto& [name, settings] : parts)
        if (name == part) made.put_all(settings);
    return made.take();
}

FERRY_INLINE void ExportRecipe::set_part(const std::string& name, const tree::Context& whole_config) {
    tree::DictBuilder other;
    for (std::size_t i = 0; i < whole_config.items().size(); ++i) {
        const std::string& key = whole_config.keys()[i];
        const tree::Context* common = config.find(key);
        if (key != "output_path" && (common == nullptr || *common != whole_config.items()[i]))
            other.put(key, whole_config.items()[i]);
    }
    parts.emplace_back(name, other.take());
}

FERRY_INLINE tree::Context ExportRecipe::to_dict(const std::string& inputs_file) const {
    tree::DictBuilder made, settings(config);
    made.put("version", newest_version);
    made.put("export_format", std::string(format()));
    settings.erase("export_format");
    made.put("config", settings.take());
    if (!parts.empty()) {
        tree::DictBuilder all;
        for (const auto& [name, each] : parts) all.put(name, each);
        made.put("parts", all.take());
    }
    if (static_cache_length != 0) made.put("static_cache_length", static_cache_length);
    if (multi_token_decode) made.put("multi_token_decode", true);
    for (const auto& [name, each] : recipes::weight_dtypes)
        if (dtype == each) made.put("dtype", name);
    if (!inputs_file.empty()) {
        std::vector<tree::Context> names;
        for (const auto& [name, tensor] : inputs) names.emplace_back(name);
        tree::DictBuilder given;
        given.put("file", inputs_file);
        given.put("names", tree::Context::list(std::move(names)));
        made.put("inputs", given.take());
    }
    return made.take();
}

FERRY_INLINE void ExportRecipe::save(const std::filesystem::path& file) const {
    std::string inputs_file;
    if (!inputs.empty()) {
        inputs_file = file.stem().string() + "_inputs.safetensors";
        safetensors::save(file.parent_path() / inputs_file, inputs);
    }
    std::string text;
    recipes::append_lines(text, to_dict(inputs_file));
    text += '\n';
    files::OutputFile out(file);
    out.write(std::as_bytes(std::span(text)));
    out.commit();
}

}  // namespace ferry
