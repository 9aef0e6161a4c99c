// Ferry 0.1.0 in one header. Generated from include/ferry by `make single-include`: do not edit.

#pragma once

/// All of Ferry. Smaller includes compile faster: every header stands alone.

/// Names without definitions: enough to declare functions over Ferry's objects and to spell a pipeline.
namespace ferry {

class Error;
class Graph;
class Node;
class ExportedProgram;

template <class... Types>
struct type_list;

// The kinds of entry lists, in core/kinds.hpp.
template <class... Entries>
struct patches;
template <class... Entries>
struct model_patches;
template <class... Entries>
struct fakes;
template <class... Entries>
struct pytrees;
template <class... Entries>
struct decompositions;
template <class... Entries>
struct program_fixes;
template <class... Entries>
struct node_fixes;
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

// The only place where Ferry's version is written: CMake and Conan read it from here.
#define FERRY_VERSION_MAJOR 0
#define FERRY_VERSION_MINOR 1
#define FERRY_VERSION_PATCH 0

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ferry {

/// What went wrong, as a program can tell it apart; the message is for people.
enum class ErrorKind {
    invalid_input,  ///< the caller's model, inputs or options
    unsupported,    ///< right in itself, but Ferry or the target format has no way to express it
    bad_file,       ///< a file that is damaged, hostile or of an unknown format version
    io,             ///< the operating system refused to read or write
    version,        ///< a library older than Ferry works with
    internal,       ///< a defect of Ferry itself
};

[[nodiscard]] constexpr std::string_view to_string(ErrorKind kind) noexcept {
    switch (kind) {
        case ErrorKind::invalid_input: return "invalid input";
        case ErrorKind::unsupported: return "unsupported";
        case ErrorKind::bad_file: return "bad file";
        case ErrorKind::io: return "input/output";
        case ErrorKind::version: return "version";
        case ErrorKind::internal: return "internal error";
    }
    return "unknown";
}

/// Where an error happened; whatever is not known stays empty.
struct ErrorPlace {
    std::string stage{};  ///< the pipeline's stage, e.g. "translations"
    std::string op{};     ///< e.g. "aten::add.Tensor"
    std::string path{};   ///< module or tree path, e.g. "model.layers.3.self_attn"

    [[nodiscard]] bool empty() const noexcept { return stage.empty() && op.empty() && path.empty(); }
    friend bool operator==(const ErrorPlace&, const ErrorPlace&) = default;
};

struct ErrorDetails {
    std::string hint{};  ///< what to do about it
    ErrorPlace where{};
};

/// The one exception type that Ferry throws. Copying never throws: exceptions are copied while others unwind.
class Error : public std::exception {
public:
    Error(ErrorKind kind, std::string_view message, ErrorDetails details = {})
        : state_(std::make_shared<const State>(kind, message, std::move(details))) {}

    [[nodiscard]] ErrorKind kind() const noexcept { return state_->kind; }
    [[nodiscard]] const std::string& message() const noexcept { return state_->message; }
    [[nodiscard]] const std::string& hint() const noexcept { return state_->details.hint; }
    [[nodiscard]] const ErrorPlace& where() const noexcept { return state_->details.where; }
    [[nodiscard]] const char* what() const noexcept override { return state_->text.c_str(); }

private:
    struct State {
        State(ErrorKind kind_, std::string_view message_, ErrorDetails details_)
            : kind(kind_), message(message_), details(std::move(details_)), text(compose()) {}

        [[nodiscard]] std::string compose() const {
            std::string composed = "ferry: ";
            composed.append(to_string(kind)).append(": ").append(message);
            const auto& [stage, op, path] = details.where;
            std::string_view separator = " (";
            for (const auto& [label, value] : {std::pair<std::string_view, const std::string&>{"at ", path},
                                               {"op ", op},
                                               {"stage ", stage}}) {
                if (value.empty()) continue;
                composed.append(separator).append(label).append(value);
                separator = ", ";
            }
            if (!details.where.empty()) composed += ')';
            if (!details.hint.empty()) composed.append("\n  hint: ").append(details.hint);
            return composed;
        }

        ErrorKind kind;
        std::string message;
        ErrorDetails details;
        std::string text;
    };

    std::shared_ptr<const State> state_;
};

}  // namespace ferry

#include <array>
#include <cstddef>
#include <string_view>

namespace ferry {
namespace detail {

// Never constexpr: naming one of these in a constant expression is how a misspelt op name becomes a compile error
// whose first line says what is wrong.
void op_name_must_be_written_as_namespace_colon_colon_name();
void op_name_holds_a_character_that_no_op_name_has();
void op_name_has_an_empty_overload_after_the_dot();

constexpr bool is_identifier(std::string_view text) {
    if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
}

}  // namespace detail

/// `namespace::name` or `namespace::name.overload`, as the dispatcher spells it; the form is checked by the compiler.
class op_name {
public:
    template <std::size_t SizeWithNul>
    consteval op_name(const char (&literal)[SizeWithNul]) : text_(literal, SizeWithNul - 1) {  // implicit: see op()
        const auto colons = text_.find("::");
        if (colons == std::string_view::npos || colons == 0 || colons + 2 == text_.size())
            detail::op_name_must_be_written_as_namespace_colon_colon_name();
        const auto dot = text_.find('.', colons);
        if (dot != std::string_view::npos && dot + 1 == text_.size())
            detail::op_name_has_an_empty_overload_after_the_dot();
        const bool plain = detail::is_identifier(qualifier()) && detail::is_identifier(name()) &&
                           (overload().empty() || detail::is_identifier(overload()));
        if (!plain) detail::op_name_holds_a_character_that_no_op_name_has();
    }

    [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
    [[nodiscard]] constexpr std::string_view qualifier() const noexcept { return text_.substr(0, text_.find("::")); }
    [[nodiscard]] constexpr std::string_view name() const noexcept {
        const auto start = text_.find("::") + 2;
        return text_.substr(start, text_.find('.', start) - start);
    }
    [[nodiscard]] constexpr std::string_view overload() const noexcept {
        const auto dot = text_.find('.');
        return dot == std::string_view::npos ? std::string_view{} : text_.substr(dot + 1);
    }

    friend constexpr bool operator==(op_name, op_name) noexcept = default;

private:
    std::string_view text_;
};

/// The ops that an entry stands for: `static constexpr auto target = ferry::op("aten::add.Tensor", "aten::add.Scalar");`
template <class... Literals>
    requires(sizeof...(Literals) > 0)
[[nodiscard]] consteval std::array<op_name, sizeof...(Literals)> op(const Literals&... names) {
    return {op_name(names)...};
}

}  // namespace ferry

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
                          starts_with_reference = std::is_lvalue_reference_v<First> &&
                                                  !std::is_const_v<std::remove_reference_t<First>>;
};
template <class Result, class... Args>
struct signature<Result (*)(Args...) noexcept> : signature<Result (*)(Args...)> {};

}  // namespace detail

/// An entry that names its ops instead of testing for them inside.
template <class Entry>
concept targets_ops = requires { requires detail::is_op_names<std::remove_cvref_t<decltype(Entry::target)>>; };

template <class Entry>
concept has_op_call = requires { requires detail::signature<decltype(&Entry::call)>::returns_value; };
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
concept has_lowering = requires {
    requires detail::signature<decltype(&Entry::lower)>::returns_value;
    requires detail::signature<decltype(&Entry::lower)>::starts_with_reference;
};
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
struct require_patch {
    static constexpr bool ok = targets_ops<Entry> && has_op_call<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a patch needs `target`, e.g. ferry::op(\"aten::randperm\")");
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a patch needs one `static Result call(args...)`, result and args as in the op's schema");
};

template <class Entry>
struct require_model_patch {
    static constexpr bool ok = has_module_forward<Entry>;
    static_assert(ok, "ferry: a model patch needs `using module = MyModule;` and one `static Result forward(MyModule&, args...)`");
};

template <class Entry>
struct require_fake {
    static constexpr bool ok = targets_ops<Entry> && has_op_fake<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a fake needs `target`, e.g. ferry::op(\"aten::index_select\")");
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a fake needs one `static Result fake(args...)`, result and args as in the op's schema");
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
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a decomposition needs one `static Result decompose(args...)`, result and args as in the op's schema");
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
    static constexpr bool ok = targets_ops<Entry> && has_lowering<Entry>;
    static_assert(targets_ops<Entry>, "ferry: a translation needs `target`, e.g. ferry::op(\"aten::gelu\")");
    static_assert(!targets_ops<Entry> || ok,
                  "ferry: a translation needs one `static Value lower(Builder&, args...)`, args as in the op's schema");
};

template <class Entry>
struct require_ir_fix {
    static constexpr bool ok = has_ir_fix<Entry>;
    static_assert(ok, "ferry: an IR fix needs `static bool fix(Model&)`, the model of the backend's own format");
};

}  // namespace ferry

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

namespace detail {

template <class List>
struct list_parts;  // taken apart only when it is some template over types: type_list itself or one of its kinds

template <template <class...> class Kind, class... Types>
struct list_parts<Kind<Types...>> {
    template <class... Others>
    using rebind = Kind<Others...>;
    using types = type_list<Types...>;
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

/// Joins lists; the result is of the first one's kind.
template <class... Lists>
using concat_t = typename detail::concat<Lists...>::type;

template <class List, class Type>
inline constexpr bool contains_v = false;
template <template <class...> class Kind, class... Types, class Type>
inline constexpr bool contains_v<Kind<Types...>, Type> = (std::is_same_v<Types, Type> || ...);

/// Position of the first `Type`, or the list's size.
template <class List, class Type>
inline constexpr std::size_t index_of_v = 0;
template <template <class...> class Kind, class... Types, class Type>
inline constexpr std::size_t index_of_v<Kind<Types...>, Type> = [] {
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<Types, Type> || (++index, false)) || ...));
    return index;
}();

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
struct at;
template <std::size_t Index, template <class...> class Kind, class... Types>
struct at<Index, Kind<Types...>> {
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
using at_t = typename detail::at<Index, List>::type;

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

}  // namespace ferry

/// Lets Hana's algorithms fold over a list; each element arrives as `hana::type<T>`.
template <>
struct boost::hana::unpack_impl<ferry::type_list_tag> {
    template <template <class...> class Kind, class... Types, class Function>
    static constexpr decltype(auto) apply(const Kind<Types...>&, Function&& function) {
        return std::forward<Function>(function)(boost::hana::type_c<Types>...);
    }
};

#include <concepts>
#include <string_view>

/// The kinds of list that a pipeline is made of. A list's kind says what its entries must look like and, through the
/// backend's stages, when they run.
namespace ferry {

/// What an op does while a capture runs.
template <class... Entries>
struct patches : type_list<Entries...> {
    static constexpr std::string_view label = "patches";
    template <class Entry>
    using require = require_patch<Entry>;
};

/// What a submodule's forward does while a capture runs.
template <class... Entries>
struct model_patches : type_list<Entries...> {
    static constexpr std::string_view label = "model_patches";
    template <class Entry>
    using require = require_model_patch<Entry>;
};

/// Output shapes of an op for which libtorch has no Meta kernel.
template <class... Entries>
struct fakes : type_list<Entries...> {
    static constexpr std::string_view label = "fakes";
    template <class Entry>
    using require = require_fake<Entry>;
};

/// How a C++ type flattens to leaves.
template <class... Entries>
struct pytrees : type_list<Entries...> {
    static constexpr std::string_view label = "pytrees";
    template <class Entry>
    using require = require_pytree<Entry>;
};

/// An op written in terms of smaller ones.
template <class... Entries>
struct decompositions : type_list<Entries...> {
    static constexpr std::string_view label = "decompositions";
    template <class Entry>
    using require = require_decomposition<Entry>;
};

/// A change to the captured program as a whole.
template <class... Entries>
struct program_fixes : type_list<Entries...> {
    static constexpr std::string_view label = "program_fixes";
    template <class Entry>
    using require = require_program_fix<Entry>;
};

/// A change to the graph around one node.
template <class... Entries>
struct node_fixes : type_list<Entries...> {
    static constexpr std::string_view label = "node_fixes";
    template <class Entry>
    using require = require_node_fix<Entry>;
};

/// An op in the words of the backend's format.
template <class... Entries>
struct translations : type_list<Entries...> {
    static constexpr std::string_view label = "translations";
    template <class Entry>
    using require = require_translation<Entry>;
};

/// A change to the finished model in the backend's format.
template <class... Entries>
struct ir_fixes : type_list<Entries...> {
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
using kind_of = typename list_parts<List>::template rebind<>;

}  // namespace detail
}  // namespace ferry

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace ferry {

/// A string that can be a template argument: `stage<"torch patches", ...>`.
template <std::size_t Size>
struct fixed_string {
    char text[Size + 1]{};  // public and plain: a structural type may have nothing private

    // Implicit on purpose, so that a literal is written where a fixed_string is wanted.
    consteval fixed_string(const char (&literal)[Size + 1]) noexcept { std::copy_n(literal, Size, text); }
    consteval explicit fixed_string(std::string_view from) noexcept { std::copy_n(from.data(), Size, text); }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {text, Size}; }
    [[nodiscard]] constexpr operator std::string_view() const noexcept { return view(); }
    [[nodiscard]] static constexpr std::size_t size() noexcept { return Size; }

    template <std::size_t Other>
    [[nodiscard]] constexpr bool operator==(const fixed_string<Other>& other) const noexcept {
        return view() == other.view();
    }
};

template <std::size_t SizeWithNul>
fixed_string(const char (&)[SizeWithNul]) -> fixed_string<SizeWithNul - 1>;

}  // namespace ferry

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ferry {

/// Exists to be printed: the compiler names both entries and the op.
template <class First, class Second, fixed_string Op>
struct two_entries_for_one_op {
    static_assert(sizeof(First) == 0,
                  "ferry: two entries of one stage claim the same op; keep one, or override on purpose with "
                  "replace<Pipeline, Old, New>");
    static constexpr bool ok = false;
};

namespace detail {

/// FNV-1a. Ordering by it is cheap for the compiler, and at run time leaves one comparison of strings per look-up.
constexpr std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

struct claim {
    std::uint64_t hash = 0;
    std::string_view op;
    std::uint16_t owner = 0;

    friend constexpr bool operator<(const claim& left, const claim& right) noexcept {
        return left.hash != right.hash ? left.hash < right.hash : left.op < right.op;
    }
};

template <class... Entries>
consteval auto sorted_claims() {
    std::array<claim, (std::size_t{0} + ... + Entries::target.size())> claims{};
    std::size_t filled = 0;
    std::uint16_t owner = 0;
    [[maybe_unused]] const auto append = [&](const auto& target) {
        for (const op_name op : target) claims[filled++] = {hash_of(op.text()), op.text(), owner};
        ++owner;
    };
    (append(Entries::target), ...);
    std::sort(claims.begin(), claims.end());
    return claims;
}

/// Index of the first of two equal neighbours, or the size.
constexpr std::size_t first_clash(std::span<const claim> sorted) noexcept {
    std::size_t at = 0;
    while (at + 1 < sorted.size() && sorted[at].op != sorted[at + 1].op) ++at;
    return at + 1 < sorted.size() ? at : sorted.size();
}

/// One body for all tables: the typed shell around it only says which claims.
constexpr const claim* find_claim(std::span<const claim> sorted, std::string_view op) noexcept {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), claim{hash_of(op), op});
    return at != sorted.end() && at->op == op ? &*at : nullptr;
}

}  // namespace detail

