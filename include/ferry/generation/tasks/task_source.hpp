#pragma once

#include <ferry/models/any_model.hpp>
#include <ferry/tree/context.hpp>

#include <string>

namespace ferry::generation {

/// A model, and what its checkpoint's files say beside the weights; none where there is no such file.
struct TaskSource {
    AnyModel model;
    std::string architecture;  ///< "LlamaForCausalLM"
    tree::Context config{}, generation_config{}, processor_config{};

    /// The part of config.json that speaks of the language model.
    [[nodiscard]] const tree::Context& text_config() const;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/tasks/task_source-inl.hpp>
#endif
