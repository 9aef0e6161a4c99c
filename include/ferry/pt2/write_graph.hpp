#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/detail/python_text.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/sym_call.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/pt2/json.hpp>
#include <ferry/pt2/targets.hpp>
#include <ferry/pt2/write_arguments.hpp>
#include <ferry/pt2/write_symbols.hpp>

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ferry::pt2 {

class GraphWriter {
public:
    GraphWriter(const Graph& graph, const SymbolWriter& symbols)
        : graph_(graph), symbols_(symbols), arguments_(graph, [this](Subgraph body) {
              return GraphWriter(graph_.subgraph(body), symbols_).write_body(is_condition_);
          }) {}

    GraphWriter(const GraphWriter&) = delete;  // what writes bodies points here
    GraphWriter& operator=(const GraphWriter&) = delete;

    /// A graph inside another one. `is_single`: it gives a value, not a tuple with one.
    [[nodiscard]] Json write_body(bool is_single) {
        Json inputs = Json::array();
        for (const Value input : graph_.inputs()) inputs.push_back(arguments_.value(input));
        return write(inputs, is_single);
    }
    /// `inputs` as the signature has them, constants among them.
    [[nodiscard]] Json write(const Json& inputs, bool is_single = false) {
        for (std::uint32_t i = 0; i < graph_.num_subgraphs(); ++i) taken_.insert(graph_.subgraph_name({i}));
        for (const Value input : graph_.inputs()) define(input);
        for (const Node& node : graph_.nodes())
            for (const Output& output : node.outputs())
                for (const Value value : output.values) define(value);
        Json outputs = Json::array(), nodes = Json::array();
        for (const Argument& output : graph_.outputs()) outputs.push_back(arguments_.argument(output));
        for (const Node& each : graph_.nodes()) nodes.push_back(write_node(each));
        Json made = Json::object();
        made.put("inputs", inputs);
        made.put("outputs", outputs);
        made.put("nodes", nodes);
        made.put("tensor_values", tensors_);
        made.put("sym_int_values", integers_);
        made.put("sym_bool_values", booleans_);
        made.put("is_single_tensor_return", is_single);
        made.put("custom_obj_values", Json::object());
        made.put("sym_float_values", reals_);
        return made;
    }

private:
    void define(Value value) {
        const ValueInfo& info = graph_.info(value);
        taken_.insert(info.name);
        switch (info.kind) {
            case ValueKind::tensor: tensors_.put(info.name, symbols_.tensor(info.tensor)); break;
            case ValueKind::sym_int: integers_.put(info.name, symbols_.integer(info.symbol)); break;
            case ValueKind::sym_float: reals_.put(info.name, symbols_.real(info.symbol)); break;
            case ValueKind::sym_bool: booleans_.put(info.name, symbols_.boolean(condition(info))); break;
        }
    }

    /// What a comparison of sizes compares, where the value itself does not say.
    [[nodiscard]] SymExpr condition(const ValueInfo& info) const {
        if (info.symbol.type() == SymType::boolean || info.producer == nullptr) return info.symbol;
        constexpr std::pair<std::string_view, SymOp> comparisons[] = {
            {"_operator::eq", SymOp::eq}, {"_operator::ne", SymOp::ne}, {"_operator::lt", SymOp::lt},
            {"_operator::le", SymOp::le}, {"_operator::gt", SymOp::gt}, {"_operator::ge", SymOp::ge}};
        const auto arguments = info.producer->arguments();
        const auto operand = [&](std::size_t i) -> SymExpr {
            if (const auto* integer = arguments[i].value.get_if<std::int64_t>()) return *integer;
            if (const auto* value = arguments[i].value.get_if<Value>()) return graph_.info(*value).symbol;
            return 0;
        };
        for (const auto& [op, comparison] : comparisons)
            if (op == info.producer->op() && arguments.size() == 2) return compare(comparison, operand(0), operand(1));
        throw Error(ErrorKind::unsupported,
                    "a condition over sizes of which no expression is known: '" + info.name + "'",
                    {.where = {.op = std::string(info.producer->op())}});
    }

    /// Of a list without elements, by the schema's type.
    [[nodiscard]] static std::string_view element_tag(const c10::Type* type) {
        while (type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::ListType)
            type = type->containedType(0).get();
        switch (type->kind()) {
            case c10::TypeKind::IntType:
            case c10::TypeKind::SymIntType: return "as_ints";
            case c10::TypeKind::FloatType: return "as_floats";
            case c10::TypeKind::BoolType: return "as_bools";
            case c10::TypeKind::StringType: return "as_strings";
            default: return "as_tensors";
        }
    }

    [[nodiscard]] const c10::FunctionSchema* schema_of(std::string_view op) {
        const auto [found, is_new] = schemas_.try_emplace(op.data(), nullptr);  // interned: one address for each op
        if (is_new)
            if (const auto handle = find_op(op)) found->second = &handle->schema();
        return found->second;
    }

    [[nodiscard]] Json inputs_of(const Node& node, bool higher_order) {
        const c10::FunctionSchema* schema = schema_of(node.op());
        Json inputs = Json::array();
        std::size_t place = 0;
        bool by_name = false;  // from the first argument on that is one, or stands behind one that is left out
        for (const NamedArgument& argument : node.arguments()) {
            std::string_view element = "as_tensors";
            by_name = by_name || argument.keyword;
            if (schema != nullptr)
                if (const auto index = schema->argumentIndexWithName(argument.name)) {
                    element = element_tag(schema->arguments()[static_cast<std::size_t>(*index)].real_type().get());
                    by_name = by_name || std::cmp_not_equal(*index, place);
                }
            is_condition_ = argument.name == "cond_fn" && node.op() == "higher_order::while_loop";
            Json made = Json::object();
            // Python calls what has no schema by position.
            made.put("name", higher_order && !argument.keyword ? std::string() : std::string(argument.name));
            const bool is_op = argument.name == mutable_op_argument && is_auto_functionalized(node.op());
            made.put("arg", is_op ? tagged("as_operator", to_target(*argument.value.get_if<std::string>()))
                                  : arguments_.argument(argument.value, element));
            made.put("kind", by_name ? 2 : 1);
            inputs.push_back(made);
            ++place;
        }
        return inputs;
    }

    [[nodiscard]] Json write_node(const Node& node) try {
        const bool higher_order = node.op().starts_with("higher_order::");
        Json outputs = Json::array();
        std::size_t count = 0;
        for (const Output& output : node.outputs()) {
            count += output.values.size() + static_cast<std::size_t>(output.is_list);
            if (output.is_list && !higher_order) {
                Json names = Json::array();
                for (const Value value : output.values) names.push_back(tagged("name", graph_.info(value).name));
                outputs.push_back(tagged("as_tensors", names));
                continue;
            }
            if (output.values.empty()) outputs.push_back(tagged("as_none", true));
            for (const Value value : output.values) outputs.push_back(arguments_.value(value));
        }
        const bool single = count == 1 && !higher_order && node.outputs().size() == 1;
        Json made = Json::object();
        made.put("target", to_target(node.op()));
        made.put("inputs", inputs_of(node, higher_order));
        made.put("outputs", outputs);
        made.put("metadata", metadata(node));
        made.put("is_hop_single_tensor_return", higher_order ? Json(false) : Json());
        made.put("name", single ? graph_.info(node.output()).name : fresh_name(node.op()));
        return made;
    } catch (const Error& error) {
        if (!error.where().op.empty()) throw;
        throw Error(
            error.kind(), error.message(),
            {.hint = error.hint(), .where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
    }

    /// A node that is no single value has a name of its own in Python, among those of values.
    [[nodiscard]] std::string fresh_name(std::string_view op) {
        const auto colons = op.find("::");
        std::string base(op.substr(colons == op.npos ? 0 : colons + 2));
        if (const auto dot = base.find('.'); dot != base.npos) base.resize(dot);
        std::size_t& count = counts_[base];
        if (count == 0 && ferry::detail::is_python_word(base)) ++count;
        for (;; ++count) {
            std::string name = count == 0 ? base : base + '_' + std::to_string(count);
            if (taken_.insert(name).second) return name;
        }
    }

    /// The modules around a call, outermost first: key, path, class.
    [[nodiscard]] static Json metadata(const Node& node) {
        Json made = Json::object();
        const std::string path(node.module_path());
        if (path.find_first_of(",;()[]") != path.npos) return made;
        std::string stack = "L__self__,,torch.nn.modules.module.Module";
        for (std::size_t dot = path.empty() ? path.npos : 0; dot != path.npos;) {
            dot = path.find('.', dot + 1);
            const std::string part = path.substr(0, dot);
            stack.append(";L__self___").append(part).append(",").append(part).append(",torch.nn.modules.module.Module");
        }
        made.put("nn_module_stack", stack);
        return made;
    }

    const Graph& graph_;
    const SymbolWriter& symbols_;
    ArgumentWriter arguments_;
    bool is_condition_ = false;  // of the body that is written next
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> counts_;
    std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;
    Json tensors_ = Json::object(), integers_ = Json::object(), reals_ = Json::object(), booleans_ = Json::object();
};

}  // namespace ferry::pt2
