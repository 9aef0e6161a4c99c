#pragma once

#include <ferry/graph/sym_expr.hpp>

#include <string>

namespace ferry {

/// A condition on the sizes of a program's inputs without which it may be wrong, beside its ranges and equal symbols.
struct Guard {
    std::string text{};                          ///< as Python writes it: L['x'].size()[1] % 2 == 0
    SymExpr condition = SymExpr::boolean(true);  ///< the same over the graph's symbols; true where it is not understood
};

}  // namespace ferry
