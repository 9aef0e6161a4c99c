#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry run`: runs a model on tensors of a file, with its results in another.
void add_run(CLI::App& app);

}  // namespace cli
