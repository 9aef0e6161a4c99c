#include "onnx_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/onnx/ir/dtypes.hpp>

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace cli {
namespace {

using ::ONNX_NAMESPACE::GraphProto;
using ::ONNX_NAMESPACE::ModelProto;
using ::ONNX_NAMESPACE::TensorProto;
using ::ONNX_NAMESPACE::ValueInfoProto;

ModelProto read(const std::filesystem::path& path) {
    const auto file = ferry::files::MappedFile::open(path);
    const auto bytes = file->bytes();
    ModelProto model;
    if (bytes.size() > std::numeric_limits<int>::max() ||
        !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph())
        throw ferry::Error(ferry::ErrorKind::bad_file, "this is no ONNX model, or not all of one",
                           {.where = {.path = path.string()}});
    return model;
}

/// Names of sizes are expressions where Ferry has written them, and anything elsewhere.
ferry::SymExpr size_of(const ::ONNX_NAMESPACE::TensorShapeProto::Dimension& dim) {
    if (dim.has_dim_value()) return dim.dim_value();
    try {
        return ferry::parse_sym_expr(dim.dim_param());
    } catch (const ferry::Error&) {
        return ferry::SymExpr::symbol(dim.dim_param().empty() ? "unknown" : dim.dim_param());
    }
}

ferry::ValueSummary describe(const ValueInfoProto& value, std::size_t position) {
    ferry::ValueSummary made{.path = value.name(), .name = value.name(), .type = "Tensor", .position = position};
    if (!value.type().has_tensor_type()) return made;
    const auto& tensor = value.type().tensor_type();
    made.dtype = ferry::onnx::dtype_of(tensor.elem_type());
    if (tensor.has_shape()) {
        made.shape.emplace();
        for (const auto& dim : tensor.shape().dim()) made.shape->push_back(size_of(dim));
    }
    return made;
}

void count_ops(const GraphProto& graph, std::map<std::string, std::size_t>& ops) {
    for (const auto& node : graph.node()) {
        ++ops[(node.domain().empty() ? "" : node.domain() + "::") + node.op_type()];
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) count_ops(attribute.g(), ops);
            for (const GraphProto& each : attribute.graphs()) count_ops(each, ops);
        }
    }
}

void count(const TensorProto& tensor, ferry::TensorCount& into) {
    std::uint64_t elements = 1;
    for (const std::int64_t size : tensor.dims()) elements *= static_cast<std::uint64_t>(size);
    const auto dtype = ferry::onnx::dtype_of(tensor.data_type());
    ++into.tensors;
    into.elements += elements;
    if (dtype) into.bytes += elements * c10::elementSize(ferry::to_c10(*dtype));
}

}  // namespace

ferry::ProgramSummary summarize_onnx(const std::filesystem::path& path) {
    const ModelProto model = read(path);
    ferry::ProgramSummary made;
    std::set<std::string_view> weights;
    for (const TensorProto& tensor : model.graph().initializer()) {
        weights.insert(tensor.name());
        count(tensor, made.weights.parameters);
    }
    made.weights.bytes = made.weights.parameters.bytes;
    for (const ValueInfoProto& input : model.graph().input())
        if (!weights.contains(input.name())) made.inputs.push_back(describe(input, made.inputs.size()));
    for (const ValueInfoProto& output : model.graph().output())
        made.outputs.push_back(describe(output, made.outputs.size()));
    count_ops(model.graph(), made.ops);
    return made;
}

}  // namespace cli
