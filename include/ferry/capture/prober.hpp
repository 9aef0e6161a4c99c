#pragma once

#include <ferry/capture/align_contiguous.hpp>
#include <ferry/capture/explanation.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// What was asked for and does not hold: the program checks it when it runs.
struct Deferred {
    std::set<std::string> ranges{};  ///< dimensions of which the plan has less than was asked for
    std::vector<std::pair<std::string, SymExpr>> equal{};  ///< dimensions that the plan has no more: what they must be

    [[nodiscard]] bool concerns(const SymExpr& size) const {
        return algo::any_of(free_symbols(size), [&](const std::string& symbol) {
            return ranges.contains(symbol) ||
                   algo::any_of(equal, [&](const auto& each) { return each.first == symbol; });
        });
    }
};

/// What was asked for and does not hold, and will be refused once it is known what does.
struct Complaint {
    std::string symbol{};
    std::string found{};  ///< what is wrong with it
    std::string hint{};  ///< empty: what the plan has for the symbol in the end
    std::string op{};
};

/// A run at the sample's sizes, but one of them.
struct Seed {
    std::string symbol;
    std::int64_t size;
    Trace trace;
};

/// What probing found out: the runs that agree, and the sizes over which they do.
struct Probed {
    ShapePlan plan{};
    std::vector<ProbePoint> points{};
    std::vector<Trace> traces{};
    Tree output{};  ///< of the run at the sample's sizes
    std::vector<std::string> notes{};
    ShapePlan asked{};  ///< in the words of the user
    Deferred deferred{};
    std::vector<Complaint> complaints{};
    std::vector<Seed> seeds{};  ///< runs from before the plan was made that are points of it
    std::map<std::string, std::int64_t> given{};  ///< sizes of 0 and 1 in the sample, where probing is done near them
    std::map<std::string, ValueRange> narrowed{};  ///< beyond these forward does something else, without an error
    std::map<std::string, std::int64_t> factors{};  ///< symbols of which only multiples are sizes

    [[nodiscard]] ProbePoint sample_point() const {
        ProbePoint point;
        point.reserve(plan.symbols.size());
        for (const ProbeDim& symbol : plan.symbols) point.push_back(symbol.sample);
        return point;
    }
};

/// Runs the model at one point after the other, and says whether it does there what it does at the sample's sizes.
class Prober {
public:
    explicit Prober(Session& session, const Progress& progress) : session_(session), progress_(progress) {}

    struct Attempt {
        std::optional<Session::Outcome> outcome{};
        std::string reason{};  ///< why not,
        std::string op{};  ///< and at which op, as far as known
        std::size_t steps = 0;  ///< how many of them the run has got done, at least
    };
    /// A tensor from empty() is a constant as long as each run makes the same one; here is one that is not. See trace_memory().
    struct OtherMemory : std::exception {
        explicit OtherMemory(std::uint32_t which) : call(which) {}
        std::uint32_t call;
    };

    [[nodiscard]] const std::vector<Leaf>& leaves() const noexcept { return session_.leaves(); }
    [[nodiscard]] const StatedSizes* stated() const noexcept { return session_.stated(); }
    /// The run at the sample's sizes, which all others are compared with.
    [[nodiscard]] const Trace& baseline() const noexcept { return baseline_; }

    /// What the model throws at its own sample's sizes comes through.
    Tree run_sample(const Probed& probed) {
        auto outcome = session_.run(probed.plan, probed.sample_point());
        baseline_ = std::move(outcome.trace);
        count_run();
        return std::move(outcome.output);
    }
    /// The same for the first time. A model that asks for values is told what it would be told with the sample's.
    Tree run_sample_first(const Probed& probed) {
        try {
            Tree output = run_sample(probed);
            if (!session_.has_asked() || !session_.observe()) return output;
        } catch (const StartAgain&) {
            throw;
        } catch (const std::exception&) {
            if (!session_.has_asked() || !session_.observe()) throw;
        }
        return run_sample(probed);
    }

    [[nodiscard]] Attempt attempt(const ShapePlan& plan, const ProbePoint& point) {
        Attempt made = run(plan, point);
        count_run();  // not in there: what a user's callback throws gives the capture up
        return made;
    }
    /// So many runs will follow, as far as is known.
    void expect_runs(std::size_t count) noexcept { expected_ = runs_ + count; }