/// From a run-time op name to the entry that targets it: sorted at compile time, searched by halving. No registration, no
/// initialisation order, no allocation.
template <class List>
struct op_table;

template <template <class...> class Kind, class... Entries>
struct op_table<Kind<Entries...>> {
    static constexpr auto claims = detail::sorted_claims<Entries...>();
    static constexpr std::size_t size = claims.size();
    static constexpr std::size_t npos = sizeof...(Entries);

    static constexpr bool no_clash = [] {
        constexpr std::size_t at = detail::first_clash(claims);
        if constexpr (at < size) {
            constexpr std::string_view op = claims[at].op;
            using all = type_list<Entries...>;
            return two_entries_for_one_op<at_t<std::min(claims[at].owner, claims[at + 1].owner), all>,
                                          at_t<std::max(claims[at].owner, claims[at + 1].owner), all>,
                                          fixed_string<op.size()>(op)>::ok;
        } else {
            return true;
        }
    }();

    /// Position in the list of the entry for `op`, or npos.
    [[nodiscard]] static constexpr std::size_t find(std::string_view op) noexcept {
        const detail::claim* found = detail::find_claim(claims, op);
        return found == nullptr ? npos : found->owner;
    }

    [[nodiscard]] static constexpr bool contains(std::string_view op) noexcept { return find(op) != npos; }

    /// The entry's function for `op` as a plain pointer, or null; `Bind<Entry>::value` makes it, of one type for all.
    template <class Function, template <class> class Bind>
    [[nodiscard]] static constexpr Function function(std::string_view op) noexcept {
        return functions<Function, Bind>[find(op)];
    }

private:
    template <class Function, template <class> class Bind>
    static constexpr std::array<Function, sizeof...(Entries) + 1> functions{Bind<Entries>::value..., nullptr};
};

}  // namespace ferry

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

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

namespace ferry {

// These exist to be printed, like the requirements of entries in require.hpp.
template <class List>
struct require_entry_list {
    static constexpr bool ok = entry_list<List>;
    static_assert(ok, "ferry: a pipeline is made of lists; wrap the entry in the list of its kind, e.g. translations<my_gelu>");
};

template <class Stages, class List>
struct require_stage {
    static constexpr bool ok = contains_v<typename Stages::kinds, detail::kind_of<List>>;
    static_assert(ok, "ferry: this backend has no stage that runs such a list; `ferry stages` prints what each stage takes");
};

template <class First, class Second>
struct two_entries_for_one_type {
    static_assert(sizeof(First) == 0, "ferry: two entries of one stage claim the same type; keep one, or override on "
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
        else if constexpr (!(Kind<Entries...>::template require<Entries>::ok && ...))
            return false;
        else if constexpr ((targets_ops<Entries> && ...))
            return op_table<Kind<Entries...>>::no_clash;
        else
            return types_differ<Entries...>();
    }();
};

// Each step looks only at what the step before found sound, so that the first error is also the last.
template <class Stages, class... Lists>
consteval bool valid_pipeline() {
    if constexpr (!(require_entry_list<Lists>::ok && ...))
        return false;
    else if constexpr (!(require_stage<Stages, Lists>::ok && ...))
        return false;
    else
        return (valid_list<typename gather<kind_of<Lists>, Lists...>::type>::ok && ...);
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
inline constexpr bool contains_v<pipeline<Stages, Lists...>, Entry> = (contains_v<Lists, Entry> || ...);

}  // namespace ferry

#include <type_traits>

/// The definitions behind `extend`, `without`, `replace` and `insert_before/after`, which fwd.hpp declares.
namespace ferry {

template <class Pipeline, class Entry>
struct require_member {
    static constexpr bool ok = contains_v<Pipeline, Entry>;
    static_assert(ok, "ferry: the pipeline has no such entry to replace, remove or insert at; `ferry stages` prints what it has");
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

#include <atomic>
#include <cstdio>
#include <string_view>

namespace ferry {

enum class LogLevel { info, warning };

/// Where Ferry's messages go. A plain function: a log must work in any thread at any time.
using LogSink = void (*)(LogLevel, std::string_view message);

namespace detail {

inline void log_to_stderr(LogLevel level, std::string_view message) {
    if (level == LogLevel::info) return;
    std::fprintf(stderr, "ferry: warning: %.*s\n", static_cast<int>(message.size()), message.data());
}

inline constinit std::atomic<LogSink> log_sink{&log_to_stderr};

}  // namespace detail

/// Sends messages elsewhere and gives back where they went before; null means standard error.
inline LogSink set_log_sink(LogSink sink) noexcept {
    return detail::log_sink.exchange(sink != nullptr ? sink : &detail::log_to_stderr);
}

/// Takes the sink only if nobody has chosen one. This is how the exporters turn to c10's log.
inline void offer_log_sink(LogSink sink) noexcept {
    LogSink untouched = &detail::log_to_stderr;
    detail::log_sink.compare_exchange_strong(untouched, sink);
}

inline void log(LogLevel level, std::string_view message) { detail::log_sink.load()(level, message); }

}  // namespace ferry

#include <cstddef>
#include <functional>
#include <string_view>

namespace ferry {

/// How far a long piece of work has come.
struct ProgressStep {
    std::string_view stage;  ///< as in the stage tables, e.g. "translations"
    std::size_t done = 0;
    std::size_t total = 0;  ///< 0: not known yet
};

/// Called from the exporting thread, now and then; throwing from it gives the work up, with nothing left behind.
using Progress = std::function<void(const ProgressStep&)>;

}  // namespace ferry

#include <cstddef>
#include <string_view>

namespace ferry {
namespace detail {

template <class Type>
constexpr std::string_view function_name() noexcept {
    return __PRETTY_FUNCTION__;
}

// Measured on a known type instead of assumed: g++ and clang++ frame the name differently.
inline constexpr std::string_view probe = function_name<double>();
inline constexpr std::size_t name_prefix = probe.find("double");
inline constexpr std::size_t name_suffix = [] {
    const auto end = name_prefix + std::string_view("double").size();
    // g++ goes on to spell what std::string_view stands for, which is the same for every type.
    return probe.size() - end;
}();

}  // namespace detail

/// The type's name as the compiler spells it: `ferry::onnx::masked_fill`.
template <class Type>
[[nodiscard]] constexpr std::string_view type_name() noexcept {
    constexpr std::string_view all = detail::function_name<Type>();
    return all.substr(detail::name_prefix, all.size() - detail::name_prefix - detail::name_suffix);
}

/// The same without its namespaces: `masked_fill`.
template <class Type>
[[nodiscard]] constexpr std::string_view short_type_name() noexcept {
    constexpr std::string_view full = type_name<Type>();
    const auto before_arguments = full.substr(0, full.find('<'));
    const auto colons = before_arguments.rfind("::");
    return colons == std::string_view::npos ? full : full.substr(colons + 2);
}

}  // namespace ferry

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a pipeline is made of, read off its lists: for people (`ferry stages`, README) and for programs.
namespace ferry {

struct EntryInfo {
    std::string_view name;
    std::vector<std::string_view> ops;
};

struct ListInfo {
    std::string_view kind;
    std::vector<EntryInfo> entries;
};

struct StageInfo {
    std::size_t number = 0;
    std::string_view name;
    std::vector<ListInfo> lists;
};

namespace detail {

template <class Entry>
EntryInfo entry_info() {
    EntryInfo info{short_type_name<Entry>(), {}};
    if constexpr (targets_ops<Entry>)
        for (const op_name op : Entry::target) info.ops.push_back(op.text());
    return info;
}

template <template <class...> class Kind, class... Entries>
ListInfo list_info(const Kind<Entries...>&) {
    return {Kind<>::label, {entry_info<Entries>()...}};
}

template <class Pipeline, class... Stages>
std::vector<StageInfo> stage_infos(const type_list<Stages...>&) {
    std::size_t number = 0;
    const auto info = [&]<class Name, class... Kinds>(Name name, const type_list<Kinds...>&) {
        return StageInfo{++number, name, {list_info(typename Pipeline::template gathered<Kinds>{})...}};
    };
    return {info(Stages::name, typename Stages::kinds{})...};
}

}  // namespace detail

/// The stages of the pipeline's backend, each with the entries that it will run.
template <class Pipeline>
[[nodiscard]] std::vector<StageInfo> describe_stages() {
    return detail::stage_infos<Pipeline>(typename Pipeline::stages::steps{});
}

/// A Markdown table, one row for each stage.
[[nodiscard]] inline std::string stage_table(std::span<const StageInfo> stages) {
    std::string table = "| # | stage | takes | entries |\n|---|---|---|---|\n";
    for (const StageInfo& stage : stages) {
        std::string takes;
        std::string entries;
        for (const ListInfo& list : stage.lists) {
            takes.append(takes.empty() ? "`" : ", `").append(list.kind).append("`");
            for (const EntryInfo& entry : list.entries)
                entries.append(entries.empty() ? "`" : ", `").append(entry.name).append("`");
        }
        table.append("| ").append(std::to_string(stage.number)).append(" | ").append(stage.name);
        table.append(" | ").append(takes.empty() ? "no list" : takes);
        table.append(" | ").append(entries.empty() ? "none" : entries).append(" |\n");
    }
    return table;
}

/// One line for each entry that targets ops: `masked_fill: aten::masked_fill.Scalar, aten::masked_fill.Tensor`.
[[nodiscard]] inline std::string op_list(std::span<const StageInfo> stages) {
    std::string lines;
    for (const StageInfo& stage : stages)
        for (const ListInfo& list : stage.lists)
            for (const EntryInfo& entry : list.entries) {
                std::string_view separator = ": ";
                lines.append(entry.name);
                for (const std::string_view op : entry.ops) {
                    lines.append(separator).append(op);
                    separator = ", ";
                }
                lines += '\n';
            }
    return lines;
}

}  // namespace ferry

#include <atomic>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace ferry {

struct Version {
    int major = 0;
    int minor = 0;
    int patch = 0;

    friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

[[nodiscard]] inline std::string to_string(const Version& version) {
    return std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' + std::to_string(version.patch);
}

/// Reads "2.12.0", also with something behind it ("2.12.0+cpu", "1.22.0rc1"); what is missing counts as 0.
[[nodiscard]] constexpr Version parse_version(std::string_view text) noexcept {
    Version version;
    std::size_t at = 0;
    for (int* part : {&version.major, &version.minor, &version.patch}) {
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && *part < 1'000'000; ++at)
            *part = *part * 10 + (text[at] - '0');
        if (at == text.size() || text[at] != '.') break;
        ++at;
    }
    return version;
}

/// A library that Ferry stands on: below `minimum` it does not work, and `tested` is what the tests run with.
struct Dependency {
    std::string_view name;
    Version minimum;
    Version tested;
};

inline constexpr Dependency libtorch{"libtorch", {2, 9, 0}, {2, 12, 0}};
inline constexpr Dependency onnx_library{"onnx", {1, 17, 0}, {1, 21, 0}};
inline constexpr Dependency executorch_library{"executorch", {1, 0, 0}, {1, 3, 1}};

namespace detail {

inline void check_version(const Dependency& library, const Version& found, std::atomic<bool>& told) {
    const std::string name(library.name);
    if (found < library.minimum)
        throw Error(ErrorKind::version, name + ' ' + to_string(found) + " is older than Ferry works with",
                    {.hint = "use " + name + ' ' + to_string(library.minimum) + " or newer; tested with " +
                             to_string(library.tested)});
    if (found != library.tested && !told.exchange(true))
        log(LogLevel::warning, "using " + name + ' ' + to_string(found) + ", tested with " + to_string(library.tested));
}

}  // namespace detail

/// Throws when `found` is too old; says once in the process when it is not the tested one.
template <const Dependency& Library>
void check_version(const Version& found) {
    static constinit std::atomic<bool> told{false};
    detail::check_version(Library, found, told);
}

}  // namespace ferry

#include <ATen/core/Tensor.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace ferry {

/// What a tree ends in: a tensor, a constant, or None. An undefined at::Tensor stays a tensor leaf, so that it comes back
/// as what it was; None is what an empty std::optional gives.
class Leaf {
public:
    enum class Kind : std::uint8_t { none, boolean, integer, real, text, tensor };  // in the order of the variant below

    Leaf() = default;
    Leaf(at::Tensor tensor) : value_(std::move(tensor)) {}
    Leaf(std::string text) : value_(std::move(text)) {}
    Leaf(std::string_view text) : value_(std::string(text)) {}
    Leaf(const char* text) : value_(std::string(text)) {}
    template <std::floating_point Real>
    Leaf(Real value) : value_(static_cast<double>(value)) {}
    template <std::same_as<bool> Bool>
    Leaf(Bool value) : value_(value) {}
    template <std::integral Int>
        requires(!std::same_as<Int, bool>)
    Leaf(Int value) : value_(static_cast<std::int64_t>(value)) {}

    [[nodiscard]] Kind kind() const noexcept { return static_cast<Kind>(value_.index()); }
    [[nodiscard]] bool is_none() const noexcept { return kind() == Kind::none; }
    [[nodiscard]] bool is_tensor() const noexcept { return kind() == Kind::tensor; }

    /// The value if the leaf holds a `Type` (bool, std::int64_t, double, std::string, at::Tensor), else null.
    template <class Type>
    [[nodiscard]] const Type* get_if() const noexcept {
        return std::get_if<Type>(&value_);
    }
    [[nodiscard]] const at::Tensor& tensor() const { return std::get<at::Tensor>(value_); }

