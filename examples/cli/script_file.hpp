#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/fwd.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/summary.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cli {

/// A TorchScript module. Only this file's source includes torch::jit and the exporter.
class ScriptFile {
public:
    explicit ScriptFile(const std::filesystem::path& path);
    ScriptFile(const ScriptFile&) = delete;
    ScriptFile& operator=(const ScriptFile&) = delete;
    ~ScriptFile();

    [[nodiscard]] ferry::ExportedProgram capture(const ferry::NamedTensors& inputs, const ferry::DynamoConfig& config);
    /// The tensors among the outputs.
    [[nodiscard]] std::vector<at::Tensor> run(const ferry::NamedTensors& inputs);
    /// Makes these calls.
    void observe(const std::vector<ferry::NamedTensors>& calls, ferry::InputObserver& observer);
    [[nodiscard]] ferry::ProgramSummary summary() const;
    [[nodiscard]] std::vector<std::string> methods() const;

private:
    struct Module;
    std::unique_ptr<Module> module_;
};

}  // namespace cli
