#pragma once

#include <ferry/core/error.hpp>
#include <ferry/executorch/alignment.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ferry::executorch::xnnpack {

/// What a delegate's data begins with: where its graph is, and behind it the constants.
struct Header {
    static constexpr std::uint16_t size = 30;
    static constexpr std::size_t alignment = 16;

    std::uint32_t graph_at = static_cast<std::uint32_t>(aligned(size, alignment));
    std::uint32_t graph_size = 0;
    std::uint32_t constants_at = 0;
    std::uint64_t constants_size = 0;

    void write(std::span<std::byte> data) const {
        const auto put = [&](std::size_t at, const void* what, std::size_t bytes) {
            std::memcpy(data.data() + at, what, bytes);
        };
        put(4, mark, sizeof mark);
        put(8, &size, sizeof size);
        put(10, &graph_at, 4);
        put(14, &graph_size, 4);
        put(18, &constants_at, 4);
        put(22, &constants_size, 8);
    }
    /// The graph that it tells of lies within the data.
    [[nodiscard]] static Header read(std::span<const std::byte> data) {
        Header read;
        if (data.size() >= size && std::memcmp(data.data() + 4, mark, sizeof mark) == 0) {
            std::memcpy(&read.graph_at, data.data() + 10, 4);
            std::memcpy(&read.graph_size, data.data() + 14, 4);
            if (read.graph_at <= data.size() && read.graph_size <= data.size() - read.graph_at) return read;
        }
        throw Error(ErrorKind::bad_file, "the data of an XNNPACK delegate has no header, or is cut off");
    }

private:
    static constexpr char mark[4] = {'X', 'H', '0', '0'};
};

}  // namespace ferry::executorch::xnnpack
