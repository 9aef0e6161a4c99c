// Tiny checkpoints that transformers has written, and what it makes of them.
#pragma once

#include <ferry/core/error.hpp>
#include <ferry/safetensors/read.hpp>

#include <ATen/core/Tensor.h>

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ferry_test {

/// The folder that tests/models/make_<kind>.py fills, with a folder for each checkpoint. Made once, for all kinds.
inline std::filesystem::path checkpoints(const std::string& kind) {
    static const Folder all;
    static const bool made = run_python(FERRY_PYTHON, FERRY_MODEL_TESTS "/make_checkpoints.py", {all.path.string()});
    REQUIRE(made);
    return all / kind;
}

/// What transformers has computed: expected.safetensors in a checkpoint's folder.
class Expected {
public:
    explicit Expected(const std::filesystem::path& folder)
        : contents_(ferry::safetensors::load(folder / "expected.safetensors")) {}
    [[nodiscard]] bool has(const char* name) const { return contents_.find(name) != nullptr; }
    [[nodiscard]] at::Tensor operator[](const char* name) const {
        REQUIRE(has(name));
        return contents_.find(name)->clone();
    }

private:
    ferry::safetensors::Contents contents_;
};

/// What an error says; "no error" where there is none.
template <class Call>
std::string message_of(const Call& call) {
    try {
        static_cast<void>(call());
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "no error";
}

/// A copy of a checkpoint whose config.json has one text replaced by another.
inline void copy_with(const std::filesystem::path& from, const std::filesystem::path& to, const std::string& text,
                      const std::string& other) {
    using Options = std::filesystem::copy_options;
    std::filesystem::copy(from, to, Options::recursive | Options::overwrite_existing);
    std::ifstream file(from / "config.json");
    std::string config{std::istreambuf_iterator<char>(file), {}};
    const auto at = config.find(text);
    REQUIRE(at != std::string::npos);
    std::ofstream(to / "config.json") << config.replace(at, text.size(), other);
}

}  // namespace ferry_test
