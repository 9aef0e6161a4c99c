// Ferry 0.1.0: ferry/executorch.hpp. Generated from include/ferry by `make single-include`: do not edit.

#pragma once

#include <ferry/ferry.hpp>
#include <cstdint>
#include <optional>
#include <string>
namespace ferry {
struct ExecutorchConfig {
	bool dynamic = false;
	DynamicShapes dynamic_shapes{};
	bool strict = false;
	bool prefer_deferred_runtime_asserts_over_guards = false;
	Progress progress{};
	std::string backend = "xnnpack";
	std::optional<std::int64_t> smallest_delegate{};
	bool alloc_graph_input = true;
	bool alloc_graph_output = true;
	bool alloc_mutable_buffers = true;
	bool external_constants = false;
	static constexpr ExportFormat format = ExportFormat::executorch;
	[[nodiscard]] DynamoConfig dynamo() const {
		return {.dynamic = dynamic,
		.dynamic_shapes = dynamic_shapes,
		.strict = strict,
		.prefer_deferred_runtime_asserts_over_guards = prefer_deferred_runtime_asserts_over_guards,
		.progress = progress};
	}
	void check() const;
	[[nodiscard]] tree::Context to_dict() const;
	[[nodiscard]] static ExecutorchConfig from_dict(const tree::Context& dict);
	[[nodiscard]] Settings settings();
};
}
#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <vector>
namespace ferry::executorch {
struct MethodSlot {
	std::string type{};               
	std::optional<DType> dtype{};     
	std::vector<std::int64_t> sizes{};
	bool is_dynamic = false;
	tree::Context value{};            
	friend bool operator==(const MethodSlot&, const MethodSlot&) = default;
};
struct MethodSummary {
	std::string name{};
	std::vector<MethodSlot> inputs{};
	std::vector<MethodSlot> outputs{};
	std::map<std::string, std::size_t> kernels{}; 
	std::size_t kernel_calls = 0;
	std::map<std::string, std::size_t> backends{};
	std::size_t delegates = 0;
	std::size_t delegated_nodes = 0;              
	std::uint64_t planned_bytes = 0;
	[[nodiscard]] bool is_constant() const noexcept {
		return inputs.empty() && !outputs.empty() && kernel_calls == 0 && delegates == 0;
	}
	friend bool operator==(const MethodSummary&, const MethodSummary&) = default;
};
struct FileSummary {
	std::vector<MethodSummary> methods{};
	std::uint64_t data_bytes = 0;
};
[[nodiscard]] FileSummary summarize(std::span<const std::byte> file);
[[nodiscard]] FileSummary summarize(const std::filesystem::path& file);
[[nodiscard]] std::vector<MethodSummary> summarize_program(std::span<const std::byte> program);
}
#include <ATen/core/Tensor.h>
#include <memory>
#include <utility>
#include <variant>
namespace ferry {
namespace executorch {
struct Method;
struct SharedData;
struct ExportedMethods;
using ConstantValue = std::variant<std::int64_t, bool, double, std::string>;
using ConstantMethod = std::variant<std::int64_t, bool, double, std::string, std::vector<ConstantValue>>;
}
class ExecutorchProgram {
public:
	ExecutorchProgram(std::vector<executorch::Method> methods, executorch::SharedData shared);
	[[nodiscard]] static ExecutorchProgram combine(
		const std::vector<std::pair<std::string, ExecutorchProgram>>& programs,
		const std::vector<std::pair<std::string, executorch::ConstantMethod>>& constants = {});
	[[nodiscard]] std::vector<std::string> methods() const;
	[[nodiscard]] std::vector<executorch::MethodSummary> inspect() const;
	[[nodiscard]] std::string buffer() const;
	[[nodiscard]] std::string tensor_data() const;
	void save(const std::filesystem::path& path) const;
	[[nodiscard]] std::vector<at::Tensor> operator()(const std::vector<at::Tensor>& inputs) const;
private:
	[[nodiscard]] ExecutorchProgram in_one_piece() const;
	std::shared_ptr<const executorch::ExportedMethods> exported_;
};
}
#include <string_view>
namespace ferry::executorch::xnnpack {
class Definition;
using Define = void (*)(Definition&);
using FindDefine = Define (*)(std::string_view op);
}
namespace ferry::executorch {
struct ExportRules {
	bool (*has_parts)(std::string_view op);               
	ExportedProgram (*take_apart)(const ExportedProgram&);
	bool (*fix_node)(Graph&, Node&);                      
	xnnpack::FindDefine find_delegation;                  
};
[[nodiscard]] ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config,
		const ExportRules& rules);
}
namespace ferry::executorch::parts {
struct vector_norm {
	static constexpr auto target = op("aten::linalg_vector_norm");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& order, at::OptionalIntArrayRef dim, bool keep,
		std::optional<at::ScalarType> dtype);
};
struct exp2 {
	static constexpr auto target = op("aten::exp2");
	static at::Tensor decompose(const at::Tensor& self);
};
struct erfc {
	static constexpr auto target = op("aten::erfc");
	static at::Tensor decompose(const at::Tensor& self);
};
struct fmax {
	static constexpr auto target = op("aten::fmax");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct fmin {
	static constexpr auto target = op("aten::fmin");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct hypot {
	static constexpr auto target = op("aten::hypot");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
}
namespace ferry {
using executorch_arithmetic_decompositions =
	decompositions<executorch::parts::vector_norm, executorch::parts::exp2, executorch::parts::erfc,
		executorch::parts::fmax, executorch::parts::fmin, executorch::parts::hypot>;
}
namespace ferry::executorch::parts {
struct view_of_pairs {
	static constexpr auto target = op("complex::view_as_real", "complex::view_as_complex", "complex::resolve_conj",
		"complex::resolve_neg", "complex::lift_fresh");
	static at::Tensor decompose(const at::Tensor& self);
};
struct complex_results {
	static constexpr auto target = op("aten::view_as_complex");
	static at::Tensor decompose(const at::Tensor& self);
};
struct conjugate {
	static constexpr auto target =
		op("complex::conj", "complex::_conj", "complex::conj_physical", "complex::_conj_physical");
	static at::Tensor decompose(const at::Tensor& self);
};
struct real_part {
	static constexpr auto target = op("complex::real");
	static at::Tensor decompose(const at::Tensor& self);
};
struct imaginary_part {
	static constexpr auto target = op("complex::imag");
	static at::Tensor decompose(const at::Tensor& self);
};
struct cast_complex {
	static constexpr auto target = op("complex::_to_copy");
	static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned, bool non_blocking, std::optional<at::MemoryFormat> format);
};
struct make_complex {
	static constexpr auto target = op("complex::complex");
	static at::Tensor decompose(const at::Tensor& real, const at::Tensor& imaginary);
};
struct polar {
	static constexpr auto target = op("complex::polar");
	static at::Tensor decompose(const at::Tensor& length, const at::Tensor& angle);
};
struct complex_full {
	static constexpr auto target = op("complex::full");
	static at::Tensor decompose(at::IntArrayRef size, const at::Scalar& value, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned);
};
struct complex_ones {
	static constexpr auto target = op("complex::ones");
	static at::Tensor decompose(at::IntArrayRef size, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned);
};
struct complex_full_like {
	static constexpr auto target = op("complex::full_like");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& value, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned, std::optional<at::MemoryFormat> format);
};
struct complex_ones_like {
	static constexpr auto target = op("complex::ones_like");
	static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned, std::optional<at::MemoryFormat> format);
};
struct complex_fill {
	static constexpr auto target = op("complex::fill.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& value);
};
struct complex_abs {
	static constexpr auto target = op("complex::abs");
	static at::Tensor decompose(const at::Tensor& self);
};
struct complex_angle {
	static constexpr auto target = op("complex::angle");
	static at::Tensor decompose(const at::Tensor& self);
};
struct complex_exp {
	static constexpr auto target = op("complex::exp");
	static at::Tensor decompose(const at::Tensor& self);
};
struct complex_reciprocal {
	static constexpr auto target = op("complex::reciprocal");
	static at::Tensor decompose(const at::Tensor& self);
};
struct complex_power {
	static constexpr auto target = op("complex::pow.Tensor_Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& exponent);
};
struct complex_product {
	static constexpr auto target = op("complex::mul.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct complex_multiple {
	static constexpr auto target = op("complex::mul.Scalar");
	static at::Tensor decompose(const at::Tensor& self, const at::Scalar& other);
};
struct complex_quotient {
	static constexpr auto target = op("complex::div.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct complex_matrix_product {
	static constexpr auto target = op("complex::mm", "complex::bmm");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& other);
};
struct fourier {
	static constexpr auto target = op("complex::_fft_c2c");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, std::int64_t normalization, bool forward);
};
struct fourier_of_real {
	static constexpr auto target = op("complex::_fft_r2c");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef dims, std::int64_t normalization,
		bool onesided);
};
}
namespace ferry {
using executorch_complex_decompositions = decompositions<
	executorch::parts::view_of_pairs, executorch::parts::complex_results, executorch::parts::conjugate,
	executorch::parts::real_part, executorch::parts::imaginary_part, executorch::parts::cast_complex,
	executorch::parts::make_complex, executorch::parts::polar, executorch::parts::complex_full,
	executorch::parts::complex_ones, executorch::parts::complex_full_like, executorch::parts::complex_ones_like,
	executorch::parts::complex_fill, executorch::parts::complex_abs, executorch::parts::complex_angle,
	executorch::parts::complex_exp, executorch::parts::complex_reciprocal, executorch::parts::complex_power,
	executorch::parts::complex_product, executorch::parts::complex_multiple, executorch::parts::complex_quotient,
	executorch::parts::complex_matrix_product, executorch::parts::fourier, executorch::parts::fourier_of_real>;
}
#include <tuple>
namespace ferry::executorch::parts {
struct grouped_product {
	static constexpr auto target = op("aten::_grouped_mm");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& weights,
		const std::optional<at::Tensor>& ends, const std::optional<at::Tensor>& bias,
		std::optional<at::ScalarType> dtype);
};
struct attention {
	static constexpr auto target = op("aten::scaled_dot_product_attention");
	static at::Tensor decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
		const std::optional<at::Tensor>& mask, double dropout, bool causal,
		std::optional<double> scale, bool grouped);
};
struct affine_grid {
	static constexpr auto target = op("aten::affine_grid_generator");
	static at::Tensor decompose(const at::Tensor& maps, at::IntArrayRef sizes, bool align_corners);
};
struct prelu {
	static constexpr auto target = op("aten::_prelu_kernel");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& weight);
};
struct batch_norm_in_training {
	using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
	static constexpr auto target = op("aten::_native_batch_norm_legit_functional");
	static Results decompose(const at::Tensor& input, const std::optional<at::Tensor>& weight,
		const std::optional<at::Tensor>& bias, const at::Tensor& running_mean,
		const at::Tensor& running_variance, bool training, double momentum, double epsilon);
};
struct view {
	static constexpr auto target = op("aten::view");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef size);
};
}
namespace ferry {
using executorch_layer_decompositions =
	decompositions<executorch::parts::grouped_product, executorch::parts::attention, executorch::parts::affine_grid,
		executorch::parts::prelu, executorch::parts::batch_norm_in_training, executorch::parts::view>;
}
namespace ferry::executorch::parts {
struct sort {
	static constexpr auto target = op("aten::sort");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim, bool descending);
};
struct stable_sort {
	static constexpr auto target = op("aten::sort.stable");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::optional<bool>, std::int64_t dim,
		bool descending);
};
struct kthvalue {
	static constexpr auto target = op("aten::kthvalue");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t k, std::int64_t dim,
		bool keepdim);
};
struct median_along {
	static constexpr auto target = op("aten::median.dim");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim, bool keepdim);
};
struct median {
	static constexpr auto target = op("aten::median");
	static at::Tensor decompose(const at::Tensor& self);
};
struct bucketize {
	static constexpr auto target = op("aten::bucketize.Tensor");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& boundaries, bool out_int32, bool right);
};
struct searchsorted {
	static constexpr auto target = op("aten::searchsorted.Tensor");
	static at::Tensor decompose(const at::Tensor& sorted, const at::Tensor& self, bool out_int32, bool right,
		std::optional<std::string_view> side, const std::optional<at::Tensor>& sorter);
};
struct histogram {
	static constexpr auto target = op("aten::histc");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t bins, const at::Scalar& min,
		const at::Scalar& max);
};
}
namespace ferry {
using executorch_ordering_decompositions =
	decompositions<executorch::parts::sort, executorch::parts::stable_sort, executorch::parts::kthvalue,
		executorch::parts::median_along, executorch::parts::median, executorch::parts::bucketize,
		executorch::parts::searchsorted, executorch::parts::histogram>;
}
namespace ferry::executorch::parts {
struct avg_pool3d {
	static constexpr auto target = op("aten::avg_pool3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef stride,
		at::IntArrayRef padding, bool ceil_mode, bool counts_padding,
		std::optional<std::int64_t> divisor);
};
struct adaptive_avg_pool3d {
	static constexpr auto target = op("aten::_adaptive_avg_pool3d");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes);
};
struct max_pool3d {
	static constexpr auto target = op("aten::max_pool3d_with_indices");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::IntArrayRef kernel,
		at::IntArrayRef stride, at::IntArrayRef padding,
		at::IntArrayRef dilation, bool ceil_mode);
};
struct adaptive_max_pool {
	static constexpr auto target = op("aten::adaptive_max_pool2d", "aten::adaptive_max_pool3d");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, at::IntArrayRef sizes);
};
}
namespace ferry {
using executorch_pooling_decompositions =
	decompositions<executorch::parts::avg_pool3d, executorch::parts::adaptive_avg_pool3d, executorch::parts::max_pool3d,
		executorch::parts::adaptive_max_pool>;
}
#include <ATen/core/Generator.h>
namespace ferry::executorch::parts {
struct rand_like {
	static constexpr auto target = op("aten::rand_like");
	static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
		std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat>);
};
struct randn_like {
	static constexpr auto target = op("aten::randn_like");
	static at::Tensor decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
		std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat>);
};
struct bernoulli {
	static constexpr auto target = op("aten::bernoulli");
	static at::Tensor decompose(const at::Tensor& chances, const std::optional<at::Generator>&);
};
struct bernoulli_of_number {
	static constexpr auto target = op("aten::bernoulli.p");
	static at::Tensor decompose(const at::Tensor& self, double chance, const std::optional<at::Generator>&);
};
struct uniform {
	static constexpr auto target = op("aten::uniform");
	static at::Tensor decompose(const at::Tensor& self, double from, double to, const std::optional<at::Generator>&);
};
struct normal {
	static constexpr auto target = op("aten::normal_functional");
	static at::Tensor decompose(const at::Tensor& self, double mean, double deviation,
		const std::optional<at::Generator>&);
};
struct dropout {
	static constexpr auto target = op("aten::native_dropout");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& input, double chance,
		std::optional<bool> train);
};
}
namespace ferry {
using executorch_random_decompositions =
	decompositions<executorch::parts::rand_like, executorch::parts::randn_like, executorch::parts::bernoulli,
		executorch::parts::bernoulli_of_number, executorch::parts::uniform, executorch::parts::normal,
		executorch::parts::dropout>;
}
namespace ferry::executorch::parts {
struct cumprod {
	static constexpr auto target = op("aten::cumprod");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, std::optional<at::ScalarType> dtype);
};
struct cummax {
	static constexpr auto target = op("aten::cummax");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim);
};
struct cummin {
	static constexpr auto target = op("aten::cummin");
	static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& self, std::int64_t dim);
};
struct logcumsumexp {
	static constexpr auto target = op("aten::logcumsumexp");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim);
};
}
namespace ferry {
using executorch_running_decompositions = decompositions<executorch::parts::cumprod, executorch::parts::cummax,
		executorch::parts::cummin, executorch::parts::logcumsumexp>;
}
namespace ferry::executorch::parts {
struct scatter_reduce {
	static constexpr auto target = op("aten::scatter_reduce.two");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, std::string_view how, bool with_self);
};
struct scatter_by_name {
	static constexpr auto target = op("aten::scatter.reduce");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, std::string_view how);
};
struct scatter_of_number {
	static constexpr auto target = op("aten::scatter.value_reduce");
	static at::Tensor decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Scalar& value, std::string_view how);
};
struct diagonal_scatter {
	static constexpr auto target = op("aten::diagonal_scatter");
	static at::Tensor decompose(const at::Tensor& self, const at::Tensor& source, std::int64_t offset,
		std::int64_t dim1, std::int64_t dim2);
};
struct embedding_bag {
	using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
	static constexpr auto target = op("aten::_embedding_bag", "aten::_embedding_bag_forward_only");
	static Results decompose(const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool,
		std::int64_t mode, bool, const std::optional<at::Tensor>& factors,
		bool ends_with_last_offset, std::int64_t padding_index);
};
struct col2im {
	static constexpr auto target = op("aten::col2im");
	static at::Tensor decompose(const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef kernel,
		at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride);
};
}
namespace ferry {
using executorch_scatter_decompositions =
	decompositions<executorch::parts::scatter_reduce, executorch::parts::scatter_by_name,
		executorch::parts::scatter_of_number, executorch::parts::diagonal_scatter,
		executorch::parts::embedding_bag, executorch::parts::col2im>;
}
namespace ferry::executorch {
struct default_decompositions
	: concat_t<executorch_arithmetic_decompositions, executorch_complex_decompositions, executorch_layer_decompositions,
		executorch_ordering_decompositions, executorch_pooling_decompositions, executorch_random_decompositions,
		executorch_running_decompositions, executorch_scatter_decompositions>,
	own_list {};
}
namespace ferry::executorch::fixed {
struct remainder {
	static constexpr auto target = op("aten::remainder.Tensor", "aten::remainder.Scalar");
	static bool fix(Graph& graph, Node& node);
};
struct promoted {
	static constexpr auto target = op("aten::add.Scalar", "aten::sub.Scalar", "aten::mul.Scalar");
	static bool fix(Graph& graph, Node& node);
};
struct log_softmax {
	static constexpr auto target = op("aten::_log_softmax");
	static bool fix(Graph& graph, Node& node);
};
struct of_scalar {
	static constexpr auto target = op("aten::sum.dim_IntList", "aten::cumsum");
	static bool fix(Graph& graph, Node& node);
};
}
namespace ferry {
using executorch_arithmetic_fixes = node_fixes<executorch::fixed::remainder, executorch::fixed::promoted,
		executorch::fixed::log_softmax, executorch::fixed::of_scalar>;
}
namespace ferry::executorch::fixed {
struct cat {
	static constexpr auto target = op("aten::cat", "aten::stack");
	static bool fix(Graph& graph, Node& node);
};
struct where {
	static constexpr auto target = op("aten::where.self");
	static bool fix(Graph& graph, Node& node);
};
struct positions {
	static constexpr auto target = op("aten::gather", "aten::scatter.src", "aten::scatter.value", "aten::scatter_add");
	static bool fix(Graph& graph, Node& node);
};
struct images {
	static constexpr auto target = op("aten::upsample_bilinear2d.vec", "aten::_upsample_bilinear2d_aa");
	static bool fix(Graph& graph, Node& node);
};
}
namespace ferry {
using executorch_element_type_fixes = node_fixes<executorch::fixed::cat, executorch::fixed::where,
		executorch::fixed::positions, executorch::fixed::images>;
}
namespace ferry::executorch::fixed {
struct linear {
	static constexpr auto target = op("aten::linear");
	static bool fix(Graph& graph, Node& node);
};
struct matrix_product {
	static constexpr auto target = op("aten::matmul");
	static bool fix(Graph& graph, Node& node);
};
struct pad {
	static constexpr auto target = op("aten::constant_pad_nd");
	static bool fix(Graph& graph, Node& node);
};
struct convolution {
	static constexpr auto target = op("aten::convolution");
	static bool fix(Graph& graph, Node& node);
};
struct fourier {
	static constexpr auto target = op("aten::_fft_r2c", "aten::_fft_c2r");
	static bool fix(Graph& graph, Node& node);
};
}
namespace ferry {
using executorch_layer_fixes =
	node_fixes<executorch::fixed::linear, executorch::fixed::matrix_product, executorch::fixed::pad,
		executorch::fixed::convolution, executorch::fixed::fourier>;
}
namespace ferry::executorch::fixed {
struct split {
	static constexpr auto target = op("aten::split.Tensor", "aten::split", "aten::chunk", "aten::unsafe_split.Tensor",
		"aten::unsafe_chunk", "aten::split_with_sizes", "aten::split.sizes",
		"aten::unsafe_split_with_sizes", "aten::tensor_split.sections");
	static bool fix(Graph& graph, Node& node);
};
struct unbind {
	static constexpr auto target = op("aten::unbind.int");
	static bool fix(Graph& graph, Node& node);
};
struct narrow {
	static constexpr auto target = op("aten::narrow", "aten::narrow_copy");
	static bool fix(Graph& graph, Node& node);
};
}
namespace ferry {
using executorch_piece_fixes =
	node_fixes<executorch::fixed::split, executorch::fixed::unbind, executorch::fixed::narrow>;
}
namespace ferry::executorch::fixed {
[[nodiscard]] constexpr bool is_half(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }
[[nodiscard]] Value cast_before(Graph& graph, Node* place, Value value, DType dtype);
bool compute_in_single_precision(Graph& graph, Node& node, bool (*is_cast)(DType) = is_half);
struct in_single_precision {
	static constexpr auto target =
		op("aten::native_layer_norm", "aten::native_group_norm", "aten::_native_batch_norm_legit_no_training",
		"aten::_softmax", "aten::mean", "aten::mean.dim", "aten::var.correction", "aten::var.dim",
		"aten::var_mean.correction", "aten::prod", "aten::prod.dim_int", "aten::avg_pool2d",
		"aten::_adaptive_avg_pool2d", "aten::grid_sampler_2d", "aten::_cdist_forward", "aten::_pdist_forward",
		"aten::logit");
	static bool fix(Graph& graph, Node& node);
};
}
namespace ferry {
using executorch_precision_fixes = node_fixes<executorch::fixed::in_single_precision>;
}
namespace ferry::executorch {
struct default_node_fixes : concat_t<executorch_arithmetic_fixes, executorch_element_type_fixes, executorch_layer_fixes,
		executorch_piece_fixes, executorch_precision_fixes>,
		own_list {};
}
namespace ferry::executorch::delegated {
struct functions {
	static constexpr auto target =
		op("aten::abs", "aten::neg", "aten::ceil", "aten::floor", "aten::sqrt", "aten::rsqrt", "aten::exp", "aten::log",
		"aten::tanh", "aten::sigmoid", "aten::sin", "aten::cos", "aten::square", "aten::hardswish");
	static void define(xnnpack::Definition& d);
};
struct arithmetic {
	static constexpr auto target = op("aten::add.Tensor", "aten::add.Scalar", "aten::sub.Tensor", "aten::sub.Scalar",
		"aten::rsub.Scalar", "aten::mul.Tensor", "aten::mul.Scalar", "aten::div.Tensor",
		"aten::div.Scalar", "aten::maximum", "aten::minimum");
	static void define(xnnpack::Definition& d);
};
struct clamps {
	static constexpr auto target =
		op("aten::relu", "aten::relu6", "aten::hardtanh", "aten::clamp", "aten::clamp_min", "aten::clamp_max");
	static void define(xnnpack::Definition& d);
};
struct powers {
	static constexpr auto target = op("aten::pow.Tensor_Scalar", "aten::reciprocal");
	static void define(xnnpack::Definition& d);
};
struct activations {
	static constexpr auto target = op("aten::gelu", "aten::leaky_relu", "aten::elu");
	static void define(xnnpack::Definition& d);
};
}
namespace ferry {
using elementwise_delegations =
	delegations<executorch::delegated::functions, executorch::delegated::arithmetic, executorch::delegated::clamps,
		executorch::delegated::powers, executorch::delegated::activations>;
}
namespace ferry::executorch::delegated {
struct products {
	static constexpr auto target = op("aten::linear", "aten::addmm", "aten::mm", "aten::bmm", "aten::matmul");
	static void define(xnnpack::Definition& d);
};
struct convolutions {
	static constexpr auto target = op("aten::convolution", "aten::conv2d", "aten::conv_transpose2d.input");
	static void define(xnnpack::Definition& d);
};
struct pooling {
	static constexpr auto target = op("aten::max_pool2d_with_indices", "aten::max_pool2d", "aten::avg_pool2d");
	static void define(xnnpack::Definition& d);
};
struct means {
	static constexpr auto target =
		op("aten::mean.dim", "aten::sum.dim_IntList", "aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d");
	static void define(xnnpack::Definition& d);
};
struct softmax {
	static constexpr auto target = op("aten::_softmax", "aten::softmax.int");
	static void define(xnnpack::Definition& d);
};
struct layer_norm {
	static constexpr auto target = op("aten::native_layer_norm", "aten::layer_norm");
	static void define(xnnpack::Definition& d);
};
struct batch_norm {
	static constexpr auto target = op("aten::_native_batch_norm_legit_no_training");
	static void define(xnnpack::Definition& d);
};
struct resizing {
	static constexpr auto target = op("aten::upsample_bilinear2d.vec", "aten::upsample_bilinear2d");
	static void define(xnnpack::Definition& d);
};
}
namespace ferry {
using layer_delegations =
	delegations<executorch::delegated::products, executorch::delegated::convolutions, executorch::delegated::pooling,
		executorch::delegated::means, executorch::delegated::softmax, executorch::delegated::layer_norm,
		executorch::delegated::batch_norm, executorch::delegated::resizing>;
}
namespace ferry::executorch {
struct always_views {
	static constexpr auto target =
		op("aten::view", "aten::view_copy", "aten::_unsafe_view", "aten::reshape", "aten::_reshape_copy",
		"aten::_reshape_alias", "aten::view_as", "aten::reshape_as", "aten::ravel", "aten::flatten.using_ints",
		"aten::unflatten.int", "aten::unsqueeze", "aten::unsqueeze_copy", "aten::squeeze", "aten::squeeze.dim",
		"aten::squeeze.dims", "aten::squeeze_copy", "aten::squeeze_copy.dim", "aten::squeeze_copy.dims",
		"aten::alias", "aten::alias_copy", "aten::detach", "aten::detach_copy", "aten::clone", "aten::contiguous",
		"aten::lift", "aten::lift_fresh", "aten::lift_fresh_copy", "aten::positive");
};
struct sometimes_views {
	static constexpr auto target = op("aten::expand", "aten::expand_copy", "aten::expand_as", "aten::_to_copy",
		"aten::to.dtype", "aten::to.dtype_layout", "aten::to.device", "aten::to.other",
		"aten::type_as", "aten::conj", "aten::resolve_conj", "aten::resolve_neg");
};
[[nodiscard]] inline bool is_view(const Graph& graph, const Node& node) {
	if (op_table<type_list<always_views>>::contains(node.op())) return true;
	if (!op_table<type_list<sometimes_views>>::contains(node.op())) return false;
	const TensorMeta &given = graph.info(node.input(0)).tensor, &made = graph.info(node.output()).tensor;
	return given.dtype == made.dtype && given.sizes == made.sizes && !is_complex(given.dtype);
}
}
namespace ferry::executorch::delegated {
struct reshapes {
	static constexpr auto target = always_views::target;
	static void define(xnnpack::Definition& d);
};
struct permutations {
	static constexpr auto target = op("aten::permute", "aten::permute_copy", "aten::transpose.int",
		"aten::transpose_copy.int", "aten::t", "aten::t_copy");
	static void define(xnnpack::Definition& d);
};
struct expansion {
	static constexpr auto target = op("aten::expand", "aten::expand_copy");
	static void define(xnnpack::Definition& d);
};
struct slices {
	static constexpr auto target =
		op("aten::slice.Tensor", "aten::slice_copy.Tensor", "aten::select.int", "aten::select_copy.int");
	static void define(xnnpack::Definition& d);
};
struct splits {
	static constexpr auto target =
		op("aten::split.Tensor", "aten::split_copy.Tensor", "aten::split_with_sizes", "aten::split_with_sizes_copy",
		"aten::chunk", "aten::unsafe_split.Tensor", "aten::unsafe_chunk");
	static void define(xnnpack::Definition& d);
};
struct concatenation {
	static constexpr auto target = op("aten::cat");
	static void define(xnnpack::Definition& d);
};
struct padding {
	static constexpr auto target = op("aten::constant_pad_nd");
	static void define(xnnpack::Definition& d);
};
}
namespace ferry {
using shape_delegations =
	delegations<executorch::delegated::reshapes, executorch::delegated::permutations, executorch::delegated::expansion,
		executorch::delegated::slices, executorch::delegated::splits, executorch::delegated::concatenation,
		executorch::delegated::padding>;
}
namespace ferry::executorch {
struct default_delegations : concat_t<elementwise_delegations, shape_delegations, layer_delegations>, own_list {};
}
namespace ferry {
struct executorch_stages : stages_after<dynamo_stages, "executorch",                
		stage<"backend preparation">,               
		stage<"torch patches", patches>,            
		stage<"executorch patches", decompositions>,
		stage<"program fixes", program_fixes>,      
		stage<"node fixes", node_fixes>,            
		stage<"delegation", delegations>            
		> {};
using executorch_pipeline =
	pipeline_after<executorch_stages, dynamo_pipeline, fused_layer_decompositions, executorch::default_decompositions,
		executorch::default_node_fixes, executorch::default_delegations>;
}
#include <ATen/core/function_schema.h>
#include <algorithm>
#include <array>
#include <functional>
namespace ferry::executorch {
struct Kernel {
	std::string name;
	const c10::FunctionSchema* schema = nullptr;
};
[[nodiscard]] constexpr bool is_of_the_output(std::string_view argument) {
	constexpr std::array<std::string_view, 5> names{"dtype", "layout", "device", "pin_memory", "memory_format"};
	return std::find(names.begin(), names.end(), argument) != names.end();
}
[[nodiscard]] std::optional<DType> type_without_kernel(const Graph& graph, const Node& node, const Kernel& kernel);
class Kernels {
public:
	[[nodiscard]] const Kernel* find(std::string_view op);
private:
	std::map<std::string, Kernel, std::less<>> known_;
};
}
namespace ferry::executorch {
[[nodiscard]] Kernels& runtime_kernels();
[[nodiscard]] bool runs_as_it_is(std::string_view op);
[[nodiscard]] bool stays_whole(std::string_view op);
}
namespace ferry::executorch {
namespace detail {
template <class Entry>
struct bind_delegation {
	static constexpr xnnpack::Define value = &Entry::define;
};
template <class Pipeline>
[[nodiscard]] xnnpack::Define find_delegation(std::string_view op) {
	return pipeline_finder<Pipeline, delegations<>, xnnpack::Define, bind_delegation>::find(op);
}
template <class Pipeline>
[[nodiscard]] capture::Kernel find_parts(std::string_view op) {
	if (const capture::Kernel own = ferry::detail::find_own_parts<Pipeline>(op)) return own;
	return stays_whole(op) ? nullptr : ferry::detail::find_core_decomposition(op);
}
template <class Pipeline, auto FindParts>
inline constexpr ExportRules rules_with{.has_parts = &ferry::detail::has_parts<FindParts>,
		.take_apart = &ferry::detail::take_program_apart<Pipeline, FindParts>,
		.fix_node = &ferry::detail::fix_node<Pipeline>,
		.find_delegation = &find_delegation<Pipeline>};
}
template <class Pipeline>
inline constexpr ExportRules rules_of = detail::rules_with<Pipeline, &detail::find_parts<Pipeline>>;
template <class Pipeline>
inline constexpr ExportRules rules_of_loaded =
	detail::rules_with<Pipeline, &ferry::detail::find_patch_or_parts<Pipeline, &detail::find_parts<Pipeline>>>;
}
#ifdef FERRY_COMPILED
namespace ferry {
extern template struct list_finder<executorch::default_decompositions, capture::Kernel,
		capture::detail::bind_decomposition>;
extern template struct list_finder<executorch::default_node_fixes, detail::FixNode, detail::bind_node_fix>;
extern template struct list_finder<executorch::default_delegations, executorch::xnnpack::Define,
		executorch::detail::bind_delegation>;
}
#endif
#include <concepts>
namespace ferry {
template <class Pipeline = executorch_pipeline>
class ExecutorchExporter {
public:
	using Config = ExecutorchConfig;
	static constexpr std::string_view suffix = ".pte";
	template <class Model>
	[[nodiscard]] ExecutorchProgram export_model(Model&& model, Inputs inputs,
		const ExecutorchConfig& config = {}) const {
		config.check();
		return executorch::export_program(
		DynamoExporter<Pipeline>{}.export_model(std::forward<Model>(model), std::move(inputs), config.dynamo()),
		config, executorch::rules_of<Pipeline>);
	}
	template <class Model, std::same_as<InputObserver> Observer>
	[[nodiscard]] ExecutorchProgram export_model(Model&& model, const Observer& observer,
		const ExecutorchConfig& config = {}) const {
		return export_model(std::forward<Model>(model), observer.infer_arguments(), observer.with_shapes(config));
	}
	[[nodiscard]] ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config = {}) const {
		return executorch::export_program(std::move(program), config, executorch::rules_of_loaded<Pipeline>);
	}
};
}
#include <ferry_schema/executorch/version.h>
namespace ferry::executorch {
inline constexpr Version library_found = parse_version(ferry_schema::executorch_version);
static_assert(
	library_found >= executorch_library.minimum,
	"ferry: this ExecuTorch is older than Ferry works with; ferry/core/versions.hpp says from which version on");
inline void meet_library() { check_version<executorch_library>(library_found); }
}
#if !defined(FERRY_COMPILED) || defined(FERRY_COMPILED_SOURCE)
namespace ferry {
FERRY_INLINE tree::Context ExecutorchConfig::to_dict() const { return ExecutorchConfig(*this).settings().to_dict(); }
FERRY_INLINE ExecutorchConfig ExecutorchConfig::from_dict(const tree::Context& dict) {
	ExecutorchConfig made;
	made.settings().read(dict);
	made.check();
	return made;
}
FERRY_INLINE void ExecutorchConfig::check() const {
	if (backend == "portable" || backend == "xnnpack") return;
	throw Error(ErrorKind::invalid_input,
		backend == "cuda" ? "Ferry does not export for ExecuTorch's backend 'cuda' yet"
		: "there is no backend '" + backend + "' of ExecuTorch that Ferry exports for",
		{.hint = "there are: xnnpack, portable"});
}
FERRY_INLINE Settings ExecutorchConfig::settings() {
	return {format,
		{{"dynamic", &dynamic},
		{"strict", &strict},
		{"dynamic_shapes", &dynamic_shapes},
		{"prefer_deferred_runtime_asserts_over_guards", &prefer_deferred_runtime_asserts_over_guards},
		{"backend", &backend},
		{"smallest_delegate", &smallest_delegate},
		{"alloc_graph_input", &alloc_graph_input},
		{"alloc_graph_output", &alloc_graph_output},
		{"alloc_mutable_buffers", &alloc_mutable_buffers},
		{"external_constants", &external_constants}}};
}
}
#include <set>
namespace ferry::executorch {
class Constants {
public:
	[[nodiscard]] std::uint32_t add(const at::Tensor& tensor, const std::string& name);
	[[nodiscard]] std::vector<std::uint32_t> add(const Constants& others);
	[[nodiscard]] std::uint32_t find(const at::Tensor& tensor) const;
	[[nodiscard]] const std::vector<at::Tensor>& tensors() const noexcept { return tensors_; }
	[[nodiscard]] const std::string& name(std::uint32_t number) const { return names_.at(number - 1); }
private:
	using Memory = std::tuple<const void*, std::int64_t, std::vector<std::int64_t>, std::vector<std::int64_t>>;
	[[nodiscard]] static Memory memory_of(const at::Tensor& tensor);
	std::vector<at::Tensor> tensors_;
	std::vector<std::string> names_;
	std::set<std::string> known_names_;
	std::map<Memory, std::uint32_t> by_memory_;
	std::map<std::string, std::uint32_t> by_bytes_;
};
}
namespace ferry::executorch {
namespace xnnpack {
struct Delegate;
}
using Id = std::int32_t;
inline constexpr Id no_value = -1;
struct Buffer {
	std::uint64_t bytes = 0;
	std::size_t first = 0;
	std::size_t last = 0;
	bool is_planned = true;
	std::uint64_t offset = 0;
};
struct TensorValue {
	static constexpr std::int32_t no_buffer = -1;
	DType dtype = DType::float32;
	std::vector<std::int32_t> sizes{};
	bool is_dynamic = false;
	std::uint32_t constant = 0;       
	std::uint32_t initial = 0;        
	std::int32_t buffer = no_buffer;
};
struct IntList {
	std::vector<Id> items;
};
struct DoubleList {
	std::vector<double> items;
};
struct BoolList {
	std::vector<bool> items;
};
struct TensorList {
	std::vector<Id> items;
};
struct OptionalTensorList {
	std::vector<Id> items;
};
using MethodValue = std::variant<std::monostate, std::int64_t, bool, double, std::string, TensorValue, IntList,
		DoubleList, BoolList, TensorList, OptionalTensorList>;
struct Operator {
	std::string name;
	std::string overload;
};
struct KernelCall {
	std::uint32_t op;
	std::vector<Id> args;
};
struct DelegateCall {
	std::uint32_t delegate;
	std::vector<Id> args;
};
struct Move {
	Id from;
	Id to;
};
struct JumpFalse {
	Id condition;
	std::size_t destination;
};
using Instruction = std::variant<KernelCall, DelegateCall, Move, JumpFalse>;
struct DelegateData {
	std::shared_ptr<const xnnpack::Delegate> delegate;
	std::vector<std::uint32_t> weights;
};
struct Method {
	std::string name{};
	std::vector<MethodValue> values{};
	std::vector<Id> inputs{};
	std::vector<Id> outputs{};
	std::vector<Operator> operators{};
	std::vector<DelegateData> delegates{};
	std::vector<Instruction> instructions{};
	std::vector<Buffer> buffers{};
	std::uint64_t planned_bytes = 0;
	[[nodiscard]] Id add(MethodValue value) {
		values.push_back(std::move(value));
		return static_cast<Id>(values.size() - 1);
	}
	[[nodiscard]] TensorValue& tensor(Id id) { return std::get<TensorValue>(values.at(static_cast<std::size_t>(id))); }
};
}
#include <ferry_schema/executorch/runtime_schema_generated.h>
#include <limits>
namespace ferry::executorch::xnnpack {
using Op = ferry_schema::fb_xnnpack::XNodeUnion;
using Sizes = std::vector<std::uint32_t>;
using Ref = std::uint32_t;
inline constexpr Ref nothing = std::numeric_limits<Ref>::max();
inline constexpr std::size_t most_dims = 6;
inline constexpr std::uint32_t transposed_weights = 1;
inline constexpr std::uint32_t align_corners = 8;
inline constexpr std::uint32_t keep_dims = 64;
struct Operand {
	Sizes sizes{};
	std::uint32_t constant = 0;
	Ref external = nothing;
	bool is_output = false;
};
struct Window {
	std::uint32_t kernel[2]{1, 1}, stride[2]{1, 1}, padding[2]{0, 0}, dilation[2]{1, 1}, adjustment[2]{0, 0};
	std::uint32_t more_behind[2]{0, 0};
	std::uint32_t groups = 1, group_inputs = 1, group_outputs = 1;
};
struct Operation {
	Op op;
	std::vector<Ref> inputs{};
	Ref output = nothing;
	std::uint32_t flags = 0;
	Sizes list{}, second_list{};
	float number = 0;
	float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
	Window window{};
};
struct Given {
	Value value{};
	at::Tensor constant{};
};
struct Weights {
	at::Tensor tensor;
	std::string name;
};
struct Delegate {
	std::vector<Operand> operands{};
	std::vector<Operation> operations{};
	std::vector<Weights> weights{};
	std::vector<Given> inputs{};
	std::vector<Value> outputs{};
};
}
#include <unordered_map>
namespace ferry::executorch::xnnpack {
class ProgramFacts {
public:
	explicit ProgramFacts(const ExportedProgram& program);
	struct Constant {
		const at::Tensor* tensor = nullptr;
		std::string_view name{};
	};
	[[nodiscard]] Constant constant(const Graph& graph, Value value) const {
		if (&graph != &program_.graph) return {};
		const auto found = constants_.find(value.index);
		return found != constants_.end() ? found->second : Constant{};
	}
	[[nodiscard]] const SymBindings& sizes() const noexcept { return sizes_; }
	[[nodiscard]] const SymRanges& ranges() const noexcept { return program_.ranges; }
private:
	const ExportedProgram& program_;
	std::unordered_map<std::uint32_t, Constant> constants_;
	SymBindings sizes_;
};
}
#include <unordered_set>
namespace ferry::executorch::xnnpack {
class Delegation {
public:
	Delegation(const ExportedProgram& program, FindDefine find, std::int64_t smallest)
		: facts_(program), find_(find), smallest_(static_cast<std::size_t>(std::max<std::int64_t>(smallest, 1))) {}
	[[nodiscard]] const ProgramFacts& facts() const noexcept { return facts_; }
	[[nodiscard]] std::size_t smallest() const noexcept { return smallest_; }
	[[nodiscard]] bool takes(const Graph& graph, const Node& node) const;
	[[nodiscard]] Delegate delegate(const Graph& graph, const std::vector<const Node*>& nodes,
		const std::vector<Value>& outputs) const;
private:
	ProgramFacts facts_;
	FindDefine find_;
	std::size_t smallest_;
};
struct Step {
	std::vector<const Node*> nodes{};
	bool is_delegated = false;
	std::vector<Value> outputs{};
};
[[nodiscard]] std::unordered_set<const Node*> delegated_nodes(const Graph& graph, const Delegation& delegation);
[[nodiscard]] std::vector<Step> schedule(const Graph& graph, const Delegation& delegation);
}
namespace ferry::executorch {
struct SharedData {
	Constants constants{};
	Constants weights{};       
	Constants initial_values{};
	bool is_external = false;  
};
[[nodiscard]] inline std::string weight_name(std::uint32_t number) { return "weights." + std::to_string(number); }
[[nodiscard]] Method emit(const ExportedProgram& program, const std::string& name, const SymRanges& limits,
		Kernels& kernels, const xnnpack::Delegation* delegation, SharedData& shared,
		const ExecutorchConfig& config);
}
namespace ferry::executorch {
void plan_memory(Method& method);
}
namespace ferry::executorch {
[[nodiscard]] SymRanges size_limits(const ExportedProgram& program);
}
#include <bit>
#include <complex>
#include <type_traits>
namespace ferry::detail {
inline void mix_hash(std::size_t& seed, std::size_t value) noexcept {
	seed ^= value + 0x9e3779b97f4a7c15U + (seed << 6U) + (seed >> 2U);
}
[[nodiscard]] inline std::size_t hash_of(const Argument& argument) {
	std::size_t seed = argument.variant().index();
	std::visit(
		[&]<class Type>(const Type& value) {
		if constexpr (std::is_same_v<Type, ArgumentList>) {
		for (const Argument& item : value) mix_hash(seed, hash_of(item));
		} else if constexpr (std::is_same_v<Type, Value> || std::is_same_v<Type, Subgraph>) {
		mix_hash(seed, value.index);
		} else if constexpr (std::is_same_v<Type, Device>) {
		mix_hash(seed, std::hash<std::string>{}(value.type));
		mix_hash(seed, static_cast<std::size_t>(value.index.value_or(-1)));
		} else if constexpr (std::is_same_v<Type, double>) {
		mix_hash(seed, std::bit_cast<std::uint64_t>(value));
		} else if constexpr (std::is_same_v<Type, std::complex<double>>) {
		mix_hash(seed, std::bit_cast<std::uint64_t>(value.real()));
		mix_hash(seed, std::bit_cast<std::uint64_t>(value.imag()));
		} else if constexpr (!std::is_same_v<Type, std::monostate>) {
		mix_hash(seed, std::hash<Type>{}(value));
		}
		},
		argument.variant());
	return seed;
}
[[nodiscard]] inline bool is_identical(const Argument& a, const Argument& b) {
	if (a.variant().index() != b.variant().index()) return false;
	const auto same_bits = [](double x, double y) {
		return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
	};
	if (const auto* x = a.get_if<double>()) return same_bits(*x, *b.get_if<double>());
	if (const auto* x = a.get_if<std::complex<double>>()) {
		const auto* y = b.get_if<std::complex<double>>();
		return same_bits(x->real(), y->real()) && same_bits(x->imag(), y->imag());
	}
	if (const auto* x = a.get_if<ArgumentList>()) return algo::equal(*x, *b.get_if<ArgumentList>(), is_identical);
	return a == b;
}
}
namespace ferry {
namespace detail {
[[nodiscard]] inline std::size_t hash_call(const Node& node) {
	std::size_t seed = std::hash<std::string_view>{}(node.op());
	for (const NamedArgument& argument : node.arguments()) {
		mix_hash(seed, std::hash<std::string_view>{}(argument.name));
		mix_hash(seed, hash_of(argument.value));
	}
	return seed;
}
[[nodiscard]] inline bool is_same_call(const Node& a, const Node& b) {
	const auto same_argument = [](const NamedArgument& x, const NamedArgument& y) {
		return x.name == y.name && is_identical(x.value, y.value);
	};
	const auto same_shape = [](const Output& x, const Output& y) {
		return x.is_list == y.is_list && x.values.size() == y.values.size();
	};
	return a.op() == b.op() && algo::equal(a.arguments(), b.arguments(), same_argument) &&
		algo::equal(a.outputs(), b.outputs(), same_shape);
}
inline std::size_t merge_common_subexpressions(Graph& graph, OpEffects& effects) {
	std::unordered_multimap<std::size_t, Node*> seen;
	std::size_t merged = 0;
	const auto is_output = [&](const Node& node) {
		return algo::any_of(node.outputs(), [&](const Output& output) {
		return algo::any_of(output.values, [&](Value value) { return graph.info(value).output_uses != 0; });
		});
	};
	for (Node& node : graph.nodes()) {
		if (effects.of(graph, node) != Effect::none) continue;
		const std::size_t hash = hash_call(node);
		const auto [first, last] = seen.equal_range(hash);
		const auto equal =
		std::find_if(first, last, [&](const auto& each) { return is_same_call(*each.second, node); });
		if (equal == last) {
		seen.emplace(hash, &node);
		continue;
		}
		if (is_output(node))
		continue;
		for (std::size_t i = 0; i < node.outputs().size(); ++i)
		for (std::size_t k = 0; k < node.outputs()[i].values.size(); ++k)
		graph.replace_uses(node.outputs()[i].values[k], equal->second->outputs()[i].values[k]);
		graph.erase(node);
		++merged;
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		merged += merge_common_subexpressions(graph.subgraph({i}), effects);
	return merged;
}
}
inline std::size_t merge_common_subexpressions(Graph& graph) {
	OpEffects effects;
	const std::size_t merged = detail::merge_common_subexpressions(graph, effects);
	debug_verify(graph);
	return merged;
}
}
namespace ferry {
namespace detail {
[[nodiscard]] inline std::optional<Argument> known_size(const Graph& graph, const Node& node) {
	const Argument* self = node.find("self");
	const Argument* dim = node.find("dim");
	const Value* tensor = self != nullptr ? self->get_if<Value>() : nullptr;
	const std::int64_t* wanted = dim != nullptr ? dim->get_if<std::int64_t>() : nullptr;
	if (tensor == nullptr || wanted == nullptr) return std::nullopt;
	const auto& sizes = graph.info(*tensor).tensor.sizes;
	const auto count = static_cast<std::int64_t>(sizes.size());
	const std::int64_t at = *wanted < 0 ? *wanted + count : *wanted;
	if (at < 0 || at >= count || !sizes[static_cast<std::size_t>(at)].is_constant()) return std::nullopt;
	return sizes[static_cast<std::size_t>(at)].value();
}
[[nodiscard]] inline std::optional<Argument> known_number(const Node& node) {
	const SymCall call = find_sym_call(node.op());
	if (call == nullptr) return std::nullopt;
	std::vector<SymNumber> numbers;
	for (const NamedArgument& argument : node.arguments()) {
		if (const auto* integer = argument.value.get_if<std::int64_t>())
		numbers.emplace_back(*integer);
		else if (const auto* real = argument.value.get_if<double>())
		numbers.emplace_back(*real);
		else if (const auto* flag = argument.value.get_if<bool>())
		numbers.emplace_back(*flag);
		else
		return std::nullopt;
	}
	try {
		return std::visit([](auto number) { return Argument(number); }, call(numbers));
	} catch (const Error&) {
		return std::nullopt;
	}
}
}
inline std::size_t fold_constants(Graph& graph) {
	std::size_t folded = 0;
	for (Node& node : graph.nodes()) {
		if (node.op() == "aten::_assert_scalar") {
		const Argument* condition = node.find("self");
		if (condition == nullptr || !(*condition == Argument(true))) continue;
		} else {
		const auto number =
		node.op() == "aten::sym_size.int" ? detail::known_size(graph, node) : detail::known_number(node);
		if (!number) continue;
		graph.replace_by_constant(node.output(), *number);
		}
		graph.erase(node);
		++folded;
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) folded += fold_constants(graph.subgraph({i}));
	debug_verify(graph);
	return folded;
}
}
namespace ferry {
struct FoldOptions {
	std::int64_t max_bytes = std::int64_t{1} << 16;
	bool weights = false;
	bool (*stays)(const Node&) = [](const Node&) { return true; };
};
namespace detail {
class FoldablePart {
public:
	struct Given {
		Value value;
		at::Tensor tensor;
	};
	FoldablePart(ExportedProgram& program, const FoldOptions& options)
		: graph_(program.graph),
		options_(options),
		writes_(program.graph),
		origins_(program.graph.num_values(), Origin::unknown) {
		find_tensors(program);
		find_nodes();
		if (options_.weights) settle_weights();
		std::erase_if(given_, [&](const Given& each) { return origins_[each.value.index] == Origin::unknown; });
	}
	[[nodiscard]] const std::vector<Node*>& nodes() const noexcept { return nodes_; }
	[[nodiscard]] const std::vector<Given>& given() const noexcept { return given_; }
	[[nodiscard]] bool leaves(Value value) const {
		const ValueInfo& info = graph_.info(value);
		return info.output_uses != 0 ||
		algo::any_of(info.users, [&](const Node* user) { return !in_part_.contains(user); });
	}
	[[nodiscard]] bool is_given_weight(const at::Tensor& tensor) const {
		return tensor.is_contiguous() && algo::any_of(given_, [&](const Given& each) {
		return origins_[each.value.index] == Origin::weight && each.tensor.nbytes() == tensor.nbytes() &&
		each.tensor.is_contiguous() && each.tensor.const_data_ptr() == tensor.const_data_ptr();
		});
	}
private:
	enum class Origin : std::uint8_t {
		unknown,
		constant,
		weight,
	};
	static constexpr std::int64_t largest_step = std::int64_t{1}
		<< 24;
	void find_tensors(const ExportedProgram& program) {
		std::unordered_map<std::string_view, const at::Tensor*> tensors;
		for (const auto& [name, tensor] : program.constants) tensors.emplace(name, &tensor);
		for (const auto& [name, tensor] : program.state) tensors.emplace(name, &tensor);
		for (const OutputSpec& output : program.signature.outputs)
		if (output.kind != OutputKind::user_output) tensors.erase(output.target);
		for (const InputSpec& input : program.signature.inputs) {
		const bool is_constant = input.kind == InputKind::constant_tensor;
		const bool is_weight = input.kind == InputKind::parameter || input.kind == InputKind::buffer;
		if (!is_constant && !(is_weight && options_.weights)) continue;
		const auto found = tensors.find(input.target);
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr || found == tensors.end() || writes_.is_written(*value)) continue;
		const at::Tensor& tensor = *found->second;
		if (!tensor.defined() || tensor.is_meta()) continue;
		const auto size = static_cast<std::int64_t>(tensor.nbytes());
		const bool is_large = size > options_.max_bytes;
		origins_[value->index] = is_weight || (is_large && options_.weights) ? Origin::weight : Origin::constant;
		given_.push_back({*value, tensor});
		weight_bytes_ += size;
		}
	}
	void find_nodes() {
		nodes_.clear();
		in_part_.clear();
		OpEffects effects;
		for (Node& node : graph_.nodes()) {
		const bool is_in = effects.of(graph_, node) == Effect::none && is_known(node);
		const Origin origin = is_in ? origin_of(node) : Origin::unknown;
		for (const Output& output : node.outputs())
		for (const Value value : output.values) origins_[value.index] = origin;
		if (!is_in) continue;
		nodes_.push_back(&node);
		in_part_.insert(&node);
		}
	}
	[[nodiscard]] Origin origin_of(const Node& node) const {
		Origin origin = Origin::constant;
		for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) { origin = std::max(origin, origins_[value.index]); });
		return origin;
	}
	void settle_weights() {
		constexpr int most_rounds = 16;
		for (int round = 0; leave_shared_weights() || leave_growth(); ++round) {
		if (round == most_rounds)
		for (const Given& given : given_)
		if (Origin& origin = origins_[given.value.index]; origin == Origin::weight)
		origin = Origin::unknown;
		find_nodes();
		}
	}
	bool leave_shared_weights() {
		bool is_changed = false;
		for (const Given& given : given_) {
		Origin& origin = origins_[given.value.index];
		if (origin != Origin::weight || !leaves(given.value)) continue;
		origin = Origin::unknown;
		is_changed = true;
		}
		return is_changed;
	}
	bool leave_growth() {
		const std::size_t before = left_.size();
		for (const Node* node : nodes_)
		for (const Output& output : node->outputs())
		for (const Value value : output.values)
		if (origins_[value.index] == Origin::weight && leaves(value) &&
		bytes(graph_.info(value).tensor) > bytes_behind(value))
		left_.insert(node);
		return left_.size() != before;
	}
	[[nodiscard]] std::int64_t bytes_behind(Value value) const {
		const auto width = [&](Value each) { return info(graph_.info(each).tensor.dtype).bytes; };
		std::int64_t total = 0;
		bool is_wider = false;
		std::unordered_set<std::uint32_t> seen{value.index};
		std::vector<Value> open{value};
		while (!open.empty()) {
		const Value last = open.back();
		open.pop_back();
		const Node* producer = graph_.info(last).producer;
		if (producer == nullptr) {
		total = saturated_sum(total, bytes(graph_.info(last).tensor));
		is_wider = is_wider || (origins_[last.index] == Origin::weight && width(last) < width(value));
		continue;
		}
		for (const NamedArgument& argument : producer->arguments())
		for_each_value(argument.value, [&](Value each) {
		if (seen.insert(each.index).second) open.push_back(each);
		});
		}
		return is_wider ? total : saturated_sum(total, options_.max_bytes);
	}
	[[nodiscard]] static std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
		return __builtin_add_overflow(a, b, &a) ? INT64_MAX : a;
	}
	[[nodiscard]] bool is_known(const Node& node) const {
		bool known = !node.op().starts_with("higher_order::") && !left_.contains(&node), takes_weights = false;
		for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) {
		known = known && origins_[value.index] != Origin::unknown;
		takes_weights = takes_weights || origins_[value.index] == Origin::weight;
		});
		const std::int64_t largest = takes_weights ? std::max(largest_step, weight_bytes_) : options_.max_bytes;
		for (const Output& output : node.outputs())
		for (const Value value : output.values) {
		const ValueInfo& info = graph_.info(value);
		known = known && info.kind == ValueKind::tensor && info.output_uses == 0 &&
		bytes(info.tensor) <= largest && !writes_.is_written(value);
		}
		return known;
	}
	[[nodiscard]] std::int64_t bytes(const TensorMeta& meta) const {
		std::int64_t total = info(meta.dtype).bytes;
		for (const SymExpr& size : meta.sizes) {
		if (!size.is_constant()) return INT64_MAX;
		if (__builtin_mul_overflow(total, size.value(), &total)) return INT64_MAX;
		}
		return total;
	}
	Graph& graph_;
	const FoldOptions& options_;
	WrittenInputs writes_;
	std::vector<Origin> origins_;
	std::vector<Given> given_;
	std::int64_t weight_bytes_ = 0;
	std::vector<Node*> nodes_;
	std::unordered_set<const Node*> in_part_;
	std::unordered_set<const Node*> left_;
};
}
}
#include <c10/core/GradMode.h>
namespace ferry {
namespace detail {
[[nodiscard]] inline bool takes_values(const Node& node) {
	return algo::any_of(node.arguments(), [](const NamedArgument& each) { return holds_value(each.value); });
}
class ConstantFolder {
public:
	ConstantFolder(ExportedProgram& program, const FoldOptions& options)
		: program_(program), graph_(program.graph), options_(options), part_(program, options) {}
	std::size_t run() {
		find_results();
		if (results_.empty()) return 0;
		const std::vector<c10::IValue> tensors = compute();
		for (std::size_t i = 0; i < results_.size(); ++i) {
		const at::Tensor& tensor = tensors[i].toTensor();
		if (!part_.is_given_weight(tensor)) add_constant(results_[i], tensor.detach().contiguous());
		}
		return clean_up();
	}
private:
	void find_results() {
		for (Node* node : part_.nodes()) {
		const bool is_going = takes_values(*node) || !options_.stays(*node);
		bool is_needed = false;
		for (const Output& output : node->outputs())
		for (const Value value : output.values) {
		if (!part_.leaves(value)) continue;
		is_needed = true;
		if (is_going) results_.push_back(value);
		}
		if (is_going || !is_needed) going_.push_back(node);
		}
	}
	[[nodiscard]] std::vector<c10::IValue> compute() {
		Graph copy;
		std::vector<c10::IValue> inputs;
		copies_.assign(graph_.num_values(), Value());
		for (const FoldablePart::Given& given : part_.given()) {
		const ValueInfo& info = graph_.info(given.value);
		copies_[given.value.index] = copy.add_input(info.name, {.name = {}, .tensor = info.tensor});
		inputs.emplace_back(given.tensor);
		}
		for (const Node* node : part_.nodes()) append(copy, *node);
		std::vector<Argument> outputs;
		outputs.reserve(results_.size());
		for (const Value result : results_) outputs.emplace_back(copies_[result.index]);
		copy.set_outputs(std::move(outputs));
		const c10::NoGradGuard no_gradients;
		return Interpreter(copy).run(inputs);
	}
	void append(Graph& copy, const Node& node) {
		const auto exchange = [&](Value& value) { value = copies_[value.index]; };
		std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
		for (NamedArgument& argument : arguments) for_each_value(argument.value, exchange);
		std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
		for (Output& output : outputs)
		for (Value& value : output.values)
		value = copies_[value.index] =
		copy.new_value(graph_.info(value).name, {.name = {}, .tensor = graph_.info(value).tensor});
		copy.append(node.op(), std::move(arguments), std::move(outputs));
	}
	void add_constant(Value old, at::Tensor tensor) {
		auto& specs = program_.signature.inputs;
		const auto place = algo::find(specs, InputKind::user_input, &InputSpec::kind);
		std::size_t position = 0;
		for (auto spec = specs.begin(); spec != place; ++spec) position += spec->argument.is<Value>() ? 1 : 0;
		ValueInfo info{.name = {}, .tensor = graph_.info(old).tensor};
		info.tensor.strides.assign(tensor.strides().begin(), tensor.strides().end());
		const std::string target = fresh_target();
		const Value made = graph_.insert_input(position, "c_" + target, std::move(info));
		specs.insert(place, InputSpec{.kind = InputKind::constant_tensor,
		.argument = made,
		.name = graph_.info(made).name,
		.target = target});
		program_.constants.emplace_back(target, std::move(tensor));
		graph_.replace_uses(old, made);
	}
	[[nodiscard]] std::string fresh_target() {
		for (;;) {
		std::string target = "folded_tensor_" + std::to_string(count_++);
		if (!algo::contains(program_.constants, target,
		[](const auto& named) -> const std::string& { return named.first; }))
		return target;
		}
	}
	std::size_t clean_up() {
		std::size_t erased = 0;
		for (std::size_t i = going_.size(); i-- > 0;) {
		Node& node = *going_[i];
		bool used = false;
		for (const Output& output : node.outputs())
		for (const Value value : output.values) used = used || graph_.is_used(value);
		if (used) continue;
		graph_.erase(node);
		++erased;
		}
		std::unordered_set<std::string> gone;
		std::erase_if(program_.signature.inputs, [&](const InputSpec& input) {
		const auto* value = input.argument.get_if<Value>();
		const bool is_taken = value != nullptr && value->index < copies_.size() && copies_[value->index];
		if (!is_taken || graph_.is_used(*value)) return false;
		gone.insert(input.target);
		graph_.erase_input(*value);
		return true;
		});
		const auto is_gone = [&](const auto& named) { return gone.contains(named.first); };
		std::erase_if(program_.constants, is_gone);
		std::erase_if(program_.state, is_gone);
		debug_verify(graph_);
		return erased;
	}
	ExportedProgram& program_;
	Graph& graph_;
	const FoldOptions& options_;
	FoldablePart part_;
	std::vector<Value> results_;
	std::vector<Node*> going_; 
	std::vector<Value> copies_;
	std::size_t count_ = 0;
};
}
inline std::size_t fold_constants(ExportedProgram& program, const FoldOptions& options = {}) {
	const std::size_t sizes = fold_constants(program.graph);
	const std::size_t tensors = detail::ConstantFolder(program, options).run();
	program.renew_outputs();
	return sizes + tensors;
}
}
namespace ferry::executorch {
namespace detail {
class Lowering {
public:
	Lowering(ExportedProgram program, const ExportRules& rules, std::optional<std::int64_t> smallest_delegate,
		bool folds_weights)
		: program_(std::move(program)),
		rules_(rules),
		smallest_delegate_(smallest_delegate),
		folds_weights_(folds_weights) {}
	[[nodiscard]] ExportedProgram run() {
		ferry::detail::settle_checks(program_);
		remove_checks(program_.graph);
		make_writes_functional(program_.graph);
		fold_weights();
		compute_factories();
		fix_nodes([](const Node& node) { return !runs_as_it_is(node.op()); });
		for (int round = 0; round < 3; ++round) {
		const MissingOps missing = without_kernel();
		const bool is_complex = needs_pairs(program_.graph);
		if (missing.empty() && !is_complex) break;
		if (!is_complex && missing.all_of([this](std::string_view op) { return is_hopeless(op); })) refuse(missing);
		program_ = rules_.take_apart(program_);
		remove_checks(program_.graph);
		fold_weights();
		fix_nodes([](const Node& node) { return !runs_as_it_is(node.op()); });
		}
		for (int round = 0; round < 3 && fix_nodes([](const Node&) { return true; }); ++round) {
		}
		if (const MissingOps left = without_kernel(); !left.empty()) refuse(left);
		if (const MissingOps left = of_other_types(); !left.empty()) refuse(left);
		fold_constants(program_);
		merge_common_subexpressions(program_.graph);
		return std::move(program_);
	}
private:
	void fold_weights() {
		restore_linear(program_.graph, true);
		program_.renew_outputs();
		if (folds_weights_) fold_constants(program_, {.weights = true});
	}
	static constexpr std::int64_t largest_table = std::int64_t{1} << 24;
	void compute_factories() {
		const auto is_there = [](const Node& node) { return runs_as_it_is(node.op()); };
		const auto is_factory = [&](const Node& node) {
		return !is_there(node) && !rules_.has_parts(node.op()) && !ferry::detail::takes_values(node);
		};
		if (algo::any_of(program_.graph.nodes(), is_factory))
		fold_constants(program_, {.max_bytes = largest_table, .stays = is_there});
	}
	using Delegations = std::optional<xnnpack::Delegation>;
	[[nodiscard]] Delegations delegation() const {
		if (!smallest_delegate_) return std::nullopt;
		return Delegations(std::in_place, program_, rules_.find_delegation, *smallest_delegate_);
	}
	[[nodiscard]] static std::unordered_set<const Node*> delegated_nodes(const Graph& graph,
		const Delegations& delegation) {
		if (!delegation) return {};
		return xnnpack::delegated_nodes(graph, *delegation);
	}
	template <class IsWanted>
	bool fix_nodes(const IsWanted& is_wanted) {
		const bool is_changed = fix_nodes(program_.graph, is_wanted, delegation());
		program_.renew_outputs();
		return is_changed;
	}
	template <class IsWanted>
	bool fix_nodes(Graph& graph, const IsWanted& is_wanted, const Delegations& delegation) {
		const auto delegated = delegated_nodes(graph, delegation);
		bool is_changed = false;
		for (Node& node : graph.nodes())
		if (is_wanted(node) && !delegated.contains(&node)) is_changed = rules_.fix_node(graph, node) || is_changed;
		for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		is_changed = fix_nodes(graph.subgraph({i}), is_wanted, delegation) || is_changed;
		remove_dead_code(graph);
		return is_changed;
	}
	[[nodiscard]] bool is_hopeless(std::string_view op) const {
		const auto found = find_op(op);
		return !rules_.has_parts(op) && !can_be_paired(op) && !op.starts_with("higher_order::") &&
		!(found && found->schema().is_mutable());
	}
	[[nodiscard]] bool can_be_paired(std::string_view op) const {
		return acts_on_parts(op) || rules_.has_parts(complex_name(op));
	}
	[[nodiscard]] MissingOps without_kernel() const {
		return missing([this](const Graph&, const Node& node) {
		return runs_as_it_is(node.op()) && !rules_.has_parts(node.op());
		});
	}
	[[nodiscard]] static std::optional<DType> other_type(const Graph& graph, const Node& node) {
		const Kernel* kernel = runtime_kernels().find(node.op());
		return kernel != nullptr ? type_without_kernel(graph, node, *kernel) : std::nullopt;
	}
	[[nodiscard]] bool needs_pairs(const Graph& graph) const {
		const auto is_without_kernel = [&](const Node& node) {
		return is_on_complex(graph, node) && can_be_paired(node.op()) && other_type(graph, node);
		};
		if (algo::any_of(graph.nodes(), is_without_kernel)) return true;
		for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		if (needs_pairs(graph.subgraph({i}))) return true;
		return false;
	}
	[[nodiscard]] MissingOps of_other_types() const {
		return missing([](const Graph& graph, const Node& node) { return !other_type(graph, node); },
		[](const Graph& graph, const Node& node) {
		return " of " + std::string(ferry::info(*other_type(graph, node)).torch_name);
		});
	}
	template <class IsKnown, class... Remark>
	[[nodiscard]] MissingOps missing(const IsKnown& is_known, const Remark&... remark) const {
		MissingOps missing;
		const Delegations delegation = this->delegation();
		std::unordered_map<const Graph*, std::unordered_set<const Node*>> delegated;
		missing.look_through(
		program_.graph,
		[&](const Graph& graph, const Node& node) {
		if (is_view(graph, node) || is_known(graph, node)) return true;
		const auto [found, is_new] = delegated.try_emplace(&graph);
		if (is_new) found->second = delegated_nodes(graph, delegation);
		return found->second.contains(&node);
		},
		remark...);
		return missing;
	}
	[[noreturn]] static void refuse(const MissingOps& missing) {
		missing.refuse("no kernel in ExecuTorch's runtime",
		{.hint = "write each in ops that have one: "
		"ExecutorchExporter<extend<executorch_pipeline, decompositions<my_op>>>",
		.where = {.stage = "edge lowering"}});
	}
	ExportedProgram program_;
	const ExportRules& rules_;
	std::optional<std::int64_t> smallest_delegate_;
	bool folds_weights_;
};
}
FERRY_INLINE ExecutorchProgram export_program(ExportedProgram program, const ExecutorchConfig& config,
		const ExportRules& rules) {
	config.check();
	std::optional<std::int64_t> smallest_delegate;
	if (config.backend == "xnnpack") smallest_delegate = config.smallest_delegate.value_or(2);
	const bool folds_weights = !config.external_constants;
	const ExportedProgram lowered = detail::Lowering(std::move(program), rules, smallest_delegate, folds_weights).run();
	std::optional<xnnpack::Delegation> delegation;
	if (smallest_delegate) delegation.emplace(lowered, rules.find_delegation, *smallest_delegate);
	SharedData shared{.is_external = config.external_constants};
	std::vector<Method> methods;
	methods.push_back(emit(lowered, "forward", size_limits(lowered), runtime_kernels(),
		delegation ? &*delegation : nullptr, shared, config));
	plan_memory(methods.back());
	return {std::move(methods), std::move(shared)};
}
}
namespace ferry::executorch {
using Sink = std::function<void(std::span<const std::byte>)>;
}
namespace ferry::executorch {
void serialize(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink);
[[nodiscard]] std::vector<std::byte> serialize_program(const std::vector<Method>& methods, const SharedData& shared);
}
namespace ferry::executorch {
[[nodiscard]] inline bool is_external(std::uint32_t constant, const SharedData& shared) {
	return shared.is_external && constant != 0 && !shared.constants.name(constant).empty();
}
[[nodiscard]] std::string external_name(const TensorValue& value, const SharedData& shared);
void serialize_tensors(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink);
}
namespace ferry {
namespace executorch {
struct ExportedMethods {
	std::vector<Method> methods{};
	SharedData shared{};
};
}
FERRY_INLINE ExecutorchProgram::ExecutorchProgram(std::vector<executorch::Method> methods,
		executorch::SharedData shared)
	: exported_(std::make_shared<executorch::ExportedMethods>(std::move(methods), std::move(shared))) {}
namespace executorch::detail {
class Combination {
public:
	void add(const std::string& name, const ExportedMethods& program) {
		if (program.methods.size() != 1)
		throw Error(
		ErrorKind::invalid_input,
		"'" + name + "' has " + std::to_string(program.methods.size()) + " methods, and one is combined",
		{.hint = "combine programs as an exporter gives them"});
		const std::vector<std::uint32_t> constants = made_.shared.constants.add(program.shared.constants),
		initial = made_.shared.initial_values.add(program.shared.initial_values),
		weights = made_.shared.weights.add(program.shared.weights);
		made_.shared.is_external = made_.shared.is_external || program.shared.is_external;
		Method method = program.methods[0];
		for (MethodValue& value : method.values)
		if (auto* tensor = std::get_if<TensorValue>(&value)) {
		if (tensor->constant != 0) tensor->constant = constants[tensor->constant - 1];
		if (tensor->initial != 0) tensor->initial = initial[tensor->initial - 1];
		}
		for (DelegateData& delegate : method.delegates)
		for (std::uint32_t& each : delegate.weights) each = weights[each - 1];
		append(name, std::move(method));
	}
	void add(const std::string& name, const ConstantMethod& constant) {
		Method method;
		const auto take = [&]<class Value>(const Value& value) {
		if constexpr (std::is_same_v<Value, std::vector<ConstantValue>>)
		for (const ConstantValue& each : value)
		std::visit([&](const auto& one) { method.outputs.push_back(method.add(one)); }, each);
		else
		method.outputs.push_back(method.add(value));
		};
		std::visit(take, constant);
		append(name, std::move(method));
	}
	[[nodiscard]] ExportedMethods finish() { return std::move(made_); }
private:
	void append(const std::string& name, Method method) {
		if (name.empty() || algo::contains(made_.methods, name, &Method::name))
		throw Error(ErrorKind::invalid_input,
		name.empty() ? "a method needs a name" : "two methods are called '" + name + "'");
		method.name = name;
		made_.methods.push_back(std::move(method));
	}
	ExportedMethods made_{};
};
template <class Write>
[[nodiscard]] std::string gathered(const Write& write) {
	std::string bytes;
	write([&](std::span<const std::byte> part) {
		bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
	});
	return bytes;
}
}
FERRY_INLINE ExecutorchProgram
ExecutorchProgram::combine(const std::vector<std::pair<std::string, ExecutorchProgram>>& programs,
		const std::vector<std::pair<std::string, executorch::ConstantMethod>>& constants) {
	executorch::detail::Combination combination;
	for (const auto& [name, program] : programs) combination.add(name, *program.exported_);
	for (const auto& [name, constant] : constants) combination.add(name, constant);
	executorch::ExportedMethods made = combination.finish();
	return {std::move(made.methods), std::move(made.shared)};
}
FERRY_INLINE std::vector<std::string> ExecutorchProgram::methods() const {
	std::vector<std::string> names;
	for (const executorch::Method& method : exported_->methods) names.push_back(method.name);
	return names;
}
FERRY_INLINE std::vector<executorch::MethodSummary> ExecutorchProgram::inspect() const {
	return executorch::summarize_program(executorch::serialize_program(exported_->methods, exported_->shared));
}
FERRY_INLINE ExecutorchProgram ExecutorchProgram::in_one_piece() const {
	if (!exported_->shared.is_external) return *this;
	executorch::ExportedMethods made = *exported_;
	made.shared.is_external = false;
	return {std::move(made.methods), std::move(made.shared)};
}
FERRY_INLINE std::string ExecutorchProgram::buffer() const {
	return executorch::detail::gathered(
		[this](const executorch::Sink& sink) { executorch::serialize(exported_->methods, exported_->shared, sink); });
}
FERRY_INLINE std::string ExecutorchProgram::tensor_data() const {
	if (!exported_->shared.is_external) return {};
	return executorch::detail::gathered([this](const executorch::Sink& sink) {
		executorch::serialize_tensors(exported_->methods, exported_->shared, sink);
	});
}
FERRY_INLINE void ExecutorchProgram::save(const std::filesystem::path& path) const {
	const auto to = [](files::OutputFile& file) {
		return [&file](std::span<const std::byte> part) { file.write(part); };
	};
	files::OutputFile program(path);
	executorch::serialize(exported_->methods, exported_->shared, to(program));
	if (exported_->shared.is_external) {
		files::OutputFile tensors(std::filesystem::path(path).replace_extension(".ptd"));
		executorch::serialize_tensors(exported_->methods, exported_->shared, to(tensors));
		tensors.commit();
	}
	program.commit();
}
}
#include <cstring>
namespace ferry::executorch {
struct ExtendedHeader {
	static constexpr std::size_t at = 8;
	static constexpr std::size_t size = 32;
	std::uint64_t program_size = 0, segments_at = 0, segments_size = 0;
	[[nodiscard]] std::array<std::byte, size> bytes() const {
		std::array<std::byte, size> made{};
		constexpr std::uint32_t length = size;
		std::memcpy(made.data(), mark, sizeof mark);
		std::memcpy(made.data() + 4, &length, 4);
		std::memcpy(made.data() + 8, &program_size, 8);
		std::memcpy(made.data() + 16, &segments_at, 8);
		std::memcpy(made.data() + 24, &segments_size, 8);
		return made;
	}
	[[nodiscard]] static std::optional<ExtendedHeader> read(std::span<const std::byte> file) {
		if (file.size() < at + size || std::memcmp(file.data() + at, mark, sizeof mark) != 0) return std::nullopt;
		ExtendedHeader read;
		std::uint32_t length = 0;
		const std::byte* const header = file.data() + at;
		std::memcpy(&length, header + 4, 4);
		std::memcpy(&read.program_size, header + 8, 8);
		std::memcpy(&read.segments_at, header + 16, 8);
		constexpr std::uint32_t without_segments_size = 24;
		if (length > without_segments_size) std::memcpy(&read.segments_size, header + 24, 8);
		return read;
	}
private:
	static constexpr char mark[4] = {'e', 'h', '0', '0'};
};
}
#include <flatbuffers/flatbuffers.h>
namespace ferry::executorch {
template <class Table>
class Flatbuffer {
public:
	Flatbuffer(std::span<const std::byte> bytes, const char* identifier, const std::string& what)
		: bytes_(bytes.begin(), bytes.end()) {
		const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes_.data());
		constexpr flatbuffers::uoffset_t depth = 64, tables = 10'000'000;
		if (bytes_.size() >= FLATBUFFERS_MAX_BUFFER_SIZE ||
		!flatbuffers::Verifier(data, bytes_.size(), depth, tables).VerifyBuffer<Table>(identifier))
		throw Error(ErrorKind::bad_file, what + " is damaged, or not complete");
	}
	[[nodiscard]] const Table* operator->() const { return flatbuffers::GetRoot<Table>(bytes_.data()); }
private:
	std::vector<std::byte> bytes_;
};
template <class Item>
[[nodiscard]] flatbuffers::uoffset_t count(const flatbuffers::Vector<Item>* items) {
	return items == nullptr ? 0 : items->size();
}
template <class Item, class Index>
[[nodiscard]] auto item(const flatbuffers::Vector<Item>* items, Index index, const char* what) {
	if (!std::in_range<flatbuffers::uoffset_t>(index) || static_cast<flatbuffers::uoffset_t>(index) >= count(items))
		throw Error(ErrorKind::bad_file, std::string("there is no ") + what + ' ' + std::to_string(index));
	return items->Get(static_cast<flatbuffers::uoffset_t>(index));
}
[[nodiscard]] inline std::string text(const flatbuffers::String* string) {
	return string == nullptr ? std::string() : string->str();
}
}
namespace ferry::executorch::xnnpack {
[[nodiscard]] std::size_t count_nodes(std::span<const std::byte> data);
}
#include <ferry_schema/executorch/program_generated.h>
namespace ferry::executorch {
namespace detail {
namespace schema = ::ferry_schema::executorch_flatbuffer;
class FileReader {
public:
	explicit FileReader(std::span<const std::byte> file)
		: file_(file),
		header_(header_of(file)),
		program_(file.first(static_cast<std::size_t>(header_.program_size)), schema::ProgramIdentifier(),
		"the program of the ExecuTorch file") {}
	[[nodiscard]] std::vector<MethodSummary> methods() const {
		std::vector<MethodSummary> made;
		made.reserve(count(program_->execution_plan()));
		for (flatbuffers::uoffset_t i = 0; i < count(program_->execution_plan()); ++i)
		made.push_back(summarize(*program_->execution_plan()->Get(i)));
		return made;
	}
	[[nodiscard]] std::uint64_t data_bytes() const {
		std::uint64_t bytes = 0;
		for (flatbuffers::uoffset_t i = 0; i < count(program_->segments()); ++i) bytes += segment(i).size();
		return bytes;
	}
private:
	using Plan = schema::ExecutionPlan;
	[[nodiscard]] static ExtendedHeader header_of(std::span<const std::byte> file) {
		const ExtendedHeader header = ExtendedHeader::read(file).value_or(ExtendedHeader{.program_size = file.size()});
		if (header.program_size > file.size())
		throw Error(ErrorKind::bad_file, "the ExecuTorch file is shorter than its header says");
		return header;
	}
	[[nodiscard]] std::span<const std::byte> segment(std::size_t index) const {
		const schema::DataSegment* place = item(program_->segments(), index, "segment");
		const std::uint64_t there = file_.size() - std::min<std::uint64_t>(header_.segments_at, file_.size());
		if (place->offset() > there || place->size() > there - place->offset())
		throw Error(ErrorKind::bad_file, "segment " + std::to_string(index) + " of the ExecuTorch file is cut off");
		return file_.subspan(static_cast<std::size_t>(header_.segments_at + place->offset()),
		static_cast<std::size_t>(place->size()));
	}
	[[nodiscard]] MethodSummary summarize(const Plan& plan) const {
		MethodSummary made{.name = text(plan.name()), .delegates = count(plan.delegates())};
		read_slots(plan, plan.inputs(), made.inputs);
		read_slots(plan, plan.outputs(), made.outputs);
		for (flatbuffers::uoffset_t i = 0; i < count(plan.chains()); ++i)
		count_kernels(plan, *plan.chains()->Get(i), made);
		for (flatbuffers::uoffset_t i = 0; i < made.delegates; ++i) read_delegate(*plan.delegates()->Get(i), made);
		for (flatbuffers::uoffset_t i = 0; i < count(plan.non_const_buffer_sizes()); ++i)
		made.planned_bytes += static_cast<std::uint64_t>(plan.non_const_buffer_sizes()->Get(i));
		return made;
	}
	static void read_slots(const Plan& plan, const flatbuffers::Vector<std::int32_t>* values,
		std::vector<MethodSlot>& into) {
		for (flatbuffers::uoffset_t i = 0; i < count(values); ++i)
		into.push_back(slot(*item(plan.values(), values->Get(i), "value")));
	}
	[[nodiscard]] static MethodSlot slot(const schema::EValue& value) {
		switch (value.val_type()) {
		case schema::KernelTypes::Tensor:
		return value.val_as_Tensor() ? slot(*value.val_as_Tensor()) : MethodSlot{};
		case schema::KernelTypes::Int:
		return slot("int", value.val_as_Int(), [](const auto& it) { return it.int_val(); });
		case schema::KernelTypes::Double:
		return slot("float", value.val_as_Double(), [](const auto& it) { return it.double_val(); });
		case schema::KernelTypes::Bool:
		return slot("bool", value.val_as_Bool(), [](const auto& it) { return it.bool_val(); });
		case schema::KernelTypes::String:
		return slot("str", value.val_as_String(), [](const auto& it) { return text(it.string_val()); });
		default: return {.type = "None"};
		}
	}
	template <class Table, class Read>
	[[nodiscard]] static MethodSlot slot(const char* type, const Table* table, const Read& read) {
		return {.type = type, .value = table == nullptr ? tree::Context() : tree::Context(read(*table))};
	}
	[[nodiscard]] static MethodSlot slot(const schema::Tensor& tensor) {
		MethodSlot made{.type = "Tensor",
		.dtype = dtype(tensor.scalar_type()),
		.is_dynamic = tensor.shape_dynamism() != schema::TensorShapeDynamism::STATIC};
		for (flatbuffers::uoffset_t i = 0; i < count(tensor.sizes()); ++i) made.sizes.push_back(tensor.sizes()->Get(i));
		return made;
	}
	[[nodiscard]] static std::optional<DType> dtype(schema::ScalarType type) {
		const auto number = static_cast<std::int8_t>(type);
		return number >= 0 && number <= static_cast<std::int8_t>(DType::uint64)
		? std::optional(static_cast<DType>(number))
		: std::nullopt;
	}
	static void count_kernels(const Plan& plan, const schema::Chain& chain, MethodSummary& into) {
		for (flatbuffers::uoffset_t i = 0; i < count(chain.instructions()); ++i) {
		const schema::KernelCall* const call = chain.instructions()->Get(i)->instr_args_as_KernelCall();
		if (call == nullptr) continue;
		const schema::Operator* const op = item(plan.operators(), call->op_index(), "operator");
		const std::string overload = text(op->overload());
		++into.kernels[overload.empty() ? text(op->name()) : text(op->name()) + '.' + overload];
		++into.kernel_calls;
		}
	}
	void read_delegate(const schema::BackendDelegate& delegate, MethodSummary& into) const {
		const std::string backend = text(delegate.id());
		++into.backends[backend];
		if (backend == "XnnpackBackend" && delegate.processed() != nullptr)
		into.delegated_nodes += xnnpack::count_nodes(data_of(*delegate.processed()));
	}
	[[nodiscard]] std::span<const std::byte> data_of(const schema::BackendDelegateDataReference& place) const {
		if (place.location() == schema::DataLocation::SEGMENT) return segment(place.index());
		const auto* const data = item(program_->backend_delegate_data(), place.index(), "delegate's data")->data();
		return data == nullptr ? std::span<const std::byte>() : std::as_bytes(std::span(data->data(), data->size()));
	}
	std::span<const std::byte> file_;
	ExtendedHeader header_;
	Flatbuffer<schema::Program> program_;
};
}
FERRY_INLINE FileSummary summarize(std::span<const std::byte> file) {
	meet_library();
	const detail::FileReader reader(file);
	return {.methods = reader.methods(), .data_bytes = reader.data_bytes()};
}
FERRY_INLINE std::vector<MethodSummary> summarize_program(std::span<const std::byte> program) {
	return detail::FileReader(program).methods();
}
FERRY_INLINE FileSummary summarize(const std::filesystem::path& path) try {
	return summarize(std::span<const std::byte>(files::MappedFile::open(path)->bytes()));
} catch (const Error& error) {
	if (error.kind() != ErrorKind::bad_file) throw;
	throw Error(error.kind(), error.message(), {.hint = error.hint(), .where = {.path = path.string()}});
}
}
namespace ferry::executorch {
inline constexpr std::array<std::string_view, 202> portable_kernels{
	"_adaptive_avg_pool2d.out",
	"_cdist_forward.out",
	"_conj_physical.out",
	"_fft_c2r.out",
	"_fft_r2c.out",
	"_log_softmax.out",
	"_native_batch_norm_legit.no_stats_out",
	"_native_batch_norm_legit.out",
	"_native_batch_norm_legit_no_training.out",
	"_pdist_forward.out",
	"_softmax.out",
	"_to_copy.out",
	"_upsample_bilinear2d_aa.out",
	"abs.out",
	"acos.out",
	"acosh.out",
	"add.Scalar_out",
	"add.out",
	"addmm.out",
	"alias_copy.out",
	"amax.out",
	"amin.out",
	"any.all_out",
	"any.dims_out",
	"any.out",
	"arange.out",
	"arange.start_out",
	"argmax.out",
	"argmin.out",
	"as_strided_copy.out",
	"asin.out",
	"asinh.out",
	"atan.out",
	"atan2.out",
	"atanh.out",
	"avg_pool2d.out",
	"bitwise_and.Scalar_out",
	"bitwise_and.Tensor_out",
	"bitwise_left_shift.Tensor_Scalar_out",
	"bitwise_left_shift.Tensor_out",
	"bitwise_not.out",
	"bitwise_or.Scalar_out",
	"bitwise_or.Tensor_out",
	"bitwise_right_shift.Tensor_Scalar_out",
	"bitwise_right_shift.Tensor_out",
	"bitwise_xor.Scalar_out",
	"bitwise_xor.Tensor_out",
	"bmm.out",
	"cat.out",
	"ceil.out",
	"clamp.Tensor_out",
	"clamp.out",
	"clone.out",
	"constant_pad_nd.out",
	"convolution.out",
	"copy.out",
	"cos.out",
	"cosh.out",
	"cumsum.out",
	"detach_copy.out",
	"diagonal_copy.out",
	"div.Scalar_mode_out",
	"div.Scalar_out",
	"div.out",
	"div.out_mode",
	"elu.out",
	"embedding.out",
	"empty.out",
	"eq.Scalar_out",
	"eq.Tensor_out",
	"erf.out",
	"exp.out",
	"expand_copy.out",
	"expm1.out",
	"fill.Scalar_out",
	"fill.Tensor_out",
	"flip.out",
	"floor.out",
	"floor_divide.out",
	"fmod.Scalar_out",
	"fmod.Tensor_out",
	"full.out",
	"full_like.out",
	"gather.out",
	"ge.Scalar_out",
	"ge.Tensor_out",
	"gelu.out",
	"glu.out",
	"grid_sampler_2d.out",
	"gt.Scalar_out",
	"gt.Tensor_out",
	"hardtanh.out",
	"index.Tensor_out",
	"index_put.out",
	"index_select.out",
	"isinf.out",
	"isnan.out",
	"le.Scalar_out",
	"le.Tensor_out",
	"leaky_relu.out",
	"lift_fresh_copy.out",
	"linear.out",
	"log.out",
	"log10.out",
	"log1p.out",
	"log2.out",
	"logical_and.out",
	"logical_not.out",
	"logical_or.out",
	"logical_xor.out",
	"logit.out",
	"lt.Scalar_out",
	"lt.Tensor_out",
	"masked_fill.Scalar_out",
	"masked_scatter.out",
	"masked_select.out",
	"max.dim_max",
	"max.unary_out",
	"max_pool2d_with_indices.out",
	"maximum.out",
	"mean.dtype_out",
	"mean.out",
	"min.dim_min",
	"min.unary_out",
	"minimum.out",
	"mm.out",
	"mul.Scalar_out",
	"mul.out",
	"narrow_copy.out",
	"native_group_norm.out",
	"native_layer_norm.out",
	"ne.Scalar_out",
	"ne.Tensor_out",
	"neg.out",
	"nonzero.out",
	"ones.out",
	"permute_copy.out",
	"pixel_shuffle.out",
	"pixel_unshuffle.out",
	"pow.Scalar_out",
	"pow.Tensor_Scalar_out",
	"pow.Tensor_Tensor_out",
	"prod.int_out",
	"prod.out",
	"rand.out",
	"randn.out",
	"reciprocal.out",
	"reflection_pad1d.out",
	"reflection_pad2d.out",
	"reflection_pad3d.out",
	"relu.out",
	"remainder.Scalar_out",
	"remainder.Tensor_out",
	"repeat.out",
	"repeat_interleave.Tensor_out",
	"replication_pad1d.out",
	"replication_pad2d.out",
	"replication_pad3d.out",
	"roll.out",
	"round.out",
	"rsqrt.out",
	"rsub.Scalar_out",
	"scalar_tensor.out",
	"scatter.src_out",
	"scatter.value_out",
	"scatter_add.out",
	"select_copy.int_out",
	"select_scatter.out",
	"sigmoid.out",
	"sign.out",
	"sin.out",
	"sinh.out",
	"slice_copy.Tensor_out",
	"slice_scatter.out",
	"split_copy.Tensor_out",
	"split_with_sizes_copy.out",
	"sqrt.out",
	"squeeze_copy.dim_out",
	"squeeze_copy.dims_out",
	"stack.out",
	"sub.Scalar_out",
	"sub.out",
	"sum.IntList_out",
	"t_copy.out",
	"tan.out",
	"tanh.out",
	"topk.values",
	"transpose_copy.int_out",
	"tril.out",
	"trunc.out",
	"unbind_copy.int_out",
	"unfold_copy.out",
	"unsqueeze_copy.out",
	"upsample_bilinear2d.vec_out",
	"upsample_nearest2d.vec_out",
	"var.correction_out",
	"var.out",
	"var_mean.correction_out",
	"view_as_real_copy.out",
	"view_copy.out",
	"where.self_out",
	"zeros.out",
};
static_assert(std::is_sorted(portable_kernels.begin(), portable_kernels.end()));
inline constexpr std::array<std::string_view, 27> kernels_for_complex{
	"_conj_physical.out",
	"_fft_c2r.out",
	"_fft_r2c.out",
	"abs.out",
	"add.out",
	"alias_copy.out",
	"bmm.out",
	"cat.out",
	"clone.out",
	"detach_copy.out",
	"div.out",
	"expand_copy.out",
	"mul.out",
	"permute_copy.out",
	"repeat.out",
	"select_copy.int_out",
	"slice_copy.Tensor_out",
	"split_copy.Tensor_out",
	"split_with_sizes_copy.out",
	"squeeze_copy.dim_out",
	"squeeze_copy.dims_out",
	"sum.IntList_out",
	"t_copy.out",
	"transpose_copy.int_out",
	"unsqueeze_copy.out",
	"view_as_real_copy.out",
	"view_copy.out",
};
static_assert(std::is_sorted(kernels_for_complex.begin(), kernels_for_complex.end()));
[[nodiscard]] constexpr bool has_portable_kernel(std::string_view kernel) {
	return std::binary_search(portable_kernels.begin(), portable_kernels.end(), kernel);
}
[[nodiscard]] constexpr auto portable_kernels_of(std::string_view op) {
	const auto is_of = [op](std::string_view kernel) { return kernel.substr(0, kernel.find('.')) == op; };
	const auto first = std::find_if(portable_kernels.begin(), portable_kernels.end(), is_of);
	return std::pair(first, std::find_if_not(first, portable_kernels.end(), is_of));
}
}
namespace ferry::executorch {
[[nodiscard]] constexpr bool reads_data(std::string_view op) {
	return op == "aten::_local_scalar_dense" || op == "aten::item";
}
[[nodiscard]] inline bool is_number_op(std::string_view op) {
	return reads_data(op) || op.starts_with("aten::sym_size") || op.starts_with("aten::sym_stride") ||
		op == "aten::sym_numel" || find_sym_call(op) != nullptr;
}
[[nodiscard]] inline std::string function_of_tensor(std::string_view op) {
	for (const std::string_view space : {"torch::_sym_", "torch::sym_", "math::"})
		if (op.starts_with(space)) {
		std::string kernel = std::string(op.substr(space.size())).append(".out");
		if (has_portable_kernel(kernel)) return "aten::" + kernel;
		}
	return {};
}
[[nodiscard]] constexpr std::string_view number_function(std::string_view op) {
	constexpr std::array<std::pair<std::string_view, std::string_view>, 18> functions{{
		{"_operator::add", "executorch_prim::add.Scalar"},
		{"_operator::sub", "executorch_prim::sub.Scalar"},
		{"_operator::mul", "executorch_prim::mul.Scalar"},
		{"_operator::floordiv", "executorch_prim::floordiv.Scalar"},
		{"_operator::truediv", "executorch_prim::truediv.Scalar"},
		{"_operator::mod", "executorch_prim::mod.Scalar"},
		{"_operator::neg", "executorch_prim::neg.Scalar"},
		{"_operator::eq", "executorch_prim::eq.Scalar"},
		{"_operator::lt", "executorch_prim::lt.Scalar"},
		{"_operator::le", "executorch_prim::le.Scalar"},
		{"_operator::gt", "executorch_prim::gt.Scalar"},
		{"_operator::ge", "executorch_prim::ge.Scalar"},
		{"torch::sym_float", "executorch_prim::sym_float.Scalar"},
		{"torch::sym_max", "executorch_prim::sym_max.Scalar"},
		{"torch::sym_min", "executorch_prim::sym_min.Scalar"},
		{"math::ceil", "executorch_prim::ceil.Scalar"},
		{"math::trunc", "executorch_prim::trunc.Scalar"},
		{"builtins::round", "executorch_prim::round.Scalar"},
	}};
	for (const auto& [name, function] : functions)
		if (name == op) return function;
	return {};
}
}
namespace ferry::executorch {
namespace detail {
[[nodiscard]] constexpr bool is_control_flow(std::string_view op) {
	return op == "higher_order::cond" || op == "higher_order::while_loop" || op == "higher_order::scan" ||
		op == "higher_order::map_impl";
}
}
FERRY_INLINE Kernels& runtime_kernels() {
	thread_local Kernels kernels;
	return kernels;
}
FERRY_INLINE bool runs_as_it_is(std::string_view op) {
	return op_table<type_list<always_views>>::contains(op) || is_number_op(op) || detail::is_control_flow(op) ||
		runtime_kernels().find(op) != nullptr;
}
FERRY_INLINE bool stays_whole(std::string_view op) { return op == "aten::matmul" || runs_as_it_is(op); }
}
#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>
#include <cmath>
#include <numbers>
namespace ferry::executorch::parts {
FERRY_INLINE at::Tensor vector_norm::decompose(const at::Tensor& self, const at::Scalar& order,
		at::OptionalIntArrayRef dim, bool keep,
		std::optional<at::ScalarType> dtype) {
	const at::ScalarType made = dtype.value_or(self.scalar_type());
	const at::Tensor size = decomposed::wide(decomposed::cast(self, made)).abs();
	std::vector<std::int64_t> dims;
	if (dim) dims = dim->vec();
	if (dims.empty())
		for (std::int64_t i = 0; i < self.dim(); ++i) dims.push_back(i);
	const double p = order.toDouble();
	const auto total = [&](const at::Tensor& terms) { return at::sum(terms, dims, keep); };
	const auto norm = [&]() -> at::Tensor {
		if (p == std::numeric_limits<double>::infinity()) return at::amax(size, dims, keep);
		if (p == -std::numeric_limits<double>::infinity()) return at::amin(size, dims, keep);
		if (p == 0) return total(size.ne(0).to(size.scalar_type()));
		if (p == 1) return total(size);
		if (p == 2) return total(size * size).sqrt();
		return total(size.pow(p)).pow(1 / p);
	};
	return decomposed::cast(norm(), made);
}
FERRY_INLINE at::Tensor exp2::decompose(const at::Tensor& self) {
	return decomposed::widely(decomposed::as_float(self),
		[](const at::Tensor& x) { return (x * std::numbers::ln2).exp(); });
}
FERRY_INLINE at::Tensor erfc::decompose(const at::Tensor& self) {
	return decomposed::widely(decomposed::as_float(self), [](const at::Tensor& x) {
		const at::Tensor far = x.clamp_min(2.5), square = far * far;
		at::Tensor fraction = far;
		for (int k = 24; k >= 1; --k) fraction = far + (k / 2.0) / fraction;
		const at::Tensor tail = (-square).exp() / (fraction * std::sqrt(std::numbers::pi));
		return at::where(x.gt(2.5), tail, 1 - x.erf());
	});
}
FERRY_INLINE at::Tensor fmax::decompose(const at::Tensor& self, const at::Tensor& other) {
	at::Tensor most = at::maximum(self, other);
	if (!most.is_floating_point()) return most;
	return at::where(self.isnan(), other, at::where(other.isnan(), self, most));
}
FERRY_INLINE at::Tensor fmin::decompose(const at::Tensor& self, const at::Tensor& other) {
	at::Tensor least = at::minimum(self, other);
	if (!least.is_floating_point()) return least;
	return at::where(self.isnan(), other, at::where(other.isnan(), self, least));
}
FERRY_INLINE at::Tensor hypot::decompose(const at::Tensor& self, const at::Tensor& other) {
	const at::Tensor a = decomposed::wide(self).abs(), b = decomposed::wide(other).abs();
	const at::Tensor most = at::maximum(a, b), safe = at::where(most.eq(0), most + 1, most);
	const at::Tensor ratio = at::minimum(a, b) / safe;
	const at::Tensor length = at::where(most.isinf(), most, most * (ratio * ratio + 1).sqrt());
	return decomposed::cast(length, at::result_type(self, other));
}
}
#include <ATen/ScalarOps.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/WrapDimMinimal.h>
namespace ferry::executorch::parts {
namespace detail {
using ferry::detail::paired;
struct Parts {
	at::Tensor real;
	at::Tensor imaginary{};
	[[nodiscard]] at::Tensor pairs() const {
		return paired(real, imaginary.defined() ? imaginary : at::zeros_like(real));
	}
};
[[nodiscard]] inline Parts parts_of(const c10::Scalar& number) {
	if (!number.isComplex()) return {at::native::wrapped_scalar_tensor(number)};
	const c10::complex<double> whole = number.toComplexDouble();
	return {at::native::wrapped_scalar_tensor(whole.real()), at::native::wrapped_scalar_tensor(whole.imag())};
}
[[nodiscard]] inline Parts parts_of(const at::Tensor& pairs) { return {pairs.select(-1, 0), pairs.select(-1, 1)}; }
[[nodiscard]] inline Parts parts_of(const at::Tensor& tensor, std::string_view argument) {
	if (decomposed::is_paired(argument)) return parts_of(tensor);
	return tensor.is_complex() ? parts_of(ferry::detail::written_number(tensor)) : Parts{tensor};
}
template <class Times>
[[nodiscard]] Parts product(const Parts& a, const Parts& b, const Times& times) {
	if (!b.imaginary.defined()) return {times(a.real, b.real), times(a.imaginary, b.real)};
	if (!a.imaginary.defined()) return {times(a.real, b.real), times(a.real, b.imaginary)};
	return {times(a.real, b.real) - times(a.imaginary, b.imaginary),
		times(a.real, b.imaginary) + times(a.imaginary, b.real)};
}
[[nodiscard]] inline Parts product(const Parts& a, const Parts& b) {
	return product(a, b, [](const at::Tensor& x, const at::Tensor& y) { return x * y; });
}
[[nodiscard]] inline at::Tensor squared_length(const Parts& of) {
	return of.real * of.real + of.imaginary * of.imaginary;
}
[[nodiscard]] inline at::Tensor length(const Parts& of) { return squared_length(of).sqrt(); }
[[nodiscard]] inline Parts inverse(const Parts& of) {
	const at::Tensor square = squared_length(of);
	return {of.real / square, -of.imaginary / square};
}
[[nodiscard]] inline Parts from_polar(const at::Tensor& length, const at::Tensor& angle) {
	return {length * angle.cos(), length * angle.sin()};
}
[[nodiscard]] inline Parts waves_of(const at::Tensor& x, std::int64_t dim, std::int64_t normalization) {
	const Parts half = parts_of(at::view_as_real(at::_fft_r2c(x, {dim}, normalization, /*onesided=*/true)));
	const auto mirror = [&](const at::Tensor& part) { return part.slice(dim, 1, (x.size(dim) + 1) / 2).flip({dim}); };
	return {at::cat({half.real, mirror(half.real)}, dim), at::cat({half.imaginary, -mirror(half.imaginary)}, dim)};
}
[[nodiscard]] inline Parts transformed(Parts x, std::int64_t dim, std::int64_t normalization, bool forward) {
	const std::int64_t from_front = c10::maybe_wrap_dim(dim, x.real.dim());
	if (!x.imaginary.defined()) return waves_of(x.real, from_front, normalization);
	if (!forward) std::swap(x.real, x.imaginary);
	const Parts a = waves_of(x.real, from_front, normalization), b = waves_of(x.imaginary, from_front, normalization);
	Parts made{a.real - b.imaginary, a.imaginary + b.real};
	if (!forward) std::swap(made.real, made.imaginary);
	return made;
}
[[nodiscard]] inline at::Tensor transformed(Parts x, at::IntArrayRef dims, std::int64_t normalization, bool forward) {
	for (const std::int64_t dim : dims) x = transformed(std::move(x), dim, normalization, forward);
	return x.pairs();
}
}
FERRY_INLINE at::Tensor view_of_pairs::decompose(const at::Tensor& self) { return self; }
FERRY_INLINE at::Tensor complex_results::decompose(const at::Tensor& self) {
	const at::Tensor real = self.narrow(-1, 0, 1), imaginary = self.narrow(-1, 1, 1), zero = at::zeros_like(real);
	return at::_fft_r2c(at::cat({real, zero, zero, imaginary}, -1), {real.dim() - 1}, 0, /*onesided=*/true)
		.select(-1, 1);
}
FERRY_INLINE at::Tensor conjugate::decompose(const at::Tensor& self) {
	return detail::paired(self.select(-1, 0), -self.select(-1, 1));
}
FERRY_INLINE at::Tensor real_part::decompose(const at::Tensor& self) { return self.select(-1, 0); }
FERRY_INLINE at::Tensor imaginary_part::decompose(const at::Tensor& self) { return self.select(-1, 1); }
FERRY_INLINE at::Tensor cast_complex::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout>, std::optional<at::Device>,
		std::optional<bool>, bool, std::optional<at::MemoryFormat>) {
	const bool was_complex = decomposed::is_paired("self"), is_complex = !dtype || c10::isComplexType(*dtype);
	const at::Tensor cast = decomposed::cast(was_complex && !is_complex ? self.select(-1, 0) : self,
		c10::toRealValueType(dtype.value_or(self.scalar_type())));
	return is_complex && !was_complex ? detail::Parts{cast}.pairs() : cast;
}
FERRY_INLINE at::Tensor make_complex::decompose(const at::Tensor& real, const at::Tensor& imaginary) {
	const std::vector<at::Tensor> both = at::broadcast_tensors({real, imaginary});
	return detail::paired(both[0], both[1]);
}
FERRY_INLINE at::Tensor polar::decompose(const at::Tensor& length, const at::Tensor& angle) {
	return detail::from_polar(length, angle).pairs();
}
FERRY_INLINE at::Tensor complex_full::decompose(at::IntArrayRef size, const at::Scalar& value,
		std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
		std::optional<at::Device> device, std::optional<bool> pinned) {
	const c10::complex<double> whole = value.toComplexDouble();
	const at::ScalarType type =
		c10::toRealValueType(dtype.value_or(c10::typeMetaToScalarType(c10::get_default_dtype())));
	return detail::paired(at::full(size, whole.real(), type, layout, device, pinned),
		at::full(size, whole.imag(), type, layout, device, pinned));
}
FERRY_INLINE at::Tensor complex_ones::decompose(at::IntArrayRef size, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned) {
	return complex_full::decompose(size, 1, dtype, layout, device, pinned);
}
FERRY_INLINE at::Tensor complex_fill::decompose(const at::Tensor& self, const at::Scalar& value) {
	const c10::complex<double> whole = value.toComplexDouble();
	const at::Tensor part = decomposed::is_paired("self") ? self.select(-1, 0) : self;
	return detail::paired(at::full_like(part, whole.real()), at::full_like(part, whole.imag()));
}
FERRY_INLINE at::Tensor complex_full_like::decompose(const at::Tensor& self, const at::Scalar& value,
		std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
		std::optional<at::Device>, std::optional<bool>,
		std::optional<at::MemoryFormat>) {
	if (dtype && !c10::isComplexType(*dtype)) return at::full_like(self.select(-1, 0), value, *dtype);
	return complex_fill::decompose(dtype ? decomposed::cast(self, c10::toRealValueType(*dtype)) : self, value);
}
FERRY_INLINE at::Tensor complex_ones_like::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout> layout, std::optional<at::Device> device,
		std::optional<bool> pinned,
		std::optional<at::MemoryFormat> format) {
	return complex_full_like::decompose(self, 1, dtype, layout, device, pinned, format);
}
FERRY_INLINE at::Tensor complex_abs::decompose(const at::Tensor& self) {
	return detail::length(detail::parts_of(self));
}
FERRY_INLINE at::Tensor complex_angle::decompose(const at::Tensor& self) {
	return at::atan2(self.select(-1, 1), self.select(-1, 0));
}
FERRY_INLINE at::Tensor complex_exp::decompose(const at::Tensor& self) {
	return detail::from_polar(self.select(-1, 0).exp(), self.select(-1, 1)).pairs();
}
FERRY_INLINE at::Tensor complex_reciprocal::decompose(const at::Tensor& self) {
	return detail::inverse(detail::parts_of(self)).pairs();
}
FERRY_INLINE at::Tensor complex_power::decompose(const at::Tensor& self, const at::Scalar& exponent) {
	TORCH_CHECK(!exponent.isComplex(), "pow: powers that are complex numbers are not supported");
	const double power = exponent.toDouble();
	const detail::Parts given = detail::parts_of(self);
	if (power == 1 || power == 2 || power == 3) {
		detail::Parts made = given;
		for (int i = 1; i < static_cast<int>(power); ++i) made = detail::product(made, given);
		return made.pairs();
	}
	const at::Tensor angle = at::atan2(given.imaginary, given.real);
	return detail::from_polar(detail::length(given).pow(power), angle * power).pairs();
}
FERRY_INLINE at::Tensor complex_product::decompose(const at::Tensor& self, const at::Tensor& other) {
	return detail::product(detail::parts_of(self, "self"), detail::parts_of(other, "other")).pairs();
}
FERRY_INLINE at::Tensor complex_multiple::decompose(const at::Tensor& self, const at::Scalar& other) {
	return detail::product(detail::parts_of(self, "self"), detail::parts_of(other)).pairs();
}
FERRY_INLINE at::Tensor complex_quotient::decompose(const at::Tensor& self, const at::Tensor& other) {
	const detail::Parts a = detail::parts_of(self, "self"), b = detail::parts_of(other, "other");
	if (!b.imaginary.defined()) return detail::Parts{a.real / b.real, a.imaginary / b.real}.pairs();
	return detail::product(a, detail::inverse(b)).pairs();
}
FERRY_INLINE at::Tensor complex_matrix_product::decompose(const at::Tensor& self, const at::Tensor& other) {
	return detail::product(detail::parts_of(self, "self"), detail::parts_of(other, "mat2"),
		[](const at::Tensor& x, const at::Tensor& y) { return at::matmul(x, y); })
		.pairs();
}
FERRY_INLINE at::Tensor fourier::decompose(const at::Tensor& self, at::IntArrayRef dims, std::int64_t normalization,
		bool forward) {
	return detail::transformed(detail::parts_of(self), dims, normalization, forward);
}
FERRY_INLINE at::Tensor fourier_of_real::decompose(const at::Tensor& self, at::IntArrayRef dims,
		std::int64_t normalization, bool onesided) {
	if (onesided) return at::view_as_real(at::_fft_r2c(self, dims, normalization, onesided));
	return detail::transformed(detail::Parts{self}, dims, normalization, /*forward=*/true);
}
}
#include <ATen/ops/arange.h>
namespace ferry::executorch::parts::detail {
[[nodiscard]] inline at::TensorOptions beside(const at::Tensor& like, at::ScalarType dtype) {
	return at::TensorOptions().dtype(dtype).device(decomposed::real_device(like));
}
[[nodiscard]] inline at::Tensor count_up_to(const at::Tensor& like, std::int64_t end) {
	return at::arange(end, beside(like, at::kLong));
}
[[nodiscard]] inline at::Tensor filled(const at::Tensor& like, at::IntArrayRef sizes, const at::Scalar& number) {
	return at::full(sizes, number, beside(like, like.scalar_type()));
}
}
#include <ATen/ops/bmm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
namespace ferry::executorch::parts {
FERRY_INLINE at::Tensor grouped_product::decompose(const at::Tensor& self, const at::Tensor& weights,
		const std::optional<at::Tensor>& ends,
		const std::optional<at::Tensor>&,
		std::optional<at::ScalarType> dtype) {
	const at::ScalarType made = dtype.value_or(self.scalar_type());
	if (self.dim() == 3 && weights.dim() == 3) return decomposed::cast(at::bmm(self, weights), made);
	TORCH_CHECK(self.dim() == 2 && weights.dim() == 3 && ends && ends->defined(),
		"_grouped_mm: groups of the first matrix's rows are supported, not those of its columns");
	const at::Tensor row =
		at::arange(self.size(0), at::TensorOptions().dtype(at::kInt).device(decomposed::real_device(self)))
		.unsqueeze(1);
	at::Tensor total;
	for (std::int64_t group = 0; group < weights.size(0); ++group) {
		const at::Tensor product = at::mm(self, weights.select(0, group));
		if (!total.defined()) {
		total = product;
		continue;
		}
		total = at::where(row.ge(ends->select(0, group - 1)), product, total);
	}
	return decomposed::cast(total, made);
}
FERRY_INLINE at::Tensor attention::decompose(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
		const std::optional<at::Tensor>& mask, double dropout, bool causal,
		std::optional<double> scale, bool grouped) {
	const bool has_mask = mask && mask->defined();
	if (query.scalar_type() != at::kFloat || dropout > 0 || (!scale && decomposed::may_vary("query", -1)))
		return decomposed::attention::decompose(query, key, value, mask, dropout, causal, scale, grouped);
	constexpr double hidden = -1e30;
	const auto spread = [&](const at::Tensor& each) {
		const std::int64_t heads = query.size(-3), own = each.size(-3);
		return grouped && heads != own ? each.repeat_interleave(heads / own, -3) : each;
	};
	const auto bias_of = [&](const at::Tensor& allowed) {
		return at::where(allowed, decomposed::number_like(query, 0.0), decomposed::number_like(query, hidden));
	};
	const double factor = scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1))));
	const at::Tensor scores = at::matmul(query * factor, spread(key).transpose(-2, -1));
	const auto weights = [&]() -> at::Tensor {
		if (causal) {
		const at::Tensor seen =
		decomposed::offsets_from_diagonal(query.size(-2), key.size(-2), decomposed::real_device(query)).le(0);
		return at::softmax(scores + bias_of(seen), -1);
		}
		if (!has_mask) return at::softmax(scores, -1);
		const bool is_choice = mask->scalar_type() == at::kBool;
		const at::Tensor bias = is_choice ? bias_of(*mask) : mask->clamp_min(hidden);
		const at::Tensor seen = (is_choice ? *mask : mask->gt(-std::numeric_limits<double>::infinity())).any(-1, true);
		return at::softmax(scores + bias, -1) * seen.to(at::kFloat);
	};
	return at::matmul(weights(), spread(value));
}
FERRY_INLINE at::Tensor affine_grid::decompose(const at::Tensor& maps, at::IntArrayRef sizes, bool align_corners) {
	const at::IntArrayRef image = sizes.slice(2);
	const auto dims = static_cast<std::int64_t>(image.size());
	return decomposed::widely(maps, [&](const at::Tensor& map) {
		at::DimVector of_map(image.size() + 2, 1);
		of_map.front() = map.size(0);
		of_map.back() = dims;
		at::Tensor made = map.select(-1, dims).reshape(of_map);
		for (std::int64_t dim = 0; dim < dims; ++dim) {
		const std::int64_t size = image[static_cast<std::size_t>(dim)];
		const at::Tensor number = detail::count_up_to(map, size).to(map.scalar_type()) * 2;
		const at::Tensor at = align_corners ? number / std::max<std::int64_t>(size - 1, 1) - (size > 1 ? 1 : 0)
		: (number + 1) / size - 1;
		at::DimVector along(image.size() + 2, 1);
		along[static_cast<std::size_t>(dim) + 1] = size;
		made = made + at.reshape(along) * map.select(-1, dims - 1 - dim).reshape(of_map);
		}
		return made;
	});
}
FERRY_INLINE at::Tensor prelu::decompose(const at::Tensor& self, const at::Tensor& weight) {
	return self.clamp_min(0) + weight * self.clamp_max(0);
}
FERRY_INLINE batch_norm_in_training::Results batch_norm_in_training::decompose(
	const at::Tensor& input, const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
	const at::Tensor& running_mean, const at::Tensor& running_variance, bool training, double momentum,
	double epsilon) {
	const at::Tensor x = decomposed::wide(input);
	std::vector<std::int64_t> others, channels(static_cast<std::size_t>(x.dim()), 1);
	for (std::int64_t dim = 0; dim < x.dim(); ++dim)
		if (dim != 1) others.push_back(dim);
	channels[1] = running_mean.size(0);
	const auto along = [&](const at::Tensor& each) { return decomposed::wide(each).reshape(channels); };
	const at::Tensor mean = training ? x.mean(others) : decomposed::wide(running_mean);
	const at::Tensor variance = training ? x.var(others, false) : decomposed::wide(running_variance);
	const at::Tensor inverse = (variance + epsilon).rsqrt();
	at::Tensor made = (x - along(mean)) * along(inverse);
	if (weight && weight->defined()) made = made * along(*weight);
	if (bias && bias->defined()) made = made + along(*bias);
	made = decomposed::cast(made, input.scalar_type());
	if (!training) return {made, mean, inverse, running_mean, running_variance};
	const auto renewed = [&](const at::Tensor& old, const at::Tensor& now) {
		return decomposed::cast(decomposed::wide(old) * (1 - momentum) + now * momentum, old.scalar_type());
	};
	return {made, mean, inverse, renewed(running_mean, mean), renewed(running_variance, x.var(others, true))};
}
FERRY_INLINE at::Tensor view::decompose(const at::Tensor& self, at::IntArrayRef size) { return self.reshape(size); }
}
namespace ferry::executorch::parts {
namespace detail {
[[nodiscard]] inline at::Tensor as_indices(const at::Tensor& counts, bool out_int32) {
	return out_int32 ? counts.to(at::kInt) : counts;
}
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> sort::decompose(const at::Tensor& self, std::int64_t dim,
		bool descending) {
	if (self.dim() == 0) return {self.clone(), self.to(at::kLong).mul(0)};
	const std::int64_t size = self.size(dim);
	if (self.is_floating_point()) return self.topk(size, dim, descending, true);
	const std::int64_t at = c10::maybe_wrap_dim(dim, self.dim());
	at::DimVector sizes(static_cast<std::size_t>(self.dim()), 1);
	sizes[static_cast<std::size_t>(at)] = size;
	const at::Tensor places = detail::count_up_to(self, size).view(sizes);
	const at::Tensor keys = self.to(at::kLong) * size + (descending ? (size - 1) - places : places);
	const at::Tensor order = std::get<1>(keys.topk(size, dim, descending, true));
	return {self.gather(dim, order), order};
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> stable_sort::decompose(const at::Tensor& self, std::optional<bool>,
		std::int64_t dim, bool descending) {
	return sort::decompose(self, dim, descending);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> kthvalue::decompose(const at::Tensor& self, std::int64_t k,
		std::int64_t dim, bool keepdim) {
	const auto [values, places] = sort::decompose(self, dim, /*descending=*/false);
	if (self.dim() == 0) return {values, places};
	const at::Tensor value = values.slice(dim, k - 1, k), place = places.slice(dim, k - 1, k);
	return keepdim ? std::tuple(value, place) : std::tuple(value.squeeze(dim), place.squeeze(dim));
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> median_along::decompose(const at::Tensor& self, std::int64_t dim,
		bool keepdim) {
	if (self.dim() == 0) return {self.clone(), self.to(at::kLong).mul(0)};
	const auto [value, place] = kthvalue::decompose(self, (self.size(dim) + 1) / 2, dim, keepdim);
	if (!self.is_floating_point()) return {value, place};
	const at::Tensor is_none = self.ne(self), any = is_none.any(dim, keepdim);
	const at::Tensor none = decomposed::number_like(self, std::numeric_limits<double>::quiet_NaN());
	return {at::where(any, none, value), at::where(any, is_none.to(at::kLong).argmax(dim, keepdim), place)};
}
FERRY_INLINE at::Tensor median::decompose(const at::Tensor& self) {
	return std::get<0>(median_along::decompose(self.reshape(-1), 0, false));
}
FERRY_INLINE at::Tensor bucketize::decompose(const at::Tensor& self, const at::Tensor& boundaries, bool out_int32,
		bool right) {
	const at::Tensor values = self.unsqueeze(-1);
	const at::Tensor below = right ? boundaries.le(values) : boundaries.lt(values);
	return detail::as_indices(below.sum(-1), out_int32);
}
FERRY_INLINE at::Tensor searchsorted::decompose(const at::Tensor& sorted, const at::Tensor& self, bool out_int32,
		bool right, std::optional<std::string_view> side,
		const std::optional<at::Tensor>& sorter) {
	const at::Tensor rows = sorter && sorter->defined() ? sorted.gather(-1, *sorter) : sorted;
	const at::Tensor among = rows.dim() == 1 ? rows : rows.unsqueeze(-2), values = self.unsqueeze(-1);
	const bool after_equals = right || (side && *side == "right");
	return detail::as_indices((after_equals ? among.le(values) : among.lt(values)).sum(-1), out_int32);
}
FERRY_INLINE at::Tensor histogram::decompose(const at::Tensor& self, std::int64_t bins, const at::Scalar& min,
		const at::Scalar& max) {
	const at::Tensor values = decomposed::wide(self.is_floating_point() ? self : self.to(at::kFloat)).reshape({-1, 1});
	at::Tensor low = decomposed::number_like(values, min), high = decomposed::number_like(values, max);
	if (min.toDouble() == max.toDouble()) {
		const bool of_data = min.toDouble() == 0;
		if (of_data) {
		low = values.min();
		high = values.max();
		}
		const at::Tensor is_point = low.eq(high).to(values.scalar_type());
		low = low - is_point;
		high = high + is_point;
	}
	const at::Tensor bin = ((values - low) * bins / (high - low)).floor().clamp_max(static_cast<double>(bins - 1));
	const at::Tensor is_inside = values.ge(low).logical_and(values.le(high));
	const at::Tensor numbers = detail::count_up_to(self, bins).to(values.scalar_type());
	return bin.eq(numbers).logical_and(is_inside).sum(0).to(self.scalar_type());
}
}
#include <numeric>
namespace ferry::executorch::parts {
namespace detail {
struct Windows {
	at::Tensor first, end;
	std::int64_t count, width;
	[[nodiscard]] at::Tensor positions() const { return first + count_up_to(first, width); }
};
[[nodiscard]] inline Windows shared_out(const at::Tensor& self, std::int64_t size, std::int64_t count) {
	const at::Tensor number = count_up_to(self, count).unsqueeze(1);
	return {.first = (number * size).floor_divide(count),
		.end = (number * size + (size + count - 1)).floor_divide(count),
		.count = count,
		.width = (size + count - 1) / count + 1};
}
struct Stepping {
	std::int64_t kernel, stride, padding;
	bool ceil_mode;
};
[[nodiscard]] inline std::vector<Stepping> stepping(at::IntArrayRef kernel, at::IntArrayRef stride,
		at::IntArrayRef padding, bool ceil_mode) {
	const auto of = [](at::IntArrayRef list, std::size_t dim) { return list.size() == 1 ? list[0] : list[dim]; };
	std::vector<Stepping> all;
	all.reserve(3);
	for (std::size_t dim = 0; dim < 3; ++dim)
		all.push_back({of(kernel, dim), of(stride.empty() ? kernel : stride, dim), of(padding, dim), ceil_mode});
	return all;
}
[[nodiscard]] inline Windows in_steps(const at::Tensor& self, std::int64_t size, const Stepping& by) {
	const std::int64_t room = size + 2 * by.padding - by.kernel;
	std::int64_t count = (room + (by.ceil_mode ? by.stride - 1 : 0)) / by.stride + 1;
	if (by.ceil_mode && (count - 1) * by.stride >= size + by.padding) --count;
	const at::Tensor first = (count_up_to(self, count) * by.stride - by.padding).unsqueeze(1);
	return {.first = first, .end = first + by.kernel, .count = count, .width = by.kernel};
}
[[nodiscard]] inline at::Tensor taken_apart(const at::Tensor& self, std::int64_t dim, const Windows& windows,
		const at::Tensor& positions) {
	at::DimVector sizes(self.sizes());
	sizes[static_cast<std::size_t>(dim)] = windows.count;
	sizes.insert(sizes.begin() + dim + 1, windows.width);
	return self.index_select(dim, positions.reshape(-1)).reshape(sizes);
}
[[nodiscard]] inline at::Tensor sums_along(const at::Tensor& self, std::int64_t dim, const Windows& windows,
		const std::optional<at::Tensor>& share) {
	const std::int64_t size = self.size(dim);
	const at::Tensor at = windows.positions();
	const at::Tensor is_in = at.ge(0).logical_and(at.lt(windows.end.clamp_max(size)));
	at::Tensor weight = is_in.to(self.scalar_type());
	if (share) weight = weight / *share;
	at::DimVector sizes(static_cast<std::size_t>(self.dim()) + 1, 1);
	sizes[static_cast<std::size_t>(dim)] = windows.count;
	sizes[static_cast<std::size_t>(dim) + 1] = windows.width;
	return (taken_apart(self, dim, windows, at.clamp(0, size - 1)) * weight.reshape(sizes)).sum(dim + 1);
}
[[nodiscard]] inline std::tuple<at::Tensor, at::Tensor> largest_of(const at::Tensor& self,
		const std::vector<Windows>& windows) {
	const auto dims = static_cast<std::int64_t>(windows.size()), first = self.dim() - dims;
	at::Tensor taken = self, places = decomposed::number_like(self, 0, at::kLong);
	std::vector<std::int64_t> order(static_cast<std::size_t>(first));
	std::iota(order.begin(), order.end(), 0);
	for (const std::int64_t part : {0, 1})
		for (std::int64_t i = 0; i < dims; ++i) order.push_back(first + 2 * i + part);
	for (std::int64_t i = 0; i < dims; ++i) {
		const Windows& along = windows[static_cast<std::size_t>(i)];
		const std::int64_t size = self.size(first + i);
		const at::Tensor at = along.positions().minimum(along.end.clamp_max(size) - 1).clamp_min(0);
		taken = taken_apart(taken, first + 2 * i, along, at);
		at::DimVector sizes(2 * windows.size(), 1);
		sizes[static_cast<std::size_t>(i)] = along.count;
		sizes[static_cast<std::size_t>(dims + i)] = along.width;
		places = places * size + at.reshape(sizes);
	}
	at::DimVector flat(self.sizes().slice(0, static_cast<std::size_t>(first)));
	std::int64_t width = 1;
	for (const Windows& along : windows) {
		flat.push_back(along.count);
		width *= along.width;
	}
	flat.push_back(width);
	taken = taken.permute(order).reshape(flat);
	places = places.reshape(at::IntArrayRef(flat).slice(static_cast<std::size_t>(first))).expand(flat);
	return {taken.amax(-1), places.gather(-1, taken.argmax(-1, true)).squeeze(-1)};
}
}
FERRY_INLINE at::Tensor avg_pool3d::decompose(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef stride,
		at::IntArrayRef padding, bool ceil_mode, bool counts_padding,
		std::optional<std::int64_t> divisor) {
	return decomposed::widely(self, [&](at::Tensor made) {
		std::int64_t dim = self.dim() - 3;
		for (const detail::Stepping& by : detail::stepping(kernel, stride, padding, ceil_mode)) {
		const std::int64_t size = made.size(dim);
		const detail::Windows windows = detail::in_steps(self, size, by);
		const std::int64_t around = counts_padding ? by.padding : 0;
		const at::Tensor share = windows.end.clamp_max(size + around) - windows.first.clamp_min(-around);
		made = detail::sums_along(made, dim++, windows, divisor ? std::nullopt : std::optional(share));
		}
		return divisor ? made / *divisor : made;
	});
}
FERRY_INLINE at::Tensor adaptive_avg_pool3d::decompose(const at::Tensor& self, at::IntArrayRef sizes) {
	return decomposed::widely(self, [&](at::Tensor made) {
		std::int64_t dim = self.dim() - 3;
		for (const std::int64_t count : sizes) {
		const detail::Windows windows = detail::shared_out(self, made.size(dim), count);
		made = detail::sums_along(made, dim++, windows, windows.end - windows.first);
		}
		return made;
	});
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> max_pool3d::decompose(const at::Tensor& self, at::IntArrayRef kernel,
		at::IntArrayRef stride, at::IntArrayRef padding,
		at::IntArrayRef dilation, bool ceil_mode) {
	for (const std::int64_t each : dilation)
		TORCH_CHECK(each == 1, "max_pool3d: a dilation is not supported for ExecuTorch");
	std::vector<detail::Windows> windows;
	std::int64_t dim = self.dim() - 3;
	for (const detail::Stepping& by : detail::stepping(kernel, stride, padding, ceil_mode))
		windows.push_back(detail::in_steps(self, self.size(dim++), by));
	return detail::largest_of(self, windows);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> adaptive_max_pool::decompose(const at::Tensor& self,
		at::IntArrayRef sizes) {
	std::vector<detail::Windows> windows;
	std::int64_t dim = self.dim() - static_cast<std::int64_t>(sizes.size());
	for (const std::int64_t count : sizes) windows.push_back(detail::shared_out(self, self.size(dim++), count));
	return detail::largest_of(self, windows);
}
}
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
namespace ferry::executorch::parts {
namespace detail {
[[nodiscard]] inline at::Tensor uniform_numbers(const at::Tensor& self) {
	return at::rand(self.sizes(), beside(self, at::kFloat));
}
}
FERRY_INLINE at::Tensor rand_like::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>,
		std::optional<at::MemoryFormat>) {
	return at::rand(self.sizes(), detail::beside(self, dtype.value_or(self.scalar_type())));
}
FERRY_INLINE at::Tensor randn_like::decompose(const at::Tensor& self, std::optional<at::ScalarType> dtype,
		std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>,
		std::optional<at::MemoryFormat>) {
	return at::randn(self.sizes(), detail::beside(self, dtype.value_or(self.scalar_type())));
}
FERRY_INLINE at::Tensor bernoulli::decompose(const at::Tensor& chances, const std::optional<at::Generator>&) {
	return detail::uniform_numbers(chances).lt(chances).to(chances.scalar_type());
}
FERRY_INLINE at::Tensor bernoulli_of_number::decompose(const at::Tensor& self, double chance,
		const std::optional<at::Generator>&) {
	return detail::uniform_numbers(self).lt(chance).to(self.scalar_type());
}
FERRY_INLINE at::Tensor uniform::decompose(const at::Tensor& self, double from, double to,
		const std::optional<at::Generator>&) {
	return decomposed::cast(detail::uniform_numbers(self) * (to - from) + from, self.scalar_type());
}
FERRY_INLINE at::Tensor normal::decompose(const at::Tensor& self, double mean, double deviation,
		const std::optional<at::Generator>&) {
	const at::Tensor drawn = at::randn(self.sizes(), detail::beside(self, at::kFloat));
	return decomposed::cast(drawn * deviation + mean, self.scalar_type());
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> dropout::decompose(const at::Tensor& input, double chance,
		std::optional<bool> train) {
	if (!train.value_or(true) || chance == 0)
		return {input.clone(), at::full(input.sizes(), true, detail::beside(input, at::kBool))};
	const at::Tensor kept = detail::uniform_numbers(input).ge(chance);
	const double scale = chance < 1 ? 1 / (1 - chance) : 0;
	return {input * kept.to(input.scalar_type()) * scale, kept};
}
}
namespace ferry::executorch::parts {
namespace detail {
struct Triangle {
	at::Tensor row, is_past;
	explicit Triangle(const at::Tensor& self) : row(self.unsqueeze(-2)) {
		const at::Tensor number = count_up_to(self, self.size(-1));
		is_past = number.unsqueeze(0).le(number.unsqueeze(1));
	}
};
template <bool largest>
[[nodiscard]] std::tuple<at::Tensor, at::Tensor> running_extreme(const at::Tensor& self, std::int64_t dim) {
	if (self.dim() == 0) return {self.clone(), decomposed::number_like(self, 0, at::kLong)};
	const at::Tensor moved = self.movedim(dim, -1);
	const Triangle past(moved);
	const at::Tensor choice = at::where(past.is_past, past.row, moved.unsqueeze(-1));
	const at::Tensor made = largest ? choice.amax(-1) : choice.amin(-1);
	const at::Tensor is_it = past.row.eq(made.unsqueeze(-1)).logical_or(past.row.ne(past.row));
	const at::Tensor places = is_it.logical_and(past.is_past).to(at::kLong) * count_up_to(self, moved.size(-1));
	return {made.movedim(-1, dim), places.amax(-1).movedim(-1, dim)};
}
}
FERRY_INLINE at::Tensor cumprod::decompose(const at::Tensor& self, std::int64_t dim,
		std::optional<at::ScalarType> dtype) {
	const bool is_whole = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true);
	const at::ScalarType made = dtype.value_or(is_whole ? at::kLong : self.scalar_type());
	const at::Tensor factors = decomposed::cast(self, made);
	if (self.dim() == 0) return factors.clone();
	return decomposed::widely(factors, [&](const at::Tensor& each) {
		const detail::Triangle past(each.movedim(dim, -1));
		return at::where(past.is_past, past.row, decomposed::number_like(each, 1)).prod(-1).movedim(-1, dim);
	});
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> cummax::decompose(const at::Tensor& self, std::int64_t dim) {
	return detail::running_extreme<true>(self, dim);
}
FERRY_INLINE std::tuple<at::Tensor, at::Tensor> cummin::decompose(const at::Tensor& self, std::int64_t dim) {
	return detail::running_extreme<false>(self, dim);
}
FERRY_INLINE at::Tensor logcumsumexp::decompose(const at::Tensor& self, std::int64_t dim) {
	if (self.dim() == 0) return self.clone();
	return decomposed::widely(self, [&](const at::Tensor& each) {
		const detail::Triangle past(each.movedim(dim, -1));
		const at::Tensor nothing = decomposed::number_like(each, -std::numeric_limits<double>::infinity());
		return at::where(past.is_past, past.row, nothing).logsumexp(-1).movedim(-1, dim);
	});
}
}
#include <ATen/ops/slice_scatter.h>
namespace ferry::executorch::parts {
namespace detail {
[[nodiscard]] inline at::Tensor front_part(at::Tensor self, const at::Tensor& like, std::int64_t end,
		std::optional<std::int64_t> but = {}) {
	for (std::int64_t dim = 0; dim < end; ++dim)
		if (dim != but && self.size(dim) != like.size(dim)) self = self.slice(dim, 0, like.size(dim));
	return self;
}
[[nodiscard]] inline at::Tensor gathered_sums(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, bool is_mean, bool with_self) {
	const at::Tensor none = decomposed::number_like(self, 0);
	at::Tensor kept = self, count = filled(self, self.sizes(), 1);
	if (!with_self) {
		const at::Tensor is_hit = count.scatter(dim, index, 0).eq(0);
		kept = at::where(is_hit, none, self);
		count = at::where(is_hit, none, count);
	}
	at::Tensor sum = kept.scatter_add(dim, index, source);
	if (!is_mean) return sum;
	count = count.scatter_add(dim, index, filled(self, index.sizes(), 1));
	return self.is_floating_point() ? sum / count : sum.div(count, "floor");
}
[[nodiscard]] inline at::Tensor gathered_extremes(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, std::string_view how, bool with_self) {
	const at::Tensor own = front_part(self, index, self.dim(), dim).movedim(dim, -1);
	const at::Tensor coming = front_part(source, index, index.dim());
	const at::Tensor place = count_up_to(self, own.size(-1)).unsqueeze(1);
	const at::Tensor comes = index.movedim(dim, -1).unsqueeze(-2).eq(place);
	const at::Tensor row = coming.movedim(dim, -1).unsqueeze(-2), is_hit = comes.any(-1);
	at::Tensor made;
	if (how == "prod") {
		made = at::where(comes, row, decomposed::number_like(self, 1)).prod(-1);
		if (with_self) made = made * own;
	} else {
		const at::Tensor any =
		with_self ? own.unsqueeze(-1) : row.expand_as(comes).gather(-1, comes.to(at::kLong).argmax(-1, true));
		const at::Tensor choice = at::where(comes, row, any);
		made = how == "amax" ? choice.amax(-1) : choice.amin(-1);
		if (with_self) made = how == "amax" ? made.maximum(own) : made.minimum(own);
	}
	if (!with_self) made = at::where(is_hit, made, own);
	return made.movedim(-1, dim);
}
[[nodiscard]] inline at::Tensor put_back(const at::Tensor& self, std::int64_t dim, const at::Tensor& part) {
	at::Tensor made = part;
	for (std::int64_t each = self.dim(); each-- > 0;) {
		if (each == dim || self.size(each) == made.size(each)) continue;
		made = at::slice_scatter(front_part(self, made, each, dim), made, each, 0, made.size(each));
	}
	return made;
}
}
FERRY_INLINE at::Tensor scatter_reduce::decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, std::string_view how, bool with_self) {
	if (self.dim() == 0)
		return decompose(self.unsqueeze(0), 0, index.reshape(-1), source.reshape(-1), how, with_self).squeeze(0);
	dim = c10::maybe_wrap_dim(dim, self.dim());
	if (how == "sum" || how == "mean") return detail::gathered_sums(self, dim, index, source, how == "mean", with_self);
	return detail::put_back(self, dim, detail::gathered_extremes(self, dim, index, source, how, with_self));
}
FERRY_INLINE at::Tensor scatter_by_name::decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Tensor& source, std::string_view how) {
	return scatter_reduce::decompose(self, dim, index, source, how == "add" ? "sum" : "prod", true);
}
FERRY_INLINE at::Tensor scatter_of_number::decompose(const at::Tensor& self, std::int64_t dim, const at::Tensor& index,
		const at::Scalar& value, std::string_view how) {
	return scatter_by_name::decompose(self, dim, index, detail::filled(self, index.sizes(), value), how);
}
FERRY_INLINE at::Tensor diagonal_scatter::decompose(const at::Tensor& self, const at::Tensor& source,
		std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
	const at::Tensor moved = self.movedim({dim1, dim2}, {-2, -1});
	const at::Tensor row = detail::count_up_to(self, moved.size(-2)),
		column = detail::count_up_to(self, moved.size(-1));
	const at::Tensor place = (row - std::max<std::int64_t>(-offset, 0)).clamp(0, source.size(-1) - 1);
	const at::Tensor is_on = column.unsqueeze(0).eq((row + offset).unsqueeze(1));
	return at::where(is_on, source.index_select(-1, place).unsqueeze(-1), moved).movedim({-2, -1}, {dim1, dim2});
}
FERRY_INLINE embedding_bag::Results embedding_bag::decompose(const at::Tensor& weight, const at::Tensor& indices,
		const at::Tensor& offsets, bool, std::int64_t mode, bool,
		const std::optional<at::Tensor>& factors,
		bool ends_with_last_offset, std::int64_t padding_index) {
	constexpr std::int64_t mean = 1, largest = 2;
	const at::Tensor starts = ends_with_last_offset ? offsets.slice(0, 0, offsets.size(0) - 1) : offsets;
	const at::Tensor number = detail::count_up_to(indices, indices.size(0)).unsqueeze(1);
	const at::Tensor bag = number.ge(starts).sum(1) - 1;
	at::Tensor counts = indices.ne(padding_index);
	at::Tensor rows = weight.index_select(0, indices);
	if (factors && factors->defined()) rows = rows * factors->unsqueeze(1);
	const at::Tensor place = bag.unsqueeze(1).expand_as(rows);
	const at::Tensor empty = detail::filled(weight, {starts.size(0), weight.size(1)}, 0);
	const at::Tensor sizes = detail::filled(bag, {starts.size(0)}, 0).scatter_add(0, bag, counts.to(at::kLong));
	const at::Tensor is_counted = counts.unsqueeze(1);
	at::Tensor made;
	if (mode == largest) {
		const at::Tensor low = decomposed::number_like(weight, -std::numeric_limits<double>::infinity());
		made = scatter_reduce::decompose(empty, 0, place, at::where(is_counted, rows, low), "amax", false);
		made = at::where(sizes.eq(0).unsqueeze(1), decomposed::number_like(weight, 0), made);
	} else {
		made = empty.scatter_add(0, place, rows * is_counted.to(rows.scalar_type()));
		if (mode == mean) made = made / sizes.clamp_min(1).unsqueeze(1).to(made.scalar_type());
	}
	return {made, at::Tensor(), at::Tensor(), at::Tensor()};
}
FERRY_INLINE at::Tensor col2im::decompose(const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef kernel,
		at::IntArrayRef dilation, at::IntArrayRef padding, at::IntArrayRef stride) {
	if (self.dim() == 2) return decompose(self.unsqueeze(0), sizes, kernel, dilation, padding, stride).squeeze(0);
	std::array<at::Tensor, 2> at;
	std::array<std::int64_t, 2> size{};
	for (std::size_t dim = 0; dim < 2; ++dim) {
		size[dim] = sizes[dim] + 2 * padding[dim];
		const std::int64_t steps = (size[dim] - dilation[dim] * (kernel[dim] - 1) - 1) / stride[dim] + 1;
		const at::Tensor in_patch = detail::count_up_to(self, kernel[dim]) * dilation[dim];
		const at::Tensor patch = detail::count_up_to(self, steps) * stride[dim];
		const auto other = static_cast<std::int64_t>(1 - dim);
		at[dim] = (in_patch.unsqueeze(1) + patch).unsqueeze(other).unsqueeze(other + 2);
	}
	const at::Tensor place = (at[0] * size[1] + at[1]).reshape({1, 1, -1});
	const std::int64_t channels = self.size(1) / (kernel[0] * kernel[1]);
	const at::Tensor numbers = self.reshape({self.size(0), channels, -1});
	const at::Tensor empty = detail::filled(self, {self.size(0), channels, size[0] * size[1]}, 0);
	const at::Tensor made = empty.scatter_add(2, place.expand_as(numbers), numbers);
	return made.reshape({self.size(0), channels, size[0], size[1]})
		.slice(2, padding[0], padding[0] + sizes[0])
		.slice(3, padding[1], padding[1] + sizes[1]);
}
}
namespace ferry {
class Rewriter {
public:
	Rewriter(Graph& graph, Node& node) : graph_(graph), node_(node) {}
	[[nodiscard]] const TensorMeta& meta(Value value) const { return graph_.info(value).tensor; }
	[[nodiscard]] const TensorMeta& meta() const { return meta(node_.output()); }
	[[nodiscard]] Argument given(std::string_view name, const Argument& otherwise = {}) const {
		const Argument* found = node_.find(name);
		return found != nullptr ? *found : otherwise;
	}
	[[nodiscard]] SymExpr number(const Argument& argument) const {
		if (const auto* constant = argument.get_if<std::int64_t>()) return *constant;
		if (const auto* value = argument.get_if<Value>()) return graph_.info(*value).symbol;
		throw Error(ErrorKind::internal, "an argument is no integer", {.where = {.op = std::string(node_.op())}});
	}
	[[nodiscard]] std::size_t dim(const Argument& argument, std::size_t dims) const {
		const std::int64_t at = number(argument).value();
		return static_cast<std::size_t>(at < 0 ? at + static_cast<std::int64_t>(dims) : at);
	}
	[[nodiscard]] Value call(std::string_view op, std::vector<Argument> arguments, std::vector<SymExpr> sizes,
		DType dtype) {
		const auto found = find_op(op);
		if (!found) throw Error(ErrorKind::internal, "there is no such op", {.where = {.op = std::string(op)}});
		std::vector<NamedArgument> named;
		for (std::size_t i = 0; i < arguments.size(); ++i) {
		const c10::Argument& wanted = found->schema().arguments().at(i);
		named.push_back({graph_.intern(wanted.name()), std::move(arguments[i]), wanted.kwarg_only()});
		}
		TensorMeta made = meta();
		made.dtype = dtype;
		made.sizes = std::move(sizes);
		made.strides.assign(made.sizes.size(), 1);
		for (std::size_t i = made.sizes.size(); i-- > 1;) made.strides[i - 1] = made.strides[i] * made.sizes[i];
		return insert(op, std::move(named), {.name = {}, .kind = ValueKind::tensor, .tensor = std::move(made)});
	}
	[[nodiscard]] Value view(Value value,
		std::vector<SymExpr> sizes) {
		ArgumentList list;
		for (const SymExpr& size : sizes)
		list.push_back(size.is_constant() ? Argument(size.value()) : find_size(size, value).value_or(-1));
		return call("aten::view", {value, std::move(list)}, std::move(sizes), meta(value).dtype);
	}
	[[nodiscard]] Argument size(Value value, std::size_t dim) {
		const SymExpr& known = meta(value).sizes.at(dim);
		if (known.is_constant()) return known.value();
		return insert("aten::sym_size.int", {{"self", value}, {"dim", static_cast<std::int64_t>(dim)}},
		{.name = {}, .kind = ValueKind::sym_int, .symbol = known});
	}
	[[nodiscard]] Argument add(const Argument& a, const Argument& b) {
		const SymExpr sum = number(a) + number(b);
		if (sum.is_constant()) return sum.value();
		return insert("_operator::add", {{"a", a}, {"b", b}}, {.name = {}, .kind = ValueKind::sym_int, .symbol = sum});
	}
	bool replace(std::size_t output, Value value) {
		graph_.replace_uses(node_.output(output), value);
		return true;
	}
	bool finish() {
		graph_.erase(node_);
		return true;
	}
	bool replace(Value value) { return replace(0, value) && finish(); }
private:
	[[nodiscard]] std::optional<Argument> find_size(const SymExpr& size, Value value) {
		const auto find_in = [&](Value tensor) -> std::optional<Argument> {
		const std::vector<SymExpr>& sizes = meta(tensor).sizes;
		for (std::size_t dim = 0; dim < sizes.size(); ++dim)
		if (sizes[dim] == size) return this->size(tensor, dim);
		return std::nullopt;
		};
		std::optional<Argument> found = find_in(value);
		for (const NamedArgument& argument : node_.arguments())
		for_each_value(argument.value, [&](Value each) {
		if (!found && graph_.info(each).kind == ValueKind::tensor) found = find_in(each);
		});
		return found;
	}
	[[nodiscard]] Value insert(std::string_view op, std::vector<NamedArgument> arguments, ValueInfo info) {
		const std::string_view base = op.substr(op.find("::") + 2);
		const Value made = graph_.new_value(base.substr(0, base.find('.')), std::move(info));
		graph_.insert_before(&node_, op, std::move(arguments), {{.values = {made}}})
		.set_module_path(node_.module_path());
		return made;
	}
	Graph& graph_;
	Node& node_;
};
}
namespace ferry::executorch::fixed {
FERRY_INLINE bool remainder::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const DType dtype = writer.meta().dtype;
	const std::vector<SymExpr> sizes = writer.meta().sizes;
	if (is_floating_point(dtype)) return false;
	const Argument self = writer.given("self"), other = writer.given("other");
	const Value quotient = writer.call("aten::div.Tensor_mode", {self, other, "floor"}, sizes, dtype);
	const Value multiple = writer.call("aten::mul.Tensor", {quotient, other}, sizes, dtype);
	return writer.replace(writer.call("aten::sub.Tensor", {self, multiple}, sizes, dtype));
}
FERRY_INLINE bool promoted::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	if (writer.meta().dtype == writer.meta(node.input(0)).dtype) return false;
	const std::string op(node.op().substr(0, node.op().find('.')));
	std::vector<Argument> arguments{writer.given("self"), writer.given("other")};
	if (const Argument* alpha = node.find("alpha")) arguments.push_back(*alpha);
	return writer.replace(writer.call(op + ".Tensor", std::move(arguments), writer.meta().sizes, writer.meta().dtype));
}
FERRY_INLINE bool log_softmax::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Value self = node.input(0);
	const DType dtype = writer.meta().dtype;
	const std::vector<SymExpr> sizes = writer.meta().sizes;
	if (dtype == DType::float32) return false;
	if (sizes.empty()) return writer.replace(writer.call("aten::sub.Tensor", {self, self}, {}, dtype));
	if (compute_in_single_precision(graph, node)) return true;
	const Argument dim = ArgumentList{writer.given("dim")};
	std::vector<SymExpr> one = sizes;
	one[writer.dim(writer.given("dim"), sizes.size())] = 1;
	const Value most = writer.call("aten::amax", {self, dim, true}, one, dtype);
	const Value shifted = writer.call("aten::sub.Tensor", {self, most}, sizes, dtype);
	const Value powers = writer.call("aten::exp", {shifted}, sizes, dtype);
	const Value total = writer.call("aten::sum.dim_IntList", {powers, dim, true}, one, dtype);
	const Value scale = writer.call("aten::log", {total}, one, dtype);
	return writer.replace(writer.call("aten::sub.Tensor", {shifted, scale}, sizes, dtype));
}
FERRY_INLINE bool of_scalar::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Value self = node.input(0);
	if (!writer.meta(self).sizes.empty()) return false;
	const DType dtype = writer.meta().dtype;
	if (dtype != writer.meta(self).dtype)
		return writer.replace(writer.call("aten::_to_copy", {self, dtype}, {}, dtype));
	return writer.replace(writer.view(self, {}));
}
}
namespace ferry::executorch::fixed {
namespace detail {
inline bool give_as(Graph& graph, Node& node, std::string_view name, DType dtype) {
	Argument given = *node.find(name);
	bool is_changed = false;
	for_each_value(given, [&](Value& value) {
		if (graph.info(value).tensor.dtype == dtype) return;
		value = cast_before(graph, &node, value, dtype);
		is_changed = true;
	});
	if (is_changed) graph.set_argument(node, name, std::move(given));
	return is_changed;
}
}
FERRY_INLINE bool cat::fix(Graph& graph, Node& node) {
	return detail::give_as(graph, node, "tensors", graph.info(node.output()).tensor.dtype);
}
FERRY_INLINE bool where::fix(Graph& graph, Node& node) {
	const DType dtype = graph.info(node.output()).tensor.dtype;
	const bool is_changed = detail::give_as(graph, node, "self", dtype);
	return detail::give_as(graph, node, "other", dtype) || is_changed;
}
FERRY_INLINE bool positions::fix(Graph& graph, Node& node) {
	return detail::give_as(graph, node, "index", DType::int64);
}
FERRY_INLINE bool images::fix(Graph& graph, Node& node) {
	return compute_in_single_precision(graph, node,
		[](DType dtype) { return is_half(dtype) || dtype == DType::uint8; });
}
}
namespace ferry::executorch::fixed {
namespace detail {
[[nodiscard]] inline std::vector<std::int64_t> numbers(const Argument& list) {
	std::vector<std::int64_t> all;
	for (const Argument& each : *list.get_if<ArgumentList>()) all.push_back(*each.get_if<std::int64_t>());
	return all;
}
[[nodiscard]] inline Argument list_of(const std::vector<std::int64_t>& numbers) {
	return ArgumentList(numbers.begin(), numbers.end());
}
}
FERRY_INLINE bool linear::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Value input = node.input(0);
	const std::vector<SymExpr> sizes = writer.meta(input).sizes, made = writer.meta().sizes;
	if (sizes.size() != 1) return false;
	const Value row = writer.view(input, {1, sizes[0]});
	const SymExpr& width = made.at(0);
	const Value product = writer.call("aten::linear", {row, writer.given("weight"), writer.given("bias")}, {1, width},
		writer.meta().dtype);
	return writer.replace(writer.view(product, made));
}
FERRY_INLINE bool matrix_product::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const std::vector<SymExpr> made = writer.meta().sizes;
	const DType dtype = writer.meta().dtype;
	Value a = node.input(0), b = node.input(1);
	if (writer.meta(a).sizes.size() == 1) a = writer.view(a, {1, writer.meta(a).sizes[0]});
	if (writer.meta(b).sizes.size() == 1) b = writer.view(b, {writer.meta(b).sizes[0], 1});
	const std::vector<SymExpr> first = writer.meta(a).sizes, second = writer.meta(b).sizes;
	const SymExpr &rows = first[first.size() - 2], &inner = first.back(), &columns = second.back();
	const auto product_of = [](const std::vector<SymExpr>& sizes, std::size_t count) {
		SymExpr product = 1;
		for (std::size_t i = 0; i < count; ++i) product = product * sizes[i];
		return product;
	};
	if (second.size() == 2) {
		const SymExpr all_rows = product_of(first, first.size() - 1);
		const Value flat = first.size() == 2 ? a : writer.view(a, {all_rows, inner});
		return writer.replace(writer.view(writer.call("aten::mm", {flat, b}, {all_rows, columns}, dtype), made));
	}
	const std::size_t batch_dims = std::max(first.size(), second.size()) - 2;
	const SymExpr batches = product_of(made, batch_dims);
	const auto stacked = [&](Value matrices, Value other) {
		const std::vector<SymExpr> have = writer.meta(matrices).sizes, others = writer.meta(other).sizes;
		const std::size_t skipped = batch_dims + 2 - have.size();
		ArgumentList list;
		std::vector<SymExpr> sizes;
		bool is_expanded = false;
		for (std::size_t i = 0; i < batch_dims; ++i) {
		const bool is_there = i >= skipped && have[i - skipped] == made[i];
		const std::size_t in_other = i + others.size() - batch_dims - 2;
		list.push_back(is_there ? Argument(-1) : writer.size(other, in_other));
		sizes.push_back(made[i]);
		is_expanded = is_expanded || !is_there;
		}
		for (std::size_t i = have.size() - 2; i < have.size(); ++i) {
		list.emplace_back(-1);
		sizes.push_back(have[i]);
		}
		const Value all =
		is_expanded ? writer.call("aten::expand", {matrices, std::move(list)}, sizes, dtype) : matrices;
		return writer.view(all, {batches, have[have.size() - 2], have.back()});
	};
	const Value left = stacked(a, b), right = stacked(b, a);
	return writer.replace(writer.view(writer.call("aten::bmm", {left, right}, {batches, rows, columns}, dtype), made));
}
FERRY_INLINE bool pad::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Argument given = writer.given("pad");
	const auto* list = given.get_if<ArgumentList>();
	const auto cuts = [](const Argument& each) {
		const auto* number = each.get_if<std::int64_t>();
		return number != nullptr && *number < 0;
	};
	if (list == nullptr || algo::none_of(*list, cuts)) return false;
	Value self = node.input(0);
	ArgumentList kept;
	std::vector<SymExpr> sizes = writer.meta(self).sizes;
	for (std::size_t i = 0; i < list->size(); ++i) {
		const bool is_cut = cuts((*list)[i]);
		kept.push_back(is_cut ? Argument(0) : (*list)[i]);
		if (!is_cut) continue;
		const std::int64_t by = *(*list)[i].get_if<std::int64_t>();
		const std::size_t dim = sizes.size() - 1 - i / 2;
		sizes[dim] = sizes[dim] + by;
		const bool from_start = i % 2 == 0;
		self = writer.call(
		"aten::slice.Tensor",
		{self, static_cast<std::int64_t>(dim), from_start ? -by : 0, from_start ? std::int64_t{INT64_MAX} : by, 1},
		sizes, writer.meta().dtype);
	}
	const Argument value = writer.given("value", 0);
	return writer.replace(
		writer.call("aten::constant_pad_nd", {self, std::move(kept), value}, writer.meta().sizes, writer.meta().dtype));
}
FERRY_INLINE bool convolution::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	Value input = node.input(0);
	std::vector<SymExpr> in = writer.meta(input).sizes;
	const std::vector<SymExpr> out = writer.meta().sizes;
	if (in.size() != 5 || *writer.given("transposed").get_if<bool>()) return compute_in_single_precision(graph, node);
	const DType dtype = writer.meta().dtype;
	const Value weight = *writer.given("weight").get_if<Value>();
	const std::vector<SymExpr> kernel = writer.meta(weight).sizes;
	const auto along = [&](std::string_view name) { return detail::numbers(writer.given(name)); };
	const auto behind_depth = [](const std::vector<std::int64_t>& three) {
		return detail::list_of({three[1], three[2]});
	};
	const std::vector<std::int64_t> stride = along("stride"), padding = along("padding"), dilation = along("dilation");
	const std::int64_t step = stride[0], spread = dilation[0];
	if (padding[0] != 0) {
		in[2] = in[2] + 2 * padding[0];
		input = writer.call("aten::constant_pad_nd", {input, detail::list_of({0, 0, 0, 0, padding[0], padding[0]}), 0},
		in, dtype);
	}
	const SymExpr planes = in[0] * out[2];
	const Argument depth_second = detail::list_of({0, 2, 1, 3, 4});
	Value total;
	for (std::int64_t k = 0; k < kernel[2].value(); ++k) {
		const std::int64_t end = (kernel[2].value() - 1 - k) * spread;
		Value part =
		writer.call("aten::slice.Tensor",
		{input, 2, k * spread, end == 0 ? Argument(std::int64_t{INT64_MAX}) : Argument(-end), step},
		{in[0], in[1], out[2], in[3], in[4]}, dtype);
		part = writer.call("aten::permute", {part, depth_second}, {in[0], out[2], in[1], in[3], in[4]}, dtype);
		part = writer.view(part, {planes, in[1], in[3], in[4]});
		const Value plane =
		writer.call("aten::select.int", {weight, 2, k}, {kernel[0], kernel[1], kernel[3], kernel[4]}, dtype);
		const std::vector<SymExpr> made{planes, out[1], out[3], out[4]};
		part = writer.call(
		"aten::convolution",
		{part, plane, k == 0 ? writer.given("bias") : Argument(), behind_depth(stride), behind_depth(padding),
		behind_depth(dilation), false, detail::list_of({0, 0}), writer.given("groups", 1)},
		made, dtype);
		total = total ? writer.call("aten::add.Tensor", {total, part}, made, dtype) : part;
	}
	total = writer.view(total, {out[0], out[2], out[1], out[3], out[4]});
	return writer.replace(writer.call("aten::permute", {total, depth_second}, out, dtype));
}
FERRY_INLINE bool fourier::fix(Graph& graph, Node& node) {
	std::vector<std::int64_t> dims = detail::numbers(*node.find("dim"));
	if (algo::none_of(dims, [](std::int64_t dim) { return dim < 0; })) return false;
	const auto rank = static_cast<std::int64_t>(graph.info(node.input(0)).tensor.sizes.size());
	for (std::int64_t& dim : dims) dim += dim < 0 ? rank : 0;
	graph.set_argument(node, "dim", detail::list_of(dims));
	return true;
}
}
namespace ferry::executorch::fixed {
namespace detail {
[[nodiscard]] inline Value slice(Rewriter& writer, Value self, const Argument& dim, const Argument& start,
		const Argument& end, const std::vector<SymExpr>& sizes) {
	return writer.call("aten::slice.Tensor", {self, dim, start, end, 1}, sizes, writer.meta(self).dtype);
}
}
FERRY_INLINE bool split::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Value self = node.input(0);
	const Argument dim = writer.given("dim", 0);
	const std::size_t at = writer.dim(dim, writer.meta(self).sizes.size());
	const std::vector<Value> pieces = node.outputs()[0].values;
	Argument given = writer.given("split_size");
	if (given.is_none()) given = writer.given("split_sizes");
	const auto length = [&](std::size_t i) -> Argument {
		const SymExpr& known = writer.meta(pieces[i]).sizes[at];
		if (known.is_constant()) return known.value();
		if (const auto* list = given.get_if<ArgumentList>()) return list->at(i);
		return given;
	};
	for (std::size_t i = 0; i < pieces.size(); ++i)
		if (length(i).is_none()) return false;
	Argument start = 0;
	for (std::size_t i = 0; i < pieces.size(); ++i) {
		const std::vector<SymExpr> sizes = writer.meta(pieces[i]).sizes;
		const Argument end = writer.add(start, length(i));
		writer.replace(i, detail::slice(writer, self, dim, start, end, sizes));
		start = end;
	}
	return writer.finish();
}
FERRY_INLINE bool unbind::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Value self = node.input(0);
	const Argument dim = writer.given("dim", 0);
	const std::vector<Value> pieces = node.outputs()[0].values;
	std::vector<SymExpr> sizes = writer.meta(self).sizes;
	sizes[writer.dim(dim, sizes.size())] = 1;
	for (std::size_t i = 0; i < pieces.size(); ++i) {
		const auto at = static_cast<std::int64_t>(i);
		const Value piece = detail::slice(writer, self, dim, at, at + 1, sizes);
		writer.replace(i, writer.view(piece, writer.meta(pieces[i]).sizes));
	}
	return writer.finish();
}
FERRY_INLINE bool narrow::fix(Graph& graph, Node& node) {
	Rewriter writer(graph, node);
	const Value self = node.input(0);
	const Argument dim = writer.given("dim"), start = writer.given("start");
	if (const auto* value = start.get_if<Value>(); value != nullptr && graph.info(*value).kind == ValueKind::tensor)
		return false;
	Argument end = writer.add(start, writer.given("length"));
	if (const auto* first = start.get_if<std::int64_t>(); first != nullptr && *first < 0)
		if (const auto* last = end.get_if<std::int64_t>(); last != nullptr && *last == 0) end = INT64_MAX;
	return writer.replace(detail::slice(writer, self, dim, start, end, writer.meta().sizes));
}
}
namespace ferry::executorch::fixed {
namespace detail {
[[nodiscard]] inline Value rounded_before(Graph& graph, Node* place, Value value) {
	const auto add = [&](const char* op, std::vector<NamedArgument> arguments) {
		const Value made =
		graph.new_value(op, {.name = {}, .kind = ValueKind::tensor, .tensor = graph.info(value).tensor});
		graph.insert_before(place, op, std::move(arguments), {{.values = {made}}});
		return made;
	};
	const Value whole = add("aten::round", {{"self", value}});
	return add("aten::clamp", {{"self", whole}, {"min", 0}, {"max", 255}});
}
}
FERRY_INLINE Value cast_before(Graph& graph, Node* place, Value value, DType dtype) {
	ValueInfo info{.name = {}, .kind = ValueKind::tensor, .tensor = graph.info(value).tensor};
	info.tensor.dtype = dtype;
	const Value made = graph.new_value("_to_copy", std::move(info));
	graph.insert_before(place, "aten::_to_copy", {{"self", value}, {"dtype", dtype, true}}, {{.values = {made}}});
	return made;
}
FERRY_INLINE bool compute_in_single_precision(Graph& graph, Node& node, bool (*is_cast)(DType)) {
	const auto is_to_cast = [is_cast](const ValueInfo& info) {
		return info.kind == ValueKind::tensor && is_cast(info.tensor.dtype);
	};
	bool is_any = false;
	for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) { is_any = is_any || is_to_cast(graph.info(value)); });
	if (!is_any) return false;
	std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
	for (NamedArgument& argument : arguments) {
		if (argument.value.is<DType>()) argument.value = DType::float32;
		for_each_value(argument.value, [&](Value& value) {
		if (is_to_cast(graph.info(value))) value = cast_before(graph, &node, value, DType::float32);
		});
	}
	std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
	std::vector<std::pair<Value, Value>> replaced;
	for (Output& output : outputs)
		for (Value& value : output.values) {
		ValueInfo info{.name = {}, .kind = graph.info(value).kind, .tensor = graph.info(value).tensor};
		if (is_to_cast(info)) info.tensor.dtype = DType::float32;
		const Value made = graph.new_value(graph.info(value).name, std::move(info));
		replaced.emplace_back(value, made);
		value = made;
		}
	const std::string op(node.op());
	graph.insert_before(&node, op, std::move(arguments), std::move(outputs)).set_module_path(node.module_path());
	for (const auto& [old, made] : replaced) {
		const DType dtype = graph.info(old).tensor.dtype;
		if (dtype == graph.info(made).tensor.dtype) {
		graph.replace_uses(old, made);
		continue;
		}
		const Value result = dtype == DType::uint8 ? detail::rounded_before(graph, &node, made) : made;
		graph.replace_uses(old, cast_before(graph, &node, result, dtype));
	}
	graph.erase(node);
	return true;
}
FERRY_INLINE bool in_single_precision::fix(Graph& graph, Node& node) {
	return compute_in_single_precision(graph, node);
}
}
namespace ferry::executorch::xnnpack {
class Builder {
public:
	Builder(const Graph& graph, const ProgramFacts& facts) : graph_(graph), facts_(facts) {}
	[[nodiscard]] const Graph& graph() const noexcept { return graph_; }
	[[nodiscard]] const ProgramFacts& facts() const noexcept { return facts_; }
	[[nodiscard]] const TensorMeta& meta(Value value) const { return graph_.info(value).tensor; }
	[[nodiscard]] Sizes sizes(Value value) const { return sizes(meta(value).sizes); }
	[[nodiscard]] Sizes sizes(const std::vector<SymExpr>& all) const;
	[[nodiscard]] Ref plain(Value value);
	[[nodiscard]] Ref channels_last(Value value);
	[[nodiscard]] bool has(Value value) const { return places_.contains(value.index); }
	[[nodiscard]] bool is_channels_last(Value value) const;
	[[nodiscard]] bool can_be_channels_last(Value value) const;
	void bind(Value value, Ref ref) { places_[value.index].plain = ref; }
	void bind_channels_last(Value value, Ref ref) { places_[value.index].channels_last = ref; }
	[[nodiscard]] Ref add(Sizes sizes);
	[[nodiscard]] Ref weights(at::Tensor tensor, std::string name);
	[[nodiscard]] Ref constant(at::Tensor tensor);
	[[nodiscard]] Ref number(double value);
	[[nodiscard]] const Sizes& sizes_of(Ref ref) const { return delegate_.operands[ref].sizes; }
	[[nodiscard]] Ref apply(Operation operation, Sizes sizes);
	[[nodiscard]] Ref transpose(Ref ref, Sizes order);
	[[nodiscard]] Operation* producer(Ref ref);
	[[nodiscard]] Weights& weights_of(Ref ref) { return delegate_.weights[delegate_.operands[ref].constant - 1]; }
	[[nodiscard]] Delegate finish(const std::vector<Value>& outputs);
private:
	struct Places {
		Ref plain = nothing, channels_last = nothing;
	};
	[[nodiscard]] Ref take(Given given, Sizes sizes);
	void remove_unused(const std::vector<Ref>& outputs);
	const Graph& graph_;
	const ProgramFacts& facts_;
	Delegate delegate_;
	std::unordered_map<std::uint32_t, Places> places_;
	std::unordered_map<double, Ref> numbers_;
};
}
namespace ferry::executorch::xnnpack {
class Definition {
public:
	Definition(Builder& builder, const Node& node) : builder_(builder), node_(node) {}
	void decline() noexcept { is_declined_ = true; }
	void require(bool condition) noexcept { is_declined_ = is_declined_ || !condition; }
	[[nodiscard]] bool is_declined() const noexcept { return is_declined_; }
	[[nodiscard]] const Node& node() const noexcept { return node_; }
	[[nodiscard]] bool has(std::string_view name) const {
		const Argument* found = node_.find(name);
		return found != nullptr && !found->is_none();
	}
	[[nodiscard]] Value tensor(std::string_view name);
	[[nodiscard]] std::vector<Value> tensors(std::string_view name);
	[[nodiscard]] double real(std::string_view name, std::optional<double> otherwise = {});
	[[nodiscard]] std::int64_t integer(std::string_view name, std::optional<std::int64_t> otherwise = {});
	[[nodiscard]] bool flag(std::string_view name, bool otherwise);
	[[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise = {});
	[[nodiscard]] std::vector<std::int64_t> pair(std::string_view name, std::vector<std::int64_t> otherwise);
	[[nodiscard]] std::size_t dim(std::int64_t at, Value of) const;
	[[nodiscard]] const std::vector<SymExpr>& sizes(Value value) const { return builder_.meta(value).sizes; }
	[[nodiscard]] std::size_t rank(Value value) const { return sizes(value).size(); }
	[[nodiscard]] std::int64_t fixed_size(Value value, std::size_t dim);
	[[nodiscard]] ProgramFacts::Constant constant(Value value) {
		const auto found = builder_.facts().constant(builder_.graph(), value);
		require(found.tensor != nullptr);
		return found;
	}
	[[nodiscard]] bool is_constant(Value value) const {
		return builder_.facts().constant(builder_.graph(), value).tensor != nullptr;
	}
	[[nodiscard]] Value output();
	[[nodiscard]] Builder& builder() noexcept { return builder_; }
	[[nodiscard]] Ref plain(Value value) { return builder_.plain(value); }
	[[nodiscard]] Ref number(double value) { return builder_.number(value); }
	[[nodiscard]] Ref weights(const at::Tensor& tensor, std::string_view name) {
		return builder_.weights(tensor, std::string(name));
	}
	[[nodiscard]] Ref apply(Op op, std::vector<Ref> inputs, Sizes sizes) {
		return builder_.apply({.op = op, .inputs = std::move(inputs)}, std::move(sizes));
	}
	[[nodiscard]] Ref apply(Operation operation, Sizes sizes) {
		return builder_.apply(std::move(operation), std::move(sizes));
	}
	[[nodiscard]] Ref reshape(Ref ref, const std::vector<SymExpr>& sizes);
	void give(Ref ref) { builder_.bind(output(), ref); }
	struct Item {
		Value value{};
		double number = 0;
	};
	[[nodiscard]] Item item(std::string_view name);
	void elementwise(Operation operation, const std::vector<Item>& items);
	struct Operands {
		std::vector<Ref> refs{};
		Sizes sizes{};
		bool is_channels_last = false;
	};
	[[nodiscard]] Operands operands(const std::vector<Item>& items);
	void give(const Operands& operands, Ref ref);
	[[nodiscard]] Ref elementwise(Op op, Ref a, Ref b);
private:
	Builder& builder_;
	const Node& node_;
	bool is_declined_ = false;
};
[[nodiscard]] bool try_define(Builder& builder, const Node& node, Define define);
}
namespace ferry::executorch::delegated {
namespace detail {
using xnnpack::Op;
template <std::size_t Count>
[[nodiscard]] Op find_operation(std::string_view op, const std::pair<std::string_view, Op> (&table)[Count]) {
	const std::string_view name = op.substr(6, op.find('.') - 6);
	for (const auto& [each, operation] : table)
		if (each == name) return operation;
	return Op::NONE;
}
}
FERRY_INLINE void functions::define(xnnpack::Definition& d) {
	using xnnpack::Op;
	static constexpr std::pair<std::string_view, Op> table[] = {
		{"abs", Op::XNNAbs},         {"neg", Op::XNNNegate},
		{"ceil", Op::XNNCeiling},    {"floor", Op::XNNFloor},
		{"sqrt", Op::XNNSquareRoot}, {"rsqrt", Op::XNNReciprocalSquareRoot},
		{"exp", Op::XNNExp},         {"log", Op::XNNLog},
		{"tanh", Op::XNNTanh},       {"sigmoid", Op::XNNSigmoid},
		{"sin", Op::XNNSin},         {"cos", Op::XNNCos},
		{"square", Op::XNNSquare},   {"hardswish", Op::XNNHardswish}};
	d.elementwise({.op = detail::find_operation(d.node().op(), table)}, {d.item("self")});
}
FERRY_INLINE void arithmetic::define(xnnpack::Definition& d) {
	using xnnpack::Op;
	static constexpr std::pair<std::string_view, Op> table[] = {
		{"add", Op::XNNAdd}, {"sub", Op::XNNSubtract},    {"rsub", Op::XNNSubtract},  {"mul", Op::XNNMultiply},
		{"div", Op::XNNDiv}, {"maximum", Op::XNNMaximum}, {"minimum", Op::XNNMinimum}};
	d.require(d.real("alpha", 1) == 1);
	auto first = d.item("self"), second = d.item("other");
	if (d.node().op() == "aten::rsub.Scalar") std::swap(first, second);
	d.elementwise({.op = detail::find_operation(d.node().op(), table)}, {first, second});
}
FERRY_INLINE void clamps::define(xnnpack::Definition& d) {
	constexpr double infinity = std::numeric_limits<double>::infinity();
	const std::string_view op = d.node().op();
	double low = d.real("min", -infinity), high = d.real("max", infinity);
	if (op == "aten::relu" || op == "aten::relu6") low = 0;
	if (op == "aten::relu6") high = 6;
	if (op == "aten::hardtanh") {
		low = d.real("min_val", -1);
		high = d.real("max_val", 1);
	}
	d.require(low < high);
	d.elementwise({.op = xnnpack::Op::XNNClamp, .low = static_cast<float>(low), .high = static_cast<float>(high)},
		{d.item("self")});
}
FERRY_INLINE void powers::define(xnnpack::Definition& d) {
	using xnnpack::Op;
	const double exponent = d.node().op() == "aten::reciprocal" ? -1 : d.real("exponent");
	const auto self = d.item("self");
	if (exponent == 2) return d.elementwise({.op = Op::XNNSquare}, {self});
	if (exponent == 0.5) return d.elementwise({.op = Op::XNNSquareRoot}, {self});
	if (exponent == -0.5) return d.elementwise({.op = Op::XNNReciprocalSquareRoot}, {self});
	if (exponent == -1) return d.elementwise({.op = Op::XNNDiv}, {{.number = 1}, self});
	d.require(exponent == 3 || exponent == 4);
	if (d.is_declined()) return;
	const auto x = d.operands({self});
	const auto square = d.apply(Op::XNNSquare, x.refs, x.sizes);
	d.give(x, exponent == 4 ? d.apply(Op::XNNSquare, {square}, x.sizes)
		: d.apply(Op::XNNMultiply, {square, x.refs[0]}, x.sizes));
}
FERRY_INLINE void activations::define(xnnpack::Definition& d) {
	using xnnpack::Op, xnnpack::Ref;
	const auto self = d.item("self");
	if (d.node().op() == "aten::leaky_relu")
		return d.elementwise({.op = Op::XNNLeakyReLU, .number = static_cast<float>(d.real("negative_slope", 0.01))},
		{self});
	if (d.node().op() == "aten::elu") {
		d.require(d.real("scale", 1) == 1 && d.real("input_scale", 1) == 1 && d.real("alpha", 1) > 0);
		return d.elementwise({.op = Op::XNNELU, .number = static_cast<float>(d.real("alpha", 1))}, {self});
	}
	const Argument* way = d.node().find("approximate");
	if (way == nullptr || *way == Argument("none")) return d.elementwise({.op = Op::XNNGelu}, {self});
	d.require(*way == Argument("tanh"));
	constexpr double a = 2 * 0.79788456080286536, b = 0.044715 * a;
	const auto x = d.operands({self});
	const auto step = [&](Op op, Ref first, Ref second) { return d.apply(op, {first, second}, x.sizes); };
	const Ref square = d.apply(Op::XNNSquare, x.refs, x.sizes);
	const Ref slope = step(Op::XNNAdd, step(Op::XNNMultiply, square, d.number(b)), d.number(a));
	const Ref share = d.apply(Op::XNNSigmoid, {step(Op::XNNMultiply, x.refs[0], slope)}, x.sizes);
	d.give(x, step(Op::XNNMultiply, x.refs[0], share));
}
}
namespace ferry::executorch::delegated {
namespace detail {
using xnnpack::Op;
using xnnpack::Ref;
using xnnpack::Sizes;
[[nodiscard]] inline std::uint32_t count(std::int64_t number) { return static_cast<std::uint32_t>(number); }
[[nodiscard]] inline Ref fully_connected(xnnpack::Definition& d, Ref rows, Ref weights, Ref bias, std::uint32_t flags) {
	Sizes sizes = d.builder().sizes_of(rows);
	sizes.back() = d.builder().sizes_of(weights)[flags == xnnpack::transposed_weights ? 1 : 0];
	return d.apply({.op = Op::XNNFullyConnected, .inputs = {rows, weights, bias}, .flags = flags}, std::move(sizes));
}
[[nodiscard]] inline Ref sum_of_rows(xnnpack::Definition& d, Ref rows, std::int64_t size, double factor) {
	const at::Tensor equal = at::full({1, size}, factor, at::TensorOptions().dtype(at::kFloat));
	return fully_connected(d, rows, d.weights(equal, "equal numbers"), xnnpack::nothing, 0);
}
[[nodiscard]] inline Value rows_before_transposition(xnnpack::Definition& d, Value tensor) {
	const Node* node = d.builder().graph().info(tensor).producer;
	if (node == nullptr || !d.builder().has(tensor) ||
		(node->op() != "aten::transpose.int" && node->op() != "aten::permute"))
		return {};
	const std::size_t rank = d.rank(tensor);
	xnnpack::Definition transposition(d.builder(), *node);
	std::vector<std::int64_t> order = transposition.integers("dims");
	if (node->op() == "aten::transpose.int") {
		order.resize(rank);
		std::iota(order.begin(), order.end(), 0);
		std::swap(order[d.dim(transposition.integer("dim0"), tensor)],
		order[d.dim(transposition.integer("dim1"), tensor)]);
	}
	for (std::size_t i = 0; i < order.size(); ++i) {
		const std::size_t wanted = i + 2 < rank ? i : i + 2 == rank ? rank - 1 : rank - 2;
		if (d.dim(order[i], tensor) != wanted) return {};
	}
	return transposition.is_declined() || order.size() != rank ? Value() : node->input(0);
}
}
FERRY_INLINE void products::define(xnnpack::Definition& d) {
	using detail::Op, detail::fully_connected, detail::rows_before_transposition;
	const std::string_view op = d.node().op();
	const bool is_linear = op == "aten::linear", is_sum = op == "aten::addmm";
	const Value rows = d.tensor(is_linear ? "input" : is_sum ? "mat1" : "self");
	const Value by = d.tensor(is_linear ? "weight" : is_sum ? "mat2" : op == "aten::matmul" ? "other" : "mat2");
	const Value bias = d.has("bias") ? d.tensor("bias") : is_sum ? d.tensor("self") : Value();
	d.require(d.rank(rows) >= 2 && d.rank(by) >= 2 && d.real("beta", 1) == 1 && d.real("alpha", 1) == 1);
	d.require(!bias || (d.rank(bias) == 1 && d.is_constant(bias)));
	if (d.is_declined()) return;
	if (d.rank(by) == 2 && d.is_constant(by)) {
		const auto bias_weights = bias ? d.weights(*d.constant(bias).tensor, d.constant(bias).name) : xnnpack::nothing;
		const auto weights = d.weights(*d.constant(by).tensor, d.constant(by).name);
		return d.give(
		fully_connected(d, d.plain(rows), weights, bias_weights, is_linear ? 0 : xnnpack::transposed_weights));
	}
	d.require(!is_linear && !is_sum);
	if (d.is_declined()) return;
	const Value columns = rows_before_transposition(d, by);
	d.give(d.apply({.op = Op::XNNBatchMatrixMultiply,
		.inputs = {d.plain(rows), d.plain(columns ? columns : by)},
		.flags = columns ? xnnpack::transposed_weights : 0},
		d.builder().sizes(d.output())));
}
namespace detail {
[[nodiscard]] inline std::vector<std::int64_t> height_and_width(xnnpack::Definition& d, std::string_view name,
		std::int64_t otherwise, bool is_flat) {
	std::vector<std::int64_t> numbers = d.pair(name, {otherwise, otherwise});
	if (is_flat) numbers[0] = otherwise;
	return numbers;
}
[[nodiscard]] inline Ref as_image(xnnpack::Definition& d, Value flat) {
	const std::vector<SymExpr> sizes = d.sizes(flat);
	return d.builder().transpose(d.reshape(d.plain(flat), {sizes[0], sizes[1], 1, sizes[2]}), {0, 2, 3, 1});
}
}
FERRY_INLINE void convolutions::define(xnnpack::Definition& d) {
	using detail::Op, detail::Ref, detail::Sizes, detail::as_image, detail::count, detail::height_and_width;
	const Value input = d.tensor("input"), weight = d.tensor("weight"), made = d.output();
	const bool has_bias = d.has("bias"), is_flat = d.rank(input) == 3;
	d.require((d.rank(input) == 4 || is_flat) && d.rank(weight) == d.rank(input));
	d.require(d.is_constant(weight) && (!has_bias || d.is_constant(d.tensor("bias"))));
	const bool is_transposed = d.node().op() == "aten::conv_transpose2d.input" || d.flag("transposed", false);
	const auto stride = height_and_width(d, "stride", 1, is_flat), padding = height_and_width(d, "padding", 0, is_flat),
		dilation = height_and_width(d, "dilation", 1, is_flat),
		adjustment = height_and_width(d, "output_padding", 0, is_flat);
	const std::int64_t groups = d.integer("groups", 1);
	if (d.is_declined()) return;
	const Ref image = is_flat ? as_image(d, input) : d.builder().channels_last(input);
	if (d.is_declined()) return;
	const at::Tensor given = d.constant(weight).tensor->detach(), kernel = is_flat ? given.unsqueeze(2) : given;
	const std::int64_t first = kernel.size(0), second = kernel.size(1);
	const std::int64_t group_inputs = is_transposed ? first / groups : second;
	const std::int64_t group_outputs = is_transposed ? second : first / groups;
	const bool is_depthwise = !is_transposed && groups > 1 && group_inputs == 1;
	d.require(!is_transposed || groups == 1);
	if (d.is_declined()) return;
	xnnpack::Window window{
		.groups = count(groups), .group_inputs = count(group_inputs), .group_outputs = count(group_outputs)};
	for (std::size_t i = 0; i < 2; ++i) {
		window.kernel[i] = count(kernel.size(static_cast<std::int64_t>(i) + 2));
		window.stride[i] = count(stride[i]);
		window.padding[i] = count(padding[i]);
		window.dilation[i] = count(dilation[i]);
		window.adjustment[i] = count(adjustment[i]);
	}
	const at::Tensor ordered =
		kernel.permute(is_transposed || is_depthwise ? at::IntArrayRef{1, 2, 3, 0} : at::IntArrayRef{0, 2, 3, 1});
	const std::string name(d.constant(weight).name);
	const Ref weights = d.weights(ordered, name);
	const Ref bias = has_bias ? d.weights(*d.constant(d.tensor("bias")).tensor, d.constant(d.tensor("bias")).name)
		: xnnpack::nothing;
	Sizes sizes = d.builder().sizes(made);
	if (is_flat) sizes.insert(sizes.begin() + 2, 1);
	const Ref ref = d.apply({.op = is_transposed  ? Op::XNNConvTranspose2d
		: is_depthwise ? Op::XNNDepthwiseConv2d
		: Op::XNNConv2d,
		.inputs = {image, weights, bias},
		.window = window},
		{sizes[0], sizes[2], sizes[3], sizes[1]});
	if (is_flat)
		d.give(d.reshape(d.builder().transpose(ref, {0, 3, 1, 2}), d.sizes(made)));
	else
		d.builder().bind_channels_last(made, ref);
}
FERRY_INLINE void pooling::define(xnnpack::Definition& d) {
	using detail::Op, detail::Sizes, detail::count;
	const Value self = d.tensor("self"), made = d.output();
	const bool is_average = d.node().op() == "aten::avg_pool2d";
	const auto kernel = d.pair("kernel_size", {});
	const auto stride = d.pair("stride", kernel), padding = d.pair("padding", {0, 0}),
		dilation = d.pair("dilation", {1, 1});
	d.require(d.rank(self) == 4 && kernel[0] * kernel[1] > 1);
	d.require(stride[0] <= kernel[0] && stride[1] <= kernel[1]);
	d.require(!is_average ||
		((padding[0] + padding[1] == 0 || !d.flag("count_include_pad", true)) && !d.has("divisor_override")));
	if (d.is_declined()) return;
	xnnpack::Window window;
	for (std::size_t i = 0; i < 2; ++i) {
		window.kernel[i] = count(kernel[i]);
		window.stride[i] = count(stride[i]);
		window.padding[i] = count(padding[i]);
		window.dilation[i] = count(dilation[i]);
		if (!d.flag("ceil_mode", false)) continue;
		const std::int64_t needed = (d.fixed_size(made, i + 2) - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1;
		window.more_behind[i] = count(std::max<std::int64_t>(needed - d.fixed_size(self, i + 2) - 2 * padding[i], 0));
	}
	if (d.is_declined()) return;
	const Sizes sizes = d.builder().sizes(made);
	d.builder().bind_channels_last(made, d.apply({.op = is_average ? Op::XNNAvgPooling2d : Op::XNNMaxPooling2d,
		.inputs = {d.builder().channels_last(self)},
		.window = window},
		{sizes[0], sizes[2], sizes[3], sizes[1]}));
}
FERRY_INLINE void means::define(xnnpack::Definition& d) {
	using detail::Op, detail::Ref, detail::Sizes, detail::sum_of_rows;
	const Value self = d.tensor("self"), made = d.output();
	const std::size_t rank = d.rank(self);
	const bool is_pool = d.node().op().ends_with("adaptive_avg_pool2d");
	const bool is_sum = d.node().op() == "aten::sum.dim_IntList";
	const bool keeps = is_pool || d.flag("keepdim", false);
	std::vector<std::size_t> dims;
	if (is_pool) {
		d.require(rank == 4 && d.integers("output_size") == std::vector<std::int64_t>{1, 1});
		dims = {2, 3};
	} else {
		for (const std::int64_t each : d.integers("dim")) dims.push_back(d.dim(each, self));
	}
	std::sort(dims.begin(), dims.end());
	if (d.is_declined()) return;
	if (rank == 4 && dims == std::vector<std::size_t>{2, 3} && !is_sum) {
		Sizes sizes = d.builder().sizes(self);
		const Ref image = d.builder().channels_last(self);
		if (keeps) {
		d.builder().bind_channels_last(
		made, d.apply({.op = Op::XNNGlobalAvgPooling2d, .inputs = {image}, .flags = xnnpack::keep_dims},
		{sizes[0], 1, 1, sizes[1]}));
		} else {
		d.give(d.apply(Op::XNNGlobalAvgPooling2d, {image}, {sizes[0], sizes[1]}));
		}
		return;
	}
	d.require(dims.size() == 1 && rank >= 2 && dims[0] == rank - 1);
	const std::int64_t size = d.fixed_size(self, rank - 1);
	if (d.is_declined()) return;
	const Ref total = sum_of_rows(d, d.plain(self), size, is_sum ? 1 : 1 / static_cast<double>(size));
	d.give(keeps ? total : d.reshape(total, d.sizes(made)));
}
FERRY_INLINE void softmax::define(xnnpack::Definition& d) {
	using detail::Op, detail::Ref, detail::Sizes;
	const Value self = d.tensor("self");
	const std::size_t rank = d.rank(self), dim = d.dim(d.integer("dim"), self);
	d.require(rank >= 1 && dim < rank);
	if (d.is_declined()) return;
	Sizes order(rank);
	std::iota(order.begin(), order.end(), 0U);
	std::swap(order[dim], order[rank - 1]);
	const bool is_last = dim == rank - 1;
	const Ref rows = is_last ? d.plain(self) : d.builder().transpose(d.plain(self), order);
	const Ref made = d.apply(Op::XNNSoftmax, {rows}, d.builder().sizes_of(rows));
	d.give(is_last ? made : d.builder().transpose(made, order));
}
FERRY_INLINE void layer_norm::define(xnnpack::Definition& d) {
	using detail::Op, detail::Ref, detail::sum_of_rows;
	const Value input = d.tensor("input");
	const std::size_t rank = d.rank(input);
	d.require(rank >= 2 && d.integers("normalized_shape").size() == 1);
	const std::int64_t size = d.fixed_size(input, rank - 1);
	static_cast<void>(d.output());
	if (d.is_declined()) return;
	const double share = 1 / static_cast<double>(size);
	const Ref rows = d.plain(input);
	const Ref centered = d.elementwise(Op::XNNSubtract, rows, sum_of_rows(d, rows, size, share));
	const Ref squares = d.apply(Op::XNNSquare, {centered}, d.builder().sizes_of(centered));
	const Ref variance = d.elementwise(Op::XNNAdd, sum_of_rows(d, squares, size, share), d.number(d.real("eps", 1e-5)));
	const Ref scale = d.apply(Op::XNNReciprocalSquareRoot, {variance}, d.builder().sizes_of(variance));
	Ref made = d.elementwise(Op::XNNMultiply, centered, scale);
	if (d.has("weight")) made = d.elementwise(Op::XNNMultiply, made, d.plain(d.tensor("weight")));
	if (d.has("bias")) made = d.elementwise(Op::XNNAdd, made, d.plain(d.tensor("bias")));
	d.give(made);
}
namespace detail {
[[nodiscard]] inline bool fold_into_convolution(xnnpack::Definition& d, Ref image, const at::Tensor& scale,
		const at::Tensor& shift) {
	const ValueInfo& info = d.builder().graph().info(d.tensor("input"));
	xnnpack::Operation* convolution = d.builder().producer(image);
	if (convolution == nullptr || info.users.size() != 1 || info.output_uses != 0) return false;
	const bool is_depthwise = convolution->op == Op::XNNDepthwiseConv2d;
	if (!is_depthwise && convolution->op != Op::XNNConv2d && convolution->op != Op::XNNConvTranspose2d) return false;
	at::Tensor& kernel = d.builder().weights_of(convolution->inputs[1]).tensor;
	kernel = (kernel * scale.view(is_depthwise ? at::IntArrayRef{1, 1, 1, -1} : at::IntArrayRef{-1, 1, 1, 1}))
		.to(at::kFloat);
	const Ref bias = convolution->inputs[2];
	if (bias == xnnpack::nothing) {
		const Ref made = d.weights(shift.to(at::kFloat), "a bias");
		convolution->inputs[2] = made;
	} else {
		at::Tensor& known = d.builder().weights_of(bias).tensor;
		known = (known * scale + shift).to(at::kFloat);
	}
	return true;
}
}
FERRY_INLINE void batch_norm::define(xnnpack::Definition& d) {
	using detail::Op, detail::Ref, detail::fold_into_convolution;
	const Value input = d.tensor("input");
	const std::size_t rank = d.rank(input);
	d.require(rank >= 2 && rank <= 4);
	const auto given = [&](std::string_view name) {
		const at::Tensor* tensor = d.has(name) ? d.constant(d.tensor(name)).tensor : nullptr;
		return tensor != nullptr ? tensor->detach().to(at::kDouble) : at::Tensor();
	};
	const at::Tensor mean = given("running_mean"), variance = given("running_var"), weight = given("weight"),
		bias = given("bias");
	d.require(mean.defined() && variance.defined());
	static_cast<void>(d.output());
	if (d.is_declined()) return;
	at::Tensor scale = (variance + d.real("eps")).rsqrt();
	if (weight.defined()) scale = scale * weight;
	at::Tensor shift = -mean * scale;
	if (bias.defined()) shift = shift + bias;
	if (rank != 4) {
		const auto by_channel = [&](const at::Tensor& each) {
		return d.builder().constant(
		each.to(at::kFloat).view(rank == 3 ? at::IntArrayRef{-1, 1} : at::IntArrayRef{-1}));
		};
		const Ref scaled = d.elementwise(Op::XNNMultiply, d.plain(input), by_channel(scale));
		return d.give(d.elementwise(Op::XNNAdd, scaled, by_channel(shift)));
	}
	const Ref image = d.builder().channels_last(input);
	if (fold_into_convolution(d, image, scale, shift)) return d.builder().bind_channels_last(d.output(), image);
	const Ref scaled = d.elementwise(Op::XNNMultiply, image, d.builder().constant(scale.to(at::kFloat)));
	d.builder().bind_channels_last(d.output(),
		d.elementwise(Op::XNNAdd, scaled, d.builder().constant(shift.to(at::kFloat))));
}
FERRY_INLINE void resizing::define(xnnpack::Definition& d) {
	using detail::Op, detail::Sizes, detail::count;
	const Value self = d.tensor(d.node().find("input") != nullptr ? "input" : "self"), made = d.output();
	d.require(d.rank(self) == 4);
	const std::int64_t height = d.fixed_size(made, 2), width = d.fixed_size(made, 3);
	if (d.has("scale_factors") || d.has("scales_h") || d.has("scales_w"))
		d.require(height % d.fixed_size(self, 2) == 0 && width % d.fixed_size(self, 3) == 0);
	if (d.is_declined()) return;
	const Sizes sizes = d.builder().sizes(made);
	d.builder().bind_channels_last(made, d.apply({.op = Op::XNNStaticResizeBilinear2D,
		.inputs = {d.builder().channels_last(self)},
		.flags = d.flag("align_corners", false) ? xnnpack::align_corners : 0,
		.list = {count(height), count(width)}},
		{sizes[0], sizes[2], sizes[3], sizes[1]}));
}
}
#include <ATen/ops/ones.h>
namespace ferry::executorch::delegated {
FERRY_INLINE void reshapes::define(xnnpack::Definition& d) {
	const Value self = d.node().input(0);
	if (d.builder().is_channels_last(self) && d.sizes(self) == d.sizes(d.output()))
		return d.elementwise({.op = xnnpack::Op::XNNCopy}, {{.value = self}});
	d.give(d.reshape(d.plain(self), d.sizes(d.output())));
}
FERRY_INLINE void permutations::define(xnnpack::Definition& d) {
	const Value self = d.tensor("self");
	const std::size_t rank = d.rank(self);
	xnnpack::Sizes order(rank);
	std::iota(order.begin(), order.end(), 0U);
	if (d.node().find("dims") != nullptr) {
		const auto dims = d.integers("dims");
		d.require(dims.size() == rank);
		for (std::size_t i = 0; i < rank && i < dims.size(); ++i)
		order[i] = static_cast<std::uint32_t>(d.dim(dims[i], self));
	} else if (rank >= 2) {
		const bool is_matrix = d.node().find("dim0") == nullptr;
		std::swap(order[d.dim(is_matrix ? 0 : d.integer("dim0"), self)],
		order[d.dim(is_matrix ? 1 : d.integer("dim1"), self)]);
	}
	d.require(rank >= 2);
	if (!d.is_declined()) d.give(d.builder().transpose(d.plain(self), std::move(order)));
}
FERRY_INLINE void expansion::define(xnnpack::Definition& d) {
	const Value self = d.tensor("self"), made = d.output();
	const std::size_t added = d.rank(made) - d.rank(self);
	std::vector<std::int64_t> ones(d.rank(made), 1);
	for (std::size_t i = 0; i < ones.size(); ++i)
		if (i < added || d.sizes(self)[i - added] != d.sizes(made)[i]) ones[i] = d.fixed_size(made, i);
	if (d.is_declined()) return;
	const auto all = d.builder().constant(at::ones(ones, at::TensorOptions().dtype(at::kFloat)));
	d.give(d.apply(xnnpack::Op::XNNMultiply, {d.plain(self), all}, d.builder().sizes(made)));
}
namespace detail {
[[nodiscard]] inline xnnpack::Ref slice(xnnpack::Definition& d, Value self, std::size_t dim, std::int64_t first,
		std::int64_t size) {
	const std::size_t rank = d.rank(self);
	xnnpack::Sizes offsets(rank, 0), sizes, made = d.builder().sizes(self);
	for (const SymExpr& each : d.sizes(self))
		sizes.push_back(each.is_constant() ? static_cast<std::uint32_t>(each.value()) : 0);
	offsets[dim] = static_cast<std::uint32_t>(first);
	sizes[dim] = made[dim] = static_cast<std::uint32_t>(size);
	return d.apply({.op = xnnpack::Op::XNNStaticSlice,
		.inputs = {d.plain(self)},
		.list = std::move(offsets),
		.second_list = std::move(sizes)},
		std::move(made));
}
}
FERRY_INLINE void slices::define(xnnpack::Definition& d) {
	const Value self = d.tensor("self"), made = d.output();
	const std::size_t dim = d.dim(d.integer("dim", 0), self);
	const bool is_one = d.node().find("index") != nullptr;
	std::int64_t first = d.integer(is_one ? "index" : "start", 0);
	d.require(dim < d.rank(self) && d.integer("step", 1) == 1);
	if (d.is_declined()) return;
	const bool is_fixed = d.sizes(self)[dim].is_constant();
	d.require(first >= 0 || is_fixed);
	const std::int64_t size = is_one ? 1 : d.fixed_size(made, dim);
	if (is_fixed) {
		const std::int64_t all = d.sizes(self)[dim].value();
		first = std::clamp<std::int64_t>(first < 0 ? first + all : first, 0, all);
	}
	if (d.is_declined()) return;
	const auto part = detail::slice(d, self, dim, first, size);
	d.give(is_one ? d.reshape(part, d.sizes(made)) : part);
}
FERRY_INLINE void splits::define(xnnpack::Definition& d) {
	const Value self = d.tensor("self");
	const std::size_t dim = d.dim(d.integer("dim", 0), self);
	d.require(dim < d.rank(self) && d.node().outputs().size() == 1);
	std::int64_t first = 0;
	for (const Value made : d.node().outputs()[0].values) {
		const std::int64_t size = d.fixed_size(made, dim);
		d.require(d.sizes(self)[dim].is_constant() && size > 0);
		if (d.is_declined()) return;
		if (d.builder().graph().is_used(made)) d.builder().bind(made, detail::slice(d, self, dim, first, size));
		first += size;
	}
}
FERRY_INLINE void concatenation::define(xnnpack::Definition& d) {
	using xnnpack::Op;
	static constexpr Op by_count[] = {Op::XNNConcatenate2, Op::XNNConcatenate3, Op::XNNConcatenate4,
		Op::XNNConcatenate5};
	constexpr std::size_t most = 5;
	const std::vector<Value> tensors = d.tensors("tensors");
	const Value made = d.output();
	std::size_t dim = d.dim(d.integer("dim", 0), made);
	const std::size_t rank = d.rank(made);
	d.require(tensors.size() >= 2 && dim < rank);
	for (const Value each : tensors) d.require(d.rank(each) == rank);
	if (d.is_declined()) return;
	const bool is_last =
		rank == 4 && algo::any_of(tensors, [&](Value each) { return d.builder().is_channels_last(each); });
	if (is_last) dim = dim == 0 ? 0 : dim == 1 ? 3 : dim - 1;
	std::vector<xnnpack::Ref> parts;
	parts.reserve(tensors.size());
	for (const Value each : tensors)
		parts.push_back(is_last ? d.builder().channels_last(each) : d.builder().plain(each));
	while (parts.size() > 1) {
		const std::size_t count = std::min(most, parts.size());
		std::vector<xnnpack::Ref> some(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count));
		xnnpack::Sizes sizes = d.builder().sizes_of(some[0]);
		for (std::size_t i = 1; i < count; ++i) sizes[dim] += d.builder().sizes_of(some[i])[dim];
		parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count));
		parts.insert(parts.begin(),
		d.apply({.op = by_count[count - 2], .inputs = std::move(some), .number = static_cast<float>(dim)},
		std::move(sizes)));
	}
	is_last ? d.builder().bind_channels_last(made, parts[0]) : d.builder().bind(made, parts[0]);
}
FERRY_INLINE void padding::define(xnnpack::Definition& d) {
	const Value self = d.tensor("self"), made = d.output();
	const std::vector<std::int64_t> pads = d.integers("pad");
	const std::size_t rank = d.rank(self);
	d.require(pads.size() <= 2 * rank && algo::all_of(pads, [](std::int64_t pad) { return pad >= 0; }));
	const auto value = static_cast<float>(d.real("value", 0));
	if (d.is_declined()) return;
	xnnpack::Sizes before(rank, 0), behind(rank, 0), sizes = d.builder().sizes(made);
	for (std::size_t i = 0; i < pads.size() / 2; ++i) {
		before[rank - 1 - i] = static_cast<std::uint32_t>(pads[2 * i]);
		behind[rank - 1 - i] = static_cast<std::uint32_t>(pads[2 * i + 1]);
	}
	const bool is_last = rank == 4 && d.builder().is_channels_last(self);
	if (is_last)
		for (xnnpack::Sizes* each : {&before, &behind, &sizes})
		std::rotate(each->begin() + 1, each->begin() + 2, each->end());
	const auto ref = d.apply({.op = xnnpack::Op::XNNStaticConstantPad,
		.inputs = {is_last ? d.builder().channels_last(self) : d.plain(self)},
		.list = std::move(before),
		.second_list = std::move(behind),
		.number = value},
		std::move(sizes));
	is_last ? d.builder().bind_channels_last(made, ref) : d.builder().bind(made, ref);
}
}
namespace ferry::executorch {
class MethodBuilder {
public:
	explicit MethodBuilder(std::string name) { method_.name = std::move(name); }
	[[nodiscard]] Method& method() noexcept { return method_; }
	[[nodiscard]] std::size_t next_instruction() const noexcept { return method_.instructions.size(); }
	[[nodiscard]] Id none() { return none_ != no_value ? none_ : none_ = method_.add({}); }
	[[nodiscard]] Id integer(std::int64_t value) { return once(integers_, value); }
	[[nodiscard]] Id flag(bool value) { return once(flags_, value); }
	[[nodiscard]] Id real(double value) { return method_.add(value); }
	[[nodiscard]] Id text(std::string value) { return method_.add(std::move(value)); }
	[[nodiscard]] Id integers(std::vector<Id> items) { return method_.add(IntList{std::move(items)}); }
	[[nodiscard]] Id add_tensor(TensorValue value) {
		value.buffer = static_cast<std::int32_t>(method_.buffers.size());
		method_.buffers.push_back({.bytes = bytes_of(value), .first = next_instruction(), .last = next_instruction()});
		return method_.add(std::move(value));
	}
	[[nodiscard]] static std::uint64_t bytes_of(const TensorValue& value) {
		std::uint64_t bytes = info(value.dtype).bytes;
		for (const std::int32_t size : value.sizes) bytes *= static_cast<std::uint64_t>(size);
		return bytes;
	}
	void touch(Id id) {
		if (id == no_value) return;
		const MethodValue& value = method_.values[static_cast<std::size_t>(id)];
		if (const auto* tensor = std::get_if<TensorValue>(&value); tensor && tensor->buffer >= 0) {
		Buffer& buffer = method_.buffers[static_cast<std::size_t>(tensor->buffer)];
		buffer.last = std::max(buffer.last, next_instruction());
		}
		if (const auto* list = std::get_if<TensorList>(&value))
		for (const Id each : list->items) touch(each);
		if (const auto* list = std::get_if<OptionalTensorList>(&value))
		for (const Id each : list->items) touch(each);
		if (const auto moved = moved_.find(id); moved != moved_.end())
		for (const Id each : moved->second) touch(each);
	}
	void call(std::string_view kernel, std::vector<Id> args) {
		for (const Id each : args) touch(each);
		method_.instructions.emplace_back(KernelCall{operator_of(kernel), std::move(args)});
	}
	void call(DelegateData delegate, std::vector<Id> args) {
		for (const Id each : args) touch(each);
		const auto number = static_cast<std::uint32_t>(method_.delegates.size());
		method_.delegates.push_back(std::move(delegate));
		method_.instructions.emplace_back(DelegateCall{number, std::move(args)});
	}
	void move(Id from, Id to) {
		touch(from);
		method_.instructions.emplace_back(Move{from, to});
		moved_[to].push_back(from);
	}
	[[nodiscard]] std::size_t jump_if_false(Id condition) {
		touch(condition);
		method_.instructions.emplace_back(JumpFalse{condition, 0});
		return method_.instructions.size() - 1;
	}
	void jump_here(std::size_t jump) { jump_to(jump, next_instruction()); }
	void jump_to(std::size_t jump, std::size_t instruction) {
		std::get<JumpFalse>(method_.instructions[jump]).destination = instruction;
	}
private:
	template <class Known, class Value>
	Id once(Known& known, Value value) {
		const auto [found, is_new] = known.try_emplace(value, no_value);
		if (is_new) found->second = method_.add(value);
		return found->second;
	}
	[[nodiscard]] std::uint32_t operator_of(std::string_view kernel) {
		const auto [found, is_new] =
		operators_.try_emplace(std::string(kernel), static_cast<std::uint32_t>(method_.operators.size()));
		if (is_new) {
		const std::size_t dot = kernel.find('.');
		method_.operators.push_back({std::string(kernel.substr(0, dot)),
		dot == kernel.npos ? std::string() : std::string(kernel.substr(dot + 1))});
		}
		return found->second;
	}
	Method method_;
	Id none_ = no_value;
	std::unordered_map<std::int64_t, Id> integers_;
	std::map<bool, Id> flags_;
	std::unordered_map<std::string, std::uint32_t> operators_;
	std::unordered_map<Id, std::vector<Id>> moved_;
};
}
namespace ferry::executorch {
class SizeCode {
public:
	explicit SizeCode(MethodBuilder& builder) : builder_(builder) {}
	void know_tensor(Id tensor, const std::vector<SymExpr>& sizes) {
		for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
		if (sizes[dim].is_constant()) continue;
		places_.try_emplace(sizes[dim], Place{tensor, static_cast<std::int64_t>(dim)});
		if (const auto affine = as_affine(sizes[dim]); affine && !sizes[dim].is_symbol())
		derived_.try_emplace(affine->symbol,
		Derived{{tensor, static_cast<std::int64_t>(dim)}, affine->factor, affine->offset});
		}
	}
	void know_number(const SymExpr& expression, Id number) { known_.try_emplace(expression, number); }
	[[nodiscard]] Id tensor_with(const std::string& symbol) const {
		if (const auto found = places_.find(SymExpr::symbol(symbol)); found != places_.end())
		return found->second.tensor;
		const auto found = derived_.find(symbol);
		return found != derived_.end() ? found->second.place.tensor : no_value;
	}
	[[nodiscard]] Id number(const SymExpr& expression) {
		if (expression.is_constant()) return builder_.integer(expression.value());
		if (const auto found = known_.find(expression); found != known_.end()) return found->second;
		const Id made = compute(expression);
		known_.emplace(expression, made);
		return made;
	}
	[[nodiscard]] Id sizes(const std::vector<SymExpr>& all) {
		std::size_t dynamic = 0;
		bool is_empty = false;
		for (const SymExpr& each : all) {
		dynamic += each.is_constant() ? 0 : 1;
		is_empty = is_empty || each.is_constant(0);
		}
		const bool follows = dynamic == 1 && !is_empty;
		std::vector<Id> items;
		items.reserve(all.size());
		for (const SymExpr& each : all)
		items.push_back(follows && !each.is_constant() ? builder_.integer(-1) : number(each));
		return builder_.integers(std::move(items));
	}
	[[nodiscard]] Id call(std::string_view function, std::vector<Id> args) {
		const Id made = builder_.method().add(std::int64_t{0});
		args.push_back(made);
		builder_.call(function, std::move(args));
		return made;
	}
	struct State;
	[[nodiscard]] State state() const;
	void restore(State state);
private:
	struct Place {
		Id tensor;
		std::int64_t dim;
	};
	struct Derived {
		Place place;
		std::int64_t factor, offset;
	};
	[[nodiscard]] Id at(Place place) { return call("aten::sym_size.int", {place.tensor, builder_.integer(place.dim)}); }
	[[nodiscard]] Id product_of(const SymTerm& term) {
		Id product = term.coefficient != 1 || term.factors.empty() ? builder_.integer(term.coefficient) : no_value;
		for (const SymFactor& factor : term.factors)
		for (std::int32_t i = 0; i < factor.exponent; ++i) {
		const Id each = number(factor.base);
		product = product == no_value ? each : call("executorch_prim::mul.Scalar", {product, each});
		}
		return product;
	}
	[[nodiscard]] Id compute(const SymExpr& expression);
	MethodBuilder& builder_;
	std::map<SymExpr, Place> places_;
	std::map<std::string, Derived> derived_;
	std::map<SymExpr, Id> known_;
};
struct SizeCode::State {
	std::map<SymExpr, Place> places;
	std::map<std::string, Derived> derived;
	std::map<SymExpr, Id> known;
};
inline SizeCode::State SizeCode::state() const { return {places_, derived_, known_}; }
inline void SizeCode::restore(State state) {
	places_ = std::move(state.places);
	derived_ = std::move(state.derived);
	known_ = std::move(state.known);
}
inline Id SizeCode::compute(const SymExpr& expression) {
	if (const auto found = places_.find(expression); found != places_.end()) return at(found->second);
	const auto& args = expression.args();
	const auto fold = [&](std::string_view function) {
		Id made = number(args[0]);
		for (std::size_t i = 1; i < args.size(); ++i) made = call(function, {made, number(args[i])});
		return made;
	};
	switch (expression.op()) {
		case SymOp::symbol: {
		const auto found = derived_.find(expression.name());
		if (found == derived_.end()) break;
		const Derived& from = found->second;
		Id made = at(from.place);
		if (from.offset != 0) made = call("executorch_prim::sub.Scalar", {made, builder_.integer(from.offset)});
		return from.factor == 1 ? made
		: call("executorch_prim::floordiv.Scalar", {made, builder_.integer(from.factor)});
		}
		case SymOp::sum: {
		Id total = expression.value() != 0 ? builder_.integer(expression.value()) : no_value;
		for (const SymTerm& term : expression.terms()) {
		const Id part = product_of(term);
		total = total == no_value ? part : call("executorch_prim::add.Scalar", {total, part});
		}
		return total;
		}
		case SymOp::floor_div: return fold("executorch_prim::floordiv.Scalar");
		case SymOp::mod: return fold("executorch_prim::mod.Scalar");
		case SymOp::min: return fold("executorch_prim::sym_min.Scalar");
		case SymOp::max: return fold("executorch_prim::sym_max.Scalar");
		default: break;
	}
	throw Error(ErrorKind::unsupported, "the size " + to_string(expression) + " cannot be computed in ExecuTorch",
		{.where = {.stage = "emission"}});
}
}
#include <ATen/core/jit_type.h>
namespace ferry::executorch::detail {
class Emitter {
public:
	Emitter(const ExportedProgram& program, const std::string& name, const SymRanges& limits, Kernels& kernels,
		const xnnpack::Delegation* delegation, SharedData& shared, const ExecutorchConfig& config)
		: program_(program),
		limits_(limits),
		kernels_(kernels),
		delegation_(delegation),
		shared_(shared),
		config_(config),
		builder_(name) {}
	[[nodiscard]] Method emit() {
		enter(program_.graph);
		find_state();
		add_inputs();
		check_sizes();
		emit_nodes();
		write_back();
		add_outputs();
		return std::move(builder_.method());
	}
private:
	struct Scope {
		const Graph* graph = nullptr;
		std::vector<Id> ids{};
	};
	[[nodiscard]] const Graph& graph() const noexcept { return *scope_.graph; }
	[[nodiscard]] const ValueInfo& info_of(Value value) const { return graph().info(value); }
	void enter(const Graph& graph) { scope_ = {&graph, std::vector<Id>(graph.num_values(), no_value)}; }
	void bind(Value value, Id id) { scope_.ids.at(value.index) = id; }
	[[nodiscard]] Id id_of(Value value);
	void add_inputs();
	void check_sizes();
	void find_state();
	[[nodiscard]] Id add_state(const InputSpec& input, Value value);
	void add_outputs();
	void write_back();
	void emit_nodes();
	void emit_node(const Node& node);
	void emit_delegate(const xnnpack::Step& step);
	void emit_kernel(const Node& node, const Kernel& kernel);
	void emit_view(const Node& node);
	void bind_view(Value made, Id base);
	[[nodiscard]] bool may_be_empty(Value value) const;
	void emit_number(const Node& node);
	void emit_cond(const Node& node);
	void emit_loop(const Node& node);
	void emit_scan(const Node& node);
	[[nodiscard]] std::vector<Id> emit_body(const Argument& body, const std::vector<Id>& operands);
	[[nodiscard]] std::vector<Id> given(const Node& node, std::string_view list);
	[[nodiscard]] std::vector<Id> begin_carrying(const std::vector<Id>& values);
	void carry_on(const std::vector<Id>& values, const std::vector<Id>& carried);
	void keep_through(std::size_t first_instruction);
	[[nodiscard]] Id copy(Id tensor);
	[[nodiscard]] TensorValue describe(const TensorMeta& meta, std::string_view what) const;
	[[nodiscard]] Id new_tensor(Value value);
	[[nodiscard]] std::vector<Value> bind_results(const Node& node, const std::vector<Id>& ids);
	[[nodiscard]] Id argument(const Argument& argument, const c10::Type& type);
	[[nodiscard]] Id number_as_tensor(const Argument& number);
	[[nodiscard]] Id tensor_of(Id number, DType dtype);
	[[nodiscard]] Argument argument_of(const Node& node, const c10::Argument& wanted) const;
	[[noreturn]] void refuse(const std::string& what) const {
		throw Error(ErrorKind::unsupported, what,
		{.where = {.stage = "emission",
		.op = node_ != nullptr ? std::string(node_->op()) : "",
		.path = node_ != nullptr ? std::string(node_->module_path()) : ""}});
	}
	const ExportedProgram& program_;
	const SymRanges& limits_;
	Kernels& kernels_;
	const xnnpack::Delegation* delegation_;
	SharedData& shared_;
	const ExecutorchConfig& config_;
	MethodBuilder builder_;
	SizeCode sizes_{builder_};
	Scope scope_;
	std::set<std::string_view> written_;                              
	std::unordered_map<std::string_view, const at::Tensor*> tensors_; 
	std::unordered_map<std::uint32_t, const InputSpec*> state_;
	const Node* node_ = nullptr;
};
}
namespace ferry::executorch {
namespace detail {
[[nodiscard]] inline std::int64_t largest_sample(const SymExpr& size, const SymRanges& limits) {
	constexpr std::size_t most_samples = 1024;
	const std::vector<std::string> symbols = free_symbols(size);
	std::vector<std::vector<std::int64_t>> choices;
	std::size_t count = 1;
	for (const std::string& symbol : symbols) {
		const ValueRange* range = limits.find(symbol);
		if (range == nullptr || range->empty()) return -1;
		std::vector<std::int64_t>& values = choices.emplace_back();
		for (const std::int64_t each : {range->min, range->min + 1, range->max - 1, range->max})
		if (each >= range->min && each <= range->max) values.push_back(each);
		count *= values.size();
		if (count > most_samples) return -1;
	}
	std::int64_t largest = -1;
	for (std::size_t sample = 0; sample < count; ++sample) {
		SymBindings sizes;
		std::size_t rest = sample;
		for (std::size_t i = 0; i < symbols.size(); ++i) {
		sizes.set(symbols[i], choices[i][rest % choices[i].size()]);
		rest /= choices[i].size();
		}
		try {
		largest = std::max(largest, evaluate(size, sizes));
		} catch (const Error&) {
		}
	}
	return largest;
}
}
[[nodiscard]] inline std::int64_t largest_size(const SymExpr& size, const SymRanges& limits) {
	constexpr std::int64_t usual = 1 << 14;
	if (size.is_constant()) return size.value();
	const std::int64_t bound = bounds(size, limits).max;
	if (bound <= usual || as_affine(size)) return bound;
	const std::int64_t sampled = detail::largest_sample(size, limits);
	return sampled < 0 ? bound : std::min(bound, sampled + sampled / 8 + 8);
}
}
#include <ATen/ops/scalar_tensor.h>
namespace ferry::executorch::detail {
inline Id Emitter::id_of(Value value) {
	const Id known = scope_.ids.at(value.index);
	if (known != no_value) return known;
	if (&graph() == &program_.graph)
		if (const auto found = state_.find(value.index); found != state_.end()) return add_state(*found->second, value);
	const ValueInfo& info = info_of(value);
	if (info.kind != ValueKind::sym_int) refuse("'" + info.name + "' is used before it is computed");
	const Id made = sizes_.number(info.symbol);
	bind(value, made);
	return made;
}
inline TensorValue Emitter::describe(const TensorMeta& meta, std::string_view what) const {
	TensorValue value{.dtype = meta.dtype};
	value.sizes.reserve(meta.sizes.size());
	for (const SymExpr& size : meta.sizes) {
		const std::int64_t largest = largest_size(size, limits_);
		if (largest > std::numeric_limits<std::int32_t>::max())
		throw Error(
		ErrorKind::unsupported,
		"the size " + to_string(size) + " of '" + std::string(what) + "' has no end that fits into 31 bits",
		{.hint = "give the dynamic dimensions that it depends on a largest size: Dim(name, min, max)",
		.where = {.stage = "memory planning"}});
		value.sizes.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(largest, 0)));
		value.is_dynamic = value.is_dynamic || !size.is_constant();
	}
	return value;
}
inline Id Emitter::new_tensor(Value value) {
	const ValueInfo& info = info_of(value);
	const Id made = builder_.add_tensor(describe(info.tensor, info.name));
	bind(value, made);
	return made;
}
inline void Emitter::emit_nodes() {
	const auto emit = [this](const Node& node) {
		node_ = &node;
		emit_node(node);
	};
	if (delegation_ == nullptr) {
		for (const Node& node : graph().nodes()) emit(node);
	} else {
		for (const xnnpack::Step& step : xnnpack::schedule(graph(), *delegation_))
		step.is_delegated ? emit_delegate(step) : emit(*step.nodes[0]);
	}
	node_ = nullptr;
}
inline void Emitter::emit_node(const Node& node) {
	if (node.op() == "higher_order::cond") return emit_cond(node);
	if (node.op() == "higher_order::while_loop") return emit_loop(node);
	if (node.op() == "higher_order::scan" || node.op() == "higher_order::map_impl") return emit_scan(node);
	if (is_number_op(node.op())) return emit_number(node);
	if (is_view(graph(), node)) return emit_view(node);
	const Kernel* kernel = kernels_.find(node.op());
	if (kernel == nullptr) refuse("no kernel of ExecuTorch computes this op");
	emit_kernel(node, *kernel);
}
inline Argument Emitter::argument_of(const Node& node, const c10::Argument& wanted) const {
	if (const Argument* given = node.find(wanted.name())) return *given;
	if (!wanted.default_value()) return {};
	return to_argument(*wanted.default_value(), ferry::detail::element_kind(wanted.real_type().get()),
		[](const at::Tensor&) { return Value(); });
}
inline Id Emitter::argument(const Argument& given, const c10::Type& type) {
	if (given.is_none()) return builder_.none();
	if (type.kind() == c10::TypeKind::OptionalType) return argument(given, *type.containedType(0));
	if (const auto* value = given.get_if<Value>()) {
		const bool is_tensor = info_of(*value).kind == ValueKind::tensor;
		return type.kind() == c10::TypeKind::TensorType && !is_tensor ? number_as_tensor(given) : id_of(*value);
	}
	if (const auto* list = given.get_if<ArgumentList>()) {
		const c10::Type& element = *type.containedType(0);
		const bool is_optional = element.kind() == c10::TypeKind::OptionalType;
		std::vector<Id> ids;
		switch (ferry::detail::element_kind(&type)) {
		case c10::TypeKind::FloatType: {
		DoubleList made;
		for (const Argument& item : *list)
		made.items.push_back(item.is<double>() ? *item.get_if<double>()
		: static_cast<double>(*item.get_if<std::int64_t>()));
		return builder_.method().add(std::move(made));
		}
		case c10::TypeKind::BoolType: {
		BoolList made;
		for (const Argument& item : *list) made.items.push_back(*item.get_if<bool>());
		return builder_.method().add(std::move(made));
		}
		case c10::TypeKind::TensorType:
		for (const Argument& item : *list)
		ids.push_back(item.is_none() ? no_value : id_of(*item.get_if<Value>()));
		return is_optional ? builder_.method().add(OptionalTensorList{std::move(ids)})
		: builder_.method().add(TensorList{std::move(ids)});
		default:
		for (const Argument& item : *list) ids.push_back(argument(item, element));
		return builder_.integers(std::move(ids));
		}
	}
	if (type.kind() == c10::TypeKind::TensorType) return number_as_tensor(given);
	if (type.kind() == c10::TypeKind::ListType) return builder_.integers({argument(given, *type.containedType(0))});
	if (const auto* number = given.get_if<std::int64_t>())
		return type.kind() == c10::TypeKind::FloatType ? builder_.real(static_cast<double>(*number))
		: builder_.integer(*number);
	if (const auto* number = given.get_if<double>()) return builder_.real(*number);
	if (const auto* flag = given.get_if<bool>()) return builder_.flag(*flag);
	if (const auto* text = given.get_if<std::string>()) return builder_.text(*text);
	if (const auto* dtype = given.get_if<DType>()) return builder_.integer(static_cast<std::int64_t>(*dtype));
	refuse("an argument of type " + type.str() + " cannot stand in an ExecuTorch program");
}
inline Id Emitter::tensor_of(Id number, DType dtype) {
	const Id made = builder_.add_tensor({.dtype = dtype});
	builder_.call("aten::scalar_tensor.out", {number, made, made});
	return made;
}
inline Id Emitter::number_as_tensor(const Argument& number) {
	DType dtype = DType::int64;
	for (const NamedArgument& each : node_->arguments())
		if (const auto* value = each.value.get_if<Value>(); value && info_of(*value).kind == ValueKind::tensor) {
		dtype = info_of(*value).tensor.dtype;
		break;
		}
	const auto* computed = number.get_if<Value>();
	const bool is_real = number.is<double>() || (computed && info_of(*computed).kind == ValueKind::sym_float);
	const bool is_integer = number.is<std::int64_t>() || (computed && info_of(*computed).kind == ValueKind::sym_int);
	if (is_real && !is_floating_point(dtype)) dtype = DType::float32;
	if (is_integer && dtype == DType::boolean) dtype = DType::int64;
	if (computed != nullptr) return tensor_of(id_of(*computed), dtype);
	const auto scalar = [&]() -> c10::Scalar {
		if (const auto* real = number.get_if<double>()) return *real;
		if (const auto* flag = number.get_if<bool>()) return *flag;
		if (const auto* integer = number.get_if<std::int64_t>()) return *integer;
		refuse("an argument is neither a tensor nor a number");
	}();
	const at::Tensor made = at::scalar_tensor(scalar, at::TensorOptions().dtype(to_c10(dtype)));
	return builder_.method().add(TensorValue{.dtype = dtype, .constant = shared_.constants.add(made, {})});
}
inline void Emitter::emit_kernel(const Node& node, const Kernel& kernel) {
	std::vector<Id> args;
	for (const c10::Argument& wanted : kernel.schema->arguments()) {
		if (wanted.is_out()) continue;
		const bool is_default = is_of_the_output(wanted.name()) && wanted.name() != "dtype";
		args.push_back(is_default ? builder_.none() : argument(argument_of(node, wanted), *wanted.real_type()));
	}
	std::vector<Id> outs;
	std::vector<Value> made;
	for (const Output& output : node.outputs()) {
		std::vector<Id> ids;
		for (const Value value : output.values) {
		ids.push_back(new_tensor(value));
		made.push_back(value);
		}
		outs.push_back(output.is_list ? builder_.method().add(TensorList{ids})
		: ids.empty()
		? refuse("an output that nobody asked for has no shape"),
		no_value : ids[0]);
	}
	args.insert(args.end(), outs.begin(), outs.end());
	args.push_back(outs.size() == 1 ? outs[0] : builder_.method().add(TensorList{outs}));
	builder_.call(kernel.name, std::move(args));
	if (node.op() == "aten::cat" && may_be_empty(made[0])) return bind_view(made[0], id_of(made[0]));
	for (const Value value : made) sizes_.know_tensor(id_of(value), info_of(value).tensor.sizes);
}
inline bool Emitter::may_be_empty(Value value) const {
	return algo::any_of(info_of(value).tensor.sizes,
		[this](const SymExpr& size) { return bounds(size, limits_).min <= 0; });
}
inline void Emitter::emit_view(const Node& node) { bind_view(node.output(), id_of(node.input(0))); }
inline void Emitter::bind_view(Value made, Id base) {
	const ValueInfo& info = info_of(made);
	TensorValue view = describe(info.tensor, info.name);
	const TensorValue& of = builder_.method().tensor(base);
	view.constant = of.constant;
	view.buffer = of.buffer;
	const bool is_planned =
		of.constant != 0 ||
		(of.buffer >= 0 && builder_.method().buffers[static_cast<std::size_t>(of.buffer)].is_planned);
	const bool is_settled = !view.is_dynamic && !of.is_dynamic && is_planned;
	if (!is_planned) view.buffer = TensorValue::no_buffer;
	if (view.buffer >= 0) {
		Buffer& buffer = builder_.method().buffers[static_cast<std::size_t>(view.buffer)];
		buffer.bytes = std::max(buffer.bytes, MethodBuilder::bytes_of(view));
	}
	const Id id = builder_.method().add(std::move(view));
	bind(made, id);
	if (!is_settled) builder_.call("executorch_prim::et_view.default", {base, sizes_.sizes(info.tensor.sizes), id});
	sizes_.know_tensor(id, info.tensor.sizes);
}
inline void Emitter::emit_number(const Node& node) {
	const Value made = node.output();
	if (!made) return;
	const ValueInfo& info = info_of(made);
	if (reads_data(node.op())) {
		const Id id = sizes_.call("aten::_local_scalar_dense", {id_of(node.input(0))});
		bind(made, id);
		if (info.kind == ValueKind::sym_int) sizes_.know_number(info.symbol, id);
		return;
	}
	if (info.kind == ValueKind::sym_int) return;
	const std::string_view function = number_function(node.op());
	const c10::TypePtr any = c10::NumberType::get();
	std::vector<Id> args;
	for (const NamedArgument& each : node.arguments()) args.push_back(argument(each.value, *any));
	if (!function.empty()) return bind(made, sizes_.call(function, std::move(args)));
	const std::string kernel = function_of_tensor(node.op());
	if (kernel.empty() || args.size() != 1) refuse("ExecuTorch has no such function over numbers");
	const Id given = tensor_of(args[0], DType::float64), result = builder_.add_tensor({.dtype = DType::float64});
	builder_.call(kernel, {given, result, result});
	bind(made, sizes_.call("aten::_local_scalar_dense", {result}));
}
}
namespace ferry::executorch::detail {
inline std::vector<Id> Emitter::given(const Node& node, std::string_view name) {
	std::vector<Id> ids;
	const c10::TypePtr any = c10::NumberType::get();
	const Argument* found = node.find(name);
	const auto* list = found != nullptr ? found->get_if<ArgumentList>() : nullptr;
	if (list != nullptr)
		for (const Argument& each : *list) ids.push_back(argument(each, *any));
	return ids;
}
inline std::vector<Id> Emitter::emit_body(const Argument& body, const std::vector<Id>& operands) {
	Scope outside = std::move(scope_);
	const Node* around = node_;
	SizeCode::State known = sizes_.state();
	enter(outside.graph->subgraph(*body.get_if<Subgraph>()));
	for (std::size_t i = 0; i < graph().inputs().size(); ++i) {
		const Value input = graph().inputs()[i];
		bind(input, operands.at(i));
		const ValueInfo& info = info_of(input);
		if (info.kind == ValueKind::tensor) sizes_.know_tensor(operands[i], info.tensor.sizes);
		if (info.kind == ValueKind::sym_int) sizes_.know_number(info.symbol, operands[i]);
	}
	emit_nodes();
	std::vector<Id> results;
	const c10::TypePtr any = c10::NumberType::get();
	for (const Argument& output : graph().outputs()) results.push_back(argument(output, *any));
	scope_ = std::move(outside);
	node_ = around;
	sizes_.restore(std::move(known));
	return results;
}
inline std::vector<Value> Emitter::bind_results(const Node& node, const std::vector<Id>& ids) {
	std::vector<Value> values;
	for (const Output& output : node.outputs())
		for (const Value value : output.values) {
		const ValueInfo& info = info_of(value);
		const Id id = ids.at(values.size());
		bind(value, id);
		values.push_back(value);
		if (info.kind == ValueKind::tensor) sizes_.know_tensor(id, info.tensor.sizes);
		if (info.kind == ValueKind::sym_int) sizes_.know_number(info.symbol, id);
		}
	return values;
}
inline void Emitter::emit_cond(const Node& node) {
	const std::vector<Id> operands = given(node, "operands");
	std::vector<Id> results;
	for (const Output& output : node.outputs())
		for (const Value value : output.values) {
		const ValueInfo& info = info_of(value);
		if (info.kind != ValueKind::tensor) {
		results.push_back(builder_.method().add(std::int64_t{0}));
		continue;
		}
		TensorValue result = describe(info.tensor, info.name);
		result.is_dynamic = true;
		results.push_back(builder_.method().add(std::move(result)));
		}
	const auto emit_branch = [&](std::string_view body) {
		const std::vector<Id> made = emit_body(*node.find(body), operands);
		for (std::size_t i = 0; i < results.size(); ++i) builder_.move(made.at(i), results[i]);
	};
	const c10::TypePtr any = c10::NumberType::get();
	const std::size_t skip_first = builder_.jump_if_false(argument(*node.find("pred"), *any));
	emit_branch("true_fn");
	const std::size_t skip_second = builder_.jump_if_false(builder_.flag(false));
	builder_.jump_here(skip_first);
	emit_branch("false_fn");
	builder_.jump_here(skip_second);
	static_cast<void>(bind_results(node, results));
}
inline Id Emitter::copy(Id tensor) {
	TensorValue like = builder_.method().tensor(tensor);
	like.constant = like.initial = 0;
	const Id made = builder_.add_tensor(std::move(like));
	builder_.call("aten::clone.out", {tensor, builder_.none(), made, made});
	return made;
}
inline std::vector<Id> Emitter::begin_carrying(const std::vector<Id>& values) {
	std::vector<Id> carried;
	for (const Id value : values) {
		if (std::holds_alternative<TensorValue>(builder_.method().values[static_cast<std::size_t>(value)])) {
		carried.push_back(copy(value));
		continue;
		}
		carried.push_back(builder_.method().add(std::int64_t{0}));
		builder_.move(value, carried.back());
	}
	return carried;
}
inline void Emitter::carry_on(const std::vector<Id>& values, const std::vector<Id>& carried) {
	std::vector<Id> made = values;
	const auto buffer_of = [&](Id id) {
		const auto* tensor = std::get_if<TensorValue>(&builder_.method().values[static_cast<std::size_t>(id)]);
		return tensor != nullptr ? tensor->buffer : TensorValue::no_buffer;
	};
	for (std::size_t i = 0; i < made.size(); ++i) {
		const auto is_old = [&](Id other) { return other != carried[i] && buffer_of(other) == buffer_of(made[i]); };
		if (buffer_of(made[i]) >= 0 && algo::any_of(carried, is_old)) made[i] = copy(made[i]);
	}
	for (std::size_t i = 0; i < made.size(); ++i) {
		if (made[i] == carried[i]) continue;
		if (std::holds_alternative<TensorValue>(builder_.method().values[static_cast<std::size_t>(carried[i])]))
		builder_.call("aten::clone.out", {made[i], builder_.none(), carried[i], carried[i]});
		else
		builder_.move(made[i], carried[i]);
	}
}
inline void Emitter::keep_through(std::size_t first) {
	const std::size_t end = builder_.next_instruction();
	for (Buffer& buffer : builder_.method().buffers)
		if (buffer.first < first && buffer.last >= first) buffer.last = std::max(buffer.last, end);
}
inline void Emitter::emit_loop(const Node& node) {
	const std::vector<Id> carried = begin_carrying(given(node, "carried_inputs"));
	std::vector<Id> operands = carried;
	const std::vector<Id> more = given(node, "additional_inputs");
	operands.insert(operands.end(), more.begin(), more.end());
	const std::size_t first = builder_.next_instruction();
	const std::size_t leave = builder_.jump_if_false(emit_body(*node.find("cond_fn"), operands).at(0));
	carry_on(emit_body(*node.find("body_fn"), operands), carried);
	builder_.jump_to(builder_.jump_if_false(builder_.flag(false)), first);
	builder_.jump_here(leave);
	keep_through(first);
	static_cast<void>(bind_results(node, carried));
}
inline void Emitter::emit_scan(const Node& node) {
	const bool is_map = node.op() == "higher_order::map_impl";
	const std::vector<Id> sequences = given(node, "xs"), more = given(node, is_map ? "pos_args" : "additional_inputs");
	const std::vector<Id> carried = begin_carrying(is_map ? std::vector<Id>() : given(node, "init"));
	if (sequences.empty()) refuse("it goes over no tensor");
	const Argument& body = *node.find(is_map ? "f" : "combine_fn");
	const Graph& inside = graph().subgraph(*body.get_if<Subgraph>());
	std::vector<Id> operands = carried;
	for (std::size_t i = 0; i < sequences.size(); ++i) {
		const ValueInfo& info = inside.info(inside.inputs()[carried.size() + i]);
		operands.push_back(builder_.add_tensor(describe(info.tensor, info.name)));
	}
	operands.insert(operands.end(), more.begin(), more.end());
	std::vector<Id> results = carried;
	std::size_t position = 0;
	for (const Output& output : node.outputs())
		for (const Value value : output.values) {
		if (position++ < carried.size()) continue;
		const TensorMeta& meta = info_of(value).tensor;
		TensorValue stacked = describe(meta, info_of(value).name);
		const bool varies =
		std::exchange(stacked.is_dynamic, true);
		results.push_back(builder_.add_tensor(std::move(stacked)));
		if (!varies) continue;
		std::vector<Id> sizes;
		sizes.reserve(meta.sizes.size());
		for (const SymExpr& size : meta.sizes) sizes.push_back(sizes_.number(size));
		const Id all = builder_.integers(std::move(sizes));
		builder_.call("aten::empty.out", {all, builder_.none(), results.back(), results.back()});
		}
	const Id turn = builder_.method().add(std::int64_t{0});
	builder_.move(builder_.integer(0), turn);
	const Id turns = sizes_.call("aten::sym_size.int", {sequences[0], builder_.integer(0)});
	const std::size_t first = builder_.next_instruction();
	const std::size_t leave = builder_.jump_if_false(sizes_.call("executorch_prim::lt.Scalar", {turn, turns}));
	for (std::size_t i = 0; i < sequences.size(); ++i) {
		const Id slice = operands[carried.size() + i];
		builder_.call("aten::select_copy.int_out", {sequences[i], builder_.integer(0), turn, slice, slice});
	}
	std::vector<Id> made = emit_body(body, operands);
	for (std::size_t i = carried.size(); i < made.size(); ++i)
		builder_.call("executorch_prim::et_copy_index.tensor", {results[i], made[i], turn});
	made.resize(carried.size());
	carry_on(made, carried);
	builder_.call("executorch_prim::add.Scalar", {turn, builder_.integer(1), turn});
	builder_.jump_to(builder_.jump_if_false(builder_.flag(false)), first);
	builder_.jump_here(leave);
	keep_through(first);
	static_cast<void>(bind_results(node, results));
}
}
namespace ferry::executorch::detail {
inline void Emitter::emit_delegate(const xnnpack::Step& step) {
	const auto delegate =
		std::make_shared<const xnnpack::Delegate>(delegation_->delegate(graph(), step.nodes, step.outputs));
	std::vector<std::uint32_t> weights;
	for (const xnnpack::Weights& each : delegate->weights)
		weights.push_back(shared_.weights.add(each.tensor, each.name));
	std::vector<Id> args;
	for (const xnnpack::Given& given : delegate->inputs) {
		if (given.value) {
		args.push_back(id_of(given.value));
		continue;
		}
		TensorValue made{.constant = shared_.constants.add(given.constant, {})};
		for (const std::int64_t size : given.constant.sizes()) made.sizes.push_back(static_cast<std::int32_t>(size));
		args.push_back(builder_.method().add(std::move(made)));
	}
	for (const Value value : delegate->outputs) args.push_back(new_tensor(value));
	builder_.call({delegate, std::move(weights)}, std::move(args));
	for (const Value value : delegate->outputs) sizes_.know_tensor(id_of(value), info_of(value).tensor.sizes);
}
}
namespace ferry::executorch::detail {
inline void Emitter::find_state() {
	for (const OutputSpec& output : program_.signature.outputs)
		if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation ||
		output.kind == OutputKind::user_input_mutation)
		written_.insert(output.target);
	for (const NamedTensors* named : {&program_.state, &program_.constants})
		for (const auto& [name, tensor] : *named) tensors_.emplace(name, &tensor);
	for (const InputSpec& input : program_.signature.inputs)
		if (const auto* value = input.argument.get_if<Value>(); value && input.kind != InputKind::user_input)
		state_.emplace(value->index, &input);
}
inline Id Emitter::add_state(const InputSpec& input, Value value) {
	const auto found = tensors_.find(input.target);
	if (found == tensors_.end())
		throw Error(ErrorKind::invalid_input, "the program has no tensor for one of its inputs",
		{.where = {.stage = "emission", .path = input.target}});
	TensorValue made = describe(info_of(value).tensor, input.target);
	if (!written_.contains(input.target)) {
		made.constant = shared_.constants.add(*found->second, input.target);
		bind(value, builder_.method().add(std::move(made)));
		return id_of(value);
	}
	made.initial = shared_.initial_values.add(*found->second, input.target);
	const Id id = builder_.add_tensor(std::move(made));
	builder_.method().buffers.back().is_planned = config_.alloc_mutable_buffers;
	bind(value, id);
	return id;
}
inline void Emitter::add_inputs() {
	for (const InputSpec& input : program_.signature.inputs) {
		const auto* value = input.argument.get_if<Value>();
		if (input.kind == InputKind::token) continue;
		if (input.kind == InputKind::custom_object)
		throw Error(ErrorKind::unsupported, "an input that is an object cannot stand in an ExecuTorch program",
		{.where = {.stage = "emission", .path = input.name}});
		if (input.kind != InputKind::user_input) {
		if (written_.contains(input.target)) static_cast<void>(id_of(*value));
		continue;
		}
		Id made = no_value;
		if (value == nullptr) {
		const c10::TypePtr any = c10::NumberType::get();
		made = input.argument.is<std::string>() ? builder_.text(*input.argument.get_if<std::string>())
		: argument(input.argument, *any);
		} else if (const ValueInfo& info = info_of(*value); info.kind == ValueKind::tensor) {
		made = new_tensor(*value);
		builder_.method().buffers.back().is_planned = config_.alloc_graph_input;
		sizes_.know_tensor(made, info.tensor.sizes);
		} else {
		throw Error(
		ErrorKind::unsupported,
		"the input '" + input.name +
		"' is a number that varies, and ExecuTorch's runtime takes a number at the one value that it "
		"was exported with",
		{.hint = "take it as a tensor, or fix it", .where = {.stage = "emission"}});
		}
		builder_.method().inputs.push_back(made);
	}
}
inline void Emitter::check_sizes() {
	for (const auto& [symbol, narrowed] : program_.narrowed) {
		const Id tensor = sizes_.tensor_with(symbol);
		const auto range = program_.checked_range(symbol);
		if (!range || tensor == no_value) continue;
		const Id size = sizes_.number(SymExpr::symbol(symbol));
		const auto stop_if = [&](std::string_view is_out, std::int64_t limit) {
		const std::size_t go_on = builder_.jump_if_false(sizes_.call(is_out, {size, builder_.integer(limit)}));
		builder_.call("executorch_prim::et_view.default", {tensor, builder_.integers({}), tensor});
		builder_.jump_here(go_on);
		};
		if (range->max != ValueRange::no_max) stop_if("executorch_prim::gt.Scalar", range->max);
		if (range->min != ValueRange::no_min) stop_if("executorch_prim::lt.Scalar", range->min);
	}
}
inline void Emitter::write_back() {
	if (written_.empty()) return;
	std::map<std::string, Id, std::less<>> places;
	std::set<std::int32_t> overwritten;
	for (const InputSpec& input : program_.signature.inputs) {
		const auto* value = input.argument.get_if<Value>();
		const std::string& name = input.kind == InputKind::user_input ? input.name : input.target;
		if (value == nullptr || !written_.contains(name)) continue;
		const Id id = id_of(*value);
		places.emplace(name, id);
		overwritten.insert(builder_.method().tensor(id).buffer);
	}
	const auto kept_apart = [&](Value value) {
		const Id id = id_of(value);
		const TensorValue& tensor = builder_.method().tensor(id);
		if (!overwritten.contains(tensor.buffer) || tensor.constant != 0) return id;
		const Id copy = builder_.add_tensor(describe(info_of(value).tensor, info_of(value).name));
		builder_.call("aten::clone.out", {id, builder_.none(), copy, copy});
		return copy;
	};
	std::vector<std::pair<Id, Id>> writes;
	for (const OutputSpec& output : program_.signature.outputs) {
		const auto* value = output.argument.get_if<Value>();
		if (value == nullptr || info_of(*value).kind != ValueKind::tensor) continue;
		const bool is_write = output.kind == OutputKind::buffer_mutation ||
		output.kind == OutputKind::parameter_mutation ||
		output.kind == OutputKind::user_input_mutation;
		if (!is_write) {
		bind(*value, kept_apart(*value));
		continue;
		}
		const Id to = places.at(output.target);
		if (const Id from = id_of(*value); from != to) writes.emplace_back(kept_apart(*value), to);
	}
	for (const auto& [from, to] : writes) builder_.call("aten::copy_", {to, from, builder_.flag(false), to});
}
inline void Emitter::add_outputs() {
	const c10::TypePtr any = c10::NumberType::get();
	for (const OutputSpec& output : program_.signature.outputs) {
		if (output.kind != OutputKind::user_output && output.kind != OutputKind::loss_output) continue;
		const Id id = argument(output.argument, *any);
		builder_.touch(id);
		builder_.method().outputs.push_back(id);
	}
	const std::size_t end = builder_.next_instruction();
	for (const Id id : builder_.method().outputs)
		if (const auto* tensor = std::get_if<TensorValue>(&builder_.method().values[static_cast<std::size_t>(id)]);
		tensor && tensor->buffer >= 0 && !config_.alloc_graph_output)
		builder_.method().buffers[static_cast<std::size_t>(tensor->buffer)].is_planned = false;
	for (const MethodValue& value : builder_.method().values)
		if (const auto* tensor = std::get_if<TensorValue>(&value); tensor && tensor->initial != 0) {
		Buffer& buffer = builder_.method().buffers[static_cast<std::size_t>(tensor->buffer)];
		buffer.first = 0;
		buffer.last = end;
		}
}
}
namespace ferry::executorch {
FERRY_INLINE Method emit(const ExportedProgram& program, const std::string& name, const SymRanges& limits,
		Kernels& kernels, const xnnpack::Delegation* delegation, SharedData& shared,
		const ExecutorchConfig& config) {
	return detail::Emitter(program, name, limits, kernels, delegation, shared, config).emit();
}
}
#include <ATen/core/dispatch/Dispatcher.h>
namespace ferry::executorch {
namespace detail {
[[nodiscard]] inline bool computes(const c10::FunctionSchema& kernel, const c10::FunctionSchema& op) {
	std::size_t outputs = 0, taken = 0;
	for (const c10::Argument& argument : kernel.arguments()) {
		if (argument.is_out()) {
		++outputs;
		continue;
		}
		const auto same = algo::find(op.arguments(), argument.name(), &c10::Argument::name);
		if (same == op.arguments().end() || *same->type() != *argument.type()) return false;
		++taken;
	}
	std::size_t wanted = 0;
	for (const c10::Argument& argument : op.arguments())
		if (!is_of_the_output(argument.name()) || kernel.argumentIndexWithName(argument.name())) ++wanted;
	return taken == wanted && outputs == op.returns().size();
}
[[nodiscard]] inline Kernel find_kernel(std::string_view op) {
	constexpr std::string_view space = "aten::";
	if (!op.starts_with(space)) return {};
	const auto functional = find_op(op);
	if (!functional || functional->schema().is_mutable()) return {};
	const std::string base(op.substr(space.size(), op.find('.') - space.size()));
	for (const std::string& name : {base, base + "_copy"}) {
		const auto [first, last] = portable_kernels_of(name);
		for (auto kernel = first; kernel != last; ++kernel) {
		std::string full = std::string(space).append(*kernel);
		const auto found = find_op(full);
		if (found && computes(found->schema(), functional->schema())) return {std::move(full), &found->schema()};
		}
	}
	return {};
}
[[nodiscard]] constexpr bool is_usual(DType dtype) {
	switch (dtype) {
		case DType::uint8:
		case DType::int8:
		case DType::int16:
		case DType::int32:
		case DType::int64:
		case DType::float16:
		case DType::bfloat16:
		case DType::float32:
		case DType::float64:
		case DType::boolean: return true;
		default: return false;
	}
}
[[nodiscard]] inline bool takes_complex(const Graph& graph, const Node& node, std::string_view kernel) {
	if (!std::binary_search(kernels_for_complex.begin(), kernels_for_complex.end(), kernel)) return false;
	if (kernel == "_fft_r2c.out") {
		const Argument* onesided = node.find("onesided");
		return onesided != nullptr && onesided->is<bool>() && *onesided->get_if<bool>();
	}
	if (kernel != "add.out" && kernel != "mul.out" && kernel != "div.out") return true;
	const TensorMeta& made = graph.info(node.output()).tensor;
	const auto is_alike = [&](std::string_view name) {
		const auto* value = node.find(name)->get_if<Value>();
		if (value == nullptr || graph.info(*value).kind != ValueKind::tensor) return false;
		const TensorMeta& given = graph.info(*value).tensor;
		return given.dtype == made.dtype && given.sizes == made.sizes;
	};
	return is_alike("self") && is_alike("other");
}
}
FERRY_INLINE std::optional<DType> type_without_kernel(const Graph& graph, const Node& node, const Kernel& kernel) {
	std::optional<DType> found;
	const auto look_at = [&](Value value) {
		const ValueInfo& info = graph.info(value);
		if (info.kind != ValueKind::tensor || detail::is_usual(info.tensor.dtype)) return;
		const std::string_view name = std::string_view(kernel.name).substr(std::string_view("aten::").size());
		if (!is_complex(info.tensor.dtype) || !detail::takes_complex(graph, node, name)) found = info.tensor.dtype;
	};
	for (const NamedArgument& argument : node.arguments()) for_each_value(argument.value, look_at);
	for (const Output& output : node.outputs())
		for (const Value value : output.values) look_at(value);
	return found;
}
FERRY_INLINE const Kernel* Kernels::find(std::string_view op) {
	auto known = known_.find(op);
	if (known == known_.end()) known = known_.emplace(std::string(op), detail::find_kernel(op)).first;
	return known->second.schema != nullptr ? &known->second : nullptr;
}
}
namespace ferry::executorch {
[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
	return (bytes + alignment - 1) / alignment * alignment;
}
}
#include <iterator>
namespace ferry::executorch {
namespace detail {
inline constexpr std::uint64_t memory_alignment = 16;
[[nodiscard]] constexpr std::uint64_t bytes_taken(const Buffer& buffer) {
	return aligned(buffer.bytes, memory_alignment);
}
class Arena {
public:
	[[nodiscard]] std::uint64_t take(std::uint64_t bytes) {
		const auto hole = by_size_.lower_bound({bytes, 0});
		if (hole == by_size_.end()) return grow(bytes);
		const auto [size, offset] = *hole;
		remove(offset, size);
		if (size > bytes) add(offset + bytes, size - bytes);
		return offset;
	}
	void give_back(std::uint64_t offset, std::uint64_t bytes) {
		auto next = by_offset_.lower_bound(offset);
		if (next != by_offset_.end() && offset + bytes == next->first) {
		const auto [after, size] = *next;
		remove(after, size);
		bytes += size;
		next = by_offset_.lower_bound(offset);
		}
		if (next != by_offset_.begin())
		if (const auto [before, size] = *std::prev(next); before + size == offset) {
		remove(before, size);
		offset = before;
		bytes += size;
		}
		add(offset, bytes);
	}
	[[nodiscard]] std::uint64_t size() const noexcept { return end_; }
private:
	[[nodiscard]] std::uint64_t grow(std::uint64_t bytes) {
		std::uint64_t offset = end_;
		if (!by_offset_.empty())
		if (const auto [last, size] = *by_offset_.rbegin(); last + size == end_) {
		remove(last, size);
		offset = last;
		}
		end_ = offset + bytes;
		return offset;
	}
	void add(std::uint64_t offset, std::uint64_t size) {
		by_offset_.emplace(offset, size);
		by_size_.emplace(size, offset);
	}
	void remove(std::uint64_t offset, std::uint64_t size) {
		by_offset_.erase(offset);
		by_size_.erase({size, offset});
	}
	std::map<std::uint64_t, std::uint64_t> by_offset_;
	std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
	std::uint64_t end_ = 0;
};
[[nodiscard]] inline std::uint64_t place_in_order(std::vector<Buffer>& buffers) {
	std::vector<std::size_t> starts, ends;
	for (std::size_t i = 0; i < buffers.size(); ++i)
		if (buffers[i].is_planned && buffers[i].bytes != 0) starts.push_back(i);
	ends = starts;
	algo::stable_sort(starts, {}, [&](std::size_t i) { return buffers[i].first; });
	algo::stable_sort(ends, {}, [&](std::size_t i) { return buffers[i].last; });
	Arena arena;
	std::size_t ended = 0;
	for (const std::size_t each : starts) {
		Buffer& buffer = buffers[each];
		for (; buffers[ends[ended]].last < buffer.first; ++ended)
		arena.give_back(buffers[ends[ended]].offset, bytes_taken(buffers[ends[ended]]));
		buffer.offset = arena.take(bytes_taken(buffer));
	}
	return arena.size();
}
[[nodiscard]] inline std::uint64_t place_by_size(std::vector<Buffer>& buffers) {
	std::vector<Buffer*> order, placed;
	for (Buffer& buffer : buffers)
		if (buffer.is_planned && buffer.bytes != 0) order.push_back(&buffer);
	algo::stable_sort(order, std::greater<>{}, &Buffer::bytes);
	std::uint64_t end = 0;
	for (Buffer* buffer : order) {
		std::uint64_t offset = 0;
		const std::uint64_t bytes = bytes_taken(*buffer);
		for (const Buffer* other : placed) {
		if (other->last < buffer->first || buffer->last < other->first) continue;
		if (offset + bytes <= other->offset) break;
		offset = std::max(offset, other->offset + bytes_taken(*other));
		}
		buffer->offset = offset;
		end = std::max(end, offset + bytes);
		placed.insert(std::upper_bound(placed.begin(), placed.end(), buffer,
		[](const Buffer* a, const Buffer* b) { return a->offset < b->offset; }),
		buffer);
	}
	return end;
}
}
FERRY_INLINE void plan_memory(Method& method) {
	constexpr std::size_t few = 2000;
	method.planned_bytes = detail::place_in_order(method.buffers);
	if (method.buffers.size() > few) return;
	std::vector<Buffer> tighter = method.buffers;
	const std::uint64_t bytes = detail::place_by_size(tighter);
	if (bytes >= method.planned_bytes) return;
	method.buffers = std::move(tighter);
	method.planned_bytes = bytes;
}
}
namespace ferry::executorch {
namespace detail {
inline constexpr std::int64_t usual_limit = 1024;
inline constexpr std::int64_t small_limit = 64;
inline constexpr std::int64_t batch_limit = 8;
inline constexpr std::uint64_t large_tensor = 64U << 20U;
inline constexpr std::uint64_t huge_tensor = 1U << 30U;
inline constexpr std::uint64_t impossible_tensor = std::uint64_t{8} << 30U;
[[nodiscard]] inline std::uint64_t most_bytes(const Graph& graph, const SymRanges& limits) {
	std::uint64_t most = 0;
	const auto look_at = [&](Value value) {
		const ValueInfo& info = graph.info(value);
		if (info.kind != ValueKind::tensor) return;
		double bytes = ferry::info(info.tensor.dtype).bytes;
		bool is_dynamic = false;
		for (const SymExpr& size : info.tensor.sizes) {
		bytes *= static_cast<double>(largest_size(size, limits));
		is_dynamic = is_dynamic || !size.is_constant();
		}
		if (is_dynamic) most = std::max(most, static_cast<std::uint64_t>(std::min(bytes, 1e18)));
	};
	for (const Value input : graph.inputs()) look_at(input);
	for (const Node& node : graph.nodes())
		for (const Output& output : node.outputs())
		for (const Value value : output.values) look_at(value);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i)
		most = std::max(most, most_bytes(graph.subgraph({i}), limits));
	return most;
}
inline void collect_symbols(const Graph& graph, std::set<std::string>& symbols) {
	const auto look_at = [&](Value value) {
		for (const SymExpr& size : graph.info(value).tensor.sizes)
		for (const std::string& symbol : free_symbols(size)) symbols.insert(symbol);
	};
	for (const Value input : graph.inputs()) look_at(input);
	for (const Node& node : graph.nodes())
		for (const Output& output : node.outputs())
		for (const Value value : output.values) look_at(value);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_symbols(graph.subgraph({i}), symbols);
}
[[nodiscard]] inline Value searched_tensor(const Graph& graph, const Node& node) {
	if (node.op() == "aten::nonzero" || node.op() == "aten::masked_select") return node.input(0);
	if (node.op() != "aten::index.Tensor") return {};
	Value mask;
	for_each_value(*node.find("indices"), [&](Value index) {
		if (graph.info(index).tensor.dtype == DType::boolean) mask = index;
	});
	return mask;
}
inline void limit_found_elements(const Graph& graph, SymRanges& limits, std::set<std::string>& counts) {
	for (const Node& node : graph.nodes()) {
		const Value searched = searched_tensor(graph, node);
		if (!searched || graph.info(node.output()).tensor.sizes.empty()) continue;
		const SymExpr& found = graph.info(node.output()).tensor.sizes[0];
		if (!found.is_symbol() || !is_unbacked_name(found.name())) continue;
		ValueRange range = bounds(found, limits);
		std::int64_t elements = 1;
		for (const SymExpr& size : graph.info(searched).tensor.sizes)
		elements =
		std::min<std::int64_t>(elements * std::max<std::int64_t>(bounds(size, limits).max, 0), INT32_MAX);
		range.min = std::max<std::int64_t>(range.min, 0);
		range.max = elements;
		limits.set(found.name(), range);
		counts.insert(found.name());
	}
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) limit_found_elements(graph.subgraph({i}), limits, counts);
}
struct OpenSize {
	std::string symbol;
	ValueRange range;  
	std::int64_t least;
};
inline void find_limits(const Graph& graph, const std::vector<OpenSize>& open, SymRanges& limits,
		std::set<std::string>& counts) {
	for (std::int64_t limit = usual_limit;; limit /= 2) {
		for (const OpenSize& size : open) {
		const std::int64_t enough = std::max(limit, size.least * (limit > small_limit ? 4 : 2));
		limits.set(size.symbol, {std::max<std::int64_t>(size.range.min, 0), std::min(enough, size.range.max)});
		}
		limit_found_elements(graph, limits, counts);
		const std::uint64_t most = most_bytes(graph, limits);
		if (limit == 1 || most <= (limit > batch_limit ? large_tensor : huge_tensor)) return;
	}
}
}
FERRY_INLINE SymRanges size_limits(const ExportedProgram& program) {
	SymRanges limits;
	const SymBindings seen = ferry::detail::sizes_of_example(program);
	std::set<std::string> symbols, counts;
	detail::collect_symbols(program.graph, symbols);
	for (const auto& [symbol, range] : program.ranges) {
		limits.set(symbol, range);
		symbols.insert(symbol);
	}
	std::vector<detail::OpenSize> open;
	const auto open_those_above = [&](std::int64_t end) {
		open.clear();
		for (const std::string& symbol : symbols) {
		const ValueRange* known = program.ranges.find(symbol);
		const ValueRange range = known != nullptr ? *known : ValueRange::at_least(0);
		const std::int64_t* example = seen.find(symbol);
		const auto least = std::max<std::int64_t>({range.min, example != nullptr ? *example : 0, 1});
		if (range.max > end) open.push_back({symbol, range, least});
		}
	};
	open_those_above(std::numeric_limits<std::int32_t>::max() - 1);
	if (!open.empty()) detail::find_limits(program.graph, open, limits, counts);
	if (detail::most_bytes(program.graph, limits) > detail::impossible_tensor) {
		open_those_above(detail::usual_limit);
		detail::find_limits(program.graph, open, limits, counts);
	}
	std::string told;
	for (const detail::OpenSize& size : open) {
		if (counts.contains(size.symbol)) continue;
		told.append(told.empty() ? "" : ", ")
		.append(size.symbol)
		.append(" at most ")
		.append(std::to_string(limits.find(size.symbol)->max));
	}
	if (!told.empty())
		log(LogLevel::warning, "memory is planned for the largest sizes, and nothing limits these; taken are " + told +
		" (give each dimension a largest size: Dim(name, min, max))");
	return limits;
}
}
namespace ferry::executorch::xnnpack {
FERRY_INLINE bool Delegation::takes(const Graph& graph, const Node& node) const {
	const Define define = find_(node.op());
	if (define == nullptr) return false;
	Builder builder(graph, facts_);
	return try_define(builder, node, define);
}
FERRY_INLINE Delegate Delegation::delegate(const Graph& graph, const std::vector<const Node*>& nodes,
		const std::vector<Value>& outputs) const {
	Builder builder(graph, facts_);
	for (const Node* node : nodes)
		if (!try_define(builder, *node, find_(node->op())))
		throw Error(ErrorKind::internal, "XNNPACK takes this op alone and not together with others",
		{.where = {.stage = "delegation", .op = std::string(node->op())}});
	return builder.finish(outputs);
}
namespace detail {
class Scheduler {
public:
	Scheduler(const Graph& graph, const Delegation& delegation) : graph_(graph), delegation_(delegation) {}
	[[nodiscard]] std::unordered_set<const Node*> delegated_nodes() {
		arrange();
		std::unordered_set<const Node*> nodes;
		for (const auto& [node, part] : parts_)
		if (part == Part::delegate) nodes.insert(node);
		return nodes;
	}
	[[nodiscard]] std::vector<Step> schedule() {
		arrange();
		return steps();
	}
private:
	enum class Part : std::uint8_t { kernel, view, delegate };
	void arrange() {
		choose_nodes();
		set_phases();
		if (leave_what_does_not_pay()) set_phases();
	}
	void choose_nodes() {
		std::vector<const Node*> nodes;
		for (const Node& node : graph_.nodes()) {
		nodes.push_back(&node);
		const bool is_taken = delegation_.takes(graph_, node);
		parts_[&node] = !is_taken ? Part::kernel : is_view(graph_, node) ? Part::view : Part::delegate;
		}
		std::unordered_map<const Node*, bool> follows, leads;
		for (const Node* node : nodes) {
		if (parts_[node] != Part::view) continue;
		const Node* from = graph_.info(node->input(0)).producer;
		follows[node] = from != nullptr && (parts_[from] == Part::delegate || follows[from]);
		}
		for (std::size_t i = nodes.size(); i-- > 0;) {
		if (parts_[nodes[i]] != Part::view) continue;
		bool& is_needed = leads[nodes[i]];
		for (const Node* user : graph_.info(nodes[i]->output()).users)
		is_needed = is_needed || parts_[user] == Part::delegate || leads[user];
		}
		for (const Node* node : nodes)
		if (parts_[node] == Part::view) parts_[node] = follows[node] && leads[node] ? Part::delegate : Part::kernel;
	}
	[[nodiscard]] bool is_known(const ValueInfo& info) const {
		if (info.kind != ValueKind::sym_int) return false;
		for (const std::string& symbol : free_symbols(info.symbol))
		if (is_unbacked_name(symbol)) return false;
		return true;
	}
	void set_phases() {
		phases_.clear();
		for (const Node& node : graph_.nodes()) {
		const bool is_delegated = parts_[&node] == Part::delegate;
		std::size_t phase = is_delegated ? 1 : 0;
		for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) {
		const ValueInfo& info = graph_.info(value);
		if (info.producer == nullptr || is_known(info)) return;
		if (is_delegated && info.kind != ValueKind::tensor) return;
		const std::size_t before = phases_[info.producer];
		phase = std::max(phase, before + (before % 2 == phase % 2 ? 0 : 1));
		});
		phases_[&node] = phase;
		}
	}
	[[nodiscard]] bool leave_what_does_not_pay() {
		const std::size_t few = delegation_.smallest();
		std::unordered_map<std::size_t, std::size_t> work;
		for (const Node& node : graph_.nodes()) {
		if (parts_[&node] != Part::delegate || is_view(graph_, node)) continue;
		using Light = op_table<concat_t<elementwise_delegations, shape_delegations>>;
		work[phases_[&node]] += Light::contains(node.op()) && runs_as_it_is(node.op()) ? 1 : few;
		}
		bool is_changed = false;
		for (const Node& node : graph_.nodes())
		if (parts_[&node] == Part::delegate && work[phases_[&node]] < few) {
		parts_[&node] = Part::kernel;
		is_changed = true;
		}
		return is_changed;
	}
	[[nodiscard]] std::vector<Step> steps() {
		std::vector<std::vector<const Node*>> phases;
		for (const Node& node : graph_.nodes()) {
		const std::size_t phase = phases_[&node];
		if (phases.size() <= phase) phases.resize(phase + 1);
		phases[phase].push_back(&node);
		}
		std::vector<Step> made;
		for (std::size_t phase = 0; phase < phases.size(); ++phase) {
		if (phase % 2 == 0) {
		for (const Node* node : phases[phase]) made.push_back({.nodes = {node}});
		} else if (!phases[phase].empty()) {
		std::vector<Value> outputs = needed_elsewhere(phases[phase], phase);
		made.push_back({std::move(phases[phase]), true, std::move(outputs)});
		}
		}
		return made;
	}
	[[nodiscard]] std::vector<Value> needed_elsewhere(const std::vector<const Node*>& nodes, std::size_t phase) {
		std::vector<Value> needed;
		for (const Node* node : nodes)
		for (const Output& output : node->outputs())
		for (const Value value : output.values) {
		const ValueInfo& info = graph_.info(value);
		const bool is_needed =
		info.output_uses != 0 || std::any_of(info.users.begin(), info.users.end(),
		[&](const Node* user) { return phases_[user] != phase; });
		if (is_needed) needed.push_back(value);
		}
		return needed;
	}
	const Graph& graph_;
	const Delegation& delegation_;
	std::unordered_map<const Node*, Part> parts_;
	std::unordered_map<const Node*, std::size_t> phases_;
};
}
FERRY_INLINE std::unordered_set<const Node*> delegated_nodes(const Graph& graph, const Delegation& delegation) {
	return detail::Scheduler(graph, delegation).delegated_nodes();
}
FERRY_INLINE std::vector<Step> schedule(const Graph& graph, const Delegation& delegation) {
	return detail::Scheduler(graph, delegation).schedule();
}
}
namespace ferry::executorch::detail {
inline constexpr std::uint64_t segment_alignment = 128;
[[nodiscard]] inline std::vector<std::uint8_t> dim_order(std::size_t dims) {
	std::vector<std::uint8_t> made(dims);
	for (std::size_t i = 0; i < dims; ++i) made[i] = static_cast<std::uint8_t>(i);
	return made;
}
class FileWriter {
public:
	explicit FileWriter(const Sink& sink) : sink_(sink) {}
	void write(std::span<const std::byte> bytes) {
		if (!bytes.empty()) sink_(bytes);
		at_ += bytes.size();
	}
	void pad_to(std::uint64_t offset) {
		static constexpr std::array<std::byte, segment_alignment> gap{};
		while (at_ < offset) write(std::span(gap).first(std::min<std::uint64_t>(gap.size(), offset - at_)));
	}
	void write(const at::Tensor& tensor, std::uint64_t at) {
		pad_to(at);
		write({static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()});
	}
private:
	const Sink& sink_;
	std::uint64_t at_ = 0;
};
[[nodiscard]] inline std::vector<std::byte> with_header(std::span<const std::byte> flatbuffer,
		std::span<const std::byte> header) {
	constexpr std::size_t at = 8;
	std::uint32_t root = 0;
	std::memcpy(&root, flatbuffer.data(), sizeof root);
	root += static_cast<std::uint32_t>(header.size());
	std::vector<std::byte> made;
	made.reserve(flatbuffer.size() + header.size());
	made.insert(made.end(), flatbuffer.begin(), flatbuffer.begin() + at);
	std::memcpy(made.data(), &root, sizeof root);
	made.insert(made.end(), header.begin(), header.end());
	made.insert(made.end(), flatbuffer.begin() + at, flatbuffer.end());
	return made;
}
}
namespace ferry::executorch::xnnpack {
[[nodiscard]] std::vector<std::byte> write(const Delegate& delegate, const std::vector<std::string>& weight_names);
}
namespace ferry::executorch {
namespace detail {
namespace schema = ::ferry_schema::executorch_flatbuffer;
inline constexpr std::uint64_t tensor_alignment = 16;
struct Segment {
	std::vector<at::Tensor> tensors;
	std::vector<std::uint64_t> offsets{0};
	std::uint64_t size = 0;
	std::uint64_t offset = 0;
	void append(const at::Tensor& tensor) {
		if (tensor.defined()) size = aligned(size, tensor_alignment);
		tensors.push_back(tensor);
		offsets.push_back(size);
		if (tensor.defined())
		size += std::max<std::uint64_t>(tensor.nbytes(), 1);
	}
	void append_at(std::uint64_t offset_of_other) {
		tensors.emplace_back();
		offsets.push_back(offset_of_other);
	}
};
[[nodiscard]] inline bool is_zero(const at::Tensor& tensor) {
	if (!tensor.is_cpu() || !tensor.is_contiguous() || tensor.nbytes() == 0) return false;
	const auto* const bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
	return bytes[0] == std::byte{0} && std::memcmp(bytes, bytes + 1, tensor.nbytes() - 1) == 0;
}
using DelegateBytes = flatbuffers::Offset<schema::BackendDelegateInlineData>;
class MethodWriter {
public:
	MethodWriter(flatbuffers::FlatBufferBuilder& builder, const Method& method, const SharedData& shared,
		std::vector<DelegateBytes>& delegates)
		: builder_(builder), method_(method), shared_(shared), delegate_bytes_(delegates) {}
	[[nodiscard]] flatbuffers::Offset<schema::ExecutionPlan> write() {
		std::vector<flatbuffers::Offset<schema::EValue>> values;
		values.reserve(method_.values.size());
		for (const MethodValue& value : method_.values) values.push_back(write(value));
		std::vector<flatbuffers::Offset<schema::Operator>> operators;
		operators.reserve(method_.operators.size());
		for (const Operator& each : method_.operators)
		operators.push_back(schema::CreateOperatorDirect(builder_, each.name.c_str(), each.overload.c_str()));
		std::vector<flatbuffers::Offset<schema::Instruction>> instructions;
		instructions.reserve(method_.instructions.size());
		for (const Instruction& each : method_.instructions) instructions.push_back(write(each));
		const std::vector<std::int32_t> nothing;
		std::vector<flatbuffers::Offset<schema::BackendDelegate>> delegates;
		delegates.reserve(method_.delegates.size());
		for (const DelegateData& each : method_.delegates) delegates.push_back(write(each));
		const std::vector<flatbuffers::Offset<schema::Chain>> chains{
		schema::CreateChainDirect(builder_, &nothing, &nothing, &instructions)};
		const std::vector<std::int64_t> arenas{0, static_cast<std::int64_t>(method_.planned_bytes)};
		return schema::CreateExecutionPlanDirect(
		builder_, method_.name.c_str(), schema::CreateContainerMetadataDirect(builder_, "", ""), &values,
		&method_.inputs, &method_.outputs, &chains, &operators, &delegates, &arenas);
	}
private:
	using Boxed = flatbuffers::Offset<schema::EValue>;
	using Written = flatbuffers::Offset<schema::Instruction>;
	template <class Table>
	[[nodiscard]] Boxed boxed(flatbuffers::Offset<Table> value) {
		return schema::CreateEValue(builder_, schema::KernelTypesTraits<Table>::enum_value, value.Union());
	}
	[[nodiscard]] Boxed write(const MethodValue& value) {
		return std::visit([this](const auto& each) { return write_one(each); }, value);
	}
	[[nodiscard]] Boxed write_one(std::monostate) { return boxed(schema::CreateNull(builder_)); }
	[[nodiscard]] Boxed write_one(std::int64_t value) { return boxed(schema::CreateInt(builder_, value)); }
	[[nodiscard]] Boxed write_one(bool value) { return boxed(schema::CreateBool(builder_, value)); }
	[[nodiscard]] Boxed write_one(double value) { return boxed(schema::CreateDouble(builder_, value)); }
	[[nodiscard]] Boxed write_one(const std::string& value) {
		return boxed(schema::CreateStringDirect(builder_, value.c_str()));
	}
	[[nodiscard]] Boxed write_one(const IntList& list) {
		const std::vector<std::int64_t> items(list.items.begin(), list.items.end());
		return boxed(schema::CreateIntListDirect(builder_, &items));
	}
	[[nodiscard]] Boxed write_one(const DoubleList& list) {
		return boxed(schema::CreateDoubleListDirect(builder_, &list.items));
	}
	[[nodiscard]] Boxed write_one(const BoolList& list) {
		const std::vector<std::uint8_t> items(list.items.begin(), list.items.end());
		return boxed(schema::CreateBoolListDirect(builder_, &items));
	}
	[[nodiscard]] Boxed write_one(const TensorList& list) {
		return boxed(schema::CreateTensorListDirect(builder_, &list.items));
	}
	[[nodiscard]] Boxed write_one(const OptionalTensorList& list) {
		return boxed(schema::CreateOptionalTensorListDirect(builder_, &list.items));
	}
	[[nodiscard]] Boxed write_one(const TensorValue& tensor);
	[[nodiscard]] Written write(const Instruction& instruction) {
		return std::visit([this](const auto& each) { return write_instruction(each); }, instruction);
	}
	[[nodiscard]] Written write_instruction(const KernelCall& call) {
		return instruction(schema::CreateKernelCallDirect(builder_, static_cast<std::int32_t>(call.op), &call.args));
	}
	[[nodiscard]] Written write_instruction(const DelegateCall& call) {
		return instruction(
		schema::CreateDelegateCallDirect(builder_, static_cast<std::int32_t>(call.delegate), &call.args));
	}
	[[nodiscard]] Written write_instruction(const Move& move) {
		return instruction(schema::CreateMoveCall(builder_, move.from, move.to));
	}
	[[nodiscard]] Written write_instruction(const JumpFalse& jump) {
		return instruction(
		schema::CreateJumpFalseCall(builder_, jump.condition, static_cast<std::int32_t>(jump.destination)));
	}
	[[nodiscard]] flatbuffers::Offset<schema::BackendDelegate> write(const DelegateData& delegate) {
		const auto place = schema::CreateBackendDelegateDataReference(
		builder_, schema::DataLocation::INLINE, static_cast<std::uint32_t>(delegate_bytes_.size()));
		constexpr std::size_t alignment = 16;
		std::vector<std::string> names;
		names.reserve(delegate.weights.size());
		for (const std::uint32_t each : delegate.weights) names.push_back(weight_name(each));
		const std::vector<std::byte> data = xnnpack::write(*delegate.delegate, names);
		builder_.ForceVectorAlignment(data.size(), 1, alignment);
		const auto bytes = builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
		delegate_bytes_.push_back(schema::CreateBackendDelegateInlineData(builder_, bytes));
		return schema::CreateBackendDelegateDirect(builder_, "XnnpackBackend", place);
	}
	template <class Table>
	[[nodiscard]] Written instruction(flatbuffers::Offset<Table> arguments) {
		return schema::CreateInstruction(builder_, schema::InstructionArgumentsTraits<Table>::enum_value,
		arguments.Union());
	}
	flatbuffers::FlatBufferBuilder& builder_;
	const Method& method_;
	const SharedData& shared_;
	std::vector<DelegateBytes>& delegate_bytes_;
};
inline flatbuffers::Offset<schema::EValue> MethodWriter::write_one(const TensorValue& tensor) {
	const std::vector<std::uint8_t> order = dim_order(tensor.sizes.size());
	flatbuffers::Offset<schema::AllocationDetails> place;
	if (tensor.buffer >= 0) {
		const Buffer& buffer = method_.buffers[static_cast<std::size_t>(tensor.buffer)];
		constexpr std::uint32_t arena = 1;
		if (buffer.is_planned)
		place = schema::CreateAllocationDetails(builder_, arena, static_cast<std::uint32_t>(buffer.offset),
		static_cast<std::uint32_t>(buffer.offset >> 32U));
	}
	const std::string key = external_name(tensor, shared_);
	flatbuffers::Offset<schema::ExtraTensorInfo> elsewhere;
	if (!key.empty())
		elsewhere = schema::CreateExtraTensorInfoDirect(builder_, 0, key.c_str(), schema::TensorDataLocation::EXTERNAL);
	const std::uint32_t here = tensor.constant != 0 ? tensor.constant : tensor.initial;
	return boxed(schema::CreateTensorDirect(
		builder_, static_cast<schema::ScalarType>(tensor.dtype), 0, &tensor.sizes, &order, false,
		key.empty() ? here : 0, place, 0,
		tensor.is_dynamic ? schema::TensorShapeDynamism::DYNAMIC_BOUND : schema::TensorShapeDynamism::STATIC,
		elsewhere));
}
class Segments {
public:
	explicit Segments(const SharedData& shared) {
		const std::vector<at::Tensor>& constants = shared.constants.tensors();
		for (std::uint32_t i = 0; i < constants.size(); ++i)
		constants_.append(is_external(i + 1, shared) ? at::Tensor() : constants[i]);
		append_initial_values(shared.initial_values.tensors());
		for (Segment* each : {&constants_, &initial_}) {
		if (each->size == 0) continue;
		each->offset = append(each->size);
		places_.emplace_back(each->offset, each->size);
		}
		if (!shared.is_external) place_weights(shared);
		std::sort(places_.begin(), places_.end());
	}
	void append_initial_values(const std::vector<at::Tensor>& tensors) {
		std::vector<bool> zero;
		at::Tensor longest;
		for (const at::Tensor& each : tensors) {
		zero.push_back(is_zero(each));
		if (zero.back() && (!longest.defined() || each.nbytes() > longest.nbytes())) longest = each;
		}
		std::optional<std::uint64_t> zeros;
		for (std::size_t i = 0; i < tensors.size(); ++i) {
		if (zero[i] && zeros) {
		initial_.append_at(*zeros);
		continue;
		}
		initial_.append(zero[i] ? longest : tensors[i]);
		if (zero[i]) zeros = initial_.offsets.back();
		}
	}
	void place_weights(const SharedData& shared) {
		for (const at::Tensor& tensor : shared.weights.tensors()) {
		const std::uint32_t known = shared.constants.find(tensor);
		weights_.push_back({tensor, known == 0 ? append(tensor.nbytes()) : constants_.offsets[known], known != 0});
		places_.emplace_back(weights_.back().offset, tensor.nbytes());
		}
	}
	[[nodiscard]] bool empty() const noexcept { return places_.empty(); }
	[[nodiscard]] std::uint64_t size() const noexcept { return end_; }
	[[nodiscard]] auto write_places(flatbuffers::FlatBufferBuilder& builder) const {
		std::vector<flatbuffers::Offset<schema::DataSegment>> made;
		made.reserve(places_.size());
		for (const auto& [offset, size] : places_) made.push_back(schema::CreateDataSegment(builder, offset, size));
		return builder.CreateVector(made);
	}
	[[nodiscard]] auto write_constants(flatbuffers::FlatBufferBuilder& builder) const {
		return write_offsets(builder, constants_);
	}
	[[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<schema::SubsegmentOffsets>>>
	write_initial_values(flatbuffers::FlatBufferBuilder& builder) const {
		if (initial_.size == 0) return 0;
		return builder.CreateVector(std::vector{write_offsets(builder, initial_)});
	}
	[[nodiscard]] auto write_names(flatbuffers::FlatBufferBuilder& builder) const {
		std::vector<flatbuffers::Offset<schema::NamedData>> made;
		made.reserve(weights_.size());
		for (std::uint32_t i = 0; i < weights_.size(); ++i)
		made.push_back(schema::CreateNamedDataDirect(builder, weight_name(i + 1).c_str(),
		index({weights_[i].offset, weights_[i].tensor.nbytes()})));
		return builder.CreateVector(made);
	}
	void write_data(FileWriter& writer, std::uint64_t base) const {
		for (const Segment* each : {&constants_, &initial_})
		for (std::size_t i = 0; i < each->tensors.size(); ++i)
		if (each->tensors[i].defined())
		writer.write(each->tensors[i], base + each->offset + each->offsets[i + 1]);
		for (const PlacedWeights& each : weights_)
		if (!each.is_constant) writer.write(each.tensor, base + each.offset);
	}
private:
	using Place = std::pair<std::uint64_t, std::uint64_t>;
	struct PlacedWeights {
		at::Tensor tensor;
		std::uint64_t offset;
		bool is_constant;
	};
	[[nodiscard]] std::uint64_t append(std::uint64_t size) {
		const std::uint64_t offset = aligned(end_, segment_alignment);
		end_ = offset + size;
		return offset;
	}
	[[nodiscard]] std::uint32_t index(Place place) const {
		return static_cast<std::uint32_t>(std::lower_bound(places_.begin(), places_.end(), place) - places_.begin());
	}
	[[nodiscard]] flatbuffers::Offset<schema::SubsegmentOffsets> write_offsets(flatbuffers::FlatBufferBuilder& builder,
		const Segment& segment) const {
		const std::vector<std::uint64_t> none{0};
		if (segment.size == 0) return schema::CreateSubsegmentOffsetsDirect(builder, 0, &none);
		return schema::CreateSubsegmentOffsetsDirect(builder, index({segment.offset, segment.size}), &segment.offsets);
	}
	Segment constants_, initial_;
	std::vector<PlacedWeights> weights_;
	std::vector<Place> places_;
	std::uint64_t end_ = 0;
};
[[nodiscard]] inline std::vector<std::byte> program_bytes(const std::vector<Method>& methods, const SharedData& shared,
		const Segments& segments) {
	flatbuffers::FlatBufferBuilder builder;
	std::vector<flatbuffers::Offset<schema::ExecutionPlan>> plans;
	plans.reserve(methods.size());
	std::vector<DelegateBytes> delegates;
	for (const Method& method : methods) plans.push_back(MethodWriter(builder, method, shared, delegates).write());
	const auto all_plans = builder.CreateVector(plans);
	const auto all_delegates = builder.CreateVector(delegates);
	const auto places = segments.write_places(builder);
	const auto constants = segments.write_constants(builder);
	const auto initial_values = segments.write_initial_values(builder);
	const auto names = segments.write_names(builder);
	schema::FinishProgramBuffer(builder, schema::CreateProgram(builder, 0, all_plans, 0, all_delegates, places,
		constants, initial_values, names));
	const std::span<const std::byte> program(reinterpret_cast<const std::byte*>(builder.GetBufferPointer()),
		builder.GetSize());
	const std::uint64_t size = program.size() + ExtendedHeader::size;
	const auto header =
		ExtendedHeader{size, segments.empty() ? 0 : aligned(size, segment_alignment), segments.size()}.bytes();
	return with_header(program, header);
}
}
FERRY_INLINE std::vector<std::byte> serialize_program(const std::vector<Method>& methods, const SharedData& shared) {
	return detail::program_bytes(methods, shared, detail::Segments(shared));
}
FERRY_INLINE void serialize(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink) {
	meet_library();
	const detail::Segments segments(shared);
	const std::vector<std::byte> program = detail::program_bytes(methods, shared, segments);
	detail::FileWriter output(sink);
	output.write(program);
	if (segments.empty()) return;
	const std::uint64_t base = aligned(program.size(), detail::segment_alignment);
	segments.write_data(output, base);
	output.pad_to(base + segments.size());
}
}
#include <ferry_schema/executorch/flat_tensor_generated.h>
namespace ferry::executorch {
namespace detail {
namespace tensor_schema = ::ferry_schema::flat_tensor_flatbuffer;
class TensorFile {
public:
	TensorFile(const std::vector<Method>& methods, const SharedData& shared) {
		for (const Method& method : methods)
		for (const MethodValue& value : method.values)
		if (const auto* tensor = std::get_if<TensorValue>(&value))
		if (std::string name = external_name(*tensor, shared); !name.empty())
		add(std::move(name), shared.constants.tensors()[tensor->constant - 1], tensor);
		for (std::uint32_t i = 1; i <= shared.weights.tensors().size(); ++i)
		add(weight_name(i), shared.weights.tensors()[i - 1], nullptr);
	}
	void write(const Sink& sink) const {
		const std::vector<std::byte> front = written_front();
		const std::uint64_t base = aligned(front.size(), segment_alignment);
		FileWriter output(sink);
		output.write(front);
		for (std::size_t i = 0; i < tensors_.size(); ++i) output.write(tensors_[i], base + offsets_[i]);
	}
private:
	struct Named {
		std::uint32_t segment;
		const TensorValue* value;
	};
	void add(std::string name, const at::Tensor& tensor, const TensorValue* value) {
		const auto [known, is_new] = segments_.try_emplace({tensor.const_data_ptr(), tensor.nbytes()},
		static_cast<std::uint32_t>(tensors_.size()));
		if (is_new) {
		offsets_.push_back(aligned(end_, segment_alignment));
		end_ = offsets_.back() + tensor.nbytes();
		tensors_.push_back(tensor);
		}
		named_.try_emplace(std::move(name), Named{known->second, value});
	}
	[[nodiscard]] std::vector<std::byte> written_front() const {
		flatbuffers::FlatBufferBuilder builder;
		std::vector<flatbuffers::Offset<tensor_schema::DataSegment>> segments;
		segments.reserve(tensors_.size());
		for (std::size_t i = 0; i < tensors_.size(); ++i)
		segments.push_back(tensor_schema::CreateDataSegment(builder, offsets_[i], tensors_[i].nbytes()));
		std::vector<flatbuffers::Offset<tensor_schema::NamedData>> names;
		names.reserve(named_.size());
		for (const auto& [name, each] : named_)
		names.push_back(
		tensor_schema::CreateNamedDataDirect(builder, name.c_str(), each.segment, layout(builder, each.value)));
		constexpr std::uint32_t version = 0;
		tensor_schema::FinishFlatTensorBuffer(
		builder, tensor_schema::CreateFlatTensorDirect(builder, version, &segments, &names));
		const std::span<const std::byte> made(reinterpret_cast<const std::byte*>(builder.GetBufferPointer()),
		builder.GetSize());
		return with_header(made, header(made.size()));
	}
	[[nodiscard]] static flatbuffers::Offset<tensor_schema::TensorLayout> layout(
		flatbuffers::FlatBufferBuilder& builder, const TensorValue* value) {
		if (value == nullptr) return 0;
		const std::vector<std::uint8_t> order = dim_order(value->sizes.size());
		const auto dtype = static_cast<::ferry_schema::executorch_flatbuffer::ScalarType>(value->dtype);
		return tensor_schema::CreateTensorLayoutDirect(builder, dtype, &value->sizes, &order);
	}
	static constexpr std::uint32_t header_size = 40, header_space = 48;
	[[nodiscard]] std::array<std::byte, header_space> header(std::uint64_t flatbuffer_size) const {
		std::array<std::byte, header_space> made{};
		const std::uint64_t base = aligned(flatbuffer_size + header_space, segment_alignment);
		const std::array<std::uint64_t, 4> numbers{header_space, flatbuffer_size, base, end_};
		std::memcpy(made.data(), "FH01", 4);
		std::memcpy(made.data() + 4, &header_size, 4);
		std::memcpy(made.data() + 8, numbers.data(), sizeof numbers);
		return made;
	}
	std::map<std::pair<const void*, std::size_t>, std::uint32_t> segments_;
	std::vector<at::Tensor> tensors_;
	std::vector<std::uint64_t> offsets_;
	std::uint64_t end_ = 0;
	std::map<std::string, Named> named_;
};
}
FERRY_INLINE std::string external_name(const TensorValue& value, const SharedData& shared) {
	if (!is_external(value.constant, shared)) return {};
	std::string name = shared.constants.name(value.constant);
	const at::Tensor& tensor = shared.constants.tensors()[value.constant - 1];
	if (std::equal(value.sizes.begin(), value.sizes.end(), tensor.sizes().begin(), tensor.sizes().end())) return name;
	name.push_back(':');
	for (const std::int32_t size : value.sizes) name.append(std::to_string(size)).push_back(',');
	return name;
}
FERRY_INLINE void serialize_tensors(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink) {
	meet_library();
	detail::TensorFile(methods, shared).write(sink);
}
}
namespace ferry::executorch {
FERRY_INLINE Constants::Memory Constants::memory_of(const at::Tensor& tensor) {
	return {tensor.const_data_ptr(), static_cast<std::int64_t>(tensor.itemsize()), tensor.sizes().vec(),
		tensor.strides().vec()};
}
FERRY_INLINE std::vector<std::uint32_t> Constants::add(const Constants& others) {
	std::vector<std::uint32_t> numbers;
	numbers.reserve(others.tensors_.size());
	for (std::size_t i = 0; i < others.tensors_.size(); ++i)
		numbers.push_back(add(others.tensors_[i], others.names_[i]));
	return numbers;
}
FERRY_INLINE std::uint32_t Constants::find(const at::Tensor& tensor) const {
	const auto found = by_memory_.find(memory_of(tensor));
	return found != by_memory_.end() ? found->second : 0;
}
FERRY_INLINE std::uint32_t Constants::add(const at::Tensor& given, const std::string& name) {
	constexpr std::size_t small = 256;
	if (given.layout() != c10::kStrided)
		throw Error(ErrorKind::unsupported, "a sparse tensor cannot stand in an ExecuTorch program",
		{.where = {.path = name}});
	const at::Tensor tensor = given.detach();
	Memory memory = memory_of(tensor);
	if (tensor.numel() != 0)
		if (const auto known = by_memory_.find(memory); known != by_memory_.end()) return known->second;
	const at::Tensor dense = tensor.cpu().resolve_conj().resolve_neg().contiguous();
	const auto number = static_cast<std::uint32_t>(tensors_.size() + 1);
	if (dense.nbytes() <= small) {
		std::string bytes(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes());
		const auto [known, is_new] = by_bytes_.emplace(std::move(bytes), number);
		if (!is_new) return known->second;
	}
	tensors_.push_back(dense);
	const bool is_taken = !name.empty() && !known_names_.insert(name).second;
	names_.push_back(is_taken ? name + "." + std::to_string(number) : name);
	known_names_.insert(names_.back());
	by_memory_.emplace(std::move(memory), number);
	return number;
}
}
namespace ferry::executorch::xnnpack {
namespace detail {
inline void add_symbols(const Graph& graph, std::set<std::string>& symbols) {
	for (std::uint32_t i = 0; i < graph.num_values(); ++i)
		for (const SymExpr& size : graph.info({i}).tensor.sizes)
		if (!size.is_constant())
		for (const std::string& symbol : free_symbols(size)) symbols.insert(symbol);
	for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) add_symbols(graph.subgraph({i}), symbols);
}
}
FERRY_INLINE ProgramFacts::ProgramFacts(const ExportedProgram& program)
	: program_(program), sizes_(ferry::detail::sizes_of_example(program)) {
	std::set<std::string> symbols;
	detail::add_symbols(program.graph, symbols);
	for (const std::string& symbol : symbols) {
		if (sizes_.find(symbol) != nullptr) continue;
		constexpr std::int64_t usual = 8;
		const ValueRange* range = program.ranges.find(symbol);
		sizes_.set(symbol, range != nullptr ? std::clamp(usual, std::max<std::int64_t>(range->min, 1),
		std::max<std::int64_t>(range->max, 1))
		: usual);
	}
	std::set<std::string_view> written;
	for (const OutputSpec& output : program.signature.outputs) written.insert(output.target);
	std::unordered_map<std::string_view, const at::Tensor*> tensors;
	for (const NamedTensors* named : {&program.state, &program.constants})
		for (const auto& [name, tensor] : *named) tensors.emplace(name, &tensor);
	for (const InputSpec& input : program.signature.inputs) {
		const auto* value = input.argument.get_if<Value>();
		if (input.kind == InputKind::user_input || value == nullptr || written.contains(input.target)) continue;
		if (const auto found = tensors.find(input.target); found != tensors.end())
		constants_.emplace(value->index, Constant{found->second, input.target});
	}
}
}
namespace ferry::executorch::xnnpack {
struct Header {
	static constexpr std::uint16_t size = 30;
	static constexpr std::size_t alignment = 16;
	std::uint32_t graph_at = static_cast<std::uint32_t>(aligned(size, alignment));
	std::uint32_t graph_size = 0;
	std::uint32_t constants_at = 0;
	std::uint64_t constants_size = 0;
	void write(std::span<std::byte> data) const {
		const auto put = [&](std::size_t at, const void* what, std::size_t bytes) {
		std::memcpy(data.data() + at, what, bytes);
		};
		put(4, mark, sizeof mark);
		put(8, &size, sizeof size);
		put(10, &graph_at, 4);
		put(14, &graph_size, 4);
		put(18, &constants_at, 4);
		put(22, &constants_size, 8);
	}
	[[nodiscard]] static Header read(std::span<const std::byte> data) {
		Header read;
		if (data.size() >= size && std::memcmp(data.data() + 4, mark, sizeof mark) == 0) {
		std::memcpy(&read.graph_at, data.data() + 10, 4);
		std::memcpy(&read.graph_size, data.data() + 14, 4);
		if (read.graph_at <= data.size() && read.graph_size <= data.size() - read.graph_at) return read;
		}
		throw Error(ErrorKind::bad_file, "the data of an XNNPACK delegate has no header, or is cut off");
	}
private:
	static constexpr char mark[4] = {'X', 'H', '0', '0'};
};
}
namespace ferry::executorch::xnnpack {
FERRY_INLINE std::size_t count_nodes(std::span<const std::byte> data) {
	const Header header = Header::read(data);
	const Flatbuffer<::ferry_schema::fb_xnnpack::XNNGraph> graph(data.subspan(header.graph_at, header.graph_size),
		nullptr, "the data of an XNNPACK delegate");
	return count(graph->xnodes());
}
}
namespace ferry::executorch::xnnpack {
FERRY_INLINE Value Definition::tensor(std::string_view name) {
	const Argument* found = node_.find(name);
	const auto* value = found != nullptr ? found->get_if<Value>() : nullptr;
	const bool is_tensor = value != nullptr && builder_.graph().info(*value).kind == ValueKind::tensor;
	require(is_tensor);
	return is_tensor ? *value : node_.output();
}
FERRY_INLINE std::vector<Value> Definition::tensors(std::string_view name) {
	const Argument* found = node_.find(name);
	std::vector<Value> values;
	if (found != nullptr) for_each_value(*found, [&](Value value) { values.push_back(value); });
	require(!values.empty());
	return values;
}
FERRY_INLINE double Definition::real(std::string_view name, std::optional<double> otherwise) {
	const Argument* found = node_.find(name);
	if (found == nullptr || found->is_none()) {
		require(otherwise.has_value());
		return otherwise.value_or(0);
	}
	if (const auto* number = found->get_if<double>()) return *number;
	if (const auto* number = found->get_if<std::int64_t>()) return static_cast<double>(*number);
	decline();
	return 0;
}
FERRY_INLINE std::int64_t Definition::integer(std::string_view name, std::optional<std::int64_t> otherwise) {
	const Argument* found = node_.find(name);
	if (found == nullptr || found->is_none()) {
		require(otherwise.has_value());
		return otherwise.value_or(0);
	}
	const auto* number = found->get_if<std::int64_t>();
	require(number != nullptr);
	return number != nullptr ? *number : 0;
}
FERRY_INLINE bool Definition::flag(std::string_view name, bool otherwise) {
	const Argument* found = node_.find(name);
	const auto* given = found != nullptr ? found->get_if<bool>() : nullptr;
	return given != nullptr ? *given : otherwise;
}
FERRY_INLINE std::vector<std::int64_t> Definition::integers(std::string_view name,
		std::vector<std::int64_t> otherwise) {
	const Argument* found = node_.find(name);
	if (found == nullptr || found->is_none()) return otherwise;
	std::vector<std::int64_t> numbers;
	if (const auto* number = found->get_if<std::int64_t>()) return {*number};
	const auto* list = found->get_if<ArgumentList>();
	require(list != nullptr);
	if (list == nullptr) return otherwise;
	for (const Argument& item : *list) {
		const auto* number = item.get_if<std::int64_t>();
		require(number != nullptr);
		numbers.push_back(number != nullptr ? *number : 0);
	}
	return numbers;
}
FERRY_INLINE std::vector<std::int64_t> Definition::pair(std::string_view name, std::vector<std::int64_t> otherwise) {
	std::vector<std::int64_t> numbers = integers(name);
	if (numbers.empty()) numbers = std::move(otherwise);
	if (numbers.size() == 1) numbers.push_back(numbers[0]);
	const bool is_pair = numbers.size() == 2 && numbers[0] >= 0 && numbers[1] >= 0;
	require(is_pair);
	return is_pair ? numbers : std::vector<std::int64_t>{0, 0};
}
FERRY_INLINE std::size_t Definition::dim(std::int64_t at, Value of) const {
	return static_cast<std::size_t>(at < 0 ? at + static_cast<std::int64_t>(rank(of)) : at);
}
FERRY_INLINE std::int64_t Definition::fixed_size(Value value, std::size_t dim) {
	const bool is_fixed = dim < rank(value) && sizes(value)[dim].is_constant();
	require(is_fixed);
	return is_fixed ? sizes(value)[dim].value() : 1;
}
FERRY_INLINE Value Definition::output() {
	for (std::size_t i = 1; node_.output(i); ++i) require(!builder_.graph().is_used(node_.output(i)));
	return node_.output();
}
FERRY_INLINE Ref Definition::reshape(Ref ref, const std::vector<SymExpr>& wanted) {
	const auto dynamic = algo::count_if(wanted, [](const SymExpr& size) { return !size.is_constant(); });
	require(dynamic <= 1);
	Sizes list;
	for (const SymExpr& size : wanted)
		list.push_back(size.is_constant() ? static_cast<std::uint32_t>(size.value()) : 0);
	return builder_.apply({.op = Op::XNNStaticReshape, .inputs = {ref}, .list = std::move(list)},
		builder_.sizes(wanted));
}
FERRY_INLINE Definition::Item Definition::item(std::string_view name) {
	const Argument* found = node_.find(name);
	if (found != nullptr && found->is<Value>()) return {.value = tensor(name)};
	return {.number = real(name)};
}
FERRY_INLINE Definition::Operands Definition::operands(const std::vector<Item>& items) {
	const Value made = output();
	const auto lies_last = [&](const Item& each) { return each.value && builder_.is_channels_last(each.value); };
	const auto can_lie_last = [&](const Item& each) {
		return !each.value || rank(each.value) == 0 || builder_.can_be_channels_last(each.value);
	};
	const bool is_last = rank(made) == 4 && algo::any_of(items, lies_last) && algo::all_of(items, can_lie_last);
	Operands found{.sizes = builder_.sizes(made), .is_channels_last = is_last};
	for (const Item& each : items)
		found.refs.push_back(!each.value                        ? number(each.number)
		: is_last && rank(each.value) != 0 ? builder_.channels_last(each.value)
		: plain(each.value));
	if (is_last) found.sizes = {found.sizes[0], found.sizes[2], found.sizes[3], found.sizes[1]};
	return found;
}
FERRY_INLINE void Definition::give(const Operands& operands, Ref ref) {
	operands.is_channels_last ? builder_.bind_channels_last(output(), ref) : builder_.bind(output(), ref);
}
FERRY_INLINE void Definition::elementwise(Operation operation, const std::vector<Item>& items) {
	const Operands given = operands(items);
	operation.inputs = given.refs;
	give(given, builder_.apply(std::move(operation), given.sizes));
}
FERRY_INLINE Ref Definition::elementwise(Op op, Ref a, Ref b) {
	const Sizes &first = builder_.sizes_of(a), &second = builder_.sizes_of(b);
	Sizes sizes = first.size() >= second.size() ? first : second;
	const Sizes& other = first.size() >= second.size() ? second : first;
	for (std::size_t i = 0; i < other.size(); ++i) {
		std::uint32_t& size = sizes[sizes.size() - other.size() + i];
		size = std::max(size, other[i]);
	}
	return builder_.apply({.op = op, .inputs = {a, b}}, std::move(sizes));
}
namespace detail {
[[nodiscard]] inline bool is_fit(const Builder& builder, Value value) {
	const ValueInfo& info = builder.graph().info(value);
	return info.kind == ValueKind::tensor && info.tensor.dtype == DType::float32 &&
		info.tensor.sizes.size() <= most_dims && algo::all_of(info.tensor.sizes, [&](const SymExpr& size) {
		return size.is_constant() ? size.value() > 0 : bounds(size, builder.facts().ranges()).min > 0;
		});
}
}
FERRY_INLINE bool try_define(Builder& builder, const Node& node, Define define) {
	bool is_fit = static_cast<bool>(node.output()) && detail::is_fit(builder, node.output());
	for (const NamedArgument& argument : node.arguments())
		for_each_value(argument.value, [&](Value value) {
		if (builder.graph().info(value).kind == ValueKind::tensor)
		is_fit = is_fit && detail::is_fit(builder, value);
		});
	if (!is_fit) return false;
	Definition definition(builder, node);
	define(definition);
	return !definition.is_declined();
}
}
namespace ferry::executorch::xnnpack {
namespace detail {
namespace schema = ::ferry_schema::fb_xnnpack;
class Writer {
public:
	explicit Writer(const Delegate& delegate) : delegate_(delegate) {}
	[[nodiscard]] std::vector<std::byte> write(const std::vector<std::string>& weight_names) {
		std::vector<flatbuffers::Offset<schema::XNode>> nodes;
		nodes.reserve(delegate_.operations.size());
		for (const Operation& each : delegate_.operations) nodes.push_back(write(each));
		std::vector<flatbuffers::Offset<schema::XValue>> values;
		std::vector<std::uint32_t> inputs, outputs;
		for (Ref ref = 0; ref < delegate_.operands.size(); ++ref) {
		const Operand& operand = delegate_.operands[ref];
		values.push_back(write(ref, operand));
		if (operand.external != nothing) (operand.is_output ? outputs : inputs).push_back(operand.external);
		}
		std::vector<flatbuffers::Offset<schema::ConstantDataOffset>> constants{
		schema::CreateConstantDataOffset(builder_, 0, 0)};
		for (std::size_t i = 0; i < weight_names.size(); ++i)
		constants.push_back(schema::CreateConstantDataOffsetDirect(
		builder_, UINT64_MAX, delegate_.weights[i].tensor.nbytes(), weight_names[i].c_str()));
		const auto externals = static_cast<std::uint32_t>(inputs.size() + outputs.size());
		schema::FinishXNNGraphBuffer(
		builder_, schema::CreateXNNGraphDirect(builder_, "0", &nodes, &values, externals, &inputs, &outputs,
		nullptr, nullptr, &constants));
		return with_header();
	}
private:
	[[nodiscard]] std::vector<std::byte> with_header() const {
		Header header{.graph_size = static_cast<std::uint32_t>(builder_.GetSize())};
		header.constants_at =
		static_cast<std::uint32_t>(aligned(header.graph_at + header.graph_size, Header::alignment));
		std::vector<std::byte> bytes(header.constants_at + Header::alignment);
		header.write(bytes);
		std::memcpy(bytes.data() + header.graph_at, builder_.GetBufferPointer(), header.graph_size);
		return bytes;
	}
	[[nodiscard]] flatbuffers::Offset<schema::XValue> write(Ref ref, const Operand& operand) {
		constexpr std::uint32_t is_input = 1, is_output = 2;
		const std::uint32_t flags = operand.external == nothing ? 0 : operand.is_output ? is_output : is_input;
		const auto tensor = schema::CreateXNNTensorValueDirect(
		builder_, schema::XNNDatatype::xnn_datatype_fp32, static_cast<std::uint32_t>(operand.sizes.size()),
		&operand.sizes, operand.constant, operand.external, flags, ref);
		return schema::CreateXValue(builder_, schema::XValueUnion::XNNTensorValue, tensor.Union());
	}
	[[nodiscard]] flatbuffers::Offset<schema::XNode> write(const Operation& each) {
		const auto body = write_body(each);
		flatbuffers::Offset<schema::OutputMinMax> limits;
		if (std::isfinite(each.low) || std::isfinite(each.high))
		limits = schema::CreateOutputMinMax(builder_, each.low, each.high);
		return schema::CreateXNode(builder_, each.op, body, 0, limits);
	}
	[[nodiscard]] flatbuffers::Offset<void> write_body(const Operation& each);
	const Delegate& delegate_;
	flatbuffers::FlatBufferBuilder builder_;
};
inline flatbuffers::Offset<void> Writer::write_body(const Operation& each) {
	const auto dims = static_cast<std::uint32_t>(each.list.size());
	const auto input = [&](std::size_t i) { return i < each.inputs.size() ? each.inputs[i] : nothing; };
	const Window& w = each.window;
	switch (each.op) {
		case Op::XNNAdd:
		case Op::XNNSubtract:
		case Op::XNNMultiply:
		case Op::XNNDiv:
		case Op::XNNMaximum:
		case Op::XNNMinimum:
		case Op::XNNPReLU:
		case Op::XNNBatchMatrixMultiply:
		return schema::Create_XNNNode2x1(builder_, input(0), input(1), each.output, each.flags).Union();
		case Op::XNNConcatenate2:
		case Op::XNNConcatenate3:
		case Op::XNNConcatenate4:
		case Op::XNNConcatenate5:
		return schema::Create_XNNCat(builder_, static_cast<std::uint32_t>(each.number), input(0), input(1),
		input(2), input(3), each.output, each.flags, input(4))
		.Union();
		case Op::XNNFullyConnected:
		return schema::CreateXNNFullyConnected(builder_, input(0), input(1), input(2), each.output, each.flags)
		.Union();
		case Op::XNNConv2d:
		case Op::XNNDepthwiseConv2d:
		case Op::XNNConvTranspose2d:
		return schema::Create_XNNNodeConv(builder_, w.padding[0], w.padding[1], w.padding[0], w.padding[1],
		w.kernel[0], w.kernel[1], w.stride[0], w.stride[1], w.dilation[0],
		w.dilation[1], w.group_inputs, w.group_outputs, w.groups, w.adjustment[0],
		w.adjustment[1], input(0), input(1), input(2), each.output, each.flags)
		.Union();
		case Op::XNNMaxPooling2d:
		case Op::XNNAvgPooling2d:
		return schema::Create_XNNPooling2D(builder_, w.padding[0], w.padding[1] + w.more_behind[1],
		w.padding[0] + w.more_behind[0], w.padding[1], w.kernel[0], w.kernel[1],
		w.stride[0], w.stride[1], w.dilation[0], w.dilation[1], input(0),
		each.output, each.flags)
		.Union();
		case Op::XNNStaticTranspose:
		return schema::CreateXNNStaticTransposeDirect(builder_, dims, &each.list, input(0), each.output, each.flags)
		.Union();
		case Op::XNNStaticReshape:
		return schema::CreateXNNStaticReshapeDirect(builder_, dims, &each.list, input(0), each.output, each.flags)
		.Union();
		case Op::XNNStaticSlice:
		return schema::CreateXNNStaticSliceDirect(builder_, dims, &each.list, &each.second_list, input(0),
		each.output, each.flags)
		.Union();
		case Op::XNNStaticConstantPad:
		return schema::CreateXNNStaticConstantPadDirect(builder_, &each.list, &each.second_list, each.number,
		input(0), each.output, each.flags)
		.Union();
		case Op::XNNStaticResizeBilinear2D:
		return schema::CreateXNNStaticResizeBilinear2D(builder_, each.list.at(0), each.list.at(1), input(0),
		each.output, each.flags)
		.Union();
		case Op::XNNELU: return schema::CreateXNNELU(builder_, each.number, input(0), each.output, each.flags).Union();
		case Op::XNNLeakyReLU:
		return schema::CreateXNNLeakyReLU(builder_, each.number, input(0), each.output, each.flags).Union();
		default: return schema::Create_XNNNode1x1(builder_, input(0), each.output, each.flags).Union();
	}
}
}
FERRY_INLINE std::vector<std::byte> write(const Delegate& delegate, const std::vector<std::string>& weight_names) {
	return detail::Writer(delegate).write(weight_names);
}
}
namespace ferry::executorch::xnnpack {
FERRY_INLINE Sizes Builder::sizes(const std::vector<SymExpr>& all) const {
	Sizes made;
	made.reserve(all.size());
	for (const SymExpr& size : all)
		made.push_back(static_cast<std::uint32_t>(std::max<std::int64_t>(evaluate(size, facts_.sizes()), 1)));
	return made;
}
FERRY_INLINE Ref Builder::add(Sizes sizes) {
	delegate_.operands.push_back({.sizes = std::move(sizes)});
	return static_cast<Ref>(delegate_.operands.size() - 1);
}
FERRY_INLINE Ref Builder::take(Given given, Sizes sizes) {
	const Ref made = add(std::move(sizes));
	delegate_.operands[made].external = static_cast<Ref>(delegate_.inputs.size());
	delegate_.inputs.push_back(std::move(given));
	return made;
}
FERRY_INLINE Ref Builder::weights(at::Tensor tensor, std::string name) {
	Sizes sizes;
	for (const std::int64_t size : tensor.sizes()) sizes.push_back(static_cast<std::uint32_t>(size));
	const Ref made = add(std::move(sizes));
	delegate_.weights.push_back({std::move(tensor), std::move(name)});
	delegate_.operands[made].constant = static_cast<std::uint32_t>(delegate_.weights.size());
	return made;
}
FERRY_INLINE Ref Builder::constant(at::Tensor tensor) {
	Sizes sizes;
	for (const std::int64_t size : tensor.sizes()) sizes.push_back(static_cast<std::uint32_t>(size));
	return take({.constant = std::move(tensor)}, std::move(sizes));
}
FERRY_INLINE Ref Builder::number(double value) {
	const auto [known, is_new] = numbers_.try_emplace(value, nothing);
	if (is_new) known->second = constant(at::scalar_tensor(value, at::TensorOptions().dtype(at::kFloat)));
	return known->second;
}
FERRY_INLINE Ref Builder::apply(Operation operation, Sizes sizes) {
	operation.output = add(std::move(sizes));
	delegate_.operations.push_back(std::move(operation));
	return delegate_.operations.back().output;
}
FERRY_INLINE Ref Builder::transpose(Ref ref, Sizes order) {
	Sizes sizes;
	for (const std::uint32_t dim : order) sizes.push_back(sizes_of(ref)[dim]);
	return apply({.op = Op::XNNStaticTranspose, .inputs = {ref}, .list = std::move(order)}, std::move(sizes));
}
FERRY_INLINE Ref Builder::plain(Value value) {
	Places& places = places_[value.index];
	if (places.plain == nothing)
		places.plain = places.channels_last != nothing ? transpose(places.channels_last, {0, 3, 1, 2})
		: take({.value = value}, sizes(value));
	return places.plain;
}
FERRY_INLINE Ref Builder::channels_last(Value value) {
	if (const Places& known = places_[value.index]; known.channels_last != nothing) return known.channels_last;
	const at::Tensor* tensor = facts_.constant(graph_, value).tensor;
	if (tensor == nullptr) {
		const Ref ref = transpose(plain(value), {0, 2, 3, 1});
		places_[value.index].channels_last = ref;
		return ref;
	}
	at::Tensor image = tensor->detach();
	while (image.dim() < 4) image = image.unsqueeze(0);
	return places_[value.index].channels_last = constant(image.permute({0, 2, 3, 1}));
}
FERRY_INLINE bool Builder::is_channels_last(Value value) const {
	const auto found = places_.find(value.index);
	return found != places_.end() && found->second.channels_last != nothing && found->second.plain == nothing;
}
FERRY_INLINE bool Builder::can_be_channels_last(Value value) const {
	const std::size_t dims = meta(value).sizes.size();
	return dims == 4 || (dims < 4 && facts_.constant(graph_, value).tensor != nullptr);
}
FERRY_INLINE Operation* Builder::producer(Ref ref) {
	for (std::size_t i = delegate_.operations.size(); i-- > 0;)
		if (delegate_.operations[i].output == ref) return &delegate_.operations[i];
	return nullptr;
}
FERRY_INLINE void Builder::remove_unused(const std::vector<Ref>& outputs) {
	std::vector<bool> is_needed(delegate_.operands.size(), false);
	for (const Ref ref : outputs) is_needed[ref] = true;
	std::vector<Operation>& operations = delegate_.operations;
	for (std::size_t i = operations.size(); i-- > 0;)
		if (is_needed[operations[i].output])
		for (const Ref ref : operations[i].inputs)
		if (ref != nothing) is_needed[ref] = true;
	std::erase_if(operations, [&](const Operation& each) { return !is_needed[each.output]; });
	std::vector<Given> inputs;
	std::vector<Weights> weights;
	std::vector<Operand> operands;
	std::vector<Ref> renumbered(is_needed.size(), nothing);
	for (Ref ref = 0; ref < is_needed.size(); ++ref) {
		if (!is_needed[ref]) continue;
		Operand& operand = delegate_.operands[ref];
		if (operand.external != nothing) {
		inputs.push_back(std::move(delegate_.inputs[operand.external]));
		operand.external = static_cast<Ref>(inputs.size() - 1);
		}
		if (operand.constant != 0) {
		weights.push_back(std::move(delegate_.weights[operand.constant - 1]));
		operand.constant = static_cast<std::uint32_t>(weights.size());
		}
		renumbered[ref] = static_cast<Ref>(operands.size());
		operands.push_back(std::move(operand));
	}
	for (Operation& each : operations) {
		for (Ref& ref : each.inputs)
		if (ref != nothing) ref = renumbered[ref];
		each.output = renumbered[each.output];
	}
	for (auto& [value, places] : places_) {
		if (places.plain != nothing) places.plain = renumbered[places.plain];
		if (places.channels_last != nothing) places.channels_last = renumbered[places.channels_last];
	}
	delegate_.inputs = std::move(inputs);
	delegate_.weights = std::move(weights);
	delegate_.operands = std::move(operands);
}
FERRY_INLINE Delegate Builder::finish(const std::vector<Value>& outputs) {
	std::vector<Ref> refs;
	refs.reserve(outputs.size());
	for (const Value value : outputs) refs.push_back(plain(value));
	remove_unused(refs);
	auto place = static_cast<Ref>(delegate_.inputs.size());
	for (const Value value : outputs) {
		Operand& operand = delegate_.operands[plain(value)];
		operand.is_output = true;
		operand.external = place++;
	}
	delegate_.outputs = outputs;
	return std::move(delegate_);
}
}
#endif
#ifdef FERRY_COMPILED_SOURCE
#if __has_include(<ferry_schema/executorch/program_generated.h>)
#ifndef FERRY_COMPILED
#error \
	"ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif
namespace ferry::executorch {
[[nodiscard]] ConstantMethod constant_method(const tree::Context& value);
}
namespace ferry::executorch {
namespace detail {
inline void append_constants(std::vector<ConstantValue>& made, const tree::Context& value) {
	using Kind = tree::Context::Kind;
	switch (value.kind()) {
		case Kind::none: return;
		case Kind::boolean: made.emplace_back(*value.as_boolean()); return;
		case Kind::real: made.emplace_back(*value.as_real()); return;
		case Kind::text: made.emplace_back(value.text()); return;
		case Kind::integer:
		if (const auto number = value.as_integer()) {
		made.emplace_back(*number);
		return;
		}
		throw Error(ErrorKind::unsupported, value.text() + " is no number of 64 bits: no method can give it");
		case Kind::list:
		case Kind::dict:
		for (const tree::Context& each : value.items()) append_constants(made, each);
	}
}
}
FERRY_INLINE ConstantMethod constant_method(const tree::Context& value) {
	std::vector<ConstantValue> made;
	detail::append_constants(made, value);
	if (made.size() != 1 || value.is_list() || value.is_dict()) return made;
	return std::visit([](const auto& one) { return ConstantMethod(one); }, made[0]);
}
}
namespace ferry {
template struct list_finder<executorch::default_decompositions, capture::Kernel, capture::detail::bind_decomposition>;
template struct list_finder<executorch::default_node_fixes, detail::FixNode, detail::bind_node_fix>;
template struct list_finder<executorch::default_delegations, executorch::xnnpack::Define,
		executorch::detail::bind_delegation>;
}
#endif
#endif
