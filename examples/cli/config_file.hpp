#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/onnx/config.hpp>

#include <filesystem>
#include <string>

namespace cli {

/// What a file says of an export: the dict of a DynamoConfig, or of an OnnxConfig for ONNX.
struct FileConfig {
    ferry::DynamoConfig dynamo{};
    ferry::OnnxConfig onnx{};
};

[[nodiscard]] FileConfig read_config(const std::filesystem::path& path, const std::string& format);

}  // namespace cli
