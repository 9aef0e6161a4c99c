#pragma once

#include "export_backends.hpp"

namespace cli {

/// All commands. Exit codes: 0 done, 1 failed with one message on standard error, 2 wrong usage. Ends the process.
[[noreturn]] void run_program(int argc, char** argv, const ExportBackends& backends);

}  // namespace cli
