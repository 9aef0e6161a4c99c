#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/node.hpp>
#include <ferry/graph/value.hpp>

#include <cstddef>
#include <deque>
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
    Graph() = default;
    Graph(Graph&&) = default;
    Graph& operator=(Graph&&) = default;

    // Values.
    Value add_input(std::string_view name, ValueInfo info);
    [[nodiscard]] std::span<const Value> inputs() const noexcept { return inputs_; }
    [[nodiscard]] const ValueInfo& info(Value value) const { return values_.at(value.index); }
    [[nodiscard]] ValueInfo& info(Value value) { return values_.at(value.index); }
    [[nodiscard]] std::size_t num_values() const noexcept { return values_.size(); }
    [[nodiscard]] const std::vector<Argument>& outputs() const noexcept { return outputs_; }
    void set_outputs(std::vector<Argument> outputs) { outputs_ = std::move(outputs); }

    // Nodes.
    /// A new node before `place` (null: at the end). Every value in `outputs` must be new, from new_value().
    Node& insert_before(Node* place, std::string_view op, std::vector<NamedArgument> arguments, std::vector<Output> outputs);
    Node& append(std::string_view op, std::vector<NamedArgument> arguments, std::vector<Output> outputs) {
        return insert_before(nullptr, op, std::move(arguments), std::move(outputs));
    }
    /// A value for a node that is about to be made; named like `base`, with a number if that name is taken.
    Value new_value(std::string_view base, ValueInfo info);
    /// Removes a node whose outputs nobody uses.
    void erase(Node& node);
    void set_argument(Node& node, std::size_t position, Argument argument);
    /// Every use of `old`, by nodes and as an output of the graph, becomes one of `replacement`.
    void replace_uses(Value old, Value replacement);
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
    [[nodiscard]] std::string fresh_name(std::string_view base);
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
    std::unordered_map<std::string, std::size_t> names_;  // how often each name was asked for
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

inline std::string_view Graph::intern(std::string_view text) {
    if (const auto found = interned_.find(text); found != interned_.end()) return *found;
    return *interned_.insert(texts_.emplace_back(text)).first;
}

inline std::string Graph::fresh_name(std::string_view base) {
    std::string name(base);
    for (;;) {
        const std::size_t times = names_[name]++;
        if (times == 0) return name;
        std::string numbered = std::string(base) + '_' + std::to_string(times);
        if (names_.try_emplace(numbered, 1).second) return numbered;
        name = base;
    }
}

inline Value Graph::new_value(std::string_view base, ValueInfo info) {
    const Value value{static_cast<std::uint32_t>(values_.size())};
    info.name = fresh_name(base);
    values_.push_back(std::move(info));
    return value;
}

inline Value Graph::add_input(std::string_view name, ValueInfo info) { return inputs_.emplace_back(new_value(name, std::move(info))); }

inline void Graph::add_uses(Node& node, const Argument& argument) {
    for_each_value(argument, [&](Value value) { info(value).users.push_back(&node); });
}

inline void Graph::remove_uses(Node& node, const Argument& argument) {
    for_each_value(argument, [&](Value value) {
        auto& users = info(value).users;
        for (std::size_t at = users.size(); at-- > 0;)
            if (users[at] == &node) {
                users.erase(users.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
    });
}

inline Node& Graph::insert_before(Node* place, std::string_view op, std::vector<NamedArgument> arguments, std::vector<Output> outputs) {
    Node& node = *storage_.emplace_back(std::make_unique<Node>());
    node.op_ = intern(op);
    node.arguments_ = std::move(arguments);
    node.outputs_ = std::move(outputs);
    for (const NamedArgument& argument : node.arguments_) add_uses(node, argument.value);
    for (const Output& output : node.outputs_)
        for (const Value value : output.values) info(value).producer = &node;
    node.next_ = place;
    node.previous_ = place ? place->previous_ : last_;
    (node.previous_ ? node.previous_->next_ : first_) = &node;
    (place ? place->previous_ : last_) = &node;
    ++num_nodes_;
    return node;
}

inline void Graph::erase(Node& node) {
    for (const Output& output : node.outputs_)
        for (const Value value : output.values)
            if (is_used(value))
                throw Error(ErrorKind::internal, "a node whose output '" + info(value).name + "' is in use was to be erased",
                            {.where = {.op = std::string(node.op_)}});
    for (const NamedArgument& argument : node.arguments_) remove_uses(node, argument.value);
    (node.previous_ ? node.previous_->next_ : first_) = node.next_;
    (node.next_ ? node.next_->previous_ : last_) = node.previous_;
    node.arguments_.clear();
    --num_nodes_;
}

inline void Graph::set_argument(Node& node, std::size_t position, Argument argument) {
    Argument& place = node.arguments_.at(position).value;
    remove_uses(node, place);
    place = std::move(argument);
    add_uses(node, place);
}

inline void Graph::replace_uses(Value old, Value replacement) {
    if (old == replacement) return;
    const auto exchange = [&](Value& value) {
        if (value == old) value = replacement;
    };
    std::vector<Node*> users = std::exchange(info(old).users, {});
    for (Node* user : users)
        for (NamedArgument& argument : user->arguments_) for_each_value(argument.value, exchange);
    auto& all = info(replacement).users;
    all.insert(all.end(), users.begin(), users.end());
    for (Argument& output : outputs_) for_each_value(output, exchange);
}

inline bool Graph::is_used(Value value) const {
    if (!info(value).users.empty()) return true;
    bool used = false;
    for (const Argument& output : outputs_) for_each_value(output, [&](Value out) { used = used || out == value; });
    return used;
}

inline Subgraph Graph::add_subgraph(std::string name, Graph graph) {
    subgraphs_.emplace_back(std::move(name), std::make_unique<Graph>(std::move(graph)));
    return {static_cast<std::uint32_t>(subgraphs_.size() - 1)};
}

}  // namespace ferry
