#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/shape_wishes.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/exported_program.hpp>

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

/// Sizes to decompose a program at. It holds for all of its ranges already; what is small or just as large as something else
/// may take a way of its own through an op's parts (a view where there is a copy otherwise), so that is left out: the ordinary
/// way is right for all sizes.
class OrdinarySizes {
public:
    /// Symbols that the program checks stay as the example has them: there the checks hold.
    OrdinarySizes(const ExportedProgram& program, const std::set<std::string>& checked) {
        std::size_t leaf = 0;
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const Leaf& example = program.example_inputs.at(leaf++);
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr) continue;
            const auto& sizes = program.graph.info(*value).tensor.sizes;
            for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
                const auto symbols = free_symbols(sizes[dim]);
                for (const std::string& symbol : symbols) {
                    std::optional<std::int64_t> kept;
                    if (symbols.size() == 1 && checked.contains(symbol))
                        kept = capture::solve(sizes[dim], symbol, example.tensor().sizes()[dim]);
                    add(symbol, program.ranges.find(symbol), kept);
                }
            }
        }
    }

    [[nodiscard]] const std::map<std::string, ValueRange>& ranges() const noexcept { return ranges_; }
    [[nodiscard]] const SymBindings& sample() const noexcept { return sample_; }

private:
    void add(const std::string& symbol, const ValueRange* given, std::optional<std::int64_t> kept) {
        if (ranges_.contains(symbol)) return;
        ValueRange range = given != nullptr ? *given : ValueRange::at_least(2);
        constexpr std::int64_t least = 8, room = 24;
        if (!kept && range.max - room >= least) range.min = std::max(range.min, least);
        const auto step = static_cast<std::int64_t>(3 + 2 * ranges_.size());
        sample_.set(symbol, kept.value_or(std::min(range.min + step, range.max)));
        ranges_.emplace(symbol, range);
    }

    std::map<std::string, ValueRange> ranges_;
    SymBindings sample_;
};

/// The program's inputs at those sizes, with what it says of the sizes in the words of an export.
struct OrdinaryInputs {
    std::vector<Leaf> leaves{};
    DynamicShapes shapes{};

    OrdinaryInputs(const ExportedProgram& program, const OrdinarySizes& ordinary, const std::vector<std::string>& paths)
        : leaves(program.example_inputs) {
        std::size_t leaf = 0;
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const std::size_t at = leaf++;
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr) continue;
            const auto& sizes = program.graph.info(*value).tensor.sizes;
            std::vector<std::int64_t> concrete;
            concrete.reserve(sizes.size());
            for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
                concrete.push_back(evaluate(sizes[dim], ordinary.sample()));
                if (sizes[dim].is_constant()) continue;
                std::map<std::string, ValueRange> ranges;
                for (const std::string& symbol : free_symbols(sizes[dim]))
                    ranges.emplace(symbol, ordinary.ranges().at(symbol));
                shapes[paths.at(at)].emplace(static_cast<std::int64_t>(dim), Dim::of(sizes[dim], std::move(ranges)));
            }
            const at::Tensor& example = leaves[at].tensor();
            if (example.sizes() != at::IntArrayRef(concrete))
                leaves[at] =
                    Leaf(at::empty_strided(concrete, capture::strides_like(example, concrete), example.options()));
        }
    }
};

}  // namespace ferry::detail
