#pragma once

#include <executorch/runtime/platform/abort.h>
#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/platform.h>

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

namespace ferry::runtime::detail {

/// What the runtime says when something goes wrong. The first that it says is why; what follows is where it gave up.
class RuntimeComplaint {
public:
    static void add(std::string text) {
        const std::lock_guard lock(mutex());
        if (first().empty()) first() = std::move(text);
    }
    [[nodiscard]] static std::string take() {
        const std::lock_guard lock(mutex());
        return std::exchange(first(), {});
    }
    /// From now on. What is no complaint is not heard.
    static void listen() {
        static const bool done = ::executorch::runtime::register_pal(
            {.emit_log_message =
                 [](et_timestamp_t, et_pal_log_level_t level, const char*, const char*, std::size_t,
                    const char* message, std::size_t length) {
                     if (level == kError || level == kFatal) add(std::string(message, length));
                 },
             .source_filename = "ferry"});
        static_cast<void>(done);
    }

private:
    [[nodiscard]] static std::mutex& mutex() {
        static std::mutex made;
        return made;
    }
    [[nodiscard]] static std::string& first() {
        static std::string made;
        return made;
    }
};

}  // namespace ferry::runtime::detail

/// What the runtime's headers call and the library of a Python environment keeps to itself. Weak: a runtime that has them takes its own.
namespace executorch::runtime {

[[gnu::weak, noreturn]] void runtime_abort() { std::abort(); }

namespace internal {

[[gnu::weak]] et_timestamp_t get_log_timestamp() { return 0; }

[[gnu::weak]] void vlogf(LogLevel level, et_timestamp_t, const char*, const char*, std::size_t, const char* format,
                         std::va_list args) {
    if (level < LogLevel::Error) return;
    std::array<char, 512> text{};
    std::vsnprintf(text.data(), text.size(), format, args);
    ferry::runtime::detail::RuntimeComplaint::add(text.data());
}

}  // namespace internal
}  // namespace executorch::runtime
