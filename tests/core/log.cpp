#include <ferry/core/log.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace ferry;

namespace {

std::string last;  // a sink is a plain function and can capture nothing

void remember(LogLevel level, std::string_view message) {
    last = (level == LogLevel::warning ? "w:" : "i:") + std::string(message);
}

}  // namespace

TEST_CASE("messages go to the sink that is set, and the one before can be put back") {
    const LogSink before = set_log_sink(&remember);
    log(LogLevel::warning, "careful");
    CHECK(last == "w:careful");
    log(LogLevel::info, "fine");
    CHECK(last == "i:fine");
    CHECK((set_log_sink(before) == &remember));
}

TEST_CASE("no sink means standard error, never a null call") {
    const LogSink before = set_log_sink(nullptr);
    log(LogLevel::info, "not shown");
    CHECK((set_log_sink(before) != nullptr));
}

TEST_CASE("an offered sink is taken only where none was chosen") {
    const LogSink before = set_log_sink(nullptr);
    offer_log_sink(&remember);
    log(LogLevel::warning, "taken");
    CHECK(last == "w:taken");
    set_log_sink([](LogLevel, std::string_view) { last = "chosen"; });
    offer_log_sink(&remember);
    log(LogLevel::warning, "not taken");
    CHECK(last == "chosen");
    set_log_sink(before);
}
