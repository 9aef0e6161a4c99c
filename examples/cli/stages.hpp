#pragma once

namespace CLI {
class App;
}

namespace cli {

/// `ferry stages BACKEND`: a pipeline's stages and entries, read off its lists.
void add_stages(CLI::App& app);

}  // namespace cli
