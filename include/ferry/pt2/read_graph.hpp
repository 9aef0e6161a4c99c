#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/library_ops.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/read_symbols.hpp>
#include <ferry/pt2/schema.hpp>
#include <ferry/pt2/targets.hpp>

#include <ATen/core/function_schema.h>

#include <complex>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// One graph of a file, with those inside it.
class GraphReader {
public:
    /// `provide` may know ops that the process does not have yet.
    GraphReader(const Parsed& json, SymbolReader& symbols, ProvideOp provide)
        : json_(json),
          symbols_(symbols),
          provide_(provide),
          tensors_(object_of(member(json, "tensor_values"))),
          integers_(object_of(member(json, "sym_int_values"))),
          booleans_(object_of(member(json, "sym_bool_values"))),
          reals_(optional_member(json, "sym_float_values")) {}

    [[nodiscard]] Graph read() {
        for (const Parsed& input : list_of(member(json_, "inputs"))) {
            const auto [tag, value] = tagged_of(input);
            if (tag == "as_tensor")
                define_input(text_of(member(value, "name")), ValueKind::tensor);
            else if (tag == "as_sym_int")
                define_input(text_of(member(value, "as_name")), ValueKind::sym_int);
            else if (tag == "as_custom_obj")
                refuse_object(value);
        }  // the rest are constants, which the signature has too
        for (const Parsed& node : list_of(member(json_, "nodes"))) read_node(node);
        std::vector<Argument> outputs;
        const auto list = list_of(member(json_, "outputs"));
        outputs.reserve(list.size());
        for (const Parsed& output : list) outputs.push_back(argument(output));
        graph_.set_outputs(std::move(outputs));
        return std::move(graph_);
    }

    /// The value that the file calls so; also after read().
    [[nodiscard]] Value find(std::string_view name) const {
        const auto found = values_.find(name);
        if (found == values_.end()) damaged("a value is used that nothing defines: '" + std::string(name) + "'");
        return found->second;
    }

    /// An argument as the signature or a node has it.
    [[nodiscard]] Argument argument(const Parsed& json) {
        const auto [tag, value] = tagged_of(json);
        if (tag == "as_none") return {};
        if (tag == "as_tensor") return find(text_of(member(value, "name")));
        if (tag == "as_int" && compares_ && is_beyond_64_bits(value)) return real_of(value);
        if (tag == "as_int") return integer_of(value);
        if (tag == "as_float") return real_of(value);
        if (tag == "as_bool") return flag_of(value);
        if (tag == "as_string") return std::string(text_of(value));
        if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool" || tag == "as_optional_tensor")
            return argument_inside(value);
        if (tag == "as_scalar_type") return from_number(scalar_types, integer_of(value), "dtype");
        if (tag == "as_memory_format") return from_number(memory_formats, integer_of(value), "memory format");
        if (tag == "as_layout") return from_number(layouts, integer_of(value), "layout");
        if (tag == "as_device") return SymbolReader::device(value);
        if (tag == "as_complex")
            return std::complex<double>(real_of(member(value, "real")), real_of(member(value, "imag")));
        if (tag == "as_graph") return subgraph(value);
        if (tag == "as_custom_obj") refuse_object(value);
        if (tag == "as_operator") {
            std::string op = from_target(text_of(value));
            static_cast<void>(schema_of(op));
            return op;
        }
        if (tag == "as_string_to_argument")
            throw Error(ErrorKind::unsupported,
                        "an argument of the form " + std::string(tag) + " cannot stand in a graph");
        if (value.is(Kind::list)) return list(tag, value);
        damaged("an argument of the unknown form '" + std::string(tag) + "'");
    }

private:
    [[noreturn]] static void refuse_object(const Parsed& value) {
        throw Error(ErrorKind::unsupported,
                    "the program uses a custom object of the class " + std::string(text_of(member(value, "class_fqn"))),
                    {.hint = "export a model whose forward takes tensors and numbers only"});
    }

