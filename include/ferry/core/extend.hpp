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
template <class Stages, class... Lists, class Entry, class... Entries>
struct without<pipeline<Stages, Lists...>, Entry, Entries...>
    : without<pipeline<Stages, remove_t<Lists, Entry>...>, Entries...> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Entry>::ok>;
};

template <class Stages, class... Lists, class Old, class New>
struct replace<pipeline<Stages, Lists...>, Old, New> : checked_pipeline<Stages, replace_t<Lists, Old, New>...> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Old>::ok>;
};

template <class Stages, class... Lists, class Anchor, class... News>
struct insert_before<pipeline<Stages, Lists...>, Anchor, News...>
    : checked_pipeline<Stages, insert_before_t<Lists, Anchor, News...>...> {
    using member = std::bool_constant<require_member<pipeline<Stages, Lists...>, Anchor>::ok>;
};

template <class Stages, class... Lists, class Anchor, class... News>
struct insert_after<pipeline<Stages, Lists...>, Anchor, News...>
    : checked_pipeline<Stages, insert_after_t<Lists, Anchor, News...>...> {
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