    /// Tensors are equal when they are the same tensor, not when they hold equal numbers.
    friend bool operator==(const Leaf& a, const Leaf& b) {
        if (a.is_tensor() && b.is_tensor()) return a.tensor().is_same(b.tensor());
        return a.value_.index() == b.value_.index() && std::visit(
                                                           [&](const auto& value) {
                                                               using Type = std::remove_cvref_t<decltype(value)>;
                                                               if constexpr (std::same_as<Type, at::Tensor>)
                                                                   return false;
                                                               else
                                                                   return value == std::get<Type>(b.value_);
                                                           },
                                                           a.value_);
    }

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, at::Tensor> value_;
};

namespace tree::detail {

[[nodiscard]] constexpr std::string_view kind_name(Leaf::Kind kind) noexcept {
    constexpr std::string_view names[] = {"None",     "a bool",  "an integer", "a floating-point number",
                                          "a string", "a tensor"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace tree::detail
}  // namespace ferry

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ferry {

/// Says how a type of yours is a tree; specialise it next to the type. Two forms, the same as those of a pytree entry, which
/// also has `using type` and takes precedence over a specialisation:
/// - members: `using leaves = members<&T::keys, ...>`, and `using context = members<...>` for constants kept in the spec;
/// - functions: `static Parts flatten(const T&)` and `static T unflatten(Parts)`, where Parts is anything flattenable; or,
///   with constants, `static std::pair<Parts, tree::Context> flatten(const T&)` and `static T unflatten(Parts, const tree::Context&)`.
/// With `static constexpr std::string_view name = "my.KvCache"` the spec has a node of that Python type. Without, members
/// are a dict, and functions stand for what they give.
template <class Type>
struct tree_node;

namespace tree::detail {

template <class Entry>
struct described_type {
    using type = void;
};
template <class Entry>
    requires requires { typename Entry::type; }
struct described_type<Entry> {
    using type = typename Entry::type;
};

template <class Type, class... Entries>
struct pick_entry {
    using type = void;
};
template <class Type, class Entry, class... Entries>
struct pick_entry<Type, Entry, Entries...>
    : std::conditional_t<std::is_same_v<typename described_type<Entry>::type, Type>, std::type_identity<Entry>,
                         pick_entry<Type, Entries...>> {};

template <class Type, class List>
struct entry_for;
template <class Type, template <class...> class List, class... Entries>
struct entry_for<Type, List<Entries...>> : pick_entry<Type, Entries...> {};

template <class Type>
concept has_tree_node = requires { sizeof(tree_node<Type>); };

/// The entry in the list, else the specialisation of tree_node, else void.
template <class Type, class Pytrees>
struct description : entry_for<Type, Pytrees> {};
template <class Type, class Pytrees>
    requires(std::is_void_v<typename entry_for<Type, Pytrees>::type> && has_tree_node<Type>)
struct description<Type, Pytrees> {
    using type = tree_node<Type>;
};
template <class Type, class Pytrees>
using description_t = typename description<Type, Pytrees>::type;

template <class Type, class Pytrees>
concept described = !std::is_void_v<description_t<Type, Pytrees>>;

template <class Description>
concept described_by_members = requires { typename Description::leaves; };
template <class Description>
concept described_by_functions = !described_by_members<Description> && requires {
    &Description::flatten;
    &Description::unflatten;
};
template <class Description>
concept named = requires {
    { Description::name } -> std::convertible_to<std::string_view>;
};

template <class Type, class... Entries>
inline constexpr bool described_once =
    (std::size_t{0} + ... + std::is_same_v<typename described_type<Entries>::type, Type>) == 1;

template <class Type, class... Entries>
struct require_described_once {
    static_assert(described_once<Type, Entries...>,
                  "ferry: two pytree entries describe the same type; keep one, or `replace` one by the other");
};

template <class Pytrees>
inline constexpr bool valid_pytrees = false;
template <template <class...> class List, class... Entries>
inline constexpr bool valid_pytrees<List<Entries...>> =
    (describes_tree_node<Entries> && ...) &&
    (described_once<typename described_type<Entries>::type, Entries...> && ...);

/// Instantiated for a list that is not valid, to say why.
template <class Pytrees>
struct explain_pytrees;
template <template <class...> class List, class... Entries>
struct explain_pytrees<List<Entries...>> {
    static constexpr auto each = (sizeof(require_pytree<Entries>) + ...);
};
template <template <class...> class List, class... Entries>
    requires(describes_tree_node<Entries> && ...)
struct explain_pytrees<List<Entries...>> {
    static constexpr auto each =
        (sizeof(require_described_once<typename described_type<Entries>::type, Entries...>) + ...);
};

}  // namespace tree::detail
}  // namespace ferry

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::tree::detail {

inline constexpr char32_t bad_code_point = 0xFFFFFFFF;

/// Reads one code point and moves `at` behind it, or gives `bad_code_point`. Lone surrogates pass: JSON written by Python
/// may hold them, and they have to come out again as they went in.
[[nodiscard]] constexpr char32_t next_code_point(std::string_view text, std::size_t& at) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    const std::size_t extra = lead < 0x80             ? 0
                              : (lead & 0xE0) == 0xC0 ? 1
                              : (lead & 0xF0) == 0xE0 ? 2
                              : (lead & 0xF8) == 0xF0 ? 3
                                                      : 4;
    if (extra == 4 || text.size() - at <= extra) return bad_code_point;
    char32_t code = extra == 0 ? lead : lead & (0x3Fu >> extra);
    for (std::size_t i = 1; i <= extra; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return bad_code_point;
        code = (code << 6) | (byte(at + i) & 0x3Fu);
    }
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (code < smallest[extra] || code > 0x10FFFF) return bad_code_point;
    at += extra + 1;
    return code;
}

inline void append_utf8(std::string& text, char32_t code) {
    const auto put = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0 | (code >> 6));
    } else {
        if (code < 0x10000) {
            put(0xE0 | (code >> 12));
        } else {
            put(0xF0 | (code >> 18));
            put(0x80 | ((code >> 12) & 0x3F));
        }
        put(0x80 | ((code >> 6) & 0x3F));
    }
    put(0x80 | (code & 0x3F));
}

/// `prefix` and `digits` lower-case hexadecimal digits, as both JSON and Python's repr escape a character.
inline void append_hex(std::string& text, std::string_view prefix, char32_t code, int digits) {
    text += prefix;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[(code >> shift) & 0xF];
}

/// What Python's str.isprintable says of assigned characters: no controls, format characters, separators, surrogates or
/// private use. Code points that no Unicode version has assigned yet count as printable.
[[nodiscard]] constexpr bool is_printable(char32_t code) noexcept {
    constexpr char32_t hidden[][2] = {
        {0x00, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},     {0x61C, 0x61C},
        {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x1680, 0x1680},
        {0x180E, 0x180E},   {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},   {0x3000, 0x3000},
        {0xD800, 0xF8FF},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
        {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF}};
    for (const auto& [first, last] : hidden)
        if (code >= first && code <= last) return false;
    return true;
}

}  // namespace ferry::tree::detail

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ferry::tree {

/// What a tree node remembers besides its children: a dict's keys, a registered type's constants. A plain JSON value,
/// since that is what torch.export stores. Numbers are kept as Python spells them, so that none loses precision.
class Context {
public:
    enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, dict };

    Context() = default;
    Context(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
    Context(std::string_view text) : Context(std::string(text)) {}
    Context(const char* text) : Context(std::string(text)) {}
    Context(double value);
    template <std::same_as<bool> Bool>
    Context(Bool value) : kind_(Kind::boolean), text_(value ? "True" : "False") {}
    template <std::integral Int>
        requires(!std::same_as<Int, bool>)
    Context(Int value) : kind_(Kind::integer), text_(std::to_string(value)) {}

    [[nodiscard]] static Context list(std::vector<Context> items);
    [[nodiscard]] static Context dict(std::vector<std::string> keys, std::vector<Context> values);
    /// An integer of any length, in decimal digits.
    [[nodiscard]] static Context integer(std::string digits);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is_none() const noexcept { return kind_ == Kind::none; }
    [[nodiscard]] bool is_text() const noexcept { return kind_ == Kind::text; }
    [[nodiscard]] bool is_list() const noexcept { return kind_ == Kind::list; }
    [[nodiscard]] bool is_dict() const noexcept { return kind_ == Kind::dict; }

    /// The text itself, or a number's or bool's Python spelling.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// A list's items or a dict's values.
    [[nodiscard]] const std::vector<Context>& items() const noexcept { return items_; }
    [[nodiscard]] const std::vector<std::string>& keys() const noexcept { return keys_; }
    [[nodiscard]] const Context* find(std::string_view key) const noexcept;

    [[nodiscard]] std::optional<bool> as_boolean() const noexcept;
    [[nodiscard]] std::optional<std::int64_t> as_integer() const noexcept;
    [[nodiscard]] std::optional<double> as_real() const noexcept;

    friend bool operator==(const Context&, const Context&) = default;

private:
    Kind kind_ = Kind::none;
    std::string text_;
    std::vector<Context> items_;
    std::vector<std::string> keys_;
};

namespace detail {

/// Python's repr of a float: the shortest digits that read back the same, with an exponent past 16 digits.
[[nodiscard]] inline std::string python_float(double value) {
    if (value != value) return "nan";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    const std::string_view all(buffer, static_cast<std::size_t>(end - buffer));
    const auto e = all.find('e');
    if (e == std::string_view::npos) return std::string(all);  // inf, -inf
    std::string sign(all.front() == '-' ? "-" : ""), digits;
    for (const char c : all.substr(0, e))
        if (c >= '0' && c <= '9') digits += c;
    int exponent = 0;
    std::from_chars(buffer + e + (all[e + 1] == '+' ? 2 : 1), end, exponent);
    if (exponent < -4 || exponent >= 16) {
        if (digits.size() > 1) digits.insert(1, 1, '.');
        std::string power = std::to_string(exponent < 0 ? -exponent : exponent);
        if (power.size() < 2) power.insert(0, 1, '0');
        return sign + digits + (exponent < 0 ? "e-" : "e+") + power;
    }
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
    return sign + digits.insert(whole, 1, '.');
}

[[nodiscard]] inline std::string python_string(std::string_view text) {
    const bool quote_differently = text.find('\'') != text.npos && text.find('"') == text.npos;
    const char quote = quote_differently ? '"' : '\'';
    std::string out(1, quote);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const char32_t code = next_code_point(text, at);
        if (code == bad_code_point) {
            append_hex(out, "\\x", static_cast<unsigned char>(text[at++]), 2);
        } else if (code == static_cast<unsigned char>(quote) || code == '\\') {
            (out += '\\') += static_cast<char>(code);
        } else if (code == '\n' || code == '\r' || code == '\t') {
            (out += '\\') += code == '\n' ? 'n' : code == '\r' ? 'r' : 't';
        } else if (is_printable(code)) {
            out += text.substr(start, at - start);
        } else {
            append_hex(out,
                       code < 0x100     ? "\\x"
                       : code < 0x10000 ? "\\u"
                                        : "\\U",
                       code,
                       code < 0x100     ? 2
                       : code < 0x10000 ? 4
                                        : 8);
        }
    }
    return out += quote;
}

}  // namespace detail

/// What Python's repr() prints for the value.
[[nodiscard]] inline std::string python_repr(const Context& context) {
    if (context.is_none()) return "None";
    if (context.is_text()) return detail::python_string(context.text());
    if (!context.is_list() && !context.is_dict()) return context.text();
    std::string out(1, context.is_list() ? '[' : '{');
    for (std::size_t i = 0; i < context.items().size(); ++i) {
        if (i != 0) out += ", ";
        if (context.is_dict()) out += detail::python_string(context.keys()[i]) + ": ";
        out += python_repr(context.items()[i]);
    }
    return out += context.is_list() ? ']' : '}';
}

inline Context::Context(double value) : kind_(Kind::real), text_(detail::python_float(value)) {}

inline Context Context::list(std::vector<Context> items) {
    Context made;
    made.kind_ = Kind::list;
    made.items_ = std::move(items);
    return made;
}

inline Context Context::dict(std::vector<std::string> keys, std::vector<Context> values) {
    Context made = list(std::move(values));
    made.kind_ = Kind::dict;
    made.keys_ = std::move(keys);
    return made;
}

inline Context Context::integer(std::string digits) {
    Context made;
    made.kind_ = Kind::integer;
    made.text_ = digits == "-0" ? "0" : std::move(digits);
    return made;
}

inline const Context* Context::find(std::string_view key) const noexcept {
    for (std::size_t i = 0; i < keys_.size(); ++i)
        if (keys_[i] == key) return &items_[i];
    return nullptr;
}

inline std::optional<bool> Context::as_boolean() const noexcept {
    return kind_ == Kind::boolean ? std::optional(text_ == "True") : std::nullopt;
}

inline std::optional<std::int64_t> Context::as_integer() const noexcept {
    std::int64_t value = 0;
    const char* const end = text_.data() + text_.size();
    if (kind_ != Kind::integer || std::from_chars(text_.data(), end, value) != std::from_chars_result{end, std::errc{}})
        return {};
    return value;
}

inline std::optional<double> Context::as_real() const noexcept {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    if (kind_ != Kind::real || std::from_chars(text_.data(), end, value).ptr != end) return {};
    return value;
}

}  // namespace ferry::tree

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// The structure of a tree without its leaves, as torch.utils._pytree has it. Immutable; copies share their nodes.
class TreeSpec {
public:
    enum class Kind : std::uint8_t { leaf, list, tuple, dict, ordered_dict, default_dict, named_tuple, deque, opaque };

    /// Trees deeper than this are refused: every walk is recursive.
    static constexpr std::size_t max_depth = 256;

    TreeSpec() = default;  ///< a leaf
    [[nodiscard]] static TreeSpec list(std::vector<TreeSpec> children) {
        return container(Kind::list, {}, std::move(children));
    }
    [[nodiscard]] static TreeSpec tuple(std::vector<TreeSpec> children) {
        return container(Kind::tuple, {}, std::move(children));
    }
    [[nodiscard]] static TreeSpec dict(std::vector<tree::Context> keys, std::vector<TreeSpec> children) {
        return container(Kind::dict, tree::Context::list(std::move(keys)), std::move(children));
    }

    /// Any built-in container. The context is Python's in its JSON form: keys of a dict, name of a named tuple, ...
    [[nodiscard]] static TreeSpec container(Kind kind, tree::Context context, std::vector<TreeSpec> children);

    /// A class that Python registers by name. `verbatim`: the class has its own way to write contexts, so the context is
    /// not JSON inside a string. `names` are for paths only; Python's specs do not keep them.
    [[nodiscard]] static TreeSpec opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
                                         std::vector<std::string> names = {}, bool verbatim = false);

    [[nodiscard]] Kind kind() const noexcept { return node_ ? node_->kind : Kind::leaf; }
    [[nodiscard]] bool is_leaf() const noexcept { return kind() == Kind::leaf; }
    [[nodiscard]] bool is_sequence() const noexcept;  ///< list, tuple, deque, named tuple
    [[nodiscard]] bool is_mapping() const noexcept;   ///< dict, ordered dict, default dict
    /// The name under which Python registers the type ("builtins.dict"); empty for a leaf.
    [[nodiscard]] std::string_view type() const noexcept;
    [[nodiscard]] const tree::Context& context() const noexcept { return node().context; }
    [[nodiscard]] bool has_verbatim_context() const noexcept { return node().verbatim; }
    [[nodiscard]] const std::vector<TreeSpec>& children() const noexcept { return node().children; }
    [[nodiscard]] std::size_t num_leaves() const noexcept { return is_leaf() ? 1 : node().leaves; }
    [[nodiscard]] std::size_t num_nodes() const noexcept { return is_leaf() ? 1 : node().nodes; }

    /// The keys of a mapping, one for each child; empty for everything else.
    [[nodiscard]] const std::vector<tree::Context>& keys() const noexcept;
    /// What a dotted path calls a child: key, member name or position.
    [[nodiscard]] std::string child_name(std::size_t index) const;
    [[nodiscard]] std::vector<std::string> child_names() const;
    /// The path of each leaf in order; that of a tree which is only a leaf is empty.
    [[nodiscard]] std::vector<std::string> leaf_paths() const;

    struct Place;
    /// The subtree at a dotted path and the position of its first leaf.
    [[nodiscard]] std::optional<Place> find(std::string_view path) const;

    /// Which alternative of each std::variant the value held, outermost first. Python knows no variants, so this is neither
    /// compared nor written; without it the first alternative that fits is taken.
    [[nodiscard]] const std::vector<std::uint32_t>& choices() const noexcept { return node().choices; }
    [[nodiscard]] TreeSpec with_choice(std::uint32_t alternative) const;

    /// The same text as Python's str(treespec).
    [[nodiscard]] std::string str() const;

    friend bool operator==(const TreeSpec& a, const TreeSpec& b);

