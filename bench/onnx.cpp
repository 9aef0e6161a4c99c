// From a Llama-like module with dynamic batch and sequence to an ONNX file; prints one line of JSON.
#include "llama.hpp"
#include "measure.hpp"

#include <ferry/onnx/exporter.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
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
    const std::filesystem::path file = words[3], weights = std::string(words[3]) + ".data";
    const auto clean = [&] {  // writing over a file takes the disk's time as well, for cp too
        std::filesystem::remove(file);
        std::filesystem::remove(weights);
    };
    bench::measure_after(clean, std::atol(words[4]), [&] {
        const auto exported = ferry::OnnxExporter{}.export_model(model, sample, {.dynamic = true});
        exported.save(file);
        return exported.num_nodes();
    });
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
