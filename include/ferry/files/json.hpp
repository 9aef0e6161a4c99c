#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/json_scanner.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ferry::files {

/// JSON that was read: a view into a JsonDocument.
class JsonValue {
public:
    enum class Kind : std::uint8_t { null, boolean, integer, real, text, list, object };
    struct Member;

    JsonValue() = default;
    explicit JsonValue(bool value) : kind_(Kind::boolean), boolean_(value) {}
    explicit JsonValue(std::int64_t value) : kind_(Kind::integer), integer_(value) {}
    explicit JsonValue(double value) : kind_(Kind::real), real_(value) {}
    explicit JsonValue(std::string_view text) : kind_(Kind::text), size_(text.size()), text_(text.data()) {}
    explicit JsonValue(std::span<const JsonValue> items)
        : kind_(Kind::list), size_(items.size()), items_(items.data()) {}
    explicit JsonValue(std::span<const Member> members);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is(Kind kind) const noexcept { return kind_ == kind; }

    // Of a value of that kind.
    [[nodiscard]] bool boolean() const noexcept { return boolean_; }
    [[nodiscard]] std::int64_t integer() const noexcept { return integer_; }
    [[nodiscard]] double real() const noexcept { return real_; }  ///< integers of more than 64 bits too
    [[nodiscard]] std::string_view text() const noexcept { return {text_, size_}; }
    [[nodiscard]] std::span<const JsonValue> items() const noexcept { return {items_, size_}; }
    [[nodiscard]] std::span<const Member> members() const noexcept;  ///< in order of their keys
    [[nodiscard]] const JsonValue* find(std::string_view key) const;

private:
    Kind kind_ = Kind::null;
    std::size_t size_ = 0;
    union {
        bool boolean_;
        std::int64_t integer_ = 0;
        double real_;
        const char* text_;
        const JsonValue* items_;
        const Member* members_;
    };
};

struct JsonValue::Member {
    std::string_view key;
    JsonValue value;
};

inline JsonValue::JsonValue(std::span<const Member> members)
    : kind_(Kind::object), size_(members.size()), members_(members.data()) {}
inline std::span<const JsonValue::Member> JsonValue::members() const noexcept { return {members_, size_}; }
inline const JsonValue* JsonValue::find(std::string_view key) const {
    const auto all = members();
    const auto found = std::lower_bound(all.begin(), all.end(), key,
                                        [](const Member& each, std::string_view wanted) { return each.key < wanted; });
    return found != all.end() && found->key == key ? &found->value : nullptr;
}

/// What parsed values point to, together with the text itself, which has to stay where it is.
class JsonDocument {
public:
    /// Refuses JSON that is nested deeper than `most`: whoever walks it may recurse.
    explicit JsonDocument(std::string_view text, std::size_t most = 1024) : scanner_(text), most_(most) {
        root_ = value(0);
        scanner_.finish();
    }
    [[nodiscard]] const JsonValue& root() const noexcept { return root_; }

private:
    [[nodiscard]] JsonValue value(std::size_t depth) {
        if (depth > most_) throw Error(ErrorKind::bad_file, "the file's JSON is nested too deeply");
        switch (scanner_.peek_behind_space()) {
            case '{': return object(depth);
            case '[': return list(depth);
            case '"': return JsonValue(kept(scanner_.string(unescaped_)));
            default: break;
        }
        if (scanner_.take("null")) return {};
        if (scanner_.take("true")) return JsonValue(true);
        if (scanner_.take("false")) return JsonValue(false);
        return number();
    }

    [[nodiscard]] JsonValue number() {
        const auto [text, is_integer] = scanner_.number();
        const char *const begin = text.data(), *const end = begin + text.size();
        if (std::int64_t integer = 0; is_integer && std::from_chars(begin, end, integer).ec == std::errc{})
            return JsonValue(integer);
        double real = 0;
        if (std::from_chars(begin, end, real).ec != std::errc{}) scanner_.fail("a number out of range");
        return JsonValue(real);
    }

    /// A text with escapes is not in the file as it is meant.
    [[nodiscard]] std::string_view kept(std::string_view text) {
        return text.data() == unescaped_.data() ? texts_.emplace_back(text) : text;
    }

    [[nodiscard]] JsonValue list(std::size_t depth) {
        const std::size_t first = open_items_.size();
        if (!scanner_.is_empty(']')) {
            do {
                open_items_.push_back(value(depth + 1));
            } while (scanner_.goes_on(']'));
        }
        return JsonValue(std::span<const JsonValue>(close(open_items_, first, lists_)));
    }

    [[nodiscard]] JsonValue object(std::size_t depth) {
        const std::size_t first = open_members_.size();
        if (!scanner_.is_empty('}')) {
            do {
                const std::string_view key = kept(scanner_.key(unescaped_));
                open_members_.push_back({key, value(depth + 1)});
            } while (scanner_.goes_on('}'));
        }
        auto& members = close(open_members_, first, objects_);
        algo::stable_sort(members, {}, &JsonValue::Member::key);
        std::size_t kept = 0;  // a repeated key takes the last value
        for (std::size_t i = 0; i < members.size(); ++i)
            if (i + 1 == members.size() || members[i].key != members[i + 1].key) members[kept++] = members[i];
        members.resize(kept);
        return JsonValue(std::span<const JsonValue::Member>(members));
    }

    /// What was gathered since `first`, at a place of its own.
    template <class Item>
    [[nodiscard]] static std::vector<Item>& close(std::vector<Item>& open, std::size_t first,
                                                  std::deque<std::vector<Item>>& all) {
        const auto begin = open.begin() + static_cast<std::ptrdiff_t>(first);
        auto& made = all.emplace_back(begin, open.end());
        open.erase(begin, open.end());
        return made;
    }

    JsonScanner scanner_;
    std::size_t most_;
    std::string unescaped_;
    std::vector<JsonValue> open_items_;
    std::vector<JsonValue::Member> open_members_;
    std::deque<std::string> texts_;
    std::deque<std::vector<JsonValue>> lists_;
    std::deque<std::vector<JsonValue::Member>> objects_;
    JsonValue root_;
};

}  // namespace ferry::files
