#pragma once

#include <ferry/core/require.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/fwd.hpp>

#include <concepts>
#include <string_view>

/// The kinds of list that a pipeline is made of. A list's kind says what its entries must look like and, through the
/// backend's stages, when they run.
namespace ferry {

/// What is made of an input, or computed from it, before the model sees it.
template <class... Entries>
struct input_preparers : type_list<Entries...> {
    using list = input_preparers;
    static constexpr std::string_view label = "input_preparers";
    template <class Entry>
    using require = require_input_preparer<Entry>;
};

/// What an op does while a capture runs.
template <class... Entries>
struct patches : type_list<Entries...> {
    using list = patches;
    static constexpr std::string_view label = "patches";
    template <class Entry>
    using require = require_patch<Entry>;
};

/// What a submodule's forward does while a capture runs.
template <class... Entries>
struct model_patches : type_list<Entries...> {
    using list = model_patches;
    static constexpr std::string_view label = "model_patches";
    template <class Entry>
    using require = require_model_patch<Entry>;
};

/// Output shapes of an op for which libtorch has no Meta kernel.
template <class... Entries>
struct fakes : type_list<Entries...> {
    using list = fakes;
    static constexpr std::string_view label = "fakes";
    template <class Entry>
    using require = require_fake<Entry>;
};

/// A data member that forward writes to and that is not registered.
template <auto Member>
struct stateful_member {
    static constexpr auto pointer = Member;
};

/// Members that are put back after each run of a capture; spelled `stateful_members<&Model::cached, ...>`.
template <class... Entries>
struct stateful_member_list : type_list<Entries...> {
    using list = stateful_member_list;
    static constexpr std::string_view label = "stateful_members";
    template <class Entry>
    using require = require_stateful_member<Entry>;
};

/// How a C++ type flattens to leaves.
template <class... Entries>
struct pytrees : type_list<Entries...> {
    using list = pytrees;
    static constexpr std::string_view label = "pytrees";
    template <class Entry>
    using require = require_pytree<Entry>;
};

/// An op written in terms of smaller ones.
template <class... Entries>
struct decompositions : type_list<Entries...> {
    using list = decompositions;
    static constexpr std::string_view label = "decompositions";
    template <class Entry>
    using require = require_decomposition<Entry>;
};

/// An op that a Python library defines, in C++: programs that use it run without Python.
template <class... Entries>
struct library_ops : type_list<Entries...> {
    using list = library_ops;
    static constexpr std::string_view label = "library_ops";
    template <class Entry>
    using require = require_library_op<Entry>;
};

/// A change to the captured program as a whole.
template <class... Entries>
struct program_fixes : type_list<Entries...> {
    using list = program_fixes;
    static constexpr std::string_view label = "program_fixes";
    template <class Entry>
    using require = require_program_fix<Entry>;
};

/// A change to the graph around one node.
template <class... Entries>
struct node_fixes : type_list<Entries...> {
    using list = node_fixes;
    static constexpr std::string_view label = "node_fixes";
    template <class Entry>
    using require = require_node_fix<Entry>;
};

/// An op that something else than the runtime's kernels computes: what its delegate is told.
template <class... Entries>
struct delegations : type_list<Entries...> {
    using list = delegations;
    static constexpr std::string_view label = "delegations";
    template <class Entry>
    using require = require_delegation<Entry>;
};

/// An op in the words of the backend's format.
template <class... Entries>
struct translations : type_list<Entries...> {
    using list = translations;
    static constexpr std::string_view label = "translations";
    template <class Entry>
    using require = require_translation<Entry>;
};

/// A change to the finished model in the backend's format.
template <class... Entries>
struct ir_fixes : type_list<Entries...> {
    using list = ir_fixes;
    static constexpr std::string_view label = "ir_fixes";
    template <class Entry>
    using require = require_ir_fix<Entry>;
};

/// Some kind of list, ours or one that a user declares in the same form.
template <class List>
concept entry_list = requires {
    { List::label } -> std::convertible_to<std::string_view>;
    requires std::same_as<typename List::hana_tag, type_list_tag>;
};

namespace detail {

/// The empty list of the same kind stands for the kind itself: kinds compare as types.
template <class List>
using kind_of = typename list_parts<plain_t<List>>::template rebind<>;

}  // namespace detail
}  // namespace ferry
