#pragma once

#include <ferry/graph/c10_types.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir/uses.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::onnx {

/// A batch norm behind a convolution scales and shifts its channels, which the convolution's own weights can do. Not in half precision, where
/// the product of two weights would be rounded once more.
struct batch_norm_folding {
    static constexpr bool optimizes = true;

    static bool fix(Model& model) { return Pass(model).run(); }

private:
    class Pass {
    public:
        explicit Pass(Model& model) : model_(model), uses_(count_uses(model)), producers_(find_producers(model)) {}

        bool run() {
            for (Body& body : model_.bodies)
                for (Node& node : body.nodes) fold(node);
            bool changed = false;
            for (Body& body : model_.bodies)
                changed |= std::erase_if(body.nodes, [](const Node& node) { return node.outputs.empty(); }) != 0;
            return changed;
        }

    private:
        [[nodiscard]] const at::Tensor& constant(Ref value) const { return model_[value].constant; }

        [[nodiscard]] bool are_constants(const Node& node) const {
            return std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                               [&](Ref input) { return !input || constant(input).defined(); });
        }

        /// A node that a convolution does the work of is left without outputs.
        void fold(Node& norm) {
            if (!is_op(&norm, "BatchNormalization") || norm.outputs.size() != 1) return;
            Node* convolution = producers_[norm.inputs[0].index];
            if (!is_op(convolution, "Conv") || uses_[norm.inputs[0].index] != 1) return;
            if (!are_constants(norm) || !are_constants(*convolution)) return;
            auto& inputs = convolution->inputs;
            const bool has_bias = inputs.size() > 2 && inputs[2];
            const at::Tensor weight = constant(inputs[1]);
            if (uses_[inputs[1].index] != 1) return;
            if (weight.scalar_type() != at::kFloat && weight.scalar_type() != at::kDouble) return;

            const auto exact = [&](Ref value) { return constant(value).to(at::kDouble); };
            const at::Tensor factor =
                exact(norm.inputs[1]) / (exact(norm.inputs[4]) + std::get<double>(*norm.find("epsilon"))).sqrt();
            const at::Tensor start = has_bias ? exact(inputs[2]) - exact(norm.inputs[3]) : -exact(norm.inputs[3]);
            std::vector<std::int64_t> along(static_cast<std::size_t>(weight.dim()), 1);
            along[0] = -1;
            const at::Tensor scaled = weight * factor.to(weight.scalar_type()).reshape(along);
            const at::Tensor shift = (start * factor + exact(norm.inputs[2])).to(weight.scalar_type());
            const std::string name = model_[inputs[1]].name;
            inputs.resize(3);
            inputs[2] = add(name + ".shift", shift);
            inputs[1] = add(name + ".scaled", scaled);
            convolution->outputs = std::exchange(norm.outputs, {});
        }

        [[nodiscard]] Ref add(std::string name, const at::Tensor& tensor) {
            return model_.add({.name = std::move(name),
                               .dtype = to_dtype(tensor.scalar_type()),
                               .sizes = std::vector<SymExpr>(tensor.sizes().begin(), tensor.sizes().end()),
                               .constant = tensor});
        }

        Model& model_;
        std::vector<std::uint32_t> uses_;
        std::vector<Node*> producers_;
    };
};

}  // namespace ferry::onnx
