#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/value.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/pt2/json.hpp>
#include <ferry/pt2/schema.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::pt2 {

/// Expressions over sizes, with the number that each had in the example: Python wants one for every size but unbacked ones.
class SymbolWriter {
public:
    explicit SymbolWriter(const ExportedProgram& program) : hints_(hints_of(program)) {
        const auto rename = [&](const std::string& name) {
            const std::string written = name_in_python(name);
            if (written != name) renamed_.set(name, SymExpr::symbol(written));
        };
        for (const auto& [name, hint] : hints_) rename(name);
        for (const auto& [name, range] : program.ranges) rename(name);
    }

    [[nodiscard]] Json integer(const SymExpr& a) const {
        if (a.is_constant()) return tagged("as_int", a.value());
        const auto [place, is_new] = written_.try_emplace(a);
        if (is_new) {
            const auto hint = known(a) ? tagged("as_int", evaluate(a, hints_)) : Json();
            place->second = tagged("as_expr", Json{{"expr_str", text(a)}, {"hint", hint}});
        }
        return place->second;
    }
    [[nodiscard]] Json real(const SymExpr& a) const {
        if (a.op() == SymOp::real || a.is_constant()) return tagged("as_float", a.real_value());
        const auto hint = known(a) ? tagged("as_float", evaluate_real(a, hints_)) : Json();
        return tagged("as_expr", Json{{"expr_str", text(a)}, {"hint", hint}});
    }
    [[nodiscard]] Json boolean(const SymExpr& a) const {
        if (a.op() == SymOp::boolean) return tagged("as_bool", a.value() != 0);
        return tagged("as_expr", Json{{"expr_str", text(a)}, {"hint", nullptr}});
    }

    [[nodiscard]] Json tensor(const TensorMeta& meta, const SymExpr& offset = 0) const {
        Json sizes = Json::array(), strides = Json::array();
        for (const SymExpr& size : meta.sizes) sizes.push_back(integer(size));
        if (meta.strides.size() == meta.sizes.size()) {
            for (const SymExpr& stride : meta.strides) strides.push_back(integer(stride));
        } else {
            std::vector<SymExpr> dense(meta.sizes.size(), SymExpr(1));
            for (std::size_t dim = dense.size(); dim-- > 1;) dense[dim - 1] = dense[dim] * meta.sizes[dim];
            for (const SymExpr& stride : dense) strides.push_back(integer(stride));
        }
        Json made = Json::object();
        made.put("dtype", number_of(scalar_types, meta.dtype, "the dtype"));
        made.put("sizes", sizes);
        made.put("requires_grad", meta.requires_grad);
        made.put("device", device(meta.device));
        made.put("strides", strides);
        made.put("storage_offset", integer(offset));
        made.put("layout", number_of(layouts, meta.layout, "the layout"));
        return made;
    }
    [[nodiscard]] static Json device(const Device& device) {
        return Json{{"type", device.type}, {"index", device.index ? Json(*device.index) : Json()}};
    }

    [[nodiscard]] Json ranges(const SymMap<ValueRange>& ranges) const {
        Json made = Json::object();
        for (const auto& [name, range] : ranges)
            made.put(name_in_python(name),
                     Json{{"min_val", range.min == ValueRange::no_min ? Json() : Json(range.min)},
                          {"max_val", range.max == ValueRange::no_max ? Json() : Json(range.max)}});
        return made;
    }

private:
    /// Python takes a symbol's first letters for its kind, and evaluates expressions among the names of their symbols.
    [[nodiscard]] static std::string name_in_python(const std::string& name) {
        constexpr std::array<std::string_view, 14> functions{"Symbol", "Integer", "Float", "Add",     "Mul",
                                                             "Pow",    "Max",     "Min",   "Mod",     "PythonMod",
                                                             "And",    "Or",      "Not",   "FloorDiv"};
        const bool kind = (name.starts_with('u') && !is_unbacked_name(name)) || name.starts_with('z');
        return kind || algo::contains(functions, name) ? "s_" + name : name;
    }

    [[nodiscard]] std::string text(const SymExpr& a) const {
        return to_srepr(renamed_.size() == 0 ? a : substitute(a, renamed_));
    }
    [[nodiscard]] bool known(const SymExpr& a) const {
        return algo::all_of(free_symbols(a), [&](const auto& name) { return hints_.find(name) != nullptr; });
    }

    /// From the example inputs where they are there; a size of which nothing is known is one that its range allows.
    [[nodiscard]] static SymBindings hints_of(const ExportedProgram& program) {
        SymBindings hints = program.hints;
        std::size_t at = 0;
        for (const InputSpec& input : program.signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const std::size_t place = at++;
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr || place >= program.example_inputs.size()) continue;
            const Leaf& leaf = program.example_inputs[place];
            if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
            const auto& sizes = program.graph.info(*value).tensor.sizes;
            for (std::size_t dim = 0; dim < sizes.size() && std::cmp_less(dim, leaf.tensor().dim()); ++dim)
                if (const auto affine = as_affine(sizes[dim]))
                    if (const auto solved = affine->solve(leaf.tensor().size(static_cast<std::int64_t>(dim))))
                        hints.set(affine->symbol, *solved);
        }
        for (const auto& [name, range] : program.ranges)
            if (hints.find(name) == nullptr && !is_unbacked_name(name))
                hints.set(name, std::clamp<std::int64_t>(3, range.min, std::max(range.min, range.max)));
        return hints;
    }

    SymBindings hints_;
    SymMap<SymExpr> renamed_;
    mutable std::map<SymExpr, Json> written_;  // a program has few sizes, each many times
};

}  // namespace ferry::pt2
