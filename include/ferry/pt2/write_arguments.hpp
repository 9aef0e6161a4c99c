#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/pt2/json.hpp>
#include <ferry/pt2/schema.hpp>
#include <ferry/pt2/write_symbols.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::pt2 {

/// Numbers that JSON does not have are words.
[[nodiscard]] inline Json number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

/// Arguments of the nodes of one graph. `write_body` writes one of the graphs inside.
class ArgumentWriter {
public:
    ArgumentWriter(const Graph& graph, std::function<Json(Subgraph)> write_body)
        : graph_(graph), write_body_(std::move(write_body)) {}

    /// A value by itself: an input, an output, an argument.
    [[nodiscard]] Json value(Value value) const {
        const ValueInfo& info = graph_.info(value);
        switch (info.kind) {
            case ValueKind::tensor: return tagged("as_tensor", tagged("name", info.name));
            case ValueKind::sym_int: return tagged("as_sym_int", tagged("as_name", info.name));
            case ValueKind::sym_float: return tagged("as_sym_float", tagged("as_name", info.name));
            case ValueKind::sym_bool: return tagged("as_sym_bool", tagged("as_name", info.name));
        }
        return {};
    }

    /// `element`: what an empty list is a list of ("as_ints", ...).
    [[nodiscard]] Json argument(const Argument& given, std::string_view element = "as_tensors") const {
        if (given.is_none()) return tagged("as_none", true);
        if (const auto* each = given.get_if<Value>()) return value(*each);
        if (const auto* flag = given.get_if<bool>()) return tagged("as_bool", *flag);
        if (const auto* integer = given.get_if<std::int64_t>()) return tagged("as_int", *integer);
        if (const auto* real = given.get_if<double>()) return tagged("as_float", number(*real));
        if (const auto* text = given.get_if<std::string>()) return tagged("as_string", *text);
        if (const auto* dtype = given.get_if<DType>())
            return tagged("as_scalar_type", number_of(scalar_types, *dtype, "the dtype"));
        if (const auto* layout = given.get_if<Layout>())
            return tagged("as_layout", number_of(layouts, *layout, "the layout"));
        if (const auto* format = given.get_if<MemoryFormat>())
            return tagged("as_memory_format", number_of(memory_formats, *format, "the memory format"));
        if (const auto* device = given.get_if<Device>()) return tagged("as_device", SymbolWriter::device(*device));
        if (const auto* complex = given.get_if<std::complex<double>>())
            return tagged("as_complex", Json{{"real", number(complex->real())}, {"imag", number(complex->imag())}});
        if (const auto* body = given.get_if<Subgraph>())
            return tagged("as_graph", Json{{"name", graph_.subgraph_name(*body)}, {"graph", write_body_(*body)}});
        return list(*given.get_if<ArgumentList>(), element);
    }

private:
    template <class Type>
    [[nodiscard]] static bool all(const ArgumentList& list) {
        return algo::all_of(list, [](const Argument& item) { return item.is<Type>(); });
    }
    [[nodiscard]] bool all_values(const ArgumentList& list, ValueKind kind) const {
        return algo::all_of(list, [&](const Argument& item) {
            const auto* each = item.get_if<Value>();
            return each != nullptr && graph_.info(*each).kind == kind;
        });
    }
    /// Values of one kind among numbers of its type.
    template <class Type>
    [[nodiscard]] bool mixed(const ArgumentList& list, ValueKind kind) const {
        return algo::all_of(list, [&](const Argument& item) {
            const auto* each = item.get_if<Value>();
            return each != nullptr ? graph_.info(*each).kind == kind : item.is<Type>();
        });
    }
    template <class Item>
    [[nodiscard]] static Json each(std::string_view tag, const ArgumentList& list, Item&& write) {
        Json made = Json::array();
        for (const Argument& item : list) made.push_back(write(item));
        return tagged(tag, made);
    }
    [[nodiscard]] Json name_of(const Argument& item) const {
        return tagged("name", graph_.info(*item.get_if<Value>()).name);
    }
    template <class Type>
    [[nodiscard]] Json symbols(std::string_view tag, std::string_view plain, const ArgumentList& list) const {
        return each(tag, list, [&](const Argument& item) {
            const auto* named = item.get_if<Value>();
            return named != nullptr ? tagged("as_name", graph_.info(*named).name)
                                    : tagged(plain, Json(*item.get_if<Type>()));
        });
    }

    [[nodiscard]] Json list(const ArgumentList& list, std::string_view element) const {
        if (list.empty()) return tagged(element, Json::array());
        if (all<bool>(list)) return each("as_bools", list, [](const Argument& a) { return *a.get_if<bool>(); });
        if (all<std::int64_t>(list))
            return each("as_ints", list, [](const Argument& a) { return *a.get_if<std::int64_t>(); });
        if (all<double>(list))
            return each("as_floats", list, [](const Argument& a) { return number(*a.get_if<double>()); });
        if (all<std::string>(list))
            return each("as_strings", list, [](const Argument& a) { return *a.get_if<std::string>(); });
        if (mixed<std::int64_t>(list, ValueKind::sym_int)) return symbols<std::int64_t>("as_sym_ints", "as_int", list);
        if (mixed<double>(list, ValueKind::sym_float)) return symbols<double>("as_sym_floats", "as_float", list);
        if (mixed<bool>(list, ValueKind::sym_bool)) return symbols<bool>("as_sym_bools", "as_bool", list);
        // Operands of higher-order ops are tensors and sizes in one list, all by name.
        if (all<Value>(list)) return each("as_tensors", list, [&](const Argument& a) { return name_of(a); });
        if (algo::all_of(list, [](const Argument& a) { return a.is_none() || a.is<Value>(); }))
            return each("as_optional_tensors", list, [&](const Argument& a) {
                return a.is_none() ? tagged("as_none", true) : tagged("as_tensor", name_of(a));
            });
        if (all<ArgumentList>(list)) return nested(list);
        throw Error(ErrorKind::unsupported, "a list of different things cannot be written to a .pt2 file");
    }

    [[nodiscard]] Json nested(const ArgumentList& list) const {
        const auto inner = [](const Argument& a) -> const ArgumentList& { return *a.get_if<ArgumentList>(); };
        const auto each_inner = [&](std::string_view tag, auto&& write) {
            Json outer = Json::array();
            for (const Argument& item : list) {
                Json made = Json::array();
                for (const Argument& leaf : inner(item)) made.push_back(write(leaf));
                outer.push_back(made);
            }
            return tagged(tag, outer);
        };
        if (algo::all_of(list, [&](const Argument& a) { return all<std::int64_t>(inner(a)); }))
            return each_inner("as_int_lists", [](const Argument& a) { return *a.get_if<std::int64_t>(); });
        if (algo::all_of(list, [&](const Argument& a) { return all<double>(inner(a)); }))
            return each_inner("as_float_lists", [](const Argument& a) { return number(*a.get_if<double>()); });
        if (algo::all_of(list, [&](const Argument& a) { return all_values(inner(a), ValueKind::tensor); }))
            return each_inner("as_nested_tensors", [&](const Argument& a) { return name_of(a); });
        throw Error(ErrorKind::unsupported, "a list of lists of different things cannot be written to a .pt2 file");
    }

    const Graph& graph_;
    std::function<Json(Subgraph)> write_body_;
};

}  // namespace ferry::pt2
