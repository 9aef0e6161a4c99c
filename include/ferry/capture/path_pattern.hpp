#pragma once

#include <ferry/core/algorithm.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ferry::capture {

/// How closely a pattern names an input. The closest decides: the longest, then that with the fewest `*`, then with the last ones.
struct PathFit {
    std::vector<bool> is_named{};  ///< for each component of the pattern: by its name, not by `*`

    [[nodiscard]] bool closer_than(const PathFit& other) const {
        const auto names = [](const PathFit& fit) { return algo::count(fit.is_named, true); };
        if (is_named.size() != other.is_named.size()) return is_named.size() > other.is_named.size();
        return names(*this) != names(other) ? names(*this) > names(other) : is_named > other.is_named;
    }
};

/// Whether a pattern is of an input: the start of its path (`past_key_values` of `past_key_values.0.keys`), where `*` may stand for
/// any one component (`past_key_values.*.keys`).
[[nodiscard]] inline std::optional<PathFit> fit_path(std::string_view pattern, std::string_view path) {
    PathFit fit;
    for (;;) {
        const std::size_t wanted_end = std::min(pattern.find('.'), pattern.size());
        const std::size_t end = std::min(path.find('.'), path.size());
        const bool is_named = pattern.substr(0, wanted_end) == path.substr(0, end);
        if (!is_named && pattern.substr(0, wanted_end) != "*") return std::nullopt;
        fit.is_named.push_back(is_named);
        if (wanted_end == pattern.size()) return fit;
        if (end == path.size()) return std::nullopt;
        pattern.remove_prefix(wanted_end + 1);
        path.remove_prefix(end + 1);
    }
}

}  // namespace ferry::capture
