#pragma once

#include <ferry/capture/dim.hpp>

#include <string>
#include <vector>

namespace cli {

/// The words of --dim: `input_ids.1=seq:1:2048`. What cannot be read is a std::invalid_argument.
[[nodiscard]] ferry::DynamicShapes parse_dims(const std::vector<std::string>& words);

}  // namespace cli
