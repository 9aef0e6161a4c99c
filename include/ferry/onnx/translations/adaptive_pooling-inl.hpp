#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/adaptive_pooling.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/pooling-inl.hpp>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

struct Window {
    std::int64_t start = 0;
    std::int64_t end = 0;
};
[[nodiscard]] inline Window adaptive_window(std::int64_t which, std::int64_t count, std::int64_t size) {
    return {which * size / count, ((which + 1) * size + count - 1) / count};
}

/// Which of `size` numbers go into which of `count` averages, and with what weight: numbers by windows.
[[nodiscard]] inline at::Tensor averaging_matrix(std::int64_t size, std::int64_t count) {
    at::Tensor matrix = at::zeros({size, count}, at::TensorOptions(at::kDouble));
    auto* numbers = static_cast<double*>(matrix.mutable_data_ptr());
    for (std::int64_t i = 0; i < count; ++i) {
        const auto [start, end] = adaptive_window(i, count, size);
        for (std::int64_t k = start; k < end; ++k) numbers[k * count + i] = 1.0 / static_cast<double>(end - start);
    }
    return matrix;
}
/// The same of sizes that only a run tells.
inline Ref averaging_matrix(Translation& t, const SymExpr& size, const SymExpr& count, DType dtype) {
    if (size.is_constant() && count.is_constant())
        return t.constant(averaging_matrix(size.value(), count.value()).to(to_c10(dtype)));
    const Ref windows = counted(t, count), one = t.ints({1});
    const Ref starts = t.add("Div", {t.add("Mul", {windows, t.size(size)}), t.size(count)});
    const Ref reach = t.add("Mul", {t.add("Add", {windows, one}), t.size(size)});
    const Ref ends = t.add("Div", {t.add("Add", {reach, t.size(count - SymExpr(1))}), t.size(count)});
    const Ref numbers = t.unsqueeze(counted(t, size), {1});
    const Ref inside = t.add("And", {t.add("GreaterOrEqual", {numbers, starts}), t.add("Less", {numbers, ends})});
    return t.add("Div", {t.cast(inside, dtype), t.cast(t.add("Sub", {ends, starts}), dtype)});
}
/// To one number by its mean; to more by a matrix for each dimension, which is exact whatever the sizes are.
FERRY_INLINE Ref adaptive_avg_pool::translate(Translation& t) {
    Ref value = t.wide_operand("self");
    const std::int64_t last = t.rank(value) - 1;
    for (std::int64_t dim = t.rank(value) - static_cast<std::int64_t>(dims_in_name(t)); dim <= last; ++dim) {
        const auto place = static_cast<std::size_t>(dim);
        const SymExpr size = t.sizes(value)[place], count = t.result_sizes()[place];
        if (size == count) continue;
        if (count.is_constant(1)) {
            Sizes after = t.sizes(value);
            after[place] = 1;
            value = t.with_sizes(t.add("ReduceMean", {value, t.ints({dim})}, {{"keepdims", 1}}), after);
            continue;
        }
        const Ref turned = t.transpose(value, dim, last);
        Sizes pooled = t.sizes(turned);
        pooled.back() = count;
        const Ref product = t.add("MatMul", {turned, averaging_matrix(t, size, count, t.dtype(value))});
        value = t.transpose(t.with_sizes(product, pooled), dim, last);
    }
    return value;
}

