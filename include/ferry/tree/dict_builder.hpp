#pragma once

#include <ferry/tree/context.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tree {

/// A dict key by key.
class DictBuilder {
public:
    DictBuilder() = default;
    explicit DictBuilder(const Context& dict) : keys_(dict.keys()), values_(dict.items()) {}

    /// A key that is there already stays in its place.
    void put(std::string_view key, Context value) {
        if (const std::size_t at = place_of(key); at < keys_.size()) {
            values_[at] = std::move(value);
            return;
        }
        keys_.emplace_back(key);
        values_.push_back(std::move(value));
    }
    void put_all(const Context& dict) {
        for (std::size_t i = 0; i < dict.keys().size(); ++i) put(dict.keys()[i], dict.items()[i]);
    }
    void erase(std::string_view key) {
        const std::size_t at = place_of(key);
        if (at == keys_.size()) return;
        keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(at));
        values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    [[nodiscard]] Context take() { return Context::dict(std::move(keys_), std::move(values_)); }

private:
    [[nodiscard]] std::size_t place_of(std::string_view key) const {
        return static_cast<std::size_t>(std::find(keys_.begin(), keys_.end(), key) - keys_.begin());
    }

    std::vector<std::string> keys_{};
    std::vector<Context> values_{};
};

}  // namespace ferry::tree
