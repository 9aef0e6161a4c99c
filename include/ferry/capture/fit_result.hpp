#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <vector>

namespace ferry {

enum class FitStatus {
    found,              ///< `expr` is the answer
    needs_more_points,  ///< capture at `more` too, then fit again
    none,               ///< no expression of the families gives these numbers, or too many still do at `max_points`
};

struct Fit {
    FitStatus status = FitStatus::none;
    SymExpr expr{};
    std::vector<ProbePoint> more{};
};

}  // namespace ferry
