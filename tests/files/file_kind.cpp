#include <ferry/files/file_kind.hpp>

#include <ferry/core/error.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/files/zip_writer.hpp>

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using ferry::files::file_kind;
using ferry::files::FileKind;

FileKind kind_of(std::string text) { return file_kind(std::as_writable_bytes(std::span(text.data(), text.size()))); }

std::string zip_of(std::initializer_list<const char*> names) {
    ferry::files::OutputBytes file;
    ferry::files::ZipWriter archive(file);
    for (const char* name : names) archive.add(name, "x");
    archive.finish();
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

TEST_CASE("archives of torch") {
    CHECK(kind_of(zip_of({"m/data/weights/weight_0", "m/archive_format"})) == FileKind::pt2);
    CHECK(kind_of(zip_of({"serialized_exported_program.json"})) == FileKind::pt2);
    CHECK(kind_of(zip_of({"m/data.pkl", "m/code/__torch__.py", "m/constants.pkl"})) == FileKind::torchscript);
    CHECK(kind_of(zip_of({"m/data.pkl", "m/data/0"})) == FileKind::torch_pickle);
    CHECK(kind_of(zip_of({"m/readme"})) == FileKind::other_zip);
    CHECK(kind_of(zip_of({})) == FileKind::other_zip);
    CHECK_THROWS_AS(static_cast<void>(kind_of("PK\x03\x04 and no more")), ferry::Error);
}

TEST_CASE("other formats") {
    using namespace std::string_literals;
    CHECK(kind_of("\x08\x0a\x12\x05"s + "ferry") == FileKind::onnx);
    CHECK(kind_of("\x1c\0\0\0ET12eh00"s) == FileKind::executorch);
    CHECK(kind_of("\x02\0\0\0\0\0\0\0{}"s) == FileKind::safetensors);
    for (const std::string& text : {""s, "\x08"s, "hello, world"s, "\x02\0\0\0\0\0\0\0[]"s, "\xff\0\0\0\0\0\0\0{}"s})
        CHECK(kind_of(text) == FileKind::unknown);
}

TEST_CASE("a suffix speaks where the content does not") {
    const ferry_test::Folder folder;
    const auto kind_at = [&](const char* name, std::string_view text) {
        ferry_test::write_bytes(folder / name, std::as_bytes(std::span(text)));
        return file_kind(folder / name);
    };
    CHECK(kind_at("a.onnx", "?") == FileKind::onnx);
    CHECK(kind_at("a.pte", "?") == FileKind::executorch);
    CHECK(kind_at("a.pt2", "?") == FileKind::unknown);
    CHECK(kind_at("b.onnx", zip_of({"m/archive_format"})) == FileKind::pt2);
    CHECK_THROWS_AS(static_cast<void>(file_kind(folder / "absent")), ferry::Error);
}
