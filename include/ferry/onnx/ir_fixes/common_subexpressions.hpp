#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir/replace.hpp>

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
        Replacements values(model);
        for (Body& body : model.bodies) merge(body, values);
        return values.apply(model);
    }

private:
    static constexpr std::array<std::string_view, 7> random{
        "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
        "Bernoulli",    "Multinomial",      "Dropout"};

    static void merge(Body& body, Replacements& values) {
        std::unordered_map<std::string, std::size_t> seen;
        for (std::size_t i = 0; i < body.nodes.size(); ++i) {
            Node& node = body.nodes[i];
            values.apply(node);
            if (!node.domain.empty() || algo::contains(random, node.op)) continue;
            std::string key;
            if (!describe(node, key)) continue;
            const auto [found, is_new] = seen.emplace(std::move(key), i);
            if (is_new) continue;
            const Node& first = body.nodes[found->second];
            for (std::size_t k = 0; k < node.outputs.size(); ++k)
                if (node.outputs[k] && first.outputs[k]) values.replace(node.outputs[k], first.outputs[k]);
        }
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
            } else if (const auto* texts = std::get_if<std::vector<std::string>>(&attribute.value)) {
                put(texts->size());
                for (const std::string& each : *texts) key.append(each) += '\0';
            }
        }
        return true;
    }
};

}  // namespace ferry::onnx
