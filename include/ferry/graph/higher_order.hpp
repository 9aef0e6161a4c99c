#pragma once

#include <ferry/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Ops that take graphs, as torch.ops.higher_order has them: what their arguments and bodies are called.
namespace ferry {

struct HigherOrderOp {
    std::string_view name;
    std::array<std::string_view, 5>
        arguments;  ///< in front of operands that come one by one; or the last is a list of them
    std::array<std::string_view, 2> bodies;
};

inline constexpr std::array<HigherOrderOp, 9> higher_order_ops{{
    {"higher_order::cond", {"pred", "true_fn", "false_fn", "operands"}, {"true_graph", "false_graph"}},
    {"higher_order::while_loop",
     {"cond_fn", "body_fn", "carried_inputs", "additional_inputs"},
     {"while_loop_cond_graph", "while_loop_body_graph"}},
    {"higher_order::scan", {"combine_fn", "init", "xs", "additional_inputs"}, {"scan_combine_graph", ""}},
    {"higher_order::map_impl", {"f", "xs", "pos_args"}, {"body_graph", ""}},
    {"higher_order::wrap_with_set_grad_enabled", {"enable_grad", "wrapped_func"}, {"submod", ""}},
    {"higher_order::wrap_with_autocast",
     {"device_type", "dtype", "enabled", "cache_enabled", "wrapped_func"},
     {"submod", ""}},
    {"higher_order::invoke_subgraph", {"subgraph", "identifier"}, {"repeated_subgraph", ""}},
    {"higher_order::auto_functionalized", {"_mutable_op"}, {"", ""}},  // no body but an op: run_functionalized.hpp
    {"higher_order::auto_functionalized_v2", {"_mutable_op"}, {"", ""}},
}};

/// Those that call an op which writes to its arguments, on copies.
[[nodiscard]] constexpr bool is_auto_functionalized(std::string_view op) noexcept {
    return op == "higher_order::auto_functionalized" || op == "higher_order::auto_functionalized_v2";
}
inline constexpr std::string_view mutable_op_argument = "_mutable_op";

[[nodiscard]] constexpr const HigherOrderOp* find_higher_order(std::string_view op) noexcept {
    for (const HigherOrderOp& each : higher_order_ops)
        if (each.name == op) return &each;
    return nullptr;
}

[[nodiscard]] inline std::span<const std::string_view> higher_order_arguments(std::string_view op) {
    const HigherOrderOp* found = find_higher_order(op);
    if (found == nullptr) throw Error(ErrorKind::internal, "not a higher-order op", {.where = {.op = std::string(op)}});
    const auto end = std::find(found->arguments.begin(), found->arguments.end(), std::string_view());
    return {found->arguments.begin(), end};
}

[[nodiscard]] inline std::string subgraph_name(std::string_view op, std::size_t body) {
    const HigherOrderOp* found = find_higher_order(op);
    return std::string(found != nullptr ? found->bodies[body] : "subgraph");
}

}  // namespace ferry
