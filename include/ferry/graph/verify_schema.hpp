#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/sym_call.hpp>

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry {

/// Throws Error(internal) unless every op of the graph exists in this process and its call fits the op's schema: arguments by
/// name, kind and place, none missing that has no default, and as many results. Beyond verify(), which needs no torch.
/// `from_python`: as Python writes graphs, with numbers where the schema has a tensor, and with ops that this process has not.
void verify_schemas(const Graph& graph, bool from_python = false);

namespace detail {

class SchemaVerifier {
public:
    SchemaVerifier(const Graph& graph, bool from_python) : graph_(graph), from_python_(from_python) {}

    void run() {
        for (const Node& node : graph_.nodes()) {
            node_ = &node;
            if (node.op().starts_with("higher_order::") || find_sym_call(node.op()) != nullptr) continue;
            const auto op = find_op(node.op());
            if (!op && from_python_) continue;
            if (!op) fail("this process has no such op");
            check(op->schema());
        }
        for (std::uint32_t i = 0; i < graph_.num_subgraphs(); ++i)
            SchemaVerifier(graph_.subgraph({i}), from_python_).run();
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        const Value first = node_->output();
        throw Error(
            ErrorKind::internal,
            "a call does not fit its op: " + what + (first ? ", at node '" + graph_.info(first).name + "'" : ""),
            {.where = {.stage = "verify", .op = std::string(node_->op()), .path = std::string(node_->module_path())}});
    }

    void check(const c10::FunctionSchema& schema) const {
        std::size_t used = 0;
        for (const c10::Argument& wanted : schema.arguments()) {
            const auto given = algo::find(node_->arguments(), wanted.name(), &NamedArgument::name);
            if (given == node_->arguments().end()) {
                if (!wanted.default_value() && !wanted.is_out()) fail("argument '" + wanted.name() + "' is missing");
                continue;
            }
            ++used;
            if (given->keyword != wanted.kwarg_only())
                fail("argument '" + wanted.name() + "' is " +
                     (wanted.kwarg_only() ? "for keywords only" : "not for keywords only"));
            if (!fits(given->value, *wanted.real_type()))
                fail("argument '" + wanted.name() + "' is not of type " + wanted.real_type()->repr_str());
        }
        if (used != node_->arguments().size()) {
            for (const NamedArgument& argument : node_->arguments())
                if (!schema.argumentIndexWithName(argument.name))
                    fail("the op has no argument '" + std::string(argument.name) + "'");
        }
        const auto& returns = schema.returns();
        if (node_->outputs().size() > returns.size())
            fail("there are " + std::to_string(node_->outputs().size()) + " results where the op returns " +
                 std::to_string(returns.size()));
        for (std::size_t i = 0; i < node_->outputs().size(); ++i) {
            const c10::Type& type = *returns[i].real_type();
            const Output& output = node_->outputs()[i];
            if (output.is_list != (type.kind() == c10::TypeKind::ListType))
                fail("result " + std::to_string(i) + " is not of type " + type.repr_str());
            const bool tensors = element_kind(&type) == c10::TypeKind::TensorType;
            for (const Value value : output.values)
                if ((graph_.info(value).kind == ValueKind::tensor) != tensors)
                    fail("result " + std::to_string(i) + " is not of type " + type.repr_str());
        }
    }

    [[nodiscard]] bool fits(const Argument& argument, const c10::Type& type) const {
        using c10::TypeKind;
        if (type.kind() == TypeKind::OptionalType) return argument.is_none() || fits(argument, *type.containedType(0));
        if (type.kind() == TypeKind::AnyType) return true;
        if (const auto* list = argument.get_if<ArgumentList>()) {
            if (type.kind() != TypeKind::ListType) return false;
            return algo::all_of(*list, [&](const Argument& item) { return fits(item, *type.containedType(0)); });
        }
        if (const auto* value = argument.get_if<Value>())
            return fits(graph_.info(*value).kind, type.kind(), from_python_);
        switch (type.kind()) {
            case TypeKind::TensorType: return argument.is_none() || (from_python_ && is_number(argument));
            case TypeKind::GeneratorType: return argument.is_none();
            case TypeKind::IntType:
            case TypeKind::SymIntType: return argument.is<std::int64_t>();
            case TypeKind::FloatType:
            case TypeKind::SymFloatType: return argument.is<double>() || argument.is<std::int64_t>();
            case TypeKind::BoolType:
            case TypeKind::SymBoolType: return argument.is<bool>();
            case TypeKind::NumberType: return is_number(argument);
            case TypeKind::StringType: return argument.is<std::string>();
            case TypeKind::ScalarTypeType: return argument.is<DType>();
            case TypeKind::LayoutType: return argument.is<Layout>();
            case TypeKind::MemoryFormatType: return argument.is<MemoryFormat>();
            case TypeKind::DeviceObjType: return argument.is<Device>();
            default: return false;
        }
    }

    [[nodiscard]] static bool is_number(const Argument& argument) {
        return argument.is<std::int64_t>() || argument.is<double>() || argument.is<bool>() ||
               argument.is<std::complex<double>>();
    }

    /// A size may stand wherever a number of its type may.
    [[nodiscard]] static bool fits(ValueKind kind, c10::TypeKind type, bool from_python) {
        using c10::TypeKind;
        if (type == TypeKind::TensorType) return kind == ValueKind::tensor || from_python;
        switch (kind) {
            case ValueKind::tensor: return false;
            case ValueKind::sym_int:
                return type == TypeKind::IntType || type == TypeKind::SymIntType || type == TypeKind::NumberType ||
                       type == TypeKind::FloatType || type == TypeKind::SymFloatType;
            case ValueKind::sym_float:
                return type == TypeKind::FloatType || type == TypeKind::SymFloatType || type == TypeKind::NumberType;
            case ValueKind::sym_bool:
                return type == TypeKind::BoolType || type == TypeKind::SymBoolType || type == TypeKind::NumberType;
        }
        return false;
    }

    const Graph& graph_;
    bool from_python_;
    const Node* node_ = nullptr;
};

}  // namespace detail

inline void verify_schemas(const Graph& graph, bool from_python) { detail::SchemaVerifier(graph, from_python).run(); }

}  // namespace ferry
