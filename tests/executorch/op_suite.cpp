// Every op that ExecuTorch's runtime has a kernel for, or that is written in such, against eager libtorch: the cases of op_cases/.
#include "../op_cases/op_suite.hpp"
#include "support.hpp"

#include <ferry/core/error.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ferry_test;

struct OpResult {
    std::size_t cases = 0;
    std::size_t equal = 0;
    std::size_t refused = 0;  ///< with an error that says what is missing
    std::size_t wrong = 0;
};

struct Expected {
    std::string text, op;
    bool is_random = false;
    std::vector<at::Tensor> results{};
};

/// The runtime's kernels compute some of float64 in float32.
double tolerance_of_runtime(at::ScalarType dtype) { return dtype == at::kDouble ? 1e-6 : tolerance(dtype); }

std::string first_difference(const RuntimeRun& run, const Expected& expected) {
    if (!run.error.empty()) return run.error;
    if (run.outputs.size() != expected.results.size()) return "another number of results";
    for (std::size_t i = 0; i < expected.results.size(); ++i)
        if (const std::string what =
                difference(run.outputs[i], expected.results[i], expected.is_random, &tolerance_of_runtime);
            !what.empty())
            return "result " + std::to_string(i) + ": " + what;
    return {};
}

}  // namespace

TEST_CASE("ops in ExecuTorch's runtime do what they do in libtorch") {
    const char* only = std::getenv("FERRY_OP_CASES");  // a part of a line
    std::map<std::string, OpResult> table;
    std::map<std::string, std::string> refusals;
    std::vector<ferry::ExecutorchProgram> programs;
    std::vector<RuntimeRun> runs;
    std::vector<Expected> expected;
    for_each_case(FERRY_OP_CASES, only, [&](const OpCase& test) {
        OpResult& result = table[test.op];
        ++result.cases;
        seed(test);
        try {
            const auto function = [&](const std::vector<at::Tensor>& tensors) { return call(test, tensors); };
            programs.push_back(
                to_executorch(capture_for_executorch(function, random_tensors(test, 0), shapes_of(test))));
        } catch (const std::exception& error) {
            ++result.refused;
            refusals[test.text] = error.what();
            return;
        }
        for (std::size_t run = 0; run < (test.is_dynamic() ? 2U : 1U); ++run) {
            const std::vector<at::Tensor> inputs = random_tensors(test, run);
            expected.push_back({test.text, test.op, test.is_random, call(test, inputs)});
            runs.push_back({.program = programs.size() - 1, .inputs = inputs});
        }
    });
    REQUIRE(!table.empty());
    run_in_executorch(programs, runs);
    std::map<std::size_t, std::string> wrong;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (std::string what = first_difference(runs[i], expected[i]); !what.empty())
            wrong.emplace(runs[i].program, expected[i].text + ": " + std::move(what));
    std::size_t last = programs.size();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (std::exchange(last, runs[i].program) == runs[i].program) continue;
        OpResult& result = table[expected[i].op];
        ++(wrong.contains(runs[i].program) ? result.wrong : result.equal);
    }
    OpResult all;
    std::ofstream out(std::string(FERRY_OP_TABLES) + "/executorch_ops.md");
    out << "| op | cases | equal | refused | wrong |\n|---|---:|---:|---:|---:|\n";
    for (const auto& [op, result] : table) {
        out << "| `" << op << "` | " << result.cases << " | " << result.equal << " | " << result.refused << " | "
            << result.wrong << " |\n";
        all.cases += result.cases;
        all.equal += result.equal;
        all.refused += result.refused;
        all.wrong += result.wrong;
    }
    std::ofstream details(std::string(FERRY_OP_TABLES) + "/executorch_refused.txt");
    for (const auto& [text, why] : refusals) details << text << ": " << why << '\n';
    std::ofstream wrongs(std::string(FERRY_OP_TABLES) + "/executorch_wrong.txt");
    for (const auto& [program, what] : wrong) wrongs << what << '\n';
    MESSAGE(table.size(), " ops, ", all.cases, " cases, ", all.equal, " equal, ", all.refused, " refused, ", all.wrong,
            " wrong");
    CHECK(all.wrong == 0);
}
