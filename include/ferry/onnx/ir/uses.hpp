#pragma once

#include <ferry/onnx/ir/model.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ferry::onnx {

/// How often each value is used, as an input of a node or an output of a graph.
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

/// The nodes that make each value. Good as long as no node is added or removed.
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

}  // namespace ferry::onnx
