#include <ferry/files/output_file.hpp>

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

namespace {

using ferry::files::MappedFile;
using ferry::files::OutputFile;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string text_of(const std::filesystem::path& path) {
    const auto bytes = ferry_test::read_bytes(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
auto files_in(const ferry_test::Folder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path), std::filesystem::directory_iterator());
}

}  // namespace

TEST_CASE("a file appears when it is whole") {
    const ferry_test::Folder folder;
    {
        OutputFile file(folder / "a");
        file.write(bytes_of("0123456789"));
        file.patch(2, bytes_of("xy"));
        CHECK(file.size() == 10);
        CHECK_FALSE(std::filesystem::exists(folder / "a"));
        file.commit();
    }
    CHECK(text_of(folder / "a") == "01xy456789");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a file that is given up leaves nothing behind, and what was there before stays") {
    const ferry_test::Folder folder;
    ferry_test::write_bytes(folder / "a", bytes_of("old"));
    {
        OutputFile file(folder / "a");
        file.write(bytes_of("new"));
    }
    CHECK(text_of(folder / "a") == "old");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("through a symbolic link the file is replaced, not the link") {
    const ferry_test::Folder folder;
    ferry_test::write_bytes(folder / "a", bytes_of("old"));
    std::filesystem::create_symlink("a", folder / "link");
    OutputFile file(folder / "link");
    file.write(bytes_of("new"));
    file.commit();
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(text_of(folder / "a") == "new");
}

TEST_CASE("what cannot be written or read is an error that names the file") {
    const ferry_test::Folder folder;
    const auto message = [](auto&& act) -> std::string {
        try {
            act();
        } catch (const ferry::Error& error) {
            CHECK(error.kind() == ferry::ErrorKind::io);
            return error.what();
        }
        return {};
    };
    CHECK(message([&] { OutputFile file(folder / "none/a"); }).find("none/a") != std::string::npos);
    CHECK(message([&] { OutputFile file(folder.path); }).find("regular file") != std::string::npos);
    CHECK(message([&] { static_cast<void>(MappedFile::open(folder / "missing")); }).find("missing") !=
          std::string::npos);
    CHECK(message([&] { static_cast<void>(MappedFile::open(folder.path)); }).find(folder.path.string()) !=
          std::string::npos);
}

TEST_CASE("a mapped file is read in place, and writing to the memory leaves it as it is") {
    const ferry_test::Folder folder;
    ferry_test::write_bytes(folder / "a", bytes_of("0123"));
    ferry_test::write_bytes(folder / "empty", {});
    const auto file = MappedFile::open(folder / "a");
    REQUIRE(std::ranges::equal(file->bytes(), bytes_of("0123")));
    file->bytes()[0] = std::byte{'x'};
    CHECK(std::ranges::equal(file->bytes(), bytes_of("x123")));
    CHECK(text_of(folder / "a") == "0123");
    CHECK(MappedFile::open(folder / "empty")->bytes().empty());
}
