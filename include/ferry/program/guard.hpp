#pragma once

#include <ferry/graph/sym_expr.hpp>

#include <string>

namespace ferry {

/// A condition on the sizes of a program's inputs without which it may be wrong, beside its ranges and equal symbols.
struct Guard {
    std::string text{};                          ///< as Python writes it: L['x'].size()[1] % 2 == 0
    SymExpr condition = SymExpr::boolean(true);  ///< the same over the graph's symbols; true where it is not understood
};

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
