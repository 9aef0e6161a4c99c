#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/onnx/ir/dtypes.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/version.hpp>

#include <onnx/onnx_pb.h>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// From Ferry's model to ONNX's own.
namespace ferry::onnx {

enum class Weights : std::uint8_t {
    inside,   ///< copied into the proto
    outside,  ///< in a file beside it; small ones stay inside, as shapes are inferred from them
    inputs,   ///< left out: for checks, which need no data
};

/// A tensor's place in the file of weights.
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

/// The format version in which an opset came.
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

    /// Numbers as they lie in memory; both the format and every machine that libtorch runs on are little-endian.
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

}  // namespace detail

/// The model as a proto. Its values must have names; `file` is that of the weights, beside the model's.
[[nodiscard]] inline Emitted emit(const Model& model, Weights weights, std::string file = {},
                                  bool weights_are_inputs_too = false) {
    return detail::Emitter(model, weights, std::move(file)).emit(weights_are_inputs_too);
}

}  // namespace ferry::onnx
