#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/crc32.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/files/zip_format.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace ferry::files {

/// Writes a zip archive of entries that are stored as they are, each beginning at a multiple of `alignment` as torch wants it.
/// `Sink` is OutputFile or OutputBytes. Bytes go straight from where they are to the sink.
template <class Sink>
class ZipWriter {
public:
    static constexpr std::uint64_t alignment = 64;

    /// Sizes and offsets from `wide_from` on are written as 64-bit numbers.
    explicit ZipWriter(Sink& sink, std::uint64_t wide_from = zip::in_zip64) : sink_(sink), wide_from_(wide_from) {}

    void add(std::string_view name, std::span<const std::byte> bytes);
    void add(std::string_view name, std::string_view text) {
        add(name, std::as_bytes(std::span<const char>(text.data(), text.size())));
    }
    /// The directory; nothing may be added afterwards.
    void finish();

private:
    struct Written {
        std::string name;
        std::uint64_t size, place;
        std::uint32_t crc;
    };

    // Version 4.5 has zip64; names are UTF-8; the date is the first that the format has: equal programs give equal files.
    static constexpr std::uint16_t version = 45, utf8 = 0x0800, stored = 0, midnight = 0, first_day = 0x21;

    [[nodiscard]] bool is_wide(std::uint64_t number) const noexcept { return number >= wide_from_; }
    [[nodiscard]] std::uint32_t narrow(std::uint64_t number) const noexcept {
        return is_wide(number) ? zip::in_zip64 : static_cast<std::uint32_t>(number);
    }

    Sink& sink_;
    std::uint64_t wide_from_;
    std::vector<Written> written_;
    std::unordered_set<std::string> names_;
};

template <class Sink>
void ZipWriter<Sink>::add(std::string_view name, std::span<const std::byte> bytes) {
    if (name.size() > 0x7FFF)
        throw Error(ErrorKind::unsupported, "an entry of a zip archive with a name of more than 32767 bytes");
    if (!names_.emplace(name).second)
        throw Error(ErrorKind::internal, "two entries of an archive have one name",
                    {.where = {.path = std::string(name)}});
    const std::uint64_t place = sink_.size();
    const bool wide = is_wide(bytes.size());
    const std::uint64_t fixed = zip::local_header_size + name.size() + (wide ? 20 : 0);
    // What fills up to the alignment is a field of its own, at least its four bytes of header.
    const std::uint64_t filler = alignment - (place + fixed + 4) % alignment;
    const auto crc_place = place + 14;
    zip::Record header;
    header.add(zip::local_header).add(version).add(utf8).add(stored).add(midnight).add(first_day);
    header.add(std::uint32_t{0}).add(narrow(bytes.size())).add(narrow(bytes.size()));
    header.add(static_cast<std::uint16_t>(name.size())).add(static_cast<std::uint16_t>((wide ? 20 : 0) + 4 + filler));
    header.add_text(name);
    if (wide) {
        const std::uint64_t size = bytes.size();
        header.add(zip::zip64_field).add(std::uint16_t{16}).add(size).add(size);
    }
    header.add_text("FB").add(static_cast<std::uint16_t>(filler)).add_filler(static_cast<std::size_t>(filler));
    sink_.write(header.bytes());
    std::uint32_t crc = 0;
    constexpr std::size_t piece = std::size_t{1} << 20;  // still in the cache when it is written
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const auto part = bytes.subspan(at, std::min(piece, bytes.size() - at));
        crc = crc32(part, crc);
        sink_.write(part);
    }
    sink_.patch(crc_place, zip::Record().add(crc).bytes());
    written_.push_back({std::string(name), bytes.size(), place, crc});
}

template <class Sink>
void ZipWriter<Sink>::finish() {
    const std::uint64_t start = sink_.size();
    for (const auto& [name, size, place, crc] : written_) {
        const std::size_t numbers = (is_wide(size) ? 2 : 0) + (is_wide(place) ? 1 : 0);
        zip::Record header;
        header.add(zip::central_header).add(version).add(version).add(utf8).add(stored).add(midnight).add(first_day);
        header.add(crc).add(narrow(size)).add(narrow(size)).add(static_cast<std::uint16_t>(name.size()));
        header.add(static_cast<std::uint16_t>(numbers == 0 ? 0 : 4 + 8 * numbers)).add_filler(10).add(narrow(place));
        header.add_text(name);
        if (numbers != 0) header.add(zip::zip64_field).add(static_cast<std::uint16_t>(8 * numbers));
        if (is_wide(size)) header.add(size).add(size);
        if (is_wide(place)) header.add(place);
        sink_.write(header.bytes());
    }
    const std::uint64_t size = sink_.size() - start;
    const std::uint64_t count = written_.size();
    zip::Record end;
    if (is_wide(start) || is_wide(size) || count >= zip::many) {
        end.add(zip::end_record64).add(std::uint64_t{zip::end_record64_size - 12}).add(version).add(version);
        end.add_filler(8).add(count).add(count).add(size).add(start);
        end.add(zip::end_locator64).add_filler(4).add(start + size).add(std::uint32_t{1});
    }
    const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, zip::many));
    end.add(zip::end_record).add_filler(4).add(short_count).add(short_count).add(narrow(size)).add(narrow(start));
    end.add_filler(2);
    sink_.write(end.bytes());
}

}  // namespace ferry::files
