#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/fit.hpp>
#include <ferry/capture/module_calls.hpp>
#include <ferry/capture/module_names.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/stated_sizes.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/tree.hpp>

#include <algorithm>
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

/// A model as a capture sees it: leaves in, a tree out.
using RunModel = std::function<Tree(std::vector<Leaf>)>;

/// Which sizes the inputs may have: for each tensor leaf its sizes in terms of the symbols.
struct ShapePlan {
    std::vector<ProbeDim> symbols{};
    std::vector<std::vector<SymExpr>>
        sizes{};  ///< by leaf; of an integer that varies itself; empty for all other leaves
};

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

    /// What is known of the sizes beforehand; must outlive the session.
    void set_stated(const StatedSizes& stated) noexcept { stated_ = &stated; }
    [[nodiscard]] const StatedSizes* stated() const noexcept { return stated_; }
    void set_constants_stay_real(bool stay) noexcept { constants_stay_real_ = stay; }
    /// Tensors from these calls of empty() are not the same in every run: make them ops of the graph.
    [[nodiscard]] std::set<std::uint32_t>& traced_memory() noexcept { return traced_memory_; }

private:
    RunModel run_;
    std::vector<Leaf> leaves_;
    OpInfos infos_;
    const StatedSizes* stated_ = nullptr;
    bool constants_stay_real_ = true;
    std::set<std::uint32_t> traced_memory_;
    ModuleNames names_;
    Fakes fakes_;
};

/// Of a tensor of these sizes, with its dimensions in the same order in memory.
[[nodiscard]] inline std::vector<std::int64_t> strides_like(const at::Tensor& like, at::IntArrayRef sizes) {
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
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
    Tracer tracer(infos_, {.unbacked = unbacked,
                           .sizes = &symbols,
                           .stated = stated_,
                           .constants_stay_real = constants_stay_real_,
                           .names = &names_,
                           .fakes = &fakes_,
                           .traced_memory = &traced_memory_});
    std::vector<Leaf> given = leaves_;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i].get_if<std::int64_t>() != nullptr && !sizes[i].empty()) given[i] = sizes[i][0];
        if (!given[i].is_tensor() || !given[i].tensor().defined()) continue;
        const at::Tensor& like = given[i].tensor();
        at::Tensor fake;
        if (like.sizes() == at::IntArrayRef(sizes[i])) {
            fake = fake_like(like);
        } else {  // other sizes, dimensions in the same order in memory
            const std::vector<std::int64_t> strides = strides_like(like, sizes[i]);
            fake = at::empty_strided(sizes[i], strides, like.options().device(at::kMeta));
            forbid_data(fake);
        }
        given[i] = tracer.add_input(fake, like.device());
    }
    Outcome outcome;
    {
        const TraceScope scope(tracer);
        ModuleCalls calls{.patch = infos_.rules().model_patch};
        const ModuleCallsScope announced(&calls);
        try {
            outcome.output = run_(std::move(given));
        } catch (const std::exception&) {
            tracer.require_settled();
            throw;
        }
        for (const Leaf& leaf : outcome.output.leaves) tracer.add_output(to_ivalue(leaf));
    }
    outcome.trace = tracer.finish();
    return outcome;
}

inline Session::Outcome Session::run(const ShapePlan& plan, const ProbePoint& point) {
    SymBindings bindings = stated_ != nullptr ? stated_->sample : SymBindings();
    for (std::size_t i = 0; i < plan.symbols.size(); ++i) bindings.set(plan.symbols[i].name, point[i]);
    std::vector<std::vector<std::int64_t>> sizes(plan.sizes.size());
    for (std::size_t leaf = 0; leaf < sizes.size(); ++leaf)
        for (const SymExpr& size : plan.sizes[leaf]) sizes[leaf].push_back(evaluate(size, bindings));
    std::vector<std::int64_t> unbacked;
    for (std::size_t i = 0; i < plan.symbols.size(); ++i)
        if (is_unbacked_name(plan.symbols[i].name)) unbacked.push_back(point[i]);
    return run(sizes, unbacked, bindings);
}

}  // namespace ferry::capture
