#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/log.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Ops without a rule, which a capture has run on real kernels: how often, and what that took. Said once, when the capture is over.
class RealRuns {
public:
    using Milliseconds = std::chrono::duration<double, std::milli>;
    /// In one capture, until somebody has to be told.
    static constexpr Milliseconds too_much{50};

    RealRuns() = default;
    RealRuns(const RealRuns&) = delete;
    RealRuns& operator=(const RealRuns&) = delete;
    ~RealRuns() {
        try {
            if (!by_op_.empty()) log(total() > too_much ? LogLevel::warning : LogLevel::info, message());
        } catch (...) {  // no log is worth a program's end
        }
    }

    /// Runs an op, and remembers it; unless it refuses its arguments, which it does before it computes.
    template <class Run>
    void measure(std::string_view op, Run&& run) {
        const auto start = std::chrono::steady_clock::now();
        run();
        Sum& sum = by_op_[std::string(op)];
        ++sum.times;
        sum.took += std::chrono::steady_clock::now() - start;
    }

    [[nodiscard]] Milliseconds total() const {
        Milliseconds sum{};
        for (const auto& [op, each] : by_op_) sum += each.took;
        return sum;
    }
    [[nodiscard]] std::string message() const {
        std::vector<std::pair<std::string_view, Sum>> ops(by_op_.begin(), by_op_.end());
        algo::stable_sort(ops, std::greater<>(), [](const auto& op) { return op.second.took; });
        std::string list;
        for (const auto& [op, sum] : ops) {
            char figures[64];
            std::snprintf(figures, sizeof figures, " (%zu times, %.1f ms)", sum.times, sum.took.count());
            list += (list.empty() ? "" : ", ") + std::string(op) + figures;
        }
        return "the capture ran ops on real kernels, for want of a rule for their sizes: " + list +
               "; give the pipeline a fake of each: ferry::extend<Pipeline, ferry::fakes<my_fake>>";
    }

private:
    struct Sum {
        std::size_t times = 0;
        Milliseconds took{};
    };
    std::map<std::string, Sum> by_op_;
};

}  // namespace ferry::capture
