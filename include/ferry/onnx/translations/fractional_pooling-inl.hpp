#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/counting-inl.hpp>
#include <ferry/onnx/translations/fractional_pooling.hpp>
#include <ferry/onnx/translations/pooling-inl.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::onnx::translated {

class FractionalPooling {
public:
    explicit FractionalPooling(Translation& t)
        : t_(t),
          spatial_(dims_in_name(t)),
          image_(t.tensor("self")),
          samples_(t.operand("random_samples", t.dtype(t.tensor("self")))),
          kernel_(per_dim(t.integers("kernel_size"), spatial_, 1)) {
        if (t.sizes(image_).size() == spatial_ + 1) image_ = t.unsqueeze(image_, {0});
    }

    void translate() {
        const Sizes sizes = t_.sizes(image_);
        SymExpr area = 1;
        for (std::size_t i = 2; i < sizes.size(); ++i) area = area * sizes[i];
        const Ref places = places_in_windows();
        const SymExpr windows = t_.sizes(places)[2], within = t_.sizes(places)[3];
        const Ref flat = t_.reshape(image_, {sizes[0], sizes[1], area});
        const Ref order = t_.reshape(places, {sizes[0], sizes[1], windows * within});
        const Ref taken = t_.with_sizes(t_.add("GatherElements", {flat, order}, {{"axis", 2}}), t_.sizes(order));
        const Ref numbers = t_.reshape(taken, t_.sizes(places));
        t_.result(t_.reshape(t_.add("ReduceMax", {numbers, t_.ints({3})}, {{"keepdims", 0}}), t_.result_sizes(0)), 0);
        if (!t_.is_wanted(1)) return;
        const Ref best = t_.add("ArgMax", {numbers}, {{"axis", 3}, {"keepdims", 1}});
        t_.result(t_.reshape(t_.add("GatherElements", {places, best}, {{"axis", 3}}), t_.result_sizes(1)), 1);
    }

private:
    /// Images by channels by windows by places in an image.
    [[nodiscard]] Ref places_in_windows() {
        const Sizes sizes = t_.sizes(image_);
        Ref places = t_.filled({sizes[0], sizes[1], 1, 1}, 0, DType::int64);
        SymExpr windows = 1, within = 1;
        for (std::size_t i = 0; i < spatial_; ++i) {
            const SymExpr count = t_.result_sizes()[t_.result_sizes().size() - spatial_ + i];
            const Ref along = t_.add("Add", {t_.unsqueeze(starts(i, count), {3}), counted(t_, kernel_[i])});
            const Ref further = t_.like(t_.add("Mul", {places, t_.size(sizes[i + 2])}), places);
            const Ref all =
                t_.add("Add", {t_.unsqueeze(further, {3, 5}),
                               t_.unsqueeze(t_.with_sizes(along, {sizes[0], sizes[1], count, kernel_[i]}), {2, 4})});
            windows = windows * count;
            within = within * SymExpr(kernel_[i]);
            places = t_.reshape(all, {sizes[0], sizes[1], windows, within});
        }
        return places;
    }

    /// Where the windows along a dimension start; the last one always ends with the image.
    [[nodiscard]] Ref starts(std::size_t dim, const SymExpr& count) {
        const Sizes sizes = t_.sizes(image_);
        const DType dtype = t_.dtype(samples_);
        const std::size_t which = spatial_ == 2 ? 1 - dim : dim;  // torch draws the width of a plane first
        const Ref room = t_.size(sizes[dim + 2] - SymExpr(kernel_[dim]));
        const Ref step = t_.add("Div", {t_.cast(room, dtype), t_.cast(t_.size(count - SymExpr(1)), dtype)});
        const Ref sample = t_.add("Gather", {samples_, t_.ints({static_cast<std::int64_t>(which)})}, {{"axis", 2}});
        const auto whole = [&](Ref number) { return t_.cast(t_.add("Mul", {number, step}), DType::int64); };
        const Ref numbers = counted(t_, count);
        const Ref shifted = whole(t_.add("Add", {t_.cast(numbers, dtype), sample}));
        const Ref is_last = t_.add("Equal", {numbers, t_.size(count - SymExpr(1))});
        const Ref made = t_.add("Where", {is_last, room, t_.add("Sub", {shifted, whole(sample)})});
        return t_.with_sizes(made, {sizes[0], sizes[1], count});
    }

    Translation& t_;
    std::size_t spatial_;
    Ref image_;
    Ref samples_;
    std::vector<std::int64_t> kernel_;
};

FERRY_INLINE void fractional_max_pool::translate(Translation& t) { FractionalPooling(t).translate(); }

}  // namespace ferry::onnx::translated
