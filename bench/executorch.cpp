// To ExecuTorch files with XNNPACK: of a Llama-like module with dynamic batch and sequence, or of a program that Python exported; prints one
// line of JSON. Or the memory that a file plans, anybody's.
#include "llama.hpp"
#include "measure.hpp"

#include <ferry/executorch/exporter.hpp>
#include <ferry/executorch/summary.hpp>
#include <ferry/pt2/load.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string_view>

namespace {

const ferry::Dim batch("batch", 1, 8), length("length", 2, 128);

ferry::ExecutorchProgram export_llama(llama::Model& model) {
    const auto sample = ferry::inputs("input_ids", torch::ones({2, 7}, torch::kLong), "attention_mask",
                                      torch::ones({2, 7}, torch::kLong));
    return ferry::ExecutorchExporter{}.export_model(
        model, sample,
        {.dynamic_shapes = {{"input_ids", {{0, batch}, {1, length}}}, {"attention_mask", {{0, batch}, {1, length}}}}});
}

std::int64_t nodes_of(const ferry::ExecutorchProgram& program) {
    const auto method = program.inspect().at(0);
    std::cerr << method.delegates << " delegates with " << method.delegated_nodes << " nodes, " << method.kernel_calls
              << " kernel calls, " << method.planned_bytes << " bytes planned\n";
    return static_cast<std::int64_t>(method.delegated_nodes + method.kernel_calls);
}

}  // namespace

int main(int count, char** words) try {
    if (count == 3 && std::string_view(words[1]) == "planned") {
        std::cout << ferry::executorch::summarize(std::filesystem::path(words[2])).methods.at(0).planned_bytes << '\n';
        return 0;
    }
    if (count != 5) {
        std::cerr << "usage: executorch llama LAYERS FILE RUNS | executorch program FROM FILE RUNS | executorch planned FILE\n";
        return 2;
    }
    const torch::NoGradGuard no_gradients;
    const std::filesystem::path file = words[3];
    const auto clean = [&] { std::filesystem::remove(file); };
    const auto measure = [&](const auto& lower) {
        bench::measure_after(clean, std::atol(words[4]), [&] {
            const ferry::ExecutorchProgram program = lower();
            program.save(file);
            return nodes_of(program);
        });
    };
    if (std::string_view(words[1]) == "llama") {
        llama::Model model({.layers = std::atol(words[2])});
        model.eval();
        measure([&] { return export_llama(model); });
    } else {
        const ferry::ExportedProgram program = ferry::load(words[2]);
        measure([&] { return ferry::ExecutorchExporter{}.export_program(program); });
    }
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
