#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/node_fixes/arithmetic.hpp>
#include <ferry/executorch/node_fixes/precision.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/rewriter.hpp>

#include <string>
#include <vector>

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

}  // namespace ferry::executorch::fixed
