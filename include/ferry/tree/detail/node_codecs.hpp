#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/detail/codec.hpp>
#include <ferry/tree/detail/context_tree.hpp>
#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry::tree::detail {

[[nodiscard]] inline TreeSpec dict_of_members(std::span<const std::string_view> names, std::vector<TreeSpec> children) {
    return TreeSpec::dict({names.begin(), names.end()}, std::move(children));
}

/// What a struct made from its members needs, told in one sentence instead of the compiler's many.
template <class Type>
struct require_default {
    static constexpr bool ok = std::default_initializable<Type>;
    static_assert(
        ok,
        "ferry: unflattening a type that is described by its members needs its default constructor; otherwise "
        "describe it by `flatten` and `unflatten` functions");
};

// ── Described with BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT: a dict ──

template <class Accessor, class Type>
using accessed_t = std::remove_cvref_t<decltype(std::declval<const Accessor&>()(std::declval<const Type&>()))>;

/// The name's own copy: hana::string keeps its characters in an object of internal linkage, which nothing inline may refer to.
template <class Name>
struct hana_name;
template <char... Chars>
struct hana_name<boost::hana::string<Chars...>> {
    static constexpr char text[] = {Chars..., '\0'};
    static constexpr std::string_view view{text, sizeof...(Chars)};
};

template <class Type, class Accessors>
struct hana_members;
template <class Type, template <class...> class Tuple, class... Names, class... Accessors>
struct hana_members<Type, Tuple<boost::hana::pair<Names, Accessors>...>> {
    using parts = type_list<accessed_t<Accessors, Type>...>;
    static constexpr std::array<std::string_view, sizeof...(Names)> names{hana_name<Names>::view...};

    template <class Pytrees>
    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(sizeof...(Names));
        (children.push_back(codec<accessed_t<Accessors, Type>, Pytrees>::write(Accessors{}(value), leaves)), ...);
        return dict_of_members(names, std::move(children));
    }
    template <class Pytrees>
    static void read(Type& value, const Reader& reader) {
        const auto children = reader.members(names);
        [[maybe_unused]] auto child = children.begin();
        (static_cast<void>(Accessors{}(value) = codec<accessed_t<Accessors, Type>, Pytrees>::read(*child++)), ...);
    }
};

template <class Type, class Pytrees>
    requires(boost::hana::Struct<Type>::value && !described<Type, Pytrees>)
struct codec<Type, Pytrees> {
    using all = hana_members<Type, std::remove_cvref_t<decltype(boost::hana::accessors<Type>())>>;
    using parts = typename all::parts;
    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        return all::template write<Pytrees>(value, leaves);
    }
    static Type read(const Reader& reader) {
        if constexpr (require_default<Type>::ok) {
            Type made{};
            all::template read<Pytrees>(made, reader);
            return made;
        } else {
            reader.fail("a type that can be made");
        }
    }
};

// ── Described by members: a dict, or a node of the Python type `name` ──

template <class Description>
struct context_members {
    using type = members<>;
};
template <class Description>
    requires requires { typename Description::context; }
struct context_members<Description> {
    using type = typename Description::context;
};

[[nodiscard]] inline std::string context_path(const Reader& reader, std::string_view name) {
    std::string path = reader.path();
    if (!path.empty()) path += '.';
    return path.append("(context).").append(name);
}

template <class Type, class Pytrees, class Description, class Leaves, class Constants>
struct member_codec;
template <class Type, class Pytrees, class Description, auto... Leaves, auto... Constants>
struct member_codec<Type, Pytrees, Description, members<Leaves...>, members<Constants...>> {
    using parts = type_list<member_type_t<Leaves>..., member_type_t<Constants>...>;
    static constexpr std::array<std::string_view, sizeof...(Leaves)> names{member_name<Leaves>()...};

    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        static_assert(
            named<Description> || sizeof...(Constants) == 0,
            "ferry: a tree node with a `context` needs a `name`, the Python type in whose node the context is kept");
        static_assert((!std::same_as<member_type_t<Constants>, at::Tensor> && ...),
                      "ferry: a tensor cannot be in a tree node's `context`; list the member in `leaves`");
        std::vector<TreeSpec> children;
        children.reserve(sizeof...(Leaves));
        (children.push_back(codec<member_type_t<Leaves>, Pytrees>::write(value.*Leaves, leaves)), ...);
        if constexpr (!named<Description>) {
            return dict_of_members(names, std::move(children));
        } else {
            Context context;
            if constexpr (sizeof...(Constants) > 0)
                context = Context::dict({std::string(member_name<Constants>())...}, {constant<Constants>(value)...});
            return TreeSpec::opaque(std::string(Description::name), std::move(context), std::move(children),
                                    {names.begin(), names.end()});
        }
    }

    static Type read(const Reader& reader) {
        if constexpr (require_default<Type>::ok) {
            Type made{};
            const auto children = [&] {
                if constexpr (named<Description>)
                    return reader.opaque(Description::name, sizeof...(Leaves));
                else
                    return reader.members(names);
            }();
            [[maybe_unused]] auto child = children.begin();
            (static_cast<void>(made.*Leaves = codec<member_type_t<Leaves>, Pytrees>::read(*child++)), ...);
            (read_constant<Constants>(made, reader), ...);
            return made;
        } else {
            reader.fail("a type that can be made");
        }
    }