/// Windows of equal size are those of a MaxPool. Others are gathered, the shorter ones with their last place once more.
FERRY_INLINE void adaptive_max_pool::translate(Translation& t) {
    const std::size_t spatial = dims_in_name(t);
    const Ref self = t.tensor("self");
    const std::size_t first = t.sizes(self).size() - spatial;
    std::vector<std::int64_t> sizes, counts;
    for (std::size_t i = first; i < first + spatial; ++i) {
        const SymExpr &size = t.sizes(self)[i], &count = t.result_sizes()[i];
        if (!size.is_constant() || !count.is_constant()) return pool_by_slices(t, self, spatial);
        sizes.push_back(size.value());
        counts.push_back(count.value());
    }
    bool is_even = true;
    for (std::size_t i = 0; i < spatial; ++i) is_even = is_even && sizes[i] % counts[i] == 0;
    if (is_even)
        pool_evenly(t, self, sizes, counts);
    else
        pool_by_places(t, self, sizes, counts);
}
/// Dimension by dimension, of sizes that only a run tells.
FERRY_INLINE void adaptive_max_pool::pool_by_slices(Translation& t, Ref value, std::size_t spatial) {
    if (t.is_wanted(1)) t.refuse("the places of the largest numbers in parts of a dimension that varies");
    for (auto dim = t.rank(value) - static_cast<std::int64_t>(spatial); dim < t.rank(value); ++dim) {
        const auto place = static_cast<std::size_t>(dim);
        const SymExpr size = t.sizes(value)[place], count = t.result_sizes()[place];
        if (!count.is_constant()) t.refuse("a pooling to a number of windows that varies", "export with a fixed one");
        std::vector<Ref> windows;
        for (std::int64_t i = 0; i < count.value(); ++i) {
            const SymExpr start = floor_div(size * SymExpr(i), count);
            const SymExpr end = floor_div(size * SymExpr(i + 1) + count - SymExpr(1), count);
            const Ref window = t.slice(value, dim, t.size(start), t.size(end));
            windows.push_back(t.add("ReduceMax", {window, t.ints({dim})}, {{"keepdims", 1}}));
        }
        Sizes after = t.sizes(value);
        after[place] = count;
        value = t.with_sizes(t.add("Concat", std::move(windows), {{"axis", dim}}), std::move(after));
    }
    t.result(value, 0);
}
FERRY_INLINE void adaptive_max_pool::pool_evenly(Translation& t, Ref self, const Lengths& sizes,
                                                 const Lengths& counts) {
    Pooling how{.input = self, .is_batch = t.rank(self) == static_cast<std::int64_t>(sizes.size()) + 2};
    if (!how.is_batch) how.input = t.unsqueeze(self, {0});
    for (std::size_t i = 0; i < sizes.size(); ++i) how.kernel.push_back(sizes[i] / counts[i]);
    how.strides = how.kernel;
    how.fronts = how.backs = Lengths(sizes.size(), 0);
    const auto made = t.add_many("MaxPool", {how.input}, how.attributes(), 2);
    t.result(how.without_batch(t, made[0]), 0);
    t.result(how.without_batch(t, places_in_image(t, made[1], how.input, sizes.size())), 1);
}
/// Of the numbers in each window: windows by places in an image.
FERRY_INLINE at::Tensor adaptive_max_pool::places_in_windows(const Lengths& sizes, const Lengths& counts) {
    at::Tensor places = at::zeros({1, 1}, at::TensorOptions(at::kLong));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::int64_t width = 0;
        for (std::int64_t k = 0; k < counts[i]; ++k) {
            const auto [start, end] = adaptive_window(k, counts[i], sizes[i]);
            width = std::max(width, end - start);
        }
        at::Tensor along = at::empty({counts[i], width}, at::TensorOptions(at::kLong));
        auto* place = static_cast<std::int64_t*>(along.mutable_data_ptr());
        for (std::int64_t k = 0; k < counts[i]; ++k) {
            const auto [start, end] = adaptive_window(k, counts[i], sizes[i]);
            for (std::int64_t j = 0; j < width; ++j) *place++ = std::min(start + j, end - 1);
        }
        places = (places * sizes[i]).unsqueeze(1).unsqueeze(3) + along.unsqueeze(0).unsqueeze(2);
        places = places.reshape({places.size(0) * places.size(1), -1});
    }
    return places;
}
FERRY_INLINE void adaptive_max_pool::pool_by_places(Translation& t, Ref self, const Lengths& sizes,
                                                    const Lengths& counts) {
    Sizes flat(t.sizes(self).begin(), t.sizes(self).end() - static_cast<std::ptrdiff_t>(sizes.size()));
    const auto axis = static_cast<std::int64_t>(flat.size());
    SymExpr area = 1;
    for (const std::int64_t size : sizes) area = area * SymExpr(size);
    flat.push_back(area);
    const at::Tensor places = places_in_windows(sizes, counts);
    const Ref windows = t.add("Gather", {t.reshape(self, flat), t.constant(places)}, {{"axis", axis}});
    const Ref largest = t.add("ReduceMax", {windows, t.ints({-1})}, {{"keepdims", 0}});
    t.result(t.reshape(largest, t.result_sizes(0)), 0);
    if (!t.is_wanted(1)) return;
    const Ref within = t.add("ArgMax", {windows}, {{"axis", -1}, {"keepdims", 0}});
    const Ref starts = t.add("Mul", {counted(t, places.size(0)), t.ints({places.size(1)})});
    const Ref taken = t.add("Gather", {t.constant(places.reshape({-1})), t.add("Add", {within, starts})});
    t.result(t.reshape(taken, t.result_sizes(1)), 1);
}

}  // namespace ferry::onnx::translated
