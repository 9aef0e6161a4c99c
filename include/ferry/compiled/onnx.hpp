#pragma once

/// The functions behind OnnxExporter.
#ifndef FERRY_COMPILED
#error \
    "ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif

#include <ferry/onnx/config-inl.hpp>
#include <ferry/onnx/export_program-inl.hpp>
#include <ferry/onnx/program-inl.hpp>
#include <ferry/onnx/rules-inl.hpp>

static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::onnx::default_ir_fixes>>::ok);
