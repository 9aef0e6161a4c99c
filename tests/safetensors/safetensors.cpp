#include <ferry/safetensors/read.hpp>
#include <ferry/safetensors/write.hpp>

#include "../mutate.hpp"
#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace safetensors = ferry::safetensors;
using Named = std::vector<std::pair<std::string, at::Tensor>>;

/// The same tensors that peer_safetensors.py makes.
Named sample() {
    Named made;
    const auto count = [](at::ScalarType type) { return at::arange(12, at::kDouble).view({3, 4}).sub(5).to(type); };
    for (const auto& [name, type] : std::vector<std::pair<const char*, at::ScalarType>>{{"f64", at::kDouble},
                                                                                        {"f32", at::kFloat},
                                                                                        {"f16", at::kHalf},
                                                                                        {"bf16", at::kBFloat16},
                                                                                        {"i64", at::kLong},
                                                                                        {"i32", at::kInt},
                                                                                        {"i16", at::kShort},
                                                                                        {"i8", at::kChar}})
        made.emplace_back(name, count(type));
    made.emplace_back("u8", at::arange(12, at::kByte));
    made.emplace_back("bool", count(at::kFloat) > 0);
    made.emplace_back("f8", count(at::kFloat).to(at::kFloat8_e4m3fn));
    made.emplace_back("scalar", at::full({}, 2.5));
    made.emplace_back("empty", at::empty({3, 0, 2}));
    made.emplace_back("transposed", at::arange(6, at::kFloat).view({2, 3}).t());
    return made;
}

bool same(const at::Tensor& a, const at::Tensor& b) {
    if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return false;
    return at::equal(a.to(at::kDouble), b.to(at::kDouble));
}

void check_sample(const safetensors::Contents& contents) {
    CHECK(contents.tensors.size() == sample().size());
    for (const auto& [name, tensor] : sample()) {
        CAPTURE(name);
        const at::Tensor* found = contents.find(name);
        REQUIRE(found != nullptr);
        CHECK(same(*found, tensor));
    }
    CHECK(contents.metadata == std::map<std::string, std::string>{{"format", "pt"}, {"note", "a \"quoted\" \xC3\xBC"}});
}

void save_sample(const std::filesystem::path& path) {
    safetensors::save(path, sample(), {{"format", "pt"}, {"note", "a \"quoted\" \xC3\xBC"}});
}

std::string message_of(const std::filesystem::path& path, const std::string& header, std::size_t data) {
    std::string text(8, '\0');
    const std::uint64_t size = header.size();
    std::memcpy(text.data(), &size, 8);
    text += header + std::string(data, '\1');
    ferry_test::write_bytes(path, std::as_bytes(std::span(text)));
    try {
        static_cast<void>(safetensors::load(path));
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "loaded";
}

}  // namespace

TEST_CASE("tensors come back as they were") {
    const ferry_test::Folder folder;
    save_sample(folder / "a.safetensors");
    check_sample(safetensors::load(folder / "a.safetensors"));
}

TEST_CASE("Python reads what is written, and what Python writes is read") {
    const ferry_test::Folder folder;
    save_sample(folder / "ours.safetensors");
    REQUIRE(ferry_test::run_python(FERRY_PYTHON, FERRY_PEER_SAFETENSORS,
                                   {(folder / "ours.safetensors").string(), (folder / "theirs.safetensors").string()}));
    check_sample(safetensors::load(folder / "theirs.safetensors"));
}

TEST_CASE("tensors are the file's memory, and outlive what was read") {
    const ferry_test::Folder folder;
    safetensors::save(folder / "a", {{"x", at::arange(4, at::kFloat)}, {"y", at::ones({2})}});
    at::Tensor x;
    {
        const auto contents = safetensors::load(folder / "a");
        x = *contents.find("x");
        // Side by side in one mapping: nothing was copied.
        CHECK(static_cast<const char*>(contents.find("y")->const_data_ptr()) ==
              static_cast<const char*>(x.const_data_ptr()) + 16);
    }
    x.add_(1);
    CHECK(at::equal(x, at::arange(1, 5, at::kFloat)));
    CHECK(at::equal(*safetensors::load(folder / "a").find("x"), at::arange(4, at::kFloat)));
}

TEST_CASE("elements that lie between their multiples are copied, not misread") {
    const ferry_test::Folder folder;
    const std::string header =
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}} )";
    std::string text(8, '\0');
    const std::uint64_t size = header.size();
    std::memcpy(text.data(), &size, 8);
    const float value = 1.5F;
    text += header + '\7' + std::string(reinterpret_cast<const char*>(&value), 4);
    ferry_test::write_bytes(folder / "a", std::as_bytes(std::span(text)));
    CHECK(safetensors::load(folder / "a").find("b")->item<float>() == 1.5F);
}

TEST_CASE("what is not right is refused by name") {
    const ferry_test::Folder folder;
    const auto path = folder / "a";
    const auto says = [&](const std::string& header, std::size_t data, const char* what) {
        const std::string message = message_of(path, header, data);
        INFO(message);
        CHECK(message.find(what) != std::string::npos);
    };
    says(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8, "loaded");
    says(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 9, "belong to no tensor");
    says(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7, "outside the file");
    says(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8, "do not agree");
    says(R"({"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8, "zero or more");
    says(R"({"x":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}})", 8, "'Q4'");
    says(R"({"x":{"dtype":"F32","shape":[4611686018427387904,2],"data_offsets":[0,0]}})", 0, "too large");
    says(R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
         1, "overlap");
    says(R"({"x":{"dtype":"F32","shape":[2]}})", 0, "data_offsets");
    says("[" + std::string(100000, '['), 0, "deeply");
    says("{\"x\"", 0, "JSON");
    CHECK_THROWS_AS(safetensors::save(path, {{"x", at::Tensor()}}), ferry::Error);
    CHECK_THROWS_AS(safetensors::save(path, {{"x", at::ones({1})}, {"x", at::ones({1})}}), ferry::Error);
    CHECK_THROWS_AS(safetensors::save(path, {{"x", at::ones({1}).to_sparse()}}), ferry::Error);
}

TEST_CASE("damaged files give an error or tensors, never more") {
    const ferry_test::Folder folder;
    save_sample(folder / "a");
    const auto whole = ferry_test::read_bytes(folder / "a");
    std::size_t refused = 0;
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        ferry_test::write_bytes(folder / "b", ferry_test::damaged(whole, seed));
        try {
            for (const auto& [name, tensor] : safetensors::load(folder / "b").tensors)
                static_cast<void>(tensor.to(at::kDouble).sum().item<double>());
        } catch (const ferry::Error& error) {
            ++refused;
            CHECK(error.kind() != ferry::ErrorKind::internal);
        }
    }
    CHECK(refused > 1000);
}
