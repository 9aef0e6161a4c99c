#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry generate`: lets a model go on with texts, or what was exported of it.
void add_generate(CLI::App& app);

}  // namespace cli
