#pragma once

#include <ferry/graph/scalar_types.hpp>

#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <string>

/// The border between c10's enumerations and the graph's.
namespace ferry {

static_assert(static_cast<int>(c10::ScalarType::Float) == static_cast<int>(DType::float32));
static_assert(static_cast<int>(c10::ScalarType::Bool) == static_cast<int>(DType::boolean));
static_assert(static_cast<int>(c10::ScalarType::BFloat16) == static_cast<int>(DType::bfloat16));
static_assert(static_cast<int>(c10::ScalarType::Float8_e5m2) == static_cast<int>(DType::float8_e5m2));
static_assert(static_cast<int>(c10::ScalarType::UInt64) == static_cast<int>(DType::uint64));
static_assert(static_cast<int>(c10::Layout::Jagged) == static_cast<int>(Layout::jagged));
static_assert(static_cast<int>(c10::MemoryFormat::ChannelsLast3d) == static_cast<int>(MemoryFormat::channels_last_3d));

[[nodiscard]] constexpr DType to_dtype(c10::ScalarType type) noexcept { return static_cast<DType>(type); }
[[nodiscard]] constexpr c10::ScalarType to_c10(DType type) noexcept { return static_cast<c10::ScalarType>(type); }
[[nodiscard]] constexpr Layout to_layout(c10::Layout layout) noexcept { return static_cast<Layout>(layout); }
[[nodiscard]] constexpr c10::Layout to_c10(Layout layout) noexcept { return static_cast<c10::Layout>(layout); }
[[nodiscard]] constexpr MemoryFormat to_memory_format(c10::MemoryFormat format) noexcept {
    return static_cast<MemoryFormat>(format);
}
[[nodiscard]] constexpr c10::MemoryFormat to_c10(MemoryFormat format) noexcept {
    return static_cast<c10::MemoryFormat>(format);
}

[[nodiscard]] inline Device to_device(const c10::Device& device) {
    Device made{c10::DeviceTypeName(device.type(), /*lower_case=*/true)};
    if (device.has_index()) made.index = device.index();
    return made;
}
[[nodiscard]] inline c10::Device to_c10(const Device& device) { return {to_string(device)}; }

}  // namespace ferry
