// What `make demo` shows: a small transformer written in C++, captured with dynamic shapes, shown, and run at other sizes.
#include "tiny_transformer.hpp"

#include <ferry/core/error.hpp>
#include <ferry/core/stage_table.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/executorch/pipeline.hpp>
#include <ferry/onnx/pipeline.hpp>
#include <ferry/program/print.hpp>
#include <ferry/tree/inputs.hpp>

#include <torch/types.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace {

template <class Pipeline>
void print_stages() {
    const auto table = ferry::stage_table(ferry::describe_stages<Pipeline>());
    std::printf("Stages of %s\n\n%s\n", std::string(Pipeline::stages::backend).c_str(), table.c_str());
}

[[nodiscard]] ferry::Inputs make_inputs(std::int64_t batch, std::int64_t length) {
    auto mask = torch::ones({batch, length}, torch::kLong);
    mask.index_put_({0, length - 1}, 0);  // the first text is one token shorter
    return ferry::inputs("input_ids", torch::randint(0, 1000, {batch, length}), "attention_mask", mask);
}

void print_part(const std::string& text, int lines) {
    std::size_t end = 0;
    for (int i = 0; i < lines && end != std::string::npos; ++i) end = text.find('\n', end == 0 ? 0 : end + 1);
    std::printf("%.*s\n    ...\n\n", static_cast<int>(end == std::string::npos ? text.size() : end), text.c_str());
}

/// The largest difference between the program and the model at some size.
[[nodiscard]] double difference(examples::TinyTransformer& model, ferry::ProgramModule& program, std::int64_t batch,
                                std::int64_t length) {
    const ferry::Inputs inputs = make_inputs(batch, length);
    const auto expected = model.forward(inputs.get<at::Tensor>("input_ids"), inputs.get<at::Tensor>("attention_mask"));
    return (program(inputs).leaves.at(0).tensor() - expected).abs().max().item<double>();
}

void export_transformer() {
    torch::manual_seed(0);
    const torch::NoGradGuard no_gradients;
    examples::TinyTransformer model;
    model.eval();

    const auto start = std::chrono::steady_clock::now();
    const ferry::ExportedProgram program =
        ferry::DynamoExporter{}.export_model(model, make_inputs(2, 7), {.dynamic = true});
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;

    std::printf("A transformer of two layers, captured with dynamic batch and length in %.0f ms: %zu nodes\n\n",
                taken.count(), program.graph.num_nodes());
    print_part(program.print(), 24);

    auto module = program.module();
    std::printf("| format | batch | length | largest difference from the model |\n|---|---|---|---|\n");
    double worst = 0;
    for (const auto& [batch, length] : {std::pair<std::int64_t, std::int64_t>{2, 7}, {3, 19}, {5, 64}}) {
        const double here = difference(model, module, batch, length);
        std::printf("| ExportedProgram | %ld | %ld | %.1e |\n", static_cast<long>(batch), static_cast<long>(length),
                    here);
        worst = std::max(worst, here);
    }
    if (worst > 1e-5)
        throw ferry::Error(ferry::ErrorKind::internal, "the program does not compute what the model does");
}

}  // namespace

int main() {
    try {
        print_stages<ferry::dynamo_pipeline>();
        print_stages<ferry::onnx_pipeline>();
        print_stages<ferry::executorch_pipeline>();
        export_transformer();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
