// Captures a Llama-like module with dynamic batch and sequence; prints one line of JSON. One configuration per process, so that
// the peak of memory is that of one capture.
#include "llama.hpp"
#include "measure.hpp"

#include <ferry/dynamo/exporter.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

int main(int count, char** words) try {
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
    bench::measure(
        4,
        [&] {
            const ferry::ExportedProgram program =
                ferry::DynamoExporter{}.export_model(model, sample, {.dynamic = true});
            if (program.ranges.size() != 2) throw std::runtime_error("batch and sequence are not dynamic");
            return program.graph.num_nodes();
        },
        R"(, "parameters": )" + std::to_string(parameters));
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
