#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/files/file_name.hpp>
#include <ferry/models/checkpoint.hpp>
#include <ferry/models/weights-inl.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/tree/json_file.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace ferry::models {
namespace detail {

/// The files with weights, by an index if there is one. It may speak of files in the folder only.
[[nodiscard]] inline std::set<std::string> weight_files(const std::filesystem::path& folder) {
    const std::string whole = "model.safetensors", index = whole + ".index.json";
    if (!std::filesystem::exists(folder / index)) return {whole};
    const tree::Context dict = tree::read_json_object(folder / index);
    const tree::Context* map = dict.find("weight_map");
    if (map == nullptr || !map->is_dict())
        throw Error(ErrorKind::bad_file, index + " has no 'weight_map'", {.where = {.path = folder.string()}});
    std::set<std::string> names;
    for (const tree::Context& each : map->items()) {
        if (!each.is_text() || !files::is_plain_name(each.text()))
            throw Error(ErrorKind::bad_file,
                        index + " speaks of '" + each.text() + "', which is no file in its folder");
        names.insert(each.text());
    }
    return names;
}

}  // namespace detail

FERRY_INLINE Checkpoint::Checkpoint(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (!std::filesystem::exists(folder_ / "config.json"))
        throw Error(ErrorKind::invalid_input, "'" + folder_.string() + "' is no checkpoint: it has no config.json",
                    {.hint = "give the folder that save_pretrained has written"});
    config_ = tree::read_json_object(folder_ / "config.json");
    const auto read = [&](const char* name) {
        return std::filesystem::exists(folder_ / name) ? tree::read_json_object(folder_ / name) : tree::Context();
    };
    generation_config_ = read("generation_config.json");
    processor_config_ = read("preprocessor_config.json");
}

FERRY_INLINE std::string Checkpoint::architecture() const {
    const tree::Context* names = config_.find("architectures");
    if (names == nullptr || !names->is_list() || names->items().size() != 1 || !names->items()[0].is_text())
        throw Error(ErrorKind::bad_file, "config.json does not say which model it is of: 'architectures' is needed",
                    {.where = {.path = folder_.string()}});
    return names->items()[0].text();
}

FERRY_INLINE Weights Checkpoint::weights(std::optional<at::ScalarType> dtype) const {
    std::unordered_map<std::string, at::Tensor> tensors;
    for (const std::string& name : detail::weight_files(folder_))
        for (auto& [key, tensor] : safetensors::load(folder_ / name).tensors) tensors.emplace(key, std::move(tensor));
    return Weights(std::make_shared<detail::WeightStore>(std::move(tensors), dtype));
}

}  // namespace ferry::models
