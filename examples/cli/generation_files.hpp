#pragma once

#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/generative.hpp>
#include <ferry/generation/options.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

/// Folders with what was exported of a model that generates. Only this header's source includes the runtimes.
namespace cli {

/// What a folder's own files say, where it has them.
struct GenerationConfigs {
    ferry::tree::Context config{}, generation_config{};

    [[nodiscard]] bool have(std::string_view token) const {
        return ferry::generation::special_token(config, generation_config, token) != nullptr;
    }
};

/// What generates, and what is known of it.
struct GenerationFiles {
    std::unique_ptr<ferry::generation::Generative> model;
    ferry::GenerationOptions options{};  ///< with the tokens at which texts end
    std::int64_t max_seq_len = 0;        ///< 0: there is no limit
    bool is_one_text = false;            ///< it takes one at a time
    bool has_start = false;              ///< it says itself what a decoder behind an encoder begins with
};

/// A model.pte that was exported for a task.
[[nodiscard]] bool has_task_file(const std::filesystem::path& folder);
[[nodiscard]] GenerationFiles open_task_file(const std::filesystem::path& folder, const GenerationConfigs& configs);

/// The parts of a model, in files of one format.
[[nodiscard]] bool has_parts(const std::filesystem::path& folder);
[[nodiscard]] GenerationFiles open_parts(const std::filesystem::path& folder, const GenerationConfigs& configs);

}  // namespace cli
