#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Element types, devices, layouts and memory formats with the numbers that c10 gives them, but without its headers: graphs
/// are built, changed and written by code that never sees libtorch. graph/c10_types.hpp checks that the numbers agree.
namespace ferry {

enum class DType : std::int8_t {
    uint8,
    int8,
    int16,
    int32,
    int64,
    float16,
    float32,
    float64,
    complex32,
    complex64,
    complex128,
    boolean,
    qint8,
    quint8,
    qint32,
    bfloat16,
    quint4x2,
    quint2x4,
    bits1x8,
    bits2x4,
    bits4x2,
    bits8,
    bits16,
    float8_e5m2,
    float8_e4m3fn,
    float8_e5m2fnuz,
    float8_e4m3fnuz,
    uint16,
    uint32,
    uint64,
};

struct DTypeInfo {
    std::string_view torch_name;  ///< as in `torch.float32`
    std::string_view short_name;  ///< as in a printed graph: "f32[2, 3]"
    std::uint8_t bytes;
};

namespace detail {

inline constexpr std::array<DTypeInfo, 30> dtype_infos{{
    {"uint8", "u8", 1},
    {"int8", "i8", 1},
    {"int16", "i16", 2},
    {"int32", "i32", 4},
    {"int64", "i64", 8},
    {"float16", "f16", 2},
    {"float32", "f32", 4},
    {"float64", "f64", 8},
    {"complex32", "c32", 4},
    {"complex64", "c64", 8},
    {"complex128", "c128", 16},
    {"bool", "b8", 1},
    {"qint8", "qi8", 1},
    {"quint8", "qu8", 1},
    {"qint32", "qi32", 4},
    {"bfloat16", "bf16", 2},
    {"quint4x2", "qu4x2", 1},
    {"quint2x4", "qu2x4", 1},
    {"bits1x8", "b1x8", 1},
    {"bits2x4", "b2x4", 1},
    {"bits4x2", "b4x2", 1},
    {"bits8", "b8", 1},
    {"bits16", "b16", 2},
    {"float8_e5m2", "f8e5m2", 1},
    {"float8_e4m3fn", "f8e4m3fn", 1},
    {"float8_e5m2fnuz", "f8e5m2fnuz", 1},
    {"float8_e4m3fnuz", "f8e4m3fnuz", 1},
    {"uint16", "u16", 2},
    {"uint32", "u32", 4},
    {"uint64", "u64", 8},
}};

}  // namespace detail

[[nodiscard]] constexpr const DTypeInfo& info(DType dtype) noexcept {
    return detail::dtype_infos[static_cast<std::size_t>(dtype)];
}
[[nodiscard]] constexpr bool is_floating_point(DType dtype) noexcept {
    switch (dtype) {
        case DType::float16:
        case DType::float32:
        case DType::float64:
        case DType::bfloat16:
        case DType::float8_e5m2:
        case DType::float8_e4m3fn:
        case DType::float8_e5m2fnuz:
        case DType::float8_e4m3fnuz: return true;
        default: return false;
    }
}
[[nodiscard]] constexpr bool is_complex(DType dtype) noexcept {
    return dtype >= DType::complex32 && dtype <= DType::complex128;
}

enum class Layout : std::int8_t { strided, sparse, sparse_csr, mkldnn, sparse_csc, sparse_bsr, sparse_bsc, jagged };
[[nodiscard]] constexpr std::string_view to_string(Layout layout) noexcept {
    constexpr std::array<std::string_view, 8> names{"strided",    "sparse_coo", "sparse_csr", "_mkldnn",
                                                    "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
    return names[static_cast<std::size_t>(layout)];
}

enum class MemoryFormat : std::int8_t { contiguous, preserve, channels_last, channels_last_3d };
[[nodiscard]] constexpr std::string_view to_string(MemoryFormat format) noexcept {
    constexpr std::array<std::string_view, 4> names{"contiguous_format", "preserve_format", "channels_last",
                                                    "channels_last_3d"};
    return names[static_cast<std::size_t>(format)];
}

/// "cpu", "cuda:0", ... by name: a graph may be for a device that this process has never heard of.
struct Device {
    std::string type = "cpu";
    std::optional<std::int32_t> index{};

    friend bool operator==(const Device&, const Device&) = default;
};
[[nodiscard]] inline std::string to_string(const Device& device) {
    return device.index ? device.type + ':' + std::to_string(*device.index) : device.type;
}

}  // namespace ferry
