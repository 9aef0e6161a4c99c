// Every op that ExecuTorch's runtime has a kernel for, or that is written in such, or that XNNPACK computes, against eager libtorch: the
// cases of op_cases/.
#include "../op_cases/op_suite.hpp"
#include "support.hpp"

#include <ferry/core/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
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
double tolerance_of_kernels(at::ScalarType dtype) { return dtype == at::kDouble ? 1e-6 : tolerance(dtype); }
/// XNNPACK approximates exponentials.
double tolerance_of_xnnpack(at::ScalarType dtype) { return dtype == at::kFloat ? 5e-5 : tolerance_of_kernels(dtype); }

std::string first_difference(const RuntimeRun& run, const Expected& expected, Tolerance tolerated) {
    if (!run.error.empty()) return run.error;
    if (run.outputs.size() != expected.results.size()) return "another number of results";
    for (std::size_t i = 0; i < expected.results.size(); ++i)
        if (const std::string what = difference(run.outputs[i], expected.results[i], expected.is_random, tolerated);
            !what.empty())
            return "result " + std::to_string(i) + ": " + what;
    return {};
}

/// What stands around an op that XNNPACK computes.
enum class Surroundings : std::uint8_t {
    none,
    no_constants,
    fixed_sizes,
    activation,  ///< behind it
    sum,  ///< behind it, with what goes in
    product,  ///< before it
    convolution,  ///< before it, which leaves channels last
};

/// An op in its surroundings. Tensors of fixed sizes but the first are constants, as weights are in models.
class DelegatedCase {
public:
    DelegatedCase(const OpCase& test, std::vector<at::Tensor> first, Surroundings around)
        : test_(test), first_(std::move(first)), around_(around) {
        if (around != Surroundings::no_constants)
            for (std::size_t i = 1; i < first_.size(); ++i)
                if (is_fixed(i)) constants_.insert(i);
        if (around == Surroundings::product && is_new()) weights_ = at::eye(first_[0].size(-1));
        if (around == Surroundings::convolution && is_new())
            weights_ = at::eye(first_[0].size(1)).view({first_[0].size(1), first_[0].size(1), 1, 1});
    }

    /// Not what it is without surroundings.
    [[nodiscard]] bool is_new() const {
        switch (around_) {
            case Surroundings::no_constants:
                for (std::size_t i = 1; i < first_.size(); ++i)
                    if (is_fixed(i)) return true;
                return false;
            case Surroundings::fixed_sizes: return test_.is_dynamic();
            case Surroundings::sum: return is_float();
            case Surroundings::product:
                return is_float() && first_[0].dim() >= 2 && test_.tensors[0].sizes.back().letter == 0;
            case Surroundings::convolution:
                return is_float() && first_[0].dim() == 4 && test_.tensors[0].sizes[1].letter == 0;
            default: return true;
        }
    }
    [[nodiscard]] bool is_dynamic() const { return test_.is_dynamic() && around_ != Surroundings::fixed_sizes; }
    [[nodiscard]] std::vector<at::Tensor> first_inputs() const { return varying(first_); }
    [[nodiscard]] std::vector<at::Tensor> varying(const std::vector<at::Tensor>& tensors) const {
        std::vector<at::Tensor> left;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (!constants_.contains(i)) left.push_back(tensors[i]);
        return left;
    }
    [[nodiscard]] ferry::DynamicShapes shapes() const {
        OpCase test = test_;
        std::erase_if(test.tensors, [&, i = std::size_t{0}](const auto&) mutable { return constants_.contains(i++); });
        if (around_ == Surroundings::fixed_sizes)
            for (auto& tensor : test.tensors)
                for (CaseSize& size : tensor.sizes) size.letter = 0;
        return shapes_of(test);
    }
    [[nodiscard]] std::vector<at::Tensor> call(const std::vector<at::Tensor>& given) const {
        std::vector<at::Tensor> tensors;
        for (std::size_t i = 0, next = 0; i < first_.size(); ++i)
            tensors.push_back(constants_.contains(i) ? first_[i] : given.at(next++));
        if (around_ == Surroundings::product) tensors[0] = at::linear(tensors[0], weights_);
        if (around_ == Surroundings::convolution) tensors[0] = at::conv2d(tensors[0], weights_);
        std::vector<at::Tensor> results = ferry_test::call(test_, tensors);
        for (at::Tensor& each : results) {
            if (each.scalar_type() != at::kFloat) continue;
            if (around_ == Surroundings::activation) each = at::relu(each);
            if (around_ == Surroundings::sum && each.sizes() == tensors[0].sizes()) each = each + tensors[0];
        }
        return results;
    }

private:
    [[nodiscard]] bool is_fixed(std::size_t tensor) const {
        return std::ranges::none_of(test_.tensors[tensor].sizes, [](CaseSize size) { return size.letter != 0; });
    }
    [[nodiscard]] bool is_float() const {
        return !first_.empty() && first_[0].scalar_type() == at::kFloat && first_[0].numel() > 0;
    }

    const OpCase& test_;
    std::vector<at::Tensor> first_;
    Surroundings around_;
    std::set<std::size_t> constants_{};
    at::Tensor weights_{};
};

/// All cases for one backend, and what came of them.
class Suite {
public:
    explicit Suite(std::string backend) : backend_(std::move(backend)) {}

