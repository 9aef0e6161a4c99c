#include <ferry/capture/libtorch.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace ferry;

namespace {

std::string last;

}  // namespace

TEST_CASE("the libtorch of the tests is the tested one, so nothing is said") {
    const LogSink before = set_log_sink([](LogLevel, std::string_view message) { last = message; });
    capture::meet_libtorch();
    CHECK(capture::libtorch_found == libtorch.tested);
    CHECK(last.empty());
    set_log_sink(before);
}

TEST_CASE("an export turns messages to c10's log and leaves a user's choice alone") {
    const LogSink before = set_log_sink(nullptr);
    capture::meet_libtorch();
    CHECK((set_log_sink([](LogLevel, std::string_view) {}) == &capture::log_to_c10));
    capture::meet_libtorch();
    CHECK((set_log_sink(before) != &capture::log_to_c10));
}
