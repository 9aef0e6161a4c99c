#pragma once

#include <ferry/generation/tasks/task.hpp>
#include <ferry/generation/tasks/task_source.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <optional>

namespace ferry::generation {

/// What ExecuTorch's runners ask of any model; what a checkpoint does not say is left out.
[[nodiscard]] TaskMetadata model_metadata(const TaskSource& source, std::optional<std::int64_t> max_seq_len);

/// And of one that keeps a cache.
[[nodiscard]] TaskMetadata cache_metadata(const TaskSource& source, std::int64_t max_seq_len, bool is_dynamic);

/// All that a dict says, under its own names; nested values one behind the other.
void add_all(TaskMetadata& metadata, const tree::Context& dict);

/// How many tokens a cache has room for: what was asked for, or the most that the model has positions for, up to `otherwise`.
[[nodiscard]] std::int64_t room_for(std::optional<std::int64_t> asked, std::optional<std::int64_t> most,
                                    std::int64_t otherwise);
/// The same of a language model.
[[nodiscard]] std::int64_t room_of_text(const TaskSource& source, const TaskOptions& options);

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/metadata-inl.hpp>
#endif
