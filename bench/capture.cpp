// Captures a Llama-like module with dynamic batch and sequence; prints one line of JSON. One configuration per process, so that
// the peak of memory is that of one capture.
#include "llama.hpp"

#include <ferry/dynamo/exporter.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::cerr << "usage: capture (tiny|7b) LAYERS\n";
        return 2;
    }
    llama::Config config{.layers = std::atol(words[2])};
    if (std::string(words[1]) == "7b")
        config = {.layers = config.layers,
                  .hidden = 4096,
                  .inner = 11008,
                  .heads = 32,
                  .key_heads = 32,
                  .vocabulary = 32000,
                  .options = at::TensorOptions(at::kMeta)};
    llama::Model model(config);
    model.eval();
    const torch::NoGradGuard no_gradients;
    std::int64_t parameters = 0;
    for (const auto& parameter : model.parameters()) parameters += parameter.numel();
    const auto sample = ferry::inputs("input_ids", torch::ones({2, 7}, torch::kLong), "attention_mask",
                                      torch::ones({2, 7}, torch::kLong));
    const long before = peak_kilobytes();
    double first = 0, least = 0;
    std::size_t nodes = 0;
    for (int run = 0; run < 4; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const ferry::ExportedProgram program = ferry::DynamoExporter{}.export_model(model, sample, {.dynamic = true});
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        least = run == 0 ? seconds : std::min(least, seconds);
        if (run == 0) first = seconds;
        nodes = program.graph.num_nodes();
        if (program.ranges.size() != 2) {
            std::cerr << "batch and sequence are not dynamic\n";
            return 1;
        }
    }
    std::cout << R"({"first": )" << first << R"(, "least": )" << least << R"(, "nodes": )" << nodes
              << R"(, "parameters": )" << parameters << R"(, "kilobytes": )" << peak_kilobytes()
              << R"(, "kilobytes_before": )" << before << "}\n";
}
