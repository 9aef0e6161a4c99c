#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/tree/detail/codec.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::tree::detail {

/// Empty is a None leaf, anything else is the value itself: Python's pytrees have no node for "optional".
template <class Type, class Pytrees>
    requires(!described<std::optional<Type>, Pytrees> && !may_be_none<Type, Pytrees>)
struct codec<std::optional<Type>, Pytrees> {
    using parts = type_list<Type>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(const std::optional<Type>& value, std::vector<Leaf>& leaves) {
        if (value) return codec<Type, Pytrees>::write(*value, leaves);
        leaves.emplace_back();
        return {};
    }
    static std::optional<Type> read(const Reader& reader) {
        if (reader.is_none()) return std::nullopt;
        return codec<Type, Pytrees>::read(reader);
    }
};

template <class Type, class Allocator, class Pytrees>
    requires(!described<std::vector<Type, Allocator>, Pytrees>)
struct codec<std::vector<Type, Allocator>, Pytrees> {
    using parts = type_list<Type>;
    static TreeSpec write(const std::vector<Type, Allocator>& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(value.size());
        for (const auto& item : value) children.push_back(codec<Type, Pytrees>::write(item, leaves));
        return TreeSpec::list(std::move(children));
    }
    static std::vector<Type, Allocator> read(const Reader& reader) {
        std::vector<Type, Allocator> made;
        const auto children = reader.sequence(TreeSpec::Kind::list);
        made.reserve(children.size());
        for (const Reader& child : children) made.push_back(codec<Type, Pytrees>::read(child));
        return made;
    }
};

/// What has a length that the type fixes is a tuple, as it is in Python.
template <class Whole, class Pytrees, class... Types>
struct fixed_codec {
    using parts = type_list<Types...>;
    static TreeSpec write(const Whole& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(sizeof...(Types));
        std::apply(
            [&](const auto&... items) { (children.push_back(codec<Types, Pytrees>::write(items, leaves)), ...); },
            value);
        return TreeSpec::tuple(std::move(children));
    }
    static Whole read(const Reader& reader) {
        const auto children = reader.sequence(TreeSpec::Kind::tuple, sizeof...(Types));
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return Whole{codec<Types, Pytrees>::read(children[Index])...};
        }(std::index_sequence_for<Types...>{});
    }
};

template <class... Types, class Pytrees>
    requires(!described<std::tuple<Types...>, Pytrees>)
struct codec<std::tuple<Types...>, Pytrees> : fixed_codec<std::tuple<Types...>, Pytrees, Types...> {};

template <class First, class Second, class Pytrees>
    requires(!described<std::pair<First, Second>, Pytrees>)
struct codec<std::pair<First, Second>, Pytrees> : fixed_codec<std::pair<First, Second>, Pytrees, First, Second> {};

/// A tuple and not a list, though all items are alike: its length belongs to the type, so a longer one must not fit.
template <class Type, std::size_t Size, class Pytrees>
    requires(!described<std::array<Type, Size>, Pytrees>)
struct codec<std::array<Type, Size>, Pytrees> {
    using parts = type_list<Type>;
    static TreeSpec write(const std::array<Type, Size>& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(Size);
        for (const Type& item : value) children.push_back(codec<Type, Pytrees>::write(item, leaves));
        return TreeSpec::tuple(std::move(children));
    }
    static std::array<Type, Size> read(const Reader& reader) {
        const auto children = reader.sequence(TreeSpec::Kind::tuple, Size);
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return std::array<Type, Size>{codec<Type, Pytrees>::read(children[Index])...};
        }(std::make_index_sequence<Size>{});
    }
};

template <class Key>
concept map_key = std::same_as<Key, std::string> || integer<Key>;

/// Constants of a registered type pass through JSON, whose keys are always strings: hence digits count as an integer.
template <map_key Key>
[[nodiscard]] Key read_key(const Reader& reader, const Context& key) {
    if constexpr (std::same_as<Key, std::string>) {
        if (key.is_text()) return key.text();
        reader.fail("a dict whose keys are strings");
    } else {
        Key made{};
        const char* const end = key.text().data() + key.text().size();
        const bool digits = key.kind() == Context::Kind::integer || (key.is_text() && !key.text().empty());
        if (digits && std::from_chars(key.text().data(), end, made) == std::from_chars_result{end, std::errc{}})
            return made;
        reader.fail("a dict whose keys are integers that fit the map's key type");
    }
}

