#pragma once

#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/onnx/node_builder.hpp>

#include <c10/core/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// Sizes are symbolic expressions, which become nodes only where a run needs them: each once in a graph, from what is known there.
class SizeBuilder : public NodeBuilder {
public:
    SizeBuilder(Model& model, const SymRanges& ranges) : NodeBuilder(model), ranges_(ranges) {}

    // Sizes. A size at run time is an int64 tensor of one element.
    Ref size(const SymExpr& expression);
    Ref shape(const Sizes& sizes);
    /// A value that is this number when the model runs.
    void know_size(const SymExpr& expression, Ref value) { known_sizes_.insert_or_assign(expression, value); }
    /// A value whose sizes say what symbols are.
    void know_symbols(Ref value);
    [[nodiscard]] bool is_positive(const SymExpr& expression) const;
    [[nodiscard]] bool is_size(const SymExpr& expression) const;

    /// A tensor of equal numbers.
    Ref filled(const Sizes& sizes, const c10::Scalar& value, DType dtype);

    // Bodies.
    /// A graph inside of this one. What `fill` adds goes there; sizes that it computes are not known outside.
    template <class Fill>
    BodyRef make_body(std::string name, Fill&& fill) {
        const BodyRef made{static_cast<std::uint32_t>(model().bodies.size())};
        model().bodies.push_back({.name = std::move(name)});
        Knowledge before = knowledge();
        const BodyRef around = enter_body(made);
        fill();
        enter_body(around);
        set_knowledge(std::move(before));
        return made;
    }
    Ref add_body_input(ValueData data) {
        const Ref made = model().add(std::move(data));
        body().inputs.push_back(made);
        know_symbols(made);
        return made;
    }
    /// Under a name of its own: it may be a value of the graphs around.
    void add_body_output(Ref value) { body().outputs.push_back(like(add("Identity", {value}), value)); }

    // Arithmetic on whole numbers as Python has it.
    Ref floor_div(Ref a, Ref b) { return add("Div", {add("Sub", {a, add("Mod", {a, b})}), b}); }

private:
    /// The dimension of a value that is factor * symbol + offset.
    struct SymbolPlace {
        Ref value;
        std::int64_t dim = 0, factor = 1, offset = 0;
        [[nodiscard]] bool is_plain() const noexcept { return factor == 1 && offset == 0; }
    };
    struct Knowledge {
        std::map<SymExpr, Ref> sizes;
        std::map<std::string, SymbolPlace, std::less<>> symbols;
    };
    [[nodiscard]] Knowledge knowledge() const { return {known_sizes_, symbols_}; }
    void set_knowledge(Knowledge&& known) {
        known_sizes_ = std::move(known.sizes);
        symbols_ = std::move(known.symbols);
    }
    [[nodiscard]] Ref compute_size(const SymExpr& expression);
    [[nodiscard]] Ref product_of(const SymTerm& term);

    const SymRanges& ranges_;
    std::map<SymExpr, Ref> known_sizes_;
    std::map<std::string, SymbolPlace, std::less<>> symbols_;
};

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/size_builder-inl.hpp>
#endif
