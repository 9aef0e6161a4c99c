#pragma once

#include <ferry/capture/prober.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/tree/leaf.hpp>

#include <string>
#include <vector>

namespace ferry::capture {
namespace detail {

[[nodiscard]] inline bool varies(const SymExpr& size, const ShapePlan& plan) {
    return algo::any_of(free_symbols(size), [&](const std::string& name) {
        const auto symbol = algo::find(plan.symbols, name, &ProbeDim::name);
        return symbol != plan.symbols.end() && symbol->range.min < symbol->range.max;
    });
}

/// What was noted of the dimension itself or of the symbols that it consists of; or else of all that is static.
[[nodiscard]] inline std::string why_static(const std::string& place, const SymExpr& size, const Probed& probed) {
    std::vector<std::string> subjects{place + " "};
    for (const std::string& symbol : free_symbols(size)) subjects.push_back("'" + symbol + "' ");
    std::string own, others;
    for (const std::string& note : probed.notes) {
        const bool is_own = algo::any_of(subjects, [&](const auto& each) { return note.starts_with(each); });
        if (is_own || note.find(" is static: ") != std::string::npos) {
            std::string& reasons = is_own ? own : others;
            reasons.append(reasons.empty() ? "" : "; ").append(note);
        }
    }
    return own.empty() ? others : own;
}

}  // namespace detail

/// Dim::DYNAMIC must vary in what the probing has come to.
inline void check_required_dims(const ShapeWishes& wishes, const Probed& probed, const std::vector<Leaf>& leaves) {
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef) {
        if (!wishes.is_required(place, leaves)) return;
        const auto refuse = [&](const std::string& what, const std::string& hint) {
            throw Error(ErrorKind::invalid_input, what,
                        {.hint = hint, .where = {.stage = "dynamic shapes", .path = wishes.name(place)}});
        };
        const std::vector<SymExpr>& sizes = probed.plan.sizes[place.leaf];
        if (sizes.empty()) refuse("an integer varies only under a name", "give it one: Dim{\"n\"}");
        if (!detail::varies(sizes[place.dim], probed.plan))
            refuse("a dimension that must vary is fixed by the model: " +
                       detail::why_static(wishes.name(place), sizes[place.dim], probed),
                   "make it Dim::AUTO or Dim::STATIC, or remove what depends on its size");
    });
}

}  // namespace ferry::capture
