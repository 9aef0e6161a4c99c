#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir/uses.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <span>
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
        auto* pads = padding(convolution);
        if (pads == nullptr) return false;
        const std::size_t spatial = pads->size() / 2, rank = spatial + 2;
        const std::vector<std::int64_t> widths = all_widths(model, *pad, rank);
        if (widths.empty() || algo::any_of(widths, [](std::int64_t width) { return width < 0; })) return false;
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
        if (pad.find("mode") != nullptr) return false;
        if (pad.inputs.size() < 3 || !pad.inputs[2]) return true;
        const at::Tensor& value = model[pad.inputs[2]].constant;
        return value.defined() && value.item<double>() == 0;
    }
    /// In front of each dimension and then behind each; none where they are computed.
    [[nodiscard]] static std::vector<std::int64_t> all_widths(const Model& model, const Node& pad, std::size_t rank) {
        const auto numbers = [&](std::size_t input) -> std::span<const std::int64_t> {
            const at::Tensor& constant = model[pad.inputs[input]].constant;
            if (!constant.defined()) return {};
            return {static_cast<const std::int64_t*>(constant.const_data_ptr()),
                    static_cast<std::size_t>(constant.numel())};
        };
        const std::span<const std::int64_t> given = numbers(1);
        const bool is_named = pad.inputs.size() > 3 && pad.inputs[3];
        const std::span<const std::int64_t> dims = is_named ? numbers(3) : std::span<const std::int64_t>();
        const std::size_t count = is_named ? dims.size() : rank;
        if (given.empty() || given.size() != 2 * count) return {};
        std::vector<std::int64_t> widths(2 * rank, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const auto dim = is_named ? static_cast<std::size_t>(dims[i]) : i;
            if (dim >= rank) return {};
            widths[dim] = given[i];
            widths[rank + dim] = given[count + i];
        }
        return widths;
    }
    [[nodiscard]] static std::vector<std::int64_t>* padding(Node& convolution) {
        for (Attribute& attribute : convolution.attributes)
            if (attribute.name == "pads") return std::get_if<std::vector<std::int64_t>>(&attribute.value);
        return nullptr;
    }
};

}  // namespace ferry::onnx
