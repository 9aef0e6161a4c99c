#pragma once

#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/sink.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Weights outside of a .pte file: a .ptd file has them by name, and several programs may use it.
namespace ferry::executorch {

/// Whether a constant stands there: one without a name is part of the program.
[[nodiscard]] inline bool is_external(std::uint32_t constant, const SharedData& shared) {
    return shared.is_external && constant != 0 && !shared.constants.name(constant).empty();
}
/// Under which name a value of a method stands there; empty: it does not. Each way to see a tensor has a name of its own.
[[nodiscard]] std::string external_name(const TensorValue& value, const SharedData& shared);

/// The bytes of a .ptd file.
void serialize_tensors(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/tensor_file-inl.hpp>
#endif
