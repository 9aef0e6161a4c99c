#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/linear_systems.hpp>
#include <ferry/onnx/translations/loop.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

/// The numbers of rows or columns, in the last place or as a column.
struct Numbered {
    Ref rows;
    Ref columns;
};
inline Numbered numbered(Translation& t, Ref matrix) {
    const Sizes& sizes = t.sizes(matrix);
    return {t.unsqueeze(counted(t, sizes[sizes.size() - 2]), {1}), counted(t, sizes.back())};
}
inline Sizes batch_of(Translation& t, Ref matrix) { return {t.sizes(matrix).begin(), t.sizes(matrix).end() - 2}; }
/// A row or a column of a matrix, as a matrix.
inline Ref line(Translation& t, Ref matrix, Ref number, std::int64_t axis) {
    Sizes sizes = t.sizes(matrix);
    *(sizes.end() + axis) = 1;
    const Ref one = t.add("Reshape", {number, t.ints({1})});
    return t.with_sizes(t.add("Gather", {matrix, one}, {{"axis", axis}}), sizes);
}
inline Ref row(Translation& t, Ref matrix, Ref number) { return line(t, matrix, number, -2); }
inline Ref column(Translation& t, Ref matrix, Ref number) { return line(t, matrix, number, -1); }
inline Ref only_where(Translation& t, Ref holds, Ref value) {
    return t.like(t.add("Where", {holds, value, t.number_like(0, value)}), value);
}
inline Ref turned(Translation& t, Ref matrix) { return t.transpose(matrix, t.rank(matrix) - 2, t.rank(matrix) - 1); }

/// What an elimination leaves: the matrix, and for each step the number that was divided by and the row that it came from.
struct Eliminated {
    Ref matrix;
    Ref pivots;
    Ref rows;
};
/// Gauss's, with the largest number of each column brought to the diagonal. All other rows get zeros in that column; or, to keep the factors,
/// the rows below get what they were divided by.
inline Eliminated eliminated(Translation& t, Ref matrix, const SymExpr& steps, bool keeps_factors) {
    const auto [rows, columns] = numbered(t, matrix);
    const auto made = repeated(t, t.size(steps), {matrix}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
        const Ref before = carried[0];
        const Ref sizes_of = t.add("Abs", {column(t, before, step)});
        const Ref candidates =
            t.add("Where", {t.add("GreaterOrEqual", {rows, step}), sizes_of, t.number_like(-1, before)});
        const Ref best = t.add("ArgMax", {candidates}, {{"axis", -2}, {"keepdims", 1}});
        const Ref others = t.add("Where", {t.add("Equal", {rows, best}), step, rows});
        const Ref order = t.add("Where", {t.add("Equal", {rows, step}), best, others});
        const Ref swapped = t.like(
            t.add("GatherElements", {before, t.add("Expand", {order, t.add("Shape", {before})})}, {{"axis", -2}}),
            before);
        const Ref top = row(t, swapped, step), pivot = column(t, top, step);
        const Ref left = column(t, swapped, step);
        Ref after;
        if (keeps_factors) {
            const Ref below = t.add("Greater", {rows, step});
            const Ref usable = t.add("And", {below, t.add("Not", {t.add("Equal", {pivot, t.number_like(0, pivot)})})});
            const Ref factors = only_where(t, usable, t.like(t.add("Div", {left, pivot}), left));
            const Ref behind = only_where(t, t.add("Greater", {columns, step}), top);
            const Ref reduced = t.add("Sub", {swapped, t.add("Mul", {factors, behind})});
            const Ref here = t.add("And", {usable, t.add("Equal", {columns, step})});
            after = t.add("Where", {here, factors, reduced});
        } else {
            const Ref unit = t.add("Div", {top, pivot});
            const Ref reduced = t.add("Sub", {swapped, t.add("Mul", {left, unit})});
            after = t.add("Where", {t.add("Equal", {rows, step}), unit, reduced});
        }
        return {.carried = {after}, .collected = {pivot, best}};
    });
    Sizes of_steps = batch_of(t, matrix);
    of_steps.insert(of_steps.begin(), steps);
    const auto as_lines = [&](Ref collected) { return t.reshape(collected, of_steps); };
    return {made[0], as_lines(made[1]), as_lines(made[2])};
}
/// The number of the first step that failed, counted from one, or zero.
inline Ref first_failure(Translation& t, Ref failed, const SymExpr& steps) {
    const Ref numbers = t.add("Sub", {t.size(steps), counted(t, steps)});
    std::vector<std::int64_t> behind;
    for (std::int64_t i = 1; i < t.rank(failed); ++i) behind.push_back(i);
    const Ref heights =
        t.add("Where", {failed, t.unsqueeze(t.with_sizes(numbers, {steps}), behind), t.number(0, DType::int64)});
    const Ref highest = t.add("ReduceMax", {heights, t.ints({0})}, {{"keepdims", 0}});
    const Ref found = t.add("Sub", {t.scalar_of(t.size(steps + SymExpr(1))), highest});
    return t.add("Where", {t.add("Equal", {highest, t.number(0, DType::int64)}), t.number(0, DType::int64), found});
}
inline Ref zero_pivot(Translation& t, Ref pivots) {
    return first_failure(t, t.like(t.add("Equal", {pivots, t.number_like(0, pivots)}), pivots), t.sizes(pivots)[0]);
}

