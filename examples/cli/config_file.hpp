#pragma once

#include "onnx_file.hpp"

#include <ferry/dynamo/config.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace cli {

/// What a file says of an export: the dict of a DynamoConfig, or of an OnnxConfig for ONNX.
struct FileConfig {
    ferry::DynamoConfig dynamo{};
    OnnxOptions onnx{};
    std::optional<std::filesystem::path> output{};
};

[[nodiscard]] FileConfig read_config(const std::filesystem::path& path, const std::string& format);

}  // namespace cli
