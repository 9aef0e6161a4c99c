#pragma once

#include <ferry/models/weights.hpp>
#include <ferry/tree/context.hpp>

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <optional>
#include <string>

namespace ferry::models {

/// A folder as transformers' save_pretrained leaves it: config.json, model.safetensors or parts of it with an index, and maybe
/// generation_config.json and preprocessor_config.json.
class Checkpoint {
public:
    explicit Checkpoint(std::filesystem::path folder);

    [[nodiscard]] const tree::Context& config() const noexcept { return config_; }
    /// None where there is no such file.
    [[nodiscard]] const tree::Context& generation_config() const noexcept { return generation_config_; }
    /// The same: what images or sounds are made ready by, of preprocessor_config.json.
    [[nodiscard]] const tree::Context& processor_config() const noexcept { return processor_config_; }
    /// The class that transformers makes of it: "LlamaForCausalLM".
    [[nodiscard]] std::string architecture() const;
    /// The files' memory, mapped; in another dtype, copies.
    [[nodiscard]] Weights weights(std::optional<at::ScalarType> dtype = {}) const;

private:
    std::filesystem::path folder_;
    tree::Context config_, generation_config_, processor_config_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/checkpoint-inl.hpp>
#endif