/// x of matrix * x = wanted, by an elimination of both side by side.
struct Solved {
    Ref x;
    Ref pivots;
};
inline Solved solved(Translation& t, Ref matrix, Ref wanted) {
    const Sizes matrix_sizes = t.sizes(matrix), wanted_sizes = t.sizes(wanted);
    const SymExpr &count = matrix_sizes.back(), &width = wanted_sizes.back();
    Sizes both = matrix_sizes;
    both.back() = count + width;
    const Eliminated found = eliminated(t, t.with_sizes(t.add("Concat", {matrix, wanted}, {{"axis", -1}}), both), count,
                                        /*keeps_factors=*/false);
    const Ref x = t.slice(found.matrix, t.rank(matrix) - 1, t.size(count), t.ints({to_the_end}));
    return {t.with_sizes(x, wanted_sizes), found.pivots};
}
/// Ones on the diagonal.
inline Ref unit_matrix(Translation& t, const Sizes& sizes, DType dtype) {
    const Ref matrix = t.filled(sizes, 0, dtype);
    const auto [rows, columns] = numbered(t, matrix);
    return t.like(t.add("Where", {t.add("Equal", {rows, columns}), t.number(1, dtype), matrix}), matrix);
}

FERRY_INLINE void inverse::translate(Translation& t) {
    const Ref matrix = t.tensor("A");
    const Solved found = solved(t, matrix, unit_matrix(t, t.sizes(matrix), t.dtype(matrix)));
    t.result(found.x, 0);
    if (t.is_wanted(1)) t.result(zero_pivot(t, found.pivots), 1);
}
/// x * matrix = wanted is the same of what is turned.
FERRY_INLINE void solution::translate(Translation& t) {
    if (t.is_wanted(1) || t.is_wanted(2)) t.refuse("the factors that a system is solved by are used");
    const bool is_vector = t.result_rank() < t.rank(t.tensor("A"));
    const bool is_left = t.flag("left");
    Ref matrix = t.tensor("A"), wanted = t.tensor("B");
    if (is_vector) wanted = t.unsqueeze(wanted, {t.rank(wanted)});
    Sizes sizes = t.result_sizes();
    if (is_vector) sizes.emplace_back(1);
    Sizes of_matrix = sizes;
    of_matrix.end()[-2] = of_matrix.back() = t.sizes(matrix).back();
    matrix = t.expand(matrix, of_matrix);
    wanted = t.expand(wanted, sizes);
    const Solved found =
        is_left || is_vector ? solved(t, matrix, wanted) : solved(t, turned(t, matrix), turned(t, wanted));
    const Ref x = is_left || is_vector ? found.x : turned(t, found.x);
    t.result(is_vector ? t.squeeze(x, {t.rank(x) - 1}) : x, 0);
    if (t.is_wanted(3)) t.result(zero_pivot(t, found.pivots), 3);
}
FERRY_INLINE void lu_factors::translate(Translation& t) {
    if (!t.flag("pivot")) t.refuse("factors without an exchange of rows");
    const Ref matrix = t.tensor("A");
    const SymExpr steps = t.result_sizes(1).back();
    const Eliminated found = eliminated(t, matrix, steps, /*keeps_factors=*/true);
    t.result(found.matrix, 0);
    const std::int64_t batch = t.rank(matrix) - 2;
    std::vector<std::int64_t> order;
    for (std::int64_t i = 1; i <= batch; ++i) order.push_back(i);
    order.push_back(0);
    t.result(t.add("Add", {t.permute(found.rows, order), t.number(1, DType::int64)}), 1);
    if (t.is_wanted(2)) t.result(zero_pivot(t, found.pivots), 2);
}
/// Each exchange of rows turns the sign around.
FERRY_INLINE void signed_log_determinant::translate(Translation& t) {
    if (t.is_wanted(2) || t.is_wanted(3)) t.refuse("the factors that a determinant is computed by are used");
    const Ref matrix = t.tensor("A");
    const SymExpr steps = t.sizes(matrix).back();
    const Eliminated found = eliminated(t, matrix, steps, /*keeps_factors=*/true);
    const auto over_steps = [&](std::string_view op, Ref value) {
        return t.add(op, {value, t.ints({0})}, {{"keepdims", 0}});
    };
    std::vector<std::int64_t> behind;
    for (std::int64_t i = 1; i < t.rank(found.rows); ++i) behind.push_back(i);
    const Ref stayed = t.add("Equal", {found.rows, t.unsqueeze(counted(t, steps), behind)});
    const Ref turns = t.add("Where", {stayed, t.number_like(1, found.pivots), t.number_like(-1, found.pivots)});
    t.result(over_steps("ReduceProd", t.add("Mul", {turns, t.add("Sign", {found.pivots})})), 0);
    t.result(over_steps("ReduceSum", t.add("Log", {t.add("Abs", {found.pivots})})), 1);
}
/// Column by column; each takes its own part off what is left. Only one half of the matrix is looked at.
FERRY_INLINE void cholesky::translate(Translation& t) {
    const bool is_upper = t.flag("upper");
    const Ref matrix = is_upper ? turned(t, t.tensor("self")) : t.tensor("self");
    const SymExpr steps = t.sizes(matrix).back();
    const Ref rows = numbered(t, matrix).rows;
    const auto made = repeated(t, t.size(steps), {matrix}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
        const Ref left = column(t, carried[0], step), pivot = row(t, left, step);
        const Ref scaled = t.like(t.add("Div", {left, t.add("Sqrt", {pivot})}), left);
        const Ref factor = only_where(t, t.add("GreaterOrEqual", {rows, step}), scaled);
        const Ref after = t.add("Sub", {carried[0], t.add("Mul", {factor, turned(t, factor)})});
        return {.carried = {after}, .collected = {factor, pivot}};
    });
    Sizes lines = batch_of(t, matrix);
    lines.insert(lines.begin(), steps);
    const Ref pivots = t.reshape(made[2], lines);
    lines.push_back(steps);
    const Ref factors = t.reshape(made[1], lines);
    std::vector<std::int64_t> order;
    for (std::int64_t i = 1; i < t.rank(factors); ++i) order.push_back(i);
    order.insert(is_upper ? order.end() - 1 : order.end(), 0);
    t.result(t.permute(factors, order), 0);
    if (!t.is_wanted(1)) return;
    const Ref is_good = t.add("Greater", {pivots, t.number_like(0, pivots)});
    t.result(first_failure(t, t.like(t.add("Not", {is_good}), pivots), steps), 1);
}

