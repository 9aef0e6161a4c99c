#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/json_text.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::files {

/// JSON that is to be written, as the text that it is: what goes into another one is copied once, and nothing is searched.
class Json {
public:
    using Member = std::pair<std::string_view, Json>;

    Json() : text_("null") {}
    Json(std::nullptr_t) : Json() {}
    template <std::same_as<bool> Bool>
    Json(Bool value) : text_(value ? "true" : "false") {}
    template <std::integral Number>
        requires(!std::same_as<Number, bool>)
    Json(Number value) : text_(std::to_string(value)) {}
    Json(double value) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        text_.assign(digits, end);
        if (text_.find_first_of(".en") == text_.npos) text_ += ".0";
    }
    Json(std::string_view text) { append(text); }
    Json(const std::string& text) : Json(std::string_view(text)) {}
    Json(const char* text) : Json(std::string_view(text)) {}
    Json(std::initializer_list<Member> members) : Json(object()) {
        for (const auto& [key, value] : members) put(key, value);
    }

    [[nodiscard]] static Json array() { return {'[', ']'}; }
    [[nodiscard]] static Json object() { return {'{', '}'}; }
    /// A list of whatever JSON can be made of.
    template <class List>
    [[nodiscard]] static Json array_of(const List& list) {
        Json made = array();
        for (const auto& each : list) made.push_back(each);
        return made;
    }

    void push_back(const Json& item) {
        separate();
        append_to(text_, item);
    }
    /// A key that the object does not have yet.
    void put(std::string_view key, const Json& value) {
        separate();
        append(key);
        text_ += ':';
        append_to(text_, value);
    }

    [[nodiscard]] std::string text() const {
        std::string made;
        append_to(made, *this);
        return made;
    }

private:
    Json(char open, char close) : text_(1, open), close_(close) {}

    void separate() {
        if (text_.size() > 1) text_ += ',';
    }
    void append(std::string_view text) {
        if (!append_json_string(text_, text))
            throw Error(ErrorKind::invalid_input, "a name or text that is to be written is not UTF-8");
    }
    static void append_to(std::string& out, const Json& value) {
        out += value.text_;
        if (value.close_ != '\0') out += value.close_;
    }

    std::string text_;    ///< a list or object without its end
    char close_ = '\0';
};

}  // namespace ferry::files
