#pragma once

#include <ferry/capture/dim.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {

/// How many tokens of a text a method takes at a call: any number that leaves room for one more, or one.
class NewTokens {
public:
    NewTokens(std::int64_t room, bool is_dynamic) : most_(is_dynamic ? room - 1 : 1), count_(is_dynamic ? 3 : 1) {}

    /// Of a sample.
    [[nodiscard]] std::int64_t count() const noexcept { return count_; }
    [[nodiscard]] at::Tensor places() const { return at::arange(count_, at::TensorOptions(at::kLong)); }

    /// Which dimension of which input is that of the tokens.
    [[nodiscard]] DynamicShapes shapes(const std::vector<std::pair<std::string, std::int64_t>>& places) const {
        DynamicShapes made;
        if (most_ > 1)
            for (const auto& [input, dimension] : places)
                made[input].emplace(dimension, Dim("seq_length_dim", 1, most_));
        return made;
    }

private:
    std::int64_t most_, count_;
};

}  // namespace ferry::generation
