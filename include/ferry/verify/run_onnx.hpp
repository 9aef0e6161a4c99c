#pragma once

/// OnnxProgram::run, which needs ONNX Runtime.
#include <ferry/onnx/program.hpp>

#ifndef FERRY_COMPILED
#include <ferry/verify/run_onnx-inl.hpp>
#endif
