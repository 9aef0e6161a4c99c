#pragma once

/// All of the ONNX backend. It needs the onnx library; models are run in process where ONNX Runtime is there.
#include <ferry/onnx/exporter.hpp>
#include <ferry/onnx/library.hpp>
#include <ferry/onnx/pipeline.hpp>

#if __has_include(<onnxruntime_c_api.h>)
#include <ferry/verify/run_onnx.hpp>
#endif
