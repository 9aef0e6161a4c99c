#pragma once

#include <ferry/graph/node.hpp>
#include <ferry/graph/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry {

/// Nodes in order of run, the values between them, and the graphs inside. Nodes never move in memory, so a Node& stays good
/// until that node is erased; inserting and erasing take no time that depends on the graph's size.
class Graph {
public:
    Graph();
    /// Values keep their numbers; nodes are new ones.
    Graph(const Graph& other);
    Graph(Graph&& other) noexcept;
    ~Graph();
    Graph& operator=(Graph other) noexcept {
        swap(other);
        return *this;
    }
    void swap(Graph& other) noexcept;

    // Values.
    Value add_input(std::string_view name, ValueInfo info) {
        return insert_input(inputs_.size(), name, std::move(info));
    }
    Value insert_input(std::size_t position, std::string_view name, ValueInfo info);
    /// Removes an input that nobody uses.
    void erase_input(Value input);
    [[nodiscard]] std::span<const Value> inputs() const noexcept { return inputs_; }
    [[nodiscard]] const ValueInfo& info(Value value) const { return values_[checked(value)]; }
    [[nodiscard]] ValueInfo& info(Value value) { return values_[checked(value)]; }
    [[nodiscard]] std::size_t num_values() const noexcept { return values_.size(); }
    [[nodiscard]] const std::vector<Argument>& outputs() const noexcept { return outputs_; }
    void set_outputs(std::vector<Argument> outputs);

    // Nodes.
    /// A new node before `place` (null: at the end). Every value in `outputs` must be new, from new_value().
    Node& insert_before(Node* place, std::string_view op, std::vector<NamedArgument> arguments,
                        std::vector<Output> outputs);
    Node& append(std::string_view op, std::vector<NamedArgument> arguments, std::vector<Output> outputs) {
        return insert_before(nullptr, op, std::move(arguments), std::move(outputs));
    }
    /// A value for a node that is about to be made; named like `base`, with a number if that name is taken.
    Value new_value(std::string_view base, ValueInfo info);
    /// Removes a node whose outputs nobody uses.
    void erase(Node& node);
    void set_argument(Node& node, std::size_t position, Argument argument);
    void set_argument(Node& node, std::string_view name, Argument argument);
    /// Every use of `old`, by nodes and as an output of the graph, becomes one of `replacement`.
    void replace_uses(Value old, Value replacement);
    /// The same with an argument that has no values in it.
    void replace_by_constant(Value old, const Argument& constant);
    [[nodiscard]] bool is_used(Value value) const;
    [[nodiscard]] std::size_t num_nodes() const noexcept { return num_nodes_; }
    [[nodiscard]] Node* first() const noexcept { return first_; }
    [[nodiscard]] Node* last() const noexcept { return last_; }

    template <class GraphNode>
    class Iterator;
    template <class GraphNode>
    struct Range;
    [[nodiscard]] Range<Node> nodes() noexcept;
    [[nodiscard]] Range<const Node> nodes() const noexcept;

    // Graphs of higher-order ops.
    Subgraph add_subgraph(std::string name, Graph graph);
    [[nodiscard]] Graph& subgraph(Subgraph which) { return *subgraphs_.at(which.index).second; }
    [[nodiscard]] const Graph& subgraph(Subgraph which) const { return *subgraphs_.at(which.index).second; }
    [[nodiscard]] const std::string& subgraph_name(Subgraph which) const { return subgraphs_.at(which.index).first; }
    [[nodiscard]] std::size_t num_subgraphs() const noexcept { return subgraphs_.size(); }

    /// Text that lives as long as the graph, each text once.
    std::string_view intern(std::string_view text);

private:
    struct NameUse {
        std::uint32_t last_number = 0;
        bool taken = false;
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };

    [[nodiscard]] std::size_t checked(Value value) const {
        if (value.index >= values_.size())
            throw Error(ErrorKind::internal, "a value that is not of this graph was asked for");
        return value.index;
    }
    [[nodiscard]] std::string fresh_name(std::string_view candidate, bool any_word = false);
    [[nodiscard]] bool take_name(const std::string& name) { return !std::exchange(names_[name].taken, true); }
    Value make_value(std::string name, ValueInfo&& info);
    void add_uses(Node& node, const Argument& argument);
    void remove_uses(Node& node, const Argument& argument);

    std::vector<ValueInfo> values_;
    std::vector<Value> inputs_;
    std::vector<Argument> outputs_;
    std::vector<std::unique_ptr<Node>> storage_;  // erased ones too: their addresses must not come again
    Node* first_ = nullptr;
    Node* last_ = nullptr;
    std::size_t num_nodes_ = 0;
    std::vector<std::pair<std::string, std::unique_ptr<Graph>>> subgraphs_;
    std::unordered_map<std::string, NameUse, TextHash, std::equal_to<>> names_;
    std::deque<std::string> texts_;
    std::unordered_set<std::string_view> interned_;
};

/// Stands on a node and has already looked at the next one: the node may be erased while it is visited.
template <class GraphNode>
class Graph::Iterator {
public:
    using value_type = GraphNode;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(GraphNode* node) : node_(node), next_(node ? node->next() : nullptr) {}
    GraphNode& operator*() const noexcept { return *node_; }
    GraphNode* operator->() const noexcept { return node_; }
    Iterator& operator++() noexcept { return *this = Iterator(next_); }
    void operator++(int) noexcept { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.node_ == b.node_; }

private:
    GraphNode* node_ = nullptr;
    GraphNode* next_ = nullptr;
};

template <class GraphNode>
struct Graph::Range {
    GraphNode* first;
    [[nodiscard]] Iterator<GraphNode> begin() const noexcept { return Iterator<GraphNode>(first); }
    [[nodiscard]] Iterator<GraphNode> end() const noexcept { return {}; }
};

inline Graph::Range<Node> Graph::nodes() noexcept { return {first_}; }
inline Graph::Range<const Node> Graph::nodes() const noexcept { return {first_}; }

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/graph/graph-inl.hpp>
#endif
