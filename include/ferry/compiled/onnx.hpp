#pragma once

/// The functions behind OnnxExporter.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/onnx/config-inl.hpp>
#include <ferry/onnx/export_program-inl.hpp>
#include <ferry/onnx/program-inl.hpp>
#include <ferry/onnx/rules-inl.hpp>

static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::onnx::default_ir_fixes>>::ok);
