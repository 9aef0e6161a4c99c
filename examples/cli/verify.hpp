#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry verify FILE --against MODEL --calls CALL...`
void add_verify(CLI::App& app);

}  // namespace cli
