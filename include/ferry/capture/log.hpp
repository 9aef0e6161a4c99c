#pragma once

#include <ferry/core/log.hpp>

#include <c10/util/Logging.h>

#include <string_view>

namespace ferry::capture {

/// Ferry's messages in c10's log, beside libtorch's own: TORCH_CPP_LOG_LEVEL=INFO shows the informative ones too.
inline void log_to_c10(LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) {
        LOG(WARNING) << "ferry: " << message;
    } else {
        LOG(INFO) << "ferry: " << message;
    }
}

}  // namespace ferry::capture
