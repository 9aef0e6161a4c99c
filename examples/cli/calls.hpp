#pragma once

#include <ferry/observe/observer.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/tree/inputs.hpp>

#include <filesystem>
#include <string>
#include <vector>

/// Calls in files: each a .safetensors file with the inputs of one.
namespace cli {

struct CallFiles {
    std::filesystem::path model;  ///< a .pt2 program, a TorchScript module or a checkpoint
    std::vector<std::string> calls;
    std::string missing;  ///< what stands for inputs that a call lacks; may be empty
};

/// Inputs by the paths of their tensors: "past_key_values.keys.0" is in a list of that name.
[[nodiscard]] ferry::Inputs nested_inputs(const ferry::NamedTensors& tensors);

/// Makes the calls.
[[nodiscard]] ferry::InputObserver observe_calls(const CallFiles& files);

}  // namespace cli
