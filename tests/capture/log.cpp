#include <ferry/capture/log.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <string>

namespace {

/// What a function writes to file descriptor 2, which is where c10 writes whatever the C++ streams are.
template <class Function>
std::string standard_error_of(Function function) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    std::fflush(stderr);
    const int saved = dup(2);
    dup2(fileno(file), 2);
    function();
    std::fflush(stderr);
    dup2(saved, 2);
    close(saved);
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

}  // namespace

TEST_CASE("a warning stands in c10's log, marked as ours") {
    const auto text = standard_error_of([] { ferry::capture::log_to_c10(ferry::LogLevel::warning, "mind the gap"); });
    CHECK(text.find("ferry: mind the gap") != std::string::npos);
    CHECK(text.find("W") != std::string::npos);
}

TEST_CASE("information is quiet unless c10 is told to show it") {
    const auto text = standard_error_of([] { ferry::capture::log_to_c10(ferry::LogLevel::info, "all is well"); });
    CHECK(text.find("all is well") == std::string::npos);
}
