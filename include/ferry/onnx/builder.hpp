#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/onnx/ir/dtypes.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/kernels.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/Scalar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::onnx {

using Sizes = std::vector<SymExpr>;

/// The end of a slice that takes all there is.
inline constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

/// Adds nodes to a model: with casts where ONNX Runtime lacks a kernel, constants made once, and sizes as symbolic expressions that
/// become nodes only where they are needed at run time.
class Builder {
public:
    Builder(Model& model, const SymRanges& ranges) : model_(model), ranges_(ranges) {}

    [[nodiscard]] Model& model() noexcept { return model_; }
    [[nodiscard]] std::int64_t opset() const { return model_.opset(); }
    void set_path(std::string_view path) { path_ = model_.intern(path); }

    // Nodes.
    /// The first output of a new node.
    Ref add(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes = {}) {
        return add_many(op, std::move(inputs), std::move(attributes), 1).front();
    }
    std::vector<Ref> add_many(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes,
                              std::size_t count);
    /// The same with the types of its outputs, for nodes whose inputs do not tell.
    std::vector<Ref> add_typed(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes,
                               const std::vector<DType>& results) {
        return append({.op = std::string(op), .inputs = std::move(inputs), .attributes = std::move(attributes)},
                      results);
    }
    /// A node of another domain, which is added to the model's imports; its outputs have these types.
    std::vector<Ref> add_custom(std::string_view domain, std::int64_t version, std::string_view op,
                                std::vector<Ref> inputs, std::vector<Attribute> attributes,
                                const std::vector<DType>& results);

    // What is known of a value.
    [[nodiscard]] DType dtype(Ref value) const { return model_[value].dtype; }
    [[nodiscard]] const Sizes& sizes(Ref value) const {
        if (!model_[value].sizes)
            throw Error(ErrorKind::internal, "the sizes of '" + model_[value].name + "' are not known");
        return *model_[value].sizes;
    }
    [[nodiscard]] std::int64_t rank(Ref value) const { return static_cast<std::int64_t>(sizes(value).size()); }
    Ref with_sizes(Ref value, Sizes known) {
        model_[value].sizes = std::move(known);
        return value;
    }
    Ref like(Ref value, Ref other) {  ///< as above: those of another value
        model_[value].sizes = model_[other].sizes;
        return value;
    }

    // Constants.
    Ref constant(const at::Tensor& tensor);
    Ref number(const c10::Scalar& value, DType dtype) { return constant(scalar(value, dtype)); }
    Ref number_like(const c10::Scalar& value, Ref other) { return number(value, dtype(other)); }
    Ref ints(const std::vector<std::int64_t>& values);
    /// A tensor of equal numbers; of constant sizes if it is small.
    Ref filled(const Sizes& sizes, const c10::Scalar& value, DType dtype);

    Ref cast(Ref value, DType to);

    // Sizes. A size at run time is an int64 tensor of one element.
    Ref size(const SymExpr& expression);
    Ref shape(const Sizes& sizes);
    /// A value that is this number when the model runs.
    void know_size(const SymExpr& expression, Ref value) { known_sizes_.insert_or_assign(expression, value); }
    /// A value whose sizes say what symbols are.
    void know_symbols(Ref value);
    [[nodiscard]] bool is_positive(const SymExpr& expression) const { return bounds(expression, ranges_).min > 0; }
    [[nodiscard]] bool is_size(const SymExpr& expression) const { return bounds(expression, ranges_).min >= 0; }

    // Views.
    Ref reshape(Ref value, const Sizes& to);
    Ref expand(Ref value, const Sizes& to);
    Ref permute(Ref value, const std::vector<std::int64_t>& order);
    Ref transpose(Ref value, std::int64_t a, std::int64_t b);
    Ref unsqueeze(Ref value, std::vector<std::int64_t> dims);
    Ref squeeze(Ref value, std::vector<std::int64_t> dims);
    /// One dimension from `start` to `end`; the ends as tensors of one element.
    Ref slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step = 1);
    Ref scalar_of(Ref one_element) { return with_sizes(add("Squeeze", {one_element}), {}); }

    // Complex numbers, as pairs of real ones along a last dimension.
    Ref pair(Ref real, Ref imaginary) {
        return add("Concat", {add("Unsqueeze", {real, ints({-1})}), add("Unsqueeze", {imaginary, ints({-1})})},
                   {{"axis", -1}});
    }
    Ref real_part(Ref pairs) { return part(pairs, 0); }
    Ref imaginary_part(Ref pairs) { return part(pairs, 1); }

    // Bodies.
    /// A graph inside of this one. What `fill` adds goes there; sizes that it computes are not known outside.
    template <class Fill>
    BodyRef make_body(std::string name, Fill&& fill) {
        const BodyRef made{static_cast<std::uint32_t>(model_.bodies.size())};
        model_.bodies.push_back({.name = std::move(name)});
        Knowledge before = knowledge();
        body_ = made;
        fill();
        set_knowledge(std::move(before));
        return made;
    }
    Ref add_body_input(ValueData data) {
        const Ref made = model_.add(std::move(data));
        model_.bodies[body_.index].inputs.push_back(made);
        know_symbols(made);
        return made;
    }
    /// Under a name of its own: it may be a value of the graphs around.
    void add_body_output(Ref value) {
        model_.bodies[body_.index].outputs.push_back(like(add("Identity", {value}), value));
    }

    // Arithmetic on whole numbers as Python has it.
    Ref floor_div(Ref a, Ref b) { return add("Div", {add("Sub", {a, add("Mod", {a, b})}), b}); }

