#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/program/guard.hpp>

#include <cstddef>
#include <string>

namespace ferry {

/// Whether these sizes are against it. What is about other sizes too is not.
[[nodiscard]] inline bool is_broken(const Guard& guard, const SymBindings& sizes) {
    if (guard.condition.op() == SymOp::boolean) return guard.condition.value() == 0;
    const auto is_known = [&](const std::string& symbol) { return sizes.find(symbol) != nullptr; };
    return algo::all_of(free_symbols(guard.condition), is_known) && !evaluate_bool(guard.condition, sizes);
}

/// For people: x.size()[1] % 2 == 0.
[[nodiscard]] inline std::string in_words(const Guard& guard) {
    std::string words = guard.text;
    for (std::size_t at = 0; (at = words.find("L['", at)) != std::string::npos;) {
        words.erase(at, 3);
        if (const std::size_t end = words.find("']", at); end != std::string::npos) words.erase(end, 2);
    }
    return words;
}

}  // namespace ferry
