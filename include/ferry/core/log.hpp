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

/// Sends messages elsewhere and gives back where they went before; null means standard error.
inline LogSink set_log_sink(LogSink sink) noexcept {
    return detail::log_sink.exchange(sink != nullptr ? sink : &detail::log_to_stderr);
}

/// Takes the sink only if nobody has chosen one. This is how the exporters turn to c10's log.
inline void offer_log_sink(LogSink sink) noexcept {
    LogSink untouched = &detail::log_to_stderr;
    detail::log_sink.compare_exchange_strong(untouched, sink);
}

inline void log(LogLevel level, std::string_view message) { detail::log_sink.load()(level, message); }

}  // namespace ferry
