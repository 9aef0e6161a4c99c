#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/fwd.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {
namespace tree::detail {

FERRY_INLINE Tree dict_tree(const std::vector<Inputs::Item>& items) {
    std::vector<Context> keys;
    std::vector<Tree> values;
    for (const auto& [name, value] : items) {
        keys.emplace_back(name);
        values.push_back(value);
    }
    return Tree::dict(std::move(keys), std::move(values));
}

}  // namespace tree::detail

FERRY_INLINE Inputs::Inputs(std::vector<Item> items) : items_(std::move(items)) {
    for (const auto& [name, value] : items_)
        if (find(name) != &value)
            throw Error(ErrorKind::invalid_input, "the input '" + name + "' is given twice", {.where = {.path = name}});
}

FERRY_INLINE Tree Inputs::tree() const { return tree::detail::dict_tree(items_); }
FERRY_INLINE Tree Inputs::at(std::string_view path) const {
    if (const Tree* direct = find(path)) return *direct;
    return tree().at(path);
}
FERRY_INLINE bool Inputs::contains(std::string_view path) const {
    return find(path) != nullptr || tree().contains(path);
}
FERRY_INLINE bool Inputs::has(std::string_view path) const {
    return contains(path) && !algo::all_of(at(path).leaves, &Leaf::is_absent);
}

FERRY_INLINE bool Inputs::erase(std::string_view name) {
    return std::erase_if(items_, [&](const Item& item) { return item.first == name; }) != 0;
}

}  // namespace ferry
