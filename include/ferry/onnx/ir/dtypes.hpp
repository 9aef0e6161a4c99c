#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/scalar_types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ferry::onnx {
namespace detail {

/// TensorProto's numbers of element types; these are part of the format and never change.
inline constexpr std::pair<DType, std::int32_t> element_types[] = {
    {DType::float32, 1},      {DType::uint8, 2},           {DType::int8, 3},
    {DType::uint16, 4},       {DType::int16, 5},           {DType::int32, 6},
    {DType::int64, 7},        {DType::boolean, 9},         {DType::float16, 10},
    {DType::float64, 11},     {DType::uint32, 12},         {DType::uint64, 13},
    {DType::bfloat16, 16},    {DType::float8_e4m3fn, 17},  {DType::float8_e4m3fnuz, 18},
    {DType::float8_e5m2, 19}, {DType::float8_e5m2fnuz, 20}};

}  // namespace detail

[[nodiscard]] inline std::int32_t element_type(DType dtype) {
    for (const auto& [known, number] : detail::element_types)
        if (known == dtype) return number;
    throw Error(ErrorKind::unsupported, "ONNX Runtime has no tensors of " + std::string(info(dtype).torch_name),
                {.hint = is_complex(dtype) ? "compute with real and imaginary parts (torch::view_as_real)" : ""});
}

/// Nothing for what libtorch does not have: strings, four bits.
[[nodiscard]] constexpr std::optional<DType> dtype_of(std::int32_t element_type) noexcept {
    for (const auto& [dtype, number] : detail::element_types)
        if (number == element_type) return dtype;
    return std::nullopt;
}

}  // namespace ferry::onnx
