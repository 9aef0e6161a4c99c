#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/fwd.hpp>
#include <ferry/generation/generative.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Folders that transformers' save_pretrained has written. Only this header's source includes the models.
namespace cli {

struct CheckpointOptions {
    std::string dtype;                     ///< empty: the files'
    std::int64_t static_cache_length = 0;  ///< 0: caches grow
    std::string task;                      ///< what it is exported for; empty: whatever it does
    std::int64_t max_seq_len = 0;          ///< of a task; 0: by the model
    std::int64_t max_hidden_seq_len = 0;
    bool has_static_shapes = false;        ///< of a task
};

[[nodiscard]] bool is_checkpoint(const std::filesystem::path& path);

/// The parts of a model that generates, or the model as the only one, "model". Without inputs, a sample of the model's own.
[[nodiscard]] std::vector<std::pair<std::string, ferry::ExportedProgram>> capture_checkpoint(
    const std::filesystem::path& folder, const ferry::NamedTensors& inputs, const ferry::DynamoConfig& config,
    const CheckpointOptions& options);

/// Makes these calls; a cache that a call lacks is empty.
void observe_checkpoint(const std::filesystem::path& folder, const std::vector<ferry::NamedTensors>& calls,
                        ferry::InputObserver& observer);

/// Methods of a file that a runner of a task takes, and constants that it asks for.
struct TaskMethods {
    std::vector<std::pair<std::string, ferry::ExportedProgram>> programs;
    std::vector<std::pair<std::string, ferry::tree::Context>> constants;
};
[[nodiscard]] TaskMethods capture_task(const std::filesystem::path& folder, const ferry::DynamoConfig& config,
                                       const CheckpointOptions& options);

/// A model to generate with.
[[nodiscard]] std::unique_ptr<ferry::generation::Generative> load_generative(const std::filesystem::path& folder);

}  // namespace cli
