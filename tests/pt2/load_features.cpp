// Programs that Python has exported, run by Ferry, against what Python's eager modules give.
#include <ferry/pt2/load.hpp>

#include <ferry/program/module.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/safetensors/read.hpp>

#include "../python_peer.hpp"
#include "features.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

using ferry_test::check_feature;
using ferry_test::feature_names;
using ferry_test::features;

TEST_CASE("programs of Python run as in eager, at the example's size and another") {
    CHECK(feature_names().size() >= 40);
    for (const std::string& name : feature_names()) {
        CAPTURE(name);
        const auto expected = ferry::safetensors::load(features() / (name + ".safetensors"));
        try {
            const auto program = ferry::load(features() / (name + ".pt2"));
            check_feature(program, expected);
        } catch (const std::exception& error) {
            FAIL_CHECK(std::string(error.what()).substr(0, 600));
        }
    }
}

TEST_CASE("programs of Python have eager's gradients, none where forward switches them off") {
    std::size_t compared = 0;
    for (const std::string& name : feature_names()) {
        CAPTURE(name);
        try {
            compared += ferry_test::check_gradients(ferry::load(features() / (name + ".pt2")),
                                                    ferry::safetensors::load(features() / (name + ".safetensors")));
        } catch (const std::exception& error) {
            FAIL_CHECK(std::string(error.what()).substr(0, 600));
        }
    }
    CHECK(compared > 20);
}

TEST_CASE("a module writes to buffers of its own") {
    const auto program = ferry::load(features() / "buffer_in_place.pt2");
    const auto expected = ferry::safetensors::load(features() / "buffer_in_place.safetensors");
    const auto run = [&](ferry::ProgramModule& module) {
        return module(std::vector<at::Tensor>{*expected.find("0.in.0")}).leaves.at(0).tensor();
    };
    auto first = program.module();
    static_cast<void>(run(first));
    CHECK_FALSE(at::allclose(run(first), *expected.find("0.out.0")));
    auto second = program.module();
    CHECK(at::allclose(run(second), *expected.find("0.out.0")));
    CHECK(first.tensor("count").item<float>() == 2);
    CHECK(second.tensor("count").item<float>() == 1);
}

TEST_CASE("integers that are inputs may be others") {
    auto module = ferry::load(features() / "integer_input.pt2").module();
    const at::Tensor x = at::randn({4, 4});
    const ferry::Tree result = module(x, std::int64_t{7});
    CHECK(at::equal(result.leaves.at(0).tensor(), x * 7));
    CHECK(result.leaves.at(1) == ferry::Leaf(std::int64_t{8}));
    CHECK(result.leaves.at(2).tensor().size(0) == 7);
    CHECK_THROWS_AS(module(x, x), ferry::Error);
}

TEST_CASE("tensors that share memory do so after reading, and in what is written") {
    const ferry_test::Folder folder;
    const auto check = [](const ferry::ExportedProgram& program) {
        REQUIRE(program.state.size() == 3);
        for (const auto& [name, tensor] : program.state)
            CHECK(tensor.storage().data() == program.state[0].second.storage().data());
        CHECK(program.state[1].second.storage_offset() == 12);
        CHECK(program.state[2].second.strides() == at::IntArrayRef{1, 4});
    };
    const auto program = ferry::load(features() / "weights_that_are_views.pt2");
    check(program);
    program.save(folder / "a.pt2");
    check(ferry::load(folder / "a.pt2"));
}

TEST_CASE("the inputs of the export come along") {
    for (const std::string& name : feature_names()) {
        CAPTURE(name);
        const auto program = ferry::load(features() / (name + ".pt2"));
        const auto expected = ferry::safetensors::load(features() / (name + ".safetensors"));
        REQUIRE(program.example_inputs.size() == program.in_spec.num_leaves());
        std::size_t position = 0;
        for (const ferry::Leaf& leaf : program.example_inputs)
            if (leaf.is_tensor()) {
                const auto* wanted = expected.find("0.in." + std::to_string(position++));
                REQUIRE(wanted != nullptr);
                // A forward that writes to its inputs has done so before they were saved.
                if (at::equal(*wanted, *expected.find("0.after." + std::to_string(position - 1))))
                    CHECK(at::equal(leaf.tensor(), *wanted));
            }
        CHECK(expected.find("0.in." + std::to_string(position)) == nullptr);
    }
    const auto constants = ferry::load(features() / "constant_inputs.pt2").example_inputs;
    CHECK(constants.at(1) == ferry::Leaf(true));
    CHECK(constants.at(2) == ferry::Leaf(2.5));
    CHECK(constants.at(3) == ferry::Leaf("sum"));
    CHECK(constants.at(4).is_none());
}

TEST_CASE("positional inputs go by place or by name") {
    const auto program = ferry::load(features() / "two_dims.pt2");
    const at::Tensor x = at::randn({6, 4}), y = at::randn({4, 3});
    auto module = program.module();
    CHECK(at::allclose(module(x, y).leaves.at(0).tensor(), x.mm(y)));
    CHECK(at::allclose(module(ferry::inputs("y", y, "x", x)).leaves.at(0).tensor(), x.mm(y)));
    CHECK_THROWS_AS(module(ferry::inputs("x", x, "z", y)), ferry::Error);
    CHECK_THROWS_AS(module(ferry::inputs("x", x, "y", y, "z", y)), ferry::Error);
    CHECK_THROWS_AS(module(at::randn({6, 5}), y), ferry::Error);
}

TEST_CASE("what Ferry has read and written again runs in Python as in eager") {
    const ferry_test::Folder folder;
    for (const std::string& name : feature_names()) {
        CAPTURE(name);
        try {
            ferry::load(features() / (name + ".pt2")).save(folder / (name + ".pt2"));
            std::filesystem::copy_file(features() / (name + ".safetensors"), folder / (name + ".safetensors"));
            check_feature(ferry::load(folder / (name + ".pt2")),
                          ferry::safetensors::load(folder / (name + ".safetensors")));
        } catch (const std::exception& error) {
            FAIL_CHECK(std::string(error.what()).substr(0, 600));
        }
    }
    CHECK(ferry_test::run_python(FERRY_PYTHON, FERRY_LOAD_PROGRAMS, {folder.path.string()}));
}
