#pragma once

#include <ferry/onnx/ir/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::onnx {

/// The same node on the same inputs is computed once. Random ones are not the same; bodies are left alone.
struct common_subexpressions {
    static constexpr bool optimizes = true;

    static bool fix(Model& model) {
        std::vector<Ref> stands_for(model.num_values());
        for (std::uint32_t i = 0; i < stands_for.size(); ++i) stands_for[i] = Ref{i};
        std::vector<bool> is_output(model.num_values());
        for (const Body& body : model.bodies)
            for (const Ref output : body.outputs) is_output[output.index] = true;
        bool changed = false;
        for (Body& body : model.bodies) changed |= merge(body, stands_for, is_output);
        if (!changed) return false;
        for (Body& body : model.bodies)
            for (Node& node : body.nodes)
                for (Ref& input : node.inputs)
                    if (input) input = stands_for[input.index];
        return true;
    }

private:
    static constexpr std::array<std::string_view, 6> random{"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                                            "RandomUniformLike", "Bernoulli",        "Multinomial"};

    static bool merge(Body& body, std::vector<Ref>& stands_for, const std::vector<bool>& is_output) {
        std::unordered_map<std::string, std::size_t> seen;
        bool changed = false;
        for (std::size_t i = 0; i < body.nodes.size(); ++i) {
            Node& node = body.nodes[i];
            for (Ref& input : node.inputs)
                if (input) input = stands_for[input.index];
            if (!node.domain.empty() || std::ranges::find(random, node.op) != random.end()) continue;
            std::string key;
            if (!describe(node, key)) continue;
            const auto [found, is_new] = seen.emplace(std::move(key), i);
            if (is_new) continue;
            const Node& first = body.nodes[found->second];
            if (std::ranges::any_of(node.outputs, [&](Ref output) { return output && is_output[output.index]; }))
                continue;
            for (std::size_t k = 0; k < node.outputs.size(); ++k)
                if (node.outputs[k]) stands_for[node.outputs[k].index] = first.outputs[k];
            changed = true;
        }
        return changed;
    }

    /// False: not to be compared.
    static bool describe(const Node& node, std::string& key) {
        const auto put = [&](const auto& number) {
            char bytes[sizeof number];
            std::memcpy(bytes, &number, sizeof number);
            key.append(bytes, sizeof number);
        };
        key.append(node.op) += '\0';
        put(node.outputs.size());
        for (const Ref input : node.inputs) put(input.index);
        for (const Attribute& attribute : node.attributes) {
            key.append(attribute.name) += '\0';
            put(attribute.value.index());
            if (std::holds_alternative<BodyRef>(attribute.value)) return false;
            if (const auto* tensor = std::get_if<at::Tensor>(&attribute.value)) {
                if (tensor->nbytes() > 64 || !tensor->is_contiguous()) return false;
                put(tensor->scalar_type());
                put(tensor->numel());
                key.append(static_cast<const char*>(tensor->const_data_ptr()), tensor->nbytes());
            } else if (const auto* text = std::get_if<std::string>(&attribute.value)) {
                key.append(*text) += '\0';
            } else if (const auto* integer = std::get_if<std::int64_t>(&attribute.value)) {
                put(*integer);
            } else if (const auto* real = std::get_if<double>(&attribute.value)) {
                put(*real);
            } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&attribute.value)) {
                put(integers->size());
                for (const std::int64_t each : *integers) put(each);
            } else if (const auto* reals = std::get_if<std::vector<double>>(&attribute.value)) {
                put(reals->size());
                for (const double each : *reals) put(each);
            }
        }
        return true;
    }
};

}  // namespace ferry::onnx
