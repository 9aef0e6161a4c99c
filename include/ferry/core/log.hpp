#pragma once

#include <atomic>
#include <cstdio>
#include <string_view>

namespace ferry {

enum class LogLevel { info, warning };

/// Where Ferry's messages go. A plain function: a log must work in any thread at any time.
using LogSink = void (*)(LogLevel, std::string_view message);

namespace detail {

inline void log_to_stderr(LogLevel level, std::string_view message) {
    if (level == LogLevel::info) return;
    std::fprintf(stderr, "ferry: warning: %.*s\n", static_cast<int>(message.size()), message.data());
}

inline constinit std::atomic<LogSink> log_sink{&log_to_stderr};

}  // namespace detail

/// Sends messages elsewhere and gives back where they went before. The exporters send them to c10's log.
inline LogSink set_log_sink(LogSink sink) noexcept {
    return detail::log_sink.exchange(sink != nullptr ? sink : &detail::log_to_stderr);
}

inline void log(LogLevel level, std::string_view message) { detail::log_sink.load()(level, message); }

}  // namespace ferry
