#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace ferry::executorch {

/// Behind the first eight bytes of a .pte file's flatbuffer: where that ends, and where the segments begin and how long they are.
struct ExtendedHeader {
    static constexpr std::size_t at = 8;
    static constexpr std::size_t size = 32;

    std::uint64_t program_size = 0, segments_at = 0, segments_size = 0;

    [[nodiscard]] std::array<std::byte, size> bytes() const {
        std::array<std::byte, size> made{};
        constexpr std::uint32_t length = size;
        std::memcpy(made.data(), mark, sizeof mark);
        std::memcpy(made.data() + 4, &length, 4);
        std::memcpy(made.data() + 8, &program_size, 8);
        std::memcpy(made.data() + 16, &segments_at, 8);
        std::memcpy(made.data() + 24, &segments_size, 8);
        return made;
    }
    /// Of a whole file. Old ones have none: all of them is the program.
    [[nodiscard]] static std::optional<ExtendedHeader> read(std::span<const std::byte> file) {
        if (file.size() < at + size || std::memcmp(file.data() + at, mark, sizeof mark) != 0) return std::nullopt;
        ExtendedHeader read;
        std::uint32_t length = 0;
        const std::byte* const header = file.data() + at;
        std::memcpy(&length, header + 4, 4);
        std::memcpy(&read.program_size, header + 8, 8);
        std::memcpy(&read.segments_at, header + 16, 8);
        constexpr std::uint32_t without_segments_size = 24;  // as it was at first
        if (length > without_segments_size) std::memcpy(&read.segments_size, header + 24, 8);
        return read;
    }

private:
    static constexpr char mark[4] = {'e', 'h', '0', '0'};
};

}  // namespace ferry::executorch
