#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/fit.hpp>
#include <ferry/capture/forward_errors.hpp>
#include <ferry/capture/left_behind.hpp>
#include <ferry/capture/module_calls.hpp>
#include <ferry/capture/module_names.hpp>
#include <ferry/capture/observe_values.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/run_model.hpp>
#include <ferry/capture/stated_sizes.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/capture/untouched.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Which sizes the inputs may have: for each tensor leaf its sizes in terms of the symbols.
struct ShapePlan {
    std::vector<ProbeDim> symbols{};
    std::vector<std::vector<SymExpr>>
        sizes{};  ///< by leaf; of an integer that varies itself; empty for all other leaves

    /// What each symbol is at a point, beside what is known already.
    [[nodiscard]] SymBindings bindings_at(const ProbePoint& point, SymBindings known = {}) const {
        for (std::size_t i = 0; i < symbols.size(); ++i) known.set(symbols[i].name, point[i]);
        return known;
    }
};

/// Something was learnt that earlier runs did not know of: they do not count any more.
struct StartAgain : std::exception {};

/// Runs a model at one size after the other, on fake tensors.
class Session {
public:
    Session(RunModel run, std::vector<Leaf> leaves, OpRules rules, ModuleNames names = {})
        : run_(std::move(run)), leaves_(std::move(leaves)), infos_(rules), names_(std::move(names)) {}

    struct Outcome {
        Trace trace{};
        Tree output{};
    };

    [[nodiscard]] const std::vector<Leaf>& leaves() const noexcept { return leaves_; }
    [[nodiscard]] ModuleNames& names() noexcept { return names_; }

    /// One run with these sizes of leaves, and these answers when the model asks tensors for integers. What the model throws comes through.
    [[nodiscard]] Outcome run(const std::vector<std::vector<std::int64_t>>& sizes,
                              std::span<const std::int64_t> unbacked, const SymBindings& symbols = {});

    /// The same at a point of the plan: a size for each symbol, unbacked ones last.
    [[nodiscard]] Outcome run(const ShapePlan& plan, const ProbePoint& point);

    /// The model is no code that may write to memory behind the ops' backs, or ask for values to branch on, but a program.
    void set_ops_alone(bool alone) noexcept { ops_alone_ = alone; }
    [[nodiscard]] bool runs_code() const noexcept { return !ops_alone_; }
    /// Whether runs at large sizes would take long.
    [[nodiscard]] bool computes() const { return infos_.any_computes(); }
    /// What a real run may write to; and whether there can be one, all state having data.
    void set_state(std::vector<at::Tensor> written, bool has_data) {
        state_ = std::move(written);
        has_data_ = has_data;
    }

    void set_watch(LeftBehindWatch* watch) noexcept { watch_ = watch; }
    /// How many ops the last run had recorded when it ended, in whatever way.
    [[nodiscard]] std::size_t steps_done() const noexcept { return steps_done_; }
    /// Whether the last run asked for a value that is not known.
    [[nodiscard]] bool has_asked() const noexcept { return has_asked_; }
    /// Runs the model once for real, on copies of the sample, and has its questions answered by what it was told there. False if
    /// that cannot be: without data, or for a program, of which each answer is a symbol anyway.
    [[nodiscard]] bool observe();
    /// What is known of the sizes beforehand; must outlive the session.
    void set_stated(const StatedSizes& stated) noexcept { stated_ = &stated; }
    [[nodiscard]] const StatedSizes* stated() const noexcept { return stated_; }
    /// Tensors from these calls of empty() are not the same in every run: make them ops of the graph.
    [[nodiscard]] std::set<std::uint32_t>& traced_memory() noexcept { return traced_memory_; }

private:
    void require_unwritten(const Trace& trace);

    RunModel run_;
    std::vector<Leaf> leaves_;
    OpInfos infos_;
    const StatedSizes* stated_ = nullptr;
    bool ops_alone_ = false;
    bool has_asked_ = false;
    bool has_data_ = true;
    std::size_t steps_done_ = 0;
    std::size_t expected_ops_ = 0, expected_values_ = 0;  // as many as the last run had
    LeftBehindWatch* watch_ = nullptr;
    std::vector<at::Tensor> state_;
    std::vector<std::int64_t> observed_;
    std::set<const c10::TensorImpl*> written_state_;
    std::set<std::uint32_t> traced_memory_;
    ModuleNames names_;
    Fakes fakes_;
    LooseNumbers numbers_;
};

