#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/files/crc32.hpp>
#include <ferry/files/zip_format.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::files {

/// The entries of a zip archive in memory. No length or offset in it is trusted: whatever points outside is ErrorKind::bad_file.
class ZipReader {
public:
    struct Entry {
        std::string name{};
        std::span<std::byte> stored{};  ///< as they are in the archive
        std::uint64_t size = 0;         ///< when unpacked
        std::uint32_t crc = 0;
        std::uint16_t method = 0;
        bool encrypted = false;
    };

    explicit ZipReader(std::span<std::byte> archive) : archive_(archive) { read_directory(); }

    [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }
    [[nodiscard]] const Entry* find(std::string_view name) const {
        const auto found = by_name_.find(std::string(name));
        return found == by_name_.end() ? nullptr : &entries_[found->second];
    }
    /// The bytes of an entry in place; large ones are read only where they are used, so the checksum is not looked at.
    [[nodiscard]] static std::span<std::byte> bytes(const Entry& entry);
    /// The same of an entry that is read whole anyway: a wrong checksum is an error.
    [[nodiscard]] static std::span<std::byte> checked_bytes(const Entry& entry) {
        const auto found = bytes(entry);
        if (crc32(found) != entry.crc)
            throw Error(ErrorKind::bad_file, "an entry of the archive is damaged: its checksum is another one",
                        {.where = {.path = entry.name}});
        return found;
    }

private:
    struct Directory {
        std::uint64_t count = 0, size = 0, start = 0;
    };

    [[noreturn]] static void fail(const std::string& what, std::string_view where = {}) {
        throw Error(ErrorKind::bad_file, "this is not a readable zip archive: " + what,
                    {.where = {.path = std::string(where)}});
    }
    /// Whether `size` bytes from `place` lie before `end`.
    [[nodiscard]] static bool fits(std::uint64_t place, std::uint64_t size, std::uint64_t end) noexcept {
        return place <= end && size <= end - place;
    }
    template <class Number>
    [[nodiscard]] Number at(std::uint64_t place) const noexcept {
        return zip::number_at<Number>(archive_, static_cast<std::size_t>(place));
    }

    [[nodiscard]] Directory find_directory() const;
    void read_directory();
    void read_zip64(Entry& entry, std::uint64_t& stored_size, std::uint64_t& local,
                    std::span<const std::byte> extra) const;
    void find_stored(Entry& entry, std::uint64_t stored_size, std::uint64_t local, std::uint64_t end) const;

    std::span<std::byte> archive_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> by_name_;
};

inline std::span<std::byte> ZipReader::bytes(const Entry& entry) {
    if (entry.encrypted || entry.method != 0)
        throw Error(
            ErrorKind::unsupported,
            std::string("an entry of the archive is ") + (entry.encrypted ? "encrypted" : "compressed"),
            {.hint = "archives that torch writes hold their entries as they are: pack it again without compression",
             .where = {.path = entry.name}});
    if (entry.stored.size() != entry.size) fail("an entry has two different sizes", entry.name);
    return entry.stored;
}

inline ZipReader::Directory ZipReader::find_directory() const {
    if (archive_.size() < zip::end_record_size) fail("it is too short");
    const std::size_t last = archive_.size() - zip::end_record_size;
    const std::size_t first = last > 0xFFFF ? last - 0xFFFF : 0;  // a comment of any length may follow
    std::size_t end = last + 1;
    while (end-- > first)
        if (at<std::uint32_t>(end) == zip::end_record &&
            end + zip::end_record_size + at<std::uint16_t>(end + 20) == archive_.size())
            break;
    if (end + 1 == first || end > last) fail("it has no end record");
    Directory found{at<std::uint16_t>(end + 10), at<std::uint32_t>(end + 12), at<std::uint32_t>(end + 16)};
    const bool wide = found.count == zip::many || found.size == zip::in_zip64 || found.start == zip::in_zip64;
    std::uint64_t limit = end;
    if (wide && end >= zip::end_locator64_size &&
        at<std::uint32_t>(end - zip::end_locator64_size) == zip::end_locator64) {
        const auto place = at<std::uint64_t>(end - zip::end_locator64_size + 8);
        if (!fits(place, zip::end_record64_size, end - zip::end_locator64_size) ||
            at<std::uint32_t>(place) != zip::end_record64)
            fail("its zip64 end record is missing");
        found = {at<std::uint64_t>(place + 32), at<std::uint64_t>(place + 40), at<std::uint64_t>(place + 48)};
        limit = place;
    }
    if (!fits(found.start, found.size, limit)) fail("its directory lies outside");
    if (found.count > found.size / zip::central_header_size) fail("its directory is shorter than its entries");
    return found;
}

