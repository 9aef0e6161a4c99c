#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/node.hpp>
#include <ferry/tree/reader.hpp>
#include <ferry/tree/tree.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::tree::detail {

/// How a type is written to and read from a tree, both ways side by side:
///   parts        the types inside it, which must be flattenable too
///   may_be_none  whether a value can look like None, so that an optional around it could not be told apart (default false)
///   write        appends the leaves and gives the structure;  read   makes the value again
/// The primary template is empty: such a type cannot be flattened.
template <class Type, class Pytrees>
struct codec {};

template <class Type, class Pytrees>
concept has_codec = requires { typename codec<Type, Pytrees>::parts; };

template <class Type, class Pytrees>
concept may_be_none = requires { requires codec<Type, Pytrees>::may_be_none; };

template <class Type>
concept character = std::same_as<Type, char> || std::same_as<Type, wchar_t> || std::same_as<Type, char8_t> ||
                    std::same_as<Type, char16_t> || std::same_as<Type, char32_t>;
template <class Type>
concept integer = std::integral<Type> && !std::same_as<Type, bool> && !character<Type>;

/// A leaf whose type in the tree is `Stored`.
template <class Stored, Leaf::Kind Kind>
struct leaf_codec {
    using parts = type_list<>;
    static TreeSpec write(const Stored& value, std::vector<Leaf>& leaves) {
        leaves.emplace_back(value);
        return {};
    }
    static Stored read(const Reader& reader) { return *reader.leaf(Kind).get_if<Stored>(); }
};

template <class Pytrees>
struct codec<at::Tensor, Pytrees> : leaf_codec<at::Tensor, Leaf::Kind::tensor> {};
template <class Pytrees>
struct codec<bool, Pytrees> : leaf_codec<bool, Leaf::Kind::boolean> {};
template <class Pytrees>
struct codec<double, Pytrees> : leaf_codec<double, Leaf::Kind::real> {};
template <class Pytrees>
struct codec<std::string, Pytrees> : leaf_codec<std::string, Leaf::Kind::text> {};

template <class Pytrees>
struct codec<float, Pytrees> {
    using parts = type_list<>;
    static TreeSpec write(float value, std::vector<Leaf>& leaves) {
        return codec<double, Pytrees>::write(value, leaves);
    }
    static float read(const Reader& reader) { return static_cast<float>(codec<double, Pytrees>::read(reader)); }
};

[[noreturn]] inline void integer_too_large(const std::string& value) {
    throw Error(ErrorKind::invalid_input, "the integer " + value + " does not fit the 64 bits that a tree's leaf has");
}

template <integer Int, class Pytrees>
struct codec<Int, Pytrees> {
    using parts = type_list<>;
    static TreeSpec write(Int value, std::vector<Leaf>& leaves) {
        if (!std::in_range<std::int64_t>(value)) integer_too_large(std::to_string(value));
        leaves.emplace_back(value);
        return {};
    }
    static Int read(const Reader& reader) {
        const std::int64_t value = *reader.leaf(Leaf::Kind::integer).get_if<std::int64_t>();
        if (!std::in_range<Int>(value))
            reader.fail("an integer from " + std::to_string(std::numeric_limits<Int>::min()) + " to " +
                            std::to_string(std::numeric_limits<Int>::max()),
                        std::to_string(value));
        return static_cast<Int>(value);
    }
};

/// The empty alternative of a variant.
template <class Pytrees>
struct codec<std::monostate, Pytrees> {
    using parts = type_list<>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(std::monostate, std::vector<Leaf>& leaves) {
        leaves.emplace_back();
        return {};
    }
    static std::monostate read(const Reader& reader) {
        return static_cast<void>(reader.leaf(Leaf::Kind::none)), std::monostate{};
    }
};

/// Any leaf, in code that learns at run time what it deals with.
template <class Pytrees>
struct codec<Leaf, Pytrees> {
    using parts = type_list<>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(const Leaf& value, std::vector<Leaf>& leaves) {
        leaves.push_back(value);
        return {};
    }
    static Leaf read(const Reader& reader) {
        if (!reader.spec().is_leaf()) reader.fail("a leaf");
        return reader.leaves().front();
    }
};

template <class Pytrees>
struct codec<Tree, Pytrees> {
    using parts = type_list<>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(const Tree& value, std::vector<Leaf>& leaves) {
        if (value.leaves.size() != value.spec.num_leaves())  // both members are open to the user
            throw Error(ErrorKind::invalid_input, "a Tree whose spec has " + std::to_string(value.spec.num_leaves()) +
                                                      " leaves holds " + std::to_string(value.leaves.size()));
        leaves.insert(leaves.end(), value.leaves.begin(), value.leaves.end());
        return value.spec;
    }
    static Tree read(const Reader& reader) { return reader.tree(); }
};

}  // namespace ferry::tree::detail
