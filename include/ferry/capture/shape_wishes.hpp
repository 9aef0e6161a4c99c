#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/path_pattern.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/tree/leaf.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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
        bool all_dynamic = false;  ///< where no shapes are given
        bool defers = false;  ///< what does not hold is checked when the program runs
        std::vector<SymExpr> known_sizes{};  ///< expressions over named dimensions that the model is known to use
    };

    ShapeWishes(const DynamicShapes& shapes, std::vector<std::string> paths, Options options)
        : shapes_(shapes), paths_(std::move(paths)), options_(std::move(options)) {
        const std::set<std::string_view> inputs(paths_.begin(), paths_.end());
        for (const auto& [path, dims] : shapes_)
            if (!inputs.contains(path)) patterns_.emplace_back(path, &dims);
    }

    /// Sizes in terms of the named dimensions, everything else as in the sample.
    [[nodiscard]] ShapePlan plan(const std::vector<Leaf>& leaves) const;
    /// Dimensions of which it is to be found out whether they may vary.
    [[nodiscard]] std::vector<Place> automatic(const std::vector<Leaf>& leaves) const;
    /// Whether the model must allow more than one size there.
    [[nodiscard]] bool is_required(const Place& place, const std::vector<Leaf>& leaves) const {
        const Dim* wished = wish(place, leaves[place.leaf]);
        return wished != nullptr && wished->kind() == Dim::DYNAMIC;
    }
    /// The least size to try there.
    [[nodiscard]] std::int64_t tried_from(const Place& place, const std::vector<Leaf>& leaves) const {
        const Dim* wished = wish(place, leaves[place.leaf]);
        return wished != nullptr ? wished->tried_from().value_or(1) : 1;
    }
    /// Of a named dimension; null for one that nobody has named.
    [[nodiscard]] const ValueRange* range(const std::string& symbol) const;

    [[nodiscard]] bool defers() const noexcept { return options_.defers; }
    [[nodiscard]] const std::vector<SymExpr>& known_sizes() const noexcept { return options_.known_sizes; }

    [[nodiscard]] std::string name(const Place& place) const {
        return paths_[place.leaf] + " dimension " + std::to_string(place.dim);
    }

private:
    using Dims = DynamicShapes::mapped_type;

    [[nodiscard]] const Dim* wish(const Place& place, const Leaf& leaf) const;
    void check_paths(const std::vector<Leaf>& leaves) const;
    void check_dims(const Dims& dims, std::size_t leaf, std::size_t rank) const;
    void check_fixed_size(const Dim* wished, const Place& place, std::int64_t size) const;
    [[noreturn]] void refuse(const std::string& what, const std::string& path, std::string hint = {}) const {
        throw Error(ErrorKind::invalid_input, what,
                    {.hint = std::move(hint), .where = {.stage = "dynamic shapes", .path = path}});
    }
    void set_samples(ShapePlan& plan, const std::vector<Leaf>& leaves) const;

    const DynamicShapes& shapes_;
    std::vector<std::string> paths_;
    std::vector<std::pair<std::string_view, const Dims*>> patterns_;  // of shapes_: what is no input's own path
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

[[nodiscard]] inline bool is_defined_tensor(const Leaf& leaf) { return leaf.is_tensor() && leaf.tensor().defined(); }

[[nodiscard]] inline std::size_t rank_of(const Leaf& leaf) {
    if (is_defined_tensor(leaf)) return static_cast<std::size_t>(leaf.tensor().dim());
    return leaf.get_if<std::int64_t>() != nullptr ? 1 : 0;
}

/// A dimension that may be counted from the end, as Python does.
[[nodiscard]] constexpr std::int64_t from_start(std::int64_t dim, std::size_t rank) noexcept {
    return dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim;
}

}  // namespace detail

inline const Dim* ShapeWishes::wish(const Place& place, const Leaf& leaf) const {
    const auto find_in = [&](const Dims& dims) -> const Dim* {
        for (const auto& [at, dim] : dims)
            if (std::cmp_equal(detail::from_start(at, detail::rank_of(leaf)), place.dim)) return &dim;
        return nullptr;
    };
    if (const auto own = shapes_.find(paths_[place.leaf]); own != shapes_.end())
        if (const Dim* found = find_in(own->second)) return found;
    if (!detail::is_defined_tensor(leaf)) return nullptr;
    const Dim* closest = nullptr;
    PathFit closest_fit;
    for (const auto& [pattern, dims] : patterns_) {
        const auto fit = fit_path(pattern, paths_[place.leaf]);
        if (!fit || (closest != nullptr && !fit->closer_than(closest_fit))) continue;
        if (const Dim* found = find_in(*dims)) closest = found, closest_fit = *fit;
    }
    return closest;
}

