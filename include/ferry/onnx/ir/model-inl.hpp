#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/ir/model.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx {

FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::int64_t number) : name(attribute), value(number) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, double number) : name(attribute), value(number) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::string text)
    : name(attribute), value(std::move(text)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::vector<std::int64_t> numbers)
    : name(attribute), value(std::move(numbers)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::vector<double> numbers)
    : name(attribute), value(std::move(numbers)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, std::vector<std::string> texts)
    : name(attribute), value(std::move(texts)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, at::Tensor tensor)
    : name(attribute), value(std::move(tensor)) {}
FERRY_INLINE Attribute::Attribute(std::string_view attribute, BodyRef body) : name(attribute), value(body) {}
FERRY_INLINE Attribute::Attribute(const Attribute&) = default;
FERRY_INLINE Attribute::Attribute(Attribute&&) noexcept = default;
FERRY_INLINE Attribute& Attribute::operator=(const Attribute&) = default;
FERRY_INLINE Attribute& Attribute::operator=(Attribute&&) noexcept = default;
FERRY_INLINE Attribute::~Attribute() = default;

FERRY_INLINE const AttributeValue* Node::find(std::string_view name) const noexcept {
    for (const Attribute& attribute : attributes)
        if (attribute.name == name) return &attribute.value;
    return nullptr;
}

FERRY_INLINE Model::Model() : bodies{Body{.name = "main_graph"}}, opsets{{"", 20}} {}
FERRY_INLINE Model::Model(Model&&) noexcept = default;
FERRY_INLINE Model& Model::operator=(Model&&) noexcept = default;
FERRY_INLINE Model::~Model() = default;

FERRY_INLINE Ref Model::add(ValueData value) {
    values_.push_back(std::move(value));
    return {static_cast<std::uint32_t>(values_.size() - 1)};
}
FERRY_INLINE ValueData& Model::operator[](Ref value) { return values_.at(value.index); }
FERRY_INLINE const ValueData& Model::operator[](Ref value) const { return values_.at(value.index); }
FERRY_INLINE std::size_t Model::num_nodes() const noexcept {
    std::size_t count = 0;
    for (const Body& body : bodies) count += body.nodes.size();
    return count;
}

FERRY_INLINE std::string_view Model::intern(std::string_view text) {
    if (const auto found = interned_.find(text); found != interned_.end()) return *found;
    return *interned_.insert(texts_.emplace_back(text)).first;
}

}  // namespace ferry::onnx
