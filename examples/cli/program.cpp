#include "program.hpp"

#include "export.hpp"
#include "generate.hpp"
#include "inspect.hpp"
#include "run.hpp"
#include "shapes.hpp"
#include "stages.hpp"
#include "verify.hpp"

#include <ferry/core/error.hpp>
#include <ferry/version.hpp>

#include <c10/util/Exception.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

namespace cli {
namespace {

int run(int argc, char** argv, const ExportBackends& backends) {
    CLI::App app{"Ferry exports PyTorch models from C++.", "ferry"};
    app.set_version_flag("--version", std::to_string(FERRY_VERSION_MAJOR) + '.' + std::to_string(FERRY_VERSION_MINOR) +
                                          '.' + std::to_string(FERRY_VERSION_PATCH));
    app.require_subcommand(0, 1);  // none is refused below: CLI11 would not name a misspelt one
    add_export(app, backends);
    add_run(app);
    add_generate(app);
    add_inspect(app);
    add_verify(app);
    add_shapes(app);
    add_stages(app);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const ferry::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    } catch (const c10::Error& error) {
        std::fprintf(stderr, "ferry: libtorch: %s\n", error.what_without_backtrace());
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ferry: %s\n", error.what());
        return 1;
    }
    return 0;
}

}  // namespace

void run_program(int argc, char** argv, const ExportBackends& backends) {
    const int status = run(argc, argv, backends);
    std::cout.flush();
    std::fflush(nullptr);
    // libtorch takes its ops back one by one where a process ends, for as long as a short command takes otherwise.
    std::_Exit(status);
}

}  // namespace cli
