#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry export`: a model in another format.
void add_export(CLI::App& app);

}  // namespace cli
