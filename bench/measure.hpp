// What every benchmark of a process of its own prints: one line of JSON.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <string>

namespace bench {

inline long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/// `work` gives a number of nodes. Memory is that of the first run; `more` is further JSON; `prepare` takes no part in the time.
template <class Prepare, class Work>
void measure_after(const Prepare& prepare, long runs, const Work& work, const std::string& more = {}) {
    const long before = peak_kilobytes();
    long after = before;
    double least = 0, first = 0;
    std::size_t nodes = 0;
    for (long run = 0; run < runs; ++run) {
        prepare();
        const auto start = std::chrono::steady_clock::now();
        nodes = work();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        least = run == 0 ? seconds : std::min(least, seconds);
        if (run > 0) continue;
        first = seconds;
        after = peak_kilobytes();
    }
    std::cout << R"({"first": )" << first << R"(, "least": )" << least << R"(, "nodes": )" << nodes
              << R"(, "kilobytes": )" << after << R"(, "kilobytes_before": )" << before << more << "}\n";
}

template <class Work>
void measure(long runs, const Work& work, const std::string& more = {}) {
    measure_after([] {}, runs, work, more);
}

}  // namespace bench
