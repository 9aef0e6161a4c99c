#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry inspect`: what is in a model's file.
void add_inspect(CLI::App& app);

}  // namespace cli
