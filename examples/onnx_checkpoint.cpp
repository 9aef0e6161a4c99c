// A language model from a folder that transformers' save_pretrained has written: its parts as ONNX files, run in ONNX Runtime.
#include <ferry/models.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <torch/types.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

at::Tensor continued(const std::filesystem::path& checkpoint, const at::Tensor& ids) {
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(checkpoint);
    const ferry::Inputs prompt = ferry::inputs("input_ids", ids, "attention_mask", torch::ones_like(ids));
    std::map<std::string, ferry::generation::Part> parts;
    const ferry::OnnxConfig config{.dynamic = true};
    for (const auto& [name, program] : ferry::export_for_generation(ferry::OnnxExporter{}, model, prompt, config)) {
        program.save(name + ".onnx");  // prefill.onnx, decode.onnx
        parts[name] = ferry::generation::part_of(std::make_shared<ferry::runtime::OnnxSession>(name + ".onnx"));
    }
    ferry::generation::Pipeline pipeline(parts);
    return ferry::generate(pipeline, prompt, {.max_new_tokens = 20});
}

}  // namespace

int main(int count, char** words) try {
    if (count < 3) {
        std::fprintf(stderr, "usage: ferry_onnx_checkpoint FOLDER TOKEN TOKEN ...\n");
        return 2;
    }
    std::vector<std::int64_t> ids;
    for (int i = 2; i < count; ++i) ids.push_back(std::atoll(words[i]));
    const at::Tensor tokens = continued(words[1], torch::tensor(ids).unsqueeze(0));
    for (std::int64_t i = 0; i < tokens.size(1); ++i) std::cout << tokens[0][i].item<std::int64_t>() << ' ';
    std::cout << '\n';
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
