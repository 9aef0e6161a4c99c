#pragma once

#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir/uses.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace ferry::onnx {

/// Zeros around an image in front of a convolution are padding, which the convolution adds by itself.
struct pad_folding {
    static constexpr bool optimizes = true;

    static bool fix(Model& model) {
        const std::vector<std::uint32_t> uses = count_uses(model);
        const std::vector<Node*> producers = find_producers(model);
        bool changed = false;
        for (Body& body : model.bodies)
            for (Node& node : body.nodes)
                if (is_op(&node, "Conv") && uses[node.inputs[0].index] == 1)
                    changed |= fold(model, producers[node.inputs[0].index], node);
        return changed;
    }

private:
    static bool fold(const Model& model, const Node* pad, Node& convolution) {
        if (!is_op(pad, "Pad") || !is_of_zeros(model, *pad)) return false;
        const at::Tensor& around = model[pad->inputs[1]].constant;
        auto* pads = padding(convolution);
        if (pads == nullptr || !around.defined()) return false;
        const auto* widths = static_cast<const std::int64_t*>(around.const_data_ptr());
        const std::size_t spatial = pads->size() / 2, rank = spatial + 2;
        if (around.numel() != static_cast<std::int64_t>(2 * rank)) return false;
        if (std::any_of(widths, widths + around.numel(), [](std::int64_t width) { return width < 0; })) return false;
        for (const std::size_t side : {std::size_t{0}, rank})
            if (widths[side] != 0 || widths[side + 1] != 0) return false;
        for (std::size_t i = 0; i < spatial; ++i) {
            (*pads)[i] += widths[i + 2];
            (*pads)[spatial + i] += widths[rank + i + 2];
        }
        convolution.inputs[0] = pad->inputs[0];
        return true;
    }

    [[nodiscard]] static bool is_of_zeros(const Model& model, const Node& pad) {
        if (pad.find("mode") != nullptr || pad.inputs.size() > 3) return false;
        if (pad.inputs.size() < 3 || !pad.inputs[2]) return true;
        const at::Tensor& value = model[pad.inputs[2]].constant;
        return value.defined() && value.item<double>() == 0;
    }
    [[nodiscard]] static std::vector<std::int64_t>* padding(Node& convolution) {
        for (Attribute& attribute : convolution.attributes)
            if (attribute.name == "pads") return std::get_if<std::vector<std::int64_t>>(&attribute.value);
        return nullptr;
    }
};

}  // namespace ferry::onnx
