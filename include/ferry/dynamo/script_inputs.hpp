#pragma once

#include <ferry/core/error.hpp>
#include <ferry/program/pick_inputs.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// The inputs of a TorchScript method from tensors with the keys "x", "pairs.0", "named.key": which of these there are says how
/// long lists and dicts are.
class ScriptInputs {
public:
    ScriptInputs(const c10::FunctionSchema& schema, const NamedTensors& given) : given_(given) {
        const auto& arguments = schema.arguments();
        for (std::size_t i = 1; i < arguments.size(); ++i) {  // the first is the module
            const c10::Argument& argument = arguments[i];
            Parameter made{argument.name(), {}, slots_.size(), argument.default_value().has_value()};
            made.spec = expand(argument.type(), argument.name(), !made.has_default);
            parameters_.push_back(std::move(made));
        }
    }

    [[nodiscard]] Inputs inputs() const {
        const std::vector<at::Tensor> picked = pick_inputs(slots_, given_);
        std::vector<Inputs::Item> items;
        for (const Parameter& parameter : parameters_) {
            std::vector<Leaf> leaves;
            bool is_given = false;
            for (std::size_t i = 0; i < parameter.spec.num_leaves(); ++i) {
                const InputSlot& slot = slots_[parameter.first + i];
                const at::Tensor& tensor = picked[parameter.first + i];
                is_given = is_given || tensor.defined();
                if (!tensor.defined())
                    leaves.emplace_back();
                else if (slot.kind == InputSlot::Kind::tensor)
                    leaves.emplace_back(tensor);
                else
                    leaves.push_back(number_in(tensor, slot.path));
            }
            if (is_given || !parameter.has_default)
                items.emplace_back(parameter.name, Tree(parameter.spec, std::move(leaves)));
        }
        return Inputs(std::move(items));
    }
    [[nodiscard]] const std::vector<InputSlot>& slots() const noexcept { return slots_; }

private:
    struct Parameter {
        std::string name;
        TreeSpec spec;
        std::size_t first;  ///< of its slots
        bool has_default;
    };

    [[nodiscard]] TreeSpec leaf(std::string path, const c10::TypePtr& type, bool required) {
        using Kind = InputSlot::Kind;
        InputSlot slot{.path = std::move(path), .required = required};
        switch (type->kind()) {
            case c10::TypeKind::TensorType: break;
            case c10::TypeKind::IntType:
            case c10::TypeKind::FloatType:
            case c10::TypeKind::BoolType:
            case c10::TypeKind::NumberType: slot.kind = Kind::number; break;
            default: slot.kind = Kind::fixed;
        }
        slot.type = type->annotation_str();
        if (type->kind() == c10::TypeKind::ListType || type->kind() == c10::TypeKind::TupleType)
            slot.note = "as " + slot.path + ".0, ...";
        if (type->kind() == c10::TypeKind::DictType) slot.note = "as " + slot.path + ".<key>, ...";
        if (!required) slot.note += slot.note.empty() ? "optional" : "; optional";
        slots_.push_back(std::move(slot));
        return {};
    }

    /// The words that follow `path` in the keys, each once, in the order of the keys.
    [[nodiscard]] std::vector<std::string> below(const std::string& path, bool whole) const {
        std::vector<std::string> words;
        std::set<std::string> seen;
        for (const auto& [key, tensor] : given_) {
            if (!key.starts_with(path) || key.size() <= path.size() + 1 || key[path.size()] != '.') continue;
            std::string word = key.substr(path.size() + 1);
            if (!whole) word.resize(std::min(word.find('.'), word.size()));
            if (seen.insert(word).second) words.push_back(std::move(word));
        }
        return words;
    }

    [[nodiscard]] TreeSpec expand(const c10::TypePtr& type, const std::string& path, bool required) {
        if (const auto optional = type->cast<c10::OptionalType>())
            return expand(optional->getElementType(), path, false);
        if (const auto tuple = type->cast<c10::TupleType>()) {
            if (!required && below(path, false).empty()) return leaf(path, type, false);
            std::vector<TreeSpec> children;
            for (std::size_t i = 0; i < tuple->elements().size(); ++i)
                children.push_back(expand(tuple->elements()[i], path + '.' + std::to_string(i), true));
            return TreeSpec::tuple(std::move(children));
        }
        const auto list = type->cast<c10::ListType>();
        const auto dict = type->cast<c10::DictType>();
        if (list || (dict && dict->getKeyType()->kind() == c10::TypeKind::StringType)) {
            const c10::TypePtr element = list ? list->getElementType() : dict->getValueType();
            // The keys of a dict may have dots themselves.
            const auto words = below(path, dict && element->kind() == c10::TypeKind::TensorType);
            if (words.empty()) return leaf(path, type, required);
            std::vector<TreeSpec> children;
            children.reserve(words.size());
            std::vector<tree::Context> keys(words.begin(), words.end());
            for (std::size_t i = 0; i < words.size(); ++i)
                children.push_back(expand(element, path + '.' + (list ? std::to_string(i) : words[i]), true));
            return list ? TreeSpec::list(std::move(children)) : TreeSpec::dict(std::move(keys), std::move(children));
        }
        return leaf(path, type, required);
    }

    const NamedTensors& given_;
    std::vector<InputSlot> slots_;
    std::vector<Parameter> parameters_;
};

}  // namespace detail

/// What a TorchScript method takes; a list or dict is one slot, since how many tensors are in it is not known.
[[nodiscard]] inline std::vector<InputSlot> script_slots(const c10::FunctionSchema& schema) {
    return detail::ScriptInputs(schema, {}).slots();
}

/// What to call or export a TorchScript method with, from tensors by name ("x", or "pairs.0" inside of lists, tuples and dicts) or
/// by position among its tensors. A number is a tensor of one element; what has a default may be left out.
[[nodiscard]] inline Inputs script_inputs(const c10::FunctionSchema& schema, const NamedTensors& given) {
    return detail::ScriptInputs(schema, given).inputs();
}

}  // namespace ferry
