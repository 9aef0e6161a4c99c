#pragma once

#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/sink.hpp>

#include <cstddef>
#include <vector>

namespace ferry::executorch {

/// The bytes of a .pte file: a flatbuffer of ExecuTorch's schema with a header of its own, and behind it the tensors, which are handed
/// on from where they are.
void serialize(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink);
/// The first part of such a file, without the tensors.
[[nodiscard]] std::vector<std::byte> serialize_program(const std::vector<Method>& methods, const SharedData& shared);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/serialize-inl.hpp>
#endif
