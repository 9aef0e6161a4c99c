#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/scalar_types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

/// Numbers of the .pt2 format: its version, and its own enumerations, which differ from c10's.
namespace ferry::pt2 {

struct SchemaVersion {
    std::int64_t major = 0;
    std::int64_t minor = 0;
};
/// What Ferry reads and writes: that of torch 2.12.
inline constexpr SchemaVersion schema_version{8, 20};

/// In the metadata of Ferry's own programs, whose lower bounds of 2 or less are meant. Python, which checks none, passes it over.
inline constexpr const char* least_sizes_key = "ferry.least_sizes";

[[nodiscard]] inline std::string to_string(SchemaVersion version) {
    return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

inline void check_version(SchemaVersion version) {
    if (version.major == schema_version.major && version.minor <= schema_version.minor) return;
    const bool newer = version.major > schema_version.major || version.major == schema_version.major;
    throw Error(
        ErrorKind::bad_file,
        "the program's schema version is " + to_string(version) + ", Ferry knows up to " + to_string(schema_version),
        {.hint = newer ? "save the program with an older torch, or use a newer Ferry"
                       : "save the program with torch 2.9 or newer"});
}

inline constexpr std::pair<DType, int> scalar_types[] = {
    {DType::uint8, 1},
    {DType::int8, 2},
    {DType::int16, 3},
    {DType::int32, 4},
    {DType::int64, 5},
    {DType::float16, 6},
    {DType::float32, 7},
    {DType::float64, 8},
    {DType::complex32, 9},
    {DType::complex64, 10},
    {DType::complex128, 11},
    {DType::boolean, 12},
    {DType::bfloat16, 13},
    {DType::uint16, 28},
    {DType::float8_e4m3fn, 29},
    {DType::float8_e5m2, 30},
    {DType::float8_e4m3fnuz, 31},
    {DType::float8_e5m2fnuz, 32},
    {DType::uint32, 34},
    {DType::uint64, 35},
};
inline constexpr std::pair<Layout, int> layouts[] = {
    {Layout::sparse, 1},     {Layout::sparse_csr, 2}, {Layout::sparse_csc, 3}, {Layout::sparse_bsr, 4},
    {Layout::sparse_bsc, 5}, {Layout::mkldnn, 6},     {Layout::strided, 7},
};
inline constexpr std::pair<MemoryFormat, int> memory_formats[] = {
    {MemoryFormat::contiguous, 1},
    {MemoryFormat::channels_last, 2},
    {MemoryFormat::channels_last_3d, 3},
    {MemoryFormat::preserve, 4},
};

template <class Enumeration, std::size_t Count>
[[nodiscard]] int number_of(const std::pair<Enumeration, int> (&table)[Count], Enumeration value, const char* what) {
    for (const auto& [each, number] : table)
        if (each == value) return number;
    throw Error(ErrorKind::unsupported, std::string("the .pt2 format has no number for ") + what + ' ' +
                                            std::to_string(static_cast<int>(value)));
}
template <class Enumeration, std::size_t Count>
[[nodiscard]] Enumeration from_number(const std::pair<Enumeration, int> (&table)[Count], std::int64_t number,
                                      const char* what) {
    for (const auto& [value, each] : table)
        if (each == number) return value;
    throw Error(ErrorKind::unsupported,
                std::string("the file has a ") + what + " that is not known here: number " + std::to_string(number));
}

}  // namespace ferry::pt2
