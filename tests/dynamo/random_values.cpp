// Random small models that ask tensors for values, and branch and loop on these and on sizes. Each is right wherever its program
// runs, in libtorch and in ONNX Runtime, or refused: by the exporter, or by the program. A failure prints the seed and the model:
// FERRY_RANDOM_SEED=<seed> runs that one alone.
#include "compare.hpp"
#include "in_onnx_runtime.hpp"
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using at::Tensor;
using namespace ferry_test;

namespace {

struct Given {
    Tensor x;  // [rows, columns]
    Tensor count;  // one integer
    Tensor ids;  // a few
};

/// What a statement compares with or repeats; `n` is a random number from 0 to 12.
struct Statement {
    const char* name;
    std::function<Tensor(const Tensor& x, const Given& given, std::int64_t n)> call;
};

const Tensor& table() {
    static const Tensor numbers = torch::tensor({3, 1, 4, 1, 5, 9, 2, 6});
    return numbers;
}
std::int64_t value(const Tensor& tensor) { return tensor.item<std::int64_t>(); }
std::int64_t positive_ones(const Tensor& x) { return x.masked_select(x > 0).size(0); }
Tensor repeated(Tensor x, std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) x = x * 0.5 + 1;
    return x;
}

const std::vector<Statement>& statements() {
    static const std::vector<Statement> all{
        {"x * value", [](auto& x, auto& g, auto) { return x * value(g.count); }},
        {"x + value of id", [](auto& x, auto& g, auto n) { return x + value(g.ids[n % 3]); }},
        {"loop to value", [](auto& x, auto& g, auto) { return repeated(x, value(g.count)); }},
        {"loop to value % n", [](auto& x, auto& g, auto n) { return repeated(x, value(g.count) % (n + 1)); }},
        {"value == n", [](auto& x, auto& g, auto n) { return value(g.count) == n ? x * 2 : x.sin(); }},
        {"value > 3n", [](auto& x, auto& g, auto n) { return value(g.count) > 3 * n ? x * 2 : x.sin(); }},
        {"value < 0", [](auto& x, auto& g, auto) { return value(g.count) < 0 ? x * 2 : x.sin(); }},
        {"value is even", [](auto& x, auto& g, auto) { return value(g.count) % 2 == 0 ? x * 2 : x + 1; }},
        {"factor by value", [](auto& x, auto& g, auto n) { return x * (value(g.count) > n ? 0.5 : 0.25); }},
        {"max of value and n", [](auto& x, auto& g, auto n) { return x + std::max<std::int64_t>(value(g.count), n); }},
        {"value / n", [](auto& x, auto& g, auto n) { return x + value(g.count) / (n + 1); }},
        {"arange of value", [](auto& x, auto& g, auto) { return x + at::arange(std::abs(value(g.count))).sum(); }},
        {"value of a sum", [](auto& x, auto&, auto) { return x * value(x.sum().to(at::kLong).remainder(7)); }},
        {"branch on a value of a sum",
         [](auto& x, auto&, auto n) { return value(x.sum().to(at::kLong).remainder(9)) == n ? x * 2 : x + 1; }},
        {"loop to a constant's value", [](auto& x, auto&, auto n) { return repeated(x, value(table()[n % 8])); }},
        {"branch on a constant's value",
         [](auto& x, auto&, auto n) { return value(table()[n % 8]) > 3 ? x * 2 : x + 1; }},
        {"rows == n", [](auto& x, auto&, auto n) { return x.size(0) == n ? x * 2 : x.sin(); }},
        {"rows > 3n", [](auto& x, auto&, auto n) { return x.size(0) > 3 * n ? x * 2 : x.sin(); }},
        {"columns are even", [](auto& x, auto&, auto) { return x.size(1) % 2 == 0 ? x * 2 : x + 1; }},
        {"loop to rows", [](auto& x, auto&, auto) { return repeated(x, x.size(0)); }},
        {"loop to rows / 4", [](auto& x, auto&, auto) { return repeated(x, x.size(0) / 4); }},
        {"factor by rows", [](auto& x, auto&, auto n) { return x * (x.size(0) > 2 * n ? 0.5 : 0.25); }},
        {"root of columns", [](auto& x, auto&, auto) { return x / std::sqrt(static_cast<double>(x.size(1) + 1)); }},
        {"rows / n", [](auto& x, auto&, auto n) { return x + x.size(0) / (n + 1); }},
        {"positive ones", [](auto& x, auto&, auto) { return x + x.masked_select(x > 0).sum(); }},
        {"branch on the positive ones", [](auto& x, auto&, auto n) { return positive_ones(x) > n ? x * 2 : x + 1; }},
        {"any positive", [](auto& x, auto&, auto) { return positive_ones(x) == 0 ? x * 2 : x + 1; }},
        {"rows by value",
         [](auto& x, auto& g, auto) {
             return x.narrow(0, 0, std::min<std::int64_t>(std::max<std::int64_t>(value(g.count), 1), x.size(0)));
         }},
        {"row by value", [](auto& x, auto& g, auto) { return x + x.select(0, value(g.ids[0].remainder(2))); }},
        {"relu", [](auto& x, auto&, auto) { return x.relu(); }},
        {"softmax", [](auto& x, auto&, auto) { return x.softmax(1); }},
        {"mean of rows", [](auto& x, auto&, auto) { return x - x.mean(0, true); }},
    };
    return all;
}

