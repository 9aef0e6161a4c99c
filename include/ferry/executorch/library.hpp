#pragma once

#include <ferry/core/versions.hpp>

#include <ferry_schema/executorch/version.h>

namespace ferry::executorch {

/// The ExecuTorch whose schemas this translation unit is compiled against.
inline constexpr Version library_found = parse_version(ferry_schema::executorch_version);

static_assert(
    library_found >= executorch_library.minimum,
    "ferry: this ExecuTorch is older than Ferry works with; ferry/core/versions.hpp says from which version on");

inline void meet_library() { check_version<executorch_library>(library_found); }

}  // namespace ferry::executorch