    void run() {
        const char* only = std::getenv("FERRY_OP_CASES");  // a part of a line
        for_each_case(FERRY_OP_CASES, only,
                      [&](const OpCase& test) { backend_ == "xnnpack" ? delegate(test) : add(test); });
        REQUIRE(!table_.empty());
        run_in_executorch(programs_, runs_);
        compare();
        write_tables();
    }

private:
    void add(const OpCase& test) {
        OpResult& result = table_[test.op];
        ++result.cases;
        seed(test);
        try {
            const auto function = [&](const std::vector<at::Tensor>& tensors) { return call(test, tensors); };
            programs_.push_back(to_executorch(
                capture_for_executorch(function, random_tensors(test, 0), shapes_of(test)), {.backend = backend_}));
        } catch (const std::exception& error) {
            ++result.refused;
            refusals_[test.text] = error.what();
            return;
        }
        for (std::size_t run = 0; run < (test.is_dynamic() ? 2U : 1U); ++run) {
            const std::vector<at::Tensor> inputs = random_tensors(test, run);
            expect(test, inputs, call(test, inputs));
        }
    }

    /// Only what XNNPACK takes, however little it is, and then with what may stand around it.
    void delegate(OpCase test) {
        for (CaseTensor& tensor : test.tensors)
            if (ferry::is_floating_point(tensor.dtype))
                tensor.dtype = ferry::DType::float32;  // all that XNNPACK has here
        if (!delegate(test, Surroundings::none)) return;
        for (const Surroundings each : {Surroundings::no_constants, Surroundings::fixed_sizes, Surroundings::activation,
                                        Surroundings::sum, Surroundings::product, Surroundings::convolution})
            static_cast<void>(delegate(test, each));
    }
    bool delegate(const OpCase& test, Surroundings around) {
        seed(test);
        try {
            const DelegatedCase made(test, random_tensors(test, 0), around);
            if (!made.is_new()) return false;
            const auto function = [&](const std::vector<at::Tensor>& given) { return made.call(given); };
            ferry::ExecutorchProgram program =
                to_executorch(capture_for_executorch(function, made.first_inputs(), made.shapes()),
                              {.backend = backend_, .smallest_delegate = 1});
            if (program.inspect().at(0).delegates == 0) return false;
            programs_.push_back(std::move(program));
            ++table_[test.op].cases;
            for (std::size_t run = 0; run < (made.is_dynamic() ? 2U : 1U); ++run) {
                const std::vector<at::Tensor> given = made.varying(random_tensors(test, run));
                expect(test, given, function(given));
            }
            return true;
        } catch (const ferry::Error& error) {
            if (error.kind() == ferry::ErrorKind::internal) throw;  // what kernels cannot compute is in the other table
            return false;
        }
    }

    void expect(const OpCase& test, const std::vector<at::Tensor>& inputs, std::vector<at::Tensor> results) {
        expected_.push_back({test.text, test.op, test.is_random, std::move(results)});
        runs_.push_back({.program = programs_.size() - 1, .inputs = inputs});
    }

    void compare() {
        const Tolerance tolerated = backend_ == "xnnpack" ? &tolerance_of_xnnpack : &tolerance_of_kernels;
        for (std::size_t i = 0; i < runs_.size(); ++i)
            if (std::string what = first_difference(runs_[i], expected_[i], tolerated); !what.empty())
                wrong_.emplace(runs_[i].program, expected_[i].text + ": " + std::move(what));
        std::size_t last = programs_.size();
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            if (std::exchange(last, runs_[i].program) == runs_[i].program) continue;
            OpResult& result = table_[expected_[i].op];
            ++(wrong_.contains(runs_[i].program) ? result.wrong : result.equal);
        }
    }

    void write_tables() const {
        const std::string base = std::string(FERRY_OP_TABLES) + "/executorch_" + backend_;
        OpResult all;
        std::ofstream out(base + "_ops.md");
        out << "| op | cases | equal | refused | wrong |\n|---|---:|---:|---:|---:|\n";
        for (const auto& [op, result] : table_) {
            out << "| `" << op << "` | " << result.cases << " | " << result.equal << " | " << result.refused << " | "
                << result.wrong << " |\n";
            all.cases += result.cases;
            all.equal += result.equal;
            all.refused += result.refused;
            all.wrong += result.wrong;
        }
        std::ofstream details(base + "_refused.txt");
        for (const auto& [text, why] : refusals_) details << text << ": " << why << '\n';
        std::ofstream wrongs(base + "_wrong.txt");
        for (const auto& [program, what] : wrong_) wrongs << what << '\n';
        MESSAGE(backend_, ": ", table_.size(), " ops, ", all.cases, " cases, ", all.equal, " equal, ", all.refused,
                " refused, ", all.wrong, " wrong");
        CHECK(all.wrong == 0);
    }

    std::string backend_;
    std::map<std::string, OpResult> table_;
    std::map<std::string, std::string> refusals_;
    std::vector<ferry::ExecutorchProgram> programs_;
    std::vector<RuntimeRun> runs_;
    std::vector<Expected> expected_;
    std::map<std::size_t, std::string> wrong_;
};

}  // namespace

TEST_CASE("ops in ExecuTorch's runtime do what they do in libtorch") { Suite("portable").run(); }

TEST_CASE("ops in XNNPACK do what they do in libtorch") { Suite("xnnpack").run(); }
