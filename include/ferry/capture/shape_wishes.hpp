#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/tree/leaf.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// A dimension of an input.
struct Place {
    std::size_t leaf;
    std::size_t dim;
    friend bool operator==(const Place&, const Place&) = default;
};

/// What the user says of the inputs' sizes.
class ShapeWishes {
public:
    struct Options {
        bool all_dynamic = false;
        bool defers = false;  ///< what does not hold is checked when the program runs
        std::vector<SymExpr> known_sizes{};  ///< expressions over named dimensions that the model is known to use
    };

    ShapeWishes(const DynamicShapes& shapes, std::vector<std::string> paths, Options options)
        : shapes_(shapes), paths_(std::move(paths)), options_(std::move(options)) {}

    /// Sizes in terms of the named dimensions, everything else as in the sample.
    [[nodiscard]] ShapePlan plan(const std::vector<Leaf>& leaves) const;
    /// Dimensions of which it is to be found out whether they may vary.
    [[nodiscard]] std::vector<Place> automatic(const std::vector<Leaf>& leaves) const;
    /// Of a named dimension; null for one that nobody has named.
    [[nodiscard]] const ValueRange* range(const std::string& symbol) const;

    [[nodiscard]] bool defers() const noexcept { return options_.defers; }
    [[nodiscard]] const std::vector<SymExpr>& known_sizes() const noexcept { return options_.known_sizes; }

    [[nodiscard]] std::string name(const Place& place) const {
        return paths_[place.leaf] + " dimension " + std::to_string(place.dim);
    }

private:
    [[nodiscard]] const Dim* wish(const Place& place, std::size_t rank) const;
    void check_paths() const;
    void set_samples(ShapePlan& plan, const std::vector<Leaf>& leaves) const;

    const DynamicShapes& shapes_;
    std::vector<std::string> paths_;
    Options options_;
};

namespace detail {

/// Calls `visit` with each dimension of each tensor among the leaves and its size. An integer is its own only dimension: one
/// that somebody has named may vary like a size.
template <class Visit>
void for_each_place(const std::vector<Leaf>& leaves, Visit&& visit) {
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        if (const auto* integer = leaves[leaf].get_if<std::int64_t>()) visit(Place{leaf, 0}, at::IntArrayRef(*integer));
        if (!leaves[leaf].is_tensor() || !leaves[leaf].tensor().defined()) continue;
        const auto sizes = leaves[leaf].tensor().sizes();
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) visit(Place{leaf, dim}, sizes);
    }
}

}  // namespace detail

inline const Dim* ShapeWishes::wish(const Place& place, std::size_t rank) const {
    const auto asked = shapes_.find(paths_[place.leaf]);
    if (asked == shapes_.end()) return nullptr;
    const Dim* found = nullptr;
    for (const auto& [at, each] : asked->second)
        if ((at < 0 ? at + static_cast<std::int64_t>(rank) : at) == static_cast<std::int64_t>(place.dim)) found = &each;
    return found;
}

inline const ValueRange* ShapeWishes::range(const std::string& symbol) const {
    for (const auto& [path, dims] : shapes_)
        for (const auto& [at, dim] : dims)
            if (const auto found = dim.ranges().find(symbol); found != dim.ranges().end()) return &found->second;
    return nullptr;
}

inline std::vector<Place> ShapeWishes::automatic(const std::vector<Leaf>& leaves) const {
    std::vector<Place> places;
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
        if (!leaves[place.leaf].is_tensor()) return;
        const Dim* wished = wish(place, sizes.size());
        if (wished == nullptr ? options_.all_dynamic : wished->kind() == Dim::Kind::automatic) places.push_back(place);
    });
    return places;
}