private:
    template <auto Constant>
    static Context constant(const Type& value) {
        std::vector<Leaf> leaves;
        const TreeSpec spec = codec<member_type_t<Constant>, Pytrees>::write(value.*Constant, leaves);
        return context_of(spec, leaves);
    }
    template <auto Constant>
    static void read_constant(Type& value, const Reader& reader) {
        const Context* found = reader.spec().context().find(member_name<Constant>());
        if (found == nullptr)
            reader.fail("a context with '" + std::string(member_name<Constant>()) + "'",
                        "the context " + python_repr(reader.spec().context()));
        const Tree tree = tree_of(*found);
        value.*Constant =
            codec<member_type_t<Constant>, Pytrees>::read(Reader(tree, context_path(reader, member_name<Constant>())));
    }
};

template <class Type, class Pytrees>
    requires described_by_members<description_t<Type, Pytrees>>
struct codec<Type, Pytrees>
    : member_codec<Type, Pytrees, description_t<Type, Pytrees>, typename description_t<Type, Pytrees>::leaves,
                   typename context_members<description_t<Type, Pytrees>>::type> {};

// ── Described by functions: whatever they give, or a node of the Python type `name` with the same children ──

template <class Given>
struct given_parts {
    using type = Given;
    static constexpr bool has_context = false;
};
template <class Parts>
struct given_parts<std::pair<Parts, Context>> {
    using type = Parts;
    static constexpr bool has_context = true;
};

[[nodiscard]] inline TreeSpec named_node(std::string name, Context context, const TreeSpec& parts) {
    if (parts.is_leaf())
        throw Error(ErrorKind::invalid_input,
                    "`flatten` of the tree node " + name + " gave a leaf; it has to give a container of its children");
    TreeSpec made = TreeSpec::opaque(std::move(name), std::move(context), parts.children(), parts.child_names());
    for (std::size_t i = parts.choices().size(); i > 0; --i) made = made.with_choice(parts.choices()[i - 1]);
    return made;
}

template <class Type, class Pytrees>
    requires described_by_functions<description_t<Type, Pytrees>>
struct codec<Type, Pytrees> {
    using node = description_t<Type, Pytrees>;
    using given = given_parts<std::remove_cvref_t<decltype(node::flatten(std::declval<const Type&>()))>>;
    using inner = typename given::type;
    using parts = type_list<inner>;
    static constexpr bool may_be_none = !named<node> && detail::may_be_none<inner, Pytrees>;

    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        static_assert(
            named<node> || !given::has_context,
            "ferry: a tree node with a context needs a `name`, the Python type in whose node the context is kept");
        const auto flat = node::flatten(value);
        Context context;
        TreeSpec spec;
        if constexpr (given::has_context) {
            spec = codec<inner, Pytrees>::write(flat.first, leaves);
            context = flat.second;
        } else {
            spec = codec<inner, Pytrees>::write(flat, leaves);
        }
        if constexpr (named<node>) spec = named_node(std::string(node::name), std::move(context), spec);
        return spec;
    }

    static Type read(const Reader& reader) {
        if constexpr (!named<node>) {
            return node::unflatten(codec<inner, Pytrees>::read(reader));
        } else {
            const Reader opened = reader.open(node::name);
            if constexpr (given::has_context)
                return node::unflatten(codec<inner, Pytrees>::read(opened), reader.spec().context());
            else
                return node::unflatten(codec<inner, Pytrees>::read(opened));
        }
    }
};

}  // namespace ferry::tree::detail
