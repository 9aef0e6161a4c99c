#pragma once

#include <ferry/generation/options.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/exporter.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/inputs.hpp>

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// float32, float16 or bfloat16; none for another name.
[[nodiscard]] std::optional<at::ScalarType> weight_dtype(std::string_view name);

/// How a model is exported, for a file beside its weights: who follows it gets the same files, byte for byte. As JSON:
///
///     {"version": 1, "export_format": "onnx", "config": {"opset_version": 21},
///      "parts": {"prefill": {"dynamic_shapes": {"input_ids": {"1": {"name": "length", "min": 1, "max": 2048}}}}, "decode": {}},
///      "static_cache_length": 512, "multi_token_decode": false, "dtype": "bfloat16",
///      "inputs": {"file": "export_config_inputs.safetensors", "names": ["input_ids", "attention_mask"]}}
///
/// All but the format may be left out. Without a "version" the file is a config, as its to_dict() gives it.
struct ExportRecipe {
    static constexpr std::int64_t newest_version = 1;
    static constexpr std::string_view file_name = "export_config.json";
    static constexpr std::string_view field = "export_config";  ///< of config.json, where there is no such file

    tree::Context config{};  ///< as a config's to_dict() gives it
    /// Which parts of a generative model there are to be, and what each has in other ways than `config`; none: all that there are.
    std::vector<std::pair<std::string, tree::Context>> parts{};
    std::int64_t static_cache_length = 0;  ///< 0: caches grow
    bool multi_token_decode = false;  ///< the part "decode" takes any number of tokens
    std::optional<at::ScalarType> dtype{};  ///< of the weights; none: the files'
    NamedTensors inputs{};  ///< what the model is run with; none: a sample of the model's own

    template <export_config Config>
    [[nodiscard]] static ExportRecipe of(const Config& config, const Inputs& inputs = {},
                                         const GenerationOptions& options = {}) {
        return make(config.to_dict(), inputs, options);
    }
    /// With a config for each part.
    template <export_config Config>
    [[nodiscard]] static ExportRecipe of(const std::map<std::string, Config>& configs, const Inputs& inputs = {},
                                         const GenerationOptions& options = {}) {
        ExportRecipe made = make(Config().to_dict(), inputs, options);
        for (const auto& [name, config] : configs) made.set_part(name, config.to_dict());
        return made;
    }

    /// The recipe in a checkpoint's folder; what is none there, or of a newer version, is an Error.
    [[nodiscard]] static ExportRecipe from_pretrained(const std::filesystem::path& folder);
    [[nodiscard]] static bool is_in(const std::filesystem::path& folder);
    [[nodiscard]] static ExportRecipe load(const std::filesystem::path& file);
    /// Files that it names are in `folder`.
    [[nodiscard]] static ExportRecipe from_dict(const tree::Context& dict, const std::filesystem::path& folder = {});

    /// Writes the file, and the inputs beside it: `export_config.json` and `export_config_inputs.safetensors`.
    void save(const std::filesystem::path& file) const;
    [[nodiscard]] tree::Context to_dict(const std::string& inputs_file = {}) const;

    /// The name of the backend; empty where none is said.
    [[nodiscard]] std::string_view format() const;
    /// What a part is exported with: its own settings over those for all.
    [[nodiscard]] tree::Context config_of(std::string_view part) const;
    void set_part(const std::string& name, const tree::Context& whole_config);
    [[nodiscard]] GenerationOptions generation() const {
        return {.static_cache_length = static_cache_length, .multi_token_decode = multi_token_decode};
    }

private:
    [[nodiscard]] static ExportRecipe make(const tree::Context& config, const Inputs& inputs,
                                           const GenerationOptions& options);
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/recipes/recipe-inl.hpp>
#endif
