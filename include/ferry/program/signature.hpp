#pragma once

#include <ferry/graph/argument.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Which inputs and outputs of a graph are the user's and which are the model's state: torch.export's kinds and words.
namespace ferry {

enum class InputKind : std::uint8_t { user_input, parameter, buffer, constant_tensor, custom_object, token };
enum class OutputKind : std::uint8_t {
    user_output,
    loss_output,
    buffer_mutation,
    parameter_mutation,
    user_input_mutation,
    token
};

[[nodiscard]] constexpr std::string_view to_string(InputKind kind) noexcept {
    constexpr std::string_view names[] = {"USER_INPUT",      "PARAMETER",  "BUFFER",
                                          "CONSTANT_TENSOR", "CUSTOM_OBJ", "TOKEN"};
    return names[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::string_view to_string(OutputKind kind) noexcept {
    constexpr std::string_view names[] = {"USER_OUTPUT",        "LOSS_OUTPUT",         "BUFFER_MUTATION",
                                          "PARAMETER_MUTATION", "USER_INPUT_MUTATION", "TOKEN"};
    return names[static_cast<std::size_t>(kind)];
}

struct InputSpec {
    InputKind kind = InputKind::user_input;
    Argument argument{};       ///< a value of the graph, or the constant that a user's number or string is fixed to
    std::string name{};        ///< what the graph calls it
    std::string target{};      ///< name of the parameter, buffer or constant
    bool persistent = true;    ///< a buffer that is part of the state dict
};

struct OutputSpec {
    OutputKind kind = OutputKind::user_output;
    Argument argument{};
    std::string target{};  ///< what is mutated
};

struct GraphSignature {
    std::vector<InputSpec> inputs{};
    std::vector<OutputSpec> outputs{};
};

}  // namespace ferry
