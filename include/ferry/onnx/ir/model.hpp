#pragma once

#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <ATen/core/Tensor.h>

#include <concepts>
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
/// Translations make hundreds of these: what a variant of so many types costs is paid once, in model-inl.hpp.
struct Attribute {
    std::string name;
    AttributeValue value;

    template <std::integral Number>
    Attribute(std::string_view attribute, Number number) : Attribute(attribute, static_cast<std::int64_t>(number)) {}
    Attribute(std::string_view attribute, std::int64_t number);
    Attribute(std::string_view attribute, double number);
    Attribute(std::string_view attribute, std::string text);
    Attribute(std::string_view attribute, std::vector<std::int64_t> numbers);
    Attribute(std::string_view attribute, std::vector<double> numbers);
    Attribute(std::string_view attribute, std::vector<std::string> texts);
    Attribute(std::string_view attribute, at::Tensor tensor);
    Attribute(std::string_view attribute, BodyRef body);

    Attribute(const Attribute&);
    Attribute(Attribute&&) noexcept;
    Attribute& operator=(const Attribute&);
    Attribute& operator=(Attribute&&) noexcept;
    ~Attribute();
};

struct Node {
    std::string op;
    std::string domain{};  ///< empty: ONNX's own
    std::vector<Ref> inputs{};
    std::vector<Ref> outputs{};
    std::vector<Attribute> attributes{};
    std::string_view path{};  ///< of the module; interned in the model
    bool is_check = false;  ///< it is there to fail, and stays though it does nothing else

    [[nodiscard]] const AttributeValue* find(std::string_view name) const noexcept;
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
    std::vector<Body> bodies;
    std::vector<std::pair<std::string, std::string>> metadata;
    std::vector<std::pair<std::string, std::int64_t>> opsets;  ///< domain, version
    std::string doc{};

    [[nodiscard]] Body& main() { return bodies.front(); }
    [[nodiscard]] const Body& main() const { return bodies.front(); }
    [[nodiscard]] std::int64_t opset() const { return opsets.front().second; }

    Ref add(ValueData value);
    [[nodiscard]] ValueData& operator[](Ref value);
    [[nodiscard]] const ValueData& operator[](Ref value) const;
    [[nodiscard]] std::size_t num_values() const noexcept { return values_.size(); }
    [[nodiscard]] std::size_t num_nodes() const noexcept;

    /// Text that lives as long as the model, each text once.
    std::string_view intern(std::string_view text);

    Model();
    Model(Model&&) noexcept;
    Model& operator=(Model&&) noexcept;
    Model(const Model&) = delete;  // paths point into the model's own texts
    Model& operator=(const Model&) = delete;
    ~Model();

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

#ifndef FERRY_COMPILED
#include <ferry/onnx/ir/model-inl.hpp>
#endif
