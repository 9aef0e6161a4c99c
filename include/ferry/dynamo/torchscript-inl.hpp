#pragma once

#include <ferry/capture/module_names.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/dynamo/bind.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/torchscript.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::detail {

[[noreturn]] inline void no_such_script_value(const std::string& what, const std::string& path) {
    throw Error(ErrorKind::unsupported, what,
                {.hint = "pass and return tensors, numbers, strings, and lists, tuples and dicts of these",
                 .where = {.stage = "signature", .path = path}});
}

[[nodiscard]] inline c10::IValue to_script(const Tree& tree, const c10::TypePtr& type, const std::string& path) {
    if (tree.is_leaf()) return to_ivalue(tree.leaves[0]);
    if (const auto optional = type->cast<c10::OptionalType>()) return to_script(tree, optional->getElementType(), path);
    const std::vector<Tree> children = tree.children();
    const auto name = [&](std::size_t i) { return path + "." + tree.spec.child_name(i); };
    if (const auto list = type->cast<c10::ListType>(); list && tree.spec.is_sequence()) {
        c10::impl::GenericList made(list->getElementType());
        for (std::size_t i = 0; i < children.size(); ++i)
            made.push_back(to_script(children[i], list->getElementType(), name(i)));
        return made;
    }
    if (const auto tuple = type->cast<c10::TupleType>();
        tuple && tree.spec.is_sequence() && tuple->elements().size() == children.size()) {
        std::vector<c10::IValue> made;
        made.reserve(children.size());
        for (std::size_t i = 0; i < children.size(); ++i)
            made.push_back(to_script(children[i], tuple->elements()[i], name(i)));
        return c10::ivalue::Tuple::create(std::move(made));
    }
    if (const auto dict = type->cast<c10::DictType>();
        dict && tree.spec.is_mapping() && dict->getKeyType()->kind() == c10::TypeKind::StringType) {
        c10::impl::GenericDict made(dict->getKeyType(), dict->getValueType());
        for (std::size_t i = 0; i < children.size(); ++i)
            made.insert(tree.spec.child_name(i), to_script(children[i], dict->getValueType(), name(i)));
        return made;
    }
    no_such_script_value("an input does not fit forward's parameter, which is of type " + type->repr_str(), path);
}

[[nodiscard]] inline Tree from_script(const c10::IValue& value) {
    if (is_leaf(value)) return to_leaf(value);
    std::vector<Tree> children;
    if (value.isTuple()) {
        for (const c10::IValue& each : value.toTupleRef().elements()) children.push_back(from_script(each));
        return Tree::tuple(std::move(children));
    }
    if (value.isList()) {
        for (const c10::IValue& each : value.toListRef()) children.push_back(from_script(each));
        return Tree::list(std::move(children));
    }
    if (value.isGenericDict()) {
        std::vector<tree::Context> keys;
        for (const auto& item : value.toGenericDict()) {
            if (item.key().isString())
                keys.emplace_back(item.key().toStringRef());
            else if (item.key().isInt())
                keys.emplace_back(item.key().toInt());
            else
                no_such_script_value("forward returns a dict whose keys are neither strings nor integers", "output");
            children.push_back(from_script(item.value()));
        }
        return Tree::dict(std::move(keys), std::move(children));
    }
    no_such_script_value("forward returns a value of type " + value.tagKind(), "output");
}

FERRY_INLINE ScriptGuard::ScriptGuard(const torch::jit::Module& model) {
    for (const torch::jit::Module& module : model.modules()) {
        const auto object = module._ivalue();
        for (std::size_t i = 0; i < object->slots().size(); ++i) {
            Saved saved{object, i, object->getSlot(i), {}};
            if (saved.value.isList()) saved.inside = saved.value.toList().copy();
            if (saved.value.isGenericDict()) saved.inside = saved.value.toGenericDict().copy();
            saved_.push_back(std::move(saved));
        }
    }
}

