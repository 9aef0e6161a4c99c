#pragma once

#include <ferry/capture/detail/prime_field.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_range.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// A size for each dynamic dimension, in the order of the dimensions.
using ProbePoint = std::vector<std::int64_t>;

struct ProbeDim {
    std::string name;
    ValueRange range = ValueRange::at_least(2);
    std::int64_t sample = 2;  ///< its size in the user's example inputs, or one near it where those are 0 or 1
    std::int64_t least =
        2;  ///< of the sizes that are probed: below it ops do other things, while values of tensors are just numbers
    std::optional<ValueRange> domain{};  ///< where to probe, if other sizes leave it less than its range
};

namespace detail {

inline bool is_prime(std::int64_t x) {
    if (x < 4) return x > 1;
    if (x % 2 == 0) return false;
    constexpr std::int64_t looked_at = 1 << 20;  // a size beyond has no small divisors, which will do
    for (std::int64_t d = 3; d < looked_at && d * d <= x; d += 2)
        if (x % d == 0) return false;
    return true;
}

inline std::int64_t prime_from(std::int64_t x) {
    while (!is_prime(x)) ++x;
    return x;
}

}  // namespace detail

/// Where expressions are looked for and compared. Not 0 and 1, at which ops do other things (broadcasting, empty loops); and
/// not beyond a million, or eight times the sample if the range has no end.
[[nodiscard]] inline ValueRange probe_domain(const ProbeDim& dim) {
    if (dim.domain) return *dim.domain;
    constexpr std::int64_t far = 1 << 20;
    ValueRange domain{std::max(dim.range.min, dim.least), dim.range.max};
    if (dim.range.max == ValueRange::no_max)
        domain.max =
            domain.min < far
                ? detail::prime_from(std::max(std::clamp<std::int64_t>(dim.sample, 16, far / 8) * 8, domain.min + 64))
                : domain.min + std::min<std::int64_t>(64, ValueRange::no_max - domain.min);
    else if (domain.max > far)
        domain.max = std::max(far, domain.min);
    if (domain.empty()) domain.min = domain.max;  // all that there is: {0} or {1}
    return domain;
}

namespace detail {

struct ProbeRandom {
    std::uint64_t state;
    std::uint64_t next() {  // splitmix64: the same everywhere, unlike the distributions of <random>
        std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::int64_t within(const ValueRange& range) {
        const auto span = static_cast<std::uint64_t>(range.max - range.min) + 1;
        return range.min + static_cast<std::int64_t>(next() % span);
    }
};

/// Primes, which models have no constants equal to, and their doubles: floors and remainders show only if both parities occur.
inline std::int64_t generic_size(const ValueRange& domain, std::int64_t sample, bool even, ProbeRandom& random) {
    ValueRange usual = intersect(domain, {5, std::max<std::int64_t>(3 * sample, 48)});
    if (usual.empty()) usual = domain;
    const auto fits = [&](std::int64_t x) { return even ? x % 2 == 0 && is_prime(x / 2) : x % 2 != 0 && is_prime(x); };
    for (int i = 0; i < 40; ++i)
        if (const std::int64_t x = random.within(usual); fits(x)) return x;
    return random.within(usual);
}

inline std::vector<std::vector<std::int64_t>> columns_of(const std::vector<ProbePoint>& points, std::size_t dims) {
    std::vector<std::vector<std::int64_t>> columns(dims);
    for (std::size_t d = 0; d < dims; ++d)
        for (const auto& point : points) columns[d].push_back(point[d]);
    return columns;
}

/// Whether sizes and their differences tell dimensions, multiples and remainders apart.
inline bool separates(const std::vector<ProbePoint>& points, const std::vector<ProbeDim>& dims) {
    const auto columns = columns_of(points, dims.size());
    const std::vector<std::int64_t> ones(points.size(), 1);
    std::vector<const std::vector<std::int64_t>*> basis{&ones};
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const ValueRange domain = probe_domain(dims[d]);
        if (domain.min == domain.max) continue;
        std::int64_t common = 0;
        for (const std::int64_t x : columns[d]) common = std::gcd(common, x - columns[d][0]);
        if (common != 1) return false;
        if (!algo::contains(columns[d], domain.min)) return false;
        if (!algo::contains(columns[d], domain.max)) return false;
        basis.push_back(&columns[d]);
    }
    return BasisInverse::of(basis).has_value();
}

inline ProbePoint generic_point(const std::vector<ProbeDim>& dims, std::size_t index, ProbeRandom& random) {
    ProbePoint point;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const ValueRange domain = probe_domain(dims[d]);
        std::int64_t size = generic_size(domain, dims[d].sample, (index + d) % 2 == 0, random);
        // Two dimensions of one size may take a path that no other sizes take.
        for (int i = 0; i < 20 && algo::contains(point, size); ++i)
            size = generic_size(domain, dims[d].sample, (index + d) % 2 == 0, random);
        point.push_back(size);
    }
    return point;
}

