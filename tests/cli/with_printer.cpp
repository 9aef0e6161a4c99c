// The ferry program with one more backend: all there is to it.
#include "../../examples/cli/export_backends.hpp"
#include "../../examples/cli/program.hpp"
#include "../recipes/printing_backend.hpp"

#include <ferry/recipes/default_exporters.hpp>

int main(int argc, char** argv) {
    using Exporters = ferry::concat_t<ferry::default_exporters, ferry::auto_exporters<printing::PrintExporter>>;
    cli::run_program(argc, argv, cli::backends_of(Exporters{}));
}
