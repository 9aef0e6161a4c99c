#pragma once

#include <ferry/tree/context.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Contexts of classes that transformers flattens: what the object holds, nested, with a tag `_t` for what JSON has no form for. Each
/// child stands in it as {"_t": "tensor", "i": its position}.
namespace ferry::tree::detail {

class TaggedNames {
public:
    /// What the object calls each of its children, "layers.0.keys"; nothing if the context is none of this form.
    [[nodiscard]] static std::vector<std::string> of(const Context& context, std::size_t children) {
        if (tag_of(context).empty()) return {};
        TaggedNames names(children);
        std::string path;
        names.walk(context, path, 0);
        for (const std::string& name : names.found_)
            if (name.empty()) return {};
        return std::move(names.found_);
    }

private:
    static constexpr std::size_t max_depth = 256;

    explicit TaggedNames(std::size_t children) : found_(children) {}

    [[nodiscard]] static std::string_view tag_of(const Context& context) {
        const Context* tag = context.is_dict() ? context.find("_t") : nullptr;
        return tag != nullptr && tag->is_text() ? std::string_view(tag->text()) : std::string_view();
    }
    void walk(const Context& context, std::string& path, std::size_t depth) {
        if (depth > max_depth) return;
        const std::string_view tag = tag_of(context);
        if (tag == "tensor" || tag == "sym") return name(context, path);
        if (tag == "obj" || tag == "map" || tag == "seq") {
            const Context* inside = context.find(tag == "obj" ? "s" : "v");
            if (inside != nullptr) walk_items(*inside, path, depth);
        } else if (tag.empty()) {
            walk_items(context, path, depth);
        }
    }
    void walk_items(const Context& context, std::string& path, std::size_t depth) {
        const std::size_t length = path.size();
        for (std::size_t i = 0; i < context.items().size(); ++i) {
            if (!path.empty()) path += '.';
            path += context.is_dict() ? context.keys()[i] : std::to_string(i);
            walk(context.items()[i], path, depth + 1);
            path.resize(length);
        }
    }
    void name(const Context& leaf, const std::string& path) {
        const Context* position = leaf.find("i");
        const auto index = position != nullptr ? position->as_integer() : std::nullopt;
        if (index && *index >= 0 && static_cast<std::uint64_t>(*index) < found_.size())
            found_[static_cast<std::size_t>(*index)] = path;
    }

    std::vector<std::string> found_;
};

}  // namespace ferry::tree::detail