/// What depends on sizes together shows where all are large that have an end. The sample where that would be too large to run:
/// ops without a Meta kernel take memory for their results.
inline ProbePoint large_point(const std::vector<ProbeDim>& dims, const ProbePoint& sample) {
    constexpr double max_elements = 1 << 22;
    ProbePoint point = sample;
    double elements = 1;
    std::size_t moved = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const ValueRange domain = probe_domain(dims[d]);
        if (dims[d].range.max == domain.max && domain.min < domain.max) {
            point[d] = std::max(domain.max - (domain.max - domain.min) / 8 - static_cast<std::int64_t>(d), domain.min);
            ++moved;
        }
        elements *= static_cast<double>(point[d]);
    }
    return moved > 1 && elements <= max_elements ? point : sample;
}

}  // namespace detail

/// More points of the generic kind, none of them among `taken`, as far as the ranges have any.
[[nodiscard]] inline std::vector<ProbePoint> more_probe_points(const std::vector<ProbeDim>& dims,
                                                               const std::vector<ProbePoint>& taken,
                                                               std::size_t count) {
    std::vector<ProbePoint> points;
    detail::ProbeRandom random{taken.size() * 0x100 + 7};
    for (std::size_t tries = 0; tries < 40 * count && points.size() < count; ++tries) {
        ProbePoint point = detail::generic_point(dims, taken.size() + points.size(), random);
        if (!algo::contains(taken, point) && !algo::contains(points, point)) points.push_back(std::move(point));
    }
    return points;
}

/// Points at which to capture: the sample first, then each dimension at the ends of its domain, those with an end large at once,
/// then generic sizes; max(5, k + 4) for k dimensions that vary. Each is a whole capture, so they are few, and chosen so that
/// products and sums of dimensions are told apart by them. Floors and remainders need one to three more, which Fitter asks for
/// when it meets any.
[[nodiscard]] inline std::vector<ProbePoint> choose_probe_points(const std::vector<ProbeDim>& dims) {
    std::vector<std::size_t> varying;
    std::vector<ValueRange> domains;
    double combinations = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        domains.push_back(probe_domain(dims[d]));
        if (domains[d].min < domains[d].max) varying.push_back(d);
        combinations *= static_cast<double>(domains[d].max - domains[d].min) + 1;
    }
    const std::size_t count = varying.empty() ? 1 : std::max<std::size_t>(5, varying.size() + 4);
    if (combinations <= static_cast<double>(count)) {  // all of them
        std::vector<ProbePoint> points{{}};
        for (const auto& domain : domains) {
            std::vector<ProbePoint> longer;
            for (const auto& point : points)
                for (std::int64_t x = domain.min; x <= domain.max; ++x) {
                    longer.push_back(point);
                    longer.back().push_back(x);
                }
            points = std::move(longer);
        }
        return points;
    }
    std::vector<ProbePoint> points;
    for (std::uint64_t seed = 1; seed <= 64; ++seed) {
        detail::ProbeRandom random{seed};
        points.clear();
        const auto add = [&](ProbePoint point) {
            if (!algo::contains(points, point)) points.push_back(std::move(point));
        };
        ProbePoint sample;
        for (std::size_t d = 0; d < dims.size(); ++d)
            sample.push_back(std::clamp(dims[d].sample, domains[d].min, domains[d].max));
        add(sample);
        for (std::size_t i = 0; i < varying.size(); ++i) {
            ProbePoint low = detail::generic_point(dims, i, random);
            const std::size_t next = varying[(i + 1) % varying.size()];
            low[varying[i]] = domains[varying[i]].min;
            if (varying.size() > 1) low[next] = domains[next].max;
            add(std::move(low));
        }
        if (ProbePoint large = detail::large_point(dims, sample); large != sample) add(std::move(large));
        if (varying.size() == 1) {
            ProbePoint high = detail::generic_point(dims, 1, random);
            high[varying[0]] = domains[varying[0]].max;
            add(std::move(high));
        }
        for (std::size_t tries = 0; points.size() < count && tries < 100; ++tries)
            add(detail::generic_point(dims, points.size(), random));
        if (detail::separates(points, dims)) break;
    }
    return points;
}

}  // namespace ferry
