#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/constant_method.hpp>

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::executorch {
namespace detail {

inline void append_constants(std::vector<ConstantValue>& made, const tree::Context& value) {
    using Kind = tree::Context::Kind;
    switch (value.kind()) {
        case Kind::none: return;
        case Kind::boolean: made.emplace_back(*value.as_boolean()); return;
        case Kind::real: made.emplace_back(*value.as_real()); return;
        case Kind::text: made.emplace_back(value.text()); return;
        case Kind::integer:
            if (const auto number = value.as_integer()) {
                made.emplace_back(*number);
                return;
            }
            throw Error(ErrorKind::unsupported, value.text() + " is no number of 64 bits: no method can give it");
        case Kind::list:
        case Kind::dict:
            for (const tree::Context& each : value.items()) append_constants(made, each);
    }
}

}  // namespace detail

FERRY_INLINE ConstantMethod constant_method(const tree::Context& value) {
    std::vector<ConstantValue> made;
    detail::append_constants(made, value);
    if (made.size() != 1 || value.is_list() || value.is_dict()) return made;
    return std::visit([](const auto& one) { return ConstantMethod(one); }, made[0]);
}

}  // namespace ferry::executorch
