#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/program/libraries/transformers.hpp>

namespace ferry {

/// Ops of Python libraries that programs use without any doing of their author's.
struct default_library_ops : transformers_ops, own_list {};

namespace detail {

template <class List>
struct as_decompositions;
template <class... Entries>
struct as_decompositions<library_ops<Entries...>> {
    using type = decompositions<Entries...>;
};

}  // namespace detail

/// The same ops, in terms of ATen's.
using library_decompositions = detail::as_decompositions<plain_t<default_library_ops>>::type;

}  // namespace ferry
