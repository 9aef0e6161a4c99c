#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/detail/python_text.hpp>
#include <ferry/graph/graph.hpp>
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

FERRY_INLINE std::string_view Graph::intern(std::string_view text) {
    if (const auto found = interned_.find(text); found != interned_.end()) return *found;
    return *interned_.insert(texts_.emplace_back(text)).first;
}

/// fx's rule, so that a graph's names are those that Python gives: `add`, `add_1`, and `sum_1` since `sum` is Python's.
FERRY_INLINE std::string Graph::fresh_name(std::string_view candidate, bool any_word) {
    const std::size_t last = candidate.find_last_not_of("0123456789");
    const bool numbered = last != std::string_view::npos && candidate[last] == '_' && last + 1 < candidate.size() &&
                          candidate.size() - last < 10;
    const std::string_view base = numbered ? candidate.substr(0, last) : candidate;
    std::string name(candidate);
    NameUse& use = names_.try_emplace(std::string(base)).first->second;
    std::uint32_t number = use.last_number;
    const auto next = [&] { name.assign(base).append("_").append(std::to_string(++number)); };
    if (numbered) {
        if (take_name(name)) {
            std::uint32_t given = 0;
            for (const char digit : candidate.substr(last + 1))
                given = given * 10 + static_cast<std::uint32_t>(digit - '0');
            use.last_number = given;
            return name;
        }
        next();
    } else if (!any_word && detail::is_python_word(candidate)) {
        next();
    }
    while (!take_name(name)) next();
    use.last_number = number;
    return name;
}

FERRY_INLINE Value Graph::make_value(std::string name, ValueInfo&& info) {
    const Value value{static_cast<std::uint32_t>(values_.size())};
    ValueInfo& made = values_.emplace_back(std::move(info));
    made.name = std::move(name);
    made.producer = {}, made.users = {}, made.output_uses = 0;  // `info` may be a copy of another value's
    return value;
}

FERRY_INLINE Value Graph::new_value(std::string_view base, ValueInfo info) {
    return make_value(fresh_name(base), std::move(info));
}

/// An input keeps its parameter's name even where that is one of Python's words: `input`.
FERRY_INLINE Value Graph::insert_input(std::size_t position, std::string_view name, ValueInfo info) {
    const Value value = make_value(fresh_name(name, true), std::move(info));
    inputs_.insert(inputs_.begin() + static_cast<std::ptrdiff_t>(std::min(position, inputs_.size())), value);
    return value;
}

FERRY_INLINE void Graph::erase_input(Value input) {
    const auto place = std::find(inputs_.begin(), inputs_.end(), input);
    if (place == inputs_.end() || is_used(input))
        throw Error(ErrorKind::internal, "'" + info(input).name + "' was to be erased, which is no input or in use");
    inputs_.erase(place);
}

FERRY_INLINE void Graph::set_outputs(std::vector<Argument> outputs) {
    for (const Argument& output : outputs_) for_each_value(output, [&](Value value) { --info(value).output_uses; });
    outputs_ = std::move(outputs);
    for (const Argument& output : outputs_) for_each_value(output, [&](Value value) { ++info(value).output_uses; });
}

FERRY_INLINE void Graph::add_uses(Node& node, const Argument& argument) {
    for_each_value(argument, [&](Value value) { info(value).users.push_back(&node); });
}

