#include "features.hpp"

#include <ferry/program/module.hpp>

#include <torch/library.h>

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <vector>

namespace {

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

at::Tensor scale_rows(at::Tensor x, double by) {
    x.mul_(by);
    return x.sum();
}

}  // namespace

/// As feature_modules.py has it.
TORCH_LIBRARY(ferry_test, library) {
    library.def("scale_rows(Tensor(a!) x, float by) -> Tensor", TORCH_FN(scale_rows));
}

const std::filesystem::path& ferry_test::features() {
    static const Folder folder;
    static const std::filesystem::path path = [] {
        if (const char* given = std::getenv("FERRY_FEATURES")) return std::filesystem::path(given);
        REQUIRE(run_python(FERRY_PYTHON, FERRY_EXPORT_FEATURES, {folder.path.string()}));
        return folder.path;
    }();
    return path;
}

void ferry_test::check_feature(const ferry::ExportedProgram& program, const ferry::safetensors::Contents& expected) {
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

std::size_t ferry_test::check_gradients(const ferry::ExportedProgram& program,
                                        const ferry::safetensors::Contents& expected) {
    std::vector<at::Tensor> inputs;
    bool any = false;
    while (const auto* found = expected.find("0.in." + std::to_string(inputs.size()))) {
        any = any || expected.find("grad." + std::to_string(inputs.size())) != nullptr;
        inputs.push_back(found->clone().set_requires_grad(found->is_floating_point()));
    }
    if (!any) return 0;
    at::Tensor sum = at::zeros({});
    for (const ferry::Leaf& leaf : program.module()(inputs).leaves)
        if (leaf.is_tensor() && leaf.tensor().requires_grad() && leaf.tensor().scalar_type() == at::kFloat)
            sum = sum + leaf.tensor().sum();
    sum.backward();
    std::size_t compared = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto* wanted = expected.find("grad." + std::to_string(i));
        REQUIRE(inputs[i].grad().defined() == (wanted != nullptr));
        if (wanted == nullptr) continue;
        CHECK(at::allclose(inputs[i].grad(), *wanted, 1e-4, 1e-4));
        ++compared;
    }
    return compared;
}

std::set<std::string> ferry_test::feature_names() {
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(features()))
        if (file.path().extension() == ".safetensors") found.insert(file.path().stem().string());
    return found;
}
