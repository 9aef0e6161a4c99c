#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/onnx/builder.hpp>
#include <ferry/onnx/complex_numbers.hpp>

#include <ATen/core/function_schema.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// The node that is up, and the model that is being built. Arguments are asked for by their names in the op's schema, and are what the schema
/// says where the call leaves them out. Results take their dtype, sizes and names from the graph: an entry only computes.
class Translation : public Builder {
public:
    using Function = void (*)(Translation&);
    using Find = Function (*)(std::string_view op);

    Translation(Model& model, const SymRanges& ranges, Find find) : Builder(model, ranges), find_(find) {}

    [[nodiscard]] const Graph& graph() const noexcept { return *graph_; }
    [[nodiscard]] const ferry::Node& node() const noexcept { return *node_; }

    // Arguments.
    [[nodiscard]] Argument argument(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return !argument(name).is_none(); }
    [[nodiscard]] bool is_tensor(std::string_view name) const;
    /// A tensor; a number where a tensor may stand is one without dimensions.
    [[nodiscard]] Ref tensor(std::string_view name) { return to_tensor(argument(name), name); }
    [[nodiscard]] Ref optional_tensor(std::string_view name) { return has(name) ? tensor(name) : Ref(); }
    [[nodiscard]] std::vector<Ref> tensors(std::string_view name);
    /// A tensor or number, in this dtype.
    [[nodiscard]] Ref operand(std::string_view name, DType dtype);
    /// A number that something is multiplied by.
    [[nodiscard]] Ref factor(std::string_view name, DType dtype);
    /// The same in the result's dtype, or in float32 for half precision: what several nodes compute must be rounded once, as by a kernel.
    [[nodiscard]] Ref wide_operand(std::string_view name) { return operand(name, wide(result_dtype())); }
    [[nodiscard]] static DType wide(DType dtype) {
        return dtype == DType::float16 || dtype == DType::bfloat16 ? DType::float32 : dtype;
    }
    [[nodiscard]] std::int64_t integer(std::string_view name) const { return as_integer(argument(name), name); }
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    [[nodiscard]] std::optional<DType> dtype_argument(std::string_view name) const;
    /// A number that may follow a size, and a list of them.
    [[nodiscard]] SymExpr symbolic(std::string_view name) const { return as_symbolic(argument(name), name); }
    [[nodiscard]] Sizes symbolics(std::string_view name) const;
    /// A dimension of a tensor of so many, counted from the front.
    [[nodiscard]] std::int64_t dim(std::string_view name, std::int64_t rank) const {
        return wrapped(integer(name), rank);
    }
    [[nodiscard]] std::vector<std::int64_t> dims(std::string_view name, std::int64_t rank) const;
    [[nodiscard]] static std::int64_t wrapped(std::int64_t dim, std::int64_t rank) {
        return dim < 0 ? dim + std::max<std::int64_t>(rank, 1) : dim;
    }
    /// torch::result_type of some arguments.
    [[nodiscard]] DType promoted(std::initializer_list<std::string_view> names) const;

    // Results.
    [[nodiscard]] std::size_t num_results() const;
    [[nodiscard]] const ValueInfo& result_info(std::size_t position = 0) const;
    /// Of complex numbers that of their parts.
    [[nodiscard]] DType result_dtype(std::size_t position = 0) const {
        return stored_dtype(result_info(position).tensor.dtype);
    }
    [[nodiscard]] const Sizes& result_sizes(std::size_t position = 0) const {
        return result_info(position).tensor.sizes;
    }
    [[nodiscard]] std::int64_t result_rank(std::size_t position = 0) const {
        return static_cast<std::int64_t>(result_sizes(position).size());
    }
    [[nodiscard]] bool is_wanted(std::size_t position) const {
        const Value value = node_->output(position);
        return value && graph_->is_used(value);
    }
    void result(Ref value, std::size_t position = 0);
    /// The value that stands for one of the graph.
    [[nodiscard]] Ref ref(Value value) const;

    /// Another graph's nodes in this place: what its outputs are for these inputs.
    [[nodiscard]] std::vector<Ref> run(const Graph& graph, const std::vector<Ref>& inputs);