FERRY_INLINE void Graph::remove_uses(Node& node, const Argument& argument) {
    for_each_value(argument, [&](Value value) {
        auto& users = info(value).users;
        for (std::size_t at = users.size(); at-- > 0;)
            if (users[at] == &node) {
                users.erase(users.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
    });
}

FERRY_INLINE Node& Graph::insert_before(Node* place, std::string_view op, std::vector<NamedArgument> arguments,
                                        std::vector<Output> outputs) {
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

FERRY_INLINE void Graph::erase(Node& node) {
    if (node.erased_)
        throw Error(ErrorKind::internal, "a node was to be erased a second time",
                    {.where = {.op = std::string(node.op_)}});
    for (const Output& output : node.outputs_)
        for (const Value value : output.values)
            if (is_used(value))
                throw Error(ErrorKind::internal,
                            "a node whose output '" + info(value).name + "' is in use was to be erased",
                            {.where = {.op = std::string(node.op_)}});
    for (const NamedArgument& argument : node.arguments_) remove_uses(node, argument.value);
    (node.previous_ ? node.previous_->next_ : first_) = node.next_;
    (node.next_ ? node.next_->previous_ : last_) = node.previous_;
    for (const Output& output : node.outputs_)
        for (const Value value : output.values) info(value).producer = nullptr;
    node.arguments_.clear();
    node.outputs_.clear();
    node.erased_ = true;
    --num_nodes_;
}

FERRY_INLINE void Graph::set_argument(Node& node, std::size_t position, Argument argument) {
    Argument& place = node.arguments_.at(position).value;
    remove_uses(node, place);
    place = std::move(argument);
    add_uses(node, place);
}

FERRY_INLINE void Graph::set_argument(Node& node, std::string_view name, Argument argument) {
    const auto at = algo::find(node.arguments_, name, &NamedArgument::name);
    set_argument(node, static_cast<std::size_t>(at - node.arguments_.begin()), std::move(argument));
}

FERRY_INLINE void Graph::replace_uses(Value old, Value replacement) {
    if (old == replacement) return;
    const auto exchange = [&](Value& value) {
        if (value == old) value = replacement;
    };
    std::vector<Node*> users = std::exchange(info(old).users, {});
    for (Node* user : users)
        for (NamedArgument& argument : user->arguments_) for_each_value(argument.value, exchange);
    auto& all = info(replacement).users;
    all.insert(all.end(), users.begin(), users.end());
    if (const std::uint32_t as_output = std::exchange(info(old).output_uses, 0); as_output != 0) {
        for (Argument& output : outputs_) for_each_value(output, exchange);
        info(replacement).output_uses += as_output;
    }
}

FERRY_INLINE void Graph::replace_by_constant(Value old, const Argument& constant) {
    const auto exchange = [&](const auto& self, Argument& argument) -> void {
        if (const Value* value = argument.get_if<Value>(); value != nullptr && *value == old)
            argument = constant;
        else if (auto* list = argument.get_if<ArgumentList>())
            for (Argument& item : *list) self(self, item);
    };
    for (Node* user : std::exchange(info(old).users, {}))
        for (NamedArgument& argument : user->arguments_) exchange(exchange, argument.value);
    if (std::exchange(info(old).output_uses, 0) != 0)
        for (Argument& output : outputs_) exchange(exchange, output);
}

FERRY_INLINE bool Graph::is_used(Value value) const {
    const ValueInfo& used = info(value);
    return !used.users.empty() || used.output_uses != 0;
}

FERRY_INLINE Subgraph Graph::add_subgraph(std::string name, Graph graph) {
    subgraphs_.emplace_back(std::move(name), std::make_unique<Graph>(std::move(graph)));
    return {static_cast<std::uint32_t>(subgraphs_.size() - 1)};
}

FERRY_INLINE Graph::Graph() = default;
FERRY_INLINE Graph::Graph(Graph&& other) noexcept { swap(other); }
FERRY_INLINE Graph::~Graph() = default;

FERRY_INLINE void Graph::swap(Graph& other) noexcept {
    values_.swap(other.values_);
    inputs_.swap(other.inputs_);
    outputs_.swap(other.outputs_);
    storage_.swap(other.storage_);
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    std::swap(num_nodes_, other.num_nodes_);
    subgraphs_.swap(other.subgraphs_);
    names_.swap(other.names_);
    texts_.swap(other.texts_);
    interned_.swap(other.interned_);
}

FERRY_INLINE Graph::Graph(const Graph& other)
    : values_(other.values_),
      inputs_(other.inputs_),
      outputs_(other.outputs_),
      num_nodes_(other.num_nodes_),
      names_(other.names_) {
    std::unordered_map<const Node*, Node*> copies;
    for (const Node& node : other.nodes()) {
        Node& made = *storage_.emplace_back(std::make_unique<Node>(node));
        made.op_ = intern(node.op_);
        made.module_path_ = intern(node.module_path_);
        for (NamedArgument& argument : made.arguments_) argument.name = intern(argument.name);
        made.previous_ = last_;
        made.next_ = nullptr;
        (last_ ? last_->next_ : first_) = &made;
        last_ = &made;
        copies.emplace(&node, &made);
    }
    for (ValueInfo& value : values_) {
        if (value.producer != nullptr) value.producer = copies.at(value.producer);
        for (Node*& user : value.users) user = copies.at(user);
    }
    for (const auto& [name, graph] : other.subgraphs_) subgraphs_.emplace_back(name, std::make_unique<Graph>(*graph));
}

}  // namespace ferry
