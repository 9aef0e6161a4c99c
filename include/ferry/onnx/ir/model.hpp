#pragma once

#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

/// ONNX as Ferry builds and changes it, before it becomes a protobuf. Weights are referred to, never copied.
namespace ferry::onnx {

/// A value of a model by number; the default one is an input that is left out.
struct Ref {
    static constexpr std::uint32_t nowhere = UINT32_MAX;
    std::uint32_t index = nowhere;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return index != nowhere; }
    friend constexpr bool operator==(Ref, Ref) noexcept = default;
};

/// One of a model's graphs by number: 0 is the model's own, the others are bodies of If, Loop and Scan.
struct BodyRef {
    std::uint32_t index = 0;
    friend constexpr bool operator==(BodyRef, BodyRef) noexcept = default;
};

struct ValueData {
    std::string name{};
    DType dtype = DType::float32;
    std::optional<std::vector<SymExpr>> sizes{};  ///< not known: nothing is said about the shape
    at::Tensor constant{};                        ///< defined: an initializer
};

using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                                    std::vector<std::string>, at::Tensor, BodyRef>;
struct Attribute {
    std::string name;
    AttributeValue value;
};

struct Node {
    std::string op;
    std::string domain{};  ///< empty: ONNX's own
    std::vector<Ref> inputs{};
    std::vector<Ref> outputs{};
    std::vector<Attribute> attributes{};
    std::string_view path{};  ///< of the module; interned in the model

    [[nodiscard]] const AttributeValue* find(std::string_view name) const noexcept {
        for (const Attribute& attribute : attributes)
            if (attribute.name == name) return &attribute.value;
        return nullptr;
    }
};

/// A graph: nodes in order of run. Values of the graphs around it may be used freely.
struct Body {
    std::string name{};
    std::vector<Ref> inputs{};
    std::vector<Ref> outputs{};
    std::vector<Node> nodes{};
};

class Model {
public:
    std::vector<Body> bodies{Body{.name = "main_graph"}};
    std::vector<std::pair<std::string, std::string>> metadata{};
    std::vector<std::pair<std::string, std::int64_t>> opsets{{"", 20}};  ///< domain, version
    std::string doc{};

    [[nodiscard]] Body& main() { return bodies.front(); }
    [[nodiscard]] const Body& main() const { return bodies.front(); }
    [[nodiscard]] std::int64_t opset() const { return opsets.front().second; }

    Ref add(ValueData value) {
        values_.push_back(std::move(value));
        return {static_cast<std::uint32_t>(values_.size() - 1)};
    }
    [[nodiscard]] ValueData& operator[](Ref value) { return values_.at(value.index); }
    [[nodiscard]] const ValueData& operator[](Ref value) const { return values_.at(value.index); }
    [[nodiscard]] std::size_t num_values() const noexcept { return values_.size(); }
    [[nodiscard]] std::size_t num_nodes() const noexcept {
        std::size_t count = 0;
        for (const Body& body : bodies) count += body.nodes.size();
        return count;
    }

    /// Text that lives as long as the model, each text once.
    std::string_view intern(std::string_view text) {
        if (const auto found = interned_.find(text); found != interned_.end()) return *found;
        return *interned_.insert(texts_.emplace_back(text)).first;
    }

    Model() = default;
    Model(Model&&) = default;
    Model& operator=(Model&&) = default;
    Model(const Model&) = delete;  // paths point into the model's own texts
    Model& operator=(const Model&) = delete;

private:
    std::deque<ValueData> values_;  // references stay good while values are added
    std::deque<std::string> texts_;
    std::unordered_set<std::string_view> interned_;
};

/// Calls `visit` with every body that a node runs.
template <class Visit>
void for_each_body(const Node& node, Visit&& visit) {
    for (const Attribute& attribute : node.attributes)
        if (const auto* body = std::get_if<BodyRef>(&attribute.value)) visit(*body);
}

}  // namespace ferry::onnx
