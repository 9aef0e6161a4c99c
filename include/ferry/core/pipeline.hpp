#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/stage.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/fwd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

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
    using type = concat_t<Kind, std::conditional_t<std::is_same_v<kind_of<Lists>, Kind>, Lists, Kind>...>;
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

template <class List>
struct valid_list;
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

// Each step looks only at what the step before found sound, so that the first error is also the last.
template <class Stages, class... Lists>
consteval bool valid_pipeline() {
    if constexpr (!all_true<require_entry_list<Lists>::ok...>)
        return false;
    else if constexpr (!all_true<require_stage<Stages, Lists>::ok...>)
        return false;
    else
        return all_true<valid_list<typename gather<kind_of<Lists>, Lists...>::type>::ok...>;
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
inline constexpr bool contains_v<pipeline<Stages, Lists...>, Entry> = detail::any_true<contains_v<Lists, Entry>...>;

}  // namespace ferry
