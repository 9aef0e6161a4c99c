#pragma once

#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/onnx/ir/model.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::onnx {

using Sizes = std::vector<SymExpr>;

/// Adds nodes to a model, with casts where ONNX Runtime lacks a kernel and constants made once.
class NodeBuilder {
public:
    explicit NodeBuilder(Model& model) : model_(model) {}

    [[nodiscard]] Model& model() noexcept { return model_; }
    [[nodiscard]] std::int64_t opset() const { return model_.opset(); }
    void set_path(std::string_view path) { path_ = model_.intern(path); }

    // Nodes.
    /// The first output of a new node.
    Ref add(std::string_view op, std::initializer_list<Ref> inputs, std::initializer_list<Attribute> attributes = {});
    Ref add(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes = {});
    std::vector<Ref> add_many(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes,
                              std::size_t count);
    /// The same with the types of its outputs, for nodes whose inputs do not tell.
    std::vector<Ref> add_typed(std::string_view op, std::vector<Ref> inputs, std::vector<Attribute> attributes,
                               const std::vector<DType>& results);
    /// A node of another domain, which is added to the model's imports; its outputs have these types.
    std::vector<Ref> add_custom(std::string_view domain, std::int64_t version, std::string_view op,
                                std::vector<Ref> inputs, std::vector<Attribute> attributes,
                                const std::vector<DType>& results);

    // What is known of a value.
    [[nodiscard]] DType dtype(Ref value) const { return model_[value].dtype; }
    [[nodiscard]] const Sizes& sizes(Ref value) const;
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
    Ref number(const c10::Scalar& value, DType dtype);
    Ref number_like(const c10::Scalar& value, Ref other);
    Ref ints(const std::vector<std::int64_t>& values);

    Ref cast(Ref value, DType to);

protected:
    [[nodiscard]] static at::Tensor scalar(const c10::Scalar& value, DType dtype);
    std::vector<Ref> append(Node node, const std::vector<DType>& results);
    [[nodiscard]] Body& body() { return model_.bodies[body_.index]; }
    [[nodiscard]] std::string_view path() const noexcept { return path_; }
    /// Nodes go to this body from now on; gives the one that they went to.
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

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/node_builder-inl.hpp>
#endif
