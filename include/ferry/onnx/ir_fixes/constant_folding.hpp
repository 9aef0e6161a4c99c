#pragma once

#include <ferry/graph/c10_types.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir_fixes/evaluate.hpp>

#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::onnx {

/// What depends on constants alone is computed now, where the result is small. Larger results would only make the file larger: ONNX
/// Runtime computes them when it loads the model.
struct constant_folding {
    static constexpr bool optimizes = true;
    static constexpr std::int64_t most_bytes = std::int64_t{64} * 1024;

    static bool fix(Model& model) {
        std::vector<bool> is_output(model.num_values());
        for (const Body& body : model.bodies)
            for (const Ref output : body.outputs) is_output[output.index] = true;
        bool changed = false;
        for (Body& body : model.bodies)
            changed |= std::erase_if(body.nodes, [&](const Node& node) {
                           return node.outputs.size() == 1 && !is_output[node.outputs[0].index] && fold(model, node);
                       }) != 0;
        return changed;
    }

private:
    /// True: the output is a constant now, and needs no node.
    static bool fold(Model& model, const Node& node) {
        ValueData& output = model[node.outputs[0]];
        if (!is_small(output, node)) return false;
        std::optional<at::Tensor> made = known_shape(model, node);
        if (!made) {
            std::vector<at::Tensor> inputs;
            inputs.reserve(node.inputs.size());
            for (const Ref input : node.inputs) {
                if (input && (!model[input].constant.defined() || is_weight(model[input]))) return false;
                inputs.push_back(input ? model[input].constant : at::Tensor());
            }
            made = evaluated(node, inputs);
        }
        if (!made || to_dtype(made->scalar_type()) != output.dtype) return false;
        output.sizes.emplace(made->sizes().begin(), made->sizes().end());
        output.constant = *std::move(made);
        return true;
    }

    /// Weights stay under their names, where those who look for them find them.
    [[nodiscard]] static bool is_weight(const ValueData& value) {
        constexpr std::size_t small = 1024;
        return !value.name.empty() && value.constant.nbytes() > small;
    }

    /// What libtorch has no kernel for stays a node.
    static std::optional<at::Tensor> evaluated(const Node& node, const std::vector<at::Tensor>& inputs) {
        std::int64_t bytes = 0;
        for (const at::Tensor& input : inputs)
            if (input.defined()) bytes += static_cast<std::int64_t>(input.nbytes());
        if (bytes > most_bytes) return std::nullopt;
        try {
            return evaluate(node, inputs);
        } catch (const c10::Error&) {
            return std::nullopt;
        }
    }

    /// Sizes are seldom known of what shapes are computed with; these results are no larger than what they come from.
    [[nodiscard]] static bool is_small(const ValueData& value, const Node& node) {
        if (!value.sizes) return node.op != "Range" && node.op != "ConstantOfShape" && node.op != "Expand";
        std::int64_t bytes = 8;
        for (const SymExpr& size : *value.sizes) {
            if (!size.is_constant()) return false;
            if (size.value() > most_bytes) return false;
            bytes *= std::max<std::int64_t>(size.value(), 1);
            if (bytes > most_bytes) return false;
        }
        return true;
    }

    /// Of a value whose sizes are numbers.
    static std::optional<at::Tensor> known_shape(const Model& model, const Node& node) {
        if (node.op != "Shape" || !node.domain.empty() || !model[node.inputs.at(0)].sizes) return std::nullopt;
        const auto& sizes = *model[node.inputs[0]].sizes;
        const auto rank = static_cast<std::int64_t>(sizes.size());
        const auto bound = [&](const char* name, std::int64_t otherwise) {
            const auto* found = node.find(name);
            std::int64_t at = found != nullptr ? std::get<std::int64_t>(*found) : otherwise;
            at += at < 0 ? rank : 0;
            return std::clamp<std::int64_t>(at, 0, rank);
        };
        std::vector<std::int64_t> numbers;
        for (std::int64_t i = bound("start", 0); i < bound("end", rank); ++i) {
            const SymExpr& size = sizes[static_cast<std::size_t>(i)];
            if (!size.is_constant()) return std::nullopt;
            numbers.push_back(size.value());
        }
        at::Tensor made = at::empty({static_cast<std::int64_t>(numbers.size())}, at::TensorOptions(at::kLong));
        std::copy(numbers.begin(), numbers.end(), static_cast<std::int64_t*>(made.mutable_data_ptr()));
        return made;
    }
};

}  // namespace ferry::onnx
