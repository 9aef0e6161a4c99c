#pragma once

#include <ferry/files/mapped_file.hpp>
#include <ferry/graph/c10_types.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace ferry::files {

/// A flat tensor over bytes of a file, which stays mapped as long as the tensor's memory is in use. `bytes` holds whole elements;
/// where they do not lie at a multiple of their size they are copied.
[[nodiscard]] inline at::Tensor tensor_over(std::span<std::byte> bytes, DType dtype,
                                            const std::shared_ptr<const MappedFile>& file) {
    const auto options = at::TensorOptions(to_c10(dtype));
    const auto count = static_cast<std::int64_t>(bytes.size() / c10::elementSize(to_c10(dtype)));
    if (count == 0) return at::empty({0}, options);
    at::Tensor made = at::from_blob(bytes.data(), {count}, [file](void*) {}, options);
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % c10::elementSize(to_c10(dtype)) == 0;
    return aligned ? made : made.clone();
}

}  // namespace ferry::files
