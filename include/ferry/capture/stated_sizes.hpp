#pragma once

#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ferry::capture {

/// A dimension among the results of an op.
struct ResultSize {
    std::size_t result;
    std::size_t dim;
};

/// What is known of a model's sizes before it runs. Code does not say; a program that is captured again does.
struct StatedSizes {
    /// What a number that depends on values is, as the model's `op` runs: the size of its results in these places, all of them
    /// equal; or, without places, an integer.
    std::function<std::optional<SymExpr>(std::string_view op, std::span<const ResultSize> places)> of{};
    std::vector<SymExpr> conditions{};  ///< that the sizes of every run meet
    SymMap<ValueRange> ranges{};        ///< of numbers that depend on values,
    SymBindings sample{};               ///< and what they are along with the sample's sizes
    std::size_t unused = 0;             ///< from this number on, `u` and a number is no symbol of the model
};

}  // namespace ferry::capture
