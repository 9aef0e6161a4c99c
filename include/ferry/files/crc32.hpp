#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ferry::files {
namespace detail {

/// Row k holds the checksum of each byte followed by k zero bytes: sixteen bytes are then one step.
inline constexpr auto crc32_tables = [] {
    std::array<std::array<std::uint32_t, 256>, 16> tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (0xEDB88320U & (0U - (value & 1U)));
        tables[0][i] = value;
    }
    for (std::size_t k = 1; k < tables.size(); ++k)
        for (std::size_t i = 0; i < 256; ++i)
            tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xFFU];
    return tables;
}();

}  // namespace detail

/// The checksum of zip files; `crc` is that of the bytes before.
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0) noexcept {
    const auto& tables = detail::crc32_tables;
    crc = ~crc;
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 16; left -= 16, at += 16) {
        std::array<std::uint8_t, 16> block;
        std::memcpy(block.data(), at, 16);
        for (std::size_t i = 0; i < 4; ++i) block[i] ^= static_cast<std::uint8_t>(crc >> (8 * i));
        crc = 0;
        for (std::size_t i = 0; i < 16; ++i) crc ^= tables[15 - i][block[i]];
    }
    for (; left != 0; --left, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint32_t>(*at)) & 0xFFU];
    return ~crc;
}

}  // namespace ferry::files
