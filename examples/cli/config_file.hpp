#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/executorch/config.hpp>
#include <ferry/onnx/config.hpp>

#include <filesystem>
#include <string>

namespace cli {

/// What a file says of an export: the dict of a DynamoConfig, or of the format's own.
struct FileConfig {
    ferry::DynamoConfig dynamo{};
    ferry::OnnxConfig onnx{};
    ferry::ExecutorchConfig executorch{};
};

[[nodiscard]] FileConfig read_config(const std::filesystem::path& path, const std::string& format);

}  // namespace cli
