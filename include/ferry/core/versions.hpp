#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/log.hpp>

#include <atomic>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace ferry {

struct Version {
    int major = 0;
    int minor = 0;
    int patch = 0;

    friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

[[nodiscard]] inline std::string to_string(const Version& version) {
    return std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' + std::to_string(version.patch);
}

/// Reads "2.12.0", also with something behind it ("2.12.0+cpu", "1.22.0rc1"); what is missing counts as 0.
[[nodiscard]] constexpr Version parse_version(std::string_view text) noexcept {
    Version version;
    std::size_t at = 0;
    for (int* part : {&version.major, &version.minor, &version.patch}) {
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && *part < 1'000'000; ++at)
            *part = *part * 10 + (text[at] - '0');
        if (at == text.size() || text[at] != '.') break;
        ++at;
    }
    return version;
}

/// A library that Ferry stands on: below `minimum` it does not work, and `tested` is what the tests run with.
struct Dependency {
    std::string_view name;
    Version minimum;
    Version tested;
};

inline constexpr Dependency libtorch{"libtorch", {2, 9, 0}, {2, 12, 0}};
inline constexpr Dependency onnx_library{"onnx", {1, 17, 0}, {1, 21, 0}};
inline constexpr Dependency executorch_library{"executorch", {1, 0, 0}, {1, 3, 1}};

namespace detail {

inline void check_version(const Dependency& library, const Version& found, std::atomic<bool>& told) {
    const std::string name(library.name);
    if (found < library.minimum)
        throw Error(ErrorKind::version, name + ' ' + to_string(found) + " is older than Ferry works with",
                    {.hint = "use " + name + ' ' + to_string(library.minimum) + " or newer; tested with " +
                             to_string(library.tested)});
    if (found != library.tested && !told.exchange(true))
        log(LogLevel::warning, "using " + name + ' ' + to_string(found) + ", tested with " + to_string(library.tested));
}

}  // namespace detail

/// Throws when `found` is too old; says once in the process when it is not the tested one.
template <const Dependency& Library>
void check_version(const Version& found) {
    static constinit std::atomic<bool> told{false};
    detail::check_version(Library, found, told);
}

}  // namespace ferry