inline const ValueRange* ShapeWishes::range(const std::string& symbol) const {
    for (const auto& [path, dims] : shapes_)
        for (const auto& [at, dim] : dims)
            if (const auto found = dim.ranges().find(symbol); found != dim.ranges().end()) return &found->second;
    return nullptr;
}

inline std::vector<Place> ShapeWishes::automatic(const std::vector<Leaf>& leaves) const {
    std::vector<Place> places;
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef) {
        if (!leaves[place.leaf].is_tensor()) return;
        const Dim* wished = wish(place, leaves[place.leaf]);
        if (wished == nullptr ? options_.all_dynamic && shapes_.empty()
                              : wished->kind() == Dim::AUTO || wished->kind() == Dim::DYNAMIC)
            places.push_back(place);
    });
    return places;
}

inline ShapePlan ShapeWishes::plan(const std::vector<Leaf>& leaves) const {
    check_paths(leaves);
    ShapePlan plan;
    plan.sizes.resize(leaves.size());
    detail::for_each_place(leaves, [&](const Place& place, at::IntArrayRef sizes) {
        const Dim* wished = wish(place, leaves[place.leaf]);
        const bool is_named = wished != nullptr && wished->kind() == Dim::Kind::named;
        check_fixed_size(wished, place, sizes[place.dim]);
        if (is_named || leaves[place.leaf].is_tensor())
            plan.sizes[place.leaf].push_back(is_named ? wished->size() : SymExpr(sizes[place.dim]));
        if (!is_named) return;
        for (const auto& [symbol, range] : wished->ranges())
            if (!algo::contains(plan.symbols, symbol, &ProbeDim::name))
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

inline void ShapeWishes::check_fixed_size(const Dim* wished, const Place& place, std::int64_t size) const {
    if (wished == nullptr || !wished->fixed_size() || *wished->fixed_size() == size) return;
    refuse("dynamic_shapes has size " + std::to_string(*wished->fixed_size()) + " for a dimension that is " +
               std::to_string(size) + " in the sample",
           name(place));
}

inline void ShapeWishes::check_dims(const Dims& dims, std::size_t leaf, std::size_t rank) const {
    std::vector<bool> is_given(rank);
    for (const auto& [at, dim] : dims) {
        const std::int64_t place = detail::from_start(at, rank);
        if (place < 0 || std::cmp_greater_equal(place, rank))
            refuse(
                "dynamic_shapes has a dimension " + std::to_string(at) + " of an input of rank " + std::to_string(rank),
                paths_[leaf]);
        if (is_given[static_cast<std::size_t>(place)])
            refuse("dynamic_shapes has a dimension twice: from the start and from the end",
                   name({leaf, static_cast<std::size_t>(place)}));
        is_given[static_cast<std::size_t>(place)] = true;
    }
}

/// Each path must be of some input, and these must have the dimensions. Under a path only tensors have any.
inline void ShapeWishes::check_paths(const std::vector<Leaf>& leaves) const {
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        if (const auto own = shapes_.find(paths_[leaf]); own != shapes_.end())
            check_dims(own->second, leaf, detail::rank_of(leaves[leaf]));
    for (const auto& [pattern, dims] : patterns_) {
        bool is_met = false;
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
            if (!fit_path(pattern, paths_[leaf]) || (!detail::is_defined_tensor(leaves[leaf]) && !dims->empty()))
                continue;
            check_dims(*dims, leaf, detail::rank_of(leaves[leaf]));
            is_met = true;
        }
        if (is_met) continue;
        std::string known;
        for (const std::string& each : paths_) known.append(known.empty() ? "" : ", ").append(each);
        refuse("dynamic_shapes names an input that there is not", std::string(pattern), "the inputs are: " + known);
    }
}

}  // namespace ferry::capture