private:
    struct Node {
        Kind kind = Kind::leaf;
        bool verbatim = false;
        std::string type{};
        tree::Context context{};
        std::vector<TreeSpec> children{};
        std::vector<std::string> names{};
        std::vector<std::uint32_t> choices{};
        std::size_t leaves = 0, nodes = 1, depth = 1;
    };

    [[nodiscard]] static TreeSpec make(Node node);
    [[nodiscard]] const Node& node() const noexcept {
        static const Node leaf;
        return node_ ? *node_ : leaf;
    }
    void append_paths(std::vector<std::string>& paths, std::string& prefix, bool is_root) const;
    [[nodiscard]] std::optional<Place> find_below(std::string_view path) const;
    void append_str(std::string& out, std::size_t indent) const;
    [[nodiscard]] std::string context_str() const;

    std::shared_ptr<const Node> node_;
};

struct TreeSpec::Place {
    TreeSpec spec;
    std::size_t first_leaf = 0;
};

namespace tree::detail {

struct KindName {
    std::string_view type;       // as serialised
    std::string_view python;     // __name__
};
inline constexpr KindName kind_names[] = {{"", "*"},
                                          {"builtins.list", "list"},
                                          {"builtins.tuple", "tuple"},
                                          {"builtins.dict", "dict"},
                                          {"collections.OrderedDict", "OrderedDict"},
                                          {"collections.defaultdict", "defaultdict"},
                                          {"collections.namedtuple", "namedtuple"},
                                          {"collections.deque", "deque"}};

[[nodiscard]] inline std::string key_name(const Context& key) { return key.is_text() ? key.text() : python_repr(key); }

[[nodiscard]] inline bool all_text(const std::vector<Context>& items) {
    for (const Context& item : items)
        if (!item.is_text()) return false;
    return true;
}

}  // namespace tree::detail

inline TreeSpec TreeSpec::make(Node node) {
    for (const TreeSpec& child : node.children) {
        node.leaves += child.num_leaves();
        node.nodes += child.num_nodes();
        if (child.node_ && child.node_->depth >= node.depth) node.depth = child.node_->depth + 1;
    }
    if (node.depth > max_depth)
        throw Error(ErrorKind::invalid_input, "a tree of more than " + std::to_string(max_depth) + " levels");
    TreeSpec made;
    made.node_ = std::make_shared<const Node>(std::move(node));
    return made;
}

inline TreeSpec TreeSpec::container(Kind kind, tree::Context context, std::vector<TreeSpec> children) {
    const auto refuse = [&](const char* what) -> Error {
        return {ErrorKind::invalid_input,
                "a tree spec of type " + std::string(tree::detail::kind_names[std::size_t(kind)].type) + what};
    };
    if (kind == Kind::leaf || kind == Kind::opaque)
        throw Error(ErrorKind::invalid_input, "TreeSpec::container makes Python's built-in containers only");
    if ((kind == Kind::list || kind == Kind::tuple) && !context.is_none()) throw refuse(" has no context");
    if (kind == Kind::named_tuple && !context.is_text()) throw refuse(" has a name as its context");
    if (kind == Kind::deque && !context.is_none() && context.kind() != tree::Context::Kind::integer)
        throw refuse(" has its greatest length, or None, as its context");
    const tree::Context* keys = &context;
    if (kind == Kind::default_dict) {
        const auto* module = context.find("default_factory_module");
        const auto* factory = context.find("default_factory_name");
        keys = context.find("dict_context");
        if (!module || !module->is_text() || !factory || !factory->is_text() || !keys || context.items().size() != 3)
            throw refuse(" has default_factory_module, default_factory_name and dict_context as its context");
    }
    if (kind == Kind::dict || kind == Kind::ordered_dict || kind == Kind::default_dict) {
        if (!keys->is_list()) throw refuse(" has the list of its keys as its context");
        if (keys->items().size() != children.size())
            throw refuse((" has " + std::to_string(keys->items().size()) + " keys but " +
                          std::to_string(children.size()) + " children")
                             .c_str());
    }
    return make({.kind = kind, .context = std::move(context), .children = std::move(children)});
}

inline TreeSpec TreeSpec::opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
                                 std::vector<std::string> names, bool verbatim) {
    if (type.empty()) throw Error(ErrorKind::invalid_input, "a tree spec of a registered type needs the type's name");
    // Python's own flatten functions (dataclasses, model outputs, caches) put the children's names first in the context.
    const tree::Context* first = &context;
    if (first->is_list() && !first->items().empty() && first->items().front().is_list())
        first = &first->items().front();
    if (names.empty() && first->is_list() && first->items().size() == children.size() &&
        tree::detail::all_text(first->items()))
        for (const tree::Context& name : first->items()) names.push_back(name.text());
    if (names.size() != children.size()) names.clear();
    return make({.kind = Kind::opaque,
                 .verbatim = verbatim,
                 .type = std::move(type),
                 .context = std::move(context),
                 .children = std::move(children),
                 .names = std::move(names)});
}

inline bool TreeSpec::is_sequence() const noexcept {
    return kind() == Kind::list || kind() == Kind::tuple || kind() == Kind::deque || kind() == Kind::named_tuple;
}

inline bool TreeSpec::is_mapping() const noexcept {
    return kind() == Kind::dict || kind() == Kind::ordered_dict || kind() == Kind::default_dict;
}

inline std::string_view TreeSpec::type() const noexcept {
    return kind() == Kind::opaque ? std::string_view(node().type) : tree::detail::kind_names[std::size_t(kind())].type;
}

inline const std::vector<tree::Context>& TreeSpec::keys() const noexcept {
    static const std::vector<tree::Context> none;
    if (!is_mapping()) return none;
    return kind() == Kind::default_dict ? context().find("dict_context")->items() : context().items();
}

inline std::string TreeSpec::child_name(std::size_t index) const {
    if (is_mapping()) return tree::detail::key_name(keys()[index]);
    return node().names.empty() ? std::to_string(index) : node().names[index];
}

inline std::vector<std::string> TreeSpec::child_names() const {
    std::vector<std::string> names;
    names.reserve(children().size());
    for (std::size_t i = 0; i < children().size(); ++i) names.push_back(child_name(i));
    return names;
}

inline void TreeSpec::append_paths(std::vector<std::string>& paths, std::string& prefix, bool is_root) const {
    if (is_leaf()) return paths.push_back(prefix);
    const std::size_t length = prefix.size();
    for (std::size_t i = 0; i < children().size(); ++i) {
        if (!is_root) prefix += '.';
        prefix += child_name(i);
        children()[i].append_paths(paths, prefix, false);
        prefix.resize(length);
    }
}

inline std::vector<std::string> TreeSpec::leaf_paths() const {
    std::vector<std::string> paths;
    paths.reserve(num_leaves());
    std::string prefix;
    append_paths(paths, prefix, true);
    return paths;
}

inline std::optional<TreeSpec::Place> TreeSpec::find(std::string_view path) const {
    return path.empty() ? Place{*this, 0} : find_below(path);
}

inline std::optional<TreeSpec::Place> TreeSpec::find_below(std::string_view path) const {
    std::size_t first_leaf = 0;
    for (std::size_t i = 0; i < children().size(); first_leaf += children()[i++].num_leaves()) {
        // A key may hold dots itself, so the path is not split beforehand: every child whose name starts it is tried.
        const std::string name = child_name(i);
        if (!path.starts_with(name)) continue;
        if (path.size() == name.size()) return Place{children()[i], first_leaf};
        if (path[name.size()] != '.') continue;
        auto found = children()[i].find_below(path.substr(name.size() + 1));
        if (!found) continue;
        found->first_leaf += first_leaf;
        return found;
    }
    return std::nullopt;
}

inline TreeSpec TreeSpec::with_choice(std::uint32_t alternative) const {
    TreeSpec made;
    auto copy = std::make_shared<Node>(node());
    copy->choices.insert(copy->choices.begin(), alternative);
    made.node_ = std::move(copy);
    return made;
}

inline bool operator==(const TreeSpec& a, const TreeSpec& b) {
    if (a.node_ == b.node_) return true;
    return a.kind() == b.kind() && a.type() == b.type() && a.num_nodes() == b.num_nodes() &&
           a.num_leaves() == b.num_leaves() && a.context() == b.context() &&
           a.has_verbatim_context() == b.has_verbatim_context() && a.children() == b.children();
}

inline std::string TreeSpec::context_str() const {
    const auto class_named = [](std::string_view module, std::string_view name) {
        return "<class '" + (module == "builtins" || module.empty() ? "" : std::string(module) + '.') +
               std::string(name) + "'>";
    };
    if (kind() == Kind::default_dict)
        return '[' +
               class_named(context().find("default_factory_module")->text(),
                           context().find("default_factory_name")->text()) +
               ", " + tree::python_repr(*context().find("dict_context")) + ']';
    // A named tuple's context is the class itself, written as its registered name.
    if (kind() == Kind::named_tuple || (kind() == Kind::opaque && context().is_text() && context().text() == type()))
        return class_named({}, context().text());
    return context().is_text() ? context().text() : tree::python_repr(context());
}

inline void TreeSpec::append_str(std::string& out, std::size_t indent) const {
    if (is_leaf()) return void(out += '*');
    const auto name = kind() == Kind::opaque ? type().substr(type().find_last_of(".:") + 1)
                                             : tree::detail::kind_names[std::size_t(kind())].python;
    out.append("TreeSpec(").append(name).append(", ").append(context_str()).append(", [");
    indent += 2;
    for (std::size_t i = 0; i < children().size(); ++i) {
        if (i != 0) out.append(",\n").append(indent, ' ');
        children()[i].append_str(out, indent);
    }
    out += "])";
}

inline std::string TreeSpec::str() const {
    std::string out;
    append_str(out, 0);
    return out;
}

}  // namespace ferry

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// A tree whose shape is known at run time: structure and leaves. It is what flattening gives, and as a value of its own
/// it may be nested in anything that is flattened.
struct Tree {
    TreeSpec spec;             ///< a single leaf unless told otherwise
    std::vector<Leaf> leaves;  ///< in the order of spec.leaf_paths()

    Tree() : leaves(1) {}  // None
    Tree(Leaf leaf) { leaves.push_back(std::move(leaf)); }
    Tree(TreeSpec spec_, std::vector<Leaf> leaves_);

    [[nodiscard]] static Tree list(std::vector<Tree> children);
    [[nodiscard]] static Tree tuple(std::vector<Tree> children);
    [[nodiscard]] static Tree dict(std::vector<tree::Context> keys, std::vector<Tree> children);

    [[nodiscard]] bool is_leaf() const noexcept { return spec.is_leaf(); }
    [[nodiscard]] std::size_t size() const noexcept { return spec.children().size(); }
    [[nodiscard]] std::vector<Tree> children() const;
    [[nodiscard]] bool contains(std::string_view path) const { return spec.find(path).has_value(); }
    /// The subtree at a dotted path ("past_key_values.0.keys"); throws when there is none.
    [[nodiscard]] Tree at(std::string_view path) const;
    /// The leaf at a dotted path, to read or to exchange.
    [[nodiscard]] Leaf& leaf(std::string_view path);
    [[nodiscard]] const Leaf& leaf(std::string_view path) const { return const_cast<Tree&>(*this).leaf(path); }

    [[nodiscard]] bool same_structure(const Tree& other) const { return spec == other.spec; }
    friend bool operator==(const Tree&, const Tree&) = default;
};

namespace tree::detail {

[[noreturn]] inline void no_such_path(const TreeSpec& spec, std::string_view path) {
    std::string known;
    for (const std::string& leaf : spec.leaf_paths()) {
        if (known.size() > 400) {
            known += ", ...";
            break;
        }
        known.append(known.empty() ? "" : ", ").append(leaf);
    }
    throw Error(ErrorKind::invalid_input, "the tree has nothing at the path '" + std::string(path) + "'",
                {.hint = "its leaves are: " + known, .where = {.path = std::string(path)}});
}

/// Takes a list of subtrees apart into their specs and, joined, their leaves.
[[nodiscard]] inline std::vector<TreeSpec> join(std::vector<Tree>& children, std::vector<Leaf>& leaves) {
    std::vector<TreeSpec> specs;
    specs.reserve(children.size());
    for (Tree& child : children) {
        specs.push_back(std::move(child.spec));
        leaves.insert(leaves.end(), std::move_iterator(child.leaves.begin()), std::move_iterator(child.leaves.end()));
    }
    return specs;
}

}  // namespace tree::detail

inline Tree::Tree(TreeSpec spec_, std::vector<Leaf> leaves_) : spec(std::move(spec_)), leaves(std::move(leaves_)) {
    if (leaves.size() == spec.num_leaves()) return;
    const auto paths = spec.leaf_paths();
    std::string message = "the tree has " + std::to_string(paths.size()) + " leaves, but " +
                          std::to_string(leaves.size()) + " were given";
    throw Error(ErrorKind::invalid_input, message,
                {.hint = leaves.size() < paths.size() ? "the first one missing is '" + paths[leaves.size()] + "'" : "",
                 .where = {.path = leaves.size() < paths.size() ? paths[leaves.size()] : ""}});
}

inline Tree Tree::list(std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::list(std::move(specs)), std::move(leaves)};
}

inline Tree Tree::tuple(std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::tuple(std::move(specs)), std::move(leaves)};
}

inline Tree Tree::dict(std::vector<tree::Context> keys, std::vector<Tree> children) {
    std::vector<Leaf> leaves;
    auto specs = tree::detail::join(children, leaves);
    return {TreeSpec::dict(std::move(keys), std::move(specs)), std::move(leaves)};
}

inline std::vector<Tree> Tree::children() const {
    std::vector<Tree> made;
    auto from = leaves.begin();
    for (const TreeSpec& child : spec.children()) {
        const auto to = from + static_cast<std::ptrdiff_t>(child.num_leaves());
        made.emplace_back(child, std::vector<Leaf>(from, to));
        from = to;
    }
    return made;
}

inline Tree Tree::at(std::string_view path) const {
    const auto place = spec.find(path);
    if (!place) tree::detail::no_such_path(spec, path);
    const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(place->first_leaf);
    return {place->spec, std::vector<Leaf>(from, from + static_cast<std::ptrdiff_t>(place->spec.num_leaves()))};
}

