#include "config_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/tree/context_json.hpp>

#include <fstream>
#include <iterator>

namespace cli {

FileConfig read_config(const std::filesystem::path& path, const std::string& format) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw ferry::Error(ferry::ErrorKind::io, "the file cannot be opened", {.where = {.path = path.string()}});
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
        const ferry::tree::Context dict = ferry::tree::from_json(text);
        if (format == "executorch") {
            const ferry::ExecutorchConfig config = ferry::ExecutorchConfig::from_dict(dict);
            return {.dynamo = config.dynamo(), .executorch = config};
        }
        if (format != "onnx") return {.dynamo = ferry::DynamoConfig::from_dict(dict)};
        const ferry::OnnxConfig config = ferry::OnnxConfig::from_dict(dict);
        return {.dynamo = config.dynamo(), .onnx = config};
    } catch (const ferry::Error& error) {
        throw ferry::Error(error.kind(), path.string() + ": " + error.message(),
                           {.hint = error.hint(), .where = error.where()});
    }
}

}  // namespace cli
