#pragma once

#include <ferry/core/error.hpp>
#include <ferry/tree/context_json.hpp>
#include <ferry/tree/spec.hpp>

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {
namespace detail {

inline void append_spec(std::string& out, const TreeSpec& spec) {
    out += "{\"type\": ";
    if (spec.is_leaf())
        out += "null";
    else
        append_json_text(out, spec.type());
    out += ", \"context\": ";
    // Three of Python's types have their own form of context; everything else is JSON inside a JSON string.
    if (spec.is_leaf() || spec.has_verbatim_context() || spec.kind() == TreeSpec::Kind::named_tuple ||
        spec.kind() == TreeSpec::Kind::default_dict)
        append_json(out, spec.context());
    else
        append_json_text(out, to_json(spec.context()));
    out += ", \"children_spec\": [";
    for (std::size_t i = 0; i < spec.children().size(); ++i) {
        if (i != 0) out += ", ";
        append_spec(out, spec.children()[i]);
    }
    out += "]}";
}

/// The value inside a context that is JSON in a string, if writing it again gives the same string.
[[nodiscard]] inline std::optional<Context> loaded_context(const Context& context) {
    if (!context.is_text()) return std::nullopt;
    try {
        Context loaded = from_json(context.text());
        if (to_json(loaded) == context.text()) return loaded;
        return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// A context in its class's own form is kept as it is.
[[nodiscard]] inline TreeSpec opaque_from(const std::string& type, const Context& context,
                                          std::vector<TreeSpec> children) {
    if (auto loaded = loaded_context(context)) return TreeSpec::opaque(type, std::move(*loaded), std::move(children));
    return TreeSpec::opaque(type, context, std::move(children), {}, true);
}

[[nodiscard]] inline TreeSpec spec_from(const Context& json) {
    const Context* type = json.find("type");
    const Context* context = json.find("context");
    const Context* list = json.find("children_spec");
    if (!type || !context || !list || !list->is_list() || !(type->is_text() || type->is_none()))
        throw Error(ErrorKind::bad_file, "a tree spec needs a type, a context and a list children_spec");
    std::vector<TreeSpec> children;
    children.reserve(list->items().size());
    for (const Context& child : list->items()) children.push_back(spec_from(child));
    if (type->is_none()) {
        if (!context->is_none() || !children.empty())
            throw Error(ErrorKind::bad_file, "a leaf of a tree spec has neither context nor children");
        return {};
    }
    for (std::size_t kind = 1; kind < std::size(kind_names); ++kind) {
        if (kind_names[kind].type != type->text()) continue;
        const auto which = static_cast<TreeSpec::Kind>(kind);
        if (which == TreeSpec::Kind::named_tuple || which == TreeSpec::Kind::default_dict)
            return TreeSpec::container(which, *context, std::move(children));
        if (!context->is_text())
            throw Error(ErrorKind::bad_file,
                        "the context of a " + type->text() + " in a tree spec is JSON inside a string");
        return TreeSpec::container(which, from_json(context->text()), std::move(children));
    }
    return opaque_from(type->text(), *context, std::move(children));
}

}  // namespace detail

/// The same text as torch.utils._pytree.treespec_dumps.
[[nodiscard]] inline std::string treespec_dumps(const TreeSpec& spec) {
    std::string out = "[1, ";
    detail::append_spec(out, spec);
    return out += ']';
}

/// Reads what torch.utils._pytree.treespec_dumps wrote. Classes that only Python knows stay as named containers.
[[nodiscard]] inline TreeSpec treespec_loads(std::string_view text) {
    const Context json = from_json(text);
    if (!json.is_list() || json.items().size() != 2)
        throw Error(ErrorKind::bad_file, "a tree spec is a list of protocol and spec");
    if (json.items()[0].as_integer() != 1)
        throw Error(ErrorKind::bad_file,
                    "a tree spec of protocol " + python_repr(json.items()[0]) + "; only 1 is known");
    try {
        return detail::spec_from(json.items()[1]);
    } catch (const Error& error) {  // what the factories find wrong is the file's fault here, not the caller's
        throw Error(ErrorKind::bad_file, error.message());
    }
}

}  // namespace ferry::tree
