#pragma once

#include "export_backends.hpp"

namespace CLI {
class App;
}

namespace cli {

/// `ferry export`: a model in another format.
void add_export(CLI::App& app, const ExportBackends& backends);

}  // namespace cli
