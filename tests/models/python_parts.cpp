// Parts of a generative model that transformers has exported, lowered by Ferry.
#include <ferry/generation/generate.hpp>
#include <ferry/generation/pipeline.hpp>
#include <ferry/pt2/load.hpp>

#include "checkpoints.hpp"
#include "exported_parts.hpp"

#include <doctest/doctest.h>

TEST_CASE("parts that Python has exported generate the same tokens in each runtime") {
    const std::filesystem::path folder = ferry_test::checkpoints("python_parts") / "llama";
    const ferry_test::Expected expected(folder);
    std::map<std::string, ferry::generation::Part> programs, sessions, methods;
    for (const std::string name : {"prefill", "decode"}) {
        const ferry::ExportedProgram program = ferry::load(folder / (name + ".pt2"));
        programs.emplace(name, ferry::generation::part_of(program));
        const std::filesystem::path onnx = folder / (name + ".onnx");
        ferry::OnnxExporter{}.export_program(program).save(onnx);
        sessions.emplace(name, ferry::generation::part_of(std::make_shared<ferry::runtime::OnnxSession>(onnx)));
#ifdef FERRY_RUNS_EXECUTORCH
        const auto session = std::make_shared<ferry::runtime::ExecutorchSession>(
            ferry::ExecutorchExporter{}.export_program(program).buffer());
        methods.emplace(name, ferry::generation::part_of(session, programs.at(name).inputs));
#endif
    }
    for (const auto& parts : {programs, sessions, methods}) {
        if (parts.empty()) continue;
        ferry::generation::Pipeline pipeline(parts);
        CHECK(at::equal(ferry::generate(pipeline, ferry::inputs("input_ids", expected["input_ids"], "attention_mask",
                                                                expected["attention_mask"])),
                        expected["tokens"]));
    }
}
