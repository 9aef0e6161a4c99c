#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/executorch/emit/emitter.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/largest_size.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/number_ops.hpp>
#include <ferry/executorch/views.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A kernel call for each node, and what it takes for that.
namespace ferry::executorch::detail {

inline Id Emitter::id_of(Value value) {
    const Id known = scope_.ids.at(value.index);
    if (known != no_value) return known;
    if (&graph() == &program_.graph)
        if (const auto found = state_.find(value.index); found != state_.end()) return add_state(*found->second, value);
    const ValueInfo& info = info_of(value);
    if (info.kind != ValueKind::sym_int) refuse("'" + info.name + "' is used before it is computed");
    const Id made = sizes_.number(info.symbol);
    bind(value, made);
    return made;
}

inline TensorValue Emitter::describe(const TensorMeta& meta, std::string_view what) const {
    TensorValue value{.dtype = meta.dtype};
    value.sizes.reserve(meta.sizes.size());
    for (const SymExpr& size : meta.sizes) {
        const std::int64_t largest = largest_size(size, limits_);
        if (largest > std::numeric_limits<std::int32_t>::max())
            throw Error(
                ErrorKind::unsupported,
                "the size " + to_string(size) + " of '" + std::string(what) + "' has no end that fits into 31 bits",
                {.hint = "give the dynamic dimensions that it depends on a largest size: Dim(name, min, max)",
                 .where = {.stage = "memory planning"}});
        value.sizes.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(largest, 0)));
        value.is_dynamic = value.is_dynamic || !size.is_constant();
    }
    return value;
}

inline Id Emitter::new_tensor(Value value) {
    const ValueInfo& info = info_of(value);
    const Id made = builder_.add_tensor(describe(info.tensor, info.name));
    bind(value, made);
    return made;
}

inline void Emitter::emit_nodes() {
    const auto emit = [this](const Node& node) {
        node_ = &node;
        emit_node(node);
    };
    if (delegation_ == nullptr) {
        for (const Node& node : graph().nodes()) emit(node);
    } else {
        for (const xnnpack::Step& step : xnnpack::schedule(graph(), *delegation_))
            step.is_delegated ? emit_delegate(step) : emit(*step.nodes[0]);
    }
    node_ = nullptr;
}

inline void Emitter::emit_node(const Node& node) {
    if (node.op() == "higher_order::cond") return emit_cond(node);
    if (node.op() == "higher_order::while_loop") return emit_loop(node);
    if (node.op() == "higher_order::scan" || node.op() == "higher_order::map_impl") return emit_scan(node);
    if (is_number_op(node.op())) return emit_number(node);
    if (is_view(graph(), node)) return emit_view(node);
    const Kernel* kernel = kernels_.find(node.op());
    if (kernel == nullptr) refuse("no kernel of ExecuTorch computes this op");
    emit_kernel(node, *kernel);
}

inline Argument Emitter::argument_of(const Node& node, const c10::Argument& wanted) const {
    if (const Argument* given = node.find(wanted.name())) return *given;
    if (!wanted.default_value()) return {};
    return to_argument(*wanted.default_value(), ferry::detail::element_kind(wanted.real_type().get()),
                       [](const at::Tensor&) { return Value(); });
}

