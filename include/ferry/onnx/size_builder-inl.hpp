#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/onnx/node_builder.hpp>
#include <ferry/onnx/size_builder.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx {

FERRY_INLINE bool SizeBuilder::is_positive(const SymExpr& expression) const {
    return bounds(expression, ranges_).min > 0;
}
FERRY_INLINE bool SizeBuilder::is_size(const SymExpr& expression) const { return bounds(expression, ranges_).min >= 0; }

FERRY_INLINE Ref SizeBuilder::filled(const Sizes& sizes, const c10::Scalar& value, DType dtype) {
    const at::Tensor one = scalar(value, dtype).reshape({1});
    Ref made;
    if (dtype == DType::bfloat16) {
        made = cast(filled(sizes, value, DType::float32), dtype);
    } else {
        made = model().add({.name = {}, .dtype = dtype});
        body().nodes.push_back({.op = "ConstantOfShape",
                                .inputs = {shape(sizes)},
                                .outputs = {made},
                                .attributes = {{"value", one}},
                                .path = path()});
    }
    return with_sizes(made, sizes);
}

FERRY_INLINE void SizeBuilder::know_symbols(Ref value) {
    const auto& known = model()[value].sizes;
    if (!known) return;
    for (std::size_t dim = 0; dim < known->size(); ++dim)
        if (const auto affine = as_affine((*known)[dim]); affine) {
            const SymbolPlace place{value, static_cast<std::int64_t>(dim), affine->factor, affine->offset};
            const auto [found, is_new] = symbols_.try_emplace(affine->symbol, place);
            if (!is_new && place.is_plain() && !found->second.is_plain()) found->second = place;
        }
}

FERRY_INLINE Ref SizeBuilder::size(const SymExpr& expression) {
    if (expression.is_constant()) return ints({expression.value()});
    if (const auto found = known_sizes_.find(expression); found != known_sizes_.end()) return found->second;
    const Ref made = with_sizes(compute_size(expression), {1});
    known_sizes_.emplace(expression, made);
    return made;
}

FERRY_INLINE Ref SizeBuilder::product_of(const SymTerm& term) {
    Ref product;
    const auto multiply = [&](Ref factor) { product = product ? add("Mul", {product, factor}) : factor; };
    for (const SymFactor& factor : term.factors)
        for (std::int32_t i = 0; i < factor.exponent; ++i) multiply(size(factor.base));
    if (term.coefficient != 1) multiply(ints({term.coefficient}));
    return product;
}

FERRY_INLINE Ref SizeBuilder::compute_size(const SymExpr& expression) {
    const auto& args = expression.args();
    switch (expression.op()) {
        case SymOp::symbol: {
            const auto found = symbols_.find(expression.name());
            if (found == symbols_.end()) break;
            const SymbolPlace& at = found->second;
            Ref made = add("Shape", {at.value}, {{"start", at.dim}, {"end", at.dim + 1}});
            if (at.offset != 0) made = add("Sub", {made, ints({at.offset})});
            return at.factor == 1 ? made : add("Div", {made, ints({at.factor})});
        }
        case SymOp::sum: {
            Ref total;
            for (const SymTerm& term : expression.terms()) {
                const Ref part = product_of(term);
                total = total ? add("Add", {total, part}) : part;
            }
            return expression.value() == 0 ? total : add("Add", {total, ints({expression.value()})});
        }
        case SymOp::floor_div: {
            const Ref a = size(args[0]);
            const Ref b = size(args[1]);
            return is_size(args[0]) && is_positive(args[1]) ? add("Div", {a, b}) : floor_div(a, b);
        }
        case SymOp::mod: return add("Mod", {size(args[0]), size(args[1])});
        case SymOp::min:
        case SymOp::max: {
            std::vector<Ref> all;
            all.reserve(args.size());
            for (const SymExpr& arg : args) all.push_back(size(arg));
            return add(expression.op() == SymOp::min ? "Min" : "Max", std::move(all));
        }
        default: break;
    }
    throw Error(ErrorKind::unsupported, "the size " + to_string(expression) + " cannot be computed in ONNX",
                {.where = {.path = std::string(path())}});
}

FERRY_INLINE Ref SizeBuilder::shape(const Sizes& sizes) {
    std::vector<Ref> parts;
    std::vector<std::int64_t> run;
    const auto end_run = [&] {
        if (!run.empty()) parts.push_back(ints(std::exchange(run, {})));
    };
    for (const SymExpr& each : sizes) {
        if (each.is_constant()) {
            run.push_back(each.value());
            continue;
        }
        end_run();
        parts.push_back(size(each));
    }
    end_run();
    if (parts.empty()) return ints({});
    return parts.size() == 1 ? parts[0] : add("Concat", std::move(parts), {{"axis", 0}});
}

}  // namespace ferry::onnx
