#pragma once

#include <ferry/graph/scalar_types.hpp>
#include <ferry/tree/context.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What is in a .pte file, whoever wrote it.
namespace ferry::executorch {

/// What a method takes or gives.
struct MethodSlot {
    std::string type{};                 ///< "Tensor", "int", "float", "bool", "str", or "None"
    std::optional<DType> dtype{};       ///< of a tensor
    std::vector<std::int64_t> sizes{};  ///< of a tensor; of a dynamic one the largest
    bool is_dynamic = false;
    tree::Context value{};              ///< of a number or text: what it is before the method runs

    friend bool operator==(const MethodSlot&, const MethodSlot&) = default;
};

/// What a method consists of.
struct MethodSummary {
    std::string name{};
    std::vector<MethodSlot> inputs{};
    std::vector<MethodSlot> outputs{};
    std::map<std::string, std::size_t> kernels{};   ///< how often each is called
    std::size_t kernel_calls = 0;
    std::map<std::string, std::size_t> backends{};  ///< how many delegates each has
    std::size_t delegates = 0;
    std::size_t delegated_nodes = 0;                ///< of XNNPACK, in all its delegates
    std::uint64_t planned_bytes = 0;

    /// Whether it computes nothing: what it gives are values.
    [[nodiscard]] bool is_constant() const noexcept {
        return inputs.empty() && !outputs.empty() && kernel_calls == 0 && delegates == 0;
    }

    friend bool operator==(const MethodSummary&, const MethodSummary&) = default;
};

struct FileSummary {
    std::vector<MethodSummary> methods{};
    std::uint64_t data_bytes = 0;  ///< of weights, and of what delegates keep beside the program
};

/// Of a whole file. Nothing in it is trusted: what is no such file, damaged or cut off is an Error.
[[nodiscard]] FileSummary summarize(std::span<const std::byte> file);
[[nodiscard]] FileSummary summarize(const std::filesystem::path& file);
/// Of the first part alone, without the tensors that follow it.
[[nodiscard]] std::vector<MethodSummary> summarize_program(std::span<const std::byte> program);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/summary-inl.hpp>
#endif