inline void ZipReader::read_directory() {
    const Directory directory = find_directory();
    entries_.reserve(static_cast<std::size_t>(directory.count));
    std::uint64_t place = directory.start;
    const std::uint64_t end = directory.start + directory.size;
    for (std::uint64_t i = 0; i < directory.count; ++i) {
        if (!fits(place, zip::central_header_size, end) || at<std::uint32_t>(place) != zip::central_header)
            fail("entry " + std::to_string(i) + " of its directory is damaged");
        const auto name_size = at<std::uint16_t>(place + 28);
        const auto extra_size = at<std::uint16_t>(place + 30);
        const std::uint64_t variable = std::uint64_t{name_size} + extra_size + at<std::uint16_t>(place + 32);
        if (!fits(place + zip::central_header_size, variable, end))
            fail("entry " + std::to_string(i) + " of its directory is cut short");
        const auto text = std::span<const std::byte>(archive_).subspan(
            static_cast<std::size_t>(place) + zip::central_header_size, std::size_t{name_size} + extra_size);
        Entry entry{.name = std::string(reinterpret_cast<const char*>(text.data()), name_size),
                    .size = at<std::uint32_t>(place + 24),
                    .crc = at<std::uint32_t>(place + 16),
                    .method = at<std::uint16_t>(place + 10),
                    .encrypted = (at<std::uint16_t>(place + 8) & 1U) != 0};
        std::uint64_t stored_size = at<std::uint32_t>(place + 20);
        std::uint64_t local = at<std::uint32_t>(place + 42);
        read_zip64(entry, stored_size, local, text.subspan(name_size));
        find_stored(entry, stored_size, local, directory.start);
        if (!by_name_.emplace(entry.name, entries_.size()).second) fail("two entries have one name", entry.name);
        entries_.push_back(std::move(entry));
        place += zip::central_header_size + variable;
    }
}

/// Numbers that do not fit their place are in a field of their own, in this order and only those.
inline void ZipReader::read_zip64(Entry& entry, std::uint64_t& stored_size, std::uint64_t& local,
                                  std::span<const std::byte> extra) const {
    if (entry.size != zip::in_zip64 && stored_size != zip::in_zip64 && local != zip::in_zip64) return;
    while (extra.size() >= 4) {
        const auto kind = zip::number_at<std::uint16_t>(extra, 0);
        const std::size_t size = zip::number_at<std::uint16_t>(extra, 2);
        extra = extra.subspan(4);
        if (size > extra.size()) break;
        if (kind == zip::zip64_field) {
            std::size_t place = 0;
            for (std::uint64_t* number : {&entry.size, &stored_size, &local}) {
                if (*number != zip::in_zip64) continue;
                if (place + 8 > size) fail("a zip64 field is cut short", entry.name);
                *number = zip::number_at<std::uint64_t>(extra, place);
                place += 8;
            }
            return;
        }
        extra = extra.subspan(size);
    }
}

inline void ZipReader::find_stored(Entry& entry, std::uint64_t stored_size, std::uint64_t local,
                                   std::uint64_t end) const {
    if (!fits(local, zip::local_header_size, end) || at<std::uint32_t>(local) != zip::local_header)
        fail("an entry is not where the directory says", entry.name);
    const auto name_size = at<std::uint16_t>(local + 26);
    const std::uint64_t start = local + zip::local_header_size + name_size + at<std::uint16_t>(local + 28);
    if (!fits(start, stored_size, end)) fail("an entry reaches outside", entry.name);
    const auto name = archive_.subspan(static_cast<std::size_t>(local) + zip::local_header_size, name_size);
    if (!algo::equal(name, entry.name, [](std::byte a, char b) { return a == static_cast<std::byte>(b); }))
        fail("an entry has two different names", entry.name);
    entry.stored = archive_.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(stored_size));
}

}  // namespace ferry::files
