#pragma once

#include <ferry/core/error.hpp>

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ferry::safetensors {

/// Writes a .safetensors file straight from the tensors' memory; the file is there whole or not at all.
// No gaps are allowed, so that only this order keeps every element at a multiple of its size.
void save(const std::filesystem::path& path, const std::vector<std::pair<std::string, at::Tensor>>& tensors,
          const std::map<std::string, std::string>& metadata = {});

}  // namespace ferry::safetensors

#ifndef FERRY_COMPILED
#include <ferry/safetensors/write-inl.hpp>
#endif
