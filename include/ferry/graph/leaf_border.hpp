#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/argument.hpp>
#include <ferry/tree/leaf.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>

/// Between the leaves of a user's trees, a graph's constants, and what ops are called with. Tensors are no constants: in a graph they
/// are values.
namespace ferry {

[[nodiscard]] inline c10::IValue to_ivalue(const Leaf& leaf) {
    switch (leaf.kind()) {
        case Leaf::Kind::none: return {};
        case Leaf::Kind::boolean: return *leaf.get_if<bool>();
        case Leaf::Kind::integer: return *leaf.get_if<std::int64_t>();
        case Leaf::Kind::real: return *leaf.get_if<double>();
        case Leaf::Kind::text: return *leaf.get_if<std::string>();
        case Leaf::Kind::tensor: return leaf.tensor();
    }
    return {};
}

[[nodiscard]] inline bool is_leaf(const c10::IValue& value) {
    return value.isNone() || value.isTensor() || value.isBool() || value.isInt() || value.isDouble() ||
           value.isString();
}

[[nodiscard]] inline Leaf to_leaf(const c10::IValue& value) {
    if (value.isNone()) return {};
    if (value.isTensor()) return value.toTensor();
    if (value.isBool()) return value.toBool();
    if (value.isInt()) return value.toInt();
    if (value.isDouble()) return value.toDouble();
    if (value.isString()) return value.toStringRef();
    throw Error(ErrorKind::unsupported, "a value of type " + value.tagKind() + " is no leaf of a tree",
                {.hint = "return tensors, numbers, strings, and nested values of these"});
}

[[nodiscard]] inline Argument to_argument(const Leaf& leaf) {
    switch (leaf.kind()) {
        case Leaf::Kind::none: return {};
        case Leaf::Kind::boolean: return *leaf.get_if<bool>();
        case Leaf::Kind::integer: return *leaf.get_if<std::int64_t>();
        case Leaf::Kind::real: return *leaf.get_if<double>();
        case Leaf::Kind::text: return *leaf.get_if<std::string>();
        case Leaf::Kind::tensor:
            if (!leaf.tensor().defined()) return {};
            throw Error(ErrorKind::internal, "a tensor is taken for a constant of a graph");
    }
    return {};
}

[[nodiscard]] inline Leaf to_leaf(const Argument& constant) {
    if (constant.is_none()) return {};
    if (const auto* flag = constant.get_if<bool>()) return *flag;
    if (const auto* integer = constant.get_if<std::int64_t>()) return *integer;
    if (const auto* real = constant.get_if<double>()) return *real;
    if (const auto* text = constant.get_if<std::string>()) return *text;
    throw Error(ErrorKind::internal, "an argument that is no constant is taken for a leaf of a tree");
}

}  // namespace ferry