inline Id Emitter::argument(const Argument& given, const c10::Type& type) {
    if (given.is_none()) return builder_.none();
    if (type.kind() == c10::TypeKind::OptionalType) return argument(given, *type.containedType(0));
    if (const auto* value = given.get_if<Value>()) {
        const bool is_tensor = info_of(*value).kind == ValueKind::tensor;
        return type.kind() == c10::TypeKind::TensorType && !is_tensor ? number_as_tensor(given) : id_of(*value);
    }
    if (const auto* list = given.get_if<ArgumentList>()) {
        const c10::Type& element = *type.containedType(0);
        const bool is_optional = element.kind() == c10::TypeKind::OptionalType;
        std::vector<Id> ids;
        switch (ferry::detail::element_kind(&type)) {
            case c10::TypeKind::FloatType: {
                DoubleList made;
                for (const Argument& item : *list)
                    made.items.push_back(item.is<double>() ? *item.get_if<double>()
                                                           : static_cast<double>(*item.get_if<std::int64_t>()));
                return builder_.method().add(std::move(made));
            }
            case c10::TypeKind::BoolType: {
                BoolList made;
                for (const Argument& item : *list) made.items.push_back(*item.get_if<bool>());
                return builder_.method().add(std::move(made));
            }
            case c10::TypeKind::TensorType:
                for (const Argument& item : *list)
                    ids.push_back(item.is_none() ? no_value : id_of(*item.get_if<Value>()));
                return is_optional ? builder_.method().add(OptionalTensorList{std::move(ids)})
                                   : builder_.method().add(TensorList{std::move(ids)});
            default:
                for (const Argument& item : *list) ids.push_back(argument(item, element));
                return builder_.integers(std::move(ids));
        }
    }
    if (type.kind() == c10::TypeKind::TensorType) return number_as_tensor(given);
    if (type.kind() == c10::TypeKind::ListType) return builder_.integers({argument(given, *type.containedType(0))});
    if (const auto* number = given.get_if<std::int64_t>())
        return type.kind() == c10::TypeKind::FloatType ? builder_.real(static_cast<double>(*number))
                                                       : builder_.integer(*number);
    if (const auto* number = given.get_if<double>()) return builder_.real(*number);
    if (const auto* flag = given.get_if<bool>()) return builder_.flag(*flag);
    if (const auto* text = given.get_if<std::string>()) return builder_.text(*text);
    if (const auto* dtype = given.get_if<DType>()) return builder_.integer(static_cast<std::int64_t>(*dtype));
    refuse("an argument of type " + type.str() + " cannot stand in an ExecuTorch program");
}

inline Id Emitter::tensor_of(Id number, DType dtype) {
    const Id made = builder_.add_tensor({.dtype = dtype});
    builder_.call("aten::scalar_tensor.out", {number, made, made});
    return made;
}

/// Of a dtype that leaves the result's as it is.
inline Id Emitter::number_as_tensor(const Argument& number) {
    DType dtype = DType::int64;
    for (const NamedArgument& each : node_->arguments())
        if (const auto* value = each.value.get_if<Value>(); value && info_of(*value).kind == ValueKind::tensor) {
            dtype = info_of(*value).tensor.dtype;
            break;
        }
    const auto* computed = number.get_if<Value>();
    const bool is_real = number.is<double>() || (computed && info_of(*computed).kind == ValueKind::sym_float);
    const bool is_integer = number.is<std::int64_t>() || (computed && info_of(*computed).kind == ValueKind::sym_int);
    if (is_real && !is_floating_point(dtype)) dtype = DType::float32;
    if (is_integer && dtype == DType::boolean) dtype = DType::int64;
    if (computed != nullptr) return tensor_of(id_of(*computed), dtype);
    const auto scalar = [&]() -> c10::Scalar {
        if (const auto* real = number.get_if<double>()) return *real;
        if (const auto* flag = number.get_if<bool>()) return *flag;
        if (const auto* integer = number.get_if<std::int64_t>()) return *integer;
        refuse("an argument is neither a tensor nor a number");
    }();
    const at::Tensor made = at::scalar_tensor(scalar, at::TensorOptions().dtype(to_c10(dtype)));
    return builder_.method().add(TensorValue{.dtype = dtype, .constant = shared_.constants.add(made, {})});
}

