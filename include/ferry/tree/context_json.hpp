#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/json_scanner.hpp>
#include <ferry/core/json_text.hpp>
#include <ferry/tree/context.hpp>

#include <charconv>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ferry::tree {

/// JSON nested deeper than this is refused, so that no input can exhaust the stack.
inline constexpr std::size_t max_json_depth = 600;

namespace detail {

inline void append_json_text(std::string& out, std::string_view text) {
    if (!append_json_string(out, text))
        throw Error(ErrorKind::invalid_input, "a key or constant of a tree is not UTF-8: " + python_string(text));
}

inline void append_json(std::string& out, const Context& value) {
    switch (value.kind()) {
        case Context::Kind::none: out += "null"; return;
        case Context::Kind::boolean: out += value.text() == "True" ? "true" : "false"; return;
        case Context::Kind::integer: out += value.text(); return;
        case Context::Kind::real:
            out += value.text() == "nan"    ? "NaN"
                   : value.text() == "inf"  ? "Infinity"
                   : value.text() == "-inf" ? "-Infinity"
                                            : value.text();
            return;
        case Context::Kind::text: append_json_text(out, value.text()); return;
        case Context::Kind::list:
        case Context::Kind::dict: break;
    }
    out += value.is_list() ? '[' : '{';
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        if (i != 0) out += ", ";
        if (value.is_dict()) {
            append_json_text(out, value.keys()[i]);
            out += ": ";
        }
        append_json(out, value.items()[i]);
    }
    out += value.is_list() ? ']' : '}';
}

/// Accepts what Python's json.loads accepts, NaN and Infinity too; numbers past a double's range are refused.
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : scanner_(text) {}

    [[nodiscard]] Context document() {
        Context made = value(0);
        scanner_.finish();
        return made;
    }

private:
    [[nodiscard]] Context value(std::size_t depth) {
        if (depth > max_json_depth) scanner_.fail("it is nested too deeply");
        switch (scanner_.peek_behind_space()) {
            case '{': return dict(depth);
            case '[': return list(depth);
            case '"': return scanner_.string(unescaped_);
            default: break;
        }
        if (scanner_.take("null")) return {};
        if (scanner_.take("true")) return true;
        if (scanner_.take("false")) return false;
        if (scanner_.take("NaN")) return std::numeric_limits<double>::quiet_NaN();
        if (scanner_.take("Infinity")) return std::numeric_limits<double>::infinity();
        if (scanner_.take("-Infinity")) return -std::numeric_limits<double>::infinity();
        return number();
    }

    [[nodiscard]] Context list(std::size_t depth) {
        std::vector<Context> items;
        if (scanner_.is_empty(']')) return Context::list({});
        do {
            items.push_back(value(depth + 1));
        } while (scanner_.goes_on(']'));
        return Context::list(std::move(items));
    }

    [[nodiscard]] Context dict(std::size_t depth) {
        std::vector<std::string> keys;
        std::vector<Context> values;
        std::map<std::string, std::size_t, std::less<>> seen;  // a repeated key takes the last value, as in Python
        if (scanner_.is_empty('}')) return Context::dict({}, {});
        do {
            std::string key(scanner_.key(unescaped_));
            Context item = value(depth + 1);
            if (const auto [old, fresh] = seen.emplace(key, keys.size()); fresh) {
                keys.push_back(std::move(key));
                values.push_back(std::move(item));
            } else {
                values[old->second] = std::move(item);
            }
        } while (scanner_.goes_on('}'));
        return Context::dict(std::move(keys), std::move(values));
    }

    [[nodiscard]] Context number() {
        const auto [text, is_integer] = scanner_.number();
        if (is_integer) return Context::integer(std::string(text));
        double parsed = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), parsed).ec != std::errc{})
            scanner_.fail("a number out of range");
        return parsed;
    }

    JsonScanner scanner_;
    std::string unescaped_;
};

}  // namespace detail

/// The text that Python's json.dumps writes.
[[nodiscard]] inline std::string to_json(const Context& value) {
    std::string out;
    detail::append_json(out, value);
    return out;
}

/// Throws ErrorKind::bad_file for what is not JSON.
[[nodiscard]] inline Context from_json(std::string_view text) { return detail::JsonReader(text).document(); }

}  // namespace ferry::tree
