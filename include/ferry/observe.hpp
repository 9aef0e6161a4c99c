#pragma once

/// What a model was called with, for exports and for checks of what was exported.
#include <ferry/observe/observed_model.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/observe/torchscript.hpp>
#include <ferry/verify/discrepancies.hpp>
#include <ferry/verify/discrepancy_report.hpp>

#if __has_include(<onnx/onnx_pb.h>) && __has_include(<onnxruntime_c_api.h>)
#include <ferry/verify/onnx_artifact.hpp>
#endif