    [[nodiscard]] ValueInfo info_of(std::string_view name, ValueKind kind) {
        ValueInfo info{.name = {}, .kind = kind};
        const auto in = [&](const Parsed& values) -> const Parsed& {
            const Parsed* found = values.find(name);
            if (found == nullptr) damaged("nothing is said about the value '" + std::string(name) + "'");
            return *found;
        };
        switch (kind) {
            case ValueKind::tensor: info.tensor = symbols_.tensor(in(tensors_)); break;
            case ValueKind::sym_int: info.symbol = symbols_.integer(in(integers_)); break;
            case ValueKind::sym_bool: info.symbol = symbols_.boolean(in(booleans_)); break;
            case ValueKind::sym_float:
                if (reals_ == nullptr) damaged("nothing is said about the value '" + std::string(name) + "'");
                info.symbol = symbols_.real(in(object_of(*reals_)));
                break;
        }
        return info;
    }
    void remember(std::string_view name, Value value) {
        if (name.empty() || !values_.emplace(name, value).second)
            damaged("two values are called '" + std::string(name) + "'");
    }
    void define_input(std::string_view name, ValueKind kind) {
        remember(name, graph_.add_input(name, info_of(name, kind)));
    }
    [[nodiscard]] Value define(std::string_view name, ValueKind kind) {
        const Value value = graph_.new_value(name, info_of(name, kind));
        remember(name, value);
        return value;
    }

    [[nodiscard]] Argument argument_inside(const Parsed& value) {
        const auto [tag, inner] = tagged_of(value);
        if (tag == "as_name") return find(text_of(inner));
        return argument(value);
    }
    [[nodiscard]] Argument list(std::string_view tag, const Parsed& values) {
        ArgumentList made;
        made.reserve(values.items().size());
        for (const Parsed& each : values.items()) {
            if (each.is(Kind::list))
                made.push_back(list(tag, each));
            else if (tag == "as_tensors" || tag == "as_nested_tensors")
                made.emplace_back(find(text_of(member(each, "name"))));
            else if (tag == "as_ints" || tag == "as_int_lists")
                made.emplace_back(integer_of(each));
            else if (tag == "as_floats" || tag == "as_float_lists")
                made.emplace_back(real_of(each));
            else if (tag == "as_bools")
                made.emplace_back(flag_of(each));
            else if (tag == "as_strings")
                made.emplace_back(std::string(text_of(each)));
            else
                made.push_back(argument_inside(each));
        }
        return made;
    }
    [[nodiscard]] Argument subgraph(const Parsed& value) {
        Graph body = GraphReader(member(value, "graph"), symbols_, provide_).read();
        return graph_.add_subgraph(std::string(text_of(member(value, "name"))), std::move(body));
    }

    [[nodiscard]] Output output(const Parsed& json) {
        const auto [tag, value] = tagged_of(json);
        if (tag == "as_none") return {};
        if (tag == "as_tensor") return {{define(text_of(member(value, "name")), ValueKind::tensor)}};
        if (tag == "as_sym_int") return {{define(text_of(member(value, "as_name")), ValueKind::sym_int)}};
        if (tag == "as_sym_float") return {{define(text_of(member(value, "as_name")), ValueKind::sym_float)}};
        if (tag == "as_sym_bool") return {{define(text_of(member(value, "as_name")), ValueKind::sym_bool)}};
        if (tag == "as_tensors") {
            Output made{.is_list = true};
            const auto names = list_of(value);
            made.values.reserve(names.size());
            for (const Parsed& each : names)
                made.values.push_back(define(text_of(member(each, "name")), ValueKind::tensor));
            return made;
        }
        throw Error(ErrorKind::unsupported, "a result of the form " + std::string(tag) + " cannot stand in a graph");
    }

    /// Of sizes: the only thing to do with a bound of more than 64 bits.
    [[nodiscard]] static bool is_comparison(std::string_view op) {
        constexpr std::string_view names[] = {"_operator::eq", "_operator::ne", "_operator::lt",
                                              "_operator::le", "_operator::gt", "_operator::ge"};
        return algo::contains(names, op);
    }

