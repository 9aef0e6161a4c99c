#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir/replace.hpp>
#include <ferry/onnx/ir/uses.hpp>
#include <ferry/onnx/kernels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::onnx {

/// Casts of casts, transposes of transposes, reshapes of reshapes: one node in place of two; and none for what changes nothing.
struct chains {
    static constexpr bool optimizes = true;

    static bool fix(Model& model) { return Pass(model).run(); }

private:
    class Pass {
    public:
        explicit Pass(Model& model) : model_(model), values_(model), producers_(find_producers(model)) {}

        bool run() {
            bool changed = false;
            for (Body& body : model_.bodies)
                for (Node& node : body.nodes) {
                    values_.apply(node);
                    if (node.domain.empty() && !node.inputs.empty() && node.outputs.size() == 1 && node.inputs[0])
                        changed |= simplify(node);
                }
            return values_.apply(model_) || changed;
        }

    private:
        [[nodiscard]] static bool only_reshapes(const Node& node) {
            constexpr std::array<std::string_view, 4> ops{"Reshape", "Squeeze", "Unsqueeze", "Flatten"};
            return algo::contains(ops, node.op) && !node.is_check;
        }
        [[nodiscard]] const Node* producer(Ref value) const { return producers_[value.index]; }
        [[nodiscard]] bool same_sizes(Ref a, Ref b) const {
            return model_[a].sizes && model_[b].sizes && *model_[a].sizes == *model_[b].sizes;
        }
        bool is_nothing(const Node& node, Ref same) { return values_.replace(node.outputs[0], same); }

        bool simplify(Node& node) {
            if (node.op == "Identity") return is_nothing(node, node.inputs[0]);
            if (node.op == "Cast") return cast(node);
            if (node.op == "Transpose") return transpose(node);
            if (node.op == "Expand" && same_sizes(node.inputs[0], node.outputs[0]))
                return is_nothing(node, node.inputs[0]);
            return only_reshapes(node) && reshape(node);
        }

        /// A cast that loses nothing may be left out in front of another.
        bool cast(Node& node) {
            bool changed = false;
            const Node* before = producer(node.inputs[0]);
            if (before != nullptr && before->op == "Cast" &&
                is_exact(model_[before->inputs[0]].dtype, model_[node.inputs[0]].dtype)) {
                node.inputs[0] = before->inputs[0];
                changed = true;
            }
            if (model_[node.inputs[0]].dtype == model_[node.outputs[0]].dtype)
                changed |= is_nothing(node, node.inputs[0]);
            return changed;
        }

        [[nodiscard]] static std::vector<std::int64_t>* order(Node& node) {
            for (Attribute& attribute : node.attributes)
                if (attribute.name == "perm") return std::get_if<std::vector<std::int64_t>>(&attribute.value);
            return nullptr;
        }
        bool transpose(Node& node) {
            auto* perm = order(node);
            if (perm == nullptr) return false;
            bool changed = false;
            Node* before = producers_[node.inputs[0].index];
            const auto* first = before != nullptr && before->op == "Transpose" ? order(*before) : nullptr;
            if (first != nullptr && first->size() == perm->size()) {
                for (std::int64_t& dim : *perm) dim = first->at(static_cast<std::size_t>(dim));
                node.inputs[0] = before->inputs[0];
                changed = true;
            }
            if (algo::is_sorted(*perm)) changed |= is_nothing(node, node.inputs[0]);
            return changed;
        }

        /// The elements are the same in the same order, from where they came on.
        bool reshape(Node& node) {
            Ref root = node.inputs[0];
            while (const Node* before = producer(root)) {
                if (!before->domain.empty() || !only_reshapes(*before)) break;
                root = values_[before->inputs[0]];
                if (same_sizes(root, node.outputs[0])) return is_nothing(node, root);
            }
            if (same_sizes(node.inputs[0], node.outputs[0])) return is_nothing(node, node.inputs[0]);
            if (node.op != "Reshape" || root == node.inputs[0] || !says_all(node)) return false;
            node.inputs[0] = root;
            return true;
        }
        /// A zero in a shape means the size of the input at that place.
        [[nodiscard]] bool says_all(const Node& node) const {
            const auto* keeps = node.find("allowzero");
            if (keeps != nullptr && std::get<std::int64_t>(*keeps) != 0) return true;
            const at::Tensor& shape = model_[node.inputs.at(1)].constant;
            if (!shape.defined()) return true;
            const auto* sizes = static_cast<const std::int64_t*>(shape.const_data_ptr());
            return std::find(sizes, sizes + shape.numel(), 0) == sizes + shape.numel();
        }

        Model& model_;
        Replacements values_;
        std::vector<Node*> producers_;
    };
};

}  // namespace ferry::onnx
