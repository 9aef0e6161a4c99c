#pragma once

#include <ferry/capture/log.hpp>
#include <ferry/core/log.hpp>
#include <ferry/core/versions.hpp>

#include <torch/headeronly/version.h>

namespace ferry::capture {

/// The libtorch that this translation unit is compiled against.
inline constexpr Version libtorch_found{TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH};

static_assert(
    libtorch_found >= libtorch.minimum,
    "ferry: this libtorch is older than Ferry works with; ferry/core/versions.hpp says from which version on");

/// What every export begins with: messages go to c10's log, unless the user has chosen where, and versions are checked.
inline void meet_libtorch() {
    offer_log_sink(&log_to_c10);
    check_version<libtorch>(libtorch_found);
}

}  // namespace ferry::capture
