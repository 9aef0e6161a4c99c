// The parts of a language model from a checkpoint, prefill and decode with dynamic sizes, to files of one format; prints one line of JSON.
#include "measure.hpp"

#include <ferry/dynamo/exporter.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/models.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/pt2/save.hpp>

#include <torch/types.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

namespace {

/// How many parts were written.
template <class Exporter, class Config>
std::size_t write_parts(const std::filesystem::path& checkpoint, const std::filesystem::path& folder, const Config& config,
                        const std::string& suffix) {
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(checkpoint);
    const at::Tensor ids = torch::ones({2, 7}, torch::kLong);
    const auto parts = ferry::export_for_generation(
        Exporter{}, model, ferry::inputs("input_ids", ids, "attention_mask", ids), config);
    for (const auto& [name, part] : parts) part.save(folder / (name + suffix));
    return parts.size();
}

}  // namespace

int main(int count, char** words) try {
    if (count != 5) {
        std::cerr << "usage: generation dynamo|onnx|executorch CHECKPOINT FOLDER RUNS\n";
        return 2;
    }
    const torch::NoGradGuard no_gradients;
    const std::string_view format = words[1];
    const std::filesystem::path checkpoint = words[2], folder = words[3];
    const auto clean = [&] {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    };
    bench::measure_after(clean, std::atol(words[4]), [&] {
        if (format == "dynamo")
            return write_parts<ferry::DynamoExporter<>>(checkpoint, folder, ferry::DynamoConfig{.dynamic = true}, ".pt2");
        if (format == "onnx")
            return write_parts<ferry::OnnxExporter<>>(checkpoint, folder, ferry::OnnxConfig{.dynamic = true}, ".onnx");
        return write_parts<ferry::ExecutorchExporter<>>(checkpoint, folder, ferry::ExecutorchConfig{.dynamic = true}, ".pte");
    });
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
