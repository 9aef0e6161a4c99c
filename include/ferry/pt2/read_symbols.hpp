#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/graph/value.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/schema.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace ferry::pt2 {

/// Expressions over sizes; each text is parsed once. Learns what every symbol was in the example.
class SymbolReader {
public:
    [[nodiscard]] SymExpr integer(const Parsed& json) {
        const auto [tag, value] = tagged_of(json);
        if (tag == "as_int") return integer_of(value);
        if (tag != "as_expr") damaged("a size is neither a number nor an expression");
        const SymExpr& made = expression(value, SymType::integer);
        if (const Parsed* hint = optional_member(value, "hint"); hint != nullptr && made.is_symbol())
            hints_.set(made.name(), integer_of(member(*hint, "as_int")));
        return made;
    }
    [[nodiscard]] SymExpr real(const Parsed& json) {
        const auto [tag, value] = tagged_of(json);
        if (tag == "as_float") return SymExpr::real(real_of(value));
        if (tag != "as_expr") damaged("a number is neither given nor an expression");
        return expression(value, SymType::real);
    }
    [[nodiscard]] SymExpr boolean(const Parsed& json) {
        const auto [tag, value] = tagged_of(json);
        if (tag == "as_bool") return SymExpr::boolean(flag_of(value));
        if (tag != "as_expr") damaged("a condition is neither given nor an expression");
        return expression(value, SymType::boolean);
    }

    [[nodiscard]] static Device device(const Parsed& json) {
        Device made{std::string(text_of(member(json, "type")))};
        if (const Parsed* index = optional_member(json, "index"))
            made.index = static_cast<std::int32_t>(integer_of(*index));
        return made;
    }

    [[nodiscard]] TensorMeta tensor(const Parsed& json) {
        TensorMeta meta{.dtype = from_number(scalar_types, integer_of(member(json, "dtype")), "dtype"),
                        .layout = from_number(layouts, integer_of(member(json, "layout")), "layout"),
                        .requires_grad = flag_of(member(json, "requires_grad")),
                        .device = device(member(json, "device"))};
        const auto sizes = list_of(member(json, "sizes"));
        const auto strides = list_of(member(json, "strides"));
        meta.sizes.reserve(sizes.size());
        meta.strides.reserve(strides.size());
        for (const Parsed& size : sizes) meta.sizes.push_back(integer(size));
        for (const Parsed& stride : strides) meta.strides.push_back(integer(stride));
        if (meta.sizes.size() != meta.strides.size()) damaged("a tensor has another number of strides than of sizes");
        return meta;
    }

    [[nodiscard]] static SymMap<ValueRange> ranges(const Parsed& json) {
        SymMap<ValueRange> made;
        for (const auto& [name, range] : object_of(json).members()) {
            ValueRange read;
            const auto is_no_bound = [](const Parsed& bound, bool above) {
                return is_beyond_64_bits(bound) && (bound.real() > 0) == above;
            };
            if (const Parsed* least = optional_member(range, "min_val");
                least != nullptr && !is_no_bound(*least, false))
                read.min = integer_of(*least);
            if (const Parsed* most = optional_member(range, "max_val"); most != nullptr && !is_no_bound(*most, true))
                read.max = integer_of(*most);
            made.set(name, read);
        }
        return made;
    }

    [[nodiscard]] const SymBindings& hints() const noexcept { return hints_; }

private:
    [[nodiscard]] const SymExpr& expression(const Parsed& json, SymType type) {
        const std::string text(text_of(member(json, "expr_str")));
        auto found = parsed_.find(text);
        if (found == parsed_.end()) found = parsed_.emplace(text, parse_sym_expr(text)).first;
        if (found->second.type() != type) damaged("an expression over sizes is of another type: " + text);
        return found->second;
    }

    std::unordered_map<std::string, SymExpr> parsed_;
    SymBindings hints_;
};

}  // namespace ferry::pt2
