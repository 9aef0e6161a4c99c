#pragma once

/// All that does not depend on a user's types, for one source of a program whose files have FERRY_COMPILED defined. Instead of this one
/// header, a few sources may have one of ferry/compiled/*.hpp each, and build in parallel.
#include <ferry/compiled/capture.hpp>
#include <ferry/compiled/fakes.hpp>
#include <ferry/compiled/program.hpp>

#if __has_include(<ferry/observe.hpp>)
#include <ferry/compiled/observe.hpp>
#endif
#if __has_include(<ferry/pt2.hpp>)
#include <ferry/compiled/pt2.hpp>
#endif
#if __has_include(<ferry/models.hpp>)
#include <ferry/compiled/models.hpp>
#endif
#if __has_include(<onnx/onnx_pb.h>)
#include <ferry/compiled/onnx.hpp>
#include <ferry/compiled/translations.hpp>
#endif
#if __has_include(<onnx/onnx_pb.h>) && __has_include(<onnxruntime_c_api.h>)
#include <ferry/compiled/onnxruntime.hpp>
#endif
#if __has_include(<ferry_schema/executorch/program_generated.h>)
#include <ferry/compiled/executorch.hpp>
#endif
