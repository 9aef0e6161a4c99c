#pragma once

#include <ferry/core/names.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/fwd.hpp>

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

/// What each kind of entry must have. A struct per kind, with one assert per requirement: both compilers then print the
/// entry's name and the sentence first, where a constrained pack would only say that some fold is false.
namespace ferry {
namespace detail {

template <class Type>
inline constexpr bool is_op_names = false;
template <std::size_t Size>
inline constexpr bool is_op_names<std::array<op_name, Size>> = Size > 0;

/// What a static, non-overloaded function says of itself.
template <class Function>
struct signature {
    static constexpr bool returns_value = false, starts_with_reference = false;
};
template <class Result, class... Args>
struct signature<Result (*)(Args...)> {
    static constexpr bool returns_value = !std::is_void_v<Result>, starts_with_reference = false;
};
template <class Result, class First, class... Args>
struct signature<Result (*)(First, Args...)> {
    static constexpr bool returns_value = !std::is_void_v<Result>,
                          starts_with_reference =
                              std::is_lvalue_reference_v<First> && !std::is_const_v<std::remove_reference_t<First>>;
};
template <class Result, class... Args>
struct signature<Result (*)(Args...) noexcept> : signature<Result (*)(Args...)> {};

template <class Function>
inline constexpr bool takes_model_and_inputs = false;
template <class Model>
inline constexpr bool takes_model_and_inputs<void (*)(Model&, Inputs&)> = true;

struct any_model {};

}  // namespace detail

/// An entry that names its ops instead of testing for them inside.
template <class Entry>
concept targets_ops = requires { requires detail::is_op_names<std::remove_cvref_t<decltype(Entry::target)>>; };

template <class Entry>
concept names_inputs = requires {
    { Entry::input } -> std::convertible_to<std::string_view>;
} || requires { requires detail::is_names<std::remove_cvref_t<decltype(Entry::input)>>; };
/// For all models, for those of one type, or a template over them.
template <class Entry>
concept prepares_with_model =
    requires { requires detail::takes_model_and_inputs<decltype(&Entry::prepare)>; } || requires {
        { &Entry::template prepare<detail::any_model> } -> std::convertible_to<void (*)(detail::any_model&, Inputs&)>;
    };
template <class Entry>
concept prepares_input = names_inputs<Entry> && (prepares_with_model<Entry> || requires {
                             { &Entry::prepare } -> std::convertible_to<void (*)(Inputs&)>;
                         });

template <class Entry>
concept has_op_call = requires { requires detail::signature<decltype(&Entry::call)>::returns_value; };
template <class Entry>
concept has_op_schema = requires {
    { Entry::schema } -> std::convertible_to<std::string_view>;
};
template <class Entry>
concept has_op_fake = requires { requires detail::signature<decltype(&Entry::fake)>::returns_value; };
template <class Entry>
concept has_op_decomposition = requires { requires detail::signature<decltype(&Entry::decompose)>::returns_value; };
template <class Entry>
concept has_module_forward = requires {
    typename Entry::module;
    requires detail::signature<decltype(&Entry::forward)>::returns_value;
    requires detail::signature<decltype(&Entry::forward)>::starts_with_reference;
};
template <class Entry>
concept has_translation = requires { requires detail::signature<decltype(&Entry::translate)>::starts_with_reference; };
template <class Entry>
concept has_delegation = requires { requires detail::signature<decltype(&Entry::define)>::starts_with_reference; };
template <class Entry>
concept has_node_fix = requires {
    { &Entry::fix } -> std::convertible_to<bool (*)(Graph&, Node&)>;
};
template <class Entry>
concept has_program_fix = requires {
    { &Entry::fix } -> std::convertible_to<bool (*)(ExportedProgram&)>;
};
template <class Entry>
concept has_ir_fix = requires {
    requires detail::signature<decltype(&Entry::fix)>::returns_value;
    requires detail::signature<decltype(&Entry::fix)>::starts_with_reference;
};
template <class Entry>
concept describes_tree_node = requires {
    typename Entry::type;
    { Entry::name } -> std::convertible_to<std::string_view>;
} && (requires { typename Entry::leaves; } || requires {
    &Entry::flatten;
    &Entry::unflatten;
});

template <class Entry>
struct require_input_preparer {
    static constexpr bool ok = prepares_input<Entry>;
    static_assert(
        ok,
        "ferry: an input preparer needs `input`, the name of the input that it is for, or several: "
        "ferry::names(\"pixel_values\", \"frames\"), and `static void prepare(Inputs&)` or `prepare(Model&, Inputs&)`");
};

template <class Entry>
struct require_patch {
    static constexpr bool ok = targets_ops<Entry> && has_op_call<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a patch needs `target`, e.g. ferry::op(\"aten::randperm\")");
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a patch needs one `static Result call(args...)`, result and args as in the op's schema");
};

template <class Entry>
struct require_model_patch {
    static constexpr bool ok = has_module_forward<Entry>;
    static_assert(
        ok,
        "ferry: a model patch needs `using module = MyModule;` and one `static Result forward(MyModule&, args...)`");
};

template <class Entry>
struct require_fake {
    static constexpr bool ok = targets_ops<Entry> && has_op_fake<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a fake needs `target`, e.g. ferry::op(\"aten::index_select\")");
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a fake needs one `static Result fake(args...)`, result and args as in the op's schema");
};

template <class Entry>
struct require_stateful_member {
    static constexpr bool ok = std::is_member_object_pointer_v<decltype(Entry::pointer)>;
    static_assert(ok, "ferry: stateful_members takes pointers to data members, e.g. &Model::cached");
};

template <class Entry>
struct require_pytree {
    static constexpr bool ok = describes_tree_node<Entry>;
    static_assert(ok, "ferry: a pytree needs `type`, `name`, and either `leaves` or `flatten` with `unflatten`");
};

template <class Entry>
struct require_decomposition {
    static constexpr bool ok = targets_ops<Entry> && has_op_decomposition<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a decomposition needs `target`, e.g. ferry::op(\"aten::silu\")");
    static_assert(
        !targets_ops<Entry> || ok,
        "ferry: a decomposition needs one `static Result decompose(args...)`, result and args as in the op's schema");
};

template <class Entry>
struct require_library_op {
    static constexpr bool ok = targets_ops<Entry> && has_op_call<Entry> && has_op_schema<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a library op needs `target`, e.g. ferry::op(\"my_library::my_op\")");
    static_assert(!targets_ops<Entry> || has_op_schema<Entry>,
                  "ferry: a library op needs `schema`, what Python registers it with: \"(Tensor x, int n) -> Tensor\"");
    static_assert(!targets_ops<Entry> || has_op_call<Entry>,
                  "ferry: a library op needs one `static Result call(args...)`, result and args as in the op's schema");
};

template <class Entry>
struct require_program_fix {
    static constexpr bool ok = has_program_fix<Entry>;
    static_assert(ok, "ferry: a program fix needs `static bool fix(ExportedProgram&)`");
};

template <class Entry>
struct require_node_fix {
    static constexpr bool ok = targets_ops<Entry> && has_node_fix<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a node fix needs `target`, e.g. ferry::op(\"aten::alias\")");
    static_assert(!targets_ops<Entry> || ok, "ferry: a node fix needs `static bool fix(Graph&, Node&)`");
};

template <class Entry>
struct require_translation {
    static constexpr bool ok = targets_ops<Entry> && has_translation<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a translation needs `target`, e.g. ferry::op(\"aten::gelu\")");
    static_assert(
        !targets_ops<Entry> || ok,
        "ferry: a translation needs one `static Ref translate(Translation&)`, or void where it gives several results");
};

template <class Entry>
struct require_delegation {
    static constexpr bool ok = targets_ops<Entry> && has_delegation<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a delegation needs `target`, e.g. ferry::op(\"aten::relu\")");
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a delegation needs `static void define(ferry::executorch::xnnpack::Definition&)`");
};

template <class Entry>
struct require_ir_fix {
    static constexpr bool ok = has_ir_fix<Entry>;
    static_assert(ok, "ferry: an IR fix needs `static bool fix(Model&)`, the model of the backend's own format");
};

}  // namespace ferry
