#pragma once

#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/type_list.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ferry {

/// One step of a backend and the kinds of list that it runs; with no kind, the step is code alone.
template <fixed_string Name, template <class...> class... Kinds>
struct stage {
    static constexpr std::string_view name = Name;
    using kinds = type_list<Kinds<>...>;
};

/// A backend's steps in the order in which they run; their numbers are their places in this list. Derive a struct from
/// it: the compiler then prints that name instead of the whole list.
template <fixed_string Backend, class... Stages>
struct stages {
    static constexpr std::string_view backend = Backend;
    using steps = type_list<Stages...>;
    using kinds = concat_t<type_list<>, typename Stages::kinds...>;
    static_assert(std::is_same_v<kinds, unique_t<kinds>>, "ferry: each kind of list belongs to one stage of a backend");
};

/// Stages that start from what `Earlier` yields. Lists for those are taken too and handed on, so that one pipeline says
/// all that an export does; a kind that both have runs in the later one's stage.
template <class Earlier, fixed_string Backend, class... Stages>
struct stages_after : stages<Backend, Stages...> {
    using earlier = Earlier;
    using kinds = unique_t<concat_t<typename stages<Backend, Stages...>::kinds, typename Earlier::kinds>>;
};

}  // namespace ferry
