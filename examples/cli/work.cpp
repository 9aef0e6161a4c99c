#include "work.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace cli {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Work::Work(bool prints_timings) : prints_timings_(prints_timings), is_terminal_(::isatty(STDERR_FILENO) == 1) {}

Work::~Work() { erase(); }

void Work::begin(std::string stage) {
    end_stage();
    show(stage);
    stage_ = rows_.size();
    rows_.push_back({std::move(stage)});
    stage_start_ = last_step_ = Clock::now();
}

ferry::Progress Work::progress() {
    return [this](const ferry::ProgressStep& each) { step(each); };
}

void Work::step(const ferry::ProgressStep& step) {
    const auto now = Clock::now();
    auto part = std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(stage_) + 1, rows_.end(),
                             [&](const Row& row) { return row.name == step.stage; });
    if (part == rows_.end()) part = rows_.insert(part, {std::string(step.stage), 0, true});
    part->seconds += seconds_between(last_step_, now);  // a step is told when it is done
    last_step_ = now;
    if (!is_terminal_ || seconds_between(last_shown_, now) < 0.1) return;
    last_shown_ = now;
    std::string text = rows_[stage_].name + ": " + std::string(step.stage) + ' ' + std::to_string(step.done);
    if (step.total != 0) text += " of " + std::to_string(step.total);
    show(text);
}

void Work::end_stage() {
    if (!rows_.empty()) rows_[stage_].seconds = seconds_between(stage_start_, Clock::now());
}

void Work::show(const std::string& text) {
    if (!is_terminal_) return;
    std::fprintf(stderr, "\r\033[K%s ...", text.c_str());
    std::fflush(stderr);
    is_shown_ = true;
}

void Work::erase() {
    if (std::exchange(is_shown_, false)) std::fputs("\r\033[K", stderr);
}

void Work::finish() {
    end_stage();
    erase();
    if (!prints_timings_) return;
    std::size_t width = 5;
    for (const Row& row : rows_) width = std::max(width, row.name.size() + (row.is_part ? 2 : 0));
    const auto line = [&](const std::string& name, double seconds) {
        std::fprintf(stderr, "%-*s %10.3f\n", static_cast<int>(width), name.c_str(), seconds);
    };
    std::fprintf(stderr, "%-*s %10s\n", static_cast<int>(width), "stage", "seconds");
    double total = 0;
    for (const Row& row : rows_) {
        line((row.is_part ? "  " : "") + row.name, row.seconds);
        if (!row.is_part) total += row.seconds;
    }
    line("total", total);
}

}  // namespace cli
