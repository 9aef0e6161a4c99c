#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/node.hpp>

#include <c10/util/Exception.h>

#include <exception>
#include <string>
#include <typeinfo>
#include <utility>

namespace ferry {

/// What an exception says, without the backtrace that libtorch's have.
[[nodiscard]] inline std::string message_of(const std::exception& thrown) {
    const auto* of_torch = dynamic_cast<const c10::Error*>(&thrown);
    return of_torch != nullptr ? of_torch->what_without_backtrace() : thrown.what();
}

[[nodiscard]] inline ErrorPlace place_of(const Node* node) {
    if (node == nullptr) return {};
    return {.op = std::string(node->op()), .path = std::string(node->module_path())};
}

/// Runs `body`. What libtorch or the standard library throws there is an Error too, of the node that `running` gives then.
template <class Body, class Running>
decltype(auto) with_our_errors(Body&& body, Running&& running) {
    try {
        return std::forward<Body>(body)();
    } catch (const Error& error) {
        const Node* node = running();
        if (typeid(error) != typeid(Error) || node == nullptr || !error.where().op.empty() ||
            !error.where().path.empty())
            throw;
        ErrorDetails details{.hint = error.hint(), .where = place_of(node)};
        details.where.stage = error.where().stage;
        throw Error(error.kind(), error.message(), std::move(details));
    } catch (const std::exception& thrown) {
        throw Error(ErrorKind::invalid_input, message_of(thrown), {.where = place_of(running())});
    }
}

}  // namespace ferry