struct RandomValues {
    std::vector<std::pair<std::size_t, std::int64_t>> steps;

    explicit RandomValues(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const std::size_t count = 1 + random() % 4;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t which = random() % statements().size();
            steps.emplace_back(which, static_cast<std::int64_t>(random() % 13));
        }
    }
    [[nodiscard]] Tensor operator()(const Tensor& x, const Tensor& count, const Tensor& ids) const {
        Tensor result = x;
        for (const auto& [which, number] : steps) result = statements()[which].call(result, {x, count, ids}, number);
        return result;
    }
    [[nodiscard]] std::string text() const {
        std::string made;
        for (const auto& [which, number] : steps)
            made += std::string(made.empty() ? "" : "; ") + statements()[which].name +
                    " (n = " + std::to_string(number) + ")";
        return made;
    }
};

ferry::Inputs inputs_at(std::int64_t rows, std::int64_t columns, std::int64_t count) {
    const Tensor x = at::randn({rows, columns});
    return ferry::inputs("x", x, "count", at::scalar_tensor(count, at::kLong), "ids", at::randint(0, 9, {3}));
}

}  // namespace

TEST_CASE("random models that ask and branch are right or refused") {
    const at::NoGradGuard no_gradients;
    const char* one = std::getenv("FERRY_RANDOM_SEED");
    const std::uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
    const std::uint64_t number = one != nullptr ? 1 : 300;
    std::size_t exported = 0, compared = 0;
    for (std::uint64_t seed = first; seed < first + number; ++seed) {
        at::manual_seed(seed);
        RandomValues model(seed);
        INFO("seed ", seed, ": ", model.text());
        std::mt19937_64 random(seed + 1);
        const bool dynamic = random() % 2 == 0;
        const std::uint64_t sample_rows = 2 + random() % 5, sample_columns = 2 + random() % 5;
        const ferry::Inputs sample = inputs_at(sample_rows, sample_columns, random() % 6);
        ferry::ExportedProgram program;
        try {
            program = export_any(any_model(model), sample, {.dynamic = dynamic});
        } catch (const ferry::Error&) {
            continue;  // refused, in the one way that there is
        }
        ++exported;
        ferry::ProgramModule module = program.module();
        std::vector<ferry::Inputs> taken;
        for (int trial = 0; trial < 12; ++trial) {
            const auto rows = dynamic ? 1 + static_cast<std::int64_t>(random() % 20) : sample.get<Tensor>("x").size(0);
            const auto columns =
                dynamic ? 1 + static_cast<std::int64_t>(random() % 20) : sample.get<Tensor>("x").size(1);
            const ferry::Inputs given =
                inputs_at(rows, columns, static_cast<std::int64_t>(random() % 24) - (trial == 0 ? 3 : 0));
            Tensor expected;
            try {
                expected = model(given.get<Tensor>("x"), given.get<Tensor>("count"), given.get<Tensor>("ids"));
            } catch (const std::exception&) {
                continue;  // eager has no answer
            }
            Tensor found;
            try {
                found = module(given).leaves[0].tensor();
            } catch (const ferry::Error&) {
                continue;
            }
            ++compared;
            INFO("rows ", rows, ", columns ", columns, ", count ", value(given.get<Tensor>("count")));
            CHECK(difference(expected, found) == "");
            if (taken.size() < 3) taken.push_back(given);
        }
        std::vector<const ferry::Inputs*> all;
        for (const ferry::Inputs& each : taken) all.push_back(&each);
        if (!all.empty()) check_in_onnx_runtime(any_model(model), program, all);
    }
    MESSAGE(exported, " of ", number, " are exported, compared ", compared, " times");
    if (one == nullptr) {  // refusing everything would be easy
        CHECK(exported > number / 4);
        CHECK(compared > 4 * exported);
    }
}

TEST_CASE("code that tells one small size from all others is right or refused") {
    const at::NoGradGuard no_gradients;
    for (std::int64_t told = 1; told <= 12; ++told) {
        CAPTURE(told);
        const auto forward = [told](const Tensor& x) { return x.size(0) == told ? x * 2 : x.sin(); };
        auto module =
            export_any(any_model(forward), ferry::inputs("x", at::randn({14, 3})), {.dynamic = true}).module();
        for (const std::int64_t rows : {told, told + 20}) {
            CAPTURE(rows);
            const Tensor x = at::randn({rows, 3});
            try {
                const Tensor found = module(ferry::inputs("x", x)).leaves[0].tensor();
                CHECK(difference(forward(x), found) == "");
            } catch (const ferry::Error&) {
                CHECK(rows == told);
            }
        }
    }
}
