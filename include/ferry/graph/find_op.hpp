#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string>
#include <string_view>

namespace ferry {

/// The op that this process has under a name as graphs write it: "aten::add.Tensor", "aten::relu".
[[nodiscard]] inline std::optional<c10::OperatorHandle> find_op(std::string_view name) {
    const auto dot = name.find('.');
    return c10::Dispatcher::singleton().findSchema(
        {std::string(name.substr(0, dot)), dot == std::string_view::npos ? "" : std::string(name.substr(dot + 1))});
}

}  // namespace ferry