/// Of a tensor of these sizes, with its dimensions in the same order in memory.
[[nodiscard]] inline std::vector<std::int64_t> strides_like(const at::Tensor& like, at::IntArrayRef sizes) {
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
    algo::sort(order, [&](std::size_t a, std::size_t b) {
        const auto stride_a = like.stride(static_cast<std::int64_t>(a)),
                   stride_b = like.stride(static_cast<std::int64_t>(b));
        return stride_a != stride_b ? stride_a < stride_b : a > b;
    });
    std::vector<std::int64_t> strides(order.size());
    std::int64_t next = 1;
    for (const std::size_t d : order) {
        strides[d] = next;
        next = ferry::detail::checked_mul(next, sizes[d]);
    }
    return strides;
}

inline Session::Outcome Session::run(const std::vector<std::vector<std::int64_t>>& sizes,
                                     std::span<const std::int64_t> unbacked, const SymBindings& symbols) {
    has_asked_ = false;
    numbers_.begin_run();
    if (watch_ != nullptr) watch_->begin_run();
    Tracer tracer(infos_, {.unbacked = unbacked,
                           .sizes = &symbols,
                           .stated = stated_,
                           .constants_stay_real = !ops_alone_,
                           .names = &names_,
                           .fakes = &fakes_,
                           .numbers = ops_alone_ ? nullptr : &numbers_,
                           .traced_memory = &traced_memory_,
                           .observed = observed_,
                           .written_state = &written_state_,
                           .knows_state = !ops_alone_,
                           .has_asked = &has_asked_,
                           .watch = watch_});
    tracer.expect(expected_ops_, expected_values_);
    std::vector<Leaf> given = leaves_;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i].get_if<std::int64_t>() != nullptr && !sizes[i].empty()) given[i] = sizes[i][0];
        if (!given[i].is_tensor() || !given[i].tensor().defined()) continue;
        const at::Tensor& like = given[i].tensor();
        const bool is_sample = like.sizes() == at::IntArrayRef(sizes[i]);
        const at::Tensor fake =
            is_sample ? fake_like(like) : make_fake(sizes[i], strides_like(like, sizes[i]), like.scalar_type());
        if (watch_ != nullptr) watch_->add(fake);
        given[i] = tracer.add_input(fake, like.device());
    }
    Outcome outcome;
    {
        const TraceScope scope(tracer);
        ModuleCalls calls{.patch = infos_.rules().model_patch};
        const ModuleCallsScope announced(&calls);
        try {
            outcome.output = run_(std::move(given));
        } catch (const StartAgain&) {
            throw;
        } catch (const std::exception& thrown) {
            steps_done_ = tracer.steps();
            if (numbers_.end_run()) throw StartAgain{};
            tracer.require_settled();
            tracer.rethrow_own(thrown);
            throw forward_error(thrown, tracer.place());
        }
        for (const Leaf& leaf : outcome.output.leaves) tracer.add_output(to_ivalue(leaf));
    }
    if (numbers_.end_run()) throw StartAgain{};
    outcome.trace = tracer.finish();
    expected_ops_ = outcome.trace.ops.size();
    expected_values_ = outcome.trace.values.size();
    require_unwritten(outcome.trace);
    return outcome;
}

/// A value that was taken for fixed is not, if the run goes on to write there.
inline void Session::require_unwritten(const Trace& trace) {
    bool found = false;
    for (const Mutation& mutation : trace.mutations)
        if (algo::contains(trace.fixed, mutation.before)) {
            const auto state = algo::find(trace.lifted, mutation.before, &Lifted::value);
            written_state_.insert(state->tensor.unsafeGetTensorImpl());
            found = true;
        }
    if (found) throw StartAgain{};
}

inline bool Session::observe() {
    std::vector<Leaf> given = leaves_;
    for (Leaf& leaf : given) {
        if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
        if (leaf.tensor().is_meta()) return false;
        leaf = leaf.tensor().detach().clone();
    }
    if (ops_alone_ || !has_data_) return false;
    const Untouched guard(state_);
    try {
        observed_ = observe_values([&] { static_cast<void>(run_(given)); });
    } catch (const Error&) {
        throw;
    } catch (const std::exception& thrown) {
        throw forward_error(thrown, {});
    }
    return true;
}

inline Session::Outcome Session::run(const ShapePlan& plan, const ProbePoint& point) {
    const SymBindings bindings = plan.bindings_at(point, stated_ != nullptr ? stated_->sample : SymBindings());
    std::vector<std::vector<std::int64_t>> sizes(plan.sizes.size());
    for (std::size_t leaf = 0; leaf < sizes.size(); ++leaf)
        for (const SymExpr& size : plan.sizes[leaf]) sizes[leaf].push_back(evaluate(size, bindings));
    std::vector<std::int64_t> unbacked;
    for (std::size_t i = 0; i < plan.symbols.size(); ++i)
        if (is_unbacked_name(plan.symbols[i].name)) unbacked.push_back(point[i]);
    return run(sizes, unbacked, bindings);
}

}  // namespace ferry::capture
