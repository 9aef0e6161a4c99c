#pragma once

#include <ferry/core/versions.hpp>

#include <onnx/common/version.h>

namespace ferry::onnx {

/// The onnx library that this translation unit is compiled against.
inline constexpr Version library_found = parse_version(::ONNX_NAMESPACE::LAST_RELEASE_VERSION);

static_assert(library_found >= onnx_library.minimum,
              "ferry: this onnx is older than Ferry works with; ferry/core/versions.hpp says from which version on");

inline void meet_library() { check_version<onnx_library>(library_found); }

}  // namespace ferry::onnx
