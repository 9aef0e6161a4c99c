// From a Llama-like module with dynamic batch and sequence to an ONNX file; prints one line of JSON.
#include "llama.hpp"
#include "measure.hpp"

#include <ferry/onnx/exporter.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

int main(int count, char** words) try {
    if (count != 5) {
        std::cerr << "usage: onnx LAYERS HIDDEN FILE RUNS\n";
        return 2;
    }
    llama::Config config{.layers = std::atol(words[1])};
    if (const auto hidden = std::atol(words[2]); hidden != 0) {
        config.hidden = hidden;
        config.inner = 4 * hidden;
        config.heads = config.key_heads = hidden / 128;
    }
    llama::Model model(config);
    model.eval();
    const torch::NoGradGuard no_gradients;
    const auto sample = ferry::inputs("input_ids", torch::ones({2, 7}, torch::kLong), "attention_mask",
                                      torch::ones({2, 7}, torch::kLong));
    bench::measure(std::atol(words[4]), [&] {
        const auto exported = ferry::OnnxExporter{}.export_model(model, sample, {.dynamic = true});
        exported.save(words[3]);
        return exported.num_nodes();
    });
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
