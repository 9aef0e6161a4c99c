#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/fwd.hpp>
#include <ferry/program/exported_program.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Folders that transformers' save_pretrained has written. Only this header's source includes the models.
namespace cli {

struct CheckpointOptions {
    std::string dtype;                     ///< empty: the files'
    std::int64_t static_cache_length = 0;  ///< 0: caches grow
};

[[nodiscard]] bool is_checkpoint(const std::filesystem::path& path);

/// The parts of a model that generates, or the model as the only one, "model". Without inputs, a sample of the model's own.
[[nodiscard]] std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(
    const std::filesystem::path& folder, const ferry::NamedTensors& inputs, const ferry::DynamoConfig& config,
    const CheckpointOptions& options);

/// Makes these calls; a cache that a call lacks is empty.
void observe_checkpoint(const std::filesystem::path& folder, const std::vector<ferry::NamedTensors>& calls,
                        ferry::InputObserver& observer);

}  // namespace cli
