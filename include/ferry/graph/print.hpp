#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/detail/python_text.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_print.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

/// The text that Python's print_readable() gives for the same graph; where that names a line of a file, this names a module.
[[nodiscard]] std::string to_string(const Graph& graph);

namespace detail {

struct MagicMethod {
    std::string_view name;
    std::string_view sign;
    bool unary = false;
};
inline constexpr std::array<MagicMethod, 23> magic_methods{{
    {"add", " + "}, {"sub", " - "},    {"mul", " * "},     {"floordiv", " // "}, {"truediv", " / "},    {"div", " / "},
    {"mod", " % "}, {"pow", " ** "},   {"lshift", " << "}, {"rshift", " >> "},   {"and_", " & "},       {"or_", " | "},
    {"xor", " ^ "}, {"matmul", " @ "}, {"eq", " == "},     {"ne", " != "},       {"lt", " < "},         {"gt", " > "},
    {"le", " <= "}, {"ge", " >= "},    {"pos", "+", true}, {"neg", "-", true},   {"invert", "~", true},
}};

/// One parameter of the printed forward: a value of the graph, or a constant that has only a name.
struct PrintedInput {
    std::string_view name;
    Value value{};
};

class GraphPrinter {
public:
    GraphPrinter(std::string& out, std::size_t margin) : out_(out), margin_(margin) {}

    void print(const Graph& graph, std::string_view class_name, std::span<const PrintedInput> inputs,
               std::size_t depth = 0) {
        graph_ = &graph;
        depth_ = depth;
        find_last_uses();
        line(0);
        out_.append("class ").append(class_name).append("(torch.nn.Module):\n");
        line(1);
        out_ += "def forward(self";
        for (const PrintedInput& input : inputs) {
            out_.append(", ").append(input.name);
            if (input.value) annotate(input.value);
        }
        out_ += "):\n";
        std::uint32_t position = 0;
        std::string_view path;
        for (const Node& node : graph.nodes()) {
            if (node.module_path() != path) {
                if (position != 0) blank();
                path = node.module_path();
                if (!path.empty()) {
                    line(2);
                    out_.append("# ").append(path) += '\n';
                }
            }
            print(node, position++);
        }
        line(2);
        out_ += "return ";
        tuple(graph.outputs());
        out_ += '\n';
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) {
            blank();
            const Graph& inner = graph.subgraph({i});
            std::vector<PrintedInput> parameters;
            for (const Value value : inner.inputs()) parameters.push_back({inner.info(value).name, value});
            GraphPrinter(out_, margin_).print(inner, graph.subgraph_name({i}), parameters, depth + 1);
        }
    }

private:
    static constexpr std::uint32_t never = 0;
    static constexpr std::uint32_t at_the_end = UINT32_MAX;

    void line(std::size_t level) { out_.append(margin_ + 4 * (depth_ + level), ' '); }
    void blank() { out_.append(margin_, ' ') += '\n'; }

    void find_last_uses() {
        last_use_.assign(graph_->num_values(), never);
        std::uint32_t position = 0;
        for (const Node& node : graph_->nodes()) {
            ++position;
            for (const NamedArgument& argument : node.arguments())
                for_each_value(argument.value, [&](Value value) { last_use_[value.index] = position; });
            if (names_.empty() && is_tuple(node))
                for (std::uint32_t i = 0; i < graph_->num_values(); ++i)
                    names_.emplace(graph_->info(Value{i}).name, 1U);
        }
        for (const Argument& output : graph_->outputs())
            for_each_value(output, [&](Value value) { last_use_[value.index] = at_the_end; });
    }

    /// Python has a name for the tuple that such a call returns, and takes it apart line by line.
    [[nodiscard]] static bool is_tuple(const Node& node) {
        return node.outputs().size() != 1 || node.outputs()[0].is_list || node.outputs()[0].values.empty();
    }

    [[nodiscard]] std::string tuple_name(const Node& node) {
        std::string base(node.op().substr(node.op().find("::") + 2));
        const std::size_t dot = base.find('.');
        if (!node.outputs().empty())
            base.resize(std::min(dot, base.size()));
        else if (dot == std::string::npos)
            base += "_default";
        else
            base[dot] = '_';
        std::uint32_t& count = names_[base];  // stays where it is when others come
        std::string name = base;
        bool free = count == 0 && !is_python_word(base);
        if (free) count = 1;
        while (!free) {
            name = base + '_' + std::to_string(std::max(count, 1U));
            count = std::max(count, 1U) + 1;
            free = names_.try_emplace(name, 1U).second;
        }
        return name;
    }

    void print(const Node& node, std::uint32_t position) {
        for (const NamedArgument& argument : node.arguments()) subgraph_lines(argument.value);
        line(2);
        const bool tuple = is_tuple(node);
        const std::string name = tuple ? tuple_name(node) : std::string();
        if (tuple)
            out_ += name;
        else
            define(node.output());
        out_ += " = ";
        call(node);
        dead_.clear();
        for (const NamedArgument& argument : node.arguments()) find_dead(argument.value, position + 1);
        if (!tuple) {
            if (last_use_[node.output().index] == never) dead_.push_back(graph_->info(node.output()).name);
            return end_line();
        }
        std::size_t left = 0;
        for (const Output& output : node.outputs()) left += output.values.size();
        if (left == 0) dead_.push_back(name);
        end_line();
        for (std::size_t i = 0; i < node.outputs().size(); ++i) {
            const Output& output = node.outputs()[i];
            for (std::size_t k = 0; k < output.values.size(); ++k) {
                const Value value = output.values[k];
                line(2);
                define(value);
                out_.append(" = ").append(name);
                if (node.outputs().size() > 1) out_.append("[").append(std::to_string(i)) += ']';
                if (output.is_list) out_.append("[").append(std::to_string(k)) += ']';
                dead_.clear();
                if (--left == 0) dead_.push_back(name);
                if (last_use_[value.index] == never) dead_.push_back(graph_->info(value).name);
                end_line();
            }
        }
    }

