#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace ferry {

/// How far a long piece of work has come.
struct ProgressStep {
    std::string_view stage;  ///< as in the stage tables, e.g. "translations"
    std::size_t done = 0;
    std::size_t total = 0;  ///< 0: not known yet
};

/// Called from the exporting thread, now and then; throwing from it gives the work up, with nothing left behind.
using Progress = std::function<void(const ProgressStep&)>;

inline void report(const Progress& progress, const ProgressStep& step) {
    if (progress) progress(step);
}

}  // namespace ferry