inline ShapePlan ShapeWishes::plan(const std::vector<Leaf>& leaves) const {
    check_paths();
    ShapePlan plan;
    plan.sizes.resize(leaves.size());
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
        const Dim* wished = wish(place, sizes.size());
        const bool is_named = wished != nullptr && wished->kind() == Dim::Kind::named;
        if (is_named || leaves[place.leaf].is_tensor())
            plan.sizes[place.leaf].push_back(is_named ? wished->size() : SymExpr(sizes[place.dim]));
        if (!is_named) return;
        for (const auto& [symbol, range] : wished->ranges())
            if (std::ranges::find(plan.symbols, symbol, &ProbeDim::name) == plan.symbols.end())
                plan.symbols.push_back({symbol, intersect(range, ValueRange::at_least(0)), 0});
    });
    set_samples(plan, leaves);
    return plan;
}

/// The value of the symbol at which an expression over it alone, like 2*s + 1, is `size`.
[[nodiscard]] inline std::optional<std::int64_t> solve(const SymExpr& derived, const std::string& symbol,
                                                       std::int64_t size) {
    const auto at = [&](std::int64_t value) {
        SymBindings bindings;
        bindings.set(symbol, value);
        return evaluate(derived, bindings);
    };
    const std::int64_t start = at(0), step = at(1) - start;
    if (step == 0 || (size - start) % step != 0) return std::nullopt;
    const std::int64_t value = (size - start) / step;
    return value >= 0 && at(value) == size ? std::optional(value) : std::nullopt;
}

/// Each named dimension must stand alone somewhere, or follow from a size, and be the same everywhere.
inline void ShapeWishes::set_samples(ShapePlan& plan, const std::vector<Leaf>& leaves) const {
    std::map<std::string, std::int64_t> samples;
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
        if (plan.sizes[place.leaf].empty()) return;
        const SymExpr& wished = plan.sizes[place.leaf][place.dim];
        if (!wished.is_symbol()) return;
        const std::int64_t size = sizes[place.dim];
        const auto [known, is_new] = samples.emplace(wished.name(), size);
        if (!is_new && known->second != size)
            throw Error(ErrorKind::invalid_input,
                        "dimension '" + std::string(wished.name()) + "' is " + std::to_string(known->second) +
                            " in one input and " + std::to_string(size) + " in another",
                        {.hint = "give dimensions that differ different names",
                         .where = {.stage = "dynamic shapes", .path = paths_[place.leaf]}});
    });
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
        if (plan.sizes[place.leaf].empty()) return;
        const SymExpr& wished = plan.sizes[place.leaf][place.dim];
        const auto symbols = free_symbols(wished);
        if (symbols.size() != 1 || samples.contains(*symbols.begin())) return;
        if (const auto value = solve(wished, *symbols.begin(), sizes[place.dim])) samples[*symbols.begin()] = *value;
    });
    for (ProbeDim& symbol : plan.symbols) {
        const auto found = samples.find(symbol.name);
        if (found == samples.end())
            throw Error(ErrorKind::invalid_input, "dimension '" + symbol.name + "' occurs only in derived sizes",
                        {.hint = "use it plainly in one input, so that its size is known",
                         .where = {.stage = "dynamic shapes"}});
        symbol.sample = found->second;
        if (!symbol.range.contains(symbol.sample))
            throw Error(ErrorKind::invalid_input,
                        "the sample has size " + std::to_string(symbol.sample) + " in dimension '" + symbol.name +
                            "', outside its range " + to_string(symbol.range),
                        {.where = {.stage = "dynamic shapes"}});
    }
}

inline void ShapeWishes::check_paths() const {
    for (const auto& [path, dims] : shapes_) {
        if (std::ranges::find(paths_, path) != paths_.end()) continue;
        std::string known;
        for (const std::string& each : paths_) known.append(known.empty() ? "" : ", ").append(each);
        throw Error(ErrorKind::invalid_input, "dynamic_shapes names an input that there is not",
                    {.hint = "the inputs are: " + known, .where = {.stage = "dynamic shapes", .path = path}});
    }
}

}  // namespace ferry::capture