private:
    /// The dimension of a value that is factor * symbol + offset.
    struct SymbolPlace {
        Ref value;
        std::int64_t dim = 0, factor = 1, offset = 0;
        [[nodiscard]] bool is_plain() const noexcept { return factor == 1 && offset == 0; }
    };
    struct Knowledge {
        std::map<SymExpr, Ref> sizes;
        std::map<std::string, SymbolPlace, std::less<>> symbols;
        BodyRef body;
    };
    [[nodiscard]] Knowledge knowledge() const { return {known_sizes_, symbols_, body_}; }
    void set_knowledge(Knowledge&& known) {
        known_sizes_ = std::move(known.sizes);
        symbols_ = std::move(known.symbols);
        body_ = known.body;
    }
    [[nodiscard]] static at::Tensor scalar(const c10::Scalar& value, DType dtype) {
        return at::scalar_tensor(value, at::TensorOptions(to_c10(dtype)));
    }
    Ref part(Ref pairs, std::int64_t which) {
        const Ref made = add("Gather", {pairs, number(which, DType::int64)}, {{"axis", -1}});
        if (!model_[pairs].sizes) return made;
        return with_sizes(made, Sizes(sizes(pairs).begin(), sizes(pairs).end() - 1));
    }
    [[nodiscard]] Ref compute_size(const SymExpr& expression);
    [[nodiscard]] Ref product_of(const SymTerm& term);
    std::vector<Ref> append(Node node, const std::vector<DType>& results);

    Model& model_;
    const SymRanges& ranges_;
    BodyRef body_{};
    std::string_view path_{};
    std::unordered_map<std::string, Ref> constants_;
    std::map<SymExpr, Ref> known_sizes_;
    std::map<std::string, SymbolPlace, std::less<>> symbols_;
};

namespace detail {

/// Of the output at this position, for ops that Ferry writes.
[[nodiscard]] inline DType output_dtype(const Model& model, const Node& node, std::size_t position) {
    static constexpr std::string_view conditions[] = {
        "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Xor", "Not", "IsNaN", "IsInf"};
    static constexpr std::string_view numbers[] = {"Shape", "Size", "ArgMax", "ArgMin", "NonZero"};
    const std::string_view op = node.op;
    if (std::ranges::find(conditions, op) != std::end(conditions)) return DType::boolean;
    if (std::ranges::find(numbers, op) != std::end(numbers)) return DType::int64;
    if ((op == "TopK" || op == "MaxPool" || op == "Unique") && position > 0) return DType::int64;
    if (op == "Where") return model[node.inputs.at(1)].dtype;
    if (op == "OneHot") return model[node.inputs.at(2)].dtype;
    if (const auto* value = node.find("value"); op == "ConstantOfShape" && value != nullptr)
        return to_dtype(std::get<at::Tensor>(*value).scalar_type());
    return model[node.inputs.at(0)].dtype;
}

}  // namespace detail

inline std::vector<Ref> Builder::append(Node node, const std::vector<DType>& results) {
    node.path = path_;
    std::vector<Ref> outputs;
    outputs.reserve(results.size());
    for (const DType result : results) outputs.push_back(model_.add({.name = {}, .dtype = result}));
    node.outputs = outputs;
    model_.bodies[body_.index].nodes.push_back(std::move(node));
    return outputs;
}

inline std::vector<Ref> Builder::add_many(std::string_view op, std::vector<Ref> inputs,
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

inline std::vector<Ref> Builder::add_custom(std::string_view domain, std::int64_t version, std::string_view op,
                                            std::vector<Ref> inputs, std::vector<Attribute> attributes,
                                            const std::vector<DType>& results) {
    const auto same = [&](const auto& each) { return each.first == domain; };
    if (std::ranges::none_of(model_.opsets, same)) model_.opsets.emplace_back(domain, version);
    return append({.op = std::string(op),
                   .domain = std::string(domain),
                   .inputs = std::move(inputs),
                   .attributes = std::move(attributes)},
                  results);
}

/// Small ones are compared by their bytes, so that a model has each of them once.
inline Ref Builder::constant(const at::Tensor& tensor) {
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

inline Ref Builder::ints(const std::vector<std::int64_t>& values) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions(at::kLong));
    if (!values.empty()) std::memcpy(tensor.mutable_data_ptr(), values.data(), values.size() * sizeof(std::int64_t));
    return constant(tensor);
}

