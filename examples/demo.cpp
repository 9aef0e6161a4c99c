// What `make demo` shows: a small transformer written in C++, exported with dynamic shapes to every format, and each file run in
// its own runtime at several sizes.
#include "tiny_transformer.hpp"

#include <ferry/core/error.hpp>
#include <ferry/core/stage_table.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/executorch/pipeline.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/onnx/pipeline.hpp>
#include <ferry/program/print.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/safetensors/write.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Something that can run the transformer: logits for inputs.
struct Runtime {
    const char* format;
    const char* name;
    std::function<at::Tensor(const ferry::Inputs&)> run;
};

/// A script of Python's, in a process of its own; tensors go to it and back in files.
[[nodiscard]] at::Tensor run_in_python(const std::string& script, const std::filesystem::path& model,
                                       const ferry::Inputs& inputs) {
    const auto given = model.parent_path() / "inputs.safetensors", result = model.parent_path() / "logits.safetensors";
    ferry::safetensors::save(given, {{"input_ids", inputs.get<at::Tensor>("input_ids")},
                                     {"attention_mask", inputs.get<at::Tensor>("attention_mask")}});
    std::string command = "\"" FERRY_PYTHON "\" -W ignore \"" + script + '"';
    for (const auto& path : {model, given, result}) command += " \"" + path.string() + '"';
    const auto said = model.parent_path() / "said.txt";
    if (std::system((command + " 2> \"" + said.string() + '"').c_str()) != 0)
        throw ferry::Error(ferry::ErrorKind::internal, "Python does not run the file; why stands in " + said.string(),
                           {.where = {.path = model.string()}});
    return ferry::safetensors::load(result).tensors.at(0).second;
}

[[nodiscard]] at::Tensor run_in_onnx_runtime(const ferry::runtime::OnnxSession& session, const ferry::Inputs& inputs) {
    std::vector<at::Tensor> tensors;
    for (const std::string& name : session.input_names()) tensors.push_back(inputs.get<at::Tensor>(name));
    return session.run(tensors).at(0);
}

[[nodiscard]] double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Runs each at sizes of which the export has seen only the first, and says how far it is from the model.
void compare(examples::TinyTransformer& model, const std::vector<Runtime>& runtimes) {
    std::printf("| format | runs in | batch | length | largest difference from the model |\n|---|---|---|---|---|\n");
    double worst = 0;
    for (const Runtime& runtime : runtimes)
        for (const auto& [batch, length] : {std::pair<std::int64_t, std::int64_t>{2, 7}, {3, 19}, {5, 64}}) {
            const ferry::Inputs inputs = make_inputs(batch, length);
            const auto expected =
                model.forward(inputs.get<at::Tensor>("input_ids"), inputs.get<at::Tensor>("attention_mask"));
            const double here = (runtime.run(inputs) - expected).abs().max().item<double>();
            std::printf("| %s | %s | %ld | %ld | %.1e |\n", runtime.format, runtime.name, static_cast<long>(batch),
                        static_cast<long>(length), here);
            worst = std::max(worst, here);
        }
    if (!(worst <= 1e-5)) throw ferry::Error(ferry::ErrorKind::internal, "a file does not compute what the model does");
}

void export_transformer(const std::filesystem::path& folder) {
    torch::manual_seed(0);
    const torch::NoGradGuard no_gradients;
    examples::TinyTransformer model;
    model.eval();

    ferry::ExportedProgram program;
    const double capture = milliseconds(
        [&] { program = ferry::DynamoExporter{}.export_model(model, make_inputs(2, 7), {.dynamic = true}); });
    std::printf("A transformer of two layers, captured with dynamic batch and length in %.0f ms: %zu nodes\n\n",
                capture, program.graph.num_nodes());
    print_part(program.print(), 24);

    const std::filesystem::path pt2 = folder / "transformer.pt2", onnx = folder / "transformer.onnx",
                                pte = folder / "transformer.pte";
    std::printf("%s, written in %.0f ms\n", pt2.c_str(), milliseconds([&] { program.save(pt2); }));
    std::printf("%s, translated and written in %.0f ms\n", onnx.c_str(),
                milliseconds([&] { ferry::OnnxExporter{}.export_program(program).save(onnx); }));
    std::printf("%s, lowered and written in %.0f ms\n\n", pte.c_str(),
                milliseconds([&] { ferry::ExecutorchExporter{}.export_program(program).save(pte); }));

    const ferry::runtime::OnnxSession session(onnx);
    auto here = program.module(), loaded = ferry::load(pt2).module();
    std::vector<Runtime> runtimes{
        {"ExportedProgram", "C++, module()", [&](const auto& inputs) { return here(inputs).leaves.at(0).tensor(); }},
        {".pt2", "C++, ferry::load()", [&](const auto& inputs) { return loaded(inputs).leaves.at(0).tensor(); }}};
    const bool has_python = !std::string_view(FERRY_PYTHON).empty();
    if (has_python)
        runtimes.push_back({".pt2", "Python, torch.export.load()",
                            [&](const auto& inputs) { return run_in_python(FERRY_RUN_PT2, pt2, inputs); }});
    runtimes.push_back(
        {"ONNX", "ONNX Runtime", [&](const auto& inputs) { return run_in_onnx_runtime(session, inputs); }});
    if (has_python)
        runtimes.push_back({".pte", "ExecuTorch's runtime",
                            [&](const auto& inputs) { return run_in_python(FERRY_RUN_PTE, pte, inputs); }});
    compare(model, runtimes);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        print_stages<ferry::dynamo_pipeline>();
        print_stages<ferry::onnx_pipeline>();
        print_stages<ferry::executorch_pipeline>();
        const std::filesystem::path folder = argc > 1 ? argv[1] : "ferry_demo_files";
        std::filesystem::create_directories(folder);
        export_transformer(folder);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
