#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/onnx/ir/dtypes.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/kernels.hpp>
#include <ferry/onnx/node_builder.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/Scalar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::onnx {
namespace detail {

/// Of the output at this position, for ops that Ferry writes.
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

}  // namespace detail

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

/// Small ones are compared by their bytes, so that a model has each of them once.
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

}  // namespace ferry::onnx
