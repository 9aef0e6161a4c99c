#pragma once

/// Models in ONNX Runtime.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/verify/run_onnx-inl.hpp>
