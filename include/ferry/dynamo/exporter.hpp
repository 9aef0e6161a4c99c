#pragma once

#include <ferry/capture/left_behind.hpp>
#include <ferry/capture/plain_scripts.hpp>
#include <ferry/capture/rules.hpp>
#include <ferry/capture/warn_once.hpp>
#include <ferry/core/log.hpp>
#include <ferry/dynamo/check_against_model.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/member_guard.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/dynamo/prepare_for_export.hpp>
#include <ferry/program/capture_program.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/print.hpp>

#include <functional>
#include <string>
#include <type_traits>
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

/// Everything of an export that does not depend on the model's type.
[[nodiscard]] inline ExportedProgram export_program(const capture::RunModel& run, const Inputs& inputs,
                                                    const ModelState& state, const DynamoConfig& config,
                                                    capture::OpRules rules,
                                                    std::function<std::string()> running_module = {}) {
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

/// From a model to an ExportedProgram: `DynamoExporter{}.export_model(model, inputs, {.dynamic = true})`. The model is a
/// torch::nn::Module, its holder or shared_ptr, or anything callable over tensors and nested values of them.
template <class Pipeline = dynamo_pipeline>
class DynamoExporter {
public:
    template <class Model>
    [[nodiscard]] ExportedProgram export_model(Model&& model, Inputs inputs, const DynamoConfig& config = {}) const {
        using Pytrees = typename Pipeline::template stage<pytrees>;
        // No output flag is dropped and nothing cast: forward's parameters are bound by position, and a flag may be one of them.
        // Whoever wants that calls prepare_for_export first.
        detail::prepare_inputs<Pipeline>(detail::innermost(model), inputs);
        const TreeSpec spec = inputs.spec();
        using Adapter = model_adapter<std::remove_reference_t<Model>>;
        auto state = Adapter::guard(model);
        MemberGuard<typename Pipeline::template stage<stateful_member_list>> members(detail::innermost(model));
        capture::RunModel run = [&](std::vector<Leaf> leaves) {
            const detail::PutBack at_end{state};
            const detail::PutBack members_too{members};
            Tree result =
                Adapter::template call<Pytrees>(model, tree::unflatten<Inputs>(Tree(spec, std::move(leaves))));
            state.keep_changes();
            return result;
        };
        return export_program(run, inputs, Adapter::state(model), config, capture::rules_of<Pipeline>,
                              Adapter::running_module(model));
    }
};

}  // namespace ferry
