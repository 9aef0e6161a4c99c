#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/node.hpp>

#include <c10/util/Exception.h>

#include <exception>
#include <string>
#include <typeinfo>
#include <utility>

namespace ferry {

[[nodiscard]] inline ErrorPlace place_of(const Node* node) {
    if (node == nullptr) return {};
    return {.op = std::string(node->op()), .path = std::string(node->module_path())};
}

/// Runs `body`. What libtorch or the standard library throws there is an Error too, of the node that `running` gives then.
template <class Body, class Running>
decltype(auto) with_our_errors(Body&& body, Running&& running) {
    const auto throw_as_ours = [&](std::string message) {
        throw Error(ErrorKind::invalid_input, std::move(message), {.where = place_of(running())});
    };
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
    } catch (const c10::Error& error) {
        throw_as_ours(error.what_without_backtrace());
    } catch (const std::exception& error) {
        throw_as_ours(error.what());
    }
    throw Error(ErrorKind::internal, "unreachable");
}

}  // namespace ferry