inline Leaf& Tree::leaf(std::string_view path) {
    const auto place = spec.find(path);
    if (!place || !place->spec.is_leaf()) tree::detail::no_such_path(spec, path);
    return leaves[place->first_leaf];
}

}  // namespace ferry

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {

/// A place in a tree that is being turned back into a C++ value. Knows its path, so that what does not fit is named.
class Reader {
public:
    explicit Reader(const Tree& tree, std::string root = {}, bool strict = false)
        : spec_(&tree.spec), leaves_(tree.leaves), root_(std::move(root)), strict_(strict) {}

    [[nodiscard]] const TreeSpec& spec() const noexcept { return *spec_; }
    [[nodiscard]] std::span<const Leaf> leaves() const noexcept { return leaves_; }
    [[nodiscard]] Tree tree() const { return {*spec_, {leaves_.begin(), leaves_.end()}}; }
    [[nodiscard]] std::string path() const;

    /// Strict reading takes only the container that flattening writes: it tells a variant's alternatives apart. Otherwise
    /// any sequence of the right length will do, since Python is free with lists and tuples.
    [[nodiscard]] bool strict() const noexcept { return strict_; }
    [[nodiscard]] Reader as_strict(bool strict) const {
        Reader made = *this;
        made.strict_ = strict;
        return made;
    }

    /// The alternative of the next variant at this place, if the spec remembers it.
    [[nodiscard]] const std::uint32_t* choice() const noexcept {
        return choices_used_ < spec_->choices().size() ? &spec_->choices()[choices_used_] : nullptr;
    }
    [[nodiscard]] Reader after_choice() const {
        Reader made = *this;
        ++made.choices_used_;
        return made;
    }

    [[nodiscard]] bool is_none() const noexcept { return spec_->is_leaf() && leaves_.front().is_none(); }
    [[nodiscard]] const Leaf& leaf(Leaf::Kind wanted) const;

    /// The children, which refer back to this reader for their paths.
    [[nodiscard]] std::vector<Reader> children() const;
    [[nodiscard]] std::vector<Reader> sequence(TreeSpec::Kind written_as) const;
    [[nodiscard]] std::vector<Reader> sequence(TreeSpec::Kind written_as, std::size_t length) const;
    [[nodiscard]] std::vector<Reader> mapping() const;
    /// A mapping with just these keys; the children come in the order of `names`, not of the spec.
    [[nodiscard]] std::vector<Reader> members(std::span<const std::string_view> names) const;
    [[nodiscard]] std::vector<Reader> opaque(std::string_view type, std::size_t length) const;
    /// A node of a registered type, to be read as whatever container its children came in.
    [[nodiscard]] Reader open(std::string_view type) const;
    /// One key for each child: those of a mapping, or an opened node's names.
    [[nodiscard]] std::vector<Context> keys() const;

    [[noreturn]] void fail(const std::string& expected) const { fail(expected, found()); }
    [[noreturn]] void fail(const std::string& expected, const std::string& found, std::string hint = {}) const;

private:
    [[nodiscard]] std::string found() const;

    const TreeSpec* spec_;
    std::span<const Leaf> leaves_;
    const Reader* parent_ = nullptr;
    std::size_t index_ = 0;
    std::string root_;
    std::size_t choices_used_ = 0;
    bool strict_;
    bool open_ = false;
};

inline std::string Reader::path() const {
    if (parent_ == nullptr) return root_;
    std::string above = parent_->path();
    if (!above.empty()) above += '.';
    return above + parent_->spec_->child_name(index_);
}

inline void Reader::fail(const std::string& expected, const std::string& found, std::string hint) const {
    const std::string here = path();
    throw Error(ErrorKind::invalid_input,
                "the tree does not fit the C++ type: expected " + expected + ", found " + found,
                {.hint = std::move(hint), .where = {.path = here.empty() ? "<root>" : here}});
}

inline std::string Reader::found() const {
    if (spec_->is_leaf()) {
        const Leaf& leaf = leaves_.front();
        if (leaf.is_tensor() && !leaf.tensor().defined()) return "an undefined tensor";
        return std::string(detail::kind_name(leaf.kind()));
    }
    std::string text = (spec_->kind() == TreeSpec::Kind::opaque ? "" : "a ") + std::string(spec_->type());
    if (spec_->is_mapping()) return text + " with the keys " + python_repr(Context::list(spec_->keys()));
    return text + " of " + std::to_string(spec_->children().size());
}

inline const Leaf& Reader::leaf(Leaf::Kind wanted) const {
    if (!spec_->is_leaf()) fail(std::string(detail::kind_name(wanted)));
    const Leaf& leaf = leaves_.front();
    if (leaf.kind() == wanted) return leaf;
    fail(std::string(detail::kind_name(wanted)), found(),
         leaf.is_none() ? "a member that may be None is a std::optional in C++" : "");
}

inline std::vector<Reader> Reader::children() const {
    std::vector<Reader> made;
    made.reserve(spec_->children().size());
    std::size_t first = 0;
    for (const TreeSpec& child : spec_->children()) {
        Reader reader = *this;
        reader.spec_ = &child;
        reader.leaves_ = leaves_.subspan(first, child.num_leaves());
        reader.parent_ = this;
        reader.index_ = made.size();
        reader.choices_used_ = 0;
        reader.open_ = false;
        first += child.num_leaves();
        made.push_back(std::move(reader));
    }
    return made;
}

inline std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as) const {
    const bool fits = open_ || (strict_ ? spec_->kind() == written_as : spec_->is_sequence());
    if (!fits) fail(written_as == TreeSpec::Kind::list ? "a list" : "a tuple");
    return children();
}

inline std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as, std::size_t length) const {
    auto made = sequence(written_as);
    if (made.size() != length)
        fail((written_as == TreeSpec::Kind::list ? "a list of " : "a tuple of ") + std::to_string(length));
    return made;
}

inline std::vector<Reader> Reader::mapping() const {
    if (!open_ && !(strict_ ? spec_->kind() == TreeSpec::Kind::dict : spec_->is_mapping())) fail("a dict");
    return children();
}

inline std::vector<Reader> Reader::members(std::span<const std::string_view> names) const {
    std::vector<Context> wanted(names.begin(), names.end());
    const auto expect = [&] { return "a dict with the keys " + python_repr(Context::list(wanted)); };
    const auto known = keys();
    if (!(open_ || spec_->is_mapping()) || known.size() != names.size()) fail(expect());
    auto all = children();
    std::vector<Reader> ordered;
    ordered.reserve(all.size());
    for (const std::string_view name : names) {
        std::size_t at = 0;
        while (at < all.size() && !(known[at].is_text() && known[at].text() == name)) ++at;
        if (at == all.size()) fail(expect());
        ordered.push_back(all[at]);
    }
    return ordered;
}

inline std::vector<Reader> Reader::opaque(std::string_view type, std::size_t length) const {
    if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
    if (spec_->children().size() != length) fail(std::string(type) + " of " + std::to_string(length));
    return children();
}

inline Reader Reader::open(std::string_view type) const {
    if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
    Reader made = *this;
    made.open_ = true;
    return made;
}

inline std::vector<Context> Reader::keys() const {
    if (!open_) return spec_->keys();
    const auto names = spec_->child_names();
    return {names.begin(), names.end()};
}

}  // namespace ferry::tree

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::tree::detail {

/// How a type is written to and read from a tree, both ways side by side:
///   parts        the types inside it, which must be flattenable too
///   may_be_none  whether a value can look like None, so that an optional around it could not be told apart (default false)
///   write        appends the leaves and gives the structure;  read   makes the value again
/// The primary template is empty: such a type cannot be flattened.
template <class Type, class Pytrees>
struct codec {};

template <class Type, class Pytrees>
concept has_codec = requires { typename codec<Type, Pytrees>::parts; };

template <class Type, class Pytrees>
concept may_be_none = requires { requires codec<Type, Pytrees>::may_be_none; };

template <class Type>
concept character = std::same_as<Type, char> || std::same_as<Type, wchar_t> || std::same_as<Type, char8_t> ||
                    std::same_as<Type, char16_t> || std::same_as<Type, char32_t>;
template <class Type>
concept integer = std::integral<Type> && !std::same_as<Type, bool> && !character<Type>;

/// A leaf whose type in the tree is `Stored`.
template <class Stored, Leaf::Kind Kind>
struct leaf_codec {
    using parts = type_list<>;
    static TreeSpec write(const Stored& value, std::vector<Leaf>& leaves) {
        leaves.emplace_back(value);
        return {};
    }
    static Stored read(const Reader& reader) { return *reader.leaf(Kind).get_if<Stored>(); }
};

template <class Pytrees>
struct codec<at::Tensor, Pytrees> : leaf_codec<at::Tensor, Leaf::Kind::tensor> {};
template <class Pytrees>
struct codec<bool, Pytrees> : leaf_codec<bool, Leaf::Kind::boolean> {};
template <class Pytrees>
struct codec<double, Pytrees> : leaf_codec<double, Leaf::Kind::real> {};
template <class Pytrees>
struct codec<std::string, Pytrees> : leaf_codec<std::string, Leaf::Kind::text> {};

template <class Pytrees>
struct codec<float, Pytrees> {
    using parts = type_list<>;
    static TreeSpec write(float value, std::vector<Leaf>& leaves) {
        return codec<double, Pytrees>::write(value, leaves);
    }
    static float read(const Reader& reader) { return static_cast<float>(codec<double, Pytrees>::read(reader)); }
};

[[noreturn]] inline void integer_too_large(const std::string& value) {
    throw Error(ErrorKind::invalid_input, "the integer " + value + " does not fit the 64 bits that a tree's leaf has");
}

template <integer Int, class Pytrees>
struct codec<Int, Pytrees> {
    using parts = type_list<>;
    static TreeSpec write(Int value, std::vector<Leaf>& leaves) {
        if (!std::in_range<std::int64_t>(value)) integer_too_large(std::to_string(value));
        leaves.emplace_back(value);
        return {};
    }
    static Int read(const Reader& reader) {
        const std::int64_t value = *reader.leaf(Leaf::Kind::integer).get_if<std::int64_t>();
        if (!std::in_range<Int>(value))
            reader.fail("an integer from " + std::to_string(std::numeric_limits<Int>::min()) + " to " +
                            std::to_string(std::numeric_limits<Int>::max()),
                        std::to_string(value));
        return static_cast<Int>(value);
    }
};

/// The empty alternative of a variant.
template <class Pytrees>
struct codec<std::monostate, Pytrees> {
    using parts = type_list<>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(std::monostate, std::vector<Leaf>& leaves) {
        leaves.emplace_back();
        return {};
    }
    static std::monostate read(const Reader& reader) {
        return static_cast<void>(reader.leaf(Leaf::Kind::none)), std::monostate{};
    }
};

/// Any leaf, in code that learns at run time what it deals with.
template <class Pytrees>
struct codec<Leaf, Pytrees> {
    using parts = type_list<>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(const Leaf& value, std::vector<Leaf>& leaves) {
        leaves.push_back(value);
        return {};
    }
    static Leaf read(const Reader& reader) {
        if (!reader.spec().is_leaf()) reader.fail("a leaf");
        return reader.leaves().front();
    }
};

template <class Pytrees>
struct codec<Tree, Pytrees> {
    using parts = type_list<>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(const Tree& value, std::vector<Leaf>& leaves) {
        if (value.leaves.size() != value.spec.num_leaves())  // both members are open to the user
            throw Error(ErrorKind::invalid_input, "a Tree whose spec has " + std::to_string(value.spec.num_leaves()) +
                                                      " leaves holds " + std::to_string(value.leaves.size()));
        leaves.insert(leaves.end(), value.leaves.begin(), value.leaves.end());
        return value.spec;
    }
    static Tree read(const Reader& reader) { return reader.tree(); }
};

}  // namespace ferry::tree::detail

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry::tree::detail {

/// A flattened constant as the JSON value that a spec's context holds.
[[nodiscard]] inline Context context_of(const TreeSpec& spec, std::span<const Leaf> leaves) {
    if (spec.is_leaf()) {
        const Leaf& leaf = leaves.front();
        if (const auto* value = leaf.get_if<bool>()) return *value;
        if (const auto* value = leaf.get_if<std::int64_t>()) return *value;
        if (const auto* value = leaf.get_if<double>()) return *value;
        if (const auto* value = leaf.get_if<std::string>()) return *value;
        if (leaf.is_none()) return {};
        throw Error(ErrorKind::invalid_input, "a tensor cannot be part of a tree spec's context",
                    {.hint = "list the member in `leaves`, not in `context`"});
    }
    if (!spec.is_sequence() && !spec.is_mapping())
        throw Error(ErrorKind::invalid_input,
                    "a " + std::string(spec.type()) + " cannot be part of a tree spec's context");
    std::vector<Context> items;
    std::size_t first = 0;
    for (const TreeSpec& child : spec.children()) {
        items.push_back(context_of(child, leaves.subspan(first, child.num_leaves())));
        first += child.num_leaves();
    }
    return spec.is_mapping() ? Context::dict(spec.child_names(), std::move(items)) : Context::list(std::move(items));
}

[[nodiscard]] inline Tree tree_of(const Context& context) {
    switch (context.kind()) {
        case Context::Kind::none: return {};
        case Context::Kind::boolean: return Leaf(*context.as_boolean());
        case Context::Kind::real: return Leaf(*context.as_real());
        case Context::Kind::text: return Leaf(context.text());
        case Context::Kind::integer:
            if (const auto value = context.as_integer()) return Leaf(*value);
            throw Error(ErrorKind::invalid_input,
                        "the integer " + context.text() + " in a tree spec's context does not fit 64 bits");
        case Context::Kind::list:
        case Context::Kind::dict: break;
    }
    std::vector<Tree> children;
    for (const Context& item : context.items()) children.push_back(tree_of(item));
    if (context.is_list()) return Tree::list(std::move(children));
    return Tree::dict({context.keys().begin(), context.keys().end()}, std::move(children));
}

}  // namespace ferry::tree::detail

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ferry {

/// Data members of a class, by pointer: `members<&kv_cache::keys, &kv_cache::values>`. Their names come from the compiler.
template <auto... Members>
struct members {
    static_assert((std::is_member_object_pointer_v<decltype(Members)> && ...),
                  "ferry: members<...> takes pointers to data members");
    static constexpr std::size_t size = sizeof...(Members);
};

namespace tree::detail {

template <auto Member>
constexpr const char* member_function_name() noexcept {
    return __PRETTY_FUNCTION__;
}

/// The identifier at the end of `... [with auto Member = &my::kv_cache::keys]`; g++ may put parentheses around it.
template <auto Member>
[[nodiscard]] constexpr std::string_view member_name() noexcept {
    std::string_view text = member_function_name<Member>();
    const auto is_identifier = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               static_cast<unsigned char>(c) >= 0x80;
    };
    while (!text.empty() && !is_identifier(text.back())) text.remove_suffix(1);
    std::size_t start = text.size();
    while (start > 0 && is_identifier(text[start - 1])) --start;
    return text.substr(start);
}

template <class Pointer>
struct member_type;
template <class Class, class Type>
struct member_type<Type Class::*> {
    using type = std::remove_cv_t<Type>;
};
template <auto Member>
using member_type_t = typename member_type<decltype(Member)>::type;

}  // namespace tree::detail
}  // namespace ferry

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry::tree::detail {

[[nodiscard]] inline TreeSpec dict_of_members(std::span<const std::string_view> names, std::vector<TreeSpec> children) {
    return TreeSpec::dict({names.begin(), names.end()}, std::move(children));
}

/// What a struct made from its members needs, told in one sentence instead of the compiler's many.
template <class Type>
struct require_default {
    static constexpr bool ok = std::default_initializable<Type>;
    static_assert(
        ok,
        "ferry: unflattening a type that is described by its members needs its default constructor; otherwise "
        "describe it by `flatten` and `unflatten` functions");
};

// ── Described with BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT: a dict ──

template <class Accessor, class Type>
using accessed_t = std::remove_cvref_t<decltype(std::declval<const Accessor&>()(std::declval<const Type&>()))>;

/// The name's own copy: hana::string keeps its characters in an object of internal linkage, which nothing inline may refer to.
template <class Name>
struct hana_name;
template <char... Chars>
struct hana_name<boost::hana::string<Chars...>> {
    static constexpr char text[] = {Chars..., '\0'};
    static constexpr std::string_view view{text, sizeof...(Chars)};
};

template <class Type, class Accessors>
struct hana_members;
template <class Type, template <class...> class Tuple, class... Names, class... Accessors>
struct hana_members<Type, Tuple<boost::hana::pair<Names, Accessors>...>> {
    using parts = type_list<accessed_t<Accessors, Type>...>;
    static constexpr std::array<std::string_view, sizeof...(Names)> names{hana_name<Names>::view...};

    template <class Pytrees>
    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(sizeof...(Names));
        (children.push_back(codec<accessed_t<Accessors, Type>, Pytrees>::write(Accessors{}(value), leaves)), ...);
        return dict_of_members(names, std::move(children));
    }
    template <class Pytrees>
    static void read(Type& value, const Reader& reader) {
        const auto children = reader.members(names);
        [[maybe_unused]] auto child = children.begin();
        (static_cast<void>(Accessors{}(value) = codec<accessed_t<Accessors, Type>, Pytrees>::read(*child++)), ...);
    }
};

