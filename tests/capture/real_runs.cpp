#include <ferry/capture/real_runs.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <doctest/doctest.h>

namespace {

struct Said {
    ferry::LogLevel level;
    std::string message;
};
std::optional<Said> said;

struct Listening {
    ferry::LogSink before = ferry::set_log_sink(
        [](ferry::LogLevel level, std::string_view message) { said = Said{level, std::string(message)}; });
    ~Listening() { ferry::set_log_sink(before); }
};

}  // namespace

TEST_CASE("real runs are said when the capture is over, the longest first") {
    const Listening listening;
    said.reset();
    {
        ferry::capture::RealRuns runs;
        runs.measure("my::quick", [] {});
        runs.measure("my::slow", [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
        runs.measure("my::slow", [] {});
        CHECK(!said);
    }
    REQUIRE(said);
    const std::string& message = said->message;
    CHECK(message.find("my::slow (2 times, ") < message.find("my::quick (1 times, "));
    CHECK(message.find("ferry::fakes<my_fake>") != std::string::npos);
}

TEST_CASE("much time is a warning, little is information, none is nothing") {
    const Listening listening;
    said.reset();
    {
        const ferry::capture::RealRuns none;
    }
    CHECK(!said);
    {
        ferry::capture::RealRuns runs;
        runs.measure("my::op", [] {});
    }
    REQUIRE(said);
    CHECK(said->level == ferry::LogLevel::info);
    {
        ferry::capture::RealRuns runs;
        runs.measure("my::op", [] { std::this_thread::sleep_for(ferry::capture::RealRuns::too_much * 1.2); });
    }
    CHECK(said->level == ferry::LogLevel::warning);
}

TEST_CASE("an op that refuses its arguments has not run") {
    const Listening listening;
    said.reset();
    {
        ferry::capture::RealRuns runs;
        CHECK_THROWS(runs.measure("my::op", [] { throw 1; }));
    }
    CHECK(!said);
}
