#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/files/json_writer.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/safetensors/dtypes.hpp>
#include <ferry/safetensors/write.hpp>

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::safetensors {

FERRY_INLINE void save(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, at::Tensor>>& tensors,
                       const std::map<std::string, std::string>& metadata) {
    struct Item {
        std::string_view name;
        at::Tensor tensor;
    };
    std::vector<Item> items;
    std::set<std::string_view> names;
    items.reserve(tensors.size());
    for (const auto& [name, tensor] : tensors) {
        const auto refuse = [&](ErrorKind kind, const std::string& what) {
            throw Error(kind, what, {.where = {.path = name}});
        };
        if (!tensor.defined()) refuse(ErrorKind::invalid_input, "a tensor that is to be saved is undefined");
        if (name == "__metadata__" || !names.insert(name).second)
            refuse(ErrorKind::invalid_input, "a tensor's name is taken, or one that the format keeps for itself");
        if (tensor.layout() != at::kStrided || word_of(to_dtype(tensor.scalar_type())).empty())
            refuse(ErrorKind::unsupported, ".safetensors has no tensors of " +
                                               std::string(c10::toString(tensor.scalar_type())) + " with the layout " +
                                               std::string(to_string(to_layout(tensor.layout()))));
        items.push_back({name, tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()});
    }
    algo::stable_sort(items, std::greater<>{}, [](const Item& item) { return item.tensor.element_size(); });

    files::Json header = files::Json::object();
    if (!metadata.empty()) {
        files::Json texts = files::Json::object();
        for (const auto& [key, text] : metadata) texts.put(key, text);
        header.put("__metadata__", texts);
    }
    std::uint64_t place = 0;
    for (const auto& [name, tensor] : items) {
        const std::uint64_t end = place + tensor.nbytes();
        header.put(name, files::Json{{"dtype", word_of(to_dtype(tensor.scalar_type()))},
                                     {"shape", files::Json::array_of(tensor.sizes())},
                                     {"data_offsets", files::Json::array_of(std::array{place, end})}});
        place = end;
    }
    std::string text = header.text();
    text.append((8 - text.size() % 8) % 8, ' ');
    const std::uint64_t size = text.size();
    files::OutputFile file(path);
    file.write(std::as_bytes(std::span(&size, 1)));
    file.write(std::as_bytes(std::span(text)));
    for (const auto& [name, tensor] : items)
        file.write({static_cast<const std::byte*>(tensor.const_data_ptr()), static_cast<std::size_t>(tensor.nbytes())});
    file.commit();
}

}  // namespace ferry::safetensors
