#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/onnx/translation.hpp>

/// Control flow. ONNX's bodies see the values around them, so that only what changes from step to step is an input of theirs.
namespace ferry::onnx {
namespace translated {

struct cond {
    static constexpr auto target = op("higher_order::cond");
    static void translate(Translation& t);
};

struct while_loop {
    static constexpr auto target = op("higher_order::while_loop");
    static void translate(Translation& t);
};
struct scan {
    static constexpr auto target = op("higher_order::scan");
    static void translate(Translation& t);
};
struct map {
    static constexpr auto target = op("higher_order::map_impl");
    static void translate(Translation& t);
};

struct wrapped_body {
    static constexpr auto target = op("higher_order::wrap_with_set_grad_enabled", "higher_order::invoke_subgraph");
    static void translate(Translation& t);
};

}  // namespace translated

using control_flow_translations =
    translations<translated::cond, translated::while_loop, translated::scan, translated::map, translated::wrapped_body>;

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translations/control_flow-inl.hpp>
#endif
