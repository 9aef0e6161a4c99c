#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/grouped.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

class GroupedProduct {
public:
    GroupedProduct(Translation& t, std::string_view first, std::string_view second, Ref ends)
        : t_(t), dtype_(t.result_dtype()), a_(t.operand(first, dtype_)), b_(t.operand(second, dtype_)), ends_(ends) {}

    [[nodiscard]] Ref translate() {
        const bool a_is_cut = t_.rank(a_) == 2, b_is_cut = t_.rank(b_) == 2;
        if (!a_is_cut && !b_is_cut) return t_.add("MatMul", {a_, b_});
        const SymExpr groups = t_.sizes(ends_)[0];
        if (!groups.is_constant())
            t_.refuse("groups of rows, but how many varies", "export with a fixed number of them");
        count_ = static_cast<std::size_t>(groups.value());
        // Both cut: along what is summed up. One: along its rows or columns, which are those of the result.
        const auto a = a_is_cut ? cut(a_, b_is_cut ? 1 : 0) : batch(a_);
        const auto b = b_is_cut ? cut(b_, a_is_cut ? 0 : 1) : batch(b_);
        std::vector<Ref> products;
        products.reserve(count_);
        for (std::size_t i = 0; i < count_; ++i) products.push_back(t_.add("MatMul", {a[i], b[i]}));
        if (a_is_cut && b_is_cut) {
            for (Ref& product : products) product = t_.add("Unsqueeze", {product, t_.ints({0})});
            return joined(products, 0);
        }
        const std::int64_t along = a_is_cut ? 0 : 1;
        products.push_back(rest(along));
        return joined(products, along);
    }

private:
    [[nodiscard]] Ref joined(std::vector<Ref> parts, std::int64_t axis) {
        return t_.add("Concat", std::move(parts), {{"axis", axis}});
    }
    [[nodiscard]] std::vector<Ref> batch(Ref matrices) {
        std::vector<Ref> each;
        each.reserve(count_);
        for (std::size_t i = 0; i < count_; ++i)
            each.push_back(t_.add("Gather", {matrices, t_.number(static_cast<std::int64_t>(i), DType::int64)}));
        return each;
    }
    /// The last part is behind the last group.
    [[nodiscard]] std::vector<Ref> cut(Ref matrix, std::int64_t dim) {
        const Ref ends = t_.cast(ends_, DType::int64), size = t_.size(t_.sizes(matrix)[static_cast<std::size_t>(dim)]);
        const Ref starts = joined({t_.ints({0}), ends}, 0);
        const Ref lengths = t_.add("Sub", {joined({ends, size}, 0), starts});
        auto parts = t_.add_many("Split", {matrix, lengths}, {{"axis", dim}}, count_ + 1);
        parts.pop_back();
        return parts;
    }
    /// Zeros where no group is.
    [[nodiscard]] Ref rest(std::int64_t dim) {
        const Sizes& sizes = t_.result_sizes();
        const Ref whole = t_.size(sizes[static_cast<std::size_t>(dim)]),
                  other = t_.size(sizes[static_cast<std::size_t>(1 - dim)]);
        const Ref end = t_.slice(t_.cast(ends_, DType::int64), 0, t_.ints({-1}), t_.ints({to_the_end}));
        const Ref left = t_.add("Sub", {whole, end});
        const Ref shape = dim == 0 ? joined({left, other}, 0) : joined({other, left}, 0);
        return t_.add("Expand", {t_.number(0, dtype_), shape});
    }

    Translation& t_;
    DType dtype_;
    Ref a_;
    Ref b_;
    Ref ends_;
    std::size_t count_ = 0;
};

FERRY_INLINE Ref grouped_mm::translate(Translation& t) {
    if (t.has("bias")) t.refuse("a bias beside groups of rows", "add it to the result");
    return GroupedProduct(t, "self", "mat2", t.optional_tensor("offs")).translate();
}
FERRY_INLINE Ref grouped_mm_fallback::translate(Translation& t) {
    return GroupedProduct(t, "input", "weight", t.tensor("offs")).translate();
}

}  // namespace ferry::onnx::translated
