// Graphs by hand, in few words.
#pragma once

#include <ferry/graph/graph.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace build {

using namespace ferry;

inline ValueInfo tensor(std::vector<SymExpr> sizes, DType dtype = DType::float32) {
    ValueInfo info;
    info.tensor.dtype = dtype;
    info.tensor.sizes = std::move(sizes);
    info.tensor.strides.assign(info.tensor.sizes.size(), 1);
    return info;
}

inline ValueInfo size(SymExpr symbol, ValueKind kind = ValueKind::sym_int) {
    ValueInfo info;
    info.kind = kind;
    info.symbol = std::move(symbol);
    return info;
}

/// An argument; `{"dim", 1}` stands where it stands, `kw("dim", 1)` behind the schema's `*`.
inline NamedArgument kw(std::string_view name, Argument value) { return {name, std::move(value), true}; }

/// A node of one result, named like torch.export does.
inline Value call(Graph& graph, std::string_view op, std::vector<NamedArgument> arguments, ValueInfo info) {
    const auto start = op.find("::") + 2;
    std::string base(op.substr(start, op.find('.') - start));
    if (op == "aten::sym_size.int") base = "sym_size_int";
    const Value value = graph.new_value(base, std::move(info));
    graph.append(op, std::move(arguments), {{.values = {value}}});
    return value;
}

/// A node of several results.
inline std::vector<Value> call_tuple(Graph& graph, std::string_view op, std::vector<NamedArgument> arguments,
                                     std::vector<ValueInfo> infos, bool is_list = false) {
    std::vector<Value> values;
    for (ValueInfo& info : infos) values.push_back(graph.new_value("getitem", std::move(info)));
    std::vector<Output> outputs;
    if (is_list)
        outputs.push_back({values, true});
    else
        for (const Value value : values) outputs.push_back({{value}, false});
    graph.append(op, std::move(arguments), std::move(outputs));
    return values;
}

}  // namespace build
