#pragma once

#include <ATen/core/Tensor.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace ferry {

/// What a tree ends in: a tensor, a constant, or None. An undefined at::Tensor stays a tensor leaf, so that it comes back
/// as what it was; None is what an empty std::optional gives.
class Leaf {
public:
    enum class Kind : std::uint8_t { none, boolean, integer, real, text, tensor };  // in the order of the variant below

    Leaf() = default;
    Leaf(at::Tensor tensor) : value_(std::move(tensor)) {}
    Leaf(std::string text) : value_(std::move(text)) {}
    Leaf(std::string_view text) : value_(std::string(text)) {}
    Leaf(const char* text) : value_(std::string(text)) {}
    template <std::floating_point Real>
    Leaf(Real value) : value_(static_cast<double>(value)) {}
    template <std::same_as<bool> Bool>
    Leaf(Bool value) : value_(value) {}
    template <std::integral Int>
        requires(!std::same_as<Int, bool>)
    Leaf(Int value) : value_(static_cast<std::int64_t>(value)) {}

    [[nodiscard]] Kind kind() const noexcept { return static_cast<Kind>(value_.index()); }
    [[nodiscard]] bool is_none() const noexcept { return kind() == Kind::none; }
    [[nodiscard]] bool is_tensor() const noexcept { return kind() == Kind::tensor; }
    /// None, or an undefined tensor, which is what C++ has for it.
    [[nodiscard]] bool is_absent() const noexcept {
        const auto* tensor = get_if<at::Tensor>();
        return is_none() || (tensor != nullptr && !tensor->defined());
    }

    /// The value if the leaf holds a `Type` (bool, std::int64_t, double, std::string, at::Tensor), else null.
    template <class Type>
    [[nodiscard]] const Type* get_if() const noexcept {
        return std::get_if<Type>(&value_);
    }
    [[nodiscard]] const at::Tensor& tensor() const { return std::get<at::Tensor>(value_); }

    /// Tensors are equal when they are the same tensor, not when they hold equal numbers.
    friend bool operator==(const Leaf& a, const Leaf& b) {
        if (a.is_tensor() && b.is_tensor()) return a.tensor().is_same(b.tensor());
        return a.value_.index() == b.value_.index() && std::visit(
                                                           [&](const auto& value) {
                                                               using Type = std::remove_cvref_t<decltype(value)>;
                                                               if constexpr (std::same_as<Type, at::Tensor>)
                                                                   return false;
                                                               else
                                                                   return value == std::get<Type>(b.value_);
                                                           },
                                                           a.value_);
    }

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, at::Tensor> value_;
};

namespace tree::detail {

[[nodiscard]] constexpr std::string_view kind_name(Leaf::Kind kind) noexcept {
    constexpr std::string_view names[] = {"None",     "a bool",  "an integer", "a floating-point number",
                                          "a string", "a tensor"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace tree::detail
}  // namespace ferry
