#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/constants.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::executorch {

FERRY_INLINE Constants::Memory Constants::memory_of(const at::Tensor& tensor) {
    return {tensor.const_data_ptr(), static_cast<std::int64_t>(tensor.itemsize()), tensor.sizes().vec(),
            tensor.strides().vec()};
}

FERRY_INLINE std::vector<std::uint32_t> Constants::add(const Constants& others) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(others.tensors_.size());
    for (std::size_t i = 0; i < others.tensors_.size(); ++i)
        numbers.push_back(add(others.tensors_[i], others.names_[i]));
    return numbers;
}

FERRY_INLINE std::uint32_t Constants::find(const at::Tensor& tensor) const {
    const auto found = by_memory_.find(memory_of(tensor));
    return found != by_memory_.end() ? found->second : 0;
}

FERRY_INLINE std::uint32_t Constants::add(const at::Tensor& given, const std::string& name) {
    constexpr std::size_t small = 256;
    if (given.layout() != c10::kStrided)
        throw Error(ErrorKind::unsupported, "a sparse tensor cannot stand in an ExecuTorch program",
                    {.where = {.path = name}});
    const at::Tensor tensor = given.detach();
    Memory memory = memory_of(tensor);
    if (tensor.numel() != 0)
        if (const auto known = by_memory_.find(memory); known != by_memory_.end()) return known->second;
    const at::Tensor dense = tensor.cpu().resolve_conj().resolve_neg().contiguous();
    const auto number = static_cast<std::uint32_t>(tensors_.size() + 1);
    if (dense.nbytes() <= small) {
        std::string bytes(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes());
        const auto [known, is_new] = by_bytes_.emplace(std::move(bytes), number);
        if (!is_new) return known->second;
    }
    tensors_.push_back(dense);
    const bool is_taken = !name.empty() && !known_names_.insert(name).second;
    names_.push_back(is_taken ? name + "." + std::to_string(number) : name);
    known_names_.insert(names_.back());
    by_memory_.emplace(std::move(memory), number);
    return number;
}

}  // namespace ferry::executorch
