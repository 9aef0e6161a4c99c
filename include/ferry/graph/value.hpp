#pragma once

#include <ferry/fwd.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace ferry {

/// Something that a graph's nodes compute or take: a number that the graph can look up, cheap to copy and to compare.
struct Value {
    static constexpr std::uint32_t nowhere = UINT32_MAX;
    std::uint32_t index = nowhere;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return index != nowhere; }
    friend constexpr bool operator==(Value, Value) noexcept = default;
};

enum class ValueKind : std::uint8_t { tensor, sym_int, sym_float, sym_bool };

/// What is known of a tensor before it exists.
struct TensorMeta {
    DType dtype = DType::float32;
    Layout layout = Layout::strided;
    bool requires_grad = false;
    Device device{};
    std::vector<SymExpr> sizes{};
    std::vector<SymExpr> strides{};

    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

struct ValueInfo {
    std::string name;
    ValueKind kind = ValueKind::tensor;
    TensorMeta tensor{};           ///< of a tensor
    SymExpr symbol{};              ///< of a sym_int: what it is in terms of the graph's symbols
    Node* producer = nullptr;      ///< null: an input of the graph
    std::vector<Node*> users{};    ///< a node that uses the value twice stands here twice
    std::uint32_t output_uses = 0; ///< how often it is an output of the graph
};

}  // namespace ferry
