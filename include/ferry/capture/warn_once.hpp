#pragma once

#include <c10/util/Exception.h>

#include <set>
#include <string>

namespace ferry::capture {

/// A capture runs a model many times; what it warns of is said once. As long as this lives, on its thread.
class WarnOnce final : c10::WarningHandler {
public:
    WarnOnce() = default;
    WarnOnce(const WarnOnce&) = delete;
    WarnOnce& operator=(const WarnOnce&) = delete;

private:
    void process(const c10::Warning& warning) override {
        if (said_.insert(warning.msg()).second) others_->process(warning);
    }

    std::set<std::string> said_;
    c10::WarningHandler* others_ = c10::WarningUtils::get_warning_handler();
    c10::WarningUtils::WarningHandlerGuard guard_{this};
};

}  // namespace ferry::capture
