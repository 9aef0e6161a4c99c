#pragma once

#include <ferry/graph/scalar_types.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What is in a program, for people and tools that look at it from outside.
namespace ferry {

struct ValueSummary {
    std::string path{};                           ///< what the user calls it; empty: the only output
    std::string name{};                           ///< what the graph calls it
    std::string type{};                           ///< "Tensor", or Python's word for what else it is
    std::optional<std::size_t> position{};        ///< among the tensors
    std::optional<DType> dtype{};                 ///< of a tensor
    std::optional<std::vector<SymExpr>> shape{};  ///< of a tensor, where it is known
    std::optional<SymExpr> symbol{};              ///< of an integer that may vary
    std::optional<Leaf> value{};                  ///< of what the export has fixed
};

/// Tensors of one kind. Those that share memory count as if they did not.
struct TensorCount {
    std::size_t tensors = 0;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;

    void add(const at::Tensor& tensor) {
        ++tensors;
        elements += static_cast<std::uint64_t>(tensor.numel());
        bytes += static_cast<std::uint64_t>(tensor.numel()) * tensor.element_size();
    }
};

struct WeightSummary {
    TensorCount parameters{}, buffers{}, constants{};
    std::uint64_t bytes = 0;  ///< of all, what is shared once

    void add(TensorCount& kind, const at::Tensor& tensor) {
        kind.add(tensor);
        if (tensor.has_storage() && seen_.insert(tensor.storage().unsafeGetStorageImpl()).second)
            bytes += tensor.storage().nbytes();
    }

private:
    std::set<const void*> seen_;
};

struct ProgramSummary {
    std::vector<ValueSummary> inputs{};
    std::vector<ValueSummary> outputs{};
    std::vector<std::pair<std::string, std::string>> mutations{};  ///< kind, as in the signature, and what is changed
    std::vector<std::pair<std::string, ValueRange>> ranges{};  ///< of dynamic sizes
    std::vector<std::string> guards{};  ///< what else must be true of the sizes
    std::map<std::string, std::size_t> ops{};  ///< how often each is called, in inner graphs too
    WeightSummary weights{};
};

namespace detail {

[[nodiscard]] ValueSummary summarize(const Graph& graph, const Argument& argument, std::size_t& tensors);

}  // namespace detail

[[nodiscard]] ProgramSummary summarize(const ExportedProgram& program);

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/summary-inl.hpp>
#endif
