#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/stage.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/fwd.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ferry {

// These exist to be printed, like the requirements of entries in require.hpp.
template <class List>
struct require_entry_list {
    static constexpr bool ok = entry_list<List>;
    static_assert(
        ok, "ferry: a pipeline is made of lists; wrap the entry in the list of its kind, e.g. translations<my_gelu>");
};

template <class Stages, class List>
struct require_stage {
    static constexpr bool ok = contains_v<typename Stages::kinds, detail::kind_of<List>>;
    static_assert(
        ok, "ferry: this backend has no stage that runs such a list; `ferry stages` prints what each stage takes");
};

template <class First, class Second>
struct two_entries_for_one_type {
    static_assert(sizeof(First) == 0,
                  "ferry: two entries of one stage claim the same type; keep one, or override on "
                  "purpose with replace<Pipeline, Old, New>");
    static constexpr bool ok = false;
};

namespace detail {

/// All lists of one kind, joined in order. A struct: g++ 12 confuses the packs when this is an alias.
template <class Kind, class... Lists>
struct gather {
    using type = concat_t<Kind, std::conditional_t<std::is_same_v<kind_of<Lists>, Kind>, plain_t<Lists>, Kind>...>;
};

/// What an entry without ops stands for: the type it describes, the module it patches, or just itself.
template <class Entry>
struct claimed_type {
    using type = Entry;
};
template <describes_tree_node Entry>
struct claimed_type<Entry> {
    using type = typename Entry::type;
};
template <has_module_forward Entry>
struct claimed_type<Entry> {
    using type = typename Entry::module;
};

template <class... Entries>
consteval bool types_differ() {
    using claimed = type_list<typename claimed_type<Entries>::type...>;
    constexpr std::size_t count = sizeof...(Entries);
    constexpr std::array<std::size_t, count> first{index_of_v<claimed, typename claimed_type<Entries>::type>...};
    constexpr std::size_t clash = [first] {
        std::size_t at = 0;
        while (at < count && first[at] == at) ++at;
        return at;
    }();
    if constexpr (clash < count) {
        using all = type_list<Entries...>;
        return two_entries_for_one_type<at_t<first[clash], all>, at_t<clash, all>>::ok;
    } else {
        return true;
    }
}

/// One list by itself: a named one is checked once, however many pipelines have it.
template <class List>
struct valid_list : valid_list<plain_t<List>> {};
template <class List, class... Removed>
struct valid_list<named_less<List, Removed...>> : valid_list<List> {};
#if defined(FERRY_COMPILED) || defined(FERRY_SINGLE_HEADER)
template <std::derived_from<own_list> List>
struct valid_list<List> {
    static constexpr bool ok = true;
};
#endif
template <template <class...> class Kind, class... Entries>
struct valid_list<Kind<Entries...>> {
    static constexpr bool ok = [] {
        if constexpr (sizeof...(Entries) == 0)
            return true;
        else if constexpr (!all_true<Kind<Entries...>::template require<Entries>::ok...>)
            return false;
        else if constexpr (all_true<targets_ops<Entries>...>)
            return op_table<Kind<Entries...>>::no_clash;
        else
            return types_differ<Entries...>();
    }();
};

template <class... Entries>
consteval bool types_differ(const type_list<Entries...>&) {
    return types_differ<Entries...>();
}

template <class List>
inline constexpr std::span<const std::span<const op_name>> targets_of{};
template <template <class...> class Kind, class... Entries>
    requires(sizeof...(Entries) > 0 && all_true<targets_ops<Entries>...>)
inline constexpr std::array<std::span<const op_name>, sizeof...(Entries)> targets_of<Kind<Entries...>>{
    Entries::target...};

struct Clash {
    std::size_t first, second;  ///< positions of the entries
    op_name op;
};
constexpr bool find_clash(std::span<const std::span<const op_name>> first,
                          std::span<const std::span<const op_name>> second, Clash& clash) {
    for (std::size_t a = 0; a < first.size(); ++a)
        for (const op_name& op : first[a])
            for (std::size_t b = 0; b < second.size(); ++b)
                for (const op_name& other : second[b])
                    if (op.text() == other.text()) {
                        clash = {a, b, op};
                        return true;
                    }
    return false;
}

/// Two lists, each sound by itself, in one pipeline.
template <class First, class Second>
consteval bool lists_differ() {
    using A = plain_t<First>;
    using B = plain_t<Second>;
    if constexpr (!std::is_same_v<kind_of<First>, kind_of<Second>> || A::size == 0 || B::size == 0) {
        return true;
    } else if constexpr (targets_of<A>.size() != 0 && targets_of<B>.size() != 0) {
        constexpr auto found = [] {
            Clash clash{0, 0, targets_of<A>[0][0]};
            return std::pair(find_clash(targets_of<A>, targets_of<B>, clash), clash);
        }();
        if constexpr (found.first) {
            constexpr std::string_view op = found.second.op.text();
            return two_entries_for_one_op<at_t<found.second.first, A>, at_t<found.second.second, B>,
                                          fixed_string<op.size()>(op)>::ok;
        } else {
            return true;
        }
    } else {
        return types_differ(concat_t<type_list<>, A, B>{});
    }
}
template <class List, class... Others>
inline constexpr bool differs_from_all = all_true<lists_differ<List, Others>()...>;
template <class... Lists>
struct all_lists_differ : std::true_type {};
template <class First, class... Others>
struct all_lists_differ<First, Others...>
    : std::bool_constant<differs_from_all<First, Others...> && all_lists_differ<Others...>::value> {};

// Each step looks only at what the step before found sound, so that the first error is also the last.
template <class Stages, class... Lists>
consteval bool valid_pipeline() {
    if constexpr (!all_true<require_entry_list<Lists>::ok...>)
        return false;
    else if constexpr (!all_true<require_stage<Stages, Lists>::ok...>)
        return false;
    else if constexpr (!all_true<valid_list<Lists>::ok...>)
        return false;
    else
        return all_lists_differ<Lists...>::value;
}

}  // namespace detail

/// A backend's stages and the lists that they run. Lists may come in any number and order: families of ops each bring
/// their own, and a user's list looks no different from ours.
template <class Stages, class... Lists>
struct pipeline {
    using stages = Stages;
    using lists = type_list<Lists...>;

    /// All entries of one kind, in order of run; the kind as a type, e.g. `translations<>`.
    template <class Kind>
    using gathered = typename detail::gather<Kind, Lists...>::type;

    /// The same with the kind by name: `onnx_pipeline::stage<translations>`.
    template <template <class...> class Kind>
    using stage = gathered<Kind<>>;

    static constexpr bool valid = detail::valid_pipeline<Stages, Lists...>();
};

/// True when some list of the pipeline holds the entry.
template <class Stages, class... Lists, class Entry>
inline constexpr bool contains_v<pipeline<Stages, Lists...>, Entry> =
    detail::any_true<contains_v<plain_t<Lists>, Entry>...>;

}  // namespace ferry
