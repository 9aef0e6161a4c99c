#pragma once

#include <boost/hana/core/when.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/type.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ferry {

struct type_list_tag;

/// A list of types. It is a Hana Foldable (for_each, fold_left, length, ...) without ever holding Hana values, which are
/// what makes Hana containers slow to compile.
template <class... Types>
struct type_list {
    using hana_tag = type_list_tag;
    static constexpr std::size_t size = sizeof...(Types);
};

template <class List, class... Removed>
struct named_less;

namespace detail {

/// Position of the first that is true, or their number. No fold: clang++ folds no more than 256 values.
template <bool... Each>
inline constexpr std::size_t first_true = [] {
    constexpr std::array<bool, sizeof...(Each)> each{Each...};
    std::size_t at = 0;
    while (at < each.size() && !each[at]) ++at;
    return at;
}();
template <bool... Each>
inline constexpr bool any_true = first_true<Each...> < sizeof...(Each);
template <bool... Each>
inline constexpr bool all_true = !any_true<!Each...>;

template <class List>
struct list_parts;  // taken apart only when it is some template over types: type_list itself or one of its kinds

template <template <class...> class Kind, class... Types>
struct list_parts<Kind<Types...>> {
    template <class... Others>
    using rebind = Kind<Others...>;
    using types = type_list<Types...>;
};

/// A long list has a name, as a class that derives from it: `struct default_fakes : concat_t<...> {};`. Compilers then spell the name
/// wherever they would spell all that is in it. What it holds is its `list`.
template <class List>
struct plain {
    using type = typename List::list;
};
template <template <class...> class Kind, class... Types>
struct plain<Kind<Types...>> {
    using type = Kind<Types...>;
};

template <class... Lists>
struct concat;

template <template <class...> class Kind, class... Types>
struct concat<Kind<Types...>> {
    using type = Kind<Types...>;
};

// Four lists at a step keeps the recursion shallow: a pipeline joins dozens of op families.
template <template <class...> class Kind, class... A, template <class...> class K2, class... B, class... Rest>
struct concat<Kind<A...>, K2<B...>, Rest...> : concat<Kind<A..., B...>, Rest...> {};

template <template <class...> class Kind, class... A, template <class...> class K2, class... B,
          template <class...> class K3, class... C, template <class...> class K4, class... D, class... Rest>
struct concat<Kind<A...>, K2<B...>, K3<C...>, K4<D...>, Rest...> : concat<Kind<A..., B..., C..., D...>, Rest...> {};

}  // namespace detail

/// Tells Ferry's own named lists: where their entries are only declared, they are checked and searched elsewhere.
struct own_list {};

template <class List>
using plain_t = typename detail::plain<List>::type;

/// Joins lists; the result is of the first one's kind.
template <class... Lists>
using concat_t = typename detail::concat<plain_t<Lists>...>::type;

template <class List, class Type>
inline constexpr bool contains_v = false;
template <template <class...> class Kind, class... Types, class Type>
inline constexpr bool contains_v<Kind<Types...>, Type> = detail::any_true<std::is_same_v<Types, Type>...>;

/// Position of the first `Type`, or the list's size.
template <class List, class Type>
inline constexpr std::size_t index_of_v = 0;
template <template <class...> class Kind, class... Types, class Type>
inline constexpr std::size_t index_of_v<Kind<Types...>, Type> = detail::first_true<std::is_same_v<Types, Type>...>;

namespace detail {

template <std::size_t Index, class Type>
struct indexed {};
template <class Indices, class... Types>
struct indexed_all;
template <std::size_t... Index, class... Types>
struct indexed_all<std::index_sequence<Index...>, Types...> : indexed<Index, Types>... {};

template <std::size_t Index, class Type>
std::type_identity<Type> pick(const indexed<Index, Type>&);

template <std::size_t Index, class List>
struct type_at;
template <std::size_t Index, template <class...> class Kind, class... Types>
struct type_at<Index, Kind<Types...>> {
    static_assert(Index < sizeof...(Types), "ferry: index past the end of a type_list");
    using all = indexed_all<std::index_sequence_for<Types...>, Types...>;
    using type = typename decltype(pick<Index>(std::declval<all>()))::type;
};

template <template <class> class Predicate, class List>
struct filter;
template <template <class> class Predicate, template <class...> class Kind, class... Types>
struct filter<Predicate, Kind<Types...>> {
    using type = concat_t<Kind<>, std::conditional_t<Predicate<Types>::value, Kind<Types>, Kind<>>...>;
};

template <class Done, class... Left>
struct unique;
template <template <class...> class Kind, class... Done>
struct unique<Kind<Done...>> {
    using type = Kind<Done...>;
};
template <template <class...> class Kind, class... Done, class Next, class... Left>
struct unique<Kind<Done...>, Next, Left...>
    : unique<std::conditional_t<contains_v<Kind<Done...>, Next>, Kind<Done...>, Kind<Done..., Next>>, Left...> {};

template <class List>
struct unique_of;
template <template <class...> class Kind, class... Types>
struct unique_of<Kind<Types...>> : unique<Kind<>, Types...> {};

/// Every `Old` becomes the types of `With`: replacing, inserting and removing are this one operation.
template <class List, class Old, class With>
struct substitute;
template <template <class...> class Kind, class... Types, class Old, class With>
struct substitute<Kind<Types...>, Old, With> {
    using type = concat_t<Kind<>, std::conditional_t<std::is_same_v<Types, Old>, With, Kind<Types>>...>;
};

}  // namespace detail

template <std::size_t Index, class List>
using at_t = typename detail::type_at<Index, List>::type;

/// The types for which `Predicate<T>::value`; a concept is handed over as `bool_constant<my_concept<T>>`.
template <class List, template <class> class Predicate>
using filter_t = typename detail::filter<Predicate, List>::type;

/// Without repetitions; first ones stay.
template <class List>
using unique_t = typename detail::unique_of<List>::type;

template <class List, class Old, class New>
using replace_t = typename detail::substitute<List, Old, type_list<New>>::type;
template <class List, class Type>
using remove_t = typename detail::substitute<List, Type, type_list<>>::type;
template <class List, class Anchor, class... News>
using insert_before_t = typename detail::substitute<List, Anchor, type_list<News..., Anchor>>::type;
template <class List, class Anchor, class... News>
using insert_after_t = typename detail::substitute<List, Anchor, type_list<Anchor, News...>>::type;

namespace detail {

template <class List, class... Types>
struct less;
template <class List>
struct less<List> {
    using type = List;
};
template <class List, class Type, class... Types>
struct less<List, Type, Types...> : less<remove_t<List, Type>, Types...> {};

template <class List, class... Removed>
struct plain<named_less<List, Removed...>> : less<plain_t<List>, Removed...> {};

}  // namespace detail

/// A named list less some of its types: what is known of the list is known of the rest of it.
template <class List, class... Removed>
struct named_less : detail::less<plain_t<List>, Removed...>::type {};

}  // namespace ferry

/// Lets Hana's algorithms fold over a list; each element arrives as `hana::type<T>`.
template <>
struct boost::hana::unpack_impl<ferry::type_list_tag> {
    template <template <class...> class Kind, class... Types, class Function>
    static constexpr decltype(auto) apply(const Kind<Types...>&, Function&& function) {
        return std::forward<Function>(function)(boost::hana::type_c<Types>...);
    }
};
