// Ferry 0.1.0: ferry/onnx.hpp. Generated from include/ferry by `make single-include`: do not edit.

#pragma once

#include <ferry/ferry.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
namespace ferry {
struct OnnxConfig {
	bool dynamic = false;
	DynamicShapes dynamic_shapes{};
	bool strict = false;
	bool prefer_deferred_runtime_asserts_over_guards = false;
	Progress progress{};
	std::optional<std::filesystem::path> output_path{};
	std::optional<std::int64_t> opset_version{};       
	bool external_data = true; 
	bool optimize = true;      
	bool export_params = true; 
	bool keep_initializers_as_inputs = false;
	static constexpr ExportFormat format = ExportFormat::onnx;
	static constexpr std::int64_t default_opset = 23;
	static constexpr std::int64_t default_opset_of_random =
		21;
	static constexpr std::pair<std::int64_t, std::int64_t> opset_range{18, 24};
	[[nodiscard]] DynamoConfig dynamo() const {
		return {.dynamic = dynamic,
		.dynamic_shapes = dynamic_shapes,
		.strict = strict,
		.prefer_deferred_runtime_asserts_over_guards = prefer_deferred_runtime_asserts_over_guards,
		.progress = progress};
	}
	[[nodiscard]] std::int64_t opset(bool draws_random_numbers = false) const {
		return opset_version.value_or(draws_random_numbers ? default_opset_of_random : default_opset);
	}
	void check() const;
	[[nodiscard]] tree::Context to_dict() const;
	[[nodiscard]] static OnnxConfig from_dict(const tree::Context& dict);
	[[nodiscard]] Settings settings();
};
}
#include <ATen/core/Tensor.h>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
namespace ONNX_NAMESPACE {
class ModelProto;
}
namespace ferry {
namespace onnx {
class Model;
struct Interface;
struct ExportedModel;
}
struct OnnxResults {
	Tree outputs{};
	std::map<std::string, at::Tensor>
		mutated{};
};
class OnnxProgram {
public:
	OnnxProgram(onnx::Model model, onnx::Interface interface, OnnxConfig config);
	[[nodiscard]] std::vector<std::string> input_names() const;
	[[nodiscard]] std::vector<std::string> output_names() const;
	[[nodiscard]] const onnx::Interface& interface() const noexcept;
	[[nodiscard]] const onnx::Model& model() const noexcept;
	[[nodiscard]] std::size_t num_nodes() const noexcept;
	[[nodiscard]] ::ONNX_NAMESPACE::ModelProto model_proto() const;
	void save(const std::filesystem::path& path) const;
	[[nodiscard]] OnnxResults run(const Inputs& inputs, const NamedTensors& weights = {}) const;
	[[nodiscard]] Tree operator()(const Inputs& inputs) const { return run(inputs).outputs; }
private:
	[[nodiscard]] std::uint64_t weight_bytes() const;
	std::shared_ptr<onnx::ExportedModel> exported_;
};
}
#include <concepts>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <variant>
namespace ferry::onnx {
struct Ref {
	static constexpr std::uint32_t nowhere = UINT32_MAX;
	std::uint32_t index = nowhere;
	[[nodiscard]] constexpr explicit operator bool() const noexcept { return index != nowhere; }
	friend constexpr bool operator==(Ref, Ref) noexcept = default;
};
struct BodyRef {
	std::uint32_t index = 0;
	friend constexpr bool operator==(BodyRef, BodyRef) noexcept = default;
};
struct ValueData {
	std::string name{};
	DType dtype = DType::float32;
	std::optional<std::vector<SymExpr>> sizes{};
	at::Tensor constant{};                      
};
using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
		std::vector<std::string>, at::Tensor, BodyRef>;
struct Attribute {
	std::string name;
	AttributeValue value;
	template <std::integral Number>
	Attribute(std::string_view attribute, Number number) : Attribute(attribute, static_cast<std::int64_t>(number)) {}
	Attribute(std::string_view attribute, std::int64_t number);
	Attribute(std::string_view attribute, double number);
	Attribute(std::string_view attribute, std::string text);
	Attribute(std::string_view attribute, std::vector<std::int64_t> numbers);
	Attribute(std::string_view attribute, std::vector<double> numbers);
	Attribute(std::string_view attribute, std::vector<std::string> texts);
	Attribute(std::string_view attribute, at::Tensor tensor);
	Attribute(std::string_view attribute, BodyRef body);
	Attribute(const Attribute&);
	Attribute(Attribute&&) noexcept;
	Attribute& operator=(const Attribute&);
	Attribute& operator=(Attribute&&) noexcept;
	~Attribute();
};
struct Node {
	std::string op;
	std::string domain{};
	std::vector<Ref> inputs{};
	std::vector<Ref> outputs{};
	std::vector<Attribute> attributes{};
	std::string_view path{};
	bool is_check = false;
	[[nodiscard]] const AttributeValue* find(std::string_view name) const noexcept;
};
struct Body {
	std::string name{};
	std::vector<Ref> inputs{};
	std::vector<Ref> outputs{};
	std::vector<Node> nodes{};
};
class Model {
public:
	std::vector<Body> bodies;
	std::vector<std::pair<std::string, std::string>> metadata;
	std::vector<std::pair<std::string, std::int64_t>> opsets;
	std::string doc{};
	[[nodiscard]] Body& main() { return bodies.front(); }
	[[nodiscard]] const Body& main() const { return bodies.front(); }
	[[nodiscard]] std::int64_t opset() const { return opsets.front().second; }
	Ref add(ValueData value);
	[[nodiscard]] ValueData& operator[](Ref value);
	[[nodiscard]] const ValueData& operator[](Ref value) const;
	[[nodiscard]] std::size_t num_values() const noexcept { return values_.size(); }
	[[nodiscard]] std::size_t num_nodes() const noexcept;
	std::string_view intern(std::string_view text);
	Model();
	Model(Model&&) noexcept;
	Model& operator=(Model&&) noexcept;
	Model(const Model&) = delete;
	Model& operator=(const Model&) = delete;
	~Model();
private:
	std::deque<ValueData> values_;
	std::deque<std::string> texts_;
	std::unordered_set<std::string_view> interned_;
};
template <class Visit>
void for_each_body(const Node& node, Visit&& visit) {
	for (const Attribute& attribute : node.attributes)
		if (const auto* body = std::get_if<BodyRef>(&attribute.value)) visit(*body);
}
}
#include <c10/core/Scalar.h>
#include <initializer_list>
#include <unordered_map>
namespace ferry::onnx {
using Sizes = std::vector<SymExpr>;
class NodeBuilder {
public:
	explicit NodeBuilder(Model& model) : model_(model) {}
	[[nodiscard]] Model& model() noexcept { return model_; }
	[[nodiscard]] std::int64_t opset() const { return model_.opset(); }
	void set_path(std::string_view path) { path_ = model_.intern(path); }
	Ref add(std::string_view op, std::initializer_list<Ref> inputs, std::initializer_list<Attribute> attributes = {});
	Ref add(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes = {});
	std::vector<Ref> add_many(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes,
		std::size_t count);
	std::vector<Ref> add_typed(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes,
		const std::vector<DType>& results);
	std::vector<Ref> add_custom(std::string_view domain, std::int64_t version, std::string_view op,
		std::vector<Ref> inputs, std::vector<Attribute> attributes,
		const std::vector<DType>& results);
	[[nodiscard]] DType dtype(Ref value) const { return model_[value].dtype; }
	[[nodiscard]] const Sizes& sizes(Ref value) const;
	[[nodiscard]] std::int64_t rank(Ref value) const { return static_cast<std::int64_t>(sizes(value).size()); }
	Ref with_sizes(Ref value, Sizes known) {
		model_[value].sizes = std::move(known);
		return value;
	}
	Ref like(Ref value, Ref other) {
		model_[value].sizes = model_[other].sizes;
		return value;
	}
	Ref constant(const at::Tensor& tensor);
	Ref number(const c10::Scalar& value, DType dtype);
	Ref number_like(const c10::Scalar& value, Ref other);
	Ref ints(const std::vector<std::int64_t>& values);
	Ref cast(Ref value, DType to);
protected:
	[[nodiscard]] static at::Tensor scalar(const c10::Scalar& value, DType dtype);
	std::vector<Ref> append(Node node, const std::vector<DType>& results);
	[[nodiscard]] Body& body() { return model_.bodies[body_.index]; }
	[[nodiscard]] std::string_view path() const noexcept { return path_; }
	BodyRef enter_body(BodyRef body) { return std::exchange(body_, body); }
private:
	Model& model_;
	BodyRef body_{};
	std::string_view path_{};
	std::unordered_map<std::string, Ref> constants_;
};
inline const Sizes& NodeBuilder::sizes(Ref value) const {
	if (!model_[value].sizes)
		throw Error(ErrorKind::internal, "the sizes of '" + model_[value].name + "' are not known");
	return *model_[value].sizes;
}
}
#include <functional>
namespace ferry::onnx {
class SizeBuilder : public NodeBuilder {
public:
	SizeBuilder(Model& model, const SymRanges& ranges) : NodeBuilder(model), ranges_(ranges) {}
	Ref size(const SymExpr& expression);
	Ref shape(const Sizes& sizes);
	void know_size(const SymExpr& expression, Ref value) { known_sizes_.insert_or_assign(expression, value); }
	void know_symbols(Ref value);
	[[nodiscard]] bool is_positive(const SymExpr& expression) const;
	[[nodiscard]] bool is_size(const SymExpr& expression) const;
	Ref filled(const Sizes& sizes, const c10::Scalar& value, DType dtype);
	template <class Fill>
	BodyRef make_body(std::string name, Fill&& fill) {
		const BodyRef made{static_cast<std::uint32_t>(model().bodies.size())};
		model().bodies.push_back({.name = std::move(name)});
		Knowledge before = knowledge();
		const BodyRef around = enter_body(made);
		fill();
		enter_body(around);
		set_knowledge(std::move(before));
		return made;
	}
	Ref add_body_input(ValueData data) {
		const Ref made = model().add(std::move(data));
		body().inputs.push_back(made);
		know_symbols(made);
		return made;
	}
	void add_body_output(Ref value) { body().outputs.push_back(like(add("Identity", {value}), value)); }
	Ref floor_div(Ref a, Ref b) { return add("Div", {add("Sub", {a, add("Mod", {a, b})}), b}); }
private:
	struct SymbolPlace {
		Ref value;
		std::int64_t dim = 0, factor = 1, offset = 0;
		[[nodiscard]] bool is_plain() const noexcept { return factor == 1 && offset == 0; }
	};
	struct Knowledge {
		std::map<SymExpr, Ref> sizes;
		std::map<std::string, SymbolPlace, std::less<>> symbols;
	};
	[[nodiscard]] Knowledge knowledge() const { return {known_sizes_, symbols_}; }
	void set_knowledge(Knowledge&& known) {
		known_sizes_ = std::move(known.sizes);
		symbols_ = std::move(known.symbols);
	}
	[[nodiscard]] Ref compute_size(const SymExpr& expression);
	[[nodiscard]] Ref product_of(const SymTerm& term);
	const SymRanges& ranges_;
	std::map<SymExpr, Ref> known_sizes_;
	std::map<std::string, SymbolPlace, std::less<>> symbols_;
};
}
#include <limits>
namespace ferry::onnx {
inline constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();
class Builder : public SizeBuilder {
public:
	using SizeBuilder::SizeBuilder;
	Ref reshape(Ref value, const Sizes& to);
	Ref expand(Ref value, const Sizes& to);
	Ref permute(Ref value, const std::vector<std::int64_t>& order);
	Ref transpose(Ref value, std::int64_t a, std::int64_t b);
	Ref unsqueeze(Ref value, std::vector<std::int64_t> dims);
	Ref squeeze(Ref value, std::vector<std::int64_t> dims);
	Ref slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step = 1);
	Ref scalar_of(Ref one_element) { return with_sizes(add("Squeeze", {one_element}), {}); }
	Ref pair(Ref real, Ref imaginary) {
		return add("Concat", {add("Unsqueeze", {real, ints({-1})}), add("Unsqueeze", {imaginary, ints({-1})})},
		{{"axis", -1}});
	}
	Ref real_part(Ref pairs) { return part(pairs, 0); }
	Ref imaginary_part(Ref pairs) { return part(pairs, 1); }
private:
	Ref part(Ref pairs, std::int64_t which) {
		const Ref made = add("Gather", {pairs, number(which, DType::int64)}, {{"axis", -1}});
		if (!model()[pairs].sizes) return made;
		return with_sizes(made, Sizes(sizes(pairs).begin(), sizes(pairs).end() - 1));
	}
};
}
#include <ATen/core/function_schema.h>
#include <algorithm>
namespace ferry::onnx {
class NodeArguments {
public:
	[[nodiscard]] const Graph& graph() const noexcept { return *graph_; }
	[[nodiscard]] const ferry::Node& node() const noexcept { return *node_; }
	[[nodiscard]] Argument argument(std::string_view name) const;
	[[nodiscard]] bool has(std::string_view name) const;
	[[nodiscard]] bool is_tensor(std::string_view name) const;
	[[nodiscard]] std::int64_t integer(std::string_view name) const;
	[[nodiscard]] double real(std::string_view name) const;
	[[nodiscard]] bool flag(std::string_view name) const;
	[[nodiscard]] std::string text(std::string_view name) const;
	[[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
	[[nodiscard]] SymExpr symbolic(std::string_view name) const;
	[[nodiscard]] std::vector<SymExpr> symbolics(std::string_view name) const;
	[[nodiscard]] std::int64_t dim(std::string_view name, std::int64_t rank) const {
		return wrapped(integer(name), rank);
	}
	[[nodiscard]] std::vector<std::int64_t> dims(std::string_view name, std::int64_t rank) const;
	[[nodiscard]] static std::int64_t wrapped(std::int64_t dim, std::int64_t rank) {
		return dim < 0 ? dim + std::max<std::int64_t>(rank, 1) : dim;
	}
	[[nodiscard]] DType promoted(std::initializer_list<std::string_view> names) const;
	[[nodiscard]] std::size_t num_results() const;
	[[nodiscard]] const ValueInfo& result_info(std::size_t position = 0) const;
	[[nodiscard]] DType result_dtype(std::size_t position = 0) const {
		return stored_dtype(result_info(position).tensor.dtype);
	}
	[[nodiscard]] const std::vector<SymExpr>& result_sizes(std::size_t position = 0) const {
		return result_info(position).tensor.sizes;
	}
	[[nodiscard]] std::int64_t result_rank(std::size_t position = 0) const {
		return static_cast<std::int64_t>(result_sizes(position).size());
	}
	[[nodiscard]] bool is_wanted(std::size_t position) const;
	[[noreturn]] void refuse(const std::string& what, std::string hint = {}) const;
protected:
	const Graph* set_graph(const Graph* graph) { return std::exchange(graph_, graph); }
	[[nodiscard]] const ferry::Node* current_node() const noexcept { return node_; }
	void set_current_node(const ferry::Node& node);
	[[noreturn]] void wrong_argument(std::string_view name, std::string_view wanted) const;
private:
	[[nodiscard]] std::int64_t as_integer(const Argument& argument, std::string_view name) const;
	[[nodiscard]] SymExpr as_symbolic(const Argument& argument, std::string_view name) const;
	const Graph* graph_ = nullptr;
	const ferry::Node* node_ = nullptr;
	const c10::FunctionSchema* schema_ = nullptr;
	std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;
};
inline const ValueInfo& NodeArguments::result_info(std::size_t position) const {
	return graph_->info(node_->output(position));
}
}
namespace ferry::onnx {
class Translation : public Builder, public NodeArguments {
public:
	using Function = void (*)(Translation&);
	using Find = Function (*)(std::string_view op);
	Translation(Model& model, const SymRanges& ranges, Find find) : Builder(model, ranges), find_(find) {}
	[[nodiscard]] Ref tensor(std::string_view name) { return to_tensor(argument(name), name); }
	[[nodiscard]] Ref optional_tensor(std::string_view name) { return has(name) ? tensor(name) : Ref(); }
	[[nodiscard]] std::vector<Ref> tensors(std::string_view name);
	[[nodiscard]] Ref operand(std::string_view name, DType dtype);
	[[nodiscard]] Ref factor(std::string_view name, DType dtype);
	[[nodiscard]] Ref wide_operand(std::string_view name) { return operand(name, wide(result_dtype())); }
	[[nodiscard]] static DType wide(DType dtype) {
		return dtype == DType::float16 || dtype == DType::bfloat16 ? DType::float32 : dtype;
	}
	void result(Ref value, std::size_t position = 0);
	[[nodiscard]] Ref ref(Value value) const;
	[[nodiscard]] std::vector<Ref> run(const Graph& graph, const std::vector<Ref>& inputs);
protected:
	void enter(const Graph& graph) {
		set_graph(&graph);
		refs_.assign(graph.num_values(), Ref());
	}
	void translate_nodes() {
		for (const ferry::Node& each : graph().nodes()) translate(each);
	}
	void bind(Value value, Ref ref) { refs_.at(value.index) = ref; }
private:
	[[nodiscard]] Ref to_tensor(const Argument& argument, std::string_view name);
	void set_node(const ferry::Node& node);
	void translate(const ferry::Node& node);
	void run_entry();
	void translate_parts(Function entry);
	[[nodiscard]] Ref this_part(Value value);
	enum class Part : std::uint8_t { whole, real, imaginary };
	Find find_;
	std::vector<Ref> refs_;
	std::size_t first_new_ = 0;
	Part part_ = Part::whole;
	std::vector<Ref> parts_;
};
}
namespace ferry::onnx {
struct ExportRules {
	Translation::Find translation;
	bool (*is_patched)(
		std::string_view op);
	bool (*has_parts)(std::string_view op); 
	ExportedProgram (*take_apart)(const ExportedProgram&);
	bool (*fix_node)(Graph&, ferry::Node&);
	void (*fix_model)(Model&, bool optimize);
};
[[nodiscard]] OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config, const ExportRules& rules);
}
namespace ferry::onnx {
struct batch_norm_folding;
struct chains;
struct common_subexpressions;
struct constant_folding;
struct dead_code;
struct pad_folding;
struct same_initializers;
struct default_ir_fixes : ir_fixes<constant_folding, batch_norm_folding, pad_folding, same_initializers, chains,
		common_subexpressions, dead_code>,
		own_list {};
}
namespace ferry::onnx {
namespace translated {
struct relu {
	static constexpr auto target = op("aten::relu");
	static Ref translate(Translation& t);
};
struct silu {
	static constexpr auto target = op("aten::silu");
	static Ref translate(Translation& t);
};
struct gelu {
	static constexpr auto target = op("aten::gelu");
	static Ref translate(Translation& t);
};
struct leaky_relu {
	static constexpr auto target = op("aten::leaky_relu");
	static Ref translate(Translation& t);
};
struct elu {
	static constexpr auto target = op("aten::elu");
	static Ref translate(Translation& t);
};
struct softplus {
	static constexpr auto target = op("aten::softplus");
	static Ref translate(Translation& t);
};
struct hardsigmoid {
	static constexpr auto target = op("aten::hardsigmoid");
	static Ref translate(Translation& t);
};
struct hardswish {
	static constexpr auto target = op("aten::hardswish");
	static Ref translate(Translation& t);
};
struct glu {
	static constexpr auto target = op("aten::glu");
	static Ref translate(Translation& t);
};
struct clamp {
	static constexpr auto target = op("aten::clamp", "aten::clamp.Tensor", "aten::clip", "aten::clip.Tensor");
	static Ref translate(Translation& t);
};
struct clamp_min {
	static constexpr auto target = op("aten::clamp_min", "aten::clamp_min.Tensor");
	static Ref translate(Translation& t);
};
struct clamp_max {
	static constexpr auto target = op("aten::clamp_max", "aten::clamp_max.Tensor");
	static Ref translate(Translation& t);
};
struct hardtanh {
	static constexpr auto target = op("aten::hardtanh");
	static Ref translate(Translation& t);
};
struct relu6 {
	static constexpr auto target = op("aten::relu6");
	static Ref translate(Translation& t);
};
}
using activation_translations =
	translations<translated::relu, translated::silu, translated::gelu, translated::leaky_relu, translated::elu,
		translated::softplus, translated::hardsigmoid, translated::hardswish, translated::glu,
		translated::clamp, translated::clamp_min, translated::clamp_max, translated::hardtanh,
		translated::relu6>;
}
#include <ATen/TensorOperators.h>
namespace ferry::onnx {
namespace translated {
struct adaptive_avg_pool {
	static constexpr auto target =
		op("aten::adaptive_avg_pool1d", "aten::adaptive_avg_pool2d", "aten::adaptive_avg_pool3d",
		"aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d");
	static Ref translate(Translation& t);
};
struct adaptive_max_pool {
	static constexpr auto target = op("aten::adaptive_max_pool2d", "aten::adaptive_max_pool3d");
	static void translate(Translation& t);
private:
	using Lengths = std::vector<std::int64_t>;
	static void pool_by_slices(Translation& t, Ref value, std::size_t spatial);
	static void pool_evenly(Translation& t, Ref self, const Lengths& sizes, const Lengths& counts);
	static at::Tensor places_in_windows(const Lengths& sizes, const Lengths& counts);
	static void pool_by_places(Translation& t, Ref self, const Lengths& sizes, const Lengths& counts);
};
}
using adaptive_pooling_translations = translations<translated::adaptive_avg_pool, translated::adaptive_max_pool>;
}
namespace ferry::onnx {
namespace translated {
Ref binary(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct binary_op {
	static constexpr auto target = op(Aten.text);
	static Ref translate(Translation& t) { return binary(t, Onnx); }
};
struct add {
	static constexpr auto target = op("aten::add.Tensor", "aten::add.Scalar");
	static Ref translate(Translation& t);
};
struct sub {
	static constexpr auto target = op("aten::sub.Tensor", "aten::sub.Scalar");
	static Ref translate(Translation& t);
};
struct rsub {
	static constexpr auto target = op("aten::rsub.Tensor", "aten::rsub.Scalar");
	static Ref translate(Translation& t);
};
struct mul {
	static constexpr auto target = op("aten::mul.Tensor", "aten::mul.Scalar", "aten::multiply.Tensor");
	static Ref translate(Translation& t);
};
struct div {
	static constexpr auto target = op("aten::div.Tensor", "aten::div.Scalar");
	static Ref translate(Translation& t);
};
struct floor_divide {
	static constexpr auto target = op("aten::floor_divide", "aten::floor_divide.Scalar");
	static Ref translate(Translation& t);
};
struct div_mode {
	static constexpr auto target = op("aten::div.Tensor_mode", "aten::div.Scalar_mode");
	static Ref translate(Translation& t);
};
struct remainder {
	static constexpr auto target =
		op("aten::remainder.Tensor", "aten::remainder.Scalar", "aten::remainder.Scalar_Tensor");
	static Ref translate(Translation& t);
};
struct fmod {
	static constexpr auto target = op("aten::fmod.Tensor", "aten::fmod.Scalar");
	static Ref translate(Translation& t);
};
struct pow {
	static constexpr auto target = op("aten::pow.Tensor_Tensor", "aten::pow.Tensor_Scalar", "aten::pow.Scalar");
	static Ref translate(Translation& t);
};
struct atan2 {
	static constexpr auto target = op("aten::atan2");
	static Ref translate(Translation& t);
};
struct addcmul {
	static constexpr auto target = op("aten::addcmul");
	static Ref translate(Translation& t);
};
struct addcdiv {
	static constexpr auto target = op("aten::addcdiv");
	static Ref translate(Translation& t);
};
}
using arithmetic_translations =
	translations<translated::add, translated::sub, translated::rsub, translated::mul, translated::div,
		translated::floor_divide, translated::div_mode, translated::remainder, translated::fmod,
		translated::pow, translated::atan2, translated::binary_op<"aten::maximum", "Max">,
		translated::binary_op<"aten::minimum", "Min">, translated::binary_op<"aten::max.other", "Max">,
		translated::binary_op<"aten::min.other", "Min">, translated::addcmul, translated::addcdiv>;
}
namespace ferry::onnx {
namespace translated {
struct repeat {
	static constexpr auto target = op("aten::repeat");
	static Ref translate(Translation& t);
};
struct repeat_interleave {
	static constexpr auto target = op("aten::repeat_interleave.self_int");
	static Ref translate(Translation& t);
};
struct flip {
	static constexpr auto target = op("aten::flip");
	static Ref translate(Translation& t);
};
struct tril {
	static constexpr auto target = op("aten::tril");
	static Ref translate(Translation& t);
};
struct triu {
	static constexpr auto target = op("aten::triu");
	static Ref translate(Translation& t);
};
struct constant_pad_nd {
	static constexpr auto target = op("aten::constant_pad_nd");
	static Ref translate(Translation& t);
};
struct pad {
	static constexpr auto target = op("aten::pad");
	static Ref translate(Translation& t);
};
}
using arrangement_translations =
	translations<translated::repeat, translated::repeat_interleave, translated::flip, translated::tril,
		translated::triu, translated::constant_pad_nd, translated::pad>;
}
namespace ferry::onnx {
namespace translated {
struct scaled_dot_product_attention {
	static constexpr auto target = op("aten::scaled_dot_product_attention");
	static Ref translate(Translation& t);
};
}
using attention_translations = translations<translated::scaled_dot_product_attention>;
}
namespace ferry::onnx {
namespace translated {
struct view_of_pairs {
	static constexpr auto target = op("complex::view_as_real", "complex::view_as_complex", "complex::resolve_conj",
		"complex::resolve_neg", "complex::lift_fresh");
	static Ref translate(Translation& t);
};
struct conj {
	static constexpr auto target =
		op("complex::conj", "complex::_conj", "complex::conj_physical", "complex::_conj_physical");
	static Ref translate(Translation& t);
};
struct real_part {
	static constexpr auto target = op("complex::real");
	static Ref translate(Translation& t);
};
struct imaginary_part {
	static constexpr auto target = op("complex::imag");
	static Ref translate(Translation& t);
};
struct cast_complex {
	static constexpr auto target =
		op("complex::_to_copy", "complex::to.dtype", "complex::to.dtype_layout", "complex::to.device");
	static Ref translate(Translation& t);
};
struct make_complex {
	static constexpr auto target = op("complex::complex");
	static Ref translate(Translation& t);
};
struct polar {
	static constexpr auto target = op("complex::polar");
	static Ref translate(Translation& t);
};
struct complex_abs {
	static constexpr auto target = op("complex::abs");
	static Ref translate(Translation& t);
};
struct complex_angle {
	static constexpr auto target = op("complex::angle");
	static Ref translate(Translation& t);
};
struct complex_exp {
	static constexpr auto target = op("complex::exp");
	static Ref translate(Translation& t);
};
struct complex_mul {
	static constexpr auto target = op("complex::mul.Tensor", "complex::mul.Scalar");
	static Ref translate(Translation& t);
};
struct complex_matmul {
	static constexpr auto target = op("complex::matmul", "complex::mm", "complex::bmm");
	static Ref translate(Translation& t);
};
struct complex_div {
	static constexpr auto target = op("complex::div.Tensor", "complex::div.Scalar");
	static Ref translate(Translation& t);
};
struct complex_ones {
	static constexpr auto target = op("complex::ones", "complex::ones_like", "complex::new_ones");
	static Ref translate(Translation& t);
};
struct complex_full {
	static constexpr auto target = op("complex::full", "complex::full_like", "complex::new_full");
	static Ref translate(Translation& t);
};
struct complex_fill {
	static constexpr auto target = op("complex::fill.Scalar", "complex::fill.Tensor");
	static Ref translate(Translation& t);
};
struct complex_einsum {
	static constexpr auto target = op("complex::einsum");
	static Ref translate(Translation& t);
};
}
using complex_translations =
	translations<translated::view_of_pairs, translated::conj, translated::real_part, translated::imaginary_part,
		translated::cast_complex, translated::make_complex, translated::polar, translated::complex_abs,
		translated::complex_angle, translated::complex_exp, translated::complex_mul,
		translated::complex_matmul, translated::complex_div, translated::complex_ones,
		translated::complex_full, translated::complex_fill, translated::complex_einsum>;
}
#include <ATen/core/stack.h>
namespace ferry::onnx {
namespace translated {
struct window {
	static constexpr auto target =
		op("aten::hann_window", "aten::hann_window.periodic", "aten::hamming_window", "aten::hamming_window.periodic",
		"aten::hamming_window.periodic_alpha", "aten::hamming_window.periodic_alpha_beta", "aten::blackman_window",
		"aten::blackman_window.periodic", "aten::bartlett_window", "aten::bartlett_window.periodic",
		"aten::kaiser_window", "aten::kaiser_window.periodic", "aten::kaiser_window.beta");
	static Ref translate(Translation& t);
};
struct constant_numbers {
	static constexpr auto target = op("aten::logspace", "aten::fft_fftfreq", "aten::fft_rfftfreq");
	static Ref translate(Translation& t);
};
struct triangle_places {
	static constexpr auto target = op("aten::tril_indices", "aten::triu_indices");
	static Ref translate(Translation& t);
};
}
using constant_factory_translations =
	translations<translated::window, translated::constant_numbers, translated::triangle_places>;
}
namespace ferry::onnx {
namespace translated {
struct cond {
	static constexpr auto target = op("higher_order::cond");
	static void translate(Translation& t);
};
struct while_loop {
	static constexpr auto target = op("higher_order::while_loop");
	static void translate(Translation& t);
};
struct scan {
	static constexpr auto target = op("higher_order::scan");
	static void translate(Translation& t);
};
struct map {
	static constexpr auto target = op("higher_order::map_impl");
	static void translate(Translation& t);
};
struct wrapped_body {
	static constexpr auto target = op("higher_order::wrap_with_set_grad_enabled", "higher_order::invoke_subgraph");
	static void translate(Translation& t);
};
}
using control_flow_translations =
	translations<translated::cond, translated::while_loop, translated::scan, translated::map, translated::wrapped_body>;
}
namespace ferry::onnx {
namespace translated {
struct conv {
	static constexpr auto target = op("aten::conv1d", "aten::conv2d", "aten::conv3d");
	static Ref translate(Translation& t);
};
struct conv_padding {
	static constexpr auto target = op("aten::conv1d.padding", "aten::conv2d.padding", "aten::conv3d.padding");
	static Ref translate(Translation& t);
};
struct conv_transpose {
	static constexpr auto target =
		op("aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input");
	static Ref translate(Translation& t);
};
struct convolution {
	static constexpr auto target = op("aten::convolution", "aten::_convolution", "aten::_convolution.deprecated");
	static Ref translate(Translation& t);
};
struct col2im {
	static constexpr auto target = op("aten::col2im");
	static Ref translate(Translation& t);
};
}
using convolution_translations = translations<translated::conv, translated::conv_padding, translated::conv_transpose,
		translated::convolution, translated::col2im>;
}
namespace ferry::onnx {
namespace translated {
struct bucketize {
	static constexpr auto target = op("aten::bucketize.Tensor", "aten::bucketize.Scalar");
	static Ref translate(Translation& t);
};
struct searchsorted {
	static constexpr auto target = op("aten::searchsorted.Tensor", "aten::searchsorted.Scalar");
	static Ref translate(Translation& t);
};
struct repeat_interleave_counts {
	static constexpr auto target = op("aten::repeat_interleave.Tensor");
	static Ref translate(Translation& t);
};
struct histc {
	static constexpr auto target = op("aten::histc");
	static Ref translate(Translation& t);
};
struct bincount {
	static constexpr auto target = op("aten::bincount");
	static Ref translate(Translation& t);
};
struct unfold {
	static constexpr auto target = op("aten::unfold");
	static Ref translate(Translation& t);
};
struct masked_scatter {
	static constexpr auto target = op("aten::masked_scatter");
	static Ref translate(Translation& t);
};
}
using counting_translations =
	translations<translated::bucketize, translated::searchsorted, translated::repeat_interleave_counts,
		translated::histc, translated::bincount, translated::unfold, translated::masked_scatter>;
}
namespace ferry::onnx {
namespace translated {
struct diagonal {
	static constexpr auto target = op("aten::diagonal", "aten::diagonal_copy");
	static Ref translate(Translation& t);
};
struct diagonal_scatter {
	static constexpr auto target = op("aten::diagonal_scatter");
	static Ref translate(Translation& t);
};
struct block_diag {
	static constexpr auto target = op("aten::block_diag");
	static Ref translate(Translation& t);
};
}
using diagonal_translations = translations<translated::diagonal, translated::diagonal_scatter, translated::block_diag>;
}
namespace ferry::onnx {
namespace translated {
struct cdist {
	static constexpr auto target = op("aten::_cdist_forward");
	static Ref translate(Translation& t);
};
struct pdist {
	static constexpr auto target = op("aten::_pdist_forward");
	static Ref translate(Translation& t);
};
struct dist {
	static constexpr auto target = op("aten::dist");
	static Ref translate(Translation& t);
};
struct renorm {
	static constexpr auto target = op("aten::renorm");
	static Ref translate(Translation& t);
};
}
using distance_translations = translations<translated::cdist, translated::pdist, translated::dist, translated::renorm>;
}
namespace ferry::onnx {
namespace translated {
struct embedding {
	static constexpr auto target = op("aten::embedding");
	static Ref translate(Translation& t);
};
struct embedding_bag {
	static constexpr auto target = op("aten::_embedding_bag", "aten::_embedding_bag_forward_only");
	static void translate(Translation& t);
};
}
using embedding_translations = translations<translated::embedding, translated::embedding_bag>;
}
namespace ferry::onnx {
namespace translated {
struct zeros {
	static constexpr auto target =
		op("aten::zeros", "aten::zeros_like", "aten::new_zeros", "aten::zero", "aten::empty.memory_format",
		"aten::empty_like", "aten::new_empty", "aten::empty_permuted", "aten::empty_strided");
	static Ref translate(Translation& t);
};
struct ones {
	static constexpr auto target = op("aten::ones", "aten::ones_like", "aten::new_ones");
	static Ref translate(Translation& t);
};
struct full {
	static constexpr auto target = op("aten::full", "aten::full_like", "aten::new_full");
	static Ref translate(Translation& t);
};
struct fill {
	static constexpr auto target = op("aten::fill.Scalar", "aten::fill.Tensor");
	static Ref translate(Translation& t);
};
struct scalar_tensor {
	static constexpr auto target = op("aten::scalar_tensor");
	static Ref translate(Translation& t);
};
struct arange {
	static constexpr auto target = op("aten::arange", "aten::arange.start", "aten::arange.start_step");
	static Ref translate(Translation& t);
};
}
using factory_translations = translations<translated::zeros, translated::ones, translated::full, translated::fill,
		translated::scalar_tensor, translated::arange>;
}
namespace ferry::onnx {
namespace translated {
struct fft_r2c {
	static constexpr auto target = op("complex::_fft_r2c");
	static Ref translate(Translation& t);
};
struct fft_c2c {
	static constexpr auto target = op("complex::_fft_c2c");
	static Ref translate(Translation& t);
};
struct fft_c2r {
	static constexpr auto target = op("complex::_fft_c2r");
	static Ref translate(Translation& t);
};
}
using fourier_translations = translations<translated::fft_r2c, translated::fft_c2c, translated::fft_c2r>;
}
namespace ferry::onnx {
namespace translated {
struct fractional_max_pool {
	static constexpr auto target = op("aten::fractional_max_pool2d", "aten::fractional_max_pool3d");
	static void translate(Translation& t);
};
}
using fractional_pooling_translations = translations<translated::fractional_max_pool>;
}
namespace ferry::onnx {
namespace translated {
struct grouped_mm {
	static constexpr auto target = op("aten::_grouped_mm");
	static Ref translate(Translation& t);
};
struct grouped_mm_fallback {
	static constexpr auto target = op("transformers::grouped_mm_fallback");
	static Ref translate(Translation& t);
};
}
using grouped_translations = translations<translated::grouped_mm, translated::grouped_mm_fallback>;
}
namespace ferry::onnx {
namespace translated {
struct index {
	static constexpr auto target = op("aten::index.Tensor", "aten::_unsafe_index.Tensor");
	static Ref translate(Translation& t);
};
struct index_put {
	static constexpr auto target = op("aten::index_put", "aten::_unsafe_index_put");
	static Ref translate(Translation& t);
};
struct index_select {
	static constexpr auto target = op("aten::index_select");
	static Ref translate(Translation& t);
};
struct gather {
	static constexpr auto target = op("aten::gather");
	static Ref translate(Translation& t);
};
struct nonzero {
	static constexpr auto target = op("aten::nonzero");
	static Ref translate(Translation& t);
};
struct masked_select {
	static constexpr auto target = op("aten::masked_select");
	static Ref translate(Translation& t);
};
}
using indexing_translations = translations<translated::index, translated::index_put, translated::index_select,
		translated::gather, translated::nonzero, translated::masked_select>;
}
namespace ferry::onnx {
namespace translated {
struct inverse {
	static constexpr auto target = op("aten::linalg_inv_ex");
	static void translate(Translation& t);
};
struct solution {
	static constexpr auto target = op("aten::_linalg_solve_ex");
	static void translate(Translation& t);
};
struct lu_factors {
	static constexpr auto target = op("aten::linalg_lu_factor_ex");
	static void translate(Translation& t);
};
struct signed_log_determinant {
	static constexpr auto target = op("aten::_linalg_slogdet");
	static void translate(Translation& t);
};
struct cholesky {
	static constexpr auto target = op("aten::linalg_cholesky_ex");
	static void translate(Translation& t);
};
struct solve_triangular {
	static constexpr auto target = op("aten::linalg_solve_triangular");
	static Ref translate(Translation& t);
};
struct cholesky_solve {
	static constexpr auto target = op("aten::cholesky_solve");
	static Ref translate(Translation& t);
};
}
using linear_system_translations =
	translations<translated::inverse, translated::solution, translated::lu_factors, translated::signed_log_determinant,
		translated::cholesky, translated::solve_triangular, translated::cholesky_solve>;
}
namespace ferry::onnx {
namespace translated {
Ref compared(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct comparison_op {
	static constexpr auto target = op(Aten.text);
	static Ref translate(Translation& t) { return compared(t, Onnx); }
};
struct not_equal {
	static constexpr auto target = op("aten::ne.Tensor", "aten::ne.Scalar");
	static Ref translate(Translation& t);
};
struct logical_and {
	static constexpr auto target = op("aten::logical_and");
	static Ref translate(Translation& t);
};
struct logical_or {
	static constexpr auto target = op("aten::logical_or");
	static Ref translate(Translation& t);
};
struct logical_xor {
	static constexpr auto target = op("aten::logical_xor");
	static Ref translate(Translation& t);
};
struct logical_not {
	static constexpr auto target = op("aten::logical_not");
	static Ref translate(Translation& t);
};
struct bitwise_and {
	static constexpr auto target =
		op("aten::bitwise_and.Tensor", "aten::bitwise_and.Scalar", "aten::__and__.Tensor", "aten::__and__.Scalar");
	static Ref translate(Translation& t);
};
struct bitwise_or {
	static constexpr auto target =
		op("aten::bitwise_or.Tensor", "aten::bitwise_or.Scalar", "aten::__or__.Tensor", "aten::__or__.Scalar");
	static Ref translate(Translation& t);
};
struct bitwise_xor {
	static constexpr auto target =
		op("aten::bitwise_xor.Tensor", "aten::bitwise_xor.Scalar", "aten::__xor__.Tensor", "aten::__xor__.Scalar");
	static Ref translate(Translation& t);
};
struct bitwise_not {
	static constexpr auto target = op("aten::bitwise_not");
	static Ref translate(Translation& t);
};
struct left_shift {
	static constexpr auto target =
		op("aten::bitwise_left_shift.Tensor", "aten::bitwise_left_shift.Tensor_Scalar",
		"aten::bitwise_left_shift.Scalar_Tensor", "aten::__lshift__.Tensor", "aten::__lshift__.Scalar");
	static Ref translate(Translation& t);
};
struct right_shift {
	static constexpr auto target =
		op("aten::bitwise_right_shift.Tensor", "aten::bitwise_right_shift.Tensor_Scalar",
		"aten::bitwise_right_shift.Scalar_Tensor", "aten::__rshift__.Tensor", "aten::__rshift__.Scalar");
	static Ref translate(Translation& t);
};
struct isnan {
	static constexpr auto target = op("aten::isnan");
	static Ref translate(Translation& t);
};
struct isinf {
	static constexpr auto target = op("aten::isinf");
	static Ref translate(Translation& t);
};
struct isfinite {
	static constexpr auto target = op("aten::isfinite");
	static Ref translate(Translation& t);
};
struct where {
	static constexpr auto target =
		op("aten::where.self", "aten::where.ScalarSelf", "aten::where.ScalarOther", "aten::where.Scalar");
	static Ref translate(Translation& t);
};
struct masked_fill {
	static constexpr auto target = op("aten::masked_fill.Scalar", "aten::masked_fill.Tensor");
	static Ref translate(Translation& t);
};
}
using logic_translations = translations<
	translated::comparison_op<"aten::eq.Tensor", "Equal">, translated::comparison_op<"aten::eq.Scalar", "Equal">,
	translated::comparison_op<"aten::lt.Tensor", "Less">, translated::comparison_op<"aten::lt.Scalar", "Less">,
	translated::comparison_op<"aten::le.Tensor", "LessOrEqual">,
	translated::comparison_op<"aten::le.Scalar", "LessOrEqual">,
	translated::comparison_op<"aten::gt.Tensor", "Greater">, translated::comparison_op<"aten::gt.Scalar", "Greater">,
	translated::comparison_op<"aten::ge.Tensor", "GreaterOrEqual">,
	translated::comparison_op<"aten::ge.Scalar", "GreaterOrEqual">, translated::not_equal, translated::logical_and,
	translated::logical_or, translated::logical_xor, translated::logical_not, translated::bitwise_and,
	translated::bitwise_or, translated::bitwise_xor, translated::bitwise_not, translated::left_shift,
	translated::right_shift, translated::isnan, translated::isinf, translated::isfinite, translated::where,
	translated::masked_fill>;
}
namespace ferry::onnx {
namespace translated {
struct multi_margin_loss {
	static constexpr auto target = op("aten::multi_margin_loss");
	static Ref translate(Translation& t);
};
}
using loss_translations = translations<translated::multi_margin_loss>;
}
namespace ferry::onnx {
namespace translated {
struct matmul {
	static constexpr auto target = op("aten::matmul", "aten::mv", "aten::dot");
	static Ref translate(Translation& t);
};
struct mm {
	static constexpr auto target = op("aten::mm", "aten::bmm");
	static Ref translate(Translation& t);
};
struct linear {
	static constexpr auto target = op("aten::linear");
	static Ref translate(Translation& t);
};
struct addmm {
	static constexpr auto target = op("aten::addmm");
	static Ref translate(Translation& t);
};
struct baddbmm {
	static constexpr auto target = op("aten::baddbmm");
	static Ref translate(Translation& t);
};
struct addbmm {
	static constexpr auto target = op("aten::addbmm");
	static Ref translate(Translation& t);
};
struct addmv {
	static constexpr auto target = op("aten::addmv");
	static Ref translate(Translation& t);
};
struct outer {
	static constexpr auto target = op("aten::outer");
	static Ref translate(Translation& t);
};
struct einsum {
	static constexpr auto target = op("aten::einsum");
	static Ref translate(Translation& t);
	static Ref of(Translation& t, std::vector<Ref> operands);
};
struct determinant {
	static constexpr auto target = op("aten::_linalg_det");
	static void translate(Translation& t);
};
struct bilinear {
	static constexpr auto target = op("aten::bilinear");
	static Ref translate(Translation& t);
};
}
using matrix_translations = translations<translated::matmul, translated::mm, translated::linear, translated::addmm,
		translated::baddbmm, translated::addbmm, translated::addmv, translated::outer,
		translated::einsum, translated::determinant, translated::bilinear>;
}
namespace ferry::onnx {
namespace translated {
struct layer_norm {
	static constexpr auto target = op("aten::layer_norm", "aten::native_layer_norm");
	static void translate(Translation& t);
};
struct rms_norm {
	static constexpr auto target = op("aten::rms_norm");
	static Ref translate(Translation& t);
};
struct batch_norm {
	static constexpr auto target = op("aten::batch_norm");
	static void translate(Translation& t);
};
struct native_batch_norm {
	static constexpr auto target =
		op("aten::_native_batch_norm_legit_no_training", "aten::_native_batch_norm_legit.no_stats");
	static void translate(Translation& t);
};
struct functional_batch_norm {
	static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
	static void translate(Translation& t);
};
struct group_norm {
	static constexpr auto target = op("aten::group_norm");
	static Ref translate(Translation& t);
};
struct native_group_norm {
	static constexpr auto target = op("aten::native_group_norm");
	static void translate(Translation& t);
};
}
using normalization_translations =
	translations<translated::layer_norm, translated::rms_norm, translated::batch_norm, translated::native_batch_norm,
		translated::functional_batch_norm, translated::group_norm, translated::native_group_norm>;
}
namespace ferry::onnx {
namespace translated {
struct topk {
	static constexpr auto target = op("aten::topk");
	static void translate(Translation& t);
};
struct sort {
	static constexpr auto target = op("aten::sort", "aten::sort.stable");
	static void translate(Translation& t);
};
struct kthvalue {
	static constexpr auto target = op("aten::kthvalue");
	static void translate(Translation& t);
};
struct median {
	static constexpr auto target = op("aten::median", "aten::median.dim");
	static void translate(Translation& t);
};
struct nanmedian {
	static constexpr auto target = op("aten::nanmedian", "aten::nanmedian.dim");
	static void translate(Translation& t);
};
struct mode {
	static constexpr auto target = op("aten::mode");
	static void translate(Translation& t);
};
}
using order_translations = translations<translated::topk, translated::sort, translated::kthvalue, translated::median,
		translated::nanmedian, translated::mode>;
}
namespace ferry::onnx {
namespace translated {
struct slice {
	static constexpr auto target = op("aten::slice.Tensor", "aten::slice_copy.Tensor");
	static Ref translate(Translation& t);
};
struct narrow {
	static constexpr auto target = op("aten::narrow");
	static Ref translate(Translation& t);
};
struct select {
	static constexpr auto target = op("aten::select.int", "aten::select_copy.int");
	static Ref translate(Translation& t);
};
struct select_scatter {
	static constexpr auto target = op("aten::select_scatter");
	static Ref translate(Translation& t);
};
struct slice_scatter {
	static constexpr auto target = op("aten::slice_scatter");
	static Ref translate(Translation& t);
};
struct cat {
	static constexpr auto target = op("aten::cat", "aten::concat", "aten::concatenate");
	static Ref translate(Translation& t);
};
struct stack {
	static constexpr auto target = op("aten::stack");
	static Ref translate(Translation& t);
};
struct split {
	static constexpr auto target =
		op("aten::split.Tensor", "aten::split_with_sizes", "aten::chunk", "aten::unsafe_split.Tensor",
		"aten::unsafe_split_with_sizes", "aten::unsafe_chunk", "aten::split.sizes", "aten::split_with_sizes_copy",
		"aten::split_copy.Tensor");
	static void translate(Translation& t);
};
struct unbind {
	static constexpr auto target = op("aten::unbind.int", "aten::unbind_copy.int");
	static void translate(Translation& t);
};
}
using parts_translations =
	translations<translated::slice, translated::narrow, translated::select, translated::select_scatter,
		translated::slice_scatter, translated::cat, translated::stack, translated::split, translated::unbind>;
}
namespace ferry::onnx {
namespace translated {
Ref unary(Translation& t, std::string_view op);
Ref rounding(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct unary_op {
	static constexpr auto target = op(Aten.text);
	static Ref translate(Translation& t) { return unary(t, Onnx); }
};
template <fixed_string Aten, fixed_string Onnx>
struct rounding_op {
	static constexpr auto target = op(Aten.text);
	static Ref translate(Translation& t) { return rounding(t, Onnx); }
};
struct rsqrt {
	static constexpr auto target = op("aten::rsqrt");
	static Ref translate(Translation& t);
};
struct trunc {
	static constexpr auto target = op("aten::trunc");
	static Ref translate(Translation& t);
};
struct round_decimals {
	static constexpr auto target = op("aten::round.decimals");
	static Ref translate(Translation& t);
};
struct exp2 {
	static constexpr auto target = op("aten::exp2");
	static Ref translate(Translation& t);
};
struct expm1 {
	static constexpr auto target = op("aten::expm1");
	static Ref translate(Translation& t);
};
struct log1p {
	static constexpr auto target = op("aten::log1p");
	static Ref translate(Translation& t);
};
struct log2 {
	static constexpr auto target = op("aten::log2");
	static Ref translate(Translation& t);
};
struct log10 {
	static constexpr auto target = op("aten::log10");
	static Ref translate(Translation& t);
};
}
using pointwise_translations =
	translations<translated::unary_op<"aten::exp", "Exp">, translated::unary_op<"aten::log", "Log">,
		translated::unary_op<"aten::sqrt", "Sqrt">, translated::unary_op<"aten::sin", "Sin">,
		translated::unary_op<"aten::cos", "Cos">, translated::unary_op<"aten::tan", "Tan">,
		translated::unary_op<"aten::sinh", "Sinh">, translated::unary_op<"aten::cosh", "Cosh">,
		translated::unary_op<"aten::tanh", "Tanh">, translated::unary_op<"aten::asin", "Asin">,
		translated::unary_op<"aten::acos", "Acos">, translated::unary_op<"aten::atan", "Atan">,
		translated::unary_op<"aten::asinh", "Asinh">, translated::unary_op<"aten::acosh", "Acosh">,
		translated::unary_op<"aten::atanh", "Atanh">, translated::unary_op<"aten::sigmoid", "Sigmoid">,
		translated::unary_op<"aten::erf", "Erf">, translated::unary_op<"aten::neg", "Neg">,
		translated::unary_op<"aten::abs", "Abs">, translated::unary_op<"aten::sign", "Sign">,
		translated::unary_op<"aten::reciprocal", "Reciprocal">,
		translated::rounding_op<"aten::floor", "Floor">, translated::rounding_op<"aten::ceil", "Ceil">,
		translated::rounding_op<"aten::round", "Round">, translated::trunc, translated::round_decimals,
		translated::rsqrt, translated::exp2, translated::expm1, translated::log1p, translated::log2,
		translated::log10>;
}
namespace ferry::onnx {
namespace translated {
struct max_pool {
	static constexpr auto target = op("aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d",
		"aten::max_pool2d_with_indices", "aten::max_pool3d_with_indices");
	static void translate(Translation& t);
};
struct avg_pool {
	static constexpr auto target = op("aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d");
	static Ref translate(Translation& t);
};
struct max_unpool {
	static constexpr auto target = op("aten::max_unpool2d", "aten::max_unpool3d");
	static Ref translate(Translation& t);
};
}
using pooling_translations = translations<translated::max_pool, translated::avg_pool, translated::max_unpool>;
}
namespace ferry::onnx {
namespace translated {
struct rand {
	static constexpr auto target = op("aten::rand", "aten::rand_like");
	static Ref translate(Translation& t);
};
struct randn {
	static constexpr auto target = op("aten::randn", "aten::randn_like");
	static Ref translate(Translation& t);
};
struct randint {
	static constexpr auto target =
		op("aten::randint", "aten::randint.low", "aten::randint_like", "aten::randint_like.low_dtype");
	static Ref translate(Translation& t);
};
struct random_between {
	static constexpr auto target = op("aten::random.to", "aten::random.from");
	static Ref translate(Translation& t);
};
struct uniform {
	static constexpr auto target = op("aten::uniform");
	static Ref translate(Translation& t);
};
struct exponential {
	static constexpr auto target = op("aten::exponential");
	static Ref translate(Translation& t);
};
struct normal {
	static constexpr auto target =
		op("aten::normal.Tensor_float", "aten::normal.float_Tensor", "aten::normal.Tensor_Tensor",
		"aten::normal.float_float", "aten::normal_functional");
	static Ref translate(Translation& t);
};
struct bernoulli {
	static constexpr auto target = op("aten::bernoulli", "aten::bernoulli.p", "aten::bernoulli.Tensor");
	static Ref translate(Translation& t);
};
struct log_normal {
	static constexpr auto target = op("aten::log_normal");
	static Ref translate(Translation& t);
};
struct poisson {
	static constexpr auto target = op("aten::poisson");
	static Ref translate(Translation& t);
};
struct binomial {
	static constexpr auto target = op("aten::binomial");
	static Ref translate(Translation& t);
};
struct geometric {
	static constexpr auto target = op("aten::geometric");
	static Ref translate(Translation& t);
};
struct cauchy {
	static constexpr auto target = op("aten::cauchy");
	static Ref translate(Translation& t);
};
struct dropout {
	static constexpr auto target = op("aten::dropout");
	static Ref translate(Translation& t);
};
struct dropout_of_other_kinds {
	static constexpr auto target = op("aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout");
	static Ref translate(Translation& t);
};
struct rrelu {
	static constexpr auto target = op("aten::rrelu_with_noise_functional");
	static void translate(Translation& t);
};
struct native_dropout {
	static constexpr auto target = op("aten::native_dropout");
	static void translate(Translation& t);
};
struct randperm {
	static constexpr auto target = op("aten::randperm");
	static Ref translate(Translation& t);
};
struct multinomial {
	static constexpr auto target = op("aten::multinomial");
	static Ref translate(Translation& t);
};
}
using random_translations =
	translations<translated::rand, translated::randn, translated::randint, translated::random_between,
		translated::uniform, translated::exponential, translated::normal, translated::bernoulli,
		translated::log_normal, translated::poisson, translated::binomial, translated::geometric,
		translated::cauchy, translated::dropout, translated::dropout_of_other_kinds, translated::rrelu,
		translated::native_dropout, translated::randperm, translated::multinomial>;
}
namespace ferry::onnx {
namespace translated {
void translate_plain_rnn(Translation& t, std::string_view activation);
struct lstm {
	static constexpr auto target = op("aten::lstm.input");
	static void translate(Translation& t);
};
struct gru {
	static constexpr auto target = op("aten::gru.input");
	static void translate(Translation& t);
};
template <fixed_string Aten, fixed_string Activation>
struct plain_rnn {
	static constexpr auto target = op(Aten.text);
	static void translate(Translation& t) { translate_plain_rnn(t, Activation); }
};
}
using recurrent_translations =
	translations<translated::lstm, translated::gru, translated::plain_rnn<"aten::rnn_tanh.input", "Tanh">,
		translated::plain_rnn<"aten::rnn_relu.input", "Relu">>;
}
namespace ferry::onnx {
namespace translated {
Ref reduced(Translation& t, std::string_view op, bool has_dims);
template <fixed_string Aten, fixed_string Onnx, bool HasDims>
struct reduction_op {
	static constexpr auto target = op(Aten.text);
	static Ref translate(Translation& t) { return reduced(t, Onnx, HasDims); }
};
struct any {
	static constexpr auto target = op("aten::any", "aten::any.dim", "aten::any.dims");
	static Ref translate(Translation& t);
};
struct all {
	static constexpr auto target = op("aten::all", "aten::all.dim", "aten::all.dims", "aten::_is_all_true");
	static Ref translate(Translation& t);
};
struct max_dim {
	static constexpr auto target = op("aten::max.dim");
	static void translate(Translation& t);
};
struct min_dim {
	static constexpr auto target = op("aten::min.dim");
	static void translate(Translation& t);
};
struct argmax {
	static constexpr auto target = op("aten::argmax");
	static Ref translate(Translation& t);
};
struct argmin {
	static constexpr auto target = op("aten::argmin");
	static Ref translate(Translation& t);
};
struct var {
	static constexpr auto target = op("aten::var.correction");
	static Ref translate(Translation& t);
};
struct std_dev {
	static constexpr auto target = op("aten::std.correction");
	static Ref translate(Translation& t);
};
struct vector_norm {
	static constexpr auto target = op("aten::linalg_vector_norm");
	static Ref translate(Translation& t);
};
struct logsumexp {
	static constexpr auto target = op("aten::logsumexp");
	static Ref translate(Translation& t);
};
struct softmax {
	static constexpr auto target = op("aten::softmax.int", "aten::_softmax");
	static Ref translate(Translation& t);
};
struct log_softmax {
	static constexpr auto target = op("aten::log_softmax.int", "aten::_log_softmax");
	static Ref translate(Translation& t);
};
}
using reduction_translations =
	translations<translated::reduction_op<"aten::sum", "ReduceSum", false>,
		translated::reduction_op<"aten::sum.dim_IntList", "ReduceSum", true>,
		translated::reduction_op<"aten::mean", "ReduceMean", false>,
		translated::reduction_op<"aten::mean.dim", "ReduceMean", true>,
		translated::reduction_op<"aten::prod", "ReduceProd", false>,
		translated::reduction_op<"aten::prod.dim_int", "ReduceProd", true>,
		translated::reduction_op<"aten::amax", "ReduceMax", true>,
		translated::reduction_op<"aten::amin", "ReduceMin", true>,
		translated::reduction_op<"aten::max", "ReduceMax", false>,
		translated::reduction_op<"aten::min", "ReduceMin", false>, translated::any, translated::all,
		translated::max_dim, translated::min_dim, translated::argmax, translated::argmin, translated::var,
		translated::std_dev, translated::vector_norm, translated::logsumexp, translated::softmax,
		translated::log_softmax>;
}
namespace ferry::onnx {
namespace translated {
struct upsample_nearest {
	static constexpr auto target =
		op("aten::upsample_nearest1d", "aten::upsample_nearest2d", "aten::upsample_nearest3d",
		"aten::upsample_nearest1d.vec", "aten::upsample_nearest2d.vec", "aten::upsample_nearest3d.vec");
	static Ref translate(Translation& t);
};
struct upsample_linear {
	static constexpr auto target =
		op("aten::upsample_linear1d", "aten::upsample_bilinear2d", "aten::upsample_trilinear3d",
		"aten::upsample_linear1d.vec", "aten::upsample_bilinear2d.vec", "aten::upsample_trilinear3d.vec");
	static Ref translate(Translation& t);
};
struct upsample_bicubic {
	static constexpr auto target = op("aten::upsample_bicubic2d", "aten::upsample_bicubic2d.vec");
	static Ref translate(Translation& t);
};
struct upsample_antialiased {
	static constexpr auto target = op("aten::_upsample_bilinear2d_aa", "aten::_upsample_bilinear2d_aa.vec",
		"aten::_upsample_bicubic2d_aa", "aten::_upsample_bicubic2d_aa.vec");
	static Ref translate(Translation& t);
};
struct grid_sampler {
	static constexpr auto target = op("aten::grid_sampler", "aten::grid_sampler_2d", "aten::grid_sampler_3d");
	static Ref translate(Translation& t);
};
struct affine_grid {
	static constexpr auto target = op("aten::affine_grid_generator");
	static Ref translate(Translation& t);
};
}
using resampling_translations =
	translations<translated::upsample_nearest, translated::upsample_linear, translated::upsample_bicubic,
		translated::upsample_antialiased, translated::grid_sampler, translated::affine_grid>;
}
namespace ferry::onnx {
namespace translated {
struct cumsum {
	static constexpr auto target = op("aten::cumsum");
	static Ref translate(Translation& t);
};
struct cumprod {
	static constexpr auto target = op("aten::cumprod");
	static Ref translate(Translation& t);
};
struct logcumsumexp {
	static constexpr auto target = op("aten::logcumsumexp");
	static Ref translate(Translation& t);
};
struct cummax {
	static constexpr auto target = op("aten::cummax");
	static void translate(Translation& t);
};
struct cummin {
	static constexpr auto target = op("aten::cummin");
	static void translate(Translation& t);
};
}
using running_translations = translations<translated::cumsum, translated::cumprod, translated::logcumsumexp,
		translated::cummax, translated::cummin>;
}
namespace ferry::onnx {
namespace translated {
struct scatter {
	static constexpr auto target = op("aten::scatter.src", "aten::scatter_add");
	static Ref translate(Translation& t);
};
struct scatter_value {
	static constexpr auto target = op("aten::scatter.value");
	static Ref translate(Translation& t);
};
struct scatter_reduce {
	static constexpr auto target = op("aten::scatter_reduce.two");
	static Ref translate(Translation& t);
};
struct scatter_reduce_old {
	static constexpr auto target = op("aten::scatter.reduce", "aten::scatter.value_reduce");
	static Ref translate(Translation& t);
};
struct index_reduce {
	static constexpr auto target = op("aten::index_reduce");
	static Ref translate(Translation& t);
};
struct index_add {
	static constexpr auto target = op("aten::index_add");
	static Ref translate(Translation& t);
};
struct put {
	static constexpr auto target = op("aten::put");
	static Ref translate(Translation& t);
};
}
using scatter_translations =
	translations<translated::scatter, translated::scatter_value, translated::scatter_reduce,
		translated::scatter_reduce_old, translated::index_reduce, translated::index_add, translated::put>;
}
namespace ferry::onnx {
namespace translated {
Ref computed(Translation& t, std::string_view op);
template <fixed_string Name, fixed_string Onnx>
struct number_op {
	static constexpr auto target = op(Name.text);
	static Ref translate(Translation& t) { return computed(t, Onnx); }
};
struct true_division {
	static constexpr auto target = op("_operator::truediv");
	static Ref translate(Translation& t);
};
struct to_float {
	static constexpr auto target = op("torch::sym_float");
	static Ref translate(Translation& t);
};
struct not_equal_numbers {
	static constexpr auto target = op("_operator::ne");
	static Ref translate(Translation& t);
};
struct square_root {
	static constexpr auto target = op("torch::sym_sqrt", "torch::_sym_sqrt", "math::sqrt");
	static Ref translate(Translation& t);
};
struct whole_number {
	static constexpr auto target =
		op("aten::sym_size.int", "aten::sym_numel", "aten::sym_stride.int", "_operator::floordiv", "_operator::mod",
		"_operator::pos", "torch::sym_int", "torch::sym_ite", "math::ceil", "math::floor", "math::trunc");
	static Ref translate(Translation& t);
};
struct item {
	static constexpr auto target = op("aten::item", "aten::_local_scalar_dense");
	static Ref translate(Translation& t);
};
struct range_of_number {
	static constexpr auto target = op("aten::sym_constrain_range", "aten::sym_constrain_range_for_size");
	static void translate(Translation&);
};
}
using size_translations =
	translations<translated::number_op<"_operator::add", "Add">, translated::number_op<"_operator::sub", "Sub">,
		translated::number_op<"_operator::mul", "Mul">, translated::number_op<"_operator::neg", "Neg">,
		translated::number_op<"_operator::pow", "Pow">, translated::number_op<"_operator::eq", "Equal">,
		translated::number_op<"_operator::lt", "Less">, translated::number_op<"_operator::le", "LessOrEqual">,
		translated::number_op<"_operator::gt", "Greater">,
		translated::number_op<"_operator::ge", "GreaterOrEqual">,
		translated::number_op<"torch::sym_max", "Max">, translated::number_op<"torch::sym_min", "Min">,
		translated::true_division, translated::to_float, translated::not_equal_numbers,
		translated::square_root, translated::whole_number, translated::item, translated::range_of_number>;
}
namespace ferry::onnx {
namespace translated {
struct erfinv {
	static constexpr auto target = op("aten::erfinv");
	static Ref translate(Translation& t);
};
struct erfc {
	static constexpr auto target = op("aten::erfc");
	static Ref translate(Translation& t);
};
struct lgamma {
	static constexpr auto target = op("aten::lgamma");
	static Ref translate(Translation& t);
};
struct digamma {
	static constexpr auto target = op("aten::digamma");
	static Ref translate(Translation& t);
};
struct xlogy {
	static constexpr auto target = op("aten::xlogy.Scalar_Other", "aten::xlogy.Scalar_Self");
	static Ref translate(Translation& t);
};
struct xlog1py {
	static constexpr auto target =
		op("aten::special_xlog1py", "aten::special_xlog1py.other_scalar", "aten::special_xlog1py.self_scalar");
	static Ref translate(Translation& t);
};
struct hypot {
	static constexpr auto target = op("aten::hypot");
	static Ref translate(Translation& t);
};
struct signbit {
	static constexpr auto target = op("aten::signbit");
	static Ref translate(Translation& t);
};
struct copysign {
	static constexpr auto target = op("aten::copysign.Tensor", "aten::copysign.Scalar");
	static Ref translate(Translation& t);
};
Ref extreme(Translation& t, std::string_view op);
template <fixed_string Aten, fixed_string Onnx>
struct extreme_number {
	static constexpr auto target = op(Aten.text);
	static Ref translate(Translation& t) { return extreme(t, Onnx); }
};
struct ldexp {
	static constexpr auto target = op("aten::ldexp.Tensor");
	static Ref translate(Translation& t);
};
}
using special_translations =
	translations<translated::erfinv, translated::erfc, translated::lgamma, translated::digamma, translated::xlogy,
		translated::xlog1py, translated::hypot, translated::signbit, translated::copysign,
		translated::extreme_number<"aten::fmax", "Max">, translated::extreme_number<"aten::fmin", "Min">,
		translated::ldexp>;
}
namespace ferry::onnx {
namespace translated {
struct as_strided {
	static constexpr auto target = op("aten::as_strided", "aten::as_strided_copy");
	static Ref translate(Translation& t);
};
struct as_strided_scatter {
	static constexpr auto target = op("aten::as_strided_scatter");
	static Ref translate(Translation& t);
};
}
using strided_translations = translations<translated::as_strided, translated::as_strided_scatter>;
}
namespace ferry::onnx {
namespace translated {
struct unique {
	static constexpr auto target = op("aten::_unique2", "aten::_unique");
	static void translate(Translation& t);
};
struct unique_dim {
	static constexpr auto target = op("aten::unique_dim");
	static void translate(Translation& t);
};
struct unique_consecutive {
	static constexpr auto target = op("aten::unique_consecutive", "aten::unique_dim_consecutive");
	static void translate(Translation& t);
};
}
using unique_translations = translations<translated::unique, translated::unique_dim, translated::unique_consecutive>;
}
namespace ferry::onnx {
namespace translated {
struct same {
	static constexpr auto target =
		op("aten::clone", "aten::contiguous", "aten::alias", "aten::detach", "aten::detach_", "aten::lift_fresh",
		"aten::lift_fresh_copy", "aten::_to_copy", "aten::to.dtype", "aten::to.dtype_layout", "aten::to.device",
		"aten::to.other", "aten::type_as", "aten::positive", "aten::view.dtype");
	static Ref translate(Translation& t);
};
struct copy {
	static constexpr auto target = op("aten::copy");
	static Ref translate(Translation& t);
};
struct reshape {
	static constexpr auto target =
		op("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_as", "aten::reshape_as",
		"aten::flatten.using_ints", "aten::unflatten.int", "aten::_reshape_alias", "aten::view_copy");
	static Ref translate(Translation& t);
};
struct unsqueeze {
	static constexpr auto target = op("aten::unsqueeze");
	static Ref translate(Translation& t);
};
struct squeeze {
	static constexpr auto target = op("aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims");
	static Ref translate(Translation& t);
};
struct expand {
	static constexpr auto target = op("aten::expand", "aten::expand_as", "aten::broadcast_to", "aten::expand_copy");
	static Ref translate(Translation& t);
};
struct permute {
	static constexpr auto target = op("aten::permute");
	static Ref translate(Translation& t);
};
struct transpose {
	static constexpr auto target = op("aten::transpose.int", "aten::swapaxes", "aten::swapdims");
	static Ref translate(Translation& t);
};
struct t_op {
	static constexpr auto target = op("aten::t", "aten::numpy_T", "aten::mT");
	static Ref translate(Translation& t);
};
}
using view_translations =
	translations<translated::same, translated::copy, translated::reshape, translated::unsqueeze, translated::squeeze,
		translated::expand, translated::permute, translated::transpose, translated::t_op>;
}
namespace ferry::onnx {
struct default_translations
	: concat_t<pointwise_translations, activation_translations, arithmetic_translations, logic_translations,
		view_translations, parts_translations, arrangement_translations, matrix_translations,
		indexing_translations, factory_translations, reduction_translations, normalization_translations,
		attention_translations, convolution_translations, resampling_translations, counting_translations,
		control_flow_translations, recurrent_translations, complex_translations, fourier_translations,
		fractional_pooling_translations, size_translations, adaptive_pooling_translations,
		constant_factory_translations, diagonal_translations, distance_translations, embedding_translations,
		grouped_translations, linear_system_translations, loss_translations, order_translations,
		pooling_translations, random_translations, running_translations, scatter_translations,
		special_translations, strided_translations, unique_translations>,
	own_list {};
}
namespace ferry {
struct onnx_stages : stages_after<dynamo_stages, "onnx",                 
		stage<"torch patches", patches>,       
		stage<"onnx patches", decompositions>, 
		stage<"graph node fixes", node_fixes>, 
		stage<"translations", translations>,   
		stage<"ONNX IR fixes", ir_fixes>       
		> {};
using onnx_pipeline = pipeline_after<onnx_stages, dynamo_pipeline, fused_layer_decompositions,
		onnx::default_translations, onnx::default_ir_fixes>;
}
#include <type_traits>
namespace ferry::onnx {
using Translate = Translation::Function;
namespace detail {
template <class Entry>
struct bind_translation {
	static constexpr Translate value = [](Translation& translation) {
		if constexpr (std::is_void_v<decltype(Entry::translate(translation))>)
		Entry::translate(translation);
		else
		translation.result(Entry::translate(translation));
	};
};
template <class Pipeline>
using find_translation = pipeline_finder<Pipeline, translations<>, Translate, bind_translation>;
template <class Entry>
void fix_model_by(Model& model, bool optimize) {
	if constexpr (requires { requires Entry::optimizes; }) {
		if (optimize) Entry::fix(model);
	} else {
		Entry::fix(model);
	}
}
template <class List>
struct list_fixes : list_fixes<plain_t<List>> {};
template <class... Entries>
struct list_fixes<ir_fixes<Entries...>> {
	static void run([[maybe_unused]] Model& model, [[maybe_unused]] bool optimize) {
		(fix_model_by<Entries>(model, optimize), ...);
	}
};
template <>
struct list_fixes<default_ir_fixes> {
	static void run(Model& model, bool optimize);
};
template <class Lists>
struct model_fixes;
template <class... Lists>
struct model_fixes<type_list<Lists...>> {
	template <class List>
	static void run_list([[maybe_unused]] Model& model, [[maybe_unused]] bool optimize) {
		if constexpr (std::is_same_v<ferry::detail::kind_of<List>, ir_fixes<>>) list_fixes<List>::run(model, optimize);
	}
	static void run(Model& model, bool optimize) { (run_list<Lists>(model, optimize), ...); }
};
template <class Pipeline>
[[nodiscard]] capture::Kernel find_parts(std::string_view op) {
	if (find_translation<Pipeline>::find(op) != nullptr) return nullptr;
	if (const capture::Kernel own = ferry::detail::find_own_parts<Pipeline>(op)) return own;
	return ferry::detail::find_core_decomposition(op);
}
[[nodiscard]] inline bool is_never_patched(std::string_view) { return false; }
template <class Pipeline>
[[nodiscard]] bool is_patched(std::string_view op) {
	return capture::rules_of<Pipeline>.patch(op) != nullptr;
}
}
template <class Pipeline>
inline constexpr ExportRules rules_of{
	.translation = &detail::find_translation<Pipeline>::find,
	.is_patched = &detail::is_never_patched,
	.has_parts = &ferry::detail::has_parts<&detail::find_parts<Pipeline>>,
	.take_apart = &ferry::detail::take_program_apart<Pipeline, &detail::find_parts<Pipeline>>,
	.fix_node = &ferry::detail::fix_node<Pipeline>,
	.fix_model = &detail::model_fixes<typename Pipeline::lists>::run};
template <class Pipeline>
inline constexpr ExportRules rules_of_loaded = [] {
	ExportRules rules = rules_of<Pipeline>;
	rules.is_patched = &detail::is_patched<Pipeline>;
	rules.take_apart = &ferry::detail::take_program_apart<
		Pipeline, &ferry::detail::find_patch_or_parts<Pipeline, &detail::find_parts<Pipeline>>>;
	return rules;
}();
}
#ifdef FERRY_COMPILED
namespace ferry {
extern template struct list_finder<onnx::default_translations, onnx::Translate, onnx::detail::bind_translation>;
extern template struct list_finder<fused_layer_decompositions, capture::Kernel, capture::detail::bind_decomposition>;
}
#endif
namespace ferry {
template <class Pipeline = onnx_pipeline>
class OnnxExporter {
public:
	using Config = OnnxConfig;
	static constexpr std::string_view suffix = ".onnx";
	template <class Model>
	[[nodiscard]] OnnxProgram export_model(Model&& model, Inputs inputs, const OnnxConfig& config = {}) const {
		config.check();
		return onnx::export_program(
		DynamoExporter<Pipeline>{}.export_model(std::forward<Model>(model), std::move(inputs), config.dynamo()),
		config, onnx::rules_of<Pipeline>);
	}
	template <class Model, std::same_as<InputObserver> Observer>
	[[nodiscard]] OnnxProgram export_model(Model&& model, const Observer& observer,
		const OnnxConfig& config = {}) const {
		return export_model(std::forward<Model>(model), observer.infer_arguments(), observer.with_shapes(config));
	}
	[[nodiscard]] OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config = {}) const {
		return onnx::export_program(std::move(program), config, onnx::rules_of_loaded<Pipeline>);
	}
};
}
#include <onnx/common/version.h>
namespace ferry::onnx {
inline constexpr Version library_found = parse_version(::ONNX_NAMESPACE::LAST_RELEASE_VERSION);
static_assert(library_found >= onnx_library.minimum,
		"ferry: this onnx is older than Ferry works with; ferry/core/versions.hpp says from which version on");
inline void meet_library() { check_version<onnx_library>(library_found); }
}
#if __has_include(<onnxruntime_c_api.h>)
#endif
#if !defined(FERRY_COMPILED) || defined(FERRY_COMPILED_SOURCE)
namespace ferry {
FERRY_INLINE tree::Context OnnxConfig::to_dict() const { return OnnxConfig(*this).settings().to_dict(); }
FERRY_INLINE OnnxConfig OnnxConfig::from_dict(const tree::Context& dict) {
	OnnxConfig made;
	made.settings().read(dict);
	made.check();
	return made;
}
FERRY_INLINE void OnnxConfig::check() const {
	const auto [oldest, newest] = opset_range;
	if (opset() < oldest || opset() > newest)
		throw Error(ErrorKind::invalid_input, "there is no export to opset " + std::to_string(opset()),
		{.hint = "opset_version may be " + std::to_string(oldest) + " to " + std::to_string(newest)});
	if (output_path && (output_path->empty() || std::filesystem::is_directory(*output_path)))
		throw Error(ErrorKind::invalid_input, "output_path is not the path of a file",
		{.where = {.path = output_path->string()}});
}
FERRY_INLINE Settings OnnxConfig::settings() {
	return {format,
		{{"dynamic", &dynamic},
		{"strict", &strict},
		{"dynamic_shapes", &dynamic_shapes},
		{"prefer_deferred_runtime_asserts_over_guards", &prefer_deferred_runtime_asserts_over_guards},
		{"output_path", &output_path},
		{"opset_version", &opset_version},
		{"external_data", &external_data},
		{"optimize", &optimize},
		{"export_params", &export_params},
		{"keep_initializers_as_inputs", &keep_initializers_as_inputs}}};
}
}
namespace ferry::onnx {
namespace detail {
inline constexpr std::pair<DType, std::int32_t> element_types[] = {
	{DType::float32, 1},      {DType::uint8, 2},           {DType::int8, 3},
	{DType::uint16, 4},       {DType::int16, 5},           {DType::int32, 6},
	{DType::int64, 7},        {DType::boolean, 9},         {DType::float16, 10},
	{DType::float64, 11},     {DType::uint32, 12},         {DType::uint64, 13},
	{DType::bfloat16, 16},    {DType::float8_e4m3fn, 17},  {DType::float8_e4m3fnuz, 18},
	{DType::float8_e5m2, 19}, {DType::float8_e5m2fnuz, 20}};
}
[[nodiscard]] inline std::int32_t element_type(DType dtype) {
	for (const auto& [known, number] : detail::element_types)
		if (known == dtype) return number;
	throw Error(ErrorKind::unsupported, "ONNX Runtime has no tensors of " + std::string(info(dtype).torch_name),
		{.hint = is_complex(dtype) ? "compute with real and imaginary parts (torch::view_as_real)" : ""});
}
[[nodiscard]] constexpr std::optional<DType> dtype_of(std::int32_t element_type) noexcept {
	for (const auto& [dtype, number] : detail::element_types)
		if (number == element_type) return dtype;
	return std::nullopt;
}
}
#include <onnx/onnx_pb.h>
namespace ferry::onnx {
enum class Weights : std::uint8_t {
	inside, 
	outside,
	inputs, 
};
struct ExternalTensor {
	std::string name;
	at::Tensor tensor;
	std::uint64_t offset = 0;
	std::uint64_t length = 0;
};
struct Emitted {
	::ONNX_NAMESPACE::ModelProto proto{};
	std::vector<ExternalTensor> external{};
};
[[nodiscard]] constexpr std::int64_t ir_version(std::int64_t opset) noexcept {
	return opset <= 18 ? 8 : opset <= 20 ? 9 : opset <= 22 ? 10 : opset == 23 ? 11 : 12;
}
namespace detail {
class Emitter {
public:
	Emitter(const Model& model, Weights weights, std::string file)
		: model_(model), weights_(weights), file_(std::move(file)) {}
	[[nodiscard]] Emitted emit(bool weights_are_inputs_too) {
		auto& proto = made_.proto;
		proto.set_ir_version(ir_version(model_.opset()));
		proto.set_producer_name("ferry");
		proto.set_producer_version(std::to_string(FERRY_VERSION_MAJOR) + "." + std::to_string(FERRY_VERSION_MINOR) +
		"." + std::to_string(FERRY_VERSION_PATCH));
		proto.set_doc_string(model_.doc);
		for (const auto& [domain, version] : model_.opsets) {
		auto& opset = *proto.add_opset_import();
		opset.set_domain(domain);
		opset.set_version(version);
		}
		for (const auto& [key, value] : model_.metadata) {
		auto& entry = *proto.add_metadata_props();
		entry.set_key(key);
		entry.set_value(value);
		}
		auto& graph = *proto.mutable_graph();
		std::vector<bool> used(model_.num_values());
		for (const Body& body : model_.bodies) {
		for (const Node& node : body.nodes)
		for (const Ref input : node.inputs)
		if (input) used[input.index] = true;
		for (const Ref output : body.outputs) used[output.index] = true;
		}
		fill(graph, model_.main());
		for (std::uint32_t i = 0; i < model_.num_values(); ++i) {
		const ValueData& value = model_[Ref{i}];
		if (!used[i] || !value.constant.defined()) continue;
		const bool is_small = value.constant.nbytes() <= small_bytes;
		if (weights_ == Weights::inputs && !is_small) {
		describe(*graph.add_input(), value);
		continue;
		}
		put(*graph.add_initializer(), value.name, value.constant, weights_ == Weights::outside && !is_small);
		if (weights_are_inputs_too) describe(*graph.add_input(), value);
		}
		return std::move(made_);
	}
private:
	static constexpr std::size_t small_bytes = 1024;
	static constexpr std::uint64_t page = 4096;
	void describe(::ONNX_NAMESPACE::ValueInfoProto& info, const ValueData& value) const {
		info.set_name(value.name);
		auto& type = *info.mutable_type()->mutable_tensor_type();
		type.set_elem_type(element_type(value.dtype));
		if (!value.sizes) return;
		auto& shape = *type.mutable_shape();
		for (const SymExpr& size : *value.sizes) {
		auto& dim = *shape.add_dim();
		if (size.is_constant())
		dim.set_dim_value(size.value());
		else
		dim.set_dim_param(to_string(size));
		}
	}
	void put(::ONNX_NAMESPACE::TensorProto& proto, const std::string& name, const at::Tensor& tensor, bool outside) {
		proto.set_name(name);
		proto.set_data_type(element_type(to_dtype(tensor.scalar_type())));
		for (const std::int64_t size : tensor.sizes()) proto.add_dims(size);
		if (!outside) {
		const at::Tensor dense = tensor.contiguous();
		proto.mutable_raw_data()->assign(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes());
		return;
		}
		std::uint64_t offset = made_.external.empty() ? 0 : made_.external.back().offset + made_.external.back().length;
		offset = (offset + page - 1) / page * page;
		made_.external.push_back({name, tensor, offset, tensor.nbytes()});
		proto.set_data_location(::ONNX_NAMESPACE::TensorProto::EXTERNAL);
		const auto say = [&](const char* key, const std::string& value) {
		auto& entry = *proto.add_external_data();
		entry.set_key(key);
		entry.set_value(value);
		};
		say("location", file_);
		say("offset", std::to_string(offset));
		say("length", std::to_string(tensor.nbytes()));
	}
	void fill(::ONNX_NAMESPACE::GraphProto& graph, const Body& body) {
		graph.set_name(body.name);
		for (const Ref input : body.inputs) describe(*graph.add_input(), model_[input]);
		for (const Ref output : body.outputs) describe(*graph.add_output(), model_[output]);
		for (const Node& node : body.nodes) {
		add(*graph.add_node(), node);
		for (const Ref output : node.outputs) {
		if (!output || !model_[output].sizes) continue;
		if (!algo::contains(body.outputs, output)) describe(*graph.add_value_info(), model_[output]);
		}
		}
	}
	void add(::ONNX_NAMESPACE::NodeProto& proto, const Node& node) {
		proto.set_op_type(node.op);
		if (!node.domain.empty()) proto.set_domain(node.domain);
		proto.set_name(std::string(node.path) + (node.path.empty() ? "" : "/") + node.op + "_" +
		std::to_string(count_++));
		for (const Ref input : node.inputs) proto.add_input(input ? model_[input].name : "");
		for (const Ref output : node.outputs) proto.add_output(output ? model_[output].name : "");
		if (!node.path.empty()) {
		auto& path = *proto.add_metadata_props();
		path.set_key("module_path");
		path.set_value(std::string(node.path));
		}
		for (const Attribute& attribute : node.attributes) add(*proto.add_attribute(), attribute);
	}
	void add(::ONNX_NAMESPACE::AttributeProto& proto, const Attribute& attribute) {
		using Proto = ::ONNX_NAMESPACE::AttributeProto;
		proto.set_name(attribute.name);
		const AttributeValue& value = attribute.value;
		if (const auto* integer = std::get_if<std::int64_t>(&value)) {
		proto.set_type(Proto::INT);
		proto.set_i(*integer);
		} else if (const auto* real = std::get_if<double>(&value)) {
		proto.set_type(Proto::FLOAT);
		proto.set_f(static_cast<float>(*real));
		} else if (const auto* text = std::get_if<std::string>(&value)) {
		proto.set_type(Proto::STRING);
		proto.set_s(*text);
		} else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
		proto.set_type(Proto::INTS);
		for (const std::int64_t each : *integers) proto.add_ints(each);
		} else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
		proto.set_type(Proto::FLOATS);
		for (const double each : *reals) proto.add_floats(static_cast<float>(each));
		} else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
		proto.set_type(Proto::STRINGS);
		for (const std::string& each : *texts) proto.add_strings(each);
		} else if (const auto* tensor = std::get_if<at::Tensor>(&value)) {
		proto.set_type(Proto::TENSOR);
		put(*proto.mutable_t(), "", *tensor, false);
		} else if (const auto* body = std::get_if<BodyRef>(&value)) {
		proto.set_type(Proto::GRAPH);
		fill(*proto.mutable_g(), model_.bodies.at(body->index));
		}
	}
	const Model& model_;
	Weights weights_;
	std::string file_;
	std::size_t count_ = 0;
	Emitted made_;
};
}
[[nodiscard]] inline Emitted emit(const Model& model, Weights weights, std::string file = {},
		bool weights_are_inputs_too = false) {
	return detail::Emitter(model, weights, std::move(file)).emit(weights_are_inputs_too);
}
}
#include <onnx/checker.h>
#include <exception>
namespace ferry::onnx {
inline void check(const Model& model) {
	const Emitted emitted = emit(model, Weights::inputs);
	try {
		::ONNX_NAMESPACE::checker::check_model(emitted.proto, /*full_check=*/true);
	} catch (const std::exception& error) {
		throw Error(
		ErrorKind::internal, "onnx's checker refuses the exported model: " + std::string(error.what()),
		{.hint = "a translation writes something that ONNX does not allow", .where = {.stage = "ONNX IR fixes"}});
	}
}
}
namespace ferry::onnx {
struct InterfaceInput {
	std::string name{};
	std::string path{};
	std::size_t leaf = 0;
	bool is_complex = false;
};
struct FixedInput {
	std::string name{};
	std::size_t leaf = 0;
	Argument value{};
};
struct InterfaceOutput {
	std::string name{};
	ValueKind kind = ValueKind::tensor;
	bool is_complex = false;
	Argument constant{};
	bool is_constant = false;
};
struct MutatedOutput {
	std::string name{};
	std::string target{};
	bool is_complex = false;
};
struct Interface {
	std::vector<Parameter> parameters{};
	TreeSpec out_spec{};
	std::vector<InterfaceInput> inputs{};
	std::vector<FixedInput> fixed{};
	std::vector<std::string> weights{};
	std::vector<InterfaceOutput> outputs{};
	std::vector<MutatedOutput> mutated{};
};
[[nodiscard]] inline std::string name_with_prefix(std::string name, std::string_view prefix) {
	if (name.empty()) return std::string(prefix);
	return name.front() >= '0' && name.front() <= '9' ? std::string(prefix).append(".").append(name) : name;
}
[[nodiscard]] inline std::vector<std::string> input_names(const std::vector<Parameter>& parameters) {
	std::vector<std::string> names;
	for (const Parameter& parameter : parameters)
		for (const std::string& path : parameter.spec.leaf_paths()) {
		std::string& name = names.emplace_back(name_with_prefix(parameter.name, "input"));
		if (!path.empty()) name.append(".").append(path);
		}
	return names;
}
[[nodiscard]] inline std::vector<std::string> output_names(const ExportedProgram& program) {
	std::vector<std::string> names = program.out_spec.leaf_paths();
	for (std::string& name : names) name = name_with_prefix(std::move(name), "output");
	return names;
}
inline void tell_apart(std::vector<std::string>& inputs, std::vector<std::string>& outputs) {
	const std::unordered_set<std::string> given(inputs.begin(), inputs.end());
	std::unordered_set<std::string> both;
	for (std::string& name : outputs)
		if (!name.empty() && given.contains(name)) {
		both.insert(name);
		name.insert(0, "output.");
		}
	for (std::string& name : inputs)
		if (both.contains(name)) name.insert(0, "input.");
}
[[nodiscard]] inline std::string name_of_input(const ExportedProgram& program, std::string_view graph_name,
		const Interface& interface) {
	std::size_t leaf = 0;
	for (const InputSpec& input : program.signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		if (input.name == graph_name)
		for (const InterfaceInput& each : interface.inputs)
		if (each.leaf == leaf) return each.path;
		++leaf;
	}
	return std::string(graph_name);
}
inline void name_values(Model& model) {
	std::unordered_set<std::string> taken;
	std::vector<bool> is_kept(model.num_values());
	const auto number = [&](const std::string& base) {
		std::string name = base;
		for (std::size_t i = 1; !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
		return name;
	};
	const auto keep = [&](Ref value) {
		if (is_kept[value.index]) return;
		is_kept[value.index] = true;
		model[value].name = number(model[value].name.empty() ? "value" : model[value].name);
	};
	for (const Ref each : model.main().inputs) keep(each);
	for (const Ref each : model.main().outputs) keep(each);
	for (std::uint32_t i = 0; i < model.num_values(); ++i)
		if (model[Ref{i}].constant.defined() && !model[Ref{i}].name.empty()) keep(Ref{i});
	for (std::uint32_t i = 0; i < model.num_values(); ++i) {
		if (is_kept[i]) continue;
		ValueData& value = model[Ref{i}];
		value.name = number(!value.name.empty() ? value.name
		: (value.constant.defined() ? "constant_" : "v") + std::to_string(i));
	}
}
}
#include <ATen/ops/view_as_real.h>
#include <numeric>
#include <set>
#include <tuple>
namespace ferry::onnx {
namespace detail {
class ProgramTranslator : public Translation {
public:
	ProgramTranslator(Model& model, const ExportedProgram& program, Translation::Find find)
		: Translation(model, program.ranges, find), program_(program) {}
	void translate_program(Interface& interface, bool export_params) {
		enter(program_.graph);
		add_inputs(interface, export_params);
		translate_nodes();
		add_outputs(interface);
	}
private:
	void name_interface(std::vector<std::string>& inputs);
	void add_inputs(Interface& interface, bool export_params);
	void add_outputs(Interface& interface);
	[[nodiscard]] Ref weight(const InputSpec& input);
	[[nodiscard]] Ref checked(Ref input);
	const ExportedProgram& program_;
	std::set<std::string, std::less<>> checked_;
	std::vector<std::string> output_names_;
	std::map<std::string, at::Tensor, std::less<>> tensors_;
	std::map<std::tuple<const void*, std::int8_t, std::vector<std::int64_t>, std::vector<std::int64_t>>, Ref> weights_;
};
inline Ref ProgramTranslator::weight(const InputSpec& input) {
	const auto found = tensors_.find(input.target);
	if (found == tensors_.end())
		throw Error(ErrorKind::invalid_input, "the program has no tensor for one of its inputs",
		{.where = {.stage = "translations", .path = input.target}});
	at::Tensor tensor = found->second.detach();
	if (!tensor.device().is_cpu()) tensor = tensor.cpu();
	if (tensor.layout() != c10::kStrided)
		throw Error(ErrorKind::unsupported, "a sparse tensor is no weight of an ONNX model",
		{.where = {.stage = "translations", .path = input.target}});
	if (tensor.is_complex()) tensor = at::view_as_real(tensor.resolve_conj());
	const Sizes sizes(tensor.sizes().begin(), tensor.sizes().end());
	auto key = std::tuple(tensor.const_data_ptr(), static_cast<std::int8_t>(tensor.scalar_type()), tensor.sizes().vec(),
		tensor.strides().vec());
	if (tensor.numel() != 0)
		if (const auto known = weights_.find(key); known != weights_.end()) return known->second;
	const Ref made = model().add(
		{.name = input.target, .dtype = to_dtype(tensor.scalar_type()), .sizes = sizes, .constant = tensor});
	weights_.emplace(std::move(key), made);
	return made;
}
inline Ref ProgramTranslator::checked(Ref input) {
	const Sizes sizes = this->sizes(input);
	const auto rank = static_cast<std::int64_t>(sizes.size());
	for (const SymExpr& size : sizes) {
		const auto range = size.is_symbol() ? program_.checked_range(size.name()) : std::nullopt;
		if (!range || !checked_.insert(size.name()).second) continue;
		set_path(size.name() + " is in " + to_string(*program_.narrowed.find(size.name())));
		Ref is_out;
		if (range->max != ValueRange::no_max) is_out = add("Greater", {this->size(size), ints({range->max})});
		if (range->min != ValueRange::no_min) {
		const Ref is_below = add("Less", {this->size(size), ints({range->min})});
		is_out = is_out ? add("Or", {is_out, is_below}) : is_below;
		}
		std::vector<std::int64_t> positions(sizes.size());
		std::iota(positions.begin(), positions.end(), 0);
		const Ref past_the_end = add("Mul", {cast(is_out, DType::int64), ints({rank})});
		const Ref own = add("Gather", {add("Shape", {input}), add("Add", {ints(positions), past_the_end})});
		const Ref same = append({.op = "Reshape", .inputs = {input, own}, .is_check = true}, {dtype(input)})[0];
		input = like(same, input);
	}
	set_path({});
	return input;
}
inline void ProgramTranslator::name_interface(std::vector<std::string>& inputs) {
	output_names_ = output_names(program_);
	const auto clear_absent = [](std::vector<std::string>& names, std::size_t leaf, const Argument& argument) {
		if (leaf < names.size() && !argument.is<Value>()) names[leaf].clear();
	};
	const std::vector<std::string> all = output_names_;
	std::size_t leaf = 0;
	for (const InputSpec& input : program_.signature.inputs)
		if (input.kind == InputKind::user_input) clear_absent(inputs, leaf++, input.argument);
	leaf = 0;
	for (const OutputSpec& output : program_.signature.outputs)
		if (output.kind == OutputKind::user_output || output.kind == OutputKind::loss_output)
		clear_absent(output_names_, leaf++, output.argument);
	tell_apart(inputs, output_names_);
	for (std::size_t i = 0; i < all.size(); ++i)
		if (output_names_[i].empty()) output_names_[i] = all[i];
}
inline void ProgramTranslator::add_inputs(Interface& interface, bool export_params) {
	for (const auto* named : {&program_.state, &program_.constants})
		for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
	const std::vector<std::string> paths = input_names(interface.parameters);
	std::vector<std::string> names = paths;
	name_interface(names);
	std::vector<Ref> weights_as_inputs;
	std::size_t leaf = 0;
	for (const InputSpec& input : program_.signature.inputs) {
		const auto* value = input.argument.get_if<Value>();
		if (input.kind == InputKind::user_input) {
		const std::size_t at = leaf++;
		const std::string& path = at < paths.size() ? paths[at] : input.name;
		if (value == nullptr) {
		interface.fixed.push_back({.name = path, .leaf = at, .value = input.argument});
		continue;
		}
		const std::string& name = at < names.size() ? names[at] : input.name;
		const ValueInfo& info = program_.graph.info(*value);
		ValueData data{.name = name};
		if (info.kind == ValueKind::tensor) {
		data.dtype = stored_dtype(info.tensor.dtype);
		data.sizes = stored_sizes(info.tensor);
		} else {
		data.dtype = info.kind == ValueKind::sym_int     ? DType::int64
		: info.kind == ValueKind::sym_float ? DType::float64
		: DType::boolean;
		data.sizes = Sizes{1};
		}
		static_cast<void>(element_type(data.dtype));
		interface.inputs.push_back(
		{.name = data.name, .path = path, .leaf = at, .is_complex = is_complex_value(program_.graph, *value)});
		const Ref made = model().add(std::move(data));
		model().main().inputs.push_back(made);
		if (info.kind == ValueKind::sym_int) know_size(info.symbol, made);
		know_symbols(made);
		bind(*value, program_.graph.is_used(*value) ? checked(made) : made);
		} else if (input.kind == InputKind::token) {
		continue;
		} else if (input.kind == InputKind::custom_object || value == nullptr) {
		throw Error(ErrorKind::unsupported, "an input that is an object cannot stand in an ONNX model",
		{.where = {.stage = "translations", .path = input.name}});
		} else if (program_.graph.is_used(*value)) {
		const Ref made = weight(input);
		bind(*value, made);
		if (!export_params && input.kind != InputKind::constant_tensor) {
		model()[made].constant = at::Tensor();
		weights_as_inputs.push_back(made);
		}
		}
	}
	for (const Ref each : weights_as_inputs) {
		auto& inputs = model().main().inputs;
		if (algo::contains(inputs, each)) continue;
		inputs.push_back(each);
		interface.weights.push_back(model()[each].name);
	}
}
inline void ProgramTranslator::add_outputs(Interface& interface) {
	std::set<std::uint32_t> taken;
	for (const Ref input : model().main().inputs) taken.insert(input.index);
	set_path({});
	const auto add = [&](Value value, const std::string& name) {
		Ref made = ref(value);
		const ValueInfo& info = program_.graph.info(value);
		if (info.kind != ValueKind::tensor) made = scalar_of(made);
		if (!taken.insert(made.index).second || model()[made].constant.defined()) {
		made = like(Builder::add("Identity", {made}), made);
		taken.insert(made.index);
		}
		model()[made].name = name;
		model().main().outputs.push_back(made);
	};
	std::size_t leaf = 0;
	for (const OutputSpec& output : program_.signature.outputs) {
		if (output.kind != OutputKind::user_output && output.kind != OutputKind::loss_output) continue;
		const std::string name = leaf < output_names_.size() ? output_names_[leaf] : "output." + std::to_string(leaf);
		++leaf;
		if (const auto* value = output.argument.get_if<Value>()) {
		interface.outputs.push_back({.name = name,
		.kind = program_.graph.info(*value).kind,
		.is_complex = is_complex_value(program_.graph, *value)});
		add(*value, name);
		} else {
		interface.outputs.push_back({.name = name, .constant = output.argument, .is_constant = true});
		}
	}
	for (const OutputSpec& output : program_.signature.outputs) {
		const auto* value = output.argument.get_if<Value>();
		if (value == nullptr || output.kind == OutputKind::user_output || output.kind == OutputKind::loss_output ||
		output.kind == OutputKind::token)
		continue;
		const std::string of = output.kind == OutputKind::user_input_mutation
		? name_of_input(program_, output.target, interface)
		: output.target;
		interface.mutated.push_back(
		{.name = of + ".mutated", .target = of, .is_complex = is_complex_value(program_.graph, *value)});
		add(*value, of + ".mutated");
	}
}
}
[[nodiscard]] inline std::pair<Model, Interface> translate(const ExportedProgram& program, Translation::Find find,
		std::int64_t opset, bool export_params) {
	std::pair<Model, Interface> made;
	made.first.opsets = {{"", opset}};
	made.second.parameters = parameters_of(program);
	made.second.out_spec = program.out_spec;
	detail::ProgramTranslator(made.first, program, find).translate_program(made.second, export_params);
	return made;
}
}
namespace ferry::onnx {
namespace detail {
inline void fix_nodes(Graph& graph, const ExportRules& rules) {
	for (ferry::Node& node : graph.nodes()) rules.fix_node(graph, node);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) fix_nodes(graph.subgraph({i}), rules);
	remove_dead_code(graph);
}
template <class IsKnown>
[[nodiscard]] MissingOps untranslated(const Graph& graph, const IsKnown& is_known) {
	MissingOps missing;
	missing.look_through(
		graph,
		[&](const Graph& within, const ferry::Node& node) {
		if (!is_on_complex(within, node)) return is_known(node.op());
		return is_known(complex_name(node.op())) || (acts_on_parts(node.op()) && is_known(node.op()));
		},
		[](const Graph& within, const ferry::Node& node) {
		return std::string(is_on_complex(within, node) ? " on complex numbers" : "");
		});
	return missing;
}
[[noreturn]] inline void refuse(const MissingOps& missing) {
	missing.refuse("no translation to ONNX", {.hint = "add a translation or a decomposition for each: "
		"OnnxExporter<extend<onnx_pipeline, translations<my_op>>>",
		.where = {.stage = "translations"}});
}
[[nodiscard]] inline ExportedProgram lowered(ExportedProgram program, const ExportRules& rules) {
	ferry::detail::settle_checks(program);
	remove_checks(program.graph);
	make_writes_functional(program.graph);
	fix_nodes(program.graph, rules);
	program.renew_outputs();
	const MissingOps missing = untranslated(
		program.graph, [&](std::string_view op) { return rules.translation(op) != nullptr && !rules.is_patched(op); });
	if (missing.empty()) return program;
	const auto is_hopeless = [&](std::string_view op) {
		const auto found = find_op(op);
		return !rules.has_parts(op) && !rules.is_patched(op) && !op.starts_with("higher_order::") &&
		!(found && found->schema().is_mutable());
	};
	if (missing.all_of(is_hopeless)) refuse(missing);
	program = rules.take_apart(program);
	remove_checks(program.graph);
	fix_nodes(program.graph, rules);
	program.renew_outputs();
	const MissingOps left =
		untranslated(program.graph, [&](std::string_view op) { return rules.translation(op) != nullptr; });
	if (!left.empty()) refuse(left);
	return program;
}
[[nodiscard]] inline bool draws_random_numbers(const Graph& graph) {
	OpEffects effects;
	const auto draws = [&](const ferry::Node& node) { return effects.of(graph, node) == Effect::random; };
	if (algo::any_of(graph.nodes(), draws)) return true;
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		if (draws_random_numbers(graph.subgraph({i}))) return true;
	return false;
}
}
FERRY_INLINE OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config, const ExportRules& rules) {
	config.check();
	meet_library();
	program = detail::lowered(std::move(program), rules);
	const std::int64_t opset = config.opset(!config.opset_version && detail::draws_random_numbers(program.graph));
	auto [model, interface] = translate(program, rules.translation, opset, config.export_params);
	rules.fix_model(model, config.optimize && !config.keep_initializers_as_inputs);
	name_values(model);
	OnnxConfig told = config;
	told.output_path = {};
	model.metadata.emplace_back("ferry.config", tree::to_json(told.to_dict()));
	for (const MutatedOutput& each : interface.mutated)
		model.metadata.emplace_back("ferry.mutated." + each.name, each.target);
	check(model);
	OnnxProgram made(std::move(model), std::move(interface), config);
	if (config.output_path) made.save(*config.output_path);
	return made;
}
}
#include <mutex>
namespace ferry::onnx {
class Runner;
struct ExportedModel {
	Model model;
	Interface interface;
	OnnxConfig config;
	std::once_flag once{};
	std::shared_ptr<Runner> runner{};
};
}
#include <span>
namespace ferry {
FERRY_INLINE OnnxProgram::OnnxProgram(onnx::Model model, onnx::Interface interface, OnnxConfig config)
	: exported_(std::make_shared<onnx::ExportedModel>(std::move(model), std::move(interface), std::move(config))) {}
FERRY_INLINE const onnx::Interface& OnnxProgram::interface() const noexcept { return exported_->interface; }
FERRY_INLINE const onnx::Model& OnnxProgram::model() const noexcept { return exported_->model; }
FERRY_INLINE std::size_t OnnxProgram::num_nodes() const noexcept { return model().num_nodes(); }
FERRY_INLINE std::vector<std::string> OnnxProgram::input_names() const {
	std::vector<std::string> names;
	for (const onnx::Ref each : model().main().inputs) names.push_back(model()[each].name);
	return names;
}
FERRY_INLINE std::vector<std::string> OnnxProgram::output_names() const {
	std::vector<std::string> names;
	for (const onnx::Ref each : model().main().outputs) names.push_back(model()[each].name);
	return names;
}
FERRY_INLINE std::uint64_t OnnxProgram::weight_bytes() const {
	std::uint64_t total = 0;
	for (std::uint32_t i = 0; i < model().num_values(); ++i)
		if (const at::Tensor& tensor = model()[onnx::Ref{i}].constant; tensor.defined()) total += tensor.nbytes();
	return total;
}
FERRY_INLINE ::ONNX_NAMESPACE::ModelProto OnnxProgram::model_proto() const {
	constexpr std::uint64_t most = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 26);
	if (weight_bytes() > most)
		throw Error(ErrorKind::unsupported, "a message of protobuf cannot hold more than two gigabytes",
		{.hint = "save() it with external_data, and load the file"});
	return onnx::emit(model(), onnx::Weights::inside, {}, exported_->config.keep_initializers_as_inputs).proto;
}
FERRY_INLINE void OnnxProgram::save(const std::filesystem::path& path) const {
	std::filesystem::path beside = path;
	beside += ".data";
	onnx::Emitted emitted;
	if (exported_->config.external_data)
		emitted = onnx::emit(model(), onnx::Weights::outside, beside.filename().string(),
		exported_->config.keep_initializers_as_inputs);
	else
		emitted.proto = model_proto();
	std::string bytes;
	if (!emitted.proto.SerializeToString(&bytes))
		throw Error(ErrorKind::unsupported, "the model cannot be written as one message of protobuf",
		{.hint = "turn external_data on", .where = {.path = path.string()}});
	files::OutputFile file(path);
	file.write(std::as_bytes(std::span(bytes)));
	std::optional<files::OutputFile> weights;
	if (!emitted.external.empty()) {
		weights.emplace(beside);
		static constexpr std::byte gap[4096]{};
		for (const onnx::ExternalTensor& each : emitted.external) {
		weights->write(std::span(gap).first(each.offset - weights->size()));
		const at::Tensor dense = each.tensor.contiguous();
		weights->write({static_cast<const std::byte*>(dense.const_data_ptr()), each.length});
		}
		weights->commit();
	}
	file.commit();
}
}
namespace ferry::onnx {
[[nodiscard]] inline std::vector<std::uint32_t> count_uses(const Model& model) {
	std::vector<std::uint32_t> uses(model.num_values(), 0);
	for (const Body& body : model.bodies) {
		for (const Ref output : body.outputs) ++uses[output.index];
		for (const Node& node : body.nodes)
		for (const Ref input : node.inputs)
		if (input) ++uses[input.index];
	}
	return uses;
}
[[nodiscard]] inline std::vector<Node*> find_producers(Model& model) {
	std::vector<Node*> producers(model.num_values(), nullptr);
	for (Body& body : model.bodies)
		for (Node& node : body.nodes)
		for (const Ref output : node.outputs)
		if (output) producers[output.index] = &node;
	return producers;
}
[[nodiscard]] inline bool is_op(const Node* node, std::string_view op) {
	return node != nullptr && node->op == op && node->domain.empty();
}
}
namespace ferry::onnx {
struct batch_norm_folding {
	static constexpr bool optimizes = true;
	static bool fix(Model& model) { return Pass(model).run(); }
private:
	class Pass {
	public:
		explicit Pass(Model& model) : model_(model), uses_(count_uses(model)), producers_(find_producers(model)) {}
		bool run() {
		for (Body& body : model_.bodies)
		for (Node& node : body.nodes) fold(node);
		bool changed = false;
		for (Body& body : model_.bodies)
		changed |= std::erase_if(body.nodes, [](const Node& node) { return node.outputs.empty(); }) != 0;
		return changed;
		}
	private:
		[[nodiscard]] const at::Tensor& constant(Ref value) const { return model_[value].constant; }
		[[nodiscard]] bool are_constants(const Node& node) const {
		return std::all_of(node.inputs.begin() + 1, node.inputs.end(),
		[&](Ref input) { return !input || constant(input).defined(); });
		}
		void fold(Node& norm) {
		if (!is_op(&norm, "BatchNormalization") || norm.outputs.size() != 1) return;
		Node* convolution = producers_[norm.inputs[0].index];
		if (!is_op(convolution, "Conv") || uses_[norm.inputs[0].index] != 1) return;
		if (!are_constants(norm) || !are_constants(*convolution)) return;
		auto& inputs = convolution->inputs;
		const bool has_bias = inputs.size() > 2 && inputs[2];
		const at::Tensor weight = constant(inputs[1]);
		if (uses_[inputs[1].index] != 1) return;
		if (weight.scalar_type() != at::kFloat && weight.scalar_type() != at::kDouble) return;
		const auto exact = [&](Ref value) { return constant(value).to(at::kDouble); };
		const at::Tensor factor =
		exact(norm.inputs[1]) / (exact(norm.inputs[4]) + std::get<double>(*norm.find("epsilon"))).sqrt();
		const at::Tensor start = has_bias ? exact(inputs[2]) - exact(norm.inputs[3]) : -exact(norm.inputs[3]);
		std::vector<std::int64_t> along(static_cast<std::size_t>(weight.dim()), 1);
		along[0] = -1;
		const at::Tensor scaled = weight * factor.to(weight.scalar_type()).reshape(along);
		const at::Tensor shift = (start * factor + exact(norm.inputs[2])).to(weight.scalar_type());
		const std::string name = model_[inputs[1]].name;
		inputs.resize(3);
		inputs[2] = add(name + ".shift", shift);
		inputs[1] = add(name + ".scaled", scaled);
		convolution->outputs = std::exchange(norm.outputs, {});
		}
		[[nodiscard]] Ref add(std::string name, const at::Tensor& tensor) {
		return model_.add({.name = std::move(name),
		.dtype = to_dtype(tensor.scalar_type()),
		.sizes = std::vector<SymExpr>(tensor.sizes().begin(), tensor.sizes().end()),
		.constant = tensor});
		}
		Model& model_;
		std::vector<std::uint32_t> uses_;
		std::vector<Node*> producers_;
	};
};
}
namespace ferry::onnx {
class Replacements {
public:
	explicit Replacements(const Model& model) : stands_for_(model.num_values()), is_output_(model.num_values()) {
		for (std::uint32_t i = 0; i < stands_for_.size(); ++i) stands_for_[i] = Ref{i};
		for (const Body& body : model.bodies)
		for (const Ref output : body.outputs) is_output_[output.index] = true;
	}
	[[nodiscard]] Ref operator[](Ref value) const {
		return value && value.index < stands_for_.size() ? stands_for_[value.index] : value;
	}
	[[nodiscard]] bool is_output(Ref value) const { return is_output_[value.index]; }
	bool replace(Ref value, Ref by) {
		if (is_output(value)) return false;
		stands_for_[value.index] = (*this)[by];
		changed_ = true;
		return true;
	}
	void apply(Node& node) const {
		for (Ref& input : node.inputs) input = (*this)[input];
	}
	bool apply(Model& model) const {
		if (changed_)
		for (Body& body : model.bodies)
		for (Node& node : body.nodes) apply(node);
		return changed_;
	}
private:
	std::vector<Ref> stands_for_;
	std::vector<bool> is_output_;
	bool changed_ = false;
};
}
#include <array>
#include <iterator>
namespace ferry::onnx {
using DTypeSet = std::uint64_t;
[[nodiscard]] constexpr DTypeSet bit(DType dtype) noexcept { return DTypeSet{1} << static_cast<int>(dtype); }
template <class... DTypes>
[[nodiscard]] constexpr DTypeSet set_of(DTypes... dtypes) noexcept {
	return (DTypeSet{0} | ... | bit(dtypes));
}
inline constexpr DTypeSet floats = set_of(DType::float16, DType::float32, DType::float64);
inline constexpr DTypeSet wide_ints = set_of(DType::int32, DType::int64);
inline constexpr DTypeSet all_ints =
	wide_ints | set_of(DType::int8, DType::int16, DType::uint8, DType::uint16, DType::uint32, DType::uint64);
struct KernelTypes {
	std::string_view op;
	DTypeSet dtypes;
	std::uint8_t first = 0;   
	std::uint8_t count = 255; 
	bool returns_it = true;   
};
namespace detail {
inline constexpr KernelTypes kernel_types[] = {
	{"Add", floats | all_ints},
	{"Sub", floats | all_ints},
	{"Mul", floats | all_ints},
	{"Div", floats | all_ints},
	{"Mod", floats | all_ints},
	{"Abs", floats | all_ints},
	{"Sign", floats | all_ints},
	{"Neg", floats | wide_ints | set_of(DType::int8, DType::int16)},
	{"Max", floats | wide_ints | set_of(DType::int8, DType::uint8, DType::uint32, DType::uint64)},
	{"Min", floats | wide_ints | set_of(DType::int8, DType::uint8, DType::uint32, DType::uint64)},
	{"Clip", floats | wide_ints | set_of(DType::int8, DType::uint8, DType::uint32, DType::uint64)},
	{"Pow", floats | wide_ints},
	{"Relu", floats | set_of(DType::int32, DType::int8)},
	{"Where", floats | wide_ints | set_of(DType::uint8), 1, 2},
	{"Equal", floats | all_ints | set_of(DType::boolean), 0, 2, false},
	{"Less", floats | all_ints, 0, 2, false},
	{"LessOrEqual", floats | all_ints, 0, 2, false},
	{"Greater", floats | all_ints, 0, 2, false},
	{"GreaterOrEqual", floats | all_ints, 0, 2, false},
	{"MatMul", floats | wide_ints},
	{"Gemm", floats},
	{"Einsum", floats | wide_ints},
	{"ReduceSum", floats | wide_ints, 0, 1},
	{"ReduceProd", floats | wide_ints, 0, 1},
	{"ReduceMean", floats | wide_ints, 0, 1},
	{"ReduceL1", floats | wide_ints, 0, 1},
	{"ReduceL2", floats | wide_ints, 0, 1},
	{"ReduceLogSumExp", floats | wide_ints, 0, 1},
	{"ReduceSumSquare", floats | wide_ints, 0, 1},
	{"ReduceMax", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1},
	{"ReduceMin", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1},
	{"ArgMax", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1, false},
	{"ArgMin", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1, false},
	{"CumSum", floats | wide_ints, 0, 1},
	{"TopK", floats | wide_ints, 0, 1},
	{"NonZero", set_of(DType::boolean, DType::float32, DType::int32, DType::int64, DType::uint8), 0, 1, false},
	{"Trilu", floats | set_of(DType::boolean, DType::int64), 0, 1},
	{"Expand", floats | all_ints | set_of(DType::boolean), 0, 1},
	{"Tile", floats | all_ints | set_of(DType::boolean), 0, 1},
	{"Pad", floats | wide_ints | set_of(DType::boolean, DType::int8, DType::uint8, DType::uint32, DType::uint64), 0, 1},
	{"Range", set_of(DType::float32, DType::float64, DType::int16, DType::int32, DType::int64)},
	{"Unique", set_of(DType::float32, DType::float64, DType::int64, DType::int8), 0, 1},
	{"MaxPool", floats | set_of(DType::int8, DType::uint8), 0, 1},
	{"AveragePool", floats, 0, 1},
	{"Conv", floats},
	{"ConvTranspose", floats},
	{"BatchNormalization", floats},
	{"InstanceNormalization", floats},
	{"LayerNormalization", floats},
	{"RMSNormalization", floats},
	{"Resize", floats | set_of(DType::int32, DType::int8, DType::uint8), 0, 1},
	{"Softmax", floats},
	{"LogSoftmax", floats},
	{"Sqrt", floats},
	{"Exp", floats},
	{"Log", floats},
	{"Sin", floats},
	{"Cos", floats},
	{"Tan", floats},
	{"Sinh", floats},
	{"Cosh", floats},
	{"Tanh", floats},
	{"Asin", floats},
	{"Acos", floats},
	{"Atan", floats},
	{"Asinh", floats},
	{"Acosh", floats},
	{"Atanh", floats},
	{"Erf", floats},
	{"Sigmoid", floats},
	{"Reciprocal", floats},
	{"Floor", floats},
	{"Ceil", floats},
	{"Round", floats},
	{"Gelu", floats},
	{"Elu", floats},
	{"Selu", floats},
	{"Celu", floats},
	{"LeakyRelu", floats},
	{"PRelu", floats},
	{"Softplus", floats},
	{"Softsign", floats},
	{"HardSigmoid", floats},
	{"HardSwish", floats},
	{"Mish", floats},
	{"ThresholdedRelu", floats},
	{"GridSample", floats},
};
struct Wider {
	DType from;
	std::array<DType, 4> to;
};
inline constexpr Wider wider_types[] = {
	{DType::boolean, {DType::uint8, DType::int32, DType::int64, DType::float32}},
	{DType::uint8, {DType::int32, DType::int64, DType::float32, DType::float64}},
	{DType::int8, {DType::int32, DType::int64, DType::float32, DType::float64}},
	{DType::int16, {DType::int32, DType::int64, DType::float32, DType::float64}},
	{DType::uint16, {DType::int32, DType::int64, DType::float32, DType::float64}},
	{DType::int32, {DType::int64, DType::float64, DType::float64, DType::float64}},
	{DType::uint32, {DType::int64, DType::float64, DType::float64, DType::float64}},
	{DType::bfloat16, {DType::float32, DType::float64, DType::float64, DType::float64}},
	{DType::float16, {DType::float32, DType::float64, DType::float64, DType::float64}},
};
}
[[nodiscard]] constexpr bool is_exact(DType from, DType to) noexcept {
	if (from == to) return true;
	for (const detail::Wider& row : detail::wider_types)
		if (row.from == from)
		for (const DType wider : row.to)
		if (wider == to) return true;
	return false;
}
[[nodiscard]] constexpr const KernelTypes* kernel_types(std::string_view op) noexcept {
	for (const KernelTypes& row : detail::kernel_types)
		if (row.op == op) return &row;
	return nullptr;
}
[[nodiscard]] constexpr DType computing_type(DTypeSet kernels, DType dtype) noexcept {
	if ((kernels & bit(dtype)) != 0) return dtype;
	for (const detail::Wider& row : detail::wider_types) {
		if (row.from != dtype) continue;
		for (const DType wider : row.to)
		if ((kernels & bit(wider)) != 0) return wider;
	}
	return dtype;
}
}
namespace ferry::onnx {
struct chains {
	static constexpr bool optimizes = true;
	static bool fix(Model& model) { return Pass(model).run(); }
private:
	class Pass {
	public:
		explicit Pass(Model& model) : model_(model), values_(model), producers_(find_producers(model)) {}
		bool run() {
		bool changed = false;
		for (Body& body : model_.bodies)
		for (Node& node : body.nodes) {
		values_.apply(node);
		if (node.domain.empty() && !node.inputs.empty() && node.outputs.size() == 1 && node.inputs[0])
		changed |= simplify(node);
		}
		return values_.apply(model_) || changed;
		}
	private:
		[[nodiscard]] static bool only_reshapes(const Node& node) {
		constexpr std::array<std::string_view, 4> ops{"Reshape", "Squeeze", "Unsqueeze", "Flatten"};
		return algo::contains(ops, node.op) && !node.is_check;
		}
		[[nodiscard]] const Node* producer(Ref value) const { return producers_[value.index]; }
		[[nodiscard]] bool same_sizes(Ref a, Ref b) const {
		return model_[a].sizes && model_[b].sizes && *model_[a].sizes == *model_[b].sizes;
		}
		bool is_nothing(const Node& node, Ref same) { return values_.replace(node.outputs[0], same); }
		bool simplify(Node& node) {
		if (node.op == "Identity") return is_nothing(node, node.inputs[0]);
		if (node.op == "Cast") return cast(node);
		if (node.op == "Transpose") return transpose(node);
		if (node.op == "Expand" && same_sizes(node.inputs[0], node.outputs[0]))
		return is_nothing(node, node.inputs[0]);
		return only_reshapes(node) && reshape(node);
		}
		bool cast(Node& node) {
		bool changed = false;
		const Node* before = producer(node.inputs[0]);
		if (before != nullptr && before->op == "Cast" &&
		is_exact(model_[before->inputs[0]].dtype, model_[node.inputs[0]].dtype)) {
		node.inputs[0] = before->inputs[0];
		changed = true;
		}
		if (model_[node.inputs[0]].dtype == model_[node.outputs[0]].dtype)
		changed |= is_nothing(node, node.inputs[0]);
		return changed;
		}
		[[nodiscard]] static std::vector<std::int64_t>* order(Node& node) {
		for (Attribute& attribute : node.attributes)
		if (attribute.name == "perm") return std::get_if<std::vector<std::int64_t>>(&attribute.value);
		return nullptr;
		}
		bool transpose(Node& node) {
		auto* perm = order(node);
		if (perm == nullptr) return false;
		bool changed = false;
		Node* before = producers_[node.inputs[0].index];
		const auto* first = before != nullptr && before->op == "Transpose" ? order(*before) : nullptr;
		if (first != nullptr && first->size() == perm->size()) {
		for (std::int64_t& dim : *perm) dim = first->at(static_cast<std::size_t>(dim));
		node.inputs[0] = before->inputs[0];
		changed = true;
		}
		if (algo::is_sorted(*perm)) changed |= is_nothing(node, node.inputs[0]);
		return changed;
		}
		bool reshape(Node& node) {
		Ref root = node.inputs[0];
		while (const Node* before = producer(root)) {
		if (!before->domain.empty() || !only_reshapes(*before)) break;
		root = values_[before->inputs[0]];
		if (same_sizes(root, node.outputs[0])) return is_nothing(node, root);
		}
		if (same_sizes(node.inputs[0], node.outputs[0])) return is_nothing(node, node.inputs[0]);
		if (node.op != "Reshape" || root == node.inputs[0] || !says_all(node)) return false;
		node.inputs[0] = root;
		return true;
		}
		[[nodiscard]] bool says_all(const Node& node) const {
		const auto* keeps = node.find("allowzero");
		if (keeps != nullptr && std::get<std::int64_t>(*keeps) != 0) return true;
		const at::Tensor& shape = model_[node.inputs.at(1)].constant;
		if (!shape.defined()) return true;
		const auto* sizes = static_cast<const std::int64_t*>(shape.const_data_ptr());
		return std::find(sizes, sizes + shape.numel(), 0) == sizes + shape.numel();
		}
		Model& model_;
		Replacements values_;
		std::vector<Node*> producers_;
	};
};
}
#include <cstring>
namespace ferry::onnx {
struct common_subexpressions {
	static constexpr bool optimizes = true;
	static bool fix(Model& model) {
		Replacements values(model);
		for (Body& body : model.bodies) merge(body, values);
		return values.apply(model);
	}
private:
	static constexpr std::array<std::string_view, 7> random{
		"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
		"Bernoulli",    "Multinomial",      "Dropout"};
	static void merge(Body& body, Replacements& values) {
		std::unordered_map<std::string, std::size_t> seen;
		for (std::size_t i = 0; i < body.nodes.size(); ++i) {
		Node& node = body.nodes[i];
		values.apply(node);
		if (!node.domain.empty() || algo::contains(random, node.op)) continue;
		std::string key;
		if (!describe(node, key)) continue;
		const auto [found, is_new] = seen.emplace(std::move(key), i);
		if (is_new) continue;
		const Node& first = body.nodes[found->second];
		for (std::size_t k = 0; k < node.outputs.size(); ++k)
		if (node.outputs[k] && first.outputs[k]) values.replace(node.outputs[k], first.outputs[k]);
		}
	}
	static bool describe(const Node& node, std::string& key) {
		const auto put = [&](const auto& number) {
		char bytes[sizeof number];
		std::memcpy(bytes, &number, sizeof number);
		key.append(bytes, sizeof number);
		};
		key.append(node.op) += '\0';
		put(node.outputs.size());
		for (const Ref input : node.inputs) put(input.index);
		for (const Attribute& attribute : node.attributes) {
		key.append(attribute.name) += '\0';
		put(attribute.value.index());
		if (std::holds_alternative<BodyRef>(attribute.value)) return false;
		if (const auto* tensor = std::get_if<at::Tensor>(&attribute.value)) {
		if (tensor->nbytes() > 64 || !tensor->is_contiguous()) return false;
		put(tensor->scalar_type());
		put(tensor->numel());
		key.append(static_cast<const char*>(tensor->const_data_ptr()), tensor->nbytes());
		} else if (const auto* text = std::get_if<std::string>(&attribute.value)) {
		key.append(*text) += '\0';
		} else if (const auto* integer = std::get_if<std::int64_t>(&attribute.value)) {
		put(*integer);
		} else if (const auto* real = std::get_if<double>(&attribute.value)) {
		put(*real);
		} else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&attribute.value)) {
		put(integers->size());
		for (const std::int64_t each : *integers) put(each);
		} else if (const auto* reals = std::get_if<std::vector<double>>(&attribute.value)) {
		put(reals->size());
		for (const double each : *reals) put(each);
		} else if (const auto* texts = std::get_if<std::vector<std::string>>(&attribute.value)) {
		put(texts->size());
		for (const std::string& each : *texts) key.append(each) += '\0';
		}
		}
		return true;
	}
};
}
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
namespace ferry::onnx {
namespace detail {
struct Evaluation {
	const Node& node;
	const std::vector<at::Tensor>& inputs;
	[[nodiscard]] const at::Tensor& operator[](std::size_t i) const { return inputs.at(i); }
	[[nodiscard]] bool has(std::size_t i) const { return i < inputs.size() && inputs[i].defined(); }
	[[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise = 0) const {
		const auto* found = node.find(name);
		return found != nullptr ? std::get<std::int64_t>(*found) : otherwise;
	}
	[[nodiscard]] std::vector<std::int64_t> integers(std::size_t i) const {
		const at::Tensor dense = inputs.at(i).to(at::kLong).contiguous();
		const auto* data = static_cast<const std::int64_t*>(dense.const_data_ptr());
		return {data, data + dense.numel()};
	}
	[[nodiscard]] std::vector<std::int64_t> dims(std::size_t i, std::int64_t rank) const {
		std::vector<std::int64_t> all = integers(i);
		for (std::int64_t& each : all) each += each < 0 ? rank : 0;
		return all;
	}
};
using Evaluate = at::Tensor (*)(const Evaluation&);
struct EvaluatedOp {
	std::string_view op;
	Evaluate run;
};
[[nodiscard]] inline at::Tensor reshaped(const Evaluation& of) {
	std::vector<std::int64_t> sizes = of.integers(1);
	if (of.integer("allowzero") == 0)
		for (std::size_t i = 0; i < sizes.size(); ++i)
		if (sizes[i] == 0) sizes[i] = of[0].size(static_cast<std::int64_t>(i));
	return of[0].reshape(sizes);
}
[[nodiscard]] inline at::Tensor unsqueezed(const Evaluation& of) {
	const std::vector<std::int64_t> added = of.integers(1);
	std::vector<std::int64_t> dims = of.dims(1, of[0].dim() + static_cast<std::int64_t>(added.size()));
	algo::sort(dims);
	at::Tensor made = of[0];
	for (const std::int64_t dim : dims) made = made.unsqueeze(dim);
	return made;
}
[[nodiscard]] inline at::Tensor sliced(const Evaluation& of) {
	const std::vector<std::int64_t> starts = of.integers(1), ends = of.integers(2);
	at::Tensor made = of[0];
	for (std::size_t i = 0; i < starts.size(); ++i) {
		const std::int64_t dim = of.has(3) ? of.dims(3, made.dim())[i] : static_cast<std::int64_t>(i);
		const std::int64_t step = of.has(4) ? of.integers(4)[i] : 1;
		if (step <= 0) return {};
		made = made.slice(dim, starts[i], ends[i], step);
	}
	return made;
}
[[nodiscard]] inline at::Tensor gathered(const Evaluation& of) {
	const std::int64_t dim = of.integer("axis") + (of.integer("axis") < 0 ? of[0].dim() : 0);
	const at::Tensor flat = of[1].to(at::kLong).reshape({-1});
	std::vector<std::int64_t> sizes = of[0].sizes().vec();
	sizes.erase(sizes.begin() + dim);
	sizes.insert(sizes.begin() + dim, of[1].sizes().begin(), of[1].sizes().end());
	return of[0].index_select(dim, flat.remainder(of[0].size(dim))).reshape(sizes);
}
[[nodiscard]] inline at::Tensor divided(const Evaluation& of) {
	return at::isIntegralType(of[0].scalar_type(), false) ? of[0].div(of[1], "trunc") : of[0].div(of[1]);
}
[[nodiscard]] inline at::Tensor expanded(const Evaluation& of) {
	std::vector<std::int64_t> sizes = of.integers(1);
	const auto own = of[0].sizes();
	if (sizes.size() < own.size()) sizes.insert(sizes.begin(), own.size() - sizes.size(), 1);
	const std::size_t shift = sizes.size() - own.size();
	for (std::size_t i = 0; i < own.size(); ++i)
		if (sizes[shift + i] == 1) sizes[shift + i] = own[i];
	return of[0].expand(sizes);
}
inline constexpr EvaluatedOp evaluated_ops[] = {
	{"Identity", [](const Evaluation& of) { return of[0]; }},
	{"Cast",
	[](const Evaluation& of) {
		return of[0].to(to_c10(dtype_of(static_cast<std::int32_t>(of.integer("to"))).value()));
	}},
	{"Reshape", &reshaped},
	{"Unsqueeze", &unsqueezed},
	{"Squeeze", [](const Evaluation& of) { return of.has(1) ? of[0].squeeze(of.integers(1)) : of[0].squeeze(); }},
	{"Transpose",
	[](const Evaluation& of) {
		const auto* order = of.node.find("perm");
		return order != nullptr ? of[0].permute(std::get<std::vector<std::int64_t>>(*order)) : of[0].t();
	}},
	{"Concat", [](const Evaluation& of) { return at::cat(of.inputs, of.integer("axis")); }},
	{"Slice", &sliced},
	{"Gather", &gathered},
	{"Expand", &expanded},
	{"Range",
	[](const Evaluation& of) { return at::arange(of[0].item(), of[1].item(), of[2].item(), of[0].options()); }},
	{"ConstantOfShape",
	[](const Evaluation& of) {
		const auto& value = std::get<at::Tensor>(*of.node.find("value"));
		return at::full(of.integers(0), value.item(), value.options());
	}},
	{"Add", [](const Evaluation& of) { return of[0].add(of[1]); }},
	{"Sub", [](const Evaluation& of) { return of[0].sub(of[1]); }},
	{"Mul", [](const Evaluation& of) { return of[0].mul(of[1]); }},
	{"Div", &divided},
	{"Neg", [](const Evaluation& of) { return of[0].neg(); }},
	{"Sqrt", [](const Evaluation& of) { return of[0].sqrt(); }},
	{"Reciprocal", [](const Evaluation& of) { return of[0].reciprocal(); }},
	{"Equal", [](const Evaluation& of) { return of[0].eq(of[1]); }},
	{"Less", [](const Evaluation& of) { return of[0].lt(of[1]); }},
	{"LessOrEqual", [](const Evaluation& of) { return of[0].le(of[1]); }},
	{"Greater", [](const Evaluation& of) { return of[0].gt(of[1]); }},
	{"GreaterOrEqual", [](const Evaluation& of) { return of[0].ge(of[1]); }},
	{"And", [](const Evaluation& of) { return of[0].logical_and(of[1]); }},
	{"Or", [](const Evaluation& of) { return of[0].logical_or(of[1]); }},
	{"Not", [](const Evaluation& of) { return of[0].logical_not(); }},
	{"Where", [](const Evaluation& of) { return of[1].where(of[0], of[2]); }},
};
}
[[nodiscard]] inline std::optional<at::Tensor> evaluate(const Node& node, const std::vector<at::Tensor>& inputs) {
	const auto* found = algo::find(detail::evaluated_ops, node.op, &detail::EvaluatedOp::op);
	if (!node.domain.empty() || found == std::end(detail::evaluated_ops)) return std::nullopt;
	at::Tensor made = found->run({node, inputs});
	if (!made.defined()) return std::nullopt;
	return made.contiguous();
}
}
#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
namespace ferry::onnx {
struct constant_folding {
	static constexpr bool optimizes = true;
	static constexpr std::int64_t most_bytes = std::int64_t{64} * 1024;
	static bool fix(Model& model) {
		std::vector<bool> is_output(model.num_values());
		for (const Body& body : model.bodies)
		for (const Ref output : body.outputs) is_output[output.index] = true;
		bool changed = false;
		for (Body& body : model.bodies)
		changed |= std::erase_if(body.nodes, [&](const Node& node) {
		return node.outputs.size() == 1 && !is_output[node.outputs[0].index] && fold(model, node);
		}) != 0;
		return changed;
	}
private:
	static bool fold(Model& model, const Node& node) {
		ValueData& output = model[node.outputs[0]];
		if (!is_small(output, node)) return false;
		std::optional<at::Tensor> made = known_shape(model, node);
		if (!made) {
		std::vector<at::Tensor> inputs;
		inputs.reserve(node.inputs.size());
		for (const Ref input : node.inputs) {
		if (input && (!model[input].constant.defined() || is_weight(model[input]))) return false;
		inputs.push_back(input ? model[input].constant : at::Tensor());
		}
		made = evaluated(node, inputs);
		}
		if (!made || to_dtype(made->scalar_type()) != output.dtype) return false;
		output.sizes.emplace(made->sizes().begin(), made->sizes().end());
		output.constant = *std::move(made);
		return true;
	}
	[[nodiscard]] static bool is_weight(const ValueData& value) {
		constexpr std::size_t small = 1024;
		return !value.name.empty() && value.constant.nbytes() > small;
	}
	static std::optional<at::Tensor> evaluated(const Node& node, const std::vector<at::Tensor>& inputs) {
		std::int64_t bytes = 0;
		for (const at::Tensor& input : inputs)
		if (input.defined()) bytes += static_cast<std::int64_t>(input.nbytes());
		if (bytes > most_bytes) return std::nullopt;
		try {
		return evaluate(node, inputs);
		} catch (const c10::Error&) {
		return std::nullopt;
		}
	}
	[[nodiscard]] static bool is_small(const ValueData& value, const Node& node) {
		if (!value.sizes) return node.op != "Range" && node.op != "ConstantOfShape" && node.op != "Expand";
		std::int64_t bytes = 8;
		for (const SymExpr& size : *value.sizes) {
		if (!size.is_constant()) return false;
		if (size.value() > most_bytes) return false;
		bytes *= std::max<std::int64_t>(size.value(), 1);
		if (bytes > most_bytes) return false;
		}
		return true;
	}
	static std::optional<at::Tensor> known_shape(const Model& model, const Node& node) {
		if (node.op != "Shape" || !node.domain.empty() || !model[node.inputs.at(0)].sizes) return std::nullopt;
		const auto& sizes = *model[node.inputs[0]].sizes;
		const auto rank = static_cast<std::int64_t>(sizes.size());
		const auto bound = [&](const char* name, std::int64_t otherwise) {
		const auto* found = node.find(name);
		std::int64_t at = found != nullptr ? std::get<std::int64_t>(*found) : otherwise;
		at += at < 0 ? rank : 0;
		return std::clamp<std::int64_t>(at, 0, rank);
		};
		std::vector<std::int64_t> numbers;
		for (std::int64_t i = bound("start", 0); i < bound("end", rank); ++i) {
		const SymExpr& size = sizes[static_cast<std::size_t>(i)];
		if (!size.is_constant()) return std::nullopt;
		numbers.push_back(size.value());
		}
		at::Tensor made = at::empty({static_cast<std::int64_t>(numbers.size())}, at::TensorOptions(at::kLong));
		std::copy(numbers.begin(), numbers.end(), static_cast<std::int64_t*>(made.mutable_data_ptr()));
		return made;
	}
};
}
namespace ferry::onnx {
struct dead_code {
	static constexpr bool optimizes = true;
	static bool fix(Model& model) {
		std::vector<bool> needed(model.num_values());
		return sweep(model, model.main(), needed);
	}
private:
	static bool sweep(Model& model, Body& body, std::vector<bool>& needed) {
		for (const Ref output : body.outputs) needed[output.index] = true;
		std::vector<Node> kept;
		kept.reserve(body.nodes.size());
		bool changed = false;
		for (std::size_t i = body.nodes.size(); i-- > 0;) {
		Node& node = body.nodes[i];
		bool is_needed = false;
		for (const Ref output : node.outputs) is_needed = is_needed || (output && needed[output.index]);
		if (!is_needed) {
		changed = true;
		continue;
		}
		for (const Ref input : node.inputs)
		if (input) needed[input.index] = true;
		for_each_body(node, [&](BodyRef inner) { changed |= sweep(model, model.bodies[inner.index], needed); });
		kept.push_back(std::move(node));
		}
		body.nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
		return changed;
	}
};
}
namespace ferry::onnx {
struct pad_folding {
	static constexpr bool optimizes = true;
	static bool fix(Model& model) {
		const std::vector<std::uint32_t> uses = count_uses(model);
		const std::vector<Node*> producers = find_producers(model);
		bool changed = false;
		for (Body& body : model.bodies)
		for (Node& node : body.nodes)
		if (is_op(&node, "Conv") && uses[node.inputs[0].index] == 1)
		changed |= fold(model, producers[node.inputs[0].index], node);
		return changed;
	}
private:
	static bool fold(const Model& model, const Node* pad, Node& convolution) {
		if (!is_op(pad, "Pad") || !is_of_zeros(model, *pad)) return false;
		auto* pads = padding(convolution);
		if (pads == nullptr) return false;
		const std::size_t spatial = pads->size() / 2, rank = spatial + 2;
		const std::vector<std::int64_t> widths = all_widths(model, *pad, rank);
		if (widths.empty() || algo::any_of(widths, [](std::int64_t width) { return width < 0; })) return false;
		for (const std::size_t side : {std::size_t{0}, rank})
		if (widths[side] != 0 || widths[side + 1] != 0) return false;
		for (std::size_t i = 0; i < spatial; ++i) {
		(*pads)[i] += widths[i + 2];
		(*pads)[spatial + i] += widths[rank + i + 2];
		}
		convolution.inputs[0] = pad->inputs[0];
		return true;
	}
	[[nodiscard]] static bool is_of_zeros(const Model& model, const Node& pad) {
		if (pad.find("mode") != nullptr) return false;
		if (pad.inputs.size() < 3 || !pad.inputs[2]) return true;
		const at::Tensor& value = model[pad.inputs[2]].constant;
		return value.defined() && value.item<double>() == 0;
	}
	[[nodiscard]] static std::vector<std::int64_t> all_widths(const Model& model, const Node& pad, std::size_t rank) {
		const auto numbers = [&](std::size_t input) -> std::span<const std::int64_t> {
		const at::Tensor& constant = model[pad.inputs[input]].constant;
		if (!constant.defined()) return {};
		return {static_cast<const std::int64_t*>(constant.const_data_ptr()),
		static_cast<std::size_t>(constant.numel())};
		};
		const std::span<const std::int64_t> given = numbers(1);
		const bool is_named = pad.inputs.size() > 3 && pad.inputs[3];
		const std::span<const std::int64_t> dims = is_named ? numbers(3) : std::span<const std::int64_t>();
		const std::size_t count = is_named ? dims.size() : rank;
		if (given.empty() || given.size() != 2 * count) return {};
		std::vector<std::int64_t> widths(2 * rank, 0);
		for (std::size_t i = 0; i < count; ++i) {
		const auto dim = is_named ? static_cast<std::size_t>(dims[i]) : i;
		if (dim >= rank) return {};
		widths[dim] = given[i];
		widths[rank + dim] = given[count + i];
		}
		return widths;
	}
	[[nodiscard]] static std::vector<std::int64_t>* padding(Node& convolution) {
		for (Attribute& attribute : convolution.attributes)
		if (attribute.name == "pads") return std::get_if<std::vector<std::int64_t>>(&attribute.value);
		return nullptr;
	}
};
}
namespace ferry::onnx {
struct same_initializers {
	static constexpr bool optimizes = true;
	static bool fix(Model& model) {
		Replacements values(model);
		std::unordered_multimap<std::string, Ref> seen;
		for (std::uint32_t i = 0; i < model.num_values(); ++i) {
		const at::Tensor& tensor = model[Ref{i}].constant;
		if (!tensor.defined() || !tensor.is_contiguous() || tensor.numel() == 0) continue;
		std::string key = outline(tensor);
		const auto [first, last] = seen.equal_range(key);
		const auto same = std::find_if(first, last, [&](const auto& each) {
		return std::memcmp(model[each.second].constant.const_data_ptr(), tensor.const_data_ptr(),
		tensor.nbytes()) == 0;
		});
		if (same != last)
		values.replace(Ref{i}, same->second);
		else
		seen.emplace(std::move(key), Ref{i});
		}
		return values.apply(model);
	}
private:
	[[nodiscard]] static std::string outline(const at::Tensor& tensor) {
		constexpr std::size_t most = 64;
		std::string text(1, static_cast<char>(tensor.scalar_type()));
		for (const std::int64_t size : tensor.sizes()) text.append(std::to_string(size)) += ',';
		const std::string_view bytes(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
		text.append(bytes.substr(0, most)).append(bytes.substr(bytes.size() - std::min(most, bytes.size())));
		return text;
	}
};
}
namespace ferry::onnx::detail {
FERRY_INLINE void list_fixes<default_ir_fixes>::run(Model& model, bool optimize) {
	list_fixes<plain_t<default_ir_fixes>>::run(model, optimize);
}
}
#include <complex>
namespace ferry::onnx {
FERRY_INLINE void Translation::set_node(const ferry::Node& node) {
	set_current_node(node);
	set_path(node.module_path());
	first_new_ = model().num_values();
}
FERRY_INLINE void Translation::translate(const ferry::Node& node) {
	set_node(node);
	const auto place = [&] {
		return ErrorPlace{
		.stage = "translations", .op = std::string(node.op()), .path = std::string(node.module_path())};
	};
	try {
		run_entry();
	} catch (const Error& error) {
		if (!error.where().op.empty()) throw;
		throw Error(error.kind(), error.message(), {.hint = error.hint(), .where = place()});
	} catch (const c10::Error& error) {
		throw Error(ErrorKind::unsupported, error.what_without_backtrace(), {.where = place()});
	}
}
FERRY_INLINE void Translation::run_entry() {
	const bool is_complex = is_on_complex(graph(), node());
	const Function own = is_complex ? find_(complex_name(node().op())) : nullptr;
	if (own != nullptr) return own(*this);
	const Function entry = find_(node().op());
	if (entry == nullptr) refuse("an op has no translation to ONNX");
	if (!is_complex) return entry(*this);
	if (!acts_on_parts(node().op())) refuse("an op has no translation to ONNX for complex numbers");
	translate_parts(entry);
}
FERRY_INLINE void Translation::translate_parts(Function entry) {
	std::vector<Ref> halves[2];
	for (const Part part : {Part::real, Part::imaginary}) {
		part_ = part;
		parts_.assign(num_results(), Ref());
		try {
		entry(*this);
		} catch (...) {
		part_ = Part::whole;
		throw;
		}
		halves[part == Part::real ? 0 : 1] = std::exchange(parts_, {});
	}
	part_ = Part::whole;
	for (std::size_t i = 0; i < halves[0].size(); ++i)
		if (halves[0][i]) result(pair(halves[0][i], halves[1][i]), i);
}
FERRY_INLINE Ref Translation::this_part(Value value) {
	const Ref whole = ref(value);
	if (is_complex_value(graph(), value)) return part_ == Part::real ? real_part(whole) : imaginary_part(whole);
	return part_ == Part::imaginary && is_floating_point(dtype(whole)) ? filled(sizes(whole), 0, dtype(whole)) : whole;
}
FERRY_INLINE std::vector<Ref> Translation::run(const Graph& graph, const std::vector<Ref>& inputs) {
	const Graph* outer_graph = &this->graph();
	const ferry::Node* outer_node = current_node();
	std::vector<Ref> outer_refs = std::exchange(refs_, {});
	if (graph.inputs().size() != inputs.size())
		throw Error(ErrorKind::internal, "a graph of " + std::to_string(graph.inputs().size()) + " inputs was given " +
		std::to_string(inputs.size()));
	enter(graph);
	for (std::size_t i = 0; i < inputs.size(); ++i) {
		const Value input = graph.inputs()[i];
		bind(input, inputs[i]);
		if (graph.info(input).kind == ValueKind::sym_int) know_size(graph.info(input).symbol, inputs[i]);
		know_symbols(inputs[i]);
	}
	translate_nodes();
	std::vector<Ref> outputs;
	for (const Argument& output : graph.outputs()) {
		const auto* value = output.get_if<Value>();
		outputs.push_back(value != nullptr ? ref(*value) : to_tensor(output, "output"));
	}
	set_graph(outer_graph);
	refs_ = std::move(outer_refs);
	set_node(*outer_node);
	return outputs;
}
FERRY_INLINE Ref Translation::ref(Value value) const {
	const Ref found = refs_.at(value.index);
	if (!found)
		throw Error(ErrorKind::internal, "'" + graph().info(value).name + "' is used before it is there",
		{.where = {.stage = "translations",
		.op = std::string(current_node() != nullptr ? current_node()->op() : "")}});
	return found;
}
FERRY_INLINE Ref Translation::to_tensor(const Argument& argument, std::string_view name) {
	if (const auto* value = argument.get_if<Value>())
		return graph().info(*value).kind != ValueKind::tensor ? scalar_of(ref(*value))
		: part_ == Part::whole                         ? ref(*value)
		: this_part(*value);
	if (const auto* flag = argument.get_if<bool>()) return number(*flag, DType::boolean);
	if (const auto* number_ = argument.get_if<std::int64_t>()) return number(*number_, DType::int64);
	if (const auto* number_ = argument.get_if<double>()) return number(*number_, DType::float32);
	wrong_argument(name, "a tensor");
}
FERRY_INLINE std::vector<Ref> Translation::tensors(std::string_view name) {
	const Argument given = argument(name);
	std::vector<Ref> all;
	if (const auto* list = given.get_if<ArgumentList>()) {
		all.reserve(list->size());
		for (const Argument& item : *list) all.push_back(item.is_none() ? Ref() : to_tensor(item, name));
	}
	return all;
}
FERRY_INLINE Ref Translation::operand(std::string_view name, DType dtype) {
	const Argument given = argument(name);
	if (const auto* both = given.get_if<std::complex<double>>(); both != nullptr && part_ != Part::whole)
		return number(part_ == Part::real ? both->real() : both->imag(), dtype);
	if (part_ == Part::imaginary && !given.is<Value>()) return number(0, dtype);
	return given.is<Value>() ? cast(to_tensor(given, name), dtype) : factor(name, dtype);
}
FERRY_INLINE Ref Translation::factor(std::string_view name, DType dtype) {
	const Argument given = argument(name);
	if (const auto* flag = given.get_if<bool>()) return number(*flag, dtype);
	if (const auto* integer = given.get_if<std::int64_t>()) return number(*integer, dtype);
	if (const auto* real = given.get_if<double>()) return number(*real, dtype);
	return cast(to_tensor(given, name), dtype);
}
FERRY_INLINE void Translation::result(Ref value, std::size_t position) {
	const Value wanted = node().output(position);
	if (!wanted) return;
	const ValueInfo& info = graph().info(wanted);
	if (info.kind == ValueKind::tensor) value = cast(value, stored_dtype(info.tensor.dtype));
	if (part_ != Part::whole && is_complex(info.tensor.dtype)) {
		parts_.at(position) = with_sizes(value, info.tensor.sizes);
		return;
	}
	ValueData& data = model()[value];
	if (value.index >= first_new_ && !data.constant.defined() && data.name.empty()) data.name = info.name;
	if (info.kind == ValueKind::tensor && (!data.sizes || value.index >= first_new_))
		data.sizes = stored_sizes(info.tensor);
	know_symbols(value);
	bind(wanted, value);
}
}
#include <numbers>
namespace ferry::onnx::translated {
FERRY_INLINE Ref relu::translate(Translation& t) {
	const Ref self = t.tensor("self");
	return is_floating_point(t.dtype(self)) ? t.add("Relu", {self}) : t.add("Max", {self, t.number_like(0, self)});
}
FERRY_INLINE Ref silu::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	if (t.dtype(self) != DType::float64) return t.add("Mul", {self, t.add("Sigmoid", {self})});
	const Ref power = t.add("Exp", {t.add("Neg", {self})});
	return t.add("Div", {self, t.add("Add", {power, t.number_like(1, self)})});
}
FERRY_INLINE Ref gelu::translate(Translation& t) {
	const std::string approximate = t.text("approximate");
	const Ref x = t.wide_operand("self");
	if (t.opset() >= 20) return t.add("Gelu", {x}, {{"approximate", approximate}});
	const auto number = [&](double value) { return t.number_like(value, x); };
	Ref inner;
	if (approximate == "tanh") {
		const Ref cube = t.add("Mul", {t.add("Mul", {x, x}), x});
		const Ref sum = t.add("Add", {x, t.add("Mul", {cube, number(0.044715)})});
		inner = t.add("Tanh", {t.add("Mul", {sum, number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi)})});
	} else {
		inner = t.add("Erf", {t.add("Div", {x, number(std::numbers::sqrt2)})});
	}
	return t.add("Mul", {t.add("Mul", {x, number(0.5)}), t.add("Add", {inner, number(1)})});
}
FERRY_INLINE Ref leaky_relu::translate(Translation& t) {
	return t.add("LeakyRelu", {t.tensor("self")}, {{"alpha", t.real("negative_slope")}});
}
FERRY_INLINE Ref elu::translate(Translation& t) {
	const double alpha = t.real("alpha"), scale = t.real("scale"), input_scale = t.real("input_scale");
	const Ref x = t.wide_operand("self");
	if (scale == 1 && input_scale == 1) return t.add("Elu", {x}, {{"alpha", alpha}});
	const Ref scaled = t.add("Mul", {x, t.number_like(input_scale, x)});
	const Ref low = t.add("Elu", {scaled}, {{"alpha", alpha}});
	const Ref positive = t.add("Greater", {x, t.number_like(0, x)});
	return t.add("Mul", {t.add("Where", {positive, x, low}), t.number_like(scale, x)});
}
FERRY_INLINE Ref softplus::translate(Translation& t) {
	const Ref x = t.wide_operand("self");
	const double beta = t.real("beta");
	const Ref scaled = beta == 1 ? x : t.add("Mul", {x, t.number_like(beta, x)});
	Ref soft = t.add("Softplus", {scaled});
	if (beta != 1) soft = t.add("Div", {soft, t.number_like(beta, x)});
	return t.add("Where", {t.add("Greater", {scaled, t.number_like(t.real("threshold"), x)}), x, soft});
}
FERRY_INLINE Ref hardsigmoid::translate(Translation& t) {
	return t.add("HardSigmoid", {t.tensor("self")}, {{"alpha", 1.0 / 6}, {"beta", 0.5}});
}
FERRY_INLINE Ref hardswish::translate(Translation& t) {
	const Ref x = t.wide_operand("self");
	return t.add("Mul", {x, t.add("HardSigmoid", {x}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})});
}
FERRY_INLINE Ref glu::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	const std::int64_t dim = t.dim("dim", t.rank(self));
	const SymExpr half = t.result_sizes()[static_cast<std::size_t>(dim)];
	const auto halves = t.add_many("Split", {self, t.shape({half, half})}, {{"axis", dim}}, 2);
	return t.add("Mul", {halves[0], t.add("Sigmoid", {halves[1]})});
}
inline Ref clamped(Translation& t, std::string_view low, std::string_view high) {
	const DType dtype = t.result_dtype();
	Ref value = t.operand("self", dtype);
	const auto is_number = [&](std::string_view name) {
		return !name.empty() && t.has(name) && !t.argument(name).is<Value>();
	};
	if (is_number(low) && is_number(high) && t.real(low) <= t.real(high))
		return t.add("Clip", {value, t.operand(low, dtype), t.operand(high, dtype)});
	if (!low.empty() && t.has(low)) value = t.add("Max", {value, t.operand(low, dtype)});
	if (!high.empty() && t.has(high)) value = t.add("Min", {value, t.operand(high, dtype)});
	return value;
}
FERRY_INLINE Ref clamp::translate(Translation& t) { return clamped(t, "min", "max"); }
FERRY_INLINE Ref clamp_min::translate(Translation& t) { return clamped(t, "min", ""); }
FERRY_INLINE Ref clamp_max::translate(Translation& t) { return clamped(t, "", "max"); }
FERRY_INLINE Ref hardtanh::translate(Translation& t) { return clamped(t, "min_val", "max_val"); }
FERRY_INLINE Ref relu6::translate(Translation& t) {
	const Ref self = t.tensor("self");
	return t.add("Clip", {self, t.number_like(0, self), t.number_like(6, self)});
}
}
namespace ferry::onnx::translated {
inline Ref counted(Translation& t, const SymExpr& count) {
	const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64);
	return t.with_sizes(t.add("Range", {zero, t.scalar_of(t.size(count)), one}), {count});
}
inline Ref flattened(Translation& t, Ref value) {
	SymExpr count = 1;
	for (const SymExpr& size : t.sizes(value)) count = count * size;
	return t.reshape(value, {count});
}
inline Ref places_among(Translation& t, Ref boundaries, Ref numbers, bool right) {
	if (t.sizes(boundaries).back().is_constant(0)) return t.filled(t.sizes(numbers), 0, DType::int64);
	const std::int64_t behind = t.rank(numbers);
	const Ref column = t.unsqueeze(numbers, {behind});
	const Ref rows = t.rank(boundaries) > 1 ? t.unsqueeze(boundaries, {t.rank(boundaries) - 1}) : boundaries;
	const Ref below = t.cast(t.add(right ? "LessOrEqual" : "Less", {rows, column}), DType::int64);
	return t.add("ReduceSum", {below, t.ints({-1})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref bucketize::translate(Translation& t) {
	const DType dtype = t.promoted({"self", "boundaries"});
	return places_among(t, t.operand("boundaries", dtype), t.operand("self", dtype), t.flag("right"));
}
FERRY_INLINE Ref searchsorted::translate(Translation& t) {
	const bool right = t.flag("right") || (t.has("side") && t.text("side") == "right");
	const DType dtype = t.promoted({"sorted_sequence", "self"});
	Ref sequence = t.operand("sorted_sequence", dtype);
	if (t.has("sorter"))
		sequence = t.like(t.add("GatherElements", {sequence, t.tensor("sorter")}, {{"axis", -1}}), sequence);
	return places_among(t, sequence, t.operand("self", dtype), right);
}
FERRY_INLINE Ref repeat_interleave_counts::translate(Translation& t) {
	const Ref counts = t.operand("repeats", DType::int64);
	const Ref zero = t.number(0, DType::int64), one = t.ints({1});
	const Ref ends = t.add("CumSum", {counts, zero});
	const Ref total = t.add("ReduceSum", {counts, t.ints({0})}, {{"keepdims", 1}});
	const Ref marks = t.add("Expand", {t.ints({0}), t.add("Add", {total, one})});
	const Ref ones = t.add("Expand", {one, t.add("Shape", {counts})});
	const Ref ended = t.add("ScatterElements", {marks, ends, ones}, {{"axis", 0}, {"reduction", "add"}});
	return t.add("CumSum", {t.slice(ended, 0, t.ints({0}), total), zero});
}
inline std::pair<Ref, Ref> histogram_ends(Translation& t, Ref numbers) {
	const double low = t.real("min"), high = t.real("max");
	if (low != high) return {t.number_like(low, numbers), t.number_like(high, numbers)};
	const auto end = [&](std::string_view op) { return t.add(op, {numbers}, {{"keepdims", 0}}); };
	const Ref least = low != 0 ? t.number_like(low, numbers) : end("ReduceMin");
	const Ref most = low != 0 ? t.number_like(high, numbers) : end("ReduceMax");
	const Ref apart = t.cast(t.add("Equal", {least, most}), t.dtype(numbers));
	return {t.add("Sub", {least, apart}), t.add("Add", {most, apart})};
}
FERRY_INLINE Ref histc::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const std::int64_t bins = t.integer("bins");
	const Ref flat = t.add("Reshape", {t.operand("self", dtype), t.ints({-1, 1})});
	const auto [low, high] = histogram_ends(t, flat);
	const Ref inside = t.add("And", {t.add("GreaterOrEqual", {flat, low}), t.add("LessOrEqual", {flat, high})});
	const Ref scaled = t.add("Mul", {t.add("Sub", {flat, low}), t.number(bins, dtype)});
	const Ref place = t.add("Floor", {t.add("Div", {scaled, t.add("Sub", {high, low})})});
	const Ref last = t.add("Min", {place, t.number(bins - 1, dtype)});
	const Ref hits = t.add("And", {t.add("Equal", {t.cast(last, DType::int64), counted(t, bins)}), inside});
	return t.add("ReduceSum", {t.cast(hits, dtype), t.ints({0})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref bincount::translate(Translation& t) {
	const Ref self = t.operand("self", DType::int64);
	const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64);
	const Ref padded = t.add("Concat", {self, t.ints({t.integer("minlength") - 1})}, {{"axis", 0}});
	const Ref most = t.add("ReduceMax", {padded}, {{"keepdims", 0}});
	const Ref all = t.add("Range", {zero, t.add("Add", {most, one}), one});
	const Ref hits = t.add("Equal", {t.unsqueeze(self, {1}), all});
	const DType dtype = t.result_dtype();
	Ref weights = t.cast(hits, dtype);
	if (t.has("weights")) weights = t.add("Mul", {weights, t.unsqueeze(t.operand("weights", dtype), {1})});
	return t.add("ReduceSum", {weights, t.ints({0})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref unfold::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::int64_t rank = t.rank(self);
	if (rank == 0) return t.unsqueeze(self, {0});
	const std::int64_t dim = t.dim("dimension", rank), size = t.integer("size"), step = t.integer("step");
	const SymExpr count = t.result_sizes()[static_cast<std::size_t>(dim)];
	const Ref starts = t.like(t.add("Mul", {counted(t, count), t.number(step, DType::int64)}), counted(t, count));
	const Ref index = t.add("Add", {t.unsqueeze(starts, {1}), counted(t, size)});
	Sizes sizes = t.result_sizes();
	sizes.pop_back();
	sizes.insert(sizes.begin() + dim + 1, SymExpr(size));
	const Ref windows = t.with_sizes(t.add("Gather", {self, index}, {{"axis", dim}}), sizes);
	std::vector<std::int64_t> order;
	for (std::int64_t i = 0; i <= rank; ++i)
		if (i != dim + 1) order.push_back(i);
	order.push_back(dim + 1);
	return t.permute(windows, order);
}
FERRY_INLINE Ref masked_scatter::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const Ref mask = t.expand(t.operand("mask", DType::boolean), t.result_sizes());
	const Ref flat = t.add("Reshape", {t.cast(mask, DType::int64), t.ints({-1})});
	const Ref one = t.number(1, DType::int64);
	const Ref place = t.add("Sub", {t.add("CumSum", {flat, t.number(0, DType::int64)}), one});
	const Ref given = t.add("Reshape", {t.operand("source", t.result_dtype()), t.ints({-1})});
	const Ref source = t.add("Concat", {given, t.filled({1}, 0, t.result_dtype())}, {{"axis", 0}});
	const Ref taken = t.add("Gather", {source, t.add("Max", {place, t.number(0, DType::int64)})});
	const Ref shaped = t.add("Reshape", {taken, t.add("Shape", {mask})});
	return t.add("Where", {mask, shaped, t.expand(self, t.result_sizes())});
}
}
namespace ferry::onnx::translated {
[[nodiscard]] inline std::vector<std::int64_t> per_dim(std::vector<std::int64_t> given, std::size_t count,
		std::int64_t otherwise) {
	if (given.empty()) given.push_back(otherwise);
	if (given.size() == 1) given.resize(count, given[0]);
	return given;
}
[[nodiscard]] inline std::vector<std::int64_t> both_sides(const std::vector<std::int64_t>& pads) {
	std::vector<std::int64_t> all = pads;
	all.insert(all.end(), pads.begin(), pads.end());
	return all;
}
struct Convolution {
	std::vector<std::int64_t> pads{};
	std::vector<std::int64_t> output_padding{};
	bool transposed = false;
};
inline Ref convolve(Translation& t, Convolution how) {
	const DType dtype = t.wide(t.result_dtype());
	Ref input = t.operand("input", dtype);
	const Ref weight = t.operand("weight", dtype);
	const bool is_batch = t.rank(input) == t.rank(weight);
	if (!is_batch) input = t.unsqueeze(input, {0});
	const auto spatial = static_cast<std::size_t>(t.rank(weight) - 2);
	const auto strides = per_dim(t.integers("stride"), spatial, 1);
	const auto dilations = per_dim(t.integers("dilation"), spatial, 1);
	std::vector<Attribute> attributes{
		{"strides", strides}, {"dilations", dilations}, {"pads", how.pads}, {"group", t.integer("groups")}};
	if (how.transposed) attributes.emplace_back("output_padding", how.output_padding);
	std::vector<Ref> inputs{input, weight};
	if (t.has("bias")) inputs.push_back(t.operand("bias", dtype));
	const Ref made = t.add(how.transposed ? "ConvTranspose" : "Conv", std::move(inputs), std::move(attributes));
	return is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
}
[[nodiscard]] inline std::size_t spatial_dims(Translation& t) {
	return static_cast<std::size_t>(t.rank(t.tensor("weight")) - 2);
}
FERRY_INLINE Ref conv::translate(Translation& t) {
	return convolve(t, {.pads = both_sides(per_dim(t.integers("padding"), spatial_dims(t), 0))});
}
FERRY_INLINE Ref conv_padding::translate(Translation& t) {
	const std::size_t spatial = spatial_dims(t);
	std::vector<std::int64_t> pads(2 * spatial, 0);
	if (t.text("padding") == "same") {
		const auto dilations = per_dim(t.integers("dilation"), spatial, 1);
		const Sizes& kernel = t.sizes(t.tensor("weight"));
		for (std::size_t i = 0; i < spatial; ++i) {
		if (!kernel[i + 2].is_constant()) t.refuse("padding 'same' with a kernel of a size that varies");
		const std::int64_t total = dilations[i] * (kernel[i + 2].value() - 1);
		pads[i] = total / 2;
		pads[spatial + i] = total - total / 2;
		}
	}
	return convolve(t, {.pads = std::move(pads)});
}
FERRY_INLINE Ref conv_transpose::translate(Translation& t) {
	const std::size_t spatial = spatial_dims(t);
	return convolve(t, {.pads = both_sides(per_dim(t.integers("padding"), spatial, 0)),
		.output_padding = per_dim(t.integers("output_padding"), spatial, 0),
		.transposed = true});
}
FERRY_INLINE Ref convolution::translate(Translation& t) {
	const std::size_t spatial = spatial_dims(t);
	return convolve(t, {.pads = both_sides(per_dim(t.integers("padding"), spatial, 0)),
		.output_padding = per_dim(t.integers("output_padding"), spatial, 0),
		.transposed = t.flag("transposed")});
}
FERRY_INLINE Ref col2im::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const bool is_batch = t.rank(self) == 3;
	const Ref made = t.add("Col2Im",
		{is_batch ? self : t.unsqueeze(self, {0}), t.shape(t.symbolics("output_size")),
		t.ints(t.integers("kernel_size"))},
		{{"dilations", t.integers("dilation")},
		{"pads", both_sides(t.integers("padding"))},
		{"strides", t.integers("stride")}});
	return is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
}
}
namespace ferry::onnx::translated {
struct Pooling {
	Ref input;
	bool is_batch = true;
	bool rounds_up = false;
	std::vector<std::int64_t> kernel{}, strides{}, dilations{}, fronts{}, backs{};
	[[nodiscard]] std::vector<std::int64_t> pads() const {
		std::vector<std::int64_t> all = fronts;
		all.insert(all.end(), backs.begin(), backs.end());
		return all;
	}
	[[nodiscard]] std::vector<Attribute> attributes() const {
		return {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads()}, {"ceil_mode", rounds_up ? 1 : 0}};
	}
	[[nodiscard]] Ref without_batch(Translation& t, Ref made) const {
		return is_batch ? made : t.add("Squeeze", {made, t.ints({0})});
	}
};
inline Pooling pooling(Translation& t, std::size_t spatial, std::vector<std::int64_t> dilations) {
	Pooling made{.input = t.tensor("self"), .rounds_up = t.flag("ceil_mode"), .dilations = std::move(dilations)};
	made.is_batch = t.rank(made.input) == static_cast<std::int64_t>(spatial) + 2;
	if (!made.is_batch) made.input = t.unsqueeze(made.input, {0});
	made.kernel = per_dim(t.integers("kernel_size"), spatial, 1);
	made.strides = t.integers("stride");
	made.strides = made.strides.empty() ? made.kernel : per_dim(std::move(made.strides), spatial, 1);
	made.fronts = made.backs = per_dim(t.integers("padding"), spatial, 0);
	const Sizes& sizes = t.sizes(made.input);
	const bool is_known =
		std::all_of(sizes.begin() + 2, sizes.end(), [](const SymExpr& size) { return size.is_constant(); });
	if (!made.rounds_up || !is_known) return made;
	made.rounds_up = false;
	const std::size_t first = t.result_sizes().size() - spatial;
	for (std::size_t i = 0; i < spatial; ++i) {
		const std::int64_t windows = t.result_sizes()[first + i].value();
		const std::int64_t reach = (windows - 1) * made.strides[i] + made.dilations[i] * (made.kernel[i] - 1) + 1;
		made.backs[i] = std::max(made.backs[i], reach - sizes[i + 2].value() - made.fronts[i]);
	}
	return made;
}
[[nodiscard]] inline std::size_t dims_in_name(Translation& t) {
	const auto at = t.node().op().find_first_of("123");
	return static_cast<std::size_t>(t.node().op()[at] - '0');
}
inline Ref places_in_image(Translation& t, Ref places, Ref image, std::size_t spatial) {
	const Sizes& sizes = t.sizes(image);
	SymExpr count = 1;
	for (std::size_t i = sizes.size() - spatial; i < sizes.size(); ++i) count = count * sizes[i];
	return t.add("Mod", {places, t.size(count)});
}
FERRY_INLINE void max_pool::translate(Translation& t) {
	const std::size_t spatial = dims_in_name(t);
	const Pooling how = pooling(t, spatial, per_dim(t.integers("dilation"), spatial, 1));
	std::vector<Attribute> attributes = how.attributes();
	attributes.emplace_back("dilations", how.dilations);
	const std::size_t count = t.num_results() > 1 && t.is_wanted(1) ? 2 : 1;
	const auto made = t.add_many("MaxPool", {how.input}, std::move(attributes), count);
	t.result(how.without_batch(t, made[0]), 0);
	if (count == 2) t.result(how.without_batch(t, places_in_image(t, made[1], how.input, spatial)), 1);
}
inline Ref image_of_ones(Translation& t, const Pooling& how) {
	Sizes sizes = t.sizes(how.input);
	sizes[0] = sizes[1] = 1;
	return t.filled(sizes, 1, t.dtype(how.input));
}
inline Ref whole_windows(Translation& t, const Pooling& how, Ref image, int in_padding) {
	const std::size_t spatial = how.kernel.size(), first = t.result_sizes().size() - spatial;
	const std::vector<std::int64_t> asked = per_dim(t.integers("padding"), spatial, 0);
	Sizes around(2 * (spatial + 2), SymExpr(0)), behind = around;
	for (std::size_t i = 0; i < spatial; ++i) {
		around[2 + i] = around[spatial + 4 + i] = asked[i];
		const SymExpr steps = (t.result_sizes()[first + i] - SymExpr(1)) * SymExpr(how.strides[i]);
		const SymExpr size = t.sizes(how.input)[i + 2] + SymExpr(2 * asked[i]);
		behind[spatial + 4 + i] = sym_max({steps + SymExpr(how.kernel[i]) - size, SymExpr(0)});
	}
	const Ref inner = t.add("Pad", {image, t.shape(around), t.number_like(in_padding, image)});
	const Ref padded = t.add("Pad", {inner, t.shape(behind), t.number_like(0, image)});
	return t.add("AveragePool", {padded}, {{"kernel_shape", how.kernel}, {"strides", how.strides}});
}
FERRY_INLINE Ref avg_pool::translate(Translation& t) {
	const std::size_t spatial = dims_in_name(t);
	Pooling how = pooling(t, spatial, std::vector<std::int64_t>(spatial, 1));
	how.input = t.cast(how.input, t.wide(t.result_dtype()));
	const bool has_divisor = spatial > 1 && t.has("divisor_override");
	const bool is_uneven = how.rounds_up || how.fronts != how.backs;
	const bool counts_padding = has_divisor || t.flag("count_include_pad");
	Ref made;
	if (is_uneven && !has_divisor && (counts_padding || how.rounds_up)) {
		made = t.add(
		"Div", {whole_windows(t, how, how.input, 0), whole_windows(t, how, image_of_ones(t, how), counts_padding)});
	} else if (how.rounds_up) {
		made = whole_windows(t, how, how.input, 0);
	} else {
		std::vector<Attribute> attributes = how.attributes();
		attributes.emplace_back("count_include_pad", std::int64_t{counts_padding});
		made = t.add("AveragePool", {how.input}, std::move(attributes));
	}
	if (has_divisor) {
		const auto area = std::accumulate(how.kernel.begin(), how.kernel.end(), std::int64_t{1}, std::multiplies<>());
		made = t.add("Mul", {made, t.number_like(static_cast<double>(area) / t.real("divisor_override"), made)});
	}
	return how.without_batch(t, made);
}
FERRY_INLINE Ref max_unpool::translate(Translation& t) {
	const auto flat = [&](Sizes sizes) {
		SymExpr count = 1;
		for (std::size_t i = 0; i < dims_in_name(t); ++i) {
		count = count * sizes.back();
		sizes.pop_back();
		}
		sizes.push_back(count);
		return sizes;
	};
	const Ref self = t.tensor("self");
	const Sizes given = flat(t.sizes(self));
	const Ref empty = t.filled(flat(t.result_sizes()), 0, t.result_dtype());
	const Ref placed = t.add("ScatterElements", {empty, t.reshape(t.tensor("indices"), given), t.reshape(self, given)},
		{{"axis", -1}});
	return t.reshape(placed, t.result_sizes());
}
}
#include <ATen/ops/zeros.h>
namespace ferry::onnx::translated {
struct Window {
	std::int64_t start = 0;
	std::int64_t end = 0;
};
[[nodiscard]] inline Window adaptive_window(std::int64_t which, std::int64_t count, std::int64_t size) {
	return {which * size / count, ((which + 1) * size + count - 1) / count};
}
[[nodiscard]] inline at::Tensor averaging_matrix(std::int64_t size, std::int64_t count) {
	at::Tensor matrix = at::zeros({size, count}, at::TensorOptions(at::kDouble));
	auto* numbers = static_cast<double*>(matrix.mutable_data_ptr());
	for (std::int64_t i = 0; i < count; ++i) {
		const auto [start, end] = adaptive_window(i, count, size);
		for (std::int64_t k = start; k < end; ++k) numbers[k * count + i] = 1.0 / static_cast<double>(end - start);
	}
	return matrix;
}
inline Ref averaging_matrix(Translation& t, const SymExpr& size, const SymExpr& count, DType dtype) {
	if (size.is_constant() && count.is_constant())
		return t.constant(averaging_matrix(size.value(), count.value()).to(to_c10(dtype)));
	const Ref windows = counted(t, count), one = t.ints({1});
	const Ref starts = t.add("Div", {t.add("Mul", {windows, t.size(size)}), t.size(count)});
	const Ref reach = t.add("Mul", {t.add("Add", {windows, one}), t.size(size)});
	const Ref ends = t.add("Div", {t.add("Add", {reach, t.size(count - SymExpr(1))}), t.size(count)});
	const Ref numbers = t.unsqueeze(counted(t, size), {1});
	const Ref inside = t.add("And", {t.add("GreaterOrEqual", {numbers, starts}), t.add("Less", {numbers, ends})});
	return t.add("Div", {t.cast(inside, dtype), t.cast(t.add("Sub", {ends, starts}), dtype)});
}
FERRY_INLINE Ref adaptive_avg_pool::translate(Translation& t) {
	Ref value = t.wide_operand("self");
	const std::int64_t last = t.rank(value) - 1;
	for (std::int64_t dim = t.rank(value) - static_cast<std::int64_t>(dims_in_name(t)); dim <= last; ++dim) {
		const auto place = static_cast<std::size_t>(dim);
		const SymExpr size = t.sizes(value)[place], count = t.result_sizes()[place];
		if (size == count) continue;
		if (count.is_constant(1)) {
		Sizes after = t.sizes(value);
		after[place] = 1;
		value = t.with_sizes(t.add("ReduceMean", {value, t.ints({dim})}, {{"keepdims", 1}}), after);
		continue;
		}
		const Ref turned = t.transpose(value, dim, last);
		Sizes pooled = t.sizes(turned);
		pooled.back() = count;
		const Ref product = t.add("MatMul", {turned, averaging_matrix(t, size, count, t.dtype(value))});
		value = t.transpose(t.with_sizes(product, pooled), dim, last);
	}
	return value;
}
FERRY_INLINE void adaptive_max_pool::translate(Translation& t) {
	const std::size_t spatial = dims_in_name(t);
	const Ref self = t.tensor("self");
	const std::size_t first = t.sizes(self).size() - spatial;
	std::vector<std::int64_t> sizes, counts;
	for (std::size_t i = first; i < first + spatial; ++i) {
		const SymExpr &size = t.sizes(self)[i], &count = t.result_sizes()[i];
		if (!size.is_constant() || !count.is_constant()) return pool_by_slices(t, self, spatial);
		sizes.push_back(size.value());
		counts.push_back(count.value());
	}
	bool is_even = true;
	for (std::size_t i = 0; i < spatial; ++i) is_even = is_even && sizes[i] % counts[i] == 0;
	if (is_even)
		pool_evenly(t, self, sizes, counts);
	else
		pool_by_places(t, self, sizes, counts);
}
FERRY_INLINE void adaptive_max_pool::pool_by_slices(Translation& t, Ref value, std::size_t spatial) {
	if (t.is_wanted(1)) t.refuse("the places of the largest numbers in parts of a dimension that varies");
	for (auto dim = t.rank(value) - static_cast<std::int64_t>(spatial); dim < t.rank(value); ++dim) {
		const auto place = static_cast<std::size_t>(dim);
		const SymExpr size = t.sizes(value)[place], count = t.result_sizes()[place];
		if (!count.is_constant()) t.refuse("a pooling to a number of windows that varies", "export with a fixed one");
		std::vector<Ref> windows;
		for (std::int64_t i = 0; i < count.value(); ++i) {
		const SymExpr start = floor_div(size * SymExpr(i), count);
		const SymExpr end = floor_div(size * SymExpr(i + 1) + count - SymExpr(1), count);
		const Ref window = t.slice(value, dim, t.size(start), t.size(end));
		windows.push_back(t.add("ReduceMax", {window, t.ints({dim})}, {{"keepdims", 1}}));
		}
		Sizes after = t.sizes(value);
		after[place] = count;
		value = t.with_sizes(t.add("Concat", std::move(windows), {{"axis", dim}}), std::move(after));
	}
	t.result(value, 0);
}
FERRY_INLINE void adaptive_max_pool::pool_evenly(Translation& t, Ref self, const Lengths& sizes,
		const Lengths& counts) {
	Pooling how{.input = self, .is_batch = t.rank(self) == static_cast<std::int64_t>(sizes.size()) + 2};
	if (!how.is_batch) how.input = t.unsqueeze(self, {0});
	for (std::size_t i = 0; i < sizes.size(); ++i) how.kernel.push_back(sizes[i] / counts[i]);
	how.strides = how.kernel;
	how.fronts = how.backs = Lengths(sizes.size(), 0);
	const auto made = t.add_many("MaxPool", {how.input}, how.attributes(), 2);
	t.result(how.without_batch(t, made[0]), 0);
	t.result(how.without_batch(t, places_in_image(t, made[1], how.input, sizes.size())), 1);
}
FERRY_INLINE at::Tensor adaptive_max_pool::places_in_windows(const Lengths& sizes, const Lengths& counts) {
	at::Tensor places = at::zeros({1, 1}, at::TensorOptions(at::kLong));
	for (std::size_t i = 0; i < sizes.size(); ++i) {
		std::int64_t width = 0;
		for (std::int64_t k = 0; k < counts[i]; ++k) {
		const auto [start, end] = adaptive_window(k, counts[i], sizes[i]);
		width = std::max(width, end - start);
		}
		at::Tensor along = at::empty({counts[i], width}, at::TensorOptions(at::kLong));
		auto* place = static_cast<std::int64_t*>(along.mutable_data_ptr());
		for (std::int64_t k = 0; k < counts[i]; ++k) {
		const auto [start, end] = adaptive_window(k, counts[i], sizes[i]);
		for (std::int64_t j = 0; j < width; ++j) *place++ = std::min(start + j, end - 1);
		}
		places = (places * sizes[i]).unsqueeze(1).unsqueeze(3) + along.unsqueeze(0).unsqueeze(2);
		places = places.reshape({places.size(0) * places.size(1), -1});
	}
	return places;
}
FERRY_INLINE void adaptive_max_pool::pool_by_places(Translation& t, Ref self, const Lengths& sizes,
		const Lengths& counts) {
	Sizes flat(t.sizes(self).begin(), t.sizes(self).end() - static_cast<std::ptrdiff_t>(sizes.size()));
	const auto axis = static_cast<std::int64_t>(flat.size());
	SymExpr area = 1;
	for (const std::int64_t size : sizes) area = area * SymExpr(size);
	flat.push_back(area);
	const at::Tensor places = places_in_windows(sizes, counts);
	const Ref windows = t.add("Gather", {t.reshape(self, flat), t.constant(places)}, {{"axis", axis}});
	const Ref largest = t.add("ReduceMax", {windows, t.ints({-1})}, {{"keepdims", 0}});
	t.result(t.reshape(largest, t.result_sizes(0)), 0);
	if (!t.is_wanted(1)) return;
	const Ref within = t.add("ArgMax", {windows}, {{"axis", -1}, {"keepdims", 0}});
	const Ref starts = t.add("Mul", {counted(t, places.size(0)), t.ints({places.size(1)})});
	const Ref taken = t.add("Gather", {t.constant(places.reshape({-1})), t.add("Add", {within, starts})});
	t.result(t.reshape(taken, t.result_sizes(1)), 1);
}
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref binary(Translation& t, std::string_view op) {
	return t.add(op, {t.operand("self", t.result_dtype()), t.operand("other", t.result_dtype())});
}
inline Ref scaled(Translation& t, Ref value, std::string_view alpha) {
	if (t.argument(alpha) == Argument(1) || t.argument(alpha) == Argument(1.0)) return value;
	return t.add("Mul", {value, t.factor(alpha, t.dtype(value))});
}
inline Ref add_scaled(Translation& t, std::string_view op, std::string_view first, std::string_view second) {
	const DType dtype = t.result_dtype();
	const Ref left = t.operand(first, dtype);
	return t.add(op, {left, scaled(t, t.operand(second, dtype), "alpha")});
}
FERRY_INLINE Ref add::translate(Translation& t) { return add_scaled(t, "Add", "self", "other"); }
FERRY_INLINE Ref sub::translate(Translation& t) { return add_scaled(t, "Sub", "self", "other"); }
FERRY_INLINE Ref rsub::translate(Translation& t) { return add_scaled(t, "Sub", "other", "self"); }
FERRY_INLINE Ref mul::translate(Translation& t) { return binary(t, "Mul"); }
FERRY_INLINE Ref div::translate(Translation& t) { return binary(t, "Div"); }
inline Ref off_side(Translation& t, Ref remainder, Ref divisor) {
	const Ref zero = t.number_like(0, divisor);
	const Ref inexact = t.add("Not", {t.add("Equal", {remainder, zero})});
	const Ref differs = t.add("Xor", {t.add("Less", {remainder, zero}), t.add("Less", {divisor, zero})});
	return t.add("And", {inexact, differs});
}
inline Ref floor_divided(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref a = t.operand("self", dtype), b = t.operand("other", dtype);
	if (!is_floating_point(dtype)) return t.floor_div(a, b);
	const Ref rest = t.add("Mod", {a, b}, {{"fmod", 1}});
	const Ref quotient = t.add("Div", {t.add("Sub", {a, rest}), b});
	const Ref lower = t.add("Sub", {quotient, t.cast(off_side(t, rest, b), dtype)});
	const Ref whole = t.add("Round", {lower});
	return t.add("Where", {t.add("Equal", {b, t.number_like(0, b)}), t.add("Div", {a, b}), whole});
}
FERRY_INLINE Ref floor_divide::translate(Translation& t) { return floor_divided(t); }
FERRY_INLINE Ref div_mode::translate(Translation& t) {
	if (!t.has("rounding_mode")) return binary(t, "Div");
	if (t.text("rounding_mode") == "floor") return floor_divided(t);
	const DType dtype = t.wide(t.result_dtype());
	const Ref quotient = t.add("Div", {t.operand("self", dtype), t.operand("other", dtype)});
	if (!is_floating_point(dtype)) return quotient;
	return t.add("Mul", {t.add("Sign", {quotient}), t.add("Floor", {t.add("Abs", {quotient})})});
}
FERRY_INLINE Ref remainder::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref a = t.operand("self", dtype), b = t.operand("other", dtype);
	if (!is_floating_point(dtype)) return t.add("Mod", {a, b});
	const Ref rest = t.add("Mod", {a, b}, {{"fmod", 1}});
	return t.add("Where", {off_side(t, rest, b), t.add("Add", {rest, b}), rest});
}
FERRY_INLINE Ref fmod::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	return t.add("Mod", {t.operand("self", dtype), t.operand("other", dtype)}, {{"fmod", 1}});
}
FERRY_INLINE Ref pow::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	const Argument exponent = t.argument("exponent");
	const Ref base = t.operand("self", dtype);
	const auto is = [&](int whole) {
		return exponent == Argument(whole) || exponent == Argument(static_cast<double>(whole));
	};
	if (is(1)) return base;
	if (is(2)) return t.add("Mul", {base, base});
	if (exponent == Argument(0.5)) return t.add("Sqrt", {base});
	return t.add("Pow", {base, t.operand("exponent", dtype)});
}
inline Ref angle_of(Translation& t, Ref y, Ref x) {
	const Ref zero = t.number_like(0, y), pi = t.number_like(std::numbers::pi, y);
	const Ref half = t.number_like(std::numbers::pi / 2, y);
	const Ref is_below = t.add("Less", {y, zero});
	const Ref turned = t.add("Where", {is_below, t.add("Neg", {pi}), pi});
	const Ref angle = t.add("Atan", {t.add("Div", {y, x})});
	const Ref left = t.add("Where", {t.add("Less", {x, zero}), t.add("Add", {angle, turned}), angle});
	const Ref upright = t.add("Where", {is_below, t.add("Neg", {half}), half});
	const Ref on_axis = t.add("Where", {t.add("Equal", {y, zero}), t.add("Mul", {y, zero}), upright});
	return t.add("Where", {t.add("Equal", {x, zero}), on_axis, left});
}
FERRY_INLINE Ref atan2::translate(Translation& t) {
	return angle_of(t, t.wide_operand("self"), t.wide_operand("other"));
}
inline Ref add_combined(Translation& t, std::string_view op) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref combined = t.add(op, {t.operand("tensor1", dtype), t.operand("tensor2", dtype)});
	return t.add("Add", {t.operand("self", dtype), scaled(t, combined, "value")});
}
FERRY_INLINE Ref addcmul::translate(Translation& t) { return add_combined(t, "Mul"); }
FERRY_INLINE Ref addcdiv::translate(Translation& t) { return add_combined(t, "Div"); }
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref repeat::translate(Translation& t) {
	const Ref self = t.tensor("self");
	std::vector<std::int64_t> front(static_cast<std::size_t>(t.result_rank() - t.rank(self)));
	std::iota(front.begin(), front.end(), 0);
	return t.add("Tile", {t.unsqueeze(self, std::move(front)), t.shape(t.symbolics("repeats"))});
}
FERRY_INLINE Ref repeat_interleave::translate(Translation& t) {
	Ref self = t.tensor("self");
	std::int64_t dim = 0;
	if (t.has("dim")) {
		dim = t.dim("dim", t.rank(self));
	} else {
		self = flattened(t, self);
	}
	const Ref column = t.unsqueeze(self, {dim + 1});
	Sizes grown = t.sizes(column);
	grown[static_cast<std::size_t>(dim + 1)] = t.symbolic("repeats");
	return t.reshape(t.expand(column, grown), t.result_sizes());
}
FERRY_INLINE Ref flip::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const auto dims = t.dims("dims", t.rank(self));
	if (dims.empty() || t.rank(self) == 0) return self;
	const std::vector<std::int64_t> backwards(dims.size(), -1);
	const std::vector<std::int64_t> beyond(dims.size(), std::numeric_limits<std::int64_t>::min());
	return t.add("Slice", {self, t.ints(backwards), t.ints(beyond), t.ints(dims), t.ints(backwards)});
}
inline Ref triangle(Translation& t, bool upper) {
	return t.add("Trilu", {t.tensor("self"), t.number(t.integer("diagonal"), DType::int64)},
		{{"upper", std::int64_t{upper}}});
}
FERRY_INLINE Ref tril::translate(Translation& t) { return triangle(t, false); }
FERRY_INLINE Ref triu::translate(Translation& t) { return triangle(t, true); }
inline Sizes pad_pairs(Translation& t, std::int64_t rank) {
	Sizes pairs = t.symbolics("pad");
	if (std::cmp_greater(pairs.size(), 2 * rank)) t.refuse("more padding than there are dimensions");
	return pairs;
}
inline Ref padded(Translation& t, std::string_view mode, std::string_view value) {
	const Ref self = t.tensor("self");
	const Sizes pairs = pad_pairs(t, t.rank(self));
	if (algo::all_of(pairs, [](const SymExpr& width) { return width.is_constant(0); })) return self;
	const auto rank = static_cast<std::size_t>(t.rank(self));
	Sizes pads(2 * rank, SymExpr(0));
	for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
		pads[rank - 1 - i] = pairs[2 * i];
		pads[2 * rank - 1 - i] = pairs[2 * i + 1];
	}
	std::vector<std::int64_t> dims(rank);
	std::iota(dims.begin(), dims.end(), 0);
	const DType dtype = computing_type(kernel_types("Pad")->dtypes, t.dtype(self));
	std::vector<Ref> inputs{t.cast(self, dtype), t.shape(pads)};
	const bool is_constant = mode == "constant";
	inputs.push_back(!is_constant ? Ref() : t.has(value) ? t.operand(value, dtype) : t.number(0, dtype));
	inputs.push_back(t.ints(dims));
	return is_constant ? t.add("Pad", std::move(inputs))
		: t.add("Pad", std::move(inputs), {{"mode", std::string(mode)}});
}
FERRY_INLINE Ref constant_pad_nd::translate(Translation& t) { return padded(t, "constant", "value"); }
inline Ref padded_around(Translation& t) {
	Ref value = t.tensor("self");
	const Sizes pairs = pad_pairs(t, t.rank(value));
	for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
		const std::int64_t dim = t.rank(value) - 1 - static_cast<std::int64_t>(i);
		Sizes sizes = t.sizes(value);
		SymExpr& size = sizes[static_cast<std::size_t>(dim)];
		const auto number = [&](const SymExpr& each) { return t.scalar_of(t.size(each)); };
		const Ref places = t.add(
		"Range", {number(SymExpr(0) - pairs[2 * i]), number(size + pairs[2 * i + 1]), t.number(1, DType::int64)});
		const Ref index = t.add("Mod", {places, number(size)});
		size = size + pairs[2 * i] + pairs[2 * i + 1];
		value = t.with_sizes(t.add("Gather", {value, index}, {{"axis", dim}}), std::move(sizes));
	}
	return value;
}
FERRY_INLINE Ref pad::translate(Translation& t) {
	const std::string mode = t.text("mode");
	return mode == "circular" ? padded_around(t) : padded(t, mode == "replicate" ? "edge" : mode, "value");
}
}
#include <cmath>
namespace ferry::onnx::translated {
inline Ref repeat_heads(Translation& t, Ref value, const SymExpr& heads) {
	const Sizes& sizes = t.sizes(value);
	const std::size_t at = sizes.size() - 3;
	if (sizes[at] == heads) return value;
	Sizes grown = sizes, joined = sizes;
	grown.insert(grown.begin() + static_cast<std::ptrdiff_t>(at + 1), floor_div(heads, sizes[at]));
	joined[at] = heads;
	const Ref apart = t.unsqueeze(value, {static_cast<std::int64_t>(at + 1)});
	return t.reshape(t.expand(apart, grown), joined);
}
inline Ref causal_mask(Translation& t, const SymExpr& rows, const SymExpr& columns) {
	return t.add("GreaterOrEqual", {t.unsqueeze(counted(t, rows), {1}), counted(t, columns)});
}
class Attention {
public:
	explicit Attention(Translation& t)
		: t_(t),
		dtype_(t.wide(t.result_dtype())),
		query_(t.operand("query", dtype_)),
		key_(t.operand("key", dtype_)),
		value_(t.operand("value", dtype_)),
		rows_(from_end(query_, 2)),
		columns_(from_end(key_, 2)) {}
	[[nodiscard]] Ref translate() { return has_op() ? by_op() : by_parts(); }
private:
	[[nodiscard]] const SymExpr& from_end(Ref value, std::size_t place) const {
		return t_.sizes(value)[t_.sizes(value).size() - place];
	}
	[[nodiscard]] bool has_op() const {
		if (t_.opset() < 23 || dtype_ != DType::float32) return false;
		for (const Ref each : {query_, key_, value_}) {
		const Sizes& sizes = t_.sizes(each);
		if (sizes.size() != 4 || sizes[0] != t_.sizes(query_)[0]) return false;
		if (!algo::all_of(sizes, [&](const SymExpr& size) { return t_.is_positive(size); })) return false;
		}
		if (!t_.flag("enable_gqa") && from_end(key_, 3) != from_end(query_, 3)) return false;
		const bool has_scale = !t_.has("scale") || t_.argument("scale").is<double>();
		return from_end(value_, 3) == from_end(key_, 3) && has_scale && (!t_.flag("is_causal") || rows_ == columns_);
	}
	[[nodiscard]] Ref by_op() {
		std::vector<Attribute> attributes;
		if (t_.flag("is_causal")) attributes.emplace_back("is_causal", 1);
		if (t_.has("scale")) attributes.emplace_back("scale", t_.real("scale"));
		std::vector<Ref> inputs{query_, key_, value_};
		if (!t_.has("attn_mask")) return t_.add("Attention", std::move(inputs), std::move(attributes));
		const Ref mask = whole_mask();
		inputs.push_back(mask);
		const Ref made = t_.add("Attention", std::move(inputs), std::move(attributes));
		const bool is_condition = t_.dtype(mask) == DType::boolean;
		const Ref highest =
		t_.add("ReduceMax", {is_condition ? t_.cast(mask, DType::uint8) : mask, t_.ints({-1})}, {{"keepdims", 1}});
		const Ref nothing =
		is_condition ? t_.add("Not", {t_.cast(highest, DType::boolean)}) : t_.add("Equal", {highest, lowest()});
		return t_.add("Where", {nothing, t_.number(0, dtype_), made});
	}
	[[nodiscard]] Ref whole_mask() {
		Ref mask = t_.tensor("attn_mask");
		if (t_.dtype(mask) != DType::boolean) mask = t_.cast(mask, dtype_);
		Sizes sizes = t_.sizes(mask);
		sizes[sizes.size() - 2] = rows_;
		sizes[sizes.size() - 1] = columns_;
		return t_.expand(mask, sizes);
	}
	[[nodiscard]] Ref by_parts() {
		if (t_.flag("enable_gqa")) {
		key_ = repeat_heads(t_, key_, from_end(query_, 3));
		value_ = repeat_heads(t_, value_, from_end(query_, 3));
		}
		const std::int64_t last = t_.rank(key_) - 1;
		Ref scores = t_.add("MatMul", {t_.add("Mul", {query_, scale()}), t_.transpose(key_, last - 1, last)});
		if (t_.flag("is_causal")) scores = t_.add("Where", {causal_mask(t_, rows_, columns_), scores, lowest()});
		if (!t_.has("attn_mask")) return t_.add("MatMul", {t_.add("Softmax", {scores}, {{"axis", -1}}), value_});
		const Ref mask = t_.tensor("attn_mask");
		scores = t_.dtype(mask) == DType::boolean ? t_.add("Where", {mask, scores, lowest()})
		: t_.add("Add", {scores, t_.cast(mask, dtype_)});
		const Ref highest = t_.add("ReduceMax", {scores, t_.ints({-1})}, {{"keepdims", 1}});
		const Ref weights = t_.add("Where", {t_.add("Equal", {highest, lowest()}), t_.number(0, dtype_),
		t_.add("Softmax", {scores}, {{"axis", -1}})});
		return t_.add("MatMul", {weights, value_});
	}
	[[nodiscard]] Ref scale() {
		if (t_.has("scale")) return t_.operand("scale", dtype_);
		const SymExpr& width = from_end(query_, 1);
		if (width.is_constant()) return t_.number(1 / std::sqrt(static_cast<double>(width.value())), dtype_);
		return t_.add("Reciprocal", {t_.add("Sqrt", {t_.cast(t_.scalar_of(t_.size(width)), dtype_)})});
	}
	[[nodiscard]] Ref lowest() { return t_.number(-std::numeric_limits<double>::infinity(), dtype_); }
	Translation& t_;
	DType dtype_;
	Ref query_;
	Ref key_;
	Ref value_;
	SymExpr rows_;
	SymExpr columns_;
};
FERRY_INLINE Ref scaled_dot_product_attention::translate(Translation& t) {
	if (t.real("dropout_p") != 0) t.refuse("attention with dropout", "call eval() on the model first");
	return Attention(t).translate();
}
}
namespace ferry::onnx::translated {
inline Ref product_added(Translation& t, std::string_view first, std::string_view second) {
	const DType dtype = t.result_dtype();
	const Ref a = t.operand(first, dtype), b = t.operand(second, dtype), added = t.operand("self", dtype);
	if (t.rank(a) == 2 && t.rank(b) == 2 && is_floating_point(dtype) && t.argument("beta") != Argument(0)) {
		std::vector<Attribute> attributes;
		if (const double alpha = t.real("alpha"); alpha != 1) attributes.emplace_back("alpha", alpha);
		if (const double beta = t.real("beta"); beta != 1) attributes.emplace_back("beta", beta);
		return t.add("Gemm", {a, b, added}, std::move(attributes));
	}
	const Ref product = scaled(t, t.add("MatMul", {a, b}), "alpha");
	if (t.argument("beta") == Argument(0)) return t.with_sizes(product, t.result_sizes());
	return t.add("Add", {scaled(t, added, "beta"), product});
}
FERRY_INLINE Ref matmul::translate(Translation& t) {
	const bool by_name = t.node().op() == "aten::mv", is_dot = t.node().op() == "aten::dot";
	const DType dtype = t.result_dtype();
	return t.add("MatMul", {t.operand("self", dtype), t.operand(by_name ? "vec" : is_dot ? "tensor" : "other", dtype)});
}
FERRY_INLINE Ref mm::translate(Translation& t) { return t.add("MatMul", {t.tensor("self"), t.tensor("mat2")}); }
FERRY_INLINE Ref linear::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	const Ref input = t.operand("input", dtype), weight = t.operand("weight", dtype);
	const Ref bias = t.has("bias") ? t.operand("bias", dtype) : Ref();
	if (t.rank(input) == 2 && t.rank(weight) == 2 && is_floating_point(dtype)) {
		std::vector<Ref> inputs{input, weight};
		if (bias) inputs.push_back(bias);
		return t.add("Gemm", std::move(inputs), {{"transB", 1}});
	}
	const Ref turned = t.rank(weight) < 2 ? weight : t.transpose(weight, 0, 1);
	const Ref product = t.add("MatMul", {input, turned});
	return bias ? t.add("Add", {product, bias}) : product;
}
FERRY_INLINE Ref addmm::translate(Translation& t) { return product_added(t, "mat1", "mat2"); }
FERRY_INLINE Ref baddbmm::translate(Translation& t) { return product_added(t, "batch1", "batch2"); }
FERRY_INLINE Ref addbmm::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	const Ref products = t.add("MatMul", {t.operand("batch1", dtype), t.operand("batch2", dtype)});
	const Ref sum = t.add("ReduceSum", {products, t.ints({0})}, {{"keepdims", 0}});
	return t.add("Add", {scaled(t, t.operand("self", dtype), "beta"), scaled(t, sum, "alpha")});
}
FERRY_INLINE Ref addmv::translate(Translation& t) { return product_added(t, "mat", "vec"); }
FERRY_INLINE Ref outer::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	return t.add("Mul", {t.unsqueeze(t.operand("self", dtype), {1}), t.operand("vec2", dtype)});
}
inline void grow_ones(Translation& t, std::vector<Ref>& operands, std::string_view equation) {
	std::vector<std::string> labels(1);
	for (const char each : equation.substr(0, equation.find('-')))
		if (each == ',')
		labels.emplace_back();
		else if (each != ' ')
		labels.back() += each;
	if (labels.size() != operands.size() || equation.find('.') != equation.npos) return;
	std::map<char, SymExpr> sizes;
	for (std::size_t i = 0; i < operands.size(); ++i)
		for (std::size_t dim = 0; dim < labels[i].size(); ++dim)
		if (const SymExpr& size = t.sizes(operands[i]).at(dim); !size.is_constant(1))
		sizes.try_emplace(labels[i][dim], size);
	for (std::size_t i = 0; i < operands.size(); ++i) {
		Sizes grown = t.sizes(operands[i]);
		for (std::size_t dim = 0; dim < grown.size(); ++dim)
		if (const auto found = sizes.find(labels[i][dim]); found != sizes.end()) grown[dim] = found->second;
		if (grown != t.sizes(operands[i])) operands[i] = t.expand(operands[i], grown);
	}
}
FERRY_INLINE Ref einsum::translate(Translation& t) { return of(t, t.tensors("tensors")); }
FERRY_INLINE Ref einsum::of(Translation& t, std::vector<Ref> operands) {
	for (Ref& each : operands) each = t.cast(each, t.result_dtype());
	const std::string equation = t.text("equation");
	grow_ones(t, operands, equation);
	return t.add("Einsum", std::move(operands), {{"equation", equation}});
}
FERRY_INLINE void determinant::translate(Translation& t) {
	if (t.is_wanted(1) || t.is_wanted(2)) t.refuse("the factors that a determinant is computed by are used");
	t.result(t.add("Det", {t.tensor("A")}), 0);
}
FERRY_INLINE Ref bilinear::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	const Ref weight = t.operand("weight", dtype), second = t.operand("input2", dtype);
	const Sizes& sizes = t.sizes(weight);
	const Ref beside = t.reshape(t.transpose(weight, 0, 1), {sizes[1], sizes[0] * sizes[2]});
	const Ref first = t.add("MatMul", {t.operand("input1", dtype), beside});
	Sizes apart = t.result_sizes();
	apart.push_back(sizes[2]);
	const Ref column = t.unsqueeze(second, {t.rank(second)});
	const Ref made = t.add("Squeeze", {t.add("MatMul", {t.reshape(first, apart), column}), t.ints({-1})});
	return t.has("bias") ? t.add("Add", {made, t.operand("bias", dtype)}) : made;
}
}
namespace ferry::onnx::translated {
struct Parts {
	Ref real;
	Ref imaginary{};
};
inline Parts parts_of(Translation& t, std::string_view name) {
	const Argument given = t.argument(name);
	if (const auto* number = given.get_if<std::complex<double>>())
		return {t.number(number->real(), t.result_dtype()), t.number(number->imag(), t.result_dtype())};
	const auto* value = given.get_if<Value>();
	if (value == nullptr || !is_complex_value(t.graph(), *value)) return {t.operand(name, t.result_dtype())};
	const Ref whole = t.cast(t.tensor(name), t.result_dtype());
	return {t.real_part(whole), t.imaginary_part(whole)};
}
inline Ref joined(Translation& t, Ref real, Ref imaginary) {
	return t.pair(t.expand(real, t.result_sizes()), t.expand(imaginary, t.result_sizes()));
}
FERRY_INLINE Ref view_of_pairs::translate(Translation& t) { return t.tensor("self"); }
FERRY_INLINE Ref conj::translate(Translation& t) {
	const Ref self = t.tensor("self");
	return t.pair(t.real_part(self), t.add("Neg", {t.imaginary_part(self)}));
}
FERRY_INLINE Ref real_part::translate(Translation& t) { return t.real_part(t.tensor("self")); }
FERRY_INLINE Ref imaginary_part::translate(Translation& t) { return t.imaginary_part(t.tensor("self")); }
FERRY_INLINE Ref cast_complex::translate(Translation& t) {
	const Ref self = t.cast(t.tensor("self"), t.result_dtype());
	const bool was = is_complex_value(t.graph(), *t.argument("self").get_if<Value>());
	const bool is = is_complex(t.result_info().tensor.dtype);
	if (was == is) return self;
	return was ? t.real_part(self) : t.pair(self, t.filled(t.result_sizes(), 0, t.result_dtype()));
}
FERRY_INLINE Ref make_complex::translate(Translation& t) {
	return joined(t, t.operand("real", t.result_dtype()), t.operand("imag", t.result_dtype()));
}
FERRY_INLINE Ref polar::translate(Translation& t) {
	const Ref length = t.operand("abs", t.result_dtype()), angle = t.operand("angle", t.result_dtype());
	return t.pair(t.add("Mul", {length, t.add("Cos", {angle})}), t.add("Mul", {length, t.add("Sin", {angle})}));
}
FERRY_INLINE Ref complex_abs::translate(Translation& t) {
	return t.add("ReduceL2", {t.tensor("self"), t.ints({-1})}, {{"keepdims", 0}});
}
FERRY_INLINE Ref complex_angle::translate(Translation& t) {
	const Ref self = t.tensor("self");
	return angle_of(t, t.imaginary_part(self), t.real_part(self));
}
FERRY_INLINE Ref complex_exp::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const Ref length = t.add("Exp", {t.real_part(self)}), angle = t.imaginary_part(self);
	return t.pair(t.add("Mul", {length, t.add("Cos", {angle})}), t.add("Mul", {length, t.add("Sin", {angle})}));
}
inline Ref product(Translation& t, std::string_view op, const Parts& a, const Parts& b) {
	const auto times = [&](Ref x, Ref y) { return t.add(op, {x, y}); };
	if (!b.imaginary) return t.pair(times(a.real, b.real), times(a.imaginary, b.real));
	if (!a.imaginary) return t.pair(times(a.real, b.real), times(a.real, b.imaginary));
	return t.pair(t.add("Sub", {times(a.real, b.real), times(a.imaginary, b.imaginary)}),
		t.add("Add", {times(a.real, b.imaginary), times(a.imaginary, b.real)}));
}
FERRY_INLINE Ref complex_mul::translate(Translation& t) {
	return product(t, "Mul", parts_of(t, "self"), parts_of(t, "other"));
}
FERRY_INLINE Ref complex_matmul::translate(Translation& t) {
	const bool is_matmul = t.node().op() == "aten::matmul";
	return product(t, "MatMul", parts_of(t, "self"), parts_of(t, is_matmul ? "other" : "mat2"));
}
FERRY_INLINE Ref complex_div::translate(Translation& t) {
	const Parts a = parts_of(t, "self"), b = parts_of(t, "other");
	if (!b.imaginary) return t.pair(t.add("Div", {a.real, b.real}), t.add("Div", {a.imaginary, b.real}));
	const Ref square = t.add("Add", {t.add("Mul", {b.real, b.real}), t.add("Mul", {b.imaginary, b.imaginary})});
	const Parts over{t.add("Div", {b.real, square}), t.add("Div", {t.add("Neg", {b.imaginary}), square})};
	return product(t, "Mul", a, over);
}
FERRY_INLINE Ref complex_ones::translate(Translation& t) {
	return joined(t, t.number(1, t.result_dtype()), t.number(0, t.result_dtype()));
}
inline Ref filled_with_complex(Translation& t, std::string_view name) {
	const Parts filling = parts_of(t, name);
	return joined(t, filling.real, filling.imaginary ? filling.imaginary : t.number(0, t.result_dtype()));
}
FERRY_INLINE Ref complex_full::translate(Translation& t) { return filled_with_complex(t, "fill_value"); }
FERRY_INLINE Ref complex_fill::translate(Translation& t) { return filled_with_complex(t, "value"); }
inline void add_einsum_terms(Translation& t, const std::vector<Parts>& operands, const std::vector<Ref>& chosen,
		int power, Parts& sums) {
	if (chosen.size() == operands.size()) {
		const Ref term = einsum::of(t, chosen);
		Ref& sum = power % 2 == 0 ? sums.real : sums.imaginary;
		const bool is_negative = power % 4 >= 2;
		sum = sum ? t.add(is_negative ? "Sub" : "Add", {sum, term}) : is_negative ? t.add("Neg", {term}) : term;
		return;
	}
	const Parts& next = operands[chosen.size()];
	for (const Ref part : {next.real, next.imaginary}) {
		if (!part) continue;
		std::vector<Ref> more = chosen;
		more.push_back(part);
		add_einsum_terms(t, operands, more, power + (part == next.imaginary ? 1 : 0), sums);
	}
}
FERRY_INLINE Ref complex_einsum::translate(Translation& t) {
	std::vector<Parts> operands;
	for_each_value(t.argument("tensors"), [&](Value value) {
		const Ref whole = t.cast(t.ref(value), t.result_dtype());
		const bool is_real = !is_complex_value(t.graph(), value);
		operands.push_back(is_real ? Parts{whole} : Parts{t.real_part(whole), t.imaginary_part(whole)});
	});
	Parts sums;
	add_einsum_terms(t, operands, {}, 0, sums);
	return joined(t, sums.real, sums.imaginary);
}
}
namespace ferry::onnx::translated {
inline Ref evaluated(Translation& t) {
	const auto op = find_op(t.node().op());
	const auto no_tensor = [&](Value) -> c10::IValue { t.refuse("a number that only a run gives"); };
	torch::jit::Stack stack;
	for (const c10::Argument& each : op->schema().arguments()) {
		const Argument given = each.name() == "device" ? Argument() : t.argument(each.name());
		stack.push_back(to_ivalue(given, *each.real_type(), no_tensor));
	}
	op->callBoxed(stack);
	return t.constant(stack.front().toTensor());
}
FERRY_INLINE Ref window::translate(Translation& t) { return evaluated(t); }
FERRY_INLINE Ref constant_numbers::translate(Translation& t) { return evaluated(t); }
FERRY_INLINE Ref triangle_places::translate(Translation& t) {
	const SymExpr rows = t.symbolic("row"), columns = t.symbolic("col");
	if (rows.is_constant() && columns.is_constant()) return evaluated(t);
	const Ref row = t.add("Add", {t.unsqueeze(counted(t, rows), {1}), t.number(t.integer("offset"), DType::int64)});
	const bool is_lower = t.node().op() == "aten::tril_indices";
	return t.add("NonZero", {t.add(is_lower ? "GreaterOrEqual" : "LessOrEqual", {row, counted(t, columns)})});
}
}
namespace ferry::onnx::translated {
inline const Graph& body_of(Translation& t, std::string_view name) {
	const Argument given = t.argument(name);
	const auto* body = given.get_if<Subgraph>();
	if (body == nullptr) t.refuse("the argument '" + std::string(name) + "' is no graph");
	return t.graph().subgraph(*body);
}
inline std::vector<Ref> operands_of(Translation& t, std::string_view name) {
	std::vector<Ref> all;
	const Argument given = t.argument(name);
	if (const auto* list = given.get_if<ArgumentList>())
		for (const Argument& item : *list) {
		if (const auto* value = item.get_if<Value>())
		all.push_back(t.ref(*value));
		else if (const auto* number = item.get_if<std::int64_t>())
		all.push_back(t.ints({*number}));
		else
		t.refuse("an operand that is neither a tensor nor a size");
		}
	return all;
}
inline std::vector<DType> result_dtypes(Translation& t) {
	std::vector<DType> dtypes;
	dtypes.reserve(t.num_results());
	for (std::size_t i = 0; i < t.num_results(); ++i)
		dtypes.push_back(t.result_info(i).kind == ValueKind::tensor ? t.result_dtype(i) : DType::int64);
	return dtypes;
}
inline void set_results(Translation& t, const std::vector<Ref>& made) {
	for (std::size_t i = 0; i < t.num_results(); ++i) t.result(made[i], i);
}
inline Ref condition(Translation& t, Ref value) {
	return t.rank(value) == 0 ? t.cast(value, DType::boolean) : t.scalar_of(t.cast(value, DType::boolean));
}
inline Ref body_input(Translation& t, const Graph& graph, std::size_t position, DType dtype) {
	const ValueInfo& info = graph.info(graph.inputs()[position]);
	return t.add_body_input(
		{.name = {}, .dtype = dtype, .sizes = info.kind == ValueKind::tensor ? info.tensor.sizes : Sizes{1}});
}
FERRY_INLINE void cond::translate(Translation& t) {
	const Argument pred = t.argument("pred");
	if (pred.is<bool>()) t.refuse("a condition that is a constant");
	const Ref holds = condition(t, t.ref(*pred.get_if<Value>()));
	const std::vector<Ref> operands = operands_of(t, "operands");
	const auto branch = [&](std::string_view name) {
		return t.make_body(std::string(name), [&] {
		for (const Ref output : t.run(body_of(t, name), operands)) t.add_body_output(output);
		});
	};
	const BodyRef when_true = branch("true_fn"), when_false = branch("false_fn");
	set_results(
		t, t.add_typed("If", {holds}, {{"then_branch", when_true}, {"else_branch", when_false}}, result_dtypes(t)));
}
FERRY_INLINE void while_loop::translate(Translation& t) {
	const std::vector<Ref> carried = operands_of(t, "carried_inputs"), others = operands_of(t, "additional_inputs");
	const Graph &test = body_of(t, "cond_fn"), &step = body_of(t, "body_fn");
	const auto with_others = [&](std::vector<Ref> values) {
		values.insert(values.end(), others.begin(), others.end());
		return values;
	};
	const Ref start = condition(t, t.run(test, with_others(carried)).at(0));
	const BodyRef body = t.make_body("while_loop", [&] {
		t.add_body_input({.name = {}, .dtype = DType::int64, .sizes = Sizes()});
		t.add_body_input({.name = {}, .dtype = DType::boolean, .sizes = Sizes()});
		std::vector<Ref> given;
		given.reserve(carried.size());
		for (std::size_t i = 0; i < carried.size(); ++i) given.push_back(body_input(t, step, i, t.dtype(carried[i])));
		std::vector<Ref> next = t.run(step, with_others(given));
		for (std::size_t i = 0; i < next.size(); ++i) next[i] = t.cast(next[i], t.dtype(carried[i]));
		t.add_body_output(condition(t, t.run(test, with_others(next)).at(0)));
		for (const Ref value : next) t.add_body_output(value);
	});
	std::vector<Ref> inputs{Ref(), start};
	inputs.insert(inputs.end(), carried.begin(), carried.end());
	set_results(t, t.add_typed("Loop", std::move(inputs), {{"body", body}}, result_dtypes(t)));
}
inline void scanned(Translation& t, const Graph& step, const std::vector<Ref>& carried, const std::vector<Ref>& xs,
		const std::vector<Ref>& others) {
	const BodyRef body = t.make_body("scan", [&] {
		std::vector<Ref> given;
		for (const auto* part : {&carried, &xs})
		for (const Ref each : *part) given.push_back(body_input(t, step, given.size(), t.dtype(each)));
		given.insert(given.end(), others.begin(), others.end());
		const std::vector<Ref> next = t.run(step, given);
		for (std::size_t i = 0; i < next.size(); ++i)
		t.add_body_output(i < carried.size() ? t.cast(next[i], t.dtype(carried[i])) : next[i]);
	});
	std::vector<Ref> inputs = carried;
	inputs.insert(inputs.end(), xs.begin(), xs.end());
	set_results(
		t, t.add_typed("Scan", std::move(inputs),
		{{"body", body}, {"num_scan_inputs", static_cast<std::int64_t>(xs.size())}}, result_dtypes(t)));
}
FERRY_INLINE void scan::translate(Translation& t) {
	scanned(t, body_of(t, "combine_fn"), operands_of(t, "init"), operands_of(t, "xs"),
		operands_of(t, "additional_inputs"));
}
FERRY_INLINE void map::translate(Translation& t) {
	scanned(t, body_of(t, "f"), {}, operands_of(t, "xs"), operands_of(t, "pos_args"));
}
FERRY_INLINE void wrapped_body::translate(Translation& t) {
	const bool is_call = t.node().op() == "higher_order::invoke_subgraph";
	std::vector<Ref> operands;
	for (const NamedArgument& each : t.node().arguments())
		if (const auto* value = each.value.get_if<Value>()) operands.push_back(t.ref(*value));
	set_results(t, t.run(body_of(t, is_call ? "subgraph" : "wrapped_func"), operands));
}
}
namespace ferry::onnx::translated {
struct Diagonal {
	Ref self;     
	Ref positions;
	std::vector<std::int64_t> order{};
	SymExpr length{};
};
inline Diagonal diagonal_of(Translation& t, SymExpr length) {
	const Ref self = t.tensor("self");
	const std::int64_t rank = t.rank(self), row = t.dim("dim1", rank), column = t.dim("dim2", rank);
	Diagonal made{.self = self, .positions = {}, .order = {row, column}, .length = std::move(length)};
	for (std::int64_t dim = 0; dim < rank; ++dim)
		if (dim != row && dim != column) made.order.push_back(dim);
	made.self = t.permute(self, made.order);
	const std::int64_t offset = t.integer("offset");
	const Ref shifts = t.ints({std::max<std::int64_t>(-offset, 0), std::max<std::int64_t>(offset, 0)});
	made.positions = t.add("Add", {t.unsqueeze(counted(t, made.length), {1}), shifts});
	return made;
}
FERRY_INLINE Ref diagonal::translate(Translation& t) {
	const Diagonal how = diagonal_of(t, t.result_sizes().back());
	Sizes sizes{how.length};
	sizes.insert(sizes.end(), t.sizes(how.self).begin() + 2, t.sizes(how.self).end());
	std::vector<std::int64_t> last(sizes.size());
	std::iota(last.begin(), last.end(), 1);
	last.back() = 0;
	return t.permute(t.with_sizes(t.add("GatherND", {how.self, how.positions}), std::move(sizes)), last);
}
FERRY_INLINE Ref diagonal_scatter::translate(Translation& t) {
	const Ref source = t.operand("src", t.result_dtype());
	const Diagonal how = diagonal_of(t, t.sizes(source).back());
	std::vector<std::int64_t> first(t.sizes(source).size());
	std::iota(first.begin(), first.end(), -1);
	first.front() = t.rank(source) - 1;
	const Ref put = t.add("ScatterND", {how.self, how.positions, t.permute(source, first)});
	std::vector<std::int64_t> back(how.order.size());
	for (std::size_t i = 0; i < back.size(); ++i)
		back[static_cast<std::size_t>(how.order[i])] = static_cast<std::int64_t>(i);
	return t.permute(t.like(put, how.self), back);
}
FERRY_INLINE Ref block_diag::translate(Translation& t) {
	std::vector<Ref> rows;
	SymExpr before = 0;
	for (Ref block : t.tensors("tensors")) {
		block = t.cast(block, t.result_dtype());
		for (std::int64_t rank = t.rank(block); rank < 2; ++rank) block = t.unsqueeze(block, {0});
		const SymExpr width = t.sizes(block)[1];
		const Ref pads = t.shape({SymExpr(0), before, SymExpr(0), t.result_sizes()[1] - before - width});
		rows.push_back(t.add("Pad", {block, pads}));
		before = before + width;
	}
	return t.add("Concat", std::move(rows), {{"axis", 0}});
}
}
namespace ferry::onnx::translated {
struct Indexing {
	Ref self;                         
	Ref positions;                    
	Ref only;                         
	std::size_t count = 0;            
	Sizes index_sizes{};              
	Sizes rest{};                     
	std::vector<std::int64_t> order{};
	std::size_t place = 0;            
};
[[nodiscard]] inline Sizes broadcast(const Sizes& a, const Sizes& b) {
	Sizes joined(std::max(a.size(), b.size()), SymExpr(1));
	for (std::size_t i = 0; i < joined.size(); ++i) {
		const SymExpr left = i < a.size() ? a[a.size() - 1 - i] : SymExpr(1);
		const SymExpr right = i < b.size() ? b[b.size() - 1 - i] : SymExpr(1);
		joined[joined.size() - 1 - i] = left.is_constant(1) ? right : left;
	}
	return joined;
}
inline void add_indices(Translation& t, Ref index, const SymExpr& found, std::vector<Ref>& indices) {
	if (!index || (t.dtype(index) != DType::boolean && t.dtype(index) != DType::uint8)) {
		indices.push_back(index ? t.cast(index, DType::int64) : index);
		return;
	}
	const std::int64_t rank = t.rank(index);
	const Ref places = t.add("NonZero", {t.cast(index, DType::boolean)});
	if (rank == 1) {
		indices.push_back(t.with_sizes(t.add("Squeeze", {places, t.ints({0})}), {found}));
		return t.know_symbols(indices.back());
	}
	const Sizes ones(static_cast<std::size_t>(rank), SymExpr(1));
	for (const Ref row : t.add_many("Split", {places, t.shape(ones)}, {{"axis", 0}}, static_cast<std::size_t>(rank)))
		indices.push_back(t.with_sizes(t.add("Squeeze", {row, t.ints({0})}), {found}));
	t.know_symbols(indices.back());
}
[[nodiscard]] inline Indexing indexing(Translation& t, const SymExpr& found) {
	Indexing made;
	const Ref self = t.tensor("self");
	const auto rank = static_cast<std::size_t>(t.rank(self));
	std::vector<Ref> indices;
	for (const Ref index : t.tensors("indices")) {
		if (index && t.rank(index) == 0 && t.dtype(index) == DType::boolean) t.refuse("an index that is one condition");
		add_indices(t, index, found, indices);
	}
	indices.resize(rank);
	std::vector<std::int64_t> indexed, others;
	for (std::size_t dim = 0; dim < rank; ++dim)
		(indices[dim] ? indexed : others).push_back(static_cast<std::int64_t>(dim));
	made.count = indexed.size();
	const bool together =
		indexed.empty() || indexed.back() - indexed.front() + 1 == static_cast<std::int64_t>(made.count);
	made.place = together && !indexed.empty() ? static_cast<std::size_t>(indexed.front()) : 0;
	made.order = indexed;
	made.order.insert(made.order.end(), others.begin(), others.end());
	for (const std::int64_t dim : others) made.rest.push_back(t.sizes(self)[static_cast<std::size_t>(dim)]);
	for (const std::int64_t dim : indexed)
		made.index_sizes = broadcast(made.index_sizes, t.sizes(indices[static_cast<std::size_t>(dim)]));
	if (indexed.size() == 1) made.only = indices[static_cast<std::size_t>(indexed[0])];
	made.self = self;
	if (made.count == 0) return made;
	std::vector<Ref> columns;
	for (const std::int64_t dim : indexed) {
		const Ref all = t.expand(indices[static_cast<std::size_t>(dim)], made.index_sizes);
		columns.push_back(t.unsqueeze(all, {static_cast<std::int64_t>(made.index_sizes.size())}));
	}
	if (columns.size() == 1)
		made.positions = columns[0];
	else
		made.positions = t.add("Concat", std::move(columns), {{"axis", -1}});
	return made;
}
[[nodiscard]] inline std::vector<std::int64_t> order_of_result(const Indexing& how) {
	const std::size_t width = how.index_sizes.size();
	std::vector<std::int64_t> order;
	order.reserve(how.place + width);
	for (std::size_t i = 0; i < how.place; ++i) order.push_back(static_cast<std::int64_t>(width + i));
	for (std::size_t i = 0; i < width; ++i) order.push_back(static_cast<std::int64_t>(i));
	for (std::size_t i = how.place; i < how.rest.size(); ++i) order.push_back(static_cast<std::int64_t>(width + i));
	return order;
}
[[nodiscard]] inline SymExpr count_in(Translation& t, const Sizes& result) {
	std::int64_t at = 0;
	for (const Ref index : t.tensors("indices")) {
		if (index && t.dtype(index) == DType::boolean) break;
		++at;
	}
	return std::cmp_less(at, result.size()) ? result[static_cast<std::size_t>(at)]
		: result.empty()                 ? SymExpr(1)
		: result[0];
}
FERRY_INLINE Ref index::translate(Translation& t) {
	const Indexing how = indexing(t, count_in(t, t.result_sizes()));
	if (how.count == 0) return how.self;
	if (how.only) return t.add("Gather", {how.self, how.only}, {{"axis", how.order[0]}});
	const Ref moved = t.permute(how.self, how.order);
	Ref taken = t.add("GatherND", {moved, how.positions});
	Sizes sizes = how.index_sizes;
	sizes.insert(sizes.end(), how.rest.begin(), how.rest.end());
	return t.permute(t.with_sizes(taken, std::move(sizes)), order_of_result(how));
}
FERRY_INLINE Ref index_put::translate(Translation& t) {
	const auto indices = t.tensors("indices");
	const DType dtype = t.flag("accumulate") ? t.wide(t.result_dtype()) : t.result_dtype();
	if (indices.size() == 1 && indices[0] && t.dtype(indices[0]) == DType::boolean && !t.flag("accumulate")) {
		const Ref values = t.tensor("values");
		if (t.rank(values) == 0) {
		std::vector<std::int64_t> behind;
		for (std::int64_t dim = t.rank(indices[0]); dim < t.result_rank(); ++dim) behind.push_back(dim);
		const Ref mask = t.unsqueeze(indices[0], std::move(behind));
		return t.add("Where", {mask, t.cast(values, dtype), t.operand("self", dtype)});
		}
	}
	const Ref values = t.operand("values", dtype);
	const Indexing how = indexing(t, SymExpr::symbol("count_" + std::to_string(values.index)));
	if (how.count == 0) t.refuse("a value is put in at no index");
	Sizes wanted;
	wanted.insert(wanted.end(), how.rest.begin(), how.rest.begin() + static_cast<std::ptrdiff_t>(how.place));
	wanted.insert(wanted.end(), how.index_sizes.begin(), how.index_sizes.end());
	wanted.insert(wanted.end(), how.rest.begin() + static_cast<std::ptrdiff_t>(how.place), how.rest.end());
	Ref placed = t.expand(values, wanted);
	std::vector<std::int64_t> first;
	first.reserve(wanted.size());
	for (std::size_t i = 0; i < how.index_sizes.size(); ++i) first.push_back(static_cast<std::int64_t>(how.place + i));
	for (std::size_t i = 0; i < wanted.size(); ++i)
		if (i < how.place || i >= how.place + how.index_sizes.size()) first.push_back(static_cast<std::int64_t>(i));
	placed = t.permute(placed, first);
	std::vector<Attribute> attributes;
	if (t.flag("accumulate")) attributes.emplace_back("reduction", "add");
	const Ref moved = t.permute(t.operand("self", dtype), how.order);
	Ref put = t.add("ScatterND", {moved, how.positions, placed}, std::move(attributes));
	std::vector<std::int64_t> back(how.order.size());
	for (std::size_t i = 0; i < back.size(); ++i)
		back[static_cast<std::size_t>(how.order[i])] = static_cast<std::int64_t>(i);
	return t.permute(t.like(put, moved), back);
}
FERRY_INLINE Ref index_select::translate(Translation& t) {
	const Ref self = t.tensor("self");
	Ref index = t.tensor("index");
	if (t.rank(self) == 0) return self;
	if (t.rank(index) == 0) index = t.unsqueeze(index, {0});
	return t.add("Gather", {self, index}, {{"axis", t.dim("dim", t.rank(self))}});
}
inline Ref at_least_1d(Translation& t, Ref value) { return t.rank(value) == 0 ? t.unsqueeze(value, {0}) : value; }
inline Ref back_to_rank(Translation& t, Ref value) { return t.result_rank() == 0 ? t.add("Squeeze", {value}) : value; }
FERRY_INLINE Ref gather::translate(Translation& t) {
	const Ref self = at_least_1d(t, t.tensor("self"));
	const Ref index = at_least_1d(t, t.tensor("index"));
	const Ref taken = t.add("GatherElements", {self, index}, {{"axis", t.dim("dim", t.rank(self))}});
	return back_to_rank(t, taken);
}
FERRY_INLINE Ref nonzero::translate(Translation& t) {
	const Ref places = t.add("NonZero", {t.operand("self", DType::boolean)});
	return t.add("Transpose", {places}, {{"perm", std::vector<std::int64_t>{1, 0}}});
}
FERRY_INLINE Ref masked_select::translate(Translation& t) {
	const Ref self = t.tensor("self"), mask = t.tensor("mask");
	const Sizes all = broadcast(t.sizes(self), t.sizes(mask));
	if (all.empty()) t.refuse("a tensor without dimensions is selected from");
	const Ref places = t.add("NonZero", {t.expand(mask, all)});
	const Ref rows = t.add("Transpose", {places}, {{"perm", std::vector<std::int64_t>{1, 0}}});
	return t.add("GatherND", {t.expand(self, all), rows});
}
}
namespace ferry::onnx::translated {
struct Reduced {
	std::vector<std::int64_t> dims;
	bool all = true;
	bool keep = false;
};
inline Reduced reduced_dims(Translation& t, Ref self, bool has_dims) {
	Reduced how;
	if (!has_dims) return how;
	how.keep = t.flag("keepdim");
	how.dims = t.dims("dim", t.rank(self));
	how.all = how.dims.empty() || static_cast<std::int64_t>(how.dims.size()) == t.rank(self);
	return how;
}
inline Ref reduce(Translation& t, std::string_view op, Ref self, const Reduced& how) {
	if (t.rank(self) == 0) return self;
	std::vector<Attribute> attributes{{"keepdims", std::int64_t{how.keep}}};
	if (how.all) return t.add(op, {self}, std::move(attributes));
	if (t.opset() < 18 && op != "ReduceSum") {
		attributes.emplace_back("axes", how.dims);
		return t.add(op, {self}, std::move(attributes));
	}
	return t.add(op, {self, t.ints(how.dims)}, std::move(attributes));
}
[[nodiscard]] inline SymExpr count_of(Translation& t, Ref self, const Reduced& how) {
	SymExpr count = 1;
	for (std::int64_t dim = 0; dim < t.rank(self); ++dim)
		if (how.all || algo::contains(how.dims, dim)) count = count * t.sizes(self)[static_cast<std::size_t>(dim)];
	return count;
}
FERRY_INLINE Ref reduced(Translation& t, std::string_view op, bool has_dims) {
	const Ref self = t.wide_operand("self");
	const Reduced how = reduced_dims(t, self, has_dims);
	if (op == "ReduceMean" && count_of(t, self, how).is_constant(0))
		return t.filled(t.result_sizes(), std::numeric_limits<double>::quiet_NaN(), t.dtype(self));
	return reduce(t, op, self, how);
}
inline Ref any_of(Translation& t, Ref condition, bool has_dims) {
	const Ref counted = t.cast(condition, DType::int32);
	return t.cast(reduce(t, "ReduceSum", counted, reduced_dims(t, counted, has_dims)), DType::boolean);
}
FERRY_INLINE Ref any::translate(Translation& t) {
	return any_of(t, t.operand("self", DType::boolean), t.node().op() != "aten::any");
}
FERRY_INLINE Ref all::translate(Translation& t) {
	const bool has_dims = t.node().op() != "aten::all" && t.node().op() != "aten::_is_all_true";
	const Ref self = t.operand("self", DType::boolean);
	return t.add("Not", {any_of(t, t.like(t.add("Not", {self}), self), has_dims)});
}
inline void extreme_and_place(Translation& t, std::string_view extreme, std::string_view place) {
	const Ref self = t.tensor("self");
	if (t.rank(self) == 0) {
		t.result(self, 0);
		return t.result(t.number(0, DType::int64), 1);
	}
	const Reduced how = reduced_dims(t, self, true);
	if (t.is_wanted(0)) t.result(reduce(t, extreme, self, {how.dims, false, how.keep}), 0);
	if (t.is_wanted(1))
		t.result(t.add(place, {self}, {{"axis", how.dims[0]}, {"keepdims", std::int64_t{how.keep}}}), 1);
}
FERRY_INLINE void max_dim::translate(Translation& t) { extreme_and_place(t, "ReduceMax", "ArgMax"); }
FERRY_INLINE void min_dim::translate(Translation& t) { extreme_and_place(t, "ReduceMin", "ArgMin"); }
inline Ref place_of(Translation& t, std::string_view op) {
	const Ref self = t.tensor("self");
	if (t.rank(self) == 0) return t.number(0, DType::int64);
	if (t.has("dim"))
		return t.add(op, {self}, {{"axis", t.dim("dim", t.rank(self))}, {"keepdims", std::int64_t{t.flag("keepdim")}}});
	const Ref flat = t.add("Reshape", {self, t.ints({-1})});
	return t.reshape(t.with_sizes(t.add(op, {flat}, {{"axis", 0}, {"keepdims", 0}}), {}), t.result_sizes());
}
FERRY_INLINE Ref argmax::translate(Translation& t) { return place_of(t, "ArgMax"); }
FERRY_INLINE Ref argmin::translate(Translation& t) { return place_of(t, "ArgMin"); }
inline Ref variance(Translation& t) {
	const Ref self = t.wide_operand("self");
	const Reduced how = reduced_dims(t, self, true);
	const double correction = t.has("correction") ? t.real("correction") : 1;
	const Ref mean = reduce(t, "ReduceMean", self, {how.dims, how.all, true});
	const Ref apart = t.like(t.add("Sub", {self, mean}), self);
	const Ref total = reduce(t, "ReduceSumSquare", apart, how);
	const Ref count = t.cast(t.scalar_of(t.size(count_of(t, self, how))), t.dtype(self));
	const Ref left = t.add("Sub", {count, t.number_like(correction, self)});
	return t.add("Div", {total, t.add("Max", {left, t.number_like(0, self)})});
}
FERRY_INLINE Ref var::translate(Translation& t) { return variance(t); }
FERRY_INLINE Ref std_dev::translate(Translation& t) { return t.add("Sqrt", {variance(t)}); }
inline Ref norm_of(Translation& t, Ref self, double order, const Reduced& how) {
	const auto abs = [&] { return t.like(t.add("Abs", {self}), self); };
	if (t.rank(self) == 0 && order != 0) return abs();
	if (order == 2) return reduce(t, "ReduceL2", self, how);
	if (order == 1) return reduce(t, "ReduceL1", self, how);
	if (std::isinf(order)) return reduce(t, order > 0 ? "ReduceMax" : "ReduceMin", abs(), how);
	if (order == 0) {
		const Ref differs = t.add("Not", {t.add("Equal", {self, t.number_like(0, self)})});
		return reduce(t, "ReduceSum", t.like(t.cast(differs, t.dtype(self)), self), how);
	}
	const Ref powers = t.like(t.add("Pow", {abs(), t.number_like(order, self)}), self);
	return t.add("Pow", {reduce(t, "ReduceSum", powers, how), t.number_like(1 / order, self)});
}
FERRY_INLINE Ref vector_norm::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	return norm_of(t, self, t.real("ord"), reduced_dims(t, self, true));
}
FERRY_INLINE Ref logsumexp::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	const Reduced how = reduced_dims(t, self, true), kept{how.dims, how.all, true};
	const Ref largest = reduce(t, "ReduceMax", self, kept);
	const Ref offset = t.add("Where", {t.add("IsInf", {largest}), t.number_like(0, self), largest});
	const Ref powers = t.like(t.add("Exp", {t.add("Sub", {self, offset})}), self);
	const Ref made = t.add("Add", {t.add("Log", {reduce(t, "ReduceSum", powers, kept)}), offset});
	return how.keep ? made : t.reshape(made, t.result_sizes());
}
inline Ref softened(Translation& t, std::string_view op) {
	const Ref self = t.wide_operand("self");
	const bool is_single = t.rank(self) == 0;
	const Ref given = is_single ? t.unsqueeze(self, {0}) : self;
	const Ref made = t.add(op, {given}, {{"axis", t.dim("dim", t.rank(given))}});
	return is_single ? t.add("Squeeze", {made}) : made;
}
FERRY_INLINE Ref softmax::translate(Translation& t) { return softened(t, "Softmax"); }
FERRY_INLINE Ref log_softmax::translate(Translation& t) { return softened(t, "LogSoftmax"); }
}
namespace ferry::onnx::translated {
inline Ref distances(Translation& t, Ref from, Ref to, double order) {
	const Ref row = t.unsqueeze(from, {t.rank(from) - 1}), column = t.unsqueeze(to, {t.rank(to) - 2});
	const Ref apart = t.with_sizes(t.add("Sub", {row, column}), broadcast(t.sizes(row), t.sizes(column)));
	return norm_of(t, apart, order, {{t.rank(apart) - 1}, false, false});
}
FERRY_INLINE Ref cdist::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	return distances(t, t.operand("x1", dtype), t.operand("x2", dtype), t.real("p"));
}
FERRY_INLINE Ref pdist::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	const Ref all = distances(t, self, self, t.real("p"));
	const Ref row = counted(t, t.sizes(self)[0]);
	const Ref pairs = t.add("NonZero", {t.add("Less", {t.unsqueeze(row, {1}), row})});
	return t.add("GatherND", {all, t.add("Transpose", {pairs}, {{"perm", std::vector<std::int64_t>{1, 0}}})});
}
FERRY_INLINE Ref dist::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref self = t.operand("self", dtype), other = t.operand("other", dtype);
	const Ref apart = t.with_sizes(t.add("Sub", {self, other}), broadcast(t.sizes(self), t.sizes(other)));
	return norm_of(t, apart, t.real("p"), {});
}
FERRY_INLINE Ref renorm::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	const std::int64_t dim = t.dim("dim", t.rank(self));
	std::vector<std::int64_t> others;
	for (std::int64_t i = 0; i < t.rank(self); ++i)
		if (i != dim) others.push_back(i);
	const Ref length = norm_of(t, self, t.real("p"), {others, false, true});
	const Ref limit = t.number_like(t.real("maxnorm"), self);
	constexpr double torch_has = 1e-7;
	const Ref shorter = t.add("Div", {limit, t.add("Add", {length, t.number_like(torch_has, self)})});
	const Ref is_long = t.add("Greater", {length, limit});
	return t.add("Mul", {self, t.add("Where", {is_long, shorter, t.number_like(1, self)})});
}
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref embedding::translate(Translation& t) {
	return t.add("Gather", {t.tensor("weight"), t.tensor("indices")});
}
inline Ref bag_of_each(Translation& t, Ref indices) {
	Ref starts = t.operand("offsets", DType::int64);
	if (t.flag("include_last_offset"))
		starts = t.with_sizes(t.slice(starts, 0, t.ints({0}), t.ints({-1})), {t.result_sizes()[0]});
	const Ref before = places_among(t, starts, counted(t, t.sizes(indices)[0]), /*right=*/true);
	const Ref bag = t.add("Sub", {before, t.number(1, DType::int64)});
	return t.unsqueeze(t.like(bag, indices), {1});
}
FERRY_INLINE void embedding_bag::translate(Translation& t) {
	constexpr std::int64_t mean = 1, largest = 2;
	for (std::size_t i = 1; i < t.num_results(); ++i)
		if (t.is_wanted(i)) t.refuse("what a bag of embeddings gives beside the embeddings is used");
	const std::int64_t mode = t.integer("mode");
	const DType dtype = t.wide(t.result_dtype());
	const Ref indices = t.operand("indices", DType::int64);
	const Ref bags = bag_of_each(t, indices);
	Ref rows = t.add("Gather", {t.operand("weight", dtype), indices});
	if (t.has("per_sample_weights"))
		rows = t.add("Mul", {rows, t.unsqueeze(t.operand("per_sample_weights", dtype), {1})});
	const Ref padding = t.number(t.integer("padding_idx"), DType::int64);
	const Ref counts = t.unsqueeze(t.like(t.add("Not", {t.add("Equal", {indices, padding})}), indices), {1});
	const Ref nothing = t.number(mode == largest ? -std::numeric_limits<double>::infinity() : 0.0, dtype);
	rows = t.add("Where", {counts, rows, nothing});
	const Ref start = t.expand(nothing, t.result_sizes());
	const Ref made = t.add("ScatterND", {start, bags, rows}, {{"reduction", mode == largest ? "max" : "add"}});
	if (mode != mean && mode != largest) return t.result(made);
	const Ref zeros = t.filled({t.result_sizes()[0], SymExpr(1)}, 0, dtype);
	const Ref count = t.add("ScatterND", {zeros, bags, t.cast(counts, dtype)}, {{"reduction", "add"}});
	if (mode == mean) return t.result(t.add("Div", {made, t.add("Max", {count, t.number(1, dtype)})}));
	const Ref is_empty = t.add("Equal", {count, t.number(0, dtype)});
	t.result(t.add("Where", {is_empty, t.number(0, dtype), made}));
}
}
namespace ferry::onnx::translated {
inline Ref filled_with(Translation& t, const c10::Scalar& value) {
	return t.filled(t.result_sizes(), value, t.result_dtype());
}
FERRY_INLINE Ref zeros::translate(Translation& t) { return filled_with(t, 0); }
FERRY_INLINE Ref ones::translate(Translation& t) { return filled_with(t, 1); }
inline Ref filled_by(Translation& t, std::string_view name) {
	const Argument value = t.argument(name);
	if (const auto* number = value.get_if<std::int64_t>()) return filled_with(t, *number);
	if (const auto* number = value.get_if<double>()) return filled_with(t, *number);
	if (const auto* flag = value.get_if<bool>()) return filled_with(t, *flag);
	return t.expand(t.operand(name, t.result_dtype()), t.result_sizes());
}
FERRY_INLINE Ref full::translate(Translation& t) { return filled_by(t, "fill_value"); }
FERRY_INLINE Ref fill::translate(Translation& t) { return filled_by(t, "value"); }
FERRY_INLINE Ref scalar_tensor::translate(Translation& t) { return t.operand("s", t.result_dtype()); }
inline Ref numbers(Translation& t, std::string_view start, std::string_view step) {
	const SymExpr count = t.result_sizes().at(0);
	const DType dtype = t.result_dtype();
	const Argument first = start.empty() ? Argument(0) : t.argument(start);
	const Argument stride = step.empty() ? Argument(1) : t.argument(step);
	const DType computed = !is_floating_point(dtype) && !first.is<double>() && !stride.is<double>() ? DType::int64
		: dtype == DType::float64                                                ? DType::float64
		: DType::float32;
	Ref made = t.cast(counted(t, count), computed);
	if (stride != Argument(1) && stride != Argument(1.0)) made = t.add("Mul", {made, t.operand(step, computed)});
	if (first != Argument(0) && first != Argument(0.0)) made = t.add("Add", {made, t.operand(start, computed)});
	return made;
}
FERRY_INLINE Ref arange::translate(Translation& t) {
	const bool from_zero = t.node().op() == "aten::arange";
	return numbers(t, from_zero ? "" : "start", t.node().op() == "aten::arange.start_step" ? "step" : "");
}
}
namespace ferry::onnx::translated {
struct Transform {
	bool inverse = false;
	bool halved = false;
};
inline Ref transformed(Translation& t, Ref pairs, std::int64_t dim, Transform how) {
	std::vector<Attribute> attributes{{"inverse", how.inverse ? 1 : 0}, {"onesided", how.halved ? 1 : 0}};
	if (t.opset() >= 20) return t.add("DFT", {pairs, Ref(), t.number(dim, DType::int64)}, std::move(attributes));
	attributes.emplace_back("axis", dim);
	return t.add("DFT", {pairs}, std::move(attributes));
}
inline Ref normalized(Translation& t, Ref value, const SymExpr& count, bool was_divided) {
	const std::int64_t mode = t.integer("normalization");
	const double power = (was_divided ? 1.0 : 0.0) - (mode == 0 ? 0.0 : mode == 1 ? 0.5 : 1.0);
	if (power == 0) return value;
	if (count.is_constant())
		return t.add("Mul", {value, t.number_like(std::pow(static_cast<double>(count.value()), power), value)});
	const Ref size = t.scalar_of(t.cast(t.size(count), t.dtype(value)));
	return t.add("Mul", {value, t.add("Pow", {size, t.number_like(power, value)})});
}
inline SymExpr count_of(const Sizes& sizes, const std::vector<std::int64_t>& dims) {
	SymExpr count = 1;
	for (const std::int64_t dim : dims) count = count * sizes[static_cast<std::size_t>(dim)];
	return count;
}
FERRY_INLINE Ref fft_r2c::translate(Translation& t) {
	const Ref self = t.operand("self", t.result_dtype());
	const auto dims = t.dims("dim", t.rank(self));
	const bool halved = t.flag("onesided");
	Ref value = transformed(t, t.unsqueeze(self, {t.rank(self)}), dims.back(), {.halved = halved});
	for (std::size_t i = 0; i + 1 < dims.size(); ++i) value = transformed(t, value, dims[i], {});
	return normalized(t, value, count_of(t.sizes(self), dims), false);
}
FERRY_INLINE Ref fft_c2c::translate(Translation& t) {
	Ref value = t.tensor("self");
	const bool inverse = !t.flag("forward");
	const auto dims = t.dims("dim", t.result_rank());
	for (const std::int64_t dim : dims) value = transformed(t, value, dim, {.inverse = inverse});
	return normalized(t, value, count_of(t.result_sizes(), dims), inverse);
}
FERRY_INLINE Ref fft_c2r::translate(Translation& t) {
	Ref value = t.tensor("self");
	const auto dims = t.dims("dim", t.result_rank());
	for (std::size_t i = 0; i + 1 < dims.size(); ++i) value = transformed(t, value, dims[i], {.inverse = true});
	const std::int64_t last = dims.back();
	const SymExpr size = t.symbolic("last_dim_size");
	const Ref from = t.size(floor_div(size - SymExpr(1), 2));
	const Ref mirror = t.slice(value, last, from, t.ints({0}), -1);
	const Ref conjugate = t.pair(t.real_part(mirror), t.add("Neg", {t.imaginary_part(mirror)}));
	const Ref whole = t.add("Concat", {value, conjugate}, {{"axis", last}});
	const Ref back = t.real_part(transformed(t, whole, last, {.inverse = true}));
	return normalized(t, back, count_of(t.result_sizes(), dims), true);
}
}
namespace ferry::onnx::translated {
class FractionalPooling {
public:
	explicit FractionalPooling(Translation& t)
		: t_(t),
		spatial_(dims_in_name(t)),
		image_(t.tensor("self")),
		samples_(t.operand("random_samples", t.dtype(t.tensor("self")))),
		kernel_(per_dim(t.integers("kernel_size"), spatial_, 1)) {
		if (t.sizes(image_).size() == spatial_ + 1) image_ = t.unsqueeze(image_, {0});
	}
	void translate() {
		const Sizes sizes = t_.sizes(image_);
		SymExpr area = 1;
		for (std::size_t i = 2; i < sizes.size(); ++i) area = area * sizes[i];
		const Ref places = places_in_windows();
		const SymExpr windows = t_.sizes(places)[2], within = t_.sizes(places)[3];
		const Ref flat = t_.reshape(image_, {sizes[0], sizes[1], area});
		const Ref order = t_.reshape(places, {sizes[0], sizes[1], windows * within});
		const Ref taken = t_.with_sizes(t_.add("GatherElements", {flat, order}, {{"axis", 2}}), t_.sizes(order));
		const Ref numbers = t_.reshape(taken, t_.sizes(places));
		t_.result(t_.reshape(t_.add("ReduceMax", {numbers, t_.ints({3})}, {{"keepdims", 0}}), t_.result_sizes(0)), 0);
		if (!t_.is_wanted(1)) return;
		const Ref best = t_.add("ArgMax", {numbers}, {{"axis", 3}, {"keepdims", 1}});
		t_.result(t_.reshape(t_.add("GatherElements", {places, best}, {{"axis", 3}}), t_.result_sizes(1)), 1);
	}
private:
	[[nodiscard]] Ref places_in_windows() {
		const Sizes sizes = t_.sizes(image_);
		Ref places = t_.filled({sizes[0], sizes[1], 1, 1}, 0, DType::int64);
		SymExpr windows = 1, within = 1;
		for (std::size_t i = 0; i < spatial_; ++i) {
		const SymExpr count = t_.result_sizes()[t_.result_sizes().size() - spatial_ + i];
		const Ref along = t_.add("Add", {t_.unsqueeze(starts(i, count), {3}), counted(t_, kernel_[i])});
		const Ref further = t_.like(t_.add("Mul", {places, t_.size(sizes[i + 2])}), places);
		const Ref all =
		t_.add("Add", {t_.unsqueeze(further, {3, 5}),
		t_.unsqueeze(t_.with_sizes(along, {sizes[0], sizes[1], count, kernel_[i]}), {2, 4})});
		windows = windows * count;
		within = within * SymExpr(kernel_[i]);
		places = t_.reshape(all, {sizes[0], sizes[1], windows, within});
		}
		return places;
	}
	[[nodiscard]] Ref starts(std::size_t dim, const SymExpr& count) {
		const Sizes sizes = t_.sizes(image_);
		const DType dtype = t_.dtype(samples_);
		const std::size_t which = spatial_ == 2 ? 1 - dim : dim;
		const Ref room = t_.size(sizes[dim + 2] - SymExpr(kernel_[dim]));
		const Ref step = t_.add("Div", {t_.cast(room, dtype), t_.cast(t_.size(count - SymExpr(1)), dtype)});
		const Ref sample = t_.add("Gather", {samples_, t_.ints({static_cast<std::int64_t>(which)})}, {{"axis", 2}});
		const auto whole = [&](Ref number) { return t_.cast(t_.add("Mul", {number, step}), DType::int64); };
		const Ref numbers = counted(t_, count);
		const Ref shifted = whole(t_.add("Add", {t_.cast(numbers, dtype), sample}));
		const Ref is_last = t_.add("Equal", {numbers, t_.size(count - SymExpr(1))});
		const Ref made = t_.add("Where", {is_last, room, t_.add("Sub", {shifted, whole(sample)})});
		return t_.with_sizes(made, {sizes[0], sizes[1], count});
	}
	Translation& t_;
	std::size_t spatial_;
	Ref image_;
	Ref samples_;
	std::vector<std::int64_t> kernel_;
};
FERRY_INLINE void fractional_max_pool::translate(Translation& t) { FractionalPooling(t).translate(); }
}
namespace ferry::onnx::translated {
class GroupedProduct {
public:
	GroupedProduct(Translation& t, std::string_view first, std::string_view second, Ref ends)
		: t_(t), dtype_(t.result_dtype()), a_(t.operand(first, dtype_)), b_(t.operand(second, dtype_)), ends_(ends) {}
	[[nodiscard]] Ref translate() {
		const bool a_is_cut = t_.rank(a_) == 2, b_is_cut = t_.rank(b_) == 2;
		if (!a_is_cut && !b_is_cut) return t_.add("MatMul", {a_, b_});
		const SymExpr groups = t_.sizes(ends_)[0];
		if (!groups.is_constant())
		t_.refuse("groups of rows, but how many varies", "export with a fixed number of them");
		count_ = static_cast<std::size_t>(groups.value());
		const auto a = a_is_cut ? cut(a_, b_is_cut ? 1 : 0) : batch(a_);
		const auto b = b_is_cut ? cut(b_, a_is_cut ? 0 : 1) : batch(b_);
		std::vector<Ref> products;
		products.reserve(count_);
		for (std::size_t i = 0; i < count_; ++i) products.push_back(t_.add("MatMul", {a[i], b[i]}));
		if (a_is_cut && b_is_cut) {
		for (Ref& product : products) product = t_.add("Unsqueeze", {product, t_.ints({0})});
		return joined(products, 0);
		}
		const std::int64_t along = a_is_cut ? 0 : 1;
		products.push_back(rest(along));
		return joined(products, along);
	}
private:
	[[nodiscard]] Ref joined(std::vector<Ref> parts, std::int64_t axis) {
		return t_.add("Concat", std::move(parts), {{"axis", axis}});
	}
	[[nodiscard]] std::vector<Ref> batch(Ref matrices) {
		std::vector<Ref> each;
		each.reserve(count_);
		for (std::size_t i = 0; i < count_; ++i)
		each.push_back(t_.add("Gather", {matrices, t_.number(static_cast<std::int64_t>(i), DType::int64)}));
		return each;
	}
	[[nodiscard]] std::vector<Ref> cut(Ref matrix, std::int64_t dim) {
		const Ref ends = t_.cast(ends_, DType::int64), size = t_.size(t_.sizes(matrix)[static_cast<std::size_t>(dim)]);
		const Ref starts = joined({t_.ints({0}), ends}, 0);
		const Ref lengths = t_.add("Sub", {joined({ends, size}, 0), starts});
		auto parts = t_.add_many("Split", {matrix, lengths}, {{"axis", dim}}, count_ + 1);
		parts.pop_back();
		return parts;
	}
	[[nodiscard]] Ref rest(std::int64_t dim) {
		const Sizes& sizes = t_.result_sizes();
		const Ref whole = t_.size(sizes[static_cast<std::size_t>(dim)]),
		other = t_.size(sizes[static_cast<std::size_t>(1 - dim)]);
		const Ref end = t_.slice(t_.cast(ends_, DType::int64), 0, t_.ints({-1}), t_.ints({to_the_end}));
		const Ref left = t_.add("Sub", {whole, end});
		const Ref shape = dim == 0 ? joined({left, other}, 0) : joined({other, left}, 0);
		return t_.add("Expand", {t_.number(0, dtype_), shape});
	}
	Translation& t_;
	DType dtype_;
	Ref a_;
	Ref b_;
	Ref ends_;
	std::size_t count_ = 0;
};
FERRY_INLINE Ref grouped_mm::translate(Translation& t) {
	if (t.has("bias")) t.refuse("a bias beside groups of rows", "add it to the result");
	return GroupedProduct(t, "self", "mat2", t.optional_tensor("offs")).translate();
}
FERRY_INLINE Ref grouped_mm_fallback::translate(Translation& t) {
	return GroupedProduct(t, "input", "weight", t.tensor("offs")).translate();
}
}
namespace ferry::onnx::translated {
struct LoopStep {
	std::vector<Ref> carried;  
	std::vector<Ref> collected;
	Ref goes_on{};             
};
template <class Step>
std::vector<Ref> repeated(Translation& t, Ref times, const std::vector<Ref>& carried, Step&& step) {
	std::vector<DType> dtypes;
	const BodyRef body = t.make_body("loop", [&] {
		const Ref number = t.add_body_input({.name = {}, .dtype = DType::int64, .sizes = Sizes()});
		t.add_body_input({.name = {}, .dtype = DType::boolean, .sizes = Sizes()});
		std::vector<Ref> given;
		given.reserve(carried.size());
		for (const Ref each : carried)
		given.push_back(t.add_body_input({.name = {}, .dtype = t.dtype(each), .sizes = t.sizes(each)}));
		const LoopStep made = step(number, std::as_const(given));
		t.add_body_output(made.goes_on ? made.goes_on : t.number(true, DType::boolean));
		for (std::size_t i = 0; i < given.size(); ++i) {
		t.add_body_output(t.like(made.carried.at(i), given[i]));
		dtypes.push_back(t.dtype(given[i]));
		}
		for (const Ref each : made.collected) {
		t.add_body_output(each);
		dtypes.push_back(t.dtype(each));
		}
	});
	std::vector<Ref> inputs{times ? t.scalar_of(times) : Ref(), t.number(true, DType::boolean)};
	inputs.insert(inputs.end(), carried.begin(), carried.end());
	std::vector<Ref> results = t.add_typed("Loop", std::move(inputs), {{"body", body}}, dtypes);
	for (std::size_t i = 0; i < carried.size(); ++i) t.like(results[i], carried[i]);
	return results;
}
}
namespace ferry::onnx::translated {
struct Numbered {
	Ref rows;
	Ref columns;
};
inline Numbered numbered(Translation& t, Ref matrix) {
	const Sizes& sizes = t.sizes(matrix);
	return {t.unsqueeze(counted(t, sizes[sizes.size() - 2]), {1}), counted(t, sizes.back())};
}
inline Sizes batch_of(Translation& t, Ref matrix) { return {t.sizes(matrix).begin(), t.sizes(matrix).end() - 2}; }
inline Ref line(Translation& t, Ref matrix, Ref number, std::int64_t axis) {
	Sizes sizes = t.sizes(matrix);
	*(sizes.end() + axis) = 1;
	const Ref one = t.add("Reshape", {number, t.ints({1})});
	return t.with_sizes(t.add("Gather", {matrix, one}, {{"axis", axis}}), sizes);
}
inline Ref row(Translation& t, Ref matrix, Ref number) { return line(t, matrix, number, -2); }
inline Ref column(Translation& t, Ref matrix, Ref number) { return line(t, matrix, number, -1); }
inline Ref only_where(Translation& t, Ref holds, Ref value) {
	return t.like(t.add("Where", {holds, value, t.number_like(0, value)}), value);
}
inline Ref turned(Translation& t, Ref matrix) { return t.transpose(matrix, t.rank(matrix) - 2, t.rank(matrix) - 1); }
struct Eliminated {
	Ref matrix;
	Ref pivots;
	Ref rows;
};
inline Eliminated eliminated(Translation& t, Ref matrix, const SymExpr& steps, bool keeps_factors) {
	const auto [rows, columns] = numbered(t, matrix);
	const auto made = repeated(t, t.size(steps), {matrix}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
		const Ref before = carried[0];
		const Ref sizes_of = t.add("Abs", {column(t, before, step)});
		const Ref candidates =
		t.add("Where", {t.add("GreaterOrEqual", {rows, step}), sizes_of, t.number_like(-1, before)});
		const Ref best = t.add("ArgMax", {candidates}, {{"axis", -2}, {"keepdims", 1}});
		const Ref others = t.add("Where", {t.add("Equal", {rows, best}), step, rows});
		const Ref order = t.add("Where", {t.add("Equal", {rows, step}), best, others});
		const Ref swapped = t.like(
		t.add("GatherElements", {before, t.add("Expand", {order, t.add("Shape", {before})})}, {{"axis", -2}}),
		before);
		const Ref top = row(t, swapped, step), pivot = column(t, top, step);
		const Ref left = column(t, swapped, step);
		Ref after;
		if (keeps_factors) {
		const Ref below = t.add("Greater", {rows, step});
		const Ref usable = t.add("And", {below, t.add("Not", {t.add("Equal", {pivot, t.number_like(0, pivot)})})});
		const Ref factors = only_where(t, usable, t.like(t.add("Div", {left, pivot}), left));
		const Ref behind = only_where(t, t.add("Greater", {columns, step}), top);
		const Ref reduced = t.add("Sub", {swapped, t.add("Mul", {factors, behind})});
		const Ref here = t.add("And", {usable, t.add("Equal", {columns, step})});
		after = t.add("Where", {here, factors, reduced});
		} else {
		const Ref unit = t.add("Div", {top, pivot});
		const Ref reduced = t.add("Sub", {swapped, t.add("Mul", {left, unit})});
		after = t.add("Where", {t.add("Equal", {rows, step}), unit, reduced});
		}
		return {.carried = {after}, .collected = {pivot, best}};
	});
	Sizes of_steps = batch_of(t, matrix);
	of_steps.insert(of_steps.begin(), steps);
	const auto as_lines = [&](Ref collected) { return t.reshape(collected, of_steps); };
	return {made[0], as_lines(made[1]), as_lines(made[2])};
}
inline Ref first_failure(Translation& t, Ref failed, const SymExpr& steps) {
	const Ref numbers = t.add("Sub", {t.size(steps), counted(t, steps)});
	std::vector<std::int64_t> behind;
	for (std::int64_t i = 1; i < t.rank(failed); ++i) behind.push_back(i);
	const Ref heights =
		t.add("Where", {failed, t.unsqueeze(t.with_sizes(numbers, {steps}), behind), t.number(0, DType::int64)});
	const Ref highest = t.add("ReduceMax", {heights, t.ints({0})}, {{"keepdims", 0}});
	const Ref found = t.add("Sub", {t.scalar_of(t.size(steps + SymExpr(1))), highest});
	return t.add("Where", {t.add("Equal", {highest, t.number(0, DType::int64)}), t.number(0, DType::int64), found});
}
inline Ref zero_pivot(Translation& t, Ref pivots) {
	return first_failure(t, t.like(t.add("Equal", {pivots, t.number_like(0, pivots)}), pivots), t.sizes(pivots)[0]);
}
struct Solved {
	Ref x;
	Ref pivots;
};
inline Solved solved(Translation& t, Ref matrix, Ref wanted) {
	const Sizes matrix_sizes = t.sizes(matrix), wanted_sizes = t.sizes(wanted);
	const SymExpr &count = matrix_sizes.back(), &width = wanted_sizes.back();
	Sizes both = matrix_sizes;
	both.back() = count + width;
	const Eliminated found = eliminated(t, t.with_sizes(t.add("Concat", {matrix, wanted}, {{"axis", -1}}), both), count,
		/*keeps_factors=*/false);
	const Ref x = t.slice(found.matrix, t.rank(matrix) - 1, t.size(count), t.ints({to_the_end}));
	return {t.with_sizes(x, wanted_sizes), found.pivots};
}
inline Ref unit_matrix(Translation& t, const Sizes& sizes, DType dtype) {
	const Ref matrix = t.filled(sizes, 0, dtype);
	const auto [rows, columns] = numbered(t, matrix);
	return t.like(t.add("Where", {t.add("Equal", {rows, columns}), t.number(1, dtype), matrix}), matrix);
}
FERRY_INLINE void inverse::translate(Translation& t) {
	const Ref matrix = t.tensor("A");
	const Solved found = solved(t, matrix, unit_matrix(t, t.sizes(matrix), t.dtype(matrix)));
	t.result(found.x, 0);
	if (t.is_wanted(1)) t.result(zero_pivot(t, found.pivots), 1);
}
FERRY_INLINE void solution::translate(Translation& t) {
	if (t.is_wanted(1) || t.is_wanted(2)) t.refuse("the factors that a system is solved by are used");
	const bool is_vector = t.result_rank() < t.rank(t.tensor("A"));
	const bool is_left = t.flag("left");
	Ref matrix = t.tensor("A"), wanted = t.tensor("B");
	if (is_vector) wanted = t.unsqueeze(wanted, {t.rank(wanted)});
	Sizes sizes = t.result_sizes();
	if (is_vector) sizes.emplace_back(1);
	Sizes of_matrix = sizes;
	of_matrix.end()[-2] = of_matrix.back() = t.sizes(matrix).back();
	matrix = t.expand(matrix, of_matrix);
	wanted = t.expand(wanted, sizes);
	const Solved found =
		is_left || is_vector ? solved(t, matrix, wanted) : solved(t, turned(t, matrix), turned(t, wanted));
	const Ref x = is_left || is_vector ? found.x : turned(t, found.x);
	t.result(is_vector ? t.squeeze(x, {t.rank(x) - 1}) : x, 0);
	if (t.is_wanted(3)) t.result(zero_pivot(t, found.pivots), 3);
}
FERRY_INLINE void lu_factors::translate(Translation& t) {
	if (!t.flag("pivot")) t.refuse("factors without an exchange of rows");
	const Ref matrix = t.tensor("A");
	const SymExpr steps = t.result_sizes(1).back();
	const Eliminated found = eliminated(t, matrix, steps, /*keeps_factors=*/true);
	t.result(found.matrix, 0);
	const std::int64_t batch = t.rank(matrix) - 2;
	std::vector<std::int64_t> order;
	for (std::int64_t i = 1; i <= batch; ++i) order.push_back(i);
	order.push_back(0);
	t.result(t.add("Add", {t.permute(found.rows, order), t.number(1, DType::int64)}), 1);
	if (t.is_wanted(2)) t.result(zero_pivot(t, found.pivots), 2);
}
FERRY_INLINE void signed_log_determinant::translate(Translation& t) {
	if (t.is_wanted(2) || t.is_wanted(3)) t.refuse("the factors that a determinant is computed by are used");
	const Ref matrix = t.tensor("A");
	const SymExpr steps = t.sizes(matrix).back();
	const Eliminated found = eliminated(t, matrix, steps, /*keeps_factors=*/true);
	const auto over_steps = [&](std::string_view op, Ref value) {
		return t.add(op, {value, t.ints({0})}, {{"keepdims", 0}});
	};
	std::vector<std::int64_t> behind;
	for (std::int64_t i = 1; i < t.rank(found.rows); ++i) behind.push_back(i);
	const Ref stayed = t.add("Equal", {found.rows, t.unsqueeze(counted(t, steps), behind)});
	const Ref turns = t.add("Where", {stayed, t.number_like(1, found.pivots), t.number_like(-1, found.pivots)});
	t.result(over_steps("ReduceProd", t.add("Mul", {turns, t.add("Sign", {found.pivots})})), 0);
	t.result(over_steps("ReduceSum", t.add("Log", {t.add("Abs", {found.pivots})})), 1);
}
FERRY_INLINE void cholesky::translate(Translation& t) {
	const bool is_upper = t.flag("upper");
	const Ref matrix = is_upper ? turned(t, t.tensor("self")) : t.tensor("self");
	const SymExpr steps = t.sizes(matrix).back();
	const Ref rows = numbered(t, matrix).rows;
	const auto made = repeated(t, t.size(steps), {matrix}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
		const Ref left = column(t, carried[0], step), pivot = row(t, left, step);
		const Ref scaled = t.like(t.add("Div", {left, t.add("Sqrt", {pivot})}), left);
		const Ref factor = only_where(t, t.add("GreaterOrEqual", {rows, step}), scaled);
		const Ref after = t.add("Sub", {carried[0], t.add("Mul", {factor, turned(t, factor)})});
		return {.carried = {after}, .collected = {factor, pivot}};
	});
	Sizes lines = batch_of(t, matrix);
	lines.insert(lines.begin(), steps);
	const Ref pivots = t.reshape(made[2], lines);
	lines.push_back(steps);
	const Ref factors = t.reshape(made[1], lines);
	std::vector<std::int64_t> order;
	for (std::int64_t i = 1; i < t.rank(factors); ++i) order.push_back(i);
	order.insert(is_upper ? order.end() - 1 : order.end(), 0);
	t.result(t.permute(factors, order), 0);
	if (!t.is_wanted(1)) return;
	const Ref is_good = t.add("Greater", {pivots, t.number_like(0, pivots)});
	t.result(first_failure(t, t.like(t.add("Not", {is_good}), pivots), steps), 1);
}
inline Ref triangular_solution(Translation& t, Ref matrix, Ref wanted, bool is_upper, bool has_unit_diagonal) {
	const SymExpr count = t.sizes(matrix).back();
	const Ref rows = numbered(t, matrix).rows;
	const Ref last = t.scalar_of(t.size(count - SymExpr(1)));
	return repeated(t, t.size(count), {wanted}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
		const Ref number = is_upper ? t.with_sizes(t.add("Sub", {last, step}), {}) : step;
		const Ref left = column(t, matrix, number), here = row(t, carried[0], number);
		const Ref known = has_unit_diagonal ? here : t.add("Div", {here, row(t, left, number)});
		const Ref later = only_where(t, t.add(is_upper ? "Less" : "Greater", {rows, number}), left);
		const Ref reduced = t.add("Sub", {carried[0], t.add("Mul", {later, known})});
		return {.carried = {t.add("Where", {t.add("Equal", {rows, number}), known, reduced})}, .collected = {}};
	})[0];
}
FERRY_INLINE Ref solve_triangular::translate(Translation& t) {
	const bool is_left = t.flag("left"), is_upper = t.flag("upper");
	Ref matrix = t.tensor("self");
	const Ref wanted = t.expand(t.tensor("B"), t.result_sizes());
	Sizes of_matrix = t.result_sizes();
	of_matrix.end()[-2] = of_matrix.back() = t.sizes(matrix).back();
	matrix = t.expand(matrix, of_matrix);
	if (is_left) return triangular_solution(t, matrix, wanted, is_upper, t.flag("unitriangular"));
	return turned(t, triangular_solution(t, turned(t, matrix), turned(t, wanted), !is_upper, t.flag("unitriangular")));
}
FERRY_INLINE Ref cholesky_solve::translate(Translation& t) {
	const bool is_upper = t.flag("upper");
	Ref factor = t.tensor("input2");
	const Ref wanted = t.expand(t.tensor("self"), t.result_sizes());
	Sizes of_factor = t.result_sizes();
	of_factor.back() = t.sizes(factor).back();
	factor = t.expand(factor, of_factor);
	const Ref lower = is_upper ? turned(t, factor) : factor, upper = is_upper ? factor : turned(t, factor);
	return triangular_solution(t, upper, triangular_solution(t, lower, wanted, false, false), true, false);
}
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref compared(Translation& t, std::string_view op) {
	const DType dtype = t.promoted({"self", "other"});
	return t.add(op, {t.operand("self", dtype), t.operand("other", dtype)});
}
FERRY_INLINE Ref not_equal::translate(Translation& t) { return t.add("Not", {compared(t, "Equal")}); }
inline Ref logical(Translation& t, std::string_view op) {
	return t.add(op, {t.operand("self", DType::boolean), t.operand("other", DType::boolean)});
}
FERRY_INLINE Ref logical_and::translate(Translation& t) { return logical(t, "And"); }
FERRY_INLINE Ref logical_or::translate(Translation& t) { return logical(t, "Or"); }
FERRY_INLINE Ref logical_xor::translate(Translation& t) { return logical(t, "Xor"); }
FERRY_INLINE Ref logical_not::translate(Translation& t) { return t.add("Not", {t.operand("self", DType::boolean)}); }
inline Ref bitwise(Translation& t, std::string_view on_bools, std::string_view on_ints) {
	const DType dtype = t.result_dtype();
	return t.add(dtype == DType::boolean ? on_bools : on_ints, {t.operand("self", dtype), t.operand("other", dtype)});
}
FERRY_INLINE Ref bitwise_and::translate(Translation& t) { return bitwise(t, "And", "BitwiseAnd"); }
FERRY_INLINE Ref bitwise_or::translate(Translation& t) { return bitwise(t, "Or", "BitwiseOr"); }
FERRY_INLINE Ref bitwise_xor::translate(Translation& t) { return bitwise(t, "Xor", "BitwiseXor"); }
FERRY_INLINE Ref bitwise_not::translate(Translation& t) {
	return t.add(t.result_dtype() == DType::boolean ? "Not" : "BitwiseNot", {t.tensor("self")});
}
inline Ref power_of_two(Translation& t) {
	return t.cast(t.add("Pow", {t.number(2, DType::int64), t.operand("other", DType::int64)}), t.result_dtype());
}
FERRY_INLINE Ref left_shift::translate(Translation& t) {
	return t.add("Mul", {t.operand("self", t.result_dtype()), power_of_two(t)});
}
FERRY_INLINE Ref right_shift::translate(Translation& t) {
	return t.floor_div(t.operand("self", t.result_dtype()), power_of_two(t));
}
inline Ref classified(Translation& t, std::string_view op) {
	const Ref self = t.tensor("self");
	const bool fits = t.dtype(self) == DType::float32 || t.dtype(self) == DType::float64;
	return t.add(op, {fits ? self : t.cast(self, DType::float32)});
}
FERRY_INLINE Ref isnan::translate(Translation& t) { return classified(t, "IsNaN"); }
FERRY_INLINE Ref isinf::translate(Translation& t) { return classified(t, "IsInf"); }
FERRY_INLINE Ref isfinite::translate(Translation& t) {
	return t.add("Not", {t.add("Or", {classified(t, "IsNaN"), classified(t, "IsInf")})});
}
FERRY_INLINE Ref where::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	return t.add("Where",
		{t.operand("condition", DType::boolean), t.operand("self", dtype), t.operand("other", dtype)});
}
FERRY_INLINE Ref masked_fill::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	return t.add("Where", {t.operand("mask", DType::boolean), t.operand("value", dtype), t.operand("self", dtype)});
}
}
namespace ferry::onnx::translated {
inline Ref reduced_loss(Translation& t, Ref losses) {
	const std::int64_t reduction = t.integer("reduction");
	if (reduction == 0) return losses;
	return t.add(reduction == 1 ? "ReduceMean" : "ReduceSum", {losses}, {{"keepdims", 0}});
}
FERRY_INLINE Ref multi_margin_loss::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	Ref self = t.operand("self", dtype), right = t.tensor("target");
	const bool is_batch = t.rank(self) == 2;
	if (!is_batch) self = t.unsqueeze(self, {0});
	if (t.rank(right) == 0) right = t.unsqueeze(right, {0});
	const SymExpr classes = t.sizes(self)[1];
	const Ref column = t.unsqueeze(right, {1});
	const Ref score = t.add("GatherElements", {self, column}, {{"axis", 1}});
	const Ref apart = t.add("Sub", {t.add("Add", {self, t.factor("margin", dtype)}), score});
	Ref within = t.add("Max", {apart, t.number(0, dtype)});
	if (t.integer("p") == 2) within = t.add("Mul", {within, within});
	if (t.has("weight")) within = t.add("Mul", {within, t.add("Gather", {t.operand("weight", dtype), column})});
	within = t.add("Where", {t.add("Equal", {column, counted(t, classes)}), t.number(0, dtype), within});
	const Ref sums = t.add("ReduceSum", {within, t.ints({1})}, {{"keepdims", 0}});
	const Ref losses = t.add("Div", {sums, t.cast(t.size(classes), dtype)});
	return reduced_loss(t, is_batch || t.integer("reduction") != 0 ? losses : t.scalar_of(losses));
}
}
namespace ferry::onnx::translated {
inline Ref weight_or(Translation& t, std::string_view name, const Sizes& sizes, DType dtype, int otherwise) {
	return t.has(name) ? t.operand(name, dtype) : t.filled(sizes, otherwise, dtype);
}
FERRY_INLINE void layer_norm::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref input = t.operand("input", dtype);
	const Sizes over = t.symbolics("normalized_shape");
	std::vector<Ref> inputs{input, weight_or(t, "weight", over, dtype, 1)};
	if (t.has("bias")) inputs.push_back(t.operand("bias", dtype));
	const std::size_t count = t.num_results() > 1 && (t.is_wanted(1) || t.is_wanted(2)) ? 3 : 1;
	const auto made =
		t.add_many("LayerNormalization", std::move(inputs),
		{{"axis", -static_cast<std::int64_t>(over.size())}, {"epsilon", t.real("eps")}}, count);
	for (std::size_t i = 0; i < count; ++i) t.result(made[i], i);
}
FERRY_INLINE Ref rms_norm::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref input = t.operand("input", dtype);
	const Sizes over = t.symbolics("normalized_shape");
	const double smallest = t.result_dtype() == DType::float64 ? std::numeric_limits<double>::epsilon()
		: std::numeric_limits<float>::epsilon();
	const double epsilon = t.has("eps") ? t.real("eps") : smallest;
	const auto axis = -static_cast<std::int64_t>(over.size());
	if (t.opset() >= 23)
		return t.add("RMSNormalization", {input, weight_or(t, "weight", over, dtype, 1)},
		{{"axis", axis}, {"epsilon", epsilon}});
	std::vector<std::int64_t> dims(over.size());
	std::iota(dims.begin(), dims.end(), t.rank(input) + axis);
	const Ref square = t.like(t.add("Mul", {input, input}), input);
	const Ref mean = reduce(t, "ReduceMean", square, {dims, false, true});
	const Ref root = t.add("Sqrt", {t.add("Add", {mean, t.number_like(epsilon, input)})});
	const Ref scaled = t.add("Div", {input, root});
	return t.has("weight") ? t.add("Mul", {scaled, t.operand("weight", dtype)}) : scaled;
}
inline Ref along_channels(Translation& t, Ref weight, std::int64_t rank) {
	std::vector<std::int64_t> behind;
	for (std::int64_t dim = 2; dim < rank; ++dim) behind.push_back(dim - 1);
	return t.unsqueeze(weight, std::move(behind));
}
struct BatchStatistics {
	Ref mean{}, variance{}, root{};
	Ref apart{};
};
inline BatchStatistics batch_statistics(Translation& t, Ref input, double epsilon) {
	Reduced how{{0}, false, true};
	for (std::int64_t dim = 2; dim < t.rank(input); ++dim) how.dims.push_back(dim);
	BatchStatistics made{.mean = reduce(t, "ReduceMean", input, how)};
	made.apart = t.like(t.add("Sub", {input, made.mean}), input);
	made.variance = reduce(t, "ReduceMean", t.like(t.add("Mul", {made.apart, made.apart}), input), how);
	made.root = t.add("Sqrt", {t.add("Add", {made.variance, t.number_like(epsilon, input)})});
	return made;
}
inline Ref scaled_by(Translation& t, const BatchStatistics& found, Ref weight, Ref bias) {
	const std::int64_t rank = t.rank(found.apart);
	const Ref scaled = t.add("Mul", {t.add("Div", {found.apart, found.root}), along_channels(t, weight, rank)});
	return t.add("Add", {scaled, along_channels(t, bias, rank)});
}
inline void batch_normalized(Translation& t, bool training) {
	const double epsilon = t.real("eps");
	const DType dtype = t.wide(t.result_dtype());
	const Ref input = t.operand("input", dtype);
	const Sizes channels{t.sizes(input).at(1)};
	const Ref weight = weight_or(t, "weight", channels, dtype, 1), bias = weight_or(t, "bias", channels, dtype, 0);
	if (training) return t.result(scaled_by(t, batch_statistics(t, input, epsilon), weight, bias));
	const Ref mean = t.operand("running_mean", dtype), variance = t.operand("running_var", dtype);
	t.result(t.add("BatchNormalization", {input, weight, bias, mean, variance}, {{"epsilon", epsilon}}));
}
inline void batch_normalized_in_training(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref input = t.operand("input", dtype);
	const Sizes& sizes = t.sizes(input);
	const Sizes channels{sizes.at(1)};
	const BatchStatistics found = batch_statistics(t, input, t.real("eps"));
	t.result(scaled_by(t, found, weight_or(t, "weight", channels, dtype, 1), weight_or(t, "bias", channels, dtype, 0)));
	const auto flat = [&](Ref kept) { return t.add("Reshape", {kept, t.shape(channels)}); };
	const Ref mean = flat(found.mean);
	t.result(mean, 1);
	t.result(flat(t.add("Reciprocal", {found.root})), 2);
	SymExpr count = sizes[0];
	for (std::size_t i = 2; i < sizes.size(); ++i) count = count * sizes[i];
	const Ref number = t.scalar_of(t.cast(t.size(count), dtype));
	const Ref unbiased = t.add("Div", {number, t.add("Sub", {number, t.number(1, dtype)})});
	const double momentum = t.real("momentum");
	const auto moved = [&](std::string_view kept, Ref now) {
		return t.add("Add", {t.add("Mul", {t.operand(kept, dtype), t.number(1 - momentum, dtype)}),
		t.add("Mul", {now, t.number(momentum, dtype)})});
	};
	t.result(moved("running_mean", mean), 3);
	t.result(moved("running_var", t.add("Mul", {flat(found.variance), unbiased})), 4);
}
inline void refuse_statistics(Translation& t) {
	for (std::size_t i = 1; i < t.num_results(); ++i)
		if (t.is_wanted(i)) t.refuse("the statistics of a batch normalization are used");
}
FERRY_INLINE void batch_norm::translate(Translation& t) {
	const bool training = t.flag("training") || !t.has("running_mean");
	if (t.flag("training") && t.has("running_mean"))
		t.refuse("a batch normalization in training mode changes its statistics", "call eval() on the model first");
	batch_normalized(t, training);
}
FERRY_INLINE void native_batch_norm::translate(Translation& t) {
	refuse_statistics(t);
	const bool training = t.node().op() == "aten::_native_batch_norm_legit.no_stats";
	batch_normalized(t, training);
}
FERRY_INLINE void functional_batch_norm::translate(Translation& t) {
	if (t.flag("training")) return batch_normalized_in_training(t);
	batch_normalized(t, false);
	const DType dtype = t.dtype(t.tensor("running_mean"));
	for (const std::size_t unused : {1, 2}) t.result(t.filled({0}, 0, dtype), unused);
	t.result(t.tensor("running_mean"), 3);
	t.result(t.tensor("running_var"), 4);
}
inline Ref group_normalized(Translation& t, std::string_view groups_name, double epsilon) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref input = t.operand("input", dtype);
	const SymExpr groups = t.integer(groups_name);
	const Sizes& sizes = t.sizes(input);
	SymExpr length = floor_div(sizes.at(1), groups);
	for (std::size_t i = 2; i < sizes.size(); ++i) length = length * sizes[i];
	const Ref grouped = t.reshape(input, {sizes[0], groups, length});
	const Ref normal =
		t.add("InstanceNormalization", {grouped, t.filled({groups}, 1, dtype), t.filled({groups}, 0, dtype)},
		{{"epsilon", epsilon}});
	Ref made = t.reshape(t.like(normal, grouped), sizes);
	if (t.has("weight")) made = t.add("Mul", {made, along_channels(t, t.operand("weight", dtype), t.rank(input))});
	if (t.has("bias")) made = t.add("Add", {made, along_channels(t, t.operand("bias", dtype), t.rank(input))});
	return made;
}
FERRY_INLINE Ref group_norm::translate(Translation& t) { return group_normalized(t, "num_groups", t.real("eps")); }
FERRY_INLINE void native_group_norm::translate(Translation& t) {
	refuse_statistics(t);
	t.result(group_normalized(t, "group", t.real("eps")));
}
}
namespace ferry::onnx::translated {
inline bool is_single(Translation& t, Ref self) {
	if (t.rank(self) != 0) return false;
	t.result(self, 0);
	if (t.num_results() > 1) t.result(t.number(0, DType::int64), 1);
	return true;
}
inline void ranked(Translation& t, const SymExpr* count, bool largest) {
	const Ref self = t.tensor("self");
	if (is_single(t, self)) return;
	const std::int64_t dim = t.dim("dim", t.rank(self));
	const SymExpr wanted = count != nullptr ? *count : t.sizes(self)[static_cast<std::size_t>(dim)];
	const auto made = t.add_many("TopK", {self, t.size(wanted)},
		{{"axis", dim}, {"largest", std::int64_t{largest}}, {"sorted", 1}}, 2);
	t.result(made[0], 0);
	t.result(made[1], 1);
}
FERRY_INLINE void topk::translate(Translation& t) {
	const SymExpr count = t.symbolic("k");
	ranked(t, &count, t.flag("largest"));
}
FERRY_INLINE void sort::translate(Translation& t) { ranked(t, nullptr, t.flag("descending")); }
struct Row {
	Ref numbers;
	std::int64_t dim = 0;
	bool keep = false;
	[[nodiscard]] SymExpr length(Translation& t) const { return t.sizes(numbers)[static_cast<std::size_t>(dim)]; }
};
inline Row row_of(Translation& t, Ref self) {
	if (t.num_results() == 1) return {flattened(t, self)};
	return {self, t.dim("dim", t.rank(self)), t.flag("keepdim")};
}
inline void set_row_results(Translation& t, const Row& row, Ref value, Ref place) {
	const auto shaped = [&](Ref kept) { return row.keep ? kept : t.add("Squeeze", {kept, t.ints({row.dim})}); };
	t.result(shaped(value), 0);
	if (t.num_results() > 1) t.result(shaped(place), 1);
}
inline std::vector<Ref> smallest(Translation& t, Ref numbers, std::int64_t dim, const SymExpr& count) {
	return t.add_many("TopK", {numbers, t.size(count)}, {{"axis", dim}, {"largest", 0}, {"sorted", 1}}, 2);
}
inline Ref last_of(Translation& t, const Row& row, Ref all) {
	return t.slice(all, row.dim, t.ints({-1}), t.ints({to_the_end}));
}
FERRY_INLINE void kthvalue::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (is_single(t, self)) return;
	const Row row = row_of(t, self);
	const auto found = smallest(t, self, row.dim, t.symbolic("k"));
	set_row_results(t, row, last_of(t, row, found[0]), last_of(t, row, found[1]));
}
FERRY_INLINE void median::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (is_single(t, self)) return;
	const Row row = row_of(t, self);
	const auto found = smallest(t, row.numbers, row.dim, floor_div(row.length(t) + SymExpr(1), 2));
	Ref value = last_of(t, row, found[0]), place = last_of(t, row, found[1]);
	if (is_floating_point(t.dtype(self))) {
		const Ref is_nan = t.cast(t.add("IsNaN", {t.cast(row.numbers, t.wide(t.dtype(self)))}), DType::int32);
		const Ref has_nan = t.cast(t.add("ReduceMax", {is_nan, t.ints({row.dim})}, {{"keepdims", 1}}), DType::boolean);
		const Ref nan = t.number_like(std::numeric_limits<double>::quiet_NaN(), value);
		value = t.add("Where", {has_nan, nan, value});
		place = t.add("Where", {has_nan, t.add("ArgMax", {is_nan}, {{"axis", row.dim}, {"keepdims", 1}}), place});
	}
	set_row_results(t, row, value, place);
}
FERRY_INLINE void nanmedian::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (is_single(t, self)) return;
	const Row row = row_of(t, self);
	const DType dtype = t.dtype(self);
	if (!is_floating_point(dtype)) return median::translate(t);
	const Ref is_nan = t.add("IsNaN", {t.cast(row.numbers, t.wide(dtype))});
	const Ref behind = t.number(std::numeric_limits<double>::infinity(), dtype);
	const auto sorted = smallest(t, t.add("Where", {is_nan, behind, row.numbers}), row.dim, row.length(t));
	const Ref is_number = t.cast(t.add("Not", {is_nan}), DType::int64);
	const Ref count = t.add("ReduceSum", {is_number, t.ints({row.dim})}, {{"keepdims", 1}});
	const Ref zero = t.number(0, DType::int64), one = t.number(1, DType::int64), two = t.number(2, DType::int64);
	const Ref middle = t.add("Div", {t.add("Max", {t.add("Sub", {count, one}), zero}), two});
	const auto taken = [&](Ref all) { return t.add("GatherElements", {all, middle}, {{"axis", row.dim}}); };
	const Ref nan = t.number(std::numeric_limits<double>::quiet_NaN(), dtype);
	set_row_results(t, row, t.add("Where", {t.add("Equal", {count, zero}), nan, taken(sorted[0])}), taken(sorted[1]));
}
FERRY_INLINE void mode::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (is_single(t, self)) return;
	const Row row = row_of(t, self);
	const std::int64_t rank = t.rank(self);
	const Ref moved = t.transpose(self, row.dim, rank - 1);
	const Ref equal = t.add("Equal", {t.unsqueeze(moved, {rank}), t.unsqueeze(moved, {rank - 1})});
	const Ref counts = t.add("ReduceSum", {t.cast(equal, DType::int64), t.ints({-1})}, {{"keepdims", 0}});
	const auto over_row = [&](std::string_view op, Ref value) {
		return t.add(op, {value, t.ints({-1})}, {{"keepdims", 1}});
	};
	const Ref most = over_row("ReduceMax", counts);
	const Ref largest = over_row("ReduceMax", moved);
	const Ref candidates = t.add("Where", {t.add("Equal", {counts, most}), moved, largest});
	const Ref value = over_row("ReduceMin", candidates);
	const Ref hits = t.cast(t.add("Equal", {moved, value}), DType::int64);
	const Ref place = over_row("ReduceMax", t.add("Mul", {hits, counted(t, row.length(t))}));
	Sizes single = t.sizes(moved);
	single.back() = 1;
	const auto back = [&](Ref made) { return t.transpose(t.with_sizes(made, single), row.dim, rank - 1); };
	set_row_results(t, row, back(value), back(place));
}
}
namespace ferry::onnx::translated {
inline Ref slice_end(Translation& t, std::string_view name, std::int64_t otherwise) {
	return t.has(name) ? t.size(t.symbolic(name)) : t.ints({otherwise});
}
FERRY_INLINE Ref slice::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (t.sizes(self) == t.result_sizes() && t.integer("step") == 1) return self;
	const std::int64_t dim = t.dim("dim", t.rank(self));
	return t.slice(self, dim, slice_end(t, "start", 0), slice_end(t, "end", to_the_end), t.integer("step"));
}
inline Ref from_front(Translation& t, const SymExpr& position, const SymExpr& size) {
	if (t.is_size(position)) return t.size(position);
	if (position.is_constant()) return t.size(size + position);
	const Ref given = t.size(position);
	return t.add("Where", {t.add("Less", {given, t.ints({0})}), t.add("Add", {given, t.size(size)}), given});
}
FERRY_INLINE Ref narrow::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::int64_t dim = t.dim("dim", t.rank(self));
	const Ref start = from_front(t, t.symbolic("start"), t.sizes(self)[static_cast<std::size_t>(dim)]);
	return t.slice(self, dim, start, t.add("Add", {start, t.size(t.symbolic("length"))}));
}
FERRY_INLINE Ref select::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const SymExpr index = t.symbolic("index");
	const Ref position = index.is_constant() ? t.number(index.value(), DType::int64) : t.scalar_of(t.size(index));
	return t.add("Gather", {self, position}, {{"axis", t.dim("dim", t.rank(self))}});
}
inline Ref spliced(Translation& t, Ref self, Ref source, std::int64_t dim, Ref start, Ref end) {
	const Ref before = t.slice(self, dim, t.ints({0}), start);
	const Ref after = t.slice(self, dim, end, t.ints({to_the_end}));
	return t.add("Concat", {before, source, after}, {{"axis", dim}});
}
FERRY_INLINE Ref select_scatter::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::int64_t dim = t.dim("dim", t.rank(self));
	const Ref source = t.unsqueeze(t.cast(t.tensor("src"), t.result_dtype()), {dim});
	const Ref place = from_front(t, t.symbolic("index"), t.sizes(self)[static_cast<std::size_t>(dim)]);
	return spliced(t, self, source, dim, place, t.add("Add", {place, t.ints({1})}));
}
FERRY_INLINE Ref slice_scatter::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::int64_t dim = t.dim("dim", t.rank(self));
	const std::int64_t step = t.integer("step");
	const Ref start = slice_end(t, "start", 0), end = slice_end(t, "end", to_the_end);
	const Ref given = t.cast(t.tensor("src"), t.result_dtype());
	if (step == 1) return spliced(t, self, given, dim, start, end);
	const SymExpr length = t.sizes(self)[static_cast<std::size_t>(dim)];
	Ref positions = t.slice(counted(t, length), 0, start, end, step);
	Sizes column(static_cast<std::size_t>(t.rank(self)), SymExpr(1));
	const SymExpr count = t.sizes(given)[static_cast<std::size_t>(dim)];
	column[static_cast<std::size_t>(dim)] = count;
	positions = t.expand(t.reshape(t.with_sizes(positions, {count}), column), t.sizes(given));
	return t.add("ScatterElements", {self, positions, given}, {{"axis", dim}});
}
FERRY_INLINE Ref cat::translate(Translation& t) {
	std::vector<Ref> parts;
	for (const Ref part : t.tensors("tensors")) {
		const bool is_legacy_empty = t.rank(part) == 1 && t.sizes(part)[0].is_constant(0) && t.result_rank() != 1;
		if (!is_legacy_empty) parts.push_back(t.cast(part, t.result_dtype()));
	}
	if (parts.size() == 1) return parts[0];
	return t.add("Concat", std::move(parts), {{"axis", t.dim("dim", t.result_rank())}});
}
FERRY_INLINE Ref stack::translate(Translation& t) {
	const std::int64_t dim = t.dim("dim", t.result_rank());
	std::vector<Ref> parts;
	for (const Ref part : t.tensors("tensors")) parts.push_back(t.unsqueeze(t.cast(part, t.result_dtype()), {dim}));
	return t.add("Concat", std::move(parts), {{"axis", dim}});
}
FERRY_INLINE void split::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::size_t count = t.num_results();
	if (count == 1) return t.result(self);
	const std::int64_t dim = t.dim("dim", t.rank(self));
	Sizes lengths;
	for (std::size_t i = 0; i < count; ++i) lengths.push_back(t.result_sizes(i)[static_cast<std::size_t>(dim)]);
	const auto parts = t.add_many("Split", {self, t.shape(lengths)}, {{"axis", dim}}, count);
	for (std::size_t i = 0; i < count; ++i) t.result(parts[i], i);
}
FERRY_INLINE void unbind::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::size_t count = t.num_results();
	const std::int64_t dim = t.dim("dim", t.rank(self));
	if (count == 0) return;
	if (count == 1) return t.result(t.squeeze(self, {dim}));
	const Sizes ones(count, SymExpr(1));
	const auto parts = t.add_many("Split", {self, t.shape(ones)}, {{"axis", dim}}, count);
	for (std::size_t i = 0; i < count; ++i) t.result(t.add("Squeeze", {parts[i], t.ints({dim})}), i);
}
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref unary(Translation& t, std::string_view op) { return t.add(op, {t.operand("self", t.result_dtype())}); }
FERRY_INLINE Ref rounding(Translation& t, std::string_view op) {
	const Ref self = t.tensor("self");
	return is_floating_point(t.dtype(self)) ? t.add(op, {self}) : self;
}
FERRY_INLINE Ref rsqrt::translate(Translation& t) {
	return t.add("Reciprocal", {t.add("Sqrt", {t.wide_operand("self")})});
}
FERRY_INLINE Ref trunc::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (!is_floating_point(t.dtype(self))) return self;
	const Ref down = t.add("Floor", {t.add("Abs", {self})});
	return t.add("Mul", {t.add("Sign", {self}), down});
}
FERRY_INLINE Ref round_decimals::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	if (!is_floating_point(t.dtype(self))) return self;
	const std::int64_t digits = t.integer("decimals");
	const Ref scale = t.number_like(std::pow(10.0, std::abs(static_cast<double>(digits))), self);
	const auto [there, back] = digits >= 0 ? std::pair("Mul", "Div") : std::pair("Div", "Mul");
	return t.add(back, {t.add("Round", {t.add(there, {self, scale})}), scale});
}
FERRY_INLINE Ref exp2::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	return t.add("Pow", {t.number_like(2.0, self), self});
}
FERRY_INLINE Ref expm1::translate(Translation& t) {
	const Ref x = t.wide_operand("self");
	const Ref one = t.number_like(1.0, x);
	const Ref u = t.add("Exp", {x});
	const Ref less = t.add("Sub", {u, one});
	const Ref corrected = t.add("Div", {t.add("Mul", {less, x}), t.add("Log", {u})});
	const Ref far = t.add("Greater", {t.add("Abs", {x}), t.number_like(0.5, x)});
	const Ref near = t.add("Where", {t.add("Equal", {u, one}), x, corrected});
	return t.add("Where", {far, less, near});
}
inline Ref log_of_one_more(Translation& t, Ref x) {
	const Ref one = t.number_like(1.0, x);
	const Ref u = t.add("Add", {x, one});
	const Ref logarithm = t.add("Log", {u});
	const Ref less = t.add("Sub", {u, one});
	const Ref corrected = t.add("Div", {t.add("Mul", {logarithm, x}), less});
	const Ref far = t.add("Greater", {t.add("Abs", {x}), t.number_like(0.5, x)});
	const Ref near = t.add("Where", {t.add("Equal", {u, one}), x, corrected});
	return t.add("Where", {far, logarithm, near});
}
FERRY_INLINE Ref log1p::translate(Translation& t) { return log_of_one_more(t, t.wide_operand("self")); }
inline Ref logarithm(Translation& t, double base) {
	const Ref log = t.add("Log", {t.wide_operand("self")});
	return t.add("Div", {log, t.number_like(std::log(base), log)});
}
FERRY_INLINE Ref log2::translate(Translation& t) { return logarithm(t, 2); }
FERRY_INLINE Ref log10::translate(Translation& t) { return logarithm(t, 10); }
}
namespace ferry::onnx::translated {
inline Ref tossed_numbers(Translation& t, Sizes sizes, DType dtype) {
	const std::int64_t digits = dtype == DType::float64 ? 53 : 24;
	sizes.emplace_back(digits);
	const std::vector<Ref> inputs{t.filled(sizes, 1, dtype), t.number(0.5, DType::float32),
		t.number(true, DType::boolean)};
	const Ref tosses = t.add_typed("Dropout", inputs, {}, {dtype, DType::boolean})[1];
	const at::Tensor values = at::arange(-1, -1 - digits, -1, at::TensorOptions(at::kDouble)).exp2();
	const Ref kept = t.add("Where", {tosses, t.constant(values.to(to_c10(dtype))), t.number(0, dtype)});
	const auto last = static_cast<std::int64_t>(sizes.size()) - 1;
	return t.add("ReduceSum", {kept, t.ints({last})}, {{"keepdims", 0}});
}
inline Ref uniform_numbers(Translation& t, const Sizes& sizes, DType dtype) {
	const Ref made =
		t.opset() < 22 ? t.add("RandomUniformLike", {t.filled(sizes, 0, dtype)}) : tossed_numbers(t, sizes, dtype);
	return t.with_sizes(made, sizes);
}
inline Ref normal_numbers(Translation& t, const Sizes& sizes, DType dtype) {
	if (t.opset() < 22) return t.add("RandomNormalLike", {t.filled(sizes, 0, dtype)});
	const auto number = [&](double value) { return t.number(value, dtype); };
	const Ref height = t.add("Sub", {number(1), uniform_numbers(t, sizes, dtype)});
	const Ref length = t.add("Sqrt", {t.add("Mul", {t.add("Log", {height}), number(-2)})});
	const Ref angle = t.add("Mul", {uniform_numbers(t, sizes, dtype), number(2 * std::numbers::pi)});
	return t.add("Mul", {length, t.add("Sin", {angle})});
}
[[nodiscard]] inline DType drawn_dtype(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	return is_floating_point(dtype) ? dtype : DType::float32;
}
inline Ref uniform_result(Translation& t) { return uniform_numbers(t, t.result_sizes(), drawn_dtype(t)); }
inline Ref normal_result(Translation& t) { return normal_numbers(t, t.result_sizes(), drawn_dtype(t)); }
FERRY_INLINE Ref rand::translate(Translation& t) { return uniform_result(t); }
FERRY_INLINE Ref randn::translate(Translation& t) { return normal_result(t); }
inline Ref whole_numbers(Translation& t, std::string_view low, std::string_view high) {
	const Ref uniform = uniform_result(t);
	const DType dtype = t.dtype(uniform);
	const Ref least = low.empty() ? t.number(0, dtype) : t.operand(low, dtype);
	const Ref width = t.add("Sub", {t.operand(high, dtype), least});
	return t.add("Add", {t.add("Floor", {t.add("Mul", {uniform, width})}), least});
}
FERRY_INLINE Ref randint::translate(Translation& t) {
	const bool from_zero = t.node().op() == "aten::randint" || t.node().op() == "aten::randint_like";
	return whole_numbers(t, from_zero ? "" : "low", "high");
}
FERRY_INLINE Ref random_between::translate(Translation& t) {
	return whole_numbers(t, t.node().op() == "aten::random.to" ? "" : "from", "to");
}
FERRY_INLINE Ref uniform::translate(Translation& t) {
	const Ref made = uniform_result(t);
	const double low = t.real("from"), high = t.real("to");
	return t.add("Add", {t.add("Mul", {made, t.number_like(high - low, made)}), t.number_like(low, made)});
}
FERRY_INLINE Ref exponential::translate(Translation& t) {
	const Ref made = t.add("Neg", {t.add("Log", {uniform_result(t)})});
	return t.add("Div", {made, t.number_like(t.real("lambd"), made)});
}
FERRY_INLINE Ref normal::translate(Translation& t) {
	const Ref made = normal_result(t);
	const DType dtype = t.dtype(made);
	return t.add("Add", {t.add("Mul", {made, t.operand("std", dtype)}), t.operand("mean", dtype)});
}
FERRY_INLINE Ref bernoulli::translate(Translation& t) {
	const Ref made = uniform_result(t);
	return t.add("Less", {made, t.operand(t.node().op() == "aten::bernoulli" ? "self" : "p", t.dtype(made))});
}
FERRY_INLINE Ref log_normal::translate(Translation& t) {
	const Ref made = normal_result(t);
	const Ref spread = t.add("Mul", {made, t.number_like(t.real("std"), made)});
	return t.add("Exp", {t.add("Add", {spread, t.number_like(t.real("mean"), made)})});
}
template <class Ratio>
Ref number_of_events(Translation& t, Ref log_of_none, Ratio&& one_more) {
	const auto number = [&](double value) { return t.number(value, DType::float64); };
	const Sizes sizes = t.result_sizes();
	const Ref height = uniform_numbers(t, sizes, DType::float64), none = t.filled(sizes, 0, DType::float64);
	const Ref logs = t.like(t.add("Add", {log_of_none, none}), none);
	return repeated(t, Ref(), {logs, none, none}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
		const Ref chance = t.add("Exp", {carried[0]}), sum = t.add("Add", {carried[1], chance});
		const Ref ratio = one_more(t.cast(step, DType::float64));
		const Ref grows = t.add("GreaterOrEqual", {ratio, number(1)});
		const Ref counts = t.add("Or", {grows, t.add("Greater", {chance, number(1e-18)})});
		const Ref is_more = t.cast(t.add("And", {t.add("GreaterOrEqual", {height, sum}), counts}), DType::float64);
		const Ref any = t.add("ReduceMax", {is_more}, {{"keepdims", 0}});
		return {
		.carried = {t.add("Add", {carried[0], t.add("Log", {ratio})}), sum, t.add("Add", {carried[2], is_more})},
		.collected = {},
		.goes_on = t.cast(any, DType::boolean)};
	})[2];
}
FERRY_INLINE Ref poisson::translate(Translation& t) {
	const Ref rate = t.operand("self", DType::float64);
	return number_of_events(t, t.add("Neg", {rate}), [&](Ref step) {
		return t.add("Div", {rate, t.add("Add", {step, t.number_like(1, step)})});
	});
}
FERRY_INLINE Ref binomial::translate(Translation& t) {
	const Ref tries = t.operand("count", DType::float64), chance = t.operand("prob", DType::float64);
	const Ref one = t.number_like(1, chance), miss = t.add("Sub", {one, chance});
	const Ref rarer = t.add("Min", {chance, miss}), other = t.add("Sub", {one, rarer});
	const Ref odds = t.add("Div", {rarer, other});
	const Ref found = number_of_events(t, t.add("Mul", {tries, t.add("Log", {other})}), [&](Ref step) {
		const Ref left = t.add("Max", {t.add("Sub", {tries, step}), t.number_like(0, step)});
		return t.add("Mul", {t.add("Div", {left, t.add("Add", {step, one})}), odds});
	});
	return t.add("Where", {t.add("Greater", {chance, miss}), t.add("Sub", {tries, found}), found});
}
FERRY_INLINE Ref geometric::translate(Translation& t) {
	const Ref heights = t.add("Log", {uniform_result(t)});
	return t.add("Ceil", {t.add("Div", {heights, t.number_like(std::log1p(-t.real("p")), heights)})});
}
FERRY_INLINE Ref cauchy::translate(Translation& t) {
	const Ref uniform = uniform_result(t);
	const Ref angle =
		t.add("Mul", {t.add("Sub", {uniform, t.number_like(0.5, uniform)}), t.number_like(std::numbers::pi, uniform)});
	const Ref spread = t.add("Mul", {t.add("Tan", {angle}), t.number_like(t.real("sigma"), uniform)});
	return t.add("Add", {spread, t.number_like(t.real("median"), uniform)});
}
struct Dropped {
	Ref kept;
	Ref made;
};
inline Ref kept_by_chance(Translation& t, const Sizes& sizes, double chance) {
	const Ref drawn_for_each = uniform_numbers(t, sizes, drawn_dtype(t));
	return t.add("GreaterOrEqual", {drawn_for_each, t.number_like(chance, drawn_for_each)});
}
inline Ref scaled_up(Translation& t, Ref input, Ref kept, double chance) {
	const Ref left = t.add("Mul", {input, t.cast(kept, t.dtype(input))});
	return t.add("Mul", {left, t.number_like(chance < 1 ? 1 / (1 - chance) : 0, input)});
}
inline Dropped dropped(Translation& t, Ref input, double chance) {
	if (chance == 0) return {t.filled(t.sizes(input), true, DType::boolean), input};
	const Ref kept = kept_by_chance(t, t.sizes(input), chance);
	return {kept, scaled_up(t, input, kept, chance)};
}
FERRY_INLINE Ref dropout::translate(Translation& t) {
	return dropped(t, t.tensor("input"), t.flag("train") ? t.real("p") : 0).made;
}
FERRY_INLINE Ref dropout_of_other_kinds::translate(Translation& t) {
	const Ref input = t.tensor("input");
	const double chance = t.flag("train") ? t.real("p") : 0;
	if (chance == 0) return input;
	Sizes sizes = t.sizes(input);
	for (std::size_t dim = 2; t.node().op() != "aten::alpha_dropout" && dim < sizes.size(); ++dim) sizes[dim] = 1;
	const Ref kept = kept_by_chance(t, sizes, chance);
	if (t.node().op() == "aten::feature_dropout" || chance == 1) return scaled_up(t, input, kept, chance);
	const double end = -1.7580993408473766;
	const double scale = 1 / std::sqrt((end * end * chance + 1) * (1 - chance));
	const Ref left = t.add("Where", {kept, input, t.number_like(end, input)});
	return t.add("Add",
		{t.add("Mul", {left, t.number_like(scale, input)}), t.number_like(-end * scale * chance, input)});
}
FERRY_INLINE void rrelu::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const double low = t.real("lower"), high = t.real("upper");
	if (!t.flag("training")) {
		t.result(t.add("LeakyRelu", {self}, {{"alpha", (low + high) / 2}}), 0);
		return t.result(t.tensor("noise"), 1);
	}
	const Ref uniform = t.cast(uniform_numbers(t, t.sizes(self), drawn_dtype(t)), t.dtype(self));
	const Ref drawn =
		t.add("Add", {t.add("Mul", {uniform, t.number_like(high - low, self)}), t.number_like(low, self)});
	const Ref slopes =
		t.add("Where", {t.add("LessOrEqual", {self, t.number_like(0, self)}), drawn, t.number_like(1, self)});
	t.result(t.add("Mul", {self, slopes}), 0);
	t.result(slopes, 1);
}
FERRY_INLINE void native_dropout::translate(Translation& t) {
	const bool drops = !t.has("train") || t.flag("train");
	const Dropped found = dropped(t, t.tensor("input"), drops ? t.real("p") : 0);
	t.result(found.made, 0);
	t.result(found.kept, 1);
}
FERRY_INLINE Ref randperm::translate(Translation& t) {
	const Ref keys = uniform_numbers(t, t.result_sizes(), DType::float32);
	return t.add_many("TopK", {keys, t.size(t.result_sizes()[0])}, {{"axis", 0}}, 2)[1];
}
FERRY_INLINE Ref multinomial::translate(Translation& t) {
	const DType dtype = t.wide(t.dtype(t.tensor("self")));
	const Ref weights = t.operand("self", dtype);
	const SymExpr count = t.symbolic("num_samples");
	if (!t.flag("replacement")) {
		const Ref exponential = t.add("Neg", {t.add("Log", {uniform_numbers(t, t.sizes(weights), dtype)})});
		return t.add_many("TopK", {t.add("Div", {weights, exponential}), t.size(count)}, {{"axis", -1}}, 2)[1];
	}
	const std::int64_t last = t.rank(weights) - 1;
	const Ref sums = t.like(t.add("CumSum", {weights, t.number(last, DType::int64)}), weights);
	const Ref total = t.add("ReduceSum", {weights, t.ints({-1})}, {{"keepdims", 1}});
	const Ref height =
		t.with_sizes(t.add("Mul", {uniform_numbers(t, t.result_sizes(), dtype), total}), t.result_sizes());
	const Ref behind = t.size(t.sizes(weights).back() - SymExpr(1));
	return t.add("Min", {places_among(t, sums, height, /*right=*/true), behind});
}
}
namespace ferry::onnx::translated {
struct RecurrentKind {
	std::string_view op;
	std::span<const std::size_t> gates;
	std::vector<Attribute> attributes{};
};
class RecurrentLayers {
public:
	RecurrentLayers(Translation& t, RecurrentKind kind, std::vector<Ref> states)
		: t_(t),
		kind_(std::move(kind)),
		states_(std::move(states)),
		weights_(t.tensors("params")),
		dtype_(t.wide(t.result_dtype())),
		layers_(static_cast<std::size_t>(t.integer("num_layers"))),
		directions_(t.flag("bidirectional") ? 2 : 1) {
		if (t.flag("train") && t.real("dropout") != 0)
		t.refuse("dropout between layers", "call eval() on the model first");
		const auto is_complete = [&] { return weights_.size() == layers_ * directions_ * per_direction(); };
		projects_ = kind_.op == "LSTM" && !is_complete();
		if (layers_ == 0 || !is_complete()) t.refuse("a number of weights that is not that of the layers");
		hidden_ = t.sizes(weights_[1]).back();
	}
	void translate() {
		const bool batch_first = t_.flag("batch_first");
		Ref sequence = t_.cast(t_.tensor("input"), dtype_);
		if (batch_first) sequence = t_.transpose(sequence, 0, 1);
		const SymExpr length = t_.sizes(sequence)[0], batch = t_.sizes(sequence)[1];
		const SymExpr width = hidden_ * SymExpr(static_cast<std::int64_t>(directions_));
		std::vector<std::vector<Ref>> last(states_.size());
		for (std::size_t layer = 0; layer < layers_; ++layer) {
		const auto made = projects_ ? projected_layer(sequence, layer) : one_layer(sequence, layer);
		const Ref outputs =
		t_.with_sizes(made[0], {length, SymExpr(static_cast<std::int64_t>(directions_)), batch, hidden_});
		sequence = t_.reshape(t_.permute(outputs, {0, 2, 1, 3}), {length, batch, width});
		for (std::size_t i = 0; i < states_.size(); ++i) last[i].push_back(made[i + 1]);
		}
		t_.result(batch_first ? t_.transpose(sequence, 0, 1) : sequence, 0);
		for (std::size_t i = 0; i < last.size(); ++i)
		if (t_.is_wanted(i + 1))
		t_.result(last[i].size() == 1 ? last[i][0] : t_.add("Concat", last[i], {{"axis", 0}}), i + 1);
	}
private:
	[[nodiscard]] std::size_t per_direction() const {
		return (t_.flag("has_biases") ? std::size_t{4} : std::size_t{2}) + (projects_ ? 1 : 0);
	}
	[[nodiscard]] std::vector<Ref> one_layer(Ref sequence, std::size_t layer) {
		const bool has_biases = t_.flag("has_biases");
		std::vector<Ref> input, recurrent, bias;
		for (std::size_t direction = 0; direction < directions_; ++direction) {
		const std::size_t first = (layer * directions_ + direction) * per_direction();
		input.push_back(in_order(weights_[first]));
		recurrent.push_back(in_order(weights_[first + 1]));
		if (has_biases)
		bias.push_back(
		joined({in_order(weights_[first + 2]), in_order(weights_[first + 3])}, /*stacked=*/false));
		}
		std::vector<Ref> inputs{sequence, joined(input, true), joined(recurrent, true),
		has_biases ? joined(bias, true) : Ref(), Ref()};
		const auto from = static_cast<std::int64_t>(layer * directions_);
		for (const Ref state : states_)
		inputs.push_back(layers_ == 1 ? t_.cast(state, dtype_)
		: t_.slice(t_.cast(state, dtype_), 0, t_.ints({from}),
		t_.ints({from + static_cast<std::int64_t>(directions_)})));
		std::vector<Attribute> attributes = kind_.attributes;
		attributes.emplace_back("hidden_size", hidden_.value());
		attributes.emplace_back("direction", std::string(directions_ == 2 ? "bidirectional" : "forward"));
		return t_.add_typed(kind_.op, std::move(inputs), std::move(attributes),
		std::vector<DType>(states_.size() + 1, dtype_));
	}
	[[nodiscard]] std::vector<Ref> projected_layer(Ref sequence, std::size_t layer) {
		std::vector<std::vector<Ref>> parts(states_.size() + 1);
		for (std::size_t direction = 0; direction < directions_; ++direction) {
		const auto made = projected_direction(sequence, layer * directions_ + direction, direction == 1);
		for (std::size_t i = 0; i < made.size(); ++i)
		parts[i].push_back(t_.add("Unsqueeze", {made[i], t_.ints({i == 0 ? 1 : 0})}));
		}
		std::vector<Ref> joined_parts;
		joined_parts.reserve(parts.size());
		for (std::size_t i = 0; i < parts.size(); ++i)
		joined_parts.push_back(parts[i].size() == 1 ? parts[i][0]
		: t_.add("Concat", parts[i], {{"axis", i == 0 ? 1 : 0}}));
		return joined_parts;
	}
	[[nodiscard]] std::vector<Ref> projected_direction(Ref sequence, std::size_t which, bool is_backward) {
		const Ref* weights = &weights_[which * per_direction()];
		const auto turned = [&](Ref weight) { return t_.transpose(t_.cast(weight, dtype_), 0, 1); };
		Ref given = t_.add("MatMul", {sequence, turned(weights[0])});
		if (t_.flag("has_biases"))
		for (const Ref bias : {weights[2], weights[3]}) given = t_.add("Add", {given, t_.cast(bias, dtype_)});
		const Ref recurrent = turned(weights[1]), projection = turned(weights[per_direction() - 1]);
		const SymExpr batch = t_.sizes(sequence)[1], width = t_.sizes(projection)[0];
		const BodyRef body = t_.make_body("lstm", [&] {
		const auto input = [&](const SymExpr& size) {
		return t_.add_body_input({.name = {}, .dtype = dtype_, .sizes = Sizes{batch, size}});
		};
		const Ref hidden = input(hidden_), cell = input(width), step = input(width * SymExpr(4));
		const Ref gates = t_.add("Add", {step, t_.add("MatMul", {hidden, recurrent})});
		const auto each = t_.add_many("Split", {gates, t_.shape(Sizes(4, width))}, {{"axis", 1}}, 4);
		const auto open = [&](std::size_t gate) { return t_.add("Sigmoid", {each[gate]}); };
		const Ref kept = t_.add("Mul", {open(1), cell}),
		added = t_.add("Mul", {open(0), t_.add("Tanh", {each[2]})});
		const Ref next_cell = t_.like(t_.add("Add", {kept, added}), cell);
		const Ref shown = t_.add("Mul", {open(3), t_.add("Tanh", {next_cell})});
		const Ref next_hidden = t_.like(t_.add("MatMul", {shown, projection}), hidden);
		for (const Ref output : {next_hidden, next_cell, next_hidden}) t_.add_body_output(output);
		});
		std::vector<Ref> inputs;
		inputs.reserve(states_.size() + 1);
		for (const Ref state : states_)
		inputs.push_back(t_.add("Gather",
		{t_.cast(state, dtype_), t_.number(static_cast<std::int64_t>(which), DType::int64)},
		{{"axis", 0}}));
		inputs.push_back(given);
		const std::vector<std::int64_t> backward{is_backward ? 1 : 0};
		const auto made = t_.add_typed("Scan", std::move(inputs),
		{{"body", body},
		{"num_scan_inputs", 1},
		{"scan_input_directions", backward},
		{"scan_output_directions", backward}},
		{dtype_, dtype_, dtype_});
		return {made[2], made[0], made[1]};
	}
	[[nodiscard]] Ref in_order(Ref weight) {
		weight = t_.cast(weight, dtype_);
		const std::size_t count = kind_.gates.size();
		if (count == 1) return weight;
		if (const at::Tensor known = t_.model()[weight].constant; known.defined()) {
		const auto gates = known.chunk(static_cast<std::int64_t>(count), 0);
		std::vector<at::Tensor> ordered;
		for (const std::size_t gate : kind_.gates) ordered.push_back(gates[gate]);
		return t_.constant(at::cat(ordered, 0));
		}
		const Sizes parts(count, hidden_);
		const auto gates = t_.add_many("Split", {weight, t_.shape(parts)}, {{"axis", 0}}, count);
		std::vector<Ref> ordered;
		for (const std::size_t gate : kind_.gates) ordered.push_back(gates[gate]);
		return t_.with_sizes(t_.add("Concat", std::move(ordered), {{"axis", 0}}), t_.sizes(weight));
	}
	[[nodiscard]] Ref joined(std::vector<Ref> parts, bool stacked) {
		std::vector<at::Tensor> known;
		for (const Ref part : parts)
		if (const at::Tensor& tensor = t_.model()[part].constant; tensor.defined())
		known.push_back(stacked ? tensor.unsqueeze(0) : tensor);
		if (known.size() == parts.size()) return t_.constant(at::cat(known, 0));
		if (stacked)
		for (Ref& part : parts) part = t_.add("Unsqueeze", {part, t_.ints({0})});
		return parts.size() == 1 ? parts[0] : t_.add("Concat", std::move(parts), {{"axis", 0}});
	}
	Translation& t_;
	RecurrentKind kind_;
	std::vector<Ref> states_;
	std::vector<Ref> weights_;
	DType dtype_;
	std::size_t layers_;
	std::size_t directions_;
	bool projects_ = false;
	SymExpr hidden_;       
};
FERRY_INLINE void lstm::translate(Translation& t) {
	static constexpr std::array<std::size_t, 4> gates{0, 3, 1, 2};
	RecurrentLayers(t, {.op = "LSTM", .gates = gates}, t.tensors("hx")).translate();
}
FERRY_INLINE void gru::translate(Translation& t) {
	static constexpr std::array<std::size_t, 3> gates{1, 0, 2};
	RecurrentLayers(t, {.op = "GRU", .gates = gates, .attributes = {{"linear_before_reset", 1}}}, {t.tensor("hx")})
		.translate();
}
FERRY_INLINE void translate_plain_rnn(Translation& t, std::string_view activation) {
	static constexpr std::array<std::size_t, 1> gates{0};
	std::vector<std::string> activations(t.flag("bidirectional") ? 2 : 1, std::string(activation));
	RecurrentLayers(t, {.op = "RNN", .gates = gates, .attributes = {{"activations", std::move(activations)}}},
		{t.tensor("hx")})
		.translate();
}
}
namespace ferry::onnx::translated {
[[nodiscard]] inline std::vector<double> scale_factors(Translation& t, std::size_t spatial) {
	std::vector<double> factors;
	if (t.node().op().ends_with(".vec")) {
		const Argument given = t.argument("scale_factors");
		if (const auto* list = given.get_if<ArgumentList>())
		for (const Argument& item : *list)
		if (const auto* factor = item.get_if<double>()) factors.push_back(*factor);
		return factors;
	}
	static constexpr std::string_view names[] = {"scales_d", "scales_h", "scales_w"};
	for (std::size_t i = 3 - spatial; i < 3; ++i) {
		const std::string_view name = spatial == 1 ? "scales" : names[i];
		if (t.has(name)) factors.push_back(t.real(name));
	}
	return factors.size() == spatial ? factors : std::vector<double>();
}
inline Ref resized(Translation& t, DType dtype, std::vector<Attribute> attributes) {
	Ref input = t.operand(t.node().op().ends_with(".vec") ? "input" : "self", dtype);
	const auto spatial = static_cast<std::size_t>(t.rank(input) - 2);
	const std::vector<double> factors = scale_factors(t, spatial);
	if (spatial == 1) input = t.unsqueeze(input, {2});
	Ref made;
	if (factors.empty()) {
		Sizes sizes = t.result_sizes();
		if (spatial == 1) sizes.insert(sizes.begin() + 2, SymExpr(1));
		made = t.add("Resize", {input, Ref(), Ref(), t.shape(sizes)}, std::move(attributes));
	} else {
		at::Tensor scales = at::zeros({spatial == 1 ? 4 : t.rank(input)}, at::TensorOptions(at::kFloat));
		auto* numbers = static_cast<float*>(scales.mutable_data_ptr());
		const auto count = static_cast<std::size_t>(scales.numel());
		for (std::size_t i = 0; i < count; ++i)
		numbers[i] = i + spatial < count ? 1.0F : static_cast<float>(factors[i + spatial - count]);
		made = t.add("Resize", {input, Ref(), t.constant(scales)}, std::move(attributes));
	}
	return spatial == 1 ? t.add("Squeeze", {made, t.ints({2})}) : made;
}
inline Ref interpolated(Translation& t, std::vector<Attribute> attributes) {
	if (t.result_dtype() != DType::uint8) return resized(t, t.wide(t.result_dtype()), std::move(attributes));
	constexpr DType dtype = DType::float32;
	const Ref whole = t.add("Round", {resized(t, dtype, std::move(attributes))});
	return t.add("Clip", {whole, t.number(0.0, dtype), t.number(255.0, dtype)});
}
FERRY_INLINE Ref upsample_nearest::translate(Translation& t) {
	const DType dtype = t.result_dtype();
	return resized(t, dtype == DType::uint8 ? dtype : t.wide(dtype),
		{{"mode", "nearest"}, {"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}});
}
inline const char* corners(Translation& t) { return t.flag("align_corners") ? "align_corners" : "half_pixel"; }
FERRY_INLINE Ref upsample_linear::translate(Translation& t) {
	return interpolated(t, {{"mode", "linear"}, {"coordinate_transformation_mode", corners(t)}});
}
FERRY_INLINE Ref upsample_bicubic::translate(Translation& t) {
	return interpolated(t,
		{{"mode", "cubic"}, {"coordinate_transformation_mode", corners(t)}, {"cubic_coeff_a", -0.75}});
}
FERRY_INLINE Ref upsample_antialiased::translate(Translation& t) {
	if (t.flag("align_corners")) t.refuse("antialiasing with aligned corners", "resize without align_corners");
	const bool cubic = t.node().op().find("bicubic") != std::string_view::npos;
	return interpolated(t, {{"mode", cubic ? "cubic" : "linear"},
		{"coordinate_transformation_mode", corners(t)},
		{"cubic_coeff_a", -0.5},
		{"exclude_outside", 1},
		{"antialias", 1}});
}
FERRY_INLINE Ref grid_sampler::translate(Translation& t) {
	static constexpr const char* modes[] = {"linear", "nearest", "cubic"};
	static constexpr const char* old_modes[] = {"bilinear", "nearest", "bicubic"};
	static constexpr const char* paddings[] = {"zeros", "border", "reflection"};
	const auto mode = static_cast<std::size_t>(t.integer("interpolation_mode"));
	const auto padding = static_cast<std::size_t>(t.integer("padding_mode"));
	if (mode > 2 || padding > 2) t.refuse("a way of interpolation that ONNX does not have");
	const DType dtype = t.wide(t.result_dtype());
	return t.add("GridSample", {t.operand("input", dtype), t.operand("grid", dtype)},
		{{"mode", t.opset() >= 20 ? modes[mode] : old_modes[mode]},
		{"padding_mode", paddings[padding]},
		{"align_corners", std::int64_t{t.flag("align_corners")}}});
}
inline Ref coordinates(Translation& t, const SymExpr& count, bool at_ends, DType dtype) {
	const Ref one = t.ints({1}), size = t.size(count), steps = t.add("Sub", {size, one});
	const Ref doubled = t.add("Mul", {counted(t, count), t.ints({2})});
	const Ref divisor = at_ends ? t.add("Max", {steps, one}) : size;
	return t.add("Div", {t.cast(t.add("Sub", {doubled, steps}), dtype), t.cast(divisor, dtype)});
}
FERRY_INLINE Ref affine_grid::translate(Translation& t) {
	const DType dtype = t.wide(t.result_dtype());
	const Ref theta = t.operand("theta", dtype);
	const Sizes size = t.symbolics("size");
	const std::size_t spatial = size.size() - 2;
	const auto column = [&](std::size_t which) {
		const Ref taken =
		t.add("Gather", {theta, t.number(static_cast<std::int64_t>(which), DType::int64)}, {{"axis", 2}});
		Sizes sizes(spatial + 2, SymExpr(1));
		sizes.front() = size[0];
		sizes.back() = static_cast<std::int64_t>(spatial);
		return t.reshape(t.with_sizes(taken, {sizes.front(), sizes.back()}), sizes);
	};
	Ref grid = column(spatial);
	for (std::size_t i = 0; i < spatial; ++i) {
		const SymExpr& count = size[size.size() - 1 - i];
		Sizes along(i + 2, SymExpr(1));
		along.front() = count;
		const Ref places = t.with_sizes(coordinates(t, count, t.flag("align_corners"), dtype), {count});
		grid = t.add("Add", {grid, t.add("Mul", {t.reshape(places, along), column(i)})});
	}
	return grid;
}
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref cumsum::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	if (t.rank(self) == 0) return self;
	return t.add("CumSum", {self, t.number(t.dim("dim", t.rank(self)), DType::int64)});
}
template <class Step>
Ref accumulated(Translation& t, double start, Step&& step) {
	const Ref self = t.wide_operand("self");
	const std::int64_t dim = t.dim("dim", t.rank(self));
	if (t.rank(self) == 0 || t.sizes(self)[static_cast<std::size_t>(dim)].is_constant(0)) return self;
	Sizes row = t.sizes(self);
	row.erase(row.begin() + dim);
	const Ref first = t.filled(row, start, t.dtype(self));
	const BodyRef body = t.make_body("accumulated", [&] {
		const auto add_input = [&] { return t.add_body_input({.name = {}, .dtype = t.dtype(self), .sizes = row}); };
		const Ref so_far = add_input(), next = add_input();
		const Ref joined = t.like(step(so_far, next), next);
		t.add_body_output(joined);
		t.add_body_output(joined);
	});
	const std::vector<std::int64_t> along{dim};
	return t.add_typed(
		"Scan", {first, self},
		{{"body", body}, {"num_scan_inputs", 1}, {"scan_input_axes", along}, {"scan_output_axes", along}},
		{t.dtype(self), t.dtype(self)})[1];
}
FERRY_INLINE Ref cumprod::translate(Translation& t) {
	return accumulated(t, 1, [&](Ref so_far, Ref next) { return t.add("Mul", {so_far, next}); });
}
FERRY_INLINE Ref logcumsumexp::translate(Translation& t) {
	return accumulated(t, -std::numeric_limits<double>::infinity(), [&](Ref so_far, Ref next) {
		const Ref larger = t.add("Max", {so_far, next});
		const Ref offset = t.add("Where", {t.add("IsInf", {larger}), t.number_like(0, larger), larger});
		const auto power = [&](Ref value) { return t.add("Exp", {t.add("Sub", {value, offset})}); };
		return t.add("Add", {t.add("Log", {t.add("Add", {power(so_far), power(next)})}), offset});
	});
}
inline void running(Translation& t, std::string_view extreme, std::string_view opposite, double beyond) {
	const Ref self = t.tensor("self");
	if (t.rank(self) == 0) {
		t.result(self, 0);
		return t.result(t.number(0, DType::int64), 1);
	}
	const std::int64_t rank = t.rank(self), dim = t.dim("dim", rank);
	const DType dtype = t.wide(t.dtype(self) == DType::boolean ? DType::int32 : t.dtype(self));
	const SymExpr count = t.sizes(self)[static_cast<std::size_t>(dim)];
	const Ref moved = t.transpose(t.cast(self, dtype), dim, rank - 1);
	const Ref positions = counted(t, count);
	const Ref seen = t.add("GreaterOrEqual", {t.unsqueeze(positions, {1}), positions});
	const Ref outside =
		is_floating_point(dtype) ? t.number(beyond, dtype) : t.add(opposite, {moved}, {{"keepdims", 0}});
	const Ref rows = t.add("Where", {seen, t.unsqueeze(moved, {rank - 1}), outside});
	const Ref best = t.add(extreme, {rows, t.ints({-1})}, {{"keepdims", 1}});
	const auto back = [&](Ref value) { return t.transpose(t.like(value, moved), dim, rank - 1); };
	t.result(back(t.add("Squeeze", {best, t.ints({-1})})), 0);
	if (!t.is_wanted(1)) return;
	const Ref hits = t.add("And", {t.add("Equal", {rows, best}), seen});
	const Ref numbered = t.add("Mul", {t.cast(hits, DType::int64), positions});
	t.result(back(t.add("ReduceMax", {numbered, t.ints({-1})}, {{"keepdims", 0}})), 1);
}
FERRY_INLINE void cummax::translate(Translation& t) {
	running(t, "ReduceMax", "ReduceMin", -std::numeric_limits<double>::infinity());
}
FERRY_INLINE void cummin::translate(Translation& t) {
	running(t, "ReduceMin", "ReduceMax", std::numeric_limits<double>::infinity());
}
}
namespace ferry::onnx::translated {
struct Scatter {
	Ref self;
	Ref index; 
	Ref source;
	std::int64_t dim = 0;
	[[nodiscard]] Ref operator()(Translation& t, Ref into, Ref from, const std::string& reduction = {}) const {
		std::vector<Attribute> attributes{{"axis", dim}};
		if (!reduction.empty()) attributes.emplace_back("reduction", reduction);
		return t.like(t.add("ScatterElements", {into, index, from}, std::move(attributes)), into);
	}
};
inline Scatter scatter_of(Translation& t, Ref source) {
	const Scatter how{.self = at_least_1d(t, t.operand("self", t.dtype(source))),
		.index = at_least_1d(t, t.operand("index", DType::int64)),
		.source = at_least_1d(t, source),
		.dim = t.dim("dim", t.result_rank())};
	Ref cut = how.source;
	const Sizes& wanted = t.sizes(how.index);
	for (std::size_t dim = 0; dim < wanted.size(); ++dim) {
		if (t.sizes(cut)[dim] == wanted[dim]) continue;
		Sizes sizes = t.sizes(cut);
		sizes[dim] = wanted[dim];
		cut = t.with_sizes(t.slice(cut, static_cast<std::int64_t>(dim), t.ints({0}), t.size(wanted[dim])), sizes);
	}
	return {how.self, how.index, cut, how.dim};
}
inline Ref value_as_source(Translation& t, DType dtype) {
	return t.expand(t.operand("value", dtype), t.sizes(t.tensor("index")));
}
inline Ref scattered(Translation& t, const Scatter& how, const std::string& reduction) {
	return back_to_rank(t, how(t, how.self, how.source, reduction));
}
FERRY_INLINE Ref scatter::translate(Translation& t) {
	if (t.node().op() == "aten::scatter_add") return scattered(t, scatter_of(t, t.wide_operand("src")), "add");
	return scattered(t, scatter_of(t, t.operand("src", t.result_dtype())), "");
}
FERRY_INLINE Ref scatter_value::translate(Translation& t) {
	return scattered(t, scatter_of(t, value_as_source(t, t.result_dtype())), "");
}
[[nodiscard]] inline c10::Scalar lowest_number(DType dtype) {
	switch (dtype) {
		case DType::uint8: return 0;
		case DType::int8: return std::int64_t{std::numeric_limits<std::int8_t>::min()};
		case DType::int16: return std::int64_t{std::numeric_limits<std::int16_t>::min()};
		case DType::int32: return std::int64_t{std::numeric_limits<std::int32_t>::min()};
		case DType::int64: return std::numeric_limits<std::int64_t>::min();
		default: return -std::numeric_limits<double>::infinity();
	}
}
[[nodiscard]] inline c10::Scalar highest_number(DType dtype) {
	switch (dtype) {
		case DType::uint8: return std::int64_t{std::numeric_limits<std::uint8_t>::max()};
		case DType::int8: return std::int64_t{std::numeric_limits<std::int8_t>::max()};
		case DType::int16: return std::int64_t{std::numeric_limits<std::int16_t>::max()};
		case DType::int32: return std::int64_t{std::numeric_limits<std::int32_t>::max()};
		case DType::int64: return std::numeric_limits<std::int64_t>::max();
		default: return std::numeric_limits<double>::infinity();
	}
}
struct ScatterReduction {
	std::string_view onnx;
	c10::Scalar neutral;
	bool is_mean = false;
};
[[nodiscard]] inline ScatterReduction scatter_reduction(Translation& t, DType dtype) {
	const std::string name = t.text("reduce");
	if (name == "sum" || name == "add") return {"add", 0};
	if (name == "mean") return {"add", 0, true};
	if (name == "prod" || name == "multiply") return {"mul", 1};
	if (name == "amax") return {"max", lowest_number(dtype)};
	if (name == "amin") return {"min", highest_number(dtype)};
	t.refuse("the reduction '" + name + "' is none of ONNX's");
}
inline Ref scatter_reduced(Translation& t, const Scatter& how, bool include_self) {
	const DType dtype = t.dtype(how.self);
	const ScatterReduction reduction = scatter_reduction(t, dtype);
	const auto all = [&](Ref like, const c10::Scalar& value) { return t.filled(t.sizes(like), value, dtype); };
	const Ref start = include_self ? how.self : how(t, how.self, all(how.index, reduction.neutral));
	const Ref made = how(t, start, how.source, std::string(reduction.onnx));
	if (!reduction.is_mean) return made;
	const Ref counts = how(t, all(how.self, include_self ? 1 : 0), all(how.index, 1), "add");
	const Ref divisor = t.add("Max", {counts, t.number(1, dtype)});
	return is_floating_point(dtype) ? t.add("Div", {made, divisor}) : t.floor_div(made, divisor);
}
FERRY_INLINE Ref scatter_reduce::translate(Translation& t) {
	const Scatter how = scatter_of(t, t.wide_operand("src"));
	return back_to_rank(t, scatter_reduced(t, how, t.flag("include_self")));
}
FERRY_INLINE Ref scatter_reduce_old::translate(Translation& t) {
	const bool has_source = t.node().op() == "aten::scatter.reduce";
	const Ref source = has_source ? t.wide_operand("src") : value_as_source(t, t.wide(t.result_dtype()));
	return back_to_rank(t, scatter_reduced(t, scatter_of(t, source), true));
}
inline Scatter scatter_of_rows(Translation& t) {
	const Ref source = at_least_1d(t, t.wide_operand("source"));
	const std::int64_t dim = t.dim("dim", t.result_rank());
	Sizes column(t.sizes(source).size(), SymExpr(1));
	column[static_cast<std::size_t>(dim)] = t.sizes(source)[static_cast<std::size_t>(dim)];
	const Ref index = t.reshape(t.operand("index", DType::int64), column);
	return {at_least_1d(t, t.wide_operand("self")), t.expand(index, t.sizes(source)), source, dim};
}
FERRY_INLINE Ref index_reduce::translate(Translation& t) {
	return back_to_rank(t, scatter_reduced(t, scatter_of_rows(t), t.flag("include_self")));
}
FERRY_INLINE Ref index_add::translate(Translation& t) {
	const Scatter how = scatter_of_rows(t);
	return back_to_rank(t, how(t, how.self, t.like(scaled(t, how.source, "alpha"), how.source), "add"));
}
FERRY_INLINE Ref put::translate(Translation& t) {
	const Scatter how{flattened(t, t.wide_operand("self")), flattened(t, t.operand("index", DType::int64)),
		flattened(t, t.wide_operand("source"))};
	return t.reshape(how(t, how.self, how.source, t.flag("accumulate") ? "add" : ""), t.result_sizes());
}
}
namespace ferry::onnx::translated {
[[nodiscard]] inline DType number_dtype(Translation& t, const Argument& argument) {
	if (const auto* value = argument.get_if<Value>()) {
		const ValueKind kind = t.graph().info(*value).kind;
		return kind == ValueKind::sym_float  ? DType::float64
		: kind == ValueKind::sym_bool ? DType::boolean
		: DType::int64;
	}
	return argument.is<double>() ? DType::float64 : argument.is<bool>() ? DType::boolean : DType::int64;
}
inline Ref number_in(Translation& t, std::size_t position, DType dtype) {
	const Argument& argument = t.node().arguments()[position].value;
	if (const auto* value = argument.get_if<Value>()) return t.cast(t.ref(*value), dtype);
	if (const auto* number = argument.get_if<std::int64_t>()) return t.reshape(t.number(*number, dtype), {1});
	if (const auto* number = argument.get_if<double>()) return t.reshape(t.number(*number, dtype), {1});
	if (const auto* flag = argument.get_if<bool>()) return t.reshape(t.number(*flag, dtype), {1});
	t.refuse("an argument that is no number");
}
inline DType common_dtype(Translation& t) {
	DType common = DType::int64;
	for (const NamedArgument& each : t.node().arguments())
		if (number_dtype(t, each.value) == DType::float64) common = DType::float64;
	return common;
}
FERRY_INLINE Ref computed(Translation& t, std::string_view op) {
	if (t.result_info().kind == ValueKind::sym_int) return t.size(t.result_info().symbol);
	if (op.empty()) t.refuse("this function over numbers gives no whole number");
	const DType dtype = common_dtype(t);
	std::vector<Ref> inputs;
	for (std::size_t i = 0; i < t.node().arguments().size(); ++i) inputs.push_back(number_in(t, i, dtype));
	return t.with_sizes(t.add(op, std::move(inputs)), {1});
}
FERRY_INLINE Ref true_division::translate(Translation& t) {
	return t.with_sizes(t.add("Div", {number_in(t, 0, DType::float64), number_in(t, 1, DType::float64)}), {1});
}
FERRY_INLINE Ref to_float::translate(Translation& t) { return number_in(t, 0, DType::float64); }
FERRY_INLINE Ref not_equal_numbers::translate(Translation& t) {
	return t.with_sizes(t.add("Not", {computed(t, "Equal")}), {1});
}
FERRY_INLINE Ref square_root::translate(Translation& t) {
	return t.with_sizes(t.add("Sqrt", {number_in(t, 0, DType::float64)}), {1});
}
FERRY_INLINE Ref whole_number::translate(Translation& t) { return computed(t, ""); }
FERRY_INLINE Ref item::translate(Translation& t) {
	const ValueInfo& info = t.result_info();
	const Ref number = t.with_sizes(t.add("Reshape", {t.tensor("self"), t.ints({1})}), {1});
	if (info.kind == ValueKind::sym_float) return t.cast(number, DType::float64);
	if (info.kind == ValueKind::sym_bool) return t.cast(number, DType::boolean);
	const Ref whole = t.cast(number, DType::int64);
	t.know_size(info.symbol, whole);
	return whole;
}
FERRY_INLINE void range_of_number::translate(Translation&) {}
}
namespace ferry::onnx::translated {
inline Ref polynomial(Translation& t, Ref x, std::initializer_list<double> coefficients) {
	Ref sum;
	for (const double coefficient : coefficients) {
		const Ref number = t.number_like(coefficient, x);
		sum = sum ? t.add("Add", {t.add("Mul", {sum, x}), number}) : number;
	}
	return sum;
}
FERRY_INLINE Ref erfinv::translate(Translation& t) {
	const Ref y = t.wide_operand("self");
	const auto number = [&](double value) { return t.number_like(value, y); };
	const Ref size = t.add("Abs", {y}), one = number(1);
	const Ref square = t.add("Mul", {y, y});
	const Ref above = polynomial(t, square, {-0.140543331, 0.914624893, -1.645349621, 0.886226899});
	const Ref below = polynomial(t, square, {0.012229801, -0.329097515, 1.442710462, -2.118377725, 1});
	const Ref near = t.add("Div", {t.add("Mul", {size, above}), below});
	const Ref left = t.add("Mul", {t.add("Sub", {one, size}), number(0.5)});
	const Ref z = t.add("Sqrt", {t.add("Neg", {t.add("Log", {left})})});
	const Ref far = t.add("Div", {polynomial(t, z, {1.641345311, 3.429567803, -1.624906493, -1.970840454}),
		polynomial(t, z, {1.637067800, 3.543889200, 1})});
	Ref x = t.add("Where", {t.add("LessOrEqual", {size, number(0.7)}), near, far});
	for (int step = 0; step < 2; ++step) {
		const Ref slope = t.add("Exp", {t.add("Neg", {t.add("Mul", {x, x})})});
		const Ref off = t.add("Sub", {t.add("Erf", {x}), size});
		x = t.add("Sub", {x, t.add("Div", {off, t.add("Mul", {slope, number(2 * std::numbers::inv_sqrtpi)})})});
	}
	const Ref beyond = t.add("Where", {t.add("Equal", {size, one}), number(std::numeric_limits<double>::infinity()),
		number(std::numeric_limits<double>::quiet_NaN())});
	const Ref found = t.add("Where", {t.add("Less", {size, one}), x, beyond});
	return t.add("Mul", {t.add("Sign", {y}), found});
}
FERRY_INLINE Ref erfc::translate(Translation& t) {
	const Ref x = t.wide_operand("self");
	const Ref one = t.number_like(1, x);
	if (t.dtype(x) == DType::float64) return t.add("Sub", {one, t.add("Erf", {x})});
	const Ref size = t.add("Abs", {x});
	const Ref inner = t.add("Reciprocal", {t.add("Add", {one, t.add("Mul", {size, t.number_like(0.5, x)})})});
	const Ref series = polynomial(t, inner,
		{0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806,
		0.09678418, 0.37409196, 1.00002368, -1.26551223});
	const Ref power = t.add("Exp", {t.add("Sub", {series, t.add("Mul", {size, size})})});
	const Ref tail = t.add("Mul", {inner, power});
	const Ref is_below = t.add("Less", {x, t.number_like(0, x)});
	return t.add("Where", {is_below, t.add("Sub", {t.number_like(2, x), tail}), tail});
}
inline Ref sine_of_turns(Translation& t, Ref fraction) {
	return t.add("Sin", {t.add("Mul", {fraction, t.number_like(std::numbers::pi, fraction)})});
}
FERRY_INLINE Ref lgamma::translate(Translation& t) {
	static constexpr double terms[] = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
		-176.61502916214059,   12.507343278686905,   -0.13857109526572012,
		9.9843695780195716e-6, 1.5056327351493116e-7};
	const Ref x = t.wide_operand("self");
	const auto number = [&](double value) { return t.number_like(value, x); };
	const Ref is_low = t.add("Less", {x, number(0.5)});
	const Ref z = t.add("Sub", {t.add("Where", {is_low, t.add("Sub", {number(1), x}), x}), number(1)});
	Ref series = number(0.99999999999980993);
	for (int i = 0; i < 8; ++i)
		series = t.add("Add", {series, t.add("Div", {number(terms[i]), t.add("Add", {z, number(i + 1)})})});
	const Ref base = t.add("Add", {z, number(7.5)});
	const Ref power = t.add("Mul", {t.add("Add", {z, number(0.5)}), t.add("Log", {base})});
	const Ref half_log_of_turn = number(0.91893853320467274);
	const Ref high =
		t.add("Add", {t.add("Sub", {t.add("Add", {power, half_log_of_turn}), base}), t.add("Log", {series})});
	const Ref fraction = t.add("Sub", {x, t.add("Floor", {x})});
	const Ref mirrored = t.add("Log", {t.add("Div", {number(std::numbers::pi), sine_of_turns(t, fraction)})});
	return t.add("Where", {is_low, t.add("Sub", {mirrored, high}), high});
}
FERRY_INLINE Ref digamma::translate(Translation& t) {
	const Ref x = t.wide_operand("self");
	const auto number = [&](double value) { return t.number_like(value, x); };
	const Ref is_negative = t.add("Less", {x, number(0)});
	const Ref start = t.add("Where", {is_negative, t.add("Sub", {number(1), x}), x});
	Ref steps = t.add("Reciprocal", {start});
	for (int i = 1; i < 10; ++i) steps = t.add("Add", {steps, t.add("Reciprocal", {t.add("Add", {start, number(i)})})});
	const Ref z = t.add("Add", {start, number(10)});
	const Ref inverse = t.add("Reciprocal", {z});
	const Ref square = t.add("Mul", {inverse, inverse});
	const Ref series = t.add(
		"Mul",
		{square,
		polynomial(t, square, {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12})});
	const Ref half = t.add("Mul", {inverse, number(0.5)});
	const Ref high = t.add("Sub", {t.add("Sub", {t.add("Sub", {t.add("Log", {z}), half}), series}), steps});
	const Ref fraction = t.add("Sub", {x, t.add("Floor", {x})});
	const Ref cosine = sine_of_turns(t, t.add("Sub", {number(0.5), fraction}));
	const Ref cotangent = t.add("Div", {cosine, sine_of_turns(t, fraction)});
	const Ref low = t.add("Sub", {high, t.add("Mul", {cotangent, number(std::numbers::pi)})});
	const Ref whole = t.add("And", {is_negative, t.add("Equal", {fraction, number(0)})});
	const Ref known = t.add("Where", {is_negative, low, high});
	return t.add("Where", {whole, number(std::numeric_limits<double>::quiet_NaN()), known});
}
inline Ref times_logarithm(Translation& t, Ref self, Ref logarithm) {
	const Ref product = t.add("Mul", {self, logarithm});
	const Ref is_zero = t.add("Equal", {self, t.number_like(0, self)});
	const Ref is_nothing = t.add("And", {is_zero, t.add("Not", {t.add("IsNaN", {logarithm})})});
	return t.add("Where", {is_nothing, t.number_like(0, self), product});
}
FERRY_INLINE Ref xlogy::translate(Translation& t) {
	return times_logarithm(t, t.wide_operand("self"), t.add("Log", {t.wide_operand("other")}));
}
FERRY_INLINE Ref xlog1py::translate(Translation& t) {
	return times_logarithm(t, t.wide_operand("self"), log_of_one_more(t, t.wide_operand("other")));
}
FERRY_INLINE Ref hypot::translate(Translation& t) {
	const Ref a = t.add("Abs", {t.wide_operand("self")}), b = t.add("Abs", {t.wide_operand("other")});
	const Ref larger = t.add("Max", {a, b}), smaller = t.add("Min", {a, b});
	const Ref one = t.number_like(1, a), zero = t.number_like(0, a);
	const Ref ratio = t.add("Div", {smaller, larger});
	const Ref grown = t.add("Sqrt", {t.add("Add", {t.add("Mul", {ratio, ratio}), one})});
	const Ref is_length = t.add("Or", {t.add("Equal", {larger, zero}), t.add("IsInf", {larger})});
	return t.add("Where", {is_length, larger, t.add("Mul", {larger, grown})});
}
inline Ref is_negative(Translation& t, Ref value) {
	const Ref zero = t.number_like(0, value);
	const Ref is_below = t.add("Less", {value, zero});
	if (!is_floating_point(t.dtype(value))) return is_below;
	return t.add("Or", {is_below, t.add("Less", {t.add("Reciprocal", {value}), zero})});
}
FERRY_INLINE Ref signbit::translate(Translation& t) { return is_negative(t, t.tensor("self")); }
FERRY_INLINE Ref copysign::translate(Translation& t) {
	const Ref size = t.add("Abs", {t.wide_operand("self")});
	return t.add("Where", {is_negative(t, t.wide_operand("other")), t.add("Neg", {size}), size});
}
FERRY_INLINE Ref ldexp::translate(Translation& t) {
	const Ref self = t.wide_operand("self");
	return t.add("Mul", {self, t.add("Pow", {t.number_like(2, self), t.wide_operand("other")})});
}
FERRY_INLINE Ref extreme(Translation& t, std::string_view op) {
	const Ref a = t.wide_operand("self"), b = t.wide_operand("other");
	const Ref best = t.add(op, {a, b});
	if (!is_floating_point(t.dtype(a))) return best;
	return t.add("Where", {t.add("IsNaN", {a}), b, t.add("Where", {t.add("IsNaN", {b}), a, best})});
}
}
namespace ferry::onnx::translated {
[[nodiscard]] inline bool is_view(std::string_view op) {
	const auto found = find_op(op);
	if (!found || found->schema().returns().size() != 1) return false;
	const auto* alias = found->schema().returns()[0].alias_info();
	return alias != nullptr && !alias->isWrite();
}
inline SymExpr start_in_memory(Translation& t, Value value) {
	const ferry::Node* node = t.graph().info(value).producer;
	if (node == nullptr || !is_view(node->op())) return 0;
	const Argument* of = node->find("self");
	const Value* base = of != nullptr ? of->get_if<Value>() : nullptr;
	if (base == nullptr)
		t.refuse("as_strided of a view whose place in memory is not known", "make it contiguous before");
	const TensorMeta& meta = t.graph().info(*base).tensor;
	SymExpr start = start_in_memory(t, *base);
	const auto moved = [&](std::string_view name) {
		const Argument* first = node->find(name);
		const Argument* dim = node->find("dim");
		const auto rank = static_cast<std::int64_t>(meta.sizes.size());
		const auto* number = dim != nullptr ? dim->get_if<std::int64_t>() : nullptr;
		const auto* position = first != nullptr ? first->get_if<std::int64_t>() : nullptr;
		if (first == nullptr || first->is_none()) return start;
		if (position == nullptr)
		t.refuse("as_strided of a view at a position that varies", "make it contiguous before");
		const auto place = static_cast<std::size_t>(t.wrapped(number != nullptr ? *number : 0, rank));
		const SymExpr from = *position < 0 ? meta.sizes.at(place) + SymExpr(*position) : SymExpr(*position);
		return start + from * meta.strides.at(place);
	};
	if (node->op() == "aten::select.int") return moved("index");
	if (node->op() == "aten::slice.Tensor" || node->op() == "aten::narrow") return moved("start");
	return start;
}
inline Ref strided_places(Translation& t) {
	const Value self = *t.argument("self").get_if<Value>();
	const TensorMeta& meta = t.graph().info(self).tensor;
	SymExpr step = 1;
	for (std::size_t dim = meta.strides.size(); dim-- > 0;) {
		if (!meta.sizes[dim].is_constant(1) && !(meta.strides[dim] == step))
		t.refuse("as_strided of a view has no meaning in ONNX, which has no memory",
		"make it contiguous before, or index it");
		step = step * meta.sizes[dim];
	}
	const Sizes sizes = t.symbolics("size"), strides = t.symbolics("stride");
	Ref place = t.size(t.has("storage_offset") ? t.symbolic("storage_offset") - start_in_memory(t, self) : SymExpr(0));
	for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
		Sizes column(sizes.size() - dim, SymExpr(1));
		column[0] = sizes[dim];
		const Ref steps = t.add("Mul", {counted(t, sizes[dim]), t.size(strides[dim])});
		place = t.add("Add", {place, t.reshape(t.with_sizes(steps, {sizes[dim]}), column)});
	}
	return t.with_sizes(sizes.empty() ? t.scalar_of(place) : place, sizes);
}
FERRY_INLINE Ref as_strided::translate(Translation& t) {
	const Ref places = strided_places(t);
	return t.add("Gather", {flattened(t, t.tensor("self")), places}, {{"axis", 0}});
}
FERRY_INLINE Ref as_strided_scatter::translate(Translation& t) {
	const Ref self = t.tensor("self"), places = strided_places(t);
	const Ref written =
		t.add("ScatterElements", {flattened(t, self), flattened(t, places), flattened(t, t.tensor("src"))});
	return t.reshape(t.like(written, flattened(t, self)), t.sizes(self));
}
}
namespace ferry::onnx::translated {
inline void set_found(Translation& t, Ref values, Ref places, Ref counts) {
	t.result(values, 0);
	for (std::size_t position = 1; position < t.num_results(); ++position) {
		const Ref part = position == 1 ? places : counts;
		const Sizes& wanted = t.result_sizes(position);
		const bool is_vector = wanted.size() == 1;
		if (is_vector && wanted[0].is_constant(0))
		t.result(t.filled(wanted, 0, DType::int64), position);
		else
		t.result(is_vector ? part : t.reshape(part, wanted), position);
	}
}
inline void sorted_unique(Translation& t, Ref self, std::vector<Attribute> attributes) {
	attributes.emplace_back("sorted", 1);
	const auto made = t.add_many("Unique", {self}, std::move(attributes), 4);
	set_found(t, made[0], made[2], made[3]);
}
FERRY_INLINE void unique::translate(Translation& t) { sorted_unique(t, flattened(t, t.tensor("self")), {}); }
FERRY_INLINE void unique_dim::translate(Translation& t) {
	const Ref self = t.tensor("self");
	sorted_unique(t, self, {{"axis", t.dim("dim", t.rank(self))}});
}
inline Ref differs_from_last(Translation& t, Ref self, std::int64_t dim) {
	const Ref rest = t.slice(self, dim, t.ints({0}), t.ints({-1}));
	const Ref shifted = t.add("Concat", {t.slice(self, dim, t.ints({0}), t.ints({1})), rest}, {{"axis", dim}});
	Ref differs = t.add("Not", {t.add("Equal", {self, shifted})});
	std::vector<std::int64_t> others;
	for (std::int64_t i = 0; i < t.rank(self); ++i)
		if (i != dim) others.push_back(i);
	if (!others.empty())
		differs = t.cast(t.add("ReduceMax", {t.cast(differs, DType::int32), t.ints(others)}, {{"keepdims", 0}}),
		DType::boolean);
	const Ref positions = counted(t, t.sizes(self)[static_cast<std::size_t>(dim)]);
	return t.add("Or", {differs, t.add("Equal", {positions, t.number(0, DType::int64)})});
}
inline void runs_along(Translation& t, Ref self, std::int64_t dim) {
	const SymExpr length = t.sizes(self)[static_cast<std::size_t>(dim)];
	const Ref is_new = differs_from_last(t, self, dim);
	const Ref starts = t.add("Squeeze", {t.add("NonZero", {is_new}), t.ints({0})});
	const Ref ends =
		t.add("Concat", {t.slice(starts, 0, t.ints({1}), t.ints({to_the_end})), t.size(length)}, {{"axis", 0}});
	const Ref sums = t.add("CumSum", {t.cast(is_new, DType::int64), t.number(0, DType::int64)});
	const Ref places = t.add("Sub", {sums, t.number(1, DType::int64)});
	set_found(t, t.add("Gather", {self, starts}, {{"axis", dim}}), places, t.add("Sub", {ends, starts}));
}
FERRY_INLINE void unique_consecutive::translate(Translation& t) {
	const Ref self = t.tensor("self");
	if (!t.has("dim")) return runs_along(t, flattened(t, self), 0);
	runs_along(t, self, t.dim("dim", t.rank(self)));
}
}
namespace ferry::onnx::translated {
FERRY_INLINE Ref same::translate(Translation& t) {
	if (t.node().op() == "aten::view.dtype" && t.result_dtype() != t.dtype(t.tensor("self")))
		t.refuse("numbers are read as another type of the same bits, which ONNX has no op for");
	return t.tensor("self");
}
FERRY_INLINE Ref copy::translate(Translation& t) {
	return t.expand(t.cast(t.tensor("src"), t.result_dtype()), t.result_sizes());
}
FERRY_INLINE Ref reshape::translate(Translation& t) { return t.reshape(t.tensor("self"), t.result_sizes()); }
FERRY_INLINE Ref unsqueeze::translate(Translation& t) {
	return t.unsqueeze(t.tensor("self"), {t.wrapped(t.integer("dim"), t.result_rank())});
}
FERRY_INLINE Ref squeeze::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::int64_t rank = t.rank(self);
	std::vector<std::int64_t> dims;
	if (t.node().op() == "aten::squeeze") {
		dims.resize(static_cast<std::size_t>(rank));
		std::iota(dims.begin(), dims.end(), 0);
	} else if (rank > 0) {
		dims = t.dims("dim", rank);
	}
	std::erase_if(dims, [&](std::int64_t dim) { return !t.sizes(self)[static_cast<std::size_t>(dim)].is_constant(1); });
	return t.squeeze(self, std::move(dims));
}
FERRY_INLINE Ref expand::translate(Translation& t) { return t.expand(t.tensor("self"), t.result_sizes()); }
FERRY_INLINE Ref permute::translate(Translation& t) {
	const Ref self = t.tensor("self");
	return t.permute(self, t.dims("dims", t.rank(self)));
}
FERRY_INLINE Ref transpose::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const bool by_axis = t.node().op() == "aten::swapaxes";
	const std::int64_t rank = t.rank(self);
	if (rank == 0) return self;
	return t.transpose(self, t.dim(by_axis ? "axis0" : "dim0", rank), t.dim(by_axis ? "axis1" : "dim1", rank));
}
FERRY_INLINE Ref t_op::translate(Translation& t) {
	const Ref self = t.tensor("self");
	const std::int64_t rank = t.rank(self);
	if (rank < 2) return self;
	if (t.node().op() == "aten::mT") return t.transpose(self, rank - 2, rank - 1);
	std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
	std::iota(order.rbegin(), order.rend(), 0);
	return t.permute(self, order);
}
}
namespace ferry::onnx {
FERRY_INLINE Ref Builder::reshape(Ref value, const Sizes& to) {
	const auto& from = model()[value].sizes;
	if (from && *from == to) return value;
	const bool has_zero = algo::any_of(to, [](const SymExpr& size) { return size.is_constant(0); });
	std::vector<std::int64_t> constant_shape;
	std::size_t open = 0;
	bool all_positive = true;
	for (std::size_t i = 0; i < to.size(); ++i) {
		if (to[i].is_constant()) {
		constant_shape.push_back(to[i].value());
		} else if (from && i < from->size() && (*from)[i] == to[i]) {
		constant_shape.push_back(0);
		all_positive = all_positive && is_positive(to[i]);
		} else {
		constant_shape.push_back(-1);
		++open;
		}
	}
	Ref made;
	if (!has_zero && (open == 0 || (open == 1 && all_positive)))
		made = add("Reshape", {value, ints(constant_shape)});
	else if (has_zero)
		made = add("Reshape", {value, shape(to)}, {{"allowzero", 1}});
	else if (algo::all_of(to, [&](const SymExpr& size) { return is_positive(size); }))
		made = add("Reshape", {value, shape(to)});
	else
		made = add("Reshape", {value, shape(to)}, {{"allowzero", 1}});
	return with_sizes(made, to);
}
FERRY_INLINE Ref Builder::expand(Ref value, const Sizes& to) {
	const auto& from = model()[value].sizes;
	if (from && *from == to) return value;
	Sizes wanted = to;
	if (from) {
		const std::size_t added = to.size() - from->size();
		for (std::size_t i = 0; i < from->size(); ++i)
		if ((*from)[i] == to[i + added]) wanted[i + added] = 1;
	}
	return with_sizes(add("Expand", {value, shape(wanted)}), to);
}
FERRY_INLINE Ref Builder::permute(Ref value, const std::vector<std::int64_t>& order) {
	if (algo::is_sorted(order)) return value;
	Sizes moved;
	for (const std::int64_t dim : order) moved.push_back(sizes(value)[static_cast<std::size_t>(dim)]);
	return with_sizes(add("Transpose", {value}, {{"perm", order}}), std::move(moved));
}
FERRY_INLINE Ref Builder::transpose(Ref value, std::int64_t a, std::int64_t b) {
	std::vector<std::int64_t> order(static_cast<std::size_t>(rank(value)));
	std::iota(order.begin(), order.end(), 0);
	std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
	return permute(value, order);
}
FERRY_INLINE Ref Builder::unsqueeze(Ref value, std::vector<std::int64_t> dims) {
	if (dims.empty()) return value;
	Sizes grown = sizes(value);
	algo::sort(dims);
	for (const std::int64_t dim : dims) grown.insert(grown.begin() + dim, SymExpr(1));
	return with_sizes(add("Unsqueeze", {value, ints(dims)}), std::move(grown));
}
FERRY_INLINE Ref Builder::squeeze(Ref value, std::vector<std::int64_t> dims) {
	if (dims.empty()) return value;
	Sizes left = sizes(value);
	algo::sort(dims, std::greater<>());
	for (const std::int64_t dim : dims) left.erase(left.begin() + dim);
	std::reverse(dims.begin(), dims.end());
	return with_sizes(add("Squeeze", {value, ints(dims)}), std::move(left));
}
FERRY_INLINE Ref Builder::slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step) {
	std::vector<Ref> inputs{value, start, end, ints({dim})};
	if (step != 1) inputs.push_back(ints({step}));
	return add("Slice", std::move(inputs));
}
}
#include <c10/core/ScalarType.h>
namespace ferry::onnx {
FERRY_INLINE void NodeArguments::set_current_node(const ferry::Node& node) {
	node_ = &node;
	const auto [found, is_new] = schemas_.try_emplace(node.op().data(), nullptr);
	if (is_new)
		if (const auto op = find_op(node.op())) found->second = &op->schema();
	schema_ = found->second;
}
FERRY_INLINE void NodeArguments::refuse(const std::string& what, std::string hint) const {
	throw Error(
		ErrorKind::unsupported, what,
		{.hint = std::move(hint),
		.where = {
		.stage = "translations", .op = std::string(node_->op()), .path = std::string(node_->module_path())}});
}
FERRY_INLINE void NodeArguments::wrong_argument(std::string_view name, std::string_view wanted) const {
	refuse("the argument '" + std::string(name) + "' is not " + std::string(wanted));
}
FERRY_INLINE bool NodeArguments::is_wanted(std::size_t position) const {
	const Value value = node_->output(position);
	return value && graph_->is_used(value);
}
FERRY_INLINE bool NodeArguments::has(std::string_view name) const { return !argument(name).is_none(); }
FERRY_INLINE std::int64_t NodeArguments::integer(std::string_view name) const {
	return as_integer(argument(name), name);
}
FERRY_INLINE SymExpr NodeArguments::symbolic(std::string_view name) const { return as_symbolic(argument(name), name); }
FERRY_INLINE Argument NodeArguments::argument(std::string_view name) const {
	if (const Argument* given = node_->find(name)) return *given;
	if (schema_ == nullptr) return {};
	for (const c10::Argument& each : schema_->arguments())
		if (each.name() == name)
		return each.default_value()
		? to_argument(*each.default_value(), ferry::detail::element_kind(each.real_type().get()),
		[](const at::Tensor&) { return Value(); })
		: Argument();
	throw Error(ErrorKind::internal, "the op has no argument '" + std::string(name) + "'",
		{.where = {.stage = "translations", .op = std::string(node_->op())}});
}
FERRY_INLINE bool NodeArguments::is_tensor(std::string_view name) const {
	const Argument given = argument(name);
	const auto* value = given.get_if<Value>();
	return value != nullptr && graph_->info(*value).kind == ValueKind::tensor;
}
FERRY_INLINE std::int64_t NodeArguments::as_integer(const Argument& argument, std::string_view name) const {
	if (const auto* number = argument.get_if<std::int64_t>()) return *number;
	if (const auto* flag = argument.get_if<bool>()) return *flag ? 1 : 0;
	if (const auto* value = argument.get_if<Value>())
		if (const SymExpr& symbol = graph_->info(*value).symbol; symbol.is_constant()) return symbol.value();
	wrong_argument(name, "a constant integer");
}
FERRY_INLINE double NodeArguments::real(std::string_view name) const {
	const Argument given = argument(name);
	if (const auto* number = given.get_if<double>()) return *number;
	return static_cast<double>(as_integer(given, name));
}
FERRY_INLINE bool NodeArguments::flag(std::string_view name) const {
	const Argument given = argument(name);
	if (const auto* flag = given.get_if<bool>()) return *flag;
	if (given.is_none()) return false;
	return as_integer(given, name) != 0;
}
FERRY_INLINE std::string NodeArguments::text(std::string_view name) const {
	const Argument given = argument(name);
	if (const auto* text = given.get_if<std::string>()) return *text;
	wrong_argument(name, "a text");
}
FERRY_INLINE std::vector<std::int64_t> NodeArguments::integers(std::string_view name) const {
	const Argument given = argument(name);
	std::vector<std::int64_t> all;
	if (const auto* list = given.get_if<ArgumentList>()) {
		all.reserve(list->size());
		for (const Argument& item : *list) all.push_back(as_integer(item, name));
	} else if (!given.is_none()) {
		all.push_back(as_integer(given, name));
	}
	return all;
}
FERRY_INLINE SymExpr NodeArguments::as_symbolic(const Argument& argument, std::string_view name) const {
	if (const auto* value = argument.get_if<Value>())
		if (const ValueInfo& info = graph_->info(*value); info.kind == ValueKind::sym_int) return info.symbol;
	return as_integer(argument, name);
}
FERRY_INLINE std::vector<SymExpr> NodeArguments::symbolics(std::string_view name) const {
	const Argument given = argument(name);
	std::vector<SymExpr> all;
	if (const auto* list = given.get_if<ArgumentList>()) {
		all.reserve(list->size());
		for (const Argument& item : *list) all.push_back(as_symbolic(item, name));
	} else if (!given.is_none()) {
		all.push_back(as_symbolic(given, name));
	}
	return all;
}
FERRY_INLINE std::vector<std::int64_t> NodeArguments::dims(std::string_view name, std::int64_t rank) const {
	std::vector<std::int64_t> all = integers(name);
	for (std::int64_t& each : all) each = wrapped(each, rank);
	return all;
}
namespace detail {
[[nodiscard]] inline std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
	if (!higher) return lower;
	if (!lower || is_complex(*higher) || (is_floating_point(*higher) && !is_complex(*lower))) return higher;
	if (*higher == DType::boolean || is_floating_point(*lower) || is_complex(*lower))
		return to_dtype(c10::promoteTypes(to_c10(*higher), to_c10(*lower)));
	return higher;
}
}
FERRY_INLINE DType NodeArguments::promoted(std::initializer_list<std::string_view> names) const {
	std::optional<DType> categories[3];
	const auto join = [&](std::size_t category, DType dtype) {
		auto& place = categories[category];
		place = place ? to_dtype(c10::promoteTypes(to_c10(*place), to_c10(dtype))) : dtype;
	};
	for (const std::string_view name : names) {
		const Argument given = argument(name);
		if (const auto* value = given.get_if<Value>()) {
		const ValueInfo& info = graph_->info(*value);
		if (info.kind == ValueKind::tensor)
		join(info.tensor.sizes.empty() ? 1 : 0, info.tensor.dtype);
		else
		join(2, info.kind == ValueKind::sym_int    ? DType::int64
		: info.kind == ValueKind::sym_bool ? DType::boolean
		: DType::float32);
		} else if (given.is<double>()) {
		join(2, DType::float32);
		} else if (given.is<bool>()) {
		join(2, DType::boolean);
		} else if (given.is<std::int64_t>()) {
		join(2, DType::int64);
		}
	}
	return detail::combine(categories[0], detail::combine(categories[1], categories[2])).value_or(DType::float32);
}
FERRY_INLINE std::size_t NodeArguments::num_results() const {
	std::size_t count = 0;
	for (const Output& output : node_->outputs()) count += output.values.size();
	return count;
}
}
namespace ferry::onnx {
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::int64_t number) : name(attribute), value(number) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, double number) : name(attribute), value(number) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::string text)
	: name(attribute), value(std::move(text)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::vector<std::int64_t> numbers)
	: name(attribute), value(std::move(numbers)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::vector<double> numbers)
	: name(attribute), value(std::move(numbers)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::vector<std::string> texts)
	: name(attribute), value(std::move(texts)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, at::Tensor tensor)
	: name(attribute), value(std::move(tensor)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, BodyRef body) : name(attribute), value(body) {}
FERRY_INLINE Attribute::Attribute(const Attribute&) = default;
FERRY_INLINE Attribute::Attribute(Attribute&&) noexcept = default;
FERRY_INLINE Attribute& Attribute::operator=(const Attribute&) = default;
FERRY_INLINE Attribute& Attribute::operator=(Attribute&&) noexcept = default;
FERRY_INLINE Attribute::~Attribute() = default;
FERRY_INLINE const AttributeValue* Node::find(std::string_view name) const noexcept {
	for (const Attribute& attribute : attributes)
		if (attribute.name == name) return &attribute.value;
	return nullptr;
}
FERRY_INLINE Model::Model() : bodies{Body{.name = "main_graph"}}, opsets{{"", 20}} {}
FERRY_INLINE Model::Model(Model&&) noexcept = default;
FERRY_INLINE Model& Model::operator=(Model&&) noexcept = default;
FERRY_INLINE Model::~Model() = default;
FERRY_INLINE Ref Model::add(ValueData value) {
	values_.push_back(std::move(value));
	return {static_cast<std::uint32_t>(values_.size() - 1)};
}
FERRY_INLINE ValueData& Model::operator[](Ref value) { return values_.at(value.index); }
FERRY_INLINE const ValueData& Model::operator[](Ref value) const { return values_.at(value.index); }
FERRY_INLINE std::size_t Model::num_nodes() const noexcept {
	std::size_t count = 0;
	for (const Body& body : bodies) count += body.nodes.size();
	return count;
}
FERRY_INLINE std::string_view Model::intern(std::string_view text) {
	if (const auto found = interned_.find(text); found != interned_.end()) return *found;
	return *interned_.insert(texts_.emplace_back(text)).first;
}
}
namespace ferry::onnx {
FERRY_INLINE bool SizeBuilder::is_positive(const SymExpr& expression) const {
	return bounds(expression, ranges_).min > 0;
}
FERRY_INLINE bool SizeBuilder::is_size(const SymExpr& expression) const { return bounds(expression, ranges_).min >= 0; }
FERRY_INLINE Ref SizeBuilder::filled(const Sizes& sizes, const c10::Scalar& value, DType dtype) {
	const at::Tensor one = scalar(value, dtype).reshape({1});
	Ref made;
	if (dtype == DType::bfloat16) {
		made = cast(filled(sizes, value, DType::float32), dtype);
	} else {
		made = model().add({.name = {}, .dtype = dtype});
		body().nodes.push_back({.op = "ConstantOfShape",
		.inputs = {shape(sizes)},
		.outputs = {made},
		.attributes = {{"value", one}},
		.path = path()});
	}
	return with_sizes(made, sizes);
}
FERRY_INLINE void SizeBuilder::know_symbols(Ref value) {
	const auto& known = model()[value].sizes;
	if (!known) return;
	for (std::size_t dim = 0; dim < known->size(); ++dim)
		if (const auto affine = as_affine((*known)[dim]); affine) {
		const SymbolPlace place{value, static_cast<std::int64_t>(dim), affine->factor, affine->offset};
		const auto [found, is_new] = symbols_.try_emplace(affine->symbol, place);
		if (!is_new && place.is_plain() && !found->second.is_plain()) found->second = place;
		}
}
FERRY_INLINE Ref SizeBuilder::size(const SymExpr& expression) {
	if (expression.is_constant()) return ints({expression.value()});
	if (const auto found = known_sizes_.find(expression); found != known_sizes_.end()) return found->second;
	const Ref made = with_sizes(compute_size(expression), {1});
	known_sizes_.emplace(expression, made);
	return made;
}
FERRY_INLINE Ref SizeBuilder::product_of(const SymTerm& term) {
	Ref product;
	const auto multiply = [&](Ref factor) { product = product ? add("Mul", {product, factor}) : factor; };
	for (const SymFactor& factor : term.factors)
		for (std::int32_t i = 0; i < factor.exponent; ++i) multiply(size(factor.base));
	if (term.coefficient != 1) multiply(ints({term.coefficient}));
	return product;
}
FERRY_INLINE Ref SizeBuilder::compute_size(const SymExpr& expression) {
	const auto& args = expression.args();
	switch (expression.op()) {
		case SymOp::symbol: {
		const auto found = symbols_.find(expression.name());
		if (found == symbols_.end()) break;
		const SymbolPlace& at = found->second;
		Ref made = add("Shape", {at.value}, {{"start", at.dim}, {"end", at.dim + 1}});
		if (at.offset != 0) made = add("Sub", {made, ints({at.offset})});
		return at.factor == 1 ? made : add("Div", {made, ints({at.factor})});
		}
		case SymOp::sum: {
		Ref total;
		for (const SymTerm& term : expression.terms()) {
		const Ref part = product_of(term);
		total = total ? add("Add", {total, part}) : part;
		}
		return expression.value() == 0 ? total : add("Add", {total, ints({expression.value()})});
		}
		case SymOp::floor_div: {
		const Ref a = size(args[0]);
		const Ref b = size(args[1]);
		return is_size(args[0]) && is_positive(args[1]) ? add("Div", {a, b}) : floor_div(a, b);
		}
		case SymOp::mod: return add("Mod", {size(args[0]), size(args[1])});
		case SymOp::min:
		case SymOp::max: {
		std::vector<Ref> all;
		all.reserve(args.size());
		for (const SymExpr& arg : args) all.push_back(size(arg));
		return add(expression.op() == SymOp::min ? "Min" : "Max", std::move(all));
		}
		default: break;
	}
	throw Error(ErrorKind::unsupported, "the size " + to_string(expression) + " cannot be computed in ONNX",
		{.where = {.path = std::string(path())}});
}
FERRY_INLINE Ref SizeBuilder::shape(const Sizes& sizes) {
	std::vector<Ref> parts;
	std::vector<std::int64_t> run;
	const auto end_run = [&] {
		if (!run.empty()) parts.push_back(ints(std::exchange(run, {})));
	};
	for (const SymExpr& each : sizes) {
		if (each.is_constant()) {
		run.push_back(each.value());
		continue;
		}
		end_run();
		parts.push_back(size(each));
	}
	end_run();
	if (parts.empty()) return ints({});
	return parts.size() == 1 ? parts[0] : add("Concat", std::move(parts), {{"axis", 0}});
}
}
#include <ATen/ops/scalar_tensor.h>
namespace ferry::onnx {
namespace detail {
[[nodiscard]] inline DType output_dtype(const Model& model, const Node& node, std::size_t position) {
	static constexpr std::string_view conditions[] = {
		"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Xor", "Not", "IsNaN", "IsInf"};
	static constexpr std::string_view numbers[] = {"Shape", "Size", "ArgMax", "ArgMin", "NonZero"};
	const std::string_view op = node.op;
	if (algo::contains(conditions, op)) return DType::boolean;
	if (algo::contains(numbers, op)) return DType::int64;
	if ((op == "TopK" || op == "MaxPool" || op == "Unique") && position > 0) return DType::int64;
	if (op == "Where") return model[node.inputs.at(1)].dtype;
	if (op == "OneHot") return model[node.inputs.at(2)].dtype;
	if (const auto* value = node.find("value"); op == "ConstantOfShape" && value != nullptr)
		return to_dtype(std::get<at::Tensor>(*value).scalar_type());
	return model[node.inputs.at(0)].dtype;
}
}
FERRY_INLINE Ref NodeBuilder::add(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes) {
	return add_many(op, std::move(inputs), std::move(attributes), 1).front();
}
FERRY_INLINE Ref NodeBuilder::add(std::string_view op, std::initializer_list<Ref> inputs,
		std::initializer_list<Attribute> attributes) {
	return add(op, std::vector<Ref>(inputs), std::vector<Attribute>(attributes));
}
FERRY_INLINE std::vector<Ref> NodeBuilder::add_typed(std::string_view op, std::vector<Ref> inputs,
		std::vector<Attribute> attributes,
		const std::vector<DType>& results) {
	return append({.op = std::string(op), .inputs = std::move(inputs), .attributes = std::move(attributes)}, results);
}
FERRY_INLINE at::Tensor NodeBuilder::scalar(const c10::Scalar& value, DType dtype) {
	return at::scalar_tensor(value, at::TensorOptions(to_c10(dtype)));
}
FERRY_INLINE Ref NodeBuilder::number(const c10::Scalar& value, DType dtype) { return constant(scalar(value, dtype)); }
FERRY_INLINE Ref NodeBuilder::number_like(const c10::Scalar& value, Ref other) { return number(value, dtype(other)); }
FERRY_INLINE std::vector<Ref> NodeBuilder::append(Node node, const std::vector<DType>& results) {
	node.path = path_;
	std::vector<Ref> outputs;
	outputs.reserve(results.size());
	for (const DType result : results) outputs.push_back(model_.add({.name = {}, .dtype = result}));
	node.outputs = outputs;
	body().nodes.push_back(std::move(node));
	return outputs;
}
FERRY_INLINE std::vector<Ref> NodeBuilder::add_many(std::string_view op, std::vector<Ref> inputs,
		std::vector<Attribute> attributes, std::size_t count) {
	const KernelTypes* kernels = kernel_types(op);
	DType given{};
	DType computed{};
	if (kernels != nullptr && kernels->first < inputs.size()) {
		given = dtype(inputs[kernels->first]);
		computed = computing_type(kernels->dtypes, given);
		const std::size_t end = std::min<std::size_t>(inputs.size(), std::size_t{kernels->first} + kernels->count);
		if (computed != given)
		for (std::size_t i = kernels->first; i < end; ++i)
		if (inputs[i] && dtype(inputs[i]) == given) inputs[i] = cast(inputs[i], computed);
	}
	Node node{.op = std::string(op), .inputs = std::move(inputs), .attributes = std::move(attributes)};
	std::vector<DType> results(count);
	for (std::size_t i = 0; i < count; ++i) results[i] = detail::output_dtype(model_, node, i);
	std::vector<Ref> outputs = append(std::move(node), results);
	if (computed != given && kernels->returns_it) outputs[0] = cast(outputs[0], given);
	return outputs;
}
FERRY_INLINE std::vector<Ref> NodeBuilder::add_custom(std::string_view domain, std::int64_t version,
		std::string_view op, std::vector<Ref> inputs,
		std::vector<Attribute> attributes,
		const std::vector<DType>& results) {
	const auto same = [&](const auto& each) { return each.first == domain; };
	if (algo::none_of(model_.opsets, same)) model_.opsets.emplace_back(domain, version);
	return append({.op = std::string(op),
		.domain = std::string(domain),
		.inputs = std::move(inputs),
		.attributes = std::move(attributes)},
		results);
}
FERRY_INLINE Ref NodeBuilder::constant(const at::Tensor& tensor) {
	constexpr std::int64_t small = 256;
	Sizes sizes(tensor.sizes().begin(), tensor.sizes().end());
	const auto make = [&](const at::Tensor& kept) {
		return model_.add(
		{.name = {}, .dtype = to_dtype(tensor.scalar_type()), .sizes = std::move(sizes), .constant = kept});
	};
	if (tensor.numel() > small) return make(tensor);
	const at::Tensor dense = tensor.contiguous();
	std::string key(1, static_cast<char>(tensor.scalar_type()));
	for (const std::int64_t size : tensor.sizes()) key.append(std::to_string(size)).append(",");
	key += ':';
	if (dense.nbytes() != 0) key.append(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes());
	const auto [found, is_new] = constants_.try_emplace(std::move(key));
	if (is_new) found->second = make(dense);
	return found->second;
}
FERRY_INLINE Ref NodeBuilder::ints(const std::vector<std::int64_t>& values) {
	at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions(at::kLong));
	if (!values.empty()) std::memcpy(tensor.mutable_data_ptr(), values.data(), values.size() * sizeof(std::int64_t));
	return constant(tensor);
}
FERRY_INLINE Ref NodeBuilder::cast(Ref value, DType to) {
	const DType from = dtype(value);
	if (from == to) return value;
	if (const at::Tensor& known = model_[value].constant; known.defined() && known.numel() <= 256)
		return constant(known.to(to_c10(to)));
	Node node{.op = "Cast", .inputs = {value}, .attributes = {{"to", std::int64_t{element_type(to)}}}};
	return like(append(std::move(node), {to}).front(), value);
}
}
#if __has_include(<onnxruntime_c_api.h>)
#include <ATen/ops/from_blob.h>
#include <onnxruntime_c_api.h>
namespace ferry::runtime {
namespace detail {
[[nodiscard]] inline const OrtApi& ort() {
	static const OrtApi* const api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
	if (api == nullptr)
		throw Error(ErrorKind::version, std::string("this ONNX Runtime is older than the header: it is ") +
		OrtGetApiBase()->GetVersionString());
	return *api;
}
inline void check(OrtStatus* status) {
	if (status == nullptr) return;
	const bool is_missing = ort().GetErrorCode(status) == ORT_NOT_IMPLEMENTED;
	std::string message = ort().GetErrorMessage(status);
	ort().ReleaseStatus(status);
	throw Error(is_missing ? ErrorKind::unsupported : ErrorKind::invalid_input, "ONNX Runtime: " + message);
}
struct OrtReleaser {
	void operator()(OrtEnv* env) const { ort().ReleaseEnv(env); }
	void operator()(OrtSession* session) const { ort().ReleaseSession(session); }
	void operator()(OrtSessionOptions* options) const { ort().ReleaseSessionOptions(options); }
	void operator()(OrtMemoryInfo* memory) const { ort().ReleaseMemoryInfo(memory); }
	void operator()(OrtValue* value) const { ort().ReleaseValue(value); }
	void operator()(OrtTensorTypeAndShapeInfo* info) const { ort().ReleaseTensorTypeAndShapeInfo(info); }
};
template <class Type>
using OrtOwned = std::unique_ptr<Type, OrtReleaser>;
template <class Type, class Make>
[[nodiscard]] OrtOwned<Type> made_by(Make&& make) {
	Type* made = nullptr;
	check(make(&made));
	return OrtOwned<Type>(made);
}
[[nodiscard]] inline OrtEnv& ort_environment() {
	static const auto environment =
		made_by<OrtEnv>([](OrtEnv** out) { return ort().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "ferry", out); });
	return *environment;
}
[[nodiscard]] inline c10::ScalarType scalar_type(ONNXTensorElementDataType element) {
	if (const auto dtype = onnx::dtype_of(static_cast<std::int32_t>(element))) return to_c10(*dtype);
	throw Error(ErrorKind::unsupported, "ONNX Runtime gives a tensor of a type that libtorch does not have");
}
[[nodiscard]] inline OrtOwned<OrtValue> as_ort_value(const at::Tensor& dense) {
	static const auto memory = made_by<OrtMemoryInfo>(
		[](auto** out) { return ort().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, out); });
	static char nothing = 0;
	const auto element = static_cast<ONNXTensorElementDataType>(onnx::element_type(to_dtype(dense.scalar_type())));
	void* data = dense.nbytes() != 0 ? const_cast<void*>(dense.const_data_ptr()) : &nothing;
	return made_by<OrtValue>([&](auto** out) {
		return ort().CreateTensorWithDataAsOrtValue(memory.get(), data, dense.nbytes(), dense.sizes().data(),
		dense.sizes().size(), element, out);
	});
}
class OrtTensors {
public:
	void add(const std::string& name, const at::Tensor& tensor) {
		values_.push_back(as_ort_value(dense_.emplace_back(tensor.detach().cpu().contiguous())));
		given_.push_back(values_.back().get());
		names_.push_back(name.c_str());
	}
	[[nodiscard]] const char* const* names() const noexcept { return names_.data(); }
	[[nodiscard]] const OrtValue* const* values() const noexcept { return given_.data(); }
	[[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
private:
	std::vector<at::Tensor> dense_;
	std::vector<OrtOwned<OrtValue>> values_;
	std::vector<const OrtValue*> given_;
	std::vector<const char*> names_;
};
}
using NamedWeights = std::vector<std::pair<std::string, at::Tensor>>;
struct SessionOptions {
	int threads = 0;      
	bool optimize = true; 
};
class OnnxSession {
public:
	explicit OnnxSession(const std::filesystem::path& path, SessionOptions options = {})
		: session_(load(options, {}, [&](const OrtSessionOptions& settings, OrtSession** out) {
		return detail::ort().CreateSession(&detail::ort_environment(), path.c_str(), &settings, out);
		})) {
		read_names();
	}
	explicit OnnxSession(std::span<const std::byte> model, SessionOptions options = {},
		const NamedWeights& weights = {})
		: session_(load(options, weights, [&](const OrtSessionOptions& settings, OrtSession** out) {
		return detail::ort().CreateSessionFromArray(&detail::ort_environment(), model.data(), model.size(),
		&settings, out);
		})) {
		read_names();
	}
	[[nodiscard]] const std::vector<std::string>& input_names() const noexcept { return inputs_; }
	[[nodiscard]] const std::vector<std::string>& output_names() const noexcept { return outputs_; }
	[[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) const;
private:
	template <class Make>
	[[nodiscard]] static detail::OrtOwned<OrtSession> load(SessionOptions options, const NamedWeights& weights,
		Make&& make) {
		const auto settings =
		detail::made_by<OrtSessionOptions>([](auto** out) { return detail::ort().CreateSessionOptions(out); });
		detail::check(detail::ort().SetIntraOpNumThreads(settings.get(), options.threads));
		detail::check(detail::ort().SetSessionGraphOptimizationLevel(
		settings.get(), options.optimize ? ORT_ENABLE_ALL : ORT_DISABLE_ALL));
		detail::OrtTensors given;
		for (const auto& [name, tensor] : weights) given.add(name, tensor);
		if (given.size() != 0)
		detail::check(
		detail::ort().AddExternalInitializers(settings.get(), given.names(), given.values(), given.size()));
		return detail::made_by<OrtSession>([&](OrtSession** out) { return make(*settings, out); });
	}
	void read_names();
	[[nodiscard]] static at::Tensor to_tensor(detail::OrtOwned<OrtValue> value);
	detail::OrtOwned<OrtSession> session_;
	std::vector<std::string> inputs_;
	std::vector<std::string> outputs_;
};
inline void OnnxSession::read_names() {
	OrtAllocator* allocator = nullptr;
	detail::check(detail::ort().GetAllocatorWithDefaultOptions(&allocator));
	const auto read = [&](auto get_count, auto get_name, std::vector<std::string>& names) {
		std::size_t count = 0;
		detail::check(get_count(session_.get(), &count));
		names.reserve(count);
		for (std::size_t i = 0; i < count; ++i) {
		char* name = nullptr;
		detail::check(get_name(session_.get(), i, allocator, &name));
		names.emplace_back(name);
		allocator->Free(allocator, name);
		}
	};
	read(detail::ort().SessionGetInputCount, detail::ort().SessionGetInputName, inputs_);
	read(detail::ort().SessionGetOutputCount, detail::ort().SessionGetOutputName, outputs_);
}
inline at::Tensor OnnxSession::to_tensor(detail::OrtOwned<OrtValue> value) {
	const auto info = detail::made_by<OrtTensorTypeAndShapeInfo>(
		[&](auto** out) { return detail::ort().GetTensorTypeAndShape(value.get(), out); });
	ONNXTensorElementDataType element{};
	detail::check(detail::ort().GetTensorElementType(info.get(), &element));
	std::size_t rank = 0;
	detail::check(detail::ort().GetDimensionsCount(info.get(), &rank));
	std::vector<std::int64_t> sizes(rank);
	detail::check(detail::ort().GetDimensions(info.get(), sizes.data(), rank));
	void* data = nullptr;
	detail::check(detail::ort().GetTensorMutableData(value.get(), &data));
	const std::shared_ptr<OrtValue> owner(std::move(value));
	return at::from_blob(data, sizes, [owner](void*) {}, at::TensorOptions(detail::scalar_type(element)));
}
inline std::vector<at::Tensor> OnnxSession::run(const std::vector<at::Tensor>& inputs) const {
	if (inputs.size() != inputs_.size())
		throw Error(ErrorKind::invalid_input, "the model takes " + std::to_string(inputs_.size()) + " tensors, " +
		std::to_string(inputs.size()) + " were given");
	detail::OrtTensors given;
	for (std::size_t i = 0; i < inputs.size(); ++i) given.add(inputs_[i], inputs[i]);
	std::vector<const char*> output_names;
	output_names.reserve(outputs_.size());
	for (const std::string& name : outputs_) output_names.push_back(name.c_str());
	std::vector<OrtValue*> results(outputs_.size(), nullptr);
	detail::check(detail::ort().Run(session_.get(), nullptr, given.names(), given.values(), given.size(),
		output_names.data(), output_names.size(), results.data()));
	std::vector<detail::OrtOwned<OrtValue>> owned;
	owned.reserve(results.size());
	for (OrtValue* result : results) owned.emplace_back(result);
	std::vector<at::Tensor> outputs;
	outputs.reserve(owned.size());
	for (auto& each : owned) outputs.push_back(to_tensor(std::move(each)));
	return outputs;
}
}
#include <ATen/ops/view_as_complex.h>
namespace ferry {
namespace onnx {
class Runner {
public:
	explicit Runner(const OnnxProgram& program, runtime::SessionOptions options = {})
		: Runner(emit(program.model(), Weights::outside, "weights"), options) {}
	[[nodiscard]] const runtime::OnnxSession& session() const noexcept { return session_; }
private:
	Runner(const Emitted& emitted, runtime::SessionOptions options)
		: session_(as_bytes(emitted.proto.SerializeAsString()), options, weights_of(emitted)) {}
	[[nodiscard]] static std::span<const std::byte> as_bytes(const std::string& text) {
		return std::as_bytes(std::span(text));
	}
	[[nodiscard]] static runtime::NamedWeights weights_of(const Emitted& emitted) {
		runtime::NamedWeights weights;
		weights.reserve(emitted.external.size());
		for (const ExternalTensor& each : emitted.external) weights.emplace_back(each.name, each.tensor);
		return weights;
	}
	runtime::OnnxSession session_;
};
namespace detail {
[[nodiscard]] inline at::Tensor to_input(const InterfaceInput& input, const Leaf& leaf) {
	if (leaf.is_tensor() && leaf.tensor().defined())
		return input.is_complex ? at::view_as_real(leaf.tensor().resolve_conj()) : leaf.tensor();
	const auto one = [](const c10::Scalar& value, at::ScalarType dtype) {
		return at::scalar_tensor(value, at::TensorOptions(dtype)).reshape({1});
	};
	if (const auto* flag = leaf.get_if<bool>()) return one(*flag, at::kBool);
	if (const auto* number = leaf.get_if<std::int64_t>()) return one(*number, at::kLong);
	if (const auto* number = leaf.get_if<double>()) return one(*number, at::kDouble);
	throw Error(ErrorKind::invalid_input, "an input is not a tensor or number", {.where = {.path = input.name}});
}
[[nodiscard]] inline at::Tensor to_result(const at::Tensor& result, bool is_complex) {
	return is_complex ? at::view_as_complex(result) : result;
}
[[nodiscard]] inline Leaf to_leaf(const InterfaceOutput& output, const at::Tensor& result) {
	switch (output.kind) {
		case ValueKind::tensor: return to_result(result, output.is_complex);
		case ValueKind::sym_int: return result.item<std::int64_t>();
		case ValueKind::sym_float: return result.item<double>();
		default: return result.item<bool>();
	}
}
inline void check_fixed(const FixedInput& input, const Leaf& given) {
	if (given.is_absent() ? input.value.is_none() : !given.is_tensor() && to_argument(given) == input.value) return;
	throw Error(ErrorKind::invalid_input, "an input is not the value that the model was exported with",
		{.hint = "export it again with the value that is wanted", .where = {.path = input.name}});
}
inline void append_weights(const std::vector<std::string>& wanted, const NamedTensors& given,
		std::vector<at::Tensor>& tensors) {
	std::string missing;
	for (const std::string& name : wanted) {
		const auto found = algo::find(given, name, &NamedTensors::value_type::first);
		if (found == given.end())
		missing.append(missing.empty() ? "" : ", ").append(name);
		else
		tensors.push_back(found->second.detach());
	}
	if (!missing.empty())
		throw Error(ErrorKind::invalid_input,
		"the model was exported without its weights, and these are not given: " + missing,
		{.hint = "hand them over: run(inputs, program.state)"});
}
}
}
FERRY_INLINE OnnxResults OnnxProgram::run(const Inputs& inputs, const NamedTensors& weights) const {
	std::call_once(exported_->once, [&] { exported_->runner = std::make_shared<onnx::Runner>(*this); });
	const std::vector<Leaf> given = leaves_by_name(interface().parameters, inputs);
	for (const onnx::FixedInput& input : interface().fixed) onnx::detail::check_fixed(input, given.at(input.leaf));
	std::vector<at::Tensor> tensors;
	tensors.reserve(interface().inputs.size());
	for (const onnx::InterfaceInput& input : interface().inputs)
		tensors.push_back(onnx::detail::to_input(input, given.at(input.leaf)));
	onnx::detail::append_weights(interface().weights, weights, tensors);
	const std::vector<at::Tensor> results = exported_->runner->session().run(tensors);
	std::size_t at = 0;
	std::vector<Leaf> leaves;
	leaves.reserve(interface().outputs.size());
	for (const onnx::InterfaceOutput& output : interface().outputs)
		leaves.push_back(output.is_constant ? to_leaf(output.constant)
		: onnx::detail::to_leaf(output, results.at(at++)));
	OnnxResults made{.outputs = {interface().out_spec, std::move(leaves)}};
	for (const onnx::MutatedOutput& each : interface().mutated)
		made.mutated.emplace(each.target, onnx::detail::to_result(results.at(at++), each.is_complex));
	return made;
}
}
#endif
#if __has_include(<onnxruntime_c_api.h>)
#endif
#endif
#ifdef FERRY_COMPILED_SOURCE
#if __has_include(<onnx/onnx_pb.h>)
#ifndef FERRY_COMPILED
#error \
	"ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif
static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::onnx::default_ir_fixes>>::ok);
#endif
#if __has_include(<onnx/onnx_pb.h>)
namespace ferry {
static_assert(detail::valid_list<plain_t<onnx::default_translations>>::ok);
static_assert(detail::valid_list<plain_t<fused_layer_decompositions>>::ok);
template struct list_finder<onnx::default_translations, onnx::Translate, onnx::detail::bind_translation>;
template struct list_finder<fused_layer_decompositions, capture::Kernel, capture::detail::bind_decomposition>;
}
#endif
#if __has_include(<onnx/onnx_pb.h>) && __has_include(<onnxruntime_c_api.h>)
#endif
#endif
