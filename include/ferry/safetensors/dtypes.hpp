#pragma once

#include <ferry/graph/scalar_types.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace ferry::safetensors {

/// The format's words for element types.
inline constexpr std::pair<DType, std::string_view> dtype_words[] = {
    {DType::boolean, "BOOL"},
    {DType::uint8, "U8"},
    {DType::int8, "I8"},
    {DType::int16, "I16"},
    {DType::uint16, "U16"},
    {DType::int32, "I32"},
    {DType::uint32, "U32"},
    {DType::int64, "I64"},
    {DType::uint64, "U64"},
    {DType::float16, "F16"},
    {DType::bfloat16, "BF16"},
    {DType::float32, "F32"},
    {DType::float64, "F64"},
    {DType::complex64, "C64"},
    {DType::float8_e5m2, "F8_E5M2"},
    {DType::float8_e4m3fn, "F8_E4M3"},
    {DType::float8_e5m2fnuz, "F8_E5M2FNUZ"},
    {DType::float8_e4m3fnuz, "F8_E4M3FNUZ"},
};

[[nodiscard]] constexpr std::optional<DType> dtype_of(std::string_view word) noexcept {
    for (const auto& [dtype, each] : dtype_words)
        if (each == word) return dtype;
    return std::nullopt;
}
/// Empty: the format has no such type.
[[nodiscard]] constexpr std::string_view word_of(DType dtype) noexcept {
    for (const auto& [each, word] : dtype_words)
        if (each == dtype) return word;
    return {};
}

}  // namespace ferry::safetensors
