#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/detail/python_text.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/graph/sym_range.hpp>
#include <ferry/program/check_guards.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/guard.hpp>
#include <ferry/tree/leaf.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// Whether a program may be called with these leaves; what is wrong is an Error that names the input and what it must be.
void check_inputs(const ExportedProgram& program, const std::vector<Leaf>& leaves);

namespace detail {

[[noreturn]] inline void wrong_input(const InputSpec& input, const std::string& what, std::string hint = {}) {
    throw Error(ErrorKind::invalid_input, what, {.hint = std::move(hint), .where = {.path = input.name}});
}

[[nodiscard]] inline std::string text_of(const Leaf& leaf) {
    if (const auto* integer = leaf.get_if<std::int64_t>()) return std::to_string(*integer);
    if (const auto* real = leaf.get_if<double>()) {
        std::string text;
        append_python(text, *real);
        return text;
    }
    if (const auto* flag = leaf.get_if<bool>()) return *flag ? "true" : "false";
    if (const auto* text = leaf.get_if<std::string>()) return "'" + *text + "'";
    return leaf.is_none() ? "None" : "a tensor";
}

inline void check_constant(const InputSpec& input, const Leaf& leaf) {
    const Leaf fixed = to_leaf(input.argument);
    const bool absent = leaf.is_absent();
    if (fixed.is_none() ? !absent : !(leaf == fixed))
        wrong_input(input, "the export fixed this input to " + text_of(fixed) + ", it is now " + text_of(leaf),
                    "what is no tensor is a constant of the program: export again with the other value");
}

inline void check_tensor(const InputSpec& input, const TensorMeta& meta, const Leaf& leaf) {
    if (!leaf.is_tensor() || !leaf.tensor().defined())
        wrong_input(input, "a tensor is expected, not " + (leaf.is_tensor() ? "an undefined one" : text_of(leaf)));
    const at::Tensor& tensor = leaf.tensor();
    if (static_cast<std::size_t>(tensor.dim()) != meta.sizes.size())
        wrong_input(input, "a tensor of " + std::to_string(meta.sizes.size()) +
                               " dimensions is expected, this one has " + std::to_string(tensor.dim()));
    if (to_dtype(tensor.scalar_type()) != meta.dtype)
        wrong_input(input, "a tensor of " + std::string(info(meta.dtype).torch_name) + " is expected, this one is " +
                               std::string(info(to_dtype(tensor.scalar_type())).torch_name));
}

/// Python lets a size that is a symbol be 0 or 1 even where its export says that it is 2 or more; but 2*s0 is 0 for no size s0.
[[nodiscard]] inline ValueRange checked_range(const ExportedProgram& program, ValueRange range, bool is_symbol) {
    if (program.takes_small_sizes && range.min <= 2)
        range.min = is_symbol ? ValueRange::no_min : std::min<std::int64_t>(range.min, 1);
    return range;
}

}  // namespace detail

inline void check_inputs(const ExportedProgram& program, const std::vector<Leaf>& leaves) {
    const auto& inputs = program.signature.inputs;
    const auto expected_count = algo::count(inputs, InputKind::user_input, &InputSpec::kind);
    if (std::cmp_not_equal(leaves.size(), expected_count))
        throw Error(ErrorKind::invalid_input, "the program takes " + std::to_string(expected_count) + " inputs, " +
                                                  std::to_string(leaves.size()) + " were given");
    constexpr std::size_t itself = SIZE_MAX;  // an input that is an integer
    struct Size {
        [[nodiscard]] std::string text() const { return dim == itself ? "it" : "dimension " + std::to_string(dim); }
        const InputSpec* input;
        std::size_t dim;
        const SymExpr* expected;
        std::int64_t given;
    };
    std::vector<Size> sizes;
    std::size_t at = 0;
    for (const InputSpec& input : inputs) {
        if (input.kind != InputKind::user_input) continue;
        const Leaf& leaf = leaves[at++];
        const auto* value = input.argument.get_if<Value>();
        if (value == nullptr) {
            detail::check_constant(input, leaf);
            continue;
        }
        const ValueInfo& about = program.graph.info(*value);
        if (about.kind == ValueKind::sym_int) {
            const auto* integer = leaf.get_if<std::int64_t>();
            if (integer == nullptr) detail::wrong_input(input, "an integer is expected, not " + detail::text_of(leaf));
            sizes.push_back({&input, itself, &about.symbol, *integer});
            continue;
        }
        const TensorMeta& meta = about.tensor;
        detail::check_tensor(input, meta, leaf);
        for (std::size_t dim = 0; dim < meta.sizes.size(); ++dim)
            sizes.push_back({&input, dim, &meta.sizes[dim], leaf.tensor().size(static_cast<std::int64_t>(dim))});
    }
    // Sizes bind the symbols that they consist of alone; everything else must agree with them.
    SymBindings bindings;
    for (const Size& size : sizes) {
        const auto& [input, dim, expected, given] = size;
        const auto known = as_affine(*expected);
        if (!known || bindings.find(known->symbol) != nullptr) continue;
        const std::string found = size.text() + " is " + std::to_string(given);
        const auto symbol = known->solve(given);
        if (!symbol)
            detail::wrong_input(*input, found + ", which " + to_string(*expected) + " is for no " + known->symbol);
        const ValueRange* range = program.ranges.find(known->symbol);
        if (range != nullptr && !detail::checked_range(program, *range, expected->is_symbol()).contains(*symbol))
            detail::wrong_input(
                *input,
                found +
                    (expected->is_symbol() ? "" : ", so that '" + known->symbol + "' is " + std::to_string(*symbol)) +
                    ", outside " + to_string(*range) + ", the range of '" + known->symbol + "'",
                "export with a range that has this size in it");
        bindings.set(known->symbol, *symbol);
    }
    for (const Size& size : sizes) {
        const auto& [input, dim, expected, given] = size;
        const std::int64_t wanted = evaluate(*expected, bindings);
        if (wanted != given)
            detail::wrong_input(*input,
                                size.text() + " must be " +
                                    (expected->is_constant() ? std::to_string(wanted)
                                                             : to_string(*expected) + " = " + std::to_string(wanted)) +
                                    ", this one is " + std::to_string(given),
                                expected->is_constant() ? "export with this dimension dynamic" : "");
    }
    for (const Guard& guard : program.guards)
        if (is_broken(guard, bindings))
            throw Error(ErrorKind::invalid_input,
                        "the export holds only where " + in_words(guard) + ", which these inputs are not",
                        {.hint = "export again with inputs of such sizes, or change what depends on them"});
}

}  // namespace ferry
