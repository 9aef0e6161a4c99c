#include "batch.hpp"

std::vector<std::string> tensor_paths(const Batch& batch) {
    std::vector<std::string> paths;
    for (const auto& [path, tensor] : ferry::get_leaf_tensors(batch)) paths.push_back(path);
    return paths;
}
