#pragma once

#include <ferry/core/progress.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// What a command does, stage by stage: shown while it runs if standard error is a terminal, and with --timings as a table.
class Work {
public:
    explicit Work(bool prints_timings);
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work();

    /// The stage before is over.
    void begin(std::string stage);
    /// For the library to tell of the parts of a stage.
    [[nodiscard]] ferry::Progress progress();
    /// Everything went well.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    struct Row {
        std::string name;
        double seconds = 0;
        bool is_part = false;
    };

    void end_stage();
    void show(const std::string& text);
    void erase();
    void step(const ferry::ProgressStep& step);

    bool prints_timings_;
    bool is_terminal_;
    bool is_shown_ = false;
    std::vector<Row> rows_;
    std::size_t stage_ = 0;  ///< the running one's row
    Clock::time_point stage_start_, last_step_, last_shown_;
};

}  // namespace cli