inline void Emitter::emit_kernel(const Node& node, const Kernel& kernel) {
    std::vector<Id> args;
    for (const c10::Argument& wanted : kernel.schema->arguments()) {
        if (wanted.is_out()) continue;
        const bool is_default = is_of_the_output(wanted.name()) && wanted.name() != "dtype";
        args.push_back(is_default ? builder_.none() : argument(argument_of(node, wanted), *wanted.real_type()));
    }
    std::vector<Id> outs;
    std::vector<Value> made;
    for (const Output& output : node.outputs()) {
        std::vector<Id> ids;
        for (const Value value : output.values) {
            ids.push_back(new_tensor(value));
            made.push_back(value);
        }
        outs.push_back(output.is_list ? builder_.method().add(TensorList{ids})
                                      : ids.empty()
                           ? refuse("an output that nobody asked for has no shape"),
                       no_value : ids[0]);
    }
    args.insert(args.end(), outs.begin(), outs.end());
    args.push_back(outs.size() == 1 ? outs[0] : builder_.method().add(TensorList{outs}));
    builder_.call(kernel.name, std::move(args));
    // The kernel leaves tensors without elements out, and their sizes too: a batch of none would have no tokens either.
    if (node.op() == "aten::cat" && may_be_empty(made[0])) return bind_view(made[0], id_of(made[0]));
    for (const Value value : made) sizes_.know_tensor(id_of(value), info_of(value).tensor.sizes);
}

inline bool Emitter::may_be_empty(Value value) const {
    return algo::any_of(info_of(value).tensor.sizes,
                        [this](const SymExpr& size) { return bounds(size, limits_).min <= 0; });
}

inline void Emitter::emit_view(const Node& node) { bind_view(node.output(), id_of(node.input(0))); }

/// The memory of another tensor, with the sizes that the graph has for this one.
inline void Emitter::bind_view(Value made, Id base) {
    const ValueInfo& info = info_of(made);
    TensorValue view = describe(info.tensor, info.name);
    const TensorValue& of = builder_.method().tensor(base);
    view.constant = of.constant;
    view.buffer = of.buffer;
    const bool is_planned =
        of.constant != 0 ||
        (of.buffer >= 0 && builder_.method().buffers[static_cast<std::size_t>(of.buffer)].is_planned);
    const bool is_settled = !view.is_dynamic && !of.is_dynamic && is_planned;
    if (!is_planned) view.buffer = TensorValue::no_buffer;
    if (view.buffer >= 0) {
        Buffer& buffer = builder_.method().buffers[static_cast<std::size_t>(view.buffer)];
        buffer.bytes = std::max(buffer.bytes, MethodBuilder::bytes_of(view));
    }
    const Id id = builder_.method().add(std::move(view));
    bind(made, id);
    if (!is_settled) builder_.call("executorch_prim::et_view.default", {base, sizes_.sizes(info.tensor.sizes), id});
    sizes_.know_tensor(id, info.tensor.sizes);
}

/// Integers are computed where they are needed, from what the graph knows of them; here is what depends on data, and the rest.
inline void Emitter::emit_number(const Node& node) {
    const Value made = node.output();
    if (!made) return;
    const ValueInfo& info = info_of(made);
    if (reads_data(node.op())) {
        const Id id = sizes_.call("aten::_local_scalar_dense", {id_of(node.input(0))});
        bind(made, id);
        if (info.kind == ValueKind::sym_int) sizes_.know_number(info.symbol, id);
        return;
    }
    if (info.kind == ValueKind::sym_int) return;
    const std::string_view function = number_function(node.op());
    const c10::TypePtr any = c10::NumberType::get();
    std::vector<Id> args;
    for (const NamedArgument& each : node.arguments()) args.push_back(argument(each.value, *any));
    if (!function.empty()) return bind(made, sizes_.call(function, std::move(args)));
    const std::string kernel = function_of_tensor(node.op());
    if (kernel.empty() || args.size() != 1) refuse("ExecuTorch has no such function over numbers");
    const Id given = tensor_of(args[0], DType::float64), result = builder_.add_tensor({.dtype = DType::float64});
    builder_.call(kernel, {given, result, result});
    bind(made, sizes_.call("aten::_local_scalar_dense", {result}));
}

}  // namespace ferry::executorch::detail
