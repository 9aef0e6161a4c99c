// Seeded damage to files: what a reader must survive.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace ferry_test {

/// A copy with one to three faults: flipped bits, cut or doubled ranges, extreme numbers over four or eight bytes, and pieces
/// of JSON exchanged for others.
inline std::vector<std::byte> damaged(std::vector<std::byte> bytes, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    const std::size_t faults = 1 + below(3);
    for (std::size_t fault = 0; fault < faults && !bytes.empty(); ++fault) {
        const std::size_t at =
            below(2) == 0 ? below(bytes.size()) : bytes.size() - 1 - below(std::min<std::size_t>(bytes.size(), 400));
        const std::size_t length = std::min<std::size_t>(1 + below(40), bytes.size() - at);
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const auto last = first + static_cast<std::ptrdiff_t>(length);
        switch (below(6)) {
            case 0: *first ^= static_cast<std::byte>(1U << below(8)); break;
            case 1: bytes.resize(at); break;
            case 2: bytes.erase(first, last); break;
            case 3: {
                const std::vector<std::byte> again(first, last);
                bytes.insert(first, again.begin(), again.end());
                break;
            }
            case 4: {
                constexpr std::array<std::uint64_t, 8> extremes{
                    0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF};
                const std::uint64_t number = extremes[below(extremes.size())];
                for (std::size_t i = 0; i < std::min<std::size_t>(below(2) == 0 ? 4 : 8, bytes.size() - at); ++i)
                    bytes[at + i] = static_cast<std::byte>(number >> (8 * i));
                break;
            }
            default: {
                constexpr std::array<std::string_view, 12> pieces{
                    "null", "-1",       "[]",      "{}",     "\"\"", "1e999", "9223372036854775808",
                    "true", "[[[[[[[[", "\\ud800", "\"x\":", "}"};
                const std::string_view piece = pieces[below(pieces.size())];
                for (std::size_t i = 0; i < piece.size() && at + i < bytes.size(); ++i)
                    bytes[at + i] = static_cast<std::byte>(piece[i]);
            }
        }
    }
    return bytes;
}

}  // namespace ferry_test