    /// Where a run leaves what the model does at the sample's sizes; nothing when it does not. Throws OtherMemory.
    [[nodiscard]] std::optional<Divergence> parting(const Attempt& attempt) const {
        if (!attempt.outcome)
            return Divergence{.op = attempt.steps, .name = attempt.op, .reason = attempt.reason, .how = Parting::fails};
        const Trace& trace = attempt.outcome->trace;
        if (lacks_contiguous(trace, baseline_) && !compare_steps(trace, with_contiguous_of(trace, baseline_)))
            return std::nullopt;
        auto found = compare_steps(baseline_, trace);
        if (found && found->memory != Lifted::not_made && !filled_unseen_.contains(found->memory))
            throw OtherMemory(found->memory);
        return found;
    }

    [[nodiscard]] bool holds(const ShapePlan& plan, const ProbePoint& point) { return !parting(attempt(plan, point)); }
    /// How a run leaves the others, numbers that their expressions do not give included.
    [[nodiscard]] std::optional<Divergence> parting(const ShapePlan& plan, const ProbePoint& point,
                                                    const Explanation& explanation) {
        const Attempt tried = attempt(plan, point);
        if (auto parted = parting(tried)) return parted;
        if (explanation.holds_for(tried.outcome->trace, plan.bindings_at(point))) return std::nullopt;
        return Divergence{.reason = "the model's numbers do not follow the same expressions", .how = Parting::fails};
    }
    /// The model once more at the sample's sizes: after all these runs it must do there what it did at first.
    void require_no_memory(const Probed& probed) {
        if (!session_.runs_code()) return;
        if (const auto parted = parting(attempt(probed.plan, probed.sample_point())))
            throw Error(
                ErrorKind::unsupported,
                "forward does something else when it is called again, so it keeps something in the model: " +
                    place_and_reason(*parted),
                {.hint = "name the members that it writes to in ferry::stateful_members<&Model::member, ...>, or "
                         "set them before the export",
                 .where = {.op = parted->name}});
    }
    /// From now on other runs are compared with this one, which does the same.
    void set_baseline(Trace trace) { baseline_ = std::move(trace); }
    /// Whether the model is code, which may branch on what it is told; and no program.
    [[nodiscard]] bool runs_code() const noexcept { return session_.runs_code(); }
    [[nodiscard]] bool computes() const { return session_.computes(); }

    /// Makes the tensors of a call of empty() ops of the graph, along with the ops that fill them; unless forward fills them through
    /// their data pointers. Runs from before do not count any more.
    void trace_memory(std::uint32_t call, const Probed& probed) {
        session_.traced_memory().insert(call);
        try {
            static_cast<void>(session_.run(probed.plan, probed.sample_point()));
        } catch (const StartAgain&) {  // which is what comes next
        } catch (const std::exception&) {
            session_.traced_memory().erase(call);
            filled_unseen_.insert(call);
        }
    }

private:
    [[nodiscard]] Attempt run(const ShapePlan& plan, const ProbePoint& point) {
        Attempt failed;
        try {
            Attempt made{.outcome = session_.run(plan, point)};
            Trace& trace = made.outcome->trace;
            trace = with_contiguous_of(baseline_, std::move(trace));
            return made;
        } catch (const LeftBehind&) {
            throw;
        } catch (const StartAgain&) {
            throw;
        } catch (const Error& error) {
            failed.reason = error.message();
            failed.op = error.where().op;
        } catch (const std::exception& thrown) {
            failed.reason = message_of(thrown);
        }
        failed.steps = session_.steps_done();
        return failed;
    }
    void count_run() {
        ++runs_;
        report(progress_, {.stage = "dynamic shapes", .done = runs_, .total = runs_ <= expected_ ? expected_ : 0});
    }

    Session& session_;
    const Progress& progress_;
    std::size_t runs_ = 0;
    std::size_t expected_ = 0;
    Trace baseline_;
    std::set<std::uint32_t> filled_unseen_;  // calls of empty() whose tensors must stay real
};

}  // namespace ferry::capture
