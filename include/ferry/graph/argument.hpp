#pragma once

#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/value.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {

class Argument;
using ArgumentList = std::vector<Argument>;

/// One of the graphs inside a graph, by its position there: a branch or body of a higher-order op.
struct Subgraph {
    std::uint32_t index = 0;
    friend constexpr bool operator==(Subgraph, Subgraph) noexcept = default;
};

/// What an op is called with, in the types that its schema has. An integer that follows a dynamic size is a Value.
class Argument {
public:
    using Variant = std::variant<std::monostate, Value, bool, std::int64_t, double, std::complex<double>, std::string,
                                 DType, Layout, MemoryFormat, Device, Subgraph, ArgumentList>;

    Argument() = default;
    Argument(const Argument&);  // these in argument-inl.hpp: the variant's own are long for a compiler
    Argument(Argument&&) noexcept;
    Argument& operator=(const Argument&);
    Argument& operator=(Argument&&) noexcept;
    ~Argument();
    template <class Type>
        requires(!std::is_same_v<std::remove_cvref_t<Type>, Argument> && std::is_constructible_v<Variant, Type>)
    Argument(Type&& value) : value_(std::forward<Type>(value)) {}
    Argument(int value) : value_(std::int64_t{value}) {}
    Argument(const char* text) : value_(std::string(text)) {}

    [[nodiscard]] bool is_none() const noexcept { return std::holds_alternative<std::monostate>(value_); }
    template <class Type>
    [[nodiscard]] const Type* get_if() const noexcept {
        return std::get_if<Type>(&value_);
    }
    template <class Type>
    [[nodiscard]] Type* get_if() noexcept {
        return std::get_if<Type>(&value_);
    }
    template <class Type>
    [[nodiscard]] bool is() const noexcept {
        return std::holds_alternative<Type>(value_);
    }
    [[nodiscard]] const Variant& variant() const noexcept { return value_; }

    friend bool operator==(const Argument& left, const Argument& right) { return left.equals(right); }

private:
    [[nodiscard]] bool equals(const Argument& other) const;

    Variant value_;
};

/// Calls `visit` with every Value in an argument, those in nested lists too.
template <class Visit>
void for_each_value(const Argument& argument, Visit&& visit) {
    if (const auto* value = argument.get_if<Value>()) visit(*value);
    if (const auto* list = argument.get_if<ArgumentList>())
        for (const Argument& item : *list) for_each_value(item, visit);
}
template <class Visit>
void for_each_value(Argument& argument, Visit&& visit) {
    if (auto* value = argument.get_if<Value>()) visit(*value);
    if (auto* list = argument.get_if<ArgumentList>())
        for (Argument& item : *list) for_each_value(item, visit);
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/graph/argument-inl.hpp>
#endif