/// Both kinds of map are dicts. An unordered one is sorted by key, so that equal maps have equal trees.
template <class Map, class Pytrees, bool Sorted>
struct map_codec {
    using key = typename Map::key_type;
    using value_codec = codec<typename Map::mapped_type, Pytrees>;
    using parts = type_list<typename Map::mapped_type>;

    static TreeSpec write(const Map& value, std::vector<Leaf>& leaves) {
        std::vector<const typename Map::value_type*> items;
        items.reserve(value.size());
        for (const auto& item : value) items.push_back(&item);
        if constexpr (!Sorted)
            std::sort(items.begin(), items.end(), [](auto* a, auto* b) { return a->first < b->first; });
        std::vector<Context> keys;
        std::vector<TreeSpec> children;
        for (const auto* item : items) {
            keys.emplace_back(item->first);
            children.push_back(value_codec::write(item->second, leaves));
        }
        return TreeSpec::dict(std::move(keys), std::move(children));
    }
    static Map read(const Reader& reader) {
        Map made;
        const auto children = reader.mapping();
        const auto keys = reader.keys();
        for (std::size_t i = 0; i < children.size(); ++i)
            if (!made.emplace(read_key<key>(reader, keys[i]), value_codec::read(children[i])).second)
                reader.fail("a dict without repeated keys");
        return made;
    }
};

template <map_key Key, class Type, class... Rest, class Pytrees>
    requires(!described<std::map<Key, Type, Rest...>, Pytrees>)
struct codec<std::map<Key, Type, Rest...>, Pytrees> : map_codec<std::map<Key, Type, Rest...>, Pytrees, true> {};

template <map_key Key, class Type, class... Rest, class Pytrees>
    requires(!described<std::unordered_map<Key, Type, Rest...>, Pytrees>)
struct codec<std::unordered_map<Key, Type, Rest...>, Pytrees>
    : map_codec<std::unordered_map<Key, Type, Rest...>, Pytrees, false> {};

/// The held alternative stands for itself; the spec remembers which one it was for as long as it stays in the process.
template <class... Types, class Pytrees>
    requires(!described<std::variant<Types...>, Pytrees>)
struct codec<std::variant<Types...>, Pytrees> {
    using variant = std::variant<Types...>;
    using parts = type_list<Types...>;
    static constexpr bool may_be_none = (detail::may_be_none<Types, Pytrees> || ...);

    static TreeSpec write(const variant& value, std::vector<Leaf>& leaves) {
        if (value.valueless_by_exception()) throw Error(ErrorKind::invalid_input, "a std::variant without a value");
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            TreeSpec spec;
            static_cast<void>(((value.index() == Index &&
                                (spec = codec<Types, Pytrees>::write(*std::get_if<Index>(&value), leaves), true)) ||
                               ...));
            return spec.with_choice(static_cast<std::uint32_t>(value.index()));
        }(std::index_sequence_for<Types...>{});
    }

    static variant read(const Reader& reader) {
        const Reader inside = reader.after_choice();
        std::string why;
        if (const auto* choice = reader.choice(); choice != nullptr && *choice < sizeof...(Types))
            if (auto made = attempt(inside, *choice, why)) return std::move(*made);
        for (const bool strict : {true, false})
            for (std::size_t index = 0; index < sizeof...(Types) && (strict || !reader.strict()); ++index)
                if (auto made = attempt(inside.as_strict(strict), index, why)) return std::move(*made);
        reader.fail("one of the alternatives of a std::variant", "none that fits", why);
    }

private:
    template <std::size_t Index>
    static variant one(const Reader& reader) {
        return variant(std::in_place_index<Index>,
                       codec<std::variant_alternative_t<Index, variant>, Pytrees>::read(reader));
    }
    static std::optional<variant> attempt(const Reader& reader, std::size_t index, std::string& why) {
        static constexpr auto readers = []<std::size_t... Index>(std::index_sequence<Index...>) {
            return std::array{&one<Index>...};
        }(std::index_sequence_for<Types...>{});
        try {
            return readers[index](reader);
        } catch (const Error& error) {
            if (why.empty())
                why = "alternative " + std::to_string(index) + " at " + error.where().path + ": " + error.message();
            return std::nullopt;
        }
    }
};

}  // namespace ferry::tree::detail
