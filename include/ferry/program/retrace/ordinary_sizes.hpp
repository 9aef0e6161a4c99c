#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/example_sizes.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace/narrow_range.hpp>
#include <ferry/program/retrace/program_checks.hpp>
#include <ferry/program/retrace/program_sizes.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ferry::detail {

/// What a graph says of its sizes, as far as a graph can compute it.
[[nodiscard]] inline bool is_computable(const SymExpr& size) {
    const auto all = [](const auto& parts, auto&& part) { return algo::all_of(parts, part); };
    switch (size.op()) {
        case SymOp::constant:
        case SymOp::symbol: return true;
        case SymOp::sum:
            return all(size.terms(), [&](const SymTerm& term) {
                return all(term.factors,
                           [](const SymFactor& factor) { return factor.exponent > 0 && is_computable(factor.base); });
            });
        case SymOp::floor_div:
        case SymOp::mod:
        case SymOp::max:
        case SymOp::min: return all(size.args(), [](const SymExpr& part) { return is_computable(part); });
        default: return false;
    }
}
[[nodiscard]] inline std::vector<SymExpr> known_sizes(const Graph& graph) {
    std::set<SymExpr> found;
    const auto add = [&](const SymExpr& size) {
        if (!size.is_constant() && !size.is_symbol() && is_computable(size)) found.insert(size);
    };
    for (std::uint32_t i = 0; i < graph.num_values(); ++i) {
        const ValueInfo& info = graph.info({i});
        if (info.kind == ValueKind::sym_int) add(info.symbol);
        if (info.kind == ValueKind::tensor)
            for (const SymExpr& size : info.tensor.sizes) add(size);
    }
    return {found.begin(), found.end()};
}

/// Sizes to decompose a program at. It holds for all of its ranges already; what is small or just as large as something else
/// may take a way of its own through an op's parts (a view where there is a copy otherwise), so that is left out: the ordinary
/// way is right for all sizes.
class OrdinarySizes {
public:
    /// Symbols that the program checks stay as the example has them: there the checks hold. `all`: small ones are not left out, for a
    /// program that treats them apart by itself.
    OrdinarySizes(const ExportedProgram& program, const ProgramChecks& checks, const std::set<std::string>& checked,
                  bool all)
        : all_(all) {
        const SymBindings example = sizes_of_example(program);
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            for (const SymExpr& size : sizes_of(program, input))
                for (const std::string& symbol : free_symbols(size)) {
                    const bool is_kept = checked.contains(symbol) && example.find(symbol) != nullptr;
                    add(symbol, program.ranges.find(symbol), is_kept);
                }
        }
        if (!all) raise(known_sizes(program.graph), checked);
        choose_sample(checked, example);
        std::vector<ProbeDim> dims;
        dims.reserve(ranges_.size());
        for (const auto& [symbol, range] : ranges_) dims.push_back({symbol, range, *sample_.find(symbol)});
        stated_ = stated_sizes(program, checks, std::move(dims), sample_);
    }

    [[nodiscard]] const std::map<std::string, ValueRange>& ranges() const noexcept { return ranges_; }
    [[nodiscard]] const SymBindings& sample() const noexcept { return sample_; }
    /// What goes with them.
    [[nodiscard]] capture::StatedSizes& stated() noexcept { return stated_; }

private:
    void add(const std::string& symbol, const ValueRange* given, bool is_kept) {
        if (ranges_.contains(symbol)) return;
        ValueRange range = given != nullptr ? *given : ValueRange::at_least(2);
        if (!all_ && !is_kept && range.max >= least + room) range.min = std::max(range.min, least);
        range.min = std::max<std::int64_t>(range.min, 0);
        if (range.empty()) contradiction(symbol);
        order_.push_back(symbol);
        ranges_.emplace(symbol, range);
    }

    /// Something divided by zero is neither.
    [[nodiscard]] static bool is_at_most_one(const SymExpr& size, const SymBindings& sizes) {
        try {
            return evaluate(size, sizes) <= 1;
        } catch (const Error&) {
            return false;
        }
    }

    /// What the program computes from its sizes is not to be 0 or 1 either, where larger ones make it more.
    void raise(const std::vector<SymExpr>& computed, const std::set<std::string>& checked) {
        constexpr std::int64_t far = 1 << 12;
        SymBindings smallest;
        for (const auto& [symbol, range] : ranges_) smallest.set(symbol, range.min);
        for (const SymExpr& size : computed) {
            const std::vector<std::string> symbols = free_symbols(size);
            if (!algo::all_of(symbols, [&](const std::string& each) { return ranges_.contains(each); })) continue;
            for (const std::string& symbol : symbols) {
                ValueRange& range = ranges_.at(symbol);
                if (checked.contains(symbol)) continue;
                SymBindings raised = smallest;
                std::int64_t at = range.min;
                while (is_at_most_one(size, raised) && at <= far && at < range.max / 2 - room)
                    raised.set(symbol, at = std::max<std::int64_t>(2 * at, 1));
                if (at == range.min || is_at_most_one(size, raised)) continue;
                smallest.set(symbol, range.min = at);
            }
        }
    }

    void choose_sample(const std::set<std::string>& checked, const SymBindings& example) {
        std::int64_t step = 3;
        for (const std::string& symbol : order_) {
            const ValueRange& range = ranges_.at(symbol);
            const std::int64_t* kept = checked.contains(symbol) ? example.find(symbol) : nullptr;
            sample_.set(symbol, kept != nullptr ? *kept : range.min < range.max - step ? range.min + step : range.max);
            step += 2;
        }
    }

    static constexpr std::int64_t least = 8, room = 24;
    bool all_;
    std::map<std::string, ValueRange> ranges_;
    std::vector<std::string> order_;  // of their symbols, as the inputs have them
    SymBindings sample_;
    capture::StatedSizes stated_;
};