    /// What ONNX cannot express; the message says what, the place is this node's.
    [[noreturn]] void refuse(const std::string& what, std::string hint = {}) const {
        throw Error(
            ErrorKind::unsupported, what,
            {.hint = std::move(hint),
             .where = {
                 .stage = "translations", .op = std::string(node_->op()), .path = std::string(node_->module_path())}});
    }

protected:
    void enter(const Graph& graph) {
        graph_ = &graph;
        refs_.assign(graph.num_values(), Ref());
    }
    void translate_nodes() {
        for (const ferry::Node& each : graph_->nodes()) translate(each);
    }
    void bind(Value value, Ref ref) { refs_.at(value.index) = ref; }

private:
    [[nodiscard]] Ref to_tensor(const Argument& argument, std::string_view name);
    [[nodiscard]] std::int64_t as_integer(const Argument& argument, std::string_view name) const;
    [[nodiscard]] SymExpr as_symbolic(const Argument& argument, std::string_view name) const;
    [[noreturn]] void wrong_argument(std::string_view name, std::string_view wanted) const {
        refuse("the argument '" + std::string(name) + "' is not " + std::string(wanted));
    }

    void set_node(const ferry::Node& node);
    void translate(const ferry::Node& node);
    [[nodiscard]] bool is_complex_argument(const Argument& argument) const {
        const auto* value = argument.get_if<Value>();
        return value != nullptr && is_complex_value(*graph_, *value);
    }
    void run_entry();
    void translate_parts(Function entry);
    [[nodiscard]] Ref this_part(Value value);

    /// Of complex numbers, while an entry for real ones runs on either part of them.
    enum class Part : std::uint8_t { whole, real, imaginary };

    Find find_;
    const Graph* graph_ = nullptr;
    const ferry::Node* node_ = nullptr;
    std::vector<Ref> refs_;  // by the number of the graph's value
    std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;  // by the op's interned name
    const c10::FunctionSchema* schema_ = nullptr;
    std::size_t first_new_ = 0;  // values from here on were made for this node
    Part part_ = Part::whole;
    std::vector<Ref> parts_;  // results of the entry on one part
};

inline void Translation::set_node(const ferry::Node& node) {
    node_ = &node;
    set_path(node.module_path());
    first_new_ = model().num_values();
    const auto [found, is_new] = schemas_.try_emplace(node.op().data(), nullptr);
    if (is_new)
        if (const auto op = find_op(node.op())) found->second = &op->schema();
    schema_ = found->second;
}