    void subgraph_lines(const Argument& argument) {
        if (const auto* inner = argument.get_if<Subgraph>()) {
            line(2);
            const std::string& name = graph_->subgraph_name(*inner);
            out_.append(name).append(" = self.").append(name) += '\n';
        } else if (const auto* list = argument.get_if<ArgumentList>()) {
            for (const Argument& item : *list) subgraph_lines(item);
        }
    }

    void find_dead(const Argument& argument, std::uint32_t position) {
        std::string_view name;
        if (const auto* value = argument.get_if<Value>()) {
            if (last_use_[value->index] == position) name = graph_->info(*value).name;
        } else if (const auto* inner = argument.get_if<Subgraph>()) {
            name = graph_->subgraph_name(*inner);
        } else if (const auto* list = argument.get_if<ArgumentList>()) {
            for (const Argument& item : *list) find_dead(item, position);
        }
        if (!name.empty() && !algo::contains(dead_, name)) dead_.push_back(name);
    }

    void end_line() {
        if (!dead_.empty()) {
            out_ += ";  ";
            for (const std::string_view name : dead_) out_.append(name).append(" = ");
            out_ += "None";
        }
        out_ += '\n';
    }

    void define(Value value) {
        out_ += graph_->info(value).name;
        annotate(value);
    }

    void annotate(Value value) {
        const ValueInfo& info = graph_->info(value);
        if (info.kind != ValueKind::tensor) {
            out_.append(": \"Sym(").append(to_string(info.symbol)).append(")\"");
            return;
        }
        out_.append(": \"").append(ferry::info(info.tensor.dtype).short_name) += '[';
        std::string_view separator;
        for (const SymExpr& size : info.tensor.sizes) {
            out_.append(separator);
            if (size.is_constant())
                out_ += std::to_string(size.value());
            else
                out_ += to_string(size);
            separator = ", ";
        }
        out_ += "]\"";
    }

    void call(const Node& node) {
        const auto arguments = node.arguments();
        const std::size_t colons = node.op().find("::");
        const std::string_view space = node.op().substr(0, colons);
        const std::string_view name = node.op().substr(std::min(colons + 2, node.op().size()));
        if (space == "_operator") {
            const auto* magic = algo::find(magic_methods, name, &MagicMethod::name);
            if (magic != magic_methods.end() && arguments.size() == (magic->unary ? 1U : 2U)) {
                if (!magic->unary) write(arguments[0].value);
                out_ += magic->sign;
                return write(arguments.back().value);
            }
        }
        const bool python = space == "_operator" || space == "torch" || space == "math";
        const bool higher_order = space == "higher_order";
        if (!python) out_ += "torch.ops.";
        out_.append(space).append(".").append(name);
        if (!python && !higher_order && name.find('.') == std::string_view::npos) out_ += ".default";
        out_ += '(';
        std::string_view separator;
        for (const NamedArgument& argument : arguments) {
            out_ += separator;
            separator = ", ";
            if (argument.keyword) out_.append(argument.name).append(" = ");
            const auto* list = argument.value.get_if<ArgumentList>();
            if (list != nullptr && higher_order)
                tuple(*list);
            else
                write(argument.value);
        }
        out_ += ')';
    }

    void tuple(std::span<const Argument> items) {
        out_ += '(';
        join(items);
        out_ += items.size() == 1 ? ",)" : ")";
    }

    void join(std::span<const Argument> items) {
        std::string_view separator;
        for (const Argument& item : items) {
            out_ += separator;
            write(item);
            separator = ", ";
        }
    }

    void write(const Argument& argument) {
        std::visit([this](const auto& value) { write_as(value); }, argument.variant());
    }
    void write_as(std::monostate) { out_ += "None"; }
    void write_as(Value value) { out_ += graph_->info(value).name; }
    void write_as(bool flag) { out_ += flag ? "True" : "False"; }
    void write_as(std::int64_t number) { out_ += std::to_string(number); }
    void write_as(double number) { append_python(out_, number); }
    void write_as(const std::complex<double>& number) { append_python(out_, number); }
    void write_as(const std::string& text) { append_python(out_, std::string_view(text)); }
    void write_as(DType dtype) { out_.append("torch.").append(ferry::info(dtype).torch_name); }
    void write_as(Layout layout) { out_.append("torch.").append(to_string(layout)); }
    void write_as(MemoryFormat format) { out_.append("torch.").append(to_string(format)); }
    void write_as(const Device& device) {
        out_.append("device(type='").append(device.type) += '\'';
        if (device.index) out_.append(", index=").append(std::to_string(*device.index));
        out_ += ')';
    }
    void write_as(Subgraph inner) { out_ += graph_->subgraph_name(inner); }
    void write_as(const ArgumentList& list) {
        out_ += '[';
        join(list);
        out_ += ']';
    }

    std::string& out_;
    std::size_t margin_;
    const Graph* graph_ = nullptr;
    std::size_t depth_ = 0;
    std::vector<std::uint32_t> last_use_;  // counted from 1
    std::unordered_map<std::string, std::uint32_t> names_;  // taken, and the number to try next
    std::vector<std::string_view> dead_;
};

}  // namespace detail

inline std::string to_string(const Graph& graph) {
    std::string out;
    std::vector<detail::PrintedInput> inputs;
    for (const Value value : graph.inputs()) inputs.push_back({graph.info(value).name, value});
    detail::GraphPrinter(out, 0).print(graph, "GraphModule", inputs);
    return out;
}

}  // namespace ferry
