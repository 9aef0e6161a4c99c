#pragma once

#include <ferry/core/error.hpp>

#include <string>

namespace cli {

/// What the command line asks for cannot be done.
[[noreturn]] inline void refuse(const std::string& what, const std::string& hint) {
    throw ferry::Error(ferry::ErrorKind::invalid_input, what, {.hint = hint});
}

}  // namespace cli
