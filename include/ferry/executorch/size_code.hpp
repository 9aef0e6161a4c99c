#pragma once

#include <ferry/core/error.hpp>
#include <ferry/executorch/method_builder.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_print.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::executorch {

/// Computes sizes where a method needs them: each is asked of a tensor that has it, or made of others, once.
class SizeCode {
public:
    explicit SizeCode(MethodBuilder& builder) : builder_(builder) {}

    /// Of a tensor that is there from now on. Asking for its sizes does not need its data.
    void know_tensor(Id tensor, const std::vector<SymExpr>& sizes) {
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
            if (sizes[dim].is_constant()) continue;
            places_.try_emplace(sizes[dim], Place{tensor, static_cast<std::int64_t>(dim)});
            if (const auto affine = as_affine(sizes[dim]); affine && !sizes[dim].is_symbol())
                derived_.try_emplace(affine->symbol,
                                     Derived{{tensor, static_cast<std::int64_t>(dim)}, affine->factor, affine->offset});
        }
    }
    void know_number(const SymExpr& expression, Id number) { known_.try_emplace(expression, number); }

    /// A tensor that has the size, or one that follows from it; `no_value` if none is known.
    [[nodiscard]] Id tensor_with(const std::string& symbol) const {
        if (const auto found = places_.find(SymExpr::symbol(symbol)); found != places_.end())
            return found->second.tensor;
        const auto found = derived_.find(symbol);
        return found != derived_.end() ? found->second.place.tensor : no_value;
    }
    [[nodiscard]] Id number(const SymExpr& expression) {
        if (expression.is_constant()) return builder_.integer(expression.value());
        if (const auto found = known_.find(expression); found != known_.end()) return found->second;
        const Id made = compute(expression);
        known_.emplace(expression, made);
        return made;
    }
    /// The sizes of a view: where one is unknown, it follows from the others.
    [[nodiscard]] Id sizes(const std::vector<SymExpr>& all) {
        std::size_t dynamic = 0;
        bool is_empty = false;
        for (const SymExpr& each : all) {
            dynamic += each.is_constant() ? 0 : 1;
            is_empty = is_empty || each.is_constant(0);
        }
        const bool follows = dynamic == 1 && !is_empty;
        std::vector<Id> items;
        items.reserve(all.size());
        for (const SymExpr& each : all)
            items.push_back(follows && !each.is_constant() ? builder_.integer(-1) : number(each));
        return builder_.integers(std::move(items));
    }

    /// A function of the runtime over numbers.
    [[nodiscard]] Id call(std::string_view function, std::vector<Id> args) {
        const Id made = builder_.method().add(std::int64_t{0});
        args.push_back(made);
        builder_.call(function, std::move(args));
        return made;
    }

    /// What is computed in a branch is not there behind it.
    struct State;
    [[nodiscard]] State state() const;
    void restore(State state);

private:
    struct Place {
        Id tensor;
        std::int64_t dim;
    };
    struct Derived {
        Place place;  ///< factor * symbol + offset
        std::int64_t factor, offset;
    };

    [[nodiscard]] Id at(Place place) { return call("aten::sym_size.int", {place.tensor, builder_.integer(place.dim)}); }
    [[nodiscard]] Id product_of(const SymTerm& term) {
        Id product = term.coefficient != 1 || term.factors.empty() ? builder_.integer(term.coefficient) : no_value;
        for (const SymFactor& factor : term.factors)
            for (std::int32_t i = 0; i < factor.exponent; ++i) {
                const Id each = number(factor.base);
                product = product == no_value ? each : call("executorch_prim::mul.Scalar", {product, each});
            }
        return product;
    }
    [[nodiscard]] Id compute(const SymExpr& expression);

    MethodBuilder& builder_;
    std::map<SymExpr, Place> places_;
    std::map<std::string, Derived> derived_;
    std::map<SymExpr, Id> known_;
};

struct SizeCode::State {
    std::map<SymExpr, Place> places;
    std::map<std::string, Derived> derived;
    std::map<SymExpr, Id> known;
};
inline SizeCode::State SizeCode::state() const { return {places_, derived_, known_}; }
inline void SizeCode::restore(State state) {
    places_ = std::move(state.places);
    derived_ = std::move(state.derived);
    known_ = std::move(state.known);
}

inline Id SizeCode::compute(const SymExpr& expression) {
    if (const auto found = places_.find(expression); found != places_.end()) return at(found->second);
    const auto& args = expression.args();
    const auto fold = [&](std::string_view function) {
        Id made = number(args[0]);
        for (std::size_t i = 1; i < args.size(); ++i) made = call(function, {made, number(args[i])});
        return made;
    };
    switch (expression.op()) {
        case SymOp::symbol: {
            const auto found = derived_.find(expression.name());
            if (found == derived_.end()) break;
            const Derived& from = found->second;
            Id made = at(from.place);
            if (from.offset != 0) made = call("executorch_prim::sub.Scalar", {made, builder_.integer(from.offset)});
            return from.factor == 1 ? made
                                    : call("executorch_prim::floordiv.Scalar", {made, builder_.integer(from.factor)});
        }
        case SymOp::sum: {
            Id total = expression.value() != 0 ? builder_.integer(expression.value()) : no_value;
            for (const SymTerm& term : expression.terms()) {
                const Id part = product_of(term);
                total = total == no_value ? part : call("executorch_prim::add.Scalar", {total, part});
            }
            return total;
        }
        case SymOp::floor_div: return fold("executorch_prim::floordiv.Scalar");
        case SymOp::mod: return fold("executorch_prim::mod.Scalar");
        case SymOp::min: return fold("executorch_prim::sym_min.Scalar");
        case SymOp::max: return fold("executorch_prim::sym_max.Scalar");
        default: break;
    }
    throw Error(ErrorKind::unsupported, "the size " + to_string(expression) + " cannot be computed in ExecuTorch",
                {.where = {.stage = "emission"}});
}

}  // namespace ferry::executorch
