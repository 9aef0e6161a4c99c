// Checkpoints for the recipes.
#pragma once

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace recipe_tests {

/// "bert" and "llama"; made once.
inline const std::filesystem::path& checkpoints() {
    static const ferry_test::Folder folder;
    static const bool made =
        ferry_test::run_python(FERRY_PYTHON, FERRY_RECIPE_TESTS "/make_checkpoints.py", {folder.path.string()});
    REQUIRE(made);
    return folder.path;
}

/// A copy for a test that writes into it.
inline void copy_checkpoint(const std::string& name, const std::filesystem::path& to) {
    std::filesystem::copy(checkpoints() / name, to, std::filesystem::copy_options::recursive);
}

}  // namespace recipe_tests
