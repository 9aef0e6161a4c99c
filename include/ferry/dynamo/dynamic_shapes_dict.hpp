#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/tree/context.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Dynamic shapes as a dict, for configurations in files: {"input_ids": {"0": {"name": "batch", "min": 1}, "1": "auto"}}.
namespace ferry {

[[noreturn]] inline void refuse_setting(const std::string& key, const std::string& wanted) {
    throw Error(ErrorKind::invalid_input, "the setting is not " + wanted, {.where = {.path = key}});
}

namespace detail {

struct DictOfSettings {
    std::vector<std::string> keys{};
    std::vector<tree::Context> values{};

    void put(std::string key, tree::Context value) {
        keys.push_back(std::move(key));
        values.push_back(std::move(value));
    }
    [[nodiscard]] tree::Context take() { return tree::Context::dict(std::move(keys), std::move(values)); }
};

[[nodiscard]] inline tree::Context named_range(const std::string& name, const ValueRange& range) {
    DictOfSettings made;
    made.put("name", name);
    if (range.min != ValueRange::no_min) made.put("min", range.min);
    if (range.max != ValueRange::no_max) made.put("max", range.max);
    return made.take();
}

[[nodiscard]] inline tree::Context to_setting(const Dim& dim) {
    if (dim.kind() == Dim::AUTO) return "auto";
    if (dim.kind() == Dim::STATIC) return "static";
    if (dim.size().is_symbol()) return named_range(dim.ranges().begin()->first, dim.ranges().begin()->second);
    std::vector<tree::Context> ranges;
    for (const auto& [name, range] : dim.ranges()) ranges.push_back(named_range(name, range));
    DictOfSettings made;
    made.put("size", to_string(dim.size()));
    made.put("of", tree::Context::list(std::move(ranges)));
    return made.take();
}

[[nodiscard]] inline std::pair<std::string, ValueRange> read_range(const std::string& key, const tree::Context& given) {
    const auto* name = given.find("name");
    if (name == nullptr || !name->is_text()) refuse_setting(key, "a dimension with a name");
    ValueRange range;
    const auto read = [&](const char* which, std::int64_t& bound) {
        const auto* found = given.find(which);
        if (found == nullptr || found->is_none()) return;
        const auto number = found->as_integer();
        if (!number) refuse_setting(key + "." + which, "a whole number");
        bound = *number;
    };
    read("min", range.min);
    read("max", range.max);
    return {name->text(), range};
}

[[nodiscard]] inline Dim read_dim(const std::string& key, const tree::Context& given) {
    if (given.is_text() && given.text() == "auto") return Dim::AUTO;
    if (given.is_text() && given.text() == "static") return Dim::STATIC;
    if (!given.is_dict()) refuse_setting(key, "auto, static or a dimension with a name");
    std::map<std::string, ValueRange> ranges;
    const auto* size = given.find("size");
    if (size == nullptr) {
        ranges.insert(read_range(key, given));
        SymExpr symbol = SymExpr::symbol(ranges.begin()->first);
        return Dim::of(std::move(symbol), std::move(ranges));
    }
    const auto* of = given.find("of");
    if (!size->is_text() || of == nullptr || !of->is_list()) refuse_setting(key, "a size in terms of named dimensions");
    for (const tree::Context& each : of->items()) ranges.insert(read_range(key, each));
    return Dim::of(parse_sym_expr(size->text()), std::move(ranges));
}

}  // namespace detail

[[nodiscard]] inline tree::Context to_setting(const DynamicShapes& shapes) {
    if (shapes.empty()) return {};
    detail::DictOfSettings made;
    for (const auto& [input, dims] : shapes) {
        detail::DictOfSettings of_input;
        for (const auto& [place, dim] : dims) of_input.put(std::to_string(place), detail::to_setting(dim));
        made.put(input, of_input.take());
    }
    return made.take();
}

[[nodiscard]] inline DynamicShapes read_dynamic_shapes(const std::string& key, const tree::Context& given) {
    DynamicShapes made;
    if (given.is_none()) return made;
    if (!given.is_dict()) refuse_setting(key, "a dict of inputs");
    for (std::size_t i = 0; i < given.keys().size(); ++i) {
        const std::string of_input = key + "." + given.keys()[i];
        const tree::Context& dims = given.items()[i];
        if (!dims.is_dict()) refuse_setting(of_input, "a dict of dimensions");
        auto& made_dims = made[given.keys()[i]];
        for (std::size_t k = 0; k < dims.keys().size(); ++k) {
            const std::string& text = dims.keys()[k];
            const std::string of_dim = std::string(of_input).append(".").append(text);
            std::int64_t place = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place);
            if (error != std::errc() || end != text.data() + text.size())
                refuse_setting(of_dim, "the number of a dimension");
            made_dims.insert_or_assign(place, detail::read_dim(of_dim, dims.items()[k]));
        }
    }
    return made;
}

}  // namespace ferry