/// One row after the other, from the top or from the bottom; each is taken off the rows that come later.
inline Ref triangular_solution(Translation& t, Ref matrix, Ref wanted, bool is_upper, bool has_unit_diagonal) {
    const SymExpr count = t.sizes(matrix).back();
    const Ref rows = numbered(t, matrix).rows;
    const Ref last = t.scalar_of(t.size(count - SymExpr(1)));
    return repeated(t, t.size(count), {wanted}, [&](Ref step, const std::vector<Ref>& carried) -> LoopStep {
        const Ref number = is_upper ? t.with_sizes(t.add("Sub", {last, step}), {}) : step;
        const Ref left = column(t, matrix, number), here = row(t, carried[0], number);
        const Ref known = has_unit_diagonal ? here : t.add("Div", {here, row(t, left, number)});
        const Ref later = only_where(t, t.add(is_upper ? "Less" : "Greater", {rows, number}), left);
        const Ref reduced = t.add("Sub", {carried[0], t.add("Mul", {later, known})});
        return {.carried = {t.add("Where", {t.add("Equal", {rows, number}), known, reduced})}, .collected = {}};
    })[0];
}
FERRY_INLINE Ref solve_triangular::translate(Translation& t) {
    const bool is_left = t.flag("left"), is_upper = t.flag("upper");
    Ref matrix = t.tensor("self");
    const Ref wanted = t.expand(t.tensor("B"), t.result_sizes());
    Sizes of_matrix = t.result_sizes();
    of_matrix.end()[-2] = of_matrix.back() = t.sizes(matrix).back();
    matrix = t.expand(matrix, of_matrix);
    if (is_left) return triangular_solution(t, matrix, wanted, is_upper, t.flag("unitriangular"));
    return turned(t, triangular_solution(t, turned(t, matrix), turned(t, wanted), !is_upper, t.flag("unitriangular")));
}
/// Of a matrix whose factor is given: two triangles one after the other.
FERRY_INLINE Ref cholesky_solve::translate(Translation& t) {
    const bool is_upper = t.flag("upper");
    Ref factor = t.tensor("input2");
    const Ref wanted = t.expand(t.tensor("self"), t.result_sizes());
    Sizes of_factor = t.result_sizes();
    of_factor.back() = t.sizes(factor).back();
    factor = t.expand(factor, of_factor);
    const Ref lower = is_upper ? turned(t, factor) : factor, upper = is_upper ? factor : turned(t, factor);
    return triangular_solution(t, upper, triangular_solution(t, lower, wanted, false, false), true, false);
}

}  // namespace ferry::onnx::translated
