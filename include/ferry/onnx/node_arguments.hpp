#pragma once

#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// What the node that is up was called with, and what its results are. Arguments are asked for by their names in the op's schema, and are
/// what the schema says where the call leaves them out.
class NodeArguments {
public:
    [[nodiscard]] const Graph& graph() const noexcept { return *graph_; }
    [[nodiscard]] const ferry::Node& node() const noexcept { return *node_; }

    // Arguments.
    [[nodiscard]] Argument argument(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] bool is_tensor(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    /// A number that may follow a size, and a list of them.
    [[nodiscard]] SymExpr symbolic(std::string_view name) const;
    [[nodiscard]] std::vector<SymExpr> symbolics(std::string_view name) const;
    /// A dimension of a tensor of so many, counted from the front.
    [[nodiscard]] std::int64_t dim(std::string_view name, std::int64_t rank) const {
        return wrapped(integer(name), rank);
    }
    [[nodiscard]] std::vector<std::int64_t> dims(std::string_view name, std::int64_t rank) const;
    [[nodiscard]] static std::int64_t wrapped(std::int64_t dim, std::int64_t rank) {
        return dim < 0 ? dim + std::max<std::int64_t>(rank, 1) : dim;
    }
    /// torch::result_type of some arguments.
    [[nodiscard]] DType promoted(std::initializer_list<std::string_view> names) const;

    // Results.
    [[nodiscard]] std::size_t num_results() const;
    [[nodiscard]] const ValueInfo& result_info(std::size_t position = 0) const;
    /// Of complex numbers that of their parts.
    [[nodiscard]] DType result_dtype(std::size_t position = 0) const {
        return stored_dtype(result_info(position).tensor.dtype);
    }
    [[nodiscard]] const std::vector<SymExpr>& result_sizes(std::size_t position = 0) const {
        return result_info(position).tensor.sizes;
    }
    [[nodiscard]] std::int64_t result_rank(std::size_t position = 0) const {
        return static_cast<std::int64_t>(result_sizes(position).size());
    }
    [[nodiscard]] bool is_wanted(std::size_t position) const;

    /// What ONNX cannot express; the message says what, the place is this node's.
    [[noreturn]] void refuse(const std::string& what, std::string hint = {}) const;

protected:
    /// The graph whose nodes are up next; gives the one before.
    const Graph* set_graph(const Graph* graph) { return std::exchange(graph_, graph); }
    [[nodiscard]] const ferry::Node* current_node() const noexcept { return node_; }
    void set_current_node(const ferry::Node& node);
    [[noreturn]] void wrong_argument(std::string_view name, std::string_view wanted) const;

private:
    [[nodiscard]] std::int64_t as_integer(const Argument& argument, std::string_view name) const;
    [[nodiscard]] SymExpr as_symbolic(const Argument& argument, std::string_view name) const;

    const Graph* graph_ = nullptr;
    const ferry::Node* node_ = nullptr;
    const c10::FunctionSchema* schema_ = nullptr;
    std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;  // by the op's interned name
};

inline const ValueInfo& NodeArguments::result_info(std::size_t position) const {
    return graph_->info(node_->output(position));
}

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/node_arguments-inl.hpp>
#endif
