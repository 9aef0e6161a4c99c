#pragma once

#include <ferry/executorch/summary.hpp>
#include <ferry/program/summary.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// What `ferry inspect` shows.
struct Description {
    std::string file{}, format{};
    std::uint64_t bytes = 0;
    std::vector<std::string> methods{}, delegates{};
    ferry::ProgramSummary program{};
    std::vector<ferry::executorch::MethodSummary> executorch{};  ///< of a .pte file
};

[[nodiscard]] std::string to_text(const Description& description);
/// Tools rely on its keys.
[[nodiscard]] std::string to_json(const Description& description);

}  // namespace cli
