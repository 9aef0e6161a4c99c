#pragma once

#include <ferry/executorch/sink.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

/// What ExecuTorch's files have in common: a flatbuffer with a header behind its first bytes, and behind it tensors as they are.
namespace ferry::executorch::detail {

inline constexpr std::uint64_t segment_alignment = 128;

/// In which order a tensor's dimensions lie in memory: all tensors in these files are contiguous.
[[nodiscard]] inline std::vector<std::uint8_t> dim_order(std::size_t dims) {
    std::vector<std::uint8_t> made(dims);
    for (std::size_t i = 0; i < dims; ++i) made[i] = static_cast<std::uint8_t>(i);
    return made;
}

/// Hands on bytes and counts them.
class FileWriter {
public:
    explicit FileWriter(const Sink& sink) : sink_(sink) {}
    void write(std::span<const std::byte> bytes) {
        if (!bytes.empty()) sink_(bytes);
        at_ += bytes.size();
    }
    void pad_to(std::uint64_t offset) {
        static constexpr std::array<std::byte, segment_alignment> gap{};
        while (at_ < offset) write(std::span(gap).first(std::min<std::uint64_t>(gap.size(), offset - at_)));
    }
    void write(const at::Tensor& tensor, std::uint64_t at) {
        pad_to(at);
        write({static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()});
    }

private:
    const Sink& sink_;
    std::uint64_t at_ = 0;
};

/// The header goes between a flatbuffer's mark and its tables, which are then farther away.
[[nodiscard]] inline std::vector<std::byte> with_header(std::span<const std::byte> flatbuffer,
                                                        std::span<const std::byte> header) {
    constexpr std::size_t at = 8;
    std::uint32_t root = 0;
    std::memcpy(&root, flatbuffer.data(), sizeof root);
    root += static_cast<std::uint32_t>(header.size());
    std::vector<std::byte> made;
    made.reserve(flatbuffer.size() + header.size());
    made.insert(made.end(), flatbuffer.begin(), flatbuffer.begin() + at);
    std::memcpy(made.data(), &root, sizeof root);
    made.insert(made.end(), header.begin(), header.end());
    made.insert(made.end(), flatbuffer.begin() + at, flatbuffer.end());
    return made;
}

}  // namespace ferry::executorch::detail