inline Ref Builder::filled(const Sizes& sizes, const c10::Scalar& value, DType dtype) {
    const at::Tensor one = scalar(value, dtype).reshape({1});
    Ref made;
    if (dtype == DType::bfloat16) {
        made = cast(filled(sizes, value, DType::float32), dtype);
    } else {
        made = model_.add({.name = {}, .dtype = dtype});
        model_.bodies[body_.index].nodes.push_back({.op = "ConstantOfShape",
                                                    .inputs = {shape(sizes)},
                                                    .outputs = {made},
                                                    .attributes = {{"value", one}},
                                                    .path = path_});
    }
    return with_sizes(made, sizes);
}

inline Ref Builder::cast(Ref value, DType to) {
    const DType from = dtype(value);
    if (from == to) return value;
    if (const at::Tensor& known = model_[value].constant; known.defined() && known.numel() <= 256)
        return constant(known.to(to_c10(to)));
    Node node{.op = "Cast", .inputs = {value}, .attributes = {{"to", std::int64_t{element_type(to)}}}};
    return like(append(std::move(node), {to}).front(), value);
}

inline void Builder::know_symbols(Ref value) {
    const auto& known = model_[value].sizes;
    if (!known) return;
    for (std::size_t dim = 0; dim < known->size(); ++dim)
        if (const auto affine = as_affine((*known)[dim]); affine) {
            const SymbolPlace place{value, static_cast<std::int64_t>(dim), affine->factor, affine->offset};
            const auto [found, is_new] = symbols_.try_emplace(affine->symbol, place);
            if (!is_new && place.is_plain() && !found->second.is_plain()) found->second = place;
        }
}

inline Ref Builder::size(const SymExpr& expression) {
    if (expression.is_constant()) return ints({expression.value()});
    if (const auto found = known_sizes_.find(expression); found != known_sizes_.end()) return found->second;
    const Ref made = with_sizes(compute_size(expression), {1});
    known_sizes_.emplace(expression, made);
    return made;
}

inline Ref Builder::product_of(const SymTerm& term) {
    Ref product;
    const auto multiply = [&](Ref factor) { product = product ? add("Mul", {product, factor}) : factor; };
    for (const SymFactor& factor : term.factors)
        for (std::int32_t i = 0; i < factor.exponent; ++i) multiply(size(factor.base));
    if (term.coefficient != 1) multiply(ints({term.coefficient}));
    return product;
}

inline Ref Builder::compute_size(const SymExpr& expression) {
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
                {.where = {.path = std::string(path_)}});
}

inline Ref Builder::shape(const Sizes& sizes) {
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

/// In a constant shape, 0 stands for the input's size at that place and -1 for the one that is left. Both only hold for sizes that are not
/// zero, and so does Ferry's use of them.
inline Ref Builder::reshape(Ref value, const Sizes& to) {
    const auto& from = model_[value].sizes;
    if (from && *from == to) return value;
    const bool has_zero = std::ranges::any_of(to, [](const SymExpr& size) { return size.is_constant(0); });
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
    else if (std::ranges::all_of(to, [&](const SymExpr& size) { return is_positive(size); }))
        made = add("Reshape", {value, shape(to)});
    else
        made = add("Reshape", {value, shape(to)}, {{"allowzero", 1}});
    return with_sizes(made, to);
}

inline Ref Builder::expand(Ref value, const Sizes& to) {
    const auto& from = model_[value].sizes;
    if (from && *from == to) return value;
    // Where a size stays, 1 says so without a need to know it.
    Sizes wanted = to;
    if (from) {
        const std::size_t added = to.size() - from->size();
        for (std::size_t i = 0; i < from->size(); ++i)
            if ((*from)[i] == to[i + added]) wanted[i + added] = 1;
    }
    return with_sizes(add("Expand", {value, shape(wanted)}), to);
}

inline Ref Builder::permute(Ref value, const std::vector<std::int64_t>& order) {
    if (std::ranges::is_sorted(order)) return value;
    Sizes moved;
    for (const std::int64_t dim : order) moved.push_back(sizes(value)[static_cast<std::size_t>(dim)]);
    return with_sizes(add("Transpose", {value}, {{"perm", order}}), std::move(moved));
}

inline Ref Builder::transpose(Ref value, std::int64_t a, std::int64_t b) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank(value)));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
    return permute(value, order);
}

/// The dimensions as they are in the result.
inline Ref Builder::unsqueeze(Ref value, std::vector<std::int64_t> dims) {
    if (dims.empty()) return value;
    Sizes grown = sizes(value);
    std::ranges::sort(dims);
    for (const std::int64_t dim : dims) grown.insert(grown.begin() + dim, SymExpr(1));
    return with_sizes(add("Unsqueeze", {value, ints(dims)}), std::move(grown));
}

inline Ref Builder::squeeze(Ref value, std::vector<std::int64_t> dims) {
    if (dims.empty()) return value;
    Sizes left = sizes(value);
    std::ranges::sort(dims, std::greater<>());
    for (const std::int64_t dim : dims) left.erase(left.begin() + dim);
    std::ranges::reverse(dims);
    return with_sizes(add("Squeeze", {value, ints(dims)}), std::move(left));
}

inline Ref Builder::slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step) {
    std::vector<Ref> inputs{value, start, end, ints({dim})};
    if (step != 1) inputs.push_back(ints({step}));
    return add("Slice", std::move(inputs));
}

}  // namespace ferry::onnx
