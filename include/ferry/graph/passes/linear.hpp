#pragma once

#include <ferry/graph/graph.hpp>
#include <ferry/graph/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// x @ w.t() [+ b], as it stands in a graph.
struct SpeltOutLinear {
    Value input{};
    Value weight{};
    Value bias{};
    Node* product = nullptr;    ///< matmul or addmm
    Node* transpose = nullptr;
};

class LinearFinder {
public:
    LinearFinder(Graph& graph, bool of_core_ops) : graph_(graph), of_core_ops_(of_core_ops) {}

    /// Whether `node` is the last one of such a group.
    [[nodiscard]] bool find(Node& node, SpeltOutLinear& found) const {
        if (node.op() == "aten::addmm")
            return is_one(node.find("beta")) && is_one(node.find("alpha")) &&
                   match(node, value(node, "mat1"), value(node, "mat2"), found) &&
                   fits_bias(value(node, "self"), found);
        if (node.op() == "aten::matmul")
            return match(node, value(node, "self"), value(node, "other"), found) && !waits_for_bias(node, found);
        if (node.op() == "aten::mm")
            return of_core_ops_ && match(node, value(node, "self"), value(node, "mat2"), found);
        return node.op() == "aten::add.Tensor" && find_biased(node, found);
    }

private:
    [[nodiscard]] static Value value(const Node& node, std::string_view name) {
        const Argument* argument = node.find(name);
        const Value* found = argument != nullptr ? argument->get_if<Value>() : nullptr;
        return found != nullptr ? *found : Value();
    }
    [[nodiscard]] static bool is_one(const Argument* scalar) {
        return scalar == nullptr || *scalar == Argument(1) || *scalar == Argument(1.0);
    }

    [[nodiscard]] const TensorMeta* tensor(Value value) const {
        if (!value) return nullptr;
        const ValueInfo& info = graph_.info(value);
        return info.kind == ValueKind::tensor ? &info.tensor : nullptr;
    }

    [[nodiscard]] bool match(Node& product, Value input, Value transposed, SpeltOutLinear& found) const {
        const TensorMeta* x = tensor(input);
        if (x == nullptr || x->sizes.empty() || tensor(transposed) == nullptr) return false;
        Node* transpose = graph_.info(transposed).producer;
        if (transpose == nullptr || !only_use(transposed)) return false;
        if (transpose->op() != "aten::t" && !(of_core_ops_ && exchanges_rows_and_columns(*transpose))) return false;
        const Value weight = value(*transpose, "self");
        const TensorMeta* w = tensor(weight);
        if (w == nullptr || w->sizes.size() != 2 || w->dtype != x->dtype || tensor(product.output())->dtype != x->dtype)
            return false;
        found = {.input = input, .weight = weight, .product = &product, .transpose = transpose};
        return true;
    }

    /// Of a matrix that the program is given, not one that it computes.
    [[nodiscard]] bool exchanges_rows_and_columns(const Node& node) const {
        const Value matrix = value(node, "self");
        if (tensor(matrix) == nullptr || graph_.info(matrix).producer != nullptr) return false;
        if (node.op() == "aten::permute") {
            const Argument* dims = node.find("dims");
            const auto* order = dims != nullptr ? dims->get_if<ArgumentList>() : nullptr;
            return order != nullptr && order->size() == 2 && is_dim((*order)[0], 1) && is_dim((*order)[1], 0);
        }
        if (node.op() != "aten::transpose.int") return false;
        const Argument *first = node.find("dim0"), *second = node.find("dim1");
        return first != nullptr && second != nullptr &&
               ((is_dim(*first, 0) && is_dim(*second, 1)) || (is_dim(*first, 1) && is_dim(*second, 0)));
    }
    /// Of two, perhaps counted from the end.
    [[nodiscard]] static bool is_dim(const Argument& given, std::int64_t wanted) {
        return given == Argument(wanted) || given == Argument(wanted - 2);
    }

    [[nodiscard]] bool only_use(Value value) const {
        const ValueInfo& info = graph_.info(value);
        return info.users.size() == 1 && info.output_uses == 0;
    }

    [[nodiscard]] bool fits_bias(Value bias, SpeltOutLinear& found) const {
        const TensorMeta* b = tensor(bias);
        const TensorMeta* w = tensor(found.weight);
        if (b == nullptr || b->sizes.size() != 1 || b->dtype != w->dtype || !(b->sizes[0] == w->sizes[0])) return false;
        found.bias = bias;
        return true;
    }

    [[nodiscard]] bool find_biased(Node& add, SpeltOutLinear& found) const {
        const Value sum = value(add, "self");
        if (tensor(sum) == nullptr || !is_one(add.find("alpha"))) return false;
        Node* product = graph_.info(sum).producer;
        return product != nullptr && product->op() == "aten::matmul" && only_use(sum) &&
               match(*product, value(*product, "self"), value(*product, "other"), found) &&
               fits_bias(value(add, "other"), found);
    }

    /// The product is left to the sum behind it.
    [[nodiscard]] bool waits_for_bias(const Node& product, SpeltOutLinear found) const {
        const ValueInfo& info = graph_.info(product.output());
        return info.users.size() == 1 && info.users[0]->op() == "aten::add.Tensor" &&
               find_biased(*info.users[0], found);
    }

    Graph& graph_;
    bool of_core_ops_;
};

}  // namespace detail

/// C++'s torch::nn::functional::linear calls `t` and `matmul`, `add.Tensor` or `addmm`. Where nothing else uses what comes
/// between, this puts back the `aten::linear` that Python has and every backend looks for; with `of_core_ops` also where a program was
/// written in core ATen, as `permute` and `addmm` or `mm`. Returns how many.
inline std::size_t restore_linear(Graph& graph, bool of_core_ops = false) {
    const detail::LinearFinder finder(graph, of_core_ops);
    std::size_t made = 0;
    for (Node& node : graph.nodes()) {
        detail::SpeltOutLinear found;
        if (!finder.find(node, found)) continue;
        const Value old = node.output();
        ValueInfo info{.name = {}, .tensor = std::move(graph.info(old).tensor)};  // which goes
        const Value result = graph.new_value("linear", std::move(info));
        std::vector<NamedArgument> arguments{{"input", found.input}, {"weight", found.weight}};
        if (found.bias) arguments.push_back({"bias", found.bias});
        Node& linear = graph.insert_before(&node, "aten::linear", std::move(arguments), {{.values = {result}}});
        // The transpose takes the weight itself, so its path may be the more precise one.
        const std::string_view owner = found.transpose->module_path();
        linear.set_module_path(owner.starts_with(node.module_path()) ? owner : node.module_path());
        graph.replace_uses(old, result);
        graph.erase(node);
        if (found.product != &node) graph.erase(*found.product);
        graph.erase(*found.transpose);
        ++made;
    }
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) made += restore_linear(graph.subgraph({i}), of_core_ops);
    debug_verify(graph);
    return made;
}

}  // namespace ferry