FERRY_INLINE void ScriptGuard::keep_changes() {
    for (const Saved& each : saved_) {
        const c10::IValue& now = each.object->getSlot(each.slot);
        if (!each.value.isTensor() || !now.isTensor() || now.is(each.value)) continue;
        const at::Tensor place = each.value.toTensor(), exchanged = now.toTensor();
        if (place.defined() && exchanged.defined() && place.sizes() == exchanged.sizes() &&
            place.dtype() == exchanged.dtype())
            place.copy_(exchanged);
    }
}

FERRY_INLINE void ScriptGuard::put_back() {
    for (const Saved& each : saved_) {
        if (each.inside.isList()) {
            auto list = each.value.toList();
            list.clear();
            for (const c10::IValue& item : each.inside.toListRef()) list.push_back(item);
        } else if (each.inside.isGenericDict()) {
            auto dict = each.value.toGenericDict();
            dict.clear();
            for (const auto& item : each.inside.toGenericDict()) dict.insert(item.key(), item.value());
        }
        if (!each.object->getSlot(each.slot).is(each.value)) each.object->setSlot(each.slot, each.value);
    }
}

/// "blocks.0.up" from the interpreter's call stack, whose levels are like "TOP(Net)::forward", "0(Block)::forward", "up(Linear)::forward": it
/// leaves out containers. Where several modules may be meant, the path ends at what they have in common.
class ScriptPaths {
public:
    explicit ScriptPaths(const torch::jit::Module& model) {
        for (const auto& item : model.named_modules()) {
            const std::string type = item.value.type()->name() ? item.value.type()->name()->name() : "";
            modules_.push_back({item.name, item.name.substr(item.name.rfind('.') + 1), type});
        }
    }

    [[nodiscard]] std::string operator()() const {
        std::string path;
        for (const std::string& level : torch::jit::currentModuleHierarchy()) {
            const auto open = level.find('('), close = level.rfind(")::");
            if (open == std::string::npos || close == std::string::npos || close < open) continue;
            const std::string_view name(level.data(), open), type(level.data() + open + 1, close - open - 1);
            if (name.empty() || name == "TOP" || name == "SELF") continue;
            std::optional<std::string_view> found;
            bool several = false;
            for (const Known& module : modules_)
                if (module.name == name && module.type == type && module.path.size() > path.size() &&
                    capture::is_within(module.path, path)) {
                    several = found.has_value();
                    found = found ? capture::common_module(*found, module.path) : module.path;
                }
            if (!found) break;
            path = *found;
            if (several) break;
        }
        return path;
    }

private:
    struct Known {
        std::string path, name, type;
    };
    std::vector<Known> modules_;
};

FERRY_INLINE std::function<std::string()> script_paths(const torch::jit::Module& model) { return ScriptPaths(model); }

FERRY_INLINE Tree call_script(torch::jit::Module& model, const Inputs& inputs) {
    const auto method = model.find_method("forward");
    if (!method)
        throw Error(ErrorKind::invalid_input, "the TorchScript module has no method forward",
                    {.where = {.stage = "signature"}});
    const c10::FunctionSchema& schema = method->function().getSchema();
    torch::jit::Kwargs by_name;
    for (const auto& [name, tree] : inputs) {
        const auto position = schema.argumentIndexWithName(name);
        if (!position || *position == 0) {
            std::string known;
            for (std::size_t i = 1; i < schema.arguments().size(); ++i)
                known.append(i == 1 ? "" : ", ").append(schema.arguments()[i].name());
            throw Error(ErrorKind::invalid_input, "forward has no parameter of that name",
                        {.hint = "its parameters are: " + known, .where = {.stage = "signature", .path = name}});
        }
        by_name.emplace(name, to_script(tree, schema.arguments()[static_cast<std::size_t>(*position)].type(), name));
    }
    return from_script((*method)({}, by_name));
}

FERRY_INLINE ModelState state_of_script(const torch::jit::Module& model) {
    ModelState state;
    for (const auto& item : model.named_parameters(true)) state.parameters.emplace_back(item.name, item.value);
    for (const auto& item : model.named_buffers(true)) state.buffers.emplace_back(item.name, item.value);
    return state;
}

}  // namespace ferry::detail
