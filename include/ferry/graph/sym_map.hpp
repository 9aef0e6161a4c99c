#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

/// Something for each of a few symbols, by name; a sorted list.
template <class Value>
class SymMap {
public:
    using Entry = std::pair<std::string, Value>;

    SymMap() = default;
    SymMap(std::initializer_list<Entry> entries) {
        for (const auto& [name, value] : entries) set(name, value);
    }

    void set(std::string_view name, Value value) {
        const auto at = find_place(name);
        if (at != entries_.end() && at->first == name)
            at->second = std::move(value);
        else
            entries_.emplace(at, std::string(name), std::move(value));
    }
    [[nodiscard]] const Value* find(std::string_view name) const {
        const auto at = std::lower_bound(entries_.begin(), entries_.end(), name, is_before);
        return at != entries_.end() && at->first == name ? &at->second : nullptr;
    }
    [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
    [[nodiscard]] auto end() const noexcept { return entries_.end(); }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    static bool is_before(const Entry& entry, std::string_view name) noexcept { return entry.first < name; }
    auto find_place(std::string_view name) {
        return std::lower_bound(entries_.begin(), entries_.end(), name, is_before);
    }
    std::vector<Entry> entries_;
};

using SymBindings = SymMap<std::int64_t>;

}  // namespace ferry
