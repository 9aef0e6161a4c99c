#include <ferry/files/zip_reader.hpp>
#include <ferry/files/zip_writer.hpp>

#include <ferry/files/mapped_file.hpp>

#include "../mutate.hpp"
#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace {

using namespace ferry::files;

std::vector<std::byte> bytes_of(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}
std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The same entries that peer_zip.py has.
std::map<std::string, std::string> sample() {
    std::string large;
    for (int i = 0; i < 100000; ++i) large += static_cast<char>(i * 7 % 251);
    return {{"top/empty", ""}, {"top/text.json", "{\"a\": 1}"}, {"top/data/large", large}, {"top/\xC3\xBC", "umlaut"}};
}

template <class Sink>
void write_sample(Sink& sink, std::uint64_t wide_from = zip::in_zip64) {
    ZipWriter writer(sink, wide_from);
    for (const auto& [name, text] : sample()) writer.add(name, text);
    writer.finish();
}

void check_sample(std::span<std::byte> archive, bool aligned) {
    const ZipReader reader(archive);
    REQUIRE(reader.entries().size() == sample().size());
    for (const auto& [name, text] : sample()) {
        const auto* entry = reader.find(name);
        REQUIRE(entry != nullptr);
        const auto bytes = ZipReader::checked_bytes(*entry);
        CHECK(text_of(bytes) == text);
        if (aligned) CHECK((bytes.data() - archive.data()) % 64 == 0);
    }
    CHECK(reader.find("top") == nullptr);
}

ferry::ErrorKind kind_of(std::vector<std::byte> archive) {
    try {
        const ZipReader reader(archive);
        for (const auto& entry : reader.entries()) static_cast<void>(ZipReader::checked_bytes(entry));
    } catch (const ferry::Error& error) {
        return error.kind();
    }
    return ferry::ErrorKind::internal;
}

}  // namespace

TEST_CASE("checksums are those of zip files") {
    CHECK(crc32(bytes_of("123456789")) == 0xCBF43926);  // the check value that every description of CRC-32 gives
    CHECK(crc32({}) == 0);
    // Both ways of computing it agree at every length, and go on from any checksum.
    std::vector<std::byte> noise(700);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::byte>(i * i * 31 + i / 3);
    for (std::size_t size = 0; size <= noise.size(); ++size)
        for (const std::uint32_t before : {0U, 0xDEADBEEFU})
            CHECK(crc32(std::span(noise).first(size), before) == ~detail::crc32_by_tables(noise.data(), size, ~before));
    const auto text = bytes_of("a text of more than sixteen bytes, taken in two parts");
    for (std::size_t cut = 0; cut <= text.size(); ++cut)
        CHECK(crc32(std::span(text).subspan(cut), crc32(std::span(text).first(cut))) == crc32(text));
}

TEST_CASE("archives go through memory, plain and with 64-bit numbers") {
    for (const std::uint64_t wide_from : {std::uint64_t{zip::in_zip64}, std::uint64_t{10}, std::uint64_t{0}}) {
        OutputBytes sink;
        write_sample(sink, wide_from);
        std::vector<std::byte> archive(sink.bytes().begin(), sink.bytes().end());
        check_sample(archive, true);
    }
}

TEST_CASE("Python reads what is written") {
    const ferry_test::Folder folder;
    for (const std::uint64_t wide_from : {std::uint64_t{zip::in_zip64}, std::uint64_t{10}}) {
        OutputFile file(folder / "written.zip");
        write_sample(file, wide_from);
        file.commit();
        CHECK(ferry_test::run_python(FERRY_PYTHON, FERRY_PEER_ZIP, {"check", (folder / "written.zip").string()}));
    }
}

TEST_CASE("what Python writes is read") {
    const ferry_test::Folder folder;
    REQUIRE(ferry_test::run_python(FERRY_PYTHON, FERRY_PEER_ZIP, {"write", folder.path.string()}));
    for (const std::string name : {"plain", "wide", "comment", "torch"}) {
        CAPTURE(name);
        const auto file = MappedFile::open(folder / (name + ".zip"));
        const ZipReader reader(file->bytes());
        for (const auto& [entry_name, text] : sample()) {
            const auto* entry = reader.find(name == "torch" ? "torch" + entry_name.substr(3) : entry_name);
            REQUIRE(entry != nullptr);
            CHECK(text_of(ZipReader::checked_bytes(*entry)) == text);
        }
    }
    const auto deflated = ferry_test::read_bytes(folder / "deflated.zip");
    CHECK(kind_of(deflated) == ferry::ErrorKind::unsupported);
}

TEST_CASE("more entries than 16 bits count") {
    OutputBytes sink;
    ZipWriter writer(sink);
    for (int i = 0; i < 70000; ++i) writer.add(std::to_string(i), "");
    writer.finish();
    std::vector<std::byte> archive(sink.bytes().begin(), sink.bytes().end());
    const ZipReader reader(archive);
    CHECK(reader.entries().size() == 70000);
    CHECK(reader.find("69999") != nullptr);
}

TEST_CASE("one name twice is refused") {
    OutputBytes sink;
    ZipWriter writer(sink);
    writer.add("a", "1");
    CHECK_THROWS_AS(writer.add("a", "2"), ferry::Error);
}

TEST_CASE("a damaged entry is found by its checksum") {
    OutputBytes sink;
    write_sample(sink);
    std::vector<std::byte> archive(sink.bytes().begin(), sink.bytes().end());
    const ZipReader reader(archive);
    auto bytes = reader.find("top/data/large")->stored;
    bytes[500] ^= std::byte{4};
    CHECK(kind_of(archive) == ferry::ErrorKind::bad_file);
}

TEST_CASE("damaged archives give errors, never more") {
    for (const std::uint64_t wide_from : {std::uint64_t{zip::in_zip64}, std::uint64_t{10}}) {
        OutputBytes sink;
        write_sample(sink, wide_from);
        const std::vector<std::byte> whole(sink.bytes().begin(), sink.bytes().end());
        std::size_t refused = 0;
        for (std::uint32_t seed = 0; seed < 2000; ++seed) {
            auto archive = ferry_test::damaged(whole, seed);
            try {
                const ZipReader reader(archive);
                for (const auto& entry : reader.entries()) static_cast<void>(ZipReader::checked_bytes(entry));
            } catch (const ferry::Error& error) {
                ++refused;
                CHECK(error.kind() != ferry::ErrorKind::internal);
            }
        }
        CHECK(refused > 1000);
    }
}
