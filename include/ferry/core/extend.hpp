#pragma once

#include <ferry/core/pipeline.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/fwd.hpp>

#include <type_traits>

/// The definitions behind `extend`, `without`, `replace` and `insert_before/after`, which fwd.hpp declares.
namespace ferry {

template <class Pipeline, class Entry>
struct require_member {
    static constexpr bool ok = contains_v<Pipeline, Entry>;
    static_assert(
        ok, "ferry: the pipeline has no such entry to replace, remove or insert at; `ferry stages` prints what it has");
};

namespace detail {

/// Checked where it is spelled, not at some later use far away. The alias makes the compiler look without an assert of
/// its own, which would only be a second error.
template <class Stages, class... Lists>
struct checked_pipeline {
    using type = pipeline<Stages, Lists...>;
    using valid = std::bool_constant<type::valid>;
};

template <class Stages, class... Old, class... Lists>
struct extend<pipeline<Stages, Old...>, Lists...> : checked_pipeline<Stages, Old..., Lists...> {};

template <class Stages, class... Lists>
struct without<pipeline<Stages, Lists...>> : checked_pipeline<Stages, Lists...> {};
/// What becomes of a list when `Old` is exchanged for `News`. Of a named list whose entries are found by their ops, where no order counts,
/// the rest keeps the name.
template <class List, class Old, class... News>
struct exchange {
    using type = type_list<typename substitute<plain_t<List>, Old, type_list<News...>>::type>;
};
template <class List, class Old, class... News>
    requires(!contains_v<plain_t<List>, Old>)
struct exchange<List, Old, News...> {
    using type = type_list<List>;
};
template <class List, targets_ops Old, class... News>
    requires(contains_v<plain_t<List>, Old> && !std::is_same_v<plain_t<List>, List>)
struct exchange<List, Old, News...> {
    using kind = list_parts<plain_t<List>>;
    using rest = type_list<named_less<List, Old>>;
    using type = std::conditional_t<sizeof...(News) == 0, rest,
                                    concat_t<rest, type_list<typename kind::template rebind<News...>>>>;
};

template <class Stages, class Lists>
struct checked_lists;
template <class Stages, class... Lists>
struct checked_lists<Stages, type_list<Lists...>> : checked_pipeline<Stages, Lists...> {};

template <class Stages, class... Lists, class Entry, class... Entries>
struct without<pipeline<Stages, Lists...>, Entry, Entries...>
    : without<typename checked_lists<Stages, concat_t<type_list<>, typename exchange<Lists, Entry>::type...>>::type,
              Entries...> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Entry>::ok>;
};

template <class Stages, class... Lists, class Old, class New>
struct replace<pipeline<Stages, Lists...>, Old, New>
    : checked_lists<Stages, concat_t<type_list<>, typename exchange<Lists, Old, New>::type...>> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Old>::ok>;
};

/// Lists without the anchor stay as they are, with their names.
template <class List, class Anchor, class Changed>
struct around : std::conditional<contains_v<plain_t<List>, Anchor>, Changed, List> {};

template <class Stages, class... Lists, class Anchor, class... News>
struct insert_before<pipeline<Stages, Lists...>, Anchor, News...>
    : checked_pipeline<Stages,
                       typename around<Lists, Anchor, insert_before_t<plain_t<Lists>, Anchor, News...>>::type...> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Anchor>::ok>;
};

template <class Stages, class... Lists, class Anchor, class... News>
struct insert_after<pipeline<Stages, Lists...>, Anchor, News...>
    : checked_pipeline<Stages,
                       typename around<Lists, Anchor, insert_after_t<plain_t<Lists>, Anchor, News...>>::type...> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Anchor>::ok>;
};

/// Another backend's lists first, then its own: how a backend that starts from a capture takes over the capture's lists.
template <class Stages, class Earlier, class... Lists>
struct continue_with;
template <class Stages, class EarlierStages, class... Earlier, class... Lists>
struct continue_with<Stages, pipeline<EarlierStages, Earlier...>, Lists...>
    : checked_pipeline<Stages, Earlier..., Lists...> {};

}  // namespace detail

/// The pipeline of a backend that starts where `Earlier` ends, with all of Earlier's lists.
template <class Stages, class Earlier, class... Lists>
using pipeline_after = typename detail::continue_with<Stages, Earlier, Lists...>::type;

}  // namespace ferry
