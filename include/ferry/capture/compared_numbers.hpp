#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// Numbers that code compares sizes and values with, so that a model which does something else there is found out.
namespace ferry::capture {

namespace detail {

/// All small ones, and those around round ones.
[[nodiscard]] inline const std::vector<std::int64_t>& compared_values() {
    static const std::vector<std::int64_t> values = [] {
        std::vector<std::int64_t> made;
        for (std::int64_t small = 0; small <= 100; ++small) made.push_back(small);
        for (const std::int64_t round :
             {128, 200, 256, 500, 512, 1000, 1024, 2048, 4096, 5000, 10000, 32000, 32768, 65536})
            for (const std::int64_t by : {-1, 0, 1}) made.push_back(round + by);
        made.insert(made.end(), {50256, 50257, 100000, 128000, 1000000});
        return made;
    }();
    return values;
}

/// Points at which each chosen dimension has each of these numbers once, the others having others.
template <class Chosen>
[[nodiscard]] std::vector<ProbePoint> rotated(const std::vector<ProbeDim>& dims, const ProbePoint& sample,
                                              std::span<const std::int64_t> numbers, Chosen&& chosen) {
    std::vector<ProbePoint> points;
    for (std::size_t round = 0; round < numbers.size(); ++round) {
        ProbePoint point = sample;
        std::size_t next = round;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (!chosen(dims[i])) continue;
            const std::int64_t number = numbers[next++ % numbers.size()];
            if (dims[i].least <= number && dims[i].range.contains(number)) point[i] = number;
        }
        if (point != sample) points.push_back(std::move(point));
    }
    return points;
}

}  // namespace detail

/// For numbers that code has asked for; and for sizes that depend on values, which it can only ask for, fewer.
[[nodiscard]] inline std::vector<ProbePoint> points_of_values(const std::vector<ProbeDim>& dims,
                                                              const ProbePoint& sample) {
    constexpr std::int64_t counts[] = {2, 3, 4, 5, 6, 7, 8, 10, 16, 100};
    auto points =
        detail::rotated(dims, sample, detail::compared_values(), [](const ProbeDim& dim) { return dim.least <= 0; });
    for (ProbePoint& point : detail::rotated(
             dims, sample, counts, [](const ProbeDim& dim) { return dim.least > 0 && is_unbacked_name(dim.name); }))
        points.push_back(std::move(point));
    return points;
}

/// For other sizes: small ones, as far as some dimension has them in no `known` point; and all at 1 at once, where the larger or smaller
/// of a number and several sizes shows.
[[nodiscard]] inline std::vector<ProbePoint> tiny_sizes(const std::vector<ProbeDim>& dims, const ProbePoint& sample,
                                                        const std::vector<ProbePoint>& known) {
    constexpr std::int64_t tiny[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    constexpr std::int64_t one[] = {1};
    const auto is_size = [](const ProbeDim& dim) { return dim.least > 0 && !is_unbacked_name(dim.name); };
    auto points = detail::rotated(dims, sample, tiny, is_size);
    const auto is_known = [&](std::size_t dim, std::int64_t size) {
        return algo::any_of(known, [&](const ProbePoint& each) { return each[dim] == size; });
    };
    std::erase_if(points, [&](const ProbePoint& point) {
        for (std::size_t i = 0; i < point.size(); ++i)
            if (!is_known(i, point[i])) return false;
        return true;
    });
    for (ProbePoint& point : detail::rotated(dims, sample, one, is_size)) points.push_back(std::move(point));
    return points;
}

/// And such as are beyond what tables and buffers hold; multiples of small numbers, where probes are primes and their doubles.
[[nodiscard]] inline ProbePoint large_sizes(const std::vector<ProbeDim>& dims, ProbePoint sample) {
    constexpr std::int64_t step = 60;
    std::int64_t large = 70020;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (dims[i].least > 0 && dims[i].range.max == ValueRange::no_max) sample[i] = large, large += step;
    return sample;
}

}  // namespace ferry::capture
