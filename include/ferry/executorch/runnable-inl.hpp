#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/number_ops.hpp>
#include <ferry/executorch/runnable.hpp>
#include <ferry/executorch/views.hpp>

#include <string_view>

namespace ferry::executorch {
namespace detail {

[[nodiscard]] constexpr bool is_control_flow(std::string_view op) {
    return op == "higher_order::cond" || op == "higher_order::while_loop" || op == "higher_order::scan" ||
           op == "higher_order::map_impl";
}

}  // namespace detail

FERRY_INLINE Kernels& runtime_kernels() {
    thread_local Kernels kernels;
    return kernels;
}

FERRY_INLINE bool runs_as_it_is(std::string_view op) {
    return op_table<type_list<always_views>>::contains(op) || is_number_op(op) || detail::is_control_flow(op) ||
           runtime_kernels().find(op) != nullptr;
}

FERRY_INLINE bool stays_whole(std::string_view op) { return op == "aten::matmul" || runs_as_it_is(op); }

}  // namespace ferry::executorch
