#pragma once

/// Names without definitions: enough to declare functions over Ferry's objects and to spell a pipeline.
namespace ferry {

class Error;
class Graph;
class Node;
class ExportedProgram;
class Inputs;
class InputObserver;

template <class... Types>
struct type_list;

// The kinds of entry lists, in core/kinds.hpp.
template <class... Entries>
struct input_preparers;
template <class... Entries>
struct patches;
template <class... Entries>
struct model_patches;
template <class... Entries>
struct fakes;
template <auto Member>
struct stateful_member;
template <class... Entries>
struct stateful_member_list;
template <auto... Members>
using stateful_members = stateful_member_list<stateful_member<Members>...>;
template <class... Entries>
struct pytrees;
template <class... Entries>
struct decompositions;
template <class... Entries>
struct library_ops;
template <class... Entries>
struct program_fixes;
template <class... Entries>
struct node_fixes;
template <class...>
struct delegations;
template <class... Entries>
struct translations;
template <class... Entries>
struct ir_fixes;

template <class Stages, class... Lists>
struct pipeline;

namespace detail {
template <class Pipeline, class... Lists>
struct extend;
template <class Pipeline, class... Entries>
struct without;
template <class Pipeline, class Old, class New>
struct replace;
template <class Pipeline, class Anchor, class... News>
struct insert_before;
template <class Pipeline, class Anchor, class... News>
struct insert_after;
}  // namespace detail

/// The pipeline with more lists at its end: `extend<onnx_pipeline, translations<my_gelu>, node_fixes<fuse_swiglu>>`.
template <class Pipeline, class... Lists>
using extend = typename detail::extend<Pipeline, Lists...>::type;

/// The pipeline less some of its entries.
template <class Pipeline, class... Entries>
using without = typename detail::without<Pipeline, Entries...>::type;

/// The pipeline with one entry exchanged in place: the only way to override what an op does.
template <class Pipeline, class Old, class New>
using replace = typename detail::replace<Pipeline, Old, New>::type;

/// The pipeline with entries put right before or after another: fixes run in the order of their list.
template <class Pipeline, class Anchor, class... News>
using insert_before = typename detail::insert_before<Pipeline, Anchor, News...>::type;
template <class Pipeline, class Anchor, class... News>
using insert_after = typename detail::insert_after<Pipeline, Anchor, News...>::type;

}  // namespace ferry
