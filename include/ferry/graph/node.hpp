#pragma once

#include <ferry/graph/argument.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

struct NamedArgument {
    std::string_view name;  ///< as in the schema; lives as long as the graph
    Argument value;
    bool keyword = false;   ///< the schema has it behind the `*`
};

/// One thing that an op returns: a value, a list of values, or nothing (an optional output that was not asked for).
struct Output {
    std::vector<Value> values{};
    bool is_list = false;
};

/// A call of an op. Made and erased by its graph; arguments are changed through the graph, which keeps the users of values.
class Node {
public:
    [[nodiscard]] std::string_view op() const noexcept { return op_; }
    [[nodiscard]] std::span<const NamedArgument> arguments() const noexcept { return arguments_; }
    [[nodiscard]] std::span<const Output> outputs() const noexcept { return outputs_; }
    [[nodiscard]] std::string_view module_path() const noexcept { return module_path_; }
    void set_module_path(std::string_view interned) noexcept { module_path_ = interned; }

    /// The argument of that name, or null where the call leaves it at the schema's default.
    [[nodiscard]] const Argument* find(std::string_view name) const noexcept {
        for (const NamedArgument& argument : arguments_)
            if (argument.name == name) return &argument.value;
        return nullptr;
    }

    /// The values among the positional arguments, and those that come out, counted flat.
    [[nodiscard]] Value input(std::size_t position) const;
    [[nodiscard]] Value output(std::size_t position = 0) const;

    [[nodiscard]] Node* next() const noexcept { return next_; }
    [[nodiscard]] Node* previous() const noexcept { return previous_; }

private:
    friend class Graph;

    std::string_view op_;
    std::string_view module_path_;
    std::vector<NamedArgument> arguments_;
    std::vector<Output> outputs_;
    Node* previous_ = nullptr;
    Node* next_ = nullptr;
    bool erased_ = false;
};

inline Value Node::input(std::size_t position) const {
    Value found;
    for (const NamedArgument& argument : arguments_)
        for_each_value(argument.value, [&](Value value) {
            if (position-- == 0) found = value;
        });
    return found;
}

inline Value Node::output(std::size_t position) const {
    for (const Output& output : outputs_) {
        if (position < output.values.size()) return output.values[position];
        position -= output.values.size();
    }
    return {};
}

}  // namespace ferry