template <class Type, class Pytrees>
    requires(boost::hana::Struct<Type>::value && !described<Type, Pytrees>)
struct codec<Type, Pytrees> {
    using all = hana_members<Type, std::remove_cvref_t<decltype(boost::hana::accessors<Type>())>>;
    using parts = typename all::parts;
    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        return all::template write<Pytrees>(value, leaves);
    }
    static Type read(const Reader& reader) {
        if constexpr (require_default<Type>::ok) {
            Type made{};
            all::template read<Pytrees>(made, reader);
            return made;
        } else {
            reader.fail("a type that can be made");
        }
    }
};

// ── Described by members: a dict, or a node of the Python type `name` ──

template <class Description>
struct context_members {
    using type = members<>;
};
template <class Description>
    requires requires { typename Description::context; }
struct context_members<Description> {
    using type = typename Description::context;
};

[[nodiscard]] inline std::string context_path(const Reader& reader, std::string_view name) {
    std::string path = reader.path();
    if (!path.empty()) path += '.';
    return path.append("(context).").append(name);
}

template <class Type, class Pytrees, class Description, class Leaves, class Constants>
struct member_codec;
template <class Type, class Pytrees, class Description, auto... Leaves, auto... Constants>
struct member_codec<Type, Pytrees, Description, members<Leaves...>, members<Constants...>> {
    using parts = type_list<member_type_t<Leaves>..., member_type_t<Constants>...>;
    static constexpr std::array<std::string_view, sizeof...(Leaves)> names{member_name<Leaves>()...};

    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        static_assert(
            named<Description> || sizeof...(Constants) == 0,
            "ferry: a tree node with a `context` needs a `name`, the Python type in whose node the context is kept");
        static_assert((!std::same_as<member_type_t<Constants>, at::Tensor> && ...),
                      "ferry: a tensor cannot be in a tree node's `context`; list the member in `leaves`");
        std::vector<TreeSpec> children;
        children.reserve(sizeof...(Leaves));
        (children.push_back(codec<member_type_t<Leaves>, Pytrees>::write(value.*Leaves, leaves)), ...);
        if constexpr (!named<Description>) {
            return dict_of_members(names, std::move(children));
        } else {
            Context context;
            if constexpr (sizeof...(Constants) > 0)
                context = Context::dict({std::string(member_name<Constants>())...}, {constant<Constants>(value)...});
            return TreeSpec::opaque(std::string(Description::name), std::move(context), std::move(children),
                                    {names.begin(), names.end()});
        }
    }

    static Type read(const Reader& reader) {
        if constexpr (require_default<Type>::ok) {
            Type made{};
            const auto children = [&] {
                if constexpr (named<Description>)
                    return reader.opaque(Description::name, sizeof...(Leaves));
                else
                    return reader.members(names);
            }();
            [[maybe_unused]] auto child = children.begin();
            (static_cast<void>(made.*Leaves = codec<member_type_t<Leaves>, Pytrees>::read(*child++)), ...);
            (read_constant<Constants>(made, reader), ...);
            return made;
        } else {
            reader.fail("a type that can be made");
        }
    }

private:
    template <auto Constant>
    static Context constant(const Type& value) {
        std::vector<Leaf> leaves;
        const TreeSpec spec = codec<member_type_t<Constant>, Pytrees>::write(value.*Constant, leaves);
        return context_of(spec, leaves);
    }
    template <auto Constant>
    static void read_constant(Type& value, const Reader& reader) {
        const Context* found = reader.spec().context().find(member_name<Constant>());
        if (found == nullptr)
            reader.fail("a context with '" + std::string(member_name<Constant>()) + "'",
                        "the context " + python_repr(reader.spec().context()));
        const Tree tree = tree_of(*found);
        value.*Constant =
            codec<member_type_t<Constant>, Pytrees>::read(Reader(tree, context_path(reader, member_name<Constant>())));
    }
};

template <class Type, class Pytrees>
    requires described_by_members<description_t<Type, Pytrees>>
struct codec<Type, Pytrees>
    : member_codec<Type, Pytrees, description_t<Type, Pytrees>, typename description_t<Type, Pytrees>::leaves,
                   typename context_members<description_t<Type, Pytrees>>::type> {};

// ── Described by functions: whatever they give, or a node of the Python type `name` with the same children ──

template <class Given>
struct given_parts {
    using type = Given;
    static constexpr bool has_context = false;
};
template <class Parts>
struct given_parts<std::pair<Parts, Context>> {
    using type = Parts;
    static constexpr bool has_context = true;
};

[[nodiscard]] inline TreeSpec named_node(std::string name, Context context, const TreeSpec& parts) {
    if (parts.is_leaf())
        throw Error(ErrorKind::invalid_input,
                    "`flatten` of the tree node " + name + " gave a leaf; it has to give a container of its children");
    TreeSpec made = TreeSpec::opaque(std::move(name), std::move(context), parts.children(), parts.child_names());
    for (std::size_t i = parts.choices().size(); i > 0; --i) made = made.with_choice(parts.choices()[i - 1]);
    return made;
}

template <class Type, class Pytrees>
    requires described_by_functions<description_t<Type, Pytrees>>
struct codec<Type, Pytrees> {
    using node = description_t<Type, Pytrees>;
    using given = given_parts<std::remove_cvref_t<decltype(node::flatten(std::declval<const Type&>()))>>;
    using inner = typename given::type;
    using parts = type_list<inner>;
    static constexpr bool may_be_none = !named<node> && detail::may_be_none<inner, Pytrees>;

    static TreeSpec write(const Type& value, std::vector<Leaf>& leaves) {
        static_assert(
            named<node> || !given::has_context,
            "ferry: a tree node with a context needs a `name`, the Python type in whose node the context is kept");
        const auto flat = node::flatten(value);
        Context context;
        TreeSpec spec;
        if constexpr (given::has_context) {
            spec = codec<inner, Pytrees>::write(flat.first, leaves);
            context = flat.second;
        } else {
            spec = codec<inner, Pytrees>::write(flat, leaves);
        }
        if constexpr (named<node>) spec = named_node(std::string(node::name), std::move(context), spec);
        return spec;
    }

    static Type read(const Reader& reader) {
        if constexpr (!named<node>) {
            return node::unflatten(codec<inner, Pytrees>::read(reader));
        } else {
            const Reader opened = reader.open(node::name);
            if constexpr (given::has_context)
                return node::unflatten(codec<inner, Pytrees>::read(opened), reader.spec().context());
            else
                return node::unflatten(codec<inner, Pytrees>::read(opened));
        }
    }
};

}  // namespace ferry::tree::detail

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::tree::detail {

/// Empty is a None leaf, anything else is the value itself: Python's pytrees have no node for "optional".
template <class Type, class Pytrees>
    requires(!described<std::optional<Type>, Pytrees> && !may_be_none<Type, Pytrees>)
struct codec<std::optional<Type>, Pytrees> {
    using parts = type_list<Type>;
    static constexpr bool may_be_none = true;
    static TreeSpec write(const std::optional<Type>& value, std::vector<Leaf>& leaves) {
        if (value) return codec<Type, Pytrees>::write(*value, leaves);
        leaves.emplace_back();
        return {};
    }
    static std::optional<Type> read(const Reader& reader) {
        if (reader.is_none()) return std::nullopt;
        return codec<Type, Pytrees>::read(reader);
    }
};

template <class Type, class Allocator, class Pytrees>
    requires(!described<std::vector<Type, Allocator>, Pytrees>)
struct codec<std::vector<Type, Allocator>, Pytrees> {
    using parts = type_list<Type>;
    static TreeSpec write(const std::vector<Type, Allocator>& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(value.size());
        for (const auto& item : value) children.push_back(codec<Type, Pytrees>::write(item, leaves));
        return TreeSpec::list(std::move(children));
    }
    static std::vector<Type, Allocator> read(const Reader& reader) {
        std::vector<Type, Allocator> made;
        const auto children = reader.sequence(TreeSpec::Kind::list);
        made.reserve(children.size());
        for (const Reader& child : children) made.push_back(codec<Type, Pytrees>::read(child));
        return made;
    }
};

/// What has a length that the type fixes is a tuple, as it is in Python.
template <class Whole, class Pytrees, class... Types>
struct fixed_codec {
    using parts = type_list<Types...>;
    static TreeSpec write(const Whole& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(sizeof...(Types));
        std::apply(
            [&](const auto&... items) { (children.push_back(codec<Types, Pytrees>::write(items, leaves)), ...); },
            value);
        return TreeSpec::tuple(std::move(children));
    }
    static Whole read(const Reader& reader) {
        const auto children = reader.sequence(TreeSpec::Kind::tuple, sizeof...(Types));
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return Whole{codec<Types, Pytrees>::read(children[Index])...};
        }(std::index_sequence_for<Types...>{});
    }
};

template <class... Types, class Pytrees>
    requires(!described<std::tuple<Types...>, Pytrees>)
struct codec<std::tuple<Types...>, Pytrees> : fixed_codec<std::tuple<Types...>, Pytrees, Types...> {};

template <class First, class Second, class Pytrees>
    requires(!described<std::pair<First, Second>, Pytrees>)
struct codec<std::pair<First, Second>, Pytrees> : fixed_codec<std::pair<First, Second>, Pytrees, First, Second> {};

/// A tuple and not a list, though all items are alike: its length belongs to the type, so a longer one must not fit.
template <class Type, std::size_t Size, class Pytrees>
    requires(!described<std::array<Type, Size>, Pytrees>)
struct codec<std::array<Type, Size>, Pytrees> {
    using parts = type_list<Type>;
    static TreeSpec write(const std::array<Type, Size>& value, std::vector<Leaf>& leaves) {
        std::vector<TreeSpec> children;
        children.reserve(Size);
        for (const Type& item : value) children.push_back(codec<Type, Pytrees>::write(item, leaves));
        return TreeSpec::tuple(std::move(children));
    }
    static std::array<Type, Size> read(const Reader& reader) {
        const auto children = reader.sequence(TreeSpec::Kind::tuple, Size);
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return std::array<Type, Size>{codec<Type, Pytrees>::read(children[Index])...};
        }(std::make_index_sequence<Size>{});
    }
};

template <class Key>
concept map_key = std::same_as<Key, std::string> || integer<Key>;

/// Constants of a registered type pass through JSON, whose keys are always strings: hence digits count as an integer.
template <map_key Key>
[[nodiscard]] Key read_key(const Reader& reader, const Context& key) {
    if constexpr (std::same_as<Key, std::string>) {
        if (key.is_text()) return key.text();
        reader.fail("a dict whose keys are strings");
    } else {
        Key made{};
        const char* const end = key.text().data() + key.text().size();
        const bool digits = key.kind() == Context::Kind::integer || (key.is_text() && !key.text().empty());
        if (digits && std::from_chars(key.text().data(), end, made) == std::from_chars_result{end, std::errc{}})
            return made;
        reader.fail("a dict whose keys are integers that fit the map's key type");
    }
}

/// Both kinds of map are dicts. An unordered one is sorted by key, so that equal maps have equal trees.
template <class Map, class Pytrees, bool Sorted>
struct map_codec {
    using key = typename Map::key_type;
    using value_codec = codec<typename Map::mapped_type, Pytrees>;
    using parts = type_list<typename Map::mapped_type>;

    static TreeSpec write(const Map& value, std::vector<Leaf>& leaves) {
        std::vector<const typename Map::value_type*> items;
        items.reserve(value.size());
        for (const auto& item : value) items.push_back(&item);
        if constexpr (!Sorted)
            std::sort(items.begin(), items.end(), [](auto* a, auto* b) { return a->first < b->first; });
        std::vector<Context> keys;
        std::vector<TreeSpec> children;
        for (const auto* item : items) {
            keys.emplace_back(item->first);
            children.push_back(value_codec::write(item->second, leaves));
        }
        return TreeSpec::dict(std::move(keys), std::move(children));
    }
    static Map read(const Reader& reader) {
        Map made;
        const auto children = reader.mapping();
        const auto keys = reader.keys();
        for (std::size_t i = 0; i < children.size(); ++i)
            if (!made.emplace(read_key<key>(reader, keys[i]), value_codec::read(children[i])).second)
                reader.fail("a dict without repeated keys");
        return made;
    }
};

template <map_key Key, class Type, class... Rest, class Pytrees>
    requires(!described<std::map<Key, Type, Rest...>, Pytrees>)
struct codec<std::map<Key, Type, Rest...>, Pytrees> : map_codec<std::map<Key, Type, Rest...>, Pytrees, true> {};

template <map_key Key, class Type, class... Rest, class Pytrees>
    requires(!described<std::unordered_map<Key, Type, Rest...>, Pytrees>)
struct codec<std::unordered_map<Key, Type, Rest...>, Pytrees>
    : map_codec<std::unordered_map<Key, Type, Rest...>, Pytrees, false> {};

/// The held alternative stands for itself; the spec remembers which one it was for as long as it stays in the process.
template <class... Types, class Pytrees>
    requires(!described<std::variant<Types...>, Pytrees>)
struct codec<std::variant<Types...>, Pytrees> {
    using variant = std::variant<Types...>;
    using parts = type_list<Types...>;
    static constexpr bool may_be_none = (detail::may_be_none<Types, Pytrees> || ...);

    static TreeSpec write(const variant& value, std::vector<Leaf>& leaves) {
        if (value.valueless_by_exception()) throw Error(ErrorKind::invalid_input, "a std::variant without a value");
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            TreeSpec spec;
            static_cast<void>(((value.index() == Index &&
                                (spec = codec<Types, Pytrees>::write(*std::get_if<Index>(&value), leaves), true)) ||
                               ...));
            return spec.with_choice(static_cast<std::uint32_t>(value.index()));
        }(std::index_sequence_for<Types...>{});
    }

    static variant read(const Reader& reader) {
        const Reader inside = reader.after_choice();
        std::string why;
        if (const auto* choice = reader.choice(); choice != nullptr && *choice < sizeof...(Types))
            if (auto made = attempt(inside, *choice, why)) return std::move(*made);
        for (const bool strict : {true, false})
            for (std::size_t index = 0; index < sizeof...(Types) && (strict || !reader.strict()); ++index)
                if (auto made = attempt(inside.as_strict(strict), index, why)) return std::move(*made);
        reader.fail("one of the alternatives of a std::variant", "none that fits", why);
    }

