#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// Linear systems over integers without growth of numbers: solved modulo a prime; the caller checks the answer exactly.
namespace ferry::detail {

struct PrimeField {
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
    __extension__ using Wide = unsigned __int128;

    static std::uint64_t from(std::int64_t x) {
        const std::int64_t rest = x % static_cast<std::int64_t>(prime);
        return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<std::int64_t>(prime) : rest);
    }
    static std::int64_t to_signed(std::uint64_t x) {
        return x > prime / 2 ? static_cast<std::int64_t>(x) - static_cast<std::int64_t>(prime)
                             : static_cast<std::int64_t>(x);
    }
    static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return (a + b) % prime; }
    static std::uint64_t sub(std::uint64_t a, std::uint64_t b) { return (a + prime - b) % prime; }
    static std::uint64_t mul(std::uint64_t a, std::uint64_t b) {
        return static_cast<std::uint64_t>(Wide{a} * b % prime);
    }
    static std::uint64_t inverse(std::uint64_t a) {
        std::uint64_t result = 1;
        for (std::uint64_t e = prime - 2; e != 0; e >>= 1) {
            if ((e & 1) != 0) result = mul(result, a);
            a = mul(a, a);
        }
        return result;
    }
};

/// For columns of a basis: rows in which they are independent, and the inverse of the basis there.
struct BasisInverse {
    std::vector<std::size_t> rows;
    std::vector<std::vector<std::uint64_t>> inverse;

    /// Nothing if the columns depend on each other.
    static std::optional<BasisInverse> of(const std::vector<const std::vector<std::int64_t>*>& columns) {
        const std::size_t size = columns.size();
        const std::size_t points = columns.empty() ? 0 : columns[0]->size();
        if (size == 0 || points < size) return std::nullopt;
        // Eliminate over all rows to find pivots; what is done to the chosen rows is done to the identity beside them.
        BasisInverse result;
        std::vector<std::vector<std::uint64_t>> reduced;
        std::vector<std::vector<std::uint64_t>> track;
        std::vector<std::size_t> pivots;
        for (std::size_t row = 0; row < points && result.rows.size() < size; ++row) {
            std::vector<std::uint64_t> values(size);
            for (std::size_t c = 0; c < size; ++c) values[c] = PrimeField::from((*columns[c])[row]);
            std::vector<std::uint64_t> from(size, 0);
            from[result.rows.size()] = 1;
            for (std::size_t r = 0; r < reduced.size(); ++r)
                subtract(values, from, reduced[r], track[r], values[pivots[r]]);
            std::size_t pivot = 0;
            while (pivot < size && values[pivot] == 0) ++pivot;
            if (pivot == size) continue;
            const std::uint64_t scale = PrimeField::inverse(values[pivot]);
            for (auto& x : values) x = PrimeField::mul(x, scale);
            for (auto& x : from) x = PrimeField::mul(x, scale);
            for (std::size_t r = 0; r < reduced.size(); ++r)
                subtract(reduced[r], track[r], values, from, reduced[r][pivot]);
            reduced.push_back(std::move(values));
            track.push_back(std::move(from));
            pivots.push_back(pivot);
            result.rows.push_back(row);
        }
        if (result.rows.size() < size) return std::nullopt;
        result.inverse.resize(size);
        for (std::size_t r = 0; r < size; ++r) result.inverse[pivots[r]] = std::move(track[r]);
        return result;
    }

private:
    static void subtract(std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& a_track,
                         const std::vector<std::uint64_t>& b, const std::vector<std::uint64_t>& b_track,
                         std::uint64_t times) {
        if (times == 0) return;
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = PrimeField::sub(a[i], PrimeField::mul(b[i], times));
        for (std::size_t i = 0; i < a_track.size(); ++i)
            a_track[i] = PrimeField::sub(a_track[i], PrimeField::mul(b_track[i], times));
    }
};

}  // namespace ferry::detail
