#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ferry::executorch {

/// Tensors that stand in a file, each once: those that share their memory, and small ones that are equal, are one. They are not copied
/// before they are written, unless their elements are out of order.
class Constants {
public:
    /// The number of a tensor's bytes, from 1 on. Numbers of a graph have no name.
    [[nodiscard]] std::uint32_t add(const at::Tensor& tensor, const std::string& name);
    /// All of others; the number that each has here.
    [[nodiscard]] std::vector<std::uint32_t> add(const Constants& others);
    /// The number of a tensor that shares its memory, or 0.
    [[nodiscard]] std::uint32_t find(const at::Tensor& tensor) const;
    [[nodiscard]] const std::vector<at::Tensor>& tensors() const noexcept { return tensors_; }
    /// Of no other tensor here; empty: it has none.
    [[nodiscard]] const std::string& name(std::uint32_t number) const { return names_.at(number - 1); }

private:
    /// Where a tensor lies and how.
    using Memory = std::tuple<const void*, std::int64_t, std::vector<std::int64_t>, std::vector<std::int64_t>>;

    [[nodiscard]] static Memory memory_of(const at::Tensor& tensor);

    std::vector<at::Tensor> tensors_;
    std::vector<std::string> names_;
    std::set<std::string> known_names_;
    std::map<Memory, std::uint32_t> by_memory_;
    std::map<std::string, std::uint32_t> by_bytes_;
};

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/constants-inl.hpp>
#endif
