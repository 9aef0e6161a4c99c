#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry shapes MODEL --calls CALL...`
void add_shapes(CLI::App& app);

}  // namespace cli
