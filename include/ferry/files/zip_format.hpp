#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Numbers of the zip format, which are little-endian on every machine, and what its records begin with.
namespace ferry::files::zip {

inline constexpr std::uint32_t local_header = 0x04034B50, central_header = 0x02014B50, end_record = 0x06054B50,
                               end_record64 = 0x06064B50, end_locator64 = 0x07064B50;
inline constexpr std::size_t local_header_size = 30, central_header_size = 46, end_record_size = 22,
                             end_record64_size = 56, end_locator64_size = 20;
inline constexpr std::uint16_t zip64_field = 0x0001;
inline constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;  ///< the true number is in the zip64 field
inline constexpr std::uint16_t many = 0xFFFF;

/// An unsigned number; the caller has checked that it lies within the bytes.
template <class Number>
[[nodiscard]] Number number_at(std::span<const std::byte> bytes, std::size_t place) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) value = value << 8 | static_cast<std::uint64_t>(bytes[place + i]);
    return static_cast<Number>(value);
}

/// Bytes of a record that is being put together.
class Record {
public:
    template <class Number>
    Record& add(Number value) {
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
        return *this;
    }
    Record& add_text(std::string_view text) {
        for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
        return *this;
    }
    Record& add_filler(std::size_t count) {
        bytes_.resize(bytes_.size() + count);
        return *this;
    }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

}  // namespace ferry::files::zip
