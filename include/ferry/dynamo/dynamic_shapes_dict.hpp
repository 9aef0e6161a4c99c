#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/dict_builder.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Dynamic shapes as a dict, for configurations in files: {"input_ids": {"0": {"name": "batch", "min": 1}, "1": "auto"}}. As in
/// Python, the dimensions of an input may be a list, [null, "dynamic", 4], and what is nested has lists and dicts around them.
namespace ferry {

[[noreturn]] inline void refuse_setting(const std::string& key, const std::string& wanted) {
    throw Error(ErrorKind::invalid_input, "the setting is not " + wanted, {.where = {.path = key}});
}

namespace detail {

[[nodiscard]] inline std::optional<std::int64_t> as_number(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

[[nodiscard]] inline tree::Context named_range(const std::string& name, const ValueRange& range) {
    tree::DictBuilder made;
    made.put("name", name);
    if (range.min != ValueRange::no_min) made.put("min", range.min);
    if (range.max != ValueRange::no_max) made.put("max", range.max);
    return made.take();
}

[[nodiscard]] inline tree::Context to_setting(const Dim& dim) {
    if (dim.kind() == Dim::AUTO) return "auto";
    if (const auto least = dim.tried_from()) return "dynamic:" + std::to_string(*least);
    if (dim.kind() == Dim::DYNAMIC) return "dynamic";
    if (dim.fixed_size()) return *dim.fixed_size();
    if (dim.kind() == Dim::STATIC) return "static";
    if (dim.size().is_symbol()) return named_range(dim.ranges().begin()->first, dim.ranges().begin()->second);
    std::vector<tree::Context> ranges;
    for (const auto& [name, range] : dim.ranges()) ranges.push_back(named_range(name, range));
    tree::DictBuilder made;
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

/// Something about one dimension; None may be that too, or all there is to say of an input.
[[nodiscard]] inline bool is_dim(const tree::Context& given) {
    const auto has_text = [&](const char* key) {
        const auto* found = given.find(key);
        return found != nullptr && found->is_text();
    };
    return given.is_text() || given.kind() == tree::Context::Kind::integer || has_text("name") || has_text("size");
}

[[nodiscard]] inline Dim read_dim(const std::string& key, const tree::Context& given) {
    if (given.is_none()) return Dim::STATIC;
    if (const auto size = given.as_integer()) return *size;
    constexpr std::tuple<std::string_view, std::string_view, Dim::Kind> words[] = {
        {"auto", "AUTO", Dim::AUTO}, {"dynamic", "DYNAMIC", Dim::DYNAMIC}, {"static", "STATIC", Dim::STATIC}};
    for (const auto& [small, large, kind] : words)
        if (given.is_text() && (given.text() == small || given.text() == large)) return kind;
    constexpr std::string_view from = "dynamic:";
    if (given.is_text() && given.text().starts_with(from))
        if (const auto least = as_number(given.text().substr(from.size())); least && *least >= 0)
            return Dim::dynamic_from(*least);
    if (!given.is_dict()) refuse_setting(key, "auto, dynamic, static, a size or a dimension with a name");
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
    tree::DictBuilder made;
    for (const auto& [input, dims] : shapes) {
        tree::DictBuilder of_input;
        for (const auto& [place, dim] : dims) of_input.put(std::to_string(place), detail::to_setting(dim));
        made.put(input, of_input.take());
    }
    return made.take();
}

namespace detail {

/// Of an input, or of inputs that are nested: `path` is where in the inputs, `key` where in the settings.
inline void read_input(const std::string& key, const std::string& path, const tree::Context& given,
                       DynamicShapes& made) {
    if (!given.is_none() && !given.is_list() && !given.is_dict()) refuse_setting(key, "a dict or list of dimensions");
    const auto& items = given.items();
    const bool has_dims = algo::any_of(items, is_dim);
    if (algo::all_of(items, &tree::Context::is_none)) return void(made[path]);  // all that there is is static
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string name = given.is_list() ? std::to_string(i) : given.keys()[i];
        const std::string of_item = std::string(key).append(".").append(name);
        if (!has_dims) {
            read_input(of_item, std::string(path).append(".").append(name), items[i], made);
            continue;
        }
        const auto place = as_number(name);
        if (!place) refuse_setting(of_item, "the number of a dimension");
        made[path].insert_or_assign(*place, read_dim(of_item, items[i]));
    }
}

}  // namespace detail

[[nodiscard]] inline DynamicShapes read_dynamic_shapes(const std::string& key, const tree::Context& given) {
    DynamicShapes made;
    if (given.is_none()) return made;
    if (!given.is_dict()) refuse_setting(key, "a dict of inputs");
    for (std::size_t i = 0; i < given.keys().size(); ++i)
        detail::read_input(std::string(key).append(".").append(given.keys()[i]), given.keys()[i], given.items()[i],
                           made);
    return made;
}

}  // namespace ferry
