#pragma once

#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace ferry_test {

struct Tolerance {
    double factor = 1;   ///< of what a dtype's rounding allows
    bool values = true;  ///< false: only sizes, types and nesting are compared
};

/// What is wrong with `found`; empty if nothing is.
[[nodiscard]] std::string difference(const at::Tensor& expected, const at::Tensor& found, const Tolerance& = {});
[[nodiscard]] std::string difference(const ferry::Tree& expected, const ferry::Tree& found, const Tolerance& = {});

/// With the strides of the originals.
[[nodiscard]] ferry::Inputs copy_of(const ferry::Inputs& inputs);

/// Puts a model's tensors back to what they were.
class BufferKeeper {
public:
    explicit BufferKeeper(const ferry::ModelState& state);
    BufferKeeper(const BufferKeeper&) = delete;
    BufferKeeper& operator=(const BufferKeeper&) = delete;
    ~BufferKeeper() { put_back(); }

    void put_back() const;
    /// The tensor and what it was.
    [[nodiscard]] const std::vector<std::pair<at::Tensor, at::Tensor>>& before() const noexcept { return before_; }

private:
    std::vector<std::pair<at::Tensor, at::Tensor>> before_;
};

}  // namespace ferry_test