/// The program's inputs at those sizes, flat, by the names that its graph has for them, with what it says of the sizes in the
/// words of an export.
class OrdinaryInputs {
public:
    OrdinaryInputs(const ExportedProgram& program, const OrdinarySizes& ordinary)
        : program_(program), ordinary_(ordinary) {
        for (const InputSpec& input : program.signature.inputs)
            if (input.kind == InputKind::user_input) add(input);
    }

    [[nodiscard]] const std::vector<Leaf>& leaves() const noexcept { return leaves_; }
    [[nodiscard]] const DynamicShapes& shapes() const noexcept { return shapes_; }
    [[nodiscard]] Inputs named() const {
        std::vector<Inputs::Item> items;
        items.reserve(leaves_.size());
        for (std::size_t i = 0; i < leaves_.size(); ++i) items.emplace_back(names_[i], Tree(leaves_[i]));
        return Inputs(std::move(items));
    }

private:
    void add(const InputSpec& input) {
        const std::string name = input.name.empty() ? "input_" + std::to_string(leaves_.size()) : input.name;
        const auto* value = input.argument.get_if<Value>();
        if (value == nullptr) {
            leaves_.push_back(to_leaf(input.argument));
        } else {
            const auto sizes = sizes_of(program_, input);
            std::vector<std::int64_t> concrete;
            concrete.reserve(sizes.size());
            for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
                concrete.push_back(evaluate(sizes[dim], ordinary_.sample()));
                if (sizes[dim].is_constant()) continue;
                std::map<std::string, ValueRange> ranges;
                for (const std::string& symbol : free_symbols(sizes[dim]))
                    ranges.emplace(symbol, ordinary_.ranges().at(symbol));
                shapes_[name].emplace(static_cast<std::int64_t>(dim), Dim::of(sizes[dim], std::move(ranges)));
            }
            const ValueInfo& info = program_.graph.info(*value);
            leaves_.push_back(info.kind == ValueKind::tensor ? Leaf(tensor(info.tensor, concrete))
                                                             : Leaf(concrete.at(0)));
        }
        names_.push_back(name);
    }

    /// The example where it has these sizes, or one whose dimensions lie in memory as those of the example did.
    [[nodiscard]] at::Tensor tensor(const TensorMeta& meta, const std::vector<std::int64_t>& sizes) const {
        const std::size_t at = leaves_.size();
        if (at < program_.example_inputs.size() && program_.example_inputs[at].is_tensor()) {
            const at::Tensor& example = program_.example_inputs[at].tensor();
            if (example.sizes() == at::IntArrayRef(sizes)) return example;
            return at::empty_strided(sizes, capture::strides_like(example, sizes), example.options());
        }
        const auto options = at::TensorOptions(to_c10(meta.dtype)).device(to_c10(meta.device));
        if (meta.strides.size() != sizes.size()) return at::empty(sizes, options);
        std::vector<std::int64_t> strides;
        strides.reserve(sizes.size());
        for (const SymExpr& stride : meta.strides) strides.push_back(evaluate(stride, ordinary_.sample()));
        return at::empty_strided(sizes, strides, options);
    }

    const ExportedProgram& program_;
    const OrdinarySizes& ordinary_;
    std::vector<std::string> names_;
    std::vector<Leaf> leaves_;
    DynamicShapes shapes_;
};

}  // namespace ferry::detail
