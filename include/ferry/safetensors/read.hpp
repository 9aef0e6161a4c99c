#pragma once

#include <ferry/core/error.hpp>

#include <ATen/core/Tensor.h>

#include <bit>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::safetensors {

static_assert(std::endian::native == std::endian::little,
              "ferry: the format is little-endian, and so must the machine be");

struct Contents {
    std::vector<std::pair<std::string, at::Tensor>> tensors{};  ///< in the order of their bytes
    std::map<std::string, std::string> metadata{};

    [[nodiscard]] const at::Tensor* find(std::string_view name) const noexcept {
        for (const auto& [each, tensor] : tensors)
            if (each == name) return &tensor;
        return nullptr;
    }
};

/// Reads a .safetensors file. The tensors' memory is the file's, mapped; writing to them does not change the file.
[[nodiscard]] Contents load(const std::filesystem::path& path);

}  // namespace ferry::safetensors

#ifndef FERRY_COMPILED
#include <ferry/safetensors/read-inl.hpp>
#endif
