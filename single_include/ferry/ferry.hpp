// Ferry 0.1.0: ferry/ferry.hpp. Generated from include/ferry by `make single-include`: do not edit.

#pragma once
#define FERRY_SINGLE_HEADER
namespace ferry {
class Error;
class Graph;
class Node;
class ExportedProgram;
class Inputs;
class InputObserver;
template <class... Types>
struct type_list;
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
}
template <class Pipeline, class... Lists>
using extend = typename detail::extend<Pipeline, Lists...>::type;
template <class Pipeline, class... Entries>
using without = typename detail::without<Pipeline, Entries...>::type;
template <class Pipeline, class Old, class New>
using replace = typename detail::replace<Pipeline, Old, New>::type;
template <class Pipeline, class Anchor, class... News>
using insert_before = typename detail::insert_before<Pipeline, Anchor, News...>::type;
template <class Pipeline, class Anchor, class... News>
using insert_after = typename detail::insert_after<Pipeline, Anchor, News...>::type;
}
#define FERRY_VERSION_MAJOR 0
#define FERRY_VERSION_MINOR 1
#define FERRY_VERSION_PATCH 0
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
namespace ferry {
enum class ErrorKind {
	invalid_input,
	unsupported,  
	bad_file,     
	io,           
	version,      
	internal,     
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
struct ErrorPlace {
	std::string stage{};
	std::string op{};   
	std::string path{}; 
	[[nodiscard]] bool empty() const noexcept { return stage.empty() && op.empty() && path.empty(); }
	friend bool operator==(const ErrorPlace&, const ErrorPlace&) = default;
};
struct ErrorDetails {
	std::string hint{};
	ErrorPlace where{};
};
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
		for (const auto& [label, value] :
		{std::pair<std::string_view, const std::string&>{"at ", path}, {"op ", op}, {"stage ", stage}}) {
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
}
#include <array>
#include <cstddef>
#include <cstdint>
namespace ferry {
enum class ExportFormat : std::uint8_t { dynamo, onnx, executorch };
inline constexpr std::array<std::string_view, 3> export_format_names{"dynamo", "onnx", "executorch"};
[[nodiscard]] constexpr std::string_view name_of(ExportFormat format) noexcept {
	return export_format_names[static_cast<std::size_t>(format)];
}
[[nodiscard]] constexpr std::string_view name_of(std::string_view format) noexcept { return format; }
[[nodiscard]] inline ExportFormat export_format(std::string_view name) {
	std::string known;
	for (std::size_t i = 0; i < export_format_names.size(); ++i) {
		if (export_format_names[i] == name) return static_cast<ExportFormat>(i);
		known.append(known.empty() ? "" : ", ").append(export_format_names[i]);
	}
	throw Error(ErrorKind::invalid_input, "there is no export format '" + std::string(name) + "'",
		{.hint = "there are: " + known});
}
}
#include <concepts>
namespace ferry {
template <std::size_t Count>
struct Names {
	std::array<std::string_view, Count> each;
};
template <std::convertible_to<std::string_view>... Texts>
[[nodiscard]] constexpr Names<sizeof...(Texts)> names(const Texts&... texts) {
	return {{std::string_view(texts)...}};
}
namespace detail {
template <class Type>
inline constexpr bool is_names = false;
template <std::size_t Count>
inline constexpr bool is_names<Names<Count>> = true;
}
}
namespace ferry {
namespace detail {
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
constexpr std::size_t position_of(char wanted, std::string_view text, std::size_t from = 0) noexcept {
	while (from < text.size() && text[from] != wanted) ++from;
	return from;
}
}
class op_name {
public:
	template <std::size_t SizeWithNul>
	consteval op_name(const char (&literal)[SizeWithNul]) : text_(literal, SizeWithNul - 1) {
		const std::size_t colons = detail::position_of(':', text_);
		if (colons == 0 || colons + 2 >= text_.size() || text_[colons + 1] != ':')
		detail::op_name_must_be_written_as_namespace_colon_colon_name();
		if (detail::position_of('.', text_) + 1 == text_.size()) detail::op_name_has_an_empty_overload_after_the_dot();
		const bool plain = detail::is_identifier(qualifier()) && detail::is_identifier(name()) &&
		(overload().empty() || detail::is_identifier(overload()));
		if (!plain) detail::op_name_holds_a_character_that_no_op_name_has();
	}
	[[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
	[[nodiscard]] constexpr std::string_view qualifier() const noexcept {
		return text_.substr(0, detail::position_of(':', text_));
	}
	[[nodiscard]] constexpr std::string_view name() const noexcept {
		const std::size_t start = detail::position_of(':', text_) + 2;
		return text_.substr(start, detail::position_of('.', text_, start) - start);
	}
	[[nodiscard]] constexpr std::string_view overload() const noexcept {
		const std::size_t dot = detail::position_of('.', text_);
		return dot == text_.size() ? std::string_view{} : text_.substr(dot + 1);
	}
	friend constexpr bool operator==(op_name, op_name) noexcept = default;
private:
	std::string_view text_;
};
template <class... Literals>
	requires(sizeof...(Literals) > 0)
[[nodiscard]] consteval std::array<op_name, sizeof...(Literals)> op(const Literals&... names) {
	return {op_name(names)...};
}
}
#include <type_traits>
namespace ferry {
namespace detail {
template <class Type>
inline constexpr bool is_op_names = false;
template <std::size_t Size>
inline constexpr bool is_op_names<std::array<op_name, Size>> = Size > 0;
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
}
template <class Entry>
concept targets_ops = requires { requires detail::is_op_names<std::remove_cvref_t<decltype(Entry::target)>>; };
template <class Entry>
concept names_inputs = requires {
	{ Entry::input } -> std::convertible_to<std::string_view>;
} || requires { requires detail::is_names<std::remove_cvref_t<decltype(Entry::input)>>; };
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
}
#include <boost/hana/core/when.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/type.hpp>
namespace ferry {
struct type_list_tag;
template <class... Types>
struct type_list {
	using hana_tag = type_list_tag;
	static constexpr std::size_t size = sizeof...(Types);
};
template <class List, class... Removed>
struct named_less;
namespace detail {
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
struct list_parts;
template <template <class...> class Kind, class... Types>
struct list_parts<Kind<Types...>> {
	template <class... Others>
	using rebind = Kind<Others...>;
	using types = type_list<Types...>;
};
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
template <template <class...> class Kind, class... A, template <class...> class K2, class... B, class... Rest>
struct concat<Kind<A...>, K2<B...>, Rest...> : concat<Kind<A..., B...>, Rest...> {};
template <template <class...> class Kind, class... A, template <class...> class K2, class... B,
		template <class...> class K3, class... C, template <class...> class K4, class... D, class... Rest>
struct concat<Kind<A...>, K2<B...>, K3<C...>, K4<D...>, Rest...> : concat<Kind<A..., B..., C..., D...>, Rest...> {};
}
struct own_list {};
template <class List>
using plain_t = typename detail::plain<List>::type;
template <class... Lists>
using concat_t = typename detail::concat<plain_t<Lists>...>::type;
template <class List, class Type>
inline constexpr bool contains_v = false;
template <template <class...> class Kind, class... Types, class Type>
inline constexpr bool contains_v<Kind<Types...>, Type> = detail::any_true<std::is_same_v<Types, Type>...>;
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
template <class List, class Old, class With>
struct substitute;
template <template <class...> class Kind, class... Types, class Old, class With>
struct substitute<Kind<Types...>, Old, With> {
	using type = concat_t<Kind<>, std::conditional_t<std::is_same_v<Types, Old>, With, Kind<Types>>...>;
};
}
template <std::size_t Index, class List>
using at_t = typename detail::type_at<Index, List>::type;
template <class List, template <class> class Predicate>
using filter_t = typename detail::filter<Predicate, List>::type;
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
}
template <class List, class... Removed>
struct named_less : detail::less<plain_t<List>, Removed...>::type {};
}
template <>
struct boost::hana::unpack_impl<ferry::type_list_tag> {
	template <template <class...> class Kind, class... Types, class Function>
	static constexpr decltype(auto) apply(const Kind<Types...>&, Function&& function) {
		return std::forward<Function>(function)(boost::hana::type_c<Types>...);
	}
};
namespace ferry {
template <class... Entries>
struct input_preparers : type_list<Entries...> {
	using list = input_preparers;
	static constexpr std::string_view label = "input_preparers";
	template <class Entry>
	using require = require_input_preparer<Entry>;
};
template <class... Entries>
struct patches : type_list<Entries...> {
	using list = patches;
	static constexpr std::string_view label = "patches";
	template <class Entry>
	using require = require_patch<Entry>;
};
template <class... Entries>
struct model_patches : type_list<Entries...> {
	using list = model_patches;
	static constexpr std::string_view label = "model_patches";
	template <class Entry>
	using require = require_model_patch<Entry>;
};
template <class... Entries>
struct fakes : type_list<Entries...> {
	using list = fakes;
	static constexpr std::string_view label = "fakes";
	template <class Entry>
	using require = require_fake<Entry>;
};
template <auto Member>
struct stateful_member {
	static constexpr auto pointer = Member;
};
template <class... Entries>
struct stateful_member_list : type_list<Entries...> {
	using list = stateful_member_list;
	static constexpr std::string_view label = "stateful_members";
	template <class Entry>
	using require = require_stateful_member<Entry>;
};
template <class... Entries>
struct pytrees : type_list<Entries...> {
	using list = pytrees;
	static constexpr std::string_view label = "pytrees";
	template <class Entry>
	using require = require_pytree<Entry>;
};
template <class... Entries>
struct decompositions : type_list<Entries...> {
	using list = decompositions;
	static constexpr std::string_view label = "decompositions";
	template <class Entry>
	using require = require_decomposition<Entry>;
};
template <class... Entries>
struct library_ops : type_list<Entries...> {
	using list = library_ops;
	static constexpr std::string_view label = "library_ops";
	template <class Entry>
	using require = require_library_op<Entry>;
};
template <class... Entries>
struct program_fixes : type_list<Entries...> {
	using list = program_fixes;
	static constexpr std::string_view label = "program_fixes";
	template <class Entry>
	using require = require_program_fix<Entry>;
};
template <class... Entries>
struct node_fixes : type_list<Entries...> {
	using list = node_fixes;
	static constexpr std::string_view label = "node_fixes";
	template <class Entry>
	using require = require_node_fix<Entry>;
};
template <class... Entries>
struct delegations : type_list<Entries...> {
	using list = delegations;
	static constexpr std::string_view label = "delegations";
	template <class Entry>
	using require = require_delegation<Entry>;
};
template <class... Entries>
struct translations : type_list<Entries...> {
	using list = translations;
	static constexpr std::string_view label = "translations";
	template <class Entry>
	using require = require_translation<Entry>;
};
template <class... Entries>
struct ir_fixes : type_list<Entries...> {
	using list = ir_fixes;
	static constexpr std::string_view label = "ir_fixes";
	template <class Entry>
	using require = require_ir_fix<Entry>;
};
template <class List>
concept entry_list = requires {
	{ List::label } -> std::convertible_to<std::string_view>;
	requires std::same_as<typename List::hana_tag, type_list_tag>;
};
namespace detail {
template <class List>
using kind_of = typename list_parts<plain_t<List>>::template rebind<>;
}
}
#include <algorithm>
namespace ferry {
template <std::size_t Size>
struct fixed_string {
	char text[Size + 1]{};
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
}
#include <limits>
#include <span>
namespace ferry {
template <class First, class Second, fixed_string Op>
struct two_entries_for_one_op {
	static_assert(sizeof(First) == 0,
		"ferry: two entries of one stage claim the same op; keep one, or override on purpose with "
		"replace<Pipeline, Old, New>");
	static constexpr bool ok = false;
};
namespace detail {
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
consteval std::size_t total_size(std::span<const std::span<const op_name>> targets) {
	std::size_t total = 0;
	for (const auto target : targets) total += target.size();
	return total;
}
template <class... Entries>
consteval auto sorted_claims() {
	static_assert(sizeof...(Entries) <= std::numeric_limits<decltype(claim::owner)>::max());
	constexpr std::array<std::span<const op_name>, sizeof...(Entries)> targets{Entries::target...};
	std::array<claim, total_size(targets)> claims{};
	std::size_t filled = 0;
	for (std::size_t owner = 0; owner < targets.size(); ++owner)
		for (const op_name op : targets[owner])
		claims[filled++] = {hash_of(op.text()), op.text(), static_cast<std::uint16_t>(owner)};
	std::sort(claims.begin(), claims.end());
	return claims;
}
constexpr std::size_t first_clash(std::span<const claim> sorted) noexcept {
	std::size_t at = 0;
	while (at + 1 < sorted.size() && sorted[at].op != sorted[at + 1].op) ++at;
	return at + 1 < sorted.size() ? at : sorted.size();
}
constexpr std::size_t find_claim(std::span<const claim> sorted, std::string_view op) noexcept {
	const auto found = std::lower_bound(sorted.begin(), sorted.end(), claim{hash_of(op), op});
	const auto at = static_cast<std::size_t>(found - sorted.begin());
	return at < sorted.size() && sorted[at].op == op ? at : sorted.size();
}
}
template <class List>
struct op_table : op_table<plain_t<List>> {};
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
	[[nodiscard]] static constexpr std::size_t find(std::string_view op) noexcept {
		const std::size_t at = detail::find_claim(claims, op);
		return at < size ? claims[at].owner : npos;
	}
	[[nodiscard]] static constexpr bool contains(std::string_view op) noexcept { return find(op) != npos; }
	template <class Function, template <class> class Bind>
	[[nodiscard]] static constexpr Function function(std::string_view op) noexcept {
		return functions<Function, Bind>[find(op)];
	}
private:
	template <class Function, template <class> class Bind>
	static constexpr std::array<Function, sizeof...(Entries) + 1> functions{Bind<Entries>::value..., nullptr};
};
}
namespace ferry {
template <fixed_string Name, template <class...> class... Kinds>
struct stage {
	static constexpr std::string_view name = Name;
	using kinds = type_list<Kinds<>...>;
};
template <fixed_string Backend, class... Stages>
struct stages {
	static constexpr std::string_view backend = Backend;
	using steps = type_list<Stages...>;
	using kinds = concat_t<type_list<>, typename Stages::kinds...>;
	static_assert(std::is_same_v<kinds, unique_t<kinds>>, "ferry: each kind of list belongs to one stage of a backend");
};
template <class Earlier, fixed_string Backend, class... Stages>
struct stages_after : stages<Backend, Stages...> {
	using earlier = Earlier;
	using kinds = unique_t<concat_t<typename stages<Backend, Stages...>::kinds, typename Earlier::kinds>>;
};
}
namespace ferry {
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
template <class Kind, class... Lists>
struct gather {
	using type = concat_t<Kind, std::conditional_t<std::is_same_v<kind_of<Lists>, Kind>, plain_t<Lists>, Kind>...>;
};
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
struct valid_list : valid_list<plain_t<List>> {};
template <class List, class... Removed>
struct valid_list<named_less<List, Removed...>> : valid_list<List> {};
#if defined(FERRY_COMPILED) || defined(FERRY_SINGLE_HEADER)
template <std::derived_from<own_list> List>
struct valid_list<List> {
	static constexpr bool ok = true;
};
#endif
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
template <class... Entries>
consteval bool types_differ(const type_list<Entries...>&) {
	return types_differ<Entries...>();
}
template <class List>
inline constexpr std::span<const std::span<const op_name>> targets_of{};
template <template <class...> class Kind, class... Entries>
	requires(sizeof...(Entries) > 0 && all_true<targets_ops<Entries>...>)
inline constexpr std::array<std::span<const op_name>, sizeof...(Entries)> targets_of<Kind<Entries...>>{
	Entries::target...};
struct Clash {
	std::size_t first, second;
	op_name op;
};
constexpr bool find_clash(std::span<const std::span<const op_name>> first,
		std::span<const std::span<const op_name>> second, Clash& clash) {
	for (std::size_t a = 0; a < first.size(); ++a)
		for (const op_name& op : first[a])
		for (std::size_t b = 0; b < second.size(); ++b)
		for (const op_name& other : second[b])
		if (op.text() == other.text()) {
		clash = {a, b, op};
		return true;
		}
	return false;
}
template <class First, class Second>
consteval bool lists_differ() {
	using A = plain_t<First>;
	using B = plain_t<Second>;
	if constexpr (!std::is_same_v<kind_of<First>, kind_of<Second>> || A::size == 0 || B::size == 0) {
		return true;
	} else if constexpr (targets_of<A>.size() != 0 && targets_of<B>.size() != 0) {
		constexpr auto found = [] {
		Clash clash{0, 0, targets_of<A>[0][0]};
		return std::pair(find_clash(targets_of<A>, targets_of<B>, clash), clash);
		}();
		if constexpr (found.first) {
		constexpr std::string_view op = found.second.op.text();
		return two_entries_for_one_op<at_t<found.second.first, A>, at_t<found.second.second, B>,
		fixed_string<op.size()>(op)>::ok;
		} else {
		return true;
		}
	} else {
		return types_differ(concat_t<type_list<>, A, B>{});
	}
}
template <class List, class... Others>
inline constexpr bool differs_from_all = all_true<lists_differ<List, Others>()...>;
template <class... Lists>
struct all_lists_differ : std::true_type {};
template <class First, class... Others>
struct all_lists_differ<First, Others...>
	: std::bool_constant<differs_from_all<First, Others...> && all_lists_differ<Others...>::value> {};
template <class Stages, class... Lists>
consteval bool valid_pipeline() {
	if constexpr (!all_true<require_entry_list<Lists>::ok...>)
		return false;
	else if constexpr (!all_true<require_stage<Stages, Lists>::ok...>)
		return false;
	else if constexpr (!all_true<valid_list<Lists>::ok...>)
		return false;
	else
		return all_lists_differ<Lists...>::value;
}
}
template <class Stages, class... Lists>
struct pipeline {
	using stages = Stages;
	using lists = type_list<Lists...>;
	template <class Kind>
	using gathered = typename detail::gather<Kind, Lists...>::type;
	template <template <class...> class Kind>
	using stage = gathered<Kind<>>;
	static constexpr bool valid = detail::valid_pipeline<Stages, Lists...>();
};
template <class Stages, class... Lists, class Entry>
inline constexpr bool contains_v<pipeline<Stages, Lists...>, Entry> =
	detail::any_true<contains_v<plain_t<Lists>, Entry>...>;
}
namespace ferry {
template <class Pipeline, class Entry>
struct require_member {
	static constexpr bool ok = contains_v<Pipeline, Entry>;
	static_assert(
		ok, "ferry: the pipeline has no such entry to replace, remove or insert at; `ferry stages` prints what it has");
};
namespace detail {
template <class Stages, class... Lists>
struct checked_pipeline {
	using type = pipeline<Stages, Lists...>;
	using valid = std::bool_constant<type::valid>;
};
template <class Stages, class... Old, class... Lists>
struct extend<pipeline<Stages, Old...>, Lists...> : checked_pipeline<Stages, Old..., Lists...> {};
template <class Stages, class... Lists>
struct without<pipeline<Stages, Lists...>> : checked_pipeline<Stages, Lists...> {};
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
template <class Stages, class Earlier, class... Lists>
struct continue_with;
template <class Stages, class EarlierStages, class... Earlier, class... Lists>
struct continue_with<Stages, pipeline<EarlierStages, Earlier...>, Lists...>
	: checked_pipeline<Stages, Earlier..., Lists...> {};
}
template <class Stages, class Earlier, class... Lists>
using pipeline_after = typename detail::continue_with<Stages, Earlier, Lists...>::type;
}
#include <atomic>
#include <cstdio>
namespace ferry {
enum class LogLevel { info, warning };
using LogSink = void (*)(LogLevel, std::string_view message);
namespace detail {
inline void log_to_stderr(LogLevel level, std::string_view message) {
	if (level == LogLevel::info) return;
	std::fprintf(stderr, "ferry: warning: %.*s\n", static_cast<int>(message.size()), message.data());
}
inline constinit std::atomic<LogSink> log_sink{&log_to_stderr};
}
inline LogSink set_log_sink(LogSink sink) noexcept {
	return detail::log_sink.exchange(sink != nullptr ? sink : &detail::log_to_stderr);
}
inline void offer_log_sink(LogSink sink) noexcept {
	LogSink untouched = &detail::log_to_stderr;
	detail::log_sink.compare_exchange_strong(untouched, sink);
}
inline void log(LogLevel level, std::string_view message) { detail::log_sink.load()(level, message); }
}
#include <functional>
namespace ferry {
struct ProgressStep {
	std::string_view stage;
	std::size_t done = 0;
	std::size_t total = 0;
};
using Progress = std::function<void(const ProgressStep&)>;
inline void report(const Progress& progress, const ProgressStep& step) {
	if (progress) progress(step);
}
}
namespace ferry {
namespace detail {
template <class Type>
constexpr std::string_view function_name() noexcept {
	return __PRETTY_FUNCTION__;
}
inline constexpr std::string_view probe = function_name<double>();
inline constexpr std::size_t name_prefix = probe.find("double");
inline constexpr std::size_t name_suffix = [] {
	const auto end = name_prefix + std::string_view("double").size();
	return probe.size() - end;
}();
}
template <class Type>
[[nodiscard]] constexpr std::string_view type_name() noexcept {
	constexpr std::string_view all = detail::function_name<Type>();
	return all.substr(detail::name_prefix, all.size() - detail::name_prefix - detail::name_suffix);
}
template <class Type>
[[nodiscard]] constexpr std::string_view short_type_name() noexcept {
	constexpr std::string_view full = type_name<Type>();
	const auto before_arguments = full.substr(0, full.find('<'));
	const auto colons = before_arguments.rfind("::");
	return colons == std::string_view::npos ? full : full.substr(colons + 2);
}
}
#include <vector>
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
	if constexpr (targets_ops<Entry>) {
		for (const op_name op : Entry::target) info.ops.push_back(op.text());
		if (info.name.find('<') != std::string_view::npos) info.name = info.ops[0].substr(info.ops[0].find("::") + 2);
	}
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
}
template <class Pipeline>
[[nodiscard]] std::vector<StageInfo> describe_stages() {
	return detail::stage_infos<Pipeline>(typename Pipeline::stages::steps{});
}
[[nodiscard]] inline std::string stage_table(std::span<const StageInfo> stages) {
	constexpr std::size_t most = 24;
	std::string table = "| # | stage | takes | entries |\n|---|---|---|---|\n";
	for (const StageInfo& stage : stages) {
		std::string takes;
		std::string entries;
		std::size_t count = 0;
		for (const ListInfo& list : stage.lists) {
		takes.append(takes.empty() ? "`" : ", `").append(list.kind).append("`");
		for (const EntryInfo& entry : list.entries)
		if (count++ < most) entries.append(entries.empty() ? "`" : ", `").append(entry.name).append("`");
		}
		if (count > most) entries.append(" and ").append(std::to_string(count - most)).append(" more");
		table.append("| ").append(std::to_string(stage.number)).append(" | ").append(stage.name);
		table.append(" | ").append(takes.empty() ? "no list" : takes);
		table.append(" | ").append(entries.empty() ? "none" : entries).append(" |\n");
	}
	return table;
}
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
}
#include <compare>
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
}
template <const Dependency& Library>
void check_version(const Version& found) {
	static constinit std::atomic<bool> told{false};
	detail::check_version(Library, found, told);
}
}
#include <ATen/core/Tensor.h>
#include <variant>
namespace ferry {
class Leaf {
public:
	enum class Kind : std::uint8_t { none, boolean, integer, real, text, tensor };
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
	[[nodiscard]] bool is_absent() const noexcept {
		const auto* tensor = get_if<at::Tensor>();
		return is_none() || (tensor != nullptr && !tensor->defined());
	}
	template <class Type>
	[[nodiscard]] const Type* get_if() const noexcept {
		return std::get_if<Type>(&value_);
	}
	[[nodiscard]] const at::Tensor& tensor() const { return std::get<at::Tensor>(value_); }
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
}
}
namespace ferry {
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
}
}
#include <charconv>
#include <optional>
#include <system_error>
namespace ferry::tree {
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
	[[nodiscard]] static Context integer(std::string digits);
	[[nodiscard]] Kind kind() const noexcept { return kind_; }
	[[nodiscard]] bool is_none() const noexcept { return kind_ == Kind::none; }
	[[nodiscard]] bool is_text() const noexcept { return kind_ == Kind::text; }
	[[nodiscard]] bool is_list() const noexcept { return kind_ == Kind::list; }
	[[nodiscard]] bool is_dict() const noexcept { return kind_ == Kind::dict; }
	[[nodiscard]] const std::string& text() const noexcept { return text_; }
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
[[nodiscard]] std::string python_float(double value);
[[nodiscard]] std::string python_string(std::string_view text);
}
[[nodiscard]] std::string python_repr(const Context& context);
inline const Context* Context::find(std::string_view key) const noexcept {
	for (std::size_t i = 0; i < keys_.size(); ++i)
		if (keys_[i] == key) return &items_[i];
	return nullptr;
}
}
namespace ferry::tree::detail {
class TaggedNames {
public:
	[[nodiscard]] static std::vector<std::string> of(const Context& context, std::size_t children) {
		if (tag_of(context).empty()) return {};
		TaggedNames names(children);
		std::string path;
		names.walk(context, path, 0);
		for (const std::string& name : names.found_)
		if (name.empty()) return {};
		return std::move(names.found_);
	}
private:
	static constexpr std::size_t max_depth = 256;
	explicit TaggedNames(std::size_t children) : found_(children) {}
	[[nodiscard]] static std::string_view tag_of(const Context& context) {
		const Context* tag = context.is_dict() ? context.find("_t") : nullptr;
		return tag != nullptr && tag->is_text() ? std::string_view(tag->text()) : std::string_view();
	}
	void walk(const Context& context, std::string& path, std::size_t depth) {
		if (depth > max_depth) return;
		const std::string_view tag = tag_of(context);
		if (tag == "tensor" || tag == "sym") return name(context, path);
		if (tag == "obj" || tag == "map" || tag == "seq") {
		const Context* inside = context.find(tag == "obj" ? "s" : "v");
		if (inside != nullptr) walk_items(*inside, path, depth);
		} else if (tag.empty()) {
		walk_items(context, path, depth);
		}
	}
	void walk_items(const Context& context, std::string& path, std::size_t depth) {
		const std::size_t length = path.size();
		for (std::size_t i = 0; i < context.items().size(); ++i) {
		if (!path.empty()) path += '.';
		path += context.is_dict() ? context.keys()[i] : std::to_string(i);
		walk(context.items()[i], path, depth + 1);
		path.resize(length);
		}
	}
	void name(const Context& leaf, const std::string& path) {
		const Context* position = leaf.find("i");
		const auto index = position != nullptr ? position->as_integer() : std::nullopt;
		if (index && *index >= 0 && static_cast<std::uint64_t>(*index) < found_.size())
		found_[static_cast<std::size_t>(*index)] = path;
	}
	std::vector<std::string> found_;
};
}
namespace ferry {
class TreeSpec {
public:
	enum class Kind : std::uint8_t { leaf, list, tuple, dict, ordered_dict, default_dict, named_tuple, deque, opaque };
	static constexpr std::size_t max_depth = 256;
	TreeSpec() = default;
	[[nodiscard]] static TreeSpec list(std::vector<TreeSpec> children) {
		return container(Kind::list, {}, std::move(children));
	}
	[[nodiscard]] static TreeSpec tuple(std::vector<TreeSpec> children) {
		return container(Kind::tuple, {}, std::move(children));
	}
	[[nodiscard]] static TreeSpec dict(std::vector<tree::Context> keys, std::vector<TreeSpec> children) {
		return container(Kind::dict, tree::Context::list(std::move(keys)), std::move(children));
	}
	[[nodiscard]] static TreeSpec container(Kind kind, tree::Context context, std::vector<TreeSpec> children);
	[[nodiscard]] static TreeSpec opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
		std::vector<std::string> names = {}, bool verbatim = false);
	[[nodiscard]] Kind kind() const noexcept { return node_ ? node_->kind : Kind::leaf; }
	[[nodiscard]] bool is_leaf() const noexcept { return kind() == Kind::leaf; }
	[[nodiscard]] bool is_sequence() const noexcept;
	[[nodiscard]] bool is_mapping() const noexcept; 
	[[nodiscard]] std::string_view type() const noexcept;
	[[nodiscard]] const tree::Context& context() const noexcept { return node().context; }
	[[nodiscard]] bool has_verbatim_context() const noexcept { return node().verbatim; }
	[[nodiscard]] const std::vector<TreeSpec>& children() const noexcept { return node().children; }
	[[nodiscard]] std::size_t num_leaves() const noexcept { return is_leaf() ? 1 : node().leaves; }
	[[nodiscard]] std::size_t num_nodes() const noexcept { return is_leaf() ? 1 : node().nodes; }
	[[nodiscard]] const std::vector<tree::Context>& keys() const noexcept;
	[[nodiscard]] std::string child_name(std::size_t index) const;
	[[nodiscard]] std::vector<std::string> child_names() const;
	[[nodiscard]] std::vector<std::string> leaf_paths() const;
	struct Place;
	[[nodiscard]] std::optional<Place> find(std::string_view path) const;
	[[nodiscard]] const std::vector<std::uint32_t>& choices() const noexcept { return node().choices; }
	[[nodiscard]] TreeSpec with_choice(std::uint32_t alternative) const;
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
	std::string_view type;     
	std::string_view python;   
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
}
inline const std::vector<tree::Context>& TreeSpec::keys() const noexcept {
	static const std::vector<tree::Context> none;
	if (!is_mapping()) return none;
	return kind() == Kind::default_dict ? context().find("dict_context")->items() : context().items();
}
}
#include <iterator>
namespace ferry {
struct Tree {
	TreeSpec spec;           
	std::vector<Leaf> leaves;
	Tree() : leaves(1) {}
	Tree(Leaf leaf) { leaves.push_back(std::move(leaf)); }
	Tree(TreeSpec spec_, std::vector<Leaf> leaves_);
	[[nodiscard]] static Tree list(std::vector<Tree> children);
	[[nodiscard]] static Tree tuple(std::vector<Tree> children);
	[[nodiscard]] static Tree dict(std::vector<tree::Context> keys, std::vector<Tree> children);
	[[nodiscard]] bool is_leaf() const noexcept { return spec.is_leaf(); }
	[[nodiscard]] std::size_t size() const noexcept { return spec.children().size(); }
	[[nodiscard]] std::vector<Tree> children() const;
	[[nodiscard]] bool contains(std::string_view path) const { return spec.find(path).has_value(); }
	[[nodiscard]] Tree at(std::string_view path) const;
	[[nodiscard]] Leaf& leaf(std::string_view path);
	[[nodiscard]] const Leaf& leaf(std::string_view path) const { return const_cast<Tree&>(*this).leaf(path); }
	[[nodiscard]] bool same_structure(const Tree& other) const { return spec == other.spec; }
	friend bool operator==(const Tree&, const Tree&) = default;
};
}
namespace ferry::tree {
class Reader {
public:
	explicit Reader(const Tree& tree, std::string root = {}, bool strict = false)
		: spec_(&tree.spec), leaves_(tree.leaves), root_(std::move(root)), strict_(strict) {}
	[[nodiscard]] const TreeSpec& spec() const noexcept { return *spec_; }
	[[nodiscard]] std::span<const Leaf> leaves() const noexcept { return leaves_; }
	[[nodiscard]] Tree tree() const { return {*spec_, {leaves_.begin(), leaves_.end()}}; }
	[[nodiscard]] std::string path() const;
	[[nodiscard]] bool strict() const noexcept { return strict_; }
	[[nodiscard]] Reader as_strict(bool strict) const {
		Reader made = *this;
		made.strict_ = strict;
		return made;
	}
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
	[[nodiscard]] std::vector<Reader> children() const;
	[[nodiscard]] std::vector<Reader> sequence(TreeSpec::Kind written_as) const;
	[[nodiscard]] std::vector<Reader> sequence(TreeSpec::Kind written_as, std::size_t length) const;
	[[nodiscard]] std::vector<Reader> mapping() const;
	[[nodiscard]] std::vector<Reader> members(std::span<const std::string_view> names) const;
	[[nodiscard]] std::vector<Reader> opaque(std::string_view type, std::size_t length) const;
	[[nodiscard]] Reader open(std::string_view type) const;
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
inline const Leaf& Reader::leaf(Leaf::Kind wanted) const {
	if (!spec_->is_leaf()) fail(std::string(detail::kind_name(wanted)));
	const Leaf& leaf = leaves_.front();
	if (leaf.kind() == wanted) return leaf;
	fail(std::string(detail::kind_name(wanted)), found(),
		leaf.is_none() ? "a member that may be None is a std::optional in C++" : "");
}
}
namespace ferry::tree::detail {
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
		if (value.leaves.size() != value.spec.num_leaves())
		throw Error(ErrorKind::invalid_input, "a Tree whose spec has " + std::to_string(value.spec.num_leaves()) +
		" leaves holds " + std::to_string(value.leaves.size()));
		leaves.insert(leaves.end(), value.leaves.begin(), value.leaves.end());
		return value.spec;
	}
	static Tree read(const Reader& reader) { return reader.tree(); }
};
}
namespace ferry::tree::detail {
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
}
namespace ferry {
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
}
}
#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
namespace ferry::tree::detail {
[[nodiscard]] inline TreeSpec dict_of_members(std::span<const std::string_view> names, std::vector<TreeSpec> children) {
	return TreeSpec::dict({names.begin(), names.end()}, std::move(children));
}
template <class Type>
struct require_default {
	static constexpr bool ok = std::default_initializable<Type>;
	static_assert(
		ok,
		"ferry: unflattening a type that is described by its members needs its default constructor; otherwise "
		"describe it by `flatten` and `unflatten` functions");
};
template <class Accessor, class Type>
using accessed_t = std::remove_cvref_t<decltype(std::declval<const Accessor&>()(std::declval<const Type&>()))>;
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
}
#include <map>
#include <tuple>
#include <unordered_map>
namespace ferry::tree::detail {
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
}
namespace ferry::tree::detail {
struct no_fault {};
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
template <class Type, class Pytrees, class... Seen>
constexpr auto find_fault() {
	if constexpr ((std::is_same_v<Type, Seen> || ...))
		return fault<no_fault>{};
	else if constexpr (!has_codec<Type, Pytrees>)
		return fault<Type>{};
	else
		return find_fault_in<Pytrees>(typename codec<Type, Pytrees>::parts{}, type_list<Type, Seen...>{});
}
template <class Type, class Pytrees>
using fault_t = typename decltype(find_fault<Type, Pytrees>())::type;
template <class Type>
inline constexpr bool is_optional = false;
template <class Type>
inline constexpr bool is_optional<std::optional<Type>> = true;
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
template <class Type, class Pytrees>
struct explain : cannot_flatten<fault_t<Type, Pytrees>> {};
template <class Type, class Pytrees>
	requires(!valid_pytrees<Pytrees>)
struct explain<Type, Pytrees> : explain_pytrees<Pytrees> {};
template <class Type, class Pytrees>
concept can_flatten = valid_pytrees<Pytrees> && std::is_same_v<fault_t<Type, Pytrees>, no_fault>;
}
namespace ferry {
template <class Type, class Pytrees = pytrees<>>
concept flattenable = tree::detail::can_flatten<std::remove_cvref_t<Type>, Pytrees>;
namespace tree {
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
}
}
namespace ferry::tree {
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
}
namespace ferry {
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
	[[nodiscard]] Tree at(std::string_view path) const;
	[[nodiscard]] bool contains(std::string_view path) const;
	[[nodiscard]] bool has(std::string_view path) const;
	template <class Type, class Pytrees = pytrees<>>
	[[nodiscard]] Type get(std::string_view path) const {
		return tree::unflatten<Type, Pytrees>(at(path));
	}
	template <class Pytrees = pytrees<>, class Type>
	void set(std::string_view name, const Type& value);
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
template <class Pytrees, class Type>
[[nodiscard]] Tree to_tree(const Type& value) {
	if constexpr (std::same_as<Type, std::nullopt_t>)
		return Leaf();
	else if constexpr (!has_codec<Type, Pytrees> && std::convertible_to<const Type&, std::string_view>)
		return Leaf(std::string_view(value));
	else
		return tree::flatten<Pytrees>(value);
}
template <class Arguments>
inline constexpr bool names_and_values = false;
template <class... Arguments>
inline constexpr bool names_and_values<std::tuple<Arguments...>> = [] {
	const std::array<bool, sizeof...(Arguments)> is_text{std::convertible_to<Arguments, std::string_view>...};
	for (std::size_t i = 0; i < is_text.size(); i += 2)
		if (!is_text[i]) return false;
	return is_text.size() % 2 == 0;
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
[[nodiscard]] Tree dict_tree(const std::vector<Inputs::Item>& items);
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
}
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
}
template <class Pytrees = pytrees<>, class... Arguments>
[[nodiscard]] Inputs inputs(const Arguments&... names_and_values) {
	return Inputs(tree::detail::named_trees<Pytrees>(names_and_values...));
}
inline const Tree* Inputs::find(std::string_view name) const noexcept {
	for (const Item& item : items_)
		if (item.first == name) return &item.second;
	return nullptr;
}
template <class Pytrees, class Type>
void Inputs::set(std::string_view name, const Type& value) {
	Tree made = tree::detail::to_tree<Pytrees>(value);
	if (const Tree* old = find(name))
		*const_cast<Tree*>(old) = std::move(made);
	else
		items_.emplace_back(std::string(name), std::move(made));
}
}
#include <set>
namespace ferry {
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
	[[nodiscard]] std::vector<std::vector<std::string>> shared() const;
private:
	std::vector<Item> items_;
	std::map<std::string, std::size_t, std::less<>> index_;
};
struct CastOptions {
	std::optional<c10::ScalarType> dtype{};
	std::optional<c10::Device> device{};   
};
inline const at::Tensor& LeafTensors::at(std::string_view path) const {
	const auto found = index_.find(path);
	if (found != index_.end()) return items_[found->second].second;
	std::string known;
	for (const Item& item : items_) known.append(known.empty() ? "" : ", ").append(item.first);
	throw Error(ErrorKind::invalid_input, "there is no tensor at '" + std::string(path) + "'",
		{.hint = "there are: " + known, .where = {.path = std::string(path)}});
}
namespace tree::detail {
void cast(Tree& tree, const CastOptions& options);
void clone_repeated(Tree& tree);
}
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] LeafTensors get_leaf_tensors(const Type& value) {
	return LeafTensors(tree::flatten<Pytrees>(value));
}
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
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type clone_leaf_tensors(const Type& value) {
	Tree tree = tree::flatten<Pytrees>(value);
	for (Leaf& leaf : tree.leaves)
		if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().detach().clone();
	return tree::unflatten<Type, Pytrees>(tree);
}
template <class Pytrees = pytrees<>, class Type>
[[nodiscard]] Type duplicate_leaf_tensors(const Type& value) {
	Tree tree = tree::flatten<Pytrees>(value);
	tree::detail::clone_repeated(tree);
	return tree::unflatten<Type, Pytrees>(tree);
}
}
namespace ferry::utf8 {
inline constexpr char32_t bad_code_point = 0xFFFFFFFF;
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
inline void append(std::string& text, char32_t code) {
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
inline void append_hex(std::string& text, std::string_view prefix, char32_t code, int digits) {
	text += prefix;
	for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[(code >> shift) & 0xF];
}
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
}
namespace ferry {
class JsonScanner {
public:
	explicit JsonScanner(std::string_view text) : text_(text) {}
	[[noreturn]] void fail(const char* what) const {
		throw Error(ErrorKind::bad_file,
		std::string("this is not JSON: ") + what + " (at byte " + std::to_string(at_) + ')');
	}
	void finish() {
		skip_space();
		if (at_ != text_.size()) fail("something follows the end of the value");
	}
	[[nodiscard]] char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
	void skip_space() noexcept {
		while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
	}
	[[nodiscard]] char peek_behind_space() noexcept {
		skip_space();
		return peek();
	}
	[[nodiscard]] bool take(std::string_view word) noexcept {
		if (text_.substr(at_, word.size()) != word) return false;
		at_ += word.size();
		return true;
	}
	[[nodiscard]] bool goes_on(char end) {
		const char found = peek_behind_space();
		if (found != ',' && found != end)
		fail(end == ']' ? "a list goes on with ',' or ends with ']'"
		: "an object goes on with ',' or ends with '}'");
		++at_;
		return found == ',';
	}
	[[nodiscard]] bool is_empty(char end) {
		++at_;
		if (peek_behind_space() != end) return false;
		++at_;
		return true;
	}
	[[nodiscard]] std::string_view string(std::string& unescaped) {
		const std::size_t start = ++at_;
		unescaped.clear();
		for (std::size_t plain = start;;) {
		if (at_ >= text_.size()) fail("a string has no end");
		const auto c = static_cast<unsigned char>(text_[at_]);
		if (c == '"') {
		const std::string_view rest = text_.substr(plain, at_++ - plain);
		if (plain == start) return rest;
		return unescaped += rest;
		}
		if (c < 0x20) fail("a control character in a string");
		if (c == '\\') {
		unescaped += text_.substr(plain, at_ - plain);
		++at_;
		append_escaped(unescaped);
		plain = at_;
		} else if (c < 0x80) {
		++at_;
		} else if (utf8::next_code_point(text_, at_) == utf8::bad_code_point) {
		fail("a string that is not UTF-8");
		}
		}
	}
	[[nodiscard]] std::string_view key(std::string& unescaped) {
		if (peek_behind_space() != '"') fail("a key is a string");
		const std::string_view made = string(unescaped);
		if (peek_behind_space() != ':') fail("a key is followed by ':'");
		++at_;
		return made;
	}
	struct Number {
		std::string_view text;
		bool is_integer = true;
	};
	[[nodiscard]] Number number() {
		const std::size_t start = at_;
		if (peek() == '-') ++at_;
		const std::size_t first = at_;
		digits();
		if (text_[first] == '0' && at_ - first > 1) fail("a number with a leading zero");
		if (peek() != '.' && peek() != 'e' && peek() != 'E') {
		if (at_ - first > 4300) fail("a number of more than 4300 digits");
		return {text_.substr(start, at_ - start)};
		}
		if (take(".")) digits();
		if (peek() == 'e' || peek() == 'E') {
		++at_;
		if (peek() == '+' || peek() == '-') ++at_;
		digits();
		}
		return {text_.substr(start, at_ - start), false};
	}
private:
	void digits() {
		if (peek() < '0' || peek() > '9') fail("a value is missing or misspelt");
		while (peek() >= '0' && peek() <= '9') ++at_;
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
	void append_escaped(std::string& out) {
		constexpr std::string_view letters = "\"\\/bfnrt", plain = "\"\\/\b\f\n\r\t";
		if (const auto known = letters.find(peek()); peek() != '\0' && known != letters.npos) {
		out += plain[known];
		++at_;
		return;
		}
		if (!take("u")) fail("an unknown escape in a string");
		char32_t code = hex4();
		if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
		const std::size_t second = at_;
		at_ += 2;
		if (const char32_t low = hex4(); low >= 0xDC00 && low < 0xE000)
		code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
		else
		at_ = second;
		}
		utf8::append(out, code);
	}
	std::string_view text_;
	std::size_t at_ = 0;
};
}
namespace ferry {
[[nodiscard]] inline bool append_json_string(std::string& out, std::string_view text) {
	out += '"';
	for (std::size_t at = 0; at < text.size();) {
		const char32_t code = utf8::next_code_point(text, at);
		if (code == utf8::bad_code_point) return false;
		constexpr std::string_view plain = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
		const auto known = code < 0x80 ? plain.find(static_cast<char>(code)) : plain.npos;
		if (known != plain.npos) {
		(out += '\\') += letters[known];
		} else if (code >= ' ' && code <= '~') {
		out += static_cast<char>(code);
		} else if (code < 0x10000) {
		utf8::append_hex(out, "\\u", code, 4);
		} else {
		utf8::append_hex(out, "\\u", 0xD800 + ((code - 0x10000) >> 10), 4);
		utf8::append_hex(out, "\\u", 0xDC00 + ((code - 0x10000) & 0x3FF), 4);
		}
	}
	out += '"';
	return true;
}
}
namespace ferry::tree {
inline constexpr std::size_t max_json_depth = 600;
namespace detail {
inline void append_json_text(std::string& out, std::string_view text) {
	if (!append_json_string(out, text))
		throw Error(ErrorKind::invalid_input, "a key or constant of a tree is not UTF-8: " + python_string(text));
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
		case Context::Kind::text: append_json_text(out, value.text()); return;
		case Context::Kind::list:
		case Context::Kind::dict: break;
	}
	out += value.is_list() ? '[' : '{';
	for (std::size_t i = 0; i < value.items().size(); ++i) {
		if (i != 0) out += ", ";
		if (value.is_dict()) {
		append_json_text(out, value.keys()[i]);
		out += ": ";
		}
		append_json(out, value.items()[i]);
	}
	out += value.is_list() ? ']' : '}';
}
class JsonReader {
public:
	explicit JsonReader(std::string_view text) : scanner_(text) {}
	[[nodiscard]] Context document() {
		Context made = value(0);
		scanner_.finish();
		return made;
	}
private:
	[[nodiscard]] Context value(std::size_t depth) {
		if (depth > max_json_depth) scanner_.fail("it is nested too deeply");
		switch (scanner_.peek_behind_space()) {
		case '{': return dict(depth);
		case '[': return list(depth);
		case '"': return scanner_.string(unescaped_);
		default: break;
		}
		if (scanner_.take("null")) return {};
		if (scanner_.take("true")) return true;
		if (scanner_.take("false")) return false;
		if (scanner_.take("NaN")) return std::numeric_limits<double>::quiet_NaN();
		if (scanner_.take("Infinity")) return std::numeric_limits<double>::infinity();
		if (scanner_.take("-Infinity")) return -std::numeric_limits<double>::infinity();
		return number();
	}
	[[nodiscard]] Context list(std::size_t depth) {
		std::vector<Context> items;
		if (scanner_.is_empty(']')) return Context::list({});
		do {
		items.push_back(value(depth + 1));
		} while (scanner_.goes_on(']'));
		return Context::list(std::move(items));
	}
	[[nodiscard]] Context dict(std::size_t depth) {
		std::vector<std::string> keys;
		std::vector<Context> values;
		std::map<std::string, std::size_t, std::less<>> seen;
		if (scanner_.is_empty('}')) return Context::dict({}, {});
		do {
		std::string key(scanner_.key(unescaped_));
		Context item = value(depth + 1);
		if (const auto [old, fresh] = seen.emplace(key, keys.size()); fresh) {
		keys.push_back(std::move(key));
		values.push_back(std::move(item));
		} else {
		values[old->second] = std::move(item);
		}
		} while (scanner_.goes_on('}'));
		return Context::dict(std::move(keys), std::move(values));
	}
	[[nodiscard]] Context number() {
		const auto [text, is_integer] = scanner_.number();
		if (is_integer) return Context::integer(std::string(text));
		double parsed = 0;
		if (std::from_chars(text.data(), text.data() + text.size(), parsed).ec != std::errc{})
		scanner_.fail("a number out of range");
		return parsed;
	}
	JsonScanner scanner_;
	std::string unescaped_;
};
}
[[nodiscard]] inline std::string to_json(const Context& value) {
	std::string out;
	detail::append_json(out, value);
	return out;
}
[[nodiscard]] inline Context from_json(std::string_view text) { return detail::JsonReader(text).document(); }
}
namespace ferry::tree {
namespace detail {
inline void append_spec(std::string& out, const TreeSpec& spec) {
	out += "{\"type\": ";
	if (spec.is_leaf())
		out += "null";
	else
		append_json_text(out, spec.type());
	out += ", \"context\": ";
	if (spec.is_leaf() || spec.has_verbatim_context() || spec.kind() == TreeSpec::Kind::named_tuple ||
		spec.kind() == TreeSpec::Kind::default_dict)
		append_json(out, spec.context());
	else
		append_json_text(out, to_json(spec.context()));
	out += ", \"children_spec\": [";
	for (std::size_t i = 0; i < spec.children().size(); ++i) {
		if (i != 0) out += ", ";
		append_spec(out, spec.children()[i]);
	}
	out += "]}";
}
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
}
[[nodiscard]] inline std::string treespec_dumps(const TreeSpec& spec) {
	std::string out = "[1, ";
	detail::append_spec(out, spec);
	return out += ']';
}
[[nodiscard]] inline TreeSpec treespec_loads(std::string_view text) {
	const Context json = from_json(text);
	if (!json.is_list() || json.items().size() != 2)
		throw Error(ErrorKind::bad_file, "a tree spec is a list of protocol and spec");
	if (json.items()[0].as_integer() != 1)
		throw Error(ErrorKind::bad_file,
		"a tree spec of protocol " + python_repr(json.items()[0]) + "; only 1 is known");
	try {
		return detail::spec_from(json.items()[1]);
	} catch (const Error& error) {
		throw Error(ErrorKind::bad_file, error.message());
	}
}
}
namespace ferry::capture {
using RunBody = std::function<Tree(std::span<const at::Tensor>)>;
}
#include <ATen/ops/stack.h>
namespace ferry {
namespace capture {
class Tracer;
[[nodiscard]] Tracer* current_tracer();
[[nodiscard]] Tree record_cond(Tracer& tracer, const at::Tensor& predicate, const Tree& operands, const RunBody& then,
		const RunBody& otherwise);
[[nodiscard]] Tree record_while_loop(Tracer& tracer, const Tree& carried, const RunBody& condition,
		const RunBody& body);
[[nodiscard]] Tree record_scan(Tracer& tracer, const Tree& initial, const Tree& sequences, const RunBody& run);
[[nodiscard]] Tree record_map(Tracer& tracer, const Tree& sequences, const RunBody& run);
[[nodiscard]] std::vector<at::Tensor> tensors_of(const Tree& tree);
[[nodiscard]] Tree with_tensors(const TreeSpec& spec, std::span<const at::Tensor> tensors);
namespace detail {
template <class Parameters, class Function>
[[nodiscard]] RunBody as_body(Function& function, TreeSpec spec) {
	return [&function, spec = std::move(spec)](std::span<const at::Tensor> tensors) {
		return tree::flatten(std::apply(function, tree::unflatten<Parameters>(with_tensors(spec, tensors))));
	};
}
}
}
template <class Then, class Else, class... Operands>
[[nodiscard]] auto cond(const at::Tensor& predicate, Then&& then, Else&& otherwise, const Operands&... operands) {
	using Result = std::remove_cvref_t<std::invoke_result_t<Then&, const Operands&...>>;
	static_assert(std::is_same_v<Result, std::remove_cvref_t<std::invoke_result_t<Else&, const Operands&...>>>,
		"ferry: the branches of cond must return the same type");
	capture::Tracer* tracer = capture::current_tracer();
	if (tracer == nullptr) return predicate.item<bool>() ? Result(then(operands...)) : Result(otherwise(operands...));
	using Parameters = std::tuple<std::remove_cvref_t<Operands>...>;
	const Tree given = tree::flatten(Parameters(operands...));
	return tree::unflatten<Result>(capture::record_cond(*tracer, predicate, given,
		capture::detail::as_body<Parameters>(then, given.spec),
		capture::detail::as_body<Parameters>(otherwise, given.spec)));
}
template <class Condition, class Function, class... Carried>
[[nodiscard]] std::tuple<Carried...> while_loop(Condition&& condition, Function&& body, Carried... carried) {
	using State = std::tuple<Carried...>;
	static_assert(std::is_convertible_v<std::invoke_result_t<Function&, const Carried&...>, State>,
		"ferry: the body of while_loop must return a tuple of what it carries");
	State state(std::move(carried)...);
	capture::Tracer* tracer = capture::current_tracer();
	if (tracer == nullptr) {
		while (std::apply(condition, state).template item<bool>()) state = std::apply(body, state);
		return state;
	}
	const Tree given = tree::flatten(state);
	return tree::unflatten<State>(capture::record_while_loop(*tracer, given,
		capture::detail::as_body<State>(condition, given.spec),
		capture::detail::as_body<State>(body, given.spec)));
}
template <class Function, class Carry, class Sequences>
[[nodiscard]] auto scan(Function&& body, Carry carry, const Sequences& sequences) {
	using Step = std::remove_cvref_t<std::invoke_result_t<Function&, const Carry&, const Sequences&>>;
	static_assert(
		requires(Step step) {
		step.first;
		step.second;
		}, "ferry: the body of scan must return a pair of the next carry and an output");
	capture::Tracer* tracer = capture::current_tracer();
	const Tree initial = tree::flatten(carry);
	const Tree whole = tree::flatten(sequences);
	if (tracer != nullptr) {
		const capture::RunBody run = [&](std::span<const at::Tensor> tensors) {
		const auto split = initial.leaves.size();
		return tree::flatten(
		body(tree::unflatten<Carry>(capture::with_tensors(initial.spec, tensors.first(split))),
		tree::unflatten<Sequences>(capture::with_tensors(whole.spec, tensors.subspan(split)))));
		};
		return tree::unflatten<Step>(capture::record_scan(*tracer, initial, whole, run));
	}
	const auto tensors = capture::tensors_of(whole);
	std::vector<std::vector<at::Tensor>> outputs;
	TreeSpec output_spec;
	for (std::int64_t i = 0; i < tensors.at(0).size(0); ++i) {
		std::vector<at::Tensor> slices;
		slices.reserve(tensors.size());
		for (const at::Tensor& each : tensors) slices.push_back(each.select(0, i));
		Step step = body(std::as_const(carry), tree::unflatten<Sequences>(capture::with_tensors(whole.spec, slices)));
		carry = std::move(step.first);
		const Tree output = tree::flatten(step.second);
		output_spec = output.spec;
		const auto parts = capture::tensors_of(output);
		outputs.resize(parts.size());
		for (std::size_t k = 0; k < parts.size(); ++k) outputs[k].push_back(parts[k]);
	}
	if (outputs.empty())
		throw Error(ErrorKind::invalid_input, "scan over sequences of length zero",
		{.hint = "its outputs would have no shape", .where = {.op = "higher_order::scan"}});
	std::vector<at::Tensor> stacked;
	stacked.reserve(outputs.size());
	for (const auto& parts : outputs) stacked.push_back(at::stack(parts));
	return Step{std::move(carry), tree::unflatten<decltype(Step::second)>(capture::with_tensors(output_spec, stacked))};
}
}
namespace ferry::algo {
struct itself {
	template <class T>
	constexpr T&& operator()(T&& value) const noexcept {
		return static_cast<T&&>(value);
	}
};
template <class Range>
inline constexpr bool outlives_the_call =
	std::is_lvalue_reference_v<Range> || std::ranges::enable_borrowed_range<std::remove_cv_t<Range>>;
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr auto find_if(Range&& range, Condition&& condition, Projection&& of = {}) {
	static_assert(outlives_the_call<Range>);
	auto at = std::begin(range);
	for (const auto end = std::end(range); at != end; ++at)
		if (std::invoke(condition, std::invoke(of, *at))) break;
	return at;
}
template <class Range, class Value, class Projection = itself>
[[nodiscard]] constexpr auto find(Range&& range, const Value& value, Projection&& of = {}) {
	static_assert(outlives_the_call<Range>);
	auto at = std::begin(range);
	for (const auto end = std::end(range); at != end; ++at)
		if (std::invoke(of, *at) == value) break;
	return at;
}
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr bool any_of(Range&& range, Condition&& condition, Projection&& of = {}) {
	for (auto&& each : range)
		if (std::invoke(condition, std::invoke(of, each))) return true;
	return false;
}
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr bool none_of(Range&& range, Condition&& condition, Projection&& of = {}) {
	return !any_of(range, condition, of);
}
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr bool all_of(Range&& range, Condition&& condition, Projection&& of = {}) {
	for (auto&& each : range)
		if (!std::invoke(condition, std::invoke(of, each))) return false;
	return true;
}
template <class Range, class Value, class Projection = itself>
[[nodiscard]] constexpr bool contains(Range&& range, const Value& value, Projection&& of = {}) {
	for (auto&& each : range)
		if (std::invoke(of, each) == value) return true;
	return false;
}
template <class Range, class Condition, class Projection = itself>
[[nodiscard]] constexpr std::ptrdiff_t count_if(Range&& range, Condition&& condition, Projection&& of = {}) {
	std::ptrdiff_t count = 0;
	for (auto&& each : range) count += std::invoke(condition, std::invoke(of, each)) ? 1 : 0;
	return count;
}
template <class Range, class Value, class Projection = itself>
[[nodiscard]] constexpr std::ptrdiff_t count(Range&& range, const Value& value, Projection&& of = {}) {
	std::ptrdiff_t count = 0;
	for (auto&& each : range) count += std::invoke(of, each) == value ? 1 : 0;
	return count;
}
template <class Less, class Projection>
[[nodiscard]] constexpr auto order_by(Less& less, Projection& of) {
	return [&less, &of](const auto& a, const auto& b) -> bool {
		return std::invoke(less, std::invoke(of, a), std::invoke(of, b));
	};
}
template <class Range, class Less = std::less<>, class Projection = itself>
constexpr void sort(Range&& range, Less less = {}, Projection of = {}) {
	std::sort(std::begin(range), std::end(range), order_by(less, of));
}
template <class Range, class Less = std::less<>, class Projection = itself>
void stable_sort(Range&& range, Less less = {}, Projection of = {}) {
	const auto first = std::begin(range);
	std::vector<std::size_t> order(static_cast<std::size_t>(std::end(range) - first));
	for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
	const auto before = order_by(less, of);
	const auto element = [&](std::size_t i) -> decltype(auto) { return first[static_cast<std::ptrdiff_t>(i)]; };
	std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
		if (before(element(a), element(b))) return true;
		return a < b && !before(element(b), element(a));
	});
	std::vector<typename std::iterator_traits<decltype(std::begin(range))>::value_type> sorted;
	sorted.reserve(order.size());
	for (const std::size_t i : order) sorted.push_back(std::move(element(i)));
	std::move(sorted.begin(), sorted.end(), first);
}
template <class Range>
[[nodiscard]] constexpr bool is_sorted(const Range& range) {
	return std::is_sorted(std::begin(range), std::end(range));
}
template <class Range, class Less = std::less<>, class Projection = itself>
[[nodiscard]] constexpr auto max_element(Range&& range, Less less = {}, Projection of = {}) {
	static_assert(outlives_the_call<Range>);
	return std::max_element(std::begin(range), std::end(range), order_by(less, of));
}
template <class First, class Second, class Same = std::equal_to<>>
[[nodiscard]] constexpr bool equal(const First& first, const Second& second, Same same = {}) {
	return std::equal(std::begin(first), std::end(first), std::begin(second), std::end(second), same);
}
}
namespace ferry::detail {
[[noreturn]] inline void sym_overflow() {
	throw Error(ErrorKind::unsupported, "a symbolic size does not fit into 64 bits");
}
[[noreturn]] inline void sym_too_large() {
	throw Error(ErrorKind::unsupported, "a symbolic expression is too large",
		{.hint = "make fewer dimensions dynamic, or state ranges that keep the expression small"});
}
[[noreturn]] inline void sym_division_by_zero() {
	throw Error(ErrorKind::invalid_input, "a symbolic size is divided by zero");
}
inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
	std::int64_t result = 0;
	if (__builtin_add_overflow(a, b, &result)) sym_overflow();
	return result;
}
inline std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
	std::int64_t result = 0;
	if (__builtin_mul_overflow(a, b, &result)) sym_overflow();
	return result;
}
inline std::int64_t checked_neg(std::int64_t a) { return checked_mul(a, -1); }
inline std::int64_t checked_pow(std::int64_t base, std::int64_t exponent) {
	if (exponent < 0) throw Error(ErrorKind::invalid_input, "a symbolic size is raised to a negative power");
	if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
	if (base == -1) return exponent % 2 == 0 ? 1 : -1;
	std::int64_t result = 1;
	while (exponent-- > 0) result = checked_mul(result, base);
	return result;
}
inline std::int64_t checked_floor_div(std::int64_t a, std::int64_t b) {
	if (b == 0) sym_division_by_zero();
	if (b == -1) return checked_neg(a);
	return a / b - static_cast<std::int64_t>(a % b != 0 && (a % b < 0) != (b < 0));
}
inline std::int64_t checked_mod(std::int64_t a, std::int64_t b) {
	if (b == 0) sym_division_by_zero();
	if (b == -1) return 0;
	const std::int64_t rest = a % b;
	return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
}
#include <bit>
namespace ferry {
enum class SymType : std::uint8_t { integer, real, boolean };
enum class SymOp : std::uint8_t {
	constant,
	infinity,
	symbol,
	sum,
	floor_div,
	mod,
	power,
	min,
	max,
	piecewise,
	ceil_to_int,
	floor_to_int,
	trunc_to_int,
	round_to_int,
	real,
	to_float,
	int_true_div,
	float_true_div,
	float_pow,
	trunc_to_float,
	round_decimal,
	unary,
	real_sum,
	real_product,
	boolean,
	eq,
	ne,
	lt,
	le,
	gt,
	ge,
	all_of,
	any_of,
	negation,
};
struct SymFactor;
struct SymTerm;
namespace detail {
struct SymNode;
struct sym_access;
}
class SymExpr {
public:
	static constexpr std::uint32_t max_weight = 1U << 14;
	static constexpr std::uint16_t max_depth = 128;
	static constexpr std::int32_t max_degree = 63;
	SymExpr() noexcept = default;
	template <std::integral Integer>
		requires(!std::same_as<Integer, bool>)
	SymExpr(Integer value) noexcept : value_(static_cast<std::int64_t>(value)) {}
	[[nodiscard]] static SymExpr symbol(std::string_view name);
	[[nodiscard]] static SymExpr infinity(bool positive = true);
	[[nodiscard]] static SymExpr real(double value);
	[[nodiscard]] static SymExpr boolean(bool value);
	[[nodiscard]] SymOp op() const noexcept;
	[[nodiscard]] SymType type() const noexcept;
	[[nodiscard]] bool is_constant() const noexcept { return node_ == nullptr; }
	[[nodiscard]] bool is_constant(std::int64_t value) const noexcept { return is_constant() && value_ == value; }
	[[nodiscard]] bool is_symbol() const noexcept { return op() == SymOp::symbol; }
	[[nodiscard]] std::int64_t value() const noexcept;
	[[nodiscard]] double real_value() const noexcept;
	[[nodiscard]] const std::string& name() const noexcept;
	[[nodiscard]] const std::vector<SymExpr>& args() const noexcept;
	[[nodiscard]] const std::vector<SymTerm>& terms() const noexcept;
	[[nodiscard]] std::uint32_t weight() const noexcept;
	[[nodiscard]] std::uint16_t depth() const noexcept;
	friend bool operator==(const SymExpr& a, const SymExpr& b);
	friend std::strong_ordering operator<=>(const SymExpr& a, const SymExpr& b);
private:
	friend struct detail::sym_access;
	std::int64_t value_ = 0;
	std::shared_ptr<const detail::SymNode> node_;
};
struct SymFactor {
	SymExpr base;
	std::int32_t exponent = 1;
};
struct SymTerm {
	std::int64_t coefficient = 1;
	std::vector<SymFactor> factors;
};
[[nodiscard]] constexpr bool is_unbacked_name(std::string_view name) noexcept {
	if (name.size() < 2 || name.front() != 'u') return false;
	for (const char c : name.substr(1))
		if (c < '0' || c > '9') return false;
	return true;
}
namespace detail {
struct SymNode {
	SymOp op;
	SymType type = SymType::integer;
	std::uint16_t depth = 1;
	std::uint32_t weight = 1;
	std::int64_t constant = 0;
	double real = 0;
	std::string name{};
	std::vector<SymExpr> args{};
	std::vector<SymTerm> terms{};
};
inline SymType type_of(const SymNode& node) noexcept {
	if (node.op == SymOp::piecewise) return node.args.front().type();
	if (node.op == SymOp::min || node.op == SymOp::max) {
		const bool real = algo::any_of(node.args, [](const SymExpr& a) { return a.type() == SymType::real; });
		return real ? SymType::real : SymType::integer;
	}
	if (node.op < SymOp::real) return SymType::integer;
	return node.op < SymOp::boolean ? SymType::real : SymType::boolean;
}
struct sym_access {
	static SymExpr make(SymNode&& node) {
		std::uint64_t weight = 1;
		std::uint32_t depth = 0;
		const auto count = [&](const SymExpr& part) {
		weight += part.weight();
		depth = std::max<std::uint32_t>(depth, part.depth());
		};
		for (const auto& arg : node.args) count(arg);
		for (const auto& term : node.terms) {
		++weight;
		for (const auto& factor : term.factors) count(factor.base);
		}
		if (weight > SymExpr::max_weight || depth >= SymExpr::max_depth) sym_too_large();
		node.weight = static_cast<std::uint32_t>(weight);
		node.depth = static_cast<std::uint16_t>(depth + 1);
		node.type = type_of(node);
		SymExpr result;
		result.node_ = std::make_shared<const SymNode>(std::move(node));
		return result;
	}
};
inline SymExpr make_call(SymOp op, std::vector<SymExpr> args) {
	SymNode node{.op = op};
	node.args = std::move(args);
	return sym_access::make(std::move(node));
}
}
inline SymExpr SymExpr::symbol(std::string_view name) {
	if (name.empty()) throw Error(ErrorKind::invalid_input, "a symbol needs a name");
	detail::SymNode node{.op = SymOp::symbol};
	node.name = name;
	return detail::sym_access::make(std::move(node));
}
inline SymExpr SymExpr::infinity(bool positive) {
	return detail::sym_access::make({.op = SymOp::infinity, .constant = positive ? 1 : -1});
}
inline SymExpr SymExpr::real(double value) { return detail::sym_access::make({.op = SymOp::real, .real = value}); }
inline SymExpr SymExpr::boolean(bool value) {
	static const SymExpr constants[] = {detail::sym_access::make({.op = SymOp::boolean, .constant = 0}),
		detail::sym_access::make({.op = SymOp::boolean, .constant = 1})};
	return constants[value ? 1 : 0];
}
inline SymOp SymExpr::op() const noexcept { return node_ == nullptr ? SymOp::constant : node_->op; }
inline SymType SymExpr::type() const noexcept { return node_ == nullptr ? SymType::integer : node_->type; }
inline std::int64_t SymExpr::value() const noexcept { return node_ == nullptr ? value_ : node_->constant; }
inline double SymExpr::real_value() const noexcept {
	return node_ == nullptr ? static_cast<double>(value_) : node_->real;
}
inline const std::string& SymExpr::name() const noexcept {
	static const std::string none;
	return node_ == nullptr ? none : node_->name;
}
inline const std::vector<SymExpr>& SymExpr::args() const noexcept {
	static const std::vector<SymExpr> none;
	return node_ == nullptr ? none : node_->args;
}
inline const std::vector<SymTerm>& SymExpr::terms() const noexcept {
	static const std::vector<SymTerm> none;
	return node_ == nullptr ? none : node_->terms;
}
inline std::uint32_t SymExpr::weight() const noexcept { return node_ == nullptr ? 1 : node_->weight; }
inline std::uint16_t SymExpr::depth() const noexcept { return node_ == nullptr ? 1 : node_->depth; }
namespace detail {
inline std::string_view sym_class_name(const SymExpr& a) noexcept {
	switch (a.op()) {
		case SymOp::real: return "Float";
		case SymOp::infinity: return "IntInfinity";
		case SymOp::symbol: return "Symbol";
		case SymOp::floor_div: return "FloorDiv";
		case SymOp::mod: return a.name();
		case SymOp::power: return "PowByNatural";
		case SymOp::min: return "Min";
		case SymOp::max: return "Max";
		case SymOp::piecewise: return "Piecewise";
		case SymOp::ceil_to_int: return "CeilToInt";
		case SymOp::floor_to_int: return "FloorToInt";
		case SymOp::trunc_to_int: return "TruncToInt";
		case SymOp::round_to_int: return "RoundToInt";
		case SymOp::to_float: return "ToFloat";
		case SymOp::int_true_div: return "IntTrueDiv";
		case SymOp::float_true_div: return "FloatTrueDiv";
		case SymOp::float_pow: return "FloatPow";
		case SymOp::trunc_to_float: return "TruncToFloat";
		case SymOp::round_decimal: return "RoundDecimal";
		case SymOp::real_sum: return "Add";
		case SymOp::real_product: return "Mul";
		case SymOp::eq: return "Equality";
		case SymOp::ne: return "Unequality";
		case SymOp::lt: return "StrictLessThan";
		case SymOp::le: return "LessThan";
		case SymOp::gt: return "StrictGreaterThan";
		case SymOp::ge: return "GreaterThan";
		case SymOp::all_of: return "And";
		case SymOp::any_of: return "Or";
		case SymOp::negation: return "Not";
		default: return "";
	}
}
struct SymKey {
	int rank = 0;
	std::int64_t coefficient = 1;
	std::int32_t exponent = 1;
	const SymExpr* atom = nullptr;
	std::span<const SymFactor> factors{};
	std::span<const SymTerm> terms{};
	std::int64_t constant = 0;
	explicit SymKey(std::int64_t number) : coefficient(number) {}
	SymKey(std::int64_t scale, std::span<const SymFactor> product) : coefficient(scale) {
		if (product.size() == 1) {
		set_atom(product[0].base);
		exponent = product[0].exponent;
		} else {
		rank = 2;
		factors = product;
		}
	}
	explicit SymKey(const SymExpr& a) {
		if (a.is_constant()) {
		coefficient = a.value();
		} else if (a.op() != SymOp::sum) {
		set_atom(a);
		} else if (a.terms().size() == 1 && a.value() == 0) {
		*this = SymKey(a.terms()[0].coefficient, a.terms()[0].factors);
		} else {
		rank = 3;
		terms = a.terms();
		constant = a.value();
		}
	}
	[[nodiscard]] std::size_t size() const noexcept {
		if (rank == 0) return 0;
		if (rank == 2) return factors.size();
		if (rank == 3) return terms.size() + static_cast<std::size_t>(constant != 0);
		return atom->args().empty() ? 1 : atom->args().size();
	}
	[[nodiscard]] SymKey at(std::size_t index) const {
		if (rank == 2) return {1, factors.subspan(index, 1)};
		if (rank == 3)
		return index < terms.size() ? SymKey(terms[index].coefficient, terms[index].factors) : SymKey(constant);
		return SymKey(atom->args()[index]);
	}
private:
	void set_atom(const SymExpr& a) {
		atom = &a;
		switch (a.op()) {
		case SymOp::infinity:
		case SymOp::symbol:
		case SymOp::real:
		case SymOp::boolean: rank = 1; break;
		case SymOp::real_product: rank = 4; break;
		case SymOp::real_sum: rank = 5; break;
		case SymOp::min:
		case SymOp::max: rank = 7; break;
		default: rank = a.op() < SymOp::boolean ? 6 : 7; break;
		}
	}
};
inline std::strong_ordering compare_keys(const SymKey& a, const SymKey& b) {
	if (const auto order = a.rank <=> b.rank; order != 0) return order;
	if (a.atom != nullptr && a.atom != b.atom) {
		const SymOp left = a.atom->op();
		const SymOp right = b.atom->op();
		if (left != right) {
		if (const auto order = sym_class_name(*a.atom).compare(sym_class_name(*b.atom)) <=> 0; order != 0)
		return order;
		return left <=> right;
		}
		if (const auto order = a.atom->name().compare(b.atom->name()) <=> 0; order != 0) return order;
		if (const auto order = a.atom->value() <=> b.atom->value(); order != 0) return order;
		if (left == SymOp::real)
		if (const auto order = std::bit_cast<std::int64_t>(a.atom->real_value()) <=>
		std::bit_cast<std::int64_t>(b.atom->real_value());
		order != 0)
		return order;
	}
	if (a.atom == nullptr || (a.atom != b.atom && !a.atom->args().empty())) {
		const std::size_t size = a.size();
		if (const auto order = size <=> b.size(); order != 0) return order;
		for (std::size_t i = 0; i < size; ++i)
		if (const auto order = compare_keys(a.at(i), b.at(i)); order != 0) return order;
	}
	if (const auto order = a.exponent <=> b.exponent; order != 0) return order;
	return a.coefficient <=> b.coefficient;
}
inline std::strong_ordering compare_products(std::span<const SymFactor> a, std::span<const SymFactor> b) {
	for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
		if (const auto order = a[i].base <=> b[i].base; order != 0) return order;
		if (const auto order = b[i].exponent <=> a[i].exponent; order != 0) return order;
	}
	return b.size() <=> a.size();
}
}
inline std::strong_ordering operator<=>(const SymExpr& a, const SymExpr& b) {
	if (a.is_constant() && b.is_constant()) return a.value_ <=> b.value_;
	if (a.node_ == b.node_) return std::strong_ordering::equal;
	return detail::compare_keys(detail::SymKey(a), detail::SymKey(b));
}
inline bool operator==(const SymExpr& a, const SymExpr& b) {
	if (a.is_constant() != b.is_constant() || a.weight() != b.weight()) return false;
	return (a <=> b) == 0;
}
}
#include <initializer_list>
namespace ferry {
template <class Value>
class SymMap {
public:
	using Entry = std::pair<std::string, Value>;
	SymMap() = default;
	SymMap(std::initializer_list<Entry> entries) {
		for (const auto& [name, value] : entries) set(name, value);
	}
	void set(std::string_view name, Value value) {
		const auto at = find_place(name);
		if (at != entries_.end() && at->first == name)
		at->second = std::move(value);
		else
		entries_.emplace(at, std::string(name), std::move(value));
	}
	[[nodiscard]] const Value* find(std::string_view name) const {
		const auto at = std::lower_bound(entries_.begin(), entries_.end(), name, is_before);
		return at != entries_.end() && at->first == name ? &at->second : nullptr;
	}
	[[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
	[[nodiscard]] auto end() const noexcept { return entries_.end(); }
	[[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
private:
	static bool is_before(const Entry& entry, std::string_view name) noexcept { return entry.first < name; }
	auto find_place(std::string_view name) {
		return std::lower_bound(entries_.begin(), entries_.end(), name, is_before);
	}
	std::vector<Entry> entries_;
};
using SymBindings = SymMap<std::int64_t>;
}
namespace ferry {
struct ValueRange {
	static constexpr std::int64_t no_min = std::numeric_limits<std::int64_t>::min();
	static constexpr std::int64_t no_max = std::numeric_limits<std::int64_t>::max();
	std::int64_t min = no_min;
	std::int64_t max = no_max;
	[[nodiscard]] static constexpr ValueRange at_least(std::int64_t min) noexcept { return {min, no_max}; }
	[[nodiscard]] static constexpr ValueRange exactly(std::int64_t value) noexcept { return {value, value}; }
	[[nodiscard]] constexpr bool empty() const noexcept { return min > max; }
	[[nodiscard]] constexpr bool bounded() const noexcept { return min != no_min && max != no_max; }
	[[nodiscard]] constexpr bool contains(std::int64_t value) const noexcept { return min <= value && value <= max; }
	[[nodiscard]] constexpr bool contains(const ValueRange& other) const noexcept {
		return other.empty() || (min <= other.min && other.max <= max);
	}
	friend constexpr bool operator==(const ValueRange&, const ValueRange&) = default;
};
[[nodiscard]] constexpr ValueRange intersect(const ValueRange& a, const ValueRange& b) noexcept {
	return {std::max(a.min, b.min), std::min(a.max, b.max)};
}
[[nodiscard]] constexpr ValueRange hull(const ValueRange& a, const ValueRange& b) noexcept {
	if (a.empty()) return b;
	if (b.empty()) return a;
	return {std::min(a.min, b.min), std::max(a.max, b.max)};
}
[[nodiscard]] inline std::string to_string(const ValueRange& range) {
	const auto end = [](std::int64_t value) {
		if (value == ValueRange::no_min) return std::string("-int_oo");
		return value == ValueRange::no_max ? std::string("int_oo") : std::to_string(value);
	};
	return "VR[" + end(range.min) + ", " + end(range.max) + "]";
}
using SymRanges = SymMap<ValueRange>;
}
namespace ferry {
class Dim {
public:
	enum class Kind : std::uint8_t { named, automatic, required, fixed };
	static constexpr Kind AUTO = Kind::automatic;  
	static constexpr Kind DYNAMIC = Kind::required;
	static constexpr Kind STATIC = Kind::fixed;    
	Dim(Kind kind) : kind_(kind) {}
	Dim(std::int64_t size) : kind_(Kind::fixed), fixed_size_(size) {}
	[[nodiscard]] static Dim dynamic_from(std::int64_t least) {
		Dim made(DYNAMIC);
		made.ranges_.emplace(std::string(), ValueRange::at_least(least));
		return made;
	}
	Dim(std::string name) : size_(SymExpr::symbol(name)), ranges_{{std::move(name), ValueRange{}}} {}
	Dim(std::string name, std::int64_t min, std::int64_t max = ValueRange::no_max)
		: size_(SymExpr::symbol(name)), ranges_{{std::move(name), ValueRange{min, max}}} {}
	[[nodiscard]] static Dim of(SymExpr size, std::map<std::string, ValueRange> ranges) {
		Dim made(Kind::named);
		made.size_ = std::move(size);
		made.ranges_ = std::move(ranges);
		return made;
	}
	[[nodiscard]] Kind kind() const noexcept { return kind_; }
	[[nodiscard]] const SymExpr& size() const noexcept { return size_; }
	[[nodiscard]] const std::map<std::string, ValueRange>& ranges() const noexcept { return ranges_; }
	[[nodiscard]] const std::optional<std::int64_t>& fixed_size() const noexcept { return fixed_size_; }
	[[nodiscard]] std::optional<std::int64_t> tried_from() const {
		if (kind_ != DYNAMIC || ranges_.empty()) return std::nullopt;
		return ranges_.begin()->second.min;
	}
	friend Dim operator+(const Dim& a, const Dim& b);
	friend Dim operator*(const Dim& a, const Dim& b);
	friend Dim operator+(const Dim& a, std::int64_t b);
	friend Dim operator+(std::int64_t a, const Dim& b) { return b + a; }
	friend Dim operator-(const Dim& a, std::int64_t b) { return a + -b; }
	friend Dim operator*(const Dim& a, std::int64_t b);
	friend Dim operator*(std::int64_t a, const Dim& b) { return b * a; }
private:
	static Dim derived(SymExpr size, const Dim& a, const Dim& b);
	Kind kind_ = Kind::named;
	SymExpr size_{};
	std::map<std::string, ValueRange> ranges_{};
	std::optional<std::int64_t> fixed_size_{};
};
using DynamicShapes = std::map<std::string, std::map<std::int64_t, Dim>, std::less<>>;
}
#include <c10/util/Logging.h>
namespace ferry::capture {
inline void log_to_c10(LogLevel level, std::string_view message) {
	if (level == LogLevel::warning) {
		LOG(WARNING) << "ferry: " << message;
	} else {
		LOG(INFO) << "ferry: " << message;
	}
}
}
#include <torch/headeronly/version.h>
namespace ferry::capture {
inline constexpr Version libtorch_found{TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH};
static_assert(
	libtorch_found >= libtorch.minimum,
	"ferry: this libtorch is older than Ferry works with; ferry/core/versions.hpp says from which version on");
inline void meet_libtorch() {
	offer_log_sink(&log_to_c10);
	check_version<libtorch>(libtorch_found);
}
}
#include <typeinfo>
namespace ferry::capture {
using AnyFunction = void (*)();
struct ModuleCalls {
	std::vector<const void*> running{};
	AnyFunction (*patch)(const std::type_info& module) = nullptr;
};
namespace detail {
inline thread_local ModuleCalls* module_calls = nullptr;
}
[[nodiscard]] inline ModuleCalls* module_calls() noexcept { return detail::module_calls; }
class ModuleCallsScope {
public:
	explicit ModuleCallsScope(ModuleCalls* calls) noexcept : before_(std::exchange(detail::module_calls, calls)) {}
	ModuleCallsScope(const ModuleCallsScope&) = delete;
	ModuleCallsScope& operator=(const ModuleCallsScope&) = delete;
	~ModuleCallsScope() { detail::module_calls = before_; }
private:
	ModuleCalls* before_;
};
}
namespace ferry::capture {
class CallObserver {
public:
	CallObserver() = default;
	CallObserver(const CallObserver&) = delete;
	CallObserver& operator=(const CallObserver&) = delete;
	virtual ~CallObserver() = default;
	[[nodiscard]] virtual bool wants(const void* module) const = 0;
	virtual void called(const void* module, const Inputs& inputs) = 0;
	virtual void returned(const void* /*module*/, const Tree& /*outputs*/) {}
	virtual void failed(const void* /*module*/) noexcept {}
};
class CallObserverScope;
namespace detail {
inline thread_local CallObserverScope* call_observers = nullptr;
}
class CallObserverScope {
public:
	explicit CallObserverScope(CallObserver& observer) noexcept
		: observer_(observer), next_(std::exchange(detail::call_observers, this)) {}
	CallObserverScope(const CallObserverScope&) = delete;
	CallObserverScope& operator=(const CallObserverScope&) = delete;
	~CallObserverScope() {
		CallObserverScope** place = &detail::call_observers;
		while (*place != nullptr && *place != this) place = &(*place)->next_;
		if (*place != nullptr) *place = next_;
	}
	[[nodiscard]] CallObserver& observer() const noexcept { return observer_; }
	[[nodiscard]] const CallObserverScope* next() const noexcept { return next_; }
private:
	CallObserver& observer_;
	CallObserverScope* next_;
};
[[nodiscard]] inline std::vector<CallObserver*> observers_of(const void* module) {
	std::vector<CallObserver*> found;
	if (module_calls() != nullptr) return found;
	for (const CallObserverScope* scope = detail::call_observers; scope != nullptr; scope = scope->next())
		if (scope->observer().wants(module)) found.push_back(&scope->observer());
	return found;
}
template <class Names, class... Args>
[[nodiscard]] Inputs named_arguments(const Names& names, const Args&... args) {
	if constexpr ((flattenable<Args> && ...)) {
		std::vector<Inputs::Item> items;
		const auto add = [&](Tree value) {
		const std::size_t at = items.size();
		items.emplace_back(at < names.size() ? std::string(names[at]) : std::to_string(at), std::move(value));
		};
		(add(tree::flatten(args)), ...);
		return Inputs(std::move(items));
	} else {
		throw Error(ErrorKind::unsupported, "a model is called with what is no tree of tensors and numbers",
		{.hint = "describe its types: specialise ferry::tree_node"});
	}
}
template <class MakeInputs, class Run>
auto observed_call(const void* module, const MakeInputs& make_inputs, Run&& run) -> decltype(run()) {
	const std::vector<CallObserver*> observers = observers_of(module);
	if (observers.empty()) return run();
	using Result = decltype(run());
	if constexpr (flattenable<std::remove_cvref_t<Result>>) {
		const Inputs& inputs = make_inputs();
		std::size_t told = 0;
		try {
		for (; told < observers.size(); ++told) observers[told]->called(module, inputs);
		Result result = run();
		const Tree outputs = tree::flatten(result);
		for (; told > 0; --told) observers[told - 1]->returned(module, outputs);
		return std::forward<Result>(result);
		} catch (...) {
		for (; told > 0; --told) observers[told - 1]->failed(module);
		throw;
		}
	} else {
		throw Error(ErrorKind::unsupported, "a model gives what is no tree of tensors and numbers",
		{.hint = "describe the type: specialise ferry::tree_node",
		.where = {.op = std::string(type_name<std::remove_cvref_t<Result>>())}});
	}
}
}
namespace ferry::detail {
template <class Model>
concept names_forward_parameters =
	requires { requires is_names<std::remove_cvref_t<decltype(Model::forward_parameters)>>; };
template <class Model>
concept names_parameters = requires { requires is_names<std::remove_cvref_t<decltype(Model::parameters)>>; };
template <class Model>
[[nodiscard]] constexpr std::span<const std::string_view> parameter_names() {
	if constexpr (names_forward_parameters<Model>)
		return Model::forward_parameters.each;
	else if constexpr (names_parameters<Model>)
		return Model::parameters.each;
	else
		return {};
}
}
namespace ferry {
namespace detail {
template <class Type>
concept points_to_module = requires(const Type& pointer) {
	{ *pointer };
	{ pointer.operator->() };
};
template <class Type>
struct held_by {
	using type = std::shared_ptr<Type>;
};
template <points_to_module Type>
struct held_by<Type> {
	using type = Type;
};
template <class Module, class Function>
struct free_forward;
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...)> {
	using type = Result (*)(Module&, Args...);
};
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...) const> : free_forward<Module, Result (Class::*)(Args...)> {};
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...) noexcept> : free_forward<Module, Result (Class::*)(Args...)> {};
template <class Module, class Class, class Result, class... Args>
struct free_forward<Module, Result (Class::*)(Args...) const noexcept>
	: free_forward<Module, Result (Class::*)(Args...)> {};
template <class Module>
using forward_of = typename free_forward<Module, decltype(&Module::forward)>::type;
template <class Module>
concept has_one_forward = requires { typename forward_of<Module>; };
class ModuleCall {
public:
	ModuleCall(capture::ModuleCalls& calls, const void* module) : calls_(calls) { calls_.running.push_back(module); }
	ModuleCall(const ModuleCall&) = delete;
	ModuleCall& operator=(const ModuleCall&) = delete;
	~ModuleCall() { calls_.running.pop_back(); }
private:
	capture::ModuleCalls& calls_;
};
}
template <class Type>
class submodule : public detail::held_by<Type>::type {
	using Holder = typename detail::held_by<Type>::type;
public:
	using Holder::Holder;
	submodule() = default;
	submodule(const Holder& holder) : Holder(holder) {}
	submodule(Holder&& holder) noexcept : Holder(std::move(holder)) {}
	using Module = std::remove_reference_t<decltype(*std::declval<Holder&>())>;
	static constexpr bool tells_of_calls = true;
	template <class... Args>
	decltype(auto) operator()(Args&&... args) const {
		return forward(std::forward<Args>(args)...);
	}
	template <class... Args>
	auto forward(Args&&... args) const -> decltype(std::declval<Module&>().forward(std::forward<Args>(args)...)) {
		Module& module = *const_cast<submodule&>(*this);
		capture::ModuleCalls* const calls = capture::module_calls();
		if (calls == nullptr && capture::detail::call_observers == nullptr)
		return module.forward(std::forward<Args>(args)...);
		const void* const object = dynamic_cast<const void*>(&module);
		if (calls == nullptr)
		return capture::observed_call(
		object, [&] { return capture::named_arguments(detail::parameter_names<Module>(), args...); },
		[&]() -> decltype(auto) { return module.forward(std::forward<Args>(args)...); });
		const detail::ModuleCall running(*calls, object);
		if constexpr (detail::has_one_forward<Module>) {
		using Forward = detail::forward_of<Module>;
		if (const capture::AnyFunction patch = calls->patch != nullptr ? calls->patch(typeid(Module)) : nullptr) {
		if constexpr (std::is_invocable_v<Forward, Module&, Args...>)
		return reinterpret_cast<Forward>(patch)(module, std::forward<Args>(args)...);
		else
		throw Error(ErrorKind::unsupported,
		"a module whose forward is patched is called with less than all its arguments",
		{.hint = "spell out the defaults where it is called",
		.where = {.stage = "model patches", .op = std::string(type_name<Module>())}});
		}
		}
		return module.forward(std::forward<Args>(args)...);
	}
};
}
namespace ferry {
enum class DType : std::int8_t {
	uint8,
	int8,
	int16,
	int32,
	int64,
	float16,
	float32,
	float64,
	complex32,
	complex64,
	complex128,
	boolean,
	qint8,
	quint8,
	qint32,
	bfloat16,
	quint4x2,
	quint2x4,
	bits1x8,
	bits2x4,
	bits4x2,
	bits8,
	bits16,
	float8_e5m2,
	float8_e4m3fn,
	float8_e5m2fnuz,
	float8_e4m3fnuz,
	uint16,
	uint32,
	uint64,
};
struct DTypeInfo {
	std::string_view torch_name;
	std::string_view short_name;
	std::uint8_t bytes;
};
namespace detail {
inline constexpr std::array<DTypeInfo, 30> dtype_infos{{
	{"uint8", "u8", 1},
	{"int8", "i8", 1},
	{"int16", "i16", 2},
	{"int32", "i32", 4},
	{"int64", "i64", 8},
	{"float16", "f16", 2},
	{"float32", "f32", 4},
	{"float64", "f64", 8},
	{"complex32", "c32", 4},
	{"complex64", "c64", 8},
	{"complex128", "c128", 16},
	{"bool", "b8", 1},
	{"qint8", "qi8", 1},
	{"quint8", "qu8", 1},
	{"qint32", "qi32", 4},
	{"bfloat16", "bf16", 2},
	{"quint4x2", "qu4x2", 1},
	{"quint2x4", "qu2x4", 1},
	{"bits1x8", "b1x8", 1},
	{"bits2x4", "b2x4", 1},
	{"bits4x2", "b4x2", 1},
	{"bits8", "b8", 1},
	{"bits16", "b16", 2},
	{"float8_e5m2", "f8e5m2", 1},
	{"float8_e4m3fn", "f8e4m3fn", 1},
	{"float8_e5m2fnuz", "f8e5m2fnuz", 1},
	{"float8_e4m3fnuz", "f8e4m3fnuz", 1},
	{"uint16", "u16", 2},
	{"uint32", "u32", 4},
	{"uint64", "u64", 8},
}};
}
[[nodiscard]] constexpr const DTypeInfo& info(DType dtype) noexcept {
	return detail::dtype_infos[static_cast<std::size_t>(dtype)];
}
[[nodiscard]] constexpr bool is_floating_point(DType dtype) noexcept {
	switch (dtype) {
		case DType::float16:
		case DType::float32:
		case DType::float64:
		case DType::bfloat16:
		case DType::float8_e5m2:
		case DType::float8_e4m3fn:
		case DType::float8_e5m2fnuz:
		case DType::float8_e4m3fnuz: return true;
		default: return false;
	}
}
[[nodiscard]] constexpr bool is_complex(DType dtype) noexcept {
	return dtype >= DType::complex32 && dtype <= DType::complex128;
}
enum class Layout : std::int8_t { strided, sparse, sparse_csr, mkldnn, sparse_csc, sparse_bsr, sparse_bsc, jagged };
[[nodiscard]] constexpr std::string_view to_string(Layout layout) noexcept {
	constexpr std::array<std::string_view, 8> names{"strided",    "sparse_coo", "sparse_csr", "_mkldnn",
		"sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
	return names[static_cast<std::size_t>(layout)];
}
enum class MemoryFormat : std::int8_t { contiguous, preserve, channels_last, channels_last_3d };
[[nodiscard]] constexpr std::string_view to_string(MemoryFormat format) noexcept {
	constexpr std::array<std::string_view, 4> names{"contiguous_format", "preserve_format", "channels_last",
		"channels_last_3d"};
	return names[static_cast<std::size_t>(format)];
}
struct Device {
	std::string type = "cpu";
	std::optional<std::int32_t> index{};
	friend bool operator==(const Device&, const Device&) = default;
};
[[nodiscard]] inline std::string to_string(const Device& device) {
	return device.index ? device.type + ':' + std::to_string(*device.index) : device.type;
}
}
namespace ferry {
struct Value {
	static constexpr std::uint32_t nowhere = UINT32_MAX;
	std::uint32_t index = nowhere;
	[[nodiscard]] constexpr explicit operator bool() const noexcept { return index != nowhere; }
	friend constexpr bool operator==(Value, Value) noexcept = default;
};
enum class ValueKind : std::uint8_t { tensor, sym_int, sym_float, sym_bool };
struct TensorMeta {
	DType dtype = DType::float32;
	Layout layout = Layout::strided;
	bool requires_grad = false;
	Device device{};
	std::vector<SymExpr> sizes{};
	std::vector<SymExpr> strides{};
	friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};
struct ValueInfo {
	std::string name;
	ValueKind kind = ValueKind::tensor;
	TensorMeta tensor{};         
	SymExpr symbol{};            
	Node* producer = nullptr;    
	std::vector<Node*> users{};  
	std::uint32_t output_uses = 0; ///< how often it is an output of the graph
};
}
#include <complex>
namespace ferry {
class Argument;
using ArgumentList = std::vector<Argument>;
struct Subgraph {
	std::uint32_t index = 0;
	friend constexpr bool operator==(Subgraph, Subgraph) noexcept = default;
};
class Argument {
public:
	using Variant = std::variant<std::monostate, Value, bool, std::int64_t, double, std::complex<double>, std::string,
		DType, Layout, MemoryFormat, Device, Subgraph, ArgumentList>;
	Argument() = default;
	Argument(const Argument&);
	Argument(Argument&&) noexcept;
	Argument& operator=(const Argument&);
	Argument& operator=(Argument&&) noexcept;
	~Argument();
	template <class Type>
		requires(!std::is_same_v<std::remove_cvref_t<Type>, Argument> && std::is_constructible_v<Variant, Type>)
	Argument(Type&& value) : value_(std::forward<Type>(value)) {}
	Argument(int value) : value_(std::int64_t{value}) {}
	Argument(const char* text) : value_(std::string(text)) {}
	[[nodiscard]] bool is_none() const noexcept { return std::holds_alternative<std::monostate>(value_); }
	template <class Type>
	[[nodiscard]] const Type* get_if() const noexcept {
		return std::get_if<Type>(&value_);
	}
	template <class Type>
	[[nodiscard]] Type* get_if() noexcept {
		return std::get_if<Type>(&value_);
	}
	template <class Type>
	[[nodiscard]] bool is() const noexcept {
		return std::holds_alternative<Type>(value_);
	}
	[[nodiscard]] const Variant& variant() const noexcept { return value_; }
	friend bool operator==(const Argument& left, const Argument& right) { return left.equals(right); }
private:
	[[nodiscard]] bool equals(const Argument& other) const;
	Variant value_;
};
template <class Visit>
void for_each_value(const Argument& argument, Visit&& visit) {
	if (const auto* value = argument.get_if<Value>()) visit(*value);
	if (const auto* list = argument.get_if<ArgumentList>())
		for (const Argument& item : *list) for_each_value(item, visit);
}
template <class Visit>
void for_each_value(Argument& argument, Visit&& visit) {
	if (auto* value = argument.get_if<Value>()) visit(*value);
	if (auto* list = argument.get_if<ArgumentList>())
		for (Argument& item : *list) for_each_value(item, visit);
}
}
namespace ferry {
struct NamedArgument {
	std::string_view name;
	Argument value;
	bool keyword = false; 
};
struct Output {
	std::vector<Value> values{};
	bool is_list = false;
};
class Node {
public:
	[[nodiscard]] std::string_view op() const noexcept { return op_; }
	[[nodiscard]] std::span<const NamedArgument> arguments() const noexcept { return arguments_; }
	[[nodiscard]] std::span<const Output> outputs() const noexcept { return outputs_; }
	[[nodiscard]] std::string_view module_path() const noexcept { return module_path_; }
	void set_module_path(std::string_view interned) noexcept { module_path_ = interned; }
	[[nodiscard]] const Argument* find(std::string_view name) const noexcept {
		for (const NamedArgument& argument : arguments_)
		if (argument.name == name) return &argument.value;
		return nullptr;
	}
	[[nodiscard]] Value input(std::size_t position) const;
	[[nodiscard]] Value output(std::size_t position = 0) const;
	[[nodiscard]] Node* next() const noexcept { return next_; }
	[[nodiscard]] Node* previous() const noexcept { return previous_; }
private:
	friend class Graph;
	std::string_view op_;
	std::string_view module_path_;
	std::vector<NamedArgument> arguments_;
	std::vector<Output> outputs_;
	Node* previous_ = nullptr;
	Node* next_ = nullptr;
	bool erased_ = false;
};
inline Value Node::input(std::size_t position) const {
	Value found;
	for (const NamedArgument& argument : arguments_)
		for_each_value(argument.value, [&](Value value) {
		if (position-- == 0) found = value;
		});
	return found;
}
inline Value Node::output(std::size_t position) const {
	for (const Output& output : outputs_) {
		if (position < output.values.size()) return output.values[position];
		position -= output.values.size();
	}
	return {};
}
}
#include <deque>
#include <unordered_set>
namespace ferry {
class Graph {
public:
	Graph();
	Graph(const Graph& other);
	Graph(Graph&& other) noexcept;
	~Graph();
	Graph& operator=(Graph other) noexcept {
		swap(other);
		return *this;
	}
	void swap(Graph& other) noexcept;
	Value add_input(std::string_view name, ValueInfo info) {
		return insert_input(inputs_.size(), name, std::move(info));
	}
	Value insert_input(std::size_t position, std::string_view name, ValueInfo info);
	void erase_input(Value input);
	[[nodiscard]] std::span<const Value> inputs() const noexcept { return inputs_; }
	[[nodiscard]] const ValueInfo& info(Value value) const { return values_[checked(value)]; }
	[[nodiscard]] ValueInfo& info(Value value) { return values_[checked(value)]; }
	[[nodiscard]] std::size_t num_values() const noexcept { return values_.size(); }
	[[nodiscard]] const std::vector<Argument>& outputs() const noexcept { return outputs_; }
	void set_outputs(std::vector<Argument> outputs);
	Node& insert_before(Node* place, std::string_view op, std::vector<NamedArgument> arguments,
		std::vector<Output> outputs);
	Node& append(std::string_view op, std::vector<NamedArgument> arguments, std::vector<Output> outputs) {
		return insert_before(nullptr, op, std::move(arguments), std::move(outputs));
	}
	Value new_value(std::string_view base, ValueInfo info);
	void erase(Node& node);
	void set_argument(Node& node, std::size_t position, Argument argument);
	void set_argument(Node& node, std::string_view name, Argument argument);
	void replace_uses(Value old, Value replacement);
	void replace_by_constant(Value old, const Argument& constant);
	[[nodiscard]] bool is_used(Value value) const;
	[[nodiscard]] std::size_t num_nodes() const noexcept { return num_nodes_; }
	[[nodiscard]] Node* first() const noexcept { return first_; }
	[[nodiscard]] Node* last() const noexcept { return last_; }
	template <class GraphNode>
	class Iterator;
	template <class GraphNode>
	struct Range;
	[[nodiscard]] Range<Node> nodes() noexcept;
	[[nodiscard]] Range<const Node> nodes() const noexcept;
	Subgraph add_subgraph(std::string name, Graph graph);
	[[nodiscard]] Graph& subgraph(Subgraph which) { return *subgraphs_.at(which.index).second; }
	[[nodiscard]] const Graph& subgraph(Subgraph which) const { return *subgraphs_.at(which.index).second; }
	[[nodiscard]] const std::string& subgraph_name(Subgraph which) const { return subgraphs_.at(which.index).first; }
	[[nodiscard]] std::size_t num_subgraphs() const noexcept { return subgraphs_.size(); }
	std::string_view intern(std::string_view text);
private:
	struct NameUse {
		std::uint32_t last_number = 0;
		bool taken = false;
	};
	struct TextHash {
		using is_transparent = void;
		std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
	};
	[[nodiscard]] std::size_t checked(Value value) const {
		if (value.index >= values_.size())
		throw Error(ErrorKind::internal, "a value that is not of this graph was asked for");
		return value.index;
	}
	[[nodiscard]] std::string fresh_name(std::string_view candidate, bool any_word = false);
	[[nodiscard]] bool take_name(const std::string& name) { return !std::exchange(names_[name].taken, true); }
	Value make_value(std::string name, ValueInfo&& info);
	void add_uses(Node& node, const Argument& argument);
	void remove_uses(Node& node, const Argument& argument);
	std::vector<ValueInfo> values_;
	std::vector<Value> inputs_;
	std::vector<Argument> outputs_;
	std::vector<std::unique_ptr<Node>> storage_;
	Node* first_ = nullptr;
	Node* last_ = nullptr;
	std::size_t num_nodes_ = 0;
	std::vector<std::pair<std::string, std::unique_ptr<Graph>>> subgraphs_;
	std::unordered_map<std::string, NameUse, TextHash, std::equal_to<>> names_;
	std::deque<std::string> texts_;
	std::unordered_set<std::string_view> interned_;
};
template <class GraphNode>
class Graph::Iterator {
public:
	using value_type = GraphNode;
	using difference_type = std::ptrdiff_t;
	Iterator() = default;
	explicit Iterator(GraphNode* node) : node_(node), next_(node ? node->next() : nullptr) {}
	GraphNode& operator*() const noexcept { return *node_; }
	GraphNode* operator->() const noexcept { return node_; }
	Iterator& operator++() noexcept { return *this = Iterator(next_); }
	void operator++(int) noexcept { ++*this; }
	friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.node_ == b.node_; }
private:
	GraphNode* node_ = nullptr;
	GraphNode* next_ = nullptr;
};
template <class GraphNode>
struct Graph::Range {
	GraphNode* first;
	[[nodiscard]] Iterator<GraphNode> begin() const noexcept { return Iterator<GraphNode>(first); }
	[[nodiscard]] Iterator<GraphNode> end() const noexcept { return {}; }
};
inline Graph::Range<Node> Graph::nodes() noexcept { return {first_}; }
inline Graph::Range<const Node> Graph::nodes() const noexcept { return {first_}; }
}
namespace ferry {
struct Guard {
	std::string text{};                        
	SymExpr condition = SymExpr::boolean(true);
};
}
namespace ferry {
enum class InputKind : std::uint8_t { user_input, parameter, buffer, constant_tensor, custom_object, token };
enum class OutputKind : std::uint8_t {
	user_output,
	loss_output,
	buffer_mutation,
	parameter_mutation,
	user_input_mutation,
	token
};
[[nodiscard]] constexpr std::string_view to_string(InputKind kind) noexcept {
	constexpr std::string_view names[] = {"USER_INPUT",      "PARAMETER",  "BUFFER",
		"CONSTANT_TENSOR", "CUSTOM_OBJ", "TOKEN"};
	return names[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::string_view to_string(OutputKind kind) noexcept {
	constexpr std::string_view names[] = {"USER_OUTPUT",        "LOSS_OUTPUT",         "BUFFER_MUTATION",
		"PARAMETER_MUTATION", "USER_INPUT_MUTATION", "TOKEN"};
	return names[static_cast<std::size_t>(kind)];
}
struct InputSpec {
	InputKind kind = InputKind::user_input;
	Argument argument{};     
	std::string name{};      
	std::string target{};    
	bool persistent = true;  
};
struct OutputSpec {
	OutputKind kind = OutputKind::user_output;
	Argument argument{};
	std::string target{};
};
struct GraphSignature {
	std::vector<InputSpec> inputs{};
	std::vector<OutputSpec> outputs{};
};
}
#include <filesystem>
namespace ferry {
class ProgramModule;
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;
class ExportedProgram {
public:
	ExportedProgram();
	ExportedProgram(const ExportedProgram&);
	ExportedProgram(ExportedProgram&&) noexcept;
	ExportedProgram& operator=(const ExportedProgram&);
	ExportedProgram& operator=(ExportedProgram&&) noexcept;
	~ExportedProgram();
	Graph graph{};
	GraphSignature signature{};
	NamedTensors state{};             
	NamedTensors constants{};
	SymMap<ValueRange> ranges{};
	SymMap<ValueRange> narrowed{};
	bool takes_small_sizes = false;
	std::vector<Guard> guards{};
	SymBindings hints{};
	TreeSpec in_spec{};
	TreeSpec out_spec{};
	std::vector<std::string>
		input_names{};
	std::vector<Leaf> example_inputs{};
	std::vector<std::string> notes{};
	[[nodiscard]] std::optional<ValueRange> checked_range(std::string_view size) const;
	[[nodiscard]] ProgramModule module() const&;
	[[nodiscard]] ProgramModule module() &&;
	template <class List, class Fakes = fakes<>>
	[[nodiscard]] ExportedProgram run_decompositions() const;
	void save(const std::filesystem::path& path) const;
	[[nodiscard]] std::string print() const;
	void renew_outputs() {
		for (std::size_t i = 0; i < signature.outputs.size(); ++i) signature.outputs[i].argument = graph.outputs()[i];
	}
};
}
#include <c10/core/Device.h>
namespace ferry {
[[nodiscard]] bool has_device(const c10::Device& device);
[[nodiscard]] bool has_device(const Device& device);
void move_to_device(ExportedProgram& program, const c10::Device& device);
void place_tensors(ExportedProgram& program);
void require_devices(const ExportedProgram& program);
}
namespace ferry {
class Interpreter;
class ProgramModule {
public:
	explicit ProgramModule(ExportedProgram program);
	Tree operator()(const Inputs& inputs);
	template <class... Values>
		requires(sizeof...(Values) > 0 && !(std::same_as<Values, Inputs> || ...))
	Tree operator()(const Values&... values) {
		return call<Tree>(values...);
	}
	template <class Result, class Pytrees = pytrees<>, class... Values>
	Result call(const Values&... values) {
		Tree result(program_->out_spec,
		run(leaves_of_values({tree::detail::to_tree<Pytrees>(values)...}, is_flat<Values...>)));
		if constexpr (std::same_as<Result, Tree>)
		return result;
		else
		return tree::unflatten<Result, Pytrees>(result);
	}
	[[nodiscard]] std::vector<Leaf> run(const std::vector<Leaf>& leaves);
	[[nodiscard]] const at::Tensor& tensor(std::string_view target) const;
	[[nodiscard]] const ExportedProgram& program() const noexcept { return *program_; }
private:
	template <class... Values>
	static constexpr bool is_flat = sizeof...(Values) == 1 && (std::same_as<Values, std::vector<at::Tensor>> && ...);
	[[nodiscard]] std::vector<Leaf> leaves_of_values(std::vector<Tree> values, bool flat) const;
	[[nodiscard]] std::vector<c10::IValue> graph_inputs(const std::vector<Leaf>& leaves) const;
	[[nodiscard]] std::vector<c10::IValue> run_graph(const std::vector<c10::IValue>& inputs) const;
	void own_what_is_written();
	void write_back(const std::vector<Leaf>& leaves, const std::vector<c10::IValue>& results);
	std::shared_ptr<const ExportedProgram> program_;      
	std::shared_ptr<const Interpreter> interpreter_;      
	std::unordered_map<std::string, at::Tensor> tensors_; 
};
inline const at::Tensor& ProgramModule::tensor(std::string_view target) const {
	const auto found = tensors_.find(std::string(target));
	if (found == tensors_.end())
		throw Error(ErrorKind::invalid_input, "the program has no parameter, buffer or constant of that name",
		{.where = {.path = std::string(target)}});
	return found->second;
}
}
namespace ferry {
struct InputSlot {
	enum class Kind : std::uint8_t { tensor, number, fixed };
	std::string path{}; 
	std::string alias{};
	Kind kind = Kind::tensor;
	bool required = true;
	std::string type = "Tensor";
	std::string note{};         
};
namespace detail {
class NameList {
public:
	void add(std::string_view name) {
		if (++count_ > 40) return;
		text_.append(text_.empty() ? "" : ", ").append(name);
	}
	[[nodiscard]] bool empty() const noexcept { return count_ == 0; }
	[[nodiscard]] std::string text() const {
		return count_ > 40 ? text_ + " and " + std::to_string(count_ - 40) + " more" : text_;
	}
private:
	std::string text_;
	std::size_t count_ = 0;
};
[[nodiscard]] inline std::string describe(std::span<const InputSlot> slots) {
	NameList names;
	std::size_t position = 0;
	for (const InputSlot& slot : slots) {
		std::string text = slot.kind == InputSlot::Kind::tensor ? std::to_string(position++) + " = " : "";
		text += slot.path;
		if (slot.kind != InputSlot::Kind::tensor || !slot.note.empty()) {
		text.append(" (").append(slot.type);
		if (!slot.note.empty()) text.append(", ").append(slot.note);
		text += ')';
		}
		names.add(text);
	}
	return names.empty() ? "there are none" : names.text();
}
class SlotIndex {
public:
	explicit SlotIndex(std::span<const InputSlot> slots) {
		for (std::size_t i = 0; i < slots.size(); ++i) {
		if (slots[i].kind != InputSlot::Kind::fixed) by_name_.emplace(slots[i].path, i);
		if (slots[i].kind == InputSlot::Kind::tensor) tensors_.push_back(i);
		}
		for (std::size_t i = 0; i < slots.size(); ++i)
		if (slots[i].kind != InputSlot::Kind::fixed && !slots[i].alias.empty()) by_name_.emplace(slots[i].alias, i);
	}
	[[nodiscard]] std::optional<std::size_t> find(const std::string& key) const {
		if (!key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos) {
		const std::size_t position = std::stoul(key);
		const bool fits = position < tensors_.size() && std::to_string(position) == key;
		return fits ? std::optional(tensors_[position]) : std::nullopt;
		}
		const auto found = by_name_.find(key);
		return found == by_name_.end() ? std::nullopt : std::optional(found->second);
	}
private:
	std::unordered_map<std::string_view, std::size_t> by_name_;
	std::vector<std::size_t> tensors_;
};
}
[[nodiscard]] inline std::vector<at::Tensor> pick_inputs(std::span<const InputSlot> slots, const NamedTensors& given) {
	const detail::SlotIndex index(slots);
	std::vector<at::Tensor> picked(slots.size());
	detail::NameList unknown, twice, missing;
	for (const auto& [key, tensor] : given) {
		const auto slot = index.find(key);
		if (!slot)
		unknown.add(key);
		else if (picked[*slot].defined())
		twice.add(slots[*slot].path);
		else
		picked[*slot] = tensor;
	}
	for (std::size_t i = 0; i < slots.size(); ++i)
		if (slots[i].required && !picked[i].defined()) missing.add(slots[i].path);
	std::string wrong;
	for (const auto& [what, names] : {std::pair{"missing: ", &missing}, {"unknown: ", &unknown}, {"twice: ", &twice}})
		if (!names->empty()) wrong.append(wrong.empty() ? "" : "; ").append(what).append(names->text());
	if (!wrong.empty())
		throw Error(ErrorKind::invalid_input, "the inputs given are not those of the model; " + wrong,
		{.hint = "its inputs are, by position or name: " + detail::describe(slots)});
	return picked;
}
[[nodiscard]] inline Leaf number_in(const at::Tensor& tensor, const std::string& path) {
	if (tensor.numel() != 1 || tensor.is_complex())
		throw Error(ErrorKind::invalid_input, "this input is a number, given as a tensor of one element",
		{.where = {.path = path}});
	if (tensor.scalar_type() == at::kBool) return tensor.item().toBool();
	if (tensor.is_floating_point()) return tensor.item().toDouble();
	return tensor.item().toLong();
}
}
namespace ferry {
namespace detail {
[[nodiscard]] constexpr std::string_view python_type(Leaf::Kind kind) noexcept {
	constexpr std::string_view names[] = {"None", "bool", "int", "float", "str", "Tensor"};
	return names[static_cast<std::size_t>(kind)];
}
}
[[nodiscard]] std::vector<InputSlot> input_slots(const ExportedProgram& program);
[[nodiscard]] std::vector<Leaf> leaves_from(const ExportedProgram& program, const NamedTensors& given);
}
namespace ferry {
[[nodiscard]] std::string to_string(const GraphSignature& signature, const Graph& graph, std::string_view margin = {});
}
#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>
namespace c10 {
class OperatorHandle;
}
namespace ferry::capture {
using Kernel = void (*)(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*);
struct OpRules {
	Kernel (*fake)(std::string_view op) = [](std::string_view) -> Kernel { return nullptr; };
	Kernel (*patch)(std::string_view op) = [](std::string_view) -> Kernel { return nullptr; };
	AnyFunction (*model_patch)(const std::type_info& module) = nullptr;
};
}
namespace ferry {
template <class List, class Function, template <class> class Bind>
struct list_finder {
	[[nodiscard]] static Function find(std::string_view op);
};
template <class List, class Function, template <class> class Bind>
Function list_finder<List, Function, Bind>::find(
	std::string_view op) {
	return op_table<List>::template function<Function, Bind>(op);
}
template <class List, class... Removed, class Function, template <class> class Bind>
struct list_finder<named_less<List, Removed...>, Function, Bind> {
	[[nodiscard]] static Function find(std::string_view op) {
		return op_table<type_list<Removed...>>::contains(op) ? nullptr : list_finder<List, Function, Bind>::find(op);
	}
};
namespace detail {
template <class Kind, class Function, template <class> class Bind, class Lists>
struct kind_finder;
template <class Kind, class Function, template <class> class Bind, class... Lists>
struct kind_finder<Kind, Function, Bind, type_list<Lists...>> {
	template <class List>
	static void look_into([[maybe_unused]] std::string_view op, [[maybe_unused]] Function& found) {
		if constexpr (std::is_same_v<kind_of<List>, Kind> && plain_t<List>::size != 0)
		if (found == nullptr) found = list_finder<List, Function, Bind>::find(op);
	}
	[[nodiscard]] static Function find(std::string_view op) {
		Function found = nullptr;
		(look_into<Lists>(op, found), ...);
		return found;
	}
};
}
template <class Pipeline, class Kind, class Function, template <class> class Bind>
using pipeline_finder = detail::kind_finder<Kind, Function, Bind, typename Pipeline::lists>;
}
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/ivalue.h>
namespace ferry::capture {
namespace detail {
template <class Result, class... Args, std::size_t... Index>
void call_on_stack(Result (*function)(Args...), torch::jit::Stack& stack, std::index_sequence<Index...>) {
	[[maybe_unused]] c10::IValue* const first = stack.data() + (stack.size() - sizeof...(Args));
	const auto call = [&]() -> Result {
		return function(c10::impl::ivalue_to_arg<std::decay_t<Args>, false>::call(first[Index])...);
	};
	if constexpr (std::is_void_v<Result>) {
		call();
		torch::jit::drop(stack, sizeof...(Args));
	} else {
		auto result = call();
		torch::jit::drop(stack, sizeof...(Args));
		c10::impl::push_outputs<Result, false>::call(std::move(result), &stack);
	}
}
template <class Result, class... Args>
void call_with_stack(Result (*function)(Args...), torch::jit::Stack& stack) {
	call_on_stack(function, stack, std::index_sequence_for<Args...>{});
}
template <auto Function>
void on_stack(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
	call_with_stack(Function, *stack);
}
template <class Entry>
struct bind_fake {
	static constexpr Kernel value = &on_stack<&Entry::fake>;
};
template <class Entry>
struct bind_patch {
	static constexpr Kernel value = &on_stack<&Entry::call>;
};
template <class Entry>
struct bind_decomposition {
	static constexpr Kernel value = &on_stack<&Entry::decompose>;
};
template <class Entry>
struct patched_forward {
	using Module = typename Entry::module;
	static_assert(ferry::detail::has_one_forward<Module>,
		"ferry: a model patch is for a module with one `forward` that is neither a template nor overloaded");
	template <class Result, class... Args>
	[[nodiscard]] static AnyFunction erase(Result (*)(Module&, Args...)) {
		static_assert(
		std::is_invocable_r_v<Result, decltype(&Entry::forward), Module&, Args...>,
		"ferry: a model patch's `forward(MyModule&, args...)` takes and returns what the module's own forward does");
		constexpr Result (*call)(Module&, Args...) = [](Module& module, Args... args) -> Result {
		return Entry::forward(module, std::forward<Args>(args)...);
		};
		return reinterpret_cast<AnyFunction>(call);
	}
	[[nodiscard]] static AnyFunction get() { return erase(ferry::detail::forward_of<Module>{}); }
};
template <class List>
struct model_patch_table;
template <template <class...> class List, class... Entries>
struct model_patch_table<List<Entries...>> {
	[[nodiscard]] static AnyFunction find([[maybe_unused]] const std::type_info& module) {
		AnyFunction found = nullptr;
		static_cast<void>(
		((module == typeid(typename Entries::module) ? (found = patched_forward<Entries>::get(), true) : false) ||
		...));
		return found;
	}
};
template <class List>
[[nodiscard]] AnyFunction find_model_patch(const std::type_info& module) {
	return model_patch_table<List>::find(module);
}
}
template <class Pipeline>
inline constexpr OpRules rules_of{
	.fake = &pipeline_finder<Pipeline, fakes<>, Kernel, detail::bind_fake>::find,
	.patch = &pipeline_finder<Pipeline, patches<>, Kernel, detail::bind_patch>::find,
	.model_patch = &detail::find_model_patch<typename Pipeline::template stage<model_patches>>};
}
namespace ferry::fake_ops {
struct scaled_dot_product_attention {
	static constexpr auto target = op("aten::scaled_dot_product_attention");
	static at::Tensor fake(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
		const std::optional<at::Tensor>& mask, double, bool, std::optional<double>, bool grouped);
};
struct encoder_layer {
	static constexpr auto target = op("aten::_transformer_encoder_layer_fwd");
	static at::Tensor fake(const at::Tensor& src, std::int64_t width, std::int64_t heads, const at::Tensor& qkv,
		const at::Tensor&, const at::Tensor&, const at::Tensor&, bool, bool, double,
		const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
		const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
		const std::optional<at::Tensor>&, std::optional<std::int64_t>);
};
struct multi_head_attention {
	static constexpr auto target = op("aten::_native_multi_head_attention");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& query, const at::Tensor& key,
		const at::Tensor& value, std::int64_t width, std::int64_t heads,
		const at::Tensor& qkv, const at::Tensor&, const at::Tensor&,
		const at::Tensor&, const std::optional<at::Tensor>&,
		bool need_weights, bool average, std::optional<std::int64_t>);
};
struct flash_attention_for_cpu {
	static constexpr auto target = op("aten::_scaled_dot_product_flash_attention_for_cpu");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& query, const at::Tensor& key,
		const at::Tensor& value, double, bool,
		const std::optional<at::Tensor>&, std::optional<double>);
};
struct masked_softmax {
	static constexpr auto target = op("aten::_masked_softmax");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor&, std::optional<std::int64_t>,
		std::optional<std::int64_t>);
};
struct safe_softmax {
	static constexpr auto target = op("aten::_safe_softmax");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, std::optional<at::ScalarType> dtype);
};
}
namespace ferry {
using attention_fakes =
	fakes<fake_ops::scaled_dot_product_attention, fake_ops::encoder_layer, fake_ops::multi_head_attention,
		fake_ops::flash_attention_for_cpu, fake_ops::masked_softmax, fake_ops::safe_softmax>;
}
#include <c10/core/SymInt.h>
namespace ferry::fake_ops {
struct conv {
	static constexpr auto target = op("aten::conv1d", "aten::conv2d", "aten::conv3d");
	static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		std::int64_t groups);
};
struct conv_padding {
	static constexpr auto target = op("aten::conv1d.padding", "aten::conv2d.padding", "aten::conv3d.padding");
	static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, std::string_view padding, c10::SymIntArrayRef dilation,
		std::int64_t groups);
};
struct conv_transpose {
	static constexpr auto target =
		op("aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input");
	static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding,
		std::int64_t groups, c10::SymIntArrayRef dilation);
};
struct convolution {
	static constexpr auto target = op("aten::convolution");
	static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		bool transposed, c10::SymIntArrayRef output_padding, std::int64_t groups);
};
struct convolution_with_settings {
	static constexpr auto target = op("aten::_convolution");
	static at::Tensor fake(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		bool transposed, c10::SymIntArrayRef output_padding, const c10::SymInt& groups, bool, bool,
		bool, bool);
};
}
namespace ferry {
using convolution_fakes = fakes<fake_ops::conv, fake_ops::conv_padding, fake_ops::conv_transpose, fake_ops::convolution,
		fake_ops::convolution_with_settings>;
}
namespace ferry::fake_ops {
struct extreme_so_far {
	static constexpr auto target = op("aten::cummax", "aten::cummin");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim);
};
struct logcumsumexp {
	static constexpr auto target = op("aten::_logcumsumexp");
	static at::Tensor fake(const at::Tensor& self, std::int64_t);
};
}
namespace ferry {
using cumulative_fakes = fakes<fake_ops::extreme_so_far, fake_ops::logcumsumexp>;
}
#include <ATen/core/List.h>
namespace ferry::fake_ops {
struct nonzero {
	static constexpr auto target = op("aten::nonzero", "aten::argwhere");
	static at::Tensor fake(const at::Tensor& self);
};
struct nonzero_static {
	static constexpr auto target = op("aten::nonzero_static");
	static at::Tensor fake(const at::Tensor& self, const c10::SymInt& size, std::int64_t);
};
struct masked_select {
	static constexpr auto target = op("aten::masked_select");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& mask);
};
struct index {
	static constexpr auto target = op("aten::index.Tensor");
	[[nodiscard]] static bool is_mask(const at::Tensor& tensor);
	static at::Tensor fake(const at::Tensor& self, const c10::List<std::optional<at::Tensor>>& indices);
};
struct repeat_interleave {
	static constexpr auto target = op("aten::repeat_interleave.Tensor");
	static at::Tensor fake(const at::Tensor& repeats, std::optional<c10::SymInt> output_size);
};
struct bincount {
	static constexpr auto target = op("aten::bincount");
	static at::Tensor fake(const at::Tensor& self, const std::optional<at::Tensor>& weights, std::int64_t least);
};
struct one_hot {
	static constexpr auto target = op("aten::one_hot");
	static at::Tensor fake(const at::Tensor& self, std::int64_t classes);
};
struct unique_flat {
	static constexpr auto target = op("aten::_unique2");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, bool, bool inverse, bool counts);
};
struct unique_pair {
	static constexpr auto target = op("aten::_unique");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, bool, bool inverse);
};
struct unique_dim {
	static constexpr auto target = op("aten::unique_dim");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool, bool,
		bool);
};
struct unique_dim_consecutive {
	static constexpr auto target = op("aten::unique_dim_consecutive");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool, bool);
};
struct unique_consecutive {
	static constexpr auto target = op("aten::unique_consecutive");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& self, bool inverse, bool counts,
		std::optional<std::int64_t> dim);
};
}
namespace ferry {
using data_dependent_fakes =
	fakes<fake_ops::nonzero, fake_ops::nonzero_static, fake_ops::masked_select, fake_ops::index,
		fake_ops::repeat_interleave, fake_ops::bincount, fake_ops::one_hot, fake_ops::unique_flat,
		fake_ops::unique_pair, fake_ops::unique_dim, fake_ops::unique_dim_consecutive, fake_ops::unique_consecutive>;
}
namespace ferry::fake_ops {
struct cdist {
	static constexpr auto target = op("aten::cdist", "aten::_cdist_forward");
	static at::Tensor fake(const at::Tensor& x1, const at::Tensor& x2, double, std::optional<std::int64_t>);
};
struct pdist {
	static constexpr auto target = op("aten::pdist", "aten::_pdist_forward");
	static at::Tensor fake(const at::Tensor& self, double);
};
}
namespace ferry {
using distance_fakes = fakes<fake_ops::cdist, fake_ops::pdist>;
}
namespace ferry::fake_ops {
struct tril_indices {
	static constexpr auto target = op("aten::tril_indices");
	static at::Tensor fake(std::int64_t row, std::int64_t col, std::int64_t offset, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>);
};
struct triu_indices {
	static constexpr auto target = op("aten::triu_indices");
	static at::Tensor fake(std::int64_t row, std::int64_t col, std::int64_t offset, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>);
};
struct randperm {
	static constexpr auto target = op("aten::randperm");
	static at::Tensor fake(const c10::SymInt& n, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
		std::optional<at::Device>, std::optional<bool>);
};
}
namespace ferry {
using factory_fakes = fakes<fake_ops::tril_indices, fake_ops::triu_indices, fake_ops::randperm>;
}
namespace ferry::fake_ops {
struct fft_c2c {
	static constexpr auto target = op("aten::_fft_c2c");
	static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef, std::int64_t, bool);
};
struct fft_r2c {
	static constexpr auto target = op("aten::_fft_r2c");
	static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, bool onesided);
};
struct fft_c2r {
	static constexpr auto target = op("aten::_fft_c2r");
	static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, const c10::SymInt& size);
};
}
namespace ferry {
using fft_fakes = fakes<fake_ops::fft_c2c, fake_ops::fft_r2c, fake_ops::fft_c2r>;
}
namespace ferry::fake_ops {
struct grouped_mm {
	static constexpr auto target = op("aten::_grouped_mm");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, const std::optional<at::Tensor>& ends,
		const std::optional<at::Tensor>&, std::optional<at::ScalarType> out);
};
}
namespace ferry {
using grouped_fakes = fakes<fake_ops::grouped_mm>;
}
namespace ferry::fake_ops {
struct eig {
	static constexpr auto target = op("aten::linalg_eig");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};
struct eigvals {
	static constexpr auto target = op("aten::linalg_eigvals", "aten::_linalg_eigvals");
	static at::Tensor fake(const at::Tensor& self);
};
struct solve_triangular {
	static constexpr auto target = op("aten::linalg_solve_triangular");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& right, bool, bool left, bool);
};
struct cholesky_solve {
	static constexpr auto target = op("aten::_cholesky_solve_helper");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor&, bool);
};
struct cholesky {
	static constexpr auto target = op("aten::cholesky", "aten::cholesky_inverse");
	static at::Tensor fake(const at::Tensor& self, bool);
};
struct geqrf {
	static constexpr auto target = op("aten::geqrf");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};
struct householder_product {
	static constexpr auto target = op("aten::linalg_householder_product");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& tau);
};
struct matrix_exp {
	static constexpr auto target = op("aten::linalg_matrix_exp");
	static at::Tensor fake(const at::Tensor& self);
};
}
namespace ferry {
using linalg_fakes = fakes<fake_ops::eig, fake_ops::eigvals, fake_ops::solve_triangular, fake_ops::cholesky_solve,
		fake_ops::cholesky, fake_ops::geqrf, fake_ops::householder_product, fake_ops::matrix_exp>;
}
namespace ferry::fake_ops {
struct index_select {
	static constexpr auto target = op("aten::index_select");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index);
};
struct embedding {
	static constexpr auto target = op("aten::embedding");
	static at::Tensor fake(const at::Tensor& weight, const at::Tensor& indices, std::int64_t, bool, bool);
};
struct take {
	static constexpr auto target = op("aten::take");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& index);
};
struct embedding_bag {
	static constexpr auto target = op("aten::_embedding_bag", "aten::_embedding_bag_forward_only");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> fake(
		const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool, std::int64_t mode, bool,
		const std::optional<at::Tensor>& weights, bool include_last_offset, std::int64_t padding_idx);
};
}
namespace ferry {
using lookup_fakes = fakes<fake_ops::index_select, fake_ops::embedding, fake_ops::take, fake_ops::embedding_bag>;
}
namespace ferry::fake_ops {
struct huber_loss {
	static constexpr auto target = op("aten::huber_loss");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, std::int64_t reduction, double);
};
struct binary_cross_entropy {
	static constexpr auto target = op("aten::binary_cross_entropy");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor&, const std::optional<at::Tensor>&,
		std::int64_t reduction);
};
struct nll_loss2d {
	static constexpr auto target = op("aten::nll_loss2d_forward");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& classes,
		const std::optional<at::Tensor>&, std::int64_t reduction,
		const c10::SymInt&);
};
}
namespace ferry {
using loss_fakes = fakes<fake_ops::huber_loss, fake_ops::binary_cross_entropy, fake_ops::nll_loss2d>;
}
namespace ferry::fake_ops {
struct batch_norm_functional {
	static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> fake(
		const at::Tensor& input, const std::optional<at::Tensor>&, const std::optional<at::Tensor>&,
		const at::Tensor& mean, const at::Tensor& variance, bool training, double, double);
};
struct native_batch_norm {
	static constexpr auto target = op("aten::native_batch_norm");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
		const std::optional<at::Tensor>& weight,
		const std::optional<at::Tensor>& bias,
		const std::optional<at::Tensor>& mean,
		const std::optional<at::Tensor>& variance, bool training,
		double, double);
};
struct batch_norm_of_inference {
	static constexpr auto target = op("aten::_native_batch_norm_legit_no_training");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
		const std::optional<at::Tensor>& weight,
		const std::optional<at::Tensor>& bias,
		const at::Tensor& mean, const at::Tensor& variance,
		double, double);
};
struct batch_norm_without_statistics {
	static constexpr auto target = op("aten::_native_batch_norm_legit.no_stats");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
		const std::optional<at::Tensor>& weight,
		const std::optional<at::Tensor>& bias, bool training,
		double, double);
};
struct group_norm {
	static constexpr auto target = op("aten::native_group_norm");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input,
		const std::optional<at::Tensor>& weight,
		const std::optional<at::Tensor>&, std::int64_t batch,
		std::int64_t channels, std::int64_t, std::int64_t groups,
		double);
};
struct weight_norm {
	static constexpr auto target = op("aten::_weight_norm");
	static at::Tensor fake(const at::Tensor& v, const at::Tensor&, std::int64_t);
};
struct weight_norm_kernel {
	static constexpr auto target = op("aten::_weight_norm_interface");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& v, const at::Tensor& g, std::int64_t);
};
}
namespace ferry {
using normalization_fakes = fakes<fake_ops::batch_norm_functional, fake_ops::native_batch_norm,
		fake_ops::batch_norm_of_inference, fake_ops::batch_norm_without_statistics,
		fake_ops::group_norm, fake_ops::weight_norm, fake_ops::weight_norm_kernel>;
}
namespace ferry::fake_ops {
struct like_self {
	static constexpr auto target = op("aten::relu", "aten::hardswish", "aten::_conj_physical");
	static at::Tensor fake(const at::Tensor& self);
};
struct hardtanh {
	static constexpr auto target = op("aten::hardtanh");
	static at::Tensor fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&);
};
struct logit {
	static constexpr auto target = op("aten::logit");
	static at::Tensor fake(const at::Tensor& self, std::optional<double>);
};
struct nan_to_num {
	static constexpr auto target = op("aten::nan_to_num");
	static at::Tensor fake(const at::Tensor& self, std::optional<double>, std::optional<double>, std::optional<double>);
};
struct test {
	static constexpr auto target = op("aten::isnan", "aten::logical_not");
	static at::Tensor fake(const at::Tensor& self);
};
struct logical {
	static constexpr auto target = op("aten::logical_and", "aten::logical_or", "aten::logical_xor");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};
struct shift {
	static constexpr auto target = op("aten::__lshift__.Tensor", "aten::__rshift__.Tensor");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};
struct shift_by_number {
	static constexpr auto target = op("aten::__lshift__.Scalar", "aten::__rshift__.Scalar");
	static at::Tensor fake(const at::Tensor& self, const at::Scalar& other);
};
struct sum_with_factor {
	static constexpr auto target = op("aten::rsub.Tensor", "aten::_add_relu.Tensor");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);
};
struct remainder_of_number {
	static constexpr auto target = op("aten::remainder.Scalar_Tensor");
	static at::Tensor fake(const at::Scalar& self, const at::Tensor& other);
};
struct mantissa_and_exponent {
	static constexpr auto target = op("aten::frexp.Tensor");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};
struct magnitude {
	static constexpr auto target = op("aten::abs");
	static at::Tensor fake(const at::Tensor& self);
};
struct angle {
	static constexpr auto target = op("aten::angle");
	static at::Tensor fake(const at::Tensor& self);
};
struct complex {
	static constexpr auto target = op("aten::complex", "aten::polar");
	static at::Tensor fake(const at::Tensor& first, const at::Tensor& second);
};
struct log_sigmoid_forward {
	static constexpr auto target = op("aten::log_sigmoid_forward");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self);
};
struct floor_divide {
	static constexpr auto target = op("aten::floor_divide");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};
struct where {
	static constexpr auto target = op("aten::where.self");
	static at::Tensor fake(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other);
};
struct prelu_kernel {
	static constexpr auto target = op("aten::_prelu_kernel");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& weight);
};
}
namespace ferry {
using pointwise_fakes =
	fakes<fake_ops::like_self, fake_ops::hardtanh, fake_ops::logit, fake_ops::nan_to_num, fake_ops::test,
		fake_ops::magnitude, fake_ops::angle, fake_ops::complex, fake_ops::log_sigmoid_forward,
		fake_ops::floor_divide, fake_ops::where, fake_ops::prelu_kernel, fake_ops::logical, fake_ops::shift,
		fake_ops::shift_by_number, fake_ops::sum_with_factor, fake_ops::remainder_of_number,
		fake_ops::mantissa_and_exponent>;
}
namespace ferry::fake_ops {
struct max_unpool2d {
	static constexpr auto target = op("aten::max_unpool2d");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef output_size);
};
struct max_unpool3d {
	static constexpr auto target = op("aten::max_unpool3d");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef output_size,
		at::IntArrayRef, at::IntArrayRef);
};
struct adaptive_avg_pool {
	static constexpr auto target = op("aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d");
	static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef output_size);
};
struct max_pool3d {
	static constexpr auto target = op("aten::max_pool3d_with_indices");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::IntArrayRef kernel,
		at::IntArrayRef stride, at::IntArrayRef padding,
		at::IntArrayRef dilation, bool ceil_mode);
};
}
namespace ferry {
using pooling_fakes =
	fakes<fake_ops::max_unpool2d, fake_ops::max_unpool3d, fake_ops::adaptive_avg_pool, fake_ops::max_pool3d>;
}
namespace ferry::fake_ops {
struct narrow {
	static constexpr auto target = op("aten::narrow");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& start,
		const c10::SymInt& length);
};
struct select {
	static constexpr auto target = op("aten::select.int");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& index);
};
struct select_scatter {
	static constexpr auto target = op("aten::select_scatter");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
		const c10::SymInt& index);
};
struct slice_scatter {
	static constexpr auto target = op("aten::slice_scatter");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
		const std::optional<c10::SymInt>& start, const std::optional<c10::SymInt>& end,
		const c10::SymInt& step);
};
}
namespace ferry {
using position_fakes = fakes<fake_ops::narrow, fake_ops::select, fake_ops::select_scatter, fake_ops::slice_scatter>;
}
namespace ferry::fake_ops {
struct dot {
	static constexpr auto target = op("aten::dot", "aten::vdot");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};
struct addbmm {
	static constexpr auto target = op("aten::addbmm");
	static at::Tensor fake(const at::Tensor&, const at::Tensor& left, const at::Tensor& right, const at::Scalar&,
		const at::Scalar&);
};
struct int_mm {
	static constexpr auto target = op("aten::_int_mm");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& other);
};
struct int8_weight_mm {
	static constexpr auto target = op("aten::_weight_int8pack_mm");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& weight, const at::Tensor&);
};
}
namespace ferry {
using product_fakes = fakes<fake_ops::dot, fake_ops::addbmm, fake_ops::int_mm, fake_ops::int8_weight_mm>;
}
namespace ferry::fake_ops {
struct fake_quantize {
	static constexpr auto target = op("aten::fake_quantize_per_tensor_affine_cachemask");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, double, std::int64_t, std::int64_t,
		std::int64_t);
};
struct fake_quantize_by_channel {
	static constexpr auto target = op("aten::fake_quantize_per_channel_affine_cachemask");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& scale, const at::Tensor&,
		std::int64_t axis, std::int64_t, std::int64_t);
};
}
namespace ferry {
using quantization_fakes = fakes<fake_ops::fake_quantize, fake_ops::fake_quantize_by_channel>;
}
#include <ATen/core/Generator.h>
namespace ferry::fake_ops {
struct multinomial {
	static constexpr auto target = op("aten::multinomial");
	static at::Tensor fake(const at::Tensor& self, std::int64_t samples, bool replacement,
		const std::optional<at::Generator>&);
};
struct sample {
	static constexpr auto target = op("aten::poisson", "aten::_standard_gamma", "aten::_sample_dirichlet");
	static at::Tensor fake(const at::Tensor& self, const std::optional<at::Generator>&);
};
struct dropout_with_mask {
	static constexpr auto target = op("aten::native_dropout");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& input, double, std::optional<bool>);
};
struct rrelu {
	static constexpr auto target = op("aten::rrelu");
	static at::Tensor fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&, bool,
		const std::optional<at::Generator>&);
};
struct rrelu_with_noise {
	static constexpr auto target = op("aten::rrelu_with_noise_functional");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const at::Tensor& noise, const at::Scalar&,
		const at::Scalar&, bool, const std::optional<at::Generator>&);
};
}
namespace ferry {
using random_fakes = fakes<fake_ops::multinomial, fake_ops::sample, fake_ops::dropout_with_mask, fake_ops::rrelu,
		fake_ops::rrelu_with_noise>;
}
namespace ferry::fake_ops {
struct flip {
	static constexpr auto target = op("aten::flip");
	static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dims);
};
struct roll {
	static constexpr auto target = op("aten::roll");
	static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef shifts, at::IntArrayRef dims);
};
struct im2col {
	static constexpr auto target = op("aten::im2col");
	static at::Tensor fake(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
		at::IntArrayRef padding, at::IntArrayRef stride);
};
struct col2im {
	static constexpr auto target = op("aten::col2im");
	static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef output_size, at::IntArrayRef kernel,
		at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride);
};
struct reflection_pad2d {
	static constexpr auto target = op("aten::reflection_pad2d");
	static at::Tensor fake(const at::Tensor& self, c10::SymIntArrayRef padding);
};
struct grid_sampler {
	static constexpr auto target = op("aten::grid_sampler_2d", "aten::grid_sampler_3d");
	static at::Tensor fake(const at::Tensor& input, const at::Tensor& grid, std::int64_t, std::int64_t, bool);
};
struct bucketize {
	static constexpr auto target = op("aten::bucketize.Tensor");
	static at::Tensor fake(const at::Tensor& self, const at::Tensor& boundaries, bool as_int, bool);
};
struct bucketize_number {
	static constexpr auto target = op("aten::bucketize.Scalar");
	static at::Tensor fake(const at::Scalar&, const at::Tensor& boundaries, bool as_int, bool);
};
struct searchsorted {
	static constexpr auto target = op("aten::searchsorted.Tensor");
	static at::Tensor fake(const at::Tensor& sorted, const at::Tensor& self, bool as_int, bool,
		std::optional<std::string_view>, const std::optional<at::Tensor>&);
};
struct searchsorted_number {
	static constexpr auto target = op("aten::searchsorted.Scalar");
	static at::Tensor fake(const at::Tensor& sorted, const at::Scalar&, bool as_int, bool,
		std::optional<std::string_view>, const std::optional<at::Tensor>&);
};
struct channel_shuffle {
	static constexpr auto target = op("aten::channel_shuffle");
	static at::Tensor fake(const at::Tensor& self, const c10::SymInt& groups);
};
}
namespace ferry {
using rearranging_fakes =
	fakes<fake_ops::flip, fake_ops::roll, fake_ops::im2col, fake_ops::col2im, fake_ops::grid_sampler,
		fake_ops::bucketize, fake_ops::bucketize_number, fake_ops::searchsorted, fake_ops::searchsorted_number,
		fake_ops::channel_shuffle, fake_ops::reflection_pad2d>;
}
namespace ferry::fake_ops {
struct lstm {
	static constexpr auto target = op("aten::lstm.input");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> fake(const at::Tensor& input, at::TensorList state,
		at::TensorList weights, bool has_biases,
		std::int64_t layers, double, bool, bool bidirectional,
		bool batch_first);
};
struct recurrent {
	static constexpr auto target = op("aten::gru.input", "aten::rnn_tanh.input", "aten::rnn_relu.input");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& input, const at::Tensor& state,
		at::TensorList weights, bool has_biases, std::int64_t layers, double,
		bool, bool bidirectional, bool batch_first);
};
}
namespace ferry {
using recurrent_fakes = fakes<fake_ops::lstm, fake_ops::recurrent>;
}
#include <c10/util/OptionalArrayRef.h>
namespace ferry::fake_ops {
struct extreme {
	static constexpr auto target = op("aten::max", "aten::min");
	static at::Tensor fake(const at::Tensor& self);
};
struct median {
	static constexpr auto target = op("aten::median", "aten::nanmedian");
	static at::Tensor fake(const at::Tensor& self);
};
struct prod {
	static constexpr auto target = op("aten::prod");
	static at::Tensor fake(const at::Tensor& self, std::optional<at::ScalarType> dtype);
};
struct nansum {
	static constexpr auto target = op("aten::nansum");
	static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
		std::optional<at::ScalarType> dtype);
};
struct trace {
	static constexpr auto target = op("aten::trace");
	static at::Tensor fake(const at::Tensor& self);
};
struct histc {
	static constexpr auto target = op("aten::histc");
	static at::Tensor fake(const at::Tensor& self, std::int64_t bins, const at::Scalar&, const at::Scalar&);
};
struct pick {
	static constexpr auto target = op("aten::median.dim", "aten::nanmedian.dim", "aten::mode");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, std::int64_t dim, bool keepdim);
};
struct kthvalue {
	static constexpr auto target = op("aten::kthvalue");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, const c10::SymInt& k, std::int64_t dim,
		bool keepdim);
};
struct count_nonzero {
	static constexpr auto target = op("aten::count_nonzero.dim_IntList");
	static at::Tensor fake(const at::Tensor& self, at::IntArrayRef dim);
};
struct variance {
	static constexpr auto target = op("aten::var.correction", "aten::std.correction");
	static at::Tensor fake(const at::Tensor& self, at::OptionalIntArrayRef dim, const std::optional<at::Scalar>&,
		bool keepdim);
};
struct variance_and_mean {
	static constexpr auto target = op("aten::var_mean.correction", "aten::std_mean.correction");
	static std::tuple<at::Tensor, at::Tensor> fake(const at::Tensor& self, at::OptionalIntArrayRef dim,
		const std::optional<at::Scalar>&, bool keepdim);
};
}
namespace ferry {
using reduction_fakes =
	fakes<fake_ops::extreme, fake_ops::median, fake_ops::prod, fake_ops::nansum, fake_ops::pick, fake_ops::kthvalue,
		fake_ops::count_nonzero, fake_ops::variance, fake_ops::variance_and_mean, fake_ops::trace, fake_ops::histc>;
}
namespace ferry::fake_ops {
struct index_add {
	static constexpr auto target = op("aten::index_add");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source,
		const at::Scalar&);
};
struct index_copy {
	static constexpr auto target = op("aten::index_copy");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source);
};
struct index_reduce {
	static constexpr auto target = op("aten::index_reduce");
	static at::Tensor fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source,
		std::string_view, bool);
};
}
namespace ferry {
using scatter_fakes = fakes<fake_ops::index_add, fake_ops::index_copy, fake_ops::index_reduce>;
}
namespace ferry {
struct default_fakes
	: concat_t<attention_fakes, convolution_fakes, cumulative_fakes, data_dependent_fakes, distance_fakes,
		factory_fakes, fft_fakes, grouped_fakes, linalg_fakes, lookup_fakes, loss_fakes, normalization_fakes,
		pointwise_fakes, pooling_fakes, position_fakes, product_fakes, quantization_fakes, random_fakes,
		rearranging_fakes, recurrent_fakes, reduction_fakes, scatter_fakes>,
	own_list {};
}
namespace ferry::patched {
struct traced_convolution {
	static constexpr auto target = op("aten::_convolution");
	static at::Tensor call(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		bool transposed, c10::SymIntArrayRef output_padding, const c10::SymInt& groups, bool, bool,
		bool, bool);
};
struct traced_convolution_deprecated {
	static constexpr auto target = op("aten::_convolution.deprecated");
	static at::Tensor call(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		bool transposed, c10::SymIntArrayRef output_padding, const c10::SymInt& groups, bool, bool,
		bool);
};
}
namespace ferry {
struct dynamo_stages : stages<"dynamo",                                             
		stage<"signature", input_preparers>,                  
		stage<"model patches", model_patches, patches, fakes>,
		stage<"pytree registration", pytrees>,                
		stage<"dynamic shapes">,                              
		stage<"state clean-up", stateful_member_list>         
		> {};
struct default_patches : patches<patched::traced_convolution, patched::traced_convolution_deprecated>, own_list {};
using dynamo_pipeline = pipeline<dynamo_stages, default_patches, default_fakes>;
}
#ifdef FERRY_COMPILED
namespace ferry {
extern template struct list_finder<default_fakes, capture::Kernel, capture::detail::bind_fake>;
extern template struct list_finder<default_patches, capture::Kernel, capture::detail::bind_patch>;
}
#endif
namespace ferry::detail {
[[nodiscard]] ExportedProgram retrace(const ExportedProgram& program, capture::OpRules rules);
[[nodiscard]] capture::Kernel composite_decomposition(std::string_view op);
[[nodiscard]] capture::Kernel find_core_decomposition(std::string_view op);
}
namespace ferry {
struct core_aten_decompositions;
namespace detail {
template <class List>
[[nodiscard]] capture::Kernel find_decomposition(std::string_view op) {
	if constexpr (std::is_same_v<List, core_aten_decompositions>) {
		return find_core_decomposition(op);
	} else {
		const auto listed = list_finder<List, capture::Kernel, capture::detail::bind_decomposition>::find(op);
		return listed != nullptr ? listed : composite_decomposition(op);
	}
}
template <class Fakes>
[[nodiscard]] capture::Kernel find_fake(std::string_view op) {
	using capture::detail::bind_fake;
	if constexpr (Fakes::size != 0) {
		static_assert(lists_differ<default_fakes, Fakes>());
		if (const auto own = list_finder<Fakes, capture::Kernel, bind_fake>::find(op)) return own;
	}
	return list_finder<default_fakes, capture::Kernel, bind_fake>::find(op);
}
}
template <class List, class Fakes>
ExportedProgram ExportedProgram::run_decompositions() const {
	if constexpr (!std::is_same_v<List, core_aten_decompositions>)
		static_assert(entry_list<List>, "ferry: run_decompositions takes a list, e.g. decompositions<my_silu>");
	static_assert(entry_list<Fakes>, "ferry: the second list of run_decompositions is one of fakes<...>");
	return detail::retrace(*this, {.fake = &detail::find_fake<Fakes>, .patch = &detail::find_decomposition<List>});
}
}
namespace ferry {
struct ValueSummary {
	std::string path{};                         
	std::string name{};                         
	std::string type{};                         
	std::optional<std::size_t> position{};      
	std::optional<DType> dtype{};               
	std::optional<std::vector<SymExpr>> shape{};
	std::optional<SymExpr> symbol{};            
	std::optional<Leaf> value{};                
};
struct TensorCount {
	std::size_t tensors = 0;
	std::uint64_t elements = 0;
	std::uint64_t bytes = 0;
	void add(const at::Tensor& tensor) {
		++tensors;
		elements += static_cast<std::uint64_t>(tensor.numel());
		bytes += static_cast<std::uint64_t>(tensor.numel()) * tensor.element_size();
	}
};
struct WeightSummary {
	TensorCount parameters{}, buffers{}, constants{};
	std::uint64_t bytes = 0;
	void add(TensorCount& kind, const at::Tensor& tensor) {
		kind.add(tensor);
		if (tensor.has_storage() && seen_.insert(tensor.storage().unsafeGetStorageImpl()).second)
		bytes += tensor.storage().nbytes();
	}
private:
	std::set<const void*> seen_;
};
struct ProgramSummary {
	std::vector<ValueSummary> inputs{};
	std::vector<ValueSummary> outputs{};
	std::vector<std::pair<std::string, std::string>> mutations{};
	std::vector<std::pair<std::string, ValueRange>> ranges{};
	std::vector<std::string> guards{};
	std::map<std::string, std::size_t> ops{};
	WeightSummary weights{};
};
namespace detail {
[[nodiscard]] ValueSummary summarize(const Graph& graph, const Argument& argument, std::size_t& tensors);
}
[[nodiscard]] ProgramSummary summarize(const ExportedProgram& program);
}
namespace ferry {
class Settings;
struct DynamoConfig {
	bool dynamic = false;
	DynamicShapes dynamic_shapes{};
	bool strict = false;
	bool prefer_deferred_runtime_asserts_over_guards = false;
	Progress progress{};
	static constexpr ExportFormat format = ExportFormat::dynamo;
	[[nodiscard]] const DynamoConfig& dynamo() const { return *this; }
	[[nodiscard]] tree::Context to_dict() const;
	[[nodiscard]] static DynamoConfig from_dict(const tree::Context& dict);
	[[nodiscard]] Settings settings();
};
}
namespace ferry::capture {
using RunModel = std::function<Tree(std::vector<Leaf>)>;
}
namespace ferry {
struct ModelState {
	std::vector<std::pair<std::string, at::Tensor>> parameters{};
	std::vector<std::pair<std::string, at::Tensor>> buffers{};
	std::vector<std::pair<std::string, at::Tensor>> constants{};
	std::vector<std::pair<std::string, const void*>> modules{};
};
}
namespace ferry {
[[nodiscard]] ExportedProgram export_program(const capture::RunModel& run, const Inputs& inputs,
		const ModelState& state, const DynamoConfig& config,
		capture::OpRules rules, std::function<std::string()> running_module = {});
}
namespace ferry {
namespace detail {
template <class Model>
concept is_module_tree = requires(Model& model) {
	model.modules(false).begin()->get();
	model.named_parameters(false);
	model.named_buffers(false);
	model.children();
};
template <class Module>
struct OwnParameters : Module {
	[[nodiscard]] static const auto& of(const Module& module) { return module.*(&OwnParameters::parameters_); }
};
template <class Module>
struct Registered {
	explicit Registered(const Module& module)
		: parameters(OwnParameters<Module>::of(module)),
		buffers(module.named_buffers(false)),
		children(module.children()) {}
	[[nodiscard]] bool is_of(const Module& module) const {
		return same(parameters, OwnParameters<Module>::of(module)) && same(buffers, module.named_buffers(false)) &&
		children == module.children();
	}
	decltype(std::declval<const Module&>().named_parameters(false)) parameters;
	decltype(std::declval<const Module&>().named_buffers(false)) buffers;
	decltype(std::declval<const Module&>().children()) children;
private:
	template <class Tensors>
	[[nodiscard]] static bool same(const Tensors& left, const Tensors& right) {
		if (left.size() != right.size()) return false;
		for (std::size_t i = 0; i < left.size(); ++i)
		if (!left[i].value().is_same(right[i].value()) || left[i].key() != right[i].key()) return false;
		return true;
	}
};
template <class Module>
class ModuleTreeGuard {
public:
	explicit ModuleTreeGuard(Module& root) {
		saved_.emplace_back(root);
		for (const auto& each : root.modules(false)) saved_.emplace_back(*each), kept_.push_back(each);
	}
	void keep_changes() {
		find_changed();
		for (const Saved* each : changed_) {
		const Registered now(*each->module);
		write_exchanged(each->registered.parameters, now.parameters);
		write_exchanged(each->registered.buffers, now.buffers);
		}
		is_known_ = true;
	}
	void put_back() {
		if (!std::exchange(is_known_, false)) find_changed();
		for (const Saved* each : changed_) *each->module = *each->before;
	}
private:
	using Registered = detail::Registered<Module>;
	struct Saved {
		explicit Saved(Module& saved)
		: module(&saved), before(std::make_unique<const Module>(saved)), registered(saved) {}
		Module* module;
		std::unique_ptr<const Module> before;
		Registered registered;
	};
	void find_changed() {
		changed_.clear();
		for (const Saved& each : saved_)
		if (!each.registered.is_of(*each.module)) changed_.push_back(&each);
	}
	template <class Items>
	static void write_exchanged(const Items& before, const Items& now) {
		for (const auto& item : before) {
		const at::Tensor* exchanged = now.find(item.key());
		const at::Tensor& place = item.value();
		if (exchanged == nullptr || exchanged->is_same(place) || !exchanged->defined() || !place.defined())
		continue;
		if (exchanged->sizes() == place.sizes() && exchanged->dtype() == place.dtype()) place.copy_(*exchanged);
		}
	}
	std::vector<Saved> saved_;
	std::vector<std::shared_ptr<Module>> kept_;
	std::vector<const Saved*> changed_;
	bool is_known_ = false;
};
template <class Model>
using module_of = typename decltype(std::declval<Model&>().modules(false))::value_type::element_type;
}
template <class Model>
class StateGuard {
public:
	explicit StateGuard(Model&) {}
	void keep_changes() {}
	void put_back() {}
};
template <detail::is_module_tree Model>
class StateGuard<Model> : public detail::ModuleTreeGuard<detail::module_of<Model>> {
public:
	explicit StateGuard(Model& model) : detail::ModuleTreeGuard<detail::module_of<Model>>(model) {}
};
namespace detail {
template <class Model>
[[nodiscard]] auto& innermost(Model& model) {
	if constexpr (!is_module_tree<Model> && std::is_class_v<Model> && requires {
		requires std::is_class_v<std::remove_cvref_t<decltype(*model)>>;
		})
		return innermost(*model);
	else
		return model;
}
template <class Guard>
struct PutBack {
	Guard& guard;
	~PutBack() { guard.put_back(); }
};
template <class Guard>
PutBack(Guard&) -> PutBack<Guard>;
}
}
namespace ferry {
namespace detail {
template <class Pointer>
struct member_parts;
template <class Class, class Type>
struct member_parts<Type Class::* const> {
	using owner = Class;
	using type = Type;
};
template <class Entry>
class SavedMember {
	using Owner = typename member_parts<decltype(Entry::pointer)>::owner;
	using Type = typename member_parts<decltype(Entry::pointer)>::type;
public:
	template <class Model>
	explicit SavedMember(Model& model) {
		if constexpr (is_module_tree<Model>) {
		save(dynamic_cast<Owner*>(&model));
		for (const auto& module : model.modules(/*include_self=*/false)) save(dynamic_cast<Owner*>(module.get()));
		} else if constexpr (std::is_base_of_v<Owner, std::remove_cv_t<Model>> && !std::is_const_v<Model>) {
		save(&model);
		}
	}
	void put_back() {
		for (auto& [owner, value] : saved_) owner->*Entry::pointer = value;
	}
private:
	void save(Owner* owner) {
		if (owner != nullptr) saved_.emplace_back(owner, owner->*Entry::pointer);
	}
	std::vector<std::pair<Owner*, Type>> saved_;
};
}
template <class List>
class MemberGuard;
template <class... Entries>
class MemberGuard<stateful_member_list<Entries...>> {
public:
	template <class Model>
	explicit MemberGuard(Model& model) : members_(detail::SavedMember<Entries>(model)...) {}
	void put_back() {
		std::apply([](auto&... member) { (member.put_back(), ...); }, members_);
	}
private:
	std::tuple<detail::SavedMember<Entries>...> members_;
};
}
#include <c10/util/ArrayRef.h>
namespace ferry {
namespace detail {
template <class Function>
struct forward_types;
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...)> {
	using types = std::tuple<std::decay_t<Args>...>;
};
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...) const> : forward_types<Result (Class::*)(Args...)> {};
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...) noexcept> : forward_types<Result (Class::*)(Args...)> {};
template <class Class, class Result, class... Args>
struct forward_types<Result (Class::*)(Args...) const noexcept> : forward_types<Result (Class::*)(Args...)> {};
template <class Result, class... Args>
struct forward_types<Result (*)(Args...)> {
	using types = std::tuple<std::decay_t<Args>...>;
};
template <class Model>
concept has_plain_forward = requires { typename forward_types<decltype(&Model::forward)>::types; };
template <class Model>
concept has_plain_call = requires { typename forward_types<decltype(&Model::operator())>::types; };
template <class Model>
concept is_function = std::is_function_v<Model>;
template <class Model>
concept points_to_model = requires(Model& model) {
	{ *model };
	requires std::is_class_v<std::remove_cvref_t<decltype(*model)>>;
};
template <class Type>
struct owner_of {
	using type = Type;
};
template <class Item>
struct owner_of<c10::ArrayRef<Item>> {
	using type = std::vector<Item>;
};
template <>
struct owner_of<std::string_view> {
	using type = std::string;
};
template <class Type>
struct owner_of<std::optional<Type>> {
	using type = std::optional<typename owner_of<Type>::type>;
};
[[noreturn]] inline void fail_inside(const std::string& input, const Error& error) {
	ErrorDetails details{.hint = error.hint(), .where = error.where()};
	const std::string& inside = error.where().path;
	details.where.path = inside.empty() || inside == "<root>" ? input : input + "." + inside;
	throw Error(error.kind(), error.message(), std::move(details));
}
using BoundInputs = std::vector<const Inputs::Item*>;
[[nodiscard]] inline BoundInputs bind_inputs(const Inputs& inputs, std::size_t count,
		std::span<const std::string_view> names) {
	BoundInputs bound(count);
	if (!names.empty()) {
		for (const Inputs::Item& item : inputs) {
		const auto at = algo::find(names, item.first);
		if (at == names.end()) {
		std::string known;
		for (const std::string_view name : names) known.append(known.empty() ? "" : ", ").append(name);
		throw Error(ErrorKind::invalid_input,
		"forward has no parameter '" + item.first + "'; its parameters are: " + known,
		{.where = {.stage = "signature", .path = item.first}});
		}
		bound[static_cast<std::size_t>(at - names.begin())] = &item;
		}
		return bound;
	}
	if (inputs.size() > count)
		throw Error(ErrorKind::invalid_input,
		"forward takes " + std::to_string(count) + " parameters, there are " +
		std::to_string(inputs.size()) + " inputs",
		{.where = {.stage = "signature"}});
	std::size_t position = 0;
	for (const Inputs::Item& item : inputs) bound[position++] = &item;
	return bound;
}
[[noreturn]] inline void refuse_absent(std::size_t position, std::span<const std::string_view> names) {
	throw Error(ErrorKind::invalid_input,
		names.empty() ? "forward takes more parameters than there are inputs"
		: "forward needs its parameter '" + std::string(names[position]) + "'",
		{.hint = "give an input for each parameter that has no default and is neither a tensor nor optional",
		.where = {.stage = "signature"}});
}
template <class Type, class Pytrees>
[[nodiscard]] Type parameter(const BoundInputs& bound, std::size_t position, std::span<const std::string_view> names) {
	if (bound[position] != nullptr) {
		const auto& [name, given] = *bound[position];
		if constexpr (std::same_as<Type, at::Tensor>) {
		if (given.is_leaf() && given.leaves[0].is_none()) return {};
		}
		try {
		return tree::unflatten<Type, Pytrees>(given);
		} catch (const Error& error) {
		fail_inside(name, error);
		}
	}
	if constexpr (std::same_as<Type, at::Tensor> || requires { Type(std::nullopt); })
		return {};
	else
		refuse_absent(position, names);
}
template <std::size_t Count, class Types, class Pytrees, class Call>
[[nodiscard]] decltype(auto) call_with_first(const BoundInputs& bound, std::span<const std::string_view> names,
		Call& call) {
	constexpr std::size_t all = std::tuple_size_v<Types>;
	const auto with = [&]<std::size_t... Index>(std::index_sequence<Index...>) -> decltype(auto) {
		return call(
		parameter<typename owner_of<std::tuple_element_t<Index, Types>>::type, Pytrees>(bound, Index, names)...);
	};
	if constexpr (Count == all) {
		return with(std::make_index_sequence<Count>{});
	} else {
		constexpr bool is_enough = []<std::size_t... Index>(std::index_sequence<Index...>) {
		return std::is_invocable_v<Call&, typename owner_of<std::tuple_element_t<Index, Types>>::type...>;
		}(std::make_index_sequence<Count>{});
		if constexpr (is_enough)
		if (std::all_of(bound.begin() + Count, bound.end(), [](const auto* item) { return item == nullptr; }))
		return with(std::make_index_sequence<Count>{});
		return call_with_first<Count + 1, Types, Pytrees>(bound, names, call);
	}
}
template <class Types, class Pytrees, class Call>
[[nodiscard]] decltype(auto) call_with(const Inputs& inputs, std::span<const std::string_view> names, Call&& call) {
	const BoundInputs bound = bind_inputs(inputs, std::tuple_size_v<Types>, names);
	return call_with_first<0, Types, Pytrees>(bound, names, call);
}
template <class Model>
struct require_forward {
	static_assert(
		sizeof(Model) == 0,
		"ferry: a model needs one `forward` that is neither a template nor overloaded, or to be callable likewise; wrap it "
		"in a lambda over tensors otherwise");
};
}
template <class Pytrees, class Model>
[[nodiscard]] Tree call_model(Model& model, const Inputs& inputs) {
	const auto flat = [](auto&& result) { return tree::flatten<Pytrees>(std::forward<decltype(result)>(result)); };
	if constexpr (detail::is_function<Model>) {
		return flat(
		detail::call_with<typename detail::forward_types<std::decay_t<Model>>::types, Pytrees>(inputs, {}, model));
	} else if constexpr (detail::has_plain_forward<Model>) {
		using types = typename detail::forward_types<decltype(&Model::forward)>::types;
		constexpr std::span<const std::string_view> names = detail::parameter_names<Model>();
		static_assert(names.empty() || names.size() == std::tuple_size_v<types>,
		"ferry: forward_parameters names each parameter of forward, in order");
		return flat(detail::call_with<types, Pytrees>(
		inputs, names, [&](auto&&... args) -> decltype(model.forward(std::forward<decltype(args)>(args)...)) {
		return model.forward(std::forward<decltype(args)>(args)...);
		}));
	} else if constexpr (detail::points_to_model<Model>) {
		return call_model<Pytrees>(*model, inputs);
	} else if constexpr (requires {
		model.forward(at::Tensor());
		}) {
		return flat(detail::call_with<std::tuple<at::Tensor>, Pytrees>(
		inputs, {}, [&](at::Tensor input) { return model.forward(std::move(input)); }));
	} else if constexpr (detail::has_plain_call<Model>) {
		using types = typename detail::forward_types<decltype(&Model::operator())>::types;
		return flat(detail::call_with<types, Pytrees>(inputs, {}, model));
	} else {
		static_cast<void>(detail::require_forward<Model>{});
		return {};
	}
}
template <class Model>
[[nodiscard]] ModelState state_of(Model& model) {
	ModelState state;
	if constexpr (requires {
		model.named_parameters(true);
		model.named_buffers(true);
		}) {
		for (const auto& item : model.named_parameters(true)) state.parameters.emplace_back(item.key(), item.value());
		for (const auto& item : model.named_buffers(true)) state.buffers.emplace_back(item.key(), item.value());
		if constexpr (requires { model.named_modules(std::string(), false); })
		for (const auto& item : model.named_modules(std::string(), false))
		state.modules.emplace_back(item.key(), dynamic_cast<const void*>(item.value().get()));
	} else if constexpr (detail::points_to_model<Model>) {
		return state_of(*model);
	}
	return state;
}
}
namespace ferry {
template <class Model>
struct model_adapter {
	using Inner = std::remove_reference_t<decltype(detail::innermost(std::declval<Model&>()))>;
	using Guard = StateGuard<Inner>;
	template <class Pytrees>
	[[nodiscard]] static Tree call(Model& model, const Inputs& inputs) {
		return call_model<Pytrees>(model, inputs);
	}
	[[nodiscard]] static ModelState state(Model& model) { return state_of(model); }
	[[nodiscard]] static Guard guard(Model& model) { return Guard(detail::innermost(model)); }
	[[nodiscard]] static std::function<std::string()> running_module(Model&) { return {}; }
};
}
#include <c10/core/GradMode.h>
namespace ferry {
struct PreparedInputs {
	Inputs inputs{};
	Inputs
		output_flags{};
};
namespace detail {
template <class Entry>
[[nodiscard]] bool concerns(const Inputs& inputs) {
	if constexpr (is_names<std::remove_cvref_t<decltype(Entry::input)>>)
		return algo::any_of(Entry::input.each, [&](std::string_view name) { return inputs.has(name); });
	else
		return inputs.has(Entry::input);
}
struct NoModel {};
template <class List>
struct run_preparers;
template <template <class...> class Kind, class... Entries>
struct run_preparers<Kind<Entries...>> {
	template <class Model>
	static void run([[maybe_unused]] Model& model, [[maybe_unused]] Inputs& inputs) {
		const c10::AutoGradMode no_gradients(false);
		(run_one<Entries>(model, inputs), ...);
	}
private:
	template <class Entry, class Model>
	static void run_one([[maybe_unused]] Model& model, Inputs& inputs) {
		if (!concerns<Entry>(inputs)) return;
		if constexpr (!prepares_with_model<Entry>)
		Entry::prepare(inputs);
		else if constexpr (!std::same_as<Model, NoModel> && requires { Entry::prepare(model, inputs); })
		Entry::prepare(model, inputs);
	}
};
template <class Model>
void prepare_by_model([[maybe_unused]] Model& model, [[maybe_unused]] Inputs& inputs) {
	if constexpr (requires {
		{ model.prepare_inputs(std::move(inputs)) } -> std::same_as<Inputs>;
		})
		inputs = model.prepare_inputs(std::move(inputs));
	else if constexpr (std::is_class_v<Model> &&
		requires { requires std::is_class_v<std::remove_cvref_t<decltype(*model)>>; })
		prepare_by_model(*model, inputs);
}
inline void refuse_labels(const Inputs& inputs) {
	for (const std::string_view name : {"labels", "future_values"})
		if (inputs.has(name))
		throw Error(ErrorKind::invalid_input, "labels are among the inputs, and a loss cannot be exported",
		{.hint = "leave this input out", .where = {.stage = "signature", .path = std::string(name)}});
	if (!inputs.contains("return_loss")) return;
	const Tree asked = inputs.at("return_loss");
	if (asked.leaves.size() == 1 && asked.leaves[0] == Leaf(true))
		throw Error(ErrorKind::invalid_input, "a loss is asked for, and cannot be exported",
		{.hint = "leave this input out", .where = {.stage = "signature", .path = "return_loss"}});
}
[[nodiscard]] inline Inputs cast_inputs(const Inputs& inputs, const ModelState& state) {
	std::optional<at::Tensor> first;
	for (const auto& [name, parameter] : state.parameters)
		if (!first && parameter.defined()) first = parameter;
	if (!first) return inputs;
	Tree all = inputs.tree();
	for (Leaf& leaf : all.leaves) {
		if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
		const at::Tensor& tensor = leaf.tensor();
		const bool casts = tensor.is_floating_point() && first->is_floating_point();
		leaf = tensor.to(
		tensor.options().device(first->device()).dtype(casts ? first->scalar_type() : tensor.scalar_type()));
	}
	return tree::unflatten<Inputs>(all);
}
template <class Pipeline, class Model>
void prepare_inputs(Model& model, Inputs& inputs) {
	refuse_labels(inputs);
	prepare_by_model(model, inputs);
	run_preparers<typename Pipeline::template stage<input_preparers>>::run(innermost(model), inputs);
}
template <class Pipeline, class Model>
[[nodiscard]] PreparedInputs prepare_all(Model& model, const ModelState& state, Inputs inputs) {
	refuse_labels(inputs);
	PreparedInputs prepared;
	for (const std::string_view label : {"labels", "future_values"}) inputs.erase(label);
	for (const std::string_view flag :
		{"use_cache", "output_attentions", "output_hidden_states", "return_dict", "return_loss"}) {
		if (!inputs.contains(flag)) continue;
		prepared.output_flags.set(flag, inputs.at(flag));
		inputs.erase(flag);
	}
	prepare_by_model(model, inputs);
	run_preparers<typename Pipeline::template stage<input_preparers>>::run(innermost(model), inputs);
	prepared.inputs = cast_inputs(inputs, state);
	return prepared;
}
}
template <class Pipeline = dynamo_pipeline>
[[nodiscard]] PreparedInputs prepare_for_export(const ModelState& state, Inputs inputs) {
	detail::NoModel none;
	return detail::prepare_all<Pipeline>(none, state, std::move(inputs));
}
template <class Pipeline = dynamo_pipeline, class Model>
	requires(!std::same_as<std::remove_cv_t<Model>, ModelState>)
[[nodiscard]] PreparedInputs prepare_for_export(Model& model, Inputs inputs) {
	return detail::prepare_all<Pipeline>(model, state_of(model), std::move(inputs));
}
}
namespace ferry {
template <class Pipeline = dynamo_pipeline>
class DynamoExporter {
public:
	using Config = DynamoConfig;
	static constexpr std::string_view suffix = ".pt2";
	template <class Model>
	[[nodiscard]] ExportedProgram export_model(Model&& model, Inputs inputs, const DynamoConfig& config = {}) const {
		using Pytrees = typename Pipeline::template stage<pytrees>;
		detail::prepare_inputs<Pipeline>(model, inputs);
		const TreeSpec spec = inputs.spec();
		using Adapter = model_adapter<std::remove_reference_t<Model>>;
		auto state = Adapter::guard(model);
		MemberGuard<typename Pipeline::template stage<stateful_member_list>> members(detail::innermost(model));
		capture::RunModel run = [&](std::vector<Leaf> leaves) {
		const detail::PutBack at_end{state};
		const detail::PutBack members_too{members};
		Tree result =
		Adapter::template call<Pytrees>(model, tree::unflatten<Inputs>(Tree(spec, std::move(leaves))));
		state.keep_changes();
		return result;
		};
		return ferry::export_program(run, inputs, Adapter::state(model), config, capture::rules_of<Pipeline>,
		Adapter::running_module(model));
	}
	[[nodiscard]] ExportedProgram export_program(ExportedProgram program, const DynamoConfig& = {}) const {
		return program;
	}
	template <class Model, std::same_as<InputObserver> Observer>
	[[nodiscard]] ExportedProgram export_model(Model&& model, const Observer& observer,
		const DynamoConfig& config = {}) const {
		return export_model(std::forward<Model>(model), observer.infer_arguments(), observer.with_shapes(config));
	}
};
}
#include <torch/csrc/jit/api/module.h>
namespace ferry {
namespace detail {
[[nodiscard]] Tree call_script(torch::jit::Module& model, const Inputs& inputs);
[[nodiscard]] ModelState state_of_script(const torch::jit::Module& model);
[[nodiscard]] std::function<std::string()> script_paths(const torch::jit::Module& model);
class ScriptGuard {
public:
	explicit ScriptGuard(const torch::jit::Module& model);
	void keep_changes();
	void put_back();
private:
	struct Saved {
		c10::intrusive_ptr<c10::ivalue::Object> object;
		std::size_t slot;
		c10::IValue value;
		c10::IValue inside;
	};
	std::vector<Saved> saved_;
};
}
template <>
struct model_adapter<torch::jit::Module> {
	using Guard = detail::ScriptGuard;
	template <class Pytrees>
	[[nodiscard]] static Tree call(torch::jit::Module& model, const Inputs& inputs) {
		return detail::call_script(model, inputs);
	}
	[[nodiscard]] static ModelState state(const torch::jit::Module& model) { return detail::state_of_script(model); }
	[[nodiscard]] static Guard guard(const torch::jit::Module& model) { return Guard(model); }
	[[nodiscard]] static std::function<std::string()> running_module(const torch::jit::Module& model) {
		return detail::script_paths(model);
	}
};
}
#include <ATen/core/dispatch/Dispatcher.h>
namespace ferry {
[[nodiscard]] inline std::optional<c10::OperatorHandle> find_op(std::string_view name) {
	const auto dot = name.find('.');
	return c10::Dispatcher::singleton().findSchema(
		{std::string(name.substr(0, dot)), dot == std::string_view::npos ? "" : std::string(name.substr(dot + 1))});
}
}
namespace ferry {
[[nodiscard]] constexpr DType stored_dtype(DType dtype) noexcept {
	switch (dtype) {
		case DType::complex32: return DType::float16;
		case DType::complex64: return DType::float32;
		case DType::complex128: return DType::float64;
		default: return dtype;
	}
}
[[nodiscard]] inline std::vector<SymExpr> stored_sizes(const TensorMeta& meta) {
	std::vector<SymExpr> sizes = meta.sizes;
	if (is_complex(meta.dtype)) sizes.emplace_back(2);
	return sizes;
}
[[nodiscard]] inline bool is_complex_value(const Graph& graph, Value value) {
	const ValueInfo& info = graph.info(value);
	return info.kind == ValueKind::tensor && is_complex(info.tensor.dtype);
}
[[nodiscard]] inline bool is_on_complex(const Graph& graph, const Node& node) {
	bool found = false;
	for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) { found = found || is_complex_value(graph, value); });
	for (const Output& output : node.outputs())
		for (const Value value : output.values) found = found || (value && is_complex_value(graph, value));
	return found;
}
[[nodiscard]] inline bool has_complex_values(const Graph& graph) {
	for (std::uint32_t i = 0; i < graph.num_values(); ++i)
		if (is_complex_value(graph, {i})) return true;
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		if (has_complex_values(graph.subgraph({i}))) return true;
	return false;
}
[[nodiscard]] inline std::string complex_name(std::string_view op) {
	return "complex::" + std::string(op.substr(op.find("::") + 2));
}
[[nodiscard]] inline bool acts_on_parts(std::string_view op) {
	static constexpr auto ops = std::to_array<std::string_view>({"aten::add.Tensor",
		"aten::add.Scalar",
		"aten::sub.Tensor",
		"aten::sub.Scalar",
		"aten::neg",
		"aten::sum",
		"aten::sum.dim_IntList",
		"aten::mean",
		"aten::mean.dim",
		"aten::cumsum",
		"aten::clone",
		"aten::contiguous",
		"aten::alias",
		"aten::detach",
		"aten::lift_fresh_copy",
		"aten::view",
		"aten::reshape",
		"aten::_unsafe_view",
		"aten::flatten.using_ints",
		"aten::unsqueeze",
		"aten::squeeze",
		"aten::squeeze.dim",
		"aten::squeeze.dims",
		"aten::expand",
		"aten::permute",
		"aten::transpose.int",
		"aten::t",
		"aten::slice.Tensor",
		"aten::narrow",
		"aten::select.int",
		"aten::cat",
		"aten::stack",
		"aten::split.Tensor",
		"aten::split_with_sizes",
		"aten::chunk",
		"aten::unbind.int",
		"aten::repeat",
		"aten::flip",
		"aten::roll",
		"aten::index.Tensor",
		"aten::index_select",
		"aten::gather",
		"aten::where.self",
		"aten::constant_pad_nd",
		"aten::pad",
		"aten::index_add",
		"aten::as_strided",
		"aten::unfold",
		"aten::select_scatter",
		"aten::slice_scatter",
		"aten::copy",
		"aten::zeros",
		"aten::zeros_like",
		"aten::new_zeros",
		"aten::zero",
		"aten::empty.memory_format",
		"aten::empty_like",
		"aten::new_empty",
		"aten::empty_permuted",
		"aten::empty_strided"});
	return algo::contains(ops, op);
}
}
namespace ferry {
namespace transformers_library {
struct grouped_mm_fallback {
	static constexpr auto target = op("transformers::grouped_mm_fallback");
	static constexpr std::string_view schema = "(Tensor input, Tensor weight, Tensor offs) -> Tensor";
	static at::Tensor call(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs);
	static at::Tensor decompose(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs);
};
}
using transformers_ops = library_ops<transformers_library::grouped_mm_fallback>;
}
namespace ferry {
struct default_library_ops : transformers_ops, own_list {};
namespace detail {
template <class List>
struct as_decompositions;
template <class... Entries>
struct as_decompositions<library_ops<Entries...>> {
	using type = decompositions<Entries...>;
};
}
using library_decompositions = detail::as_decompositions<plain_t<default_library_ops>>::type;
}
namespace ferry::detail {
using FixNode = bool (*)(Graph&, Node&);
template <class Entry>
struct bind_node_fix {
	static constexpr FixNode value = &Entry::fix;
};
template <class Pipeline>
[[nodiscard]] bool fix_node(Graph& graph, Node& node) {
	const FixNode fix = pipeline_finder<Pipeline, node_fixes<>, FixNode, bind_node_fix>::find(node.op());
	return fix != nullptr && fix(graph, node);
}
template <class Pipeline>
[[nodiscard]] capture::Kernel find_own_parts(std::string_view op) {
	return pipeline_finder<Pipeline, decompositions<>, capture::Kernel, capture::detail::bind_decomposition>::find(op);
}
template <class Pipeline, auto FindParts>
[[nodiscard]] capture::Kernel find_patch_or_parts(std::string_view op) {
	const capture::Kernel patch = capture::rules_of<Pipeline>.patch(op);
	return patch != nullptr ? patch : FindParts(op);
}
template <auto FindParts>
[[nodiscard]] bool has_parts(std::string_view op) {
	return FindParts(op) != nullptr;
}
template <class Pipeline, auto FindParts>
[[nodiscard]] ExportedProgram take_program_apart(const ExportedProgram& program) {
	return retrace(program, {.fake = capture::rules_of<Pipeline>.fake, .patch = FindParts});
}
}
namespace ferry {
namespace decomposed {
struct multi_head_attention {
	static constexpr auto target = op("aten::_native_multi_head_attention");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& query, const at::Tensor& key,
		const at::Tensor& value, std::int64_t width, std::int64_t heads,
		const at::Tensor& qkv_weight, const at::Tensor& qkv_bias,
		const at::Tensor& proj_weight, const at::Tensor& proj_bias,
		const std::optional<at::Tensor>& mask, bool need_weights,
		bool average, std::optional<std::int64_t> mask_type);
};
struct encoder_layer {
	static constexpr auto target = op("aten::_transformer_encoder_layer_fwd");
	static at::Tensor decompose(const at::Tensor& src, std::int64_t width, std::int64_t heads,
		const at::Tensor& qkv_weight, const at::Tensor& qkv_bias, const at::Tensor& proj_weight,
		const at::Tensor& proj_bias, bool use_gelu, bool norm_first, double eps,
		const at::Tensor& norm_weight_1, const at::Tensor& norm_bias_1,
		const at::Tensor& norm_weight_2, const at::Tensor& norm_bias_2,
		const at::Tensor& ffn_weight_1, const at::Tensor& ffn_bias_1,
		const at::Tensor& ffn_weight_2, const at::Tensor& ffn_bias_2,
		const std::optional<at::Tensor>& mask, std::optional<std::int64_t> mask_type);
};
}
struct fused_layer_decompositions : decompositions<decomposed::multi_head_attention, decomposed::encoder_layer>,
		own_list {};
}
#if !defined(FERRY_COMPILED) || defined(FERRY_COMPILED_SOURCE)
#ifdef FERRY_COMPILED
#define FERRY_INLINE
#else
#define FERRY_INLINE inline
#endif
namespace ferry {
namespace tree::detail {
FERRY_INLINE Tree dict_tree(const std::vector<Inputs::Item>& items) {
	std::vector<Context> keys;
	std::vector<Tree> values;
	for (const auto& [name, value] : items) {
		keys.emplace_back(name);
		values.push_back(value);
	}
	return Tree::dict(std::move(keys), std::move(values));
}
}
FERRY_INLINE Inputs::Inputs(std::vector<Item> items) : items_(std::move(items)) {
	for (const auto& [name, value] : items_)
		if (find(name) != &value)
		throw Error(ErrorKind::invalid_input, "the input '" + name + "' is given twice", {.where = {.path = name}});
}
FERRY_INLINE Tree Inputs::tree() const { return tree::detail::dict_tree(items_); }
FERRY_INLINE Tree Inputs::at(std::string_view path) const {
	if (const Tree* direct = find(path)) return *direct;
	return tree().at(path);
}
FERRY_INLINE bool Inputs::contains(std::string_view path) const {
	return find(path) != nullptr || tree().contains(path);
}
FERRY_INLINE bool Inputs::has(std::string_view path) const {
	return contains(path) && !algo::all_of(at(path).leaves, &Leaf::is_absent);
}
FERRY_INLINE bool Inputs::erase(std::string_view name) {
	return std::erase_if(items_, [&](const Item& item) { return item.first == name; }) != 0;
}
}
namespace ferry {
FERRY_INLINE LeafTensors::LeafTensors(const Tree& tree) {
	const auto paths = tree.spec.leaf_paths();
	for (std::size_t i = 0; i < paths.size(); ++i) {
		if (!tree.leaves[i].is_tensor() || !tree.leaves[i].tensor().defined()) continue;
		const std::string& path = tree.is_leaf() ? "output" : paths[i];
		if (!index_.emplace(path, items_.size()).second)
		throw Error(ErrorKind::invalid_input, "two tensors have the same path",
		{.hint = "a key with a dot in it reads like a nested one; rename it", .where = {.path = path}});
		items_.emplace_back(path, tree.leaves[i].tensor());
	}
}
FERRY_INLINE std::vector<std::vector<std::string>> LeafTensors::shared() const {
	std::map<const void*, std::size_t> first;
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
FERRY_INLINE void cast(Tree& tree, const CastOptions& options) {
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
FERRY_INLINE void clone_repeated(Tree& tree) {
	std::set<const void*> seen;
	for (Leaf& leaf : tree.leaves)
		if (leaf.is_tensor() && leaf.tensor().defined() && !seen.insert(leaf.tensor().unsafeGetTensorImpl()).second)
		leaf = leaf.tensor().clone();
}
}
}
namespace ferry {
FERRY_INLINE TreeSpec TreeSpec::make(Node node) {
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
FERRY_INLINE TreeSpec TreeSpec::container(Kind kind, tree::Context context, std::vector<TreeSpec> children) {
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
FERRY_INLINE TreeSpec TreeSpec::opaque(std::string type, tree::Context context, std::vector<TreeSpec> children,
		std::vector<std::string> names, bool verbatim) {
	if (type.empty()) throw Error(ErrorKind::invalid_input, "a tree spec of a registered type needs the type's name");
	const tree::Context* first = &context;
	if (first->is_list() && !first->items().empty() && first->items().front().is_list())
		first = &first->items().front();
	if (names.empty() && first->is_list() && first->items().size() == children.size() &&
		tree::detail::all_text(first->items()))
		for (const tree::Context& name : first->items()) names.push_back(name.text());
	if (names.empty()) names = tree::detail::TaggedNames::of(context, children.size());
	if (names.size() != children.size()) names.clear();
	return make({.kind = Kind::opaque,
		.verbatim = verbatim,
		.type = std::move(type),
		.context = std::move(context),
		.children = std::move(children),
		.names = std::move(names)});
}
FERRY_INLINE bool TreeSpec::is_sequence() const noexcept {
	return kind() == Kind::list || kind() == Kind::tuple || kind() == Kind::deque || kind() == Kind::named_tuple;
}
FERRY_INLINE bool TreeSpec::is_mapping() const noexcept {
	return kind() == Kind::dict || kind() == Kind::ordered_dict || kind() == Kind::default_dict;
}
FERRY_INLINE std::string_view TreeSpec::type() const noexcept {
	return kind() == Kind::opaque ? std::string_view(node().type) : tree::detail::kind_names[std::size_t(kind())].type;
}
FERRY_INLINE std::string TreeSpec::child_name(std::size_t index) const {
	if (is_mapping()) return tree::detail::key_name(keys()[index]);
	return node().names.empty() ? std::to_string(index) : node().names[index];
}
FERRY_INLINE std::vector<std::string> TreeSpec::child_names() const {
	std::vector<std::string> names;
	names.reserve(children().size());
	for (std::size_t i = 0; i < children().size(); ++i) names.push_back(child_name(i));
	return names;
}
FERRY_INLINE void TreeSpec::append_paths(std::vector<std::string>& paths, std::string& prefix, bool is_root) const {
	if (is_leaf()) return paths.push_back(prefix);
	const std::size_t length = prefix.size();
	for (std::size_t i = 0; i < children().size(); ++i) {
		if (!is_root) prefix += '.';
		prefix += child_name(i);
		children()[i].append_paths(paths, prefix, false);
		prefix.resize(length);
	}
}
FERRY_INLINE std::vector<std::string> TreeSpec::leaf_paths() const {
	std::vector<std::string> paths;
	paths.reserve(num_leaves());
	std::string prefix;
	append_paths(paths, prefix, true);
	return paths;
}
FERRY_INLINE std::optional<TreeSpec::Place> TreeSpec::find(std::string_view path) const {
	return path.empty() ? Place{*this, 0} : find_below(path);
}
FERRY_INLINE std::optional<TreeSpec::Place> TreeSpec::find_below(std::string_view path) const {
	std::size_t first_leaf = 0;
	for (std::size_t i = 0; i < children().size(); first_leaf += children()[i++].num_leaves()) {
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
FERRY_INLINE TreeSpec TreeSpec::with_choice(std::uint32_t alternative) const {
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
FERRY_INLINE std::string TreeSpec::context_str() const {
	const auto class_named = [](std::string_view module, std::string_view name) {
		return "<class '" + (module == "builtins" || module.empty() ? "" : std::string(module) + '.') +
		std::string(name) + "'>";
	};
	if (kind() == Kind::default_dict)
		return '[' +
		class_named(context().find("default_factory_module")->text(),
		context().find("default_factory_name")->text()) +
		", " + tree::python_repr(*context().find("dict_context")) + ']';
	if (kind() == Kind::named_tuple || (kind() == Kind::opaque && context().is_text() && context().text() == type()))
		return class_named({}, context().text());
	return context().is_text() ? context().text() : tree::python_repr(context());
}
FERRY_INLINE void TreeSpec::append_str(std::string& out, std::size_t indent) const {
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
FERRY_INLINE std::string TreeSpec::str() const {
	std::string out;
	append_str(out, 0);
	return out;
}
}
namespace ferry {
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
[[nodiscard]] inline std::vector<TreeSpec> join(std::vector<Tree>& children, std::vector<Leaf>& leaves) {
	std::vector<TreeSpec> specs;
	specs.reserve(children.size());
	for (Tree& child : children) {
		specs.push_back(std::move(child.spec));
		leaves.insert(leaves.end(), std::move_iterator(child.leaves.begin()), std::move_iterator(child.leaves.end()));
	}
	return specs;
}
}
FERRY_INLINE Tree::Tree(TreeSpec spec_, std::vector<Leaf> leaves_)
	: spec(std::move(spec_)), leaves(std::move(leaves_)) {
	if (leaves.size() == spec.num_leaves()) return;
	const auto paths = spec.leaf_paths();
	std::string message = "the tree has " + std::to_string(paths.size()) + " leaves, but " +
		std::to_string(leaves.size()) + " were given";
	throw Error(ErrorKind::invalid_input, message,
		{.hint = leaves.size() < paths.size() ? "the first one missing is '" + paths[leaves.size()] + "'" : "",
		.where = {.path = leaves.size() < paths.size() ? paths[leaves.size()] : ""}});
}
FERRY_INLINE Tree Tree::list(std::vector<Tree> children) {
	std::vector<Leaf> leaves;
	auto specs = tree::detail::join(children, leaves);
	return {TreeSpec::list(std::move(specs)), std::move(leaves)};
}
FERRY_INLINE Tree Tree::tuple(std::vector<Tree> children) {
	std::vector<Leaf> leaves;
	auto specs = tree::detail::join(children, leaves);
	return {TreeSpec::tuple(std::move(specs)), std::move(leaves)};
}
FERRY_INLINE Tree Tree::dict(std::vector<tree::Context> keys, std::vector<Tree> children) {
	std::vector<Leaf> leaves;
	auto specs = tree::detail::join(children, leaves);
	return {TreeSpec::dict(std::move(keys), std::move(specs)), std::move(leaves)};
}
FERRY_INLINE std::vector<Tree> Tree::children() const {
	std::vector<Tree> made;
	auto from = leaves.begin();
	for (const TreeSpec& child : spec.children()) {
		const auto to = from + static_cast<std::ptrdiff_t>(child.num_leaves());
		made.emplace_back(child, std::vector<Leaf>(from, to));
		from = to;
	}
	return made;
}
FERRY_INLINE Tree Tree::at(std::string_view path) const {
	const auto place = spec.find(path);
	if (!place) tree::detail::no_such_path(spec, path);
	const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(place->first_leaf);
	return {place->spec, std::vector<Leaf>(from, from + static_cast<std::ptrdiff_t>(place->spec.num_leaves()))};
}
FERRY_INLINE Leaf& Tree::leaf(std::string_view path) {
	const auto place = spec.find(path);
	if (!place || !place->spec.is_leaf()) tree::detail::no_such_path(spec, path);
	return leaves[place->first_leaf];
}
}
namespace ferry::capture::detail {
template <class Visit>
void for_each_tensor(const c10::IValue& value, Visit&& visit) {
	if (value.isTensor()) {
		if (value.toTensor().defined()) visit(value.toTensor());
	} else if (value.isTensorList()) {
		for (const at::Tensor& tensor : value.toTensorVector())
		if (tensor.defined()) visit(tensor);
	} else if (value.isOptionalTensorList()) {
		for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
		if (tensor && tensor->defined()) visit(*tensor);
	}
}
template <class Exchange>
[[nodiscard]] c10::IValue exchange_tensors(const c10::IValue& value, Exchange&& exchange) {
	if (value.isTensor()) return exchange(value.toTensor());
	if (value.isTensorList()) {
		c10::List<at::Tensor> made;
		for (const at::Tensor& tensor : value.toTensorVector()) made.push_back(exchange(tensor));
		return made;
	}
	if (value.isOptionalTensorList()) {
		c10::List<std::optional<at::Tensor>> made;
		for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
		made.push_back(tensor ? std::optional(exchange(*tensor)) : std::nullopt);
		return made;
	}
	return value;
}
[[nodiscard]] inline std::span<c10::IValue> last(torch::jit::Stack& stack, std::size_t count) {
	return std::span(stack).last(count);
}
}
#include <ATen/EmptyTensor.h>
#include <ATen/ops/from_blob.h>
#include <sys/mman.h>
#include <new>
namespace ferry::capture {
inline constexpr const char* no_data = "ferry: no data";
inline void forbid_data(const at::Tensor& fake) {
	fake.unsafeGetTensorImpl()
		->unsafe_storage()
		.unsafeGetStorageImpl()
		->release_data_and_set_meta_custom_data_ptr_error_msg_(no_data);
}
[[nodiscard]] inline at::Tensor make_fake(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type) {
	at::Tensor fake(at::detail::empty_strided_meta(sizes, strides, type));
	forbid_data(fake);
	return fake;
}
[[nodiscard]] inline at::Tensor fake_like(const at::Tensor& real) {
	return make_fake(real.sizes(), real.strides(), real.scalar_type());
}
namespace detail {
[[nodiscard]] inline at::Tensor as_zeros(const at::Tensor& tensor) {
	if (!tensor.defined() || !tensor.is_meta()) return tensor;
	const auto bytes = std::max<std::size_t>(
		{1, tensor.nbytes(),
		at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.dtype().itemsize())});
	void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) throw std::bad_alloc();
	return at::from_blob(
		memory, tensor.sizes(), tensor.strides(), [bytes](void* at) { ::munmap(at, bytes); },
		tensor.options().device(at::kCPU));
}
[[nodiscard]] inline at::Tensor as_meta(const at::Tensor& tensor) {
	return tensor.defined() && !tensor.is_meta() ? fake_like(tensor) : tensor;
}
}
inline void run_on_zeros(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
	const auto& arguments = op.schema().arguments();
	const std::size_t first = stack.size() - arguments.size();
	for (std::size_t i = 0; i < arguments.size(); ++i) {
		c10::IValue& value = stack[first + i];
		if (value.isDevice())
		value = c10::Device(c10::kCPU);
		else
		value = detail::exchange_tensors(value, detail::as_zeros);
	}
	op.callBoxed(stack);
	for (std::size_t i = first; i < stack.size(); ++i) stack[i] = detail::exchange_tensors(stack[i], detail::as_meta);
}
}
#include <numeric>
namespace ferry::detail {
struct SymPoly {
	std::vector<SymTerm> terms;
	std::int64_t constant = 0;
	SymPoly() = default;
	explicit SymPoly(const SymExpr& a) { add(a); }
	void add(const SymExpr& a, std::int64_t scale = 1) {
		if (scale == 0) return;
		if (a.is_constant() || a.op() == SymOp::sum) constant = checked_add(constant, checked_mul(scale, a.value()));
		if (a.is_constant()) return;
		if (a.op() != SymOp::sum) {
		terms.push_back({scale, {{a, 1}}});
		return;
		}
		for (const auto& term : a.terms()) terms.push_back({checked_mul(scale, term.coefficient), term.factors});
	}
};
inline SymExpr from_poly(SymPoly&& poly) {
	auto& terms = poly.terms;
	algo::sort(terms, [](const SymTerm& a, const SymTerm& b) { return compare_products(a.factors, b.factors) < 0; });
	std::size_t kept = 0;
	for (std::size_t i = 0; i < terms.size();) {
		SymTerm term = std::move(terms[i]);
		for (++i; i < terms.size() && compare_products(term.factors, terms[i].factors) == 0; ++i)
		term.coefficient = checked_add(term.coefficient, terms[i].coefficient);
		if (term.coefficient != 0) terms[kept++] = std::move(term);
	}
	terms.resize(kept);
	if (terms.empty()) return poly.constant;
	if (kept == 1 && poly.constant == 0 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
		terms[0].factors[0].exponent == 1)
		return terms[0].factors[0].base;
	SymNode node{.op = SymOp::sum, .constant = poly.constant};
	node.terms = std::move(terms);
	return sym_access::make(std::move(node));
}
inline std::vector<SymFactor> multiply(const std::vector<SymFactor>& a, const std::vector<SymFactor>& b) {
	std::vector<SymFactor> product;
	product.reserve(a.size() + b.size());
	std::int32_t degree = 0;
	auto left = a.begin();
	auto right = b.begin();
	while (left != a.end() || right != b.end()) {
		const auto order = left == a.end()    ? std::strong_ordering::greater
		: right == b.end() ? std::strong_ordering::less
		: left->base <=> right->base;
		SymFactor factor = order <= 0 ? *left : *right;
		if (order == 0) factor.exponent += right->exponent;
		left += order <= 0 ? 1 : 0;
		right += order >= 0 ? 1 : 0;
		degree += factor.exponent;
		if (degree > SymExpr::max_degree) sym_too_large();
		product.push_back(std::move(factor));
	}
	return product;
}
inline bool cancel_common_factors(SymPoly& dividend, SymTerm& divisor) {
	if (dividend.constant != 0 || dividend.terms.empty()) return false;
	bool changed = false;
	for (auto factor = divisor.factors.begin(); factor != divisor.factors.end();) {
		std::int32_t common = factor->exponent;
		for (const auto& term : dividend.terms) {
		const auto at = algo::find(term.factors, factor->base, &SymFactor::base);
		common = std::min(common, at == term.factors.end() ? 0 : at->exponent);
		}
		if (common > 0) {
		changed = true;
		for (auto& term : dividend.terms) {
		const auto at = algo::find(term.factors, factor->base, &SymFactor::base);
		at->exponent -= common;
		if (at->exponent == 0) term.factors.erase(at);
		}
		factor->exponent -= common;
		}
		factor = factor->exponent == 0 ? divisor.factors.erase(factor) : factor + 1;
	}
	for (auto term = dividend.terms.begin(); term != dividend.terms.end();) {
		if (!term->factors.empty()) {
		++term;
		continue;
		}
		dividend.constant = checked_add(dividend.constant, term->coefficient);
		term = dividend.terms.erase(term);
	}
	return changed;
}
inline std::int64_t content(const SymPoly& poly, std::int64_t start) {
	for (const auto& term : poly.terms) {
		if (term.coefficient == std::numeric_limits<std::int64_t>::min()) return 1;
		start = std::gcd(start, term.coefficient);
	}
	return start;
}
inline bool lacks_int64_min(const SymExpr& a) { return !a.is_constant(std::numeric_limits<std::int64_t>::min()); }
inline std::pair<SymExpr, SymPoly> split_multiples(const SymExpr& a, std::int64_t b) {
	SymPoly multiples;
	SymPoly rest(a);
	const auto split = [b](std::int64_t& number) {
		const std::int64_t quotient = checked_floor_div(number, b);
		number = checked_mod(number, b);
		return quotient;
	};
	multiples.constant = split(rest.constant);
	for (auto& term : rest.terms)
		if (const std::int64_t quotient = split(term.coefficient); quotient != 0)
		multiples.terms.push_back({quotient, term.factors});
	std::erase_if(rest.terms, [](const SymTerm& term) { return term.coefficient == 0; });
	return {from_poly(std::move(multiples)), std::move(rest)};
}
inline bool is_single(const SymPoly& poly, SymOp op) {
	return poly.terms.size() == 1 && poly.terms[0].coefficient == 1 && poly.terms[0].factors.size() == 1 &&
		poly.terms[0].factors[0].exponent == 1 && poly.terms[0].factors[0].base.op() == op;
}
inline bool always_divides(const SymExpr& a, std::int64_t d) {
	SymPoly poly(a);
	std::vector<SymExpr> atoms;
	for (const auto& term : poly.terms)
		for (const auto& factor : term.factors)
		if (!algo::contains(atoms, factor.base)) atoms.push_back(factor.base);
	std::int64_t cases = 1;
	for (std::size_t i = 0; i < atoms.size(); ++i)
		if (cases *= d; cases > 4096 || d > 4096) return false;
	const auto residue = [d](std::int64_t x, std::int64_t y) {
		return checked_mod(checked_mod(x, d) * checked_mod(y, d), d);
	};
	for (std::int64_t which = 0; which < cases; ++which) {
		std::int64_t total = checked_mod(poly.constant, d);
		for (const auto& term : poly.terms) {
		std::int64_t product = checked_mod(term.coefficient, d);
		for (const auto& factor : term.factors) {
		std::int64_t value = which;
		for (const auto& atom : atoms) {
		if (atom == factor.base) break;
		value /= d;
		}
		for (std::int32_t i = 0; i < factor.exponent; ++i) product = residue(product, value % d);
		}
		total = (total + product) % d;
		}
		if (total != 0) return false;
	}
	return true;
}
}
namespace ferry {
namespace detail {
inline SymExpr extremum(SymOp op, std::vector<SymExpr> args);
inline SymExpr real_arithmetic(SymOp op, std::vector<SymExpr> args);
inline bool is_real(const SymExpr& a) {
	if (a.type() == SymType::boolean) throw Error(ErrorKind::invalid_input, "a symbolic condition is used as a number");
	return a.type() == SymType::real;
}
inline void refuse_infinity(const SymExpr& a) {
	if (a.op() == SymOp::infinity) throw Error(ErrorKind::unsupported, "arithmetic with an infinite symbolic size");
}
}
[[nodiscard]] inline SymExpr sym_sum(const std::vector<SymExpr>& parts) {
	if (algo::any_of(parts, detail::is_real)) return detail::real_arithmetic(SymOp::real_sum, parts);
	detail::SymPoly poly;
	for (const auto& part : parts) {
		detail::refuse_infinity(part);
		poly.add(part);
	}
	return detail::from_poly(std::move(poly));
}
[[nodiscard]] inline SymExpr operator+(const SymExpr& a, const SymExpr& b) {
	if (a.is_constant() && b.is_constant()) return detail::checked_add(a.value(), b.value());
	if (a.is_constant(0)) return b;
	if (b.is_constant(0)) return a;
	return sym_sum({a, b});
}
[[nodiscard]] inline SymExpr operator*(const SymExpr& a, const SymExpr& b) {
	if (a.is_constant() && b.is_constant()) return detail::checked_mul(a.value(), b.value());
	if (detail::is_real(a) || detail::is_real(b)) return detail::real_arithmetic(SymOp::real_product, {a, b});
	for (const auto& [infinite, factor] : {std::pair(&a, &b), std::pair(&b, &a)})
		if (infinite->op() == SymOp::infinity && factor->is_constant() && factor->value() != 0)
		return SymExpr::infinity((infinite->value() > 0) == (factor->value() > 0));
	detail::refuse_infinity(a);
	detail::refuse_infinity(b);
	if (a.is_constant(0) || b.is_constant(0)) return 0;
	if (a.is_constant(1)) return b;
	if (b.is_constant(1)) return a;
	const detail::SymPoly left(a);
	const detail::SymPoly right(b);
	const std::uint64_t count = (left.terms.size() + 1) * static_cast<std::uint64_t>(right.terms.size() + 1);
	if (count > SymExpr::max_weight) detail::sym_too_large();
	detail::SymPoly product;
	product.constant = detail::checked_mul(left.constant, right.constant);
	for (const auto& term : left.terms)
		if (right.constant != 0)
		product.terms.push_back({detail::checked_mul(term.coefficient, right.constant), term.factors});
	for (const auto& term : right.terms)
		if (left.constant != 0)
		product.terms.push_back({detail::checked_mul(term.coefficient, left.constant), term.factors});
	for (const auto& x : left.terms)
		for (const auto& y : right.terms)
		product.terms.push_back(
		{detail::checked_mul(x.coefficient, y.coefficient), detail::multiply(x.factors, y.factors)});
	return detail::from_poly(std::move(product));
}
[[nodiscard]] inline SymExpr operator-(const SymExpr& a) { return a * SymExpr(-1); }
[[nodiscard]] inline SymExpr operator-(const SymExpr& a, const SymExpr& b) { return a + -b; }
[[nodiscard]] inline bool is_nonnegative(const SymExpr& a) {
	const auto holds = [](const SymExpr& part) { return is_nonnegative(part); };
	switch (a.op()) {
		case SymOp::constant: return a.value() >= 0;
		case SymOp::infinity: return a.value() > 0;
		case SymOp::symbol: return !is_unbacked_name(a.name());
		case SymOp::mod: return is_nonnegative(a.args()[1]);
		case SymOp::floor_div:
		case SymOp::min: return algo::all_of(a.args(), holds);
		case SymOp::max: return algo::any_of(a.args(), holds);
		case SymOp::power: return is_nonnegative(a.args()[0]);
		case SymOp::sum:
		return a.value() >= 0 && algo::all_of(a.terms(), [&](const SymTerm& term) {
		return term.coefficient >= 0 && algo::all_of(term.factors, [&](const SymFactor& factor) {
		return factor.exponent % 2 == 0 || is_nonnegative(factor.base);
		});
		});
		default: return false;
	}
}
namespace detail {
inline SymExpr make_mod(SymExpr a, SymExpr b) {
	SymNode node{.op = SymOp::mod};
	node.name = is_nonnegative(a) && is_nonnegative(b) ? "Mod" : "PythonMod";
	node.args = {std::move(a), std::move(b)};
	return sym_access::make(std::move(node));
}
inline bool is_multiple(const SymExpr& a, const SymExpr& b, std::int64_t& k) {
	if (a.op() != SymOp::sum || b.op() != SymOp::sum || a.terms().size() != b.terms().size()) return false;
	const std::int64_t lead = b.terms()[0].coefficient;
	if (lead == -1 || a.terms()[0].coefficient % lead != 0) return false;
	k = a.terms()[0].coefficient / lead;
	return a == b * SymExpr(k);
}
}
[[nodiscard]] inline SymExpr floor_div(const SymExpr& a, const SymExpr& b) {
	if (detail::is_real(a) || detail::is_real(b))
		throw Error(ErrorKind::unsupported, "floor division of real numbers in a symbolic size");
	if (b.is_constant(0)) detail::sym_division_by_zero();
	if (a.is_constant() && b.is_constant()) return detail::checked_floor_div(a.value(), b.value());
	detail::refuse_infinity(a);
	detail::refuse_infinity(b);
	if (a.is_constant(0)) return 0;
	if (a == b) return 1;
	if (!b.is_constant()) {
		detail::SymPoly divisor(b);
		if (std::int64_t k = 0; detail::is_multiple(a, b, k)) return k;
		if (divisor.terms.size() == 1 && divisor.constant == 0) {
		detail::SymPoly dividend(a);
		if (detail::cancel_common_factors(dividend, divisor.terms[0])) {
		detail::SymPoly rest;
		if (divisor.terms[0].factors.empty())
		rest.constant = divisor.terms[0].coefficient;
		else
		rest.terms = std::move(divisor.terms);
		return floor_div(detail::from_poly(std::move(dividend)), detail::from_poly(std::move(rest)));
		}
		}
		if (a.op() == SymOp::floor_div && is_nonnegative(b)) return floor_div(a.args()[0], a.args()[1] * b);
		return detail::make_call(SymOp::floor_div, {a, b});
	}
	if (b.value() == 1) return a;
	if (b.value() < 0 && detail::lacks_int64_min(b)) return floor_div(-a, -b);
	if (b.value() < 0) return detail::make_call(SymOp::floor_div, {a, b});
	auto [whole, rest] = detail::split_multiples(a, b.value());
	std::int64_t divisor = b.value();
	if (rest.terms.empty()) return whole;
	if (const std::int64_t common = detail::content(rest, divisor); common > 1) {
		for (auto& term : rest.terms) term.coefficient /= common;
		rest.constant /= common;
		divisor /= common;
		if (divisor == 1) return whole + detail::from_poly(std::move(rest));
		return whole + floor_div(detail::from_poly(std::move(rest)), divisor);
	}
	if (detail::is_single(rest, SymOp::floor_div)) {
		const auto& inner = rest.terms[0].factors[0].base.args();
		if (inner[1].is_constant() && inner[1].value() > 0)
		return whole + floor_div(inner[0] + SymExpr(rest.constant) * inner[1], inner[1] * SymExpr(divisor));
		if (rest.constant == 0) return whole + floor_div(inner[0], inner[1] * SymExpr(divisor));
	}
	return whole + detail::make_call(SymOp::floor_div, {detail::from_poly(std::move(rest)), divisor});
}
[[nodiscard]] inline SymExpr mod(const SymExpr& a, const SymExpr& b) {
	if (detail::is_real(a) || detail::is_real(b))
		throw Error(ErrorKind::unsupported, "remainder of real numbers in a symbolic size");
	if (b.is_constant(0)) detail::sym_division_by_zero();
	if (a.is_constant() && b.is_constant()) return detail::checked_mod(a.value(), b.value());
	detail::refuse_infinity(a);
	detail::refuse_infinity(b);
	if (a.is_constant(0) || a == b) return 0;
	if (!b.is_constant()) {
		if (std::int64_t k = 0; detail::is_multiple(a, b, k)) return 0;
		detail::SymPoly divisor(b);
		if (divisor.terms.size() == 1 && divisor.constant == 0) {
		detail::SymPoly dividend(a);
		detail::cancel_common_factors(dividend, divisor.terms[0]);
		const std::int64_t scale = divisor.terms[0].coefficient;
		const auto divides = [scale](std::int64_t number) { return detail::checked_mod(number, scale) == 0; };
		if (divisor.terms[0].factors.empty() && divides(dividend.constant) &&
		algo::all_of(dividend.terms, divides, &SymTerm::coefficient))
		return 0;
		}
		return detail::make_mod(a, b);
	}
	if (b.value() == 1) return 0;
	if (b.value() < 0 && detail::lacks_int64_min(b)) return -mod(-a, -b);
	if (b.value() < 0) return detail::make_mod(a, b);
	auto [whole, rest] = detail::split_multiples(a, b.value());
	for (const auto& term : rest.terms) {
		if (term.factors.size() != 1 || term.factors[0].exponent != 1 || term.factors[0].base.op() != SymOp::mod)
		continue;
		const SymExpr inner = term.factors[0].base;
		const SymExpr k = term.coefficient;
		std::int64_t period = 0;
		if (!inner.args()[1].is_constant() || __builtin_mul_overflow(k.value(), inner.args()[1].value(), &period) ||
		detail::checked_mod(period, b.value()) != 0)
		continue;
		return mod(detail::from_poly(std::move(rest)) - k * inner + k * inner.args()[0], b);
	}
	if (rest.terms.empty()) return rest.constant;
	std::int64_t divisor = b.value();
	if (const std::int64_t common = detail::content(rest, divisor); common > 1) {
		for (auto& term : rest.terms) term.coefficient /= common;
		const std::int64_t dropped = rest.constant % common;
		rest.constant /= common;
		divisor /= common;
		return SymExpr(common) * mod(detail::from_poly(std::move(rest)), divisor) + SymExpr(dropped);
	}
	return detail::make_mod(detail::from_poly(std::move(rest)), divisor);
}
[[nodiscard]] inline SymExpr ceil_div(const SymExpr& a, const SymExpr& b) {
	if (is_nonnegative(b)) return floor_div(a + b - 1, b);
	return -floor_div(-a, b);
}
[[nodiscard]] inline SymExpr pow(const SymExpr& base, const SymExpr& exponent) {
	if (detail::is_real(base) || detail::is_real(exponent))
		return detail::real_arithmetic(SymOp::float_pow, {base, exponent});
	if (base.is_constant() && exponent.is_constant()) return detail::checked_pow(base.value(), exponent.value());
	detail::refuse_infinity(base);
	detail::refuse_infinity(exponent);
	if (!exponent.is_constant()) {
		if (base.is_constant(1)) return 1;
		return detail::make_call(SymOp::power, {base, exponent});
	}
	if (exponent.value() < 0) throw Error(ErrorKind::unsupported, "a symbolic size is raised to a negative power");
	if (exponent.value() > SymExpr::max_degree) detail::sym_too_large();
	SymExpr result = 1;
	for (std::int64_t i = 0; i < exponent.value(); ++i) result = result * base;
	return result;
}
namespace detail {
inline SymExpr extremum(SymOp op, std::vector<SymExpr> args) {
	if (args.empty()) throw Error(ErrorKind::invalid_input, "a minimum or maximum of nothing");
	const bool greater = op == SymOp::max;
	std::vector<SymExpr> kept;
	bool has_number = false;
	std::int64_t number = 0;
	bool real = false;
	std::vector<SymExpr> todo(args.rbegin(), args.rend());
	while (!todo.empty()) {
		const SymExpr arg = std::move(todo.back());
		todo.pop_back();
		real = is_real(arg) || real;
		if (arg.op() == op) {
		todo.insert(todo.end(), arg.args().rbegin(), arg.args().rend());
		} else if (arg.op() == SymOp::infinity) {
		if ((arg.value() > 0) == greater) return arg;
		} else if (arg.is_constant()) {
		number = !has_number ? arg.value()
		: greater   ? std::max(number, arg.value())
		: std::min(number, arg.value());
		has_number = true;
		} else {
		kept.push_back(arg);
		}
	}
	if (kept.empty()) return has_number ? SymExpr(number) : SymExpr::infinity(!greater);
	algo::sort(kept);
	kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
	if (real) {
		if (has_number) kept.insert(kept.begin(), number);
		return kept.size() == 1 ? kept[0] : make_call(op, std::move(kept));
	}
	if (kept.size() <= 8) {
		std::vector<SymExpr> best;
		for (const auto& arg : kept) {
		bool dominated = false;
		for (auto other = best.begin(); other != best.end() && !dominated;) {
		const SymExpr difference = arg - *other;
		if (!difference.is_constant()) {
		++other;
		} else if ((difference.value() > 0) == greater) {
		other = best.erase(other);
		} else {
		dominated = true;
		}
		}
		if (!dominated) best.push_back(arg);
		}
		kept = std::move(best);
	}
	if (has_number && number <= 0) {
		if (greater && algo::any_of(kept, is_nonnegative)) has_number = false;
		if (!greater && algo::all_of(kept, is_nonnegative)) return number;
	}
	if (has_number) kept.insert(kept.begin(), number);
	return kept.size() == 1 ? kept[0] : make_call(op, std::move(kept));
}
inline SymExpr real_arithmetic(SymOp op, std::vector<SymExpr> args) {
	if (op == SymOp::real_sum || op == SymOp::real_product) {
		std::vector<SymExpr> flat;
		SymExpr exact = op == SymOp::real_product ? 1 : 0;
		const auto take = [&](const SymExpr& arg) {
		if (arg.type() == SymType::integer)
		exact = op == SymOp::real_product ? exact * arg : exact + arg;
		else
		flat.push_back(arg);
		};
		for (const auto& arg : args) {
		if (arg.op() == op)
		for (const auto& part : arg.args()) take(part);
		else
		take(arg);
		}
		if (!exact.is_constant(op == SymOp::real_product ? 1 : 0)) flat.push_back(exact);
		if (flat.size() == 1) return flat[0];
		algo::sort(flat);
		args = std::move(flat);
	}
	return make_call(op, std::move(args));
}
}
[[nodiscard]] inline SymExpr sym_min(std::vector<SymExpr> args) {
	return detail::extremum(SymOp::min, std::move(args));
}
[[nodiscard]] inline SymExpr sym_max(std::vector<SymExpr> args) {
	return detail::extremum(SymOp::max, std::move(args));
}
}
namespace ferry {
namespace detail {
inline bool holds(SymOp op, std::strong_ordering order) {
	switch (op) {
		case SymOp::eq: return order == 0;
		case SymOp::ne: return order != 0;
		case SymOp::lt: return order < 0;
		case SymOp::le: return order <= 0;
		case SymOp::gt: return order > 0;
		default: return order >= 0;
	}
}
inline SymOp opposite(SymOp op) {
	switch (op) {
		case SymOp::eq: return SymOp::ne;
		case SymOp::ne: return SymOp::eq;
		case SymOp::lt: return SymOp::ge;
		case SymOp::le: return SymOp::gt;
		case SymOp::gt: return SymOp::le;
		default: return SymOp::lt;
	}
}
inline void require_condition(const SymExpr& a) {
	if (a.type() != SymType::boolean) throw Error(ErrorKind::invalid_input, "a symbolic number is used as a condition");
}
inline std::size_t sympy_nodes(const SymExpr& a) {
	if (a.is_constant()) return 2;
	if (a.op() == SymOp::real) return 1;
	std::size_t count = 0;
	if (a.op() != SymOp::sum) {
		for (const auto& arg : a.args()) count += sympy_nodes(arg);
		if (a.op() == SymOp::piecewise) count += a.args().size();
		return count + 2;
	}
	for (const auto& term : a.terms()) {
		for (const auto& factor : term.factors) count += sympy_nodes(factor.base) + (factor.exponent == 1 ? 0 : 4);
		if (term.coefficient != 1 || term.factors.size() > 1) count += term.coefficient != 1 ? 4 : 2;
	}
	if (a.value() != 0) count += 2;
	return a.terms().size() > 1 || a.value() != 0 ? count + 2 : count;
}
inline SymExpr connective(SymOp op, const std::vector<SymExpr>& args) {
	const bool absorbing = op == SymOp::any_of;
	std::vector<SymExpr> kept;
	for (const auto& arg : args) {
		require_condition(arg);
		if (arg.op() == op) {
		kept.insert(kept.end(), arg.args().begin(), arg.args().end());
		} else if (arg.op() != SymOp::boolean) {
		kept.push_back(arg);
		} else if ((arg.value() != 0) == absorbing) {
		return arg;
		}
	}
	algo::sort(kept);
	kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
	if (kept.empty()) return SymExpr::boolean(!absorbing);
	algo::stable_sort(kept, {}, sympy_nodes);
	return kept.size() == 1 ? kept[0] : make_call(op, std::move(kept));
}
}
[[nodiscard]] inline SymExpr compare(SymOp op, const SymExpr& a, const SymExpr& b) {
	const bool equality = op == SymOp::eq || op == SymOp::ne;
	if (equality && a.type() == SymType::boolean && b.type() == SymType::boolean) {
		if (a == b) return SymExpr::boolean(op == SymOp::eq);
		return detail::make_call(op, {a, b});
	}
	const bool real = detail::is_real(a) || detail::is_real(b);
	const bool infinite = a.op() == SymOp::infinity || b.op() == SymOp::infinity;
	if (infinite && !real) {
		const auto sign = [](const SymExpr& x) { return x.op() == SymOp::infinity ? x.value() : 0; };
		return SymExpr::boolean(detail::holds(op, sign(a) <=> sign(b)));
	}
	if (a == b && !real) return SymExpr::boolean(detail::holds(op, std::strong_ordering::equal));
	if (!real)
		if (const SymExpr difference = a - b; difference.is_constant())
		return SymExpr::boolean(detail::holds(op, difference.value() <=> 0));
	return detail::make_call(op, {a, b});
}
[[nodiscard]] inline SymExpr eq(const SymExpr& a, const SymExpr& b) { return compare(SymOp::eq, a, b); }
[[nodiscard]] inline SymExpr ne(const SymExpr& a, const SymExpr& b) { return compare(SymOp::ne, a, b); }
[[nodiscard]] inline SymExpr lt(const SymExpr& a, const SymExpr& b) { return compare(SymOp::lt, a, b); }
[[nodiscard]] inline SymExpr le(const SymExpr& a, const SymExpr& b) { return compare(SymOp::le, a, b); }
[[nodiscard]] inline SymExpr gt(const SymExpr& a, const SymExpr& b) { return compare(SymOp::gt, a, b); }
[[nodiscard]] inline SymExpr ge(const SymExpr& a, const SymExpr& b) { return compare(SymOp::ge, a, b); }
[[nodiscard]] inline SymExpr all_of(const std::vector<SymExpr>& args) {
	return detail::connective(SymOp::all_of, args);
}
[[nodiscard]] inline SymExpr any_of(const std::vector<SymExpr>& args) {
	return detail::connective(SymOp::any_of, args);
}
[[nodiscard]] inline SymExpr negation(const SymExpr& a) {
	detail::require_condition(a);
	if (a.op() == SymOp::boolean) return SymExpr::boolean(a.value() == 0);
	if (a.op() == SymOp::negation) return a.args()[0];
	if (a.op() >= SymOp::eq && a.op() <= SymOp::ge) {
		const bool real = a.args()[0].type() == SymType::real || a.args()[1].type() == SymType::real;
		if (!real) return compare(detail::opposite(a.op()), a.args()[0], a.args()[1]);
	}
	return detail::make_call(SymOp::negation, {a});
}
[[nodiscard]] inline SymExpr piecewise(const std::vector<SymExpr>& cases) {
	std::vector<SymExpr> kept;
	for (std::size_t i = 0; i + 1 < cases.size(); i += 2) {
		const SymExpr& condition = cases[i + 1];
		detail::require_condition(condition);
		const bool decided = condition.op() == SymOp::boolean;
		if (decided && condition.value() == 0) continue;
		kept.push_back(cases[i]);
		kept.push_back(condition);
		if (decided) break;
	}
	if (kept.empty()) throw Error(ErrorKind::invalid_input, "a piecewise expression without a case that can hold");
	if (kept[0].type() == SymType::boolean)
		throw Error(ErrorKind::unsupported, "a piecewise expression whose values are conditions");
	for (std::size_t i = 0; i < kept.size(); i += 2)
		if (kept[i].type() != kept[0].type())
		throw Error(ErrorKind::unsupported, "a piecewise expression whose values differ in type");
	return kept[1].op() == SymOp::boolean ? kept[0] : detail::make_call(SymOp::piecewise, std::move(kept));
}
[[nodiscard]] inline SymExpr real_call(SymOp op, std::vector<SymExpr> args) {
	for (const auto& arg : args) detail::is_real(arg);
	const bool rounds = op >= SymOp::ceil_to_int && op <= SymOp::round_to_int;
	if (rounds && (args[0].type() == SymType::integer)) return args[0];
	return detail::make_call(op, std::move(args));
}
[[nodiscard]] inline SymExpr unary_call(std::string_view name, const SymExpr& arg) {
	detail::is_real(arg);
	detail::SymNode node{.op = SymOp::unary};
	node.name = name;
	node.args = {arg};
	return detail::sym_access::make(std::move(node));
}
}
#include <cmath>
namespace ferry {
namespace detail {
inline double unary_value(std::string_view name, double x) {
	if (name == "sqrt") return std::sqrt(x);
	if (name == "cos") return std::cos(x);
	if (name == "cosh") return std::cosh(x);
	if (name == "sin") return std::sin(x);
	if (name == "sinh") return std::sinh(x);
	if (name == "tan") return std::tan(x);
	if (name == "tanh") return std::tanh(x);
	if (name == "asin") return std::asin(x);
	if (name == "acos") return std::acos(x);
	if (name == "atan") return std::atan(x);
	if (name == "exp") return std::exp(x);
	if (name == "log") return std::log(x);
	if (name == "asinh") return std::asinh(x);
	if (name == "log2") return std::log2(x);
	throw Error(ErrorKind::unsupported, "unknown function in a symbolic size: " + std::string(name));
}
inline std::int64_t to_integer(double x) {
	if (!(x >= -9223372036854775808.0 && x < 9223372036854775808.0)) sym_overflow();
	return static_cast<std::int64_t>(x);
}
inline double true_quotient(std::int64_t a, std::int64_t b) {
	if (b == 0) sym_division_by_zero();
	return static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b));
}
inline double round_decimal(double x, std::int64_t digits) {
	if (std::abs(digits) > 300) return x;
	const double scale = std::pow(10.0, static_cast<double>(std::abs(digits)));
	return digits >= 0 ? std::nearbyint(x * scale) / scale : std::nearbyint(x / scale) * scale;
}
struct SymEvaluator {
	const SymBindings& bindings;
	[[nodiscard]] std::int64_t integer(const SymExpr& a) const {
		const auto& args = a.args();
		switch (a.op()) {
		case SymOp::constant: return a.value();
		case SymOp::symbol:
		if (const auto* value = bindings.find(a.name())) return *value;
		throw Error(ErrorKind::invalid_input, "no value for the symbol " + a.name());
		case SymOp::sum: {
		std::int64_t total = a.value();
		for (const auto& term : a.terms()) {
		std::int64_t product = term.coefficient;
		for (const auto& factor : term.factors)
		product = checked_mul(product, checked_pow(integer(factor.base), factor.exponent));
		total = checked_add(total, product);
		}
		return total;
		}
		case SymOp::floor_div: return checked_floor_div(integer(args[0]), integer(args[1]));
		case SymOp::mod: return checked_mod(integer(args[0]), integer(args[1]));
		case SymOp::power: return checked_pow(integer(args[0]), integer(args[1]));
		case SymOp::min:
		case SymOp::max: {
		std::int64_t best = integer(args[0]);
		for (std::size_t i = 1; i < args.size(); ++i)
		best = a.op() == SymOp::min ? std::min(best, integer(args[i])) : std::max(best, integer(args[i]));
		return best;
		}
		case SymOp::piecewise: return integer(chosen(a));
		case SymOp::ceil_to_int: return to_integer(std::ceil(real(args[0])));
		case SymOp::floor_to_int: return to_integer(std::floor(real(args[0])));
		case SymOp::trunc_to_int: return to_integer(std::trunc(real(args[0])));
		case SymOp::round_to_int: return to_integer(std::nearbyint(real(args[0])));
		case SymOp::infinity: throw Error(ErrorKind::unsupported, "an infinite symbolic size has no value");
		default: throw Error(ErrorKind::invalid_input, "a symbolic integer was expected");
		}
	}
	[[nodiscard]] double real(const SymExpr& a) const {
		if (a.type() == SymType::integer) return static_cast<double>(integer(a));
		const auto& args = a.args();
		switch (a.op()) {
		case SymOp::real: return a.real_value();
		case SymOp::to_float: return real(args[0]);
		case SymOp::int_true_div: return true_quotient(integer(args[0]), integer(args[1]));
		case SymOp::float_true_div:
		if (const double divisor = real(args[1]); divisor != 0) return real(args[0]) / divisor;
		sym_division_by_zero();
		case SymOp::float_pow: return std::pow(real(args[0]), real(args[1]));
		case SymOp::trunc_to_float: return std::trunc(real(args[0]));
		case SymOp::round_decimal: return round_decimal(real(args[0]), integer(args[1]));
		case SymOp::unary: return unary_value(a.name(), real(args[0]));
		case SymOp::real_sum: {
		double total = 0;
		for (const auto& arg : args) total += real(arg);
		return total;
		}
		case SymOp::real_product: {
		double total = 1;
		for (const auto& arg : args) total *= real(arg);
		return total;
		}
		case SymOp::min:
		case SymOp::max: {
		double best = real(args[0]);
		for (std::size_t i = 1; i < args.size(); ++i)
		best = a.op() == SymOp::min ? std::min(best, real(args[i])) : std::max(best, real(args[i]));
		return best;
		}
		case SymOp::piecewise: return real(chosen(a));
		default: throw Error(ErrorKind::invalid_input, "a symbolic number was expected");
		}
	}
	[[nodiscard]] bool boolean(const SymExpr& a) const {
		const auto& args = a.args();
		switch (a.op()) {
		case SymOp::boolean: return a.value() != 0;
		case SymOp::all_of: return algo::all_of(args, [this](const SymExpr& arg) { return boolean(arg); });
		case SymOp::any_of: return algo::any_of(args, [this](const SymExpr& arg) { return boolean(arg); });
		case SymOp::negation: return !boolean(args[0]);
		default: break;
		}
		if (a.op() < SymOp::eq || a.op() > SymOp::ge)
		throw Error(ErrorKind::invalid_input, "a symbolic condition was expected");
		if (args[0].type() == SymType::boolean) return (boolean(args[0]) == boolean(args[1])) == (a.op() == SymOp::eq);
		if (args[0].type() == SymType::integer && args[1].type() == SymType::integer)
		return holds(a.op(), integer(args[0]) <=> integer(args[1]));
		const double left = real(args[0]);
		const double right = real(args[1]);
		switch (a.op()) {
		case SymOp::eq: return left == right;
		case SymOp::ne: return left != right;
		case SymOp::lt: return left < right;
		case SymOp::le: return left <= right;
		case SymOp::gt: return left > right;
		default: return left >= right;
		}
	}
	[[nodiscard]] const SymExpr& chosen(const SymExpr& a) const {
		for (std::size_t i = 0; i < a.args().size(); i += 2)
		if (boolean(a.args()[i + 1])) return a.args()[i];
		throw Error(ErrorKind::invalid_input, "no case of a piecewise symbolic size holds");
	}
};
inline void collect_symbols(const SymExpr& a, std::vector<std::string>& into) {
	if (a.is_symbol()) into.push_back(a.name());
	for (const auto& arg : a.args()) collect_symbols(arg, into);
	for (const auto& term : a.terms())
		for (const auto& factor : term.factors) collect_symbols(factor.base, into);
}
}
[[nodiscard]] inline std::int64_t evaluate(const SymExpr& a, const SymBindings& bindings) {
	return detail::SymEvaluator{bindings}.integer(a);
}
[[nodiscard]] inline double evaluate_real(const SymExpr& a, const SymBindings& bindings) {
	return detail::SymEvaluator{bindings}.real(a);
}
[[nodiscard]] inline bool evaluate_bool(const SymExpr& a, const SymBindings& bindings) {
	return detail::SymEvaluator{bindings}.boolean(a);
}
[[nodiscard]] inline std::vector<std::string> free_symbols(const SymExpr& a) {
	std::vector<std::string> names;
	detail::collect_symbols(a, names);
	algo::sort(names);
	names.erase(std::unique(names.begin(), names.end()), names.end());
	return names;
}
[[nodiscard]] inline SymExpr substitute(const SymExpr& a, const SymMap<SymExpr>& values) {
	if (a.is_constant()) return a;
	if (a.is_symbol()) {
		const auto* value = values.find(a.name());
		return value != nullptr ? *value : a;
	}
	if (a.op() == SymOp::sum) {
		std::vector<SymExpr> parts{a.value()};
		for (const auto& term : a.terms()) {
		SymExpr product = term.coefficient;
		for (const auto& factor : term.factors)
		product = product * pow(substitute(factor.base, values), factor.exponent);
		parts.push_back(std::move(product));
		}
		return sym_sum(parts);
	}
	std::vector<SymExpr> args;
	args.reserve(a.args().size());
	for (const auto& arg : a.args()) args.push_back(substitute(arg, values));
	switch (a.op()) {
		case SymOp::floor_div: return floor_div(args[0], args[1]);
		case SymOp::mod: return mod(args[0], args[1]);
		case SymOp::power: return pow(args[0], args[1]);
		case SymOp::min: return sym_min(std::move(args));
		case SymOp::max: return sym_max(std::move(args));
		case SymOp::piecewise: return piecewise(args);
		case SymOp::real_sum: return sym_sum(args);
		case SymOp::real_product: return detail::real_arithmetic(SymOp::real_product, std::move(args));
		case SymOp::unary: return unary_call(a.name(), args[0]);
		case SymOp::all_of: return all_of(args);
		case SymOp::any_of: return any_of(args);
		case SymOp::negation: return negation(args[0]);
		default: break;
	}
	if (args.empty()) return a;
	if (a.op() >= SymOp::eq && a.op() <= SymOp::ge) return compare(a.op(), args[0], args[1]);
	return real_call(a.op(), std::move(args));
}
}
namespace ferry {
namespace detail {
constexpr std::int64_t far_end(bool negative) { return negative ? ValueRange::no_min : ValueRange::no_max; }
constexpr bool is_far(std::int64_t x) { return x == ValueRange::no_min || x == ValueRange::no_max; }
inline std::int64_t range_add(std::int64_t a, std::int64_t b) {
	if (is_far(a)) return a;
	if (is_far(b)) return b;
	std::int64_t result = 0;
	return __builtin_add_overflow(a, b, &result) ? far_end(a < 0) : result;
}
inline std::int64_t range_mul(std::int64_t a, std::int64_t b) {
	if (a == 0 || b == 0) return 0;
	std::int64_t result = 0;
	if (is_far(a) || is_far(b) || __builtin_mul_overflow(a, b, &result)) return far_end((a < 0) != (b < 0));
	return result;
}
inline std::int64_t range_div(std::int64_t a, std::int64_t b) {
	if (is_far(b)) return a == 0 || (a < 0) == (b < 0) ? 0 : -1;
	if (is_far(a)) return far_end((a < 0) != (b < 0));
	return checked_floor_div(a, b);
}
inline ValueRange operator+(const ValueRange& a, const ValueRange& b) {
	return {range_add(a.min, b.min), range_add(a.max, b.max)};
}
template <class Corner>
ValueRange corners(const ValueRange& a, const ValueRange& b, Corner corner) {
	const auto [low, high] =
		std::minmax({corner(a.min, b.min), corner(a.min, b.max), corner(a.max, b.min), corner(a.max, b.max)});
	return {low, high};
}
inline ValueRange operator*(const ValueRange& a, const ValueRange& b) { return corners(a, b, range_mul); }
inline ValueRange range_power(const ValueRange& base, std::int64_t exponent) {
	const auto raise = [exponent](std::int64_t x) {
		std::int64_t result = 1;
		for (std::int64_t i = std::min<std::int64_t>(exponent, 64 + exponent % 2); i > 0; --i)
		result = range_mul(result, x);
		return result;
	};
	const ValueRange ends{raise(base.min), raise(base.max)};
	if (exponent % 2 != 0) return ends;
	return {base.contains(0) ? 0 : std::min(ends.min, ends.max), std::max(ends.min, ends.max)};
}
inline ValueRange range_floor_div(const ValueRange& a, const ValueRange& b) {
	ValueRange result{1, 0};
	if (const ValueRange positive = intersect(b, {1, ValueRange::no_max}); !positive.empty())
		result = hull(result, corners(a, positive, range_div));
	if (const ValueRange negative = intersect(b, {ValueRange::no_min, -1}); !negative.empty())
		result = hull(result, corners(a, negative, range_div));
	return result.empty() ? ValueRange{} : result;
}
inline ValueRange range_mod(const ValueRange& a, const ValueRange& b) {
	if (b.min == b.max && b.min > 0 && a.bounded() &&
		checked_floor_div(a.min, b.min) == checked_floor_div(a.max, b.min))
		return {checked_mod(a.min, b.min), checked_mod(a.max, b.min)};
	ValueRange result{0, 0};
	if (b.max > 0) result.max = is_far(b.max) ? b.max : b.max - 1;
	if (b.min < 0) result.min = is_far(b.min) ? b.min : b.min + 1;
	if (a.min >= 0 && b.min > 0) {
		result.max = std::min(result.max, a.max);
		if (a.max < b.min) result.min = a.min;
	}
	return result;
}
struct RealRange {
	double min = -std::numeric_limits<double>::infinity();
	double max = std::numeric_limits<double>::infinity();
};
struct SymBounds {
	const SymRanges& ranges;
	[[nodiscard]] ValueRange integer(const SymExpr& a, bool refine = true) const {
		const auto& args = a.args();
		switch (a.op()) {
		case SymOp::constant: return ValueRange::exactly(a.value());
		case SymOp::symbol:
		if (const auto* range = ranges.find(a.name())) return *range;
		return is_unbacked_name(a.name()) ? ValueRange{} : ValueRange::at_least(0);
		case SymOp::sum: return refine ? intersect(plain_sum(a, refine), without_floors(a)) : plain_sum(a, refine);
		case SymOp::floor_div: return range_floor_div(integer(args[0], refine), integer(args[1], refine));
		case SymOp::mod: return range_mod(integer(args[0], refine), integer(args[1], refine));
		case SymOp::min:
		case SymOp::max: {
		ValueRange result = integer(args[0], refine);
		for (std::size_t i = 1; i < args.size(); ++i) {
		const ValueRange other = integer(args[i], refine);
		result = a.op() == SymOp::min
		? ValueRange{std::min(result.min, other.min), std::min(result.max, other.max)}
		: ValueRange{std::max(result.min, other.min), std::max(result.max, other.max)};
		}
		return result;
		}
		case SymOp::power: {
		const ValueRange base = integer(args[0], refine);
		const ValueRange exponent = integer(args[1], refine);
		if (base.min < 1) return base.min < 0 ? ValueRange{} : ValueRange::at_least(0);
		return {range_power(base, std::max<std::int64_t>(exponent.min, 0)).min,
		range_power(base, std::max<std::int64_t>(exponent.max, 0)).max};
		}
		case SymOp::piecewise: {
		ValueRange result{1, 0};
		for (std::size_t i = 0; i < args.size(); i += 2) result = hull(result, integer(args[i], refine));
		return result;
		}
		case SymOp::ceil_to_int: return rounded(args[0], [](double x) { return std::ceil(x); });
		case SymOp::floor_to_int: return rounded(args[0], [](double x) { return std::floor(x); });
		case SymOp::trunc_to_int: return rounded(args[0], [](double x) { return std::trunc(x); });
		case SymOp::round_to_int: return rounded(args[0], [](double x) { return std::nearbyint(x); });
		default: return {};
		}
	}
private:
	[[nodiscard]] ValueRange plain_sum(const SymExpr& a, bool refine) const {
		ValueRange total = ValueRange::exactly(a.value());
		for (const auto& term : a.terms()) {
		ValueRange product = ValueRange::exactly(term.coefficient);
		for (const auto& factor : term.factors)
		product = product * range_power(integer(factor.base, refine), factor.exponent);
		total = total + product;
		}
		return total;
	}
	[[nodiscard]] ValueRange without_floors(const SymExpr& a) const {
		const auto divisor = [](const SymTerm& term) -> std::int64_t {
		if (term.factors.size() != 1 || term.factors[0].exponent != 1) return 0;
		const SymExpr& base = term.factors[0].base;
		if (base.op() != SymOp::floor_div || !base.args()[1].is_constant() || base.args()[1].value() < 1) return 0;
		return base.args()[1].value();
		};
		std::int64_t scale = 1;
		bool any = false;
		for (const auto& term : a.terms()) {
		const std::int64_t d = divisor(term);
		if (d == 0) continue;
		any = true;
		if (d > (1 << 20)) return {};
		scale = std::lcm(scale, d);
		if (scale > (1 << 20)) return {};
		}
		if (!any || a.terms().size() < 2) return {};
		try {
		SymPoly scaled;
		scaled.constant = checked_mul(a.value(), scale);
		ValueRange slack = ValueRange::exactly(0);
		for (const auto& term : a.terms()) {
		const std::int64_t d = divisor(term);
		if (d == 0) {
		scaled.terms.push_back({checked_mul(term.coefficient, scale), term.factors});
		continue;
		}
		const std::int64_t share = checked_mul(term.coefficient, scale / d);
		scaled.add(term.factors[0].base.args()[0], share);
		slack = slack + ValueRange::exactly(checked_neg(share)) * ValueRange{0, d - 1};
		}
		const ValueRange range = integer(from_poly(std::move(scaled)), false) + slack;
		const std::int64_t low =
		is_far(range.min) ? range.min : checked_neg(checked_floor_div(checked_neg(range.min), scale));
		return {low, is_far(range.max) ? range.max : checked_floor_div(range.max, scale)};
		} catch (const Error&) {
		return {};
		}
	}
	template <class Round>
	[[nodiscard]] ValueRange rounded(const SymExpr& a, Round round) const {
		const RealRange range = real(a);
		const double low = round(range.min);
		const double high = round(range.max);
		ValueRange result;
		if (low > -9.2e18)
		result.min = low < 9.2e18 ? static_cast<std::int64_t>(low) : std::int64_t{9'200'000'000'000'000'000};
		if (high < 9.2e18)
		result.max = high > -9.2e18 ? static_cast<std::int64_t>(high) : std::int64_t{-9'200'000'000'000'000'000};
		return result;
	}
	static double end_of(std::int64_t x) {
		if (is_far(x)) return x < 0 ? RealRange{}.min : RealRange{}.max;
		return static_cast<double>(x);
	}
	static RealRange times(const RealRange& a, const RealRange& b) {
		const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; };
		const auto [low, high] =
		std::minmax({product(a.min, b.min), product(a.min, b.max), product(a.max, b.min), product(a.max, b.max)});
		return {low, high};
	}
	[[nodiscard]] RealRange real(const SymExpr& a) const {
		const auto& args = a.args();
		if (a.type() == SymType::integer) {
		const ValueRange range = integer(a);
		return {end_of(range.min), end_of(range.max)};
		}
		switch (a.op()) {
		case SymOp::real:
		if (std::isnan(a.real_value())) return {};
		return {a.real_value(), a.real_value()};
		case SymOp::to_float: return real(args[0]);
		case SymOp::trunc_to_float: {
		const RealRange range = real(args[0]);
		return {std::trunc(range.min), std::trunc(range.max)};
		}
		case SymOp::int_true_div:
		case SymOp::float_true_div: {
		const RealRange over = real(args[0]);
		const RealRange under = real(args[1]);
		if (under.min <= 0 || std::isinf(under.min)) return {};
		const double low = over.min / (over.min < 0 ? under.min : under.max);
		const double high = over.max / (over.max < 0 ? under.max : under.min);
		return std::isnan(low) || std::isnan(high) ? RealRange{} : RealRange{low, high};
		}
		case SymOp::real_sum: {
		RealRange total{0, 0};
		for (const auto& arg : args) {
		const RealRange range = real(arg);
		total = {total.min + range.min, total.max + range.max};
		}
		return total;
		}
		case SymOp::real_product: {
		RealRange total{1, 1};
		for (const auto& arg : args) total = times(total, real(arg));
		return total;
		}
		default: return {};
		}
	}
};
}
[[nodiscard]] inline ValueRange bounds(const SymExpr& a, const SymRanges& ranges) {
	return detail::SymBounds{ranges}.integer(a);
}
[[nodiscard]] inline std::optional<bool> decide(const SymExpr& condition, const SymRanges& ranges) {
	const auto& args = condition.args();
	switch (condition.op()) {
		case SymOp::boolean: return condition.value() != 0;
		case SymOp::negation:
		if (const auto inner = decide(args[0], ranges)) return !*inner;
		return std::nullopt;
		case SymOp::all_of:
		case SymOp::any_of: {
		const bool absorbing = condition.op() == SymOp::any_of;
		bool all = true;
		for (const auto& arg : args) {
		const auto inner = decide(arg, ranges);
		if (inner == absorbing) return absorbing;
		all = all && inner.has_value();
		}
		return all ? std::optional(!absorbing) : std::nullopt;
		}
		default: break;
	}
	if (condition.op() < SymOp::eq || condition.op() > SymOp::ge) return std::nullopt;
	if (args[0].type() != SymType::integer || args[1].type() != SymType::integer) return std::nullopt;
	const ValueRange difference = bounds(args[0] - args[1], ranges);
	const bool below = difference.max < 0;
	const bool above = difference.min > 0;
	const bool same = difference == ValueRange::exactly(0);
	switch (condition.op()) {
		case SymOp::eq: return same ? std::optional(true) : below || above ? std::optional(false) : std::nullopt;
		case SymOp::ne: return same ? std::optional(false) : below || above ? std::optional(true) : std::nullopt;
		case SymOp::lt: return below ? std::optional(true) : difference.min >= 0 ? std::optional(false) : std::nullopt;
		case SymOp::le: return difference.max <= 0 ? std::optional(true) : above ? std::optional(false) : std::nullopt;
		case SymOp::gt: return above ? std::optional(true) : difference.max <= 0 ? std::optional(false) : std::nullopt;
		default: return difference.min >= 0 ? std::optional(true) : below ? std::optional(false) : std::nullopt;
	}
}
}
#include <ATen/core/function_schema.h>
namespace ferry::capture {
struct TraceValue {
	ValueKind kind = ValueKind::tensor;
	at::Tensor tensor{};
	std::int64_t number = 0;
	double real = 0;        
	SymExpr meaning{};      
	c10::Device device = c10::kCPU;
};
struct Trace;
inline constexpr std::string_view size_check = "ferry::check";
struct ToldSize {
	std::string name;
	std::int64_t number;
};
struct TraceOp {
	std::string_view name;
	const c10::FunctionSchema* schema = nullptr;
	std::vector<Argument> arguments{};
	std::vector<Output> outputs{};
	std::string_view module{};
	bool gradients = true;
	std::vector<ToldSize> told{};
	std::vector<std::shared_ptr<const Trace>> subtraces{};
};
struct Lifted {
	static constexpr std::uint32_t not_made = UINT32_MAX;
	Value value;
	at::Tensor tensor;
	std::uint32_t memory = not_made;
};
struct Mutation {
	Value before;
	Value after;
};
struct AskedValue {
	std::size_t unbacked;
	std::size_t op;
};
struct Trace {
	std::vector<TraceValue> values{};
	std::vector<Value> inputs{};
	std::vector<Lifted> lifted{};
	std::vector<TraceOp> ops{};
	std::vector<Value> reals{};
	std::vector<Argument> outputs{};
	std::vector<Mutation> mutations{};
	std::vector<ValueRange>
		unbacked{};
	std::vector<std::string> unbacked_names{};
	std::vector<AskedValue> asked{};
	std::vector<Value> fixed{};
};
}
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/library.h>
#include <mutex>
namespace ferry::capture {
inline constexpr c10::DispatchKey trace_key = c10::DispatchKey::Fake;
class OpHandler {
public:
	void handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
		handle_(*this, op, keys, stack);
	}
	[[nodiscard]] bool records() const noexcept { return records_; }
protected:
	using Handle = void (*)(OpHandler&, const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*);
	explicit OpHandler(Handle handle, bool records = true) noexcept : handle_(handle), records_(records) {}
	~OpHandler() = default;
private:
	Handle handle_;
	bool records_;
};
namespace detail {
struct CaptureSlot final : c10::DebugInfoBase {
	static constexpr std::uint64_t mark = 0x6665727279'01;
	using Call = void (*)(void*, const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*);
	std::uint64_t written = mark;
	Call call = nullptr;
	void* handler = nullptr;
};
inline constexpr auto slot_kind = c10::DebugInfoKind::TEST_INFO_2;
inline void fall_back(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
	auto* slot = static_cast<CaptureSlot*>(c10::ThreadLocalDebugInfo::get(slot_kind));
	if (slot == nullptr || slot->written != CaptureSlot::mark) {
		const c10::impl::ExcludeDispatchKeyGuard below{c10::DispatchKeySet(trace_key)};
		op.callBoxed(stack);
	} else {
		slot->call(slot->handler, op, keys, stack);
	}
}
inline void ensure_fallback() {
	static std::mutex mutex;
	static std::unique_ptr<torch::Library> library;
	const std::scoped_lock lock(mutex);
	if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(trace_key)) return;
	try {
		library = std::make_unique<torch::Library>(torch::Library::IMPL, "_", trace_key, __FILE__, __LINE__);
		library->fallback(torch::CppFunction::makeFromBoxedFunction<&fall_back>());
	} catch (const c10::Error&) {
		library.reset();
		if (!c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(trace_key)) throw;
	}
}
}
class TraceScope {
public:
	explicit TraceScope(OpHandler& handler)
		: slot_((detail::ensure_fallback(), detail::slot_kind), slot_for(handler)) {}
	[[nodiscard]] static OpHandler* current() {
		const auto* slot = static_cast<const detail::CaptureSlot*>(c10::ThreadLocalDebugInfo::get(detail::slot_kind));
		const bool ours = slot != nullptr && slot->written == detail::CaptureSlot::mark && slot->call == &call;
		return ours ? static_cast<OpHandler*>(slot->handler) : nullptr;
	}
private:
	static void call(void* handler, const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
		static_cast<OpHandler*>(handler)->handle(op, keys, stack);
	}
	static std::shared_ptr<c10::DebugInfoBase> slot_for(OpHandler& handler) {
		auto slot = std::make_shared<detail::CaptureSlot>();
		slot->handler = &handler;
		slot->call = &call;
		return slot;
	}
	c10::DebugInfoGuard slot_;
	at::AutoDispatchBelowADInplaceOrView below_autograd_;
	c10::impl::IncludeDispatchKeyGuard traced_{c10::DispatchKeySet(trace_key)};
};
class OutsideScope {
	[[nodiscard]] static c10::impl::LocalDispatchKeySet without_trace() {
		auto keys = c10::impl::tls_local_dispatch_key_set();
		keys.included_ = keys.included_.remove(trace_key);
		return keys;
	}
	c10::impl::ForceDispatchKeyGuard outside_{without_trace()};
};
class UntracedScope {
	c10::impl::ExcludeDispatchKeyGuard untraced_{c10::DispatchKeySet(trace_key)};
};
}
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
namespace at::autocast {
TORCH_API bool is_autocast_enabled(c10::DeviceType device_type);
TORCH_API void set_autocast_enabled(c10::DeviceType device_type, bool enabled);
TORCH_API c10::ScalarType get_autocast_dtype(c10::DeviceType device_type);
TORCH_API void set_autocast_dtype(c10::DeviceType device_type, c10::ScalarType dtype);
TORCH_API int increment_nesting();
TORCH_API int decrement_nesting();
TORCH_API bool is_autocast_cache_enabled();
TORCH_API void set_autocast_cache_enabled(bool enabled);
TORCH_API void clear_cache();
}
namespace ferry {
class AutocastGuard {
public:
	AutocastGuard(c10::DeviceType device, bool enabled, std::optional<c10::ScalarType> dtype, bool caches)
		: device_(device),
		enabled_(at::autocast::is_autocast_enabled(device)),
		dtype_(at::autocast::get_autocast_dtype(device)),
		caches_(at::autocast::is_autocast_cache_enabled()) {
		at::autocast::set_autocast_enabled(device, enabled);
		at::autocast::set_autocast_dtype(device, dtype.value_or(dtype_));
		at::autocast::increment_nesting();
		at::autocast::set_autocast_cache_enabled(caches);
	}
	AutocastGuard(const AutocastGuard&) = delete;
	AutocastGuard& operator=(const AutocastGuard&) = delete;
	~AutocastGuard() {
		if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
		at::autocast::set_autocast_enabled(device_, enabled_);
		at::autocast::set_autocast_dtype(device_, dtype_);
		at::autocast::set_autocast_cache_enabled(caches_);
	}
private:
	c10::DeviceType device_;
	bool enabled_;
	c10::ScalarType dtype_;
	bool caches_;
};
}
#include <ATen/ops/empty.h>
namespace ferry::capture {
struct AutocastRegion {
	c10::DeviceType device = c10::kCPU;
	c10::ScalarType dtype = c10::kBFloat16;
	bool enabled = true;
};
namespace detail {
inline thread_local const AutocastRegion* autocast_region = nullptr;
}
[[nodiscard]] inline bool is_in_autocast() noexcept {
	return detail::autocast_region != nullptr && detail::autocast_region->enabled;
}
class AutocastScope {
public:
	explicit AutocastScope(const AutocastRegion* region) : before_(std::exchange(detail::autocast_region, region)) {}
	AutocastScope(const AutocastScope&) = delete;
	AutocastScope& operator=(const AutocastScope&) = delete;
	~AutocastScope() { detail::autocast_region = before_; }
private:
	const AutocastRegion* before_;
};
namespace detail {
[[nodiscard]] inline c10::DispatchKey autocast_key(c10::DeviceType device) {
	switch (device) {
		case c10::kCPU: return c10::DispatchKey::AutocastCPU;
		case c10::kCUDA: return c10::DispatchKey::AutocastCUDA;
		case c10::kXPU: return c10::DispatchKey::AutocastXPU;
		case c10::kMPS: return c10::DispatchKey::AutocastMPS;
		default: return c10::DispatchKey::Undefined;
	}
}
class AutocastQuestion final : public OpHandler {
public:
	struct Answered : std::exception {};
	AutocastQuestion(const AutocastRegion& region, std::function<c10::Device(const at::Tensor&)> device_of)
		: OpHandler([](OpHandler& self, const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
		static_cast<AutocastQuestion&>(self).take(op, *stack);
		}),
		region_(region),
		device_of_(std::move(device_of)) {}
	[[nodiscard]] std::pair<c10::OperatorHandle, torch::jit::Stack> ask(const c10::OperatorHandle& op,
		std::span<const c10::IValue> arguments) {
		torch::jit::Stack stack;
		stack.reserve(arguments.size());
		for (const c10::IValue& argument : arguments)
		stack.push_back(exchange_tensors(argument, [&](const at::Tensor& tensor) { return stand_in_for(tensor); }));
		try {
		const TraceScope scope(*this);
		const AutocastGuard on(region_.device, true, region_.dtype, /*caches=*/false);
		op.callBoxed(stack);
		} catch (const Answered&) {
		for (c10::IValue& value : answer_)
		value = exchange_tensors(value, [&](const at::Tensor& tensor) { return original_of(tensor); });
		return {*op_, std::move(answer_)};
		}
		return {op, torch::jit::Stack(arguments.begin(), arguments.end())};
	}
private:
	struct Origin {
		at::Tensor stand_in;
		at::Tensor tensor;
		std::optional<c10::ScalarType> cast{};
	};
	[[nodiscard]] at::Tensor make(const at::Tensor& original, c10::ScalarType dtype, bool is_there,
		std::optional<c10::ScalarType> cast) {
		const UntracedScope below;
		at::Tensor made = at::empty({}, at::TensorOptions(dtype).device(is_there ? at::kCPU : at::kMeta));
		if (!cast && original.unsafeGetTensorImpl()->is_wrapped_number())
		made.unsafeGetTensorImpl()->set_wrapped_number(true);
		origins_.emplace(made.unsafeGetTensorImpl(), Origin{made, original, cast});
		return made;
	}
	[[nodiscard]] at::Tensor stand_in_for(const at::Tensor& tensor) {
		if (!tensor.defined()) return tensor;
		return make(tensor, tensor.scalar_type(), device_of_(tensor).type() == region_.device, std::nullopt);
	}
	[[nodiscard]] at::Tensor original_of(const at::Tensor& stand_in) const {
		const auto found = origins_.find(stand_in.unsafeGetTensorImpl());
		if (found == origins_.end()) return stand_in;
		const auto& [kept, tensor, cast] = found->second;
		return cast ? tensor.to(*cast) : tensor;
	}
	void take(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
		const auto given = last(stack, op.schema().arguments().size());
		const std::string& name = op.schema().name();
		if (name == "aten::to" && op.schema().overload_name() == "dtype") {
		const auto dtype = static_cast<c10::ScalarType>(given[1].toInt());
		const at::Tensor from = given[0].toTensor();
		const at::Tensor made = make(origins_.at(from.unsafeGetTensorImpl()).tensor, dtype, from.is_cpu(), dtype);
		stack.resize(stack.size() - given.size());
		stack.emplace_back(made);
		return;
		}
		op_ = op;
		answer_.assign(given.begin(), given.end());
		throw Answered{};
	}
	AutocastRegion region_;
	std::function<c10::Device(const at::Tensor&)> device_of_;
	std::unordered_map<const c10::TensorImpl*, Origin> origins_;
	std::optional<c10::OperatorHandle> op_;
	torch::jit::Stack answer_;
};
}
inline bool call_under_autocast(const c10::OperatorHandle& op, torch::jit::Stack& stack,
		const std::function<c10::Device(const at::Tensor&)>& device_of) {
	const AutocastRegion* region = detail::autocast_region;
	const c10::DispatchKey key = detail::autocast_key(region->device);
	if (key == c10::DispatchKey::Undefined || !op.hasKernelForDispatchKey(key)) return false;
	const auto arguments = detail::last(stack, op.schema().arguments().size());
	bool concerned = false;
	for (const c10::IValue& argument : arguments)
		detail::for_each_tensor(argument, [&](const at::Tensor& tensor) {
		concerned = concerned || device_of(tensor).type() == region->device;
		});
	if (!concerned) return false;
	if (region->device != c10::kCPU)
		throw Error(ErrorKind::unsupported, "a program that uses autocast on another device than the CPU is captured",
		{.hint = "export the model on the CPU", .where = {.op = c10::toString(op.operator_name())}});
	const AutocastScope inside(nullptr);
	auto [called, given] = detail::AutocastQuestion(*region, device_of).ask(op, arguments);
	stack.resize(stack.size() - arguments.size());
	stack.insert(stack.end(), given.begin(), given.end());
	called.callBoxed(stack);
	return true;
}
}
#include <c10/util/Exception.h>
namespace ferry {
[[nodiscard]] inline std::string message_of(const std::exception& thrown) {
	const auto* of_torch = dynamic_cast<const c10::Error*>(&thrown);
	return of_torch != nullptr ? of_torch->what_without_backtrace() : thrown.what();
}
[[nodiscard]] inline ErrorPlace place_of(const Node* node) {
	if (node == nullptr) return {};
	return {.op = std::string(node->op()), .path = std::string(node->module_path())};
}
template <class Body, class Running>
decltype(auto) with_our_errors(Body&& body, Running&& running) {
	try {
		return std::forward<Body>(body)();
	} catch (const Error& error) {
		const Node* node = running();
		if (typeid(error) != typeid(Error) || node == nullptr || !error.where().op.empty() ||
		!error.where().path.empty())
		throw;
		ErrorDetails details{.hint = error.hint(), .where = place_of(node)};
		details.where.stage = error.where().stage;
		throw Error(error.kind(), error.message(), std::move(details));
	} catch (const std::exception& thrown) {
		throw Error(ErrorKind::invalid_input, message_of(thrown), {.where = place_of(running())});
	}
}
}
namespace ferry::capture {
struct ForwardPlace {
	std::string_view module{}; 
	std::string_view last_op{};
};
namespace detail {
[[nodiscard]] inline std::string_view without_script_trace(std::string_view message) {
	if (message.find("TorchScript interpreter") == std::string_view::npos) return message;
	while (message.ends_with('\n') || message.ends_with(' ')) message.remove_suffix(1);
	for (const std::string_view kind : {"\nRuntimeError: ", "\nException: ", "Error: "})
		if (const auto at = message.rfind(kind); at != std::string_view::npos) return message.substr(at + kind.size());
	return message;
}
struct Meaning {
	std::string_view message;
	std::string_view hint{};
};
[[nodiscard]] inline Meaning meaning_of(std::string_view message) {
	const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
	if (says(no_data))
		return {
		"it reads the data of a tensor, which has none while a model is captured; compute with tensor operations "
		"instead of data_ptr(), accessor() and the like",
		"print, save and look at values outside of forward"};
	if (says("does not require grad"))
		return {
		message,
		"forward runs without autograd while it is captured: write the derivative with tensor operations, or take "
		"it outside of forward"};
	return {message};
}
}
[[nodiscard]] inline Error forward_error(const std::exception& thrown, const ForwardPlace& place) {
	const std::string all = message_of(thrown);
	const auto [said, hint] = detail::meaning_of(detail::without_script_trace(all));
	std::string message = "forward fails";
	if (!place.last_op.empty()) message.append(", after ").append(place.last_op);
	message.append(": ").append(said);
	return {
		ErrorKind::invalid_input, message, {.hint = std::string(hint), .where = {.path = std::string(place.module)}}};
}
}
namespace ferry::capture {
struct asks_for_shape {
	static constexpr auto target =
		op("aten::size.int", "aten::size", "aten::sym_size.int", "aten::sym_size", "aten::stride.int", "aten::stride",
		"aten::sym_stride.int", "aten::sym_stride", "aten::numel", "aten::sym_numel", "aten::dim",
		"aten::sym_storage_offset", "aten::storage_offset", "aten::is_same_size", "aten::is_complex",
		"aten::is_floating_point", "aten::is_signed", "aten::is_contiguous", "aten::is_contiguous.memory_format",
		"aten::is_conj", "aten::is_neg", "aten::is_inference", "aten::is_nested", "aten::is_pinned",
		"aten::result_type.Tensor", "aten::result_type.Scalar", "aten::result_type.Scalar_Tensor",
		"aten::result_type.Scalar_Scalar", "aten::can_cast", "aten::promote_types", "aten::is_leaf",
		"aten::retains_grad", "aten::_version", "aten::output_nr", "aten::_has_compatible_shallow_copy_type",
		"aten::_is_zerotensor", "aten::get_device", "aten::_use_cudnn_ctc_loss", "aten::_debug_has_internal_overlap",
		"aten::_fused_sdp_choice");
};
struct asks_for_value {
	static constexpr auto target = op("aten::item", "aten::_local_scalar_dense");
};
struct checks_a_number {
	static constexpr auto target = op("aten::_assert_scalar");
};
struct asks_for_equality {
	static constexpr auto target = op("aten::equal");
};
struct makes_memory {
	static constexpr auto target = op("aten::empty.memory_format");
};
struct changes_geometry {
	static constexpr auto target =
		op("aten::unsqueeze_", "aten::squeeze_", "aten::squeeze_.dim", "aten::squeeze_.dims", "aten::t_",
		"aten::transpose_", "aten::swapaxes_", "aten::swapdims_", "aten::as_strided_");
};
struct changes_size {
	static constexpr auto target = op("aten::resize_", "aten::resize_as_");
};
struct changes_nothing {
	static constexpr auto target = op("aten::detach_", "aten::requires_grad_", "aten::retain_grad", "aten::set_data");
};
using op_classes = op_table<type_list<asks_for_shape, asks_for_value, checks_a_number, asks_for_equality, makes_memory,
		changes_geometry, changes_size, changes_nothing>>;
enum class OpClass : std::uint8_t {
	shape_query,
	value_query,
	check,
	equality_query,
	memory,
	geometry,
	size,
	nothing,
	ordinary
};
[[nodiscard]] constexpr OpClass class_of(std::string_view op) noexcept {
	return static_cast<OpClass>(op_classes::find(op));
}
static_assert(class_of("aten::item") == OpClass::value_query && class_of("aten::add.Tensor") == OpClass::ordinary);
}
#include <chrono>
namespace ferry::capture {
class RealRuns {
public:
	using Milliseconds = std::chrono::duration<double, std::milli>;
	static constexpr Milliseconds too_much{50};
	RealRuns() = default;
	RealRuns(const RealRuns&) = delete;
	RealRuns& operator=(const RealRuns&) = delete;
	~RealRuns() {
		try {
		if (!by_op_.empty()) log(total() > too_much ? LogLevel::warning : LogLevel::info, message());
		} catch (...) {
		}
	}
	template <class Run>
	void measure(std::string_view op, Run&& run) {
		const auto start = std::chrono::steady_clock::now();
		run();
		Sum& sum = by_op_[std::string(op)];
		++sum.times;
		sum.took += std::chrono::steady_clock::now() - start;
	}
	[[nodiscard]] Milliseconds total() const {
		Milliseconds sum{};
		for (const auto& [op, each] : by_op_) sum += each.took;
		return sum;
	}
	[[nodiscard]] std::string message() const {
		std::vector<std::pair<std::string_view, Sum>> ops(by_op_.begin(), by_op_.end());
		algo::stable_sort(ops, std::greater<>(), [](const auto& op) { return op.second.took; });
		std::string list;
		for (const auto& [op, sum] : ops) {
		char figures[64];
		std::snprintf(figures, sizeof figures, " (%zu times, %.1f ms)", sum.times, sum.took.count());
		list += (list.empty() ? "" : ", ") + std::string(op) + figures;
		}
		return "the capture ran ops on real kernels, for want of a rule for their sizes: " + list +
		"; give the pipeline a fake of each: ferry::extend<Pipeline, ferry::fakes<my_fake>>";
	}
private:
	struct Sum {
		std::size_t times = 0;
		Milliseconds took{};
	};
	std::map<std::string, Sum> by_op_;
};
}
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
namespace ferry {
static_assert(static_cast<int>(c10::ScalarType::Float) == static_cast<int>(DType::float32));
static_assert(static_cast<int>(c10::ScalarType::Bool) == static_cast<int>(DType::boolean));
static_assert(static_cast<int>(c10::ScalarType::BFloat16) == static_cast<int>(DType::bfloat16));
static_assert(static_cast<int>(c10::ScalarType::Float8_e5m2) == static_cast<int>(DType::float8_e5m2));
static_assert(static_cast<int>(c10::ScalarType::UInt64) == static_cast<int>(DType::uint64));
static_assert(static_cast<int>(c10::Layout::Jagged) == static_cast<int>(Layout::jagged));
static_assert(static_cast<int>(c10::MemoryFormat::ChannelsLast3d) == static_cast<int>(MemoryFormat::channels_last_3d));
[[nodiscard]] constexpr DType to_dtype(c10::ScalarType type) noexcept { return static_cast<DType>(type); }
[[nodiscard]] constexpr c10::ScalarType to_c10(DType type) noexcept { return static_cast<c10::ScalarType>(type); }
[[nodiscard]] constexpr Layout to_layout(c10::Layout layout) noexcept { return static_cast<Layout>(layout); }
[[nodiscard]] constexpr c10::Layout to_c10(Layout layout) noexcept { return static_cast<c10::Layout>(layout); }
[[nodiscard]] constexpr MemoryFormat to_memory_format(c10::MemoryFormat format) noexcept {
	return static_cast<MemoryFormat>(format);
}
[[nodiscard]] constexpr c10::MemoryFormat to_c10(MemoryFormat format) noexcept {
	return static_cast<c10::MemoryFormat>(format);
}
[[nodiscard]] inline Device to_device(const c10::Device& device) {
	Device made{c10::DeviceTypeName(device.type(), /*lower_case=*/true)};
	if (device.has_index()) made.index = device.index();
	return made;
}
[[nodiscard]] inline c10::Device to_c10(const Device& device) { return {to_string(device)}; }
}
#include <ATen/ScalarOps.h>
#include <ATen/core/jit_type.h>
namespace ferry {
namespace detail {
[[nodiscard]] inline c10::TypeKind element_kind(const c10::Type* type) {
	while (type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::ListType)
		type = type->containedType(0).get();
	return type->kind();
}
[[noreturn]] inline void no_such_argument(const std::string& what) {
	throw Error(ErrorKind::unsupported, "an argument of type " + what + " cannot stand in a graph",
		{.hint = "pass tensors, numbers, strings, dtypes, devices and lists of these to ops"});
}
}
template <class ValueOf>
[[nodiscard]] Argument to_argument(const c10::IValue& value, c10::TypeKind kind, ValueOf&& value_of) {
	if (value.isNone()) return {};
	if (value.isTensor()) {
		const at::Tensor& tensor = value.toTensor();
		return tensor.defined() ? Argument(value_of(tensor)) : Argument();
	}
	if (value.isInt() || value.isSymInt()) {
		const std::int64_t number = value.isInt() ? value.toInt() : value.toSymInt().guard_int(__FILE__, __LINE__);
		switch (kind) {
		case c10::TypeKind::ScalarTypeType: return static_cast<DType>(number);
		case c10::TypeKind::LayoutType: return static_cast<Layout>(number);
		case c10::TypeKind::MemoryFormatType: return static_cast<MemoryFormat>(number);
		default: return number;
		}
	}
	if (value.isDouble()) return value.toDouble();
	if (value.isBool()) return value.toBool();
	if (value.isString()) return value.toStringRef();
	if (value.isDevice()) return to_device(value.toDevice());
	if (value.isComplexDouble()) {
		const auto number = value.toComplexDouble();
		return std::complex<double>(number.real(), number.imag());
	}
	if (value.isTensorList()) {
		ArgumentList list;
		for (const at::Tensor& tensor : value.toTensorVector())
		list.push_back(tensor.defined() ? Argument(value_of(tensor)) : Argument());
		return list;
	}
	if (value.isIntList()) {
		ArgumentList list;
		for (const std::int64_t item : value.toIntList()) list.emplace_back(item);
		return list;
	}
	if (value.isList()) {
		ArgumentList list;
		for (const c10::IValue& item : value.toListRef()) list.push_back(to_argument(item, kind, value_of));
		return list;
	}
	if (value.isGenerator()) return {};
	if (value.isObject())
		throw Error(
		ErrorKind::unsupported,
		"an op takes an object of the class " + value.type()->str() + ", as quantized and packed modules have them",
		{.hint = "export the module that was quantized, packed or optimized, as it was before that"});
	detail::no_such_argument(value.tagKind());
}
namespace detail {
[[nodiscard]] inline c10::IValue as_tensor(c10::IValue value) {
	if (!value.isScalar() && !value.isSymInt()) return value;
	const c10::Scalar number =
		value.isSymInt() ? c10::Scalar(value.toSymInt().guard_int(__FILE__, __LINE__)) : value.toScalar();
	return at::native::wrapped_scalar_tensor(number);
}
}
template <class Lookup>
[[nodiscard]] c10::IValue to_ivalue(const Argument& argument, const c10::Type& type, Lookup&& lookup) {
	using c10::TypeKind;
	if (argument.is_none()) return type.kind() == TypeKind::TensorType ? c10::IValue(at::Tensor()) : c10::IValue();
	if (type.kind() == TypeKind::OptionalType) return to_ivalue(argument, *type.containedType(0), lookup);
	if (const auto* value = argument.get_if<Value>())
		return type.kind() == TypeKind::TensorType ? detail::as_tensor(lookup(*value)) : lookup(*value);
	if (type.kind() == TypeKind::TensorType && !argument.is<ArgumentList>())
		return detail::as_tensor(to_ivalue(argument, *c10::AnyType::get(), lookup));
	if (const auto* list = argument.get_if<ArgumentList>()) {
		if (type.kind() != TypeKind::ListType) detail::no_such_argument("list where the schema has " + type.str());
		const c10::Type& element = *type.containedType(0);
		switch (element.kind()) {
		case TypeKind::TensorType: {
		c10::List<at::Tensor> made;
		for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toTensor());
		return made;
		}
		case TypeKind::IntType:
		case TypeKind::SymIntType: {
		c10::List<std::int64_t> made;
		for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toInt());
		return made;
		}
		case TypeKind::FloatType: {
		c10::List<double> made;
		for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toDouble());
		return made;
		}
		case TypeKind::BoolType: {
		c10::List<bool> made;
		for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toBool());
		return made;
		}
		case TypeKind::OptionalType: {
		c10::List<std::optional<at::Tensor>> made;
		for (const Argument& item : *list)
		made.push_back(item.is_none() ? std::optional<at::Tensor>()
		: to_ivalue(item, element, lookup).toTensor());
		return made;
		}
		default: {
		c10::impl::GenericList made(type.containedType(0));
		for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup));
		return made;
		}
		}
	}
	if (const auto* number = argument.get_if<std::int64_t>())
		return type.kind() == TypeKind::FloatType ? c10::IValue(static_cast<double>(*number)) : c10::IValue(*number);
	if (const auto* number = argument.get_if<double>()) return *number;
	if (const auto* flag = argument.get_if<bool>()) return *flag;
	if (const auto* text = argument.get_if<std::string>()) return *text;
	if (const auto* dtype = argument.get_if<DType>()) return static_cast<std::int64_t>(*dtype);
	if (const auto* layout = argument.get_if<Layout>()) return static_cast<std::int64_t>(*layout);
	if (const auto* format = argument.get_if<MemoryFormat>()) return static_cast<std::int64_t>(*format);
	if (const auto* device = argument.get_if<Device>()) return to_c10(*device);
	if (const auto* number = argument.get_if<std::complex<double>>())
		return c10::complex<double>(number->real(), number->imag());
	detail::no_such_argument("subgraph where the schema has " + type.str());
}
}
namespace ferry::capture {
enum class FakeRun : std::uint8_t {
	on_meta, 
	by_parts,
	on_zeros,
};
struct OpInfo {
	c10::OperatorHandle op;
	std::string name;
	OpClass op_class = OpClass::ordinary;
	std::vector<c10::TypeKind> argument_kinds{};
	std::vector<std::size_t> written{};
	std::optional<std::size_t> device{};
	bool returns_numbers = false;      
	const OpInfo* functional = nullptr;
	Kernel fake = nullptr;
	Kernel patch = nullptr;
	FakeRun runs_as = FakeRun::on_meta;
	bool is_random = false;   
	bool is_composite = false;
};
[[nodiscard]] std::optional<c10::OperatorHandle> find_functional(const c10::FunctionSchema& schema);
namespace detail {
[[nodiscard]] inline bool is_out_variant(const c10::FunctionSchema& schema) {
	return !schema.arguments().empty() && schema.arguments().back().is_out();
}
}
inline std::optional<c10::OperatorHandle> find_functional(const c10::FunctionSchema& schema) {
	const auto find = [](const std::string& of_name, const std::string& of_overload) {
		return c10::Dispatcher::singleton().findSchema({of_name, of_overload});
	};
	std::string name = schema.name();
	std::string overload = schema.overload_name();
	if (detail::is_out_variant(schema)) {
		if (overload.ends_with("_out")) return find(name, overload.substr(0, overload.size() - 4));
		if (auto found = find(name, "")) return found;
		return find(name, "Tensor");
	}
	if (name == "aten::normal_") return find("aten::normal_functional", "");
	if (name.ends_with("__") && name.find("::__i") != std::string::npos) {
		name.erase(name.find("::__i") + 4, 1);
		return find(name, overload);
	}
	if (!name.ends_with('_')) return find(name + "_functional", overload);
	name.pop_back();
	if (name == "aten::transpose") overload = "int";
	if (name == "aten::bernoulli" && overload == "float") overload = "p";
	if (auto found = find(name, overload); found || overload != "Tensor") return found;
	return find(name, "");
}
class OpInfos {
public:
	explicit OpInfos(OpRules rules) : rules_(rules) {}
	[[nodiscard]] const OpRules& rules() const noexcept { return rules_; }
	[[nodiscard]] RealRuns& real_runs() noexcept { return real_runs_; }
	[[nodiscard]] bool any_computes() const {
		return algo::any_of(infos_, [](const auto& each) {
		return each.second.runs_as == FakeRun::on_zeros && each.second.fake == nullptr &&
		each.second.op_class == OpClass::ordinary && each.second.written.empty();
		});
	}
	OpInfo& of(const c10::OperatorHandle& op) {
		const auto found = infos_.find(&op.schema());
		return found != infos_.end() ? found->second : add(op);
	}
private:
	OpInfo& add(const c10::OperatorHandle& op);
	OpRules rules_;
	RealRuns real_runs_;
	std::unordered_map<const c10::FunctionSchema*, OpInfo> infos_;
};
inline OpInfo& OpInfos::add(const c10::OperatorHandle& op) {
	const c10::FunctionSchema& schema = op.schema();
	OpInfo& info = infos_.emplace(&schema, OpInfo{.op = op, .name = c10::toString(op.operator_name())}).first->second;
	info.op_class = class_of(info.name);
	for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
		const c10::Argument& argument = schema.arguments()[i];
		info.argument_kinds.push_back(ferry::detail::element_kind(argument.real_type().get()));
		if (argument.alias_info() != nullptr && argument.alias_info()->isWrite()) info.written.push_back(i);
		if (argument.name() == "device") info.device = i;
	}
	for (const c10::Argument& returned : schema.returns())
		if (ferry::detail::element_kind(returned.real_type().get()) != c10::TypeKind::TensorType)
		info.returns_numbers = true;
	info.fake = rules_.fake(info.name);
	info.patch = rules_.patch(info.name);
	const bool runs_on_meta = op.hasKernelForDispatchKey(c10::DispatchKey::Meta) ||
		op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) ||
		op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd) ||
		op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
	info.runs_as = runs_on_meta ? FakeRun::on_meta : FakeRun::on_zeros;
	info.is_random = op.hasTag(at::Tag::nondeterministic_seeded);
	info.is_composite = op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
	if (!info.written.empty())
		if (const auto functional = find_functional(schema))
		info.functional = &of(*functional);
	return info;
}
}
namespace ferry::capture {
class OpEmitter {
public:
	OpEmitter(const OpEmitter&) = delete;
	OpEmitter& operator=(const OpEmitter&) = delete;
	std::vector<Value> emit(std::string_view op, std::vector<Argument> arguments) {
		return emit_(*this, op, std::move(arguments));
	}
	[[nodiscard]] const TraceValue& value(Value value) const { return trace_.values[value.index]; }
protected:
	using Emit = std::vector<Value> (*)(OpEmitter&, std::string_view, std::vector<Argument>);
	OpEmitter(Emit emit, const Trace& trace) noexcept : emit_(emit), trace_(trace) {}
	~OpEmitter() = default;
private:
	Emit emit_;
	const Trace& trace_;
};
}
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/util/intrusive_ptr.h>
namespace ferry::capture {
class LeftBehindWatch {
public:
	void begin_run() {
		if (runs_++ > 1) last_.clear();
	}
	void add(const at::Tensor& fake) { (runs_ > 1 ? last_ : first_).emplace_back(fake.getIntrusivePtr()); }
	[[nodiscard]] std::string find() const {
		for (const auto* fakes : {&last_, &first_})
		for (const Weak& fake : *fakes) {
		const auto held = fake.lock();
		if (!held) continue;
		std::string text = "[";
		for (const std::int64_t size : held->sizes())
		text.append(text.size() > 1 ? ", " : "").append(std::to_string(size));
		return text + "]";
		}
		return {};
	}
private:
	using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
	std::vector<Weak> first_, last_;
	std::size_t runs_ = 0;
};
}
namespace ferry::capture {
[[nodiscard]] inline std::string_view common_module(std::string_view a, std::string_view b) {
	std::size_t same = 0;
	for (std::size_t i = 0; i <= std::min(a.size(), b.size()); ++i) {
		const bool a_ends = i == a.size() || a[i] == '.', b_ends = i == b.size() || b[i] == '.';
		if (a_ends && b_ends) same = i;
		if (i == a.size() || i == b.size() || a[i] != b[i]) break;
	}
	return a.substr(0, same);
}
[[nodiscard]] inline bool is_within(std::string_view path, std::string_view module) {
	return module.empty() || (path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.'));
}
class ModuleNames {
public:
	ModuleNames() = default;
	ModuleNames(ModuleNames&&) = default;
	ModuleNames& operator=(ModuleNames&&) = default;
	void add_tensor(const at::Tensor& tensor, std::string_view name) {
		const auto dot = name.rfind('.');
		if (tensor.defined())
		tensors_.emplace(tensor.unsafeGetTensorImpl(),
		Place{intern(dot == std::string_view::npos ? "" : name.substr(0, dot)),
		intern(dot == std::string_view::npos ? name : name.substr(dot + 1))});
	}
	void add_module(const void* module, std::string_view path) { modules_.emplace(module, intern(path)); }
	void set_interpreter(std::function<std::string()> path) { interpreter_ = std::move(path); }
	[[nodiscard]] bool has(const at::Tensor& tensor) const { return tensors_.contains(tensor.unsafeGetTensorImpl()); }
	[[nodiscard]] std::string_view name_of(const at::Tensor& tensor) const {
		const auto found = tensors_.find(tensor.unsafeGetTensorImpl());
		return found != tensors_.end() ? found->second.name : std::string_view();
	}
	template <class Tensors>
	[[nodiscard]] std::string_view path_of(const Tensors& for_each_argument) {
		std::string_view announced;
		if (interpreter_) announced = intern(interpreter_());
		if (const ModuleCalls* calls = module_calls())
		for (std::size_t i = calls->running.size(); i-- > 0 && announced.empty();)
		if (const auto found = modules_.find(calls->running[i]); found != modules_.end())
		announced = found->second;
		std::string_view owner;
		bool any = false;
		for_each_argument([&](const at::Tensor& tensor) {
		const auto found = tensors_.find(tensor.unsafeGetTensorImpl());
		if (found == tensors_.end()) return;
		owner = any ? intern(common_module(owner, found->second.module)) : found->second.module;
		any = true;
		});
		return any && is_within(owner, announced) ? owner : announced;
	}
	std::string_view intern(std::string_view text) {
		const auto found = texts_.find(text);
		return found != texts_.end() ? *found : *texts_.emplace(text).first;
	}
private:
	struct Place {
		std::string_view module;
		std::string_view name;
	};
	std::unordered_map<const void*, Place> tensors_;
	std::unordered_map<const void*, std::string_view> modules_;
	std::function<std::string()> interpreter_;
	std::set<std::string, std::less<>> texts_;
};
inline void spread_modules(Trace& trace, ModuleNames& names) {
	std::vector<std::string_view> after(trace.ops.size() + 1);
	for (std::size_t i = trace.ops.size(); i-- > 0;)
		after[i] = trace.ops[i].module.empty() ? after[i + 1] : trace.ops[i].module;
	std::string_view before;
	for (std::size_t i = 0; i < trace.ops.size(); ++i) {
		if (trace.ops[i].module.empty())
		trace.ops[i].module = names.intern(common_module(before, after[i + 1]));
		else
		before = trace.ops[i].module;
	}
}
}
namespace ferry::capture {
struct ResultSize {
	std::size_t result;
	std::size_t dim;
};
struct StatedSizes {
	std::function<std::optional<SymExpr>(std::string_view op, std::span<const ResultSize> places)> of{};
	std::vector<SymExpr> conditions{};
	SymMap<ValueRange> ranges{};      
	SymBindings sample{};             
	std::size_t unused = 0;           
};
}
namespace ferry::capture {
class LooseNumbers {
public:
	void begin_run() { of_run_.clear(), learnt_ = false; }
	[[nodiscard]] bool take(const at::Tensor& tensor) {
		if (lasting_.contains(tensor.unsafeGetTensorImpl())) return false;
		if (seen_.contains(tensor.unsafeGetTensorImpl())) {
		keep(tensor);
		return false;
		}
		of_run_.push_back(tensor);
		return true;
	}
	void keep(const at::Tensor& tensor) {
		const bool was_number = is_of_run(tensor) || seen_.contains(tensor.unsafeGetTensorImpl());
		if (!lasting_.insert(tensor.unsafeGetTensorImpl()).second) return;
		learnt_ = learnt_ || was_number;
		seen_.emplace(tensor.unsafeGetTensorImpl(), tensor);
	}
	[[nodiscard]] bool is_of_run(const at::Tensor& tensor) const {
		return algo::any_of(of_run_, [&](const at::Tensor& each) { return each.is_same(tensor); });
	}
	[[nodiscard]] bool end_run() {
		for (at::Tensor& tensor : of_run_) seen_.emplace(tensor.unsafeGetTensorImpl(), tensor);
		of_run_.clear();
		return std::exchange(learnt_, false);
	}
private:
	std::unordered_map<const c10::TensorImpl*, at::Tensor> seen_;
	std::unordered_set<const c10::TensorImpl*> lasting_;
	std::vector<at::Tensor> of_run_;
	bool learnt_ = false;
};
}
#include <c10/util/flat_hash_map.h>
namespace ferry::capture {
using Fakes = ska::flat_hash_set<const c10::TensorImpl*>;
inline constexpr std::uint32_t no_record = UINT32_MAX;
struct Record {
	at::Tensor held;                  
	at::Tensor fake;                  
	Value value{};                    
	std::uint32_t root = no_record;   
	std::uint32_t parent = no_record; 
	std::uint32_t made_by = no_record;
	std::uint32_t made_from = 0;      
	std::uint32_t made_as = 0;        
	std::uint32_t version = 0;        
	std::uint32_t seen = 0;
	std::uint32_t neighbour = no_record;
	Value original{};                   
	bool constant = false;
	std::uint32_t memory = no_record;
};
struct ConstantView {
	OpInfo* info;
	torch::jit::Stack arguments;
	std::uint32_t made_as;
};
[[nodiscard]] inline const c10::StorageImpl* storage_of(const at::Tensor& tensor) {
	return tensor.has_storage() ? tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl() : nullptr;
}
class Records {
public:
	[[nodiscard]] Record& operator[](std::uint32_t index) { return all_[index]; }
	[[nodiscard]] const Record& operator[](std::uint32_t index) const { return all_[index]; }
	[[nodiscard]] auto begin() const { return all_.begin(); }
	[[nodiscard]] auto end() const { return all_.end(); }
	[[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
	void reserve(std::size_t count) {
		all_.reserve(count);
		index_.reserve(count);
		newest_of_storage_.reserve(count);
	}
	std::uint32_t add(const at::Tensor& held, const at::Tensor& fake, Value value) {
		const std::uint32_t index = size();
		all_.push_back({.held = held, .fake = fake, .value = value, .root = index});
		know(held, index);
		know(fake, index);
		if (const auto* storage = storage_of(fake)) {
		const auto [newest, is_first] = newest_of_storage_.emplace(storage, index);
		if (!is_first) all_[index].neighbour = std::exchange(newest->second, index);
		}
		return index;
	}
	std::uint32_t add_unnamed(Record record) {
		all_.push_back(std::move(record));
		return size() - 1;
	}
	void make_view(std::uint32_t index, std::uint32_t parent, std::uint32_t made_by, std::uint32_t made_from,
		std::uint32_t made_as) {
		Record& view = all_[index];
		view.root = all_[parent].root;
		view.parent = parent;
		view.made_by = made_by;
		view.made_from = made_from;
		view.made_as = made_as;
		view.seen = all_[view.root].version;
	}
	[[nodiscard]] std::uint32_t find(const at::Tensor& tensor) const {
		const auto found = index_.find(tensor.unsafeGetTensorImpl());
		return found != index_.end() ? found->second : no_record;
	}
	[[nodiscard]] std::uint32_t find_same(const at::Tensor& tensor) const {
		for (std::uint32_t at = newest_of(tensor); at != no_record; at = all_[at].neighbour) {
		const at::Tensor& known = all_[at].fake;
		if (known.sizes() == tensor.sizes() && known.strides() == tensor.strides() &&
		known.dtype() == tensor.dtype() && known.storage_offset() == tensor.storage_offset())
		return at;
		}
		return no_record;
	}
	[[nodiscard]] std::uint32_t newest_of(const at::Tensor& tensor) const {
		const auto newest = newest_of_storage_.find(storage_of(tensor));
		return newest != newest_of_storage_.end() ? newest->second : no_record;
	}
	void know(const at::Tensor& tensor, std::uint32_t index) { index_[tensor.unsafeGetTensorImpl()] = index; }
	void know_and_keep(const at::Tensor& tensor, std::uint32_t index) {
		kept_.push_back(tensor);
		know(tensor, index);
	}
	[[nodiscard]] std::unordered_map<std::uint32_t, ConstantView>& constant_views() noexcept { return constant_views_; }
private:
	std::vector<Record> all_;
	ska::flat_hash_map<const c10::TensorImpl*, std::uint32_t> index_;
	ska::flat_hash_map<const c10::StorageImpl*, std::uint32_t> newest_of_storage_;
	std::vector<at::Tensor> kept_;
	std::unordered_map<std::uint32_t, ConstantView> constant_views_;
};
}
namespace ferry::capture {
struct RunSettings {
	std::span<const std::int64_t> unbacked{};
	const SymBindings* sizes = nullptr;
	const StatedSizes* stated = nullptr;
	bool constants_stay_real =
		true;
	ModuleNames* names = nullptr;
	Fakes* fakes = nullptr;
	LooseNumbers* numbers = nullptr;
	const std::set<std::uint32_t>* traced_memory =
		nullptr;
	std::span<const std::int64_t> observed{};
	const std::set<const c10::TensorImpl*>* written_state =
		nullptr;
	bool knows_state = true;
	bool* has_asked = nullptr;
	LeftBehindWatch* watch = nullptr;
	bool is_nested = false;
};
}
namespace ferry::capture {
class KnownValues {
public:
	KnownValues(Trace& trace, const RunSettings& settings) : trace_(trace), settings_(settings) {}
	[[nodiscard]] at::Tensor of(Value value) {
		at::Tensor found = evaluate(value);
		if (found.defined()) fix_state_behind(value);
		return found;
	}
private:
	static constexpr std::int64_t most_elements = std::int64_t{1} << 24;
	[[nodiscard]] at::Tensor evaluate(Value value);
	[[nodiscard]] bool run(const TraceOp& op);
	[[nodiscard]] const TraceOp* maker_of(Value value);
	[[nodiscard]] const at::Tensor* state_of(Value value);
	void fix_state_behind(Value value);
	Trace& trace_;
	const RunSettings& settings_;
	std::unordered_map<std::uint32_t, at::Tensor> known_;
	std::unordered_map<std::uint32_t, std::size_t> made_by_;
	std::size_t indexed_ = 0;
};
inline const TraceOp* KnownValues::maker_of(Value value) {
	for (; indexed_ < trace_.ops.size(); ++indexed_)
		for (const Output& output : trace_.ops[indexed_].outputs)
		for (const Value made : output.values) made_by_[made.index] = indexed_;
	const auto found = made_by_.find(value.index);
	return found != made_by_.end() ? &trace_.ops[found->second] : nullptr;
}
inline const at::Tensor* KnownValues::state_of(Value value) {
	const auto found = algo::find(trace_.lifted, value, &Lifted::value);
	return found != trace_.lifted.end() ? &found->tensor : nullptr;
}
inline at::Tensor KnownValues::evaluate(Value value) {
	if (const auto known = known_.find(value.index); known != known_.end()) return known->second;
	if (const at::Tensor* state = state_of(value)) {
		const bool is_written =
		settings_.written_state != nullptr && settings_.written_state->contains(state->unsafeGetTensorImpl());
		const bool is_known = settings_.knows_state && !settings_.is_nested && !state->is_meta() && !is_written;
		return known_[value.index] = is_known ? *state : at::Tensor();
	}
	const TraceOp* op = maker_of(value);
	if (op == nullptr || !run(*op)) return known_[value.index] = at::Tensor();
	return known_.at(value.index);
}
inline bool KnownValues::run(const TraceOp& op) {
	const auto handle = op.schema != nullptr ? find_op(op.name) : std::nullopt;
	if (!handle || handle->hasTag(at::Tag::nondeterministic_seeded)) return false;
	for (const Output& output : op.outputs)
		for (const Value value : output.values)
		if (const TraceValue& made = trace_.values[value.index];
		made.kind != ValueKind::tensor || !made.tensor.defined() || made.tensor.numel() > most_elements)
		return false;
	const std::vector<Argument> arguments = op.arguments;
	bool all_known = true;
	for (const Argument& argument : arguments)
		for_each_value(argument, [&](Value value) { all_known = all_known && evaluate(value).defined(); });
	if (!all_known) return false;
	torch::jit::Stack stack;
	const auto& wanted = handle->schema().arguments();
	for (std::size_t i = 0; i < wanted.size(); ++i)
		if (i < arguments.size() && !(arguments[i].is_none() && wanted[i].default_value()))
		stack.push_back(to_ivalue(arguments[i], *wanted[i].real_type(),
		[&](Value value) -> c10::IValue { return known_.at(value.index); }));
		else
		stack.push_back(wanted[i].default_value().value_or(c10::IValue()));
	const c10::AutoGradMode no_gradients(false);
	try {
		handle->callBoxed(stack);
	} catch (const c10::Error&) {
		return false;
	}
	for (std::size_t i = 0; i < op.outputs.size(); ++i) {
		const auto& values = op.outputs[i].values;
		if (op.outputs[i].is_list) {
		const auto tensors = stack[i].toTensorVector();
		for (std::size_t k = 0; k < values.size() && k < tensors.size(); ++k) known_[values[k].index] = tensors[k];
		} else if (values.size() == 1 && stack[i].isTensor()) {
		known_[values[0].index] = stack[i].toTensor();
		}
	}
	return true;
}
inline void KnownValues::fix_state_behind(Value value) {
	std::vector<Value> behind{value};
	std::vector<Value> seen;
	while (!behind.empty()) {
		const Value one = behind.back();
		behind.pop_back();
		if (algo::contains(seen, one)) continue;
		seen.push_back(one);
		if (state_of(one) != nullptr) {
		if (!algo::contains(trace_.fixed, one)) trace_.fixed.push_back(one);
		} else if (const TraceOp* op = maker_of(one)) {
		for (const Argument& argument : op->arguments)
		for_each_value(argument, [&](Value each) { behind.push_back(each); });
		}
	}
}
}
namespace ferry::capture {
class SizeSource {
public:
	std::int64_t fresh(ValueRange range) { return fresh_(*this, range); }
	std::int64_t count(const at::Tensor& tensor) { return count_(*this, tensor); }
	[[nodiscard]] bool has_told_values() const noexcept { return has_told_values_; }
protected:
	using Fresh = std::int64_t (*)(SizeSource&, ValueRange);
	using Count = std::int64_t (*)(SizeSource&, const at::Tensor&);
	SizeSource(Fresh fresh, Count count) noexcept : fresh_(fresh), count_(count) {}
	~SizeSource() = default;
	bool has_told_values_ = false;
private:
	Fresh fresh_;
	Count count_;
};
namespace detail {
inline thread_local SizeSource* size_source = nullptr;
}
[[nodiscard]] inline SizeSource& size_source() {
	if (detail::size_source == nullptr)
		throw Error(ErrorKind::internal, "a size that depends on values was asked for outside of a capture");
	return *detail::size_source;
}
class SizeSourceScope {
public:
	explicit SizeSourceScope(SizeSource& source) : before_(std::exchange(detail::size_source, &source)) {}
	SizeSourceScope(const SizeSourceScope&) = delete;
	SizeSourceScope& operator=(const SizeSourceScope&) = delete;
	~SizeSourceScope() { detail::size_source = before_; }
private:
	SizeSource* before_;
};
[[nodiscard]] inline bool depends_on_values(const c10::OperatorHandle& op) {
	if (op.schema().name() == "aten::_ctc_loss" && op.schema().overload_name().empty())
		return false;
	return op.hasTag(at::Tag::dynamic_output_shape) || op.hasTag(at::Tag::data_dependent_output);
}
}
namespace ferry::capture {
struct NeedsParts : std::exception {};
class FakeRunner {
public:
	explicit FakeRunner(OpInfos& infos) : infos_(infos) {}
	void run(OpInfo& info, torch::jit::Stack& stack, SizeSource& sizes);
	[[nodiscard]] bool in_parts() const noexcept { return in_parts_; }
	void run_part(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);
private:
	struct NeedsData : std::exception {};
	void run_whole_on_zeros(const OpInfo& info, torch::jit::Stack& stack);
	template <class Run>
	void watch_parts(Run&& run);
	OpInfos& infos_;
	bool in_parts_ = false;
};
inline void FakeRunner::run(OpInfo& info, torch::jit::Stack& stack, SizeSource& sizes) {
	const SizeSourceScope scope(sizes);
	if (info.fake != nullptr) return info.fake(info.op, c10::DispatchKeySet(c10::DispatchKey::Meta), &stack);
	const std::size_t count = info.op.schema().arguments().size();
	const std::size_t below = stack.size() - count;
	const torch::jit::Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
	const auto start_again = [&] {
		stack.resize(below);
		stack.insert(stack.end(), arguments.begin(), arguments.end());
	};
	if (info.runs_as == FakeRun::on_meta) {
		try {
		return info.op.callBoxed(stack);
		} catch (const c10::Error& error) {
		const bool has_kernel = dynamic_cast<const c10::NotImplementedError*>(&error) == nullptr;
		if (has_kernel && std::string_view(error.what_without_backtrace()).find(no_data) == std::string_view::npos)
		throw;
		info.runs_as = FakeRun::by_parts;
		start_again();
		}
	}
	if (depends_on_values(info.op))
		throw Error(
		ErrorKind::unsupported,
		"forward calls an op whose result is as large as the values of its arguments say, and no rule says how large",
		{.hint = "give the pipeline a fake of it: ferry::extend<Pipeline, ferry::fakes<my_fake>>",
		.where = {.op = info.name}});
	if (info.runs_as == FakeRun::by_parts) {
		try {
		return watch_parts([&] { info.op.callBoxed(stack); });
		} catch (const NeedsParts&) {
		if (info.is_composite) throw;
		start_again();
		} catch (const NeedsData&) {
		start_again();
		} catch (const c10::Error&) {
		start_again();
		}
	}
	run_whole_on_zeros(info, stack);
	info.runs_as = FakeRun::on_zeros;
}
inline void FakeRunner::run_whole_on_zeros(const OpInfo& info, torch::jit::Stack& stack) {
	infos_.real_runs().measure(info.name, [&] {
		if (!info.is_composite) return run_on_zeros(info.op, stack);
		watch_parts([&] { run_on_zeros(info.op, stack); });
	});
}
template <class Run>
void FakeRunner::watch_parts(Run&& run) {
	c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
	keys.excluded_ = keys.excluded_.remove(trace_key);
	const c10::impl::ForceDispatchKeyGuard traced_again(keys);
	struct Watch {
		bool& on;
		bool before = std::exchange(on, true);
		~Watch() { on = before; }
	};
	const Watch watching{in_parts_};
	run();
}
inline void FakeRunner::run_part(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
	bool is_fake = false;
	bool has_mask = false;
	for (const c10::IValue& value : detail::last(*stack, op.schema().arguments().size()))
		detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
		is_fake = is_fake || tensor.is_meta();
		has_mask = has_mask ||
		(!value.isTensor() && (tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte));
		});
	if (depends_on_values(op) && (has_mask || op.schema().name() != "aten::index")) throw NeedsParts{};
	const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, trace_key);
	const OpInfo& info = infos_.of(op);
	if (is_fake && info.fake != nullptr) {
		const UntracedScope untraced;
		return info.fake(op, below, stack);
	}
	if (is_fake && info.runs_as == FakeRun::on_zeros && !info.is_composite) {
		if (!info.written.empty()) throw NeedsData{};
		const UntracedScope untraced;
		return infos_.real_runs().measure(info.name, [&] { run_on_zeros(op, *stack); });
	}
	op.redispatchBoxed(below, stack);
}
}
namespace ferry::capture {
namespace detail {
class OddSizes final : public SizeSource {
public:
	static constexpr std::int64_t odd = 1'299'709;
	OddSizes()
		: SizeSource([](SizeSource&, ValueRange) { return odd; }, [](SizeSource&, const at::Tensor&) { return odd; }) {}
};
}
[[nodiscard]] inline std::vector<ResultSize> value_sizes(FakeRunner& runner, OpInfo& info,
		const torch::jit::Stack& stack) {
	std::vector<ResultSize> found;
	if (info.fake == nullptr || !depends_on_values(info.op)) return found;
	torch::jit::Stack copy(stack.end() - static_cast<std::ptrdiff_t>(info.op.schema().arguments().size()), stack.end());
	detail::OddSizes odd;
	try {
		runner.run(info, copy, odd);
	} catch (const c10::Error&) {
		return found;
	}
	for (std::size_t i = 0; i < copy.size(); ++i) {
		if (!copy[i].isTensor() || !copy[i].toTensor().defined()) continue;
		const auto sizes = copy[i].toTensor().sizes();
		for (std::size_t dim = 0; dim < sizes.size(); ++dim)
		if (sizes[dim] == detail::OddSizes::odd) found.push_back({i, dim});
	}
	return found;
}
}
namespace ferry::capture {
[[nodiscard]] inline bool is_wrapped_number(const at::Tensor& tensor) {
	return tensor.defined() && !tensor.is_meta() && tensor.unsafeGetTensorImpl()->is_wrapped_number();
}
[[nodiscard]] inline std::optional<Argument> wrapped_number(const c10::IValue& value) {
	if (!value.isTensor() || !is_wrapped_number(value.toTensor())) return std::nullopt;
	const at::Tensor& tensor = value.toTensor();
	if (!tensor.is_cpu()) return std::nullopt;
	switch (tensor.scalar_type()) {
		case at::kLong: return Argument(*tensor.const_data_ptr<std::int64_t>());
		case at::kDouble: return Argument(*tensor.const_data_ptr<double>());
		case at::kBool: return Argument(*tensor.const_data_ptr<bool>());
		case at::kComplexDouble: {
		const auto number = *tensor.const_data_ptr<c10::complex<double>>();
		return Argument(std::complex<double>(number.real(), number.imag()));
		}
		default: return std::nullopt;
	}
}
[[nodiscard]] inline at::Tensor fake_number(const at::Tensor& number) {
	const at::Tensor fake = at::empty({}, number.options().device(at::kMeta));
	fake.unsafeGetTensorImpl()->set_wrapped_number(true);
	return fake;
}
}
namespace ferry::capture {
struct ViewWrite {
	OpEmitter& graph;
	const TraceOp& view;
	std::size_t output;
	Value base;
	Value written;
	[[nodiscard]] std::int64_t integer(std::size_t argument, std::int64_t otherwise) const {
		const auto* number =
		argument < view.arguments.size() ? view.arguments[argument].get_if<std::int64_t>() : nullptr;
		return number != nullptr ? *number : otherwise;
	}
	[[nodiscard]] std::int64_t dimension(std::size_t argument, std::int64_t otherwise) const {
		const std::int64_t dim = integer(argument, otherwise);
		return dim < 0 ? dim + graph.value(base).tensor.dim() : dim;
	}
	[[nodiscard]] Value emit(std::string_view op, std::vector<Argument> arguments) const {
		return graph.emit(op, std::move(arguments)).at(0);
	}
};
namespace view_inverses {
struct select {
	static constexpr auto target = op("aten::select.int");
	static Value invert(const ViewWrite& w) {
		return w.emit("aten::select_scatter", {w.base, w.written, w.view.arguments[1], w.view.arguments[2]});
	}
};
struct slice {
	static constexpr auto target = op("aten::slice.Tensor");
	static Value invert(const ViewWrite& w) {
		std::vector<Argument> arguments{w.base, w.written};
		arguments.insert(arguments.end(), w.view.arguments.begin() + 1, w.view.arguments.end());
		return w.emit("aten::slice_scatter", std::move(arguments));
	}
};
struct narrow {
	static constexpr auto target = op("aten::narrow");
	static Value invert(const ViewWrite& w) {
		std::int64_t start = w.integer(2, 0);
		if (start < 0) start += w.graph.value(w.base).tensor.size(w.dimension(1, 0));
		return w.emit("aten::slice_scatter", {w.base, w.written, w.view.arguments[1], start, start + w.integer(3, 0)});
	}
};
struct diagonal {
	static constexpr auto target = op("aten::diagonal");
	static Value invert(const ViewWrite& w) {
		std::vector<Argument> arguments{w.base, w.written};
		arguments.insert(arguments.end(), w.view.arguments.begin() + 1, w.view.arguments.end());
		return w.emit("aten::diagonal_scatter", std::move(arguments));
	}
};
struct as_strided {
	static constexpr auto target = op("aten::as_strided");
	static Value invert(const ViewWrite& w) {
		std::vector<Argument> arguments{w.base, w.written};
		arguments.insert(arguments.end(), w.view.arguments.begin() + 1, w.view.arguments.end());
		return w.emit("aten::as_strided_scatter", std::move(arguments));
	}
};
struct reshape {
	static constexpr auto target =
		op("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_as", "aten::reshape_as",
		"aten::flatten.using_ints", "aten::unflatten.int", "aten::squeeze", "aten::squeeze.dim",
		"aten::squeeze.dims", "aten::unsqueeze", "aten::ravel", "aten::_reshape_alias", "aten::atleast_1d",
		"aten::atleast_2d", "aten::atleast_3d");
	static Value invert(const ViewWrite& w) {
		ArgumentList sizes;
		for (const std::int64_t size : w.graph.value(w.base).tensor.sizes()) sizes.emplace_back(size);
		return w.emit("aten::reshape", {w.written, std::move(sizes)});
	}
};
struct alias {
	static constexpr auto target = op(
		"aten::alias", "aten::detach", "aten::contiguous", "aten::to.dtype", "aten::to.device", "aten::to.dtype_layout",
		"aten::to.other", "aten::type_as", "aten::float", "aten::expand_as", "aten::expand", "aten::broadcast_to",
		"aten::view_as_real_copy", "aten::lift_fresh", "aten::resolve_conj", "aten::resolve_neg", "aten::positive");
	static Value invert(const ViewWrite& w) {
		if (w.graph.value(w.base).tensor.sizes() == w.graph.value(w.written).tensor.sizes()) return w.written;
		throw Error(ErrorKind::unsupported,
		"forward writes in place to an expanded tensor, whose elements share memory",
		{.hint = "clone() it before writing", .where = {.op = std::string(w.view.name)}});
	}
};
struct transpose {
	static constexpr auto target = op("aten::transpose.int", "aten::swapaxes", "aten::swapdims");
	static Value invert(const ViewWrite& w) {
		return w.emit("aten::transpose.int", {w.written, w.view.arguments[1], w.view.arguments[2]});
	}
};
struct matrix_transpose {
	static constexpr auto target =
		op("aten::t", "aten::numpy_T", "aten::mT", "aten::mH", "aten::adjoint", "aten::matrix_H");
	static Value invert(const ViewWrite& w) { return w.emit(w.view.name, {w.written}); }
};
struct permute {
	static constexpr auto target = op("aten::permute");
	static Value invert(const ViewWrite& w) {
		const auto& order = *w.view.arguments[1].get_if<ArgumentList>();
		const auto rank = static_cast<std::int64_t>(order.size());
		ArgumentList inverse(order.size());
		for (std::int64_t i = 0; i < rank; ++i) {
		const std::int64_t from = *order[static_cast<std::size_t>(i)].get_if<std::int64_t>();
		inverse[static_cast<std::size_t>(from < 0 ? from + rank : from)] = i;
		}
		return w.emit("aten::permute", {w.written, std::move(inverse)});
	}
};
struct movedim {
	static constexpr auto target =
		op("aten::movedim.int", "aten::moveaxis.int", "aten::movedim.intlist", "aten::moveaxis.intlist");
	static Value invert(const ViewWrite& w) {
		return w.emit(w.view.name, {w.written, w.view.arguments[2], w.view.arguments[1]});
	}
};
struct split {
	static constexpr auto target = op("aten::split.Tensor", "aten::split.sizes", "aten::split_with_sizes",
		"aten::chunk", "aten::tensor_split.sections", "aten::tensor_split.indices",
		"aten::unsafe_split.Tensor", "aten::unsafe_chunk");
	static Value invert(const ViewWrite& w) {
		const std::int64_t dim = w.dimension(2, 0);
		std::int64_t start = 0;
		const auto& parts = w.view.outputs.at(0).values;
		for (std::size_t part = 0; part < w.output; ++part) start += w.graph.value(parts[part]).tensor.size(dim);
		const std::int64_t end = start + w.graph.value(parts[w.output]).tensor.size(dim);
		return w.emit("aten::slice_scatter", {w.base, w.written, dim, start, end});
	}
};
struct unbind {
	static constexpr auto target = op("aten::unbind.int");
	static Value invert(const ViewWrite& w) {
		return w.emit("aten::select_scatter",
		{w.base, w.written, w.dimension(1, 0), static_cast<std::int64_t>(w.output)});
	}
};
struct complex_as_real {
	static constexpr auto target = op("aten::view_as_real");
	static Value invert(const ViewWrite& w) { return w.emit("aten::view_as_complex", {w.written}); }
};
struct real_as_complex {
	static constexpr auto target = op("aten::view_as_complex");
	static Value invert(const ViewWrite& w) { return w.emit("aten::view_as_real", {w.written}); }
};
struct real_part {
	static constexpr auto target = op("aten::real");
	static Value invert(const ViewWrite& w) { return invert_half(w, 0); }
	static Value invert_half(const ViewWrite& w, std::int64_t half) {
		if (!w.graph.value(w.base).tensor.is_complex()) return w.written;
		const Value both = w.emit("aten::view_as_real", {w.base});
		return w.emit("aten::view_as_complex",
		{w.emit("aten::select_scatter", {both, w.written, std::int64_t{-1}, half})});
	}
};
struct imaginary_part {
	static constexpr auto target = op("aten::imag");
	static Value invert(const ViewWrite& w) { return real_part::invert_half(w, 1); }
};
struct conjugate {
	static constexpr auto target = op("aten::conj", "aten::_conj");
	static Value invert(const ViewWrite& w) { return w.emit("aten::conj_physical", {w.written}); }
};
struct negative {
	static constexpr auto target = op("aten::_neg_view");
	static Value invert(const ViewWrite& w) { return w.emit("aten::neg", {w.written}); }
};
using all =
	type_list<select, slice, narrow, diagonal, as_strided, reshape, alias, transpose, matrix_transpose, permute,
		movedim, split, unbind, complex_as_real, real_as_complex, real_part, imaginary_part, conjugate, negative>;
template <class Entry>
struct bind {
	static constexpr auto value = &Entry::invert;
};
}
[[nodiscard]] inline Value invert_view(const ViewWrite& write) {
	using table = op_table<view_inverses::all>;
	static_assert(table::no_clash);
	const auto invert = table::function<Value (*)(const ViewWrite&), view_inverses::bind>(write.view.name);
	if (invert != nullptr) return invert(write);
	throw Error(ErrorKind::unsupported,
		"forward writes in place to a view of another tensor, and how this view is undone is not known",
		{.hint = "write to a clone(), or to the whole tensor", .where = {.op = std::string(write.view.name)}});
}
}
namespace ferry {
struct AffineSize {
	std::string symbol;
	std::int64_t factor = 1;
	std::int64_t offset = 0;
	[[nodiscard]] std::optional<std::int64_t> solve(std::int64_t size) const noexcept {
		std::int64_t rest = 0;
		if (__builtin_sub_overflow(size, offset, &rest) || rest % factor != 0) return std::nullopt;
		return rest / factor;
	}
	[[nodiscard]] ValueRange least(const ValueRange& sizes) const {
		if (sizes.min == ValueRange::no_min) return {};
		return ValueRange::at_least(detail::checked_neg(
		detail::checked_floor_div(detail::checked_add(offset, detail::checked_neg(sizes.min)), factor)));
	}
};
[[nodiscard]] inline std::optional<AffineSize> as_affine(const SymExpr& size) {
	if (size.is_symbol()) return AffineSize{size.name()};
	if (size.op() != SymOp::sum || size.terms().size() != 1) return std::nullopt;
	const SymTerm& term = size.terms()[0];
	if (term.factors.size() != 1 || term.factors[0].exponent != 1 || !term.factors[0].base.is_symbol() ||
		term.coefficient <= 0)
		return std::nullopt;
	return AffineSize{term.factors[0].base.name(), term.coefficient, size.value()};
}
}
namespace ferry::capture {
struct CallArguments {
	struct Place {
		std::uint32_t record;
		std::uint32_t position;
	};
	std::vector<Argument> values{};
	std::vector<Place> tensors{};
	c10::Device device = c10::kCPU;
};
struct EqualityQuestion {
	Value self;
	Value other;
	[[nodiscard]] bool answer() const noexcept { return self == other; }
};
struct LeftBehind : Error {
	LeftBehind()
		: Error(
		ErrorKind::unsupported, "forward uses a tensor that an earlier call has left behind in the model",
		{.hint =
		"register it as a buffer, or name the member in ferry::stateful_members<&Model::member>: a capture "
		"puts these back; or make it before the export"}) {}
};
class Recording final : public OpEmitter, private SizeSource {
public:
	Recording(OpInfos& infos, RunSettings settings)
		: OpEmitter(
		[](OpEmitter& self, std::string_view op, std::vector<Argument> arguments) {
		return static_cast<Recording&>(self).emit_op(op, std::move(arguments));
		},
		trace_),
		SizeSource(
		[](SizeSource& self, ValueRange range) { return static_cast<Recording&>(self).fresh(range); },
		[](SizeSource& self, const at::Tensor& tensor) { return static_cast<Recording&>(self).count(tensor); }),
		infos_(infos),
		settings_(settings),
		runner_(infos) {}
	[[nodiscard]] Trace& trace() noexcept { return trace_; }
	[[nodiscard]] Records& records() noexcept { return records_; }
	[[nodiscard]] OpInfos& infos() noexcept { return infos_; }
	[[nodiscard]] const RunSettings& settings() const noexcept { return settings_; }
	[[nodiscard]] FakeRunner& runner() noexcept { return runner_; }
	[[nodiscard]] std::vector<EqualityQuestion>& questions() noexcept { return questions_; }
	void set_module(std::string_view path) noexcept { module_ = path; }
	void set_model_device(c10::Device device) noexcept { model_device_ = device; }
	[[nodiscard]] c10::Device model_device() const noexcept { return model_device_; }
	[[nodiscard]] c10::Device device_of(const at::Tensor& tensor) const {
		if (!tensor.is_meta()) return tensor.device();
		std::uint32_t known = records_.find(tensor);
		if (known == no_record) known = records_.newest_of(tensor);
		return known != no_record && records_[known].value ? value(records_[known].value).device : model_device_;
	}
	[[nodiscard]] std::uint32_t next_memory() noexcept { return next_memory_++; }
	Value new_value(TraceValue value) {
		trace_.values.push_back(std::move(value));
		return {static_cast<std::uint32_t>(trace_.values.size() - 1)};
	}
	std::uint32_t add_record(const at::Tensor& held, const at::Tensor& fake, Value value) {
		if (settings_.fakes != nullptr && held.is_same(fake)) settings_.fakes->insert(fake.unsafeGetTensorImpl());
		return records_.add(held, fake, value);
	}
	[[nodiscard]] std::uint32_t record_of(const at::Tensor& tensor);
	[[nodiscard]] bool is_constant(const at::Tensor& tensor);
	void protect_state(const at::Tensor& tensor);
	[[nodiscard]] Value current(std::uint32_t record);
	void write(std::uint32_t record, Value value);
	[[nodiscard]] CallArguments read_arguments(const OpInfo& info, std::span<const c10::IValue> values);
	void fake_arguments(const OpInfo& info, std::span<c10::IValue> values);
	void run(OpInfo& info, torch::jit::Stack& stack) {
		told_.clear();
		if (settings_.stated != nullptr) asked_ = {info.name, value_sizes(runner_, info, stack)};
		runner_.run(info, stack, *this);
	}
	void push(TraceOp op) {
		op.module = module_;
		op.told = std::exchange(told_, {});
		op.gradients = !began_with_gradients_ || c10::GradMode::is_enabled();
		trace_.ops.push_back(std::move(op));
	}
	std::vector<Value> append(const OpInfo& info, CallArguments arguments, std::span<const c10::IValue> results);
	[[nodiscard]] std::uint32_t last_op() const { return static_cast<std::uint32_t>(trace_.ops.size() - 1); }
	std::int64_t fresh(ValueRange range) { return fresh(range, std::max<std::int64_t>(range.min, 2)); }
	void count_question() noexcept { ++questions_asked_; }
	[[nodiscard]] std::int64_t tell_value(const OpInfo& info);
	[[nodiscard]] at::Tensor known_value(Value value) { return known_.of(value); }
private:
	std::vector<Value> emit_op(std::string_view op, std::vector<Argument> arguments);
	std::int64_t fresh(ValueRange range, std::int64_t usual);
	std::int64_t count(const at::Tensor& tensor);
	[[nodiscard]] std::optional<std::int64_t> told_size(const SymExpr& stated, ValueRange range);
	[[nodiscard]] std::string unused_name() { return "u" + std::to_string(settings_.stated->unused + unused_names_++); }
	[[nodiscard]] std::uint32_t take_number(const at::Tensor& tensor);
	[[nodiscard]] bool lift_number(Record& constant);
	void lift_constants(std::uint32_t one);
	void replay_view(std::uint32_t index);
	OpInfos& infos_;
	RunSettings settings_;
	FakeRunner runner_;
	Trace trace_;
	Records records_;
	KnownValues known_{trace_, settings_};
	std::size_t questions_asked_ = 0;
	std::unordered_map<std::uint32_t, std::int64_t> counts_;
	std::vector<EqualityQuestion> questions_;
	struct {
		std::string_view op{};
		std::vector<ResultSize> sizes{};
	} asked_;
	std::vector<ToldSize> told_;
	std::size_t unused_names_ = 0;
	std::string_view module_;
	bool began_with_gradients_ = c10::GradMode::is_enabled();
	std::uint32_t next_memory_ = 0;
	c10::Device model_device_ = c10::kCPU;
};
inline std::uint32_t Recording::record_of(const at::Tensor& tensor) {
	if (const std::uint32_t known = records_.find(tensor); known != no_record) return known;
	if (const std::uint32_t same = records_.find_same(tensor); same != no_record) {
		records_.know_and_keep(tensor, same);
		return same;
	}
	if (const std::uint32_t number = take_number(tensor); number != no_record) return number;
	Fakes* const fakes = settings_.fakes;
	if (tensor.is_meta() && fakes != nullptr && fakes->count(tensor.unsafeGetTensorImpl()) != 0) throw LeftBehind();
	const at::Tensor fake = tensor.is_meta() ? tensor : fake_like(tensor);
	const std::uint32_t record = add_record(tensor, fake, new_value({.tensor = fake, .device = tensor.device()}));
	records_[record].original = records_[record].value;
	if (fakes != nullptr)
		fakes->erase(tensor.unsafeGetTensorImpl());
	const bool borrowed = tensor.has_storage() && !tensor.is_meta() &&
		tensor.storage().data_ptr().get_context() == nullptr && tensor.nbytes() > 0 &&
		(settings_.names == nullptr || !settings_.names->has(tensor));
	trace_.lifted.push_back({records_[record].value, borrowed ? tensor.clone() : tensor});
	return record;
}
inline std::uint32_t Recording::take_number(const at::Tensor& tensor) {
	if (settings_.numbers == nullptr || !tensor.defined() || tensor.dim() != 0 || !tensor.is_cpu() ||
		tensor.requires_grad() || is_wrapped_number(tensor))
		return no_record;
	if ((settings_.names != nullptr && settings_.names->has(tensor)) || !settings_.numbers->take(tensor))
		return no_record;
	const std::uint32_t number = records_.add(tensor, tensor, {});
	records_[number].constant = true;
	return number;
}
inline bool Recording::is_constant(const at::Tensor& tensor) {
	std::uint32_t found = records_.find(tensor);
	if (found == no_record) found = take_number(tensor);
	return found != no_record && records_[found].constant;
}
inline void Recording::protect_state(const at::Tensor& tensor) {
	if (settings_.numbers == nullptr || !tensor.defined() || tensor.dim() != 0) return;
	const std::uint32_t found = records_.find(tensor);
	if (found != no_record && !settings_.numbers->is_of_run(tensor)) return;
	settings_.numbers->keep(tensor);
	if (found != no_record) static_cast<void>(current(found));
}
inline bool Recording::lift_number(Record& constant) {
	const at::Tensor tensor = constant.held;
	if (tensor.dim() != 0 || !tensor.is_cpu() || constant.memory != no_record) return false;
	Argument number;
	if (tensor.scalar_type() == at::kBool)
		number = tensor.item<bool>();
	else if (c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
		number = tensor.item<std::int64_t>();
	else if (tensor.is_floating_point())
		number = tensor.item<double>();
	else
		return false;
	const Value made =
		emit_op("aten::scalar_tensor", {number, to_dtype(tensor.scalar_type()), Argument(), to_device(c10::kCPU)})
		.at(0);
	constant.value = made;
	constant.fake = value(made).tensor;
	return true;
}
inline void Recording::lift_constants(std::uint32_t one) {
	std::vector<std::uint32_t> family;
	const std::uint32_t newest = records_.newest_of(records_[one].held);
	for (std::uint32_t at = newest == no_record ? one : newest; at != no_record; at = records_[at].neighbour)
		if (!records_[at].value) family.push_back(at);
	for (std::size_t i = family.size(); i-- > 0;) {
		Record& constant = records_[family[i]];
		constant.constant = false;
		if (records_.constant_views().contains(family[i])) {
		replay_view(family[i]);
		continue;
		}
		if (settings_.numbers != nullptr && lift_number(constant)) {
		records_.know(constant.fake, family[i]);
		continue;
		}
		const at::Tensor tensor = constant.held;
		constant.fake = fake_like(tensor);
		records_.know(constant.fake, family[i]);
		constant.value = new_value({.tensor = constant.fake, .device = tensor.device()});
		trace_.lifted.push_back({constant.value, tensor, constant.memory});
	}
}
inline void Recording::replay_view(std::uint32_t index) {
	ConstantView view = std::move(records_.constant_views().at(index));
	const auto* storage = storage_of(records_[index].held);
	CallArguments arguments = read_arguments(*view.info, view.arguments);
	const auto base = algo::find_if(arguments.tensors, [&](const CallArguments::Place& each) {
		return storage_of(records_[each.record].held) == storage;
	});
	const CallArguments::Place parent = *base;
	fake_arguments(*view.info, view.arguments);
	run(*view.info, view.arguments);
	const Value made = append(*view.info, std::move(arguments), view.arguments).at(view.made_as);
	records_[index].value = made;
	records_[index].fake = value(made).tensor;
	if (records_[index].fake.sizes() != records_[index].held.sizes())
		throw Error(ErrorKind::unsupported, "forward changes the shape of a view of a constant in place",
		{.hint = "use the op without the trailing underscore", .where = {.op = view.info->name}});
	records_.make_view(index, parent.record, last_op(), parent.position, view.made_as);
	records_.know(records_[index].fake, index);
}
inline Value Recording::current(std::uint32_t index) {
	if (!records_[index].value) lift_constants(index);
	const Record& record = records_[index];
	if (record.parent == no_record || record.seen == records_[record.root].version) return record.value;
	const Value base = current(record.parent);
	const TraceOp view = trace_.ops[record.made_by];
	std::vector<Argument> arguments = view.arguments;
	arguments[record.made_from] = base;
	const Value again = emit(view.name, std::move(arguments)).at(records_[index].made_as);
	records_[index].value = again;
	records_[index].seen = records_[records_[index].root].version;
	return again;
}
inline void Recording::write(std::uint32_t index, Value value) {
	std::vector<std::uint32_t> written{index};
	records_[index].value = value;
	while (records_[index].parent != no_record) {
		const Record child = records_[index];
		const Value base = current(child.parent);
		const TraceOp view = trace_.ops[child.made_by];
		const Value updated = invert_view({*this, view, child.made_as, base, child.value});
		records_[child.parent].value = updated;
		index = child.parent;
		written.push_back(index);
	}
	const std::uint32_t version = ++records_[index].version;
	for (const std::uint32_t each : written) records_[each].seen = version;
}
inline CallArguments Recording::read_arguments(const OpInfo& info, std::span<const c10::IValue> values) {
	CallArguments arguments;
	arguments.values.reserve(values.size());
	arguments.tensors.reserve(values.size());
	bool device_known = false;
	for (std::size_t i = 0; i < values.size(); ++i) {
		if (const auto number = wrapped_number(values[i])) {
		arguments.values.push_back(*number);
		continue;
		}
		arguments.values.push_back(to_argument(values[i], info.argument_kinds[i], [&](const at::Tensor& tensor) {
		const std::uint32_t record = record_of(tensor);
		const Value value = current(record);
		arguments.tensors.push_back({record, static_cast<std::uint32_t>(i)});
		if (!device_known && tensor.dim() > 0) arguments.device = this->value(value).device, device_known = true;
		return value;
		}));
	}
	if (info.device && values[*info.device].isDevice()) {
		arguments.device = values[*info.device].toDevice();
		if (arguments.device.is_meta())
		arguments.device = model_device_;
		arguments.values[*info.device] = to_device(arguments.device);
	}
	return arguments;
}
inline void Recording::fake_arguments(const OpInfo& info, std::span<c10::IValue> values) {
	for (c10::IValue& value : values)
		value = detail::exchange_tensors(value, [&](const at::Tensor& tensor) {
		if (value.isTensor() && is_wrapped_number(tensor)) return fake_number(tensor);
		return tensor.defined() && !tensor.is_meta() ? records_[record_of(tensor)].fake : tensor;
		});
	if (info.device) values[*info.device] = c10::Device(c10::kMeta);
}
inline std::vector<Value> Recording::append(const OpInfo& info, CallArguments arguments,
		std::span<const c10::IValue> results) {
	TraceOp op{.name = info.name, .schema = &info.op.schema(), .arguments = std::move(arguments.values)};
	std::vector<Value> values;
	const auto add = [&](const at::Tensor& tensor) {
		const Value value = new_value({.tensor = tensor, .device = arguments.device});
		if (settings_.watch != nullptr && records_.find(tensor) == no_record) settings_.watch->add(tensor);
		values.push_back(value);
		op.outputs.back().values.push_back(value);
	};
	op.outputs.reserve(results.size());
	for (const c10::IValue& result : results) {
		op.outputs.push_back({.is_list = result.isList()});
		detail::for_each_tensor(result, add);
	}
	push(std::move(op));
	return values;
}
inline std::vector<Value> Recording::emit_op(std::string_view op, std::vector<Argument> arguments) {
	const auto found = find_op(op);
	if (!found) throw Error(ErrorKind::unsupported, "this libtorch has no such op", {.where = {.op = std::string(op)}});
	OpInfo& info = infos_.of(*found);
	const UntracedScope below;
	torch::jit::Stack stack;
	const auto& wanted = info.op.schema().arguments();
	stack.reserve(wanted.size());
	for (std::size_t i = 0; i < wanted.size(); ++i) {
		if (i < arguments.size() && !(arguments[i].is_none() && wanted[i].default_value()))
		stack.push_back(detail::exchange_tensors(
		to_ivalue(arguments[i], *wanted[i].real_type(),
		[&](Value value) -> c10::IValue { return this->value(value).tensor; }),
		[](const at::Tensor& tensor) { return is_wrapped_number(tensor) ? fake_number(tensor) : tensor; }));
		else
		stack.push_back(wanted[i].default_value().value_or(c10::IValue()));
		if (i >= arguments.size())
		arguments.push_back(
		to_argument(stack.back(), info.argument_kinds[i], [](const at::Tensor&) { return Value(); }));
	}
	if (info.device) stack[*info.device] = c10::Device(c10::kMeta);
	CallArguments call{.values = std::move(arguments)};
	for (const Argument& argument : call.values)
		for_each_value(argument, [&](Value value) { call.device = this->value(value).device; });
	run(info, stack);
	return append(info, std::move(call), stack);
}
inline std::int64_t Recording::fresh(ValueRange range, std::int64_t usual) {
	if (settings_.is_nested)
		throw Error(ErrorKind::unsupported,
		"inside a branch or body of control flow a size depends on the values of a tensor",
		{.hint = "compute it outside and pass the result in"});
	if (settings_.stated != nullptr)
		if (const auto stated = settings_.stated->of(asked_.op, asked_.sizes))
		if (const auto told = told_size(*stated, range)) return *told;
	const std::size_t position = trace_.unbacked.size();
	trace_.unbacked.push_back(range);
	trace_.unbacked_names.push_back(settings_.stated != nullptr ? unused_name() : "u" + std::to_string(position));
	return position < settings_.unbacked.size() ? settings_.unbacked[position] : usual;
}
inline std::int64_t Recording::tell_value(const OpInfo& info) {
	has_told_values_ = true;
	if (settings_.has_asked != nullptr) *settings_.has_asked = true;
	asked_ = {info.name, {}};
	told_.clear();
	const std::size_t question = questions_asked_ - 1, known = trace_.unbacked.size();
	const std::int64_t told =
		fresh(ValueRange(), question < settings_.observed.size() ? settings_.observed[question] : 2);
	if (trace_.unbacked.size() > known) trace_.asked.push_back({known, trace_.ops.size()});
	return told;
}
inline std::optional<std::int64_t> Recording::told_size(const SymExpr& stated, ValueRange range) {
	const auto is_new = [&](const std::string& symbol) {
		return is_unbacked_name(symbol) && !algo::contains(trace_.unbacked_names, symbol);
	};
	const bool any_new = algo::any_of(free_symbols(stated), is_new);
	const auto affine = any_new ? as_affine(stated) : std::nullopt;
	if (any_new && !affine) return std::nullopt;
	if (affine) {
		trace_.unbacked.push_back(affine->least(range));
		trace_.unbacked_names.push_back(affine->symbol);
	}
	const std::int64_t number = evaluate(stated, *settings_.sizes);
	if (!affine || !stated.is_symbol()) told_.push_back({unused_name(), number});
	return number;
}
inline std::int64_t Recording::count(const at::Tensor& tensor) {
	const std::uint32_t known = records_.find(tensor);
	if (known == no_record) return fresh(ValueRange::at_least(0));
	const std::uint32_t value = current(known).index;
	const auto found = counts_.find(value);
	return found != counts_.end() ? found->second : counts_[value] = fresh(ValueRange::at_least(0));
}
}
namespace ferry::capture {
[[nodiscard]] inline bool asks_for_numbers(const OpInfo& info) {
	if (info.op_class == OpClass::value_query || info.op_class == OpClass::equality_query) return true;
	return info.op_class == OpClass::ordinary && info.returns_numbers &&
		algo::none_of(info.op.schema().returns(), [](const c10::Argument& each) {
		return ferry::detail::element_kind(each.real_type().get()) == c10::TypeKind::TensorType;
		});
}
[[nodiscard]] inline bool answer_from_constants(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const auto values = detail::last(stack, info.op.schema().arguments().size());
	std::vector<at::Tensor> known;
	bool all_known = true;
	for (const c10::IValue& value : values)
		detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
		if (!all_known) return;
		known.push_back(recording.known_value(recording.current(recording.record_of(tensor))));
		all_known = known.back().defined();
		});
	if (!all_known || known.empty()) return false;
	auto next = known.begin();
	for (c10::IValue& value : values)
		value = detail::exchange_tensors(value,
		[&](const at::Tensor& tensor) { return tensor.defined() ? *next++ : tensor; });
	info.op.callBoxed(stack);
	return true;
}
inline void answer_value(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const auto values = detail::last(stack, 1);
	const at::Tensor tensor = values[0].toTensor();
	std::vector<Argument> arguments = recording.read_arguments(info, values).values;
	if (!c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
		throw Error(ErrorKind::unsupported,
		std::string("forward asks a tensor of ") +
		std::string(ferry::info(to_dtype(tensor.scalar_type())).torch_name) +
		" for its value, which is not known while the model is captured",
		{.hint = "a branch on it is written with ferry::cond; arithmetic works on the tensor itself",
		.where = {.op = info.name}});
	const std::int64_t number = recording.tell_value(info);
	const Value value = recording.new_value({.kind = ValueKind::sym_int, .number = number});
	recording.push({.name = info.name,
		.schema = &info.op.schema(),
		.arguments = std::move(arguments),
		.outputs = {{.values = {value}}}});
	stack.pop_back();
	stack.emplace_back(number);
}
}
namespace ferry::capture {
inline void register_results(Recording& recording, std::span<const CallArguments::Place> arguments,
		std::span<const c10::IValue> results, std::span<const Value> values) {
	Records& records = recording.records();
	std::uint32_t position = 0;
	for (const c10::IValue& result : results)
		detail::for_each_tensor(result, [&](const at::Tensor& tensor) {
		const std::uint32_t made_as = position++;
		if (const std::uint32_t known = records.find(tensor); known != no_record) {
		records[known].value = values[made_as];
		return;
		}
		const std::uint32_t record = recording.add_record(tensor, tensor, values[made_as]);
		const auto* storage = storage_of(tensor);
		for (const auto& [argument, from] : arguments)
		if (storage != nullptr && storage_of(records[argument].fake) == storage)
		return records.make_view(record, argument, recording.last_op(), from, made_as);
		if (storage != nullptr && tensor.is_meta()) forbid_data(tensor);
		});
}
inline void record_call(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const c10::FunctionSchema& schema = info.op.schema();
	const auto values = detail::last(stack, schema.arguments().size());
	CallArguments arguments = recording.read_arguments(info, values);
	if (info.returns_numbers && !arguments.tensors.empty())
		throw Error(ErrorKind::unsupported, "forward asks for a number that depends on the values of a tensor",
		{.hint = "a branch on it is written with ferry::cond", .where = {.op = info.name}});
	recording.fake_arguments(info, values);
	recording.run(info, stack);
	const std::vector<CallArguments::Place> places = std::move(arguments.tensors);
	const auto results = detail::last(stack, schema.returns().size());
	register_results(recording, places, results, recording.append(info, std::move(arguments), results));
}
}
namespace ferry::capture {
[[nodiscard]] inline bool all_constant(Recording& recording, const OpInfo& info, std::span<const c10::IValue> values) {
	for (const std::size_t written : info.written)
		detail::for_each_tensor(values[written], [&](const at::Tensor& tensor) { recording.protect_state(tensor); });
	bool any = false;
	bool all = true;
	for (const c10::IValue& value : values)
		detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
		any = true;
		all = all && recording.is_constant(tensor);
		});
	return any && all;
}
[[nodiscard]] inline bool asks_for_meta(const OpInfo& info, torch::jit::Stack& stack) {
	if (!info.device) return false;
	const c10::IValue& device = detail::last(stack, info.op.schema().arguments().size())[*info.device];
	return device.isDevice() && device.toDevice().is_meta();
}
inline void compute_constant(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	Records& records = recording.records();
	const auto given = detail::last(stack, info.op.schema().arguments().size());
	if (asks_for_meta(info, stack)) given[*info.device] = recording.model_device();
	const torch::jit::Stack arguments(given.begin(), given.end());
	info.op.callBoxed(stack);
	std::uint32_t made_as = 0;
	for (const c10::IValue& result : detail::last(stack, info.op.schema().returns().size()))
		detail::for_each_tensor(result, [&](const at::Tensor& tensor) {
		const std::uint32_t position = made_as++;
		if (records.find(tensor) != no_record) return;
		const std::uint32_t record = recording.add_record(tensor, tensor, {});
		records[record].constant = true;
		for (const c10::IValue& argument : arguments)
		detail::for_each_tensor(argument, [&](const at::Tensor& from) {
		const std::uint32_t memory = records[recording.record_of(from)].memory;
		if (records[record].memory == no_record) records[record].memory = memory;
		if (storage_of(from) == storage_of(tensor))
		records.constant_views()[record] = {&info, arguments, position};
		});
		});
}
inline void make_memory(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const std::uint32_t memory = recording.next_memory();
	const auto* traced = recording.settings().traced_memory;
	if (traced != nullptr && traced->contains(memory)) return record_call(recording, info, stack);
	info.op.callBoxed(stack);
	const at::Tensor tensor = stack.back().toTensor();
	if (tensor.is_meta()) return;
	Record& record = recording.records()[recording.add_record(tensor, tensor, {})];
	record.constant = true;
	record.memory = memory;
}
}
namespace ferry::capture {
inline void answer_equality(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const auto values = detail::last(stack, info.op.schema().arguments().size());
	const CallArguments arguments = recording.read_arguments(info, values);
	const EqualityQuestion question{*arguments.values[0].get_if<Value>(), *arguments.values[1].get_if<Value>()};
	recording.questions().push_back(question);
	stack.resize(stack.size() - values.size());
	stack.emplace_back(question.answer());
}
namespace detail {
[[nodiscard]] inline bool reads_attention_weights(Recording& recording, const OpInfo& next,
		std::span<const c10::IValue> arguments, const at::Tensor& asked) {
	const bool whole = next.name == "aten::t" || next.name == "aten::linear";
	if ((!whole && next.name != "aten::slice.Tensor") || asked.dim() == 0) return false;
	const at::Tensor weight = arguments[next.name == "aten::linear" ? 1 : 0].toTensor();
	const std::int64_t features = asked.size(-1);
	if (weight.dim() != 2 || weight.size(0) != 3 * features || weight.size(1) != features) return false;
	if (!whole && !(arguments[1] == c10::IValue(0) && arguments[3] == c10::IValue(features))) return false;
	const ModuleNames* const names = recording.settings().names;
	const std::string_view name = names != nullptr ? names->name_of(weight) : std::string_view();
	if (!name.empty()) return name == "in_proj_weight";
	const std::uint32_t known = recording.records().find(weight);
	if (known == no_record) return true;
	const Value original = recording.records()[known].original;
	return original && algo::find(recording.trace().inputs, original) == recording.trace().inputs.end();
}
inline void settle(Recording& recording, const EqualityQuestion& question) {
	const at::Tensor& self = recording.value(question.self).tensor;
	const at::Tensor& other = recording.value(question.other).tensor;
	if (question.answer() && !self.is_floating_point() && !self.is_complex()) return;
	if (self.dim() != other.dim()) return;
	for (std::size_t dim = 0; dim < self.sizes().size(); ++dim)
		if (const std::int64_t apart = self.sizes()[dim] - other.sizes()[dim]; apart != 0) {
		recording.push({.name = size_check,
		.arguments = {apart, 0, "ne",
		"the program was captured with tensors that differ in dimension " +
		std::to_string(dim) + " where the model asks whether they are equal"}});
		return;
		}
	throw Error(ErrorKind::unsupported, "forward asks for a number that depends on the values of a tensor",
		{.hint = "a branch on it is written with ferry::cond", .where = {.op = "aten::equal"}});
}
}
inline void settle_questions(Recording& recording) {
	for (const EqualityQuestion& question : std::exchange(recording.questions(), {}))
		detail::settle(recording, question);
}
inline void settle_questions(Recording& recording, const OpInfo& next, std::span<const c10::IValue> arguments) {
	std::erase_if(recording.questions(), [&](const EqualityQuestion& question) {
		return detail::reads_attention_weights(recording, next, arguments, recording.value(question.self).tensor);
	});
	settle_questions(recording);
}
}
namespace ferry::capture {
inline void make_room(Recording& recording, const at::Tensor& self, at::IntArrayRef sizes, const OpInfo& by) {
	const std::uint32_t index = recording.record_of(self);
	const Records& records = recording.records();
	const Record& record = records[index];
	if (self.sizes() == sizes) return;
	const bool is_alone = record.parent == no_record &&
		algo::none_of(records, [&](const Record& other) { return other.parent == index; });
	if (!self.is_meta() || self.numel() != 0 || record.original || !is_alone)
		throw Error(
		ErrorKind::unsupported,
		"forward gives another size, in place, to a tensor that is in use: only one that has no elements and no "
		"views can be told from a new one",
		{.hint = "make a new tensor, on the device of the others: torch::empty({0}, x.options())",
		.where = {.op = by.name}});
	const Value room =
		recording.emit("aten::new_empty", {recording.current(index), ArgumentList(sizes.begin(), sizes.end())}).at(0);
	const at::Tensor known = records[index].held;    
	for (TraceValue& each : recording.trace().values)
		if (each.tensor.is_same(known)) each.tensor = known.detach();
	known.resize_(sizes);
	self.resize_(sizes);
	recording.write(index, room);
}
inline void resize(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const auto values = detail::last(stack, info.op.schema().arguments().size());
	const at::Tensor self = values[0].toTensor();
	const std::vector<std::int64_t> sizes =
		values[1].isTensor() ? values[1].toTensor().sizes().vec() : values[1].toIntVector();
	make_room(recording, self, sizes, info);
	stack.resize(stack.size() - values.size());
	stack.emplace_back(self);
}
}
namespace ferry::capture {
inline void write_cast(Recording& recording, const at::Tensor& place, Value value, const OpInfo& by) {
	const at::Tensor result = recording.value(value).tensor;
	if (detail::is_out_variant(by.op.schema())) make_room(recording, place, result.sizes(), by);
	if (place.sizes() != result.sizes())
		throw Error(ErrorKind::invalid_input, "forward writes a result in place to a tensor of another shape",
		{.where = {.op = by.name}});
	if (place.scalar_type() != result.scalar_type())
		value = recording.emit("aten::to.dtype", {value, to_dtype(place.scalar_type())}).at(0);
	recording.write(recording.record_of(place), value);
}
inline void record_write(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const c10::FunctionSchema& schema = info.op.schema();
	const auto values = detail::last(stack, schema.arguments().size());
	if (info.functional == nullptr && info.is_composite) throw NeedsParts{};
	if (info.functional == nullptr)
		throw Error(ErrorKind::unsupported,
		"forward writes in place with an op that has no form which returns its result",
		{.hint = "use the op without the trailing underscore", .where = {.op = info.name}});
	std::vector<at::Tensor> places;
	for (const std::size_t position : info.written) {
		if (!values[position].isTensor())
		throw Error(ErrorKind::unsupported, "forward writes in place to a list of tensors",
		{.hint = "write to one after the other", .where = {.op = info.name}});
		places.push_back(values[position].toTensor());
	}
	const CallArguments arguments = recording.read_arguments(info, values);
	recording.fake_arguments(info, values);
	OpInfo& functional = recording.infos().of(info.functional->op);
	const auto& wanted = functional.op.schema().arguments();
	CallArguments pure{.device = arguments.device};
	torch::jit::Stack pure_stack;
	pure.values.reserve(wanted.size());
	pure_stack.reserve(wanted.size());
	for (std::size_t i = 0; i < wanted.size(); ++i) {
		const c10::Argument& each = wanted[i];
		auto position = schema.argumentIndexWithName(each.name());
		if (!position && wanted.size() == values.size())
		position = static_cast<int>(i);
		pure.values.push_back(position ? arguments.values[static_cast<std::size_t>(*position)] : Argument());
		pure_stack.push_back(position ? values[static_cast<std::size_t>(*position)]
		: each.default_value().value_or(c10::IValue()));
	}
	recording.run(functional, pure_stack);
	const std::vector<Value> results = recording.append(functional, std::move(pure), pure_stack);
	torch::jit::Stack returned;
	std::size_t plain = 0, given = 0;
	for (const c10::Argument& each : schema.returns()) {
		if (each.alias_info() != nullptr) {
		returned.emplace_back(places.at(given++));
		continue;
		}
		const at::Tensor tensor = recording.value(results.at(plain)).tensor;
		recording.add_record(tensor, tensor, results[plain++]);
		returned.emplace_back(tensor);
	}
	for (std::size_t i = 0; i < places.size(); ++i) write_cast(recording, places[i], results.at(plain + i), info);
	stack.resize(stack.size() - schema.arguments().size());
	stack.insert(stack.end(), returned.begin(), returned.end());
}
inline bool record_hidden_write(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const bool whole = info.name == "aten::batch_norm";
	if (info.name == "aten::_batch_norm_impl_index") throw NeedsParts{};
	const bool by_instance = info.name == "aten::instance_norm";
	if (!whole && !by_instance && info.name != "aten::native_batch_norm") return false;
	const auto values = detail::last(stack, info.op.schema().arguments().size());
	if (!values[5].toBool() || !values[3].isTensor() || !values[3].toTensor().defined()) return false;
	if (by_instance) throw NeedsParts{};
	const at::Tensor mean = values[3].toTensor();
	const at::Tensor variance = values[4].toTensor();
	std::vector<Argument> arguments = recording.read_arguments(info, values).values;
	if (whole) arguments.pop_back();
	const auto results = recording.emit("aten::_native_batch_norm_legit_functional", std::move(arguments));
	recording.write(recording.record_of(mean), results.at(3));
	recording.write(recording.record_of(variance), results.at(4));
	stack.resize(stack.size() - values.size());
	for (const Value result : std::span(results).first(whole ? 1 : 3)) {
		const at::Tensor output = recording.value(result).tensor;
		recording.add_record(output, output, result);
		stack.emplace_back(output);
	}
	return true;
}
inline void change_geometry(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
	const auto values = detail::last(stack, info.op.schema().arguments().size());
	const at::Tensor self = values[0].toTensor();
	Records& records = recording.records();
	const std::uint32_t index = recording.record_of(self);
	if (!self.is_meta() || info.functional == nullptr)
		throw Error(ErrorKind::unsupported, "forward changes the shape of a parameter or buffer in place",
		{.hint = "use the op without the trailing underscore", .where = {.op = info.name}});
	CallArguments arguments = recording.read_arguments(info, values);
	for (TraceValue& each : recording.trace().values)
		if (each.tensor.is_same(self)) each.tensor = self.detach();
	OpInfo& view = recording.infos().of(info.functional->op);
	torch::jit::Stack view_stack(values.begin(), values.end());
	recording.run(view, view_stack);
	const Value seen = recording.append(view, std::move(arguments), view_stack).at(0);
	const std::uint32_t before = records.add_unnamed(records[index]);
	for (std::uint32_t i = 0; i <= before; ++i) {
		if (records[i].root == index) records[i].root = before;
		if (records[i].parent == index) records[i].parent = before;
	}
	records[before].fake = recording.value(records[before].value).tensor;
	records[index].value = seen;
	records[index].original = {};
	records.make_view(index, before, recording.last_op(), 0, 0);
	info.op.callBoxed(stack);
}
}
namespace ferry::capture {
class Tracer final : public OpHandler {
public:
	Tracer(OpInfos& infos, RunSettings settings)
		: OpHandler([](OpHandler& self, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
		torch::jit::Stack* stack) { static_cast<Tracer&>(self).take(op, keys, stack); }),
		recording_(infos, settings) {}
	at::Tensor add_input(const at::Tensor& fake, c10::Device device);
	void add_output(const c10::IValue& leaf);
	void require_settled() { settle_questions(recording_); }
	void rethrow_own(const std::exception& thrown) const;
	[[nodiscard]] ForwardPlace place() {
		const auto& ops = recording_.trace().ops;
		return {last_module_, ops.empty() ? std::string_view() : ops.back().name};
	}
	void expect(std::size_t ops, std::size_t values) {
		recording_.trace().ops.reserve(ops);
		recording_.trace().values.reserve(values);
		recording_.records().reserve(values);
	}
	[[nodiscard]] std::size_t steps() { return recording_.trace().ops.size(); }
	[[nodiscard]] Trace finish();
	[[nodiscard]] std::vector<at::Tensor> call_higher_order(std::string_view op, std::vector<Argument> arguments,
		std::vector<std::shared_ptr<const Trace>> bodies,
		std::span<const at::Tensor> like);
	[[nodiscard]] Tracer nested() {
		const RunSettings& settings = recording_.settings();
		return {recording_.infos(),
		{.constants_stay_real = settings.constants_stay_real, .names = settings.names, .is_nested = true}};
	}
	[[nodiscard]] Value value_of(const at::Tensor& tensor) {
		const UntracedScope below;
		return recording_.current(recording_.record_of(tensor));
	}
	void add_check(std::int64_t a, std::string_view comparison, std::int64_t b, std::string_view why) {
		recording_.push({.name = size_check, .arguments = {a, b, std::string(comparison), std::string(why)}});
	}
	void add_real(std::string_view function, std::vector<Argument> arguments, double result, SymExpr meaning) {
		const Value value =
		recording_.new_value({.kind = ValueKind::sym_float, .real = result, .meaning = std::move(meaning)});
		recording_.trace().reals.push_back(value);
		recording_.push({.name = function, .arguments = std::move(arguments), .outputs = {{.values = {value}}}});
	}
	[[nodiscard]] c10::Device device_of(const at::Tensor& tensor) const { return recording_.device_of(tensor); }
private:
	void take(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
		try {
		take_any(op, keys, stack);
		} catch (const Error&) {
		thrown_ = std::current_exception();
		throw;
		}
	}
	void take_any(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);
	void take_whole(OpInfo& info, torch::jit::Stack& stack);
	[[nodiscard]] std::string_view module_of(std::span<const c10::IValue> values);
	Recording recording_;
	std::string_view last_module_;
	std::vector<const OpInfo*> patching_;
	std::exception_ptr thrown_;
};
inline at::Tensor Tracer::add_input(const at::Tensor& fake, c10::Device device) {
	const Value value = recording_.new_value({.tensor = fake, .device = device});
	if (recording_.trace().inputs.empty()) recording_.set_model_device(device);
	recording_.trace().inputs.push_back(value);
	recording_.records()[recording_.add_record(fake, fake, value)].original = value;
	return fake;
}
inline void Tracer::add_output(const c10::IValue& leaf) {
	recording_.trace().outputs.push_back(
		to_argument(leaf, c10::TypeKind::AnyType, [&](const at::Tensor& tensor) { return value_of(tensor); }));
}
inline Trace Tracer::finish() {
	require_settled();
	Trace& trace = recording_.trace();
	for (const Record& record : recording_.records())
		if (record.original && record.parent == no_record && record.version > 0)
		trace.mutations.push_back({record.original, record.value});
	return std::move(trace);
}
inline void Tracer::rethrow_own(const std::exception& thrown) const {
	if (dynamic_cast<const Error*>(&thrown) != nullptr) throw;
	if (!thrown_) return;
	try {
		std::rethrow_exception(thrown_);
	} catch (const Error& own) {
		if (std::string_view(thrown.what()).find(own.message()) != std::string_view::npos) throw;
	}
}
inline std::string_view Tracer::module_of(std::span<const c10::IValue> values) {
	ModuleNames* const names = recording_.settings().names;
	if (names == nullptr) return {};
	return names->path_of([&](const auto& visit) {
		for (const c10::IValue& value : values) detail::for_each_tensor(value, visit);
	});
}
inline void Tracer::take_any(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
	if (recording_.runner().in_parts()) return recording_.runner().run_part(op, keys, stack);
	if (is_in_autocast() &&
		call_under_autocast(op, *stack, [&](const at::Tensor& tensor) { return device_of(tensor); }))
		return;
	OpInfo& info = recording_.infos().of(op);
	if (info.patch != nullptr && !algo::contains(patching_, &info)) {
		struct Leave {
		std::vector<const OpInfo*>& patching;
		~Leave() { patching.pop_back(); }
		};
		patching_.push_back(&info);
		const Leave leave{patching_};
		return info.patch(op, keys, stack);
	}
	const std::size_t count = op.schema().arguments().size();
	const std::string_view module = module_of(detail::last(*stack, count));
	recording_.set_module(module);
	if (!module.empty()) last_module_ = module;
	try {
		if (!info.is_composite || info.fake != nullptr) return take_whole(info, *stack);
		const torch::jit::Stack arguments(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
		const std::size_t below = stack->size() - count;
		try {
		return take_whole(info, *stack);
		} catch (const NeedsParts&) {
		stack->resize(below);
		stack->insert(stack->end(), arguments.begin(), arguments.end());
		}
	} catch (const LeftBehind&) {
		throw;
	} catch (const Error& error) {
		if (!error.where().path.empty()) throw;
		ErrorDetails details{.hint = error.hint(), .where = error.where()};
		details.where.path = last_module_;
		if (details.where.op.empty()) details.where.op = info.name;
		throw Error(error.kind(), error.message(), std::move(details));
	} catch (const c10::Error& error) {
		throw Error(ErrorKind::invalid_input, error.what_without_backtrace(),
		{.where = {.op = info.name, .path = std::string(last_module_)}});
	}
	op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, *stack);
}
inline void Tracer::take_whole(OpInfo& info, torch::jit::Stack& stack) {
	const UntracedScope below;
	const std::size_t count = info.op.schema().arguments().size();
	if (info.op_class != OpClass::equality_query && info.op_class != OpClass::shape_query)
		settle_questions(recording_, info, detail::last(stack, count));
	if (info.op_class == OpClass::value_query) recording_.count_question();
	if (!info.is_random && all_constant(recording_, info, detail::last(stack, count)))
		return compute_constant(recording_, info, stack);
	if (asks_for_numbers(info) && answer_from_constants(recording_, info, stack)) return;
	switch (info.op_class) {
		case OpClass::shape_query:
		case OpClass::check: return info.op.callBoxed(stack);
		case OpClass::value_query: return answer_value(recording_, info, stack);
		case OpClass::equality_query: return answer_equality(recording_, info, stack);
		case OpClass::memory:
		if (recording_.settings().constants_stay_real && !asks_for_meta(info, stack))
		return make_memory(recording_, info, stack);
		break;
		case OpClass::geometry: return change_geometry(recording_, info, stack);
		case OpClass::size: return resize(recording_, info, stack);
		case OpClass::nothing: {
		const c10::IValue self = detail::last(stack, count)[0];
		stack.resize(stack.size() - count);
		if (!info.op.schema().returns().empty()) stack.push_back(self);
		return;
		}
		case OpClass::ordinary: break;
	}
	if (!info.written.empty()) return record_write(recording_, info, stack);
	if (!record_hidden_write(recording_, info, stack)) record_call(recording_, info, stack);
}
inline std::vector<at::Tensor> Tracer::call_higher_order(std::string_view op, std::vector<Argument> arguments,
		std::vector<std::shared_ptr<const Trace>> bodies,
		std::span<const at::Tensor> like) {
	const UntracedScope below;
	TraceOp call{.name = op, .arguments = std::move(arguments), .subtraces = std::move(bodies)};
	std::vector<at::Tensor> results;
	results.reserve(like.size());
	for (const at::Tensor& each : like) {
		const at::Tensor result = fake_like(each);
		const Value value = recording_.new_value({.tensor = result, .device = device_of(each)});
		recording_.add_record(result, result, value);
		call.outputs.push_back({.values = {value}});
		results.push_back(result);
	}
	recording_.push(std::move(call));
	return results;
}
}
namespace ferry::capture {
struct Body {
	Trace trace{};
	Tree output{};
};
[[nodiscard]] inline Body record_body(Tracer& outer, std::string_view op, std::span<const at::Tensor> like,
		const RunBody& run) {
	Tracer tracer = outer.nested();
	std::vector<at::Tensor> arguments;
	for (const at::Tensor& each : like) arguments.push_back(tracer.add_input(fake_like(each), outer.device_of(each)));
	Body body;
	{
		const TraceScope scope(tracer);
		body.output = run(arguments);
		for (const Leaf& leaf : body.output.leaves) {
		if (!leaf.is_tensor() || !leaf.tensor().defined())
		throw Error(ErrorKind::unsupported, "what a branch or body returns must be tensors",
		{.where = {.op = std::string(op)}});
		tracer.add_output(leaf.tensor());
		}
	}
	body.trace = tracer.finish();
	if (!body.trace.mutations.empty())
		throw Error(ErrorKind::unsupported, "a branch or body writes in place to a tensor from outside",
		{.hint = "return the new value and assign it outside", .where = {.op = std::string(op)}});
	for (const TraceValue& value : body.trace.values)
		if (value.kind == ValueKind::sym_int)
		throw Error(ErrorKind::unsupported, "a branch or body asks a tensor for its value",
		{.where = {.op = std::string(op)}});
	return body;
}
[[nodiscard]] inline ArgumentList share_outer_tensors(Tracer& outer, std::span<Body> bodies) {
	std::vector<at::Tensor> used;
	for (const Body& body : bodies)
		for (const Lifted& lifted : body.trace.lifted)
		if (algo::none_of(used, [&](const at::Tensor& known) { return known.is_same(lifted.tensor); }))
		used.push_back(lifted.tensor);
	ArgumentList values;
	for (const at::Tensor& tensor : used) {
		values.emplace_back(outer.value_of(tensor));
		for (Body& body : bodies) {
		const auto found =
		algo::find_if(body.trace.lifted, [&](const Lifted& each) { return each.tensor.is_same(tensor); });
		if (found != body.trace.lifted.end()) {
		body.trace.inputs.push_back(found->value);
		} else {
		body.trace.values.push_back(
		{.tensor = tensor.is_meta() ? tensor : fake_like(tensor), .device = tensor.device()});
		body.trace.inputs.push_back({static_cast<std::uint32_t>(body.trace.values.size() - 1)});
		}
		}
	}
	for (Body& body : bodies) body.trace.lifted.clear();
	return values;
}
inline void require_same_outputs(const Tree& first, const Tree& second, std::string_view op, const std::string& what) {
	const auto refuse = [&](const std::string& how) {
		throw Error(ErrorKind::invalid_input, what + " differ in " + how, {.where = {.op = std::string(op)}});
	};
	if (!(first.spec == second.spec)) refuse("structure");
	for (std::size_t i = 0; i < first.leaves.size(); ++i) {
		const at::Tensor& a = first.leaves[i].tensor();
		const at::Tensor& b = second.leaves[i].tensor();
		if (a.scalar_type() != b.scalar_type()) refuse("the dtype of tensor " + std::to_string(i));
		if (a.sizes() != b.sizes()) refuse("the shape of tensor " + std::to_string(i));
	}
}
}
namespace ferry::capture {
FERRY_INLINE Tracer* current_tracer() {
	OpHandler* const handler = TraceScope::current();
	return handler != nullptr && handler->records() ? static_cast<Tracer*>(handler) : nullptr;
}
FERRY_INLINE std::vector<at::Tensor> tensors_of(const Tree& tree) {
	std::vector<at::Tensor> tensors;
	tensors.reserve(tree.leaves.size());
	for (const Leaf& leaf : tree.leaves) tensors.push_back(leaf.tensor());
	return tensors;
}
FERRY_INLINE Tree with_tensors(const TreeSpec& spec, std::span<const at::Tensor> tensors) {
	return {spec, {tensors.begin(), tensors.end()}};
}
[[nodiscard]] inline ArgumentList values_of(Tracer& tracer, std::span<const at::Tensor> tensors) {
	ArgumentList values;
	for (const at::Tensor& each : tensors) values.emplace_back(tracer.value_of(each));
	return values;
}
[[nodiscard]] inline std::vector<std::shared_ptr<const Trace>> traces_of(std::vector<Body>& bodies) {
	std::vector<std::shared_ptr<const Trace>> traces;
	traces.reserve(bodies.size());
	for (Body& body : bodies) traces.push_back(std::make_shared<Trace>(std::move(body.trace)));
	return traces;
}
[[nodiscard]] inline std::vector<at::Tensor> slices_of(std::span<const at::Tensor> sequences) {
	const UntracedScope below;
	std::vector<at::Tensor> slices;
	slices.reserve(sequences.size());
	for (const at::Tensor& each : sequences) slices.push_back((each.is_meta() ? each : fake_like(each)).select(0, 0));
	return slices;
}
[[nodiscard]] inline std::vector<at::Tensor> stacked(std::span<const at::Tensor> steps,
		const std::vector<at::Tensor>& sequences) {
	const UntracedScope below;
	std::vector<at::Tensor> whole;
	for (const at::Tensor& each : steps) {
		std::vector<std::int64_t> sizes = each.sizes().vec();
		sizes.insert(sizes.begin(), sequences.at(0).size(0));
		whole.push_back(each.new_empty(sizes));
	}
	return whole;
}
FERRY_INLINE Tree record_cond(Tracer& tracer, const at::Tensor& predicate, const Tree& operands, const RunBody& then,
		const RunBody& otherwise) {
	constexpr std::string_view op = "higher_order::cond";
	const auto given = tensors_of(operands);
	std::vector<Body> bodies;
	for (const RunBody* branch : {&then, &otherwise}) bodies.push_back(record_body(tracer, op, given, *branch));
	require_same_outputs(bodies[0].output, bodies[1].output, op, "the results of the two branches of cond");
	ArgumentList all = values_of(tracer, given);
	for (Argument& outer : share_outer_tensors(tracer, bodies)) all.push_back(std::move(outer));
	const auto results =
		tracer.call_higher_order(op, {tracer.value_of(predicate), Subgraph{0}, Subgraph{1}, std::move(all)},
		traces_of(bodies), tensors_of(bodies[0].output));
	return with_tensors(bodies[0].output.spec, results);
}
FERRY_INLINE Tree record_while_loop(Tracer& tracer, const Tree& carried, const RunBody& condition,
		const RunBody& body) {
	constexpr std::string_view op = "higher_order::while_loop";
	const auto given = tensors_of(carried);
	std::vector<Body> bodies;
	for (const RunBody* part : {&condition, &body}) bodies.push_back(record_body(tracer, op, given, *part));
	require_same_outputs(carried, bodies[1].output, op, "what a while_loop carries and what its body returns");
	ArgumentList values = values_of(tracer, given);
	ArgumentList outer = share_outer_tensors(tracer, bodies);
	const auto results = tracer.call_higher_order(op, {Subgraph{0}, Subgraph{1}, std::move(values), std::move(outer)},
		traces_of(bodies), given);
	return with_tensors(carried.spec, results);
}
FERRY_INLINE Tree record_scan(Tracer& tracer, const Tree& initial, const Tree& sequences, const RunBody& run) {
	constexpr std::string_view op = "higher_order::scan";
	const auto carry = tensors_of(initial);
	const auto whole = tensors_of(sequences);
	std::vector<at::Tensor> like = carry;
	for (at::Tensor& each : slices_of(whole)) like.push_back(std::move(each));
	std::vector<Body> bodies;
	bodies.push_back(record_body(tracer, op, like, run));
	const TreeSpec spec = bodies[0].output.spec;
	const auto steps = tensors_of(bodies[0].output);
	std::vector<at::Tensor> results(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(carry.size()));
	require_same_outputs(initial, with_tensors(spec.children().at(0), results), op,
		"what a scan carries and what its body returns");
	for (at::Tensor& each : stacked(std::span(steps).subspan(carry.size()), whole)) results.push_back(std::move(each));
	ArgumentList initial_values = values_of(tracer, carry), sequence_values = values_of(tracer, whole);
	ArgumentList outer = share_outer_tensors(tracer, bodies);
	const auto made = tracer.call_higher_order(
		op, {Subgraph{0}, std::move(initial_values), std::move(sequence_values), std::move(outer)}, traces_of(bodies),
		results);
	return with_tensors(spec, made);
}
FERRY_INLINE Tree record_map(Tracer& tracer, const Tree& sequences, const RunBody& run) {
	constexpr std::string_view op = "higher_order::map_impl";
	const auto whole = tensors_of(sequences);
	std::vector<Body> bodies;
	bodies.push_back(record_body(tracer, op, slices_of(whole), run));
	const std::vector<at::Tensor> results = stacked(tensors_of(bodies[0].output), whole);
	ArgumentList values = values_of(tracer, whole);
	ArgumentList outer = share_outer_tensors(tracer, bodies);
	const auto made =
		tracer.call_higher_order(op, {Subgraph{0}, std::move(values), std::move(outer)}, traces_of(bodies), results);
	return with_tensors(bodies[0].output.spec, made);
}
}
namespace ferry {
FERRY_INLINE Dim Dim::derived(SymExpr size, const Dim& a, const Dim& b) {
	Dim made(Kind::named);
	made.size_ = std::move(size);
	made.ranges_ = a.ranges_;
	made.ranges_.insert(b.ranges_.begin(), b.ranges_.end());
	return made;
}
FERRY_INLINE Dim operator+(const Dim& a, const Dim& b) { return Dim::derived(a.size_ + b.size_, a, b); }
FERRY_INLINE Dim operator*(const Dim& a, const Dim& b) { return Dim::derived(a.size_ * b.size_, a, b); }
FERRY_INLINE Dim operator+(const Dim& a, std::int64_t b) { return Dim::derived(a.size_ + SymExpr(b), a, a); }
FERRY_INLINE Dim operator*(const Dim& a, std::int64_t b) { return Dim::derived(a.size_ * SymExpr(b), a, a); }
}
#include <c10/core/impl/DeviceGuardImplInterface.h>
namespace ferry {
FERRY_INLINE bool has_device(const c10::Device& device) {
	if (device.is_cpu() || device.is_meta()) return true;
	if (!c10::impl::hasDeviceGuardImpl(device.type())) return false;
	const c10::DeviceIndex count = c10::impl::getDeviceGuardImpl(device.type())->deviceCount();
	return count > 0 && (!device.has_index() || device.index() < count);
}
FERRY_INLINE bool has_device(const Device& device) {
	try {
		return has_device(to_c10(device));
	} catch (const c10::Error&) {
		return false;
	}
}
namespace detail {
inline void collect_devices(const Graph& graph, std::vector<Device>& devices) {
	const auto add = [&](Value value) {
		const ValueInfo& info = graph.info(value);
		if (info.kind == ValueKind::tensor && !algo::contains(devices, info.tensor.device))
		devices.push_back(info.tensor.device);
	};
	for (const Value input : graph.inputs()) add(input);
	for (const Node& node : graph.nodes())
		for (const Output& output : node.outputs())
		for (const Value value : output.values) add(value);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_devices(graph.subgraph({i}), devices);
}
inline void move_graph(Graph& graph, const Device& device) {
	for (std::uint32_t i = 0; i < graph.num_values(); ++i) graph.info(Value{i}).tensor.device = device;
	for (Node& node : graph.nodes())
		for (std::size_t i = 0; i < node.arguments().size(); ++i)
		if (node.arguments()[i].value.is<Device>()) graph.set_argument(node, i, device);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) move_graph(graph.subgraph({i}), device);
}
}
FERRY_INLINE void move_to_device(ExportedProgram& program, const c10::Device& device) {
	if (!has_device(device))
		throw Error(ErrorKind::invalid_input, "there is no device " + device.str() + " here",
		{.hint = "choose another one, or a libtorch that is built for it"});
	for (auto* named : {&program.state, &program.constants})
		for (auto& [name, tensor] : *named) tensor = tensor.to(device);
	for (Leaf& leaf : program.example_inputs)
		if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().to(device);
	detail::move_graph(program.graph, to_device(device));
}
FERRY_INLINE void place_tensors(ExportedProgram& program) {
	std::unordered_map<std::string, Device> wanted;
	for (const InputSpec& input : program.signature.inputs)
		if (const auto* value = input.argument.get_if<Value>(); value != nullptr && !input.target.empty())
		wanted.emplace(input.target, program.graph.info(*value).tensor.device);
	for (auto* named : {&program.state, &program.constants})
		for (auto& [name, tensor] : *named) {
		const auto found = wanted.find(name);
		if (found == wanted.end() || found->second.type == "cpu") continue;
		if (has_device(found->second)) tensor = tensor.to(to_c10(found->second));
		}
}
FERRY_INLINE void require_devices(const ExportedProgram& program) {
	std::vector<Device> devices;
	detail::collect_devices(program.graph, devices);
	for (const Device& device : devices)
		if (!has_device(device))
		throw Error(ErrorKind::invalid_input,
		"the program is for " + to_string(device) + ", and there is no such device here",
		{.hint = "load it for another one: ferry::load(path, {.device = at::kCPU}), or --device cpu"});
}
}
namespace ferry {
FERRY_INLINE ExportedProgram::ExportedProgram() = default;
FERRY_INLINE ExportedProgram::ExportedProgram(const ExportedProgram&) = default;
FERRY_INLINE ExportedProgram::ExportedProgram(ExportedProgram&&) noexcept = default;
FERRY_INLINE ExportedProgram& ExportedProgram::operator=(const ExportedProgram&) = default;
FERRY_INLINE ExportedProgram& ExportedProgram::operator=(ExportedProgram&&) noexcept = default;
FERRY_INLINE ExportedProgram::~ExportedProgram() = default;
FERRY_INLINE std::optional<ValueRange> ExportedProgram::checked_range(std::string_view size) const {
	constexpr std::int64_t least_checked = 3;
	const ValueRange* found = narrowed.find(size);
	if (found == nullptr) return std::nullopt;
	ValueRange range = *found;
	if (range.min < least_checked) range.min = ValueRange::no_min;
	return range.min == ValueRange::no_min && range.max == ValueRange::no_max ? std::nullopt : std::optional(range);
}
}
namespace ferry {
struct HigherOrderOp {
	std::string_view name;
	std::array<std::string_view, 5>
		arguments;
	std::array<std::string_view, 2> bodies;
};
inline constexpr std::array<HigherOrderOp, 9> higher_order_ops{{
	{"higher_order::cond", {"pred", "true_fn", "false_fn", "operands"}, {"true_graph", "false_graph"}},
	{"higher_order::while_loop",
	{"cond_fn", "body_fn", "carried_inputs", "additional_inputs"},
	{"while_loop_cond_graph", "while_loop_body_graph"}},
	{"higher_order::scan", {"combine_fn", "init", "xs", "additional_inputs"}, {"scan_combine_graph", ""}},
	{"higher_order::map_impl", {"f", "xs", "pos_args"}, {"body_graph", ""}},
	{"higher_order::wrap_with_set_grad_enabled", {"enable_grad", "wrapped_func"}, {"submod", ""}},
	{"higher_order::wrap_with_autocast",
	{"device_type", "dtype", "enabled", "cache_enabled", "wrapped_func"},
	{"submod", ""}},
	{"higher_order::invoke_subgraph", {"subgraph", "identifier"}, {"repeated_subgraph", ""}},
	{"higher_order::auto_functionalized", {"_mutable_op"}, {"", ""}},
	{"higher_order::auto_functionalized_v2", {"_mutable_op"}, {"", ""}},
}};
[[nodiscard]] constexpr bool is_auto_functionalized(std::string_view op) noexcept {
	return op == "higher_order::auto_functionalized" || op == "higher_order::auto_functionalized_v2";
}
inline constexpr std::string_view mutable_op_argument = "_mutable_op";
[[nodiscard]] constexpr const HigherOrderOp* find_higher_order(std::string_view op) noexcept {
	for (const HigherOrderOp& each : higher_order_ops)
		if (each.name == op) return &each;
	return nullptr;
}
[[nodiscard]] inline std::span<const std::string_view> higher_order_arguments(std::string_view op) {
	const HigherOrderOp* found = find_higher_order(op);
	if (found == nullptr) throw Error(ErrorKind::internal, "not a higher-order op", {.where = {.op = std::string(op)}});
	const auto end = std::find(found->arguments.begin(), found->arguments.end(), std::string_view());
	return {found->arguments.begin(), end};
}
[[nodiscard]] inline std::string subgraph_name(std::string_view op, std::size_t body) {
	const HigherOrderOp* found = find_higher_order(op);
	return std::string(found != nullptr ? found->bodies[body] : "subgraph");
}
}
namespace ferry {
using BoxedValues = std::vector<c10::IValue>;
using RunSubgraph = std::function<BoxedValues(std::size_t body, const BoxedValues& arguments)>;
namespace detail {
[[nodiscard]] inline bool is_true(const c10::IValue& value) {
	return value.isTensor() ? value.toTensor().item<bool>() : value.toBool();
}
[[nodiscard]] inline BoxedValues joined(BoxedValues first, const BoxedValues& second) {
	first.insert(first.end(), second.begin(), second.end());
	return first;
}
[[nodiscard]] inline BoxedValues run_scan(BoxedValues carry, const BoxedValues& sequences,
		const BoxedValues& additional, const RunSubgraph& run) {
	const std::size_t carried = carry.size();
	std::vector<std::vector<at::Tensor>> outputs;
	const std::int64_t length = sequences.at(0).toTensor().size(0);
	for (std::int64_t i = 0; i < length; ++i) {
		BoxedValues arguments = carry;
		for (const c10::IValue& each : sequences) arguments.emplace_back(each.toTensor().select(0, i));
		BoxedValues step = run(0, joined(std::move(arguments), additional));
		outputs.resize(step.size() - carried);
		for (std::size_t k = carried; k < step.size(); ++k) outputs[k - carried].push_back(step[k].toTensor());
		step.resize(carried);
		carry = std::move(step);
	}
	if (length == 0)
		throw Error(ErrorKind::invalid_input, "scan over sequences of length zero",
		{.hint = "its outputs would have no shape", .where = {.op = "higher_order::scan"}});
	for (const auto& parts : outputs) carry.emplace_back(at::stack(parts));
	return carry;
}
[[nodiscard]] inline BoxedValues run_map(const BoxedValues& sequences, const BoxedValues& others,
		const RunSubgraph& run) {
	const std::int64_t length = sequences.at(0).toTensor().size(0);
	if (length == 0)
		throw Error(ErrorKind::invalid_input, "map over a sequence of length zero",
		{.hint = "its outputs would have no shape", .where = {.op = "higher_order::map_impl"}});
	std::vector<std::vector<at::Tensor>> outputs;
	for (std::int64_t i = 0; i < length; ++i) {
		BoxedValues arguments;
		for (const c10::IValue& each : sequences) arguments.emplace_back(each.toTensor().select(0, i));
		const BoxedValues step = run(0, joined(std::move(arguments), others));
		outputs.resize(step.size());
		for (std::size_t k = 0; k < step.size(); ++k) outputs[k].push_back(step[k].toTensor());
	}
	BoxedValues results;
	for (const auto& parts : outputs) results.emplace_back(at::stack(parts));
	return results;
}
[[nodiscard]] inline BoxedValues from(const std::vector<BoxedValues>& arguments, std::size_t first) {
	BoxedValues operands;
	for (std::size_t i = first; i < arguments.size(); ++i)
		operands.insert(operands.end(), arguments[i].begin(), arguments[i].end());
	return operands;
}
}
[[nodiscard]] inline BoxedValues run_higher_order(std::string_view op, const std::vector<BoxedValues>& arguments,
		const RunSubgraph& run) {
	if (op == "higher_order::cond") return run(detail::is_true(arguments.at(0).at(0)) ? 0 : 1, arguments.at(1));
	if (op == "higher_order::while_loop") {
		BoxedValues carried = arguments.at(0);
		while (detail::is_true(run(0, detail::joined(carried, arguments.at(1))).at(0)))
		carried = run(1, detail::joined(carried, arguments.at(1)));
		return carried;
	}
	if (op == "higher_order::scan") return detail::run_scan(arguments.at(0), arguments.at(1), arguments.at(2), run);
	if (op == "higher_order::map_impl") return detail::run_map(arguments.at(0), arguments.at(1), run);
	if (op == "higher_order::invoke_subgraph") return run(0, detail::from(arguments, 1));
	if (op == "higher_order::wrap_with_set_grad_enabled") {
		const c10::AutoGradMode mode(arguments.at(0).at(0).toBool());
		return run(0, detail::from(arguments, 1));
	}
	if (op == "higher_order::wrap_with_autocast") {
		const c10::IValue& dtype = arguments.at(1).at(0);
		const c10::IValue& caches = arguments.at(3).at(0);
		const AutocastGuard mode(
		c10::Device(arguments.at(0).at(0).toStringRef()).type(), arguments.at(2).at(0).toBool(),
		dtype.isNone() ? std::nullopt : std::optional(static_cast<c10::ScalarType>(dtype.toInt())),
		caches.isNone() || caches.toBool());
		return run(0, detail::from(arguments, 4));
	}
	throw Error(ErrorKind::unsupported, "this higher-order op cannot be run", {.where = {.op = std::string(op)}});
}
}
namespace ferry {
[[nodiscard]] inline std::string mutable_op(const Node& node) {
	const Argument* given = node.find(mutable_op_argument);
	const auto* name = given == nullptr ? nullptr : given->get_if<std::string>();
	if (name == nullptr)
		throw Error(ErrorKind::invalid_input, "a call does not say which op it makes",
		{.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
	return *name;
}
namespace detail {
class FunctionalizedCall {
public:
	FunctionalizedCall(const Node& node, const c10::OperatorHandle& op, std::function<c10::IValue(Value)> lookup)
		: node_(node), op_(op), lookup_(std::move(lookup)) {}
	[[nodiscard]] BoxedValues run() {
		const bool by_bases = node_.find("_all_bases") != nullptr || node_.op().ends_with("_v2");
		if (by_bases)
		if (const Argument* bases = node_.find("_all_bases"))
		for (const Argument& base : items_of(*bases)) copies_.push_back(copy(value_of(base).toTensor()));
		torch::jit::Stack stack;
		for (const c10::Argument& wanted : op_.schema().arguments()) {
		const bool is_written = wanted.alias_info() != nullptr && wanted.alias_info()->isWrite();
		if (is_written)
		stack.push_back(by_bases ? view_of_base(wanted) : copied(wanted));
		else if (const Argument* given = node_.find(wanted.name()))
		stack.push_back(to_ivalue(*given, *wanted.real_type(), lookup_));
		else
		stack.push_back(wanted.default_value().value_or(c10::IValue()));
		}
		op_.callBoxed(stack);
		BoxedValues results(stack.begin(), stack.end());
		if (results.empty()) results.emplace_back();
		for (const at::Tensor& each : copies_) results.emplace_back(each);
		return results;
	}
private:
	[[noreturn]] void refuse(const std::string& what) const {
		throw Error(ErrorKind::invalid_input, what,
		{.where = {.op = std::string(node_.op()), .path = std::string(node_.module_path())}});
	}
	[[nodiscard]] c10::IValue value_of(const Argument& argument) const {
		return to_ivalue(argument, *c10::AnyType::get(), lookup_);
	}
	[[nodiscard]] const ArgumentList& items_of(const Argument& argument) const {
		const auto* list = argument.get_if<ArgumentList>();
		if (list == nullptr) refuse("a list of tensors is expected");
		return *list;
	}
	[[nodiscard]] static at::Tensor copy(const at::Tensor& tensor) {
		if (!tensor.defined()) return tensor;
		const at::Tensor made = tensor.new_empty_strided(tensor.sizes(), tensor.strides());
		made.copy_(tensor);
		return made;
	}
	[[nodiscard]] c10::IValue copied(const c10::Argument& wanted) {
		const Argument* given = node_.find(wanted.name());
		if (given == nullptr || given->is_none()) {
		copies_.emplace_back();
		return {};
		}
		const c10::IValue value = to_ivalue(*given, *wanted.real_type(), lookup_);
		if (!value.isTensor()) refuse("an op that writes to a list of tensors cannot be run");
		return copies_.emplace_back(copy(value.toTensor()));
	}
	[[nodiscard]] c10::IValue view_of_base(const c10::Argument& wanted) const {
		const std::string prefix = "_" + wanted.name();
		const Argument* length = node_.find(prefix + "_length");
		if (length == nullptr) return view(prefix);
		if (length->is_none()) return {};
		c10::List<at::Tensor> views;
		const std::int64_t count = integer(prefix + "_length");
		for (std::int64_t i = 0; i < count; ++i)
		views.push_back(view(prefix + "_" + std::to_string(i)).to<at::Tensor>());
		return views;
	}
	[[nodiscard]] c10::IValue view(const std::string& prefix) const {
		const Argument* which = node_.find(prefix + "_base_index");
		if (which == nullptr) refuse("nothing is said about the argument '" + prefix + "'");
		if (which->is_none()) return {};
		const std::int64_t index = integer(prefix + "_base_index");
		if (index < 0 || static_cast<std::size_t>(index) >= copies_.size())
		refuse("a tensor is named that is not there");
		const at::Tensor& base = copies_[static_cast<std::size_t>(index)];
		if (node_.find(prefix + "_storage_offset") != nullptr)
		return base.as_strided(integers(prefix + "_size"), integers(prefix + "_stride"),
		integer(prefix + "_storage_offset"));
		if (node_.find(prefix + "_slice_dim") != nullptr)
		return base.slice(integer(prefix + "_slice_dim"), integer(prefix + "_slice_start"),
		integer(prefix + "_slice_end"));
		return base;
	}
	[[nodiscard]] std::int64_t integer(const std::string& name) const {
		const Argument* given = node_.find(name);
		if (given == nullptr) refuse("the argument '" + name + "' is missing");
		return integer(*given);
	}
	[[nodiscard]] std::int64_t integer(const Argument& argument) const {
		const c10::IValue value = value_of(argument);
		if (!value.isInt()) refuse("an integer is expected");
		return value.toInt();
	}
	[[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const {
		const Argument* given = node_.find(name);
		if (given == nullptr) refuse("the argument '" + name + "' is missing");
		std::vector<std::int64_t> made;
		for (const Argument& item : items_of(*given)) made.push_back(integer(item));
		return made;
	}
	const Node& node_;
	const c10::OperatorHandle& op_;
	std::function<c10::IValue(Value)> lookup_;
	std::vector<at::Tensor> copies_;
};
}
}
namespace ferry {
using SymNumber = std::variant<std::int64_t, double, bool>;
using SymCall = SymNumber (*)(std::span<const SymNumber>);
[[nodiscard]] SymCall find_sym_call(std::string_view op);
namespace detail {
[[nodiscard]] inline double real_of(const SymNumber& number) {
	return std::visit([](auto value) { return static_cast<double>(value); }, number);
}
[[nodiscard]] inline bool holds_real(const SymNumber& number) { return std::holds_alternative<double>(number); }
[[nodiscard]] inline std::int64_t integer_of(const SymNumber& number) {
	return std::visit([](auto value) { return static_cast<std::int64_t>(value); }, number);
}
template <class OnIntegers, class OnReals>
[[nodiscard]] SymNumber arithmetic(std::span<const SymNumber> args, OnIntegers&& on_integers, OnReals&& on_reals) {
	if (args.size() != 2)
		throw Error(ErrorKind::invalid_input, "a function over two sizes is called with another number of them");
	if (holds_real(args[0]) || holds_real(args[1])) return on_reals(real_of(args[0]), real_of(args[1]));
	return on_integers(integer_of(args[0]), integer_of(args[1]));
}
template <class Compare>
[[nodiscard]] SymNumber comparison(std::span<const SymNumber> args, Compare&& compare) {
	return arithmetic(
		args, [&](std::int64_t a, std::int64_t b) -> SymNumber { return compare(a, b); },
		[&](double a, double b) -> SymNumber { return compare(a, b); });
}
struct NamedSymCall {
	std::string_view name;
	SymCall call;
};
using SymArgs = std::span<const SymNumber>;
[[nodiscard]] inline const SymNumber& nth(SymArgs args, std::size_t position) {
	if (position >= args.size())
		throw Error(ErrorKind::invalid_input, "a function over sizes is called with too few of them");
	return args[position];
}
inline constexpr NamedSymCall sym_calls[] = {
	{"_operator::add",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return checked_add(a, b); },
		[](double a, double b) -> SymNumber { return a + b; });
	}},
	{"_operator::sub",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return checked_add(a, checked_neg(b)); },
		[](double a, double b) -> SymNumber { return a - b; });
	}},
	{"_operator::mul",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return checked_mul(a, b); },
		[](double a, double b) -> SymNumber { return a * b; });
	}},
	{"_operator::floordiv",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return checked_floor_div(a, b); },
		[](double a, double b) -> SymNumber { return std::floor(a / b); });
	}},
	{"_operator::mod",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return checked_mod(a, b); },
		[](double a, double b) -> SymNumber { return a - b * std::floor(a / b); });
	}},
	{"_operator::truediv",
	[](SymArgs args) {
		return arithmetic(
		args,
		[](auto a, auto b) -> SymNumber {
		if (b == 0) sym_division_by_zero();
		return static_cast<double>(a) / static_cast<double>(b);
		},
		[](double a, double b) -> SymNumber { return a / b; });
	}},
	{"_operator::pow",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return checked_pow(a, b); },
		[](double a, double b) -> SymNumber { return std::pow(a, b); });
	}},
	{"_operator::neg",
	[](SymArgs args) -> SymNumber {
		return holds_real(nth(args, 0)) ? SymNumber(-real_of(nth(args, 0)))
		: SymNumber(checked_neg(integer_of(nth(args, 0))));
	}},
	{"_operator::pos", [](SymArgs args) -> SymNumber { return nth(args, 0); }},
	{"_operator::lshift",
	[](SymArgs args) -> SymNumber {
		return checked_mul(integer_of(nth(args, 0)), checked_pow(2, integer_of(nth(args, 1))));
	}},
	{"_operator::rshift",
	[](SymArgs args) -> SymNumber {
		return checked_floor_div(integer_of(nth(args, 0)), checked_pow(2, integer_of(nth(args, 1))));
	}},
	{"_operator::eq", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a == b; }); }},
	{"_operator::ne", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a != b; }); }},
	{"_operator::lt", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a < b; }); }},
	{"_operator::le", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a <= b; }); }},
	{"_operator::gt", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a > b; }); }},
	{"_operator::ge", [](SymArgs args) { return comparison(args, [](auto a, auto b) { return a >= b; }); }},
	{"_operator::and_",
	[](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) != 0 && integer_of(nth(args, 1)) != 0; }},
	{"_operator::or_",
	[](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) != 0 || integer_of(nth(args, 1)) != 0; }},
	{"torch::sym_max",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return std::max(a, b); },
		[](double a, double b) -> SymNumber { return std::max(a, b); });
	}},
	{"torch::sym_min",
	[](SymArgs args) {
		return arithmetic(
		args, [](auto a, auto b) -> SymNumber { return std::min(a, b); },
		[](double a, double b) -> SymNumber { return std::min(a, b); });
	}},
	{"torch::sym_float", [](SymArgs args) -> SymNumber { return real_of(nth(args, 0)); }},
	{"torch::sym_int", [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)); }},
	{"torch::sym_not", [](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) == 0; }},
	{"torch::sym_sqrt", [](SymArgs args) -> SymNumber { return std::sqrt(real_of(nth(args, 0))); }},
	{"torch::_sym_sqrt", [](SymArgs args) -> SymNumber { return std::sqrt(real_of(nth(args, 0))); }},
	{"math::sqrt", [](SymArgs args) -> SymNumber { return std::sqrt(real_of(nth(args, 0))); }},
	{"torch::sym_ite",
	[](SymArgs args) -> SymNumber { return integer_of(nth(args, 0)) != 0 ? nth(args, 1) : nth(args, 2); }},
	{"math::ceil",
	[](SymArgs args) -> SymNumber { return static_cast<std::int64_t>(std::ceil(real_of(nth(args, 0)))); }},
	{"math::floor",
	[](SymArgs args) -> SymNumber { return static_cast<std::int64_t>(std::floor(real_of(nth(args, 0)))); }},
	{"math::trunc",
	[](SymArgs args) -> SymNumber { return static_cast<std::int64_t>(std::trunc(real_of(nth(args, 0)))); }},
};
}
inline SymCall find_sym_call(std::string_view op) {
	if (op.starts_with("aten::")) return nullptr;
	const auto* found = algo::find(detail::sym_calls, op, &detail::NamedSymCall::name);
	return found != std::end(detail::sym_calls) ? found->call : nullptr;
}
}
namespace ferry {
namespace detail {
using MissingOps = std::map<std::string, std::set<std::string>, std::less<>>;
inline void collect_missing_ops(const Graph& graph, MissingOps& missing, std::set<std::string_view>& known) {
	const auto miss = [&](std::string_view op) { missing[std::string(op.substr(0, op.find("::")))].emplace(op); };
	for (const Node& node : graph.nodes()) {
		if (is_auto_functionalized(node.op()))
		if (const std::string op = mutable_op(node); !find_op(op)) miss(op);
		if (!known.insert(node.op()).second) continue;
		const bool is_there = find_higher_order(node.op()) != nullptr || find_sym_call(node.op()) != nullptr ||
		find_op(node.op()).has_value();
		if (!is_there) miss(node.op());
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_missing_ops(graph.subgraph({i}), missing, known);
}
}
inline void require_ops(const Graph& graph) {
	detail::MissingOps missing;
	std::set<std::string_view> known;
	detail::collect_missing_ops(graph, missing, known);
	if (missing.empty()) return;
	std::string list, first;
	for (const auto& [library, ops] : missing) {
		list.append(list.empty() ? "" : "; ").append("of the library '").append(library).append("': ");
		std::string names;
		for (const std::string& op : ops) names.append(names.empty() ? "" : ", ").append(op);
		list += names;
		if (first.empty()) first = *ops.begin();
	}
	throw Error(ErrorKind::unsupported, "this process has no such op: " + list,
		{.hint = "load the library that registers it, or give load() an implementation in C++: "
		"ferry::load<ferry::library_ops<my_op>>(path)",
		.where = {.op = first}});
}
}
namespace ferry {
struct RunWatch {
	const Graph* graph = nullptr;
	const Node* node = nullptr;
	std::function<BoxedValues(std::string_view op, const std::vector<BoxedValues>& arguments, const RunSubgraph& run)>
		higher_order = &run_higher_order;
	std::function<void(const c10::OperatorHandle& op, torch::jit::Stack& stack)> call{};
	std::function<void(const Node&, std::span<const SymNumber>, const SymNumber&)> on_numbers{};
};
class Interpreter {
public:
	explicit Interpreter(const Graph& graph);
	[[nodiscard]] std::vector<c10::IValue> run(std::span<const c10::IValue> inputs, RunWatch* watch = nullptr) const;
private:
	struct Step {
		const Node* node = nullptr;
		std::optional<c10::OperatorHandle> op{};
		SymCall sym_call = nullptr;
		std::optional<std::int64_t> size_of{};    
		bool is_functionalized = false;
		std::vector<c10::IValue> arguments{};     
		std::vector<std::pair<std::size_t, const Argument*>> variable{};
		std::vector<Value> last_uses{};
		std::vector<Interpreter> bodies{};        
	};
	[[nodiscard]] Step prepare(const Node& node) const;
	static void run_step(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch);
	static void run_bodies(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch);
	static void set_results(const Node& node, std::vector<c10::IValue>& values, const BoxedValues& results);
	const Graph* graph_;
	std::vector<Step> steps_;
};
namespace detail {
[[nodiscard]] inline bool holds_value(const Argument& argument) {
	bool found = false;
	for_each_value(argument, [&](Value) { found = true; });
	return found;
}
[[nodiscard]] inline SymNumber to_number(const c10::IValue& value) {
	if (value.isInt()) return value.toInt();
	if (value.isDouble()) return value.toDouble();
	if (value.isBool()) return value.toBool();
	return value.toSymInt().guard_int(__FILE__, __LINE__);
}
}
inline Interpreter::Step Interpreter::prepare(const Node& node) const {
	Step step{.node = &node};
	const auto arguments = node.arguments();
	if (node.op() == "aten::sym_size.int" && arguments.size() == 2 && arguments[0].value.is<Value>() &&
		arguments[1].value.is<std::int64_t>() && node.output()) {
		const std::int64_t dim = *arguments[1].value.get_if<std::int64_t>();
		const std::size_t dims = graph_->info(*arguments[0].value.get_if<Value>()).tensor.sizes.size();
		step.size_of =
		dim < 0 ? dim + static_cast<std::int64_t>(dims) : dim;
		return step;
	}
	if (is_auto_functionalized(node.op())) {
		step.op = find_op(mutable_op(node));
		step.is_functionalized = true;
		return step;
	}
	if (find_higher_order(node.op()) != nullptr) {
		for (const NamedArgument& argument : node.arguments())
		if (const auto* body = argument.value.get_if<Subgraph>()) step.bodies.emplace_back(graph_->subgraph(*body));
		if (step.bodies.empty())
		throw Error(ErrorKind::invalid_input, "a higher-order op has no body",
		{.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
		return step;
	}
	step.sym_call = find_sym_call(node.op());
	if (step.sym_call != nullptr) return step;
	step.op = find_op(node.op());
	const auto& wanted = step.op->schema().arguments();
	for (std::size_t i = 0; i < wanted.size(); ++i) {
		const Argument* given = node.find(wanted[i].name());
		if (given == nullptr) {
		step.arguments.push_back(wanted[i].default_value().value_or(c10::IValue()));
		} else if (detail::holds_value(*given)) {
		step.arguments.emplace_back();
		step.variable.emplace_back(i, given);
		} else {
		step.arguments.push_back(
		to_ivalue(*given, *wanted[i].real_type(), [](Value) -> c10::IValue { return {}; }));
		}
	}
	return step;
}
inline Interpreter::Interpreter(const Graph& graph) : graph_(&graph) {
	require_ops(graph);
	std::vector<std::size_t> last_use(graph.num_values(), 0);
	std::vector<bool> is_output(graph.num_values(), false);
	for (const Argument& output : graph.outputs())
		for_each_value(output, [&](Value value) { is_output[value.index] = true; });
	for (const Node& node : graph.nodes()) {
		steps_.push_back(prepare(node));
		for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) { last_use[value.index] = steps_.size(); });
		for (const Output& output : node.outputs())
		for (const Value value : output.values)
		last_use[value.index] = std::max(last_use[value.index], steps_.size());
	}
	for (std::uint32_t i = 0; i < last_use.size(); ++i)
		if (last_use[i] != 0 && !is_output[i]) steps_[last_use[i] - 1].last_uses.push_back({i});
}
inline void Interpreter::run_bodies(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch) {
	const auto lookup = [&](Value value) -> const c10::IValue& { return values[value.index]; };
	std::vector<BoxedValues> arguments;
	for (const NamedArgument& argument : step.node->arguments()) {
		if (argument.value.is<Subgraph>()) continue;
		BoxedValues& flat = arguments.emplace_back();
		if (const auto* list = argument.value.get_if<ArgumentList>())
		for (const Argument& item : *list) flat.push_back(to_ivalue(item, *c10::AnyType::get(), lookup));
		else
		flat.push_back(to_ivalue(argument.value, *c10::AnyType::get(), lookup));
	}
	const RunSubgraph run = [&](std::size_t body, const BoxedValues& given) {
		return step.bodies.at(body).run(given, watch);
	};
	const auto results = watch != nullptr ? watch->higher_order(step.node->op(), arguments, run)
		: run_higher_order(step.node->op(), arguments, run);
	set_results(*step.node, values, results);
}
inline void Interpreter::set_results(const Node& node, std::vector<c10::IValue>& values, const BoxedValues& results) {
	std::size_t next = 0;
	const auto take = [&]() -> const c10::IValue& {
		if (next == results.size())
		throw Error(ErrorKind::invalid_input, "the body of a higher-order op has fewer outputs than the op",
		{.where = {.op = std::string(node.op())}});
		return results[next++];
	};
	for (const Output& output : node.outputs()) {
		if (output.values.empty() && !output.is_list) static_cast<void>(take());
		for (const Value value : output.values) values[value.index] = take();
	}
}
inline void Interpreter::run_step(const Step& step, std::vector<c10::IValue>& values, RunWatch* watch) {
	const auto lookup = [&](Value value) -> const c10::IValue& { return values[value.index]; };
	if (step.size_of) {
		const at::Tensor& tensor = lookup(*step.node->arguments()[0].value.get_if<Value>()).toTensor();
		values[step.node->output().index] = tensor.size(*step.size_of);
		return;
	}
	if (!step.bodies.empty()) return run_bodies(step, values, watch);
	if (step.is_functionalized)
		return set_results(*step.node, values, detail::FunctionalizedCall(*step.node, *step.op, lookup).run());
	if (step.sym_call != nullptr) {
		std::vector<SymNumber> numbers;
		for (const NamedArgument& argument : step.node->arguments()) {
		if (const auto* value = argument.value.get_if<Value>())
		numbers.push_back(detail::to_number(lookup(*value)));
		else if (const auto* integer = argument.value.get_if<std::int64_t>())
		numbers.emplace_back(*integer);
		else if (const auto* real = argument.value.get_if<double>())
		numbers.emplace_back(*real);
		else if (const auto* flag = argument.value.get_if<bool>())
		numbers.emplace_back(*flag);
		}
		const SymNumber result = step.sym_call(numbers);
		if (watch != nullptr && watch->on_numbers) watch->on_numbers(*step.node, numbers, result);
		values[step.node->output().index] = std::visit([](auto number) { return c10::IValue(number); }, result);
		return;
	}
	torch::jit::Stack stack = step.arguments;
	const auto& schema = step.op->schema();
	for (const auto& [position, argument] : step.variable)
		stack[position] = to_ivalue(*argument, *schema.arguments()[position].real_type(), lookup);
	if (watch != nullptr && watch->call)
		watch->call(*step.op, stack);
	else
		step.op->callBoxed(stack);
	const auto outputs = step.node->outputs();
	for (std::size_t i = 0; i < outputs.size() && i < stack.size(); ++i) {
		if (!outputs[i].is_list) {
		if (!outputs[i].values.empty()) values[outputs[i].values[0].index] = std::move(stack[i]);
		continue;
		}
		const auto tensors = stack[i].toTensorVector();
		if (tensors.size() != outputs[i].values.size())
		throw Error(ErrorKind::invalid_input,
		"an op returned " + std::to_string(tensors.size()) + " tensors where the program has " +
		std::to_string(outputs[i].values.size()),
		{.where = {.op = std::string(step.node->op()), .path = std::string(step.node->module_path())}});
		for (std::size_t k = 0; k < tensors.size(); ++k) values[outputs[i].values[k].index] = tensors[k];
	}
}
inline std::vector<c10::IValue> Interpreter::run(std::span<const c10::IValue> inputs, RunWatch* watch) const {
	const auto wanted = graph_->inputs();
	if (inputs.size() != wanted.size())
		throw Error(ErrorKind::internal, "a graph of " + std::to_string(wanted.size()) + " inputs was given " +
		std::to_string(inputs.size()));
	std::vector<c10::IValue> values(graph_->num_values());
	for (std::size_t i = 0; i < wanted.size(); ++i) values[wanted[i].index] = inputs[i];
	for (const Step& step : steps_) {
		if (watch != nullptr) watch->graph = graph_, watch->node = step.node;
		run_step(step, values, watch);
		for (const Value value : step.last_uses) values[value.index] = {};
	}
	std::vector<c10::IValue> outputs;
	for (const Argument& output : graph_->outputs())
		outputs.push_back(to_ivalue(output, *c10::AnyType::get(), [&](Value value) { return values[value.index]; }));
	return outputs;
}
}
namespace ferry {
[[nodiscard]] inline c10::IValue to_ivalue(const Leaf& leaf) {
	switch (leaf.kind()) {
		case Leaf::Kind::none: return {};
		case Leaf::Kind::boolean: return *leaf.get_if<bool>();
		case Leaf::Kind::integer: return *leaf.get_if<std::int64_t>();
		case Leaf::Kind::real: return *leaf.get_if<double>();
		case Leaf::Kind::text: return *leaf.get_if<std::string>();
		case Leaf::Kind::tensor: return leaf.tensor();
	}
	return {};
}
[[nodiscard]] inline bool is_leaf(const c10::IValue& value) {
	return value.isNone() || value.isTensor() || value.isBool() || value.isInt() || value.isDouble() ||
		value.isString();
}
[[nodiscard]] inline Leaf to_leaf(const c10::IValue& value) {
	if (value.isNone()) return {};
	if (value.isTensor()) return value.toTensor();
	if (value.isBool()) return value.toBool();
	if (value.isInt()) return value.toInt();
	if (value.isDouble()) return value.toDouble();
	if (value.isString()) return value.toStringRef();
	throw Error(ErrorKind::unsupported, "a value of type " + value.tagKind() + " is no leaf of a tree",
		{.hint = "return tensors, numbers, strings, and nested values of these"});
}
[[nodiscard]] inline Argument to_argument(const Leaf& leaf) {
	switch (leaf.kind()) {
		case Leaf::Kind::none: return {};
		case Leaf::Kind::boolean: return *leaf.get_if<bool>();
		case Leaf::Kind::integer: return *leaf.get_if<std::int64_t>();
		case Leaf::Kind::real: return *leaf.get_if<double>();
		case Leaf::Kind::text: return *leaf.get_if<std::string>();
		case Leaf::Kind::tensor:
		if (!leaf.tensor().defined()) return {};
		throw Error(ErrorKind::internal, "a tensor is taken for a constant of a graph");
	}
	return {};
}
[[nodiscard]] inline Leaf to_leaf(const Argument& constant) {
	if (constant.is_none()) return {};
	if (const auto* flag = constant.get_if<bool>()) return *flag;
	if (const auto* integer = constant.get_if<std::int64_t>()) return *integer;
	if (const auto* real = constant.get_if<double>()) return *real;
	if (const auto* text = constant.get_if<std::string>()) return *text;
	throw Error(ErrorKind::internal, "an argument that is no constant is taken for a leaf of a tree");
}
}
namespace ferry {
[[nodiscard]] std::vector<bool> written_inputs(const Graph& graph);
namespace detail {
class WrittenInputs {
public:
	explicit WrittenInputs(const Graph& graph) : graph_(graph), memory_(graph.num_values()) {
		std::iota(memory_.begin(), memory_.end(), 0U);
		written_.resize(graph.num_values(), false);
		for (const Node& node : graph.nodes())
		node.op().starts_with("higher_order::") ? visit_bodies(node) : visit(node);
	}
	[[nodiscard]] bool is_written(Value value) const { return written_[memory_[value.index]]; }
	[[nodiscard]] std::uint32_t memory_of(Value value) const { return memory_[value.index]; }
	[[nodiscard]] bool share_memory(Value a, Value b) const { return memory_[a.index] == memory_[b.index]; }
private:
	void visit(const Node& node) {
		const auto [found, is_new] =
		schemas_.try_emplace(node.op().data(), nullptr);
		if (is_new)
		if (const auto op = find_op(node.op())) found->second = &op->schema();
		if (found->second == nullptr) return;
		const c10::FunctionSchema& schema = *found->second;
		Value viewed;
		for (const NamedArgument& argument : node.arguments()) {
		const auto index = schema.argumentIndexWithName(argument.name);
		if (!index) continue;
		const c10::AliasInfo* alias = schema.arguments()[static_cast<std::size_t>(*index)].alias_info();
		if (alias == nullptr) continue;
		for_each_value(argument.value, [&](Value value) {
		if (alias->isWrite()) written_[memory_[value.index]] = true;
		if (!viewed) viewed = value;
		});
		}
		if (!viewed) return;
		for (std::size_t i = 0; i < node.outputs().size() && i < schema.returns().size(); ++i)
		if (schema.returns()[i].alias_info() != nullptr)
		for (const Value value : node.outputs()[i].values) memory_[value.index] = memory_[viewed.index];
	}
	void visit_bodies(const Node& node) {
		std::vector<Value> operands;
		for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) { operands.push_back(value); });
		for (const NamedArgument& argument : node.arguments()) {
		const auto* body = argument.value.get_if<Subgraph>();
		if (body == nullptr) continue;
		const Graph& inner = graph_.subgraph(*body);
		const WrittenInputs inside(inner);
		const auto inputs = inner.inputs();
		const std::size_t count = std::min(inputs.size(), operands.size());
		for (std::size_t i = 1; i <= count; ++i) {
		const Value operand = operands[operands.size() - i];
		const Value input = inputs[inputs.size() - i];
		if (inside.is_written(input)) written_[memory_[operand.index]] = true;
		for (std::size_t k = 0; k < inner.outputs().size(); ++k) {
		const auto* output = inner.outputs()[k].get_if<Value>();
		const Value result = node.output(k);
		if (output != nullptr && result && inside.share_memory(*output, input))
		memory_[result.index] = memory_[operand.index];
		}
		}
		}
	}
	const Graph& graph_;
	std::vector<std::uint32_t> memory_;
	std::vector<bool> written_;
	std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;
};
}
inline std::vector<bool> written_inputs(const Graph& graph) {
	const detail::WrittenInputs found(graph);
	std::vector<bool> written;
	written.reserve(graph.inputs().size());
	for (const Value input : graph.inputs()) written.push_back(found.is_written(input));
	return written;
}
}
namespace ferry::detail {
inline constexpr std::array<std::string_view, 117> python_words{
	"False",        "None",     "NoneType",   "True",       "abs",        "aiter",      "all",     "and",
	"anext",        "any",      "as",         "ascii",      "assert",     "async",      "await",   "bin",
	"bool",         "break",    "breakpoint", "bytearray",  "bytes",      "callable",   "chr",     "class",
	"classmethod",  "compile",  "complex",    "continue",   "copyright",  "credits",    "def",     "del",
	"delattr",      "device",   "dict",       "dir",        "divmod",     "elif",       "else",    "enumerate",
	"eval",         "except",   "exec",       "exit",       "filter",     "finally",    "float",   "for",
	"format",       "from",     "frozenset",  "fx_pytree",  "getattr",    "global",     "globals", "hasattr",
	"hash",         "help",     "hex",        "id",         "if",         "import",     "in",      "inf",
	"input",        "int",      "is",         "isinstance", "issubclass", "iter",       "lambda",  "len",
	"license",      "list",     "locals",     "map",        "max",        "memoryview", "min",     "nan",
	"next",         "nonlocal", "not",        "object",     "oct",        "open",       "or",      "ord",
	"pass",         "pow",      "print",      "property",   "pytree",     "quit",       "raise",   "range",
	"repr",         "return",   "reversed",   "round",      "set",        "setattr",    "slice",   "sorted",
	"staticmethod", "str",      "sum",        "super",      "torch",      "try",        "tuple",   "type",
	"vars",         "while",    "with",       "yield",      "zip",
};
static_assert(algo::is_sorted(python_words));
[[nodiscard]] constexpr bool is_python_word(std::string_view name) noexcept {
	return std::binary_search(std::begin(python_words), std::end(python_words), name);
}
inline void append_python(std::string& out, double value) {
	if (std::isnan(value)) return void(out += "nan");
	if (std::isinf(value)) return void(out += value > 0 ? "inf" : "-inf");
	std::array<char, 32> buffer{};
	const auto scientific =
		std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
	const std::string_view text(buffer.data(), static_cast<std::size_t>(scientific.ptr - buffer.data()));
	const std::size_t e = text.rfind('e');
	int exponent = 0;
	std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
	if (exponent < -4 || exponent >= 16) return void(out += text);
	std::array<char, 64> fixed{};
	const auto end = std::to_chars(fixed.data(), fixed.data() + fixed.size(), value, std::chars_format::fixed);
	const std::string_view plain(fixed.data(), static_cast<std::size_t>(end.ptr - fixed.data()));
	out += plain;
	if (plain.find('.') == std::string_view::npos) out += ".0";
}
inline void append_python(std::string& out, const std::complex<double>& value) {
	const auto part = [&](double number) {
		append_python(out, number);
		if (out.ends_with(".0")) out.resize(out.size() - 2);
	};
	const bool imaginary_only = value.real() == 0 && !std::signbit(value.real());
	if (!imaginary_only) {
		out += '(';
		part(value.real());
		if (!std::signbit(value.imag()) || std::isnan(value.imag())) out += '+';
	}
	part(value.imag());
	out += imaginary_only ? "j" : "j)";
}
inline void append_python(std::string& out, std::string_view text) {
	const char quote =
		text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
	out += quote;
	for (const char c : text) {
		const auto byte = static_cast<unsigned char>(c);
		if (c == quote || c == '\\') {
		out += '\\';
		out += c;
		} else if (c == '\n') {
		out += "\\n";
		} else if (c == '\t') {
		out += "\\t";
		} else if (c == '\r') {
		out += "\\r";
		} else if (byte < 0x20 || byte == 0x7f) {
		constexpr std::string_view digits = "0123456789abcdef";
		out += "\\x";
		out += digits[byte >> 4U];
		out += digits[byte & 15U];
		} else {
		out += c;
		}
	}
	out += quote;
}
}
namespace ferry {
namespace detail {
inline std::string float_digits(double value, int digits) {
	std::array<char, 64> buffer{};
	const int size = std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
	std::string text(buffer.data(), static_cast<std::size_t>(size));
	if (text.find_first_of(".einf") == std::string::npos) text += ".0";
	return text;
}
class SymPrinter {
public:
	std::string text;
	void print(const SymExpr& a) {
		switch (a.op()) {
		case SymOp::constant: text += std::to_string(a.value()); return;
		case SymOp::infinity: text += a.value() > 0 ? "int_oo" : "-int_oo"; return;
		case SymOp::symbol: text += a.name(); return;
		case SymOp::boolean: text += a.value() != 0 ? "True" : "False"; return;
		case SymOp::real: text += float_digits(a.real_value(), 15); return;
		case SymOp::sum: print_sum(a); return;
		case SymOp::floor_div:
		text += '(';
		parenthesize(a.args()[0], 999);
		text += "//";
		parenthesize(a.args()[1], 999);
		text += ')';
		return;
		case SymOp::real_sum: join(a.args(), " + ", 40); return;
		case SymOp::real_product: join(a.args(), "*", 50); return;
		case SymOp::lt:
		case SymOp::le:
		case SymOp::gt:
		case SymOp::ge: {
		constexpr std::array<std::string_view, 4> signs{" < ", " <= ", " > ", " >= "};
		join(a.args(), signs[static_cast<std::size_t>(a.op()) - static_cast<std::size_t>(SymOp::lt)], 35);
		return;
		}
		case SymOp::all_of: join(a.args(), " & ", 38); return;
		case SymOp::any_of: join(a.args(), " | ", 36); return;
		case SymOp::negation:
		text += '~';
		parenthesize(a.args()[0], 100);
		return;
		case SymOp::eq: text += "Eq"; break;
		case SymOp::ne: text += "Ne"; break;
		case SymOp::unary: text.append("OpaqueUnaryFn_").append(a.name()); break;
		case SymOp::piecewise: print_cases(a); return;
		default: text += sym_class_name(a); break;
		}
		text += '(';
		join(a.args(), ", ", 0);
		text += ')';
	}
private:
	[[nodiscard]] static int precedence(const SymExpr& a) {
		switch (a.op()) {
		case SymOp::constant: return a.value() < 0 ? 40 : 1000;
		case SymOp::infinity: return a.value() < 0 ? 40 : 1000;
		case SymOp::real: return a.real_value() < 0 ? 40 : 1000;
		case SymOp::sum:
		if (a.terms().size() > 1 || a.value() != 0) return 40;
		return precedence(a.terms()[0]);
		case SymOp::floor_div:
		case SymOp::mod:
		case SymOp::int_true_div:
		case SymOp::float_true_div:
		case SymOp::lt:
		case SymOp::le:
		case SymOp::gt:
		case SymOp::ge: return 35;
		case SymOp::power:
		case SymOp::real_product:
		case SymOp::eq:
		case SymOp::ne: return 50;
		case SymOp::float_pow: return 60;
		case SymOp::real_sum: return 40;
		case SymOp::any_of: return 20;
		case SymOp::all_of: return 30;
		case SymOp::negation: return 100;
		case SymOp::symbol:
		case SymOp::boolean:
		case SymOp::min:
		case SymOp::max: return 1000;
		default: return 70;
		}
	}
	[[nodiscard]] static int precedence(const SymTerm& term) {
		if (term.coefficient == 1 && term.factors.size() == 1)
		return term.factors[0].exponent == 1 ? precedence(term.factors[0].base) : 60;
		for (const auto& factor : term.factors)
		if (factor.exponent == 1 && precedence(factor.base) == 35) return 50;
		return term.coefficient < 0 ? 40 : 50;
	}
	void parenthesize(const SymExpr& a, int level) {
		const bool parens = precedence(a) <= level;
		if (parens) text += '(';
		print(a);
		if (parens) text += ')';
	}
	void join(const std::vector<SymExpr>& args, std::string_view separator, int level) {
		for (std::size_t i = 0; i < args.size(); ++i) {
		if (i != 0) text += separator;
		parenthesize(args[i], level);
		}
	}
	void print_product(const SymTerm& term, bool negative) {
		const int level = precedence(term);
		const std::uint64_t magnitude =
		negative ? ~static_cast<std::uint64_t>(term.coefficient) + 1 : static_cast<std::uint64_t>(term.coefficient);
		bool first = magnitude == 1;
		if (!first) text += std::to_string(magnitude);
		const bool alone = first && term.factors.size() == 1 && !negative;
		for (const auto& factor : term.factors) {
		if (!first) text += '*';
		first = false;
		if (factor.exponent == 1) {
		if (alone)
		print(factor.base);
		else
		parenthesize(factor.base, level);
		} else {
		parenthesize(factor.base, 60);
		text.append("**").append(std::to_string(factor.exponent));
		}
		}
	}
	void print_sum(const SymExpr& a) {
		const auto& terms = a.terms();
		const bool constant_first =
		terms.size() == 1 && a.value() > 0 && terms[0].coefficient < 0 && terms[0].factors.size() == 1;
		if (constant_first) text += std::to_string(a.value());
		bool first = !constant_first;
		const bool lone = terms.size() == 1 && a.value() == 0;
		for (const auto& term : terms) {
		const bool negative = term.coefficient < 0;
		if (first)
		text += negative ? "-" : "";
		else
		text += negative ? " - " : " + ";
		first = false;
		const bool parens = !lone && precedence(term) < 40;
		if (parens) text += '(';
		print_product(term, negative);
		if (parens) text += ')';
		}
		if (a.value() == 0 || constant_first) return;
		const std::string number = std::to_string(a.value());
		if (a.value() < 0)
		text.append(" - ").append(number, 1);
		else
		text.append(" + ").append(number);
	}
	void print_cases(const SymExpr& a) {
		text += "Piecewise(";
		for (std::size_t i = 0; i < a.args().size(); i += 2) {
		text += i == 0 ? "(" : ", (";
		print(a.args()[i]);
		text += ", ";
		print(a.args()[i + 1]);
		text += ')';
		}
		text += ')';
	}
};
class SymReprPrinter {
public:
	std::string text;
	void print(const SymExpr& a) {
		switch (a.op()) {
		case SymOp::constant: print_integer(a.value()); return;
		case SymOp::infinity: text += a.value() > 0 ? "int_oo" : "Mul(Integer(-1), int_oo)"; return;
		case SymOp::boolean: text += a.value() != 0 ? "true" : "false"; return;
		case SymOp::real:
		text.append("Float('").append(float_digits(a.real_value(), 17)).append("', precision=53)");
		return;
		case SymOp::symbol:
		text.append("Symbol('").append(a.name());
		text += is_unbacked_name(a.name()) ? "', integer=True)" : "', positive=True, integer=True)";
		return;
		case SymOp::sum: print_sum(a); return;
		case SymOp::unary: text.append("OpaqueUnaryFn_").append(a.name()).append("("); break;
		case SymOp::piecewise:
		for (std::size_t i = 0; i < a.args().size(); i += 2) {
		text += i == 0 ? "Piecewise(ExprCondPair(" : ", ExprCondPair(";
		print(a.args()[i]);
		text += ", ";
		print(a.args()[i + 1]);
		text += ')';
		}
		text += ')';
		return;
		default: text.append(sym_class_name(a)).append("("); break;
		}
		for (std::size_t i = 0; i < a.args().size(); ++i) {
		if (i != 0) text += ", ";
		print(a.args()[i]);
		}
		text += ')';
	}
private:
	void print_integer(std::int64_t value) { text.append("Integer(").append(std::to_string(value)).append(")"); }
	void print_product(const SymTerm& term) {
		const bool product = term.coefficient != 1 || term.factors.size() > 1;
		if (product) text += "Mul(";
		bool first = term.coefficient == 1;
		if (!first) print_integer(term.coefficient);
		for (const auto& factor : term.factors) {
		if (!first) text += ", ";
		first = false;
		if (factor.exponent != 1) text += "Pow(";
		print(factor.base);
		if (factor.exponent != 1) {
		text += ", ";
		print_integer(factor.exponent);
		text += ')';
		}
		}
		if (product) text += ')';
	}
	void print_sum(const SymExpr& a) {
		const bool sum = a.terms().size() > 1 || a.value() != 0;
		if (sum) text += "Add(";
		bool first = true;
		for (const auto& term : a.terms()) {
		if (!first) text += ", ";
		first = false;
		print_product(term);
		}
		if (a.value() != 0) {
		text += ", ";
		print_integer(a.value());
		}
		if (sum) text += ')';
	}
};
}
[[nodiscard]] inline std::string to_string(const SymExpr& a) {
	detail::SymPrinter printer;
	printer.print(a);
	return std::move(printer.text);
}
[[nodiscard]] inline std::string to_srepr(const SymExpr& a) {
	detail::SymReprPrinter printer;
	printer.print(a);
	return std::move(printer.text);
}
}
namespace ferry {
[[nodiscard]] inline bool is_broken(const Guard& guard, const SymBindings& sizes) {
	if (guard.condition.op() == SymOp::boolean) return guard.condition.value() == 0;
	const auto is_known = [&](const std::string& symbol) { return sizes.find(symbol) != nullptr; };
	return algo::all_of(free_symbols(guard.condition), is_known) && !evaluate_bool(guard.condition, sizes);
}
[[nodiscard]] inline std::string in_words(const Guard& guard) {
	std::string words = guard.text;
	for (std::size_t at = 0; (at = words.find("L['", at)) != std::string::npos;) {
		words.erase(at, 3);
		if (const std::size_t end = words.find("']", at); end != std::string::npos) words.erase(end, 2);
	}
	return words;
}
}
namespace ferry {
void check_inputs(const ExportedProgram& program, const std::vector<Leaf>& leaves);
namespace detail {
[[noreturn]] inline void wrong_input(const InputSpec& input, const std::string& what, std::string hint = {}) {
	throw Error(ErrorKind::invalid_input, what, {.hint = std::move(hint), .where = {.path = input.name}});
}
[[nodiscard]] inline std::string text_of(const Leaf& leaf) {
	if (const auto* integer = leaf.get_if<std::int64_t>()) return std::to_string(*integer);
	if (const auto* real = leaf.get_if<double>()) {
		std::string text;
		append_python(text, *real);
		return text;
	}
	if (const auto* flag = leaf.get_if<bool>()) return *flag ? "true" : "false";
	if (const auto* text = leaf.get_if<std::string>()) return "'" + *text + "'";
	return leaf.is_none() ? "None" : "a tensor";
}
inline void check_constant(const InputSpec& input, const Leaf& leaf) {
	const Leaf fixed = to_leaf(input.argument);
	const bool absent = leaf.is_absent();
	if (fixed.is_none() ? !absent : !(leaf == fixed))
		wrong_input(input, "the export fixed this input to " + text_of(fixed) + ", it is now " + text_of(leaf),
		"what is no tensor is a constant of the program: export again with the other value");
}
inline void check_tensor(const InputSpec& input, const TensorMeta& meta, const Leaf& leaf) {
	if (!leaf.is_tensor() || !leaf.tensor().defined())
		wrong_input(input, "a tensor is expected, not " + (leaf.is_tensor() ? "an undefined one" : text_of(leaf)));
	const at::Tensor& tensor = leaf.tensor();
	if (static_cast<std::size_t>(tensor.dim()) != meta.sizes.size())
		wrong_input(input, "a tensor of " + std::to_string(meta.sizes.size()) +
		" dimensions is expected, this one has " + std::to_string(tensor.dim()));
	if (to_dtype(tensor.scalar_type()) != meta.dtype)
		wrong_input(input, "a tensor of " + std::string(info(meta.dtype).torch_name) + " is expected, this one is " +
		std::string(info(to_dtype(tensor.scalar_type())).torch_name));
}
[[nodiscard]] inline ValueRange checked_range(const ExportedProgram& program, ValueRange range, bool is_symbol) {
	if (program.takes_small_sizes && range.min <= 2)
		range.min = is_symbol ? ValueRange::no_min : std::min<std::int64_t>(range.min, 1);
	return range;
}
}
inline void check_inputs(const ExportedProgram& program, const std::vector<Leaf>& leaves) {
	const auto& inputs = program.signature.inputs;
	const auto expected_count = algo::count(inputs, InputKind::user_input, &InputSpec::kind);
	if (std::cmp_not_equal(leaves.size(), expected_count))
		throw Error(ErrorKind::invalid_input, "the program takes " + std::to_string(expected_count) + " inputs, " +
		std::to_string(leaves.size()) + " were given");
	constexpr std::size_t itself = SIZE_MAX;
	struct Size {
		[[nodiscard]] std::string text() const { return dim == itself ? "it" : "dimension " + std::to_string(dim); }
		const InputSpec* input;
		std::size_t dim;
		const SymExpr* expected;
		std::int64_t given;
	};
	std::vector<Size> sizes;
	std::size_t at = 0;
	for (const InputSpec& input : inputs) {
		if (input.kind != InputKind::user_input) continue;
		const Leaf& leaf = leaves[at++];
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr) {
		detail::check_constant(input, leaf);
		continue;
		}
		const ValueInfo& about = program.graph.info(*value);
		if (about.kind == ValueKind::sym_int) {
		const auto* integer = leaf.get_if<std::int64_t>();
		if (integer == nullptr) detail::wrong_input(input, "an integer is expected, not " + detail::text_of(leaf));
		sizes.push_back({&input, itself, &about.symbol, *integer});
		continue;
		}
		const TensorMeta& meta = about.tensor;
		detail::check_tensor(input, meta, leaf);
		for (std::size_t dim = 0; dim < meta.sizes.size(); ++dim)
		sizes.push_back({&input, dim, &meta.sizes[dim], leaf.tensor().size(static_cast<std::int64_t>(dim))});
	}
	SymBindings bindings;
	for (const Size& size : sizes) {
		const auto& [input, dim, expected, given] = size;
		const auto known = as_affine(*expected);
		if (!known || bindings.find(known->symbol) != nullptr) continue;
		const std::string found = size.text() + " is " + std::to_string(given);
		const auto symbol = known->solve(given);
		if (!symbol)
		detail::wrong_input(*input, found + ", which " + to_string(*expected) + " is for no " + known->symbol);
		const ValueRange* range = program.ranges.find(known->symbol);
		if (range != nullptr && !detail::checked_range(program, *range, expected->is_symbol()).contains(*symbol))
		detail::wrong_input(
		*input,
		found +
		(expected->is_symbol() ? "" : ", so that '" + known->symbol + "' is " + std::to_string(*symbol)) +
		", outside " + to_string(*range) + ", the range of '" + known->symbol + "'",
		"export with a range that has this size in it");
		bindings.set(known->symbol, *symbol);
	}
	for (const Size& size : sizes) {
		const auto& [input, dim, expected, given] = size;
		const std::int64_t wanted = evaluate(*expected, bindings);
		if (wanted != given)
		detail::wrong_input(*input,
		size.text() + " must be " +
		(expected->is_constant() ? std::to_string(wanted)
		: to_string(*expected) + " = " + std::to_string(wanted)) +
		", this one is " + std::to_string(given),
		expected->is_constant() ? "export with this dimension dynamic" : "");
	}
	for (const Guard& guard : program.guards)
		if (is_broken(guard, bindings))
		throw Error(ErrorKind::invalid_input,
		"the export holds only where " + in_words(guard) + ", which these inputs are not",
		{.hint = "export again with inputs of such sizes, or change what depends on them"});
}
}
namespace ferry {
struct Parameter {
	std::string name{};
	TreeSpec spec{};
	bool is_none = false;
};
[[nodiscard]] inline std::vector<Parameter> parameters_of(const ExportedProgram& program) {
	std::vector<Parameter> made;
	const auto& parts = program.in_spec.children();
	if (parts.size() != 2) return made;
	std::vector<const InputSpec*> leaves;
	for (const InputSpec& input : program.signature.inputs)
		if (input.kind == InputKind::user_input) leaves.push_back(&input);
	std::size_t leaf = 0;
	const auto add = [&](std::string name, const TreeSpec& spec) {
		const std::size_t end = std::min(leaf + spec.num_leaves(), leaves.size());
		if (name.empty()) name = spec.is_leaf() && leaf < end ? leaves[leaf]->name : std::to_string(made.size());
		bool is_none = leaf < end;
		for (; leaf < end; ++leaf) is_none = is_none && leaves[leaf]->argument.is_none();
		made.push_back({std::move(name), spec, is_none});
	};
	for (const TreeSpec& each : parts[0].children())
		add(made.size() < program.input_names.size() ? program.input_names[made.size()] : "", each);
	for (std::size_t i = 0; i < parts[1].children().size(); ++i) add(parts[1].child_name(i), parts[1].children()[i]);
	return made;
}
namespace detail {
[[nodiscard]] inline bool append_in_order(const TreeSpec& wanted, const Tree& given, std::vector<Leaf>& leaves) {
	if (wanted == given.spec) {
		leaves.insert(leaves.end(), given.leaves.begin(), given.leaves.end());
		return true;
	}
	const bool by_key = wanted.kind() == TreeSpec::Kind::dict || wanted.kind() == TreeSpec::Kind::ordered_dict;
	if (wanted.kind() != given.spec.kind() || wanted.type() != given.spec.type() || wanted.is_leaf() ||
		wanted.children().size() != given.size() || (!by_key && !(wanted.context() == given.spec.context())))
		return false;
	const std::vector<Tree> children = given.children();
	for (std::size_t i = 0; i < children.size(); ++i) {
		std::size_t from = i;
		if (by_key) {
		const auto found = algo::find(given.spec.keys(), wanted.keys()[i]);
		if (found == given.spec.keys().end()) return false;
		from = static_cast<std::size_t>(found - given.spec.keys().begin());
		}
		if (!append_in_order(wanted.children()[i], children[from], leaves)) return false;
	}
	return true;
}
inline void append_argument(const Parameter& parameter, const Tree& given, std::vector<Leaf>& leaves) {
	if (append_in_order(parameter.spec, given, leaves)) return;
	throw Error(ErrorKind::invalid_input, "an input is not nested like that of the export",
		{.hint = "expected " + parameter.spec.str() + "\n  found " + given.spec.str(),
		.where = {.path = parameter.name}});
}
inline void append_none(const Parameter& parameter, std::vector<Leaf>& leaves) {
	leaves.resize(leaves.size() + parameter.spec.num_leaves());
}
}
[[nodiscard]] inline std::vector<Leaf> leaves_by_name(const std::vector<Parameter>& parameters, const Inputs& given) {
	detail::NameList missing, unknown, known;
	for (const Parameter& each : parameters) {
		known.add(each.name);
		if (!each.is_none && given.find(each.name) == nullptr) missing.add(each.name);
	}
	for (const auto& [name, value] : given)
		if (!algo::contains(parameters, name, &Parameter::name)) unknown.add(name);
	std::string wrong;
	for (const auto& [what, names] : {std::pair{"missing: ", &missing}, {"unknown: ", &unknown}})
		if (!names->empty()) wrong.append(wrong.empty() ? "" : "; ").append(what).append(names->text());
	if (!wrong.empty())
		throw Error(ErrorKind::invalid_input, "the inputs given are not those of the program; " + wrong,
		{.hint = "its inputs are: " + (known.empty() ? "none" : known.text())});
	std::vector<Leaf> leaves;
	for (const Parameter& each : parameters)
		if (const Tree* value = given.find(each.name))
		detail::append_argument(each, *value, leaves);
		else
		detail::append_none(each, leaves);
	return leaves;
}
}
#include <c10/core/Storage.h>
namespace ferry {
FERRY_INLINE ProgramModule::ProgramModule(ExportedProgram program)
	: program_(std::make_shared<const ExportedProgram>(std::move(program))),
	interpreter_(std::make_shared<Interpreter>(program_->graph)) {
	require_devices(*program_);
	for (const auto* named : {&program_->state, &program_->constants})
		for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
	for (const OutputSpec& output : program_->signature.outputs)
		if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation) {
		at::Tensor& tensor = tensors_.at(output.target);
		tensor = tensor.detach().clone();
		}
	own_what_is_written();
}
FERRY_INLINE Tree ProgramModule::operator()(const Inputs& inputs) {
	return {program_->out_spec, run(leaves_by_name(parameters_of(*program_), inputs))};
}
FERRY_INLINE void ProgramModule::own_what_is_written() {
	const std::vector<bool> written = written_inputs(program_->graph);
	std::unordered_map<const void*, c10::Storage> copies;
	std::size_t at = 0;
	for (const InputSpec& input : program_->signature.inputs) {
		if (!input.argument.is<Value>()) continue;
		if (!written.at(at++) || input.kind == InputKind::user_input) continue;
		const c10::Storage storage = tensors_.at(input.target).storage();
		auto& copy = copies[storage.unsafeGetStorageImpl()];
		if (!copy)
		copy =
		at::empty({0}, at::TensorOptions(at::kByte).device(storage.device())).set_(storage).clone().storage();
	}
	if (copies.empty()) return;
	for (auto& [target, tensor] : tensors_) {
		const auto copy = copies.find(tensor.storage().unsafeGetStorageImpl());
		if (copy == copies.end()) continue;
		at::Tensor made = at::empty({0}, tensor.options().requires_grad(false));
		made.set_(copy->second, tensor.storage_offset(), tensor.sizes(), tensor.strides());
		tensor = made.set_requires_grad(tensor.requires_grad());
	}
}
FERRY_INLINE std::vector<Leaf> ProgramModule::leaves_of_values(std::vector<Tree> values, bool flat) const {
	const std::vector<Parameter> wanted = parameters_of(*program_);
	std::vector<Leaf> leaves;
	if (flat &&
		!(wanted.size() == 1 && values[0].spec == wanted[0].spec)) {
		auto next = values[0].leaves.begin();
		for (const InputSpec& input : program_->signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr)
		leaves.push_back(to_leaf(input.argument));
		else if (program_->graph.info(*value).kind != ValueKind::tensor &&
		leaves.size() < program_->example_inputs.size())
		leaves.push_back(program_->example_inputs[leaves.size()]);
		else if (next != values[0].leaves.end())
		leaves.push_back(*next++);
		else
		detail::wrong_input(input, "no tensor is given for it");
		}
		if (next != values[0].leaves.end())
		throw Error(ErrorKind::invalid_input, "the program's inputs have fewer tensors than the " +
		std::to_string(values[0].leaves.size()) + " that are given");
		return leaves;
	}
	if (values.size() > wanted.size())
		throw Error(ErrorKind::invalid_input, "the program takes " + std::to_string(wanted.size()) + " inputs, " +
		std::to_string(values.size()) + " were given");
	for (std::size_t i = 0; i < wanted.size(); ++i)
		if (i < values.size())
		detail::append_argument(wanted[i], values[i], leaves);
		else
		detail::append_none(wanted[i], leaves);
	return leaves;
}
FERRY_INLINE std::vector<c10::IValue> ProgramModule::graph_inputs(const std::vector<Leaf>& leaves) const {
	std::vector<c10::IValue> values;
	std::size_t at = 0;
	for (const InputSpec& input : program_->signature.inputs) {
		if (input.kind == InputKind::user_input) {
		const Leaf& leaf = leaves[at++];
		if (input.argument.is<Value>()) values.push_back(to_ivalue(leaf));
		} else {
		values.emplace_back(tensors_.at(input.target));
		}
	}
	return values;
}
FERRY_INLINE std::vector<c10::IValue> ProgramModule::run_graph(const std::vector<c10::IValue>& inputs) const {
	RunWatch watch;
	const auto run = [&] { return interpreter_->run(inputs, &watch); };
	const auto running = [&] { return watch.node; };
	try {
		return with_our_errors(run, running);
	} catch (const Error& error) {
		if (error.where().op != "aten::_assert_scalar") throw;
		throw Error(ErrorKind::invalid_input, error.message(),
		{.hint = "the model does something else there: export it with such inputs as the sample",
		.where = error.where()});
	}
}
FERRY_INLINE void ProgramModule::write_back(const std::vector<Leaf>& leaves, const std::vector<c10::IValue>& results) {
	const GraphSignature& signature = program_->signature;
	for (std::size_t i = 0; i < results.size(); ++i) {
		const OutputSpec& output = signature.outputs[i];
		if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation) {
		tensors_.at(output.target) = results[i].toTensor().detach();
		} else if (output.kind == OutputKind::user_input_mutation) {
		std::size_t at = 0;
		for (const InputSpec& input : signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		if (input.name == output.target) leaves[at].tensor().copy_(results[i].toTensor());
		++at;
		}
		}
	}
}
FERRY_INLINE std::vector<Leaf> ProgramModule::run(const std::vector<Leaf>& leaves) {
	check_inputs(*program_, leaves);
	const auto results = run_graph(graph_inputs(leaves));
	std::vector<Leaf> outputs;
	outputs.reserve(results.size());
	for (std::size_t i = 0; i < results.size(); ++i) {
		if (program_->signature.outputs[i].kind != OutputKind::user_output) continue;
		outputs.push_back(to_leaf(results[i]));
	}
	with_our_errors([&] { write_back(leaves, results); }, [] { return nullptr; });
	return outputs;
}
FERRY_INLINE ProgramModule ExportedProgram::module() const& { return ProgramModule(*this); }
FERRY_INLINE ProgramModule ExportedProgram::module() && { return ProgramModule(std::move(*this)); }
}
namespace ferry {
FERRY_INLINE std::vector<InputSlot> input_slots(const ExportedProgram& program) {
	std::vector<InputSlot> slots;
	for (const InputSpec& input : program.signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		InputSlot& slot = slots.emplace_back(InputSlot{.alias = input.name});
		if (const auto* value = input.argument.get_if<Value>()) {
		const ValueKind kind = program.graph.info(*value).kind;
		if (kind == ValueKind::tensor) continue;
		slot.kind = InputSlot::Kind::number;
		slot.type = kind == ValueKind::sym_int ? "int" : kind == ValueKind::sym_float ? "float" : "bool";
		} else {
		const Leaf fixed = to_leaf(input.argument);
		const bool is_number = !fixed.is_none() && fixed.kind() != Leaf::Kind::text;
		slot.kind = is_number ? InputSlot::Kind::number : InputSlot::Kind::fixed;
		slot.type = detail::python_type(fixed.kind());
		slot.note = "in the export " + detail::text_of(fixed);
		}
		slot.required = false;
	}
	std::size_t at = 0;
	for (const Parameter& parameter : parameters_of(program))
		for (const std::string& path : parameter.spec.leaf_paths())
		slots.at(at++).path = path.empty() ? parameter.name : parameter.name + "." + path;
	return slots;
}
namespace detail {
[[nodiscard]] inline Leaf exported_number(const ExportedProgram& program, const ValueInfo& about, std::size_t leaf,
		const std::string& path) {
	if (leaf < program.example_inputs.size() && !program.example_inputs[leaf].is_tensor())
		return program.example_inputs[leaf];
	if (about.kind == ValueKind::sym_int && algo::all_of(free_symbols(about.symbol), [&](const auto& symbol) {
		return program.hints.find(symbol) != nullptr;
		}))
		return evaluate(about.symbol, program.hints);
	throw Error(ErrorKind::invalid_input, "this input is a number, and the file does not say what it was in the export",
		{.hint = "give it by name, as a tensor of one element", .where = {.path = path}});
}
}
FERRY_INLINE std::vector<Leaf> leaves_from(const ExportedProgram& program, const NamedTensors& given) {
	const std::vector<InputSlot> slots = input_slots(program);
	const std::vector<at::Tensor> picked = pick_inputs(slots, given);
	std::vector<Leaf> leaves;
	leaves.reserve(slots.size());
	for (const InputSpec& input : program.signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		const std::size_t at = leaves.size();
		const auto* value = input.argument.get_if<Value>();
		if (slots[at].kind == InputSlot::Kind::tensor)
		leaves.emplace_back(picked[at]);
		else if (picked[at].defined())
		leaves.push_back(number_in(picked[at], slots[at].path));
		else if (value == nullptr)
		leaves.push_back(to_leaf(input.argument));
		else
		leaves.push_back(detail::exported_number(program, program.graph.info(*value), at, slots[at].path));
	}
	return leaves;
}
}
namespace ferry {
[[nodiscard]] std::string to_string(const Graph& graph);
namespace detail {
struct MagicMethod {
	std::string_view name;
	std::string_view sign;
	bool unary = false;
};
inline constexpr std::array<MagicMethod, 23> magic_methods{{
	{"add", " + "}, {"sub", " - "},    {"mul", " * "},     {"floordiv", " // "}, {"truediv", " / "},    {"div", " / "},
	{"mod", " % "}, {"pow", " ** "},   {"lshift", " << "}, {"rshift", " >> "},   {"and_", " & "},       {"or_", " | "},
	{"xor", " ^ "}, {"matmul", " @ "}, {"eq", " == "},     {"ne", " != "},       {"lt", " < "},         {"gt", " > "},
	{"le", " <= "}, {"ge", " >= "},    {"pos", "+", true}, {"neg", "-", true},   {"invert", "~", true},
}};
struct PrintedInput {
	std::string_view name;
	Value value{};
};
class GraphPrinter {
public:
	GraphPrinter(std::string& out, std::size_t margin) : out_(out), margin_(margin) {}
	void print(const Graph& graph, std::string_view class_name, std::span<const PrintedInput> inputs,
		std::size_t depth = 0) {
		graph_ = &graph;
		depth_ = depth;
		find_last_uses();
		line(0);
		out_.append("class ").append(class_name).append("(torch.nn.Module):\n");
		line(1);
		out_ += "def forward(self";
		for (const PrintedInput& input : inputs) {
		out_.append(", ").append(input.name);
		if (input.value) annotate(input.value);
		}
		out_ += "):\n";
		std::uint32_t position = 0;
		std::string_view path;
		for (const Node& node : graph.nodes()) {
		if (node.module_path() != path) {
		if (position != 0) blank();
		path = node.module_path();
		if (!path.empty()) {
		line(2);
		out_.append("# ").append(path) += '\n';
		}
		}
		print(node, position++);
		}
		line(2);
		out_ += "return ";
		tuple(graph.outputs());
		out_ += '\n';
		for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) {
		blank();
		const Graph& inner = graph.subgraph({i});
		std::vector<PrintedInput> parameters;
		for (const Value value : inner.inputs()) parameters.push_back({inner.info(value).name, value});
		GraphPrinter(out_, margin_).print(inner, graph.subgraph_name({i}), parameters, depth + 1);
		}
	}
private:
	static constexpr std::uint32_t never = 0;
	static constexpr std::uint32_t at_the_end = UINT32_MAX;
	void line(std::size_t level) { out_.append(margin_ + 4 * (depth_ + level), ' '); }
	void blank() { out_.append(margin_, ' ') += '\n'; }
	void find_last_uses() {
		last_use_.assign(graph_->num_values(), never);
		std::uint32_t position = 0;
		for (const Node& node : graph_->nodes()) {
		++position;
		for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) { last_use_[value.index] = position; });
		if (names_.empty() && is_tuple(node))
		for (std::uint32_t i = 0; i < graph_->num_values(); ++i)
		names_.emplace(graph_->info(Value{i}).name, 1U);
		}
		for (const Argument& output : graph_->outputs())
		for_each_value(output, [&](Value value) { last_use_[value.index] = at_the_end; });
	}
	[[nodiscard]] static bool is_tuple(const Node& node) {
		return node.outputs().size() != 1 || node.outputs()[0].is_list || node.outputs()[0].values.empty();
	}
	[[nodiscard]] std::string tuple_name(const Node& node) {
		std::string base(node.op().substr(node.op().find("::") + 2));
		const std::size_t dot = base.find('.');
		if (!node.outputs().empty())
		base.resize(std::min(dot, base.size()));
		else if (dot == std::string::npos)
		base += "_default";
		else
		base[dot] = '_';
		std::uint32_t& count = names_[base];
		std::string name = base;
		bool free = count == 0 && !is_python_word(base);
		if (free) count = 1;
		while (!free) {
		name = base + '_' + std::to_string(std::max(count, 1U));
		count = std::max(count, 1U) + 1;
		free = names_.try_emplace(name, 1U).second;
		}
		return name;
	}
	void print(const Node& node, std::uint32_t position) {
		for (const NamedArgument& argument : node.arguments()) subgraph_lines(argument.value);
		line(2);
		const bool tuple = is_tuple(node);
		const std::string name = tuple ? tuple_name(node) : std::string();
		if (tuple)
		out_ += name;
		else
		define(node.output());
		out_ += " = ";
		call(node);
		dead_.clear();
		for (const NamedArgument& argument : node.arguments()) find_dead(argument.value, position + 1);
		if (!tuple) {
		if (last_use_[node.output().index] == never) dead_.push_back(graph_->info(node.output()).name);
		return end_line();
		}
		std::size_t left = 0;
		for (const Output& output : node.outputs()) left += output.values.size();
		if (left == 0) dead_.push_back(name);
		end_line();
		for (std::size_t i = 0; i < node.outputs().size(); ++i) {
		const Output& output = node.outputs()[i];
		for (std::size_t k = 0; k < output.values.size(); ++k) {
		const Value value = output.values[k];
		line(2);
		define(value);
		out_.append(" = ").append(name);
		if (node.outputs().size() > 1) out_.append("[").append(std::to_string(i)) += ']';
		if (output.is_list) out_.append("[").append(std::to_string(k)) += ']';
		dead_.clear();
		if (--left == 0) dead_.push_back(name);
		if (last_use_[value.index] == never) dead_.push_back(graph_->info(value).name);
		end_line();
		}
		}
	}
	void subgraph_lines(const Argument& argument) {
		if (const auto* inner = argument.get_if<Subgraph>()) {
		line(2);
		const std::string& name = graph_->subgraph_name(*inner);
		out_.append(name).append(" = self.").append(name) += '\n';
		} else if (const auto* list = argument.get_if<ArgumentList>()) {
		for (const Argument& item : *list) subgraph_lines(item);
		}
	}
	void find_dead(const Argument& argument, std::uint32_t position) {
		std::string_view name;
		if (const auto* value = argument.get_if<Value>()) {
		if (last_use_[value->index] == position) name = graph_->info(*value).name;
		} else if (const auto* inner = argument.get_if<Subgraph>()) {
		name = graph_->subgraph_name(*inner);
		} else if (const auto* list = argument.get_if<ArgumentList>()) {
		for (const Argument& item : *list) find_dead(item, position);
		}
		if (!name.empty() && !algo::contains(dead_, name)) dead_.push_back(name);
	}
	void end_line() {
		if (!dead_.empty()) {
		out_ += ";  ";
		for (const std::string_view name : dead_) out_.append(name).append(" = ");
		out_ += "None";
		}
		out_ += '\n';
	}
	void define(Value value) {
		out_ += graph_->info(value).name;
		annotate(value);
	}
	void annotate(Value value) {
		const ValueInfo& info = graph_->info(value);
		if (info.kind != ValueKind::tensor) {
		out_.append(": \"Sym(").append(to_string(info.symbol)).append(")\"");
		return;
		}
		out_.append(": \"").append(ferry::info(info.tensor.dtype).short_name) += '[';
		std::string_view separator;
		for (const SymExpr& size : info.tensor.sizes) {
		out_.append(separator);
		if (size.is_constant())
		out_ += std::to_string(size.value());
		else
		out_ += to_string(size);
		separator = ", ";
		}
		out_ += "]\"";
	}
	void call(const Node& node) {
		const auto arguments = node.arguments();
		const std::size_t colons = node.op().find("::");
		const std::string_view space = node.op().substr(0, colons);
		const std::string_view name = node.op().substr(std::min(colons + 2, node.op().size()));
		if (space == "_operator") {
		const auto* magic = algo::find(magic_methods, name, &MagicMethod::name);
		if (magic != magic_methods.end() && arguments.size() == (magic->unary ? 1U : 2U)) {
		if (!magic->unary) write(arguments[0].value);
		out_ += magic->sign;
		return write(arguments.back().value);
		}
		}
		const bool python = space == "_operator" || space == "torch" || space == "math";
		const bool higher_order = space == "higher_order";
		if (!python) out_ += "torch.ops.";
		out_.append(space).append(".").append(name);
		if (!python && !higher_order && name.find('.') == std::string_view::npos) out_ += ".default";
		out_ += '(';
		std::string_view separator;
		for (const NamedArgument& argument : arguments) {
		out_ += separator;
		separator = ", ";
		if (argument.keyword) out_.append(argument.name).append(" = ");
		const auto* list = argument.value.get_if<ArgumentList>();
		if (list != nullptr && higher_order)
		tuple(*list);
		else
		write(argument.value);
		}
		out_ += ')';
	}
	void tuple(std::span<const Argument> items) {
		out_ += '(';
		join(items);
		out_ += items.size() == 1 ? ",)" : ")";
	}
	void join(std::span<const Argument> items) {
		std::string_view separator;
		for (const Argument& item : items) {
		out_ += separator;
		write(item);
		separator = ", ";
		}
	}
	void write(const Argument& argument) {
		std::visit([this](const auto& value) { write_as(value); }, argument.variant());
	}
	void write_as(std::monostate) { out_ += "None"; }
	void write_as(Value value) { out_ += graph_->info(value).name; }
	void write_as(bool flag) { out_ += flag ? "True" : "False"; }
	void write_as(std::int64_t number) { out_ += std::to_string(number); }
	void write_as(double number) { append_python(out_, number); }
	void write_as(const std::complex<double>& number) { append_python(out_, number); }
	void write_as(const std::string& text) { append_python(out_, std::string_view(text)); }
	void write_as(DType dtype) { out_.append("torch.").append(ferry::info(dtype).torch_name); }
	void write_as(Layout layout) { out_.append("torch.").append(to_string(layout)); }
	void write_as(MemoryFormat format) { out_.append("torch.").append(to_string(format)); }
	void write_as(const Device& device) {
		out_.append("device(type='").append(device.type) += '\'';
		if (device.index) out_.append(", index=").append(std::to_string(*device.index));
		out_ += ')';
	}
	void write_as(Subgraph inner) { out_ += graph_->subgraph_name(inner); }
	void write_as(const ArgumentList& list) {
		out_ += '[';
		join(list);
		out_ += ']';
	}
	std::string& out_;
	std::size_t margin_;
	const Graph* graph_ = nullptr;
	std::size_t depth_ = 0;
	std::vector<std::uint32_t> last_use_;
	std::unordered_map<std::string, std::uint32_t> names_;
	std::vector<std::string_view> dead_;
};
}
inline std::string to_string(const Graph& graph) {
	std::string out;
	std::vector<detail::PrintedInput> inputs;
	for (const Value value : graph.inputs()) inputs.push_back({graph.info(value).name, value});
	detail::GraphPrinter(out, 0).print(graph, "GraphModule", inputs);
	return out;
}
}
namespace ferry {
FERRY_INLINE std::string to_string(const GraphSignature& signature, const Graph& graph, std::string_view margin) {
	std::string out;
	const auto start = [&] { out.append("\n").append(margin); };
	const auto target_of = [&](const std::string& target) {
		if (!target.empty()) out.append(" target='").append(target) += '\'';
	};
	start();
	out += "# inputs";
	for (const InputSpec& input : signature.inputs) {
		start();
		out.append(input.name).append(": ").append(to_string(input.kind));
		target_of(input.target);
		if (input.kind == InputKind::buffer) out.append(" persistent=").append(input.persistent ? "True" : "False");
	}
	start();
	start();
	out += "# outputs";
	for (const OutputSpec& output : signature.outputs) {
		start();
		if (const auto* value = output.argument.get_if<Value>()) out += graph.info(*value).name;
		out.append(": ").append(to_string(output.kind));
		target_of(output.target);
	}
	start();
	return out;
}
FERRY_INLINE std::string ExportedProgram::print() const {
	std::vector<detail::PrintedInput> inputs;
	for (const InputSpec& input : signature.inputs) {
		const auto* value = input.argument.get_if<Value>();
		inputs.push_back({input.name, value != nullptr ? *value : Value()});
	}
	std::string out = "ExportedProgram:\n";
	detail::GraphPrinter(out, 4).print(graph, "GraphModule", inputs);
	out.append("    \nGraph signature: ").append(to_string(signature, graph, "    "));
	out += "\nRange constraints: {";
	std::string_view separator;
	for (const auto& [name, range] : ranges) {
		out.append(separator).append(name).append(": ").append(to_string(range));
		separator = ", ";
	}
	return out += "}\n";
}
}
namespace ferry {
namespace detail {
inline void count_ops(const Graph& graph, std::map<std::string, std::size_t>& ops) {
	for (const Node& node : graph.nodes()) ++ops[std::string(node.op())];
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) count_ops(graph.subgraph({i}), ops);
}
FERRY_INLINE ValueSummary summarize(const Graph& graph, const Argument& argument, std::size_t& tensors) {
	ValueSummary made;
	const auto* value = argument.get_if<Value>();
	if (value == nullptr) {
		made.value = to_leaf(argument);
		made.type = python_type(made.value->kind());
		return made;
	}
	const ValueInfo& about = graph.info(*value);
	made.name = about.name;
	switch (about.kind) {
		case ValueKind::tensor:
		made.type = "Tensor";
		made.position = tensors++;
		made.dtype = about.tensor.dtype;
		made.shape = about.tensor.sizes;
		break;
		case ValueKind::sym_int:
		made.type = "int";
		made.symbol = about.symbol;
		break;
		case ValueKind::sym_float: made.type = "float"; break;
		case ValueKind::sym_bool: made.type = "bool"; break;
	}
	return made;
}
}
FERRY_INLINE ProgramSummary summarize(const ExportedProgram& program) {
	ProgramSummary made;
	const auto slots = input_slots(program);
	std::size_t tensors = 0;
	std::map<std::string_view, const at::Tensor*> named;
	for (const auto* each : {&program.state, &program.constants})
		for (const auto& [name, tensor] : *each) named.emplace(name, &tensor);
	std::set<std::string_view> counted;
	for (const InputSpec& input : program.signature.inputs) {
		if (input.kind == InputKind::user_input) {
		ValueSummary about = detail::summarize(program.graph, input.argument, tensors);
		about.path = slots.at(made.inputs.size()).path;
		about.name = input.name;
		made.inputs.push_back(std::move(about));
		continue;
		}
		const auto found = named.find(input.target);
		if (found == named.end() || !counted.insert(input.target).second) continue;
		made.weights.add(input.kind == InputKind::parameter ? made.weights.parameters
		: input.kind == InputKind::buffer  ? made.weights.buffers
		: made.weights.constants,
		*found->second);
	}
	const auto paths = program.out_spec.leaf_paths();
	tensors = 0;
	for (const OutputSpec& output : program.signature.outputs) {
		if (output.kind != OutputKind::user_output) {
		made.mutations.emplace_back(to_string(output.kind), output.target);
		continue;
		}
		ValueSummary about = detail::summarize(program.graph, output.argument, tensors);
		about.path = paths.at(made.outputs.size());
		made.outputs.push_back(std::move(about));
	}
	made.ranges.assign(program.ranges.begin(), program.ranges.end());
	for (const Guard& guard : program.guards)
		if (decide(guard.condition, program.ranges) != true) made.guards.push_back(in_words(guard));
	detail::count_ops(program.graph, made.ops);
	return made;
}
}
namespace ferry::detail {
class SymScanner {
public:
	static constexpr std::size_t max_length = 1U << 16;
	static constexpr int max_nesting = 100;
	explicit SymScanner(std::string_view text) : text_(text) {
		if (text_.size() > max_length) fail("is too long");
	}
	[[noreturn]] void fail(std::string_view why) const {
		std::string message = "the symbolic expression '";
		message.append(text_.substr(0, 80)).append(text_.size() > 80 ? "...' " : "' ").append(why);
		message.append(" (at character ").append(std::to_string(at_)).append(")");
		throw Error(ErrorKind::bad_file, message);
	}
	struct Nesting {
		explicit Nesting(SymScanner& scanner) : depth(scanner.depth_) {
		if (++depth > max_nesting) scanner.fail("is nested too deeply");
		}
		~Nesting() { --depth; }
		Nesting(const Nesting&) = delete;
		Nesting& operator=(const Nesting&) = delete;
		int& depth;
	};
	void skip_blanks() {
		while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
	}
	[[nodiscard]] bool next_is(std::string_view token) {
		skip_blanks();
		return text_.substr(at_, token.size()) == token;
	}
	bool take(std::string_view token) {
		if (!next_is(token)) return false;
		at_ += token.size();
		return true;
	}
	bool take_word(std::string_view word) {
		skip_blanks();
		const std::size_t end = at_ + word.size();
		if (text_.substr(at_, word.size()) != word || (end < text_.size() && is_name(text_[end]))) return false;
		at_ = end;
		return true;
	}
	void expect(std::string_view token) {
		if (!take(token)) fail("lacks '" + std::string(token) + "'");
	}
	[[nodiscard]] char peek() {
		skip_blanks();
		return at_ < text_.size() ? text_[at_] : '\0';
	}
	static bool is_digit(char c) { return c >= '0' && c <= '9'; }
	static bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }
	SymExpr number() {
		const std::size_t start = at_;
		while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
		const bool real = at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E');
		if (real) return SymExpr::real(real_number(start));
		std::int64_t value = 0;
		const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + at_, value);
		if (end != text_.data() + at_) fail("has a number that cannot be read");
		if (error == std::errc()) return value;
		beyond_64_bits_ = true;
		return SymExpr::infinity();
	}
	[[nodiscard]] bool beyond_64_bits() const noexcept { return beyond_64_bits_; }
	double real_number(std::size_t start) {
		double value = 0;
		const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
		if (error != std::errc()) fail("has a number that cannot be read");
		at_ = static_cast<std::size_t>(end - text_.data());
		return value;
	}
	std::string_view name() {
		skip_blanks();
		const std::size_t start = at_;
		while (at_ < text_.size() && is_name(text_[at_])) ++at_;
		if (start == at_ || is_digit(text_[start])) fail("lacks a name or a number");
		return text_.substr(start, at_ - start);
	}
	std::string_view quoted() {
		const char quote = peek();
		if (quote != '\'' && quote != '"') fail("lacks a string");
		const std::size_t start = ++at_;
		const std::size_t end = text_.find(quote, start);
		if (end == std::string_view::npos) fail("has a string without end");
		at_ = end + 1;
		return text_.substr(start, end - start);
	}
	void skip_keywords() {
		while (take(",")) {
		name();
		expect("=");
		if (is_digit(peek()))
		static_cast<void>(number());
		else
		name();
		}
		expect(")");
	}
	[[nodiscard]] std::string_view text() const noexcept { return text_; }
	[[nodiscard]] bool at_end() {
		skip_blanks();
		return at_ == text_.size();
	}
private:
	std::string_view text_;
	std::size_t at_ = 0;
	int depth_ = 0;
	bool beyond_64_bits_ = false;
};
}
namespace ferry::detail {
struct SymQuotient {
	SymExpr over;
	std::int64_t under = 1;
};
class SymQuotients {
public:
	static constexpr std::size_t max_work = 1U << 20;
	explicit SymQuotients(const SymScanner& scanner) : scanner_(scanner) {}
	SymExpr whole(const SymQuotient& a) {
		if (a.under == 1) return a.over;
		if (a.over.type() != SymType::integer) scanner_.fail("divides something that is no integer");
		if (!always_divides(a.over, a.under))
		throw Error(ErrorKind::unsupported, "the symbolic expression '" +
		std::string(scanner_.text().substr(0, 80)) + "' is not an integer");
		return floor_div(a.over, a.under);
	}
	static SymExpr as_real(const SymQuotient& a) {
		if (a.under == 1) return a.over;
		if (a.over.is_constant()) return SymExpr::real(true_quotient(a.over.value(), a.under));
		return real_call(SymOp::int_true_div, {a.over, a.under});
	}
	static SymQuotient reduced(SymExpr over, std::int64_t under) {
		if (under == 1) return {std::move(over), 1};
		if (under < 0) return reduced(-over, checked_neg(under));
		const SymPoly poly(over);
		std::int64_t common = content(poly, under);
		if (poly.constant == std::numeric_limits<std::int64_t>::min()) common = 1;
		common = std::gcd(common, poly.constant);
		if (common > 1) over = floor_div(over, common);
		return {std::move(over), under / common};
	}
	static SymExpr relation(SymOp op, const SymQuotient& a, const SymQuotient& b) {
		if (a.under != 1 || b.under != 1) return compare(op, a.over * SymExpr(b.under), b.over * SymExpr(a.under));
		return compare(op, a.over, b.over);
	}
	SymQuotient total(const std::vector<SymQuotient>& parts) {
		if (parts.size() == 1) return parts[0];
		std::int64_t under = 1;
		bool real = false;
		for (const auto& part : parts) {
		real = is_real(part.over) || real;
		under = checked_mul(under / std::gcd(under, part.under), part.under);
		}
		std::vector<SymExpr> args;
		args.reserve(parts.size());
		for (const auto& part : parts) {
		if (real)
		args.push_back(as_real(part));
		else
		args.push_back(under == part.under ? part.over : part.over * SymExpr(under / part.under));
		}
		return reduced(sym_sum(args), real ? 1 : under);
	}
	static SymQuotient times(const SymQuotient& a, const SymQuotient& b) {
		if (is_real(a.over) || is_real(b.over)) return {as_real(a) * as_real(b)};
		return reduced(a.over * b.over, checked_mul(a.under, b.under));
	}
	SymQuotient divided(const SymQuotient& a, const SymQuotient& b) {
		if (is_real(a.over) || is_real(b.over)) return {real_call(SymOp::float_true_div, {as_real(a), as_real(b)})};
		if (b.over.is_constant(0)) scanner_.fail("divides by zero");
		if (b.over.is_constant()) return reduced(a.over * SymExpr(b.under), checked_mul(a.under, b.over.value()));
		const SymExpr dividend = a.over * SymExpr(b.under);
		const SymExpr divisor = b.over * SymExpr(a.under);
		if (!mod(dividend, divisor).is_constant(0))
		throw Error(ErrorKind::unsupported, "the symbolic expression '" +
		std::string(scanner_.text().substr(0, 80)) + "' is not an integer");
		return {floor_div(dividend, divisor)};
	}
	void spend(const SymQuotient& a) {
		work_ += a.over.weight();
		if (work_ > max_work) scanner_.fail("takes too much work");
	}
	SymQuotient raised(const SymQuotient& base, const SymQuotient& exponent) {
		if (is_real(base.over) || is_real(exponent.over) || exponent.under != 1)
		return {real_call(SymOp::float_pow, {as_real(base), as_real(exponent)})};
		if (exponent.over.is_constant(-1)) return divided({1}, base);
		if (exponent.over.is_constant() && base.under != 1)
		return reduced(pow(base.over, exponent.over), checked_pow(base.under, exponent.over.value()));
		return {pow(whole(base), exponent.over)};
	}
private:
	const SymScanner& scanner_;
	std::size_t work_ = 0;
};
}
namespace ferry::detail {
[[nodiscard]] inline SymQuotient apply_sym_function(SymQuotients& in, const SymScanner& scanner,
		std::string_view function, const std::vector<SymQuotient>& args) {
	const auto is = [&](std::string_view wanted, std::size_t count) {
		if (function != wanted) return false;
		if (args.size() != count) scanner.fail("gives '" + std::string(function) + "' a wrong number of arguments");
		return true;
	};
	const auto all = [&] {
		std::vector<SymExpr> result;
		result.reserve(args.size());
		for (const auto& arg : args) result.push_back(in.whole(arg));
		if (result.empty()) scanner.fail("has a function without arguments");
		return result;
	};
	const auto arg = [&](std::size_t i) { return in.whole(args[i]); };
	if (is("Integer", 1)) return args[0];
	if (is("Rational", 2)) return in.divided(args[0], args[1]);
	if (function == "Add" && !args.empty()) return in.total(args);
	if (function == "Mul" && !args.empty()) {
		SymQuotient result = args[0];
		for (std::size_t i = 1; i < args.size(); ++i) {
		in.spend(result);
		result = in.times(result, args[i]);
		}
		return result;
	}
	if (is("Pow", 2) || is("PowByNatural", 2)) return in.raised(args[0], args[1]);
	if (is("FloorDiv", 2) || is("CleanDiv", 2))
		return {floor_div(args[0].over * SymExpr(args[1].under), args[1].over * SymExpr(args[0].under))};
	if (is("CeilDiv", 2)) return {ceil_div(arg(0), arg(1))};
	if (is("Mod", 2) || is("PythonMod", 2)) return {mod(arg(0), arg(1))};
	if (is("ModularIndexing", 3)) return {mod(floor_div(arg(0), arg(1)), arg(2))};
	if (function == "Min" || function == "min") return {sym_min(all())};
	if (function == "Max" || function == "max") return {sym_max(all())};
	if (is("Abs", 1)) return {sym_max({arg(0), -arg(0)})};
	if (is("Identity", 1)) return args[0];
	if (is("LShift", 2)) return {arg(0) * pow(2, arg(1))};
	if (is("RShift", 2)) return {floor_div(arg(0), pow(2, arg(1)))};
	if (is("Where", 3)) return {piecewise({arg(1), arg(0), arg(2), SymExpr::boolean(true)})};
	if (is("floor", 1) && args[0].over.type() == SymType::integer) return {floor_div(args[0].over, args[0].under)};
	if (is("ceiling", 1) && args[0].over.type() == SymType::integer) return {ceil_div(args[0].over, args[0].under)};
	if (is("CeilToInt", 1) || is("ceiling", 1)) return {real_call(SymOp::ceil_to_int, {in.as_real(args[0])})};
	if (is("FloorToInt", 1) || is("floor", 1)) return {real_call(SymOp::floor_to_int, {in.as_real(args[0])})};
	if (is("TruncToInt", 1)) return {real_call(SymOp::trunc_to_int, {in.as_real(args[0])})};
	if (is("RoundToInt", 1)) return {real_call(SymOp::round_to_int, {in.as_real(args[0])})};
	if (is("ToFloat", 1)) return {real_call(SymOp::to_float, {in.as_real(args[0])})};
	if (is("IntTrueDiv", 2)) return {real_call(SymOp::int_true_div, {arg(0), arg(1)})};
	if (is("FloatTrueDiv", 2)) return {real_call(SymOp::float_true_div, {in.as_real(args[0]), in.as_real(args[1])})};
	if (is("FloatPow", 2)) return {real_call(SymOp::float_pow, {in.as_real(args[0]), in.as_real(args[1])})};
	if (is("TruncToFloat", 1)) return {real_call(SymOp::trunc_to_float, {in.as_real(args[0])})};
	if (is("RoundDecimal", 2)) return {real_call(SymOp::round_decimal, {in.as_real(args[0]), arg(1)})};
	if (is("sqrt", 1)) return {unary_call("sqrt", in.as_real(args[0]))};
	if (constexpr std::string_view prefix = "OpaqueUnaryFn_"; function.starts_with(prefix) && args.size() == 1) {
		unary_value(function.substr(prefix.size()), 1.0);
		return {unary_call(function.substr(prefix.size()), in.as_real(args[0]))};
	}
	if (is("Eq", 2) || is("Equality", 2)) return {in.relation(SymOp::eq, args[0], args[1])};
	if (is("Ne", 2) || is("Unequality", 2)) return {in.relation(SymOp::ne, args[0], args[1])};
	if (is("Lt", 2) || is("StrictLessThan", 2)) return {in.relation(SymOp::lt, args[0], args[1])};
	if (is("Le", 2) || is("LessThan", 2)) return {in.relation(SymOp::le, args[0], args[1])};
	if (is("Gt", 2) || is("StrictGreaterThan", 2)) return {in.relation(SymOp::gt, args[0], args[1])};
	if (is("Ge", 2) || is("GreaterThan", 2)) return {in.relation(SymOp::ge, args[0], args[1])};
	if (function == "And") return {all_of(all())};
	if (function == "Or") return {any_of(all())};
	if (is("Not", 1)) return {negation(arg(0))};
	throw Error(ErrorKind::unsupported,
		"unknown function in a symbolic expression: " + std::string(function.substr(0, 80)));
}
}
namespace ferry {
namespace detail {
class SymParser {
public:
	explicit SymParser(std::string_view text) : scanner_(text), in_(scanner_) {}
	SymExpr parse() {
		try {
		const SymExpr result = in_.whole(disjunction());
		if (!scanner_.at_end()) scanner_.fail("has something left over");
		if (scanner_.beyond_64_bits() && result.type() != SymType::boolean)
		scanner_.fail("has a number that does not fit into 64 bits");
		return result;
		} catch (const Error& error) {
		if (error.kind() == ErrorKind::bad_file || error.kind() == ErrorKind::unsupported) throw;
		scanner_.fail(error.message());
		}
	}
private:
	SymQuotient disjunction() {
		const SymScanner::Nesting nesting(scanner_);
		std::vector<SymExpr> args{};
		SymQuotient first = conjunction();
		while (scanner_.take_word("or")) args.push_back(in_.whole(conjunction()));
		if (args.empty()) return first;
		args.push_back(in_.whole(first));
		return {any_of(args)};
	}
	SymQuotient conjunction() {
		std::vector<SymExpr> args;
		SymQuotient first = inversion();
		while (scanner_.take_word("and")) args.push_back(in_.whole(inversion()));
		if (args.empty()) return first;
		args.push_back(in_.whole(first));
		return {all_of(args)};
	}
	SymQuotient inversion() {
		bool negated = false;
		while (scanner_.take_word("not")) negated = !negated;
		SymQuotient a = comparison();
		return negated ? SymQuotient{negation(in_.whole(a))} : a;
	}
	SymQuotient comparison() {
		SymQuotient left = bit_or();
		constexpr std::pair<std::string_view, SymOp> signs[] = {{"<=", SymOp::le}, {">=", SymOp::ge}, {"==", SymOp::eq},
		{"!=", SymOp::ne}, {"<", SymOp::lt},  {">", SymOp::gt}};
		for (const auto& [sign, op] : signs)
		if (scanner_.take(sign)) return {in_.relation(op, left, bit_or())};
		return left;
	}
	SymQuotient bit_or() {
		SymQuotient first = bit_and();
		std::vector<SymExpr> args;
		while (scanner_.take("|")) args.push_back(in_.whole(bit_and()));
		if (args.empty()) return first;
		args.push_back(in_.whole(first));
		return {any_of(args)};
	}
	SymQuotient bit_and() {
		SymQuotient first = sum();
		std::vector<SymExpr> args;
		while (scanner_.take("&")) args.push_back(in_.whole(sum()));
		if (args.empty()) return first;
		args.push_back(in_.whole(first));
		return {all_of(args)};
	}
	SymQuotient sum() {
		std::vector<SymQuotient> parts;
		parts.push_back(product());
		for (;;) {
		if (scanner_.take("+")) {
		parts.push_back(product());
		} else if (scanner_.take("-")) {
		SymQuotient part = product();
		part.over = -part.over;
		parts.push_back(std::move(part));
		} else {
		return in_.total(parts);
		}
		}
	}
	SymQuotient product() {
		SymQuotient result = unary();
		for (;;) {
		in_.spend(result);
		if (scanner_.next_is("**")) return result;
		if (scanner_.take("*")) {
		result = in_.times(result, unary());
		} else if (scanner_.take("//")) {
		const SymQuotient divisor = unary();
		result = {floor_div(result.over * SymExpr(divisor.under), divisor.over * SymExpr(result.under))};
		} else if (scanner_.take("/")) {
		result = in_.divided(result, unary());
		} else if (scanner_.take("%")) {
		result = {mod(in_.whole(result), in_.whole(unary()))};
		} else {
		return result;
		}
		}
	}
	SymQuotient unary() {
		const SymScanner::Nesting nesting(scanner_);
		if (scanner_.take("-")) {
		SymQuotient a = unary();
		a.over = -a.over;
		return a;
		}
		if (scanner_.take("+")) return unary();
		if (scanner_.take("~")) return {negation(in_.whole(unary()))};
		return power();
	}
	SymQuotient power() {
		SymQuotient base = atom();
		if (!scanner_.take("**")) return base;
		return in_.raised(base, unary());
	}
	SymQuotient atom() {
		const char c = scanner_.peek();
		if (SymScanner::is_digit(c) || c == '.') return {scanner_.number()};
		if (scanner_.take("(")) {
		SymQuotient inside = disjunction();
		scanner_.expect(")");
		return inside;
		}
		const std::string_view word = scanner_.name();
		if (scanner_.take("(")) return call(word);
		if (word == "True" || word == "true") return {SymExpr::boolean(true)};
		if (word == "False" || word == "false") return {SymExpr::boolean(false)};
		if (word == "int_oo" || word == "oo") return {SymExpr::infinity()};
		if (word == "zoo" || word == "nan" || word == "I" || word == "E") scanner_.fail("has a value that no size has");
		return {SymExpr::symbol(word)};
	}
	SymQuotient call(std::string_view function) {
		if (function == "Symbol") {
		const std::string_view symbol = scanner_.quoted();
		if (symbol.empty() || SymScanner::is_digit(symbol[0]) || !algo::all_of(symbol, SymScanner::is_name))
		scanner_.fail("has a symbol without a proper name");
		scanner_.skip_keywords();
		return {SymExpr::symbol(symbol)};
		}
		if (function == "Float") {
		const std::string_view digits = scanner_.quoted();
		double value = 0;
		const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
		if (error != std::errc() || end != digits.data() + digits.size())
		scanner_.fail("has a number that cannot be read");
		scanner_.skip_keywords();
		return {SymExpr::real(value)};
		}
		if (function == "Piecewise") return {cases()};
		const SymScanner::Nesting nesting(scanner_);
		std::vector<SymQuotient> args;
		if (!scanner_.take(")")) {
		do args.push_back(disjunction());
		while (scanner_.take(","));
		scanner_.expect(")");
		}
		return apply_sym_function(in_, scanner_, function, args);
	}
	SymExpr cases() {
		std::vector<SymExpr> parts;
		do {
		if (!scanner_.take("ExprCondPair")) scanner_.skip_blanks();
		scanner_.expect("(");
		parts.push_back(in_.whole(disjunction()));
		scanner_.expect(",");
		parts.push_back(in_.whole(disjunction()));
		scanner_.expect(")");
		} while (scanner_.take(","));
		scanner_.expect(")");
		return piecewise(parts);
	}
	SymScanner scanner_;
	SymQuotients in_;
};
}
[[nodiscard]] inline SymExpr parse_sym_expr(std::string_view text) { return detail::SymParser(text).parse(); }
}
namespace ferry::tree {
class DictBuilder {
public:
	DictBuilder() = default;
	explicit DictBuilder(const Context& dict) : keys_(dict.keys()), values_(dict.items()) {}
	void put(std::string_view key, Context value) {
		if (const std::size_t at = place_of(key); at < keys_.size()) {
		values_[at] = std::move(value);
		return;
		}
		keys_.emplace_back(key);
		values_.push_back(std::move(value));
	}
	void put_all(const Context& dict) {
		for (std::size_t i = 0; i < dict.keys().size(); ++i) put(dict.keys()[i], dict.items()[i]);
	}
	void erase(std::string_view key) {
		const std::size_t at = place_of(key);
		if (at == keys_.size()) return;
		keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(at));
		values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(at));
	}
	[[nodiscard]] Context take() { return Context::dict(std::move(keys_), std::move(values_)); }
private:
	[[nodiscard]] std::size_t place_of(std::string_view key) const {
		return static_cast<std::size_t>(std::find(keys_.begin(), keys_.end(), key) - keys_.begin());
	}
	std::vector<std::string> keys_{};
	std::vector<Context> values_{};
};
}
namespace ferry {
[[noreturn]] inline void refuse_setting(const std::string& key, const std::string& wanted) {
	throw Error(ErrorKind::invalid_input, "the setting is not " + wanted, {.where = {.path = key}});
}
namespace detail {
[[nodiscard]] inline std::optional<std::int64_t> as_number(const std::string& text) {
	std::int64_t number = 0;
	const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
	return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}
[[nodiscard]] inline tree::Context named_range(const std::string& name, const ValueRange& range) {
	tree::DictBuilder made;
	made.put("name", name);
	if (range.min != ValueRange::no_min) made.put("min", range.min);
	if (range.max != ValueRange::no_max) made.put("max", range.max);
	return made.take();
}
[[nodiscard]] inline tree::Context to_setting(const Dim& dim) {
	if (dim.kind() == Dim::AUTO) return "auto";
	if (const auto least = dim.tried_from()) return "dynamic:" + std::to_string(*least);
	if (dim.kind() == Dim::DYNAMIC) return "dynamic";
	if (dim.fixed_size()) return *dim.fixed_size();
	if (dim.kind() == Dim::STATIC) return "static";
	if (dim.size().is_symbol()) return named_range(dim.ranges().begin()->first, dim.ranges().begin()->second);
	std::vector<tree::Context> ranges;
	for (const auto& [name, range] : dim.ranges()) ranges.push_back(named_range(name, range));
	tree::DictBuilder made;
	made.put("size", to_string(dim.size()));
	made.put("of", tree::Context::list(std::move(ranges)));
	return made.take();
}
[[nodiscard]] inline std::pair<std::string, ValueRange> read_range(const std::string& key, const tree::Context& given) {
	const auto* name = given.find("name");
	if (name == nullptr || !name->is_text()) refuse_setting(key, "a dimension with a name");
	ValueRange range;
	const auto read = [&](const char* which, std::int64_t& bound) {
		const auto* found = given.find(which);
		if (found == nullptr || found->is_none()) return;
		const auto number = found->as_integer();
		if (!number) refuse_setting(key + "." + which, "a whole number");
		bound = *number;
	};
	read("min", range.min);
	read("max", range.max);
	return {name->text(), range};
}
[[nodiscard]] inline bool is_dim(const tree::Context& given) {
	const auto has_text = [&](const char* key) {
		const auto* found = given.find(key);
		return found != nullptr && found->is_text();
	};
	return given.is_text() || given.kind() == tree::Context::Kind::integer || has_text("name") || has_text("size");
}
[[nodiscard]] inline Dim read_dim(const std::string& key, const tree::Context& given) {
	if (given.is_none()) return Dim::STATIC;
	if (const auto size = given.as_integer()) return *size;
	constexpr std::tuple<std::string_view, std::string_view, Dim::Kind> words[] = {
		{"auto", "AUTO", Dim::AUTO}, {"dynamic", "DYNAMIC", Dim::DYNAMIC}, {"static", "STATIC", Dim::STATIC}};
	for (const auto& [small, large, kind] : words)
		if (given.is_text() && (given.text() == small || given.text() == large)) return kind;
	constexpr std::string_view from = "dynamic:";
	if (given.is_text() && given.text().starts_with(from))
		if (const auto least = as_number(given.text().substr(from.size())); least && *least >= 0)
		return Dim::dynamic_from(*least);
	if (!given.is_dict()) refuse_setting(key, "auto, dynamic, static, a size or a dimension with a name");
	std::map<std::string, ValueRange> ranges;
	const auto* size = given.find("size");
	if (size == nullptr) {
		ranges.insert(read_range(key, given));
		SymExpr symbol = SymExpr::symbol(ranges.begin()->first);
		return Dim::of(std::move(symbol), std::move(ranges));
	}
	const auto* of = given.find("of");
	if (!size->is_text() || of == nullptr || !of->is_list()) refuse_setting(key, "a size in terms of named dimensions");
	for (const tree::Context& each : of->items()) ranges.insert(read_range(key, each));
	return Dim::of(parse_sym_expr(size->text()), std::move(ranges));
}
}
[[nodiscard]] inline tree::Context to_setting(const DynamicShapes& shapes) {
	if (shapes.empty()) return {};
	tree::DictBuilder made;
	for (const auto& [input, dims] : shapes) {
		tree::DictBuilder of_input;
		for (const auto& [place, dim] : dims) of_input.put(std::to_string(place), detail::to_setting(dim));
		made.put(input, of_input.take());
	}
	return made.take();
}
namespace detail {
inline void read_input(const std::string& key, const std::string& path, const tree::Context& given,
		DynamicShapes& made) {
	if (!given.is_none() && !given.is_list() && !given.is_dict()) refuse_setting(key, "a dict or list of dimensions");
	const auto& items = given.items();
	const bool has_dims = algo::any_of(items, is_dim);
	if (algo::all_of(items, &tree::Context::is_none)) return void(made[path]);
	for (std::size_t i = 0; i < items.size(); ++i) {
		const std::string name = given.is_list() ? std::to_string(i) : given.keys()[i];
		const std::string of_item = std::string(key).append(".").append(name);
		if (!has_dims) {
		read_input(of_item, std::string(path).append(".").append(name), items[i], made);
		continue;
		}
		const auto place = as_number(name);
		if (!place) refuse_setting(of_item, "the number of a dimension");
		made[path].insert_or_assign(*place, read_dim(of_item, items[i]));
	}
}
}
[[nodiscard]] inline DynamicShapes read_dynamic_shapes(const std::string& key, const tree::Context& given) {
	DynamicShapes made;
	if (given.is_none()) return made;
	if (!given.is_dict()) refuse_setting(key, "a dict of inputs");
	for (std::size_t i = 0; i < given.keys().size(); ++i)
		detail::read_input(std::string(key).append(".").append(given.keys()[i]), given.keys()[i], given.items()[i],
		made);
	return made;
}
}
namespace ferry {
class Settings {
public:
	using Place = std::variant<bool*, DynamicShapes*, std::string*, std::optional<std::filesystem::path>*,
		std::optional<std::int64_t>*>;
	Settings(std::string_view format, std::vector<std::pair<std::string_view, Place>> places)
		: format_(format), places_(std::move(places)) {}
	Settings(ExportFormat format, std::vector<std::pair<std::string_view, Place>> places)
		: Settings(name_of(format), std::move(places)) {}
	[[nodiscard]] tree::Context to_dict() const;
	void read(const tree::Context& dict) const;
private:
	[[nodiscard]] static tree::Context written(const Place& place);
	static void read_one(const std::string& key, const Place& place, const tree::Context& value);
	std::string_view format_;
	std::vector<std::pair<std::string_view, Place>> places_;
};
inline tree::Context Settings::written(const Place& place) {
	if (const auto* flag = std::get_if<bool*>(&place)) return **flag;
	if (const auto* shapes = std::get_if<DynamicShapes*>(&place)) return to_setting(**shapes);
	if (const auto* text = std::get_if<std::string*>(&place)) return **text;
	if (const auto* path = std::get_if<std::optional<std::filesystem::path>*>(&place))
		return **path ? tree::Context((*path)->value().string()) : tree::Context();
	const auto& number = *std::get<std::optional<std::int64_t>*>(place);
	return number ? tree::Context(*number) : tree::Context();
}
inline tree::Context Settings::to_dict() const {
	std::vector<std::string> keys{"export_format"};
	std::vector<tree::Context> values{format_};
	for (const auto& [key, place] : places_) {
		keys.emplace_back(key);
		values.push_back(written(place));
	}
	return tree::Context::dict(std::move(keys), std::move(values));
}
inline void Settings::read_one(const std::string& key, const Place& place, const tree::Context& value) {
	if (const auto* flag = std::get_if<bool*>(&place)) {
		const auto given = value.as_boolean();
		if (!given) refuse_setting(key, "true or false");
		**flag = *given;
	} else if (const auto* shapes = std::get_if<DynamicShapes*>(&place)) {
		**shapes = read_dynamic_shapes(key, value);
	} else if (const auto* text = std::get_if<std::string*>(&place)) {
		if (!value.is_text()) refuse_setting(key, "a text");
		**text = value.text();
	} else if (const auto* path = std::get_if<std::optional<std::filesystem::path>*>(&place)) {
		if (!value.is_none() && !value.is_text()) refuse_setting(key, "a path");
		**path = value.is_text() ? std::optional<std::filesystem::path>(value.text()) : std::nullopt;
	} else {
		if (!value.is_none() && !value.as_integer()) refuse_setting(key, "a number");
		*std::get<std::optional<std::int64_t>*>(place) = value.is_none() ? std::nullopt : value.as_integer();
	}
}
inline void Settings::read(const tree::Context& dict) const {
	if (!dict.is_dict()) refuse_setting("", "a dict");
	for (std::size_t i = 0; i < dict.keys().size(); ++i) {
		const std::string& key = dict.keys()[i];
		const tree::Context& value = dict.items()[i];
		if (key == "export_format") {
		if (!value.is_text() || value.text() != format_) refuse_setting(key, '"' + std::string(format_) + '"');
		continue;
		}
		const auto found = algo::find(places_, key, &std::pair<std::string_view, Place>::first);
		if (found == places_.end())
		throw Error(ErrorKind::invalid_input, "there is no such setting", {.where = {.path = key}});
		read_one(key, found->second, value);
	}
}
}
namespace ferry {
FERRY_INLINE tree::Context DynamoConfig::to_dict() const { return DynamoConfig(*this).settings().to_dict(); }
FERRY_INLINE DynamoConfig DynamoConfig::from_dict(const tree::Context& dict) {
	DynamoConfig made;
	made.settings().read(dict);
	return made;
}
FERRY_INLINE Settings DynamoConfig::settings() {
	return {format,
		{{"dynamic", &dynamic},
		{"strict", &strict},
		{"dynamic_shapes", &dynamic_shapes},
		{"prefer_deferred_runtime_asserts_over_guards", &prefer_deferred_runtime_asserts_over_guards}}};
}
}
#include <ATen/core/Dict.h>
#include <torch/csrc/jit/runtime/interpreter.h>
namespace ferry::detail {
[[noreturn]] inline void no_such_script_value(const std::string& what, const std::string& path) {
	throw Error(ErrorKind::unsupported, what,
		{.hint = "pass and return tensors, numbers, strings, and lists, tuples and dicts of these",
		.where = {.stage = "signature", .path = path}});
}
[[nodiscard]] inline c10::IValue to_script(const Tree& tree, const c10::TypePtr& type, const std::string& path) {
	if (tree.is_leaf()) return to_ivalue(tree.leaves[0]);
	if (const auto optional = type->cast<c10::OptionalType>()) return to_script(tree, optional->getElementType(), path);
	const std::vector<Tree> children = tree.children();
	const auto name = [&](std::size_t i) { return path + "." + tree.spec.child_name(i); };
	if (const auto list = type->cast<c10::ListType>(); list && tree.spec.is_sequence()) {
		c10::impl::GenericList made(list->getElementType());
		for (std::size_t i = 0; i < children.size(); ++i)
		made.push_back(to_script(children[i], list->getElementType(), name(i)));
		return made;
	}
	if (const auto tuple = type->cast<c10::TupleType>();
		tuple && tree.spec.is_sequence() && tuple->elements().size() == children.size()) {
		std::vector<c10::IValue> made;
		made.reserve(children.size());
		for (std::size_t i = 0; i < children.size(); ++i)
		made.push_back(to_script(children[i], tuple->elements()[i], name(i)));
		return c10::ivalue::Tuple::create(std::move(made));
	}
	if (const auto dict = type->cast<c10::DictType>();
		dict && tree.spec.is_mapping() && dict->getKeyType()->kind() == c10::TypeKind::StringType) {
		c10::impl::GenericDict made(dict->getKeyType(), dict->getValueType());
		for (std::size_t i = 0; i < children.size(); ++i)
		made.insert(tree.spec.child_name(i), to_script(children[i], dict->getValueType(), name(i)));
		return made;
	}
	no_such_script_value("an input does not fit forward's parameter, which is of type " + type->repr_str(), path);
}
[[nodiscard]] inline Tree from_script(const c10::IValue& value) {
	if (is_leaf(value)) return to_leaf(value);
	std::vector<Tree> children;
	if (value.isTuple()) {
		for (const c10::IValue& each : value.toTupleRef().elements()) children.push_back(from_script(each));
		return Tree::tuple(std::move(children));
	}
	if (value.isList()) {
		for (const c10::IValue& each : value.toListRef()) children.push_back(from_script(each));
		return Tree::list(std::move(children));
	}
	if (value.isGenericDict()) {
		std::vector<tree::Context> keys;
		for (const auto& item : value.toGenericDict()) {
		if (item.key().isString())
		keys.emplace_back(item.key().toStringRef());
		else if (item.key().isInt())
		keys.emplace_back(item.key().toInt());
		else
		no_such_script_value("forward returns a dict whose keys are neither strings nor integers", "output");
		children.push_back(from_script(item.value()));
		}
		return Tree::dict(std::move(keys), std::move(children));
	}
	no_such_script_value("forward returns a value of type " + value.tagKind(), "output");
}
FERRY_INLINE ScriptGuard::ScriptGuard(const torch::jit::Module& model) {
	for (const torch::jit::Module& module : model.modules()) {
		const auto object = module._ivalue();
		for (std::size_t i = 0; i < object->slots().size(); ++i) {
		Saved saved{object, i, object->getSlot(i), {}};
		if (saved.value.isList()) saved.inside = saved.value.toList().copy();
		if (saved.value.isGenericDict()) saved.inside = saved.value.toGenericDict().copy();
		saved_.push_back(std::move(saved));
		}
	}
}
FERRY_INLINE void ScriptGuard::keep_changes() {
	for (const Saved& each : saved_) {
		const c10::IValue& now = each.object->getSlot(each.slot);
		if (!each.value.isTensor() || !now.isTensor() || now.is(each.value)) continue;
		const at::Tensor place = each.value.toTensor(), exchanged = now.toTensor();
		if (place.defined() && exchanged.defined() && place.sizes() == exchanged.sizes() &&
		place.dtype() == exchanged.dtype())
		place.copy_(exchanged);
	}
}
FERRY_INLINE void ScriptGuard::put_back() {
	for (const Saved& each : saved_) {
		if (each.inside.isList()) {
		auto list = each.value.toList();
		list.clear();
		for (const c10::IValue& item : each.inside.toListRef()) list.push_back(item);
		} else if (each.inside.isGenericDict()) {
		auto dict = each.value.toGenericDict();
		dict.clear();
		for (const auto& item : each.inside.toGenericDict()) dict.insert(item.key(), item.value());
		}
		if (!each.object->getSlot(each.slot).is(each.value)) each.object->setSlot(each.slot, each.value);
	}
}
class ScriptPaths {
public:
	explicit ScriptPaths(const torch::jit::Module& model) {
		for (const auto& item : model.named_modules()) {
		const std::string type = item.value.type()->name() ? item.value.type()->name()->name() : "";
		modules_.push_back({item.name, item.name.substr(item.name.rfind('.') + 1), type});
		}
	}
	[[nodiscard]] std::string operator()() const {
		std::string path;
		for (const std::string& level : torch::jit::currentModuleHierarchy()) {
		const auto open = level.find('('), close = level.rfind(")::");
		if (open == std::string::npos || close == std::string::npos || close < open) continue;
		const std::string_view name(level.data(), open), type(level.data() + open + 1, close - open - 1);
		if (name.empty() || name == "TOP" || name == "SELF") continue;
		std::optional<std::string_view> found;
		bool several = false;
		for (const Known& module : modules_)
		if (module.name == name && module.type == type && module.path.size() > path.size() &&
		capture::is_within(module.path, path)) {
		several = found.has_value();
		found = found ? capture::common_module(*found, module.path) : module.path;
		}
		if (!found) break;
		path = *found;
		if (several) break;
		}
		return path;
	}
private:
	struct Known {
		std::string path, name, type;
	};
	std::vector<Known> modules_;
};
FERRY_INLINE std::function<std::string()> script_paths(const torch::jit::Module& model) { return ScriptPaths(model); }
FERRY_INLINE Tree call_script(torch::jit::Module& model, const Inputs& inputs) {
	const auto method = model.find_method("forward");
	if (!method)
		throw Error(ErrorKind::invalid_input, "the TorchScript module has no method forward",
		{.where = {.stage = "signature"}});
	const c10::FunctionSchema& schema = method->function().getSchema();
	torch::jit::Kwargs by_name;
	for (const auto& [name, tree] : inputs) {
		const auto position = schema.argumentIndexWithName(name);
		if (!position || *position == 0) {
		std::string known;
		for (std::size_t i = 1; i < schema.arguments().size(); ++i)
		known.append(i == 1 ? "" : ", ").append(schema.arguments()[i].name());
		throw Error(ErrorKind::invalid_input, "forward has no parameter of that name",
		{.hint = "its parameters are: " + known, .where = {.stage = "signature", .path = name}});
		}
		by_name.emplace(name, to_script(tree, schema.arguments()[static_cast<std::size_t>(*position)].type(), name));
	}
	return from_script((*method)({}, by_name));
}
FERRY_INLINE ModelState state_of_script(const torch::jit::Module& model) {
	ModelState state;
	for (const auto& item : model.named_parameters(true)) state.parameters.emplace_back(item.name, item.value);
	for (const auto& item : model.named_buffers(true)) state.buffers.emplace_back(item.name, item.value);
	return state;
}
}
namespace ferry::tree {
namespace detail {
FERRY_INLINE std::string python_float(double value) {
	if (value != value) return "nan";
	char buffer[40];
	const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
	const std::string_view all(buffer, static_cast<std::size_t>(end - buffer));
	const auto e = all.find('e');
	if (e == std::string_view::npos) return std::string(all);
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
FERRY_INLINE std::string python_string(std::string_view text) {
	const bool quote_differently = text.find('\'') != text.npos && text.find('"') == text.npos;
	const char quote = quote_differently ? '"' : '\'';
	std::string out(1, quote);
	for (std::size_t at = 0; at < text.size();) {
		const std::size_t start = at;
		const char32_t code = utf8::next_code_point(text, at);
		if (code == utf8::bad_code_point) {
		utf8::append_hex(out, "\\x", static_cast<unsigned char>(text[at++]), 2);
		} else if (code == static_cast<unsigned char>(quote) || code == '\\') {
		(out += '\\') += static_cast<char>(code);
		} else if (code == '\n' || code == '\r' || code == '\t') {
		(out += '\\') += code == '\n' ? 'n' : code == '\r' ? 'r' : 't';
		} else if (utf8::is_printable(code)) {
		out += text.substr(start, at - start);
		} else {
		utf8::append_hex(out,
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
}
FERRY_INLINE std::string python_repr(const Context& context) {
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
FERRY_INLINE Context::Context(double value) : kind_(Kind::real), text_(detail::python_float(value)) {}
FERRY_INLINE Context Context::list(std::vector<Context> items) {
	Context made;
	made.kind_ = Kind::list;
	made.items_ = std::move(items);
	return made;
}
FERRY_INLINE Context Context::dict(std::vector<std::string> keys, std::vector<Context> values) {
	Context made = list(std::move(values));
	made.kind_ = Kind::dict;
	made.keys_ = std::move(keys);
	return made;
}
FERRY_INLINE Context Context::integer(std::string digits) {
	Context made;
	made.kind_ = Kind::integer;
	made.text_ = digits == "-0" ? "0" : std::move(digits);
	return made;
}
FERRY_INLINE std::optional<bool> Context::as_boolean() const noexcept {
	return kind_ == Kind::boolean ? std::optional(text_ == "True") : std::nullopt;
}
FERRY_INLINE std::optional<std::int64_t> Context::as_integer() const noexcept {
	std::int64_t value = 0;
	const char* const end = text_.data() + text_.size();
	if (kind_ != Kind::integer || std::from_chars(text_.data(), end, value) != std::from_chars_result{end, std::errc{}})
		return {};
	return value;
}
FERRY_INLINE std::optional<double> Context::as_real() const noexcept {
	double value = 0;
	const char* const end = text_.data() + text_.size();
	if (kind_ != Kind::real || std::from_chars(text_.data(), end, value).ptr != end) return {};
	return value;
}
}
namespace ferry::tree {
FERRY_INLINE std::string Reader::path() const {
	if (parent_ == nullptr) return root_;
	std::string above = parent_->path();
	if (!above.empty()) above += '.';
	return above + parent_->spec_->child_name(index_);
}
FERRY_INLINE void Reader::fail(const std::string& expected, const std::string& found, std::string hint) const {
	const std::string here = path();
	throw Error(ErrorKind::invalid_input,
		"the tree does not fit the C++ type: expected " + expected + ", found " + found,
		{.hint = std::move(hint), .where = {.path = here.empty() ? "<root>" : here}});
}
FERRY_INLINE std::string Reader::found() const {
	if (spec_->is_leaf()) {
		const Leaf& leaf = leaves_.front();
		if (leaf.is_tensor() && !leaf.tensor().defined()) return "an undefined tensor";
		return std::string(detail::kind_name(leaf.kind()));
	}
	std::string text = (spec_->kind() == TreeSpec::Kind::opaque ? "" : "a ") + std::string(spec_->type());
	if (spec_->is_mapping()) return text + " with the keys " + python_repr(Context::list(spec_->keys()));
	return text + " of " + std::to_string(spec_->children().size());
}
FERRY_INLINE std::vector<Reader> Reader::children() const {
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
FERRY_INLINE std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as) const {
	const bool fits = open_ || (strict_ ? spec_->kind() == written_as : spec_->is_sequence());
	if (!fits) fail(written_as == TreeSpec::Kind::list ? "a list" : "a tuple");
	return children();
}
FERRY_INLINE std::vector<Reader> Reader::sequence(TreeSpec::Kind written_as, std::size_t length) const {
	auto made = sequence(written_as);
	if (made.size() != length)
		fail((written_as == TreeSpec::Kind::list ? "a list of " : "a tuple of ") + std::to_string(length));
	return made;
}
FERRY_INLINE std::vector<Reader> Reader::mapping() const {
	if (!open_ && !(strict_ ? spec_->kind() == TreeSpec::Kind::dict : spec_->is_mapping())) fail("a dict");
	return children();
}
FERRY_INLINE std::vector<Reader> Reader::members(std::span<const std::string_view> names) const {
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
FERRY_INLINE std::vector<Reader> Reader::opaque(std::string_view type, std::size_t length) const {
	if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
	if (spec_->children().size() != length) fail(std::string(type) + " of " + std::to_string(length));
	return children();
}
FERRY_INLINE Reader Reader::open(std::string_view type) const {
	if (spec_->kind() != TreeSpec::Kind::opaque || spec_->type() != type) fail(std::string(type));
	Reader made = *this;
	made.open_ = true;
	return made;
}
FERRY_INLINE std::vector<Context> Reader::keys() const {
	if (!open_) return spec_->keys();
	const auto names = spec_->child_names();
	return {names.begin(), names.end()};
}
}
namespace ferry {
FERRY_INLINE std::string_view Graph::intern(std::string_view text) {
	if (const auto found = interned_.find(text); found != interned_.end()) return *found;
	return *interned_.insert(texts_.emplace_back(text)).first;
}
FERRY_INLINE std::string Graph::fresh_name(std::string_view candidate, bool any_word) {
	const std::size_t last = candidate.find_last_not_of("0123456789");
	const bool numbered = last != std::string_view::npos && candidate[last] == '_' && last + 1 < candidate.size() &&
		candidate.size() - last < 10;
	const std::string_view base = numbered ? candidate.substr(0, last) : candidate;
	std::string name(candidate);
	NameUse& use = names_.try_emplace(std::string(base)).first->second;
	std::uint32_t number = use.last_number;
	const auto next = [&] { name.assign(base).append("_").append(std::to_string(++number)); };
	if (numbered) {
		if (take_name(name)) {
		std::uint32_t given = 0;
		for (const char digit : candidate.substr(last + 1))
		given = given * 10 + static_cast<std::uint32_t>(digit - '0');
		use.last_number = given;
		return name;
		}
		next();
	} else if (!any_word && detail::is_python_word(candidate)) {
		next();
	}
	while (!take_name(name)) next();
	use.last_number = number;
	return name;
}
FERRY_INLINE Value Graph::make_value(std::string name, ValueInfo&& info) {
	const Value value{static_cast<std::uint32_t>(values_.size())};
	ValueInfo& made = values_.emplace_back(std::move(info));
	made.name = std::move(name);
	made.producer = {}, made.users = {}, made.output_uses = 0;
	return value;
}
FERRY_INLINE Value Graph::new_value(std::string_view base, ValueInfo info) {
	return make_value(fresh_name(base), std::move(info));
}
FERRY_INLINE Value Graph::insert_input(std::size_t position, std::string_view name, ValueInfo info) {
	const Value value = make_value(fresh_name(name, true), std::move(info));
	inputs_.insert(inputs_.begin() + static_cast<std::ptrdiff_t>(std::min(position, inputs_.size())), value);
	return value;
}
FERRY_INLINE void Graph::erase_input(Value input) {
	const auto place = std::find(inputs_.begin(), inputs_.end(), input);
	if (place == inputs_.end() || is_used(input))
		throw Error(ErrorKind::internal, "'" + info(input).name + "' was to be erased, which is no input or in use");
	inputs_.erase(place);
}
FERRY_INLINE void Graph::set_outputs(std::vector<Argument> outputs) {
	for (const Argument& output : outputs_) for_each_value(output, [&](Value value) { --info(value).output_uses; });
	outputs_ = std::move(outputs);
	for (const Argument& output : outputs_) for_each_value(output, [&](Value value) { ++info(value).output_uses; });
}
FERRY_INLINE void Graph::add_uses(Node& node, const Argument& argument) {
	for_each_value(argument, [&](Value value) { info(value).users.push_back(&node); });
}
FERRY_INLINE void Graph::remove_uses(Node& node, const Argument& argument) {
	for_each_value(argument, [&](Value value) {
		auto& users = info(value).users;
		for (std::size_t at = users.size(); at-- > 0;)
		if (users[at] == &node) {
		users.erase(users.begin() + static_cast<std::ptrdiff_t>(at));
		break;
		}
	});
}
FERRY_INLINE Node& Graph::insert_before(Node* place, std::string_view op, std::vector<NamedArgument> arguments,
		std::vector<Output> outputs) {
	Node& node = *storage_.emplace_back(std::make_unique<Node>());
	node.op_ = intern(op);
	node.arguments_ = std::move(arguments);
	node.outputs_ = std::move(outputs);
	for (const NamedArgument& argument : node.arguments_) add_uses(node, argument.value);
	for (const Output& output : node.outputs_)
		for (const Value value : output.values) info(value).producer = &node;
	node.next_ = place;
	node.previous_ = place ? place->previous_ : last_;
	(node.previous_ ? node.previous_->next_ : first_) = &node;
	(place ? place->previous_ : last_) = &node;
	++num_nodes_;
	return node;
}
FERRY_INLINE void Graph::erase(Node& node) {
	if (node.erased_)
		throw Error(ErrorKind::internal, "a node was to be erased a second time",
		{.where = {.op = std::string(node.op_)}});
	for (const Output& output : node.outputs_)
		for (const Value value : output.values)
		if (is_used(value))
		throw Error(ErrorKind::internal,
		"a node whose output '" + info(value).name + "' is in use was to be erased",
		{.where = {.op = std::string(node.op_)}});
	for (const NamedArgument& argument : node.arguments_) remove_uses(node, argument.value);
	(node.previous_ ? node.previous_->next_ : first_) = node.next_;
	(node.next_ ? node.next_->previous_ : last_) = node.previous_;
	for (const Output& output : node.outputs_)
		for (const Value value : output.values) info(value).producer = nullptr;
	node.arguments_.clear();
	node.outputs_.clear();
	node.erased_ = true;
	--num_nodes_;
}
FERRY_INLINE void Graph::set_argument(Node& node, std::size_t position, Argument argument) {
	Argument& place = node.arguments_.at(position).value;
	remove_uses(node, place);
	place = std::move(argument);
	add_uses(node, place);
}
FERRY_INLINE void Graph::set_argument(Node& node, std::string_view name, Argument argument) {
	const auto at = algo::find(node.arguments_, name, &NamedArgument::name);
	set_argument(node, static_cast<std::size_t>(at - node.arguments_.begin()), std::move(argument));
}
FERRY_INLINE void Graph::replace_uses(Value old, Value replacement) {
	if (old == replacement) return;
	const auto exchange = [&](Value& value) {
		if (value == old) value = replacement;
	};
	std::vector<Node*> users = std::exchange(info(old).users, {});
	for (Node* user : users)
		for (NamedArgument& argument : user->arguments_) for_each_value(argument.value, exchange);
	auto& all = info(replacement).users;
	all.insert(all.end(), users.begin(), users.end());
	if (const std::uint32_t as_output = std::exchange(info(old).output_uses, 0); as_output != 0) {
		for (Argument& output : outputs_) for_each_value(output, exchange);
		info(replacement).output_uses += as_output;
	}
}
FERRY_INLINE void Graph::replace_by_constant(Value old, const Argument& constant) {
	const auto exchange = [&](const auto& self, Argument& argument) -> void {
		if (const Value* value = argument.get_if<Value>(); value != nullptr && *value == old)
		argument = constant;
		else if (auto* list = argument.get_if<ArgumentList>())
		for (Argument& item : *list) self(self, item);
	};
	for (Node* user : std::exchange(info(old).users, {}))
		for (NamedArgument& argument : user->arguments_) exchange(exchange, argument.value);
	if (std::exchange(info(old).output_uses, 0) != 0)
		for (Argument& output : outputs_) exchange(exchange, output);
}
FERRY_INLINE bool Graph::is_used(Value value) const {
	const ValueInfo& used = info(value);
	return !used.users.empty() || used.output_uses != 0;
}
FERRY_INLINE Subgraph Graph::add_subgraph(std::string name, Graph graph) {
	subgraphs_.emplace_back(std::move(name), std::make_unique<Graph>(std::move(graph)));
	return {static_cast<std::uint32_t>(subgraphs_.size() - 1)};
}
FERRY_INLINE Graph::Graph() = default;
FERRY_INLINE Graph::Graph(Graph&& other) noexcept { swap(other); }
FERRY_INLINE Graph::~Graph() = default;
FERRY_INLINE void Graph::swap(Graph& other) noexcept {
	values_.swap(other.values_);
	inputs_.swap(other.inputs_);
	outputs_.swap(other.outputs_);
	storage_.swap(other.storage_);
	std::swap(first_, other.first_);
	std::swap(last_, other.last_);
	std::swap(num_nodes_, other.num_nodes_);
	subgraphs_.swap(other.subgraphs_);
	names_.swap(other.names_);
	texts_.swap(other.texts_);
	interned_.swap(other.interned_);
}
FERRY_INLINE Graph::Graph(const Graph& other)
	: values_(other.values_),
	inputs_(other.inputs_),
	outputs_(other.outputs_),
	num_nodes_(other.num_nodes_),
	names_(other.names_) {
	std::unordered_map<const Node*, Node*> copies;
	for (const Node& node : other.nodes()) {
		Node& made = *storage_.emplace_back(std::make_unique<Node>(node));
		made.op_ = intern(node.op_);
		made.module_path_ = intern(node.module_path_);
		for (NamedArgument& argument : made.arguments_) argument.name = intern(argument.name);
		made.previous_ = last_;
		made.next_ = nullptr;
		(last_ ? last_->next_ : first_) = &made;
		last_ = &made;
		copies.emplace(&node, &made);
	}
	for (ValueInfo& value : values_) {
		if (value.producer != nullptr) value.producer = copies.at(value.producer);
		for (Node*& user : value.users) user = copies.at(user);
	}
	for (const auto& [name, graph] : other.subgraphs_) subgraphs_.emplace_back(name, std::make_unique<Graph>(*graph));
}
}
#include <cstdlib>
namespace ferry::detail {
using Column = std::vector<std::int64_t>;
struct FitCandidate {
	int cost = 0;
	std::size_t parameters = 0;
	SymExpr expr;
};
inline constexpr std::int64_t fit_limit = std::int64_t{1} << 40;
inline int digits_cost(std::int64_t x) {
	return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(x))));
}
inline int divisor_cost(std::int64_t d) {
	return digits_cost(d) - std::min(std::countr_zero(static_cast<std::uint64_t>(d)), 4);
}
inline std::vector<std::int64_t> divisors(std::int64_t x, std::int64_t limit) {
	std::vector<std::int64_t> result;
	for (std::int64_t d = 1; d <= limit && d <= x; ++d)
		if (x % d == 0) result.push_back(d);
	return result;
}
inline void critical_sizes(const SymExpr& a, std::string_view name, const ValueRange& domain,
		std::vector<std::int64_t>& sizes) {
	for (const auto& arg : a.args()) critical_sizes(arg, name, domain, sizes);
	for (const auto& term : a.terms())
		for (const auto& factor : term.factors) critical_sizes(factor.base, name, domain, sizes);
	const auto line = [&](const SymExpr& x) -> std::pair<std::int64_t, std::int64_t> {
		if (x.is_symbol() && x.name() == name) return {1, 0};
		if (x.op() != SymOp::sum || x.terms().size() != 1 || x.terms()[0].factors.size() != 1) return {0, 0};
		const auto& factor = x.terms()[0].factors[0];
		if (factor.exponent != 1 || !factor.base.is_symbol() || factor.base.name() != name) return {0, 0};
		return {x.terms()[0].coefficient, x.value()};
	};
	const auto add = [&](std::int64_t size) {
		for (const std::int64_t near : {size - 1, size, size + 1})
		if (domain.contains(near)) sizes.push_back(near);
	};
	const bool steps = a.op() == SymOp::floor_div || a.op() == SymOp::mod;
	if (steps && a.args()[1].is_constant()) {
		const auto [slope, offset] = line(a.args()[0]);
		const std::int64_t d = a.args()[1].value();
		if (slope <= 0 || d <= 0 || slope > fit_limit || std::abs(offset) > fit_limit) return;
		const std::int64_t first = checked_floor_div(slope * domain.min + offset, d) + 1;
		const std::int64_t last = checked_floor_div(slope * domain.max + offset, d);
		for (const std::int64_t k : {first, first + 1, first + 2, first + (last - first) / 2, last - 2, last - 1, last})
		if (k >= first && k <= last) add(-checked_floor_div(-(k * d - offset), slope));
	} else if (a.op() == SymOp::min || a.op() == SymOp::max) {
		for (const auto& arg : a.args()) {
		const auto [slope, offset] = line(arg);
		if (slope != 0 && a.args()[0].is_constant()) add(checked_floor_div(a.args()[0].value() - offset, slope));
		}
	}
}
class CornerFamilies {
public:
	CornerFamilies(const Column& x, const Column& y, const SymExpr& variable, bool open)
		: x_(x), y_(y), variable_(variable), least_steps_(open ? 2 : 1) {
		order_.resize(x.size());
		std::iota(order_.begin(), order_.end(), std::size_t{0});
		algo::sort(order_, [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
		for (std::size_t i = 0; i < y.size(); ++i) step_ = std::gcd(step_, y[i] - y[0]);
		for (std::size_t i = 1; i < order_.size(); ++i)
		if (x[order_[i]] == x[order_[i - 1]] && y[order_[i]] != y[order_[i - 1]]) step_ = 0;
		for (std::size_t i = 0; i < y.size(); ++i)
		if (std::abs(x[i]) > fit_limit || std::abs(y[i]) > fit_limit) step_ = 0;
	}
	template <class Emit>
	void all(std::int64_t max_slope, Emit emit) const {
		if (step_ == 0) return;
		const auto scales = divisors(step_, 1024);
		corners(emit);
		floors(scales, max_slope, emit);
		remainders(scales, emit);
	}
	template <class Emit>
	void only_floors(Emit emit) const {
		if (step_ != 0) floors(divisors(step_, 64), 1, emit);
	}
	template <class Emit>
	void clipped_floors(Emit emit) const {
		if (step_ == 0) return;
		for (const bool upper : {false, true}) {
		const std::int64_t flat = y(upper ? order_.size() - 1 : 0);
		Column rest_x;
		Column rest_y;
		for (std::size_t i = 0; i < y_.size(); ++i)
		if (y_[i] != flat) rest_x.push_back(x_[i]), rest_y.push_back(y_[i]);
		if (rest_x.size() < 3 || rest_x.size() == x_.size()) continue;
		if (algo::any_of(rest_y, [&](std::int64_t value) { return upper ? value > flat : value < flat; })) continue;
		const CornerFamilies rest(rest_x, rest_y, variable_, least_steps_ == 2);
		if (rest.step_ == 0) continue;
		const auto is_clipped = [&](const Floor& floor) {
		for (std::size_t i = 0; i < y_.size(); ++i)
		if (y_[i] == flat && (upper ? floor.at(x_[i]) < flat : floor.at(x_[i]) > flat)) return false;
		return true;
		};
		rest.floors(
		divisors(rest.step_, 64), 1,
		[&](int cost, const auto& build) {
		emit(cost + 4, [&] { return upper ? sym_min({flat, build()}) : sym_max({flat, build()}); });
		},
		is_clipped);
		}
	}
private:
	struct Floor {
		std::int64_t a, n, c, d, b;
		[[nodiscard]] std::int64_t at(std::int64_t x) const { return a * checked_floor_div(n * x + c, d) + b; }
	};
	struct Anything {
		bool operator()(const Floor&) const { return true; }
	};
	[[nodiscard]] std::int64_t x(std::size_t rank) const { return x_[order_[rank]]; }
	[[nodiscard]] std::int64_t y(std::size_t rank) const { return y_[order_[rank]]; }
	template <class Emit>
	void corners(Emit emit) const {
		const std::size_t last = order_.size() - 1;
		if (last < 2) return;
		for (const bool upper : {false, true}) {
		const std::size_t near = upper ? 0 : last;
		std::size_t other = near;
		while (other <= last && x(other) == x(near)) other += upper ? 1 : std::size_t(-1);
		if (other > last) continue;
		const std::int64_t run = x(near) - x(other);
		const std::int64_t rise = y(near) - y(other);
		if (rise == 0 || rise % run != 0) continue;
		const std::int64_t a = rise / run;
		const std::int64_t b = y(near) - a * x(near);
		const std::int64_t flat = y(upper ? last : 0) - b;
		if (flat % a != 0) continue;
		const std::int64_t c = flat / a;
		bool fits = true;
		for (std::size_t i = 0; i <= last && fits; ++i)
		fits = y(i) == a * (upper ? std::min(x(i), c) : std::max(x(i), c)) + b;
		if (!fits || (upper ? c >= x(last) : c <= x(0))) continue;
		emit(9 + (a == 1 ? 0 : 2) + (b == 0 ? 0 : 2),
		[&] { return SymExpr(a) * (upper ? sym_min({variable_, c}) : sym_max({variable_, c})) + b; });
		}
	}
	template <class Emit, class Accept = Anything>
	void floors(const std::vector<std::int64_t>& scales, std::int64_t max_slope, Emit emit, Accept accept = {}) const {
		const std::size_t last = order_.size() - 1;
		if (last < 1 || x(0) == x(last)) return;
		for (const std::int64_t magnitude : scales) {
		const std::int64_t a = y(last) < y(0) ? -magnitude : magnitude;
		const std::int64_t b = checked_mod(y_[0], magnitude);
		const std::int64_t rise = (y(last) - y(0)) / a;
		if (rise < least_steps_) continue;
		for (std::int64_t n = 1; n <= max_slope; ++n) {
		const std::int64_t run = n * (x(last) - x(0));
		const std::int64_t largest = n == 1 ? 1024 : 64;
		const std::int64_t d_max = std::min(rise > 1 ? (run - 1) / (rise - 1) : largest, largest);
		std::int64_t d = std::max<std::int64_t>(run / (rise + 1) + 1, 2);
		for (; d <= d_max; ++d) {
		if (std::gcd(n, d) != 1) continue;
		std::int64_t low = std::numeric_limits<std::int64_t>::min();
		std::int64_t high = std::numeric_limits<std::int64_t>::max();
		for (std::size_t i = 0; i <= last && low <= high; ++i) {
		const std::int64_t start = d * ((y_[i] - b) / a) - n * x_[i];
		low = std::max(low, start);
		high = std::min(high, start + d - 1);
		}
		if (low > high) continue;
		const int cost = 10 + divisor_cost(d) + (n == 1 ? 0 : 2 + static_cast<int>(n)) +
		(a == 1             ? 0
		: std::abs(a) == d ? 1
		: 4) +
		(b == 0 ? 0 : 2);
		const auto offer = [&](std::int64_t c, int extra) {
		if (c < low || c > high || !accept(Floor{a, n, c, d, b})) return;
		emit(cost + extra, [&] { return SymExpr(a) * floor_div(SymExpr(n) * variable_ + c, d) + b; });
		};
		const bool plain = low <= 0 && 0 <= high;
		const bool ceiling = low <= d - 1 && d - 1 <= high;
		const std::int64_t likeliest = plain ? 0 : ceiling ? d - 1 : low + (high - low) / 2;
		offer(likeliest, plain ? 0 : ceiling ? 1 : 3);
		offer(likeliest - 1, 3);
		offer(likeliest + 1, 3);
		if (plain && ceiling) offer(d - 1, 1);
		if (low < likeliest - 1) offer(low, 5);
		if (high > likeliest + 1) offer(high, 5);
		if (high - low > 3) offer(low + (high - low) / 2, 5);
		}
		}
		}
	}
	template <class Emit>
	void remainders(const std::vector<std::int64_t>& scales, Emit emit) const {
		for (const std::int64_t a : scales) {
		for (const int sign : {1, -1}) {
		for (const std::int64_t b : {0, 1}) {
		if (checked_mod(y_[0] - b, a) != 0) continue;
		std::int64_t common = 0;
		std::int64_t top = 0;
		std::int64_t bottom = 0;
		const auto value = [&](std::size_t i) { return (y_[i] - b) / a; };
		for (std::size_t i = 0; i < y_.size(); ++i) {
		common = std::gcd(common, (value(i) - sign * x_[i]) - (value(0) - sign * x_[0]));
		top = std::max(top, value(i));
		bottom = std::min(bottom, value(i));
		}
		if (common == 0 || bottom < 0) continue;
		for (const std::int64_t d : divisors(common, 4096)) {
		if (d < 2 || d <= top) continue;
		const std::int64_t c = checked_mod(value(0) - sign * x_[0], d);
		const std::int64_t first = checked_floor_div(sign * x(0) + c, d);
		const std::int64_t last = checked_floor_div(sign * x(order_.size() - 1) + c, d);
		if (std::abs(last - first) < least_steps_) continue;
		const int cost = 11 + divisor_cost(d) + (c == 0 ? 0 : 2) + (b == 0 ? 0 : 2) +
		(sign < 0 ? 1 : 0) + (a == 1 ? 0 : 3);
		emit(cost, [&] { return SymExpr(a) * mod(SymExpr(sign) * variable_ + c, d) + b; });
		}
		}
		}
		}
	}
	const Column& x_;
	const Column& y_;
	const SymExpr& variable_;
	std::vector<std::size_t> order_;
	std::int64_t least_steps_;
	std::int64_t step_ = 0;
};
}
namespace ferry::detail {
struct PrimeField {
	static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
	__extension__ using Wide = unsigned __int128;
	static std::uint64_t from(std::int64_t x) {
		const std::int64_t rest = x % static_cast<std::int64_t>(prime);
		return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<std::int64_t>(prime) : rest);
	}
	static std::int64_t to_signed(std::uint64_t x) {
		return x > prime / 2 ? static_cast<std::int64_t>(x) - static_cast<std::int64_t>(prime)
		: static_cast<std::int64_t>(x);
	}
	static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return (a + b) % prime; }
	static std::uint64_t sub(std::uint64_t a, std::uint64_t b) { return (a + prime - b) % prime; }
	static std::uint64_t mul(std::uint64_t a, std::uint64_t b) {
		return static_cast<std::uint64_t>(Wide{a} * b % prime);
	}
	static std::uint64_t inverse(std::uint64_t a) {
		std::uint64_t result = 1;
		for (std::uint64_t e = prime - 2; e != 0; e >>= 1) {
		if ((e & 1) != 0) result = mul(result, a);
		a = mul(a, a);
		}
		return result;
	}
};
struct BasisInverse {
	std::vector<std::size_t> rows;
	std::vector<std::vector<std::uint64_t>> inverse;
	static std::optional<BasisInverse> of(const std::vector<const std::vector<std::int64_t>*>& columns) {
		const std::size_t size = columns.size();
		const std::size_t points = columns.empty() ? 0 : columns[0]->size();
		if (size == 0 || points < size) return std::nullopt;
		BasisInverse result;
		std::vector<std::vector<std::uint64_t>> reduced;
		std::vector<std::vector<std::uint64_t>> track;
		std::vector<std::size_t> pivots;
		for (std::size_t row = 0; row < points && result.rows.size() < size; ++row) {
		std::vector<std::uint64_t> values(size);
		for (std::size_t c = 0; c < size; ++c) values[c] = PrimeField::from((*columns[c])[row]);
		std::vector<std::uint64_t> from(size, 0);
		from[result.rows.size()] = 1;
		for (std::size_t r = 0; r < reduced.size(); ++r)
		subtract(values, from, reduced[r], track[r], values[pivots[r]]);
		std::size_t pivot = 0;
		while (pivot < size && values[pivot] == 0) ++pivot;
		if (pivot == size) continue;
		const std::uint64_t scale = PrimeField::inverse(values[pivot]);
		for (auto& x : values) x = PrimeField::mul(x, scale);
		for (auto& x : from) x = PrimeField::mul(x, scale);
		for (std::size_t r = 0; r < reduced.size(); ++r)
		subtract(reduced[r], track[r], values, from, reduced[r][pivot]);
		reduced.push_back(std::move(values));
		track.push_back(std::move(from));
		pivots.push_back(pivot);
		result.rows.push_back(row);
		}
		if (result.rows.size() < size) return std::nullopt;
		result.inverse.resize(size);
		for (std::size_t r = 0; r < size; ++r) result.inverse[pivots[r]] = std::move(track[r]);
		return result;
	}
private:
	static void subtract(std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& a_track,
		const std::vector<std::uint64_t>& b, const std::vector<std::uint64_t>& b_track,
		std::uint64_t times) {
		if (times == 0) return;
		for (std::size_t i = 0; i < a.size(); ++i) a[i] = PrimeField::sub(a[i], PrimeField::mul(b[i], times));
		for (std::size_t i = 0; i < a_track.size(); ++i)
		a_track[i] = PrimeField::sub(a_track[i], PrimeField::mul(b_track[i], times));
	}
};
}
namespace ferry {
using ProbePoint = std::vector<std::int64_t>;
struct ProbeDim {
	std::string name;
	ValueRange range = ValueRange::at_least(2);
	std::int64_t sample = 2;
	std::int64_t least =
		2;
	std::optional<ValueRange> domain{};
};
namespace detail {
inline bool is_prime(std::int64_t x) {
	if (x < 4) return x > 1;
	if (x % 2 == 0) return false;
	constexpr std::int64_t looked_at = 1 << 20;
	for (std::int64_t d = 3; d < looked_at && d * d <= x; d += 2)
		if (x % d == 0) return false;
	return true;
}
inline std::int64_t prime_from(std::int64_t x) {
	while (!is_prime(x)) ++x;
	return x;
}
}
[[nodiscard]] inline ValueRange probe_domain(const ProbeDim& dim) {
	if (dim.domain) return *dim.domain;
	constexpr std::int64_t far = 1 << 20;
	ValueRange domain{std::max(dim.range.min, dim.least), dim.range.max};
	if (dim.range.max == ValueRange::no_max)
		domain.max =
		domain.min < far
		? detail::prime_from(std::max(std::clamp<std::int64_t>(dim.sample, 16, far / 8) * 8, domain.min + 64))
		: domain.min + std::min<std::int64_t>(64, ValueRange::no_max - domain.min);
	else if (domain.max > far)
		domain.max = std::max(far, domain.min);
	if (domain.empty()) domain.min = domain.max;
	return domain;
}
namespace detail {
struct ProbeRandom {
	std::uint64_t state;
	std::uint64_t next() {
		std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
		return z ^ (z >> 31);
	}
	std::int64_t within(const ValueRange& range) {
		const auto span = static_cast<std::uint64_t>(range.max - range.min) + 1;
		return range.min + static_cast<std::int64_t>(next() % span);
	}
};
inline std::int64_t generic_size(const ValueRange& domain, std::int64_t sample, bool even, ProbeRandom& random) {
	ValueRange usual = intersect(domain, {5, std::max<std::int64_t>(3 * sample, 48)});
	if (usual.empty()) usual = domain;
	const auto fits = [&](std::int64_t x) { return even ? x % 2 == 0 && is_prime(x / 2) : x % 2 != 0 && is_prime(x); };
	for (int i = 0; i < 40; ++i)
		if (const std::int64_t x = random.within(usual); fits(x)) return x;
	return random.within(usual);
}
inline std::vector<std::vector<std::int64_t>> columns_of(const std::vector<ProbePoint>& points, std::size_t dims) {
	std::vector<std::vector<std::int64_t>> columns(dims);
	for (std::size_t d = 0; d < dims; ++d)
		for (const auto& point : points) columns[d].push_back(point[d]);
	return columns;
}
inline bool separates(const std::vector<ProbePoint>& points, const std::vector<ProbeDim>& dims) {
	const auto columns = columns_of(points, dims.size());
	const std::vector<std::int64_t> ones(points.size(), 1);
	std::vector<const std::vector<std::int64_t>*> basis{&ones};
	for (std::size_t d = 0; d < dims.size(); ++d) {
		const ValueRange domain = probe_domain(dims[d]);
		if (domain.min == domain.max) continue;
		std::int64_t common = 0;
		for (const std::int64_t x : columns[d]) common = std::gcd(common, x - columns[d][0]);
		if (common != 1) return false;
		if (!algo::contains(columns[d], domain.min)) return false;
		if (!algo::contains(columns[d], domain.max)) return false;
		basis.push_back(&columns[d]);
	}
	return BasisInverse::of(basis).has_value();
}
inline ProbePoint generic_point(const std::vector<ProbeDim>& dims, std::size_t index, ProbeRandom& random) {
	ProbePoint point;
	for (std::size_t d = 0; d < dims.size(); ++d) {
		const ValueRange domain = probe_domain(dims[d]);
		std::int64_t size = generic_size(domain, dims[d].sample, (index + d) % 2 == 0, random);
		for (int i = 0; i < 20 && algo::contains(point, size); ++i)
		size = generic_size(domain, dims[d].sample, (index + d) % 2 == 0, random);
		point.push_back(size);
	}
	return point;
}
inline ProbePoint large_point(const std::vector<ProbeDim>& dims, const ProbePoint& sample) {
	constexpr double max_elements = 1 << 22;
	ProbePoint point = sample;
	double elements = 1;
	std::size_t moved = 0;
	for (std::size_t d = 0; d < dims.size(); ++d) {
		const ValueRange domain = probe_domain(dims[d]);
		if (dims[d].range.max == domain.max && domain.min < domain.max) {
		point[d] = std::max(domain.max - (domain.max - domain.min) / 8 - static_cast<std::int64_t>(d), domain.min);
		++moved;
		}
		elements *= static_cast<double>(point[d]);
	}
	return moved > 1 && elements <= max_elements ? point : sample;
}
}
[[nodiscard]] inline std::vector<ProbePoint> more_probe_points(const std::vector<ProbeDim>& dims,
		const std::vector<ProbePoint>& taken,
		std::size_t count) {
	std::vector<ProbePoint> points;
	detail::ProbeRandom random{taken.size() * 0x100 + 7};
	for (std::size_t tries = 0; tries < 40 * count && points.size() < count; ++tries) {
		ProbePoint point = detail::generic_point(dims, taken.size() + points.size(), random);
		if (!algo::contains(taken, point) && !algo::contains(points, point)) points.push_back(std::move(point));
	}
	return points;
}
[[nodiscard]] inline std::vector<ProbePoint> choose_probe_points(const std::vector<ProbeDim>& dims) {
	std::vector<std::size_t> varying;
	std::vector<ValueRange> domains;
	double combinations = 1;
	for (std::size_t d = 0; d < dims.size(); ++d) {
		domains.push_back(probe_domain(dims[d]));
		if (domains[d].min < domains[d].max) varying.push_back(d);
		combinations *= static_cast<double>(domains[d].max - domains[d].min) + 1;
	}
	const std::size_t count = varying.empty() ? 1 : std::max<std::size_t>(5, varying.size() + 4);
	if (combinations <= static_cast<double>(count)) {
		std::vector<ProbePoint> points{{}};
		for (const auto& domain : domains) {
		std::vector<ProbePoint> longer;
		for (const auto& point : points)
		for (std::int64_t x = domain.min; x <= domain.max; ++x) {
		longer.push_back(point);
		longer.back().push_back(x);
		}
		points = std::move(longer);
		}
		return points;
	}
	std::vector<ProbePoint> points;
	for (std::uint64_t seed = 1; seed <= 64; ++seed) {
		detail::ProbeRandom random{seed};
		points.clear();
		const auto add = [&](ProbePoint point) {
		if (!algo::contains(points, point)) points.push_back(std::move(point));
		};
		ProbePoint sample;
		for (std::size_t d = 0; d < dims.size(); ++d)
		sample.push_back(std::clamp(dims[d].sample, domains[d].min, domains[d].max));
		add(sample);
		for (std::size_t i = 0; i < varying.size(); ++i) {
		ProbePoint low = detail::generic_point(dims, i, random);
		const std::size_t next = varying[(i + 1) % varying.size()];
		low[varying[i]] = domains[varying[i]].min;
		if (varying.size() > 1) low[next] = domains[next].max;
		add(std::move(low));
		}
		if (ProbePoint large = detail::large_point(dims, sample); large != sample) add(std::move(large));
		if (varying.size() == 1) {
		ProbePoint high = detail::generic_point(dims, 1, random);
		high[varying[0]] = domains[varying[0]].max;
		add(std::move(high));
		}
		for (std::size_t tries = 0; points.size() < count && tries < 100; ++tries)
		add(detail::generic_point(dims, points.size(), random));
		if (detail::separates(points, dims)) break;
	}
	return points;
}
}
namespace ferry::detail {
using Candidates = std::vector<FitCandidate>;
inline constexpr std::size_t max_candidates = 64;
template <class Build>
void keep(Candidates& candidates, int cost, std::size_t parameters, const Build& build) {
	const auto worst = algo::max_element(candidates, {}, &FitCandidate::cost);
	const bool full = candidates.size() == max_candidates;
	if (full && cost >= worst->cost) return;
	const SymExpr expr = build();
	const auto same = algo::find(candidates, expr, &FitCandidate::expr);
	if (same != candidates.end())
		same->cost = std::min(same->cost, cost);
	else if (full)
		*worst = {cost, parameters, expr};
	else
		candidates.push_back({cost, parameters, expr});
}
struct FitSpace {
	struct Monomial {
		std::vector<std::size_t> dims;
		Column column;
		SymExpr expr;
	};
	FitSpace(std::vector<ProbeDim> all_dims, std::vector<ProbePoint> all_points)
		: dims(std::move(all_dims)), points(std::move(all_points)) {
		if (points.empty()) throw Error(ErrorKind::internal, "no probe points to fit an expression to");
		for (const auto& point : points)
		if (point.size() != dims.size())
		throw Error(ErrorKind::internal, "a probe point without a size for each dimension");
		build_monomials();
	}
	[[nodiscard]] SymExpr symbol(std::size_t which) const { return SymExpr::symbol(dims[varying[which]].name); }
	[[nodiscard]] Column column_of(std::size_t which) const {
		Column column;
		for (const auto& point : points) column.push_back(point[varying[which]]);
		return column;
	}
	[[nodiscard]] bool is_open(std::size_t d) const { return dims[d].range.max != probe_domain(dims[d]).max; }
	std::vector<ProbeDim> dims;
	std::vector<ProbePoint> points;
	std::vector<std::size_t> varying;
	std::vector<Monomial> monomials;
	std::size_t squares_end = 0;
private:
	void add_monomial(std::vector<std::size_t> product) {
		Monomial monomial{std::move(product), Column(points.size(), 1), 1};
		for (const std::size_t d : monomial.dims) {
		for (std::size_t i = 0; i < points.size(); ++i)
		if (__builtin_mul_overflow(monomial.column[i], points[i][d], &monomial.column[i])) return;
		monomial.expr = monomial.expr * SymExpr::symbol(dims[d].name);
		}
		monomials.push_back(std::move(monomial));
	}
	void build_monomials() {
		for (std::size_t d = 0; d < dims.size(); ++d) {
		const ValueRange domain = probe_domain(dims[d]);
		if (domain.min < domain.max) varying.push_back(d);
		}
		const auto& v = varying;
		add_monomial({});
		for (const std::size_t a : v) add_monomial({a});
		for (std::size_t i = 0; i < v.size(); ++i)
		for (std::size_t j = i + 1; j < v.size(); ++j) add_monomial({v[i], v[j]});
		for (const std::size_t a : v) add_monomial({a, a});
		squares_end = monomials.size();
		if (v.size() > 8) return;
		for (std::size_t i = 0; i < v.size(); ++i)
		for (std::size_t j = i; j < v.size(); ++j)
		for (std::size_t k = j; k < v.size(); ++k) {
		add_monomial({v[i], v[j], v[k]});
		for (std::size_t l = k + 1; l < v.size() && i < j && j < k; ++l)
		add_monomial({v[i], v[j], v[k], v[l]});
		}
	}
};
}
namespace ferry {
enum class FitStatus {
	found,            
	needs_more_points,
	none,             
};
struct Fit {
	FitStatus status = FitStatus::none;
	SymExpr expr{};
	std::vector<ProbePoint> more{};
};
}
namespace ferry::detail {
struct ColumnHash {
	std::size_t operator()(const Column& column) const noexcept {
		std::uint64_t hash = 0;
		for (const std::int64_t x : column)
		hash = (hash ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL ^ (hash >> 29);
		return static_cast<std::size_t>(hash);
	}
};
[[nodiscard]] constexpr std::int64_t wrapped_sub(std::int64_t a, std::int64_t b) noexcept {
	return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::int64_t wrapped_mul(std::int64_t a, std::int64_t b) noexcept {
	return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t a) noexcept {
	return a < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}
using FitsByColumn = std::unordered_map<Column, Fit, ColumnHash>;
class FitMet {
public:
	struct Made {
		SymExpr expr{};
		std::vector<const Fit*> of{};
	};
	FitMet(const FitsByColumn& met, const FitsByColumn& known) : all_{&met, &known} {}
	[[nodiscard]] std::optional<Made> find(const Column& v) const {
		if (auto made = linear(v)) return made;
		if (auto made = product(v)) return made;
		if (auto made = sum(v)) return made;
		return remainder(v);
	}
private:
	template <class Visit>
	void for_each(Visit&& visit) const {
		for (const FitsByColumn* fits : all_)
		for (const auto& [column, fit] : *fits)
		if (fit.status != FitStatus::none) visit(column, fit);
	}
	[[nodiscard]] const Fit* whole(const Column& v) const {
		for (const FitsByColumn* fits : all_)
		if (const auto found = fits->find(v); found != fits->end() && found->second.status != FitStatus::none)
		return &found->second;
		return nullptr;
	}
	[[nodiscard]] std::optional<Made> linear(const Column& v) const {
		const Fit* of = nullptr;
		std::int64_t times = 0, more = 0;
		for_each([&](const Column& column, const Fit& fit) {
		const auto other = static_cast<std::size_t>(
		algo::find_if(column, [&](std::int64_t x) { return x != column[0]; }) - column.begin());
		if (other == column.size() || (of != nullptr && !(fit.expr < of->expr))) return;
		const std::int64_t apart = wrapped_sub(column[other], column[0]);
		const std::int64_t grown = wrapped_sub(v[other], v[0]);
		if (apart != -1 && grown % apart != 0) return;
		const std::int64_t slope = apart == -1 ? wrapped_sub(0, grown) : grown / apart;
		const std::int64_t rest = wrapped_sub(v[0], wrapped_mul(slope, column[0]));
		const auto is_on_line = [&](std::int64_t y, std::int64_t x) {
		return wrapped_sub(y, wrapped_mul(slope, x)) == rest;
		};
		if (!algo::equal(v, column, is_on_line)) return;
		of = &fit, times = slope, more = rest;
		});
		if (of == nullptr) return std::nullopt;
		return Made{SymExpr(times) * of->expr + SymExpr(more), {of}};
	}
	[[nodiscard]] std::optional<Made> product(const Column& v) const {
		constexpr std::size_t most_factors = 3;
		Made made{1, factors(v, most_factors)};
		for (const Fit* factor : made.of) made.expr = factor->expr * made.expr;
		return made.of.empty() ? std::nullopt : std::optional(std::move(made));
	}
	[[nodiscard]] std::vector<const Fit*> factors(const Column& v, std::size_t most) const {
		if (const Fit* alone = whole(v)) return {alone};
		std::vector<const Fit*> best;
		if (most < 2) return best;
		Column rest(v.size());
		for_each([&](const Column& column, const Fit& fit) {
		for (std::size_t i = 0; i < v.size(); ++i) {
		if (column[i] <= 0 || v[i] % column[i] != 0) return;
		rest[i] = v[i] / column[i];
		}
		if (rest == v) return;
		std::vector<const Fit*> found = factors(rest, most - 1);
		if (found.empty()) return;
		found.push_back(&fit);
		const bool is_better = best.empty() || found.size() < best.size() ||
		(found.size() == best.size() && fit.expr < best.back()->expr);
		if (is_better) best = std::move(found);
		});
		return best;
	}
	[[nodiscard]] std::optional<Made> sum(const Column& v) const {
		const Fit *first = nullptr, *second = nullptr;
		Column rest(v.size());
		for_each([&](const Column& column, const Fit& fit) {
		if (first != nullptr && !(fit.expr < first->expr)) return;
		for (std::size_t i = 0; i < v.size(); ++i) rest[i] = wrapped_sub(v[i], column[i]);
		if (const Fit* other = whole(rest)) first = &fit, second = other;
		});
		if (first == nullptr) return std::nullopt;
		return Made{first->expr + second->expr, {first, second}};
	}
	[[nodiscard]] std::optional<Made> remainder(const Column& v) const {
		const auto [least, largest] = std::minmax_element(v.begin(), v.end());
		if (*least < 0) return std::nullopt;
		const std::int64_t most = *largest;
		std::optional<Made> made;
		for_each([&](const Column& column, const Fit& fit) {
		for (const bool lacks : {true, false}) {
		const auto apart = [&](std::size_t i) {
		return magnitude(wrapped_sub(column[i], lacks ? -v[i] : v[i]));
		};
		std::uint64_t common = 0;
		for (std::size_t i = 0; i < v.size(); ++i) common = std::gcd(common, apart(i));
		const auto step = static_cast<std::int64_t>(common);
		if (step <= most || (made && !(fit.expr < made->of[0]->expr))) continue;
		const SymExpr below = floor_div(lacks ? fit.expr + SymExpr(step - 1) : fit.expr, SymExpr(step));
		made = Made{lacks ? below * SymExpr(step) - fit.expr : fit.expr - below * SymExpr(step), {&fit}};
		}
		});
		return made;
	}
	std::array<const FitsByColumn*, 2> all_;
};
}
namespace ferry::detail {
class FitPolynomials {
public:
	explicit FitPolynomials(const FitSpace& space) { build_bases(space); }
	[[nodiscard]] std::size_t largest_basis() const noexcept { return largest_basis_; }
	static void single_products(const FitSpace& space, const Column& v, Candidates& candidates) {
		for (std::size_t m = 1; m < space.monomials.size(); ++m) {
		const auto& [dims, column, expr] = space.monomials[m];
		if (column[0] == 0 || v[0] % column[0] != 0) continue;
		const std::int64_t a = v[0] / column[0];
		if (a != 0 && is_sum(v, a, column, 0, column))
		candidates.push_back({static_cast<int>(dims.size()), 1, SymExpr(a) * expr});
		}
	}
	static void two_terms(const FitSpace& space, const Column& v, Candidates& candidates) {
		if (v.size() < 3) return;
		const std::size_t last = v.size() - 1;
		for (std::size_t m = 1; m < space.monomials.size(); ++m) {
		const Column& x = space.monomials[m].column;
		for (std::size_t n = 0; n < m; ++n) {
		const Column& y = space.monomials[n].column;
		std::size_t i = 1;
		Wide determinant = 0;
		for (; i <= last && determinant == 0; ++i) determinant = Wide{x[0]} * y[i] - Wide{x[i]} * y[0];
		if (determinant == 0) continue;
		--i;
		const Wide over_a = Wide{v[0]} * y[i] - Wide{v[i]} * y[0];
		const Wide over_b = Wide{x[0]} * v[i] - Wide{x[i]} * v[0];
		if (over_a % determinant != 0 || over_b % determinant != 0) continue;
		const Wide a = over_a / determinant;
		const Wide b = over_b / determinant;
		if (a > fit_coefficient || a < -fit_coefficient || b > fit_coefficient || b < -fit_coefficient)
		continue;
		if (!is_sum(v, static_cast<std::int64_t>(a), x, static_cast<std::int64_t>(b), y)) continue;
		const auto degree = static_cast<int>(space.monomials[m].dims.size() + space.monomials[n].dims.size());
		candidates.push_back({2 + degree, 2,
		SymExpr(static_cast<std::int64_t>(a)) * space.monomials[m].expr +
		SymExpr(static_cast<std::int64_t>(b)) * space.monomials[n].expr});
		}
		}
	}
	void dense(const FitSpace& space, const Column& v, Candidates& candidates) const {
		std::vector<std::uint64_t> solution;
		for (const auto& basis : bases_) {
		const std::size_t size = basis.monomials.size();
		if (!candidates.empty() && basis.cost > candidates.front().cost) return;
		solution.assign(size, 0);
		for (std::size_t r = 0; r < size; ++r)
		for (std::size_t c = 0; c < size; ++c)
		solution[r] = PrimeField::add(
		solution[r],
		PrimeField::mul(basis.inverse.inverse[r][c], PrimeField::from(v[basis.inverse.rows[c]])));
		for (const std::int64_t under : {1, 2, 3, 4, 6, 8, 12, 16, 24})
		if (const auto expr = polynomial(space, v, basis, solution, under)) {
		candidates.push_back({basis.cost, size, *expr});
		break;
		}
		}
	}
private:
	__extension__ using Wide = __int128;
	static constexpr std::int64_t fit_coefficient = std::int64_t{1} << 40;
	struct Basis {
		std::vector<std::size_t> monomials;
		BasisInverse inverse;
		int cost = 0;
	};
	static bool is_sum(const Column& v, std::int64_t a, const Column& x, std::int64_t b, const Column& y) {
		for (std::size_t i = 0; i < v.size(); ++i)
		if (Wide{a} * x[i] + Wide{b} * y[i] != v[i]) return false;
		return true;
	}
	[[nodiscard]] static std::optional<SymExpr> polynomial(const FitSpace& space, const Column& v, const Basis& basis,
		const std::vector<std::uint64_t>& solution,
		std::int64_t under) {
		std::vector<std::int64_t> coefficients;
		for (const std::uint64_t x : solution) {
		const std::int64_t c = PrimeField::to_signed(PrimeField::mul(x, static_cast<std::uint64_t>(under)));
		if (c > fit_coefficient || c < -fit_coefficient) return std::nullopt;
		coefficients.push_back(c);
		}
		for (std::size_t i = 0; i < v.size(); ++i) {
		Wide total = 0;
		for (std::size_t t = 0; t < coefficients.size(); ++t)
		total += Wide{coefficients[t]} * space.monomials[basis.monomials[t]].column[i];
		if (total != Wide{v[i]} * under) return std::nullopt;
		}
		std::vector<SymExpr> parts;
		parts.reserve(coefficients.size());
		for (std::size_t t = 0; t < coefficients.size(); ++t)
		parts.push_back(SymExpr(coefficients[t]) * space.monomials[basis.monomials[t]].expr);
		SymExpr over = sym_sum(parts);
		if (under == 1) return over;
		return always_divides(over, under) ? std::optional(floor_div(over, under)) : std::nullopt;
	}
	void add_basis(const FitSpace& space, const std::vector<std::vector<std::size_t>>& products) {
		Basis basis;
		std::vector<const Column*> columns;
		for (auto product : products) {
		algo::sort(product);
		const auto at = algo::find(space.monomials, product, &FitSpace::Monomial::dims);
		if (at == space.monomials.end()) return;
		basis.monomials.push_back(static_cast<std::size_t>(at - space.monomials.begin()));
		columns.push_back(&at->column);
		}
		largest_basis_ = std::max(largest_basis_, products.size());
		auto inverse = BasisInverse::of(columns);
		if (!inverse || products.size() + 1 > space.points.size()) return;
		basis.inverse = std::move(*inverse);
		basis.cost = 6 + static_cast<int>(products.size());
		bases_.push_back(std::move(basis));
	}
	void build_bases(const FitSpace& space) {
		const auto& v = space.varying;
		if (v.size() > 8) {
		affine_basis(space);
		return;
		}
		for (const std::size_t a : v) {
		add_basis(space, {{}, {a}, {a, a}});
		add_basis(space, {{}, {a}, {a, a}, {a, a, a}});
		}
		affine_basis(space);
		for (std::size_t i = 0; i < v.size(); ++i)
		for (std::size_t j = i + 1; j < v.size(); ++j) {
		const std::size_t a = v[i];
		const std::size_t b = v[j];
		add_basis(space, {{}, {a}, {b}, {a, b}});
		add_basis(space, {{}, {a}, {b}, {a, b}, {a, a}, {b, b}});
		for (std::size_t k = j + 1; k < v.size(); ++k) {
		const std::size_t c = v[k];
		add_basis(space, {{}, {a}, {b}, {c}, {a, b}, {a, c}, {b, c}, {a, b, c}});
		}
		}
		algo::stable_sort(bases_, {}, [](const Basis& basis) { return basis.monomials.size(); });
	}
	void affine_basis(const FitSpace& space) {
		std::vector<std::vector<std::size_t>> products{{}};
		for (const std::size_t a : space.varying) products.push_back({a});
		if (space.varying.size() > 1) add_basis(space, products);
	}
	std::vector<Basis> bases_;
	std::size_t largest_basis_ = 0;
};
}
namespace ferry {
enum class RealFunction : std::uint8_t { itself, square_root, inverse, inverse_root, logarithm };
inline constexpr std::array real_functions{RealFunction::itself, RealFunction::inverse, RealFunction::square_root,
		RealFunction::inverse_root, RealFunction::logarithm};
struct RealFit {
	RealFunction function = RealFunction::itself;
	SymExpr of{};
	double factor = 1;
};
namespace detail {
[[nodiscard]] inline double apply(RealFunction function, double x) {
	switch (function) {
		case RealFunction::itself: return x;
		case RealFunction::square_root: return std::sqrt(x);
		case RealFunction::inverse: return 1 / x;
		case RealFunction::inverse_root: return 1 / std::sqrt(x);
		case RealFunction::logarithm: return std::log(x);
	}
	return x;
}
[[nodiscard]] inline double real_tolerance(std::span<const double> observed) {
	const bool are_floats =
		algo::all_of(observed, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
	const bool are_short = algo::all_of(observed, [](double x) { return x == std::nearbyint(x * 1024) / 1024; });
	return are_floats && !are_short ? 1e-6 : 1e-12;
}
struct RealCandidate {
	std::vector<std::int64_t> column;
	SymExpr of;
};
[[nodiscard]] inline bool same_ratio(RealFunction function, std::int64_t x, std::int64_t y, double a, double b,
		double tolerance) {
	if (x <= 0 || y <= 0 || a == 0) return false;
	const double wanted = b * apply(function, static_cast<double>(x)),
		found = a * apply(function, static_cast<double>(y));
	return std::abs(wanted - found) <= tolerance * std::abs(found);
}
[[nodiscard]] inline std::optional<RealFit> solve_real(RealFunction function, const RealCandidate& candidate,
		std::span<const double> observed) {
	const double tolerance = real_tolerance(observed);
	const auto& column = candidate.column;
	for (std::size_t i = 1; i < observed.size(); ++i)
		if (!same_ratio(function, column[0], column[i], observed[0], observed[i], tolerance)) return std::nullopt;
	RealFit fit{function, candidate.of, observed[0] / apply(function, static_cast<double>(column[0]))};
	const auto agrees = [&](double factor) {
		for (std::size_t i = 0; i < observed.size(); ++i)
		if (!(std::abs(factor * apply(function, static_cast<double>(column[i])) - observed[i]) <=
		tolerance * std::abs(observed[i])))
		return false;
		return factor != 0;
	};
	for (const double digits : {1.0, 10.0, 1000.0, 1024.0, 1e6})
		if (const double shorter = std::nearbyint(fit.factor * digits) / digits; agrees(shorter)) {
		fit.factor = shorter;
		break;
		}
	return std::isfinite(fit.factor) ? std::optional(fit) : std::nullopt;
}
}
[[nodiscard]] inline std::optional<RealFit> fit_reals(std::span<const detail::RealCandidate> candidates,
		std::span<const double> observed) {
	if (!algo::all_of(observed, [](double x) { return std::isfinite(x) && x != 0; })) return std::nullopt;
	for (const RealFunction function : real_functions)
		for (const detail::RealCandidate& candidate : candidates)
		if (auto fit = detail::solve_real(function, candidate, observed)) return fit;
	return std::nullopt;
}
}
namespace ferry::detail {
class FitRivals {
public:
	explicit FitRivals(const FitSpace& all) : space(all) {}
	[[nodiscard]] std::vector<ProbePoint> points_apart(const Candidates& candidates) const {
		std::vector<Column> values(candidates.size());
		std::vector<ProbePoint> places;
		const auto compare_at = [&](const std::vector<ProbePoint>& more) {
		for (const auto& place : more) {
		SymBindings bindings;
		for (std::size_t d = 0; d < space.dims.size(); ++d) bindings.set(space.dims[d].name, place[d]);
		for (std::size_t c = 0; c < candidates.size(); ++c)
		values[c].push_back(value_or_none(candidates[c].expr, bindings));
		}
		places.insert(places.end(), more.begin(), more.end());
		};
		const auto rivals = [&] {
		return algo::count_if(values, [&](const Column& column) { return column != values[0]; });
		};
		compare_at(comparison_points());
		if (rivals() <= 8) compare_at(critical_points(candidates));
		std::vector<std::size_t> alive;
		for (std::size_t c = 0; c < candidates.size(); ++c)
		if (c == 0 || values[c] != values[0]) alive.push_back(c);
		if (alive.size() == 1) return {};
		std::vector<ProbePoint> splitting;
		const bool doubtful = space.points.size() > 10;
		while (alive.size() > 1 && splitting.size() < 3) {
		const std::size_t at =
		doubtful && splitting.size() == 1 ? best_split(values, alive) : best_refutation(values, alive);
		if (algo::contains(splitting, places[at])) break;
		splitting.push_back(places[at]);
		if (!doubtful || splitting.size() != 2)
		std::erase_if(alive, [&](std::size_t c) { return values[c][at] != values[0][at]; });
		}
		return splitting;
	}
private:
	static std::size_t best_refutation(const std::vector<Column>& values, const std::vector<std::size_t>& alive) {
		std::size_t best = 0;
		std::ptrdiff_t most = -1;
		for (std::size_t p = 0; p < values[0].size(); ++p) {
		const auto differs = [&](std::size_t c) { return values[c][p] != values[0][p]; };
		if (const auto wrong = algo::count_if(alive, differs); wrong > most) {
		most = wrong;
		best = p;
		}
		}
		return best;
	}
	static std::size_t best_split(const std::vector<Column>& values, const std::vector<std::size_t>& alive) {
		std::size_t best = 0;
		std::size_t least = alive.size() + 1;
		Column seen;
		for (std::size_t p = 0; p < values[0].size(); ++p) {
		seen.clear();
		for (const std::size_t c : alive) seen.push_back(values[c][p]);
		algo::sort(seen);
		std::size_t largest = 0;
		for (auto at = seen.begin(); at != seen.end();) {
		const auto next = std::upper_bound(at, seen.end(), *at);
		largest = std::max(largest, static_cast<std::size_t>(next - at));
		at = next;
		}
		if (largest < least) {
		least = largest;
		best = p;
		}
		}
		return best;
	}
	[[nodiscard]] std::vector<ProbePoint> critical_points(const Candidates& candidates) const {
		std::vector<ProbePoint> result;
		for (const std::size_t d : space.varying) {
		std::vector<std::int64_t> sizes;
		for (const auto& candidate : candidates)
		critical_sizes(candidate.expr, space.dims[d].name, probe_domain(space.dims[d]), sizes);
		algo::sort(sizes);
		sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
		ProbePoint base;
		for (const auto& dim : space.dims)
		base.push_back(probe_domain(dim).max - 1 > probe_domain(dim).min ? probe_domain(dim).max - 1
		: probe_domain(dim).max);
		for (const std::int64_t size : sizes) {
		result.push_back(base);
		result.back()[d] = size;
		}
		}
		return result;
	}
	static std::int64_t value_or_none(const SymExpr& expr, const SymBindings& bindings) {
		try {
		return evaluate(expr, bindings);
		} catch (const Error&) {
		return std::numeric_limits<std::int64_t>::min();
		}
	}
	[[nodiscard]] std::vector<ProbePoint> comparison_points() const {
		std::vector<ProbePoint> result;
		ProbeRandom random{99};
		const auto anywhere = [&] {
		ProbePoint point;
		for (const auto& dim : space.dims) point.push_back(random.within(probe_domain(dim)));
		return point;
		};
		result.reserve(32 + 64 * space.varying.size());
		for (int i = 0; i < 32; ++i) result.push_back(anywhere());
		for (const std::size_t d : space.varying) {
		const ValueRange domain = probe_domain(space.dims[d]);
		const ProbePoint base = anywhere();
		for (std::int64_t i = 0; i < 64 && i <= domain.max - domain.min; ++i) {
		result.push_back(base);
		result.back()[d] = domain.min + i;
		}
		}
		return result;
	}
	const FitSpace& space;
};
}
namespace ferry::detail {
class FitSteps {
public:
	FitSteps(const FitSpace& all, Candidates& found) : space(all), candidates(found) {}
	void find(const Column& v) const {
		if (v.size() < 3 || algo::any_of(v, [](std::int64_t x) { return x > fit_limit || x < -fit_limit; })) return;
		const auto shapes = variables();
		const auto factors = multipliers();
		const auto explain = [&](const Column& y, int cost, const auto& wrap) {
		for (const auto& x : shapes)
		CornerFamilies(x.column, y, x.expr, x.open).all(x.cost == 0 ? 8 : 1, [&](int found, const auto& build) {
		keep(candidates, found + cost + x.cost, parameters_of(x), [&] { return wrap(build()); });
		});
		for (std::size_t i = 0; i < space.varying.size(); ++i)
		for (std::size_t j = i + 1; j < space.varying.size(); ++j) extremes(y, i, j, cost, wrap);
		};
		for (const auto& factor : factors)
		if (const auto y = quotient(v, factor.column))
		explain(*y, factor.cost, [&](const SymExpr& f) { return f * factor.expr; });
		for (std::size_t m = 1; m < std::min(space.squares_end, std::size_t{40}); ++m)
		for (const std::int64_t times : {1, -1, 2})
		explain(difference(v, space.monomials[m].column, times),
		3 + 3 * static_cast<int>(space.monomials[m].dims.size()),
		[&](const SymExpr& f) { return f + SymExpr(times) * space.monomials[m].expr; });
		if (!candidates.empty()) return;
		for (const std::int64_t offset : {0, 1, 2, -1}) {
		const Column shifted = difference(v, space.monomials[0].column, offset);
		for (const auto& factor : factors) {
		const auto y = quotient(shifted, factor.column);
		if (!y) continue;
		const auto wrap = [&](const SymExpr& f) { return f * factor.expr + offset; };
		const int cost = factor.cost + (offset == 0 ? 0 : 4);
		if (offset != 0) explain(*y, cost, wrap);
		if (factor.cost <= 6) two_floors(*y, cost, wrap);
		}
		if (!candidates.empty()) return;
		}
		for (const auto& factor : factors)
		if (const auto y = quotient(v, factor.column))
		for (const auto& x : shapes)
		CornerFamilies(x.column, *y, x.expr, x.open).clipped_floors([&](int found, const auto& build) {
		keep(candidates, found + factor.cost + x.cost, two_steps,
		[&] { return build() * factor.expr; });
		});
		if (!candidates.empty() || !has_many()) return;
		for (const auto& x : pairs())
		CornerFamilies(x.column, v, x.expr, x.open).all(1, [&](int found, const auto& build) {
		keep(candidates, found + x.cost, parameters_of(x), [&] { return build(); });
		});
	}
private:
	static constexpr std::size_t one_step = 5; 
	static constexpr std::size_t two_steps = 6;
	struct Variable {
		Column column;
		SymExpr expr;
		int cost = 0;
		bool open = false;
	};
	[[nodiscard]] static std::size_t parameters_of(const Variable& x) { return x.cost == 0 ? one_step : 2 * one_step; }
	[[nodiscard]] bool has_many() const { return space.varying.size() > 4; }
	[[nodiscard]] std::vector<Variable> variables() const {
		std::vector<Variable> result;
		result.reserve(space.varying.size());
		for (std::size_t i = 0; i < space.varying.size(); ++i)
		result.push_back({space.column_of(i), space.symbol(i), 0, space.is_open(space.varying[i])});
		if (has_many()) return result;
		for (Variable& pair : pairs()) result.push_back(std::move(pair));
		return result;
	}
	[[nodiscard]] std::vector<Variable> pairs() const {
		std::vector<Variable> result;
		for (std::size_t m = 1; m < space.squares_end; ++m)
		if (space.monomials[m].dims.size() == 2)
		result.push_back(
		{space.monomials[m].column, space.monomials[m].expr, 4,
		algo::any_of(space.monomials[m].dims, [this](std::size_t d) { return space.is_open(d); })});
		for (std::size_t i = 0; i < space.varying.size(); ++i)
		for (std::size_t j = 0; j < space.varying.size(); ++j) {
		if (i == j) continue;
		for (const int sign : {1, -1}) {
		if (sign == 1 && j < i) continue;
		Column column;
		column.reserve(space.points.size());
		for (const auto& point : space.points)
		column.push_back(point[space.varying[i]] + sign * point[space.varying[j]]);
		result.push_back({std::move(column), space.symbol(i) + SymExpr(sign) * space.symbol(j), 4,
		space.is_open(space.varying[i]) || space.is_open(space.varying[j])});
		}
		}
		return result;
	}
	static std::optional<Column> quotient(const Column& v, const Column& by) {
		Column result(v.size());
		for (std::size_t i = 0; i < v.size(); ++i) {
		if (by[i] <= 0 || v[i] % by[i] != 0) return std::nullopt;
		result[i] = v[i] / by[i];
		}
		return result;
	}
	static Column difference(const Column& v, const Column& less, std::int64_t times) {
		Column result(v.size());
		for (std::size_t i = 0; i < v.size(); ++i) result[i] = v[i] - times * less[i];
		return result;
	}
	[[nodiscard]] std::vector<Variable> multipliers() const {
		std::vector<Variable> result;
		result.reserve(space.monomials.size() + 2 * space.varying.size());
		for (const auto& monomial : space.monomials)
		result.push_back({monomial.column, monomial.expr, 3 * static_cast<int>(monomial.dims.size())});
		for (std::size_t i = 0; i < space.varying.size(); ++i)
		for (const std::int64_t offset : {1, -1}) {
		Column column = space.column_of(i);
		for (auto& x : column) x += offset;
		result.push_back({std::move(column), space.symbol(i) + offset, 6});
		}
		return result;
	}
	template <class Wrap>
	void extremes(const Column& y, std::size_t i, std::size_t j, int cost, const Wrap& wrap) const {
		bool larger = true;
		bool smaller = true;
		for (std::size_t p = 0; p < space.points.size(); ++p) {
		const auto [low, high] = std::minmax(space.points[p][space.varying[i]], space.points[p][space.varying[j]]);
		smaller = smaller && y[p] == low;
		larger = larger && y[p] == high;
		}
		if (larger)
		keep(candidates, 7 + cost, one_step, [&] { return wrap(sym_max({space.symbol(i), space.symbol(j)})); });
		if (smaller)
		keep(candidates, 7 + cost, one_step, [&] { return wrap(sym_min({space.symbol(i), space.symbol(j)})); });
	}
	template <class Wrap>
	void two_floors(const Column& y, int cost, const Wrap& wrap) const {
		if (algo::any_of(y, [](std::int64_t x) { return x < 0; })) return;
		std::vector<Column> columns;
		columns.reserve(space.varying.size());
		for (std::size_t j = 0; j < space.varying.size(); ++j) columns.push_back(space.column_of(j));
		Column rest;
		Column at;
		for (std::size_t i = 0; i < space.varying.size(); ++i)
		for (std::int64_t d = 2; d <= 64; ++d)
		for (std::int64_t c = 1 - d; c < d; ++c) {
		bool divides = true;
		std::size_t known = 0;
		for (std::size_t p = 0; p < y.size() && divides; ++p) {
		const std::int64_t factor = checked_floor_div(columns[i][p] + c, d);
		divides = factor > 0 ? y[p] % factor == 0 : factor == 0 && y[p] == 0;
		known += factor > 0 ? 1 : 0;
		}
		if (!divides || known < 3) continue;
		const auto [low, high] = std::minmax_element(columns[i].begin(), columns[i].end());
		const std::int64_t rise = checked_floor_div(*high + c, d) - checked_floor_div(*low + c, d);
		if (rise < (space.is_open(space.varying[i]) ? 2 : 1)) continue;
		const int first = cost + 4 + divisor_cost(d) + (c == 0 ? 0 : c == d - 1 ? 1 : 3);
		for (std::size_t j = i; j < space.varying.size(); ++j) {
		rest.clear();
		at.clear();
		for (std::size_t p = 0; p < y.size(); ++p) {
		const std::int64_t factor = checked_floor_div(columns[i][p] + c, d);
		if (factor == 0) continue;
		rest.push_back(y[p] / factor);
		at.push_back(columns[j][p]);
		}
		const SymExpr other = space.symbol(j);
		CornerFamilies(at, rest, other, space.is_open(space.varying[j]))
		.only_floors([&](int found, const auto& build) {
		keep(candidates, first + found, two_steps,
		[&] { return wrap(floor_div(space.symbol(i) + c, d) * build()); });
		});
		}
		}
	}
	const FitSpace& space;
	Candidates& candidates;
};
}
namespace ferry {
class Fitter {
public:
	static constexpr std::size_t max_points = 32;
	Fitter(std::vector<ProbeDim> dims, std::vector<ProbePoint> points, std::span<const SymExpr> known = {})
		: space_(std::move(dims), std::move(points)), polynomials_(space_) {
		add_known(known);
		if (!detail::separates(space_.points, space_.dims)) weak_ = missing_points();
		if (weak_.empty()) weak_ = points_of_known();
	}
	[[nodiscard]] const std::vector<ProbePoint>& points() const noexcept { return space_.points; }
	const Fit& fit(std::span<const std::int64_t> observed) {
		if (observed.size() != space_.points.size())
		throw Error(ErrorKind::internal, "observed values and probe points differ in number");
		key_.assign(observed.begin(), observed.end());
		const auto at = memo_.find(key_);
		if (at != memo_.end()) return at->second;
		return memo_.emplace(key_, find(key_)).first->second;
	}
	[[nodiscard]] std::optional<RealFit> fit(std::span<const double> observed) const {
		std::vector<detail::RealCandidate> candidates;
		const auto add = [&](const Column& column, const SymExpr& expr) {
		for (const std::int64_t by : {0, -1, 1}) {
		Column moved = column;
		for (std::int64_t& each : moved) each += by;
		candidates.push_back({std::move(moved), expr + SymExpr(by)});
		}
		};
		for (std::size_t m = 0; m < space_.squares_end; ++m) add(space_.monomials[m].column, space_.monomials[m].expr);
		std::vector<std::pair<SymExpr, const Column*>> found;
		for (const auto& [column, fit] : memo_)
		if (fit.status == FitStatus::found && !fit.expr.is_constant()) found.emplace_back(fit.expr, &column);
		algo::sort(found, {}, &std::pair<SymExpr, const Column*>::first);
		for (const auto& [expr, column] : found) add(*column, expr);
		return fit_reals(candidates, observed);
	}
	[[nodiscard]] std::vector<ProbePoint> wanted_points(std::size_t limit = 4) const {
		std::vector<std::pair<std::size_t, ProbePoint>> votes;
		for (const auto& [observed, result] : memo_)
		for (const auto& point : result.more) {
		const auto at = algo::find(votes, point, &std::pair<std::size_t, ProbePoint>::second);
		if (at == votes.end())
		votes.emplace_back(1, point);
		else
		++at->first;
		}
		algo::sort(votes, [](const auto& a, const auto& b) {
		return a.first != b.first ? a.first > b.first : a.second < b.second;
		});
		std::vector<ProbePoint> wanted;
		for (auto& [count, point] : votes)
		if (wanted.size() < limit) wanted.push_back(std::move(point));
		return wanted;
	}
private:
	using Column = detail::Column;
	using Candidates = detail::Candidates;
	void add_known(std::span<const SymExpr> known) {
		for (const SymExpr& expr : known) {
		const bool is_ours = algo::all_of(free_symbols(expr), [&](const std::string& symbol) {
		return algo::contains(space_.dims, symbol, &ProbeDim::name);
		});
		if (!is_ours) continue;
		Column column;
		column.reserve(space_.points.size());
		try {
		for (const auto& point : space_.points) {
		SymBindings sizes;
		for (std::size_t i = 0; i < point.size(); ++i) sizes.set(space_.dims[i].name, point[i]);
		column.push_back(evaluate(expr, sizes));
		}
		} catch (const Error&) {
		continue;
		}
		Candidates& alike = known_alike_[column];
		const bool looks_constant = algo::all_of(column, [&](std::int64_t x) { return x == column[0]; });
		if (alike.empty() && looks_constant) alike.push_back({0, 1, column[0]});
		if (!algo::contains(alike, expr, &detail::FitCandidate::expr))
		alike.push_back({static_cast<int>(alike.size()), known_parameters, expr});
		known_.emplace(std::move(column), Fit{FitStatus::found, expr, {}});
		}
	}
	[[nodiscard]] std::vector<ProbePoint> points_of_known() const {
		std::vector<ProbePoint> found;
		const detail::FitRivals rivals(space_);
		for (const auto& [column, alike] : known_alike_) {
		if (alike.size() < 2) continue;
		for (ProbePoint& point : rivals.points_apart(alike))
		if (!algo::contains(found, point)) found.push_back(std::move(point));
		}
		return found;
	}
	[[nodiscard]] std::vector<ProbePoint> missing_points() const {
		std::vector<ProbePoint> missing;
		auto tried = space_.points;
		for (const auto& point : choose_probe_points(space_.dims)) {
		if (algo::contains(tried, point)) continue;
		tried.push_back(point);
		missing.push_back(point);
		}
		if (missing.empty()) missing = more_probe_points(space_.dims, space_.points, 2);
		return missing;
	}
	[[nodiscard]] Fit accept(SymExpr expr, std::size_t parameters) const {
		if (!weak_.empty()) return {FitStatus::needs_more_points, std::move(expr), weak_};
		const std::size_t wanted = parameters + 2;
		if (space_.points.size() >= wanted || all_points_taken()) return {FitStatus::found, std::move(expr), {}};
		return {FitStatus::needs_more_points, std::move(expr),
		more_probe_points(space_.dims, space_.points, wanted - space_.points.size())};
	}
	[[nodiscard]] bool all_points_taken() const {
		double combinations = 1;
		for (const auto& dim : space_.dims) {
		const ValueRange domain = probe_domain(dim);
		combinations *= static_cast<double>(domain.max - domain.min) + 1;
		}
		if (combinations > static_cast<double>(space_.points.size())) return false;
		auto distinct = space_.points;
		algo::sort(distinct);
		distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
		return static_cast<double>(distinct.size()) >= combinations;
	}
	[[nodiscard]] Fit find(const Column& v) const {
		if (algo::all_of(v, [&](std::int64_t x) { return x == v[0]; })) return accept(v[0], 1);
		Candidates candidates;
		detail::FitPolynomials::single_products(space_, v, candidates);
		if (candidates.empty()) detail::FitPolynomials::two_terms(space_, v, candidates);
		if (candidates.empty()) polynomials_.dense(space_, v, candidates);
		if (const auto known = known_.find(v); candidates.empty() && known != known_.end())
		return accept(known->second.expr, known_parameters);
		if (!candidates.empty()) return choose(std::move(candidates));
		detail::FitSteps(space_, candidates).find(v);
		auto made = detail::FitMet(memo_, known_).find(v);
		if (made && !candidates.empty()) candidates.push_back({rival_cost, known_parameters, made->expr});
		if (!candidates.empty()) return choose(std::move(candidates));
		if (made) return accept_made_of(std::move(*made));
		if (space_.points.size() < std::min(polynomials_.largest_basis() + 2, max_points))
		return {FitStatus::needs_more_points,
		{},
		more_probe_points(space_.dims, space_.points,
		std::min(polynomials_.largest_basis() + 2, max_points) - space_.points.size())};
		return {};
	}
	[[nodiscard]] Fit accept_made_of(detail::FitMet::Made parts) const {
		Fit made = accept(std::move(parts.expr), known_parameters);
		for (const Fit* part : parts.of)
		if (part->status == FitStatus::needs_more_points)
		made.status = part->status, made.more.insert(made.more.end(), part->more.begin(), part->more.end());
		return made;
	}
	[[nodiscard]] Fit choose(Candidates candidates) const {
		algo::stable_sort(candidates, {}, &detail::FitCandidate::cost);
		Fit fit = accept(candidates[0].expr, candidates[0].parameters);
		if (candidates.size() == 1) return fit;
		auto splitting = detail::FitRivals(space_).points_apart(candidates);
		if (splitting.empty()) return fit;
		if (space_.points.size() >= max_points) return {};
		fit.status = FitStatus::needs_more_points;
		for (auto& point : fit.more)
		if (splitting.size() < fit.more.size() && !algo::contains(splitting, point))
		splitting.push_back(std::move(point));
		fit.more = std::move(splitting);
		return fit;
	}
	detail::FitSpace space_;
	detail::FitPolynomials polynomials_;
	std::unordered_map<Column, Candidates, detail::ColumnHash> known_alike_;
	std::vector<ProbePoint> weak_;
	static constexpr std::size_t known_parameters = 3;
	static constexpr int rival_cost = 1000;
	detail::FitsByColumn known_;
	detail::FitsByColumn memo_;
	Column key_;
};
}
namespace ferry::capture {
class ValueObserver final : public OpHandler {
public:
	ValueObserver()
		: OpHandler([](OpHandler& self, const c10::OperatorHandle& op, c10::DispatchKeySet,
		torch::jit::Stack* stack) { static_cast<ValueObserver&>(self).take(op, stack); },
		/*records=*/false) {}
	[[nodiscard]] std::vector<std::int64_t> take_values() noexcept { return std::move(values_); }
private:
	void take(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
		const UntracedScope below;
		op.callBoxed(stack);
		if (class_of(c10::toString(op.operator_name())) != OpClass::value_query) return;
		const c10::IValue& told = stack->back();
		values_.push_back(told.isInt() ? told.toInt() : 0);
	}
	std::vector<std::int64_t> values_;
};
template <class Run>
[[nodiscard]] std::vector<std::int64_t> observe_values(Run&& run) {
	const c10::AutoGradMode no_gradients(false);
	ValueObserver observer;
	const TraceScope scope(observer);
	run();
	return observer.take_values();
}
}
#include <cstring>
namespace ferry::capture {
enum class Parting {
	other_steps,   
	other_rank,    
	other_constant,
	fails,         
};
struct Divergence {
	std::size_t op = 0;     
	std::string name{};     
	std::string reason{};   
	std::size_t run = 0;    
	std::uint32_t memory = Lifted::not_made;
	Parting how = Parting::other_steps;
	std::string_view module{};
};
[[nodiscard]] inline std::string place_and_reason(const Divergence& why) {
	constexpr std::size_t most = 240;
	std::string reason = why.reason.substr(0, std::min(why.reason.find('\n'), most));
	return (why.name.empty() ? "" : "at " + why.name + ", ") + std::move(reason);
}
[[nodiscard]] std::optional<Divergence> compare_steps(const Trace& first, const Trace& other);
struct RealSource {
	std::optional<Value> computed{};
	RealFit fit{};                  
};
[[nodiscard]] inline bool has_tensor_form(std::string_view op) {
	for (const std::string_view base : {"aten::mul.", "aten::div.", "aten::add.", "aten::sub."})
		if (op.starts_with(base) && (op.substr(base.size()) == "Scalar" || op.substr(base.size()) == "Tensor"))
		return true;
	return false;
}
class Unifier {
public:
	Unifier(std::vector<const Trace*> traces, Fitter& fitter)
		: traces_(std::move(traces)), fitter_(fitter), observed_(traces_.size()) {}
	Unifier(std::span<const Trace> traces, Fitter& fitter) : Unifier(pointers_to(traces), fitter) {}
	[[nodiscard]] Unifier inside(std::size_t op, std::size_t subtrace) const {
		std::vector<const Trace*> inner;
		inner.reserve(traces_.size());
		for (const Trace* trace : traces_) inner.push_back(trace->ops[op].subtraces[subtrace].get());
		return {std::move(inner), fitter_};
	}
	[[nodiscard]] const Trace& first() const noexcept { return *traces_[0]; }
	template <class Visit, class VisitReal>
	[[nodiscard]] std::optional<Divergence> find_divergence(Visit&& visit, VisitReal&& visit_real);
	[[nodiscard]] bool needs_more_points() const noexcept { return needs_more_points_; }
	template <class Pick>
	[[nodiscard]] SymExpr size(Pick&& pick) {
		bool same = true;
		for (std::size_t run = 0; run < traces_.size(); ++run) {
		observed_[run] = pick(*traces_[run]);
		same = same && observed_[run] == observed_[0];
		}
		if (same) return observed_[0];
		const Fit& fit = fitter_.fit(observed_);
		if (fit.status == FitStatus::none) throw Unexplained{};
		needs_more_points_ = needs_more_points_ || fit.status == FitStatus::needs_more_points;
		return fit.expr;
	}
	[[nodiscard]] std::vector<SymExpr> sizes(Value value) {
		return shape(value, [](const at::Tensor& t) { return t.sizes(); });
	}
	[[nodiscard]] std::vector<SymExpr> strides(Value value, const std::vector<SymExpr>& sizes);
	[[nodiscard]] SymExpr integer(std::size_t op, std::span<const std::size_t> path) {
		return size(
		[&](const Trace& trace) { return *walk(trace.ops[op].arguments, path).template get_if<std::int64_t>(); });
	}
	[[nodiscard]] SymExpr output_integer(std::span<const std::size_t> path) {
		return size([&](const Trace& trace) { return *walk(trace.outputs, path).template get_if<std::int64_t>(); });
	}
	[[nodiscard]] SymExpr told(std::size_t op, std::size_t which) {
		return size([&](const Trace& trace) { return trace.ops[op].told[which].number; });
	}
	[[nodiscard]] std::optional<RealSource> real(std::size_t op, std::span<const std::size_t> path) const {
		const auto source =
		real([&](const Trace& trace) { return *walk(trace.ops[op].arguments, path).template get_if<double>(); });
		if (source && takes_tensor(*source) && !has_tensor_form(first().ops[op].name)) throw Unexplained{};
		return source;
	}
	[[nodiscard]] std::optional<RealSource> output_real(std::span<const std::size_t> path) const {
		const auto source =
		real([&](const Trace& trace) { return *walk(trace.outputs, path).template get_if<double>(); });
		if (source && takes_tensor(*source)) throw Unexplained{};
		return source;
	}
	template <class Visit, class VisitReal>
	void for_each_number(Visit&& visit, VisitReal&& visit_real);
private:
	struct Unexplained : std::exception {};
	[[nodiscard]] static const Argument& walk(const std::vector<Argument>& arguments,
		std::span<const std::size_t> path) {
		const Argument* at = &arguments[path[0]];
		for (const std::size_t step : path.subspan(1)) at = &(*at->get_if<ArgumentList>())[step];
		return *at;
	}
	[[nodiscard]] static bool takes_tensor(const RealSource& source) {
		return !source.computed && source.fit.function == RealFunction::logarithm;
	}
	template <class Pick>
	[[nodiscard]] std::optional<RealSource> real(Pick&& pick) const {
		const auto is_everywhere = [&](auto&& number) {
		return algo::all_of(traces_, [&](const Trace* trace) {
		const double given = pick(*trace), found = number(*trace);
		return given == found || (std::isnan(given) && std::isnan(found));
		});
		};
		const double constant = pick(*traces_[0]);
		if (is_everywhere([&](const Trace&) { return constant; })) return std::nullopt;
		for (const Value value : traces_[0]->reals)
		if (is_everywhere([&](const Trace& trace) { return trace.values[value.index].real; }))
		return RealSource{.computed = value};
		std::vector<double> numbers;
		numbers.reserve(traces_.size());
		for (const Trace* trace : traces_) numbers.push_back(pick(*trace));
		if (auto found = fitter_.fit(numbers)) return RealSource{.fit = *std::move(found)};
		throw Unexplained{};
	}
	template <class Get>
	[[nodiscard]] std::vector<SymExpr> shape(Value value, Get&& get) {
		std::vector<SymExpr> made;
		const std::size_t rank = get(traces_[0]->values[value.index].tensor).size();
		made.reserve(rank);
		for (std::size_t dim = 0; dim < rank; ++dim)
		made.push_back(size([&](const Trace& trace) { return get(trace.values[value.index].tensor)[dim]; }));
		return made;
	}
	[[nodiscard]] static std::vector<const Trace*> pointers_to(std::span<const Trace> traces) {
		std::vector<const Trace*> pointers;
		for (const Trace& trace : traces) pointers.push_back(&trace);
		return pointers;
	}
	std::vector<const Trace*> traces_;
	Fitter& fitter_;
	std::vector<std::int64_t> observed_;
	std::size_t at_ = 0;
	bool needs_more_points_ = false;
};
namespace detail {
[[nodiscard]] inline bool same_constant(const at::Tensor& a, const at::Tensor& b) {
	if (a.is_same(b)) return true;
	if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
	if (a.is_meta() || b.is_meta() || a.numel() == 0) return true;
	if (!a.is_contiguous() || !b.is_contiguous() || !a.is_cpu() || !b.is_cpu())
		return a.const_data_ptr() == b.const_data_ptr();
	return std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}
[[nodiscard]] inline bool follows_from_sizes(double mine, double theirs, const Trace& first, const Trace& other) {
	const std::array both{mine, theirs};
	const double tolerance = ferry::detail::real_tolerance(both);
	const auto follows = [&](std::int64_t x, std::int64_t y) {
		return x != y && algo::any_of(real_functions, [&](RealFunction function) {
		return ferry::detail::same_ratio(function, x, y, mine, theirs, tolerance);
		});
	};
	for (const Value input : first.inputs) {
		const auto a = first.values[input.index].tensor.sizes(), b = other.values[input.index].tensor.sizes();
		for (std::size_t i = 0; i < a.size(); ++i) {
		if (follows(a[i], b[i]) || follows(a[i] - 1, b[i] - 1) || follows(a[i] + 1, b[i] + 1)) return true;
		for (std::size_t k = i + 1; k < a.size(); ++k)
		if (follows(a[i] * a[k], b[i] * b[k])) return true;
		}
	}
	return false;
}
[[nodiscard]] inline std::string difference(const Argument& first, const Argument& other, const Trace& mine,
		const Trace& theirs) {
	if (first.variant().index() != other.variant().index()) return "an argument is of another kind";
	if (const auto* list = first.get_if<ArgumentList>()) {
		const auto& others = *other.get_if<ArgumentList>();
		if (list->size() != others.size())
		return "a list has " + std::to_string(others.size()) + " items instead of " + std::to_string(list->size());
		for (std::size_t i = 0; i < list->size(); ++i)
		if (std::string found = difference((*list)[i], others[i], mine, theirs); !found.empty()) return found;
		return {};
	}
	if (first.is<std::int64_t>() || first == other) return {};
	const auto* real = first.get_if<double>();
	if (real != nullptr && std::isnan(*real) && std::isnan(*other.get_if<double>())) return {};
	const bool computed =
		real != nullptr && algo::any_of(mine.reals, [&](Value value) {
		return mine.values[value.index].real == *real && theirs.values[value.index].real == *other.get_if<double>();
		});
	if (computed || (real != nullptr && follows_from_sizes(*real, *other.get_if<double>(), mine, theirs))) return {};
	if (real != nullptr)
		return "a floating-point argument is " + std::to_string(*other.get_if<double>()) + " instead of " +
		std::to_string(*real);
	return first.is<Value>() ? "another tensor is passed" : "an argument that is no size differs";
}
}
inline std::vector<SymExpr> Unifier::strides(Value value, const std::vector<SymExpr>& sizes) {
	const at::Tensor& sample = traces_[0]->values[value.index].tensor;
	const bool is_same = algo::all_of(
		traces_, [&](const Trace* trace) { return trace->values[value.index].tensor.strides() == sample.strides(); });
	if (is_same) return {sample.strides().begin(), sample.strides().end()};
	std::vector<std::size_t> order(static_cast<std::size_t>(sample.dim()));
	for (std::size_t dim = 0; dim < order.size(); ++dim) order[dim] = dim;
	algo::stable_sort(order, [&](std::size_t a, std::size_t b) { return sample.strides()[a] > sample.strides()[b]; });
	std::vector<SymExpr> found(sizes.size());
	SymExpr next = 1;
	observed_.assign(traces_.size(), 1);
	const auto factor_of = [&](std::size_t dim) -> std::optional<std::int64_t> {
		std::optional<std::int64_t> factor;
		for (std::size_t run = 0; run < traces_.size(); ++run) {
		const at::Tensor& tensor = traces_[run]->values[value.index].tensor;
		if (tensor.sizes()[dim] == 1) continue;
		const std::int64_t stride = tensor.strides()[dim];
		if (!factor && stride % observed_[run] == 0) factor = stride / observed_[run];
		if (!factor || *factor * observed_[run] != stride) return std::nullopt;
		}
		return factor.value_or(1);
	};
	std::size_t left = order.size();
	for (; left > 0; --left) {
		const std::size_t dim = order[left - 1];
		const auto factor = factor_of(dim);
		if (!factor) break;
		found[dim] = *factor == 1 ? next : next * SymExpr(*factor);
		if (*factor == 0 || left == 1) continue;
		next = found[dim] * (sizes[dim].is_constant(0) ? SymExpr(1) : sizes[dim]);
		for (std::size_t run = 0; run < traces_.size(); ++run)
		observed_[run] *=
		*factor * std::max<std::int64_t>(traces_[run]->values[value.index].tensor.sizes()[dim], 1);
	}
	if (left == 0) return found;
	const bool needed = needs_more_points_;
	needs_more_points_ = false;
	std::vector<SymExpr> made;
	try {
		made = shape(value, [](const at::Tensor& t) { return t.strides(); });
		if (needs_more_points_) made.clear();
	} catch (const Unexplained&) {
		made.clear();
	}
	needs_more_points_ = needed;
	return made;
}
inline std::optional<Divergence> compare_steps(const Trace& first, const Trace& other) {
	for (std::size_t i = 0; i < first.ops.size(); ++i) {
		const TraceOp& mine = first.ops[i];
		const auto differs = [&](std::string reason) {
		return Divergence{
		.op = i, .name = std::string(mine.name), .reason = std::move(reason), .module = mine.module};
		};
		if (i >= other.ops.size()) return differs("the other run ends before it");
		const TraceOp& theirs = other.ops[i];
		if (theirs.name != mine.name) return differs("the other run calls " + std::string(theirs.name) + " instead");
		for (std::size_t k = 0; k < mine.subtraces.size(); ++k)
		if (auto inner = compare_steps(*mine.subtraces[k], *theirs.subtraces[k]))
		return differs("inside it, at " + inner->name + ", " + inner->reason);
		for (std::size_t k = 0; k < mine.arguments.size(); ++k)
		if (std::string found = detail::difference(mine.arguments[k], theirs.arguments[k], first, other);
		!found.empty())
		return differs(std::move(found));
		if (theirs.told.size() != mine.told.size()) return differs("another number of its sizes is known beforehand");
		for (std::size_t k = 0; k < mine.outputs.size(); ++k) {
		if (theirs.outputs[k].values.size() != mine.outputs[k].values.size())
		return differs("it returns another number of tensors");
		for (const Value value : mine.outputs[k].values)
		if (first.values[value.index].tensor.defined() &&
		first.values[value.index].tensor.dim() != other.values[value.index].tensor.dim()) {
		Divergence found = differs("its result has another number of dimensions");
		found.how = Parting::other_rank;
		return found;
		}
		}
	}
	const auto at_end = [&](std::string op, std::string reason) {
		return Divergence{.op = first.ops.size(), .name = std::move(op), .reason = std::move(reason)};
	};
	if (other.ops.size() > first.ops.size())
		return at_end(std::string(other.ops[first.ops.size()].name), "only the other run calls it");
	if (other.outputs.size() != first.outputs.size()) return at_end({}, "it returns another number of outputs");
	for (std::size_t i = 0; i < first.outputs.size(); ++i)
		if (std::string found = detail::difference(first.outputs[i], other.outputs[i], first, other); !found.empty())
		return at_end({}, "an output differs: " + found);
	for (std::size_t i = 0; i < first.lifted.size() && i < other.lifted.size(); ++i)
		if (!detail::same_constant(first.lifted[i].tensor, other.lifted[i].tensor)) {
		Divergence found = at_end({}, "a tensor that forward fills through its data pointer is another one");
		found.memory = first.lifted[i].memory;
		found.how = Parting::other_constant;
		return found;
		}
	return std::nullopt;
}
[[nodiscard]] inline bool differs_at(const Trace& first, const Trace& other, std::size_t op) {
	if (op >= first.ops.size()) return first.outputs != other.outputs;
	if (first.ops[op].arguments != other.ops[op].arguments) return true;
	for (const Output& output : first.ops[op].outputs)
		for (const Value value : output.values)
		if (const at::Tensor& made = first.values[value.index].tensor;
		made.defined() && made.sizes() != other.values[value.index].tensor.sizes())
		return true;
	return false;
}
namespace detail {
template <class Visitor>
void walk_numbers(const Trace& trace, Visitor&& visit) {
	std::vector<std::size_t> path;
	const auto walk = [&](const auto& self, std::size_t op, const Argument& argument) -> void {
		if (const auto* number = argument.get_if<std::int64_t>()) visit.integer(op, path, *number);
		if (const auto* number = argument.get_if<double>()) visit.real(op, path, *number);
		if (const auto* list = argument.get_if<ArgumentList>())
		for (std::size_t i = 0; i < list->size(); ++i) {
		path.push_back(i);
		self(self, op, (*list)[i]);
		path.pop_back();
		}
	};
	for (const Value input : trace.inputs) visit.size(0, input);
	for (std::size_t at = 0; at < trace.ops.size(); ++at) {
		const TraceOp& op = trace.ops[at];
		for (std::size_t k = 0; k < op.subtraces.size(); ++k) visit.body(at, k);
		for (std::size_t i = 0; i < op.arguments.size(); ++i) {
		path.assign(1, i);
		walk(walk, at, op.arguments[i]);
		}
		for (std::size_t i = 0; i < op.told.size(); ++i) visit.told(at, i, op.told[i].number);
		for (const Output& output : op.outputs)
		for (const Value value : output.values)
		if (trace.values[value.index].kind == ValueKind::tensor) visit.size(at, value);
	}
	for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
		if (trace.outputs[i].is<ArgumentList>()) continue;
		path.assign(1, i);
		walk(walk, trace.ops.size(), trace.outputs[i]);
	}
}
}
template <class Visit, class VisitReal>
void Unifier::for_each_number(Visit&& visit, VisitReal&& visit_real) {
	struct Visitor {
		Unifier& runs;
		Visit& visit;
		VisitReal& visit_real;
		using Path = std::vector<std::size_t>;
		[[nodiscard]] bool is_output(std::size_t op) const { return op == runs.first().ops.size(); }
		void size(std::size_t op, Value value) {
		runs.at_ = op;
		for (const SymExpr& each : runs.sizes(value)) visit(each);
		}
		void integer(std::size_t op, const Path& path, std::int64_t) {
		runs.at_ = op;
		visit(is_output(op) ? runs.output_integer(path) : runs.integer(op, path));
		}
		void real(std::size_t op, const Path& path, double number) {
		runs.at_ = op;
		visit_real(is_output(op) ? runs.output_real(path) : runs.real(op, path), number);
		}
		void told(std::size_t op, std::size_t which, std::int64_t) {
		runs.at_ = op;
		visit(runs.told(op, which));
		}
		void body(std::size_t op, std::size_t which) {
		runs.at_ = op;
		Unifier inner = runs.inside(op, which);
		inner.for_each_number(visit, visit_real);
		runs.needs_more_points_ = runs.needs_more_points_ || inner.needs_more_points_;
		}
	};
	detail::walk_numbers(first(), Visitor{*this, visit, visit_real});
}
template <class Visit, class VisitReal>
std::optional<Divergence> Unifier::find_divergence(Visit&& visit, VisitReal&& visit_real) {
	const Trace& first = *traces_[0];
	for (std::size_t run = 1; run < traces_.size(); ++run)
		if (auto found = compare_steps(first, *traces_[run])) {
		found->run = run;
		return found;
		}
	try {
		for_each_number(visit, visit_real);
	} catch (const Unexplained&) {
		std::string values;
		for (const std::int64_t number : observed_)
		values.append(values.empty() ? "" : ", ").append(std::to_string(number));
		return Divergence{.op = at_,
		.name = at_ < first.ops.size() ? std::string(first.ops[at_].name) : "",
		.reason = "no expression over the dynamic sizes gives the integers " + values};
	}
	return std::nullopt;
}
}
#include <ATen/CPUGeneratorImpl.h>
namespace ferry::capture {
class Untouched {
public:
	explicit Untouched(std::span<const at::Tensor> state)
		: generator_(at::detail::getDefaultCPUGenerator()), random_(generator_.get_state()) {
		for (const at::Tensor& tensor : state)
		if (tensor.defined() && !tensor.is_meta()) before_.emplace_back(tensor, tensor.detach().clone());
	}
	Untouched(const Untouched&) = delete;
	Untouched& operator=(const Untouched&) = delete;
	~Untouched() {
		put_back();
		const std::scoped_lock lock(generator_.mutex());
		generator_.set_state(random_);
	}
	void put_back() {
		const c10::AutoGradMode no_gradients(false);
		for (auto& [tensor, value] : before_) tensor.copy_(value);
	}
	void seed(std::uint64_t number) {
		const std::scoped_lock lock(generator_.mutex());
		generator_.set_current_seed(number);
	}
private:
	at::Generator generator_;
	at::Tensor random_;
	std::vector<std::pair<at::Tensor, at::Tensor>> before_;
};
}
namespace ferry::capture {
struct ShapePlan {
	std::vector<ProbeDim> symbols{};
	std::vector<std::vector<SymExpr>>
		sizes{};
	[[nodiscard]] SymBindings bindings_at(const ProbePoint& point, SymBindings known = {}) const {
		for (std::size_t i = 0; i < symbols.size(); ++i) known.set(symbols[i].name, point[i]);
		return known;
	}
};
struct StartAgain : std::exception {};
class Session {
public:
	Session(RunModel run, std::vector<Leaf> leaves, OpRules rules, ModuleNames names = {})
		: run_(std::move(run)), leaves_(std::move(leaves)), infos_(rules), names_(std::move(names)) {}
	struct Outcome {
		Trace trace{};
		Tree output{};
	};
	[[nodiscard]] const std::vector<Leaf>& leaves() const noexcept { return leaves_; }
	[[nodiscard]] ModuleNames& names() noexcept { return names_; }
	[[nodiscard]] Outcome run(const std::vector<std::vector<std::int64_t>>& sizes,
		std::span<const std::int64_t> unbacked, const SymBindings& symbols = {});
	[[nodiscard]] Outcome run(const ShapePlan& plan, const ProbePoint& point);
	void set_ops_alone(bool alone) noexcept { ops_alone_ = alone; }
	[[nodiscard]] bool runs_code() const noexcept { return !ops_alone_; }
	[[nodiscard]] bool computes() const { return infos_.any_computes(); }
	void set_state(std::vector<at::Tensor> written, bool has_data) {
		state_ = std::move(written);
		has_data_ = has_data;
	}
	void set_watch(LeftBehindWatch* watch) noexcept { watch_ = watch; }
	[[nodiscard]] std::size_t steps_done() const noexcept { return steps_done_; }
	[[nodiscard]] bool has_asked() const noexcept { return has_asked_; }
	[[nodiscard]] bool observe();
	void set_stated(const StatedSizes& stated) noexcept { stated_ = &stated; }
	[[nodiscard]] const StatedSizes* stated() const noexcept { return stated_; }
	[[nodiscard]] std::set<std::uint32_t>& traced_memory() noexcept { return traced_memory_; }
private:
	void require_unwritten(const Trace& trace);
	RunModel run_;
	std::vector<Leaf> leaves_;
	OpInfos infos_;
	const StatedSizes* stated_ = nullptr;
	bool ops_alone_ = false;
	bool has_asked_ = false;
	bool has_data_ = true;
	std::size_t steps_done_ = 0;
	std::size_t expected_ops_ = 0, expected_values_ = 0;
	LeftBehindWatch* watch_ = nullptr;
	std::vector<at::Tensor> state_;
	std::vector<std::int64_t> observed_;
	std::set<const c10::TensorImpl*> written_state_;
	std::set<std::uint32_t> traced_memory_;
	ModuleNames names_;
	Fakes fakes_;
	LooseNumbers numbers_;
};
[[nodiscard]] inline std::vector<std::int64_t> strides_like(const at::Tensor& like, at::IntArrayRef sizes) {
	std::vector<std::size_t> order(sizes.size());
	for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
	algo::sort(order, [&](std::size_t a, std::size_t b) {
		const auto stride_a = like.stride(static_cast<std::int64_t>(a)),
		stride_b = like.stride(static_cast<std::int64_t>(b));
		return stride_a != stride_b ? stride_a < stride_b : a > b;
	});
	std::vector<std::int64_t> strides(order.size());
	std::int64_t next = 1;
	for (const std::size_t d : order) {
		strides[d] = next;
		next = ferry::detail::checked_mul(next, sizes[d]);
	}
	return strides;
}
inline Session::Outcome Session::run(const std::vector<std::vector<std::int64_t>>& sizes,
		std::span<const std::int64_t> unbacked, const SymBindings& symbols) {
	has_asked_ = false;
	numbers_.begin_run();
	if (watch_ != nullptr) watch_->begin_run();
	Tracer tracer(infos_, {.unbacked = unbacked,
		.sizes = &symbols,
		.stated = stated_,
		.constants_stay_real = !ops_alone_,
		.names = &names_,
		.fakes = &fakes_,
		.numbers = ops_alone_ ? nullptr : &numbers_,
		.traced_memory = &traced_memory_,
		.observed = observed_,
		.written_state = &written_state_,
		.knows_state = !ops_alone_,
		.has_asked = &has_asked_,
		.watch = watch_});
	tracer.expect(expected_ops_, expected_values_);
	std::vector<Leaf> given = leaves_;
	for (std::size_t i = 0; i < given.size(); ++i) {
		if (given[i].get_if<std::int64_t>() != nullptr && !sizes[i].empty()) given[i] = sizes[i][0];
		if (!given[i].is_tensor() || !given[i].tensor().defined()) continue;
		const at::Tensor& like = given[i].tensor();
		const bool is_sample = like.sizes() == at::IntArrayRef(sizes[i]);
		const at::Tensor fake =
		is_sample ? fake_like(like) : make_fake(sizes[i], strides_like(like, sizes[i]), like.scalar_type());
		if (watch_ != nullptr) watch_->add(fake);
		given[i] = tracer.add_input(fake, like.device());
	}
	Outcome outcome;
	{
		const TraceScope scope(tracer);
		ModuleCalls calls{.patch = infos_.rules().model_patch};
		const ModuleCallsScope announced(&calls);
		try {
		outcome.output = run_(std::move(given));
		} catch (const StartAgain&) {
		throw;
		} catch (const std::exception& thrown) {
		steps_done_ = tracer.steps();
		if (numbers_.end_run()) throw StartAgain{};
		tracer.require_settled();
		tracer.rethrow_own(thrown);
		throw forward_error(thrown, tracer.place());
		}
		for (const Leaf& leaf : outcome.output.leaves) tracer.add_output(to_ivalue(leaf));
	}
	if (numbers_.end_run()) throw StartAgain{};
	outcome.trace = tracer.finish();
	expected_ops_ = outcome.trace.ops.size();
	expected_values_ = outcome.trace.values.size();
	require_unwritten(outcome.trace);
	return outcome;
}
inline void Session::require_unwritten(const Trace& trace) {
	bool found = false;
	for (const Mutation& mutation : trace.mutations)
		if (algo::contains(trace.fixed, mutation.before)) {
		const auto state = algo::find(trace.lifted, mutation.before, &Lifted::value);
		written_state_.insert(state->tensor.unsafeGetTensorImpl());
		found = true;
		}
	if (found) throw StartAgain{};
}
inline bool Session::observe() {
	std::vector<Leaf> given = leaves_;
	for (Leaf& leaf : given) {
		if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
		if (leaf.tensor().is_meta()) return false;
		leaf = leaf.tensor().detach().clone();
	}
	if (ops_alone_ || !has_data_) return false;
	const Untouched guard(state_);
	try {
		observed_ = observe_values([&] { static_cast<void>(run_(given)); });
	} catch (const Error&) {
		throw;
	} catch (const std::exception& thrown) {
		throw forward_error(thrown, {});
	}
	return true;
}
inline Session::Outcome Session::run(const ShapePlan& plan, const ProbePoint& point) {
	const SymBindings bindings = plan.bindings_at(point, stated_ != nullptr ? stated_->sample : SymBindings());
	std::vector<std::vector<std::int64_t>> sizes(plan.sizes.size());
	for (std::size_t leaf = 0; leaf < sizes.size(); ++leaf)
		for (const SymExpr& size : plan.sizes[leaf]) sizes[leaf].push_back(evaluate(size, bindings));
	std::vector<std::int64_t> unbacked;
	for (std::size_t i = 0; i < plan.symbols.size(); ++i)
		if (is_unbacked_name(plan.symbols[i].name)) unbacked.push_back(point[i]);
	return run(sizes, unbacked, bindings);
}
}
namespace ferry::capture {
class GradientRegions {
public:
	explicit GradientRegions(const Trace& trace) : leaks_(trace.values.size(), false) {
		if (algo::all_of(trace.ops, &TraceOp::gradients)) return;
		std::vector<bool> carries(trace.values.size(), false);
		const auto may_carry = [&](Value value) {
		const at::Tensor& tensor = trace.values[value.index].tensor;
		return tensor.defined() && (tensor.is_floating_point() || tensor.is_complex());
		};
		for (const Value input : trace.inputs) carries[input.index] = may_carry(input);
		for (const Lifted& lifted : trace.lifted) carries[lifted.value.index] = lifted.tensor.requires_grad();
		for (const TraceOp& op : trace.ops) {
		bool any = false;
		for (const Argument& argument : op.arguments)
		for_each_value(argument, [&](Value value) {
		any = any || (carries[value.index] && !(op.gradients && leaks_[value.index]));
		});
		for (const Output& output : op.outputs)
		for (const Value value : output.values) {
		carries[value.index] = any && may_carry(value);
		leaks_[value.index] = carries[value.index] && !op.gradients;
		}
		}
	}
	[[nodiscard]] bool must_detach(Value value) const { return leaks_[value.index]; }
private:
	std::vector<bool> leaks_;
};
}
namespace ferry::capture {
namespace detail {
[[nodiscard]] inline std::string comparison_text(std::string a, std::string_view comparison, const std::string& b) {
	if (comparison == "eq" || comparison == "ne") return (comparison == "eq" ? "Eq(" : "Ne(") + a + ", " + b + ")";
	return std::move(a) +
		(comparison == "ge"   ? " >= "
		: comparison == "le" ? " <= "
		: comparison == "gt" ? " > "
		: " < ") +
		b;
}
}
[[nodiscard]] inline Value append_function(Graph& graph, std::string_view op, std::string_view name,
		std::vector<Argument> operands, ValueInfo result) {
	std::vector<NamedArgument> arguments;
	arguments.reserve(operands.size());
	for (Argument& operand : operands)
		arguments.push_back({.name = arguments.empty() ? "a" : "b", .value = std::move(operand)});
	const Value value = graph.new_value(name, std::move(result));
	graph.append(op, std::move(arguments), {{.values = {value}}});
	return value;
}
class SizeNodes {
public:
	explicit SizeNodes(Graph& graph) : graph_(graph) {}
	void check_ranges(std::vector<std::pair<std::string, ValueRange>> ranges) { checked_ = std::move(ranges); }
	void check_equal(std::vector<std::pair<std::string, SymExpr>> equal) { equal_ = std::move(equal); }
	void read_inputs();
	void add_input(const std::string& symbol);
	void read_result(Value result);
	void tie(Value own, const std::string& name, const SymExpr& size);
	[[nodiscard]] Value read(Value tensor, std::size_t dim, const SymExpr& size);
	[[nodiscard]] Argument of(const SymExpr& expression) {
		if (expression.is_constant()) return expression.value();
		return compute(expression);
	}
	[[nodiscard]] Value compute(const SymExpr& expression);
	void require(const SymExpr& a, std::string_view comparison, const SymExpr& b, std::string_view why = {});
private:
	void define(std::string_view name, Value tensor, std::size_t dim);
	void solve(const AffineSize& affine, Value size);
	void meet(std::string_view name, Value value);
	void check(const Argument& a, std::string_view comparison, const Argument& b, const std::string& message);
	[[nodiscard]] Value call(std::string_view op, std::string_view name, std::vector<Argument> operands,
		const SymExpr& result);
	[[nodiscard]] Value sum(const SymExpr& expression);
	[[nodiscard]] Value chain(const SymExpr& expression, std::string_view op, std::string_view name);
	Graph& graph_;
	std::map<std::string, Value, std::less<>> symbols_;
	std::map<SymExpr, Value> computed_;
	std::vector<std::pair<std::string, ValueRange>> checked_;
	std::vector<std::pair<std::string, SymExpr>> equal_;
	std::set<std::string> made_checks_;
};
inline Value SizeNodes::read(Value tensor, std::size_t dim, const SymExpr& size) {
	const Value value = graph_.new_value("sym_size_int", {.name = {}, .kind = ValueKind::sym_int, .symbol = size});
	graph_.append("aten::sym_size.int",
		{{.name = "self", .value = tensor}, {.name = "dim", .value = static_cast<std::int64_t>(dim)}},
		{{.values = {value}}});
	computed_.emplace(size, value);
	return value;
}
inline void SizeNodes::meet(std::string_view name, Value value) {
	symbols_.emplace(name, value);
	computed_.emplace(SymExpr::symbol(name), value);
	for (const auto& [symbol, range] : checked_) {
		if (symbol != name) continue;
		const SymExpr size = SymExpr::symbol(name);
		if (range.min == range.max) {
		require(size, "eq", range.min);
		continue;
		}
		if (range.min != ValueRange::no_min) require(size, "ge", range.min);
		if (range.max != ValueRange::no_max) require(size, "le", range.max);
	}
}
inline void SizeNodes::require(const SymExpr& a, std::string_view comparison, const SymExpr& b, std::string_view why) {
	if (a.is_constant() && b.is_constant()) return;
	if (a == b && (comparison == "eq" || comparison == "le" || comparison == "ge")) return;
	std::string message = detail::comparison_text(to_string(a), comparison, to_string(b));
	if (!made_checks_.insert(message).second) return;
	if (why.starts_with(message))
		message = why;
	else if (!why.empty())
		message += " (" + std::string(why) + ")";
	const Argument left = of(a), right = of(b);
	check(left, comparison, right, message);
}
inline void SizeNodes::check(const Argument& a, std::string_view comparison, const Argument& b,
		const std::string& message) {
	const Value holds = graph_.new_value(comparison, {.name = {}, .kind = ValueKind::sym_bool});
	graph_.append("_operator::" + std::string(comparison), {{.name = "a", .value = a}, {.name = "b", .value = b}},
		{{.values = {holds}}});
	graph_.append("aten::_assert_scalar",
		{{.name = "self", .value = holds},
		{.name = "assert_msg",
		.value = "Runtime assertion failed for expression " + message + " on node '" +
		graph_.info(holds).name + "'"}},
		{});
}
inline void SizeNodes::tie(Value own, const std::string& name, const SymExpr& size) {
	if (!algo::all_of(free_symbols(size), [&](const auto& symbol) { return symbols_.contains(symbol); }))
		throw Error(ErrorKind::unsupported, "a size is stated in terms of values that come later: " + to_string(size),
		{.where = {.stage = "dynamic shapes"}});
	if (!size.is_symbol()) computed_.erase(size);
	check(own, "eq", of(size), detail::comparison_text(name, "eq", to_string(size)));
}
inline void SizeNodes::define(std::string_view name, Value tensor, std::size_t dim) {
	if (!symbols_.contains(name)) meet(name, read(tensor, dim, SymExpr::symbol(name)));
}
inline void SizeNodes::solve(const AffineSize& affine, Value size) {
	const SymExpr symbol = SymExpr::symbol(affine.symbol);
	const SymExpr multiple = symbol * SymExpr(affine.factor);
	Value value = size;
	if (affine.offset != 0) value = call("_operator::sub", "sub", {value, affine.offset}, multiple);
	if (affine.factor != 1) value = call("_operator::floordiv", "floordiv", {value, affine.factor}, symbol);
	meet(affine.symbol, value);
}
inline void SizeNodes::read_inputs() {
	const std::vector<Value> inputs(graph_.inputs().begin(), graph_.inputs().end());
	for (const Value input : inputs) {
		const ValueInfo info = graph_.info(input);
		if (info.kind == ValueKind::sym_int && info.symbol.is_symbol() && !symbols_.contains(info.symbol.name()))
		meet(info.symbol.name(), input);
		const auto& sizes = info.tensor.sizes;
		for (std::size_t dim = 0; dim < sizes.size(); ++dim)
		if (sizes[dim].is_symbol()) define(sizes[dim].name(), input, dim);
	}
	for (const Value input : inputs) {
		const auto sizes = graph_.info(input).tensor.sizes;
		for (std::size_t dim = 0; dim < sizes.size(); ++dim)
		if (const auto affine = as_affine(sizes[dim]); affine && !symbols_.contains(affine->symbol))
		solve(*affine, read(input, dim, sizes[dim]));
	}
	for (const auto& [symbol, expected] : equal_) require(SymExpr::symbol(symbol), "eq", expected);
}
inline void SizeNodes::add_input(const std::string& symbol) {
	const SymExpr expression = SymExpr::symbol(symbol);
	const Value value = graph_.add_input(symbol, {.name = {}, .kind = ValueKind::sym_int, .symbol = expression});
	symbols_.emplace(symbol, value);
	computed_.emplace(expression, value);
}
inline void SizeNodes::read_result(Value result) {
	const ValueInfo info = graph_.info(result);
	const auto is_new = [&](const std::optional<AffineSize>& affine) {
		return affine && is_unbacked_name(affine->symbol) && !symbols_.contains(affine->symbol);
	};
	if (info.kind == ValueKind::sym_int && info.symbol.is_symbol()) meet(info.symbol.name(), result);
	if (info.kind == ValueKind::sym_int)
		if (const auto affine = as_affine(info.symbol); is_new(affine)) solve(*affine, result);
	for (std::size_t dim = 0; dim < info.tensor.sizes.size(); ++dim)
		if (const SymExpr& size = info.tensor.sizes[dim]; size.is_symbol())
		define(size.name(), result, dim);
		else if (const auto affine = as_affine(size); is_new(affine))
		solve(*affine, read(result, dim, size));
}
inline Value SizeNodes::call(std::string_view op, std::string_view name, std::vector<Argument> operands,
		const SymExpr& result) {
	const Value value = append_function(graph_, op, name, std::move(operands),
		{.name = {}, .kind = ValueKind::sym_int, .symbol = result});
	computed_.emplace(result, value);
	return value;
}
inline Value SizeNodes::compute(const SymExpr& expression) {
	if (const auto known = computed_.find(expression); known != computed_.end()) return known->second;
	switch (expression.op()) {
		case SymOp::sum: return sum(expression);
		case SymOp::floor_div: return chain(expression, "_operator::floordiv", "floordiv");
		case SymOp::mod: return chain(expression, "_operator::mod", "mod");
		case SymOp::max: return chain(expression, "torch::sym_max", "sym_max");
		case SymOp::min: return chain(expression, "torch::sym_min", "sym_min");
		default:
		throw Error(ErrorKind::internal, "a size that no graph can compute",
		{.where = {.stage = "dynamic shapes"}});
	}
}
inline Value SizeNodes::chain(const SymExpr& expression, std::string_view op, std::string_view name) {
	Argument result = of(expression.args()[0]);
	SymExpr so_far = expression.args()[0];
	for (std::size_t i = 1; i < expression.args().size(); ++i) {
		const bool last = i + 1 == expression.args().size();
		so_far = last ? expression
		: (op == "torch::sym_max" ? sym_max({so_far, expression.args()[i]})
		: sym_min({so_far, expression.args()[i]}));
		result = call(op, name, {result, of(expression.args()[i])}, so_far);
	}
	return *result.get_if<Value>();
}
inline Value SizeNodes::sum(const SymExpr& expression) {
	std::optional<Argument> sum;
	SymExpr so_far;
	const auto add = [&](Argument part, const SymExpr& meaning) {
		so_far = so_far + meaning;
		sum = sum ? Argument(call("_operator::add", "add", {*sum, std::move(part)}, so_far)) : std::move(part);
	};
	for (const SymTerm& term : expression.terms()) {
		std::optional<Argument> product;
		SymExpr meaning = 1;
		const auto multiply = [&](Argument factor, const SymExpr& by) {
		meaning = meaning * by;
		product = product ? Argument(call("_operator::mul", "mul", {*product, std::move(factor)}, meaning))
		: std::move(factor);
		};
		for (const SymFactor& factor : term.factors)
		for (std::int32_t i = 0; i < factor.exponent; ++i) multiply(of(factor.base), factor.base);
		if (term.coefficient != 1) multiply(Argument(term.coefficient), SymExpr(term.coefficient));
		add(*product, meaning);
	}
	if (expression.value() != 0) add(Argument(expression.value()), SymExpr(expression.value()));
	return *sum->get_if<Value>();
}
}
namespace ferry::capture {
class RealNodes {
public:
	RealNodes(Graph& graph, SizeNodes& sizes) : graph_(graph), sizes_(sizes) {}
	[[nodiscard]] Argument of(const RealFit& fit, DType operand) {
		if (fit.function == RealFunction::logarithm) return logarithm(fit, operand);
		const Argument size = sizes_.of(fit.of);
		const SymExpr x = real_call(SymOp::to_float, {fit.of});
		switch (fit.function) {
		case RealFunction::inverse:
		return call("_operator::truediv", "truediv", {fit.factor, size},
		real_call(SymOp::float_true_div, {SymExpr::real(fit.factor), x}));
		case RealFunction::inverse_root:
		return call("_operator::truediv", "truediv", {fit.factor, root(size, x)},
		real_call(SymOp::float_true_div, {SymExpr::real(fit.factor), unary_call("sqrt", x)}));
		case RealFunction::square_root: return scaled(root(size, x), fit.factor, unary_call("sqrt", x));
		default: return scaled(call("torch::sym_float", "sym_float", {size}, x), fit.factor, x);
		}
	}
private:
	[[nodiscard]] Value call(std::string_view op, std::string_view name, std::vector<Argument> operands,
		const SymExpr& meaning) {
		return append_function(graph_, op, name, std::move(operands),
		{.name = {}, .kind = ValueKind::sym_float, .symbol = meaning});
	}
	[[nodiscard]] Value root(const Argument& size, const SymExpr& x) {
		return call("torch::sym_sqrt", "sym_sqrt", {size}, unary_call("sqrt", x));
	}
	[[nodiscard]] Value scaled(Value value, double factor, const SymExpr& meaning) {
		if (factor == 1) return value;
		return call("_operator::mul", "mul", {value, factor}, meaning * SymExpr::real(factor));
	}
	[[nodiscard]] Value logarithm(const RealFit& fit, DType operand) {
		const bool is_wide = operand == DType::float64 || operand == DType::complex128;
		const TensorMeta meta{.dtype = is_wide ? DType::float64 : DType::float32};
		const auto tensor = [&](std::string_view op, std::string_view name, std::vector<NamedArgument> arguments) {
		const Value value = graph_.new_value(name, {.name = {}, .tensor = meta});
		graph_.append(op, std::move(arguments), {{.values = {value}}});
		return value;
		};
		const Value size = tensor(
		"aten::scalar_tensor", "scalar_tensor",
		{{.name = "s", .value = sizes_.of(fit.of)}, {.name = "dtype", .value = meta.dtype, .keyword = true}});
		const Value log = tensor("aten::log", "log", {{.name = "self", .value = size}});
		if (fit.factor == 1) return log;
		return tensor("aten::mul.Tensor", "mul",
		{{.name = "self", .value = log}, {.name = "other", .value = fit.factor}});
	}
	Graph& graph_;
	SizeNodes& sizes_;
};
}
namespace ferry::capture {
class GraphBuilder {
public:
	explicit GraphBuilder(Unifier& unifier)
		: first_(unifier.first()), unifier_(unifier), gradients_(first_), made_(first_.values.size()) {}
	Value add_input(std::string_view name, Value traced) {
		return made_[traced.index] = graph_.add_input(name, describe(traced));
	}
	Value add_input(std::string_view name, Value traced, std::vector<SymExpr> sizes);
	Value add_number_input(std::string_view name, const SymExpr& number) {
		return graph_.add_input(name, {.name = {}, .kind = ValueKind::sym_int, .symbol = number});
	}
	Value add_unused_input(std::string_view name, const at::Tensor& tensor);
	void check_ranges(std::vector<std::pair<std::string, ValueRange>> ranges) {
		sizes_.check_ranges(std::move(ranges));
	}
	void check_equal(std::vector<std::pair<std::string, SymExpr>> equal) { sizes_.check_equal(std::move(equal)); }
	void build();
	[[nodiscard]] const std::string& name_of(Value made) const { return graph_.info(made).name; }
	[[nodiscard]] Value of(Value traced) const { return made_[traced.index]; }
	[[nodiscard]] Argument output(std::size_t position);
	[[nodiscard]] Graph finish() && { return std::move(graph_); }
private:
	[[nodiscard]] ValueInfo describe(Value traced);
	[[nodiscard]] Argument convert(const Argument& argument, std::vector<std::size_t>& path, std::size_t op);
	void add_node(std::size_t index);
	void add_subgraphs(std::size_t index, std::vector<NamedArgument>& arguments);
	[[nodiscard]] std::vector<NamedArgument> arguments_of(std::size_t index);
	void check_told(const std::vector<Value>& results, const ToldSize& told, const SymExpr& size);
	void add_check(std::size_t index);
	void add_real(std::size_t index);
	[[nodiscard]] DType operand_dtype(std::size_t index) const;
	[[nodiscard]] std::string_view name_with(const TraceOp& op, const std::vector<NamedArgument>& arguments);
	[[nodiscard]] Value without_history(Value traced);
	[[nodiscard]] const std::vector<Argument>& defaults(const c10::FunctionSchema& schema);
	const Trace& first_;
	Unifier& unifier_;
	GradientRegions gradients_;
	Graph graph_;
	SizeNodes sizes_{graph_};
	RealNodes reals_{graph_, sizes_};
	std::vector<Value> made_;
	std::unordered_map<std::uint32_t, Value> detached_;
	std::set<std::string_view> placed_;
	std::unordered_map<const c10::FunctionSchema*, std::vector<Argument>> defaults_;
};
inline ValueInfo GraphBuilder::describe(Value traced) {
	const TraceValue& value = first_.values[traced.index];
	ValueInfo info{.name = {}, .kind = value.kind};
	if (value.kind != ValueKind::tensor) return info;
	info.tensor = {.dtype = to_dtype(value.tensor.scalar_type()),
		.layout = to_layout(value.tensor.layout()),
		.device = to_device(value.device),
		.sizes = unifier_.sizes(traced)};
	info.tensor.strides = unifier_.strides(traced, info.tensor.sizes);
	return info;
}
inline Value GraphBuilder::add_input(std::string_view name, Value traced, std::vector<SymExpr> sizes) {
	ValueInfo info = describe(traced);
	info.tensor.strides = unifier_.strides(traced, sizes);
	info.tensor.sizes = std::move(sizes);
	return made_[traced.index] = graph_.add_input(name, std::move(info));
}
inline Value GraphBuilder::add_unused_input(std::string_view name, const at::Tensor& tensor) {
	ValueInfo info;
	info.tensor = {.dtype = to_dtype(tensor.scalar_type()),
		.layout = to_layout(tensor.layout()),
		.device = to_device(tensor.device())};
	info.tensor.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
	info.tensor.strides.assign(tensor.strides().begin(), tensor.strides().end());
	return graph_.add_input(name, std::move(info));
}
inline void GraphBuilder::build() {
	sizes_.read_inputs();
	for (std::size_t i = 0; i < first_.ops.size(); ++i) add_node(i);
}
inline const std::vector<Argument>& GraphBuilder::defaults(const c10::FunctionSchema& schema) {
	const auto [found, is_new] = defaults_.try_emplace(&schema);
	if (is_new)
		for (const c10::Argument& argument : schema.arguments())
		found->second.push_back(argument.default_value()
		? to_argument(*argument.default_value(),
		ferry::detail::element_kind(argument.real_type().get()),
		[](const at::Tensor&) { return Value(); })
		: Argument(Value()));
	return found->second;
}
inline Argument GraphBuilder::convert(const Argument& argument, std::vector<std::size_t>& path, std::size_t op) {
	if (const auto* value = argument.get_if<Value>())
		return first_.ops[op].gradients ? without_history(*value) : of(*value);
	if (argument.is<std::int64_t>()) return sizes_.of(unifier_.integer(op, path));
	if (argument.is<double>())
		if (const auto source = unifier_.real(op, path))
		return source->computed ? of(*source->computed) : reals_.of(source->fit, operand_dtype(op));
	if (const auto* list = argument.get_if<ArgumentList>()) {
		ArgumentList made;
		made.reserve(list->size());
		for (std::size_t i = 0; i < list->size(); ++i) {
		path.push_back(i);
		made.push_back(convert((*list)[i], path, op));
		path.pop_back();
		}
		return made;
	}
	return argument;
}
inline std::vector<NamedArgument> GraphBuilder::arguments_of(std::size_t index) {
	const TraceOp& op = first_.ops[index];
	std::vector<NamedArgument> arguments;
	std::vector<std::size_t> path;
	if (op.schema == nullptr) {
		const auto names = higher_order_arguments(op.name);
		for (std::size_t i = 0; i < op.arguments.size(); ++i) {
		path.assign(1, i);
		arguments.push_back({.name = names[i], .value = convert(op.arguments[i], path, index)});
		}
		add_subgraphs(index, arguments);
		return arguments;
	}
	const auto& schema = op.schema->arguments();
	const std::vector<Argument>& usual = defaults(*op.schema);
	std::size_t last_positional = 0;
	for (std::size_t i = 0; i < schema.size(); ++i)
		if (!schema[i].kwarg_only() && !(op.arguments[i] == usual[i])) last_positional = i + 1;
	for (std::size_t i = 0; i < schema.size(); ++i) {
		if (schema[i].kwarg_only() ? op.arguments[i] == usual[i] : i >= last_positional) continue;
		path.assign(1, i);
		arguments.push_back({.name = graph_.intern(schema[i].name()),
		.value = convert(op.arguments[i], path, index),
		.keyword = schema[i].kwarg_only()});
	}
	return arguments;
}
inline void GraphBuilder::add_subgraphs(std::size_t index, std::vector<NamedArgument>& arguments) {
	const TraceOp& op = first_.ops[index];
	std::set<std::string> needed;
	const auto need = [&](const SymExpr& size) {
		for (const std::string& symbol : free_symbols(size)) needed.insert(symbol);
	};
	for (std::size_t k = 0; k < op.subtraces.size(); ++k)
		unifier_.inside(index, k).for_each_number(need, [&](const std::optional<RealSource>& source, double) {
		if (source && !source->computed) need(source->fit.of);
		});
	for (std::size_t k = 0; k < op.subtraces.size(); ++k) {
		Unifier inner = unifier_.inside(index, k);
		GraphBuilder body(inner);
		for (std::size_t i = 0; i < inner.first().inputs.size(); ++i)
		body.add_input("arg" + std::to_string(i) + "_1", inner.first().inputs[i]);
		for (const std::string& symbol : needed) body.sizes_.add_input(symbol);
		body.build();
		std::vector<Argument> outputs;
		outputs.reserve(inner.first().outputs.size());
		for (std::size_t i = 0; i < inner.first().outputs.size(); ++i) outputs.push_back(body.output(i));
		Graph graph = std::move(body).finish();
		graph.set_outputs(std::move(outputs));
		const Subgraph made = graph_.add_subgraph(
		subgraph_name(op.name, k) + "_" + std::to_string(graph_.num_subgraphs()), std::move(graph));
		for (NamedArgument& argument : arguments)
		if (const auto* wanted = argument.value.get_if<Subgraph>();
		wanted != nullptr && wanted->index == k && !placed_.contains(argument.name)) {
		argument.value = made;
		placed_.insert(argument.name);
		break;
		}
	}
	placed_.clear();
	auto& operands = *arguments.back().value.get_if<ArgumentList>();
	for (const std::string& symbol : needed) operands.emplace_back(sizes_.compute(SymExpr::symbol(symbol)));
}
inline DType GraphBuilder::operand_dtype(std::size_t index) const {
	for (const Argument& argument : first_.ops[index].arguments)
		if (const auto* value = argument.get_if<Value>())
		if (const at::Tensor& tensor = first_.values[value->index].tensor; tensor.defined())
		return to_dtype(tensor.scalar_type());
	return DType::float32;
}
inline std::string_view GraphBuilder::name_with(const TraceOp& op, const std::vector<NamedArgument>& arguments) {
	if (!op.name.ends_with(".Scalar") || !has_tensor_form(op.name) || arguments.size() < 2) return op.name;
	const auto* other = arguments[1].value.get_if<Value>();
	if (other == nullptr || graph_.info(*other).kind != ValueKind::tensor) return op.name;
	return graph_.intern(std::string(op.name.substr(0, op.name.size() - 6)) + "Tensor");
}
inline void GraphBuilder::add_node(std::size_t index) {
	const TraceOp& op = first_.ops[index];
	if (op.name == size_check) return add_check(index);
	if (op.outputs.size() == 1 && op.outputs[0].values.size() == 1 &&
		first_.values[op.outputs[0].values[0].index].kind == ValueKind::sym_float && op.schema == nullptr)
		return add_real(index);
	std::vector<NamedArgument> arguments = arguments_of(index);
	const auto colons = op.name.find("::");
	const std::string_view base = op.name.substr(colons + 2, op.name.find('.') - colons - 2);
	const bool several = op.outputs.size() > 1 || (op.outputs.size() == 1 && op.outputs[0].is_list);
	std::vector<Output> outputs;
	for (const Output& output : op.outputs) {
		outputs.push_back({.is_list = output.is_list});
		for (const Value value : output.values) {
		ValueInfo info = describe(value);
		if (info.kind == ValueKind::sym_int)
		info.symbol = unifier_.size([&](const Trace& trace) { return trace.values[value.index].number; });
		outputs.back().values.push_back(made_[value.index] =
		graph_.new_value(several ? "getitem" : base, std::move(info)));
		}
	}
	std::vector<Value> results;
	for (const Output& output : outputs) results.insert(results.end(), output.values.begin(), output.values.end());
	const std::string_view name = name_with(op, arguments);
	graph_.append(name, std::move(arguments), std::move(outputs)).set_module_path(graph_.intern(op.module));
	for (const Value result : results) sizes_.read_result(result);
	for (std::size_t i = 0; i < op.told.size(); ++i) check_told(results, op.told[i], unifier_.told(index, i));
}
inline void GraphBuilder::check_told(const std::vector<Value>& results, const ToldSize& told, const SymExpr& size) {
	bool found = false;
	const auto tie = [&](Value own) {
		found = true;
		sizes_.tie(own, told.name, size);
	};
	for (const Value result : results) {
		const ValueInfo info = graph_.info(result);
		if (info.kind == ValueKind::sym_int && info.symbol == size) tie(result);
		for (std::size_t dim = 0; dim < info.tensor.sizes.size(); ++dim)
		if (info.tensor.sizes[dim] == size) tie(sizes_.read(result, dim, size));
	}
	if (!found)
		throw Error(ErrorKind::internal, "a size that depends on values is in no result",
		{.where = {.stage = "dynamic shapes"}});
}
inline void GraphBuilder::add_check(std::size_t index) {
	const auto& arguments = first_.ops[index].arguments;
	const SymExpr a = unifier_.integer(index, std::vector<std::size_t>{0});
	const SymExpr b = unifier_.integer(index, std::vector<std::size_t>{1});
	sizes_.require(a, *arguments[2].get_if<std::string>(), b, *arguments[3].get_if<std::string>());
}
inline void GraphBuilder::add_real(std::size_t index) {
	const TraceOp& op = first_.ops[index];
	std::vector<NamedArgument> arguments;
	arguments.reserve(op.arguments.size());
	std::vector<std::size_t> path;
	for (std::size_t i = 0; i < op.arguments.size(); ++i) {
		path.assign(1, i);
		arguments.push_back({.name = i == 0   ? "a"
		: i == 1 ? "b"
		: "c",
		.value = convert(op.arguments[i], path, index)});
	}
	const Value traced = op.outputs[0].values[0];
	const Value made =
		graph_.new_value(op.name.substr(op.name.find("::") + 2),
		{.name = {}, .kind = ValueKind::sym_float, .symbol = first_.values[traced.index].meaning});
	made_[traced.index] = made;
	graph_.append(op.name, std::move(arguments), {{.values = {made}}});
}
inline Value GraphBuilder::without_history(Value traced) {
	if (!gradients_.must_detach(traced)) return of(traced);
	const auto [found, is_new] = detached_.try_emplace(traced.index);
	if (is_new) {
		found->second = graph_.new_value("detach", describe(traced));
		graph_.append("aten::detach", {{.name = "self", .value = of(traced)}}, {{.values = {found->second}}});
	}
	return found->second;
}
inline Argument GraphBuilder::output(std::size_t position) {
	std::vector<std::size_t> path{position};
	const Argument& argument = first_.outputs[position];
	if (const auto* value = argument.get_if<Value>()) return without_history(*value);
	if (argument.is<std::int64_t>()) return sizes_.of(unifier_.output_integer(path));
	if (argument.is<double>())
		if (const auto source = unifier_.output_real(path))
		return source->computed ? of(*source->computed) : reals_.of(source->fit, DType::float32);
	return argument;
}
}
namespace ferry::capture {
[[nodiscard]] inline bool lacks_contiguous(const Trace& longer, const Trace& shorter) {
	if (shorter.ops.size() >= longer.ops.size() || shorter.inputs.size() != longer.inputs.size() ||
		shorter.lifted.size() != longer.lifted.size() || shorter.mutations.size() != longer.mutations.size() ||
		shorter.outputs.size() != longer.outputs.size() || !shorter.reals.empty() || !shorter.fixed.empty())
		return false;
	std::size_t next = 0;
	for (const TraceOp& wanted : longer.ops) {
		const TraceOp* const op = next < shorter.ops.size() ? &shorter.ops[next] : nullptr;
		if (op == nullptr || op->name != wanted.name) {
		if (wanted.name != "aten::contiguous") return false;
		continue;
		}
		if (op->arguments.size() != wanted.arguments.size() || op->outputs.size() != wanted.outputs.size())
		return false;
		for (std::size_t i = 0; i < op->outputs.size(); ++i)
		if (op->outputs[i].values.size() != wanted.outputs[i].values.size()) return false;
		++next;
	}
	return next == shorter.ops.size();
}
namespace detail {
class ContiguousAligner {
public:
	ContiguousAligner(const Trace& longer, Trace shorter) : longer_(longer), shorter_(std::move(shorter)) {}
	[[nodiscard]] Trace align() && {
		Trace made;
		made.values.resize(longer_.values.size());
		made.ops.reserve(longer_.ops.size());
		for (std::size_t i = 0; i < longer_.inputs.size(); ++i) take(made, shorter_.inputs[i], longer_.inputs[i]);
		for (std::size_t i = 0; i < longer_.lifted.size(); ++i)
		take(made, shorter_.lifted[i].value, longer_.lifted[i].value);
		std::size_t next = 0;
		for (const TraceOp& wanted : longer_.ops) {
		if (next < shorter_.ops.size() && shorter_.ops[next].name == wanted.name)
		take_op(made, std::move(shorter_.ops[next++]), wanted);
		else
		insert(made, wanted);
		}
		return finish(std::move(made));
	}
private:
	void take(Trace& made, Value from, Value to) {
		renamed_[from.index] = to;
		made.values[to.index] = shorter_.values[from.index];
	}
	void rename(Argument& argument, const Argument& like) {
		std::vector<Value> wanted;
		for_each_value(like, [&](Value value) { wanted.push_back(value); });
		std::size_t at = 0;
		for_each_value(argument, [&](Value& value) {
		const auto found = renamed_.find(value.index);
		const Value expected = at < wanted.size() ? wanted[at] : Value();
		++at;
		if (found == renamed_.end()) return;
		value = found->second;
		for (Value one = expected; one; one = behind(one))
		if (one == value) {
		value = expected;
		return;
		}
		});
	}
	[[nodiscard]] Value behind(Value value) const {
		const auto found = inserted_.find(value.index);
		return found != inserted_.end() ? found->second : Value();
	}
	void take_op(Trace& made, TraceOp op, const TraceOp& wanted) {
		for (std::size_t i = 0; i < op.arguments.size(); ++i) rename(op.arguments[i], wanted.arguments[i]);
		for (std::size_t i = 0; i < op.outputs.size(); ++i)
		for (std::size_t k = 0; k < op.outputs[i].values.size(); ++k)
		take(made, std::exchange(op.outputs[i].values[k], wanted.outputs[i].values[k]),
		wanted.outputs[i].values[k]);
		made.ops.push_back(std::move(op));
	}
	void insert(Trace& made, const TraceOp& wanted) {
		const Value self = *wanted.arguments[0].get_if<Value>(), result = wanted.outputs[0].values[0];
		made.values[result.index] = made.values[self.index];
		inserted_[result.index] = self;
		made.ops.push_back(wanted);
	}
	[[nodiscard]] Trace finish(Trace made) {
		made.inputs = longer_.inputs;
		made.lifted = std::move(shorter_.lifted);
		for (std::size_t i = 0; i < made.lifted.size(); ++i) made.lifted[i].value = longer_.lifted[i].value;
		made.outputs = std::move(shorter_.outputs);
		for (std::size_t i = 0; i < made.outputs.size(); ++i) rename(made.outputs[i], longer_.outputs[i]);
		made.mutations = longer_.mutations;
		made.unbacked = std::move(shorter_.unbacked);
		made.unbacked_names = std::move(shorter_.unbacked_names);
		made.asked = longer_.asked;
		return made;
	}
	const Trace& longer_;
	Trace shorter_;
	std::unordered_map<std::uint32_t, Value> renamed_;
	std::unordered_map<std::uint32_t, Value> inserted_;
};
}
[[nodiscard]] inline Trace with_contiguous_of(const Trace& longer, Trace shorter) {
	if (!lacks_contiguous(longer, shorter)) return shorter;
	return detail::ContiguousAligner(longer, std::move(shorter)).align();
}
}
namespace ferry::capture {
namespace detail {
[[nodiscard]] inline const std::vector<std::int64_t>& compared_values() {
	static const std::vector<std::int64_t> values = [] {
		std::vector<std::int64_t> made;
		for (std::int64_t small = 0; small <= 100; ++small) made.push_back(small);
		for (const std::int64_t round :
		{128, 200, 256, 500, 512, 1000, 1024, 2048, 4096, 5000, 10000, 32000, 32768, 65536})
		for (const std::int64_t by : {-1, 0, 1}) made.push_back(round + by);
		made.insert(made.end(), {50256, 50257, 100000, 128000, 1000000});
		return made;
	}();
	return values;
}
template <class Chosen>
[[nodiscard]] std::vector<ProbePoint> rotated(const std::vector<ProbeDim>& dims, const ProbePoint& sample,
		std::span<const std::int64_t> numbers, Chosen&& chosen) {
	std::vector<ProbePoint> points;
	for (std::size_t round = 0; round < numbers.size(); ++round) {
		ProbePoint point = sample;
		std::size_t next = round;
		for (std::size_t i = 0; i < dims.size(); ++i) {
		if (!chosen(dims[i])) continue;
		const std::int64_t number = numbers[next++ % numbers.size()];
		if (dims[i].least <= number && dims[i].range.contains(number)) point[i] = number;
		}
		if (point != sample) points.push_back(std::move(point));
	}
	return points;
}
}
[[nodiscard]] inline std::vector<ProbePoint> points_of_values(const std::vector<ProbeDim>& dims,
		const ProbePoint& sample) {
	constexpr std::int64_t counts[] = {2, 3, 4, 5, 6, 7, 8, 10, 16, 100};
	auto points =
		detail::rotated(dims, sample, detail::compared_values(), [](const ProbeDim& dim) { return dim.least <= 0; });
	for (ProbePoint& point : detail::rotated(
		dims, sample, counts, [](const ProbeDim& dim) { return dim.least > 0 && is_unbacked_name(dim.name); }))
		points.push_back(std::move(point));
	return points;
}
[[nodiscard]] inline std::vector<ProbePoint> tiny_sizes(const std::vector<ProbeDim>& dims, const ProbePoint& sample,
		const std::vector<ProbePoint>& known) {
	constexpr std::int64_t tiny[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	constexpr std::int64_t one[] = {1};
	const auto is_size = [](const ProbeDim& dim) { return dim.least > 0 && !is_unbacked_name(dim.name); };
	auto points = detail::rotated(dims, sample, tiny, is_size);
	const auto is_known = [&](std::size_t dim, std::int64_t size) {
		return algo::any_of(known, [&](const ProbePoint& each) { return each[dim] == size; });
	};
	std::erase_if(points, [&](const ProbePoint& point) {
		for (std::size_t i = 0; i < point.size(); ++i)
		if (!is_known(i, point[i])) return false;
		return true;
	});
	for (ProbePoint& point : detail::rotated(dims, sample, one, is_size)) points.push_back(std::move(point));
	return points;
}
[[nodiscard]] inline ProbePoint large_sizes(const std::vector<ProbeDim>& dims, ProbePoint sample) {
	constexpr std::int64_t step = 60;
	std::int64_t large = 70020;
	for (std::size_t i = 0; i < dims.size(); ++i)
		if (dims[i].least > 0 && dims[i].range.max == ValueRange::no_max) sample[i] = large, large += step;
	return sample;
}
}
namespace ferry::capture {
class Explanation {
public:
	explicit Explanation(Unifier& runs) {
		std::unordered_map<std::int64_t, std::uint32_t> constants;
		std::map<SymExpr, std::uint32_t> known;
		why_ = runs.find_divergence(
		[&](const SymExpr& size) {
		const auto next = static_cast<std::uint32_t>(expressions_.size());
		const std::uint32_t which = size.is_constant() ? constants.emplace(size.value(), next).first->second
		: known.emplace(size, next).first->second;
		if (which == next) expressions_.push_back(size);
		sizes_.push_back(which);
		},
		[&](const std::optional<RealSource>& source, double constant) { reals_.push_back({source, constant}); });
	}
	[[nodiscard]] const std::optional<Divergence>& why() const noexcept { return why_; }
	[[nodiscard]] bool holds_for(const Trace& run, const SymBindings& at_sizes) const {
		std::vector<std::int64_t> values;
		values.reserve(expressions_.size());
		for (const SymExpr& expression : expressions_) values.push_back(evaluate(expression, at_sizes));
		Comparison compared{*this, values, at_sizes, nullptr};
		compared.run = &run;
		detail::walk_numbers(run, compared);
		return compared.same && compared.size_at == sizes_.size() && compared.real_at == reals_.size();
	}
private:
	struct Real {
		std::optional<RealSource> source;
		double constant;
	};
	struct Comparison {
		const Explanation& expected;
		const std::vector<std::int64_t>& values;
		const SymBindings& at_sizes;
		const Trace* run;
		std::size_t size_at = 0, real_at = 0;
		bool same = true;
		void integer(std::size_t, const std::vector<std::size_t>&, std::int64_t number) {
		same = same && size_at < expected.sizes_.size() && values[expected.sizes_[size_at]] == number;
		++size_at;
		}
		void size(std::size_t, Value value) {
		for (const std::int64_t each : run->values[value.index].tensor.sizes()) integer(0, {}, each);
		}
		void told(std::size_t, std::size_t, std::int64_t number) { integer(0, {}, number); }
		void real(std::size_t, const std::vector<std::size_t>&, double number) {
		same = same && real_at < expected.reals_.size() && is_real(expected.reals_[real_at], number);
		++real_at;
		}
		[[nodiscard]] bool is_real(const Real& wanted, double number) const {
		if (wanted.source && wanted.source->computed)
		return true;
		double value = wanted.constant;
		if (wanted.source) {
		const RealFit& fit = wanted.source->fit;
		value =
		fit.factor * ferry::detail::apply(fit.function, static_cast<double>(evaluate(fit.of, at_sizes)));
		}
		return value == number || std::abs(value - number) <= 1e-6 * std::abs(number) ||
		(std::isnan(value) && std::isnan(number));
		}
		void body(std::size_t op, std::size_t which) {
		const Trace* const outer = run;
		run = outer->ops[op].subtraces[which].get();
		detail::walk_numbers(*run, *this);
		run = outer;
		}
	};
	std::optional<Divergence> why_;
	std::vector<SymExpr> expressions_; 
	std::vector<std::uint32_t> sizes_; 
	std::vector<Real> reals_;
};
}
namespace ferry::capture {
struct Deferred {
	std::set<std::string> ranges{};
	std::vector<std::pair<std::string, SymExpr>> equal{};
	[[nodiscard]] bool concerns(const SymExpr& size) const {
		return algo::any_of(free_symbols(size), [&](const std::string& symbol) {
		return ranges.contains(symbol) ||
		algo::any_of(equal, [&](const auto& each) { return each.first == symbol; });
		});
	}
};
struct Complaint {
	std::string symbol{};
	std::string found{};
	std::string hint{};
	std::string op{};
};
struct Seed {
	std::string symbol;
	std::int64_t size;
	Trace trace;
};
struct Probed {
	ShapePlan plan{};
	std::vector<ProbePoint> points{};
	std::vector<Trace> traces{};
	Tree output{};
	std::vector<std::string> notes{};
	ShapePlan asked{};
	Deferred deferred{};
	std::vector<Complaint> complaints{};
	std::vector<Seed> seeds{};
	std::map<std::string, std::int64_t> given{};
	std::map<std::string, ValueRange> narrowed{};
	std::map<std::string, std::int64_t> factors{};
	[[nodiscard]] ProbePoint sample_point() const {
		ProbePoint point;
		point.reserve(plan.symbols.size());
		for (const ProbeDim& symbol : plan.symbols) point.push_back(symbol.sample);
		return point;
	}
};
class Prober {
public:
	explicit Prober(Session& session, const Progress& progress) : session_(session), progress_(progress) {}
	struct Attempt {
		std::optional<Session::Outcome> outcome{};
		std::string reason{};
		std::string op{};
		std::size_t steps = 0;
	};
	struct OtherMemory : std::exception {
		explicit OtherMemory(std::uint32_t which) : call(which) {}
		std::uint32_t call;
	};
	[[nodiscard]] const std::vector<Leaf>& leaves() const noexcept { return session_.leaves(); }
	[[nodiscard]] const StatedSizes* stated() const noexcept { return session_.stated(); }
	[[nodiscard]] const Trace& baseline() const noexcept { return baseline_; }
	Tree run_sample(const Probed& probed) {
		auto outcome = session_.run(probed.plan, probed.sample_point());
		baseline_ = std::move(outcome.trace);
		count_run();
		return std::move(outcome.output);
	}
	Tree run_sample_first(const Probed& probed) {
		try {
		Tree output = run_sample(probed);
		if (!session_.has_asked() || !session_.observe()) return output;
		} catch (const StartAgain&) {
		throw;
		} catch (const std::exception&) {
		if (!session_.has_asked() || !session_.observe()) throw;
		}
		return run_sample(probed);
	}
	[[nodiscard]] Attempt attempt(const ShapePlan& plan, const ProbePoint& point) {
		Attempt made = run(plan, point);
		count_run();
		return made;
	}
	void expect_runs(std::size_t count) noexcept { expected_ = runs_ + count; }
	[[nodiscard]] std::optional<Divergence> parting(const Attempt& attempt) const {
		if (!attempt.outcome)
		return Divergence{.op = attempt.steps, .name = attempt.op, .reason = attempt.reason, .how = Parting::fails};
		const Trace& trace = attempt.outcome->trace;
		if (lacks_contiguous(trace, baseline_) && !compare_steps(trace, with_contiguous_of(trace, baseline_)))
		return std::nullopt;
		auto found = compare_steps(baseline_, trace);
		if (found && found->memory != Lifted::not_made && !filled_unseen_.contains(found->memory))
		throw OtherMemory(found->memory);
		return found;
	}
	[[nodiscard]] bool holds(const ShapePlan& plan, const ProbePoint& point) { return !parting(attempt(plan, point)); }
	[[nodiscard]] std::optional<Divergence> parting(const ShapePlan& plan, const ProbePoint& point,
		const Explanation& explanation) {
		const Attempt tried = attempt(plan, point);
		if (auto parted = parting(tried)) return parted;
		if (explanation.holds_for(tried.outcome->trace, plan.bindings_at(point))) return std::nullopt;
		return Divergence{.reason = "the model's numbers do not follow the same expressions", .how = Parting::fails};
	}
	void require_no_memory(const Probed& probed) {
		if (!session_.runs_code()) return;
		if (const auto parted = parting(attempt(probed.plan, probed.sample_point())))
		throw Error(
		ErrorKind::unsupported,
		"forward does something else when it is called again, so it keeps something in the model: " +
		place_and_reason(*parted),
		{.hint = "name the members that it writes to in ferry::stateful_members<&Model::member, ...>, or "
		"set them before the export",
		.where = {.op = parted->name}});
	}
	void set_baseline(Trace trace) { baseline_ = std::move(trace); }
	[[nodiscard]] bool runs_code() const noexcept { return session_.runs_code(); }
	[[nodiscard]] bool computes() const { return session_.computes(); }
	void trace_memory(std::uint32_t call, const Probed& probed) {
		session_.traced_memory().insert(call);
		try {
		static_cast<void>(session_.run(probed.plan, probed.sample_point()));
		} catch (const StartAgain&) {
		} catch (const std::exception&) {
		session_.traced_memory().erase(call);
		filled_unseen_.insert(call);
		}
	}
private:
	[[nodiscard]] Attempt run(const ShapePlan& plan, const ProbePoint& point) {
		Attempt failed;
		try {
		Attempt made{.outcome = session_.run(plan, point)};
		Trace& trace = made.outcome->trace;
		trace = with_contiguous_of(baseline_, std::move(trace));
		return made;
		} catch (const LeftBehind&) {
		throw;
		} catch (const StartAgain&) {
		throw;
		} catch (const Error& error) {
		failed.reason = error.message();
		failed.op = error.where().op;
		} catch (const std::exception& thrown) {
		failed.reason = message_of(thrown);
		}
		failed.steps = session_.steps_done();
		return failed;
	}
	void count_run() {
		++runs_;
		report(progress_, {.stage = "dynamic shapes", .done = runs_, .total = runs_ <= expected_ ? expected_ : 0});
	}
	Session& session_;
	const Progress& progress_;
	std::size_t runs_ = 0;
	std::size_t expected_ = 0;
	Trace baseline_;
	std::set<std::uint32_t> filled_unseen_;
};
}
namespace ferry::capture {
struct PathFit {
	std::vector<bool> is_named{};
	[[nodiscard]] bool closer_than(const PathFit& other) const {
		const auto names = [](const PathFit& fit) { return algo::count(fit.is_named, true); };
		if (is_named.size() != other.is_named.size()) return is_named.size() > other.is_named.size();
		return names(*this) != names(other) ? names(*this) > names(other) : is_named > other.is_named;
	}
};
[[nodiscard]] inline std::optional<PathFit> fit_path(std::string_view pattern, std::string_view path) {
	PathFit fit;
	for (;;) {
		const std::size_t wanted_end = std::min(pattern.find('.'), pattern.size());
		const std::size_t end = std::min(path.find('.'), path.size());
		const bool is_named = pattern.substr(0, wanted_end) == path.substr(0, end);
		if (!is_named && pattern.substr(0, wanted_end) != "*") return std::nullopt;
		fit.is_named.push_back(is_named);
		if (wanted_end == pattern.size()) return fit;
		if (end == path.size()) return std::nullopt;
		pattern.remove_prefix(wanted_end + 1);
		path.remove_prefix(end + 1);
	}
}
}
namespace ferry::capture {
struct Place {
	std::size_t leaf;
	std::size_t dim;
	friend bool operator==(const Place&, const Place&) = default;
};
class ShapeWishes {
public:
	struct Options {
		bool all_dynamic = false;
		bool defers = false;
		std::vector<SymExpr> known_sizes{};
	};
	ShapeWishes(const DynamicShapes& shapes, std::vector<std::string> paths, Options options)
		: shapes_(shapes), paths_(std::move(paths)), options_(std::move(options)) {
		const std::set<std::string_view> inputs(paths_.begin(), paths_.end());
		for (const auto& [path, dims] : shapes_)
		if (!inputs.contains(path)) patterns_.emplace_back(path, &dims);
	}
	[[nodiscard]] ShapePlan plan(const std::vector<Leaf>& leaves) const;
	[[nodiscard]] std::vector<Place> automatic(const std::vector<Leaf>& leaves) const;
	[[nodiscard]] bool is_required(const Place& place, const std::vector<Leaf>& leaves) const {
		const Dim* wished = wish(place, leaves[place.leaf]);
		return wished != nullptr && wished->kind() == Dim::DYNAMIC;
	}
	[[nodiscard]] std::int64_t tried_from(const Place& place, const std::vector<Leaf>& leaves) const {
		const Dim* wished = wish(place, leaves[place.leaf]);
		return wished != nullptr ? wished->tried_from().value_or(1) : 1;
	}
	[[nodiscard]] const ValueRange* range(const std::string& symbol) const;
	[[nodiscard]] bool defers() const noexcept { return options_.defers; }
	[[nodiscard]] const std::vector<SymExpr>& known_sizes() const noexcept { return options_.known_sizes; }
	[[nodiscard]] std::string name(const Place& place) const {
		return paths_[place.leaf] + " dimension " + std::to_string(place.dim);
	}
private:
	using Dims = DynamicShapes::mapped_type;
	[[nodiscard]] const Dim* wish(const Place& place, const Leaf& leaf) const;
	void check_paths(const std::vector<Leaf>& leaves) const;
	void check_dims(const Dims& dims, std::size_t leaf, std::size_t rank) const;
	void check_fixed_size(const Dim* wished, const Place& place, std::int64_t size) const;
	[[noreturn]] void refuse(const std::string& what, const std::string& path, std::string hint = {}) const {
		throw Error(ErrorKind::invalid_input, what,
		{.hint = std::move(hint), .where = {.stage = "dynamic shapes", .path = path}});
	}
	void set_samples(ShapePlan& plan, const std::vector<Leaf>& leaves) const;
	const DynamicShapes& shapes_;
	std::vector<std::string> paths_;
	std::vector<std::pair<std::string_view, const Dims*>> patterns_;
	Options options_;
};
namespace detail {
template <class Visit>
void for_each_place(const std::vector<Leaf>& leaves, Visit&& visit) {
	for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
		if (const auto* integer = leaves[leaf].get_if<std::int64_t>()) visit(Place{leaf, 0}, at::IntArrayRef(*integer));
		if (!leaves[leaf].is_tensor() || !leaves[leaf].tensor().defined()) continue;
		const auto sizes = leaves[leaf].tensor().sizes();
		for (std::size_t dim = 0; dim < sizes.size(); ++dim) visit(Place{leaf, dim}, sizes);
	}
}
[[nodiscard]] inline bool is_defined_tensor(const Leaf& leaf) { return leaf.is_tensor() && leaf.tensor().defined(); }
[[nodiscard]] inline std::size_t rank_of(const Leaf& leaf) {
	if (is_defined_tensor(leaf)) return static_cast<std::size_t>(leaf.tensor().dim());
	return leaf.get_if<std::int64_t>() != nullptr ? 1 : 0;
}
[[nodiscard]] constexpr std::int64_t from_start(std::int64_t dim, std::size_t rank) noexcept {
	return dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim;
}
}
inline const Dim* ShapeWishes::wish(const Place& place, const Leaf& leaf) const {
	const auto find_in = [&](const Dims& dims) -> const Dim* {
		for (const auto& [at, dim] : dims)
		if (std::cmp_equal(detail::from_start(at, detail::rank_of(leaf)), place.dim)) return &dim;
		return nullptr;
	};
	if (const auto own = shapes_.find(paths_[place.leaf]); own != shapes_.end())
		if (const Dim* found = find_in(own->second)) return found;
	if (!detail::is_defined_tensor(leaf)) return nullptr;
	const Dim* closest = nullptr;
	PathFit closest_fit;
	for (const auto& [pattern, dims] : patterns_) {
		const auto fit = fit_path(pattern, paths_[place.leaf]);
		if (!fit || (closest != nullptr && !fit->closer_than(closest_fit))) continue;
		if (const Dim* found = find_in(*dims)) closest = found, closest_fit = *fit;
	}
	return closest;
}
inline const ValueRange* ShapeWishes::range(const std::string& symbol) const {
	for (const auto& [path, dims] : shapes_)
		for (const auto& [at, dim] : dims)
		if (const auto found = dim.ranges().find(symbol); found != dim.ranges().end()) return &found->second;
	return nullptr;
}
inline std::vector<Place> ShapeWishes::automatic(const std::vector<Leaf>& leaves) const {
	std::vector<Place> places;
	detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef) {
		if (!leaves[place.leaf].is_tensor()) return;
		const Dim* wished = wish(place, leaves[place.leaf]);
		if (wished == nullptr ? options_.all_dynamic && shapes_.empty()
		: wished->kind() == Dim::AUTO || wished->kind() == Dim::DYNAMIC)
		places.push_back(place);
	});
	return places;
}
inline ShapePlan ShapeWishes::plan(const std::vector<Leaf>& leaves) const {
	check_paths(leaves);
	ShapePlan plan;
	plan.sizes.resize(leaves.size());
	detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
		const Dim* wished = wish(place, leaves[place.leaf]);
		const bool is_named = wished != nullptr && wished->kind() == Dim::Kind::named;
		check_fixed_size(wished, place, sizes[place.dim]);
		if (is_named || leaves[place.leaf].is_tensor())
		plan.sizes[place.leaf].push_back(is_named ? wished->size() : SymExpr(sizes[place.dim]));
		if (!is_named) return;
		for (const auto& [symbol, range] : wished->ranges())
		if (!algo::contains(plan.symbols, symbol, &ProbeDim::name))
		plan.symbols.push_back({symbol, intersect(range, ValueRange::at_least(0)), 0});
	});
	set_samples(plan, leaves);
	return plan;
}
[[nodiscard]] inline std::optional<std::int64_t> solve(const SymExpr& derived, const std::string& symbol,
		std::int64_t size) {
	const auto at = [&](std::int64_t value) {
		SymBindings bindings;
		bindings.set(symbol, value);
		return evaluate(derived, bindings);
	};
	const std::int64_t start = at(0), step = at(1) - start;
	if (step == 0 || (size - start) % step != 0) return std::nullopt;
	const std::int64_t value = (size - start) / step;
	return value >= 0 && at(value) == size ? std::optional(value) : std::nullopt;
}
inline void ShapeWishes::set_samples(ShapePlan& plan, const std::vector<Leaf>& leaves) const {
	std::map<std::string, std::int64_t> samples;
	detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
		if (plan.sizes[place.leaf].empty()) return;
		const SymExpr& wished = plan.sizes[place.leaf][place.dim];
		if (!wished.is_symbol()) return;
		const std::int64_t size = sizes[place.dim];
		const auto [known, is_new] = samples.emplace(wished.name(), size);
		if (!is_new && known->second != size)
		throw Error(ErrorKind::invalid_input,
		"dimension '" + std::string(wished.name()) + "' is " + std::to_string(known->second) +
		" in one input and " + std::to_string(size) + " in another",
		{.hint = "give dimensions that differ different names",
		.where = {.stage = "dynamic shapes", .path = paths_[place.leaf]}});
	});
	detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
		if (plan.sizes[place.leaf].empty()) return;
		const SymExpr& wished = plan.sizes[place.leaf][place.dim];
		const auto symbols = free_symbols(wished);
		if (symbols.size() != 1 || samples.contains(*symbols.begin())) return;
		if (const auto value = solve(wished, *symbols.begin(), sizes[place.dim])) samples[*symbols.begin()] = *value;
	});
	for (ProbeDim& symbol : plan.symbols) {
		const auto found = samples.find(symbol.name);
		if (found == samples.end())
		throw Error(ErrorKind::invalid_input, "dimension '" + symbol.name + "' occurs only in derived sizes",
		{.hint = "use it plainly in one input, so that its size is known",
		.where = {.stage = "dynamic shapes"}});
		symbol.sample = found->second;
		if (!symbol.range.contains(symbol.sample))
		throw Error(ErrorKind::invalid_input,
		"the sample has size " + std::to_string(symbol.sample) + " in dimension '" + symbol.name +
		"', outside its range " + to_string(symbol.range),
		{.where = {.stage = "dynamic shapes"}});
	}
}
inline void ShapeWishes::check_fixed_size(const Dim* wished, const Place& place, std::int64_t size) const {
	if (wished == nullptr || !wished->fixed_size() || *wished->fixed_size() == size) return;
	refuse("dynamic_shapes has size " + std::to_string(*wished->fixed_size()) + " for a dimension that is " +
		std::to_string(size) + " in the sample",
		name(place));
}
inline void ShapeWishes::check_dims(const Dims& dims, std::size_t leaf, std::size_t rank) const {
	std::vector<bool> is_given(rank);
	for (const auto& [at, dim] : dims) {
		const std::int64_t place = detail::from_start(at, rank);
		if (place < 0 || std::cmp_greater_equal(place, rank))
		refuse(
		"dynamic_shapes has a dimension " + std::to_string(at) + " of an input of rank " + std::to_string(rank),
		paths_[leaf]);
		if (is_given[static_cast<std::size_t>(place)])
		refuse("dynamic_shapes has a dimension twice: from the start and from the end",
		name({leaf, static_cast<std::size_t>(place)}));
		is_given[static_cast<std::size_t>(place)] = true;
	}
}
inline void ShapeWishes::check_paths(const std::vector<Leaf>& leaves) const {
	for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
		if (const auto own = shapes_.find(paths_[leaf]); own != shapes_.end())
		check_dims(own->second, leaf, detail::rank_of(leaves[leaf]));
	for (const auto& [pattern, dims] : patterns_) {
		bool is_met = false;
		for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
		if (!fit_path(pattern, paths_[leaf]) || (!detail::is_defined_tensor(leaves[leaf]) && !dims->empty()))
		continue;
		check_dims(*dims, leaf, detail::rank_of(leaves[leaf]));
		is_met = true;
		}
		if (is_met) continue;
		std::string known;
		for (const std::string& each : paths_) known.append(known.empty() ? "" : ", ").append(each);
		refuse("dynamic_shapes names an input that there is not", std::string(pattern), "the inputs are: " + known);
	}
}
}
namespace ferry::capture {
class DimDiscovery {
public:
	DimDiscovery(Prober& prober, const ShapeWishes& wishes, Probed& probed)
		: prober_(prober), wishes_(wishes), probed_(probed) {}
	void run();
private:
	using Places = std::vector<Place>;
	struct Stepped {
		std::string symbol;
		Places places;
		std::int64_t step;
	};
	struct StandIn {
		Place of, is;
	};
	struct Move {
		static constexpr std::size_t whole_way = std::numeric_limits<std::size_t>::max();
		Places places;
		std::int64_t by;
		std::size_t reach;
		std::string why{};
		Trace trace{};    
	};
	[[nodiscard]] std::int64_t sample(const Place& place) const {
		return prober_.leaves()[place.leaf].tensor().size(static_cast<std::int64_t>(place.dim));
	}
	[[nodiscard]] const Move& move(const Places& together, std::int64_t by);
	[[nodiscard]] bool may_move(const Places& together, std::int64_t by) {
		return move(together, by).reach == Move::whole_way;
	}
	[[nodiscard]] std::int64_t odd_move(const Place& place) const;
	[[nodiscard]] std::int64_t step_of(const Places& together);
	[[nodiscard]] bool alike(const Place& a, const Place& b) const {
		return a.dim == b.dim && sample(a) == sample(b) &&
		probed_.plan.sizes[a.leaf].size() == probed_.plan.sizes[b.leaf].size();
	}
	[[nodiscard]] std::vector<Places> units_of(const Places& places) const;
	[[nodiscard]] Places company_of(Places company, const Places& stuck, std::int64_t by);
	[[nodiscard]] std::vector<Places> likely_companies(const Places& stuck) const;
	[[nodiscard]] std::int64_t find_company(Places& together, const Places& stuck);
	template <class Find>
	void move_stuck(Places& stuck, Find&& find);
	[[nodiscard]] const Move& alone(const Place& place) {
		const auto known = algo::find(stand_ins_, place, &StandIn::of);
		return move({known == stand_ins_.end() ? place : known->is}, odd_move(place));
	}
	[[nodiscard]] bool stops_like(const Place& a, const Place& b) {
		return alike(a, b) && alone(a).why == alone(b).why;
	}
	void choose_stand_ins(const Places& places);
	void move_small(Places& small, Places& stuck);
	void add_symbol(const std::string& symbol, const Places& places, std::int64_t step);
	void find_sums(const Places& stuck);
	void join(std::vector<Places>& units);
	[[nodiscard]] bool adds_to_known(const Places& part);
	void settle_steps();
	[[nodiscard]] std::string fresh_symbol() { return "s" + std::to_string(next_symbol_++); }
	Prober& prober_;
	const ShapeWishes& wishes_;
	Probed& probed_;
	std::vector<Stepped> stepped_;
	std::deque<Move> moves_;
	std::vector<StandIn> stand_ins_;
	std::size_t next_symbol_ = 0;
};
inline const DimDiscovery::Move& DimDiscovery::move(const Places& together, std::int64_t by) {
	for (const Move& known : moves_)
		if (known.by == by && known.places == together) return known;
	ShapePlan plan = probed_.plan;
	for (const Place& place : together) plan.sizes[place.leaf][place.dim] = SymExpr(sample(place) + by);
	Prober::Attempt tried = prober_.attempt(plan, probed_.sample_point());
	Move made{together, by, Move::whole_way};
	if (const auto parted = prober_.parting(tried)) {
		made.reach = parted->op;
		made.why = "at " + std::to_string(sample(together[0]) + by) + ", " + place_and_reason(*parted);
	} else {
		made.trace = std::move(tried.outcome->trace);
	}
	moves_.push_back(std::move(made));
	return moves_.back();
}
inline std::int64_t DimDiscovery::odd_move(const Place& place) const {
	const std::int64_t size = sample(place);
	const auto is_taken = [&](std::int64_t other) {
		bool found = false;
		detail::for_each_place(prober_.leaves(), [&](const Place& each, at::IntArrayRef sizes) {
		found = found || sizes[each.dim] == other;
		});
		return found;
	};
	for (const std::int64_t by : {5, 7, 11, 13})
		if (size % by != 0 && !is_taken(size + by)) return by;
	return size % 5 != 0 ? 5 : 7;
}
inline void DimDiscovery::add_symbol(const std::string& symbol, const Places& places, std::int64_t step) {
	for (Move& known : moves_)
		if (step == 1 && known.reach == Move::whole_way && known.by == odd_move(places[0]) && known.places == places)
		probed_.seeds.push_back({symbol, sample(places[0]) + known.by, std::move(known.trace)});
	std::int64_t least = std::min<std::int64_t>(sample(places[0]), 1);
	for (const Place& place : places) least = std::min(least, wishes_.tried_from(place, prober_.leaves()));
	probed_.plan.symbols.push_back({symbol, ValueRange::at_least(least), sample(places[0]) / step});
	for (const Place& place : places)
		probed_.plan.sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
	if (step > 1) stepped_.push_back({symbol, places, step});
}
inline std::int64_t DimDiscovery::step_of(const Places& together) {
	const std::int64_t size = sample(together[0]);
	if (may_move(together, odd_move(together[0]))) return 1;
	if (size < 2) return 0;
	if (size > 3 && may_move(together, size))
		for (std::int64_t step = 2; step <= size / 2; ++step)
		if (size % step == 0 && may_move(together, step) && may_move(together, 3 * step)) return step;
	if (may_move(together, 1) && may_move(together, 2)) return 1;
	return size > 3 && may_move(together, -1) && may_move(together, -2) ? 1 : 0;
}
inline std::vector<DimDiscovery::Places> DimDiscovery::units_of(const Places& places) const {
	std::vector<Places> units;
	for (const Place& place : places) {
		const auto unit = algo::find_if(units, [&](const Places& each) { return alike(each[0], place); });
		if (unit != units.end())
		unit->push_back(place);
		else
		units.push_back({place});
	}
	return units;
}
inline DimDiscovery::Places DimDiscovery::company_of(Places company, const Places& stuck, std::int64_t by) {
	Places others;
	for (const Place& place : stuck)
		if (!algo::contains(company, place) && sample(place) == sample(company[0])) others.push_back(place);
	const auto with = [&](const Places& more) {
		Places larger = company;
		for (const Place& place : more)
		if (!algo::contains(company, place)) larger.push_back(place);
		return larger;
	};
	const auto gets_further = [&](const Places& more) {
		Places larger = with(more);
		if (larger.size() == company.size() || move(larger, by).reach <= move(company, by).reach) return false;
		company = std::move(larger);
		return true;
	};
	const auto stopped_here = [&](const Places& unit) {
		Places found;
		for (const Place& place : unit)
		if (move({place}, odd_move(place)).reach == move(company, by).reach) found.push_back(place);
		return found;
	};
	constexpr std::size_t most_tried = 16;
	const auto units = units_of(others);
	for (bool further = true; further && !may_move(company, by);) {
		further = algo::any_of(units, [&](const Places& unit) {
		const auto next = algo::find_if(unit, [&](const Place& place) { return !algo::contains(company, place); });
		if (next == unit.end()) return false;
		return gets_further({*next}) || (!may_move(with(unit), by) && gets_further(stopped_here(unit))) ||
		gets_further(unit);
		});
		if (further) continue;
		const Places& tried = others.size() > most_tried ? stopped_here(others) : others;
		further = algo::any_of(tried, [&](const Place& place) { return gets_further({place}); });
	}
	return company;
}
inline std::vector<DimDiscovery::Places> DimDiscovery::likely_companies(const Places& stuck) const {
	Places in_position, of_size;
	for (const Place& place : stuck) {
		if (sample(place) != sample(stuck[0])) continue;
		of_size.push_back(place);
		if (place.dim == stuck[0].dim) in_position.push_back(place);
	}
	std::vector<Places> made{std::move(in_position), of_size};
	const auto units = units_of(of_size);
	constexpr std::size_t most_units = 4;
	for (std::size_t chosen = 0; chosen < std::size_t{1} << std::min(units.size() - 1, most_units); ++chosen) {
		Places& company = made.emplace_back(units[0]);
		for (std::size_t i = 1; i < units.size() && i <= most_units; ++i)
		if ((chosen >> (i - 1) & 1) != 0) company.insert(company.end(), units[i].begin(), units[i].end());
	}
	return made;
}
inline std::int64_t DimDiscovery::find_company(Places& together, const Places& stuck) {
	std::vector<Places> candidates{company_of({stuck[0]}, stuck, sample(stuck[0]))};
	for (Places& likely : likely_companies(stuck)) candidates.push_back(std::move(likely));
	for (std::size_t which = 0; which < candidates.size(); ++which) {
		together = std::move(candidates[which]);
		std::int64_t step = together.size() > 1 ? step_of(together) : 0;
		if (step == 0) continue;
		if (which == 0) return step;
		for (std::size_t i = together.size(); i-- > 1;) {
		Places fewer = together;
		fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
		if (const std::int64_t alone = step_of(fewer)) together = std::move(fewer), step = alone;
		}
		return step;
	}
	return 0;
}
inline void DimDiscovery::move_small(Places& small, Places& stuck) {
	while (!small.empty()) {
		Places together;
		for (const Place& place : small)
		if (place.dim == small[0].dim && sample(place) == sample(small[0])) together.push_back(place);
		const std::int64_t by = odd_move(small[0]);
		if (!may_move(together, by)) together = company_of(std::move(together), small, by);
		if (!may_move(together, by)) together = company_of({small[0]}, small, by);
		const bool moves = may_move(together, by);
		if (moves)
		add_symbol(fresh_symbol(), together, 1);
		else
		together.assign(1, small[0]), stuck.push_back(small[0]);
		for (const Place& place : together) std::erase(small, place);
	}
}
inline void DimDiscovery::choose_stand_ins(const Places& places) {
	constexpr std::size_t few = 5, many = 12;
	for (const Places& unit : units_of(places)) {
		if (unit.size() < many) continue;
		Places spread;
		for (std::size_t i = 0; i < few; ++i) spread.push_back(unit[i * (unit.size() - 1) / (few - 1)]);
		if (algo::any_of(spread, [&](const Place& place) { return may_move({place}, odd_move(place)); })) continue;
		for (std::size_t i = 0; i < unit.size(); ++i)
		if (!algo::contains(spread, unit[i])) stand_ins_.push_back({unit[i], spread[i * few / unit.size()]});
	}
}
template <class Find>
void DimDiscovery::move_stuck(Places& stuck, Find&& find) {
	constexpr std::ptrdiff_t few = 3;
	Places tried;
	for (Places rest = stuck; !rest.empty();) {
		Places together{rest[0]};
		const bool is_hopeless = std::count_if(tried.begin(), tried.end(),
		[&](const Place& each) { return stops_like(each, rest[0]); }) >= few;
		if (const std::int64_t step = is_hopeless ? 0 : find(rest, together)) {
		add_symbol(fresh_symbol(), together, step);
		for (const Place& place : together) std::erase(stuck, place);
		} else {
		together.assign(1, rest[0]);
		if (!is_hopeless) tried.push_back(rest[0]);
		}
		for (const Place& place : together) std::erase(rest, place);
	}
}
inline void DimDiscovery::run() {
	Places small, large, stuck;
	for (const Place& place : wishes_.automatic(prober_.leaves())) (sample(place) < 2 ? small : large).push_back(place);
	choose_stand_ins(large);
	for (const Place& place : large)
		if (alone(place).reach == Move::whole_way)
		add_symbol(fresh_symbol(), {place}, 1);
		else
		stuck.push_back(place);
	move_stuck(stuck, [&](const Places& rest, Places& together) {
		const std::int64_t by = odd_move(rest[0]);
		together = company_of({rest[0]}, rest, by);
		return may_move(together, by) ? 1 : 0;
	});
	move_stuck(stuck, [&](const Places&, Places& together) { return step_of(together); });
	move_stuck(stuck, [&](const Places& rest, Places& together) { return find_company(together, rest); });
	move_stuck(stuck, [&](const Places&, Places& together) {
		const std::int64_t size = sample(together[0]);
		return may_move(together, size) && may_move(together, 3 * size) ? size : 0;
	});
	move_small(small, stuck);
	find_sums(stuck);
	settle_steps();
}
inline void DimDiscovery::settle_steps() {
	auto& symbols = probed_.plan.symbols;
	auto& sizes = probed_.plan.sizes;
	for (const Stepped& each : stepped_) {
		const std::string& symbol = each.symbol;
		const Places& places = each.places;
		const std::int64_t first = each.step;
		const auto at = static_cast<std::size_t>(algo::find(symbols, symbol, &ProbeDim::name) - symbols.begin());
		const std::int64_t size = sample(places[0]);
		const auto holds = [&](std::int64_t by) {
		ProbePoint point = probed_.sample_point();
		for (std::size_t i = 0; i < point.size(); ++i)
		if (i == at || symbols[i].range.contains(point[i] + by)) point[i] += i == at ? 1 : by;
		return prober_.holds(probed_.plan, point);
		};
		std::int64_t step = first;
		for (; step <= size; step += first) {
		if (size % step != 0) continue;
		symbols[at].sample = size / step;
		for (const Place& place : places) sizes[place.leaf][place.dim] = SymExpr::symbol(symbol) * SymExpr(step);
		if (holds(5) && holds(6)) break;
		}
		if (step <= size) continue;
		for (const Place& place : places) {
		sizes[place.leaf][place.dim] = SymExpr(size);
		probed_.notes.push_back(wishes_.name(place) +
		" is static: which sizes the model takes there depends on other dimensions");
		}
		symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at));
	}
}
inline bool DimDiscovery::adds_to_known(const Places& part) {
	Places known;
	for (std::size_t leaf = 0; leaf < probed_.plan.sizes.size(); ++leaf)
		for (std::size_t dim = 0; dim < probed_.plan.sizes[leaf].size(); ++dim)
		if (prober_.leaves()[leaf].is_tensor() && !probed_.plan.sizes[leaf][dim].is_constant())
		known.push_back({leaf, dim});
	std::vector<Places> sums = units_of(known);
	for (const Place& place : known) sums.push_back({place});
	for (const Places& sum : sums) {
		Places both = part;
		both.insert(both.end(), sum.begin(), sum.end());
		if (!may_move(both, 6) || !may_move(both, 5)) continue;
		add_symbol(fresh_symbol(), part, 1);
		for (const Place& place : sum) {
		SymExpr& size = probed_.plan.sizes[place.leaf][place.dim];
		size = size + SymExpr::symbol(probed_.plan.symbols.back().name) - SymExpr(sample(part[0]));
		}
		return true;
	}
	return false;
}
inline void DimDiscovery::join(std::vector<Places>& units) {
	for (std::size_t i = 0; i < units.size(); ++i)
		for (std::size_t k = i + 1; k < units.size();) {
		const std::int64_t by = odd_move(units[i][0]);
		Places both = units[i];
		both.insert(both.end(), units[k].begin(), units[k].end());
		if (sample(units[i][0]) == sample(units[k][0]) &&
		move(both, by).reach > std::max(move(units[i], by).reach, move(units[k], by).reach)) {
		units[i] = std::move(both);
		units.erase(units.begin() + static_cast<std::ptrdiff_t>(k));
		k = i + 1;
		} else {
		++k;
		}
		}
}
inline void DimDiscovery::find_sums(const Places& stuck) {
	std::vector<Places> units = units_of(stuck);
	while (units.size() > 1) {
		std::size_t sum = 0;
		std::vector<std::size_t> parts;
		for (std::size_t i = 0; i < units.size(); ++i) {
		std::vector<std::size_t> partners;
		for (std::size_t k = 0; k < units.size(); ++k) {
		Places both = units[i];
		both.insert(both.end(), units[k].begin(), units[k].end());
		if (k != i && may_move(both, 6) && may_move(both, 5)) partners.push_back(k);
		}
		if (!partners.empty() && partners.size() >= parts.size()) sum = i, parts = std::move(partners);
		}
		if (parts.empty()) break;
		SymExpr size = sample(units[sum][0]);
		for (const std::size_t part : parts) {
		add_symbol(fresh_symbol(), units[part], 1);
		size = size + SymExpr::symbol(probed_.plan.symbols.back().name) - SymExpr(sample(units[part][0]));
		}
		for (const Place& place : units[sum]) probed_.plan.sizes[place.leaf][place.dim] = size;
		parts.push_back(sum);
		algo::sort(parts, std::greater{});
		for (const std::size_t done : parts) units.erase(units.begin() + static_cast<std::ptrdiff_t>(done));
	}
	const auto add_to_known = [&] { std::erase_if(units, [&](const Places& unit) { return adds_to_known(unit); }); };
	add_to_known();
	join(units);
	add_to_known();
	for (const Places& unit : units)
		for (const Place& place : unit)
		probed_.notes.push_back(wishes_.name(place) + " is static: " + alone(place).why);
}
}
namespace ferry::capture {
class FittingPoints {
public:
	static constexpr std::size_t none = SIZE_MAX;
	FittingPoints(std::vector<ProbeDim> dims, const std::vector<SymExpr>& conditions) : dims_(std::move(dims)) {
		std::set<std::string> bound;
		for (const SymExpr& condition : conditions) {
		const auto symbols = free_symbols(condition);
		const bool is_ours = algo::all_of(
		symbols, [&](const std::string& symbol) { return algo::contains(dims_, symbol, &ProbeDim::name); });
		if (!is_ours || symbols.empty()) continue;
		conditions_.push_back(condition);
		bound.insert(symbols.begin(), symbols.end());
		}
		for (std::size_t d = 0; d < dims_.size(); ++d)
		if (bound.contains(dims_[d].name)) bound_.push_back(d);
	}
	[[nodiscard]] bool any() const noexcept { return !conditions_.empty(); }
	[[nodiscard]] const std::vector<ProbeDim>& dims() const noexcept { return dims_; }
	[[nodiscard]] bool holds(const ProbePoint& point) const;
	[[nodiscard]] std::optional<ProbePoint> near(const ProbePoint& point, std::size_t kept = none) const;
	void fit_domains();
	[[nodiscard]] std::vector<ProbePoint> choose() const;
private:
	[[nodiscard]] ProbePoint sample() const {
		ProbePoint point;
		point.reserve(dims_.size());
		for (const ProbeDim& dim : dims_) point.push_back(dim.sample);
		return point;
	}
	std::vector<ProbeDim> dims_;
	std::vector<SymExpr> conditions_;
	std::vector<std::size_t> bound_;
	std::vector<ProbePoint> ends_;
};
inline bool FittingPoints::holds(const ProbePoint& point) const {
	SymBindings sizes;
	for (const std::size_t d : bound_) sizes.set(dims_[d].name, point[d]);
	try {
		return algo::all_of(conditions_, [&](const SymExpr& each) { return evaluate_bool(each, sizes); });
	} catch (const Error&) {
		return false;
	}
}
inline std::optional<ProbePoint> FittingPoints::near(const ProbePoint& point, std::size_t kept) const {
	if (holds(point)) return point;
	constexpr std::size_t tries = 800;
	ferry::detail::ProbeRandom random{kept + 1};
	for (const std::int64_t size : point) random.state = random.next() ^ static_cast<std::uint64_t>(size);
	for (std::size_t i = 0; i < tries; ++i) {
		ProbePoint other = point;
		for (const std::size_t d : bound_) {
		const bool may_move = i > tries / 4 || is_unbacked_name(dims_[d].name);
		if (d == kept || !may_move || random.next() % 2 == 0) continue;
		const ValueRange domain = probe_domain(dims_[d]);
		const auto span = static_cast<std::uint64_t>(domain.max - domain.min);
		const auto bits = random.next() % (static_cast<std::uint64_t>(std::bit_width(span)) + 1);
		const auto step = random.next() & ((std::uint64_t{1} << bits) - 1);
		other[d] = domain.min + static_cast<std::int64_t>(std::min(step, span));
		}
		if (holds(other)) return other;
	}
	return std::nullopt;
}
inline void FittingPoints::fit_domains() {
	ends_.clear();
	for (const std::size_t d : bound_) {
		const ValueRange domain = probe_domain(dims_[d]);
		const auto with = [&](std::int64_t size) {
		ProbePoint point = sample();
		point[d] = size;
		return near(point, d);
		};
		const auto go_to = [&](std::int64_t end) {
		std::int64_t good = std::clamp(dims_[d].sample, domain.min, domain.max);
		auto found = with(end);
		while (!found && good != end) {
		const std::int64_t middle = end > good ? good + (end - good + 1) / 2 : good - (good - end + 1) / 2;
		if (auto fits = with(middle)) {
		good = middle;
		if (good == end) found = std::move(fits);
		} else {
		end = middle > good ? middle - 1 : middle + 1;
		}
		}
		if (!found) found = with(good);
		if (found) ends_.push_back(*found);
		return found ? (*found)[d] : good;
		};
		const std::int64_t least = go_to(domain.min), most = go_to(domain.max);
		dims_[d].domain = ValueRange{least, most};
	}
}
inline std::vector<ProbePoint> FittingPoints::choose() const {
	std::vector<ProbePoint> points;
	const auto add = [&](const std::optional<ProbePoint>& point) {
		if (point && !algo::contains(points, *point)) points.push_back(*point);
	};
	ferry::detail::ProbeRandom random{1};
	add(near(sample()));
	for (const ProbePoint& end : ends_) add(end);
	std::size_t varying = 0;
	for (std::size_t d = 0; d < dims_.size(); ++d) {
		const ValueRange domain = probe_domain(dims_[d]);
		if (domain.min == domain.max) continue;
		++varying;
		if (algo::contains(bound_, d)) continue;
		for (const std::int64_t end : {domain.min, domain.max}) {
		ProbePoint point = ferry::detail::generic_point(dims_, 2 * varying, random);
		point[d] = end;
		add(near(point, d));
		}
	}
	const std::size_t wanted = varying == 0 ? 1 : std::max<std::size_t>(5, varying + 4);
	constexpr std::size_t tries = 64;
	for (std::size_t i = 0; i < tries; ++i) {
		if (points.size() >= wanted && ferry::detail::separates(points, dims_)) break;
		add(near(ferry::detail::generic_point(dims_, i, random)));
		if (points.size() >= wanted + 16) break;
	}
	return points;
}
}
namespace ferry::capture {
inline void refuse_branch(const Trace& trace, const ProbeDim& number, std::int64_t value, const Divergence& there) {
	if (there.how != Parting::other_steps && there.how != Parting::other_constant) return;
	const auto which =
		static_cast<std::size_t>(algo::find(trace.unbacked_names, number.name) - trace.unbacked_names.begin());
	const auto asked = algo::find(trace.asked, which, &AskedValue::unbacked);
	ErrorPlace where{.stage = "dynamic shapes", .op = there.name, .path = std::string(there.module)};
	if (asked != trace.asked.end()) {
		where.op = trace.ops[asked->op].name;
		where.path = trace.ops[asked->op].module;
	}
	throw Error(
		ErrorKind::unsupported,
		std::string("forward does something else where ") +
		(asked != trace.asked.end() ? "a value that it asks a tensor for"
		: "a size that depends on the values of a tensor") +
		" is " + std::to_string(value) + " instead of " + std::to_string(number.sample) + ": " +
		place_and_reason(there),
		{.hint = "write a branch on it with ferry::cond, a loop with ferry::while_loop, or compute on the tensor "
		"itself",
		.where = std::move(where)});
}
}
namespace ferry::capture {
template <class Parts>
void widen_unbacked(ShapePlan& plan, const Trace& first, Parts&& parting) {
	ProbePoint sample;
	for (const ProbeDim& symbol : plan.symbols) sample.push_back(symbol.sample);
	std::vector<std::size_t> small;
	std::size_t unbacked = 0;
	for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
		if (!is_unbacked_name(plan.symbols[i].name)) continue;
		const ValueRange natural = first.unbacked.at(unbacked++);
		ValueRange& range = plan.symbols[i].range;
		const auto holds_at = [&](std::int64_t value) {
		ProbePoint point = sample;
		point[i] = value;
		const std::optional<Divergence> parted = parting(point);
		if (parted) refuse_branch(first, plan.symbols[i], value, *parted);
		return !parted;
		};
		if (range.min <= 1 && plan.symbols[i].least > 1) {
		const std::int64_t least = range.min;
		range.min = 2;
		while (range.min > least && holds_at(range.min - 1)) --range.min;
		if (range.min < 2) small.push_back(i);
		}
		const std::int64_t end = std::min<std::int64_t>(range.min, 0);
		if (range.min == end && natural.min < end && holds_at(end - 1) && holds_at(end - 2) && holds_at(end - 7))
		range.min = natural.min;
	}
	for (const std::int64_t value : {std::int64_t{1}, std::int64_t{0}}) {
		ProbePoint point = sample;
		std::size_t moved = 0;
		for (const std::size_t i : small)
		if (plan.symbols[i].range.contains(value)) point[i] = value, ++moved;
		if (moved < 2 || !parting(point)) continue;
		for (const std::size_t i : small) plan.symbols[i].range.min = std::max(plan.symbols[i].range.min, value + 1);
	}
}
[[nodiscard]] inline ValueRange beyond(const ValueRange& natural, const ValueRange& held) noexcept {
	return {held.min > natural.min ? held.min : ValueRange::no_min,
		held.max < natural.max ? held.max : ValueRange::no_max};
}
[[nodiscard]] inline std::vector<std::pair<std::string, ValueRange>> ranges_to_check(const ShapePlan& plan,
		const Trace& first) {
	std::vector<std::pair<std::string, ValueRange>> checked;
	std::size_t unbacked = 0;
	for (const ProbeDim& symbol : plan.symbols) {
		if (!is_unbacked_name(symbol.name)) continue;
		const ValueRange needed = beyond(first.unbacked.at(unbacked++), symbol.range);
		if (needed != ValueRange{}) checked.emplace_back(symbol.name, needed);
	}
	return checked;
}
}
namespace ferry::capture {
class RangeNarrower {
public:
	RangeNarrower(Prober& prober, const ShapeWishes& wishes, Probed& probed)
		: prober_(prober), wishes_(wishes), probed_(probed) {}
	void narrow(const ProbePoint& failed, const Divergence& why);
	void fix_unexplained(const Divergence& why);
	[[nodiscard]] bool check_small_ends(const Explanation& explanation);
private:
	[[nodiscard]] bool is_asked(const std::string& symbol) const { return wishes_.range(symbol) != nullptr; }
	[[nodiscard]] bool must_hold(const std::string& symbol) const {
		const ValueRange* asked = wishes_.range(symbol);
		return asked != nullptr && *asked != ValueRange{};
	}
	[[nodiscard]] std::optional<Divergence> parting_with(std::size_t symbol, std::int64_t size,
		const std::vector<std::size_t>& along = {});
	[[nodiscard]] bool holds_with(std::size_t symbol, std::int64_t size, const std::vector<std::size_t>& along) {
		return !parting_with(symbol, size, along);
	}
	[[nodiscard]] std::vector<std::size_t> partners(std::size_t symbol, std::int64_t size);
	[[nodiscard]] std::int64_t factor_of(std::size_t symbol);
	void tie(std::size_t symbol, std::size_t other, const Divergence& why);
	void take_multiples(std::size_t symbol, std::int64_t factor, const std::string& why, const std::string& op);
	void cut(std::size_t symbol, const ValueRange& held, bool must_hold, const std::string& why, const std::string& op);
	void rewrite_sizes(const std::string& symbol, const SymExpr& by);
	void replace(std::size_t symbol, const SymExpr& by);
	Prober& prober_;
	const ShapeWishes& wishes_;
	Probed& probed_;
};
namespace detail {
template <class Holds>
[[nodiscard]] std::pair<std::int64_t, std::int64_t> last_good_and_first_bad(std::int64_t good, std::int64_t bad,
		Holds&& holds) {
	while (std::abs(good - bad) > 1) {
		const std::int64_t middle = good + (bad - good) / 2;
		(holds(middle) ? good : bad) = middle;
	}
	return {good, bad};
}
}
inline std::optional<Divergence> RangeNarrower::parting_with(std::size_t symbol, std::int64_t size,
		const std::vector<std::size_t>& along) {
	ProbePoint point = probed_.sample_point();
	const std::int64_t by = size - point[symbol];
	point[symbol] = size;
	for (const std::size_t other : along) {
		point[other] += by;
		if (!probe_domain(probed_.plan.symbols[other]).contains(point[other]))
		return Divergence{.reason = "another size leaves its range", .how = Parting::fails};
	}
	return prober_.parting(prober_.attempt(probed_.plan, point));
}
inline std::vector<std::size_t> RangeNarrower::partners(std::size_t symbol, std::int64_t size) {
	const auto& symbols = probed_.plan.symbols;
	const std::int64_t nearby = size > symbols[symbol].sample ? size - 1 : size + 1;
	const auto helps = [&](const std::vector<std::size_t>& along) {
		return holds_with(symbol, size, along) &&
		(nearby == symbols[symbol].sample || holds_with(symbol, nearby, along));
	};
	std::vector<std::size_t> alike;
	std::vector<std::size_t> others;
	for (std::size_t i = 0; i < symbols.size(); ++i)
		if (i != symbol && !is_unbacked_name(symbols[i].name))
		(symbols[i].sample == symbols[symbol].sample ? alike : others).push_back(i);
	if (!alike.empty() && helps(alike)) {
		for (std::size_t i = alike.size(); i-- > 0 && alike.size() > 1;) {
		std::vector<std::size_t> fewer = alike;
		fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
		if (helps(fewer)) alike = std::move(fewer);
		}
		return alike;
	}
	for (const std::size_t other : others)
		if (helps({other})) return {other};
	return {};
}
inline void RangeNarrower::rewrite_sizes(const std::string& symbol, const SymExpr& by) {
	SymMap<SymExpr> replacement;
	replacement.set(symbol, by);
	for (auto& sizes : probed_.plan.sizes)
		for (SymExpr& size : sizes) size = substitute(size, replacement);
}
inline void RangeNarrower::replace(std::size_t symbol, const SymExpr& by) {
	auto& symbols = probed_.plan.symbols;
	rewrite_sizes(symbols[symbol].name, by);
	probed_.given.erase(symbols[symbol].name);
	symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(symbol));
}
inline void RangeNarrower::tie(std::size_t symbol, std::size_t other, const Divergence& why) {
	auto& symbols = probed_.plan.symbols;
	if (is_asked(symbols[other].name) && !is_asked(symbols[symbol].name)) std::swap(symbol, other);
	const std::string name = symbols[symbol].name;
	const std::string tied = symbols[other].name;
	const std::int64_t apart = symbols[other].sample - symbols[symbol].sample;
	const SymExpr size = SymExpr::symbol(name) + SymExpr(apart);
	std::string found = "'" + tied + "' must be " + (apart == 0 ? "equal to '" + name + "'" : to_string(size)) + ": " +
		place_and_reason(why);
	if (is_asked(tied)) {
		if (!wishes_.defers())
		probed_.complaints.push_back(
		{tied, "dimensions depend on each other: " + found,
		apart == 0 ? "give both the name '" + name + "'" : "ask for " + to_string(size), why.name});
		else
		probed_.deferred.equal.emplace_back(tied, size), found += "; the program checks that when it runs";
	}
	const ValueRange range = symbols[other].range;
	const ValueRange shifted{range.min == ValueRange::no_min ? range.min : range.min - apart,
		range.max == ValueRange::no_max ? range.max : range.max - apart};
	const ValueRange common = intersect(symbols[symbol].range, shifted);
	if (common != symbols[symbol].range && is_asked(tied) == is_asked(name)) {
		symbols[symbol].range = common;
		if (is_asked(name)) probed_.deferred.ranges.insert(name);
	}
	probed_.notes.push_back(std::move(found));
	replace(other, size);
}
inline void RangeNarrower::cut(std::size_t symbol, const ValueRange& held, bool must_hold, const std::string& why,
		const std::string& op) {
	ProbeDim& dim = probed_.plan.symbols[symbol];
	dim.range = held;
	std::string found = "'" + dim.name + "' holds for " + to_string(held) + " only: " + why;
	if (must_hold && !wishes_.defers())
		probed_.complaints.push_back({.symbol = dim.name, .found = found, .op = op});
	else if (must_hold)
		probed_.deferred.ranges.insert(dim.name), found += "; the program checks that when it runs";
	const bool is_fixed = held.min == held.max && !is_asked(dim.name) && !is_unbacked_name(dim.name);
	const bool is_usual =
		held == ValueRange::at_least(1) && !must_hold;
	if (!is_usual) probed_.notes.push_back(is_fixed ? "'" + dim.name + "' is static: " + why : std::move(found));
	if (is_fixed) replace(symbol, SymExpr(held.min));
}
inline std::int64_t RangeNarrower::factor_of(std::size_t symbol) {
	const ProbeDim& dim = probed_.plan.symbols[symbol];
	if (is_unbacked_name(dim.name) || (wishes_.defers() && must_hold(dim.name))) return 0;
	for (std::int64_t factor = 2; factor <= dim.sample; ++factor) {
		if (dim.sample % factor != 0) continue;
		const bool holds = algo::all_of(std::vector{factor, 2 * factor, 3 * factor}, [&](std::int64_t by) {
		return dim.sample + by > dim.range.max || holds_with(symbol, dim.sample + by, {});
		});
		if (holds && dim.sample + factor <= dim.range.max) return factor;
	}
	return 0;
}
inline void RangeNarrower::take_multiples(std::size_t symbol, std::int64_t factor, const std::string& why,
		const std::string& op) {
	ProbeDim& dim = probed_.plan.symbols[symbol];
	rewrite_sizes(dim.name, SymExpr::symbol(dim.name) * SymExpr(factor));
	if (dim.range.min != ValueRange::no_min) dim.range.min = (dim.range.min + factor - 1) / factor;
	if (dim.range.max != ValueRange::no_max) dim.range.max /= factor;
	dim.sample /= factor;
	std::int64_t& all = probed_.factors.try_emplace(dim.name, 1).first->second;
	all *= factor;
	const std::string found = "only multiples of " + std::to_string(all) + " hold for '" + dim.name + "': " + why;
	if (must_hold(dim.name)) probed_.complaints.push_back({.symbol = dim.name, .found = found, .op = op});
	probed_.notes.push_back(found);
}
inline void RangeNarrower::narrow(const ProbePoint& failed, const Divergence& why) {
	auto& symbols = probed_.plan.symbols;
	const ProbePoint sample = probed_.sample_point();
	for (std::size_t i = 0; i < symbols.size(); ++i) {
		if (failed[i] == sample[i]) continue;
		const auto holds = [&](std::int64_t size) { return holds_with(i, size, {}); };
		if (holds(failed[i])) continue;
		ValueRange held = symbols[i].range;
		const auto [good, bad] = detail::last_good_and_first_bad(sample[i], failed[i], holds);
		const Divergence there = parting_with(i, bad).value_or(why);
		if (is_unbacked_name(symbols[i].name)) refuse_branch(prober_.baseline(), symbols[i], bad, there);
		(bad > good ? held.max : held.min) = good;
		const ValueRange domain = probe_domain(symbols[i]);
		const std::int64_t far = bad > good ? domain.min : domain.max;
		if (!holds(far))
		(bad > good ? held.min : held.max) = detail::last_good_and_first_bad(sample[i], far, holds).first;
		const std::string reason = "at " + std::to_string(bad) + ", " + place_and_reason(there);
		if (held.min == held.max && !is_unbacked_name(symbols[i].name))
		if (const auto along = partners(i, failed[i]); !along.empty()) return tie(i, along[0], there);
		const auto is_out = [&](std::int64_t size) { return !symbols[i].range.contains(size) || !holds(size); };
		constexpr std::int64_t few = 3;
		const bool is_island = (held.max != ValueRange::no_max && held.max - held.min < few) ||
		(is_out(sample[i] - 1) && is_out(sample[i] + 1));
		if (is_island)
		if (const std::int64_t factor = factor_of(i)) return take_multiples(i, factor, reason, there.name);
		if (there.how != Parting::fails) probed_.narrowed.insert_or_assign(symbols[i].name, held);
		return cut(i, held, must_hold(symbols[i].name), reason, there.name);
	}
	for (const bool asked : {false, true})
		for (std::size_t i = symbols.size(); i-- > 0;) {
		if (failed[i] == sample[i] || is_unbacked_name(symbols[i].name) || is_asked(symbols[i].name) != asked ||
		(asked && !wishes_.defers()))
		continue;
		ProbePoint point = failed;
		point[i] = sample[i];
		if (!prober_.holds(probed_.plan, point)) continue;
		if (asked)
		return cut(i, ValueRange::exactly(sample[i]), true,
		"which sizes the model takes there depends on other dimensions, " + why.reason, why.name);
		probed_.notes.push_back("'" + symbols[i].name +
		"' is static: which sizes the model takes there depends on other dimensions, " +
		why.reason);
		return replace(i, SymExpr(sample[i]));
		}
	throw Error(ErrorKind::unsupported, "runs at different sizes do not do the same: " + why.reason,
		{.hint = "make the dimensions static, or remove what depends on the sizes together",
		.where = {.stage = "dynamic shapes", .op = why.name}});
}
inline void RangeNarrower::fix_unexplained(const Divergence& why) {
	auto& symbols = probed_.plan.symbols;
	const ProbePoint sample = probed_.sample_point();
	std::vector<std::size_t> involved;
	for (std::size_t i = 0; i < symbols.size(); ++i) {
		const ValueRange domain = probe_domain(symbols[i]);
		ProbePoint point = sample;
		point[i] = sample[i] + 1 <= domain.max ? sample[i] + 1 : sample[i] - 1;
		const Prober::Attempt tried = prober_.attempt(probed_.plan, point);
		if (domain.min == domain.max || prober_.parting(tried)) continue;
		if (differs_at(prober_.baseline(), tried.outcome->trace, why.op)) involved.push_back(i);
	}
	const bool can_be_fixed = !involved.empty() && algo::none_of(involved, [&](std::size_t i) {
		return must_hold(symbols[i].name) || is_unbacked_name(symbols[i].name);
	});
	if (!can_be_fixed)
		throw Error(ErrorKind::unsupported, "a number does not follow from the dynamic sizes: " + why.reason,
		{.hint = "make the dimensions that it depends on static",
		.where = {.stage = "dynamic shapes", .op = why.name}});
	for (const std::size_t i : std::vector(involved.rbegin(), involved.rend())) {
		probed_.notes.push_back("'" + symbols[i].name + "' is static: " + place_and_reason(why));
		replace(i, SymExpr(sample[i]));
	}
}
inline bool RangeNarrower::check_small_ends(const Explanation& explanation) {
	auto& symbols = probed_.plan.symbols;
	Divergence why;
	const auto holds = [&](const ProbePoint& point) {
		const auto parted = prober_.parting(probed_.plan, point, explanation);
		if (parted) why = *parted;
		return !parted;
	};
	const auto cut_below = [&](std::size_t i, std::int64_t least) {
		const ProbeDim& dim = symbols[i];
		const std::string reason = "at " + std::to_string(least - 1) + ", " + place_and_reason(why);
		const auto given = probed_.given.find(dim.name);
		const bool is_left = given != probed_.given.end() && given->second < least;
		const ValueRange* asked = wishes_.range(dim.name);
		if (is_left && asked == nullptr) {
		probed_.notes.push_back("'" + dim.name + "' is static: " + reason);
		replace(i, SymExpr(given->second));
		static_cast<void>(prober_.run_sample(probed_));
		return false;
		}
		cut(i, {least, dim.range.max}, is_left || (asked != nullptr && asked->min >= 0), reason, why.name);
		return true;
	};
	ProbePoint usual = probed_.sample_point();
	for (std::size_t i = 0; i < symbols.size(); ++i)
		if (usual[i] < 2 && symbols[i].range.max >= 2 && !is_unbacked_name(symbols[i].name))
		usual[i] = std::min<std::int64_t>(symbols[i].range.max, 3);
	std::vector<std::size_t> small;
	for (std::size_t i = 0; i < symbols.size(); ++i) {
		if (is_unbacked_name(symbols[i].name) || symbols[i].range.min > 1 || symbols[i].range.max < 2) continue;
		small.push_back(i);
		for (std::int64_t size = std::min<std::int64_t>(symbols[i].least - 1, 1); size >= symbols[i].range.min;
		--size) {
		ProbePoint point = usual;
		point[i] = size;
		if (holds(point)) continue;
		if (!cut_below(i, size + 1)) return false;
		break;
		}
	}
	ProbePoint ones = usual;
	std::vector<std::size_t> moved;
	for (const std::size_t i : small)
		if (symbols[i].range.contains(1)) ones[i] = 1, moved.push_back(i);
	if (moved.size() > 1 && !holds(ones))
		for (const std::size_t i : moved)
		if (!cut_below(i, 2)) return false;
	return true;
}
}
namespace ferry::capture {
namespace detail {
[[nodiscard]] inline bool varies(const SymExpr& size, const ShapePlan& plan) {
	return algo::any_of(free_symbols(size), [&](const std::string& name) {
		const auto symbol = algo::find(plan.symbols, name, &ProbeDim::name);
		return symbol != plan.symbols.end() && symbol->range.min < symbol->range.max;
	});
}
[[nodiscard]] inline std::string why_static(const std::string& place, const SymExpr& size, const Probed& probed) {
	std::vector<std::string> subjects{place + " "};
	for (const std::string& symbol : free_symbols(size)) subjects.push_back("'" + symbol + "' ");
	std::string own, others;
	for (const std::string& note : probed.notes) {
		const bool is_own = algo::any_of(subjects, [&](const auto& each) { return note.starts_with(each); });
		if (is_own || note.find(" is static: ") != std::string::npos) {
		std::string& reasons = is_own ? own : others;
		reasons.append(reasons.empty() ? "" : "; ").append(note);
		}
	}
	return own.empty() ? others : own;
}
}
inline void check_required_dims(const ShapeWishes& wishes, const Probed& probed, const std::vector<Leaf>& leaves) {
	detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef) {
		if (!wishes.is_required(place, leaves)) return;
		const auto refuse = [&](const std::string& what, const std::string& hint) {
		throw Error(ErrorKind::invalid_input, what,
		{.hint = hint, .where = {.stage = "dynamic shapes", .path = wishes.name(place)}});
		};
		const std::vector<SymExpr>& sizes = probed.plan.sizes[place.leaf];
		if (sizes.empty()) refuse("an integer varies only under a name", "give it one: Dim{\"n\"}");
		if (!detail::varies(sizes[place.dim], probed.plan))
		refuse("a dimension that must vary is fixed by the model: " +
		detail::why_static(wishes.name(place), sizes[place.dim], probed),
		"make it Dim::AUTO or Dim::STATIC, or remove what depends on its size");
	});
}
}
namespace ferry::capture {
class ShapePlanner {
public:
	ShapePlanner(Session& session, const ShapeWishes& wishes, const Progress& progress)
		: prober_(session, progress), wishes_(wishes) {}
	[[nodiscard]] Probed plan() {
		for (;;) {
		probed_ = {};
		try {
		return plan_once();
		} catch (const StartAgain&) {
		continue;
		} catch (const Prober::OtherMemory& other) {
		prober_.trace_memory(other.call, probed_);
		}
		}
	}
private:
	[[nodiscard]] Probed plan_once();
	[[nodiscard]] bool leave_small_sizes();
	[[nodiscard]] std::vector<ProbePoint> take_seeds();
	[[nodiscard]] bool probe(const std::vector<ProbePoint>& points);
	void align_traces();
	[[nodiscard]] bool explain();
	[[nodiscard]] std::optional<ProbePoint> find_other_steps(const Explanation& explanation);
	[[nodiscard]] bool gives_up_ones();
	void add_unbacked();
	void refuse_complaints() const;
	[[nodiscard]] std::vector<ProbePoint> first_points();
	void reach_known_steps();
	[[nodiscard]] std::vector<ProbePoint> fitting(std::vector<ProbePoint> points) const;
	Prober prober_;
	const ShapeWishes& wishes_;
	Probed probed_;
};
inline bool ShapePlanner::leave_small_sizes() {
	auto& symbols = probed_.plan.symbols;
	ProbePoint near = probed_.sample_point();
	std::int64_t next = 3;
	for (std::size_t i = 0; i < symbols.size(); ++i) {
		if (is_unbacked_name(symbols[i].name) || near[i] > 1 || symbols[i].range.max < 2) continue;
		near[i] = std::min(next, symbols[i].range.max);
		next += 2;
	}
	if (near == probed_.sample_point()) return true;
	probed_.seeds.clear();
	Prober::Attempt tried = prober_.attempt(probed_.plan, near);
	if (const auto why = prober_.parting(tried)) {
		RangeNarrower(prober_, wishes_, probed_).narrow(near, *why);
		return false;
	}
	prober_.set_baseline(std::move(tried.outcome->trace));
	for (std::size_t i = 0; i < symbols.size(); ++i)
		if (symbols[i].sample != near[i]) {
		probed_.given.emplace(symbols[i].name, symbols[i].sample);
		symbols[i].sample = near[i];
		}
	return true;
}
inline std::vector<ProbePoint> ShapePlanner::take_seeds() {
	auto usual = first_points();
	const auto& symbols = probed_.plan.symbols;
	for (Seed& seed : std::exchange(probed_.seeds, {})) {
		ProbePoint point = probed_.sample_point();
		for (std::size_t i = 0; i < point.size(); ++i)
		if (symbols[i].name == seed.symbol) point[i] = seed.size;
		const bool is_last = usual.size() <= symbols.size() + 1;
		if (is_last || point == probed_.sample_point() || !seed.trace.unbacked.empty()) continue;
		usual.pop_back();
		probed_.points.push_back(std::move(point));
		probed_.traces.push_back(std::move(seed.trace));
	}
	if (!prober_.runs_code() || probed_.points.empty()) return usual;
	std::size_t next = symbols.size() + 1;
	for (const ProbePoint& tiny : tiny_sizes(symbols, probed_.sample_point(), probed_.points))
		if (next < usual.size()) usual[next++] = tiny;
	return usual;
}
inline bool ShapePlanner::probe(const std::vector<ProbePoint>& points) {
	prober_.expect_runs(points.size());
	for (const ProbePoint& point : points) {
		if (point == probed_.sample_point()) {
		probed_.points.push_back(point);
		probed_.traces.push_back(prober_.baseline());
		continue;
		}
		Prober::Attempt tried = prober_.attempt(probed_.plan, point);
		if (const auto why = prober_.parting(tried)) {
		if (!gives_up_ones()) RangeNarrower(prober_, wishes_, probed_).narrow(point, *why);
		return false;
		}
		probed_.points.push_back(point);
		probed_.traces.push_back(std::move(tried.outcome->trace));
	}
	return true;
}
inline std::optional<ProbePoint> ShapePlanner::find_other_steps(const Explanation& explanation) {
	const auto& symbols = probed_.plan.symbols;
	const ProbePoint sample = probed_.sample_point();
	const auto parting = [&](const ProbePoint& point) {
		const bool is_known = point == sample || algo::contains(probed_.points, point);
		return is_known ? std::nullopt : prober_.parting(probed_.plan, point, explanation);
	};
	for (const auto& points : {points_of_values(symbols, sample), tiny_sizes(symbols, sample, probed_.points)})
		for (const ProbePoint& point : points)
		if (parting(point)) return point;
	const ProbePoint far = prober_.computes() ? sample : large_sizes(symbols, sample);
	const auto parted = parting(far);
	return parted && parted->how != Parting::fails ? std::optional(far) : std::nullopt;
}
inline bool ShapePlanner::gives_up_ones() {
	bool any = false;
	for (ProbeDim& symbol : probed_.plan.symbols)
		if (symbol.least == 1) symbol.least = 2, any = true;
	return any;
}
inline void ShapePlanner::align_traces() {
	const auto longest = algo::max_element(probed_.traces, {}, [](const Trace& trace) { return trace.ops.size(); });
	if (longest == probed_.traces.end() || longest->ops.size() == prober_.baseline().ops.size()) return;
	for (auto trace = probed_.traces.begin(); trace != probed_.traces.end(); ++trace)
		if (trace != longest) *trace = with_contiguous_of(*longest, std::move(*trace));
	prober_.set_baseline(with_contiguous_of(*longest, prober_.baseline()));
}
inline bool ShapePlanner::explain() {
	RangeNarrower narrower(prober_, wishes_, probed_);
	for (;;) {
		align_traces();
		Fitter fitter(probed_.plan.symbols, probed_.points, wishes_.known_sizes());
		Unifier unifier(probed_.traces, fitter);
		const Explanation explanation(unifier);
		if (const auto& why = explanation.why()) {
		if (!gives_up_ones()) narrower.fix_unexplained(*why);
		return false;
		}
		const auto wanted = unifier.needs_more_points() ? fitting(fitter.wanted_points()) : std::vector<ProbePoint>();
		const bool is_bound = prober_.stated() != nullptr && !prober_.stated()->conditions.empty();
		if (unifier.needs_more_points() && !(wanted.empty() && is_bound)) {
		if (wanted.empty() || probed_.points.size() >= Fitter::max_points) {
		if (gives_up_ones()) return false;
		throw Error(ErrorKind::unsupported,
		"an integer has more than one explanation in terms of the dynamic sizes",
		{.hint = "make the dimensions that it depends on static, or give them smaller ranges",
		.where = {.stage = "dynamic shapes"}});
		}
		if (!probe(wanted)) return false;
		continue;
		}
		if (prober_.runs_code())
		if (const auto other = find_other_steps(explanation)) {
		if (!probe({*other})) return false;
		continue;
		}
		if (!narrower.check_small_ends(explanation)) return false;
		widen_unbacked(probed_.plan, probed_.traces[0],
		[&](const ProbePoint& point) { return prober_.parting(probed_.plan, point, explanation); });
		return true;
	}
}
inline void ShapePlanner::add_unbacked() {
	const Trace& baseline = prober_.baseline();
	for (std::size_t i = 0; i < baseline.unbacked.size(); ++i) {
		ProbeDim symbol{.name = baseline.unbacked_names[i]};
		const auto asked = algo::find(baseline.asked, i, &AskedValue::unbacked);
		if (asked != baseline.asked.end() && prober_.runs_code()) {
		symbol.sample = baseline.values[baseline.ops[asked->op].outputs[0].values[0].index].number;
		symbol.least = std::min<std::int64_t>(symbol.sample, 0);
		symbol.range = intersect(baseline.unbacked[i], ValueRange::at_least(symbol.least));
		} else {
		symbol.range = intersect(baseline.unbacked[i], ValueRange::at_least(0));
		symbol.sample = std::max<std::int64_t>(symbol.range.min, 2);
		}
		if (const StatedSizes* stated = prober_.stated()) {
		if (const ValueRange* known = stated->ranges.find(symbol.name))
		symbol.range = intersect(symbol.range, *known);
		const auto* number = stated->sample.find(symbol.name);
		symbol.sample = number != nullptr ? *number : std::clamp(symbol.sample, symbol.range.min, symbol.range.max);
		}
		probed_.plan.symbols.push_back(std::move(symbol));
	}
}
inline void ShapePlanner::refuse_complaints() const {
	if (probed_.complaints.empty()) return;
	const Complaint& first = probed_.complaints[0];
	const std::string ways = ", remove what depends on the size, or set prefer_deferred_runtime_asserts_over_guards";
	ErrorDetails details{.hint = first.hint + ways, .where = {.stage = "dynamic shapes", .op = first.op}};
	if (!first.hint.empty()) throw Error(ErrorKind::invalid_input, first.found, std::move(details));
	const auto held = algo::find(probed_.plan.symbols, first.symbol, &ProbeDim::name);
	if (held == probed_.plan.symbols.end() || held->range.min == held->range.max) {
		details.hint = "make '" + first.symbol + "' static" + ways;
	} else {
		const auto factor = probed_.factors.find(first.symbol);
		details.hint = "ask for " + (factor != probed_.factors.end() ? std::to_string(factor->second) + " * " : "") +
		"Dim{\"" + first.symbol + "\", " + std::to_string(std::max<std::int64_t>(held->range.min, 0)) +
		(held->range.max == ValueRange::no_max ? "" : ", " + std::to_string(held->range.max)) + "}" +
		ways;
	}
	throw Error(ErrorKind::invalid_input,
		"the model does not do the same over the whole range of a dimension: " + first.found,
		std::move(details));
}
inline void ShapePlanner::reach_known_steps() {
	constexpr std::int64_t far = 1 << 14;
	auto& symbols = probed_.plan.symbols;
	for (const SymExpr& known : wishes_.known_sizes())
		for (const std::string& name : free_symbols(known)) {
		const auto symbol = algo::find(symbols, name, &ProbeDim::name);
		if (symbol == symbols.end() || symbol->range.max != ValueRange::no_max) continue;
		ValueRange domain = probe_domain(*symbol);
		const auto number_at = [&](std::int64_t size) -> std::optional<std::int64_t> {
		SymBindings sizes = probed_.plan.bindings_at(probed_.sample_point());
		sizes.set(name, size);
		try {
		return evaluate(known, sizes);
		} catch (const Error&) {
		return std::nullopt;
		}
		};
		const auto low = number_at(domain.min);
		const std::int64_t before = domain.max;
		while (domain.max < far && low && number_at(domain.max) == low) domain.max *= 2;
		if (domain.max == before || domain.max >= far) continue;
		domain.max = ferry::detail::prime_from(4 * domain.max);
		symbol->domain = domain;
		}
}
inline std::vector<ProbePoint> ShapePlanner::first_points() {
	auto& symbols = probed_.plan.symbols;
	if (const StatedSizes* stated = prober_.stated()) {
		for (ProbeDim& symbol : symbols) symbol.domain.reset();
		reach_known_steps();
		FittingPoints points(symbols, stated->conditions);
		if (points.any()) {
		points.fit_domains();
		symbols = points.dims();
		return points.choose();
		}
	}
	return choose_probe_points(symbols);
}
inline std::vector<ProbePoint> ShapePlanner::fitting(std::vector<ProbePoint> points) const {
	if (prober_.stated() == nullptr) return points;
	const FittingPoints fit(probed_.plan.symbols, prober_.stated()->conditions);
	std::vector<ProbePoint> found;
	for (const ProbePoint& point : points)
		if (auto near = fit.near(point);
		near && !algo::contains(probed_.points, *near) && !algo::contains(found, *near))
		found.push_back(std::move(*near));
	return found;
}
inline Probed ShapePlanner::plan_once() {
	constexpr int max_rounds = 32;
	probed_.plan = probed_.asked = wishes_.plan(prober_.leaves());
	probed_.output = prober_.run_sample_first(probed_);
	DimDiscovery(prober_, wishes_, probed_).run();
	if (prober_.runs_code())
		for (ProbeDim& symbol : probed_.plan.symbols) symbol.least = 1;
	add_unbacked();
	for (int round = 0; round < max_rounds; ++round) {
		probed_.points.clear();
		probed_.traces.clear();
		if ((prober_.runs_code() && !leave_small_sizes()) || !probe(take_seeds()) || !explain()) continue;
		refuse_complaints();
		check_required_dims(wishes_, probed_, prober_.leaves());
		if (probed_.plan.symbols.empty()) prober_.require_no_memory(probed_);
		return std::move(probed_);
	}
	throw Error(ErrorKind::unsupported, "no range of sizes was found over which the model does the same",
		{.where = {.stage = "dynamic shapes"}});
}
}
#include <ATen/core/enum_tag.h>
namespace ferry {
enum class Effect : std::uint8_t {
	none,  
	random,
	acts,  
};
struct checks_and_returns {
	static constexpr auto target =
		op("aten::_functional_assert_async.msg", "aten::_functional_assert_scalar",
		"aten::_functional_sym_constrain_range", "aten::_functional_sym_constrain_range_for_size");
};
class OpEffects {
public:
	[[nodiscard]] Effect of(const Graph& graph, const Node& node) {
		const auto [found, is_new] =
		ops_.try_emplace(node.op().data());
		if (is_new) found->second = look_up(node.op());
		switch (found->second) {
		case OpKind::pure: return Effect::none;
		case OpKind::acts: return Effect::acts;
		case OpKind::random: return draws(node) ? Effect::random : Effect::none;
		case OpKind::has_bodies: return of_bodies(graph, node);
		}
		return Effect::acts;
	}
private:
	enum class OpKind : std::uint8_t { pure, random, acts, has_bodies };
	[[nodiscard]] static OpKind look_up(std::string_view name) {
		if (name.starts_with("higher_order::")) return OpKind::has_bodies;
		if (find_sym_call(name) != nullptr) return OpKind::pure;
		const auto op = find_op(name);
		if (!op || op_table<type_list<checks_and_returns>>::contains(name)) return OpKind::acts;
		const c10::FunctionSchema& schema = op->schema();
		if (schema.returns().empty() || schema.is_mutable() ||
		schema.aliasAnalysis() == c10::AliasAnalysisKind::CONSERVATIVE)
		return OpKind::acts;
		if (op->hasTag(at::Tag::nondeterministic_seeded)) return OpKind::random;
		const bool drops = algo::any_of(schema.arguments(),
		[](const c10::Argument& argument) { return argument.name() == "dropout_p"; });
		return drops ? OpKind::random : OpKind::pure;
	}
	[[nodiscard]] static bool draws(const Node& node) {
		for (const std::string_view name : {"train", "training"})
		if (const Argument* flag = node.find(name)) {
		const bool* on = flag->get_if<bool>();
		return on == nullptr || *on;
		}
		for (const std::string_view name : {"dropout_p", "dropout"})
		if (const Argument* share = node.find(name)) return !(*share == Argument(0.0));
		return !node.op().starts_with(
		"aten::scaled_dot_product_attention");
	}
	[[nodiscard]] Effect of_bodies(const Graph& graph, const Node& node) {
		Effect worst = Effect::none;
		bool any = false;
		const auto visit = [&](const auto& self, const Argument& argument) -> void {
		if (const auto* list = argument.get_if<ArgumentList>())
		for (const Argument& item : *list) self(self, item);
		if (const auto* inner = argument.get_if<Subgraph>()) {
		any = true;
		const Graph& body = graph.subgraph(*inner);
		for (const Node& each : body.nodes()) worst = std::max(worst, of(body, each));
		}
		};
		for (const NamedArgument& argument : node.arguments()) visit(visit, argument.value);
		return any ? worst : Effect::acts;
	}
	std::unordered_map<const char*, OpKind> ops_;
};
}
namespace ferry {
void verify(const Graph& graph);
namespace detail {
class GraphVerifier {
public:
	GraphVerifier(const Graph& graph, std::string where) : graph_(graph), where_(std::move(where)) {}
	void run() {
		defined_.assign(graph_.num_values(), false);
		output_uses_.assign(graph_.num_values(), 0);
		names_.reserve(graph_.num_values());
		for (const Value input : graph_.inputs()) {
		define(input, nullptr);
		if (graph_.info(input).producer != nullptr)
		fail("input '" + graph_.info(input).name + "' has a node that produces it");
		}
		const Node* previous = nullptr;
		std::size_t count = 0;
		for (const Node& node : graph_.nodes()) {
		node_ = &node;
		if (node.previous() != previous) fail("the node's neighbours disagree about their order");
		if (++count > graph_.num_nodes()) fail("there are more nodes than the graph counts");
		check_arguments(node);
		for (const Output& output : node.outputs()) {
		if (!output.is_list && output.values.size() > 1) fail("an output that is no list has several values");
		for (const Value value : output.values) define(value, &node);
		}
		if (find_sym_call(node.op()) != nullptr) check_sym_call(node);
		previous = &node;
		}
		node_ = nullptr;
		if (count != graph_.num_nodes())
		fail("the graph counts " + std::to_string(graph_.num_nodes()) + " nodes and has " + std::to_string(count));
		if (graph_.last() != previous) fail("the last node is not the end of the list");
		for (const Argument& output : graph_.outputs())
		for_each_value(output, [&](Value value) {
		check_use(value);
		++output_uses_[value.index];
		});
		check_users();
		for (std::uint32_t i = 0; i < graph_.num_subgraphs(); ++i)
		GraphVerifier(graph_.subgraph({i}), where_ + (where_.empty() ? "" : ".") + graph_.subgraph_name({i})).run();
	}
private:
	[[noreturn]] void fail(const std::string& what) const {
		std::string text = "the graph is broken: " + what;
		if (node_ != nullptr) text += ", at node " + describe(*node_);
		if (!where_.empty()) text += ", in subgraph '" + where_ + "'";
		throw Error(ErrorKind::internal, text,
		{.hint = "report this, with the pass or fix that ran last",
		.where = {.stage = "verify",
		.op = node_ != nullptr ? std::string(node_->op()) : std::string(),
		.path = node_ != nullptr ? std::string(node_->module_path()) : std::string()}});
	}
	[[nodiscard]] std::string describe(const Node& node) const {
		const Value first = node.output();
		return first && first.index < graph_.num_values() ? "'" + graph_.info(first).name + "'" : "without outputs";
	}
	void check_known(Value value) const {
		if (!value) fail("a value that stands for nothing is used");
		if (value.index >= graph_.num_values()) fail("value " + std::to_string(value.index) + " is not of this graph");
	}
	void check_use(Value value) const {
		check_known(value);
		if (defined_[value.index]) return;
		const ValueInfo& info = graph_.info(value);
		fail("'" + info.name + "' is used " +
		(info.producer == nullptr ? "but nothing defines it" : "before it is defined"));
	}
	void define(Value value, const Node* producer) {
		check_known(value);
		const ValueInfo& info = graph_.info(value);
		if (defined_[value.index]) fail("'" + info.name + "' is defined twice");
		defined_[value.index] = true;
		if (info.name.empty()) fail("value " + std::to_string(value.index) + " has no name");
		if (!names_.insert(info.name).second) fail("two values are called '" + info.name + "'");
		if (info.producer != producer) fail("'" + info.name + "' names another node as its producer");
		if (info.kind == ValueKind::tensor) {
		const auto& [dtype, layout, requires_grad, device, sizes, strides] = info.tensor;
		if (!strides.empty() && strides.size() != sizes.size())
		fail("'" + info.name + "' has another number of strides than of sizes");
		for (const auto* list : {&sizes, &strides})
		if (algo::any_of(*list, [](const SymExpr& size) { return size.type() != SymType::integer; }))
		fail("'" + info.name + "' has a size that is no integer");
		} else if (info.kind == ValueKind::sym_int && info.symbol.type() != SymType::integer) {
		fail("'" + info.name + "' is an integer with an expression that is none");
		}
	}
	void check_arguments(const Node& node) {
		const auto arguments = node.arguments();
		bool keywords = false;
		for (std::size_t i = 0; i < arguments.size(); ++i) {
		const NamedArgument& argument = arguments[i];
		if (argument.name.empty()) fail("argument " + std::to_string(i) + " has no name");
		for (std::size_t k = 0; k < i; ++k)
		if (arguments[k].name == argument.name)
		fail("argument '" + std::string(argument.name) + "' is given twice");
		if (keywords && !argument.keyword)
		fail("argument '" + std::string(argument.name) + "' stands behind a keyword");
		keywords = argument.keyword;
		for_each_value(argument.value, [&](Value value) {
		check_use(value);
		uses_.emplace_back(value.index, &node);
		});
		check_subgraphs(argument.value);
		}
	}
	void check_subgraphs(const Argument& argument) const {
		if (const auto* inner = argument.get_if<Subgraph>()) {
		if (inner->index >= graph_.num_subgraphs()) fail("there is no subgraph " + std::to_string(inner->index));
		} else if (const auto* list = argument.get_if<ArgumentList>()) {
		for (const Argument& item : *list) check_subgraphs(item);
		}
	}
	void check_sym_call(const Node& node) const {
		if (node.arguments().empty()) fail("a function over sizes is called without any");
		for (const NamedArgument& argument : node.arguments()) {
		const auto* value = argument.value.get_if<Value>();
		const bool number = value != nullptr ? graph_.info(*value).kind != ValueKind::tensor
		: argument.value.is<std::int64_t>() || argument.value.is<double>() ||
		argument.value.is<bool>();
		if (!number) fail("argument '" + std::string(argument.name) + "' of a function over sizes is no number");
		}
		const Value result = node.output();
		if (node.outputs().size() != 1 || !result || graph_.info(result).kind == ValueKind::tensor)
		fail("a function over sizes gives one number");
	}
	void check_users() {
		std::vector<std::pair<std::uint32_t, const Node*>> users;
		users.reserve(uses_.size());
		for (std::uint32_t i = 0; i < graph_.num_values(); ++i) {
		const ValueInfo& info = graph_.info(Value{i});
		for (const Node* user : info.users) users.emplace_back(i, user);
		if (info.output_uses != output_uses_[i])
		fail("'" + info.name + "' is an output " + std::to_string(output_uses_[i]) + " times, not " +
		std::to_string(info.output_uses));
		}
		const auto order = [](const auto& a, const auto& b) {
		return a.first != b.first ? a.first < b.first : std::less<const Node*>{}(a.second, b.second);
		};
		algo::sort(users, order);
		algo::sort(uses_, order);
		const auto [use, user] = std::mismatch(uses_.begin(), uses_.end(), users.begin(), users.end());
		if (use == uses_.end() && user == users.end()) return;
		const bool missing = user == users.end() || (use != uses_.end() && order(*use, *user));
		node_ = missing ? use->second : nullptr;
		fail(missing ? "'" + graph_.info(Value{use->first}).name + "' does not know of one of its users"
		: "'" + graph_.info(Value{user->first}).name + "' has a user that does not use it");
	}
	const Graph& graph_;
	std::string where_;
	const Node* node_ = nullptr;
	std::vector<bool> defined_;
	std::vector<std::uint32_t> output_uses_;
	std::unordered_set<std::string_view> names_;
	std::vector<std::pair<std::uint32_t, const Node*>> uses_;
};
#ifdef NDEBUG
static constexpr bool debug_build = false;
#else
static constexpr bool debug_build = true;
#endif
}
inline void verify(const Graph& graph) { detail::GraphVerifier(graph, {}).run(); }
template <bool Enabled = detail::debug_build>
void debug_verify(const Graph& graph) {
	if constexpr (Enabled) verify(graph);
}
}
namespace ferry {
namespace detail {
inline std::size_t remove_dead_code(Graph& graph, OpEffects& effects) {
	std::size_t removed = 0;
	const auto is_dead = [&](const Node& node) {
		for (const Output& output : node.outputs())
		if (algo::any_of(output.values, [&](Value value) { return graph.is_used(value); })) return false;
		return effects.of(graph, node) == Effect::none;
	};
	for (Node* node = graph.last(); node != nullptr;) {
		Node* const previous = node->previous();
		if (is_dead(*node)) {
		graph.erase(*node);
		++removed;
		}
		node = previous;
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) removed += remove_dead_code(graph.subgraph({i}), effects);
	return removed;
}
}
inline std::size_t remove_dead_code(Graph& graph) {
	OpEffects effects;
	const std::size_t removed = detail::remove_dead_code(graph, effects);
	debug_verify(graph);
	return removed;
}
}
namespace ferry {
namespace detail {
struct SpeltOutLinear {
	Value input{};
	Value weight{};
	Value bias{};
	Node* product = nullptr;  
	Node* transpose = nullptr;
};
class LinearFinder {
public:
	LinearFinder(Graph& graph, bool of_core_ops) : graph_(graph), of_core_ops_(of_core_ops) {}
	[[nodiscard]] bool find(Node& node, SpeltOutLinear& found) const {
		if (node.op() == "aten::addmm")
		return is_one(node.find("beta")) && is_one(node.find("alpha")) &&
		match(node, value(node, "mat1"), value(node, "mat2"), found) &&
		fits_bias(value(node, "self"), found);
		if (node.op() == "aten::matmul")
		return match(node, value(node, "self"), value(node, "other"), found) && !waits_for_bias(node, found);
		if (node.op() == "aten::mm")
		return of_core_ops_ && match(node, value(node, "self"), value(node, "mat2"), found);
		return node.op() == "aten::add.Tensor" && find_biased(node, found);
	}
private:
	[[nodiscard]] static Value value(const Node& node, std::string_view name) {
		const Argument* argument = node.find(name);
		const Value* found = argument != nullptr ? argument->get_if<Value>() : nullptr;
		return found != nullptr ? *found : Value();
	}
	[[nodiscard]] static bool is_one(const Argument* scalar) {
		return scalar == nullptr || *scalar == Argument(1) || *scalar == Argument(1.0);
	}
	[[nodiscard]] const TensorMeta* tensor(Value value) const {
		if (!value) return nullptr;
		const ValueInfo& info = graph_.info(value);
		return info.kind == ValueKind::tensor ? &info.tensor : nullptr;
	}
	[[nodiscard]] bool match(Node& product, Value input, Value transposed, SpeltOutLinear& found) const {
		const TensorMeta* x = tensor(input);
		if (x == nullptr || x->sizes.empty() || tensor(transposed) == nullptr) return false;
		Node* transpose = graph_.info(transposed).producer;
		if (transpose == nullptr || !only_use(transposed)) return false;
		if (transpose->op() != "aten::t" && !(of_core_ops_ && exchanges_rows_and_columns(*transpose))) return false;
		const Value weight = value(*transpose, "self");
		const TensorMeta* w = tensor(weight);
		if (w == nullptr || w->sizes.size() != 2 || w->dtype != x->dtype || tensor(product.output())->dtype != x->dtype)
		return false;
		found = {.input = input, .weight = weight, .product = &product, .transpose = transpose};
		return true;
	}
	[[nodiscard]] bool exchanges_rows_and_columns(const Node& node) const {
		const Value matrix = value(node, "self");
		if (tensor(matrix) == nullptr || graph_.info(matrix).producer != nullptr) return false;
		if (node.op() == "aten::permute") {
		const Argument* dims = node.find("dims");
		const auto* order = dims != nullptr ? dims->get_if<ArgumentList>() : nullptr;
		return order != nullptr && order->size() == 2 && is_dim((*order)[0], 1) && is_dim((*order)[1], 0);
		}
		if (node.op() != "aten::transpose.int") return false;
		const Argument *first = node.find("dim0"), *second = node.find("dim1");
		return first != nullptr && second != nullptr &&
		((is_dim(*first, 0) && is_dim(*second, 1)) || (is_dim(*first, 1) && is_dim(*second, 0)));
	}
	[[nodiscard]] static bool is_dim(const Argument& given, std::int64_t wanted) {
		return given == Argument(wanted) || given == Argument(wanted - 2);
	}
	[[nodiscard]] bool only_use(Value value) const {
		const ValueInfo& info = graph_.info(value);
		return info.users.size() == 1 && info.output_uses == 0;
	}
	[[nodiscard]] bool fits_bias(Value bias, SpeltOutLinear& found) const {
		const TensorMeta* b = tensor(bias);
		const TensorMeta* w = tensor(found.weight);
		if (b == nullptr || b->sizes.size() != 1 || b->dtype != w->dtype || !(b->sizes[0] == w->sizes[0])) return false;
		found.bias = bias;
		return true;
	}
	[[nodiscard]] bool find_biased(Node& add, SpeltOutLinear& found) const {
		const Value sum = value(add, "self");
		if (tensor(sum) == nullptr || !is_one(add.find("alpha"))) return false;
		Node* product = graph_.info(sum).producer;
		return product != nullptr && product->op() == "aten::matmul" && only_use(sum) &&
		match(*product, value(*product, "self"), value(*product, "other"), found) &&
		fits_bias(value(add, "other"), found);
	}
	[[nodiscard]] bool waits_for_bias(const Node& product, SpeltOutLinear found) const {
		const ValueInfo& info = graph_.info(product.output());
		return info.users.size() == 1 && info.users[0]->op() == "aten::add.Tensor" &&
		find_biased(*info.users[0], found);
	}
	Graph& graph_;
	bool of_core_ops_;
};
}
inline std::size_t restore_linear(Graph& graph, bool of_core_ops = false) {
	const detail::LinearFinder finder(graph, of_core_ops);
	std::size_t made = 0;
	for (Node& node : graph.nodes()) {
		detail::SpeltOutLinear found;
		if (!finder.find(node, found)) continue;
		const Value old = node.output();
		ValueInfo info{.name = {}, .tensor = std::move(graph.info(old).tensor)};
		const Value result = graph.new_value("linear", std::move(info));
		std::vector<NamedArgument> arguments{{"input", found.input}, {"weight", found.weight}};
		if (found.bias) arguments.push_back({"bias", found.bias});
		Node& linear = graph.insert_before(&node, "aten::linear", std::move(arguments), {{.values = {result}}});
		const std::string_view owner = found.transpose->module_path();
		linear.set_module_path(owner.starts_with(node.module_path()) ? owner : node.module_path());
		graph.replace_uses(old, result);
		graph.erase(node);
		if (found.product != &node) graph.erase(*found.product);
		graph.erase(*found.transpose);
		++made;
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) made += restore_linear(graph.subgraph({i}), of_core_ops);
	debug_verify(graph);
	return made;
}
}
namespace ferry {
namespace detail {
[[nodiscard]] inline std::string placeholder_name(std::string_view prefix, std::string_view path) {
	std::string name(prefix);
	for (const char c : path)
		name += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
	return name;
}
class ProgramAssembler {
public:
	ProgramAssembler(const capture::Probed& probed, capture::GraphBuilder& builder, ExportedProgram& program)
		: probed_(probed), builder_(builder), program_(program) {}
	void add_state(const ModelState& state) {
		std::map<const void*, Value> lifted;
		for (const capture::Lifted& each : probed_.traces[0].lifted)
		lifted.emplace(each.tensor.unsafeGetTensorImpl(), each.value);
		add_named(state.parameters, InputKind::parameter, "p_", lifted);
		add_named(state.buffers, InputKind::buffer, "b_", lifted);
		add_named(state.constants, InputKind::constant_tensor, "c_", lifted);
		std::size_t count = 0;
		for (const capture::Lifted& each : probed_.traces[0].lifted) {
		if (seen_.contains(each.tensor.unsafeGetTensorImpl())) continue;
		std::string target;
		do target = "lifted_tensor_" + std::to_string(count++);
		while (algo::contains(program_.constants, target, &NamedTensors::value_type::first));
		add({.kind = InputKind::constant_tensor, .target = target}, "c_" + target, each.value);
		program_.constants.emplace_back(target, each.tensor.detach());
		}
	}
	void add_user_inputs(const std::vector<Leaf>& leaves, const std::vector<std::string>& paths) {
		std::size_t tensor = 0;
		for (std::size_t i = 0; i < leaves.size(); ++i) {
		const std::string name = placeholder_name("", paths[i]);
		if (leaves[i].is_tensor() && leaves[i].tensor().defined()) {
		add({.kind = InputKind::user_input}, name, probed_.traces[0].inputs[tensor++], asked_sizes(i));
		continue;
		}
		InputSpec spec{.kind = InputKind::user_input, .argument = to_argument(leaves[i]), .name = name};
		if (!probed_.plan.sizes[i].empty()) {
		const auto asked = asked_sizes(i);
		const Value number =
		builder_.add_number_input(name, asked.empty() ? probed_.plan.sizes[i][0] : asked[0]);
		spec.argument = number;
		spec.name = builder_.name_of(number);
		}
		program_.signature.inputs.push_back(std::move(spec));
		}
	}
	void add_outputs() {
		const capture::Trace& trace = probed_.traces[0];
		std::vector<Argument> outputs;
		std::vector<capture::Mutation> mutations = trace.mutations;
		algo::sort(mutations, {},
		[&](const capture::Mutation& mutation) { return by_value_.at(mutation.before.index); });
		for (const capture::Mutation& mutation : mutations) {
		const InputSpec& input = *by_value_.at(mutation.before.index);
		const OutputKind kind = input.kind == InputKind::user_input  ? OutputKind::user_input_mutation
		: input.kind == InputKind::parameter ? OutputKind::parameter_mutation
		: OutputKind::buffer_mutation;
		outputs.emplace_back(builder_.of(mutation.after));
		program_.signature.outputs.push_back(
		{.kind = kind,
		.argument = outputs.back(),
		.target = kind == OutputKind::user_input_mutation ? input.name : input.target});
		}
		for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
		outputs.push_back(builder_.output(i));
		program_.signature.outputs.push_back({.kind = OutputKind::user_output, .argument = outputs.back()});
		}
		program_.graph = std::move(builder_).finish();
		program_.graph.set_outputs(std::move(outputs));
	}
	void index_inputs() {
		for (const InputSpec& input : program_.signature.inputs)
		if (const auto found = traced_.find(input.name); found != traced_.end())
		by_value_[found->second.index] = &input;
	}
private:
	[[nodiscard]] std::vector<SymExpr> asked_sizes(std::size_t leaf) const {
		std::vector<SymExpr> sizes = probed_.plan.sizes[leaf];
		bool differs = false;
		for (std::size_t dim = 0; dim < sizes.size(); ++dim)
		if (const SymExpr& asked = probed_.asked.sizes[leaf][dim]; probed_.deferred.concerns(asked))
		sizes[dim] = asked, differs = true;
		return differs ? sizes : std::vector<SymExpr>();
	}
	void add(InputSpec spec, const std::string& name, Value traced, std::vector<SymExpr> sizes = {}) {
		spec.argument =
		sizes.empty() ? builder_.add_input(name, traced) : builder_.add_input(name, traced, std::move(sizes));
		spec.name = builder_.name_of(*spec.argument.get_if<Value>());
		traced_[spec.name] = traced;
		program_.signature.inputs.push_back(std::move(spec));
	}
	void add_named(const std::vector<std::pair<std::string, at::Tensor>>& named, InputKind kind,
		std::string_view prefix, const std::map<const void*, Value>& lifted) {
		for (const auto& [target, tensor] : named) {
		if (!tensor.defined() || !seen_.insert(tensor.unsafeGetTensorImpl()).second)
		continue;
		(kind == InputKind::constant_tensor ? program_.constants : program_.state).emplace_back(target, tensor);
		InputSpec spec{.kind = kind, .target = target};
		const std::string name = placeholder_name(prefix, target);
		if (const auto used = lifted.find(tensor.unsafeGetTensorImpl()); used != lifted.end()) {
		add(std::move(spec), name, used->second);
		} else {
		spec.argument = builder_.add_unused_input(name, tensor);
		spec.name = builder_.name_of(*spec.argument.get_if<Value>());
		program_.signature.inputs.push_back(std::move(spec));
		}
		}
	}
	const capture::Probed& probed_;
	capture::GraphBuilder& builder_;
	ExportedProgram& program_;
	std::set<const void*> seen_;
	std::map<std::string, Value> traced_;
	std::map<std::uint32_t, const InputSpec*> by_value_;
};
inline void add_checks(capture::GraphBuilder& builder, const capture::Probed& probed) {
	auto checked = capture::ranges_to_check(probed.plan, probed.traces[0]);
	for (const ProbeDim& asked : probed.asked.symbols)
		for (const ProbeDim& held : probed.plan.symbols)
		if (held.name == asked.name && probed.deferred.ranges.contains(held.name))
		checked.emplace_back(held.name, capture::beyond(asked.range, held.range));
	builder.check_ranges(std::move(checked));
	builder.check_equal(probed.deferred.equal);
}
[[nodiscard]] inline SymMap<ValueRange> promised_ranges(const capture::Probed& probed) {
	SymMap<ValueRange> ranges;
	for (const ProbeDim& symbol : probed.plan.symbols) ranges.set(symbol.name, symbol.range);
	for (const ProbeDim& asked : probed.asked.symbols)
		if (probed.deferred.concerns(SymExpr::symbol(asked.name))) ranges.set(asked.name, asked.range);
	return ranges;
}
inline void note_fixed_values(ExportedProgram& program, const capture::Trace& trace,
		const capture::GraphBuilder& builder, bool is_script) {
	for (const Value traced : trace.fixed)
		for (const InputSpec& input : program.signature.inputs) {
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr || *value != builder.of(traced)) continue;
		if (is_script && input.kind == InputKind::constant_tensor) continue;
		program.notes.push_back("the value of '" + input.target +
		"' is fixed in the program, since forward asks for it as a number");
		}
}
inline void refuse_sparse(const std::vector<Leaf>& leaves, const std::vector<std::string>& paths) {
	for (std::size_t i = 0; i < leaves.size(); ++i)
		if (leaves[i].is_tensor() && leaves[i].tensor().defined() && leaves[i].tensor().layout() != c10::kStrided)
		throw Error(ErrorKind::invalid_input, "an input is a sparse tensor, which a program cannot take",
		{.hint = "pass it dense, or pass its indices and values", .where = {.path = paths[i]}});
}
}
struct CapturedProgram {
	ExportedProgram program{};
	capture::Probed probed{};
};
struct CaptureOptions {
	DynamicShapes shapes{};
	bool all_dynamic = false;
	bool defers_checks = false;
	bool ops_alone = false;
	const capture::StatedSizes* stated = nullptr;
	std::vector<SymExpr> known_sizes{};
	capture::LeftBehindWatch* watch = nullptr;
	Progress progress{};
};
[[nodiscard]] inline CapturedProgram capture_program(const capture::RunModel& run, const Inputs& inputs,
		const ModelState& state, const CaptureOptions& options,
		capture::OpRules rules,
		std::function<std::string()> running_module = {}) {
	capture::meet_libtorch();
	const capture::OutsideScope outside;
	const capture::ModuleCallsScope silent(nullptr);
	const Tree given = inputs.tree();
	const std::vector<std::string> paths = given.spec.leaf_paths();
	detail::refuse_sparse(given.leaves, paths);
	capture::ModuleNames names;
	for (const auto* named : {&state.parameters, &state.buffers})
		for (const auto& [name, tensor] : *named) names.add_tensor(tensor, name);
	for (const auto& [path, module] : state.modules) names.add_module(module, path);
	const bool is_script = running_module != nullptr;
	names.set_interpreter(std::move(running_module));
	capture::Session session(run, given.leaves, rules, std::move(names));
	session.set_ops_alone(options.ops_alone);
	session.set_watch(options.watch);
	std::vector<at::Tensor> buffers;
	buffers.reserve(state.buffers.size());
	for (const auto& [name, tensor] : state.buffers) buffers.push_back(tensor);
	const auto has_data = [](const auto& named) { return !named.second.defined() || !named.second.is_meta(); };
	session.set_state(std::move(buffers),
		algo::all_of(state.parameters, has_data) && algo::all_of(state.buffers, has_data));
	if (options.stated != nullptr) session.set_stated(*options.stated);
	const capture::ShapeWishes wishes(
		options.shapes, paths,
		{.all_dynamic = options.all_dynamic, .defers = options.defers_checks, .known_sizes = options.known_sizes});
	capture::Probed probed = capture::ShapePlanner(session, wishes, options.progress).plan();
	capture::spread_modules(probed.traces[0], session.names());
	Fitter fitter(probed.plan.symbols, probed.points, options.known_sizes);
	capture::Unifier unifier(probed.traces, fitter);
	capture::GraphBuilder builder(unifier);
	ExportedProgram program;
	detail::ProgramAssembler assembler(probed, builder, program);
	assembler.add_state(state);
	assembler.add_user_inputs(given.leaves, paths);
	assembler.index_inputs();
	detail::add_checks(builder, probed);
	const std::size_t ops = probed.traces[0].ops.size();
	report(options.progress, {.stage = "graph", .done = 0, .total = ops});
	builder.build();
	detail::note_fixed_values(program, probed.traces[0], builder, is_script);
	assembler.add_outputs();
	remove_dead_code(program.graph);
	restore_linear(program.graph);
	program.renew_outputs();
	program.ranges = detail::promised_ranges(probed);
	for (const auto& [symbol, range] : probed.narrowed) program.narrowed.set(symbol, range);
	program.in_spec = TreeSpec::tuple({TreeSpec::tuple({}), given.spec});
	program.out_spec = probed.output.spec;
	program.example_inputs = given.leaves;
	program.notes.insert(program.notes.begin(), probed.notes.begin(), probed.notes.end());
	report(options.progress, {.stage = "graph", .done = ops, .total = ops});
	return {std::move(program), std::move(probed)};
}
}
#include <ATen/ops/full.h>
#include <c10/core/DefaultDtype.h>
namespace ferry::decomposed {
[[nodiscard]] inline at::Device real_device(const at::Tensor& tensor) {
	capture::Tracer* tracer = capture::current_tracer();
	return tracer != nullptr ? tracer->device_of(tensor) : tensor.device();
}
[[nodiscard]] inline at::Tensor number_like(const at::Tensor& self, const at::Scalar& value,
		std::optional<at::ScalarType> dtype = {}) {
	return at::full({}, value, dtype.value_or(self.scalar_type()), std::nullopt, real_device(self), std::nullopt);
}
[[nodiscard]] inline at::Scalar factor_of(const at::Tensor& self, const at::Scalar& factor) {
	const bool is_cut = factor.isFloatingPoint() && c10::isIntegralType(self.scalar_type(), /*includeBool=*/true);
	return is_cut ? at::Scalar(static_cast<std::int64_t>(factor.toDouble())) : factor;
}
[[nodiscard]] inline at::Tensor wide(const at::Tensor& self) {
	return c10::isReducedFloatingType(self.scalar_type()) ? self.to(at::kFloat) : self;
}
[[nodiscard]] inline at::Tensor cast(const at::Tensor& self, at::ScalarType dtype) {
	return self.scalar_type() == dtype ? self : self.to(dtype);
}
[[nodiscard]] inline at::ScalarType as_float_type(const at::Tensor& self) {
	return c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
		? c10::typeMetaToScalarType(c10::get_default_dtype())
		: self.scalar_type();
}
[[nodiscard]] inline at::Tensor as_float(const at::Tensor& self) { return cast(self, as_float_type(self)); }
template <class Function>
[[nodiscard]] at::Tensor widely(const at::Tensor& self, Function&& function) {
	return cast(function(wide(self)), self.scalar_type());
}
class CopiesNeeded {
public:
	void begin_run() noexcept {
		next_ = 0;
		has_run_ = has_run_ || !needed_.empty();
		is_new_ = false;
	}
	[[nodiscard]] bool is_needed(bool is_needed_here) {
		if (next_ == needed_.size()) needed_.push_back(false);
		is_new_ = is_new_ || (is_needed_here && !needed_[next_]);
		needed_[next_] = needed_[next_] || is_needed_here;
		return needed_[next_++];
	}
	[[nodiscard]] bool has_learnt() const noexcept { return has_run_ && is_new_; }
private:
	std::vector<bool> needed_;
	std::size_t next_ = 0;
	bool has_run_ = false;
	bool is_new_ = false;
};
namespace detail {
struct Running {
	const RunWatch* watch = nullptr;
	const std::unordered_set<const Node*>* plain_views = nullptr;
	CopiesNeeded* copies = nullptr;
	[[nodiscard]] const Node* node() const noexcept { return watch == nullptr ? nullptr : watch->node; }
};
inline thread_local Running running{};
}
class RunningScope {
public:
	RunningScope(const RunWatch& watch, const std::unordered_set<const Node*>& plain_views,
		CopiesNeeded* copies = nullptr)
		: before_(std::exchange(detail::running, {&watch, &plain_views, copies})) {}
	RunningScope(const RunningScope&) = delete;
	RunningScope& operator=(const RunningScope&) = delete;
	~RunningScope() { detail::running = before_; }
private:
	detail::Running before_;
};
[[nodiscard]] inline bool may_copy() {
	return detail::running.plain_views != nullptr && detail::running.plain_views->contains(detail::running.node());
}
[[nodiscard]] inline bool must_copy(bool is_needed_here) {
	return detail::running.copies != nullptr ? detail::running.copies->is_needed(is_needed_here) : is_needed_here;
}
[[nodiscard]] inline bool is_laid_out_as_said(const at::Tensor& tensor, std::string_view argument) {
	const Argument* given = detail::running.node()->find(argument);
	const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
	if (value == nullptr) return false;
	const TensorMeta& said = detail::running.watch->graph->info(*value).tensor;
	if (std::cmp_not_equal(said.sizes.size(), tensor.dim()) || said.strides.size() != said.sizes.size()) return false;
	SymBindings sizes;
	for (std::size_t dim = 0; dim < said.sizes.size(); ++dim)
		if (said.sizes[dim].is_symbol()) sizes.set(said.sizes[dim].name(), tensor.sizes()[dim]);
	for (std::size_t dim = 0; dim < said.strides.size(); ++dim) {
		for (const std::string& symbol : free_symbols(said.strides[dim]))
		if (sizes.find(symbol) == nullptr) return tensor.is_contiguous();
		if (tensor.sizes()[dim] > 1 && evaluate(said.strides[dim], sizes) != tensor.strides()[dim]) return false;
	}
	return true;
}
[[nodiscard]] inline bool is_paired(std::string_view argument) {
	const Argument* given = detail::running.node()->find(argument);
	const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
	return value != nullptr && is_complex_value(*detail::running.watch->graph, *value);
}
[[nodiscard]] inline bool may_vary(std::string_view argument, std::int64_t dim) {
	const Node* node = detail::running.node();
	if (node == nullptr) return false;
	const Argument* given = node->find(argument);
	const Value* value = given != nullptr ? given->get_if<Value>() : nullptr;
	if (value == nullptr) return false;
	const auto& sizes = detail::running.watch->graph->info(*value).tensor.sizes;
	return !sizes.at(static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(sizes.size()) : dim))
		.is_constant();
}
}
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/where.h>
namespace ferry {
namespace decomposed {
using Dtype = std::optional<at::ScalarType>;
using Layout = std::optional<at::Layout>;
using Device = std::optional<at::Device>;
using Pinned = std::optional<bool>;
[[nodiscard]] inline at::ScalarType or_default(Dtype dtype) {
	return dtype.value_or(c10::typeMetaToScalarType(c10::get_default_dtype()));
}
struct arange_end {
	static constexpr auto target = op("aten::arange");
	static at::Tensor decompose(const at::Scalar& end, Dtype dtype, Layout layout, Device device, Pinned pinned) {
		return at::arange(0, end, 1, dtype, layout, device, pinned);
	}
};
struct arange_start {
	static constexpr auto target = op("aten::arange.start");
	static at::Tensor decompose(const at::Scalar& start, const at::Scalar& end, Dtype dtype, Layout layout,
		Device device, Pinned pinned) {
		return at::arange(start, end, 1, dtype, layout, device, pinned);
	}
};
struct ones {
	static constexpr auto target = op("aten::ones");
	static at::Tensor decompose(at::IntArrayRef size, Dtype dtype, Layout layout, Device device, Pinned pinned) {
		return at::full(size, 1, or_default(dtype), layout, device, pinned);
	}
};
struct zeros {
	static constexpr auto target = op("aten::zeros");
	static at::Tensor decompose(at::IntArrayRef size, Dtype dtype, Layout layout, Device device, Pinned pinned) {
		return at::full(size, 0, or_default(dtype), layout, device, pinned);
	}
};
struct new_full {
	static constexpr auto target = op("aten::new_full");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, const at::Scalar& fill, Dtype dtype,
		Layout layout, Device device, Pinned pinned) {
		return at::full(size, fill, dtype.value_or(self.scalar_type()), layout, device ? device : real_device(self),
		pinned);
	}
};
struct new_ones {
	static constexpr auto target = op("aten::new_ones");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
		Pinned pinned) {
		return new_full::decompose(self, size, 1, dtype, layout, device, pinned);
	}
};
struct new_zeros {
	static constexpr auto target = op("aten::new_zeros");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
		Pinned pinned) {
		return new_full::decompose(self, size, 0, dtype, layout, device, pinned);
	}
};
struct new_empty {
	static constexpr auto target = op("aten::new_empty");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, Dtype dtype, Layout layout, Device device,
		Pinned pinned) {
		return new_full::decompose(self, size, 0, dtype, layout, device, pinned);
	}
};
struct empty_like {
	static constexpr auto target = op("aten::empty_like");
	static at::Tensor decompose(const at::Tensor& self, Dtype dtype, Layout layout, Device device, Pinned pinned,
		std::optional<at::MemoryFormat> format) {
		return at::full_like(self, 0, dtype, layout, device, pinned, format);
	}
};
struct ones_like {
	static constexpr auto target = op("aten::ones_like");
	static at::Tensor decompose(const at::Tensor& self, Dtype dtype, Layout layout, Device device, Pinned pinned,
		std::optional<at::MemoryFormat> format) {
		return at::full_like(self, 1, dtype, layout, device, pinned, format);
	}
};
struct zeros_like {
	static constexpr auto target = op("aten::zeros_like");
	static at::Tensor decompose(const at::Tensor& self, Dtype dtype, Layout layout, Device device, Pinned pinned,
		std::optional<at::MemoryFormat> format) {
		return at::full_like(self, 0, dtype, layout, device, pinned, format);
	}
};
struct fill {
	static constexpr auto target = op("aten::fill.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& value) { return at::full_like(self, value); }
};
struct fill_tensor {
	static constexpr auto target = op("aten::fill.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& value) {
		return cast(value, self.scalar_type()).expand(self.sizes()).clone();
	}
};
struct zero {
	static constexpr auto target = op("aten::zero");
	static at::Tensor decompose(const at::Tensor& self) { return at::full_like(self, 0); }
};
[[nodiscard]] inline at::Tensor count_to(std::int64_t end, Device device) {
	return at::arange(0, end, 1, at::kLong, std::nullopt, device, std::nullopt);
}
[[nodiscard]] inline at::Tensor offsets_from_diagonal(std::int64_t rows, std::int64_t columns, Device device) {
	return count_to(columns, device) - count_to(rows, device).unsqueeze(-1);
}
[[nodiscard]] inline at::Tensor offsets_from_diagonal(const at::Tensor& self) {
	return offsets_from_diagonal(self.size(-2), self.size(-1), real_device(self));
}
struct tril {
	static constexpr auto target = op("aten::tril");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t diagonal) {
		return at::where(offsets_from_diagonal(self).le(diagonal), self, number_like(self, 0));
	}
};
struct triu {
	static constexpr auto target = op("aten::triu");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t diagonal) {
		return at::where(offsets_from_diagonal(self).ge(diagonal), self, number_like(self, 0));
	}
};
struct eye_rectangular {
	static constexpr auto target = op("aten::eye.m");
	static at::Tensor decompose(std::int64_t rows, std::int64_t columns, Dtype dtype, Layout, Device device, Pinned) {
		return offsets_from_diagonal(rows, columns, device).eq(0).to(or_default(dtype));
	}
};
struct eye {
	static constexpr auto target = op("aten::eye");
	static at::Tensor decompose(std::int64_t size, Dtype dtype, Layout layout, Device device, Pinned pinned) {
		return eye_rectangular::decompose(size, size, dtype, layout, device, pinned);
	}
};
struct linspace {
	static constexpr auto target = op("aten::linspace");
	static at::Tensor decompose(const at::Scalar& start, const at::Scalar& end, std::int64_t steps, Dtype dtype,
		Layout layout, Device device, Pinned pinned) {
		const at::ScalarType wanted = or_default(dtype);
		if (c10::isComplexType(wanted)) return at::linspace(start, end, steps, dtype, layout, device, pinned);
		if (steps < 2) return at::full({steps}, start, wanted, layout, device, pinned);
		const at::ScalarType computed =
		wanted == at::kDouble || c10::isIntegralType(wanted, true) ? at::kDouble : at::kFloat;
		const at::Tensor forth = count_to(steps, device), back = forth.neg().add(steps - 1);
		const auto number = [&](const at::Scalar& value) {
		return at::full({}, value, computed, std::nullopt, device, std::nullopt);
		};
		const at::Tensor step = number(end.toDouble() - start.toDouble()) / number(steps - 1);
		const at::Tensor first = forth.to(computed).mul(step).add(start),
		last = back.to(computed).mul(step).neg().add(end);
		return at::where(forth.lt(back), first, last).to(wanted);
	}
};
}
using factory_decompositions =
	decompositions<decomposed::arange_end, decomposed::arange_start, decomposed::ones, decomposed::zeros,
		decomposed::new_full, decomposed::new_ones, decomposed::new_zeros, decomposed::new_empty,
		decomposed::empty_like, decomposed::ones_like, decomposed::zeros_like, decomposed::fill,
		decomposed::fill_tensor, decomposed::zero, decomposed::tril, decomposed::triu,
		decomposed::eye_rectangular, decomposed::eye, decomposed::linspace>;
}
#include <c10/core/WrapDimMinimal.h>
namespace ferry::decomposed {
using ferry::detail::checked_add;
using ferry::detail::checked_floor_div;
using ferry::detail::checked_mod;
using ferry::detail::checked_mul;
using ferry::detail::checked_neg;
[[nodiscard]] inline std::int64_t from_front(std::int64_t dim, std::int64_t rank) {
	return c10::maybe_wrap_dim(dim, rank);
}
template <class List>
void require_items(const List& list, std::size_t count, const char* name) {
	if (list.size() != count)
		throw Error(ErrorKind::invalid_input, std::string(name) + " has " + std::to_string(list.size()) +
		" items where " + std::to_string(count) + " are needed");
}
inline void require_positive(std::int64_t number, const char* name) {
	if (number <= 0) throw Error(ErrorKind::invalid_input, std::string(name) + " is " + std::to_string(number));
}
inline void require_few(std::int64_t parts) {
	constexpr std::int64_t most = 1 << 16;
	if (parts > most)
		throw Error(ErrorKind::unsupported, "an op has " + std::to_string(parts) + " results, each of its own node");
}
}
#include <ATen/ops/any.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
namespace ferry {
namespace decomposed {
using Indices = c10::List<std::optional<at::Tensor>>;
[[nodiscard]] inline Indices at_dim(const at::Tensor& self, std::int64_t dim, const at::Tensor& index) {
	Indices indices;
	for (std::int64_t i = from_front(dim, self.dim()); i > 0; --i) indices.push_back(std::nullopt);
	indices.push_back(index);
	return indices;
}
[[nodiscard]] inline at::Tensor listed(const at::Tensor& self) { return self.dim() == 0 ? self.unsqueeze(0) : self; }
struct index_add {
	static constexpr auto target = op("aten::index_add");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, const at::Scalar& alpha) {
		const at::Scalar factor = factor_of(source, alpha);
		const at::Tensor x = listed(self), added = factor.equal(1) ? source : source * factor;
		const at::Tensor made = at::index_put(x, at_dim(x, dim, listed(index)), added, /*accumulate=*/true);
		return self.dim() == 0 ? made.squeeze(at::IntArrayRef(0)) : made;
	}
};
struct index_copy {
	static constexpr auto target = op("aten::index_copy");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source) {
		const at::Tensor x = listed(self);
		const at::Tensor made = at::index_put(x, at_dim(x, dim, listed(index)), source);
		return self.dim() == 0 ? made.squeeze(at::IntArrayRef(0)) : made;
	}
};
struct index_fill_tensor {
	static constexpr auto target = op("aten::index_fill.int_Tensor");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& value) {
		const at::Tensor x = listed(self);
		const at::Tensor made = at::index_put(x, at_dim(x, dim, listed(index)), cast(value, self.scalar_type()));
		return self.dim() == 0 ? made.squeeze(at::IntArrayRef(0)) : made;
	}
};
struct index_fill_scalar {
	static constexpr auto target = op("aten::index_fill.int_Scalar");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Scalar& value) {
		return index_fill_tensor::decompose(self, dim, index, number_like(self, value));
	}
};
struct unsafe_index {
	static constexpr auto target = op("aten::_unsafe_index.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const Indices& indices) { return at::index(self, indices); }
};
struct unsafe_index_put {
	static constexpr auto target = op("aten::_unsafe_index_put");
	static at::Tensor decompose(const at::Tensor& self, const Indices& indices, const at::Tensor& values, bool add) {
		return at::index_put(self, indices, values, add);
	}
};
struct take {
	static constexpr auto target = op("aten::take");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& index) {
		return at::index(self.reshape({-1}), Indices({index}));
	}
};
struct isin_tensors {
	static constexpr auto target = op("aten::isin.Tensor_Tensor");
	static at::Tensor decompose(const at::Tensor& elements, const at::Tensor& wanted, bool /*unique*/, bool invert) {
		const at::Tensor found = elements.unsqueeze(-1).eq(wanted.reshape({-1})).any(-1);
		return invert ? found.logical_not() : found;
	}
};
struct isin_scalar {
	static constexpr auto target = op("aten::isin.Tensor_Scalar");
	static at::Tensor decompose(const at::Tensor& elements, const at::Scalar& wanted, bool /*unique*/, bool invert) {
		return invert ? elements.ne(wanted) : elements.eq(wanted);
	}
};
struct Windows {
	std::int64_t size, kernel, dilation, padding, stride;
	[[nodiscard]] std::int64_t count() const {
		require_positive(stride, "stride");
		const std::int64_t whole = checked_add(size, checked_mul(2, padding)),
		window = checked_add(checked_mul(dilation, checked_add(kernel, -1)), 1);
		return checked_floor_div(checked_add(whole, checked_neg(window)), stride) + 1;
	}
	[[nodiscard]] at::Tensor places(at::Device device) const {
		const std::int64_t windows = count();
		return count_to(kernel, device).mul(dilation).unsqueeze(-1) + count_to(windows, device).mul(stride);
	}
};
struct image_to_columns {
	static constexpr auto target = op("aten::im2col");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
		at::IntArrayRef padding, at::IntArrayRef stride) {
		require_items(kernel, 2, "kernel_size");
		require_items(dilation, 2, "dilation");
		require_items(padding, 2, "padding");
		require_items(stride, 2, "stride");
		const at::Tensor image = self.dim() == 3 ? self.unsqueeze(0) : self;
		const Windows rows{image.size(2), kernel[0], dilation[0], padding[0], stride[0]};
		const Windows columns{image.size(3), kernel[1], dilation[1], padding[1], stride[1]};
		const at::Tensor padded = at::constant_pad_nd(image, {padding[1], padding[1], padding[0], padding[0]}, 0);
		const at::Device device = real_device(self);
		const at::Tensor picked =
		at::index(padded, Indices({std::nullopt, std::nullopt, rows.places(device).unsqueeze(-1).unsqueeze(-1),
		columns.places(device)}));
		const at::Tensor made =
		picked.permute({0, 1, 2, 4, 3, 5})
		.reshape({image.size(0), checked_mul(image.size(1), checked_mul(kernel[0], kernel[1])),
		checked_mul(rows.count(), columns.count())});
		return self.dim() == 3 ? made.squeeze(at::IntArrayRef(0)) : made;
	}
};
template <class Place>
[[nodiscard]] at::Tensor pad_by_index(const at::Tensor& self, at::IntArrayRef padding, Place&& place) {
	at::Tensor padded = self;
	const std::size_t dims = padding.size() / 2;
	for (std::size_t i = 0; i < dims; ++i) {
		const std::int64_t dim = self.dim() - static_cast<std::int64_t>(dims - i), size = self.size(dim);
		const std::int64_t left = padding[2 * (dims - 1 - i)], right = padding[2 * (dims - 1 - i) + 1];
		const at::Tensor wanted = count_to(checked_add(checked_add(left, size), right), real_device(self)).sub(left);
		padded = at::index(padded, at_dim(padded, dim, place(wanted, size)));
	}
	return padded;
}
struct reflection_pad {
	static constexpr auto target = op("aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef padding) {
		return pad_by_index(self, padding, [](const at::Tensor& wanted, std::int64_t size) {
		return wanted.abs().neg().add(size - 1).abs().neg().add(size - 1);
		});
	}
};
struct replication_pad {
	static constexpr auto target = op("aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef padding) {
		return pad_by_index(self, padding,
		[](const at::Tensor& wanted, std::int64_t size) { return wanted.clamp(0, size - 1); });
	}
};
}
using indexing_decompositions =
	decompositions<decomposed::index_add, decomposed::index_copy, decomposed::index_fill_tensor,
		decomposed::index_fill_scalar, decomposed::unsafe_index, decomposed::unsafe_index_put,
		decomposed::take, decomposed::isin_tensors, decomposed::isin_scalar, decomposed::image_to_columns,
		decomposed::reflection_pad, decomposed::replication_pad>;
}
#include <ATen/core/Reduction.h>
namespace ferry {
namespace decomposed {
[[nodiscard]] inline at::Tensor reduced(const at::Tensor& loss, std::int64_t reduction) {
	if (reduction == at::Reduction::None) return loss;
	return reduction == at::Reduction::Mean ? loss.mean() : loss.sum();
}
struct mse_loss {
	static constexpr auto target = op("aten::mse_loss");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction) {
		return reduced((self - wanted).pow(2), reduction);
	}
};
struct huber_loss {
	static constexpr auto target = op("aten::huber_loss");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction,
		double delta) {
		const at::Tensor off = (self - wanted).abs();
		return reduced(at::where(off.le(delta), off * off * 0.5, (off - 0.5 * delta) * delta), reduction);
	}
};
struct smooth_l1_loss {
	static constexpr auto target = op("aten::smooth_l1_loss");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction, double beta) {
		const at::Tensor off = (self - wanted).abs();
		if (beta == 0) return reduced(off, reduction);
		return reduced(at::where(off.lt(beta), off * off * 0.5 / beta, off - 0.5 * beta), reduction);
	}
};
struct soft_margin_loss {
	static constexpr auto target = op("aten::soft_margin_loss");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted, std::int64_t reduction) {
		return reduced((self * wanted).neg().exp().log1p(), reduction);
	}
};
struct binary_cross_entropy {
	static constexpr auto target = op("aten::binary_cross_entropy");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted,
		const std::optional<at::Tensor>& weight, std::int64_t reduction) {
		const at::Tensor loss = (wanted - 1) * self.neg().log1p().clamp_min(-100) - wanted * self.log().clamp_min(-100);
		return reduced(weight && weight->defined() ? loss * *weight : loss, reduction);
	}
};
struct binary_cross_entropy_with_logits {
	static constexpr auto target = op("aten::binary_cross_entropy_with_logits");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& wanted,
		const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& positive,
		std::int64_t reduction) {
		const at::Tensor smallest = self.neg().clamp_min(0);
		const at::Tensor logarithm = smallest + (smallest.neg().exp() + (self.neg() - smallest).exp()).log();
		const at::Tensor rest = (wanted * -1 + 1) * self;
		const at::Tensor loss =
		positive && positive->defined() ? rest + ((*positive - 1) * wanted + 1) * logarithm : rest + logarithm;
		return reduced(weight && weight->defined() ? loss * *weight : loss, reduction);
	}
};
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> negative_log_likelihood(const at::Tensor& self,
		const at::Tensor& wanted,
		const std::optional<at::Tensor>& weight,
		std::int64_t reduction,
		std::int64_t ignored) {
	const std::int64_t dim = self.dim() < 2 ? 0 : 1;
	const at::Tensor counts = wanted.ne(ignored);
	const at::Tensor classes = at::where(counts, wanted, number_like(wanted, 0)).unsqueeze(dim);
	at::Tensor picked = self.gather(dim, classes).squeeze(at::IntArrayRef(dim)).neg();
	at::Tensor weights = cast(counts, self.scalar_type());
	if (weight && weight->defined()) {
		const at::Tensor of_classes = weight->index_select(0, classes.reshape({-1})).reshape(wanted.sizes());
		weights = at::where(counts, of_classes, number_like(self, 0));
		picked = picked * of_classes;
	}
	const at::Tensor loss = at::where(counts, picked, number_like(self, 0));
	const at::Tensor total = weights.sum();
	if (reduction == at::Reduction::None) return {loss, number_like(self, 0)};
	return {reduction == at::Reduction::Mean ? loss.sum() / total : loss.sum(), total};
}
struct nll_loss {
	static constexpr auto target = op("aten::nll_loss_forward", "aten::nll_loss2d_forward");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, const at::Tensor& wanted,
		const std::optional<at::Tensor>& weight, std::int64_t reduction,
		std::int64_t ignored) {
		return negative_log_likelihood(self, wanted, weight, reduction, ignored);
	}
};
}
using loss_decompositions = decompositions<decomposed::mse_loss, decomposed::huber_loss, decomposed::smooth_l1_loss,
		decomposed::soft_margin_loss, decomposed::binary_cross_entropy,
		decomposed::binary_cross_entropy_with_logits, decomposed::nll_loss>;
}
#include <ATen/ops/_cdist_forward.h>
#include <ATen/ops/_native_batch_norm_legit.h>
#include <ATen/ops/_native_batch_norm_legit_no_training.h>
#include <ATen/ops/_safe_softmax.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/norm_except_dim.h>
namespace ferry {
namespace decomposed {
struct attention {
	static constexpr auto target = op("aten::scaled_dot_product_attention");
	static at::Tensor decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
		const std::optional<at::Tensor>& mask, double dropout, bool causal,
		std::optional<double> scale, bool grouped) {
		const auto spread = [&](const at::Tensor& each) {
		const std::int64_t heads = query.size(-3), own = each.size(-3);
		return grouped && heads != own ? each.repeat_interleave(checked_floor_div(heads, own), -3) : each;
		};
		const at::Tensor scores =
		at::matmul(scaled(query, query, scale), scaled(spread(key), query, scale).transpose(-2, -1));
		at::Tensor weights = scores;
		if (causal) {
		const at::Tensor seen = offsets_from_diagonal(query.size(-2), key.size(-2), real_device(query)).le(0);
		weights = scores + bias_of(seen, query);
		} else if (mask && mask->defined()) {
		weights = scores + (mask->scalar_type() == at::kBool ? bias_of(*mask, query) : *mask);
		}
		weights = at::_safe_softmax(weights, -1);
		if (dropout > 0) weights = at::dropout(weights, dropout, /*train=*/true);
		return at::matmul(cast(weights, query.scalar_type()), spread(value));
	}
private:
	[[nodiscard]] static at::Tensor bias_of(const at::Tensor& allowed, const at::Tensor& query) {
		return at::where(allowed, number_like(query, 0.0),
		number_like(query, -std::numeric_limits<double>::infinity()));
	}
	[[nodiscard]] static at::Tensor scaled(const at::Tensor& self, const at::Tensor& query,
		std::optional<double> scale) {
		if (!scale && may_vary("query", -1))
		return self * number_like(query, query.size(-1)).sqrt().rsqrt();
		return self * std::sqrt(scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1)))));
	}
};
struct batch_norm {
	static constexpr auto target = op("aten::batch_norm");
	static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Tensor>& weight,
		const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& mean,
		const std::optional<at::Tensor>& variance, bool training, double momentum,
		double epsilon, bool /*fast*/) {
		if (!training && !(mean && variance))
		throw Error(ErrorKind::invalid_input, "a batch norm in evaluation has no mean or no variance");
		if (!training)
		return std::get<0>(
		at::_native_batch_norm_legit_no_training(self, weight, bias, *mean, *variance, momentum, epsilon));
		if (!mean || !mean->defined() || !variance)
		return std::get<0>(at::_native_batch_norm_legit(self, weight, bias, training, momentum, epsilon));
		at::Tensor means = *mean, variances = *variance;
		return std::get<0>(
		at::_native_batch_norm_legit(self, weight, bias, means, variances, training, momentum, epsilon));
	}
};
struct rms_norm {
	static constexpr auto target = op("aten::rms_norm");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shape, const std::optional<at::Tensor>& weight,
		std::optional<double> epsilon) {
		const at::Tensor x = wide(self);
		std::vector<std::int64_t> dims(shape.size());
		std::iota(dims.begin(), dims.end(), self.dim() - static_cast<std::int64_t>(shape.size()));
		const double smallest = x.scalar_type() == at::kDouble
		? std::numeric_limits<double>::epsilon()
		: static_cast<double>(std::numeric_limits<float>::epsilon());
		at::Tensor normal =
		x * (x.pow(2).mean(at::OptionalIntArrayRef(dims), true) + epsilon.value_or(smallest)).rsqrt();
		if (weight && weight->defined()) normal = normal * *weight;
		return cast(normal, self.scalar_type());
	}
};
struct distances {
	static constexpr auto target = op("aten::cdist");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other, double p,
		std::optional<std::int64_t> /*mode*/) {
		constexpr std::int64_t never_by_product = 2;
		return at::_cdist_forward(self, other, p, never_by_product);
	}
};
struct weight_norm {
	static constexpr auto target = op("aten::_weight_norm_interface");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& v, const at::Tensor& g, std::int64_t dim) {
		const at::Tensor norm = at::norm_except_dim(v, 2, dim);
		return {v * (g / norm), norm};
	}
};
}
using network_decompositions = decompositions<decomposed::attention, decomposed::batch_norm, decomposed::rms_norm,
		decomposed::distances, decomposed::weight_norm>;
}
#include <ATen/ops/clamp.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/result_type.h>
#include <numbers>
namespace ferry {
namespace decomposed {
[[nodiscard]] inline std::pair<double, double> finite_range(at::ScalarType dtype) {
	const double most = dtype == at::kHalf       ? 65504.0
		: dtype == at::kBFloat16 ? 3.3895313892515355e38
		: dtype == at::kDouble   ? std::numeric_limits<double>::max()
		: static_cast<double>(std::numeric_limits<float>::max());
	return {-most, most};
}
[[nodiscard]] inline at::Tensor add_in_logarithm(const at::Tensor& a, const at::Tensor& b, double unit) {
	const at::Tensor x = wide(a), y = wide(b), most = at::maximum(x, y), less = at::minimum(x, y);
	const at::Tensor sum = most + ((less - most) * unit).exp().log1p() / unit;
	const at::Tensor same = most.eq(less).logical_and(most.abs().eq(std::numeric_limits<double>::infinity()));
	return cast(at::where(same, most, sum), at::result_type(a, b));
}
struct silu {
	static constexpr auto target = op("aten::silu");
	static at::Tensor decompose(const at::Tensor& self) {
		return widely(self, [](const at::Tensor& x) { return x * x.sigmoid(); });
	}
};
struct mish {
	static constexpr auto target = op("aten::mish");
	static at::Tensor decompose(const at::Tensor& self) {
		return widely(self, [](const at::Tensor& x) { return x * x.exp().log1p().tanh(); });
	}
};
struct hardsigmoid {
	static constexpr auto target = op("aten::hardsigmoid");
	static at::Tensor decompose(const at::Tensor& self) {
		return widely(self, [](const at::Tensor& x) { return (x + 3).clamp(0, 6) / 6; });
	}
};
struct hardswish {
	static constexpr auto target = op("aten::hardswish");
	static at::Tensor decompose(const at::Tensor& self) {
		return widely(self, [](const at::Tensor& x) { return x * (x + 3).clamp(0, 6) / 6; });
	}
};
struct celu {
	static constexpr auto target = op("aten::celu");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& alpha) {
		return at::elu(self, alpha, 1, 1.0 / alpha.toDouble());
	}
};
struct softplus {
	static constexpr auto target = op("aten::softplus");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& beta, const at::Scalar& threshold) {
		return widely(self, [&](const at::Tensor& x) {
		const at::Tensor scaled = x * beta;
		return at::where(scaled.gt(threshold), x, scaled.exp().log1p() / beta);
		});
	}
};
struct hardshrink {
	static constexpr auto target = op("aten::hardshrink");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& limit) {
		return at::where(self.abs().le(limit), number_like(self, 0), self);
	}
};
struct softshrink {
	static constexpr auto target = op("aten::softshrink");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& limit) {
		return widely(self, [&](const at::Tensor& x) {
		return at::where(x.abs().gt(limit), x - x.sign() * limit, x * 0);
		});
	}
};
struct log_sigmoid {
	static constexpr auto target = op("aten::log_sigmoid");
	static at::Tensor decompose(const at::Tensor& self) {
		return widely(
		self, [](const at::Tensor& x) { return at::minimum(number_like(x, 0), x) - x.abs().neg().exp().log1p(); });
	}
};
struct glu {
	static constexpr auto target = op("aten::glu");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim) {
		const std::int64_t half = self.size(dim) / 2;
		return widely(
		self, [&](const at::Tensor& x) { return x.slice(dim, 0, half) * x.slice(dim, half, 2 * half).sigmoid(); });
	}
};
struct prelu {
	static constexpr auto target = op("aten::_prelu_kernel");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& weight) {
		return at::where(self.gt(0), self, weight * self);
	}
};
struct threshold {
	static constexpr auto target = op("aten::threshold");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& limit, const at::Scalar& value) {
		return at::where(wide(self).le(limit), number_like(self, value), self);
	}
};
struct clamp_min {
	static constexpr auto target = op("aten::clamp_min");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& min) {
		return at::clamp(self, min, std::nullopt);
	}
};
struct clamp_min_tensor {
	static constexpr auto target = op("aten::clamp_min.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& min) { return at::maximum(self, min); }
};
struct clamp_max_tensor {
	static constexpr auto target = op("aten::clamp_max.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& max) { return at::minimum(self, max); }
};
struct clamp_max {
	static constexpr auto target = op("aten::clamp_max");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& max) {
		return at::clamp(self, std::nullopt, max);
	}
};
struct rsub_scalar {
	static constexpr auto target = op("aten::rsub.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
		return number_like(self, other, at::result_type(self, other)).sub(self, alpha);
	}
};
struct rsub_tensor {
	static constexpr auto target = op("aten::rsub.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
		return other.sub(self, alpha);
	}
};
struct masked_fill_scalar {
	static constexpr auto target = op("aten::masked_fill.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& mask, const at::Scalar& value) {
		return at::where(mask, number_like(self, value), self);
	}
};
struct masked_fill_tensor {
	static constexpr auto target = op("aten::masked_fill.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& mask, const at::Tensor& value) {
		return at::where(mask, cast(value, self.scalar_type()), self);
	}
};
struct addcmul {
	static constexpr auto target = op("aten::addcmul");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
		const at::Scalar& value) {
		return widely(self, [&](const at::Tensor& x) { return x + wide(a) * wide(b) * factor_of(self, value); });
	}
};
struct addcdiv {
	static constexpr auto target = op("aten::addcdiv");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
		const at::Scalar& value) {
		return widely(self, [&](const at::Tensor& x) { return x + wide(a) / wide(b) * value; });
	}
};
struct lerp_tensor {
	static constexpr auto target = op("aten::lerp.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& end, const at::Tensor& weight) {
		const at::Tensor from = wide(self), to = wide(end), share = wide(weight), way = to - from;
		return cast(at::where(share.abs().lt(0.5), from + way * share, to - way * (share * -1 + 1)),
		self.scalar_type());
	}
};
struct lerp_scalar {
	static constexpr auto target = op("aten::lerp.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& end, const at::Scalar& weight) {
		const at::Tensor from = wide(self), to = wide(end);
		const double share = weight.toDouble();
		return cast(std::abs(share) < 0.5 ? from + (to - from) * share : to - (to - from) * (1 - share),
		self.scalar_type());
	}
};
struct floor_divide {
	static constexpr auto target = op("aten::floor_divide");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) { return self.div(other, "floor"); }
};
struct floor_divide_scalar {
	static constexpr auto target = op("aten::floor_divide.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& other) {
		return self.div(number_like(self, other, at::result_type(self, other)), "floor");
	}
};
struct frac {
	static constexpr auto target = op("aten::frac");
	static at::Tensor decompose(const at::Tensor& self) { return self - self.trunc(); }
};
struct sgn {
	static constexpr auto target = op("aten::sgn");
	static at::Tensor decompose(const at::Tensor& self) {
		if (!self.is_complex()) return self.sign();
		const at::Tensor size = self.abs();
		return at::where(size.eq(0), number_like(self, 0), self / size);
	}
};
struct sinc {
	static constexpr auto target = op("aten::sinc");
	static at::Tensor decompose(const at::Tensor& self) {
		const at::Tensor angle = as_float(self) * std::numbers::pi;
		return at::where(angle.eq(0), number_like(angle, 1), angle.sin() / angle);
	}
};
struct deg2rad {
	static constexpr auto target = op("aten::deg2rad");
	static at::Tensor decompose(const at::Tensor& self) { return as_float(self) * 0.017453292519943295; }
};
struct rad2deg {
	static constexpr auto target = op("aten::rad2deg");
	static at::Tensor decompose(const at::Tensor& self) { return as_float(self) * 57.29577951308232; }
};
struct heaviside {
	static constexpr auto target = op("aten::heaviside");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& values) {
		const at::Tensor step = at::where(self.lt(0), number_like(self, 0), number_like(self, 1));
		return at::where(self.eq(0), values, step);
	}
};
struct logit {
	static constexpr auto target = op("aten::logit");
	static at::Tensor decompose(const at::Tensor& self, std::optional<double> epsilon) {
		at::Tensor x = wide(as_float(self));
		if (epsilon) x = x.clamp(*epsilon, 1 - *epsilon);
		return cast((x / (x * -1 + 1)).log(), as_float_type(self));
	}
};
struct logaddexp {
	static constexpr auto target = op("aten::logaddexp");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
		return add_in_logarithm(self, other, 1.0);
	}
};
struct logaddexp2 {
	static constexpr auto target = op("aten::logaddexp2");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
		return add_in_logarithm(self, other, std::numbers::ln2);
	}
};
struct nan_to_num {
	static constexpr auto target = op("aten::nan_to_num");
	static at::Tensor decompose(const at::Tensor& self, std::optional<double> nan, std::optional<double> above,
		std::optional<double> below) {
		if (!self.is_floating_point())
		return self.is_complex() ? at::nan_to_num(self, nan, above, below) : self.clone();
		const auto [least, most] = finite_range(self.scalar_type());
		const double infinity = std::numeric_limits<double>::infinity();
		at::Tensor x = at::where(self.isnan(), number_like(self, nan.value_or(0)), self);
		x = at::where(self.eq(infinity), number_like(self, above.value_or(most)), x);
		return at::where(self.eq(-infinity), number_like(self, below.value_or(least)), x);
	}
};
struct xlogy {
	static constexpr auto target = op("aten::xlogy.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
		const at::Tensor x = as_float(self), y = as_float(other);
		const at::Tensor product = at::where(x.eq(0), number_like(x, 0), x * y.log());
		return at::where(y.isnan(), number_like(x, std::numeric_limits<double>::quiet_NaN()), product);
	}
};
struct entropy {
	static constexpr auto target = op("aten::special_entr");
	static at::Tensor decompose(const at::Tensor& self) {
		const at::Tensor x = as_float(self);
		const at::Tensor below =
		at::where(x.eq(0), number_like(x, 0), number_like(x, -std::numeric_limits<double>::infinity()));
		return at::where(x.isnan(), x, at::where(x.gt(0), x.neg() * x.log(), below));
	}
};
struct is_positive_infinity {
	static constexpr auto target = op("aten::isposinf");
	static at::Tensor decompose(const at::Tensor& self) { return self.eq(std::numeric_limits<double>::infinity()); }
};
struct is_negative_infinity {
	static constexpr auto target = op("aten::isneginf");
	static at::Tensor decompose(const at::Tensor& self) { return self.eq(-std::numeric_limits<double>::infinity()); }
};
}
using pointwise_decompositions = decompositions<
	decomposed::silu, decomposed::mish, decomposed::hardsigmoid, decomposed::hardswish, decomposed::celu,
	decomposed::softplus, decomposed::hardshrink, decomposed::softshrink, decomposed::log_sigmoid, decomposed::glu,
	decomposed::prelu, decomposed::threshold, decomposed::clamp_min, decomposed::clamp_min_tensor,
	decomposed::clamp_max_tensor, decomposed::clamp_max, decomposed::rsub_scalar, decomposed::rsub_tensor,
	decomposed::masked_fill_scalar, decomposed::masked_fill_tensor, decomposed::addcmul, decomposed::addcdiv,
	decomposed::lerp_tensor, decomposed::lerp_scalar, decomposed::floor_divide, decomposed::floor_divide_scalar,
	decomposed::frac, decomposed::sgn, decomposed::sinc, decomposed::deg2rad, decomposed::rad2deg,
	decomposed::heaviside, decomposed::logit, decomposed::logaddexp, decomposed::logaddexp2, decomposed::nan_to_num,
	decomposed::xlogy, decomposed::entropy, decomposed::is_positive_infinity, decomposed::is_negative_infinity>;
}
#include <ATen/ops/cat.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/linear.h>
namespace ferry {
namespace decomposed {
struct Carried {
	at::Tensor hidden;
	at::Tensor cell;
};
struct RecurrentWeights {
	at::Tensor input, hidden, input_bias, hidden_bias, projection;
};
[[nodiscard]] inline at::Tensor project(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
	return bias.defined() ? at::linear(x, weight, bias) : at::linear(x, weight);
}
[[nodiscard]] inline Carried lstm_step(const at::Tensor& given, const Carried& before,
		const RecurrentWeights& weights) {
	const auto gates = (given + project(before.hidden, weights.hidden, weights.hidden_bias)).chunk(4, 1);
	const at::Tensor cell = gates[1].sigmoid() * before.cell + gates[0].sigmoid() * gates[2].tanh();
	const at::Tensor hidden = gates[3].sigmoid() * cell.tanh();
	return {weights.projection.defined() ? at::linear(hidden, weights.projection) : hidden, cell};
}
[[nodiscard]] inline Carried gru_step(const at::Tensor& given, const Carried& before, const RecurrentWeights& weights) {
	const auto input = given.chunk(3, 1);
	const auto hidden = project(before.hidden, weights.hidden, weights.hidden_bias).chunk(3, 1);
	const at::Tensor reset = (input[0] + hidden[0]).sigmoid(), update = (input[1] + hidden[1]).sigmoid();
	const at::Tensor candidate = (input[2] + reset * hidden[2]).tanh();
	return {(before.hidden - candidate) * update + candidate, {}};
}
[[nodiscard]] inline Carried tanh_step(const at::Tensor& given, const Carried& before,
		const RecurrentWeights& weights) {
	return {(given + project(before.hidden, weights.hidden, weights.hidden_bias)).tanh(), {}};
}
[[nodiscard]] inline Carried relu_step(const at::Tensor& given, const Carried& before,
		const RecurrentWeights& weights) {
	return {(given + project(before.hidden, weights.hidden, weights.hidden_bias)).relu(), {}};
}
using RecurrentStep = Carried (*)(const at::Tensor&, const Carried&, const RecurrentWeights&);
struct Recurrent {
	std::vector<at::Tensor> params;
	bool has_biases;
	std::int64_t layers;
	bool bidirectional;
	bool batch_first;
	double dropout;
	bool any_length;
	RecurrentStep step;
	struct Result {
		at::Tensor output, hidden, cell;
	};
	[[nodiscard]] RecurrentWeights weights(std::size_t direction) const {
		const auto directions = static_cast<std::size_t>(layers * (bidirectional ? 2 : 1));
		const std::size_t each = params.size() / directions, first = direction * each;
		RecurrentWeights made{params.at(first), params.at(first + 1), {}, {}, {}};
		if (has_biases) made.input_bias = params.at(first + 2), made.hidden_bias = params.at(first + 3);
		if (each == (has_biases ? 5U : 3U)) made.projection = params.at(first + each - 1);
		return made;
	}
	[[nodiscard]] std::pair<at::Tensor, Carried> walk(const at::Tensor& input, const Carried& initial,
		const RecurrentWeights& own) const {
		const at::Tensor given = project(input, own.input, own.input_bias);
		return any_length ? scan_over(given, initial, own) : unroll_over(given, initial, own);
	}
	[[nodiscard]] std::pair<at::Tensor, Carried> unroll_over(const at::Tensor& given, Carried state,
		const RecurrentWeights& own) const {
		std::vector<at::Tensor> outputs;
		outputs.reserve(static_cast<std::size_t>(given.size(0)));
		for (std::int64_t i = 0; i < given.size(0); ++i) {
		state = step(given.select(0, i), state, own);
		outputs.push_back(state.hidden);
		}
		return {at::stack(outputs), state};
	}
	[[nodiscard]] std::pair<at::Tensor, Carried> scan_over(const at::Tensor& given, const Carried& initial,
		const RecurrentWeights& own) const {
		const bool has_cell = initial.cell.defined();
		std::vector<at::Tensor> carry{initial.hidden};
		if (has_cell) carry.push_back(initial.cell);
		auto [last, outputs] = ferry::scan(
		[&](const std::vector<at::Tensor>& before, const at::Tensor& slice) {
		const Carried after = step(slice, {before[0], has_cell ? before[1] : at::Tensor()}, own);
		std::vector<at::Tensor> next{after.hidden};
		if (has_cell) next.push_back(after.cell);
		return std::pair(std::move(next), after.hidden.clone());
		},
		carry, given);
		return {outputs, {last[0], has_cell ? last[1] : at::Tensor()}};
	}
	[[nodiscard]] Result run(at::Tensor input, const at::Tensor& hidden, const at::Tensor& cell) const {
		if (batch_first) input = input.transpose(0, 1).contiguous();
		std::vector<at::Tensor> hiddens, cells;
		std::size_t direction = 0;
		for (std::int64_t layer = 0; layer < layers; ++layer) {
		std::vector<at::Tensor> outputs;
		for (const bool backwards : {false, true}) {
		if (backwards && !bidirectional) continue;
		const auto at = static_cast<std::int64_t>(direction);
		const Carried initial{hidden.select(0, at), cell.defined() ? cell.select(0, at) : at::Tensor()};
		auto [output, last] = walk(backwards ? at::flip(input, {0}) : input, initial, weights(direction));
		outputs.push_back(backwards ? at::flip(output, {0}) : output);
		hiddens.push_back(last.hidden);
		if (cell.defined()) cells.push_back(last.cell);
		++direction;
		}
		input = outputs.size() == 1 ? outputs[0] : at::cat(outputs, 2);
		if (dropout > 0 && layer + 1 < layers) input = at::dropout(input, dropout, /*train=*/true);
		}
		return {batch_first ? input.transpose(0, 1) : input, at::stack(hiddens),
		cells.empty() ? at::Tensor() : at::stack(cells)};
	}
};
struct lstm {
	static constexpr auto target = op("aten::lstm.input");
	static std::tuple<at::Tensor, at::Tensor, at::Tensor> decompose(const at::Tensor& input, at::TensorList hidden,
		at::TensorList params, bool has_biases,
		std::int64_t layers, double dropout, bool train,
		bool bidirectional, bool batch_first) {
		const Recurrent layer{params.vec(),
		has_biases,
		layers,
		bidirectional,
		batch_first,
		train ? dropout : 0,
		may_vary("input", batch_first ? 1 : 0),
		&lstm_step};
		const auto made = layer.run(input, hidden[0], hidden[1]);
		return {made.output, made.hidden, made.cell};
	}
};
template <RecurrentStep Step>
struct recurrent {
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& input, const at::Tensor& hidden,
		at::TensorList params, bool has_biases, std::int64_t layers,
		double dropout, bool train, bool bidirectional,
		bool batch_first) {
		const Recurrent layer{params.vec(),
		has_biases,
		layers,
		bidirectional,
		batch_first,
		train ? dropout : 0,
		may_vary("input", batch_first ? 1 : 0),
		Step};
		const auto made = layer.run(input, hidden, {});
		return {made.output, made.hidden};
	}
};
struct gru : recurrent<&gru_step> {
	static constexpr auto target = op("aten::gru.input");
};
struct rnn_tanh : recurrent<&tanh_step> {
	static constexpr auto target = op("aten::rnn_tanh.input");
};
struct rnn_relu : recurrent<&relu_step> {
	static constexpr auto target = op("aten::rnn_relu.input");
};
}
using recurrent_decompositions =
	decompositions<decomposed::lstm, decomposed::gru, decomposed::rnn_tanh, decomposed::rnn_relu>;
}
#include <ATen/ops/_softmax.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>
#include <ATen/ops/vdot.h>
namespace ferry {
namespace decomposed {
[[nodiscard]] inline at::Tensor scaled_sum(const at::Tensor& self, at::Tensor product, const at::Scalar& beta,
		const at::Scalar& alpha) {
	const at::Scalar share = factor_of(self, beta), factor = factor_of(product, alpha);
	if (!factor.equal(1)) product = product * factor;
	if (share.equal(0)) return product;
	return share.equal(1) ? self + product : self * share + product;
}
struct sum_all {
	static constexpr auto target = op("aten::sum");
	static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype) {
		return at::sum(self, at::OptionalIntArrayRef(at::IntArrayRef{}), false, dtype);
	}
};
struct std_correction {
	static constexpr auto target = op("aten::std.correction");
	static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
		const std::optional<at::Scalar>& correction, bool keep) {
		return at::var(self, dim, correction, keep).sqrt();
	}
};
[[nodiscard]] inline at::Tensor as_truth_of(const at::Tensor& self, const at::Tensor& truth) {
	return cast(truth, self.scalar_type() == at::kByte ? at::kByte : at::kBool);
}
struct all_of {
	static constexpr auto target = op("aten::all");
	static at::Tensor decompose(const at::Tensor& self) {
		return as_truth_of(self, self.logical_not().any().logical_not());
	}
};
struct all_of_dim {
	static constexpr auto target = op("aten::all.dim");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, bool keep) {
		return as_truth_of(self, self.logical_not().any(dim, keep).logical_not());
	}
};
struct all_of_dims {
	static constexpr auto target = op("aten::all.dims");
	static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dims, bool keep) {
		return as_truth_of(self, at::any(self.logical_not(), dims, keep).logical_not());
	}
};
struct std_mean {
	static constexpr auto target = op("aten::std_mean.correction");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
		const std::optional<at::Scalar>& correction, bool keep) {
		return {at::var(self, dim, correction, keep).sqrt(), at::mean(self, dim, keep)};
	}
};
struct var_mean {
	static constexpr auto target = op("aten::var_mean.correction");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::OptionalIntArrayRef dim,
		const std::optional<at::Scalar>& correction, bool keep) {
		return {at::var(self, dim, correction, keep), at::mean(self, dim, keep)};
	}
};
struct aminmax {
	static constexpr auto target = op("aten::aminmax");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::optional<std::int64_t> dim,
		bool keep) {
		const auto dims = dim ? at::IntArrayRef(*dim) : at::IntArrayRef{};
		return {self.amin(dims, keep), self.amax(dims, keep)};
	}
};
struct nansum {
	static constexpr auto target = op("aten::nansum");
	static at::Tensor decompose(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keep,
		std::optional<at::ScalarType> dtype) {
		return at::sum(at::where(self.isnan(), number_like(self, 0), self), dim, keep, dtype);
	}
};
struct count_nonzero {
	static constexpr auto target = op("aten::count_nonzero.dim_IntList");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims) { return self.ne(0).sum(dims); }
};
struct count_nonzero_in {
	static constexpr auto target = op("aten::count_nonzero");
	static at::Tensor decompose(const at::Tensor& self, std::optional<std::int64_t> dim) {
		return self.ne(0).sum(dim ? at::IntArrayRef(*dim) : at::IntArrayRef{});
	}
};
struct norm_all {
	static constexpr auto target = op("aten::norm.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& p) {
		return at::linalg_vector_norm(self, p, std::nullopt, false, std::nullopt);
	}
};
struct norm_all_dtype {
	static constexpr auto target = op("aten::norm.ScalarOpt_dtype");
	static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Scalar>& p, at::ScalarType dtype) {
		return at::linalg_vector_norm(self, p.value_or(2), std::nullopt, false, dtype);
	}
};
struct norm_dim {
	static constexpr auto target = op("aten::norm.ScalarOpt_dim");
	static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Scalar>& p, at::IntArrayRef dims,
		bool keep) {
		return at::linalg_vector_norm(self, p.value_or(2), dims, keep, std::nullopt);
	}
};
struct norm_dim_dtype {
	static constexpr auto target = op("aten::norm.ScalarOpt_dim_dtype");
	static at::Tensor decompose(const at::Tensor& self, const std::optional<at::Scalar>& p, at::IntArrayRef dims,
		bool keep, at::ScalarType dtype) {
		return at::linalg_vector_norm(self, p.value_or(2), dims, keep, dtype);
	}
};
struct logsumexp {
	static constexpr auto target = op("aten::logsumexp");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, bool keep) {
		const at::Tensor real = as_float(self);
		const at::Tensor most = real.amax(dims, /*keepdim=*/true);
		const at::Tensor shift =
		at::where(most.abs().eq(std::numeric_limits<double>::infinity()), number_like(most, 0), most);
		const at::Tensor sum = (real - shift).exp().sum(dims, /*keepdim=*/true).log() + shift;
		return keep ? sum : sum.squeeze(dims);
	}
};
struct safe_softmax {
	static constexpr auto target = op("aten::_safe_softmax");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, std::optional<at::ScalarType> dtype) {
		const at::Tensor result = at::_softmax(dtype ? self.to(*dtype) : self, dim, false);
		const at::Tensor masked =
		self.eq(-std::numeric_limits<double>::infinity()).logical_not().any(dim, true).logical_not();
		return at::where(masked, at::full_like(result, 0), result);
	}
};
struct baddbmm {
	static constexpr auto target = op("aten::baddbmm");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
		const at::Scalar& beta, const at::Scalar& alpha) {
		return scaled_sum(self, at::bmm(a, b), beta, alpha);
	}
};
struct outer_sum {
	static constexpr auto target = op("aten::addr");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b,
		const at::Scalar& beta, const at::Scalar& alpha) {
		return scaled_sum(self, a.unsqueeze(1) * b, beta, alpha);
	}
};
struct addmv {
	static constexpr auto target = op("aten::addmv");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& matrix, const at::Tensor& vector,
		const at::Scalar& beta, const at::Scalar& alpha) {
		return scaled_sum(self, (matrix * vector).sum(at::IntArrayRef(1), false, matrix.scalar_type()), beta, alpha);
	}
};
struct matrix_vector {
	static constexpr auto target = op("aten::mv");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& vector) {
		return (self * vector).sum(at::IntArrayRef(1), false, self.scalar_type());
	}
};
struct dot {
	static constexpr auto target = op("aten::dot");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
		return (self * other).sum(at::IntArrayRef(0), false, self.scalar_type());
	}
};
struct vdot {
	static constexpr auto target = op("aten::vdot");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other) {
		return self.is_complex() ? at::vdot(self, other) : dot::decompose(self, other);
	}
};
struct trace {
	static constexpr auto target = op("aten::trace");
	static at::Tensor decompose(const at::Tensor& self) { return self.diagonal().sum(at::IntArrayRef(0)); }
};
struct cross {
	static constexpr auto target = op("aten::linalg_cross");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other, std::int64_t dim) {
		const auto turned = [dim](const at::Tensor& x, std::int64_t by) {
		return at::cat({x.slice(dim, by, 3), x.slice(dim, 0, by)}, dim);
		};
		return turned(self, 1) * turned(other, 2) - turned(self, 2) * turned(other, 1);
	}
};
}
using reduction_decompositions =
	decompositions<decomposed::sum_all, decomposed::std_correction, decomposed::all_of, decomposed::all_of_dim,
		decomposed::all_of_dims, decomposed::std_mean, decomposed::var_mean, decomposed::aminmax,
		decomposed::nansum, decomposed::count_nonzero, decomposed::count_nonzero_in, decomposed::norm_all,
		decomposed::norm_all_dtype, decomposed::norm_dim, decomposed::norm_dim_dtype, decomposed::logsumexp,
		decomposed::safe_softmax, decomposed::baddbmm, decomposed::outer_sum, decomposed::addmv,
		decomposed::matrix_vector, decomposed::dot, decomposed::vdot, decomposed::trace, decomposed::cross>;
}
namespace ferry {
namespace decomposed {
using Scale = std::optional<double>;
struct Axis {
	std::int64_t size, wanted;
	bool align_corners;
	Scale scale;
	at::Device device;
	at::ScalarType dtype;
	[[nodiscard]] at::Tensor ratio() const {
		const auto number = [&](const at::Scalar& value) {
		return at::full({}, value, dtype, std::nullopt, device, std::nullopt);
		};
		if (align_corners) return wanted > 1 ? number(size - 1) / number(wanted - 1) : number(0);
		return scale && *scale > 0 ? number(1.0 / *scale) : number(size) / number(wanted);
	}
	[[nodiscard]] at::Tensor places() const {
		const at::Tensor counted = count_to(wanted, device).to(dtype);
		return align_corners ? counted * ratio() : (counted + 0.5) * ratio() - 0.5;
	}
};
[[nodiscard]] inline at::ScalarType weight_type(const at::Tensor& image) {
	return image.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}
[[nodiscard]] inline at::Tensor as_reals(const at::Tensor& image) { return wide(as_float(image)); }
[[nodiscard]] inline at::Tensor rounded_for(const at::Tensor& image, at::ScalarType dtype) {
	return dtype == at::kByte ? image.round().clamp(0, 255) : image;
}
[[nodiscard]] inline at::Tensor resample_linearly(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners,
		const std::vector<Scale>& scales) {
	require_items(sizes, scales.size(), "output_size");
	const auto dims = static_cast<std::int64_t>(sizes.size());
	at::Tensor image = as_reals(self);
	for (std::int64_t i = dims - 1; i >= 0; --i) {
		const std::int64_t dim = self.dim() - dims + i, last = self.size(dim) - 1;
		const auto at = static_cast<std::size_t>(i);
		const Axis axis{self.size(dim), sizes[at], align_corners, scales[at], real_device(self), weight_type(self)};
		const at::Tensor place = axis.places().clamp_min(0), lower = place.to(at::kLong);
		at::Tensor share = (place - lower).clamp(0, 1);
		for (std::int64_t behind = i + 1; behind < dims; ++behind) share = share.unsqueeze(-1);
		const at::Tensor a = at::index(image, at_dim(image, dim, lower)),
		b = at::index(image, at_dim(image, dim, (lower + 1).clamp_max(last)));
		image = rounded_for(a + (b - a) * share, self.scalar_type());
	}
	return cast(image, self.scalar_type());
}
struct upsample_linear1d {
	static constexpr auto target = op("aten::upsample_linear1d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale scale) {
		return resample_linearly(self, sizes, align_corners, {scale});
	}
};
struct upsample_bilinear2d {
	static constexpr auto target = op("aten::upsample_bilinear2d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale height,
		Scale width) {
		return resample_linearly(self, sizes, align_corners, {height, width});
	}
};
struct upsample_trilinear3d {
	static constexpr auto target = op("aten::upsample_trilinear3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale depth,
		Scale height, Scale width) {
		return resample_linearly(self, sizes, align_corners, {depth, height, width});
	}
};
[[nodiscard]] inline std::array<at::Tensor, 4> cubic_weights(const at::Tensor& t) {
	constexpr double a = -0.75;
	const auto near = [](const at::Tensor& x) { return ((x * (a + 2)) - (a + 3)) * x * x + 1; };
	const auto far = [](const at::Tensor& x) { return ((x * a - 5 * a) * x + 8 * a) * x - 4 * a; };
	const at::Tensor back = t * -1 + 1;
	return {far(t + 1), near(t), near(back), far(back + 1)};
}
struct upsample_bicubic2d {
	static constexpr auto target = op("aten::upsample_bicubic2d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, bool align_corners, Scale height,
		Scale width) {
		require_items(sizes, 2, "output_size");
		at::Tensor image = as_reals(self);
		for (const std::int64_t dim : {3, 2}) {
		const Axis axis{self.size(dim),    sizes[static_cast<std::size_t>(dim - 2)],
		align_corners,     dim == 2 ? height : width,
		real_device(self), weight_type(self)};
		const at::Tensor place = axis.places(), lower = place.floor();
		const auto weights = cubic_weights(place - lower);
		at::Tensor sum;
		for (std::int64_t i = 0; i < 4; ++i) {
		const at::Tensor from = (lower.to(at::kLong) + (i - 1)).clamp(0, axis.size - 1);
		const at::Tensor& weight = weights[static_cast<std::size_t>(i)];
		const at::Tensor part =
		at::index(image, at_dim(image, dim, from)) * (dim == 2 ? weight.unsqueeze(-1) : weight);
		sum = i == 0 ? part : sum + part;
		}
		image = rounded_for(sum, self.scalar_type());
		}
		return cast(image, self.scalar_type());
	}
};
[[nodiscard]] inline at::Tensor resample_nearest(const at::Tensor& self, at::IntArrayRef sizes, bool exact,
		const std::vector<Scale>& scales) {
	require_items(sizes, scales.size(), "output_size");
	const auto dims = static_cast<std::int64_t>(sizes.size());
	at::Tensor image = self;
	for (std::int64_t i = 0; i < dims; ++i) {
		const std::int64_t dim = self.dim() - dims + i;
		const auto at = static_cast<std::size_t>(i);
		const Axis axis{self.size(dim), sizes[at], false, scales[at], real_device(self), at::kFloat};
		const at::Tensor counted = count_to(axis.wanted, axis.device).to(at::kFloat);
		const at::Tensor place = ((exact ? counted + 0.5 : counted) * axis.ratio()).to(at::kLong);
		image = at::index(image, at_dim(image, dim, place.clamp_max(axis.size - 1)));
	}
	return image;
}
struct upsample_nearest1d {
	static constexpr auto target = op("aten::upsample_nearest1d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale scale) {
		return resample_nearest(self, sizes, false, {scale});
	}
};
struct upsample_nearest2d {
	static constexpr auto target = op("aten::upsample_nearest2d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale height, Scale width) {
		return resample_nearest(self, sizes, false, {height, width});
	}
};
struct upsample_nearest3d {
	static constexpr auto target = op("aten::upsample_nearest3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale depth, Scale height, Scale width) {
		return resample_nearest(self, sizes, false, {depth, height, width});
	}
};
struct upsample_exact1d {
	static constexpr auto target = op("aten::_upsample_nearest_exact1d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale scale) {
		return resample_nearest(self, sizes, true, {scale});
	}
};
struct upsample_exact2d {
	static constexpr auto target = op("aten::_upsample_nearest_exact2d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale height, Scale width) {
		return resample_nearest(self, sizes, true, {height, width});
	}
};
struct upsample_exact3d {
	static constexpr auto target = op("aten::_upsample_nearest_exact3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, Scale depth, Scale height, Scale width) {
		return resample_nearest(self, sizes, true, {depth, height, width});
	}
};
}
using resampling_decompositions =
	decompositions<decomposed::upsample_linear1d, decomposed::upsample_bilinear2d, decomposed::upsample_trilinear3d,
		decomposed::upsample_bicubic2d, decomposed::upsample_nearest1d, decomposed::upsample_nearest2d,
		decomposed::upsample_nearest3d, decomposed::upsample_exact1d, decomposed::upsample_exact2d,
		decomposed::upsample_exact3d>;
}
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/unfold_backward.h>
namespace ferry {
namespace decomposed {
struct istft {
	static constexpr auto target = op("aten::istft");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
		std::optional<std::int64_t> win_length, const std::optional<at::Tensor>& given_window,
		bool center, bool normalized, std::optional<bool> onesided,
		std::optional<std::int64_t> length, bool return_complex) {
		const bool is_batch = self.dim() == 3;
		at::Tensor frames = (is_batch ? self : self.unsqueeze(0)).transpose(1, 2);
		const std::int64_t hop = hop_length.value_or(n_fft / 4), count = frames.size(1);
		const std::int64_t by_root = 1, by_count = 2, normalization = normalized ? by_root : by_count;
		const at::Tensor window = padded_window(self, n_fft, win_length.value_or(n_fft), given_window);
		if (return_complex) {
		frames = at::_fft_c2c(frames, {2}, normalization, /*forward=*/false);
		} else {
		if (!onesided.value_or(frames.size(2) != n_fft)) frames = frames.slice(2, 0, n_fft / 2 + 1);
		frames = at::_fft_c2r(frames, {2}, normalization, n_fft);
		}
		const std::int64_t whole = n_fft + hop * (count - 1), start = center ? n_fft / 2 : 0;
		const std::int64_t end = length ? start + *length : whole - start;
		const auto added = [&](const at::Tensor& each) {
		return at::unfold_backward(each, {each.size(0), whole}, 1, n_fft, hop).slice(1, start, end);
		};
		at::Tensor made = added(frames * window) / added((window * window).expand({1, count, n_fft}));
		if (end > whole) made = at::constant_pad_nd(made, {0, end - whole});
		return is_batch ? made : made.squeeze(0);
	}
private:
	static at::Tensor padded_window(const at::Tensor& self, std::int64_t n_fft, std::int64_t win_length,
		const std::optional<at::Tensor>& given) {
		const auto options =
		at::TensorOptions().dtype(c10::toRealValueType(self.scalar_type())).device(decomposed::real_device(self));
		const at::Tensor window = given && given->defined() ? *given : at::ones({win_length}, options);
		const std::int64_t left = (n_fft - win_length) / 2;
		return win_length == n_fft ? window : at::constant_pad_nd(window, {left, n_fft - win_length - left});
	}
};
}
using spectral_decompositions = decompositions<decomposed::istft>;
}
#include <ATen/InferSize.h>
#include <ATen/TensorUtils.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/zeros.h>
namespace ferry {
namespace decomposed {
struct view_of_any_layout {
	static constexpr auto target = op("aten::view");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size) {
		const bool copies = must_copy(may_copy() && !fits(self, size));
		return (copies ? self.clone(at::MemoryFormat::Contiguous) : self).view(size);
	}
	[[nodiscard]] static bool fits(const at::Tensor& self, at::IntArrayRef size) {
		return at::detail::computeStride(self.sizes(), self.strides(), at::infer_size(size, self.numel())).has_value();
	}
};
struct reshape {
	static constexpr auto target = op("aten::reshape");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shape) {
		const bool copies = must_copy(!view_of_any_layout::fits(self, shape));
		return (copies ? self.clone(at::MemoryFormat::Contiguous) : self).view(shape);
	}
};
struct flatten {
	static constexpr auto target = op("aten::flatten.using_ints");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t start, std::int64_t end) {
		if (self.dim() == 0) return self.reshape({1});
		const std::int64_t first = from_front(start, self.dim()), last = from_front(end, self.dim());
		if (first == last) return self;
		std::vector<std::int64_t> shape;
		std::int64_t joined = 1;
		for (std::int64_t dim = 0; dim < self.dim(); ++dim) {
		const bool is_inside = dim >= first && dim <= last;
		if (is_inside) joined = checked_mul(joined, self.size(dim));
		if (!is_inside || dim == last) shape.push_back(is_inside ? joined : self.size(dim));
		}
		return self.reshape(shape);
	}
};
struct contiguous {
	static constexpr auto target = op("aten::contiguous");
	static at::Tensor decompose(const at::Tensor& self, at::MemoryFormat format) {
		return must_copy(!self.is_contiguous(format)) ? self.clone(format) : self;
	}
};
struct strided_as_before {
	static constexpr auto target = op("aten::as_strided");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size, at::IntArrayRef stride,
		std::optional<std::int64_t> offset) {
		const Node* node = detail::running.node();
		if (node != nullptr && node->op() == "aten::as_strided" && !is_laid_out_as_said(self, "self"))
		throw Error(ErrorKind::unsupported, "as_strided reads the result of an op that was taken apart",
		{.hint = "call contiguous() on it first", .where = {.op = "aten::as_strided"}});
		return self.as_strided(size, stride, offset);
	}
};
struct transpose {
	static constexpr auto target = op("aten::transpose.int");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t first, std::int64_t second) {
		if (self.dim() == 0) return at::alias(self);
		std::vector<std::int64_t> order(static_cast<std::size_t>(self.dim()));
		std::iota(order.begin(), order.end(), 0);
		std::swap(order.at(static_cast<std::size_t>(from_front(first, self.dim()))),
		order.at(static_cast<std::size_t>(from_front(second, self.dim()))));
		return self.permute(order);
	}
};
struct matrix_transpose {
	static constexpr auto target = op("aten::t");
	static at::Tensor decompose(const at::Tensor& self) {
		return self.dim() < 2 ? at::alias(self) : self.permute({1, 0});
	}
};
struct squeeze_one {
	static constexpr auto target = op("aten::squeeze.dim");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim) { return self.squeeze(at::IntArrayRef(dim)); }
};
struct squeeze_all {
	static constexpr auto target = op("aten::squeeze");
	static at::Tensor decompose(const at::Tensor& self) {
		std::vector<std::int64_t> dims;
		for (std::int64_t dim = 0; dim < self.dim(); ++dim)
		if (self.size(dim) == 1) dims.push_back(dim);
		return self.squeeze(at::IntArrayRef(dims));
	}
};
struct unbind {
	static constexpr auto target = op("aten::unbind.int");
	static std::vector<at::Tensor> decompose(const at::Tensor& self, std::int64_t dim) {
		require_few(self.size(dim));
		std::vector<at::Tensor> parts;
		parts.reserve(static_cast<std::size_t>(self.size(dim)));
		for (std::int64_t i = 0; i < self.size(dim); ++i) parts.push_back(self.select(dim, i));
		return parts;
	}
};
struct split {
	static constexpr auto target = op("aten::split.Tensor");
	static std::vector<at::Tensor> decompose(const at::Tensor& self, std::int64_t size, std::int64_t dim) {
		std::vector<std::int64_t> sizes;
		const std::int64_t whole = self.size(dim);
		if (size != 0 || whole != 0) require_positive(size, "split_size");
		require_few(size == 0 ? 1 : whole / size);
		for (std::int64_t at = 0; at < whole || sizes.empty(); at += size) {
		sizes.push_back(std::min(size, whole - at));
		if (size == 0) break;
		}
		return self.split_with_sizes(sizes, dim);
	}
};
struct unsafe_split {
	static constexpr auto target = op("aten::unsafe_split.Tensor");
	static std::vector<at::Tensor> decompose(const at::Tensor& self, std::int64_t size, std::int64_t dim) {
		return split::decompose(self, size, dim);
	}
};
struct unsafe_split_with_sizes {
	static constexpr auto target = op("aten::unsafe_split_with_sizes");
	static std::vector<at::Tensor> decompose(const at::Tensor& self, at::IntArrayRef sizes, std::int64_t dim) {
		return self.split_with_sizes(sizes, dim);
	}
};
struct detach {
	static constexpr auto target = op("aten::detach", "aten::lift_fresh");
	static at::Tensor decompose(const at::Tensor& self) { return at::alias(self); }
};
struct lift_fresh_copy {
	static constexpr auto target = op("aten::lift_fresh_copy");
	static at::Tensor decompose(const at::Tensor& self) { return self.clone(); }
};
struct unsafe_view {
	static constexpr auto target = op("aten::_unsafe_view");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size) { return self.view(size); }
};
struct stack {
	static constexpr auto target = op("aten::stack");
	static at::Tensor decompose(at::TensorList parts, std::int64_t dim) {
		std::vector<at::Tensor> longer;
		longer.reserve(parts.size());
		for (const at::Tensor& part : parts) longer.push_back(part.unsqueeze(dim));
		return at::cat(longer, from_front(dim, longer.at(0).dim()));
	}
};
struct roll {
	static constexpr auto target = op("aten::roll");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef shifts, at::IntArrayRef dims) {
		if (dims.empty()) return decompose(self.flatten(), shifts, {0}).view(self.sizes());
		require_items(shifts, dims.size(), "shifts");
		at::Tensor rolled = self;
		for (std::size_t i = 0; i < dims.size(); ++i) {
		const std::int64_t size = rolled.size(dims[i]);
		const std::int64_t by = size == 0 ? 0 : checked_mod(shifts[i], size), start = by == 0 ? 0 : size - by;
		rolled = at::cat({rolled.slice(dims[i], start, size), rolled.slice(dims[i], 0, start)}, dims[i]);
		}
		return rolled;
	}
};
[[nodiscard]] inline at::Tensor shuffled(const at::Tensor& self, std::size_t kept,
		std::initializer_list<std::int64_t> parts,
		std::initializer_list<std::int64_t> places,
		std::initializer_list<std::int64_t> joined) {
	const at::IntArrayRef front = self.sizes().slice(0, kept);
	std::vector<std::int64_t> split = front.vec(), order(kept), whole = front.vec();
	std::iota(order.begin(), order.end(), 0);
	split.insert(split.end(), parts);
	for (const std::int64_t place : places) order.push_back(static_cast<std::int64_t>(kept) + place);
	whole.insert(whole.end(), joined);
	return self.reshape(split).permute(order).reshape(whole);
}
struct pixel_shuffle {
	static constexpr auto target = op("aten::pixel_shuffle");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t factor) {
		require_positive(factor, "upscale_factor");
		const std::int64_t channels = self.size(-3) / checked_mul(factor, factor), height = self.size(-2),
		width = self.size(-1);
		return shuffled(self, static_cast<std::size_t>(self.dim() - 3), {channels, factor, factor, height, width},
		{0, 3, 1, 4, 2}, {channels, checked_mul(height, factor), checked_mul(width, factor)});
	}
};
struct pixel_unshuffle {
	static constexpr auto target = op("aten::pixel_unshuffle");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t factor) {
		require_positive(factor, "downscale_factor");
		const std::int64_t channels = self.size(-3), height = self.size(-2) / factor, width = self.size(-1) / factor;
		return shuffled(self, static_cast<std::size_t>(self.dim() - 3), {channels, height, factor, width, factor},
		{0, 2, 4, 1, 3}, {checked_mul(checked_mul(channels, factor), factor), height, width});
	}
};
struct channel_shuffle {
	static constexpr auto target = op("aten::channel_shuffle", "aten::native_channel_shuffle");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t groups) {
		require_positive(groups, "groups");
		const std::int64_t channels = self.size(1);
		std::vector<std::int64_t> split = self.sizes().vec(), order(split.size() + 1);
		split[1] = channels / groups;
		split.insert(split.begin() + 1, groups);
		std::iota(order.begin(), order.end(), 0);
		std::swap(order[1], order[2]);
		return self.reshape(split).permute(order).reshape(self.sizes());
	}
};
struct rotate_by_90 {
	static constexpr auto target = op("aten::rot90");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t times, at::IntArrayRef dims) {
		require_items(dims, 2, "dims");
		const std::int64_t turns = ((times % 4) + 4) % 4;
		if (turns == 0) return self.clone();
		if (turns == 2) return self.flip(dims);
		return turns == 1 ? self.flip(dims[1]).transpose(dims[0], dims[1])
		: self.transpose(dims[0], dims[1]).flip(dims[1]);
	}
};
struct fold_windows {
	static constexpr auto target = op("aten::unfold_backward");
	static at::Tensor decompose(const at::Tensor& windows, at::IntArrayRef sizes, std::int64_t which, std::int64_t size,
		std::int64_t step) {
		if (sizes.empty()) return windows.squeeze(0);
		const std::int64_t dim = from_front(which, static_cast<std::int64_t>(sizes.size()));
		const auto indices = windows.options().dtype(at::kLong).device(real_device(windows));
		const at::Tensor starts = at::arange(windows.size(dim), indices) * step;
		const at::Tensor places = (starts.unsqueeze(1) + at::arange(size, indices)).flatten();
		return at::zeros(sizes, windows.options().device(real_device(windows)))
		.index_add(dim, places, windows.movedim(-1, dim + 1).flatten(dim, dim + 1));
	}
};
struct diagonal_matrix {
	static constexpr auto target = op("aten::diag_embed");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t offset, std::int64_t first, std::int64_t second) {
		const std::int64_t rank = self.dim() + 1;
		const std::int64_t row = from_front(first, rank), column = from_front(second, rank);
		const std::int64_t back = checked_neg(offset), size = checked_add(self.size(-1), std::max(offset, back));
		at::Tensor padded = offset < 0 ? self : at::constant_pad_nd(self, {offset, 0}, 0);
		if (offset < 0) padded = at::constant_pad_nd(padded, {0, back}, 0);
		std::vector<std::int64_t> order;
		order.reserve(static_cast<std::size_t>(rank));
		std::int64_t next = 0;
		for (std::int64_t dim = 0; dim < rank; ++dim)
		order.push_back(dim == row ? rank - 2 : dim == column ? rank - 1 : next++);
		const at::Tensor on = offsets_from_diagonal(size, size, real_device(self)).eq(offset);
		return at::where(on, padded.unsqueeze(-2), number_like(self, 0)).permute(order);
	}
};
}
using view_decompositions =
	decompositions<decomposed::view_of_any_layout, decomposed::reshape, decomposed::flatten, decomposed::contiguous,
		decomposed::strided_as_before, decomposed::transpose, decomposed::matrix_transpose,
		decomposed::squeeze_one, decomposed::squeeze_all, decomposed::unbind, decomposed::split,
		decomposed::unsafe_split, decomposed::unsafe_split_with_sizes, decomposed::detach,
		decomposed::lift_fresh_copy, decomposed::unsafe_view, decomposed::stack, decomposed::roll,
		decomposed::pixel_shuffle, decomposed::pixel_unshuffle, decomposed::channel_shuffle,
		decomposed::rotate_by_90, decomposed::fold_windows, decomposed::diagonal_matrix>;
}
namespace ferry {
struct core_aten_decompositions
	: concat_t<factory_decompositions, view_decompositions, indexing_decompositions, pointwise_decompositions,
		reduction_decompositions, loss_decompositions, resampling_decompositions, network_decompositions,
		recurrent_decompositions, spectral_decompositions, library_decompositions>,
	own_list {};
}
namespace ferry::detail {
[[nodiscard]] inline std::vector<SymExpr> sizes_of(const ExportedProgram& program, const InputSpec& input) {
	const auto* value = input.argument.get_if<Value>();
	if (value == nullptr) return {};
	const ValueInfo& info = program.graph.info(*value);
	return info.kind == ValueKind::tensor ? info.tensor.sizes : std::vector{info.symbol};
}
[[nodiscard]] inline SymBindings sizes_of_example(const ExportedProgram& program) {
	SymBindings sizes = program.hints;
	std::size_t leaf = 0;
	for (const InputSpec& input : program.signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		if (leaf == program.example_inputs.size()) break;
		const Leaf& example = program.example_inputs[leaf++];
		if (!example.is_tensor() || !example.tensor().defined()) continue;
		const auto expected = sizes_of(program, input);
		const auto given = example.tensor().sizes();
		for (std::size_t dim = 0; dim < expected.size() && dim < given.size(); ++dim)
		if (const auto affine = as_affine(expected[dim]))
		if (const auto solved = affine->solve(given[dim])) sizes.set(affine->symbol, *solved);
	}
	return sizes;
}
}
namespace ferry::detail {
[[noreturn]] inline void contradiction(const std::string& symbol) {
	throw Error(ErrorKind::bad_file,
		"what the program says of its sizes is a contradiction: '" + symbol + "' can have no value");
}
inline void narrow_range(SymMap<ValueRange>& ranges, const SymExpr& a) {
	const auto up = as_affine(a), down = as_affine(-a);
	const auto& affine = up ? up : down;
	if (!affine) return;
	const ValueRange* known = ranges.find(affine->symbol);
	ValueRange range = known != nullptr                   ? *known
		: is_unbacked_name(affine->symbol) ? ValueRange{}
		: ValueRange{.min = 0};
	if (up)
		range.min = std::max(range.min, checked_neg(checked_floor_div(affine->offset, affine->factor)));
	else
		range.max = std::min(range.max, checked_floor_div(checked_neg(affine->offset), affine->factor));
	if (range.empty()) contradiction(affine->symbol);
	ranges.set(affine->symbol, range);
}
}
namespace ferry::detail {
struct RequiredComparison {
	const Graph* graph;
	const Node* node;
	const Node* assertion;
	std::string_view name;
	SymOp op;
	[[nodiscard]] std::optional<SymExpr> condition() const {
		std::vector<SymExpr> operands;
		for (const NamedArgument& argument : node->arguments()) {
		if (const auto* value = argument.value.get_if<Value>()) operands.push_back(graph->info(*value).symbol);
		if (const auto* integer = argument.value.get_if<std::int64_t>()) operands.emplace_back(*integer);
		}
		if (operands.size() != 2) return std::nullopt;
		for (const SymExpr& operand : operands)
		if (operand.type() != SymType::integer) return std::nullopt;
		return compare(op, operands[0], operands[1]);
	}
};
template <class Visit, class Other>
class ForEachRequired {
public:
	ForEachRequired(Visit visit, Other other) : visit_(std::move(visit)), other_(std::move(other)) {}
	void go_through(const Graph& graph) {
		for (const Node& node : graph.nodes()) {
		if (node.op() != "aten::_assert_scalar" || node.arguments().empty()) continue;
		if (const auto* checked = node.arguments()[0].value.get_if<Value>()) require(graph, *checked, true, node);
		}
		for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) go_through(graph.subgraph({i}));
	}
private:
	struct Comparison {
		std::string_view op, name, opposite;
		SymOp meaning;
	};
	static constexpr auto comparisons = std::to_array<Comparison>({{"_operator::eq", "eq", "ne", SymOp::eq},
		{"_operator::ne", "ne", "eq", SymOp::ne},
		{"_operator::lt", "lt", "ge", SymOp::lt},
		{"_operator::le", "le", "gt", SymOp::le},
		{"_operator::gt", "gt", "le", SymOp::gt},
		{"_operator::ge", "ge", "lt", SymOp::ge}});
	void require(const Graph& graph, Value condition, bool holds, const Node& assertion) {
		const Node* node = graph.info(condition).producer;
		if (node == nullptr) return other_(assertion);
		const bool both = node->op() == (holds ? "_operator::and_" : "_operator::or_");
		if (both || node->op() == "torch::sym_not") {
		for (const NamedArgument& argument : node->arguments())
		if (const auto* value = argument.value.get_if<Value>())
		require(graph, *value, both == holds, assertion);
		return;
		}
		const auto found = algo::find(comparisons, node->op(), &Comparison::op);
		if (found == comparisons.end()) return other_(*node);
		visit_(RequiredComparison{&graph, node, &assertion, holds ? found->name : found->opposite,
		holds ? found->meaning : opposite(found->meaning)});
	}
	Visit visit_;
	Other other_;
};
}
namespace ferry::detail {
class ProgramChecks {
public:
	explicit ProgramChecks(const ExportedProgram& program) {
		ForEachRequired([&](const RequiredComparison& each) { add(each); }, [](const Node& node) { refuse(node); })
		.go_through(program.graph);
	}
	[[nodiscard]] const std::set<std::string>& symbols() const noexcept { return symbols_; }
	[[nodiscard]] const std::vector<SymExpr>& conditions() const noexcept { return conditions_; }
	void meet(const Node& node, std::span<const SymNumber> numbers) const {
		const auto found = checks_.find(&node);
		capture::Tracer* tracer = capture::current_tracer();
		if (found == checks_.end() || tracer == nullptr) return;
		if (holds_real(numbers[0]) || holds_real(numbers[1])) refuse(node);
		tracer->add_check(integer_of(numbers[0]), found->second.comparison, integer_of(numbers[1]),
		found->second.message);
	}
private:
	void add(const RequiredComparison& comparison) {
		checks_.emplace(comparison.node, Check{comparison.name, expression_of(*comparison.assertion)});
		const auto condition = comparison.condition();
		if (!condition) return;
		conditions_.push_back(*condition);
		const auto symbols = free_symbols(*condition);
		if (algo::none_of(symbols, [](const std::string& symbol) { return is_unbacked_name(symbol); }))
		symbols_.insert(symbols.begin(), symbols.end());
	}
	[[noreturn]] static void refuse(const Node& node) {
		throw Error(ErrorKind::unsupported,
		"a program with a check that is no comparison of integers cannot be decomposed",
		{.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
	}
	struct Check {
		std::string_view comparison;
		std::string message;
	};
	[[nodiscard]] static std::string expression_of(const Node& assertion) {
		const Argument* message = assertion.find("assert_msg");
		const auto* text = message == nullptr ? nullptr : message->get_if<std::string>();
		constexpr std::string_view before = "for expression ", after = " on node '";
		const auto start = text == nullptr ? std::string::npos : text->find(before);
		if (start == std::string::npos) return {};
		const auto end = text->rfind(after);
		const auto from = start + before.size();
		return text->substr(from, end == std::string::npos ? end : end - from);
	}
	std::unordered_map<const Node*, Check> checks_;
	std::set<std::string> symbols_;
	std::vector<SymExpr> conditions_;
};
}
namespace ferry::detail {
inline void replace_symbols(Graph& graph, const SymMap<SymExpr>& replacement) {
	for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
		ValueInfo& info = graph.info({i});
		info.symbol = ferry::substitute(info.symbol, replacement);
		for (auto* sizes : {&info.tensor.sizes, &info.tensor.strides})
		for (SymExpr& size : *sizes) size = ferry::substitute(size, replacement);
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) replace_symbols(graph.subgraph({i}), replacement);
}
}
namespace ferry::detail {
[[nodiscard]] inline std::vector<std::string> unbacked_symbols(const Graph& graph) {
	std::vector<std::string> found;
	const auto add = [&](const SymExpr& size) {
		for (const std::string& symbol : free_symbols(size))
		if (is_unbacked_name(symbol) && !algo::contains(found, symbol)) found.push_back(symbol);
	};
	for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
		add(graph.info({i}).symbol);
		for (const SymExpr& size : graph.info({i}).tensor.sizes) add(size);
	}
	return found;
}
[[nodiscard]] inline std::size_t unused_symbol(const ExportedProgram& program) {
	std::size_t unused = 0;
	const auto meet = [&](const std::string& symbol) {
		std::size_t number = 0;
		if (is_unbacked_name(symbol)) std::from_chars(symbol.data() + 1, symbol.data() + symbol.size(), number);
		unused = std::max(unused, number < SIZE_MAX / 2 ? number + 1 : number);
	};
	for (const std::string& symbol : unbacked_symbols(program.graph)) meet(symbol);
	for (const auto& [symbol, range] : program.ranges)
		if (is_unbacked_name(symbol)) meet(symbol);
	return unused;
}
class CheckSettler {
public:
	explicit CheckSettler(ExportedProgram& program)
		: program_(program), order_(unbacked_symbols(program.graph)), unused_(unused_symbol(program)) {}
	void settle() {
		if (order_.empty()) return;
		while (replace_one()) continue;
		for (const SymExpr& condition : conditions()) narrow(condition);
		for (const Node& node : program_.graph.nodes())
		if (node.op().starts_with("aten::sym_constrain_range")) constrain(node);
	}
private:
	[[nodiscard]] std::vector<SymExpr> conditions() const {
		std::vector<SymExpr> found;
		ForEachRequired(
		[&](const RequiredComparison& each) {
		if (const auto condition = each.condition()) found.push_back(*condition);
		},
		[](const Node&) {})
		.go_through(program_.graph);
		return found;
	}
	[[nodiscard]] std::optional<std::pair<std::string, SymExpr>> solve(const SymExpr& a) const {
		if (a.is_symbol() && is_unbacked_name(a.name())) return std::pair(a.name(), SymExpr(0));
		if (a.op() != SymOp::sum) return std::nullopt;
		for (const SymTerm& term : a.terms()) {
		if (term.factors.size() != 1 || term.factors[0].exponent != 1 || !term.factors[0].base.is_symbol())
		continue;
		const SymExpr symbol = term.factors[0].base;
		const auto at = algo::find(order_, symbol.name()) - order_.begin();
		if (at == std::ssize(order_)) continue;
		const SymExpr rest = a - symbol * SymExpr(term.coefficient);
		const auto comes_before = [&](const std::string& other) {
		return algo::find(order_, other) - order_.begin() < at || !is_unbacked_name(other);
		};
		if (!algo::all_of(free_symbols(rest), comes_before)) continue;
		if (const auto by = divided(-rest, term.coefficient)) return std::pair(symbol.name(), *by);
		}
		return std::nullopt;
	}
	[[nodiscard]] static std::optional<SymExpr> divided(const SymExpr& a, std::int64_t by) {
		if (by == 1) return a;
		if (by == -1) return -a;
		if (a.is_constant())
		return checked_mod(a.value(), by) == 0 ? std::optional<SymExpr>(checked_floor_div(a.value(), by))
		: std::nullopt;
		if (a.op() != SymOp::sum || checked_mod(a.value(), by) != 0) return std::nullopt;
		SymExpr quotient = checked_floor_div(a.value(), by);
		for (const SymTerm& term : a.terms()) {
		if (checked_mod(term.coefficient, by) != 0) return std::nullopt;
		SymExpr part = checked_floor_div(term.coefficient, by);
		for (const SymFactor& factor : term.factors) part = part * pow(factor.base, factor.exponent);
		quotient = quotient + part;
		}
		return quotient;
	}
	[[nodiscard]] bool replace_one() {
		for (const SymExpr& condition : conditions()) {
		if (condition.op() != SymOp::eq) continue;
		auto solved = solve(condition.args()[0] - condition.args()[1]);
		if (!solved) solved = in_steps(condition);
		if (!solved) continue;
		replace(solved->first, solved->second);
		return true;
		}
		return false;
	}
	[[nodiscard]] static SymExpr without_factor(const SymExpr& a) {
		if (a.op() != SymOp::sum || a.value() != 0 || a.terms().size() != 1) return a;
		const auto& factors = a.terms()[0].factors;
		return factors.size() == 1 && factors[0].exponent == 1 ? factors[0].base : a;
	}
	[[nodiscard]] std::optional<std::pair<std::string, SymExpr>> in_steps(const SymExpr& condition) {
		const SymExpr rest = without_factor(condition.args()[0]);
		const bool is_multiple =
		rest.op() == SymOp::mod && rest.args()[1].is_constant() && condition.args()[1].is_constant(0);
		const auto affine = is_multiple ? as_affine(rest.args()[0]) : std::nullopt;
		if (!affine) return std::nullopt;
		const std::int64_t whole = rest.args()[1].value();
		const auto at = algo::find(order_, affine->symbol);
		if (at == order_.end() || whole < 2 || checked_mod(affine->offset, whole) != 0) return std::nullopt;
		const std::int64_t step = whole / std::gcd(whole, affine->factor);
		*at = "u" + std::to_string(unused_++);
		return std::pair(affine->symbol, SymExpr::symbol(*at) * SymExpr(step));
	}
	void replace(const std::string& symbol, const SymExpr& by) {
		SymMap<SymExpr> replacement;
		replacement.set(symbol, by);
		replace_symbols(program_.graph, replacement);
		SymMap<ValueRange> kept;
		for (const auto& [name, range] : program_.ranges)
		if (name != symbol) kept.set(name, range);
		if (const ValueRange* range = program_.ranges.find(symbol)) {
		if (range->min != ValueRange::no_min) narrow_unbacked(kept, by - SymExpr(range->min));
		if (range->max < most) narrow_unbacked(kept, SymExpr(range->max) - by);
		}
		program_.ranges = std::move(kept);
	}
	void narrow(const SymExpr& condition) {
		if (condition.op() < SymOp::eq || condition.op() > SymOp::ge) return;
		const SymExpr difference = condition.args()[0] - condition.args()[1];
		const SymOp op = condition.op();
		if (op == SymOp::ge) narrow_unbacked(program_.ranges, difference);
		if (op == SymOp::gt) narrow_unbacked(program_.ranges, difference - SymExpr(1));
		if (op == SymOp::le) narrow_unbacked(program_.ranges, -difference);
		if (op == SymOp::lt) narrow_unbacked(program_.ranges, -difference - SymExpr(1));
	}
	static void narrow_unbacked(SymMap<ValueRange>& ranges, const SymExpr& a) {
		const auto symbols = free_symbols(a);
		if (symbols.size() == 1 && is_unbacked_name(symbols[0])) narrow_range(ranges, a);
	}
	void constrain(const Node& node) {
		const Argument* size = node.find("size");
		const Value* value = size != nullptr ? size->get_if<Value>() : nullptr;
		if (value == nullptr) return;
		const SymExpr& symbol = program_.graph.info(*value).symbol;
		if (symbol.type() != SymType::integer) return;
		const auto bound = [&](const char* name) -> std::optional<std::int64_t> {
		const Argument* argument = node.find(name);
		const auto* number = argument != nullptr ? argument->get_if<std::int64_t>() : nullptr;
		return number != nullptr ? std::optional(*number) : std::nullopt;
		};
		if (const auto least = bound("min")) narrow_unbacked(program_.ranges, symbol - SymExpr(*least));
		if (const auto highest = bound("max")) narrow_unbacked(program_.ranges, SymExpr(*highest) - symbol);
	}
	static constexpr std::int64_t most = ValueRange::no_max - 1;
	ExportedProgram& program_;
	std::vector<std::string> order_;
	std::size_t unused_;
};
inline void settle_checks(ExportedProgram& program) { CheckSettler(program).settle(); }
}
namespace ferry::detail {
[[nodiscard]] inline std::optional<SymExpr> stated_size(const RunWatch& watch, std::string_view op,
		std::span<const capture::ResultSize> places) {
	if (watch.node == nullptr) return std::nullopt;
	const Graph& graph = *watch.graph;
	const auto outputs = watch.node->outputs();
	const auto result = [&](std::size_t i) -> const ValueInfo* {
		return i < outputs.size() && !outputs[i].is_list && !outputs[i].values.empty()
		? &graph.info(outputs[i].values[0])
		: nullptr;
	};
	if (watch.node->op() == op)
		for (const auto& [i, dim] : places)
		if (const ValueInfo* info = result(i); info != nullptr && dim < info->tensor.sizes.size())
		return info->tensor.sizes[dim];
	if (const ValueInfo* info = result(0); places.empty() && info != nullptr && info->kind == ValueKind::sym_int)
		return info->symbol;
	std::set<std::string> given;
	const auto each_size = [&](Value value, auto&& visit) {
		visit(graph.info(value).symbol);
		for (const SymExpr& size : graph.info(value).tensor.sizes) visit(size);
	};
	for (const NamedArgument& argument : watch.node->arguments())
		for_each_value(argument.value, [&](Value value) {
		each_size(value, [&](const SymExpr& size) {
		for (std::string& symbol : free_symbols(size)) given.insert(std::move(symbol));
		});
		});
	std::set<SymExpr> found;
	for (const Output& output : outputs)
		for (const Value value : output.values)
		each_size(value, [&](const SymExpr& size) {
		const bool is_new = algo::any_of(free_symbols(size), [&](const std::string& symbol) {
		return is_unbacked_name(symbol) && !given.contains(symbol);
		});
		if (is_new) found.insert(size);
		});
	return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}
[[nodiscard]] inline std::vector<SymExpr> least_sizes(const Graph& graph, std::int64_t least) {
	std::set<SymExpr> sizes;
	for (std::uint32_t i = 0; i < graph.num_values(); ++i)
		for (const SymExpr& size : graph.info({i}).tensor.sizes)
		if (!size.is_symbol() &&
		algo::any_of(free_symbols(size), [](const auto& symbol) { return is_unbacked_name(symbol); }))
		sizes.insert(size);
	std::vector<SymExpr> conditions;
	conditions.reserve(sizes.size());
	for (const SymExpr& size : sizes) conditions.push_back(ge(size, SymExpr(least)));
	return conditions;
}
[[nodiscard]] inline capture::StatedSizes stated_sizes(const ExportedProgram& program, const ProgramChecks& checks,
		std::vector<ProbeDim> inputs, SymBindings& sample) {
	capture::StatedSizes stated{.unused = unused_symbol(program)};
	std::vector<ProbeDim> dims = std::move(inputs);
	const std::size_t of_inputs = dims.size();
	for (const std::string& symbol : unbacked_symbols(program.graph)) {
		const ValueRange* known = program.ranges.find(symbol);
		ValueRange range = known != nullptr ? *known : ValueRange{};
		if (range.max >= ValueRange::no_max - 1) range.max = ValueRange::no_max;
		stated.ranges.set(symbol, range);
		const ValueRange usual = intersect(range, ValueRange::at_least(0));
		if (!usual.empty()) range = usual;
		dims.push_back({symbol, range, std::clamp<std::int64_t>(2, range.min, range.max)});
	}
	ProbePoint point;
	for (const ProbeDim& dim : dims) point.push_back(dim.sample);
	std::vector<SymExpr> must = checks.conditions();
	for (const Guard& guard : program.guards) must.push_back(guard.condition);
	std::erase_if(must, [&](const SymExpr& condition) { return decide(condition, program.ranges) == true; });
	for (const std::int64_t least : {2, 0}) {
		stated.conditions = must;
		for (SymExpr& condition : least_sizes(program.graph, least)) stated.conditions.push_back(std::move(condition));
		const auto found = capture::FittingPoints(dims, stated.conditions).near(point);
		if (!found) continue;
		point = *found;
		break;
	}
	for (std::size_t i = 0; i < dims.size(); ++i) (i < of_inputs ? sample : stated.sample).set(dims[i].name, point[i]);
	return stated;
}
}
#include <ATen/ops/empty_strided.h>
namespace ferry::detail {
[[nodiscard]] inline bool is_computable(const SymExpr& size) {
	const auto all = [](const auto& parts, auto&& part) { return algo::all_of(parts, part); };
	switch (size.op()) {
		case SymOp::constant:
		case SymOp::symbol: return true;
		case SymOp::sum:
		return all(size.terms(), [&](const SymTerm& term) {
		return all(term.factors,
		[](const SymFactor& factor) { return factor.exponent > 0 && is_computable(factor.base); });
		});
		case SymOp::floor_div:
		case SymOp::mod:
		case SymOp::max:
		case SymOp::min: return all(size.args(), [](const SymExpr& part) { return is_computable(part); });
		default: return false;
	}
}
[[nodiscard]] inline std::vector<SymExpr> known_sizes(const Graph& graph) {
	std::set<SymExpr> found;
	const auto add = [&](const SymExpr& size) {
		if (!size.is_constant() && !size.is_symbol() && is_computable(size)) found.insert(size);
	};
	for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
		const ValueInfo& info = graph.info({i});
		if (info.kind == ValueKind::sym_int) add(info.symbol);
		if (info.kind == ValueKind::tensor)
		for (const SymExpr& size : info.tensor.sizes) add(size);
	}
	return {found.begin(), found.end()};
}
class OrdinarySizes {
public:
	OrdinarySizes(const ExportedProgram& program, const ProgramChecks& checks, const std::set<std::string>& checked,
		bool all)
		: all_(all) {
		const SymBindings example = sizes_of_example(program);
		for (const InputSpec& input : program.signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		for (const SymExpr& size : sizes_of(program, input))
		for (const std::string& symbol : free_symbols(size)) {
		const bool is_kept = checked.contains(symbol) && example.find(symbol) != nullptr;
		add(symbol, program.ranges.find(symbol), is_kept);
		}
		}
		if (!all) raise(known_sizes(program.graph), checked);
		choose_sample(checked, example);
		std::vector<ProbeDim> dims;
		dims.reserve(ranges_.size());
		for (const auto& [symbol, range] : ranges_) dims.push_back({symbol, range, *sample_.find(symbol)});
		stated_ = stated_sizes(program, checks, std::move(dims), sample_);
	}
	[[nodiscard]] const std::map<std::string, ValueRange>& ranges() const noexcept { return ranges_; }
	[[nodiscard]] const SymBindings& sample() const noexcept { return sample_; }
	[[nodiscard]] capture::StatedSizes& stated() noexcept { return stated_; }
private:
	void add(const std::string& symbol, const ValueRange* given, bool is_kept) {
		if (ranges_.contains(symbol)) return;
		ValueRange range = given != nullptr ? *given : ValueRange::at_least(2);
		if (!all_ && !is_kept && range.max >= least + room) range.min = std::max(range.min, least);
		range.min = std::max<std::int64_t>(range.min, 0);
		if (range.empty()) contradiction(symbol);
		order_.push_back(symbol);
		ranges_.emplace(symbol, range);
	}
	[[nodiscard]] static bool is_at_most_one(const SymExpr& size, const SymBindings& sizes) {
		try {
		return evaluate(size, sizes) <= 1;
		} catch (const Error&) {
		return false;
		}
	}
	void raise(const std::vector<SymExpr>& computed, const std::set<std::string>& checked) {
		constexpr std::int64_t far = 1 << 12;
		SymBindings smallest;
		for (const auto& [symbol, range] : ranges_) smallest.set(symbol, range.min);
		for (const SymExpr& size : computed) {
		const std::vector<std::string> symbols = free_symbols(size);
		if (!algo::all_of(symbols, [&](const std::string& each) { return ranges_.contains(each); })) continue;
		for (const std::string& symbol : symbols) {
		ValueRange& range = ranges_.at(symbol);
		if (checked.contains(symbol)) continue;
		SymBindings raised = smallest;
		std::int64_t at = range.min;
		while (is_at_most_one(size, raised) && at <= far && at < range.max / 2 - room)
		raised.set(symbol, at = std::max<std::int64_t>(2 * at, 1));
		if (at == range.min || is_at_most_one(size, raised)) continue;
		smallest.set(symbol, range.min = at);
		}
		}
	}
	void choose_sample(const std::set<std::string>& checked, const SymBindings& example) {
		std::int64_t step = 3;
		for (const std::string& symbol : order_) {
		const ValueRange& range = ranges_.at(symbol);
		const std::int64_t* kept = checked.contains(symbol) ? example.find(symbol) : nullptr;
		sample_.set(symbol, kept != nullptr ? *kept : range.min < range.max - step ? range.min + step : range.max);
		step += 2;
		}
	}
	static constexpr std::int64_t least = 8, room = 24;
	bool all_;
	std::map<std::string, ValueRange> ranges_;
	std::vector<std::string> order_;
	SymBindings sample_;
	capture::StatedSizes stated_;
};
class OrdinaryInputs {
public:
	OrdinaryInputs(const ExportedProgram& program, const OrdinarySizes& ordinary)
		: program_(program), ordinary_(ordinary) {
		for (const InputSpec& input : program.signature.inputs)
		if (input.kind == InputKind::user_input) add(input);
	}
	[[nodiscard]] const std::vector<Leaf>& leaves() const noexcept { return leaves_; }
	[[nodiscard]] const DynamicShapes& shapes() const noexcept { return shapes_; }
	[[nodiscard]] Inputs named() const {
		std::vector<Inputs::Item> items;
		items.reserve(leaves_.size());
		for (std::size_t i = 0; i < leaves_.size(); ++i) items.emplace_back(names_[i], Tree(leaves_[i]));
		return Inputs(std::move(items));
	}
private:
	void add(const InputSpec& input) {
		const std::string name = input.name.empty() ? "input_" + std::to_string(leaves_.size()) : input.name;
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr) {
		leaves_.push_back(to_leaf(input.argument));
		} else {
		const auto sizes = sizes_of(program_, input);
		std::vector<std::int64_t> concrete;
		concrete.reserve(sizes.size());
		for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
		concrete.push_back(evaluate(sizes[dim], ordinary_.sample()));
		if (sizes[dim].is_constant()) continue;
		std::map<std::string, ValueRange> ranges;
		for (const std::string& symbol : free_symbols(sizes[dim]))
		ranges.emplace(symbol, ordinary_.ranges().at(symbol));
		shapes_[name].emplace(static_cast<std::int64_t>(dim), Dim::of(sizes[dim], std::move(ranges)));
		}
		const ValueInfo& info = program_.graph.info(*value);
		leaves_.push_back(info.kind == ValueKind::tensor ? Leaf(tensor(info.tensor, concrete))
		: Leaf(concrete.at(0)));
		}
		names_.push_back(name);
	}
	[[nodiscard]] at::Tensor tensor(const TensorMeta& meta, const std::vector<std::int64_t>& sizes) const {
		const std::size_t at = leaves_.size();
		if (at < program_.example_inputs.size() && program_.example_inputs[at].is_tensor()) {
		const at::Tensor& example = program_.example_inputs[at].tensor();
		if (example.sizes() == at::IntArrayRef(sizes)) return example;
		return at::empty_strided(sizes, capture::strides_like(example, sizes), example.options());
		}
		const auto options = at::TensorOptions(to_c10(meta.dtype)).device(to_c10(meta.device));
		if (meta.strides.size() != sizes.size()) return at::empty(sizes, options);
		std::vector<std::int64_t> strides;
		strides.reserve(sizes.size());
		for (const SymExpr& stride : meta.strides) strides.push_back(evaluate(stride, ordinary_.sample()));
		return at::empty_strided(sizes, strides, options);
	}
	const ExportedProgram& program_;
	const OrdinarySizes& ordinary_;
	std::vector<std::string> names_;
	std::vector<Leaf> leaves_;
	DynamicShapes shapes_;
};
}
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>
namespace ferry::detail {
[[nodiscard]] inline at::Tensor paired(const at::Tensor& real, const at::Tensor& imaginary) {
	return at::cat({real.unsqueeze(-1), imaginary.unsqueeze(-1)}, -1);
}
[[nodiscard]] inline c10::complex<double> written_number(const at::Tensor& tensor) {
	return *tensor.const_data_ptr<c10::complex<double>>();
}
class PairedCall {
public:
	PairedCall(const RunWatch& watch, capture::Kernel (*find)(std::string_view op)) : watch_(watch), find_(find) {}
	void operator()(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
		const Node& node = *watch_.node;
		if (!is_on_complex(*watch_.graph, node)) return op.callBoxed(stack);
		if (const capture::Kernel own = find_(complex_name(node.op()))) return own(op, {}, &stack);
		if (acts_on_parts(node.op())) return call_on_parts(op, stack);
		call_on_complex(op, stack);
	}
private:
	enum class Part : std::int64_t { real, imaginary };
	template <class Change>
	static void for_each_tensor(c10::IValue& boxed, const std::vector<Value>& values, const Change& change) {
		std::size_t next = 0;
		const auto changed = [&](const at::Tensor& tensor) {
		return change(tensor, next < values.size() ? values[next++] : Value());
		};
		if (boxed.isTensor()) {
		if (boxed.toTensor().defined()) boxed = changed(boxed.toTensor());
		} else if (boxed.isTensorList()) {
		c10::List<at::Tensor> made;
		for (const at::Tensor& tensor : boxed.toTensorVector()) made.push_back(changed(tensor));
		boxed = std::move(made);
		} else if (boxed.isOptionalTensorList()) {
		c10::List<std::optional<at::Tensor>> made;
		for (const std::optional<at::Tensor>& tensor : boxed.toOptionalTensorVector())
		made.push_back(tensor && tensor->defined() ? std::optional(changed(*tensor)) : tensor);
		boxed = std::move(made);
		}
	}
	[[nodiscard]] static std::vector<Value> values_in(const Argument* argument) {
		std::vector<Value> values;
		if (argument != nullptr) for_each_value(*argument, [&](Value value) { values.push_back(value); });
		return values;
	}
	template <class Change>
	void change_arguments(const c10::OperatorHandle& op, torch::jit::Stack& stack, const Change& change) const {
		const auto& wanted = op.schema().arguments();
		for (std::size_t i = 0; i < wanted.size(); ++i)
		for_each_tensor(stack[i], values_in(watch_.node->find(wanted[i].name())), change);
	}
	template <class Change>
	void change_results(torch::jit::Stack& stack, const Change& change) const {
		const auto outputs = watch_.node->outputs();
		for (std::size_t i = 0; i < outputs.size() && i < stack.size(); ++i)
		for_each_tensor(stack[i], outputs[i].values, change);
	}
	[[nodiscard]] bool is_pair(Value value) const { return value && is_complex_value(*watch_.graph, value); }
	void call_on_complex(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
		change_arguments(op, stack, [this](const at::Tensor& tensor, Value value) {
		return is_pair(value) ? at::view_as_complex(tensor.contiguous()) : tensor;
		});
		op.callBoxed(stack);
		change_results(stack, [this](const at::Tensor& tensor, Value value) {
		return is_pair(value) ? at::view_as_real(tensor.resolve_conj()) : tensor;
		});
	}
	void call_on_parts(const c10::OperatorHandle& op, torch::jit::Stack& stack) const {
		torch::jit::Stack real = stack_of(Part::real, op, stack), imaginary = stack_of(Part::imaginary, op, stack);
		op.callBoxed(real);
		op.callBoxed(imaginary);
		for (std::size_t i = 0; i < real.size(); ++i) {
		std::vector<at::Tensor> others;
		for_each_tensor(imaginary[i], {}, [&](const at::Tensor& tensor, Value) {
		others.push_back(tensor);
		return tensor;
		});
		std::size_t next = 0;
		for_each_tensor(real[i], {},
		[&](const at::Tensor& tensor, Value) { return paired(tensor, others.at(next++)); });
		}
		stack = std::move(real);
	}
	[[nodiscard]] torch::jit::Stack stack_of(Part part, const c10::OperatorHandle& op, torch::jit::Stack stack) const {
		const auto number = [part](const c10::complex<double>& whole) {
		return c10::Scalar(part == Part::real ? whole.real() : whole.imag());
		};
		change_arguments(op, stack, [&](const at::Tensor& tensor, Value value) {
		if (is_pair(value)) return tensor.select(-1, static_cast<std::int64_t>(part));
		if (tensor.is_complex()) return at::native::wrapped_scalar_tensor(number(written_number(tensor)));
		return part == Part::imaginary && tensor.is_floating_point() ? at::zeros_like(tensor) : tensor;
		});
		const auto& wanted = op.schema().arguments();
		for (std::size_t i = 0; i < wanted.size(); ++i) {
		if (wanted[i].name() == "dtype" && stack[i].isInt())
		stack[i] = static_cast<std::int64_t>(c10::toRealValueType(stack[i].toScalarType()));
		else if (stack[i].isComplexDouble())
		stack[i] = number(stack[i].toComplexDouble());
		else if (is_term(wanted[i].name()) && stack[i].isScalar() && part == Part::imaginary)
		stack[i] = 0;
		}
		return stack;
	}
	[[nodiscard]] static bool is_term(std::string_view argument) { return argument == "other" || argument == "value"; }
	const RunWatch& watch_;
	capture::Kernel (*find_)(std::string_view op);
};
}
namespace ferry::detail {
using PlainViews = std::unordered_set<const Node*>;
[[nodiscard]] inline bool writes(const Graph& graph) {
	for (const Node& node : graph.nodes())
		if (const auto op = find_op(node.op()); op && op->schema().is_mutable()) return true;
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		if (writes(graph.subgraph({i}))) return true;
	return false;
}
inline void collect_plain_views(const Graph& graph, bool is_body, bool any_writes, PlainViews& found) {
	const WrittenInputs memory(graph);
	for (const Node& node : graph.nodes()) {
		if (node.op() != "aten::view") continue;
		const Value view = node.output();
		const bool is_outside =
		is_body && algo::any_of(graph.inputs(), [&](Value input) { return memory.share_memory(view, input); });
		if (!any_writes || (!memory.is_written(view) && !is_outside)) found.insert(&node);
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		collect_plain_views(graph.subgraph({i}), true, any_writes, found);
}
[[nodiscard]] inline PlainViews plain_views(const Graph& graph) {
	PlainViews found;
	collect_plain_views(graph, false, writes(graph), found);
	return found;
}
}
namespace ferry::detail {
[[nodiscard]] inline std::vector<at::Tensor> tensors_among(const BoxedValues& values) {
	std::vector<at::Tensor> tensors;
	tensors.reserve(values.size());
	for (const c10::IValue& value : values)
		if (value.isTensor()) tensors.push_back(value.toTensor());
	return tensors;
}
[[nodiscard]] inline Tree tree_of(std::span<const at::Tensor> tensors) {
	std::vector<Tree> leaves;
	leaves.reserve(tensors.size());
	for (const at::Tensor& tensor : tensors) leaves.emplace_back(Leaf(tensor));
	return Tree::list(std::move(leaves));
}
[[nodiscard]] inline BoxedValues record_autocast(const std::vector<BoxedValues>& arguments, const RunSubgraph& run) {
	const auto device = c10::Device(arguments.at(0).at(0).toStringRef()).type();
	const c10::IValue& dtype = arguments.at(1).at(0);
	const capture::AutocastRegion region{.device = device,
		.dtype = dtype.isNone() ? at::autocast::get_autocast_dtype(device)
		: static_cast<c10::ScalarType>(dtype.toInt()),
		.enabled = arguments.at(2).at(0).toBool()};
	const capture::AutocastScope scope(&region);
	return run(0, from(arguments, 4));
}
[[nodiscard]] inline BoxedValues record_higher_order(std::string_view op, const std::vector<BoxedValues>& arguments,
		const RunSubgraph& run) {
	capture::Tracer* tracer = capture::current_tracer();
	if (tracer == nullptr) return run_higher_order(op, arguments, run);
	if (op == "higher_order::invoke_subgraph" || op == "higher_order::wrap_with_set_grad_enabled")
		return run_higher_order(op, arguments, run);
	if (op == "higher_order::wrap_with_autocast") return record_autocast(arguments, run);
	const auto body = [&](std::size_t which, const BoxedValues& carried, const BoxedValues& rest, std::size_t split) {
		return capture::RunBody([&run, which, &carried, &rest, split](std::span<const at::Tensor> tensors) {
		BoxedValues given;
		std::size_t next = 0;
		for (const c10::IValue& value : carried)
		given.push_back(value.isTensor() ? c10::IValue(tensors[next++]) : value);
		const auto results = tensors_among(run(which, joined(std::move(given), rest)));
		if (split == 0) return tree_of(results);
		const std::span<const at::Tensor> all(results);
		return Tree::tuple({tree_of(all.first(split)), tree_of(all.subspan(split))});
		});
	};
	const auto results = [&]() -> Tree {
		const BoxedValues nothing;
		if (op == "higher_order::cond") {
		const Tree operands = tree_of(tensors_among(arguments.at(1)));
		const c10::IValue& predicate = arguments.at(0).at(0);
		if (!predicate.isTensor())
		throw Error(ErrorKind::unsupported, "a branch that is chosen by sizes cannot be decomposed",
		{.hint = "export with a tensor as the predicate", .where = {.op = std::string(op)}});
		return capture::record_cond(*tracer, predicate.toTensor(), operands, body(0, arguments.at(1), nothing, 0),
		body(1, arguments.at(1), nothing, 0));
		}
		if (op == "higher_order::while_loop") {
		const Tree carried = tree_of(tensors_among(arguments.at(0)));
		return capture::record_while_loop(*tracer, carried, body(0, arguments.at(0), arguments.at(1), 0),
		body(1, arguments.at(0), arguments.at(1), 0));
		}
		if (op == "higher_order::scan") {
		const BoxedValues slices = joined(arguments.at(0), arguments.at(1));
		const auto initial = tensors_among(arguments.at(0)), sequences = tensors_among(arguments.at(1));
		return capture::record_scan(*tracer, tree_of(initial), tree_of(sequences),
		body(0, slices, arguments.at(2), initial.size()));
		}
		if (op == "higher_order::map_impl") {
		const auto sequences = tensors_among(arguments.at(0));
		return capture::record_map(*tracer, tree_of(sequences), body(0, arguments.at(0), arguments.at(1), 0));
		}
		throw Error(ErrorKind::unsupported, "this higher-order op cannot be decomposed",
		{.where = {.op = std::string(op)}});
	}();
	BoxedValues values;
	values.reserve(results.leaves.size());
	for (const Leaf& leaf : results.leaves) values.emplace_back(leaf.tensor());
	return values;
}
}
namespace ferry::detail {
class ProgramRunner {
public:
	explicit ProgramRunner(const ExportedProgram& program,
		capture::Kernel (*find_paired)(std::string_view op) = nullptr)
		: program_(program), interpreter_(program.graph), checks_(program), views_(plain_views(program.graph)) {
		take_state();
		if (find_paired != nullptr) watch_.call = PairedCall(watch_, find_paired);
		watch_.on_numbers = [this](const Node& node, std::span<const SymNumber> numbers, const SymNumber& result) {
		checks_.meet(node, numbers);
		if (holds_real(result)) record_real(node, numbers, real_of(result));
		};
	}
	ProgramRunner(const ProgramRunner&) = delete;
	ProgramRunner& operator=(const ProgramRunner&) = delete;
	void stop_pairing() { watch_.call = nullptr; }
	[[nodiscard]] const ModelState& state() const noexcept { return state_; }
	[[nodiscard]] const RunWatch& watch() const noexcept { return watch_; }
	[[nodiscard]] auto stated() const {
		return [this](std::string_view op, std::span<const capture::ResultSize> places) {
		return stated_size(watch_, op, places);
		};
	}
	[[nodiscard]] const PlainViews& views() const noexcept { return views_; }
	[[nodiscard]] const ProgramChecks& checks() const noexcept { return checks_; }
	[[nodiscard]] Tree run(const std::vector<Leaf>& leaves) {
		std::vector<c10::IValue> values;
		values.reserve(program_.signature.inputs.size());
		std::size_t leaf = 0, kept = 0;
		for (const InputSpec& input : program_.signature.inputs) {
		if (input.kind != InputKind::user_input)
		values.emplace_back(kept_[kept++]);
		else if (const Leaf& given = leaves.at(leaf++); input.argument.is<Value>())
		values.push_back(to_ivalue(given));
		}
		const auto found = with_our_errors([&] { return run_graph(std::move(values)); }, [&] { return watch_.node; });
		std::vector<Tree> results;
		results.reserve(found.size());
		for (const c10::IValue& each : found) results.emplace_back(to_leaf(each));
		watch_.node = nullptr;
		return Tree::list(std::move(results));
	}
private:
	[[nodiscard]] std::vector<c10::IValue> run_graph(std::vector<c10::IValue> values) {
		if (!watch_.call) return interpreter_.run(values, &watch_);
		const Graph& graph = program_.graph;
		for (std::size_t i = 0; i < values.size(); ++i)
		if (is_complex_value(graph, graph.inputs()[i])) values[i] = at::view_as_real(values[i].toTensor());
		std::vector<c10::IValue> found = interpreter_.run(values, &watch_);
		for (std::size_t i = 0; i < found.size(); ++i)
		if (const auto* value = graph.outputs()[i].get_if<Value>();
		value != nullptr && is_complex_value(graph, *value))
		found[i] = at::view_as_complex(found[i].toTensor().contiguous());
		return found;
	}
	void record_real(const Node& node, std::span<const SymNumber> numbers, double result) const {
		capture::Tracer* tracer = capture::current_tracer();
		if (tracer == nullptr) return;
		std::vector<Argument> arguments;
		arguments.reserve(numbers.size());
		for (const SymNumber& number : numbers)
		arguments.push_back(std::visit([](auto value) { return Argument(value); }, number));
		const SymExpr& meaning = watch_.graph->info(node.output()).symbol;
		const bool has_names =
		algo::none_of(free_symbols(meaning), [](const std::string& symbol) { return is_unbacked_name(symbol); });
		tracer->add_real(node.op(), std::move(arguments), result, has_names ? meaning : SymExpr());
	}
	void take_state() {
		std::unordered_map<std::string_view, at::Tensor> tensors;
		for (const auto* named : {&program_.state, &program_.constants})
		for (const auto& [name, tensor] : *named) tensors.emplace(name, tensor);
		for (const InputSpec& input : program_.signature.inputs) {
		if (input.kind == InputKind::user_input) continue;
		const at::Tensor& tensor = kept_.emplace_back(tensors.at(input.target));
		if (input.kind == InputKind::parameter) state_.parameters.emplace_back(input.target, tensor);
		if (input.kind == InputKind::buffer) state_.buffers.emplace_back(input.target, tensor);
		if (input.kind == InputKind::constant_tensor) state_.constants.emplace_back(input.target, tensor);
		}
	}
	const ExportedProgram& program_;
	ModelState state_;
	std::vector<at::Tensor> kept_;
	Interpreter interpreter_;
	ProgramChecks checks_;
	PlainViews views_;
	RunWatch watch_{.higher_order = &record_higher_order};
};
}
namespace ferry::detail {
class GuardSettler {
public:
	explicit GuardSettler(ExportedProgram& program) : program_(program) {}
	void settle() {
		while (replace_one()) continue;
		for (const SymExpr& least : at_least_zero()) narrow_range(program_.ranges, least);
	}
private:
	[[nodiscard]] std::vector<SymExpr> at_least_zero() const {
		std::vector<SymExpr> found;
		const auto add = [&](auto&& self, const SymExpr& condition) -> void {
		if (condition.op() == SymOp::all_of)
		for (const SymExpr& part : condition.args()) self(self, part);
		if (condition.op() < SymOp::eq || condition.op() > SymOp::ge) return;
		const SymExpr &a = condition.args()[0], &b = condition.args()[1];
		if (a.type() != SymType::integer || b.type() != SymType::integer) return;
		const SymOp op = condition.op();
		if (op == SymOp::eq || op == SymOp::ge) found.push_back(a - b);
		if (op == SymOp::eq || op == SymOp::le) found.push_back(b - a);
		if (op == SymOp::gt) found.push_back(a - b - SymExpr(1));
		if (op == SymOp::lt) found.push_back(b - a - SymExpr(1));
		};
		for (const Guard& guard : program_.guards) add(add, guard.condition);
		return found;
	}
	[[nodiscard]] static bool is_linear(const SymExpr& a) {
		return a.op() == SymOp::sum && algo::all_of(a.terms(), [](const SymTerm& term) {
		return term.factors.size() == 1 && term.factors[0].exponent == 1 && term.factors[0].base.is_symbol();
		});
	}
	[[nodiscard]] bool replace_one() {
		const auto wanted = at_least_zero();
		for (const SymExpr& a : wanted) {
		if (!is_linear(a) || a.terms().size() > 2 || !algo::contains(wanted, -a)) continue;
		for (const SymTerm& term : a.terms()) {
		const SymExpr symbol = term.factors[0].base;
		if (is_unbacked_name(symbol.name())) continue;
		if (a.terms().size() == 1 && checked_mod(a.value(), term.coefficient) == 0)
		return replace(symbol.name(), checked_neg(checked_floor_div(a.value(), term.coefficient)));
		const SymExpr rest = a - symbol * SymExpr(term.coefficient);
		const SymExpr by = term.coefficient == 1 ? -rest : rest;
		const auto sum = as_affine(by);
		const bool is_one = term.coefficient == 1 || term.coefficient == -1;
		if (is_one && sum && sum->offset >= 0) return replace(symbol.name(), by);
		}
		}
		return false;
	}
	bool replace(const std::string& symbol, const SymExpr& by) {
		SymMap<SymExpr> replacement;
		replacement.set(symbol, by);
		replace_symbols(program_.graph, replacement);
		for (Guard& guard : program_.guards) guard.condition = ferry::substitute(guard.condition, replacement);
		const ValueRange* range = program_.ranges.find(symbol);
		const ValueRange old = range != nullptr ? *range : ValueRange{};
		SymMap<ValueRange> kept;
		for (const auto& [name, each] : program_.ranges)
		if (name != symbol) kept.set(name, each);
		program_.ranges = std::move(kept);
		if (by.is_constant()) {
		if (!old.contains(by.value())) contradiction(symbol);
		return true;
		}
		if (old.min > ValueRange::no_min) narrow_range(program_.ranges, by - SymExpr(old.min));
		if (old.max < ValueRange::no_max) narrow_range(program_.ranges, SymExpr(old.max) - by);
		return true;
	}
	ExportedProgram& program_;
};
[[nodiscard]] inline ExportedProgram settled(ExportedProgram program) {
	GuardSettler(program).settle();
	settle_checks(program);
	return program;
}
[[nodiscard]] inline std::set<std::string> guarded_symbols(const ExportedProgram& program) {
	std::set<std::string> symbols;
	for (const Guard& guard : program.guards)
		if (!decide(guard.condition, program.ranges))
		for (std::string& symbol : free_symbols(guard.condition)) symbols.insert(std::move(symbol));
	return symbols;
}
}
namespace ferry::detail {
struct kept_whole {
	static constexpr auto target =
		op("aten::upsample_nearest2d.vec", "aten::upsample_bilinear2d.vec", "aten::_assert_tensor_metadata",
		"aten::lstm.input", "aten::lstm.data", "aten::gru.input", "aten::gru.data", "aten::rnn_tanh.input",
		"aten::rnn_tanh.data", "aten::rnn_relu.input", "aten::rnn_relu.data");
};
struct of_one_device {
	static constexpr auto target = op("aten::stft", "aten::stft.center");
};
inline void take_apart(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
	op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, *stack);
}
inline void take_apart_on_fakes(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
	for (c10::IValue& each : *stack)
		if (each.isTensor() && each.toTensor().defined() && !each.toTensor().is_meta())
		each = at::alias(each.toTensor());
	take_apart(op, keys, stack);
}
FERRY_INLINE capture::Kernel composite_decomposition(std::string_view name) {
	if (op_table<type_list<kept_whole>>::contains(name) || capture::class_of(name) != capture::OpClass::ordinary)
		return nullptr;
	const auto op = find_op(name);
	if (!op || !op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) return nullptr;
	return op_table<type_list<of_one_device>>::contains(name) ? &take_apart_on_fakes : &take_apart;
}
FERRY_INLINE capture::Kernel find_core_decomposition(std::string_view op) {
	const capture::Kernel listed =
		list_finder<core_aten_decompositions, capture::Kernel, capture::detail::bind_decomposition>::find(op);
	return listed != nullptr ? listed : composite_decomposition(op);
}
[[nodiscard]] inline std::size_t new_mutations(const ExportedProgram& made, const ExportedProgram& program) {
	if (made.signature.outputs.size() < program.signature.outputs.size())
		throw Error(ErrorKind::internal, "a decomposed program has fewer outputs than before");
	return made.signature.outputs.size() - program.signature.outputs.size();
}
inline void take_over_signature(ExportedProgram& made, const ExportedProgram& program) {
	const std::size_t first = new_mutations(made, program);
	const auto& outputs = program.signature.outputs;
	for (std::size_t i = 0; i < outputs.size(); ++i) {
		OutputSpec& output = made.signature.outputs[first + i];
		output.kind = outputs[i].kind;
		output.target = outputs[i].target;
		const auto same = std::span(made.signature.outputs).first(first);
		if (output.kind != OutputKind::user_output && algo::contains(same, output.target, &OutputSpec::target))
		throw Error(ErrorKind::unsupported, "the program writes to a tensor in place and returns its new value too",
		{.where = {.path = output.target}});
	}
	for (InputSpec& input : made.signature.inputs) {
		if (input.kind != InputKind::buffer) continue;
		const auto old = algo::find_if(program.signature.inputs, [&](const InputSpec& each) {
		return each.kind == input.kind && each.target == input.target;
		});
		if (old == program.signature.inputs.end() || old->persistent) continue;
		input.persistent = false;
		const auto kept = algo::find(made.state, input.target, &NamedTensors::value_type::first);
		if (kept != made.state.end()) {
		made.constants.push_back(*kept);
		made.state.erase(kept);
		}
	}
	for (const auto& [symbol, range] : program.ranges)
		if (!is_unbacked_name(symbol) || made.ranges.find(symbol) != nullptr) made.ranges.set(symbol, range);
	made.narrowed = program.narrowed;
	made.takes_small_sizes = program.takes_small_sizes;
	made.guards = program.guards;
	made.hints = program.hints;
	made.input_names = program.input_names;
	made.in_spec = program.in_spec;
	made.out_spec = program.out_spec;
	made.example_inputs = program.example_inputs;
	made.notes = program.notes;
}
inline void refuse_shared_writes(const ExportedProgram& made) {
	std::unordered_map<std::string_view, const at::Tensor*> tensors;
	for (const auto* named : {&made.state, &made.constants})
		for (const auto& [name, tensor] : *named) tensors.emplace(name, &tensor);
	for (const OutputSpec& output : made.signature.outputs) {
		const auto written = tensors.find(output.target);
		if (written == tensors.end() || written->second->nbytes() == 0 || written->second->is_meta()) continue;
		for (const InputSpec& input : made.signature.inputs) {
		const auto other = input.target == output.target ? tensors.end() : tensors.find(input.target);
		if (other == tensors.end() || other->second->is_meta() ||
		other->second->storage().data() != written->second->storage().data() ||
		!made.graph.is_used(*input.argument.get_if<Value>()))
		continue;
		throw Error(
		ErrorKind::unsupported,
		"the program writes to '" + output.target + "', which shares memory with '" + input.target + "'",
		{.hint = "give each its own memory before the export", .where = {.path = output.target}});
		}
	}
}
struct SmallSizesDiffer : Error {
	using Error::Error;
};
[[nodiscard]] inline std::string refusal_of(const std::string& symbol, std::int64_t size, const std::string& why) {
	return "the decomposed program does not hold where the program does: at " + symbol + " = " + std::to_string(size) +
		", " + why;
}
inline void check_other_sizes(ExportedProgram& made, ProgramRunner& old, const ExportedProgram& program,
		const std::vector<Leaf>& leaves, const capture::Probed& probed,
		const capture::StatedSizes& stated, capture::OpRules rules) {
	rules.patch = capture::OpRules{}.patch;
	ProgramRunner runner(made);
	const decomposed::RunningScope nodes(runner.watch(), runner.views());
	capture::Session session([&](const std::vector<Leaf>& given) { return runner.run(given); }, leaves, rules);
	capture::Session before([&](const std::vector<Leaf>& given) { return old.run(given); }, leaves, rules);
	session.set_ops_alone(true);
	before.set_ops_alone(true);
	before.set_stated(stated);
	capture::StatedSizes stated_again = stated;
	stated_again.of = runner.stated();
	session.set_stated(stated_again);
	const auto runs_before = [&](const ProbePoint& point) {
		try {
		static_cast<void>(before.run(probed.plan, point));
		return true;
		} catch (const std::exception&) {
		return false;
		}
	};
	const std::size_t first = new_mutations(made, program);
	const auto difference_at = [&](const ProbePoint& point) -> std::string {
		if (!runs_before(point)) return {};
		const SymBindings sizes = probed.plan.bindings_at(point);
		if (algo::any_of(program.guards, [&](const Guard& guard) { return is_broken(guard, sizes); })) return {};
		Tree found;
		try {
		found = session.run(probed.plan, point).output;
		} catch (const Error& error) {
		return error.message();
		} catch (const c10::Error& error) {
		return error.what_without_backtrace();
		}
		for (std::size_t k = 0; k < program.graph.outputs().size(); ++k) {
		const auto* value = program.graph.outputs()[k].get_if<Value>();
		const Leaf& given = found.leaves.at(first + k);
		if (value == nullptr || !given.is_tensor() || !given.tensor().defined()) continue;
		const auto& wanted = program.graph.info(*value).tensor.sizes;
		for (std::size_t dim = 0; dim < wanted.size(); ++dim) {
		const bool known = algo::all_of(free_symbols(wanted[dim]),
		[&](const std::string& each) { return sizes.find(each) != nullptr; });
		if (known && evaluate(wanted[dim], sizes) != given.tensor().size(static_cast<std::int64_t>(dim)))
		return "output " + std::to_string(k) + " has another size";
		}
		}
		return {};
	};
	for (std::size_t i = 0; i < probed.plan.symbols.size(); ++i) {
		const std::string& symbol = probed.plan.symbols[i].name;
		const ValueRange* range = program.ranges.find(symbol);
		if (range == nullptr || is_unbacked_name(symbol)) continue;
		if (runner.checks().symbols().contains(symbol) || old.checks().symbols().contains(symbol))
		continue;
		auto point = probed.sample_point();
		const auto refusal_at = [&](std::int64_t size) {
		point[i] = size;
		const std::string what = difference_at(point);
		return what.empty() ? what : refusal_of(symbol, size, what);
		};
		const ErrorDetails way_out{.hint = "export with a range that leaves this size out"};
		const ValueRange& held = probed.plan.symbols[i].range;
		if (held.max < range->max)
		if (const std::string why = refusal_at(held.max + 1); !why.empty())
		throw Error(ErrorKind::unsupported, why, way_out);
		point[i] = std::max<std::int64_t>(range->min, 0);
		if (range->min < held.min)
		if (const std::string why = refusal_at(point[i]); !why.empty())
		throw SmallSizesDiffer(ErrorKind::unsupported, why, way_out);
		while (made.takes_small_sizes && range->min <= 2 && --point[i] >= 0)
		made.takes_small_sizes = difference_at(point).empty();
	}
}
[[nodiscard]] inline std::set<std::string> ops_of(const Graph& graph) {
	std::set<std::string> ops;
	for (const Node& node : graph.nodes()) ops.emplace(node.op());
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) ops.merge(ops_of(graph.subgraph({i})));
	return ops;
}
[[nodiscard]] inline ExportedProgram retrace_at(const ExportedProgram& program, capture::OpRules rules,
		bool all_sizes) {
	const bool pairs_numbers = rules.patch("complex::view_as_complex") != nullptr &&
		has_complex_values(program.graph) && !writes(program.graph);
	ProgramRunner runner(program, pairs_numbers ? rules.patch : nullptr);
	std::set<std::string> checked = runner.checks().symbols();
	checked.merge(guarded_symbols(program));
	OrdinarySizes sizes(program, runner.checks(), checked, all_sizes);
	sizes.stated().of = runner.stated();
	const OrdinaryInputs ordinary(program, sizes);
	decomposed::CopiesNeeded copies;
	const decomposed::RunningScope nodes(runner.watch(), runner.views(), &copies);
	const auto run = [&](const std::vector<Leaf>& leaves) {
		copies.begin_run();
		Tree made = runner.run(leaves);
		if (copies.has_learnt()) throw capture::StartAgain{};
		return made;
	};
	const auto running_module = [&] {
		const Node* node = runner.watch().node;
		return std::string(node == nullptr ? "" : node->module_path());
	};
	CapturedProgram captured =
		capture_program(run, ordinary.named(), runner.state(),
		{.shapes = ordinary.shapes(),
		.defers_checks = true,
		.ops_alone = true,
		.stated = &sizes.stated(),
		.known_sizes = known_sizes(program.graph)},
		rules, running_module);
	take_over_signature(captured.program, program);
	refuse_shared_writes(captured.program);
	runner.stop_pairing();
	check_other_sizes(captured.program, runner, program, ordinary.leaves(), captured.probed, sizes.stated(), rules);
	return std::move(captured.program);
}
[[nodiscard]] inline ExportedProgram retrace_once(const ExportedProgram& program, capture::OpRules rules) {
	try {
		return retrace_at(program, rules, /*all_sizes=*/false);
	} catch (const SmallSizesDiffer&) {
		return retrace_at(program, rules, /*all_sizes=*/true);
	}
}
FERRY_INLINE ExportedProgram retrace(const ExportedProgram& program, capture::OpRules rules) {
	const auto retraced = [&] {
		std::set<std::string> before = ops_of(program.graph);
		ExportedProgram made = retrace_once(settled(program), rules);
		for (;;) {
		std::set<std::string> now = ops_of(made.graph);
		const bool is_done = algo::none_of(
		now, [&](const std::string& op) { return !before.contains(op) && rules.patch(op) != nullptr; });
		if (is_done) return made;
		settle_checks(made);
		made = retrace_once(made, rules);
		before = std::move(now);
		}
	};
	return with_our_errors(retraced, [] { return nullptr; });
}
}
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
namespace ferry::capture {
class PlainScripts {
public:
	PlainScripts() { torch::jit::setGraphExecutorOptimize(false); }
	~PlainScripts() { torch::jit::setGraphExecutorOptimize(before_); }
	PlainScripts(const PlainScripts&) = delete;
	PlainScripts& operator=(const PlainScripts&) = delete;
private:
	bool before_ = torch::jit::getGraphExecutorOptimize();
};
}
namespace ferry::capture {
class WarnOnce final : c10::WarningHandler {
public:
	WarnOnce() = default;
	WarnOnce(const WarnOnce&) = delete;
	WarnOnce& operator=(const WarnOnce&) = delete;
private:
	void process(const c10::Warning& warning) override {
		if (said_.insert(warning.msg()).second) others_->process(warning);
	}
	std::set<std::string> said_;
	c10::WarningHandler* others_ = c10::WarningUtils::get_warning_handler();
	c10::WarningUtils::WarningHandlerGuard guard_{this};
};
}
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
namespace ferry {
namespace detail {
[[nodiscard]] inline at::Tensor random_like(const at::Tensor& sample, at::IntArrayRef sizes) {
	const auto options = sample.options().requires_grad(false);
	if (sample.scalar_type() == at::kBool) return at::randint(0, 2, sizes, at::TensorOptions(at::kLong)).to(at::kBool);
	if (sample.is_complex() || sample.numel() == 0)
		return at::randn(sizes, options.dtype(sample.is_complex() ? sample.scalar_type() : at::kFloat))
		.to(sample.scalar_type());
	if (!sample.is_floating_point()) {
		const auto least = sample.min().item<std::int64_t>(), most = sample.max().item<std::int64_t>();
		return at::randint(least, most + 1, sizes, options.dtype(at::kLong)).to(sample.scalar_type());
	}
	const at::Tensor wide = sample.detach().to(at::kDouble);
	const auto least = wide.min().item<double>(), most = wide.max().item<double>();
	if (!(most > least) || most - least > 1e30)
		return at::randn(sizes, options.dtype(at::kFloat)).to(sample.scalar_type());
	return at::rand(sizes, options.dtype(at::kDouble)).mul(most - least).add(least).to(sample.scalar_type());
}
[[nodiscard]] inline std::string difference(const Leaf& expected, const Leaf& found) {
	if (expected.is_absent() && found.is_absent()) return {};
	if (!expected.is_tensor() || !found.is_tensor()) return expected == found ? "" : "is another constant";
	const at::Tensor &a = expected.tensor(), &b = found.tensor();
	if (a.defined() != b.defined()) return "is defined in only one of them";
	if (!a.defined()) return {};
	const auto sizes = [](const at::Tensor& tensor) {
		std::string text = "[";
		for (const std::int64_t size : tensor.sizes())
		text.append(text.size() > 1 ? ", " : "").append(std::to_string(size));
		return text + "]";
	};
	if (a.sizes() != b.sizes()) return "has sizes " + sizes(b) + " instead of " + sizes(a);
	if (a.scalar_type() != b.scalar_type())
		return std::string("is of ") + c10::toString(b.scalar_type()) + " instead of " + c10::toString(a.scalar_type());
	if (a.numel() == 0) return {};
	if (!a.is_floating_point() && !a.is_complex()) return at::equal(a, b) ? "" : "has other values";
	const double relative = a.scalar_type() == at::kBFloat16 ? 2e-2
		: a.scalar_type() == at::kHalf   ? 2e-3
		: a.scalar_type() == at::kDouble ? 1e-9
		: 1e-5;
	const at::Tensor wide_a = a.is_complex() ? a : a.to(at::kDouble), wide_b = a.is_complex() ? b : b.to(at::kDouble);
	if (at::allclose(wide_a, wide_b, relative, relative, /*equal_nan=*/true)) return {};
	return "is off by up to " + std::to_string(wide_a.sub(wide_b).abs().max().item<double>());
}
[[nodiscard]] inline ProbePoint of_moderate_size(const capture::Probed& probed, ProbePoint point) {
	constexpr double most = 1 << 16;
	const ProbePoint sample = probed.sample_point();
	const auto elements = [&](const ProbePoint& at) {
		const SymBindings bindings = probed.plan.bindings_at(at);
		double largest = 0;
		for (const auto& sizes : probed.plan.sizes) {
		double product = 1;
		for (const SymExpr& size : sizes) product *= static_cast<double>(evaluate(size, bindings));
		largest = std::max(largest, product);
		}
		return largest;
	};
	const double limit = std::max(most, 4 * elements(sample));
	while (elements(point) > limit) {
		std::size_t furthest = 0;
		for (std::size_t i = 1; i < point.size(); ++i)
		if (point[i] - sample[i] > point[furthest] - sample[furthest]) furthest = i;
		if (point[furthest] <= sample[furthest]) break;
		point[furthest] -= (point[furthest] - sample[furthest] + 1) / 2;
	}
	return point;
}
[[nodiscard]] inline std::vector<Leaf> copies(const std::vector<Leaf>& leaves) {
	std::vector<Leaf> made = leaves;
	for (Leaf& leaf : made)
		if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().clone();
	return made;
}
inline void check_at(const ExportedProgram& program, const capture::RunModel& model, const ModelState& state,
		capture::Untouched& guard, const std::vector<Leaf>& leaves, const std::string& sizes) {
	const auto differs = [&](const std::string& what, const std::string& how) {
		throw Error(
		ErrorKind::unsupported, "the program does not do what the model does at " + sizes + ": " + what + " " + how,
		{.hint =
		"make the dimension static, or rewrite what depends on it; without `strict` this would have gone unseen",
		.where = {.stage = "strict"}});
	};
	const std::vector<Leaf> of_model = copies(leaves), of_program = copies(leaves);
	Tree expected;
	std::vector<at::Tensor> buffers;
	guard.seed(1);
	try {
		expected = model(of_model);
	} catch (const std::exception& error) {
		throw Error(
		ErrorKind::invalid_input,
		"the model itself fails at " + sizes + ", inside the ranges that the program allows: " + message_of(error),
		{.hint = "state the range of sizes that the model takes: Dim{\"name\", min, max}",
		.where = {.stage = "strict"}});
	}
	buffers.reserve(state.buffers.size());
	for (const auto& [name, buffer] : state.buffers) buffers.push_back(buffer.defined() ? buffer.clone() : buffer);
	guard.put_back();
	guard.seed(1);
	ProgramModule module = program.module();
	const std::vector<Leaf> found = module.run(of_program);
	const auto paths = expected.spec.leaf_paths();
	for (std::size_t i = 0; i < found.size(); ++i)
		if (const std::string how = difference(expected.leaves.at(i), found[i]); !how.empty())
		differs(paths[i].empty() ? "its output" : "output '" + paths[i] + "'", how);
	const auto inputs = program.in_spec.children().at(1).leaf_paths();
	for (std::size_t i = 0; i < leaves.size(); ++i)
		if (const std::string how = difference(of_model[i], of_program[i]); !how.empty())
		differs("input '" + inputs[i] + "', afterwards,", how);
	for (std::size_t i = 0; i < buffers.size(); ++i) {
		const std::string& name = state.buffers[i].first;
		if (!buffers[i].defined()) continue;
		const bool is_known =
		algo::any_of(program.signature.inputs, [&](const InputSpec& input) { return input.target == name; });
		if (!is_known) continue;
		if (const std::string how = difference(Leaf(buffers[i]), Leaf(module.tensor(name))); !how.empty())
		differs("buffer '" + name + "', afterwards,", how);
	}
}
}
inline void check_against_model(const ExportedProgram& program, const capture::RunModel& model, const ModelState& state,
		const capture::Probed& probed, const Progress& progress = {}) {
	constexpr std::size_t count = 4;
	for (const Leaf& leaf : program.example_inputs)
		if (leaf.is_tensor() && leaf.tensor().defined() && leaf.tensor().is_meta())
		throw Error(ErrorKind::invalid_input, "strict needs real inputs, these are on the meta device",
		{.where = {.stage = "strict"}});
	const c10::AutoGradMode no_gradients(false);
	std::vector<at::Tensor> tensors;
	for (const auto* named : {&state.parameters, &state.buffers})
		for (const auto& [name, tensor] : *named) tensors.push_back(tensor);
	capture::Untouched guard(tensors);
	std::vector<ProbePoint> points = more_probe_points(probed.plan.symbols, probed.points, count);
	if (points.empty())
		points.push_back(probed.points.at(0));
	guard.seed(20);
	std::size_t checked = 0;
	for (const ProbePoint& generic : points) {
		const ProbePoint point = detail::of_moderate_size(probed, generic);
		const SymBindings bindings = probed.plan.bindings_at(point);
		std::string sizes;
		for (std::size_t i = 0; i < probed.plan.symbols.size(); ++i) {
		const std::string& name = probed.plan.symbols[i].name;
		if (!is_unbacked_name(name))
		sizes.append(sizes.empty() ? "" : ", ").append(name).append(" = ").append(std::to_string(point[i]));
		}
		std::vector<Leaf> leaves = program.example_inputs;
		for (std::size_t i = 0; i < leaves.size(); ++i) {
		if (!leaves[i].is_tensor() || !leaves[i].tensor().defined()) continue;
		std::vector<std::int64_t> shape;
		for (const SymExpr& size : probed.plan.sizes[i]) shape.push_back(evaluate(size, bindings));
		leaves[i] = detail::random_like(leaves[i].tensor(), shape);
		}
		detail::check_at(program, model, state, guard, leaves, sizes.empty() ? "the sample's sizes" : sizes);
		report(progress, {.stage = "strict", .done = ++checked, .total = points.size()});
	}
}
}
namespace ferry {
namespace detail {
class ExportReport {
public:
	ExportReport() = default;
	ExportReport(const ExportReport&) = delete;
	ExportReport& operator=(const ExportReport&) = delete;
	~ExportReport() {
		if (const std::string sizes = watch_.find(); !sizes.empty())
		log(LogLevel::warning,
		"forward has left a tensor without data, of sizes " + sizes +
		", in a member that is not registered: name it in ferry::stateful_members<&Model::member>, and a "
		"capture puts it back");
	}
	[[nodiscard]] capture::LeftBehindWatch& watch() noexcept { return watch_; }
	static void say(const std::vector<std::string>& notes) {
		std::string all;
		for (const std::string& note : notes) all.append(all.empty() ? "" : "; ").append(note);
		if (!all.empty()) log(LogLevel::warning, "of the exported program: " + all);
	}
private:
	capture::LeftBehindWatch watch_;
};
}
FERRY_INLINE ExportedProgram export_program(const capture::RunModel& run, const Inputs& inputs, const ModelState& state,
		const DynamoConfig& config, capture::OpRules rules,
		std::function<std::string()> running_module) {
	detail::ExportReport report;
	const capture::WarnOnce warnings;
	const capture::PlainScripts scripts;
	CapturedProgram captured = capture_program(run, inputs, state,
		{.shapes = config.dynamic_shapes,
		.all_dynamic = config.dynamic,
		.defers_checks = config.prefer_deferred_runtime_asserts_over_guards,
		.watch = &report.watch(),
		.progress = config.progress},
		rules, std::move(running_module));
	if (config.strict) check_against_model(captured.program, run, state, captured.probed, config.progress);
	report.say(captured.program.notes);
	return std::move(captured.program);
}
}
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/conv_transpose1d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/conv_transpose3d.h>
#include <ATen/ops/convolution.h>
namespace ferry::patched {
[[nodiscard]] inline at::Tensor plain_convolution(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
		c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		bool transposed, c10::SymIntArrayRef output_padding,
		const c10::SymInt& groups) {
	const bool padded_after = algo::any_of(output_padding, [](const c10::SymInt& each) { return each != 0; });
	if (transposed) switch (weight.dim()) {
		case 3:
		return at::conv_transpose1d_symint(input, weight, bias, stride, padding, output_padding, groups,
		dilation);
		case 4:
		return at::conv_transpose2d_symint(input, weight, bias, stride, padding, output_padding, groups,
		dilation);
		case 5:
		return at::conv_transpose3d_symint(input, weight, bias, stride, padding, output_padding, groups,
		dilation);
		default: break;
		}
	else if (!padded_after)
		switch (weight.dim()) {
		case 3: return at::conv1d_symint(input, weight, bias, stride, padding, dilation, groups);
		case 4: return at::conv2d_symint(input, weight, bias, stride, padding, dilation, groups);
		case 5: return at::conv3d_symint(input, weight, bias, stride, padding, dilation, groups);
		default: break;
		}
	return at::convolution_symint(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
FERRY_INLINE at::Tensor traced_convolution::call(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
		c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
		bool transposed, c10::SymIntArrayRef output_padding,
		const c10::SymInt& groups, bool, bool, bool, bool) {
	return plain_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
FERRY_INLINE at::Tensor traced_convolution_deprecated::call(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
		c10::SymIntArrayRef dilation, bool transposed,
		c10::SymIntArrayRef output_padding,
		const c10::SymInt& groups, bool, bool, bool) {
	return plain_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
}
namespace ferry {
FERRY_INLINE Argument::Argument(const Argument&) = default;
FERRY_INLINE Argument::Argument(Argument&&) noexcept = default;
FERRY_INLINE Argument& Argument::operator=(const Argument&) = default;
FERRY_INLINE Argument& Argument::operator=(Argument&&) noexcept = default;
FERRY_INLINE Argument::~Argument() = default;
FERRY_INLINE bool Argument::equals(const Argument& other) const { return value_ == other.value_; }
}
#include <ATen/ops/empty_like.h>
#include <ATen/ops/softmax.h>
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor scaled_dot_product_attention::fake(const at::Tensor& query, const at::Tensor& key,
		const at::Tensor& value,
		const std::optional<at::Tensor>& mask, double, bool,
		std::optional<double>, bool grouped) {
	TORCH_CHECK(query.dim() >= 2 && query.dim() == key.dim() && key.dim() == value.dim(),
		"scaled_dot_product_attention: query, key and value have ", query.dim(), ", ", key.dim(), " and ",
		value.dim(), " dimensions");
	TORCH_CHECK(query.size(-1) == key.size(-1),
		"scaled_dot_product_attention: query and key differ in their last dimension: ", query.sizes(), " and ",
		key.sizes());
	TORCH_CHECK(key.size(-2) == value.size(-2),
		"scaled_dot_product_attention: key and value differ in length: ", key.sizes(), " and ", value.sizes());
	std::vector<std::int64_t> sizes = query.sizes().vec();
	const auto fit = [&](const at::Tensor& other, const char* name) {
		for (std::int64_t d = 0; d < query.dim() - 2; ++d) {
		std::int64_t& size = sizes[static_cast<std::size_t>(d)];
		const bool heads = grouped && d == query.dim() - 3;
		TORCH_CHECK(heads ? other.size(d) > 0 && size % other.size(d) == 0
		: size == other.size(d) || other.size(d) == 1 || size == 1,
		"scaled_dot_product_attention: dimension ", d, " of query and ", name,
		" do not fit: ", query.sizes(), " and ", other.sizes());
		if (!heads) size = std::max(size, other.size(d));
		}
	};
	fit(key, "key");
	fit(value, "value");
	if (mask && mask->defined()) {
		sizes.back() = key.size(-2);
		bool fits = mask->dim() <= query.dim();
		for (std::int64_t d = 1; fits && d <= mask->dim(); ++d)
		fits = mask->size(-d) == 1 || mask->size(-d) == sizes[sizes.size() - static_cast<std::size_t>(d)];
		TORCH_CHECK(fits, "scaled_dot_product_attention: a mask of ", mask->sizes(), " does not fit query ",
		query.sizes(), " and key ", key.sizes());
	}
	sizes.back() = value.size(-1);
	return at::empty(sizes, query.options());
}
FERRY_INLINE at::Tensor encoder_layer::fake(const at::Tensor& src, std::int64_t width, std::int64_t heads,
		const at::Tensor& qkv, const at::Tensor&, const at::Tensor&,
		const at::Tensor&, bool, bool, double, const at::Tensor&, const at::Tensor&,
		const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
		const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
		std::optional<std::int64_t>) {
	TORCH_CHECK(src.dim() == 3 && src.size(2) == width && qkv.size(0) == 3 * width && heads > 0 && width % heads == 0,
		"transformer encoder layer: ", heads, " heads and a width of ", width, " for an input of ",
		src.sizes());
	return at::empty(src.sizes(), src.options());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> multi_head_attention::fake(
	const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, std::int64_t width, std::int64_t heads,
	const at::Tensor& qkv, const at::Tensor&, const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
	bool need_weights, bool average, std::optional<std::int64_t>) {
	TORCH_CHECK(query.dim() == 3 && key.dim() == 3 && value.sizes() == key.sizes() && query.size(2) == width &&
		key.size(2) == width && query.size(0) == key.size(0) && qkv.size(0) == 3 * width && heads > 0 &&
		width % heads == 0,
		"multi-head attention: ", heads, " heads and a width of ", width, " for ", query.sizes(), ", ",
		key.sizes(), " and ", value.sizes());
	std::vector<std::int64_t> weights{query.size(0), query.size(1), key.size(1)};
	if (!average) weights.insert(weights.begin() + 1, heads);
	return {at::empty(query.sizes(), query.options()),
		need_weights ? at::empty(weights, query.options()) : at::Tensor()};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> flash_attention_for_cpu::fake(const at::Tensor& query,
		const at::Tensor& key,
		const at::Tensor& value, double, bool,
		const std::optional<at::Tensor>&,
		std::optional<double>) {
	TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && value.sizes() == key.sizes() && query.size(3) == key.size(3) &&
		query.size(0) == key.size(0) && query.size(1) == key.size(1),
		"flash attention: ", query.sizes(), ", ", key.sizes(), " and ", value.sizes());
	const std::int64_t batch = query.size(0), heads = query.size(1), length = query.size(2);
	const auto sums = query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
	return {at::empty_like(query), at::empty({batch, length, heads}, query.options().dtype(sums)).transpose(1, 2)};
}
FERRY_INLINE at::Tensor masked_softmax::fake(const at::Tensor& self, const at::Tensor&, std::optional<std::int64_t>,
		std::optional<std::int64_t>) {
	return at::empty_like(self, at::MemoryFormat::Contiguous);
}
FERRY_INLINE at::Tensor safe_softmax::fake(const at::Tensor& self, std::int64_t dim,
		std::optional<at::ScalarType> dtype) {
	return at::softmax(self, dim, dtype);
}
}
namespace ferry::fake_ops {
struct ConvolutionShape {
	const at::Tensor& input;
	const at::Tensor& weight;
	const std::optional<at::Tensor>& bias;
	c10::SymIntArrayRef stride;
	c10::SymIntArrayRef dilation;
	std::int64_t groups;
	[[nodiscard]] static std::int64_t item(c10::SymIntArrayRef list, std::int64_t dim) {
		return list[list.size() == 1 ? 0 : static_cast<std::size_t>(dim)].expect_int();
	}
	template <class Size>
	[[nodiscard]] at::Tensor output(bool transposed, Size&& size) const {
		const std::int64_t spatial = weight.dim() - 2;
		const bool batched = input.dim() == weight.dim();
		TORCH_CHECK(batched || input.dim() == weight.dim() - 1, "convolution: an input of ", input.dim(),
		" dimensions for a weight of ", weight.dim());
		TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "convolution: an input of ", input.scalar_type(),
		" for a weight of ", weight.scalar_type());
		const std::int64_t channels = input.size(batched ? 1 : 0);
		const std::int64_t taken = transposed ? weight.size(0) : weight.size(1) * groups;
		TORCH_CHECK(channels == taken, "convolution: an input of ", channels, " channels for a weight that takes ",
		taken);
		const std::int64_t made = transposed ? weight.size(1) * groups : weight.size(0);
		TORCH_CHECK(!bias || !bias->defined() || (bias->dim() == 1 && bias->size(0) == made),
		"convolution: a bias that is no vector of ", made);
		std::vector<std::int64_t> sizes;
		if (batched) sizes.push_back(input.size(0));
		sizes.push_back(made);
		for (std::int64_t d = 0; d < spatial; ++d) {
		const std::int64_t out = size(d, input.size(d - spatial), item(dilation, d) * (weight.size(d + 2) - 1) + 1);
		TORCH_CHECK(out > 0, "convolution: an input of ", input.sizes(), " is too small for a kernel of ",
		weight.sizes());
		sizes.push_back(out);
		}
		return at::empty(sizes, input.options(),
		batched && spatial > 1 ? input.suggest_memory_format() : at::MemoryFormat::Contiguous);
	}
	[[nodiscard]] at::Tensor forward(c10::SymIntArrayRef padding) const {
		return output(false, [&](std::int64_t d, std::int64_t in, std::int64_t kernel) {
		const std::int64_t room = in + 2 * item(padding, d) - kernel;
		return room < 0 ? 0 : room / item(stride, d) + 1;
		});
	}
	[[nodiscard]] at::Tensor transposed(c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding) const {
		return output(true, [&](std::int64_t d, std::int64_t in, std::int64_t kernel) {
		return (in - 1) * item(stride, d) - 2 * item(padding, d) + kernel + item(output_padding, d);
		});
	}
};
FERRY_INLINE at::Tensor conv::fake(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
		c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation, std::int64_t groups) {
	return ConvolutionShape{input, weight, bias, stride, dilation, groups}.forward(padding);
}
FERRY_INLINE at::Tensor conv_padding::fake(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
		std::string_view padding, c10::SymIntArrayRef dilation,
		std::int64_t groups) {
	const ConvolutionShape shape{input, weight, bias, stride, dilation, groups};
	const bool same = padding == "same";
	TORCH_CHECK(same || padding == "valid", "convolution: padding is neither same nor valid but ", padding);
	return shape.output(false, [&](std::int64_t d, std::int64_t in, std::int64_t kernel) {
		TORCH_CHECK(!same || ConvolutionShape::item(stride, d) == 1,
		"convolution: padding='same' goes with a stride of 1 only");
		return same ? in : in < kernel ? 0 : (in - kernel) / ConvolutionShape::item(stride, d) + 1;
	});
}
FERRY_INLINE at::Tensor conv_transpose::fake(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
		c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding,
		std::int64_t groups, c10::SymIntArrayRef dilation) {
	return ConvolutionShape{input, weight, bias, stride, dilation, groups}.transposed(padding, output_padding);
}
FERRY_INLINE at::Tensor convolution::fake(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias, c10::SymIntArrayRef stride,
		c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation, bool transposed,
		c10::SymIntArrayRef output_padding, std::int64_t groups) {
	const ConvolutionShape shape{input, weight, bias, stride, dilation, groups};
	return transposed ? shape.transposed(padding, output_padding) : shape.forward(padding);
}
FERRY_INLINE at::Tensor convolution_with_settings::fake(const at::Tensor& input, const at::Tensor& weight,
		const std::optional<at::Tensor>& bias,
		c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
		c10::SymIntArrayRef dilation, bool transposed,
		c10::SymIntArrayRef output_padding, const c10::SymInt& groups,
		bool, bool, bool, bool) {
	return convolution::fake(input, weight, bias, stride, padding, dilation, transposed, output_padding,
		groups.expect_int());
}
}
namespace ferry::fake_ops {
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> extreme_so_far::fake(const at::Tensor& self, std::int64_t dim) {
	if (self.dim() > 0) static_cast<void>(self.size(dim));
	return {at::empty(self.sizes(), self.options()), at::empty(self.sizes(), self.options().dtype(at::kLong))};
}
FERRY_INLINE at::Tensor logcumsumexp::fake(const at::Tensor& self, std::int64_t) {
	return at::empty(self.sizes(), self.options());
}
}
namespace ferry::fake_ops {
[[nodiscard]] inline std::vector<std::int64_t> broadcast(c10::IntArrayRef a, c10::IntArrayRef b) {
	const c10::IntArrayRef& shorter = a.size() < b.size() ? a : b;
	std::vector<std::int64_t> sizes = (a.size() < b.size() ? b : a).vec();
	for (std::size_t i = 1; i <= shorter.size(); ++i) {
		std::int64_t& size = sizes[sizes.size() - i];
		const std::int64_t other = shorter[shorter.size() - i];
		TORCH_CHECK(size == other || size == 1 || other == 1, "sizes ", a, " and ", b, " do not broadcast");
		if (size == 1) size = other;
	}
	return sizes;
}
}
namespace ferry::fake_ops {
using capture::size_source;
[[nodiscard]] inline at::Tensor indices_of_size(const at::Tensor& like, at::IntArrayRef sizes) {
	return at::empty(sizes, like.options().dtype(at::kLong));
}
FERRY_INLINE at::Tensor nonzero::fake(const at::Tensor& self) {
	const std::int64_t count = size_source().count(self);
	return at::empty_strided({count, self.dim()}, {1, std::max<std::int64_t>(count, 1)},
		self.options().dtype(at::kLong));
}
FERRY_INLINE at::Tensor nonzero_static::fake(const at::Tensor& self, const c10::SymInt& size, std::int64_t) {
	return indices_of_size(self, {size.expect_int(), self.dim()});
}
FERRY_INLINE at::Tensor masked_select::fake(const at::Tensor& self, const at::Tensor& mask) {
	TORCH_CHECK(mask.scalar_type() == at::kBool, "masked_select: the mask is of type ", mask.scalar_type(),
		" instead of bool");
	const bool whole = broadcast(self.sizes(), mask.sizes()) == mask.sizes();
	return at::empty({whole ? size_source().count(mask) : size_source().fresh(ValueRange::at_least(0))},
		self.options());
}
FERRY_INLINE bool index::is_mask(const at::Tensor& tensor) {
	return tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte;
}
FERRY_INLINE at::Tensor index::fake(const at::Tensor& self, const c10::List<std::optional<at::Tensor>>& indices) {
	std::vector<std::int64_t> others;
	std::vector<at::Tensor> masks;
	for (std::size_t i = 0; i < indices.size(); ++i) {
		const std::optional<at::Tensor> each = indices.get(i);
		if (!each || !each->defined()) continue;
		if (is_mask(*each))
		masks.push_back(*each);
		else
		others = broadcast(others, each->sizes());
	}
	if (masks.empty()) return at::index(self, indices);
	const bool known = !others.empty() && others.back() != 1;
	const std::int64_t count = known               ? others.back()
		: masks.size() == 1 ? size_source().count(masks[0])
		: size_source().fresh(ValueRange::at_least(0));
	c10::List<std::optional<at::Tensor>> plain;
	std::int64_t dim = 0;
	for (std::size_t i = 0; i < indices.size(); ++i) {
		const std::optional<at::Tensor> each = indices.get(i);
		if (!each || !each->defined() || !is_mask(*each)) {
		plain.push_back(each);
		++dim;
		continue;
		}
		TORCH_CHECK_INDEX(dim + each->dim() <= self.dim(), "too many indices for a tensor of ", self.dim(),
		" dimensions");
		for (std::int64_t d = 0; d < each->dim(); ++d, ++dim) {
		TORCH_CHECK_INDEX(each->size(d) == self.size(dim), "a mask of sizes ", each->sizes(),
		" does not fit dimension ", dim, " of a tensor of sizes ", self.sizes());
		plain.push_back(indices_of_size(self, {count}));
		}
	}
	return at::index(self, plain);
}
FERRY_INLINE at::Tensor repeat_interleave::fake(const at::Tensor& repeats, std::optional<c10::SymInt> output_size) {
	TORCH_CHECK(repeats.dim() == 1, "repeat_interleave: repeats has ", repeats.dim(), " dimensions instead of one");
	const std::int64_t size =
		output_size ? output_size->guard_int(__FILE__, __LINE__) : size_source().fresh(ValueRange::at_least(0));
	return at::empty({size}, repeats.options());
}
FERRY_INLINE at::Tensor bincount::fake(const at::Tensor& self, const std::optional<at::Tensor>& weights,
		std::int64_t least) {
	const std::int64_t minimum = std::max<std::int64_t>(least, 0);
	const bool weighted = weights && weights->defined();
	const auto dtype = !weighted ? at::kLong : weights->scalar_type() == at::kFloat ? at::kFloat : at::kDouble;
	return at::empty({size_source().fresh(ValueRange::at_least(minimum))}, self.options().dtype(dtype));
}
FERRY_INLINE at::Tensor one_hot::fake(const at::Tensor& self, std::int64_t classes) {
	std::vector<std::int64_t> sizes = self.sizes().vec();
	sizes.push_back(classes >= 0 ? classes : size_source().fresh(ValueRange::at_least(1)));
	return at::empty(sizes, self.options());
}
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor, at::Tensor> flat_unique(const at::Tensor& self, bool inverse,
		bool counts) {
	const std::int64_t size = size_source().fresh(ValueRange::at_least(0));
	return {at::empty({size}, self.options()),
		inverse ? indices_of_size(self, self.sizes()) : indices_of_size(self, {0}),
		indices_of_size(self, {counts ? size : 0})};
}
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_along(const at::Tensor& self,
		std::int64_t dim) {
	std::vector<std::int64_t> sizes = self.sizes().vec();
	std::int64_t& along = sizes.at(static_cast<std::size_t>(c10::maybe_wrap_dim(dim, self.dim())));
	const std::int64_t before = std::exchange(along, size_source().fresh(ValueRange::at_least(0)));
	return {at::empty(sizes, self.options()), indices_of_size(self, {before}), indices_of_size(self, {along})};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_flat::fake(const at::Tensor& self, bool,
		bool inverse, bool counts) {
	return flat_unique(self, inverse, counts);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> unique_pair::fake(const at::Tensor& self, bool, bool inverse) {
	auto [values, places, counts] = flat_unique(self, inverse, false);
	return {values, places};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_dim::fake(const at::Tensor& self, std::int64_t dim,
		bool, bool, bool) {
	return unique_along(self, dim);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_dim_consecutive::fake(const at::Tensor& self,
		std::int64_t dim, bool, bool) {
	return unique_along(self, dim);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_consecutive::fake(const at::Tensor& self,
		bool inverse, bool counts,
		std::optional<std::int64_t> dim) {
	return dim ? unique_along(self, *dim) : flat_unique(self, inverse, counts);
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor cdist::fake(const at::Tensor& x1, const at::Tensor& x2, double, std::optional<std::int64_t>) {
	TORCH_CHECK(x1.dim() >= 2 && x2.dim() >= 2 && x1.size(-1) == x2.size(-1), "cdist: rows of ", x1.sizes(), " and ",
		x2.sizes());
	TORCH_CHECK(x1.is_floating_point() && x2.is_floating_point(), "cdist: rows of ", x1.scalar_type(), " and ",
		x2.scalar_type());
	const auto batch = [](const at::Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 2); };
	std::vector<std::int64_t> sizes = broadcast(batch(x1), batch(x2));
	sizes.push_back(x1.size(-2));
	sizes.push_back(x2.size(-2));
	return at::empty(sizes, x1.options());
}
FERRY_INLINE at::Tensor pdist::fake(const at::Tensor& self, double) {
	TORCH_CHECK(self.dim() == 2, "pdist: a matrix is expected, not ", self.sizes());
	const std::int64_t rows = self.size(0);
	return at::empty({rows <= 1 ? 0 : rows * (rows - 1) / 2}, self.options());
}
}
namespace ferry::fake_ops {
[[nodiscard]] inline at::Tensor made(at::IntArrayRef sizes, std::optional<at::ScalarType> dtype) {
	return at::empty(sizes, at::TensorOptions().device(at::kMeta).dtype(dtype.value_or(at::kLong)));
}
[[nodiscard]] constexpr std::int64_t elements_below(std::int64_t rows, std::int64_t columns, std::int64_t diagonal) {
	const std::int64_t first = std::clamp<std::int64_t>(-diagonal, 0, rows);                
	const std::int64_t full = std::clamp<std::int64_t>(columns - diagonal - 1, first, rows);
	const std::int64_t shortest = first + diagonal + 1, longest = full + diagonal;
	return (full - first) * (shortest + longest) / 2 + (rows - full) * columns;
}
FERRY_INLINE at::Tensor tril_indices::fake(std::int64_t row, std::int64_t col, std::int64_t offset,
		std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
		std::optional<at::Device>, std::optional<bool>) {
	TORCH_CHECK(row >= 0 && col >= 0, "tril_indices: a matrix of ", row, " by ", col);
	return made({2, elements_below(row, col, offset)}, dtype);
}
FERRY_INLINE at::Tensor triu_indices::fake(std::int64_t row, std::int64_t col, std::int64_t offset,
		std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
		std::optional<at::Device>, std::optional<bool>) {
	TORCH_CHECK(row >= 0 && col >= 0, "triu_indices: a matrix of ", row, " by ", col);
	return made({2, row * col - elements_below(row, col, offset - 1)}, dtype);
}
FERRY_INLINE at::Tensor randperm::fake(const c10::SymInt& n, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
	return made({n.expect_int()}, dtype);
}
static_assert(elements_below(3, 3, 0) == 6 && elements_below(4, 2, 1) == 8 && elements_below(2, 5, -1) == 1);
}
namespace ferry::fake_ops {
[[nodiscard]] inline std::vector<std::int64_t> resized(const at::Tensor& self, std::int64_t dim, std::int64_t size) {
	std::vector<std::int64_t> sizes = self.sizes().vec();
	sizes.at(static_cast<std::size_t>(c10::maybe_wrap_dim(dim, self.dim()))) = size;
	return sizes;
}
FERRY_INLINE at::Tensor fft_c2c::fake(const at::Tensor& self, c10::SymIntArrayRef, std::int64_t, bool) {
	TORCH_CHECK(self.is_complex(), "fft: complex numbers are expected, not ", self.scalar_type());
	return at::empty(self.sizes(), self.options());
}
FERRY_INLINE at::Tensor fft_r2c::fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t, bool onesided) {
	TORCH_CHECK(self.is_floating_point(), "fft: real numbers are expected, not ", self.scalar_type());
	const std::int64_t size = self.size(dim.back());
	return at::empty(resized(self, dim.back(), onesided ? size / 2 + 1 : size),
		self.options().dtype(c10::toComplexType(self.scalar_type())));
}
FERRY_INLINE at::Tensor fft_c2r::fake(const at::Tensor& self, at::IntArrayRef dim, std::int64_t,
		const c10::SymInt& size) {
	TORCH_CHECK(self.is_complex(), "fft: complex numbers are expected, not ", self.scalar_type());
	return at::empty(resized(self, dim.back(), size.expect_int()),
		self.options().dtype(c10::toRealValueType(self.scalar_type())));
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor grouped_mm::fake(const at::Tensor& self, const at::Tensor& other,
		const std::optional<at::Tensor>& ends, const std::optional<at::Tensor>&,
		std::optional<at::ScalarType> out) {
	TORCH_CHECK((self.dim() == 2 || self.dim() == 3) && (other.dim() == 2 || other.dim() == 3),
		"_grouped_mm: matrices or batches of them are expected, not ", self.sizes(), " and ", other.sizes());
	TORCH_CHECK(self.size(-1) == other.size(-2), "_grouped_mm: ", self.sizes(), " does not go with ", other.sizes());
	const bool by_rows = self.dim() == 2, by_columns = other.dim() == 2;
	const bool has_ends = ends && ends->defined();
	TORCH_CHECK(has_ends == (by_rows || by_columns),
		"_grouped_mm: where groups end is needed unless both sides are batches");
	const std::int64_t groups = by_rows && by_columns ? ends->size(0) : by_rows ? other.size(0) : self.size(0);
	TORCH_CHECK(!has_ends || ends->size(0) == groups, "_grouped_mm: ", ends->size(0), " ends for ", groups, " groups");
	TORCH_CHECK(by_rows || by_columns || other.size(0) == groups, "_grouped_mm: ", groups, " and ", other.size(0),
		" groups");
	std::vector<std::int64_t> sizes{self.size(-2), other.size(-1)};
	if (by_rows == by_columns) sizes.insert(sizes.begin(), groups);
	return at::empty(sizes, self.options().dtype(out.value_or(self.scalar_type())));
}
}
namespace ferry::fake_ops {
[[nodiscard]] inline at::Tensor by_columns(std::vector<std::int64_t> sizes, const at::TensorOptions& options) {
	std::swap(sizes.end()[-1], sizes.end()[-2]);
	return at::empty(sizes, options).transpose(-2, -1);
}
inline void require_square(const char* op, const at::Tensor& matrix) {
	TORCH_CHECK(matrix.dim() >= 2 && matrix.size(-1) == matrix.size(-2), op, ": square matrices are expected, not ",
		matrix.sizes());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> eig::fake(const at::Tensor& self) {
	require_square("linalg_eig", self);
	const auto options = self.options().dtype(c10::toComplexType(self.scalar_type()));
	return {at::empty(self.sizes().slice(0, self.sizes().size() - 1), options),
		by_columns(self.sizes().vec(), options)};
}
FERRY_INLINE at::Tensor eigvals::fake(const at::Tensor& self) { return std::get<0>(eig::fake(self)); }
FERRY_INLINE at::Tensor solve_triangular::fake(const at::Tensor& self, const at::Tensor& right, bool, bool left, bool) {
	require_square("linalg_solve_triangular", self);
	TORCH_CHECK(right.dim() >= 2 && right.size(left ? -2 : -1) == self.size(-1),
		"linalg_solve_triangular: ", self.sizes(), " does not go with ", right.sizes());
	const auto batch = [](const at::Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 2); };
	std::vector<std::int64_t> sizes = broadcast(batch(self), batch(right));
	sizes.push_back(right.size(-2));
	sizes.push_back(right.size(-1));
	return by_columns(std::move(sizes), right.options());
}
FERRY_INLINE at::Tensor cholesky_solve::fake(const at::Tensor& self, const at::Tensor&, bool) {
	return by_columns(self.sizes().vec(), self.options());
}
FERRY_INLINE at::Tensor cholesky::fake(const at::Tensor& self, bool) {
	require_square("cholesky", self);
	return by_columns(self.sizes().vec(), self.options());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> geqrf::fake(const at::Tensor& self) {
	TORCH_CHECK(self.dim() >= 2, "geqrf: matrices are expected, not ", self.sizes());
	std::vector<std::int64_t> factors(self.sizes().begin(), self.sizes().end() - 1);
	factors.back() = std::min(self.size(-2), self.size(-1));
	return {by_columns(self.sizes().vec(), self.options()), at::empty(factors, self.options())};
}
FERRY_INLINE at::Tensor householder_product::fake(const at::Tensor& self, const at::Tensor& tau) {
	TORCH_CHECK(self.dim() >= 2 && self.size(-2) >= self.size(-1) && self.size(-1) >= tau.size(-1),
		"linalg_householder_product: ", self.sizes(), " and ", tau.sizes());
	return by_columns(self.sizes().vec(), self.options());
}
FERRY_INLINE at::Tensor matrix_exp::fake(const at::Tensor& self) {
	require_square("linalg_matrix_exp", self);
	return at::empty(self.sizes(), self.options());
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor index_select::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index) {
	TORCH_CHECK(index.dim() <= 1, "index_select: the index has ", index.dim(), " dimensions instead of one");
	std::vector<std::int64_t> sizes = self.sizes().vec();
	if (!sizes.empty()) sizes.at(static_cast<std::size_t>(c10::maybe_wrap_dim(dim, self.dim()))) = index.numel();
	return at::empty(sizes, self.options());
}
FERRY_INLINE at::Tensor embedding::fake(const at::Tensor& weight, const at::Tensor& indices, std::int64_t, bool, bool) {
	TORCH_CHECK(weight.dim() == 2, "embedding: the weight has ", weight.dim(), " dimensions instead of two");
	TORCH_CHECK(indices.scalar_type() == at::kLong || indices.scalar_type() == at::kInt, "embedding: indices of type ",
		indices.scalar_type());
	std::vector<std::int64_t> sizes = indices.sizes().vec();
	sizes.push_back(weight.size(1));
	return at::empty(sizes, weight.options());
}
FERRY_INLINE at::Tensor take::fake(const at::Tensor& self, const at::Tensor& index) {
	TORCH_CHECK(index.scalar_type() == at::kLong, "take: an index of type ", index.scalar_type());
	TORCH_CHECK_INDEX(self.numel() > 0 || index.numel() == 0, "take: nothing to take from");
	return at::empty(index.sizes(), self.options());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> embedding_bag::fake(
	const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool, std::int64_t mode, bool,
	const std::optional<at::Tensor>& weights, bool include_last_offset, std::int64_t padding_idx) {
	TORCH_CHECK(weight.dim() == 2 && indices.dim() == 1 && offsets.dim() == 1, "embedding_bag: a weight of ",
		weight.sizes(), ", indices of ", indices.sizes(), ", offsets of ", offsets.sizes());
	const std::int64_t bags = offsets.size(0) - (include_last_offset ? 1 : 0);
	TORCH_CHECK(bags >= 0, "embedding_bag: no last offset");
	constexpr std::int64_t sum = 0, max = 2;
	const auto is_fast_type = weight.scalar_type() == at::kFloat || weight.scalar_type() == at::kHalf ||
		weight.scalar_type() == at::kBFloat16;
	const bool is_fast = is_fast_type && weight.stride(1) == 1 && padding_idx < 0 &&
		(!weights || !weights->defined() || weights->stride(0) == 1);
	const auto counts = offsets.options();
	const at::Tensor bag_of_index = at::empty({mode == sum && is_fast ? 0 : indices.size(0)}, counts);
	return {at::empty({bags, weight.size(1)}, weight.options()), bag_of_index, at::empty({bags}, counts),
		mode == max ? at::empty({bags, weight.size(1)}, counts) : at::empty({bags}, counts)};
}
}
#include <ATen/ops/sub.h>
namespace ferry::fake_ops {
inline constexpr std::int64_t no_reduction = 0;
[[nodiscard]] inline at::Tensor reduced(const at::Tensor& loss, std::int64_t reduction) {
	return reduction == no_reduction ? loss : at::empty({}, loss.options());
}
FERRY_INLINE at::Tensor huber_loss::fake(const at::Tensor& self, const at::Tensor& other, std::int64_t reduction,
		double) {
	return reduced(at::sub(self, other), reduction);
}
FERRY_INLINE at::Tensor binary_cross_entropy::fake(const at::Tensor& self, const at::Tensor&,
		const std::optional<at::Tensor>&, std::int64_t reduction) {
	return reduced(at::empty_like(self), reduction);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> nll_loss2d::fake(const at::Tensor& self, const at::Tensor& classes,
		const std::optional<at::Tensor>&,
		std::int64_t reduction, const c10::SymInt&) {
	TORCH_CHECK(self.dim() == 4 && classes.dim() == 3 && self.size(0) == classes.size(0) &&
		self.sizes().slice(2) == classes.sizes().slice(1),
		"nll_loss2d: classes of ", classes.sizes(), " for an input of ", self.sizes());
	return {reduced(at::empty(classes.sizes(), self.options()), reduction), at::empty({}, self.options())};
}
}
namespace ferry::fake_ops {
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> batch_norm_functional::fake(
	const at::Tensor& input, const std::optional<at::Tensor>&, const std::optional<at::Tensor>&, const at::Tensor& mean,
	const at::Tensor& variance, bool training, double, double) {
	TORCH_CHECK(input.dim() >= 2 && input.size(1) == mean.size(0), "batch_norm: ", mean.size(0),
		" running means for an input of ", input.sizes());
	const auto saved = at::empty({training ? input.size(1) : 0}, mean.options());
	return {at::empty_like(input), saved, at::empty_like(saved), at::empty_like(mean), at::empty_like(variance)};
}
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_normed(
	const at::Tensor& input, std::initializer_list<const std::optional<at::Tensor>*> by_channel, bool training) {
	TORCH_CHECK(input.dim() >= 2, "batch_norm: an input of ", input.dim(), " dimensions");
	const std::int64_t channels = input.size(1);
	auto of_channels = input.options();
	for (const auto* each : by_channel)
		if (*each && (*each)->defined()) {
		TORCH_CHECK((*each)->numel() == channels, "batch_norm: ", (*each)->numel(), " numbers for ", channels,
		" channels");
		of_channels = (*each)->options();
		}
	const auto saved = at::empty({training ? channels : 0}, of_channels);
	return {at::empty_like(input, at::MemoryFormat(input.suggest_memory_format())), saved, at::empty_like(saved)};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> native_batch_norm::fake(
	const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
	const std::optional<at::Tensor>& mean, const std::optional<at::Tensor>& variance, bool training, double, double) {
	return batch_normed(input, {&weight, &bias, &mean, &variance}, training);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_norm_of_inference::fake(
	const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
	const at::Tensor& mean, const at::Tensor& variance, double, double) {
	const std::optional<at::Tensor> given_mean = mean, given_variance = variance;
	return batch_normed(input, {&weight, &bias, &given_mean, &given_variance}, /*training=*/false);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_norm_without_statistics::fake(
	const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
	bool training, double, double) {
	return batch_normed(input, {&weight, &bias}, training);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> group_norm::fake(
	const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>&,
	std::int64_t batch, std::int64_t channels, std::int64_t, std::int64_t groups, double) {
	TORCH_CHECK(groups > 0 && channels % groups == 0, "group_norm: ", channels, " channels in ", groups, " groups");
	const auto options = weight && weight->defined() ? weight->options() : input.options();
	return {at::empty_like(input, at::MemoryFormat::Contiguous), at::empty({batch, groups}, options),
		at::empty({batch, groups}, options)};
}
FERRY_INLINE at::Tensor weight_norm::fake(const at::Tensor& v, const at::Tensor&, std::int64_t) {
	return at::empty_like(v, at::MemoryFormat::Contiguous);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> weight_norm_kernel::fake(const at::Tensor& v, const at::Tensor& g,
		std::int64_t) {
	return {at::empty_like(v, at::MemoryFormat::Contiguous), at::empty_like(g)};
}
}
#include <ATen/ops/add.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sigmoid.h>
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor like_self::fake(const at::Tensor& self) { return at::empty_like(self); }
FERRY_INLINE at::Tensor hardtanh::fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&) {
	return at::empty_like(self);
}
FERRY_INLINE at::Tensor logit::fake(const at::Tensor& self, std::optional<double>) { return at::sigmoid(self); }
FERRY_INLINE at::Tensor nan_to_num::fake(const at::Tensor& self, std::optional<double>, std::optional<double>,
		std::optional<double>) {
	return at::empty_like(self);
}
FERRY_INLINE at::Tensor test::fake(const at::Tensor& self) { return at::ne(self, 0); }
FERRY_INLINE at::Tensor logical::fake(const at::Tensor& self, const at::Tensor& other) { return at::ne(self, other); }
FERRY_INLINE at::Tensor shift::fake(const at::Tensor& self, const at::Tensor& other) { return at::add(self, other); }
FERRY_INLINE at::Tensor shift_by_number::fake(const at::Tensor& self, const at::Scalar& other) {
	return at::add(self, other);
}
FERRY_INLINE at::Tensor sum_with_factor::fake(const at::Tensor& self, const at::Tensor& other,
		const at::Scalar& alpha) {
	return at::add(self, other, alpha);
}
FERRY_INLINE at::Tensor remainder_of_number::fake(const at::Scalar& self, const at::Tensor& other) {
	return at::remainder(other, self);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> mantissa_and_exponent::fake(const at::Tensor& self) {
	return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kInt))};
}
FERRY_INLINE at::Tensor magnitude::fake(const at::Tensor& self) {
	return at::empty_like(self, self.options().dtype(c10::toRealValueType(self.scalar_type())));
}
FERRY_INLINE at::Tensor angle::fake(const at::Tensor& self) {
	return self.is_complex() ? magnitude::fake(self) : at::sigmoid(self);
}
FERRY_INLINE at::Tensor complex::fake(const at::Tensor& first, const at::Tensor& second) {
	TORCH_CHECK(first.scalar_type() == second.scalar_type(), "complex: parts of type ", first.scalar_type(), " and ",
		second.scalar_type());
	const at::Tensor both = at::add(first, second);
	return at::empty_like(both, both.options().dtype(c10::toComplexType(both.scalar_type())));
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> log_sigmoid_forward::fake(const at::Tensor& self) {
	return {at::empty_like(self), at::empty_like(self)};
}
FERRY_INLINE at::Tensor floor_divide::fake(const at::Tensor& self, const at::Tensor& other) {
	return at::remainder(self, other);
}
FERRY_INLINE at::Tensor where::fake(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other) {
	return at::add(at::add(self, other), at::ne(condition, 0));
}
FERRY_INLINE at::Tensor prelu_kernel::fake(const at::Tensor& self, const at::Tensor& weight) {
	return at::add(self, weight);
}
}
namespace ferry::fake_ops {
[[nodiscard]] inline at::Tensor unpooled(const at::Tensor& self, const at::Tensor& indices, c10::SymIntArrayRef size,
		std::size_t spatial) {
	TORCH_CHECK(size.size() == spatial, "max_unpool: ", spatial, " output sizes are expected, not ", size.size());
	TORCH_CHECK(self.sizes() == indices.sizes(), "max_unpool: values of ", self.sizes(), " and indices of ",
		indices.sizes());
	TORCH_CHECK(indices.scalar_type() == at::kLong, "max_unpool: indices of type ", indices.scalar_type());
	std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - static_cast<std::ptrdiff_t>(spatial));
	for (const c10::SymInt& each : size) sizes.push_back(each.expect_int());
	return at::empty(sizes, self.options());
}
FERRY_INLINE at::Tensor max_unpool2d::fake(const at::Tensor& self, const at::Tensor& indices,
		c10::SymIntArrayRef output_size) {
	return unpooled(self, indices, output_size, 2);
}
FERRY_INLINE at::Tensor max_unpool3d::fake(const at::Tensor& self, const at::Tensor& indices,
		c10::SymIntArrayRef output_size, at::IntArrayRef, at::IntArrayRef) {
	return unpooled(self, indices, output_size, 3);
}
FERRY_INLINE at::Tensor adaptive_avg_pool::fake(const at::Tensor& self, c10::SymIntArrayRef output_size) {
	const auto spatial = static_cast<std::ptrdiff_t>(output_size.size());
	const bool batched = self.dim() == spatial + 2;
	TORCH_CHECK(batched || self.dim() == spatial + 1, "adaptive_avg_pool: an input of ", self.dim(), " dimensions for ",
		spatial, " output sizes");
	for (std::int64_t d = 1; d <= spatial; ++d)
		TORCH_CHECK(self.size(-d) > 0, "adaptive_avg_pool: an input of sizes ", self.sizes());
	std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - spatial);
	for (const c10::SymInt& each : output_size) sizes.push_back(each.expect_int());
	return at::empty(sizes, self.options(), batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> max_pool3d::fake(const at::Tensor& self, at::IntArrayRef kernel,
		at::IntArrayRef stride, at::IntArrayRef padding,
		at::IntArrayRef dilation, bool ceil_mode) {
	const bool batched = self.dim() == 5;
	TORCH_CHECK(batched || self.dim() == 4, "max_pool3d: an input of ", self.dim(), " dimensions");
	std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 3);
	for (std::size_t i = 0; i < 3; ++i) {
		const auto of = [&](at::IntArrayRef list) { return list[list.size() == 1 ? 0 : i]; };
		const std::int64_t in = self.size(static_cast<std::int64_t>(i) - 3), before = of(padding);
		const std::int64_t step = of(stride.empty() ? kernel : stride);
		TORCH_CHECK(step > 0 && of(kernel) > 0 && of(dilation) > 0, "max_pool3d: a kernel of ", kernel, ", strides of ",
		stride, ", dilations of ", dilation);
		TORCH_CHECK(before >= 0 && before <= (of(dilation) * (of(kernel) - 1) + 1) / 2, "max_pool3d: a padding of ",
		before, " for a kernel of ", of(kernel));
		const std::int64_t room = in + 2 * before - of(dilation) * (of(kernel) - 1) - 1;
		std::int64_t out = room < 0 && !ceil_mode ? 0 : (room + (ceil_mode ? step - 1 : 0)) / step + 1;
		if (ceil_mode && (out - 1) * step >= in + before) --out;
		TORCH_CHECK(in > 0 && out > 0, "max_pool3d: an input of ", self.sizes(), " is too small for a kernel of ",
		kernel);
		sizes.push_back(out);
	}
	const auto format = batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous;
	return {at::empty(sizes, self.options(), format), at::empty(sizes, self.options().dtype(at::kLong), format)};
}
}
#include <ATen/ops/narrow.h>
#include <ATen/ops/select.h>
#include <ATen/ops/select_scatter.h>
#include <ATen/ops/slice_scatter.h>
namespace ferry::fake_ops {
[[nodiscard]] inline std::int64_t possible_position(const at::Tensor& self, std::int64_t dim, std::int64_t position,
		std::int64_t length) {
	if (!capture::size_source().has_told_values() || dim < -self.dim() || dim >= self.dim()) return position;
	const std::int64_t size = self.size(dim);
	if (length < 0 || length > size) return position;
	const bool is_there = position >= -size && (position < 0 ? position + size : position) <= size - length;
	if (is_there) return position;
	const std::int64_t places = size - length + 1;
	return (position % places + places) % places;
}
FERRY_INLINE at::Tensor narrow::fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& start,
		const c10::SymInt& length) {
	const std::int64_t size = length.expect_int();
	return at::narrow(self, dim, possible_position(self, dim, start.expect_int(), size), size);
}
FERRY_INLINE at::Tensor select::fake(const at::Tensor& self, std::int64_t dim, const c10::SymInt& index) {
	return at::select(self, dim, possible_position(self, dim, index.expect_int(), 1));
}
FERRY_INLINE at::Tensor select_scatter::fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
		const c10::SymInt& index) {
	return at::select_scatter(self, source, dim, possible_position(self, dim, index.expect_int(), 1));
}
FERRY_INLINE at::Tensor slice_scatter::fake(const at::Tensor& self, const at::Tensor& source, std::int64_t dim,
		const std::optional<c10::SymInt>& start,
		const std::optional<c10::SymInt>& end, const c10::SymInt& step) {
	std::optional<std::int64_t> from, to;
	if (start) from = start->expect_int();
	if (end) to = end->expect_int();
	std::int64_t length = 0;
	if (from && to && *from <= *to && !__builtin_sub_overflow(*to, *from, &length) && length <= self.size(dim) &&
		step.expect_int() == 1) {
		const std::int64_t possible = possible_position(self, dim, *from, length);
		if (possible != *from) to = possible + length;
		from = possible;
	}
	return at::slice_scatter(self, source, dim, from, to, step.expect_int());
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor dot::fake(const at::Tensor& self, const at::Tensor& other) {
	TORCH_CHECK(self.dim() == 1 && self.sizes() == other.sizes() && self.scalar_type() == other.scalar_type(),
		"dot: ", self.scalar_type(), " ", self.sizes(), " and ", other.scalar_type(), " ", other.sizes());
	return at::empty({}, self.options());
}
FERRY_INLINE at::Tensor addbmm::fake(const at::Tensor&, const at::Tensor& left, const at::Tensor& right,
		const at::Scalar&, const at::Scalar&) {
	TORCH_CHECK(left.dim() == 3 && right.dim() == 3 && left.size(0) == right.size(0) && left.size(2) == right.size(1),
		"addbmm: ", left.sizes(), " does not go with ", right.sizes());
	return at::empty({left.size(1), right.size(2)}, left.options());
}
FERRY_INLINE at::Tensor int_mm::fake(const at::Tensor& self, const at::Tensor& other) {
	TORCH_CHECK(self.dim() == 2 && other.dim() == 2 && self.size(1) == other.size(0), "_int_mm: ", self.sizes(),
		" does not go with ", other.sizes());
	return at::empty({self.size(0), other.size(1)}, self.options().dtype(at::kInt));
}
FERRY_INLINE at::Tensor int8_weight_mm::fake(const at::Tensor& self, const at::Tensor& weight, const at::Tensor&) {
	TORCH_CHECK(self.dim() == 2 && weight.dim() == 2 && self.size(1) == weight.size(1),
		"_weight_int8pack_mm: ", self.sizes(), " does not go with ", weight.sizes());
	return at::empty({self.size(0), weight.size(0)}, self.options());
}
}
namespace ferry::fake_ops {
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> rounded(const at::Tensor& self) {
	return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kBool))};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> fake_quantize::fake(const at::Tensor& self, double, std::int64_t,
		std::int64_t, std::int64_t) {
	return rounded(self);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> fake_quantize_by_channel::fake(const at::Tensor& self,
		const at::Tensor& scale,
		const at::Tensor&, std::int64_t axis,
		std::int64_t, std::int64_t) {
	TORCH_CHECK(scale.dim() == 1 && scale.size(0) == self.size(axis), "fake_quantize: scales of ", scale.sizes(),
		" along dimension ", axis, " of ", self.sizes());
	return rounded(self);
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor multinomial::fake(const at::Tensor& self, std::int64_t samples, bool replacement,
		const std::optional<at::Generator>&) {
	TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "multinomial: one or two dimensions are expected, not ",
		self.dim());
	TORCH_CHECK(replacement || samples <= self.size(-1), "multinomial: ", samples, " samples without replacement from ",
		self.size(-1));
	std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
	sizes.push_back(samples);
	return at::empty(sizes, self.options().dtype(at::kLong));
}
FERRY_INLINE at::Tensor sample::fake(const at::Tensor& self, const std::optional<at::Generator>&) {
	return at::empty(self.sizes(), self.options());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> dropout_with_mask::fake(const at::Tensor& input, double,
		std::optional<bool>) {
	return {at::empty_like(input), at::empty_like(input, input.options().dtype(at::kBool))};
}
FERRY_INLINE at::Tensor rrelu::fake(const at::Tensor& self, const at::Scalar&, const at::Scalar&, bool,
		const std::optional<at::Generator>&) {
	return at::empty(self.sizes(), self.options());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> rrelu_with_noise::fake(const at::Tensor& self, const at::Tensor& noise,
		const at::Scalar&, const at::Scalar&, bool,
		const std::optional<at::Generator>&) {
	return {at::empty(self.sizes(), self.options()), at::empty_like(noise)};
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor flip::fake(const at::Tensor& self, at::IntArrayRef dims) {
	for (const std::int64_t dim : dims) static_cast<void>(self.size(dim));
	return at::empty_like(self);
}
FERRY_INLINE at::Tensor roll::fake(const at::Tensor& self, c10::SymIntArrayRef shifts, at::IntArrayRef dims) {
	TORCH_CHECK(shifts.size() == dims.size() || (dims.empty() && shifts.size() == 1), "roll: ", shifts.size(),
		" shifts for ", dims.size(), " dimensions");
	for (const std::int64_t dim : dims) static_cast<void>(self.size(dim));
	return at::empty(self.sizes(), self.options());
}
[[nodiscard]] inline std::int64_t blocks(at::IntArrayRef size, at::IntArrayRef kernel, at::IntArrayRef dilation,
		at::IntArrayRef padding, at::IntArrayRef stride) {
	std::int64_t count = 1;
	for (std::size_t i = 0; i < 2; ++i) {
		const auto of = [&](at::IntArrayRef list) { return list[list.size() == 1 ? 0 : i]; };
		const std::int64_t room = size[i] + 2 * of(padding) - of(dilation) * (of(kernel) - 1) - 1;
		TORCH_CHECK(room >= 0, "a kernel of ", kernel, " is larger than ", size, " with its padding");
		count *= room / of(stride) + 1;
	}
	return count;
}
FERRY_INLINE at::Tensor im2col::fake(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
		at::IntArrayRef padding, at::IntArrayRef stride) {
	TORCH_CHECK(self.dim() == 3 || self.dim() == 4, "im2col: an input of ", self.dim(), " dimensions");
	std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 2);
	sizes.back() *= kernel[0] * kernel[kernel.size() - 1];
	sizes.push_back(blocks(self.sizes().slice(self.sizes().size() - 2), kernel, dilation, padding, stride));
	return at::empty(sizes, self.options());
}
FERRY_INLINE at::Tensor col2im::fake(const at::Tensor& self, c10::SymIntArrayRef output_size, at::IntArrayRef kernel,
		at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride) {
	TORCH_CHECK(self.dim() == 2 || self.dim() == 3, "col2im: an input of ", self.dim(), " dimensions");
	std::vector<std::int64_t> image;
	for (const c10::SymInt& each : output_size) image.push_back(each.expect_int());
	const std::int64_t area = kernel[0] * kernel[kernel.size() - 1];
	TORCH_CHECK(image.size() == 2 && area > 0 && self.size(-2) % area == 0 &&
		self.size(-1) == blocks(image, kernel, dilation, padding, stride),
		"col2im: an input of ", self.sizes(), " does not make an image of ", image);
	std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
	sizes.back() /= area;
	sizes.insert(sizes.end(), image.begin(), image.end());
	return at::empty(sizes, self.options());
}
FERRY_INLINE at::Tensor reflection_pad2d::fake(const at::Tensor& self, c10::SymIntArrayRef padding) {
	TORCH_CHECK(padding.size() == 4, "reflection_pad2d: ", padding.size(), " paddings instead of 4");
	const bool batched = self.dim() == 4;
	TORCH_CHECK(batched || self.dim() == 3, "reflection_pad2d: an input of ", self.dim(), " dimensions");
	std::vector<std::int64_t> sizes = self.sizes().vec();
	for (std::size_t d = batched ? 1 : 0; d < sizes.size(); ++d)
		TORCH_CHECK(sizes[d] > 0, "reflection_pad2d: an input of sizes ", self.sizes());
	for (std::size_t i = 0; i < 2; ++i) {
		std::int64_t& size = sizes[sizes.size() - 1 - i];
		const std::int64_t before = padding[2 * i].expect_int(), after = padding[2 * i + 1].expect_int();
		TORCH_CHECK(before < size && after < size, "reflection_pad2d: a padding of ", before, " and ", after,
		" is not less than the size ", size);
		size += before + after;
	}
	TORCH_CHECK(sizes.back() >= 1 && sizes[sizes.size() - 2] >= 1, "reflection_pad2d: nothing is left of ",
		self.sizes());
	return at::empty(sizes, self.options(), batched ? self.suggest_memory_format() : at::MemoryFormat::Contiguous);
}
FERRY_INLINE at::Tensor grid_sampler::fake(const at::Tensor& input, const at::Tensor& grid, std::int64_t, std::int64_t,
		bool) {
	const std::int64_t spatial = input.dim() - 2;
	TORCH_CHECK(grid.dim() == input.dim() && grid.size(0) == input.size(0) && grid.size(-1) == spatial &&
		input.scalar_type() == grid.scalar_type(),
		"grid_sampler: a grid of ", grid.sizes(), " for an input of ", input.sizes());
	for (std::int64_t d = 2; d < input.dim(); ++d)
		TORCH_CHECK(input.size(d) > 0, "grid_sampler: an input of ", input.sizes());
	std::vector<std::int64_t> sizes{input.size(0), input.size(1)};
	for (std::int64_t d = 1; d <= spatial; ++d) sizes.push_back(grid.size(d));
	return at::empty(sizes, input.options());
}
FERRY_INLINE at::Tensor bucketize::fake(const at::Tensor& self, const at::Tensor& boundaries, bool as_int, bool) {
	TORCH_CHECK(boundaries.dim() == 1, "bucketize: boundaries of ", boundaries.dim(), " dimensions");
	return at::empty(self.sizes(), self.options().dtype(as_int ? at::kInt : at::kLong));
}
FERRY_INLINE at::Tensor bucketize_number::fake(const at::Scalar&, const at::Tensor& boundaries, bool as_int, bool) {
	TORCH_CHECK(boundaries.dim() == 1, "bucketize: boundaries of ", boundaries.dim(), " dimensions");
	return at::empty({}, boundaries.options().dtype(as_int ? at::kInt : at::kLong));
}
FERRY_INLINE at::Tensor searchsorted::fake(const at::Tensor& sorted, const at::Tensor& self, bool as_int, bool,
		std::optional<std::string_view>, const std::optional<at::Tensor>&) {
	const bool fits = sorted.dim() == 1 || (sorted.dim() == self.dim() && sorted.sizes().slice(0, sorted.dim() - 1) ==
		self.sizes().slice(0, self.dim() - 1));
	TORCH_CHECK(fits, "searchsorted: sequences of ", sorted.sizes(), " and values of ", self.sizes());
	return at::empty(self.sizes(), self.options().dtype(as_int ? at::kInt : at::kLong));
}
FERRY_INLINE at::Tensor searchsorted_number::fake(const at::Tensor& sorted, const at::Scalar&, bool as_int, bool,
		std::optional<std::string_view>, const std::optional<at::Tensor>&) {
	TORCH_CHECK(sorted.dim() == 1, "searchsorted: one number in sequences of ", sorted.sizes());
	return at::empty({}, sorted.options().dtype(as_int ? at::kInt : at::kLong));
}
FERRY_INLINE at::Tensor channel_shuffle::fake(const at::Tensor& self, const c10::SymInt& groups) {
	TORCH_CHECK(self.dim() > 2 && groups.expect_int() > 0 && self.size(1) % groups.expect_int() == 0,
		"channel_shuffle: ", groups.expect_int(), " groups of an input of ", self.sizes());
	return at::empty(self.sizes(), self.options(), self.suggest_memory_format());
}
}
namespace ferry::fake_ops {
namespace detail {
[[nodiscard]] inline at::Tensor recurrent_output(const at::Tensor& input, const at::Tensor& state,
		at::TensorList weights, std::int64_t layers, bool bidirectional,
		bool batch_first) {
	const std::int64_t directions = bidirectional ? 2 : 1;
	TORCH_CHECK(input.dim() == 3 && state.dim() == 3, "recurrent layer: input ", input.sizes(), " and state ",
		state.sizes(), ", where both have three dimensions");
	TORCH_CHECK(state.size(0) == layers * directions, "recurrent layer: a state of ", state.sizes(), " for ", layers,
		" layers and ", directions, " directions");
	const std::int64_t batch = input.size(batch_first ? 0 : 1), steps = input.size(batch_first ? 1 : 0);
	TORCH_CHECK(state.size(1) == batch, "recurrent layer: a batch of ", batch, " and a state of ", state.sizes());
	TORCH_CHECK(steps > 0, "recurrent layer: expected a sequence of at least one step");
	TORCH_CHECK(!weights.empty() && weights[0].dim() == 2 && weights[0].size(1) == input.size(2),
		"recurrent layer: its weights do not fit an input of ", input.sizes());
	const at::Tensor output = at::empty({steps, batch, directions * state.size(2)}, input.options());
	return batch_first ? output.transpose(0, 1) : output;
}
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm::fake(const at::Tensor& input, at::TensorList state,
		at::TensorList weights, bool,
		std::int64_t layers, double, bool,
		bool bidirectional, bool batch_first) {
	TORCH_CHECK(state.size() == 2, "lstm: ", state.size(), " states, where a hidden and a cell state are expected");
	return {detail::recurrent_output(input, state[0], weights, layers, bidirectional, batch_first),
		at::empty(state[0].sizes(), input.options()), at::empty(state[1].sizes(), input.options())};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> recurrent::fake(const at::Tensor& input, const at::Tensor& state,
		at::TensorList weights, bool, std::int64_t layers,
		double, bool, bool bidirectional, bool batch_first) {
	return {detail::recurrent_output(input, state, weights, layers, bidirectional, batch_first),
		at::empty(state.sizes(), input.options())};
}
}
namespace ferry::fake_ops {
FERRY_INLINE at::Tensor extreme::fake(const at::Tensor& self) {
	TORCH_CHECK(self.numel() > 0, "max or min of a tensor without elements");
	return at::empty({}, self.options());
}
FERRY_INLINE at::Tensor median::fake(const at::Tensor& self) { return at::empty({}, self.options()); }
FERRY_INLINE at::Tensor prod::fake(const at::Tensor& self, std::optional<at::ScalarType> dtype) {
	return at::sum(self, dtype);
}
FERRY_INLINE at::Tensor nansum::fake(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
		std::optional<at::ScalarType> dtype) {
	return at::sum(self, dim, keepdim, dtype);
}
FERRY_INLINE at::Tensor trace::fake(const at::Tensor& self) {
	TORCH_CHECK(self.dim() == 2, "trace: a matrix is expected, not ", self.sizes());
	return at::sum(self);
}
FERRY_INLINE at::Tensor histc::fake(const at::Tensor& self, std::int64_t bins, const at::Scalar&, const at::Scalar&) {
	TORCH_CHECK(bins > 0, "histc: ", bins, " bins");
	return at::empty({bins}, self.options());
}
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> picked(const at::Tensor& self, std::int64_t dim, bool keepdim) {
	const at::Tensor shape = at::sum(self, dim, keepdim, self.scalar_type());
	return {at::empty(shape.sizes(), self.options()), at::empty(shape.sizes(), self.options().dtype(at::kLong))};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> pick::fake(const at::Tensor& self, std::int64_t dim, bool keepdim) {
	TORCH_CHECK(self.numel() > 0, "median or mode of a tensor without elements");
	return picked(self, dim, keepdim);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> kthvalue::fake(const at::Tensor& self, const c10::SymInt& k,
		std::int64_t dim, bool keepdim) {
	TORCH_CHECK(self.dim() == 0 || (k.expect_int() >= 1 && k.expect_int() <= self.size(dim)), "kthvalue: no ",
		k.expect_int(), "th among ", self.sizes());
	return picked(self, dim, keepdim);
}
FERRY_INLINE at::Tensor count_nonzero::fake(const at::Tensor& self, at::IntArrayRef dim) {
	return at::sum(self, dim, false, at::kLong);
}
[[nodiscard]] inline at::Tensor spread(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim) {
	const at::Tensor mean = at::mean(self, dim, keepdim);
	return at::empty(mean.sizes(), mean.options().dtype(c10::toRealValueType(mean.scalar_type())));
}
FERRY_INLINE at::Tensor variance::fake(const at::Tensor& self, at::OptionalIntArrayRef dim,
		const std::optional<at::Scalar>&, bool keepdim) {
	return spread(self, dim, keepdim);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> variance_and_mean::fake(const at::Tensor& self,
		at::OptionalIntArrayRef dim,
		const std::optional<at::Scalar>&,
		bool keepdim) {
	return {spread(self, dim, keepdim), at::mean(self, dim, keepdim)};
}
}
namespace ferry::fake_ops {
[[nodiscard]] inline at::Tensor with_slices_written(std::string_view op, const at::Tensor& self, std::int64_t dim,
		const at::Tensor& index, const at::Tensor& source) {
	TORCH_CHECK(index.dim() <= 1, op, ": the index has ", index.dim(), " dimensions instead of one");
	TORCH_CHECK(index.scalar_type() == at::kLong || index.scalar_type() == at::kInt, op, ": an index of type ",
		index.scalar_type());
	TORCH_CHECK(self.scalar_type() == source.scalar_type(), op, ": self is of type ", self.scalar_type(),
		", source of ", source.scalar_type());
	if (self.dim() > 0 && source.dim() > 0) {
		TORCH_CHECK(self.dim() == source.dim(), op, ": self has ", self.dim(), " dimensions, source has ",
		source.dim());
		const std::int64_t along = c10::maybe_wrap_dim(dim, self.dim());
		for (std::int64_t d = 0; d < self.dim(); ++d)
		TORCH_CHECK(source.size(d) == (d == along ? index.numel() : self.size(d)), op, ": a source of sizes ",
		source.sizes(), " and an index of ", index.numel(), " do not fit self of sizes ", self.sizes());
	}
	return at::empty(self.sizes(), self.options());
}
FERRY_INLINE at::Tensor index_add::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, const at::Scalar&) {
	return with_slices_written("index_add", self, dim, index, source);
}
FERRY_INLINE at::Tensor index_copy::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source) {
	return with_slices_written("index_copy", self, dim, index, source);
}
FERRY_INLINE at::Tensor index_reduce::fake(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, std::string_view, bool) {
	return with_slices_written("index_reduce", self, dim, index, source);
}
}
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/mm.h>
namespace ferry::transformers_library {
FERRY_INLINE at::Tensor grouped_mm_fallback::call(const at::Tensor& input, const at::Tensor& weight,
		const at::Tensor& offs) {
	TORCH_CHECK(input.dim() == 2 && weight.dim() == 3 && offs.dim() == 1 && offs.size(0) == weight.size(0),
		"transformers::grouped_mm_fallback takes (rows, in), (groups, in, out) and (groups), got ",
		input.sizes(), ", ", weight.sizes(), " and ", offs.sizes());
	const at::Tensor ends = offs.to(at::kCPU, at::kLong).contiguous();
	std::vector<at::Tensor> parts;
	parts.reserve(static_cast<std::size_t>(weight.size(0)) + 1);
	std::int64_t start = 0;
	for (std::int64_t group = 0; group < weight.size(0); ++group) {
		const std::int64_t end = ends.const_data_ptr<std::int64_t>()[group];
		TORCH_CHECK(start <= end && end <= input.size(0), "transformers::grouped_mm_fallback: group ", group,
		" ends at row ", end, ", which is not between ", start, " and ", input.size(0));
		if (start == end) continue;
		parts.push_back(at::mm(input.slice(0, start, end), weight.select(0, group)));
		start = end;
	}
	parts.push_back(input.new_zeros({input.size(0) - start, weight.size(2)}));
	return at::cat(parts);
}
FERRY_INLINE at::Tensor grouped_mm_fallback::decompose(const at::Tensor& input, const at::Tensor& weight,
		const at::Tensor& offs) {
	const std::int64_t groups = weight.size(0);
	const at::Tensor ends = offs.to(at::kLong);
	const at::Tensor starts = at::constant_pad_nd(ends.slice(0, 0, groups - 1), {1, 0});
	const at::Tensor rows = at::arange(input.size(0), ends.options()).unsqueeze(0);
	const at::Tensor is_own = at::bitwise_and(rows >= starts.unsqueeze(1), rows < ends.unsqueeze(1));
	const at::Tensor products = at::bmm(input.unsqueeze(0).expand({groups, -1, -1}), weight);
	return at::where(is_own.unsqueeze(2), products, 0).sum(0);
}
}
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
namespace ferry::files {
[[noreturn]] inline void refused(const std::filesystem::path& path, const std::string& what, int error) {
	throw Error(ErrorKind::io, what + ": " + std::generic_category().message(error),
		{.where = {.path = path.string()}});
}
class MappedFile {
public:
	[[nodiscard]] static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path) {
		return std::shared_ptr<const MappedFile>(new MappedFile(path));
	}
	MappedFile(const MappedFile&) = delete;
	MappedFile& operator=(const MappedFile&) = delete;
	~MappedFile() {
		if (size_ != 0) ::munmap(data_, size_);
	}
	[[nodiscard]] std::span<std::byte> bytes() const noexcept { return {static_cast<std::byte*>(data_), size_}; }
	[[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
private:
	explicit MappedFile(const std::filesystem::path& path) : path_(path) {
		const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
		if (file < 0) refused(path, "the file cannot be opened", errno);
		struct stat status{};
		int error = ::fstat(file, &status) == 0 ? 0 : errno;
		if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
		if (error == 0 && status.st_size > 0) {
		void* data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_NORESERVE, file, 0);
		if (data == MAP_FAILED) {
		error = errno;
		} else {
		data_ = data;
		size_ = static_cast<std::size_t>(status.st_size);
		}
		}
		::close(file);
		if (error != 0) refused(path, "the file cannot be read", error);
	}
	std::filesystem::path path_;
	void* data_ = nullptr;
	std::size_t size_ = 0;
};
}
namespace ferry::files {
class OutputFile {
public:
	explicit OutputFile(const std::filesystem::path& path) : target_(resolved(path)) {
		static std::atomic<unsigned> count{0};
		for (int attempt = 0; file_ < 0; ++attempt) {
		beside_ = target_;
		beside_ += ".part-" + std::to_string(::getpid()) + '-' + std::to_string(count++);
		file_ = ::open(beside_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file_ < 0 && (errno != EEXIST || attempt == 100)) refused(path, "the file cannot be written", errno);
		}
	}
	OutputFile(const OutputFile&) = delete;
	OutputFile& operator=(const OutputFile&) = delete;
	~OutputFile() {
		if (file_ < 0) return;
		::close(file_);
		::unlink(beside_.c_str());
	}
	void write(std::span<const std::byte> bytes) {
		put(bytes, size_);
		size_ += bytes.size();
	}
	void patch(std::uint64_t place, std::span<const std::byte> bytes) { put(bytes, place); }
	[[nodiscard]] std::uint64_t size() const noexcept { return size_; }
	void commit() {
		if (::close(std::exchange(file_, -1)) != 0) abandon("the file cannot be written");
		if (std::rename(beside_.c_str(), target_.c_str()) != 0) abandon("the finished file cannot be put in its place");
	}
private:
	[[nodiscard]] static std::filesystem::path resolved(const std::filesystem::path& path) {
		std::error_code error;
		const auto status = std::filesystem::status(path, error);
		if (!std::filesystem::exists(status)) return path;
		if (!std::filesystem::is_regular_file(status))
		refused(path, "only a regular file can be replaced",
		std::filesystem::is_directory(status) ? EISDIR : EINVAL);
		return std::filesystem::is_symlink(path, error) ? std::filesystem::canonical(path, error) : path;
	}
	void put(std::span<const std::byte> bytes, std::uint64_t place) const {
		constexpr std::size_t most = std::size_t{1} << 30;
		while (!bytes.empty()) {
		const auto written = ::pwrite(file_, bytes.data(), std::min(bytes.size(), most), static_cast<off_t>(place));
		if (written < 0 && errno == EINTR) continue;
		if (written <= 0) refused(target_, "the file cannot be written", written < 0 ? errno : ENOSPC);
		bytes = bytes.subspan(static_cast<std::size_t>(written));
		place += static_cast<std::uint64_t>(written);
		}
	}
	[[noreturn]] void abandon(const char* what) const {
		const int error = errno;
		::unlink(beside_.c_str());
		refused(target_, what, error);
	}
	std::filesystem::path target_;
	std::filesystem::path beside_;
	int file_ = -1;
	std::uint64_t size_ = 0;
};
class OutputBytes {
public:
	void write(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
	void patch(std::uint64_t place, std::span<const std::byte> bytes) {
		std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(place));
	}
	[[nodiscard]] std::uint64_t size() const noexcept { return bytes_.size(); }
	[[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
private:
	std::vector<std::byte> bytes_;
};
}
namespace ferry {
class MissingOps {
public:
	template <class IsKnown, class Remark>
	void look_through(const Graph& graph, const IsKnown& is_known, const Remark& remark) {
		for (const Node& node : graph.nodes()) {
		if (is_known(graph, node)) continue;
		Uses& uses = ops_[std::string(node.op())];
		if (uses.remark.empty()) uses.remark = remark(graph, node);
		++uses.count;
		uses.paths.emplace(node.module_path().empty() ? "<root>" : node.module_path());
		}
		for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) look_through(graph.subgraph({i}), is_known, remark);
	}
	template <class IsKnown>
	void look_through(const Graph& graph, const IsKnown& is_known) {
		look_through(graph, is_known, [](const Graph&, const Node&) { return std::string(); });
	}
	[[nodiscard]] bool empty() const noexcept { return ops_.empty(); }
	template <class Condition>
	[[nodiscard]] bool all_of(Condition&& condition) const {
		for (const auto& [op, uses] : ops_)
		if (!condition(std::string_view(op))) return false;
		return true;
	}
	[[noreturn]] void refuse(const std::string& lack, const ErrorDetails& details) const {
		std::string message = ops_.size() == 1 ? "an op has " : std::to_string(ops_.size()) + " ops have ";
		message.append(lack).append(":");
		for (const auto& [op, uses] : ops_) {
		message.append("\n    ").append(op).append(uses.remark).append(", ").append(std::to_string(uses.count));
		message.append(uses.count == 1 ? " call in " : " calls in ");
		std::size_t shown = 0;
		for (const std::string& path : uses.paths) {
		if (shown == most_paths) {
		message.append(" and ").append(std::to_string(uses.paths.size() - shown)).append(" more");
		break;
		}
		message.append(shown++ == 0 ? "" : ", ").append(path);
		}
		}
		throw Error(ErrorKind::unsupported, message, details);
	}
private:
	static constexpr std::size_t most_paths = 8;
	struct Uses {
		std::size_t count = 0;
		std::string remark;
		std::set<std::string> paths;
	};
	std::map<std::string, Uses> ops_;
};
}
namespace ferry {
namespace detail {
[[nodiscard]] inline std::string functional_form(std::string_view op) {
	const auto in_place = find_op(op);
	const std::size_t dot = op.find('.'), end = dot == op.npos ? op.size() : dot;
	if (!in_place || end < 2 || op[end - 1] != '_' || op[end - 2] == '_') return {};
	std::string form = std::string(op.substr(0, end - 1)).append(op.substr(end));
	const auto found = find_op(form);
	if (!found || found->schema().is_mutable() || found->schema().returns().size() != 1) return {};
	const auto &given = in_place->schema().arguments(), &taken = found->schema().arguments();
	if (given.size() != taken.size()) return {};
	for (std::size_t i = 0; i < given.size(); ++i) {
		const bool is_written = given[i].alias_info() != nullptr && given[i].alias_info()->isWrite();
		if (given[i].name() != taken[i].name() || is_written != (i == 0)) return {};
	}
	return form;
}
class FunctionalWrites {
public:
	explicit FunctionalWrites(Graph& graph) : graph_(graph) {}
	void run() {
		if (!any_in_place()) return;
		close_memory_that_others_see();
		std::vector<Node*> replaced;
		for (Node& node : graph_.nodes()) {
		rename_arguments(node);
		const std::string& form = op_of(node).form;
		const Value self = form.empty() ? Value() : first_value(node);
		if (!self || closed_[group_of_[self.index]]) continue;
		const ValueInfo like = graph_.info(node.output(0) ? node.output(0) : self);
		const Value written = graph_.new_value(like.name, {.name = {}, .kind = like.kind, .tensor = like.tensor});
		std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
		Node& made = graph_.insert_before(&node, form, std::move(arguments), {Output{{written}}});
		made.set_module_path(node.module_path());
		group_of_.push_back(group_of_[self.index]);
		now_.insert_or_assign(group_of_.back(), written);
		replaced.push_back(&node);
		}
		std::vector<Argument> outputs = graph_.outputs();
		for (Argument& output : outputs) rename(output);
		graph_.set_outputs(std::move(outputs));
		while (!replaced.empty()) {
		graph_.erase(*replaced.back());
		replaced.pop_back();
		}
	}
private:
	struct Op {
		std::string form{};        
		bool keeps_writes = false; 
	};
	[[nodiscard]] const Op& op_of(const Node& node) {
		const auto [found, is_new] = ops_.try_emplace(node.op().data());
		if (is_new) {
		const auto op = find_op(node.op());
		found->second.form = functional_form(node.op());
		found->second.keeps_writes = !op || (op->schema().is_mutable() && found->second.form.empty());
		}
		return found->second;
	}
	[[nodiscard]] bool any_in_place() {
		for (const Node& node : graph_.nodes())
		if (!op_of(node).form.empty()) return true;
		return false;
	}
	[[nodiscard]] static Value first_value(const Node& node) {
		const auto* value = node.arguments().empty() ? nullptr : node.arguments()[0].value.get_if<Value>();
		return value != nullptr ? *value : Value();
	}
	void close_memory_that_others_see() {
		const WrittenInputs memory(graph_);
		closed_.resize(graph_.num_values());
		for (std::uint32_t i = 0; i < graph_.num_values(); ++i) group_of_.push_back(memory.memory_of({i}));
		const auto close = [&](Value value) { closed_[group_of_[value.index]] = true; };
		for (const Value input : graph_.inputs()) close(input);
		for (const Node& node : graph_.nodes()) {
		const Op& op = op_of(node);
		if (op.keeps_writes)
		for (const NamedArgument& argument : node.arguments()) for_each_value(argument.value, close);
		if (!op.form.empty()) continue;
		for (const Output& output : node.outputs())
		for (const Value value : output.values)
		if (value && group_of_[value.index] != value.index) close(value);
		}
	}
	void rename(Argument& argument) const {
		for_each_value(argument, [&](Value& value) {
		if (const auto found = now_.find(group_of_[value.index]); found != now_.end()) value = found->second;
		});
	}
	void rename_arguments(Node& node) {
		for (std::size_t i = 0; i < node.arguments().size(); ++i) {
		Argument argument = node.arguments()[i].value;
		rename(argument);
		if (!(argument == node.arguments()[i].value)) graph_.set_argument(node, i, std::move(argument));
		}
	}
	Graph& graph_;
	std::unordered_map<const char*, Op> ops_;
	std::vector<std::uint32_t> group_of_;         
	std::vector<bool> closed_;                    
	std::unordered_map<std::uint32_t, Value> now_;
};
}
inline void make_writes_functional(Graph& graph) {
	detail::FunctionalWrites(graph).run();
	debug_verify(graph);
}
}
namespace ferry {
namespace detail {
inline void erase_checks(Graph& graph) {
	static constexpr auto checks =
		std::to_array<std::string_view>({"aten::_assert_tensor_metadata", "aten::_assert_scalar", "aten::_assert_async",
		"aten::_assert_async.msg", "aten::_linalg_check_errors"});
	for (Node& node : graph.nodes())
		if (algo::contains(checks, node.op())) graph.erase(node);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) erase_checks(graph.subgraph({i}));
}
}
inline void remove_checks(Graph& graph) {
	detail::erase_checks(graph);
	remove_dead_code(graph);
}
}
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/relu.h>
namespace ferry::decomposed {
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> multi_head_attention::decompose(
	const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, std::int64_t width, std::int64_t heads,
	const at::Tensor& qkv_weight, const at::Tensor& qkv_bias, const at::Tensor& proj_weight,
	const at::Tensor& proj_bias, const std::optional<at::Tensor>& mask, bool need_weights, bool average,
	std::optional<std::int64_t> mask_type) {
	const std::int64_t batch = query.size(0), per_head = checked_floor_div(width, heads);
	const auto projected = [&](const at::Tensor& each, std::int64_t which) {
		const at::Tensor weight = qkv_weight.narrow(0, which * width, width),
		bias = qkv_bias.narrow(0, which * width, width);
		return at::linear(each, weight, bias).view({batch, each.size(1), heads, per_head}).transpose(1, 2);
	};
	const double scale = 1 / std::sqrt(static_cast<double>(per_head));
	at::Tensor scores = at::matmul(projected(query, 0) * scale, projected(key, 1).transpose(-2, -1));
	if (mask && mask->defined()) {
		const bool is_of_keys = mask_type == 1;
		const at::Tensor hidden = is_of_keys ? mask->view({batch, 1, 1, key.size(1)}) : *mask;
		scores = scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
	}
	const at::Tensor weights = at::softmax(scores, -1);
	const at::Tensor joined =
		at::matmul(weights, projected(value, 2)).transpose(1, 2).reshape({batch, query.size(1), width});
	return {at::linear(joined, proj_weight, proj_bias), !need_weights ? at::Tensor()
		: average     ? weights.mean(1)
		: weights};
}
FERRY_INLINE at::Tensor encoder_layer::decompose(
	const at::Tensor& src, std::int64_t width, std::int64_t heads, const at::Tensor& qkv_weight,
	const at::Tensor& qkv_bias, const at::Tensor& proj_weight, const at::Tensor& proj_bias, bool use_gelu,
	bool norm_first, double eps, const at::Tensor& norm_weight_1, const at::Tensor& norm_bias_1,
	const at::Tensor& norm_weight_2, const at::Tensor& norm_bias_2, const at::Tensor& ffn_weight_1,
	const at::Tensor& ffn_bias_1, const at::Tensor& ffn_weight_2, const at::Tensor& ffn_bias_2,
	const std::optional<at::Tensor>& mask, std::optional<std::int64_t> mask_type) {
	const auto norm = [&](const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
		return at::layer_norm(x, {width}, weight, bias, eps);
	};
	const auto attend = [&](const at::Tensor& x) {
		return std::get<0>(multi_head_attention::decompose(x, x, x, width, heads, qkv_weight, qkv_bias, proj_weight,
		proj_bias, mask, false, false, mask_type));
	};
	const auto feed = [&](const at::Tensor& x) {
		const at::Tensor inner = at::linear(x, ffn_weight_1, ffn_bias_1);
		return at::linear(use_gelu ? at::gelu(inner) : at::relu(inner), ffn_weight_2, ffn_bias_2);
	};
	if (norm_first) {
		const at::Tensor x = src + attend(norm(src, norm_weight_1, norm_bias_1));
		return x + feed(norm(x, norm_weight_2, norm_bias_2));
	}
	const at::Tensor x = norm(src + attend(src), norm_weight_1, norm_bias_1);
	return norm(x + feed(x), norm_weight_2, norm_bias_2);
}
}
#endif
#ifdef FERRY_COMPILED_SOURCE
#ifndef FERRY_COMPILED
#error \
	"ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif
namespace ferry {
static_assert(detail::valid_list<plain_t<default_fakes>>::ok && detail::valid_list<plain_t<default_patches>>::ok);
template struct list_finder<default_fakes, capture::Kernel, capture::detail::bind_fake>;
template struct list_finder<default_patches, capture::Kernel, capture::detail::bind_patch>;
}
static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::core_aten_decompositions>>::ok);
#endif
#if __has_include(<ferry/pt2.hpp>)
#include <ferry/pt2.hpp>
#endif
#if __has_include(<onnx/onnx_pb.h>) && __has_include(<ferry/onnx.hpp>)
#include <ferry/onnx.hpp>
#endif
#if __has_include(<ferry_schema/executorch/program_generated.h>) && __has_include(<ferry/executorch.hpp>)
#include <ferry/executorch.hpp>
#endif
