#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/argument.hpp>
#include <ferry/graph/c10_types.hpp>

#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Between the dispatcher's boxed values and a graph's arguments, by the types of the op's schema. IValue goes no further
/// than here, the tracer and the interpreter.
namespace ferry {

namespace detail {

/// What a schema's type says beyond the IValue itself: the dispatcher boxes dtypes, layouts and formats as plain integers.
[[nodiscard]] inline c10::TypeKind element_kind(const c10::Type* type) {
    while (type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::ListType)
        type = type->containedType(0).get();
    return type->kind();
}

[[noreturn]] inline void no_such_argument(const std::string& what) {
    throw Error(ErrorKind::unsupported, "an argument of type " + what + " cannot stand in a graph",
                {.hint = "pass tensors, numbers, strings, dtypes, devices and lists of these to ops"});
}

}  // namespace detail

/// `value_of` gives the Value of a tensor.
template <class ValueOf>
[[nodiscard]] Argument to_argument(const c10::IValue& value, c10::TypeKind kind, ValueOf&& value_of) {
    if (value.isNone()) return {};
    if (value.isTensor()) {
        const at::Tensor& tensor = value.toTensor();
        return tensor.defined() ? Argument(value_of(tensor)) : Argument();
    }
    if (value.isInt() || value.isSymInt()) {
        const std::int64_t number = value.isInt() ? value.toInt() : value.toSymInt().guard_int(__FILE__, __LINE__);
        switch (kind) {
            case c10::TypeKind::ScalarTypeType: return static_cast<DType>(number);
            case c10::TypeKind::LayoutType: return static_cast<Layout>(number);
            case c10::TypeKind::MemoryFormatType: return static_cast<MemoryFormat>(number);
            default: return number;
        }
    }
    if (value.isDouble()) return value.toDouble();
    if (value.isBool()) return value.toBool();
    if (value.isString()) return value.toStringRef();
    if (value.isDevice()) return to_device(value.toDevice());
    if (value.isComplexDouble()) {
        const auto number = value.toComplexDouble();
        return std::complex<double>(number.real(), number.imag());
    }
    if (value.isTensorList()) {  // apart from other lists: their elements need no boxing
        ArgumentList list;
        for (const at::Tensor& tensor : value.toTensorVector())
            list.push_back(tensor.defined() ? Argument(value_of(tensor)) : Argument());
        return list;
    }
    if (value.isIntList()) {
        ArgumentList list;
        for (const std::int64_t item : value.toIntList()) list.emplace_back(item);
        return list;
    }
    if (value.isList()) {
        ArgumentList list;
        for (const c10::IValue& item : value.toListRef()) list.push_back(to_argument(item, kind, value_of));
        return list;
    }
    if (value.isGenerator()) return {};  // a graph draws from the default generator
    if (value.isObject())
        throw Error(
            ErrorKind::unsupported,
            "an op takes an object of the class " + value.type()->str() + ", as quantized and packed modules have them",
            {.hint = "export the module that was quantized, packed or optimized, as it was before that"});
    detail::no_such_argument(value.tagKind());
}

namespace detail {

/// A number where the schema has a tensor, as Python allows it: it takes no part in what the result's dtype is. Made below the
/// dispatcher, so that a capture meets the number and no op that makes it.
[[nodiscard]] inline c10::IValue as_tensor(c10::IValue value) {
    if (!value.isScalar() && !value.isSymInt()) return value;
    const c10::Scalar number =
        value.isSymInt() ? c10::Scalar(value.toSymInt().guard_int(__FILE__, __LINE__)) : value.toScalar();
    return at::native::wrapped_scalar_tensor(number);
}

}  // namespace detail

/// `lookup` gives the IValue of a Value: a tensor or a number.
template <class Lookup>
[[nodiscard]] c10::IValue to_ivalue(const Argument& argument, const c10::Type& type, Lookup&& lookup) {
    using c10::TypeKind;
    if (argument.is_none()) return type.kind() == TypeKind::TensorType ? c10::IValue(at::Tensor()) : c10::IValue();
    if (type.kind() == TypeKind::OptionalType) return to_ivalue(argument, *type.containedType(0), lookup);
    if (const auto* value = argument.get_if<Value>())
        return type.kind() == TypeKind::TensorType ? detail::as_tensor(lookup(*value)) : lookup(*value);
    if (type.kind() == TypeKind::TensorType && !argument.is<ArgumentList>())
        return detail::as_tensor(to_ivalue(argument, *c10::AnyType::get(), lookup));
    if (const auto* list = argument.get_if<ArgumentList>()) {
        if (type.kind() != TypeKind::ListType) detail::no_such_argument("list where the schema has " + type.str());
        const c10::Type& element = *type.containedType(0);
        switch (element.kind()) {
            case TypeKind::TensorType: {
                c10::List<at::Tensor> made;
                for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toTensor());
                return made;
            }
            case TypeKind::IntType:
            case TypeKind::SymIntType: {
                c10::List<std::int64_t> made;
                for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toInt());
                return made;
            }
            case TypeKind::FloatType: {
                c10::List<double> made;
                for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toDouble());
                return made;
            }
            case TypeKind::BoolType: {
                c10::List<bool> made;
                for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup).toBool());
                return made;
            }
            case TypeKind::OptionalType: {
                c10::List<std::optional<at::Tensor>> made;
                for (const Argument& item : *list)
                    made.push_back(item.is_none() ? std::optional<at::Tensor>()
                                                  : to_ivalue(item, element, lookup).toTensor());
                return made;
            }
            default: {
                c10::impl::GenericList made(type.containedType(0));
                for (const Argument& item : *list) made.push_back(to_ivalue(item, element, lookup));
                return made;
            }
        }
    }
    if (const auto* number = argument.get_if<std::int64_t>())
        return type.kind() == TypeKind::FloatType ? c10::IValue(static_cast<double>(*number)) : c10::IValue(*number);
    if (const auto* number = argument.get_if<double>()) return *number;
    if (const auto* flag = argument.get_if<bool>()) return *flag;
    if (const auto* text = argument.get_if<std::string>()) return *text;
    if (const auto* dtype = argument.get_if<DType>()) return static_cast<std::int64_t>(*dtype);
    if (const auto* layout = argument.get_if<Layout>()) return static_cast<std::int64_t>(*layout);
    if (const auto* format = argument.get_if<MemoryFormat>()) return static_cast<std::int64_t>(*format);
    if (const auto* device = argument.get_if<Device>()) return to_c10(*device);
    if (const auto* number = argument.get_if<std::complex<double>>())
        return c10::complex<double>(number->real(), number->imag());
    detail::no_such_argument("subgraph where the schema has " + type.str());
}

}  // namespace ferry
