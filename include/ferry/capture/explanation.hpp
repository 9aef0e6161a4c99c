#pragma once

#include <ferry/capture/fit.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_expr.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ferry::capture {

/// What the numbers of a model's runs are in terms of its sizes, found once and held against further runs.
class Explanation {
public:
    /// Where the runs have a number that no expression gives, `why()` says so.
    explicit Explanation(Unifier& runs) {
        std::unordered_map<std::int64_t, std::uint32_t> constants;  // most of them
        std::map<SymExpr, std::uint32_t> known;
        why_ = runs.find_divergence(
            [&](const SymExpr& size) {
                const auto next = static_cast<std::uint32_t>(expressions_.size());
                const std::uint32_t which = size.is_constant() ? constants.emplace(size.value(), next).first->second
                                                               : known.emplace(size, next).first->second;
                if (which == next) expressions_.push_back(size);
                sizes_.push_back(which);
            },
            [&](const std::optional<RealSource>& source, double constant) { reals_.push_back({source, constant}); });
    }
    [[nodiscard]] const std::optional<Divergence>& why() const noexcept { return why_; }

    /// Whether it gives the numbers of one more run, at these sizes.
    [[nodiscard]] bool holds_for(const Trace& run, const SymBindings& at_sizes) const {
        std::vector<std::int64_t> values;
        values.reserve(expressions_.size());
        for (const SymExpr& expression : expressions_) values.push_back(evaluate(expression, at_sizes));
        Comparison compared{*this, values, at_sizes, nullptr};
        compared.run = &run;
        detail::walk_numbers(run, compared);
        return compared.same && compared.size_at == sizes_.size() && compared.real_at == reals_.size();
    }

private:
    struct Real {
        std::optional<RealSource> source;
        double constant;
    };

    struct Comparison {
        const Explanation& expected;
        const std::vector<std::int64_t>& values;
        const SymBindings& at_sizes;
        const Trace* run;
        std::size_t size_at = 0, real_at = 0;
        bool same = true;

        void integer(std::size_t, const std::vector<std::size_t>&, std::int64_t number) {
            same = same && size_at < expected.sizes_.size() && values[expected.sizes_[size_at]] == number;
            ++size_at;
        }
        void size(std::size_t, Value value) {
            for (const std::int64_t each : run->values[value.index].tensor.sizes()) integer(0, {}, each);
        }
        void told(std::size_t, std::size_t, std::int64_t number) { integer(0, {}, number); }
        void real(std::size_t, const std::vector<std::size_t>&, double number) {
            same = same && real_at < expected.reals_.size() && is_real(expected.reals_[real_at], number);
            ++real_at;
        }
        [[nodiscard]] bool is_real(const Real& wanted, double number) const {
            if (wanted.source && wanted.source->computed)
                return true;  // the run has computed it from numbers that are compared
            double value = wanted.constant;
            if (wanted.source) {
                const RealFit& fit = wanted.source->fit;
                value =
                    fit.factor * ferry::detail::apply(fit.function, static_cast<double>(evaluate(fit.of, at_sizes)));
            }
            return value == number || std::abs(value - number) <= 1e-6 * std::abs(number) ||
                   (std::isnan(value) && std::isnan(number));
        }
        void body(std::size_t op, std::size_t which) {
            const Trace* const outer = run;
            run = outer->ops[op].subtraces[which].get();
            detail::walk_numbers(*run, *this);
            run = outer;
        }
    };

    std::optional<Divergence> why_;
    std::vector<SymExpr> expressions_;   // each once
    std::vector<std::uint32_t> sizes_;   // which of them, in the order of walk_numbers
    std::vector<Real> reals_;
};

}  // namespace ferry::capture
