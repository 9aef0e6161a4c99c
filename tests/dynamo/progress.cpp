#include "support.hpp"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace ferry_test;
using at::Tensor;
using ferry::inputs;

TEST_CASE("an export tells how far it has come") {
    struct Step {
        std::string stage;
        std::size_t done, total;
    };
    std::vector<Step> steps;
    std::size_t runs = 0;
    const auto model = [&](Tensor x) {
        runs += x.is_meta() ? 1 : 0;
        return x.relu() + 1;
    };
    const ferry::DynamoConfig config{.dynamic = true, .strict = true, .progress = [&](const ferry::ProgressStep& step) {
                                         steps.push_back({std::string(step.stage), step.done, step.total});
                                     }};
    static_cast<void>(export_any(any_model(model), inputs("x", at::randn({4, 3})), config));
    std::vector<std::string> stages;
    std::size_t last_run = 0;
    bool foreseen = false;
    for (const auto& [stage, done, total] : steps) {
        if (stages.empty() || stages.back() != stage) stages.push_back(stage);
        CHECK((total == 0 || done <= total));
        if (stage != "dynamic shapes") continue;
        CHECK(done == last_run + 1);
        last_run = done;
        foreseen = foreseen || total != 0;
    }
    CHECK(stages == std::vector<std::string>{"dynamic shapes", "graph", "strict"});
    CHECK(last_run == runs);
    CHECK(foreseen);
    CHECK((steps.back().done == steps.back().total && steps.back().total > 0));
}

TEST_CASE("throwing from the callback gives an export up, at any step") {
    const auto model = [](Tensor x) { return x.relu() + 1; };
    for (const std::size_t patience : {1U, 3U, 6U}) {
        std::size_t calls = 0;
        const ferry::DynamoConfig config{.dynamic = true, .progress = [&](const ferry::ProgressStep&) {
                                             if (++calls == patience) throw std::runtime_error("enough");
                                         }};
        CHECK_THROWS_WITH(static_cast<void>(export_any(any_model(model), inputs("x", at::randn({4, 3})), config)),
                          "enough");
        CHECK(calls == patience);
    }
    check_capture(model, inputs("x", at::randn({4, 3})), dynamic(), {inputs("x", at::randn({7, 5}))});
}
