#include <ferry/core/progress.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

TEST_CASE("any callable takes progress, and throwing from it gives up") {
    std::vector<std::string> seen;
    const ferry::Progress progress = [&](const ferry::ProgressStep& step) {
        seen.push_back(std::string(step.stage) + ' ' + std::to_string(step.done) + '/' + std::to_string(step.total));
        if (step.done == 2) throw std::runtime_error("enough");
    };
    progress({"translations", 1, 3});
    CHECK_THROWS_WITH(progress({"translations", 2, 3}), "enough");
    CHECK(seen == std::vector<std::string>{"translations 1/3", "translations 2/3"});
}
