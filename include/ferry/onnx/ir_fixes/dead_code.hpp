#pragma once

#include <ferry/onnx/ir/model.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// Nodes that nothing depends on. Translations make sizes and numbers that turn out not to be needed.
struct dead_code {
    static constexpr bool optimizes = true;

    static bool fix(Model& model) {
        std::vector<bool> needed(model.num_values());
        return sweep(model, model.main(), needed);
    }

private:
    /// Bodies before the nodes in front of them: they use values of the graphs around.
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

}  // namespace ferry::onnx
