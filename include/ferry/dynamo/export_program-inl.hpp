#pragma once

#include <ferry/capture/left_behind.hpp>
#include <ferry/capture/plain_scripts.hpp>
#include <ferry/capture/warn_once.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/core/log.hpp>
#include <ferry/dynamo/check_against_model.hpp>
#include <ferry/dynamo/export_program.hpp>
#include <ferry/program/capture_program.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// Says what a user should know of an export, once it is over in whatever way.
class ExportReport {
public:
    ExportReport() = default;
    ExportReport(const ExportReport&) = delete;
    ExportReport& operator=(const ExportReport&) = delete;
    ~ExportReport() {
        if (const std::string sizes = watch_.find(); !sizes.empty())
            log(LogLevel::warning,
                "forward has left a tensor without data, of sizes " + sizes +
                    ", in a member that is not registered: name it in ferry::stateful_members<&Model::member>, and a "
                    "capture puts it back");
    }
    [[nodiscard]] capture::LeftBehindWatch& watch() noexcept { return watch_; }
    static void say(const std::vector<std::string>& notes) {
        std::string all;
        for (const std::string& note : notes) all.append(all.empty() ? "" : "; ").append(note);
        if (!all.empty()) log(LogLevel::warning, "of the exported program: " + all);
    }

private:
    capture::LeftBehindWatch watch_;
};

}  // namespace detail

FERRY_INLINE ExportedProgram export_program(const capture::RunModel& run, const Inputs& inputs, const ModelState& state,
                                            const DynamoConfig& config, capture::OpRules rules,
                                            std::function<std::string()> running_module) {
    detail::ExportReport report;
    const capture::WarnOnce warnings;
    const capture::PlainScripts scripts;
    CapturedProgram captured = capture_program(run, inputs, state,
                                               {.shapes = config.dynamic_shapes,
                                                .all_dynamic = config.dynamic,
                                                .defers_checks = config.prefer_deferred_runtime_asserts_over_guards,
                                                .watch = &report.watch(),
                                                .progress = config.progress},
                                               rules, std::move(running_module));
    if (config.strict) check_against_model(captured.program, run, state, captured.probed, config.progress);
    report.say(captured.program.notes);
    return std::move(captured.program);
}

}  // namespace ferry