inline void Translation::translate(const ferry::Node& node) {
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

inline void Translation::run_entry() {
    const bool is_complex = is_on_complex(*graph_, *node_);
    const Function own = is_complex ? find_(complex_name(node_->op())) : nullptr;
    if (own != nullptr) return own(*this);
    const Function entry = find_(node_->op());
    if (entry == nullptr) refuse("an op has no translation to ONNX");
    if (!is_complex) return entry(*this);
    if (!acts_on_parts(node_->op())) refuse("an op has no translation to ONNX for complex numbers");
    translate_parts(entry);
}

inline void Translation::translate_parts(Function entry) {
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

/// Real numbers beside complex ones have nothing imaginary; conditions and positions are what they are for either part.
inline Ref Translation::this_part(Value value) {
    const Ref whole = ref(value);
    if (is_complex_value(*graph_, value)) return part_ == Part::real ? real_part(whole) : imaginary_part(whole);
    return part_ == Part::imaginary && is_floating_point(dtype(whole)) ? filled(sizes(whole), 0, dtype(whole)) : whole;
}

inline std::vector<Ref> Translation::run(const Graph& graph, const std::vector<Ref>& inputs) {
    const Graph* outer_graph = graph_;
    const ferry::Node* outer_node = node_;
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
    graph_ = outer_graph;
    refs_ = std::move(outer_refs);
    set_node(*outer_node);
    return outputs;
}

inline Argument Translation::argument(std::string_view name) const {
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

inline Ref Translation::ref(Value value) const {
    const Ref found = refs_.at(value.index);
    if (!found)
        throw Error(ErrorKind::internal, "'" + graph_->info(value).name + "' is used before it is there",
                    {.where = {.stage = "translations", .op = std::string(node_ ? node_->op() : "")}});
    return found;
}

inline bool Translation::is_tensor(std::string_view name) const {
    const Argument given = argument(name);
    const auto* value = given.get_if<Value>();
    return value != nullptr && graph_->info(*value).kind == ValueKind::tensor;
}

inline Ref Translation::to_tensor(const Argument& argument, std::string_view name) {
    if (const auto* value = argument.get_if<Value>())
        return graph_->info(*value).kind != ValueKind::tensor ? scalar_of(ref(*value))
               : part_ == Part::whole                         ? ref(*value)
                                                              : this_part(*value);
    if (const auto* flag = argument.get_if<bool>()) return number(*flag, DType::boolean);
    if (const auto* number_ = argument.get_if<std::int64_t>()) return number(*number_, DType::int64);
    if (const auto* number_ = argument.get_if<double>()) return number(*number_, DType::float32);
    wrong_argument(name, "a tensor");
}

inline std::vector<Ref> Translation::tensors(std::string_view name) {
    const Argument given = argument(name);
    std::vector<Ref> all;
    if (const auto* list = given.get_if<ArgumentList>()) {
        all.reserve(list->size());
        for (const Argument& item : *list) all.push_back(item.is_none() ? Ref() : to_tensor(item, name));
    }
    return all;
}

inline Ref Translation::operand(std::string_view name, DType dtype) {
    const Argument given = argument(name);
    if (const auto* both = given.get_if<std::complex<double>>(); both != nullptr && part_ != Part::whole)
        return number(part_ == Part::real ? both->real() : both->imag(), dtype);
    if (part_ == Part::imaginary && !given.is<Value>()) return number(0, dtype);
    return given.is<Value>() ? cast(to_tensor(given, name), dtype) : factor(name, dtype);
}

inline Ref Translation::factor(std::string_view name, DType dtype) {
    const Argument given = argument(name);
    if (const auto* flag = given.get_if<bool>()) return number(*flag, dtype);
    if (const auto* integer = given.get_if<std::int64_t>()) return number(*integer, dtype);
    if (const auto* real = given.get_if<double>()) return number(*real, dtype);
    return cast(to_tensor(given, name), dtype);
}

inline std::int64_t Translation::as_integer(const Argument& argument, std::string_view name) const {
    if (const auto* number = argument.get_if<std::int64_t>()) return *number;
    if (const auto* flag = argument.get_if<bool>()) return *flag ? 1 : 0;
    if (const auto* value = argument.get_if<Value>())
        if (const SymExpr& symbol = graph_->info(*value).symbol; symbol.is_constant()) return symbol.value();
    wrong_argument(name, "a constant integer");
}

inline double Translation::real(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* number = given.get_if<double>()) return *number;
    return static_cast<double>(as_integer(given, name));
}

inline bool Translation::flag(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* flag = given.get_if<bool>()) return *flag;
    if (given.is_none()) return false;
    return as_integer(given, name) != 0;
}

inline std::string Translation::text(std::string_view name) const {
    const Argument given = argument(name);
    if (const auto* text = given.get_if<std::string>()) return *text;
    wrong_argument(name, "a text");
}

inline std::vector<std::int64_t> Translation::integers(std::string_view name) const {
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

inline std::optional<DType> Translation::dtype_argument(std::string_view name) const {
    const Argument given = argument(name);
    if (given.is_none()) return std::nullopt;
    if (const auto* dtype = given.get_if<DType>()) return *dtype;
    wrong_argument(name, "a dtype");
}

inline SymExpr Translation::as_symbolic(const Argument& argument, std::string_view name) const {
    if (const auto* value = argument.get_if<Value>())
        if (const ValueInfo& info = graph_->info(*value); info.kind == ValueKind::sym_int) return info.symbol;
    return as_integer(argument, name);
}

inline Sizes Translation::symbolics(std::string_view name) const {
    const Argument given = argument(name);
    Sizes all;
    if (const auto* list = given.get_if<ArgumentList>()) {
        all.reserve(list->size());
        for (const Argument& item : *list) all.push_back(as_symbolic(item, name));
    } else if (!given.is_none()) {
        all.push_back(as_symbolic(given, name));
    }
    return all;
}

inline std::vector<std::int64_t> Translation::dims(std::string_view name, std::int64_t rank) const {
    std::vector<std::int64_t> all = integers(name);
    for (std::int64_t& each : all) each = wrapped(each, rank);
    return all;
}

namespace detail {

/// torch's rule: a type of a higher category (tensors with dimensions, those without, numbers) gives way only to another class of numbers.
[[nodiscard]] inline std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
    if (!higher) return lower;
    if (!lower || is_complex(*higher) || (is_floating_point(*higher) && !is_complex(*lower))) return higher;
    if (*higher == DType::boolean || is_floating_point(*lower) || is_complex(*lower))
        return to_dtype(c10::promoteTypes(to_c10(*higher), to_c10(*lower)));
    return higher;
}

}  // namespace detail

inline DType Translation::promoted(std::initializer_list<std::string_view> names) const {
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

inline std::size_t Translation::num_results() const {
    std::size_t count = 0;
    for (const Output& output : node_->outputs()) count += output.values.size();
    return count;
}

inline const ValueInfo& Translation::result_info(std::size_t position) const {
    return graph_->info(node_->output(position));
}

inline void Translation::result(Ref value, std::size_t position) {
    const Value wanted = node_->output(position);
    if (!wanted) return;
    const ValueInfo& info = graph_->info(wanted);
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

}  // namespace ferry::onnx