    [[nodiscard]] const c10::FunctionSchema* schema_of(const std::string& op) {
        const auto [found, is_new] = schemas_.try_emplace(op, nullptr);
        if (!is_new) return found->second;
        auto handle = find_op(op);
        if (!handle && provide_ != nullptr) {
            provide_(op);
            handle = find_op(op);
        }
        if (handle) found->second = &handle->schema();
        return found->second;
    }

    /// What Python calls by position without a name gets the name that the op's documentation has.
    [[nodiscard]] std::string_view name_of(const std::string& op, std::string_view given, std::size_t position) {
        if (!given.empty()) return graph_.intern(given);
        if (find_higher_order(op) != nullptr) {
            const auto names = higher_order_arguments(op);
            if (position < names.size()) return names[position];
            return graph_.intern("operand_" + std::to_string(position - names.size()));
        }
        return graph_.intern("arg_" + std::to_string(position));
    }

    void read_node(const Parsed& json) {
        const std::string_view target = text_of(member(json, "target"));
        std::string path;
        try {
            path = module_path(json);
            const std::string op = from_target(target);
            const c10::FunctionSchema* schema = schema_of(op);
            compares_ = is_comparison(op);
            const auto inputs = list_of(member(json, "inputs"));
            std::vector<NamedArgument> arguments;
            arguments.reserve(inputs.size());
            for (const Parsed& input : inputs) {
                const std::string_view name = name_of(op, text_of(member(input, "name")), arguments.size());
                bool keyword = false;
                if (schema != nullptr) {
                    const auto index = schema->argumentIndexWithName(name);
                    keyword = index && schema->arguments()[static_cast<std::size_t>(*index)].kwarg_only();
                } else if (const Parsed* kind = optional_member(input, "kind")) {
                    keyword = integer_of(*kind) == 2;
                }
                arguments.push_back({.name = name, .value = argument(member(input, "arg")), .keyword = keyword});
            }
            const auto results = list_of(member(json, "outputs"));
            std::vector<Output> outputs;
            outputs.reserve(results.size());
            for (const Parsed& result : results) outputs.push_back(output(result));
            Node& node = graph_.append(op, std::move(arguments), std::move(outputs));
            node.set_module_path(graph_.intern(path));
        } catch (const Error& error) {
            if (!error.where().op.empty()) throw;
            throw Error(error.kind(), error.message(),
                        {.hint = error.hint(), .where = {.op = std::string(target), .path = path}});
        }
    }

    /// From "key,path,class;key,path,class;...", the path of the innermost module.
    [[nodiscard]] static std::string module_path(const Parsed& json) {
        const Parsed* metadata = optional_member(json, "metadata");
        const Parsed* stack = metadata != nullptr ? optional_member(*metadata, "nn_module_stack") : nullptr;
        if (stack == nullptr || !stack->is(Kind::text)) return {};
        const std::string_view text = stack->text();
        std::string_view last = text.substr(text.rfind(';') + 1);
        int depth = 0;
        std::size_t start = last.npos;
        for (std::size_t i = 0; i < last.size(); ++i) {
            if (last[i] == '(' || last[i] == '[') ++depth;
            if (last[i] == ')' || last[i] == ']') --depth;
            if (last[i] != ',' || depth != 0) continue;
            if (start != last.npos) {
                const std::string_view path = last.substr(start, i - start);
                return path == "_empty_nn_module_stack_from_metadata_hook" ? std::string() : std::string(path);
            }
            start = i + 1;
        }
        return {};
    }

    const Parsed& json_;
    SymbolReader& symbols_;
    ProvideOp provide_;
    const Parsed& tensors_;
    const Parsed& integers_;
    const Parsed& booleans_;
    const Parsed* reals_;
    bool compares_ = false;  // the node that is read
    Graph graph_;
    std::unordered_map<std::string_view, Value> values_;
    std::unordered_map<std::string, const c10::FunctionSchema*> schemas_;
};

}  // namespace ferry::pt2