private:
    template <std::size_t Index>
    static variant one(const Reader& reader) {
        return variant(std::in_place_index<Index>,
                       codec<std::variant_alternative_t<Index, variant>, Pytrees>::read(reader));
    }
    static std::optional<variant> attempt(const Reader& reader, std::size_t index, std::string& why) {
        static constexpr auto readers = []<std::size_t... Index>(std::index_sequence<Index...>) {
            return std::array{&one<Index>...};
        }(std::index_sequence_for<Types...>{});
        try {
            return readers[index](reader);
        } catch (const Error& error) {
            if (why.empty())
                why = "alternative " + std::to_string(index) + " at " + error.where().path + ": " + error.message();
            return std::nullopt;
        }
    }
};

}  // namespace ferry::tree::detail

#include <optional>
#include <type_traits>

namespace ferry::tree::detail {

struct no_fault {};  // not void, which is a type that somebody may ask about

/// Keeps the first type that is at fault.
template <class Found>
struct fault {
    using type = Found;
    template <class Next>
    friend constexpr auto operator|(fault, fault<Next>) {
        if constexpr (std::is_same_v<Found, no_fault>)
            return fault<Next>{};
        else
            return fault{};
    }
};

template <class Type, class Pytrees, class... Seen>
constexpr auto find_fault();

template <class Pytrees, class... Seen, class... Parts>
constexpr auto find_fault_in(type_list<Parts...>, type_list<Seen...>) {
    return (fault<no_fault>{} | ... | decltype(find_fault<Parts, Pytrees, Seen...>()){});
}

/// `Seen` are the types that this one is part of: a struct may hold a vector of itself.
template <class Type, class Pytrees, class... Seen>
constexpr auto find_fault() {
    if constexpr ((std::is_same_v<Type, Seen> || ...))
        return fault<no_fault>{};
    else if constexpr (!has_codec<Type, Pytrees>)
        return fault<Type>{};
    else
        return find_fault_in<Pytrees>(typename codec<Type, Pytrees>::parts{}, type_list<Type, Seen...>{});
}

/// The innermost type for which nobody said how it is a tree, or no_fault.
template <class Type, class Pytrees>
using fault_t = typename decltype(find_fault<Type, Pytrees>())::type;

template <class Type>
inline constexpr bool is_optional = false;
template <class Type>
inline constexpr bool is_optional<std::optional<Type>> = true;

/// Instantiated to be printed: both compilers name `Type` in their first lines.
template <class Type>
struct cannot_flatten {
    static constexpr bool nested_optional = is_optional<Type>;
    static_assert(
        !nested_optional,
        "ferry: an optional of something that can itself be None cannot be flattened: in a tree both are one None leaf");
    static_assert(
        nested_optional,
        "ferry: this type cannot be flattened; register it in one of three ways: describe its members with "
        "BOOST_HANA_DEFINE_STRUCT, specialise ferry::tree_node<T> for it, or pass an entry for it in pytrees<...>");
};

/// For the branch of a function whose type is not flattenable: its only content, so that nothing cascades.
template <class Type, class Pytrees>
struct explain : cannot_flatten<fault_t<Type, Pytrees>> {};
template <class Type, class Pytrees>
    requires(!valid_pytrees<Pytrees>)
struct explain<Type, Pytrees> : explain_pytrees<Pytrees> {};

template <class Type, class Pytrees>
concept can_flatten = valid_pytrees<Pytrees> && std::is_same_v<fault_t<Type, Pytrees>, no_fault>;

}  // namespace ferry::tree::detail

#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {

/// A type whose values are trees: tensors, numbers, bool, strings; optional, vector, array, pair, tuple, map, unordered_map
/// and variant of such; structs described with Boost.Hana; types with a tree_node or with an entry in `Pytrees`.
template <class Type, class Pytrees = pytrees<>>
concept flattenable = tree::detail::can_flatten<std::remove_cvref_t<Type>, Pytrees>;

namespace tree {

/// Structure and leaves of a value; with `tree::flatten<pytrees<kv_cache_node>>(x)` also of types registered by entries.
/// Spell it with its namespace: for a tensor, a bare `flatten(x)` finds at::flatten.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Tree flatten(const Type& value) {
    if constexpr (detail::can_flatten<Type, Pytrees>) {
        std::vector<Leaf> leaves;
        TreeSpec spec = detail::codec<Type, Pytrees>::write(value, leaves);
        return {std::move(spec), std::move(leaves)};
    } else {
        static_cast<void>(detail::explain<Type, Pytrees>{});
        return {};
    }
}

}  // namespace tree
}  // namespace ferry

#include <utility>
#include <vector>

namespace ferry::tree {

/// The value of a C++ type that a tree holds. What does not fit is an Error that names the path, what was expected there and
/// what was found.
template <class Type, class Pytrees = pytrees<>>
[[nodiscard]] Type unflatten(const Tree& tree) {
    if constexpr (detail::can_flatten<Type, Pytrees>) {
        return detail::codec<Type, Pytrees>::read(Reader(tree));
    } else {
        static_cast<void>(detail::explain<Type, Pytrees>{});
        Reader(tree).fail("a type that can be flattened");
    }
}

template <class Type, class Pytrees = pytrees<>>
[[nodiscard]] Type unflatten(TreeSpec spec, std::vector<Leaf> leaves) {
    return unflatten<Type, Pytrees>(Tree(std::move(spec), std::move(leaves)));
}

}  // namespace ferry::tree

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry {

/// A model's inputs: named trees in order. As a tree it is a dict, as keyword arguments are in Python.
class Inputs {
public:
    using Item = std::pair<std::string, Tree>;

    Inputs() = default;
    explicit Inputs(std::vector<Item> items);

    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return items_.begin(); }
    [[nodiscard]] auto end() const noexcept { return items_.end(); }

    [[nodiscard]] const Tree* find(std::string_view name) const noexcept;
    /// The input of that name, or what is at a dotted path ("past_key_values.0.keys").
    [[nodiscard]] Tree at(std::string_view path) const;
    [[nodiscard]] bool contains(std::string_view path) const;
    /// The same, as a C++ value: `get<at::Tensor>("input_ids")`.
    template <class Type, class Pytrees = pytrees<>>
    [[nodiscard]] Type get(std::string_view path) const {
        return tree::unflatten<Type, Pytrees>(at(path));
    }

    /// Exchanges the input of that name in its place, or adds it at the end.
    template <class Pytrees = pytrees<>, class Type>
    void set(std::string_view name, const Type& value);
    /// Removes an input; false when there was none.
    bool erase(std::string_view name);

    [[nodiscard]] Tree tree() const;
    [[nodiscard]] TreeSpec spec() const { return tree().spec; }
    [[nodiscard]] bool same_structure(const Inputs& other) const { return spec() == other.spec(); }
    friend bool operator==(const Inputs&, const Inputs&) = default;

private:
    std::vector<Item> items_;
};

namespace tree {
namespace detail {

/// String literals too, which are no C++ value that could be made again.
template <class Pytrees, class Type>
[[nodiscard]] Tree to_tree(const Type& value) {
    if constexpr (!has_codec<Type, Pytrees> && std::convertible_to<const Type&, std::string_view>)
        return Leaf(std::string_view(value));
    else
        return tree::flatten<Pytrees>(value);
}

template <class Arguments>
inline constexpr bool names_and_values = false;
template <class... Arguments>
inline constexpr bool names_and_values<std::tuple<Arguments...>> = [] {
    std::size_t position = 0;
    return sizeof...(Arguments) % 2 == 0 &&
           ((position++ % 2 == 1 || std::convertible_to<Arguments, std::string_view>) && ...);
}();

template <class... Arguments>
struct require_names_and_values {
    static_assert(
        names_and_values<std::tuple<const Arguments&...>>,
        "ferry: inputs are given as name, value, name, value, ...: ferry::inputs(\"input_ids\", ids, \"mask\", mask)");
};

template <class Pytrees, class... Arguments>
[[nodiscard]] std::vector<Inputs::Item> named_trees(const Arguments&... arguments) {
    std::vector<Inputs::Item> items;
    if constexpr (names_and_values<std::tuple<const Arguments&...>>) {
        items.reserve(sizeof...(Arguments) / 2);
        const std::tuple<const Arguments&...> all(arguments...);
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            (items.emplace_back(std::string(std::string_view(std::get<2 * Index>(all))),
                                to_tree<Pytrees>(std::get<2 * Index + 1>(all))),
             ...);
        }(std::make_index_sequence<sizeof...(Arguments) / 2>{});
    } else {
        static_cast<void>(require_names_and_values<Arguments...>{});
    }
    return items;
}

[[nodiscard]] inline Tree dict_tree(const std::vector<Inputs::Item>& items) {
    std::vector<Context> keys;
    std::vector<Tree> values;
    for (const auto& [name, value] : items) {
        keys.emplace_back(name);
        values.push_back(value);
    }
    return Tree::dict(std::move(keys), std::move(values));
}

template <class Pytrees>
struct codec<Inputs, Pytrees> {
    using parts = type_list<>;
    static TreeSpec write(const Inputs& value, std::vector<Leaf>& leaves) {
        return codec<Tree, Pytrees>::write(value.tree(), leaves);
    }
    static Inputs read(const Reader& reader) {
        std::vector<Inputs::Item> items;
        const auto children = reader.mapping();
        const auto keys = reader.keys();
        items.reserve(children.size());
        for (std::size_t i = 0; i < children.size(); ++i)
            items.emplace_back(read_key<std::string>(reader, keys[i]), children[i].tree());
        return Inputs(std::move(items));
    }
};

}  // namespace detail

/// Trees made on the spot, where no C++ type fits: `list_of(ids, tuple_of(1, 2.5), dict_of("a", x))`.
template <class Pytrees = pytrees<>, class... Values>
[[nodiscard]] Tree list_of(const Values&... values) {
    return Tree::list({detail::to_tree<Pytrees>(values)...});
}
template <class Pytrees = pytrees<>, class... Values>
[[nodiscard]] Tree tuple_of(const Values&... values) {
    return Tree::tuple({detail::to_tree<Pytrees>(values)...});
}
template <class Pytrees = pytrees<>, class... Arguments>
[[nodiscard]] Tree dict_of(const Arguments&... names_and_values) {
    return Inputs(detail::named_trees<Pytrees>(names_and_values...)).tree();
}

}  // namespace tree

/// `inputs("input_ids", ids, "attention_mask", mask)`; a value is anything flattenable, a Tree made at run time too.
template <class Pytrees = pytrees<>, class... Arguments>
[[nodiscard]] Inputs inputs(const Arguments&... names_and_values) {
    return Inputs(tree::detail::named_trees<Pytrees>(names_and_values...));
}

inline Inputs::Inputs(std::vector<Item> items) : items_(std::move(items)) {
    for (const auto& [name, value] : items_)
        if (find(name) != &value)
            throw Error(ErrorKind::invalid_input, "the input '" + name + "' is given twice", {.where = {.path = name}});
}

inline const Tree* Inputs::find(std::string_view name) const noexcept {
    for (const Item& item : items_)
        if (item.first == name) return &item.second;
    return nullptr;
}

inline Tree Inputs::tree() const { return tree::detail::dict_tree(items_); }
inline Tree Inputs::at(std::string_view path) const {
    if (const Tree* direct = find(path)) return *direct;
    return tree().at(path);
}
inline bool Inputs::contains(std::string_view path) const { return find(path) != nullptr || tree().contains(path); }

template <class Pytrees, class Type>
void Inputs::set(std::string_view name, const Type& value) {
    Tree made = tree::detail::to_tree<Pytrees>(value);
    if (const Tree* old = find(name))
        *const_cast<Tree*>(old) = std::move(made);
    else
        items_.emplace_back(std::string(name), std::move(made));
}

inline bool Inputs::erase(std::string_view name) {
    return std::erase_if(items_, [&](const Item& item) { return item.first == name; }) != 0;
}

}  // namespace ferry

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// Tensors by dotted path, in the order of the tree's leaves.
class LeafTensors {
public:
    using Item = std::pair<std::string, at::Tensor>;

    LeafTensors() = default;
    explicit LeafTensors(const Tree& tree);

    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return items_.begin(); }
    [[nodiscard]] auto end() const noexcept { return items_.end(); }
    [[nodiscard]] bool contains(std::string_view path) const { return index_.contains(path); }
    [[nodiscard]] const at::Tensor& at(std::string_view path) const;

    /// The paths at which one and the same tensor sits (the same TensorImpl; a view or an alias of its storage is another
    /// tensor), for each tensor that is there more than once, in order.
    [[nodiscard]] std::vector<std::vector<std::string>> shared() const;

private:
    std::vector<Item> items_;
    std::map<std::string, std::size_t, std::less<>> index_;
};

struct CastOptions {
    std::optional<c10::ScalarType> dtype{};  ///< for floating-point tensors only: indices and masks keep theirs
    std::optional<c10::Device> device{};     ///< for every tensor: a model's inputs live together
};

inline LeafTensors::LeafTensors(const Tree& tree) {
    const auto paths = tree.spec.leaf_paths();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!tree.leaves[i].is_tensor() || !tree.leaves[i].tensor().defined()) continue;
        // A tensor that is not in anything is a model's only output.
        const std::string& path = tree.is_leaf() ? "output" : paths[i];
        if (!index_.emplace(path, items_.size()).second)
            throw Error(ErrorKind::invalid_input, "two tensors have the same path",
                        {.hint = "a key with a dot in it reads like a nested one; rename it", .where = {.path = path}});
        items_.emplace_back(path, tree.leaves[i].tensor());
    }
}

inline const at::Tensor& LeafTensors::at(std::string_view path) const {
    const auto found = index_.find(path);
    if (found != index_.end()) return items_[found->second].second;
    std::string known;
    for (const Item& item : items_) known.append(known.empty() ? "" : ", ").append(item.first);
    throw Error(ErrorKind::invalid_input, "there is no tensor at '" + std::string(path) + "'",
                {.hint = "there are: " + known, .where = {.path = std::string(path)}});
}

inline std::vector<std::vector<std::string>> LeafTensors::shared() const {
    std::map<const void*, std::size_t> first;  // the group of each tensor
    std::vector<std::vector<std::string>> groups;
    for (const auto& [path, tensor] : items_) {
        const auto group = first.emplace(tensor.unsafeGetTensorImpl(), groups.size()).first->second;
        if (group == groups.size()) groups.emplace_back();
        groups[group].push_back(path);
    }
    std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
    return groups;
}

namespace tree::detail {

/// One tensor that sits at several paths is cast once, so that it is still one tensor afterwards.
inline void cast(Tree& tree, const CastOptions& options) {
    std::map<const void*, at::Tensor> done;
    for (Leaf& leaf : tree.leaves) {
        if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
        const at::Tensor tensor = leaf.tensor();
        at::Tensor& made = done[tensor.unsafeGetTensorImpl()];
        if (!made.defined())
            made = tensor.to(options.dtype && tensor.is_floating_point() ? *options.dtype : tensor.scalar_type(),
                             std::nullopt, options.device ? *options.device : tensor.device(), std::nullopt, false,
                             false, std::nullopt);
        leaf = made;
    }
}

inline void clone_repeated(Tree& tree) {
    std::set<const void*> seen;
    for (Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined() && !seen.insert(leaf.tensor().unsafeGetTensorImpl()).second)
            leaf = leaf.tensor().clone();
}

}  // namespace tree::detail

/// All tensors of a value by path; undefined ones are left out.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] LeafTensors get_leaf_tensors(const Type& value) {
    return LeafTensors(tree::flatten<Pytrees>(value));
}

