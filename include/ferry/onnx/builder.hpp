#pragma once

#include <ferry/onnx/size_builder.hpp>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// The end of a slice that takes all there is.
inline constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

/// Builds a model: nodes, sizes, and what translations of all families do to tensors.
class Builder : public SizeBuilder {
public:
    using SizeBuilder::SizeBuilder;

    // Views.
    Ref reshape(Ref value, const Sizes& to);
    Ref expand(Ref value, const Sizes& to);
    Ref permute(Ref value, const std::vector<std::int64_t>& order);
    Ref transpose(Ref value, std::int64_t a, std::int64_t b);
    Ref unsqueeze(Ref value, std::vector<std::int64_t> dims);
    Ref squeeze(Ref value, std::vector<std::int64_t> dims);
    /// One dimension from `start` to `end`; the ends as tensors of one element.
    Ref slice(Ref value, std::int64_t dim, Ref start, Ref end, std::int64_t step = 1);
    Ref scalar_of(Ref one_element) { return with_sizes(add("Squeeze", {one_element}), {}); }

    // Complex numbers, as pairs of real ones along a last dimension.
    Ref pair(Ref real, Ref imaginary) {
        return add("Concat", {add("Unsqueeze", {real, ints({-1})}), add("Unsqueeze", {imaginary, ints({-1})})},
                   {{"axis", -1}});
    }
    Ref real_part(Ref pairs) { return part(pairs, 0); }
    Ref imaginary_part(Ref pairs) { return part(pairs, 1); }

private:
    Ref part(Ref pairs, std::int64_t which) {
        const Ref made = add("Gather", {pairs, number(which, DType::int64)}, {{"axis", -1}});
        if (!model()[pairs].sizes) return made;
        return with_sizes(made, Sizes(sizes(pairs).begin(), sizes(pairs).end() - 1));
    }
};

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/builder-inl.hpp>
#endif
