#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/fwd.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <array>
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

/// A model's inputs: named trees in order. As a tree it is a dict, as keyword arguments are in Python.
class Inputs {
public:
    using Item = std::pair<std::string, Tree>;

    Inputs() = default;
    explicit Inputs(std::vector<Item> items);

    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return items_.begin(); }
    [[nodiscard]] auto end() const noexcept { return items_.end(); }

    [[nodiscard]] const Tree* find(std::string_view name) const noexcept;
    /// The input of that name, or what is at a dotted path ("past_key_values.0.keys").
    [[nodiscard]] Tree at(std::string_view path) const;
    [[nodiscard]] bool contains(std::string_view path) const;
    /// Given, and not None.
    [[nodiscard]] bool has(std::string_view path) const;
    /// The same, as a C++ value: `get<at::Tensor>("input_ids")`.
    template <class Type, class Pytrees = pytrees<>>
    [[nodiscard]] Type get(std::string_view path) const {
        return tree::unflatten<Type, Pytrees>(at(path));
    }

    /// Exchanges the input of that name in its place, or adds it at the end.
    template <class Pytrees = pytrees<>, class Type>
    void set(std::string_view name, const Type& value);
    /// Removes an input; false when there was none.
    bool erase(std::string_view name);

    [[nodiscard]] Tree tree() const;
    [[nodiscard]] TreeSpec spec() const { return tree().spec; }
    [[nodiscard]] bool same_structure(const Inputs& other) const { return spec() == other.spec(); }
    friend bool operator==(const Inputs&, const Inputs&) = default;

private:
    std::vector<Item> items_;
};

namespace tree {
namespace detail {

/// String literals and std::nullopt too, which are no C++ values that could be made again.
template <class Pytrees, class Type>
[[nodiscard]] Tree to_tree(const Type& value) {
    if constexpr (std::same_as<Type, std::nullopt_t>)
        return Leaf();
    else if constexpr (!has_codec<Type, Pytrees> && std::convertible_to<const Type&, std::string_view>)
        return Leaf(std::string_view(value));
    else
        return tree::flatten<Pytrees>(value);
}

template <class Arguments>
inline constexpr bool names_and_values = false;
template <class... Arguments>
inline constexpr bool names_and_values<std::tuple<Arguments...>> = [] {
    const std::array<bool, sizeof...(Arguments)> is_text{std::convertible_to<Arguments, std::string_view>...};
    for (std::size_t i = 0; i < is_text.size(); i += 2)
        if (!is_text[i]) return false;
    return is_text.size() % 2 == 0;
}();

template <class... Arguments>
struct require_names_and_values {
    static_assert(
        names_and_values<std::tuple<const Arguments&...>>,
        "ferry: inputs are given as name, value, name, value, ...: ferry::inputs(\"input_ids\", ids, \"mask\", mask)");
};

template <class Pytrees, class... Arguments>
[[nodiscard]] std::vector<Inputs::Item> named_trees(const Arguments&... arguments) {
    std::vector<Inputs::Item> items;
    if constexpr (names_and_values<std::tuple<const Arguments&...>>) {
        items.reserve(sizeof...(Arguments) / 2);
        const std::tuple<const Arguments&...> all(arguments...);
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            (items.emplace_back(std::string(std::string_view(std::get<2 * Index>(all))),
                                to_tree<Pytrees>(std::get<2 * Index + 1>(all))),
             ...);
        }(std::make_index_sequence<sizeof...(Arguments) / 2>{});
    } else {
        static_cast<void>(require_names_and_values<Arguments...>{});
    }
    return items;
}

[[nodiscard]] Tree dict_tree(const std::vector<Inputs::Item>& items);

template <class Pytrees>
struct codec<Inputs, Pytrees> {
    using parts = type_list<>;
    static TreeSpec write(const Inputs& value, std::vector<Leaf>& leaves) {
        return codec<Tree, Pytrees>::write(value.tree(), leaves);
    }
    static Inputs read(const Reader& reader) {
        std::vector<Inputs::Item> items;
        const auto children = reader.mapping();
        const auto keys = reader.keys();
        items.reserve(children.size());
        for (std::size_t i = 0; i < children.size(); ++i)
            items.emplace_back(read_key<std::string>(reader, keys[i]), children[i].tree());
        return Inputs(std::move(items));
    }
};

}  // namespace detail

/// Trees made on the spot, where no C++ type fits: `list_of(ids, tuple_of(1, 2.5), dict_of("a", x))`.
template <class Pytrees = pytrees<>, class... Values>
[[nodiscard]] Tree list_of(const Values&... values) {
    return Tree::list({detail::to_tree<Pytrees>(values)...});
}
template <class Pytrees = pytrees<>, class... Values>
[[nodiscard]] Tree tuple_of(const Values&... values) {
    return Tree::tuple({detail::to_tree<Pytrees>(values)...});
}
template <class Pytrees = pytrees<>, class... Arguments>
[[nodiscard]] Tree dict_of(const Arguments&... names_and_values) {
    return Inputs(detail::named_trees<Pytrees>(names_and_values...)).tree();
}

}  // namespace tree

/// `inputs("input_ids", ids, "attention_mask", mask)`; a value is anything flattenable, a Tree made at run time too.
template <class Pytrees = pytrees<>, class... Arguments>
[[nodiscard]] Inputs inputs(const Arguments&... names_and_values) {
    return Inputs(tree::detail::named_trees<Pytrees>(names_and_values...));
}

inline const Tree* Inputs::find(std::string_view name) const noexcept {
    for (const Item& item : items_)
        if (item.first == name) return &item.second;
    return nullptr;
}

template <class Pytrees, class Type>
void Inputs::set(std::string_view name, const Type& value) {
    Tree made = tree::detail::to_tree<Pytrees>(value);
    if (const Tree* old = find(name))
        *const_cast<Tree*>(old) = std::move(made);
    else
        items_.emplace_back(std::string(name), std::move(made));
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/tree/inputs-inl.hpp>
#endif
