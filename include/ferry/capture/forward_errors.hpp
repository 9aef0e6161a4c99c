#pragma once

#include <ferry/capture/fake.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/libtorch_errors.hpp>

#include <exception>
#include <string>
#include <string_view>

/// Whatever a model's forward throws leaves an export as an Error that says where it happened.
namespace ferry::capture {

/// Where in forward something went wrong, as far as known.
struct ForwardPlace {
    std::string_view module{};   ///< the last one that was seen at work
    std::string_view last_op{};  ///< what it had called before
};

namespace detail {

/// Of a scripted module only what was thrown, not the interpreter's way there.
[[nodiscard]] inline std::string_view without_script_trace(std::string_view message) {
    if (message.find("TorchScript interpreter") == std::string_view::npos) return message;
    while (message.ends_with('\n') || message.ends_with(' ')) message.remove_suffix(1);
    for (const std::string_view kind : {"\nRuntimeError: ", "\nException: ", "Error: "})
        if (const auto at = message.rfind(kind); at != std::string_view::npos) return message.substr(at + kind.size());
    return message;
}

/// In place of what libtorch says, and what to do about it.
struct Meaning {
    std::string_view message;
    std::string_view hint{};
};

[[nodiscard]] inline Meaning meaning_of(std::string_view message) {
    const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
    if (says(no_data))
        return {
            "it reads the data of a tensor, which has none while a model is captured; compute with tensor operations "
            "instead of data_ptr(), accessor() and the like",
            "print, save and look at values outside of forward"};
    if (says("does not require grad"))
        return {
            message,
            "forward runs without autograd while it is captured: write the derivative with tensor operations, or take "
            "it outside of forward"};
    return {message};
}

}  // namespace detail

/// The Error that stands for what `thrown`, which is none of Ferry's, says.
[[nodiscard]] inline Error forward_error(const std::exception& thrown, const ForwardPlace& place) {
    const std::string all = message_of(thrown);
    const auto [said, hint] = detail::meaning_of(detail::without_script_trace(all));
    std::string message = "forward fails";
    if (!place.last_op.empty()) message.append(", after ").append(place.last_op);
    message.append(": ").append(said);
    return {
        ErrorKind::invalid_input, message, {.hint = std::string(hint), .where = {.path = std::string(place.module)}}};
}

}  // namespace ferry::capture
