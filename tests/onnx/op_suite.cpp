// Every translated op, exported alone, in ONNX Runtime against eager libtorch. The cases are in op_cases/, one file for each family.
#include "../op_cases/op_suite.hpp"
#include "support.hpp"

#include <ferry/core/error.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/verify/run_onnx.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace ferry_test;

struct OpResult {
    std::size_t cases = 0;
    std::size_t equal = 0;
    std::size_t without_kernel = 0;  ///< a right model that ONNX Runtime has no kernel for
};

/// Empty, or what is wrong.
std::string run_case(const OpCase& test, const ferry::OnnxConfig& config, OpResult& result) {
    const std::size_t runs = test.is_dynamic() ? 2 : 1;
    seed(test);
    try {
        const std::vector<at::Tensor> sample = random_tensors(test, 0);
        const auto function = [&](const std::vector<at::Tensor>& tensors) { return call(test, tensors); };
        const ferry::ExportedProgram program = capture(function, sample, shapes_of(test));
        const ferry::OnnxProgram model = to_onnx(program, config);
        for (std::size_t run = 0; run < runs; ++run) {
            const std::vector<at::Tensor> inputs = random_tensors(test, run);
            const auto expected = call(test, inputs);
            const ferry::Tree found = model(ferry::inputs("tensors", inputs));
            if (found.leaves.size() != expected.size()) return "another number of results";
            for (std::size_t i = 0; i < expected.size(); ++i)
                if (const std::string what = difference(found.leaves[i].tensor(), expected[i], test.is_random);
                    !what.empty())
                    return "result " + std::to_string(i) + " in run " + std::to_string(run) + ": " + what;
        }
    } catch (const ferry::Error& error) {
        const std::string what = error.what();
        if (what.find("Could not find an implementation") != std::string::npos ||
            what.find("Failed to find kernel for") != std::string::npos) {
            const auto is_double = [](const CaseTensor& tensor) { return tensor.dtype == ferry::DType::float64; };
            if (std::ranges::none_of(test.tensors, is_double)) return what;  // all else it has kernels for
            ++result.without_kernel;
            return {};
        }
        return what;
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    } catch (const std::exception& error) {
        return error.what();
    }
    ++result.equal;
    return {};
}

}  // namespace

TEST_CASE("ops in ONNX Runtime do what they do in libtorch") {
    const char* only = std::getenv("FERRY_OP_CASES");  // a part of a line
    const char* opset = std::getenv("FERRY_OPSET");
    ferry::OnnxConfig config;
    if (opset != nullptr) config.opset_version = std::stoll(opset);
    std::map<std::string, OpResult> table;
    for_each_case(FERRY_OP_CASES, only, [&](const OpCase& test) {
        OpResult& result = table[test.op];
        ++result.cases;
        const std::string wrong = run_case(test, config, result);
        CHECK_MESSAGE(wrong.empty(), test.text, ": ", wrong);
    });
    REQUIRE(!table.empty());
    OpResult all;
    std::ofstream out(std::string(FERRY_OP_TABLES) + "/onnx_ops_" + std::to_string(config.opset()) + ".md");
    out << "| op | cases | equal | no kernel in ONNX Runtime |\n|---|---:|---:|---:|\n";
    for (const auto& [op, result] : table) {
        out << "| `" << op << "` | " << result.cases << " | " << result.equal << " | " << result.without_kernel
            << " |\n";
        all.cases += result.cases;
        all.equal += result.equal;
        all.without_kernel += result.without_kernel;
    }
    out << "| " << table.size() << " ops | " << all.cases << " | " << all.equal << " | " << all.without_kernel
        << " |\n";
    MESSAGE(table.size(), " ops, ", all.cases, " cases, ", all.equal, " equal, ", all.without_kernel,
            " without a kernel in ONNX Runtime");
}
