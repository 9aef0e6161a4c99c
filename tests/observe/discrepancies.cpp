// Rows of check_discrepancies: what differs, what fails, and what they look like.
#include <ferry/dynamo/exporter.hpp>
#include <ferry/files/json.hpp>
#include <ferry/generation/part.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/verify/discrepancies.hpp>
#include <ferry/verify/discrepancy_report.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace discrepancy_tests {

using ferry::Discrepancy;
using ferry::Leaf;

Discrepancy compared(const std::vector<Leaf>& expected, const std::vector<Leaf>& found,
                     const ferry::DiscrepancyOptions& options = {}) {
    Discrepancy row;
    ferry::artifacts::compare(expected, found, options, row);
    return row;
}

/// Two calls of a function that doubles.
ferry::InputObserver observed_calls() {
    const auto doubled = [](const at::Tensor& x) { return x * 2; };
    ferry::InputObserver observer;
    auto observed = observer(doubled);
    for (const std::int64_t size : {0, 3}) static_cast<void>(observed(at::ones({size})));
    return observer;
}

}  // namespace discrepancy_tests

TEST_CASE("the largest differences are found") {
    using namespace discrepancy_tests;
    const at::Tensor a = at::tensor({1.0F, 2.0F, -4.0F});
    CHECK(compared({a}, {a}).success);
    const Discrepancy off = compared({a}, {a + at::tensor({0.0F, 0.25F, 0.0F})});
    CHECK_FALSE(off.success);
    CHECK(off.absolute.value() == doctest::Approx(0.25));
    CHECK(off.relative.value() == doctest::Approx(0.25 / 2.1));
    CHECK(compared({a}, {a + 0.01}, {.atol = 0.1}).success);
    CHECK_FALSE(compared({a}, {a + 0.01}, {.atol = 0.1, .rtol = 1e-3}).success);
    CHECK(compared({at::ones({2}, at::kBool)}, {at::zeros({2}, at::kBool)}).absolute == 1);
    CHECK(compared({3, true}, {at::full({}, 3, at::kLong), at::ones({}, at::kBool)}).success);
}

TEST_CASE("infinities and what is no number are the same only on both sides") {
    using namespace discrepancy_tests;
    const float infinity = std::numeric_limits<float>::infinity(), none = std::nanf("");
    const at::Tensor odd = at::tensor({infinity, -infinity, none, 1.0F});
    CHECK(compared({odd}, {odd.clone()}).success);
    CHECK(compared({odd}, {odd.clone()}).absolute == 0);
    for (const float other : {none, infinity, -infinity}) {
        const Discrepancy row = compared({at::tensor({1.0F})}, {at::tensor({other})});
        CHECK_FALSE(row.success);
        CHECK(row.error.find("infinite") != std::string::npos);
        CHECK(ferry::to_json({row}).find("\"absolute\":null") != std::string::npos);
    }
}

TEST_CASE("what cannot be compared is said") {
    using namespace discrepancy_tests;
    const at::Tensor a = at::ones({2, 3});
    CHECK(compared({a, a}, {a}).error == "not the same number of outputs: 1 instead of 2");
    CHECK(compared({a}, {at::ones({3, 2})}).error == "not the same shape: [3, 2] instead of [2, 3] (output 0)");
    CHECK(compared({a, a}, {a, a.to(at::kLong)}).error == "not the same type: Long instead of Float (output 1)");
    CHECK(compared({a, Leaf()}, {a}).success);  // a runtime has no None
    CHECK(compared({a, Leaf()}, {a, a}).success);
    CHECK(compared({a, Leaf()}, {a, a}, {.skip_none = false}).error == "missing output (output 1)");
}

TEST_CASE("a run that fails is a row, and inputs of another number an error") {
    using namespace discrepancy_tests;
    const ferry::InputObserver observer = observed_calls();
    const ferry::artifacts::Artifact fails{.run = [](const ferry::Inputs& inputs) -> std::vector<Leaf> {
        if (inputs.get<at::Tensor>("0").size(0) == 3) throw std::runtime_error("of three");
        return {inputs.get<at::Tensor>("0")};
    }};
    const ferry::Discrepancies rows = ferry::check_discrepancies(fails, observer);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].success);
    CHECK(rows[0].n_inputs == 1);
    CHECK(rows[0].n_none == 0);
    CHECK(rows[0].n_empty == 1);
    CHECK_FALSE(rows[1].success);
    CHECK(rows[1].error == "of three");
    CHECK_FALSE(rows[1].absolute.has_value());
    const ferry::generation::Part two{{"a", "b"}, [](const std::vector<at::Tensor>& given) { return given; }};
    CHECK_THROWS_WITH_AS(static_cast<void>(ferry::check_discrepancies(two, observer)),
                         doctest::Contains("there are 1 tensors but the model expects 2"), ferry::Error);

    const std::string table = ferry::to_table(rows);
    CHECK(table.find("call  success  absolute") == 0);
    CHECK(table.find("of three\n") != std::string::npos);
    const std::string json = ferry::to_json(rows);
    const ferry::files::JsonDocument document(json);
    CHECK(document.root().items()[0].find("success")->boolean());
    CHECK(document.root().items()[1].find("error")->text() == "of three");
    CHECK(document.root().items()[1].find("absolute")->is(ferry::files::JsonValue::Kind::null));
}

TEST_CASE("a program of another model does not pass") {
    using namespace discrepancy_tests;
    const ferry::InputObserver observer = observed_calls();
    const auto exported = [&](double by) {
        const auto model = [by](const at::Tensor& x) { return x * by; };
        return ferry::DynamoExporter{}.export_model(model, observer);
    };
    for (const ferry::Discrepancy& row : ferry::check_discrepancies(exported(2), observer)) CHECK(row.success);
    const ferry::Discrepancies wrong = ferry::check_discrepancies(exported(2.5), observer);
    CHECK(wrong[0].success);  // without elements
    CHECK_FALSE(wrong[1].success);
    CHECK(wrong[1].absolute == 0.5);
}
