#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ferry {

/// What went wrong, as a program can tell it apart; the message is for people.
enum class ErrorKind {
    invalid_input,  ///< the caller's model, inputs or options
    unsupported,    ///< right in itself, but Ferry or the target format has no way to express it
    bad_file,       ///< a file that is damaged, hostile or of an unknown format version
    io,             ///< the operating system refused to read or write
    version,        ///< a library older than Ferry works with
    internal,       ///< a defect of Ferry itself
};

[[nodiscard]] constexpr std::string_view to_string(ErrorKind kind) noexcept {
    switch (kind) {
        case ErrorKind::invalid_input: return "invalid input";
        case ErrorKind::unsupported: return "unsupported";
        case ErrorKind::bad_file: return "bad file";
        case ErrorKind::io: return "input/output";
        case ErrorKind::version: return "version";
        case ErrorKind::internal: return "internal error";
    }
    return "unknown";
}

/// Where an error happened; whatever is not known stays empty.
struct ErrorPlace {
    std::string stage{};  ///< the pipeline's stage, e.g. "translations"
    std::string op{};     ///< e.g. "aten::add.Tensor"
    std::string path{};   ///< module or tree path, e.g. "model.layers.3.self_attn"

    [[nodiscard]] bool empty() const noexcept { return stage.empty() && op.empty() && path.empty(); }
    friend bool operator==(const ErrorPlace&, const ErrorPlace&) = default;
};

struct ErrorDetails {
    std::string hint{};  ///< what to do about it
    ErrorPlace where{};
};

/// The one exception type that Ferry throws. Copying never throws: exceptions are copied while others unwind.
class Error : public std::exception {
public:
    Error(ErrorKind kind, std::string_view message, ErrorDetails details = {})
        : state_(std::make_shared<const State>(kind, message, std::move(details))) {}

    [[nodiscard]] ErrorKind kind() const noexcept { return state_->kind; }
    [[nodiscard]] const std::string& message() const noexcept { return state_->message; }
    [[nodiscard]] const std::string& hint() const noexcept { return state_->details.hint; }
    [[nodiscard]] const ErrorPlace& where() const noexcept { return state_->details.where; }
    [[nodiscard]] const char* what() const noexcept override { return state_->text.c_str(); }

private:
    struct State {
        State(ErrorKind kind_, std::string_view message_, ErrorDetails details_)
            : kind(kind_), message(message_), details(std::move(details_)), text(compose()) {}

        [[nodiscard]] std::string compose() const {
            std::string composed = "ferry: ";
            composed.append(to_string(kind)).append(": ").append(message);
            const auto& [stage, op, path] = details.where;
            std::string_view separator = " (";
            for (const auto& [label, value] :
                 {std::pair<std::string_view, const std::string&>{"at ", path}, {"op ", op}, {"stage ", stage}}) {
                if (value.empty()) continue;
                composed.append(separator).append(label).append(value);
                separator = ", ";
            }
            if (!details.where.empty()) composed += ')';
            if (!details.hint.empty()) composed.append("\n  hint: ").append(details.hint);
            return composed;
        }

        ErrorKind kind;
        std::string message;
        ErrorDetails details;
        std::string text;
    };

    std::shared_ptr<const State> state_;
};

}  // namespace ferry
