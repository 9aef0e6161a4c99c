// Programs that Python has exported, run by Ferry, against what Python's eager modules give.
#include <ferry/pt2/load.hpp>

#include <ferry/program/module.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/safetensors/read.hpp>

#include "../python_peer.hpp"

#ifndef DOCTEST_LIBRARY_INCLUDED
#include <doctest/doctest.h>
#endif

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Where Python puts its programs, for as long as the tests run; or a folder that has them already.
const fs::path& exported() {
    static const ferry_test::Folder folder;
    static const fs::path path = [] {
        if (const char* given = std::getenv("FERRY_FEATURES")) return fs::path(given);
        REQUIRE(ferry_test::run_python(FERRY_PYTHON, FERRY_EXPORT_FEATURES, {folder.path.string()}));
        return folder.path;
    }();
    return path;
}

at::Tensor as_tensor(const ferry::Leaf& leaf) {
    if (const auto* integer = leaf.get_if<std::int64_t>()) return at::scalar_tensor(*integer, at::kLong);
    if (const auto* real = leaf.get_if<double>()) return at::scalar_tensor(*real, at::kFloat);
    if (const auto* flag = leaf.get_if<bool>()) return at::scalar_tensor(*flag, at::kBool);
    return leaf.is_tensor() ? leaf.tensor() : at::Tensor();
}

bool close(const at::Tensor& a, const at::Tensor& b) {
    if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
    const bool coarse = a.scalar_type() == at::kBFloat16 || a.scalar_type() == at::kHalf;
    const auto wide = [](const at::Tensor& x) {
        return x.is_complex() ? at::view_as_real(x).to(at::kDouble) : x.to(at::kDouble);
    };
    return at::allclose(wide(a), wide(b), coarse ? 1e-2 : 1e-5, coarse ? 1e-2 : 1e-5, /*equal_nan=*/true);
}

/// Runs every case in order with one module, as Python did.
void check(const ferry::ExportedProgram& program, const ferry::safetensors::Contents& expected) {
    auto module = program.module();
    const at::NoGradGuard no_grad;
    for (int number = 0; number < 2; ++number) {
        CAPTURE(number);
        const std::string prefix = std::to_string(number) + '.';
        std::vector<at::Tensor> inputs;
        while (const auto* found = expected.find(prefix + "in." + std::to_string(inputs.size())))
            inputs.push_back(found->clone());
        const ferry::Tree result = module(inputs);
        for (std::size_t i = 0; i < result.leaves.size(); ++i) {
            CAPTURE(i);
            const auto* wanted = expected.find(prefix + "out." + std::to_string(i));
            const at::Tensor given = as_tensor(result.leaves[i]);
            REQUIRE(given.defined() == (wanted != nullptr));
            if (wanted != nullptr) CHECK(close(given, *wanted));
        }
        CHECK(expected.find(prefix + "out." + std::to_string(result.leaves.size())) == nullptr);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            CHECK(close(inputs[i], *expected.find(prefix + "after." + std::to_string(i))));
    }
}

std::set<std::string> names() {
    std::set<std::string> found;
    for (const auto& file : fs::directory_iterator(exported()))
        if (file.path().extension() == ".safetensors") found.insert(file.path().stem().string());
    return found;
}

}  // namespace

TEST_CASE("programs of Python run as in eager, at the example's size and another") {
    CHECK(names().size() >= 40);
    for (const std::string& name : names()) {
        CAPTURE(name);
        const auto expected = ferry::safetensors::load(exported() / (name + ".safetensors"));
        try {
            const auto program = ferry::load(exported() / (name + ".pt2"));
            check(program, expected);
        } catch (const std::exception& error) {
            FAIL_CHECK(std::string(error.what()).substr(0, 600));
        }
    }
}

TEST_CASE("what Ferry has read and written again runs in Python as in eager") {
    const ferry_test::Folder folder;
    for (const std::string& name : names()) {
        CAPTURE(name);
        try {
            ferry::load(exported() / (name + ".pt2")).save(folder / (name + ".pt2"));
            fs::copy_file(exported() / (name + ".safetensors"), folder / (name + ".safetensors"));
            check(ferry::load(folder / (name + ".pt2")), ferry::safetensors::load(folder / (name + ".safetensors")));
        } catch (const std::exception& error) {
            FAIL_CHECK(std::string(error.what()).substr(0, 600));
        }
    }
    CHECK(ferry_test::run_python(FERRY_PYTHON, FERRY_LOAD_PROGRAMS, {folder.path.string()}));
}
