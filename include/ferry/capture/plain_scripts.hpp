#pragma once

#include <torch/csrc/jit/python/update_graph_executor_opt.h>

namespace ferry::capture {

/// As long as it lives, TorchScript runs as it is written: its optimiser rewrites a graph from one call to the next, by what it has seen
/// so far. A C++ module may have a scripted one inside.
class PlainScripts {
public:
    PlainScripts() { torch::jit::setGraphExecutorOptimize(false); }
    ~PlainScripts() { torch::jit::setGraphExecutorOptimize(before_); }
    PlainScripts(const PlainScripts&) = delete;
    PlainScripts& operator=(const PlainScripts&) = delete;

private:
    bool before_ = torch::jit::getGraphExecutorOptimize();
};

}  // namespace ferry::capture
