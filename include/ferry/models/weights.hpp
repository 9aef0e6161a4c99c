#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::models {

namespace detail {

class WeightStore;

}  // namespace detail

/// The tensors of a checkpoint, from which modules are made. `weights / "mlp"` are those whose names begin with "mlp."; what is missing
/// or has other sizes is told all at once, by finish().
class Weights {
public:
    explicit Weights(std::shared_ptr<detail::WeightStore> store, std::string prefix = {})
        : store_(std::move(store)), prefix_(std::move(prefix)) {}

    [[nodiscard]] Weights operator/(std::string_view name) const;
    [[nodiscard]] Weights operator/(std::int64_t index) const { return *this / std::to_string(index); }

    /// A tensor of these sizes. Its memory is the file's, unless another dtype was wanted.
    [[nodiscard]] at::Tensor take(std::string_view name, at::IntArrayRef sizes) const;
    [[nodiscard]] bool has(std::string_view name) const;
    /// Tensors of these names may be there, and are not needed.
    void ignore(std::string_view name) const;
    /// Throws for tensors that are missing, have other sizes or belong to nothing.
    void finish() const;

private:
    [[nodiscard]] std::string full(std::string_view name) const;

    std::shared_ptr<detail::WeightStore> store_;
    std::string prefix_;
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/weights-inl.hpp>
#endif