/// The value with its tensors cast; everything else as it was.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type cast_leaf_tensors(const Type& value, const CastOptions& options) {
    Tree tree = tree::flatten<Pytrees>(value);
    tree::detail::cast(tree, options);
    return tree::unflatten<Type, Pytrees>(tree);
}
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type cast_leaf_tensors(const Type& value, c10::ScalarType dtype, std::optional<c10::Device> device = {}) {
    return cast_leaf_tensors<Pytrees>(value, CastOptions{.dtype = dtype, .device = device});
}

/// The value with each further appearance of the same tensor cloned: formats that merge equal outputs lose a name otherwise.
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type duplicate_leaf_tensors(const Type& value) {
    Tree tree = tree::flatten<Pytrees>(value);
    tree::detail::clone_repeated(tree);
    return tree::unflatten<Type, Pytrees>(tree);
}

}  // namespace ferry

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {

/// JSON nested deeper than this is refused, so that no input can exhaust the stack.
inline constexpr std::size_t max_json_depth = 600;

namespace detail {

inline void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const char32_t code = next_code_point(text, at);
        if (code == bad_code_point)
            throw Error(ErrorKind::invalid_input, "a key or constant of a tree is not UTF-8: " + python_string(text));
        constexpr std::string_view plain = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
        const auto known = code < 0x80 ? plain.find(static_cast<char>(code)) : plain.npos;
        if (known != plain.npos) {
            (out += '\\') += letters[known];
        } else if (code >= ' ' && code <= '~') {
            out += static_cast<char>(code);
        } else if (code < 0x10000) {
            append_hex(out, "\\u", code, 4);
        } else {
            append_hex(out, "\\u", 0xD800 + ((code - 0x10000) >> 10), 4);
            append_hex(out, "\\u", 0xDC00 + ((code - 0x10000) & 0x3FF), 4);
        }
    }
    out += '"';
}

inline void append_json(std::string& out, const Context& value) {
    switch (value.kind()) {
        case Context::Kind::none: out += "null"; return;
        case Context::Kind::boolean: out += value.text() == "True" ? "true" : "false"; return;
        case Context::Kind::integer: out += value.text(); return;
        case Context::Kind::real:
            out += value.text() == "nan"    ? "NaN"
                   : value.text() == "inf"  ? "Infinity"
                   : value.text() == "-inf" ? "-Infinity"
                                            : value.text();
            return;
        case Context::Kind::text: append_json_string(out, value.text()); return;
        case Context::Kind::list:
        case Context::Kind::dict: break;
    }
    out += value.is_list() ? '[' : '{';
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        if (i != 0) out += ", ";
        if (value.is_dict()) {
            append_json_string(out, value.keys()[i]);
            out += ": ";
        }
        append_json(out, value.items()[i]);
    }
    out += value.is_list() ? ']' : '}';
}

/// Accepts what Python's json.loads accepts, NaN and Infinity too; numbers past a double's range are refused.
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    [[nodiscard]] Context document() {
        Context made = value(0);
        if (skip_space(); at_ != text_.size()) fail("something follows the end of the value");
        return made;
    }

private:
    [[noreturn]] void fail(const char* what) const {
        throw Error(ErrorKind::bad_file,
                    std::string("this is not JSON: ") + what + " (at byte " + std::to_string(at_) + ')');
    }
    [[nodiscard]] char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() noexcept {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
    }
    [[nodiscard]] bool take(std::string_view word) noexcept {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    [[nodiscard]] Context value(std::size_t depth) {
        if (depth > max_json_depth) fail("it is nested too deeply");
        skip_space();
        switch (peek()) {
            case '{': return dict(depth);
            case '[': return list(depth);
            case '"': return string();
            default: break;
        }
        if (take("null")) return {};
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
        if (take("Infinity")) return std::numeric_limits<double>::infinity();
        if (take("-Infinity")) return -std::numeric_limits<double>::infinity();
        return number();
    }

    [[nodiscard]] Context list(std::size_t depth) {
        std::vector<Context> items;
        ++at_;
        if (skip_space(); take("]")) return Context::list({});
        for (;; ++at_) {
            items.push_back(value(depth + 1));
            if (skip_space(); take("]")) return Context::list(std::move(items));
            if (peek() != ',') fail("a list goes on with ',' or ends with ']'");
        }
    }

    [[nodiscard]] Context dict(std::size_t depth) {
        std::vector<std::string> keys;
        std::vector<Context> values;
        std::map<std::string, std::size_t, std::less<>> seen;  // a repeated key takes the last value, as in Python
        ++at_;
        if (skip_space(); take("}")) return Context::dict({}, {});
        for (;; ++at_) {
            if (skip_space(); peek() != '"') fail("a key is a string");
            std::string key = string();
            if (skip_space(); !take(":")) fail("a key is followed by ':'");
            Context item = value(depth + 1);
            if (const auto [old, fresh] = seen.emplace(key, keys.size()); fresh) {
                keys.push_back(std::move(key));
                values.push_back(std::move(item));
            } else {
                values[old->second] = std::move(item);
            }
            if (skip_space(); take("}")) return Context::dict(std::move(keys), std::move(values));
            if (peek() != ',') fail("an object goes on with ',' or ends with '}'");
        }
    }

    [[nodiscard]] char32_t hex4() {
        char32_t code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = peek();
            if (c >= '0' && c <= '9')
                code = code * 16 + static_cast<char32_t>(c - '0');
            else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
                code = code * 16 + static_cast<char32_t>((c | 0x20) - 'a' + 10);
            else
                fail("\\u needs four hexadecimal digits");
        }
        return code;
    }

    [[nodiscard]] std::string string() {
        std::string out;
        for (++at_;;) {
            if (at_ >= text_.size()) fail("a string has no end");
            const char c = text_[at_];
            if (c == '"') return ++at_, out;
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
            if (c != '\\') {
                const std::size_t start = at_;
                if (next_code_point(text_, at_) == bad_code_point) fail("a string that is not UTF-8");
                out += text_.substr(start, at_ - start);
                continue;
            }
            ++at_;
            constexpr std::string_view letters = "\"\\/bfnrt", plain = "\"\\/\b\f\n\r\t";
            if (const auto known = letters.find(peek()); peek() != '\0' && known != letters.npos) {
                out += plain[known];
                ++at_;
            } else if (take("u")) {
                char32_t code = hex4();
                if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
                    const std::size_t second = at_;
                    at_ += 2;
                    if (const char32_t low = hex4(); low >= 0xDC00 && low < 0xE000)
                        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                    else
                        at_ = second;
                }
                append_utf8(out, code);
            } else {
                fail("an unknown escape in a string");
            }
        }
    }

    void digits() {
        if (peek() < '0' || peek() > '9') fail("a value is missing or misspelt");
        while (peek() >= '0' && peek() <= '9') ++at_;
    }

    [[nodiscard]] Context number() {
        const std::size_t start = at_;
        if (peek() == '-') ++at_;
        const std::size_t first = at_;
        digits();
        if (text_[first] == '0' && at_ - first > 1) fail("a number with a leading zero");
        if (peek() != '.' && peek() != 'e' && peek() != 'E') {
            if (at_ - first > 4300) fail("a number of more than 4300 digits");
            return Context::integer(std::string(text_.substr(start, at_ - start)));
        }
        if (take(".")) digits();
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            digits();
        }
        double parsed = 0;
        if (std::from_chars(text_.data() + start, text_.data() + at_, parsed).ec != std::errc{})
            fail("a number out of range");
        return parsed;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace detail

/// The text that Python's json.dumps writes.
[[nodiscard]] inline std::string to_json(const Context& value) {
    std::string out;
    detail::append_json(out, value);
    return out;
}

/// Throws ErrorKind::bad_file for what is not JSON.
[[nodiscard]] inline Context from_json(std::string_view text) { return detail::JsonReader(text).document(); }

}  // namespace ferry::tree

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {
namespace detail {

inline void append_spec(std::string& out, const TreeSpec& spec) {
    out += "{\"type\": ";
    if (spec.is_leaf())
        out += "null";
    else
        append_json_string(out, spec.type());
    out += ", \"context\": ";
    // Three of Python's types have their own form of context; everything else is JSON inside a JSON string.
    if (spec.is_leaf() || spec.has_verbatim_context() || spec.kind() == TreeSpec::Kind::named_tuple ||
        spec.kind() == TreeSpec::Kind::default_dict)
        append_json(out, spec.context());
    else
        append_json_string(out, to_json(spec.context()));
    out += ", \"children_spec\": [";
    for (std::size_t i = 0; i < spec.children().size(); ++i) {
        if (i != 0) out += ", ";
        append_spec(out, spec.children()[i]);
    }
    out += "]}";
}

/// The value inside a context that is JSON in a string, if writing it again gives the same string.
[[nodiscard]] inline std::optional<Context> loaded_context(const Context& context) {
    if (!context.is_text()) return std::nullopt;
    try {
        Context loaded = from_json(context.text());
        if (to_json(loaded) == context.text()) return loaded;
        return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// A context in its class's own form is kept as it is.
[[nodiscard]] inline TreeSpec opaque_from(const std::string& type, const Context& context,
                                          std::vector<TreeSpec> children) {
    if (auto loaded = loaded_context(context)) return TreeSpec::opaque(type, std::move(*loaded), std::move(children));
    return TreeSpec::opaque(type, context, std::move(children), {}, true);
}

[[nodiscard]] inline TreeSpec spec_from(const Context& json) {
    const Context* type = json.find("type");
    const Context* context = json.find("context");
    const Context* list = json.find("children_spec");
    if (!type || !context || !list || !list->is_list() || !(type->is_text() || type->is_none()))
        throw Error(ErrorKind::bad_file, "a tree spec needs a type, a context and a list children_spec");
    std::vector<TreeSpec> children;
    children.reserve(list->items().size());
    for (const Context& child : list->items()) children.push_back(spec_from(child));
    if (type->is_none()) {
        if (!context->is_none() || !children.empty())
            throw Error(ErrorKind::bad_file, "a leaf of a tree spec has neither context nor children");
        return {};
    }
    for (std::size_t kind = 1; kind < std::size(kind_names); ++kind) {
        if (kind_names[kind].type != type->text()) continue;
        const auto which = static_cast<TreeSpec::Kind>(kind);
        if (which == TreeSpec::Kind::named_tuple || which == TreeSpec::Kind::default_dict)
            return TreeSpec::container(which, *context, std::move(children));
        if (!context->is_text())
            throw Error(ErrorKind::bad_file,
                        "the context of a " + type->text() + " in a tree spec is JSON inside a string");
        return TreeSpec::container(which, from_json(context->text()), std::move(children));
    }
    return opaque_from(type->text(), *context, std::move(children));
}

}  // namespace detail

/// The same text as torch.utils._pytree.treespec_dumps.
[[nodiscard]] inline std::string treespec_dumps(const TreeSpec& spec) {
    std::string out = "[1, ";
    detail::append_spec(out, spec);
    return out += ']';
}

/// Reads what torch.utils._pytree.treespec_dumps wrote. Classes that only Python knows stay as named containers.
[[nodiscard]] inline TreeSpec treespec_loads(std::string_view text) {
    const Context json = from_json(text);
    if (!json.is_list() || json.items().size() != 2)
        throw Error(ErrorKind::bad_file, "a tree spec is a list of protocol and spec");
    if (json.items()[0].as_integer() != 1)
        throw Error(ErrorKind::bad_file,
                    "a tree spec of protocol " + python_repr(json.items()[0]) + "; only 1 is known");
    try {
        return detail::spec_from(json.items()[1]);
    } catch (const Error& error) {  // what the factories find wrong is the file's fault here, not the caller's
        throw Error(ErrorKind::bad_file, error.message());
    }
}

}  // namespace ferry::tree

#include <c10/util/Logging.h>

#include <string_view>

namespace ferry::capture {

/// Ferry's messages in c10's log, beside libtorch's own: TORCH_CPP_LOG_LEVEL=INFO shows the informative ones too.
inline void log_to_c10(LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) {
        LOG(WARNING) << "ferry: " << message;
    } else {
        LOG(INFO) << "ferry: " << message;
    }
}

}  // namespace ferry::capture

#include <torch/headeronly/version.h>

namespace ferry::capture {

/// The libtorch that this translation unit is compiled against.
inline constexpr Version libtorch_found{TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH};

static_assert(libtorch_found >= libtorch.minimum,
              "ferry: this libtorch is older than Ferry works with; ferry/core/versions.hpp says from which version on");

/// What every export begins with: messages go to c10's log, unless the user has chosen where, and versions are checked.
inline void meet_libtorch() {
    offer_log_sink(&log_to_c10);
    check_version<libtorch>(libtorch_found);
}

}  // namespace ferry::capture

namespace ferry {

struct dynamo_stages : stages<"dynamo",                                               //
                              stage<"signature">,                                     // 1
                              stage<"model patches", model_patches, patches, fakes>,  // 2
                              stage<"pytree registration", pytrees>,                  // 3
                              stage<"dynamic shapes">,                                // 4
                              stage<"state clean-up">                                 // 5
                              > {};

using dynamo_pipeline = pipeline<dynamo_stages>;

}  // namespace ferry

namespace ferry {

struct executorch_stages : stages_after<dynamo_stages, "executorch",                  //
                                        stage<"backend preparation">,                 // 1
                                        stage<"torch patches", patches>,              // 2
                                        stage<"executorch patches", decompositions>,  // 3
                                        stage<"program fixes", program_fixes>,        // 4
                                        stage<"node fixes", node_fixes>               // 5
                                        > {};

using executorch_pipeline = pipeline_after<executorch_stages, dynamo_pipeline>;

}  // namespace ferry

namespace ferry {

struct onnx_stages : stages_after<dynamo_stages, "onnx",                   //
                                  stage<"torch patches", patches>,         // 1
                                  stage<"onnx patches", decompositions>,   // 2
                                  stage<"graph node fixes", node_fixes>,   // 3
                                  stage<"translations", translations>,     // 4
                                  stage<"ONNX IR fixes", ir_fixes>         // 5
                                  > {};

using onnx_pipeline = pipeline_after<onnx_stages, dynamo_pipeline>;

}  // namespace ferry

// What a backend needs besides libtorch comes with its CMake or Conan component; without that, its half stays out.
#if __has_include(<onnx/onnx_pb.h>)

#include <onnx/common/version.h>

namespace ferry::onnx {

/// The onnx library that this translation unit is compiled against.
inline constexpr Version library_found = parse_version(::ONNX_NAMESPACE::LAST_RELEASE_VERSION);

static_assert(library_found >= onnx_library.minimum,
              "ferry: this onnx is older than Ferry works with; ferry/core/versions.hpp says from which version on");

inline void meet_library() { check_version<onnx_library>(library_found); }

}  // namespace ferry::onnx

#endif
#if __has_include(<ferry_schema/executorch/version.h>)

#include <ferry_schema/executorch/version.h>

namespace ferry::executorch {

/// The ExecuTorch whose schemas this translation unit is compiled against.
inline constexpr Version library_found = parse_version(ferry_schema::executorch_version);

static_assert(library_found >= executorch_library.minimum,
              "ferry: this ExecuTorch is older than Ferry works with; ferry/core/versions.hpp says from which version on");

inline void meet_library() { check_version<executorch_library>(library_found); }

}  // namespace ferry::executorch

#endif
