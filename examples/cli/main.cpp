// The `ferry` program. One with backends of your own is the same with another list.
#include "export_backends.hpp"
#include "program.hpp"

#include <ferry/recipes/default_exporters.hpp>

int main(int argc, char** argv) { cli::run_program(argc, argv, cli::backends_of(ferry::default_exporters{})); }
